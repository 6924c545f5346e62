"""Inverse dynamics of systems whose motion is produced by some actuators: forces on a few speeds, and constraints."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError

Array = NDArray[np.float64]
TOLERANCE, DEPENDENT = 1e-6, 1e-10
"""The largest part of the forces or accelerations that may be left, and singular values that count as zero; relative
to the largest."""

STILL = 1e-10
"""Accelerations (m/s² or rad/s²) up to this size are rounding errors: those of a system at rest, where γ is zero."""


def actuated_speeds(actuated: Sequence[str] | str, speeds: Sequence[str]) -> list[int]:
    """The indices of the speeds that have actuators."""
    names = [actuated] if isinstance(actuated, str) else list(actuated)
    wrong = next((n for n in names if n not in speeds), None)
    if wrong is not None:
        raise ArgumentError(f"actuated: {wrong!r} is not a speed; choose from {', '.join(speeds)}")
    if len(set(names)) < len(names):
        raise ArgumentError(f"actuated: a speed is named twice in {', '.join(names)}; name each actuator once")
    return [speeds.index(n) for n in names]


def actuator_forces(
    required: Array,
    bias: Array,
    u_dot: ArrayLike,
    constraint: Mapping[str, Array],
    actuators: Sequence[int],
    speeds: Sequence[str],
    rows: Sequence[str],
) -> Array:
    """The smallest tau, zero but for the actuators, with tau + Gᵀλ = ``required``, M u̇ − f; ``bias`` is f.

    P = 1 − G⁺G keeps what constraints do not take, so that P tau = P required."""
    G, gamma = constraint["G"], constraint["gamma"]
    n = required.shape[-1]
    rates = np.broadcast_to(np.asarray(u_dot, dtype=float), required.shape)
    if len(rows):
        _require_consistent(G, gamma, rates, rows)
    P = np.eye(n) - (np.linalg.pinv(G, rcond=DEPENDENT) @ G if len(rows) else 0.0)
    wanted = (P @ required[..., None])[..., 0]
    columns = np.broadcast_to(P, (*required.shape[:-1], n, n))[..., list(actuators)]
    forces = (np.linalg.pinv(columns, rcond=DEPENDENT) @ wanted[..., None])[..., 0]
    left = np.abs(wanted - (columns @ forces[..., None])[..., 0])
    scale = np.maximum(np.abs(required), np.abs(bias)).max(axis=-1, initial=0.0)[..., None]
    excess = left - TOLERANCE * scale
    if np.any(excess > 0):
        where, k, amount = _largest(excess, left)
        raise ArgumentError(
            f"the actuators ({', '.join(speeds[k] for k in actuators) or 'none'}) cannot produce the accelerations"
            f"{where}: {amount:.3g} of the generalised force on '{speeds[k]}' is supplied neither by actuators nor by"
            " constraints. Add actuators, or give accelerations that forward_dynamics returns"
        )
    tau = np.zeros(required.shape)
    tau[..., list(actuators)] = forces
    return tau


def _require_consistent(G: Array, gamma: Array, u_dot: Array, rows: Sequence[str]) -> None:
    """Raise for accelerations that constraints do not allow."""
    found = (G @ u_dot[..., None])[..., 0]
    left = np.abs(found - gamma)
    scale = (np.abs(G) @ np.abs(u_dot)[..., None])[..., 0] + np.abs(gamma)
    rounding = STILL * np.abs(G).max(axis=-1, initial=0.0)
    excess = left - TOLERANCE * np.maximum(scale, scale.max(axis=-1, keepdims=True)) - rounding
    if np.any(excess > 0):
        where, k, amount = _largest(excess, left)
        raise ArgumentError(
            f"the accelerations{where} violate the constraint '{rows[k]}': the two sides of G u̇ = γ differ by"
            f" {amount:.3g}. Give u̇ that the constraints allow, such as those of forward_dynamics"
        )


def _largest(excess: Array, left: Array) -> tuple[str, int, float]:
    """Where an excess is largest: the state of a batch in words, the last index, and what is left there."""
    at = tuple(int(i) for i in np.unravel_index(int(np.argmax(excess)), excess.shape))
    return f" of state {at[0]}" if len(at) > 1 else "", at[-1], float(left[at])
