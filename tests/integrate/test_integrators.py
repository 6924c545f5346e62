"""The compiled integrators: orders, step control, tolerances, saved times, failures and refused arguments."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import freebody as fb
from freebody.backends import Bound, compile
from freebody.errors import ArgumentError, BackendError, FunctionError
from freebody.integrate import compiled
from freebody.integrate.compiled import StateFunction
from freebody.integrate.integrator import Integrator, Status
from freebody.integrate.tableaus import TABLEAUS, Tableau
from freebody.program.assemble import Assembly
from freebody.scalar.functions import callback
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from tests.run.ode_cases import (
    CURVES,
    FALL,
    PENDULUM,
    SPRING,
    TOP,
    TOP_MOMENTS,
    TOP_START,
    bound,
    curves,
    field,
    program,
)  # fmt: skip

ADAPTIVE = ("dopri5", "dop853")
METHODS = tuple(TABLEAUS)
FIXED = {name for name, tableau in TABLEAUS.items() if tableau.control is None}
PEERS = {"dopri5": "RK45", "dop853": "DOP853"}
ULP = np.finfo(float).eps


def fixed(method: str, f: StateFunction, x0: object, h: float, t0: float = 0.0) -> Integrator:
    """Options for steps of one size, whatever their error."""
    if method in FIXED:
        return Integrator(method, f, t0, x0, step=h)
    return Integrator(method, f, t0, x0, rtol=0.0, atol=1e200, first_step=h, max_step=h)


def run(i: Integrator, end: float, times: object = ()) -> Integrator:
    i.save_at(times)
    assert i.advance(end) is Status.DONE
    return i


# Tableaus


@pytest.mark.parametrize("tableau", TABLEAUS.values(), ids=lambda t: t.name)
def test_tableaus_satisfy_the_order_conditions(tableau: Tableau) -> None:
    """Σ_j a_ij = c_i; Σ b c^k = 1/(k + 1) up to the order; error weights vanish up to the order of the lower method."""
    for c, row in zip((*tableau.c, *tableau.extra_c), (*tableau.a, *tableau.extra), strict=True):
        assert sum(row.values()) == pytest.approx(c, abs=50 * ULP)
    nodes = [*tableau.c, 1.0, *tableau.extra_c]
    for k in range(tableau.order):
        total = sum(w * nodes[i] ** k for i, w in tableau.b.items())
        assert total == pytest.approx(1 / (k + 1), abs=50 * ULP)
    for row, order in zip(tableau.errors, (5, 3) if len(tableau.errors) > 1 else (4,), strict=False):
        for k in range(order):
            assert sum(w * nodes[i] ** k for i, w in row.items()) == pytest.approx(0, abs=50 * ULP)


# Orders


@pytest.mark.parametrize(("method", "few", "many"), [("rk4", 40, 80), ("dopri5", 60, 120), ("dop853", 10, 16)])
def test_error_decreases_with_the_order_of_the_method(method: str, few: int, many: int) -> None:
    errors = []
    for n in (few, many):
        i = run(fixed(method, field(*CURVES), [1.0, 0.5, 1.0], 2.0 / n), 2.0)
        assert i.steps == n and i.rejected == 0
        errors.append(np.abs(i.x - curves(np.array(2.0))).max())
    slope = np.log(errors[0] / errors[1]) / np.log(many / few)
    assert slope == pytest.approx(TABLEAUS[method].order, abs=0.4)


@pytest.mark.parametrize(("method", "order", "steps"), [("rk4", 3, 40), ("dopri5", 4, 30), ("dop853", 7, 10)])
def test_interpolation_error_decreases_with_its_order(method: str, order: int, steps: int) -> None:
    """The error of an interpolation of order p is O(h^(p + 1)) within a step, measured on single steps that start
    exactly."""
    worst = []
    for n in (steps, 2 * steps):
        h, errors = 2.0 / n, []
        for t in np.linspace(0.0, 2.0, n + 1)[:-1]:
            times = t + h * np.linspace(0, 1, 9)
            i = run(fixed(method, field(*CURVES), curves(np.array(t)), h, t), t + h, times)
            errors.append(np.abs(i.saved - curves(times)).max())
        worst.append(max(errors))
    assert np.log2(worst[0] / worst[1]) == pytest.approx(order + 1, abs=0.4)


def test_interpolation_is_smooth_at_step_ends() -> None:
    """x and ẋ agree on both sides of the end of a step."""
    h, near = 0.1, 1e-6
    for method in METHODS:
        i = run(fixed(method, field(*CURVES), [1.0, 0.5, 1.0], h), 2 * h, [0.0, h - near, h, h + near, 2 * h])
        left, right = (i.saved[2] - i.saved[1]) / near, (i.saved[3] - i.saved[2]) / near
        assert np.array_equal(i.saved[0], [1.0, 0.5, 1.0]) and np.array_equal(i.saved[4], i.x)
        assert np.abs(left - right).max() < 2e-5


# Step control


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("rtol", [1e-6, 1e-9, 1e-11])
def test_steps_and_errors_match_scipy(method: str, rtol: float) -> None:
    """Same method and error norm; SciPy's step control of dopri5 differs slightly (no PI term)."""
    f, times = field(*PENDULUM, k=9.81), np.linspace(0, 20, 50)
    ours = run(Integrator(method, f, 0.0, [2.0, 0.0], rtol=rtol, atol=1e-3 * rtol), 20.0, times)
    given = {"rtol": rtol, "atol": 1e-3 * rtol, "dense_output": True}
    theirs = solve_ivp(f, (0, 20), [2.0, 0.0], method=PEERS[method], **given)
    exact = solve_ivp(f, (0, 20), [2.0, 0.0], method="DOP853", rtol=1e-13, atol=1e-14, t_eval=times).y.T
    assert ours.steps == pytest.approx(len(theirs.t) - 1, rel=0.08)
    error, peer = np.abs(ours.saved - exact).max(), np.abs(theirs.sol(times).T - exact).max()
    assert error < 5 * peer + 1e-12


def test_first_step_is_given_or_estimated() -> None:
    f = field(*PENDULUM, k=9.81)
    given = Integrator("dopri5", f, 0.0, [2.0, 0.0], first_step=1e-5)
    assert given.advance(1.0, 1) is Status.BUDGET
    assert given.t == 1e-5 and given.steps == 1
    found = Integrator("dopri5", f, 0.0, [2.0, 0.0])
    assert found.advance(1.0, 1) is Status.BUDGET
    assert found.steps == 1 and 1e-4 < found.t < 1e-1
    capped = Integrator("dopri5", f, 0.0, [2.0, 0.0], rtol=1e-2, atol=1e-2, max_step=0.01)
    run(capped, 1.0)
    assert capped.steps >= 100


def test_each_component_has_its_tolerances() -> None:
    """A loose tolerance for a fast component, a tight one for a slow component."""
    f = field("-100*(x0 - sin(50*t))", "-x1")
    tight = run(Integrator("dopri5", f, 0.0, [1.0, 1.0], rtol=1e-9, atol=1e-9), 1.0)
    loose = run(Integrator("dopri5", f, 0.0, [1.0, 1.0], rtol=[1e3, 1e-9], atol=[1e3, 1e-9], max_step=0.02), 1.0)
    assert loose.steps < tight.steps / 3
    for i in (tight, loose):
        assert i.x[1] == pytest.approx(np.exp(-1.0), rel=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_integration_forth_and_back_returns_to_the_start(method: str) -> None:
    f = field(*CURVES)
    given = {"step": 1e-2} if method in FIXED else {"rtol": 1e-10, "atol": 1e-12}
    i = Integrator(method, f, 0.0, [1.0, 0.5, 1.0], **given)
    assert i.advance(1.5) is Status.DONE and i.t == 1.5
    times = np.linspace(1.5, 0.0, 7)
    i.save_at(times)
    assert i.advance(0.0) is Status.DONE and i.t == 0.0
    assert np.abs(i.saved - curves(times)).max() < 1e-7
    assert i.count == 7


# Saved times and continuation


@pytest.mark.parametrize("method", METHODS)
def test_resumed_runs_are_bitwise_identical(method: str) -> None:
    f, g, times = field(*PENDULUM, k=9.81), field("x0", "x1 - 1", n=2, k=0.0), np.linspace(0, 5, 40)

    def made() -> Integrator:
        given = {"step": 0.03} if method in FIXED else {"rtol": 1e-7, "atol": 1e-9}
        i = Integrator(method, f, 0.0, [2.0, 0.0], **given, events=g, directions=[0, 1], stopping=[False, False], log=5)
        i.save_at(times)
        return i

    def finish(i: Integrator, budget: int) -> list[tuple[float, int, list[float]]]:
        log = []
        while (status := i.advance(5.0, budget)) is not Status.DONE:
            assert status in (Status.BUDGET, Status.LOG_FULL)
            log += i.take_log() if status is Status.LOG_FULL else []
        return [(t, k, x.tolist()) for t, k, x in log + i.take_log()]

    whole, parts = made(), made()
    logs = finish(whole, 10**6), finish(parts, 3)
    assert logs[0] == logs[1] and len(logs[0]) > 5
    assert np.array_equal(whole.x, parts.x) and np.array_equal(whole.saved, parts.saved)
    assert (whole.steps, whole.rejected, whole.evaluations) == (parts.steps, parts.rejected, parts.evaluations)


def test_saved_rows_are_available_once_passed() -> None:
    i = Integrator("rk4", field(*FALL), 0.0, [10.0, 0.0], step=0.1)
    times = np.array([0.0, 0.05, 0.1, 0.25, 0.25, 0.8])
    i.save_at(times)
    assert i.advance(0.3) is Status.DONE
    assert i.count == 5 and np.isnan(i.saved[5]).all()
    assert i.advance(1.0) is Status.DONE and i.count == 6
    assert np.allclose(i.saved, np.stack([10 - 4.905 * times**2, -9.81 * times], 1), rtol=0, atol=1e-14)


def test_fixed_steps_lie_on_a_grid() -> None:
    """Rounding does not accumulate: after a million steps the time is a product, not a sum."""
    i = Integrator("rk4", field("1.0"), 0.0, [0.0], step=1e-3)
    assert i.advance(2000.0, 1_000_001) is Status.BUDGET
    assert i.t == 1_000_001 * 1e-3 and i.steps == 1_000_001 and i.evaluations == 4 * i.steps + 1


def test_fixed_steps_can_reverse_direction() -> None:
    i = Integrator("rk4", field("1.0"), 0.0, [0.0], step=0.25)
    assert i.advance(3.0, 5) is Status.BUDGET and i.t == 1.25
    assert i.advance(0.0, 3) is Status.BUDGET and i.t == 0.5
    assert i.x[0] == pytest.approx(0.5, abs=4 * ULP)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_continued_runs_keep_their_step_size(method: str) -> None:
    """A step truncated by the end time does not affect the size of the next one."""
    i = Integrator(method, field(*PENDULUM, k=9.81), 0.0, [2.0, 0.0])
    i.advance(5.0, 20)
    planned = i.h
    assert i.advance(i.t + 1e-7) is Status.DONE
    assert i.h == planned > 1e-3


def test_inputs_may_change_between_calls() -> None:
    f = field("u", inputs={"u": 2.0})
    i = Integrator("dopri5", f, 0.0, [0.0])
    i.advance(1.0)
    f.inputs[:] = -1.0
    i.restart(i.x)
    i.advance(3.0)
    assert i.x[0] == pytest.approx(0.0, abs=1e-14)


# Quaternions


@pytest.mark.parametrize("method", METHODS)
def test_quaternions_stay_unit_without_extra_steps(method: str) -> None:
    f, times = field(*TOP, **TOP_MOMENTS), np.linspace(0, 20, 301)
    given = {"step": 0.02} if method in FIXED else {"rtol": 1e-8, "atol": 1e-10}
    kept = run(Integrator(method, f, 0.0, TOP_START, **given, quaternions=[0]), 20.0, times)
    free = run(Integrator(method, f, 0.0, TOP_START, **given), 20.0, times)
    assert np.abs(np.linalg.norm(kept.saved[:, :4], axis=1) - 1).max() <= 4 * ULP
    assert np.abs(np.linalg.norm(free.saved[:, :4], axis=1) - 1).max() > 100 * ULP
    assert abs(kept.steps - free.steps) <= 3
    assert np.abs(kept.saved - free.saved).max() < (1e-3 if method in FIXED else 1e-5)


def test_angular_momentum_of_a_free_body_is_conserved() -> None:
    """R J ω is constant, with R from the integrated quaternions."""
    i = run(
        Integrator("dop853", field(*TOP, **TOP_MOMENTS), 0.0, TOP_START, rtol=1e-11, atol=1e-13, quaternions=[0]),
        30.0,
        np.linspace(0, 30, 61),
    )
    w, v = i.saved[:, :1], i.saved[:, 1:4]
    spin = i.saved[:, 4:] * np.array(list(TOP_MOMENTS.values()))
    turned = spin + 2 * np.cross(v, np.cross(v, spin) + w * spin)
    assert np.abs(turned - turned[0]).max() < 1e-9


# Failures


@pytest.mark.parametrize("method", ADAPTIVE)
def test_motion_that_diverges_runs_out_of_steps(method: str) -> None:
    i = Integrator(method, field("x0**2"), 0.0, [1.0])
    assert i.advance(2.0) is Status.UNDERFLOW
    assert 0.999 < i.t < 1.0 + 1e-6 and np.isfinite(i.x).all() and i.x[0] > 1e6
    assert i.advance(2.0) is Status.UNDERFLOW


@pytest.mark.parametrize("method", METHODS)
def test_derivatives_that_are_not_finite_end_the_run(method: str) -> None:
    """ẋ = −1 − √x leaves the domain of the root at x = 0, t = 2 (√x₀ − ln(1 + √x₀))."""
    i = Integrator(method, field("-1 - sqrt(x0)"), 0.0, [1.0], step=0.01 if method in FIXED else None)
    assert i.advance(2.0) is Status.NOT_FINITE
    end = 2 * (1 - np.log(2))
    assert end - (0.011 if method in FIXED else 1e-6) < i.t <= end + 1e-6
    assert 0 <= i.x[0] < (0.02 if method in FIXED else 1e-6) and i.rejected > 0
    bad = Integrator(method, field("-1 - sqrt(x0)"), 0.0, [-1.0], step=0.01 if method in FIXED else None)
    assert bad.advance(2.0) is Status.NOT_FINITE
    assert bad.t == 0.0 and bad.steps == 0 and bad.x[0] == -1.0


@pytest.mark.parametrize("method", ADAPTIVE)
def test_derivatives_undefined_after_the_start_end_the_run(method: str) -> None:
    """√−t is defined at t = 0 but not afterwards; a derivative that overflows allows no step either."""
    for t0 in (0.0, -0.0):
        i = Integrator(method, field("sqrt(-t) + 0*x0"), t0, [1.0])
        assert i.advance(20.0, 10_000) is Status.NOT_FINITE
        assert i.t == 0.0 and i.steps == 0 and i.rejected < 100
    fast = Integrator(method, field(*TOP, **TOP_MOMENTS), 0.0, [1, 0, 0, 0, 1e200, 1, 1], quaternions=[0])
    assert fast.advance(1.0, 10_000) is Status.NOT_FINITE and fast.t < 1e-10


def test_steps_below_the_resolution_of_time_end_the_run() -> None:
    i = Integrator("rk4", field("1.0"), 1.0, [0.0], step=1e-17)
    assert i.advance(2.0, 10) is Status.UNDERFLOW and i.t == 1.0 and i.steps == 0


@pytest.mark.parametrize("method", ADAPTIVE)
def test_distant_end_times_do_not_enlarge_steps(method: str) -> None:
    """A transient of 1e-7 s at the start of 1e9 s."""
    i = Integrator(method, field("-1e7*x0"), 0.0, [1.0])
    assert i.advance(1e9, 20) is Status.BUDGET
    assert i.steps > 10 and i.x[0] == pytest.approx(np.exp(-1e7 * i.t), abs=1e-8)


def test_min_step_can_be_set() -> None:
    i = Integrator("dopri5", field("x0**2"), 0.0, [1.0], min_step=1e-3)
    assert i.advance(2.0) is Status.UNDERFLOW
    assert 0.9 < i.t < 1.0


def test_steps_to_undefined_states_are_rejected() -> None:
    """The derivative is NaN for x > 1, which the solution never reaches but large steps would."""
    f = field("where(x0 < 1, 0.1*(1 - x0), sqrt(-x0))")
    i = Integrator("dopri5", f, 0.0, [0.0], first_step=200.0, rtol=1e-6)
    assert i.advance(300.0) is Status.DONE
    assert i.rejected > 0 and i.x[0] == pytest.approx(1.0, abs=1e-5)


def test_exceptions_of_user_functions_are_raised() -> None:
    def angry(x: float) -> float:
        raise ZeroDivisionError("too steep")

    g = Graph()
    x = g.symbol("x0", Kind.COORDINATE)
    a = Assembly("rates", g, {"parameters": [], "t": [g.symbol("t", Kind.TIME)], "x": [x], "inputs": []})
    a.output("x_dot", [g.call(callback("angry", angry), [x])])
    i = Integrator("dopri5", StateFunction(Bound(compile(a.program()), {})), 0.0, [1.0])
    with pytest.raises(FunctionError, match="too steep"):
        i.advance(1.0)


# Refused arguments


def test_other_backends_are_refused() -> None:
    f = Bound(compile(program(FALL), "numpy"), {})
    with pytest.raises(BackendError, match=r"rates was compiled by NumPy.*needs the LLVM backend"):
        StateFunction(f)


def test_other_input_groups_are_refused() -> None:
    g = Graph()
    x = g.symbol("x0", Kind.COORDINATE)
    a = Assembly("rates", g, {"q": [x]})
    a.output("x_dot", [x])
    with pytest.raises(ArgumentError, match=r"rates takes the groups q; what is integrated takes parameters, t, x"):
        StateFunction(Bound(compile(a.program()), {}))


WRONG = [
    ("euler", {}, r"no method 'euler'; choose from dop853, dopri5, rk4"),
    ("rk4", {}, r"rk4 has a fixed step: give step"),
    ("dopri5", {"step": 0.1}, r"dopri5 chooses its steps by their error: leave step out"),
    ("dopri5", {"max_step": 0.0}, r"max_step = 0.0 is not a step size"),
    ("dopri5", {"first_step": -1.0}, r"first_step = -1.0 is not a step size"),
    ("dopri5", {"max_step": float("nan")}, r"max_step = nan is not a step size"),
    ("dopri5", {"atol": 0.0}, r"atol must be finite and positive"),
    ("dopri5", {"rtol": [1e-3]}, r"rtol is one number or 2 of them, not an array of shape \(1,\)"),
    ("dopri5", {"quaternions": [0]}, r"no quaternion can begin at index 0 of a state of 2"),
    ("dopri5", {"directions": [1]}, r"0 events need as many directions and flags, not 1, 0"),
]


@pytest.mark.parametrize(("method", "given", "text"), WRONG)
def test_wrong_arguments_are_refused(method: str, given: dict, text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        Integrator(method, field(*FALL), 0.0, [1.0, 0.0], **given)


def test_wrong_states_times_and_functions_are_refused() -> None:
    i = Integrator("dopri5", field(*FALL), 0.0, [1.0, 0.0])
    with pytest.raises(ArgumentError, match=r"rates: x has 2 numbers, not 3"):
        i.restart([1.0, 2.0, 3.0])
    with pytest.raises(ArgumentError, match=r"saved times must increase, or decrease, from t = 0 on"):
        i.save_at([0.5, 0.2])
    i.save_at([0.5, 1.0])
    with pytest.raises(ArgumentError, match=r"t_end = -1 and the times to save are on opposite sides of t = 0"):
        i.advance(-1.0)
    with pytest.raises(ArgumentError, match=r"t_end = nan is not a finite time"):
        i.advance(float("nan"))
    with pytest.raises(ArgumentError, match=r"rates returns 1 numbers for a state of 2"):
        Integrator("dopri5", field("x0", n=2), 0.0, [1.0, 0.0])
    with pytest.raises(ArgumentError, match=r"rates takes 1 numbers for x, rates 2"):
        Integrator("dopri5", field(*FALL), 0.0, [1.0, 0.0], events=field("x0"), directions=[0], stopping=[True])
    with pytest.raises(ArgumentError, match=r"rates: 0 inputs are expected, not 1"):
        StateFunction(bound(SPRING), [1.0])
    with pytest.raises(ArgumentError, match=r"rates: bind its parameters first"):
        StateFunction(compile(program(PENDULUM, None, ("k",))))  # type: ignore[arg-type]


@pytest.mark.parametrize(("method", "along", "limit"), [
    ("rk4", 1j, 8**0.5), ("rk4", -1, 2.785), ("dopri5", -1, 3.307), ("dop853", 1j, 5.96), ("dop853", -1, 6.39),
])  # fmt: skip
def test_stability_limits(method: str, along: complex, limit: float) -> None:
    """The longest stable step for ẋ = λ x (Hairer & Wanner, section IV.2), as a multiple of 1/|λ|."""
    assert TABLEAUS[method].stability_limit(40.0 * along) == pytest.approx(limit / 40.0, rel=3e-3)


def test_the_key_of_the_integrators_depends_on_their_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of any module that writes their code is another key; so is another width."""
    folders = "integrate", "backends/llvm"
    source = Path(fb.__file__).parent
    for folder in folders:
        shutil.copytree(source / folder, tmp_path / folder)
    monkeypatch.setattr(compiled, "__file__", str(tmp_path / "integrate" / "compiled.py"))
    monkeypatch.setattr(compiled.jit, "__file__", str(tmp_path / "backends" / "llvm" / "jit.py"))
    keys = [compiled._key(0), compiled._key(8)]
    for file in ("integrate/emit_step.py", "integrate/tableaus.py", "backends/llvm/build.py"):
        (tmp_path / file).write_text((tmp_path / file).read_text() + "\n# changed\n")
        keys.append(compiled._key(0))
    assert len(set(keys)) == len(keys) and compiled._key(0) == keys[-1]
