"""M⁻¹, operational-space inertia, Coriolis matrices and the mass centre compared with the reference and finite
differences."""

import numpy as np
import pytest

import freebody as fb
from examples.robots import ur5
from freebody.quantities import mass_inverse
from tests.mechanisms.numeric_equations import error
from tests.mechanisms.quantity_cases import DIFFERENCED, EXACT, SEEDS, Array, Case, case, slope


def slack(M: Array) -> float:
    """The factor by which solving with M loses accuracy as its condition grows."""
    return max(1.0, float(np.linalg.cond(M)) / 1e3)


@pytest.mark.parametrize("seed", SEEDS)
def test_solving_with_the_mass_matrix(seed: int) -> None:
    made, M = case(seed), case(seed).referee.mass()
    b = np.random.default_rng(seed).normal(size=len(M))
    assert error(made.f.mass_solve(made.state.q, b, **made.time), np.linalg.solve(M, b)) < EXACT * slack(M)
    assert error(made.f.mass_inverse(made.state.q, **made.time), np.linalg.inv(M)) < EXACT * slack(M)


@pytest.mark.parametrize("seed", SEEDS)
def test_operational_inertia_of_several_points(seed: int) -> None:
    """Also for points on different branches."""
    made, M = case(seed), case(seed).referee.mass()
    points = [(len(made.names) - 1, (0.1, -0.2, 0.3)), (0, (0, 0, 0))]
    places = [(made.names[-1], (0.1, -0.2, 0.3)), made.names[0]]
    J = np.vstack([part for i, at in points for part in made.referee.partials(i, made.bodies[i].point(at))])
    got = made.f.operational_inertia(made.state.q, places, **made.time)
    assert np.array_equal(got, got.T)
    assert error(got, J @ np.linalg.solve(M, J.T)) < EXACT * slack(M)


def test_large_systems_are_solved_by_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """If M⁻¹ would take more than a number of operations; here all systems are."""
    written = ur5.system().derive().compile("numpy")
    monkeypatch.setattr(mass_inverse, "LARGEST", 0)
    f, (q, u, tau) = ur5.system().derive().compile("numpy"), np.random.default_rng(0).normal(size=(3, 6))
    M = f.mass_matrix(q)
    names = "mass_inverse", "forward_derivatives"
    regions = {n: [type(r).__name__ for r in f.equations.program(n).regions] for n in names}
    assert regions["mass_inverse"].count("Solve") == 1 and regions["forward_derivatives"].count("Solve") == 4
    assert error(f.mass_inverse(q), np.linalg.inv(M)) < EXACT * slack(M)
    J = f.jacobian(q, "wrist_3")
    assert error(f.operational_inertia(q, ["wrist_3"]), J @ np.linalg.solve(M, J.T)) < EXACT * slack(M)
    for name, value in written.forward_derivatives(q, u, tau).items():
        assert error(f.forward_derivatives(q, u, tau)[name], value) < EXACT * slack(M)


# Coriolis


def rate_of_mass(made: Case) -> Array:
    """Ṁ along the motion."""
    s, f = made.state, made.f
    q_dot = f.q_dot(s.q, s.u, **made.time)
    return slope(lambda h: f.mass_matrix(s.q + h * q_dot, t=s.t + h))


@pytest.mark.parametrize("seed", SEEDS)
def test_coriolis_matrices_give_the_velocity_dependent_forces(seed: int) -> None:
    """C u + c₀ is the inertia force at u̇ = 0, without gravity and loads."""
    made, s = case(seed), case(seed).state
    needed = made.referee.applied() - made.referee.force(gravity=False)
    C, c = (g(s.q, s.u, **made.time) for g in (made.f.coriolis, made.f.coriolis_offset))
    assert error(C @ s.u + c, needed) < EXACT
    if not any(twig.hinge.motions for twig in made.tree.twigs):
        assert not c.any()


@pytest.mark.parametrize("seed", SEEDS)
def test_mass_rate_minus_twice_coriolis_is_skew(seed: int) -> None:
    """xᵀ(Ṁ − 2C)x = 0 for all x."""
    made, s = case(seed), case(seed).state
    C, M_dot = made.f.coriolis(s.q, s.u, **made.time), rate_of_mass(made)
    x = np.random.default_rng(seed).normal(size=len(s.u))
    size = max(1.0, float(np.abs(M_dot).max()), float(np.abs(C).max()))
    assert error(C + C.T, M_dot) < DIFFERENCED
    assert abs(x @ (M_dot - 2 * C) @ x) < DIFFERENCED * size * (x @ x)


def test_coriolis_matrices_match_christoffel_symbols() -> None:
    """If speeds are rates of coordinates: C_ij = Σ ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i) u_k."""
    s = fb.System("arm")
    on = s.ground
    for k, joint in enumerate((fb.Revolute("z"), fb.Cylindrical("x"), fb.Planar("y"), fb.Screw("z", 0.2))):
        on = s.body(f"b{k}", on=on, at=(0.3, 0, 0.2), joint=joint, mass=1, com=(0.1, 0.2, 0.3), inertia=(1, 2, 2.5))
    f = s.derive().compile("numpy")
    q, u = np.random.default_rng(1).normal(size=(2, 7))
    dM = np.array([slope(lambda h, e=e: f.mass_matrix(q + h * e)) for e in np.eye(7)])  # k, i, j
    C = (np.einsum("kij,k->ij", dM, u) + np.einsum("jik,k->ij", dM, u) - np.einsum("ijk,k->ij", dM, u)) / 2
    assert error(f.coriolis(q, u), C) < DIFFERENCED


# The mass centre


@pytest.mark.parametrize("seed", SEEDS)
def test_mass_centre_and_centroidal_momentum(seed: int) -> None:
    made, s, f = case(seed), case(seed).state, case(seed).f
    twigs, bodies = made.tree.twigs, made.bodies
    masses = np.array([t.mass for t in twigs])
    r = np.array([B.point(t.com) for t, B in zip(twigs, bodies, strict=True)])
    v = np.array([B.v + np.cross(B.w, B.R @ t.com) for t, B in zip(twigs, bodies, strict=True)])
    J = [B.R @ t.inertia @ B.R.T for t, B in zip(twigs, bodies, strict=True)]
    c = masses @ r / masses.sum()
    assert error(f.centre_of_mass(s.q, **made.time), c) < EXACT
    assert error(f.centre_velocity(s.q, s.u, **made.time), masses @ v / masses.sum()) < EXACT
    angular = sum(m * np.cross(x - c, w) for m, x, w in zip(masses, r, v, strict=True))
    angular = angular + sum(I @ B.w for I, B in zip(J, bodies, strict=True))
    momentum = f.centroidal_momentum(s.q, s.u, **made.time)
    assert error(momentum, np.r_[angular, masses @ v]) < EXACT
    got = f.centroidal(s.q, **made.time)
    offset = f.centroidal_momentum(s.q, np.zeros_like(s.u), **made.time)
    assert error(got.matrix @ s.u + offset, momentum) < EXACT
    locked = sum(I + m * (d @ d * np.eye(3) - np.outer(d, d)) for I, m, d in zip(J, masses, r - c, strict=True))
    assert error(got.inertia, locked) < EXACT
    assert abs(got.mass - masses.sum()) < EXACT * masses.sum() and error(got.centre, c) < EXACT
