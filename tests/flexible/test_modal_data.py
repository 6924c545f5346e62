"""Modal integrals against explicit rigid nodes, in every order; the integrals of paper 004; moved frames."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from freebody.model.flexible.modal_data import ModalData
from freebody.model.flexible.nodal_data import NodalData, integrals
from tests.flexible.rigid_nodes import Array, RigidNodes, bias, mass, poincare, random_nodes, tilde


def data_of(nodes: NodalData) -> ModalData:
    n = nodes.n
    return integrals(nodes, np.eye(n), np.zeros((n, n)), np.zeros(n))


def relative(a: Array, b: Array) -> float:
    return float(np.abs(a - b).max() / np.abs(b).max())


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def state(rng: np.random.Generator, n: int = 4) -> tuple[Array, Array, Array]:
    return rng.normal(size=n), rng.normal(size=n), rng.normal(size=3)


def taylor(f: Callable[[Any], Array], order: int, h: float = 5e-3, points: int = 9) -> Array:
    """Coefficients of ε⁰ … ε^order of f(ε), by a polynomial through points around 0 in extended precision."""
    x = np.arange(-(points // 2), points // 2 + 1).astype(np.longdouble)
    inverse = []
    for i in range(points):  # coefficients of Lagrange's polynomials
        others = np.delete(x, i)
        polynomial = np.ones(1, dtype=np.longdouble)
        for other in others:
            polynomial = np.convolve(polynomial, np.array([-other, 1], dtype=np.longdouble))
        inverse.append(polynomial / np.prod(x[i] - others))
    values = np.array([f(np.longdouble(h) * e) for e in x])
    return np.array(
        [sum(c[k] * v for c, v in zip(inverse, values, strict=True)) / np.longdouble(h) ** k for k in range(order + 1)]
    )


def test_bias_follows_from_the_mass_matrix(rng: np.random.Generator) -> None:
    """The reference M of exact nodes and its b agree by Poincaré's equations and by d'Alembert's principle; the tensors
    agree with their own M in the same way."""
    nodes = random_nodes(rng)
    eta, eta_dot, w = state(rng)
    exact, data = RigidNodes(nodes), data_of(nodes)
    assert relative(poincare(exact.mass, eta, eta_dot, w), exact.bias(eta, eta_dot, w)) < 1e-13
    assert relative(poincare(lambda x: mass(data, x), eta, eta_dot, w), bias(data, eta, eta_dot, w)) < 1e-13


def test_mass_matrix_agrees_with_rigid_nodes_to_second_order(rng: np.random.Generator) -> None:
    """M_ff in order 0, M_fr in orders 0 and 1, M_rr in orders 0, 1, 2."""
    nodes, n = random_nodes(rng), 4
    eta = rng.normal(size=n)
    data, exact = data_of(nodes), RigidNodes(nodes)
    wanted, found = (taylor(lambda e, f=f: f(e * eta), 2) for f in (exact.mass, lambda x: mass(data, x)))
    for order, (row, column) in ((0, (0, 0)), (1, (0, n)), (2, (n, n))):
        for k in range(order + 1):
            block = np.s_[k, row : row + (n if row == 0 else 6), column : column + (n if column == 0 else 6)]
            assert relative(found[block], wanted[block]) < 1e-12
    steps = (1e-3, 1e-4)
    errors = [np.abs(exact.mass(e * eta) - mass(data, e * eta))[n:, n:].max() for e in steps]
    assert errors[1] / errors[0] < 2e-3  # third order is the first that is left out


def test_bias_agrees_with_rigid_nodes_to_its_order(rng: np.random.Generator) -> None:
    """Row η to first order in (η, η̇), rows ω and v to second order."""
    nodes, n = random_nodes(rng), 4
    eta, eta_dot, w = state(rng)
    data, exact = data_of(nodes), RigidNodes(nodes)
    wanted, found = (
        taylor(lambda e, f=f: f(e * eta, e * eta_dot, w), 2) for f in (exact.bias, lambda *x: bias(data, *x))
    )
    for rows, order in ((np.s_[:n], 1), (np.s_[n:], 2)):
        for k in range(order + 1):
            assert relative(found[k][rows], wanted[k][rows]) < 1e-12


def test_each_tensor_is_a_derivative_of_the_mass_matrix(rng: np.random.Generator) -> None:
    """F1, J1, C and E as first derivatives of M at η = 0 by complex steps, J2 as its second derivatives."""
    nodes = random_nodes(rng)
    data, exact, n = data_of(nodes), RigidNodes(nodes), 4
    for s, e in enumerate(np.eye(n)):
        d = exact.mass(1e-30j * e).imag / 1e-30
        assert relative(data.F1[:, :, s], d[n : n + 3, :n]) < 1e-12
        assert relative(data.J1[s], d[n : n + 3, n : n + 3]) < 1e-12
        assert relative(data.C[:, :, s], d[n + 3 :, :n]) < 1e-12
        assert relative(tilde(data.E[:, s]), d[n : n + 3, n + 3 :]) < 1e-12
    for r in range(n):
        for s in range(n):
            pair = np.eye(n)[r] + np.eye(n)[s]
            d2 = taylor(lambda e, pair=pair: exact.mass(e * pair), 2)[2][n : n + 3, n : n + 3]
            assert relative(np.einsum("pqab,p,q->ab", data.J2, pair, pair) / 2, d2) < 1e-12


def test_paper_integrals_agree_with_nodes_that_keep_their_directions(rng: np.random.Generator) -> None:
    """B.8, and B.50 as corrected, in each order of (η, η̇)."""
    nodes = random_nodes(rng)
    eta, eta_dot, w = state(rng)
    paper, exact = data_of(nodes).paper, RigidNodes(nodes, turning=False)
    assert paper is not None
    assert relative(paper.mass(eta), exact.mass(eta)) < 1e-13
    x = np.arange(4.0)  # b is a cubic polynomial of ε: its coefficients are the orders
    found, wanted = (
        np.linalg.solve(np.vander(x, increasing=True), np.array([f(e * eta, e * eta_dot, w) for e in x]))
        for f in (paper.bias, exact.bias)
    )
    assert [relative(a, b) < 1e-12 for a, b in zip(found, wanted, strict=True)] == [True] * 4


def test_paper_bias_belongs_to_its_mass_matrix_for_point_masses_only(rng: np.random.Generator) -> None:
    """B.50 less Poincaré's b of B.8, by the formula of the difference for each node; zero for point masses."""
    eta, eta_dot, w = state(rng)
    points = data_of(random_nodes(rng, point_masses=True)).paper
    assert points is not None
    assert relative(points.bias(eta, eta_dot, w), poincare(points.mass, eta, eta_dot, w)) < 1e-13
    nodes = random_nodes(rng)
    paper, wanted = data_of(nodes).paper, 0.0
    assert paper is not None
    for m, p, Jc, l0, gamma, lam in zip(
        nodes.masses, nodes.offsets, nodes.inertias, nodes.positions, nodes.translations, nodes.slopes, strict=True
    ):
        d, l = lam @ eta_dot, l0 + gamma @ eta
        wj = w + d
        u, x = np.cross(w, l) + gamma @ eta_dot + np.cross(wj, p), m * np.cross(wj, np.cross(d, p))
        h = (tilde(d) @ Jc - Jc @ tilde(d)) @ wj
        turned = np.cross(lam.T, p)
        row = (gamma.T + turned) @ x + m * turned @ np.cross(w, u) + lam.T @ (h + np.cross(w, Jc @ wj))
        wanted = wanted + np.concatenate([row, np.cross(l + p, x) + h + m * np.cross(np.cross(d, p), u), x])
    assert relative(paper.bias(eta, eta_dot, w) - poincare(paper.mass, eta, eta_dot, w), np.asarray(wanted)) < 1e-12


def test_second_order_displacements_of_a_moved_frame(rng: np.random.Generator) -> None:
    """Positions seen from a node that moves: errors fall with the third power, and the node itself is at rest."""
    nodes, eta = random_nodes(rng), rng.normal(size=4)
    moved, exact = nodes.seen_from("n2"), RigidNodes(nodes)
    assert moved.second is not None
    assert not np.any(moved.translations[2]) and not np.any(moved.slopes[2])
    assert np.abs(moved.second[2]).max() < 1e-15
    errors = list[float]()
    for e in (1e-2, 1e-3):
        ld, Rd, _ = exact.pose(2, e * eta)
        seen = [Rd.T @ (exact.pose(j, e * eta)[0] - ld) for j in range(5)]
        own = [RigidNodes(moved).pose(j, e * eta)[0] for j in range(5)]
        errors.append(float(np.abs(np.array(seen) - own).max()))
    assert errors[1] / errors[0] < 2e-3


def test_change_of_basis_commutes_with_the_integrals(rng: np.random.Generator) -> None:
    """Data in another basis = data of nodes in this basis, the integrals of the paper included."""
    nodes, T = random_nodes(rng), rng.normal(size=(4, 3))
    eta, eta_dot, w = state(rng, 3)
    assert nodes.second is not None
    mixed = replace(nodes, translations=nodes.translations @ T, slopes=nodes.slopes @ T, second=T.T @ nodes.second @ T)
    a, b = data_of(nodes).in_basis(T), data_of(mixed)
    assert relative(mass(a, eta), mass(b, eta)) < 1e-13
    assert relative(bias(a, eta, eta_dot, w), bias(b, eta, eta_dot, w)) < 1e-13
    assert a.paper is not None and b.paper is not None
    assert relative(a.paper.mass(eta), b.paper.mass(eta)) < 1e-13
    assert relative(a.paper.bias(eta, eta_dot, w), b.paper.bias(eta, eta_dot, w)) < 1e-13


def test_integrals_along_other_axes(rng: np.random.Generator) -> None:
    """M and b of turned data are those of the data, turned; the integrals of the paper included."""
    data = data_of(random_nodes(rng))
    R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    R *= np.linalg.det(R)
    eta, eta_dot, w = state(rng)
    X = np.zeros((10, 10))
    X[:4, :4], X[4:7, 4:7], X[7:, 7:] = np.eye(4), R, R
    turned = data.along(R)
    assert relative(mass(turned, eta), X @ mass(data, eta) @ X.T) < 1e-13
    assert relative(bias(turned, eta, eta_dot, R @ w), X @ bias(data, eta, eta_dot, w)) < 1e-13
    assert turned.paper is not None and data.paper is not None
    assert relative(turned.paper.mass(eta), X @ data.paper.mass(eta) @ X.T) < 1e-13
    assert relative(turned.paper.bias(eta, eta_dot, R @ w), X @ data.paper.bias(eta, eta_dot, w)) < 1e-13
