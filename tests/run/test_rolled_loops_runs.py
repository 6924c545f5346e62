"""Runs of many loops: loops over bodies give the motion of one expression, states are assembled by the same loops, and
the default choice follows the number of bodies."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import freebody as fb
from freebody.errors import ArgumentError
from freebody.formulations.rolled import MANY_CLOSED
from freebody.formulations.rolled.equations import Rolled
from freebody.run.rolled_assembly import RolledAssembler
from tests.formulations.test_rolled_loops import four_bars, hanging

SAME = 1e-9


@pytest.fixture
def is_cheaper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few bodies are treated as many are."""
    monkeypatch.setattr(Rolled, "is_cheaper", True)


def exact(count: int, end: float) -> np.ndarray:
    """θ and θ̇ of four-bars in a row that start upright with 1 rad/s (IFToMM A02)."""
    c = ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    return solve_ivp(lambda _, y: [y[1], c * 9.81 * np.sin(y[0])], (0, end), [0, 1], rtol=1e-12, atol=1e-13).y[:, -1]


def test_recorded_variables_are_those_of_one_expression() -> None:
    s = four_bars(3)
    s.body("slider", joint=fb.Prismatic("y"), mass=1)
    s.constrain("u.slider - sin(q.crank)*u.rocker2", name="coupled")
    runs = [
        s.derive("aba", rolled=rolled).simulate(0.2, u={"crank": 1.0}, method="rk4", step=1e-2)
        for rolled in (True, False)
    ]
    keys = [v.key for v in runs[1].about.variables]
    assert [v.key for v in runs[0].about.variables] == keys and "multiplier.coupled" in keys and "q.pin1" in keys
    assert runs[0].about.constraints == runs[1].about.constraints
    for key in keys:
        a, b = (np.asarray(run[key]) for run in runs)
        assert np.abs(a - b).max() <= SAME * max(1.0, np.abs(b).max()), key
    assert max(max(run.drift) for run in runs) < 1e-9


@pytest.mark.usefixtures("is_cheaper")
def test_states_are_assembled_by_loops_over_bodies() -> None:
    e = four_bars(3).derive("aba", rolled=True)
    assert RolledAssembler.supports(e.derivation)
    q, u = e.assemble({"crank": 0.4}, {"crank": 2.0})
    sign = np.array([-1.0 if name.startswith("coupler") else 1.0 for name in e.q])
    assert np.abs(q - 0.4 * sign).max() < 1e-12 and np.abs(u - 2.0 * sign).max() < 1e-12
    q, u = e.assemble(0.3 * sign + 0.05 * np.sin(np.arange(7)), np.ones(7))
    at = e.compile("numpy").constraint(q, u)
    assert np.abs(at["phi"]).max() < 1e-13 and np.abs(at["G"] @ u).max() < 1e-13
    with pytest.raises(ArgumentError, match=r"constraint 'pin\d' .* cannot be satisfied: it is off by .* crank"):
        e.assemble({"crank": 0.4, "coupler0": 0.4})
    with pytest.raises(ArgumentError, match=r"constraint 'pin\d' .* does not allow these speeds"):
        e.assemble({"crank": 0.4}, {"crank": 1.0, "rocker2": 2.0})


@pytest.mark.usefixtures("is_cheaper")
def test_states_in_space_are_assembled_by_loops_over_bodies() -> None:
    """Spherical joints with quaternions, and rods whose lengths a parameter gives; cases of a sweep."""
    s = hanging(lambda s, a, b, k: s.rod(a.point((0, 0, 0.1)), b.point((0, "l", 0.5)), 1.5))
    e = s.derive("aba", rolled=True)
    rng = np.random.default_rng(0)
    q, u = e.assemble(None, rng.uniform(-1, 1, len(e.u)))
    at = e.compile("numpy").constraint(q, u)
    assert np.abs(at["phi"]).max() < 1e-12 and np.abs(at["G"] @ u).max() < 1e-12
    sweep = e.sweep(0.02, {"l": np.array([0.3, 0.4, 0.5])})
    assert np.all(np.isfinite(sweep["q.a0tip.slide"]))


def test_many_loops_are_rolled_by_default() -> None:
    count = MANY_CLOSED // 2
    s = four_bars(count)
    e = s.derive()
    assert isinstance(e.derivation, Rolled) and not isinstance(four_bars(40).derive().derivation, Rolled)
    run = e.simulate(0.3, u={"crank": 1.0}, rtol=1e-9, atol=1e-11)
    found = np.array([run["q.crank"][-1], run["u.crank"][-1]])
    assert np.abs(found - exact(count, 0.3)).max() < 1e-7
    assert np.abs(run.x[-1][: len(e.q)]).max() - abs(found[0]) < 1e-7
