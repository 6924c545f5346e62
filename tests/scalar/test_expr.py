"""Expr: Python's operators and NumPy's arrays over nodes; identity, errors, depth."""

import copy
import math
import operator
import time
from fractions import Fraction

import numpy as np
import pytest

from freebody.errors import ExpressionError, GraphError, ParseError
from freebody.scalar import expr as fb
from freebody.scalar import ops, walk
from freebody.scalar.expr import Expr
from freebody.scalar.functions import callback, table
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind

DEEP = 100_000


@pytest.fixture
def graph() -> Graph:
    return Graph()


@pytest.fixture
def x(graph: Graph) -> Expr:
    return fb.symbol(graph, "x", Kind.COORDINATE)


@pytest.fixture
def y(graph: Graph) -> Expr:
    return fb.symbol(graph, "y", Kind.SPEED)


@pytest.fixture
def m(graph: Graph) -> Expr:
    return fb.symbol(graph, "m", Kind.PARAMETER, "mass", "kg")


def value(e: Expr, **at: float) -> float:
    """The value of an expression, node by node."""
    g, values = e.graph, {}
    for i in walk.live(g, [e.handle]):
        if g.op[i] == ops.CONST:
            values[i] = float(g.numbers[g.a[i]])
        elif g.op[i] == ops.SYMBOL:
            values[i] = at[g.symbols[g.a[i]].name]
        elif g.op[i] == ops.TABLE:
            values[i] = g.tables[g.b[i]].value(values[g.a[i]])
        elif g.op[i] == ops.CALL:
            function, arguments = g.calls[g.a[i]]
            values[i] = function.function(*(values[k] for k in arguments))
        else:
            values[i] = ops.OPS[g.op[i]].value(*(values[k] for k in walk.operands(g, i)))
    return values[e.handle]


# Operators

OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]
ORDERS = [operator.lt, operator.le, operator.gt, operator.ge]
NUMBERS = [3, 2.5, Fraction(1, 3), np.float64(1.5), np.float32(0.5), np.int64(2), np.uint8(7), True]


@pytest.mark.parametrize("f", OPERATORS + ORDERS)
@pytest.mark.parametrize("number", NUMBERS)
def test_operators_with_numbers_agree_with_python(x: Expr, f, number) -> None:
    assert value(f(x, number), x=2.0) == pytest.approx(float(f(2.0, number)))
    assert value(f(number, x), x=2.0) == pytest.approx(float(f(float(number), 2.0)))


@pytest.mark.parametrize("f", OPERATORS + ORDERS)
def test_operators_agree_with_python_between_expressions(x: Expr, y: Expr, f) -> None:
    assert value(f(x, y), x=2.0, y=3.0) == pytest.approx(float(f(2.0, 3.0)))


def test_unary_operators(x: Expr) -> None:
    assert +x == x
    assert operator.neg(-x) == x
    assert value(-x, x=2.0) == -2.0
    assert value(abs(x), x=-2.0) == 2.0
    assert value(math.floor(x), x=2.7) == 2.0


def test_sum_and_prod_of_python(x: Expr, y: Expr) -> None:
    assert sum([x, y]) == x + y
    assert math.prod([x, y, 2]) == 2 * (x * y)
    e = x
    e += 1
    assert e == x + 1


def test_numbers_stay_exact(x: Expr) -> None:
    assert x / 3 == Fraction(1, 3) * x
    assert x / 3 != (1 / 3) * x
    assert x * True == x


def test_strings_may_be_operands(graph: Graph, x: Expr, m: Expr) -> None:
    length = fb.symbol(graph, "l", Kind.PARAMETER)
    assert "m*l**2/12" * x == m * length**2 / 12 * x
    assert x + "x" == x + x
    assert "l" / x == length / x
    assert fb.where("x > 0", x, "m") == fb.where(x > 0, x, m)


def test_invalid_strings_raise_a_parse_error(x: Expr) -> None:
    with pytest.raises(ParseError, match=r"'xx' is not declared\. Did you mean x\?"):
        x + "xx"


@pytest.mark.parametrize("stranger", [None, [1], {}, 1j, object(), b"x"])
def test_other_types_raise_a_type_error(x: Expr, stranger) -> None:
    for f in (*OPERATORS, *ORDERS):
        with pytest.raises(TypeError):
            f(x, stranger)
        with pytest.raises(TypeError):
            f(stranger, x)


# Functions


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("sqrt", math.sqrt), ("sin", math.sin), ("cos", math.cos), ("tan", math.tan), ("asin", math.asin),
        ("acos", math.acos), ("atan", math.atan), ("sinh", math.sinh), ("cosh", math.cosh), ("tanh", math.tanh),
        ("exp", math.exp), ("log", math.log), ("abs_", abs), ("floor", math.floor),
        ("sign", lambda v: math.copysign(1, v)),
    ],
)  # fmt: skip
def test_functions(x: Expr, name: str, reference) -> None:
    assert value(getattr(fb, name)(x), x=0.6) == reference(0.6)


def test_functions_of_several_arguments(x: Expr, y: Expr) -> None:
    at = {"x": 0.6, "y": -1.5}
    assert value(fb.atan2(y, x), **at) == math.atan2(-1.5, 0.6)
    assert value(fb.atan2(1, x), **at) == math.atan2(1, 0.6)
    assert value(fb.min(x, y, 2, "x*y"), **at) == -1.5
    assert value(fb.max(x, y, 2, "x*y"), **at) == 2
    assert fb.min(x) == x
    assert value(fb.where(x < y, 1, 2), **at) == 2
    assert value(fb.equal(x, y), **at) == 0
    assert value(fb.not_equal(x, y), **at) == 1


def test_tables_and_callbacks(x: Expr) -> None:
    assert value(fb.lookup(table("spring", [0, 1], [0, 5]), x), x=0.5) == 2.5
    drag = callback("drag", lambda v, c: c * v * abs(v), arity=2)
    assert value(fb.apply(drag, x, 3), x=-2.0) == -12.0
    with pytest.raises(ExpressionError, match=r"drag\(\) takes 2 arguments, not 1"):
        fb.apply(drag, x)


def test_functions_need_an_expression() -> None:
    with pytest.raises(ExpressionError, match=r"sin\(2\): no argument is an expression. Use math or numpy"):
        fb.sin(2)
    with pytest.raises(ExpressionError, match=r"min\(\): no argument"):
        fb.min()


def test_symbols(graph: Graph) -> None:
    a, b, c = fb.symbols(graph, "a b, c.x", Kind.PARAMETER)
    assert [str(e) for e in (a, b, c)] == ["a", "b", "c.x"]
    assert fb.symbol(graph, "a", Kind.PARAMETER) == a


# Identity


def test_equality_is_identity_and_creates_no_nodes(graph: Graph, x: Expr, y: Expr) -> None:
    e, size = x + y, len(graph)
    assert e == x + y
    assert e != x
    assert x != "x"
    assert x is not None
    assert len(graph) == size
    assert {x: 1, y: 2}[x] == 1
    assert len({x + y, y + x, x}) == 2


@pytest.mark.parametrize("number", [0, 2, -2, 2.5, -0.5, Fraction(-1, 3), np.float64(0.1), np.int64(3)])
def test_equality_with_numbers_compares_nodes(x: Expr, number) -> None:
    node = (x - x) + number
    assert node == number
    assert number == node
    assert hash(node) == hash(number)
    for compare in (lambda: x == number, lambda: x != number, lambda: number == x, lambda: x + 1 == number):
        with pytest.raises(ExpressionError, match=r"is neither true nor false .*: write equal\(a, b\)"):
            compare()
    assert type(fb.equal(x, number)) is Expr


def test_conditions_that_are_no_expressions_are_refused(x: Expr, y: Expr) -> None:
    for condition in (x == y, np.bool_(True)):
        with pytest.raises(ExpressionError, match=r"the condition is a value of Python.*write equal\(a, b\)"):
            fb.where(condition, x, 1)


def test_equality_with_numbers_compares_type_and_bits(x: Expr) -> None:
    two, zero = x - x + 2, (x - x) * 1.0
    assert two != 2.0
    assert two != math.nan
    assert zero == 0
    assert zero != 0.0


def test_symbols_of_different_graphs_differ(x: Expr) -> None:
    assert fb.symbol(Graph(), "x", Kind.COORDINATE) != x


def test_copies_are_the_same_node(x: Expr) -> None:
    assert copy.deepcopy([x + 1]) == [x + 1]
    assert copy.copy(x) is x


def test_expressions_are_frozen(x: Expr) -> None:
    with pytest.raises(AttributeError):
        x.handle = 0
    with pytest.raises((AttributeError, TypeError)):
        x.note = 1


# Errors


def test_expressions_have_no_truth_value(x: Expr) -> None:
    with pytest.raises(ExpressionError, match=r"neither true nor false before it has a value: use where"):
        bool(x < 1)
    with pytest.raises(ExpressionError, match="neither true nor false"):
        _ = 0 < x < 1
    with pytest.raises(ExpressionError, match="neither true nor false"):
        max(x, 1)


def test_only_constants_convert_to_float(x: Expr) -> None:
    assert float(x - x + Fraction(5, 2)) == 2.5
    assert float(x - x - 2) == -2.0
    with pytest.raises(ExpressionError, match=r"x is not a number: use the functions of freebody"):
        math.sin(x)


def test_mixing_graphs_is_refused(x: Expr) -> None:
    z = fb.symbol(Graph(), "z", Kind.STATE)
    with pytest.raises(GraphError, match=r"^x and z belong to different graphs: build both in one system$"):
        x + z
    with pytest.raises(GraphError, match=r"^\(sin …\) and z belong"):
        fb.min(1, fb.sin(x), z)
    with pytest.raises(GraphError, match="x and z"):
        x.subs({x: z})
    with pytest.raises(GraphError, match="x and z"):
        fb.where(x, 1, z)


def test_values_that_are_not_finite_are_refused_at_once(x: Expr) -> None:
    with pytest.raises(ExpressionError, match=r"1/0 has no finite value"):
        1 / (x - x)
    with pytest.raises(ExpressionError, match="log"):
        fb.log(x - x)
    with pytest.raises(ExpressionError, match="nan cannot be part of an expression"):
        x + math.nan
    assert value(x + 1, x=1.0) == 2.0


def test_factors_that_would_overflow_are_not_combined(x: Expr) -> None:
    e = 1e300 * (1e300 * x)
    assert value(e, x=1e-300) == 1e300
    assert not x.graph.broken


def test_branches_may_be_infinite(x: Expr, y: Expr) -> None:
    e = fb.where(x > 0, 1 / y, 2).subs({y: 0})
    assert value(e + 1, x=-1.0) == 3.0
    assert value(e, x=1.0) == math.inf
    with pytest.raises(ExpressionError, match="1/0 has no finite value"):
        e.subs({x: 1})


# Whole expressions


def test_subs_replaces_simultaneously(x: Expr, y: Expr) -> None:
    assert (x + 2 * y).subs({x: y, y: x}) == y + 2 * x
    assert (x * y).subs({"x": "y + 1", y: 2}) == 2 * (y + 1)
    assert fb.sin(x + y).subs({x + y: 0}) == 0
    assert x.subs({}) == x


def test_text_and_latex(x: Expr, y: Expr) -> None:
    assert str(x + 1) == repr(x + 1)
    assert "sin(x)" in str(fb.sin(x) * y)
    assert f"{x}" == "x"
    assert x._repr_latex_() == r"$\displaystyle x$"


# NumPy

NUMPY = ["sqrt", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "exp", "log", "floor"]
NUMPY += ["absolute", "negative", "square"]


def test_numpy_scalars_on_the_left(x: Expr) -> None:
    assert np.float64(2) * x == 2.0 * x
    assert type(np.float64(2) * x) is Expr
    assert (np.float64(2) < x) == (x > 2.0)
    assert (np.int64(2) >= x) == (x <= 2)
    assert np.array(2.0) * x == 2.0 * x


def test_arrays_of_numbers_with_an_expression(x: Expr) -> None:
    for product in (np.array([1, 2]) * x, x * np.array([1, 2])):
        assert product.dtype == object
        assert product.tolist() == [x, 2 * x]
    assert (x - np.array([[1.5], [2.5]])).tolist() == [[x - 1.5], [x - 2.5]]
    assert (np.array([1, 2]) < x).tolist() == [x > 1, x > 2]
    assert (x == np.array([x, x + 1])).tolist() == [True, False]


def test_arrays_of_expressions(x: Expr, y: Expr) -> None:
    a = np.array([x, y])
    assert a.dtype == object
    assert (a @ np.array([[1, 2], [3, 4]])).tolist() == [x + 3 * y, 2 * x + 4 * y]
    assert a.sum() == x + y
    assert (a**2).tolist() == [x**2, y**2]
    a *= x
    assert a.tolist() == [x * x, x * y]
    assert np.outer([x, 1], [2, y]).tolist() == [[2 * x, x * y], [2, y]]


@pytest.mark.parametrize("name", NUMPY)
def test_numpy_functions(x: Expr, name: str) -> None:
    f = getattr(np, name)
    expected = f(0.6)
    assert value(f(x), x=0.6) == pytest.approx(expected)
    assert value(f(np.array([x, x]))[1], x=0.6) == pytest.approx(expected)


def test_numpy_arctan2(x: Expr, y: Expr) -> None:
    assert np.arctan2(x, 2) == fb.atan2(x, 2)
    assert np.arctan2(2, x) == fb.atan2(2, x)
    assert np.arctan2(np.array([x]), np.array([y])).tolist() == [fb.atan2(x, y)]


def test_numpy_functions_of_comparison(x: Expr) -> None:
    assert np.minimum(x, [1, 2]).tolist() == [fb.min(x, 1), fb.min(x, 2)]
    assert np.maximum(1.0, x) == fb.max(1.0, x)
    assert np.sign(x) == fb.sign(x)


def test_expressions_cannot_be_stored_in_float_arrays(x: Expr) -> None:
    with pytest.raises((ExpressionError, TypeError)):
        np.zeros(2)[0] = x


# Depth


@pytest.mark.slow
def test_depth_needs_no_recursion(x: Expr, y: Expr) -> None:
    e = x
    for _ in range(DEEP // 2):
        e = fb.sin(e) * y
    assert len(walk.live(e.graph, [e.handle])) == DEEP + 2
    assert math.isfinite(value(e, x=0.3, y=1.1))
    assert e.subs({x: y}).subs({y: x}) != e
    assert hash(e) == hash(+e)


def test_time_is_linear_in_depth_with_an_infinite_branch(x: Expr, y: Expr) -> None:
    e = fb.where(x > 0, 1 / y, 2).subs({y: 0})
    start = time.process_time()
    for _ in range(DEEP // 2):
        e = fb.sin(e) * y
    assert time.process_time() - start < 5
    assert e.graph.broken
