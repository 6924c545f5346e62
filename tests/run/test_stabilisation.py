"""Baumgarte's stabilisation: G u̇ = γ − 2α (G u + offset) − β² φ by every formulation and solver, its runs, and runs
whose constraints are not kept at all."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.backends import compile
from freebody.errors import ArgumentError, ModelError, SimulationWarning
from freebody.formulations.derivation import STABILISATION, Derivation
from freebody.formulations.table import FORMULATIONS, SOLVERS
from freebody.integrate.steppers import METHODS
from freebody.results.trajectory import RunResult
from freebody.run.build import build
from freebody.run.inputs import RunScope
from freebody.run.loop import run_system
from freebody.run.options import RunOptions
from freebody.run.programs import RunPrograms
from freebody.run.stabilise import decay_rates, stabilise
from tests.mechanisms.sampled import sampled
from tests.run.constrained_systems import SQUEEZER_END, SQUEEZER_NAMES, particle_pendulum, slider_crank, squeezer

ALPHA, BETA = 3.0, 5.0


def disc() -> fb.System:
    """A rolling disc: two of its three equations restrict speeds alone."""
    s = fb.System("disc")
    wheel = s.body("wheel", joint=fb.Free(), mass=1.0, inertia=fb.ring(1.0, 0.3, "y"))
    s.roll(wheel, radius=0.3, axis="y", name="contact")
    return s


def driven() -> fb.System:
    """A constraint that depends on time, and one on a curve, whose parameter is an extra state."""
    s = fb.System("driven")
    bead = s.body("bead", joint=fb.BuildingBlock(translations=("x", "z")), mass=1.0)
    s.body("slide", joint=fb.Prismatic("y"), mass=2.0)
    s.point_on_curve(bead, ("s + 0.2*sin(s)", 0, "-cos(s)"), name="track")
    s.constrain("q.slide - 0.3*sin(2*t) - 0.1*q.bead.s1", name="drive")
    return s


SYSTEMS: dict[str, Callable[[], fb.System]] = {
    "squeezer": squeezer, "slider-crank": slider_crank, "disc": disc, "driven": driven,
}  # fmt: skip
WAYS: dict[str, Callable[[fb.System], fb.Equations]] = {
    **{name: lambda s, name=name: s.derive(name) for name in FORMULATIONS},
    **{f"solver {name}": lambda s, name=name: s.derive(solver=name) for name in SOLVERS},
}


def states(e: Derivation, parameters: Mapping[str, float]) -> dict[str, np.ndarray]:
    """A random state off the constraints; quaternions have unit length."""
    rng, layout = np.random.default_rng(5), e.layout
    q, u, z = (rng.uniform(-0.8, 0.8, len(names)) for names in (layout.q, layout.u, layout.z))
    for k in [k for k, name in enumerate(layout.q) if name.endswith("qw")]:
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    inputs = np.array([*np.zeros(len(layout.inputs) - 2), ALPHA, BETA])
    return {
        "q": q,
        "u": u,
        "z": z,
        "t": np.array([0.4]),
        "inputs": inputs,
        "parameters": np.array([parameters[n] for n in layout.parameters]),
    }


def call(program: Any, values: dict[str, np.ndarray]) -> Any:
    f = compile(program, "numpy", staged=False)
    return f(*(values[g.name][: g.size] if g.name in values else np.zeros(g.size) for g in f.groups))


@pytest.mark.parametrize("way", sampled(WAYS, 2))
@pytest.mark.parametrize("name", SYSTEMS)
def test_accelerations_satisfy_the_stabilised_equations(name: str, way: str) -> None:
    s = SYSTEMS[name]()
    try:
        e = WAYS[way](s).derivation
    except ModelError as error:
        pytest.skip(str(error))  # a solver that does not support a joint
    twin, kane = e.fastest.stabilised, s.derive("kane").derivation
    values = states(twin, s.values)
    u_dot = call(twin.programs["forward_dynamics"], values)
    at = call(kane.programs["constraint"], values)
    drift = call(RunPrograms(RunScope(kane), {}).drift(), values | {"x": np.concatenate([values[k] for k in "quz"])})
    right = at["gamma"] - 2 * ALPHA * drift["speed"] - BETA**2 * drift["position"]
    assert np.abs(drift["speed"]).max() > 0.01 and np.abs(drift["position"]).max() > 0.001
    assert np.allclose(at["G"] @ u_dot, right, rtol=0, atol=1e-9 * max(1.0, np.abs(right).max()))
    # what is left of the balance of forces is the force of the constraints
    M, f = (call(kane.programs[k], values) for k in ("mass_matrix", "bias"))
    force = M @ u_dot - f
    multipliers = np.linalg.lstsq(at["G"].T, force, rcond=None)[0]
    assert np.allclose(at["G"].T @ multipliers, force, rtol=0, atol=1e-8 * max(1.0, np.abs(force).max()))


@pytest.mark.parametrize("name", SYSTEMS)
def test_jacobians_of_stabilised_equations_are_exact(name: str) -> None:
    s = SYSTEMS[name]()
    e = s.derive().derivation
    inputs = dict.fromkeys(e.stabilised.layout.user_inputs, 0.0)
    compiled = build(e.stabilised, s.values, inputs, (), True)
    compiled = compiled.with_values(compiled.p, [*compiled.d[:-2], ALPHA, BETA])
    at = states(e.stabilised, s.values)
    x, h = np.concatenate([at[k] for k in "quz"]), 1e-6
    columns = []
    for k in range(len(x)):
        ahead, behind = (compiled.x_dot(0.4, x + sign * h * (np.arange(len(x)) == k)) for sign in (1, -1))
        columns.append((ahead - behind) / (2 * h))
    exact = compiled.jacobian(0.4, x)
    assert np.allclose(exact, np.array(columns).T, rtol=1e-5, atol=1e-5 * np.abs(exact).max())


@pytest.mark.paper("001", "22")
def test_residuals_decay_as_the_equations_say() -> None:
    """A body on a line that is kept at zero: φ̈ + 2α φ̇ + β² φ = 0 from a start off the constraint."""
    s = fb.System("line")
    s.body("a", joint=fb.Prismatic("x"), mass=2.0)
    s.body("b", joint=fb.Prismatic("x"), mass=1.0)
    s.constrain("q.a - 2*q.b", name="pair")
    compiled = build(s.derive().derivation.stabilised, {}, dict.fromkeys(STABILISATION, 0.0), projects=False)
    t = np.linspace(0, 2, 9)
    options = RunOptions(constraints="baumgarte", baumgarte=4.0).for_run(t, compiled.about)
    compiled = stabilise(compiled, np.zeros(4), t, options)
    run = run_system(compiled, np.array([0.3, 0.1, 0.0, 0.5]), t, options, RunResult)
    phi, rate = 0.1, -1.0
    assert np.allclose(run.x[:, 0] - 2 * run.x[:, 1], (phi + (rate + 4 * phi) * t) * np.exp(-4 * t), rtol=0, atol=1e-8)
    assert run.statistics.drift == pytest.approx(0.1) and run.statistics.speed_drift == pytest.approx(1.0)


# Runs


@pytest.mark.parametrize("method", ["dop853", "dopri5"])
def test_runs_converge_to_those_with_projection_as_the_tolerance_falls(method: str) -> None:
    """In less than a third more steps, with a drift that falls with the tolerance."""
    e, errors, drifts = squeezer().derive(), [], []
    end = [SQUEEZER_END[SQUEEZER_NAMES.index(n)] for n in e.q]
    for rtol in (1e-5, 1e-7, 1e-9):
        settings = {"rtol": rtol, "atol": rtol / 100, "method": method}
        projected = e.simulate([0, 0.03], **settings)
        run = e.simulate([0, 0.03], constraints="baumgarte", **settings)
        free = e.simulate([0, 0.03], constraints="none", **settings)
        assert run.statistics.projections == free.statistics.projections == 0
        assert run.statistics.steps < 1.33 * projected.statistics.steps
        assert projected.drift[0] < run.drift[0] < free.drift[0] / 2
        errors.append(np.abs(run.x[-1, :7] - end).max())
        drifts.append(run.drift[0])
    assert errors[2] < 1e-8 and errors[2] < 1e-2 * errors[0] and drifts[2] < 1e-3 * drifts[0]


@pytest.mark.paper("001", "22")
def test_drift_stays_small_in_long_runs_and_grows_without_stabilisation() -> None:
    e, drift = particle_pendulum().derive(), {}
    for end in (2.0, 60.0):
        for constraints in ("baumgarte", "none"):
            drift[end, constraints] = e.simulate(end, constraints=constraints, rtol=1e-7, atol=1e-9).drift[0]
    assert drift[60.0, "none"] > 100 * drift[2.0, "none"]
    assert drift[60.0, "baumgarte"] < 5 * drift[2.0, "baumgarte"] < 1e-5


@pytest.mark.parametrize(
    "method", [m for m in METHODS if m not in ("esdirk54", "contact")]
)  # which are for trees, and for contact
def test_every_method_runs_stabilised_equations(method: str) -> None:
    if method in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    s, sizes = disc(), {"step": 2e-3} if method == "rk4" else {}
    start: dict[str, Any] = {"q": {"wheel.z": 0.3}, "u": {"wheel.wy": 4.0, "wheel.wx": 0.1}}
    exact = s.simulate([0, 1.0], rtol=1e-11, atol=1e-12, **start)
    run = s.simulate([0, 1.0], constraints="baumgarte", method=method, **start, **sizes)
    assert run.success and np.abs(run.x[-1] - exact.x[-1]).max() < 2e-5
    assert 0 < run.drift[0] < 1e-6 and run.drift[1] < 1e-6


def test_extra_states_of_constraints_follow_their_coordinates() -> None:
    s = driven()
    exact = s.simulate(np.linspace(0, 3, 4), q={"bead.s1": 0.5}, rtol=1e-11, atol=1e-12)
    run = s.simulate(np.linspace(0, 3, 4), q={"bead.s1": 0.5}, constraints="baumgarte")
    assert np.abs(run.x - exact.x).max() < 1e-6
    z = run["track.s"]
    assert np.allclose(z + 0.2 * np.sin(z), run["bead.s1"], rtol=0, atol=1e-8)


def test_sweeps_equal_runs_one_by_one() -> None:
    s, times = slider_crank(), np.linspace(0, 0.5, 4)
    for constraints in ("baumgarte", "none"):
        grid = s.sweep(times, {"r": [0.2, 0.3], "u.crank": [3.0, 5.0]}, constraints=constraints, inputs=[0.1])
        for r in (0.2, 0.3):
            for speed in (3.0, 5.0):
                case = grid.sel({"r": r, "u.crank.initial": speed})
                run = s.simulate(times, u={"crank": speed}, parameters={"r": r}, constraints=constraints, inputs=[0.1])
                assert int(case["steps"]) == run.statistics.steps
                assert np.allclose(case["q.slider"], run["slider"], rtol=0, atol=1e-12)
        stiff = s.sweep(times, {"r": [0.2, 0.3]}, constraints=constraints, method="radau", inputs=[0.1])
        assert (stiff["status"] == 0).all()
    fixed = s.sweep(times, {"r": [0.2, 0.3]}, constraints="baumgarte", baumgarte=(20, 30), inputs=[0.1])
    run = s.simulate(times, parameters={"r": 0.2}, constraints="baumgarte", baumgarte=(20, 30), inputs=[0.1])
    assert np.allclose(fixed["q.slider"].sel(r=0.2), run["slider"], rtol=0, atol=1e-12)


def test_stored_sweeps_distinguish_how_constraints_are_kept(tmp_path: Any) -> None:
    s, times = slider_crank(), np.linspace(0, 0.5, 3)
    runs = [
        s.sweep(times, {"r": [0.2, 0.3]}, inputs=[0.1], store=tmp_path, **options)
        for options in (
            {},
            {"constraints": "none"},
            {"constraints": "baumgarte"},
            {"constraints": "baumgarte", "baumgarte": 9},
        )
    ]
    assert len(list(tmp_path.glob("*.npz"))) == len(runs)


def test_alpha_and_beta_are_recorded() -> None:
    s = slider_crank()
    run = s.simulate(0.5, u={"crank": 3.0}, inputs=[0.1], constraints="baumgarte", baumgarte=(20, 30))
    assert [run.about.inputs[name] for name in STABILISATION] == ["20", "30"]
    assert [run[f"input.{name}"][-1] for name in STABILISATION] == [20, 30] and run["motor"][0] == 0.1
    assert "baumgarte.alpha" not in s.simulate(0.5, inputs=[0.1]).about.inputs
    assert "drift" in run.summary() and "projections" not in run.summary()


def test_rates_follow_the_time_in_which_the_motion_changes() -> None:
    """Twice as fast a motion has twice the rate, whatever the tolerance; of a pendulum it is near √(g/l)."""
    s, rates = particle_pendulum(), []
    for gravity in (9.81, 4 * 9.81):
        s.gravity = (0, 0, -gravity)
        e = s.derive().derivation
        compiled = build(e.stabilised, {}, dict.fromkeys(STABILISATION, 0.0), projects=False)
        rates.append(decay_rates(compiled, np.array([-1.0, 0, 0, 0]), np.array([0.0, 10.0]))[0])
        assert 1 / 3 < rates[-1] / np.sqrt(gravity) < 3
    assert rates[1] == pytest.approx(2 * rates[0], rel=0.1)


def test_interpolated_states_are_those_of_the_method() -> None:
    """They are not projected: they drift as the steps do."""
    run = particle_pendulum().simulate([0, 20.0], constraints="none", rtol=1e-6, atol=1e-8)
    x = run.sol(np.linspace(15, 20, 50))
    assert np.abs(x[0] ** 2 + x[1] ** 2 - 1).max() > run.drift[0] / 10 > 1e-8


def test_states_after_resets_satisfy_the_constraints() -> None:
    s = slider_crank()
    kick = fb.Event("t - 0.2", reset={"u.crank": "u.crank + 1"}, name="kick")
    with pytest.warns(SimulationWarning, match="which the constraints change"):
        run = s.simulate([0, 0.5], u={"crank": 3.0}, inputs=[0.0], events=kick, constraints="baumgarte")
    after = run.events.after[0]
    assert max(s.simulate([0.2], q=after[:3], u=after[3:], inputs=[0.0]).drift) < 1e-9


def test_errors_decay_backwards_too() -> None:
    s, start = slider_crank(), {"u": {"crank": 3.0}, "inputs": {"motor": "3*sin(5*t)"}}
    exact = s.simulate([1, 0], rtol=1e-11, atol=1e-12, **start)
    for options in ({}, {"baumgarte": 10.0}):
        run = s.simulate([1, 0], constraints="baumgarte", **options, **start)
        assert max(run.drift) < 1e-6 and np.abs(run.x[-1] - exact.x[-1]).max() < 1e-5
    backwards = s.sweep([1, 0], {"u.crank": [3.0, 4.0]}, constraints="baumgarte", inputs=start["inputs"])
    assert np.abs(backwards["q.slider"][0, -1] - exact["slider"][-1]) < 1e-5


def test_runs_can_be_continued() -> None:
    s = slider_crank()
    whole = s.simulate([0, 1.0], u={"crank": 3.0}, inputs=[0.0], constraints="baumgarte", baumgarte=20)
    half = s.simulate([0, 0.5], u={"crank": 3.0}, inputs=[0.0], constraints="baumgarte", baumgarte=20)
    rest = s.simulate([0.5, 1.0], start=half, inputs=[0.0], constraints="baumgarte", baumgarte=20)
    assert np.allclose(rest.x[-1], whole.x[-1], rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"constraints": "Baumgarte"}, "constraints must be one of projection, baumgarte, none, not 'Baumgarte'"),
        ({"constraints": None}, "constraints must be one of projection, baumgarte, none, not None"),
        ({"constraints": ["none"]}, "constraints must be one of"),
        ({"baumgarte": (1, 2)}, "baumgarte=… applies only to constraints='baumgarte'; this run has"),
        ({"constraints": "none", "baumgarte": 3.0}, "has constraints='none': leave baumgarte out"),
        ({"constraints": "baumgarte", "baumgarte": (1, 2, 3)}, "two positive numbers in 1/s, or one for both"),
        ({"constraints": "baumgarte", "baumgarte": (1, 0)}, "two positive numbers"),
        ({"constraints": "baumgarte", "baumgarte": -1}, "two positive numbers"),
        ({"constraints": "baumgarte", "baumgarte": "fast"}, "baumgarte: 'fast' is not a number"),
        ({"constraints": "baumgarte", "baumgarte": np.nan}, "is not finite"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    s = slider_crank()
    for run in (s.simulate, lambda end, **o: s.sweep(end, {"r": [0.3]}, **o)):
        with pytest.raises(ArgumentError) as error:
            run(0.1, inputs=[0.0], **options)
        assert message in str(error.value)


def test_systems_without_constraints_have_nothing_to_stabilise() -> None:
    s = fb.System("free")
    s.body("a", joint=fb.Prismatic("x"), mass=1.0)
    for constraints in ("baumgarte", "none"):
        with pytest.raises(ArgumentError, match="system 'free' has no constraints: leave constraints="):
            s.simulate(1.0, constraints=constraints)
    assert s.simulate(1.0, constraints="projection").success
