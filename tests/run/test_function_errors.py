"""Exceptions in Python functions of users: the error names the input, event or function and the time; the exception
itself is its cause."""

import math
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.api.live import live_simulation
from freebody.errors import FieldError, FreebodyError, FunctionError


class Broken(Exception):
    """What the functions here raise."""


def fails(t: float) -> float:
    if t > 0.3:
        raise Broken("no power")
    return 1.0


def fails_of_state(t: float, x: Any) -> float:
    return fails(t)


def cart(law: Any = 0.0) -> fb.System:
    s = fb.System("cart")
    s.input("push")
    body = s.body("cart", joint=fb.Prismatic("x", stiffness=1, damping=0.1), mass=1)
    s.joint_force(body, s.scalar("push", "push") + law)
    return s


METHODS = ["dop853", "dopri5", "rk4", "radau", "bdf", "lsoda", "cvode", "ida"]


def _options(method: str) -> dict[str, Any]:
    return {"method": method} | ({"step": 0.01} if method == "rk4" else {})


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("function", [fails, fails_of_state])
def test_inputs_are_named_with_the_time(method: str, function: Any) -> None:
    text = r"^input 'push': its function raises Broken at t = 0\.[3-9]\d* s: no power$"
    with pytest.raises(FunctionError, match=text) as error:
        cart().simulate(1.0, inputs={"push": function}, **_options(method))
    assert isinstance(error.value.__cause__, Broken)


def test_inputs_that_fail_at_the_start_are_named() -> None:
    for wrong in (lambda t: 1 / t, lambda t, x: x[7], lambda t: missing):  # type: ignore[name-defined]  # noqa: F821
        with pytest.raises(FunctionError, match=r"^input 'push': its function raises \w+Error at t = 0 s: ") as error:
            cart().simulate(1.0, inputs={"push": wrong})
        assert isinstance(error.value.__cause__, ZeroDivisionError | IndexError | NameError)


@pytest.mark.parametrize("method", METHODS)
def test_events_are_named_with_the_time(method: str) -> None:
    stop, hit = fb.Event(fails, name="stop"), fb.Event("t - 0.4", reset={"u.cart": fails}, name="hit")
    for event, context in ((stop, "event 'stop'"), (hit, "event 'hit', reset of u.cart")):
        with pytest.raises(
            FunctionError, match=rf"^{context}: its function raises Broken at t = 0\.\d+ s: no p"
        ) as error:
            cart().simulate(1.0, inputs={"push": 1.0}, events=[event], **_options(method))
        assert isinstance(error.value.__cause__, Broken)


def _steep(x: float) -> float:
    if abs(x) > 0.02:
        raise Broken("too steep")
    return -x


@pytest.mark.parametrize("method", METHODS)
def test_functions_of_models_are_named_with_the_time(method: str) -> None:
    law = fb.callback("track", _steep, derivative=lambda x: -1.0)
    s = fb.System("cart")
    body = s.body("cart", joint="prismatic", mass=1)
    s.joint_force(body, fb.apply(law, body.q[0]) + 1)
    text = r"^function 'track': its function raises Broken for \(.*\): too steep \(in the step from t = 0\S* s\)$"
    with pytest.raises(FunctionError, match=text) as error:
        s.simulate(1.0, **_options(method))
    assert isinstance(error.value.__cause__, Broken)
    with pytest.raises(FunctionError, match=r"^function 'track': its function raises Broken for \(0\.5\)") as error:
        s.derive().compile("numpy").forward_dynamics([0.5], [0.0])
    assert isinstance(error.value.__cause__, Broken)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_sweeps_name_the_function_and_the_time(method: str) -> None:
    with pytest.raises(FunctionError, match=r"^input 'push': its function raises Broken at t = 0\.\d+ s") as error:
        cart().sweep(1.0, {"q.cart": np.linspace(0, 1, 5)}, inputs={"push": fails}, method=method)
    assert isinstance(error.value.__cause__, Broken)
    s = fb.System("cart")
    body = s.body("cart", joint="prismatic", mass=1)
    s.joint_force(body, fb.apply(fb.callback("track", _steep, derivative=lambda x: -1.0), body.q[0]) + 1)
    with pytest.raises(FunctionError, match=r"function 'track': .* \(in .*from t = 0.* s\)") as error:
        s.sweep(1.0, {"u.cart": [0.1, 0.2, 0.3]}, method=method)
    assert isinstance(error.value.__cause__, Broken)


def test_live_views_show_the_function_and_the_time() -> None:
    live = live_simulation(cart().freeze(), inputs={"push": fails})
    messages = [live.advance(0.1) for _ in range(5)]
    assert messages[:2] == ["", ""]
    assert messages[-1].startswith("input 'push': its function raises Broken at t = 0.")


def test_wrong_values_are_named_with_the_time() -> None:
    with pytest.raises(FunctionError, match=r"^input 'push': its function returns 'full' at t = 0 s, where one number"):
        cart().simulate(1.0, inputs={"push": lambda t: "full"})


def test_functions_that_describe_a_model_are_named() -> None:
    s = cart()
    ends = s.bodies["cart"], s.ground.point((1, 0, 0))

    def raises(*x: Any) -> Any:
        raise Broken("not yet")

    text = r"law: its function raises Broken: not yet\. Its arguments are expressions"
    with pytest.raises(FieldError, match=rf"^loads\.pull\.force_between\.{text}") as error:
        s.force_between(*ends, lambda length, rate: raises(), name="pull")
    assert isinstance(error.value.__cause__, Broken)
    with pytest.raises(FieldError, match=rf"^constraints\.rail\.point_on_surface\.{text}") as error:
        s.point_on_surface("cart", lambda x, y, z: raises(), name="rail")
    assert isinstance(error.value.__cause__, Broken)
    with pytest.raises(FieldError, match=r"^bodies\.b\.inertia: its function raises Broken: not yet") as error:
        s.body("b", mass=1, inertia=raises)
    assert isinstance(error.value.__cause__, Broken)
    with pytest.raises(FreebodyError, match=r"law: its function fails: .* is not a number: use the functions of fr"):
        s.force_between(*ends, lambda length, rate: math.sin(length), name="pull")
