"""Warnings name the line of the user's program from which freebody was called."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import freebody as fb


def four_bar() -> fb.System:
    """Flat at zero: each assembly of it passes a singular position."""
    s = fb.System("four-bar")
    crank = s.body("crank", mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1), joint=fb.Revolute("z"))
    coupler = s.body("coupler", on=crank, at=(1, 0, 0), mass=1.0, inertia=(0.1, 0.1, 0.1), joint=fb.Revolute("z"))
    rocker = s.body("rocker", at=(2, 0, 0), mass=1.0, inertia=(0.1, 0.1, 0.1), joint=fb.Revolute("z"))
    s.close(coupler.point((2, 0, 0)), rocker.point((1, 0, 0)), fb.Revolute("z"))
    return s


def bent_beam() -> fb.System:
    s = fb.System("beam")
    s.body("bar", joint=fb.Weld(), flexible=fb.Beam(length=1.0, EI=50.0, density=1.0), modes=1)
    return s


CALLS: dict[str, tuple[Callable[[], fb.System], Callable[[Any], object]]] = {
    "a start that moves": (four_bar, lambda f: f.simulate(0.01, q={"crank": 1.2})),
    "a run that fails": (four_bar, lambda f: f.simulate(1.0, u={"crank": 1.0}, max_steps=1)),
    "a case that fails": (four_bar, lambda f: f.sweep(1.0, {"u.crank": [1.0, 2.0]}, max_steps=1)),
    "a singular position": (four_bar, lambda f: f.assemble({"crank": 1.2})),
    "slopes of a run": (bent_beam, lambda f: f.simulate(0.01, q={"bar.m1": 0.5})),
    "slopes, no equilibrium": (bent_beam, lambda f: f.linearize(at={"q.bar.m1": 0.5})),
}


@pytest.mark.parametrize("call", CALLS)
def test_warnings_name_the_line_of_the_caller(call: str) -> None:
    make, run = CALLS[call]
    system = make()
    for owner in (system, system.derive()):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run(owner)
        assert caught and {w.filename for w in caught} == {__file__}


def test_warnings_are_emitted_by_one_function() -> None:
    source = Path(fb.__file__).parent
    users = [p.name for p in sorted(source.rglob("*.py")) if "warnings.warn(" in p.read_text(encoding="utf-8")]
    assert users == ["errors.py"]
