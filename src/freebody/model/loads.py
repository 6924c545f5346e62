"""Loads: each knows its own law and tells, from the motion it is shown, which forces and torques it puts on bodies."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from freebody.errors import ModelError
from freebody.model.body import Body, Point, Reference
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import substitute
from freebody.spatial.vector import Vector


class Shown(Protocol):
    """What a load may ask of the motion."""

    def position(self, start: Point, end: Point) -> Vector: ...
    def velocity(self, point: Point) -> Vector: ...


@dataclass(frozen=True)
class Wrench:
    """A force through a point of a body and a torque on it."""

    body: Reference
    point: Point | None
    force: Vector | None
    torque: Vector | None


@dataclass(frozen=True, eq=False)
class Load(ABC):
    """Anything that pushes or turns bodies."""

    name: str

    @abstractmethod
    def wrenches(self, motion: Shown) -> Iterator[Wrench]:
        """What it does to which bodies."""

    @abstractmethod
    def value(self, motion: Shown) -> Vector | Expr:
        """What it is at the moment: the vector of a force or torque, the pull of a line, an effort."""

    def potential(self, motion: Shown) -> Expr | None:
        """The energy stored in it, where it stores what it takes."""
        return None

    def unstored(self, motion: Shown) -> Iterator[Wrench]:
        """The part of its wrenches whose work does not go into its potential: all of them, where it has none."""
        return self.wrenches(motion)


@dataclass(frozen=True, eq=False)
class Force(Load):
    """A force vector through a point of a body; its reaction through the same place on another."""

    vector: Vector
    at: Point
    reaction: Reference | None = None

    def wrenches(self, motion: Shown) -> Iterator[Wrench]:
        yield Wrench(self.at.body, self.at, self.vector, None)
        if self.reaction is not None:
            place = Point(self.reaction, motion.position(Point(self.reaction, self.vector * 0), self.at))
            yield Wrench(self.reaction, place, -self.vector, None)

    def value(self, motion: Shown) -> Vector:
        return self.vector


@dataclass(frozen=True, eq=False)
class Torque(Load):
    """A torque vector on a body, and its reaction on another."""

    vector: Vector
    on: Reference
    reaction: Reference | None = None

    def wrenches(self, motion: Shown) -> Iterator[Wrench]:
        yield Wrench(self.on, None, None, self.vector)
        if self.reaction is not None:
            yield Wrench(self.reaction, None, None, -self.vector)

    def value(self, motion: Shown) -> Vector:
        return self.vector


@dataclass(frozen=True, eq=False)
class Line(Load):
    """A force along the line between two points, pulling them together where ``law`` is positive. The law is an
    expression that may use the symbols ``length`` and ``rate`` (of the distance between them)."""

    start: Point
    end: Point
    law: Expr
    length: Expr
    rate: Expr

    def wrenches(self, motion: Shown) -> Iterator[Wrench]:
        along, pull = self._acting(motion)
        yield Wrench(self.start.body, self.start, along * pull, None)
        yield Wrench(self.end.body, self.end, -(along * pull), None)

    def unstored(self, motion: Shown) -> Iterator[Wrench]:
        """What the law does beside the spring in it."""
        if self.potential(motion) is None:
            yield from self.wrenches(motion)
        elif self._still() != self.law.handle:
            yield from replace(self, law=self.law - Expr(self.law.graph, self._still())).wrenches(motion)

    def _still(self) -> int:
        """The law while the length does not change."""
        g = self.law.graph
        return substitute(g, [self.law.handle], {self.rate.handle: g.zero})[0]

    def value(self, motion: Shown) -> Expr:
        return self._acting(motion)[1]

    def potential(self, motion: Shown) -> Expr | None:
        """Of a linear spring k (length − free), whatever damper stands beside it: ½ pull²/k; of a constant pull, pull
        times length. Other laws may take more than they give back, and so may ends that move on their bodies."""
        g, length, still = self.law.graph, self.length.handle, self._still()
        if not self.start.fixed or not self.end.fixed:
            return None
        k = jvp(g, [still], {length: g.one})[0]
        free = substitute(g, [still], {length: g.zero})[0]
        if g.mask[k] > PARAMETERS_ONLY or g.mask[free] > PARAMETERS_ONLY:
            return None
        reach = motion.position(self.start, self.end).norm()
        pull = Expr(g, substitute(g, [still], {length: reach.handle})[0])
        return pull * reach if k == g.zero else pull * pull / (2 * Expr(g, k))

    def _acting(self, motion: Shown) -> tuple[Vector, Expr]:
        """The direction from start to end, and the law at the present length and rate."""
        g = self.law.graph
        span = motion.position(self.start, self.end)
        if not span:
            raise ModelError(f"load '{self.name}': its two ends are one point; a line needs two")
        length = span.norm()
        along = span / length
        rate = along.dot(motion.velocity(self.end) - motion.velocity(self.start))
        law = substitute(g, [self.law.handle], {self.length.handle: length.handle, self.rate.handle: rate.handle})[0]
        return along, Expr(g, law)


@dataclass(frozen=True, eq=False)
class Effort(Load):
    """A generalised force on one speed of a body's joint: a torque about its axis, a force along it."""

    body: Body
    index: int
    amount: Expr

    def wrenches(self, motion: Shown) -> Iterator[Wrench]:
        return iter(())

    def value(self, motion: Shown) -> Expr:
        return self.amount
