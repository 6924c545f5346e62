"""Conversion to SymPy: values and names are preserved."""

from collections.abc import Callable

import numpy as np
import pytest
import sympy
from sympy.core.function import AppliedUndef

from freebody.printing.sympy import program_to_sympy, to_sympy
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
def test_random_expressions_keep_their_value(seed: int) -> None:
    g, leaves = graph()
    root = random_nodes(g, np.random.default_rng(seed), leaves, 12 + seed // 3)[-1]
    at = numbers(seed)
    wanted, bound = value(g, root, at)
    assert abs(wanted - number(to_sympy(g, [root])[0], at, {})) <= 16 * bound + 1e-13


@pytest.mark.parametrize("op", [o for o in ops.OPS if o.value is not None], ids=lambda o: o.name)
def test_every_operation_keeps_its_value(op: ops.Op) -> None:
    g, (_, x, y, z) = graph()
    root = g.build[op.code](*(g.div(x, g.const(2)), y, z)[: op.arity])
    for seed in range(4):
        at = numbers(seed)
        assert number(to_sympy(g, [root])[0], at, {}) == pytest.approx(value(g, root, at)[0], rel=1e-14)


def test_tables_and_user_functions_are_undefined_functions_of_their_names() -> None:
    g, (_, x, y, z) = graph()
    roots = [g.table(SPRING, x), g.table(SPRING.derivative, g.sin(y)), g.call(DRAG, [x]), g.call(MIX, [x, y, z])]
    functions = {f.name: f.function for f in (DRAG, MIX)} | {t.name: t.value for t in (SPRING, SPRING.derivative)}
    at = numbers(1)
    for root, shown in zip(roots, to_sympy(g, roots), strict=True):
        assert shown.atoms(AppliedUndef)
        assert number(shown, at, functions) == pytest.approx(value(g, root, at)[0], rel=1e-14)


@pytest.mark.slow
def test_deep_expressions_are_converted() -> None:
    g, (_, x, _, _) = graph()
    deep = x
    for _ in range(1000):
        deep = g.add(g.sin(deep), x)
    assert to_sympy(g, [deep])[0].func is sympy.Add


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
