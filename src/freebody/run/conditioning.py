"""The mass matrix where a run begins: speeds that nothing resists, and digits that solving for u̇ loses."""

import warnings
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from freebody.backends import compile
from freebody.errors import SimulationWarning
from freebody.formulations.derivation import Derivation
from freebody.formulations.recursive import Recursive
from freebody.formulations.rolled import Rolled
from freebody.integrate.plant import Plant
from freebody.integrate.record import Status
from freebody.run.cases import CHUNK, Cases
from freebody.run.diagnose import Stop, diagnose, named_speed
from freebody.run.run import Options

Array = NDArray[np.float64]
LOST = 1e-10
"""A user is warned where a pivot is smaller than this part of its entry: ten of sixteen digits are lost there."""

NOTHING = 64 * float(np.finfo(float).eps)
"""A pivot of less may be none at all."""


def inspect(e: Derivation, plant: Plant, cases: Cases, times: Array, options: Options) -> NDArray[np.object_]:
    """For each case the message with which it fails at its start, "" where it does not: forces on its speeds give
    accelerations that are not finite, whether a force acts there or not. Warns once where digits are lost.

    The pivots of the scaled mass matrix, eliminated from the last speed to the first, are 1 where speeds do not know
    each other and 0 where M is singular; units and sizes of the whole system do not change them. Loops over the bodies
    have no expressions that vanish beforehand, so they give no false zeros; articulated bodies lose no digits.
    """
    refused = np.full(len(cases), "", object)
    if isinstance(e, Rolled) or not e.layout.u:
        return refused
    worst = (1.0, 0, 0)
    for start in range(0, len(cases), CHUNK):
        part = cases[start : start + CHUNK]
        left = pivots(plant.machine.mass_matrices(float(times[0]), part.x0, part.parameters, part.inputs))
        low = np.min(left, axis=1)
        for k in np.flatnonzero(low <= NOTHING).tolist():
            if not _moves(e, plant, part[k : k + 1], float(times[0])):
                x, own = part.x0[k], plant.with_values(part.row("parameters", k), part.row("inputs", k))
                stop = Stop(Status.NOT_FINITE, (float(times[0]), x), float(times[0]), x, 0.0, float(times[-1]))
                refused[start + k], low[k] = diagnose(own, stop, options), 1.0
        k = int(np.argmin(low))
        worst = min(worst, (float(low[k]), start + k, int(np.argmin(left[k]))))
    if worst[0] < LOST and _factored(e):
        _warn(plant, worst[0], worst[2])
    return refused


def pivots(M: Array) -> Array:
    """What is left of each diagonal entry when the speeds behind it are eliminated, as a part of it: (cases, n). A
    matrix that is not finite counts as 1: the run says what is wrong with it."""
    inertias = M.diagonal(axis1=1, axis2=2)
    if np.isfinite(M).all() and (inertias > 0).all():
        with suppress(np.linalg.LinAlgError):  # all definite, as they nearly always are
            factors = np.linalg.cholesky(M[:, ::-1, ::-1])  # from the last speed on
            return np.asarray(factors.diagonal(axis1=1, axis2=2)[:, ::-1] ** 2 / inertias)
    n = M.shape[1]
    lost = ~np.all(np.isfinite(M), axis=(1, 2))
    A = np.where(lost[:, None, None], np.eye(n), M)
    size = np.sqrt(np.maximum(np.einsum("kii->ki", A), 0.0))
    positive = np.where(size > 0, size, 1.0)
    A, left = A / (positive[:, :, None] * positive[:, None, :]), np.empty(A.shape[:2])
    for k in reversed(range(n)):
        pivot = A[:, k, k].copy()
        left[:, k] = np.where(size[:, k] > 0, pivot, 0.0)
        usable = np.where(pivot > 0, pivot, np.inf)
        A[:, :k, :k] -= A[:, :k, k, None] * A[:, None, k, :k] / usable[:, None, None]
    return left


def _moves(e: Derivation, plant: Plant, case: Cases, t: float) -> bool:
    """Whether forces on all speeds give finite accelerations."""
    program = e.programs["forward_dynamics"]
    n, m, x = len(e.layout.q), len(e.layout.u), case.x0[0]
    held = {"parameters": case.row("parameters", 0), "inputs": case.row("inputs", 0), "t": np.array([t])}
    held |= {"q": x[:n], "u": x[n : n + m], "z": x[n + m :], "tau": 1.0 + np.arange(m) / max(m, 1)}
    with np.errstate(all="ignore"):
        found = compile(program, "numpy", staged=False)(*(held[g.name] for g in program.groups))
    return bool(np.all(np.isfinite(np.asarray(found))))


def _factored(e: Derivation) -> bool:
    """Whether u̇ comes from M by elimination, wholly or in part; articulated bodies do without."""
    formulation = e.fastest.formulation
    bodies = len(e.forest.links)
    return e.small != [] or not isinstance(formulation, Recursive) or len(formulation.condensing) < bodies


def _warn(plant: Plant, left: float, speed: int) -> None:
    digits = max(0, round(16 + np.log10(max(left, 1e-17))))
    warnings.warn(
        f"{plant.about.system}: the mass matrix is badly conditioned at the start: {named_speed(plant, speed)} is left"
        f" with {left:.1e} of its inertia once the others are eliminated, so about {digits} digits of the accelerations"
        " are right. Lengths or masses of very different size one on another do this. derive('aba') keeps the digits.",
        SimulationWarning, stacklevel=5,
    )  # fmt: skip
