"""Live simulations: they agree with runs, and a pull agrees with the same force as a load of the model."""

from collections.abc import Callable

import numpy as np
import pytest

import freebody as fb
from freebody.api.live import live_simulation
from freebody.errors import ArgumentError, FreebodyError
from freebody.run.live_simulation import LiveSimulation, angles_of, quaternion_of, round_up

FRAME = 1 / 40


def pendulum() -> fb.System:
    s = fb.System("pendulum")
    m, l = s.parameters(m=1.0, l=0.5)
    motor = s.input("motor", unit="N·m")
    upper = s.body("upper", joint=fb.Revolute("y"), mass=m, com=(0, 0, -l / 2), inertia=fb.rod(m, l, "z"))
    lower = s.body(
        "lower", on=upper, at=(0, 0, -l), joint=fb.Revolute("y"), mass=m, com=(0, 0, -l / 2), inertia=fb.rod(m, l, "z")
    )
    s.torque(motor, on=lower, reaction=upper, about=lower.y)
    return s


def tumbling() -> fb.System:
    """A free body with a body on a spherical joint: both have quaternions."""
    s = fb.System("tumbling")
    hub = s.body("hub", joint=fb.Free(), mass=2, inertia=(0.2, 0.3, 0.4))
    s.body("arm", on=hub, at=(0.3, 0, 0), joint=fb.Spherical(), mass=1, com=(0.2, 0.1, 0), inertia=(0.1, 0.1, 0.15))
    return s


def four_bar() -> fb.System:
    s = fb.System("four-bar")
    s.parameter("b", 0.9)
    parts = {"crank": 0.3, "rocker": 0.6}
    for name, length in parts.items():
        s.body(
            name,
            at=(0, 0, 0) if name == "crank" else (0.8, 0, 0),
            joint=fb.Revolute("y"),
            mass=1,
            com=(0, 0, length / 2),
            inertia=(0.02, 0.02, 0.001),
        )
    rod = s.body(
        "rod",
        on="crank",
        at=(0, 0, 0.3),
        joint=fb.Revolute("y", initial=1.2),
        mass=1,
        com=("b/2", 0, 0),
        inertia=(0.001, 0.05, 0.05),
    )
    s.close(rod.point(("b", 0, 0)), s.bodies["rocker"].point((0, 0, 0.6)), joint=fb.Revolute("y"), name="pin")
    return s


def boom() -> fb.System:
    s = fb.System("boom")
    beam = fb.Beam(length=2, EA=1e5, EI=(50, None), GJ=40, density=1.2)
    body = s.body("boom", joint=fb.Revolute("z"), flexible=beam, modes=3)
    s.body("tip mass", on=body.node("tip"), mass=0.5)
    return s


def chain() -> fb.System:
    """So many bodies that their equations are loops."""
    s, on = fb.System("chain"), None
    for k in range(60):
        on = s.body(
            f"b{k}",
            on=on,
            at=(0, 0, -0.1 if k else 0),
            joint=fb.Revolute("xyz"[k % 2]),
            mass=0.1,
            com=(0, 0, -0.05),
            inertia=(1e-4, 1e-4, 1e-5),
        )
    return s


SYSTEMS: dict[str, tuple[Callable[[], fb.System], str]] = {
    "tree": (pendulum, "lower"), "quaternions": (tumbling, "arm"), "loop": (four_bar, "rod"),
    "flexible": (boom, "boom.tip"), "rolled": (chain, "b50"),
}  # fmt: skip
POINT, FORCE = np.array([0.1, -0.2, 0.3]), np.array([3.0, -2.0, 5.0])


def frames(live: LiveSimulation, seconds: float) -> None:
    for _ in range(round(seconds / FRAME)):
        assert live.advance(FRAME) == ""


@pytest.mark.parametrize("kind", SYSTEMS)
def test_a_constant_pull_is_the_same_force_as_a_load_of_the_model(kind: str) -> None:
    """The same motion, for trees, quaternions, loops, flexible bodies and equations in loops."""
    build, name = SYSTEMS[kind]
    live = live_simulation(build().freeze(), rtol=1e-9, atol=1e-11)
    live.set_force(live.bodies.index(name), POINT, FORCE)
    s = build()
    body = s.bodies[name]
    s.force(FORCE[0] * s.ground.x + FORCE[1] * s.ground.y + FORCE[2] * s.ground.z, at=body.point(tuple(POINT)))
    inputs = dict.fromkeys(s.inputs, 0.0)
    end = 2 * FRAME if kind == "rolled" else 8 * FRAME
    run = s.simulate(np.array([0.0, end]), inputs=inputs, rtol=1e-9, atol=1e-11)
    frames(live, end)
    assert np.allclose(live.x, run.x[-1], rtol=1e-6, atol=1e-7)
    free = build().simulate(np.array([0.0, end]), inputs=inputs)
    assert np.abs(run.x[-1] - free.x[-1]).max() > 1e-2, "the force matters"
    live.release()
    assert not np.any(live.compiled.d)


@pytest.mark.parametrize("kind", ["tree", "loop", "quaternions"])
def test_frames_agree_with_a_run(kind: str) -> None:
    """Poses, energies and states at the end of many short parts, with an input that is not zero."""
    s = SYSTEMS[kind][0]()
    inputs = dict.fromkeys(s.inputs, 0.3)
    run = s.simulate(np.array([0.0, 1.0]), inputs=inputs)
    live = live_simulation(s.freeze(), rtol=1e-8, atol=1e-10)
    for name, value in inputs.items():
        live.set_input(name, value)
    frames(live, 1.0)
    assert np.allclose(live.x, run.x[-1], rtol=1e-5, atol=1e-6)
    positions, turns = live.poses()
    for k, name in enumerate(live.bodies):
        x, y, z, *turn = run[f"pose.{name}"][-1]
        assert np.allclose(positions[k], (x, y, z), atol=1e-5)
        assert abs(abs(turns[k] @ turn) - 1) < 1e-9
    assert np.allclose(live.energies(), (run["energy.kinetic"][-1], run["energy.potential"][-1]), atol=1e-4)


REACHED = {
    "tree": {"upper": 0.3, "lower": 0.9},
    "loop": {"crank": 0.4},
    "quaternions": {"hub.x": 0.3},
    "flexible": {"boom": 0.1},
}


@pytest.mark.parametrize("kind", REACHED)
def test_a_body_follows_the_pointer_and_is_free_again_when_released(kind: str) -> None:
    """A target where the mechanism can bring the point, without gravity: it is there after a few periods of the spring,
    and loops stay closed."""
    build, name = SYSTEMS[kind]
    s = build()
    s._gravity = (0, 0, 0)
    live = live_simulation(s.freeze(), q={"lower": 0.5} if kind == "tree" else None)
    body = live.bodies.index(name)
    (R, p, *_), (S, o, *_) = live._body(body), live_simulation(s.freeze(), q=REACHED[kind])._body(body)
    start, target = p + R @ POINT, o + S @ POINT
    live.pull(body, POINT, target, 2.0)
    assert live.pulling is not None and np.linalg.norm(live.pulling.force) > 0
    frames(live, 2.0)
    assert np.linalg.norm(live.pulling.point - target) < 0.03 * np.linalg.norm(target - start)
    live.release()
    assert live.pulling is None
    before = sum(live.energies())
    frames(live, 0.5)
    assert np.isclose(sum(live.energies()), before, rtol=1e-3, atol=1e-6), "no force is left"
    position, speed = live.compiled.mechanics.drift(np.array([live.t]), live.x[None, :])
    assert position < 1e-8 and speed < 1e-7


def test_a_parameter_changes_without_a_jump_and_loops_are_assembled_again() -> None:
    live = live_simulation(pendulum().freeze(), q={"upper": 0.4})
    frames(live, 0.25)
    x, energy = live.x.copy(), live.energies()
    live.set_parameter("m", 2.0)
    assert np.array_equal(live.x, x) and np.allclose(live.energies(), 2 * np.array(energy))
    run = pendulum().simulate(np.array([0.0, 0.25]), q=x[:2], u=x[2:], parameters={"m": 2.0}, inputs={"motor": 0.0})
    frames(live, 0.25)
    assert np.allclose(live.x, run.x[-1], atol=1e-5)
    loop = live_simulation(four_bar().freeze())
    frames(loop, 0.25)
    loop.set_parameter("b", 0.85)
    position, _ = loop.compiled.mechanics.drift(np.array([loop.t]), loop.x[None, :])
    assert position < 1e-9
    x = loop.x.copy()
    with pytest.raises(ArgumentError, match="pin"):
        loop.set_parameter("b", 9.0)
    assert np.array_equal(loop.x, x) and loop.compiled.parameters["b"] == 0.85
    frames(loop, 0.1)
    with pytest.raises(ArgumentError, match="mass of 'upper' is -1"):
        live.set_parameter("m", -1.0)


def test_a_parameter_with_which_nothing_can_move_leaves_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Although the loop was assembled with it."""
    loop = live_simulation(four_bar().freeze())
    x = loop.x.copy()
    monkeypatch.setattr(loop, "_refusal", lambda end: "the mass matrix is singular")
    with pytest.raises(ArgumentError, match="singular"):
        loop.set_parameter("b", 0.85)
    assert np.array_equal(loop.x, x) and loop.compiled.parameters["b"] != 0.85


def test_a_coordinate_is_set_and_the_others_follow() -> None:
    live = live_simulation(four_bar().freeze())
    frames(live, 0.2)
    live.set_coordinate("crank", 0.9)
    position, speed = live.compiled.mechanics.drift(np.array([live.t]), live.x[None, :])
    assert live.coordinate("crank") == 0.9 and position < 1e-9 and speed == 0.0
    tumble = live_simulation(tumbling().freeze())
    tumble.set_coordinate("arm.yaw", 0.7)
    tumble.set_coordinate("arm.pitch", -0.4)
    assert np.isclose(tumble.coordinate("arm.yaw"), 0.7) and np.isclose(tumble.coordinate("arm.pitch"), -0.4)
    with pytest.raises(ArgumentError, match="no coordinate 'leg'"):
        tumble.set_coordinate("leg", 1.0)
    angles = np.random.default_rng(0).uniform(-1.5, 1.5, (20, 3))
    assert all(np.allclose(angles_of(quaternion_of(row)), row) for row in angles)


def test_constraints_are_switched_and_reset() -> None:
    s = pendulum()
    s.close(
        s.bodies["lower"].point((0, 0, -0.5)), s.ground, joint=fb.Spherical(), name="latch", engaged=False, capture=True
    )
    live = live_simulation(s.freeze(), q={"upper": 0.5})
    frames(live, 0.2)
    assert live.engaged == {"latch": False} and live.value("engaged.latch") == 0
    live.engage("latch", True)
    x = live.x.copy()
    frames(live, 0.3)
    assert live.engaged == {"latch": True} and np.allclose(live.x[:2], x[:2], atol=1e-6), "it holds the tip"
    live.engage("latch", False)
    frames(live, 0.2)
    assert np.abs(live.x - x).max() > 0.1
    live.engage("latch", True)
    live.reset()
    assert live.engaged == {"latch": False} and live.t == 0 and np.allclose(live.x, [0.5, 0, 0, 0])


def test_a_failure_is_reported_and_a_reset_helps() -> None:
    s = pendulum()
    s.state("charge", "charge**2", initial=1.0)  # infinite at t = 1
    live = live_simulation(s.freeze())
    messages = [live.advance(0.25) for _ in range(5)]
    assert messages[0] == "" and "t = " in messages[-1]
    assert np.all(np.isfinite(live.x)) and live.t <= 1.0
    live.reset()
    assert live.advance(0.25) == ""
    massless = fb.System("massless")
    massless.body("a", joint=fb.Revolute("y"))
    with pytest.raises(FreebodyError, match="'a'"):
        live_simulation(massless.freeze())


def test_events_end_and_change_a_live_simulation() -> None:
    s = fb.System("ball")
    s.body("ball", joint=fb.Prismatic("z"), mass=1)
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-u.ball"}, name="bounce")
    live = live_simulation(s.freeze(), q={"ball": 1.0}, events=[bounce])
    frames(live, 2.0)
    assert live.value("q.ball") > 0 and np.isclose(sum(live.energies()), 9.81, rtol=1e-4)
    floor = live_simulation(s.freeze(), q={"ball": 1.0}, events=[fb.Event("q.ball", terminal=True, name="floor")])
    assert "floor" in [floor.advance(0.25) for _ in range(2)][-1]


def test_sliders_have_sensible_ranges() -> None:
    live = live_simulation(pendulum().freeze(), ranges={"l": (0.2, 0.8)})
    (motor,), parameters = live.inputs, {p.name: p for p in live.parameters}
    assert motor.unit == "N·m" and 0.1 < motor.high < 20 and motor.low == -motor.high
    assert (parameters["l"].low, parameters["l"].high) == (0.2, 0.8) and parameters["m"].low > 0
    assert [c.name for c in live.coordinates] == ["upper", "lower"]
    assert [round_up(x) for x in (0.3, 1.0, 11.0)] == [0.5, 1.0, 20.0]
    names = {c.name for c in live_simulation(tumbling().freeze()).coordinates}
    assert names >= {"hub.x", "hub.roll", "arm.yaw"} and "hub.qw" not in names
    law = live_simulation(pendulum().freeze(), inputs={"motor": "-0.1*u.lower"})
    assert law.inputs == []
    for options, text in (
        ({"ranges": {"l": (1, 0)}}, "lower one first"),
        ({"ranges": {"x": (0, 1)}}, "no input or parameter 'x'"),
        ({"inputs": [1, 2]}, "has 1 inputs"),
        ({"inputs": {"pull1.force.x": 1.0}}, "no input 'pull1.force.x'"),
        ({"constraints": "none"}, "by projection"),
        ({"nonsense": 3}, "no option 'nonsense'"),
    ):
        with pytest.raises(ArgumentError, match=text):
            live_simulation(pendulum().freeze(), **options)


@pytest.mark.parametrize("method", ["dop853", "rodas5p", "radau"])
def test_an_input_that_is_set_causes_events(method: str) -> None:
    """As in a simulator: the conditions that it carries across zero happen in the next frame, also at the start."""
    s = fb.System("brake", gravity=(0, 0, 0))
    s.input("on")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.close(s.ground, cart, name="brake", engaged=False, capture=True)
    events = [fb.Event("on - 0.5", engage="brake", direction=1), fb.Event("on - 0.5", release="brake", direction=-1)]
    for first in (0.0, 0.5):
        live = live_simulation(s.freeze(), u={"cart": 1.0}, events=events, method=method)
        if first:
            assert not live.advance(first)
        for value in (0.2, 0.6, 1.0):
            live.set_input("on", value)
        assert not live.advance(0.5) and live.engaged == {"brake": True}
        assert live.value("q.cart") == pytest.approx(first, abs=1e-9)
        live.set_input("on", 0.0)
        assert not live.advance(0.5) and live.engaged == {"brake": False}
