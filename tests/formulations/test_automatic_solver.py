"""``solver="auto"`` chooses from the structure of loops a solver that needs few operations."""

import sys
from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.formulations.solvers import auto
from freebody.formulations.solvers.auto import is_planar, pending_multipliers
from freebody.formulations.table import SOLVERS

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import mechanisms
import solvers

SAMPLE = [
    mechanisms.row(1), mechanisms.row(2), mechanisms.ladder(2), mechanisms.ladder(3), mechanisms.separate(1, 4),
    mechanisms.separate(3, 3), mechanisms.separate(1, 8), mechanisms.ring(6), mechanisms.ring(5, spatial=False),
    mechanisms.curtain(2, 3), mechanisms.parallel_bars(3), mechanisms.platform(1),
]  # fmt: skip
RIVALS = ("kane", "sparse", "tree", "compliance", "barycentric", "relative", "independent", "penalty")
"""All but those with many more operations in every case: hinge-forces, mixed, null-space."""


@pytest.mark.slow
def test_automatic_solver_needs_few_operations() -> None:
    """For at least nine of ten mechanisms at most 10 % more than the best solver of the family."""
    close = []
    for m in SAMPLE:
        s = m.system()
        cells = [solvers.measure(m, s, name, None, timed=False) for name in RIVALS]
        counts = {cell.solver: cell.operations for cell in cells if cell.operations is not None}
        assert len(counts) == len(RIVALS), [cell.reason for cell in cells]
        choice = s.derive(solver="auto").operations["forward_dynamics"].total
        assert choice == counts[solvers.chosen(s)]
        close.append(choice <= solvers.WITHIN_OPERATIONS * min(counts.values()))
    assert np.mean(close) >= solvers.SHARE, dict(zip([m.name for m in SAMPLE], close, strict=True))


@pytest.mark.wings
def test_loops_over_one_another_are_solved_body_by_body() -> None:
    """The more rungs a ladder has, the more multipliers pass a body on their way to the ground."""
    low, high = (mechanisms.ladder(rungs).system() for rungs in (3, 7))
    assert pending_multipliers(low.freeze())["left0"] == 6 and pending_multipliers(high.freeze())["left0"] == 14
    assert pending_multipliers(high.freeze())["rung3"] == 2
    assert solvers.chosen(low) == "barycentric" and solvers.chosen(high) == "sparse"
    counts = {name: high.derive(solver=name).operations["forward_dynamics"].total for name in ("auto", "tree")}
    assert counts["auto"] < 0.9 * counts["tree"]


def test_a_solver_that_refuses_the_system_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """'relative' does not accept screws; the next of the solvers that suit the structure is taken."""
    s = fb.System("slider-crank")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0))
    slider = s.body("slider", joint=fb.Screw("x", pitch=0.5, initial=2.0), mass=1, inertia=(1, 1, 1))
    s.rod(crank.point((1, 0, 0)), slider, 1.0)
    assert not is_planar(s.freeze()) and solvers.chosen(s) == "tree"
    monkeypatch.setattr(auto, "choose_solvers", lambda model: (SOLVERS["relative"], SOLVERS["tree"]))
    with pytest.raises(ModelError, match="screw"):
        s.derive(solver="relative")
    tree, taken = (s.derive(solver=name).operations["forward_dynamics"] for name in ("tree", "auto"))
    assert taken == tree


def test_automatic_solver_leaves_the_rest_as_it_is() -> None:
    """Without constraints, or with a formulation, 'auto' changes nothing."""
    s = fb.System("pendulum")
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    assert s.derive(solver="auto").operations["state_dot"] == s.derive().operations["state_dot"]
    closed = mechanisms.row(1).system()
    assert (
        closed.derive("kane", solver="auto").operations["forward_dynamics"]
        == closed.derive("kane").operations["forward_dynamics"]
    )


@pytest.mark.parametrize("m", [mechanisms.row(2), mechanisms.ladder(7)], ids=lambda m: m.name)
def test_automatic_solver_gives_the_same_motion(m: mechanisms.Mechanism) -> None:
    s = m.system()
    f, kane = s.derive(solver="auto").compile("numpy"), s.derive("kane").compile("numpy")
    expected = kane.forward_dynamics(m.q, m.u, m.tau)
    assert np.abs(f.forward_dynamics(m.q, m.u, m.tau) - expected).max() < 1e-9 * np.abs(expected).max()


def test_a_failing_solver_does_not_stop_the_benchmark() -> None:
    m = mechanisms.curtain(2, 2)
    cell = solvers.measure(m, m.system(), "no such solver", None)
    assert cell.operations is None and "there is no solver" in cell.reason
