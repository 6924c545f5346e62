"""Projection to the manifold of constraints: states stay on it at the ends of steps and between, for one state, in
lanes and for implicit methods; steps that cannot return to it are rejected, and runs that cannot say so."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from freebody.backends import compile
from freebody.errors import ArgumentError, SimulationWarning
from freebody.hybrid.system import known
from freebody.hybrid.variables import Variable, VariableRow
from freebody.integrate import implicit
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.integrator import Integrator, Status
from freebody.integrate.lanes import integrate_lanes
from freebody.integrate.manifold import Manifold
from freebody.integrate.steppers import IMPLICIT
from freebody.integrate.tableaus import TABLEAUS
from freebody.results import RunResult
from freebody.run.cases import Cases, run_cases
from freebody.run.loop import run_system
from freebody.run.options import RunOptions
from tests.run.constrained_cases import (
    AT,
    GRAVITY,
    LEFT,
    MOMENTS,
    PARTICLE,
    PARTICLE_SPEEDS,
    PERIOD,
    SPINNING,
    SPINNING_SPEEDS,
    TILTED,
    circle,
    drift,
    on_circle,
    particle,
    pendulum_system,
    spinning_start,
    tilt,
)
from tests.run.ode_cases import bound, compiled, field, program

ODE = tuple(method for method in IMPLICIT if method != "ida")  # which needs equations, not ẋ
EXPLICIT = tuple(TABLEAUS)
ULP = np.finfo(float).eps
SMALL = 1e-12
"""The drift that is allowed, at any tolerance of the steps."""


def sizes(method: str, **control: object) -> dict:
    return {"step": 2e-3} if method == "rk4" else {"rtol": 1e-9, "atol": 1e-9, **control}


def run(method: str, system: CompiledSystem, end: float = 10.0, rows: int = 301, **given: object) -> RunResult:
    times = np.linspace(0.0, end, rows)
    options = RunOptions(method=method, **({"step": 2e-3} if method == "rk4" else given))
    return run_system(system, np.array(LEFT), times, options.for_run(times, system.about), RunResult)


def available(method: str) -> str:
    if method in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    return method


# One state


@pytest.mark.parametrize("method", EXPLICIT)
def test_a_constrained_particle_moves_as_a_pendulum_without_drift(method: str) -> None:
    """Positions are those of the exact pendulum (IFToMM A01); saved rows, step ends and the last state are on the
    circle, and without the projection they are not."""
    times = np.linspace(0.0, 10.0, 401)
    free = Integrator(method, particle(), 0.0, LEFT, **sizes(method))
    held = Integrator(method, particle(), 0.0, LEFT, **sizes(method), manifold=on_circle(), knots=10_000)
    for i in (free, held):
        i.save_at(times)
        assert i.advance(10.0) is Status.DONE
    for t, exact in AT.items():
        assert np.abs(held.saved[times == t][0, :2] - exact).max() < 1e-7
    assert max(drift(held.saved) + drift(held.x) + drift(held.knots[:, 1:5])) < SMALL
    assert min(drift(free.saved)) > 100 * SMALL
    assert held.steps == free.steps and free.projections == 0


@pytest.mark.parametrize("method", EXPLICIT)
def test_a_step_takes_two_calls_of_the_projection(method: str) -> None:
    i = Integrator(method, particle(), 0.0, LEFT, **sizes(method), manifold=on_circle())
    assert i.advance(3.0) is Status.DONE
    assert i.steps <= i.projections <= 2 * (i.steps + i.rejected) + 1


@pytest.mark.parametrize("method", EXPLICIT)
def test_constrained_bodies_with_quaternions(method: str) -> None:
    """The tilt of a body's axis is fixed: the quaternion stays unit, the tilt constant, and the energy too, since the
    constraint does no work."""
    manifold = Manifold(field(*TILTED, **MOMENTS), SPINNING_SPEEDS, [0], 1e-9, 1e-9)
    rows = []
    for m in (manifold, None):
        i = Integrator(
            method, field(*SPINNING, **MOMENTS), 0.0, spinning_start(), quaternions=[0], manifold=m, **sizes(method)
        )
        i.save_at(np.linspace(0.0, 10.0, 201))
        assert i.advance(10.0) is Status.DONE
        rows.append(i.saved)
    held, free = rows
    assert np.abs(np.linalg.norm(held[:, :4], axis=1) - 1).max() <= 4 * ULP
    assert max(np.abs(residual).max() for residual in tilt(held)) < SMALL
    assert min(np.abs(residual).max() for residual in tilt(free)) > 10 * SMALL
    energy = held[:, 4:] ** 2 @ np.array(list(MOMENTS.values()))
    assert np.ptp(energy) < 1e-7 * energy[0] and np.ptp(held[:, 4]) > 1.0


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_steps_that_end_far_from_the_constraints_are_rejected(method: str) -> None:
    """ẋ = 1 has no error, but x = t + t²/50 leaves its motion: steps are as short as the distance allows."""
    manifold = Manifold(field("t + 0.02*t**2 + 0*x0"), (), (), 1e-6, 1e-6)
    i = Integrator(method, field("1.0"), 0.0, [0.0], rtol=1e-6, atol=1e-6, manifold=manifold)
    assert i.advance(3.0) is Status.DONE
    assert i.rejected > 0 and i.steps > 10 and i.x[0] == pytest.approx(3.18, abs=4 * ULP)


def test_slow_corrections_are_accepted_within_the_tolerance() -> None:
    """At singular states corrections converge linearly: here each halves the distance to x = t. What is left after the
    last call is below the tolerance, and the run goes on."""
    manifold = Manifold(field("(x0 + t)/2"), (), (), 1e-6, 1e-6)
    i = Integrator("dop853", field("1 + 1e-6"), 0.0, [0.0], rtol=1e-6, atol=1e-6, max_step=0.5, manifold=manifold)
    assert i.advance(3.0) is Status.DONE and i.rejected == 0
    assert i.projections >= 5 * i.steps and abs(i.x[0] - 3.0) < 1e-7


@pytest.mark.parametrize("method", EXPLICIT)
def test_starts_are_projected(method: str) -> None:
    """The first saved row is on the circle although x0 is not, after a restart too."""
    i = Integrator(method, particle(), 0.0, [-1.02, 0.0, 0.3, 1.0], **sizes(method), manifold=on_circle())
    i.save_at([0.0, 0.5])
    assert i.advance(0.5) is Status.DONE
    assert np.abs(i.saved[0] - [-1.0, 0.0, 0.0, 1.0]).max() < 4 * ULP and max(drift(i.saved)) < SMALL
    i.restart([0.0, -0.97, 2.0, 0.1])
    i.save_at([0.5, 1.0])
    assert i.advance(1.0) is Status.DONE
    assert np.abs(i.saved[0] - [0.0, -1.0, 2.0, 0.0]).max() < 4 * ULP and max(drift(i.saved)) < SMALL


def test_projection_from_python_equals_that_of_compiled_starts() -> None:
    manifold, x = on_circle(), np.array([0.7, -0.8, 0.3, 0.2])
    i = Integrator("dopri5", particle(), 0.0, x, manifold=manifold)
    i.advance(0.0)
    projected = manifold.project(0.0, x)
    assert projected is not None and np.abs(projected - i.x).max() <= 2 * ULP
    assert manifold.calls == i.projections >= 4 and max(drift(projected)) < SMALL
    assert on_circle("-1").project(0.0, x) is None
    system = pendulum_system()
    assert np.array_equal(system.project(0.0, x), on_circle(rtol=1e-8, atol=1e-10).project(0.0, x))
    assert pendulum_system(projected=False).project(0.0, x) is x


# Failures


@pytest.mark.parametrize("method", EXPLICIT)
def test_states_that_cannot_reach_the_constraints_end_the_run(method: str) -> None:
    """x0² + x1² = −1 from the start; and from t = ½ on, where the state stays at the last one that was projected."""
    i = Integrator(method, particle(), 0.0, LEFT, **sizes(method), manifold=on_circle("-1"))
    assert i.advance(1.0) is Status.OFF_MANIFOLD
    assert i.t == 0.0 and i.steps == 0 and np.array_equal(i.x, LEFT)
    later = on_circle("where(sin(t) < sin(1/2), 1, -1)")
    i = Integrator(method, particle(), 0.0, LEFT, **sizes(method), manifold=later)
    assert i.advance(1.0) is Status.OFF_MANIFOLD
    assert 0.5 - (2.1e-3 if method == "rk4" else 1e-6) < i.t <= 0.5 and max(drift(i.x)) < SMALL
    assert i.rejected > 0 and i.advance(1.0) is Status.OFF_MANIFOLD


@pytest.mark.parametrize("method", EXPLICIT)
def test_corrections_that_are_not_finite_end_the_run(method: str) -> None:
    manifold = on_circle("1 + sqrt(1/2 - t) - sqrt(1/2 - t)")
    i = Integrator(method, particle(), 0.0, LEFT, **sizes(method), manifold=manifold)
    assert i.advance(1.0) is Status.OFF_MANIFOLD
    assert 0.49 < i.t <= 0.5 + ULP and np.isfinite(i.x).all()


@pytest.mark.parametrize("method", [*EXPLICIT, *ODE])
def test_failed_runs_name_the_constraints(method: str) -> None:
    available(method)
    with pytest.warns(SimulationWarning, match=r"could not return to the constraints"):
        r = run(method, pendulum_system(square="-1"))
    assert r.status == -1 and r.statistics.steps == 0
    assert r.message.startswith("at t = 0 s the run could not go on: the state could not return to the constraints.")
    assert "coordinate 'x' to move by 1 from -1" in r.message and "satisfies the constraints" in r.message
    with pytest.warns(SimulationWarning, match=r"could not return to the constraints"):
        r = run(method, pendulum_system(square="where(sin(t) < sin(1/2), 1, -1)"), 1.0)
    assert r.status == -1 and 0.3 < r.t[-1] <= 0.5 and max(drift(r.x)) < SMALL
    advice = r"Steps of 0.002 s may be too long" if method == "rk4" else "contradict each other"
    assert advice in r.message


def test_functions_of_other_states_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"rates returns 1 numbers for a state of 2"):
        Manifold(field("x0", n=2), ())
    with pytest.raises(ArgumentError, match=r"rates takes 1 numbers for x, rates 4"):
        Integrator("dopri5", particle(), 0.0, LEFT, manifold=Manifold(field("x0"), ()))
    with pytest.raises(ArgumentError, match=r"rates and rates must take the same groups and lanes"):
        integrate_lanes("dopri5", bound(PARTICLE, g=GRAVITY), [LEFT], [0.0, 1.0], manifold=compiled(("x0",)))


# Events


@pytest.mark.parametrize("method", EXPLICIT)
def test_events_are_located_on_the_projected_motion(method: str) -> None:
    """The particle rests at every half period; the radius, which is 1 on the circle, never crosses 1 ± 1e-11."""
    events = field("x2", "x0**2 + x1**2 - 1 - 1e-11", "x0**2 + x1**2 - 1 + 1e-11", n=4)
    i = Integrator(
        method,
        particle(),
        0.0,
        LEFT,
        **sizes(method),
        events=events,
        directions=[0, 0, 0],
        stopping=[False] * 3,
        manifold=on_circle(),
    )
    assert i.advance(4 * PERIOD + 0.1) is Status.DONE
    log = i.take_log()
    turns = [t for t, k, _ in log if k == 0]
    assert {k for _, k, _ in log} == {0} and max(drift(np.array([x for *_, x in log]))) < SMALL
    tops = np.array([t for t, _, x in log if abs(x[1]) < 1e-3])
    assert np.abs(tops - PERIOD / 2 * np.arange(1, len(tops) + 1)).max() < 1e-7 and len(tops) == 8 <= len(turns)


@pytest.mark.filterwarnings("ignore:event .* which the constraints change")
@pytest.mark.parametrize("method", [*EXPLICIT, *ODE])
def test_resets_and_ends_at_events_are_projected(method: str) -> None:
    """At the bottom a reset leaves the circle in position and speed; the run goes on from the nearest state on it."""
    control = {"rtol": 1e-7, "atol": 1e-9}
    reset = ("x0", "1.01*x1", "0.5*x2", "x3 + 1")
    r = run(available(method), pendulum_system(event="x0", reset=reset), 3.0, **control)
    assert r.status == 0 and len(r.events) >= 3
    assert max(drift(r.x) + drift(r.events.before) + drift(r.events.after) + drift(r.knots.x)) < SMALL
    assert np.allclose(r.events.after[:, 2], 0.5 * r.events.before[:, 2], atol=1e-9)
    r = run(method, pendulum_system(event="x0", reset=reset, terminal=True), 3.0, **control)
    assert r.status == 1 and max(drift(r.x)) < SMALL and r.x[-1, 2] == pytest.approx(np.sqrt(2 * GRAVITY) / 2, rel=1e-6)


def test_resets_from_which_the_constraints_cannot_be_reached_are_refused() -> None:
    system = pendulum_system(event="x0", reset=("0*x0", "0*x1", "x2", "x3"))
    with pytest.raises(ArgumentError, match=r"'hit' at t = 0\.\d+ s sets a state from which the constraints cannot"):
        run("dop853", system, 3.0)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_speeds_jump_with_the_rates_of_constraints(method: str) -> None:
    """x = |t − 1| has a kink at t = 1, a break point that only the constraint knows: the speed changes sign there."""
    base = pendulum_system()
    rates, correct = program(("x1", "0*x0")), program(("abs(t - 1) + 0*x0", "where(t > 1, 1, -1) + 0*x1"))
    states = Variable("q", "x"), Variable("u", "x")
    about = replace(base.about, state=("q.x", "u.x"), variables=(), parameters={})
    one = replace(base.system, parameters=(), states=VariableRow(states), rates=known(rates), project=known(correct))
    system = CompiledSystem(one, about, {}, ())
    assert system.breaks == (1.0,)
    times = np.linspace(0.0, 2.0, 9)
    options = RunOptions(method=method).for_run(times, system.about)
    r = run_system(system, np.array([1.0, -1.0]), times, options, RunResult)
    assert r.status == 0 and np.abs(r.x[:, 0] - np.abs(times - 1)).max() < 100 * ULP
    assert np.array_equal(r.x[times != 1, 1], np.sign(times - 1)[times != 1])
    cases, manifold = [[1.0, -1.0]] * 3, compile(correct)
    many = integrate_lanes("dop853", compile(rates), cases, times, manifold=manifold, speeds=[1])
    assert not many.status.any() and np.abs(many.x[:, :, 0] - np.abs(times - 1)).max() < 100 * ULP


# Lanes


@pytest.mark.parametrize("method", EXPLICIT)
@pytest.mark.parametrize("width", [2, 4, None])
def test_lanes_equal_single_runs(method: str, width: int | None) -> None:
    """Also in steps, evaluations and calls of the projection, although lanes converge after different numbers of
    calls; gravity differs from case to case."""
    rng, cases, times = np.random.default_rng(5), 13, np.linspace(0.0, 3.0, 17)
    angle, speed = rng.uniform(-3, 3, cases), rng.uniform(-4, 4, cases)
    x0 = np.stack([np.sin(angle), -np.cos(angle), speed * np.cos(angle), speed * np.sin(angle)], axis=1)
    x0[::3] *= 1.001  # off the circle
    g = rng.uniform(5.0, 15.0, (cases, 1))
    f, correct = (
        compile(program(rows, None, ("g",)), **({} if width is None else {"width": width}))
        for rows in (PARTICLE, circle("1 + 0*g"))
    )
    given = sizes(method, rtol=1e-8, atol=1e-8)
    held = {"manifold": correct, "speeds": PARTICLE_SPEEDS}
    many = integrate_lanes(method, f, x0, times, parameters=g, **given, **held, threads=1)
    assert not many.status.any() and max(drift(many.x)) < SMALL
    for k in range(cases):
        manifold = on_circle(rtol=given.get("rtol", 1e-8), atol=given.get("atol", 1e-10))
        i = Integrator(method, particle(g[k, 0]), 0.0, x0[k], **given, manifold=manifold)
        i.save_at(times)
        assert i.advance(3.0) is Status.DONE
        assert np.abs(many.x[k] - i.saved).max() < 1e-10
        assert (many.steps[k], many.evaluations[k]) == (i.steps, i.evaluations)
        assert abs(many.projections[k] - i.projections) <= 2
    assert len(set(many.projections)) > 1


def test_lanes_with_quaternions_equal_single_runs() -> None:
    """The correction depends on parameters alone in part, which is computed once for each case."""
    cases, times = 7, np.linspace(0.0, 2.0, 9)
    moments = np.array(list(MOMENTS.values())) * np.random.default_rng(2).uniform(0.9, 1.1, (cases, 3))
    f, correct = (compile(program(rows, None, tuple(MOMENTS))) for rows in (SPINNING, TILTED))
    given = {"rtol": 1e-9, "atol": 1e-9, "quaternions": [0]}
    many = integrate_lanes(
        "dop853",
        f,
        np.tile(spinning_start(), (cases, 1)),
        times,
        parameters=moments,
        **given,
        manifold=correct,
        speeds=SPINNING_SPEEDS,
    )
    assert not many.status.any() and max(np.abs(residual).max() for residual in tilt(many.x)) < SMALL
    for k in range(cases):
        values = dict(zip(MOMENTS, moments[k].tolist(), strict=True))
        manifold = Manifold(field(*TILTED, **values), SPINNING_SPEEDS, [0], 1e-9, 1e-9)
        i = Integrator("dop853", field(*SPINNING, **values), 0.0, spinning_start(), **given, manifold=manifold)
        i.save_at(times)
        i.advance(2.0)
        assert np.abs(many.x[k] - i.saved).max() < 1e-10 and many.steps[k] == i.steps


@pytest.mark.parametrize("method", EXPLICIT)
def test_lanes_that_cannot_be_projected_do_not_affect_others(method: str) -> None:
    """The circle of some cases has no real radius, from the start or after ½ s; others are as if they were alone."""
    g = np.where(np.arange(20) % 3 == 0, -1.0, GRAVITY)[:, None]
    f, correct = (compile(program(rows, None, ("g",))) for rows in (PARTICLE, circle("where(g > 0, 1, -1)")))
    times, given = np.linspace(0.0, 1.0, 5), {"speeds": PARTICLE_SPEEDS, "threads": 1, **sizes(method)}
    many = integrate_lanes(method, f, [LEFT] * 20, times, parameters=g, manifold=correct, **given)
    bad = g[:, 0] < 0
    assert np.array_equal(many.status, np.where(bad, -1, 0))
    assert np.all(many.reason[bad] == Status.OFF_MANIFOLD) and not many.steps[bad].any()
    alone = integrate_lanes(method, f, [LEFT], times, parameters=[GRAVITY], manifold=correct, **given)
    assert np.all(many.x[~bad] == alone.x) and np.all(many.steps[~bad] == alone.steps)
    late = compile(program(circle("where((g < 10)*(sin(t) > sin(1/2)), -1, 1)"), None, ("g",)))
    g = np.where(np.arange(20) % 3 == 0, 9.0, 12.0)[:, None]
    many = integrate_lanes(method, f, [LEFT] * 20, times, parameters=g, manifold=late, **given)
    bad = g[:, 0] < 10
    assert np.array_equal(many.status, np.where(bad, -1, 0)) and np.all(many.reason[bad] == Status.OFF_MANIFOLD)
    assert np.all(many.t[bad] <= 0.5) and np.all(many.t[bad] > 0.49) and np.isnan(many.x[bad, 3:]).all()
    alone = integrate_lanes(method, f, [LEFT], times, parameters=[12.0], manifold=correct, **given)
    assert np.all(many.x[~bad] == alone.x) and max(drift(many.state)) < SMALL


# Runs


@pytest.mark.parametrize("method", [*EXPLICIT, *ODE])
def test_runs_are_on_the_manifold_at_and_between_saved_times(method: str) -> None:
    """Saved rows, step ends and ``sol`` anywhere; without the projection they are not. The run counts the calls."""
    given = {"rtol": 1e-6, "atol": 1e-8}
    held, free = (run(available(method), pendulum_system(projected=p), 3.0, **given) for p in (True, False))
    between = np.random.default_rng(0).uniform(0.0, 3.0, 40)
    assert held.status == 0 and max(drift(held.x) + drift(held.knots.x) + drift(held.sol(between).T)) < SMALL
    assert min(drift(free.x)) > 10 * SMALL and free.statistics.projections == 0
    assert held.statistics.projections >= held.statistics.steps and "projections" in held.summary()
    assert np.abs(held.sol(between) - free.sol(between)).max() < 1e-2


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_repeated_steps_give_the_states_that_a_run_saves(method: str) -> None:
    coarse, fine = (run(method, pendulum_system(), 2.0, rows) for rows in (3, 81))
    assert np.abs(coarse.sol(fine.t).T - fine.x).max() < 1e-13


def test_solvers_that_drift_start_again_from_the_projected_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """The own state of LSODA leaves the circle along a long run, and its energy with it."""

    def energy_error() -> float:
        x = run("lsoda", pendulum_system(), 40.0, rtol=1e-5, atol=1e-6).x
        return float(np.abs((x[:, 2] ** 2 + x[:, 3] ** 2) / 2 + GRAVITY * x[:, 1]).max())

    restarted = energy_error()
    monkeypatch.setattr(implicit, "DRIFT", np.inf)
    assert restarted < energy_error() / 2


def test_the_projection_travels_with_the_plant() -> None:
    """To other processes, with other values, and into the digests of stored sweeps."""
    system = pendulum_system()
    sent = pickle.loads(pickle.dumps(system))
    assert sent.system.project.value is not None and "project" in sent.system.programs
    assert "project" not in pendulum_system(projected=False).system.programs
    here, there = (run("dop853", p, 2.0) for p in (system, sent))
    assert np.array_equal(here.x, there.x)
    other = system.with_values([5.0], [])
    assert max(drift(run("dop853", other, 2.0).x)) < SMALL
    times, x0 = np.linspace(0.0, 2.0, 11), np.array([LEFT] * 5)
    options = RunOptions().for_run(times, system.about)
    swept = run_cases(system, Cases(x0, np.array([[5.0], [7.0], [9.0], [11.0], [13.0]]), np.empty(0)), times, options)
    assert not swept["status"].any() and max(drift(swept["x"])) < SMALL
    assert np.abs(swept["x"][0] - run("dop853", other, 2.0, 11).x).max() < 1e-11
    impossible = run_cases(pendulum_system(square="-1"), Cases(x0, np.array([5.0]), np.empty(0)), times, options)
    assert np.all(impossible["status"] == -1) and "return to the constraints" in str(impossible["message"][0])
