"""Rules at times and held values, by elements that only these tests have: a sampled controller with a delay, a held
random number, a counter of events. They are equal in single runs, lanes, implicit runs and live views."""

import pickle
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from freebody.api.live import live_simulation
from freebody.errors import ArgumentError
from freebody.hybrid.system import HybridSystem
from freebody.hybrid.triggers import At, Calendar, Crossing, Every, seconds
from freebody.hybrid.updates import ProgramUpdate, Rule
from freebody.hybrid.variables import Variable, VariableRow
from freebody.integrate.compiled_system import CompiledSystem
from freebody.results import RunResult
from freebody.run.build import build
from freebody.run.cases import Cases, run_cases
from freebody.run.loop import run_system
from freebody.run.options import RunOptions
from freebody.run.simulator import Simulator
from freebody.run.simulator_model import SimulatorModel
from freebody.run.sweep import SweepTask
from tests.run.ode_cases import program
from tests.run.systems import ball, oscillator

Array = np.ndarray
KP, KI, START = 1.7, 0.9, (0.4, -0.2)
PERIOD = Fraction(1, 20)
TIGHT = {"rtol": 1e-13, "atol": 1e-14}


def with_rules(
    compiled: CompiledSystem, held: dict[str, float], rules: dict[str, tuple[At | Every, dict[str, str]]]
) -> CompiledSystem:
    """The system with held values and rules: each writes texts in t, states (x0, …), parameters, inputs and held values
    to some of these, all from the values before it."""
    one, variables = compiled.system, tuple(Variable("held", name, steps=True) for name in held)
    names = (*(v.name for v in one.row.variables), *held)
    written = {name for _, laws in rules.values() for name in laws}
    row = VariableRow((*one.row.variables, *variables))
    timed = []
    for title, (trigger, laws) in rules.items():
        law = program(tuple(laws.values()), len(one.states), tuple(compiled.parameters), names)
        places = tuple(len(one.states) + names.index(name) for name in laws)
        timed.append(Rule(title, trigger, (ProgramUpdate(law, places),)))
    new: HybridSystem = replace(
        one,
        row=row,
        held=VariableRow(tuple(v for v in row.variables if v.name in written)),
        variables=(*one.variables, *variables),
        rules=(*one.rules, *timed),
    )
    about = replace(compiled.about, variables=new.variables)
    return CompiledSystem(new, about, compiled.parameters, [*compiled.d, *held.values()], compiled)


def driven() -> CompiledSystem:
    """An oscillator with an input."""
    eq = oscillator().derive()
    return build(eq.derivation, eq.values, {"push": 0.0})


def controller(compiled: CompiledSystem | None = None) -> CompiledSystem:
    """A PI controller of an oscillator whose law acts one sample later: i sums the position, ``next`` waits."""
    law = {"push": "next", "next": f"-{KP}*x0 - {KI}*i", "i": "i + x0/20"}
    return with_rules(compiled or driven(), {"i": 0.0, "next": 0.0}, {"pi": (Every(PERIOD), law)})


def run(compiled: CompiledSystem, times: Array, x0: object = START, **options: object) -> RunResult:
    how = RunOptions(**options).for_run(times, compiled.about)  # type: ignore[arg-type]
    return run_system(compiled, np.array(x0, float), times, how, RunResult)


def by_hand(times: Array, k: float = 1.0, start: tuple[float, float] = START) -> tuple[Array, Array]:
    """States and pushes at times that are samples: a loop around the exact motion of the oscillator between them."""
    (q, v), i, waiting, states, pushes = start, 0.0, 0.0, [], []
    w, T = np.sqrt(k), float(PERIOD)
    for n in range(round(times[-1] / T) + 1):
        push, waiting, i = waiting, -KP * q - KI * i, i + q / 20
        if any(abs(n * T - t) < 1e-9 for t in times):
            states.append((q, v))
            pushes.append(push)
        c, s, rest = np.cos(w * T), np.sin(w * T), push / k
        q, v = rest + (q - rest) * c + v / w * s, v * c - (q - rest) * w * s
    return np.array(states), np.array(pushes)


TIMES = np.linspace(0.0, 2.0, 11)


@pytest.mark.parametrize(
    ("method", "error"), [("dop853", 1e-12), ("dopri5", 1e-11), ("rk4", 1e-8), ("radau", 1e-7), ("cvode", 1e-6)]
)
def test_a_sampled_controller_equals_a_loop_by_hand(method: str, error: float) -> None:
    if method == "cvode":
        pytest.importorskip("sksundae")
    settings = {"step": 0.01} if method == "rk4" else TIGHT if method.startswith("dop") else {"rtol": 1e-10}
    result, (states, pushes) = run(controller(), TIMES, method=method, **settings), by_hand(TIMES)
    assert result.status == 0 and np.abs(result.x - states).max() < error
    assert np.abs(result["input.push"] - pushes).max() < error and len(result.events) == 0


def test_held_values_are_recorded_after_the_rules_of_a_time_and_hold_between_rows() -> None:
    compiled = controller()
    result, (_, pushes) = run(compiled, np.array([0.0, 2.0]), **TIGHT), by_hand(np.arange(41) / 20)
    inside = np.array([0.0, 0.049, 0.05, 0.051, 0.72, 1.999, 2.0])
    expected = pushes[np.floor(inside * 20 + 1e-9).astype(int)]
    assert np.abs(result.at(inside)["input.push"] - expected).max() < 1e-12
    assert np.abs(result.sol(inside[3:5]).T - run(compiled, np.array([0.0, 0.051, 0.72]), **TIGHT).x[1:]).max() < 1e-11
    assert result.energy_error < 1e-9


def test_lanes_equal_single_runs() -> None:
    """Cases with their own stiffness and start: samples of all of them at once."""
    compiled, rng = controller(), np.random.default_rng(4)
    x0, k = rng.uniform(-1, 1, (9, 2)), rng.uniform(0.5, 3.0, 9)
    options = RunOptions(**TIGHT).for_run(TIMES, compiled.about)
    swept = run_cases(compiled, Cases(x0, k[:, None], compiled.d), TIMES, options, ["held.i", "input.push"])
    assert not swept["status"].any()
    for n in range(9):
        single = run(compiled.with_values([k[n]], compiled.d), TIMES, x0[n], **TIGHT)
        assert np.array_equal(swept["x"][n], single.x)
        assert np.array_equal(swept["held.i"][n], single["held.i"])
        assert np.abs(single.x - by_hand(TIMES, k[n], tuple(x0[n]))[0]).max() < 1e-11


def test_cases_with_steps_of_one_size_are_sampled_too() -> None:
    compiled = controller()
    options = RunOptions(method="rk4", step=0.01).for_run(TIMES, compiled.about)
    swept = run_cases(compiled, Cases(np.array([START] * 3), compiled.p, compiled.d), TIMES, options, ["held.i"])
    single = run(compiled, TIMES, method="rk4", step=0.01)
    assert np.array_equal(swept["x"][1], single.x) and np.array_equal(swept["held.i"][1], single["held.i"])


def noise(compiled: CompiledSystem | None = None) -> CompiledSystem:
    """A generator in plain arithmetic of whole numbers: state ← (1229 state + 351 750) mod 1 664 501."""
    word = "1229*word + 351750 - 1664501*floor((1229*word + 351750)/1664501)"
    laws = {"word": word, "push": "word/1664501 - 1/2"}
    return with_rules(compiled or driven(), {"word": 7.0}, {"noise": (Every(Fraction(1, 100)), laws)})


def test_a_held_random_number_is_the_same_in_sweeps_and_in_a_replay() -> None:
    compiled = noise()
    options = RunOptions().for_run(TIMES, compiled.about)
    seeds = np.tile(compiled.d, (5, 1))
    seeds[:, 1] = np.arange(5)
    cases = Cases(np.array([START] * 5), compiled.p, seeds)
    one, two = (run_cases(compiled, cases, TIMES, options, ["held.word", "input.push"]) for _ in range(2))
    for name in ("x", "held.word", "input.push"):
        assert np.array_equal(one[name], two[name])
    for n in range(5):
        single = run(compiled.with_values(compiled.p, seeds[n]), TIMES)
        assert np.array_equal(single["held.word"], one["held.word"][n]) and np.array_equal(single.x, one["x"][n])
    words = [int(one["held.word"][0, 0])]
    for _ in range(200):
        words.append((1229 * words[-1] + 351750) % 1664501)
    assert one["held.word"][0].tolist() == words[::20]
    assert len({tuple(row) for row in one["held.word"].tolist()}) == 5


def counter(compiled: CompiledSystem | None = None) -> tuple[CompiledSystem, CompiledSystem]:
    """A ball whose bounces are counted, and the same without."""
    eq = ball().derive()
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"}, name="bounce")
    compiled = compiled or build(eq.derivation, eq.values, None, [bounce])
    one, variable = compiled.system, Variable("held", "bounces", steps=True)
    names = tuple(v.name for v in one.row.variables)
    count = ProgramUpdate(program(("n + 1",), 2, (), (*names, "n")), (2 + len(names),))
    rules = (replace(one.rules[0], updates=(*one.rules[0].updates, count)),)
    row = VariableRow((*one.row.variables, variable))
    system = replace(one, row=row, held=VariableRow((variable,)), variables=(*one.variables, variable), rules=rules)
    about = replace(compiled.about, variables=system.variables)
    return CompiledSystem(system, about, {}, [*compiled.d, 0.0]), compiled


def test_a_counter_is_incremented_by_an_event() -> None:
    """Together with a reset, and no state is projected for it."""
    times = np.linspace(0, 2, 21)
    counted, plain = counter()
    result, plain_run = (run(c, times, (1.0, 0.0)) for c in (counted, plain))
    assert np.array_equal(result.x, plain_run.x) and len(result.events) >= 3
    assert result["held.bounces"].tolist() == [float(np.sum(plain_run.events.t <= t)) for t in times]
    assert result.events.held_after[:, 0].tolist() == list(range(1, len(result.events) + 1))


def test_rules_at_times_and_crossings_that_they_cause() -> None:
    """A rule carries the condition of an event across zero: the event happens at that time, after the rule."""
    eq = oscillator().derive()
    event = fb.Event("push - 1/2", direction=1, terminal=True, name="pushed")
    compiled = build(eq.derivation, eq.values, {"push": 0.0}, [event])
    law = ProgramUpdate(program(("push + 0.3",), 2, ("k",), ("push",)), (2,))
    rule = Rule("more", At(tuple(Fraction(n, 10) for n in (1, 3, 7))), (law,))
    one = compiled.system
    compiled = compiled.with_system(replace(one, held=one.row, rules=(*one.rules, rule)))
    result = run(compiled, np.linspace(0, 1, 11))
    assert result.status == 1 and result.t[-1] == 0.3 and "'pushed' ended the run at t = 0.3 s" in result.message


def test_rules_are_applied_in_order_at_times_that_meet() -> None:
    """A sensor of 3 ms and a controller of 1 ms meet at whole multiples: the later one sees what the earlier wrote."""
    rules = {
        "sensor": (Every(seconds(0.003)), {"seen": "x0"}),
        "copy": (Every(seconds(0.001)), {"copy": "seen", "count": "count + 1"}),
    }
    compiled = with_rules(driven(), {"seen": 9.0, "copy": 9.0, "count": 0.0}, rules)
    result = run(compiled, np.arange(31) / 1000)
    assert result["held.count"].tolist() == list(range(1, 32))
    assert np.array_equal(result["held.copy"], np.repeat(result.x[::3, 0], 3)[:31])


def test_a_run_that_is_continued_samples_once_where_it_begins() -> None:
    compiled = controller()
    whole, first = run(compiled, TIMES, **TIGHT), run(compiled, TIMES[:6], **TIGHT)
    d = first.held_rows[-1]  # type: ignore[index]
    options = RunOptions(**TIGHT).for_run(TIMES[5:], compiled.about)
    rest = run_system(compiled.with_values(compiled.p, d), first.x[-1], TIMES[5:], options, RunResult, continues=True)
    assert np.abs(rest.x - whole.x[5:]).max() < 1e-12 and np.abs(rest["held.i"] - whole["held.i"][5:]).max() < 1e-12


def test_a_live_view_is_sampled_through_its_frames() -> None:
    """Frames that end between samples and at samples."""
    live = live_simulation(oscillator().freeze(), q={"cart": START[0]}, u={"cart": START[1]}, rtol=1e-12, atol=1e-13)
    live.compiled = controller(live.compiled)
    times = np.arange(0, 81) / 40
    states = [live.x.copy() for dt in np.diff(times, prepend=0.0) if not dt or not live.advance(float(dt))]
    assert len(states) == 81 and np.abs(np.array(states)[::8] - by_hand(times[::8])[0]).max() < 1e-10


def test_samples_go_forward_in_time() -> None:
    with pytest.raises(ArgumentError, match="systems with samples run forward in time only; give increasing times"):
        run(controller(), TIMES[::-1])


def test_times_are_ticks_of_one_clock() -> None:
    calendar = Calendar([Every(seconds(0.003)), Crossing(0), Every(seconds("1/1000")), At((seconds(0.0035),))], 0.0)
    times = []
    while calendar.next < 0.0061:
        times.append((calendar.next, calendar.take()))
    assert [t for t, _ in times] == [0.0, 0.001, 0.002, 0.003, 0.0035, 0.004, 0.005, 0.006]
    assert [due for _, due in times] == [[0, 2], [2], [2], [0, 2], [3], [2], [2], [0, 2]]
    tenths = [Every(Fraction(1, 10))]
    assert Calendar(tenths, 0.3).next == 0.3 and Calendar(tenths, 3 * 0.1).next == 0.4  # 3·0.1 is greater than 0.3
    with pytest.raises(ArgumentError, match="period of samples is 0 s; it must be positive"):
        Every(Fraction(0))


@pytest.mark.parametrize("method", ["dop853", "dopri5", "radau"])
def test_break_points_follow_the_held_values(method: str) -> None:
    """A pulse that is short against the steps, at a time that a rule, or an event, writes."""
    s = fb.System("pulse", gravity=(0, 0, 0))
    s.input("start")
    s.joint_force(s.body("cart", joint=fb.Prismatic("x"), mass=1.0), "5000*(t > start)*(t < start + 0.001)")
    eq, times = s.derive(), np.array([0.0, 8.0])
    compiled = build(eq.derivation, eq.values, {"start": 100.0})
    timed = with_rules(compiled, {}, {"set": (At((Fraction(1, 2),)), {"start": "3"})})
    assert run(timed, times, (0.0, 0.0), method=method).x[-1, 1] == pytest.approx(5.0, rel=1e-6)
    options = RunOptions(method=method).for_run(times, timed.about)
    swept = run_cases(timed, Cases(np.zeros((3, 2)), timed.p, timed.d), times, options)
    assert swept["x"][:, -1, 1] == pytest.approx(5.0, rel=1e-6)
    compiled = build(eq.derivation, eq.values, {"start": 100.0}, [fb.Event("t - 0.7", name="set")])
    one, law = compiled.system, ProgramUpdate(program(("4",), 2, (), ("start",)), (2,))
    rules = (replace(one.rules[0], updates=(law,)),)
    crossing = compiled.with_system(replace(one, held=one.row, rules=rules))
    assert run(crossing, times, (0.0, 0.0), method=method).x[-1, 1] == pytest.approx(5.0, rel=1e-6)


def test_systems_have_a_digest_over_their_rules_and_programs() -> None:
    """Equal for equal systems, also after pickling; periods, laws, order and updates by algorithms count."""

    def digest(period: Fraction = PERIOD, law: str = "-x0", places: str = "push") -> str:
        rules = {"law": (Every(period), {places: law})}
        return with_rules(driven(), {"i": 0.0}, rules).system.digest

    first = digest()
    others = [digest(PERIOD / 2), digest(law="-2*x0"), digest(places="i")]
    assert digest() == first and len({first, *others}) == 4
    compiled = controller()
    copied = pickle.loads(pickle.dumps(compiled))
    assert copied.system.digest == compiled.system.digest
    assert np.array_equal(run(copied, TIMES).x, run(compiled, TIMES).x)
    keys = {
        SweepTask(c, Cases(np.zeros((1, 2)), c.p, c.d), TIMES, RunOptions()).key(Cases(np.zeros((1, 2)), c.p, c.d))
        for c in (with_rules(driven(), {}, {"law": (Every(T), {"push": "-x0"})}) for T in (PERIOD, PERIOD / 2))
    }
    assert len(keys) == 2


def test_switching_owns_the_programs_that_it_evaluates() -> None:
    s = fb.System("brake")
    s.close(s.ground, s.body("cart", joint=fb.Prismatic("x"), mass=1.0), name="brake", engaged=False)
    eq, systems = s.derive(), []
    for gap in (1e-3, 2e-3):
        systems.append(build(eq.derivation, eq.values, None, [fb.Event("t - 1", engage="brake", gap=gap)]).system)
    mechanics, (rule,) = systems[0].mechanics, systems[0].rules
    owned = [id(p) for p in rule.programs]
    assert len(owned) == 3 and {id(mechanics.mass.value.program), id(mechanics.constraint.value)} < set(owned)
    assert set(owned) < {id(p) for p in systems[0].programs.values()}
    assert systems[0].digest != systems[1].digest


def test_rules_write_held_values_alone_and_shared_systems_are_not_changed() -> None:
    compiled = driven()
    law = ProgramUpdate(program(("1",), 2, ("k",), ("push",)), (2,))
    with pytest.raises(ArgumentError, match=r"rule 'law' writes input.push, which is not one of the held values"):
        replace(compiled.system, rules=(Rule("law", Every(PERIOD), (law,)),))
    for values in (compiled.d, compiled.p):
        with pytest.raises(ValueError, match="read-only"):
            values[:] = 1.0


def test_rules_at_times_switch_constraints() -> None:
    """Where that is refused the run ends with the reason, in a simulator and in a live view too."""
    s = fb.System("brake", gravity=(0, 0, 0))
    s.close(s.ground, s.body("cart", joint=fb.Prismatic("x"), mass=1.0), name="brake", engaged=False)
    eq = s.derive()
    compiled = build(eq.derivation, eq.values, None, [fb.Event("q.cart - 9", engage="brake", gap=0.6)])
    engage = compiled.system.rules[0].updates
    rules = (Rule("brake", At((Fraction(1, 2),)), engage),)
    timed = compiled.with_system(replace(compiled.system, conditions=None, rules=rules))
    times = np.linspace(0, 1, 11)
    held = run(timed, times, (-0.5, 1.0))
    assert held.status == 0 and np.array_equal(held["engaged.brake"], times > 0.5)
    assert np.abs(held.x[6:]).max() < 1e-12 and held.x[5] == pytest.approx([0.0, 1.0])  # that row is before it
    assert list(held.events) == [(0.5, "brake")] and held.events.lost == pytest.approx([0.5])
    assert held.energy_error < 1e-9
    assert run(timed, times[:6], (-0.5, 1.0))["engaged.brake"].tolist() == [0.0] * 5 + [1.0]
    far = run(timed, times, (0.3, 1.0))
    assert far.status == -1 and far.t[-1] == 0.5 and len(far) == 6
    assert "at t = 0.5 s 'brake': constraint 'brake'" in far.message and "open by 0.8 m" in far.message


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_rules_at_times_that_set_states_are_events(method: str) -> None:
    """At the start, inside and at the end; the rows of these times are those before, except for the last."""
    compiled = driven()
    kick = ProgramUpdate(program(("x1 + 1",), 2, ("k",), ("push",)), (1,))
    rule = Rule("kick", Every(Fraction(1)), (kick,))
    kicked = compiled.with_system(replace(compiled.system, rules=(rule,)))
    result = run(kicked, np.arange(0, 2.25, 0.25), (0, 0), method=method)
    assert list(result.events) == [(0.0, "kick"), (1.0, "kick"), (2.0, "kick")] and result.energy_error < 1e-5
    assert result.x[0].tolist() == [0, 0]
    c, s = np.cos(1.0), np.sin(1.0)
    assert result.x[4] == pytest.approx([s, c], abs=1e-6)
    later = s * c + (c + 1) * s, -s * s + (c + 1) * c
    assert result.x[8] == pytest.approx([later[0], later[1] + 1], abs=1e-6)


def test_a_run_that_ends_at_an_event_has_its_held_values_in_the_last_row() -> None:
    s = fb.System("brake", gravity=(0, 0, 0))
    s.close(s.ground, s.body("cart", joint=fb.Prismatic("x"), mass=1.0), name="brake", engaged=False)
    event = fb.Event("t - 0.5", engage="brake", gap=1)
    end = s.simulate([0.0, 0.25, 0.5], u={"cart": 0.0}, q={"cart": 0.2}, events=[event])
    assert end["engaged.brake"].tolist() == [0, 0, 1] and end["cart"].tolist() == pytest.approx([0.2, 0.2, 0.0])


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_noise_and_counters_are_equal_in_every_kind_of_run(tmp_path: Path, method: str) -> None:
    """Single runs, sweeps, simulators, live views, and files, in which held values stay steps."""
    start, times = (1.0, 0.0), np.linspace(0, 1, 6)
    inside = np.sort(np.random.default_rng(3).uniform(0, 1, 30))
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"}, name="bounce")
    views = (
        live_simulation(oscillator().freeze(), q={"cart": 1.0}, method=method),
        live_simulation(ball().freeze(), q={"ball": 1.0}, events=[bounce], method=method),
    )
    cases = (noise(), noise(views[0].compiled), "word"), (counter()[0], counter(views[1].compiled)[0], "bounces")
    for view, (compiled, shown, name) in zip(views, cases, strict=True):
        place = compiled.system.row.index[f"held.{name}"]
        options = RunOptions(method=method).for_run(times, compiled.about)
        single = run_system(compiled, np.array(start), times, options, fb.Trajectory)
        swept = run_cases(
            compiled, Cases(np.array([start] * 3), compiled.p, compiled.d), times, options, [f"held.{name}"]
        )
        assert np.array_equal(swept["x"][1], single.x)
        assert np.array_equal(swept[f"held.{name}"][1], single[f"held.{name}"])
        sim = Simulator(compiled, np.array(start), SimulatorModel(options, RunResult))
        view.compiled = shown
        for t, held in zip(times[1:].tolist(), single[f"held.{name}"][1:], strict=True):
            sim.run_until(t)
            assert not view.advance(t - view.t)
            assert view.compiled.d[shown.system.row.index[f"held.{name}"]] == sim.compiled.d[place] == held
        loaded = fb.Trajectory.load(single.save(tmp_path / f"{name}.nc"))
        fine = run_system(compiled, np.array(start), np.concatenate([[0.0], inside]), options, RunResult)
        assert np.array_equal(loaded.at(inside)[f"held.{name}"], fine[f"held.{name}"][1:])
        assert np.array_equal(single.at(inside)[f"held.{name}"], fine[f"held.{name}"][1:])
