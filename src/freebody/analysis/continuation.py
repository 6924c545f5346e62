"""Continuation of equilibria over a parameter: branches are followed by pseudo-arclength (Keller 1977), with their
folds, branch points and Hopf points, and those that cross them at branch points. Directions φ of the branches there
satisfy ψᵀ J'(φ) φ = 0, ψ being the left null vector of J (``equilibrium_curve``).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.branches import Bifurcation, Branch, Continuation
from freebody.analysis.equilibrium_curve import CORRECTION, REAL_CROSSING, ContinuationPoint, EquilibriumCurve

Array = NDArray[np.float64]
FIRST, SMALLEST, FEW = 0.2, 1e-4, 4
"""The first step and the smallest one, as fractions of the largest; steps grow after at most so many Newton steps."""

CLOSE = 1e-3
"""Bifurcations of a branch that are closer than this part of the largest step are one; a branch turns back where its
direction has a smaller part than this along the parameter."""

VISITED = 0.02
"""A branch begins on another one if it is nearer to it than this part of the largest step."""

PROBE = 1e-4
"""The step of differences of J along its null vectors."""

BRANCH_POINT, ATTEMPTS = "branch point", 6
BESIDE = 0.02
"""How far beside a branch point the direction of a branch is computed, as a part of the step."""

SEVERAL = 1e-6
"""Singular values of J, whose rows have been scaled to 1, below this vanish at a branch point."""


@dataclass(frozen=True)
class BranchStart:
    """A branch to be followed from its first point; from a branch point (its number among the bifurcations) also its
    second point."""

    first: ContinuationPoint
    second: ContinuationPoint | None = None
    origin: int = -1


class FoundBifurcation(NamedTuple):
    """A bifurcation on a branch as it is found: the point, the direction of the branch, and a frequency."""

    kind: str
    y: Array
    direction: Array
    frequency: float = 0.0


class Walk(NamedTuple):
    """A branch as it is followed."""

    points: list[ContinuationPoint]
    events: list[FoundBifurcation]
    end: str


def follow(curve: EquilibriumCurve, start: BranchStart, most: int) -> Walk:
    """The branch from a start, until the parameter leaves its range, the branch closes or cannot be followed."""
    walk, step = Walk([start.first], [], ""), FIRST * curve.step
    if start.second is not None:
        walk.points.append(start.second)
        step = curve.distance(start.first.y, start.second.y)
    while len(walk.points) < most:
        point = walk.points[-1]
        following = curve.advance(point, step)
        if following is None:
            step /= 2
            if step < SMALLEST * curve.step:
                return walk._replace(end="cannot be followed further")
            continue
        value = following.y[curve.index]
        bound = None
        if not min(curve.ends) <= value <= max(curve.ends):
            bound = curve.at_bound(point, following)
            if bound is None:
                step /= 2
                if step < SMALLEST * curve.step:
                    return walk._replace(end="cannot be followed further")
                continue
            following = bound
        if curve.distance(point.y, following.y) > 0:
            walk.events.extend(events(curve, point, following))
            walk.points.append(following)
        if bound is not None:
            return walk._replace(end=f"reaches {curve.name} = {following.y[curve.index]:.6g}")
        if len(walk.points) > 4 and closes(curve, walk.points):
            return walk._replace(end="closes")
        step = min(curve.step, step * (1.5 if following.iterations <= FEW else 1.0))
    return walk._replace(end=f"has {most} points: give more points=…, or a larger step=…")


def closes(curve: EquilibriumCurve, points: list[ContinuationPoint]) -> bool:
    """Whether the last step passes the first point."""
    a, b, first = points[-2], points[-1], points[0]
    chord = curve.weights * (b.y - a.y)
    s = float(np.clip(chord @ (curve.weights * (first.y - a.y)) / (chord @ chord), 0.0, 1.0))
    return curve.distance(first.y, a.y + s * (b.y - a.y)) < VISITED * curve.step


def events(curve: EquilibriumCurve, a: ContinuationPoint, b: ContinuationPoint) -> list[FoundBifurcation]:
    """The bifurcations between two points, in order."""
    found = list[tuple[float, FoundBifurcation]]()
    near = CLOSE * curve.step / curve.distance(a.y, b.y)
    crossing, turning = curve.branch_point(a, b), curve.fold(a, b)
    if crossing is not None:
        sides = [np.clip(crossing + side, 0.0, 1.0) for side in (-BESIDE, BESIDE)]
        low, high = (curve.direction(curve.between(a, b, float(s)), b.y - a.y) for s in sides)
        found.append((crossing, FoundBifurcation(BRANCH_POINT, curve.between(a, b, crossing), low + high)))
    if turning is not None and (crossing is None or abs(turning - crossing) > near):
        y = curve.between(a, b, turning)
        found.append((turning, FoundBifurcation("fold", y, curve.direction(y, b.y - a.y))))
    explained = [s for s in (crossing, turning) if s is not None]
    for s, kind, frequency in curve.crossings(a, b):
        if kind != REAL_CROSSING:
            found.append((s, FoundBifurcation(kind, curve.between(a, b, s), b.y - a.y, frequency)))
        elif not explained:  # an even number of them
            found.append((s, FoundBifurcation(BRANCH_POINT, curve.between(a, b, s), b.y - a.y)))
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def crossing_branches(curve: EquilibriumCurve, event: FoundBifurcation) -> tuple[str, list[Array]]:
    """The kind of a branch point, and the directions of the other branch; none where several branches cross."""
    frame, s = curve.decomposition(event.y)
    kernel = curve.kernel(frame, curve.rank - 1)
    if kernel.shape[1] != 2 or (curve.rank > 1 and s[curve.rank - 2] < SEVERAL):
        return BRANCH_POINT, []
    parts = (curve.weights[:, None] * kernel).T @ (curve.weights * event.direction)
    parts /= np.linalg.norm(parts)
    first, second = kernel @ parts, kernel @ np.array([-parts[1], parts[0]])
    psi = frame.U[:, curve.rank - 1] * frame.rows

    def slope(along: Array, of: Array) -> float:
        J = [curve.rest.at(curve.point(event.y + sign * PROBE * along))["J"] for sign in (1, -1)]
        return float(psi @ (J[0] - J[1]) @ of) / (2 * PROBE)

    mixed, pure, direction = slope(first, second), slope(second, second), second
    if abs(pure) > PROBE * abs(mixed):
        direction = 2 * mixed * second - pure * first
        direction /= np.linalg.norm(curve.weights * direction)
    turns = min(abs(d[curve.index]) / curve.span for d in (direction, first)) < CLOSE
    return "pitchfork" if turns else "transcritical", [direction, -direction]


def begin(curve: EquilibriumCurve, event: FoundBifurcation, direction: Array, origin: int) -> BranchStart | None:
    """The first two points of a branch in a direction from a branch point."""
    step = FIRST * curve.step
    for _ in range(ATTEMPTS):
        predicted = event.y + step * direction
        result = curve.correct(predicted, direction)
        if result is not None and curve.distance(result[0], predicted) < CORRECTION * step:
            second = ContinuationPoint(result[0], curve.direction(result[0], direction))
            return BranchStart(ContinuationPoint(event.y, direction), second, origin)
        step /= 2
    return None


def visited(curve: EquilibriumCurve, y: Array, walks: list[Walk]) -> bool:
    """Whether a point lies on a branch that has been followed."""
    x = curve.weights * y
    for walk in walks:
        points = np.array([curve.weights * p.y for p in walk.points])
        chords = np.diff(points, axis=0)
        along = np.sum((x - points[:-1]) * chords, axis=1) / np.maximum(np.sum(chords**2, axis=1), 1e-300)
        feet = points[:-1] + np.clip(along, 0.0, 1.0)[:, None] * chords
        if len(feet) and np.linalg.norm(x - feet, axis=1).min() < VISITED * curve.step:
            return True
    return False


def continuation(curve: EquilibriumCurve, points: int, branches: int) -> Continuation:
    """The branch through the start, and those that begin at its branch points and theirs, up to a number."""
    walks, queue = list[Walk](), [BranchStart(curve.start())]
    found, origins = list[tuple[int, str, FoundBifurcation]](), list[int]()
    while queue and len(walks) < branches:
        start = queue.pop(0)
        if start.second is not None and visited(curve, start.second.y, walks):
            continue
        walk = follow(curve, start, points)
        walks.append(walk)
        origins.append(start.origin)
        for event in walk.events:
            known = [e for _, _, e in found if curve.distance(e.y, event.y) < VISITED * curve.step]
            if event.kind != BRANCH_POINT:
                found.append((len(walks), event.kind, event))
            elif not any(e.kind == BRANCH_POINT for e in known):
                kind, directions = crossing_branches(curve, event)
                found.append((len(walks), kind, event))
                starts = [begin(curve, event, d, len(found) - 1) for d in directions]
                queue += [one for one in starts if one is not None]
    lines = [
        Branch(k + 1, curve.name, tuple(curve.equilibrium(p.y) for p in walk.points), walk.end)
        for k, walk in enumerate(walks)
    ]
    bifurcations = list[Bifurcation]()
    for k, (number, kind, event) in enumerate(found):
        new = tuple(i + 1 for i, origin in enumerate(origins) if origin == k)
        value, there = float(event.y[curve.index]), curve.equilibrium(event.y)
        bifurcations.append(Bifurcation(kind, curve.name, value, there, number, new, event.frequency))
    return Continuation(curve.name, tuple(lines), tuple(bifurcations), curve.units)
