"""Gears with teeth: the mesh force acts at the mesh point, so that it loads bearings and pins."""

from dataclasses import dataclass, replace
from typing import ClassVar

from freebody.model.constraints.transmission import TransmissionConstraint
from freebody.model.kinds import Scope
from freebody.model.transmissions import gear_transmission
from freebody.model.wheel_pairs import TeethAngles


@dataclass(frozen=True, eq=False)
class Gear(TeethAngles, TransmissionConstraint):
    """Two gears with teeth, or a gear and a rack, that roll on each other on their pitch circles. Gears on parallel
    axes are spur or helical gears, one of them a ring gear if its radius is negative; on axes that meet they are bevel
    gears, with the mean radii of their pitch cones. A rack has no radius, and its axis is the direction in which it
    slides. The joints between the gears keep the distance of their axes.

    The multiplier is the tangential force F in N, positive where the first gear drives in the positive sense of its
    axis. The mesh force on the second gear acts at the mesh point: F along n × e, where n is the first axis and e
    points from the first gear to the mesh; |F| tan α/cos β apart, whichever flank is in contact; and −F tan β along n.
    Without ``engaged`` the teeth mesh where all joints are at zero."""

    kind: ClassVar[str] = "gear"

    def finalise(self, scope: Scope) -> "Gear":
        if not self.is_read or self.transmission is not None:
            return self
        self.check_angles()
        return replace(
            self, transmission=gear_transmission(scope, self, self.pressure_angle, self.helix_angle, elastic=False)
        )
