"""Threads: what is made at its first use is made once, and threads that begin together in a fresh process get the same
numbers as one thread alone."""

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import freebody as fb
from freebody.once import once
from tests.run.systems import ball

CHILD = """
import faulthandler, sys, threading, warnings
faulthandler.enable()
import numpy as np
import freebody as fb
warnings.simplefilter("ignore")
sys.setswitchinterval(1e-5)
OPTIONS = {"rk4": {"step": 0.01}}

def system():
    s = fb.System("arm")
    s.parameter("m", 1.0)
    a = s.body("a", joint=fb.Revolute("y"), mass="m", com=(0, 0, -1), inertia=(0.1, 0.2, 0.3))
    s.body("b", a, at=(0, 0, -1), joint=fb.Spherical(), mass=0.5, com=(0.1, 0, -0.5), inertia=(0.1, 0.2, 0.1))
    return s

def job(kind, s, k):
    start, q = 0.1 * (k % 3), np.array([0.1 * k, 1.0, 0.0, 0.0, 0.0])
    if kind == "sweep":
        return [s.sweep(0.2, over={"q.a": [start, 0.3, 0.4, 0.5]}, progress=False)["q.a"].values]
    if kind == "linearize":
        return [s.linearize().A]
    if kind in ("llvm", "numpy", "c"):
        f = s._current().compile(kind)
        return [f.forward_dynamics(q, np.ones(4)), f.mass_matrix(q)]
    if kind.startswith("batch "):
        f = s._current().compile(kind[6:])
        return [f.forward_dynamics(np.tile(q, (70, 1)), np.ones((70, 4)), threads=2)]
    if kind == "event":
        return [s.simulate(0.5, q={"a": start + 0.1}, events=[fb.Event("q.a")], progress=False).x]
    return [s.simulate(0.2, q={"a": start}, method=kind, progress=False, **OPTIONS.get(kind, {})).x]

shared, *kinds = sys.argv[1:]
one = system()
systems = [one if shared == "shared" else system() for _ in range(8)]
work = [(kinds[k % len(kinds)], systems[k], k // len(kinds)) for k in range(8)]
results, begin = [None] * 8, threading.Barrier(8)

def run(k):
    begin.wait()
    results[k] = job(*work[k])

threads = [threading.Thread(target=run, args=(k,)) for k in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
for (kind, s, k), result in zip(work, results):
    assert result is not None, f"{kind}: the thread failed"
    for x, y in zip(result, job(kind, s, k), strict=True):
        assert np.array_equal(x, y), f"{kind}: a thread has other numbers"
print("the same", len(results))
"""


def test_what_threads_need_at_once_is_made_once() -> None:
    made, seen, begin = list[int](), list[object](), threading.Barrier(8)

    @once
    def thing(number: int) -> object:
        made.append(number)
        time.sleep(0.01)
        if len(made) == 1:
            raise ValueError("not ready")
        return object()

    def ask() -> None:
        begin.wait()
        seen.append(thing(3))

    with pytest.raises(ValueError, match="not ready"):
        thing(3)
    threads = [threading.Thread(target=ask) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert made == [3, 3] and len(seen) == 8 and len(set(seen)) == 1  # an error is not stored, a result is
    assert thing(4) is not thing(3) and thing(4) is thing(4)


def in_threads(shared: str, *kinds: str) -> None:
    """Eight threads of a fresh process begin these together, each with a system of its own or all with one."""
    done = subprocess.run([sys.executable, "-c", CHILD, shared, *kinds], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stdout == "the same 8\n" and not done.stderr, done.stderr[-3000:]


@pytest.mark.parametrize("kinds", [("llvm", "batch llvm"), ("dop853", "rk4"), ("sweep",)], ids="-".join)
def test_threads_that_begin_together_get_the_numbers_of_one_thread(kinds: tuple[str, ...]) -> None:
    in_threads("own", *kinds)


@pytest.mark.long
@pytest.mark.parametrize("shared", ["own", "shared"])
@pytest.mark.parametrize(
    "kind", ["llvm", "numpy", "c", "batch llvm", "batch numpy", "batch c", "dop853", "dopri5", "rk4", "radau", "bdf",
             "lsoda", "cvode", "ida", "event", "sweep", "linearize"],
)  # fmt: skip
def test_threads_get_the_same_numbers_from_every_engine_and_integrator(kind: str, shared: str) -> None:
    if kind in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    in_threads(shared, kind)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_runs_with_events_in_threads_equal_runs_one_by_one(method: str) -> None:
    """All of one system: what its runs share is not disturbed by another run."""
    eq = ball().derive()
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"}, name="bounce")

    def run(height: float) -> list[Any]:
        result = eq.simulate([0.0, 2.0], q={"ball": height}, events=[bounce], method=method)
        return [result.x.tolist(), result.events.t.tolist()]

    heights = [0.5 + 0.1 * k for k in range(12)]
    expected = [run(height) for height in heights]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(run, heights)) == expected
