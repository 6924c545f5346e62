"""Vectors as a file writes them: components along the axes of as few frames as can be, each frame by its address."""

from collections import defaultdict
from collections.abc import Sequence

from freebody.model.body import Reference
from freebody.model.placed import PlacedBodies
from freebody.scalar.expr import Expr
from freebody.spatial.frame import Frame, Unit
from freebody.spatial.vector import Vector

FEW = 8
"""How many bodies with a common axis are tried as the frame of a vector."""
Term = tuple[str, list[Expr]]


class Natives:
    """The frames of placed bodies and the axes that they share."""

    def __init__(self, placed: PlacedBodies) -> None:
        self.placed = placed
        bodies = [placed.ground, *placed.bodies.values()]
        self.sharing: dict[Unit, list[Frame]] = defaultdict(list)
        for body in bodies:
            for _, unit in body.frame.basis:
                if len(self.sharing[unit]) < FEW:
                    self.sharing[unit].append(body.frame)

    def name(self, frame: Frame) -> str:
        """A body's name for its own frame, name@k for the one k turns before; zeros keep it from being another's."""
        body, back = self.placed.address(frame)
        if back == 0:
            return body
        width = 1
        while (made := f"{body}@{back:0{width}d}") in self.placed.bodies:
            width += 1
        return made

    def inside(self, v: Vector, body: Reference) -> list[Expr] | None:
        """The components in a body's frame, if the vector's unit vectors are all axes of it."""
        return self._xyz(v, body.frame, list(v.parts)) if self._count(v.parts, body.frame) == len(v.parts) else None

    def terms(self, v: Vector, prefer: str | None) -> list[Term]:
        """Frames and components whose sum the vector is: the frame with most of its terms first."""
        left, made = list(v.parts), list[Term]()
        while left or not made:
            frame = max(self._candidates(left, prefer), key=lambda f: self._count(left, f))
            made.append((self.name(frame), self._xyz(v, frame, left)))
            left = [unit for unit in left if frame.axis_of(unit) is None]
        return made

    def _candidates(self, units: Sequence[Unit], prefer: str | None) -> list[Frame]:
        own = [self.placed.body(prefer).frame] if prefer is not None else []
        shared = [frame for unit in units for frame in self.sharing.get(unit, ())]
        return [*own, *shared, *(unit.frame for unit in units), self.placed.ground.frame]

    def _count(self, units: "Sequence[Unit] | dict[Unit, int]", frame: Frame) -> int:
        return sum(frame.axis_of(unit) is not None for unit in units)

    def _xyz(self, v: Vector, frame: Frame, units: Sequence[Unit]) -> list[Expr]:
        g = v.graph
        made = [g.zero] * 3
        for unit in units:
            place = frame.axis_of(unit)
            if place is not None:
                made[place[0]] = v.parts[unit] if place[1] > 0 else g.neg(v.parts[unit])
        return [Expr(g, s) for s in made]
