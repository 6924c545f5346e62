"""NaN propagates: NaN in any operand that is used gives NaN, for every operation, backend and width.

Operands are dropped without regard to their value only by identities at construction. These are the table of
docs/notation.md, which `test_identities_that_drop_an_operand` checks.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import sympy

import freebody as fb
from freebody.backends import ENGINES, compile
from freebody.errors import ExpressionError, SimulationWarning
from freebody.printing.sympy import to_sympy
from freebody.program.assemble import program
from freebody.program.evaluate import evaluate
from freebody.program.program import Program
from freebody.scalar import ops
from freebody.scalar.derivative import gradient, jvp
from freebody.scalar.functions import callback, table
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import values
from tests.program_cases import solved, tree

CURVE = table("curve", [-1.0, 0.0, 1.5], [2.0, 2.0, 3.0], outside="hold")
SAME = callback("same", lambda a, b: a + b, 2)
OTHERS = (0.0, -0.0, 1.0, -1.0, 0.5, 5.0, 1e308, math.inf, -math.inf)  # operands beside NaN
NUMBERS = (0, 1, -1, 5, Fraction(-5, 2), 1e308)  # constants beside NaN
OPERATIONS = [o for o in ops.OPS if o.arity]
ROWS = [row for row in product((math.nan, *OTHERS), repeat=3) if any(map(math.isnan, row))]


def node(g: Graph, op: ops.Op, x: list[int]) -> int:
    if op.code == ops.TABLE:
        return g.table(CURVE, x[0])
    if op.code == ops.CALL:
        return g.call(SAME, x[:2])
    return g.build[op.code](*x[: op.arity])


def needs_nan(op: ops.Op, row: tuple[float, ...]) -> bool:
    """Whether an operand that is used is NaN."""
    if op.code == ops.WHERE:
        return math.isnan(row[0]) or math.isnan(row[1 if row[0] else 2])
    return any(map(math.isnan, row[: 2 if op.code == ops.CALL else op.arity]))


def every_operation() -> Program:
    g = Graph()
    x = [g.symbol(name, Kind.COORDINATE) for name in "abc"]
    return program("operations", g, {"q": x}, {"y": [node(g, op, x) for op in OPERATIONS]})


def check(results: np.ndarray, rows: list[tuple[float, ...]]) -> None:
    for row, found in zip(rows, results, strict=True):
        for op, value in zip(OPERATIONS, found, strict=True):
            if needs_nan(op, row):
                assert math.isnan(value), (op.name, row, value)


def test_nan_in_the_evaluator_and_in_node_values() -> None:
    made, g = every_operation(), Graph()
    x = [g.symbol(name, Kind.COORDINATE) for name in "abc"]
    nodes = [node(g, op, x) for op in OPERATIONS]
    check(np.array([evaluate(made, {"q": row}).values["y"] for row in ROWS]), ROWS)
    check(np.array([values(g, nodes, dict(zip(x, row, strict=True))) for row in ROWS], float), ROWS)


@pytest.mark.parametrize("backend", ENGINES)
def test_nan_in_single_states_and_batches(backend: str) -> None:
    f = compile(every_operation(), backend)
    check(np.asarray(f(np.array(ROWS))), ROWS)
    few = ROWS[:: len(ROWS) // 40]
    check(np.array([f(list(row)) for row in few]), few)


@pytest.mark.parametrize("width", [2, 4, 8])
def test_nan_in_vectors(width: int) -> None:
    check(np.asarray(compile(every_operation(), width=width)(np.array(ROWS))), ROWS)


WIDE = [("llvm", {"width": w}) for w in (2, 4, 8)]


@pytest.mark.parametrize(("backend", "options"), [*((b, {}) for b in ENGINES), *WIDE])
def test_nan_with_constant_operands(backend: str, options: dict[str, int]) -> None:
    """Shorter code for an operation with a constant must propagate NaN as well."""
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    several = [op for op in OPERATIONS if op.arity == 2]
    numbers = [g.const(n) for n in NUMBERS]
    pairs = [(op.name, node(g, op, pair)) for op in several for n in numbers for pair in ([x, n], [n, x])]
    kept = {name: h for name, h in {f"{name} {k}": h for k, (name, h) in enumerate(pairs)}.items() if g.mask[h]}
    assert len(kept) > 0.7 * len(pairs)
    f = compile(program("beside", g, {"q": [x]}, {"y": [*kept.values()]}), backend, **options)
    assert np.isnan(f(np.full((3, 1), np.nan))).all()


def test_nan_in_logical_operations() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    texts = ("x < 1 and x < 2", "x < 1 or x > 2", "not x < 1", "0 < x < 1", "1 if x < 1 else 2", "max(1, min(x, 2))")
    assert all(math.isnan(v) for v in values(g, [parse(g, text) for text in texts], {x: math.nan}))


@pytest.mark.parametrize("code", [ops.MIN, ops.MAX])
def test_nan_in_derivatives_of_min_and_max(code: int) -> None:
    g = Graph()
    a, b = (g.symbol(name, Kind.COORDINATE) for name in "ab")
    y = g.build[code](a, b)
    slopes = [*gradient(g, y, [a, b]), *jvp(g, [y], {a: g.one, b: g.const(2)})]
    for point in ((math.nan, 1.0), (1.0, math.nan)):
        assert all(math.isnan(v) for v in values(g, slopes, dict(zip((a, b), point, strict=True)))), point


@pytest.mark.parametrize("backend", ENGINES)
def test_nan_in_scans_and_solves(backend: str) -> None:
    """With one NaN in q, the backends give NaN exactly where the evaluator does."""
    for case in (tree("tree", [-1, 0, 0, 1, 1, 3]), solved("dense", 4, [(i, j) for i in range(4) for j in range(i)])):
        f, inputs = compile(case.program, backend), case.inputs(np.random.default_rng(2))
        for k in range(len(inputs["q"])):
            inputs["q"] = case.inputs(np.random.default_rng(2))["q"]
            inputs["q"][k] = math.nan
            wanted = evaluate(case.program, inputs).values
            rows = {name: np.array([v] * 9) for name, v in inputs.items()}
            for name, found in f(**inputs).items():  # type: ignore[union-attr]
                assert np.isnan(wanted[name]).any()
                assert np.array_equal(np.isnan(found), np.isnan(wanted[name])), (case.name, k, name)
                assert np.array_equal(np.isnan(f(**rows)[name][4]), np.isnan(found))  # type: ignore[index, call-overload]


def test_nan_constants_are_refused_where_they_are_used() -> None:
    for text in ("min(0/0, 1)", "max(1, 0/0)", "0/0 < 1", "where(0/0, 1, 2)", "(0/0)**0", "abs(0/0)"):
        with pytest.raises(ExpressionError, match="0/0"):
            parse(Graph(), text)


def test_nan_in_sympy_except_in_conditions() -> None:
    """Comparisons in SymPy are over the real numbers: the one exception, in docs/notation.md."""
    g = Graph()
    x = [g.symbol(name, Kind.COORDINATE) for name in "abc"]
    plain = [o for o in OPERATIONS if o.code not in {*ops.COMPARISONS, ops.WHERE, ops.TABLE, ops.CALL}]
    for op in plain:
        (expression,) = to_sympy(g, [node(g, op, x)])
        f = sympy.lambdify(sympy.symbols("a b c", real=True), expression, "numpy")
        for row in product((math.nan, 0.5, 2.0), repeat=3):
            assert not needs_nan(op, row) or math.isnan(f(*row)), (op.name, row)


DROPS: dict[str, Callable[[Graph, int], int]] = {  # as in docs/notation.md
    "0*x": lambda g, x: g.mul(g.zero, x),
    "0.0*x": lambda g, x: g.mul(g.const(0.0), x),
    "0/x": lambda g, x: g.div(g.zero, x),
    "x - x": lambda g, x: g.sub(x, x),
    "x**0": lambda g, x: g.pow(x, g.zero),
    "where(1, 2, x)": lambda g, x: g.where(g.one, g.const(2), x),
    "where(0, x, 2)": lambda g, x: g.where(g.zero, x, g.const(2)),
}


def test_identities_that_drop_an_operand() -> None:
    page = (Path(__file__).parents[2] / "docs" / "notation.md").read_text()
    for text, make in DROPS.items():
        g = Graph()
        x = g.symbol("x", Kind.COORDINATE)
        assert g.number(make(g, x)) is not None, text
        assert parse(g, text) == make(g, x)
        assert f"`{text}`" in page, f"docs/notation.md does not name the identity {text}"


@pytest.mark.parametrize("law", ["min(sqrt(q.a - 5), 5)", "min(5, sqrt(q.a - 5))", "5 if sqrt(q.a - 5) < 1 else 5"])
@pytest.mark.parametrize("method", ["dopri5", "rk4", "radau"])
def test_laws_that_are_nan_end_a_run(law: str, method: str) -> None:
    s = fb.System("driven")
    motor = s.input("motor")
    a = s.body("a", joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    s.torque(motor, on=a, about=a.y)
    with pytest.warns(SimulationWarning, match="not finite|NaN|nan"):
        run = s.simulate([0, 1], inputs={"motor": law}, method=method, **({"step": 0.1} if method == "rk4" else {}))
    assert run.status != 0
