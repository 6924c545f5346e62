"""Contacts of points with exact impacts and Coulomb's friction, against closed forms and numbers of their own."""

import math
import warnings
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, FieldError, ModelError, RunEndedWarning, SimulationWarning
from freebody.io import dumps, loads
from freebody.run.contact_impact import impact

G = 9.81


def particle(friction: float, restitution: float = 0.0, slope: float = 0.0, **options: Any) -> fb.System:
    s = fb.System("particle", gravity=(G * math.sin(slope), 0, -G * math.cos(slope)))
    rail = s.body("x", joint=fb.Prismatic("x"))
    body = s.body("z", on=rail, joint=fb.Prismatic("z"), mass=2.0)
    s.point_contact(body, friction=friction, restitution=restitution, name="foot", **options)
    return s


def test_block_that_is_thrown_on_a_rough_floor() -> None:
    """The friction of the impact takes μ v_n of its speed, then it slides v²/(2 μ g) far and sticks."""
    mu, run = 0.4, particle(0.4).simulate(2.0, q={"z": 0.5}, u={"x": 2.0})
    fall = math.sqrt(2 * 0.5 / G)
    left = 2.0 - mu * G * fall
    assert run["u.x"][-1] == 0
    assert run["q.x"][-1] == pytest.approx(2 * fall + left**2 / (2 * mu * G), abs=1e-8)
    assert run.t_events[0][0] == pytest.approx(fall, abs=1e-8)
    assert run.t_events[3][0] == pytest.approx(fall + left / (mu * G), abs=1e-6)
    assert run["gripping.foot"][-1] == 1 and run["multiplier.foot.normal"][-1] == pytest.approx(2 * G)
    assert run.energy_balance.error < 1e-8


def test_impact_that_stops_the_slip_sticks() -> None:
    run = particle(0.8).simulate(1.0, q={"z": 0.5}, u={"x": 1.0})
    assert run["q.x"][-1] == pytest.approx(math.sqrt(1 / G), abs=1e-8)
    assert len(run.t_events[3]) == 0 and run["gripping.foot"][-1] == 1


@pytest.mark.parametrize("tangent", [0.3, 0.499, 0.501, 0.8])
def test_slope(tangent: float) -> None:
    slope = math.atan(tangent)
    run = particle(0.5, slope=slope).simulate(2.0)
    expected = max(0.0, G * (math.sin(slope) - 0.5 * math.cos(slope)))
    assert run["u.x"][-1] == pytest.approx(2 * expected, rel=1e-9, abs=1e-12)


def test_points_that_start_beyond_their_plane_are_warned_of() -> None:
    s = particle(0.5)
    with pytest.warns(SimulationWarning, match="the point of 'foot' starts 0.5 m beyond its plane"):
        s.simulate(0.1, q={"z": -0.5})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = s.simulate(1.0, q={"z": 0.1})
        s.simulate(1.5, start=run)


def test_rebounds_come_to_rest() -> None:
    run = particle(0.0, 0.5, rest_speed=0.01).simulate(4.0, q={"z": 1.0})
    times = run.t_events[0]
    first = math.sqrt(2 / G)
    assert np.allclose(np.diff(times)[:4], 2 * first * 0.5 ** np.arange(1, 5), atol=1e-8)
    assert run["engaged.foot"][-1] == 1 and abs(run["q.z"][-1]) < 1e-12


def test_pulled_block_slips_and_sticks_again() -> None:
    """A force that grows to more than μ m g, and vanishes."""
    s = particle(0.5)
    s.joint_force("x", s.input("pull"))
    run = s.simulate(6.0, inputs={"pull": "where(t < 3, 5*t, 0)"})
    assert run.t_events[2][0] == pytest.approx(0.5 * 2 * G / 5, abs=1e-6)
    assert len(run.t_events[3]) == 1 and run["gripping.foot"][-1] == 1
    assert run["u.x"][-1] == 0 and run["q.x"][-1] > 0.1


def ladder(angle: float, mu: float, length: float = 2.0) -> tuple[fb.System, dict[str, float]]:
    """A rod that leans with its head at a wall, x = 0, and its foot on the floor."""
    s = fb.System("ladder")
    x = s.body("x", joint=fb.Prismatic("x"))
    z = s.body("z", on=x, joint=fb.Prismatic("z"))
    rod = s.body("rod", on=z, joint=fb.Revolute("y"), mass=1.0, inertia=(length**2 / 12, length**2 / 12, 0))
    s.point_contact(rod.point((0, 0, -length / 2)), friction=mu, name="foot")
    s.point_contact(rod.point((0, 0, length / 2)), normal="x", friction=mu, name="head")
    return s, {"rod": -angle, "x": length / 2 * math.sin(angle), "z": length / 2 * math.cos(angle)}


def test_smooth_ladder_leaves_the_wall_at_two_thirds_of_its_height() -> None:
    s, q = ladder(math.radians(20), 0.0)
    run = s.simulate(0.7, q=q)
    lift = run.events.before[-1]
    assert lift[1] == pytest.approx(2 / 3 * math.cos(math.radians(20)), abs=1e-8)
    assert run.energy_balance.error < 1e-8


def test_rough_ladder_sticks_up_to_twice_the_angle_of_friction() -> None:
    mu = 0.2
    critical = 2 * math.atan(mu)
    for factor, moves in ((0.98, False), (1.02, True)):
        s, q = ladder(critical * factor, mu)
        run = s.simulate(0.5, q=q)
        assert bool(abs(run["u.rod"][-1]) > 1e-3) is moves


def slip_of_ladder(angle: float, mu: float) -> float:
    """Its angular acceleration from rest while both ends slide, by hand: foot force (−μ N, N), wall force (R, μ R)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    # x = sin θ, z = cos θ of the centre; ẍ = cos θ α = R − μ N, z̈ = −sin θ α = N + μ R − g, α/3 = moment
    A = np.array([[cosine, mu, -1], [-sine, -1, -mu], [1 / 3, -(sine - mu * cosine), cosine + mu * sine]])
    b = np.array([0.0, -G, 0.0])
    return float(np.linalg.solve(A, b)[0])


def test_ladder_that_slides_at_both_ends_accelerates_as_by_hand() -> None:
    angle, mu = math.radians(35), 0.2
    s, q = ladder(angle, mu)
    run = s.simulate(1e-3, q=q)
    assert -run["u_dot.rod"][1] == pytest.approx(slip_of_ladder(angle, mu), rel=1e-8)
    assert run["power.joints"].max() <= 0


def test_rod_whose_friction_jams_ends_the_run_with_the_reason() -> None:
    """Painlevé: a rod slides on its tip at 45°, with a friction at which no normal force is possible."""
    s = fb.System("rod")
    x = s.body("x", joint=fb.Prismatic("x"))
    z = s.body("z", on=x, joint=fb.Prismatic("z"))
    rod = s.body("rod", on=z, joint=fb.Revolute("y"), mass=1.0, inertia=(1 / 3, 1 / 3, 0))
    s.point_contact(rod.point((0, 0, -1.0)), friction=2.0, name="tip")
    q = {"rod": math.radians(30), "x": 0.0, "z": math.cos(math.radians(30))}
    with pytest.warns(RunEndedWarning, match=r"contact 'tip' jams.*Painlevé.*s\.contact"):
        run = s.simulate(1.0, q=q, u={"x": -3.0})
    assert run.status < 0
    run = s.simulate(0.05, q=q, u={"x": 3.0})  # in the other direction it slides
    assert run.status >= 0 and run["engaged.tip"][-1] == 1


def test_every_formulation_has_the_friction_of_the_normal_force() -> None:
    s, _ = ladder(0.3, 0.4)
    q, u = [0.1, 0.2, 0.3], [1.0, -0.5, 0.2]
    flags = {"engaged.foot": 1, "engaged.head": 1, "slipping.foot.t1": 0}
    results = list[np.ndarray]()
    for how in ("kane", "aba", "crba", "poincare"):
        eq = s.derive(how)
        f, row = eq.compile(), [flags.get(n, 0) for n in eq.derivation.layout.inputs]
        results.append(f.forward_dynamics(q=q, u=u, inputs=row))
    for other in results[1:]:
        assert np.allclose(results[0], other, rtol=1e-9)


# Impacts


def test_impact_without_friction_reverses_the_normal_speed() -> None:
    W = np.diag([2.0, 1.0, 1.0])
    assert np.allclose(impact(W, np.array([-3.0, 1.0, 0.0]), 0.0, 0.5), [3 * 1.5 / 2, 0, 0])


def test_impact_of_a_ball_grips_or_slides() -> None:
    """W = diag(1, 7/2, 7/2)/m of a solid ball at its rim."""
    W, m = np.diag([1.0, 3.5, 3.5]) / 2.0, 2.0
    v = np.array([-3.0, 0.6, 0.8])
    grips = impact(W, v, 1.0, 0.0)
    assert np.allclose(v + W @ grips, 0, atol=1e-9)
    slides = impact(W, v, 0.05, 0.4)
    assert np.allclose(slides, m * 3 * 1.4 * np.array([1, -0.05 * 0.6, -0.05 * 0.8]), rtol=1e-9)


def rod_matrix(angle: float) -> np.ndarray:
    """W at the tip of a uniform rod of mass 1 and length 2 that leans by an angle from the vertical."""
    r, I = np.array([-math.sin(angle), -math.cos(angle)]), 1 / 3  # (x, z) from the centre to the tip
    J = np.array([[0, 1, r[0]], [1, 0, -r[1]]])
    W = np.zeros((3, 3))
    W[:2, :2] = J @ np.diag([1, 1, 1 / I]) @ J.T
    return W


@pytest.mark.parametrize("angle", [-1.2, -0.5, 0.3, 0.9])
@pytest.mark.parametrize("mu", [0.0, 0.2, 0.7, 1.5])
@pytest.mark.parametrize("e", [0.0, 0.6, 1.0])
def test_impacts_never_gain_energy_and_stay_within_the_cone(angle: float, mu: float, e: float) -> None:
    W = rod_matrix(angle)
    for slip in (-2.0, -0.1, 0.0, 0.3, 4.0):
        v = np.array([-1.0, slip, 0.0])
        p = impact(W, v, mu, e)
        after = v + W @ p
        assert p[0] > 0 and abs(p[1]) <= mu * p[0] * (1 + 1e-9)
        assert after[0] >= -1e-9
        gained = p @ v + p @ W @ p / 2
        assert gained <= 1e-9
        if mu == 0:
            assert after[0] == pytest.approx(e, abs=1e-9)
        if e == 1 and mu == 0:
            assert gained == pytest.approx(0, abs=1e-9)


def test_impact_with_a_slip_that_turns_converges() -> None:
    """A general W in space, against the same law by tiny steps."""
    rng = np.random.default_rng(2)
    B = rng.normal(size=(3, 3))
    W, v, mu = B @ B.T + np.eye(3), np.array([-2.0, 1.0, -0.7]), 0.3
    found, w, p, h = impact(W, v, mu, 0.0), v.copy(), np.zeros(3), 1e-4
    while w[0] < 0:
        middle = w + h / 2 * W @ np.array([1, *(-mu * w[1:] / np.hypot(*w[1:]))])
        step = h * np.array([1, *(-mu * middle[1:] / np.hypot(*middle[1:]))])
        p, w = p + step, w + W @ step
    assert np.allclose(found, p, atol=2e-4)


def box(mu: float, e: float) -> fb.System:
    s = fb.System("box")
    body = s.body("b", joint=fb.Free(), mass=1.0, inertia=fb.box(1.0, 0.4, 0.3, 0.2))
    for k, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
        at = body.point((0.2 * x, 0.15 * y, -0.1))
        s.point_contact(at, friction=mu, restitution=e, rest_speed=0.05, name=f"c{k}")
    return s


def test_a_box_that_drops_on_four_corners_comes_to_rest() -> None:
    q = {"b": [0, 0, 0.4, math.cos(0.15), math.sin(0.15) * 0.6, math.sin(0.15) * 0.8, 0]}
    run = box(0.3, 0.0).simulate(1.5, q=q, u={"b.vx": 0.6, "b.wz": 1.0})
    assert run.status == 0 and run["energy.kinetic"][-1] < 1e-12
    assert run["q.b.z"][-1] == pytest.approx(0.1, abs=1e-7)
    assert np.all(np.diff(run["energy.total"]) < 1e-7)
    assert run.energy_balance.error < 1e-6


@pytest.mark.parametrize(("mu", "e", "seed"), [(0.3, 0.0, 1), (0.3, 0.4, 2), (0.6, 0.0, 4), (0.0, 0.0, 3)])
def test_boxes_with_random_speeds_never_gain_energy(mu: float, e: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis, angle = rng.normal(size=3), rng.uniform(0, 0.6)
    turn = np.sin(angle / 2) * axis / np.linalg.norm(axis)
    u = dict(zip(["b.wx", "b.wy", "b.wz", "b.vx", "b.vy"], rng.normal(size=5), strict=True))
    run = box(mu, e).simulate(1.0, q={"b": [0, 0, 0.5, math.cos(angle / 2), *turn]}, u=u)
    assert np.diff(run["energy.total"]).max() < 1e-7
    assert run["q.b.z"].min() > 0.1 - 1e-7


# Files and refusals


def test_files_and_continued_runs_keep_the_state_of_contacts() -> None:
    s = particle(0.4)
    assert loads(dumps(s), fb.System).digest() == s.digest()
    whole = s.simulate(1.0, q={"z": 0.5}, u={"x": 2.0})
    half = s.simulate(0.4, q={"z": 0.5}, u={"x": 2.0})
    rest = s.simulate(1.0, start=half)
    assert rest["q.x"][-1] == pytest.approx(whole["q.x"][-1], abs=1e-8)


def test_wrong_contacts_are_refused() -> None:
    with pytest.raises(FieldError, match=r"restitution: it is 1\.5; it must be between 0 and 1"):
        particle(0.1, 1.5)
    with pytest.raises(FieldError, match="friction"):
        particle(-0.1)
    with pytest.raises(ArgumentError, match="rodas5p' does not know how the friction of contact 'foot'"):
        particle(0.1).simulate(1.0, method="rodas5p")
    with pytest.raises(ModelError, match="friction of contact 'foot' follows its normal force"):
        particle(0.1).derive("aba", rolled=True).compile().forward_dynamics([0, 1], [0, 0])


# Against compliance


def test_sliding_impact_is_the_limit_of_compliant_contact() -> None:
    """A rod strikes on its tip, which slips throughout: the speeds afterwards differ by 1/√k."""
    angle, radius = 0.5, 1e-4
    q, u = {"rod": angle, "z": math.cos(angle) + 0.05}, {"x": 3.0, "z": -1.0}

    def speeds(stiffness: float | None) -> np.ndarray:
        s = fb.System("rod")
        x = s.body("x", joint=fb.Prismatic("x"))
        z = s.body("z", on=x, joint=fb.Prismatic("z"))
        rod = s.body("rod", on=z, joint=fb.Revolute("y"), mass=1.0, inertia=(1 / 3, 1 / 3, 0))
        if stiffness is None:
            s.point_contact(rod.point((0, 0, -1.0)), friction=0.2, restitution=1.0, name="tip")
        else:
            ball = rod.shape(fb.Sphere(radius, at=(0, 0, radius - 1)))
            material = fb.ContactMaterial(stiffness=stiffness, friction=0.2, elastic_stretch=1e-6)
            s.contact(ball, s.ground.plane(), material, "tip")
        run = s.simulate(0.08, q=q, u=u, method="dopri5", rtol=1e-9, atol=1e-12)
        return np.array([run[f"u.{name}"][-1] for name in ("x", "z", "rod")])

    rigid = speeds(None)
    with pytest.warns(fb.errors.SimulationWarning, match="overlap"):
        errors = [float(np.abs(speeds(k) - rigid).max()) for k in (1e6, 1e8)]
    assert errors[0] < 0.03 and errors[1] < errors[0] / 8


def test_sliding_ladder_moves_as_with_compliant_contact() -> None:
    angle, mu, radius = math.radians(30), 0.15, 1e-5
    s, q = ladder(angle, mu)
    rigid = s.simulate(0.3, q=q)
    soft = fb.System("ladder")
    x = soft.body("x", joint=fb.Prismatic("x"))
    z = soft.body("z", on=x, joint=fb.Prismatic("z"))
    rod = soft.body("rod", on=z, joint=fb.Revolute("y"), mass=1.0, inertia=(1 / 3, 1 / 3, 0))
    material = fb.ContactMaterial(stiffness=1e5, dissipation=5.0, friction=mu, elastic_stretch=1e-6)
    soft.contact(rod.shape(fb.Sphere(radius, at=(0, 0, radius - 1))), soft.ground.plane(), material, "foot")
    soft.contact(rod.shape(fb.Sphere(radius, at=(0, 0, 1 - radius))), soft.ground.plane(normal="x"), material, "head")
    at = (1 - radius) * math.sin(angle) + radius, (1 - radius) * math.cos(angle) + radius
    with pytest.warns(fb.errors.SimulationWarning, match="overlap"):
        run = soft.simulate(
            0.3, q={"rod": -angle, "x": at[0], "z": at[1]}, method="dopri5", rtol=1e-6, atol=1e-9
        )  # fmt: skip
    for name in ("q.x", "q.z", "q.rod"):
        assert run[name][-1] == pytest.approx(rigid[name][-1], abs=3e-4)
    assert run["u.rod"][-1] == pytest.approx(rigid["u.rod"][-1], abs=2e-3)


def test_rocking_comes_to_rest() -> None:
    """A block that rocks from one edge to the other, slower each time."""
    s = fb.System("block")
    x = s.body("x", joint=fb.Prismatic("x"))
    z = s.body("z", on=x, joint=fb.Prismatic("z"))
    block = s.body("block", on=z, joint=fb.Revolute("y"), mass=1.0, inertia=fb.box(1.0, 0.2, 0.2, 0.6))
    for side in (-1, 1):
        s.point_contact(block.point((0.1 * side, 0, -0.3)), friction=0.9, name=f"edge{side + 1}")
    tilt = 0.1
    height = 0.1 * math.sin(tilt) + 0.3 * math.cos(tilt)
    run = s.simulate(8.0, q={"block": tilt, "z": height})
    assert run.status == 0 and abs(run["u.block"][-1]) < 1e-9 and abs(run["q.block"][-1]) < 1e-6
    assert np.all(np.diff(run["energy.total"]) < 1e-7)
