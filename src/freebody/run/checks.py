"""Checks before a run begins: masses and inertias that parameters make impossible, mass matrices that are singular or
badly conditioned."""

from collections.abc import Mapping
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from freebody.backends import compile
from freebody.errors import ArgumentError, SimulationWarning, warn
from freebody.formulations.derivation import Derivation
from freebody.formulations.recursive import Recursive
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.record import Status
from freebody.run.cases import CHUNK, Cases
from freebody.run.diagnose import Stop, diagnose, named_speed, too_deformed
from freebody.run.indefinite_mass import most_deformed
from freebody.run.options import RunOptions

Array = NDArray[np.float64]
SLACK = 1e-9
LOST = 1e-10
"""A user is warned where a pivot is smaller than this fraction of its entry: ten of sixteen digits are lost there."""

MOST = 10
"""Cases of rolled equations whose mass matrix is inspected; it may have hundreds of rows."""

ZERO_PIVOT = 64 * float(np.finfo(float).eps)
"""A smaller pivot may be zero."""


def check_bodies(compiled: CompiledSystem, parameters: Array, defaults: Mapping[str, float]) -> None:
    """Refuse parameters (a row, or one for each case) that give a body a mass or an inertia that no body has: masses
    are not negative, nor are principal moments, of which none is larger than the sum of the others. Bodies that are as
    the defaults make them are not judged."""
    rows, default = np.atleast_2d(parameters), np.array([[defaults[n] for n in compiled.parameters]])
    if not rows.size or np.all(rows == default):
        return
    program, shape = compiled.mechanics.programs.bodies.value, (len(compiled.about.elements), 13)
    assert program is not None, "called for mechanical systems only"
    f = compiled.free(program, staged=False)
    before, after = (
        np.broadcast_to(
            np.asarray(f(*(p if g.name == "parameters" else np.zeros(g.size) for g in f.groups))), (len(p), *shape)
        )
        for p in (default, rows)
    )
    for k, element in enumerate(compiled.about.elements):
        changed = np.flatnonzero(np.any(after[:, k] != before[0, k], axis=1))
        if not len(changed):
            continue
        bodies = after[changed, k]  # mass, mass centre, inertia
        finite = np.all(np.isfinite(bodies), axis=1, keepdims=True)
        moments = np.linalg.eigvalsh(np.where(finite, bodies, 0.0)[:, 4:].reshape(-1, 3, 3))
        slack = SLACK * np.abs(moments).max(axis=1)
        skew = moments[:, 2] > moments[:, 0] + moments[:, 1] + slack
        case = int(np.argmax((bodies[:, 0] < 0) | (moments[:, 0] < -slack) | skew))
        if bodies[case, 0] < 0:
            why = f"mass of '{element.name}' is {bodies[case, 0]:g}; it cannot be negative"
        elif moments[case, 0] < -slack[case]:
            why = f"inertia of '{element.name}' has a negative principal moment, {moments[case, 0]:.6g}"
        elif skew[case]:
            why = f"inertia of '{element.name}' has principal moments {', '.join(f'{m:.6g}' for m in moments[case])};"
            why += " no body has one moment larger than the sum of the others"
        else:
            continue
        values = zip(compiled.parameters, rows[changed[case]], default[0], strict=True)
        differ = ", ".join(f"{n} = {value:g}" for n, value, usual in values if value != usual)
        raise ArgumentError(f"{compiled.about.system}: with {differ} the {why}")


def check_mass_matrices(
    e: Derivation, compiled: CompiledSystem, cases: Cases, times: Array, options: RunOptions
) -> NDArray[np.object_]:
    """For each case the message with which it fails at its start, "" where it does not: forces on its speeds give
    accelerations that are not finite, whether a force acts there or not. Warns once where digits are lost.

    The pivots of the scaled mass matrix, eliminated from the last speed to the first, are 1 where speeds are not
    coupled and 0 where M is singular; units and sizes of the whole system do not change them. Of rolled equations the
    most deformed cases alone are inspected: these equations have no expressions that vanish beforehand, and articulated
    bodies lose no digits.
    """
    refused, t0 = np.full(len(cases), "", object), float(times[0])
    if not e.layout.u:
        return refused
    if e.rolled:
        for k in most_deformed(compiled, cases.x0[:, None])[:MOST].tolist():
            deformed = too_deformed(cases.of_case(compiled, k), t0, cases.x0[k])
            refused[k] = f"at t = {t0:.6g} s the run could not begin. {deformed}" if deformed else ""
        return refused
    worst = (1.0, 0, 0)
    for start in range(0, len(cases), CHUNK):
        part = cases[start : start + CHUNK]
        left = pivots(compiled.mechanics.mass_matrices(t0, part.x0, part.parameters, part.inputs))
        if (left >= LOST).all():
            continue
        low = np.min(left, axis=1)
        for k in np.flatnonzero(low <= ZERO_PIVOT).tolist():
            x, of_case = part.x0[k], part.of_case(compiled, k)
            negative = np.any((left[k] < -LOST) | (left[k] == 0))  # 0 where the entry itself is not positive
            deformed = too_deformed(of_case, t0, x) if negative else ""
            if deformed:
                refused[start + k], low[k] = f"at t = {t0:.6g} s the run could not begin. {deformed}", 1.0
            elif not _accelerates(e, part[k : k + 1], t0):
                stop = Stop(Status.NOT_FINITE, (t0, x), t0, x, 0.0, float(times[-1]))
                refused[start + k], low[k] = diagnose(of_case, stop, options), 1.0
        k = int(np.argmin(low))
        worst = min(worst, (float(low[k]), start + k, int(np.argmin(left[k]))))
    formulation = e.fastest.formulation
    articulated = isinstance(formulation, Recursive) and len(formulation.condensing) >= len(e.tree.links)
    if worst[0] < LOST and (e.small or not articulated):
        digits = max(0, round(16 + np.log10(max(worst[0], 1e-17))))
        warn(
            f"{compiled.about.system}: the mass matrix is badly conditioned at the start:"
            f" after the other speeds are eliminated, {named_speed(compiled, worst[2])} is left with {worst[0]:.1e}"
            f" of its inertia, so about {digits} digits of the accelerations are right. The cause is lengths or"
            " masses of"
            " very different size in one chain of bodies. derive('aba') does not lose these digits.",
            SimulationWarning,
        )
    return refused


def pivots(M: Array) -> Array:
    """The remainder of each diagonal entry when the speeds behind it are eliminated, as a fraction of the entry:
    (cases, n). A matrix that is not finite counts as 1: the run reports what is wrong with it."""
    with suppress(np.linalg.LinAlgError), np.errstate(all="ignore"):  # all definite, as they nearly always are
        factors = np.linalg.cholesky(M[:, ::-1, ::-1])  # from the last speed on
        left = np.asarray(factors.diagonal(axis1=1, axis2=2)[:, ::-1] ** 2 / M.diagonal(axis1=1, axis2=2))
        if np.isfinite(left).all():
            return left
    n = M.shape[1]
    finite = np.all(np.isfinite(M), axis=(1, 2))
    A = np.where(finite[:, None, None], M, np.eye(n))
    size = np.sqrt(np.maximum(np.einsum("kii->ki", A), 0.0))
    positive = np.where(size > 0, size, 1.0)
    A, left = A / (positive[:, :, None] * positive[:, None, :]), np.empty(A.shape[:2])
    for k in reversed(range(n)):
        pivot = A[:, k, k].copy()
        left[:, k] = np.where(size[:, k] > 0, pivot, 0.0)
        usable = np.where(pivot > 0, pivot, np.inf)
        A[:, :k, :k] -= A[:, :k, k, None] * A[:, None, k, :k] / usable[:, None, None]
    return left


def _accelerates(e: Derivation, case: Cases, t: float) -> bool:
    """Whether forces on all speeds give finite accelerations."""
    program = e.programs["forward_dynamics"]
    n, m, x = len(e.layout.q), len(e.layout.u), case.x0[0]
    values = {"parameters": case.row("parameters", 0), "inputs": case.row("inputs", 0), "t": np.array([t])}
    values |= {"q": x[:n], "u": x[n : n + m], "z": x[n + m :], "tau": 1.0 + np.arange(m) / max(m, 1)}
    with np.errstate(all="ignore"):
        u_dot = compile(program, "numpy", staged=False)(*(values[g.name] for g in program.groups))
    return bool(np.all(np.isfinite(np.asarray(u_dot))))
