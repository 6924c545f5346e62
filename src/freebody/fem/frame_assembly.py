"""Frames as finite elements: the unknowns of nodes and hinges, and the elements of members as they are added"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.fem.frame_elements import FrameElements
from freebody.fem.structure import MassPoints, Sparse, Structure, rigid_rows

Array = NDArray[np.float64]


class SectionNumbers(NamedTuple):
    """A cross-section: its stiffnesses by forces along x, y, z and by moments about them, its mass per length, and its
    moments of inertia per length about x, y, z. A bar carries axial force only."""

    is_bar: bool
    forces: tuple[float, ...]
    moments: tuple[float, ...]
    density: float
    inertia: tuple[float, ...]


class NodeMass(NamedTuple):
    """A mass at a named node, with its moments of inertia."""

    node: str
    mass: float
    inertia: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Stretch:
    """A member between two nodes."""

    start: str
    end: str
    position: Array  # of its start
    length: float
    axes: Array  # rows: x, y, z of its section, along the body's axes
    section: SectionNumbers
    hinges: tuple[bool, bool]  # at its start and its end
    elements: int


@dataclass(frozen=True, eq=False)
class Hinge:
    """The hinged end of an element: its rotations about y and z of the section are unknowns."""

    unknown: int  # the first of them
    node: int  # the first unknown of the rotations of the node
    row: int  # of ``gather``, with the rotation about x
    axes: Array  # of the element


class FrameAssembly:
    """Nodes, unknowns and elements of a frame as they are added."""

    def __init__(self, names: list[str], positions: Array) -> None:
        self.positions, self.named = [*positions], {name: j for j, name in enumerate(names)}
        self.first = dict[int, int]()  # the first unknown of each node
        self.rotates = dict[int, bool]()
        self.node, self.component = list[int](), list[int]()
        self.hinges = list[Hinge]()
        self.rows, self.columns, self.values = list[int](), list[int](), list[float]()  # of ``gather``
        self.lines, self.parts = list[tuple[int, int]](), list[Stretch]()  # of each element

    def add_node(self, node: int, rotates: bool = True) -> None:
        """Unknowns of a node."""
        self.first[node], self.rotates[node] = len(self.node), rotates
        count = 6 if rotates else 3
        self.node += [node] * count
        self.component += range(count)

    def add_stretch(self, one: Stretch) -> None:
        """Nodes inside a member, and its elements."""
        chain = [self.named[one.start]]
        for k in range(1, one.elements):
            self.positions.append(one.position + k / one.elements * one.length * one.axes[0])
            self.add_node(node := len(self.positions) - 1)
            chain.append(node)
        chain.append(self.named[one.end])
        for k, ends in enumerate(pairwise(chain)):
            hinged = one.hinges[0] and k == 0, one.hinges[1] and k == one.elements - 1
            row = 12 * len(self.lines)
            self.lines.append(ends)
            self.parts.append(one)
            for at, node, hinge in zip((row, row + 6), ends, hinged, strict=True):
                self._add_block(at, self.first[node], one.axes)
                if one.section.is_bar:
                    continue
                self._add_block(at + 3, self.first[node] + 3, one.axes[:1] if hinge else one.axes)
                if hinge:
                    self._add_block(at + 4, len(self.node), np.eye(2))
                    self.hinges.append(Hinge(len(self.node), self.first[node] + 3, at + 3, one.axes))
                    self.node += [len(self.positions)] * 2  # another node, which does not follow ties of this one
                    self.component += [6, 6]
                    self.positions.append(self.positions[node])

    def _add_block(self, row: int, column: int, block: Array) -> None:
        """A block of ``gather``."""
        for i, line in enumerate(block):
            self.rows += [row + i] * len(line)
            self.columns += range(column, column + len(line))
            self.values += line.tolist()

    def elements(self) -> FrameElements:
        """All elements."""
        from scipy.sparse import coo_matrix

        m, sections = len(self.lines), [one.section for one in self.parts]
        n, h = len(self.node), len(self.hinges)
        gather = coo_matrix((self.values, (self.rows, self.columns)), shape=(12 * m, n)).tocsr()
        across = np.array([hinge.axes[1:] for hinge in self.hinges]).ravel()
        columns = np.array([range(hinge.node, hinge.node + 3) for hinge in self.hinges for _ in range(2)]).ravel()
        beside = coo_matrix((across, (np.repeat(np.arange(2 * h), 3), columns)), shape=(2 * h, n))
        return FrameElements(
            length=np.array([one.length / one.elements for one in self.parts]),
            bar=np.array([s.is_bar for s in sections]),
            forces=np.array([s.forces for s in sections]),
            moments=np.array([s.moments for s in sections]),
            density=np.array([s.density for s in sections]),
            inertia=np.array([s.inertia for s in sections]),
            gather=gather,
            hinges=np.array([hinge.row for hinge in self.hinges], dtype=np.intp),
            beside=beside.tocsr(),
        )

    def structure(self, masses: Sequence[NodeMass]) -> Structure:
        """The matrices of all elements and point masses."""
        elements, positions, lines = self.elements(), np.array(self.positions), np.array(self.lines, dtype=np.intp)
        points = elements.points(positions[lines[:, 0]], np.array([one.axes for one in self.parts]))
        points = self._with_point_masses(points, masses)
        return Structure(
            positions,
            points.mass_matrix(),
            elements.stiffness(),
            np.array(self.node, dtype=np.intp),
            np.array(self.component, dtype=np.intp),
            sets={name: np.array([j], dtype=np.intp) for name, j in self.named.items()},
            geometric=elements.geometric,
            lines=lines,
            points=points,
            name="frame",
        )

    def _with_point_masses(self, points: MassPoints, masses: Sequence[NodeMass]) -> MassPoints:
        """All points that have masses: those of elements, and nodes."""
        from scipy.sparse import coo_matrix, vstack

        nodes = [self.named[one.node] for one in masses]
        shape = 3 * len(nodes), len(self.node)

        def rows(first: int, known: list[bool]) -> Sparse:
            """Three unknowns of each node, from its ``first`` one."""
            at = [
                (3 * k + c, self.first[node] + first + c) for k, node in enumerate(nodes) if known[k] for c in range(3)
            ]
            row, column = np.array(at, dtype=np.intp).reshape(-1, 2).T
            return coo_matrix((np.ones(len(at)), (row, column)), shape=shape)

        turning = [self.rotates[node] for node in nodes]
        return MassPoints(
            np.vstack([points.positions, *(self.positions[node] for node in nodes)]),
            np.concatenate([points.masses, [one.mass for one in masses]]),
            np.concatenate([points.inertias, *(np.diag(one.inertia)[None] for one in masses)]),
            vstack([points.moves, rows(0, [True] * len(nodes))]).tocsr(),
            vstack([points.turns, rows(3, turning)]).tocsr(),
        )

    def with_hinges(self, structure: Structure) -> Structure:
        """The structure with its rigid motions and ``cross``, which hinges need: their unknowns are the rotations about
        y and z of the member's section."""
        rigid = rigid_rows(structure.positions[structure.node], structure.component)
        for hinge in self.hinges:
            rigid[hinge.unknown : hinge.unknown + 2, 3:] = hinge.axes[1:]
        return replace(structure, rigid=rigid, cross=tuple(self._cross(structure, a) for a in range(3)))

    def _cross(self, structure: Structure, a: int) -> Sparse:
        """The matrix cross_a: the rotation of a hinged end is θ = x (x · θ_node) + y φ_y + z φ_z."""
        matrix = structure.crosses[a].tolil()
        for hinge in self.hinges:
            turned = hinge.axes[1:] @ np.cross(np.eye(3)[a], hinge.axes).T  # e_i · (e_a × e_j)
            rows = slice(hinge.unknown, hinge.unknown + 2)
            matrix[rows, rows] = turned[:, 1:]
            matrix[rows, hinge.node : hinge.node + 3] = np.outer(turned[:, 0], hinge.axes[0])
        return matrix.tocsr()
