"""A joint that closes a loop is the same joint as in the tree: a body on a joint, and the same body free in space and
closed to its parent by that joint, have the same accelerations, reactions, energies, coordinates and speeds."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.errors import FieldError, ModelError, ParseError
from tests.model.test_loop_closures import JOINTS

CLOSE = 1e-9
AT, ORIENT = (0.3, -0.1, 0.2), Rotation.from_euler("XYZ", (0.4, -0.7, 0.3)).as_matrix()
INERTIA = ((0.3, 0.02, 0.01), (0.02, 0.4, 0.03), (0.01, 0.03, 0.5))
PASSIVE = {"damping": 0.7, "friction": 0.4}
SPRING = {"stiffness": 3.0, "rest": 0.2}


def chain(joint: Any, closed: bool) -> fb.System:
    """Bodies a and b: b is on a by the joint, or free in space and closed to a."""
    s = fb.System("chain")
    a = s.body("a", joint=fb.Free("123"), mass=2.0, com=(0.1, 0, 0.2), inertia=INERTIA)
    options: dict[str, Any] = {"mass": 1.0, "com": (0.2, 0.1, -0.1), "inertia": INERTIA}
    if closed:
        b = s.body("b", joint=fb.Free(), **options)
        s.close(a.point(AT), b, joint, orient=ORIENT, name="loop")
    else:
        b = s.body("b", on=a, at=AT, orient=ORIENT, joint=joint, **options)
    for body in (a, b):
        for name, value in {
            "p": s.position(body.origin),
            "x": body.x,
            "y": body.y,
            "v": s.velocity(body.origin),
            "w": s.angular_velocity(body),
            "a": s.acceleration(body.origin),
            "alpha": s.angular_acceleration(body),
        }.items():
            s.output(f"{body.name}_{name}", value)
    name = "loop" if closed else "b"
    for group, suffixes in (("q", joint.coordinates), ("u", joint.speeds)):
        for suffix in suffixes:
            s.output(f"{group}_{suffix}", ".".join(part for part in (group, name, suffix) if part))
    return s


def state_of_tree(s: fb.System, joint: Any, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q and u of the tree, and the coordinates of b's joint."""
    rng, e = np.random.default_rng(seed), s.derive("kane")
    own = np.asarray(joint.sample(rng.uniform(-0.9, 0.9, len(joint.speeds))), float)
    if "qw" in joint.coordinates and own[joint.coordinates.index("qw")] < 0:
        own[joint.coordinates.index("qw") :] *= -1
    q = {f"b.{c}" if c else "b": x for c, x in zip(joint.coordinates, own, strict=True)}
    return (
        np.array([q.get(n, x) for n, x in zip(e.q, rng.uniform(-0.9, 0.9, 99), strict=False)]),
        rng.uniform(-1, 1, len(e.u)),
        own,
    )


def state_of_loop(q: np.ndarray, u: np.ndarray, at: dict) -> tuple[np.ndarray, np.ndarray]:
    """q and u of the closed system in which both bodies move as in the tree."""
    R = np.column_stack([at["b_x"], at["b_y"], np.cross(at["b_x"], at["b_y"])])
    x, y, z, w = Rotation.from_matrix(R).as_quat()
    return np.array([*q[:6], *at["b_p"], w, x, y, z]), np.array([*u[:6], *(R.T @ at["b_w"]), *(R.T @ at["b_v"])])


def with_options(joint: Any) -> Any:
    return replace(joint, **PASSIVE, **(SPRING if joint.rates else {}))


CASES = [(joint, ("kane", "aba")[k % 2]) for k, joint in enumerate(JOINTS.values())]


@pytest.mark.parametrize(("joint", "formulation"), CASES, ids=list(JOINTS))
def test_a_closing_joint_is_the_joint_of_the_tree(joint: Any, formulation: str) -> None:
    joint = with_options(joint)
    tree, loop = chain(joint, False), chain(joint, True)
    without = chain(replace(joint, damping=0, friction=0, stiffness=0), True)
    f, g, bare = (s.derive(formulation).compile("numpy") for s in (tree, loop, without))
    for seed in range(2):
        q, u, own = state_of_tree(tree, joint, seed)
        expected = f.outputs(q, u)
        q2, u2 = state_of_loop(q, u, expected)
        z = own if loop.freeze().states else []
        at = g.constraint(q2, u2, z=z)
        assert np.max(np.abs([*at["phi"], *(at["G"] @ u2)]), initial=0) <= CLOSE
        result = g.outputs(q2, u2, z=z)
        for name, value in expected.items():
            assert np.allclose(result[name], value, rtol=CLOSE, atol=CLOSE), name
        for name, value in f.energies(q, u).items():
            assert np.isclose(g.energies(q2, u2, z=z)[name], value, rtol=CLOSE, atol=CLOSE), name
        reactions = f.reactions(q, u, f.forward_dynamics(q, u))
        expected_wrench = [*reactions["b.torque"], *reactions["b.force"]]
        passive, multipliers = g.bias(q2, u2, z=z) - bare.bias(q2, u2, z=z), g.multipliers(q2, u2, z=z)
        wrench = (at["G"].T @ multipliers + passive)[6:]
        assert np.allclose(wrench, expected_wrench, rtol=CLOSE, atol=CLOSE)
        there = g.reactions(q2, u2, g.forward_dynamics(q2, u2, z=z), z=z, multipliers=multipliers)
        assert np.allclose([*there["loop.torque"], *there["loop.force"]], expected_wrench, rtol=CLOSE, atol=CLOSE)


LAW = "0.3 + 0.4*t + 0.5*t**2"
DRIVEN = {
    "revolute": (fb.Revolute((1, 2, -2), motion=LAW), 0),
    "prismatic": (fb.Prismatic("y", motion=LAW), 0),
    "cylindrical": (fb.Cylindrical("x", motion=(None, LAW)), 1),
    "universal": (fb.Universal("x", "y", motion=(None, LAW)), 1),
    "planar": (fb.Planar("y", motion=(None, None, LAW)), 2),
    "screw": (fb.Screw("z", 0.2, motion=LAW), 0),
    "compound": (fb.Compound(fb.Revolute("y"), fb.Revolute("x"), motion=(LAW, None)), 0),
}


@pytest.mark.parametrize(("joint", "k"), DRIVEN.values(), ids=list(DRIVEN))
def test_a_prescribed_motion_of_a_closing_joint(joint: Any, k: int) -> None:
    """The same motion as in the tree, and the multiplier is the force of the drive."""
    tree, loop, t = chain(joint, False), chain(joint, True), 0.7
    f, g = (s.derive("kane").compile("numpy") for s in (tree, loop))
    rng, names = np.random.default_rng(4), tree.derive("kane")
    q, u = rng.uniform(-0.9, 0.9, len(names.q)), rng.uniform(-1, 1, len(names.u))
    expected = f.outputs(q, u, t=t)
    own = [expected[f"q_{c}"] for c in joint.coordinates]
    q2, u2 = state_of_loop(q, u, expected)
    z = own if loop.freeze().states else []
    at, labels = g.constraint(q2, u2, t=t, z=z), loop.derive("kane").derivation.constraints.names
    assert np.max(np.abs(at["phi"])) <= CLOSE
    result = g.outputs(q2, u2, t=t, z=z)
    for name, value in expected.items():
        assert np.allclose(result[name], value, rtol=CLOSE, atol=CLOSE), name
    suffix = joint.coordinates[k]
    drive = g.multipliers(q2, u2, t=t, z=z)[labels.index(f"loop.motion.{suffix}" if suffix else "loop.motion")]
    reactions = f.reactions(q, u, f.forward_dynamics(q, u, t=t), t=t)
    assert np.isclose(drive, reactions["b.drive_force"][0], rtol=CLOSE, atol=CLOSE)


def nut(**options: Any) -> fb.System:
    """A nut that a spindle moves; the nut's own joint is free along the axis, so the screw closes a loop."""
    s = fb.System("spindle", gravity=(0, 0, 0))
    spindle = s.body("spindle", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 0.5))
    s.body("nut", joint=fb.Prismatic("z"), mass=3)
    s.close("nut", spindle, fb.Screw("z", 0.1, **options), name="thread")
    return s


def test_a_screw_counts_on_over_full_turns() -> None:
    s = nut(damping=0.05)
    run = s.simulate((0, 6), u={"spindle": 5.0, "nut": -0.5}, events=[fb.Event("q.thread - 20", name="far")])
    assert run["q.spindle"][-1] > 3 * 2 * np.pi
    assert np.allclose(run["q.thread"], run["q.spindle"], atol=1e-9)
    assert np.allclose(run["u.thread"], run["u.spindle"], atol=1e-9)
    assert np.allclose(run["q.nut"], -0.1 * run["q.spindle"], atol=1e-9)
    rate = 0.05 / (0.5 + 3 * 0.1**2)
    assert np.allclose(run["u.spindle"], 5 * np.exp(-rate * run.t), atol=1e-7)
    assert [name for _, name in run.events] == ["far"]


def test_the_first_angle_of_a_screw_belongs_to_its_displacement() -> None:
    s = fb.System("spindle")
    spindle = s.body("spindle", joint=fb.Revolute("z", initial=13.0), mass=1, inertia=(1, 1, 0.5))
    s.body("nut", joint=fb.Prismatic("z", initial=-1.3), mass=3)
    s.close("nut", spindle, fb.Screw("z", 0.1), name="thread")
    assert np.isclose(s.freeze().states["thread"].initial, 13.0)


def test_projection_and_assembly_move_the_coordinates_of_a_closing_joint() -> None:
    joint = JOINTS["custom with two"]
    s = chain(joint, True)
    e, rng = s.derive("aba"), np.random.default_rng(2)
    f = e.compile()
    tree = chain(joint, False)
    q, u, own = state_of_tree(tree, joint, 3)
    q2, u2 = state_of_loop(q, u, tree.derive("kane").compile().outputs(q, u))
    x = np.concatenate([q2, u2, own]) + 1e-3 * rng.normal(size=len(q2) + len(u2) + len(own))
    x[9:13] /= np.linalg.norm(x[9:13])
    for _ in range(4):
        x = f.project(0.0, x)
        x[9:13] /= np.linalg.norm(x[9:13])
    at = f.constraint(x[:13], x[13:25], z=x[25:])
    assert np.max(np.abs([*at["phi"], *(at["G"] @ x[13:25])])) <= 1e-12
    assert np.allclose(f.project(0.0, x), x, atol=1e-12)
    rough = q2 + 1e-3 * rng.normal(size=13)
    rough[9:] /= np.linalg.norm(rough[9:])
    q3, u3 = e.assemble(rough, u2)
    run = s.simulate((0, 0.5), q=q3, u=u3)
    for k in (0, -1):
        assert np.allclose(f.project(0.0, run.x[k]), run.x[k], atol=1e-9)
    assert np.allclose(run.x[0, 25:], own, atol=0.01) and np.max(np.abs(run.x[-1, 25:] - own)) > 0.1


def test_energy_and_work_of_the_springs_of_closing_joints() -> None:
    """A pendulum whose hinge closes the loop to a free body: the energy changes by the work of its damper."""
    s = fb.System("pendulum")
    bob = s.body("bob", joint=fb.Free("123"), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    s.close("ground", bob, fb.Revolute("y", stiffness=4.0, rest=0.3, damping=0.2, friction=0.1), name="hinge")
    run = s.simulate((0, 2), u={"bob.wy": 2.0})
    energy = run["energy.kinetic"] + run["energy.potential"]
    assert np.allclose(energy - energy[0], run["work.joints"], atol=1e-6)
    assert run["work.joints"][-1] < -0.1


@pytest.mark.parametrize(
    ("joint", "text"),
    [
        (fb.Revolute(armature=0.1), "cannot have an armature"),
        (fb.Revolute(limits=(-1, 1)), "limits of a joint that closes a loop are not checked"),
        (fb.Revolute(initial=0.2), "follow from those of the tree"),
        (
            fb.Spherical("123", motion=("t", None, None)),
            "a1, a2, a3 of a spherical joint are prescribed together or not",
        ),
        (fb.Compound(fb.Spherical("123"), motion=("t", 0, 0)), "with three rotations cannot be prescribed where it"),
        (fb.Revolute(motion="q.arm"), "may depend on t, numbers, parameters, inputs"),
        (fb.Compound(fb.Prismatic("x"), fb.Spherical()), "with a quaternion cannot close a loop"),
        (fb.Simple([[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]], holonomic=False), "more coordinates than speeds"),
        (fb.Compound(fb.Prismatic("x"), fb.Prismatic("x")), "must be independent at all its coordinates"),
        (fb.Custom(position=("s**2", 0, 0)), "must be independent at all its coordinates"),
    ],
)
def test_what_a_closing_joint_cannot_have_is_refused_by_name(joint: Any, text: str) -> None:
    s = fb.System()
    arm = s.body("arm", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    s.body("other", joint=fb.Free(), mass=1, inertia=(1, 1, 1))
    with pytest.raises(FieldError, match=text):
        s.close(arm, "other", joint, name="loop")
    assert "loop" not in s.constraints


def test_names_of_closing_joints() -> None:
    s = nut()
    with pytest.raises(ModelError, match="'thread' is the name of a constraint"):
        s.state("thread", 0)
    with pytest.raises(ModelError, match="'thread' cannot be small"):
        s.derive(small=["thread"])
    moving = s.bodies["nut"].point((fb.sin(s.scalar("q.thread", "x")), 0, 0))
    assert s.velocity(moving)
    with pytest.raises(ModelError, match=r"depends on u.thread, of a joint that closes a loop"):
        s.acceleration(moving)
    for joint, what in ((fb.Screw("z", 0.1), "of kind screw"), (fb.Spherical(damping=1), "with damping")):
        with pytest.raises(FieldError, match=f"a joint {what} cannot close a loop at a point that moves on its body"):
            s.close(moving, s.bodies["spindle"], joint, name="pin")
    s.close(moving, s.bodies["spindle"], fb.Spherical(), name="pin")
    with pytest.raises(ParseError, match=r"'u\.pin\.wx' is not declared"):
        s.output("rate", "u.pin.wx")
