"""The unknown accelerations of many bodies: which links have some, in which components, and which links move with
others; and the inertia of bodies that must not be singular."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from freebody.formulations.rolled.cell import OUTER, Cell, symbolic_cell
from freebody.formulations.rolled.kinds import BodyKinds
from freebody.formulations.solvers.absolute import Array, SampleStates, singular_inertia
from freebody.formulations.solvers.bodies import Freedoms, moved_freedoms
from freebody.program.ldl import Entry
from freebody.scalar.node import Node
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Twist
from freebody.spatial.vector import components, vector
from freebody.tree.inertia import solid_inertia
from freebody.tree.tree import Link

WHO = "solver 'sparse'"

SINGULAR = 1e-12
"""The smallest eigenvalue of a regular inertia whose diagonal is scaled to 1."""


class End(NamedTuple):
    """What the rows of joints and constraints need to know of a link: which ``components`` of the acceleration of its
    body are unknown (none: no free speed moves it), and whether the link is ``carried``: another link of the body has
    these components."""

    components: tuple[int, ...] = ()
    carried: bool = False


class Unknowns:
    """The unknown accelerations. A link that free speeds move relative to its parent has unknowns, those components in
    which some speed of the tree may move it; other links move with the one that carries them, or with the ground:
    ``head`` of each link, None on the ground. ``start`` is by link the index of the first unknown of its head."""

    def __init__(self, bodies: BodyKinds) -> None:
        self.bodies, n = bodies, len(bodies.links)
        self.head: list[Link | None] = [None] * n
        self.components: list[tuple[int, ...]] = [()] * n
        self.start, self.size, self.loaded = [0] * n, 0, set[int]()
        freedoms = self._freedoms()
        for link in bodies.links:
            k, head = link.index, None if link.parent is None else self.head[link.parent.index]
            if link.u:
                head, (turns, slides) = link, freedoms[k]
                self.components[k] = (*sorted(turns), *(i + 3 for i in sorted(slides)))
                self.start[k] = self.size
                self.size += len(self.components[k])
            elif head is not None:
                self.loaded.add(head.index)
                self.start[k] = self.start[head.index]
            self.head[k] = head

    def _freedoms(self) -> list[Freedoms]:
        """The directions in which the origin of each link may move."""
        _ = self.bodies.scalars  # sets the sources of kinds
        result = [Freedoms(set(), set())] * len(self.bodies.links)
        known = dict[Hashable, list[Freedoms]]()
        for cluster in self.bodies.clusters:
            number, parent = self.bodies.of[cluster[0].index], cluster[0].parent
            before = Freedoms(set(), set()) if parent is None else result[parent.index]
            key = number, frozenset(before.turns), frozenset(before.slides)
            if key not in known:
                kind = self.bodies.kinds[number]
                known[key] = cell_freedoms(symbolic_cell(kind.shapes, kind.counts, kind.sources), before)
            for link, own in zip(cluster, known[key], strict=True):
                result[link.index] = own
        return result

    def end(self, link: Link | None) -> End:
        head = None if link is None else self.head[link.index]
        return End() if head is None else End(self.components[head.index], head is not link)

    def first(self, link: Link | None) -> int:
        """The index of the first unknown of a link's body; 0 if it has none."""
        return 0 if link is None else self.start[link.index]

    def require_inertia(self) -> None:
        """Raise for a body whose inertia alone is singular."""
        inertias = dict[int, RigidInertia]()
        for link in reversed(self.bodies.links):
            own, head = solid_inertia(link), self.head[link.index]
            own = own + inertias[link.index] if link.index in inertias else own
            inertias[link.index] = own
            if head is not None and head is not link and link.parent is not None:
                k, passed = link.parent.index, own.back(link.X)
                inertias[k] = inertias[k] + passed if k in inertias else passed
        heads = [link for link in self.bodies.links if link.u]
        blocks = [list(lower_triangle(inertias[k.index], self.components[k.index]).values()) for k in heads]
        regular = set[bytes]()
        for numbers in SampleStates(self.bodies.tree).values(x for block in blocks for x in block):
            parts = np.split(numbers, np.cumsum([len(block) for block in blocks])[:-1])
            for link, part in zip(heads, parts, strict=True):
                if part.tobytes() not in regular and is_singular(part, len(self.components[link.index])):
                    raise singular_inertia(WHO, link.described.name)
                regular.add(part.tobytes())


def cell_freedoms(cell: Cell, before: Freedoms) -> list[Freedoms]:
    """The directions in which the links of a cell may move, along their axes, from those of the parent of the cell."""
    g, result = cell.graph, list[Freedoms]()

    def along(nodes: Iterable[int]) -> set[int]:
        return {k for k, x in enumerate(nodes) if x != g.zero}

    for link, shape in zip(cell.links, cell.shapes, strict=True):
        start = before if shape.parent == OUTER else result[shape.parent]
        turning, sliding = moved_freedoms(g, start, link.X.arm)
        turns, slides = set[int](), set[int]()
        for k in turning | sliding:
            unit = vector(link.base, [g.one if i == k else g.zero for i in range(3)])
            there = along(components(unit, link.frame))
            turns |= there if k in turning else set()
            slides |= there if k in sliding else set()
        for column in link.columns:
            turns |= along(column.twist.c[:3])
            slides |= along(column.twist.c[3:])
        result.append(Freedoms(turns, slides))
    return result


def lower_triangle(inertia: RigidInertia, some: Sequence[int]) -> dict[Entry, Node]:
    """The entries of an inertia among some components, by their indices there."""
    S, entries = inertia.frame.S, dict[Entry, Node]()
    for j, column in enumerate(some):
        wrench = inertia.apply(Twist(inertia.frame, tuple(S.one if k == column else S.zero for k in range(6)))).c
        entries |= {(i, j): wrench[row] for i, row in enumerate(some) if i >= j}
    return entries


def is_singular(triangle: Array, size: int) -> bool:
    """Whether a matrix is not positive definite; ``triangle`` is its lower half, column by column."""
    matrix = np.zeros((size, size))
    matrix.T[np.triu_indices(size)] = triangle
    diagonal = np.diag(matrix)
    if not np.all(diagonal > 0):
        return True
    scale = 1 / np.sqrt(diagonal)
    return bool(np.linalg.eigvalsh(scale[:, None] * matrix * scale)[0] < SINGULAR)
