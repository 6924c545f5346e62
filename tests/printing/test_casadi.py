"""Programs as functions of CasADi: values, derivatives of every order, and what is refused."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from freebody.keywords import KeywordError
from freebody.program.evaluate import evaluate
from tests.program_cases import CASES, Case

casadi = pytest.importorskip("casadi")
from freebody.printing.casadi import program_to_casadi  # noqa: E402 - needs CasADi

WITH_FUNCTIONS = [c for c in CASES if any(code.calls for code in c.program.blocks)]
SMALL = [c for c in CASES if c not in WITH_FUNCTIONS and c.name != "random100_2500"]


def groups(case: Case) -> list[tuple[str, list[tuple[str, str]]]]:
    return [(g.name, [(g.name, n) for n in g.elements]) for g in case.program.groups]


@pytest.mark.parametrize("symbols", ["SX", "MX"])
@pytest.mark.parametrize("case", SMALL, ids=repr)
def test_programs_keep_their_values(case: Case, symbols: str) -> None:
    rng, f = np.random.default_rng(7), program_to_casadi(case.program, groups(case), {}, symbols)
    for _ in range(3):
        inputs = case.inputs(rng)
        wanted = evaluate(case.program, inputs)
        found = f.call([inputs[g.name] for g in case.program.groups])
        for output, value in zip(case.program.outputs, found, strict=True):
            expected, bound = wanted.values[output.key], wanted.bounds[output.key]
            error = np.abs(np.array(value).reshape(expected.shape) - expected)
            assert np.all((error <= 20 * bound + 1e-12 * (1 + np.abs(expected))) | ~np.isfinite(bound)), output.name


@pytest.mark.parametrize("case", WITH_FUNCTIONS, ids=repr)
def test_python_functions_are_refused_by_name(case: Case) -> None:
    with pytest.raises(ArgumentError, match=r"cannot differentiate Python functions .*: replace each by a text"):
        program_to_casadi(case.program, groups(case), {})


def four_bar() -> fb.System:
    s, joint = fb.System("four-bar"), fb.Revolute("-y")
    crank = s.body("crank", joint=joint, mass=s.parameter("m", 0.8), com=(0.05, 0, 0), inertia=(0.005, 0.01, 0.01))
    coupler = s.body(
        "coupler", on=crank, at=(0.1, 0, 0), joint=joint, mass=2.4, com=(0.15, 0, 0), inertia=(0.01, 0.1, 0.1)
    )
    rocker = s.body("rocker", at=(0.28, 0, 0), joint=joint, mass=2.0, com=(0.12, 0, 0), inertia=(0.01, 0.05, 0.05))
    s.close(coupler.point((0.3, 0, 0)), rocker.point((0.25, 0, 0)), joint, name="pin")
    s.joint_force(crank, s.input("motor", "N·m"))
    s.spring(coupler, s.ground.point((0, 0, 1)), stiffness=30.0, free_length=0.5)
    return s


def gyroscope() -> fb.System:
    """A free body with a quaternion, a table, a state of its own and a universal joint."""
    s = fb.System("gyroscope")
    base = s.body("base", joint=fb.Free(), mass=2.0, inertia=(0.3, 0.2, 0.4))
    wheel = s.body(
        "wheel", on=base, at=(0, 0, 0.4), joint=fb.Universal("x", "y"), mass=s.parameter("m", 0.7), com=(0, 0.1, 0.2)
    )
    curve = fb.table("curve", [-1.0, 0.0, 0.5, 2.0], [-2.0, 0.0, 1.5, 2.0], "cubic")
    s.torque(-fb.lookup(curve, wheel.q[0]) * base.x, on=wheel)
    s.force(s.input("push", "N") * s.ground.x, at=base.origin)
    s.state("filter", rate="push - 3*filter")
    return s


def numbers(eq: fb.Equations, seed: int) -> dict[str, np.ndarray]:
    """A state and inputs in general position; constraints are not satisfied, which the accelerations do not need."""
    rng, sizes = np.random.default_rng(seed), {"q": len(eq.q), "u": len(eq.u), "tau": len(eq.u), "z": len(eq.z)}
    values = {name: rng.uniform(-1, 1, size) for name, size in sizes.items()}
    return {**values, "inputs": rng.uniform(-1, 1, len(eq.inputs)), "t": np.array([0.3])}


@pytest.mark.parametrize("make", [four_bar, gyroscope])
@pytest.mark.parametrize("quantity", ["forward_dynamics", "mass_matrix", "bias", "q_dot", "constraint", "multipliers"])
def test_quantities_are_those_of_compiled_functions(make: Any, quantity: str) -> None:
    eq = make().derive()
    program, values = eq.program(quantity), numbers(eq, 3)
    compiled = eq.compile(parameters={"m": 1.3}).function(quantity)
    wanted = compiled(*(values[g.name] for g in compiled.groups))
    f = eq.to_casadi(quantity, parameters={"m": 1.3})
    found = f(**{name: values[name] for name in f.name_in()})
    for output in program.outputs:
        expected = wanted[output.key] if isinstance(wanted, dict) else wanted
        assert np.allclose(np.array(found[output.name]).reshape(np.shape(expected)), expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("make", [four_bar, gyroscope])
def test_first_and_second_derivatives(make: Any) -> None:
    """Against central differences of the compiled function, and of CasADi's own first derivatives."""
    eq = make().derive()
    f, values = eq.to_casadi(free=["m"]), numbers(eq, 5)
    x = np.concatenate([values["q"], values["u"], values["z"]])
    X, W, P = (casadi.SX.sym(n, k) for n, k in (("X", len(x)), ("W", len(eq.inputs)), ("P", 1)))
    rate = f(t=0.3, x=X, inputs=W, parameters=P)["x_dot"]
    everything = casadi.vertcat(X, W, P)
    J = casadi.Function("J", [X, W, P], [casadi.jacobian(rate, everything)])
    weights = np.arange(1, len(x) + 1)
    gradient = casadi.gradient(casadi.dot(rate, weights), everything)
    H = casadi.Function("H", [X, W, P], [gradient, casadi.jacobian(gradient, everything)])

    def value(y: np.ndarray) -> np.ndarray:
        compiled = eq.compile(parameters={"m": float(y[-1])})
        return compiled.state_dot(0.3, y[: len(x)], inputs=y[len(x) : -1])

    def slopes(y: np.ndarray) -> np.ndarray:
        return np.array(H(y[: len(x)], y[len(x) : -1], y[-1])[0]).ravel()

    y = np.concatenate([x, values["inputs"], [0.9]])
    at = (y[: len(x)], y[len(x) : -1], y[-1])
    assert np.allclose(np.array(J(*at)), differences(value, y), rtol=1e-7, atol=1e-6)
    assert np.allclose(np.array(H(*at)[1]), differences(slopes, y), rtol=1e-6, atol=1e-5)


def differences(f: Any, y: np.ndarray, h: float = 1e-5) -> np.ndarray:
    return np.transpose([(f(y + d) - f(y - d)) / (2 * h) for d in np.eye(len(y)) * h])


def test_inputs_and_parameters() -> None:
    eq = four_bar().derive()
    f = eq.to_casadi(free="m")
    assert f.name_in() == ["t", "x", "inputs", "parameters"] and f.name_out() == ["x_dot"]
    x = np.linspace(0.1, 0.6, 6)
    assert float(np.abs(np.array(f(x=x, parameters=0.8)["x_dot"] - eq.to_casadi()(x=x)["x_dot"])).max()) == 0
    assert not np.isfinite(np.array(f(x=x)["x_dot"])).all(), "a parameter that was forgotten is not 0"
    with pytest.raises(ArgumentError, match="has no parameter 'mass'"):
        eq.to_casadi(free=["mass"])
    with pytest.raises(ArgumentError, match="parameter 'm' is free, so that it has no value"):
        eq.to_casadi(free=["m"], parameters={"m": 1.0})
    with pytest.raises(ArgumentError, match="'DM' is not a kind"):
        eq.to_casadi(symbols="DM")
    with pytest.raises(ArgumentError, match="there is no quantity 'x_dot'"):
        eq.to_casadi("x_dot")


def latch() -> fb.System:
    s = fb.System("latch")
    a = s.body("a", joint=fb.Prismatic("x"), mass=1.0)
    s.body("b", joint=fb.Prismatic("x"), mass=2.0)
    s.force(3.0 * s.ground.x, at=a)
    s.constrain("q.a - q.b", name="hook", engaged=False)
    return s


def accelerations(f: Any, q: Sequence[float]) -> list[float]:
    return [float(v) for v in np.array(f(q=q, u=[0, 0])["u_dot"]).ravel()]


def test_constraints_that_can_be_switched() -> None:
    eq = latch().derive()
    assert accelerations(eq.to_casadi("forward_dynamics"), [0, 0]) == pytest.approx([3, 0])
    held = eq.to_casadi("forward_dynamics", engaged={"hook": True})
    assert accelerations(held, [0, 0]) == pytest.approx([1, 1])
    with pytest.raises(ArgumentError, match="has no constraint 'hock'"):
        eq.to_casadi(engaged={"hock": True})


def test_values_that_sensors_hold_are_an_input() -> None:
    s = fb.System("cart")
    s.body("cart", joint=fb.Prismatic("x"), mass=2.0)
    s.sensor("speed", of="u.cart", rate=100, noise=0.1)
    s.joint_force("cart", "-3*speed")
    f = s.derive().to_casadi()
    assert "held" in f.name_in()
    assert not np.isfinite(np.array(f(x=[0, 0])["x_dot"])).all(), "a held value that was forgotten is not 0"
    assert np.array(f(x=[0, 1], held=[4.0] * f.size1_in("held"))["x_dot"]).ravel() == pytest.approx([1, -6])


def test_misspelt_arguments_name_the_right_one() -> None:
    with pytest.raises(KeywordError, match=r"to_casadi\(\) has no argument 'fre'\. Did you mean free\?"):
        latch().derive().to_casadi(fre=["m"])
    with pytest.raises(KeywordError, match=r"to_casadi\(\) has no argument 'bdy'\. Did you mean body\?"):
        latch().derive().to_casadi("pose", bdy="a")
