"""Blocks follow the exact solutions of their laws, read each other in any order, and refuse what cannot be."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.interpolate
import scipy.linalg
import scipy.signal

import freebody as fb
from freebody.errors import FileError, ModelError, SimulationWarning
from freebody.io import dumps, loads

TIGHT: Any = {"rtol": 1e-10, "atol": 1e-12}


def system() -> fb.System:
    """A cart with nothing that acts on it, an input r and two parameters."""
    s = fb.System("blocks", gravity=(0, 0, 0))
    s.body("cart", joint=fb.Prismatic("x"), mass=2.0)
    s.input("r")
    s.parameters(T=0.3, k=4.0)
    return s


def response(block: Any, t: Any, signal: Any = 1.0, **options: Any) -> Any:
    """The output of a block that reads r."""
    s = system()
    s.add(block, "y")
    return s.simulate(t, inputs={"r": signal}, **TIGHT, **options)


T = np.linspace(0, 3, 61)


@pytest.mark.parametrize(
    ("num", "den", "values"),
    [
        ([1], [1, 2, 5], ([1], [1, 2, 5])),
        ([1, 2, 3], [2, 0.5, 4], ([1, 2, 3], [2, 0.5, 4])),  # with feedthrough
        ([1, 0.5], [1, 2, 2, 1], ([1, 0.5], [1, 2, 2, 1])),
        (["k"], ["T", 1], ([4], [0.3, 1])),
        ([3], [2], ([3], [2])),
    ],
)
def test_transfer_functions_have_the_step_response_of_scipy(num: Any, den: Any, values: Any) -> None:
    run = response(fb.TransferFunction("r", num, den), T)
    _, exact = scipy.signal.step(scipy.signal.TransferFunction(*values), T=T) if len(den) > 1 else (T, 1.5 + 0 * T)
    assert np.allclose(run["output.y"], exact, rtol=1e-8, atol=1e-9)


def test_state_space_is_the_matrix_exponential() -> None:
    A, B = np.array([[-1.0, 2.0], [-3.0, -0.5]]), np.array([[1.0, 0.0], [0.5, 2.0]])
    C, D, x0 = np.array([[1.0, 0.0], [2.0, -1.0]]), np.array([[0.0, 0.5], [1.0, 0.0]]), [0.3, -0.2]
    s = system()
    block = s.add(fb.StateSpace(["r", 0.7], A.tolist(), B.tolist(), C.tolist(), D.tolist(), initial=x0), "y")
    s.output("sum", block["y1"] + block["y2"])
    run = s.simulate(T, inputs={"r": 1.0}, **TIGHT)
    u, whole = np.array([1.0, 0.7]), np.zeros((3, 3))
    whole[:2, :2], whole[:2, 2] = A, B @ u
    x = np.array([(scipy.linalg.expm(whole * t) @ [*x0, 1.0])[:2] for t in T])
    y = x @ C.T + D @ u
    assert np.allclose(run["output.y.y1"], y[:, 0], atol=1e-8)
    assert np.allclose(run["output.sum"], y.sum(axis=1), atol=1e-8)
    assert np.allclose(run["z.y.x2"], x[:, 1], atol=1e-8)


def test_a_lag_is_an_exponential_and_a_rate_limiter_a_ramp() -> None:
    run = response(fb.Lag("r", "T", gain="k", initial=1.0), T)
    assert np.allclose(run["output.y"], 4 - 3 * np.exp(-T / 0.3), atol=1e-9)
    run = response(fb.RateLimiter("r", rise=0.5, fall=2.0, lag=0.001), T, "where(t < 1, 1, -1)")
    ramp = np.where(T < 1, 0.5 * T, np.maximum(0.5 - 2 * (T - 1), -1))
    assert np.abs(run["output.y"] - ramp).max() < 2.5 * 0.001  # late by a lag where the limit is left
    inside = (T > 0.1) & (T < 0.95)
    assert np.allclose(run["output.y"][inside], ramp[inside], atol=1e-9)  # exact where the rate is limited


def test_pid_has_the_transfer_function_that_it_says() -> None:
    """kp + ki/s + kd s/(filter s + 1), and a control loop has the poles of 1 + C G = 0."""
    kp, ki, kd, f = 3.0, 2.0, 0.7, 0.05
    num = np.polyadd(np.polymul([kp, ki], [f, 1]), [kd, 0, 0])
    run = response(fb.PID("r", kp=kp, ki=ki, kd=kd, filter=f), T)
    _, exact = scipy.signal.step(scipy.signal.TransferFunction(num, np.polymul([1, 0], [f, 1])), T=T)
    assert np.allclose(run["output.y"], exact, rtol=1e-7, atol=1e-7)
    s = system()
    pid = s.add(fb.PID("r - q.cart", kp=kp, ki=ki, kd=kd, filter=f), "pid")
    s.joint_force("cart", pid.output)
    poles = np.linalg.eigvals(s.derive().linearize().A)
    wanted = np.roots(np.polyadd(np.polymul([2, 0, 0], np.polymul([1, 0], [f, 1])), num))
    assert np.allclose(np.sort_complex(poles), np.sort_complex(wanted), atol=1e-6)


def test_the_integral_of_a_pid_at_its_limits_stands_still() -> None:
    """An error of 1 at a limit of 1.5 with kp = 1, ki = 1 winds up to 0.5, and returns at once."""
    run = response(fb.PID("r", kp=1, ki=1, limits=(-1.5, 1.5)), T, "where(t < 2, 1, -1)")
    assert run["output.y"].max() <= 1.5
    assert np.interp(1.9, T, run["z.y.integral"]) == pytest.approx(0.5, abs=1e-6)
    after = T > 2.01
    assert np.allclose(run["output.y"][after], np.maximum(-1.5, -1 + 0.5 - (T[after] - 2)), atol=1e-6)


def test_tables_are_those_of_scipy() -> None:
    rng = np.random.default_rng(3)
    x, y = np.sort(rng.uniform(0, 4, 6)), np.sort(rng.uniform(-1, 2, 5))
    grid, line = rng.normal(size=(5, 6)), rng.normal(size=6)
    s = system()
    s.add(fb.Lookup("r", x, line, "cubic", "extrapolate"), "curve")
    s.add(fb.Lookup2D("r", "2 - t", x, y, grid), "flat")
    s.add(fb.Lookup2D("r", "2 - t", x, y, grid, "cubic"), "smooth")
    t = np.linspace(0, 3, 50)
    a, b = 0.3 + 1.5 * t, 2 - t
    run = s.simulate(t, inputs={"r": "0.3 + 1.5*t"})
    inside = (a >= x[0]) & (a <= x[-1])
    assert np.allclose(run["output.curve"][inside], scipy.interpolate.PchipInterpolator(x, line)(a[inside]))
    held = np.column_stack([np.clip(b, y[0], y[-1]), np.clip(a, x[0], x[-1])])
    flat = scipy.interpolate.RegularGridInterpolator((y, x), grid)(held)
    smooth = scipy.interpolate.RectBivariateSpline(y, x, grid, kx=3, ky=3).ev(held[:, 0], held[:, 1])
    assert np.allclose(run["output.flat"], flat, atol=1e-12)
    assert np.allclose(run["output.smooth"], smooth, atol=1e-11)


def test_a_table_without_values_outside_ends_the_run() -> None:
    s = system()
    s.add(fb.Lookup("r", [0, 1], [0, 1], outside="error"), "y")
    s.joint_force("cart", "y")
    with pytest.warns(SimulationWarning, match="y"):
        run = s.simulate(2, inputs={"r": "t"})
    assert run.t[-1] < 1.01


def test_bouc_wen_loads_along_an_exponential_and_loses_energy_in_cycles() -> None:
    """With A = 1, β = γ = ½, n = 1: dz/dx = 1 − z while x grows from rest, and z = x on the way back to z = 0."""
    s = system()
    s.add(fb.Hysteresis("u.cart", initial=0.0), "z")
    run = s.simulate(T, u={"cart": 1.0}, inputs={"r": 0.0}, **TIGHT)
    assert np.allclose(run["output.z"], 1 - np.exp(-T), atol=1e-8)
    run = response(fb.Hysteresis("r", n=2, beta=0.8, gamma=0.2), np.linspace(0, 20, 4001), "2*cos(t)")
    x, z = 2 * np.sin(run.t), run["output.y"]
    last = run.t > 20 - 2 * np.pi
    assert np.trapezoid(z[last], x[last]) > 1.0
    assert np.abs(z).max() < 1.0


def test_play_holds_and_a_relay_switches_at_its_thresholds() -> None:
    t = np.linspace(0, 10, 2001)
    run = response(fb.Backlash("r", gap=0.6, lag=1e-3), t, "sin(t)")
    y, x = run["output.y"], np.sin(t)
    exact = np.zeros(len(t))
    for k in range(1, len(t)):
        exact[k] = np.clip(exact[k - 1], x[k] - 0.3, x[k] + 0.3)
    assert np.abs(y - exact).max() < 1.5e-3  # lag times the largest rate
    run = response(fb.Relay("r", -0.5, 0.8, off=2, on=5, lag=1e-3), t, "sin(t)")
    on, off = np.arcsin(0.8), np.pi + np.arcsin(0.5)
    switched = t[1:][np.abs(np.diff(run["output.y"] > 3.5)) > 0]
    assert np.allclose(switched[:2], [on, off], atol=0.006)
    settled = (np.abs(t - on) > 0.02) & (np.abs(t - off) > 0.02) & (t < 6)
    assert np.allclose(run["output.y"][settled], np.where((t > on) & (t < off), 5, 2)[settled], atol=1e-6)


def test_blocks_read_each_other_in_any_order() -> None:
    """Two masses of a chain of lags; in files whatever stands first, and in Python by add_together."""
    s = system()
    e, y = s.add_together(e=fb.Lookup("r - y", [-9, 9], [-9, 9]), y=fb.Lag("e", time="T"))
    s.output("e and y", e.output + y.output)
    s.joint_force("cart", "k*e")
    run = s.simulate(T, inputs={"r": 1.0}, **TIGHT)
    assert np.allclose(run["output.y"], (1 - np.exp(-2 * T / 0.3)) / 2, atol=1e-9)
    assert np.allclose(run["output.e and y"], 1, atol=1e-9)
    again = loads(dumps(s), fb.System)
    assert again.digest() == s.digest()
    assert copy.copy(s).digest() == s.digest() == pickle.loads(pickle.dumps(s)).digest()
    text = dumps(s)
    swapped = text.replace(text[text.index("  e: {lookup") : text.index("  y: {lag")], "", 1)
    line = next(row for row in text.splitlines() if "lookup" in row)
    row = next(row for row in text.splitlines() if "{lag" in row)
    other = loads(swapped.replace(row, f"{row}\n{line}"), fb.System)
    assert np.allclose(other.simulate(T, inputs={"r": 1.0}, **TIGHT)["output.y"], run["output.y"], atol=1e-12)


def test_signals_are_read_by_events_laws_and_expressions() -> None:
    s = system()
    lag = s.add(fb.Lag("r", 1.0), "lag")
    s.joint_force("cart", s.input("f"))
    run = s.simulate(3, inputs={"r": 1.0, "f": "2*lag"}, events=[fb.Event("lag - 0.5", terminal=True)])
    assert run.t[-1] == pytest.approx(np.log(2), abs=1e-6)
    run = s.simulate(1, inputs={"r": 1.0, "f": 2 * lag.output})
    assert run["input.f"][-1] == pytest.approx(2 * (1 - np.exp(-1)), rel=1e-5)


def test_algebraic_loops_are_refused_with_the_cycle() -> None:
    s = system()
    s.add_together(
        a=fb.PID("r - c", kp=1), b=fb.Lookup("a", [0, 1], [0, 2]), c=fb.TransferFunction("b", [1, 2], [1, 3])
    )
    with pytest.raises(ModelError, match=r"a → c → b → a need each other at the same instant.*fb\.Lag"):
        s.derive()


def test_blocks_and_actuators_read_each_other() -> None:
    """A motor whose torque is a controller's, which reads the current of the motor."""
    s = system()
    s.body("arm", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    control, motor = s.add_together(
        control=fb.PID("r - drive.current", kp=2, ki=50), drive=fb.Motor("arm", voltage="control", kt=0.1, resistance=1)
    )
    with pytest.raises(ModelError, match=r"drive\.current → control → drive\.current|control → drive"):
        s.derive()
    t = system()
    t.body("arm", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    fields = {"kt": 0.1, "resistance": 1, "inductance": 0.01}
    control, motor = t.add_together(
        control=fb.PID("r - drive.current", kp=2, ki=50), drive=fb.Motor("arm", voltage="control", **fields)
    )
    t.output("error", t.inputs["r"] - motor["current"])
    run = t.simulate(1, inputs={"r": 1.0})
    assert abs(run["output.error"][-1]) < 0.01 and control.output is not None


def test_an_error_leaves_the_system_as_it_was() -> None:
    s = system()
    with pytest.raises(fb.FreebodyError, match=r"blocks\.b\.lag\.input.*nothing"):
        s.add_together(a=fb.Lag("b", 1), b=fb.Lag("nothing", 1))
    assert not s.blocks
    s.add(fb.Lag("r", 1), "a")
    assert [*s.blocks] == ["a"]


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (lambda: fb.Lag("r", 0), r"blocks\.y\.lag\.time: the time constant is 0 s; it must be positive"),
        (lambda: fb.TransferFunction("r", [1, 2], [3]), "would differentiate its input"),
        (lambda: fb.TransferFunction("r", [1], [0, 3]), "first coefficient is 0"),
        (lambda: fb.TransferFunction("r", [1], [1, 3], initial=[1, 2]), "2 values are given for 1 states"),
        (lambda: fb.StateSpace("r", [[1]], [[1, 2]], [[1]]), r"state_space\.B: it is 1 × 2; it must be 1 × 1"),
        (lambda: fb.PID("r"), "it has no gain"),
        (lambda: fb.PID("r", kp=1, kd=1), "give the time constant of the filter"),
        (lambda: fb.PID("r", kp=1, limits=(1, -1)), "the lowest output 1 is not below the highest, -1"),
        (lambda: fb.Relay("r", 1, 1), "the lower threshold 1 is not below the upper one"),
        (lambda: fb.Relay("r", 0, 1, initial=0), "give −1 for off or 1 for on"),
        (lambda: fb.Hysteresis("r", beta=-1), "otherwise the output has no bound"),
        (lambda: fb.Hysteresis("r", n=0.5), "must be at least 1"),
        (lambda: fb.RateLimiter("r", rise=-1), "must be positive"),
        (lambda: fb.Backlash("r", gap=0), "use the input itself"),
        (lambda: fb.Lookup("r", [0, 0], [1, 2]), "x must increase"),
        (lambda: fb.Lookup2D("r", "t", [0, 1], [0, 1], [[1, 2]]), "2 rows of 2 values are needed, not 1 rows of 2"),
    ],
)
def test_what_a_block_cannot_be(block: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        system().add(block(), "y")


def test_names_of_signals_are_unique() -> None:
    s = system()
    s.add(fb.Lag("r", 1), "a")
    with pytest.raises(ModelError, match="'a' is the name of a block"):
        s.input("a")
    with pytest.raises(ModelError, match=r"'a\.state' is the name of a signal"):
        s.parameter("a.state", 1)
    with pytest.raises(ModelError, match="'r' is the name of an input"):
        s.add(fb.Lag("r", 1), "r")
    with pytest.raises(ModelError, match="in expressions it is a function"):
        s.add(fb.Lag("r", 1), "sin")
    with pytest.raises(ModelError, match="has no signal 'x'; it has 'state', ''"):
        s.blocks["a"]["x"]


def test_errors_of_files_show_the_place(tmp_path: Path) -> None:
    text = "freebody: 3\ninputs: [r]\nblocks:\n  y: {lag: {input: r, tiem: 2}}\n"
    with pytest.raises(FileError, match=r"blocks\.y\.lag\.tiem.*Did you mean time"):
        loads(text, fb.System)
    with pytest.raises(FileError, match=r"4:.*blocks\.y\.lag\.input: 'q' is not declared"):
        loads(text.replace("tiem", "time").replace("input: r", "input: q"), fb.System)
    with pytest.raises(FileError, match="a definition has the same name"):
        loads(text.replace("tiem", "time") + "definitions: {y: 3}\n", fb.System)
