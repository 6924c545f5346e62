"""Solvers in absolute coordinates: Eq 10 of Mufti (1983), every order of elimination on random trees of every joint,
every constraint, prescribed bodies and welds, rotors and couplings, counts, and what is refused."""

import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.formulations.derivation import Derivation
from freebody.formulations.entries import LIMIT
from freebody.formulations.solvers.absolute import AbsoluteEquations
from freebody.formulations.solvers.bodies import ANGULAR, LINEAR
from freebody.formulations.solvers.sparse import Sparse
from freebody.model.joints import JOINTS, Joint
from freebody.names import Q
from freebody.program.program import Solve
from freebody.tree.assembly import initial_coordinates, move
from freebody.tree.tree import span
from tests.formulations.test_random_loops import drawn, solve
from tests.mechanisms.flexible_bodies import flexible
from tests.mechanisms.random_loops import Mechanism, coupled, uncoupled
from tests.model.test_constraint_elements import ELEMENTS, branches
from tests.run.constrained_systems import SQUEEZER_END, SQUEEZER_NAMES, four_bar, squeezer

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import mechanisms

Array = np.ndarray
AGREE = 1e-9
NAMES = ("sparse", "hinge-forces", "mixed")
TREES = (1, 3, 4, 5, 9, 10)
GROUPS = 7
"""Constraints of every kind are tested in so many systems."""


def equations(s: fb.System, in_ground: bool = True) -> AbsoluteEquations:
    return AbsoluteEquations(Sparse(span(s.freeze(), staged=False)), in_ground, "test")


# Equation 10


def chain_of_balls() -> fb.System:
    """A free body and a tree of bodies on ball-and-socket joints."""
    s, rng = fb.System("balls"), np.random.default_rng(3)
    on: dict[str, str] = {"b1": "", "b2": "b1", "b3": "b1", "b4": "b2", "b5": "b2"}
    for name, parent in on.items():
        joint = fb.Spherical() if parent else fb.Free()
        s.body(
            name,
            on=parent or "ground",
            at=tuple(rng.normal(size=3)),
            joint=joint,
            mass=float(rng.uniform(1, 2)),
            com=tuple(rng.normal(size=3)),
            inertia=tuple(rng.uniform(1, 1.5, 3)),
        )
    return s


@pytest.mark.paper("001", "5")
def test_balls_and_sockets_have_the_matrix_and_right_side_of_equation_10() -> None:
    """J = diag(M, I), H = (C; L̃), u₂ and u₃ from poses and velocities, without the tree's algorithms."""
    s = chain_of_balls()
    e, f = equations(s), s.derive("kane").compile("numpy")
    spanned_tree, rng = e.tree, np.random.default_rng(1)
    q = move(spanned_tree, initial_coordinates(spanned_tree), rng.normal(size=18))
    u = rng.normal(size=18)
    graph, bodies = s.topology(), list(s.bodies)
    C = graph.incidence
    J, H, gyro, u3 = np.zeros((30, 30)), np.zeros((30, 12)), np.zeros(15), np.zeros(12)
    for i, name in enumerate(bodies):
        spec = s.freeze().bodies[name]
        R, p = f.pose(q, name)
        m, com, own = (
            np.array(f, float)
            for f in (numbers([spec.mass])[0], numbers(spec.com), [numbers(row) for row in spec.inertia])
        )
        w, inertia = f.spatial_velocity(q, u, name)[:3], R @ own @ R.T
        angular, linear = slice(6 * i, 6 * i + 3), slice(6 * i + 3, 6 * i + 6)
        J[linear, linear], J[angular, angular] = m * np.eye(3), inertia
        gyro[3 * i : 3 * i + 3] = -np.cross(w, inertia @ w)
        for j in np.flatnonzero(C[i]):
            rows = slice(3 * j, 3 * j + 3)
            hinge = f.pose(q, bodies[j + 1]).p  # the joint carries the body after the root
            arm = C[i, j] * (hinge - p - R @ com)
            H[linear, rows], H[angular, rows] = C[i, j] * np.eye(3), tilde(arm)
            u3[rows] += np.cross(w, np.cross(w, arm))
    known = dict(
        zip((*spanned_tree.layout.q_handles, *spanned_tree.layout.u_handles), map(float, (*q, *u)), strict=True)
    )
    e.samples.states = [known]
    own_J, own_H = np.zeros((30, 30)), np.zeros((30, 12))
    for (i, j), x in zip(e.inertia, e.samples.values(e.inertia.values())[0], strict=True):
        own_J[i, j] = own_J[j, i] = x
    for k, row in enumerate(e.rows):
        for j, x in zip(row.coefficients, e.samples.values(row.coefficients.values())[0], strict=True):
            own_H[j, k] = x
    gamma, force = (e.samples.values(x)[0] for x in ([row.gamma for row in e.rows], e.right(())[:30]))
    angular = [index for body in e.bodies.moving for index in body.indices(ANGULAR)]
    assert np.abs(own_J - J).max() < 1e-13
    assert np.abs(own_H + H).max() < 1e-13  # the multipliers of rows are forces on the outer body
    assert np.abs(gamma - u3).max() < 1e-12
    assert np.abs(force[angular] - gyro).max() < 1e-12


def numbers(expressions: Any) -> list[float]:
    return [float(str(x)) for x in expressions]


def tilde(r: Array) -> Array:
    x, y, z = r
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


# Laws


def check_every_order(m: Mechanism, tau: Array, expected: Array) -> None:
    """u̇ by each order of elimination, along both kinds of axes."""
    formulation = Sparse(span(m.system.freeze(), staged=False))
    derivation = Derivation(formulation)
    for in_ground in (True, False):
        e = AbsoluteEquations(formulation, in_ground, "test")
        for k, order in enumerate(Sparse.orders(e)):
            formulation.equations, formulation.factor = e, e.factor(order)
            u_dot = m.numbers(e.tree, formulation.forward(derivation.tau).u_dot, tau=tau)
            assert np.abs(u_dot - expected).max() < AGREE * max(1.0, np.abs(expected).max()), (in_ground, k)


@pytest.mark.paper("001", "31")
def test_every_order_gives_the_accelerations_of_trees_of_every_joint() -> None:
    kinds = set[str]()
    for seed in TREES:
        m = coupled(seed) if seed % 6 == 5 else uncoupled(seed)
        tau = np.random.default_rng(seed).normal(size=len(m.held["u"]))
        kinds |= {body.joint.kind for body in m.system.freeze().bodies.values()}
        check_every_order(m, tau, np.linalg.solve(m.tree["M"], m.tree["f"] + tau))
    assert kinds == set(JOINTS)


@pytest.mark.parametrize("seed", [2, 4])
def test_every_order_gives_the_accelerations_of_loops(seed: int) -> None:
    """With couplings, redundant rows and prescribed motions."""
    m = drawn(seed)
    tau = np.random.default_rng(seed).normal(size=len(m.held["u"]))
    check_every_order(m, tau, m.solution(tau))


@pytest.mark.parametrize("group", range(GROUPS))
def test_every_constraint_is_honoured(group: int) -> None:
    """u̇ and multipliers are those of Kane's equations; a body of prescribed motion is among the bodies."""
    s = branches()
    for name in list(ELEMENTS)[group::GROUPS]:
        ELEMENTS[name](s)
    spanned_tree, rng = span(s.freeze()), np.random.default_rng(5)
    n = len(spanned_tree.layout.u)
    q = move(spanned_tree, initial_coordinates(spanned_tree), rng.uniform(-0.5, 0.5, n))
    u, tau, z = *rng.normal(size=(2, n)), rng.uniform(0.2, 0.5, len(spanned_tree.layout.z))
    m = Mechanism(s, {"t": np.array([0.3]), "q": q, "u": u, "z": z, "inputs": np.zeros(0)})  # type: ignore[arg-type]
    expected, *found = (solve(m, s.derive(solver=name).derivation, tau) for name in ("tree", NAMES[group % 3]))
    for one, other in zip(expected, found[0], strict=True):
        assert np.abs(one - other).max() < AGREE * max(1.0, np.abs(one).max())


@pytest.mark.parametrize("name", NAMES)
def test_constraints_are_switched(name: str) -> None:
    """A pin, a rod and an equation of speeds, engaged and released, give the motion by solver 'tree'."""
    s = slider_crank(engaged=True)
    s.rod(s.ground.point((0, 0, 1)), s.bodies["rod"].point((0.3, 0, 0.1)), 1.1, name="rope", engaged=True)
    s.constrain("u.slider - sin(q.crank)*u.crank + q.slider*u.rod", name="gear", engaged=True)
    f, tree = (s.derive(solver=solver).compile("numpy") for solver in (name, "tree"))
    q, u, tau = np.random.default_rng(4).uniform(-1, 1, (3, 3))
    for flags in product((0.0, 1.0), repeat=3):
        if sum(flags) < 3:  # all four equations leave three bodies no freedom
            for quantity in ("forward_dynamics", "multipliers"):
                one, other = (getattr(context, quantity)(q, u, tau, inputs=list(flags)) for context in (f, tree))
                assert np.abs(one - other).max() < AGREE * max(1.0, np.abs(other).max()), flags


# Bodies as unknowns


def agrees(s: fb.System, *, t: float = 0.4) -> None:
    """All members give the accelerations of articulated bodies at a random state."""
    spanned_tree, rng = span(s.freeze()), np.random.default_rng(7)
    n = len(spanned_tree.layout.u)
    q = move(spanned_tree, initial_coordinates(spanned_tree), rng.uniform(-0.5, 0.5, n))
    u, tau = rng.normal(size=(2, n))
    expected = s.derive("aba").compile("numpy").forward_dynamics(q, u, tau, t)
    for name in NAMES:
        found = s.derive(solver=name).compile("numpy").forward_dynamics(q, u, tau, t)
        assert np.abs(found - expected).max() < AGREE * max(1.0, np.abs(expected).max()), name


def manipulator(platform: Joint) -> fb.System:
    """Two arms on a platform, with a tool welded to the second."""
    s = fb.System("manipulator")
    base = s.body("platform", joint=platform, at=(0, 0, 1), mass=5, inertia=(1, 2, 3))
    mast = s.body("mast", on=base, at=(0, 0.1, 0.5), mass=1, com=(0, 0, 0.2), inertia=(1, 1, 1))
    one = s.body("one", on=mast, at=(0, 0, 1), joint=fb.Revolute("y"), mass=2, com=(0.1, 0.2, 0.3), inertia=(1, 2, 2.5))
    two = s.body(
        "two", on=one, at=(1, 0, 0), joint=fb.Universal("x", "z"), mass=1, com=(0.4, 0, 0.1), inertia=(1, 1, 0.5)
    )
    s.body("tool", on=two, at=(0.7, 0.1, 0), mass=0.3, com=(0, 0.1, 0), inertia=(0.1, 0.1, 0.1))
    return s


def test_bodies_of_prescribed_motion_are_external() -> None:
    """Remark 3: the platform and the mast on it have no unknowns; welded bodies move as one."""
    s = manipulator(fb.Planar("z", motion=["0.3*sin(t)", "t**2", "0.2*t"]))
    heads = [body.head.name for body in equations(s).bodies.moving]
    assert heads == ["one", "two"]
    agrees(s)
    free = manipulator(fb.Planar("z"))
    assert [body.head.name for body in equations(free).bodies.moving] == ["platform", "one", "two"]
    agrees(free)


def test_a_prescribed_part_moves_on_its_body() -> None:
    """A turret that turns by a law of time on a free body, with a body hinged to it."""
    s = fb.System("turret")
    hull = s.body("hull", joint=fb.Free(), mass=5, com=(0.1, 0, 0.2), inertia=(1, 2, 2.5))
    turret = s.body(
        "turret",
        on=hull,
        at=(0.2, 0, 1),
        joint=fb.Revolute("z", motion="sin(2*t)"),
        mass=2,
        com=(0.3, 0.1, 0),
        inertia=(1, 1, 1.2),
    )
    s.body("gun", on=turret, at=(0.5, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0.6, 0, 0), inertia=(0.1, 1, 1))
    s.force(hull.vector((1, 2, "3*t")), turret.point((0.1, 0.2, 0.3)))
    assert [len(body.parts) for body in equations(s).bodies.moving] == [2, 1]
    agrees(s)


def test_components_in_which_a_body_cannot_move_are_no_unknowns() -> None:
    """A planar body has three; one on a fixed axis has its angular acceleration; in three dimensions there are six."""
    e = equations(squeezer())
    sizes = {body.head.name: (len(body.indices(ANGULAR)), len(body.indices(LINEAR))) for body in e.bodies.moving}
    assert sizes == {"k1": (1, 0), "k2": (1, 2), "k3": (1, 0), "k5": (1, 0), "k4": (1, 2), "k7": (1, 0), "k6": (1, 2)}
    assert len(e.rows) == 12  # two for each pin that does not lie on the ground, and for each loop
    arms = equations(manipulator(fb.Free())).bodies.moving
    assert [len(body.unknowns) for body in arms] == [6, 6, 6]


def test_rotors_and_couplings() -> None:
    """Rotors on joints, also coupled ones and with a parameter that is zero."""
    s = fb.System("geared")
    s.parameter("rotor", 0.0)
    one = s.body("one", joint=fb.Revolute("y", armature=0.3, damping=0.2), mass=1, com=(0.2, 0, 0.1), inertia=(1, 1, 1))
    two = s.body(
        "two",
        on=one,
        at=(1, 0, 0),
        joint=fb.Revolute("x", armature="rotor", stiffness=3),
        mass=1,
        com=(0, 0.3, 0),
        inertia=(0.5, 0.6, 0.7),
    )
    three = s.body(
        "three", on=two, at=(0, 1, 0), joint=fb.Prismatic((1, 0, 1), armature=0.2), mass=1, inertia=(0.5, 0.6, 0.7)
    )
    s.couple(three, one, -1.7)
    s.body("four", on=three, joint=fb.Universal("x", "y", armature=0.1), mass=0.5, com=(0, 0, 0.4), inertia=(1, 1, 1))
    assert sum(row.diagonal is not None for row in equations(s).rows) == 4
    agrees(s)


@pytest.mark.paper("001", "31")
def test_many_bodies_are_solved_by_one_sparse_region() -> None:
    """Beyond the limit of programs without loops; with a rotor, and an equation that can be switched."""
    m = mechanisms.ring(LIMIT + 1, spatial=False)
    s = m.system()
    s.constrain(f"u.{next(iter(s.bodies))} - 0.3", name="brake", engaged=False)
    assert len(s.bodies) > LIMIT
    s.body("rotor", on=s.bodies["b1"], joint=fb.Revolute("y", armature=0.2), mass=1, inertia=(1, 2, 3))
    e = s.derive(solver="sparse", rolled=False)
    assert any(isinstance(region, Solve) for region in e.program("forward_dynamics").regions)
    f, tree = (equations.compile("numpy") for equations in (e, s.derive(solver="tree")))
    for flag in (0.0, 1.0):
        state = {"q": [*m.q, 0.1], "u": [*m.u, 0.2], "tau": [*m.tau, 0.3], "inputs": [flag]}
        for quantity in ("forward_dynamics", "multipliers"):
            one, other = (getattr(context, quantity)(**state) for context in (f, tree))
            assert np.abs(one - other).max() < AGREE * max(1.0, np.abs(other).max())


# Andrews' squeezer


@pytest.mark.parametrize("name", NAMES)
def test_andrews_squeezing_mechanism(name: str) -> None:
    """The IVP test set's solution at t = 0.03 s."""
    final = squeezer().derive(solver=name).simulate(0.03, rtol=1e-9, atol=1e-9).final
    for k, expected in zip(SQUEEZER_NAMES, SQUEEZER_END, strict=True):
        assert abs(final[Q(k)] - expected) < 1e-5, k


def slider_crank(engaged: bool | None = None) -> fb.System:
    s = fb.System("slider-crank")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0.15, 0, 0), inertia=(0, 0.0075, 0.0075))
    rod = s.body(
        "rod", on=crank, at=(0.3, 0, 0), joint=fb.Revolute("y"), mass=2, com=(0.5, 0, 0), inertia=(0, 1 / 6, 1 / 6)
    )
    slider = s.body("slider", joint=fb.Prismatic("x"), mass=3)
    s.close(rod.point((1, 0, 0)), slider, fb.Revolute("y"), name="pin", engaged=engaged)
    return s


COUNTS = {
    "slider-crank": (slider_crank, (105, 110, 105)),
    "four-bar": (four_bar, (142, 150, 142)),
    "Andrews' squeezer": (squeezer, (547, 600, 547)),
}  # fmt: skip


@pytest.mark.parametrize("case", COUNTS.values(), ids=list(COUNTS))
def test_operations(case: tuple[Callable[[], fb.System], tuple[int, ...]]) -> None:
    """Of q̇ and u̇. ``sparse`` compares the orders of the others too, and has never more."""
    make, limits = case
    counts = [make().derive(solver=name).operations["state_dot"].total for name in NAMES]
    assert counts[0] <= min(counts)
    assert all(count <= limit for count, limit in zip(counts, limits, strict=True)), counts


@pytest.mark.parametrize("joint", [fb.Free(), fb.Revolute("y"), fb.Weld()], ids=lambda joint: joint.kind)
def test_bodies_with_speeds_of_their_own(joint: Joint) -> None:
    """The masses that move inside a body are further unknowns of the body, also of one that no joint moves."""
    s, rng = flexible(joint), np.random.default_rng(3)
    f = s.derive("kane").compile("numpy")
    q, u = 0.2 * rng.normal(size=len(f.equations.q)), rng.normal(size=len(f.equations.u))
    if joint.kind == "free":
        q[3:7] = 0.5
    expected = f.forward_dynamics(q, u)
    for name in NAMES:
        u_dot = s.derive(solver=name).compile("numpy").forward_dynamics(q, u)
        assert np.abs(u_dot - expected).max() <= 1e-11 * np.abs(expected).max(), name


# What is refused


def test_a_body_without_inertia_of_its_own() -> None:
    """A point mass on an arm has none against its angular acceleration. Members that eliminate the acceleration of its
    mass centre and the forces on it first accept it."""
    s = fb.System("pendulum")
    one = s.body("one", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    s.body("two", on=one, at=(0, 0, -1), joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    q, u = np.array([[0.3, 0.5], [1.0, -2.0]])
    expected = s.derive("kane").compile("numpy").forward_dynamics(q, u)
    for name in ("sparse", "mixed"):
        assert np.allclose(s.derive(solver=name).compile("numpy").forward_dynamics(q, u), expected, rtol=1e-12)
    with pytest.raises(ModelError, match=r"solver 'hinge-forces': the inertia of 'two' alone is singular.*'tree'"):
        s.derive(solver="hinge-forces")


def test_joints_whose_columns_become_dependent_are_refused() -> None:
    s = fb.System("twice")
    twice = fb.Compound(fb.Revolute("z"), fb.Revolute("z"), armature=1)
    s.body("b", joint=twice, mass=1, inertia=(1, 1, 1))
    with pytest.raises(ModelError, match="the 2 speeds of the joint of 'b' are not independent"):
        s.derive(solver="sparse")
