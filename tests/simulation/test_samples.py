"""Rules at times and held values, by elements that only these tests have: a sampled controller with a delay, a held
random number, a counter of events. They are equal in single runs, lanes, implicit runs and live views."""

from dataclasses import replace
from fractions import Fraction

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
from tests.simulation.ode_cases import program
from tests.simulation.systems import ball, oscillator

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


def test_a_held_random_number_is_the_same_in_sweeps_and_in_a_replay() -> None:
    """A generator in plain arithmetic of whole numbers: state ← (1229 state + 351 750) mod 1 664 501."""
    word = "1229*word + 351750 - 1664501*floor((1229*word + 351750)/1664501)"
    laws = {"word": word, "push": "word/1664501 - 1/2"}
    compiled = with_rules(driven(), {"word": 7.0}, {"noise": (Every(Fraction(1, 100)), laws)})
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


def test_a_counter_is_incremented_by_an_event() -> None:
    """Together with a reset, and no state is projected for it."""
    eq = ball().derive()
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"}, name="bounce")
    compiled = build(eq.derivation, eq.values, None, [bounce])
    one, variable = compiled.system, Variable("held", "bounces", steps=True)
    count = ProgramUpdate(program(("n + 1",), 2, (), ("n",)), (2,))
    rules = (replace(one.rules[0], updates=(*one.rules[0].updates, count)),)
    row = VariableRow((variable,))
    system = replace(one, row=row, held=row, variables=(*one.variables, variable), rules=rules)
    about = replace(compiled.about, variables=system.variables)
    times = np.linspace(0, 2, 21)
    result = run(CompiledSystem(system, about, {}, [0.0]), times, (1.0, 0.0))
    plain = run(compiled, times, (1.0, 0.0))
    assert np.array_equal(result.x, plain.x) and len(result.events) >= 3
    assert result["held.bounces"].tolist() == [float(np.sum(plain.events.t <= t)) for t in times]
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
    with pytest.raises(ArgumentError, match="samples go forward in time; let the times of the run increase"):
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
