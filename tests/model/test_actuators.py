"""Motors, servos and hydraulic cylinders follow exact solutions, and their powers balance."""

from typing import Any

import numpy as np
import pytest
import scipy.linalg

import freebody as fb
from freebody.errors import ModelError
from freebody.io import dumps, loads

TIGHT: Any = {"rtol": 1e-10, "atol": 1e-12}


def wheel(inertia: float = 0.5) -> fb.System:
    s = fb.System("wheel", gravity=(0, 0, 0))
    s.body("wheel", joint=fb.Revolute("z"), mass=1, inertia=(inertia, inertia, inertia))
    return s


def test_a_motor_with_current_dynamics_steps_like_the_matrix_exponential() -> None:
    """L di/dt = V − R i − kt n u, (J + n² Jm) u̇ = n (kt i − b n u)."""
    R, L, kt, n, Jm, b, V = 0.8, 0.01, 0.05, 20.0, 1e-4, 2e-5, 24.0
    s = wheel()
    s.add(fb.Motor("wheel", voltage=V, kt=kt, resistance=R, inductance=L, gear=n, inertia=Jm, viscous=b), "motor")
    t = np.linspace(0, 0.5, 26)
    run = s.simulate(t, **TIGHT)
    J = 0.5 + n * n * Jm
    A = np.array([[-R / L, -kt * n / L, V / L], [n * kt / J, -n * n * b / J, 0], [0, 0, 0]])
    exact = np.array([scipy.linalg.expm(A * x) @ [0, 0, 1.0] for x in t])
    assert np.allclose(run["z.motor.current"], exact[:, 0], rtol=1e-6)
    assert np.allclose(run["u.wheel"], exact[:, 1], rtol=1e-6)
    assert np.allclose(run["output.motor.shaft_speed"], n * exact[:, 1], rtol=1e-6)


def test_powers_of_a_motor_balance() -> None:
    """Input = output + loss + the rate of ½ L i², and the output is the work that the run records."""
    s = wheel()
    fields = {"efficiency": 0.7, "back_efficiency": 0.5, "viscous": 1e-5, "coulomb": 0.01, "gear": 20, "inertia": 1e-5}
    s.add(fb.Motor("wheel", voltage="24*cos(3*t)", kt=0.05, resistance=0.8, inductance=0.01, **fields), "m")
    t = np.linspace(0, 4, 8001)
    run = s.simulate(t, **TIGHT)
    work = {key: np.trapezoid(run[f"output.m.{key}"], t) for key in ("input_power", "output_power", "loss")}
    stored = 0.005 * run["z.m.current"][-1] ** 2
    assert work["input_power"] == pytest.approx(work["output_power"] + work["loss"] + stored, rel=1e-5)
    assert work["output_power"] == pytest.approx(run["work.load.m"][-1], rel=1e-5)
    assert run["energy.kinetic"][-1] == pytest.approx(run["work.load.m"][-1], rel=1e-6)
    assert run.energy_balance.error < 1e-6
    assert run["output.m.loss"].min() > -1e-9


@pytest.mark.parametrize(("speed", "ratio"), [(3.0, 0.8), (-3.0, 1 / 0.6)])
def test_efficiency_both_ways_is_the_ratio_of_powers(speed: float, ratio: float) -> None:
    """Driving, the joint gets 0.8 of the power of the shaft; driven, the shaft gets 0.6 of that of the joint."""
    s = wheel()
    s.add(fb.Motor("wheel", torque=0.3, gear=50, efficiency=0.8, back_efficiency=0.6), "m")
    run = s.simulate([0, 0.001], u={"wheel": speed})
    shaft = run["output.m.shaft_torque"] * run["output.m.shaft_speed"]
    assert np.allclose(run["output.m.output_power"] / shaft, ratio, rtol=1e-9)
    assert np.allclose(run["output.m.loss"], shaft - run["output.m.output_power"], rtol=1e-9)
    assert (run["output.m.loss"] > 0).all()


def test_the_envelope_falls_between_corner_and_largest_speed() -> None:
    s = wheel()
    s.input("T")
    s.add(fb.Motor("wheel", torque="T", max_torque=2.0, max_speed=100.0, corner=60.0), "m")
    f = s.derive().compile("numpy")

    def torque(u: float, T: float) -> float:
        return float(f.outputs([0.0], [u], inputs=[T])["m.torque"])

    for u, most in ((0, 2), (59, 2), (80, 1), (90, 0.5), (100, 0), (120, 0), (-90, 2)):
        assert torque(u, 9.0) == pytest.approx(most, abs=1e-12)
        assert torque(-u, -9.0) == pytest.approx(-most, abs=1e-12)
    assert torque(80, 0.7) == 0.7


def test_units_are_those_of_the_joint() -> None:
    s = wheel()
    s.body("slide", joint=fb.Prismatic("x"), mass=1)
    s.add(fb.Motor("wheel", torque=1), "a")
    s.add(fb.Motor("slide", torque=1), "b")
    s.add(fb.Motor("slide", torque=1, gear=100), "c")
    units = {v.name: v.unit for v in s.simulate(0.1).about.variables if v.group == "output"}
    assert [units[f"{m}.torque"] for m in "abc"] == ["N*m", "N", "N"]
    assert [units[f"{m}.shaft_speed"] for m in "abc"] == ["rad/s", "m/s", "rad/s"]


def test_the_rotor_is_an_armature() -> None:
    s, other = wheel(), fb.System("wheel", gravity=(0, 0, 0))
    s.parameter("n", 30.0)
    s.add(fb.Motor("wheel", torque=0, gear="n", inertia=1e-3), "m")
    other.body("wheel", joint=fb.Revolute("z", armature=0.9), mass=1, inertia=(0.5, 0.5, 0.5))
    M, N = (one.derive().compile("numpy").mass_matrix([0.2])[0, 0] for one in (s, other))
    assert pytest.approx(N, rel=1e-12) == M and pytest.approx(1.4) == M


def test_a_position_servo_has_the_motion_of_a_damped_oscillator() -> None:
    s = wheel()
    s.add(fb.Servo("wheel", position=1.0, kp=50, kd=2, gear=10), "servo")
    t = np.linspace(0, 3, 31)
    run = s.simulate(t, **TIGHT)
    d, w = 2.0, np.sqrt(100 - 4.0)
    assert np.allclose(run["q.wheel"], 1 - np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t)), atol=1e-8)


def test_a_velocity_servo_saturates_and_arrives() -> None:
    s = wheel()
    s.add(fb.Servo("wheel", velocity="2", kd=100, max_torque=0.1, gear=10), "servo")
    run = s.simulate(np.linspace(0, 2, 201))
    start = run.t < 0.9
    assert np.allclose(run["u.wheel"][start], 2 * run.t[start], atol=1e-6)  # 1 N·m on 0.5 kg·m²
    assert run["u.wheel"][-1] == pytest.approx(2, abs=1e-3)


# Hydraulic cylinders

GEOMETRY: Any = {"area": 2e-3, "rod_area": 1.5e-3, "closed_length": 0.5, "travel": 0.8, "dead_a": 1e-4, "dead_b": 2e-4}


def press(**fields: Any) -> fb.System:
    """A mass on a slide, pushed by a cylinder at half of its stroke."""
    s = fb.System("press", gravity=(0, 0, 0))
    s.body("mass", joint=fb.Prismatic("x", initial=0.9), mass=100.0)
    s.input("valve")
    s.add(fb.HydraulicCylinder("ground", "mass", **{**GEOMETRY, **fields}), "c")
    return s


def test_stiffness_of_a_closed_cylinder_is_the_sum_of_both_chambers() -> None:
    """k = β (A_a²/V_a + A_b²/V_b): the eigenfrequency of the linearisation is √(k/m)."""
    p = 4e6
    s = press(initial_a=p, initial_b=p * 2e-3 / 1.5e-3)
    lin = s.linearize(at={"q.mass": 0.9, "c.pressure_a": p, "c.pressure_b": p * 2e-3 / 1.5e-3})
    Va, Vb = 1e-4 + 2e-3 * 0.4, 2e-4 + 1.5e-3 * 0.4
    k = 1.4e9 * (2e-3**2 / Va + 1.5e-3**2 / Vb)
    assert np.abs(np.linalg.eigvals(lin.A).imag).max() == pytest.approx(np.sqrt(k / 100), rel=1e-9)


def test_speed_of_an_open_cylinder_follows_from_the_orifices() -> None:
    """Without load p_a A_a = p_b A_b, and the flows through both edges are A_a v and A_b v."""
    Q, drop, supply = 1e-3, 3.5e6, 15e6
    s = press(valve="valve", supply=supply, rated_flow=Q, smooth=1.0)
    run = s.simulate([0, 0.2, 0.4, 0.6], inputs={"valve": 0.3}, q={"mass": 0.6}, rtol=1e-9)
    A, B = 2e-3, 1.5e-3
    # (A v/(0.3 Q))² drop = supply − p_a and (B v/(0.3 Q))² drop = p_b, p_b = p_a A/B
    v = 0.3 * Q * np.sqrt(supply / drop / (A * A + B**3 / A))
    assert run["u.mass"][-1] == pytest.approx(v, rel=2e-3)
    pa, pb = run["z.c.pressure_a"][-1], run["z.c.pressure_b"][-1]
    assert pa * A == pytest.approx(pb * B, rel=1e-2)
    assert run["output.c.input_power"][-1] > run["output.c.output_power"][-1]


def test_powers_of_a_cylinder_balance() -> None:
    """What is neither output nor loss compresses the oil, V p ṗ/β in each chamber."""
    s = press(valve="valve", supply=15e6, tank=1e5, rated_flow=1e-3, leakage=1e-12, damping=500, friction=100)
    t = np.linspace(0, 1, 4001)
    run = s.simulate(t, inputs={"valve": "0.5*sin(8*t)"}, rtol=1e-9)
    p, x = [run[f"z.c.pressure_{k}"] for k in "ab"], run["output.c.stroke"]
    volumes = 1e-4 + 2e-3 * x, 2e-4 + 1.5e-3 * (0.8 - x)
    squeezed = sum(V * q * np.gradient(q, t) / 1.4e9 for V, q in zip(volumes, p, strict=True))
    total = run["output.c.output_power"] + run["output.c.loss"] + squeezed
    assert np.trapezoid(total, t) == pytest.approx(np.trapezoid(run["output.c.input_power"], t), rel=1e-4)
    assert np.trapezoid(run["output.c.output_power"], t) == pytest.approx(run["work.load.c"][-1], rel=1e-4)
    assert run["output.c.loss"].min() > -1e-6
    assert run.energy_balance.error < 1e-6


def test_leakage_equalises_pressures() -> None:
    """Of a held piston: ṗ_a − ṗ_b = −β c (1/V_a + 1/V_b) (p_a − p_b)."""
    s = press(initial_a=2e6, leakage=1e-11, area=2e-3, rod_area=2e-3)
    held = fb.System("held", gravity=(0, 0, 0))
    held.body("mass", joint=fb.Prismatic("x", motion="0.9"), mass=1.0)
    held.body("other", joint=fb.Prismatic("x"), mass=1.0)
    held.add(fb.HydraulicCylinder("ground", "mass", **GEOMETRY, initial_a=2e6, leakage=1e-11), "c")
    t = np.linspace(0, 0.05, 11)
    run = held.simulate(t, **TIGHT)
    rate = 1.4e9 * 1e-11 * (1 / (1e-4 + 2e-3 * 0.4) + 1 / (2e-4 + 1.5e-3 * 0.4))
    assert np.allclose(run["z.c.pressure_a"] - run["z.c.pressure_b"], 2e6 * np.exp(-rate * t), rtol=1e-7)
    assert s.loads["c"].symbols is not None


def test_files_and_signals_in_texts() -> None:
    s = press(valve="0.1*sin(t)", supply="14e6", rated_flow=1e-3)
    s.output("bar", "c.pressure_a/1e5")
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0.1, 0, 0), inertia=(1, 1, 1))
    s.add(fb.Motor("arm", voltage="valve", kt=0.1, resistance=1), "m")
    s.add(fb.Lag("m.current", 0.1), "filtered")
    again = loads(dumps(s), fb.System)
    assert again.digest() == s.digest() and dumps(again) == dumps(s)
    assert "hydraulic_cylinder:" in dumps(s) and "motor:" in dumps(s)
    run = s.simulate([0, 0.01], inputs={"valve": 2.0})
    assert np.allclose(run["output.bar"], run["z.c.pressure_a"] / 1e5)


@pytest.mark.parametrize(
    ("load", "message"),
    [
        (lambda: fb.Motor("wheel"), r"loads\.m\.motor: it has neither a torque nor a voltage; give one of them"),
        (lambda: fb.Motor("wheel", torque=1, voltage=1), "both a torque and a voltage"),
        (lambda: fb.Motor("wheel", voltage=1, kt=1), "needs resistance"),
        (lambda: fb.Motor("wheel", torque=1, inductance=1), "an inductance needs a voltage"),
        (lambda: fb.Motor("wheel", torque=1, efficiency=1.2), r"efficiency: an efficiency of 1\.2 would create energy"),
        (lambda: fb.Motor("wheel", torque=1, gear=0), r"gear: it is 0; it must be positive"),
        (lambda: fb.Motor("wheel", torque=1, max_speed=3), "give max_torque too"),
        (lambda: fb.Motor("wheel", torque=1, max_torque=1, corner=3), "give max_speed too"),
        (lambda: fb.Motor("ground", torque=1), "the ground has no joint"),
        (lambda: fb.Motor("free", torque=1), "choose one, such as speed="),
        (lambda: fb.Motor("free", torque=1, speed="wx", inertia=1), "has 6 speeds, and the inertia of a rotor"),
        (lambda: fb.Servo("wheel", kd=1), "it follows nothing"),
        (lambda: fb.Servo("wheel", position=1), "give kp"),
        (lambda: fb.Servo("wheel", velocity=1), "give kd"),
        (lambda: fb.Servo("free", position=1, kp=1, speed="wx"), "is not the rate of a coordinate"),
        (lambda: fb.HydraulicCylinder("ground", "wheel", area=0, closed_length=1, travel=1), "area: it is 0"),
        (lambda: fb.HydraulicCylinder("ground", "wheel", valve=1, area=1, closed_length=1, travel=1), "rated_flow"),
    ],
)
def test_what_an_actuator_cannot_be(load: Any, message: str) -> None:
    s = wheel()
    s.body("free", joint=fb.Free(), mass=1, inertia=(1, 1, 1))
    with pytest.raises(ModelError, match=message):
        s.add(load(), "m")
