"""Quantities compared with Pinocchio on random trees of the joints that both have. Pinocchio puts linear parts first
and has its own order of q and v; its LOCAL axes are those of the body, LOCAL_WORLD_ALIGNED those of the ground."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from freebody.api.compiled import Compiled
from tests.formulations.test_pinocchio import AGREE, drawn, layout, model
from tests.mechanisms.build_system import system
from tests.mechanisms.numeric_equations import error
from tests.mechanisms.quantity_cases import equations
from tests.mechanisms.random_trees import State, Tree, state

pin = pytest.importorskip("pinocchio", reason="the referee Pinocchio is not installed (pip install pin)")

TREES = pytest.mark.parametrize("seed", (0, 8, 9, 37))  # of up to ten speeds, all four joints among them
FRAMES = {"body": pin.LOCAL, "ground": pin.LOCAL_WORLD_ALIGNED}
SWAP = [3, 4, 5, 0, 1, 2]


@dataclass(frozen=True)
class Pair:
    """A tree in freebody and in Pinocchio at one state."""

    tree: Tree
    f: Compiled
    state: State
    u_dot: np.ndarray
    model: Any
    data: Any
    iq: list[int]
    iu: list[int]

    @property
    def there(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """q, v and v̇ (or tau) in Pinocchio's layout."""
        return self.state.q[self.iq], self.state.u[self.iu], self.u_dot[self.iu]

    def square(self, A: np.ndarray) -> np.ndarray:
        return A[np.ix_(self.iu, self.iu)]


@cache
def pair(seed: int) -> Pair:
    made = drawn(seed)
    s, m = state(made), model(made)
    u_dot = np.random.default_rng(seed).normal(size=len(s.u))
    return Pair(made, equations(system(made)).compile("numpy"), s, u_dot, m, m.createData(), *layout(made))


def full(A: np.ndarray) -> np.ndarray:
    return np.triu(A) + np.triu(A, 1).T


def slack(M: np.ndarray) -> float:
    return max(1.0, float(np.linalg.cond(M)) / 1e2)


@TREES
def test_jacobians_and_their_rates_match_pinocchio(seed: int) -> None:
    p, s = pair(seed), pair(seed).state
    q, v, a = p.there
    pin.computeJointJacobians(p.model, p.data, q)
    pin.computeJointJacobiansTimeVariation(p.model, p.data, q, v)
    pin.forwardKinematics(p.model, p.data, q, v, a)
    name = f"b{len(p.tree.twigs) - 1}"
    joint = p.model.getJointId(name)
    for frame, reference in FRAMES.items():
        J = pin.getJointJacobian(p.model, p.data, joint, reference)
        J_dot = pin.getJointJacobianTimeVariation(p.model, p.data, joint, reference)
        assert error(p.f.jacobian(s.q, name, frame=frame)[SWAP][:, p.iu], J) < AGREE
        assert error(p.f.jacobian_rate(s.q, s.u, name, frame=frame)[SWAP][:, p.iu], J_dot) < AGREE
        velocity = pin.getVelocity(p.model, p.data, joint, reference)
        assert error(p.f.spatial_velocity(s.q, s.u, name, frame=frame)[SWAP], velocity.vector) < AGREE
        classical = pin.getClassicalAcceleration(p.model, p.data, joint, reference)
        got = p.f.spatial_acceleration(s.q, s.u, p.u_dot, name, frame=frame)
        assert error(got[SWAP], classical.vector) < AGREE


@TREES
def test_inverses_and_operational_inertia_match_pinocchio(seed: int) -> None:
    p, s, (q, _, _) = pair(seed), pair(seed).state, pair(seed).there
    inverse = full(pin.computeMinverse(p.model, p.data, q))
    loose = AGREE * slack(inverse)
    assert error(p.square(p.f.mass_inverse(s.q)), inverse) < loose
    pin.computeJointJacobians(p.model, p.data, q)
    name = f"b{len(p.tree.twigs) - 1}"
    J = pin.getJointJacobian(p.model, p.data, p.model.getJointId(name), pin.LOCAL)
    got = p.f.operational_inertia(s.q, [name], frame="body")
    assert error(got[np.ix_(SWAP, SWAP)], J @ inverse @ J.T) < loose


@TREES
def test_mass_centre_and_centroidal_momentum_match_pinocchio(seed: int) -> None:
    p, s, (q, v, _) = pair(seed), pair(seed).state, pair(seed).there
    pin.ccrba(p.model, p.data, q, v)
    pin.centerOfMass(p.model, p.data, q, v)
    got = p.f.centroidal(s.q)
    assert error(got.matrix[SWAP][:, p.iu], p.data.Ag) < AGREE
    assert error(got.inertia, p.data.Ig.inertia) < AGREE
    assert error(p.f.centroidal_momentum(s.q, s.u)[SWAP], p.data.hg.vector) < AGREE
    assert error(p.f.centre_of_mass(s.q), p.data.com[0]) < AGREE
    assert error(p.f.centre_velocity(s.q, s.u), p.data.vcom[0]) < AGREE


@TREES
def test_coriolis_forces_match_pinocchio(seed: int) -> None:
    """C is not unique if speeds are not rates of coordinates; C u and C + Cᵀ are."""
    p, s, (q, v, _) = pair(seed), pair(seed).state, pair(seed).there
    C, theirs = p.square(p.f.coriolis(s.q, s.u)), pin.computeCoriolisMatrix(p.model, p.data, q, v)
    assert error(C @ v, theirs @ v) < AGREE
    assert error(C + C.T, theirs + theirs.T) < AGREE
    if p.tree.kinds() <= {"revolute", "prismatic"}:
        assert error(C, theirs) < AGREE


@TREES
def test_derivatives_of_inverse_dynamics_match_pinocchio(seed: int) -> None:
    p, s = pair(seed), pair(seed).state
    pin.computeRNEADerivatives(p.model, p.data, *p.there)
    got = p.f.inverse_derivatives(s.q, s.u, p.u_dot)
    for name, theirs in (("q", p.data.dtau_dq), ("u", p.data.dtau_dv), ("u_dot", full(p.data.M))):
        assert error(p.square(got[name]), theirs) < AGREE


@TREES
def test_derivatives_of_forward_dynamics_match_pinocchio(seed: int) -> None:
    p, s = pair(seed), pair(seed).state
    pin.computeABADerivatives(p.model, p.data, *p.there)
    got = p.f.forward_derivatives(s.q, s.u, p.u_dot)
    loose = AGREE * slack(full(p.data.Minv))
    for name, theirs in (("q", p.data.ddq_dq), ("u", p.data.ddq_dv), ("tau", full(p.data.Minv))):
        assert error(p.square(got[name]), theirs) < loose


@TREES
def test_regressors_match_pinocchio(seed: int) -> None:
    """Ten columns for each body in the same order; Pinocchio's bodies are in its order of joints."""
    p, s = pair(seed), pair(seed).state
    Y = pin.computeJointTorqueRegressor(p.model, p.data, *p.there)
    order = [p.model.getJointId(f"b{i}") - 1 for i in range(len(p.tree.twigs))]
    theirs = np.concatenate([Y[:, 10 * k : 10 * k + 10] for k in order], axis=1)
    assert error(p.f.regressor(s.q, s.u, p.u_dot)[p.iu], theirs) < AGREE
