"""Frames as a tree of rotations, and the unit vectors that neighbouring frames share.

A frame turned about one of its axes keeps that axis: c3 *is* b3, one object. So what geometry makes equal is equal
here, and products of unit vectors that are exactly 0 or 1 are found without any trigonometry.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from freebody.errors import GraphError
from freebody.scalar.graph import Graph

Triple = tuple[int, int, int]
Matrix = tuple[Triple, Triple, Triple]


@dataclass(frozen=True, eq=False)
class Unit:
    """A unit vector: axis ``index`` (0, 1, 2) of the frame in which it first appeared."""

    frame: "Frame"
    index: int

    def __repr__(self) -> str:
        return f"{self.frame.name}{self.index + 1}"


@dataclass(frozen=True, eq=False)
class Simple:
    """A turn by an angle about axis ``axis``: R_AB of Euler's simple rotation."""

    axis: int
    angle: int

    def to_parent(self, g: Graph, v: Triple) -> Triple:
        """Components in the child as components in the parent."""
        return self._turn(g, v, g.sin(self.angle))

    def to_child(self, g: Graph, v: Triple) -> Triple:
        return self._turn(g, v, g.neg(g.sin(self.angle)))

    def _turn(self, g: Graph, v: Triple, s: int) -> Triple:
        c, (i, j) = g.cos(self.angle), ((self.axis + 1) % 3, (self.axis + 2) % 3)
        out = list(v)
        out[i] = g.sub(g.mul(c, v[i]), g.mul(s, v[j]))
        out[j] = g.add(g.mul(s, v[i]), g.mul(c, v[j]))
        return out[0], out[1], out[2]


@dataclass(frozen=True, eq=False)
class Turned:
    """A rotation given by its matrix R_AB (components in B to components in A)."""

    matrix: Matrix

    def to_parent(self, g: Graph, v: Triple) -> Triple:
        return times(g, self.matrix, v)

    def to_child(self, g: Graph, v: Triple) -> Triple:
        return times(g, transpose(self.matrix), v)


@dataclass(eq=False)
class Frame:
    """A frame, turned from its parent by a rotation. The root has no parent."""

    name: str
    graph: Graph
    parent: "Frame | None" = None
    rotation: Simple | Turned | None = None
    depth: int = field(init=False)
    _paths: dict["Frame", list["Frame"]] = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.depth = 0 if self.parent is None else self.parent.depth + 1
        if self.parent is not None and self.parent.graph is not self.graph:
            raise GraphError(f"frame '{self.name}' and its parent '{self.parent.name}' belong to different graphs")

    def __repr__(self) -> str:
        return f"<Frame {self.name}>"

    @cached_property
    def basis(self) -> tuple[tuple[int, Unit], ...]:
        """The three axes as (sign, unit vector), those of the parent where the rotation keeps or permutes them."""
        if self.parent is None or self.rotation is None:
            return tuple((1, Unit(self, k)) for k in range(3))
        if isinstance(self.rotation, Simple):
            kept = self.rotation.axis
            return tuple(self.parent.basis[k] if k == kept else (1, Unit(self, k)) for k in range(3))
        return tuple(self._axis(k) for k in range(3))

    def _axis(self, k: int) -> tuple[int, Unit]:
        """Axis k is one of the parent's if its column of the matrix is ± a unit column."""
        assert self.parent is not None and isinstance(self.rotation, Turned)
        g, column = self.graph, [row[k] for row in self.rotation.matrix]
        found = [i for i, x in enumerate(column) if x != g.zero]
        if len(found) == 1 and g.number(column[found[0]]) in (1, -1):
            sign, unit = self.parent.basis[found[0]]
            return (sign if g.number(column[found[0]]) == 1 else -sign), unit
        return 1, Unit(self, k)

    def place(self, unit: Unit) -> tuple[int, int] | None:
        """(axis, sign) of a unit vector that is an axis of this frame."""
        for k, (sign, own) in enumerate(self.basis):
            if own is unit:
                return k, sign
        return None

    @property
    def root(self) -> "Frame":
        return self.line()[-1]

    def line(self) -> "list[Frame]":
        """This frame, its parent, … to the root."""
        frames = [self]
        while frames[-1].parent is not None:
            frames.append(frames[-1].parent)
        return frames

    def turned(self, name: str, axis: int, angle: int) -> "Frame":
        """A frame turned from this one about one axis."""
        return Frame(name, self.graph, self, Simple(axis, angle))

    def oriented(self, name: str, matrix: Sequence[Sequence[int]]) -> "Frame":
        """A frame turned from this one by a matrix R (its columns are the new axes)."""
        rows = [(row[0], row[1], row[2]) for row in matrix]
        return Frame(name, self.graph, self, Turned((rows[0], rows[1], rows[2])))

    def path(self, other: "Frame") -> list["Frame"]:
        """The frames from this one to another, through their nearest common ancestor, both ends included."""
        if other not in self._paths:
            self._paths[other] = self._path(other)
        return self._paths[other]

    def _path(self, other: "Frame") -> list["Frame"]:
        up, down = [self], [other]
        while up[-1] is not down[-1]:
            longer = up if up[-1].depth >= down[-1].depth else down
            if longer[-1].parent is None:
                raise GraphError(f"frames '{self.name}' and '{other.name}' have no common root")
            longer.append(longer[-1].parent)
        return up + down[-2::-1]

    def step(self, neighbour: "Frame", v: Triple) -> Triple:
        """Components in this frame as components in its parent or child."""
        if neighbour is self.parent and self.rotation is not None:
            return self.rotation.to_parent(self.graph, v)
        assert neighbour.parent is self and neighbour.rotation is not None
        return neighbour.rotation.to_child(self.graph, v)


def times(g: Graph, A: Sequence[Sequence[int]], v: Sequence[int]) -> Triple:
    """A v"""
    x, y, z = (dot3(g, row, v) for row in A)
    return x, y, z


def dot3(g: Graph, a: Sequence[int], b: Sequence[int]) -> int:
    """Σ aᵢbᵢ"""
    return g.add(g.add(g.mul(a[0], b[0]), g.mul(a[1], b[1])), g.mul(a[2], b[2]))


def cross3(g: Graph, a: Sequence[int], b: Sequence[int]) -> Triple:
    """a × b, both in one frame"""
    x, y, z = (g.sub(g.mul(a[i], b[j]), g.mul(a[j], b[i])) for i, j in ((1, 2), (2, 0), (0, 1)))
    return x, y, z


def transpose(A: Sequence[Sequence[int]]) -> Matrix:
    x, y, z = ((row[0], row[1], row[2]) for row in zip(*A, strict=True))
    return x, y, z
