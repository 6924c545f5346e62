"""FMUs: valid descriptions, the motions of our own runs in both kinds and versions, and what the standard asks of
instances, states, derivatives, events, samples and messages."""

import ctypes
import re
import shutil
import struct
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, FileError
from freebody.run.inputs import unwritten_names
from tests.backends.compiler import COMPILER
from tests.export.fmus import CASES, TIGHT, FmuCase, bouncing, exact, export, instance, start
from tests.export.programs import ball, four_bar, pendulum, regulated

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")
pytestmark = pytest.mark.skipif(not COMPILER, reason="no C compiler on this machine")

VERSIONS = ("2.0", "3.0")
KINDS = ("ModelExchange", "CoSimulation")
EXACT = 1e-9
"""The largest difference of a run of the importer, as a fraction of the largest number of a variable and of 1."""

MODELS = Path(__file__).parents[2] / "examples" / "models"
BOTH = ("pendulum",)
"""Cases of which both versions are tested at once; of others one, the other in long tests."""


def cases() -> list[Any]:
    rows = []
    for k, case in enumerate(CASES):
        for version in VERSIONS:
            long = case.name not in BOTH and version == VERSIONS[k % 2]
            rows.append(pytest.param(case, version, id=f"{case.name} {version}", marks=[pytest.mark.long] * long))
    return rows


@pytest.mark.parametrize(("case", "version"), cases())
def test_importers_compute_the_motions_of_our_runs(case: FmuCase, version: str, tmp_path: Path) -> None:
    path, run = export(case, tmp_path, version), exact(case)
    assert validation.validate_fmu(str(path)) == []
    held = [name for v in run.variables.values() if v.group in ("sensor", "controller", "held") for name in v.columns]
    names = [*run.about.state, *held]
    assert bool(held) == (case.name in ("regulated", "loop"))
    for kind in KINDS:
        found = fmpy.simulate_fmu(
            str(path), fmi_type=kind, stop_time=case.end, output_interval=case.end / 50, record_events=False,
            relative_tolerance=case.tolerance if kind == KINDS[0] else 1e-11, output=names,
        )  # fmt: skip
        assert np.allclose(found["time"], run.t, rtol=1e-12)
        rows = ~np.isclose(run.t[:, None], run.events.t, rtol=0, atol=1e-9).any(
            axis=1
        )  # there runs save the left limit
        for name in names:
            own = run.x[:, run.about.state.index(name)] if name in run.about.state else run[name]
            assert np.abs(found[name] - own)[rows].max() < EXACT * (1 + np.abs(own).max()), (kind, name)


@pytest.mark.long
@pytest.mark.parametrize("model", ["everything", "quadruped"])
def test_all_variables_of_large_models_are_those_of_our_runs(model: str, tmp_path: Path) -> None:
    """Models with every kind of element, and with many loads and sensors: all that is recorded, in both kinds."""
    equations = fb.load(MODELS / f"{model}.yaml").derive()
    path = equations.to_fmu(tmp_path / "a.fmu", **TOLERANCES)
    free = dict.fromkeys(unwritten_names(equations.derivation), 0.0)
    run = equations.simulate(np.linspace(0, 0.1, 11), inputs=free, **TIGHT)
    known = {v.name for v in fmpy.read_model_description(str(path)).modelVariables} - {"time"}
    columns = {name: (v.key, k) for v in run.variables.values() for k, name in enumerate(v.columns) if name in known}
    for kind in KINDS:
        found = fmpy.simulate_fmu(
            str(path), fmi_type=kind, stop_time=0.1, output_interval=0.01, record_events=False, output=[*columns],
            relative_tolerance=1e-12 if kind == KINDS[0] else 1e-11,
        )  # fmt: skip
        for name, (key, part) in columns.items():
            own = np.asarray(run[key]).reshape(len(run.t), -1)[:, part]
            assert np.abs(found[name] - own).max() < 1e-7 * (1 + np.abs(own).max()), (kind, name)
    assert len(columns) > 200


@pytest.fixture(scope="module", params=VERSIONS)
def arm(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The FMU of two pendulums, whose motor is an input, by each version."""
    folder = tmp_path_factory.mktemp("arm")
    return pendulum().to_fmu(folder / "arm.fmu", request.param, q={"upper": 0.5}, u={"lower": 1.0}, **TOLERANCES)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return regulated().to_fmu(tmp_path_factory.mktemp("samples") / "samples.fmu", "3.0", q={"arm": 0.3, "ball": 0.5})


TOLERANCES: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-13}


def test_every_recorded_variable_is_a_variable_with_its_unit(arm: Path) -> None:
    run = pendulum().simulate(0.1, q={"upper": 0.5}, u={"lower": 1.0}, inputs={"motor": 0.0})
    left_out = ("work.", "energy.supplied", "energy.lost")
    with instance(arm, "CoSimulation") as fmu:
        described = {v.name: v for v in fmu.description.modelVariables}
        for v in run.variables.values():
            values = np.atleast_1d(run[v.key][0])
            for k, name in enumerate(v.columns):
                if name.startswith(left_out):
                    continue
                assert np.isclose(fmu.get(name)[0], values[k], rtol=1e-12, atol=1e-13), name
                assert (described[name].unit or "") == v.unit_of(k if v.parts else None), name
        assert fmu.get("parameter.m", "parameter.λ") == [1.5, 0.4]
    assert described["parameter.m"].description == "mass ≥ 0" and described["parameter.m"].variability == "tunable"
    outputs = [v.name for v in fmu.description.modelVariables if v.causality == "output"]
    assert outputs == [*run.about.state, "output.tip.x", "output.tip.y", "output.tip.z"]
    assert described["input.motor"].causality == "input" and described["der(u.lower)"].derivative.name == "u.lower"


def test_named_outputs_replace_the_usual_ones(tmp_path: Path) -> None:
    path = pendulum().to_fmu(tmp_path / "a.fmu", outputs=["tip", "pose.lower.x", "energy.total"], platforms=())
    found = fmpy.read_model_description(str(path))
    names = [v.name for v in found.modelVariables if v.causality == "output"]
    assert sorted(names) == ["energy.total", "output.tip.x", "output.tip.y", "output.tip.z", "pose.lower.x"]
    assert validation.validate_fmu(str(path)) == []


def test_directional_derivatives_are_those_of_our_equations(arm: Path) -> None:
    from freebody.run.build import build

    e = pendulum().derive()
    compiled = build(e.derivation, e.values, {"motor": 0.3}, exact=True)
    x = np.array([0.5, 0.2, 0.1, 1.0, 0.25])
    J = compiled.jacobian(0.0, x)
    states = list(compiled.about.state)
    with instance(arm, "ModelExchange", begin=False) as fmu:
        fmu.set_values(dict(zip(states, x, strict=True)) | {"input.motor": 0.3})
        start(fmu)
        rates = [fmu.references[f"der({name})"] for name in states]
        for k, name in enumerate(states):
            column = fmu.getDirectionalDerivative(rates, [fmu.references[name]], [1.0])
            assert np.allclose(column, J[:, k], rtol=1e-9, atol=1e-9), name
        known = [fmu.references[n] for n in ("input.motor", "parameter.m")]
        found = np.array(fmu.getDirectionalDerivative([*rates, fmu.references["energy.total"]], known, [1.0, 2.0]))
        step, sides = 1e-4, []
        for sign in (1, -1):
            other = build(e.derivation, e.values | {"m": 1.5 + 2 * sign * step}, {"motor": 0.3 + sign * step})
            sides.append(other.x_dot(0.0, x))
        assert np.allclose(found[:-1], (sides[0] - sides[1]) / (2 * step), rtol=1e-6, atol=1e-6)
        assert fmu.get(*states) == x.tolist() and fmu.get("parameter.m") == [1.5]


def saved(fmu: Any) -> Any:
    return fmu.getFMUstate() if fmu.description.fmiVersion == "2.0" else fmu.getFMUState()


def restore(fmu: Any, state: Any) -> None:
    (fmu.setFMUstate if fmu.description.fmiVersion == "2.0" else fmu.setFMUState)(state)


def do_step(fmu: Any, time: float, size: float) -> None:
    fmu.doStep(currentCommunicationPoint=time, communicationStepSize=size)


def test_states_are_saved_restored_and_serialised(arm: Path) -> None:
    names = ("q.upper", "u.lower", "z.filter", "output.tip.x")
    with instance(arm, "CoSimulation") as one, instance(arm, "CoSimulation") as other:
        do_step(one, 0.0, 0.2)
        state = saved(one)
        do_step(one, 0.2, 0.3)
        first = one.get(*names)
        restore(one, state)
        do_step(one, 0.2, 0.3)
        assert one.get(*names) == first
        two = one.description.fmiVersion == "2.0"
        data = one.serializeFMUstate(state) if two else one.serializeFMUState(state)
        moved = other.deSerializeFMUstate(data) if two else other.deserializeFMUState(data)
        restore(other, moved)
        do_step(other, 0.2, 0.3)
        assert other.get(*names) == first
        for fmu, handle in ((one, state), (other, moved)):
            (fmu.freeFMUstate if two else fmu.freeFMUState)(handle)
        do_step(one, 0.5, 0.1)
        one.reset()
        start(one)
        assert one.get("time", "q.upper") == [0.0, 0.5]


def test_parameters_are_tunable_between_steps_and_inputs_take_effect(arm: Path) -> None:
    with instance(arm, "CoSimulation") as fmu:
        fmu.put(**{"input.motor": 0.4})
        do_step(fmu, 0.0, 0.2)
        fmu.put(**{"parameter.m": 2.5, "input.motor": -0.2})
        do_step(fmu, 0.2, 0.2)
        found = fmu.get("q.upper", "q.lower", "u.upper", "u.lower", "z.filter")
    s = pendulum()
    first = s.simulate(0.2, q={"upper": 0.5}, u={"lower": 1.0}, inputs={"motor": 0.4}, **TIGHT)
    x = first.x[-1]
    q, u = {"upper": x[0], "lower": x[1]}, {"upper": x[2], "lower": x[3]}
    last = s.simulate(0.2, q=q, u=u, z={"filter": x[4]}, parameters={"m": 2.5}, inputs={"motor": -0.2}, **TIGHT)
    assert np.allclose(found, last.x[-1], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("method", "exactly"), [("rodas5p", 1e-8), ("rk4", 1e-6)])
def test_co_simulation_integrates_by_the_method_of_the_export(method: str, exactly: float, tmp_path: Path) -> None:
    tolerances = {"rtol": 1e-10, "atol": 1e-12} if method == "rodas5p" else {"step": 2e-3}
    path = pendulum().to_fmu(tmp_path / "a.fmu", method=method, q={"upper": 0.5}, **tolerances)
    run = pendulum().simulate(1.0, q={"upper": 0.5}, inputs={"motor": 0.0}, **TIGHT)
    with instance(path, "CoSimulation") as fmu:
        for k in range(10):
            do_step(fmu, 0.1 * k, 0.1)
        assert np.allclose(fmu.get(*run.about.state), run.x[-1], rtol=0, atol=exactly)


def test_simulations_may_start_at_any_time(tmp_path: Path) -> None:
    """Laws of time, and samples, whose times are those from 0 on."""
    law = "where(t < 0.7, 0.5, -0.5)*t"
    s = pendulum()
    path = s.to_fmu(tmp_path / "a.fmu", q={"upper": 0.5}, inputs={"motor": law}, **TOLERANCES)
    run = s.simulate(np.linspace(0.6, 0.9, 4), q={"upper": 0.5}, inputs={"motor": law}, **TIGHT)
    other = regulated()
    sampled = other.to_fmu(tmp_path / "b.fmu", "3.0", **TOLERANCES)
    late = other.simulate(np.linspace(0.6, 0.9, 4), **TIGHT)
    for kind in KINDS:
        for file, own in ((path, run), (sampled, late)):
            found = fmpy.simulate_fmu(
                str(file), fmi_type=kind, start_time=0.6, stop_time=0.9, output_interval=0.1, record_events=False,
                relative_tolerance=1e-13 if kind == KINDS[0] else 1e-11,
            )  # fmt: skip
            for k, name in enumerate(own.about.state):
                assert np.allclose(found[name], own.x[:, k], rtol=EXACT, atol=EXACT), (kind, name)


def test_starts_that_break_constraints_are_moved_to_them(tmp_path: Path) -> None:
    messages: list[str] = []
    path = four_bar().to_fmu(tmp_path / "bar.fmu", q={"crank": 0.6})
    with instance(path, "CoSimulation", begin=False, logger=log_to(messages), debug_logging=True) as fmu:
        fmu.put(**{"q.crank": 0.65})
        start(fmu)
        assert np.abs(fmu.get(*(n for n in fmu.references if n.startswith("residual.")))).max() < 1e-9
        assert any("the start was moved by up to 0.0" in m for m in messages)
        do_step(fmu, 0.0, 1.0)
        assert np.abs(fmu.get(*(n for n in fmu.references if n.startswith("residual.")))).max() < 1e-9


def log_to(messages: list[str]) -> Any:
    """A logger of both versions."""

    def log(*arguments: Any) -> None:
        category, message = arguments[-2:]
        messages.append(f"{category.decode()}: {message.decode()}")

    return log


def test_events_stop_importers_and_end_co_simulations(tmp_path: Path) -> None:
    events = [*bouncing(), fb.Event("t - 1.75", 1, terminal=True, name="late")]
    for version in VERSIONS:
        path = ball().to_fmu(tmp_path / f"{version}.fmu", version, q={"ball": 1.0}, events=events)
        found = fmpy.simulate_fmu(str(path), fmi_type="ModelExchange", stop_time=3.0, relative_tolerance=1e-12)
        assert np.isclose(found["time"][-1], 1.75, atol=1e-6)
        with instance(path, "CoSimulation") as fmu:
            description = fmu.description
            assert [v.name for v in description.modelVariables if v.name.startswith("condition.")] == [
                "condition.bounce", 'condition.top "of" <flight> & more?', "condition.late",
            ]  # fmt: skip
            do_step(fmu, 0.0, 1.0)
            if version == "2.0":
                assert description.numberOfEventIndicators == 2
                with pytest.raises(Exception, match="discard"):
                    do_step(fmu, 1.0, 1.0)
            else:
                assert len(description.eventIndicators) == 2
                needs_events, terminate, early, last = do_step_3(fmu, 1.0, 1.0)
                assert terminate and not needs_events and not early and np.isclose(last, 1.75, atol=1e-12)
            assert np.isclose(fmu.get("time")[0], 1.75, atol=1e-12)


def do_step_3(fmu: Any, time: float, size: float) -> Any:
    return fmu.doStep(currentCommunicationPoint=time, communicationStepSize=size)


def test_clocks_tick_where_samples_are_taken(samples: Path) -> None:
    """Sensors at 400 Hz and (from 1 ms on) 250 Hz, a controller at 50 Hz (from 10 ms on), as events of an importer."""
    with instance(samples, "ModelExchange") as fmu:
        clocks = [v for v in fmu.description.modelVariables if v.type == "Clock"]
        names = [v.name for v in clocks]
        ticks: dict[str, list[float]] = {name: [] for name in names}
        time = 0.0
        while time <= 0.0301:
            fmu.setTime(time)
            fmu.enterEventMode()
            *_, timed, following = fmu.updateDiscreteStates()
            for v, active in zip(clocks, fmu.getClock([v.valueReference for v in clocks]), strict=True):
                if active:
                    ticks[v.name].append(round(time, 9))
            fmu.enterContinuousTimeMode()
            assert timed and following > time
            time = following
        assert np.allclose(ticks["clock.turn"], np.arange(0.001, 0.0301, 0.004))
        assert np.allclose(ticks["clock.pd"], [0.01, 0.03])


@pytest.mark.parametrize("early", [True, False])
def test_samples_of_co_simulation_are_taken_in_event_mode(early: bool, tmp_path: Path) -> None:
    """Steps end at samples where the importer allows it; otherwise those inside a step are taken there."""
    case = next(c for c in CASES if c.name == "regulated")
    path, run = export(case, tmp_path, "3.0"), exact(case)
    found = fmpy.simulate_fmu(
        str(path), fmi_type="CoSimulation", stop_time=case.end, output_interval=case.end / 50, use_event_mode=True,
        early_return_allowed=early, relative_tolerance=1e-11,
    )  # fmt: skip
    last = {round(t, 9): k for k, t in enumerate(found["time"])}  # of each time the row after events
    assert (len(found) > 300) == early
    for row, t in enumerate(run.t):
        assert np.isclose(found["q.arm"][last[round(t, 9)]], run["q.arm"][row], rtol=EXACT, atol=EXACT)


def test_inputs_of_event_mode_are_those_of_its_samples(tmp_path: Path) -> None:
    """A controller that holds its input; the clock ticks in event mode."""
    s = fb.System("hold")
    for name in ("given", "out"):
        s.input(name)
    s.body("clockwork", joint=fb.Prismatic("x"), mass=1.0)
    s.controller("holder", rate=10, law={"out": "given"})
    with instance(s.to_fmu(tmp_path / "a.fmu", "3.0"), "CoSimulation", begin=False, event_mode_used=True) as fmu:
        clock = [v.valueReference for v in fmu.description.modelVariables if v.type == "Clock"]
        fmu.put(**{"input.given": 1.0})
        start(fmu)
        fmu.updateDiscreteStates()
        assert fmu.get("input.out") == [1.0] and [*fmu.getClock(clock)] == [True]
        fmu.enterStepMode()
        events, terminate, early, last = do_step_3(fmu, 0.0, 0.1)
        assert events and not terminate and not early and last == 0.1 and fmu.get("input.out") == [1.0]
        fmu.enterEventMode()
        fmu.put(**{"input.given": 2.0})
        fmu.updateDiscreteStates()
        assert fmu.get("input.out") == [2.0] and [*fmu.getClock(clock)] == [True]
        fmu.enterStepMode()
        events, *_ = do_step_3(fmu, 0.1, 0.05)
        assert not events and [*fmu.getClock(clock)] == [False]


def test_a_controller_and_a_plant_are_simulated_together(tmp_path: Path) -> None:
    """Two FMUs, one after the other in each step, are the sampled loop of one system."""
    law, period = {"effort": "-20*(angle - 0.5) - 4*rate"}, 0.01

    def arm(s: fb.System) -> None:
        body = s.body("arm", joint=fb.Revolute("y", damping=0.1), mass=2.0, com=(0, 0, -0.5), inertia=(0.2, 0.2, 0.01))
        s.joint_force(body, s.input("effort", "N·m"))

    plant, controller, whole = fb.System("plant"), fb.System("controller"), fb.System("whole")
    arm(plant)
    for name in ("angle", "rate", "effort"):
        controller.input(name)
    controller.body("clockwork", joint=fb.Prismatic("x"), mass=1.0)  # every system has a state
    controller.controller("pd", rate=100, law=law)
    arm(whole)
    whole.controller("pd", rate=100, law=law, reads={"angle": "q.arm", "rate": "u.arm"})
    first = plant.to_fmu(tmp_path / "plant.fmu", "3.0", **TOLERANCES)
    second = controller.to_fmu(tmp_path / "controller.fmu", "2.0", outputs=["input.effort"])
    angles = [0.0]
    with instance(first, "CoSimulation") as p, instance(second, "CoSimulation", begin=False) as c:
        c.put(**{"input.angle": 0.0, "input.rate": 0.0})
        start(c)
        for k in range(100):
            p.put(**{"input.effort": c.get("input.effort")[0]})
            do_step(p, k * period, period)
            c.put(**dict(zip(("input.angle", "input.rate"), p.get("q.arm", "u.arm"), strict=True)))
            do_step(c, k * period, period)
            angles += p.get("q.arm")
    run = whole.simulate(np.linspace(0, 1, 101), **TIGHT)
    assert np.abs(np.array(angles) - run["q.arm"]).max() < EXACT and abs(angles[-1]) > 0.1


def test_fmus_share_a_process_are_unloaded_and_leak_nothing(arm: Path) -> None:
    import resource

    with instance(arm, "CoSimulation") as one, instance(arm, "CoSimulation") as other:
        one.put(**{"parameter.m": 3.0})
        do_step(one, 0.0, 0.1)
        do_step(other, 0.0, 0.1)
        assert one.get("parameter.m", "q.upper") != other.get("parameter.m", "q.upper")
    folder = Path(fmpy.extract(str(arm)))
    library = next(folder.glob("binaries/*/*.so"))
    loaded = ctypes.CDLL(str(library))
    assert str(library) in Path("/proc/self/maps").read_text()
    ctypes.CDLL(None).dlclose(ctypes.c_void_p(loaded._handle))
    assert str(library) not in Path("/proc/self/maps").read_text()
    description = fmpy.read_model_description(str(folder))
    two = description.fmiVersion == "2.0"
    loaded = ctypes.CDLL(str(library))
    create = loaded.fmi2Instantiate if two else loaded.fmi3InstantiateModelExchange
    create.restype = ctypes.c_void_p
    free, save, forget = (
        getattr(loaded, name)
        for name in (
            ("fmi2FreeInstance", "fmi2GetFMUstate", "fmi2FreeFMUstate")
            if two
            else ("fmi3FreeInstance", "fmi3GetFMUState", "fmi3FreeFMUState")
        )
    )
    token = description.guid.encode() if two else description.instantiationToken.encode()
    arguments = (b"one", 0, token, b"", None, 0, 0) if two else (b"one", token, b"", 0, 0, None, None)
    for k in range(1100):
        c, state = ctypes.c_void_p(create(*arguments)), ctypes.c_void_p()
        assert c.value and save(c, ctypes.byref(state)) == 0 and forget(c, ctypes.byref(state)) == 0
        free(c)
        if k == 100:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    shutil.rmtree(folder)
    assert grown < 1000, f"{grown} kB, where a thousand instances take more than 10 MB"


def test_messages_say_what_was_wrong(arm: Path) -> None:
    messages: list[str] = []
    with instance(arm, "CoSimulation", logger=log_to(messages)) as fmu:
        for values, message in (
            ({"q.upper": 1.0}, "can be set before the simulation only"),
            ({"output.tip.x": 1.0}, "cannot be set"),
            ({"run.rtol": 1.0}, "before the simulation"),
            ({"input.motor": float("nan")}, "is not finite"),
        ):
            with pytest.raises(Exception, match="error"):
                fmu.set_values(values)
            assert message in messages[-1] and messages[-1].startswith("logStatusError: ")
        with pytest.raises(Exception, match="error"):
            do_step(fmu, 0.5, 0.1)
        assert "the step begins at t = 0.5 s, but the simulation is at t = 0 s" in messages[-1]


def test_a_binary_of_another_description_is_refused(arm: Path) -> None:
    description = fmpy.read_model_description(str(arm))
    description.guid = description.instantiationToken = "{00000000-0000-0000-0000-000000000000}"
    folder = fmpy.extract(str(arm))
    with pytest.raises(Exception, match="instantiate"):
        fmpy.instantiate_fmu(folder, description, "CoSimulation")
    shutil.rmtree(folder)


def test_hostile_names_are_escaped(tmp_path: Path) -> None:
    s = fb.System("<a> & \"b\" 'c' ]]> %s Ω")
    body = s.body("<b>&\"'", joint=fb.Revolute("y"), mass=1.0, com=(0.1, 0, 0), inertia=(0.1,) * 3)
    s.parameter("π", 2.0, "m", 'x < y & "z" -->')
    s.joint_force(body, s.input("Ω", "N·m"))
    for version in VERSIONS:
        path = s.to_fmu(tmp_path / f"{version}.fmu", version)
        assert validation.validate_fmu(str(path)) == []
        found = fmpy.read_model_description(str(path))
        names = {v.name for v in found.modelVariables}
        assert {"q.<b>&\"'", "parameter.π", "input.Ω"} <= names and found.modelName == s.name
        fmpy.simulate_fmu(str(path), fmi_type="CoSimulation", stop_time=0.1)
        page = zipfile.ZipFile(path).read("documentation/index.html").decode()
        assert "&lt;a&gt; &amp; " in page and "<b>&" not in page


def test_sources_and_pictures_are_in_the_file(arm: Path, tmp_path: Path) -> None:
    """The sources compile without warnings; the headers of the standard are there with their licence."""
    with zipfile.ZipFile(arm) as archive:
        archive.extractall(tmp_path)
    version = "2.0" if (tmp_path / "model.png").exists() else "3.0"
    picture = tmp_path / ("model.png" if version == "2.0" else "terminalsAndIcons/icon.png")
    assert (
        picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
        and struct.unpack(">II", picture.read_bytes()[16:24]) == (256,) * 2
    )
    assert "<svg" in (tmp_path / "documentation/index.html").read_text()
    sources = tmp_path / "sources"
    assert "2-Clause BSD License" in (sources / "LICENSE.fmi").read_text()
    description = (tmp_path / "modelDescription.xml").read_text()
    listed_in = description if version == "2.0" else (sources / "buildDescription.xml").read_text()
    names = dict.fromkeys(re.findall(r'File name="([^"]+)"', listed_in))
    assert {*names} == {p.name for p in sources.glob("*.c")}
    flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
    done = subprocess.run([*COMPILER, *flags, *names], cwd=sources, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    prefix = f"-DFMI{version[0]}_FUNCTION_PREFIX=arm_"
    assert subprocess.run([*COMPILER, "-std=c99", prefix, "-fsyntax-only", *names], cwd=sources).returncode == 0


def test_equal_systems_make_equal_files(tmp_path: Path) -> None:
    one, other = (ball().to_fmu(tmp_path / name, platforms=()) for name in ("a.fmu", "b.fmu"))
    assert one.read_bytes() == other.read_bytes()


def test_what_cannot_be_exported_is_refused_by_name(tmp_path: Path) -> None:
    def refused(message: str, s: fb.System, error: type[Exception] = ArgumentError, **more: Any) -> None:
        with pytest.raises(error, match=message):
            s.to_fmu(more.pop("path", tmp_path / "a.fmu"), **more)
        assert [*tmp_path.iterdir()] == []

    s = pendulum()
    refused(r"an FMU cannot contain Python functions \(input 'motor'\)", s, inputs={"motor": lambda t: t})
    refused("the method of an FMU must be dopri5, rk4 or rodas5p, not dop853", s, method="dop853")
    refused("version must be '2.0' or '3.0', not '1.0'", s, version="1.0")
    refused("outputs: there is no variable 'hand'", s, outputs=["hand"])
    refused("platforms: there is no 'amiga'; choose from x86_64-linux", s, platforms="amiga")
    refused("an FMU is written as .fmu, not as '.zip'", s, FileError, path=tmp_path / "a.zip")
    held = ball()
    held.close(held.bodies["ball"], held.ground, fb.Weld(), name="latch", engaged=False)
    refused("event 'catch', which engages", held, events=[fb.Event("q.ball", -1, engage="latch", name="catch")])


def test_without_a_compiler_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from freebody.errors import BackendError
    from freebody.export.fmu import binaries

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(binaries, "has_zig", lambda: False)
    with pytest.raises(BackendError, match=r"no C compiler was found for the FMU's binary.*fmu.*platforms=\(\)"):
        ball().to_fmu(tmp_path / "a.fmu")
    other = "x86_64-windows"
    with pytest.raises(BackendError, match=f"binaries for {other} need Zig's compiler"):
        ball().to_fmu(tmp_path / "a.fmu", platforms=other)


@pytest.mark.parametrize("version", VERSIONS)
def test_casadi_reads_the_same_model(version: str, tmp_path: Path) -> None:
    """A second reader of descriptions and binaries: the derivative of the state by the model-exchange functions."""
    casadi = pytest.importorskip("casadi")
    from freebody.run.build import build

    e = pendulum().derive()
    path = e.to_fmu(tmp_path / "a.fmu", version, q={"upper": 0.5})
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "open")
    dae = casadi.DaeBuilder("two", str(tmp_path / "open"), {"debug": False})
    states, inputs = dae.x(), dae.u()
    f = dae.create("f", ["x", "u"], ["ode"])
    compiled = build(e.derivation, e.values, {"motor": 0.3})
    x = np.array([0.5, 0.2, 0.1, 1.0, 0.25])
    own = dict(zip(compiled.about.state, x, strict=True))
    found = np.array(f([own[name] for name in states], 0.3)).ravel()
    rates = dict(zip(compiled.about.state, compiled.x_dot(0.0, x), strict=True))
    assert inputs == ["input.motor"] and np.allclose(found, [rates[name] for name in states], rtol=1e-13, atol=1e-13)
    J = np.array(f.jacobian()([own[name] for name in states], 0.3, casadi.DM())[0])
    exact_J = build(e.derivation, e.values, {"motor": 0.3}, exact=True).jacobian(0.0, x)
    order = [compiled.about.state.index(name) for name in states]
    assert np.allclose(J, exact_J[np.ix_(order, order)], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("unit", "powers"),
    [
        ("N·m", {"kg": 1, "m": 2, "s": -2}),
        ("kg·m²/s", {"kg": 1, "m": 2, "s": -1}),
        ("W/(rad/s)", {"kg": 1, "m": 2, "s": -2, "rad": -1}),
        ("1/s²", {"s": -2}),
        ("rad/s/s", {"s": -2, "rad": 1}),
        ("m^2·s^-1", {"m": 2, "s": -1}),
        ("kg^(1/2)", None),
        ("parsec", None),
        ("m%", None),
    ],
)
def test_units_are_products_of_base_units(unit: str, powers: dict[str, int] | None) -> None:
    from freebody.export.fmu.units import exponents

    assert exponents(unit) == powers


MACHINES = {
    "x86_64-linux": (b"\x7fELF", 18, "<H", 62),
    "aarch64-linux": (b"\x7fELF", 18, "<H", 183),
    "x86_64-darwin": (b"\xcf\xfa\xed\xfe", 4, "<I", 0x01000007),
    "aarch64-darwin": (b"\xcf\xfa\xed\xfe", 4, "<I", 0x0100000C),
}
"""The first bytes of libraries, and where the type of machine is."""


@pytest.mark.long
def test_without_the_systems_compiler_zigs_builds_the_same_simulation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ziglang")
    case = next(c for c in CASES if c.name == "regulated")
    run = exact(case)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    path = export(case, tmp_path, "2.0")
    found = fmpy.simulate_fmu(str(path), fmi_type="CoSimulation", stop_time=1.0, output_interval=0.02)
    assert np.abs(found["q.arm"] - run["q.arm"]).max() < EXACT


@pytest.mark.long
def test_binaries_of_other_platforms(tmp_path: Path) -> None:
    pytest.importorskip("ziglang")
    path = ball().to_fmu(tmp_path / "ball.fmu", "3.0", q={"ball": 1.0}, platforms="all")
    with zipfile.ZipFile(path) as archive:
        libraries = {n.split("/")[1]: archive.read(n) for n in archive.namelist() if n.startswith("binaries/")}
    for name, (magic, at, form, machine) in MACHINES.items():
        assert libraries[name].startswith(magic) and struct.unpack_from(form, libraries[name], at)[0] == machine
    windows = libraries["x86_64-windows"]
    header = struct.unpack_from("<I", windows, 0x3C)[0]
    assert windows[:2] == b"MZ" and windows[header : header + 6] == b"PE\0\0\x64\x86"
    for library in libraries.values():
        assert b"fmi3DoStep" in library and b"fmi3GetFloat64" in library
