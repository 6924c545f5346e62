"""Cases of a sweep are warned of as runs are, once for each kind, side by side or one after the other."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import SimulationWarning

DENSE = np.linspace(0, 5, 201)


def pendulum(damping: float = 0.0) -> fb.System:
    s = fb.System("p")
    s.parameter("m", 1.0)
    a = s.body("a", joint=fb.Revolute("y", damping=damping), mass="m", com=(0, 0, -1), inertia=(0.1, 0.1, 0.1))
    s.body("b", on=a, at=(0, 0, -1), joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1), inertia=(0.1, 0.1, 0.1))
    return s


def boom() -> fb.System:
    s = fb.System("boom")
    body = s.body("b", flexible=fb.Beam(length=1, EI=(None, 5), density=1), modes=2)
    s.force(s.input("F") * s.ground.z, at=body.node("tip").origin)
    return s


def stopped() -> fb.System:
    s = fb.System("stopped")
    s.body("a", joint=fb.Revolute("y", limits=(-1, 1)), mass=1.0, com=(0, 0, -1), inertia=(0.1, 0.1, 0.1))
    return s


def texts(s: fb.System, end: Any, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        s.sweep(end, progress=False, **options)
    assert all(w.category is SimulationWarning for w in caught)
    return [str(w.message) for w in caught]


SWUNG = {"q.a": np.linspace(0.1, 3, 15), "m": np.linspace(0.5, 2, 15)}


@pytest.mark.parametrize(("damping", "end"), [(0.0, 5.0), (0.0, DENSE), (0.1, DENSE)])
def test_cases_whose_energy_does_not_balance_are_named(damping: float, end: Any) -> None:
    """As many as runs of each warn, where loads do work if the saved times are close."""
    s, over = pendulum(damping), {"over": SWUNG, "grid": False}
    assert not texts(s, end, **over)
    [one] = texts(s, end, **over, method="rk4", step=0.1)
    assert one.startswith("p: case ") and "energy and work do not balance" in one and "shorter step" in one
    alone = list[int]()
    for k, (q, m) in enumerate(zip(*SWUNG.values(), strict=True)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            s.simulate(5.0, q={"a": q}, parameters={"m": m}, method="rk4", step=0.1)
        alone += [k] if caught else []
    count = int(one.split("; ")[1].split(" more")[0]) + 1
    assert abs(count - len(alone)) <= 2 and len(alone) > 5


def test_work_between_saved_times_far_apart_is_not_judged() -> None:
    for end in (5.0, np.linspace(0, 5, 11)):
        assert not texts(pendulum(0.1), end, over=SWUNG, grid=False)


@pytest.mark.parametrize("options", [{}, {"method": "radau"}, {"chunk": 2}])
def test_slopes_and_limits_are_warned_of_once(options: dict[str, Any], tmp_path: Path) -> None:
    stored = options | {"store": tmp_path}
    for _ in range(2):  # the second time from the folder
        [one] = texts(boom(), 1.0, over={"F": [4.5, 0.0, 7.0, 9.0, 0.1, 3.0]}, **stored)
        assert "boom: case 1 (F = 0; " in one and "'b' bends by slopes of 0.68 rad" in one
    [one] = texts(stopped(), 1.0, over={"u.a": [0.0, 4.0, 1.0, 5.0]}, **options)
    assert one.startswith("stopped: case 1 (u.a = 4; 1 more likewise): coordinate 'a' leaves its limits -1 … 1 at t = ")


def test_equations_that_are_left_out_are_watched_in_sweeps() -> None:
    s, bar = fb.System("out"), {"mass": 1.0, "com": (0.5, 0, 0), "inertia": (0.1, 0.1, 0.1)}
    a = s.body("a", joint=fb.Revolute("y"), **bar)
    s.body("b", on=a, at=(1, 0, 0), joint=fb.Revolute("y"), **bar)
    s.constrain("q.a - q.b", name="same")
    s.constrain("where(q.a < 2, q.a - q.b, q.a - 2*q.b + 2)", name="other")
    found = " ".join(texts(s, np.linspace(0, 1, 21), over={"u.a": [0.0, 1.0]}))
    assert "case 0 (u.a = 0; 1 more likewise): the equation 'other' does not hold from t = " in found
