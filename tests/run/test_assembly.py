"""Assembly: rough states are made consistent with the constraints, what the user gave stays, and where that is not
possible an error names the constraint."""

import math
import re
import warnings

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from tests.formulations.test_constraints import geared, slider_crank
from tests.run.constrained_systems import SQUEEZER_NAMES, SQUEEZER_START, four_bar, parallel_bars, squeezer

SMALL = 1e-13
CLOSING = {
    "weld": fb.Weld(), "revolute": fb.Revolute((0.6, 0, 0.8)), "prismatic": fb.Prismatic("y"),
    "cylindrical": fb.Cylindrical("x"), "universal": fb.Universal("x", "z"), "spherical": fb.Spherical(),
    "planar": fb.Planar("z"),
}  # fmt: skip


def left(s: fb.System, q: np.ndarray, u: np.ndarray, t: float = 0.0) -> float:
    """The largest residual of coordinates and speeds, of a derivative of φ by differences for the latter."""
    f = s.derive("kane").compile("numpy")
    at = f.constraint(q, u, t)
    h = 1e-6
    rates = f.q_dot(q, u, t)
    later, before = (f.constraint(q + k * h * rates, u, t + k * h)["phi"] for k in (1, -1))
    return max(np.abs(at["phi"]).max(initial=0.0), 1e-5 * np.abs(later - before).max(initial=0.0) / (2 * h))


def test_the_others_follow_what_is_given_by_name() -> None:
    s, q = slider_crank()
    at, u = s.assemble({"crank": 0.5}, {"slider": -0.7})
    assert at[0] == 0.5 and np.abs(at - q).max() < SMALL
    assert u[2] == -0.7 and left(s, at, u) < SMALL
    angle, lean = at[0], math.asin(0.3 * math.sin(at[0]))
    assert abs(u[0] * -0.3 * (math.sin(angle) + math.cos(angle) * math.tan(lean)) + 0.7) < SMALL


def test_vectors_are_guesses_except_for_what_is_held() -> None:
    s = four_bar()
    rough, speeds = [0.3, -0.2, 0.45], [1.0, 0.5, 2.0]
    q, u = s.assemble(rough, speeds)
    assert left(s, q, u) < SMALL and 0.25 < q[0] < 0.5 and np.all(q != rough) and np.all(u != speeds)
    q, u = s.assemble(rough, speeds, hold="rocker")
    assert q[2] == 0.45 and u[2] == 2.0 and left(s, q, u) < SMALL
    q, u = s.assemble(rough, speeds, hold=["q.rocker", "u.crank"])
    assert q[2] == 0.45 and u[0] == 1.0 and left(s, q, u) < SMALL


def test_states_that_agree_are_returned_as_they_are() -> None:
    s = squeezer()
    q, u = s.assemble(dict(zip(SQUEEZER_NAMES, SQUEEZER_START, strict=True)))
    assert [q[s.derive().q.index(n)] for n in SQUEEZER_NAMES] == list(SQUEEZER_START) and not u.any()


def test_the_branch_of_the_guess_is_kept() -> None:
    s, _ = slider_crank()
    for slider in (1.0, -1.0):
        q, _ = s.assemble({"crank": 0.5}) if slider > 0 else s.assemble([0.5, math.pi - 0.5, slider], hold="crank")
        assert np.sign(q[2]) == slider


def test_moving_constraints_and_constraints_of_speeds() -> None:
    s, _ = geared()
    q, u = s.assemble(q={"one": 0.4}, u={"two": 0.3}, t=0.2)
    e = s.derive("kane")
    f, at = e.compile(), dict(zip(e.q, q, strict=True))
    assert at["one"] == 0.4 and left(s, q, u, 0.2) < SMALL
    assert u[list(e.u).index("two")] == 0.3
    assert abs(math.sin(at["one"]) - 2 * at["two"] ** 2 + 0.02) < SMALL
    speeds = dict(zip(e.u, u, strict=True))
    assert abs(speeds["base.vx"] + at["base.y"] * speeds["one"] - speeds["base.wz"]) < SMALL
    assert abs(math.cos(at["one"]) * speeds["one"] - 4 * at["two"] * speeds["two"] + 0.1) < SMALL
    assert np.isfinite(f.forward_dynamics(q, u, np.zeros(len(u)))).all()


# Closures by every joint


def closed(joint: object) -> fb.System:
    """A free body that is closed to the ground by a joint, askew on both sides."""
    s = fb.System("closed")
    body = s.body("body", joint=fb.Free(), mass=1, inertia=(1, 2, 2.5))
    s.close(
        s.ground.point((0.3, 0.2, 0.1)),
        body.point((0.1, -0.2, 0.4)),
        joint=joint,
        orient=("x", 0.3),
        orient_to=("z", 0.5),
        name="pin",
    )
    return s


def rotation(q: np.ndarray) -> np.ndarray:
    w, v = q[3], q[4:7]
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return (w * w - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * cross


@pytest.mark.parametrize("name", CLOSING)
def test_closures_by_every_joint_close_and_not_half_a_turn_away(name: str) -> None:
    """From guesses anywhere, also upside down: the body ends where its joint can be."""
    joint, rng = CLOSING[name], np.random.default_rng(5)
    s, axes = closed(joint), {"revolute": (0.6, 0, 0.8), "cylindrical": (1, 0, 0), "planar": (0, 0, 1)}
    c, d = np.cos([0.3, 0.5]), np.sin([0.3, 0.5])
    A = np.array([[1, 0, 0], [0, c[0], -d[0]], [0, d[0], c[0]]])
    B = np.array([[c[1], -d[1], 0], [d[1], c[1], 0], [0, 0, 1]])
    for _ in range(6):
        turn = rng.normal(size=4)
        guess = np.array([*rng.normal(size=3), *(turn / np.linalg.norm(turn))])
        q, u = s.assemble(guess, rng.normal(size=6))
        assert left(s, q, u) < 1e-12 and abs(np.linalg.norm(q[3:]) - 1) < SMALL
        R = A.T @ rotation(q) @ B  # of the joint
        if name in axes:
            assert np.abs(R @ axes[name] - axes[name]).max() < 1e-9
        elif name in ("weld", "prismatic"):
            assert np.abs(R - np.eye(3)).max() < 1e-9


def test_coordinates_of_free_bodies_are_held_one_by_one() -> None:
    s = closed(fb.Spherical())
    q, _ = s.assemble({"body.x": 0.35, "body.z": -0.2})
    assert q[0] == 0.35 and q[2] == -0.2 and left(s, q, np.zeros(6)) < SMALL
    turn = np.array([0.5, 0.5, 0.5, 0.5])
    q, _ = s.assemble([0, 0, 0, *turn], hold=["body.qw"])
    assert np.array_equal(q[3:], turn) and left(s, q, np.zeros(6)) < SMALL


def test_systems_without_equations_keep_their_state() -> None:
    s = fb.System("free")
    s.body("arm", joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    assert s.assemble([0.3], [1.0]) == ([0.3], [1.0])
    s.close(s.ground, "arm", joint=fb.Free())
    assert s.assemble({"arm": 0.4}, [1.0]) == ([0.4], [1.0])
    assert s.simulate(0.1, q=[0.3]).success


# Errors


def error(s: fb.System, *arguments: object, **options: object) -> str:
    with pytest.raises(ArgumentError) as raised:
        s.assemble(*arguments, **options)
    return str(raised.value)


def test_values_that_contradict_each_other_are_named() -> None:
    s = four_bar()
    message = error(s, {"crank": 0.3, "coupler": -0.3, "rocker": 0.4})
    assert re.fullmatch(
        r"four-bar: constraint 'pin' \(force\.[xz]\) cannot be satisfied: it is off by 0\.0\d* m, with q\.crank,"
        r" q\.coupler, q\.rocker held as given\. Free one of these, so that it can adjust, or change lengths",
        message,
    )
    message = error(s, {"crank": 0.3}, {"crank": 1.0, "rocker": 2.0})
    assert re.fullmatch(
        r"four-bar: constraint 'pin' \(force\.x\) does not allow these speeds: it changes at 0\.\d* m/s, with u\.crank,"
        r" u\.rocker held as given\. Free one of these",
        message,
    )


def test_loops_that_are_too_short_are_named() -> None:
    s = fb.System("gap")
    one = s.body("one", joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    s.close(one.point((1, 0, 0)), s.ground.point((2, 0, 0.5)), joint=fb.Spherical(), name="hook")
    message = error(s)
    assert re.match(
        r"gap: constraint 'hook' \(force\.[xz]\) cannot be satisfied: it is off by \d\.\d* m at the nearest"
        r" state that was reached from the guess\. Give a guess nearer",
        message,
    )
    with pytest.raises(ArgumentError, match="constraint 'hook'"):
        s.simulate(1.0)


def test_equations_that_no_motion_changes_are_named() -> None:
    s = four_bar()
    s.close(
        s.bodies["coupler"].point((1, 0.1, 0)),
        s.bodies["rocker"].point((0, 0, 1)),
        joint=fb.Revolute("y"),
        name="second",
    )
    message = error(s)
    assert message == (
        "four-bar: constraint 'second' (force.y) contradicts the joints: it is off by 0.1 m, and no coordinate changes"
        " it. Move one of its points, or take a joint that leaves this motion free"
    )


def test_joints_that_close_only_half_a_turn_away_are_named() -> None:
    s = fb.System("flipped")
    body = s.body("body", joint=fb.Revolute("x"), mass=1, inertia=(1, 1, 1))
    s.close(s.ground, body, joint=fb.Revolute("z"), name="pin")
    assert abs(math.cos(s.assemble([3.0])[0][0]) - 1) < SMALL  # the closed position, although the other one is nearer
    message = error(s, {"body": math.pi})
    assert message.startswith(
        "flipped: constraint 'pin' closes here only half a turn away: the axes of its joint in the two bodies are"
        " opposite, with q.body held as given. Give a guess nearer"
    )


def test_unknown_names_are_refused() -> None:
    assert "has no coordinate 'cranc' (did you mean 'crank'?)" in error(four_bar(), hold="cranc")
    assert "hold must be a name or a list of names, not 3" in error(four_bar(), hold=3)


def test_equations_of_the_size_of_rounding_do_not_refuse_a_state() -> None:
    """A planar loop in a turned plane: the derivatives of the equation across the plane are not exactly zero."""
    s = fb.System("turned")
    turned = [("x", 0.4), ("z", 0.3)]
    base = s.body("base", joint=fb.Free(), mass=5, inertia=(1, 2, 2.5))
    a = s.body("a", on=base, at=(0, 0.1, 0), orient=turned, joint=fb.Revolute("y"), mass=1, com=(0, 0.1, 0.5))
    b = s.body("b", on=a, at=(0, 0, 1), orient=("y", 0.2), joint=fb.Revolute("-y"), mass=1, com=(0.5, 0, 0))
    c = s.body("c", on=base, at=(0, 0.1, 0), orient=turned, joint=fb.Prismatic((1, 0, 1)), mass=1)
    s.close(c.point((0.7, 0, 0.2)), b.point((1, 0, 0)), fb.Revolute("y"), name="pin")
    q, u = s.assemble({"a": 0.3}, {"a": 0.7})
    at = s.derive().compile("numpy").constraint(q, u)
    assert np.isclose(q[7], 0.3) and np.isclose(u[6], 0.7)
    assert np.abs(at["phi"]).max() < 1e-12 and np.abs(at["G"] @ u).max() < 1e-12


@pytest.mark.parametrize("angle", [0.1, 0.5, -1.0])
def test_equations_that_depend_on_others_for_these_lengths_do_not_drive_the_state_away(angle: float) -> None:
    """Away from the closed positions all four equations are independent, and have no solution but flat positions."""
    s, guess = parallel_bars(), angle + np.array([0.0, -0.1, 0.1, 0.2 - 2 * angle])
    q, _ = s.assemble(list(guess))
    assert np.abs(q - q[0] * np.array([1, 1, 1, -1])).max() < 1e-9
    assert np.abs(q - guess).max() < 0.25


def test_gaps_of_rods_are_distances() -> None:
    """Not (l² − p²)/2l, the residual: 4 m here."""
    s = fb.System("rod")
    a = s.body("a", joint=fb.Prismatic("x"), mass=1)
    s.rod(s.ground, a, 1.0, name="link")
    with pytest.raises(ArgumentError, match=r"constraint 'link' cannot be satisfied: it is off by 2 m, with q.a held"):
        s.assemble({"a": 3.0})


def test_loops_of_very_different_sizes_are_assembled_together() -> None:
    """A loop of nanometres beside one of a kilometre: rounding of the large one hides residuals of the small one."""
    s = fb.System("sizes")
    for name, size in (("large", 1e3), ("small", 1e-9)):
        crank = s.body(f"{name}_crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, size), inertia=(1, 1, 1))
        rod = s.body(f"{name}_rod", on=crank, at=(size, 0, 0), joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
        slider = s.body(f"{name}_slider", joint=fb.Prismatic("x", initial=3 * size), mass=1)
        s.close(rod.point((3 * size, 0, 0)), slider, fb.Revolute("y"), name=f"{name}_pin")
    q, _ = s.assemble({"large_crank": 0.5, "small_crank": 0.5})
    names = list(s.derive().q)
    for name, size in (("large", 1e3), ("small", 1e-9)):
        place = q[names.index(f"{name}_slider")] / size
        assert place == pytest.approx(math.cos(0.5) + math.sqrt(9 - math.sin(0.5) ** 2), rel=1e-9)


def test_constraint_of_a_system_whose_motion_is_prescribed() -> None:
    """No speed is left: a constraint that is released does nothing, and one that holds contradicts the motion."""

    def arm(engaged: bool | None) -> fb.System:
        s = fb.System("arm")
        body = s.body("arm", joint=fb.Revolute("y", motion="0.3*sin(t)"), mass=1.0, com=(1, 0, 0), inertia=(1, 1, 1))
        s.point_on_plane(body.point((1, 0, 0)), name="contact", engaged=engaged)
        return s

    assert arm(False).simulate(0.1).success
    with pytest.raises(ArgumentError, match="'contact' does not allow these speeds"):
        arm(None).simulate(0.1)


def test_positions_that_are_tried_where_a_wheel_lies_flat_cause_no_warnings() -> None:
    s = fb.System("wheel")
    wheel = s.body("wheel", joint=fb.Free(), mass=1.0, inertia=fb.ring(1.0, 0.3, "y"))
    s.roll(wheel, radius=0.3, axis="y", name="contact")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = s.simulate(0.1, q={"wheel.z": 0.3}, u={"wheel.wy": 8.0, "wheel.wx": 0.1})
    assert run.success and run["u.wheel.vx"][0] == pytest.approx(2.4)
