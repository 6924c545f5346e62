"""Poses, velocities, accelerations and Jacobians of points of bodies, angular part first, and Jᵀ times a wrench.

v = J u + o with o the velocity by prescribed motions alone; d/dt of both along q̇ gives J̇ and ȯ, so that the
components of v change at J u̇ + J̇ u + ȯ.
"""

from collections.abc import Sequence
from functools import cached_property

from freebody.formulations.derivation import Derivation
from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.quantities.points import Axes, Location, matrix, require_standard
from freebody.scalar.derivative import jvp
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.vector import Vector, components
from freebody.tree.motion import Motion
from freebody.tree.newton import felt

Six = list[int]
WRENCH = ("nx", "ny", "nz", "fx", "fy", "fz")


class Weightless(Motion):
    """A motion whose accelerations do not include gravity."""

    @cached_property
    def fall(self) -> Vector:
        return Vector(self.graph, {})


def pose(e: Derivation, where: Location) -> Program:
    """R (the body's components to the ground's) and p of the point from the ground's origin."""
    point, axes, a = where.point(e), Axes(e.forest.root), e.assembly("pose")
    position = axes.of(where.arm(e))
    for link in where.link(e).line():
        position = axes.of(Vec(link.X.base, link.X.arm)) + position
    a.output("R", [list(row) for row in axes.rows(point.body.frame)])
    a.output("p", list(position.c))
    return a.program()


def velocity(e: Derivation, where: Location) -> Six:
    """ω of the body and v of its point."""
    require_standard(e, "spatial_velocity")
    point, axes, motion = where.point(e), where.axes(e), e.formulation.motion
    return [*components(motion.angular_velocity(point.body), axes), *components(motion.velocity(point), axes)]


def spatial_velocity(e: Derivation, where: Location) -> Program:
    return _six(e, "spatial_velocity", velocity(e, where))


def spatial_acceleration(e: Derivation, where: Location) -> Program:
    """α of the body and a of its point relative to the ground, for given u̇."""
    require_standard(e, "spatial_acceleration")
    motion, point, axes = Weightless(e.forest, e.accelerations), where.point(e), where.axes(e)
    alpha = Axes(axes).of(motion.of(where.link(e)).alpha)
    return _six(e, "spatial_acceleration", [*alpha.c, *components(motion.acceleration_of(point), axes)], "u_dot")


def jacobian(e: Derivation, where: Location) -> Program:
    """J, 6 × nu."""
    require_standard(e, "jacobian")
    a = e.assembly("jacobian")
    a.output("J", matrix(e, where.columns(e)))
    return a.program()


def jacobian_offset(e: Derivation, where: Location) -> Program:
    """o: the velocity when all free speeds are zero."""
    return _six(e, "jacobian_offset", _offset(e, where))


def jacobian_rate(e: Derivation, where: Location) -> Program:
    """J̇, entry by entry."""
    require_standard(e, "jacobian_rate")
    columns, a = where.columns(e), e.assembly("jacobian_rate")
    moving = rates(e, [h for column in columns.values() for h in column.c])
    pieces = {speed: tuple(moving[6 * k : 6 * k + 6]) for k, speed in enumerate(columns)}
    a.output("J_dot", matrix(e, {speed: Twist(columns[speed].frame, six) for speed, six in pieces.items()}))
    return a.program()


def jacobian_offset_rate(e: Derivation, where: Location) -> Program:
    """ȯ, entry by entry."""
    return _six(e, "jacobian_offset_rate", rates(e, _offset(e, where)))


def rates(e: Derivation, nodes: list[int]) -> list[int]:
    """d/dt of nodes of q, t and parameters along the motion."""
    layout = e.layout
    seeds = dict(zip(layout.q_handles, layout.q_dot, strict=True)) | {e.forest.t: e.graph.one}
    return jvp(e.graph, nodes, seeds)


def _offset(e: Derivation, where: Location) -> Six:
    return substitute(e.graph, velocity(e, where), dict.fromkeys(e.layout.u_handles, e.graph.zero))


def _six(e: Derivation, name: str, values: Six, *more: str) -> Program:
    a = e.assembly(name, *more)
    a.output(name, values)
    return a.program()


def generalised_force(e: Derivation, where: Location) -> Program:
    """Jᵀ w of a wrench (torque, force) on a body at a point, carried inwards from joint to joint."""
    require_standard(e, "generalised_force")
    g, tau = e.graph, [e.graph.zero] * len(e.layout.u)
    wrench = [g.symbol(f"wrench.{n}", Kind.INPUT, f"{n} of a wrench") for n in WRENCH]
    F = wrench_on_link(e, where, wrench)
    for link in where.link(e).line():
        for speed, value in felt(link, F):
            tau[speed] = g.add(tau[speed], value)
        F = F if link.parent is None else F.back(link.X)
    a = Assembly("generalised_force", g, {**e.groups(), "wrench": wrench})
    a.output("tau", tau)
    return a.program()


def wrench_on_link(e: Derivation, where: Location, wrench: Sequence[int]) -> Wrench:
    """A wrench at a point, along its axes, as one at the origin of its link."""
    into, there = Axes(where.link(e).frame), where.axes(e)
    n, f = (into.of(Vec(there, tuple(v))) for v in (wrench[:3], wrench[3:]))
    return Wrench.of(n + where.arm(e).cross(f), f)

