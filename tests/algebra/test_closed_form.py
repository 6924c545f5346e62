"""Closed forms: one form for each function, unchanged values, and the form a person would write."""

import time
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from freebody.algebra import closed_forms, equal, is_zero, latex, text
from freebody.algebra.quotient import flint_available
from freebody.errors import ExpressionError
from freebody.scalar import Graph, Kind, callback, ops, parse, symbols, table
from freebody.scalar.expr import Expr, cos, exp, sin, sqrt, symbol
from tests.algebra.random_polynomials import KINDS, Builder, Term, terms
from tests.scalar.random_expressions import KINDS as OTHER_KINDS
from tests.scalar.random_expressions import build, evaluate, mp, spec

ANGLES = ("products", "sums", "shortest")
TINY = 1e-45  # of values computed with 60 digits


@pytest.fixture
def g() -> Graph:
    graph = Graph()
    symbols(graph, "m1 m2 l1 l2 c1 c2 I1 I2 x y z", Kind.PARAMETER)
    symbols(graph, "q1 q2 q3", Kind.COORDINATE)
    symbols(graph, "u1 u2", Kind.SPEED)
    return graph


def apart(g: Graph, node: int, form: int, rng: Random) -> float:
    """The difference of the values of two nodes at a random point, relative to 1 + the first."""
    values: dict[int, Any] = evaluate(g, [node, form], {name: mp.mpf(rng.uniform(-2, 2)) for name in KINDS})
    return float(abs(values[node] - values[form]) / (1 + abs(values[node])))


def shown(g: Graph, formula: str, angles: str = "shortest") -> str:
    return text(g, closed_forms(g, [parse(g, formula)], angles)[0])


# Laws over random sums of products of sines and cosines


@pytest.mark.parametrize("angles", ANGLES)
def test_closed_forms_keep_the_value(angles: str) -> None:
    for seed in range(40):
        rng, g = Random(seed), Graph()
        node = Builder(g, rng).sum(terms(rng))
        form = closed_forms(g, [node], angles)[0]
        assert apart(g, node, form, rng) < TINY, f"seed {seed}"


@pytest.mark.parametrize("angles", ANGLES)
def test_equal_functions_have_equal_closed_forms(angles: str) -> None:
    for seed in range(30):
        g, row = Graph(), terms(Random(seed))
        ways = [Builder(g, Random(1000 * seed + k)).sum(row) for k in range(4)]
        assert len({closed_forms(g, [way], angles)[0] for way in ways}) == 1, f"seed {seed}"
        assert all(equal(g, ways[0], way) for way in ways[1:])


def test_products_of_sums_are_expanded() -> None:
    for seed in range(25):
        rng, g = Random(seed), Graph()
        a, b = terms(rng, 3), terms(rng, 3)
        factored = g.mul(Builder(g, rng).sum(a), Builder(g, rng).sum(b))
        written_out = [Term(s.number * t.number, s.symbols + t.symbols, s.waves + t.waves) for s in a for t in b]
        node = Builder(g, rng).sum(written_out)
        assert closed_forms(g, [factored]) == closed_forms(g, [node]), f"seed {seed}"


@pytest.mark.parametrize("angles", ANGLES)
def test_different_functions_have_different_closed_forms(angles: str) -> None:
    """A function changed by one nonzero term has another closed form."""
    for seed in range(30):
        rng, g = Random(seed), Graph()
        row, other = terms(rng), terms(rng, 1)
        node = Builder(g, rng).sum(row)
        changed = g.add(node, Builder(g, rng).sum(other))
        assert not equal(g, node, changed), f"seed {seed}"
        assert closed_forms(g, [node], angles) != closed_forms(g, [changed], angles)


def test_random_expressions_keep_their_value() -> None:
    """Random expressions of every operation, except values in branches not taken and too large values."""
    numbers = (0, 1, -1, 2, -3, 5, Fraction(1, 2), Fraction(1, 3), Fraction(-2, 7))
    codes = [o.code for o in ops.OPS if o.code != ops.SYMBOL] + [ops.ADD, ops.SUB, ops.MUL, ops.SIN, ops.COS] * 5
    judged = 0
    for seed in range(150):
        rng, g = Random(seed), Graph()
        root = build(g, spec(rng, 40, numbers, codes))[-1]
        try:
            forms = closed_forms(g, [root, root], limit=500)
        except ExpressionError:
            continue
        point = {name: mp.mpf(rng.uniform(-2, 2)) for name in OTHER_KINDS}
        values: dict[int, Any] = evaluate(g, [root, *forms], point)
        if values[root] is not None:
            judged += 1
            assert abs(values[root] - values[forms[0]]) <= 1e-9 * (1 + abs(values[root])), f"seed {seed}"
    assert judged > 60


def test_closed_forms_are_idempotent() -> None:
    """A second conversion changes nothing, also between different forms."""
    for seed in range(15):
        rng, g = Random(seed), Graph()
        node = Builder(g, rng).sum(terms(rng))
        forms = {angles: closed_forms(g, [node], angles)[0] for angles in ANGLES}
        for start in forms.values():
            assert {angles: closed_forms(g, [start], angles)[0] for angles in ANGLES} == forms, f"seed {seed}"


def test_closed_forms_do_not_depend_on_their_order() -> None:
    rng, g = Random(5), Graph()
    nodes = [Builder(g, rng).sum(terms(rng)) for _ in range(6)]
    q = g.symbol("q1", KINDS["q1"])
    nodes += [g.add(g.one, g.cos(q)), g.cos(g.mul(g.const(Fraction(1, 2)), q))]
    together = closed_forms(g, nodes)
    assert together == [closed_forms(g, [n])[0] for n in nodes] == closed_forms(g, nodes[::-1])[::-1]


def test_closed_forms_agree_with_sympy(g: Graph) -> None:
    sympy = pytest.importorskip("sympy")
    from freebody.printing.sympy import to_sympy

    for formula in (f for f in FORMULAS if "sqrt" not in f):
        before, after = to_sympy(g, [parse(g, formula), closed_forms(g, [parse(g, formula)])[0]])
        assert sympy.simplify(sympy.expand_trig(before - after)) == 0, formula


# Readable forms

FORMULAS = {
    "cos(q1)*cos(q2) - sin(q1)*sin(q2)": "cos(q1 + q2)",
    "m1*c1**2 + I1 + m2*(2*c2*l1*cos(q2) + l1**2) + I2 + c2*m2*c2": (
        "I1 + I2 + m1*c1**2 + m2*(l1**2 + c2**2 + 2*l1*c2*cos(q2))"
    ),
    "m2*(l2*cos(q1 + q2) + l1*cos(q1))**2 + m2*(l2*sin(q1 + q2) + l1*sin(q1))**2": (
        "m2*(l1**2 + l2**2 + 2*l1*l2*cos(q2))"
    ),
    "I1*(cos(q1)*cos(q2) - sin(q1)*sin(q2))**2*cos(q3)**2": "I1*cos(q1 + q2)**2*cos(q3)**2",
    "-m2*l1*c2*sin(q2)*(2*u1*u2 + u2**2)": "-m2*l1*c2*u2*sin(q2)*(2*u1 + u2)",
    "m1*l1**2/12 + m1*l1**2/4": "m1*l1**2/3",
    "m1*l1**2/12": "m1*l1**2/12",
    "m2*l1*l2*cos(q2)/2 + x": "x + m2*l1*l2*cos(q2)/2",
    "x*cos(q1)**2 + y*sin(q1)**2 + z*(1 - cos(q1)**2)": "x*cos(q1)**2 + (y + z)*sin(q1)**2",
    "cos(q1)**4 - sin(q1)**4": "cos(2*q1)",
    "sin(q1/2)*cos(q1/2)": "sin(q1)/2",
    "x*cos(q1)*cos(q1 + q2) + y*(cos(q1)*cos(q2)*cos(q3) - sin(q1)*sin(q2)*cos(q3))": (
        "cos(q1 + q2)*(x*cos(q1) + y*cos(q3))"
    ),
    "(y - x)*(x - y)": "2*x*y - x**2 - y**2",
    "x/(2*y) + 1/(3*y)": "(2 + 3*x)/(6*y)",
    "1/(1/x + 1/y)": "x*y/(x + y)",
    "tan(q1)**2 + 1": "1/cos(q1)**2",
    "(x**2 - y**2)/(x - y)": "x + y",
    "l1*(m1 + m2*sin(q2)**2)/(m1 + m2*(1 - cos(q2)**2))": "l1",
    "1/sqrt(x) + sqrt(x)/x": "2*sqrt(x)/x",
    "sqrt(4*x**2 + 4*y**2)*sqrt(x**2 + y**2)": "2*(x**2 + y**2)",
    "x**(3/2)*sqrt(x)": "x**2",
}


@pytest.mark.parametrize(("formula", "form"), FORMULAS.items())
def test_closed_forms_match_textbooks(g: Graph, formula: str, form: str) -> None:
    assert shown(g, formula) == form


def test_three_forms_of_angles(g: Graph) -> None:
    formula = "x*cos(q1 + q2)*cos(q1)"
    assert shown(g, formula, "products") == "x*cos(q1)*(cos(q1)*cos(q2) - sin(q1)*sin(q2))"
    assert shown(g, formula, "sums") == "x*(cos(2*q1 + q2) + cos(q2))/2"
    assert shown(g, formula) == "x*cos(q1)*cos(q1 + q2)"


def test_quarter_turns_are_exact(g: Graph) -> None:
    q = Expr(g, parse(g, "q1"))
    assert str(cos(q - 1.5707963267948966).closed_form()) == "sin(q1)"
    assert str((sin(q + 3.141592653589793) + sin(q)).closed_form()) == "0"
    assert str(sin(q + 0.5).closed_form()) == "sin(q1 + 1/2)"


def test_floats_stay_floats_and_are_added_exactly(g: Graph) -> None:
    assert shown(g, "0.1*x + 0.25*y + 0.1*x") == "0.2*x + y/4"
    assert shown(g, "0.3*x*cos(q1)**2 + 0.3*x*sin(q1)**2") == "0.3*x"
    assert shown(g, "sin(0.3*q1)**2 + cos(0.3*q1)**2") == "1"
    assert shown(g, "sqrt(0.01 + x*x)*sqrt(x*x + 0.01)") == "0.01 + x**2"
    assert not is_zero(g, parse(g, "0.1*x + 0.2*x - 0.3*x"))


def test_closed_forms_are_printed_without_variables(g: Graph) -> None:
    form = Expr(g, parse(g, "cos(q1)*(x + y*cos(q1) + z*cos(q1)**2*sin(q2))")).closed_form()
    assert str(form) == repr(form) == "cos(q1)*(x + y*cos(q1) + z*cos(q1)**2*sin(q2))"
    assert form._repr_latex_() == (
        r"$\displaystyle \cos\left(q_{1}\right) \left(x + y \cos\left(q_{1}\right)"
        r" + z \cos^{2}\left(q_{1}\right) \sin\left(q_{2}\right)\right)$"
    )
    assert latex(g, closed_forms(g, [parse(g, "m1*l1**2/12")])[0]) == r"\frac{m_{1} l_{1}^{2}}{12}"
    assert isinstance(form + 1, Expr) and form.subs({"q1": 0}) == Expr(g, parse(g, "x + y + z*sin(q2)"))


# Angles and other functions


def test_angles_with_fractions_and_products(g: Graph) -> None:
    assert is_zero(g, parse(g, "cos(q1/2)**2 - (1 + cos(q1))/2"))
    assert is_zero(g, parse(g, "sin(q1/3 + q1/6) - sin(q1/2)"))
    assert shown(g, "sin(x*q1/y)*cos(q2) + cos(x*q1/y)*sin(q2)") == "sin(q2 + x*q1/y)"
    assert shown(g, "cos(q1*q1)**2 - sin(q1*q1)**2") == "cos(2*q1**2)"
    assert is_zero(g, parse(g, "sin(q1/(x + y))**2 + cos(q1/(y + x))**2 - 1"))
    assert is_zero(g, parse(g, "sin(x*(y + 1)) - sin(x)*cos(x*y) - sin(x*y)*cos(x)"))


OTHERS: list[Callable[[Expr], Expr]] = [
    exp, sqrt, abs, lambda a: a ** Expr(a.graph, parse(a.graph, "z + 1")), lambda a: a < 1, lambda a: a.arctan2(2),
    lambda a: a.arctan(), lambda a: sin(exp(a)), lambda a: sqrt(1 / (1 + a)),
]  # fmt: skip


@pytest.mark.parametrize("function", OTHERS)
def test_arguments_of_functions_are_brought_to_closed_form(g: Graph, function: Callable[[Expr], Expr]) -> None:
    one, other, third = (Expr(g, parse(g, t)) for t in ("x*(y + cos(q1)**2)", "x*y + x - x*sin(q1)**2", "x*y + x"))
    assert equal(g, function(one).handle, function(other).handle)
    assert closed_forms(g, [function(one).handle]) == closed_forms(g, [function(other).handle])
    assert not equal(g, function(one).handle, function(third).handle)


def test_signs_move_out_of_odd_and_even_functions(g: Graph) -> None:
    a, b = (Expr(g, parse(g, t)) for t in ("x - y", "y - x"))
    assert is_zero(g, (a.arctan() + b.arctan()).handle) and is_zero(g, (abs(a) - abs(b)).handle)
    assert is_zero(g, (abs(a) ** 2 - a * b * -1).handle) and is_zero(g, (a.tanh() + b.tanh()).handle)


def test_tables_and_calls_are_atoms(g: Graph) -> None:
    curve, law = table("curve", [0.0, 1.0], [0.0, 1.0]), callback("law", lambda a, b: a, 2)
    one, other = parse(g, "x*(y + 1)"), parse(g, "x*y + x")
    assert equal(g, g.table(curve, one), g.table(curve, other))
    assert equal(g, g.call(law, [one, g.one]), g.call(law, [other, g.one]))
    assert not equal(g, g.call(law, [one, g.one]), g.call(law, [g.one, one]))


def test_branches_may_be_undefined(g: Graph) -> None:
    x = g.named("x")
    assert x is not None
    node = g.where(g.build[ops.LT](x, g.one), g.mul(x, x), g.div(x, g.zero))
    assert "where(x < 1, x**2" in text(g, closed_forms(g, [node])[0])


# Lowest terms


@pytest.mark.skipif(not flint_available(), reason="python-flint is not installed")
@pytest.mark.parametrize(
    ("formula", "form"),
    {
        "(1 - cos(q1))/sin(q1)": "sin(q1)/(1 + cos(q1))",
        "(x**2 - y**2)/(x - y)**2": "(x + y)/(x - y)",
        "(cos(q1)**2 - sin(q1)**2)/(cos(q1) - sin(q1))": "cos(q1) + sin(q1)",
        "1/(x + y*sin(q1) + z*cos(q1))": "1/(x + y*sin(q1) + z*cos(q1))",
        "(0.1*x**2 - 0.1*y**2)/(2*x - 2*y)": "0.05*(x + y)",
    }.items(),
)
def test_common_divisors_are_cancelled(g: Graph, formula: str, form: str) -> None:
    assert shown(g, formula) == form


@pytest.mark.skipif(not flint_available(), reason="python-flint is not installed")
@pytest.mark.parametrize("angles", ANGLES)
def test_equal_quotients_are_one_node(angles: str) -> None:
    for seed in range(12):
        rng, g = Random(seed), Graph()
        a, b, c = (terms(rng, 2) for _ in range(3))
        ways = [Builder(g, Random(100 * seed + k)) for k in range(3)]
        nodes = [g.div(g.mul(w.sum(a), w.sum(c)), g.mul(w.sum(b), w.sum(c))) for w in ways[:2]]
        nodes.append(g.div(ways[2].sum(a), ways[2].sum(b)))
        assert len({closed_forms(g, [n], angles)[0] for n in nodes}) == 1, f"seed {seed}"


def test_quotients_keep_their_value_with_and_without_common_divisors(monkeypatch: pytest.MonkeyPatch) -> None:
    from freebody.algebra import quotient

    for seed in range(8):
        for flint in {flint_available(), False}:
            monkeypatch.setattr(quotient, "flint_available", lambda flint=flint: flint)
            rng, g = Random(seed), Graph()
            w = Builder(g, rng)
            a, b, c = (w.sum(terms(rng, 2)) for _ in range(3))
            node = g.sub(g.div(g.mul(a, c), g.mul(b, c)), g.div(c, b))
            form = closed_forms(g, [node])[0]
            assert apart(g, node, form, rng) < TINY * 1e6, f"seed {seed}"
            assert equal(g, node, form)


# Hostile input


def test_deep_and_wide_expressions_are_converted(g: Graph) -> None:
    x, y = Expr(g, parse(g, "x")), Expr(g, parse(g, "y"))
    deep, roots, waves, wide = x, x, x, x
    for _ in range(20_000):
        deep = deep + y
    for k in range(500):
        roots, waves = sqrt(1 + roots), sin(waves)
        wide = wide + symbol(g, f"w{k}", Kind.PARAMETER) * (k + 1)
    assert str(deep.closed_form()) == "x + 20000*y"
    assert is_zero(g, (sqrt(1 + roots) ** 2 - roots - 1).handle)
    assert str(waves.closed_form()).count("sin") == 500
    assert str(wide.closed_form()).count("w") == 500


def test_limits_of_powers(g: Graph) -> None:
    assert shown(g, "x**1000*x**1000") == "x**2000"
    assert str((Expr(g, parse(g, "x")) ** 5000).closed_form()) == "x**5000"
    assert shown(g, "cos(q1)**200") == "cos(q1)**200"
    with pytest.raises(
        ExpressionError, match=r"would have x\*\*2048; powers up to 2047 are possible. Give the power a sym"
    ):
        shown(g, "x**1024*x**1024")


def test_too_large_results_are_refused_before_they_are_computed(g: Graph) -> None:
    start = time.process_time()
    with pytest.raises(ExpressionError, match=r"would have \d+ terms on its way, 200 are allowed.*raise limit"):
        Expr(g, parse(g, "(x + 1)*(y + 1)*(z + 1)*(l1 + 1)*(l2 + 1)*(m1 + 1)*(m2 + 1)*(c1 + 1)")).closed_form(limit=200)
    many = " + ".join(f"(x + y)**50*(x - {k}*y)**49" for k in range(2, 32))
    with pytest.raises(ExpressionError, match=r"needs more than 50000 products of terms.*Ask for a smaller part"):
        Expr(g, parse(g, many)).closed_form(limit=100)
    assert time.process_time() - start < 5


def test_limits_of_numbers(g: Graph) -> None:
    assert shown(g, "(1e300*x + y)*(1e-300*x + y)") == "x**2 + 1e+300*x*y + y**2"
    assert is_zero(g, parse(g, "(1e300*x + y)*(1e300*x - y) - (1e300*x)**2 + y*y"))
    with pytest.raises(ExpressionError, match=r"a number of 601 digits, too large for a float. Use other units"):
        shown(g, "1e300*x*(1e300*y)")


def test_division_by_zero(g: Graph) -> None:
    with pytest.raises(
        ExpressionError, match=r"1/\(sub …\) divides by an expression that is 0 everywhere. Look at the"
    ):
        shown(g, "1/(sin(q1)**2 + cos(q1)**2 - 1)")
    with pytest.raises(ExpressionError, match="closed form: x/0 has no finite value"):
        closed_forms(g, [g.div(parse(g, "x"), g.zero)])
    with pytest.raises(ExpressionError, match=r"closed form: acos\(2\) has no finite value. Change what leads to it"):
        shown(g, "1 + acos(2*sin(q1)**2 + 2*cos(q1)**2)")


def test_unknown_forms_are_refused(g: Graph) -> None:
    with pytest.raises(ExpressionError, match="angles must be one of 'products', 'sums', 'shortest', not 'sine'"):
        Expr(g, g.one).closed_form(angles="sine")


def test_factors_of_sums_do_not_depend_on_half_angles_or_floats() -> None:
    g = Graph()
    a, m, l = symbols(g, "a m l", Kind.PARAMETER)
    (q,) = symbols(g, "q", Kind.COORDINATE)
    halves, whole = cos(q / 2) ** 4, ((1 + cos(q)) / 2) ** 2
    assert str(((m * halves + a) / l).closed_form()) == str(((m * whole + a) / l).closed_form())
    assert str((l / (2.0 * m + 3 * l)).closed_form()) == str((l / (2 * m + 3 * l)).closed_form()) == "l/(2*m + 3*l)"
    turned = 6 * cos(q - 1.5707963267948966) * m + 4 * l
    assert str(turned.closed_form()) == str((6 * sin(q) * m + 4 * l).closed_form())


@pytest.mark.slow
def test_long_sums_are_printed_in_linear_memory() -> None:
    g = Graph()
    (m,) = symbols(g, "m", Kind.PARAMETER)
    angles = symbols(g, " ".join(f"q{k}" for k in range(11)), Kind.COORDINATE)
    form = cos(sum(angles[1:], angles[0])).closed_form("products") + 0 * m
    node = closed_forms(g, [form.handle], "products")[0]
    tracemalloc.start()
    made = text(g, node)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(made) > 50_000 and most < 100 * len(made)
