"""The modal integrals of Jain and Rodriguez by the paper's names (appendix B), node by node as they are printed, with
known misprints corrected; M_m and b_m by orders of the deformation against explicit rigid nodes."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FieldError
from freebody.fem.nodal_data import integrals
from freebody.fem.paper_integrals import PaperIntegrals
from tests.flexible.rigid_nodes import Array, RigidNodes, random_nodes, tilde

EXACT = 1e-12  # relative to the largest entry
N = 3


def same(a: Any, b: Any, bound: float = EXACT) -> None:
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape and np.abs(a - b).max() <= bound * max(np.abs(b).max(), 1e-300)


class Body:
    """Random nodes with inertias and offsets, one after another, and a state."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.nodes = random_nodes(rng, 4, N)
        data = integrals(self.nodes, np.eye(N), np.zeros((N, N)), np.zeros(N), paper=True)
        assert data.paper is not None
        self.integrals: PaperIntegrals = data.paper
        self.eta, self.eta_dot, self.w = rng.normal(size=N), rng.normal(size=N), rng.normal(size=3)

    def __iter__(self) -> Any:
        x = self.nodes
        for m, l0, p, Jc, g, lam in zip(
            x.masses, x.positions, x.offsets, x.inertias, x.translations, x.slopes, strict=True
        ):
            yield SimpleNamespace(
                m=m,
                p=p,
                P=tilde(p),
                J=Jc - m * tilde(p) @ tilde(p),
                l0=l0,
                L0=tilde(l0),
                l=l0 + g @ self.eta,
                L=tilde(l0 + g @ self.eta),
                g=list(g.T),
                Y=[tilde(c) for c in g.T],
                lam=list(lam.T),
                X=[tilde(c) for c in lam.T],
                dw=lam @ self.eta_dot,
                DW=tilde(lam @ self.eta_dot),
                dv=g @ self.eta_dot,
                DV=tilde(g @ self.eta_dot),
            )


@pytest.fixture(params=[1, 2])
def body(request: pytest.FixtureRequest) -> Body:
    return Body(request.param)


@pytest.mark.paper("004", "24")
def test_modal_integrals_as_they_are_printed(body: Body) -> None:
    """Eq B.4, term by term; Eq B.7: their columns as matrices. J0 with its first sign corrected."""
    x, modes = body.integrals, range(N)
    m = sum(j.m for j in body)
    same(x.m, m)
    same(x.p0, sum(j.m * (j.p + j.l0) for j in body) / m)
    same(x.J0, sum(j.J - j.m * (j.L0 @ j.L0 + j.P @ j.L0 + j.L0 @ j.P) for j in body))
    for r in modes:
        one: dict[str, Any] = {
            "p1": sum(j.m * j.g[r] for j in body) / m,
            "E": sum(j.m * (j.g[r] - j.P @ j.lam[r]) for j in body),
            "F0": sum(j.J @ j.lam[r] + j.m * (j.L0 + j.P) @ j.g[r] - j.m * j.L0 @ j.P @ j.lam[r] for j in body),
            "R1": sum(j.J @ j.lam[r] for j in body),
        }
        for name, vector in one.items():
            same(getattr(x, name)[:, r], vector)
        turned = [tilde(j.m * j.P @ j.lam[r]) for j in body]
        same(x.J1[r], -sum(j.m * j.Y[r] @ (j.L0 + j.P) for j in body))
        same(x.S1[r], sum(t @ j.L0 - j.J @ j.X[r] for t, j in zip(turned, body, strict=True)))
        K1 = sum(2 * j.L0 @ t - j.J @ j.X[r] + j.X[r] @ j.J for t, j in zip(turned, body, strict=True))
        same(x.K1[r], K1)
        same(2 * x.S1[r].T - sum(j.X[r] @ j.J + j.J @ j.X[r] for j in body), K1)  # its second form
        for s in modes:
            pair: dict[str, Any] = {
                "F1": sum(j.m * j.Y[s] @ (j.g[r] - j.P @ j.lam[r]) for j in body),
                "R2": sum((j.X[r] @ j.J - j.m * j.L0 @ j.X[r] @ j.P) @ j.lam[s] for j in body),
                "W1": sum(j.X[r] @ (j.m * j.P @ j.g[s]) for j in body),
                "W2": sum(j.X[r] @ j.J @ j.lam[s] for j in body),
                "L": -sum(j.m * j.X[r] @ j.P @ j.lam[s] for j in body) / m,
                "T1": sum((j.m * j.Y[r] @ j.P + j.J @ j.X[r]) @ j.lam[s] for j in body),
                "T2": sum((j.m * j.P @ j.Y[r] - j.X[r] @ j.J) @ j.lam[s] for j in body),
            }
            for name, vector in pair.items():
                same(getattr(x, name)[:, r, s], vector)
            same(
                x.G[r, s],
                sum(
                    j.lam[r] @ j.J @ j.lam[s]
                    + j.m * j.lam[r] @ j.P @ j.g[s]
                    + j.m * j.lam[s] @ j.P @ j.g[r]
                    + j.m * j.g[r] @ j.g[s]
                    for j in body
                ),
            )
            same(x.J2[r, s], -sum(j.m * j.Y[r] @ j.Y[s] for j in body))
            same(x.J2[r, s], x.J2[s, r].T)
            same(x.S2[r, s], sum(t @ j.Y[s] for t, j in zip(turned, body, strict=True)))
            same(x.K2[r, s], sum(2 * j.Y[s] @ t for t, j in zip(turned, body, strict=True)))
            for q in modes:
                same(x.R3[:, q, r, s], -sum(j.m * j.Y[q] @ j.X[r] @ j.P @ j.lam[s] for j in body))
                T3 = sum(j.lam[q] @ (j.m * j.Y[r] @ j.P + j.J @ j.X[r]) @ j.lam[s] for j in body)
                assert abs(x.T3[q, r, s] - T3) <= EXACT * np.abs(x.T3).max()


@pytest.mark.paper("004", "24")
def test_integrals_of_the_deformed_body(body: Body) -> None:
    """Eq B.5: with l in place of l₀ the same sums over nodes."""
    x, eta = body.integrals, body.eta
    p, J = x.p(eta), x.J(eta)
    same(p, sum(j.m * (j.p + j.l) for j in body) / x.m)
    same(J, sum(j.J - j.m * (j.L @ j.L + j.P @ j.L + j.L @ j.P) for j in body))
    for r in range(N):
        turned = [tilde(j.m * j.P @ j.lam[r]) for j in body]
        F = sum(j.J @ j.lam[r] + j.m * (j.L + j.P) @ j.g[r] - j.m * j.L @ j.P @ j.lam[r] for j in body)
        same(x.F(eta)[:, r], F)
        same(x.N(eta)[r], -sum(j.m * (j.L + j.P) @ j.Y[r] for j in body))
        same(x.S(eta)[r], sum(t @ j.L - j.J @ j.X[r] for t, j in zip(turned, body, strict=True)))
        K = sum(2 * j.L @ t - j.J @ j.X[r] + j.X[r] @ j.J for t, j in zip(turned, body, strict=True))
        same(x.K(eta)[r], K)
        for s in range(N):
            same(x.R(eta)[:, r, s], sum((j.X[r] @ j.J - j.m * j.L @ j.X[r] @ j.P) @ j.lam[s] for j in body), 1e-11)


@pytest.mark.paper("004", "25")
def test_modal_mass_matrix_by_orders(body: Body) -> None:
    """M_m⁰, M_m¹, M_m² of Eq B.8 are the coefficients of ε in M_m(ε η) of explicit nodes."""
    explicit, e = RigidNodes(replace(body.nodes, second=None), turning=False), np.arange(3.0)
    wanted = np.tensordot(np.linalg.inv(np.vander(e, increasing=True)), [explicit.mass(x * body.eta) for x in e], 1)
    same(body.integrals.mass_orders(body.eta), wanted)
    for order, block in zip(body.integrals.mass_orders(body.eta), wanted, strict=True):
        same(order, block, 1e-11)
    same(body.integrals.mass(body.eta), explicit.mass(body.eta))


@pytest.mark.paper("004", "28")
def test_forces_by_orders(body: Body) -> None:
    """b_m⁰ … b_m³ of Eq B.50 as corrected, one after another, are the coefficients of ε in b_m(ε η, ε η̇, ω) of explicit
    nodes by d'Alembert's principle, and their sum is b_m."""
    explicit, e = RigidNodes(replace(body.nodes, second=None), turning=False), np.arange(4.0)
    values = [explicit.bias(x * body.eta, x * body.eta_dot, body.w) for x in e]
    wanted = np.tensordot(np.linalg.inv(np.vander(e, increasing=True)), values, 1)
    state = body.eta, body.eta_dot, body.w
    orders = body.integrals.bias_orders(*state)
    assert len(orders) == 4
    for found, one in zip(orders, wanted, strict=True):
        assert np.abs(found - one).max() < 1e-11 * np.abs(values[1]).max()
        assert np.abs(one).max() > 1e-3 * np.abs(values[1]).max()  # every order is there
    assert not orders[3][:N].any() and not orders[3][-3:].any()
    same(body.integrals.bias(*state), values[1])
    resting = body.integrals.bias_orders(0 * body.eta, 0 * body.eta, body.w)
    assert not np.any(resting[1:]) and np.array_equal(resting[0], orders[0])


@pytest.mark.paper("004", "27")
def test_sums_over_nodes_of_the_modal_rows(body: Body) -> None:
    """The terms B.14 to B.26 by integrals (Eqs B.27 to B.29, with W₂(r, s) in place of W₂(s, r))."""
    x, w, eta, rate = body.integrals, body.w, body.eta, body.eta_dot
    for r in range(N):
        t = [tilde(j.m * j.P @ j.lam[r]) for j in body]
        term = {
            14: -sum(w @ j.X[r] @ j.J @ w for j in body),
            15: -sum(w @ a @ j.L @ w for a, j in zip(t, body, strict=True)),
            16: sum(w @ j.Y[r] @ (j.L + j.P) @ w * j.m for j in body),
            17: 2 * sum(w @ a @ j.dv for a, j in zip(t, body, strict=True)),
            18: -2 * sum(j.m * w @ j.Y[r] @ j.dv for j in body),
            19: -sum(j.lam[r] @ j.J @ j.DW @ w for j in body),
            20: sum(j.m * j.g[r] @ j.P @ j.DW @ w for j in body),
            21: sum(j.dw @ j.J @ j.X[r] @ w for j in body),
            22: -sum(j.dw @ j.X[r] @ j.J @ w for j in body),
            23: sum(j.m * j.dw @ j.Y[r] @ j.P @ j.dw for j in body),
            24: sum(j.dw @ j.J @ j.X[r] @ j.dw for j in body),
            25: sum(j.m * j.g[r] @ j.DW @ tilde(w) @ j.p for j in body),
            26: sum(j.m * j.g[r] @ tilde(w) @ j.DW @ j.p for j in body),
        }
        total = sum(term.values())
        bound = 1e-11 * max(abs(value) for value in term.values())

        def near(a: Any, b: Any, bound: float = bound) -> None:
            assert abs(a - b) < bound

        near(term[17] / 2 + term[22], -w @ (x.T1[:, :, r] @ rate))
        near(term[17] / 2 + term[19] + term[21], -w @ ((x.T2[:, :, r] + x.W1[:, r] + x.W2[:, r]) @ rate))
        near(term[14] + term[15], -w @ x.S(eta)[r] @ w)
        near(term[16], -w @ x.N(eta)[r] @ w)
        near(term[23] + term[24], rate @ x.T3[:, r] @ rate)
        near(term[20] + term[25], term[26])
        near(term[18] + term[20] + term[25] + term[26], -2 * w @ (x.F1[:, :, r] @ rate))
        b28 = -w @ (x.S(eta)[r] + x.N(eta)[r]) @ w - w @ (x.Q[:, r] @ rate) + rate @ x.T3[:, r] @ rate
        near(total, b28)
        near(x.bias(eta, rate, w)[r], total)


@pytest.mark.paper("004", "27")
def test_sums_over_nodes_of_the_rigid_rows(body: Body) -> None:
    """The terms B.30 to B.39 and B.42 to B.47 by integrals (Eqs B.40, B.41, B.48, B.49)."""
    x, w, eta, rate = body.integrals, body.w, body.eta, body.eta_dot
    W = tilde(w)
    turning = {
        30: sum(W @ (j.J - j.m * (j.P @ j.L + j.L @ j.P + j.L @ j.L)) @ w for j in body),
        31: sum(-2 * j.m * (j.L + j.P) @ j.DV @ w for j in body),
        32: sum(-j.J @ j.DW @ w for j in body),
        33: sum(j.DW @ j.J @ w for j in body),
        34: sum(j.L @ (j.m * j.P) @ j.DW @ w for j in body),
        35: sum(W @ j.J @ j.dw for j in body),
        36: sum(j.DW @ j.J @ j.dw for j in body),
        37: sum(j.L @ (j.m * j.DW @ j.DW @ j.p) for j in body),
        38: sum(j.m * j.L @ j.DW @ W @ j.p for j in body),
        39: sum(j.m * j.L @ W @ j.DW @ j.p for j in body),
    }
    same(turning[30], W @ x.J(eta) @ w, 1e-11)
    same(turning[31], 2 * np.tensordot(rate, x.N(eta), 1) @ w, 1e-11)
    same(sum(turning[k] for k in (32, 33, 34, 38, 39)), np.tensordot(rate, x.K(eta), 1) @ w, 1e-11)
    same(turning[35], W @ x.R1 @ rate, 1e-11)
    same(turning[36] + turning[37], x.R(eta) @ rate @ rate, 1e-11)
    same(sum(turning.values()), x.bias(eta, rate, w)[N : N + 3], 1e-11)
    sliding = {
        42: sum(-j.m * j.P @ W @ j.dw for j in body),
        43: sum(j.m * W @ W @ (j.l + j.p) for j in body),
        44: sum(j.m * j.DW @ j.DW @ j.p for j in body),
        45: sum(2 * j.m * W @ j.dv for j in body),
        46: sum(j.m * j.DW @ W @ j.p for j in body),
        47: sum(j.m * W @ j.DW @ j.p for j in body),
    }
    same(sliding[43], x.m * W @ W @ x.p(eta), 1e-11)
    same(sliding[44], x.m * x.L @ rate @ rate, 1e-11)
    same(sum(sliding[k] for k in (42, 45, 46, 47)), 2 * W @ x.E @ rate, 1e-11)
    same(sum(sliding.values()), x.bias(eta, rate, w)[N + 3 :], 1e-11)


@pytest.mark.paper("004", "24", "29")
def test_integrals_of_a_description() -> None:
    """On request only, for the modes that the body has: M_m and b_m of the equations are those of the integrals."""
    beam = fb.Beam(length=2.0, EI=(40.0, 50.0), density=1.5, polar_inertia=0.02)
    assert beam.modal_data(4).paper is None
    x = beam.modal_data(4, paper=True).paper
    assert x is not None
    s = fb.System("boom", gravity=(0, 0, 0))
    s.body("boom", joint=fb.Spherical(), flexible=beam, modes=4, order="paper")
    eq = s.derive()
    eta, eta_dot, w = np.array([0.02, -0.01, 0.01, 0.02]), np.array([0.3, 0.1, -0.2, 0.4]), np.array([0.5, -1.0, 0.7])
    o = eq.operators([1, 0, 0, 0, *eta], [*w, *eta_dot])
    same(o.M.blocks[0], x.mass(eta))
    same(o.b, x.bias(eta, eta_dot, w))
    assert isinstance(x.G, np.ndarray) and np.abs(x.G - np.eye(4)).max() < 1e-9


def test_integrals_that_are_not_known_are_refused() -> None:
    rng = np.random.default_rng(3)
    given = integrals(random_nodes(rng, 4, 2), np.eye(2), np.zeros((2, 2)), np.zeros(2))
    data = fb.ModalIntegrals(**{key: getattr(given, key) for key in ("m", "c0", "E", "F0", "J0", "M_ff", "K")})
    with pytest.raises(FieldError, match=r"order 'paper' needs the integrals of Jain and Rodriguez \(Eq B.4\), which"):
        data.modal_data(paper=True)
    with pytest.raises(FieldError, match="are for at most 64 modes, not 65, because some have three"):
        integrals(random_nodes(rng, 2, 65), np.eye(65), np.zeros((65, 65)), np.zeros(65), paper=True)


def test_shapes_of_the_integrals(body: Body) -> None:
    """Matrices of Eq B.7: 3 × n, in the order of the modes."""
    x = body.integrals
    for columns in (x.p1, x.F0, x.F(body.eta), x.E):
        assert columns.shape == (3, N)
    T: Array = np.diag([1.0, 2.0, -1.0])
    same(x.in_basis(T).T3[0, 1, 2], -2 * x.T3[0, 1, 2])
