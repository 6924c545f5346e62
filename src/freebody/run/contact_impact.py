"""The impact of one point with Coulomb's friction, by its normal impulse (Routh 1860, Keller 1986; restitution of the
energy, Stronge 1990)."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
NO_SLIP = 1e-12
"""The slip, relative to the speed at which the bodies meet, that is none."""

TURNS = 200
"""The most iterations for the direction of a slip that begins."""

SHORT, STEPS = 0.02, 100_000
"""How much one step changes the slip or the speed of approach, as a fraction, and the most steps of an impact."""


def impact(W: Array, v: Array, mu: float, e: float) -> Array:
    """The impulse (normal, and along both tangents) that ends the approach v[0] < 0. W are the changes of the
    velocities by unit impulses.

    Along the normal impulse p, dv/dp = W (1, f): f = −μ ŝ while the point slips in the direction ŝ, and f = −W_tt⁻¹
    W_tn once it sticks, if that is within the cone |f| ≤ μ; else it slips again. Compression ends where v_n = 0.
    Restitution returns e² of the work that the normal impulse has done until then."""
    scale, v = max(float(np.linalg.norm(v)), 1e-300), np.array(v, float)
    impulse, compressed, released, sticks = np.zeros(3), 0.0, 0.0, False
    direction: Array | None = None
    for _ in range(STEPS):
        slip = float(np.hypot(*v[1:]))
        if not sticks and slip <= NO_SLIP * scale and direction is None:
            v[1:] = 0.0
            f = stick(W)
            sticks = bool(np.hypot(*f) <= mu)
            if not sticks:
                direction = slip_direction(W, mu, f)
        if sticks:
            f = stick(W)
        else:
            f = -mu * (v[1:] / slip if slip > NO_SLIP * scale else _required(direction))
        rate = W @ np.array([1.0, *f])
        step, ends = _step(v, rate, slip, sticks, scale, compressing=released == 0.0 and v[0] < 0)
        if not sticks and slip > NO_SLIP * scale and not ends:
            middle = v + step / 2 * rate
            f = -mu * middle[1:] / np.hypot(*middle[1:])
            rate = W @ np.array([1.0, *f])
        work = step * (v[0] + step * rate[0] / 2)
        if v[0] < 0:
            compressed -= work
        else:
            target = e * e * compressed
            if released + work >= target:  # v_n h + ½ v̇_n h² = what is left
                left, a, b = target - released, rate[0] / 2, v[0]
                step = 2 * left / (b + np.sqrt(max(b * b + 4 * a * left, 0.0))) if left > 0 else 0.0
                return impulse + step * np.array([1.0, *f])
            released += work
        impulse = impulse + step * np.array([1.0, *f])
        v = v + step * rate
        if ends == "slip":
            v[1:] = 0.0
        elif not sticks and float(np.hypot(*v[1:])) > NO_SLIP * scale:
            direction = None
        if ends == "compression":
            v[0] = 0.0
            if e == 0:
                return impulse
    raise ArithmeticError("an impact does not end")


def _required(direction: Array | None) -> Array:
    assert direction is not None
    return direction


def _step(v: Array, rate: Array, slip: float, sticks: bool, scale: float, compressing: bool) -> tuple[float, str]:
    """The impulse of a step, and what ends it: the "compression", the "slip", or nothing."""
    along = straight = 0.0
    if slip > NO_SLIP * scale:
        s = v[1:] / slip
        along = float(rate[1:] @ s)
        straight = float(np.hypot(*(rate[1:] - along * s)))
    limits = list[tuple[float, str]]()
    if compressing and rate[0] > 0:
        limits.append((-v[0] / rate[0], "compression"))
    if not sticks and slip > NO_SLIP * scale:
        exact = straight <= 1e-9 * float(np.hypot(*rate[1:])) or slip < 1e-7 * scale
        if along < 0 and exact:
            limits.append((slip / -along, "slip"))
        elif not exact:
            limits.append((SHORT * slip / float(np.hypot(*rate[1:])), ""))
    if not limits or not (compressing or sticks or limits[0][1] != "compression"):
        limits.append((2 * scale / max(float(np.abs(rate).max()), 1e-300), ""))
    return min(limits)


def stick(W: Array) -> Array:
    """The friction per normal impulse that keeps the slip zero; nothing along tangents in which nothing moves."""
    return np.asarray(-np.linalg.pinv(W[1:, 1:], rcond=1e-10) @ W[1:, 0])


def slip_direction(W: Array, mu: float, f: Array) -> Array:
    """The direction ŝ in which a slip begins that friction cannot prevent: ŝ ∥ W_tn − μ W_tt ŝ."""
    s = -f / np.hypot(*f)
    for _ in range(TURNS):
        new = W[1:, 0] - mu * W[1:, 1:] @ s
        size = float(np.hypot(*new))
        if size == 0:
            break
        new = s + new / size
        new = new / max(float(np.hypot(*new)), 1e-300)
        if np.abs(new - s).max() < 1e-14:
            break
        s = new
    return np.asarray(s)
