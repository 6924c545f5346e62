"""A warning where energy and work of a run do not balance: its motion is not accurate.

The balance is estimated from the ends of the run's steps, which takes little time: exact energies there, and the work
between them by Gauss quadrature, on the method's own interpolation where that is at hand, else on a cubic one. Where
this is doubtful, the run is repeated and the method's own interpolation kept, which takes less time than to repeat
single steps; where the estimate is doubtful still, the balance of the result decides (``results.work``)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from freebody.errors import SimulationWarning, warn
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.contact_method import CONTACT
from freebody.integrate.emit_drive import NODES as INNER
from freebody.results.trajectory import RunResult
from freebody.run.options import BAUMGARTE, DEFAULT_TOLERANCES, PROJECTION, RunOptions

Array = NDArray[np.float64]
OFF, DOUBTFUL, DOUBTFUL_INSIDE = 1e-3, 2e-4, 7e-4
"""Errors of the balance, relative to the largest energy or work: that of a warning, and the smallest estimate that is
looked at closely, on cubic interpolation and on the method's own."""

LOOSE = 1e-5
"""Relative tolerances from which on steps are long."""

LARGE = 1e-2
"""Errors above this one do not come from the heightfields of contacts alone."""

NEGLECTED = 0.1
"""The error of the balance of flexible bodies whose order neglects terms, from which on a warning says so."""

SAMPLES = 100
"""About how many ends of steps have their energies compared where nothing changes these."""

NODES, WEIGHTS = np.array(INNER), np.polynomial.legendre.leggauss(len(INNER))[1] / 2
HERMITE = np.column_stack([
    (1 + 2 * NODES) * (1 - NODES) ** 2, NODES**2 * (3 - 2 * NODES), NODES * (1 - NODES) ** 2, NODES**2 * (NODES - 1)
])  # fmt: skip
"""Gauss points of a step and their weights; the shares there of the states at both ends and of their changes at the
rates at both ends."""

MANY = 100
"""Systems with more speeds are checked where constraints are not projected or steps have one size: there it is most
likely that the balance is off, elsewhere the check would take long."""

STILL = 1e3
"""A state that changes by less during the run, in tolerances (rtol at most its default), is at rest: its energies are
as small as errors."""

RESOLVED = 1e-11
"""Differences of energies that are smaller, relative to the largest energy, may be rounding errors."""


def warn_of_energy(
    compiled: CompiledSystem,
    run: RunResult,
    options: RunOptions,
    inner: Array | None = None,
    inside: Callable[[], Array | None] | None = None,
) -> None:
    """Warn where the balance of a run that did not fail is off by more than ``OFF``. ``inner`` are the states at the
    Gauss points of the steps that end at its knots, where the stepper knows them; else ``inside`` finds them. Runs with
    functions of users are not checked, since these are not called again; nor implicit steps with contact, which take
    energy where shapes meet."""
    if len(run.knots) >= 2 and compiled.mechanics.programs.neglects:
        _warn_of_order(compiled, run, options)
    if run.status < 0 or len(run.knots) < 2 or not examines(compiled, options):
        return
    with np.errstate(all="ignore"):
        doubtful = DOUBTFUL if inner is None else DOUBTFUL_INSIDE
        if _estimate(compiled, run, inner) < doubtful or not _moves(run, options):
            return
        if inner is None and inside is not None and compiled.mechanics.has_power and options.step is None:
            inner = inside()
            if inner is not None and _estimate(compiled, run, inner) < DOUBTFUL_INSIDE:
                return
        balance = run.energy_balance
    if balance is None or not balance.error > OFF:
        return
    if balance.error * balance.scale < RESOLVED * np.abs(run["energy.total"]).max():
        return
    warn(
        f"{run.about.system}: energy and work do not balance: the error is {100 * balance.error:.2g} % of"
        f" {balance.scale:.3g} J, the largest energy or work, so the motion is not accurate."
        f" {advice(compiled, options, balance.error)}",
        SimulationWarning,
    )


def _of_heightfields(compiled: CompiledSystem) -> str:
    """What contacts with heightfields do to the balance, in words; "" without any."""
    contacts = compiled.mechanics.programs.contacts.value
    if contacts is None or not contacts.on_heightfields:
        return ""
    return (
        f"Contact '{contacts.on_heightfields[0]}' is with a heightfield, whose normal jumps where its cells meet: that"
        " leaves errors of about 0.1 % with any tolerances. Finer grids of smooth ground and softer materials have"
        " smaller ones."
    )


def _warn_of_order(compiled: CompiledSystem, run: RunResult, options: RunOptions) -> None:
    """Warn where the terms that flexible bodies neglect add or remove more than ``NEGLECTED`` of the energy."""
    if len(compiled.system.speeds) > MANY or compiled.system.user_functions or not _moves(run, options):
        return
    with np.errstate(all="ignore"):
        balance = run.energy_balance
    if balance is None or balance.error <= NEGLECTED:
        return
    warn(
        f"{run.about.system}: energy and work do not balance: the error is {100 * balance.error:.2g} % of"
        f" {balance.scale:.3g} J, the largest energy or work. {compiled.mechanics.programs.neglects} neglects how the"
        " inertia changes with the deformation, which is too large here, or turns too fast: take order='full'.",
        SimulationWarning,
    )


def examines(compiled: CompiledSystem, options: RunOptions) -> bool:
    """Whether the balance of a run is checked."""
    if options.method == CONTACT.name:
        return False
    controlled = options.step is None and options.constraints == PROJECTION
    large = controlled and len(compiled.system.speeds) > MANY
    return not large and compiled.mechanics.programs.balance.value is not None


def takes_long_steps(compiled: CompiledSystem, options: RunOptions) -> bool:
    """Whether steps are so long that cubic interpolation seldom serves: then the method's own is kept from the start,
    instead of in a second run."""
    if options.step is not None or options.method == CONTACT.name or np.asarray(options.rtol).max() < LOOSE:
        return False
    return examines(compiled, options) and compiled.mechanics.has_power


def advice(compiled: CompiledSystem, options: RunOptions, error: float) -> str:
    """What to do about an error of the balance."""
    cause, change = _of_heightfields(compiled), _change(options)
    return f"{cause} {change}" if cause and error > LARGE else cause or change


def _change(options: RunOptions) -> str:
    """Which options of a run make it more accurate."""
    closer = "Take a shorter step" if options.step else "Reduce rtol and atol"
    if options.constraints == PROJECTION:
        return f"{closer}, or compare with another method."
    why = " (stabilisation fails near singular positions)" if options.constraints == BAUMGARTE else ""
    return f"Leave constraints='{options.constraints}' out{why}, or {closer[0].lower()}{closer[1:]}."


def _moves(run: RunResult, options: RunOptions) -> bool:
    """Whether the state changes by more than errors, or is prescribed entirely."""
    change, size = np.ptp(run.knots.x, axis=0), np.abs(run.knots.x).max(axis=0)
    tolerance = np.asarray(options.atol, float) + np.minimum(options.rtol, DEFAULT_TOLERANCES["rtol"]) * size
    return not len(change) or bool(np.any(change > STILL * tolerance))


def _estimate(compiled: CompiledSystem, run: RunResult, inner: Array | None) -> float:
    """The error of the balance along the ends of steps, relative to the largest kinetic energy, change of potential
    energy or work. Steps that an event cuts short are left out, since events may change the energy."""
    t, x, events = run.knots.t, run.knots.x, run.events
    if compiled.mechanics.has_power:
        n, size = len(t), t[1:] - t[:-1]
        if inner is None:
            times, states = between(t, x, run.knots.x_dot)
        else:
            inside = np.where(size[:, None, None] == 0, x[1:, None], inner[1:n])  # nothing is kept of restarts
            times, states = (t[:-1, None] + size[:, None] * NODES).ravel(), np.concatenate(inside)
        times = np.concatenate([events.times_of_rows(t, x), times])
        values = compiled.mechanics.balance(times, np.concatenate([x, states]), _inputs(compiled, run, times))
        values, power = values[:n], values[n:, 2].reshape(-1, len(NODES)) @ WEIGHTS * size
    else:
        every = 1 if len(events) else 1 + len(t) // SAMPLES
        t, x = t[::-every][::-1], x[::-every][::-1]
        values = compiled.mechanics.balance(events.times_of_rows(t, x), x, _inputs(compiled, run, t))
        power = np.zeros(len(t) - 1)
    total = values[:, 0] + values[:, 1]
    error = total[1:] - total[:-1] - power
    if len(events):
        whole = ~np.isin(t[1:], events.t[events.jumps])
        error, power = error * whole, power * whole
    largest = max(float(np.abs(x).max()) for x in (values[:, 0], values[:, 1] - values[0, 1], power.cumsum()))
    return float(np.abs(error.cumsum()).max()) / largest if largest else 0.0


def between(t: Array, x: Array, x_dot: Array) -> tuple[Array, Array]:
    """The Gauss points between times, and the states there from those at the times and their rates."""
    size = np.diff(t)
    h, ends = size[:, None], np.empty((len(size), 4, x.shape[1]))
    ends[:, 0], ends[:, 1], ends[:, 2], ends[:, 3] = x[:-1], x[1:], x_dot[:-1] * h, x_dot[1:] * h
    times = (t[:-1, None] + h * NODES).ravel()
    return times, np.concatenate(HERMITE @ ends)


def _inputs(compiled: CompiledSystem, run: RunResult, t: Array) -> Array:
    """The row d of the system, or one for each time where events switch constraints."""
    if run.held_steps is None:
        return compiled.d
    rows = compiled.rows_with_held(run.held_steps.at(t, -1.0 if run.t[-1] < run.t[0] else 1.0))
    assert rows is not None
    return rows
