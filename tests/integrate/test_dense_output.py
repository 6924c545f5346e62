"""Dense output of runs: between saved times, the interpolation is as accurate as the method."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import freebody as fb
from freebody.results import interpolation
from tests.run.systems import ball, double_pendulum, oscillator, pendulum, spinning

METHODS = ("dop853", "dopri5", "rk4", "rodas5p", "esdirk54", "radau", "bdf", "lsoda", "cvode", "ida")
START = {"q": {"upper": 1.0, "lower": 0.5}}
TIMES = np.linspace(0, 3, 501)


def sizes(method: str) -> dict[str, object]:
    return {"method": method, "step": 0.01} if method == "rk4" else {"method": method}


def gap(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a - b).max())


@pytest.mark.parametrize("method", METHODS)
def test_dense_output_does_not_depend_on_saved_times(method: str) -> None:
    eq = double_pendulum().derive()
    coarse, fine = (eq.simulate(times, **START, **sizes(method)) for times in ([0.0, 3.0], TIMES))
    near = {"dop853": 1e-13, "dopri5": 1e-13, "rk4": 1e-13, "lsoda": 2e-6}.get(method, 2e-7)
    assert gap(coarse.sol(TIMES).T, fine.x) < near
    seen = coarse.at(TIMES)
    assert gap(seen["energy.total"], fine["energy.total"]) < 100 * near and gap(seen.sol(TIMES[7]), fine.x[7]) < near


def test_dense_output_is_as_accurate_as_scipy() -> None:
    """Dense output of SciPy's DOP853 and of freebody over 20 s of a pendulum, both compared with a much more accurate
    run."""
    eq = pendulum().derive()
    run = eq.simulate([0.0, 20.0], q={"arm": 2.0})
    rate, span = lambda t, x: [x[1], -9.81 * np.sin(x[0])], (0, 20)
    theirs = solve_ivp(rate, span, [2.0, 0.0], method="DOP853", rtol=1e-8, atol=1e-10, dense_output=True)
    times = np.linspace(0, 20, 2001)
    exact = solve_ivp(rate, span, [2.0, 0.0], method="DOP853", rtol=1e-13, atol=1e-14, t_eval=times).y
    assert gap(run.sol(times), exact) < 2 * gap(theirs.sol(times), exact) < 1e-4


def test_dense_output_at_saved_times_is_exact() -> None:
    run = double_pendulum().simulate(np.linspace(0, 3, 7), **START)
    assert np.array_equal(run.sol(run.t).T, run.x) and np.array_equal(run.at(run.t).x, run.x)
    assert np.array_equal(run.sol(run.knots.t).T, run.knots.x)


def test_interpolated_quaternions_are_unit() -> None:
    spin = {"u": {"body": (0.1, 1.0, 0.1, 0, 0, 0)}}
    coarse, fine = (spinning().simulate(times, **spin) for times in ([0.0, 3.0], TIMES))
    found = coarse.sol(TIMES)
    assert gap(np.linalg.norm(found[3:7], axis=0), np.ones(501)) < 1e-15 and gap(found.T, fine.x) < 1e-14


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_dense_output_is_discontinuous_at_jumps(method: str) -> None:
    """A bouncing ball, and a cart that is pushed from 1 to 1.5 s; also backwards."""
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"})
    coarse, fine = (
        ball().simulate(times, q={"ball": 1.0}, events=[bounce], method=method) for times in ([0.0, 3.0], TIMES)
    )
    assert gap(coarse.sol(TIMES).T, fine.x) < 1e-7
    assert np.array_equal(coarse.sol(coarse.events.t).T, coarse.events.after)
    push = {"inputs": {"push": "where(t > 1 and t < 1.5, 10, 0)"}, "method": method}
    coarse, fine = (oscillator().simulate(times, **push) for times in ([0.0, 3.0], TIMES))
    assert gap(coarse.sol(TIMES).T, fine.x) < 1e-7 and np.count_nonzero(coarse.knots.t == 1.5) == 2
    back = oscillator().simulate([3.0, 0.0], start=fine, **push)
    assert gap(back.sol(TIMES[::-1]).T, fine.x[::-1]) < 1e-6


def test_dense_output_of_steps_truncated_by_events() -> None:
    end = fb.Event("q.upper - 0.2", terminal=True)
    coarse, fine = (double_pendulum().simulate(times, **START, events=[end]) for times in ([0.0, 3.0], TIMES))
    assert coarse.t[-1] == coarse.knots.t[-1] and np.array_equal(coarse.knots.x[-1], coarse.x[-1])
    inside = TIMES[: np.searchsorted(TIMES, coarse.t[-1])]
    assert gap(coarse.sol(inside).T, fine.x[: len(inside)]) < 2e-8


@pytest.mark.parametrize("form", ["nc", "parquet"])
@pytest.mark.parametrize("method", ["dop853", "rk4", "radau"])
def test_files_store_the_dense_output(method: str, form: str, tmp_path: Path) -> None:
    """A loaded run interpolates with cubics only, so steps of higher order are written in parts."""
    run = double_pendulum().simulate([0.0, 3.0], **START, **sizes(method))
    loaded = fb.Trajectory.load(run.save(tmp_path / f"run.{form}"))
    assert len(loaded.knots) >= (8 if method == "dop853" else 1) * (len(run.knots) - 1)
    assert np.isin(run.knots.t, loaded.knots.t).all()
    assert gap(loaded.sol(TIMES), run.sol(TIMES)) < 1e-6
    again = fb.Trajectory.load(loaded.save(tmp_path / f"again.{form}"))
    for name in ("t", "x", "x_dot"):
        assert np.array_equal(getattr(again.knots, name), getattr(loaded.knots, name))


def test_pickled_runs_have_dense_output() -> None:
    run = double_pendulum().simulate([0.0, 3.0], **START)
    assert np.array_equal(pickle.loads(pickle.dumps(run)).sol(TIMES), run.sol(TIMES))


@pytest.mark.parametrize("method", ["rk4", "radau"])
def test_dense_output_uses_saved_rows_above_the_memory_limit(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpolation, "KNOTS", 50)
    run = double_pendulum().simulate(np.linspace(0, 3, 31), **START, **sizes(method))
    assert len(run.knots) == 50 < run.statistics.steps
    monkeypatch.undo()
    fine = double_pendulum().simulate(TIMES, **START, **sizes(method))
    known = int(np.searchsorted(TIMES, run.knots.t[-1]))
    assert gap(run.sol(TIMES[:known]).T, fine.x[:known]) < 1e-7 and 1e-6 < gap(run.sol(TIMES).T, fine.x) < 0.05


def test_knot_memory_is_bounded_for_any_number_of_states() -> None:
    for states in (0, 2, 14, 200, 4000):
        most = interpolation.max_knots(states)
        assert 1 < most <= 20_000 and most * 8 * (2 * states + 1) <= 8 * 2**20
