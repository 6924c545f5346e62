"""Equations that are left out follow from the others at all times and for all values of the parameters; the number of
degrees of freedom is that for the parameters' own values."""

import numpy as np
import pytest

import freebody as fb
from freebody.tree.constraints import CANONICAL, ClosureForms, ConstraintEquations
from freebody.tree.independence import dependence, omitted_rows
from freebody.tree.motion import Motion
from freebody.tree.sampled_rows import SampledMotion
from freebody.tree.tree import span
from tests.mechanisms.random_loops import closing_kinds, mechanism
from tests.run.constrained_systems import parallel_bars


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


# Many bodies


def leaning_four_bar() -> fb.System:
    """A planar loop about a skew axis, with a length that is a parameter and bodies whose axes are turned."""
    s, axis = fb.System("leaning"), (0.6, 0, 0.8)
    s.parameters(l=1.2)
    left = s.body("left", joint=fb.Revolute(axis), mass=1)
    top = s.body("top", on=left, at=(0, "l", 0), joint=fb.Revolute(axis), mass=1)
    right = s.body("right", at=(0.8, 0, -0.6), joint=fb.Revolute(axis), mass=1)
    s.close(top.point((0.8, 0, -0.6)), right.point((0, "l", 0)), fb.Revolute(axis), name="pin")
    s.rod(top.point((0, 0, 1)), s.ground.point((0, 0, 5)), 4.0, name="rod")
    return s


def test_rows_that_no_speed_changes_are_those_whose_forces_vanish() -> None:
    """From poses and wrenches at random states, as from the expressions on the whole tree."""
    systems = [leaning_four_bar(), *(mechanism(seed, closing_kinds()).system for seed in (2, 11))]
    for s in systems:
        tree = span(s.freeze())
        sampled, found = SampledMotion(tree, list(s.constraints), 0.03), 0
        for name in s.constraints:
            for exchanged in (False, True):
                forms = ClosureForms(frozenset([name])) if exchanged else CANONICAL
                rows = ConstraintEquations(Motion(tree), (), forms, only=[name])
                forces = [rows.forces_of(row).values() for row in rows.rows.values()]
                vanish = [all(map(tree.graph.vanishes, some)) for some in forces]
                expected = [(row.label, not some) for row, some in zip(rows.rows.values(), vanish, strict=True)]
                assert [row[:2] for row in sampled.changed_rows(name, exchanged)] == expected
                found += sum(vanish)
        assert found


@pytest.mark.slow
def test_many_speeds_leave_out_rows_that_no_speed_changes() -> None:
    """A planar chain whose end is pinned keeps two of five rows, whatever its length."""
    omitted = []
    for count in (20, 200):
        s = fb.System("chain")
        on = s.ground
        for k in range(count):
            on = s.body(f"b{k}", on=on, at=(0, 0, 0.1), joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
        s.close(on.point((0, 0, 0.1)), s.ground.point((1, 0, 0)), fb.Revolute("y"), name="pin")
        omitted.append(dependence(s.freeze()).omitted)
    assert omitted[0] == omitted[1] and len(omitted[0]) == 3
