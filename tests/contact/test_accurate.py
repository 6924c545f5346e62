"""Contact in adaptive integrators: impacts, sliding, sticking and rolling against closed forms; energy; every lane."""

import sys
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import freebody as fb
from freebody.run import stage_system
from freebody.run.build import build
from freebody.tree.tree import span
from tests.contact.systems import G, ball, block, cuboid, pair
from tests.extending.checks import FORMULATIONS
from tests.formulations.test_every_lane import agree
from tests.mechanisms.general_position import At, random_state

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))


def restitution(d: float, v: float) -> float:
    """e of Hunt and Crossley's law: ln((1 + d v)/(1 − d e v)) = d v (1 + e)."""
    if d == 0:
        return 1.0
    most = min(1, (1 - 1e-12) / (d * v))
    return float(brentq(lambda e: log((1 + d * v) / (1 - d * e * v)) - d * v * (1 + e), 1e-9, most))


@pytest.mark.parametrize(("d", "exact"), [(0.0, 1.0), (0.05, 0.93748), (0.2, 0.78854), (1.0, 0.41072)])
@pytest.mark.parametrize("method", ["dop853", "rodas5p"])
def test_impacts_have_the_restitution_of_the_law(d: float, exact: float, method: str) -> None:
    s = ball(fb.ContactMaterial(1e5, dissipation=d), gravity=(0, 0, 0))
    run = s.simulate([0, 0.05], q={"ball.z": 0.1001}, u={"ball.vz": -2.0}, method=method)
    e = run["u.ball.vz"][-1] / 2
    assert restitution(d, 2.0) == pytest.approx(exact, abs=1e-5)
    assert abs(e - restitution(d, 2.0)) < 2e-6


@pytest.mark.parametrize(("angle", "creep"), [(0.4, 1e-6), (0.46, 3e-4)])
def test_a_block_sticks_to_a_slope_below_the_limit(angle: float, creep: float) -> None:
    """At 85 % and 99 % of the friction coefficient, in 9 s after it has fallen on the slope."""
    s = block(angle, fb.ContactMaterial(1e5, dissipation=0.5, friction=0.5))
    run = s.simulate(np.linspace(0, 10, 11), q={"block.z": 0.05})
    assert abs(run["q.block.x"][10] - run["q.block.x"][1]) < creep


@pytest.mark.parametrize("angle", [0.47, 0.6])
def test_a_block_slides_on_a_slope_above_the_limit(angle: float) -> None:
    k = 1e5
    s = block(angle, fb.ContactMaterial(k, dissipation=20, friction=0.5))
    run = s.simulate([0, 1, 2], q={"block.z": 0.05 - 2 * G * np.cos(angle) / (4 * k)})
    exact = G * (np.sin(angle) - 0.5 * np.cos(angle))
    assert run["u.block.vx"][2] - run["u.block.vx"][1] == pytest.approx(exact, abs=1e-5)


def test_static_friction_holds_what_sliding_friction_does_not() -> None:
    """On a slope between both coefficients a block stays at rest, and goes on sliding once it is pushed."""
    angle = np.arctan(0.5)
    material = fb.ContactMaterial(1e5, dissipation=5, friction=0.4, static_friction=1.0, stribeck_velocity=0.02)
    s = block(angle, material)
    rest, pushed = (s.simulate([0, 1, 2], q={"block.z": 0.05}, u={"block.vx": v}) for v in (0.0, 0.2))
    assert abs(rest["q.block.x"][-1]) < 1e-3
    exact = G * (np.sin(angle) - 0.4 * np.cos(angle))
    assert pushed["u.block.vx"][2] - pushed["u.block.vx"][1] == pytest.approx(exact, abs=1e-3)


@pytest.mark.parametrize("k", [1e6, 1e8])
def test_a_sliding_ball_rolls_with_five_sevenths_of_its_speed(k: float) -> None:
    s = ball(fb.ContactMaterial(k, dissipation=0.5, friction=0.3))
    run = s.simulate([0, 1], q={"ball.z": 0.1 - G / k}, u={"ball.vx": 2.0})
    speed = np.hypot(run["u.ball.vx"][-1], run["u.ball.vz"][-1])
    assert speed / 2 == pytest.approx(5 / 7, abs=5e-5 if k == 1e6 else 2e-6)
    assert run["contact.floor.slip"][-1] < 1e-5


def test_motions_may_begin_at_touch() -> None:
    """A ball that slides on a floor which it only just touches at the start."""
    s = ball(fb.ContactMaterial(1e4, dissipation=0.2, friction=0.3))
    run = s.simulate([0, 0.5], q={"ball.z": 0.1}, u={"ball.vx": 1.0})
    assert run.statistics.steps + run.statistics.rejected < 1500


def test_rolling_and_torsional_friction_decelerate() -> None:
    """A rolling ball by 5/7 ρ g/r, a spinning one by 5/2 τ g/r² (with the torques ρ N and τ N)."""
    r, k = 0.1, 1e6
    kinds = {"rolling_friction": 0.002, "torsional_friction": 0.001}
    s = ball(fb.ContactMaterial(k, dissipation=0.5, friction=0.8, **kinds))
    speeds = {"ball.vx": 1.0, "ball.wy": 1.0 / r}
    run = s.simulate([0, 1, 2], q={"ball.z": r - G / k}, u=speeds)
    slower = np.diff(run["q.ball.x"])
    assert slower[0] - slower[1] == pytest.approx(5 / 7 * 0.002 * G / r, rel=1e-3)
    spun = s.simulate([0, 1, 2], q={"ball.z": r - G / k}, u={"ball.wz": 8.0})
    assert np.diff(spun["u.ball.wz"])[1] == pytest.approx(-5 / 2 * 0.001 * G / r**2, rel=1e-3)


def test_a_disc_rolls_as_with_the_constraint_of_rolling() -> None:
    """The lower rim of a thin cylinder in the middle plane of the wheel, for 1 s."""
    r, m, tilt, k, thick = 0.3, 1.0, 0.3, 1e7, 0.01
    shape = fb.Cylinder(r, thick, at=(0, 0, thick / 2))
    systems = [fb.System("wheel"), fb.System("wheel")]
    for s in systems:
        wheel = {"orient": ("x", np.pi / 2 - tilt), "mass": m, "inertia": fb.ring(m, r, "z"), "shape": shape}
        s.body("wheel", at=(0, 0, r * np.cos(tilt)), joint=fb.Free(), **wheel)
    systems[0].roll("wheel", radius=r, axis="z", name="contact")
    systems[1].contact("wheel", "ground.plane", fb.ContactMaterial(k, dissipation=1, friction=2.0), "floor")
    q0, u0 = systems[0].assemble(u={"wheel.wz": 10.0, "wheel.wy": 1.0, "wheel.wx": 0.5})
    exact, run = (s.simulate([0, 1], q=q0, u=u0, rtol=1e-9, atol=1e-11) for s in systems)
    off = np.linalg.norm([run[f"q.wheel.{n}"][-1] - exact[f"q.wheel.{n}"][-1] for n in "xyz"])
    way = np.linalg.norm([exact[f"q.wheel.{n}"][-1] for n in "xyz"])
    assert way > 2.5
    assert off < 2e-4


@pytest.mark.filterwarnings("ignore")  # of shapes that overlap
@pytest.mark.parametrize("k", [1e4, 1e6, 1e9])
@pytest.mark.parametrize(("mu", "most"), [(0.0, 1e-6), (0.5, 2e-4)])
def test_energy_does_not_grow_in_drops_of_boxes(k: float, mu: float, most: float) -> None:
    """Kinetic, potential and spring energy, as parts of m g (1 m). Bristles that are scaled by the load may release a
    little more elastic energy than they took, where the load grows while they are stretched."""
    rng, size = np.random.default_rng(1), (0.2, 0.3, 0.1)
    s = fb.System("box")
    body = s.body("box", joint=fb.Free(), mass=1.0, inertia=cuboid(size, 1.0), shape=fb.Box(*size))
    s.contact(body, s.ground.plane(), fb.ContactMaterial(k, dissipation=0.5, friction=mu), "floor")
    turn, speeds = rng.normal(size=4), rng.normal(size=6) * 2
    q = dict(zip(("box.qw", "box.qx", "box.qy", "box.qz"), turn / np.linalg.norm(turn), strict=True))
    names = [f"box.{n}" for n in ("wx", "wy", "wz", "vx", "vy", "vz")]
    run = s.simulate(1.0, q={"box.z": 0.5, **q}, u=dict(zip(names, speeds, strict=True)))
    energy = run["energy.total"]
    assert run["q.box.z"].min() > 0.03
    assert np.max(energy - np.minimum.accumulate(energy)) < most * G
    balance = run.energy_balance
    assert balance is not None and balance.error < 1e-4


@pytest.mark.filterwarnings("ignore")
def test_work_and_energy_balance_for_all_kinds_of_friction() -> None:
    s = pair()
    run = s.simulate(0.5, q={"a.z": 0.1, "c.x": 0.5, "c.z": 0.4}, u={"a.vx": 1.0, "a.wz": 2.0, "c.wy": 1.0})
    assert run["contact.floor.normal"].max() > 1 and run["contact.touch.normal"].max() > 1
    assert run["work.load.floor"][-1] < 0 and run["work.load.touch"][-1] < 0
    balance = run.energy_balance
    assert balance is not None and balance.error < 1e-6


def at_random(s: fb.System, seed: int = 5) -> At:
    tree = span(s.freeze())
    return At(s, *random_state(tree, np.random.default_rng(seed)), [0.3] * len(tree.layout.z))


def test_formulations_agree() -> None:
    agree(at_random(pair()), FORMULATIONS)


@pytest.mark.filterwarnings("ignore")
def test_both_bodies_have_opposite_wrenches_at_one_point() -> None:
    """The momenta of two bodies that touch each other change by gravity alone."""
    s = fb.System("two", gravity=(0, 0, 0))
    for name in ("a", "b"):
        s.body(name, joint=fb.Free(), mass=1.0, com=(0.1, 0, 0), inertia=(0.1, 0.2, 0.2), shape=fb.Sphere(0.3))
    s.contact("a", "b", fb.ContactMaterial(100.0, dissipation=0.2, friction=0.5, rolling_friction=0.1), "touch")
    run = s.simulate(1.0, q={"b.x": 0.5}, u={"a.vy": 0.5, "a.wz": 3.0, "b.vx": -0.5})
    assert np.abs(run["contact.touch.force"]).max() > 1
    for name in ("linear", "angular"):
        assert np.ptp(run[f"momentum.{name}"], axis=0).max() < 1e-7


@pytest.mark.parametrize("method", ["dop853", "dopri5", "rk4", "rodas5p"])
def test_lanes_are_single_runs(method: str) -> None:
    options: dict[str, Any] = {"method": "rk4", "step": 1e-4} if method == "rk4" else {"method": method}
    material = fb.ContactMaterial(1e4, dissipation=0.3, friction=0.4)
    sims = ball(material).simulators(3, q={"ball.z": np.array([0.1, 0.15, 0.2])}, u={"ball.vx": 1.0}, **options)
    single = ball(material).simulator(q={"ball.z": 0.15}, u={"ball.vx": 1.0}, **options)
    for _ in range(20):
        sims.step(0.01)
        single.step(0.01)
    assert sims["q.ball.z"][1] == single["q.ball.z"]
    assert sims["q.ball.x"][1] == single["q.ball.x"]


def test_exact_jacobians_serve_stiff_contact() -> None:
    """rodas5p takes few steps on a ball at rest on a hard floor."""
    s = ball(fb.ContactMaterial(1e9, dissipation=0.5, friction=0.5))
    run = s.simulate([0, 5], q={"ball.z": 0.1 - G / 1e9}, method="rodas5p", rtol=1e-4, atol=1e-8)
    assert run.statistics.steps < 60
    assert run["contact.floor.normal"][-1] == pytest.approx(G, rel=1e-3)


@pytest.mark.slow
def stack(shapes: list[Any]) -> fb.System:
    """Boxes that touch one another, the lowest of them a shape of the ground."""
    s, rubber = fb.System("stack"), fb.ContactMaterial(stiffness=2e4, dissipation=0.5, friction=0.5)
    below: Any = s.ground.shape(shapes[0]) if shapes[0].kind == "box" else s.ground.plane()
    for k, shape in enumerate(shapes[1:]):
        body = s.body(f"b{k}", joint=fb.Free(), mass=1.0, inertia=fb.box(1.0, 0.2, 0.2, 0.2), shape=shape)
        s.contact(body, below, rubber, f"c{k}")
        below = body
    return s


def test_bristles_are_eliminated_before_the_full_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a box on 8 corners few remain beside its speeds and its quaternion, and the run is that of straight-line
    code."""
    s, runs, given = stack([fb.Plane(), fb.Box(0.2, 0.2, 0.2)]), [], {"q": {"b0.z": 0.1}, "u": {"b0.vx": 0.5}}
    for most in (2000, 10**6):
        monkeypatch.setattr(stage_system, "STRAIGHT", most)
        e = s.derive().derivation
        stages = build(e, s.values, exact=True).system.stages_of("rodas5p").value
        if most == 2000:
            assert stages.factor.outputs[1].shape[0] == 17  # of 29 states; one row is that of the least pivots
        else:
            assert stages.backward is None
        runs.append(s.simulate(np.linspace(0, 0.2, 21), method="rodas5p", rtol=1e-7, atol=1e-9, **given))
        monkeypatch.undo()
    assert np.abs(runs[0].x - runs[1].x).max() < 1e-6


def test_auto_does_not_derive_the_jacobians_of_many_points() -> None:
    """The operations are known before: about those that are then derived."""
    small, large = (stack([first, fb.Box(0.2, 0.2, 0.2)]) for first in (fb.Plane(), fb.Box(1, 1, 0.2)))
    assert build(small.derive().derivation, small.values).system.too_costly.value == ""
    system = build(large.derive().derivation, large.values).system
    reason = system.too_costly.value
    assert "130,000 operations" in reason and "method='contact'" in reason and "method='rodas5p'" in reason
    assert system.stages_of("rodas5p").derived is None


def test_solo12_falls_and_stands() -> None:
    import contact as benchmark

    stiff = {"method": "rodas5p", "rtol": 1e-4, "atol": 1e-6}
    ((error, steps, rejected, _),) = benchmark.fall(2e4, [stiff])
    assert error < 2e-6
    assert steps + rejected <= 160
    _, steps, run = benchmark.stand(end=10.0, **stiff)
    assert steps < 250
    assert np.abs(np.diff(run["q.base_link.z"][-2:])).max(initial=0) < 0.1
    assert run["contact.fl.gap"][-1] < 0
