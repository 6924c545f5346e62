"""Laws of the solvers in rotations of bodies, `barycentric`, `relative` and `tree` of "gauss" (Mufti 1983): on random
trees of rotations about points with loops, prescribed motions, couplings, springs, rotors and loads they solve
the complete linear system; other joints are refused by name."""

from dataclasses import replace

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.formulations.table import SOLVERS
from freebody.model.joints import Joint
from freebody.tree.independence import omitted_rows
from tests.formulations.test_random_loops import AGREE, solve
from tests.formulations.test_solvers import chain
from tests.mechanisms import build_system, random_trees
from tests.mechanisms.random_loops import Mechanism, _close, _constrain, closing_kinds
from tests.mechanisms.sampled import sampled
from tests.run.constrained_systems import SQUEEZER_START, squeezer

MEMBERS = ("barycentric", "relative", "tree")
ROTATIONS = ("weld", "revolute", "universal", "spherical")
SEEDS = (2, 3, 4, 5, 6, 8, 9, 11, 13, 14, 21)
"""Loops closed by every kind of joint but weld, screw and custom, whose analysis takes long."""


def tree(seed: int, bodies: int = 4) -> random_trees.Tree:
    """A random tree of rotations with loads, and mostly several roots. Every other one has a free root; others are
    carried by a body that slides as prescribed."""
    drawn = random_trees.tree(seed, bodies=bodies, kinds=ROTATIONS)
    twigs = list(drawn.twigs)
    roots = [k for k, twig in enumerate(twigs) if twig.parent == random_trees.GROUND]
    if seed % 2:
        twigs[roots[0]] = replace(twigs[roots[0]], hinge=random_trees.Hinge("free", word=(None, "321")[seed // 2 % 2]))
    elif seed % 6 == 0:
        wave = random_trees.Wave(0.3, 1.2, 0.1, 0.4)
        twigs[roots[0]] = replace(twigs[roots[0]], hinge=random_trees.Hinge("prismatic", ("y",), motions=(wave,)))
    bare = replace(drawn, twigs=tuple(twigs), pushes=(), coils=(), joint_forces=())
    return random_trees.loaded(bare, random_trees.Draw(np.random.default_rng(seed + 99)))


def mechanism(seed: int) -> Mechanism:
    for attempt in range(20):
        some = tree(seed + 12 * attempt, bodies=3 + seed % 3)
        state, s = random_trees.state(some), build_system.Builder(some, fb.System).system
        held = {
            "t": np.array([state.t]),
            "q": state.q,
            "u": state.u,
            "z": np.array([state.z]),
            "inputs": np.array([state.motor]),
        }
        m, rng, kinds = Mechanism(s, held), np.random.default_rng(seed), closing_kinds()  # type: ignore[arg-type]
        if len(state.u) > 3 and _close(m, kinds[seed % len(kinds)], rng):
            if seed % 3 == 1:
                _constrain(m, rng)
            return m
    raise AssertionError(f"no mechanism for seed {seed}")


@pytest.mark.parametrize("seed", sampled(SEEDS, 2))
@pytest.mark.paper("001", "13", "21")
def test_solvers_in_rotations_solve_the_complete_linear_system(seed: int) -> None:
    m = mechanism(seed)
    tau = np.random.default_rng(seed).normal(size=len(m.held["u"]))
    M, f, G, expected = m.tree["M"], m.tree["f"], m.rows["G"], m.solution(tau)
    forces = M @ expected - f - tau
    kept = [k for k, key in enumerate(m.rows["keys"]) if key not in omitted_rows(m.system.freeze())]
    for name in MEMBERS:
        u_dot, multipliers = solve(m, m.system.derive("gauss", solver=name).derivation, tau)
        assert np.abs(u_dot - expected).max() < AGREE * max(1.0, np.abs(expected).max()), name
        assert np.abs(G[kept].T @ multipliers - forces).max() < AGREE * max(1.0, np.abs(forces).max()), name


def require_agreement(s: fb.System, q: np.ndarray, u: np.ndarray, members: tuple[str, ...] = MEMBERS) -> None:
    """u̇, multipliers and reactions of the members are those of Kane's equations."""
    tau = np.random.default_rng(5).normal(size=len(u))
    f = s.derive("kane").compile("numpy")
    u_dot, multipliers = f.forward_dynamics(q, u, tau), f.multipliers(q, u, tau) if s.constraints else None
    for name in members:
        g = s.derive("gauss", solver=name).compile("numpy")
        np.testing.assert_allclose(g.forward_dynamics(q, u, tau), u_dot, atol=AGREE * max(1, np.abs(u_dot).max()))
        if multipliers is not None:
            scale = max(1, np.abs(multipliers).max())
            np.testing.assert_allclose(g.multipliers(q, u, tau), multipliers, atol=AGREE * scale)
        reactions = g.reactions(q, u, u_dot, multipliers=multipliers) if s.constraints else g.reactions(q, u, u_dot)
        expected = f.reactions(q, u, u_dot, multipliers=multipliers) if s.constraints else f.reactions(q, u, u_dot)
        for key, value in expected.items():
            np.testing.assert_allclose(reactions[key], value, atol=1e-8)


def solid(k: int) -> dict[str, object]:
    return {"mass": 1.0 + k, "com": (0.1, 0.2 * k, -0.3), "inertia": ((2, 0.1, 0.2), (0.1, 3, 0.3), (0.2, 0.3, 4))}


@pytest.mark.parametrize("root", [fb.Free(), fb.Spherical("123"), fb.Revolute((1, 2, 3))])
def test_coupled_joints(root: Joint) -> None:
    """Along a branch and across branches, with springs and rotors at both; the speed is shared."""
    s, drag = fb.System("coupled"), {"stiffness": 2.0, "damping": 0.3, "armature": 0.4, "friction": 0.1}
    s.parameter("ratio", -1.3)
    s.body("base", joint=root, **solid(0))
    s.body("a", on="base", at=(0.3, 0.2, 0.1), joint=fb.Revolute("x", **drag), **solid(1))
    s.body("b", on="a", at=(0, 0.2, 0.5), joint=fb.Revolute("y", **drag), **solid(2))
    s.body("c", on="base", at=(0.3, -0.2, 0.1), joint=fb.Revolute((0, 1, 2), armature=0.2), **solid(3))
    s.couple("b", "a", "ratio", 0.2)
    s.couple("c", "a", 0.7)
    eq = s.derive()
    rng = np.random.default_rng(1)
    q, u = rng.normal(size=len(eq.q)), rng.normal(size=len(eq.u))
    q = np.where([n.startswith("base.q") for n in eq.q], 0.5, q)
    require_agreement(s, q, u)


def four_bar(**options: object) -> fb.System:
    """Of three bodies and a closing joint about parallel axes."""
    s, pin = fb.System("four-bar"), fb.Revolute("y", damping=0.1)
    inertia = (0.0, 0.02, 0.02)
    crank = s.body("crank", joint=pin, mass=1, com=(0.15, 0, 0), inertia=inertia)
    s.body("coupler", on=crank, at=(0.3, 0, 0), joint=pin, mass=2, com=(0.4, 0, 0), inertia=inertia)
    s.body("rocker", at=(0.7, 0, 0), joint=pin, mass=2, com=(0.3, 0, 0.1), inertia=inertia)
    s.close(
        s.bodies["coupler"].point((0.8, 0, 0)),
        s.bodies["rocker"].point((0.6, 0, 0)),
        fb.Revolute("y"),
        name="pin",
        **options,
    )
    return s


def test_planar_loops_keep_one_rotation_of_each_body() -> None:
    """Components that vanish are no unknowns, and their equations are left out: bodies need no other inertia."""
    s = four_bar()
    q, u = s.assemble([0.4, -0.9, -2], {"crank": 3}, hold=["crank"])
    require_agreement(s, q, u)
    for name in MEMBERS:
        formulation = s.derive("gauss", solver=name).derivation.formulation
        assert formulation.count == 3
    run = s.derive("gauss", solver="barycentric").simulate(1.0, q=q, u=u)
    assert run.drift is not None
    other = s.derive("aba").simulate(1.0, q=q, u=u)
    assert abs(run["q.crank"][-1] - other["q.crank"][-1]) < 1e-6


def test_the_squeezer_has_one_rotation_of_each_body() -> None:
    """Andrews' mechanism, three loops: seven bodies, seven unknowns."""
    s = squeezer()
    u = np.random.default_rng(3).normal(size=7)
    require_agreement(s, *s.assemble(SQUEEZER_START, u))
    for name in MEMBERS:
        equations = s.derive("gauss", solver=name)
        assert equations.derivation.formulation.count == 7
        assert equations.operations["forward_dynamics"].total < s.derive("kane").operations["forward_dynamics"].total


@pytest.mark.parametrize("engaged", [True, False])
def test_constraints_that_are_switched(engaged: bool) -> None:
    s = four_bar(engaged=engaged)
    closed = four_bar()
    require_agreement(s, *closed.assemble([0.4, -0.9, -2], {"crank": 3}, hold=["crank"]))


def test_bodies_that_are_carried_as_prescribed_need_no_inertia() -> None:
    """Remark 3: a platform with a prescribed motion carries two trees, which a rod connects."""
    s = fb.System("platform")
    s.body("rail", joint=fb.Prismatic("x", motion="0.3*sin(2*t)"))
    s.body("turntable", on="rail", joint=fb.Revolute("z", motion="t**2"))
    for k, at in enumerate(((0.5, 0, 0), (-0.5, 0, 0))):
        s.body(f"arm{k}", on="turntable", at=at, joint=fb.Universal("x", "y"), **solid(k))
        s.body(f"tip{k}", on=f"arm{k}", at=(0, 0, -1), joint=fb.Spherical(), **solid(k + 1))
    s.rod(s.bodies["tip0"].point((0, 0, -1)), s.bodies["tip1"].point((0, 0, -1)), 1.0)
    q, u = s.assemble({"arm0.a1": 0.1, "arm0.a2": 0.2}, {"arm0.a1": 0.4, "tip1.wz": 0.5})
    require_agreement(s, q, u)


@pytest.mark.parametrize("axis", [(1, 2, 2), (0.3, 0.5, 0.1), ("a", "b", 0.7)])
def test_parallel_pins_along_no_axis_of_a_frame(axis: object) -> None:
    """Rows that vanish but for rounding errors are left out; the joints are oriented by matrices that cancel."""
    s = fb.System("parallel")
    s.parameter("a", 0.4)
    s.parameter("b", 0.0)
    for k in range(4):
        on = f"arm{k - 1}" if k else "ground"
        s.body(f"arm{k}", on=on, at=(0.3, 0.1, -0.5), joint=fb.Revolute(axis), **solid(k))
    require_agreement(s, np.array([0.3, -0.4, 0.7, 1.1]), np.array([1.0, 2.0, -1.0, 0.5]))
    assert s.derive("gauss", solver="barycentric").derivation.formulation.count == 4


@pytest.mark.parametrize("axis", ["y", (1, 2, 2)])
def test_trees_that_move_in_a_plane(axis: object) -> None:
    """A root with two translations and a rotation, and pins about the same axis; a loop and a force to the ground."""
    s, pin = fb.System("walker"), fb.Revolute(axis, stiffness=1.0)
    s.body("trunk", joint=fb.Planar(axis), **solid(0))
    for k in range(4):
        s.body(f"leg{k}", on="trunk" if k % 2 == 0 else f"leg{k - 1}", at=(0.3, 0.1, -0.5 - k), joint=pin, **solid(k))
    s.force(s.ground.vector((1, 2, 3)), s.bodies["leg1"].point((0.1, 0.2, 0.3)))
    s.constrain("q.leg0 - q.leg2", name="knees")
    rng = np.random.default_rng(2)
    q, u = rng.normal(size=(2, 7))
    q[5], u[5] = q[3], u[3]
    require_agreement(s, q, u)
    assert s.derive("gauss", solver="barycentric").derivation.formulation.count == 7


def test_rotations_prescribed_inside_a_tree() -> None:
    """A body whose joint is driven, also along a slide, turns with its carrier; it may carry others."""
    s = fb.System("driven")
    s.body("base", joint=fb.Free(), **solid(0))
    s.body("wheel", on="base", at=(0.2, 0.1, 0), joint=fb.Revolute("z", motion="3*t"), **solid(1))
    s.body("boom", on="wheel", joint=fb.Prismatic("x", motion="0.5 + 0.1*t**2"), **solid(2))
    s.body("ball", on="boom", at=(0.1, 0, 0), joint=fb.Universal("x", "z", motion=(None, "sin(t)")), **solid(3))
    q, u = np.concatenate([np.arange(3.0), [0.5] * 4, [0.3]]), np.linspace(-1, 1, 7)
    require_agreement(s, q, u)


def test_rotations_that_joints_prevent_need_no_inertia() -> None:
    """A thin rod on joints about different axes can turn about itself in K, without inertia."""
    s = fb.System("thin rods")
    s.body("crane", joint=fb.Revolute("z"), **solid(0))
    s.body("boom", on="crane", joint=fb.Revolute("y"), mass=1, com=(1, 0, 0), inertia=fb.rod(1, 2, "x"))
    s.body("jib", on="boom", at=(2, 0, 0), joint=fb.Universal("y", "z"), mass=1, com=(1, 0, 0))
    require_agreement(s, np.array([0.3, 0.4, -0.7, 0.2]), np.array([1.0, 2.0, -1.0, 0.5]))


@pytest.mark.parametrize("name", ["barycentric", "tree"])
def test_rotations_without_inertia_are_refused(name: str) -> None:
    """No diagonal entry of K is zero, but K is singular along the line from the joint to the mass."""
    s = fb.System("bob")
    s.body("arm", joint=fb.Spherical(), **solid(0))
    s.body("bob", on="arm", at=(0, 0, -1), joint=fb.Spherical(), mass=1, com=(0.6, 0, -0.8))
    s.body("hook", on="arm", at=(0, 0, -1), joint=fb.Revolute("x"), **solid(1))
    with pytest.raises(ModelError, match=f"solver '{name}': .* and a rotation of 'bob' has none"):
        s.derive("gauss", solver=name)


@pytest.mark.paper("001", "28")
def test_flat_positions_are_passed() -> None:
    """A parallelogram, flat at the start: G has rank one there instead of two."""
    s, pin = fb.System("parallelogram"), fb.Revolute("y")
    for name, x in (("crank", 0), ("rocker", 2)):
        s.body(name, at=(x, 0, 0), joint=pin, mass=1, com=(0.5, 0, 0), inertia=fb.rod(1, 1, "x"))
    s.body("coupler", on="crank", at=(1, 0, 0), joint=pin, mass=2, com=(1, 0, 0), inertia=fb.rod(2, 2, "x"))
    s.close(s.bodies["coupler"].point((2, 0, 0)), s.bodies["rocker"].point((1, 0, 0)), pin)
    require_agreement(s, np.zeros(3), np.array([3.0, 3.0, -3.0]))
    for name in MEMBERS:
        run = s.derive("gauss", solver=name).simulate(1.0, q=[0, 0, 0], u=[6, 6, -6])
        assert run.energy_error < 1e-6 and np.abs(np.diff(np.sign(np.sin(run["q.crank"])))).max() == 2


def test_members_take_the_place_of_no_others() -> None:
    """`tree` has its home in articulated bodies, and the others derive equations of their own alone."""
    with pytest.raises(ModelError, match="solver 'tree' of 'gauss' is derived for up to 30 bodies"):
        chain(31).derive("gauss", solver="tree")
    assert SOLVERS["tree"].home == "aba" and {SOLVERS[n].home for n in ("barycentric", "relative")} == {"gauss"}
    s = four_bar()
    with pytest.raises(ModelError, match="solver 'relative' has equations of its own"):
        s.derive("kane", solver="relative")
