"""Checks of the Python functions of a run: each returns a number, and the same number whenever it is called with the
same time and state."""

from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.integrate.compiled_system import CompiledSystem
from freebody.run.event_rules import never_crosses
from freebody.run.inputs import RunCallback
from freebody.scalar.functions import Callback

Array = NDArray[np.float64]
NEARBY, LATER = 1e-3, (1e-3, 0.25)
"""Where a user's function is called to see whether it remembers that: at a state changed by this fraction, after so
many seconds. The longer time finds controllers that act at intervals; functions may take long or wait further on."""


def check_callbacks(compiled: CompiledSystem, t: float, x: Array, end: float) -> None:
    """Call the Python functions of the run where it begins: each must return a number there, and the same number again
    after calls at other times and states, for integrators call them at trial states, in any order of time."""
    for callback in compiled.system.callbacks:
        value = _value(callback, t, x)
        if isinstance(callback, RunCallback) and callback.crosses and isinstance(value, bool | np.bool_):
            raise never_crosses(callback.description.split("'")[1], "what its function returns")
        for seconds in LATER:
            with suppress(Exception):  # the function need not be defined elsewhere
                _value(callback, t + min(max(end - t, -seconds), seconds), x + NEARBY * (1 + np.abs(x)))
        found = _another_value(callback, t, x, value)
        if found:
            raise ArgumentError(found)


def other_values(compiled: CompiledSystem, t: float, x: Array) -> str:
    """Which Python function of a run returns another number when it is called again, as one does that draws random
    numbers from some time on; empty if none does."""
    for callback in compiled.system.callbacks:
        with suppress(Exception):  # a function that fails there is named elsewhere
            found = _another_value(callback, t, x, _value(callback, t, x))
            if found:
                return found
    return ""


def _another_value(callback: Callback, t: float, x: Array, value: float) -> str:
    """Why a function is refused whose value is not the same again; empty where it is."""
    again = _value(callback, t, x)
    if value == again or (np.isnan(value) and np.isnan(again)):
        return ""
    return (
        f"{callback.description}: its function returns {value:g} and then {again:g} for the same time and state (t ="
        f" {t:g} s): it remembers its calls, or draws random numbers. An integrator calls it many times in each step,"
        " also in steps that it repeats. Write a function of t and x alone: an integral becomes an extra state,"
        " s.state('i', rate=…), a derivative a speed, noise a table over time"
    )


def _value(callback: Callback, t: float, x: Array) -> float:
    return callback.function(t) if callback.arity == 1 else callback.function(t, *x.tolist())
