"""Arguments of simulate: names, input laws, initial values, parameters and options; copies and pickles of runs."""

import copy
import inspect
import pickle
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.cli.simulate import simulate as simulate_command
from freebody.cli.sweep import sweep as sweep_command
from freebody.errors import ArgumentError, ModelError
from freebody.io import loads
from freebody.run.options import RunKeywords, RunOptions
from tests.run.systems import PI, ball, double_pendulum, oscillator, pendulum, spinning

HELD = {"inputs": {"push": 0.0}}


def driven() -> fb.System:
    """A mass m that is pushed along x by a force f."""
    s = fb.System("driven")
    m, f = s.parameter("m", 1.0), s.input("f")
    s.joint_force(s.body("b", joint=fb.Prismatic("x"), mass=m), f, name="drive")
    return s


def ramp(t: float) -> float:
    return 2 * t


# Names


def test_outputs_may_not_have_the_name_of_a_coordinate() -> None:
    s = driven()
    for name in ("q.b", "u.b"):
        with pytest.raises(ModelError, match=f"output '{name}': texts use '{name}' for something else"):
            s.output(name, 7)
    early = fb.System()
    early.output("q.b", 7)
    with pytest.raises(ModelError, match=r"body 'b': 'q\.b' is the name of an output"):
        early.body("b", joint=fb.Prismatic("x"), mass=1.0)


def test_components_of_vector_outputs_may_not_have_the_name_of_a_coordinate() -> None:
    s = fb.System()
    s.body("x", joint=fb.Prismatic("x"), mass=1.0)
    with pytest.raises(ModelError, match=r"output 'q': texts use 'q\.x' for something else"):
        s.output("q", s.ground.x)
    s.output("tip", s.ground.x)
    with pytest.raises(ModelError, match=r"'tip\.x' is the name of a component of an output"):
        s.parameter("tip.x", 1.0)
    with pytest.raises(ModelError, match=r"'q\.x' is the name of a coordinate"):
        s.parameter("q.x", 1.0)


@pytest.mark.parametrize(("name", "what"), [("if", "reserved word"), ("pi", "constant"), ("sin", "function")])
def test_reserved_words_constants_and_functions_are_refused_as_names(name: str, what: str) -> None:
    s = fb.System()
    for say in (lambda: s.parameter(name, 1.0), lambda: s.input(name), lambda: s.state(name, 0)):
        with pytest.raises(ModelError, match=f"'{name}' cannot be a name here: in expressions it is a {what}"):
            say()
    s.output(name, 3.0)


def test_output_named_pi_does_not_change_pi() -> None:
    s = driven()
    s.output("pi", 3.0)
    assert s.simulate([0.0], inputs={"f": "pi"})["drive"][0] == PI


# Laws


def test_laws_may_call_the_tables_of_the_model() -> None:
    s = loads(
        "inputs: [f]\ntables: {curve: {x: [0, 1, 2], y: [0, 10, 0]}}\n"
        "bodies: {b: {joint: slider, mass: 1}}\nloads: {pull: {joint_force: {on: b, value: f - curve(q.b)}}}",
        fb.System,
    )
    run = s.simulate([0.0, 0.5, 1.5], inputs={"f": "2*curve(t)"}, events=[fb.Event("curve(t) - 5", name="half")])
    assert np.allclose(run["f"], [0.0, 10.0, 10.0])
    assert run.t_events[0] == pytest.approx([0.5, 1.5])


def test_laws_may_not_use_ambiguous_tables() -> None:
    s = driven()
    for k in (1, 2):
        s.output(f"o{k}", fb.lookup(fb.table("curve", [0, 1], [0, k]), s.t))
    with pytest.raises(ArgumentError, match="there is no function 'curve'"):
        s.simulate(1.0, inputs={"f": "curve(t)"})


def test_laws_may_use_prescribed_coordinates() -> None:
    s = fb.System("led", gravity=(0, 0, 0))
    f = s.input("f")
    s.body("crank", joint=fb.Revolute("z", motion="t**2"), mass=1.0)
    s.joint_force(s.body("cart", joint=fb.Prismatic("x"), mass=1.0), f)
    run = s.simulate(1.0, inputs={"f": "q.crank + 3*u.crank"})
    assert np.allclose(run["f"], run.t**2 + 6 * run.t)
    assert run["u.cart"][-1] == pytest.approx(1 / 3 + 3)


def test_runs_do_not_change_the_equations() -> None:
    s = double_pendulum()
    f = s.input("f")
    s.joint_force(s.bodies["lower"], f)
    eq = s.derive()
    fall = fb.Event("q.upper - 0.3", reset={"u.lower": "-u.lower"})

    def all_ways(k: int) -> None:
        for law in (f"-{k}.5*q.upper", lambda t: float(k), lambda t, x: x[0], ([0, 1], [0, k]), fb.sin(s.t * k), k):
            eq.simulate([0.0, 0.01], inputs={"f": law}, events=[fall])
        eq.simulate([0.0, 0.01], inputs={"f": f"{k}.25*t"}, method="radau")

    all_ways(2)
    size = len(eq.derivation.graph)
    for k in range(3, 6):
        all_ways(k)
    assert len(eq.derivation.graph) == size


@pytest.mark.parametrize("formulation", ["kane", "aba"])
def test_laws_in_large_systems(formulation: str) -> None:
    """Forty carts on one another, the first one pushed by a law: u̇_1 = f / total mass."""
    s, parent = fb.System("train", gravity=(0, 0, 0)), None
    f = s.input("f")
    for k in range(40):
        parent = s.body(f"c{k}", on=parent, joint=fb.Prismatic("x"), mass=1.0)
    s.joint_force(s.bodies["c0"], f)
    run = s.derive(formulation).simulate([0.0, 1.0], inputs={"f": "2*t"})
    assert run["u.c0"][-1] == pytest.approx(1.0) and run["u.c1"][-1] == pytest.approx(-1.0)


def test_laws_may_not_use_other_inputs() -> None:
    s = driven()
    s.joint_force(s.bodies["b"], s.input("g"))
    run = s.simulate(1.0, inputs={"f": "2*g", "g": 3.0})
    assert np.allclose(run["f"], 6.0)
    with pytest.raises(ArgumentError, match="input 'f': its law uses another input that follows a law"):
        s.simulate(1.0, inputs={"f": "2*g", "g": "t"})


def test_events_may_use_inputs_with_laws() -> None:
    run = driven().simulate(2.0, inputs={"f": "t"}, events=[fb.Event("f - 1.5", terminal=True, reset={"u.b": "f"})])
    assert run.t[-1] == pytest.approx(1.5) and run.events.after[-1, 1] == pytest.approx(1.5)


# Initial values


def test_universal_joints_take_both_angles() -> None:
    s = fb.System("cardan")
    s.body("a", joint=fb.Universal(), mass=1.0, com=(0, 0, -1), inertia=(1, 1, 1))
    run = s.simulate([0.0], q={"a": (0.1, 0.2)}, u={"a": [0.3, 0.4]})
    assert np.allclose(run.x[0], [0.1, 0.2, 0.3, 0.4])
    assert s.simulate([0.0], q={"a.a2": 0.2})["q.a.a2"][0] == 0.2
    with pytest.raises(ArgumentError, match=r"coordinate 'a' takes 2 number\(s\) \(a\.a1, a\.a2\), not 1"):
        s.simulate(1.0, q={"a": (1.0,)})


def test_scalar_initial_value_of_a_single_coordinate() -> None:
    assert pendulum().simulate([0.0], q=0.3)["arm"][0] == 0.3


# Numbers


@pytest.mark.parametrize("text", ["3", b"3", "three", None, (1, "2"), 1j, [[1], [1, 2]], np.datetime64("2020")])
def test_numbers_are_checked_by_one_rule(text: Any) -> None:
    """The same for initial values, parameters, tolerances, step sizes, times and sweeps."""
    for options in ({"q": {"arm": text}}, {"parameters": {"m": text}}, {"rtol": text}, {"max_step": text}):
        with pytest.raises(ArgumentError, match=r"not a number|not numbers|not finite|rtol|takes 1 number"):
            pendulum().simulate(1.0, **(options if text is not None or "max_step" not in options else {"rtol": None}))
    with pytest.raises(ArgumentError, match=r"not a number|not numbers|not finite"):
        pendulum().simulate(text)
    with pytest.raises(ArgumentError, match=r"not a number|not numbers|not finite|a row of finite"):
        pendulum().sweep([0.0, 1.0], {"q.arm": text})


def test_zero_dimensional_arrays_are_numbers() -> None:
    run = driven().simulate([0.0, 1.0], inputs={"f": np.array(3.0)}, parameters={"m": np.float32(2)})
    assert run["u.b"][-1] == pytest.approx(1.5) and run.about.inputs["f"] == "3"
    hit = fb.Event("t - 0.5", reset={"u.b": np.array(0.0)})
    assert driven().simulate([0.0, 1.0], inputs=[3.0], events=hit)["u.b"][-1] == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"inputs": {"push": (0, 1)}}, r"input 'push': \(0, 1\) is not \(times, values\): give two rows"),
        ({"inputs": {"push": ("a", "b")}}, r"input 'push': \('a', 'b'\) is not \(times, values\)"),
        ({"inputs": {"push": ([0, 0], [1, 1])}}, "input 'push': table 'input push': x must increase"),
        ({"inputs": {"push": (1, 2, 3)}}, r"input 'push': \(1, 2, 3\) is not \(times, values\)"),
        ({"inputs": 3.0}, r"give each input by its name, \{name: value\}, not 3\.0"),
        ({"inputs": [1.0, 2.0]}, r"has 1 inputs \(push\), and \[1\.0, 2\.0\] was given"),
        ({"inputs": {"push": str}}, r"input 'push': its function returns '0\.0' at t = 0 s, where one number is"),
        ({"inputs": {"push": lambda t: np.array([1.0])}}, r"input 'push': its function returns array\(\[1\.\]\)"),
        ({"inputs": {"push": lambda t, x: None}}, "input 'push': its function returns None"),
        ({**HELD, "events": fb.Event(lambda t, x: x[0] > 1, name="e")}, "event 'e': what its function returns is true"),
        ({**HELD, "events": [fb.Event("q.cart", reset={"u.cart": (1, 2)})]}, r"event 'event1', reset of u.cart: \(1, "),
        ({**HELD, "events": [fb.Event("q.cart", reset={"u.cart": np.nan})]}, "reset of u.cart: nan is not finite"),
        ({**HELD, "events": [fb.Event("q.cart", reset="u.cart")]}, "give each state to reset by its name"),
        ({**HELD, "events": [fb.Event("q.cart", name="a"), fb.Event("t", name="a")]}, "two events are called 'a'"),
        ({**HELD, "events": 3}, r"must be an Event\(when, …\), not 3"),
        ({**HELD, "parameters": [1.0]}, "give each parameter by its name"),
        ({**HELD, "parameters": {"k": "4"}}, "parameter 'k': '4' is not a number"),
        ({**HELD, "atol": "a"}, "atol: 'a' is not a number"),
        ({**HELD, "atol": {"q.cart": "x"}}, "atol of 'q.cart': 'x' is not a number"),
        ({**HELD, "atol": 0.0}, "atol must be a number > 0"),
        ({**HELD, "atol": 0.0, "method": "radau"}, "atol must be a number > 0"),
        ({**HELD, "atol": {"q.cart": 0.0}}, "atol must be a number > 0"),
        ({**HELD, "rtol": [1e-3, 1e-3, 1e-3]}, "rtol must be a number ≥ 0, a row of 2"),
        ({**HELD, "method": "rk4", "step": np.nan}, "step: nan is not finite"),
        ({**HELD, "method": "rk4", "step": -0.1}, r"step = -0\.1 is not a step size: give a positive number"),
        ({**HELD, "method": "rk4", "step": 0}, "step = 0 is not a step size"),
        ({**HELD, "method": "radau", "step": 0.1}, "radau chooses its steps by their error: leave step out"),
        ({**HELD, "method": "dopri5", "step": 0.1}, "dopri5 chooses its steps by their error: leave step out"),
        ({**HELD, "method": "radau", "first_step": 0.0}, "first_step = 0 is not a step size"),
        ({**HELD, "method": "radau", "max_step": -1.0}, "max_step = -1 is not a step size"),
        ({**HELD, "method": "rk4", "step": 0.01, "max_step": 0.1}, "rk4 has a fixed step, so that max_step"),
        ({**HELD, "method": "contact", "step": 0.01, "first_step": 0.1}, "so that first_step has no"),
        ({**HELD, "method": "bdf", "max_step": 0.0}, "max_step = 0 is not a step size"),
        ({**HELD, "method": None}, "there is no method 'None'; choose from auto, dop853, dopri5, rk4, contact"),
        ({**HELD, "start": 3.0}, r"start is a run to continue, a result of simulate, not 3\.0"),
    ],
)  # fmt: skip
def test_wrong_options_are_refused(options: dict, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        oscillator().simulate(1.0, **options)


@pytest.mark.parametrize("method", ["dop853", "radau", "lsoda"])
def test_first_step_is_limited_to_the_run(method: str) -> None:
    run = oscillator().simulate(0.1, q={"cart": 1.0}, method=method, first_step=5.0, **HELD)
    assert run["cart"][-1] == pytest.approx(np.cos(0.1), abs=1e-6)


# Parameters


def test_parameters_that_give_impossible_inertias_are_refused() -> None:
    with pytest.raises(ArgumentError, match="driven: with m = -5 the mass of 'b' is -5; it cannot be negative"):
        driven().simulate(1.0, inputs=[0.0], parameters={"m": -5})
    s = fb.System("top")
    a, c = s.parameters(a=1.0, c=1.5)
    s.body("top", joint=fb.Spherical(), mass=1.0, inertia=(a, a, c))
    with pytest.raises(ArgumentError, match=r"with a = 0\.5 the inertia of 'top' has .* moments 0\.5, 0\.5, 1\.5; no"):
        s.simulate(1.0, parameters={"a": 0.5})
    with pytest.raises(ArgumentError, match="with c = -1 the inertia of 'top' has a negative principal moment, -1"):
        s.sweep([0.0, 1.0], {"c": [1.0, -1.0, 2.0]})
    assert s.simulate([0.0], parameters={"a": 2.0}).success


def test_impossible_inertias_of_the_model_itself_are_accepted() -> None:
    """A planar rod without thickness is not a possible body; since the model defines it so, other parameters may be
    changed."""
    s = fb.System("flat")
    J, k = s.parameters(J=1.0, k=1.0)
    s.body("flat", joint=fb.Revolute("y", stiffness=k), mass=1.0, inertia=(0 * J, J, 0 * J))
    assert s.simulate([0.0, 0.1], parameters={"k": 2.0}).success


# Copies


def test_runs_are_pickled_without_functions_that_cannot_be_pickled() -> None:
    s = driven()
    times, half = np.linspace(0, 1, 11), fb.Event("t - 0.5", name="half")
    run = s.simulate(times, inputs={"f": lambda t: np.cos(t)}, events=[half])
    there = pickle.loads(pickle.dumps(run))
    assert there.equations is None and there.t_events[0] == pytest.approx([0.5])
    for name in ("q.b", "u.b", "f", "drive", "energy.total", "pose.b"):
        assert np.array_equal(there[name], run[name])
    assert there.at(0.55)["drive"] == pytest.approx(np.cos(0.55), abs=1e-3)


@pytest.mark.parametrize("law", ["2*t", ramp, lambda t, x: 2 * t])
def test_pickled_runs_are_complete(law: Any) -> None:
    run = driven().simulate(np.linspace(0, 1, 11), inputs={"f": law})
    there = pickle.loads(pickle.dumps(run))
    assert (there._recorder is None) == (getattr(law, "__name__", "") == "<lambda>")
    assert there.at(0.55)["drive"] == pytest.approx([1.1])


def test_pickled_runs_keep_jumps() -> None:
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": lambda t, x: -x[1]})
    run = ball().simulate(np.linspace(0, 1, 11), q={"ball": 1.0}, events=[bounce])
    there = pickle.loads(pickle.dumps(run))
    assert np.array_equal(there.series("energy.total")[1], run.series("energy.total")[1])
    assert np.allclose(there.sol(0.7), run.sol(0.7), atol=1e-12)


def test_copied_runs_keep_their_equations() -> None:
    run = driven().simulate(1.0, inputs={"f": lambda t: 1.0})
    for made in (copy.copy(run), copy.deepcopy(run)):
        assert made.equations is run.equations and np.array_equal(made["drive"], run["drive"])
    deep = copy.deepcopy(run)
    deep.x[:] = 0
    assert run.x[-1, 1] == pytest.approx(1.0) and deep.x[-1, 1] == 0


def test_initial_rows_with_quaternions_far_from_unit_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"quaternion .* has length 2, not 1"):
        spinning().simulate(1.0, q=[0, 0, 0, 2, 0, 0, 0])


def test_options_of_runs_are_described_once() -> None:
    """Names, defaults and order of ``RunOptions`` are those of single runs, sweeps, keyword types and commands."""
    options = {f.name: f.default for f in fields(RunOptions)}
    assert list(RunKeywords.__annotations__) == list(options)
    for method, missing in ((fb.Equations.simulate, set()), (fb.Equations.sweep, {"first_step"})):
        parameters = inspect.signature(method).parameters
        assert {name: parameters[name].default for name in options if name not in missing} == {
            name: value for name, value in options.items() if name not in missing
        }
    for command in (simulate_command, sweep_command):
        given = inspect.signature(command).parameters
        for name in ("method", "rtol", "atol", "step", "constraints", "max_steps"):
            assert given[name].default == options[name]
            assert given[name].annotation.__metadata__[0].help == RunOptions.help(name)


@pytest.mark.parametrize("name", ["assemble", "simulate", "sweep", "equilibrium", "linearize", "symmetries"])
def test_methods_of_systems_have_the_signature_of_those_of_equations(name: str) -> None:
    own, other = getattr(fb.System, name), getattr(fb.Equations, name)
    assert inspect.signature(own) == inspect.signature(other) and own.__doc__ == other.__doc__
