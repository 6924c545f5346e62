"""Flexible bodies on joints that leave their frames free, whose modes take nearly all of their inertia there."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.model.flexible.modal_data import ModalData
from freebody.model.joints.modal import Modal
from tests.flexible.flexible_trees import nodes_of
from tests.flexible.random_modal_data import random_modal_data
from tests.flexible.rigid_nodes import Array, mass, poincare, tilde
from tests.flexible.test_modal_data import data_of

PLANAR: dict[str, Any] = {"length": 1.0, "EI": (None, 5.0), "density": 0.5}
SPATIAL: dict[str, Any] = {"length": 1.0, "EI": (6.0, 5.0), "GJ": 4.0, "density": 0.5, "polar_inertia": 0.002,
                           "rotary_inertia": 0.001, "torsion": 1}  # fmt: skip


def terms_up_to(order: int, f: Any, eta: Array) -> Array:
    """A polynomial of degree 4 in η without the terms of higher orders."""
    s = np.arange(-2.0, 3.0)
    coefficients = np.tensordot(np.linalg.inv(np.vander(s, increasing=True)), np.array([f(x * eta) for x in s]), 1)
    return np.asarray(coefficients[: order + 1].sum(axis=0))


def squares_mass(data: ModalData, D: Array, eta: Array) -> Array:
    """M(η) of ½ m |v_c|² + ½ ω_F·J_c ω_F + ω_F·X η̇ + ½ η̇ᵀ N η̇ with ω_F = ω + A η̇ in the order (η̇, ω, v), from M(η) of
    the integrals; Dᵀ X = 0 to first order, and J_c A + X is that of the integrals."""
    n, m = data.n, data.m

    def central(x: Array) -> Array:
        """The rows and columns of (η̇, ω) about the mass centre, which moves by P (η̇, ω, v)/m."""
        M = mass(data, x)
        return np.asarray(M[: n + 3, : n + 3] - M[: n + 3, n + 3 :] @ M[n + 3 :, : n + 3] / m)

    rest = central(0 * eta)
    J, F = (terms_up_to(k, central, eta)[n:, cut] for k, cut in ((2, np.s_[n:]), (1, np.s_[:n])))
    def along(momentum: Array) -> Array:
        """The rates about the directions D that have the same angular momentum about them."""
        return np.asarray(D @ np.linalg.solve(D.T @ rest[n:, n:] @ D, D.T @ momentum))

    A0 = along(rest[n:, :n])
    more = along(F - terms_up_to(1, lambda x: central(x)[n:, n:] @ A0, eta))
    A, X0 = A0 + more, rest[n:, :n] - rest[n:, n:] @ A0
    X = F - terms_up_to(1, lambda x: central(x)[n:, n:] @ A0, eta) - rest[n:, n:] @ more
    N = rest[:n, :n] - A0.T @ rest[n:, n:] @ A0 - A0.T @ X0 - X0.T @ A0
    turn = np.hstack([A, np.eye(3)])
    total = turn.T @ J @ turn
    total[:, :n] = total[:, :n] + turn.T @ X
    total[:n] = total[:n] + X.T @ turn
    total[:n, :n] = total[:n, :n] + N
    c = data.c0 + data.E @ eta + 0.5 * data.C @ eta @ eta
    P = np.hstack([data.E + data.C @ eta, -tilde(c), m * np.eye(3)])
    return np.asarray(np.pad(total, (0, 3)) + P.T @ P / m)


def free_body(data: ModalData, directions: Any) -> Any:
    s = fb.System("free", gravity=(0, 0, 0))
    frame = s.body("frame", joint=fb.Free())
    s.body("body", on=frame, joint=Modal(data, "full", directions))
    return s.derive("aba").compile("numpy")


@pytest.mark.parametrize("directions", [(), ((0.0, 0.6, 0.8),), ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))])
@pytest.mark.parametrize("kind", ["random", "cantilever", "free"])
def test_equations_are_those_of_the_sum_of_squares(kind: str, directions: Any) -> None:
    """M, and the bias by Poincaré's equations, of data in general position; T agrees with the usual one to first order
    in η."""
    rng, n = np.random.default_rng(5), 4
    data = random_modal_data(rng, n, damping=0.0) if kind == "random" else data_of(nodes_of(rng, n, kind))
    f, D = free_body(data, directions), np.reshape(directions, (-1, 3)).T
    eta, eta_dot, w = (size * rng.normal(size=k) for size, k in ((0.2, n), (1.0, n), (1.0, 3)))
    order = [*range(6, 6 + n), *range(6)]
    names = f.equations.u
    assert names[6:] == tuple(f"body.m{k + 1}" for k in range(n))
    q, u = np.concatenate([np.eye(7)[3], eta]), np.zeros(n + 6)
    u[6:], u[:3] = eta_dot, w
    M = f.mass_matrix(q)[np.ix_(order, order)]
    expected = squares_mass(data, D, eta)
    assert np.abs(M - expected).max() < 1e-12 * np.abs(expected).max()
    assert np.abs(squares_mass(data, D, 0 * eta) - mass(data, 0 * eta)).max() < 1e-12
    small = [np.abs(squares_mass(data, D, x * eta) - mass(data, x * eta))[n:, n:].max() for x in (1e-2, 1e-3)]
    assert small[1] < 2e-3 * small[0] + 1e-13
    b = f.inverse_dynamics(q, u, np.zeros(n + 6))[order]
    wanted = poincare(lambda x: squares_mass(data, D, x), eta, eta_dot, w)
    wanted[:n] += data.K @ eta - data.preload
    assert np.abs(b - wanted).max() < 1e-11 * np.abs(wanted).max()
