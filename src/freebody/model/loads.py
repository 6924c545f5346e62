"""Loads: each knows its own law and tells, from the motion it is shown, which forces and torques it puts on bodies."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from freebody.errors import ModelError
from freebody.geometry.vector import Vector
from freebody.model.body import Body, Point
from freebody.scalar.expr import Expr
from freebody.scalar.walk import substitute


class Shown(Protocol):
    """What a load may ask of the motion."""

    def position(self, start: Point, end: Point) -> Vector: ...
    def velocity(self, point: Point) -> Vector: ...


@dataclass(frozen=True)
class Wrench:
    """A force through a point of a body and a torque on it."""

    body: Body
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


@dataclass(frozen=True, eq=False)
class Force(Load):
    """A force vector through a point of a body; its reaction through the same place on another."""

    vector: Vector
    at: Point
    reaction: Body | None = None

    def wrenches(self, motion: Shown) -> Iterator[Wrench]:
        yield Wrench(self.at.body, self.at, self.vector, None)
        if self.reaction is not None:
            place = Point(self.reaction, motion.position(Point(self.reaction, self.vector * 0), self.at))
            yield Wrench(self.reaction, place, -self.vector, None)


@dataclass(frozen=True, eq=False)
class Torque(Load):
    """A torque vector on a body, and its reaction on another."""

    vector: Vector
    on: Body
    reaction: Body | None = None

    def wrenches(self, motion: Shown) -> Iterator[Wrench]:
        yield Wrench(self.on, None, None, self.vector)
        if self.reaction is not None:
            yield Wrench(self.reaction, None, None, -self.vector)


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
        g = self.law.graph
        span = motion.position(self.start, self.end)
        if not span:
            raise ModelError(f"load '{self.name}': its two ends are one point; a line needs two")
        length = span.norm()
        along = span / length
        rate = along.dot(motion.velocity(self.end) - motion.velocity(self.start))
        law = substitute(g, [self.law.handle], {self.length.handle: length.handle, self.rate.handle: rate.handle})[0]
        pull = along * Expr(g, law)
        yield Wrench(self.start.body, self.start, pull, None)
        yield Wrench(self.end.body, self.end, -pull, None)


@dataclass(frozen=True, eq=False)
class Effort(Load):
    """A generalised force on one speed of a body's joint: a torque about its axis, a force along it."""

    body: Body
    index: int
    value: Expr

    def wrenches(self, motion: Shown) -> Iterator[Wrench]:
        return iter(())
