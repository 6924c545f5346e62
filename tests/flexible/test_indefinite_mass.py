"""A mass matrix that is not positive definite is never passed silently, whatever kind of run or analysis meets it."""

import re
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.analysis.manifold import SingularError
from freebody.api.live import live_simulation
from freebody.errors import AnalysisWarning, SimulationWarning

REASON = "The mass matrix is not positive definite there, because the deformation of 'rotor' is too large"
STILL = {"rotor.m1": 3.0, "rotor": -1.8}
"""Speeds without angular momentum."""


def shrinking_rotor(preload: float = 0.0) -> fb.System:
    """A body on a hinge with the mass matrix [1 − m1², 0.6; 0.6, 1], which is not positive definite beyond m1 = 0.8: no
    body has such an inertia."""
    s, J2, F0 = fb.System("rotor", gravity=(0, 0, 0)), np.zeros((1, 1, 3, 3)), np.array([[0], [0], [0.6]])
    J2[0, 0] = -2 * np.eye(3)
    body = fb.ModalIntegrals(
        m=1.0, c0=[0, 0, 0], J0=np.eye(3), E=np.zeros((3, 1)), F0=F0, K=[1.0], J2=J2, preload=[preload]
    )
    s.body("rotor", joint=fb.Revolute("z"), flexible=body, modes=1)
    return s


@pytest.mark.parametrize("method", ["dop853", "rk4", "radau", "bdf", "cvode", "ida"])
def test_runs_that_reach_or_pass_such_a_deformation_fail_and_name_the_body(method: str) -> None:
    """Without momentum about the hinge nothing keeps the body from it. Steps of one size pass the place where M is
    singular; beyond it accelerations are finite, and wrong."""
    step = {"step": 1e-3} if method == "rk4" else {}
    with pytest.warns(SimulationWarning, match=REASON):
        run = shrinking_rotor().simulate(1.0, u=STILL, method=method, rtol=1e-6, **step)
    assert run.status == -1 and re.search(REASON, run.message)
    time = float(re.findall(r"t = ([0-9.]+) s", run.message)[0])
    assert time == pytest.approx(0.2363, abs=6e-3)


@pytest.mark.parametrize("formulation", ["kane", "crba", "aba", "poincare"])
def test_runs_do_not_begin_there(formulation: str) -> None:
    with pytest.warns(SimulationWarning, match=f"at t = 0 s the run could not begin. {REASON}"):
        run = shrinking_rotor().derive(formulation).simulate(1.0, q={"rotor.m1": 2.0})
    assert not run.success


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 1e-3}, {"method": "bdf"}])
def test_cases_of_sweeps_fail_where_they_pass_it(options: dict[str, Any]) -> None:
    """Rows before are right, rows from there on are NaN; other cases are not changed."""
    times = np.linspace(0, 1, 11)
    with pytest.warns(SimulationWarning, match="1 of 2 cases failed"):
        table = shrinking_rotor().sweep(times, {"u.rotor.m1": [0.5, 3.0]}, u={"rotor": -1.8}, **options)
    assert table.status.values.tolist() == [0, -1] and re.search(REASON, str(table.message.values[1]))
    m1 = table["q.rotor.m1"].values
    assert np.isfinite(m1[0]).all() and np.isfinite(m1[1, :3]).all() and np.isnan(m1[1, 3:]).all()
    with pytest.warns(SimulationWarning, match="1 of 2 cases failed"):
        table = shrinking_rotor().sweep(times, {"q.rotor.m1": [0.5, 2.0]}, **options)
    assert np.isnan(table["q.rotor.m1"].values[1, 1:]).all() and re.search(REASON, str(table.message.values[1]))


def test_rolled_runs_fail_there() -> None:
    s = fb.System("rotors", gravity=(0, 0, 0))
    for k in range(3):
        rotor = shrinking_rotor().bodies["rotor"].spec
        s.body(f"rotor{k}", joint=fb.Revolute("z"), flexible=rotor.flexible, modes=1)
    eq = s.derive("aba", rolled=True)
    reason = REASON.replace("'rotor'", "'rotor1'")
    with pytest.warns(SimulationWarning, match=f"could not begin. {reason}"):
        assert not eq.simulate(0.1, q={"rotor1.m1": 2.0}).success
    both = REASON.replace("'rotor'", "'rotor1' and 'rotor2'")
    with pytest.warns(SimulationWarning, match=f"could not begin. {both}"):
        assert not eq.simulate(0.1, q={"rotor1.m1": 2.0, "rotor2.m1": 1.5}).success
    with pytest.warns(SimulationWarning, match=f"is wrong. {reason}"):
        eq.simulate(1.0, u={"rotor1.m1": 3.0, "rotor1": -1.8}, method="rk4", step=1e-3)


def test_live_simulations_stop_there() -> None:
    live = live_simulation(shrinking_rotor().freeze(), u=STILL)
    messages = [live.advance(0.05) for _ in range(10)]
    assert any(re.search(REASON, message) for message in messages)
    live = live_simulation(shrinking_rotor().freeze(), q={"rotor.m1": 2.0})
    assert re.search(REASON, live.advance(0.05))


def test_equilibria_there_have_no_linearisation() -> None:
    s = shrinking_rotor(preload=1.0)
    with pytest.warns(AnalysisWarning, match="the mass matrix is not positive definite .* its stability is not known"):
        at = s.equilibrium()
    assert at.q["rotor.m1"] == pytest.approx(1.0) and at.stability == "undecided" and not len(at.eigenvalues)
    with pytest.warns(AnalysisWarning, match="its stability is not known"):
        s.equilibria(starts=2)
    for point in ({"at": at}, {"at": {"q.rotor.m1": 0.9}}, {"trim": True}):
        with pytest.raises(SingularError, match=r"the mass matrix is not positive .*deformation of a flexible body"):
            s.linearize(**point)
