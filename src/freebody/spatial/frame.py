"""Frames as a tree of rotations, and the unit vectors that neighbouring frames share.

A frame is three axes and an origin; a ``Transform`` says where its origin lies in another frame. A frame turned about
one of its axes keeps that axis: c3 *is* b3, one object. So what geometry makes equal is equal here, and products of
unit vectors that are exactly 0 or 1 need no trigonometry.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NoReturn, Protocol, Self

from freebody.errors import GraphError
from freebody.scalar.graph import Graph
from freebody.spatial.scalars import Scalar, Scalars, Triple
from freebody.spatial.turns import AxisTurn, MatrixTurn, Turn, joined


class NotCopied:
    """The base of what belongs to a graph or a system: its copies are itself."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


@dataclass(frozen=True, eq=False)
class Unit(NotCopied):
    """A unit vector: axis ``index`` (0, 1, 2) of the frame in which it first appeared."""

    frame: "Frame"
    index: int

    def __repr__(self) -> str:
        return f"{self.frame.name}{self.index + 1}"


class Framed(Protocol):
    """A frame, or what has one: a body."""

    @property
    def frame(self) -> "Frame": ...


class Frame(NotCopied):
    """Axes and an origin. ``up`` takes components here to components in the parent; None: the axes are parallel."""

    def __init__(self, name: str, S: Scalars, parent: "Frame | None" = None, up: Turn | None = None) -> None:
        self.name, self.S, self.parent, self.up = name, S, parent, up
        self.depth: int = 0 if parent is None else parent.depth + 1
        self._paths: dict[Frame, list[Frame]] = {}
        self._routes: dict[Frame, tuple[Turn, ...]] = {}
        if parent is not None and parent.S is not S:
            raise GraphError(f"frame '{name}' and its parent '{parent.name}' belong to different graphs")

    def __repr__(self) -> str:
        return f"<Frame {self.name}>"

    def __reduce__(self) -> NoReturn:
        raise GraphError(
            f"the axes of '{self.name}', and vectors along them, are not pickled: pickle their system, and"
            " take them there"
        )

    @property
    def frame(self) -> "Frame":
        """Itself, as a body has the frame that is fixed in it."""
        return self

    @property
    def graph(self) -> Graph:
        """The scalars, where they are the nodes of a graph."""
        assert isinstance(self.S, Graph)
        return self.S

    @cached_property
    def basis(self) -> tuple[tuple[int, Unit], ...]:
        """The three axes as (sign, unit vector), those of the parent where the turn keeps or permutes them."""
        if self.parent is None:
            return tuple((1, Unit(self, k)) for k in range(3))
        if self.up is None:
            return self.parent.basis
        axes = []
        for k in range(3):  # one of the parent's if its column of the matrix is ± a unit column
            there, axis = self.up.keeps(k), (1, Unit(self, k))
            if there is not None and self.up.axis is not None:
                axis = self.parent.basis[k]
            elif there is not None and (length := self.graph.number(self.up.rows[there][k])) in (1, -1):
                sign, unit = self.parent.basis[there]
                axis = (sign if length == 1 else -sign), unit
            axes.append(axis)
        return tuple(axes)

    def axis_of(self, unit: Unit) -> tuple[int, int] | None:
        """(axis, sign) of a unit vector that is an axis of this frame."""
        for k, (sign, axis) in enumerate(self.basis):
            if axis is unit:
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

    def turned(self, name: str, axis: int, angle: Scalar, joins: bool = False) -> "Frame":
        """A frame turned from this one about one axis. ``joins``: see ``AxisTurn``."""
        return Frame(name, self.S, self, AxisTurn(self.S, axis, angle, joins=joins))

    def oriented(self, name: str, matrix: Sequence[Sequence[Scalar]]) -> "Frame":
        """A frame turned from this one by a matrix R (its columns are the new axes)."""
        x, y, z = ((row[0], row[1], row[2]) for row in matrix)
        return Frame(name, self.S, self, MatrixTurn(self.S, (x, y, z)))

    def path(self, other: "Frame") -> list["Frame"]:
        """The frames from this one to another, through their nearest common ancestor, both ends included."""
        path = self._paths.get(other)
        if path is None:
            up, down = [self], [other]
            while up[-1] is not down[-1]:
                longer = up if up[-1].depth >= down[-1].depth else down
                if longer[-1].parent is None:
                    raise GraphError(f"frames '{self.name}' and '{other.name}' have no common root")
                longer.append(longer[-1].parent)
            path = self._paths[other] = up + down[-2::-1]
        return path

    def route(self, other: "Frame") -> tuple[Turn, ...]:
        """The turns that lead from components here to components there, neighbours in one where they can be."""
        route = self._routes.get(other)
        if route is None:
            turns = (a.to(b) for a, b in pairwise(self.path(other)))
            route = self._routes[other] = joined(turn for turn in turns if turn is not None)
        return route

    def to(self, neighbour: "Frame") -> Turn | None:
        """The turn to the parent or to a child."""
        if neighbour is self.parent:
            return self.up
        return None if neighbour.up is None else neighbour.up.back

    def step(self, neighbour: "Frame", v: Triple) -> Triple:
        """Components in this frame as components in its parent or child."""
        turn = self.to(neighbour)
        return v if turn is None else turn.vector(v)
