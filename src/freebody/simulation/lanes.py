"""Many cases of one system at once: lanes of vectors, and all cores."""

import ctypes
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.backends import Bound, Function
from freebody.errors import ArgumentError
from freebody.simulation.emit import HELD, adapter_name, library
from freebody.simulation.emit_drive import Status
from freebody.simulation.emit_lanes import FEED, layout
from freebody.simulation.emit_layout import ROWS, Record, aligned
from freebody.simulation.field import machine_code, order_of
from freebody.simulation.integrator import Tolerance, places_of, set_control, tableau_of, tolerance

Array = NDArray[np.float64]
Poll = Callable[[int], None]
TURN = 0.05
"""Seconds that compiled code runs before it looks whether it is still wanted."""


def integrate_lanes(
    method: str, function: Function, x0: ArrayLike, times: ArrayLike, *, parameters: ArrayLike | None = None,
    inputs: ArrayLike = (), rtol: Tolerance = 1e-8, atol: Tolerance = 1e-10, step: float | None = None,
    quaternions: Sequence[int] = (), max_step: float | None = None, threads: int = 0, poll: Poll | None = None,
) -> tuple[Array, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:  # fmt: skip
    """Every case from its row of x0 at times[0] on: states (cases, times, n), status (0, or −1 where a case failed: its
    further rows are NaN), steps and evaluations of each.

    Parameters and inputs are one row for all cases, or a row for each; those of a bound function may be left out.
    ``threads``: 0 for all cores. ``poll`` is told now and then how many cases are done.
    """
    states = np.array(x0, dtype=np.float64, ndmin=2)
    job = _Job(method, function, states, np.array(times, dtype=np.float64).reshape(-1), step)
    job.take(parameters, np.asarray(inputs, dtype=np.float64))
    job.control(rtol, atol, max_step, quaternions)
    _run([_Share(job, part) for part in _parts(len(states), threads or os.cpu_count() or 1, job.width)], poll)
    return job.saved, job.status, job.steps.astype(np.int64), job.evaluations.astype(np.int64)


class _Job:
    """What all shares have in common: the code, the groups as they are given, where results go."""

    def __init__(self, method: str, function: Function, x0: Array, times: Array, step: float | None) -> None:
        self.tableau, self.function, self.x0, self.times = tableau_of(method, step), function, x0, times
        self.step, self.who = step or 0.0, function.program.name
        machine_code(function)
        self.order = order_of(function)
        self.engine = engine = cast(Any, function.main)
        self.width: int = engine.width
        self.sizes = {g.name: g.size for g in function.staged.main.groups}
        n, cases, steps = self.sizes["x"], len(x0), np.diff(times)
        if x0.shape[1:] != (n,):
            raise ArgumentError(f"{self.who}: x0 has shape {x0.shape}, not (cases, {n})")
        if not len(times) or not (np.all(steps >= 0) or np.all(steps <= 0)):
            raise ArgumentError("times must go one way, and there must be at least one, the start")
        self.saved = np.full((cases, len(times), n), np.nan)
        self.status = np.full(cases, -1, np.int64)
        self.steps, self.evaluations = np.zeros(cases), np.zeros(cases)

    def take(self, parameters: ArrayLike | None, inputs: Array) -> None:
        """The groups that are held: one row for all cases, or a row for each."""
        size, values = self.sizes["parameters"], np.asarray(parameters if parameters is not None else ())
        if parameters is None and isinstance(self.function, Bound):
            values = next(iter(self.function.parameters.values()), values)
        rows = {"parameters": self._rows("parameters", values, size), "inputs": self._rows("inputs", inputs)}
        if "hoisted" in self.sizes:
            rows["hoisted"] = self._hoist(rows["parameters"])
        self.groups: Mapping[str, Array] = rows
        uniform = frozenset(name for name, a in rows.items() if a.ndim == 1)
        self.address = self.engine.wide(uniform)

    def _rows(self, name: str, given: ArrayLike, size: int | None = None) -> Array:
        array = np.ascontiguousarray(given, dtype=np.float64)
        size, cases = self.sizes[name] if size is None else size, len(self.x0)
        if array.size == size == 0:
            return np.empty(0)
        if array.shape not in ((size,), (cases, size)):
            raise ArgumentError(f"{self.who}: {name} have shape {array.shape}, not ({size},) or ({cases}, {size})")
        return array

    def _hoist(self, parameters: Array) -> Array:
        """What depends on parameters alone, for each row of them."""
        setup: Any = self.function.setup
        many = parameters.ndim == 2
        hoisted = np.empty((len(self.x0), self.sizes["hoisted"]) if many else self.sizes["hoisted"])
        given = [parameters] if self.function.staged.setup.groups else []  # type: ignore[union-attr]
        if many:
            setup.run_batch(len(self.x0), given, [hoisted])
        else:
            setup.run(given, [hoisted])
        return hoisted

    def control(self, rtol: Tolerance, atol: Tolerance, max_step: float | None, quaternions: Sequence[int]) -> None:
        n = self.sizes["x"]
        self.tolerances = {"rtol": tolerance("rtol", rtol, n), "atol": tolerance("atol", atol, n)}
        self.max_step = np.inf if max_step is None else max_step
        if not self.max_step > 0 or self.step < 0:
            raise ArgumentError(f"max_step = {max_step}, step = {self.step}: give positive numbers, or leave them out")
        self.places = places_of(quaternions, n)
        for k in quaternions:
            self.x0[:, k : k + 4] /= np.linalg.norm(self.x0[:, k : k + 4], axis=1, keepdims=True)


class _Share:
    """A thread's cases, and the memory its lanes work in."""

    def __init__(self, job: _Job, part: slice) -> None:
        self.job, self.part, self.cases = job, part, part.stop - part.start
        self.s, n, width = Record(layout(job.width)), job.sizes["x"], job.width
        self.rows = aligned(len(ROWS) * n * width).reshape(len(ROWS), n, width)
        for name, values in job.tolerances.items():
            self.rows[ROWS[name]] = values[:, None]
        self.kept: list[NDArray[np.generic]] = []
        self._hold()
        self._constants()
        for name, array in (
            ("saved", job.saved), ("status", job.status), ("case_steps", job.steps),
            ("case_evaluations", job.evaluations),
        ):  # fmt: skip
            self.s[name] = array[part]
        code = library(width)
        self.s["field"], self.s["context"] = code.address(adapter_name(job.order)), ctypes.addressof(self.context)
        self.entry = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(code.address(job.tableau.name))

    def _hold(self) -> None:
        """What differs from case to case is fed to the lanes, the state too; all lanes start as copies of one case, so
        that those without a case of their own compute something sensible."""
        feeds, places = [(self.job.x0[self.part], self.rows[ROWS["x"]])], {"run": self.job.address}
        for name, array in self.job.groups.items():
            if array.ndim == 2:
                packed = aligned(array.shape[1] * self.job.width).reshape(-1, self.job.width)
                feeds.append((array[self.part], packed))
            places[name] = int((feeds[-1][1] if array.ndim == 2 else array).ctypes.data)
        for source, target in feeds:
            target[:] = source[0][:, None]
        words = [(a.ctypes.data, b.ctypes.data, a.shape[1]) for a, b in feeds]
        self.context = (ctypes.c_void_p * len(HELD))(*(places.get(name) for name in HELD))
        self._point("feeds", np.array(words, np.int64).reshape(-1, FEED))
        self.kept += [array for pair in feeds for array in pair]
        self.s["feed_count"] = len(feeds)

    def _point(self, name: str, array: NDArray[np.generic]) -> None:
        self.kept.append(array)
        self.s[name] = array

    def _constants(self) -> None:
        s, job, n, width = self.s, self.job, self.job.sizes["x"], self.job.width
        set_control(s, job.tableau)
        s["work"], s["n"], s["stride"], s["vectors"], s["inverse_n"] = self.rows, n, n * width, n, 1 / max(n, 1)
        s["t_start"], s["t_end"], s["time_count"] = job.times[0], job.times[-1], len(job.times)
        s["direction"] = 1.0 if job.times[-1] >= job.times[0] else -1.0
        s["step"], s["max_step"], s["cases"] = job.step, job.max_step, self.cases
        needs_end = job.tableau.error_needs_end
        s["cost"], s["end_cost"] = job.tableau.stages - 1 + needs_end, float(not needs_end)
        s["dense_cost"], s["quaternion_count"] = len(job.tableau.extra), len(job.places)
        self._point("quaternions", job.places)
        self._point("times", job.times)
        for name in ("lane_case", "lane_rows"):
            self._point(name, np.zeros(width, np.int64))

    @property
    def done(self) -> int:
        """Cases that are finished."""
        return self.s.whole("following") - int(self.s.lanes("active").sum())

    def run(self, stop: threading.Event, told: Callable[[], None] = lambda: None) -> None:
        """All cases; between turns it looks whether it is still wanted."""
        budget, status = 100, Status.BUDGET
        while status is not Status.DONE and not stop.is_set():
            self.s["budget"] = budget
            start = time.perf_counter()
            status = Status(self.entry(self.s.address))
            self.job.engine.complaints.settle()
            spent = time.perf_counter() - start
            budget = max(1, min(4 * budget, int(budget * TURN / max(spent, 1e-6))))
            told()


def _parts(cases: int, threads: int, width: int) -> list[slice]:
    """Equal shares, none smaller than a vector."""
    shares = max(1, min(threads, -(-cases // width)))
    edges = [cases * k // shares for k in range(shares + 1)]
    return [slice(a, b) for a, b in pairwise(edges) if b > a]


def _run(shares: list[_Share], poll: Poll | None) -> None:
    """Every share in a thread of its own; what the caller's thread raises (Ctrl-C, or by ``poll``) stops them all."""
    stop = threading.Event()

    def told() -> None:
        if poll is not None:
            poll(sum(share.done for share in shares))

    if len(shares) <= 1:
        for share in shares:
            share.run(stop, told)
        return
    with ThreadPoolExecutor(len(shares)) as pool:
        jobs = [pool.submit(share.run, stop) for share in shares]
        try:
            while (now := wait(jobs, TURN, FIRST_EXCEPTION)).not_done and not any(j.exception() for j in now.done):
                told()
        finally:
            stop.set()
    for job in jobs:
        job.result()
    told()
