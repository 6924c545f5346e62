"""What the laws of contact need of two shapes: their candidates, each of which can touch at one point at a time."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from freebody.scalar.expr import Expr

Three = tuple[Expr, Expr, Expr]


@dataclass(frozen=True)
class RelativePose:
    """Where the first body is: its axes and its origin along the axes of the second body, from the origin of the
    second. The second body may be the ground."""

    axes: tuple[Three, Three, Three]
    origin: Three

    def direction(self, c: Sequence[Any]) -> Three:
        """A vector given along the axes of the first body, along those of the second."""
        x, y, z = ((self.axes[0][i] * c[0] + self.axes[1][i] * c[1] + self.axes[2][i] * c[2]) for i in range(3))
        return x, y, z

    def point(self, c: Sequence[Any]) -> Three:
        """A point given along the axes of the first body, from the origin of the second and along its axes."""
        x, y, z = (o + d for o, d in zip(self.origin, self.direction(c), strict=True))
        return x, y, z

    def local(self, v: Sequence[Any]) -> Three:
        """A vector given along the axes of the second body, along those of the first."""
        x, y, z = (axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2] for axis in self.axes)
        return x, y, z


@dataclass(frozen=True)
class Meeting:
    """Where two shapes are closest, along the axes of the second body and from its origin."""

    penetration: Expr
    """The depth to which the shapes overlap; the negative distance where they do not."""

    normal: Three
    """Of length 1, from the second shape to the first."""

    tangents: tuple[Three, Three]
    """Of length 1, normal to the normal and to each other: t1 × t2 = normal."""

    point: Three
    """Half way between the two surfaces."""


class Candidate(ABC):
    """One point at which two shapes can touch: a sphere and a plane have one, a box has one for each corner."""

    label: str
    """Its part of names, such as "corner_0"; empty where a pair of shapes has one candidate only."""

    @abstractmethod
    def meet(self, first: RelativePose) -> Meeting:
        """Where they are closest, given where the first body is."""
