"""Omitted coordinates along a run: their rates integrated over the motion of the others, and the run with all of them.

q̇_o = r(t, q, u, q_o) is integrated from step to step by Gauss collocation at the states that ``run.sol`` returns: with
s points of order 2 s, so that the error is that of the run.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.names import Q
from freebody.results import RunResult
from freebody.results.interpolation import Knots
from freebody.results.trajectory import Events
from freebody.run.build import build
from freebody.run.initial import InitialValues, default_state, initial_state
from freebody.run.inputs import InputValues, argument_count
from freebody.run.recorder import Recorder

Array = NDArray[np.float64]
Rates = Callable[[Array, Array, Array], Array]
"""The rates of the omitted coordinates at times (n,), states (n, nx) and omitted coordinates (n, no)."""
POINTS = 6
"""Gauss points in each step."""
SWEEPS, DEEPEST = 60, 30
"""Iterations of a step's equations before it is halved, and how often that may happen."""
CONVERGED = 4e-16
"""The relative change at which they are solved."""


def with_omitted_coordinates(
    run: RunResult,
    full: Derivation,
    rates_of: Callable[[Array, Array, Array], Array],
    q: InitialValues,
    laws: InputValues,
) -> dict[str, Any]:
    """What the run with all coordinates is made of, by the arguments of its class. ``full`` are its equations,
    ``rates_of`` their q̇ at rows of q, u and t; ``q`` are initial values of omitted coordinates by name."""
    if not len(run):
        raise ArgumentError(f"run of {run.about.system}: it is empty, so there is nothing to integrate")
    omitted, states = run.about.omitted, full.layout.q
    compiled = build(full, run.about.parameters, _laws(laws, run, full))
    start = _start(run, full, compiled.about, q)
    kept = [compiled.about.state.index(key) for key in run.about.state]
    own = [compiled.about.state.index(Q(name)) for name in omitted]
    n, m = len(states), len(full.layout.u)

    def whole(x: Array, z: Array) -> Array:
        """Rows of all states."""
        rows = np.empty((len(x), len(compiled.about.state)))
        rows[:, kept], rows[:, own] = x, z
        return rows

    def rates(t: Array, x: Array, z: Array) -> Array:
        rows = whole(x, z)
        return np.asarray(rates_of(rows[:, :n], rows[:, n : n + m], t))[:, own]

    quaternions = [own.index(k) for k in compiled.about.quaternions if k in own]
    knots = run.refined()
    grid = _grid(run, knots)
    values = _integrate(run, grid, start, rates, quaternions)
    sign = -1.0 if run.t[-1] < run.t[0] else 1.0

    def at(times: Array) -> Array:
        return np.asarray(values[np.clip(np.searchsorted(grid * sign, times * sign), 0, len(grid) - 1)])

    recorder, e = Recorder(compiled), run.events
    inside = np.isin(knots.t, grid)
    ends = whole(knots.x[inside], at(knots.t[inside]))
    held = None if run.held_steps is None else run.held_steps.at(knots.t[inside], sign)
    x_dot = recorder(knots.t[inside], ends, held=held)["x_dot"] if len(ends) else np.empty_like(ends)
    before, after = (whole(side, at(e.t)) if len(e) else np.empty((0, len(compiled.about.state))) for side in (
        e.before, e.after))  # fmt: skip
    return {
        "about": replace(compiled.about, assembly=run.about.assembly),
        "t": run.t,
        "x": whole(run.x, at(run.t)),
        "status": run.status,
        "message": run.message,
        "events": replace(e, before=before, after=after) if len(e) else Events(names=e.names),
        "statistics": run.statistics,
        "recorder": recorder,
        "knots": Knots(knots.t[inside], ends, x_dot),
        "held": run.held_rows,
        "held_steps": run.held_steps,
    }


def _laws(laws: InputValues, run: RunResult, full: Derivation) -> InputValues:
    """The laws of inputs for the system with all coordinates: Python functions of the state get that of the run."""
    if not isinstance(laws, Mapping):
        return laws
    keys = [*Q.all(full.layout.q)]
    kept = [k for k, key in enumerate(keys) if key in run.about.state]
    kept += range(len(keys), len(keys) + len(run.about.state) - len(kept))

    def of_state(function: Any, t: float, x: Any) -> float:
        return float(function(t, np.asarray(x)[kept]))

    def law(name: str, value: Any) -> Any:
        if callable(value) and argument_count(value, f"input '{name}'") == 2:
            return lambda t, x: of_state(value, t, x)
        return value

    return {name: law(name, value) for name, value in laws.items()}


def _start(run: RunResult, full: Derivation, about: Any, q: InitialValues) -> Array:
    """The initial values of the omitted coordinates."""
    if q is not None and not isinstance(q, Mapping):
        raise ArgumentError("integrate_omitted: q has initial values of omitted coordinates by name, {'bus.x': 2.0}")
    x = initial_state(about, default_state(full), q=q)
    given = {key for key, a, b in zip(about.state, x, default_state(full), strict=True) if a != b}
    known = sorted(given & set(run.about.state))
    if known:
        raise ArgumentError(f"integrate_omitted: '{known[0]}' is a state of the run, and has a value already")
    return np.array([x[about.state.index(Q(name))] for name in run.about.omitted])


def _grid(run: RunResult, knots: Knots) -> Array:
    """The ends of steps, the saved times and those of events, in the order of the run."""
    sign = -1.0 if run.t[-1] < run.t[0] else 1.0
    times = np.concatenate([run.t, knots.t, run.events.t]) * sign
    return np.unique(times[(times >= run.t[0] * sign) & (times <= run.t[-1] * sign)]) * sign


def _integrate(run: RunResult, grid: Array, start: Array, rates: Rates, quaternions: list[int]) -> Array:
    """The omitted coordinates on the grid."""
    points, weights = np.polynomial.legendre.leggauss(POINTS)
    places = (1 + points) / 2
    powers = np.arange(1, POINTS + 1)
    A = (places[:, None] ** powers / powers) @ np.linalg.inv(places[:, None] ** (powers - 1))
    step = partial(_step, run, rates, places, A, weights / 2)
    values, z = np.empty((len(grid), len(start))), start
    inside = (grid[:-1, None] + np.diff(grid)[:, None] * places).ravel()
    x = run.sol(inside).T.reshape(len(grid) - 1, POINTS, -1) if len(grid) > 1 else np.empty((0, POINTS, 0))
    values[0] = z
    for k, rows in enumerate(x):
        z = step(grid[k], grid[k + 1] - grid[k], rows, z)
        for first in quaternions:
            z[first : first + 4] /= np.linalg.norm(z[first : first + 4])
        values[k + 1] = z
    return values


def _step(
    run: RunResult,
    rates: Rates,
    places: Array,
    A: Array,
    b: Array,
    t: float,
    h: float,
    x: Array,
    z: Array,
    depth: int = 0,
) -> Array:
    """z(t + h): Z = z + h A r(Z) at the Gauss points by iteration, z + h b · r(Z)."""
    times, Z = t + h * places, np.broadcast_to(z, (len(places), len(z)))
    for _ in range(SWEEPS):
        r = rates(times, x, Z)
        new = z + h * A @ r
        if np.all(np.abs(new - Z) <= CONVERGED * (np.abs(new) + np.abs(h) * np.abs(r).max(axis=0))):
            break
        Z = new
    else:
        if depth < DEEPEST and np.isfinite(r).all():
            for start in (t, t + h / 2):
                half = run.sol(start + h / 2 * places).T
                z = _step(run, rates, places, A, b, start, h / 2, half, z, depth + 1)
            return z
        raise ArgumentError(
            f"run of {run.about.system}: the rates of {', '.join(run.about.omitted)} grow without bound at t = {t:g} s;"
            " their joint is singular there"
        )
    return np.asarray(z + h * b @ r)
