"""Fingerprints of what a system says, whatever the order in which its nodes were made.

A graph keeps the operands of a + b and a·b in the order they were made, and of a − b and b − a the one that came first;
so a node's print takes commuting operands by their prints, and carries its sign outside as the graph's own identities
do: ±print, where a − b and −(b − a) are one.
"""

from collections.abc import Mapping
from numbers import Real
from typing import Any

from freebody.model.element import Element, field_table
from freebody.model.vectors import Components
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import exact
from freebody.scalar.ops import ADD, CALL, CONST, DIV, MUL, NEG, OPS, SUB, SYMBOL, TABLE
from freebody.scalar.walk import operands

Print = tuple[int, str]  # a sign and a print


def fingerprint(*parts: object) -> str:
    """40 hexadecimal digits of anything whose ``repr`` says it all."""
    from hashlib import blake2b  # OpenSSL comes with it

    return blake2b(repr(parts).encode("utf-8", "backslashreplace"), digest_size=20).hexdigest()


class Fingerprints:
    """Prints of elements whose expressions are of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.nodes = graph, list[Print]()

    def __call__(self, value: Any) -> Any:
        """A value as plain tuples, scalars by their prints. The terms of a vector may stand in any order."""
        if isinstance(value, Expr):
            return self.node(value.handle)
        if isinstance(value, str):
            return value
        if isinstance(value, tuple):
            parts = [self(v) for v in value]
            return tuple(sorted(parts) if value and isinstance(value[0], Components) else parts)
        if isinstance(value, Element):
            told = [(f.name, self(value.__dict__[f.name])) for f in field_table(type(value)).fields if not f.silent]
            return (value.digest_name or type(value).__name__, *told)
        if isinstance(value, Real):
            return self._number(value)
        if isinstance(value, Mapping):
            return tuple([(k, self(v)) for k, v in value.items()])
        return value

    def node(self, handle: int) -> Print:
        """Of a node; all before it are known then."""
        for i in range(len(self.nodes), handle + 1):
            self.nodes.append(self._node(i))
        return self.nodes[handle]

    def _number(self, value: Any) -> Print:
        """A number is the same inside an expression and outside."""
        number = exact(value) if abs(value) < float("inf") else value
        return (-1, fingerprint(-number)) if number < 0 else (1, fingerprint(number))

    def _node(self, i: int) -> Print:
        g, op = self.graph, self.graph.op[i]
        parts = [self.nodes[k] for k in operands(g, i)]
        if op in (CONST, SYMBOL):
            return 1, fingerprint(self._leaf(i))
        if op == NEG:
            return -parts[0][0], parts[0][1]
        if op in (ADD, SUB):
            return _sum(parts[0], parts[1] if op == ADD else (-parts[1][0], parts[1][1]))
        if op in (MUL, DIV):
            prints = [p for _, p in parts]
            return parts[0][0] * parts[1][0], fingerprint(op, *(sorted(prints) if op == MUL else prints))
        if OPS[op].odd or OPS[op].even:
            return parts[0][0] if OPS[op].odd else 1, fingerprint(op, parts[0][1])
        return 1, fingerprint(op, self._side(i), *(sorted(parts) if OPS[op].commutes else parts))

    def _leaf(self, i: int) -> object:
        g = self.graph
        if g.op[i] == SYMBOL:
            s = g.symbols[g.a[i]]
            return s.name, s.kind.name, s.description, s.unit
        return g.broken.get(i, g.numbers[g.a[i]])

    def _side(self, i: int) -> object:
        """What a table or a user's function is; functions count by name."""
        g = self.graph
        if g.op[i] == TABLE:
            t = g.tables[g.b[i]]
            return t.name, *([float(x) for x in row] for row in (t.breaks, t.origins, *t.coefficients))
        return g.calls[g.a[i]][0].name if g.op[i] == CALL else None


def _sum(a: Print, b: Print) -> Print:
    """a + b with its terms in order, the first one's sign outside."""
    (s, p), (t, q) = sorted((a, b), key=lambda term: term[1])
    return s, fingerprint(ADD, p, s * t, q)
