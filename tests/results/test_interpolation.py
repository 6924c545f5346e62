"""Interpolation of runs between saved times: order of convergence, jumps, end points."""

from pathlib import Path

import numpy as np
import pytest

from freebody.errors import ArgumentError
from freebody.results import Events, RunResult
from freebody.results.interpolation import Knots, spline
from tests.results.runs import FALL, RECORD, SPRING, ball, ball_state, knots, spring, spring_state

FINE = np.linspace(0.0, 6.0, 4001)
EPS = np.finfo(float).eps


def error(run: RunResult) -> float:
    """The largest error of position and speed between the saved times."""
    return float(np.abs(run.sol(FINE).T - spring_state(FINE))[:, [0, 5]].max())


def test_hermite_interpolation_has_fourth_order_and_the_known_constant() -> None:
    """|error| ≤ h⁴/384 max|x⁗|, and close to it."""
    errors = {n: error(spring(np.linspace(0.0, 6.0, n + 1))) for n in (20, 40, 80)}
    for n, found in errors.items():
        bound = (6.0 / n) ** 4 / 384
        assert 0.9 * bound < found <= bound * (1 + 1e-6)
    assert 15.5 < errors[20] / errors[40] < 16.5 and 15.5 < errors[40] / errors[80] < 16.5


def test_interpolated_quaternions_are_unit() -> None:
    found = spring(np.linspace(0.0, 6.0, 7)).sol(FINE)[1:5]
    assert np.abs(np.linalg.norm(found, axis=0) - 1).max() < 4 * EPS
    assert np.abs(found.T - spring_state(FINE)[:, 1:5]).max() < 1e-4


def test_shapes_follow_scipy() -> None:
    run = spring(np.linspace(0.0, 6.0, 61))
    assert run.sol(1.0).shape == (9,) and run.sol([1.0]).shape == (9, 1) and run.sol([]).shape == (9, 0)
    assert np.array_equal(run.sol(run.t)[[0, 5]], run.y[[0, 5]]) and np.abs(run.sol(run.t) - run.y).max() <= EPS


@pytest.mark.parametrize("steps", [3, 8, 31])
def test_parabolas_with_jumps_are_exact(steps: int) -> None:
    """Cubics contain parabolas, so only rounding remains for any number of rows."""
    run = ball(np.linspace(0.0, 3.0, steps))
    times = np.linspace(0.0, 3.0, 1001)
    assert np.abs(run.sol(times).T - ball_state(times)).max() < 200 * EPS


def test_value_at_a_jump_is_the_state_after() -> None:
    run = ball(np.linspace(0.0, 3.0, 31))
    for t, before, after in zip(run.events.t, run.events.before, run.events.after, strict=True):
        assert np.array_equal(run.sol(t), after)
        assert np.abs(run.sol(np.nextafter(t, 0.0)) - before).max() < 1e-13


@pytest.mark.parametrize("side", ["before", "after"])
def test_saved_time_at_a_jump_may_be_on_either_side(side: str) -> None:
    run = ball(np.linspace(0.0, 3.0, 31))
    t = np.sort(np.append(run.t, run.events.t[0]))
    x = ball_state(t)
    x[t == run.events.t[0]] = getattr(run.events, side)[0]
    again = RunResult(FALL, t, x, events=run.events, recorder=run._recorder)
    assert np.abs(again.sol(FINE[:2000]).T - ball_state(FINE[:2000])).max() < 200 * EPS


def test_series_are_discontinuous_at_jumps() -> None:
    t, height = ball(np.linspace(0.0, 3.0, 31)).series("ball")
    _, speed = ball(np.linspace(0.0, 3.0, 31)).series("u.ball")
    _, energy = ball(np.linspace(0.0, 3.0, 31)).series("energy.total")
    double = np.flatnonzero(np.diff(t) == 0)
    assert len(t) == 31 + 12 and len(double) == 6 and np.all(np.diff(t) >= 0)
    assert np.allclose(height[double], 0) and np.allclose(speed[double + 1], -0.8 * speed[double])
    assert np.allclose(energy[double + 1], 0.64 * energy[double])


def test_interpolation_of_backward_runs() -> None:
    t = np.linspace(6.0, 0.0, 61)
    run = RunResult(SPRING, t, spring_state(t), recorder=RECORD)
    assert error(run) < 1e-6
    assert np.array_equal(run.at([4.0, 3.0]).t, [4.0, 3.0])
    with pytest.raises(ArgumentError, match="are not in the order of the run; sort them"):
        run.at([3.0, 4.0])
    down = ball(np.linspace(3.0, 0.0, 16))
    e = down.events
    events = Events(e.names, e.t[::-1], e.index[::-1], before=e.after[::-1], after=e.before[::-1])
    back = RunResult(FALL, down.t, down.x, events=events, recorder=down._recorder)
    times = np.linspace(3.0, 0.0, 501)
    assert np.abs(back.sol(times).T - ball_state(times)).max() < 200 * EPS


def test_stored_steps_are_used_between_rows(tmp_path: Path) -> None:
    """With two rows and forty steps, the error is that of the steps, h⁴/384, also from a file; rows and steps may be
    at any times."""
    steps = np.linspace(0.0, 6.0, 41)
    for rows in ([0.0, 6.0], [0.0, 0.1, 2.0, 2.0001, 6.0]):
        run = spring(np.array(rows), steps)
        assert 0.9 * error(run) <= (6.0 / 40) ** 4 / 384
        assert error(loaded(run, tmp_path)) == error(run) < error(spring(np.array(rows))) / 1000
    backwards = RunResult(
        SPRING, np.array([6.0, 0.0]), spring_state(np.array([6.0, 0.0])), recorder=RECORD, knots=knots(steps[::-1])
    )
    assert error(backwards) == pytest.approx((6.0 / 40) ** 4 / 384, rel=0.1)


def test_rows_are_used_after_the_last_stored_step() -> None:
    run = spring(np.linspace(0.0, 6.0, 31), np.linspace(0.0, 3.0, 101))
    early = FINE[FINE <= 3.0]
    assert np.abs(run.sol(early).T - spring_state(early))[:, [0, 5]].max() < (3.0 / 100) ** 4 / 384 * 1.01
    assert error(run) == pytest.approx(error(spring(np.linspace(0.0, 6.0, 31))), rel=1e-6)


def test_slices_keep_their_steps() -> None:
    part = spring(np.array([0.0, 6.0]), np.linspace(0.0, 6.0, 401)).at([1.0, 2.0])
    inside = FINE[(FINE >= 1) & (FINE <= 2)]
    assert np.abs(part.sol(inside).T - spring_state(inside))[:, [0, 5]].max() < 1e-9


def test_sides_of_a_jump_take_precedence_over_step_ends() -> None:
    """The steps of a ball also end at its bounces; the values at these times are those of the bounce."""
    run = ball(np.linspace(0.0, 3.0, 3))
    t = np.sort(np.concatenate([np.linspace(0.0, 3.0, 7), run.events.t]))
    steps = Knots(t, ball_state(t), run._recorder(t, ball_state(t))["x_dot"])  # type: ignore[misc]
    again = RunResult(FALL, run.t, run.x, events=run.events, recorder=run._recorder, knots=steps)
    times = np.linspace(0.0, 3.0, 1001)
    assert np.abs(again.sol(times).T - ball_state(times)).max() < 200 * EPS


def test_at_recomputes_recorded_quantities() -> None:
    times = np.array([0.0, 0.123, 5.9])
    seen = spring(np.linspace(0.0, 6.0, 601)).at(times)
    assert np.array_equal(seen.t, times)
    assert np.allclose(seen["energy.total"], 1.0, atol=1e-9)
    assert np.array_equal(seen["output.tip"][:, 1], seen["q.mass"] ** 2)
    assert seen.at(0.123)["mass"].shape == (1,)


def loaded(run: RunResult, folder: Path) -> RunResult:
    return RunResult.load(run.save(folder / "run.parquet"))


def test_loaded_runs_interpolate_with_fourth_order(tmp_path: Path) -> None:
    errors = []
    for n in (30, 60, 120):
        seen = loaded(spring(np.linspace(0.0, 6.0, n + 1)), tmp_path).at(FINE)
        errors.append(np.abs(seen["output.tip"][:, 1] - np.cos(FINE) ** 2).max())
    assert errors[0] / errors[1] > 12 and errors[1] / errors[2] > 12
    assert error(loaded(spring(np.linspace(0.0, 6.0, 61)), tmp_path)) == error(spring(np.linspace(0.0, 6.0, 61)))


def test_loaded_runs_keep_their_jumps(tmp_path: Path) -> None:
    run, times = ball(np.linspace(0.0, 3.0, 61)), np.linspace(0.0, 3.0, 777)
    again = loaded(run, tmp_path)
    assert np.array_equal(again.sol(times), run.sol(times))
    lost = np.searchsorted(run.events.t, times, side="right")
    assert np.allclose(again.at(times)["energy.total"], 9.81 * 0.64**lost, atol=1e-12)
    assert np.array_equal(again.at(times).sol(times), again.sol(times))


def test_slices_cover_only_their_interval(tmp_path: Path) -> None:
    part = loaded(ball(np.linspace(0.0, 3.0, 61)), tmp_path).at(np.linspace(1.0, 2.0, 11))
    with pytest.raises(ArgumentError, match="it covers from 1 to 2 s"):
        part.sol(0.5)
    assert np.abs(part.sol(FINE[700:1300]).T - ball_state(FINE[700:1300])).max() < 1e-12


def test_quaternions_of_poses_may_change_sign(tmp_path: Path) -> None:
    run = spring(np.linspace(0.0, 6.0, 121))
    pose = run["pose.top"].copy()
    pose[::2, 3:] *= -1
    flipped = RunResult(SPRING, run.t, run.x, recorded={**run.recorded, "pose.top": pose})
    seen, true = flipped.at(FINE)["pose.top"][:, 3:], spring_state(FINE)[:, 1:5]
    assert np.abs(np.abs(np.sum(seen * true, axis=1)) - 1).max() < 1e-8


def test_nan_affects_only_its_neighbourhood() -> None:
    run = spring(np.linspace(0.0, 6.0, 61))
    speed = run["output.speed"].copy()
    speed[30] = np.nan
    seen = RunResult(SPRING, run.t, run.x, recorded={**run.recorded, "output.speed": speed}).at(FINE)
    gap = np.abs(FINE - run.t[30]) < 0.1 - 1e-9
    assert np.array_equal(np.isnan(seen["output.speed"]), gap)


@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_interpolation_degree_follows_the_number_of_rows(rows: int) -> None:
    """A polynomial of degree rows − 1 is reproduced exactly."""
    t = np.linspace(0.0, 1.0, rows)
    law = np.poly1d(np.arange(1.0, rows + 1))
    assert np.allclose(spline(t, law(t), FINE[:60] * (rows > 1)), law(FINE[:60] * (rows > 1)))


def test_runs_with_one_row_or_none() -> None:
    one = spring(np.array([2.0]))
    assert np.array_equal(one.sol(2.0), spring_state(np.array([2.0]))[0])
    assert one.at(2.0)["energy.total"] == pytest.approx(1.0)
    with pytest.raises(ArgumentError, match="run of spring & spin: it covers no time at all"):
        spring(np.empty(0)).sol(0.0)


@pytest.mark.parametrize("t", [-0.1, 6.1, np.nan, np.inf])
def test_times_outside_the_run_are_refused(t: float) -> None:
    with pytest.raises(ArgumentError, match="it covers from 0 to 6 s; other times need another run"):
        spring(np.linspace(0.0, 6.0, 61)).sol([1.0, t])


def test_times_outside_by_rounding_are_accepted() -> None:
    run = spring(np.linspace(0.0, 0.3, 4))
    assert 0.1 + 0.2 > 0.3 and np.array_equal(run.sol(0.1 + 0.2), run.sol(0.3))


def test_interpolation_without_rates_is_refused() -> None:
    with pytest.raises(ArgumentError, match="it holds no rates 'x_dot'"):
        RunResult(FALL, FINE, ball_state(FINE)).sol(1.0)
