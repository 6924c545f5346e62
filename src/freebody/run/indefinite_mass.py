"""Runs through deformations of flexible bodies at which the mass matrix is not positive definite."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.integrate.compiled_system import CompiledSystem
from freebody.run.diagnose import too_deformed

Array = NDArray[np.float64]
MOST = 3
"""Bodies of one run that are examined; the mass matrix of a large system may have hundreds of rows."""


class IndefiniteRow(NamedTuple):
    """A saved row of a run, and what is wrong with it."""

    row: int
    message: str


def indefinite_row(compiled: CompiledSystem, t: Array, x: Array) -> IndefiniteRow | None:
    """A row of a run at which the mass matrix stops being positive definite; None if it is so where each of the most
    deformed bodies is deformed most. Accelerations are finite beyond, and wrong: a run may have stepped over the place
    where it is singular."""
    bendings = compiled.mechanics.programs.bendings
    finite = np.flatnonzero(np.isfinite(x).all(axis=1)) if bendings else np.zeros(0, np.intp)
    if not len(finite):
        return None
    sizes = np.array([body.sizes(x[finite]) for body in bendings]).reshape(-1, len(finite))
    bodies = [k for k in np.argsort(-sizes.max(axis=1))[:MOST] if sizes[k].max() > 0]
    for row in dict.fromkeys(int(finite[np.argmax(sizes[k])]) for k in bodies):
        deformed = too_deformed(compiled, float(t[row]), x[row])
        if deformed:
            right, wrong = -1, int(np.searchsorted(finite, row))
            while wrong - right > 1:
                k = (right + wrong) // 2
                here = too_deformed(compiled, float(t[finite[k]]), x[finite[k]])
                right, wrong, deformed = (right, k, here) if here else (k, wrong, deformed)
            row = int(finite[wrong])
            return IndefiniteRow(row, f"from t = {t[row]:.6g} s on the run is wrong. {deformed}")
    return None


def most_deformed(compiled: CompiledSystem, x: Array) -> NDArray[np.intp]:
    """The cases of (cases, times, states) that are deformed, in the order of their largest deformation, the largest
    first."""
    n, m = x.shape[:2]
    bendings = compiled.mechanics.programs.bendings
    if not bendings or not m:
        return np.zeros(0, np.intp)
    sizes = [body.sizes(x.reshape(n * m, -1)).reshape(n, m).max(axis=1) for body in bendings]
    largest = np.max(sizes, axis=0)
    order = np.argsort(-largest, kind="stable")
    return np.asarray(order[largest[order] > 0], np.intp)
