"""Belts and chains: the tensions of both spans act on the pulleys."""

from dataclasses import dataclass, replace
from typing import ClassVar

from freebody.model.constraints.base import ConstraintMotionView, SideForces
from freebody.model.constraints.transmission import TransmissionConstraint
from freebody.model.kinds import Scope
from freebody.model.loads.base import LoadWrench
from freebody.model.transmissions import belt_transmission
from freebody.model.wheel_pairs import BeltFields


@dataclass(frozen=True, eq=False)
class Belt(BeltFields, TransmissionConstraint):
    """A belt or a chain of constant length on two pulleys or sprockets, without slip and mass. Radii are positive. The
    joints between the pulleys keep the distance of their axes.

    The multiplier is the difference of the tensions of the two spans in N, positive where the first pulley drives in
    the positive sense of its axis. Their sum is twice the pretension, or the difference where it is larger: then one
    span is slack, as in a chain without pretension."""

    kind: ClassVar[str] = "belt"
    aliases: ClassVar[tuple[str, ...]] = ("chain",)

    def finalise(self, scope: Scope) -> "Belt":
        if not self.is_read or self.transmission is not None:
            return self
        self.check_pretension()
        return replace(self, transmission=belt_transmission(scope, self, self.crossed, elastic=False))

    def side_forces(self, motion: ConstraintMotionView, wrenches: list[LoadWrench]) -> SideForces:
        return SideForces(tuple(wrenches), 2 * motion.scalar(self.pretension))
