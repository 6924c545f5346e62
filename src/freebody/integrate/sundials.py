"""Solvers of SUNDIALS: CVODE for ẋ, and IDA for the equations of motion as differential-algebraic equations.

The unknowns are x = [q, u, z] and the multipliers λ and μ of constraints (Gear, Leimkuhler & Gupta 1985):

    q̇ = N (u + Gᵀμ) + n        M u̇ = f + Gᵀλ        ż = …        G u + offset = 0        φ = 0

Both equations of a constraint hold at the end of every step. μ is zero but for the errors of q; equations of speeds
alone have none, and quaternions have one for their unit length. With Baumgarte's terms the last two equations are
replaced by G u̇ = γ − 2α (G u + offset) − β² φ. Equations that depend on others at the start are replaced by λ = 0 and
μ = 0.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, BackendError
from freebody.extras import install_command
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.mechanics import independent_rows

Array = NDArray[np.float64]
Rates = Callable[[float, Array], Array]
UNCONTROLLED = 1e10
"""The absolute tolerance of multipliers, relative to their size at the start: the error of steps is that of x alone."""


class DaeSystem:
    """F(t, y, ẏ) = 0 of a system, with y = [x, λ, μ]. ``rates`` are ẋ(t, x); ``inside`` limits times to one side of
    break points; ``count`` is called for each evaluation of F."""

    def __init__(
        self, compiled: CompiledSystem, rates: Rates, inside: Callable[[float], float], count: Callable[[], None]
    ) -> None:
        dae = compiled.system.dae.value
        if dae is None:
            raise ArgumentError(
                f"{compiled.about.system}: method 'ida' needs equations without loops over bodies: take 'cvode' or"
                " 'bdf', or derive with rolled=False"
            )
        program, system, mechanics = dae.program, compiled.system, compiled.mechanics.programs
        self.compiled, self.rates, self.inside, self.count = compiled, rates, inside, count
        self.n, self.m, self.x = system.coordinates, len(system.speeds), len(system.states)
        groups = {g.name: g.size for g in program.groups}
        self.speeds, self.stabilised = groups["multipliers"], mechanics.stabilised
        self.size = self.x + self.speeds + groups["mu"]
        self.omitted = np.empty(0, np.intp)
        self._right = compiled.raw_call(program, "u_dot", "multipliers", "mu")
        derivative, unknowns = dae.derivative, ("u_dot", "multipliers", "mu")
        self._derivative = None if derivative is None else compiled.raw_call(derivative, *unknowns)

    def start(self, t: float, x: Array) -> tuple[Array, Array]:
        """Consistent values of y and ẏ; those of multipliers are not differentiated. Equations that depend on others
        here are left out from now on."""
        y, rates = np.zeros(self.size), np.zeros(self.size)
        y[: self.x], rates[: self.x] = x, self.rates(t, x)
        solution = self.compiled.mechanics.programs.solution.value
        if solution is not None:
            values: Any = self.compiled.function(solution)(t=self.inside(t), x=x, inputs=self.compiled.part(solution))
            at = self.compiled.mechanics.constraint(self.inside(t), x)
            assert at is not None
            G = at["G"]
            kept = independent_rows(G @ np.linalg.solve(self.compiled.mechanics.mass_matrix(self.inside(t), x), G.T))
            # the multipliers of the solution may be those of other equations; the forces Gᵀλ are the same
            y[[self.x + k for k in kept]] = np.linalg.lstsq(G[kept].T, G.T @ values["multipliers"], rcond=None)[0]
            speeds = [self.x + k for k in range(self.speeds) if k not in kept]
            rows, first = self.compiled.mechanics.programs.position_rows.value, self.x + self.speeds
            self.omitted = np.array([*speeds, *(first + k for k, row in enumerate(rows) if row not in kept)], np.intp)
        return y, rates

    def _arguments(self, t: float, y: Array, rates: Array) -> tuple[float, Array, Array, Array, Array]:
        x, middle = self.x, self.x + self.speeds
        return self.inside(t), y[:x], rates[self.n : self.n + self.m], y[x:middle], y[middle:]

    def residual(self, t: float, y: Array, rates: Array) -> Array:
        """F: q̇ and ż less their values, M u̇ − f − Gᵀλ, and the equations of constraints."""
        self.count()
        F, end = self._right(*self._arguments(t, y, rates)), self.n + self.m
        F[: self.n] = rates[: self.n] - F[: self.n]
        F[self.n : end] *= -1
        F[end : self.x] = rates[end : self.x] - F[end : self.x]
        F[self.omitted] = y[self.omitted]
        return F

    @property
    def exact(self) -> bool:
        """Whether there are exact derivatives; a user's function may have none."""
        return self._derivative is not None

    def jacobian(self, t: float, y: Array, rates: Array, c: float) -> Array:
        """∂F/∂y + c ∂F/∂ẏ."""
        assert self._derivative is not None
        n, m, x, end = self.n, self.m, self.x, self.n + self.m
        values = self._derivative(*self._arguments(t, y, rates))
        J, M = values[: self.size**2].reshape(self.size, self.size), values[self.size**2 :].reshape(m, m)
        J[:x] *= -1
        J[range(n), range(n)] += c
        J[n:end, n:end] += c * M
        J[range(end, x), range(end, x)] += c
        if self.stabilised:
            J[x : x + self.speeds, n:end] += c * J[n:end, x : x + self.speeds].T  # equations of accelerations, −G u̇
        J[self.omitted] = 0.0
        J[self.omitted, self.omitted] = 1.0
        return J


class Sundials:
    """Steps of a solver of scikit-sundae, whose unknowns begin with the state of the run."""

    factorisations = 0
    jacobians = 0

    def __init__(self, solver: Any, t: float, size: int) -> None:
        self._solver, self._t, self._size, self._looked_back = solver, t, size, False

    def step(self, t_end: float) -> tuple[float, Array] | None:
        """One step. After ``between``, the solver returns the end of the last step once more before it moves on; a
        result at the same time for another reason is a step too small to count."""
        for _ in range(2 if self._looked_back else 1):
            with np.errstate(all="ignore"):
                result = self._solver.step(t_end, method="onestep", tstop=t_end)
            t, y = float(np.ravel(result.t)[0]), np.array(result.y, float).reshape(-1)
            if not result.success or not np.all(np.isfinite(y)):
                return None
            if t != self._t:
                self._t, self._looked_back = t, False
                return t, y[: self._size]
        return None

    def between(self, t: float) -> Array:
        self._looked_back = True
        return np.array(self._solver.step(t, method="normal").y, float).reshape(-1)[: self._size]

    def several(self, times: Array) -> Array:
        return np.array([self.between(t) for t in times])


class CvodeSolver(Sundials):
    """CVODE of SUNDIALS."""

    def __init__(self, rates: Rates, jacobian: Any, t: float, x: Array, t_end: float, options: Any) -> None:
        require_one_rtol(options)

        def fill(t: float, y: Array, out: Array) -> None:
            out[:] = rates(t, np.array(y))

        def fill_jacobian(t: float, y: Array, rate: Array, out: Array) -> None:
            self.jacobians += 1
            out[:, :] = jacobian(t, np.array(y))

        solver = _sundials("cvode").CVODE(
            fill,
            rtol=float(options.rtol),
            atol=options.atol.tolist(),
            jacfn=fill_jacobian if jacobian else None,
            **step_sizes(options, t, t_end),
        )
        solver.init_step(t, x)
        super().__init__(solver, t, len(x))


class IdaSolver(Sundials):
    """IDA of SUNDIALS."""

    def __init__(self, system: DaeSystem, t: float, x: Array, t_end: float, options: Any) -> None:
        require_one_rtol(options)

        def fill(t: float, y: Array, rates: Array, out: Array) -> None:
            out[:] = system.residual(t, np.array(y), np.array(rates))

        def fill_jacobian(t: float, y: Array, rates: Array, residual: Array, c: float, out: Array) -> None:
            self.jacobians += 1
            out[:, :] = system.jacobian(t, np.array(y), np.array(rates), c)

        y, rates = system.start(t, x)
        # the norm of an error is a mean over all unknowns, and that of multipliers is not counted
        share = np.sqrt(len(x) / len(y))
        atol = np.full(len(y), UNCONTROLLED * max(1.0, float(np.abs(y[len(x) :]).max(initial=0.0))))
        atol[: len(x)] = share * options.atol
        solver = _sundials("ida").IDA(
            fill,
            rtol=share * float(options.rtol),
            atol=atol.tolist(),
            jacfn=fill_jacobian if system.exact else None,
            algebraic_idx=list(range(len(x), len(y))) or None,
            **step_sizes(options, t, t_end),
        )
        solver.init_step(t, y, rates)
        super().__init__(solver, t, len(x))


def _sundials(method: str) -> Any:
    try:
        return import_module(f"sksundae.{method}")
    except ImportError:
        raise BackendError(
            f"method '{method}' needs scikit-sundae: {install_command('sundials')}; or take 'bdf' or 'radau'"
        ) from None


def require_one_rtol(options: Any) -> None:
    if np.ndim(options.rtol):
        raise ArgumentError(f"method '{options.method}' takes one rtol for all states; atol may differ")


def step_sizes(options: Any, t: float, t_end: float) -> dict[str, Any]:
    first = min(options.first_step or 0.0, abs(t_end - t))
    return {"first_step": first, "max_step": options.max_step or 0.0, "max_num_steps": 100_000}
