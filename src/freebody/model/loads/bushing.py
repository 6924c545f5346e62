"""A bushing: six stiffnesses and dampings between a frame of one body and one of another."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from freebody.drawing import DrawnArrow, DrawnLoad
from freebody.model.body import Reference
from freebody.model.element import Given, field
from freebody.model.kinds import ListOf, Scalar, ScalarsValue
from freebody.model.loads.base import Load, LoadWrench, MotionView, coinciding_point
from freebody.model.picture import Picture
from freebody.model.vectors import PointField, PointValue
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.vector import Vector

SIX = ListOf(Scalar(), 6)
NONE = (0,) * 6


@dataclass(frozen=True, eq=False)
class Bushing(Load):
    """Six springs and dampers, about and along the axes of one body, between a point of it and a point of another body.
    The bushing is unloaded where the two points coincide and the axes of the two bodies are parallel.

    The displacement d from ``from`` to ``to`` and the rotation θ = ½ Σ eᵢ × e′ᵢ (the axis of the rotation from the
    first body to the second, times the sine of its angle) are resolved along the axes e₁, e₂, e₃ of the first body. The
    force f at ``to`` and the torque n act on the second body:

        n = n₁ − Σ c₁ᵢ (eᵢ·ω) eᵢ,  f = −Σ (kᵢ eᵢ·d + cᵢ eᵢ·v) eᵢ

    ω and v are the angular velocity of the second body and the velocity of ``to``, relative to the first body. n₁
    follows from the potential energy V = ½ Σ k₁ᵢ (eᵢ·θ)² + ½ Σ kᵢ (eᵢ·d)²: a rotation δφ changes θ by
    ½ Σ eᵢ × (δφ × e′ᵢ), so n₁ = −½ Σ e′ᵢ × (m × eᵢ) with m = Σ k₁ᵢ (eᵢ·θ) eᵢ, which is −m to first order in the angle.
    The reaction acts on the first body at the same point in space.
    """

    base: Given[PointValue] = field(PointField(), "point of the body along whose axes the springs act", key="from")
    mount: Given[PointValue] = field(PointField(), "point of the other body", key="to")
    stiffness: Given[ScalarsValue] = field(SIX, "about x, y, z, then along x, y, z", default=NONE, unit="N·m/rad, N/m")
    damping: Given[ScalarsValue] = field(
        SIX, "about x, y, z, then along x, y, z", default=NONE, unit="N·m·s/rad, N·s/m"
    )
    kind: ClassVar[str] = "bushing"

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        base, mount = motion.point(self.base), motion.point(self.mount)
        force, torque = self._force_and_torque(motion)
        yield LoadWrench(mount.body, mount, force, torque)
        yield LoadWrench(base.body, coinciding_point(mount, base.body, motion), -force, -torque)

    def value(self, motion: MotionView) -> Vector:
        return self._force_and_torque(motion)[0]

    def potential(self, motion: MotionView) -> Expr | None:
        """The energy of the springs, if the points are fixed in their bodies and the stiffnesses are constant."""
        base, mount, g = motion.point(self.base), motion.point(self.mount), motion.graph
        stiffness = [motion.scalar(k) for k in self.stiffness]
        if not base.fixed or not mount.fixed or any(g.mask[k.handle] > PARAMETERS_ONLY for k in stiffness):
            return None
        total, gap, angle = Expr(g, g.zero), motion.position(base, mount), _angle(base.body, mount.body)
        for k, e, v in zip(stiffness, _axes(base.body) * 2, [angle] * 3 + [gap] * 3, strict=True):
            if k.handle != g.zero:
                total = total + k * e.dot(v) * e.dot(v) / 2
        return total

    def nonconservative(self, motion: MotionView) -> Iterator[LoadWrench]:
        """The dampers, if the springs have a potential."""
        dampers = self if self.potential(motion) is None else replace(self, stiffness=NONE)
        return dampers.wrenches(motion)

    def drawn(self, picture: Picture) -> DrawnLoad:
        ends = picture.ends(self.base, self.mount, f"bushing '{self.name}'")
        arrows = () if ends is None else (DrawnArrow("force", ends[1], self.variable),)
        return replace(super().drawn(picture), arrows=arrows, ends=ends, style="bushing")

    def _force_and_torque(self, motion: MotionView) -> tuple[Vector, Vector]:
        """f and n on the body of the mount."""
        base, mount, zero = motion.point(self.base), motion.point(self.mount), Vector(motion.graph, {})
        gap, angle = motion.position(base, mount), _angle(base.body, mount.body)
        w_base = motion.angular_velocity(base.body)
        w = motion.angular_velocity(mount.body) - w_base
        v = motion.velocity(mount) - motion.velocity(base) - w_base.cross(gap)
        k, c = ([motion.scalar(x) for x in six] for six in (self.stiffness, self.damping))
        axes = _axes(base.body)
        m = sum((e * (k[i] * e.dot(angle)) for i, e in enumerate(axes)), start=zero)
        moment = sum((f.cross(m.cross(e)) for e, f in zip(axes, _axes(mount.body), strict=True)), start=zero)
        torque = moment * -0.5 - sum((e * (c[i] * e.dot(w)) for i, e in enumerate(axes)), start=zero)
        forces = (e * (k[i + 3] * e.dot(gap) + c[i + 3] * e.dot(v)) for i, e in enumerate(axes))
        return -sum(forces, start=zero), torque


def _angle(base: Reference, mount: Reference) -> Vector:
    """θ = ½ Σ eᵢ × e′ᵢ"""
    pairs = zip(_axes(base), _axes(mount), strict=True)
    return sum((e.cross(f) for e, f in pairs), start=Vector(base.graph, {})) * 0.5


def _axes(body: Reference) -> list[Vector]:
    return [body.x, body.y, body.z]
