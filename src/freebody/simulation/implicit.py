"""Implicit methods for stiff systems, with exact Jacobians: SciPy's Radau, BDF and LSODA, SUNDIALS' CVODE."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, BackendError
from freebody.simulation.emit_drive import Status
from freebody.simulation.plant import Plant

Array = NDArray[np.float64]
Rates = Callable[[float, Array], Array]
PROBE = 1e-6
"""How far into a step, as a fraction, an event that has just fired is asked for its new sign."""


class Engine(Protocol):
    """One step after another: ``step`` gives the time reached and the state there, or None where it failed; ``between``
    the state inside the last step."""

    @property
    def jacobians(self) -> int: ...
    @property
    def factorisations(self) -> int: ...
    def step(self, t_end: float) -> tuple[float, Array] | None: ...
    def between(self, t: float) -> Array: ...


class Implicit:
    """A stepper (see ``steppers.Stepper``) around an implicit engine. Quaternions are made unit where rows are saved;
    in between they stay so within the tolerances."""

    def __init__(self, plant: Plant, options: Any, t0: float, x0: Array) -> None:
        self.plant, self.options = plant, options
        self.t, self.x = t0, x0.copy()
        self.steps = self.rejected = self.jacobians = self.factorisations = self.count = 0
        self.fired, self._fresh = -1, -1
        self.saved, self._times = np.empty((0, len(x0))), np.empty(0)
        self._log: list[tuple[float, int, Array]] = []
        self._rates = Counted(plant.machine.rates())
        self._watched = None if plant.watch is None else plant.machine.function(plant.watch.program)
        self._t_end: float | None = None
        self._engine: Engine | None = None
        self._g = self._signs(t0, self.x)

    @property
    def evaluations(self) -> int:
        return self._rates.count

    @property
    def together(self) -> list[int]:
        return [self.fired]

    def save_at(self, times: Array) -> None:
        self._times, self.saved, self.count = times, np.empty((len(times), len(self.x))), 0
        while self.count < len(times) and times[self.count] == self.t:
            self._save(self.x)

    def take_log(self) -> list[tuple[float, int, Array]]:
        taken, self._log = self._log, []
        return taken

    def restart(self, x: Array) -> None:
        """Go on from another state at the same time."""
        self.x = x.copy()
        self._engine, self._fresh = None, self.fired
        self._g = self._signs(self.t, self.x)

    def advance(self, t_end: float, max_steps: int) -> Status:
        for _ in range(max_steps):
            if self.t == t_end:
                return Status.DONE
            if self._engine is None or self._t_end != t_end:
                self._engine, self._t_end = self._start(t_end), t_end
            status = self._step(self._engine, t_end)
            if status is not None:
                return status
        return Status.DONE if self.t == t_end else Status.BUDGET

    def _start(self, t_end: float) -> Engine:
        x_dot = self._rates(self.t, self.x)
        if not np.all(np.isfinite(x_dot)):
            return Lost()
        made = Cvode if self.options.method == "cvode" else Scipy
        jacobian = None if self.plant.jacobian is None else self.plant.machine.jacobian
        engine = made(self._rates, jacobian, self.t, self.x, t_end, self.options)
        self.jacobians += engine.jacobians
        self.factorisations += engine.factorisations
        return engine

    def _step(self, engine: Engine, t_end: float) -> Status | None:
        before = engine.jacobians, engine.factorisations
        reached = engine.step(t_end)
        self.jacobians += engine.jacobians - before[0]
        self.factorisations += engine.factorisations - before[1]
        if reached is None:
            return Status.UNDERFLOW if np.all(np.isfinite(self._rates(self.t, self.x))) else Status.NOT_FINITE
        t, x = reached
        self.steps += 1
        found = self._crossings(engine, t, x)
        stop = next(((when, k) for when, k in found if self._stops(k)), None)
        for when, k in found:
            if not self._stops(k) and (stop is None or when <= stop[0]):
                self._log.append((when, k, self._unit(engine.between(when))))
        if stop is not None:
            t, self.fired = stop
            x = engine.between(t)
        forward = t_end >= self.t
        while self.count < len(self._times) and (self._times[self.count] <= t) == forward:
            at = self._times[self.count]
            self._save(x if at == t else engine.between(at))
        self.t, self.x, self._fresh = t, self._unit(x), -1
        self._g = self._signs(t, x)
        return Status.EVENT if stop is not None else None

    def _save(self, x: Array) -> None:
        self.saved[self.count] = self._unit(x)
        self.count += 1

    def _unit(self, x: Array) -> Array:
        made = np.array(x, float)
        for k in self.plant.about.quaternions:
            made[k : k + 4] /= np.linalg.norm(made[k : k + 4])
        return made

    # Events

    def _stops(self, k: int) -> bool:
        watch = self.plant.watch
        return watch is not None and (watch.terminal[k] or watch.resets[k] is not None)

    def _signs(self, t: float, x: Array) -> Array:
        if self._watched is None:
            return np.empty(0)
        return np.atleast_1d(np.asarray(self._watched(t=t, x=x, inputs=self.plant.inputs)))

    def _crossings(self, engine: Engine, t: float, x: Array) -> list[tuple[float, int]]:
        """Events inside the last step, in order of time."""
        watch = self.plant.watch
        if watch is None:
            return []
        ends, starts, found = self._signs(t, x), self._g, list[tuple[float, int]]()
        for k, direction in enumerate(watch.directions):
            start, g0 = self.t, starts[k]
            if k == self._fresh:
                start = self.t + PROBE * (t - self.t)
                g0 = self._signs(start, engine.between(start))[k]
            up, down = g0 < 0 <= ends[k], g0 > 0 >= ends[k]
            if (up and direction >= 0) or (down and direction <= 0):
                found.append((self._zero(engine, k, start, t), k))
        return sorted(found, key=lambda one: one[0] if t >= self.t else -one[0])

    def _zero(self, engine: Engine, k: int, a: float, b: float) -> float:
        from scipy.optimize import brentq

        if self._signs(b, engine.between(b))[k] == 0:
            return b
        small = 4e-16 * max(abs(a), abs(b))
        return float(brentq(lambda s: self._signs(s, engine.between(s))[k], a, b, xtol=max(small, 1e-300)))


class Counted:
    """A function that knows how often it was called."""

    def __init__(self, function: Rates) -> None:
        self.function, self.count = function, 0

    def __call__(self, t: float, x: Array) -> Array:
        self.count += 1
        return self.function(t, x)


class Lost:
    """Where there is no derivative to begin with."""

    jacobians = factorisations = 0

    def step(self, t_end: float) -> None:
        return None

    def between(self, t: float) -> Array:
        raise NotImplementedError


class Scipy:
    """SciPy's own steppers."""

    def __init__(self, rates: Rates, jacobian: Any, t: float, x: Array, t_end: float, options: Any) -> None:
        from scipy import integrate

        kind = {"radau": integrate.Radau, "bdf": integrate.BDF, "lsoda": integrate.LSODA}[options.method]
        limits = {} if options.max_step is None else {"max_step": options.max_step}
        self._solver = kind(
            rates, t, x, t_end, rtol=options.rtol, atol=options.atol, jac=jacobian, first_step=options.first_step,
            **limits,
        )  # fmt: skip
        self._dense: Any = None

    @property
    def jacobians(self) -> int:
        return int(self._solver.njev or 0)

    @property
    def factorisations(self) -> int:
        return int(self._solver.nlu or 0)

    def step(self, t_end: float) -> tuple[float, Array] | None:
        from warnings import catch_warnings, simplefilter

        with catch_warnings(), np.errstate(all="ignore"):
            simplefilter("ignore")
            try:
                self._solver.step()
            except (ValueError, np.linalg.LinAlgError):  # a Jacobian that is not finite
                return None
        if self._solver.status == "failed" or not np.all(np.isfinite(self._solver.y)):
            return None
        self._dense = None
        return float(self._solver.t), np.array(self._solver.y)

    def between(self, t: float) -> Array:
        if self._dense is None:
            self._dense = self._solver.dense_output()
        return np.asarray(self._dense(t))


class Cvode:
    """SUNDIALS through scikit-sundae."""

    factorisations = 0

    def __init__(self, rates: Rates, jacobian: Any, t: float, x: Array, t_end: float, options: Any) -> None:
        try:
            from sksundae.cvode import CVODE
        except ImportError:
            raise BackendError(
                "method 'cvode' needs scikit-sundae: pip install 'freebody[sundials]', or take 'bdf' or 'radau'"
            ) from None
        if np.ndim(options.rtol):
            raise ArgumentError("method 'cvode' takes one rtol for all states; atol may differ")
        self.jacobians = 0

        def fill(t: float, y: Array, out: Array) -> None:
            out[:] = rates(t, np.array(y))

        def fill_jacobian(t: float, y: Array, rate: Array, out: Array) -> None:
            self.jacobians += 1
            out[:, :] = jacobian(t, np.array(y))

        self._solver = CVODE(
            fill, rtol=float(options.rtol), atol=options.atol.tolist(), first_step=options.first_step or 0.0,
            max_step=options.max_step or 0.0, max_num_steps=100_000, jacfn=fill_jacobian if jacobian else None,
        )  # fmt: skip
        self._solver.init_step(t, x)
        self._t = t

    def step(self, t_end: float) -> tuple[float, Array] | None:
        while True:  # after a look back inside the last step, the first answer is that step's end once more
            found = self._solver.step(t_end, method="onestep", tstop=t_end)
            t, y = float(np.ravel(found.t)[0]), np.array(found.y, float).reshape(-1)
            if not found.success or not np.all(np.isfinite(y)):
                return None
            if t != self._t:
                self._t = t
                return t, y

    def between(self, t: float) -> Array:
        return np.array(self._solver.step(t, method="normal").y, float).reshape(-1)
