"""``freebody bench``: how quick a model is on this machine."""

import ctypes
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from freebody.api import Equations, System
from freebody.cli import models
from freebody.cli.options import Debug, Json, Model, Quiet
from freebody.cli.output import Output

if TYPE_CHECKING:
    from freebody.integrate.steppers import Stepper

Array = NDArray[np.float64]
PATIENCE = 0.3
"""Seconds a measurement takes."""
CALLS = 100
"""Calls of machine code in one loop."""
BATCHES = (1024, 65536)
"""The smallest and the largest batch."""
SIZES: dict[str, dict[str, Any]] = {"dop853": {"max_step": 1e-2}, "rk4": {"step": 1e-3}}
"""The methods, and the longest step of each in seconds of simulated time."""
FAR = 1e6
"""Seconds of simulated time that no measurement reaches."""
ROWS = {
    "derive_s": ("derive forward dynamics", "ms", 1e3),
    "compile_s": ("compile it", "ms", 1e3),
    "operations": ("forward dynamics", "operations", 1),
    "call_ns": ("one call, f.forward_dynamics(q, u)", "ns", 1),
    "code_ns": ("… of its machine code alone", "ns", 1),
    "batch_ns": ("a state in a batch", "ns", 1),
    "batch_all_cores_ns": ("… on all cores", "ns", 1),
    "dop853_steps_per_s": ("dop853", "steps/s", 1),
    "rk4_steps_per_s": ("rk4", "steps/s", 1),
}
"""Words, unit and scale of what is measured."""


def bench(model: Model, json: Json = False, quiet: Quiet = False, debug: Debug = False) -> None:
    """Measure a model here: time to derive and compile, time of a call, steps in a second. Takes a few seconds."""
    with Output("bench", json, quiet, debug) as out:
        out.model = model
        system = models.load(model)
        found = dict(measured(system))
        out.tell(system=system.name, **found)
        rows = [(words, _shown(found[k], scale), unit) for k, (words, unit, scale) in ROWS.items()]
        out.table(system.name, ("", "", ""), rows, right="1")


def _shown(value: float | None, scale: float) -> str:
    if value is None:
        return "–"
    number = value * scale
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def measured(system: System) -> Iterator[tuple[str, float | None]]:
    """Everything in turn, by its JSON name."""
    seconds, equations = _derived(system)
    yield "derive_s", seconds
    yield "operations", equations.operations["forward_dynamics"].total
    yield "compile_s", _compiled(equations)
    yield from _calls(equations)
    for method in SIZES:
        yield f"{method}_steps_per_s", _steps(equations, method)


def _derived(system: System) -> tuple[float, Equations]:
    """The best of a few derivations of forward dynamics, and the equations."""

    def derive() -> None:
        made.append(system.derive())
        made[-1].program("forward_dynamics")

    made: list[Equations] = []
    return _best(derive), made[-1]


def _compiled(equations: Equations) -> float:
    """Forward dynamics to machine code, without the cache."""
    return _best(lambda: equations.compile(cache=None).function("forward_dynamics"))


def _best(action: Callable[[], object]) -> float:
    """The shortest of as many times as patience allows, one at least."""
    began, times = time.perf_counter(), list[float]()
    while not times or time.perf_counter() - began < PATIENCE:
        times.append(_round(action, 1))
    return min(times)


def _calls(equations: Equations) -> Iterator[tuple[str, float]]:
    f = equations.compile()
    q, u = (row[0] for row in _states(equations, 1))
    yield "call_ns", 1e9 * _repeated(lambda: f.forward_dynamics(q, u))
    alone = _repeated(_machine_code(equations, q, u)) / CALLS
    yield "code_ns", 1e9 * alone
    n = int(np.clip(PATIENCE / 10 / alone, *BATCHES))
    q, u = _states(equations, n)
    yield "batch", n
    yield "batch_ns", 1e9 / n * _repeated(lambda: f.forward_dynamics(q, u))
    yield "batch_all_cores_ns", 1e9 / n * _repeated(lambda: f.forward_dynamics(q, u, threads=0))


def _states(equations: Equations, number: int) -> tuple[Array, Array]:
    """States near the one a run starts from."""
    from freebody.run.planning import default_state

    n, m = len(equations.q), len(equations.u)
    x = default_state(equations.derivation)[: n + m]
    near = x + 0.01 * np.random.default_rng(0).normal(size=(number, n + m))
    return near[:, :n].copy(), near[:, n:].copy()


def _machine_code(equations: Equations, q: Array, u: Array) -> Callable[[], object]:
    """``CALLS`` calls of the machine code in a compiled loop, on arrays at hand."""
    from freebody.backends.llvm import jit
    from freebody.backends.llvm.build import Build

    f: Any = equations.compile().function("forward_dynamics")
    held = {**f.parameters, "hoisted": f.hoisted, "q": q, "u": u, "z": np.array(equations.start, dtype=float)}
    arrays = [held.get(g.name, np.zeros(g.size)) for g in f.staged.main.groups] + [np.empty(len(u))]
    b = Build("repeat", "void", {"f": "ptr", **{f"a{k}": "ptr" for k in range(len(arrays))}}, export=True)
    with b.loop(0, CALLS):
        b.call(b["f"], "void", *(b[f"a{k}"] for k in range(len(arrays))))
    library = jit.load(b.text(), cache=None)
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (len(arrays) + 1))(library.address("repeat"))
    call.alive = library  # type: ignore[attr-defined]
    return lambda: call(f.main.address(), *(a.ctypes.data for a in arrays))


def _repeated(action: Callable[[], object]) -> float:
    """Seconds of one call: the best of several rounds."""
    action()
    start = time.perf_counter()
    action()
    times = max(1, int(PATIENCE / 5 / max(time.perf_counter() - start, 1e-7)))
    return min(_round(action, times) for _ in range(5))


def _round(action: Callable[[], object], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        action()
    return (time.perf_counter() - start) / times


def _steps(equations: Equations, method: str) -> float | None:
    """Steps in a second from where a run starts, inputs 0; None where it cannot go on."""
    from freebody.integrate.steppers import stepper
    from freebody.run.planning import default_state, plan
    from freebody.run.run import Options

    e = equations.derivation
    plant = plan(e, equations.values, [0.0] * len(e.layout.inputs))
    made = stepper(plant, Options(method, **SIZES[method]), 0.0, default_state(e))
    made.save_at(np.array([0.0, FAR]))
    made.advance(FAR, 100)
    return _rate(made)


def _rate(made: "Stepper") -> float | None:
    """Steps in a second while patience lasts."""
    start, before, budget = time.perf_counter(), made.steps, 100
    while time.perf_counter() - start < PATIENCE:
        done = made.steps
        made.advance(FAR, budget)
        if made.steps == done:
            break
        budget = min(2 * budget, 100_000)
    taken = made.steps - before
    return taken / (time.perf_counter() - start) if taken else None
