"""Small variables: truncation of expressions to first order in chosen symbols.

AUTOSIM (Sayers 1990) lets the analyst declare variables small, such as the roll angle of a car, and drops products of
them. Here this is exact: f becomes its Taylor part of order ≤ 1, jointly in the small symbols s,

    f(s) → f(0) + Σ ∂f/∂s(0)·s,

by one pass that carries each node's value at s = 0 and its tangent along ṡ = s.

A node that depends on a small symbol raises an ExpressionError where that part does not exist at s = 0:

- the value or a partial is not finite: 1/s, s/s, log s, √s (and √s², whose tangent would be 0/0);
- a kink or a jump lies exactly there: |s|, min(s, 0), sign s, floor s, a corner of a table, atan2(s, −1);
- a comparison or a choice cannot be decided: s > 0, x + s < x, where(s, …).

What is not a number at s = 0 is taken to be at no kink, pole or tie: |x + s| is |x| + s·sign x. A comparison whose two
sides differ there has the outcome it has there, and needs no derivative of them. What stands in a branch of ``where``,
min or max that is not taken at s = 0 is not needed: with r = √(s₁² + s₂²), both where(r > 1e-9, s₁/r, 0) and
s₁/max(r, 1e-9) are allowed.
"""

import math
from collections.abc import Callable, Sequence

from freebody.errors import ExpressionError
from freebody.scalar import ops
from freebody.scalar.arithmetic import describe
from freebody.scalar.derivative import Tangents, require_symbols
from freebody.scalar.functions import Table
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.numbers import Number
from freebody.scalar.partials import FLAT, RULES, local, plus
from freebody.scalar.walk import live, operands, rebuild, symbols_of


def first_order(g: Graph, roots: Sequence[Node], small: Sequence[Node]) -> list[Node]:
    """The roots to first order in the small symbols, jointly."""
    require_symbols(g, small)
    expansion = Expansion(g, small)
    for i in live(g, roots):
        expansion.visit(i)
    return [expansion.of(r) for r in roots]


Obstacle = tuple[Node, str]  # a node, and why it has no first-order part


class Values(dict[Node, Node]):
    """What nodes are where the small symbols are zero; a node not listed is itself."""

    def __missing__(self, i: Node) -> Node:
        return i


class Expansion:
    """Values and tangents at s = 0 of the nodes that depend on s, or why a node has none of them."""

    def __init__(self, g: Graph, small: Sequence[Node]) -> None:
        self.g, self.small = g, set(small)
        self.values = Values(dict.fromkeys(small, g.zero))
        self.tangents = Tangents(g, {s: s for s in small})
        self.depends = set(small)  # nodes that change with s; comparisons do not
        self.rough: dict[Node, Obstacle] = {}  # a value, but no derivative
        self.undefined: dict[Node, Obstacle] = {}

    def of(self, i: Node) -> Node:
        """Node i to first order."""
        g, obstacle = self.g, self.undefined.get(i) or self.rough.get(i)
        if obstacle:
            node, reason = obstacle
            names = ", ".join(g.symbols[g.a[s]].name for s in symbols_of(g, [node]) if s in self.small)
            raise ExpressionError(
                f"{describe(g, node)} has no first-order part in the small {names}: at 0 {reason}."
                " Do not declare them small, or write the expression without it."
            )
        return plus(g, self.values[i], self.tangents.of(i))

    def visit(self, i: Node) -> None:
        """Expand node i, whose operands are expanded."""
        g, code, needs = self.g, self.g.op[i], operands(self.g, i)
        if all(k not in self.values for k in needs) or self._decided(i):
            return
        undefined = [self.undefined[k] for k in needs if k in self.undefined]
        if undefined:
            self.values[i], self.undefined[i] = i, undefined[0]
            return
        node = local(g, i)
        self.values[i] = rebuild(g, i, g, self.values, g.const)
        node = node._replace(n=self.values[i], x=tuple(self.values[k] for k in node.ids))  # at s = 0
        moves = [k for k, j in enumerate(node.ids) if j in self.depends]
        slides = [k for k in moves if node.rule.factors[k] is not None]
        rough = [self.rough[node.ids[k]] for k in slides if node.ids[k] in self.rough]
        self.depends |= {i} if slides else set()
        if not self._finite(node.n):
            self.undefined[i] = i, "its value is not finite"
        elif moves and code in JUMPS and JUMPS[code](g, i, node.x, moves):
            self.undefined[i] = i, "it jumps, or cannot be decided"
        elif rough:
            self.rough[i] = rough[0]
        elif slides and code in KINKS and KINKS[code](g, i, node.x, slides):
            self.rough[i] = i, "it has a kink"
        elif node.rule.condition is None and not all(self._finite(node.partial(k)) for k in slides):
            self.rough[i] = i, "its derivative is not finite"
        else:
            self.tangents.step(i, node)

    def _decided(self, i: Node) -> bool:
        """Whether i is a choice whose condition is known at s = 0; it is then the operand chosen."""
        g, code, ids = self.g, self.g.op[i], operands(self.g, i)
        condition = RULES.get(code, FLAT).condition
        needed = ids[:1] if code == ops.WHERE else ids
        if condition is None or any(k in self.undefined for k in needed):
            return False
        x, moves = [self.values[k] for k in ids], [k for k, j in enumerate(ids) if j in self.depends]
        if any(tests[code](g, i, x, moves) for tests in (KINKS, JUMPS) if code in tests):
            return False
        known = g.number(condition(g, i, *x))
        if known is None:
            return False
        chosen = ids[-2 if known != 0 else -1]
        self.values[i] = self.values[chosen]
        if chosen in self.depends:
            self.depends.add(i)
            tangent = self.tangents.of(chosen)
            self.tangents.whole.update({i: tangent} if tangent != g.zero else {})
        for obstacles in (self.rough, self.undefined):
            obstacles.update({i: obstacles[chosen]} if chosen in obstacles else {})
        return True

    def _finite(self, i: Node) -> bool:
        number = self.g.number(i)
        return number is None or math.isfinite(number)


def has_corner(table: Table, x: Number | None) -> bool:
    """Whether x is a break where the table's value or slope jumps."""
    if x not in table.breaks:
        return False
    k = table.breaks.index(float(x))

    def piece(table: Table, k: int) -> float:
        return sum(c * (float(x) - table.origins[k]) ** j for j, c in enumerate(table.coefficients[k]))

    sides = ((piece(t, k), piece(t, k + 1)) for t in (table, table.derivative))
    return not all(math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12) for left, right in sides)


Test = Callable[[Graph, Node, Sequence[Node], Sequence[int]], bool]  # of the node, its operands' values, which move


def _zero(g: Graph, i: Node) -> bool:
    return g.number(i) == 0


def _equal(g: Graph, i: Node, x: Sequence[Node], moves: Sequence[int]) -> bool:
    a, b = map(g.number, x)
    return g.a[i] != g.b[i] and (x[0] == x[1] or (a is not None and a == b))


KINKS: dict[int, Test] = {ops.ABS: lambda g, i, x, moves: _zero(g, x[0]), ops.MIN: _equal, ops.MAX: _equal}
JUMPS: dict[int, Test] = {
    ops.SIGN: lambda g, i, x, moves: _zero(g, x[0]),
    ops.FLOOR: lambda g, i, x, moves: (value := g.number(x[0])) is not None and value % 1 == 0,
    ops.TABLE: lambda g, i, x, moves: has_corner(g.tables[g.b[i]], g.number(x[0])),
    ops.ATAN2: lambda g, i, x, moves: 0 in moves and _zero(g, x[0]) and (g.number(x[1]) or 0) < 0,
    ops.POW: lambda g, i, x, moves: 0 in moves and _zero(g, x[0]) and g.number(x[1]) is None,
    ops.WHERE: lambda g, i, x, moves: 0 in moves and _zero(g, x[0]),
    ops.LT: _equal, ops.LE: _equal, ops.EQ: _equal, ops.NE: _equal,
}  # fmt: skip
