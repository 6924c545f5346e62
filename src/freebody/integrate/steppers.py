"""The ways to step, under one contract: compiled explicit methods, SciPy's and SUNDIALS' implicit ones."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.integrate.emit_drive import Status
from freebody.integrate.plant import Plant

Array = NDArray[np.float64]


class Stepper(Protocol):
    """Moves a state through time. It saves rows at requested times, logs events that change nothing, and stops at those
    that do. ``size`` is the last step's. ``knots`` are rows of t, x and ẋ, at every start and every step's end as far
    as there is room."""

    t: float
    x: Array
    size: float
    saved: Array
    count: int

    @property
    def steps(self) -> int: ...
    @property
    def rejected(self) -> int: ...
    @property
    def evaluations(self) -> int: ...
    @property
    def jacobians(self) -> int: ...
    @property
    def factorisations(self) -> int: ...

    @property
    def knots(self) -> Array: ...
    @property
    def knots_full(self) -> bool: ...

    @property
    def together(self) -> list[int]:
        """The events that stopped it, all at this time."""

    @property
    def hopeless(self) -> bool:
        """Where ``advance`` returned STALLED: whether the end is out of reach, whatever the reason."""

    def save_at(self, times: Array) -> None: ...
    def advance(self, t_end: float, max_steps: int) -> Status: ...
    def restart(self, x: Array) -> None: ...
    def take_log(self) -> list[tuple[float, int, Array]]: ...

    def happened(self, events: list[int]) -> None:
        """These events have just happened: they do not happen again for being at zero."""

    def halt(self) -> None:
        """Let ``advance`` return soon; another thing of this thread, such as a signal, may call it."""


def stepper(plant: Plant, options: Any, t0: float, x0: Array, knots: int = 0) -> Stepper:
    """The stepper of a method, with room for so many knots."""
    if options.method not in METHODS:
        raise ArgumentError(f"there is no method '{options.method}'; there are {', '.join(METHODS)}")
    return METHODS[options.method](plant, options, t0, x0, knots)


def _explicit(plant: Plant, options: Any, t0: float, x0: Array, knots: int) -> Stepper:
    from freebody.integrate.field import Field
    from freebody.integrate.integrator import Integrator

    watch, machine = plant.watch, plant.machine
    events = None if watch is None else Field(machine.function(watch.program), plant.inputs)
    stopping = () if watch is None else [
        end or reset is not None for end, reset in zip(watch.terminal, watch.resets, strict=True)
    ]  # fmt: skip
    return Integrator(
        options.method, Field(machine.state_dot, plant.inputs), t0, x0, rtol=options.rtol, atol=options.atol,
        step=options.step, first_step=options.first_step, max_step=options.max_step,
        quaternions=plant.about.quaternions, events=events, directions=() if watch is None else watch.directions,
        stopping=stopping, breaks=plant.breaks, knots=knots,
    )  # fmt: skip


def _implicit(plant: Plant, options: Any, t0: float, x0: Array, knots: int) -> Stepper:
    from freebody.integrate.implicit import Implicit

    return Implicit(plant, options, t0, x0, knots)


IMPLICIT = ("radau", "bdf", "lsoda", "cvode")
METHODS: dict[str, Callable[[Plant, Any, float, Array, int], Stepper]] = {
    **dict.fromkeys(("dop853", "dopri5", "rk4"), _explicit), **dict.fromkeys(IMPLICIT, _implicit),
}  # fmt: skip
