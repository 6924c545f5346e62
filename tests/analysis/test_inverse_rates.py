"""Velocities and accelerations of targets against forward kinematics and differences along paths of coordinates."""

import sys
from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from freebody.errors import AnalysisWarning, ArgumentError
from tests.analysis.closed_form_kinematics import planar, planar_solution, tip

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import stewart

ROBOTS = Path(__file__).parents[2] / "examples" / "robots"


@pytest.fixture(scope="module")
def ur5() -> fb.System:
    return fb.load(ROBOTS / "ur5.urdf")


def test_rates_are_those_of_forward_kinematics(ur5: fb.System) -> None:
    f, rng = ur5.derive().compile(), np.random.default_rng(1)
    for _ in range(5):
        q, u, u_dot = rng.uniform(-2, 2, 6), rng.normal(size=6), rng.normal(size=6)
        V, A = f.spatial_velocity(q, u, "tool0"), f.spatial_acceleration(q, u, u_dot, "tool0")
        size = np.linalg.cond(f.jacobian(q, "tool0"))
        velocity = ur5.inverse_velocity({"tool0": V}, q=q)
        parts = ur5.inverse_velocity({"tool0": {"velocity": V[3:], "angular_velocity": V[:3]}}, q=q)
        acceleration = ur5.inverse_acceleration({"tool0": A}, q=q, u=u)
        assert velocity.converged and np.abs(velocity.u - u).max() < 1e-14 * size * 10
        assert np.abs(parts.u - u).max() < 1e-14 * size * 10
        assert acceleration.converged and np.abs(acceleration.u - u_dot).max() < 1e-14 * size * 100


def test_a_redundant_arm_moves_least() -> None:
    s = planar(1.0, 0.8, 0.5)
    f, q, v = s.derive().compile(), np.array([0.3, 0.5, 0.7]), np.array([0.2, -0.1, 0])
    result = s.inverse_velocity({tip(s, 0.5): v}, q=q)
    J = f.jacobian(q, "bar3", at=(0.5, 0, 0))[3:5]
    assert result.converged and np.abs(result.u - np.linalg.pinv(J) @ v[:2]).max() < 1e-13
    held = s.inverse_velocity({tip(s, 0.5): v}, q=q, hold="bar2")
    assert held.converged and held.by_name["bar2"] == 0
    exact = np.linalg.solve(J[:, [0, 2]], v[:2])
    assert np.abs(held.u[[0, 2]] - exact).max() < 1e-13


def test_rates_of_a_stewart_platform_are_differences_of_its_path() -> None:
    s, h = stewart.system(), 1e-4
    times = 0.7 + h * np.arange(-2, 3)
    poses = [stewart.motion(t)[0] for t in times]
    path = s.inverse_kinematics_path(
        times, {"platform": (np.array(poses)[:, :3], np.array(poses)[:, 3:])}, tolerance=1e-13
    )
    assert path.converged.all() and not path.jumps
    q, names = path.results[2].q, path.names
    w, v, _, _ = (*stewart.motion(0.7)[1].reshape(2, 3), 0, 0)
    R = s.derive().compile().pose(q, "platform").R
    u = s.inverse_velocity({"platform": [*R @ w, *R @ v]}, q=q)
    pistons = [names.index(f"piston{k}") for k in range(6)]
    speeds = [s.derive().u.index(f"piston{k}") for k in range(6)]
    first = (path.q[0] - 8 * path.q[1] + 8 * path.q[3] - path.q[4]) / (12 * h)
    assert u.converged and np.abs(u.u[speeds] - first[pistons]).max() < 1e-9
    a, al = np.array([-np.cos(np.pi * 0.7), -np.sin(np.pi * 0.7), 0]) * np.pi**2 * 0.15, stewart.motion(0.7)[2][:3]
    rates = s.inverse_acceleration({"platform": [*R @ al, *a]}, q=q, u=u.u)
    second = (-path.q[0] + 16 * path.q[1] - 30 * path.q[2] + 16 * path.q[3] - path.q[4]) / (12 * h * h)
    assert rates.converged and np.abs(rates.u[speeds] - second[pistons]).max() < 1e-5
    f = s.derive().compile()
    assert np.abs(f.constraint(q, u.u)["G"] @ u.u).max() < 1e-12  # the loops stay closed


def test_singular_positions_and_missing_freedoms_are_told_apart(ur5: fb.System) -> None:
    s = planar(1.0, 0.7)
    along = s.inverse_velocity({tip(s, 0.7): (1, 0, 0)}, q=(0, 0))
    assert along.reason == "singular" and "'bar2 point' cannot move along (1, 0, 0)" in along.message
    across = s.inverse_velocity({tip(s, 0.7): (0, 1, 0)}, q=(0, 0))
    assert across.converged and across.singular
    out = s.inverse_velocity({tip(s, 0.7): (0, 0, 1)}, q=(0.3, 0.5))
    assert out.reason == "unreachable" and "too few freedoms" in out.message and not out.singular
    damped = s.inverse_velocity({tip(s, 0.7): (1, 0, 0)}, q=(0, 1e-3), damping=0.05)
    plain = s.inverse_velocity({tip(s, 0.7): (1, 0, 0)}, q=(0, 1e-3))
    assert np.abs(plain.u).max() > 100 and np.abs(damped.u).max() < 10


def test_prescribed_motions_count() -> None:
    s = fb.System("turntable")
    table = s.body("table", joint=fb.Revolute("z", motion="2*t"), mass=1.0, inertia=(1, 1, 1))
    s.body("slide", on=table, joint=fb.Prismatic("x"), mass=1.0)
    at = s.inverse_velocity({"slide": (0.3, 1.0, 0)}, q={"slide": 0.5}, t=0.0)
    assert at.converged and abs(at.u[0] - 0.3) < 1e-13  # the table moves it at 2 · 0.5 across
    still = s.inverse_acceleration({"slide": (-2.0, 2 * 2 * 0.3, 0)}, q={"slide": 0.5}, u={"slide": 0.3})
    assert still.converged and abs(still.u[0]) < 1e-13


# Paths


def test_a_path_follows_the_branch_of_its_start() -> None:
    s, t = planar(1.0, 0.7), np.linspace(0, 3, 61)
    positions = np.array([1.2 * np.cos(t), 0.9 * np.sin(t), 0 * t]).T
    for elbow in (1, -1):
        q = planar_solution(1.0, 0.7, *positions[0, :2], elbow)
        path = s.inverse_kinematics_path(t, {tip(s, 0.7): positions}, q=q, tolerance=1e-13)
        exact = np.unwrap([planar_solution(1.0, 0.7, x, y, elbow) for x, y, _ in positions], axis=0)
        assert path.converged.all() and np.abs(path.q - exact).max() < 1e-11 and path.message == "followed"
        function = s.inverse_kinematics_path(
            t, {tip(s, 0.7): lambda time: (1.2 * np.cos(time), 0.9 * np.sin(time), 0)}, q=q, tolerance=1e-13
        )
        assert np.abs(function.q - path.q).max() < 1e-11
    assert (path["bar2"] == path.q[:, 1]).all() and "followed" in repr(path)


def test_a_path_is_a_prescribed_motion(ur5: fb.System) -> None:
    t = np.linspace(0, 1, 41)
    s = planar(1.0, 0.7)
    line = np.array([0.9 + 0.4 * t, 0.6 - 0.5 * t, 0 * t]).T
    path = s.inverse_kinematics_path(t, {tip(s, 0.7): line}, q=(0.1, 0.8))
    moved = fb.System("driven")
    on, at = None, (0, 0, 0)
    for name, length in (("bar1", 1.0), ("bar2", 0.7)):
        place = {} if on is None else {"on": on, "at": at}
        on = moved.body(name, joint=fb.Revolute("z", motion=path.motion(name)), mass=1.0, inertia=(1, 1, 1), **place)
        at = (length, 0, 0)
    moved.output("tip", moved.position(on.point((0.7, 0, 0))))
    run = moved.simulate(t)
    assert np.abs(run["tip"] - line).max() < 1e-9
    R, p = ur5.derive().compile().pose(np.array([0.3, -1.2, 1.1, 0.4, 0.7, 0.5]), "tool0")
    turned = ur5.inverse_kinematics_path(
        t, {"tool0": (p + np.outer(t, (0.05, 0.1, -0.1)), R)}, q=(0.3, -1.2, 1.1, 0.4, 0.7, 0.5)
    )
    assert turned.converged.all() and np.abs(np.diff(turned.q, axis=0)).max() < 0.1


def test_jumps_between_branches_are_named() -> None:
    """The target jumps across the base: no position near the one before reaches it."""
    s, t = planar(1.0, 0.7), np.linspace(0, 1, 11)
    end = tip(s, 0.7)
    with pytest.warns(AnalysisWarning, match=r"'bar1' jumps by .* at t = 0.45"):
        path = s.inverse_kinematics_path(
            t, {end: lambda time: (1.2 if time < 0.45 else -1.2, 0.3, 0)}, q=planar_solution(1.0, 0.7, 1.2, 0.3, 1)
        )
    assert [jump.coordinate for jump in path.jumps] == ["bar1"] and 0.4 < path.jumps[0].t <= 0.5
    assert path.converged.all() and "jumps by" in path.message


def test_a_path_that_leaves_the_workspace_says_where() -> None:
    s, t = planar(1.0, 0.7), np.linspace(0, 1, 21)
    path = s.inverse_kinematics_path(t, {tip(s, 0.7): np.array([1.5 + 0.4 * t, 0 * t, 0 * t]).T}, q=(-0.3, 0.7))
    assert (path.converged == (1.5 + 0.4 * t <= 1.7 + 1e-9)).all()
    assert "not reached at 10 times, first at t = 0.55: unreachable" in path.message


@pytest.mark.parametrize(
    ("times", "targets", "text"),
    [
        ([0.0], {"bar2": (1, 0, 0)}, "times are at least two increasing numbers"),
        ([0, 1, 1], {"bar2": (1, 0, 0)}, "times are at least two increasing numbers"),
        ([0, 1], {}, "targets are a mapping of bodies, points or names to paths"),
        ([0, 1], {"bar2": np.zeros((3, 3, 3))}, r"the path of a rotation has the shape \(2, 3, 3\) or \(2, 4\)"),
        ([0, 1], {"bar2": {"pose": (1, 0, 0)}}, "a target has no 'pose'; choose from position, rotation, axis"),
        ([0, 1], {"bar2": np.zeros((4, 2))}, r"the path of a position has the shape \(2, 3\), not \(4, 2\)"),
    ],
)
def test_errors_of_paths(times: list[float], targets: dict[str, object], text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        planar(1.0, 0.7).inverse_kinematics_path(times, targets)


@pytest.mark.parametrize(
    ("targets", "options", "text"),
    [
        ({}, {}, "targets are a mapping of bodies, points or names of bodies to 3 numbers of a point"),
        ({"bar2": (1, 0)}, {}, r"target 'bar2' has shape \(2,\); give 3 numbers of a point"),
        ({"bar2": {"speed": (1, 0, 0)}}, {}, "a target has no 'speed'; choose from velocity, angular_velocity"),
        ({"bar2": {}}, {}, "target 'bar2' is empty"),
        ({"bar2": (1, 0, 0)}, {"damping": -1}, "damping is from 0 on"),
    ],
)
def test_errors_of_rates(targets: dict[str, object], options: dict[str, object], text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        planar(1.0, 0.7).inverse_velocity(targets, **options)  # type: ignore[arg-type]


def test_rates_need_positions_and_speeds_that_constraints_allow() -> None:
    s = stewart.system()
    q = s.assemble().q
    with pytest.raises(ArgumentError, match=r"the constraints do not hold at q .*; take q of s.assemble"):
        s.inverse_velocity({"platform": np.zeros(6)}, q=q + np.eye(len(q))[0])
    with pytest.raises(ArgumentError, match="the constraints do not allow the speeds u"):
        s.inverse_acceleration({"platform": np.zeros(6)}, q=q, u={"piston0": 1.0})
