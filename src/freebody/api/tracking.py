"""Controllers of fully actuated systems, each by one call: computed torque, sliding modes, adaptive control. They
return laws of inputs; what they remember are extra states that they add to the system.

With the error e = q − q_d, the reference speed v = q̇_d − Λ e and s = u − v, the equations M u̇ + C u = f + τ give
M ṡ + C s = f + τ − M v̇ − C v, and Ṁ − 2C is skew (Slotine & Li 1991, ch. 7 to 9).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.analysis.discrete_linear import positive
from freebody.analysis.expressions import Expressions
from freebody.analysis.input_output import LARGEST, cramer
from freebody.api.named_expressions import in_graph, plain_expressions, row_by_name, symbol_of
from freebody.api.system import System
from freebody.errors import ArgumentError
from freebody.keywords import hint_keywords, keyword_hints
from freebody.quantities.regressor import BaseParameters
from freebody.run.arguments import by_name, is_number, number, numbers, require_names
from freebody.run.arguments import names as names_of
from freebody.scalar import expr
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import float_function, substitute, transfer
from freebody.tables import TableRepr, TextTable

Array = NDArray[np.float64]
Exprs = NDArray[np.object_]
Gains = ArrayLike | Mapping[str, float]
SAMPLES, LOST, WEAKEST = 2001, 1e-8, 1e-6
"""Times of a reference at which its excitation is measured; what of a parameter is not excited; and the excitation
below which estimates converge more slowly, both relative to the largest."""

RANK = 1e-9
"""Actuators whose forces differ by less than this part of the largest act alike."""


@hint_keywords
@dataclass(frozen=True, repr=False)
class TrackingLaw(TableRepr):
    """``law`` are the inputs, for ``simulate(inputs=…)``; ``error`` e = q − q_d and ``surface`` s = ė + Λ e by
    coordinate. ``lyapunov`` is a function V of the state that decreases at the rate ``decrease``, and ``estimates`` are
    the extra states with the values that they would have with perfect knowledge."""

    what: str
    law: dict[str, Expr]
    error: dict[str, Expr]
    surface: dict[str, Expr]
    lyapunov: Expr | None = None
    decrease: Expr | None = None
    estimates: dict[str, float] = field(default_factory=dict)

    def _table(self) -> TextTable:
        rows = [("inputs", ", ".join(self.law)), ("coordinates", ", ".join(self.error))]
        if self.estimates:
            rows.append(("extra states", f"{len(self.estimates)}: {', '.join(list(self.estimates)[:6])}, …"))
        return TextTable(self.what, (), tuple(rows))


@keyword_hints
def computed_torque(
    system: System,
    reference: Mapping[str, Any],
    bandwidth: Gains,
    *,
    inputs: Sequence[str] | None = None,
    model: System | None = None,
    parameters: Mapping[str, float] | None = None,
) -> TrackingLaw:
    """The law τ = M (q̈_d − 2λ ė − λ² e) − f by which each coordinate's error has the double pole −λ, its ``bandwidth``
    (1/s). ``reference`` has a number, a text or an expression of t for each coordinate. The law uses the equations of
    ``model`` (the system itself by default), with the numbers ``parameters`` in place of some of its parameters.
    ``inputs`` are those that the law drives, by default all; others count as disturbances."""
    problem = _Tracking(system, reference, bandwidth, inputs, model, parameters)
    wanted = problem.accelerations - 2 * problem.rates * problem.error_rates - problem.rates**2 * problem.error
    tau = problem.M @ wanted - problem.bias
    return problem.law("Computed torque", tau)


@keyword_hints
def sliding_mode(
    system: System,
    reference: Mapping[str, Any],
    bandwidth: Gains,
    gains: Gains,
    layer: Gains,
    *,
    inputs: Sequence[str] | None = None,
    model: System | None = None,
    parameters: Mapping[str, float] | None = None,
) -> TrackingLaw:
    """The law τ = M v̇ + C v − f − K sat(s/φ). Where the ``gains`` K (N·m or N) are above what is unknown of the forces,
    the state reaches the boundary ``layer`` |s| < φ (rad/s or m/s) and stays in it, where |e| becomes smaller than φ/λ.
    ``reference``, ``bandwidth`` λ, ``inputs``, ``model`` and ``parameters`` are as in ``computed_torque``."""
    problem = _Tracking(system, reference, bandwidth, inputs, model, parameters)
    problem.require_no_motions()
    K, width = problem.gains(gains, "gains"), problem.gains(layer, "layer")
    if (width <= 0).any():
        raise ArgumentError("sliding_mode: the boundary layer must be wider than 0; without one, the law switches")
    limited = np.array([expr.max(expr.min(s / w, 1), -1) for s, w in zip(problem.surface, width, strict=True)], object)
    tau = problem.M @ problem.reference_rates + problem.C @ problem.reference_speeds - problem.forces - K * limited
    energy = problem.surface @ problem.M @ problem.surface / 2
    return problem.law("Sliding mode with a boundary layer", tau, lyapunov=energy)


@keyword_hints
def adaptive_control(
    system: System,
    reference: Mapping[str, Any],
    bandwidth: Gains,
    gains: Gains,
    adaptation: Gains,
    initial: Gains = 0.0,
    *,
    window: float = 20.0,
    name: str = "estimate",
    inputs: Sequence[str] | None = None,
    model: System | None = None,
) -> TrackingLaw:
    """Adaptive computed torque (Slotine & Li 1987): τ = Y(q, u, v, v̇) θ̂ + τ₀ − K s and θ̂' = −Γ Yᵀ s, with the
    regressor Y of the base parameters θ, combinations of masses, first moments and inertias (``eq.base_parameters()``).
    Neither accelerations nor inverses are needed. V = ½ sᵀMs + ½ (θ̂ − θ)ᵀΓ⁻¹(θ̂ − θ) decreases by sᵀKs, so that the
    error vanishes; the estimates converge where the motion is rich enough.

    ``gains`` K are in N·m·s or N·s/m. ``adaptation`` is the rate (1/s) at which the estimates converge along a
    reference that excites them all: Γ is this rate times the inverse of the mean of YᵀK⁻¹Y over the first ``window``
    seconds of the reference. It may also be Γ itself: a row, values by the names of the base parameters ("forearm.hx"),
    or a symmetric matrix. ``initial`` are estimates at the start: one number, a row, or by name. They are extra states
    "estimate.…"; loads, joint springs, friction and rotor inertias (τ₀) are taken as known. ``model`` describes the
    geometry (by default the system itself); ``estimates`` of the result are the true values."""
    problem = _Tracking(system, reference, bandwidth, inputs, model, None)
    problem.require_no_motions()
    base = problem.equations.base_parameters()
    names = [base.names[k] for k in base.independent]
    start, K = row_by_name(initial, names, "initial", 0.0), problem.gains(gains, "gains")
    if (K <= 0).any():
        raise ArgumentError("adaptive_control: gains must be positive")
    if is_number(adaptation):
        rates = _positive_rate(adaptation) * _uniform(problem, base, K, positive(window, "window"))
    else:
        rates = _adaptation(adaptation, names)
    Y = problem.X.regressor()(list(problem.reference_speeds), list(problem.reference_rates))[:, list(base.independent)]
    changes = -rates @ (Y.T @ problem.surface)
    states = [f"{name}.{re.sub(r'[^A-Za-z0-9_.]', '_', parameter)}" for parameter in names]
    for state, change, value in zip(states, changes, start, strict=True):
        system.state(state, rate=in_graph(change, system.graph), initial=float(value))
    estimate = np.array([problem.symbol(state) for state in states], object)
    armature = problem.X.armature @ problem.reference_rates
    tau = Y @ estimate + armature - problem.X.applied - K * problem.surface
    true = base.of(problem.equations.inertial_parameters().values)
    moving = rates.any(axis=0)
    rest = (estimate - true)[moving]
    energy = (
        problem.surface @ problem.M @ problem.surface / 2
        + rest @ (np.linalg.inv(rates[np.ix_(moving, moving)]) @ rest) / 2
    )
    decrease = -(problem.surface @ (K * problem.surface))
    found = dict(zip(states, true.tolist(), strict=True))
    return problem.law("Adaptive computed torque", tau, lyapunov=energy, decrease=decrease, estimates=found)


class _Tracking:
    """What tracking laws share: the reference and its rates, errors, and the equations of the model."""

    def __init__(
        self,
        system: System,
        reference: Mapping[str, Any],
        bandwidth: Gains,
        inputs: Sequence[str] | None,
        model: System | None,
        parameters: Mapping[str, float] | None,
    ) -> None:
        self.system, of = system, model or system
        self.equations = of.derive()
        self.X = X = plain_expressions(self.equations)
        self.inputs = list(X.inputs) if inputs is None else names_of(inputs, "inputs")
        require_names(list(X.inputs), dict.fromkeys(self.inputs), "input", f"system '{of.name}'")
        self.graph: Graph = X.graph
        self.names = list(X.speeds)
        named = by_name(reference, "reference", "{'arm': '0.5*sin(t)'}")
        require_names(self.names, named, "coordinate", f"reference: system '{of.name}'")
        missing = [n for n in self.names if n not in named]
        if missing:
            raise ArgumentError(f"reference: coordinate '{missing[0]}' has none; give one for {', '.join(self.names)}")
        known = by_name(parameters, "parameters", "{'m': 2.0}")
        require_names(list(of.values), known, "parameter", f"system '{of.name}'")
        g = self.graph
        self._known = {g.by_name[n]: g.const(number(x, f"parameters: '{n}'")) for n, x in known.items()}
        desired = [_target(X, named[n], n) for n in self.names]
        t = g.by_name["t"]
        first = jvp(g, [x.handle for x in desired], {t: g.one})
        second = jvp(g, first, {t: g.one})
        self.desired = np.array(desired, object)
        self.speeds, self.accelerations = (np.array([Expr(g, h) for h in some], object) for some in (first, second))
        self.error, self.error_rates = X.q - self.desired, X.u - self.speeds
        self.rates = self.gains(bandwidth, "bandwidth")
        if (self.rates <= 0).any():
            raise ArgumentError("bandwidth must be positive, in 1/s")
        self.reference_speeds = self.speeds - self.rates * self.error
        self.reference_rates = self.accelerations - self.rates * self.error_rates
        self.surface = X.u - self.reference_speeds
        self.M, self.bias = self.numbers(X.M), self.numbers(X.bias)
        self._inputs(X.u)  # raises where the system is not fully actuated

    @property
    def C(self) -> Exprs:
        return self.numbers(self.X.C)

    @property
    def forces(self) -> Exprs:
        """f without what velocities cause in the bodies' inertia."""
        return self.numbers(self.X.gravity + self.X.applied)

    def numbers(self, array: Exprs) -> Exprs:
        """Expressions with numbers in place of parameters."""
        nodes = substitute(self.graph, [x.handle for x in array.ravel().tolist()], self._known)
        result = np.empty(array.size, object)
        result[:] = [Expr(self.graph, h) for h in nodes]
        return result.reshape(array.shape)

    def gains(self, value: Gains, what: str) -> Array:
        return row_by_name(value, self.names, what, None)

    def symbol(self, name: str) -> Expr:
        return symbol_of(self.X, self.system, name)

    def require_no_motions(self) -> None:
        """Raise for prescribed motions, whose inertia forces the Coriolis matrix does not contain."""
        e = self.equations.derivation
        for link in e.tree.links:
            if any(given is not None for given in link.body.prescribed):
                raise ArgumentError(
                    f"system '{self.system.name}': the motion of '{link.name}' is prescribed, which this law does not"
                    " support; use computed_torque, or drive the joint by an input"
                )

    def law(
        self,
        what: str,
        tau: Exprs,
        lyapunov: Expr | None = None,
        decrease: Expr | None = None,
        estimates: Mapping[str, float] | None = None,
    ) -> TrackingLaw:
        """The inputs that make these generalised forces; expressions are those of the system."""
        return TrackingLaw(
            what,
            {name: self._own(x) for name, x in self._inputs(tau).items()},
            {name: self._own(x) for name, x in zip(self.names, self.error.tolist(), strict=True)},
            {name: self._own(x) for name, x in zip(self.names, self.surface.tolist(), strict=True)},
            None if lyapunov is None else self._own(lyapunov),
            None if decrease is None else self._own(decrease),
            dict(estimates or {}),
        )

    def _own(self, value: Expr) -> Expr:
        """An expression that combines with those of the system."""
        same = value.graph.family is self.system.graph.family
        return value if same else in_graph(value, self.system.graph)

    def _inputs(self, tau: Exprs) -> dict[str, Expr]:
        """w of F w = τ."""
        X, n, names = self.X, len(self.names), self.inputs
        F = self.numbers(X.force_matrix[:, [X.inputs.index(name) for name in names]])
        values = [self.graph.number(x.handle) for x in F.ravel().tolist()]
        idle = [name for name, row in zip(self.names, F, strict=True) if all(x == 0 for x in map(_zero, row))]
        if idle or len(names) != n:
            hint = f"no input acts on '{idle[0]}'" if idle else f"it has {len(names)} inputs and {n} speeds"
            more = "; choose inputs=[…]" if len(names) > n else ""
            raise ArgumentError(
                f"system '{self.system.name}' is not fully actuated: {hint}. These laws need as many inputs as speeds,"
                f" such as s.joint_force(body, s.input(…)) for each joint{more}"
            )
        if all(x is not None for x in values):
            matrix = np.array([float(x) for x in values if x is not None]).reshape(n, n)
            if np.linalg.matrix_rank(matrix, RANK * np.abs(matrix).max()) < n:
                raise ArgumentError(f"system '{self.system.name}' is not fully actuated: several inputs act alike")
            return dict(zip(names, np.linalg.inv(matrix) @ tau, strict=True))
        diagonal = all(_zero(F[i, j]) == 0 for i in range(n) for j in range(n) if i != j)
        if diagonal:
            return {name: tau[k] / F[k, k] for k, name in enumerate(names)}
        if n > LARGEST:
            raise ArgumentError(f"the forces of {n} inputs depend on the position; such laws are limited to {LARGEST}")
        rows, right = [[x.handle for x in row] for row in F], [x.handle for x in tau]
        solved = cramer(self.graph, rows, right)
        return {name: Expr(self.graph, h) for name, h in zip(names, solved, strict=True)}


def _zero(x: Expr) -> float | None:
    """The value of a constant; None of others."""
    value = x.graph.number(x.handle)
    return None if value is None else float(value)


def _positive_rate(value: Any) -> float:
    rate = number(value, "adaptation")
    if rate <= 0:
        raise ArgumentError(f"adaptation must be positive, in 1/s, not {rate:g}")
    return rate


def _uniform(problem: "_Tracking", base: BaseParameters, K: Array, window: float) -> Array:
    """The inverse of the mean of YᵀK⁻¹Y along the reference, in units in which its diagonal is 1. Combinations that are
    hardly excited have an upper limit."""
    g, n, t = problem.graph, len(problem.names), np.linspace(0.0, window, SAMPLES)
    known = {
        h: problem.equations.values[s.name]
        for s in g.symbols
        if s.name in problem.equations.values
        for h in [g.by_name[s.name]]
    }
    f = float_function(g, [x.handle for x in (*problem.desired, *problem.speeds, *problem.accelerations)])
    motion = np.array([f({**known, g.by_name["t"]: float(x)}) for x in t]).reshape(len(t), 3, n)
    Y = base.columns(problem.equations.compile("numpy").regressor(motion[:, 0], motion[:, 1], motion[:, 2], t))
    W = np.einsum("tij,i,tik->jk", Y, 1 / K, Y) / len(t)
    sizes = np.sqrt(np.diag(W))
    if (sizes <= LOST * sizes.max()).any():
        lost = base.names[base.independent[int(np.argmin(sizes))]]
        raise ArgumentError(
            f"adaptive_control: the reference does not excite '{lost}'; move all joints, or give Γ itself"
        )
    scaled = W / sizes[:, None] / sizes
    return np.asarray(np.linalg.inv(scaled + WEAKEST * np.eye(len(W))) / sizes[:, None] / sizes)


def _adaptation(value: Any, names: Sequence[str]) -> Array:
    """Γ as a matrix; rows of what is not adapted are 0."""
    n, matrix = len(names), None if isinstance(value, Mapping) else numbers(value, "adaptation")
    if matrix is None or matrix.shape != (n, n):
        matrix = np.diag(row_by_name(value, names, "adaptation", 0.0))
    moving = matrix.any(axis=0)
    part = matrix[np.ix_(moving, moving)]
    if not np.allclose(matrix, matrix.T) or (len(part) and np.linalg.eigvalsh(part).min() <= 0):
        raise ArgumentError("adaptation must be positive, or 0 for what is not adapted; a matrix positive definite")
    return (matrix + matrix.T) / 2


def _target(X: Expressions, value: Any, name: str) -> Expr:
    """A reference as an expression of t and parameters."""
    result = Expr(X.graph, X.graph.zero) + (float(value) if is_number(value) else value)
    node = transfer(result.graph, [result.handle], X.graph)[result.handle]
    if X.graph.mask[node] & ~(Kind.PARAMETER | Kind.TIME):
        raise ArgumentError(f"reference of '{name}': {value} must be a function of t and parameters alone")
    return Expr(X.graph, node)
