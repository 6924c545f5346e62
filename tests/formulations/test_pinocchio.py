"""Kane's equations compared with Pinocchio on random trees of the joints that both have."""

from dataclasses import replace

import numpy as np
import pytest

from tests.mechanisms.build_system import system
from tests.mechanisms.newton_euler_reference import turned
from tests.mechanisms.numeric_equations import Equations, error
from tests.mechanisms.random_trees import Hinge, State, Tree, rodrigues, state, tree, unit

pin = pytest.importorskip("pinocchio", reason="the referee Pinocchio is not installed (pip install pin)")

AGREE = 1e-12  # relative; measured: below 1e-14
JOINTS = ("revolute", "prismatic", "spherical", "free")


def drawn(seed: int) -> Tree:
    """A tree of common joints with quaternions and without loads."""
    made = tree(seed, bodies=3 + seed % 4, extras=False, kinds=JOINTS)
    twigs = tuple(replace(t, hinge=replace(t.hinge, word=None)) for t in made.twigs)
    return replace(made, twigs=twigs, gravity=(1.0, 2.0, -9.0))


def depth_first(made: Tree, parent: int = -1) -> list[int]:
    """The order that Pinocchio requires: each subtree contiguous."""
    children = [i for i, twig in enumerate(made.twigs) if twig.parent == parent]
    return [k for i in children for k in (i, *depth_first(made, i))]


def model(made: Tree) -> "pin.Model":
    """The tree as a Pinocchio model."""
    m, known = pin.Model(), {-1: 0}
    m.gravity = pin.Motion(np.array(made.gravity), np.zeros(3))
    for i in depth_first(made):
        twig = made.twigs[i]
        at = pin.SE3(turned(twig.turns), np.array(twig.at))
        known[i] = m.addJoint(known[twig.parent], _joint(twig.hinge), at, f"b{i}")
        m.appendBodyToJoint(known[i], pin.Inertia(twig.mass, np.array(twig.com), twig.inertia), pin.SE3.Identity())
    return m


def _joint(h: Hinge) -> object:
    match h.kind:
        case "revolute":
            return pin.JointModelRevoluteUnaligned(unit(h.axes[0]))
        case "prismatic":
            return pin.JointModelPrismaticUnaligned(unit(h.axes[0]))
        case "spherical":
            return pin.JointModelSpherical()
    return pin.JointModelFreeFlyer()


PLACES = {  # which of our joint's coordinates and speeds stand at each place of Pinocchio's
    "revolute": ([0], [0]), "prismatic": ([0], [0]), "spherical": ([1, 2, 3, 0], [0, 1, 2]),
    "free": ([0, 1, 2, 4, 5, 6, 3], [3, 4, 5, 0, 1, 2]),
}  # fmt: skip


def layout(made: Tree) -> tuple[list[int], list[int]]:
    """The layout of the whole tree: quaternions are (x, y, z, w), velocities (linear, angular)."""
    sizes = np.array([twig.hinge.sizes for twig in made.twigs])
    start = np.cumsum(sizes, axis=0) - sizes
    places = [(start[i], PLACES[made.twigs[i].hinge.kind]) for i in depth_first(made)]
    q, u = ([int(s[w]) + k for s, own in places for k in own[w]] for w in (0, 1))
    return q, u


@pytest.mark.parametrize("seed", range(24))
def test_dynamics_match_pinocchio(seed: int) -> None:
    made = drawn(seed)
    s, m = state(made), model(made)
    got, data = Equations(system(made))(s), m.createData()
    iq, iu = layout(made)
    q, v = s.q[iq], s.u[iu]
    M = pin.crba(m, data, q)
    M = np.triu(M) + np.triu(M, 1).T
    assert error(got.M[np.ix_(iu, iu)], M) < AGREE
    assert error(-got.f[iu], pin.nonLinearEffects(m, data, q, v)) < AGREE
    tolerance = AGREE * max(1.0, np.linalg.cond(M) / 1e3)
    assert error(got.u_dot[iu], pin.aba(m, data, q, v, np.zeros(len(v)))) < tolerance


def test_coordinate_rates_match_pinocchio() -> None:
    """Pinocchio's integrate() along our speeds gives our q̇ to the order of the step."""
    made = drawn(3)
    s, m, h = state(made), model(made), 1e-6
    iq, iu = layout(made)
    ahead, behind = (pin.integrate(m, s.q[iq], k * h * s.u[iu]) for k in (1, -1))
    assert error((ahead - behind) / (2 * h), Equations(system(made))(s).q_dot[iq]) < 1e-8


def test_trees_contain_all_joints_and_rotations_match_pinocchio() -> None:
    """The trees contain all four joints, and the rotation formulas match Pinocchio's exponential."""
    assert set.union(*(drawn(seed).kinds() for seed in range(24))) == set(JOINTS)
    assert isinstance(state(drawn(0)), State)
    axis = unit((1.0, 2.0, 3.0))
    assert error(rodrigues(axis, 0.7), pin.exp3(0.7 * axis)) < AGREE
