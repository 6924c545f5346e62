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
    found: dict[int, Number] = dict(known)
    for i in live(g, roots, known):
        if i not in found:
            found[i] = _symbol(g, i, draw) if g.op[i] == SYMBOL else _value(g, i, found)
    return [found[r] for r in roots]


def somewhere(seed: int) -> Draw:
    """Fractions at random, the same one for a symbol each time: where polynomials vanish that vanish everywhere."""
    return lambda name: Fraction(Random(f"{seed} {name}").randint(211, 499), 331)


def _symbol(g: Graph, i: int, draw: Draw | None) -> Number:
    name = g.symbols[g.a[i]].name
    if draw is None:
        raise ExpressionError(f"'{name}' has no value here")
    return draw(name)


def _value(g: Graph, i: int, found: Mapping[int, Number]) -> Number:
    code = g.op[i]
    if code == CONST:
        return g.numbers[g.a[i]]
    x = [found[k] for k in operands(g, i)]
    if code == NEG:
        return -x[0]
    made = fold(ARITHMETIC[code], x[0], x[1]) if code in ARITHMETIC else None
    return made if made is not None else _float(g, i, [float(v) for v in x])


def _float(g: Graph, i: int, x: list[float]) -> float:
    code = g.op[i]
    if code == TABLE:
        return g.tables[g.b[i]].value(x[0])
    if code == CALL:
        return float(g.calls[g.a[i]][0].function(*x))
    return VALUES[code](*x)
