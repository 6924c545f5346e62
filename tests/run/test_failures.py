"""Every method with every kind of failure: the run ends with the same message, and so does a sweep."""

import re
import warnings
from functools import cache

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, RunEndedWarning, SimulationWarning
from freebody.integrate import implicit, steppers
from freebody.integrate.steppers import IMPLICIT
from tests.mechanisms.sampled import sampled_pairs

METHODS = [m for m in steppers.METHODS if m != "contact"]  # whose steps are of one size, for contact

LOST = "the derivative of the state is not finite. The rate of speed 'cart' (joint 'cart', prismatic, cart on ground)"
LAWS = {
    "a root of less than 0": ("sqrt(0.5 - t)", LOST),
    "a logarithm of less than 0": ("log(0.5 - t)", LOST),
    "beyond all numbers": ("exp(exp(20*t))", "at t = 0."),
    "a pole": ("1/(0.5 - t)**2", "at t = 0."),
    "a blow-up": ("9*u.cart**2", "at t = 0.2"),
    "chatter": ("-9*sign(u.cart) - q.cart", "It chatters"),
}
"""Kinds of failure: a law of the input, and what the message says."""


@cache
def cart() -> fb.Equations:
    s = fb.System("cart", gravity=(0, 0, 0))
    s.parameters(c=1.0)
    s.joint_force(s.body("cart", joint=fb.Prismatic("x"), mass=1.0), s.input("push"), name="drive")
    return s.derive()


def options(method: str) -> dict[str, object]:
    """Options that bound the number of steps of a method."""
    if method in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    most = 1500 if method in IMPLICIT else 50_000
    return {"method": method, "step": 1e-2 if method == "rk4" else None, "max_steps": most}


def without_numbers(message: str) -> str:
    """The message without its numbers, whose last digits may differ between single runs and lanes."""
    return re.sub(r"-?\d[\d.e+-]*", "#", message)


@pytest.mark.parametrize(("method", "kind"), sampled_pairs(METHODS, LAWS))
def test_failure_messages_are_the_same_for_every_method(method: str, kind: str) -> None:
    law, reason = LAWS[kind]
    if method == "rk4" and kind == "chatter":
        pytest.skip("steps of one size go over the jump")
    how = {"u": {"cart": 0.5}, "inputs": {"push": f"where(c > 0.5, {law}, 0)"}, **options(method)}
    with pytest.warns(SimulationWarning, match=r"cart: at t = \S+ s the run ") as caught:
        run = cart().simulate(2.0, **how)  # type: ignore[arg-type]
    assert run.status == -1 and reason in run.message and 0 <= run.t[-1] < 1
    assert [str(w.message) for w in caught] == [f"cart: {run.message}"]
    with pytest.warns(SimulationWarning, match="cart: 1 of 2 cases failed .* the first, c = 1: at t"):
        both = cart().sweep(np.linspace(0, 2, 5), {"c": [0.0, 1.0]}, **how)  # type: ignore[arg-type]
    assert both.status.values.tolist() == [0, -1]
    assert without_numbers(str(both.message.values[1])) == without_numbers(run.message)
    assert both.message.values[0] == "reached the end"
    assert np.isnan(both["u.cart"][1, -1]) and np.isfinite(both["u.cart"][0]).all()


def test_warnings_of_ended_runs_have_a_class_of_their_own() -> None:
    """So that a sweep and the command, which show the message of the result, can leave them out."""
    with pytest.warns(SimulationWarning) as caught:
        ended = cart().simulate(1.0, inputs={"push": "1/(0.5 - t)**2"}, max_steps=1000)
    assert [w.category for w in caught] == [RunEndedWarning]
    assert str(caught[0].message) == f"cart: {ended.message}"
    with pytest.warns(RunEndedWarning, match="1 of 2 cases failed"):
        cart().sweep(0.5, {"c": [1.0, 2.0]}, inputs={"push": "9*(c - 1)*u.cart**2"}, u=[1.0])


@pytest.mark.parametrize("size", ["max_step", "step", "first_step"])
@pytest.mark.parametrize("method", METHODS)
def test_tiny_steps_end_the_run(method: str, size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run ends without max_steps; the first step may be arbitrarily short."""
    if (method == "rk4") != (size == "step"):
        pytest.skip("it has no such step")
    monkeypatch.setattr(implicit, "SLOWER", 2000)
    how = options(method) | {"max_steps": None, "step": None, size: 1e-300}
    if size == "first_step":
        assert cart().simulate(1.0, u={"cart": 1.0}, inputs={"push": 0.0}, **how).success  # type: ignore[arg-type]
        return
    with pytest.warns(SimulationWarning, match="could not go on: (its steps of|the step size fell below)"):
        assert cart().simulate(1.0, u={"cart": 1.0}, inputs={"push": 0.0}, **how).status == -1  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["dop853", "bdf", "cvode"])
def test_chattering_runs_end(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without max_steps the run would take years; the message names the expression that jumps."""
    monkeypatch.setattr(implicit, "SLOWER", 2000)
    how = options(method) | {"max_steps": None}
    with pytest.warns(SimulationWarning, match="Input 'push' jumps between .* It chatters: .* Smooth the jump"):
        run = cart().simulate(1e3, u={"cart": 0.1}, inputs={"push": "-100*sign(u.cart)"}, **how)  # type: ignore[arg-type]
    assert run.status == -1 and 0 < run.t[-1] < 1


def test_steep_smooth_laws_are_not_reported_as_chattering() -> None:
    how = {"u": {"cart": 0.1}, "inputs": {"push": "-tanh(1e8*u.cart)"}}
    with pytest.warns(SimulationWarning, match=r"It is stiff: a motion in speed 'cart' .* dies out within 1\.0e-08 s"):
        run = cart().simulate(2.0, max_steps=20_000, method="dop853", **how)  # type: ignore[arg-type]
    assert run.status == -1 and "chatter" not in run.message
    assert cart().simulate(2.0, method="radau", **how).success  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_events_whose_condition_becomes_undefined_end_the_run_by_name(method: str) -> None:
    """g crosses zero at 0.46 and is NaN from 0.5 on."""
    event = fb.Event("sqrt(0.5 - t) - 0.2", name="late")
    with pytest.warns(SimulationWarning, match="the condition of event 'late' is not a number"):
        run = cart().simulate(1.0, inputs={"push": 0.0}, events=[event], **options(method))  # type: ignore[arg-type]
    assert run.status == -1 and run.t[-1] == pytest.approx(0.5, abs=1e-9)
    assert [t for t, _ in run.events] == pytest.approx([0.46], abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("when", ["q.ball - 0.5", "sqrt(q.ball) - sqrt(0.5)", "log(q.ball/0.5)"])
def test_terminal_events_are_found_before_their_condition_becomes_undefined(method: str, when: str) -> None:
    """A ball falls from 1 m; some conditions are NaN below the ground, which a long step reaches."""
    s = fb.System("fall")
    s.body("ball", joint=fb.Prismatic("z"), mass=1.0)
    how = {"step": 0.3} if method == "rk4" else {}
    run = s.simulate(2.0, q={"ball": 1.0}, events=[fb.Event(when, terminal=True)], method=method, **how)  # type: ignore[arg-type]
    assert run.status == 1 and run["ball"][-1] == pytest.approx(0.5, abs=1e-7)


def test_other_events_come_before_a_condition_becomes_undefined() -> None:
    """A ball that bounces at 0.5 m never reaches the ground, below which the logarithm is not a number."""
    s = fb.System("bounce")
    s.body("ball", joint=fb.Prismatic("z"), mass=1.0)
    events = [fb.Event("log(q.ball) - 5"), fb.Event("q.ball - 0.5", reset={"u.ball": "-u.ball"}, direction=-1)]
    assert s.simulate(2.0, q={"ball": 1.0}, events=events).status == 0


def test_max_steps_bounds_each_case_over_all_segments() -> None:
    """Break points split the run into segments; max_steps bounds the sum of their steps."""
    how = {"inputs": {"push": "where(t > 1, 1, 0) + where(t > 2, c*sin(50*t), 0)"}, "u": {"cart": 1.0}}
    free = cart().sweep(np.linspace(0, 3, 4), {"c": [0.0, 1.0]}, **how)  # type: ignore[arg-type]
    few, many = sorted(free.steps.values.tolist())
    assert few + 2 < many
    with pytest.warns(SimulationWarning, match="1 of 2 cases failed"):
        bound = cart().sweep(np.linspace(0, 3, 4), {"c": [0.0, 1.0]}, max_steps=few, **how)  # type: ignore[arg-type]
    assert bound.status.values.tolist() == [0, -1] and bound.steps.values.tolist() == [few, few]
    with pytest.warns(SimulationWarning, match="max_steps"):
        one = cart().simulate(3.0, parameters={"c": 1.0}, max_steps=few, **how)  # type: ignore[arg-type]
    assert without_numbers(str(bound.message.values[1])) == without_numbers(one.message)
    assert bound["u.cart"][0].equals(free["u.cart"][0])


# The mass matrix at the start


def coaxial(inner: float, gravity: tuple[float, float, float] = (0, 0, 0)) -> fb.System:
    """Two discs on one axis; gravity has no moment about it."""
    s = fb.System("discs", gravity=gravity)
    a, b = s.parameters(a=inner, b=0.3)
    disc = s.body("inner", joint=fb.Revolute("z"), inertia=(a, a, a))
    s.body("outer", on=disc, joint=fb.Revolute("z"), inertia=(b, b, b))
    return s


def stilts(l1: float, l2: float) -> fb.System:
    """Point masses on rods that are stacked on each other."""
    s = fb.System("stilts")
    upper = s.body("upper", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -l1))
    s.body("lower", on=upper, at=(0, 0, -l1), joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -l2))
    return s


@pytest.mark.parametrize("formulation", ["kane", "crba", "aba", "poincare", "cheapest"])
@pytest.mark.parametrize("method", METHODS)
def test_singular_mass_matrix_message_does_not_depend_on_forces(method: str, formulation: str) -> None:
    messages, how = set(), {**options(method), "u": {"inner": 1.0}}
    s = coaxial(0.0)
    s.joint_force(s.bodies["inner"], s.input("push"))
    eq = s.derive(formulation)
    for push in (0.0, 0.1):
        with pytest.warns(SimulationWarning, match="The mass matrix is singular there: speed 'inner'"):
            run = eq.simulate(1.0, inputs={"push": push}, **how)  # type: ignore[arg-type]
        assert run.status == -1 and run.t.tolist() == [0.0] and run["u.inner"].tolist() == [1.0]
        messages.add(run.message)
    with pytest.warns(SimulationWarning, match="2 of 3 cases failed"):
        many = eq.sweep([0.0, 1.0], {"a": [0.0, 0.1, 0.0]}, inputs={"push": 0.0}, **how)  # type: ignore[arg-type]
    assert many.status.values.tolist() == [-1, 0, -1] and messages == {str(many.message.values[k]) for k in (0, 2)}
    assert np.isnan(many["u.inner"][0, 1]) and many["u.inner"][0, 0] == 1.0


def test_singular_mass_matrix_is_reported_when_the_force_is_zero() -> None:
    """u̇ = 0/M is 0 for every M except 0."""
    for method in ("dop853", "radau"):
        with pytest.warns(SimulationWarning, match="The mass matrix is singular there: speed 'inner'"):
            assert coaxial(0.0).simulate(1.0, u={"inner": 1.0}, method=method).status == -1
        assert coaxial(0.1).simulate(1.0, u={"inner": 1.0}, method=method).success


def test_ill_conditioning_warns_once_and_not_with_aba() -> None:
    s = stilts(1e-7, 1.0)
    with pytest.warns(
        SimulationWarning, match=r"badly conditioned at the start: .* speed 'upper' .* 2 digits"
    ) as caught:
        s.simulate(1e-6, q={"upper": 0.3})
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        s.derive("aba").simulate(1e-6, q={"upper": 0.3})


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1.0, 1e6])
@pytest.mark.parametrize("ratio", [1e-9, 1e-3, 1.0])
def test_well_conditioned_systems_do_not_warn(scale: float, ratio: float) -> None:
    """Small and large systems, short rods on long ones, metres mixed with radians."""
    s, free = stilts(scale, scale * ratio), fb.System("body")
    free.body("body", joint=fb.Free(), mass=scale, com=(scale, 0, 0), inertia=(scale**3,) * 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        s.simulate(1e-9, q={"lower": 1.0})
        free.simulate(1e-9)


def test_excessive_end_times_are_refused() -> None:
    for end in (1e308, -1e20, [0.0, 1e16]):
        with pytest.raises(ArgumentError, match=r"the time \S+ s is too far away for a run: beyond 1e\+15 s"):
            cart().simulate(end, inputs={"push": 0.0})
        with pytest.raises(ArgumentError, match="is too far away for a run"):
            cart().sweep(end, {"c": [1.0]}, inputs={"push": 0.0})


@pytest.mark.parametrize("q", [{"a": 0.0, "b": 0.0}, {"a": 0.0, "b": -0.3}])
def test_kinks_of_constraints_are_named(q: dict[str, float]) -> None:
    """Two masses that a force pushes against max(a, b) = 0: the derivatives of the constraint jump where both meet."""
    s = fb.System("sliders", gravity=(0, 0, 9.81))
    for name in "ab":
        s.body(name, joint=fb.Prismatic("z"), mass=1)
    s.constrain("max(q.a, q.b)", name="stop")
    with pytest.warns(SimulationWarning, match=r"kink of the equation stop of constraints.*Write it smoothly"):
        run = s.simulate(1.0, q=q, max_steps=5000)
    assert run.status < 0 and "singular" not in run.message
