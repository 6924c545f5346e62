"""Sensors: without errors they equal outputs and the kinematics of the bodies; their errors have the statistics that
their parameters say; equal seeds give equal numbers in all kinds of runs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import freebody as fb
from freebody.errors import UnitsWarning
from freebody.integrate import samples
from freebody.io import dumps, loads

Array = NDArray[np.float64]
TIGHT: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-12}
TURN = (("z", 0.4), ("x", -1.1))
PLACE = (0.3, -0.2, 0.5)


def machine() -> fb.System:
    """A free hull with an arm on an oblique hinge, a plate welded to the arm, a flexible boom with a load at its tip,
    and a loop that is closed."""
    s = fb.System("machine")
    hull = s.body("hull", joint=fb.Free(), mass=6.0, com=(0.1, 0, 0), inertia=(1.0, 1.5, 2.0))
    arm = s.body("arm", on=hull, at=(0.5, 0, 0), joint=fb.Revolute((1, 2, 2), damping=0.1), mass=1.0, com=(0, 0.3, 0))
    plate = s.body("plate", on=arm, at=(0, 0.6, 0), orient=("x", 0.7), mass=0.5, inertia=(0.01, 0.02, 0.02))
    beam = fb.Beam(2.0, EA=2e4, EI=(60.0, 40.0), GJ=30.0, density=0.5, polar_inertia=0.01)
    boom = s.body("boom", on=hull, at=(-0.5, 0, 0), orient=("z", np.pi), flexible=beam, modes=3)
    s.body("end", on=boom.node("tip"), mass=0.3, inertia=(0.02, 0.02, 0.02))
    one = s.body(
        "one", on=hull, at=(0, 0, 0.5), joint=fb.Revolute("x"), mass=0.4, com=(0, 0, 0.2), inertia=(0.1, 0.1, 0.1)
    )
    two = s.body(
        "two", on=hull, at=(0, 0.5, 0.5), joint=fb.Revolute("x"), mass=0.4, com=(0, 0, 0.2), inertia=(0.1, 0.1, 0.1)
    )
    link = s.body("link", on=one, at=(0, 0, 0.5), joint=fb.Revolute("x"), mass=0.2, com=(0, 0.25, 0))
    s.close(link.point((0, 0.5, 0)), two.point((0, 0, 0.5)), fb.Revolute("x"), name="pin")
    motor = s.input("motor", unit="N·m")
    s.joint_force("arm", motor)
    s.force(40.0 * s.ground.z, at=hull.centre)
    point = arm.point(PLACE)
    s.output("rate", s.angular_velocity(arm))
    tip = boom.node("tip")
    for axis in "xyz":
        s.output(f"tip {axis}", (s.acceleration(tip) - s.gravity).dot(getattr(tip, axis)))
        s.output(f"tip rate {axis}", s.angular_velocity(tip).dot(getattr(tip, axis)))
    for body, name in ((plate, "plate"), (arm, "arm"), (hull, "hull")):
        for axis in "xyz":
            along = getattr(body, axis)
            s.output(f"force on {name} {axis}", s.reaction_force(body).dot(along))
            s.output(f"torque on {name} {axis}", s.reaction_torque(body).dot(along))
    for axis in "xyz":
        s.output(f"force on pin {axis}", s.reaction_force("pin").dot(getattr(two, axis)))
        s.output(f"torque on pin {axis}", s.reaction_torque("pin").dot(getattr(two, axis)))
        s.output(f"seen {axis}", s.position(point, of=one.point((0.1, 0, 0))).dot(getattr(one, axis)))
    s.output("stretched", s.strain(boom, 0.4, (0.01, 0.02)))
    s.output("away", s.position(point, of=two.origin).norm())
    return s


START: dict[str, Any] = {
    "q": {"arm": 0.4, "one": 0.2, "two": 0.2, "link": -0.2},
    "u": {"hull.wx": 0.5, "hull.wy": -0.7, "hull.wz": 0.4, "arm": 1.2},
    "inputs": {"motor": "0.5*cos(4*t)"},
}


def measured(**sensors: Any) -> Any:
    """The motion of the machine with sensors, at the times of their samples."""
    s = machine()
    for name, sensor in sensors.items():
        s.sensor(name, sensor)
    return s.simulate(np.arange(26) * 0.02, **START, **TIGHT)


def test_every_kind_equals_outputs() -> None:
    """At the instants of samples, along the axes of bodies, with accelerations and reactions."""
    joints = "plate", "arm", "pin", "hull"
    run = measured(
        several=fb.QuantitySensor({"turn": "u.arm", "felt": "u_dot.arm", "sum": "rate.x + away"}, rate=50),
        encoder=fb.Encoder("arm", rate=50),
        place=fb.Encoder("hull.x", rate=50),
        loop=fb.Encoder("pin", rate=50),
        closing=fb.Tachometer("pin", rate=50),
        tacho=fb.Tachometer("hull.wy", rate=50),
        gauge=fb.StrainGauge("boom", 0.4, (0.01, 0.02), rate=50),
        sight=fb.PositionSensor({"body": "arm", "at": PLACE}, {"body": "one", "at": (0.1, 0, 0)}, rate=50),
        wire=fb.DistanceSensor({"body": "arm", "at": PLACE}, "two", rate=50),
        node=fb.IMU("boom.tip", rate=50),
        **{f"{name}_cell": fb.ForceTorqueSensor(name, rate=50) for name in joints},
    )
    pairs = {
        "several.turn": run["u.arm"],
        "several.felt": run["u_dot.arm"],
        "several.sum": run["rate"][:, 0] + run["away"],
        "encoder": run["q.arm"],
        "place": run["hull.x"],
        "loop": run["q.pin"],
        "closing": run["u.pin"],
        "tacho": run["u.hull.wy"],
        "gauge": run["stretched"],
        "wire": run["away"],
    }
    for axis in "xyz":
        pairs[f"sight.{axis}"] = run[f"seen {axis}"]
        pairs[f"node.accel.{axis}"] = run[f"tip {axis}"]
        pairs[f"node.gyro.{axis}"] = run[f"tip rate {axis}"]
        for name in joints:
            pairs[f"{name}_cell.force.{axis}"] = run[f"force on {name} {axis}"]
            pairs[f"{name}_cell.torque.{axis}"] = run[f"torque on {name} {axis}"]
    for name, true in pairs.items():
        assert np.abs(run[name] - true).max() <= 1e-12 * max(1, np.abs(true).max()), name
    constant = {name for name, true in pairs.items() if np.ptp(true) < 1e-4}
    without = "hull_cell", "pin_cell.torque", "pin_cell.force.x"  # of a free body, and of a plane loop
    assert not {name for name in constant if not name.startswith(without)}
    units = [run.variables[f"sensor.{n}"].unit for n in ("several.turn", "encoder", "place", "tacho", "node.accel.x")]
    assert units == ["rad/s", "rad", "m", "rad/s", "m/s²"]


@pytest.mark.parametrize(("body", "place"), [("arm", PLACE), ("boom.tip", (0, 0, 0))])
def test_an_imu_equals_differences_of_poses(body: str, place: tuple[float, ...]) -> None:
    """Of poses at seven times: the second derivative of the point less gravity, and Rᵀ Ṙ; along the axes of the
    mounting, on a body that moves and on one that bends."""
    s, h, at = machine(), 2e-3, 0.25
    s.sensor("imu", fb.IMU({"body": body, "at": place}, TURN, period=at))
    run = s.simulate(np.concatenate([[0.0], at + h * np.arange(-3, 4)]), **START, **TIGHT)
    pose = run.poses[body][1:]
    R = rotations(pose[:, 3:])
    x = pose[:, :3] + R @ np.array(place)
    second, first = np.array([2, -27, 270, -490, 270, -27, 2]) / 180, np.array([-1, 9, -45, 0, 45, -9, 1]) / 60
    force = second @ x / h**2 - [0, 0, -9.81]
    spin = R[3].T @ np.tensordot(first, R, 1) / h
    mounting = R[3] @ turned()
    now = 4
    assert np.abs(vector(run, "imu.accel", now) - mounting.T @ force).max() < 2e-7
    assert np.abs(vector(run, "imu.gyro", now) - turned().T @ [spin[2, 1], spin[0, 2], spin[1, 0]]).max() < 1e-9
    assert np.linalg.norm(vector(run, "imu.gyro", now)) > 0.5


def vector(run: Any, name: str, k: int) -> Array:
    return np.array([run[f"{name}.{axis}"][k] for axis in "xyz"])


def rotations(quaternions: Array) -> Array:
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def turned() -> Array:
    """The rotation of ``TURN``."""
    (_, a), (_, b) = TURN
    about_z = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    return np.asarray(about_z @ [[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])


def test_at_rest_an_imu_feels_gravity_upwards() -> None:
    s = fb.System("bench")
    table = s.body("table", at=(0, 0, 1), mass=1.0)
    cart = s.body("cart", joint=fb.Prismatic("x", damping=1), mass=1.0)
    for name, sensor in {
        "flat": fb.IMU(table, rate=10),
        "tilted": fb.IMU(table, TURN, rate=10),
        "earth": fb.IMU(s.ground, rate=10),
        "moving": fb.IMU(cart.point((0, 0.2, 0)), rate=10),
        "cell": fb.ForceTorqueSensor(table, TURN, rate=10),
    }.items():
        s.sensor(name, sensor)
    run = s.simulate([0, 1.0])
    for name in ("flat", "earth", "moving"):
        assert np.array_equal(vector(run, f"{name}.accel", -1), [0, 0, 9.81])
    assert np.abs(vector(run, "tilted.accel", -1) - turned().T @ [0, 0, 9.81]).max() < 1e-15
    assert np.array_equal(vector(run, "tilted.gyro", -1), np.zeros(3))
    assert np.abs(vector(run, "cell.force", -1) - turned().T @ [0, 0, 9.81]).max() < 1e-14


def test_mountings_in_degrees_are_warned_of() -> None:
    with pytest.warns(UnitsWarning, match=r"sensor 'imu': orient: 30 rad are 4.77 turns"):
        still(imu=fb.IMU("cart", ("x", 30), rate=10))


def test_sensors_of_joints_that_are_driven_or_coupled() -> None:
    s = fb.System("driven")
    s.body("lead", joint=fb.Revolute("z", motion="sin(t)"), inertia=(1, 1, 1))
    s.body("free", joint=fb.Revolute("z"), inertia=(1, 1, 1))
    s.body("gear", joint=fb.Revolute("z"), inertia=(1, 1, 1))
    s.couple("gear", "free", 3)
    s.sensor("seen", fb.Encoder("lead", rate=10))
    s.sensor("fast", fb.Tachometer("lead", rate=10))
    s.sensor("geared", fb.Tachometer("gear", rate=10))
    again = loads(dumps(s), fb.System)
    assert again.digest() == s.digest()
    for one in (s, again):
        run = one.simulate(np.arange(11) / 10, u={"free": 0.5})
        assert np.array_equal(run["geared"], run["u.gear"]) and abs(run["geared"][-1]) > 1
        assert np.abs(run["seen"] - np.sin(run.t)).max() < 1e-15 and np.abs(run["fast"] - np.cos(run.t)).max() < 1e-15


# Errors


def still(**sensors: Any) -> fb.System:
    """A cart that stands, with sensors."""
    s = fb.System("still")
    s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    for name, sensor in sensors.items():
        s.sensor(name, sensor)
    return s


NUMBER, RATE, DENSITY, WALK = 100_000, 100, 2e-3, 1e-3


def test_noise_has_the_deviations_and_the_spectrum_of_its_parameters() -> None:
    """Within five standard errors of estimates from 100 000 samples of three channels."""
    errors = {"noise": {"gyro": 0.3}, "noise_density": {"gyro": 0.04, "accel.y": 1e-2}, "bias": {"gyro.z": 2.0}}
    s = still(imu=fb.IMU("cart", rate=RATE, **errors))
    run = s.simulate(np.arange(NUMBER) / RATE, seed=4)
    deviation = np.sqrt(0.3**2 + 0.04**2 * RATE)
    for axis, mean in zip("xyz", (0, 0, 2), strict=True):
        x = run[f"imu.gyro.{axis}"] - mean
        assert abs(x.mean()) < 5 * deviation / np.sqrt(NUMBER)
        assert abs(x.std() / deviation - 1) < 5 / np.sqrt(2 * NUMBER)
        assert abs(np.mean((x / deviation) ** 4) - 3) < 5 * np.sqrt(96 / NUMBER)
        power = (np.abs(np.fft.rfft(x.reshape(100, -1), axis=1)[:, 1:-1]) ** 2).mean(axis=0) / 1000
        bands = power[:496].reshape(8, 62).mean(axis=1) / deviation**2
        assert np.abs(bands - 1).max() < 5 / np.sqrt(6200)
    assert abs(np.corrcoef(run["imu.gyro.x"], run["imu.gyro.y"])[0, 1]) < 5 / np.sqrt(NUMBER)
    assert abs(run["imu.accel.y"].std() / 0.1 - 1) < 5 / np.sqrt(2 * NUMBER)
    assert np.array_equal(run["imu.accel.x"], np.zeros(NUMBER))
    assert np.array_equal(run["imu.accel.z"], np.full(NUMBER, 9.81))


def test_the_allan_deviation_of_an_imu_follows_from_its_densities() -> None:
    """N/√τ of white noise and K √(τ/3) of the walk of the bias; the sum of a walk over m samples of the period T is
    exactly K² T (2 m² + 1)/(6 m)."""
    s = still(imu=fb.IMU("cart", rate=RATE, noise_density={"gyro": DENSITY}, bias_walk={"gyro": WALK}))
    run = s.simulate(np.arange(NUMBER) / RATE, seed=11)
    rates = np.stack([run[f"imu.gyro.{axis}"] for axis in "xyz"])
    white = np.stack([run[f"imu.gyro.{a}"] - run[f"imu.drift.gyro.{a}"] for a in "xyz"])[:, 1:]
    for m in (1, 10, 100, 1000):
        tau, clusters = m / RATE, 3 * NUMBER / m
        walk = WALK**2 / RATE * (2 * m * m + 1) / (6 * m)
        assert m == 1 or abs(walk / (WALK**2 * tau / 3) - 1) < 0.006
        bound = 4 * np.sqrt(2 / clusters)
        assert abs(allan(rates, m) / (DENSITY**2 / tau + walk) - 1) < bound, m
        assert m > 10 or abs(allan(white, m) / (DENSITY**2 / tau) - 1) < 0.1
    assert allan(rates, 1000) > 5 * DENSITY**2 / 10  # the walk is what is seen there
    steps = np.diff(np.stack([run[f"imu.drift.gyro.{a}"] for a in "xyz"]))
    assert abs(steps.std() / (WALK / np.sqrt(RATE)) - 1) < 5 / np.sqrt(6 * NUMBER)


def allan(rates: Array, m: int) -> float:
    """The Allan variance of rates over m samples, from overlapping averages."""
    sums = np.cumsum(np.pad(rates, ((0, 0), (1, 0))), axis=1)
    means = (sums[:, m:] - sums[:, :-m]) / m
    return float(np.mean((means[:, m:] - means[:, :-m]) ** 2) / 2)


def test_bias_limits_resolution_and_delay() -> None:
    """measured = round(limit(true + bias)), which appears after a delay that is no multiple of the period."""
    s = fb.System("wave")
    s.parameters(step=0.25, off=0.1)
    s.body("cart", joint=fb.Prismatic("x", motion="sin(5*t)"), mass=1.0)
    options: dict[str, Any] = {"bias": "off", "resolution": "step", "range": (-0.8, 0.9)}
    s.sensor("seen", of="q.cart", rate=20, offset=0.01, delay=0.07, **options)
    s.sensor("counted", fb.Encoder("cart", counts=100, rate=20))
    t = np.arange(1500) * 0.00131
    for step, off in ((0.25, 0.1), (0.3, -0.2)):
        run = s.simulate(t, parameters={"step": step, "off": off})
        number = np.floor((t - 0.08) / 0.05 + 1e-9)
        true = np.sin(5 * (0.01 + 0.05 * number))
        rounded = step * np.floor(np.clip(true + off, -0.8, 0.9) / step + 0.5)
        assert np.abs(run["seen"] - np.where(number < 0, 0.0, rounded)).max() < 1e-14
    count = run["counted"] / (2 * np.pi / 100)
    assert np.abs(count - np.round(count)).max() < 1e-12
    assert np.abs(run["counted"] - np.sin(5 * np.floor(t * 20 + 1e-9) / 20)).max() <= np.pi / 100 + 1e-12


def test_errors_may_be_expressions_of_the_state() -> None:
    s = still()
    s.sensor("cart_speed", of="u.cart", rate=10, noise="0.1*abs(u.cart)", bias="0.01*q.cart")
    standing, moving = s.simulate([0, 1.0]), s.simulate([0, 1.0], u={"cart": 1.0}, seed=2)
    assert np.array_equal(standing["cart_speed"], [0, 0])
    assert 1e-4 < abs(moving["cart_speed"][-1] - 1.01) < 0.5


# Runs of all kinds


def servo(noise: float = 0.002) -> fb.System:
    """A carriage whose controller reads a noisy encoder and an accelerometer."""
    s = fb.System("servo")
    s.parameters(spread=noise)
    push = s.input("push", unit="N")
    cart = s.body("cart", joint=fb.Prismatic("x", damping=0.3), mass=1.5)
    s.joint_force("cart", push)
    s.sensor("place", fb.Encoder(cart, resolution=1e-3, noise="spread", rate=200, delay=0.0075))
    s.sensor("imu", fb.IMU(cart, rate=100, noise_density=1e-3, bias_walk={"accel": 1e-2}))
    s.controller(
        "pd", rate=200, reads={"e": "0.3 - place"}, states={"last": "e"}, law={"push": "60*e + 12*(e - last)/period"}
    )
    return s


T = np.linspace(0, 1, 101)


def test_equal_seeds_give_equal_numbers_in_all_runs(tmp_path: Path) -> None:
    s = servo()
    run, other = s.simulate(T, seed=3), s.simulate(T, seed=4)
    assert np.abs(run["place"] - other["place"]).max() > 1e-3
    seen = "sensor.place", "sensor.imu.accel.x"
    swept = s.sweep(T, {"seed": [3, 4], "spread": [0.002, 0.005]}, record=list(seen))
    for name in ("q.cart", *seen):
        assert np.array_equal(swept[name].values[:, 0], [run[name], other[name]])
    sim = s.simulator(seed=3)
    sim.run_until(0.5)
    saved = sim.save()
    sim.run_until(1.0)
    last = [sim[name] for name in seen]
    sim.restore(saved)
    sim.run_until(1.0)
    assert last == [sim[name] for name in seen] == [run[name][-1] for name in seen]
    replay = s.simulate(T[50:], start=s.simulate(T[:51], seed=3))
    assert np.array_equal(replay["place"], run["place"][50:])
    again = fb.load(s.save(tmp_path / "servo.yaml"))
    assert again.digest() == s.digest()
    assert np.array_equal(again.simulate(T, seed=3).x, run.x)


def test_sensors_come_before_controllers_wherever_they_were_added() -> None:
    """At an instant a controller reads what sensors have measured there, and a sensor added after it its old state."""
    s = still()
    s.sensor("seen", of="q.cart + t", rate=10)
    s.controller("copy", rate=10, states={"value": "seen"}, initial={"value": -1.0})
    s.sensor("late", of="copy.value", rate=10)
    run = s.simulate(np.arange(11) / 10, q={"cart": 2.0})
    assert np.array_equal(run["copy.value"], run["seen"]) and np.abs(run["seen"] - 2 - run.t).max() < 1e-12
    assert np.array_equal(run["late"], [-1.0, *run["seen"][:-1]])


def test_noisy_loops_run_in_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the numbers of the loop in Python, to the bit."""
    s = servo()
    fast = s.simulate(T, seed=5)
    with monkeypatch.context() as patch:
        patch.setattr(samples, "can_loop", lambda compiled: False)
        slow = s.simulate(T, seed=5)
    assert np.array_equal(fast.x, slow.x) and np.array_equal(fast["place"], slow["place"])
    assert abs(fast["cart"][-20:].mean() - 0.3) < 0.02 and fast["imu.drift.accel.x"].std() > 1e-4


@pytest.mark.parametrize("formulation", ["crba", "aba", "gauss", "sayers", "poincare"])
def test_formulations_measure_the_same(formulation: str) -> None:
    s = servo(0.0)
    s.sensor("cell", fb.ForceTorqueSensor("cart", rate=100))
    t = np.arange(51) / 100
    run, other = (eq.simulate(t, seed=1) for eq in (s.derive("kane"), s.derive(formulation)))
    for name in ("place", "imu.accel.x", "cell.force.z"):
        assert np.abs(run[name] - other[name]).max() < 1e-8


def test_analyses_are_of_the_open_loop() -> None:
    with pytest.warns(UserWarning, match="open loop"):
        linear = servo().linearize()
    assert linear.A.shape == (2, 2)


def test_coordinates_that_sensors_need_are_not_omitted() -> None:
    s = fb.System("satellite")
    s.body("bus", joint=fb.Planar("z"), mass=1.0, inertia=(1, 1, 1))
    s.gravity = (0, 0, 0)
    s.sensor("gyro", of="u.bus.angle", rate=10)
    assert s.derive().unused_coordinates == ("bus.x", "bus.y", "bus.angle")
    s.sensor("star", fb.PositionSensor("bus", rate=10))
    assert s.derive().unused_coordinates == ("bus.angle",)
    with pytest.raises(fb.FreebodyError, match=r"'bus.x' cannot be omitted: sensor 'star' depends on it"):
        s.derive(omit=["bus.x"])


# Descriptions


def test_short_forms_in_files() -> None:
    text = """
freebody: 3
name: file
bodies:
  arm: {joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -1]}
controllers:
  law: {rate: 10, states: {x: gyro + both.speed + imu.accel.z}}
sensors:
  gyro: {of: u.arm, rate: 1000, noise: 0.01}
  both: {of: {angle: q.arm, speed: u.arm}, rate: 100, resolution: {angle: 0.01}}
  imu: {imu: {at: {body: arm, at: [0, 0, -1]}, orient: {axis: x, angle: 0.3}, rate: 500, noise_density: {accel: 0.02}}}
"""
    s = loads(text, fb.System)
    again = dumps(s)
    assert loads(again, fb.System).digest() == s.digest() and dumps(loads(again, fb.System)) == again
    assert "gyro: {of: u.arm, rate: 1000, noise: 0.01}" in again
    assert s.sampled["gyro"].kind == "quantity" and "3 sensors, 1 controller" in repr(s)


@pytest.mark.parametrize(
    ("sensor", "text"),
    [
        ({}, "sensor 'a': give what it measures, of='q.arm', or a sensor such as fb.IMU"),
        ({"of": "u.am", "rate": 1}, r"sensors.a.of: 'u.am' is not declared. Did you mean u.arm"),
        ({"of": "u.arm"}, "sensors.a: it needs a period in seconds, or a rate"),
        ({"of": {}, "rate": 1}, "sensors.a.of: it measures nothing"),
        ({"of": {"x y": 1}, "rate": 1}, "sensors.a.of: 'x y' cannot be a name here"),
        ({"of": "u.arm", "rate": 1, "noise": -1}, "sensors.a.noise: it is -1; it cannot be negative"),
        ({"of": "u.arm", "rate": 1, "resolution": 0}, "sensors.a.resolution: it is 0; leave it out"),
        ({"of": "u.arm", "rate": 1, "range": (2, 1)}, "its lower limit 2 is above the upper one, 1"),
        ({"of": "u.arm", "rate": 1, "noise": {"x": 1}}, "sensors.a.noise: give one value; there is one channel"),
        (fb.IMU("arm", rate=1, bias={"accel.w": 1}), "'accel.w' is not a channel. Did you mean accel.z"),
        (fb.IMU("boom.tp", rate=1), r"sensors.a.imu.at.body: 'boom' has no node 'tp'. Did you mean tip\?"),
        (fb.IMU({"body": "boom", "at": (2, 0, 0)}, rate=1), "is where its node 'tip' is, but does not move"),
        (fb.Encoder("ground", rate=1), "sensors.a.encoder.on: the ground has no joint"),
        (fb.Encoder("plate", rate=1), "the joint of 'plate' has no coordinate: there is nothing to measure"),
        (fb.Tachometer("base", rate=1), "has several; choose from 'base.x', 'base.y', 'base.angle'"),
        (fb.Encoder("arm", counts=-4, rate=1), "sensors.a.encoder.counts: it is -4; it must be positive"),
        (fb.Encoder("arm", counts=4, resolution=1, rate=1), "counts and resolution are both given"),
        (fb.ForceTorqueSensor("ground", rate=1), "the ground has none; name a body"),
        (fb.ForceTorqueSensor("stay", rate=1), "has no reaction force; use its multipliers"),
        (fb.StrainGauge("arm", 1, rate=1), "'arm' is not a flexible body"),
        (fb.StrainGauge("boom", 3, (0.1, 0), rate=1), "sensors.a.strain_gauge.at: 3 is not on the beam"),
        (fb.StrainGauge("boom", 1, rate=1), "the modes of 'boom' have no strain at x = 1"),
    ],
    ids=str,
)
def test_wrong_sensors_are_refused(sensor: Any, text: str) -> None:
    s = fb.System("wrong")
    arm = s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -0.5))
    s.body("plate", on=arm, mass=0.1)
    s.body("base", joint=fb.Planar("z"), mass=1, inertia=(1, 1, 1))
    s.body("boom", flexible=fb.Beam(2.0, EA=1e3, EI=(1e3, 1e3), GJ=1e3, density=1.0, polar_inertia=0.1), modes=2)
    s.rod(s.bodies["base"].point((0, 1, 0)), s.ground.point((0, 3, 0)), 2.0, name="stay")
    with pytest.raises(fb.FreebodyError, match=text):
        if isinstance(sensor, dict):
            s.sensor("a", **sensor)
        else:
            s.sensor("a", sensor)
    s.sensor("a", of="u.arm", rate=1, unit="deg/s")  # nothing is left of the wrong one
    assert s.simulate([0, 1.0]).variables["sensor.a"].unit == "deg/s"


def test_names_that_are_taken() -> None:
    s = still(imu=fb.QuantitySensor({"x": "q.cart"}, rate=10))
    for name, text in {
        "cart": "'cart' is the name of a body",
        "imu": "'imu' is the name of a sampled element",
        "imu.x": "'imu.x' is the name of a value that sensor 'imu' holds",
        "q.cart": "'q.cart' is the name of a coordinate",
    }.items():
        with pytest.raises(fb.FreebodyError, match=text):
            s.sensor(name, of="u.cart", rate=10)
    with pytest.raises(fb.FreebodyError, match=r"texts use .imu.x. for something else"):
        s.output("imu.x", "q.cart")
    with pytest.raises(fb.FreebodyError, match="pass options to IMU"):
        s.sensor("b", fb.IMU("cart", rate=10), rate=10)
    with pytest.raises(fb.FreebodyError, match=r"must be a sensor such as fb.IMU\(…\), not 'u.cart'"):
        s.sensor("b", "u.cart")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("{imu: {rate: 10}}", "sensors.gyro.imu: the key 'at' is missing"),
        ("{rate: 10}", "sensors.gyro: it measures nothing: give of: q.arm, or a kind of sensor"),
        ("{gps: {of: arm}}", "sensors.gyro.gps: there is no sensor 'gps'"),
        ("{of: u.arm, rat: 10}", r"sensors.gyro.rat: there is no key 'rat' here. Did you mean rate\?"),
        (
            "{encoder: {on: amr, rate: 10}}",
            r"<text>:6:24: sensors.gyro.encoder.on: 'amr' is not a body. Did you mean arm",
        ),
    ],
)
def test_wrong_sensors_in_files(entry: str, text: str) -> None:
    body = "arm: {joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -1]}"
    with pytest.raises(fb.FreebodyError, match=text):
        loads(f"freebody: 3\nname: x\nbodies:\n  {body}\nsensors:\n  gyro: {entry}\n", fb.System)
