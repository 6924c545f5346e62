"""How times are taken: compiled code called in a compiled loop; rivals interleaved, medians with their spread."""

import ctypes
import statistics
import time
from collections.abc import Callable
from functools import cache

import numpy as np

from freebody.backends.llvm import jit
from freebody.backends.llvm.ir import IRWriter, define


@cache
def _repeater(types: tuple[str, ...]) -> Callable[..., None]:
    """repeat(n, f, a0, …): call the function at address f n times with these arguments."""
    w, arguments = IRWriter(), ", ".join(f"{t} %a{k}" for k, t in enumerate(types))
    with w.loop(0, "%n"):
        w(f"call void %f({arguments})")
    library = jit.load(define(f"void @repeat(i64 %n, ptr %f, {arguments})", w), cache=None)
    passed = [ctypes.c_int64 if t == "i64" else ctypes.c_void_p for t in types]
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, *passed)(library.address("repeat"))
    call.library = library
    return call


def loop(address: int, arguments: list[np.ndarray | int]) -> Callable[[int], None]:
    """A function that runs compiled code n times on these arrays, which it holds, and integers."""
    call = _repeater(tuple("i64" if isinstance(a, int) else "ptr" for a in arguments))
    given = [a if isinstance(a, int) else a.ctypes.data for a in arguments]

    def repeat(n: int, holds: object = arguments) -> None:
        call(n, address, *given)

    return repeat


def nanoseconds(
    rivals: dict[str, Callable[[int], None]],
    seconds: float = 0.02,
    rounds: int = 15,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, dict]:
    """Time per repetition of each rival, their rounds interleaved: median, and the quartiles. Rivals that run in one
    thread may have time.thread_time for a clock, which stands still while others have the processor."""
    counts = {name: _calibrate(f, seconds, clock) for name, f in rivals.items()}
    taken: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(rounds):
        for name, f in rivals.items():
            start = clock()
            f(counts[name])
            taken[name].append((clock() - start) / counts[name] * 1e9)
    return {name: summary(values) for name, values in taken.items()}


def _calibrate(f: Callable[[int], None], seconds: float, clock: Callable[[], float]) -> int:
    """How many repetitions take about this long, once everything is compiled and warm."""
    f(1)
    n = 1
    while True:
        start = clock()
        f(n)
        took = clock() - start
        if took > seconds / 4:
            return max(1, int(n * seconds / took))
        n *= 4


def summary(values: list[float]) -> dict:
    low, middle, high = statistics.quantiles(values, n=4)
    return {"median": middle, "quartiles": [low, high], "best": min(values)}


def seconds(rivals: dict[str, Callable[[], object]], rounds: int = 5) -> dict[str, dict]:
    """Time of one run of each rival, interleaved."""
    taken: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(rounds):
        for name, f in rivals.items():
            start = time.perf_counter()
            f()
            taken[name].append(time.perf_counter() - start)
    return {name: summary(values) for name, values in taken.items()}


def aligned(shape: tuple[int, ...], values: np.ndarray | None = None) -> np.ndarray:
    """An array on a 64-byte boundary."""
    size = int(np.prod(shape))
    raw = np.zeros(size + 8)
    start = (-raw.ctypes.data % 64) // 8
    array = raw[start : start + size].reshape(shape)
    if values is not None:
        array[...] = values
    return array
