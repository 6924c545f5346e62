"""The extended Kalman filter of a mechanical system: states from sampled, noisy measurements, by exact derivatives.

Between samples x moves by a Runge–Kutta step of fourth order, and the covariance by the exact derivative of this step;
covariances are those of the minimal states, so that quaternions have three (Crassidis & Junkins 2011, ch. 3 and 7).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.analysis.discrete_linear import positive
from freebody.analysis.linear_quadratic import weights
from freebody.analysis.linearise import Linearisation
from freebody.analysis.operating_point import operating_point
from freebody.analysis.state_equations import OperatingPoint, StateEquations
from freebody.api.equations import Equations
from freebody.api.system import System
from freebody.backends import compile
from freebody.errors import ArgumentError
from freebody.keywords import hint_keywords
from freebody.program.assemble import Assembly
from freebody.run.arguments import by_name, is_positive_integer, number, numbers, require_names
from freebody.tables import TableRepr, TextTable, counted
from freebody.tree.tree import require_unconstrained

Array = NDArray[np.float64]
Law = Callable[[float, "ExtendedKalmanFilter"], Any]


@hint_keywords
class ExtendedKalmanFilter(TableRepr):
    """An estimate x of a system's state with its covariance P. ``predict(inputs)`` moves both over a ``period`` (s) in
    which the inputs are held, ``update(y)`` corrects them by a measurement.

    ``measured`` are names of outputs, texts or expressions, in a list or by name, accelerations too. ``noise`` is the
    covariance of a measurement and ``process`` the spectral density of white noise that drives the states: a matrix, a
    row of diagonal entries, one number, or by name; names in ``process`` may be inputs, whose noise then acts as the
    input does. ``at`` is the estimate at the start (an equilibrium, or values by name), ``spread`` the standard
    deviations of its minimal states there: one number, a row, or by name. ``steps`` are Runge–Kutta steps in a period.

    ``states`` are the names of the minimal states, ``x`` = [q, u, z], ``P`` is the covariance, ``t`` the time."""

    def __init__(
        self,
        system: System | Equations,
        period: float,
        measured: Any,
        *,
        noise: ArrayLike | Mapping[str, float],
        process: ArrayLike | Mapping[str, float],
        at: Any = None,
        spread: ArrayLike | Mapping[str, float] = 1.0,
        parameters: Mapping[str, float] | None = None,
        steps: int = 1,
    ) -> None:
        eq = system if isinstance(system, Equations) else system.derive()
        e = eq.derivation
        require_unconstrained(e.tree, "an extended Kalman filter", "estimate with the linearisation, fb.lqe(…)")
        self.period = positive(period, "period")
        if not is_positive_integer(steps):
            raise ArgumentError(f"steps is how many steps there are in a period, 1 or more, not {steps!r}")
        self.steps, self._state = steps, StateEquations(e)
        self._linear = Linearisation(self._state, self._state.inputs([*e.layout.user_inputs]), self._outputs(measured))
        self.states, self.inputs, self.outputs = (self._linear.names[key] for key in ("states", "inputs", "outputs"))
        self.names = tuple(self._state.keys)
        self._sizes = self._linear.sizes
        self._functions = {key: self._function(key) for key in ("motion", "derivatives", "tangent")}
        self.R = weights(noise, self.outputs, "noise", "output", definite=True)
        self._process, self._through = self._noise(process)
        deviations = self._spread(spread)
        self._start = operating_point(self._state, eq.values, at, parameters), np.diag(deviations**2)
        self.reset()

    def _outputs(self, measured: Any) -> Any:
        return self._state.outputs([measured] if isinstance(measured, str) else measured)

    def _spread(self, spread: Any) -> Array:
        names = self.states
        if isinstance(spread, Mapping):
            require_names(list(names), spread, "state", "spread")
            spread = [spread.get(name, 0.0) for name in names]
        values = numbers(spread, "spread")
        if values.shape not in ((), (len(names),)) or (values < 0).any():
            raise ArgumentError(f"spread: {len(names)} standard deviations are needed, for {', '.join(names)}")
        return np.broadcast_to(values, len(names)).astype(float)

    def _noise(self, process: Any) -> tuple[Array, Array]:
        """The densities of states, and those of inputs."""
        if not isinstance(process, Mapping):
            none = np.zeros((len(self.inputs), len(self.inputs)))
            return weights(process, self.states, "process", "state", definite=False), none
        require_names([*self.states, *self.inputs], process, "state or input", "process")
        own = {name: x for name, x in process.items() if name in self.states}
        others = {name: x for name, x in process.items() if name not in own}
        return (
            weights(own, self.states, "process", "state", definite=False),
            weights(others, self.inputs, "process", "input", definite=False),
        )

    def _function(self, name: str) -> Callable[..., Any]:
        """Machine code of: M, f, q̇ and ż; the derivatives of q̇, f − M u̇, ż and y at u̇, y and its derivatives by u̇;
        or N."""
        s, linear = self._state, self._linear
        nodes: dict[str, Any] = {"N": linear.N}
        if name == "motion":
            nodes = {"M": s.mass_rows, "f": s.force, "q_dot": s.q_dot, "z_dot": s.z_dot}
        elif name == "derivatives":
            y = [h for _, h in linear.outputs]
            nodes = {"J": linear.jacobian(s.residual), "y": y, "by_u_dot": linear.by_acceleration}
        a = Assembly(name, s.graph, s.groups)
        shapes = {key: np.shape(value) for key, value in nodes.items()}
        for key, value in nodes.items():
            if 0 not in shapes[key]:
                a.user_output(key, value)
        program = a.program()
        function, keys = compile(program, "llvm"), [o.key for o in program.outputs]

        def call(point: OperatingPoint, u_dot: Array) -> dict[str, Array]:
            groups = {**point.groups, "u_dot": u_dot}
            found = function(*(groups[g.name] for g in function.groups)) if keys else {}
            values = found if isinstance(found, dict) else {keys[0]: found}
            return {key: np.asarray(values.get(key, np.zeros(shape))).reshape(shape) for key, shape in shapes.items()}

        return call

    # Access

    def __str__(self) -> str:
        return f"Extended Kalman filter of {self._state.name}: {counted(len(self.states), 'state')}, t = {self.t:g} s"

    def _table(self) -> TextTable:
        rows = tuple((name, f"{x:.5g}") for name, x in zip(self.states, self.deviations, strict=True))
        return TextTable(str(self), ("state", "standard deviation"), rows)

    def __getitem__(self, name: str) -> float:
        """The estimate of a coordinate "q.arm", a speed "u.arm" or an extra state."""
        if name not in self.names:
            raise ArgumentError(f"there is no state '{name}'; choose from {', '.join(self.names)}")
        return float(self.x[self.names.index(name)])

    @property
    def x(self) -> Array:
        """The estimate of [q, u, z]."""
        return self._point.x

    @property
    def t(self) -> float:
        return float(self._point.t)

    @property
    def deviations(self) -> Array:
        """The standard deviations of the minimal states."""
        return np.sqrt(np.diag(self.P))

    def reset(self) -> None:
        """Begin again with the estimate and the covariance of the start."""
        self._point, self.P = self._start[0], self._start[1].copy()

    # Steps

    def predict(self, inputs: Mapping[str, float] | Sequence[float] | None = None) -> None:
        """Move the estimate over a period with held inputs: values by name, or a row in the order of the inputs; 0 for
        those left out."""
        self._hold(inputs)
        h, whole, through = self.period / self.steps, np.eye(len(self.x)), np.zeros((len(self.x), len(self.inputs)))
        before = self._tangent()
        for k in range(self.steps):
            step, B = self._advance(h)
            whole, through = step @ whole, B if k == 0 else through
        Phi, B = self._minimal(whole, before), through
        if not self._flat:
            B = np.linalg.pinv(before) @ through
        density = self._process + B @ self._through @ B.T
        noise = self.period / 2 * (density + Phi @ density @ Phi.T)
        self.P = _symmetric(Phi @ self.P @ Phi.T + noise)

    def update(self, y: ArrayLike) -> Array:
        """Correct the estimate by a measurement, in the order of ``outputs``; what is NaN was not measured. The result
        is what was measured less what was expected."""
        values = np.atleast_1d(np.asarray(y, float))
        if values.shape != (len(self.outputs),):
            raise ArgumentError(f"update: {len(self.outputs)} values are needed ({', '.join(self.outputs)})")
        expected, H = self._measurement()
        gap, known = values - expected, np.isfinite(values)
        H, R = H[known], self.R[np.ix_(known, known)]
        S = H @ self.P @ H.T + R
        K = np.linalg.solve(S, H @ self.P).T
        left = np.eye(len(self.P)) - K @ H
        delta = self._tangent() @ (K @ gap[known])
        self.P = _symmetric(left @ self.P @ left.T + K @ R @ K.T)
        self._move(self.x + delta)
        return gap

    def controller(self, law: Law) -> Callable[[float, ArrayLike], Array]:
        """A function (t, y) → inputs for a sampled controller: it updates the estimate by y, asks ``law(t, filter)``
        for the inputs (a row or by name), and predicts the next sample with them. A time before the last one begins
        again."""

        def sample(t: float, y: ArrayLike) -> Array:
            if t < self.t - self.period / 2:
                self.reset()
            self.update(y)
            self.predict(law(t, self))
            return self._point.inputs[: len(self.inputs)].copy()

        return sample

    def _hold(self, inputs: Any) -> None:
        row = self._point.inputs.copy()
        if isinstance(inputs, Mapping) or inputs is None:
            named = by_name(inputs, "inputs", "{'motor': 1.0}")
            require_names(list(self.inputs), named, "input", self._state.name)
            values = np.array([number(named.get(name, 0.0), f"input '{name}'") for name in self.inputs])
        else:
            values = np.atleast_1d(numbers(inputs, "inputs"))
            if values.shape != (len(self.inputs),):
                raise ArgumentError(f"inputs: {len(self.inputs)} values are needed ({', '.join(self.inputs)})")
        row[: len(values)] = values
        self._point = replace(self._point, inputs=row)

    def _move(self, x: Array, t: float | None = None) -> None:
        for k in self._state.quaternions:
            x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
        self._point = replace(self._point.at_state(x), t=self.t if t is None else t)

    @cached_property
    def _flat(self) -> bool:
        """Whether the minimal states are changes of x itself."""
        return self._state.q_dot == self._state.groups["u"]

    def _minimal(self, whole: Array, before: Array) -> Array:
        """The derivative of x by x before, in minimal states."""
        return whole if self._flat else np.asarray(np.linalg.pinv(self._tangent()) @ whole @ before)

    def _tangent(self) -> Array:
        """T of δx = T ξ for the minimal states ξ."""
        if self._flat:
            return np.eye(len(self.x))
        n, none = self._sizes[0], np.zeros(self._sizes[1])
        N = self._functions["tangent"](self._point, none)["N"]
        T = np.zeros((len(self.x), len(self.states)))
        T[:n, : N.shape[1]], T[n:, N.shape[1] :] = N, np.eye(len(self.x) - n)
        return T

    def _rates(self) -> tuple[Array, Array, Array]:
        """ẋ, ∂ẋ/∂x and ∂ẋ/∂w at the estimate."""
        n, m, _ = self._sizes
        at, none = self._point, np.zeros(self._sizes[1])
        motion = self._functions["motion"](at, none)
        u_dot = np.linalg.solve(motion["M"], motion["f"]) if m else none
        found = self._functions["derivatives"](at, u_dot)
        size = len(self.x)
        J = found["J"].reshape(size + len(self.outputs), -1)[:size].copy()
        J[n : n + m] = np.linalg.solve(motion["M"], J[n : n + m]) if m else J[n : n + m]
        return np.concatenate([motion["q_dot"], u_dot, motion["z_dot"]]), J[:, :size], J[:, size:]

    def _measurement(self) -> tuple[Array, Array]:
        """y, and its derivatives by the minimal states."""
        n, m, _ = self._sizes
        x_dot, A, _ = self._rates()
        found = self._functions["derivatives"](self._point, x_dot[n : n + m])
        H = found["J"].reshape(len(self.x) + len(self.outputs), -1)[len(self.x) :, : len(self.x)]
        H = H + found["by_u_dot"].reshape(len(self.outputs), m) @ A[n : n + m]
        return found["y"], H @ self._tangent()

    def _advance(self, h: float) -> tuple[Array, Array]:
        """A step of the Runge–Kutta method of fourth order: its derivative by the state before, and ∂ẋ/∂w there."""
        x, t, one, through = self.x, self.t, np.eye(len(self.x)), list[Array]()
        rate, slope = np.zeros(len(x)), np.zeros_like(one)
        total, derivative = np.zeros(len(x)), np.zeros_like(one)
        for part, weight in ((0.0, 1), (h / 2, 2), (h / 2, 2), (h, 1)):
            self._point = replace(self._point.at_state(x + part * rate), t=t + part)
            before = slope
            rate, A, B = self._rates()
            slope = A @ (one + part * before)
            total, derivative = total + weight * rate, derivative + weight * slope
            through.append(B)
        self._move(x + h / 6 * total, t + h)
        return one + h / 6 * derivative, through[0]


def _symmetric(P: Array) -> Array:
    return np.asarray((P + P.T) / 2)
