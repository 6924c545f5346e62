"""How to integrate: method, step sizes, tolerances, and the times to save."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError
from freebody.integrate.contact_method import COMPILED, CONTACT, STAGED
from freebody.integrate.esdirk import ESDIRK54
from freebody.integrate.steppers import AUTO, IMPLICIT, METHODS
from freebody.integrate.tableaus import DOP853
from freebody.results.about import About
from freebody.run.arguments import boolean, is_positive_integer, number, numbers, shorten

Array = NDArray[np.float64]
DEFAULT_TOLERANCES = {"rtol": 1e-8, "atol": 1e-10}
MOST = 2**53
"""The largest ``max_steps``: as far as a float counts."""

OTHER_METHODS = {
    **dict.fromkeys(("rk45", "ode45", "dopri", "rkf45", "tsit5", "rk23", "dp5"), "dopri5"),
    **dict.fromkeys(("dp8", "ode78", "vern8"), "dop853"), **dict.fromkeys(("euler", "rungekutta", "rk"), "rk4"),
    **dict.fromkeys(("ode15s", "gear", "stiff", "ndf"), "bdf"), "radau5": "radau",
    **dict.fromkeys(("ode23s", "rodas", "rodas4", "rosenbrock"), "rodas5p"),
    **dict.fromkeys(("esdirk", "kvaerno5", "kencarp5"), "esdirk54"),
    "gstiff": "ida", "dassl": "ida", "sundials": "cvode", "odeint": "lsoda",
    **{name: name for name in METHODS},
}  # fmt: skip
"""Methods of other programs, in lower case, with the nearest ones here."""

LONGEST = 1e15
"""Seconds: 30 million years, where neighbouring numbers are an eighth of a second apart."""

PROJECTION, BAUMGARTE, NONE = WAYS = ("projection", "baumgarte", "none")
"""How constraints are kept along a run."""

SAVED = 1000
"""Intervals between saved times where only the end is passed."""


def _step_size(size: Any, name: str) -> float | None:
    if size is None:
        return None
    if (seconds := number(size, name)) <= 0:
        raise ArgumentError(
            f"{name} = {seconds:g} is not a step size: give a positive number of seconds, or leave it out"
        )
    return seconds


@dataclass
class RunOptions:
    """How a run integrates: the names, defaults, meanings and checks of the options of single runs, sweeps, live views
    and commands."""

    method: str = field(
        default=AUTO,
        metadata={
            "help": "auto (dop853, and rodas5p where the system is stiff); dop853 or dopri5 (explicit), rk4 or contact"
            " (with a step); for stiff systems rodas5p, esdirk54, radau, bdf, lsoda, cvode, ida."
        },
    )
    rtol: Any = field(default=DEFAULT_TOLERANCES["rtol"], metadata={"help": "Relative tolerance."})
    atol: Any = field(default=DEFAULT_TOLERANCES["atol"], metadata={"help": "Absolute tolerance."})
    step: float | None = field(default=None, metadata={"help": "The step of rk4 and contact."})
    first_step: float | None = field(default=None, metadata={"help": "The first step; by default it is estimated."})
    max_step: float | None = field(default=None, metadata={"help": "The largest step."})
    max_steps: int | None = field(default=None, metadata={"help": "End a run that takes more steps."})
    progress: bool | None = field(default=None, metadata={"help": "Show a progress bar; by default in terminals."})
    constraints: str = field(
        default=PROJECTION,
        metadata={"help": "How states stay on the constraints of closed loops: projection, baumgarte or none."},
    )
    baumgarte: Any = field(
        default=None, metadata={"help": "α and β of a stabilisation in 1/s; by default they follow from the steps."}
    )
    seed: int | None = field(
        default=None, metadata={"help": "The seed of random numbers, a whole number: equal seeds, equal numbers."}
    )

    @classmethod
    def help(cls, name: str) -> str:
        """What an option means, in a sentence."""
        return str(next(f for f in fields(cls) if f.name == name).metadata["help"])

    def __post_init__(self) -> None:
        method = self.method
        if not isinstance(method, str) or method not in METHODS:
            usual = OTHER_METHODS.get(str(method).lower(), "")
            hint = f" (the nearest to it is '{usual}')" if usual else ""
            raise ArgumentError(f"there is no method '{method}'{hint}; choose from {', '.join(METHODS)}")
        self.step, self.first_step, self.max_step = (
            _step_size(size, name)
            for name, size in (("step", self.step), ("first_step", self.first_step), ("max_step", self.max_step))
        )
        if self.progress is not None:
            self.progress = boolean(self.progress, "progress")
        fixed = self.fixed
        if fixed and self.step is None:
            raise ArgumentError(f"{method} has a fixed step: give step, in seconds")
        if not fixed and self.step is not None:
            raise ArgumentError(f"{method} chooses its steps by their error: leave step out, or give max_step")
        for name in ("first_step", "max_step"):
            if fixed and vars(self)[name] is not None:
                raise ArgumentError(f"{method} has a fixed step, so that {name} has no effect: leave it out")
        self._check_constraints()
        if self.max_steps is not None and not is_positive_integer(self.max_steps, MOST):
            raise ArgumentError(f"max_steps must be a positive integer, or left out, not {shorten(self.max_steps)}")

    def _check_constraints(self) -> None:
        if not isinstance(self.constraints, str) or self.constraints not in WAYS:
            raise ArgumentError(f"constraints must be one of {', '.join(WAYS)}, not {shorten(self.constraints)}")
        if self.baumgarte is None:
            return
        if self.constraints != BAUMGARTE:
            raise ArgumentError(
                f"baumgarte=… applies only to constraints='{BAUMGARTE}'; this run has"
                f" constraints='{self.constraints}': leave baumgarte out, or choose constraints='{BAUMGARTE}'"
            )
        rates = numbers(self.baumgarte, "baumgarte")
        if rates.shape not in ((), (2,)) or not (rates > 0).all():
            raise ArgumentError(
                f"baumgarte must be (α, β), two positive numbers in 1/s, or one for both, not {shorten(self.baumgarte)}"
            )
        self.baumgarte = (float(rates.flat[0]), float(rates.flat[-1]))

    @property
    def projects(self) -> bool:
        """Whether states are projected to the constraints."""
        return self.constraints == PROJECTION

    @property
    def implicit(self) -> bool:
        return self.method in IMPLICIT

    @property
    def dae(self) -> bool:
        """Whether the method integrates differential-algebraic equations."""
        return self.method == "ida"

    @property
    def fixed(self) -> bool:
        """Whether the size of the method's steps is given."""
        return self.method in COMPILED and COMPILED[self.method].control is None

    @property
    def staged(self) -> str:
        """The name of the method if its steps need programs of their own (``hybrid.system``), else empty."""
        return self.method if self.method in STAGED else ""

    @property
    def in_lanes(self) -> bool:
        """Whether runs by the method are possible side by side in machine code."""
        return not self.implicit and self.method != ESDIRK54.name

    @property
    def adaptive(self) -> bool:
        """Whether the method changes where the system becomes stiff, and back."""
        return self.method == AUTO

    @property
    def first_method(self) -> str:
        """The method with which a run begins."""
        return DOP853.name if self.adaptive else self.method

    @property
    def stabilises(self) -> bool:
        """Whether constraints are stabilised."""
        return self.constraints == BAUMGARTE

    @property
    def exact(self) -> bool:
        """Whether the method uses the Jacobian of ẋ."""
        return self.implicit and not self.dae

    def for_run(self, times: Array, about: About) -> "RunOptions":
        """The options of a run at these times: arrays of tolerances, a first step that is not longer than the run."""
        if self.method == CONTACT.name and len(times) > 1 and times[-1] < times[0]:
            raise ArgumentError(
                f"{about.system}: method='contact' goes forward in time only, since what slides or is damped has no"
                " unique past; give an end after the start, or take another method"
            )
        first = self.first_step
        if first is not None and len(times) > 1:
            first = min(first, abs(float(times[-1] - times[0])))
        rtol, atol = _tolerance(about, self.rtol, "rtol"), _tolerance(about, self.atol, "atol")
        checked = copy(self)
        checked.rtol, checked.atol, checked.first_step = rtol, atol, first
        return checked


class RunKeywords(TypedDict, total=False):
    """The same options as keyword arguments."""

    method: str
    rtol: float | Mapping[str, float]
    atol: float | Mapping[str, float]
    step: float | None
    first_step: float | None
    max_step: float | None
    max_steps: int | None
    progress: bool | None
    constraints: str
    baumgarte: float | tuple[float, float] | None
    seed: int | None


def _tolerance(about: About, value: Any, what: str) -> Array:
    """One number, or a row for the states; a relative tolerance may be 0."""
    if type(value) is float and 0 < value < np.inf:
        return np.array(value)
    if isinstance(value, Mapping):
        row = np.full(len(about.state), DEFAULT_TOLERANCES[what])
        for key, one in value.items():
            if key not in about.state:
                raise ArgumentError(f"{what}: '{key}' is not a state; choose from {', '.join(about.state)}")
            row[about.state.index(key)] = number(one, f"{what} of '{key}'")
        value = row
    tolerance, least = numbers(value, what), "≥ 0" if what == "rtol" else "> 0"
    valid = tolerance >= 0 if what == "rtol" else tolerance > 0
    if not valid.all() or tolerance.shape not in ((), (len(about.state),)):
        raise ArgumentError(f"{what} must be a number {least}, a row of {len(about.state)}, or numbers by name")
    return tolerance


def saved_times(end: float | ArrayLike, t0: float, options: RunOptions, continues: bool) -> Array:
    """The times to save: an array as it is, or evenly spaced times from t0 to the end. Those of a fixed step are whole
    steps apart. A run that continues another begins where that one ended."""
    needed = "a run needs a finite end in seconds, or a row of finite times"
    times = numbers(end, needed)
    if times.ndim > 1 or times.size == 0:
        raise ArgumentError(f"{needed}, not an array of shape {times.shape}")
    if np.abs(times).max() > LONGEST:
        far = float(times.flat[np.argmax(np.abs(times))])
        raise ArgumentError(
            f"the time {far:g} s is too far away for a run: beyond {LONGEST:g} s (30 million years) numbers cannot"
            " resolve fractions of a second. Give an end in seconds that the motion can reach."
        )
    if times.ndim == 0:
        last, intervals = float(times), SAVED
        if last == t0:
            return np.array([t0])
        if options.fixed and options.step:
            steps = max(1, round(abs(last - t0) / options.step))
            intervals = -(-steps // -(-steps // SAVED))
        return np.linspace(t0, last, intervals + 1)
    if continues and times[0] != t0:
        times = np.concatenate([[t0], times])
    spacing = times[1:] - times[:-1]
    if not (np.all(spacing > 0) or np.all(spacing < 0)):
        raise ArgumentError("the times to save must increase, or decrease, at every step")
    return times
