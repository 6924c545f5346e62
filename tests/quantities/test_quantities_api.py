"""Quantities in the public interface: single states and batches, caching by arguments, refused arguments."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, ModelError
from tests.mechanisms.numeric_equations import error
from tests.mechanisms.quantity_cases import EXACT


def arm() -> fb.System:
    """A cart with an arm and a hand that turns independently."""
    s = fb.System("arm")
    l = s.parameter("l", 0.7)
    cart = s.body("cart", on=s.ground, joint=fb.Prismatic("x"), mass=3)
    upper = s.body("upper", on=cart, joint=fb.Spherical(), mass=1, com=(0, 0, -l / 2), inertia=(0.1, 0.1, 0.02))
    joint = fb.Revolute("y", motion=0.5 * fb.sin(2 * s.t))
    s.body("hand", on=upper, at=(0, 0, -l), joint=joint, mass=0.5, com=(0.1, 0, 0), inertia=(0.02, 0.03, 0.02))
    return s


def states(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    q, (u, w) = rng.normal(size=(rows, 5)), rng.normal(size=(2, rows, 4))
    q[:, 1:] /= np.linalg.norm(q[:, 1:], axis=1)[:, None]
    return q, u, w, rng.uniform(0, 2, rows)


HAND = ("hand", (0, 0.1, "l/3"))
CALLS: dict[str, Any] = {
    "pose": lambda f, q, u, w, t: f.pose(q, HAND[0], t, HAND[1]),
    "velocity": lambda f, q, u, w, t: f.spatial_velocity(q, u, *HAND, frame="upper", t=t),
    "acceleration": lambda f, q, u, w, t: f.spatial_acceleration(q, u, w, *HAND, t=t),
    "jacobian": lambda f, q, u, w, t: f.jacobian(q, *HAND, "body", t),
    "jacobian_offset": lambda f, q, u, w, t: f.jacobian_offset(q, *HAND, t=t),
    "jacobian_rate": lambda f, q, u, w, t: f.jacobian_rate(q, u, *HAND, t=t),
    "jacobian_offset_rate": lambda f, q, u, w, t: f.jacobian_offset_rate(q, u, *HAND, t=t),
    "generalised_force": lambda f, q, u, w, t: f.generalised_force(q, {"hand": (w[..., :3], (1, 2, 3))}, "body", t),
    "mass_solve": lambda f, q, u, w, t: f.mass_solve(q, w, t),
    "mass_inverse": lambda f, q, u, w, t: f.mass_inverse(q, t),
    "operational_inertia": lambda f, q, u, w, t: f.operational_inertia(q, ["cart", HAND], t=t),
    "coriolis": lambda f, q, u, w, t: f.coriolis(q, u, t),
    "coriolis_offset": lambda f, q, u, w, t: f.coriolis_offset(q, u, t),
    "centre_of_mass": lambda f, q, u, w, t: f.centre_of_mass(q, t),
    "centre_velocity": lambda f, q, u, w, t: f.centre_velocity(q, u, t),
    "centroidal": lambda f, q, u, w, t: f.centroidal(q, t),
    "centroidal_momentum": lambda f, q, u, w, t: f.centroidal_momentum(q, u, t),
    "forward_derivatives": lambda f, q, u, w, t: f.forward_derivatives(q, u, w, t),
    "inverse_derivatives": lambda f, q, u, w, t: f.inverse_derivatives(q, u, w, t, by=("q", "t", "parameters")),
    "regressor": lambda f, q, u, w, t: f.regressor(q, u, w, t),
    "regressor_offset": lambda f, q, u, w, t: f.regressor_offset(q, u, w, t),
    "forward_dynamics": lambda f, q, u, w, t: f.forward_dynamics(q, u, w, t, wrenches={"hand": ((1, 2, 3), (4, 5, 6))}),
}


@cache
def compiled(backend: str) -> fb.Compiled:
    return arm().derive().compile(backend)


def parts(found: Any) -> list[np.ndarray]:
    return list(found.values()) if isinstance(found, dict) else list(found) if isinstance(found, tuple) else [found]


@pytest.mark.parametrize("name", CALLS)
def test_batches_equal_single_states(name: str) -> None:
    """With machine code, and compared with NumPy."""
    given = states(9)
    batch = parts(CALLS[name](compiled("llvm"), *given))
    for row in range(9):
        one = parts(CALLS[name](compiled("numpy"), *(x[row] for x in given)))
        assert all(error(whole[row], single) < EXACT for whole, single in zip(batch, one, strict=True))


def test_functions_are_cached_by_their_arguments() -> None:
    f = compiled("numpy")
    body = arm().bodies["hand"]
    first = f.function("jacobian", body="hand", at=(0, 0, 1))
    assert first is f.function("jacobian", body=body, at=np.array([0, 0, 1.0]), frame="ground")
    assert first is not f.function("jacobian", body="hand", at=(0, 0, 1 + 1e-12))
    eq = f.equations
    assert eq.program("operational_inertia", places=["hand"]) is eq.program("operational_inertia", places=("hand",))


def test_quantities_are_counted_and_listed() -> None:
    eq = arm().derive()
    assert eq.count("centre_of_mass").total < eq.count("centroidal").total
    assert eq.count("jacobian", body="hand").total < eq.count("jacobian_rate", body="hand").total
    assert eq.program("forward_derivatives", by=["q"]).outputs[-1].shape == (4, 4)


def test_quantities_of_fully_prescribed_systems() -> None:
    """A system with prescribed motions only has moving points and no columns."""
    s = fb.System("driven")
    s.body("wheel", on=s.ground, joint=fb.Revolute("z", motion=3 * s.t), mass=1, inertia=(1, 1, 2))
    f = s.derive().compile("numpy")
    assert f.jacobian([], "wheel").shape == (6, 0)
    assert np.allclose(f.spatial_velocity([], [], "wheel", (1, 0, 0), "body"), [0, 0, 3, 0, 3, 0])


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda f: f.jacobian([], "foot"), r"there is no body 'foot' in 'arm'; choose from cart, upper, hand"),
        (lambda f: f.pose([], "ground"), r"there is no body 'ground'"),
        (lambda f: f.jacobian([], "hand", frame="foot"), r"there is no body 'foot'"),
        (lambda f: f.pose([], "hand", at=(1, 2)), r"a point of 'hand' needs three numbers or texts of parameters"),
        (lambda f: f.pose([], "hand", at=("q.cart", 0, 0)), r"a point of 'hand' at .* numbers and parameters alone"),
        (
            lambda f: f.function("jacobean"),
            r"there is no quantity 'jacobean'; choose from forward_dynamics, .*jacobian",
        ),
        (lambda f: f.generalised_force([], {}), r"generalised_force\(\) needs wrenches"),
        (lambda f: f.generalised_force([], {"hand": (1, 2, 3, 4)}), r"a wrench on 'hand' is \(torque, force\) or"),
        (lambda f: f.generalised_force([], {"hand": ((1, 2), (3, 4))}), r"a torque and a force of three components"),
        (
            lambda f: f.forward_derivatives([], [], by=("v",)),
            r"derivatives by 'v' are not available; choose from q, u, tau, t",
        ),
        (lambda f: f.inverse_derivatives([], [], [], by=("tau",)), r"derivatives by 'tau' are not available"),
    ],
)
def test_wrong_requests_are_refused_with_the_reason(call: Any, complaint: str) -> None:
    with pytest.raises(ArgumentError, match=complaint):
        call(compiled("numpy"))


def test_speeds_and_small_quantities_of_other_kinds_are_refused() -> None:
    s = fb.System("free")
    s.body("bus", on=s.ground, joint=fb.Free(), mass=2, com=(0.1, 0, 0), inertia=(1, 2, 2))
    own = s.derive("sayers", speeds="mass-centre").compile("numpy")
    with pytest.raises(ModelError, match=r"jacobian needs the standard speeds: derive again without speeds="):
        own.jacobian(np.zeros(7), "bus")
    pendulum = fb.System("pendulum")
    pendulum.body("rod", on=pendulum.ground, joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    small = pendulum.derive(small=["rod"]).compile("numpy")
    with pytest.raises(ModelError, match=r"coriolis is exact: derive again without small="):
        small.coriolis([0.1], [0.2])
    assert np.allclose(small.mass_inverse([0.1]), 1.0)


def test_page_on_quantities_runs_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "quantities.md").read_text()
    space: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, space)
    assert capsys.readouterr().out == "30 24 hand.Jyz\n"
    assert np.allclose(space["tau"], space["f"].inverse_dynamics(space["q"], space["u"], space["u_dot"]), rtol=1e-12)
