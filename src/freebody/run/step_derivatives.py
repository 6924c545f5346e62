"""Derivatives of one step with contact: by the state at its start, and by the inputs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, ExpressionError, SimulationError
from freebody.hybrid.system import StepSystem
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.manifold import normalised

Array = NDArray[np.float64]
CLOSE = 1e-12
"""Velocities are found where the impulses differ from the law by this fraction of the largest."""

MOST, HALVINGS = 100, 60
STALLED = 1e-9
"""Where rounding prevents the former, this fraction suffices."""


class StepDerivatives(NamedTuple):
    """The state ``x`` at the end of a step, with A = ∂x/∂x₀ and B = ∂x/∂inputs; x₀ and the inputs are in the order of
    ``states`` and ``inputs``."""

    x: Array
    A: Array
    B: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]


class _Step:
    """One step, solved with small tolerances."""

    def __init__(self, compiled: CompiledSystem, steps: StepSystem, t: float, x: Array, h: float) -> None:
        free = compiled.function(steps.free)
        values = np.asarray(free(t=t, x=x, inputs=compiled.part(steps.free), solution=np.array([h])))
        m, n = steps.rows, steps.bounds
        self._iterate, self._law = (compiled.free(p, "llvm", False) for p in (steps.iterate, steps.law))
        self.rows, self.start, self.first_bound, self._kept = m, values[:m], values[m : m + n], values[m + n :]
        self._n = max(n, 1)

    def impulses(self, velocity: Array, bound: Array) -> tuple[Array, Array]:
        """γ and the bounds at a velocity."""
        out = np.asarray(self._law(velocity, self._padded(bound), self._kept))
        return out[: self.rows], out[self.rows :]

    def _padded(self, bound: Array) -> Array:
        return bound if len(bound) == self._n else np.zeros(self._n)

    def solve(self, velocity: Array, bound: Array) -> Array:
        """The velocity at the step's end for these bounds."""
        m, v, y, gamma = self.rows, velocity, np.zeros(self.rows), np.zeros(self.rows)
        error = np.inf
        for k in range(MOST):
            out = np.asarray(self._iterate(v, self._padded(bound), v, self._kept))
            new, new_y, new_gamma = out[:m], out[m : 2 * m], out[2 * m : 3 * m]
            change, part = new - v, 1.0
            left, right = change @ (y - gamma), change @ (new_y - new_gamma)
            if k and left < 0 and right > -0.1 * left:
                low, high = 0.0, 1.0
                for _ in range(HALVINGS):
                    part = 0.5 * (low + high)
                    there = self.impulses(v + part * change, bound)[0]
                    low, high = (low, part) if change @ (y + part * (new_y - y) - there) > 0 else (part, high)
            v, y = (new, new_y) if part == 1.0 else (v + part * change, y + part * (new_y - y))
            gamma = new_gamma if part == 1.0 else self.impulses(v, bound)[0]
            last, error = error, float(np.abs(gamma - y).max() / max(np.abs(gamma).max(), np.abs(y).max(), 1e-300))
            if error <= CLOSE or (error <= STALLED and error >= last):
                return v
        raise SimulationError(
            f"the step has no derivative: its impulses are off by {error:.2g} of the largest. Take a shorter step"
        )


def step_derivatives(compiled: CompiledSystem, t: float, x: Array, h: float) -> StepDerivatives:
    """The derivatives of the step of size h from x at t."""
    steps = compiled.system.contact_steps.value
    try:
        program = steps.tangent.value
    except ExpressionError as error:
        raise ArgumentError(
            f"{compiled.about.system}: a step has no derivative: {error}. Write it as a text or a table, or give its"
            " derivatives by fb.callback(…, derivative=…)"
        ) from error
    x = normalised(np.array(x, float), compiled.system.quaternions)
    step = _Step(compiled, steps, t, x, h)
    none = np.zeros(0)
    first = second = none
    if step.rows:
        first = step.solve(step.start, step.first_bound)
        second = step.solve(first, step.impulses(first, step.first_bound)[1])
    n, m = len(x), len(compiled.part(program))
    directions = np.eye(n + m)
    values = {"t": np.array([t]), "x": x, "solution": np.array([h]), "first": first, "velocity": second}
    values |= {"direction_x": directions[:, :n].copy(), "direction_inputs": directions[:, n:].copy()}
    result = compiled.rows(program, values)
    change, after = result["change"].reshape(n + m, n), result["after"].reshape(-1, n)[0]
    system = compiled.system
    return StepDerivatives(after, change[:n].T, change[n:].T, system.states.columns, system.row.columns[:m])
