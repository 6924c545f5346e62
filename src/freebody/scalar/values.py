"""Numbers for nodes: exact where only the four operations on exact numbers lead to them, floats elsewhere."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from random import Random

from freebody.errors import ExpressionError
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import Number, fold
from freebody.scalar.ops import ADD, CALL, CONST, DIV, MUL, NEG, SUB, SYMBOL, TABLE, VALUES
from freebody.scalar.walk import live, operands

ARITHMETIC = {ADD: "add", SUB: "sub", MUL: "mul", DIV: "div"}
Draw = Callable[[str], Number]  # a number for the symbol of a name


def values(g: Graph, roots: Sequence[int], known: Mapping[int, Number], draw: Draw | None = None) -> list[Number]:
    """The values of the roots where some nodes are ``known``; other symbols are drawn."""
    value: dict[int, Number] = dict(known)
    for i in live(g, roots, known):
        if i in value:
            continue
        if g.op[i] != SYMBOL:
            value[i] = _operation(g, i, [value[k] for k in operands(g, i)])
        elif draw is None:
            raise ExpressionError(f"'{g.symbols[g.a[i]].name}' has no value here")
        else:
            value[i] = draw(g.symbols[g.a[i]].name)
    return [value[r] for r in roots]


def somewhere(seed: int) -> Draw:
    """Random fractions, the same for a symbol each time: a polynomial that is 0 there is very likely 0 everywhere."""
    return lambda name: Fraction(Random(f"{seed} {name}").randint(211, 499), 331)


def _operation(g: Graph, i: int, x: Sequence[Number]) -> Number:
    code = g.op[i]
    if code == CONST:
        return g.numbers[g.a[i]]
    if code == NEG:
        return -x[0]
    exact = fold(ARITHMETIC[code], x[0], x[1]) if code in ARITHMETIC else None
    if exact is not None:
        return exact
    if code == TABLE:
        return g.tables[g.b[i]].value(float(x[0]))
    function = g.calls[g.a[i]][0].function if code == CALL else VALUES[code]
    return float(function(*map(float, x)))
