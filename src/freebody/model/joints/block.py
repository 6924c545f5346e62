"""Sayers' building block: up to three translations, then none, one or three rotations (Sayers 1991, Tables 1, 3, 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from freebody.errors import ModelError
from freebody.model.element import Given, check_fields, field
from freebody.model.joints import manifold
from freebody.model.joints.axes import direction, unit
from freebody.model.joints.base import Array, Joint, MotionGroup, Placement, combined, equal_rates, zero_vector
from freebody.model.joints.spherical import RATES, axis_vectors, oriented, rotation_speeds
from freebody.model.kinds import Direction, DirectionValue, Integer, ListOf
from freebody.numeric import as_integer
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import cross3, dot3
from freebody.spatial.vector import vector


@dataclass(frozen=True)
class BuildingBlock(Joint):
    """Sayers' building block: ``translations`` along directions fixed in the parent, which need not be orthogonal, then
    ``rotations`` about axes of the child (1, 2 or 3): none, one or three. ``axis`` is the direction of the first
    rotation axis in the parent, and ``reference`` a direction perpendicular to it that defines the other axes
    (Table 3).

    q = (translations, angles). u = q̇, but with three rotations their speeds are ω along the child's axes.
    """

    translations: Given[Sequence[DirectionValue]] = field(
        ListOf(Direction()), "up to three directions, fixed in the parent", default=()
    )
    rotations: Given[Sequence[int]] = field(
        ListOf(Integer()), "axes of the child: none, one or three of 1, 2, 3", default=()
    )
    axis: Given[DirectionValue | None] = field(Direction(), "of the first rotation, in the parent", default=None)
    reference: Given[DirectionValue | None] = field(
        Direction(), "direction perpendicular to the axis, in the parent", default=None
    )
    kind: ClassVar[str] = "building block"

    def __post_init__(self) -> None:
        check_fields(self)
        for name, value in (("translations", self.translations), ("rotations", self.rotations)):
            if not isinstance(value, list | tuple):
                raise ModelError(f"the {name} of a building block must be a list, not {value!r}")
        if len(self.translations) > 3 or len(self.rotations) not in (0, 1, 3):
            raise ModelError("a building block has up to 3 translations and 0, 1 or 3 rotations")
        wrong = [k for k in self.rotations if as_integer(k) not in (1, 2, 3)]
        if wrong:
            raise ModelError(f"the rotations of a building block are about axes 1, 2 or 3, not {wrong[0]!r}")

    @property
    def coordinates(self) -> tuple[str, ...]:
        slides = tuple(f"s{k + 1}" for k in range(len(self.translations)))
        angles = tuple(f"a{k + 1}" for k in range(len(self.rotations)))
        return slides + angles if len(slides + angles) != 1 else ("",)

    @property
    def speeds(self) -> tuple[str, ...]:
        return self.coordinates[:-3] + RATES if len(self.rotations) == 3 else self.coordinates

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        n, r = len(self.translations), len(self.rotations)
        return ("m",) * n + ("rad",) * r, ("m/s",) * n + ("rad/s",) * r

    @property
    def motion_groups(self) -> tuple[MotionGroup, ...]:
        """Each alone, but three rotations together."""
        n = len(self.translations)
        if len(self.rotations) < 3:
            return super().motion_groups
        each = [slice(k, k + 1) for k in range(n)]
        turn = MotionGroup(slice(n, n + 3), slice(n, n + 3), self._rates)
        return (*(MotionGroup(k, k, equal_rates) for k in each), turn)

    def _rates(self, g: Graph, q: Sequence[Node], q_dot: Sequence[Node]) -> list[Node]:
        return rotation_speeds(Frame("parent", g), self._sequence, q, q_dot)[1]

    @property
    def _sequence(self) -> str:
        return "".join(map(str, self.rotations))

    def integrate(self, q: Array, delta: Array) -> Array:
        n = len(self.translations)
        if len(self.rotations) < 3:
            return q + delta
        return np.concatenate([q[:n] + delta[:n], manifold.rotate(self._sequence, q[n:], delta[n:])])

    def difference(self, start: Array, end: Array) -> Array:
        n = len(self.translations)
        if len(self.rotations) < 3:
            return end - start
        return np.concatenate([end[:n] - start[:n], manifold.rotation_between(self._sequence, start[n:], end[n:])])

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        g, n, none, context = parent.graph, len(self.translations), zero_vector(parent.graph), f"joint of '{name}'"
        slides = [vector(parent, direction(parent, d, context)) for d in self.translations]
        base = self._nominal(parent, name, context)
        position = combined(g, slides, q[:n])
        if len(self.rotations) == 3:
            frame, rates = oriented(base, name, self._sequence, q[n:], u[n:])
            turns = axis_vectors(frame)
        elif self.rotations:
            frame = base.turned(name, self.rotations[0] - 1, q[n])
            turns, rates = [axis_vectors(base)[self.rotations[0] - 1]], [u[n]]
        else:
            frame, turns, rates = base, [], []
        slides += [none] * len(turns)
        return Placement(frame, position, [none] * n + turns, slides, none, none, [*u[:n], *rates])

    def _nominal(self, parent: Frame, name: str, context: str) -> Frame:
        """The child's axes at zero, from the first rotation axis and the reference direction (Table 3)."""
        if not self.rotations or self.axis is None:
            return parent
        g, first = parent.graph, self.rotations[0] - 1
        axis = direction(parent, self.axis, context)
        reference = direction(parent, self.reference if self.reference is not None else "x", context)
        if abs(float(g.number(dot3(g, axis, reference)) or 0)) > 0.999:
            raise ModelError(f"{context}: the reference direction is parallel to the axis; use a perpendicular one")
        third = unit(g, cross3(g, axis, reference), context)
        columns = (axis, cross3(g, third, axis), third)
        return parent.oriented(f"{name}0", [[columns[(c - first) % 3][r] for c in range(3)] for r in range(3)])
