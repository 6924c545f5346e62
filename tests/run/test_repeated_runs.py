"""Runs one after another: starts that satisfy the constraints are not assembled, integrators and compiled systems are
used again, and programs that are called often are compiled. None of this changes a result."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.backends.gradual import OFTEN, GradualFunction
from freebody.errors import ArgumentError
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.integrator import Integrator
from freebody.run import assembly
from freebody.run.assembly_equations import SETTLED, assembly_equations
from tests.run.constrained_systems import four_bar, squeezer
from tests.run.test_assembly import CLOSING

TIMES = np.linspace(0, 0.4, 5)


def results(run: fb.Trajectory) -> list[Any]:
    """States, steps and events of a run, and the ends of its steps."""
    s = run.statistics
    counts = s.steps, s.rejected, s.evaluations, s.projections, s.drift, s.speed_drift
    return [run.x.tolist(), counts, list(run.events), run.knots.t.tolist(), run.knots.x.tolist()]


def closed(joint: Any) -> fb.System:
    """Two bodies on the ground, connected by a joint."""
    s = fb.System("closed")
    one = s.body("one", joint=fb.Free(), mass=1.0, inertia=(1, 2, 2.5))
    other = s.body("other", joint=fb.Spherical(), mass=1.0, inertia=(1, 2, 2.5))
    s.close(one, other.point((0.3, 0, 0.2)), joint, name="joint")
    return s


# Starts


@pytest.mark.parametrize("joint", CLOSING)
def test_assembled_states_satisfy_the_constraints_and_disturbed_ones_do_not(joint: str) -> None:
    s = closed(CLOSING[joint])
    rng = np.random.default_rng(3)
    e = s.derive("aba").derivation
    guess = np.array([0.4, -0.3, 0.5, 1, 0, 0, 0, 1, 0, 0, 0]) + 0.05 * rng.uniform(-1, 1, 11)
    for k in (3, 7):
        guess[k : k + 4] /= np.linalg.norm(guess[k : k + 4])
    q, u = s.assemble(guess, rng.uniform(-1, 1, 9))
    x = np.concatenate([q, u])
    disturbed = [x]
    for k in range(len(q), len(x)):
        disturbed.append(x.copy())
        disturbed[-1][k] += 1e-9
    disturbed.append(np.concatenate([q + 1e-9 * (np.arange(len(q)) == 0), u]))
    equations = assembly_equations(e)
    together = equations.satisfied(np.array(disturbed), np.empty(0), 0.0)
    assert together[0] and not together[-1] and not together[1:-1].all()
    assert together.tolist() == [bool(equations.satisfied(row[None], np.empty(0), 0.0)[0]) for row in disturbed]


def test_starts_on_the_constraints_are_not_assembled(monkeypatch: pytest.MonkeyPatch) -> None:
    s = four_bar()
    before = s.simulate(TIMES, q=[0.3, -0.3, 0.3], u=[1, -1, 1])

    def refuse(*given: Any) -> Any:
        pytest.fail("a state that satisfies the constraints was assembled")

    monkeypatch.setattr(assembly, "AssemblyProblem", refuse)
    assert np.array_equal(s.simulate(TIMES, q=[0.3, -0.3, 0.3], u=[1, -1, 1]).x, before.x)
    cases = s.sweep(TIMES, {"q.crank": [0.1, 0.3], "q.coupler": [-0.1, -0.3], "q.rocker": [0.1, 0.3]}, grid=False)
    assert (cases["status"] == 0).all()


def test_starts_off_the_constraints_are_assembled() -> None:
    s = four_bar()
    run = s.simulate(TIMES, q={"crank": 0.3}, u={"crank": 1.0})
    assert np.allclose(run.x[0], [0.3, -0.3, 0.3, 1, -1, 1], rtol=0, atol=1e-12)
    with pytest.raises(ArgumentError, match=r"constraint 'pin'.*cannot be satisfied"):
        s.simulate(TIMES, q={"crank": 0.3, "coupler": -0.3 + 1e-8, "rocker": 0.3})
    with pytest.raises(ArgumentError, match="does not allow these speeds"):
        s.simulate(TIMES, q=[0.3, -0.3, 0.3], u=[1, -1, 1.001])


def test_closures_half_a_turn_away_do_not_satisfy_their_constraints() -> None:
    s = fb.System("turned")
    one = s.body("one", joint=fb.Free(), mass=1.0, inertia=(1, 1, 1))
    s.close(s.ground, one, fb.Revolute("z"), name="pin")
    e = s.derive("aba").derivation
    upright, turned = np.zeros((2, 13))
    upright[3], turned[4] = 1, 1  # no rotation, and half a turn about x
    assert assembly_equations(e).satisfied(np.array([upright, turned]), np.empty(0), 0.0).tolist() == [True, False]


def test_states_that_are_not_finite_do_not_satisfy_constraints() -> None:
    s = fb.System("root")
    s.body("a", joint=fb.Prismatic("x"), mass=1.0)
    s.body("b", joint=fb.Prismatic("x"), mass=1.0)
    s.constrain("q.a - sqrt(q.b)", name="root")
    e = s.derive("aba").derivation
    states = np.array([[0.5, 0.25, 0, 0], [0.0, -1.0, 0, 0], [np.nan, 0.25, 0, 0]])
    assert assembly_equations(e).satisfied(states, np.empty(0), 0.0).tolist() == [True, False, False]


def test_the_measure_does_not_depend_on_the_size_of_the_mechanism() -> None:
    """The same relative error is detected at a micrometre and at a kilometre."""
    for size in (1e-6, 1.0, 1e3):
        s = fb.System("bars")
        half = size / 2
        left = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, half), inertia=(1, 1, 1))
        coupler = s.body("coupler", on=left, at=(0, 0, size), joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
        rocker = s.body("rocker", at=(size, 0, 0), joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
        s.close(coupler.point((size, 0, 0)), rocker.point((0, 0, size)), fb.Revolute("y"), name="pin")
        states = np.array([[0.3, -0.3, 0.3, 0, 0, 0], [0.3, -0.3, 0.3 + 100 * SETTLED, 0, 0, 0]])
        found = assembly_equations(s.derive("aba").derivation).satisfied(states, np.empty(0), 0.0)
        assert found.tolist() == [True, False], size


# Integrators


def bouncing() -> fb.System:
    s = fb.System("ball")
    m = s.parameter("m", 1.0)
    force = s.input("force")
    ball = s.body("ball", joint=fb.Prismatic("z"), mass=m)
    s.joint_force(ball, force)
    return s


BOUNCE = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"}, name="bounce")
HALFWAY = fb.Event("u.ball", name="halfway")
RUNS: dict[str, dict[str, Any]] = {
    "first": {"q": {"ball": 1.0}, "inputs": [0.0]},
    "another state": {"q": {"ball": 0.2}, "u": {"ball": -3.0}, "inputs": [0.0]},
    "another parameter": {"q": {"ball": 1.0}, "parameters": {"m": 2.0}, "inputs": [1.0]},
    "another input": {"q": {"ball": 1.0}, "inputs": [2.0]},
    "other times": {"end": np.linspace(0.5, 2.5, 9), "q": {"ball": 1.0}, "inputs": [0.0]},
    "backwards": {"end": np.linspace(0.5, -0.5, 9), "q": {"ball": 1.0}, "inputs": [0.0]},
    "tolerances": {"q": {"ball": 1.0}, "rtol": 1e-5, "inputs": [0.0]},
    "rejected start": {"q": {"ball": 1.0}, "first_step": 0.9, "rtol": 1e-12, "inputs": [0.0]},
    "few steps": {"q": {"ball": 1.0}, "max_steps": 2, "inputs": [0.0]},
}


@pytest.mark.parametrize("events", [(), (BOUNCE, HALFWAY)], ids=["without events", "with events"])
@pytest.mark.filterwarnings("ignore::freebody.errors.SimulationWarning")
def test_runs_do_not_depend_on_those_before(events: tuple[fb.Event, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    created, create = [], Integrator.__init__

    def count(self: Integrator, *arguments: Any, **options: Any) -> None:
        created.append(self)
        create(self, *arguments, **options)

    def run(eq: fb.Equations, kind: str) -> list[Any]:
        return results(eq.simulate(**{"end": 2.0, "events": events, **RUNS[kind]}))

    expected = {kind: run(bouncing().derive(), kind) for kind in RUNS}
    monkeypatch.setattr(Integrator, "__init__", count)
    eq = bouncing().derive()
    for kind in (*RUNS, *reversed(RUNS), "first", "first"):
        assert run(eq, kind) == expected[kind], kind
    assert 0 < len(created) < 2 * len(RUNS)  # those with the settings of the run before are used again


def test_saved_rows_of_a_run_stay_when_the_next_one_begins() -> None:
    eq = bouncing().derive()
    first = eq.simulate(1.0, q={"ball": 1.0}, inputs=[0.0])
    x, knots = first.x.copy(), first.knots.x.copy()
    eq.simulate(1.0, q={"ball": 5.0}, inputs=[0.0])
    assert np.array_equal(first.x, x) and np.array_equal(first.knots.x, knots)


def test_runs_in_threads_and_inside_each_other_have_integrators_of_their_own() -> None:
    eq = squeezer().derive()
    expected = eq.simulate([0, 0.01]).x
    with ThreadPoolExecutor(4) as pool:
        for x in pool.map(lambda _: eq.simulate([0, 0.01]).x, range(16)):
            assert np.array_equal(x, expected)
    ball, inner = bouncing().derive(), list[float]()

    def law(t: float, x: np.ndarray) -> float:
        if len(inner) < 3:
            inner.append(float(ball.simulate(0.1, q={"ball": 1.0}, inputs=[0.0]).x[-1, 0]))
        return 0.0

    outer = ball.simulate(0.1, q={"ball": 1.0}, inputs={"force": law})
    assert np.allclose(inner, outer.x[-1, 0], rtol=0, atol=1e-12)


def test_systems_of_the_same_numbers_are_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    eq, systems, create = bouncing().derive(), list[Any](), CompiledSystem.__init__

    def count(self: CompiledSystem, *arguments: Any, **options: Any) -> None:
        systems.append(self)
        create(self, *arguments, **options)

    monkeypatch.setattr(CompiledSystem, "__init__", count)
    for force in (0.0, 0.0, 1.0, 1.0, 1.0):
        eq.simulate(0.1, inputs=[force])
    assert len(systems) == 2


# Programs that are called often


def test_programs_are_compiled_when_they_have_been_called_often() -> None:
    eq = squeezer().derive()
    equations = assembly_equations(eq.derivation)
    x = np.array([*eq.simulate([0, 0.001]).x[-1]])
    rows = {"q": x[None, :7], "u": x[None, 7:]}
    distance: GradualFunction = equations._distance
    by_numpy = [distance(rows, 1)[0, 0] for _ in range(OFTEN + 5)]
    assert max(by_numpy) <= SETTLED and distance._single is not distance._batches
    rows = {"q": x[None, :7] + 0.01, "u": x[None, 7:]}
    alone, batch = distance(rows, 1), distance({name: np.tile(row, (3, 1)) for name, row in rows.items()}, 3)
    assert np.allclose(alone, batch, rtol=1e-12, atol=0) and alone[0, 0] > 1e-3


def test_drift_is_measured_when_it_is_first_used(monkeypatch: pytest.MonkeyPatch) -> None:
    from freebody.integrate.mechanics import MechanicsFunctions

    calls, measure = list[int](), MechanicsFunctions.drift

    def count(self: MechanicsFunctions, t: np.ndarray, *rest: Any) -> tuple[float, float]:
        calls.append(len(t))
        return measure(self, t, *rest)

    monkeypatch.setattr(MechanicsFunctions, "drift", count)
    run = four_bar().simulate(TIMES, q=[0.3, -0.3, 0.3], u=[1, -1, 1])
    assert repr(run) and not calls
    assert 0 < max(run.drift) < 1e-12 and calls == [len(TIMES)]
    assert run.statistics.drift == run.drift[0] and run.at([0.1]).drift == run.drift and calls == [len(TIMES)]
