"""Operations at the edges of their domains: every engine gives the NaN, infinities and jumps of the evaluator."""

from itertools import product

import numpy as np
import pytest

from freebody.backends import ENGINES, compile
from freebody.program.assemble import program
from freebody.scalar import ops
from freebody.scalar.functions import table
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind

EDGES = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 1e308, -5e-324)
EXACT = (
    ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.NEG, ops.SQRT, ops.ABS, ops.SIGN, ops.MIN, ops.MAX, ops.FLOOR,
    ops.LT, ops.LE, ops.EQ, ops.NE, ops.WHERE,
)  # fmt: skip
CURVE = table("curve", [-1.0, 0.0, 1.5], [2.0, 0.0, 3.0], outside="hold")


@pytest.mark.parametrize("backend", ENGINES)
def test_engines_match_the_evaluator_at_domain_edges(backend: str) -> None:
    g = Graph()
    x = [g.symbol(n, Kind.COORDINATE) for n in "abc"]
    made = program("edges", g, {"q": x}, {"y": [g.build[op](*x[: ops.ARITY[op]]) for op in EXACT]})
    q = np.array(list(product(EDGES, repeat=3)))
    found = compile(made, backend)(q)
    for k, op in enumerate(EXACT):
        wanted = [ops.OPS[op].value(*row[: ops.ARITY[op]]) for row in q.tolist()]  # type: ignore[misc]
        np.testing.assert_array_equal(found[:, k], wanted, err_msg=ops.OPS[op].name)  # type: ignore[index, call-overload]


@pytest.mark.parametrize("backend", ENGINES)
def test_tables_are_correct_at_their_breaks(backend: str) -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    curves = [CURVE, CURVE.derivative, CURVE.derivative.derivative]
    f = compile(program("curves", g, {"q": [x]}, {"y": [g.table(c, x) for c in curves]}), backend)
    q = np.array([np.nan, -1e9, *np.nextafter(CURVE.breaks, -9), *CURVE.breaks, *np.nextafter(CURVE.breaks, 9), 7.0])
    np.testing.assert_allclose(f(q), [[c.value(float(v)) for c in curves] for v in q], rtol=1e-15)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", ENGINES)
def test_branches_may_be_infinite(backend: str) -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    above = g.div(g.one, g.zero)
    limited = g.where(g.build[ops.LT](x, g.zero), g.neg(above), g.where(g.build[ops.LT](x, g.one), x, above))
    f = compile(program("limited", g, {"q": [x]}, {"y": limited}), backend)
    np.testing.assert_array_equal(f(np.array([-1.0, 0.5, 2.0])), [-np.inf, 0.5, np.inf])
