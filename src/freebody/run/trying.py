"""What can be told wrong before a run begins: bodies that parameters make impossible, functions that give no number."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.integrate.plant import Plant
from freebody.run.numbers import shown
from freebody.run.planning import never_crosses
from freebody.run.words import Told

Array = NDArray[np.float64]
SLACK = 1e-9


def tried(plant: Plant, t: float, x: Array) -> None:
    """Call the functions that users gave for the run where it begins: each must give a number there."""
    for told in plant.callbacks:
        value = told.function(t) if told.arity == 1 else told.function(t, *x.tolist())
        if isinstance(told, Told) and told.crosses and isinstance(value, bool | np.bool_):
            raise never_crosses(told.description.split("'")[1], "what its function gives")
        if not _is_number(value):
            raise ArgumentError(
                f"{told.description}: its function gives {shown(value)} at t = {t:g} s, where one number is needed"
            )


def _is_number(value: Any) -> bool:
    if isinstance(value, str | bytes) or np.ndim(value) != 0:
        return False
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def possible(plant: Plant, parameters: Array, usual: Mapping[str, float]) -> None:
    """Refuse parameters (a row, or one for each case) that give a body a mass or an inertia that none has. What the
    model's own values make is the model's affair."""
    rows, own = np.atleast_2d(parameters), np.array([[usual[n] for n in plant.parameters]])
    if not rows.size or np.all(rows == own):
        return
    before, after = _bodies(plant, own)[0], _bodies(plant, rows)
    for k, element in enumerate(plant.about.elements):
        changed = np.flatnonzero(np.any(after[:, k] != before[k], axis=1))
        found = _wrong(after[changed, k]) if len(changed) else None
        if found is not None:
            said = _said(plant, rows[changed[found[0]]], own[0])
            raise ArgumentError(f"{plant.about.system}: with {said} the {found[1].format(element.name)}")


def _bodies(plant: Plant, rows: Array) -> Array:
    """Mass, mass centre and inertia of each body for rows of parameters: (cases, bodies, 13)."""
    f = plant.machine.free(plant.bodies, staged=False)
    made = np.asarray(f(*(rows if g.name == "parameters" else np.zeros(g.size) for g in f.groups)))
    return np.broadcast_to(made, (len(rows), len(plant.about.elements), 13))


def _wrong(bodies: Array) -> tuple[int, str] | None:
    """Which case of a body cannot be, and why: masses are not negative, nor are principal moments, of which none is
    larger than the other two together."""
    lost = ~np.all(np.isfinite(bodies), axis=1, keepdims=True)
    moments = np.linalg.eigvalsh(np.where(lost, 0.0, bodies)[:, 4:].reshape(-1, 3, 3))
    slack = SLACK * np.abs(moments).max(axis=1)
    skew = moments[:, 2] > moments[:, 0] + moments[:, 1] + slack
    k = int(np.argmax((bodies[:, 0] < 0) | (moments[:, 0] < -slack) | skew))
    if bodies[k, 0] < 0:
        return k, f"mass of '{{}}' is {bodies[k, 0]:g}; it cannot be negative"
    if moments[k, 0] < -slack[k]:
        return k, f"inertia of '{{}}' has a negative principal moment, {moments[k, 0]:.6g}"
    told = ", ".join(f"{m:.6g}" for m in moments[k])
    why = f"has principal moments {told}; no body has one moment larger than the sum of the others"
    return (k, f"inertia of '{{}}' {why}") if skew[k] else None


def _said(plant: Plant, row: Array, own: Array) -> str:
    """The parameters that differ from the model's."""
    return ", ".join(f"{n} = {v:g}" for n, v, usual in zip(plant.parameters, row, own, strict=True) if v != usual)
