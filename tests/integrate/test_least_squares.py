"""The compiled least-squares solver against scipy's optimisers, on problems of its own."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear, minimize

from freebody.backends import compile
from freebody.integrate.least_squares import HELD, LeastSquares, row_length
from freebody.integrate.least_squares_record import BUDGET, NOT_FINITE, REACHED, STATIONARY
from freebody.program import assemble
from freebody.scalar.derivative import jacobian
from freebody.scalar.expr import Expr, exp, symbols
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind


def problem(n: int, residuals: object, constraints: object) -> LeastSquares:
    """A problem in n numbers q, with functions of their expressions."""
    g = Graph()
    q = list(symbols(g, " ".join(f"q{k}" for k in range(n)), Kind.COORDINATE))
    delta = list(symbols(g, " ".join(f"d{k}" for k in range(n)), Kind.INPUT))
    r, phi = ([x.handle for x in f(q)] for f in (residuals, constraints))  # type: ignore[operator]
    handles, padding = [x.handle for x in q], [g.zero] * (row_length(n) - n)
    parts = []
    for rows in (r, phi):
        entries = jacobian(g, rows, handles)
        parts += [[entries.get((i, j), g.zero) for j in range(n)] + padding for i in range(len(rows))]
    values = [*(x for row in parts for x in row), *r, *phi]
    evaluate = assemble.program("evaluate", g, {"q": handles}, {"values": values})
    moved = [(x + d).handle for x, d in zip(q, delta, strict=True)]
    move = assemble.program("move", g, {"q": handles, "delta": [d.handle for d in delta]}, {"moved": moved})
    p = LeastSquares((n, n, len(r), len(phi)), range(n), range(n), [0.0] * n)
    p.connect(compile(evaluate).bind(), compile(move).bind(), {})
    return p


def linear(A: np.ndarray, b: np.ndarray) -> object:
    return lambda q: [sum((float(a) * x for a, x in zip(row, q, strict=True)), q[0] * 0) - float(c)
                      for row, c in zip(A, b, strict=True)]  # fmt: skip


@pytest.mark.parametrize("n", [1, 3, 4, 9, 20])
def test_linear_problems_with_bounds(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(5):
        A, b = rng.normal(size=(n + 2, n)), 3 * rng.normal(size=n + 2)
        p = problem(n, linear(A, b), lambda q: [])
        p.low[:], p.high[:] = -rng.uniform(0, 0.5, n), rng.uniform(0, 0.5, n)
        p.weight[:] = w = rng.uniform(0.5, 2, n + 2)
        root = np.sqrt(w)
        exact = lsq_linear(root[:, None] * A, root * b, (p.low, p.high), method="bvls", tol=1e-14).x
        assert p.solve(1e-12, 1e-12, 100) == STATIONARY
        assert np.abs(p.q - exact).max() < 1e-6
        assert (p.q >= p.low).all() and (p.q <= p.high).all()


def test_constraints_also_redundant_ones_and_bounds_together() -> None:
    rng = np.random.default_rng(0)
    for _ in range(10):
        A, b = rng.normal(size=(5, 5)), rng.normal(size=5)

        def ring(q: list[Expr]) -> list[Expr]:
            one = q[0] * q[0] + q[1] * q[1] - 1
            return [one, 2 * one, q[2] + q[3] - q[0]]

        p = problem(5, linear(A, b), ring)
        p.low[:], p.high[:] = -0.9, 0.9
        p.q[:] = (0.8, 0.6, 0.4, 0.4, 0.0)
        assert p.solve(1e-12, 1e-12, 300) == STATIONARY
        rules = [
            {"type": "eq", "fun": lambda q: q[0] ** 2 + q[1] ** 2 - 1},
            {"type": "eq", "fun": lambda q: q[2] + q[3] - q[0]},
        ]
        cost = lambda q, A=A, b=b: 0.5 * np.sum((A @ q - b) ** 2)  # noqa: E731
        near = minimize(cost, p.q, method="SLSQP", bounds=[(-0.9, 0.9)] * 5, constraints=rules, options={"ftol": 1e-15})
        assert p.far < 1e-12 and cost(p.q) <= near.fun + 1e-9
        assert np.abs(p.q).max() <= 0.9


def test_held_columns_stay_and_reasons_are_told() -> None:
    p = problem(2, lambda q: [q[0] - 1, q[1] - 2], lambda q: [])
    p.start_status[1] = HELD
    p.q[:] = (0.0, 0.5)
    assert p.solve(1e-12, 1e-12, 50) == STATIONARY and np.abs(p.q - (1.0, 0.5)).max() < 1e-12
    p.start_status[1] = 0
    p.q[:] = (0.0, 0.5)
    assert p.solve(1e-12, 1e-12, 50) == REACHED and np.abs(p.q - (1.0, 2.0)).max() < 1e-15
    far = problem(1, lambda q: [exp(q[0]) - 1e-3], lambda q: [])
    far.q[:] = 3.0
    assert far.solve(1e-12, 1e-12, 2) == BUDGET and far.iterations == 2
    far.q[:] = np.nan
    assert far.solve(1e-12, 1e-12, 50) == NOT_FINITE
    far.q[:] = 3.0
    assert far.solve(1e-12, 1e-12, 50) == REACHED and abs(far.q[0] - np.log(1e-3)) < 1e-11


def test_convergence_is_quadratic_at_singular_families_of_solutions() -> None:
    """One equation in three numbers, whose solutions are a surface: damping vanishes with the residual."""
    p = problem(3, lambda q: [q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1], lambda q: [])
    p.q[:] = (2.0, 1.0, 0.5)
    assert p.solve(1e-14, 1e-12, 50) == REACHED and p.iterations <= 8
    assert abs(p.q @ p.q - 1) < 1e-14
