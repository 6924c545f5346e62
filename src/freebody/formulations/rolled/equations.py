"""Equations whose accelerations and forces are computed by loops over bodies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from freebody.errors import ModelError
from freebody.formulations.derivation import Derivation, InsertLaws
from freebody.formulations.formulation import Solution
from freebody.formulations.recursive import Recursive
from freebody.formulations.rolled import MANY, MANY_CLOSED
from freebody.formulations.rolled.arrays import Arrays, TracedStep, of_member
from freebody.formulations.rolled.cell import Cell
from freebody.formulations.rolled.constraints import ConstraintKinds
from freebody.formulations.rolled.flexible_steps import FlexibleSteps, carry
from freebody.formulations.rolled.kinds import BodyKinds
from freebody.formulations.rolled.loops import Loops, meetings
from freebody.formulations.rolled.steps import ClusterSteps
from freebody.model.accelerations import multiplier_symbol
from freebody.program.assemble import Assembly, Kernel, Rows, Scanning
from freebody.program.program import Program
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.tree.constraints import ConstraintEquations, RowInfo, RowKey
from freebody.tree.independence import dependence, omitted_rows
from freebody.tree.tree import Link, Tree

ALIKE = 4
"""Systems of many bodies are better rolled if a kind has so many of them (docs/decisions/010)."""

MOST_MEETINGS = 2_000_000
"""Loops over more pairs of constraints that meet at bodies are refused."""


class Rolled(Derivation):
    """Equations of a tree (as ``span`` returns it) whose u̇, f and tau are loops over bodies, each step traced once
    per kind of body; all else is unrolled. Loads, prescribed motions and joint forces are computed in a block before
    the loops."""

    rolled = True

    def __init__(self, tree: Tree) -> None:
        super().__init__(Recursive(tree))

    def sweeps(self, assembly: Assembly, insert_laws: InsertLaws = list, added: Sequence[Node] = ()) -> "Sweeps":
        """The passes that compute u̇, multipliers and corrections."""
        return Sweeps(self.bodies, assembly, True, insert_laws, self.loops, added)

    @cached_property
    def bodies(self) -> BodyKinds:
        return BodyKinds(self.tree, ports=not self.tree.model.constraints)

    @cached_property
    def loops(self) -> ConstraintKinds | None:
        """The constraints; None if there are none."""
        model = self.tree.model
        if self.meetings > MOST_MEETINGS:
            raise ModelError(
                f"{model.name}: rolled equations would have loops over {self.meetings} pairs of constraints whose"
                " paths to the ground have bodies in common: the trees are too long for so many constraints. Derive"
                " again"
                " with solver='sparse', or attach bodies to the ground nearer to where loops close"
            )
        return ConstraintKinds(self.bodies, omitted_rows(model)) if model.constraints else None

    @property
    def is_cheaper(self) -> bool:
        """Whether the tree is better rolled: it has many bodies of few kinds."""
        many, count = MANY_CLOSED if self.tree.model.constraints else MANY, len(self.tree.links)
        if count <= many or ALIKE * len(self.bodies.kinds) > len(self.bodies.clusters):
            return False
        return self.meetings <= MOST_MEETINGS

    @cached_property
    def meetings(self) -> int:
        """How many pairs of constraints meet at bodies, on their ways to the ground."""
        by_name, constraints = self.tree.by_name, self.tree.model.constraints.values()
        bodies = ([by_name[name] for name in c.bodies() if name in by_name] for c in constraints)
        return meetings(self.bodies, bodies)

    def solution(self, assembly: Assembly, tau: Sequence[Node] = (), insert_laws: InsertLaws = list) -> Solution:
        """u̇ and multipliers under generalised forces tau. Laws are inserted in the blocks before the loops."""
        if not self.layout.u:
            return Solution([], [])
        self.bodies.require_inertia()
        result, named = self.sweeps(assembly, insert_laws).forward(tau, self.formulation.stabilisation)
        multipliers = [x for name in self.tree.model.constraints for x in named.get(name, ())]
        return Solution([assembly.read(result, k) for k in range(result.rows)], multipliers)

    def corrections(self, assembly: Assembly, insert_laws: InsertLaws = list) -> tuple[list[Node], list[Node]]:
        q, u = self.sweeps(assembly, insert_laws).corrections()
        return [assembly.read(q, k) for k in range(q.rows)], [assembly.read(u, k) for k in range(u.rows)]

    def with_added_inertia(self, assembly: Assembly, tau: Sequence[Node], added: Sequence[Node]) -> list[Node]:
        self.bodies.require_inertia()
        result = Sweeps(self.bodies, assembly, True, list, None, added, apart=True).accelerations(tau)
        return [assembly.read(result, k) for k in range(result.rows)]

    @property
    def state_corrections(self) -> dict[Node, Node]:
        return {} if self.loops is None else self.loops.others.held_state_corrections

    @cached_property
    def multipliers(self) -> list[Node]:
        return list(self.named_multipliers.values())

    @cached_property
    def row_names(self) -> dict[RowKey, str]:
        omitted = set(omitted_rows(self.tree.model))
        names = dependence(self.tree.model).names if self.tree.model.constraints else {}
        return {key: name for key, name in names.items() if key not in omitted}

    @property
    def undetermined_rows(self) -> Sequence[Sequence[RowKey]]:
        return () if self.is_cheaper else super().undetermined_rows  # of many bodies they are not examined

    @cached_property
    def named_multipliers(self) -> dict[str, Node]:
        return {name: multiplier_symbol(self.graph, name) for name in self.row_names.values()}

    @cached_property
    def row_infos(self) -> dict[str, RowInfo]:
        loops = self.loops
        every = [] if loops is None else [x for name in self.tree.model.constraints for x in loops.row_infos(name)]
        return dict(zip(self.row_names.values(), every, strict=True))

    @property
    def working(self) -> tuple[ConstraintEquations, list[Node]]:
        driven = any(given is not None for link in self.tree.links for given in link.body.prescribed)
        if self.loops is None or driven:
            return super().working
        others = self.loops.others  # those between two bodies do not depend on time
        return others, [self.named_multipliers[name] for name in others.names]

    def closing(self) -> Program:
        """φ and G u + offset of all equations, also of those that are left out, in the order of the constraints; and
        for each the cosine of an angle that is half a turn where the constraint holds in the wrong way, or 1."""
        a, kinds = self.assembly("closing"), ConstraintKinds(self.bodies, ())
        Sweeps(self.bodies, a, True, list, kinds).residuals(["phi", "speed", "cosine"])
        return a.program()

    def assembling(self) -> Program:
        """The changes of coordinates and of speeds that the constraints require, with speeds ``held`` by numbers that
        are infinite."""
        held = [self.graph.symbol(f"held.{name}", Kind.INPUT) for name in self.layout.u]
        a = Assembly("assembling", self.graph, {**self.groups(), "held": held})
        changes = self.sweeps(a, added=held).corrections()
        for name, rows in zip(("coordinates", "speeds"), changes, strict=True):
            a.output(name, [a.read(rows, k) for k in range(rows.rows)])
        return a.program()

    def derive(self, name: str) -> Program:
        if name not in ("bias", "inverse_dynamics"):
            return super().derive(name)
        a = self.assembly(name, *["u_dot"][: name != "bias"])
        forces = list[Node]()
        if self.layout.u:
            result = Sweeps(self.bodies, a, False).inverse([] if name == "bias" else self.accelerations)
            forces = [a.read(result, k) for k in range(result.rows)]
        a.output("f" if name == "bias" else "tau", forces)
        return a.program()


def residuals_of(equations: ConstraintEquations) -> list[Node]:
    """φ; zero for equations that restrict speeds alone."""
    return [equations.motion.graph.zero if h is None else h for h in equations.residuals]


def cosines_of(equations: ConstraintEquations) -> list[Node]:
    """Cosines of each constraint at its first rows, 1 at the others."""
    g, cosines = equations.motion.graph, list[Node]()
    for name in dict.fromkeys(key.constraint for key in equations.rows):
        own = [x.handle for x in equations.tree.model.constraints[name].cosines(equations.motion)]
        count = sum(key.constraint == name for key in equations.rows)
        cosines += [*own, *[g.one] * count][:count]
    return cosines


class Sweeps:
    """The passes of one program, as regions of its assembly."""

    def __init__(
        self,
        bodies: BodyKinds,
        assembly: Assembly,
        forward: bool,
        insert_laws: InsertLaws = list,
        kinds: ConstraintKinds | None = None,
        added: Sequence[Node] = (),
        apart: bool = False,
    ) -> None:
        self.bodies, self.assembly, self.kinds = bodies, assembly, kinds
        self.ends = set[int]() if kinds is None else kinds.ends
        self.arrays = Arrays(bodies, assembly, forward, insert_laws, self.ends, added, apart)
        self.result = assembly.array("links.result", len(bodies.tree.layout.u))
        self.forwards = forward

    def forward(
        self, tau: Sequence[Node], stabilisation: tuple[Node, Node] | None = None
    ) -> tuple[Rows, dict[str, list[Node]]]:
        """u̇ by articulated bodies, and the multipliers of each constraint by its name."""
        links = self.bodies.first
        loops = None if self.kinds is None else Loops(self, self.kinds, 1, stabilisation)
        rows = self.arrays.held("tau", tau) if tau else None
        self._constants()
        if loops is None:
            self._add_passes(
                self._traced("motion", links, lambda steps: steps.refer()),
                self._traced("elimination", links[::-1], lambda steps: steps.condense(rows)),
                self._traced("acceleration", links, lambda steps: steps.accelerate(self.result, rows)),
            )
            return self.result, {}
        self.sweep("motion", links, lambda steps: steps.refer(at_rest=bool(loops.given)))
        loops.equations(lambda equations: [equations.accelerations])
        self.sweep("elimination", links[::-1], lambda steps: steps.condense(rows))
        loops.reduce(right=True)
        loops.solve()
        self.sweep("acceleration", links, lambda steps: steps.accelerate(self.result, rows, loops.added[0]), loops)
        return self.result, loops.named_multipliers()

    def residuals(self, names: Sequence[str]) -> None:
        """φ, G u + offset and cosines (see ``Rolled.closing``), as outputs of these names."""
        assert self.kinds is not None, "there are no equations"
        loops = Loops(self, self.kinds, right_sides=len(names))
        self._lay_axes()
        self.sweep("motion", self.bodies.first, ClusterSteps.place)
        quantities = residuals_of, lambda equations: equations.velocities, cosines_of
        loops.equations(lambda equations: [quantity(equations) for quantity in quantities[: len(names)]])
        loops.output(names)

    def corrections(self) -> tuple[Rows, Rows]:
        """The changes of coordinates and of speeds, in δ of least kinetic energy, that φ = 0 and G u + offset = 0
        require."""
        assert self.kinds is not None, "there is nothing to correct"
        links, loops = self.bodies.first, Loops(self, self.kinds, right_sides=2)
        self._constants()
        self.sweep("motion", links, ClusterSteps.place)
        loops.equations(lambda equations: [residuals_of(equations), equations.velocities])
        self.sweep("elimination", links[::-1], lambda steps: steps.condense(None, loaded=False))
        loops.reduce(right=False)
        loops.solve()
        results = self.result, self.assembly.array("links.more", self.result.rows)
        for side, result in enumerate(results):
            added = loops.added[side]
            trace = partial(ClusterSteps.accelerate, result=result, tau=None, added=added, from_reference=False)
            self.sweep("correction", links, trace, loops)
        return results

    def accelerations(self, tau: Sequence[Node]) -> Rows:
        """M⁻¹ tau. Only the last two passes depend on tau."""
        links, rows = self.bodies.first, self.arrays.held("tau", tau)
        self._constants()
        self.sweep("motion", links, ClusterSteps.place)
        self.sweep("elimination", links[::-1], lambda steps: steps.condense(None, loaded=False))
        self.sweep("force", links[::-1], lambda steps: steps.pass_forces(rows))
        self.sweep("acceleration", links, lambda steps: steps.accelerate(self.result, None, from_reference=False))
        return self.result

    def inverse(self, u_dot: Sequence[Node]) -> Rows:
        """The generalised forces that u̇ requires; without u̇, f of M u̇ = f + tau."""
        links = self.bodies.first
        rows = self.arrays.held("rates", u_dot) if u_dot else None
        self._constants()
        self.sweep("motion", links, lambda steps: steps.move(rows))
        self.sweep("force", links[::-1], lambda steps: steps.pass_on(rows, self.result))
        return self.result

    def _constants(self) -> None:
        """What depends on numbers and parameters alone: axes of skew bodies, inertia moved to where it costs least."""
        self._lay_axes()
        self.sweep("inertia", self.bodies.first[::-1], ClusterSteps.rewrite_inertia)

    def _lay_axes(self) -> None:
        bodies = self.bodies
        inner = [
            cluster[0]
            for cluster in bodies.clusters
            if any(
                (bodies.children[link.index] or link.index in self.ends) and bodies.is_skewed(link) for link in cluster
            )
        ]
        self.sweep("axes", inner, ClusterSteps.lay_axes)

    def indices(self, clusters: Sequence[Sequence[Link]]) -> dict[str, list[int]]:
        """The starts of the rows of clusters, for each number of a link; 0 if a cluster has no link of this number."""
        indices = dict[str, list[int]]()
        for k in range(max(map(len, clusters))):
            for at, starts in self.arrays.starts.items():
                indices[of_member(at, k)] = [starts[c[k].index] if k < len(c) else 0 for c in clusters]
        return indices

    def sweep(
        self, name: str, links: Sequence[Link], trace: Callable[[ClusterSteps], None], loops: Loops | None = None
    ) -> None:
        """One pass over clusters, by their first links; with ``loops`` they find what multipliers add to the right
        sides of speeds."""
        if links:
            self._add_passes(self._traced(name, links, trace, loops))

    def _traced(
        self, name: str, links: Sequence[Link], trace: Callable[[ClusterSteps], None], loops: Loops | None = None
    ) -> "Pass":
        """A pass that is traced again while a column that was read as zero turns out not to be."""
        order = [self.bodies.of[link.index] for link in links]
        indices = self.indices([self.bodies.cluster[link.index] for link in links])
        if loops is not None:
            indices["speed"] = [loops.first_speed[link.index] for link in links]
        while True:
            one = Pass(self.assembly.scan(name, indices), links, order, indices)
            for k in dict.fromkeys(order):
                graph, kind = Graph(), self.bodies.kinds[k]
                one.kernels[k] = one.scan.kernel(graph)
                step = TracedStep(one.kernels[k], self.arrays.notes[k])
                cell = Cell(graph, kind.shapes, self.arrays.data(step, kind))
                steps = FlexibleSteps if kind.flexible and self.forwards else ClusterSteps
                trace(steps(step, kind, cell, self.arrays.shared))
            if not sum(f.assumption_failed() for f in self.arrays.fields):
                return one

    def _add_passes(self, *passes: "Pass") -> None:
        """Add passes to the program. Those of flexible kinds leave for each other what they have computed."""
        flexible = [k for k, kind in enumerate(self.bodies.kinds) if kind.flexible and len(passes) > 1]
        carried = {k: carry([one.kernels[k] for one in passes]) for k in flexible}
        starts, size = [0] * len(self.bodies.links), 0
        for link in self.bodies.first if carried else ():
            starts[link.index] = size
            size += sum(len(some.stored) for some in carried.get(self.bodies.of[link.index], ()))
        rows = self.assembly.array("links.carried", size) if carried else None
        for number, one in enumerate(passes):
            one.indices["carried"] = [starts[link.index] for link in one.links]
            for k, of_passes in carried.items():
                kernel, (stored, loaded) = one.kernels[k], of_passes[number]
                assert rows is not None
                kernel.loads |= {node: one.scan.address(rows, "carried", place) for node, place in loaded.items()}
                for node, place in stored.items():
                    kernel.write(rows, "carried", place, node)
            kinds = list(one.kernels)
            self.assembly.add(one.scan, [kinds.index(k) for k in one.order])


@dataclass(frozen=True)
class Pass:
    """A pass over clusters, by their first ``links``, whose kinds are ``order``: a kernel for each kind."""

    scan: Scanning
    links: Sequence[Link]
    order: Sequence[int]
    indices: dict[str, list[int]]
    kernels: dict[int, Kernel] = field(default_factory=dict)
