"""A cart with a chain of point masses: the accelerations match SymPy's KanesMethod."""

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics.models import n_link_pendulum_on_cart

import freebody as fb

CLOSE = 1e-10
"""Relative to the largest acceleration."""


def cart(masses: np.ndarray, lengths: np.ndarray) -> fb.System:
    """The cart slides along x; each link is a massless rod along its y with a mass at its end. Angles are relative."""
    s = fb.System("cart", gravity=(0, "-g", 0))
    s.parameters(g=9.81, **{f"m{k}": m for k, m in enumerate(masses)}, **{f"l{k}": l for k, l in enumerate(lengths)})
    on = s.body("cart", joint=fb.Prismatic("x"), mass="m0")
    for k in range(len(lengths)):
        at = (0, f"l{k - 1}", 0) if k else (0, 0, 0)
        hinge = fb.Revolute("z")
        on = s.body(f"link{k + 1}", on=on, at=at, joint=hinge, mass=f"m{k + 1}", com=(0, f"l{k}", 0))
    return s


def by_sympy(masses: np.ndarray, lengths: np.ndarray, q: np.ndarray, u: np.ndarray) -> np.ndarray:
    """u̇ at states (rows of q and u), angles from the vertical."""
    found = n_link_pendulum_on_cart(len(lengths), cart_force=False, joint_torques=False)
    numbers = {"g": 9.81, **{f"m{k}": m for k, m in enumerate(masses)}, **{f"l{k}": l for k, l in enumerate(lengths)}}
    known = {sympy.Symbol(name): value for name, value in numbers.items()}
    f = sympy.lambdify([[*found.q], [*found.u]], [found.mass_matrix.subs(known), found.forcing.subs(known)], cse=True)
    return np.array([np.linalg.solve(M, np.ravel(b)) for M, b in (f(*row) for row in zip(q, u, strict=True))])


def relative(x: np.ndarray) -> np.ndarray:
    """Angles from the vertical to angles from the previous link; the cart's position stays. Rates are converted
    alike."""
    return np.concatenate([x[:, :2], np.diff(x[:, 1:])], axis=1)


@pytest.mark.parametrize("n", [1, 2, 3, 4, *(pytest.param(n, marks=pytest.mark.long) for n in (5, 6))])
def test_accelerations_match_sympy(n: int) -> None:
    rng = np.random.default_rng(n)
    masses, lengths = rng.uniform(0.5, 2, n + 1), rng.uniform(0.3, 1, n)
    q, u = rng.uniform(-2, 2, (2, 5, n + 1))
    found = cart(masses, lengths).derive().compile().forward_dynamics(relative(q), relative(u))
    expected = relative(by_sympy(masses, lengths, q, u))
    assert np.abs(found - expected).max() <= CLOSE * np.abs(expected).max()
