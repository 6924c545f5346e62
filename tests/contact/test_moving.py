"""Shapes in motion: sliding, toppling, stacks, rows of balls, rods that jam, drops; with closed forms and MuJoCo."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.model.contact.triples import tangents_about
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from tests.contact.systems import G, cuboid

pytestmark = pytest.mark.filterwarnings("ignore")  # of shapes that overlap


def turned(name: str, axis: str, angle: float) -> dict[str, float]:
    """The quaternion of a body that is turned about an axis."""
    return {f"{name}.qw": np.cos(angle / 2), f"{name}.q{axis}": np.sin(angle / 2)}


def box_on_slope(angle: float, size: tuple[float, float, float], material: fb.ContactMaterial) -> fb.System:
    """A box on a slope, in axes along the slope."""
    s = fb.System("box", gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
    s.body("box", joint=fb.Free(), mass=1.0, inertia=cuboid(size, 1.0), shape=fb.Box(*size))
    s.contact("box", "ground.plane", material, "floor")
    return s


@pytest.mark.parametrize("angle", [0.46, 0.47, 0.6])
def test_a_box_slides_on_a_slope_above_the_limit_alone(angle: float) -> None:
    s = box_on_slope(angle, (0.4, 0.3, 0.1), fb.ContactMaterial(1e5, dissipation=1, friction=0.5))
    speed = s.simulate([0, 1, 2, 3], q={"box.z": 0.05})["u.box.vx"]
    exact = G * max(0, np.sin(angle) - 0.5 * np.cos(angle))
    assert speed[3] - speed[2] == pytest.approx(exact, abs=1e-5)


@pytest.mark.parametrize("excess", [-0.005, 0.005])
def test_a_box_topples_beyond_its_critical_angle(excess: float) -> None:
    """A box twice as high as wide, 0.005 rad from the angle at which its centre is above its edge."""
    material = fb.ContactMaterial(1e7, dissipation=5, friction=2.0, elastic_stretch=1e-6)
    s = box_on_slope(np.arctan(0.5) + excess, (0.2, 0.3, 0.4), material)
    run = s.simulate([0, 1, 2, 3], q={"box.z": 0.2 - G / 4e7})
    assert run["q.box.z"][-1] == pytest.approx(0.1 if excess > 0 else 0.2, abs=1e-5)


def test_a_stack_of_equal_boxes_carries_its_weight() -> None:
    """Three boxes of one size, corners on corners: forces of 3, 2 and 1 weights, and no drift."""
    size, m = (0.2, 0.2, 0.2), 2.0
    s, material, below, q = fb.System("stack"), fb.ContactMaterial(1e5, dissipation=1, friction=0.5), "ground.plane", {}
    for k in range(3):
        s.body(f"b{k}", joint=fb.Free(), mass=m, inertia=cuboid(size, m), shape=fb.Box(*size))
        s.contact(f"b{k}", below, material, f"c{k}", points=None if k == 0 else 2)
        below, q[f"b{k}.z"] = f"b{k}", 0.1 + 0.2 * k
    run = s.simulate([0, 1, 2, 3], q=q)
    for k in range(3):
        assert run[f"contact.c{k}.normal"][-1] == pytest.approx((3 - k) * m * G, rel=3e-4)
        assert abs(run[f"q.b{k}.x"][-1]) < 1e-9 and abs(run[f"q.b{k}.y"][-1]) < 1e-9


@pytest.mark.parametrize(("x", "y", "turn"), [(0.05, 0.07, 0.0), (0.095, 0.0, 0.0), (0.02, 0.03, 0.4)])
def test_a_box_stands_on_part_of_another(x: float, y: float, turn: float) -> None:
    """It stays where its centre is above the lower box."""
    size = (0.2, 0.2, 0.2)
    s = fb.System("offset")
    s.body("a", joint=fb.Free(), mass=1.0, inertia=cuboid(size, 1.0), shape=fb.Box(*size))
    material = fb.ContactMaterial(1e5, dissipation=1, friction=0.5)
    s.contact("a", s.ground.shape(fb.Box(*size)), material, "top", points=3)
    run = s.simulate([0, 0.5, 1.0], q={"a.x": x, "a.y": y, "a.z": 0.2, **turned("a", "z", turn)})
    assert run["contact.top.normal"][-1] == pytest.approx(G, rel=1e-2)
    assert run["q.a.z"][-1] == pytest.approx(0.2, abs=1e-4)
    assert run["q.a.x"][-1] == pytest.approx(x, abs=1e-4)


@pytest.mark.slow
def test_a_box_falls_off_another_when_its_centre_is_beyond_the_edge() -> None:
    size = (0.2, 0.2, 0.2)
    s = fb.System("beyond")
    s.body("a", joint=fb.Free(), mass=1.0, inertia=cuboid(size, 1.0), shape=fb.Box(*size))
    s.contact("a", s.ground.shape(fb.Box(*size)), fb.ContactMaterial(1e4, dissipation=1, friction=0.5), "top", points=2)
    run = s.simulate([0, 0.6], q={"a.x": 0.105, "a.z": 0.2})
    assert run["q.a.z"][-1] < -0.1
    assert run["energy.total"][-1] < run["energy.total"][0]


def test_a_row_of_balls_passes_momentum_to_the_last() -> None:
    """Newton's cradle of five, 0.2 mm apart."""
    s, material = fb.System("cradle"), fb.ContactMaterial(1e8)
    for k in range(5):
        pendulum = {"mass": 1.0, "com": (0, 0, -1), "inertia": (0.004,) * 3, "shape": fb.Sphere(0.1, at=(0, 0, -1))}
        s.body(f"b{k}", at=(0.2002 * k, 0, 1), joint=fb.Revolute("y"), **pendulum)
    for k, (a, b) in enumerate(pairwise(f"b{k}" for k in range(5))):
        s.contact(a, b, material, f"c{k}")
    run = s.simulate(np.linspace(0, 1, 401), q={"b0": 0.3})
    u = np.array([run[f"u.b{k}"] for k in range(5)])
    first, last = np.abs(u[0]).max(), np.abs(u[4]).max()
    assert last / first == pytest.approx(1, abs=1e-4)
    assert np.abs(u[:4, np.abs(u[4]).argmax()]).max() < 2e-5


@pytest.mark.parametrize("friction", [1, 2, 5])
@pytest.mark.parametrize("speed", [3.0, -3.0])
def test_a_rod_that_jams(friction: float, speed: float) -> None:
    """Painlevé's rod: with rigid contact there is no solution, or several, when it is pushed along a rough floor."""
    s, tilt = fb.System("rod"), np.pi / 2 - 1.0
    s.body("rod", joint=fb.Free(), mass=1.0, inertia=(1 / 12, 1 / 12, 1e-4), shape=fb.Capsule(0.01, 1.0))
    s.contact("rod", "ground.plane", fb.ContactMaterial(1e6, dissipation=0.5, friction=friction), "floor")
    q = {"rod.z": 0.5 * np.cos(tilt) + 0.01, **turned("rod", "y", -tilt)}
    run = s.simulate(np.linspace(0, 1, 101), q=q, u={"rod.vx": speed * np.cos(tilt), "rod.vz": -speed * np.sin(tilt)})
    energy = run["energy.total"]
    assert run["q.rod.z"].min() > 0.0085
    assert np.diff(energy).max() < 1e-4 * energy[0]  # bristles that are scaled by the load
    assert energy[-1] < 0.8 * energy[0]
    assert run["contact.floor.normal"].max() > 5 * G


@pytest.mark.slow
def test_ten_thousand_kilograms_on_one() -> None:
    size, k = (0.2, 0.2, 0.2), 3e7
    s, material = fb.System("ratio"), fb.ContactMaterial(k, dissipation=2, friction=0.5)
    for name, mass in (("small", 1.0), ("large", 1e4)):
        s.body(name, joint=fb.Free(), mass=mass, inertia=cuboid(size, mass), shape=fb.Box(*size))
    s.contact("small", "ground.plane", material, "floor")
    s.contact("large", "small", material, "top", points=2)
    sunk = 10001 * G / (4 * k), 10000 * G / (8 * k)
    run = s.simulate([0, 0.5], q={"small.z": 0.1 - sunk[0], "large.z": 0.3 - sum(sunk)})
    assert run["contact.floor.normal"][-1] == pytest.approx(10001 * G, rel=0.2)
    assert run["q.large.z"].min() > 0.28
    assert abs(run["q.large.x"][-1]) < 1e-9


def test_a_spun_coin_comes_down() -> None:
    """It spins on its rim, leans over and rattles down on its face, without sinking in."""
    r, h, m = 0.0125, 0.002, 0.006
    s = fb.System("coin")
    inertia = (m * (3 * r * r + h * h) / 12,) * 2 + (m * r * r / 2,)
    s.body("coin", joint=fb.Free(), mass=m, inertia=inertia, shape=fb.Cylinder(r, h))
    kinds: Any = {"friction": 0.3, "rolling_friction": 1e-4, "torsional_friction": 1e-3}
    s.contact("coin", "ground.plane", fb.ContactMaterial(1e4, dissipation=2, **kinds), "floor")
    q = {"coin.z": r * np.sin(1.4) + h / 2, **turned("coin", "x", 1.4)}
    run = s.simulate(np.linspace(0, 3, 61), q=q, u={"coin.wy": 40.0})
    assert run["q.coin.z"].min() > 0.9 * h / 2
    assert run["q.coin.z"][-1] < 0.1 * r + h / 2
    assert run["energy.total"][-1] < 0.2 * run["energy.total"][0]


def test_a_ball_rolls_in_a_bowl_without_losing_energy() -> None:
    """On a heightfield of 100 × 100 cells without friction: the energy at the bounds of a second of motion."""
    x = np.linspace(-1, 1, 101)
    field = fb.Heightfield(0.2 * (x[:, None] ** 2 + x[None, :] ** 2), 0.02)
    s = fb.System("bowl")
    s.body("ball", joint=fb.Free(), mass=1.0, inertia=(0.004,) * 3, shape=fb.Sphere(0.1))
    s.contact("ball", s.ground.shape(field), fb.ContactMaterial(1e6, dissipation=0.1), "bowl")
    run = s.simulate(
        np.linspace(0, 2, 101), q={"ball.x": 0.5, "ball.z": 0.25 * 0.2 + 0.1 / np.cos(np.arctan(0.2)) + 1e-4}
    )
    energy = run["energy.total"] - run["energy.total"].min()
    assert run["q.ball.x"].min() < -0.3
    assert np.ptp(run["energy.total"]) < 0.03 * G * 0.2
    assert energy.max() < 0.1


def rolling_test(balls: int, stretch: float = 1e-4, k: float = 1e7) -> tuple[float, float]:
    """SimBenchmark's rolling test (leggedrobotics.github.io/SimBenchmark/rolling): a box of 10 kg with 25 kg of balls
    on it is pushed along the diagonal with 150 N; friction 0.4 below it, 0.8 above it. The mean squared errors of the
    velocities of box and balls in 4 s. The bristles begin as they are in the motion: at the limit below the box."""
    m = 25.0 / balls
    s = fb.System("rolling")
    box = s.body("box", joint=fb.Free(), mass=10.0, inertia=cuboid((20, 20, 1), 10.0), shape=fb.Box(20, 20, 1))
    below, above = (fb.ContactMaterial(k, dissipation=1, friction=mu, elastic_stretch=stretch) for mu in (0.4, 0.8))
    s.contact(box, "ground.plane", below, "floor")
    diagonal = np.array([1, 1]) / np.sqrt(2)
    z = {f"contact.floor.corner_{j}.bristle_{i + 1}": diagonal[i] for j in range(8) for i in range(2)}
    q = {"box.z": 0.5 - 35 * G / (4 * k)}
    a, n = (150 - 0.4 * 35 * G) / (10 + 25 * 2 / 7), int(np.sqrt(balls))
    g = Graph()
    on_box = tangents_about((Expr(g, g.zero), Expr(g, g.zero), Expr(g, g.one)))
    strain = -a * 2 / 7 / (0.8 * G) * diagonal
    for c in range(balls):
        name = f"ball{c}"
        s.body(name, joint=fb.Free(), mass=m, inertia=(0.1 * m,) * 3, shape=fb.Sphere(0.5))
        s.contact(name, box, above, f"on{c}")
        z |= {
            f"contact.on{c}.bristle_{i + 1}": sum(float(t[k]) * strain[k] for k in (0, 1)) for i, t in enumerate(on_box)
        }
        q |= {f"{name}.x": 2 * (c % n) - n + 1, f"{name}.y": 2 * (c // n) - n + 1}
        q[f"{name}.z"] = 1.5 - 35 * G / (4 * k) - m * G / k
    f = 150 / np.sqrt(2)
    s.force(f * s.ground.x + f * s.ground.y, box)
    run = s.simulate(np.linspace(0, 4, 401), q=q, z=z, rtol=1e-9, atol=1e-12)
    assert (a, a * 2 / 7) == (pytest.approx(0.7385, abs=1e-4), pytest.approx(0.2110, abs=1e-4))

    def error(name: str, exact: float) -> float:
        way = [run[f"q.{name}.{c}"] - run[f"q.{name}.{c}"][0] for c in "xy"]  # the axes of balls turn
        speeds = [np.gradient(w, run.t)[1:-1] - exact * run.t[1:-1] * d for w, d in zip(way, diagonal, strict=True)]
        return float(np.mean(np.sum(np.square(speeds), axis=0)))

    return error("box", a), float(np.mean([error(f"ball{c}", a * 2 / 7) for c in range(balls)]))


@pytest.mark.parametrize("balls", [1, pytest.param(25, marks=pytest.mark.long)])
def test_the_rolling_test_of_simbenchmark(balls: int) -> None:
    """Bullet's error is 5.7e-9."""
    box, ball = rolling_test(balls)
    assert box < 2.5e-9
    assert ball < 1e-9


def test_a_bouncing_ball_keeps_its_energy() -> None:
    """As in SimBenchmark's bouncing test with restitution 1: for 10 s from 10 m."""
    s = fb.System("bouncing")
    s.body("ball", joint=fb.Free(), mass=10.0, inertia=(1.0,) * 3, shape=fb.Sphere(0.5))
    s.contact("ball", "ground.plane", fb.ContactMaterial(1e7), "floor")
    run = s.simulate(np.linspace(0, 10, 101), q={"ball.z": 10.5}, rtol=1e-8, atol=1e-10)
    energy = run["energy.total"]
    assert np.ptp(energy) < 1e-6 * energy[0]
    assert run["u.ball.vz"].max() > 10


@pytest.mark.long
def test_two_hundred_drops_of_boxes_stay_finite() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        size = tuple(rng.uniform(0.05, 0.4, 3))
        s = fb.System("box")
        s.body("box", joint=fb.Free(), mass=1.0, inertia=cuboid(size, 1.0), shape=fb.Box(*size))
        s.contact("box", "ground.plane", fb.ContactMaterial(1e5, dissipation=0.5, friction=0.5), "floor")
        turn, speeds = rng.normal(size=4), rng.normal(size=6) * 3
        q = dict(zip(("box.qw", "box.qx", "box.qy", "box.qz"), turn / np.linalg.norm(turn), strict=True))
        names = [f"box.{n}" for n in ("wx", "wy", "wz", "vx", "vy", "vz")]
        run = s.simulate([0, 1, 2, 3], q={"box.z": 0.6, **q}, u=dict(zip(names, speeds, strict=True)))
        assert np.isfinite(run["energy.total"]).all()
        assert run["q.box.z"].min() > min(size) / 2 - 5e-3
        assert np.diff(run["energy.total"]).max() < 1e-4


def test_mujoco_gives_a_second_opinion() -> None:
    """A rod that falls over on a rough floor: its angle after a half second and its place at rest."""
    mujoco = pytest.importorskip("mujoco")
    radius, length, tilt = 0.03, 0.8, 0.3
    z = length / 2 * np.cos(tilt) + radius - 1e-4
    xml = f"""<mujoco><option timestep="0.0001" integrator="RK4" cone="elliptic" impratio="100"/><worldbody>
      <geom type="plane" size="5 5 .1" friction="1 0 0" solref="-100000 -300"/>
      <body pos="0 0 {z}" quat="{np.cos(tilt / 2)} 0 {np.sin(tilt / 2)} 0"><freejoint/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.06 0.06 0.001"/>
      <geom type="capsule" size="{radius} {length / 2}" friction="1 0 0" solref="-100000 -300" condim="3"/>
      </body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data, theirs = mujoco.MjData(model), []
    for _ in range(4001):
        theirs.append(data.qpos.copy())
        mujoco.mj_step(model, data)
    s = fb.System("rod")
    s.body("rod", joint=fb.Free(), mass=1.0, inertia=(0.06, 0.06, 0.001), shape=fb.Capsule(radius, length))
    s.contact("rod", "ground.plane", fb.ContactMaterial(1e5, dissipation=0.3, friction=1.0), "floor")
    run = s.simulate(np.linspace(0, 0.4, 41), q={"rod.z": z, **turned("rod", "y", tilt)})
    ours = np.array([run[f"q.rod.{c}"] for c in "xz"]).T
    np.testing.assert_allclose(ours, np.array(theirs)[::100][:, [0, 2]], atol=3e-3)
