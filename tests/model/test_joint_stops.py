"""Stops of joints: Hunt and Crossley's law in numbers, energy, files, and every kind of joint and lane."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import freebody as fb
from freebody.errors import FieldError, ModelError, SimulationWarning
from freebody.io import dumps, loads

TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def restitution(s: float) -> float:
    """e(d v0) of Hunt and Crossley's law: −e s − ln(1 − e s) = s − ln(1 + s)."""
    if s == 0:
        return 1.0
    return brentq(lambda e: -e * s - math.log(1 - e * s) - s + math.log(1 + s), 1e-9, min(1, 1 / s) * (1 - 1e-15))


def slider(joint: fb.Prismatic | None = None, **stop: object) -> fb.System:
    s = fb.System("slider", gravity=(0, 0, 0))
    s.body("mass", joint=joint or fb.Prismatic("x"), mass=2.0)
    s.joint_stop("mass", **stop)
    return s


@pytest.mark.parametrize("d", [0, 0.1, 0.25, 0.5, 1])
@pytest.mark.parametrize("method", ["dopri5", "rodas5p"])
def test_restitution_is_that_of_the_closed_form(d: float, method: str) -> None:
    s = slider(lower=0.0, stiffness=2e4, dissipation=d)
    run = s.simulate(0.2, q={"mass": 0.1}, u={"mass": -2.0}, method=method, **TIGHT)
    e = run["u.mass"][-1] / 2
    assert abs(e - restitution(2 * d)) < 1e-8


def test_published_values_of_the_closed_form() -> None:
    assert restitution(2.0) == pytest.approx(0.41072, abs=1e-5)
    assert restitution(1e-3) == pytest.approx(1 - 2 / 3 * 1e-3, abs=1e-6)


def test_both_ends_push_back_inside() -> None:
    s = slider(lower=-0.1, upper=0.1, stiffness=2e4, dissipation=0)
    run = s.simulate(1.0, u={"mass": 1.0}, **TIGHT)
    gap, force, q = run["stop.mass.gap"], run["stop.mass.force"], run["q.mass"]
    assert np.allclose(gap, np.minimum(q + 0.1, 0.1 - q))
    assert np.allclose(force, 2e4 * (np.maximum(0, -0.1 - q) - np.maximum(0, q - 0.1)))
    assert force.min() < 0 < force.max()
    assert np.allclose(run["energy.total"], 1.0, rtol=1e-8)
    assert np.all(run["stop.mass.stiffness"] == 2e4)


def test_dissipation_is_in_the_balance_of_energy() -> None:
    run = slider(lower=0.0, stiffness=2e4, dissipation=0.5).simulate(0.2, q={"mass": 0.1}, u={"mass": -2.0}, **TIGHT)
    assert run.energy_balance.error < 1e-8
    assert run["power.load.mass"].max() <= 1e-12
    lost = run["energy.total"][0] - run["energy.total"][-1]
    assert lost == pytest.approx(4 * (1 - restitution(1.0) ** 2), rel=1e-7)


def test_torque_at_a_stop_at_rest_is_that_of_the_weight() -> None:
    s = fb.System("bar")
    s.body("bar", joint=fb.Revolute("y", limits=(-1.0, 0.2)), mass=3.0, com=(0.5, 0, 0), inertia=(0.01, 0.25, 0.25))
    s.joint_stop("bar")
    run = s.simulate(20.0, rtol=1e-9, atol=1e-11)
    q = run["q.bar"][-1]
    assert 0.2 < q < 0.21 and abs(run["u.bar"][-1]) < 1e-6
    assert -run["stop.bar.force"][-1] == pytest.approx(3 * 9.81 * 0.5 * math.cos(q), rel=1e-5)
    assert run["stop.bar.stiffness"][0] == 40000  # (0.25 + 3 · 0.5²)/(5 ms)²


def test_default_stiffness_is_of_everything_beyond_the_joint() -> None:
    s = fb.System("two", gravity=(0, 0, 0))
    m = s.parameter("m", 2.0)
    one = s.body("one", joint=fb.Revolute("z", limits=(-1, 1), armature=0.5), mass=1.0, com=(0.5, 0, 0),
                 inertia=(1, 1, 0.1))  # fmt: skip
    s.body("two", on=one, at=(1, 0, 0), joint=fb.Revolute("y", initial=0.3), mass=m, com=(0.4, 0, 0.1),
           inertia=(0.3, 0.2, 0.1))  # fmt: skip
    s.joint_stop(one)
    M = s.derive().compile().mass_matrix([0.0, 0.3])
    k = s.simulate(0.01)["stop.one.stiffness"][0]
    assert k == float(f"{M[0, 0] / 0.005**2:.3g}")


def test_default_stiffness_of_a_flexible_body() -> None:
    s = fb.System("beam", gravity=(0, 0, 0))
    beam = fb.Beam(1.0, EI=(1e3, None), density=3.0)
    s.body("beam", joint=fb.Revolute("y", limits=(-1, 1)), flexible=beam, modes=2)
    s.joint_stop("beam")
    assert s.simulate(0.01)["stop.beam.stiffness"][0] == pytest.approx(1 / 0.005**2, rel=5e-3)  # ρ L³/3 = 1


JOINTS = {
    "revolute": (fb.Revolute("z"), [""]),
    "prismatic": (fb.Prismatic("x"), [""]),
    "screw": (fb.Screw("x", pitch=0.1), [""]),
    "universal": (fb.Universal(), fb.Universal().coordinates),
    "cylindrical": (fb.Cylindrical("z"), fb.Cylindrical("z").coordinates),
    "planar": (fb.Planar(), fb.Planar().coordinates),
    "compound": (fb.Compound(fb.Revolute("z"), fb.Prismatic("x")), None),
    "custom": (fb.Custom(("x", "h", "x*h"), coordinates=["x", "h"]), ["x", "h"]),
}


@pytest.mark.parametrize("kind", JOINTS)
def test_each_coordinate_of_each_joint_can_have_a_stop(kind: str) -> None:
    joint, names = JOINTS[kind]
    for coordinate in joint.coordinates if names is None else names:
        s = fb.System("one", gravity=(0, 0, 0))
        body = s.body("b", joint=joint, mass=1.0, com=(0.1, 0.2, 0.3), inertia=(0.3, 0.4, 0.5))
        stop = s.joint_stop(body, upper=0.1, coordinate=coordinate)
        name = f"b.{coordinate}" if coordinate else "b"
        assert stop.name == name
        run = s.simulate(1.0, u={name: 0.5}, rtol=1e-9, atol=1e-11)
        assert run[f"q.{name}"].max() < 0.15
        assert run[f"stop.{name}.force"].min() < 0 == run[f"stop.{name}.force"].max()
        assert run.energy_balance.error < 1e-6
        assert loads(dumps(s), fb.System).digest() == s.digest()


def test_joints_whose_speeds_are_no_rates_are_refused() -> None:
    s = fb.System("one")
    s.body("b", joint=fb.Spherical(), mass=1.0, inertia=(1, 1, 1))
    with pytest.raises(FieldError, match=r"stops\.'b\.qw'\.on: the spherical joint of 'b' cannot have a stop"):
        s.joint_stop("b", lower=0, coordinate="qw")
    with pytest.raises(FieldError, match=r"the spherical joint of 'b' cannot have a stop"):
        s.joint_stop("b", lower=0)  # no coordinate is suggested


def test_wrong_stops_are_refused_with_the_reason() -> None:
    s = fb.System("one")
    s.body("a", joint=fb.Revolute("z"), mass=1.0, inertia=(1, 1, 1))
    s.body("b", joint=fb.Universal(), mass=1.0, inertia=(1, 1, 1))
    s.body("w", mass=1.0, inertia=(1, 1, 1))
    for match, options in {
        "has no limits; give lower, upper or both": {"body": "a"},
        "has 2 coordinates; choose one": {"body": "b", "upper": 1},
        "has one coordinate; leave out coordinate='x'": {"body": "a", "upper": 1, "coordinate": "x"},
        "has no coordinates, so it needs no stop": {"body": "w", "upper": 1},
        "its distance from the lower end is -1; it must be positive": {"body": "a", "lower": 1, "upper": 0},
        "stiffness: it is -1; it must be positive": {"body": "a", "upper": 1, "stiffness": -1},
        "stops nothing": {"body": "a", "upper": 1, "stiffness": 0},
        "dissipation: it is -1": {"body": "a", "upper": 1, "dissipation": -1},
        "may depend on numbers and parameters only|coordinate": {"body": "a", "upper": "q.a"},
    }.items():
        with pytest.raises(FieldError, match=match):
            s.joint_stop(**options)
    massless = fb.System("massless")
    massless.body("a", joint=fb.Revolute("z"), mass=1.0)
    massless.joint_stop("a", upper=1)
    with pytest.raises(ModelError, match="nothing beyond the joint of 'a' has inertia along its coordinate"):
        massless.freeze()
    with pytest.raises(ModelError, match=r"limits must be 'watch' .* or 'stop', not 'hard'"):
        fb.System(limits="hard")


def limited(**options: str) -> fb.System:
    s = fb.System("limited", **options)
    s.body("bar", joint=fb.Revolute("y", limits=(-1.0, 0.2)), mass=3.0, com=(0.5, 0, 0), inertia=(0.01, 0.25, 0.25))
    s.body("tip", on="bar", at=(1, 0, 0), joint=fb.Revolute("y"), mass=0.1, inertia=(0.01, 0.01, 0.01))
    return s


def test_limits_are_watched_by_default_and_the_warning_names_the_option() -> None:
    with pytest.warns(SimulationWarning, match=r"'bar' leaves its limits.*limits='stop', or add them by s.joint_stop"):
        limited().simulate(1.0)


def test_limits_become_stops_that_are_not_watched(tmp_path) -> None:
    s = limited(limits="stop")
    assert [*s.loads] == ["bar"]
    run = s.simulate(1.0)
    assert 0.2 < run["q.bar"].max() < 0.25
    path = limited().save(tmp_path / "limited.yaml")
    again = fb.load(path, limits="stop")
    assert again.digest() == s.digest()
    assert fb.load(path).digest() == limited().digest() != s.digest()
    again.stop_at_limits()
    assert [*again.loads] == ["bar"]


def test_robots_can_have_stops_at_their_limits() -> None:
    watched = fb.load("examples/robots/ur5.urdf")
    stopped = fb.load("examples/robots/ur5.urdf", limits="stop")
    assert not watched.loads
    assert len(stopped.loads) == sum(body.spec.joint.limits is not None for body in watched.bodies.values())


def test_stops_in_components_and_texts() -> None:
    s = fb.System("parts", gravity=(0, 0, 0))
    with s.component("left"):
        s.body("arm", joint=fb.Revolute("z", limits=(-1, 0.5)), mass=1.0, inertia=(1, 1, 1))
        s.joint_stop("arm")
    assert [*s.loads] == ["left.arm"]
    s.output("depth", "max(0, -stop.left.arm.gap)")
    run = s.simulate(1.0, u={"left.arm": 1.0}, events=[fb.Event("stop.left.arm.gap", direction=-1, name="touch")])
    assert run.t_events[0][0] == pytest.approx(0.5, abs=1e-9)
    assert run["depth"].max() == pytest.approx(-run["stop.left.arm.gap"].min())


def chain(n: int) -> fb.System:
    s = fb.System("chain", limits="stop")
    on = None
    for k in range(n):
        joint = fb.Revolute("y" if k % 2 else "z", limits=(-0.3, 0.2 + 0.01 * k))
        on = s.body(f"b{k}", on=on, at=(0.3 * (k > 0), 0, 0), joint=joint, mass=1.0, com=(0.15, 0, 0),
                    inertia=(0.01, 0.02, 0.02))  # fmt: skip
    return s


def test_rolled_programs_and_formulations_agree() -> None:
    s = chain(4)
    rng = np.random.default_rng(1)
    q, u = rng.normal(size=4), rng.normal(size=4)
    eqs = [s.derive("kane"), s.derive("crba"), s.derive("aba", rolled=False), s.derive("aba", rolled=True)]
    rates = [eq.compile().forward_dynamics(q=q, u=u) for eq in eqs]
    for other in rates[1:]:
        assert np.allclose(rates[0], other, rtol=1e-10)


def test_lanes_equal_single_runs() -> None:
    s = limited(limits="stop")
    sweep = s.sweep(1.0, over={"q.bar": [-0.5, -0.2, 0.1]})
    for k, q in enumerate((-0.5, -0.2, 0.1)):
        single = s.simulate(1.0, q={"bar": q})
        assert np.allclose(sweep["q.bar"][k][-1], single["q.bar"][-1], atol=1e-6)


def test_a_servo_presses_on_the_stop_with_its_torque() -> None:
    s = fb.System("servo", gravity=(0, 0, 0))
    s.body("arm", joint=fb.Revolute("z", limits=(-1, 0.5)), mass=1.0, inertia=(1, 1, 0.2))
    s.joint_stop("arm", dissipation=5)
    s.add(fb.Servo("arm", 1.0, kp=50.0, kd=5.0, max_torque=20.0), "drive")
    run = s.simulate(5.0)
    assert run["stop.arm.force"][-1] == pytest.approx(-20, rel=1e-5)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("method", ["dop853", "rodas5p"])
def test_arms_that_fall_on_their_stops_never_gain_energy(seed: int, method: str) -> None:
    s = chain(4)
    rng = np.random.default_rng(seed)
    q = {f"b{k}": float(x) for k, x in enumerate(rng.uniform(-0.2, 0.15, 4))}
    u = {f"b{k}": float(x) for k, x in enumerate(rng.normal(size=4) * 3)}
    run = s.simulate(1.0, q=q, u=u, method=method, rtol=1e-8, atol=1e-10)
    energy = run["energy.total"]
    assert np.all(np.isfinite(energy)) and np.diff(energy).max() < 1e-6
    assert run.energy_balance.error < 1e-5
    for k in range(4):
        assert np.abs(run[f"q.b{k}"]).max() < 0.5
