"""Equations that are left out follow from the others at all times and for all values of the parameters; the number of
degrees of freedom is that for the parameters' own values."""

import numpy as np
import pytest

import freebody as fb
from freebody.tree.independence import omitted_rows
from tests.simulation.constrained_systems import parallel_bars


def two_sliders(*constraints: str, **parameters: float) -> fb.System:
    s = fb.System("two sliders")
    for name in ("a", "b"):
        s.body(name, joint=fb.Prismatic("x"), mass=1)
    for name, value in parameters.items():
        s.parameter(name, value)
    for text in constraints:
        s.constrain(text)
    return s


@pytest.mark.parametrize(
    ("system", "freedoms"),
    [
        (two_sliders("q.a", "q.a + sin(t)*q.b"), 0),
        (two_sliders("q.a", "u.a + t*u.b"), 0),
        (two_sliders("q.a", "q.a + e*q.b", e=0.0), 1),
        (two_sliders("q.a", "q.a + (1 - e)*q.b", e=1.0), 1),
        (two_sliders("1e-9*q.a + 2e-9*q.b"), 1),
        (two_sliders("1e9*q.a*(2 + q.a) + q.b"), 1),
        (parallel_bars(), 1),
    ],
)
def test_equations_needed_at_some_time_or_for_some_parameters_are_kept(system: fb.System, freedoms: int) -> None:
    assert not [key for key in omitted_rows(system.freeze()) if key.row in (0, 2)]  # of pins: along x and z
    assert system.derive().degrees_of_freedom == freedoms


def test_parameters_that_must_be_zero_do_not_hide_others() -> None:
    """With ``off`` the loop does not close; the second equation is needed for other values of ``e`` alone."""
    s = two_sliders("q.a", "q.a + e*q.b", "q.a + off", e=0.0, off=0.0)
    assert [key.constraint for key in omitted_rows(s.freeze())] == ["expression3"]


def test_a_row_that_is_needed_after_the_start_acts() -> None:
    """b follows −a/sin(t), also where this begins with t = 0, at which it restricts a alone."""
    s = two_sliders("q.a", "q.a + sin(t)*q.b")
    f = s.derive().compile()
    assert np.abs(f.forward_dynamics([0, 0], [0, 0], [1.0, 2.0], 1.0)).max() < 1e-12
