"""Implicit steps of fixed size with contact: known answers, robustness, and Newton's method with dense matrices."""

import warnings

import numpy as np
import pytest
from scipy.optimize import fsolve

import freebody as fb
from freebody.errors import ArgumentError
from freebody.run.step_derivatives import step_derivatives

G = 9.81
SIZE = (0.2, 0.3, 0.1)


def boxed(material, slope=0.0, m=1.0):
    """A box whose corners are small spheres on a plane, which may slope down along x."""
    s = fb.System("box")
    plane = s.ground.plane(normal=(-np.sin(slope), 0, np.cos(slope)))
    x, y, z = SIZE
    inertia = (m / 12 * (y * y + z * z), m / 12 * (x * x + z * z), m / 12 * (x * x + y * y))
    box = s.body("box", joint=fb.Free(), mass=m, inertia=inertia)
    for k, signs in enumerate(np.ndindex(2, 2, 2)):
        at = tuple((2 * i - 1) * side / 2 for i, side in zip(signs, SIZE, strict=True))
        s.contact(box.shape(fb.Sphere(1e-3, at=at)), plane, material=material, name=f"c{k}")
    return s


def on_slope(slope):
    """The coordinates of the box at rest on a slope."""
    height = SIZE[2] / 2 + 1e-3
    return {
        "box.x": -np.sin(slope) * height,
        "box.z": np.cos(slope) * height,
        "box.qw": np.cos(slope / 2),
        "box.qy": -np.sin(slope / 2),
    }


def thrown(rng):
    """A random start of the box above the ground."""
    turn = rng.normal(size=4)
    turn /= np.linalg.norm(turn)
    places = dict(zip(("x", "y", "z", "qw", "qx", "qy", "qz"), (0, 0, rng.uniform(0.2, 1), *turn), strict=True))
    speeds = dict(
        zip(("wx", "wy", "wz", "vx", "vy", "vz"), (*rng.normal(size=3) * 5, *rng.normal(size=3) * 2), strict=True)
    )
    return {f"box.{k}": v for k, v in places.items()}, {f"box.{k}": v for k, v in speeds.items()}


@pytest.mark.parametrize("step", [1e-3, 1e-2])
def test_a_box_that_sticks_on_a_slope_does_not_creep(step):
    material = fb.ContactMaterial(stiffness=1e6, dissipation=0.3, friction=0.5)
    slope = np.arctan(0.495)
    run = boxed(material, slope).simulate([0, 1, 10], q=on_slope(slope), method="contact", step=step)
    assert abs(run["q.box.x"][2] - run["q.box.x"][1]) <= 1e-12
    assert run["contact.c0.slip"][2] < 2e-8  # its floor


def test_a_box_slides_with_the_acceleration_of_coulomb():
    mu, slope = 0.5, np.arctan(0.7)
    material = fb.ContactMaterial(stiffness=1e6, dissipation=0.3, friction=mu)
    run = boxed(material, slope).simulate([0, 1, 2], q=on_slope(slope), method="contact", step=2e-3)
    expected = -(np.sin(slope) - mu * np.cos(slope)) * G * np.cos(slope)
    assert run["u_dot.box.vx"][-1] == pytest.approx(expected / np.cos(slope), rel=1e-3)
    assert (run["q.box.x"][2] - 2 * run["q.box.x"][1] + run["q.box.x"][0]) == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize(("step", "stiffness"), [(1e-3, 1e6), (1e-2, 1e4), (1e-2, 1e9), (5e-2, 1e9)])
def test_thrown_boxes_come_to_rest(step, stiffness, recwarn):
    """Also with steps far longer than the time of a contact."""
    material = fb.ContactMaterial(stiffness=stiffness, dissipation=0.3, friction=0.8)
    rng, eq = np.random.default_rng(1), boxed(material).derive()
    for _ in range(5):
        q, u = thrown(rng)
        run = eq.simulate([0, 2, 4], q=q, u=u, method="contact", step=step)
        assert run.status == 0
        assert np.isfinite(run.x).all()
        assert np.abs(run.x[-1, 7:13]).max() < 1e-4
        forces = sum(run[f"contact.c{k}.normal"][-1] for k in range(8))
        assert forces == pytest.approx(G, rel=1e-3)
        assert sum(run[f"contact.c{k}.gap"][-1] < 0 for k in range(8)) == 4
    assert not [w for w in recwarn if "converge" in str(w.message)]


@pytest.mark.parametrize("step", [1e-3, 1e-2])
def test_a_sphere_that_slides_rolls_with_five_sevenths_of_its_speed(step):
    s = fb.System("ball")
    m, r = 2.0, 0.1
    ball = s.body("ball", joint=fb.Free(), mass=m, inertia=(0.4 * m * r * r,) * 3)
    material = fb.ContactMaterial(stiffness=1e8, dissipation=0.5, friction=0.3)
    s.contact(ball.shape(fb.Sphere(r)), s.ground.plane(), material=material, name="c")
    run = s.simulate([0, 2], q={"ball.z": r - m * G / 1e8}, u={"ball.vx": 1.0}, method="contact", step=step)
    velocity = np.hypot(run["u.ball.vx"], run["u.ball.vz"])  # along the axes of the ball
    assert velocity[-1] == pytest.approx(5 / 7, abs=2e-6)


def test_both_ways_agree_as_the_step_becomes_small():
    """Without friction, of which they have different laws: first order in the step."""
    s = fb.System("ball")
    ball = s.body("ball", joint=fb.Free(), mass=1.0, com=(0.03, 0, 0.02), inertia=(0.004, 0.005, 0.006))
    material = fb.ContactMaterial(stiffness=1e4, dissipation=0.3)
    s.contact(ball.shape(fb.Sphere(0.1)), s.ground.plane(), material=material, name="c")
    eq, start = s.derive(), {"q": {"ball.z": 0.15}, "u": {"ball.wx": 2.0, "ball.vx": 0.5}}
    end = eq.simulate([0, 0.15], **start, rtol=1e-11, atol=1e-12).x[-1]
    errors = [
        np.abs(eq.simulate([0, 0.15], **start, method="contact", step=h).x[-1] - end).max()
        for h in (4e-4, 1e-4, 2.5e-5)
    ]
    assert errors[2] < 0.02  # rad/s, after an impact
    assert errors[0] > 3 * errors[1] > 9 * errors[2]


def chain(touching=True):
    """Three links and their tips, which touch a plane, with springs and dampers in the joints."""
    s = fb.System("chain")
    material = fb.ContactMaterial(stiffness=2e4, dissipation=0.4, friction=0.6)
    plane, last = s.ground.plane(), None
    for k, axis in enumerate("yxy"):
        joint = fb.Revolute(axis, stiffness=3.0, damping=0.2, rest=0.1)
        last = s.body(
            f"b{k}", **({"on": last} if last else {}), at=(0.3 * (k > 0), 0, 0.1 * (k == 0)), joint=joint, mass=0.7,
            com=(0.15, 0, 0.02), inertia=(0.002, 0.01, 0.012),
        )  # fmt: skip
        if touching:
            s.contact(last.shape(fb.Sphere(0.05, at=(0.3, 0, 0))), plane, material=material, name=f"c{k}")
    return s


class Dense:
    """One step of the chain as M̂ (v − v*) = Jᵀ γ(v): M by composite bodies, J by differences of poses."""

    k, d, mu = 2e4, 0.4, 0.6

    def __init__(self, f, q, u, h, theta=0.5):
        now = points(f, q)
        self.h, self.depth = h, np.array([0.05 - (p + R @ TIP)[2] for R, p in now])
        places = [R.T @ (R @ TIP - (0, 0, 0.05 - x / 2)) for (R, _), x in zip(now, self.depth, strict=True)]
        J, e = np.zeros((9, 3)), 1e-6
        for j, unit in enumerate(np.eye(3)):
            ends = [[p + R @ c for (R, p), c in zip(points(f, q + x * unit), places, strict=True)] for x in (e, -e)]
            J[:, j] = (np.array(ends[0]) - np.array(ends[1])).ravel() / (2 * e)
        self.J = J.reshape(3, 3, 3)[:, [2, 0, 1]].reshape(9, 3)  # normal, then the tangents x and y
        M = f.mass_matrix(q)
        self.M = M + np.eye(3) * (h * 0.2 + theta * h * h * 3.0)
        self.star = u + h * np.linalg.solve(self.M, M @ f.forward_dynamics(q, u, np.zeros(3)) - theta * h * 3.0 * u)

    def impulse(self, v, bound):
        gamma, h = np.zeros(9), self.h
        for c in range(3):
            n, t = v[3 * c], v[3 * c + 1 : 3 * c + 3]
            gamma[3 * c] = h * self.k * max(self.depth[c] - h * n, 0) * max(1 - self.d * n, 0)
            trial = h * self.k * (h + 1e-3) * t
            gamma[3 * c + 1 : 3 * c + 3] = -trial * min(1.0, bound[c] / max(np.linalg.norm(trial), 1e-300))
        return gamma

    def solve(self, bound, v):
        return fsolve(lambda v: self.M @ (v - self.star) - self.J.T @ self.impulse(self.J @ v, bound), v, xtol=1e-13)

    def speeds(self, u):
        start = (self.J @ u)[::3]
        normal = self.h * self.k * np.maximum(self.depth, 0) * np.maximum(1 - self.d * start, 0)
        bound = self.mu * normal
        v = self.solve(bound, self.star)
        return self.solve(self.mu * self.impulse(self.J @ v, bound)[::3], v)


TIP = np.array([0.3, 0, 0])


def points(f, q):
    """The rotation and the position of each link."""
    poses = [f.pose(q, body=f"b{k}") for k in range(3)]
    return [tuple(np.asarray(p[name]) for name in ("R", "p")) if isinstance(p, dict) else p for p in poses]


def test_a_step_is_that_of_newton_with_dense_matrices():
    h, eq = 5e-3, chain().derive()
    f = chain(touching=False).derive("crba").compile()
    rng = np.random.default_rng(3)
    for _ in range(5):
        q, u = rng.uniform(-0.2, 0.5, 3), rng.normal(size=3)
        v = Dense(f, q, u, h).speeds(u)
        run = eq.simulate([0, h], q=q, u=u, method="contact", step=h)
        np.testing.assert_allclose(run.x[-1, 3:6], v, rtol=0, atol=1e-6 * np.abs(v).max())
        np.testing.assert_allclose(run.x[-1, :3], q + h * run.x[-1, 3:6], rtol=0, atol=1e-14)


def test_lanes_take_the_steps_of_single_simulators():
    s, n = chain(), 5
    rng = np.random.default_rng(0)
    q = {f"b{k}": rng.uniform(-0.2, 0.4, n) for k in range(3)}
    sims = s.simulators(n, q=q, method="contact", step=2e-3)
    sims.run_until(0.2)
    for k in range(n):
        one = s.simulator(q={name: float(v[k]) for name, v in q.items()}, method="contact", step=2e-3)
        one.run_until(0.2)
        np.testing.assert_allclose(sims.x[k], one.x, rtol=0, atol=1e-11)


def test_sweeps_take_lanes():
    s, starts = chain(), np.linspace(0, 0.3, 5)
    sweep = s.sweep([0, 0.2], {"q.b0": starts}, method="contact", step=2e-3)
    for k, start in enumerate(starts):
        run = s.simulate([0, 0.2], q={"b0": start}, method="contact", step=2e-3)
        assert float(sweep["q.b2"][k, -1]) == pytest.approx(run["q.b2"][-1], abs=1e-11)


@pytest.mark.parametrize("stiffness", [None, 1e5, 1e7])
def test_steps_that_end_exactly_at_a_stop_converge(stiffness):
    """1 rad at 1 rad/s in steps of 1 ms: the impulse of the thousandth step is a rounding error."""
    s = fb.System("door")
    s.body("door", joint=fb.Revolute("z"), mass=10.0, com=(0.4, 0, 0), inertia=(0.1, 0.5, 0.6))
    s.joint_stop("door", upper=1, stiffness=stiffness)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = s.simulate([0, 1.1], u={"door": 1.0}, method="contact", step=1e-3)
    assert run["u.door"][-1] < 0.01 and run["q.door"][-1] < 1.001


def test_sweeps_are_not_checked_for_the_energy_that_impacts_take():
    s = fb.System("ball")
    ball = s.body("ball", joint=fb.Prismatic("z"), mass=1.0, shape=fb.Sphere(0.1))
    s.contact(ball, s.ground.plane(), fb.ContactMaterial(stiffness=1e5, dissipation=0.5))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        s.sweep(1.0, {"q.ball": [0.1, 0.11]}, method="contact", step=2e-3)


def test_runs_go_on_from_snapshots_and_runs():
    s = chain()
    whole = s.simulate([0, 0.1, 0.2], method="contact", step=2e-3)
    half = s.simulate([0, 0.1], method="contact", step=2e-3)
    rest = s.simulate([0.1, 0.2], start=half, method="contact", step=2e-3)
    np.testing.assert_allclose(rest.x[-1], whole.x[-1], rtol=0, atol=1e-12)
    one = s.simulator(method="contact", step=2e-3)
    one.run_until(0.1)
    kept = one.save()
    one.run_until(0.2)
    end = one.x.copy()
    one.restore(kept)
    one.run_until(0.2)
    np.testing.assert_allclose(one.x, end, rtol=0, atol=1e-13)
    np.testing.assert_allclose(one.x, whole.x[-1], rtol=0, atol=1e-11)


def test_events_are_located_in_steps():
    s = chain()
    run = s.simulate(0.3, method="contact", step=2e-3, events=[fb.Event("contact.c2.gap", direction=-1, name="touch")])
    (t, name), *_ = run.events
    assert name == "touch"
    at = s.simulate([0, t], method="contact", step=2e-3)
    assert abs(at["contact.c2.gap"][-1]) < 2e-4  # on a line between the ends of the step


@pytest.mark.parametrize("turn", [5.0, 30.0])
def test_floating_bases_that_tumble_stay_bounded(turn):
    """About their middle axis, in steps of 20 ms, without gravity."""
    s = fb.System("base", gravity=(0, 0, 0))
    base = s.body("base", joint=fb.Free(), mass=2.0, com=(0.02, 0.01, 0), inertia=(0.02, 0.05, 0.06))
    for k, (x, y) in enumerate(((0.2, 0.1), (0.2, -0.1), (-0.2, 0.1), (-0.2, -0.1))):
        joint = fb.Revolute("y", stiffness=5.0, damping=0.05)
        s.body(f"leg{k}", on=base, at=(x, y, 0), joint=joint, mass=0.2, com=(0, 0, -0.1), inertia=(1e-3, 1e-3, 1e-4))
    u = {"base.wx": 0.01 * turn, "base.wy": turn, "base.wz": 0.02 * turn}
    run = s.simulate(np.linspace(0, 10, 101), u=u, method="contact", step=2e-2)
    energy = run["energy.total"]
    assert energy.max() < 1.15 * energy[0]
    assert np.abs(run.x).max() < 1.1 * turn


def test_steps_need_a_size_and_refuse_what_they_do_not_have():
    material = fb.ContactMaterial(stiffness=1e5, friction=0.5, rolling_friction=1e-3)
    s = boxed(material)
    with pytest.raises(ArgumentError, match="contact has a fixed step: give step"):
        s.simulate(1.0, method="contact")
    with pytest.raises(ArgumentError, match="goes forward in time only"):
        chain().simulate([0, -0.1], method="contact", step=1e-3)
    with pytest.raises(ArgumentError, match=r"has no rolling and no torsional friction.*'c0'"):
        s.simulate(1.0, method="contact", step=1e-3)
    exact = fb.System("exact")
    exact.point_contact(exact.body("block", joint=fb.Prismatic("z"), mass=2.0), friction=0.4, name="foot")
    with pytest.raises(ArgumentError, match=r"has no exact impacts, which the point contact 'foot' has"):
        exact.simulate(1.0, method="contact", step=1e-3)


def robot():
    """A floating trunk on two legs with feet, torques at the hips as inputs."""
    s = fb.System("robot")
    material = fb.ContactMaterial(stiffness=2e4, dissipation=0.5, friction=0.5)
    trunk, plane = s.body("trunk", joint=fb.Free(), mass=2.0, inertia=(0.02, 0.05, 0.06)), s.ground.plane()
    for k, (x, y) in enumerate(((0.2, 0.1), (-0.2, -0.1))):
        leg = s.body(f"leg{k}", on=trunk, at=(x, y, 0), joint=fb.Revolute("y", stiffness=20.0, damping=0.1), mass=0.2,
                     com=(0, 0, -0.1), inertia=(1e-3, 1e-3, 1e-4))  # fmt: skip
        s.joint_force(leg, s.input(f"tau{k}"))
        s.contact(leg.shape(fb.Sphere(0.02, at=(0, 0, -0.2))), plane, material=material, name=f"foot{k}")
    return s


@pytest.mark.parametrize("speed", [0.0, 0.6], ids=["stick", "slip"])
def test_derivatives_of_a_step_are_exact(speed):
    """Against central differences of the step's own end, whose tolerance is small."""
    rng = np.random.default_rng(1)
    u = {"trunk.vx": speed, "trunk.wx": 0.02, "leg0": 0.03}
    sim = robot().simulator(q={"trunk.z": 0.219}, u=u, method="contact", step=2e-3)
    found, x = sim.derivatives(), sim.x
    end, e = (lambda x: step_derivatives(sim.compiled, 0.0, x, 2e-3).x), 1e-6
    names = list(found.states)
    turns = [f"q.trunk.{c}" for c in ("qw", "qx", "qy", "qz")]
    for name in rng.permutation([n for n in names if n not in turns])[:8]:
        k = names.index(name)
        unit = np.eye(len(x))[k] * e
        difference = (end(x + unit) - end(x - unit)) / (2 * e)
        np.testing.assert_allclose(found.A[:, k], difference, rtol=0, atol=2e-8 * max(1, np.abs(difference).max()))
    assert found.inputs[:2] == ("input.tau0", "input.tau1")
    ends = []
    for sign in (1, -1):
        sim.set(inputs={"tau0": sign * 1e-3})
        ends.append(sim.derivatives().x)
    np.testing.assert_allclose(found.B[:, 0], (ends[0] - ends[1]) / 2e-3, rtol=0, atol=1e-8)
    sim.set(inputs={"tau0": 0.0})
    sim.step(2e-3)
    np.testing.assert_allclose(sim.x, found.x, rtol=0, atol=1e-4)  # within the tolerances of steps
    slips = [sim[f"contact.foot{k}.slip"] for k in range(2)]
    assert all(slip > 0.1 for slip in slips) if speed else all(slip < 0.02 for slip in slips)


def test_functions_of_users_act_at_the_start_of_a_step():
    """They have no derivatives, so nothing of them is implicit; laws in texts are."""
    s = fb.System("arm")
    arm = s.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.3), inertia=(0.02, 0.02, 0.01))
    s.joint_force(arm, s.input("tau"))
    options = {"method": "contact", "step": 1e-2, "q": {"arm": 0.5}}
    stiff = s.simulate(1.0, inputs={"tau": "-20*u.arm"}, **options)
    called = s.simulate(1.0, inputs={"tau": lambda t, x: -2 * x[1]}, **options)
    text = s.simulate(1.0, inputs={"tau": "-2*u.arm"}, **options)
    assert np.abs(stiff["u.arm"]).max() < 0.2
    np.testing.assert_allclose(called["q.arm"], text["q.arm"], rtol=0, atol=0.02)
    assert np.abs(called["q.arm"] - text["q.arm"]).max() > 1e-5


@pytest.mark.parametrize("case", ["prescribed", "coupled", "spherical", "state", "on a moving body"])
def test_systems_without_contact_converge_with_the_step(case):
    """First order, for joints and states of many kinds."""
    s, u = fb.System("two"), {}
    link = {"mass": 1.0, "com": (0.02, 0, -0.3), "inertia": (0.02, 0.03, 0.015)}
    joint = (
        fb.Revolute("y", motion="0.5*sin(3*t)")
        if case == "prescribed"
        else fb.Revolute("y", stiffness=3.0, damping=0.1)
    )
    first = s.body("a", joint=joint, **link)
    kinds = {"spherical": fb.Spherical(), "on a moving body": fb.Free()}
    second = s.body("b", on=first, at=(0, 0, -0.5), joint=kinds.get(case, fb.Revolute("y")), **link)
    if case == "coupled":
        s.couple(second, first, ratio=-0.5)
    if case == "state":
        s.state("lag", "-5*(lag - q.a)")
        s.joint_force(first, "-3*lag")
    if case in kinds:
        u = {"b.wx": 2.0, "b.wy": 1.0}
    eq, u = s.derive(), {**u, **({} if case == "prescribed" else {"a": 1.0})}
    exact = eq.simulate([0, 0.5], u=u, rtol=1e-11, atol=1e-12).x[-1]
    ends = [eq.simulate([0, 0.5], u=u, method="contact", step=h).x[-1] for h in (1e-3, 2.5e-4)]
    errors = [np.abs(end - exact).max() for end in ends]
    assert errors[0] < 0.05
    assert 3.5 < errors[0] / errors[1] < 4.5
