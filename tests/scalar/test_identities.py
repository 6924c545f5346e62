"""The graph's identities: none changes a value beyond rounding, each has its documented effect, and numbers stay
exact."""

import math
import time
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from freebody.errors import ExpressionError
from freebody.scalar import ops, walk
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from tests.scalar.random_expressions import KINDS, ExpressionSpec, Step, Value, build, evaluate, mp, spec, values

EPS = 2.0**-52
CONDITION = 1e-6  # the largest relative change by rounding of a value that is compared
DEEP = 100_000
NUMBERS = (
    0, 1, -1, 0.0, -0.0, 1.0, -1.0, 2, 2.0, -3, 0.1, -0.7, 12, 1e-3, 1e5, Fraction(1, 2), Fraction(1, 3),
    Fraction(-2, 7), Fraction(1, 12), 2**63 - 1, 2**63, -(2**64) - 1, 2**70, 10**25, Fraction(2**65, 3),
)  # fmt: skip
CODES = [o.code for o in ops.OPS if o.code != ops.SYMBOL]
CODES += [ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.NEG, ops.POW] * 4
EXACT = {ops.CONST, ops.ADD, ops.SUB, ops.MUL, ops.NEG, ops.ABS, ops.SIGN, ops.MIN, ops.MAX, ops.FLOOR, ops.WHERE}
EXACT |= ops.COMPARISONS


def sane(step: Step, v: Value) -> Value:
    """Whether products of the value neither overflow nor underflow in another order."""
    return v if v is None or v == 0 or 1e-60 < abs(v) < 1e60 else None


def rounded(rng: Random):
    """The value of a step rounded in a random direction; small integers stay."""

    def after(step: Step, v: Value) -> Value:
        if sane(step, v) is None or (step.code in EXACT and v == mp.floor(v) and abs(v) < 2**53):
            return sane(step, v)
        return v if step.code == ops.SYMBOL else v + v * EPS * rng.uniform(-1, 1)

    return after


def point(rng: Random) -> dict[str, Value]:
    """Values of the symbols, some of them at points where wrong identities would be hidden."""
    return {name: mp.mpf(rng.choice((0, 1, -1, rng.uniform(-3, 3), rng.uniform(0, 2)))) for name in KINDS}


def trusted(r: ExpressionSpec, plain: list[Value], shaken: list[list[Value]]) -> dict[int, Value]:
    """The steps whose values rounding cannot change much, and by how much it can."""
    spread: dict[int, Value] = {}
    for k, (step, want) in enumerate(zip(r.steps, plain, strict=True)):
        needs = step.operands
        if step.code == ops.WHERE:
            needs = (needs[0], needs[2 if plain[needs[0]] == 0 else 1])
        if want is None or any(run[k] is None for run in shaken) or any(j not in spread for j in needs):
            continue
        change = max(abs(run[k] - want) for run in shaken)
        if change <= CONDITION * abs(want) and not close_call(step.code, [plain[j] for j in needs]):
            spread[k] = change
    return spread


def close_call(code: int, x: list[Value]) -> bool:
    """Whether rounding may have separated equal values."""
    if code == ops.FLOOR:
        return 0 < abs(x[0] - mp.nint(x[0])) < CONDITION * abs(x[0])
    return code in ops.COMPARISONS and 0 < abs(x[0] - x[1]) < CONDITION * abs(x[0])


def compare(seed: int) -> Counter[int]:
    """The number of steps of each operation with a value, all equal to the graph's up to rounding."""
    rng = Random(seed)
    r, at, g = spec(rng, 30, NUMBERS, CODES), point(rng), Graph()
    handles, plain, seen = build(g, r), values(r, at, sane), Counter()
    found = evaluate(g, handles, at)
    for k, change in trusted(r, plain, [values(r, at, rounded(rng)) for _ in range(3)]).items():
        what, got = f"seed {seed}: step {k}, {ops.OPS[r.steps[k].code].name}", found[handles[k]]
        assert got is not None, f"{what} has a value but its node has none"
        assert abs(got - plain[k]) <= 200 * change + 50 * EPS * abs(plain[k]), what
        seen[r.steps[k].code] += 1
    return seen


def test_identities_never_change_a_value_beyond_rounding():
    seen = sum((compare(seed) for seed in range(600)), Counter())
    assert all(seen[o.code] > 40 for o in ops.OPS), {o.name: seen[o.code] for o in ops.OPS}


# The effect of each identity


@pytest.fixture
def g() -> Graph:
    return Graph()


@pytest.fixture
def x(g: Graph) -> int:
    return g.symbol("x", Kind.COORDINATE)


@pytest.fixture
def y(g: Graph) -> int:
    return g.symbol("y", Kind.COORDINATE)


@pytest.fixture
def p(g: Graph) -> int:
    return g.symbol("p", Kind.PARAMETER)


@pytest.fixture
def r(g: Graph) -> int:
    return g.symbol("r", Kind.PARAMETER)


def shape(g: Graph, handle: int) -> tuple[str, ...]:
    """The operation of a node and its operands."""
    return ops.OPS[g.op[handle]].name, *walk.operands(g, handle)


@pytest.mark.parametrize("zero", [0, 0.0, -0.0])
def test_zero_is_absorbed(g: Graph, x: int, zero: float):
    z = g.const(zero)
    assert (g.mul(x, z), g.mul(z, x), g.div(z, x)) == (g.zero, g.zero, g.zero)
    assert (g.add(x, z), g.add(z, x), g.sub(x, z), g.sub(z, x)) == (x, x, x, g.neg(x))


@pytest.mark.parametrize("one", [1, 1.0, Fraction(3, 3)])
def test_one_is_absorbed(g: Graph, x: int, one: float):
    assert (g.mul(x, g.const(one)), g.mul(g.const(one), x), g.div(x, g.const(one))) == (x, x, x)
    assert (g.mul(x, g.const(-one)), g.div(x, g.const(-one))) == (g.neg(x), g.neg(x))


def test_difference_of_equal_nodes_is_zero(g: Graph, x: int, y: int):
    assert (g.sub(x, x), g.sub(g.mul(x, y), g.mul(y, x)), g.add(g.neg(x), x)) == (g.zero, g.zero, g.zero)


def test_signs_move_outwards(g: Graph, x: int, y: int):
    minus = g.neg(x)
    assert g.neg(minus) == x
    assert (g.mul(minus, y), g.mul(y, minus), g.mul(minus, g.neg(y))) == (g.neg(g.mul(x, y)),) * 2 + (g.mul(x, y),)
    assert (g.div(minus, y), g.div(x, g.neg(y)), g.div(minus, g.neg(y))) == (g.neg(g.div(x, y)),) * 2 + (g.div(x, y),)
    assert g.add(minus, g.neg(y)) == g.neg(g.add(x, y))
    assert g.sub(minus, y) == g.neg(g.add(x, y))


def test_sums_with_negatives_are_differences(g: Graph, x: int, y: int):
    assert shape(g, g.add(x, g.neg(y))) == ("sub", x, y)
    assert g.add(g.neg(y), x) == g.sub(x, y)
    assert g.sub(x, g.neg(y)) == g.add(x, y)


def test_reversed_differences_are_reused(g: Graph, x: int, y: int):
    assert g.sub(y, x) == g.neg(g.sub(x, y))


def test_sums_and_products_are_commutative(g: Graph, x: int, y: int):
    assert (g.add(x, y), g.mul(x, y)) == (g.add(y, x), g.mul(y, x))
    assert g.build[ops.EQ](x, y) == g.build[ops.EQ](y, x)


@pytest.mark.parametrize("op", [o for o in ops.OPS if o.odd or o.even], ids=lambda o: o.name)
def test_signs_move_through_odd_and_even_functions(g: Graph, x: int, op: ops.Op):
    f = g.build[op.code]
    assert f(g.neg(x)) == (g.neg(f(x)) if op.odd else f(x))


def test_parameters_are_combined(g: Graph, x: int, p: int, r: int):
    two = g.const(2)
    assert g.mul(p, g.mul(r, x)) == g.mul(g.mul(p, r), x)
    assert g.mul(two, g.mul(p, x)) == g.mul(g.mul(two, p), x)
    assert g.mul(two, g.mul(g.const(3), x)) == g.mul(g.const(6), x)
    assert g.mul(p, g.div(r, x)) == g.div(g.mul(p, r), x)
    assert g.mul(p, g.div(x, r)) == g.mul(g.div(p, r), x)
    assert shape(g, g.div(x, p)) == ("mul", x, g.div(g.one, p))
    assert shape(g, g.div(p, x)) == ("div", p, x)
    assert shape(g, g.div(p, r)) == ("div", p, r)


def test_numbers_that_would_underflow_or_overflow_are_not_combined(g: Graph, x: int):
    tiny, huge = g.const(1e-200), g.const(1e200)
    assert shape(g, g.mul(tiny, g.mul(tiny, x))) == ("mul", tiny, g.mul(tiny, x))
    assert shape(g, g.mul(huge, g.mul(huge, x))) == ("mul", huge, g.mul(huge, x))
    least = g.const(5e-324)
    assert shape(g, g.mul(huge, g.div(x, least))) == ("mul", huge, g.div(x, least))
    assert not g.broken
    walk.require_finite(g, [g.mul(huge, g.mul(huge, x))])


def test_operands_of_equal_dependence_keep_their_order(g: Graph, x: int, y: int):
    assert shape(g, g.mul(x, g.mul(x, y))) == ("mul", x, g.mul(x, y))


def test_powers_use_repeated_squaring(g: Graph, x: int):
    square = g.mul(x, x)
    assert g.pow(x, g.const(2)) == g.pow(x, g.const(2.0)) == square
    assert (g.pow(x, g.zero), g.pow(x, g.one)) == (g.one, x)
    assert g.pow(x, g.const(5)) == g.mul(x, g.mul(square, square))
    assert g.pow(x, g.const(-2)) == g.div(g.one, square)
    before = len(g)
    g.pow(x, g.const(1024))
    assert len(g) - before <= 11
    assert g.pow(x, g.const(Fraction(1, 2))) == g.pow(x, g.const(0.5)) == g.sqrt(x)
    assert g.pow(x, g.const(-0.5)) == g.div(g.one, g.sqrt(x))
    assert g.op[g.pow(x, g.const(1025))] == ops.POW


def test_decided_conditions_give_their_branch(g: Graph, x: int, y: int):
    assert (g.where(g.one, x, y), g.where(g.zero, x, y), g.where(g.const(-0.5), x, y)) == (x, y, x)


# Numbers


def test_numbers_stay_exact(g: Graph, p: int):
    length = g.symbol("l", Kind.PARAMETER)
    inertia = g.div(g.mul(p, g.mul(length, length)), g.const(12))
    assert Fraction(1, 12) in [g.numbers[g.a[i]] for i in walk.live(g, [inertia]) if g.op[i] == ops.CONST]
    third = g.div(g.one, g.const(3))
    assert g.mul(third, g.const(3)) == g.one
    assert g.number(g.sub(third, g.const(1))) == Fraction(-2, 3)
    assert g.number(g.pow(g.const(Fraction(2, 3)), g.const(-3))) == Fraction(27, 8)
    assert g.number(g.sqrt(g.const(Fraction(1, 4)))) == Fraction(1, 2)


def test_folded_functions_are_exact_where_possible(g: Graph):
    assert [g.build[k](g.zero) for k in (ops.SIN, ops.COS, ops.TANH, ops.EXP)] == [g.zero, g.one, g.zero, g.one]
    assert type(g.number(g.build[ops.EXP](g.const(40)))) is float
    assert g.number(g.build[ops.FLOOR](g.const(Fraction(-7, 2)))) == -4


def test_numbers_of_different_types_or_signs_differ(g: Graph):
    assert g.const(2) != g.const(2.0)
    assert g.const(0) != g.const(0.0) != g.const(-0.0) != g.const(0)
    assert math.copysign(1, g.number(g.const(-0.0))) == -1
    assert (g.const(Fraction(4, 2)), g.const(True), g.const(-2)) == (g.const(2), g.one, g.neg(g.const(2)))


def test_numbers_past_64_bits_become_floats(g: Graph):
    assert g.number(g.const(2**63 - 1)) == 2**63 - 1
    assert type(g.number(g.const(2**63 - 1))) is int
    assert type(g.number(g.const(2**63))) is float
    assert type(g.number(g.mul(g.const(2**62), g.const(2)))) is float
    assert g.number(g.const(Fraction(1, 2**64))) == 2.0**-64
    with pytest.raises(ExpressionError, match="too large for a float"):
        g.const(10**400)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_refused(g: Graph, value: float):
    with pytest.raises(ExpressionError, match="cannot be part of an expression: only finite numbers can"):
        g.const(value)
    with pytest.raises(ExpressionError, match=r"'two' \(str\) is not a real number"):
        g.const("two")


BROKEN = {
    "x/0": lambda g, x: g.div(x, g.zero),
    "0/0": lambda g, x: g.div(g.zero, g.zero),
    "sqrt(-2)": lambda g, x: g.sqrt(g.const(-2)),
    "log(0)": lambda g, x: g.build[ops.LOG](g.zero),
    "0**-1": lambda g, x: g.pow(g.zero, g.const(-1)),
    "10**400": lambda g, x: g.pow(g.const(10), g.const(400)),
    "-8**1/3": lambda g, x: g.pow(g.const(-8), g.const(Fraction(1, 3))),
    "1e+300*1e+300": lambda g, x: g.mul(g.const(1e300), g.const(1e300)),
}


@pytest.mark.parametrize("text", BROKEN)
def test_values_that_are_not_finite_are_refused_where_they_are_used(g: Graph, x: int, y: int, text: str):
    broken = BROKEN[text](g, x)
    needed = g.add(y, g.mul(y, broken))
    with pytest.raises(ExpressionError) as error:
        walk.require_finite(g, [needed], "outcome")
    assert str(error.value) == f"outcome: {text} has no finite value. Change the numbers that lead to it."
    walk.require_finite(g, [g.where(x, broken, y), g.where(g.zero, broken, y), y])


@pytest.mark.parametrize("text", BROKEN)
def test_values_that_are_not_finite_are_not_simplified_away(g: Graph, x: int, text: str):
    broken = BROKEN[text](g, x)
    hidden = [g.mul(g.zero, broken), g.sub(broken, broken), g.pow(broken, g.const(-1)), g.where(broken, x, x)]
    hidden += [g.build[k](h) for k in (ops.ATAN, ops.EXP, ops.TANH) for h in (broken, g.neg(broken))]
    for handle in hidden:
        with pytest.raises(ExpressionError, match="has no finite value"):
            walk.require_finite(g, [handle])


# One node for one expression


def test_building_twice_gives_the_same_nodes():
    for seed in range(50):
        made = spec(Random(seed), 40, NUMBERS, CODES)
        g = Graph()
        first = build(g, made)
        size = len(g)
        assert (build(g, made), len(g)) == (first, size)


def test_transferred_expressions_are_equal():
    for seed in range(50):
        source, target = Graph(), Graph()
        handles = build(source, spec(Random(seed), 40, NUMBERS, CODES))
        there = walk.transfer(source, handles, target)
        back = walk.transfer(target, list(there.values()), source)
        assert [back[there[h]] for h in handles] == handles


def test_symbols_have_one_kind(g: Graph, x: int):
    assert g.symbol("x", Kind.COORDINATE) == x
    with pytest.raises(ExpressionError) as error:
        g.symbol("x", Kind.PARAMETER)
    assert str(error.value) == (
        "symbol 'x' exists with kind coordinate; it cannot also have kind parameter."
        " Use another name, or the symbol you have."
    )


def test_dependence_masks_are_the_union_of_the_operands():
    for seed in range(30):
        g = Graph()
        handles = build(g, spec(Random(seed), 40, NUMBERS, CODES))
        for h in handles:
            needs = walk.symbols_of(g, [h])
            assert g.mask[h] == sum({int(g.symbols[g.a[s]].kind) for s in needs}), seed


@pytest.mark.slow
def test_deep_expressions_are_built(g: Graph, x: int, y: int):
    start, e = time.process_time(), x
    for _ in range(DEEP):
        e = g.sub(g.sin(g.mul(e, y)), x)
    assert len(walk.live(g, [e])) == 3 * DEEP + 2
    other = Graph()
    there = walk.transfer(g, [e], other)[e]
    assert len(walk.live(other, [there])) == 3 * DEEP + 2
    walk.require_finite(g, [e])
    assert time.process_time() - start < 30
