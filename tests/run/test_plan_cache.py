"""The cache of plans: a second run with other numbers derives, plans and compiles nothing, and equals a run of new
equations."""

import cProfile
import gc
import pickle
import pstats
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.analysis.linear import Linear
from freebody.backends.llvm import jit
from freebody.errors import ArgumentError
from freebody.formulations.memo import LAST
from freebody.hybrid.system import HybridSystem
from freebody.model.constraints.closure import Closure
from freebody.program.assemble import Assembly
from freebody.run import bodies, build, inputs
from tests.run.constrained_systems import four_bar

TIMES = np.linspace(0, 0.4, 5)


def crane(name: str = "crane") -> fb.System:
    s = fb.System(name)
    m, l = s.parameters(m=1.3, l=0.4)
    motor, wind = s.input("motor"), s.input("wind")
    s.state("z", rate="motor - z", initial=0.25)
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=2.0)
    arm = s.body(
        "arm",
        on=cart,
        joint=fb.Revolute("y"),
        mass=m,
        com=(0, 0, -l),
        inertia=(0.1, 0.2, 0.2),
        shape=fb.Box("l", 0.1, "m"),
    )
    s.joint_force(cart, motor + "z")
    s.force(arm.x * wind, at=arm.point((0, 0, -l)), name="gust")
    s.output("tip", s.position(arm.point((0, 0, -l))))
    return s


RESTING = {"motor": 0.0, "wind": 0.0}
NUMBERS: dict[str, dict[str, Any]] = {
    "the same": {},
    "initial values": {"q": {"arm": 0.7}, "u": [0.1, 0.2], "z": {"z": 2.0}},
    "parameters": {"parameters": {"m": 2.5}},
    "inputs": {"inputs": {"motor": 1.5, "wind": -2}},
    "inputs as a row": {"inputs": [1.5, 0.5]},
    "tolerances": {"rtol": 1e-5, "atol": {"q.arm": 1e-7}},
    "another method": {"method": "dopri5"},
    "steps": {"method": "rk4", "step": 0.01},
    "step sizes": {"first_step": 1e-3, "max_step": 0.02},
}


def run(owner: Any, end: Any = TIMES, **options: Any) -> fb.Trajectory:
    made: fb.Trajectory = owner.simulate(end, **{"inputs": RESTING, **options})
    return made


def everything(run: fb.Trajectory) -> dict[str, Any]:
    """All results of a run: states, recorded values, masses, shapes, and the laws of its inputs."""
    found = {v.key: np.asarray(run[v.key]).tolist() for v in run.about.variables}
    return found | {"t": run.t.tolist(), "about": run.about.to_plain(), "events": [(t, n) for t, n in run.events]}


def nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: Any, **named: Any) -> Any:
        pytest.fail("something was derived or compiled once more")

    for owner, name in ((Assembly, "program"), (jit, "load"), (build, "RunPrograms"), (bodies, "compile")):
        monkeypatch.setattr(owner, name, refuse)
    monkeypatch.setattr("freebody.integrate.compiled_system.compile", refuse)


@pytest.fixture(scope="module")
def eq() -> fb.Equations:
    return crane().derive()


@pytest.mark.parametrize("kind", NUMBERS)
def test_other_numbers_reuse_the_system_and_give_correct_results(
    eq: fb.Equations, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = everything(run(crane().derive(), **NUMBERS[kind]))
    everything(run(eq, q={"arm": 0.1}))
    everything(run(eq, parameters={"l": 0.5}))  # other parameters need the bodies' masses, once
    nothing_is_compiled(monkeypatch)
    assert everything(run(eq, **NUMBERS[kind])) == wanted


@pytest.mark.parametrize("end", [0.1, [0.0, 0.3], np.linspace(0, 1, 3)])
def test_other_times_reuse_the_system(eq: fb.Equations, end: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run(eq)
    wanted = run(crane().derive(), end)
    nothing_is_compiled(monkeypatch)
    assert np.array_equal(run(eq, end).x, wanted.x)


def later(t: float) -> float:
    return 2.0 * t


class Drive:
    """A controller whose method is a law; two instances are two laws."""

    def __init__(self, gain: float) -> None:
        self.gain = gain

    def law(self, t: float, x: Any) -> float:
        return -self.gain * float(x[0])


HARD, SOFT = Drive(5.0), Drive(0.5)
ASKED: dict[str, Callable[[], dict[str, Any]]] = {
    "a text": lambda: {"inputs": {"motor": "-2*q.cart", "wind": 0.0}},
    "another text": lambda: {"inputs": {"motor": "-3*q.cart", "wind": 0.0}},
    "the text for the other": lambda: {"inputs": {"wind": "-2*q.cart", "motor": 0.0}},
    "a function": lambda: {"inputs": {"motor": later, "wind": 0.0}},
    "another function": lambda: {"inputs": {"motor": lambda t: 3.0 * t, "wind": 0.0}},
    "a method": lambda: {"inputs": {"motor": HARD.law, "wind": 0.0}},
    "another's method": lambda: {"inputs": {"motor": SOFT.law, "wind": 0.0}},
    "a curve": lambda: {"inputs": {"motor": ([0, 0.2, 0.4], [0.0, 1.0, 0.0]), "wind": 0.0}},
    "another curve": lambda: {"inputs": {"motor": ([0, 0.2, 0.4], [0.0, 2.0, 0.0]), "wind": 0.0}},
    "an event": lambda: {"events": [fb.Event("t - 0.15", terminal=True)]},
    "another event": lambda: {"events": [fb.Event("t - 0.25", terminal=True)]},
    "an event that is passed": lambda: {"events": [fb.Event("t - 0.15")]},
    "an event downwards": lambda: {"events": [fb.Event("t - 0.15", direction=-1)]},
    "a reset": lambda: {"events": [fb.Event("t - 0.15", reset={"u.cart": 1.0})]},
    "another reset": lambda: {"events": [fb.Event("t - 0.15", reset={"u.cart": 2.0})]},
    "a named event": lambda: {"events": [fb.Event("t - 0.15", name="bell")]},
    "a stiff method": lambda: {"method": "radau"},
}


def test_different_requests_have_different_plans() -> None:
    """With one pair of equations, twice and in both orders."""
    wanted = {kind: everything(run(crane().derive(), **make())) for kind, make in ASKED.items()}
    eq = crane().derive()
    for kinds in (list(ASKED), list(reversed(ASKED))):
        for kind in kinds:
            assert everything(run(eq, **ASKED[kind]())) == wanted[kind], kind


@pytest.mark.parametrize("kind", [k for k in ASKED if k != "another function"])
def test_repeated_requests_reuse_the_system(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    eq = crane().derive()
    everything(run(eq, **ASKED[kind]()))
    nothing_is_compiled(monkeypatch)
    run(eq, q={"arm": 0.2}, **ASKED[kind]())


def test_changed_input_arrays_are_noticed() -> None:
    eq, times, values = crane().derive(), np.array([0, 0.2, 0.4]), np.array([0.0, 1.0, 0.0])
    before = run(eq, inputs={"motor": (times, values), "wind": 0.0})
    values[1] = 5.0
    after = run(eq, inputs={"motor": (times, values), "wind": 0.0})
    wanted = run(crane().derive(), inputs={"motor": ([0, 0.2, 0.4], [0.0, 5.0, 0.0]), "wind": 0.0})
    assert np.array_equal(after.x, wanted.x) and not np.array_equal(before.x, after.x)


def test_expressions_of_different_systems_have_different_plans() -> None:
    """Node numbers in two graphs may be equal."""
    eq, one, other = crane().derive(), crane(), crane()
    first, second = one.bodies["cart"].q[0] * -2, other.bodies["arm"].q[0] * -2
    for law in (first, second, first):
        wanted = run(crane().derive(), inputs={"motor": law, "wind": 0.0}, q=[0.3, 0.4])
        assert np.array_equal(run(eq, inputs={"motor": law, "wind": 0.0}, q=[0.3, 0.4]).x, wanted.x)


def test_number_of_cached_systems_is_bounded() -> None:
    eq = crane().derive()
    before = systems_alive()
    for k in range(3 * LAST):
        run(eq, 0.01, inputs={"motor": f"{k}*t", "wind": 0.0})
    assert 2 < systems_alive() - before <= LAST
    del eq


def systems_alive() -> int:
    gc.collect()
    return sum(type(thing) is HybridSystem for thing in gc.get_objects())


def test_wrong_options_are_refused_every_time(eq: fb.Equations) -> None:
    for _ in range(2):
        with pytest.raises(ArgumentError, match="no value"):
            eq.simulate(0.1, inputs={"motor": 0.0})
        with pytest.raises(ArgumentError, match="must be an Event"):
            run(eq, events=["t - 1"])
        with pytest.raises(ArgumentError, match="is not a number, text"):
            run(eq, inputs={"motor": object(), "wind": 0.0})


# Changed systems


CHANGES: dict[str, Callable[[fb.System], object]] = {
    "a parameter's value": lambda s: s.values.update(m=3.0),
    "gravity": lambda s: setattr(s, "gravity", (0, 0, -1.6)),
    "a load": lambda s: s.joint_force(s.bodies["arm"], 3.0),
    "no loads": lambda s: s.loads.clear(),
    "a load in another's place": lambda s: s.loads.update(gust=next(iter(s.loads.values()))),
    "a body": lambda s: s.body("hook", on=s.bodies["arm"], mass=1.0),
    "an output": lambda s: s.output("angle", s.bodies["arm"].q[0]),
    "a state": lambda s: s.state("y", rate=1.0),
    "a name": lambda s: setattr(s, "name", "other"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changed_systems_are_noticed(change: str) -> None:
    s, fresh = crane(), crane()
    before = everything(run(s))
    CHANGES[change](s)
    CHANGES[change](fresh)
    after = everything(run(s))
    assert after == everything(run(fresh)) and after != before


def test_added_couplings_are_noticed() -> None:
    def pair() -> fb.System:
        s = fb.System("pair")
        for name in ("a", "b"):
            s.body(name, joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1))
        return s

    s, fresh = pair(), pair()
    s.simulate(0.1)
    for each in (s, fresh):
        each.couple("b", to="a", ratio=2.0)
    assert everything(s.simulate(0.1, q={"a": 0.2})) == everything(fresh.simulate(0.1, q={"a": 0.2}))


def test_unchanged_systems_are_not_derived_again(monkeypatch: pytest.MonkeyPatch) -> None:
    s = crane()
    run(s)
    nothing_is_compiled(monkeypatch)
    monkeypatch.setattr(fb.System, "derive", lambda *given: pytest.fail("derived once more"))
    wanted = run(s, q={"arm": 0.5}, parameters={})
    assert wanted.x[0, 1] == 0.5


def test_equations_do_not_follow_later_changes() -> None:
    s = crane()
    eq, wanted = s.derive(), everything(run(crane().derive()))
    run(eq)
    s.joint_force(s.bodies["arm"], 30.0)
    s.values["m"] = 9.0
    assert everything(run(eq)) == wanted


def test_second_sweep_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    eq, options = crane().derive(), {"inputs": RESTING}
    eq.sweep(TIMES, {"q.arm": [0.1, 0.2], "m": [1.0, 2.0]}, **options)
    wanted = crane().derive().sweep(TIMES, {"q.arm": [0.3, 0.4], "m": [1.5, 2.5]}, **options)
    nothing_is_compiled(monkeypatch)
    found = eq.sweep(TIMES, {"q.arm": [0.3, 0.4], "m": [1.5, 2.5]}, **options)
    assert found.equals(wanted)


# Analyses


STUDIES: dict[str, Callable[[Any, float], Any]] = {
    "linearize": lambda eq, x: eq.linearize({"q.arm": x, "motor": x}),
    "one input": lambda eq, x: eq.linearize({"q.arm": x}, inputs="motor"),
    "another input": lambda eq, x: eq.linearize({"q.arm": x}, inputs=["wind"]),
    "forces": lambda eq, x: eq.linearize({"q.arm": x}, inputs="tau"),
    "outputs": lambda eq, x: eq.linearize({"q.arm": x}, outputs=["q.arm", "tip"]),
    "named outputs": lambda eq, x: eq.linearize({"q.arm": x}, outputs={"y": "2*q.arm"}),
    "other outputs of this name": lambda eq, x: eq.linearize({"q.arm": x}, outputs={"y": "3*q.arm"}),
    "the whole state": lambda eq, x: eq.linearize({"q.arm": x}, minimal=False),
    "other parameters": lambda eq, x: eq.linearize({"q.arm": x}, parameters={"m": 1 + x}),
    "trimmed": lambda eq, x: eq.linearize({"q.arm": x / 9}, trim=True, hold="cart"),
    "equilibrium": lambda eq, x: eq.equilibrium(q={"arm": x / 9}, hold="cart"),
    "held": lambda eq, x: eq.equilibrium(q={"arm": x}, hold=["cart", "arm"], free="tau"),
    "freed": lambda eq, x: eq.equilibrium(q={"arm": x}, hold=["cart", "arm"], free=["motor", "tau.arm"]),
}


def numbers_of(found: Any) -> list[Any]:
    names = ("A", "B", "C", "D", "rate") if isinstance(found, Linear) else ("eigenvalues",)
    rows = [np.asarray(getattr(found, name)).tolist() for name in names]
    return rows if isinstance(found, Linear) else [*rows, found.q, found.inputs, found.tau, found.stability]


@pytest.mark.parametrize("owner", ["equations", "system"])
def test_second_analysis_derives_nothing(owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = {kind: numbers_of(study(crane().derive(), 0.4)) for kind, study in STUDIES.items()}
    kept = crane() if owner == "system" else crane().derive()
    for study in STUDIES.values():
        study(kept, 0.3)
    nothing_is_compiled(monkeypatch)
    monkeypatch.setattr("freebody.analysis.state_equations.compile", lambda *given: pytest.fail("compiled once more"))
    for kind, study in STUDIES.items():
        assert numbers_of(study(kept, 0.4)) == wanted[kind], kind


def test_systems_can_be_pickled_before_they_are_fully_derived() -> None:
    e = crane().derive()
    values = inputs.parameter_values(e.derivation, e.values, None)
    here = build.build(e.derivation, values, RESTING)
    there = pickle.loads(pickle.dumps(here))
    x = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    assert np.array_equal(there.x_dot(0.0, x), here.x_dot(0.0, x))
    assert there.system.programs == here.system.programs


def double_pendulum() -> fb.System:
    s = fb.System("double pendulum")
    m, l, k = s.parameters(m=1.0, l=0.5, k=20.0)
    rod: dict[str, Any] = {"joint": fb.Revolute("y"), "mass": m, "com": (0, 0, -l / 2), "inertia": fb.rod(m, l, "z")}
    upper = s.body("upper", **rod)
    lower = s.body("lower", on=upper, at=(0, 0, -l), **rod)
    s.spring(upper.point((0, 0, -l)), s.ground.point((1, 0, 0)), stiffness=k, free_length=0.2)
    s.torque(s.input("motor"), on=lower, reaction=upper, about=lower.y)
    return s


def test_first_run_of_two_bodies_takes_few_calls() -> None:
    """From the model to the trajectory with a warm object cache: 31 700 calls on Python 3.11. The fewest of some runs:
    now and then libraries get a new engine, or the cache on disk is cleaned."""
    calls = list[int]()
    for _ in range(4):
        s, profile = double_pendulum(), cProfile.Profile()
        profile.runcall(s.simulate, 1.0, inputs={"motor": 0.0})
        calls.append(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]
    assert min(calls) <= 31_800


def test_first_run_of_a_loop_derives_its_equations_four_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone and in the tree, to see which rows depend on others; for the initial state and the multipliers; and with
    accelerations of the tree."""
    calls, rows = list[str](), Closure.rows

    def counted(self: Closure, *arguments: Any) -> Any:
        calls.append(self.name)
        return rows(self, *arguments)

    monkeypatch.setattr(Closure, "rows", counted)
    four_bar().simulate(0.1)
    assert len(calls) == 4
