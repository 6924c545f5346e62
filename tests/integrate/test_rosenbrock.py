"""The coefficients of Rosenbrock methods: order conditions of all rooted trees, stability, interpolation."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import prod

import numpy as np
import pytest

from freebody.integrate.rosenbrock import RODAS5P, Rosenbrock
from freebody.integrate.tableaus import Row

Tree = tuple["Tree", ...]
Array = np.ndarray


def full(rows: tuple[Row, ...] | list[Row], columns: int) -> Array:
    return np.array([[row.get(j, 0.0) for j in range(columns)] for row in rows])


class Classical:
    """α, Γ and the weights of k_i = h f(x + Σ α_ij k_j) + h J Σ γ_ij k_j, from the form without products with J."""

    def __init__(self, method: Rosenbrock) -> None:
        s = method.stages
        self.gamma = np.linalg.inv(np.eye(s) / method.gamma - full(method.C, s))
        self.alpha = full(method.a, s) @ self.gamma
        m = full([method.m], s)[0]
        self.b, self.embedded = m @ self.gamma, (m - np.eye(s)[-1]) @ self.gamma
        r2, r3, r4 = full(method.dense, s)
        self.dense = lambda theta: (theta * (m + (1 - theta) * (r2 + theta * (r3 + (1 - theta) * r4)))) @ self.gamma

    def stage_weights(self, tree: Tree) -> Array:
        """Φ_i of a tree: a vertex with one branch has α + γ, one with more has α (Hairer & Wanner II, IV.7)."""
        matrix = self.alpha + self.gamma if len(tree) == 1 else self.alpha
        return (
            np.prod([matrix @ self.stage_weights(branch) for branch in tree], axis=0) if tree else np.ones(len(matrix))
        )


@cache
def trees(order: int) -> tuple[Tree, ...]:
    """All rooted trees with so many vertices."""

    def forests(vertices: int, largest: int) -> Iterator[Tree]:
        if vertices == 0:
            yield ()
        for size in range(min(vertices, largest), 0, -1):
            for count in range(1, vertices // size + 1):
                for chosen in combinations_with_replacement(trees(size), count):
                    for rest in forests(vertices - size * count, size - 1):
                        yield (*chosen, *rest)

    return tuple(forests(order - 1, order - 1))


def size(tree: Tree) -> int:
    return 1 + sum(map(size, tree))


def density(tree: Tree) -> int:
    return size(tree) * prod(map(density, tree))


def defect(method: Classical, weights: Array, order: int) -> float:
    return max(abs(weights @ method.stage_weights(tree) - 1 / density(tree)) for tree in trees(order))


def test_the_trees_are_all() -> None:
    assert [len(trees(order)) for order in range(1, 7)] == [1, 1, 2, 4, 9, 20]


@pytest.mark.parametrize("order", range(1, 6))
def test_order_conditions(order: int) -> None:
    method = Classical(RODAS5P)
    assert defect(method, method.b, order) < 3e-15 * 30
    if order < 5:
        assert defect(method, method.embedded, order) < 1e-13
    for theta in (0.25, 0.5, 0.8) if order < 5 else ():  # of order 4 between the ends
        scaled = [
            abs(method.dense(theta) @ method.stage_weights(tree) - theta**order / density(tree))
            for tree in trees(order)
        ]
        assert max(scaled) < 1e-12


def test_the_next_orders_are_not_reached() -> None:
    method = Classical(RODAS5P)
    assert defect(method, method.b, 6) > 1e-3 and defect(method, method.embedded, 5) > 1e-4


def test_derivatives_by_time_have_their_weights() -> None:
    """c_i = Σ α_ij and d_i = Σ γ_ij: systems that depend on time are autonomous ones with t as a state."""
    method = Classical(RODAS5P)
    assert np.abs(method.alpha.sum(1) - RODAS5P.c).max() < 1e-13
    assert np.abs(method.gamma.sum(1) - RODAS5P.d).max() < 1e-12


def test_stability() -> None:
    """|R| ≤ 1 on the imaginary axis, R(−∞) = 0, also of the embedded method and of the last stages."""
    method = Classical(RODAS5P)
    whole = method.alpha + method.gamma

    def R(z: complex, weights: Array) -> complex:
        return 1 + z * weights @ np.linalg.solve(np.eye(len(whole)) - z * whole, np.ones(len(whole)))

    on_axis = [abs(R(1j * y, method.b)) for y in np.geomspace(1e-3, 1e6, 2000)]
    assert max(on_axis) < 1 + 1e-12
    assert abs(R(-1e12, method.b)) < 1e-8 and abs(R(-1e12, method.embedded)) < 1e-8
