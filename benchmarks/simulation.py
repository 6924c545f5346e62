"""Figures of the integrators: what a step costs over the derivative itself, beside SciPy's, alone and in lanes.

SciPy calls the same machine code: through ctypes, as anybody would, and through our own call, which costs it the least.
"""

import ctypes
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import timing
from scipy.integrate import solve_ivp

import freebody as fb
from freebody.backends import Bound
from freebody.backends.llvm import jit
from freebody.backends.llvm.build import Build, module
from freebody.backends.llvm.cpython import address
from freebody.integrate.compiled import StateFunction
from freebody.integrate.integrator import Integrator
from freebody.integrate.lanes import integrate_lanes

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
import satellite
from robots import panda

ROBOTS = Path(__file__).parent.parent / "examples" / "robots"
Row = tuple[str, float, float | None, dict]
ROUNDS = 11


def state_dot(system: object) -> Bound:
    return system.derive().compile().function("state_dot")  # type: ignore[attr-defined]


def start(n: int) -> np.ndarray:
    """Coordinates and speeds at random, the speeds small."""
    rng = np.random.default_rng(0)
    return np.concatenate([rng.uniform(-1, 1, n), rng.uniform(-0.3, 0.3, n)])


def held(f: Bound) -> dict[str, np.ndarray]:
    """The groups but t and x, with the inputs at 0."""
    inputs = np.zeros(next(g.size for g in f.program.groups if g.name == "inputs"))
    return {"parameters": np.empty(0), **f.parameters, "hoisted": f.hoisted, "inputs": inputs}


def through_ctypes(f: Bound) -> Callable[[float, np.ndarray], np.ndarray]:
    """ẋ(t, x) by ctypes, for SciPy."""
    names, known = [g.name for g in f.staged.main.groups], {**held(f), "t": np.zeros(1), "x": np.zeros(0)}
    pointers, k, raw = [address(known[name]) for name in names], names.index("x"), f.main.raw

    def rate(time: float, x: np.ndarray) -> np.ndarray:
        known["t"][0], pointers[k], out = time, address(x), np.empty(len(x))
        raw(*pointers, address(out))
        return out

    return rate


def in_a_row(f: Bound, x0: np.ndarray, calls: int = 20_000) -> Callable[[], float]:
    """The function where each call needs what the last one gave, as in any integrator: compiled Euler steps."""
    groups = [g.name for g in f.staged.main.groups]
    given = {**dict.fromkeys(("f", *groups, "out"), "ptr"), "n": "i64", "h": "double"}
    b = Build("euler", "void", given, export=True)
    with b.loop(0, b["n"]):
        b.call(b["f"], "void", *(b[name] for name in (*groups, "out")))
        for k in range(len(x0)):
            b["x"].store(b["x"].load(k) + b["h"] * b["out"].load(k), k)
    library = jit.load(module([b]), level=2, passes=True, cache=None)
    kinds = [*[ctypes.c_void_p] * (len(groups) + 2), ctypes.c_int64, ctypes.c_double]
    call = ctypes.CFUNCTYPE(None, *kinds)(library.address("euler"))

    def once() -> float:
        arrays = {**held(f), "t": np.zeros(1), "x": x0.copy(), "out": np.empty_like(x0)}
        places = [arrays[name].ctypes.data for name in (*groups, "out")]
        began = time.perf_counter()
        call(f.main.library.address("run"), *places, calls, 1e-5)
        return (time.perf_counter() - began) / calls * 1e9

    once.library = library  # type: ignore[attr-defined]  # alive as long
    return once


def measured(rivals: dict[str, Callable[[], float]], rounds: int = ROUNDS) -> dict[str, dict]:
    """What each rival says it took, in turns."""
    taken: dict[str, list[float]] = {name: [] for name in rivals}
    for f in rivals.values():
        f()
    for _ in range(rounds):
        for name, f in rivals.items():
            taken[name].append(f())
    return {name: timing.summary(values) for name, values in taken.items()}


def alone(f: Bound, x0: np.ndarray, calls: int = 20_000) -> Callable[[], float]:
    """The function itself, called in a compiled loop: nanoseconds."""
    named = {**held(f), "t": np.zeros(1), "x": x0}
    arrays = [*(named[g.name] for g in f.staged.main.groups), np.empty_like(x0)]
    loop = timing.loop(f.main.library.address("run"), arrays)

    def once() -> float:
        began = time.perf_counter()
        loop(calls)
        return (time.perf_counter() - began) / calls * 1e9

    once.arrays = arrays  # type: ignore[attr-defined]  # alive as long
    return once


def ours(method: str, f: Bound, x0: np.ndarray, end: float, **given: object) -> Callable[[], float]:
    """One of our methods: nanoseconds an evaluation, all included."""
    field = StateFunction(f, held(f)["inputs"])

    def once() -> float:
        i = Integrator(method, field, 0.0, x0, **given)  # type: ignore[arg-type]
        began = time.perf_counter()
        i.advance(end)
        return (time.perf_counter() - began) / i.evaluations * 1e9

    return once


def theirs(method: str, rate: Callable, x0: np.ndarray, end: float, **given: float) -> Callable[[], float]:
    """One of SciPy's: nanoseconds an evaluation."""

    def once() -> float:
        began = time.perf_counter()
        found = solve_ivp(rate, (0, end), x0, method=method, **given)
        return (time.perf_counter() - began) / found.nfev * 1e9

    return once


def one_arm() -> list[Row]:
    """The Panda, per evaluation: our methods over the function itself and over SciPy's RK45."""
    f, x0, control = state_dot(panda.system()), start(7), {"rtol": 1e-8, "atol": 1e-10}
    times = measured(
        {
            "state_dot": alone(f, x0),
            "state_dot, each call after the last": in_a_row(f, x0),
            "rk4": ours("rk4", f, x0, 4.0, step=1e-3),
            "dopri5": ours("dopri5", f, x0, 4.0, **control),
            "dop853": ours("dop853", f, x0, 4.0, **control),
            "SciPy RK45, ctypes": theirs("RK45", through_ctypes(f), x0, 0.3, **control),
        }
    )
    median = {name: t["median"] for name, t in times.items()}
    named = [
        ("panda, dopri5 an evaluation over state_dot itself", "dopri5", "state_dot", 1.25),
        ("panda, dop853 an evaluation over state_dot itself", "dop853", "state_dot", 1.25),
        ("panda, rk4 an evaluation over SciPy RK45 through ctypes", "rk4", "SciPy RK45, ctypes", 1 / 25),
    ]
    return [(name, median[a] / median[b], target, {"nanoseconds": times}) for name, a, b, target in named]


def many_arms() -> list[Row]:
    """The Panda 64 times in lanes, on one core, per state and step, over one at a time."""
    f, x0 = state_dot(panda.system()), start(7)
    cases = x0 + 0.01 * np.random.default_rng(1).normal(size=(64, 14))
    found: list[Row] = []
    for method, end, target in (("rk4", 1.0, 1 / 5), ("dopri5", 1.0, None), ("dop853", 1.0, None)):
        given = {"step": 1e-3} if method == "rk4" else {"rtol": 1e-8, "atol": 1e-10}

        def wide(method: str = method, end: float = end, given: dict = given) -> float:
            began = time.perf_counter()
            counted = integrate_lanes(method, f, cases, [0.0, end], threads=1, **given)[3]
            return (time.perf_counter() - began) / float(counted.sum()) * 1e9

        times = measured({"one": ours(method, f, x0, end, **given), "lanes": wide})
        ratio = times["lanes"]["median"] / times["one"]["median"]
        more = {"nanoseconds": times, "lanes": f.main.width}
        found.append((f"panda, {method} an evaluation in lanes over one at a time", ratio, target, more))
    return found


def one_satellite() -> list[Row]:
    """The satellite for 100 s with relative tolerance 1e-9: DOP853, ours and SciPy's by our call. Its motion is calm,
    so that both end at the same state."""
    f, x0, control = state_dot(satellite.system()), 0.1 * start(10), {"rtol": 1e-9, "atol": 1e-11}
    field, rate, counted = StateFunction(f, held(f)["inputs"]), through_ctypes(f), {}

    def our() -> None:
        i = Integrator("dop853", field, 0.0, x0, **control)
        i.advance(100.0)
        counted["freebody"] = i.steps, i.evaluations, i.x

    def their() -> None:
        found = solve_ivp(rate, (0, 100), x0, method="DOP853", **control)
        counted["SciPy"] = len(found.t) - 1, found.nfev, found.y[:, -1]

    times = timing.seconds({"freebody": our, "SciPy": their}, rounds=7)
    apart = float(np.abs(counted["freebody"][2] - counted["SciPy"][2]).max())
    more = {
        "seconds": times,
        "steps and evaluations": {context: c[:2] for context, c in counted.items()},
        "apart": apart,
    }
    ratio = times["freebody"]["median"] / times["SciPy"]["median"]
    return [("satellite, 100 s by dop853, time over SciPy", ratio, 1 / 12, more)]


def once_more() -> list[Row]:
    """A second, short simulate of a Panda with other initial values, over the steps it takes: the arm, and the whole
    robot of its file, one finger of which follows the other."""
    robots = {"a Panda": panda.system(), "a Panda with its fingers": fb.load(ROBOTS / "panda.urdf")}
    return [_once_more(name, system.derive()) for name, system in robots.items()]


def _once_more(name: str, eq: fb.Equations) -> Row:
    rng, n = np.random.default_rng(0), len(eq.q)
    limits = [e.limits or (-1.0, 1.0) for e in eq.simulate(0.01).about.elements if e.q and not e.coupled]
    low, high = np.array(limits).T
    field = StateFunction(eq.compile().function("state_dot"))
    whole, steps = [], []
    for _ in range(5 * ROUNDS):
        q, times = rng.uniform(0.6 * low + 0.4 * high, 0.4 * low + 0.6 * high), np.linspace(0, 0.01, 1001)
        began = time.thread_time()
        run = eq.simulate(0.01, q=q)
        whole.append(time.thread_time() - began)
        i = Integrator("dop853", field, 0.0, np.concatenate([q, np.zeros(n)]))
        i.save_at(times)
        began = time.thread_time()
        i.advance(0.01)
        steps.append(time.thread_time() - began)
        assert np.allclose(i.saved, run.x)
    found = {"simulate": timing.summary(whole), "the steps alone": timing.summary(steps)}
    over = 1e3 * (found["simulate"]["best"] - found["the steps alone"]["best"])
    return f"a second simulate of 10 ms of {name}, over its steps, ms", over, 1.0, {"seconds": found}


JOBS = {
    "one arm through time": one_arm, "many arms in lanes": many_arms, "satellite through time": one_satellite,
    "once more": once_more,
}  # fmt: skip


if __name__ == "__main__":
    from mechanics import show

    for job in JOBS.values():
        for row in job():
            show(*row)
