"""Small variables: Taylor expansion to first order, compared with differences of 60-digit values."""

import time
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from freebody.errors import ExpressionError
from freebody.scalar import ops, walk
from freebody.scalar.derivative import gradient
from freebody.scalar.functions import table
from freebody.scalar.graph import Graph
from freebody.scalar.small import first_order
from freebody.scalar.symbol import Kind
from tests.scalar.random_expressions import KINDS, Value, build, evaluate, mp, spec

NUMBERS = (0, 1, -1, 2, 0.3, -1.7, Fraction(1, 3), 2.5, -3)
CODES = [o.code for o in ops.OPS if o.code not in (ops.SYMBOL, ops.CONST)]
CODES += [ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.POW] * 3
SMALL = ("x", "p")
STEP = mp.mpf(10) ** -15
FLAT = ops.COMPARISONS | {ops.FLOOR, ops.SIGN}
DEEP = 100_000
Point = dict[str, Value]


def along(g: Graph, roots: list[int], point: Point, way: int) -> dict[int, Value]:
    """The values where the small symbols are ``way`` times their step away from zero."""
    return evaluate(g, roots, point | {name: way * STEP * point[name] for name in SMALL})


def expected(left: Value, here: Value, right: Value) -> Value:
    """f(0) + ḟ from values at −h, 0 and h; None where they are missing, not smooth or too large."""
    if left is None or here is None or right is None:
        return None
    before, after = (here - left) / STEP, (right - here) / STEP
    smooth = abs(after - before) <= 1e-7 * (1 + abs(after)) and max(abs(after), abs(here)) < 1e8
    return here + (before + after) / 2 if smooth else None


def expand(g: Graph, root: int, small: list[int]) -> int | None:
    try:
        return first_order(g, [root], small)[0]
    except ExpressionError:
        return None


def compare(seed: int) -> Counter[str]:
    """The number of nodes with and without a Taylor expansion, over nodes of every operation."""
    rng, g, seen = Random(seed), Graph(), Counter()
    roots = sorted({h for h in build(g, spec(rng, 35, NUMBERS, CODES)) if g.number(h) is None})
    point = {n: mp.mpf(rng.uniform(-2, 2)) for n in KINDS}
    small = [g.symbol(n, KINDS[n]) for n in SMALL]
    left, here, right = (along(g, roots, point, way) for way in (-1, 0, 1))
    for r in roots:
        want, part, name = expected(left[r], here[r], right[r]), expand(g, r, small), ops.OPS[g.op[r]].name
        if part is not None and want is not None and judgeable(g, r, small, point):
            got = evaluate(g, [part], point)[part]
            assert got is not None and abs(got - want) <= 1e-9 * (1 + abs(want)), f"seed {seed}: {name}"
            assert all(set(walk.symbols_of(g, [d])).isdisjoint(small) for d in gradient(g, part, small)), seed
            seen[name] += 1
        seen["refused"] += part is None
        assert part is not None or not smooth_everywhere(g, r), f"seed {seed}: {name} was refused"
    return seen


def judgeable(g: Graph, root: int, small: list[int], point: Point) -> bool:
    """Whether small symbols matter, and neither decide a condition at zero nor are exponents of a zero."""
    known = evaluate(g, [root], point | dict.fromkeys(SMALL, mp.zero))
    turns = (g.a[i] for i in known if g.op[i] == ops.WHERE and g.op[g.a[i]] not in ops.COMPARISONS)
    bases = (known[g.a[i]] for i in known if g.op[i] == ops.POW)
    return (
        not set(known).isdisjoint(small)
        and all(set(walk.live(g, [c])).isdisjoint(small) for c in turns)
        and all(b is None or b > 0 for b in bases)
    )


def smooth_everywhere(g: Graph, root: int) -> bool:
    easy = {ops.CONST, ops.SYMBOL, ops.ADD, ops.SUB, ops.MUL, ops.NEG, ops.SIN, ops.COS, ops.EXP, ops.TANH, ops.ATAN}
    return all(g.op[i] in easy and i not in g.broken for i in walk.live(g, [root]))


@pytest.mark.slow
def test_first_order_expansion_of_every_operation():
    seen = sum((compare(seed) for seed in range(700)), Counter())
    missing = [o.name for o in ops.OPS if o.code not in FLAT | {ops.CONST} and seen[o.name] < 10]
    assert not missing, {name: seen[name] for name in missing}
    assert seen["refused"] > 50


@pytest.fixture
def g() -> Graph:
    return Graph()


@pytest.fixture
def s(g: Graph) -> int:
    return g.symbol("s", Kind.COORDINATE)


@pytest.fixture
def r(g: Graph) -> int:
    return g.symbol("r", Kind.COORDINATE)


@pytest.fixture
def x(g: Graph) -> int:
    return g.symbol("x", Kind.COORDINATE)


def test_products_of_small_symbols_vanish(g: Graph, s: int, r: int, x: int):
    assert first_order(g, [g.mul(s, r), g.mul(s, s), g.mul(x, g.mul(s, r))], [s, r]) == [g.zero] * 3
    assert first_order(g, [g.mul(g.sin(s), g.cos(r))], [s, r]) == [s]
    assert first_order(g, [g.mul(g.add(x, s), g.add(x, r))], [s, r]) == [
        g.add(g.mul(x, x), g.add(g.mul(x, s), g.mul(x, r)))
    ]


def test_nodes_without_small_symbols_are_unchanged(g: Graph, s: int, x: int):
    root = g.div(g.sin(x), x)
    assert first_order(g, [root, g.one], [s]) == [root, g.one]
    assert first_order(g, [g.sin(s)], []) == [g.sin(s)]


def test_pendulum_with_small_angle_is_an_oscillator(g: Graph, s: int):
    rate = g.symbol("u", Kind.SPEED)
    stiffness = g.symbol("w", Kind.PARAMETER)
    force = g.add(g.mul(stiffness, g.sin(s)), g.mul(g.mul(rate, rate), g.mul(g.sin(s), g.cos(s))))
    assert first_order(g, [force], [s, rate]) == [g.mul(stiffness, s)]


REFUSED = {
    "div": ("its value is not finite", lambda g, s, x: g.div(x, s)),
    "log": ("its value is not finite", lambda g, s, x: g.build[ops.LOG](s)),
    "sqrt": ("its derivative is not finite", lambda g, s, x: g.sqrt(g.mul(s, s))),
    "acos": ("its derivative is not finite", lambda g, s, x: g.build[ops.ACOS](g.add(s, g.one))),
    "pow": ("its derivative is not finite", lambda g, s, x: g.pow(s, g.const(0.7))),
    "abs": ("it has a kink", lambda g, s, x: g.build[ops.ABS](s)),
    "min": ("it has a kink", lambda g, s, x: g.build[ops.MIN](s, g.zero)),
    "max": ("it has a kink", lambda g, s, x: g.build[ops.MAX](g.add(x, s), x)),
    "sign": ("it jumps, or cannot be decided", lambda g, s, x: g.build[ops.SIGN](s)),
    "floor": ("it jumps, or cannot be decided", lambda g, s, x: g.build[ops.FLOOR](g.add(s, g.const(2)))),
    "atan2": ("it jumps, or cannot be decided", lambda g, s, x: g.build[ops.ATAN2](s, g.const(-1))),
    "table": ("it jumps, or cannot be decided", lambda g, s, x: g.table(table("t", [-1, 0, 1], [0, 0, 1]), s)),
    "where": ("it jumps, or cannot be decided", lambda g, s, x: g.where(s, x, g.one)),
    "lt": ("it jumps, or cannot be decided", lambda g, s, x: g.where(g.build[ops.LT](g.zero, s), x, g.one)),
    "le": ("it jumps, or cannot be decided", lambda g, s, x: g.build[ops.LE](g.add(x, s), x)),
    "eq": ("it jumps, or cannot be decided", lambda g, s, x: g.build[ops.EQ](s, g.zero)),
    "ne": ("it jumps, or cannot be decided", lambda g, s, x: g.build[ops.NE](g.mul(s, x), g.zero)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_functions_without_first_order_expansion_are_refused(g: Graph, s: int, x: int, name: str):
    reason, make = REFUSED[name]
    with pytest.raises(ExpressionError) as error:
        first_order(g, [g.add(x, g.mul(x, make(g, s, x)))], [s])
    assert str(error.value) == (
        f"({name} …) has no first-order part in the small s: at 0 {reason}."
        " Do not declare them small, or write the expression without it."
    )


def test_powers_with_unknown_exponent_are_refused(g: Graph, s: int, x: int):
    with pytest.raises(ExpressionError, match=r"\(pow …\) has no first-order part in the small s"):
        first_order(g, [g.pow(s, x)], [s])
    assert first_order(g, [g.pow(x, s)], [s]) == [g.add(g.one, g.mul(s, g.build[ops.LOG](x)))]


def test_kinks_away_from_zero_are_accepted(g: Graph, s: int, x: int):
    b = g.build
    soft = table("soft", [-1, 0, 1], [-1, 0, 1], "cubic")
    roots = [b[ops.ABS](g.add(x, s)), b[ops.MIN](s, g.one), b[ops.FLOOR](g.add(s, g.const(1.5))), g.table(soft, s)]
    kept = first_order(g, roots, [s])
    assert kept[:3] == [g.add(b[ops.ABS](x), g.mul(s, b[ops.SIGN](x))), s, g.const(1.0)]
    assert evaluate(g, [kept[3]], {"s": mp.mpf(0.25)})[kept[3]] == 0.25 * soft.derivative.value(0.0)


def test_comparisons_are_evaluated_at_zero(g: Graph, s: int, x: int):
    below = g.build[ops.LT](g.add(x, s), g.one)
    assert first_order(g, [g.where(below, s, x)], [s]) == [g.where(g.build[ops.LT](x, g.one), s, x)]
    assert first_order(g, [g.where(g.build[ops.LT](s, g.one), g.sin(s), x)], [s]) == [s]


def test_branches_not_taken_are_not_expanded(g: Graph, s: int, r: int):
    length = g.sqrt(g.add(g.mul(s, s), g.mul(r, r)))
    tiny = g.const(1e-9)
    direction = g.where(g.build[ops.LT](tiny, length), g.div(s, length), r)
    assert first_order(g, [direction], [s, r]) == [r]
    assert first_order(g, [g.div(s, g.build[ops.MAX](length, tiny))], [s, r]) == [g.div(s, tiny)]
    with pytest.raises(ExpressionError, match=r"\(sqrt …\) has no first-order part in the small s, r: at 0 its deriv"):
        first_order(g, [length], [s, r])


def test_conditions_with_an_invalid_branch_are_refused(g: Graph, s: int, x: int):
    with pytest.raises(ExpressionError, match=r"\(div …\) has no first-order part in the small s"):
        first_order(g, [g.where(x, g.div(g.one, s), s)], [s])


def test_small_variables_must_be_symbols(g: Graph, s: int, x: int):
    with pytest.raises(ExpressionError, match=r"\(mul …\) is not a symbol"):
        first_order(g, [x], [g.mul(s, x)])


@pytest.mark.slow
def test_time_is_linear_in_depth(g: Graph, s: int, x: int):
    e, start = s, time.process_time()
    while len(g) < DEEP:
        e = g.add(g.mul(g.sin(e), x), x)
    built = time.process_time()
    kept = first_order(g, [e], [s])
    assert time.process_time() - built < 60 * (built - start) + 5
    assert walk.symbols_of(g, kept) == [s, x]
