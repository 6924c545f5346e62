"""``freebody bench``: the speed of a model on this machine."""

import ctypes
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.api import Equations, System
from freebody.cli import models
from freebody.cli.options import Debug, Json, Model, Physical, Quiet
from freebody.cli.output import CommandOutput

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
"""Text, unit and scale of each figure."""


def bench(
    model: Model, physical: Physical = True, json: Json = False, quiet: Quiet = False, debug: Debug = False
) -> None:
    """Measure a model here: time to derive and compile, time of a call, steps in a second. Takes a few seconds."""
    with CommandOutput("bench", json, quiet, debug) as out:
        out.model = model
        system = models.load(model, physical)
        figures = dict(measure(system))
        out.add(system=system.name, **figures)
        rows = []
        for key, (text, unit, scale) in ROWS.items():
            value = figures[key]
            number = 0 if value is None else value * scale
            rows.append((text, "–" if value is None else f"{number:,.0f}" if number >= 100 else f"{number:.3g}", unit))
        out.table(system.name, ("", "", ""), rows, right="1")


def measure(system: System) -> Iterator[tuple[str, float | None]]:
    """Everything in turn, by its JSON name."""
    derived: list[Equations] = []

    def derive() -> None:
        derived.append(system.derive())
        derived[-1].program("forward_dynamics")

    yield "derive_s", _best(derive)
    equations = derived[-1]
    yield "operations", equations.operations["forward_dynamics"].total
    yield "compile_s", _best(lambda: equations.compile(cache=None).function("forward_dynamics"))
    f = equations.compile()
    q, u = (row[0] for row in _states(equations, 1))
    yield "call_ns", 1e9 * _repeated(lambda: f.forward_dynamics(q, u))
    alone = _repeated(_machine_code(equations, q, u)) / CALLS
    yield "code_ns", 1e9 * alone
    n = int(np.clip(PATIENCE / 10 / alone, *BATCHES))
    many_q, many_u = _states(equations, n)
    yield "batch", n
    yield "batch_ns", 1e9 / n * _repeated(lambda: f.forward_dynamics(many_q, many_u))
    yield "batch_all_cores_ns", 1e9 / n * _repeated(lambda: f.forward_dynamics(many_q, many_u, threads=0))
    for method in SIZES:
        yield f"{method}_steps_per_s", _steps(equations, method)


def _best(action: Callable[[], object]) -> float:
    """The shortest time of one call, repeated for PATIENCE seconds."""
    began, times = time.perf_counter(), list[float]()
    while not times or time.perf_counter() - began < PATIENCE:
        times.append(_mean(action, 1))
    return min(times)


def _repeated(action: Callable[[], object]) -> float:
    """Seconds of one call: the best of several rounds."""
    action()
    times = max(1, int(PATIENCE / 5 / max(_mean(action, 1), 1e-7)))
    return min(_mean(action, times) for _ in range(5))


def _mean(action: Callable[[], object], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        action()
    return (time.perf_counter() - start) / times


def _states(equations: Equations, number: int) -> tuple[Array, Array]:
    """States near the one a run starts from."""
    n, m = len(equations.q), len(equations.u)
    near = np.concatenate(equations.assemble()) + 0.01 * np.random.default_rng(0).normal(size=(number, n + m))
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
    call.alive = f, library, arrays  # type: ignore[attr-defined]
    return partial(call, f.main.address(), *(a.ctypes.data for a in arrays))


def _steps(equations: Equations, method: str) -> float | None:
    """Steps in a second from where a run starts, with inputs 0; None where the run cannot go on."""
    from freebody.integrate.steppers import stepper
    from freebody.run.build import build
    from freebody.run.inputs import unwritten_names
    from freebody.run.options import RunOptions

    e = equations.derivation
    compiled = build(e, equations.values, dict.fromkeys(unwritten_names(e), 0.0))
    start_of_run = np.concatenate([*equations.assemble(), equations.start])
    integrator = stepper(compiled, RunOptions(method, **SIZES[method]), 0.0, start_of_run)
    integrator.save_at(np.array([0.0, FAR]))
    integrator.advance(FAR, 100)
    start, before, budget = time.perf_counter(), integrator.steps, 100
    while time.perf_counter() - start < PATIENCE:
        done = integrator.steps
        integrator.advance(FAR, budget)
        if integrator.steps == done:
            break
        budget = min(2 * budget, 100_000)
    taken = integrator.steps - before
    return taken / (time.perf_counter() - start) if taken else None
