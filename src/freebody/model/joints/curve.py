"""Functions of a joint's coordinates, as expressions in words that stand for these, and their derivatives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from freebody.errors import FieldError, within
from freebody.model.element import Pattern
from freebody.model.kinds import Direction, FieldKind, ListOf, Scalar, Scope, as_list
from freebody.model.laws import LawScope, argument_names, argument_symbol
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind as Symbols
from freebody.scalar.walk import substitute, symbols_of, transfer
from freebody.spatial.scalars import Triple, dot3, transpose


@dataclass(frozen=True, eq=False)
class Foreign:
    """An expression of another graph, with nodes of this one for its parameters."""

    source: Graph
    handle: int
    parameters: tuple[int, ...]
    given: tuple[Expr, ...]


@dataclass(frozen=True)
class Formula(Scalar):
    """A function of the element's own arguments and of parameters: a text in their names, or an expression."""

    takes_arguments = True
    late = False
    type_name = "formula"

    def read(self, given: Any, scope: Scope) -> Any:
        made = super().read(given, scope)
        if isinstance(made, Expr):
            g, own = made.graph, argument_names(made)
            for i in symbols_of(g, [made.handle]):
                s = g.symbols[g.a[i]]
                if s.kind is not Symbols.PARAMETER and i not in own:
                    raise FieldError(f"it may depend on its own arguments and on parameters only, not on {s.name}")
        return made

    def write(self, value: Any, out: Any) -> Any:
        return out.law(value)

    def split(self, value: Any, scalars: list[Any]) -> Any:
        """Its parameters are scalars."""
        if not isinstance(value, Expr):
            return value
        g, h = value.graph, value.handle
        found = tuple(i for i in symbols_of(g, [h]) if g.symbols[g.a[i]].kind is Symbols.PARAMETER)
        scalars += [Expr(g, i) for i in found]
        parts = ("source", g), ("handle", h), ("parameters", found), ("given", (...,) * len(found))
        return Pattern(Foreign, parts)


@dataclass(frozen=True)
class Formulas(ListOf):
    """Several formulas, or a Python function of the arguments that returns them."""

    item: FieldKind = Formula()

    def read(self, given: Any, scope: Scope) -> Any:
        return super().read(scope.call(given) if isinstance(scope, LawScope) else given, scope)


class Turns(FieldKind):
    """Pairs of an axis and a formula for the angle, one after another; {axis, angle} in a file."""

    type_name = "turns"
    takes_arguments = True

    def read(self, given: Any, scope: Scope) -> Any:
        turns = as_list(scope.call(given) if isinstance(scope, LawScope) else given)
        return tuple(self._one(k, turn, scope) for k, turn in enumerate(turns))

    def _one(self, k: int, given: Any, scope: Scope) -> Any:
        with within(k):
            if isinstance(given, Mapping):
                unknown = [key for key in given if key not in ("axis", "angle")]
                if unknown:
                    text = f"there is no key '{unknown[0]}' here. There are axis, angle."
                    raise FieldError(text, unknown[0], of_key=True)
                missing = [key for key in ("axis", "angle") if key not in given]
                if missing:
                    raise FieldError(f"the key '{missing[0]}' is missing")
                given = given["axis"], given["angle"]
            axis, angle = as_list(given, 2)
            with within("axis"):
                axis = Direction().read(axis, scope)
            with within("angle"):
                return axis, Formula().read(angle, scope)

    def write(self, value: Any, out: Any) -> Any:
        return [
            {"axis": Direction().write(axis, out.at(k, "axis")), "angle": Formula().write(angle, out.at(k, "angle"))}
            for k, (axis, angle) in enumerate(value)
        ]

    def schema(self) -> dict[str, Any]:
        keys = {"axis": Direction().schema(), "angle": Formula().schema()}
        turn = {"type": "object", "properties": keys, "required": [*keys], "additionalProperties": False}
        return {"type": "array", "items": turn}

    def split(self, value: Any, scalars: list[Any]) -> Any:
        return None if value is None else tuple((Direction().split(axis, scalars), Formula().split(angle, scalars))
                                                for axis, angle in value)  # fmt: skip


class Along:
    """Functions and their derivatives where the coordinates are these nodes and move at these speeds."""

    def __init__(self, g: Graph, names: Sequence[str], q: Sequence[int], u: Sequence[int]) -> None:
        self.graph, self.u = g, u
        self.arguments = [argument_symbol(g, name).handle for name in names]
        self.q = dict(zip(self.arguments, q, strict=True))

    def _nodes(self, given: Sequence[Any]) -> list[int]:
        """The functions in this graph, still in words."""
        return [self._node(x) for x in given]

    def _node(self, x: Any) -> int:
        if isinstance(x, Foreign):
            known = {h: e.handle for h, e in zip(x.parameters, x.given, strict=True)}
            return transfer(x.source, [x.handle], self.graph, known)[x.handle]
        return x.handle if isinstance(x, Expr) else self.graph.const(x)

    def _at(self, nodes: Sequence[int]) -> list[int]:
        return substitute(self.graph, nodes, self.q)

    def _forward(self, nodes: Sequence[int]) -> list[int]:
        """Rates, in words, where the coordinates move at the speeds."""
        return jvp(self.graph, nodes, dict(zip(self.arguments, self.u, strict=True)))

    def rate(self, partials: Sequence[int]) -> int:
        """Σ ∂f/∂qⱼ uⱼ"""
        g, total = self.graph, self.graph.zero
        for p, u in zip(partials, self.u, strict=True):
            total = g.add(total, g.mul(p, u))
        return total

    def _partials(self, nodes: Sequence[int]) -> list[list[int]]:
        return [jvp(self.graph, nodes, {s: self.graph.one}) for s in self.arguments]

    def __call__(self, given: Sequence[Any]) -> tuple[list[int], list[list[int]], list[int]]:
        """Values, columns ∂/∂qⱼ, and what the second derivative holds besides u̇."""
        nodes = self._nodes(given)
        columns = self._partials(nodes)
        rates = [self.rate([c[k] for c in columns]) for k in range(len(nodes))]
        return self._at(nodes), [self._at(c) for c in columns], self._at(self._forward(rates))

    def turning(self, given: Sequence[Any]) -> tuple[list[list[int]], list[list[int]], list[int]]:
        """R, the columns of ω in the child's axes, and what their derivative holds besides u̇."""
        nodes = self._nodes(given)
        turns = [self._axial(nodes, d) for d in self._partials(nodes)]
        rates = [self.rate([t[k] for t in turns]) for k in range(3)]
        R = self._at(nodes)
        return [R[0:3], R[3:6], R[6:9]], [self._at(t) for t in turns], self._at(self._forward(rates))

    def _axial(self, R: Sequence[int], D: Sequence[int]) -> Triple:
        """The vector of Rᵀ D: (e₃·d₂, e₁·d₃, e₂·d₁) of the columns."""
        e, d = (transpose([(m[0], m[1], m[2]), (m[3], m[4], m[5]), (m[6], m[7], m[8])]) for m in (R, D))
        x, y, z = (dot3(self.graph, e[(k + 2) % 3], d[(k + 1) % 3]) for k in range(3))
        return x, y, z
