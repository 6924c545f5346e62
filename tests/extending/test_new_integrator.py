"""An explicit method that is defined in this file alone runs, and converges with its order."""

from collections.abc import Iterator
from functools import cache, partial

import numpy as np
import pytest

import freebody as fb
from freebody.backends.llvm import jit
from freebody.errors import ArgumentError
from freebody.integrate import compiled, integrator, steppers, tableaus
from freebody.integrate.tableaus import Control, Tableau
from freebody.run import options

HEUN3 = Tableau("heun3", 3, (0.0, 1 / 3, 2 / 3), ({}, {0: 1 / 3}, {1: 2 / 3}), {0: 1 / 4, 2: 3 / 4})
SHAMPINE = Tableau(
    "bs32",
    3,
    (0.0, 1 / 2, 3 / 4),
    ({}, {0: 1 / 2}, {1: 3 / 4}),
    {0: 2 / 9, 1: 1 / 3, 2: 4 / 9},
    errors=({0: -5 / 72, 1: 1 / 12, 2: 1 / 9, 3: -1 / 8},),
    control=Control(1 / 3, 0.0, 0.2, 5.0),
)
"""The pair of Bogacki and Shampine (1989), with f at the end of the step in its error."""


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The lines in the table, of which the names of methods and the machine code are made."""
    for method in (HEUN3, SHAMPINE):
        for methods in (tableaus.TABLEAUS, compiled.COMPILED):
            monkeypatch.setitem(methods, method.name, method)
    for module in (steppers, options):
        monkeypatch.setattr(module, "METHODS", (*tableaus.TABLEAUS, *steppers.FOR_STIFF))
    with_both = cache(lambda lanes=0: jit.load(partial(compiled.text, compiled.width(), False), level=2, passes=True))
    monkeypatch.setattr(integrator, "library", with_both)  # that of the sources is in the cache on disk
    yield


def pendulum() -> fb.System:
    s = fb.System("pendulum")
    s.body("arm", joint=fb.Revolute("y", damping=0.1), mass=1, com=(0, 0, -1), inertia=(0.1, 0.1, 0.1))
    return s


def end(**how: object) -> float:
    run = pendulum().simulate([0, 1.0], q={"arm": 1.0}, **how)  # type: ignore[arg-type]
    assert run.status == "done" or run.success
    return float(run["q.arm"][-1])


def test_a_method_of_fixed_steps_has_its_order() -> None:
    exact = end(method="dop853", rtol=1e-13, atol=1e-13)
    errors = [abs(end(method="heun3", step=h) - exact) for h in (0.02, 0.01)]
    assert 7 < errors[0] / errors[1] < 9
    with pytest.raises(ArgumentError, match="heun3 has a fixed step: give step"):
        end(method="heun3")


def test_a_method_with_an_error_estimate_meets_the_tolerance() -> None:
    exact = end(method="dop853", rtol=1e-13, atol=1e-13)
    assert abs(end(method="bs32", rtol=1e-7, atol=1e-9) - exact) < 1e-5
    with pytest.raises(ArgumentError, match=r"there is no method 'bs23'; choose from .*bs32"):
        end(method="bs23")


def test_the_names_of_methods_are_those_of_the_table() -> None:
    assert np.array_equal(steppers.METHODS[:3], ["dop853", "dopri5", "rk4"])
    assert {"heun3", "bs32"} < set(steppers.METHODS)
