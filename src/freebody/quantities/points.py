"""Points of bodies at which a quantity is asked for, with the axes of its components; Jacobian columns there."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from freebody.errors import ArgumentError, ModelError
from freebody.formulations.derivation import Derivation
from freebody.model.body import Body, Point
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.scalars import Matrix, times3
from freebody.spatial.vector import components
from freebody.tree.forest import Link

GROUND, BODY = "ground", "body"
Column = TypeVar("Column", Twist, Wrench)


@dataclass(frozen=True)
class Location:
    """A point fixed in a body, ``at`` along the body's axes (numbers, or texts of parameters), and the axes of the
    components asked for there: "ground", "body" (its own) or another body's by name."""

    body: str
    at: tuple[int | float | str, int | float | str, int | float | str] = (0, 0, 0)
    frame: str = GROUND

    def point(self, e: Derivation) -> Point:
        point = _body(e, self.body).point(self.at)
        if any(e.graph.mask[s] > PARAMETERS_ONLY for s in components(point.offset, point.body.frame)):
            raise ArgumentError(f"a point of '{self.body}' at {self.at}: give it by numbers and parameters alone")
        return point

    def axes(self, e: Derivation) -> Frame:
        if self.frame == GROUND:
            return e.forest.root
        return _body(e, self.body if self.frame == BODY else self.frame).frame

    def link(self, e: Derivation) -> Link:
        """The link of the body."""
        body = _body(e, self.body)
        return next(link for link in e.forest.links if link.name == body.name)

    def arm(self, e: Derivation) -> Vec:
        """From the origin of the link to the point."""
        link = self.link(e)
        return Vec(link.frame, components(self.point(e).offset - link.shift, link.frame))

    def columns(self, e: Derivation) -> dict[int, Twist]:
        """∂(ω, v)/∂u of the point along its axes, by the index of each speed on the way to the ground: ω is the joint's
        turn, v its slide and the turn times the arm to the point."""
        columns: dict[int, Twist] = {}
        axes = Axes(self.axes(e))
        arm = axes.of(self.arm(e))
        for link in self.link(e).line():
            for c in link.columns:
                w, v = axes.of(c.twist.angular), axes.of(c.twist.linear)
                include(columns, c.speed, Twist.of(w, v + w.cross(arm)))
            if link.parent is not None:
                arm = axes.of(Vec(link.X.base, link.X.arm)) + arm
        return dict(sorted(columns.items()))


def _body(e: Derivation, name: str) -> Body:
    model = e.forest.model
    if name not in model.bodies:
        raise ArgumentError(f"there is no body '{name}' in '{model.name}'; there are {', '.join(model.bodies)}")
    return e.forest.placed.bodies[name]


def require_standard(e: Derivation, what: str, exact: bool = False) -> None:
    """Raises for equations in other speeds, and where exactness matters for those with small quantities."""
    if e.standard != list(e.layout.u_handles):
        raise ModelError(f"{what} needs the standard speeds: derive again without speeds=…")
    if exact and e.small:
        raise ModelError(f"{what} is exact: derive again without small=…")


class Axes:
    """The axes of one frame as components in others, each one step from a frame already known: rows of R."""

    def __init__(self, frame: Frame) -> None:
        one, zero = frame.S.one, frame.S.zero
        self.frame = frame
        self._rows: dict[Frame, Matrix] = {frame: ((one, zero, zero), (zero, one, zero), (zero, zero, one))}

    def rows(self, other: Frame) -> Matrix:
        if other in self._rows:
            return self._rows[other]
        for here, there in pairwise(self.frame.path(other)):
            if there not in self._rows:
                x, y, z = (here.step(there, row) for row in self._rows[here])
                self._rows[there] = x, y, z
        return self._rows[other]

    def of(self, v: Vec) -> Vec:
        """A vector along these axes."""
        return v if v.frame is self.frame else Vec(self.frame, times3(self.frame.S, self.rows(v.frame), v.c))


def include(columns: dict[int, Column], speed: int, column: Column) -> None:
    """Add to the column of a speed: links that share it have one."""
    columns[speed] = columns[speed] + column if speed in columns else column


def matrix(e: Derivation, columns: Mapping[int, Twist | Wrench]) -> list[list[int]]:
    """6 × nu, with zeros for speeds that have no column."""
    none = (e.graph.zero,) * 6
    full = [columns[k].c if k in columns else none for k in range(len(e.layout.u))]
    return [[column[row] for column in full] for row in range(6)]
