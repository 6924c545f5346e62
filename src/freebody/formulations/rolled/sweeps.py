"""Loops over all bodies: each pass traced once per kind of body, and put behind the one before."""

from collections.abc import Callable, Sequence
from functools import partial

from freebody.formulations.derivation import InsertLaws
from freebody.formulations.rolled import passes
from freebody.formulations.rolled.arrays import Arrays
from freebody.formulations.rolled.bodies import BodyKinds
from freebody.formulations.rolled.cell import Cell
from freebody.formulations.rolled.memory import BodyRows, TracedStep, of_member
from freebody.program.assemble import Assembly, Rows, Scanning
from freebody.scalar.graph import Graph
from freebody.tree.forest import Link

Trace = Callable[[TracedStep, Cell], None]


class Sweeps:
    """The passes of one program, as regions of its assembly."""

    def __init__(self, bodies: BodyKinds, assembly: Assembly, forward: bool, insert_laws: InsertLaws = list) -> None:
        self.bodies, self.assembly = bodies, assembly
        self.arrays = Arrays(bodies, assembly, forward, insert_laws)
        self.fields = self.arrays.fields
        self.result = assembly.array("links.result", len(bodies.forest.layout.u))

    def sweep(self, name: str, links: Sequence[Link], trace: Trace) -> None:
        """One pass over clusters, by their first links. It is traced again while a column that was taken for zero turns
        out not to be."""
        if not links:
            return
        order = [self.bodies.of[link.index] for link in links]
        kinds = list(dict.fromkeys(order))
        indices = self._indices(links)
        fields = [f for f in vars(self.fields).values() if isinstance(f, BodyRows)]
        scan = self._traced(name, indices, kinds, trace)
        while sum(f.mistaken() for f in fields):
            scan = self._traced(name, indices, kinds, trace)
        self.assembly.add(scan, [kinds.index(k) for k in order])

    def _indices(self, links: Sequence[Link]) -> dict[str, list[int]]:
        """Where the rows begin of all links of the clusters; 0 where a cluster has no link of a number."""
        clusters = [self.bodies.cluster[link.index] for link in links]
        found: dict[str, list[int]] = {}
        for k in range(max(map(len, clusters))):
            for at, starts in self.arrays.starts.items():
                found[of_member(at, k)] = [starts[c[k].index] if k < len(c) else 0 for c in clusters]
        return found

    def _traced(self, name: str, indices: dict[str, list[int]], kinds: Sequence[int], trace: Trace) -> Scanning:
        scan = self.assembly.scan(name, indices)
        for k in kinds:
            kind = self.bodies.kinds[k]
            graph = Graph()
            step = TracedStep(scan.kernel(graph), kind, self.arrays.notes[k])
            trace(step, Cell(graph, kind.shapes, self.arrays.tell(step)))
        return scan

    def _constants(self) -> None:
        """What numbers and parameters decide: axes of skew bodies, inertia moved to where it costs least."""
        bodies = self.bodies
        inner = [
            cluster[0] for cluster in bodies.clusters
            if any(bodies.children[link.index] and bodies.cell(bodies.kinds[bodies.of[link.index]]).is_skewed(k)
                   for k, link in enumerate(cluster))
        ]  # fmt: skip
        self.sweep("axes", inner, partial(passes.lay, fields=self.fields))
        self.sweep("inertia", bodies.first[::-1], partial(passes.rewrite, fields=self.fields))

    def forward(self, tau: Sequence[int]) -> Rows:
        """u̇ by articulated bodies."""
        links, fields = self.bodies.first, self.fields
        given = self.arrays.held("tau", tau) if tau else None
        self._constants()
        self.sweep("motion", links, partial(passes.refer, fields=fields))
        self.sweep("elimination", links[::-1], partial(passes.condense, fields=fields, tau=given))
        self.sweep("acceleration", links, partial(passes.accelerate, fields=fields, result=self.result))
        return self.result

    def inverse(self, rates: Sequence[int]) -> Rows:
        """The generalised forces that make u̇ happen; without u̇, f of M u̇ = f + tau."""
        links, fields = self.bodies.first, self.fields
        given = self.arrays.held("rates", rates) if rates else None

        def wanted(step: TracedStep, cell: Cell) -> list[int]:
            return [] if given is None else passes.by_speed(step, cell, given)

        def move(step: TracedStep, cell: Cell) -> None:
            passes.move(step, cell, fields, wanted(step, cell))

        def hand_on(step: TracedStep, cell: Cell) -> None:
            passes.pass_on(step, cell, fields, wanted(step, cell), self.result)

        self._constants()
        self.sweep("motion", links, move)
        self.sweep("force", links[::-1], hand_on)
        return self.result
