"""The public interface: the example of the design, published motions, small variables, batches."""

from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from freebody.api import Compiled
from freebody.errors import FreebodyError, ModelError


def rk4(f: Compiled, x: np.ndarray, t_end: float, steps: int) -> np.ndarray:
    h, t = t_end / steps, 0.0
    for _ in range(steps):
        a = f.state_dot(t, x)
        b = f.state_dot(t + h / 2, x + h / 2 * a)
        c = f.state_dot(t + h / 2, x + h / 2 * b)
        x = x + h / 6 * (a + 2 * b + 2 * c + f.state_dot(t + h, x + h * c))
        t += h
    return x


def arm() -> fb.System:
    s = fb.System("double pendulum")
    m, l, k = s.parameters(m=1.0, l=0.5, k=20.0)
    motor = s.input("motor")
    upper = s.body(
        "upper",
        on=s.ground,
        joint=fb.Revolute("y"),
        mass=m,
        com=(0, 0, -l / 2),
        inertia=fb.rod(m, l, "z"),
        shape=fb.Cylinder(0.02, l),
    )
    lower = s.body(
        "lower", on=upper, at=(0, 0, -l), joint=fb.Revolute("y"), mass=m, com=(0, 0, "-l/2"), inertia=fb.rod(m, l, "z")
    )
    s.spring(upper.point((0, 0, -l)), s.ground.point((1, 0, 0)), stiffness=k, free_length=0.2)
    s.torque(motor, on=lower, reaction=upper, about=lower.y)
    s.output("tip", s.position(lower.point((0, 0, -l))))
    s.output("speed", s.velocity(lower.point((0, 0, -l))).norm())
    return s


def test_example_of_the_design_runs(tmp_path: object) -> None:
    s = arm()
    eq = s.derive()
    f = eq.compile()
    q, u, tau = np.array([0.3, 0.2]), np.array([0.1, -0.4]), np.array([0.5, 0.1])
    u_dot = f.forward_dynamics(q, u, tau, inputs=[2.0])
    assert np.allclose(f.inverse_dynamics(q, u, u_dot, inputs=[2.0]), tau)
    assert np.allclose(f.mass_matrix(q) @ u_dot, f.bias(q, u, inputs=[2.0]) + tau)
    assert np.allclose(f.state_dot(0, [*q, *u], inputs=[2.0])[2:], f.forward_dynamics(q, u, inputs=[2.0]))
    out = f.outputs(q, u)
    reach = 0.5 * np.array([-np.sin(0.3) - np.sin(0.5), 0, -np.cos(0.3) - np.cos(0.5)])
    assert np.allclose(out["tip"], reach)
    assert eq.operations["forward_dynamics"].total <= 47
    assert [p.suffix for p in eq.to_c(str(tmp_path))] and r"\dot{u}" in eq.to_latex()


def test_single_states_and_batches_agree() -> None:
    f = arm().derive().compile()
    rng = np.random.default_rng(0)
    q, u, tau = rng.normal(size=(3, 21, 2))
    many = f.forward_dynamics(q, u, tau)
    assert np.allclose(many, [f.forward_dynamics(*row) for row in zip(q, u, tau, strict=True)], rtol=1e-12)
    assert f.mass_matrix(q).shape == (21, 2, 2)


def test_backends_agree() -> None:
    eq, q, u = arm().derive(), [0.3, 0.2], [0.1, -0.4]
    found = [eq.compile(b).forward_dynamics(q, u) for b in ("llvm", "numpy")]
    assert np.allclose(found[0], found[1], rtol=1e-13)


def test_energy_is_conserved_without_losses() -> None:
    s = fb.System(gravity=(0, 0, -9.81))
    a = s.body("a", joint=fb.Revolute("y", stiffness=3, rest=0.1), mass=1, com=(0.1, 0, -0.4), inertia=(0.1, 0.1, 0.05))
    skew = fb.Revolute((1, 1, 0))
    s.body("b", on=a, at=(0, 0, -0.8), joint=skew, mass=2, com=(0, 0.1, -0.2), inertia=(0.2, 0.1, 0.15))
    f = s.derive().compile()
    x = np.array([0.5, -0.3, 1.0, 2.0])
    total = [sum(float(v) for v in f.energies(y[:2], y[2:]).values()) for y in (x, rk4(f, x, 2.0, 2000))]
    assert abs(total[1] - total[0]) < 1e-9


def test_planar_pendulum_matches_the_published_motion() -> None:
    """IFToMM A01: m = 1, L = 1, g = 9.81, from (−1, 0) at rest, is at (0.9862917511318754, −0.165010853125541) at t =
    1."""
    s = fb.System()
    s.body("bob", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    x = rk4(s.derive().compile(), np.array([np.pi / 2, 0.0]), 1.0, 4000)
    assert np.allclose([-np.sin(x[0]), -np.cos(x[0])], [0.9862917511318754, -0.165010853125541], atol=1e-9)


@pytest.mark.parametrize("sequence", [None, "123"])
def test_free_rigid_body_matches_the_published_motion(sequence: str | None) -> None:
    """I = (1, 2, 3), ω0 = (.1, 1, .1): ω(10) = (−.304543316652, −.957733453672, .193861317886)."""
    s = fb.System(gravity=(0, 0, 0))
    s.body("body", joint=fb.Spherical(sequence) if sequence else fb.Free(), mass=1, inertia=(1, 2, 3))
    f = s.derive().compile()
    start = [0.1, 1.0, 0.1]
    x = np.array([0, 0, 0, *start]) if sequence else np.array([0, 0, 0, 1, 0, 0, 0, *start, 0, 0, 0], dtype=float)
    n = 3 if sequence else 7
    if sequence:
        w = np.array(start)
        for _ in range(4000):  # ω alone: the angles run through their singularity

            def rate(w: np.ndarray) -> np.ndarray:
                return f.forward_dynamics([0, 0, 0], w)

            a = rate(w)
            b = rate(w + 0.00125 * a)
            c = rate(w + 0.00125 * b)
            w = w + 0.0025 / 6 * (a + 2 * b + 2 * c + rate(w + 0.0025 * c))
    else:
        w = rk4(f, x, 10.0, 4000)[n : n + 3]
    assert np.allclose(w, [-0.304543316652, -0.957733453672, 0.193861317886], atol=1e-9)


def test_double_pendulum_matches_the_published_motion() -> None:
    s = fb.System()
    a = s.body("a", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    s.body("b", on=a, at=(0, 0, -1), joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    eq = s.derive()
    x = rk4(eq.compile(), np.array([np.pi / 2, 0, 0, 0]), 2.0, 4000)
    found = [x[0], x[0] + x[1], x[2], x[2] + x[3]]
    assert np.allclose(found, [-0.48297153425, -1.32404871230, 3.06528819207, 2.94927154757], atol=1e-10)
    assert eq.operations["forward_dynamics"].total <= 40


def test_small_variables_are_the_derivative_of_the_full_equations() -> None:
    s = arm()
    full, small = s.derive().compile(), s.derive(small=["upper", "lower"]).compile()
    rng, eps = np.random.default_rng(3), 1e-5
    q, u = rng.normal(size=(2, 2))
    for f in ("bias", "mass_matrix"):

        def at(c: Compiled, scale: float, f: str = f) -> np.ndarray:
            return c.bias(scale * q, scale * u) if f == "bias" else c.mass_matrix(scale * q)

        slope = (at(full, eps) - at(full, -eps)) / (2 * eps)
        assert np.allclose(at(small, 1.0), at(full, 0.0) + slope, atol=1e-6)


def test_prescribed_motion_acts_on_other_bodies() -> None:
    """A pendulum on a pivot that moves vertically as a sin(wt): θ̈ = −(g + z̈)/l sin θ."""
    s = fb.System()
    s.parameters(a=0.2, w=3.0)
    pivot = s.body("pivot", joint=fb.Prismatic("z", motion="a*sin(w*t)"))
    s.body("bob", on=pivot, joint=fb.Revolute("y"), mass=2, com=(0, 0, -1.5))
    eq = s.derive()
    assert eq.q == ("bob",) and eq.u == ("bob",)
    t, angle = 0.7, 0.4
    found = eq.compile().forward_dynamics([angle], [0.3], t=t)
    lift = -0.2 * 9 * np.sin(3 * t)
    assert np.allclose(found, -(9.81 + lift) / 1.5 * np.sin(angle))


def test_extra_states_may_use_each_other(tmp_path: Path) -> None:
    """Declared together, with rates that follow, or in a file: ȧ = b, ḃ = −a is a circle."""
    systems = [fb.System("circle") for _ in range(2)]
    for s in systems:
        s.body("wheel", joint=fb.Revolute("z"), inertia=(1, 1, 1))
    assert len(systems[0].states(a={"rate": "b", "initial": 1.0, "unit": "m"}, b="-a")) == 2
    a, b = systems[1].state("a", initial=1.0, unit="m"), systems[1].state("b")
    systems[1].rate(b, -a)
    with pytest.raises(ModelError, match=r"the extra state 'a' has no rate; define it by s\.rate\('a', …\)"):
        systems[1].derive()
    systems[1].rate("a", b)
    assert systems[0].digest() == systems[1].digest()
    systems[0].save(tmp_path / "s.yaml")
    assert fb.load(tmp_path / "s.yaml").digest() == systems[0].digest()
    run = systems[0].simulate(2.0, rtol=1e-10, atol=1e-10)
    assert np.allclose([run["a"][-1], run["b"][-1]], [np.cos(2.0), -np.sin(2.0)], atol=1e-8)


def test_wrong_rates_of_extra_states_leave_the_system_as_it_was() -> None:
    s = fb.System("wrong")
    a = s.state("a")
    for action, text in (
        (lambda: s.states(b="c", c="d"), "states.c.rate: 'd' is not declared"),
        (lambda: s.states(b={"rte": 1}), "states.b: there is no key 'rte' here. Did you mean rate"),
        (lambda: s.states(b={"unit": "m"}), "states.b: the key 'rate' is missing"),
        (lambda: s.rate("b", 1), "'b' is not an extra state. Choose from a"),
        (lambda: s.rate(a, "e"), "states.a.rate: 'e' is not declared"),
    ):
        with pytest.raises(FreebodyError, match=text):
            action()
        assert [*s.extra_states] == ["a"]
    s.rate(a, -a)
    with pytest.raises(ModelError, match="the extra state 'a' has a rate already"):
        s.rate(a, 1)


def test_extra_states_are_part_of_the_state() -> None:
    s = fb.System(gravity=(0, 0, 0))
    body = s.body("cart", joint=fb.Prismatic("x"), mass=2)
    command = s.input("command")
    lag = s.state("lag", rate="(command - lag)/0.1", initial=0.5)
    s.force(body.x * (lag + command), at=body)
    f = s.derive().compile()
    assert np.allclose(f.state_dot(0, [0.0, 0.0, 0.5], inputs=[1.0]), [0.0, 0.75, 5.0])
    assert np.allclose(f.forward_dynamics([0.0], [0.0]), 0.25)


def test_more_speeds_than_can_be_unrolled_use_a_solve() -> None:
    s, on = fb.System(), None
    for k in range(40):
        place, hinge = (0, 0, -0.1 if k else 0), fb.Revolute("xy"[k % 2])
        on = s.body(f"b{k}", on=on, at=place, joint=hinge, mass=1, com=(0, 0, -0.1))
    eq = s.derive("kane")
    assert any(type(r).__name__ == "Solve" for r in eq.program().regions)
    f, rng = eq.compile(), np.random.default_rng(0)
    q, u = rng.normal(size=(2, 40)) * 0.3
    u_dot = f.forward_dynamics(q, u)
    assert np.allclose(f.mass_matrix(q) @ u_dot, f.bias(q, u), atol=1e-9)


def test_reactions_of_a_pendulum_at_rest_and_in_motion() -> None:
    """A mass m at distance l: the reaction is m g cos θ + m l θ̇² along the rod and m (g sin θ + l θ̈) across."""
    s = fb.System()
    s.body("bob", joint=fb.Revolute("y"), mass=2, com=(0, 0, -1.5))
    f = s.derive().compile()
    q, u = np.array([0.4]), np.array([0.7])
    u_dot = f.forward_dynamics(q, u)
    found = f.reactions(q, u, u_dot)
    along, across = 2 * (9.81 * np.cos(0.4) + 1.5 * 0.49), 2 * (9.81 * np.sin(0.4) + 1.5 * u_dot[0])
    assert np.allclose(np.abs(found["bob.force"]), [abs(across), 0, along], atol=1e-12)
    assert np.allclose(found["bob.torque"], 0, atol=1e-12)


def test_reactions_include_loads_and_drives() -> None:
    """The drive force of a driven arm equals inverse dynamics of the same arm with a free joint."""

    def build(motion: object) -> fb.System:
        s = fb.System()
        a = s.body("a", joint=fb.Revolute("y", motion=motion), mass=1.5, com=(0.3, 0, -0.2), inertia=(0.1, 0.2, 0.15))
        b = s.body("b", on=a, at=(0.5, 0, 0), joint=fb.Revolute("x"), mass=1, com=(0, 0.1, -0.3))
        s.force(b.z * 3 + s.ground.x, at=b.point((0, 0, -0.5)))
        return s

    t, u_b, q_b = 0.6, 0.4, 0.3
    driven = build("0.2*t**3").derive().compile()
    u_dot = driven.forward_dynamics([q_b], [u_b], t=t)
    drive = driven.reactions([q_b], [u_b], u_dot, t=t)["a.drive_force"]
    free = build(None).derive().compile()
    tau = free.inverse_dynamics([0.2 * t**3, q_b], [0.6 * t**2, u_b], [1.2 * t, u_dot[0]])
    assert np.allclose([drive[0], 0.0], tau, atol=1e-12)


def test_velocity_is_the_derivative_of_position_seen_from_anywhere() -> None:
    s = fb.System()
    a = s.body("a", joint=fb.Free("321"), mass=1, inertia=(1, 1, 1))
    b = s.body("b", on=a, at=(0.1, 0.2, 0.3), joint=fb.Revolute((1, 2, 0)), mass=1, inertia=(1, 1, 1))
    tip = b.point((0.3, -0.1, 0.2))
    s.output("rate", s.derivative(s.position(tip)))
    s.output("velocity", s.velocity(tip))
    s.output("relative", s.derivative(s.position(tip, of=a), a))
    s.output("by transport", s.velocity(tip) - s.velocity(a) - s.angular_velocity(a).cross(s.position(tip, of=a)))
    rng = np.random.default_rng(0)
    found = s.derive().compile().outputs(rng.uniform(-1, 1, 7), rng.normal(size=7))
    assert np.allclose(found["rate"], found["velocity"]) and np.allclose(found["relative"], found["by transport"])
    with pytest.raises(fb.errors.ModelError, match="would need rates of inputs or accelerations"):
        s.derivative(s.acceleration(tip))
    with pytest.raises(fb.errors.ModelError, match="would need rates of inputs or accelerations"):
        s.derivative(a.x * s.input("w"))


def test_mass_centre_speeds_describe_the_same_motion() -> None:
    """With mass-centre speeds u̇ differs, but the corresponding standard rates are Kane's."""
    s = fb.System(gravity=(0, 0, -3))
    a = s.body("a", joint=fb.Free("123"), mass=2, com=(0.1, 0.2, -0.1), inertia=(1, 1.2, 1.4))
    s.body("b", on=a, at=(0.3, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, -0.4))
    kane, own = s.derive(), s.derive(speeds="mass-centre")
    rng = np.random.default_rng(4)
    x = np.concatenate([rng.uniform(-0.5, 0.5, 7), rng.normal(size=7)])
    y = own.from_standard(x)
    assert np.allclose(own.to_standard(y), x) and not np.allclose(x, y)
    h, rate = 1e-6, own.compile().state_dot(0, y)
    slope = (own.to_standard(y + h * rate) - own.to_standard(y - h * rate)) / (2 * h)
    assert np.allclose(slope, kane.compile().state_dot(0, x), atol=1e-6)
    energies = [c.compile().energies(v[:7], v[7:]) for c, v in ((kane, x), (own, y))]
    assert np.isclose(energies[0]["kinetic"], energies[1]["kinetic"])
    assert "Table 2" in own.tables()


def test_sayers_agrees_with_kane() -> None:
    s, q, u = arm(), [0.3, 0.2], [0.1, -0.4]
    found = [s.derive(way).compile().forward_dynamics(q, u, inputs=[1.0]) for way in ("kane", "sayers")]
    assert np.allclose(found[0], found[1], rtol=1e-12)


def test_velocity_of_a_point_that_moves_on_its_body() -> None:
    """The end of a spring slides along the turning arm; its rate is the derivative of its length."""
    s = fb.System()
    arm = s.body("arm", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    runner = arm.point(arm.x * (1 + arm.q[0] ** 2) + s.ground.y * s.t)
    s.output("velocity", s.velocity(runner))
    s.output("rate", s.derivative(s.position(runner)))
    found = s.derive().compile().outputs([0.7], [1.3], t=0.4)
    assert np.allclose(found["velocity"], found["rate"])


def test_springs_need_two_points_and_default_names_are_unique() -> None:
    s = fb.System()
    a = s.body("a", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    s.force(a.x, at=a, name="force2")
    assert [s.force(a.x, at=a).name for _ in range(2)] == ["force1", "force3"]
    s.spring(a.origin, s.ground.origin, stiffness=1)
    with pytest.raises(fb.errors.ModelError, match="load 'spring1': its two ends are the same point"):
        s.derive().program()


@pytest.mark.parametrize("seed", range(6))
def test_reactions_along_free_directions_equal_inverse_dynamics(seed: int) -> None:
    """Random chains without joint springs: turns·N + slides·F of each joint's reaction equals tau = M u̇ − f."""
    rng = np.random.default_rng(seed)
    s, on = fb.System(), None
    kinds = [fb.Revolute((1, 2, -1)), fb.Prismatic((0, 1, 1)), fb.Spherical(), fb.Revolute("y"), fb.Cylindrical("x")]
    for k in rng.permutation(5):
        moments = tuple(float(x) for x in rng.uniform(0.4, 0.7, 3))
        on = s.body(
            f"b{k}",
            on=on,
            at=tuple(rng.normal(size=3)),
            joint=kinds[k],
            mass=1.0 + k,
            com=tuple(rng.normal(size=3)),
            inertia=moments,
        )
    s.force(s.ground.vector((1, 2, 3)), at=on.point((0.1, 0.2, 0.3)), reaction=s.bodies["b0"])  # type: ignore[union-attr]
    eq = s.derive()
    f, n = eq.compile(), len(eq.u)
    q = np.concatenate([b.spec.joint.normalise(rng.uniform(0.2, 1, len(b.q))) for b in s.bodies.values()])  # type: ignore[union-attr]
    u, u_dot = rng.normal(size=(2, n))
    tau, found = f.inverse_dynamics(q, u, u_dot), f.reactions(q, u, u_dot)
    axes = {"b2": np.eye(3), "b3": [[0, 1, 0]], "b0": [np.array([1, 2, -1]) / np.sqrt(6)]}
    for name, rows in axes.items():
        place = eq.u.index(name if name != "b2" else "b2.wx")
        assert np.allclose(np.asarray(rows) @ found[f"{name}.torque"], tau[place : place + len(rows)], atol=1e-9)
    along = np.array([0, 1, 1]) / np.sqrt(2)
    assert np.isclose(along @ found["b1.force"], tau[eq.u.index("b1")], atol=1e-9)
