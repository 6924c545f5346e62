"""Pitch circles of gears, pitch lines of racks, and belts, for pictures."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from freebody.drawing import Anchor, DrawnLine, DrawnWheel
from freebody.model.picture import Picture
from freebody.model.wheel_pairs import ParallelWheels, Transmission, WheelPair

Array = NDArray[np.float64]
Value = Callable[[object], float]
POINTS = 36
"""Points of a belt around a pulley."""


def wheels_and_lines(pair: WheelPair, picture: Picture) -> tuple[tuple[DrawnWheel, ...], tuple[DrawnLine, ...]]:
    """The circles of both wheels, and the lines of a rack, as long as the circumference of its gear, or of a belt, in
    the body that carries both pulleys."""
    t: Transmission = pair.transmission

    def value(x: object) -> float:
        return picture.numbers([x])[0]

    centres = [np.array(picture.position(point)) for point in pair.centres]
    sizes = [value(r) for r in pair.radii if r is not None]
    wheels, lines = list[DrawnWheel](), list[DrawnLine]()
    for w, centre, radius, body in zip(t.wheels, centres, pair.radii, pair.bodies(), strict=True):
        axis = np.array([value(x) for x in w.axis])
        if radius is None:
            ends = np.array([[-np.pi], [np.pi]]) * sizes[0] * axis
            lines.append(_line(body, centre + ends))
        else:
            (x, y, z), (a, b, c) = (centre + value(w.shift) * axis).tolist(), axis.tolist()
            wheels.append(DrawnWheel(Anchor(body, (x, y, z)), (a, b, c), value(radius)))
    if pair.has_belt and t.parallel is not None:
        lines.append(_line(t.carrier, _belt(t.parallel, [value(x) for x in t.wheels[0].point], value)))
    return tuple(wheels), tuple(lines)


def _line(body: str, points: Array) -> DrawnLine:
    return DrawnLine(body, tuple((x, y, z) for x, y, z in points.tolist()))


def _belt(wheels: ParallelWheels, centre: Sequence[float], value: Value) -> Array:
    """The closed line of a belt: with κ = (r₁ − r₂)/d its spans touch the pulleys at ±γ from the line of centres,
    cos γ = κ, and it runs around the far side of each; r₂ is negative of a crossed belt."""
    n, e = (np.array([value(x) for x in v]) for v in (wheels.axis, wheels.line))
    r1, r2, d = value(wheels.radii[0]), -value(wheels.radii[1]), value(wheels.distance)
    gamma = np.arccos((r1 - r2) / d)

    def arc(start: float, end: float, r: float, along: float) -> Array:
        angles = np.linspace(start, end, POINTS)[:, None]
        return np.asarray(centre + along * e + r * (np.cos(angles) * e + np.sin(angles) * np.cross(n, e)))

    around = arc(gamma, 2 * np.pi - gamma, r1, 0.0)
    back = arc(-gamma, gamma, r2, d) if r2 > 0 else arc(-gamma, gamma - 2 * np.pi, r2, d)
    return np.concatenate([around, back, around[:1]])
