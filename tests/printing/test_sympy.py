"""Conversion to SymPy and back: values and names are preserved; expressions without a counterpart are refused."""

import math
from collections.abc import Callable

import numpy as np
import pytest
import sympy
from sympy.core.function import AppliedUndef

from freebody.errors import ExpressionError
from freebody.printing.sympy import from_sympy, program_to_sympy, to_sympy
from freebody.program.assemble import program
from freebody.program.evaluate import evaluate
from freebody.scalar import ops
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse
from freebody.scalar.symbol import Kind
from tests.backends.pendulum import pendulum
from tests.program_cases import CASES, DRAG, MIX, SPRING, Case, random_nodes

NAMES = ("p", "x", "y", "z")
SMALL = [c for c in CASES if c.name not in ("dense23", "random100_2500")]


def graph() -> tuple[Graph, list[int]]:
    g = Graph()
    return g, [g.symbol(n, Kind.PARAMETER if n == "p" else Kind.COORDINATE) for n in NAMES]


def value(g: Graph, root: int, numbers: dict[str, float]) -> tuple[float, float]:
    """The value of a node and its rounding error bound."""
    p = program("value", g, {"q": [g.named(n) or 0 for n in NAMES]}, {"x": root})
    found = evaluate(p, {"q": [numbers[n] for n in NAMES]})
    return float(found.values["x"]), float(found.bounds["x"])


def numbers(seed: int) -> dict[str, float]:
    return dict(zip(NAMES, np.random.default_rng(seed).uniform(0.1, 1.9, 4).tolist(), strict=True))


def test_simple_expressions_in_sympy() -> None:
    g, _ = graph()
    x, y = sympy.symbols("x y", real=True)
    given = ("x**2/2 + sin(y)", "where(x < y, x, 0)", "min(x, y)", "0.25*x", "x < y")
    shown = to_sympy(g, [parse(g, t) for t in given])
    assert shown[0] == x**2 / 2 + sympy.sin(y)
    assert shown[1].subs({x: 1, y: 2}) == 1
    assert shown[2].subs({x: 1, y: 2}) == 1
    assert shown[3] == sympy.Float(0.25) * x
    assert shown[4].subs({x: 2, y: 1}) == 0


@pytest.mark.parametrize("seed", range(60))
def test_round_trip_of_random_expressions(seed: int) -> None:
    g, leaves = graph()
    root = random_nodes(g, np.random.default_rng(seed), leaves, 12 + seed // 3)[-1]
    (there,) = to_sympy(g, [root])
    back = from_sympy(g, there)
    at = numbers(seed)
    (wanted, bound), (found, slack) = value(g, root, at), value(g, back, at)
    assert abs(wanted - found) <= 8 * (bound + slack) + 1e-13


@pytest.mark.parametrize("op", [o for o in ops.OPS if o.value is not None], ids=lambda o: o.name)
def test_round_trip_of_every_operation(op: ops.Op) -> None:
    g, (_, x, y, z) = graph()
    inside = g.div(x, g.const(2))
    root = g.build[op.code](*(inside, y, z)[: op.arity])
    back = from_sympy(g, to_sympy(g, [root])[0])
    for seed in range(4):
        at = numbers(seed)
        assert value(g, back, at)[0] == pytest.approx(value(g, root, at)[0], rel=1e-14)


def test_round_trip_of_tables_and_user_functions() -> None:
    g, (_, x, y, z) = graph()
    roots = [g.table(SPRING, x), g.table(SPRING.derivative, g.sin(y)), g.call(DRAG, [x]), g.call(MIX, [x, y, z])]
    assert [from_sympy(g, e) for e in to_sympy(g, roots)] == roots
    other, _ = graph()
    f = sympy.Function("drag")(sympy.Symbol("x"))
    assert from_sympy(other, f, functions={"drag": DRAG}) == other.call(DRAG, [other.named("x") or 0])
    with pytest.raises(ExpressionError, match=r"drag\(x\) is not known: give functions=\{'drag': …\}"):
        from_sympy(graph()[0], f)


# From SymPy


def random_sympy(rng: np.random.Generator, size: int) -> sympy.Expr:
    """A random expression of functions that SymPy writes differently."""
    x, y, z, p = sympy.symbols("x y z p", positive=True)
    pool = [x, y, z, p, sympy.Rational(-2, 3), sympy.Float(0.7), sympy.pi, sympy.E, sympy.Integer(2)]
    one = (
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a * b,
        lambda a, b: a / (1 + b**2),
        lambda a, b: a**-2,
        lambda a, b: sympy.sqrt(1 + a**2),
        lambda a, b: 1 / sympy.sqrt(2 + b**2),
        lambda a, b: sympy.exp(-(a**2)),
        lambda a, b: sympy.sin(a),
        lambda a, b: sympy.atan2(a, 1 + b**2),
        lambda a, b: sympy.Max(a, b, 1),
        lambda a, b: sympy.Min(a, b, 1),
        lambda a, b: sympy.Abs(a - b),
        lambda a, b: sympy.sec(sympy.sin(a)),
        lambda a, b: sympy.ceiling(a),
        lambda a, b: sympy.sign(a),
        lambda a, b: sympy.Piecewise((a, a > b), (b, sympy.And(a > -1, b <= 2)), (1, True)),
        lambda a, b: sympy.Piecewise((a, sympy.Or(a < 0, sympy.Not(b < 1))), (b, True)),
    )
    for _ in range(size):
        a, b = (pool[-1 - min(int(rng.exponential(4)), len(pool) - 1)] for _ in range(2))
        made = one[int(rng.integers(len(one)))](a, b)
        if made.is_finite is not False and not made.has(sympy.zoo, sympy.nan, sympy.oo):
            pool.append(made)
    return pool[-1]


@pytest.mark.parametrize("seed", range(40))
def test_sympy_expressions_keep_their_value(seed: int) -> None:
    e = random_sympy(np.random.default_rng(seed), 6)
    g, _ = graph()
    at = numbers(seed)
    wanted = complex(sympy.lambdify(sympy.symbols("p x y z", positive=True), e, "math")(*at.values()))
    found, bound = value(g, from_sympy(g, e), at)
    if not wanted.imag and math.isfinite(found + bound):
        assert abs(found - wanted.real) <= 64 * bound + 1e-12 * max(1, abs(found))


def test_products_with_negative_powers_are_quotients() -> None:
    g, (_, x, y, z) = graph()
    s = {n: sympy.Symbol(n) for n in NAMES}
    assert from_sympy(g, s["x"] / (s["y"] * s["z"])) == g.div(x, g.mul(y, z))
    assert from_sympy(g, s["x"] / s["y"] ** 2) == g.div(x, g.mul(y, y))
    assert from_sympy(g, s["x"] - s["y"]) == g.sub(x, y)
    assert from_sympy(g, s["x"] ** 3 / 3) == parse(g, "x**3/3")


def test_symbols_by_mapping_by_name_and_by_expression() -> None:
    g, (_, x, y, _) = graph()
    t = sympy.Symbol("t")
    q = sympy.Function("q")(t)
    assert from_sympy(g, sympy.sin(q), {q: x}) == g.sin(x)
    assert from_sympy(g, sympy.Symbol("a"), {"a": y}) == y
    assert from_sympy(g, 3) == g.const(3)


@pytest.mark.parametrize(
    ("e", "says"),
    [
        (sympy.Symbol("w"), "symbol 'w' is not known"),
        (sympy.gamma(sympy.Symbol("x")), r"SymPy's gamma in gamma\(x\) has no counterpart"),
        (sympy.I * sympy.Symbol("x"), "ImaginaryUnit"),
        (sympy.oo, "Infinity"),
        (sympy.Derivative(sympy.Function("f")(sympy.Symbol("x")), sympy.Symbol("x")), "SymPy's Derivative"),
        (sympy.Piecewise((1, sympy.Symbol("x") > 0)), "not defined everywhere"),
    ],
)
def test_unsupported_expressions_are_refused(e: sympy.Expr, says: str) -> None:
    with pytest.raises(ExpressionError, match=says):
        from_sympy(graph()[0], e)


def test_deep_expressions_are_converted() -> None:
    e = x = sympy.Symbol("x")
    for _ in range(3000):
        e = sympy.sin(e, evaluate=False) + x
    g, (_, h, _, _) = graph()
    wanted = h
    for _ in range(3000):
        wanted = g.add(g.sin(wanted), h)
    assert from_sympy(g, e) == wanted


# Programs


@pytest.mark.parametrize("case", SMALL, ids=repr)
def test_converted_programs_keep_their_values(case: Case) -> None:
    inputs = case.inputs(np.random.default_rng(5))
    wanted = evaluate(case.program, inputs)
    replacements, outputs = program_to_sympy(case.program)
    scope = {n: v for g in case.program.groups for n, v in zip(g.elements, inputs[g.name].tolist(), strict=True)}
    functions = {f.name: f.function for code in case.program.blocks for f, _ in code.calls}
    functions |= {t.name: t.value for code in case.program.blocks for t in code.tables}
    for symbol, e in replacements:
        scope[symbol.name] = number(e, scope, functions)
    for name, bound in wanted.bounds.items():
        flat = [number(e, scope, functions) for e in np.array(outputs[name]).ravel()]
        assert np.all(np.abs(np.array(flat).reshape(bound.shape) - wanted.values[name]) <= 64 * bound + 1e-12)


def number(e: sympy.Expr, scope: dict[str, float], functions: dict[str, Callable[..., float]]) -> float:
    """The value of an expression; undefined functions are looked up by name."""
    known = dict(scope)
    calls = {f: sympy.Symbol(f"call{k}") for k, f in enumerate(e.atoms(AppliedUndef))}
    for f, symbol in calls.items():
        known[symbol.name] = functions[f.func.__name__](*(number(a, scope, functions) for a in f.args))
    plain = e.xreplace(calls)
    symbols = sorted(plain.free_symbols, key=str)
    return float(sympy.lambdify(symbols, plain, "math")(*(known[s.name] for s in symbols)))


def test_replacements_are_named_by_labels() -> None:
    replacements, outputs = program_to_sympy(pendulum())
    names = [s.name for s, _ in replacements]
    assert {"w_lower", "M_11", "f_1"} <= set(names)
    assert len(names) == len(set(names))
    assert outputs["u_dot"].shape == (2, 1)
