"""The common interface of all methods: compiled ones, and implicit ones of SciPy and SUNDIALS."""

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.contact_method import COMPILED, CONTACT, STAGED
from freebody.integrate.costs import enough_steps, relative_cost
from freebody.integrate.record import Status
from freebody.integrate.rosenbrock import SOLVING
from freebody.integrate.tableaus import TABLEAUS
from freebody.results.interpolation import Knots

if TYPE_CHECKING:
    from freebody.integrate.compiled import StageFunctions

Array = NDArray[np.float64]
IMPLICIT = ("radau", "bdf", "lsoda", "cvode", "ida")
FOR_STIFF = (*SOLVING, *IMPLICIT)
AUTO = "auto"
"""The method that begins as dop853, changes to rodas5p where stability limits the steps, and back."""

METHODS = (AUTO, *TABLEAUS, CONTACT.name, *FOR_STIFF)
IDLE = 2
"""Integrators that wait for the next run of the same programs."""

ANYTHING = 1e200
"""A tolerance that every step meets."""

SOLVED = 1e-11, 1e-13
"""The tolerances, relative and absolute, of Newton's iterations in repeated steps."""

SAME = 1e-12
"""A repeated step ends where the run did, except for rounding: as a fraction of the state and of 1."""


Methods = tuple[tuple[float, str], ...]
"""The times from which methods were used, with their names."""


def names_of(methods: Methods) -> str:
    """The methods in a few words, each once."""
    return " and ".join(dict.fromkeys(name for _, name in methods))


class Stepper(Protocol):
    """Moves a state through time. It saves rows at requested times, logs events that change nothing, and stops at those
    that do. ``size`` is the last step's; ``fired`` is the event that stopped it, also one whose condition is not a
    number (``Status.UNDEFINED``). ``knots`` are rows of t, x and ẋ at every start and every step's end, as long as
    there is room."""

    @property
    def t(self) -> float: ...
    @property
    def x(self) -> Array: ...
    @property
    def size(self) -> float: ...
    @property
    def fired(self) -> int: ...
    @property
    def saved(self) -> Array: ...
    @property
    def count(self) -> int: ...
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
    def projections(self) -> int:
        """Calls of the program that corrects states towards the constraints."""

    @property
    def knots(self) -> Array: ...
    @property
    def knots_full(self) -> bool: ...

    @property
    def inner(self) -> Array | None:
        """The states at the Gauss points of the steps that end at the knots, by the method's own interpolation; None
        where that is not known."""

    @property
    def together(self) -> list[int]:
        """The events that stopped it, all at this time."""

    @property
    def cannot_finish(self) -> bool:
        """After ``advance`` returned STALLED: whether the end is out of reach, whatever the reason."""

    @property
    def methods(self) -> Sequence[tuple[float, str]]:
        """The times from which methods were used, with their names; the last is in use."""

    @property
    def compiling(self) -> float:
        """The seconds that it took to derive and compile what a change of the method needs."""

    @property
    def refusal(self) -> str:
        """Why a change to a stiff method was not possible where stability limited the steps; empty if none failed."""

    @property
    def waiting(self) -> Sequence[int]:
        """The events that have just happened and wait until they leave their zero."""

    @property
    def planned(self) -> float:
        """The size that is planned for the next step; 0 where the method plans it anew after a restart."""

    def save_at(self, times: Array) -> None: ...

    def end_steps_at(self, times: Sequence[float]) -> None:
        """Let steps end at these times, also those of a fixed size, and evaluate f on their own side of them."""

    def advance(self, t_end: float, max_steps: int) -> Status: ...
    def restart(self, x: Array, t: float | None = None, h: float | None = None) -> None:
        """Continue from another state, at this time or another, with this size of the next step where it is known."""

    def set_breaks(self, breaks: Sequence[float]) -> None:
        """Let steps end at these times instead of those before, as after laws have changed."""

    def take_log(self) -> list[tuple[float, int, Array]]: ...

    def mark_events(self, events: Sequence[int]) -> None:
        """These events have just happened: they do not happen again for being at zero."""

    def resume(self, x: Array, h: float) -> None:
        """Go on from a state in which ``advance`` has ended, with the size that was planned for the next step."""

    def begin_anew(self) -> None:
        """Let the next step begin as after a restart from the present state."""

    @property
    def reach(self) -> float:
        """The time up to which ``stride`` may go on from here; −∞ where it may not."""

    def stride(self) -> Callable[[float], int]:
        """A function that begins anew and advances to a time, with little overhead; it returns a ``Status``."""

    def halt(self) -> None:
        """Make ``advance`` return soon; a signal handler may call it."""


def stepper(compiled: CompiledSystem, options: Any, t0: float, x0: Array, knots: int = 0) -> Stepper:
    """The stepper of ``options.method``, with room for so many knots."""
    if options.method in IMPLICIT:
        from freebody.integrate.implicit import Implicit

        return Implicit(compiled, options, t0, x0, knots)
    from freebody.integrate.integrator import Integrator, StiffMethod

    rules, conditions = compiled.system.crossings, compiled.system.conditions
    g = None if conditions is None else compiled.state_function(conditions)
    field = compiled.field()
    stages = compiled.stage_functions(options.method, options.progress) if options.method in STAGED else None
    stiff = None
    if options.adaptive:
        system = compiled.system
        made, cost = partial(_stages, compiled, options.stabilises), partial(relative_cost, system)
        stiff = StiffMethod(made, cost, enough_steps(system))
    idle = cast(Integrator | None, compiled.idle.pop(_settings(compiled, options, knots), None))
    if idle is not None:
        idle.begin(t0, x0, field, g, compiled.breaks, compiled.project_function, stages, stiff)
        return idle
    events = dict[str, Any]()
    if g is not None:
        directions, stopping = [rule.crossing.direction for rule in rules], [rule.stops for rule in rules]
        events = {"events": g, "directions": directions, "stopping": stopping}
    return Integrator(
        options.first_method,
        field,
        t0,
        x0,
        rtol=options.rtol,
        atol=options.atol,
        step=options.step,
        first_step=options.first_step,
        max_step=options.max_step,
        quaternions=compiled.system.quaternions,
        breaks=compiled.breaks,
        knots=knots,
        manifold=compiled.manifold(options.rtol, options.atol),
        stages=stages,
        stiff=stiff,
        **events,
    )


def _stages(compiled: CompiledSystem, stabilises: bool) -> "StageFunctions | str":
    return compiled.why_not_stiff(stabilises) or compiled.stiff_functions()


def release(compiled: CompiledSystem, options: Any, used: Stepper, knots: int) -> None:
    """Let the next run with the same settings use an integrator whose run has ended."""
    from freebody.integrate.integrator import Integrator

    if isinstance(used, Integrator):
        used.clear()
        idle = compiled.idle
        idle[_settings(compiled, options, knots)] = used
        for key in list(idle)[:-IDLE]:
            idle.pop(key, None)


def _settings(compiled: CompiledSystem, options: Any, knots: int) -> Hashable:
    """What an integrator keeps from run to run."""
    rtol, atol = (np.asarray(tolerance, float).tobytes() for tolerance in (options.rtol, options.atol))
    sizes = options.step, options.first_step, options.max_step, knots
    return options.method, rtol, atol, sizes, compiled.system.conditions is None, compiled.system.projects


def retrace(
    compiled: CompiledSystem, methods: Methods, knots: Knots, times: Array, inputs: Array | None = None
) -> Array | None:
    """The states at the times between the ends of steps: each step is repeated from its knot and interpolated by its
    method. NaN where no step is known or f is not finite. None for methods whose steps cubic interpolation serves as
    well. ``inputs`` are the system's, or a row for each time."""
    if not methods or any(name not in COMPILED or COMPILED[name].control is None for _, name in methods):
        return None
    sign = -1.0 if len(knots.t) and knots.t[-1] < knots.t[0] else 1.0
    step = np.searchsorted(knots.t * sign, times * sign, side="right") - 1
    starts = np.array([t for t, _ in methods[1:]])
    which = np.searchsorted(starts * sign, knots.t[step] * sign, side="right") if len(knots.t) else step
    states = np.full((len(times), knots.x.shape[1]), np.nan)
    for method in dict.fromkeys(name for _, name in methods):
        own = np.flatnonzero(np.array([name == method for _, name in methods])[which])
        rows = inputs if inputs is None else inputs[own]
        states[own] = _retrace(compiled, method, knots, times[own], step[own], sign, rows)
    return states


def _retrace(
    compiled: CompiledSystem,
    method: str,
    knots: Knots,
    times: Array,
    step: NDArray[np.intp],
    sign: float,
    inputs: Array | None,
) -> Array:
    """The same for times in steps by one method; ``step`` are the knots from which these begin."""
    from freebody.integrate.integrator import Integrator

    compiled = compiled.copy() if inputs is not None else compiled
    states = np.full((len(times), knots.x.shape[1]), np.nan)
    if not len(times):
        return states
    integrator = Integrator(
        method,
        compiled.field(),
        0.0,
        np.ones(knots.x.shape[1]),
        rtol=0.0,
        atol=ANYTHING,
        quaternions=compiled.system.quaternions,
        breaks=compiled.breaks,
        manifold=compiled.manifold(),
        stages=compiled.stage_functions(method) if method in STAGED else None,
        near=SOLVED,
    )
    if len(knots.t):
        integrator.end_steps_at(compiled.timed_breaks(float(knots.t[0]), float(knots.t[-1])))
    constrained = compiled.system.project.value is not None and compiled.system.projects
    for k in np.unique(step[(step >= 0) & (step < len(knots.t) - 1)]):
        inside = np.flatnonzero(step == k)
        order, start, end = inside[np.argsort(times[inside] * sign)], knots.t[k], knots.t[k + 1]
        if inputs is not None:
            compiled.d[:] = inputs[inside[0]]
        best = np.inf
        for stagewise in (False, True) if constrained else (False,):  # as the run took the step
            integrator.restart(knots.x[k], start, abs(end - start), stagewise)
            integrator.save_at(times[order])
            if integrator.advance(end, 1) is not Status.DONE:
                continue
            miss = float(np.abs(integrator.x - knots.x[k + 1]).max(initial=0.0))
            if miss < best:
                states[order], best = integrator.saved, miss
            if miss <= SAME * (1 + np.abs(integrator.x).max(initial=0.0)):
                break
    return states
