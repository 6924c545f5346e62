"""The coefficients of ESDIRK methods: order conditions of all rooted trees, stability, interpolation."""

import numpy as np
import pytest

from freebody.integrate.esdirk import ESDIRK54
from freebody.integrate.tableaus import Row
from tests.integrate.test_rosenbrock import Tree, density, trees

Array = np.ndarray
A = np.array([[row.get(j, 0.0) for j in range(ESDIRK54.stages)] for row in ESDIRK54.a])
C = np.array(ESDIRK54.c)


def row(weights: Row) -> Array:
    return np.array([weights.get(j, 0.0) for j in range(len(A))])


B = row(ESDIRK54.b)
EMBEDDED = B - row(ESDIRK54.errors[0])


def dense(theta: float) -> Array:
    """The weights of the derivatives of the stages between the ends."""
    first, last = np.eye(len(A))[0], np.eye(len(A))[-1]
    r2, r3 = first - B, 2 * B - first - last
    return theta * (B + (1 - theta) * (r2 + theta * (r3 + (1 - theta) * row(ESDIRK54.dense[0]))))


def stage_weights(tree: Tree) -> Array:
    return np.prod([A @ stage_weights(branch) for branch in tree], axis=0) if tree else np.ones(len(A))


def defect(weights: Array, order: int, theta: float = 1.0) -> float:
    return max(abs(weights @ stage_weights(tree) - theta**order / density(tree)) for tree in trees(order))


@pytest.mark.parametrize("order", range(1, 6))
def test_order_conditions(order: int) -> None:
    """Of order 5, with an error estimate of order 4, and of order 4 between the ends."""
    assert defect(B, order) < 2e-15
    if order < 5:
        assert defect(EMBEDDED, order) < 2e-15
        assert max(defect(dense(theta), order, theta) for theta in np.linspace(0, 1, 9)) < 5e-15


def test_the_next_orders_are_not_reached() -> None:
    assert defect(B, 6) > 1e-4 and defect(EMBEDDED, 5) > 1e-4 and defect(dense(0.4), 5, 0.4) > 1e-4


def test_the_interpolation_has_the_derivatives_at_the_ends() -> None:
    assert np.abs(dense(1.0) - B).max() < 1e-15
    for at, stage in ((0.0, 0), (1.0, -1)):
        slope = (dense(at + 1e-6) - dense(at - 1e-6)) / 2e-6
        assert np.abs(slope - np.eye(len(A))[stage]).max() < 1e-9


def test_the_stages_have_order_2_and_one_diagonal() -> None:
    assert np.abs(A @ C - C**2 / 2).max() < 1e-15
    assert np.diag(A).tolist() == [0.0] + [ESDIRK54.gamma] * 6
    assert np.array_equal(A[-1], B)  # stiffly accurate


def test_first_guesses_are_exact_for_derivatives_that_are_polynomials() -> None:
    """Of as many terms as there are known stages, at most four."""
    for k in range(1, len(A)):
        points = len(ESDIRK54.predictors[k])
        for power in range(points):
            assert abs(row(ESDIRK54.predictors[k]) @ C**power - C[k] ** power) < 1e-12


def test_stability() -> None:
    """|R| ≤ 1 on the imaginary axis, and R(−∞) = 0."""

    def R(z: complex, weights: Array) -> complex:
        return 1 + z * weights @ np.linalg.solve(np.eye(len(A)) - z * A, np.ones(len(A)))

    assert max(abs(R(1j * y, B)) for y in np.geomspace(1e-3, 1e6, 2000)) < 1 + 1e-12
    assert abs(R(-1e9, B)) < 1e-7
