"""Random numbers of a seed, a counter and a stream: their distribution, and that every backend computes the same."""

import numpy as np
import pytest
from numpy.typing import NDArray

from freebody.backends import compile
from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.random_numbers import normal, uniform
from freebody.scalar.symbol import Kind

Array = NDArray[np.float64]
COUNT = 100_000
COUNTERS = np.arange(float(COUNT))[:, None]
FAR = 4.5
"""Deviations that a statistic of independent numbers never has here."""


def numbers() -> Program:
    """Normal numbers of two streams, and uniform ones."""
    g = Graph()
    seed, n = (Expr(g, g.symbol(name, Kind.INPUT)) for name in ("seed", "n"))
    a = Assembly("numbers", g, {"seed": [seed.handle], "n": [n.handle]})
    a.output("values", [normal(seed, n, "a").handle, normal(seed, n, "b").handle, uniform(seed, n, "a").handle])
    return a.program()


PROGRAM = numbers()
F = compile(PROGRAM, "llvm")


def rows(seed: object, counter: object) -> Array:
    return np.asarray(F(np.asarray(seed, float), np.asarray(counter, float)))


def deviations_of_correlations(samples: list[Array]) -> float:
    """The largest correlation of different rows, in standard deviations of that of independent ones."""
    correlations = np.corrcoef(samples) * np.sqrt(len(samples[0]))
    np.fill_diagonal(correlations, 0)
    return float(np.abs(correlations).max())


@pytest.mark.parametrize("over", ["counters", "seeds"])
def test_numbers_are_normal_and_uniform(over: str) -> None:
    values = rows([3.0], COUNTERS) if over == "counters" else rows(COUNTERS, [3.0])
    z, v, n = values[:, 0], values[:, 2], COUNT
    assert abs(z.mean()) < FAR / np.sqrt(n) and abs(z.var() - 1) < FAR * np.sqrt(2 / n)
    assert abs((z**3).mean()) < FAR * np.sqrt(15 / n) and abs((z**4).mean() - 3) < FAR * np.sqrt(96 / n)
    assert 0 < v.min() < 1e-4 and 1 - 1e-4 < v.max() < 1 and abs(v.mean() - 0.5) < FAR / np.sqrt(12 * n)
    assert len(np.unique(v)) > n - 3


def test_neighbours_are_independent() -> None:
    """Of counters, of seeds (beyond 24 bits too), and streams; of the numbers and of their squares."""
    seeds = [rows([float(s)], COUNTERS) for s in (0, 1, 2, 3, 7, 8, 2**24, 2**24 + 1, 2**47)]
    samples = [values[:, k] for values in seeds for k in (0, 1)]
    assert deviations_of_correlations(samples) < FAR
    assert deviations_of_correlations([z**2 for z in samples]) < FAR
    z = samples[0]
    for power in (1, 2):
        assert deviations_of_correlations([z[k : k - 9] ** power for k in range(9)]) < FAR


def test_every_backend_computes_the_same_numbers() -> None:
    """One by one, in lanes and by NumPy, C: uniform ones to the bit, normal ones to the functions' rounding."""
    counters = np.array([0.0, 1.0, 2.0, 2.0**24 - 1, 2.0**24, 2.0**40 + 5])[:, None]
    lanes = rows([5.0], counters)
    assert np.array_equal(lanes, [rows([5.0], n) for n in counters])
    for backend in ("numpy", "c"):
        f = compile(PROGRAM, backend)
        others = np.array([np.asarray(f(np.array([5.0]), n)).reshape(-1) for n in counters])
        assert np.array_equal(others[:, 2], lanes[:, 2])
        assert np.abs(others[:, :2] - lanes[:, :2]).max() < 2e-15
