"""From inputs to outputs: relative degrees, decoupling matrix, linearising feedback, zero dynamics.

y⁽ʳ⁾ = b(x) + A(x) w, and w = A⁻¹ (v − b) gives y⁽ʳ⁾ = v (Isidori 1995, ch. 4 and 5).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.algebra import one_line
from freebody.analysis.lie import ControlAffine
from freebody.analysis.linear import stability
from freebody.analysis.linearise import Linearisation
from freebody.analysis.state_equations import Named, OperatingPoint, Rows, certain_values, random_point
from freebody.errors import ArgumentError
from freebody.names import Q, U
from freebody.run.arguments import by_name, shorten
from freebody.scalar.derivative import jacobian, jvp
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import NONE, Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute
from freebody.tables import TableRepr, TextTable, counted, listed

Array = NDArray[np.float64]
Exprs = NDArray[np.object_]
LARGEST = 8
"""The largest number of linear equations that are solved as expressions."""
NEAR = 1e-6
PHASES = {"stable": "minimum phase", "unstable": "not minimum phase", "undecided": "undecided"}


@dataclass(frozen=True, repr=False)
class Decoupling(TableRepr):
    """A and b at a point, with the singular values of A's rows at unit length. Where it is ``singular``, ``why`` says
    which outputs cannot be moved independently there."""

    A: Array
    b: Array
    values: Array
    reason: str = ""

    @property
    def singular(self) -> bool:
        return bool(self.reason)

    @property
    def why(self) -> str:
        return f"{self.reason} here" if self.reason else ""

    def _table(self) -> TextTable:
        columns = (*(f"A, input {k}" for k in range(self.A.shape[1])), "b")
        rows = tuple(tuple(f"{x:.5g}" for x in (*row, b)) for row, b in zip(self.A, self.b, strict=True))
        return TextTable("Decoupling: y⁽ʳ⁾ = b + A w", columns, rows, f"Singular: {self.why}." if self.why else "")


@dataclass(frozen=True, repr=False)
class Reduced(TableRepr):
    """The rates of the remaining states, and the inputs that hold the outputs, as expressions of those states."""

    rates: dict[str, Expr]
    inputs: dict[str, Expr]

    def _table(self) -> TextTable:
        named = {**{f"d/dt {n}": x for n, x in self.rates.items()}, **self.inputs}
        rows = [(n, one_line(x)) for n, x in named.items()]
        return TextTable("Motion while the outputs stay 0", (), tuple(rows))


class InputOutput(TableRepr):
    """How chosen inputs w move chosen outputs y. ``degrees`` are the relative degrees by output; ``rates`` y and its
    derivatives below them, ``drift`` and ``decoupling`` the b and A of y⁽ʳ⁾ = b + A w, all expressions of x."""

    def __init__(self, motion: ControlAffine, outputs: Named, locate: Callable[[Any], OperatingPoint]) -> None:
        self.motion, self.state, self.graph = motion, motion.state, motion.graph
        self._named, self._locate = outputs, locate
        if len({n for n, _ in outputs}) < len(outputs) or not outputs:
            raise ArgumentError("outputs need names of their own, and at least one: {'y': 'q.arm'}")
        motion.require_inputs()
        self._rates = [motion.output_rates(name, node) for name, node in outputs]
        self.inputs, self.outputs = (tuple(n for n, _ in named) for named in (motion.inputs, outputs))
        self.degrees = {n: len(r.rates) for n, r in zip(self.outputs, self._rates, strict=True)}

    @property
    def internal(self) -> int:
        """The dimension of the zero dynamics: the states that the outputs and their rates do not determine."""
        return self.state.dimension - sum(self.degrees.values())

    def __str__(self) -> str:
        degrees = ", ".join(f"{n}: {r}" for n, r in self.degrees.items())
        return f"relative degrees {degrees}; {self.internal} internal states"

    def _table(self) -> TextTable:
        drift = (one_line(x) for x in self.drift.tolist())
        rows = tuple((n, str(r), b) for (n, r), b in zip(self.degrees.items(), drift, strict=True))
        internal = f"{counted(self.internal, 'internal state')}; inputs {listed(self.inputs)}."
        return TextTable("Inputs and outputs", ("output", "relative degree", "drift"), rows, internal)

    # Expressions

    @property
    def rates(self) -> dict[str, list[Expr]]:
        """y, ẏ, …, y⁽ʳ⁻¹⁾ of each output."""
        return {n: self._exprs(r.rates).tolist() for n, r in zip(self.outputs, self._rates, strict=True)}

    @property
    def drift(self) -> Exprs:
        return self._exprs([r.drift for r in self._rates])

    @property
    def decoupling(self) -> Exprs:
        return self._exprs([h for r in self._rates for h in r.gains]).reshape(len(self._rates), -1)

    def _exprs(self, nodes: Sequence[Node]) -> Exprs:
        array = np.empty(len(nodes), object)
        array[:] = [Expr(self.graph, h) for h in nodes]
        return array

    def at(self, point: Any = None) -> Decoupling:
        """A and b at a state: an equilibrium, or values by name."""
        return self._at(self._locate(point))

    def _at(self, point: OperatingPoint) -> Decoupling:
        rows = certain_values(self.state, [[*r.gains, r.drift] for r in self._rates], point)
        A, b = rows[:, :-1], rows[:, -1]
        sizes = np.linalg.norm(A, axis=1, keepdims=True)
        left, values, _ = np.linalg.svd(A / np.where(sizes, sizes, 1.0))
        rank, why = int(np.sum(values > 1e-8)), ""
        still = [n for n, row in zip(self.outputs, A, strict=True) if not row.any()]
        if rank < len(A) and still:
            why = f"derivative {self.degrees[still[0]]} of output '{still[0]}' does not depend on the inputs"
        elif rank < len(A):
            parts = np.abs(left[:, rank:]).max(axis=1)
            mixed = ", ".join(n for n, part in zip(self.outputs, parts, strict=True) if part > 0.1)
            why = f"outputs {mixed} react to the same combination of the inputs"
        return Decoupling(A, b, values, why)

    # Feedback

    def _require_invertible(self) -> None:
        """Raises an error if the decoupling matrix has no inverse anywhere."""
        if len(self.inputs) != len(self.outputs):
            raise ArgumentError(
                f"a feedback that decouples needs as many inputs as outputs; this one has {len(self.inputs)}"
                f" ({', '.join(self.inputs)}) and {len(self.outputs)} ({', '.join(self.outputs)})"
            )
        random, motion = np.random.default_rng(5), self.motion
        tried = [self._at(random_point(self.state, motion.point, random)) for _ in range(3)]
        if all(d.singular for d in tried):
            raise ArgumentError(
                f"the decoupling matrix is singular everywhere: {tried[0].reason}. Choose other"
                " outputs, or put an integrator before an input (a state whose rate is the new input)"
            )

    def law(self, v: Mapping[str, Any] | None = None) -> dict[str, Expr]:
        """The inputs that make y⁽ʳ⁾ = v, as expressions that ``simulate(inputs=…)`` takes. v are numbers, texts or
        expressions by output; 0 for those left out."""
        self._require_invertible()
        values = by_name(v, "v", "{'y': '-2*q.arm'}")
        unknown = [n for n in values if n not in self.outputs]
        if unknown:
            raise ArgumentError(f"there is no output '{unknown[0]}' here; choose from {', '.join(self.outputs)}")
        wanted = [self.state.scope.node(values.get(n, 0), f"v of '{n}'") for n in self.outputs]
        return dict(zip(self.inputs, self._exprs(self._law(wanted)), strict=True))

    def _law(self, wanted: Sequence[Node]) -> list[Node]:
        """w of y⁽ʳ⁾ = wanted. Where as many outputs of q alone as there are speeds have degree 2 it is computed torque:
        u̇ = J⁻¹ (v − J̇ u) and then w from M u̇ = f₀ + F w, without an inverse of M."""
        s, g = self.state, self.graph
        of_q, n = Kind.COORDINATE | Kind.PARAMETER, len(self._rates)
        if n != len(s.layout.u) or any(len(r.rates) != 2 or g.mask[r.rates[0]] & ~of_q for r in self._rates):
            right = [g.sub(v, r.drift) for v, r in zip(wanted, self._rates, strict=True)]
            return cramer(g, [r.gains for r in self._rates], right)
        speeds = [r.rates[1] for r in self._rates]
        J = s.dense(jacobian(g, speeds, s.groups["u"]), n, n)
        J_dot_u = jvp(g, speeds, dict(zip(s.groups["q"], s.q_dot, strict=True)))
        u_dot = cramer(g, J, [g.sub(v, b) for v, b in zip(wanted, J_dot_u, strict=True)])
        force, F = self._forces()
        right = []
        for row, f0 in zip(s.mass_rows, force, strict=True):
            total = g.neg(f0)
            for entry, rate in zip(row, u_dot, strict=True):
                total = g.add(total, g.mul(entry, rate))
            right.append(total)
        return cramer(g, F, right)

    def _forces(self) -> tuple[list[Node], Rows]:
        """f₀ and F of f = f₀ + F w."""
        s, motion = self.state, self.motion
        force = motion.without_other_forces(s.force)
        F = s.dense(jacobian(self.graph, force, motion.handles), len(force), len(motion.handles))
        return motion.without_inputs(force), F

    def track(self, reference: Mapping[str, Any], poles: Any) -> dict[str, Expr]:
        """The law under which each output's error e = y − reference decays by e⁽ʳ⁾ + … + c₀ e = 0 with the given
        poles: one number for all, a row of r, or these by output. References are numbers, texts or expressions of t."""
        reference, v = by_name(reference, "reference", "{'y': 'sin(t)'}"), dict[str, Expr]()
        missing = [n for n in self.outputs if n not in reference]
        if missing:
            raise ArgumentError(
                f"output '{missing[0]}' has no reference; give one for each of {', '.join(self.outputs)}"
            )
        g, t = self.graph, self.state.groups["t"][0]
        for name, rates in zip(self.outputs, self._rates, strict=True):
            of_output = poles.get(name) if isinstance(poles, Mapping) else poles
            target = self.state.scope.node(reference[name], f"reference of '{name}'")
            if g.mask[target] & ~(Kind.PARAMETER | Kind.TIME):
                raise ArgumentError(
                    f"reference of '{name}': {reference[name]} must be a function of t and parameters alone"
                )
            total = Expr(g, g.zero)
            for factor, rate in zip(_polynomial(name, len(rates.rates), of_output), rates.rates, strict=True):
                total = total - factor * (Expr(g, rate) - Expr(g, target))
                (target,) = jvp(g, [target], {t: g.one})
            v[name] = total + Expr(g, target)
        return self.law(v)

    # Internal dynamics

    def zero_dynamics(self, at: Any = None) -> "ZeroDynamics":
        """The motion that remains when the outputs stay as they are at an equilibrium. With w = law(x) it is
        ẋ = A x + B K x, K = ∂law/∂x; the tangent of its set is the kernel of the gradients of y, ẏ, …, y⁽ʳ⁻¹⁾."""
        s, motion = self.state, self.motion
        decoupling = self._at(point := self._locate(at))
        if decoupling.singular:
            raise ArgumentError(f"zero dynamics are not defined at this point: {decoupling.why}")
        self._require_invertible()
        law = self._law([self.graph.zero] * len(self.outputs))
        rates = [h for r in self._rates for h in r.rates]
        shown_nodes = [*((f"y{k}", h) for k, h in enumerate(rates)), *zip(self.inputs, law, strict=True)]
        groups = {"inputs": point.inputs.copy(), "tau": point.tau.copy()}
        for handle, value in zip(motion.handles, s.function("law", {"w": law})(point)["w"], strict=True):
            group = "inputs" if handle in s.groups["inputs"] else "tau"
            groups[group][s.groups[group].index(handle)] = value
        point = replace(point, **groups)
        linear = Linearisation(s, motion.inputs, shown_nodes).at(point)
        if np.abs(linear.rate).max(initial=0.0) > NEAR:
            worst = int(np.abs(linear.rate).argmax())
            raise ArgumentError(
                f"system '{s.name}': zero dynamics are defined at an equilibrium, and the rate of"
                f" '{linear.states[worst]}' is {linear.rate[worst]:.4g} here; give at=s.equilibrium(…)"
            )
        gradients, K = linear.C[: len(rates)], linear.C[len(rates) :]
        _, _, Vt = np.linalg.svd(gradients) if len(rates) else (0, 0, np.eye(len(linear.A)))
        basis = Vt[len(rates) :].T
        A = basis.T @ (linear.A + linear.B @ K) @ basis
        return ZeroDynamics(A, basis, linear.states, motion, tuple(law), tuple(rates), point)

    def reduced(self, values: Mapping[str, Any] | None = None) -> Reduced:
        """The zero dynamics as expressions, for outputs that are coordinates themselves: these held at ``values`` (by
        output, default 0), their speeds 0. M u̇ = f₀ + F w with u̇ = 0 where an output is are as many equations as
        there are other speeds and inputs."""
        self._require_invertible()
        s, g, motion, fixed = self.state, self.graph, self.motion, list[int]()
        for (name, node), rates in zip(self._named, self._rates, strict=True):
            rate = rates.rates[1] if len(rates.rates) == 2 else NONE
            if node not in s.groups["q"] or rate not in s.groups["u"]:
                raise ArgumentError(
                    f"output '{name}': reduced equations need outputs that are coordinates whose accelerations the"
                    " inputs move; zero_dynamics(at=…) gives the others in numbers"
                )
            fixed.append(s.groups["u"].index(rate))
        named = by_name(values, "values", "{'y': 0.5}")
        held = [s.scope.node(named.get(n, 0), f"value of '{n}'") for n in self.outputs]
        others = [j for j in range(len(s.layout.u)) if j not in fixed]
        force, F = self._forces()
        pairs = zip(s.mass_rows, F, strict=True)
        rows = [[*(row[j] for j in others), *(g.neg(h) for h in gains)] for row, gains in pairs]
        still = dict(zip([h for _, h in self._named], held, strict=True)) | {s.groups["u"][j]: g.zero for j in fixed}
        flat = iter(substitute(g, [h for row in rows for h in row], still))
        solution = cramer(g, [[next(flat) for _ in row] for row in rows], substitute(g, force, still))
        u_dot, w = solution[: len(others)], solution[len(others) :]
        coordinates = [i for i, h in enumerate(s.groups["q"]) if h not in still]
        x_dot = [*(s.q_dot[i] for i in coordinates), *u_dot, *motion.without_other_forces(s.z_dot)]
        names = [*(Q(s.layout.q[i]) for i in coordinates), *(U(s.layout.u[j]) for j in others), *s.layout.z]
        closed = substitute(g, substitute(g, x_dot, still), dict(zip(motion.handles, w, strict=True)))
        of_rates, of_inputs = dict(zip(names, closed, strict=True)), dict(zip(self.inputs, w, strict=True))
        return Reduced(*({n: Expr(g, h) for n, h in nodes.items()} for nodes in (of_rates, of_inputs)))


@dataclass(frozen=True, repr=False)
class ZeroDynamics(TableRepr):
    """The motion on the set where the outputs keep their values. ``A`` is its linearisation at the equilibrium, in the
    coordinates ``basis`` of the set's tangent; its eigenvalues are the transmission zeros."""

    A: Array
    basis: Array
    states: tuple[str, ...]
    _motion: ControlAffine = field(compare=False)
    _law: tuple[Node, ...] = field(compare=False)
    _rates: tuple[Node, ...] = field(compare=False)
    _point: OperatingPoint = field(compare=False)

    def _table(self) -> TextTable:
        zeros = listed([f"{x:.5g}" for x in self.eigenvalues], 20) or "none"
        return TextTable("Zero dynamics", (), (("phase", self.phase), ("transmission zeros", zeros)))

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        return np.asarray(np.sort_complex(np.linalg.eigvals(self.A)), complex)

    @property
    def phase(self) -> str:
        """ "minimum phase", "not minimum phase", or "undecided" where zeros lie on the imaginary axis."""
        return PHASES[stability(self.A)]

    def project(self, x: Array) -> Array:
        """The nearby state x = [q, u, z] at which the outputs have their values and do not move: Newton steps of least
        length."""
        s, point = self._motion.state, self._point
        rows = s.dense(jacobian(s.graph, list(self._rates), s.x), len(self._rates), len(s.x))
        function = s.function("outputs_still", {"y": list(self._rates), "J": rows})
        wanted, x = function(point)["y"], np.array(x, dtype=float)
        for _ in range(50):
            at = function(point.at_state(x))
            step = np.linalg.lstsq(at["J"], wanted - at["y"], rcond=None)[0]
            x = x + step
            for k in s.quaternions:
                x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
            if np.abs(step).max(initial=0.0) < 1e-13 * (1 + np.abs(x).max()):
                break
        left = np.abs(function(point.at_state(x))["y"] - wanted).max(initial=0.0)
        if not left < NEAR:
            raise ArgumentError(
                f"no state with these outputs was found from here: one of them or of their rates is off by {left:.3g}."
                " Start nearer to the equilibrium"
            )
        return x

    def rate(self, x: Array) -> Array:
        """ẋ under the inputs that hold the outputs."""
        s, motion = self._motion.state, self._motion
        closed = substitute(s.graph, motion.x_dot, dict(zip(motion.handles, self._law, strict=True)))
        return s.function("zero_dynamics", {"x_dot": closed})(self._point.at_state(np.asarray(x, float)))["x_dot"]


def _polynomial(name: str, degree: int, poles: Any) -> list[float]:
    """c₀ … c_{r−1} of the polynomial with these zeros."""
    try:
        row = np.atleast_1d(np.asarray([] if poles is None else poles, complex))
        known = not isinstance(poles, str | bool) and row.ndim == 1 and bool(np.isfinite(row).all())
    except (TypeError, ValueError, OverflowError):
        known = False
    if not known:
        raise ArgumentError(f"output '{name}': poles must be a finite number or a list of them, not {shorten(poles)}")
    row = np.repeat(row, degree) if row.size == 1 and degree else row
    if row.size != degree:
        raise ArgumentError(f"output '{name}' has relative degree {degree}: give one pole, or {degree}, not {row.size}")
    factors = np.poly(row)
    if np.abs(factors.imag).max() > 1e-12 * np.abs(factors).max():
        raise ArgumentError(f"output '{name}': complex poles come in conjugate pairs, {poles} do not")
    return [float(c.real) for c in factors[:0:-1]]


def cramer(g: Graph, rows: Sequence[Sequence[Node]], right: Sequence[Node]) -> list[Node]:
    """x of A x = b as expressions, by Cramer's rule: no pivot is chosen, so that the determinant is the only divisor,
    and the expressions are valid wherever A has an inverse."""
    n = len(rows)
    if n > LARGEST:
        raise ArgumentError(f"{n} linear equations are too many to be solved as expressions; {LARGEST} is the most")
    whole, solution = determinant(g, rows), list[Node]()
    if whole == g.zero:
        raise ArgumentError("these linear equations have no solution: their determinant is 0 everywhere")
    for j in range(n):
        replaced = [[b if k == j else a for k, a in enumerate(row)] for row, b in zip(rows, right, strict=True)]
        solution.append(g.div(determinant(g, replaced), whole))
    return solution


def determinant(g: Graph, rows: Sequence[Sequence[Node]]) -> Node:
    """By minors of the last rows, each computed once; zeros cost nothing."""
    minors = {0: g.one}
    for row in reversed(rows):
        larger: dict[int, Node] = {}
        for used, minor in minors.items():
            for j, entry in enumerate(row):
                if entry != g.zero and not used >> j & 1:
                    term, key = g.mul(entry, minor), used | 1 << j
                    odd = (used & ((1 << j) - 1)).bit_count() % 2
                    larger[key] = (g.sub if odd else g.add)(larger.get(key, g.zero), term)
        minors = larger
    return minors.get((1 << len(rows)) - 1, g.zero)
