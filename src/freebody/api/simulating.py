"""A run from what a user says of it: names to numbers, numbers to a trajectory."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.api.trajectory import Trajectory
from freebody.errors import ArgumentError
from freebody.integrate.plant import Event
from freebody.integrate.steppers import IMPLICIT
from freebody.results import RunResult
from freebody.results.about import About
from freebody.run import run
from freebody.run.cases import Cases
from freebody.run.conditioning import inspect
from freebody.run.initial import Given, initial_state
from freebody.run.integration import checked, within
from freebody.run.numbers import numbers, shown
from freebody.run.planning import default_state, parameters, plan
from freebody.run.trying import possible, tried

if TYPE_CHECKING:
    from freebody.api.equations import Equations

Array = NDArray[np.float64]
LONGEST = 1e15
"""Seconds: 30 million years, where neighbouring numbers are an eighth of a second apart."""

SAVED = 1000
"""Intervals between saved times where only the end is given."""


def simulate(
    equations: "Equations", end: float | ArrayLike, initial: Mapping[str, Given],
    given: Mapping[str, float] | None, inputs: Mapping[str, Any] | Sequence[float] | None, events: Sequence[Event],
    start: RunResult | None, options: Mapping[str, Any],
) -> Trajectory:  # fmt: skip
    """See ``Equations.simulate``."""
    e = equations.derivation
    require_standard(equations)
    how = checked(options)
    if start is not None and not isinstance(start, RunResult):
        raise ArgumentError(f"start is a run to go on from, what simulate gave, not {shown(start)}")
    defaults = equations.values if start is None else {**equations.values, **start.about.parameters}
    values = parameters(e, defaults, given)
    plant = plan(e, values, inputs, events, how["method"] in IMPLICIT)
    possible(plant, np.array(list(values.values())), equations.values)
    default, t0 = (default_state(e), 0.0) if start is None else _last(start, plant.about)
    x0 = initial_state(plant.about, default, **initial)
    when = times(end, t0, how, start is not None)
    tried(plant, float(when[0]), x0)
    chosen = run.Options(**within(how, when, plant.about))
    one = Cases(x0[None, :], np.array(list(values.values())), plant.inputs)
    refused = inspect(e, plant, one, when, chosen)[0]
    found = run.simulate(plant, x0, when, chosen, Trajectory, start, refused)
    found.equations = equations
    return found


def require_standard(equations: "Equations") -> None:
    if equations.derivation.standard != list(equations.derivation.layout.u_handles):
        raise ArgumentError("a run uses the standard speeds: derive again without speeds=…, then simulate")


def _last(start: RunResult, about: About) -> tuple[Array, float]:
    """The state and time at which another run ended."""
    if start.about.digest != about.digest or not len(start.t):
        why = "it is empty" if not len(start.t) else "it is of another system, or of this one before it was changed"
        raise ArgumentError(f"{about.system}: the run to start from cannot be continued: {why}")
    return start.x[-1].copy(), float(start.t[-1])


def times(end: float | ArrayLike, t0: float, options: Mapping[str, Any], goes_on: bool) -> Array:
    """The times to save: those given, or evenly spaced ones until the end."""
    needed = "a run needs a finite end in seconds, or a row of finite times"
    made = numbers(end, needed)
    if made.ndim > 1 or made.size == 0:
        raise ArgumentError(f"{needed}, not an array of shape {made.shape}")
    if np.abs(made).max() > LONGEST:
        far = float(made.flat[np.argmax(np.abs(made))])
        raise ArgumentError(
            f"the time {far:g} s is too far away for a run: beyond {LONGEST:g} s (30 million years) numbers cannot tell"
            " fractions of a second apart. Give an end in seconds that the motion can reach."
        )
    if made.ndim == 0:
        return _even(t0, float(made), options)
    if goes_on and made[0] != t0:
        made = np.concatenate([[t0], made])
    steps = np.diff(made)
    if not (np.all(steps > 0) or np.all(steps < 0)):
        raise ArgumentError("the times to save must increase from each to the next (or decrease)")
    return made


def _even(t0: float, end: float, options: Mapping[str, Any]) -> Array:
    """Evenly spaced times; those of a fixed step are whole steps apart."""
    if end == t0:
        return np.array([t0])
    number, step = SAVED, options["step"]
    if options["method"] == "rk4" and step:
        steps = max(1, round(abs(end - t0) / abs(step)))
        number = -(-steps // -(-steps // SAVED))
    return np.linspace(t0, end, number + 1)
