"""Between the ends of steps: a step done once more gives what it would have given when it was first done."""

import numpy as np
from numpy.typing import NDArray

from freebody.integrate.field import Field
from freebody.integrate.integrator import Integrator, Status
from freebody.integrate.plant import Plant
from freebody.integrate.tableaus import TABLEAUS
from freebody.results.interpolation import Knots

Array = NDArray[np.float64]
ANYTHING = 1e200
"""A tolerance that no step misses."""


def retrace(plant: Plant, method: str, knots: Knots, times: Array) -> Array | None:
    """The states at the times, each by its method's own interpolation of the step it lies in; NaN where no step is
    known or f is not finite. None for methods whose steps cubic interpolation serves as well."""
    if method not in TABLEAUS or TABLEAUS[method].control is None:
        return None
    sign = -1.0 if len(knots.t) and knots.t[-1] < knots.t[0] else 1.0
    step = np.searchsorted(knots.t * sign, times * sign, side="right") - 1
    made = np.full((len(times), knots.x.shape[1]), np.nan)
    again = _integrator(plant, method, knots.x.shape[1])
    for k in np.unique(step[(step >= 0) & (step < len(knots.t) - 1)]):
        inside = np.flatnonzero(step == k)
        order = inside[np.argsort(times[inside] * sign)]
        made[order] = _again(again, knots, int(k), times[order])
    return made


def _integrator(plant: Plant, method: str, n: int) -> Integrator:
    """Takes any step as it is told to."""
    return Integrator(
        method, Field(plant.machine.state_dot, plant.inputs), 0.0, np.ones(n), rtol=0.0, atol=ANYTHING,
        quaternions=plant.about.quaternions, breaks=plant.breaks,
    )  # fmt: skip


def _again(i: Integrator, knots: Knots, k: int, times: Array) -> Array:
    """The step from knot k to the next."""
    start, end = knots.t[k], knots.t[k + 1]
    i.restart(knots.x[k], start, abs(end - start))
    i.save_at(times)
    return i.saved if i.advance(end, 1) is Status.DONE else np.full_like(i.saved, np.nan)
