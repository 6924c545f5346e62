"""Derivatives: forward and reverse mode agree with finite differences of 60-digit values, over every operation."""

import math
import time
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from freebody.errors import ExpressionError
from freebody.scalar import ops, walk
from freebody.scalar.derivative import Dependence, gradient, jacobian, jvp
from freebody.scalar.functions import Table, callback, table
from freebody.scalar.graph import Graph
from freebody.scalar.partials import power
from freebody.scalar.symbol import Kind
from tests.scalar.random_expressions import KINDS, Value, build, evaluate, mp, spec

STEP = mp.mpf(10) ** -20
DIGITS = 1e-10  # relative agreement of a derivative, whose folded numbers are floats, with differences
NUMBERS = (0, 1, -1, 2, 0.3, -1.7, Fraction(1, 3), 2.5, -3)
CODES = [o.code for o in ops.OPS if o.code not in (ops.SYMBOL, ops.CONST)]
CODES += [ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.POW] * 3
NAMES = list(KINDS)
FLAT = ops.COMPARISONS | {ops.FLOOR, ops.SIGN}
DEEP = 20_000
Point = dict[str, Value]


def moved(point: Point, name: str, step: Value) -> Point:
    return point | {name: point[name] + step}


def slopes(g: Graph, roots: list[int], point: Point, name: str) -> dict[int, Value]:
    """Central differences; None where a value is missing, not smooth, or too large."""
    left, here, right = (evaluate(g, roots, moved(point, name, k * STEP)) for k in (-1, 0, 1))
    return {r: _slope(left[r], here[r], right[r]) for r in roots}


def _slope(left: Value, here: Value, right: Value) -> Value:
    if left is None or here is None or right is None:
        return None
    before, after = (here - left) / STEP, (right - here) / STEP
    smooth = abs(after - before) <= 1e-8 * (1 + abs(after)) and max(abs(after), abs(here)) < 1e8
    return (before + after) / 2 if smooth else None


def agree(g: Graph, entries: dict[int, int], want: dict[int, Value], point: Point, what: str) -> Counter[int]:
    """The number of roots of each operation whose slopes could be compared with the entries."""
    found, seen = evaluate(g, entries.values(), point), Counter()
    for r, slope in want.items():
        got = found[entries[r]]
        if slope is not None and (got is not None or not steep(g, r, point)):
            assert got is not None, f"{what}: ∂({ops.OPS[g.op[r]].name} …) has no value, the difference quotient has"
            assert abs(got - slope) <= DIGITS * (1 + abs(slope)), f"{what}: ∂({ops.OPS[g.op[r]].name} …)"
            seen[g.op[r]] += slope != 0 or g.op[r] in FLAT
    return seen


def steep(g: Graph, root: int, point: Point) -> bool:
    """Whether the root needs √0, aᵇ for a ≤ 0, asin 1, acos 1 or atan2(0, 0), whose tangents may be 0·∞."""
    known = evaluate(g, [root], point)
    undecided = (known[i] is None for i in known if g.op[i] == ops.ATAN2)
    at_zero = ((known[g.a[i]] or 0) <= 0 for i in known if g.op[i] in (ops.SQRT, ops.POW))
    at_one = (known[g.a[i]] in (-1, 1) for i in known if g.op[i] in (ops.ASIN, ops.ACOS))
    return any(undecided) or any(at_zero) or any(at_one)


def sample(seed: int, size: int = 35) -> tuple[Graph, list[int], list[int], Point]:
    """A graph, its nodes except numbers, the variables and a point."""
    rng, g = Random(seed), Graph()
    nodes = sorted({h for h in build(g, spec(rng, size, NUMBERS, CODES)) if g.number(h) is None})
    return g, nodes, [g.symbol(n, KINDS[n]) for n in NAMES], {n: mp.mpf(rng.uniform(-2, 2)) for n in NAMES}


def compare(seed: int) -> Counter[int]:
    g, roots, variables, at = sample(seed)
    found = {mode: jacobian(g, roots, variables, mode) for mode in ("forward", "reverse", "auto")}
    seen = Counter()
    for j, name in enumerate(NAMES):
        want = slopes(g, roots, at, name)
        for mode, entries in found.items():
            column = {r: entries.get((k, j), g.zero) for k, r in enumerate(roots)}
            seen += agree(g, column, want, at, f"seed {seed}, {mode}, by {name}")
    return seen


def test_both_modes_match_finite_differences_for_every_operation():
    seen = sum((compare(seed) for seed in range(300)), Counter())
    assert all(seen[o.code] > 50 for o in ops.OPS if o.code != ops.CONST), {o.name: seen[o.code] for o in ops.OPS}


def test_tangents_and_gradients_are_products_with_the_jacobian():
    for seed in range(40):
        g, roots, variables, at = sample(seed)
        rates = [g.symbol(f"d{n}", Kind.SPEED) for n in NAMES]
        at |= {f"d{n}": mp.mpf(k + 1) / 3 for k, n in enumerate(NAMES)}
        entries = jacobian(g, roots, variables)
        products = [g.zero] * len(roots)
        for (row, column), entry in entries.items():
            products[row] = g.add(products[row], g.mul(entry, rates[column]))
        tangents = jvp(g, roots, dict(zip(variables, rates, strict=True)))
        last = gradient(g, roots[-1], variables)
        rows = [entries.get((len(roots) - 1, j), g.zero) for j in range(len(variables))]
        known = evaluate(g, products + tangents + last + rows, at)
        for one, other in zip(products + rows, tangents + last, strict=True):
            if known[one] is not None and known[other] is not None:
                assert abs(known[one] - known[other]) <= DIGITS * (1 + abs(known[one])), seed


def test_second_derivatives_match_finite_differences_and_are_symmetric():
    judged = 0
    for seed in range(80):
        g, roots, variables, at = sample(seed, 25)
        judged += sum(twice(g, root, variables, at, f"seed {seed}") for root in roots[-12:])
    assert judged > 300


def twice(g: Graph, root: int, variables: list[int], at: Point, what: str) -> int:
    """The number of second derivatives that could be compared."""
    slope, judged = gradient(g, root, variables), 0
    lower = {(row, column): h for (row, column), h in jacobian(g, slope, variables).items() if row >= column}
    full = {mode: jacobian(g, slope, variables, mode) for mode in ("forward", "reverse")}
    for (row, column), entry in lower.items():
        want = slopes(g, [slope[row]], at, NAMES[column])[slope[row]]
        same = [entry, *(full[m].get(k, g.zero) for m in full for k in ((row, column), (column, row)))]
        found = evaluate(g, same, at)
        if want is not None and all(found[h] is not None for h in same):
            judged += 1
            assert all(abs(found[h] - want) <= 1e-8 * (1 + abs(want)) for h in same), what
    return judged


# Zeros and operation counts


@pytest.fixture
def g() -> Graph:
    return Graph()


def symbols(g: Graph, names: str, kind: Kind = Kind.COORDINATE) -> list[int]:
    return [g.symbol(n, kind) for n in names.split()]


def cost(g: Graph, derivative: list[int], given: list[int]) -> dict[str, int]:
    """The number of operations that the derivative adds to those of the expression."""
    known = set(walk.live(g, given))
    kinds = Counter(ops.OPS[g.op[i]].cost for i in walk.live(g, derivative) if i not in known)
    return {kind: n for kind, n in kinds.items() if kind != "free"}


def test_structural_zeros_are_absent(g: Graph):
    x, y, z = symbols(g, "x y z")
    roots = [g.mul(x, y), g.const(3), g.build[ops.FLOOR](x), g.where(g.build[ops.LT](x, y), z, g.one), z]
    for mode in ("forward", "reverse", "auto"):
        entries = jacobian(g, roots, [x, y, z], mode)
        assert list(entries) == [(0, 0), (0, 1), (3, 2), (4, 2)]
        assert (entries[0, 0], entries[0, 1], entries[4, 2]) == (y, x, g.one)


def test_repeated_roots_and_variables_have_separate_rows_and_columns(g: Graph):
    x, y = symbols(g, "x y")
    entries = jacobian(g, [g.mul(x, y), y, g.mul(x, y)], [x, x, y])
    assert entries == {(0, 0): y, (0, 1): y, (0, 2): x, (1, 2): g.one, (2, 0): y, (2, 1): y, (2, 2): x}


def test_parts_of_a_jacobian_use_different_modes(g: Graph):
    x = symbols(g, "a b c d e f")
    product = x[0]
    for v in x[1:5]:
        product = g.sin(g.mul(product, v))
    fan = [g.sin(g.mul(g.sin(g.mul(g.sin(x[5]), x[5])), g.const(k + 2))) for k in range(5)]
    between = Dependence(g, [product, *fan], x)
    reverse, forward = between.parts()
    assert between.reverse_cost(reverse) < between.forward_cost(reverse)
    assert between.forward_cost(forward) < between.reverse_cost(forward)


def test_the_cheaper_mode_is_chosen_for_a_chain_of_bodies():
    g, x, y = Graph(), 0, 0
    q, angle = [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(12)], 0
    for k in range(12):
        angle, length = g.add(angle, q[k]), g.symbol(f"l{k}", Kind.PARAMETER)
        x, y = g.add(x, g.mul(length, g.cos(angle))), g.add(y, g.mul(length, g.sin(angle)))
    costs = {m: sum(cost(g, list(jacobian(g, [x, y], q, m).values()), [x, y]).values()) for m in ("auto", "reverse")}
    assert costs["auto"] == costs["reverse"] == 22
    assert sum(cost(g, list(jacobian(g, [x, y], q, "forward").values()), [x, y]).values()) > 50


def norm(g: Graph, x: list[int]) -> int:
    squares = [g.mul(v, v) for v in x]
    return g.sqrt(g.add(g.add(squares[0], squares[1]), squares[2]))


def half_square(g: Graph, x: list[int]) -> int:
    return g.mul(g.mul(g.const(Fraction(1, 2)), g.symbol("m", Kind.PARAMETER)), g.mul(x[0], x[0]))


COSTS = {
    "√(x²+y²+z²)": (norm, {"mul": 3, "add": 2, "div": 1}, {"mul": 3, "div": 1}),
    "½mx²": (half_square, {"mul": 2}, {"mul": 1}),
    "x/y": (lambda g, x: g.div(x[0], x[1]), {"mul": 1, "add": 1, "div": 1}, {"mul": 1, "div": 1}),
    "1/x": (lambda g, x: g.div(g.one, x[0]), {"mul": 2}, {"mul": 1}),
    "x⁵": (lambda g, x: g.pow(x[0], g.const(5)), {"mul": 2}, {"mul": 1}),
    "√x": (lambda g, x: g.sqrt(x[0]), {"mul": 1, "div": 1}, {"div": 1}),
    "exp x": (lambda g, x: g.build[ops.EXP](x[0]), {"mul": 1}, {}),
    "tan x": (lambda g, x: g.build[ops.TAN](x[0]), {"mul": 2, "add": 1}, {"mul": 1, "add": 1}),
    "log x": (lambda g, x: g.build[ops.LOG](x[0]), {"div": 1}, {"div": 1}),
    "atan2(x, y)": (
        lambda g, x: g.build[ops.ATAN2](x[0], x[1]), {"mul": 4, "add": 2, "div": 1}, {"mul": 4, "add": 1, "div": 1},
    ),
    "xyz": (lambda g, x: g.mul(g.mul(x[0], x[1]), x[2]), {"mul": 4, "add": 2}, {"mul": 2}),
}  # fmt: skip


@pytest.mark.parametrize("name", COSTS)
def test_derivatives_reuse_existing_nodes(g: Graph, name: str):
    function, forward, reverse = COSTS[name]
    x, dx = symbols(g, "x y z"), symbols(g, "dx dy dz", Kind.SPEED)
    root = function(g, x)
    assert cost(g, jvp(g, [root], dict(zip(x, dx, strict=True))), [root]) == forward
    assert cost(g, gradient(g, root, x), [root]) == reverse


def test_powers_are_recognised(g: Graph):
    x, y = symbols(g, "x y")
    for n in (2, 3, 5, 6, 7, 12, 31):
        assert power(g, g.pow(x, g.const(n))) == (x, n)
    for other in (g.mul(x, y), g.mul(x, g.mul(x, y)), g.add(x, x), g.mul(x, g.add(x, x)), x):
        assert power(g, other) == (other, 1)


# Choices


def at(g: Graph, handle: int, **point: float) -> Value:
    return evaluate(g, [handle], {k: mp.mpf(v) for k, v in point.items()})[handle]


def test_branches_not_taken_do_not_affect_derivatives(g: Graph):
    x, y = symbols(g, "x y")
    positive = g.build[ops.LT](g.zero, x)
    inside = g.where(positive, g.mul(y, g.sqrt(x)), g.zero)
    outside = g.sqrt(g.where(positive, x, g.zero))
    nested = g.where(positive, g.where(g.build[ops.LT](g.one, y), g.div(y, x), g.build[ops.LOG](x)), x)
    for root, slope in ((inside, 0), (outside, 0), (nested, 1)):
        for mode in ("forward", "reverse"):
            entries = jacobian(g, [root, g.neg(root)], [x, y], mode)
            assert at(g, entries[0, 0], x=0, y=3) == slope
            assert at(g, entries.get((0, 1), g.zero), x=0, y=3) == 0
        assert at(g, jvp(g, [root], {x: g.one})[0], x=0, y=3) == slope


def test_derivatives_of_min_and_max_are_those_of_the_operand_returned(g: Graph):
    x, y = symbols(g, "x y")
    for code in (ops.MIN, ops.MAX):
        by_x, by_y = gradient(g, g.build[code](x, y), [x, y])
        for a, b in ((1, 2), (2, 1), (1, 1)):
            takes_x = a < b if code == ops.MIN else a > b
            assert (at(g, by_x, x=a, y=b), at(g, by_y, x=a, y=b)) == (takes_x, not takes_x)


def test_equal_conditions_are_combined(g: Graph):
    x, y = symbols(g, "x y")
    root = g.where(g.build[ops.LT](x, y), g.mul(x, y), g.sin(x))
    slope = gradient(g, root, [x])[0]
    assert [ops.OPS[g.op[i]].name for i in walk.live(g, [slope]) if g.op[i] in (ops.WHERE, ops.ADD)] == ["where"]
    assert jvp(g, [g.where(x, y, y)], {x: g.one, y: g.one}) == [g.one]


# Tables and callbacks


def test_derivatives_of_tables_are_piecewise_slopes(g: Graph):
    (x,) = symbols(g, "x")
    for outside, ends in (("extrapolate", (2, -0.5)), ("hold", (0, 0))):
        curve = table("curve", [0, 1, 3], [0, 2, 1], outside=outside)
        slope = gradient(g, g.table(curve, x), [x])[0]
        assert [at(g, slope, x=v) for v in (-1, 0.5, 2, 5)] == [ends[0], 2, -0.5, ends[1]]
        assert gradient(g, slope, [x]) == [g.zero]


@pytest.mark.parametrize("outside", ["extrapolate", "hold", "error"])
@pytest.mark.parametrize("method", ["linear", "cubic"])
def test_tables_are_continuous_interpolating_and_monotonic(method: str, outside: str):
    rng = Random(3)
    for size in (2, 3, 4, 9):
        x = sorted(rng.uniform(-2, 2) for _ in range(size))
        y = sorted(rng.uniform(-1, 1) for _ in range(size))
        t = table("t", x, y, method, outside)
        assert [t.value(v) for v in x] == pytest.approx(y, abs=1e-14)
        assert [t.value(v - 1e-9) for v in x[outside == "error" :]] == pytest.approx(y[outside == "error" :], abs=1e-6)
        path = [t.value(x[0] + (x[-1] - x[0]) * k / 500) for k in range(501)]
        assert all(b >= a - 1e-14 for a, b in pairwise(path))
        ends(t, x, y, outside)


def ends(t: Table, x: list[float], y: list[float], outside: str) -> None:
    for here, value, way in ((x[0], y[0], -1), (x[-1], y[-1], 1)):
        if outside == "error":
            near = 1e-13 * (x[-1] - x[0]) * way
            assert t.value(here + near) == pytest.approx(value, abs=1e-9) and math.isfinite(t.derivative.value(here))
            assert math.isnan(t.value(here + 1e-9 * way)) and math.isnan(t.derivative.value(here + 5 * way))
            continue
        slope = 0.0 if outside == "hold" else t.derivative.value(here - 1e-12 * way)
        assert t.value(here + 5 * way) == pytest.approx(value + 5 * way * slope, rel=1e-8)
        assert t.derivative.value(here + 5 * way) == pytest.approx(slope, rel=1e-8)


def test_cubic_tables_match_scipy_pchip():
    interpolate = pytest.importorskip("scipy.interpolate")
    rng = Random(7)
    for size in (2, 3, 5, 12):
        x = sorted(rng.uniform(-2, 2) for _ in range(size))
        y = [rng.choice((rng.uniform(-1, 1), 0.5)) for _ in x]
        ours, theirs = table("t", x, y, "cubic", "extrapolate"), interpolate.PchipInterpolator(x, y)
        inside = [x[0] + (x[-1] - x[0]) * (k + 0.5) / 200 for k in range(200)]
        scale = max(map(abs, theirs.derivative()(inside))) + 1
        slope = ours.derivative.value
        assert [ours.value(v) for v in inside] == pytest.approx(theirs(inside), abs=1e-12 * scale)
        assert [slope(v) for v in inside] == pytest.approx(theirs.derivative()(inside), abs=1e-9 * scale)
        left, right = ([slope(v + d) for v in x] for d in (-1e-9, 1e-9))
        assert left == pytest.approx(right, abs=1e-5 * scale)


def test_callbacks_without_derivative_raise_only_if_it_is_needed(g: Graph):
    x, y = symbols(g, "x y")
    wind = callback("wind", lambda v: v)
    root = g.add(g.call(wind, [x]), y)
    assert gradient(g, root, [y]) == [g.one]
    for derive in (lambda: gradient(g, root, [x]), lambda: jvp(g, [root], {x: g.one})):
        with pytest.raises(ExpressionError) as error:
            derive()
        assert str(error.value).startswith("wind() has no derivative: give callback(…, derivative=…) one callable for")


def test_callbacks_use_their_partial_derivatives(g: Graph):
    x, y = symbols(g, "x y")
    f = callback("f", lambda a, b: a * a * b, 2, [lambda a, b: 2 * a * b, lambda a, b: a * a])
    by_x, by_y = gradient(g, g.call(f, [g.sin(x), y]), [x, y])
    assert at(g, by_x, x=0.3, y=2) == pytest.approx(2 * mp.sin(0.3) * 2 * mp.cos(0.3))
    assert at(g, by_y, x=0.3, y=2) == pytest.approx(mp.sin(0.3) ** 2)


# Errors, depth, time


def test_variables_must_be_symbols(g: Graph):
    x, y = symbols(g, "x y")
    for derive in (lambda v: gradient(g, x, [v]), lambda v: jvp(g, [x], {v: g.one}), lambda v: jacobian(g, [x], [v])):
        with pytest.raises(ExpressionError, match=r"\(mul …\) is not a symbol, so nothing can be differentiated by it"):
            derive(g.mul(x, y))
    with pytest.raises(ExpressionError, match="mode 'sideways' of a derivative is unknown: use one of auto, forward"):
        jacobian(g, [x], [x], "sideways")  # type: ignore[arg-type]


GROW = {
    "products": lambda g, e, x, y: g.add(g.mul(e, y), x),
    "quotients and roots": lambda g, e, x, y: g.sqrt(g.div(e, y)),
    "choices": lambda g, e, x, y: g.where(x, g.mul(e, y), x),
    "limits": lambda g, e, x, y: g.build[ops.MAX](e, y),
}


@pytest.mark.parametrize("name", GROW)
def test_time_is_linear_in_depth(name: str):
    g = Graph()
    x, y = symbols(g, "x y")
    e, start = x, time.process_time()
    while len(g) < DEEP:
        e = GROW[name](g, e, x, y)
    built = time.process_time()
    assert len(walk.live(g, [e])) > DEEP - 10
    assert len(jvp(g, [e], {x: g.one})) == 1
    assert all(h != g.zero for h in gradient(g, e, [x, y]))
    assert time.process_time() - built < 60 * (built - start) + 5
