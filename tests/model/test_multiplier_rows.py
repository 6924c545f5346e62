"""Rows of multipliers in M = L D Lᵀ: a row that depends on others gets a zero pivot and a zero multiplier, in every
state of a batch for itself, and what is not selected (1/0) raises nothing."""

import warnings

import numpy as np
import pytest

from freebody.backends import compile
from freebody.program.assemble import program
from freebody.program.evaluate import evaluate
from freebody.program.ldl import PIVOT_TOLERANCE
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.spatial.scalars import Scalar, Scalars
from freebody.tree.mass_matrix import eliminate_row, guarded_inverse
from tests.mechanisms.numpy_scalars import NumpyScalars

CLOSE = 1e-11
SPEEDS, ROWS, STATES = 4, 5, 6


def solve(S: Scalars, M: dict[tuple[int, int], Scalar], f: list[Scalar]) -> list[Scalar]:
    """u̇ and multipliers by ``eliminate_row``, in the order of the unknowns."""
    n, right, steps = len(f), dict(enumerate(f)), list[tuple[Scalar, dict[int, Scalar]]]()
    entries, scale = dict(M), dict.fromkeys(range(SPEEDS, n), S.zero)
    for j in range(n):
        steps.append(eliminate_row(S, entries, j, range(j + 1, n), right, scale))
    x = [S.mul(right[j], steps[j][0]) for j in range(n)]
    for j in reversed(range(n)):
        for k, ratio in steps[j][1].items():
            x[j] = S.sub(x[j], S.mul(ratio, x[k]))
    return x


def systems() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Matrices, right sides and u̇ of some states. Rows 2 to 4 of G are: twice row 0, row 0 + row 1 in half of the
    states and independent in the others, zero in half of the states."""
    rng = np.random.default_rng(3)
    A, b, expected = [], [], []
    for state in range(STATES):
        root, G = rng.uniform(-1, 1, (SPEEDS, SPEEDS)), rng.uniform(-1, 1, (ROWS, SPEEDS))
        G[2] = 2 * G[0]
        G[3] = G[0] + G[1] if state % 2 else G[3]
        G[4] = 0 if state >= STATES // 2 else G[1] - G[0]
        M, f, gamma = root @ root.T + np.eye(SPEEDS), rng.uniform(-1, 1, SPEEDS), G @ rng.uniform(-1, 1, SPEEDS)
        A.append(np.block([[M, -G.T], [-G, np.zeros((ROWS, ROWS))]]))
        b.append(np.concatenate([f, -gamma]))
        expected.append(np.linalg.lstsq(A[-1], b[-1], rcond=1e-11)[0][:SPEEDS])
    return np.array(A), np.array(b), np.array(expected)


def entries() -> list[tuple[int, int]]:
    return [(i, j) for i in range(SPEEDS + ROWS) for j in range(i + 1) if j < SPEEDS]


def test_dependent_rows_of_a_batch() -> None:
    A, b, expected = systems()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = solve(NumpyScalars(), {(i, j): A[:, i, j] for i, j in entries()}, [*b.T])
    assert np.max(np.abs(np.array(x[:SPEEDS]).T - expected)) < CLOSE
    assert np.max(np.abs(np.einsum("sij,js->si", A, np.array(x)) - b)) < CLOSE
    assert not np.any(x[SPEEDS + 2])


def test_dependent_rows_in_programs() -> None:
    A, b, expected = systems()
    g = Graph()
    M = {(i, j): g.symbol(f"a{i}_{j}", Kind.COORDINATE) for i, j in entries()}
    f = [g.symbol(f"b{i}", Kind.INPUT) for i in range(SPEEDS + ROWS)]
    p = program("rows", g, {"q": [*M.values()], "inputs": f}, {"x": solve(g, M, f)})
    q = np.array([A[:, i, j] for i, j in entries()]).T
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled = [compile(p, backend) for backend in ("numpy", "llvm", "c")]
        batches = [f_c(q, b) for f_c in compiled]
        for state in range(STATES):
            inputs = {"q": q[state], "inputs": b[state]}
            reference = evaluate(p, inputs)
            assert np.max(np.abs(reference.values["x"][:SPEEDS] - expected[state])) < CLOSE
            assert np.all(reference.bounds["x"] < CLOSE) and reference.values["x"][SPEEDS + 2] == 0
            for f_c, batch in zip(compiled, batches, strict=True):
                assert np.max(np.abs(f_c(q[state], b[state]) - reference.values["x"])) < CLOSE
                assert np.max(np.abs(batch[state] - reference.values["x"])) < CLOSE


def test_pivots_that_are_known() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    assert guarded_inverse(g, g.zero, g.zero) == guarded_inverse(g, g.zero, x) == g.zero
    assert guarded_inverse(g, g.const(0.0), g.const(-1)) == g.zero  # 1/0.0 is not used
    assert g.number(guarded_inverse(g, g.const(-4), g.const(-5))) == -0.25
    assert guarded_inverse(g, g.const(-PIVOT_TOLERANCE), g.const(-2)) == g.zero


@pytest.mark.parametrize("scale", [-1.0, -1e-200, -0.0])
def test_pivots_are_compared_with_their_scale(scale: float) -> None:
    S, factors = NumpyScalars(), np.array([1.0, 1e-3, 1.1 * PIVOT_TOLERANCE, 0.9 * PIVOT_TOLERANCE, 0.0, -1e-15])
    inverse = guarded_inverse(S, factors * scale, np.full(len(factors), scale))
    assert np.all(np.isfinite(inverse))
    assert [bool(x) for x in inverse] == [bool(scale) and f > PIVOT_TOLERANCE for f in factors]
