"""A run from what a user says of it: names to numbers, numbers to a trajectory."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.api.planning import default_state, parameters, plan
from freebody.api.trajectory import Trajectory
from freebody.errors import ArgumentError
from freebody.results.about import About
from freebody.results.trajectory import Trajectory as Kept
from freebody.simulation import run
from freebody.simulation.initial import Given, initial_state
from freebody.simulation.plant import Event
from freebody.simulation.steppers import IMPLICIT

if TYPE_CHECKING:
    from freebody.api.equations import Equations

Array = NDArray[np.float64]
SAVED = 1000
"""Intervals between saved times where only the end is given."""


def simulate(
    equations: "Equations", end: float | ArrayLike, initial: Mapping[str, Given],
    given: Mapping[str, float] | None, inputs: Mapping[str, Any] | Sequence[float] | None, events: Sequence[Event],
    start: Kept | None, options: Mapping[str, Any],
) -> Trajectory:  # fmt: skip
    """See ``Equations.simulate``."""
    e = equations.catalogue
    require_standard(equations)
    defaults = equations.values if start is None else {**equations.values, **start.about.parameters}
    values = parameters(e, defaults, given)
    plant = plan(e, values, inputs, events, options["method"] in IMPLICIT)
    default, t0 = (default_state(e), 0.0) if start is None else _last(start, plant.about)
    x0 = initial_state(plant.about, default, **initial)
    made = {**options, **{k: tolerance(plant.about, options[k], k) for k in ("rtol", "atol")}}
    found = run.simulate(plant, x0, times(end, t0, options, start is not None), run.Options(**made), Trajectory)
    found.equations = equations
    return found


def require_standard(equations: "Equations") -> None:
    if equations.catalogue.standard != list(equations.catalogue.layout.u_handles):
        raise ArgumentError("a run uses the standard speeds: derive once more without speeds=…, then simulate")


def _last(start: Kept, about: About) -> tuple[Array, float]:
    """The state and time at which another run ended."""
    if start.about.digest != about.digest or not len(start.t):
        why = "it is empty" if not len(start.t) else "it is of another system, or of this one before it was changed"
        raise ArgumentError(f"{about.system}: the run to start from cannot be continued: {why}")
    return start.x[-1].copy(), float(start.t[-1])


def times(end: float | ArrayLike, t0: float, options: Mapping[str, Any], goes_on: bool) -> Array:
    """The times to save: those given, or evenly spaced ones until the end."""
    try:
        made = np.array(end, dtype=float)
    except (TypeError, ValueError):
        raise ArgumentError(f"a run needs its end in seconds or an array of times, not {end!r}") from None
    if not np.all(np.isfinite(made)) or made.ndim > 1 or made.size == 0:
        raise ArgumentError(f"a run needs a finite end or a row of finite times, not {end!r}")
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


def tolerance(about: About, given: Any, what: str) -> Any:
    """One number, or a row with those given by name in their places."""
    if isinstance(given, Mapping):
        row = np.full(len(about.state), {"rtol": 1e-8, "atol": 1e-10}[what])
        unknown = [k for k in given if k not in about.state]
        if unknown:
            raise ArgumentError(f"{what}: '{unknown[0]}' is no state; there are {', '.join(about.state)}")
        for key, value in given.items():
            row[about.state.index(key)] = value
        given = row
    made = np.asarray(given, float)
    if not np.all(made >= 0) or not np.all(np.isfinite(made)) or made.shape not in ((), (len(about.state),)):
        raise ArgumentError(f"{what} must be a number ≥ 0, a row of {len(about.state)}, or numbers by name")
    return made
