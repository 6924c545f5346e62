"""What tells whether stability or accuracy limits the steps (``emit_stiffness``)."""

from typing import Any

import numpy as np
import pytest

from freebody.integrate import emit_stiffness
from freebody.integrate.integrator import Integrator, StiffMethod
from tests.run.ode_cases import field

Array = np.ndarray


def watched(*rates: str, x0: Array, end: float, **options: Any) -> Integrator:
    """An integrator that asks for a stiff method which does not exist."""
    i = Integrator("dop853", field(*rates), 0.0, x0, stiff=StiffMethod(lambda: "none", lambda: 1.0), **options)
    i.save_at([end])
    i.advance(end)
    return i


@pytest.mark.parametrize(
    ("rates", "x0"),
    [(("x1", "-x0"), [1.0, 0.0]), (("x1", "-1e6*x0"), [1e-3, 0.0]), (("x1", "-sin(x0)"), [3.0, 0.0]),
     (("x1", "(1 - x0**2)*x1 - x0"), [2.0, 0.0])],
)  # fmt: skip
@pytest.mark.parametrize("rtol", [1e-11, 1e-8, 1e-5, 1e-3])
def test_motions_that_steps_must_follow_are_not_stiff(rates: tuple[str, ...], x0: Array, rtol: float) -> None:
    """Fast oscillations that take place, at any tolerance."""
    end = 1000 * (1e-3 if "1e6" in rates[1] else 1.0)
    i = watched(*rates, x0=x0, end=end, rtol=rtol, atol=rtol * 1e-3)
    assert i.refusal == ""


@pytest.mark.parametrize(
    ("rates", "x0"),
    [(("-1e5*(x0 - cos(x1))", "1"), [1.0, 0.0]),
     (("x1", "-1e8*(x0 - cos(x2)) - 1e3*x1", "1"), [1.0, 0.0, 0.0]),
     (("x1", "-1e8*x0 - 2*x1 + cos(x2)", "1"), [1e-8, 0.0, 0.0])],
)  # fmt: skip
@pytest.mark.parametrize("rtol", [1e-8, 1e-5, 1e-3])
def test_slow_motions_of_systems_with_fast_modes_are_stiff(rates: tuple[str, ...], x0: Array, rtol: float) -> None:
    """Decays, and oscillations that are not excited, whose changes of phase do not hide them."""
    i = watched(*rates, x0=x0, end=2.0, rtol=rtol, atol=rtol * 1e-3)
    assert i.refusal == "none" and i.methods == [(0.0, "dop853")]


def test_the_steps_of_the_explicit_method_do_not_change() -> None:
    """The estimates only read: states, steps and what is rejected are equal to the bit while it is stiff too."""
    rates, how = ("-1e3*(x0 - cos(x1))", "1"), {"rtol": 1e-6, "atol": 1e-9}
    plain = Integrator("dop853", field(*rates), 0.0, [0.0, 0.0], **how)
    plain.advance(3.0)
    i = watched(*rates, x0=np.zeros(2), end=3.0, **how)
    assert np.array_equal(i.x, plain.x) and (i.steps, i.rejected) == (plain.steps, plain.rejected)
    assert i.refusal and i.evaluations > plain.evaluations


@pytest.mark.parametrize("n", [0, 1, 2, 5, 300])
def test_the_direction_in_which_the_power_method_begins_has_the_size_of_the_tolerances(n: int) -> None:
    v = emit_stiffness.probe(n)
    assert v.shape == (n,) and (n == 0 or abs(np.mean(v**2) - 1) < 1e-12)
    assert len({abs(x) for x in v.tolist()}) == n


def test_differences_are_of_one_relative_size_at_all_tolerances() -> None:
    for tight in (1e-12, 1e-8, 1e-3):
        assert emit_stiffness.nudge(tight) * tight == pytest.approx(1e-8)
