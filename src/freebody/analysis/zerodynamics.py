"""What is left to move when outputs are kept constant (Isidori 1995, §4.3): numbers near an equilibrium, and the
reduced equations where the outputs are coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.along import Along, Rise
from freebody.analysis.cramer import solved
from freebody.analysis.field import Named, Point
from freebody.analysis.linear import stability
from freebody.analysis.linearise import Near
from freebody.errors import ArgumentError
from freebody.scalar.derivative import jacobian
from freebody.scalar.expr import Expr
from freebody.scalar.walk import substitute

Array = NDArray[np.float64]
NEAR = 1e-6
WORDS = {"stable": "minimum phase", "unstable": "not minimum phase", "undecided": "undecided"}


@dataclass(frozen=True)
class Reduced:
    """The rates of the states that are left, and the inputs that hold the outputs, as expressions of those states."""

    rates: dict[str, Expr]
    inputs: dict[str, Expr]


@dataclass(frozen=True)
class ZeroDynamics:
    """The motion on the set where the outputs keep their values. ``A`` is its linearisation at the equilibrium, in the
    coordinates ``basis`` of the set's tangent; its eigenvalues are the transmission zeros."""

    A: Array
    basis: Array
    states: tuple[str, ...]
    _along: Along = field(repr=False, compare=False)
    _law: tuple[int, ...] = field(repr=False, compare=False)
    _rates: tuple[int, ...] = field(repr=False, compare=False)
    _point: Point = field(repr=False, compare=False)

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        return np.asarray(np.sort_complex(np.linalg.eigvals(self.A)), complex)

    @property
    def phase(self) -> str:
        """ "minimum phase", "not minimum phase", or "undecided" where zeros lie on the imaginary axis."""
        return WORDS[stability(self.A)]

    def project(self, x: Array) -> Array:
        """The nearby state x = [q, u, z] at which the outputs have their values and do not move: Newton steps of least
        length."""
        f, where = self._along.field, self._point
        rows = f.dense(jacobian(f.graph, list(self._rates), f.x), len(self._rates), len(f.x))
        function = f.function("outputs_still", {"y": list(self._rates), "J": rows})
        wanted, made = function(where)["y"], np.array(x, dtype=float)
        for _ in range(50):
            at = function(where.moved(made))
            step = np.linalg.lstsq(at["J"], wanted - at["y"], rcond=None)[0]
            made = _unit(made + step, f.spheres)
            if np.abs(step).max(initial=0.0) < 1e-13 * (1 + np.abs(made).max()):
                break
        left = np.abs(function(where.moved(made))["y"] - wanted).max(initial=0.0)
        if not left < NEAR:
            raise ArgumentError(
                f"no state with these outputs was found from here: one of them or of their rates is off by {left:.3g}."
                " Start nearer to the equilibrium"
            )
        return made

    def rate(self, x: Array) -> Array:
        """ẋ under the inputs that keep the outputs."""
        f, along = self._along.field, self._along
        closed = substitute(f.graph, along.x_dot, dict(zip(along.handles, self._law, strict=True)))
        return f.function("zero_dynamics", {"x_dot": closed})(self._point.moved(np.asarray(x, float)))["x_dot"]


def zero_dynamics(along: Along, rises: Sequence[Rise], law: Sequence[int], point: Point) -> ZeroDynamics:
    """Near an equilibrium: with w = law(x) the motion is ẋ = A x + B K x, K = ∂law/∂x, and the set's tangent the kernel
    of the gradients of y, ẏ, …, y⁽ʳ⁻¹⁾."""
    f = along.field
    rates = [h for r in rises for h in r.rates]
    told = [
        *((f"y{k}", h) for k, h in enumerate(rates)),
        *((n, h) for (n, _), h in zip(along.inputs, law, strict=True)),
    ]
    made = Near(f, along.inputs, told)
    point = _settled(along, law, point)
    linear = made.at(point)
    if np.abs(linear.rate).max(initial=0.0) > NEAR:
        worst = linear.states[int(np.abs(linear.rate).argmax())]
        raise ArgumentError(
            f"system '{f.name}': zero dynamics are told at an equilibrium, and the rate of '{worst}' is"
            f" {linear.rate[np.abs(linear.rate).argmax()]:.4g} here; give at=s.equilibrium(…)"
        )
    gradients, K = linear.C[: len(rates)], linear.C[len(rates) :]
    _, _, Vt = np.linalg.svd(gradients) if len(rates) else (0, 0, np.eye(len(linear.A)))
    basis = Vt[len(rates) :].T
    A = basis.T @ (linear.A + linear.B @ K) @ basis
    return ZeroDynamics(A, basis, linear.states, along, tuple(law), tuple(rates), point)


def _settled(along: Along, law: Sequence[int], point: Point) -> Point:
    """The point with the inputs that the law gives there."""
    f = along.field
    values = f.function("law", {"w": list(law)})(point)["w"]
    made = {"inputs": point.inputs.copy(), "tau": point.tau.copy()}
    for handle, value in zip(along.handles, values, strict=True):
        group = "inputs" if handle in f.groups["inputs"] else "tau"
        made[group][f.groups[group].index(handle)] = value
    return replace(point, **made)


def _unit(x: Array, places: Sequence[int]) -> Array:
    for k in places:
        x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
    return x


# The reduced equations


def reduced(along: Along, outputs: Named, rises: Sequence[Rise], held: Sequence[int]) -> Reduced:
    """M u̇ = f₀ + F w with u̇ = 0 where an output is: as many equations as there are other speeds and inputs."""
    f, g = along.field, along.graph
    fixed = _speeds(along, outputs, rises)
    others = [j for j in range(len(f.layout.u)) if j not in fixed]
    force = along.quieted(f.force)
    F = f.dense(jacobian(g, force, along.handles), len(force), len(along.handles))
    rows = [[*(row[j] for j in others), *(g.neg(h) for h in push)] for row, push in zip(f.mass_rows, F, strict=True)]
    still = dict(zip([h for _, h in outputs], held, strict=True)) | {f.groups["u"][j]: g.zero for j in fixed}
    flat = iter(substitute(g, [h for row in rows for h in row], still))
    found = solved(g, [[next(flat) for _ in row] for row in rows], substitute(g, along.still(force), still))
    u_dot, w = found[: len(others)], found[len(others) :]
    inputs = dict(zip(along.handles, w, strict=True))
    coordinates = [i for i, h in enumerate(f.groups["q"]) if h not in still]
    rates = [*(f.q_dot[i] for i in coordinates), *u_dot, *along.quieted(f.z_dot)]
    named = [*(f"q.{f.layout.q[i]}" for i in coordinates), *(f"u.{f.layout.u[j]}" for j in others), *f.layout.z]
    closed = substitute(g, substitute(g, rates, still), inputs)
    expressions = {n: Expr(g, h) for n, h in zip(named, closed, strict=True)}
    return Reduced(expressions, {n: Expr(g, h) for (n, _), h in zip(along.inputs, w, strict=True)})


def _speeds(along: Along, outputs: Named, rises: Sequence[Rise]) -> list[int]:
    """Which speeds are the rates of the outputs; refused where an output is no coordinate on which inputs act."""
    f, found = along.field, list[int]()
    for (name, node), rise in zip(outputs, rises, strict=True):
        rate = rise.rates[1] if rise.degree == 2 else -1
        if node not in f.groups["q"] or rate not in f.groups["u"]:
            raise ArgumentError(
                f"output '{name}': reduced equations are written where outputs are coordinates whose accelerations the"
                " inputs move; zero_dynamics(at=…) tells the others in numbers"
            )
        found.append(f.groups["u"].index(rate))
    return found
