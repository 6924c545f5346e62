"""Continuation of equilibria over a parameter: branches are followed by pseudo-arclength (Keller 1977), with
their folds, branch points and Hopf points.

The equations of rest r(y) = 0 have one more unknown than for an equilibrium, the parameter. A point is predicted along
the null vector of J = ∂r/∂y and corrected at right angles to it. Distances are measured in the magnitudes of
coordinates and in the range of the parameter; multipliers of constraints do not count. J may have dependent rows and
columns (equations of redundant constraints and their multipliers); all decisions are by its singular values.

A fold is where the null vector has no part along the parameter. At a branch point the rank of J falls: the determinant
of Uᵀ J V changes its sign, with U and V the singular vectors of J at the point before. Directions φ of the branches
there satisfy ψᵀ J'(φ) φ = 0, ψ being the left null vector. Hopf points are where a complex pair of eigenvalues of the
linearisation crosses the imaginary axis.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.branches import Bifurcation, Branch, Continuation
from freebody.analysis.equilibrium import DEPENDENT, Equilibrium, RestEquations, equilibrium
from freebody.analysis.linear import eigensystem
from freebody.analysis.manifold import SingularError
from freebody.analysis.state_equations import OperatingPoint
from freebody.errors import ArgumentError
from freebody.names import Q, U
from freebody.tables import listed

Array = NDArray[np.float64]
FIRST, SMALLEST = 0.2, 1e-4
"""The first step and the smallest one, as fractions of the largest."""

TURN = 0.25
"""The largest angle between the directions at neighbouring points, in rad."""

CORRECTION, ITERATIONS, FEW = 0.3, 12, 4
"""The largest correction of a step, as a fraction of it; the most Newton steps, and those after which steps grow."""

CLOSE = 1e-3
"""Bifurcations of a branch that are closer than this part of the largest step are one; a branch turns back where its
direction has a smaller part than this along the parameter."""

VISITED = 0.02
"""A branch begins on another one if it is nearer to it than this part of the largest step."""

PROBE = 1e-4
"""The step of differences of J along its null vectors."""

REAL = 1e-6
"""An eigenvalue is real if its imaginary part is below this part of the largest one."""

BISECTIONS, ATTEMPTS = 45, 6
BRANCH_POINT = "branch point"
BESIDE = 0.02
"""How far beside a branch point the direction of a branch is computed, as a part of the step."""

SEVERAL = 1e-6
"""Singular values of J, whose rows have been scaled to 1, below this vanish at a branch point."""

REAL_CROSSING = "real"
"""A real eigenvalue crosses zero: at folds and branch points."""


class ContinuationPoint(NamedTuple):
    """A point of a branch: the unknowns, the direction there, Newton steps taken."""

    y: Array
    direction: Array
    iterations: int = 0


class SingularFrame(NamedTuple):
    """Scales of J and its singular vectors up to its rank."""

    rows: Array
    columns: Array
    U: Array
    V: Array


@dataclass(frozen=True)
class BranchStart:
    """A branch to be followed from its first point; from a branch point (its number among the bifurcations) also its
    second point."""

    first: ContinuationPoint
    second: ContinuationPoint | None = None
    origin: int = -1


class EquilibriumCurve:
    """The curve of equilibria of ``rest``, whose first trimmed unknown is the parameter, between two of its values;
    ``fixed`` are the equations at a given value."""

    def __init__(
        self, rest: RestEquations, fixed: RestEquations, name: str, guess: OperatingPoint, ends: tuple[float, float],
        step: float,
    ) -> None:  # fmt: skip
        self.rest, self.fixed, self.name, self.ends, self.step = rest, fixed, name, ends, step
        self.index = len(rest.moving) + len(rest.state.groups["z"])
        self.span = abs(ends[1] - ends[0])
        self.free = np.array([k for k, depends in enumerate(rest.depends) if depends or k == self.index])
        self.count = len(rest.unknowns) - len(guess.multipliers)
        scales = rest.sizes.copy()
        scales[self.index] = self.span
        self.weights = np.where(np.arange(len(scales)) < self.count, 1 / scales, 0.0)
        self.base, self.rank, self.row_sizes = guess, -1, np.zeros(len(rest.labels))

    # The start

    def start(self) -> ContinuationPoint:
        """The equilibrium at the first value of the parameter, with the direction towards the second one."""
        first = rest_with(self.rest, self.base, self.index, self.ends[0])
        found = equilibrium(self.fixed, first)
        self.base = found.point
        y = self.rest.get(found.point)
        frame, values = self.decomposition(y)
        self.rank = int(np.count_nonzero(values > DEPENDENT * max(1.0, values.max(initial=0.0))))
        kernel = self.kernel(frame, self.rank)
        if kernel.shape[1] != 1:
            raise ArgumentError(self._family(kernel, found))
        direction = kernel[:, 0] * np.sign((self.ends[1] - self.ends[0]) * kernel[self.index, 0] or 1.0)
        return ContinuationPoint(y, direction)

    def _family(self, kernel: Array, found: Equilibrium) -> str:
        name, near = self.rest.state.name, f"at {self.name} = {self.ends[0]:g}"
        if not kernel.shape[1]:
            return f"system '{name}': there are no equilibria beside the one {near}; name what may be trimmed, free=[…]"
        layout, moving = self.rest.state.layout, len(self.rest.moving)
        trimmed = [layout.user_inputs, layout.parameters, self.rest.state.forces, list(U.all(layout.u))]
        groups = dict(zip(("inputs", "parameters", "tau", "u"), trimmed, strict=True))
        known = [*(Q(layout.q[k]) for k in self.rest.moving), *layout.z, *(groups[g][k] for g, k in self.rest.trimmed)]
        parts = np.abs(kernel[: self.count] * self.weights[: self.count, None]).max(axis=1, initial=0.0)
        order = [int(k) for k in np.argsort(-parts) if parts[k] > CLOSE * parts.max(initial=0.0) and k != self.index]
        first = next((f"hold=['{Q.strip(known[k])}']" for k in order if k < moving), "without free=[…]")
        return (
            f"system '{name}': the equilibrium {near} is one of a family, or a bifurcation:"
            f" {listed([known[k] for k in order])} can change while '{self.name}' does not. Hold what no force depends"
            f" on, {first}, or begin at another value of the parameter"
        )

    def equilibrium(self, y: Array) -> Equilibrium:
        """The equilibrium at a point."""
        point = self.point(y)
        return self.fixed.equilibrium(point, **self.fixed.at(point))

    @property
    def units(self) -> dict[str, str]:
        """Units by full name."""
        graph = self.rest.state.e.graph
        parameters = {n: graph.symbol_named(n).unit for n in self.rest.state.layout.parameters}
        return self.fixed.units | parameters

    # J and its null vectors

    def point(self, y: Array) -> OperatingPoint:
        return self.rest.put(self.base, y)

    def decomposition(self, y: Array) -> tuple[SingularFrame, Array]:
        """U and V of the scaled J, whole, and its singular values."""
        J = self.rest.at(self.point(y))["J"]
        rows, columns = self.scales(J)
        U, s, Vt = np.linalg.svd((rows[:, None] * J * columns)[:, self.free])
        return SingularFrame(rows, columns, U, Vt.T), s

    def scales(self, J: Array) -> tuple[Array, Array]:
        """Factors of the equations and of the unknowns. Those of the unknowns are the units of distances, so that
        directions turn as those of the branch; the largest entry of a row is then 1 at one of the points so far."""
        _, columns = self.rest.scales(J)
        columns[: self.count] = 1 / self.weights[: self.count]
        self.row_sizes = np.maximum(self.row_sizes, np.abs(J * columns).max(axis=1, initial=0.0))
        sizes, n = self.row_sizes.copy(), len(self.rest.state.force) + len(self.rest.state.z_dot)
        for block in (sizes[:n], sizes[n:]):  # forces and rates, constraints
            block[block <= DEPENDENT * block.max(initial=0.0)] = np.inf
        return 1 / sizes, columns

    def kernel(self, frame: SingularFrame, rank: int) -> Array:
        """Null vectors of J of this rank, without those of multipliers alone, orthonormal in the weights."""
        null = np.zeros((len(self.weights), frame.V.shape[1] - rank))
        null[self.free] = frame.columns[self.free, None] * frame.V[:, rank:]
        _, s, Vt = np.linalg.svd(self.weights[:, None] * null, full_matrices=False)
        real = s > 1e-9 * max(1e-300, s.max(initial=0.0))
        return np.asarray(null @ Vt[real].T / s[real])

    def frame(self, y: Array) -> SingularFrame:
        whole, _ = self.decomposition(y)
        return whole._replace(U=whole.U[:, : self.rank], V=whole.V[:, : self.rank])

    def direction(self, y: Array, along: Array) -> Array:
        """The null vector at a point, on the side of another direction."""
        kernel = self.kernel(self.decomposition(y)[0], self.rank)
        parts = (self.weights[:, None] * kernel).T @ (self.weights * along)
        vector = kernel @ parts
        return np.asarray(vector / max(float(np.linalg.norm(self.weights * vector)), 1e-300))

    def distance(self, a: Array, b: Array) -> float:
        return float(np.linalg.norm(self.weights * (a - b)))

    # Steps

    def correct(self, y: Array, normal: Array, cut: float = 1e-12) -> tuple[Array, int] | None:
        """The equilibrium in the plane through y at right angles to a direction, and the Newton steps that it took."""
        n2, start, y = normal * self.weights**2, y, y.copy()
        for k in range(ITERATIONS):
            at = self.rest.at(self.point(y))
            if not np.isfinite(at["r"]).all():
                return None
            rows, columns = self.scales(at["J"])
            scaled = (rows[:, None] * at["J"] * columns)[:, self.free]
            plane = n2 * columns
            length = np.linalg.norm(plane)
            A = np.vstack([scaled, plane[self.free] / length])
            b = np.append(-rows * at["r"], n2 @ (start - y) / length)
            step = np.zeros(len(y))
            step[self.free] = columns[self.free] * np.linalg.lstsq(A, b, rcond=cut)[0]
            y = y + step
            if np.linalg.norm(self.weights * step) < 1e-11 * (1 + np.linalg.norm(self.weights * y)):
                point = self.point(y)
                left = self.rest.remaining(point, **self.rest.at(point))
                return None if left and cut < CLOSE else (y, k + 1)
        return None

    def advance(self, point: ContinuationPoint, step: float) -> ContinuationPoint | None:
        """The next point; None if the step is too long."""
        predicted = point.y + step * point.direction
        result = self.correct(predicted, point.direction)
        if result is None or self.distance(result[0], predicted) > CORRECTION * step:
            return None
        direction = self.direction(result[0], point.direction)
        turned = float((self.weights * direction) @ (self.weights * point.direction))
        return None if turned < np.cos(TURN) else ContinuationPoint(result[0], direction, result[1])

    def at_bound(self, a: ContinuationPoint, b: ContinuationPoint) -> ContinuationPoint | None:
        """The point between two at which the parameter reaches an end of its range."""
        first, last = float(a.y[self.index]), float(b.y[self.index])
        bound = max(self.ends) if last > max(self.ends) else min(self.ends)
        fraction = (bound - first) / (last - first)
        along = np.zeros(len(a.y))
        along[self.index] = self.span
        result = self.correct(rest_value(a.y + fraction * (b.y - a.y), self.index, bound), along)
        return None if result is None else ContinuationPoint(result[0], self.direction(result[0], b.direction))

    # Points between two

    def between(self, a: ContinuationPoint, b: ContinuationPoint, s: float) -> Array:
        """The equilibrium at the fraction s of the way from a to b."""
        chord, h = b.y - a.y, self.distance(a.y, b.y)
        p, m = s * s * (3 - 2 * s), s * (1 - s) * h
        guess = a.y + p * chord + m * ((1 - s) * a.direction - s * b.direction)
        result = self.correct(guess, chord / h)
        if result is None:  # beside a branch point, where J is nearly singular
            result = self.correct(guess, chord / h, 1e-4)
        return guess if result is None else result[0]

    def root(self, a: ContinuationPoint, b: ContinuationPoint, value: Callable[[Array], float]) -> float:
        """The fraction of the way where a function of the point, with other signs at both, is zero."""
        from scipy.optimize import brentq

        return float(brentq(lambda s: value(self.between(a, b, s)), 0.0, 1.0, xtol=1e-11, rtol=1e-14))

    def fold(self, a: ContinuationPoint, b: ContinuationPoint) -> float | None:
        """Where the direction has no part along the parameter."""
        if a.direction[self.index] * b.direction[self.index] >= 0:
            return None
        chord = b.y - a.y
        return self.root(a, b, lambda y: float(self.direction(y, chord)[self.index]))

    def branch_point(self, a: ContinuationPoint, b: ContinuationPoint) -> float | None:
        """Where the rank of J falls: the smallest singular value of Uᵀ J V, with the sign of the determinant."""
        frame = self.frame(a.y)

        def signed(y: Array) -> float:
            J = self.rest.at(self.point(y))["J"]
            B = frame.U.T @ (frame.rows[:, None] * J * frame.columns)[:, self.free] @ frame.V
            sign = np.linalg.slogdet(B)[0] if B.size else 1.0
            return float(sign * np.linalg.svd(B, compute_uv=False).min(initial=np.inf))

        return self.root(a, b, signed) if signed(b.y) * signed(a.y) < 0 else None

    def eigenvalues(self, y: Array) -> NDArray[np.complex128] | None:
        """Those of the linearisation, with real parts that may be rounding as 0."""
        try:
            values, _, _, errors = eigensystem(self.fixed.linearisation.at(self.point(y)).A)
        except SingularError:
            return None
        return np.asarray(np.where(np.abs(values.real) <= errors, 0.0, values.real) + 1j * values.imag)

    def crossings(self, a: ContinuationPoint, b: ContinuationPoint) -> list[tuple[float, str, float]]:
        """Fractions of the way at which eigenvalues cross the imaginary axis, the kind and the frequency."""
        found, low, last = list[tuple[float, str, float]](), 0.0, self.eigenvalues(b.y)
        for _ in range(len(a.y) + 1):
            first = self.eigenvalues(a.y if not low else self.between(a, b, low))
            if first is None or last is None or unstable(first) == unstable(last):
                break
            near, far = low, 1.0
            for _ in range(BISECTIONS):
                middle = (near + far) / 2
                there = self.eigenvalues(self.between(a, b, middle))
                if there is None:
                    return found
                near, far = (middle, far) if unstable(there) == unstable(first) else (near, middle)
            before, after = (self.eigenvalues(self.between(a, b, s)) for s in (near, far))
            if before is None or after is None:
                break
            more = after if unstable(after) > unstable(before) else before
            crossing = min(more[more.real > 0], key=lambda x: float(x.real))
            kind = "hamiltonian hopf" if abs(on_axis(first) - on_axis(last)) >= 4 else "hopf"
            if abs(crossing.imag) <= REAL * np.abs(more).max():
                kind = REAL_CROSSING
            found.append((far, kind, abs(float(crossing.imag)) if kind != REAL_CROSSING else 0.0))
            low = min(1.0, far + 1e-6)
            if low >= 1.0:
                break
        return found


def unstable(values: NDArray[np.complex128]) -> int:
    return int(np.count_nonzero(values.real > 0))


def on_axis(values: NDArray[np.complex128]) -> int:
    return int(np.count_nonzero((values.real == 0) & (values.imag != 0)))


def rest_value(y: Array, index: int, value: float) -> Array:
    y = y.copy()
    y[index] = value
    return y


def rest_with(rest: RestEquations, point: OperatingPoint, index: int, value: float) -> OperatingPoint:
    return rest.put(point, rest_value(rest.get(point), index, value))


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
