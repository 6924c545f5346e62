"""Paths of assembled configurations: coordinates that are held move to their values, and the others follow.

Along the path q(s), s from 0 to 1, the rates are those of the least change: among all δ with G δ = 0 that move the held
coordinates as they should, the shortest in a measure W, δᵀ W δ (``tree.assembly``). This differential equation is
integrated by the pair of Dormand and Prince with steps that end on φ = 0, so that the path neither leaves its branch
nor makes a detour, and leads back where it came from.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

A = (
    (), (1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
)  # fmt: skip
B = np.array([35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84])
C = (0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1)
E = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])
"""Dormand & Prince (1980): the last row is the difference of the two orders."""

LONGEST, SHORTEST, STEPS = 0.5, 1e-5, 400
"""The largest change of a coordinate in a step, in rad or lengths of the mechanism; a step of held coordinates below
the second means that the path ends; the most steps, accepted or not."""

DETERMINED, FREE = 3e-3, 1e-7
"""The error of a step before it is corrected: where the held coordinates determine the others, and where they do
not, so that nothing corrects an error along the directions that are left free."""

CORRECTION = 0.1
"""The largest correction of a step, as a fraction of it; more would end on another branch."""

CORRECTIONS, CONTRACTION, SMALL = 12, 0.5, 1e-3
"""The most steps that correct a point of a path; those larger than the last number shrink by the second at least."""

VANISHING = 0.1
"""A singular value counts as zero at a position where it has fallen below this fraction of what it is around."""

BISECTIONS = 12


@dataclass(frozen=True)
class HeldPath:
    """The values of held coordinates along a path: straight, those of quaternions on the shorter arc. ``indices`` are
    theirs in q, ``quaternions`` where four of them begin."""

    indices: Sequence[int]
    start: Array
    end: Array
    quaternions: Collection[int] = ()

    @classmethod
    def between(cls, indices: Sequence[int], start: Array, end: Array, quaternions: Iterable[int]) -> Self:
        """The path between the values in two vectors q, with the sign of each quaternion at the end that is nearer."""
        first, last = start[list(indices)], end[list(indices)]
        path = cls(indices, first, last, [k for k in quaternions if k in indices])
        for block in path.blocks:
            last[block] *= -1.0 if first[block] @ last[block] < 0 else 1.0
        return path

    @property
    def blocks(self) -> list[slice]:
        places = {k: i for i, k in enumerate(self.indices)}
        return [slice(places[k], places[k] + 4) for k in self.quaternions if k in places]

    def at(self, s: float) -> Array:
        values = self.start + s * (self.end - self.start)
        for block in self.blocks:
            values[block] /= np.linalg.norm(values[block])
        return np.asarray(values)

    def rate(self, s: float) -> Array:
        rates, values = self.end - self.start, self.start + s * (self.end - self.start)
        for block in self.blocks:
            length = float(np.linalg.norm(values[block]))
            unit = values[block] / length
            rates[block] = (rates[block] - unit * (unit @ rates[block])) / length
        return np.asarray(rates)

    def place(self, q: Array, s: float) -> Array:
        q = q.copy()
        q[list(self.indices)] = self.at(s)
        return q


class GradientFactors(NamedTuple):
    """The singular value decomposition of G along the directions that are free, up to its rank: U S Vᵀ."""

    U: Array
    S: Array
    V: Array


class PathDirection(NamedTuple):
    """Rates q̇ along a path, and the decomposition of G there, if it is known."""

    q_dot: Array
    frame: GradientFactors | None = None


class Follower(Protocol):
    """What a path needs to know of a mechanism."""

    determined: bool

    def direction(self, q: Array, held_rate: Array) -> PathDirection | None:
        """q̇ of the least change with the rates of held coordinates; None where there is none."""

    def correct(self, q: Array) -> Array | None:
        """The nearest coordinates with φ = 0 and the same held ones; None where steps do not converge fast."""

    def landed(self, q: Array) -> bool:
        """Whether a step may end at these coordinates."""


@dataclass(frozen=True)
class PathPoint:
    s: float
    q: Array
    direction: PathDirection


@dataclass
class ConfigurationPath:
    """The points of a path; it ends before s = 1 where no motion of the held coordinates leads on."""

    points: list[PathPoint] = field(default_factory=list)

    @property
    def end(self) -> PathPoint:
        return self.points[-1]

    @property
    def arrived(self) -> bool:
        return bool(self.points) and self.end.s >= 1.0

    def between(self, k: int, s: float) -> Array:
        """Coordinates between the points k and k + 1, by cubic interpolation."""
        a, b = self.points[k : k + 2]
        h = b.s - a.s
        x = (s - a.s) / h
        p, m = x * x * (3 - 2 * x), x * (1 - x) * h
        return np.asarray(a.q + p * (b.q - a.q) + m * ((1 - x) * a.direction.q_dot - x * b.direction.q_dot))

    def interpolate(self, s: float) -> Array:
        k = max(0, min(len(self.points) - 2, sum(p.s <= s for p in self.points) - 1))
        return self.between(k, s) if len(self.points) > 1 else self.end.q


def follow(follower: Follower, held: HeldPath, q: Array, scales: Array, start: float = 0.0) -> ConfigurationPath:
    """The path from q, which is assembled with the held coordinates at s = ``start``. ``scales`` makes changes of q
    comparable: 1 for angles, 1/length."""
    direction, path = follower.direction(q, held.rate(start)), ConfigurationPath()
    if direction is None:
        return path
    path.points.append(PathPoint(start, q, direction))
    size = float(np.abs((held.end - held.start) * scales[list(held.indices)]).max(initial=0.0))
    h = 1.0 - start
    for _ in range(STEPS):
        point = path.end
        speed = float(np.abs(point.direction.q_dot * scales).max(initial=0.0))
        h = min(h, 1.0 - point.s, LONGEST / max(speed, LONGEST))
        if path.arrived or (h * size < SHORTEST and h < 1.0 - point.s):
            break
        end = 1.0 if point.s + h >= 1.0 - 1e-12 else point.s + h
        following, error = _step(follower, held, point, end, scales)
        if following is not None and error <= 1:
            path.points.append(following)
        h *= min(3.0, max(0.2, 0.9 * max(error, 1e-9) ** -0.2)) if np.isfinite(error) else 0.4
    return path


def _step(
    follower: Follower, held: HeldPath, point: PathPoint, end: float, scales: Array
) -> tuple[PathPoint | None, float]:
    """The point at s = ``end``, and the error before it was corrected, relative to what is allowed."""
    h, slopes = end - point.s, [point.direction.q_dot]
    for a, c in zip(A[1:], C[1:], strict=True):
        stage = held.place(point.q + h * (np.array(a) @ np.array(slopes)), point.s + c * h)
        direction = follower.direction(stage, held.rate(point.s + c * h))
        if direction is None:
            return None, np.inf
        slopes.append(direction.q_dot)
    predicted = held.place(point.q + h * (B @ np.array(slopes)), end)
    q = follower.correct(predicted)
    if q is None or (not follower.landed(q) and end < 1.0):
        return None, np.inf
    direction = follower.direction(q, held.rate(end))
    if direction is None:
        return None, np.inf
    change = h * (E @ np.array([*slopes, direction.q_dot]))
    tolerance = DETERMINED if follower.determined else FREE
    error = float(np.abs(change * scales).max(initial=0.0)) / tolerance
    correction, moved = (float(np.abs(d * scales).max(initial=0.0)) for d in (q - predicted, q - point.q))
    if correction > CORRECTION * moved + tolerance:
        return None, np.inf
    return PathPoint(end, q, direction), error


class Singularity(NamedTuple):
    """A position on a path at which the rank of G falls, and the directions there, as columns δ, in which G vanishes
    beside the path."""

    s: float
    q: Array
    directions: Array


def singular_positions(
    path: ConfigurationPath, frame_at: Callable[[Array], GradientFactors], scale: Callable[[Array], Array]
) -> list[Singularity]:
    """The positions between the points of a path where singular values of G pass zero: the decomposition, continued
    along the path, changes the sign of a singular value. ``scale`` are the factors that make
    speeds of the rows of V."""
    found = list[Singularity]()
    for k, (a, b) in enumerate(zip(path.points, path.points[1:], strict=False)):
        one, other = a.direction.frame, b.direction.frame
        if one is None or other is None or not crosses(one, other):
            continue
        low, high = a.s, b.s
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            if crosses(one, frame_at(path.between(k, middle))):
                high = middle
            else:
                low = middle
        q = path.between(k, high)
        frame = frame_at(q)
        size = len(frame.S)
        vanishing = VANISHING * np.minimum(one.S[:size], other.S[:size]) > frame.S
        if vanishing.any():
            found.append(Singularity(high, q, scale(q)[:, None] * frame.V[:, vanishing]))
    return found


def crosses(one: GradientFactors, other: GradientFactors) -> bool:
    """Whether a singular value has passed zero between two neighbouring positions."""
    if not len(one.S) or one.U.shape[0] != other.U.shape[0]:
        return False
    turned = (one.U.T @ other.U) @ (other.V.T @ one.V)  # of the orthogonal factors of G; 1 where nothing changes
    return bool(np.linalg.eigvals(turned).real.min() < 0)
