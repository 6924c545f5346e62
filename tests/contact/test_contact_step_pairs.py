"""Implicit steps with contact between moving bodies, in closed loops, and at stops of joints."""

from itertools import pairwise

import numpy as np
import pytest

import freebody as fb

G = 9.81


def stack(masses, points=2):
    """Boxes on each other, each narrower than that below."""
    s = fb.System("stack")
    material = fb.ContactMaterial(stiffness=1e7, dissipation=0.5, friction=0.5)
    below, q, z = s.ground.plane(), {}, 0.1
    for k, m in enumerate(masses):
        x = y = 0.2 - 0.04 * k
        inertia = (m / 12 * (y * y + z * z), m / 12 * (x * x + z * z), m / 12 * (x * x + y * y))
        shape = s.body(f"b{k}", joint=fb.Free(), mass=m, inertia=inertia).shape(fb.Box(x, y, z))
        s.contact(shape, below, material=material, name=f"c{k}", points=points)
        below, q[f"b{k}.z"] = shape, z / 2 + z * k
    return s, q


def test_a_stack_stands():
    s, q = stack((1, 1))
    run = s.simulate([0, 1, 3], q=q, method="contact", step=1e-2)
    for k, above in enumerate((2, 1)):
        assert run[f"contact.c{k}.normal"][-1] == pytest.approx(above * G, rel=1e-8)
    assert np.abs(run.x[2, :14] - run.x[1, :14]).max() < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("step", [1e-2, 5e-2])
def test_ten_tonnes_rest_on_one_kilogram(step, recwarn):
    s, q = stack((1, 1e4))
    run = s.simulate([0, 4], q=q, method="contact", step=step)
    assert run["contact.c0.normal"][-1] == pytest.approx((1 + 1e4) * G, rel=1e-6)
    assert not [w for w in recwarn if "converge" in str(w.message)]


def test_a_cradle_passes_the_motion_on():
    """Momentum is kept to rounding; implicit steps take some energy."""
    s, r, n = fb.System("cradle"), 0.05, 5
    material = fb.ContactMaterial(stiffness=1e7)
    balls = [s.body(f"b{k}", at=(k * (2 * r + 1e-4), 0, 0), joint=fb.Prismatic("x"), mass=1.0) for k in range(n)]
    for k, (a, b) in enumerate(pairwise(balls)):
        s.contact(a.shape(fb.Sphere(r)), b.shape(fb.Sphere(r)), material=material, name=f"c{k}")
    for step, least in ((1e-5, 0.85), (2e-6, 0.97)):
        run = s.simulate([0, 0.15], q={"b0": -0.1}, u={"b0": 1.0}, method="contact", step=step)
        speeds = run.x[-1, n:]
        assert speeds.sum() == pytest.approx(1.0, abs=1e-10)
        assert least < speeds[-1] < 1


@pytest.mark.parametrize("friction", [1.0, 2.0, 5.0])
def test_a_rod_that_jams_has_a_solution(friction, recwarn):
    """Painlevé's rod, which slides on its tip with so much friction that no acceleration solves the rigid problem."""
    s = fb.System("rod")
    x = s.body("x", joint=fb.Prismatic("x"))
    z = s.body("z", on=x, joint=fb.Prismatic("z"))
    rod = s.body("rod", on=z, joint=fb.Revolute("y"), mass=1.0, inertia=(1e-3, 1 / 12, 1 / 12))
    material = fb.ContactMaterial(stiffness=1e6, dissipation=0.3, friction=friction)
    plane = s.ground.plane()
    for k, end in enumerate((-0.5, 0.5)):
        s.contact(rod.shape(fb.Sphere(1e-3, at=(end, 0, 0))), plane, material=material, name=f"c{k}")
    angle = 1.0
    start = {"z": 0.5 * np.sin(angle) + 1e-3, "rod": angle}
    run = s.simulate([0, 1, 3], q=start, u={"x": 3.0}, method="contact", step=2e-3)
    assert run.status == 0
    assert np.abs(run.x[-1, 3:6]).max() < 1e-3
    assert not [w for w in recwarn if "converge" in str(w.message)]


def test_a_ball_is_pushed_by_an_arm():
    """A pair between moving bodies: forces are equal and opposite, so that momentum changes by the floor's alone."""
    s = fb.System("push", gravity=(0, 0, 0))
    material = fb.ContactMaterial(stiffness=2e4, dissipation=0.3, friction=0.5)
    a, b = (s.body(n, joint=fb.Free(), mass=m, inertia=(0.01, 0.012, 0.014)) for n, m in (("a", 1.0), ("b", 2.0)))
    s.contact(a.shape(fb.Sphere(0.1)), b.shape(fb.Sphere(0.15, at=(0.02, 0.01, 0))), material=material, name="c")
    u = {"a.vx": 1.0, "a.wy": 3.0, "b.wz": 1.0}
    run = s.simulate(np.linspace(0, 1, 11), q={"a.x": -0.4, "a.y": 0.05}, u=u, method="contact", step=5e-4)
    linear, angular = run["momentum.linear"], run["momentum.angular"]
    assert np.abs(linear - linear[0]).max() < 1e-3
    assert np.abs(angular - angular[0]).max() < 1e-3
    assert run["u.b.vx"][-1] > 0.1


def leg():
    """A five-bar leg, a closed loop, above the ground."""
    s = fb.System("leg")
    trunk = s.body("trunk", joint=fb.Prismatic("z"), mass=2.0)
    for side, x in (("a", -0.05), ("b", 0.05)):
        joint = fb.Revolute("y", stiffness=40.0, damping=0.3, rest=0.8 if side == "a" else -0.8)
        rod = {"mass": 0.2, "com": (0, 0, -0.1), "inertia": fb.rod(0.2, 0.2, "z")}
        thigh = s.body(f"thigh_{side}", on=trunk, at=(x, 0, 0), joint=joint, **rod)
        s.body(f"shank_{side}", on=thigh, at=(0, 0, -0.2), joint=fb.Revolute("y", damping=0.01), **rod)
    ends = [s.bodies[f"shank_{side}"].point((0, 0, -0.2)) for side in "ab"]
    s.close(*ends, joint=fb.Revolute("y"), name="pin")
    material = fb.ContactMaterial(stiffness=1e5, dissipation=0.5)
    s.contact(
        s.bodies["shank_a"].shape(fb.Sphere(0.02, at=(0, 0, -0.2))), s.ground.plane(), material=material, name="foot"
    )
    return s


def test_closed_loops_agree_with_the_accurate_way():
    eq, q = leg().derive(), {"trunk": 0.42, "thigh_a": 0.8, "thigh_b": -0.8}
    names = ["q.trunk", "q.thigh_a", "q.shank_a", "q.thigh_b", "q.shank_b"]
    exact = eq.simulate([0, 0.3], q=q, rtol=1e-10, atol=1e-12)
    errors = []
    for step in (4e-4, 1e-4):
        run = eq.simulate([0, 0.3], q=q, method="contact", step=step)
        errors.append(max(abs(run[n][-1] - exact[n][-1]) for n in names))
        assert max(np.abs(run[k]).max() for k in run if k.startswith("residual.pin")) < 1e-9
    assert errors[1] < 5e-4
    assert errors[0] > 3 * errors[1]


def test_stops_hold_and_give_back():
    s = fb.System("arm")
    arm = s.body(
        "arm", joint=fb.Revolute("y", limits=(-0.5, 0.7)), mass=1.0, com=(0.3, 0, 0), inertia=(0.01, 0.03, 0.03)
    )
    s.joint_stop(arm, stiffness=1e4, dissipation=0.3)
    exact = s.simulate([0, 0.26, 6], q={"arm": 0.2}, rtol=1e-10)
    errors = []
    for step in (1e-3, 1e-4):
        run = s.simulate([0, 0.26, 6], q={"arm": 0.2}, method="contact", step=step)
        errors.append(abs(run["u.arm"][1] - exact["u.arm"][1]))
        assert run["q.arm"][-1] == pytest.approx(exact["q.arm"][-1], abs=1e-7)
    assert errors[1] < 0.1
    assert errors[0] > 5 * errors[1]
