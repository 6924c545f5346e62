"""The curve of equilibria over a parameter, for continuation: points on it, directions along it, and where folds,
branch points and Hopf points are between two points.

The equations of rest r(y) = 0 have one more unknown than for an equilibrium, the parameter. A point is predicted along
the null vector of J = ∂r/∂y and corrected at right angles to it. Distances are measured in the magnitudes of
coordinates and in the range of the parameter; multipliers of constraints do not count. J may have dependent rows and
columns (equations of redundant constraints and their multipliers); all decisions are by its singular values.

A fold is where the null vector has no part along the parameter. At a branch point the rank of J falls: the determinant
of Uᵀ J V changes its sign, with U and V the singular vectors of J at the point before. Hopf points are where a complex
pair of eigenvalues of the linearisation crosses the imaginary axis.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.equilibrium import DEPENDENT, Equilibrium, RestEquations, equilibrium
from freebody.analysis.linear import eigensystem
from freebody.analysis.manifold import SingularError
from freebody.analysis.state_equations import OperatingPoint
from freebody.errors import ArgumentError
from freebody.names import Q, U
from freebody.tables import listed

Array = NDArray[np.float64]
TURN = 0.25
"""The largest angle between the directions at neighbouring points, in rad."""

CORRECTION, ITERATIONS = 0.3, 12
"""The largest correction of a step, as a fraction of it; the most Newton steps."""

SMALL = 1e-3
"""Parts of a direction below this fraction of the largest are not named; a cut for singular values."""

REAL = 1e-6
"""An eigenvalue is real if its imaginary part is below this part of the largest one."""

REAL_CROSSING = "real"
"""A real eigenvalue crosses zero: at folds and branch points."""

UPRIGHT = 1e-8
"""A direction of length 1 whose part along the parameter is less than this has none: it is rounding."""

BISECTIONS = 45


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


class EquilibriumCurve:
    """The curve of equilibria of ``rest``, whose first trimmed unknown is the parameter, between two of its values;
    ``fixed`` are the equations at a given value."""

    def __init__(
        self,
        rest: RestEquations,
        fixed: RestEquations,
        name: str,
        guess: OperatingPoint,
        ends: tuple[float, float],
        step: float,
    ) -> None:
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
        order = [int(k) for k in np.argsort(-parts) if parts[k] > SMALL * parts.max(initial=0.0) and k != self.index]
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
                return None if left and cut < SMALL else (y, k + 1)
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
        """Where the direction has no part along the parameter. On a branch at one value of the parameter, such as a
        column that buckles in a linear model, this part is rounding throughout."""
        ends = [float(self.weights[self.index] * one.direction[self.index]) for one in (a, b)]
        if ends[0] * ends[1] >= 0 or max(map(abs, ends)) < UPRIGHT:
            return None
        chord = b.y - a.y

        def along(y: Array) -> float:
            return float(self.direction(y, chord)[self.index])

        return self.root(a, b, along) if along(a.y) * along(b.y) < 0 else None

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
