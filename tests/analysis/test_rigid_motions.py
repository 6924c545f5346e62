"""Rigid motions are counted from the stiffness: displacements that nothing resists, however stiff the rest is."""

import pickle
from collections.abc import Callable

import numpy as np
import pytest

import freebody as fb
from freebody.analysis.manifold import nullity

pytestmark = pytest.mark.filterwarnings("ignore::freebody.errors.AnalysisWarning")  # points of a motion

Case = tuple[fb.System, int]


def stiffness(random: np.random.Generator) -> float:
    """Twelve decades."""
    return float(10 ** random.uniform(-3, 9))


def discs(random: np.random.Generator) -> Case:
    """Discs on one axis, with shafts between some of them and to the ground: one rigid motion for each group without a
    shaft to the ground."""
    n, s = int(random.integers(2, 7)), fb.System("discs", gravity=(0, 0, 0))
    inertias = 10 ** random.uniform(-3, 2, n)
    discs = [s.body(f"d{k}", joint=fb.Revolute("x"), mass=1, inertia=[J] * 3) for k, J in enumerate(inertias)]
    group = [*range(n), n]
    for a, b in random.integers(0, n + 1, (int(random.integers(0, 2 * n)), 2)).tolist():
        if a == b:
            continue
        k = stiffness(random)
        ends = [f"q.d{i} + {random.choice([0.0, 0.01])}*u.d{i}" if i < n else "0" for i in (a, b)]
        on, reaction = (discs[i] if i < n else s.ground for i in (a, b))
        s.torque(f"{k!r}*({ends[1]} - ({ends[0]}))", on=on, reaction=reaction, about=s.ground.x)
        group = [group[a] if g == group[b] else g for g in group]
    return s, len({*group}) - 1


def tree(random: np.random.Generator) -> Case:
    """A tree on the ground or floating: six rigid motions of the base, and one for each joint without a spring."""
    s, floating = fb.System("tree", gravity=(0, 0, 0)), bool(random.integers(2))
    bodies, rigid = [s.ground], 6 if floating else 0
    for k in range(int(random.integers(1, 6))):
        if floating and not k:
            joint, on = fb.Free(), s.ground
        else:
            spring = 0.0 if random.random() < 0.4 else stiffness(random)
            kind = fb.Revolute if random.random() < 0.5 else fb.Prismatic
            joint = kind(tuple(random.normal(size=3)), stiffness=spring)
            on = bodies[int(random.integers(floating, len(bodies)))]
            rigid += not spring
        pose = {"at": tuple(random.normal(size=3)), "com": tuple(0.1 * random.normal(size=3))}
        mass = float(10 ** random.uniform(-2, 2))
        bodies.append(s.body(f"b{k}", on=on, joint=joint, mass=mass, inertia=(0.3, 0.4, 0.5), **pose))
    return s, rigid


def four_bar(random: np.random.Generator) -> Case:
    """A closed loop on the ground or on a floating base: one rigid motion, unless a joint has a spring."""
    s, floating = fb.System("four-bar", gravity=(0, 0, 0)), bool(random.integers(2))
    base = s.body("base", joint=fb.Free(), mass=3, inertia=(1, 1, 1)) if floating else s.ground
    springs = [0.0 if random.random() < 0.7 else stiffness(random) for _ in range(4)]
    joints = [fb.Revolute("y", stiffness=k) for k in springs]
    bar = {"mass": 1, "inertia": (0.1, 0.1, 0.1)}
    left = s.body("left", on=base, joint=joints[0], com=(0, 0, 0.5), **bar)
    coupler = s.body("coupler", on=left, at=(0, 0, 1), joint=joints[1], com=(0.5, 0, 0), **bar)
    right = s.body("right", on=base, at=(1, 0, 0), joint=joints[2], com=(0, 0, 0.5), **bar)
    s.close(coupler.point((1, 0, 0)), right.point((0, 0, 1)), joints[3], name="pin")
    return s, 6 * floating + (not any(springs))


def check(make: Callable[[np.random.Generator], Case], seed: int) -> None:
    s, rigid = make(np.random.default_rng(seed))
    modes = s.linearize().modes()
    assert modes.rigid == rigid
    assert pickle.loads(pickle.dumps(modes)).rigid == rigid


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("make", [discs, tree, four_bar])
def test_rigid_motions_are_those_that_nothing_resists(make: Callable[[np.random.Generator], Case], seed: int) -> None:
    check(make, seed)


@pytest.mark.long
@pytest.mark.parametrize("make", [discs, tree, four_bar])
def test_rigid_motions_of_many_systems(make: Callable[[np.random.Generator], Case]) -> None:
    for seed in range(100, 200):
        check(make, seed)


@pytest.mark.parametrize("exponent", range(-6, 13, 3))
def test_two_discs_on_a_shaft_have_one_rigid_motion(exponent: int) -> None:
    s = fb.System("shaft", gravity=(0, 0, 0))
    one, two = (s.body(f"d{J}", joint=fb.Revolute("x"), mass=1, inertia=[J] * 3) for J in (3, 71))
    s.parameters(k=1.0)
    s.torque("k*(q.d71 - q.d3)", on=one, reaction=two, about=s.ground.x)
    for value in (1.0, 2.7, 3.3):
        assert s.linearize(parameters={"k": value * 10.0**exponent}).modes().rigid == 1


def test_rigid_motions_at_an_equilibrium_that_was_searched() -> None:
    """Two spherical joints: nothing resists a rotation about the vertical, and one of the lower body about it."""
    s = fb.System("pendulum")
    upper = s.body("upper", joint=fb.Spherical(), mass=1, com=(0.1, 0, -0.5), inertia=(0.1, 0.2, 0.3))
    lower = {"at": (0, 0, -1), "com": (0.2, 0.1, -0.5), "inertia": (0.1, 0.2, 0.3)}
    s.body("lower", on=upper, joint=fb.Spherical(), mass=1, **lower)
    assert s.linearize(at=s.equilibrium()).modes().rigid == 2


def test_extra_states_are_no_rigid_motions() -> None:
    s = fb.System("servo", gravity=(0, 0, 0))
    s.body("arm", joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    s.state("integral", rate="q.arm - 0.2")
    assert s.linearize().modes().rigid == 0  # the integral does not stay
    held = fb.System("free", gravity=(0, 0, 0))
    held.body("arm", joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    held.state("clock", rate="1")
    assert held.linearize().modes().rigid == 1


def test_a_null_space_of_graded_numbers() -> None:
    random = np.random.default_rng(2)
    for n in range(1, 8):
        springs = np.diag(10.0 ** random.uniform(-6, 6, n))
        B = np.eye(n, n + 1) - np.eye(n, n + 1, 1)
        K = B.T @ springs @ B
        assert nullity(K, 1e-15 * np.abs(B.T) @ springs @ np.abs(B)) == 1
    assert nullity(np.zeros((0, 3)), np.zeros((0, 3))) == 3 and nullity(np.zeros((2, 0)), np.zeros((2, 0))) == 0
