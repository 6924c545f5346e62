"""The base class of transmissions between two wheels: gears, racks and belts."""

from dataclasses import dataclass, replace
from typing import Any

from freebody.drawing import DrawnConstraint
from freebody.model.body import Point
from freebody.model.constraints.base import Constraint, ConstraintMotionView, ConstraintRow, RowForm, SideForces
from freebody.model.loads.base import LoadWrench, coinciding_point
from freebody.model.picture import Picture
from freebody.model.placed import PlacedBodies
from freebody.model.wheel_outlines import wheels_and_lines
from freebody.model.wheel_pairs import Transmission, WheelPair, carried


@dataclass(frozen=True, eq=False)
class TransmissionConstraint(WheelPair, Constraint):
    """A transmission between two wheels that does not slip."""

    def drawn(self, picture: Picture) -> DrawnConstraint:
        wheels, lines = wheels_and_lines(self, picture)
        return replace(super().drawn(picture), wheels=wheels, lines=lines)

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        """G u = Σ F·v + T·ω of both wheels for λ = 1, with points and directions that are fixed in the carrier C. Its
        rate is Σ F·(a + ω × (v_C − v)) + (ω_C × F)·v + T·α + (ω_C × T)·ω, v_C of the carrier's point."""
        t: Transmission = self.transmission
        carrier = motion.body(t.carrier)
        w_carrier = motion.angular_velocity(carrier)
        acceleration: Any = 0
        wrenches, sides = list[LoadWrench](), list[LoadWrench]()
        for w, centre in zip(t.wheels, self.centres, strict=True):
            force, torque, side = (carried(motion, carrier, v) for v in (w.force, w.torque, w.side))
            place = Point(carrier, carried(motion, carrier, w.point))
            c = motion.point(centre)
            if w.arm is None:
                at = coinciding_point(place, c.body, motion)
            else:
                at = Point(c.body, c.offset + carried(motion, carrier, w.arm))
            omega, v = motion.angular_velocity(c.body), motion.carried_velocity(at)
            a = motion.carried_acceleration(at) + omega.cross(motion.velocity(place) - v)
            acceleration = acceleration + force.dot(a) + w_carrier.cross(force).dot(v)
            if torque:
                alpha = motion.carried_angular_acceleration(c.body)
                acceleration = acceleration + torque.dot(alpha) + w_carrier.cross(torque).dot(omega)
            wrenches.append(LoadWrench(c.body, at, force, torque if torque else None))
            if side:
                sides.append(LoadWrench(c.body, at, side, None))
        slip = None if self.engaged is not None else motion.scalar(t.slip)
        return [
            ConstraintRow(
                "",
                wrenches,
                slip,
                acceleration,
                "m" if slip is not None else "m/s",
                side=self.side_forces(motion, sides),
            )
        ]

    def side_forces(self, motion: ConstraintMotionView, wrenches: list[LoadWrench]) -> SideForces | None:
        """The forces that follow |λ|."""
        return SideForces(tuple(wrenches)) if wrenches else None

    def reaction_point(self, placed: PlacedBodies) -> Point | None:
        return placed.point(self.centres[1])
