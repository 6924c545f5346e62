"""Omitted coordinates along a run: their rates integrated over the motion of the others, and the run with all of them.

ż = r(t, q, u, z) is integrated from step to step of the run by Gauss collocation at the states that ``run.sol``
returns: with s points of order 2 s at the ends of steps, and by the polynomials of degree s between them.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
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
POINTS = 8
"""Gauss points in each step."""
SWEEPS, SMALLEST = 40, 1e-12
"""Iterations of a step's equations before it is halved, and the smallest part of the run that a step may be."""
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
    knots, sign = run.refined(), -1.0 if run.t[-1] < run.t[0] else 1.0
    at = Collocation(run, _grid(run, len(knots) > len(run.knots), sign), start, rates, quaternions)
    recorder, e = Recorder(compiled), run.events
    knots = knots[np.flatnonzero((knots.t * sign >= run.t[0] * sign) & (knots.t * sign <= run.t[-1] * sign))]
    ends = whole(knots.x, at(knots.t))
    held = None if run.held_steps is None else run.held_steps.at(knots.t, sign)
    x_dot = recorder(knots.t, ends, held=held)["x_dot"] if len(ends) else np.empty_like(ends)
    before, after = (
        whole(side, at(e.t)) if len(e) else np.empty((0, len(compiled.about.state))) for side in (e.before, e.after)
    )
    return {
        "about": replace(compiled.about, assembly=run.about.assembly),
        "t": run.t,
        "x": whole(run.x, at(run.t)),
        "status": run.status,
        "message": run.message,
        "events": replace(e, before=before, after=after) if len(e) else Events(names=e.names),
        "statistics": run.statistics,
        "recorder": recorder,
        "knots": Knots(knots.t, ends, x_dot),
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
        raise ArgumentError(
            "integrate_omitted: q must be a dictionary of initial values of omitted coordinates, such as {'bus.x': 2.0}"
        )
    x = initial_state(about, default_state(full), q=q)
    given = {key for key, a, b in zip(about.state, x, default_state(full), strict=True) if a != b}
    known = sorted(given & set(run.about.state))
    if known:
        raise ArgumentError(
            f"integrate_omitted: '{known[0]}' was not omitted: it is a state of the run and keeps its values; leave"
            " it out of q"
        )
    return np.array([x[about.state.index(Q(name))] for name in run.about.omitted])


def _grid(run: RunResult, exact: bool, sign: float) -> Array:
    """The ends of steps and the times of events, between which the states are smooth, in the order of the run: where
    the states between them are not those of its method (``exact``), and behind the last stored step, also the saved
    times."""
    stored = exact and len(run.knots)
    saved = run.t[run.t * sign > run.knots.t[-1] * sign] if stored else run.t
    times = np.concatenate([run.t[[0, -1]], saved, run.knots.t, run.events.t]) * sign
    return np.unique(times[(times >= run.t[0] * sign) & (times <= run.t[-1] * sign)]) * sign


class Collocation:
    """The omitted coordinates at any time of a run, as a function of times."""

    def __init__(self, run: RunResult, grid: Array, start: Array, rates: Rates, quaternions: list[int]) -> None:
        self.run, self.rates, self.quaternions = run, rates, quaternions
        self.sign, self.start = -1.0 if run.t[-1] < run.t[0] else 1.0, start
        self.places = (1 + np.polynomial.legendre.leggauss(POINTS)[0]) / 2
        self.powers = np.arange(1, POINTS + 1)
        self.inverse = np.linalg.inv(self.places[:, None] ** (self.powers - 1))
        self.A = self.integrals(self.places)
        steps = [*zip(grid[:-1].tolist(), np.diff(grid).tolist(), self._states(grid[:-1], np.diff(grid)), strict=True)]
        self.steps = list[tuple[float, float, Array, Array]]()  # start, size, z at the start, rates at the points
        steps.reverse()
        z, smallest = start, SMALLEST * abs(run.t[-1] - run.t[0])
        while steps:
            t, h, x = steps.pop()
            r = self._solve(t, h, x, z)
            if r is None and abs(h) > smallest:
                halves = np.array([t + h / 2, t]), np.array([h / 2, h / 2])
                steps += zip(halves[0].tolist(), halves[1].tolist(), self._states(*halves), strict=True)
                continue
            if r is None:
                raise ArgumentError(
                    f"run of {run.about.system}: the rates of {', '.join(run.about.omitted)} grow without bound at"
                    f" t = {t:g} s; their joint is singular there"
                )
            self.steps.append((t, h, z, r))
            z = self._normalised((z + h * self.integrals(np.ones(1)) @ r)[0])

    def integrals(self, places: Array) -> Array:
        """∫₀^θ of the polynomials that are 1 at one of the points and 0 at the others, for places θ of a step."""
        return np.asarray((places[:, None] ** self.powers / self.powers) @ self.inverse)

    def __call__(self, times: Array) -> Array:
        if not self.steps:
            return np.tile(self.start, (len(times), 1))
        starts, sizes, z, r = (np.array(part) for part in zip(*self.steps, strict=True))
        k = np.clip(np.searchsorted(starts * self.sign, times * self.sign, side="right") - 1, 0, len(starts) - 1)
        places = self.integrals((times - starts[k]) / sizes[k])
        return self._normalised(z[k] + sizes[k][:, None] * np.einsum("np,npo->no", places, r[k]))

    def _normalised(self, z: Array) -> Array:
        for first in self.quaternions:
            z[..., first : first + 4] /= np.linalg.norm(z[..., first : first + 4], axis=-1, keepdims=True)
        return z

    def _states(self, starts: Array, sizes: Array) -> Array:
        """The states of the run at the points of steps."""
        times = (starts[:, None] + sizes[:, None] * self.places).ravel()
        x = self.run.sol(times).T if len(times) else np.empty((0, len(self.run.about.state)))
        return np.asarray(x).reshape(len(starts), POINTS, -1)

    def _solve(self, t: float, h: float, x: Array, z: Array) -> Array | None:
        """r(Z) of Z = z + h A r(Z) at the points of a step, by iteration; None where that does not converge."""
        times, Z = t + h * self.places, np.broadcast_to(z, (POINTS, len(z)))
        for _ in range(SWEEPS):
            r = self.rates(times, x, Z)
            new = z + h * self.A @ r
            if np.all(np.abs(new - Z) <= CONVERGED * (np.abs(new) + abs(h) * np.abs(r).max(axis=0))):
                return r
            Z = new
        return None
