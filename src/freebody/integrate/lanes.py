"""Many cases of one system at once: lanes of vectors, and all cores."""

import ctypes
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.backends import Bound, Function
from freebody.errors import ArgumentError
from freebody.integrate.breaks import breaks, segment
from freebody.integrate.emit import HELD, adapter_name, library
from freebody.integrate.emit_drive import Status
from freebody.integrate.emit_lanes import FEED, layout
from freebody.integrate.emit_layout import ROWS, Record, aligned
from freebody.integrate.field import order_of
from freebody.integrate.integrator import NOTHING, Tolerance, places_of, set_control, tableau_of, tolerance

Array = NDArray[np.float64]
Poll = Callable[[int], None]
TURN = 0.05
"""Seconds that compiled code runs before it looks whether it is still wanted."""


FAILED, UNFINISHED = -1, -2


class Lanes(NamedTuple):
    """What came of many cases: states (cases, times, n), NaN from where a case failed; ``status``: 0 at the end, −1
    failed, −2 not finished when it was interrupted; steps and evaluations; why each ended (a ``Status``, or −2), and
    where: its time, last step and state."""

    x: Array
    status: NDArray[np.int64]
    steps: NDArray[np.int64]
    evaluations: NDArray[np.int64]
    reason: NDArray[np.int64]
    t: Array
    size: Array
    state: Array


def integrate_lanes(
    method: str, function: Function, x0: ArrayLike, times: ArrayLike, *, parameters: ArrayLike | None = None,
    inputs: ArrayLike = (), rtol: Tolerance = 1e-8, atol: Tolerance = 1e-10, step: float | None = None,
    quaternions: Sequence[int] = (), max_step: float | None = None, max_steps: int | None = None, threads: int = 0,
    poll: Poll | None = None,
) -> Lanes:  # fmt: skip
    """Every case from its row of x0 at times[0] on.

    Parameters and inputs are one row for all cases, or a row for each; those of a bound function may be left out.
    ``max_steps`` is how many each case may take. ``threads``: 0 for all cores. ``poll`` is called now and then with
    the number of cases that are done. Where f has break points that are the same for all cases, all of them go
    from one to the next together. Ctrl-C (a KeyboardInterrupt, also by ``poll``) ends the work: what is
    finished is returned.
    """
    states = np.array(x0, dtype=np.float64, ndmin=2)
    job = _Job(method, function, states, np.array(times, dtype=np.float64).reshape(-1), step)
    job.take(parameters, np.asarray(inputs, dtype=np.float64))
    job.control(rtol, atol, max_step, max_steps, quaternions)
    parts = _parts(len(states), threads or os.cpu_count() or 1, job.width)
    legs, interrupted = job.legs(), False
    for k, leg in enumerate(legs):
        leg.x0 = job.x0 if k == 0 else legs[k - 1].saved[:, -1]
        leg.steps[:] = job.steps
        try:
            _run([_Share(job, leg, part) for part in parts], _told(poll, k, len(legs), len(states)))
        except KeyboardInterrupt:
            interrupted = True
        job.collect(leg, last=leg is legs[-1])
        if interrupted:
            break
    return job.result()


def _told(poll: Poll | None, leg: int, legs: int, cases: int) -> Poll | None:
    """Of the cases on a leg, as many as would be done if all legs were alike."""
    return None if poll is None else lambda done: poll((leg * cases + done) // legs)


class _Leg:
    """The way of all cases from one break point to the next. Its first and last row are where it begins and ends,
    unless it is the whole way; ``inside`` are the rows in between among all that are to be saved."""

    def __init__(self, times: Array, inside: slice, shape: tuple[int, int], bounds: tuple[float, float]) -> None:
        cases, n = shape
        self.times, self.inside, (self.low, self.high) = times, inside, bounds
        self.x0 = np.empty((cases, n))
        self.saved = np.full((cases, len(times), n), np.nan)
        self.reason = np.full(cases, UNFINISHED, np.int64)
        self.steps, self.evaluations = np.zeros(cases), np.zeros(cases)
        self.t, self.size, self.state = np.full(cases, np.nan), np.zeros(cases), np.full((cases, n), np.nan)


class _Job:
    """What all shares have in common: the code, the groups as they are given, where results go."""

    def __init__(self, method: str, function: Function, x0: Array, times: Array, step: float | None) -> None:
        self.tableau, self.function, self.x0, self.times = tableau_of(method, step), function, x0, times
        self.step, self.who = step or 0.0, function.program.name
        function.main.address()  # machine code, or an error
        self.order = order_of(function)
        self.engine = function.main
        self.width = self.engine.width
        self.sizes = {g.name: g.size for g in function.staged.main.groups}
        n, cases, steps = self.sizes["x"], len(x0), np.diff(times)
        if x0.shape[1:] != (n,):
            raise ArgumentError(f"{self.who}: x0 has shape {x0.shape}, not (cases, {n})")
        if not len(times) or not (np.all(steps >= 0) or np.all(steps <= 0)):
            raise ArgumentError("times must go one way, and there must be at least one, the start")
        self.saved = np.empty((cases, 0, n))
        self.reason = np.full(cases, Status.DONE, np.int64)
        self.steps, self.evaluations = np.zeros(cases), np.zeros(cases)
        self.t, self.size, self.state = np.full(cases, times[0]), np.zeros(cases), x0.copy()

    def legs(self) -> list[_Leg]:
        """The whole way, cut at the break points inside it. Steps of one size stay on their grid."""
        start, end = float(self.times[0]), float(self.times[-1])
        ways = [] if self.step else list(self._between(start, end))
        if len(ways) < 2:
            return [_Leg(self.times, slice(None), self.x0.shape, (-np.inf, np.inf))]
        self.saved = np.full((len(self.x0), len(self.times), self.sizes["x"]), np.nan)
        sign, made, row = 1.0 if end >= start else -1.0, list[_Leg](), 0
        for (a, b), bounds in ways:
            stop = int(np.searchsorted(self.times * sign, b * sign, side="right"))
            rows = np.concatenate([[a], self.times[row:stop], [b]])
            made.append(_Leg(rows, slice(row, stop), self.x0.shape, bounds))
            row = stop
        return made

    def _between(self, t: float, end: float) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
        """From t to the end by the break points: where each leg begins and ends, the times at which f may be asked."""
        known = {name: _common(self.groups[name]) for name in ("parameters", "inputs")}
        points = breaks(self.function.program, **known)
        direction = 1.0 if end >= t else -1.0
        while t != end:
            low, high, goal = segment(points, t, direction)
            goal = end if (goal - end) * direction >= 0 else goal
            yield (t, goal), (low, high)
            t = goal

    def collect(self, leg: _Leg, last: bool) -> None:
        """What a leg has found; a case that failed on an earlier one stays as it was there."""
        if leg.times is self.times:
            self.saved = leg.saved
        else:
            self.saved[:, leg.inside] = leg.saved[:, 1:-1]
        alive = self.reason == Status.DONE
        ended = alive & (leg.reason != UNFINISHED)
        self.reason[alive] = leg.reason[alive]
        own, its = (self.t, self.size, self.state, self.steps), (leg.t, leg.size, leg.state, leg.steps)
        for mine, found in zip(own, its, strict=True):
            mine[ended] = found[ended]
        self.evaluations[alive] += leg.evaluations[alive]
        self._complete = last

    def result(self) -> Lanes:
        if not self._complete:
            self.reason[self.reason == Status.DONE] = UNFINISHED
        status = np.where(self.reason == Status.DONE, 0, np.where(self.reason == UNFINISHED, UNFINISHED, FAILED))
        steps, evaluations = self.steps.astype(np.int64), self.evaluations.astype(np.int64)
        return Lanes(self.saved, status, steps, evaluations, self.reason, self.t, self.size, self.state)

    def take(self, parameters: ArrayLike | None, inputs: Array) -> None:
        """The groups that are held: one row for all cases, or a row for each."""
        size, values = self.sizes["parameters"], np.asarray(parameters if parameters is not None else ())
        if parameters is None and isinstance(self.function, Bound):
            values = next(iter(self.function.parameters.values()), values)
        rows = {"parameters": self._rows("parameters", values, size), "inputs": self._rows("inputs", inputs)}
        if "hoisted" in self.sizes:
            rows["hoisted"] = self.function.setup_values(rows, len(self.x0))
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

    def control(
        self, rtol: Tolerance, atol: Tolerance, max_step: float | None, max_steps: int | None,
        quaternions: Sequence[int],
    ) -> None:  # fmt: skip
        n = self.sizes["x"]
        self.max_steps = np.inf if max_steps is None else float(max_steps)
        self.tolerances = {"rtol": tolerance("rtol", rtol, n), "atol": tolerance("atol", atol, n)}
        self.max_step = np.inf if max_step is None else max_step
        if not self.max_step > 0 or self.step < 0:
            raise ArgumentError(f"max_step = {max_step}, step = {self.step}: give positive numbers, or leave them out")
        self.places = places_of(quaternions, n)
        for k in quaternions:
            self.x0[:, k : k + 4] /= np.linalg.norm(self.x0[:, k : k + 4], axis=1, keepdims=True)


def _common(rows: Array) -> Array:
    """What is the same in all rows, NaN elsewhere."""
    return rows if rows.ndim == 1 or not len(rows) else np.where(np.all(rows == rows[0], axis=0), rows[0], np.nan)


class _Share:
    """A thread's cases on one leg, and the memory its lanes work in."""

    def __init__(self, job: _Job, leg: _Leg, part: slice) -> None:
        self.job, self.leg, self.part, self.cases = job, leg, part, part.stop - part.start
        self.s, n, width = Record(layout(job.width)), job.sizes["x"], job.width
        self.rows = aligned(len(ROWS) * n * width).reshape(len(ROWS), n, width)
        for name, values in job.tolerances.items():
            self.rows[ROWS[name]] = values.reshape(-1, 1)
        self.kept: list[NDArray[np.generic]] = []
        self._hold()
        self._constants()
        for name, array in (
            ("saved", leg.saved), ("status", leg.reason), ("case_steps", leg.steps),
            ("case_evaluations", leg.evaluations), ("case_times", leg.t), ("case_sizes", leg.size),
            ("case_states", leg.state),
        ):  # fmt: skip
            self.s[name] = array[part]
        code = library(width)
        self.s["field"], self.s["context"] = code.address(adapter_name(job.order)), ctypes.addressof(self.context)
        self.entry = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(code.address(job.tableau.name))

    def _hold(self) -> None:
        """What differs from case to case is fed to the lanes, the state too; all lanes start as copies of one case, so
        that those without a case of their own compute something sensible."""
        x0 = np.ascontiguousarray(self.leg.x0[self.part])
        feeds, places = [(x0, self.rows[ROWS["x"]])], {"run": self.job.address}
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
        s, job, n, width, times = self.s, self.job, self.job.sizes["x"], self.job.width, self.leg.times
        set_control(s, job.tableau)
        s["work"], s["n"], s["stride"], s["vectors"], s["inverse_n"] = self.rows, n, n * width, n, 1 / max(n, 1)
        s["t_start"], s["t_end"], s["time_count"] = times[0], times[-1], len(times)
        s["direction"] = 1.0 if times[-1] >= times[0] else -1.0
        s["step"], s["max_step"], s["max_steps"], s["cases"] = job.step, job.max_step, job.max_steps, self.cases
        s["min_step"] = max(NOTHING * float(np.abs(job.times[[0, -1]]).max()), np.finfo(float).tiny)
        s["low"], s["high"] = self.leg.low, self.leg.high
        needs_end = job.tableau.error_needs_end
        s["cost"], s["end_cost"] = job.tableau.stages - 1 + needs_end, float(not needs_end)
        s["dense_cost"], s["quaternion_count"] = len(job.tableau.extra), len(job.places)
        self._point("quaternions", job.places)
        self._point("times", times)
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
            self.job.engine.callback_errors.reraise()
            spent = time.perf_counter() - start
            budget = max(1, min(4 * budget, int(budget * TURN / max(spent, 1e-6))))
            told()

    def halt(self) -> None:
        """End the turn that is under way."""
        self.s["budget"] = 0


def _parts(cases: int, threads: int, width: int) -> list[slice]:
    """Equal shares, none smaller than a vector."""
    shares = max(1, min(threads, -(-cases // width)))
    edges = [cases * k // shares for k in range(shares + 1)]
    return [slice(a, b) for a, b in pairwise(edges) if b > a]


def _run(shares: list[_Share], poll: Poll | None) -> None:
    """Every share in a thread of its own; what the caller's thread raises (Ctrl-C, or by ``poll``) stops them all. One
    share needs no thread, unless compiled code calls functions of the user's: Ctrl-C must not find us there."""
    stop = threading.Event()

    def told() -> None:
        if poll is not None:
            poll(sum(share.done for share in shares))

    if len(shares) <= 1 and not any(code.calls for share in shares for code in share.job.function.program.blocks):
        for share in shares:
            share.run(stop, told)
        return
    with ThreadPoolExecutor(max(1, len(shares))) as pool:
        jobs = [pool.submit(share.run, stop) for share in shares]
        try:
            while (now := wait(jobs, TURN, FIRST_EXCEPTION)).not_done and not any(j.exception() for j in now.done):
                told()
        finally:
            stop.set()
            for share in shares:
                share.halt()
    for job in jobs:
        job.result()
    told()
