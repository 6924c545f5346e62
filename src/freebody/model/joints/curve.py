"""Functions of a joint's coordinates, as expressions in words that stand for these, and their derivatives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

from freebody.errors import ModelError
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute, symbols_of, transfer
from freebody.spatial.triples import Triple, dot3, transpose


@dataclass(frozen=True)
class Law:
    """An expression of some graph, and the parameters in it."""

    graph: Graph
    handle: int
    parameters: tuple[int, ...]

    @classmethod
    def of(cls, x: Expr) -> "Law":
        g = x.graph
        found = [i for i in symbols_of(g, [x.handle]) if g.symbols[g.a[i]].kind is Kind.PARAMETER]
        return cls(g, x.handle, tuple(found))

    def told(self, given: Sequence[Expr]) -> "Foreign":
        """With nodes of another graph for its parameters."""
        return Foreign(self.graph, self.handle, dict(zip(self.parameters, given, strict=True)))


@dataclass(frozen=True, eq=False)
class Foreign:
    """An expression of another graph, with nodes of this one for its parameters."""

    source: Graph
    handle: int
    given: Mapping[int, Expr]


OWN = "its "
"""How the names of symbols begin that stand for a joint's own coordinates."""


def word(g: Graph, name: str) -> Expr:
    """What stands for a joint's coordinate in its functions."""
    return Expr(g, g.symbol(OWN + name, Kind.INTERMEDIATE))


def words(x: Expr) -> dict[int, str]:
    """The coordinates in a function: their nodes and how they are called."""
    g = x.graph
    found = {i: g.symbols[g.a[i]] for i in symbols_of(g, [x.handle])}
    own = {i: s.name for i, s in found.items() if s.kind is Kind.INTERMEDIATE and s.name.startswith(OWN)}
    return {i: name.removeprefix(OWN) for i, name in own.items()}


def made(given: Any, q: Sequence[Expr], who: str) -> Any:
    """What a Python function of the coordinates gives."""
    if not callable(given):
        return given
    try:
        signature(given).bind(*q)
    except TypeError:
        raise ModelError(f"{who}: its functions are called with its {len(q)} coordinates, one after another") from None
    except ValueError:  # of some functions that are built in
        pass
    return given(*q)


def entries(given: Any, count: int, who: str) -> list[Any]:
    if isinstance(given, str) or not hasattr(given, "__iter__") or len(found := list(given)) != count:
        raise ModelError(f"{who} has {count} entries, not {given!r}")
    return found


def check(x: Any, who: str) -> Any:
    """A scalar of the joint's own coordinates and parameters."""
    if isinstance(x, Expr):
        g, own = x.graph, words(x)
        for i in symbols_of(g, [x.handle]):
            s = g.symbols[g.a[i]]
            if s.kind is not Kind.PARAMETER and i not in own:
                raise ModelError(f"{who} may depend on the joint's own coordinates and on parameters, not on {s.name}")
    return x


class Along:
    """Functions and their derivatives where the coordinates are these nodes and move at these speeds."""

    def __init__(self, g: Graph, names: Sequence[str], q: Sequence[int], u: Sequence[int]) -> None:
        self.graph, self.u = g, u
        self.words = [word(g, name).handle for name in names]
        self.q = dict(zip(self.words, q, strict=True))

    def _nodes(self, given: Sequence[Any]) -> list[int]:
        """The functions in this graph, still in words."""
        return [self._node(x) for x in given]

    def _node(self, x: Any) -> int:
        if isinstance(x, Foreign):
            return transfer(x.source, [x.handle], self.graph, {h: e.handle for h, e in x.given.items()})[x.handle]
        return x.handle if isinstance(x, Expr) else self.graph.const(x)

    def _at(self, nodes: Sequence[int]) -> list[int]:
        return substitute(self.graph, nodes, self.q)

    def _forward(self, nodes: Sequence[int]) -> list[int]:
        """Rates, in words, where the coordinates move at the speeds."""
        return jvp(self.graph, nodes, dict(zip(self.words, self.u, strict=True)))

    def rate(self, partials: Sequence[int]) -> int:
        """Σ ∂f/∂qⱼ uⱼ"""
        g, total = self.graph, self.graph.zero
        for p, u in zip(partials, self.u, strict=True):
            total = g.add(total, g.mul(p, u))
        return total

    def _partials(self, nodes: Sequence[int]) -> list[list[int]]:
        return [jvp(self.graph, nodes, {s: self.graph.one}) for s in self.words]

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
