"""Many cases of one system at once, in lanes of vectors and on all cores."""

import ctypes
import os
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.backends import Bound, Function
from freebody.errors import ArgumentError
from freebody.integrate import emit_stiffness
from freebody.integrate.breaks import breaks, segment
from freebody.integrate.compiled import HELD, StageCode, StepCode, adapter_of, library
from freebody.integrate.contact_method import STAGED, Method
from freebody.integrate.emit_lanes import FEED, layout
from freebody.integrate.integrator import NEGLIGIBLE, Tolerance, quaternion_indices, set_control, tableau_of, tolerance
from freebody.integrate.manifold import FAR, near
from freebody.integrate.record import ROWS, Record, Status, aligned, view
from freebody.integrate.rosenbrock import RODAS5P

Array = NDArray[np.float64]
Poll = Callable[[int], None]
Update = Callable[[float, Array], Array]
TURN = 0.05
"""Seconds for which compiled code runs before it returns to check for an interrupt."""

FAILED, UNFINISHED = -1, -2


START = np.array([emit_stiffness.FIRST if name in ("due", "spacing") else 0.0 for name in emit_stiffness.MEMORY])
"""What is remembered of the stiffness of a case that begins."""


class LaneStages(NamedTuple):
    """The functions of the linear system of stages (``hybrid.system.StageSystem``)."""

    solution: Function | None
    entries: Function
    code: StageCode

    @property
    def functions(self) -> dict[str, Function | None]:
        return {"solution": self.solution, "entries": self.entries}

    def set(self, record: Record, width: int) -> dict[str, Array]:
        """Let a record point to the functions of numbers and to their memory, which is returned."""
        return self.code.set(record, 0 if self.solution is None else self.solution.program.outputs[0].size, width)


class LaneSteps(NamedTuple):
    """The functions of implicit steps with contact (``hybrid.system.StepSystem``)."""

    free: Function
    code: StepCode

    @property
    def functions(self) -> dict[str, Function | None]:
        return {"free": self.free}

    def set(self, record: Record, width: int) -> dict[str, Array]:
        return self.code.set(record, width)


class StiffLanes(NamedTuple):
    """What lanes need to change to rodas5p and back: the functions of its stages, or why there are none, and the cost
    of its attempts over that of an explicit method's. Both are called when a case first changes, where ``enough`` steps
    are limited by stability."""

    stages: Callable[[], LaneStages | str]
    cost: Callable[[], float]
    enough: float


class Lanes(NamedTuple):
    """The results of many cases: states (cases, times, n), NaN from where a case failed; ``status``: 0 at the end, −1
    failed, −2 not finished when it was interrupted; steps and evaluations; why each ended (a ``Status``, or −2), and
    where: its time, last step and state; calls of the projection to the constraints; which cases the stiff method
    integrated at their end, and why none could change to it, where one was to."""

    x: Array
    status: NDArray[np.int64]
    steps: NDArray[np.int64]
    evaluations: NDArray[np.int64]
    reason: NDArray[np.int64]
    t: Array
    size: Array
    state: Array
    projections: NDArray[np.int64]
    implicit: NDArray[np.bool_]
    refusal: str


def integrate_lanes(
    method: str,
    function: Function,
    x0: ArrayLike,
    times: ArrayLike,
    *,
    parameters: ArrayLike | None = None,
    inputs: ArrayLike = (),
    rtol: Tolerance = 1e-8,
    atol: Tolerance = 1e-10,
    step: float | None = None,
    quaternions: Sequence[int] = (),
    max_step: float | None = None,
    max_steps: int | None = None,
    threads: int = 0,
    poll: Poll | None = None,
    manifold: Function | None = None,
    speeds: Sequence[int] = (),
    consistent: bool = True,
    instants: Sequence[float] = (),
    update: Update | None = None,
    stages: LaneStages | LaneSteps | None = None,
    stiff: StiffLanes | None = None,
) -> Lanes:
    """Every case from its row of x0 at times[0] on.

    Parameters and inputs are one row for all cases, or a row for each; those of a bound function may be left out.
    ``max_steps`` is how many each case may take. ``threads``: 0 for all cores. ``poll`` is called now and then with
    the number of cases that are done. Where f has break points that are the same for all cases, all of them go
    from one to the next together. ``manifold`` corrects states towards their constraints, with ``speeds`` the indices
    of speeds in x, and ``consistent`` (see ``Manifold``). At ``instants`` (in order, none before the start) ``update``
    returns a row of inputs for each case, from the time and the states. ``stages`` is the linear system of implicit
    methods. With a ``stiff`` method each case changes to that where stability limits its steps, and back, when a single
    run would. Ctrl-C (a KeyboardInterrupt, also by ``poll``)
    ends the work: what is finished is returned.
    """
    states, requested = np.array(x0, np.float64, ndmin=2), np.array(times, np.float64).reshape(-1)
    job = LaneJob(method, function, manifold, stages, states, requested, step, max_step, max_steps, stiff)
    job.set_groups(parameters, np.asarray(inputs, dtype=np.float64))
    job.tolerances = {"rtol": tolerance("rtol", rtol, job.n), "atol": tolerance("atol", atol, job.n)}
    job.tolerances["near"], job.tolerances["near_rel"] = near(job.n, speeds, rtol, atol, consistent)
    job.far = FAR if consistent else np.inf
    job.quaternions = quaternion_indices(quaternions, job.n)
    for k in quaternions:
        states[:, k : k + 4] /= np.linalg.norm(states[:, k : k + 4], axis=1, keepdims=True)
    cases = len(states)
    legs, start, interrupted = job.legs(instants), states, False
    total = results_of(states, 0 if len(legs) == 1 else len(requested), Status.DONE)
    total["case_times"][:], total["case_states"][:] = requested[0], states
    for k, leg in enumerate(legs):
        for name in ("case_steps", "case_h", "case_memory"):
            leg.results[name][:] = total[name]
        if update is not None and leg.begin in instants:
            job.set_groups(parameters, update(leg.begin, start))

        def progress(done: int, k: int = k) -> None:
            """Report the cases that would be done if all legs were equally long."""
            if poll is not None:
                poll((k * cases + done) // len(legs))

        try:
            job.run(leg, start.copy(), threads, progress)
        except KeyboardInterrupt:
            interrupted = True
            leg.results["status"][leg.results["status"] == Status.CHANGE] = UNFINISHED
        leg.add_to(total)
        start = leg.results["saved"][:, -1]
        if interrupted:
            break
    if update is not None and not interrupted and requested[-1] in instants:
        update(float(requested[-1]), start)
    reason = total["status"]
    if leg is not legs[-1]:
        reason[reason == Status.DONE] = UNFINISHED
    status = np.where(reason == Status.DONE, 0, np.where(reason == UNFINISHED, UNFINISHED, FAILED))
    steps, evaluations, projections = (
        total[name].astype(np.int64) for name in ("case_steps", "case_evaluations", "case_projections")
    )
    ends = total["case_times"], total["case_sizes"], total["case_states"]
    return Lanes(total["saved"], status, steps, evaluations, reason, *ends, projections, job.implicit, job.refusal)


def results_of(x0: Array, rows: int, reason: int) -> dict[str, NDArray[Any]]:
    """The arrays of results, by their names in the record (see ``emit_lanes.layout``)."""
    cases, n = x0.shape
    return {
        "saved": np.full((cases, rows, n), np.nan),
        "status": np.full(cases, reason, np.int64),
        "case_h": np.zeros(cases),
        "case_steps": np.zeros(cases),
        "case_evaluations": np.zeros(cases),
        "case_times": np.full(cases, np.nan),
        "case_sizes": np.zeros(cases),
        "case_states": np.full((cases, n), np.nan),
        "case_projections": np.zeros(cases),
        "case_begin": np.zeros(cases),
        "case_goal": np.zeros(cases),
        "case_rows": np.zeros(cases, np.int64),
        "case_memory": np.tile(START, (cases, 1)),
    }


class Leg(NamedTuple):
    """The way of all cases from one break point to the next; f is evaluated between ``low`` and ``high`` only. The
    first and last of its times are where it begins and ends, those in between are the ``inside`` of all requested
    times; if inside is None, it is the whole way, and its times are the requested ones."""

    times: Array
    inside: slice | None
    low: float
    high: float
    results: dict[str, NDArray[Any]]

    @property
    def begin(self) -> float:
        return float(self.times[0])

    def add_to(self, total: dict[str, NDArray[Any]]) -> None:
        """Add the leg's results; a case that failed on an earlier leg stays as it was there."""
        if self.inside is None:
            total["saved"] = self.results["saved"]
        else:
            total["saved"][:, self.inside] = self.results["saved"][:, 1:-1]
        alive = total["status"] == Status.DONE
        ended = alive & (self.results["status"] != UNFINISHED)
        total["status"][alive] = self.results["status"][alive]
        for name in ("case_times", "case_sizes", "case_states", "case_steps", "case_h", "case_memory"):
            total[name][ended] = self.results[name][ended]
        for name in ("case_evaluations", "case_projections"):
            total[name][alive] += self.results[name][alive]


class _Code:
    """A function that lanes call, and the values of its groups: one row for all cases, or a row for each."""

    def __init__(self, function: Function) -> None:
        self.function, self.name, self.engine = function, function.program.name, function.main
        self.engine.address()  # raises if there is no machine code
        self.width = self.engine.width
        self.adapter = adapter_of(function, self.width)
        self.sizes = {g.name: g.size for g in function.staged.main.groups}

    def set_groups(self, groups: Mapping[str, Array], cases: int) -> None:
        self.groups = dict(groups)
        if "hoisted" in self.sizes:
            self.groups["hoisted"] = self.function.setup_values(self.groups, cases)
        self.address = self.engine.wide(frozenset(name for name, a in self.groups.items() if a.ndim == 1))


VERDICT = emit_stiffness.MEMORY.index("verdict")


class LaneJob:
    """What all shares have in common: the codes (ẋ, and the correction towards constraints if there are any), the
    values of their groups, tolerances and limits."""

    tolerances: dict[str, Array]
    far: float
    quaternions: NDArray[np.int64]

    def __init__(
        self,
        method: str,
        function: Function,
        manifold: Function | None,
        stages: LaneStages | LaneSteps | None,
        x0: Array,
        times: Array,
        step: float | None,
        max_step: float | None,
        max_steps: int | None,
        stiff: StiffLanes | None = None,
    ) -> None:
        self.tableau, self.function, self.x0, self.times = tableau_of(method, step), function, x0, times
        self.stiff, self.relative_cost, self.refusal = stiff, 0.0, ""
        self.implicit = np.zeros(len(x0), bool)
        """Which cases are integrated by the stiff method now."""
        functions = {"field": function, "manifold": manifold}
        if stages is not None:
            functions |= stages.functions
        self.codes = {name: _Code(f) for name, f in functions.items() if f is not None}
        self.stages = stages
        self._groups: dict[str, Array] = {}
        rates = self.codes["field"]
        self.name, self.width, self.sizes = rates.name, rates.width, rates.sizes
        for code in self.codes.values():
            sizes = {name: code.sizes[name] for name in ("parameters", "x", "inputs")}
            if any(self.sizes[name] != size for name, size in sizes.items()) or code.width != self.width:
                raise ArgumentError(f"{code.name} and {self.name} must take the same groups and lanes")
        self.n, steps = self.sizes["x"], np.diff(times)
        self.horizon = float(times[-1]) if len(times) > 1 else np.nan
        if x0.shape[1:] != (self.n,):
            raise ArgumentError(f"{self.name}: x0 has shape {x0.shape}, not (cases, {self.n})")
        if not len(times) or not (np.all(steps >= 0) or np.all(steps <= 0)):
            raise ArgumentError("times must increase or decrease, and begin with the start")
        self.step, self.max_step = step or 0.0, np.inf if max_step is None else max_step
        if not self.max_step > 0 or self.step < 0:
            raise ArgumentError(f"max_step = {max_step}, step = {self.step}: give positive numbers, or leave them out")
        self.max_steps = np.inf if max_steps is None else float(max_steps)

    def set_groups(self, parameters: ArrayLike | None, inputs: Array) -> None:
        """The groups that are held: one row for all cases, or a row for each."""
        if parameters is None:
            parameters = next(iter(self.function.parameters.values()), ()) if isinstance(self.function, Bound) else ()
        groups: dict[str, Array] = {}
        for name, values in (("parameters", parameters), ("inputs", inputs)):
            array, size, cases = np.ascontiguousarray(values, dtype=np.float64), self.sizes[name], len(self.x0)
            if array.size == size == 0:
                array = np.empty(0)
            elif array.shape not in ((size,), (cases, size)):
                raise ArgumentError(f"{self.name}: {name} have shape {array.shape}, not ({size},) or ({cases}, {size})")
            groups[name] = array
        self._groups = groups
        for code in self.codes.values():
            code.set_groups(groups, len(self.x0))

    def run(self, leg: "Leg", x: Array, threads: int, progress: Poll) -> None:
        """All cases along a leg, from the rows of x, which are written to where the method of a case changes."""
        results = leg.results
        results["case_begin"].fill(leg.begin)
        results["case_goal"].fill(leg.begin)
        waiting = np.arange(len(x))
        self.change(waiting, results)
        while len(waiting):
            others = len(x) - len(waiting)
            explicit, implicit = waiting[~self.implicit[waiting]], waiting[self.implicit[waiting]]
            parts = [(part, False) for part in self.parts(explicit, threads)]
            parts += [(part, True) for part in self.parts(implicit, threads)]
            _run([LaneShare(self, leg, x, part, own) for part, own in parts], progress, others)
            waiting = np.flatnonzero(results["status"] == Status.CHANGE)
            self.change(waiting, results)
            x[waiting] = results["case_states"][waiting]
            results["case_begin"][waiting] = results["case_times"][waiting]

    def parts(self, cases: NDArray[np.int64], threads: int) -> list[NDArray[np.int64]]:
        """Cases divided among threads: none has fewer than a vector."""
        count = max(1, min(threads or os.cpu_count() or 1, -(-len(cases) // self.width)))
        return [part for part in np.array_split(cases, count) if len(part)]

    def change(self, cases: NDArray[np.int64], results: dict[str, NDArray[Any]]) -> bool:
        """Let those of the cases whose verdict says so use the other method; returns whether there are any."""
        verdict = results["case_memory"][:, VERDICT]
        changing = cases[verdict[cases] != 0.0]
        if not len(changing):
            return False
        self.find_stages()
        if self.stages is not None:
            self.implicit[changing] = ~self.implicit[changing]
        verdict[changing] = 0.0
        return True

    def find_stages(self) -> None:
        """Derive and compile what the stiff method needs, where that is possible."""
        if self.stages is not None or self.stiff is None or self.refusal:
            return
        stages = self.stiff.stages()
        if isinstance(stages, str):
            self.refusal = stages
            return
        self.stages, self.relative_cost = stages, self.stiff.cost()
        added = {"solution": stages.solution, "entries": stages.entries}
        codes = {name: _Code(f) for name, f in added.items() if f is not None}
        for code in codes.values():
            code.set_groups(self._groups, len(self.x0))
        self.codes |= codes

    def legs(self, instants: Sequence[float] = ()) -> list[Leg]:
        """The whole way, cut at the break points and at instants inside it. Steps of one size stay on their grid."""
        t, end = float(self.times[0]), float(self.times[-1])
        known = {}
        for name in ("parameters", "inputs"):  # what differs between cases is unknown
            rows = np.atleast_2d(self.codes["field"].groups[name])
            known[name] = np.where(np.all(rows == rows[:1], axis=0), rows[0], np.nan) if len(rows) else rows
        programs = [] if self.step else [code.function.program for code in self.codes.values()]
        points = sorted({point for program in programs for point in breaks(program, None, **known)})
        sign, legs, row = 1.0 if end >= t else -1.0, list[Leg](), 0
        ordered = sorted(at * sign for at in instants)
        while t != end:
            low, high, goal = segment(points, t, sign)
            following = bisect_right(ordered, t * sign)
            goal = sign * min([goal * sign, end * sign, *ordered[following : following + 1]])
            stop = int(np.searchsorted(self.times * sign, goal * sign, side="right"))
            times = np.concatenate([[t], self.times[row:stop], [goal]])
            if goal == end and not legs:
                break
            legs.append(Leg(times, slice(row, stop), low, high, results_of(self.x0, len(times), UNFINISHED)))
            t, row = goal, stop
        if not legs:
            legs = [Leg(self.times, None, -np.inf, np.inf, results_of(self.x0, len(self.times), UNFINISHED))]
        return legs


class LaneShare:
    """A thread's cases on one leg, and the memory its lanes work in."""

    def __init__(self, job: LaneJob, leg: Leg, x0: Array, order: NDArray[np.int64], implicit: bool = False) -> None:
        tableau: Method = RODAS5P if implicit else job.tableau
        self.job, self.s, times = job, Record(layout(job.width)), leg.times
        self.order, self.cases = np.array(order, np.int64), len(order)
        self.views = view(self.s.numbers), view(self.s.words)
        s, n, width, needs_end = self.s, job.n, job.width, tableau.error_needs_end
        self.rows = aligned(len(ROWS) * n * width).reshape(len(ROWS), n, width)
        for name, values in job.tolerances.items():
            self.rows[ROWS[name]] = values.reshape(-1, 1)
        # What differs from case to case, the state too, is fed to the lanes. All lanes start as copies of one case, so
        # that those without a case compute something sensible.
        self.rows[ROWS["probe"]] = emit_stiffness.probe(n)[:, None]
        feeds, self.contexts = [(np.ascontiguousarray(x0), self.rows[ROWS["x"]])], []
        vectors: dict[int, Array] = {}  # of the lanes, by the id of the cases' rows: codes share parameters and inputs
        for code in job.codes.values():
            addresses = {"run": code.address}
            for name, array in code.groups.items():
                if array.ndim == 2 and id(array) not in vectors:
                    vectors[id(array)] = aligned(array.shape[1] * width).reshape(-1, width)
                    feeds.append((array, vectors[id(array)]))
                addresses[name] = int(vectors.get(id(array), array).ctypes.data)
            self.contexts.append((ctypes.c_void_p * len(HELD))(*(addresses.get(name) for name in HELD)))
        for source, target in feeds:
            target[:] = source[order[0] if len(order) else 0][:, None]
        words = np.array([(a.ctypes.data, b.ctypes.data, a.shape[1]) for a, b in feeds], np.int64).reshape(-1, FEED)
        lane_case, lane_rows = np.zeros(width, np.int64), np.zeros(width, np.int64)
        pointers = {
            "work": self.rows,
            "feeds": words,
            "quaternions": job.quaternions,
            "times": times,
            "lane_case": lane_case,
            "lane_rows": lane_rows,
            "order": self.order,
            **leg.results,
        }
        for name, array in pointers.items():
            s[name] = array
        self.alive = feeds, pointers
        set_control(s, tableau, job.far, job.tolerances["rtol"], job.tolerances["atol"])
        s["n"], s["stride"], s["vectors"], s["inverse_n"] = n, n * width, n, 1 / max(n, 1)
        s["t_start"], s["t_end"], s["time_count"] = times[0], times[-1], len(times)
        self.implicit = implicit
        if job.stiff is not None and not job.refusal:
            s["watching"] = emit_stiffness.IMPLICIT if implicit else emit_stiffness.EXPLICIT
            s["horizon"], s["relative_cost"] = job.horizon, job.relative_cost
            s["enough"] = job.stiff.enough
        s["direction"] = 1.0 if times[-1] >= times[0] else -1.0
        s["step"], s["max_step"], s["max_steps"] = job.step, job.max_step, job.max_steps
        s["min_step"] = max(NEGLIGIBLE * float(np.abs(job.times[[0, -1]]).max()), np.finfo(float).tiny)
        s["low"], s["high"], s["cases"], s["feed_count"] = leg.low, leg.high, len(order), len(feeds)
        s["cost"], s["end_cost"] = tableau.stages - 1 + needs_end, float(not needs_end)
        s["dense_cost"], s["quaternion_count"] = len(tableau.extra), len(job.quaternions)
        for (name, code), held in zip(job.codes.items(), self.contexts, strict=True):
            s[name] = code.adapter
            s["context" if name == "field" else f"{name}_context"] = ctypes.addressof(held)
        if job.stages is not None and tableau.name in STAGED:
            self.memory = job.stages.set(s, width)
        self.entry = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(library(width).address(tableau.name))

    def take(self, order: NDArray[np.int64]) -> None:
        """Let these be the cases, at most as many as at first."""
        self.order[: len(order)] = order
        self.s["cases"] = self.cases = len(order)

    @property
    def done(self) -> int:
        """Cases that are finished."""
        return self.s.whole("following") - int(self.s.lanes("active").sum())

    def run(self, stop: threading.Event, report: Callable[[], None] = lambda: None) -> None:
        """All cases, in turns, until ``stop`` is set."""
        budget, status = 100, Status.BUDGET
        while status is not Status.DONE and not stop.is_set():
            self.s["budget"] = budget
            start = time.perf_counter()
            status = Status(self.entry(self.s.address))
            for code in self.job.codes.values():
                code.engine.callback_errors.reraise()
            spent = time.perf_counter() - start
            budget = max(1, min(4 * budget, int(budget * TURN / max(spent, 1e-6))))
            report()


def _run(shares: list[LaneShare], poll: Poll, finished: int = 0) -> None:
    """Every share in a thread; what the caller's thread raises (Ctrl-C, or ``poll``) stops them all. One share needs no
    thread, unless compiled code calls functions of the user: Ctrl-C must not arrive there. So many cases are
    ``finished`` beside them."""
    stop = threading.Event()

    def report() -> None:
        poll(finished + sum(share.done for share in shares))

    blocks = (block for share in shares for code in share.job.codes.values() for block in code.function.program.blocks)
    if len(shares) <= 1 and not any(block.calls for block in blocks):
        for share in shares:
            share.run(stop, report)
        return
    with ThreadPoolExecutor(max(1, len(shares))) as pool:
        jobs = [pool.submit(share.run, stop) for share in shares]
        try:
            while (now := wait(jobs, TURN, FIRST_EXCEPTION)).not_done and not any(j.exception() for j in now.done):
                report()
        finally:
            stop.set()
            for share in shares:
                share.s["budget"] = 0  # ends the turn that is under way
    for job in jobs:
        job.result()
    report()
