"""From inputs to outputs: relative degrees, the decoupling matrix, and the feedback that makes the way linear
(Isidori 1995, ch. 4 and 5): y⁽ʳ⁾ = b(x) + A(x) w, and w = A⁻¹ (v − b) gives y⁽ʳ⁾ = v."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.along import Along, Rise
from freebody.analysis.cramer import solved
from freebody.analysis.field import Named, Point
from freebody.analysis.zero import somewhere, sure
from freebody.analysis.zerodynamics import Reduced, ZeroDynamics, reduced, zero_dynamics
from freebody.errors import ArgumentError
from freebody.run.numbers import by_name, shown
from freebody.scalar.derivative import jacobian, jvp
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import Kind

Array = NDArray[np.float64]
Exprs = NDArray[np.object_]
NEAR = 1e-8
STEADY = Kind.PARAMETER | Kind.TIME


@dataclass(frozen=True)
class Decoupling:
    """A and b at a point, with the singular values of A's rows at unit length. Where it is ``singular``, ``why`` says
    which outputs cannot be moved independently there."""

    A: Array
    b: Array
    values: Array
    why: str

    @property
    def singular(self) -> bool:
        return bool(self.why)


class InputOutput:
    """How chosen inputs w move chosen outputs y. ``degrees`` are the relative degrees by output; ``rates`` y and its
    derivatives below them, ``drift`` and ``decoupling`` the b and A of y⁽ʳ⁾ = b + A w, all expressions of x."""

    def __init__(self, along: Along, outputs: Named, locate: Callable[[Any], Point]) -> None:
        self.along, self.graph, self._named, self._locate = along, along.graph, outputs, locate
        if len({n for n, _ in outputs}) < len(outputs) or not outputs:
            raise ArgumentError("outputs need names of their own, and at least one: {'y': 'q.arm'}")
        along.require_inputs()
        self.rises: list[Rise] = [along.rise(name, node) for name, node in outputs]

    @property
    def outputs(self) -> tuple[str, ...]:
        return tuple(n for n, _ in self._named)

    @property
    def inputs(self) -> tuple[str, ...]:
        return tuple(n for n, _ in self.along.inputs)

    @property
    def degrees(self) -> dict[str, int]:
        return {n: r.degree for n, r in zip(self.outputs, self.rises, strict=True)}

    @property
    def internal(self) -> int:
        """How many states the outputs and their rates do not tell: the dimension of the zero dynamics."""
        return self.along.field.dimension - sum(self.degrees.values())

    def __str__(self) -> str:
        told = ", ".join(f"{n}: {r}" for n, r in self.degrees.items())
        return f"relative degrees {told}; {self.internal} internal states"

    # Expressions

    @property
    def rates(self) -> dict[str, list[Expr]]:
        """y, ẏ, …, y⁽ʳ⁻¹⁾ of each output."""
        return {n: self._exprs(r.rates).tolist() for n, r in zip(self.outputs, self.rises, strict=True)}

    @property
    def drift(self) -> Exprs:
        return self._exprs([r.drift for r in self.rises])

    @property
    def decoupling(self) -> Exprs:
        return self._exprs([h for r in self.rises for h in r.gains]).reshape(len(self.rises), -1)

    def _exprs(self, nodes: Sequence[int]) -> Exprs:
        made = np.empty(len(nodes), object)
        made[:] = [Expr(self.graph, h) for h in nodes]
        return made

    def at(self, point: Any = None) -> Decoupling:
        """A and b at a state: an equilibrium, or values by name."""
        return self._at(self._locate(point))

    def _at(self, point: Point) -> Decoupling:
        rows = sure(self.along.field, [[*r.gains, r.drift] for r in self.rises], point)
        A, b = rows[:, :-1], rows[:, -1]
        sizes = np.linalg.norm(A, axis=1, keepdims=True)
        left, values, _ = np.linalg.svd(A / np.where(sizes, sizes, 1.0))
        rank = int(np.sum(values > NEAR))
        return Decoupling(A, b, values, "" if rank == len(A) else self._why(A, left[:, rank:]))

    def _why(self, A: Array, dead: Array) -> str:
        still = [n for n, row in zip(self.outputs, A, strict=True) if not row.any()]
        if still:
            r = self.degrees[still[0]]
            return f"derivative {r} of output '{still[0]}' does not depend on the inputs here"
        mixed = [n for n, part in zip(self.outputs, np.abs(dead).max(axis=1), strict=True) if part > 0.1]
        return f"outputs {', '.join(mixed)} react to the same combination of the inputs here"

    # Feedback

    @cached_property
    def _square(self) -> None:
        """Refuse what has no inverse anywhere."""
        if len(self.inputs) != len(self.outputs):
            raise ArgumentError(
                f"a feedback that decouples needs as many inputs as outputs; there are {len(self.inputs)}"
                f" ({', '.join(self.inputs)}) and {len(self.outputs)} ({', '.join(self.outputs)})"
            )
        random, along = np.random.default_rng(5), self.along
        tried = [self._at(somewhere(along.field, along.point, random)) for _ in range(3)]
        if all(d.singular for d in tried):
            raise ArgumentError(
                f"the decoupling matrix is singular everywhere: {tried[0].why.removesuffix(' here')}. Choose other"
                " outputs, or put an integrator before an input (a state whose rate is the new input)"
            )

    def law(self, v: Mapping[str, Any] | None = None) -> dict[str, Expr]:
        """The inputs that make y⁽ʳ⁾ = v, as expressions that ``simulate(inputs=…)`` takes. v are numbers, texts or
        expressions by output; left out, 0."""
        _ = self._square
        given = by_name(v, "v", "{'y': '-2*q.arm'}")
        unknown = [n for n in given if n not in self.outputs]
        if unknown:
            raise ArgumentError(f"there is no output '{unknown[0]}' here; there are {', '.join(self.outputs)}")
        words = self.along.field.words
        wanted = [words.node(given.get(n, 0), f"v of '{n}'") for n in self.outputs]
        return dict(zip(self.inputs, self._exprs(self._driven(wanted)), strict=True))

    def _driven(self, wanted: Sequence[int]) -> list[int]:
        g = self.graph
        torque = self._computed(wanted)
        if torque is not None:
            return torque
        right = [g.sub(v, r.drift) for v, r in zip(wanted, self.rises, strict=True)]
        return solved(g, [r.gains for r in self.rises], right)

    def _computed(self, wanted: Sequence[int]) -> list[int] | None:
        """Computed torque, where as many outputs of q alone as there are speeds have degree 2: u̇ = J⁻¹ (v − J̇ u) and
        then w from M u̇ = f. No inverse of M is needed."""
        f, g = self.along.field, self.graph
        speeds = [r.rates[1] for r in self.rises if r.degree == 2]
        if len(speeds) != len(f.layout.u) or len(speeds) != len(self.rises):
            return None
        if any(g.mask[r.rates[0]] & ~(Kind.COORDINATE | Kind.PARAMETER) for r in self.rises):
            return None
        J = f.dense(jacobian(g, speeds, f.groups["u"]), len(speeds), len(speeds))
        seeds = dict(zip(f.groups["q"], f.q_dot, strict=True))
        bend = jvp(g, speeds, seeds)
        u_dot = solved(g, J, [g.sub(v, b) for v, b in zip(wanted, bend, strict=True)])
        return self._pushed(u_dot)

    def _pushed(self, u_dot: Sequence[int]) -> list[int]:
        """w of M u̇ = f₀ + F w."""
        f, g, along = self.along.field, self.graph, self.along
        force = along.quieted(f.force)
        F = f.dense(jacobian(g, force, along.handles), len(force), len(along.handles))
        right = []
        for row, rest in zip(f.mass_rows, along.still(force), strict=True):
            total = g.neg(rest)
            for entry, rate in zip(row, u_dot, strict=True):
                total = g.add(total, g.mul(entry, rate))
            right.append(total)
        return solved(g, F, right)

    def track(self, reference: Mapping[str, Any], poles: Any) -> dict[str, Expr]:
        """The law under which each output's error e = y − reference decays by e⁽ʳ⁾ + … + c₀ e = 0 with the given
        poles: one number for all, a row of r, or these by output. References are numbers, texts or expressions of t."""
        reference = by_name(reference, "reference", "{'y': 'sin(t)'}")
        missing = [n for n in self.outputs if n not in reference]
        if missing:
            raise ArgumentError(
                f"output '{missing[0]}' has no reference; give one for each of {', '.join(self.outputs)}"
            )
        pairs = zip(self.outputs, self.rises, strict=True)
        return self.law({n: self._follow(n, r, reference[n], poles) for n, r in pairs})

    def _follow(self, name: str, rise: Rise, reference: Any, poles: Any) -> Expr:
        g, t = self.graph, self.along.field.groups["t"][0]
        factors = _polynomial(name, rise.degree, poles.get(name) if isinstance(poles, Mapping) else poles)
        wished = self.along.field.words.node(reference, f"reference of '{name}'")
        if g.mask[wished] & ~STEADY:
            raise ArgumentError(f"reference of '{name}': {reference} must be a function of t and parameters alone")
        total = Expr(g, g.zero)
        for factor, rate in zip(factors, rise.rates, strict=True):
            total = total - factor * (Expr(g, rate) - Expr(g, wished))
            (wished,) = jvp(g, [wished], {t: g.one})
        return total + Expr(g, wished)

    # Internal dynamics

    def zero_dynamics(self, at: Any = None) -> ZeroDynamics:
        """The motion that is left when the outputs stay as they are at an equilibrium."""
        where = self._at(point := self._locate(at))
        if where.singular:
            raise ArgumentError(f"zero dynamics are not defined at this point: {where.why}")
        _ = self._square
        law = self._driven([self.graph.zero] * len(self.outputs))
        return zero_dynamics(self.along, self.rises, law, point)

    def reduced(self, values: Mapping[str, Any] | None = None) -> Reduced:
        """The zero dynamics as expressions, for outputs that are coordinates themselves: these held at ``values`` (by
        output, default 0), their speeds 0."""
        _ = self._square
        words, given = self.along.field.words, by_name(values, "values", "{'y': 0.5}")
        held = [words.node(given.get(n, 0), f"value of '{n}'") for n in self.outputs]
        return reduced(self.along, self._named, self.rises, held)


def _polynomial(name: str, degree: int, poles: Any) -> list[float]:
    """c₀ … c_{r−1} of the polynomial with these zeros."""
    try:
        row = np.atleast_1d(np.asarray([] if poles is None else poles, complex))
        known = not isinstance(poles, str | bool) and row.ndim == 1 and bool(np.isfinite(row).all())
    except (TypeError, ValueError, OverflowError):
        known = False
    if not known:
        raise ArgumentError(f"output '{name}': poles must be a finite number or a list of them, not {shown(poles)}")
    row = np.repeat(row, degree) if row.size == 1 and degree else row
    if row.size != degree:
        raise ArgumentError(f"output '{name}' has relative degree {degree}: give one pole, or {degree}, not {row.size}")
    made = np.poly(row)
    if np.abs(made.imag).max() > 1e-12 * np.abs(made).max():
        raise ArgumentError(f"output '{name}': complex poles come in conjugate pairs, {poles} do not")
    return [float(c.real) for c in made[:0:-1]]
