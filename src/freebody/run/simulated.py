"""The programs a run needs: ẋ with its inputs driven, what is recorded, events and their resets, exact Jacobians."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from freebody.errors import ArgumentError
from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.results.about import Variable
from freebody.run.words import Words
from freebody.scalar.derivative import jacobian
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.walk import substitute, transfer
from freebody.spatial.resolved import Vec
from freebody.spatial.vector import Vector, components
from freebody.tree.energy import kinetic, potential, powers, whole_momentum
from freebody.tree.passes import LinkPose, outwards, pose

XYZ = ("x", "y", "z")


class Simulated:
    """Equations whose inputs follow laws (nodes of ``words`` by input name); the other inputs stay numbers given at run
    time. With laws the programs are put together in the words' graph, without in the equations' own: what belongs to
    one run is gone with it."""

    def __init__(self, words: Words, laws: Mapping[str, int] | None = None) -> None:
        self.e, self.words, self.laws = words.e, words, dict(laws or {})
        named = dict(zip(self.e.layout.inputs, self.e.groups()["inputs"], strict=True))
        self._closed = {named[n]: h for n, h in self.laws.items()}
        self._driven = {words.bring([named[n]])[0]: h for n, h in self.laws.items()}
        self._acyclic()

    def _acyclic(self) -> None:
        """A law may use inputs that are numbers, but none that follows a law."""
        for name, law in self.laws.items():
            if self.spoken([law]) != [law]:
                raise ArgumentError(f"input '{name}': its law uses an input that follows a law; write that one out")

    @property
    def graph(self) -> Graph:
        """Where the programs are put together."""
        return self.words.graph if self.laws else self.e.graph

    def closed(self, nodes: Sequence[int]) -> list[int]:
        """Nodes of the equations with the laws in the inputs' places, in ``graph``."""
        return self._carried(nodes) if self.laws else list(nodes)

    def _carried(self, nodes: Sequence[int]) -> list[int]:
        """Nodes of the equations with the laws in the inputs' places, in the words' graph."""
        self._closed = transfer(self.e.graph, nodes, self.words.graph, self._closed)
        return [self._closed[n] for n in nodes]

    def _closed_rows(self, rows: Sequence[Sequence[int]]) -> list[list[int]]:
        """Rows of nodes of the equations, all at once."""
        made = iter(self.closed([h for row in rows for h in row]))
        return [[next(made) for _ in row] for row in rows]

    def spoken(self, nodes: Sequence[int]) -> list[int]:
        """Nodes of the words with the laws in the inputs' places."""
        return substitute(self.words.graph, list(nodes), self._driven) if self.laws else list(nodes)

    def _groups(self, graph: Graph, *more: str) -> dict[str, list[int]]:
        """Parameters, t, x = [q, u, z], inputs, and more by name, as symbols of a graph."""
        groups = self.e.groups(*more)
        x = [*groups.pop("q"), *groups.pop("u"), *groups.pop("z")]
        held = {"parameters": groups.pop("parameters"), "t": groups.pop("t"), "x": x, **groups}
        return held if graph is self.e.graph else {n: self.words.bring(h) for n, h in held.items()}

    def assembly(self, name: str, *more: str) -> Assembly:
        """A program of parameters, t, x = [q, u, z], inputs, and more by name."""
        return Assembly(name, self.graph, self._groups(self.graph, *more))

    @cached_property
    def rates(self) -> list[int]:
        """ż."""
        states = self.e.forest.model.states.values()
        return self.closed(self.e.in_own_speeds([s.rate.handle for s in states]))

    def _x_dot(self, a: Assembly) -> list[int]:
        return [*self.closed(self.e.q_dot), *self.e.u_dot(a, (), self.closed), *self.rates]

    def state_dot(self) -> Program:
        a = self.assembly("state_dot")
        a.output("x_dot", self._x_dot(a))
        return self.e.finish(a.program())

    # Events

    def events(self, conditions: Sequence[int]) -> Program:
        """The functions whose zeros are looked for, nodes of the words."""
        a = Assembly("events", self.words.graph, self._groups(self.words.graph))
        a.output("g", self._whole(a, conditions))
        return a.program()

    def _whole(self, a: Assembly, nodes: Sequence[int]) -> list[int]:
        """Nodes of the words with the laws in the inputs' places, and u̇ under these in the places of accelerations."""
        return self.e.insert_u_dot(a, self.spoken(nodes), insert_laws=self._carried)

    def reset(self, changes: Mapping[int, int]) -> Program:
        """The state after an event: some entries of x replaced by nodes of the words."""
        groups = self._groups(self.words.graph)
        a = Assembly("reset", self.words.graph, groups)
        a.output("after", self._whole(a, [changes.get(k, h) for k, h in enumerate(groups["x"])]))
        return a.program()

    # Derivatives

    def jacobian(self) -> Program:
        """M, and ∂(q̇, f − M u̇, ż)/∂x for u̇ held: M⁻¹ times its middle rows are ∂u̇/∂x, exactly and without the
        derivative of a factorisation."""
        e, g, a = self.e, self.graph, self.assembly("jacobian", "u_dot")
        mass, rates, rest = self._closed_rows(e.full_mass()), self.closed(e.accelerations), list[int]()
        for row, f in zip(mass, self.closed(e.force), strict=True):
            for entry, rate in zip(row, rates, strict=True):
                f = g.sub(f, g.mul(entry, rate))
            rest.append(f)
        x = self._groups(g)["x"]
        every = [*self.closed(e.q_dot), *rest, *self.rates]
        entries = jacobian(g, every, x)
        a.output("M", mass)
        a.output("J", [[entries.get((i, j), g.zero) for j in range(len(x))] for i in range(len(every))])
        return a.program()

    # The record

    def record(self) -> Program:
        """``x_dot``; ``poses``: for each body its rotation (9, row by row) and its origin's place in the ground;
        ``energy``: kinetic and potential; ``momentum``: linear, and angular about the ground's origin; ``slots``: the
        rest."""
        a, motion = self.assembly("record"), self.e.formulation.motion
        x_dot, momentum = self._x_dot(a), whole_momentum(motion)
        a.output("x_dot", x_dot)
        a.output("poses", self._closed_rows(self._poses()))
        a.output("energy", self.closed([kinetic(motion), potential(motion)]))
        a.output("momentum", self.closed([*momentum.linear.c, *momentum.angular.c]))
        a.output("slots", self._filled(a, x_dot))
        return a.program()

    def _filled(self, a: Assembly, x_dot: Sequence[int]) -> list[int]:
        """The nodes of the slots, with u̇ in the places of accelerations."""
        nodes, layout = self.closed([h for _, nodes in self.slots for h in nodes]), self.e.layout
        rates = x_dot[len(layout.q) : len(layout.q) + len(layout.u)]
        return self.e.insert_u_dot(a, nodes, rates, insert_laws=self.closed)

    def bodies(self) -> Program:
        """Mass, mass centre (3) and inertia about it (9) of each body: constants of the parameters."""
        a, rows = self.assembly("bodies"), []
        for *_, link in self.e.forest.bodies:
            r = link.body.recipe
            rows.append([s.handle for s in (r.mass, *r.com, *(x for row in r.inertia for x in row))])
        a.output("bodies", self._closed_rows(rows))
        return a.program()

    def followers(self, names: Sequence[str]) -> Program:
        """Coordinates that are prescribed or follow others."""
        nodes = {slot.name: node for slot, (node, *_) in self.slots if slot.group == "q"}
        a = self.assembly("followers")
        a.output("q", self.closed([nodes[n] for n in names]))
        return a.program()

    def _poses(self) -> list[list[int]]:
        forest, rows = self.e.forest, list[list[int]]()
        found = outwards(forest.links, pose, LinkPose.at(forest.root))
        for *_, link in forest.bodies:
            here, shift = found[link.index], Vec(link.frame, components(-link.shift, link.frame))
            axes = [axis.in_(link.body.frame).c for axis in here.axes]
            rows.append([*(x for row in axes for x in row), *(here.origin + here.to_root(shift)).c])
        return rows

    @cached_property
    def slots(self) -> list[tuple[Variable, list[int]]]:
        """Prescribed and coupled motions, inputs, outputs, loads and powers, each with its nodes."""
        return [
            *self._prescribed(), *self._coupled(), *self._inputs(), *self._outputs(), *self._loads(), *self._powers()
        ]  # fmt: skip

    def _prescribed(self) -> list[tuple[Variable, list[int]]]:
        """Coordinates, speeds and accelerations that are functions of time."""
        found = []
        for link in self.e.forest.links:
            body = link.body
            names, units = body.recipe.names, body.recipe.joint.units
            for k, given in enumerate(body.prescribed):
                if given is not None:
                    found.append((Variable("q", names[0][k], units[0][k], "prescribed"), [body.q[k].handle]))
                    found.append((Variable("u", names[1][k], units[1][k], "prescribed"), [body.u[k].handle]))
                    found.append((Variable("u_dot", names[1][k], f"{units[1][k]}²", "prescribed"), [given.handle]))
        return found

    def _coupled(self) -> list[tuple[Variable, list[int]]]:
        """Coordinates, speeds and accelerations that follow others."""
        g, found = self.e.graph, []
        for link in self.e.forest.links:
            body = link.body
            if body.coupling is not None:
                (q,), (u,) = body.recipe.joint.units
                rate = g.mul(link.gain, self.e.accelerations[link.u[0]])
                parts = (("q", q, body.q[0].handle), ("u", u, body.u[0].handle), ("u_dot", f"{u}²", rate))
                why = f"coupled to {body.coupling.to}"
                found += [(Variable(k, link.name, unit, why), [node]) for k, unit, node in parts]
        return found

    def _inputs(self) -> list[tuple[Variable, list[int]]]:
        g = self.e.graph
        named = zip(self.e.layout.inputs, self.e.groups()["inputs"], strict=True)
        return [(Variable("input", n, (s := g.symbols[g.a[h]]).unit, s.description), [h]) for n, h in named]

    def _outputs(self) -> list[tuple[Variable, list[int]]]:
        along = "along the ground's axes"
        return [
            (Variable("output", n) if len(nodes) == 1 else Variable("output", n, "", along, XYZ), nodes)
            for n, nodes in self.e.outputs.items()
        ]

    def _loads(self) -> list[tuple[Variable, list[int]]]:
        motion, found = self.e.formulation.motion, []
        for name, load in self.e.forest.model.loads.items():
            found.append(self._slot("load", name, load.unit(motion), load.value(motion)))
        return found

    def _powers(self) -> list[tuple[Variable, list[int]]]:
        found = powers(self.e.formulation.motion, self.e.accelerations)
        return [(Variable("power", name, "W"), [node]) for name, node in found.items()]

    def _slot(self, group: str, name: str, unit: str, value: Vector | Expr) -> tuple[Variable, list[int]]:
        if isinstance(value, Vector):
            nodes = list(components(value, self.e.forest.root))
            return Variable(group, name, unit, "along the ground's axes", XYZ), nodes
        return Variable(group, name, unit), [value.handle]
