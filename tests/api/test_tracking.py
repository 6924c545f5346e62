"""Controllers and observers by one call: errors decay as designed, Lyapunov functions decrease, estimates converge."""

import numpy as np
import pytest

import freebody as fb
from examples.robots import puma560
from freebody.errors import ArgumentError, ModelError


def two_links(mass: float = 1.0) -> fb.System:
    s = fb.System("two links")
    m = s.parameter("m", mass)
    upper = s.body(
        "upper", joint=fb.Revolute("y", damping=0.1), mass=2.0, com=(0, 0, -0.25), inertia=(0.05, 0.05, 0.01)
    )
    hinge = fb.Revolute("y", armature=0.02)
    s.body("lower", on=upper, at=(0, 0, -0.5), joint=hinge, mass=m, com=(0, 0, -0.2), inertia=(0.02, 0.02, 0.01))
    for name in ("upper", "lower"):
        s.joint_force(name, s.input(f"motor.{name}", unit="N*m"))
    return s


WAVES = {"upper": "0.6*sin(1.3*t) + 0.3*sin(2.9*t)", "lower": "0.8*cos(1.9*t) - 0.5*sin(0.7*t)"}


def puma() -> fb.System:
    s = puma560.system()
    for name in list(s.bodies):
        s.joint_force(s.bodies[name], s.input(f"motor.{name}", unit="N·m"), name=f"drive.{name}")
    return s


def rich_references(names: list[str]) -> dict[str, str]:
    """Three sines for each joint."""
    rng = np.random.default_rng(0)
    return {
        n: " + ".join(
            f"{a:.2f}*sin({w:.2f}*t + {p:.2f})" for a, w, p in rng.uniform((0.2, 0.5, 0), (0.5, 3, 6), (3, 3))
        )
        for n in names
    }


def test_computed_torque_has_double_poles() -> None:
    s = two_links()
    control = fb.computed_torque(s, WAVES, {"upper": 4.0, "lower": 6.0})
    for name, e in control.error.items():
        s.output(f"error.{name}", e)
    run = s.simulate(2.0, q={"upper": 0.5, "lower": 0.3}, u={"upper": 0.78 + 0.87, "lower": -0.35}, inputs=control.law)
    for name, rate in (("upper", 4.0), ("lower", 6.0)):
        e = run[f"error.{name}"]
        assert np.allclose(e, e[0] * np.exp(-rate * run.t) * (1 + rate * run.t), atol=1e-7)


@pytest.mark.paper("002", "32")
def test_all_base_parameters_of_the_puma_arm_converge() -> None:
    """Adaptive computed torque from estimates 0: the error vanishes, the 36 estimates come near the true values, and V
    never increases; its change is the integral of −sᵀKs."""
    s = puma()
    names = list(s.bodies)
    gains = dict(zip(names, (40, 24, 8, 1.2, 0.2, 0.1), strict=True))
    control = fb.adaptive_control(s, rich_references(names), 5.0, gains, 1.0)
    s.state("work", rate=control.decrease)
    s.output("V", control.lyapunov)
    for name, e in control.error.items():
        s.output(f"error.{name}", e)
    run = s.simulate(np.linspace(0, 60, 1201), inputs=control.law, rtol=1e-7, atol=1e-9)
    V = run["V"]
    assert len(control.estimates) == 36 and np.diff(V).max() < 1e-8 * V[0] and V[-1] < 1e-4 * V[0]
    assert np.allclose(V - V[0], run["work"], atol=1e-5 * V[0])
    first, last = (
        np.array([np.abs(run[f"error.{n}"][part]).max() for n in names]) for part in (slice(0, 100), slice(-100, None))
    )
    assert (last < 0.02 * first).all() and (last < 5e-3).all()
    found, true = (np.array(x) for x in zip(*((run[n][-1], x) for n, x in control.estimates.items()), strict=True))
    large = np.abs(true) > 0.1
    assert large.sum() == 9 and np.allclose(found[large], true[large], rtol=0.01)
    assert np.abs(found - true)[~large].max() < 0.01


def test_adaptation_takes_gains_by_name_and_matrices() -> None:
    s = two_links()
    base = s.derive().base_parameters()
    names = [base.names[k] for k in base.independent]
    for adaptation in (dict.fromkeys(names, 0.3), [0.3] * len(names), 0.3 * np.eye(len(names))):
        t = two_links()
        control = fb.adaptive_control(t, WAVES, 4.0, 5.0, adaptation, initial={names[0]: 0.2})
        t.output("V", control.lyapunov)
        run = t.simulate(10.0, inputs=control.law)
        assert np.diff(run["V"]).max() < 1e-7 and run[f"estimate.{names[0]}"][0] == 0.2
    still = two_links()
    fixed = fb.adaptive_control(still, WAVES, 4.0, 5.0, {names[0]: 0.3})
    run = still.simulate(1.0, inputs=fixed.law)
    assert run[f"estimate.{names[1]}"][-1] == 0 and "extra states" in repr(fixed)


def test_sliding_mode_bounds_the_error_of_an_uncertain_model() -> None:
    """A load three times as heavy as the law knows: |e| stays below φ/λ where computed torque is far off; outside of
    the boundary layer sᵀMs decreases."""
    s, heavy = two_links(), {"m": 3.0}
    rate, layer = 8.0, 0.05
    control = fb.sliding_mode(s, WAVES, rate, {"upper": 60.0, "lower": 25.0}, layer, parameters={"m": 1.0})
    known = fb.computed_torque(s, WAVES, rate, parameters={"m": 1.0})
    for name, e in control.error.items():
        s.output(f"error.{name}", e)
        s.output(f"s.{name}", control.surface[name])
    s.output("V", control.lyapunov)
    start = {"q": {"upper": 0.3, "lower": 0.6}, "parameters": heavy}
    run, other = (s.simulate(6.0, inputs=law, **start) for law in (control.law, known.law))
    late = run.t > 2
    for name in WAVES:
        assert np.abs(run[f"error.{name}"][late]).max() < layer / rate
        assert np.abs(other[f"error.{name}"][late]).max() > 3 * layer / rate
    outside = np.all([np.abs(run[f"s.{n}"]) > layer for n in WAVES], axis=0)[:-1]
    assert outside.any() and (np.diff(run["V"])[outside] < 0).all()


def test_high_gain_observer_has_double_poles_and_errors_that_fall_with_the_bandwidth() -> None:
    """Of a mass the error is exactly that of a double pole; of an arm with a wrong model it is Δ 2/ω."""
    s = fb.System("mass")
    s.joint_force(s.body("cart", joint=fb.Prismatic("x"), mass=2.0), s.input("F"))
    observer = fb.high_gain_observer(s, 10.0)
    run = s.simulate(1.0, u={"cart": 1.5}, inputs={"F": "sin(3*t)"})
    error = run["u.cart"] - run[observer.u["cart"]]
    assert np.allclose(error, 1.5 * np.exp(-10 * run.t) * (1 + 10 * run.t), atol=1e-6)
    largest = []
    for bandwidth in (150.0, 300.0):
        arm = two_links()
        law = fb.computed_torque(arm, WAVES, 4.0).law
        observer = fb.high_gain_observer(arm, bandwidth, parameters={"m": 0.5})
        run = arm.simulate(5.0, q={"upper": 0.2}, inputs=observer.in_law(law))
        errors = [run[f"u.{n}"] - run[observer.u[n]] for n in WAVES]
        largest.append(np.abs(np.array(errors)[:, run.t > 2]).max())
        with pytest.raises(ArgumentError, match=r"uses bias\(upper\), in which speeds cannot be replaced"):
            observer.in_law({"motor.upper": "-bias(upper)"})
        held = observer.in_law({"motor.upper": "-2*u.upper"})
        assert str(held["motor.upper"]) == "-2*observer.u.upper" and "4 extra states" in repr(observer)
    assert largest[0] / largest[1] == pytest.approx(2.0, rel=0.1) and largest[1] < 0.12


def test_tracking_laws_refuse_what_they_cannot_do() -> None:
    s = two_links()
    for make, text in (
        (lambda: fb.computed_torque(s, {"upper": 0}, 1.0), "coordinate 'lower' has none"),
        (lambda: fb.computed_torque(s, {**WAVES, "elbow": 0}, 1.0), "has no coordinate 'elbow'"),
        (lambda: fb.computed_torque(s, {**WAVES, "lower": "q.upper"}, 1.0), "function of t and parameters alone"),
        (lambda: fb.computed_torque(s, WAVES, -1.0), "bandwidth must be positive"),
        (lambda: fb.computed_torque(s, WAVES, {"upper": 1.0}), "'lower' has no value"),
        (lambda: fb.computed_torque(s, WAVES, 1.0, parameters={"k": 1}), "has no parameter 'k'"),
        (lambda: fb.sliding_mode(s, WAVES, 1.0, 1.0, 0.0), "must be wider than 0"),
        (lambda: fb.adaptive_control(s, WAVES, 1.0, 1.0, -1.0), "must be positive"),
        (lambda: fb.adaptive_control(s, dict.fromkeys(WAVES, 0), 1.0, 1.0, 1.0), "does not excite"),
    ):
        with pytest.raises(ArgumentError, match=text):
            make()
    cart = fb.System("cart")
    cart.body(
        "pole", on=cart.body("cart", joint=fb.Prismatic("x"), mass=1.0), joint=fb.Revolute("y"), mass=1.0, com=(0, 0, 1)
    )
    cart.joint_force("cart", cart.input("F"))
    with pytest.raises(ArgumentError, match="not fully actuated: no input acts on 'pole'"):
        fb.computed_torque(cart, {"cart": 0, "pole": 0}, 1.0)
    free = fb.System("free")
    free.body("b", joint=fb.Free(), mass=1.0, inertia=(1, 1, 1))
    with pytest.raises(ArgumentError, match="those of free and spherical joints are not"):
        fb.high_gain_observer(free, 10.0)


def test_other_inputs_are_disturbances_and_loops_and_motions_are_refused() -> None:
    s = two_links()
    gust = s.input("gust")
    s.force(s.ground.vector((gust, 0, 0)), at=s.bodies["lower"].point((0, 0, -0.4)))
    with pytest.raises(ArgumentError, match=r"it has 3 inputs and 2 speeds.*choose inputs=\[…\]"):
        fb.computed_torque(s, WAVES, 5.0)
    motors = ["motor.upper", "motor.lower"]
    law = fb.computed_torque(s, dict.fromkeys(WAVES, 0), 5.0, inputs=motors).law
    run = s.simulate(4.0, inputs={**law, "gust": 1.0})
    f = s.derive().compile("numpy")
    q = np.array([run["q.upper"][-1], run["q.lower"][-1]])
    moment = f.bias(q, 0 * q, inputs=[0, 0, 1.0]) - f.bias(q, 0 * q)
    assert np.allclose(25 * f.mass_matrix(q) @ q, moment, atol=1e-6)
    loop = two_links()
    loop.rod(loop.bodies["lower"].point((0, 0, -0.4)), loop.ground.point((0.1, 0, -0.8)), 0.2)
    with pytest.raises(ModelError, match="this controller or observer"):
        fb.sliding_mode(loop, WAVES, 1.0, 1.0, 0.1)
    moved = fb.System("moved")
    base = moved.body("base", joint=fb.Prismatic("x", motion="sin(t)"), mass=1.0)
    moved.body("arm", on=base, joint=fb.Revolute("y"), mass=1.0, com=(0, 0, 0.5))
    moved.joint_force("arm", moved.input("motor"))
    with pytest.raises(ArgumentError, match="the motion of 'base' is prescribed"):
        fb.adaptive_control(moved, {"arm": "sin(t)"}, 5.0, 1.0, 1.0)
    assert not moved.extra_states
    moved.output("error", fb.computed_torque(moved, {"arm": 0.2}, 5.0).error["arm"])
    run = moved.simulate(1.0, inputs=fb.computed_torque(moved, {"arm": 0.2}, 5.0).law)
    assert np.allclose(run["error"], -0.2 * np.exp(-5 * run.t) * (1 + 5 * run.t), atol=1e-7)


def test_a_law_may_use_another_model() -> None:
    """With the same names: the law of a light arm on a heavy one, and the mass as a number."""
    heavy, light = two_links(3.0), two_links(1.0)
    laws = [
        fb.computed_torque(heavy, WAVES, 5.0, **more).law
        for more in ({"model": light, "parameters": {"m": 1.0}}, {"parameters": {"m": 1.0}})
    ]
    runs = [heavy.simulate(1.0, inputs=law) for law in laws]
    assert np.allclose(runs[0]["q.lower"], runs[1]["q.lower"], atol=1e-9)
    heavy.output("error", fb.computed_torque(heavy, WAVES, 5.0, model=light).error["lower"])
    light.parameter("k", 1.0)
    light.joint_force("lower", "-k*q.lower")
    with pytest.raises(ArgumentError, match="the model has 'k', and the system has no such name"):
        fb.computed_torque(heavy, WAVES, 5.0, model=light)
