"""Equations whose accelerations and forces are computed by loops over bodies."""

from collections.abc import Callable, Sequence
from functools import cached_property

from freebody.formulations.derivation import Derivation, InsertLaws
from freebody.formulations.formulation import Solution
from freebody.formulations.recursive import Recursive
from freebody.formulations.rolled.arrays import Arrays, BodyRows, TracedStep, of_member
from freebody.formulations.rolled.cell import Cell
from freebody.formulations.rolled.kinds import BodyKinds
from freebody.formulations.rolled.steps import ClusterSteps
from freebody.program.assemble import Assembly, Rows, Scanning
from freebody.program.program import Program
from freebody.scalar.graph import Graph
from freebody.tree.forest import Forest, Link, require_unconstrained

MANY, ALIKE = 50, 4
"""Systems of more bodies than the first are better rolled, if a kind has as many as the second (docs/decisions/010)."""


class Rolled(Derivation):
    """Equations of a forest (as ``span`` returns it) whose u̇, f and tau are loops over bodies, each step traced once
    per kind of body; all else is unrolled. Loads, prescribed motions and joint forces are computed in a block before
    the loops."""

    def __init__(self, forest: Forest) -> None:
        require_unconstrained(forest, "rolled equations", "derive again with rolled=False")
        super().__init__(Recursive(forest))

    @cached_property
    def bodies(self) -> BodyKinds:
        return BodyKinds(self.forest)

    @property
    def pays(self) -> bool:
        """Whether the forest is better rolled: it has many bodies of few kinds."""
        return len(self.forest.links) > MANY and ALIKE * len(self.bodies.kinds) <= len(self.bodies.clusters)

    def solution(self, assembly: Assembly, tau: Sequence[int] = (), insert_laws: InsertLaws = list) -> Solution:
        """u̇ under generalised forces tau. Laws are inserted in the blocks before the loops."""
        if not self.layout.u:
            return Solution([], [])
        self.bodies.require_inertia()
        result = Sweeps(self.bodies, assembly, True, insert_laws).forward(tau)
        return Solution([assembly.read(result, k) for k in range(result.rows)], [])

    def derive(self, name: str) -> Program:
        if name not in ("bias", "inverse_dynamics"):
            return super().derive(name)
        a = self.assembly(name, *["u_dot"][: name != "bias"])
        forces = list[int]()
        if self.layout.u:
            result = Sweeps(self.bodies, a, False).inverse([] if name == "bias" else self.accelerations)
            forces = [a.read(result, k) for k in range(result.rows)]
        a.output("f" if name == "bias" else "tau", forces)
        return a.program()


class Sweeps:
    """The passes of one program, as regions of its assembly."""

    def __init__(self, bodies: BodyKinds, assembly: Assembly, forward: bool, insert_laws: InsertLaws = list) -> None:
        self.bodies, self.assembly = bodies, assembly
        self.arrays = Arrays(bodies, assembly, forward, insert_laws)
        self.result = assembly.array("links.result", len(bodies.forest.layout.u))

    def forward(self, tau: Sequence[int]) -> Rows:
        """u̇ by articulated bodies."""
        links = self.bodies.first
        rows = self.arrays.held("tau", tau) if tau else None
        self._constants()
        self.sweep("motion", links, ClusterSteps.refer)
        self.sweep("elimination", links[::-1], lambda steps: steps.condense(rows))
        self.sweep("acceleration", links, lambda steps: steps.accelerate(self.result))
        return self.result

    def inverse(self, u_dot: Sequence[int]) -> Rows:
        """The generalised forces that u̇ requires; without u̇, f of M u̇ = f + tau."""
        links = self.bodies.first
        rows = self.arrays.held("rates", u_dot) if u_dot else None
        self._constants()
        self.sweep("motion", links, lambda steps: steps.move(rows))
        self.sweep("force", links[::-1], lambda steps: steps.pass_on(rows, self.result))
        return self.result

    def _constants(self) -> None:
        """What depends on numbers and parameters alone: axes of skew bodies, inertia moved to where it costs least."""
        bodies = self.bodies
        inner = [
            cluster[0] for cluster in bodies.clusters
            if any(bodies.children[link.index] and bodies.cell(bodies.kinds[bodies.of[link.index]]).is_skewed(k)
                   for k, link in enumerate(cluster))
        ]  # fmt: skip
        self.sweep("axes", inner, ClusterSteps.lay_axes)
        self.sweep("inertia", bodies.first[::-1], ClusterSteps.rewrite_inertia)

    def sweep(self, name: str, links: Sequence[Link], trace: Callable[[ClusterSteps], None]) -> None:
        """One pass over clusters, by their first links. It is traced again while a column that was read as zero turns
        out not to be."""
        if not links:
            return
        order = [self.bodies.of[link.index] for link in links]
        kinds = list(dict.fromkeys(order))
        clusters, indices = [self.bodies.cluster[link.index] for link in links], dict[str, list[int]]()
        for k in range(max(map(len, clusters))):  # the rows' starts; 0 if a cluster has no link of this number
            for at, starts in self.arrays.starts.items():
                indices[of_member(at, k)] = [starts[c[k].index] if k < len(c) else 0 for c in clusters]
        fields = [f for f in vars(self.arrays.shared).values() if isinstance(f, BodyRows)]
        scan = self._traced(name, indices, kinds, trace)
        while sum(f.mistaken() for f in fields):
            scan = self._traced(name, indices, kinds, trace)
        self.assembly.add(scan, [kinds.index(k) for k in order])

    def _traced(
        self, name: str, indices: dict[str, list[int]], kinds: Sequence[int], trace: Callable[[ClusterSteps], None]
    ) -> Scanning:
        scan = self.assembly.scan(name, indices)
        for k in kinds:
            graph, kind = Graph(), self.bodies.kinds[k]
            step = TracedStep(scan.kernel(graph), kind, self.arrays.notes[k])
            trace(ClusterSteps(step, Cell(graph, kind.shapes, self.arrays.data(step)), self.arrays.shared))
        return scan
