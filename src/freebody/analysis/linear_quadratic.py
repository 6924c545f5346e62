"""Gains by quadratic costs: regulators and observers of linear systems, continuous and sampled, by SciPy's solvers of
Riccati's equations (Anderson & Moore 1990, ch. 2, 7 and 9)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.analysis.discrete_linear import DiscreteLinear, accumulated, positive
from freebody.analysis.linear import EDGE, Hidden, Linear, reach
from freebody.errors import ArgumentError
from freebody.keywords import keyword_hints
from freebody.run.arguments import by_name, number, numbers, require_names
from freebody.tables import listed

Array = NDArray[np.float64]
Weights = ArrayLike | Mapping[str, float]
SYMMETRIC = 1e-9
"""A weight is symmetric, and has no negative eigenvalue, up to this part of its largest entry."""


@keyword_hints
def bryson(largest: Mapping[str, float]) -> dict[str, float]:
    """Weights by Bryson's rule: 1/x² for the largest acceptable deviation x of each state or input, by name."""
    sizes = {name: number(x, f"bryson: '{name}'") for name, x in by_name(largest, "bryson", "{'q.arm': 0.1}").items()}
    wrong = next((name for name, x in sizes.items() if x <= 0), None)
    if wrong is not None:
        raise ArgumentError(f"bryson: the largest deviation of '{wrong}' must be positive, not {sizes[wrong]:g}")
    return {name: 1 / x**2 for name, x in sizes.items()}


@keyword_hints
def lqr(linear: Linear | DiscreteLinear, Q: Weights, R: Weights, period: float | None = None) -> Array:
    """The gains K, inputs × states, of w = w₀ − K ξ that minimise ∫ ξᵀQξ + vᵀRv dt, with v = w − w₀. For
    ``linear.discretize(T)`` they minimise the sum of ξᵀQξ + vᵀRv over the samples. With ``period`` they are for a
    continuous system whose inputs are held over this time, and minimise the same integral as without.

    Q and R are matrices, rows of diagonal entries, one number for all, or diagonal entries by the names of states and
    inputs ({"q.arm": 100}; 0 for states left out); ``fb.bryson`` computes them from largest deviations."""
    from scipy.linalg import solve_continuous_are, solve_discrete_are

    n, sampled = len(linear.A), isinstance(linear, DiscreteLinear)
    q = weights(Q, linear.states, "lqr: Q", "state", definite=False)
    r = weights(R, linear.inputs, "lqr: R", "input", definite=True)
    _require_reach(linear, "lqr", "stabilised", "inputs", linear.controllability().lasting)
    _require_seen(linear.A, q, linear.states, "lqr", "Q", sampled)
    if period is None and not sampled:
        S = _solved(solve_continuous_are, "lqr", linear.A, linear.B, q, r)
        return np.asarray(np.linalg.solve(r, linear.B.T @ S), float)
    A, B, cross = linear.A, linear.B, np.zeros((n, len(r)))
    if period is not None:
        held = _sampled(linear, period, "lqr")
        _require_reach(held, "lqr", "stabilised", "inputs", held.controllability().lasting)
        zero = np.zeros((len(r), n + len(r)))
        F, W = np.vstack([np.hstack([A, B]), zero]), np.block([[q, cross], [cross.T, r]])
        W, A, B = accumulated(F, W, held.period), held.A, held.B
        q, cross, r = W[:n, :n], W[:n, n:], W[n:, n:]
    S = _solved(solve_discrete_are, "lqr", A, B, q, r, s=cross)
    return np.asarray(np.linalg.solve(r + B.T @ S @ B, B.T @ S @ A + cross.T), float)


@keyword_hints
def lqe(linear: Linear | DiscreteLinear, Q: Weights, R: Weights, period: float | None = None) -> Array:
    """The gains L, states × outputs, of the steady Kalman filter d/dt ξ̂ = A ξ̂ + B v + L (y − ŷ), ŷ = C ξ̂ + D v. Q are
    spectral densities of white noise that drives the states and the inputs, R those of the outputs' noise: matrices,
    rows of diagonal entries, one number for all, or diagonal entries by name. Names in Q may be those of states and of
    inputs ({"motor": 0.01}: noise that acts as the input does); a matrix or row is of the states.

    For ``linear.discretize(T)`` Q and R are covariances of each sample, and L is that of the predictor
    ξ̂⁺ = A ξ̂ + B v + L (y − ŷ). With ``period`` the densities of a continuous system are accumulated over this time, and
    measured values have the covariance R/period."""
    from scipy.linalg import solve_continuous_are, solve_discrete_are

    sampled = isinstance(linear, DiscreteLinear)
    q = _process(Q, linear)
    r = weights(R, linear.outputs, "lqe: R", "output", definite=True)
    _require_reach(linear, "lqe", "estimated", "outputs", linear.observability().lasting)
    _require_seen(linear.A.T, q, linear.states, "lqe", "Q", sampled)
    if period is None and not sampled:
        P = _solved(solve_continuous_are, "lqe", linear.A.T, linear.C.T, q, r)
        return np.asarray(np.linalg.solve(r, linear.C @ P).T, float)
    A, C = linear.A, linear.C
    if period is not None:
        held = _sampled(linear, period, "lqe")
        _require_reach(held, "lqe", "estimated", "outputs", held.observability().lasting)
        q, r, A = accumulated(A.T, q, held.period), r / held.period, held.A
    P = _solved(solve_discrete_are, "lqe", A.T, C.T, q, r)
    return np.asarray(np.linalg.solve(r + C @ P @ C.T, C @ P @ A.T).T, float)


def weights(value: Any, names: Sequence[str], context: str, what: str, definite: bool) -> Array:
    """A symmetric matrix without negative eigenvalues, or with positive ones."""
    n = len(names)
    if isinstance(value, Mapping):
        require_names(list(names), value, what, context)
        missing = [name for name in names if name not in value]
        if definite and missing:
            raise ArgumentError(f"{context}: {what} '{missing[0]}' has no weight, and it must be positive")
        value = [value.get(name, 0.0) for name in names]
    array = numbers(value, context)
    matrix = np.diag(np.broadcast_to(array, n)) if array.ndim == 0 or array.shape == (n,) else array
    if matrix.shape != (n, n):
        raise ArgumentError(
            f"{context} has shape {array.shape}: give {n} numbers, or {n} × {n}, one for each {what}:"
            f" {listed(names, 12)}"
        )
    size = float(np.abs(matrix).max(initial=0.0))
    if np.abs(matrix - matrix.T).max(initial=0.0) > SYMMETRIC * size:
        raise ArgumentError(f"{context} is not symmetric")
    matrix = (matrix + matrix.T) / 2
    least = float(np.linalg.eigvalsh(matrix).min(initial=np.inf))
    if (definite and least <= 0) or least < -SYMMETRIC * size:
        needed = "positive" if definite else "positive or zero"
        raise ArgumentError(f"{context} has the eigenvalue {least:.4g}; all must be {needed}")
    return matrix


def _process(value: Any, linear: Linear | DiscreteLinear) -> Array:
    """The noise of the states: their own, and that of inputs through B."""
    if not isinstance(value, Mapping):
        return weights(value, linear.states, "lqe: Q", "state", definite=False)
    known = [*linear.states, *linear.inputs]
    require_names(known, value, "state or input", "lqe: Q")
    of_inputs = {name: x for name, x in value.items() if name in linear.inputs}
    own = {name: x for name, x in value.items() if name not in linear.inputs}
    through = weights([of_inputs.get(n, 0.0) for n in linear.inputs], linear.inputs, "lqe: Q", "input", False)
    return weights(own, linear.states, "lqe: Q", "state", False) + linear.B @ through @ linear.B.T


def _sampled(linear: Linear | DiscreteLinear, period: Any, call: str) -> DiscreteLinear:
    if isinstance(linear, DiscreteLinear):
        raise ArgumentError(f"{call}: this system is sampled already, each {linear.period:g} s; leave out period")
    return linear.discretize(positive(period, f"{call}: period"))


def _require_reach(
    linear: Linear | DiscreteLinear, call: str, done: str, doors: str, lasting: Sequence[Hidden]
) -> None:
    """Raise if modes that do not decay are hidden from the inputs (or outputs)."""
    if not lasting:
        return
    names = linear.inputs if doors == "inputs" else linear.outputs
    one = len(lasting) == 1
    verb = ("is" if one else "are") + (" not reached by" if doors == "inputs" else " not seen in")
    raw = any(name.endswith(".qw") for name in linear.states)
    remedy = f"add {doors} that do, or leave out what cannot be {done}: linearize(…, {doors}=[…])"
    if raw:
        remedy = "quaternions have one component too many: use the minimal states, linearize(minimal=True)"
    if isinstance(linear, DiscreteLinear):
        remedy += (
            f". It is sampled each {linear.period:g} s: modes whose frequencies differ by a multiple of"
            f" {2 * np.pi / linear.period:.4g} rad/s look alike then"
        )
    raise ArgumentError(
        f"{call}: this system cannot be {done}, as {_modes(lasting)} not decay and {verb} the {doors}"
        f" ({listed(names, 6)}); {remedy}"
    )


def _modes(hidden: Sequence[Hidden]) -> str:
    shown = "; ".join(f"{h.value:.4g} ({', '.join(h.states)})" for h in hidden[:4])
    more = f" and {len(hidden) - 4} more" if len(hidden) > 4 else ""
    return f"the mode {shown} does" if len(hidden) == 1 else f"the modes {shown}{more} do"


def _require_seen(A: Array, Q: Array, states: Sequence[str], call: str, name: str, sampled: bool) -> None:
    """Raise if modes on the stability boundary have no weight: Riccati's equation then has no stabilising solution."""
    values, vectors = np.linalg.eigh(Q)
    roots = vectors * np.sqrt(np.maximum(values, 0.0))
    unseen = reach(A.T, roots, states, "weighted", sampled=sampled).hidden
    edge = [h for h in unseen if abs(abs(h.value) - 1 if sampled else h.value.real) <= EDGE * max(1.0, abs(h.value))]
    if edge:
        what = "weights" if call == "lqr" else "noise"
        raise ArgumentError(f"{call}: {name} gives no {what} to {_modes(edge)} not decay; give these states some")


def _solved(solve: Any, call: str, *matrices: Array, **more: Array) -> Array:
    try:
        return np.asarray(solve(*matrices, **more), float)
    except np.linalg.LinAlgError as error:
        raise ArgumentError(
            f"{call}: Riccati's equation could not be solved ({error}). The weights may differ too much in size; see"
            " controllability(), observability() and modes() of the linear system"
        ) from None
