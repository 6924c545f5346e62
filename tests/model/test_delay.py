"""Delayed signals against delay differential equations that the method of steps solves."""

from itertools import pairwise
from math import factorial
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.io import dumps, loads

TIGHT: Any = {"rtol": 1e-11, "atol": 1e-13}


def dde(period: float | str, time: Any = 1) -> fb.System:
    """ẋ = −x(t − 1), x = 1 before t = 0."""
    s = fb.System("delayed")
    s.body("b", joint=fb.Prismatic("x"), mass=1)
    s.state("x", initial=1.0)
    s.add(fb.Delay("x", time=time, period=period, initial=1.0), "late")
    s.rate("x", "-late")
    return s


def by_steps(t: Any) -> Any:
    """Σ (−1)ᵏ (t − k + 1)ᵏ/k! over the steps that have begun: polynomials of a degree that grows with each."""
    return 1 + sum((-1) ** k * np.maximum(t - (k - 1), 0) ** k / factorial(k) for k in range(1, 12))


def test_a_delay_differential_equation_follows_the_method_of_steps() -> None:
    """Exactly while the delayed solution is a cubic, and then with the fourth order of the period."""
    errors = list[float]()
    for count in (6, 12, 24):
        run = dde(f"1/{count}").simulate(np.linspace(0, 8, 161), **TIGHT)
        error = np.abs(run["z.x"] - by_steps(run.t))
        assert error[run.t <= 4].max() < 1e-13
        errors.append(float(error.max()))
    assert errors[0] < 2e-5
    assert all(a / b > 14 for a, b in pairwise(errors))


def test_a_delay_of_one_piece_is_exact_too() -> None:
    run = dde("1/3").simulate(np.linspace(0, 4, 81), **TIGHT)
    assert np.abs(run["z.x"] - by_steps(run.t)).max() < 1e-13


def test_the_error_is_that_of_a_cubic_through_four_samples() -> None:
    s = fb.System("sine")
    s.body("b", joint=fb.Prismatic("x"), mass=1)
    s.add(fb.Delay("sin(5*t)", time=0.6, period=0.05, initial=0.0), "late")
    t = np.linspace(0, 3, 1201)
    run = s.simulate(t)
    bound = 0.05**4 / 24 * 5**4
    error = np.abs(run["output.late"] - np.where(t > 0.6, np.sin(5 * (t - 0.6)), 0))
    assert 0.5 * bound < error.max() < bound


def test_jumps_between_pieces_stay_sharp_and_others_are_spread_over_one() -> None:
    s = fb.System("jump")
    s.body("b", joint=fb.Prismatic("x"), mass=1)
    s.add(fb.Delay("where(t < 0.6, 1, 3)", time=0.3, period=0.1, initial=-1.0), "sharp")
    s.add(fb.Delay("where(t < 0.65, 1, 3)", time=0.3, period=0.01, initial=-1.0), "near")
    t = np.arange(0, 1.5, 0.0101)
    run = s.simulate(t)
    assert np.allclose(run["output.sharp"][t < 0.6], np.where(t < 0.3, -1, 1)[t < 0.6], atol=1e-12)
    assert np.allclose(run["output.sharp"][t > 0.9], 3, atol=1e-12)
    off = np.abs(run["output.near"] - np.where(t < 0.3, -1, np.where(t < 0.95, 1, 3))) > 1e-9
    assert off.any() and np.abs(t[off] - 0.95).max() < 0.03


def test_a_delayed_feedback_oscillates_at_its_stability_limit() -> None:
    """ẋ = −k x(t − τ) has a constant amplitude at k τ = π/2, with the period 4 τ."""
    s = fb.System("limit")
    s.body("b", joint=fb.Prismatic("x"), mass=1)
    s.state("x", initial=1.0)
    s.add(fb.Delay("x", time=0.5, period=0.02, initial=1.0), "late")
    s.rate("x", f"-{np.pi}*late")
    run = s.simulate(np.linspace(0, 60, 6001))
    x, t = run["z.x"], run.t
    early, last = x[(t > 10) & (t < 14)], x[t > 56]
    assert np.ptp(last) == pytest.approx(np.ptp(early), rel=1e-4)
    crossings = t[1:][(x[1:] > 0) & (x[:-1] <= 0)]
    assert np.diff(crossings[-5:]) == pytest.approx(2.0, abs=0.011)


def test_files_copies_and_sweeps() -> None:
    s = dde(0.1)
    s.parameter("p", 1.0)
    s.add(fb.Delay("p*x", time="1/3", period=0.1), "other")
    assert s.blocks["other"].step * 6 == s.blocks["other"].pieces * (s.blocks["other"].step * 3)
    again = loads(dumps(s), fb.System)
    assert again.digest() == s.digest() and "delay: {input: x, time: 1, period: 0.1, initial: 1" in dumps(s)
    assert fb.System("x").digest() != s.digest()
    values = [0.5, 1.0]
    cases = s.sweep(2.0, {"p": values})
    for k, value in enumerate(values):
        run = s.simulate(2.0, parameters={"p": value})
        assert np.allclose(float(cases["output.other"][k, -1]), run["output.other"][-1], rtol=1e-6)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (lambda: fb.Delay("t", time=0, period=0.1), r"blocks\.y\.delay\.time: it is 0; it must be positive"),
        (lambda: fb.Delay("t", time=1, period=-1), r"period: it is -1; it must be positive"),
        (lambda: fb.Delay("t", time=1, period=1e-4), "would have 10002 samples on their way, and at most 1000"),
        (lambda: fb.Delay("t", time="x", period=1), "is not a number"),
    ],
)
def test_what_a_delay_cannot_be(block: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        fb.System("s").add(block(), "y")
