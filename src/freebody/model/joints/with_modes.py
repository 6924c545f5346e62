"""The joint of a flexible body together with the body's modes: all coordinates and speeds of the body."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from freebody.model.element import field
from freebody.model.joints.base import Array, Joint, Placement, zero_vector
from freebody.model.kinds import FieldKind
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame


@dataclass(frozen=True)
class JointWithModes(Joint):
    """The coordinates of a joint, then those of the modes. The modes do not move the body's frame."""

    joint: Any = field(FieldKind(), "the joint")
    modal: Any = field(FieldKind(), "the modes")
    kind: ClassVar[str] = "joint with modes"

    @classmethod
    def of(cls, joint: Joint, modal: Joint) -> "JointWithModes":
        """The options are those of the joint."""
        count = len(modal.coordinates)
        motion = None if joint.motion is None else (*joint.coordinate_motions, *(None,) * count)
        initial = None if joint.initial is None else (*np.atleast_1d(joint.initial), *(0.0,) * count)
        return cls(joint, modal, motion=motion, initial=initial)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (*self.joint.coordinates, *self.modal.coordinates)

    @property
    def speeds(self) -> tuple[str, ...]:
        return (*self.joint.speeds, *self.modal.speeds)

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        q, u = ((*a, *b) for a, b in zip(self.joint.units, self.modal.units, strict=True))
        return q, u

    @property
    def magnitudes(self) -> tuple[float, ...]:
        return (*self.joint.magnitudes, *self.modal.magnitudes)

    @property
    def rates(self) -> bool:
        return bool(self.joint.rates)

    @property
    def quaternions(self) -> tuple[int, ...]:
        indices: tuple[int, ...] = self.joint.quaternions
        return indices

    @property
    def stages(self) -> tuple[Joint, ...]:
        return (*self.joint.stages, self.modal)

    @property
    def zero(self) -> tuple[float, ...]:
        return (*self.joint.zero, *self.modal.zero)

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        m, n = len(self.joint.coordinates), len(self.joint.speeds)
        placement: Placement = self.joint.place(parent, name, q[:m], u[:n])
        none = [zero_vector(parent.graph)] * (len(u) - n)
        return replace(
            placement,
            turns=[*placement.turns, *none],
            slides=[*placement.slides, *none],
            q_dot=[*placement.q_dot, *u[n:]],
        )

    def with_numbers(self, parameters: Mapping[str, float]) -> Self:
        return replace(self, joint=self.joint.with_numbers(parameters))

    def normalise(self, q: Array) -> Array:
        m = len(self.joint.coordinates)
        return np.concatenate([self.joint.normalise(q[:m]), q[m:]])

    def integrate(self, q: Array, delta: Array) -> Array:
        m, n = len(self.joint.coordinates), len(self.joint.speeds)
        return np.concatenate([self.joint.integrate(q[:m], delta[:n]), q[m:] + delta[n:]])

    def difference(self, start: Array, end: Array) -> Array:
        m = len(self.joint.coordinates)
        return np.concatenate([self.joint.difference(start[:m], end[:m]), end[m:] - start[m:]])
