"""Poses, velocities, accelerations and Jacobians of points of bodies, angular part first, and Jᵀ times a wrench.

v = J u + o with o the velocity by prescribed motions alone; d/dt of both along q̇ gives J̇ and ȯ, so that the
components of v change at J u̇ + J̇ u + ȯ.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar

from freebody.errors import ArgumentError, ModelError
from freebody.formulations.derivation import Derivation
from freebody.model.body import Body, Point
from freebody.program import assemble
from freebody.program.program import Program
from freebody.scalar.derivative import jvp, time_seeds
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.scalar.walk import substitute
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.scalars import Matrix, times3
from freebody.spatial.vector import Vector, components
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import on_speeds
from freebody.tree.tree import Link

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
            return e.tree.root
        return _body(e, self.body if self.frame == BODY else self.frame).frame

    def link(self, e: Derivation) -> Link:
        """The link of the body."""
        body = _body(e, self.body)
        return next(link for link in e.tree.links if link.name == body.name)

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
        for link in self.link(e).path_to_root():
            for c in link.columns:
                w, v = axes.of(c.twist.angular), axes.of(c.twist.linear)
                include(columns, c.speed, Twist.of(w, v + w.cross(arm)))
            if link.parent is not None:
                arm = axes.of(Vec(link.X.base, link.X.arm)) + arm
        return dict(sorted(columns.items()))


def _body(e: Derivation, name: str) -> Body:
    model = e.tree.model
    if name not in model.bodies:
        raise ArgumentError(f"there is no body '{name}' in '{model.name}'; choose from {', '.join(model.bodies)}")
    return e.tree.placed.bodies[name]


def program(e: Derivation, name: str, outputs: Mapping[str, Any], *more: str) -> Program:
    """The program of outputs, which are nodes or nested lists of nodes; ``more`` names further input groups."""
    return assemble.program(name, e.graph, e.groups(*more), outputs)


def require_standard(e: Derivation, what: str, exact: bool = False) -> None:
    """Raises for equations in other speeds, and where exactness matters for those with small quantities."""
    if not e.has_standard_speeds:
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


def matrix(e: Derivation, columns: Mapping[int, Twist | Wrench]) -> list[list[Node]]:
    """6 × nu, with zeros for speeds that have no column."""
    none = (e.graph.zero,) * 6
    full = [columns[k].c if k in columns else none for k in range(len(e.layout.u))]
    return [[column[row] for column in full] for row in range(6)]


class Weightless(Motion):
    """A motion whose accelerations do not include gravity."""

    @cached_property
    def minus_g(self) -> Vector:
        return Vector(self.graph, {})


def placement(e: Derivation, where: Location) -> tuple[list[list[Node]], list[Node]]:
    """R (the body's components to the ground's) and p of the point from the ground's origin, as nodes."""
    point, axes = where.point(e), Axes(e.tree.root)
    position = axes.of(where.arm(e))
    for link in where.link(e).path_to_root():
        position = axes.of(link.p_PB) + position
    return [list(row) for row in axes.rows(point.body.frame)], list(position.c)


def pose(e: Derivation, where: Location) -> Program:
    """R and p."""
    rows, position = placement(e, where)
    return program(e, "pose", {"R": rows, "p": position})


def velocity(e: Derivation, where: Location) -> list[Node]:
    """ω of the body and v of its point."""
    require_standard(e, "spatial_velocity")
    point, axes, motion = where.point(e), where.axes(e), e.formulation.motion
    return [*components(motion.angular_velocity(point.body), axes), *components(motion.velocity(point), axes)]


def spatial_velocity(e: Derivation, where: Location) -> Program:
    return program(e, "spatial_velocity", {"spatial_velocity": velocity(e, where)})


def spatial_acceleration(e: Derivation, where: Location) -> Program:
    """α of the body and a of its point relative to the ground, for given u̇."""
    require_standard(e, "spatial_acceleration")
    motion, point, axes = Weightless(e.tree, e.accelerations), where.point(e), where.axes(e)
    six = [*Axes(axes).of(motion.of(where.link(e)).alpha).c, *components(motion.acceleration_of(point), axes)]
    return program(e, "spatial_acceleration", {"spatial_acceleration": six}, "u_dot")


def jacobian(e: Derivation, where: Location) -> Program:
    """J, 6 × nu."""
    require_standard(e, "jacobian")
    return program(e, "jacobian", {"J": matrix(e, where.columns(e))})


def jacobian_offset(e: Derivation, where: Location) -> Program:
    """o: the velocity when all free speeds are zero."""
    return program(e, "jacobian_offset", {"jacobian_offset": _offset(e, where)})


def jacobian_rate(e: Derivation, where: Location) -> Program:
    """J̇, entry by entry."""
    require_standard(e, "jacobian_rate")
    columns = where.columns(e)
    moving = iter(rates(e, [h for column in columns.values() for h in column.c]))
    J_dot = {speed: Twist(column.frame, tuple(next(moving) for _ in range(6))) for speed, column in columns.items()}
    return program(e, "jacobian_rate", {"J_dot": matrix(e, J_dot)})


def jacobian_offset_rate(e: Derivation, where: Location) -> Program:
    """ȯ, entry by entry."""
    return program(e, "jacobian_offset_rate", {"jacobian_offset_rate": rates(e, _offset(e, where))})


def rates(e: Derivation, nodes: list[Node]) -> list[Node]:
    """d/dt of nodes of q, t and parameters along the motion."""
    layout = e.layout
    seeds = dict(zip(layout.q_handles, layout.q_dot, strict=True)) | time_seeds(e.graph)
    return jvp(e.graph, nodes, seeds)


def _offset(e: Derivation, where: Location) -> list[Node]:
    return substitute(e.graph, velocity(e, where), dict.fromkeys(e.layout.u_handles, e.graph.zero))


def generalised_force(e: Derivation, where: Location) -> Program:
    """Jᵀ w of a wrench (torque, force) on a body at a point, carried inwards from joint to joint."""
    require_standard(e, "generalised_force")
    g, tau = e.graph, [e.graph.zero] * len(e.layout.u)
    wrench = [g.symbol(f"wrench.{n}", Kind.INPUT, f"{n} of a wrench") for n in ("nx", "ny", "nz", "fx", "fy", "fz")]
    F = wrench_on_link(e, where, wrench)
    for link in where.link(e).path_to_root():
        for speed, value in on_speeds(link, F):
            tau[speed] = g.add(tau[speed], value)
        F = F if link.parent is None else F.back(link.X)
    return assemble.program("generalised_force", g, {**e.groups(), "wrench": wrench}, {"tau": tau})


def wrench_on_link(e: Derivation, where: Location, wrench: Sequence[Node]) -> Wrench:
    """A wrench at a point, along its axes, as one at the origin of its link."""
    into, there = Axes(where.link(e).frame), where.axes(e)
    n, f = (into.of(Vec(there, tuple(v))) for v in (wrench[:3], wrench[3:]))
    return Wrench.of(n + where.arm(e).cross(f), f)
