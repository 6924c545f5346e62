"""The programs a run needs: ẋ with its inputs driven, what is recorded, events and their resets, exact Jacobians."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from freebody.errors import ArgumentError
from freebody.formulations.equations import Equations, stored
from freebody.geometry.vector import Vector, components
from freebody.model.loads import Effort, Torque
from freebody.scalar.assemble import Assembly
from freebody.scalar.derivative import jacobian
from freebody.scalar.expr import Expr
from freebody.scalar.program import Program
from freebody.scalar.walk import substitute

XYZ = ("x", "y", "z")


@dataclass(frozen=True)
class Slot:
    """A place in the record: its group, name, unit and, for several numbers, their names."""

    group: str
    name: str
    unit: str = ""
    description: str = ""
    parts: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return len(self.parts) or 1


class Simulated:
    """Equations whose inputs follow laws (nodes by input name); the other inputs stay numbers given at run time."""

    def __init__(self, equations: Equations, laws: Mapping[str, int] | None = None) -> None:
        self.e, self.laws = equations, dict(laws or {})
        named = dict(zip(self.e.layout.inputs, self.e.groups()["inputs"], strict=True))
        self._driven = {named[n]: h for n, h in self.laws.items()}
        self._acyclic()

    def _acyclic(self) -> None:
        """A law may use inputs that are numbers, but none that follows a law."""
        for name, law in self.laws.items():
            if substitute(self.e.graph, [law], self._driven)[0] != law:
                raise ArgumentError(f"input '{name}': its law uses an input that follows a law; write that one out")

    def closed(self, nodes: Sequence[int]) -> list[int]:
        """Nodes with the laws in the inputs' places."""
        return substitute(self.e.graph, list(nodes), self._driven) if self._driven else list(nodes)

    def assembly(self, name: str, *more: str) -> Assembly:
        """A program of parameters, t, x = [q, u, z], inputs, and more by name."""
        groups = self.e.groups(*more)
        x = [*groups.pop("q"), *groups.pop("u"), *groups.pop("z")]
        held = {"parameters": groups.pop("parameters"), "t": groups.pop("t"), "x": x, **groups}
        return Assembly(name, self.e.graph, held)

    @cached_property
    def rates(self) -> list[int]:
        """ż."""
        states = self.e.forest.system.states.values()
        return self.closed(self.e.spoken([s.rate.handle for s in states]))

    def _x_dot(self, a: Assembly) -> list[int]:
        return [*self.e.q_dot, *self.e.solve(a, self.closed(self.e.force)), *self.rates]

    def state_dot(self) -> Program:
        a = self.assembly("state_dot")
        a.output("x_dot", self._x_dot(a))
        return a.program()

    # Events

    def events(self, conditions: Sequence[int]) -> Program:
        """The functions whose zeros are looked for."""
        a = self.assembly("events")
        a.output("g", self.closed(conditions))
        return a.program()

    def reset(self, changes: Mapping[int, int]) -> Program:
        """The state after an event: some entries of x replaced by nodes."""
        a = self.assembly("reset")
        groups = self.e.groups()
        x = [*groups["q"], *groups["u"], *groups["z"]]
        a.output("after", self.closed([changes.get(k, h) for k, h in enumerate(x)]))
        return a.program()

    # Derivatives

    def jacobian(self) -> Program:
        """M, and ∂(q̇, f − M u̇, ż)/∂x for u̇ held: M⁻¹ times its middle rows are ∂u̇/∂x, exactly and without the
        derivative of a factorisation."""
        e, g = self.e, self.e.graph
        a, force = self.assembly("jacobian", "u_dot"), self.closed(e.force)
        rest = []
        for row, f in zip(e.full_mass(), force, strict=True):
            for entry, rate in zip(row, e.accelerations, strict=True):
                f = g.sub(f, g.mul(entry, rate))
            rest.append(f)
        groups = e.groups()
        x = [*groups["q"], *groups["u"], *groups["z"]]
        entries = jacobian(g, [*e.q_dot, *rest, *self.rates], x)
        rows = len(e.layout.q) + len(rest) + len(self.rates)
        a.output("M", e.full_mass())
        a.output("J", [[entries.get((i, j), g.zero) for j in range(len(x))] for i in range(rows)])
        return a.program()

    # The record

    def record(self) -> Program:
        """``x_dot``; ``relative``: for each body rotation (9, row by row) and place in its parent, ω and the velocity
        of its origin along its own axes; ``field``: gravity, the energy that springs store; ``slots``: the rest."""
        a = self.assembly("record")
        a.output("x_dot", self._x_dot(a))
        a.output("relative", [self.closed(row) for row in self._relative()])
        a.output("field", self._field())
        a.output("slots", self.closed([h for _, nodes in self.slots for h in nodes]))
        return a.program()

    def bodies(self) -> Program:
        """Mass, mass centre (3) and inertia about it (9) of each body: constants of the parameters."""
        a, rows = self.assembly("bodies"), []
        for link in self.e.forest.links:
            r = link.body.recipe
            assert r is not None
            rows.append([s.handle for s in (r.mass, *r.com, *(x for row in r.inertia for x in row))])
        a.output("bodies", rows)
        return a.program()

    def _relative(self) -> list[list[int]]:
        rows, motion, root = [], self.e.formulation.motion, self.e.forest.root
        for link in self.e.forest.links:
            body = link.body
            assert body.parent is not None
            parent = root if link.parent is None else body.parent.frame
            axes = [components(body.axis(k), parent) for k in range(3)]
            turned = [axes[c][r] for r in range(3) for c in range(3)]
            velocities = (motion.angular_velocity(body), motion.velocity(body.origin))
            moving = [h for v in velocities for h in components(v, body.frame)]
            rows.append([*turned, *components(link.position, parent), *moving])
        return rows

    def _field(self) -> list[int]:
        e = self.e
        return self.closed([*components(e.forest.system.gravity, e.forest.root), stored(e.formulation.motion).handle])

    @cached_property
    def slots(self) -> list[tuple[Slot, list[int]]]:
        """Prescribed motions, inputs, outputs and loads, each with its nodes."""
        return [*self._prescribed(), *self._inputs(), *self._outputs(), *self._loads()]

    def _prescribed(self) -> list[tuple[Slot, list[int]]]:
        """Coordinates, speeds and accelerations that are functions of time."""
        found = []
        for link in self.e.forest.links:
            body = link.body
            assert body.recipe is not None
            names, units = body.recipe.names, body.recipe.joint.units
            for k, given in enumerate(body.given):
                if given is not None:
                    found.append((Slot("q", names[0][k], units[0][k], "prescribed"), [body.q[k].handle]))
                    found.append((Slot("u", names[1][k], units[1][k], "prescribed"), [body.u[k].handle]))
                    found.append((Slot("u_dot", names[1][k], f"{units[1][k]}²", "prescribed"), [given.handle]))
        return found

    def _inputs(self) -> list[tuple[Slot, list[int]]]:
        g = self.e.graph
        named = zip(self.e.layout.inputs, self.e.groups()["inputs"], strict=True)
        return [(Slot("input", n, (s := g.symbols[g.a[h]]).unit, s.description), [h]) for n, h in named]

    def _outputs(self) -> list[tuple[Slot, list[int]]]:
        return [self._slot("output", n, "", v) for n, v in self.e.forest.system.outputs.items()]

    def _loads(self) -> list[tuple[Slot, list[int]]]:
        motion, found = self.e.formulation.motion, []
        for name, load in self.e.forest.system.loads.items():
            unit = "N·m" if isinstance(load, Torque) else "N"
            if isinstance(load, Effort) and load.body.recipe is not None:
                unit = "N·m" if load.body.recipe.joint.units[1][load.index] == "rad/s" else "N"
            found.append(self._slot("load", name, unit, load.value(motion)))
        return found

    def _slot(self, group: str, name: str, unit: str, value: Vector | Expr) -> tuple[Slot, list[int]]:
        if isinstance(value, Vector):
            return Slot(group, name, unit, "along the ground's axes", XYZ), list(components(value, self.e.forest.root))
        return Slot(group, name, unit), [value.handle]
