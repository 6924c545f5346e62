"""Joints of several freedoms that move as prescribed are equal to compounds of joints of one freedom with the same
motion, in every formulation, by every solver, in loops over bodies, in runs, in the tree and where they close loops."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.errors import FieldError, FreebodyError
from freebody.formulations.table import FORMULATIONS, SOLVERS

EULER = ("0.4*sin(t) + 0.2", "0.3*t - 0.1", "0.5*cos(2*t)")
PLACE = ("0.3*sin(t)", "0.2*t*t", "0.1*cos(2*t)")
SOLID = {
    "mass": 1.3,
    "com": (0.1, 0.2, 0.5),
    "inertia": ((0.4, 0.01, 0.02), (0.01, 0.5, -0.03), (0.02, -0.03, 0.3)),
}
X, Y, Z = (fb.Revolute(axis) for axis in "xyz")
SX, SY, SZ = (fb.Prismatic(axis) for axis in "xyz")
T = 0.7


def quaternion(angles: tuple[str, ...] = EULER, scale: str = "(1 + 0.3*t)") -> list[str]:
    """Texts of the quaternion of rotations about x, y and z in sequence, of a length that changes."""
    a, b, c = ((f"cos(({x})/2)", f"sin(({x})/2)") for x in angles)
    return [
        f"{scale}*({a[0]}*{b[0]}*{c[0]} - {a[1]}*{b[1]}*{c[1]})",
        f"{scale}*({a[1]}*{b[0]}*{c[0]} + {a[0]}*{b[1]}*{c[1]})",
        f"{scale}*({a[0]}*{b[1]}*{c[0]} - {a[1]}*{b[0]}*{c[1]})",
        f"{scale}*({a[0]}*{b[0]}*{c[1]} + {a[1]}*{b[1]}*{c[0]})",
    ]


CASES: dict[str, tuple[Any, Any]] = {  # the joint, and a compound of one-freedom joints, the first nearest to the child
    "free quaternion": (
        fb.Free(motion=[*PLACE, *quaternion()]),
        fb.Compound(Z, Y, X, SZ, SY, SX, motion=[*EULER[::-1], *PLACE[::-1]]),
    ),
    "free angles": (
        fb.Free("123", motion=[*PLACE, *EULER]),
        fb.Compound(Z, Y, X, SZ, SY, SX, motion=[*EULER[::-1], *PLACE[::-1]]),
    ),
    "spherical quaternion": (fb.Spherical(motion=quaternion()), fb.Compound(Z, Y, X, motion=EULER[::-1])),
    "spherical angles": (fb.Spherical("313", motion=EULER), fb.Compound(Z, X, Z, motion=EULER[::-1])),
    "planar": (
        fb.Planar("z", motion=[*PLACE[:2], EULER[0]]),
        fb.Compound(Z, SY, SX, motion=[EULER[0], PLACE[1], PLACE[0]]),
    ),
    "universal": (fb.Universal("x", "y", motion=EULER[:2]), fb.Compound(Y, X, motion=EULER[1::-1])),
    "cylindrical": (fb.Cylindrical("y", motion=(EULER[0], PLACE[0])), fb.Compound(Y, SY, motion=(EULER[0], PLACE[0]))),
    "block": (
        fb.BuildingBlock(translations=("x",), rotations=(1, 2, 3), motion=(PLACE[0], *EULER)),
        fb.Compound(Z, Y, X, SX, motion=(*EULER[::-1], PLACE[0])),
    ),
    "compound": (
        fb.Compound(fb.Spherical("123"), SX, motion=(*EULER, PLACE[0])),
        fb.Compound(Z, Y, X, SX, motion=(*EULER[::-1], PLACE[0])),
    ),
}  # fmt: skip


def machine(joint: Any, loop: bool = False) -> fb.System:
    """An arm on a platform that moves as prescribed, on a body that moves freely."""
    s = fb.System("machine")
    bus = s.body("bus", joint=fb.Revolute((1, 2, 2)), **SOLID)
    platform = s.body("platform", on=bus, at=(0.2, -0.1, 0.3), orient=((1, 1, 0), 0.4), joint=joint, **SOLID)
    arm = s.body("arm", on=platform, at=(0.1, 0.2, 0.3), joint=fb.Spherical(), **SOLID)
    tip = s.body("tip", on=arm, at=(0, 0.3, 0.4), joint=fb.Revolute((0, 1, 2)), **SOLID)
    if loop:
        s.close(s.body("far", joint=fb.Free(), **SOLID).point((0.1, 0, 0)), tip.point((0.2, 0.1, 0)), fb.Spherical())
    s.output("force", s.reaction_force(platform))
    s.output("torque", s.reaction_torque(platform))
    return s


def state(eq: Any) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    q, u = rng.normal(size=len(eq.q)), rng.normal(size=len(eq.u))
    for k in (k for k, name in enumerate(eq.q) if name.endswith(".qw")):
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q, u


@pytest.mark.paper("001", "18")
@pytest.mark.parametrize(
    ("case", "loop"), [*((case, False) for case in CASES), ("free quaternion", True), ("spherical angles", True)]
)
def test_every_formulation_and_solver_agrees_with_a_compound(case: str, loop: bool) -> None:
    """u̇, the pose of the platform, the reaction on it, and the power of its drives."""
    one, other = (machine(joint, loop) for joint in CASES[case])
    reference = other.derive("kane")
    q, u = state(reference)
    expected = reference.compile("numpy").forward_dynamics(q, u, t=T)
    ways: list[dict[str, str]] = [{"solver": name} for name in SOLVERS]
    ways += [{"formulation": name} for name in FORMULATIONS]
    eq = one.derive("kane")
    assert eq.q == reference.q
    compiled, theirs = eq.compile("numpy"), reference.compile("numpy")
    for name in ("platform", "tip"):
        for mine, their in zip(compiled.pose(q, name, T), theirs.pose(q, name, T), strict=True):
            assert np.allclose(mine, their, atol=1e-12)
    force = {"multipliers": theirs.multipliers(q, u, t=T)} if loop else {}
    reactions = [f.reactions(q, u, expected, t=T, **force) for f in (compiled, theirs)]
    for part in ("platform.force", "platform.torque", "arm.force"):
        assert np.allclose(*(each[part] for each in reactions))
    tried = 0
    for way in ways:
        try:
            f = one.derive(**way).compile("numpy")
            u_dot = f.forward_dynamics(q, u, t=T)
        except FreebodyError as error:  # what a method does not do for a compound either
            with pytest.raises(type(error)):
                other.derive(**way).compile("numpy").forward_dynamics(q, u, t=T)
            continue
        assert np.allclose(u_dot, expected, rtol=1e-9, atol=1e-9), way
        tried += 1
    assert tried >= 5


@pytest.mark.parametrize("case", CASES)
def test_drive_forces_on_the_joint_left_free_give_the_prescribed_motion(case: str) -> None:
    """u̇ of the free joint at the prescribed q and u, under tau = the drive forces, is the prescribed one."""
    joint = CASES[case][0]
    options = {name: value for name, value in vars(joint).items() if name != "motion"}
    free = type(joint)(
        *options.pop("parts", ()), **{k: v for k, v in options.items() if k not in ("coordinates", "speeds")}
    )
    driven, left = machine(joint), machine(free)
    f, g = driven.derive("kane").compile("numpy"), left.derive("kane").compile("numpy")
    run = driven.simulate(
        [T, T + 0.1],
        q=dict(zip(f.equations.q, state(f.equations)[0].tolist(), strict=True)),
        u=dict(zip(f.equations.u, state(f.equations)[1].tolist(), strict=True)),
    )
    q = [float(run[f"q.{name}"][0]) for name in g.equations.q]
    u = [float(run[f"u.{name}"][0]) for name in g.equations.u]
    tau = [float(run[f"drive_force.{n}"][0]) if f"drive_force.{n}" in run else 0.0 for n in g.equations.u]
    assert sum(x != 0 for x in tau) == len(free.speeds)
    assert np.allclose(g.forward_dynamics(q, u, tau), [float(run[f"u_dot.{n}"][0]) for n in g.equations.u], atol=1e-9)
    power = sum(x * y for x, y in zip(tau, u, strict=True))
    assert float(run["power.drive.platform"][0]) == pytest.approx(power)


@pytest.mark.parametrize("case", CASES)
def test_loops_over_bodies_agree(case: str) -> None:
    """Chains with a prescribed joint in each third body, rolled and unrolled."""
    s, on = fb.System("chain"), None
    for k in range(6):
        joint = CASES[case][0] if k % 3 == 1 else fb.Revolute("xyz"[k % 3])
        on = s.body(f"b{k}", on=on or s.ground, at=(0, 0.1, 0.4), joint=joint, **SOLID)
    values = []
    for way in ({"formulation": "aba"}, {"solver": "sparse"}):
        for rolled in (False, True):
            f = s.derive(**way, rolled=rolled).compile("numpy")
            q, u = state(f.equations)
            values.append(f.forward_dynamics(q, u, t=T))
    assert np.ptp(values, axis=0).max() < 1e-9 * np.abs(values).max()


@pytest.mark.parametrize("case", CASES)
def test_runs_agree_and_keep_the_balance_of_energy(case: str) -> None:
    runs = [machine(joint).simulate(0.8, u={"tip": 0.3}, rtol=1e-9, atol=1e-11) for joint in CASES[case]]
    for key in ("bus", "tip", "arm.qx", "pose.platform", "power.drive.platform", "momentum.angular"):
        one, other = (run[key] for run in runs)
        assert np.abs(one - other).max() < 1e-6 * (1 + np.abs(other).max()), key
    assert all(run.energy_error < 1e-7 for run in runs)


CLOSING = ("free quaternion", "free angles", "spherical quaternion", "spherical angles", "universal", "planar")


@pytest.mark.parametrize("case", CLOSING)
def test_closing_joints_move_as_prescribed(case: str) -> None:
    """A body that a closing joint carries moves as one on that joint in the tree; the multipliers are the drive
    forces."""
    tree, loop = fb.System("tree"), fb.System("loop")
    joint = CASES[case][0]
    for s in (tree, loop):
        bus = s.body("bus", joint=fb.Revolute((1, 2, 2)), **SOLID)
        on, first = (bus, joint) if s is tree else (s.ground, fb.Free())
        at = (0.2, -0.1, 0.3) if s is tree else (0, 0, 0)
        platform = s.body("platform", on=on, at=at, joint=first, **SOLID)
        s.body("tip", on=platform, at=(0, 0.3, 0.4), joint=fb.Revolute((0, 1, 2)), **SOLID)
    loop.close(loop.bodies["bus"].point((0.2, -0.1, 0.3)), loop.bodies["platform"], joint, name="drive")
    one = tree.simulate(0.6, rtol=1e-9, atol=1e-11)
    x, y, z, *turn = one["pose.platform"][0].tolist()
    start = {"platform.x": x, "platform.y": y, "platform.z": z}
    start |= dict(zip([f"platform.{c}" for c in ("qw", "qx", "qy", "qz")], turn, strict=True))
    at = loop.derive().assemble(guess=start, q={"bus": 0.0, "tip": 0.0}, u={"bus": 0.0, "tip": 0.0})
    other = loop.simulate(0.6, q=at.q, u=at.u, rtol=1e-9, atol=1e-11)
    if case == "free quaternion":
        solved = [
            loop.derive(solver=name).compile("numpy").forward_dynamics(at.q, at.u)
            for name in SOLVERS
            if name != "penalty"
        ]
        assert np.ptp(solved, axis=0).max() < 1e-8 * np.abs(solved).max()
    for key in ("bus", "tip", "energy.kinetic"):
        assert np.abs(one[key] - other[key]).max() < 1e-5, key
    labels = [f"platform.{n}" for n in joint.speeds]
    for label, suffix in zip(labels, joint.speeds, strict=True):
        forces = one[f"drive_force.{label}"], other[f"multiplier.drive.motion.{suffix}"]
        assert np.abs(forces[0] - forces[1]).max() < 1e-4 * (1 + np.abs(forces[0]).max())


def test_tables_of_attitudes_keep_the_sign_of_quaternions(tmp_path: Any) -> None:
    """(times, rows): a row of all coordinates for each time; q and −q are one attitude."""
    times, rows = np.linspace(0, 2, 9), list[Any]()
    for k, t in enumerate(times):
        x, y, z, w = Rotation.from_rotvec([0.2 * t, 0.5 * t, -0.3 * t]).as_quat()
        rows.append([0.1 * t, 0, 0, *((-1) ** k * np.array([w, x, y, z]))])
    s = machine(fb.Free(motion=(times, rows)))
    run = s.simulate(2.0)
    w = np.column_stack([run[f"u.platform.w{c}"] for c in "xyz"])[len(run.t) // 2]
    assert np.abs(w - [0.2, 0.5, -0.3]).max() < 0.02
    assert np.linalg.norm([run[f"platform.q{c}"] for c in "wxyz"], axis=0) == pytest.approx(1)
    s.save(tmp_path / "m.yaml")
    assert np.array_equal(fb.load(tmp_path / "m.yaml").simulate(2.0)["tip"], run["tip"])


def test_two_tables_are_two_motions() -> None:
    curves = ([0, 1, 2], [0, 0.5, 0.2]), ([0, 1, 2], [0, 0.1, 0.4])
    s = fb.System("cross")
    s.body("cross", joint=fb.Universal(motion=curves), **SOLID)
    s.body("tip", on="cross", joint=fb.Revolute("z"), **SOLID)
    assert s.simulate([0, 1, 2])["cross.a2"] == pytest.approx([0, 0.1, 0.4])


def test_kinks_are_impulses_of_all_drives() -> None:
    """ΔT is the work of the impulses; a compound has the same jump."""
    kink = "0.3*t + 0.7*max(0, t - 0.5)"
    joints = (
        fb.Free("123", motion=(kink, 0, 0, "0.2*t", kink, 0)),
        fb.Compound(Z, Y, X, SZ, SY, SX, motion=(0, kink, "0.2*t", 0, 0, kink)),
    )
    runs = [machine(joint).simulate(1.0, u={"tip": 0.3}, rtol=1e-9, atol=1e-11) for joint in joints]
    assert all(len(run.events) == 1 for run in runs)
    assert np.abs(runs[0]["tip"] - runs[1]["tip"]).max() < 1e-6
    assert {f"motion.platform.{n}" for n in ("wx", "wy", "wz", "vx", "vy", "vz")} == set(runs[0].impulses)
    kinetic, supplied = (runs[0].sides[f"energy.{key}"].reshape(-1, 2) for key in ("kinetic", "supplied"))
    assert np.diff(supplied)[0] == pytest.approx(np.diff(kinetic)[0], rel=1e-9)
    assert abs(float(np.diff(kinetic)[0, 0])) > 1e-3


def test_linearisations_agree() -> None:
    one, other = (machine(joint).linearize(at={"q.tip": 0.2, "t": T}) for joint in CASES["free quaternion"])
    assert np.allclose(one.A, other.A, atol=1e-8)


def test_files_hold_prescribed_joints(tmp_path: Any) -> None:
    s = machine(CASES["free quaternion"][0])
    s.save(tmp_path / "m.yaml")
    again = fb.load(tmp_path / "m.yaml")
    assert again.derive("kane").compile("numpy").equations.q == s.derive("kane").q
    assert np.array_equal(again.simulate(0.3)["tip"], s.simulate(0.3)["tip"])


@pytest.mark.parametrize(
    ("joint", "text"),
    [
        (fb.Free(motion=("t", None, None, None, None, None, None)), "prescribed together or not at all"),
        (fb.Spherical(motion=("t", 0, 0, None)), "qw, qx, qy, qz of a spherical joint are prescribed together"),
        (fb.Spherical(motion=(0, 0, 0, 0)), "its quaternion is zero"),
    ],
)
def test_what_cannot_be_prescribed_is_refused_by_name(joint: Any, text: str) -> None:
    with pytest.raises(FreebodyError, match=text):
        fb.System("s").body("b", joint=joint, **SOLID)
    s = fb.System("s")
    s.body("b", joint=fb.Free(), **SOLID)
    with pytest.raises(FieldError, match=text):
        s.close(s.ground, s.bodies["b"], joint)
