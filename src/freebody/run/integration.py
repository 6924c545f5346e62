"""How to integrate, as users say it: method, step sizes and tolerances, looked at before anything is planned."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.integrate.steppers import METHODS
from freebody.integrate.tableaus import TABLEAUS
from freebody.results.about import About
from freebody.run.numbers import number, numbers, switch

Array = NDArray[np.float64]
SIZES = ("step", "first_step", "max_step")
USUAL = {"rtol": 1e-8, "atol": 1e-10}


def checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options with a method there is and step sizes it can take."""
    method, made = options["method"], dict(options)
    if not isinstance(method, str) or method not in METHODS:
        raise ArgumentError(f"there is no method '{method}'; there are {', '.join(METHODS)}")
    for name in SIZES:
        if made.get(name) is not None:
            made[name] = _size(name, made[name])
    if made.get("progress") is not None:
        made["progress"] = switch(made["progress"], "progress")
    fixed = method in TABLEAUS and TABLEAUS[method].control is None
    if fixed and made["step"] is None:
        raise ArgumentError(f"{method} takes steps of one size: give step, in seconds")
    if not fixed and made["step"] is not None:
        raise ArgumentError(f"{method} chooses its steps by their error: leave step out, or give max_step")
    return made


def _size(name: str, given: Any) -> float:
    made = number(given, name)
    if made <= 0:
        raise ArgumentError(f"{name} = {made:g} is not a step size: give a positive number of seconds, or leave it out")
    return made


def within(options: Mapping[str, Any], times: Array, about: About) -> dict[str, Any]:
    """Options for a run at these times: the tolerances of its states, a first step no longer than the run."""
    made = {**options, **{what: tolerance(about, options[what], what) for what in USUAL}}
    if made.get("first_step") is not None and len(times) > 1:
        made["first_step"] = min(made["first_step"], abs(float(times[-1] - times[0])))
    return made


def tolerance(about: About, given: Any, what: str) -> Array:
    """One number, or a row with those given by name in their places; a relative one may be 0."""
    if isinstance(given, Mapping):
        row = np.full(len(about.state), USUAL[what])
        unknown = [k for k in given if k not in about.state]
        if unknown:
            raise ArgumentError(f"{what}: '{unknown[0]}' is not a state; there are {', '.join(about.state)}")
        for key, value in given.items():
            row[about.state.index(key)] = number(value, f"{what} of '{key}'")
        given = row
    made, least = numbers(given, what), "≥ 0" if what == "rtol" else "> 0"
    enough = made >= 0 if what == "rtol" else made > 0
    if not enough.all() or made.shape not in ((), (len(about.state),)):
        raise ArgumentError(f"{what} must be a number {least}, a row of {len(about.state)}, or numbers by name")
    return made
