"""Lyapunov functions of equilibria at rest: the energy, and quadratic forms by the Lyapunov equation, with an estimate
of the region of attraction (Khalil 2002, ch. 4 and 8).

The energy E = T + 𝒱 changes at Ė = ∂E/∂q q̇ + u · (f + tau), without an inverse of M, because ∂E/∂u = M u; forces of
constraints that do not depend on time do no work. With K the second derivative of 𝒱 along the motions that constraints
allow, E − E₀ is positive around the equilibrium where K is.

A quadratic form V = yᵀ P y with Aᵀ P + P A = −Q decreases near an equilibrium with the linearisation ẏ = A y; y are
displacements along the directions of q, speeds and extra states. The estimate of its region is the largest level below
which V̇ < 0 on many rays; the worst of them are improved by a random search.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.equilibrium import Equilibria, Equilibrium
from freebody.analysis.linear import Linear
from freebody.analysis.linearise import assembled
from freebody.analysis.lyapunov_function import Displacements, LyapunovFunction
from freebody.analysis.manifold import NullSpace
from freebody.analysis.state_equations import OperatingPoint, StateEquations, random_point
from freebody.errors import ArgumentError
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.tables import listed
from freebody.tree.energy import kinetic, potential

Array = NDArray[np.float64]
SAMPLES, CONSTRAINED = 200, 20
"""Random states at which the sign of Ė is looked at; those of systems with constraints must be assembled."""

ROUNDING = 1e-9
"""Rates below this part of their terms are zero."""

LARGEST, SCAN = 1e3, 40
"""How far rays are followed, in units of the form's smallest axis, and points on each."""

WORST, BESIDE, ROUNDS, WIDE, NARROWER = 3, 12, 10, 0.3, 0.55
"""How many rays are improved, by how many random ones beside each, how often, how far beside at first and then."""

STEP = 1e-6
STATIONARY = 1e-7
"""The energy is stationary where its slopes are below this part of its second derivatives."""

NONE = "no conclusion"


def energy_function(
    state: StateEquations, found: Equilibrium, linear: Linear, others: Callable[[], Equilibria], starts: int
) -> LyapunovFunction:
    """V = E − E₀, where no motion is prescribed and no extra state stores energy."""
    _require_energy(state)
    s, g, point = state, state.graph, found.point
    motion = s.e.formulation.motion
    T, V = s.scope.copy([kinetic(motion), potential(motion)])
    energy = g.add(T, V)
    rate = jvp(g, [energy], dict(zip(s.groups["q"], s.q_dot, strict=True)))[0]
    for u, f in zip(s.groups["u"], s.force, strict=True):
        rate = g.add(rate, g.mul(u, f))
    function = s.function("lyapunov", {"V": [energy], "rate": [rate], "T": [T]})
    start, n = float(function(point)["V"][0]), len(linear.states) // 2
    values, rates = at_rows(function, "V", point), at_rows(function, "rate", point)
    H = energy_hessian(s, point, linear)
    if rest_power(s, rate, point, linear) > STATIONARY * (1 + np.abs(H[:n, :n]).max(initial=0.0)):
        raise ArgumentError(
            f"system '{s.name}': inputs or loads without a potential hold this equilibrium, so that the energy has no"
            " minimum there; use method='quadratic'"
        )
    samples = [function(one) for one in sample_states(s, point, np.random.default_rng(3))]
    powers = np.array([one["rate"][0] / max(float(one["T"][0]), 1.0) for one in samples]) / (1 + len(s.layout.u))
    verdict, why = _verdict(H[:n, :n], powers, found)
    level, region = (0.0, "none") if verdict == NONE else (np.inf, "no other equilibrium was found")
    if verdict != NONE:
        heights = [float(function(replace(e.point, u=0 * e.point.u))["V"][0]) - start for e in others()]
        heights = [h for h in heights if h > ROUNDING * (1 + abs(start))]
        if heights:
            level, region = min(heights), f"the lowest other equilibrium of {starts} searches"
    shifted = Expr(g, g.sub(energy, g.const(start)))
    return LyapunovFunction(
        "energy",
        found,
        linear.states,
        H,
        verdict,
        why,
        level,
        region,
        shifted,
        _values=lambda x: values(x) - start,
        _rates=rates,
        _lift=minimal_lift(s, point, linear),
    )


def _require_energy(s: StateEquations) -> None:
    """Raise where the energy is no function of the state, or not of all of it."""
    if any(given is not None for link in s.e.tree.links for given in link.body.prescribed):
        raise ArgumentError(
            f"system '{s.name}': it has prescribed motions, so that its energy is not a Lyapunov function; leave"
            " these motions free, or use method='quadratic'"
        )
    if len(s.corrections) < len(s.layout.z):
        raise ArgumentError(
            f"system '{s.name}': the extra states {listed(s.layout.z)} are not part of its energy; use"
            " method='quadratic'"
        )


def _verdict(K: Array, powers: Array, found: Equilibrium) -> tuple[str, str]:
    """What follows from the stiffness, from powers at random states, and from the eigenvalues; and why."""
    size = max(float(np.abs(K).max(initial=0.0)), 1e-300)
    if np.linalg.eigvalsh((K + K.T) / 2).min(initial=1.0) <= ROUNDING * size:
        return NONE, "the potential energy has no minimum here along all free motions"
    grows = np.count_nonzero(powers > ROUNDING)
    if grows:
        return NONE, f"the energy grows at {grows} of {len(powers)} random states"
    if found.stability == "unstable":
        return NONE, "the energy grows near the equilibrium"
    if np.all(powers >= -ROUNDING):
        return "stable", f"the energy has a minimum and is conserved (at {len(powers)} random states)"
    if found.stability == "stable":
        return "asymptotically stable", "the energy has a minimum and decreases, and no motion keeps it"
    return "stable", "the energy has a minimum and does not grow"


def sample_states(s: StateEquations, point: OperatingPoint, random: np.random.Generator) -> list[OperatingPoint]:
    """Random states at the inputs of a point; with constraints some that satisfy them."""
    states = list[OperatingPoint]()
    G = s.function("constraint_matrix", {"G": s.constraint_matrix})
    for _ in range(CONSTRAINED if s.row_names else SAMPLES):
        at = replace(random_point(s, point, random), t=point.t, inputs=point.inputs, tau=point.tau)
        if s.row_names:
            try:
                at = assembled(s, replace(at, u=np.zeros_like(at.u)), (), bend=True)
            except ArgumentError:
                continue
            free = NullSpace(G(at)["G"].reshape(-1, len(at.u))).basis
            at = replace(at, u=free @ random.normal(size=free.shape[1]))
        states.append(at)
    return states


def at_rows(function: Callable[..., Mapping[str, Array]], key: str, point: OperatingPoint) -> Callable[[Array], Array]:
    """A value of a function of a point, at rows of states."""
    n, m = len(point.q), len(point.u)

    def call(x: Array) -> Array:
        t = np.full((len(x), 1), float(np.ravel(point.t)[0]))
        z = x[:, n + m :] if len(point.z) else np.zeros(0)
        result = function(replace(point, q=x[:, :n], u=x[:, n : n + m], z=z, t=t, multipliers=np.zeros(0)))[key]
        return np.asarray(np.broadcast_to(np.ravel(result), len(x)), float)

    return call


def velocity_map(s: StateEquations, linear: Linear) -> Array:
    """S: speeds for those among the minimal states."""
    n, m = len(linear.states) // 2, len(s.layout.u)
    names = list(s.keys[len(s.layout.q) : len(s.layout.q) + m])
    S = np.zeros((m, n))
    for column, state in enumerate(linear.states[n:]):
        S[names.index(state), column] = 1.0
    for row, dependent in enumerate(linear.dependent):
        if dependent in names:
            S[names.index(dependent)] = linear.dependence[row, n:]
    return S


def energy_hessian(s: StateEquations, point: OperatingPoint, linear: Linear) -> Array:
    """diag(K, M) in the minimal states: M = Sᵀ M S, and K = −M A_uq, as u̇ = −M⁻¹ K q at speeds 0."""
    n, m, S = len(linear.states) // 2, len(s.layout.u), velocity_map(s, linear)
    M = S.T @ s.function("mass", {"M": s.mass_rows})(point)["M"].reshape(m, m) @ S
    H = np.zeros((2 * n, 2 * n))
    H[:n, :n], H[n:, n:] = -M @ linear.A[n:, :n], M
    return (H + H.T) / 2


def rest_power(s: StateEquations, rate: int, point: OperatingPoint, linear: Linear) -> float:
    """The largest rate of the energy per speed at the equilibrium, which is that of loads without a potential."""
    S = velocity_map(s, linear)
    function = s.function("rest_power", {"rate": [rate]})
    powers = [float(function(replace(point, u=STEP * column))["rate"][0]) / STEP for column in S.T]
    return float(np.abs(powers).max(initial=0.0))


def minimal_lift(s: StateEquations, point: OperatingPoint, linear: Linear) -> Callable[[Array], Array]:
    """States from changes of the minimal states; with constraints to first order."""
    if not s.row_names:
        return Displacements(s, point).states
    keys = list(s.keys)

    def lift(y: Array) -> Array:
        x = np.tile(point.x, (len(y), 1))
        for k, name in enumerate(linear.states):
            if name in keys:
                x[:, keys.index(name)] += y[:, k]
        for k, name in enumerate(linear.dependent):
            if name in keys:
                x[:, keys.index(name)] += y @ linear.dependence[k]
        return x

    return lift


def quadratic_function(
    state: StateEquations, found: Equilibrium, linear: Linear, weight: Any, rays: int, seed: int
) -> LyapunovFunction:
    """V = yᵀ P y with Aᵀ P + P A = −Q, and the largest level below which V̇ < 0 on rays."""
    from scipy.linalg import solve_continuous_lyapunov

    s, A, n = state, linear.A, len(linear.states)
    if not s.holonomic:
        raise ArgumentError(
            f"system '{s.name}' has nonholonomic joints: its equilibria are not isolated, so that they have no region"
            " of attraction"
        )
    if linear.stability != "stable":
        slow = max(found.eigenvalues.real, default=0.0)
        raise ArgumentError(
            f"system '{s.name}': the Lyapunov equation needs eigenvalues to the left of the imaginary axis; the largest"
            f" real part here is {slow:.4g}. Add damping or feedback, or use method='energy'"
        )
    W = np.eye(n) if weight is None else np.asarray(weight, float)
    W = np.diag(W) if W.ndim == 1 else W
    if W.shape != (n, n) or not np.allclose(W, W.T) or not np.linalg.eigvalsh((W + W.T) / 2).min(initial=1.0) > 0:
        raise ArgumentError(
            f"Q must be a symmetric positive definite matrix of {n} rows, or its diagonal, for the states"
            f" {listed(linear.states)}"
        )
    P = np.asarray(solve_continuous_lyapunov(A.T, -W), float)
    P = (P + P.T) / 2
    places, point = Displacements(s, found.point), found.point
    x_dot = s.function("lyapunov_rates", {"x_dot": s.x_dot})
    nq, nu = len(point.q), len(point.u)

    def values(x: Array) -> Array:
        y = places.of(x)
        return np.asarray(np.einsum("ki,ij,kj->k", y, P, y))

    def motion(x: Array) -> Array:
        t = np.full((len(x), 1), float(np.ravel(point.t)[0]))
        rows = replace(
            point, q=x[:, :nq], u=x[:, nq : nq + nu], z=x[:, nq + nu :] if len(point.z) else np.zeros(0), t=t
        )
        return x_dot(rows)["x_dot"].reshape(len(x), -1)

    def rates(x: Array) -> Array:
        step = STEP * motion(x)
        ahead, behind = (places.of(x + side * step) for side in (1, -1))
        return np.asarray(np.einsum("ki,ij,kj->k", places.of(x), P, (ahead - behind) / STEP))

    def rates_at(y: Array) -> Array:
        """The same for displacements, to first order in the step, in half of the time."""
        x = places.states(y)
        return np.asarray(np.einsum("ki,ij,kj->k", y, P, 2 * (places.of(x + STEP * motion(x)) - y) / STEP))

    square = np.linalg.cholesky(np.linalg.inv(P))
    level = level_of(rates_at, square, rays, seed)
    region = f"V̇ < 0 below it on {rays} rays" if np.isfinite(level) else f"V̇ < 0 on {rays} rays as far as they went"
    why = "all eigenvalues lie to the left of the imaginary axis"
    return LyapunovFunction(
        "quadratic",
        found,
        linear.states,
        P,
        "asymptotically stable",
        why,
        level,
        region,
        _values=values,
        _rates=rates,
        _lift=places.states,
    )


def level_of(rate: Callable[[Array], Array], square: Array, rays: int, seed: int) -> float:
    """The smallest yᵀ P y at which V̇ ≥ 0 on rays y = r L d with L Lᵀ = P⁻¹, where V = r²; the worst are improved."""
    n, random = len(square), np.random.default_rng(seed)
    directions = random.normal(size=(rays, n))
    directions = np.vstack([directions, np.eye(n), -np.eye(n)])
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)

    def radii(d: Array) -> Array:
        """The first radius on each ray at which V̇ ≥ 0."""
        reach = LARGEST / max(1e-12, float(np.linalg.norm(square, 2)))
        r = np.geomspace(1e-3, 1.0, SCAN) * reach
        y = (r[:, None, None] * d[None]).reshape(-1, n) @ square.T
        with np.errstate(all="ignore"):
            bad = ~(rate(y).reshape(SCAN, len(d)) < 0)
        first = np.where(bad.any(axis=0), bad.argmax(axis=0), SCAN)
        low, high = (r[np.clip(first - side, 0, SCAN - 1)] for side in (1, 0))
        for _ in range(30):
            middle = (low + high) / 2
            with np.errstate(all="ignore"):
                grows = ~(rate((middle[:, None] * d) @ square.T) < 0)
            low, high = np.where(grows, low, middle), np.where(grows, middle, high)
        return np.where(first < SCAN, low, np.inf)

    found = radii(directions)
    best = float(found.min(initial=np.inf))
    if not np.isfinite(best):
        return np.inf
    worst, spread = directions[np.argsort(found)[:WORST]], WIDE
    for _ in range(ROUNDS):
        beside = np.repeat(worst, BESIDE, axis=0)
        trial = np.vstack([worst, beside + spread * random.normal(size=beside.shape)])
        trial /= np.linalg.norm(trial, axis=1, keepdims=True)
        found = radii(trial)
        order = np.argsort(found)[:WORST]
        worst, best, spread = trial[order], float(found[order[0]]), spread * NARROWER
    return best**2
