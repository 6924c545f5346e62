"""Inverse kinematics against closed forms, scipy's optimisers and forward kinematics."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.errors import ArgumentError
from tests.analysis.closed_form_kinematics import delta, delta_angles, planar, planar_solution, tip, ur5_solutions

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "robots"))
import puma560
import stewart

ROBOTS = Path(__file__).parents[2] / "examples" / "robots"
TIGHT: dict[str, Any] = {"tolerance": 1e-13}


@pytest.fixture(scope="module")
def ur5() -> fb.System:
    return fb.load(ROBOTS / "ur5.urdf")


@pytest.fixture(scope="module")
def g1() -> fb.System:
    return fb.load(ROBOTS / "g1.urdf", floating=True)


HANDS_AND_FEET = ("left_hand", "right_hand", "left_ankle_roll_link", "right_ankle_roll_link")


def limits_of(s: fb.System) -> tuple[np.ndarray, np.ndarray]:
    """The limits of the coordinates, ±π where they are wider."""
    joints = {spec.names[0][0]: spec.joint.limits for b in s.bodies.values() if (spec := b.spec).joint.limits}
    pairs = [joints.get(name, (-np.pi, np.pi)) for name in s.derive().q]
    low, high = np.array(pairs, float).T
    return np.maximum(low, -np.pi), np.minimum(high, np.pi)


# Closed forms


@pytest.mark.parametrize("elbow", [1, -1])
def test_an_arm_of_two_bars(elbow: int) -> None:
    s, rng = planar(1.0, 0.7), np.random.default_rng(1)
    for _ in range(20):
        r, a = rng.uniform(0.5, 1.5), rng.uniform(-2, 2)
        x, y = r * np.cos(a), r * np.sin(a)
        exact = planar_solution(1.0, 0.7, x, y, elbow)
        result = s.inverse_kinematics({tip(s, 0.7): (x, y, 0)}, q=exact + rng.uniform(-0.2, 0.2, 2), **TIGHT)
        assert result.converged and np.abs(result.q - exact).max() < 1e-12


def test_a_ur5_takes_the_branch_of_its_guess(ur5: fb.System) -> None:
    f, rng, checked = ur5.derive().compile(), np.random.default_rng(2), 0
    for _ in range(12):
        R, p = f.pose(rng.uniform(-2, 2, 6), "tool0")
        for exact in ur5_solutions(R, p):
            s3, s5 = np.sin(exact[[2, 4]])
            if abs(exact[2]) > 3 or min(abs(s3), abs(s5)) < 0.2:  # beyond the limit of the elbow; nearly singular
                continue
            wrapped = (exact + np.pi) % (2 * np.pi) - np.pi
            result = ur5.inverse_kinematics({"tool0": (p, R)}, q=wrapped + rng.uniform(-0.02, 0.02, 6), **TIGHT)
            assert result.converged and np.abs(result.q - wrapped).max() < 1e-12
            checked += 1
    assert checked > 40


def test_leg_lengths_of_a_stewart_platform() -> None:
    s, rng = stewart.system(), np.random.default_rng(3)
    for _ in range(10):
        p, turn = np.add((0.1, 0, 1.2), rng.uniform(-0.2, 0.2, 3)), Rotation.from_rotvec(rng.uniform(-0.3, 0.3, 3))
        w, *v = turn.as_quat(scalar_first=True)
        result = s.inverse_kinematics({"platform": (p, (w, *v))}, **TIGHT)
        feet = np.array(stewart.FEET)
        exact = np.linalg.norm(p + turn.apply(stewart.TIPS) - feet, axis=1)
        assert result.converged and result.gap < 1e-12
        assert np.abs([result[f"piston{k}"] for k in range(6)] - exact).max() < 1e-12


def test_a_delta_robot() -> None:
    s, rng = delta(), np.random.default_rng(4)
    for _ in range(10):
        p = np.array([*rng.uniform(-0.12, 0.12, 2), rng.uniform(-0.6, -0.45)])
        result = s.inverse_kinematics({"platform": p}, **TIGHT)
        assert result.converged and result.gap < 1e-12
        assert np.abs([result[f"arm{k}"] for k in range(3)] - delta_angles(p)).max() < 1e-12
        turned = s.derive().compile().pose(result.q, "platform").R
        assert np.abs(turned - np.eye(3)).max() < 1e-11  # the rods keep the platform parallel to the base


# Random poses


@pytest.mark.parametrize(
    ("robot", "body", "alone"), [("ur5", "tool0", 0.8), ("panda", "panda_hand", 0.45), ("puma", "link6", 0.8)]
)
def test_a_thousand_random_poses(robot: str, body: str, alone: float) -> None:
    """From random guesses within the limits: the share that is reached without restarts, and with up to thirty."""
    s = puma560.system() if robot == "puma" else fb.load(ROBOTS / f"{robot}.urdf")
    f, rng, (low, high) = s.derive().compile(), np.random.default_rng(5), limits_of(s)
    ik = s.inverse_kinematics_solver({body: (np.zeros(3), np.eye(3))})
    first = again = 0
    for k in range(1000):
        R, p = f.pose(rng.uniform(low, high), body)
        guess = rng.uniform(low, high)
        result = ik({body: (p, R)}, guess)
        first += result.converged
        if not result.converged:
            assert result.reason in ("unreachable", "singular", "steps") and max(result.residual[body]) > 1e-10
            result = ik({body: (p, R)}, guess, restarts=30, seed=k)
        again += result.converged
        if result.converged:
            R_, p_ = f.pose(result.q, body)
            assert np.abs(p - p_).max() < 1e-9 and np.abs(R - R_).max() < 1e-9
            assert (result.q >= low - 2 * np.pi - 1e-12).all() and (result.q <= high + 2 * np.pi).all()
    assert first >= 1000 * alone and again >= 998


def test_two_hands_and_two_feet_of_a_floating_humanoid(g1: fb.System) -> None:
    f, rng, (low, high) = g1.derive().compile(), np.random.default_rng(6), limits_of(g1)
    start, reached = g1.derive().assemble().q, 0
    for _ in range(100):
        q = start.copy()
        q[7:] = np.clip(rng.uniform(-0.5, 0.5, 29), low[7:], high[7:])
        guess = q.copy()
        guess[7:] = np.clip(q[7:] + rng.uniform(-0.3, 0.3, 29), low[7:], high[7:])
        guess[:3] += rng.uniform(-0.1, 0.1, 3)
        result = g1.inverse_kinematics({name: f.pose(q, name) for name in HANDS_AND_FEET}, q=guess)
        reached += result.converged
        assert (result.q[7:] >= low[7:] - 1e-12).all() and (result.q[7:] <= high[7:] + 1e-12).all()
        assert abs(np.linalg.norm(result.q[3:7]) - 1) < 1e-12
    assert reached == 100


def test_what_is_held_stays_and_posture_chooses(g1: fb.System) -> None:
    f, start = g1.derive().compile(), g1.derive().assemble().q
    hand = f.pose(start, "right_hand")
    target = {"right_hand": (np.add(hand.p, (0.05, 0.02, 0.1)), hand.R)}
    held = g1.inverse_kinematics(target, q=start, hold=("pelvis", "waist_yaw_link"))
    assert held.converged and (held.q[:7] == start[:7]).all() and held["waist_yaw_link"] == start[19]
    other = start.copy()
    other[7:] += 0.1
    plain, kept = (g1.inverse_kinematics(target, q=other, hold="pelvis", posture=w) for w in (None, 1e-3))
    assert plain.converged and kept.converged
    assert np.linalg.norm(kept.q - other) <= np.linalg.norm(plain.q - other) * (1 + 1e-6)


# Limits, unreachable and singular targets


def test_limits_give_the_closest_pose_within_them() -> None:
    s, rng = planar(1.0, 0.8, 0.5, limits=(-1.0, 0.7)), np.random.default_rng(7)
    end = tip(s, 0.5)
    f = s.derive().compile()

    def position(q: np.ndarray) -> np.ndarray:
        return np.asarray(f.pose(q, "bar3", at=(0.5, 0, 0)).p)

    active = 0
    for _ in range(30):
        target, guess = np.append(rng.uniform(-2, 2, 2), 0.0), rng.uniform(-0.9, 0.6, 3)
        result = s.inverse_kinematics({end: target}, q=guess)
        assert (result.q >= -1.0).all() and (result.q <= 0.7).all()
        near = least_squares(
            lambda q, to=target: position(q) - to, result.q, bounds=(-1.0 - 1e-12, 0.7 + 1e-12), xtol=1e-15
        )
        assert result.residual["bar3 point"].position <= np.sqrt(2 * near.cost) + 1e-7  # no better point nearby
        if not result.converged:
            assert result.reason == "unreachable"
            at = (np.abs(result.q + 1) < 1e-9) | (np.abs(result.q - 0.7) < 1e-9)
            assert result.limits == tuple(np.array(result.names)[at])
            active += bool(result.limits)
    assert active > 5
    free = s.inverse_kinematics({end: (-1, 1, 0)}, q=(0.1, 0.1, 0.1), limits=False)
    own = s.inverse_kinematics({end: (1.5, 1, 0)}, q=(0.1, 0.1, 0.1), limits={"bar2": (0.2, 0.3)})
    assert free.converged and free.limits == () and 0.2 <= own["bar2"] <= 0.3


def test_the_limit_of_a_coupled_joint_is_one_of_the_joint_that_it_follows() -> None:
    s = fb.System("gripper")
    one = s.body("one", joint=fb.Revolute("z"), mass=1.0, com=(0.5, 0, 0), inertia=fb.rod(1, 1, "x"))
    joint = fb.Revolute("z", limits=(-1.0, 0.5))
    two = s.body("two", on=one, at=(1, 0, 0), joint=joint, mass=1.0, com=(0.5, 0, 0), inertia=fb.rod(1, 1, "x"))
    s.couple(two, to=one, ratio=-2.0, offset=0.1)
    result = s.inverse_kinematics({"two": (0, 1, 0)})
    assert not result.converged and abs(result["one"] - 0.55) < 1e-12 and result.limits == ("one",)


def test_unreachable_targets_give_the_closest_pose() -> None:
    s = planar(1.0, 0.7)
    for x, y, q in ((2.0, 1.0, (0.4, 0.4)), (0.1, 0.05, (0.3, 2.0))):
        result = s.inverse_kinematics({tip(s, 0.7): (x, y, 0)}, q=q)
        r = np.hypot(x, y)
        assert result.reason == "unreachable" and "closest pose" in result.message
        assert abs(result.residual["bar2 point"].position - max(r - 1.7, 0.3 - r)) < 1e-10
        assert abs(np.sin(result["bar2"])) < 1e-5  # stretched, or folded


def test_a_stretched_arm_leaves_its_singular_position() -> None:
    """The gradient vanishes there: the target lies on the line of the arm."""
    s = planar(1.0, 0.7)
    result = s.inverse_kinematics({tip(s, 0.7): (1.2, 0, 0)}, q=(0.0, 0.0), **TIGHT)
    exact = planar_solution(1.0, 0.7, 1.2, 0.0, np.sign(result["bar2"]))
    assert result.reason == "reached" and np.abs(result.q - exact).max() < 1e-12
    within = s.inverse_kinematics({tip(s, 0.7): (1.2, 0, 0)}, q=(0.0, 0.0), limits={"bar2": (0.0, 2.0)})
    assert within.converged and within["bar2"] > 0  # also from a limit


def test_a_target_at_a_singular_position_is_reached_and_says_so(ur5: fb.System) -> None:
    s = planar(1.0, 0.7)
    result = s.inverse_kinematics({tip(s, 0.7): (0, 1.7, 0)}, q=(1.2, 0.3))
    assert result.converged and [lost.kind for lost in result.singular] == ["position"]
    assert np.abs(np.abs(result.singular[0].direction) - (0, 1, 0)).max() < 1e-4
    assert "at a singular position: 'bar2 point' cannot move along" in result.message
    q = np.array([0.3, -1.2, 1.1, 0.4, 0.0, 0.5])  # the axes of two joints of the wrist are parallel
    at_wrist = ur5.inverse_kinematics({"tool0": ur5.derive().compile().pose(q, "tool0")}, q=q)
    assert at_wrist.converged and len(at_wrist.singular) == 1
    elsewhere = ur5.inverse_kinematics({"tool0": ur5.derive().compile().pose(q + 0.3, "tool0")}, q=q + 0.3)
    assert elsewhere.singular == () and elsewhere.message == "reached"


# Kinds of targets


def test_kinds_of_poses_are_the_same_target(ur5: fb.System) -> None:
    f, q = ur5.derive().compile(), np.array([0.3, -1.2, 1.1, 0.4, 0.7, 0.5])
    R, p = f.pose(q, "tool0")
    turn = Rotation.from_matrix(R).as_quat(scalar_first=True)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    body = ur5.bodies["tool0"]
    poses = [(p, R), (R, p), (p, turn), (p, -turn), [*p, *turn], T, {"position": p, "rotation": R}]
    poses += [{"position": p, "axis": {"x": R[:, 0], (0, 1, 0): 2 * R[:, 1]}}]
    for pose in poses:
        for key in ("tool0", body, body.point((0, 0, 0))):
            result = ur5.inverse_kinematics({key: pose}, q=q + 0.05, **TIGHT)
            assert result.converged and np.abs(result.q - q).max() < 1e-11, pose
    offset = ur5.inverse_kinematics({body.point((0, 0.1, 0.2)): (p + R @ (0, 0.1, 0.2), R)}, q=q + 0.05, **TIGHT)
    assert np.abs(offset.q - q).max() < 1e-11


def test_parts_of_a_pose(ur5: fb.System) -> None:
    f, q = ur5.derive().compile(), np.array([0.3, -1.2, 1.1, 0.4, 0.7, 0.5])
    for pose in ({"axis": {"z": (0, 0, -1)}, "position": (0.4, 0.2, 0.3)}, {"rotation": np.eye(3)}, (None, 0.3, 0.5)):
        result = ur5.inverse_kinematics({"tool0": pose}, q=q)
        R, p = f.pose(result.q, "tool0")
        assert result.converged
        if isinstance(pose, tuple):
            assert np.abs(p[1:] - (0.3, 0.5)).max() < 1e-9
        elif "axis" in pose:
            assert np.abs(R[:, 2] - (0, 0, -1)).max() < 1e-9 and np.abs(p - pose["position"]).max() < 1e-9
        else:
            assert np.abs(R - np.eye(3)).max() < 1e-9


def test_half_turns_are_no_obstacle() -> None:
    """A rotation, and an axis, that are exactly opposite to those of the guess."""
    s = fb.System("wrist")
    s.body("hand", joint=fb.Spherical(), mass=1.0, inertia=(1, 1, 1))
    for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0, 0.8)):
        R = Rotation.from_rotvec(np.pi * np.array(axis)).as_matrix()
        result = s.inverse_kinematics({"hand": R})
        assert result.converged and np.abs(s.derive().compile().pose(result.q, "hand").R - R).max() < 1e-9
        way = s.inverse_kinematics({"hand": {"axis": {"z": -np.array(axis)}}})
        assert way.converged and np.abs(s.derive().compile().pose(way.q, "hand").R[:, 2] + axis).max() < 1e-9


def test_weights_decide_between_targets_that_contradict_each_other() -> None:
    s = planar(1.0)
    slide = fb.System("slide")
    block = slide.body("block", joint=fb.Prismatic("x"), mass=1.0)
    a, b = block.point((0, 0, 0)), block.point((1, 0, 0))
    result = slide.inverse_kinematics({a: (0, 0, 0), b: (2, 0, 0)}, weights={a: 3.0})
    assert result.reason == "unreachable" and abs(result["block"] - 0.25) < 1e-9  # (3·0 + 1·1) / 4
    ignored = slide.inverse_kinematics({a: (0, 0, 0), b: (2, 0, 0)}, weights={a: 0.0})
    assert ignored.converged and abs(ignored["block"] - 1) < 1e-9
    mixed = s.inverse_kinematics({"bar1": {"position": (1, 1, 0), "rotation": np.eye(3)}}, weights={"bar1": (1, 2)})
    assert set(mixed.residual) == {"bar1"} and mixed.residual["bar1"].position == pytest.approx(np.sqrt(2))


# Loops, flexible bodies, prescribed motions


def test_loops_stay_closed() -> None:
    s = fb.System("four-bar")
    bar = {"mass": 1.0, "com": (0.5, 0, 0), "inertia": fb.rod(1, 1, "x")}
    crank = s.body("crank", joint=fb.Revolute("z", initial=1.0), **bar)
    coupler = s.body("coupler", on=crank, at=(1, 0, 0), joint=fb.Revolute("z", initial=-0.8), **bar)
    rocker = s.body("rocker", at=(1.5, 0, 0), joint=fb.Revolute("z", initial=1.5), **bar)
    s.close(coupler.point((1.2, 0, 0)), rocker.point((1, 0, 0)), fb.Revolute("z"))
    middle = coupler.point((0.6, 0.3, 0))
    f = s.derive().compile()
    q = s.assemble(q={"crank": 1.3}, guess=s.assemble().q).q
    p = f.pose(q, "coupler", at=(0.6, 0.3, 0)).p
    result = s.inverse_kinematics({middle: (p[0], None, None)}, **TIGHT)
    assert result.converged and np.abs(f.constraint(result.q, np.zeros(3))["phi"]).max() < 1e-12
    assert np.abs(result.q - q).max() < 1e-11
    far = s.inverse_kinematics({middle: (5.0, 0, 0)})
    assert far.reason == "unreachable" and np.abs(f.constraint(far.q, np.zeros(3))["phi"]).max() < 1e-11


def test_closures_half_a_turn_away_are_not_closed() -> None:
    """Where two bodies that are welded together are half a turn apart, the residuals of the weld are zero too."""
    s = fb.System("welded")
    a, b = (s.body(name, joint=fb.Free(), mass=1.0, inertia=(1, 1, 1)) for name in "ab")
    s.close(a, b, fb.Weld(), name="glue")
    target, apart = {"a": ((0, 0, 1), (1, 0, 0, 0))}, np.array([0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0], float)
    result = s.inverse_kinematics(target, q=apart)
    assert result.converged and np.abs(result.q[7:] - result.q[:7]).max() < 1e-12  # the guess is assembled
    held = s.inverse_kinematics_solver(target).search(apart, 1e-10, 100)
    assert held.reason == "unreachable" and "constraint 'glue' is half a turn away" in held.message


def test_flexible_bodies_keep_their_deformation() -> None:
    s = fb.System("flexible arm")
    base = s.body("base", joint=fb.Revolute("z"), mass=1.0, inertia=(1, 1, 1))
    arm = s.body(
        "arm", on=base, joint=fb.Revolute("y"), flexible=fb.Beam(length=2.0, EI=(50.0, 50.0), density=1.0), modes=4
    )
    names, end = s.derive().q, arm.node("tip")
    guess = np.where([n.startswith("arm.m") for n in names], 0.02, 0.1)
    p = s.derive().compile().pose(np.where(guess == 0.1, 0.4, guess), end.name).p
    result = s.inverse_kinematics({end: p}, q=guess, **TIGHT)
    assert (
        result.converged
        and (result.q[guess == 0.02] == 0.02).all()
        and np.abs(result.q[guess == 0.1] - 0.4).max() < 1e-12
    )


def test_prescribed_coordinates_are_those_of_the_time() -> None:
    s = fb.System("turntable")
    table = s.body("table", joint=fb.Revolute("z", motion="2*t"), mass=1.0, inertia=(1, 1, 1))
    s.body("slide", on=table, joint=fb.Prismatic("x", initial=0.5), mass=1.0)
    at = 0.3
    way = np.array([np.cos(2 * at), np.sin(2 * at), 0])
    result = s.inverse_kinematics({"slide": 0.8 * way}, t=at)
    assert result.converged and result.names == ("slide",) and abs(result["slide"] - 0.8) < 1e-10
    assert s.inverse_kinematics({"slide": 0.8 * way}, t=0.0).reason == "unreachable"


def test_parameters_change_the_geometry() -> None:
    s = fb.System("arm")
    length = s.parameter("length", 1.0)
    arm = s.body("arm", joint=fb.Revolute("z", initial=0.2), mass=1.0, inertia=(1, 1, 1))
    slide = s.body("slide", on=arm, at=(length, 0, 0), joint=fb.Prismatic("x"), mass=1.0)
    point = slide.point((length, 0, 0))
    for value in (1.0, 1.5, 1.0):
        result = s.inverse_kinematics({point: (0, 4, 0)}, parameters={"length": value})
        assert result.converged and abs(result["slide"] - (4 - 2 * value)) < 1e-9


# Calls


def test_a_solver_is_made_once_for_targets_of_a_kind(ur5: fb.System) -> None:
    f = ur5.derive().compile()
    one, other = (f.pose(np.full(6, x), "tool0") for x in (0.3, 0.5))
    ik = ur5.inverse_kinematics_solver({"tool0": one})
    assert ik is ur5.inverse_kinematics_solver({ur5.bodies["tool0"]: other})
    assert ik is not ur5.inverse_kinematics_solver({"tool0": one.p})
    result = ik({"tool0": other}, np.full(6, 0.4))
    assert result.converged and (result.q == ur5.inverse_kinematics({"tool0": other}, q=np.full(6, 0.4)).q).all()
    assert result.by_name == dict(zip(result.names, result.q.tolist(), strict=True))
    assert "reached" in repr(result) and "shoulder_link" in result._repr_html_()
    with pytest.raises(KeyError, match="there is no coordinate 'elbow'"):
        result["elbow"]


def test_restarts_are_reproducible_and_leave_local_minima() -> None:
    s = planar(1.0, 0.8, 0.5, limits=(-2.5, 2.5))
    target, guess = {tip(s, 0.5): {"position": (-0.9, 0.6, 0), "axis": {"x": (0, -1, 0)}}}, (-2.4, -2.4, 2.4)
    alone = s.inverse_kinematics(target, q=guess)
    again = [s.inverse_kinematics(target, q=guess, restarts=50, seed=seed) for seed in (1, 1)]
    assert not alone.converged and alone.starts == 1
    assert again[0].converged and again[0].starts > 1 and (again[0].q == again[1].q).all()


def test_the_allowed_steps_are_kept(ur5: fb.System) -> None:
    pose = ur5.derive().compile().pose(np.full(6, 1.0), "tool0")
    result = ur5.inverse_kinematics({"tool0": pose}, q=np.zeros(6), steps=2)
    assert result.reason == "steps" and result.iterations == 2 and "not reached in 2 steps" in result.message


POINT = {"tool0": (0, 0, 1)}
WRONG_TARGETS: list[tuple[Any, str]] = [
    ({}, "ur5: targets are a mapping of bodies, points or names"),
    ({"tool": (0, 0, 1)}, "there is no body 'tool' for a target. Did you mean tool0"),
    ({"ground": (0, 0, 1)}, "the ground cannot be moved to a target"),
    ({3: (0, 0, 1)}, "belongs to a body, a point or the name of a body, not to 3"),
    ({"tool0": (0, 1, 2, 3, 4)}, "target 'tool0' has shape \\(5,\\); give a position"),
    ({"tool0": (0, 1)}, "target 'tool0' has shape \\(2,\\); give a position"),
    ({"tool0": {"position": (0, 1)}}, "a position has three numbers \\(x, y, z\\), not \\(0, 1\\)"),
    ({"tool0": (0, 0, np.nan)}, "target 'tool0': .* is not finite"),
    ({"tool0": (0, 0, 0, 2, 0, 0, 0)}, "the quaternion has length 2, not 1"),
    ({"tool0": 2 * np.eye(3)}, "the matrix is not a rotation: its rows are off"),
    ({"tool0": np.zeros((3, 3))}, "its rows are off those of a rotation by 1"),
    ({"tool0": -np.eye(3)}, "the matrix is not a rotation: it mirrors"),
    ({"tool0": {"pose": 1}}, "a target has no 'pose'; choose from position"),
    ({"tool0": {}}, "target 'tool0' is empty; give a position"),
    ({"tool0": {"axis": (0, 0, 1)}}, "'axis' takes the axis of the body and its"),
    ({"tool0": {"axis": {"w": (0, 0, 1)}}}, "there is no axis 'w'; choose from x"),
    ({"tool0": {"axis": {"z": (0, 0, 0)}}}, "a direction has three numbers that"),
    ({"tool0": {"axis": {"z": (0, 0, 1)}, "rotation": np.eye(3)}}, "leave out 'axis'"),
    ({"tool0": (None, None, None)}, "asks for nothing"),
]
WRONG_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"limits": 3}, "limits must be True, False or limits by name"),
    ({"limits": {"elbow": (0, 1)}}, "there is no coordinate 'elbow'"),
    ({"limits": {"shoulder_link": (1, 0)}}, "the limits of 'shoulder_link' are two numbers, low ≤ high"),
    ({"weights": {"hand": 1}}, "no target 'hand' to be weighted; choose from tool0"),
    ({"weights": {"tool0": -1}}, "is a number from 0 on, or two"),
    ({"hold": "elbow"}, "has no coordinate 'elbow'"),
    ({"posture": -1}, "posture: weights are from 0 on, not -1"),
    ({"tolerance": 0}, "tolerance must be positive"),
    ({"steps": 0}, "steps must be a whole number from 1 on"),
    ({"restarts": -1}, "restarts must be a whole number from 0 on"),
    ({"q": (1, 2)}, "q has 6 numbers"),
]


@pytest.mark.parametrize(("targets", "text"), WRONG_TARGETS)
def test_errors_say_what_is_wrong_with_targets(ur5: fb.System, targets: Any, text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        ur5.inverse_kinematics(targets)


@pytest.mark.parametrize(("options", "text"), WRONG_OPTIONS)
def test_errors_say_what_is_wrong_with_options(ur5: fb.System, options: dict[str, Any], text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        ur5.inverse_kinematics(POINT, **options)


def test_a_solver_takes_targets_of_its_kind(ur5: fb.System) -> None:
    with pytest.raises(ArgumentError, match="this solver is for targets of tool0 of the kind that it was made with"):
        ur5.inverse_kinematics_solver(POINT)({"tool0": np.eye(3)})


def test_a_point_that_moves_in_its_body_is_refused() -> None:
    s = fb.System("arm")
    arm = s.body("arm", joint=fb.Revolute("z"), mass=1.0, inertia=(1, 1, 1))
    with pytest.raises(ArgumentError, match="moves in its body; inverse kinematics takes points that are fixed"):
        s.inverse_kinematics({arm.point((fb.sin(s.t), 0, 0)): (0, 0, 0)})


def test_parts_of_a_floating_base_are_not_held_alone(g1: fb.System) -> None:
    with pytest.raises(ArgumentError, match="held as a whole: hold='pelvis'"):
        g1.inverse_kinematics({"left_hand": (0.3, 0.2, 0.1)}, hold="pelvis.x")
    with pytest.raises(ArgumentError, match="posture: 'pelvis' has no speed that is its rate"):
        g1.inverse_kinematics({"left_hand": (0.3, 0.2, 0.1)}, posture={"pelvis": 1.0})
