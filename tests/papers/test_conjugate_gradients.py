"""Conjugate gradients on the mass matrix of flexible trees (Jain and Rodriguez 1992, section 10): products, the
preconditioner of composite bodies, iteration counts against the condition number."""

from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import freebody as fb
from freebody.errors import ArgumentError, SimulationError
from freebody.papers.conjugate_gradients import (
    composite_blocks,
    composite_preconditioner,
    conjugate_gradient_forward_dynamics,
    mass_product,
)
from freebody.papers.flexible_algorithms import FlexibleTree, articulated_forward_dynamics
from tests.flexible.flexible_trees import flexible_tree, state_of
from tests.flexible.rigid_nodes import Array


def same(a: Any, b: Any, bound: float = 1e-12) -> None:
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape and np.abs(a - b).max() <= bound * np.abs(b).max()


@cache
def solved(order: str, seed: int) -> tuple[FlexibleTree, Array, Array, Array]:
    """A random tree at a state; 𝓜, T and χ̇ of Kane's equations."""
    eq = flexible_tree(seed, order).derive("kane")
    q, u, tau = state_of(seed, len(eq.u))
    f = eq.compile("numpy")
    return FlexibleTree.of(eq.operators(q, u)), f.mass_matrix(q), tau, f.forward_dynamics(q, u, tau)


CASES = [("full", 0), ("ruthless", 1), ("paper", 2)]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.paper("004", "31")
def test_products_and_blocks_are_those_of_the_mass_matrix(case: tuple[str, int]) -> None:
    """𝓜 x by two sweeps; the preconditioner is the block diagonal of 𝓜, a block for each body."""
    tree, M, tau, _ = solved(*case)
    same(mass_product(tree, tau), M @ tau)
    for k, block in zip(tree.bodies, composite_blocks(tree), strict=True):
        same(block, M[np.ix_(k.speeds, k.speeds)])
        same(composite_preconditioner(tree)[np.ix_(k.speeds, k.speeds)], block)
    assert np.count_nonzero(composite_preconditioner(tree)) < np.count_nonzero(M)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.paper("004", "31")
def test_accelerations_by_conjugate_gradients(case: tuple[str, int]) -> None:
    """With either preconditioner; the error in the norm of 𝓜 falls as the condition number of B⁻¹ 𝓜 promises."""
    tree, M, tau, u_dot = solved(*case)
    plain = conjugate_gradient_forward_dynamics(tree, tau, preconditioner=None)
    conditioned = conjugate_gradient_forward_dynamics(tree, tau)
    same(plain.chi_dot, u_dot, 1e-10)
    same(conditioned.chi_dot, u_dot, 1e-10)
    assert conditioned.iterations < 0.7 * plain.iterations
    B = composite_preconditioner(tree)
    w = scipy.linalg.eigh(M, B, eigvals_only=True)
    kappa = w[-1] / w[0]
    assert kappa < 0.02 * np.linalg.cond(M)
    rate = (np.sqrt(kappa) - 1) / (np.sqrt(kappa) + 1)
    for count in (3, 6, 9):
        tolerance = 1.01 * conditioned.residuals[count]
        x = conjugate_gradient_forward_dynamics(tree, tau, tolerance=tolerance)
        assert x.iterations <= count and x.residuals == conditioned.residuals[: x.iterations + 1]
        error = x.chi_dot - u_dot
        assert error @ M @ error <= (2 * rate**x.iterations) ** 2 * (u_dot @ M @ u_dot)


def test_iterations_of_rigid_trees_and_tip_forces() -> None:
    """Rigid bodies have no modes; one iteration is enough where the preconditioner is 𝓜."""
    s, on = fb.System("arm"), None
    for k in range(5):
        solid: dict[str, Any] = {"mass": 1.0, "com": (0.1, 0, -0.2), "inertia": (0.1, 0.2, 0.3)}
        on = s.body(f"link{k}", on=on, at=(0, 0, -0.5), joint=fb.Revolute("xyz"[k % 3]), **solid)
    o = s.derive().operators(np.linspace(0.1, 0.8, 5), np.linspace(-1, 1, 5))
    c = conjugate_gradient_forward_dynamics(FlexibleTree.of(o), np.arange(5.0))
    same(c.chi_dot, o.forward_dynamics(np.arange(5.0)), 1e-10)
    assert c.iterations <= 6
    s = fb.System("boom")
    boom = s.body("boom", joint=fb.Revolute("z"), flexible=fb.Beam(length=2.0, EI=(40.0, None), density=1.5), modes=3)
    s.body("ball", on=boom.node("tip"), mass=0.5)
    tree = FlexibleTree.of(s.derive().operators([0.3, 0.02, 0.0, 0.01]))
    T, tip = [1.0, 0, 0, 0], {"boom.tip": [0, 0, 0, 0, 2.0, 0]}
    c = conjugate_gradient_forward_dynamics(tree, T, tip)
    assert c.iterations == 1
    same(c.chi_dot, articulated_forward_dynamics(tree, T, tip), 1e-9)


def test_refusals() -> None:
    tree, _, tau, _ = solved("full", 0)
    with pytest.raises(ArgumentError, match="preconditioner must be 'composite' or None, not 'jacobi'"):
        conjugate_gradient_forward_dynamics(tree, tau, preconditioner="jacobi")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="tolerance must be between 0 and 1, not 2"):
        conjugate_gradient_forward_dynamics(tree, tau, tolerance=2)
    with pytest.raises(
        SimulationError, match=r"not reached tolerance=1e-12 after 5 iterations; the residual is .*most="
    ):
        conjugate_gradient_forward_dynamics(tree, tau, most=5)
    s = fb.System("still")
    s.body("point", joint=fb.Revolute("z"), mass=1.0)
    with pytest.raises(ArgumentError, match="have speeds without inertia, so that the preconditioner is singular; use"):
        conjugate_gradient_forward_dynamics(FlexibleTree.of(s.derive().operators([0.0])), [1.0])
