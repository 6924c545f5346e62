"""A bushing: six stiffnesses and dampings between a frame of one body and one of another."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from freebody.model.body import Reference
from freebody.model.element import field
from freebody.model.kinds import ListOf, Scalar
from freebody.model.loads.base import Load, LoadWrench, MotionView, reaction_point
from freebody.model.vectors import PointField
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.vector import Vector

SIX = ListOf(Scalar(), 6)
NONE = (0,) * 6


@dataclass(frozen=True, eq=False)
class Bushing(Load):
    """Springs and dampers about and along the axes of the body of ``base``, between a point of it and a point of
    another body whose axes are parallel to its own at rest.

    The gap d from base to mount is resolved along these axes e₁, e₂, e₃, and so is θ = ½ Σ eᵢ × e′ᵢ, the axis of the
    turn from one body to the other times the sine of its angle. On the mount's body act the force f, at the mount, and
    the torque n

        n = n₁ − Σ c₁ᵢ (eᵢ·ω) eᵢ,  f = −Σ (kᵢ eᵢ·d + cᵢ eᵢ·v) eᵢ,

    where ω and v are the mount's angular velocity and velocity as seen from base; n₁ follows from the energy that the
    bushing stores, V = ½ Σ k₁ᵢ (eᵢ·θ)² + ½ Σ kᵢ (eᵢ·d)²: turned by δφ, θ changes by ½ Σ eᵢ × (δφ × e′ᵢ), so that
    n₁ = −½ Σ e′ᵢ × (m × eᵢ) with m = Σ k₁ᵢ (eᵢ·θ) eᵢ, which is −m to first order in the angle. The reaction acts on the
    body of base at the same place, so that no torque is lost.
    """

    base: Any = field(PointField(), "the point on the body whose axes count", key="from")
    mount: Any = field(PointField(), "the point on the other body", key="to")
    stiffness: Any = field(SIX, "about x, y, z, then along x, y, z", default=NONE, unit="N·m/rad, N/m")
    damping: Any = field(SIX, "about x, y, z, then along x, y, z", default=NONE, unit="N·m·s/rad, N·s/m")
    kind: ClassVar[str] = "bushing"

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        base, mount = motion.point(self.base), motion.point(self.mount)
        force, torque = self._acting(motion)
        yield LoadWrench(mount.body, mount, force, torque)
        yield LoadWrench(base.body, reaction_point(mount, base.body, motion), -force, -torque)

    def value(self, motion: MotionView) -> Vector:
        return self._acting(motion)[0]

    def nonconservative(self, motion: MotionView) -> Iterator[LoadWrench]:
        """What the dampers do."""
        dampers = self if self.potential(motion) is None else replace(self, stiffness=NONE)
        return dampers.wrenches(motion)

    def potential(self, motion: MotionView) -> Expr | None:
        """Of the springs, where the points are fixed in their bodies and the stiffnesses do not change."""
        base, mount, g = motion.point(self.base), motion.point(self.mount), motion.graph
        stiffness = [motion.scalar(k) for k in self.stiffness]
        if not base.fixed or not mount.fixed or any(g.mask[k.handle] > PARAMETERS_ONLY for k in stiffness):
            return None
        total, gap, angle = Expr(g, g.zero), motion.position(base, mount), _angle(base.body, mount.body)
        for k, e, v in zip(stiffness, _axes(base.body) * 2, [angle] * 3 + [gap] * 3, strict=True):
            if k.handle != g.zero:
                total = total + k * e.dot(v) * e.dot(v) / 2
        return total

    def _acting(self, motion: MotionView) -> tuple[Vector, Vector]:
        """The force and the torque on the mount's body."""
        base, mount, none = motion.point(self.base), motion.point(self.mount), Vector(motion.graph, {})
        gap, angle = motion.position(base, mount), _angle(base.body, mount.body)
        turning = motion.angular_velocity(base.body)
        spin = motion.angular_velocity(mount.body) - turning
        slide = motion.velocity(mount) - motion.velocity(base) - turning.cross(gap)
        k, c = ([motion.scalar(x) for x in six] for six in (self.stiffness, self.damping))
        axes = _axes(base.body)
        moment = sum((e * (k[i] * e.dot(angle)) for i, e in enumerate(axes)), start=none)
        turned = sum((f.cross(moment.cross(e)) for e, f in zip(axes, _axes(mount.body), strict=True)), start=none)
        torque = turned * -0.5 - sum((e * (c[i] * e.dot(spin)) for i, e in enumerate(axes)), start=none)
        pulls = (e * (k[i + 3] * e.dot(gap) + c[i + 3] * e.dot(slide)) for i, e in enumerate(axes))
        return -sum(pulls, start=none), torque


def _angle(base: Reference, mount: Reference) -> Vector:
    """½ Σ eᵢ × e′ᵢ"""
    pairs = zip(_axes(base), _axes(mount), strict=True)
    return sum((e.cross(f) for e, f in pairs), start=Vector(base.graph, {})) * 0.5


def _axes(body: Reference) -> list[Vector]:
    return [body.x, body.y, body.z]
