"""Steady motions: speeds that stay, because nothing depends on the coordinates that move; and linearisations at points
that are none."""

import inspect
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import AnalysisWarning, ArgumentError
from tests.analysis.test_equilibrium import pendulum
from tests.analysis.textbook_systems import G, arm

ROOT = Path(__file__).parents[2]


def spring() -> fb.System:
    s = fb.System("spring", gravity=(0, 0, 0))
    s.body("a", joint=fb.Prismatic("x", stiffness=10, damping=1), mass=1)
    return s


def conical() -> fb.System:
    s = fb.System("conical")
    mast = s.body("mast", joint=fb.Revolute("z"), inertia=(0.1, 0.1, 0.1))
    s.body("arm", on=mast, joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    return s


def car() -> fb.System:
    """A chassis on four springs, with its mass centre in front of the middle, and drag above it."""
    s = fb.System("car")
    s.input("thrust")
    chassis = s.body("chassis", joint=fb.Free(), mass=1200, com=(0.2, 0, 0), inertia=(400, 1800, 2000))
    for x, y in [(1.3, 0.7), (1.3, -0.7), (-1.3, 0.7), (-1.3, -0.7)]:
        wheel = chassis.point((x, y, 0))
        height, rate = (v(wheel).dot(s.ground.z) for v in (s.position, s.velocity))
        s.force(s.ground.vector((0, 0, 25000 * (0.3 - height) - 500 * rate)), at=wheel)
    s.force(chassis.vector(("thrust - 0.8*u.chassis.vx*abs(u.chassis.vx)", 0, 0)), at=chassis.point((0, 0, 0.4)))
    return s


def stays(s: fb.System | fb.Equations, motion: Any, duration: float = 1.0) -> None:
    """A run that begins in the motion has constant speeds and extra states, and the same rates of the coordinates."""
    run = s.simulate(duration, q=motion.q, u=motion.u, z=motion.z, inputs=motion.inputs, rtol=1e-11, atol=1e-12)
    for name, value in motion.u.items():
        assert np.allclose(run[f"u.{name}"], value, rtol=0, atol=1e-7 * max(1, abs(value))), name
    for name, value in motion.q.items():
        if "qw" not in name and "qx" not in name and "qy" not in name and "qz" not in name:
            expected = value + motion.rates.get(name, 0.0) * run.t
            assert np.allclose(run[f"q.{name}"], expected, rtol=0, atol=1e-6), name


def test_a_speed_against_a_spring_is_no_steady_motion() -> None:
    """Forces vanish at q = −0.1, u = 1 for one instant."""
    with pytest.raises(ArgumentError, match=r"rate of change of .* as coordinates move is -10.*q\.a at 1 .*not steady"):
        spring().equilibrium(u={"a": 1.0})
    at_rest = spring().equilibrium(u={"a": 1.0}, free="u.a")
    assert abs(at_rest.q["a"]) < 1e-12 and not at_rest.rates
    assert spring().equilibria(u={"a": 1.0}, starts=3) == []


def test_coordinates_of_free_motion_are_left_out() -> None:
    """A piston that is moved slowly against its spring: the forces at one instant."""
    instant = spring().equilibrium(u={"a": 1.0}, free_motion="a")
    assert instant.q["a"] == pytest.approx(-0.1) and instant.rates == {"a": 1.0} and "steady motion" in str(instant)
    with pytest.raises(ArgumentError, match="no coordinate 'b' that may move; its coordinates: a"):
        spring().equilibrium(u={"a": 1.0}, free_motion="b")


@pytest.mark.parametrize("speed", [5.0, 6.0, 20.0])
def test_cyclic_coordinates_are_found(speed: float) -> None:
    """A conical pendulum, cos θ = g/(l ω²); with a speed of its arm it is none."""
    s = conical()
    turning = s.equilibrium(q={"arm": 0.8}, u={"mast": speed})
    assert np.cos(turning.q["arm"]) == pytest.approx(G / (0.5 * speed**2)) and turning.rates == {"mast": speed}
    stays(s, turning)
    with pytest.raises(ArgumentError, match=r"not steady.*rates=\{'q.arm': 0\}"):
        s.equilibrium(q={"arm": 0.8}, u={"mast": speed, "arm": 0.1})
    again = s.equilibrium(q={"arm": 0.8}, u={"mast": speed, "arm": 0.1}, free="u.arm")
    assert again.u["arm"] == pytest.approx(0, abs=1e-12)


def test_a_symmetry_need_not_be_a_coordinate() -> None:
    """Discs that turn together, in absolute angles; and a conical pendulum whose orientation is a quaternion."""
    discs = fb.System("discs", gravity=(0, 0, 0))
    one, two = (discs.body(name, joint=fb.Revolute("x"), mass=1, inertia=(1, 1, 1)) for name in ("one", "two"))
    discs.torque("7*(q.two - q.one)", on=one, reaction=two, about=discs.ground.x)
    stays(discs, discs.equilibrium(q={"one": 0.3}, u={"one": 5.0, "two": 5.0}, hold="one"))
    with pytest.raises(ArgumentError, match="not steady"):
        discs.equilibrium(u={"one": 5.0, "two": 4.0})
    s, angle = fb.System("pendulum"), 0.4
    s.body("bob", joint=fb.Spherical(), mass=1, com=(0, 0, -0.5), inertia=(0.01, 0.01, 0.01))
    tilted, about = (np.cos(angle / 2), 0, np.sin(angle / 2), 0), (-4 * np.sin(angle), 0, 4 * np.cos(angle))
    turning = s.equilibrium(q={"bob": tilted}, u={"bob": about}, hold="bob", free=["u.bob.wx", "u.bob.wz"])
    stays(s, turning)
    assert np.linalg.norm([*turning.u.values()]) == pytest.approx(np.sqrt(G / 0.5 / np.cos(angle)), rel=1e-9)
    assert turning.rates
    with pytest.raises(ArgumentError, match="not steady"):
        s.equilibrium(q={"bob": tilted}, u={"bob": (1, 0, 4)}, hold="bob", free="tau")


def test_a_car_trims_without_sinking() -> None:
    s, u = car(), {"chassis.vx": 20.0}
    with pytest.raises(ArgumentError, match=r"not steady.*q\.chassis\.z"):
        s.equilibrium(q={"chassis.z": 0.2}, u=u, free="thrust")
    ride = s.equilibrium(q={"chassis.z": 0.2}, u=u, free=["thrust", "u.chassis.vz"])
    assert abs(ride.u["chassis.vz"]) > 0.1 and "chassis.z" not in ride.rates and ride.rates["chassis.x"] > 19
    assert s.linearize(at=ride).largest_rate is None
    stays(s, ride)
    same = s.equilibrium(q={"chassis.z": 0.2}, u=u, free=["thrust", "u.chassis.vz"], rates={"q.chassis.z": 0})
    assert np.allclose(same.point.x, ride.point.x, atol=1e-9)


def test_rates_of_cyclic_coordinates_are_aimed_at() -> None:
    """A glider with lift and drag: nothing depends on its height, so that level flight must be asked for."""
    s = fb.System("plane")
    s.input("thrust")
    s.input("lift")
    plane = s.body("plane", joint=fb.Free(), mass=10, inertia=(1, 2, 3))
    forces = "thrust - 0.1*u.plane.vx*abs(u.plane.vx)", "-u.plane.vy", "lift - 3*u.plane.vz"
    s.force(plane.vector(forces), at=plane.origin)
    pitch = {"plane": (0, 0, 0, np.cos(0.05), 0, -np.sin(0.05), 0)}
    for climb in (0.0, 2.0):
        flight = s.equilibrium(
            q=pitch, u={"plane.vx": 30}, hold="plane", free=["thrust", "lift", "u.plane.vz"], rates={"q.plane.z": climb}
        )
        assert flight.rates.get("plane.z", 0.0) == pytest.approx(climb, abs=1e-9)
        stays(s, flight)
    refused = r"rate of 'plane\.z' less what rates=.* asks for .*a speed must be in free"
    with pytest.raises(ArgumentError, match=refused):
        s.equilibrium(q=pitch, u={"plane.vx": 30}, hold="plane", free=["thrust", "lift"], rates={"q.plane.z": 1})
    with pytest.raises(
        ArgumentError, match=r"linearize\(rates=…\) is used only with the search for an equilibrium: add trim=True"
    ):
        s.linearize({"u.plane.vx": 30}, rates={"q.plane.z": 0})
    with pytest.raises(ArgumentError, match=r"needs the name of one coordinate, such as one of q\.plane\.x"):
        s.equilibrium(u={"plane.vx": 30}, rates={"plane": 0})
    with pytest.raises(ArgumentError, match=r"the rate of 'q\.plane\.z': '0' is not a number"):
        s.equilibrium(u={"plane.vx": 30}, rates={"q.plane.z": "0"})


def test_a_bicycle_turns_steadily(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a circle of 20 m at 5 m/s, with its yaw before its place on the ground, so that these stay."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import bicycle

    text = inspect.getsource(bicycle.system)
    for old, new in (
        ('"x", joint=fb.Prismatic("x")', '"yaw", joint=fb.Revolute("z")'),
        ('("yaw", fb.Revolute("z"))', '("x", fb.Prismatic("x"))'),
    ):
        assert old in text
        text = text.replace(old, new)
    names = dict(vars(bicycle))
    exec(text, names)
    s: fb.System = names["system"]()
    s.joint_force(s.bodies["steer"], s.input("steering"))
    speed, radius = 5.0, 20.0
    guess = {"y": -radius, "roll": speed**2 / G / radius, "steer": 1.02 / radius}
    u = {"yaw": speed / radius, "rear": -speed / 0.3, "front": -speed / 0.35}
    eq = s.derive()
    turn = eq.equilibrium(q=guess, u=u, hold="y", free=["u.rear", "u.front", "steering"])
    assert turn.q["roll"] == pytest.approx(np.arctan(speed**2 / G / radius), rel=0.01)
    assert set(turn.rates) == {"yaw", "rear", "front"}
    stays(eq, turn)


@pytest.mark.filterwarnings("error::freebody.errors.AnalysisWarning")
def test_a_bicycle_rides_steadily_straight_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its wheels turn, and rates of accelerations by their angles are rounding errors."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import bicycle

    eq = bicycle.system().derive()
    for speed in (1.0, 4.3, 50.0):
        assert eq.linearize({"u.x": speed}, independent=("roll", "steer")).largest_rate is None


def test_points_that_are_no_equilibrium_are_named() -> None:
    s = pendulum()
    expected = r"not an equilibrium: u\.arm changes at -?[\d.]+ rad/s².*trim=True"
    with pytest.warns(AnalysisWarning, match=expected) as caught:
        lin = s.linearize({"q.arm": 1.2})
    assert caught[0].filename == __file__ and lin.largest_rate.state == "u.arm"
    assert lin.largest_rate.value == pytest.approx(lin.rate[1])
    for one in (lin, lin.modes(), pickle.loads(pickle.dumps(lin))):
        for shown in (repr(one), one._repr_html_()):
            assert "not an equilibrium: u.arm changes at" in shown
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        trimmed = s.linearize({"q.arm": 1.2}, trim=True)
    assert trimmed.largest_rate is None and "equilibrium" not in repr(trimmed) + str(trimmed.modes())


@pytest.mark.filterwarnings("error::freebody.errors.AnalysisWarning")
@pytest.mark.parametrize("minimal", [True, False])
def test_equilibria_and_steady_motions_are_recognised(minimal: bool) -> None:
    for s in (arm(), pendulum(damping=0.1), conical()):
        for at in s.equilibria(starts=5):
            assert s.linearize(at=at, minimal=minimal).largest_rate is None
    turning = conical().equilibrium(q={"arm": 0.8}, u={"mast": 6.0})
    assert conical().linearize(at=turning, minimal=minimal).largest_rate is None
    with pytest.raises(AnalysisWarning, match=r"q\.a changes at 1 m/s"):
        spring().linearize({"q.a": -0.1, "u.a": 1.0}, minimal=minimal)
    lag = fb.System("lag")
    lag.body("a", joint=fb.Prismatic("x"), mass=1)
    lag.state("z", rate="1 - z")
    with pytest.raises(AnalysisWarning, match="z changes at 1 1/s"):
        lag.linearize(minimal=minimal)
    assert lag.linearize({"z": 1.0, "u.a": 3.0}, minimal=minimal).largest_rate is None  # steady: nothing depends on q.a
