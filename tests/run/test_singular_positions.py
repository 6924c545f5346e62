"""Runs pass positions at which constraints depend on each other, such as those of four-bars that are flat, at any
tolerance and on the branch on which they arrive. Bars of equal lengths move as one pendulum, which is integrated
independently."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import freebody as fb
from freebody.errors import SimulationWarning
from freebody.integrate.record import Status
from freebody.run.diagnose import Stop, diagnose
from freebody.run.options import RunOptions

Array = np.ndarray


class Bars:
    """Parallel cranks of one length with couplers of length 1 between them. They move as a pendulum:
    (Σ J + m l² n) q̈ = g · (Σ m c + m l n) t, with t = d(direction)/dq and n couplers of mass m."""

    def __init__(self, rng: np.random.Generator, couplers: int, length: float, gravity: tuple[float, ...]) -> None:
        s = self.system = fb.System("bars", gravity=gravity)
        self.n, self.gravity, self.inertia, self.moment = couplers, np.array(gravity), 0.0, 0.0
        joint, cranks = fb.Revolute("y"), []
        for k in range(couplers + 1):
            mass, centre, J = rng.uniform([0.5, 0.2 * length, 0.05], [2.0, 0.8 * length, 0.2]).tolist()
            cranks.append(s.body(f"b{k}", at=(k, 0, 0), joint=joint, mass=mass, com=(0, 0, centre), inertia=(J,) * 3))
            self.inertia, self.moment = self.inertia + J + mass * centre**2, self.moment + mass * centre
        for k, (left, right) in enumerate(pairwise(cranks)):
            bar = s.body(f"c{k}", on=left, at=(0, 0, length), joint=joint, mass=1, com=(0.5, 0, 0), inertia=(0.1,) * 3)
            s.close(bar.point((1, 0, 0)), right.point((0, 0, length)), joint, name=f"p{k}")
        self.inertia, self.moment = self.inertia + couplers * length**2, self.moment + couplers * length

    def state(self, value: float) -> dict[str, float]:
        cranks = {f"b{k}": value for k in range(self.n + 1)}
        return cranks | {f"c{k}": -value for k in range(self.n)}

    def given(self, q: float, u: float, rtol: float) -> dict[str, object]:
        return {"q": self.state(q), "u": self.state(u), "rtol": rtol, "atol": rtol / 10}

    def reference(self, t: Array, q: float, u: float) -> Array:
        """The angle of all cranks; the direction of a crank is (sin q, 0, cos q)."""

        def rates(_: float, x: Array) -> list[float]:
            g = self.gravity[0] * np.cos(x[0]) - self.gravity[2] * np.sin(x[0])
            return [x[1], self.moment * g / self.inertia]

        return solve_ivp(rates, (t[0], t[-1]), [q, u], "DOP853", t, rtol=1e-12, atol=1e-13).y[0]

    def off_branch(self, run: fb.Trajectory) -> float:
        return max(float(np.abs(run["b0"] - run[f"b{k}"]).max()) for k in range(1, self.n + 1))


EQUAL = np.linspace(0.0, 8.0, 41)


@pytest.mark.parametrize("solver", [None, "independent", "sparse"])
def test_parallel_bars_move_as_one_pendulum_at_any_tolerance(solver: str | None) -> None:
    rng = np.random.default_rng(3)
    for couplers, length in ((1, 1.0), (2, 1.0), (2, 0.6)):
        bars = Bars(rng, couplers, length, tuple(rng.normal(size=3) * 5))
        eq = bars.system.derive(**({} if solver is None else {"solver": solver}))
        for rtol in (1e-7, *10.0 ** -rng.uniform(8, 12, 2), 1e-12):
            q, u = rng.uniform(-1.4, 1.4), rng.uniform(4, 6)
            run = eq.simulate(EQUAL, **bars.given(q, u, rtol))
            assert run.status == 0 and bars.off_branch(run) < 1e-9, (couplers, length, rtol, q, u, run.message)
            assert np.abs(run["b0"] - bars.reference(EQUAL, q, u)).max() < 1e-6 + 3e3 * rtol
            assert run.energy_error < 1e-7 + 1e3 * rtol


@pytest.mark.parametrize("couplers", [1, 2])
def test_all_starts_pass_at_tight_tolerances(couplers: int) -> None:
    bars = Bars(np.random.default_rng(5), couplers, 1.0, (0, 0, -9.81))
    eq = bars.system.derive()
    for rtol in (1e-10, 1e-11, 1e-12):
        for u in np.linspace(0.5, 2.0, 8):
            run = eq.simulate([0, 10.0], **bars.given(0.0, u, rtol))
            assert run.status == 0 and bars.off_branch(run) < 1e-9, (rtol, u, run.message)


def test_independent_speeds_stay_on_their_branch() -> None:
    bars = Bars(np.random.default_rng(5), 1, 1.0, (0, 0, -9.81))
    eq = bars.system.derive(solver="independent")
    for rtol in (1e-8, 1e-10):
        for u in np.linspace(0.5, 2.0, 25):
            run = eq.simulate([0, 10.0], **bars.given(0.0, u, rtol))
            assert run.status == 0 and bars.off_branch(run) < 1e-9, (rtol, u, run.message)


def test_sweeps_pass_flat_positions_as_single_runs_do() -> None:
    bars = Bars(np.random.default_rng(7), 1, 1.0, (0, 0, -9.81))
    speeds, rtol = np.linspace(3.0, 5.0, 9), 1e-10
    swept = bars.system.sweep(
        EQUAL,
        {f"u.{name}": list(sign * speeds) for name, sign in bars.state(1.0).items()},
        grid=False,
        rtol=rtol,
        atol=rtol / 10,
    )
    assert not swept.status.values.any()
    for k, u in enumerate(speeds):
        assert np.abs(swept["q.b0"].values[k] - swept["q.b1"].values[k]).max() < 1e-9
        assert np.abs(swept["q.b0"].values[k] - bars.reference(EQUAL, 0.0, u)).max() < 1e-6


@pytest.mark.parametrize("method", ["dop853", "dopri5"])
def test_states_inside_steps_past_flat_positions_are_those_of_the_run(method: str) -> None:
    bars, rtol = Bars(np.random.default_rng(9), 1, 1.0, (0, 0, -9.81)), 1e-9
    run = bars.system.simulate([0, 8.0], method=method, **bars.given(0.0, 3.0, rtol))
    t = np.linspace(0, 8.0, 3001)
    assert np.abs(run.sol(t)[0] - bars.reference(t, 0.0, 3.0)).max() < 3e3 * rtol
    assert run.at(t).energy_error < 1e3 * rtol


def test_runs_that_end_at_singular_positions_name_them_and_a_remedy() -> None:
    bars = Bars(np.random.default_rng(9), 1, 1.0, (0, 0, -9.81))
    run = bars.system.simulate([0, 0.1], **bars.given(0.5, 1.0, 1e-8))
    compiled, names = run._recorder.compiled, run.about.state  # type: ignore[union-attr]
    for angle, singular in ((np.pi / 2 - 1e-5, True), (np.pi / 2 - 4e-3, True), (0.5, False)):
        q, u = bars.state(angle), bars.state(1.0)
        x = np.array([(q if key[0] == "q" else u)[key[2:]] for key in names])
        stop = Stop(Status.UNDERFLOW, (0.0, run.x[0]), 1.0, x, 1e-14, 2.0)
        for options, remedy in (
            (RunOptions(rtol=1e-12, atol=1e-13), "relax rtol to 1e-10 to pass it"),
            (RunOptions("dopri5", rtol=1e-12, atol=1e-13), "method='dop853' passes most of them"),
        ):
            text = diagnose(compiled, stop, options)
            assert ("This is a singular position, such as a loop that is flat" in text) == singular
            assert (remedy in text) == singular and "contradict" not in text


@pytest.mark.parametrize("couplers", [1, 2, 3])
def test_runs_at_the_tightest_tolerance_pass_flat_positions_or_name_them(couplers: int) -> None:
    """Saved times beside a flat position make some runs end at rtol = 1e-12; none at 1e-10."""
    bars = Bars(np.random.default_rng(9), couplers, 1.0, (0, 0, -9.81))
    eq = bars.system.derive()
    for speed in np.linspace(0.7, 2.0, 8).tolist():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exact = eq.simulate(10.0, **bars.given(0.0, speed, 1e-12))
        assert exact.status == 0 or "This is a singular position" in exact.message, exact.message
        assert eq.simulate(10.0, **bars.given(0.0, speed, 1e-10)).status == 0


def test_a_loop_that_cannot_close_further_still_ends_the_run() -> None:
    s = fb.System("stretched", gravity=(0, 0, 0))
    bar = {"joint": fb.Revolute("y"), "mass": 1.0, "com": (0.5, 0, 0), "inertia": (0.1,) * 3}
    second = s.body("second", on=s.body("first", **bar), at=(1, 0, 0), **bar)
    s.rod(s.ground, second.point((1, 0, 0)), "1.5 + t", name="pull")
    with pytest.warns(SimulationWarning, match=r"first in equation pull\): a loop that cannot close further"):
        run = s.simulate(1.0, rtol=1e-10, atol=1e-12)
    assert run.status == -1 and run.t[-1] == pytest.approx(0.5, abs=1e-3)
