"""The base class of loads that act on one speed of a joint, not on bodies."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from freebody.drawing import DrawnArrow, DrawnLoad
from freebody.model.loads.base import Load, LoadWrench, MotionView
from freebody.model.picture import Picture
from freebody.names import U


@dataclass(frozen=True, eq=False)
class LoadOnSpeed(Load, ABC):
    """A generalised force on one speed of a joint: a torque about its axis, or a force along it."""

    acts_on_bodies: ClassVar = False

    @property
    @abstractmethod
    def speed_name(self) -> str:
        """The name of the speed in the system."""

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        return iter(())

    def unit(self, motion: MotionView) -> str:
        return "N·m" if motion.graph.symbol_named(U(self.speed_name)).unit == "rad/s" else "N"

    def drawn(self, picture: Picture) -> DrawnLoad:
        axis = picture.axis(self.speed_name)
        if axis is None:
            return super().drawn(picture)
        kind = "force" if axis.kind == "slide" else "torque"
        arrow = DrawnArrow(kind, axis.anchor, self.variable, along=axis.along, frame=axis.anchor.body)
        return replace(super().drawn(picture), arrows=(arrow,))
