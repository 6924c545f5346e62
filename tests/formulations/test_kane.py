"""Kane's equations satisfy general laws on random trees over every joint."""

import inspect
import sys
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest

from freebody.errors import ModelError
from freebody.formulations.kane import Kane
from freebody.model.builder import ModelBuilder
from freebody.model.joints import (
    JOINTS,
    BuildingBlock,
    Cylindrical,
    Free,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    Universal,
)  # fmt: skip
from freebody.tree.tree import span
from tests.mechanisms.build_system import system
from tests.mechanisms.newton_euler_reference import Place, Referee, hinge_place, split, still, turned
from tests.mechanisms.numeric_equations import Equations, Unmoved, error
from tests.mechanisms.pose_rates import pose_along
from tests.mechanisms.random_trees import Draw, Hinge, Push, State, Tree, Twig, loaded, rodrigues, state, tree
from tests.mechanisms.sampled import covering, sampled

ROUNDING = 1e-12  # relative to the largest entry; measured: below 1e-14
DIFFERENCES = 1e-9  # for numeric derivatives (fourth order, step 2e-4; measured: below 2e-10)
SEEDS = range(60)
FEW = covering(range(13))


@cache
def equations(seed: int) -> tuple[Tree, Equations]:
    made = tree(seed)
    return made, Equations(system(made))


# Comparison with the reference


@pytest.mark.parametrize("seed", sampled(SEEDS, 4))
def test_mass_matrix_and_forces_match_newton_euler(seed: int) -> None:
    made, eq = equations(seed)
    for k in range(2):
        s = state(made, k)
        got, referee = eq(s), Referee(made, s)
        assert error(got.M, referee.mass()) < ROUNDING
        assert error(got.f, referee.force()) < ROUNDING


@pytest.mark.parametrize("seed", covering(SEEDS[::4]))
def test_coordinate_rates_match_the_speeds(seed: int) -> None:
    """The rates of the poses along q̇ are those of the speeds."""
    made, eq = equations(seed)
    s = state(made)
    rates = pose_along(made, s, eq(s).q_dot)
    joints = split(made, s, s.u, np.zeros(len(s.u)))
    for twig, (q, u, a), (R_dot, p_dot) in zip(made.twigs, joints, rates, strict=True):
        if any(twig.hinge.motions):
            continue
        place = hinge_place(twig.hinge, q, u, a)
        assert error(place.R[1], R_dot) < ROUNDING
        assert error(place.p[1], p_dot) < ROUNDING


@pytest.mark.parametrize("seed", FEW)
def test_mass_matrix_is_positive_definite_and_gives_the_kinetic_energy(seed: int) -> None:
    made, eq = equations(seed)
    s = state(made)
    M = eq(s).M
    assert np.linalg.eigvalsh(M)[0] > 0
    if not any(twig.hinge.motions for twig in made.twigs):
        assert error(s.u @ M @ s.u / 2, Referee(made, s).kinetic()) < ROUNDING


@pytest.mark.parametrize("seed", FEW)
def test_accelerations_solve_the_equations(seed: int) -> None:
    made, eq = equations(seed)
    got = eq(state(made))
    assert np.linalg.norm(got.M @ got.u_dot - got.f) < ROUNDING * np.linalg.norm(got.M) * np.linalg.norm(got.u_dot)


def test_trees_contain_every_joint_and_load() -> None:
    made = [tree(seed) for seed in SEEDS]
    hinges = [twig.hinge for t in made for twig in t.twigs]
    assert set.union(*(t.kinds() for t in made)) == set(JOINTS)
    assert {h.kind for h in hinges if any(h.motions)} >= {"revolute", "prismatic", "screw", "planar", "universal"}
    assert {h.word for h in hinges if h.kind == "free"} >= {None, "123", "313"}
    assert any(len(h.axes) == 3 and h.kind == "building block" for h in hinges)
    assert any(h.reference for h in hinges) and any(h.stiffness for h in hinges) and any(h.armature for h in hinges)


# Invariances


@pytest.mark.parametrize("seed", FEW)
def test_moving_inertia_to_the_parent_changes_nothing(seed: int) -> None:
    """The alternative computation of the composites' diagonals also changes nothing."""
    made, eq = equations(seed)
    s = state(made)
    moved = eq(s)
    for way in (Unmoved, partial(Kane, by_trace=True)):
        other = Equations(system(made), way)(s)
        assert error(moved.M, other.M) < ROUNDING
        assert error(moved.f, other.f) < ROUNDING


@pytest.mark.parametrize("seed", FEW)
def test_gravity_is_a_weight_at_each_mass_centre(seed: int) -> None:
    made, eq = equations(seed)
    g = np.array(made.gravity)
    weights = tuple(Push(i, -1, tuple(map(float, twig.mass * g)), twig.com) for i, twig in enumerate(made.twigs))
    heavy = replace(made, gravity=(0.0, 0.0, 0.0), pushes=made.pushes + weights)
    s = state(made)
    assert error(eq(s).f, Equations(system(heavy))(s).f) < ROUNDING


@pytest.mark.parametrize("seed", FEW)
def test_equations_do_not_depend_on_the_ground_frame(seed: int) -> None:
    """The whole system is rotated and shifted in the ground, including gravity and fixed points."""
    made, eq = equations(seed)
    rng = np.random.default_rng(seed)
    turn, shift = (tuple(rng.normal(size=3)), 1.1), rng.normal(size=3)
    R = turned([turn])

    def there(v: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(map(float, R @ np.array(v)))

    def point(i: int, v: tuple[float, ...]) -> tuple[float, ...]:
        return v if i != -1 else tuple(map(float, R @ np.array(v) + shift))

    twigs = tuple(replace(b, at=point(-1, b.at), turns=(turn, *b.turns)) if b.parent == -1 else b for b in made.twigs)
    pushes = tuple(replace(p, vector=there(p.vector)) if p.along == -1 else p for p in made.pushes)
    coils = tuple(
        replace(c, points=tuple(point(i, p) for i, p in zip(c.ends, c.points, strict=True))) for c in made.coils
    )
    elsewhere = replace(made, twigs=twigs, pushes=pushes, coils=coils, gravity=there(made.gravity))
    s = state(made)
    here, far = eq(s), Equations(system(elsewhere))(s)
    assert error(here.M, far.M) < ROUNDING
    assert error(here.f, far.f) < ROUNDING


@pytest.mark.parametrize("seed", FEW)
def test_bodies_may_be_welded_from_parts(seed: int) -> None:
    """Each body's mass is attached through two welds with random orientation and shift: the same equations."""
    made, eq = equations(seed)
    rng = np.random.default_rng(seed)
    twigs: list[Twig] = []
    place: dict[int, int] = {-1: -1}
    for i, twig in enumerate(made.twigs):
        place[i] = len(twigs)
        twigs.append(replace(twig, parent=place[twig.parent], mass=0.0, com=(0.0, 0.0, 0.0), inertia=np.zeros((3, 3))))
        twigs += _welded(twig, place[i], rng)
    parts = replace(
        made,
        twigs=tuple(twigs),
        pushes=tuple(
            replace(
                p,
                on=place[p.on],
                along=place[p.along],
                scale=_of(p.scale, place),
                reaction=None if p.reaction is None else place[p.reaction],
            )
            for p in made.pushes
        ),
        coils=tuple(replace(c, ends=(place[c.ends[0]], place[c.ends[1]])) for c in made.coils),
        joint_forces=tuple(replace(e, on=place[e.on]) for e in made.joint_forces),
    )
    s = state(made)
    whole, pieced = eq(s), Equations(system(parts))(s)
    assert error(whole.M, pieced.M) < ROUNDING
    assert error(whole.f, pieced.f) < ROUNDING


def _of(scale, place):
    return scale if scale.of is None else replace(scale, of=(place[scale.of[0]], scale.of[1]))


def _welded(twig: Twig, parent: int, rng: np.random.Generator) -> list[Twig]:
    turns = [((tuple(map(float, rng.normal(size=3))), float(rng.uniform(-3, 3))),) for _ in range(2)]
    at = [tuple(map(float, rng.normal(size=3))) for _ in range(2)]
    place = still(turned(turns[0]), np.array(at[0])).then(still(turned(turns[1]), np.array(at[1])))
    R, p = place.R[0], place.p[0]
    com = tuple(map(float, R.T @ (np.array(twig.com) - p)))
    J = R.T @ twig.inertia @ R
    first = Twig(parent, Hinge("weld"), at[0], turns[0], 0.0, (0.0, 0.0, 0.0), np.zeros((3, 3)))
    return [first, Twig(parent + 1, Hinge("weld"), at[1], turns[1], twig.mass, com, (J + J.T) / 2)]


# Conservation laws


def advanced(made: Tree, s: State, h: float, q_dot: np.ndarray, u_dot: np.ndarray) -> State:
    """A state on a line along the motion, accurate to first order as a derivative requires."""
    return replace(s, t=s.t + h, q=s.q + h * q_dot, u=s.u + h * u_dot)


def rate(f, h: float = 2e-4) -> float:
    """f'(0) by fourth-order differences."""
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)


@pytest.mark.parametrize("seed", FEW)
def test_energy_changes_by_the_power_of_loads_and_drives(seed: int) -> None:
    """d/dt(T + V) = Σ power of loads without potential; the power of a drive is the force that its joint would need,
    times its rate."""
    made = tree(seed)
    s = state(made)
    got = equations(seed)[1](s)

    def energy(h: float) -> float:
        there = Referee(made, advanced(made, s, h, got.q_dot, got.u_dot))
        return there.kinetic() + there.potential()

    everyone = freed(made)
    whole, full = undriven(made, s, got.u_dot)
    referee = Referee(everyone, whole)
    needed = referee.mass() @ full - referee.force()
    power = needed @ whole.u + referee.applied(springs=False) @ whole.u
    assert error(rate(energy), power) < DIFFERENCES


def freed(made: Tree) -> Tree:
    """The same tree without prescribed motions."""
    return replace(made, twigs=tuple(replace(t, hinge=replace(t.hinge, motions=())) for t in made.twigs))


def undriven(made: Tree, s: State, u_dot: np.ndarray) -> tuple[State, np.ndarray]:
    """The state and accelerations of the freed tree that move like the driven one."""
    joints = split(made, s, s.u, u_dot)
    q, u, a = (np.concatenate([np.zeros(0), *(j[k] for j in joints)]) for k in range(3))
    return replace(s, q=q, u=u), a


@pytest.mark.parametrize("seed", FEW)
def test_floating_trees_conserve_momentum(seed: int) -> None:
    """With internal loads only, linear and angular momentum are constant."""
    draw = Draw(np.random.default_rng(seed), extras=False)
    bare = tree(seed, extras=False)
    root = draw.twig(-1, "free")
    hung = tuple(replace(t, parent=t.parent + 1, hinge=draw.with_options(t.hinge)) for t in bare.twigs)
    calm = tuple(replace(t, hinge=replace(t.hinge, armature=0.0)) for t in hung)
    made = loaded(replace(bare, twigs=(root, *calm), gravity=(0.0, 0.0, 0.0)), draw, internal=True)
    made = replace(made, joint_forces=tuple(e for e in made.joint_forces if e.on != 0))
    s = state(made)
    got = Equations(system(made))(s)
    P, L = Referee(made, s).momentum_rates(got.u_dot)
    scale = max(1.0, float(np.linalg.norm(got.f)), float(np.linalg.norm(got.M) * np.linalg.norm(got.u_dot)))
    assert np.linalg.norm(P) < ROUNDING * scale
    assert np.linalg.norm(L) < ROUNDING * scale


# Regressions and refused arguments

SOLID = {"mass": 1.0, "inertia": (1.0, 1.2, 1.5)}


def test_frames_with_equal_names_are_distinguished() -> None:
    """A custom frame 'b10' beside a body 'b10', which copies once confused."""
    block = Hinge("building block", (), (1,), reference=((0.3, 1.0, 2.0), (1.0, 0.0, 0.0)))
    hinges = [Hinge("revolute", ("x",)), block, *(Hinge("revolute", ("xyz"[i % 3],)) for i in range(9))]
    body = ((0.0, 0.3, 0.4), (), 1.0, (0.1, 0.2, 0.3), np.diag([1.0, 2.0, 2.5]))
    twigs = tuple(Twig(i - 1, h, *body) for i, h in enumerate(hinges))
    v = (1.0, 2.0, 3.0)
    made = Tree(3, twigs, pushes=(Push(10, 1, v, torque=True), Push(2, 10, v, v, 10)))
    s = state(made)
    assert error(Equations(system(made))(s).f, Referee(made, s).force()) < ROUNDING


def test_universal_joints_can_be_driven_about_either_axis() -> None:
    s = ModelBuilder()
    s.body("arm", joint=Universal(motion=(None, s.t**2)), **SOLID)
    assert span(s.freeze()).layout.u == ("arm.a1",)
    with pytest.raises(ModelError, match="2 coordinates"):
        ModelBuilder().body("arm", joint=Universal(motion=1), **SOLID)


def test_joint_forces_on_both_axes_of_a_universal_joint() -> None:
    s = ModelBuilder(gravity=(0, 0, 0))
    arm = s.body("arm", joint=Universal(), **SOLID)
    s.joint_force(arm, 3, "a1")
    s.joint_force(arm, 5, "a2")
    assert list(Equations(s)(State(0.0, np.zeros(2), np.zeros(2), 0.0, 0.0)).f) == [3, 5]


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.8, 0.0), (1.0, 2.0, 3.0)])
def test_axes_of_parameters_may_have_any_direction(axis: tuple[float, ...]) -> None:
    s = ModelBuilder()
    ax, ay, az = s.parameters(ax=axis[0], ay=axis[1], az=axis[2])
    s.body("wheel", joint=Revolute((ax, ay, az)), **SOLID)
    n = np.array(axis) / np.linalg.norm(axis)
    M = Equations(s)(State(0.0, np.ones(1), np.ones(1), 0.0, 0.0)).M
    assert error(M[0, 0], n @ np.diag(SOLID["inertia"]) @ n) < ROUNDING


def test_directions_may_be_arrays() -> None:
    s = ModelBuilder()
    s.body("wheel", joint=Revolute(np.array([1.0, 2.0, 2.0])), **SOLID)
    assert Equations(s).n == 1


def test_bodies_may_not_share_a_coordinate() -> None:
    s = ModelBuilder()
    s.body("a", joint=Planar(), **SOLID)
    with pytest.raises(ModelError, match=r"'a\.x' is already a coordinate"):
        s.body("a.x", joint=Prismatic("x"), **SOLID)


def test_loads_may_not_use_other_systems() -> None:
    s, other = ModelBuilder(), ModelBuilder()
    mine, theirs = (system.body("a", joint=Revolute(), **SOLID) for system in (s, other))
    with pytest.raises(ModelError, match="another system"):
        s.force(mine.x, at=theirs)
    with pytest.raises(ModelError, match="another system"):
        s.torque(theirs.x, on=mine)
    with pytest.raises(ModelError, match="another system"):
        s.spring(mine.origin, theirs.origin, 1)


@pytest.mark.parametrize(
    "build",
    [
        lambda q: Revolute((q, 1, 0)),
        lambda q: Screw("z", q),
        lambda q: Cylindrical(armature=q),
        lambda q: BuildingBlock(((1, q, 0),), (1,)),
    ],
    ids=["axis", "pitch", "armature", "translation"],
)
def test_geometry_and_inertia_of_a_joint_must_be_constant(build) -> None:
    s = ModelBuilder()
    a = s.body("a", joint=Revolute(), **SOLID)
    with pytest.raises(ModelError, match="parameters"):
        s.body("b", on=a, joint=build(a.q[0]), **SOLID)


@pytest.mark.parametrize("joint", [Spherical(stiffness=3), Free(stiffness=3), Spherical("123", stiffness=3)])
def test_joint_springs_need_speeds_that_are_rates(joint) -> None:
    s = ModelBuilder()
    with pytest.raises(ModelError, match="not the rates of"):
        s.body("a", joint=joint, **SOLID)
        Equations(s)


@pytest.mark.slow
def test_long_chains_need_no_deep_stack() -> None:
    """A spring at the tip needs all bodies at once; 100 nested calls suffice for 200 bodies."""
    s, tip = ModelBuilder(), None
    for i in range(200):
        tip = s.body(f"c{i}", on=tip, at=(0, 0, 1), joint=Revolute("xyz"[i % 3]), **SOLID)
    s.spring(s.ground.origin, tip.point((0, 0, 1)), stiffness=1, damping=1)
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(len(inspect.stack(0)) + 100)
        assert len(Kane(span(s.freeze())).force) == 200
    finally:
        sys.setrecursionlimit(limit)


def test_reference_composes_poses_like_matrices() -> None:
    """The reference implementation itself, for a product of two rotations."""
    a, b = rodrigues(np.array([0.0, 0, 1]), 0.3), rodrigues(np.array([1.0, 0, 0]), 0.4)
    place = still(a, np.array([1.0, 2, 3])).then(still(b, np.array([4.0, 5, 6])))
    assert isinstance(place, Place)
    assert error(place.R[0], a @ b) == 0 and error(place.p[0], np.array([1, 2, 3]) + a @ [4, 5, 6]) == 0
