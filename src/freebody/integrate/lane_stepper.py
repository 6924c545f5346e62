"""Many states of one system that move on together, again and again: the memory of their lanes stays."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends import Function
from freebody.integrate.emit_stiffness import EXPLICIT, IMPLICIT
from freebody.integrate.integrator import NEGLIGIBLE, Tolerance, quaternion_indices, tolerance
from freebody.integrate.lanes import (
    START,
    VERDICT,
    LaneJob,
    LaneShare,
    LaneStages,
    LaneSteps,
    Leg,
    StiffLanes,
    results_of,
)
from freebody.integrate.manifold import FAR, near
from freebody.integrate.record import Status

Array = NDArray[np.float64]
WORTH = 2e-4
"""Seconds of work that pay for threads."""

TURN = 100_000
"""Steps of a thread's lanes between two looks at whether it is to stop."""

UNFINISHED, TINY = -2, float(np.finfo(float).tiny)


class LaneStepper:
    """States ``x``, a row for each world, which ``advance`` moves on in place; ``h`` are the sizes of the next steps.

    ``parameters`` are one row for all worlds, or a row for each; ``inputs`` are a row for each, read at each call.
    Every call begins anew from the states, as a simulator does. ``threads``: 0 for all cores. What a world does is
    independent of the others and of the threads."""

    def __init__(
        self,
        method: str,
        function: Function,
        x: Array,
        *,
        parameters: Array,
        inputs: Array,
        rtol: Tolerance,
        atol: Tolerance,
        step: float | None,
        first_step: float | None,
        max_step: float | None,
        quaternions: Sequence[int],
        manifold: Function | None,
        speeds: Sequence[int],
        consistent: bool,
        threads: int,
        stages: LaneStages | LaneSteps | None = None,
        stiff: StiffLanes | None = None,
    ) -> None:
        self.x, self.inputs, n = x, inputs, x.shape[1]
        self.memory = np.tile(START, (len(x), 1))
        self._verdicts = self.memory[:, VERDICT]
        self.h = np.full(len(x), first_step or 0.0)
        self._job = job = LaneJob(method, function, manifold, stages, x, np.zeros(1), step, max_step, None, stiff)
        job.tolerances = {"rtol": tolerance("rtol", rtol, n), "atol": tolerance("atol", atol, n)}
        job.tolerances["near"], job.tolerances["near_rel"] = near(n, speeds, rtol, atol, consistent)
        job.far, job.quaternions = FAR if consistent else np.inf, quaternion_indices(quaternions, n)
        blocks = (block for code in job.codes.values() for block in code.function.program.blocks)
        self._users, self._threads = any(block.calls for block in blocks), threads
        self._pool: ThreadPoolExecutor | None = None
        self._spent, self._stop = 0.0, Event()
        self.before = x, self.h
        self._known_before = self.memory, job.implicit
        self.set_parameters(parameters)

    def set_parameters(self, parameters: Array) -> None:
        """Other values of parameters: what depends on them alone is computed anew."""
        job = self._job
        job.set_groups(parameters, self.inputs)
        self._results = results_of(self.x, 0, UNFINISHED)
        self._results |= {"case_h": self.h, "case_states": self.x, "case_memory": self.memory}
        self._results["case_goal"].fill(np.inf)
        self._leg = Leg(np.zeros(2), None, -np.inf, np.inf, self._results)
        self._shares, self._implicit = self._made(implicit=False), list[LaneShare]()
        at = self._shares[0].s.layout.offsets
        self._at = [at[name] for name in ("t_start", "t_end", "min_step", "low", "high")]
        self._following, self._sorted = at["following"], False

    def _made(self, implicit: bool) -> list[LaneShare]:
        """The shares of one method, with room for all worlds."""
        parts = self._job.parts(np.arange(len(self.x)), self._threads)
        size = max(map(len, parts))
        room = np.zeros(size, np.int64)
        shares = [LaneShare(self._job, self._leg, self.x, room, implicit) for _ in parts]
        for share, part in zip(shares, parts, strict=True):
            share.take(part)
            share.s["direction"] = 1.0
        return shares

    @property
    def stiffness(self) -> Array:
        """What is remembered of the stiffness of each world, and which method it uses, as of ``Integrator``."""
        return _rows(self.memory, self._job.implicit)

    @property
    def stiffness_before(self) -> Array:
        """The same before the last call of ``advance``."""
        return _rows(*self._known_before)

    def remember(self, worlds: NDArray[np.intp], rows: Array | None = None) -> None:
        """Let this be what is remembered of worlds; None: what those that begin remember."""
        self.memory[worlds] = START if rows is None else rows[:, 1:]
        known = False if rows is None else rows[:, 0] == IMPLICIT
        self._job.implicit[worlds] = known
        if np.any(known):
            self._job.find_stages()
            self._job.implicit &= self._job.stages is not None
        self._sorted = False

    def renew(self, worlds: NDArray[np.intp]) -> None:
        """Compute anew what depends on parameters alone, where the parameters of worlds were changed in place."""
        for code in self._job.codes.values():
            if "hoisted" in code.sizes:
                rows = {"parameters": code.groups["parameters"][worlds]}
                code.groups["hoisted"][worlds] = code.function.setup_values(rows, len(worlds))

    @property
    def unconverged(self) -> int:
        """Steps with contact, of all worlds, whose impulses have not converged."""
        return int(sum(share.s.lanes("unconverged").sum() for share in self._shares))

    @property
    def mismatch(self) -> float:
        """How far the impulses of these differ at most from those of the law, as a fraction of the largest."""
        return float(max(share.s.lanes("mismatch").max() for share in self._shares))

    def advance(self, t: float, t_end: float, low: float = -np.inf, high: float = np.inf) -> NDArray[np.int64]:
        """Move all worlds on from t to a later time; returns for each why it ended (a ``Status``). f is evaluated
        between ``low`` and ``high`` only. Where this raises, the states are as before; ``before`` are those states and
        steps."""
        status: NDArray[np.int64] = self._results["status"]
        job, stiff = self._job, self._job.stiff is not None
        self.before = self.x.copy(), self.h.copy()
        if stiff:
            self._known_before = self.memory.copy(), job.implicit.copy()
        status.fill(UNFINISHED)
        self._results["case_steps"].fill(0.0)
        self._results["case_begin"].fill(t)
        values = t, t_end, max(NEGLIGIBLE * max(abs(t), abs(t_end)), TINY), low, high
        start = perf_counter()
        try:
            if stiff and self._verdicts.any():
                job.change(np.arange(len(self.x)), self._results)
                self._sorted = False
            if not self._sorted:
                self._sort(np.arange(len(self.x)))
            self._run(values)
            while status.any() and len(waiting := np.flatnonzero(status == Status.CHANGE)):
                job.change(waiting, self._results)
                self._results["case_begin"][waiting] = self._results["case_times"][waiting]
                self._sort(waiting)
                self._run(values)
                self._sorted = False
        except BaseException:
            self.x[:], self.h[:] = self.before
            for share in (*self._shares, *self._implicit):
                share.s["active"] = 0.0
            self.memory[:], job.implicit[:] = self._known_before
            self._sorted = False
            raise
        self._spent = perf_counter() - start
        return status

    def _sort(self, worlds: NDArray[np.int64]) -> None:
        """Divide worlds among the shares of their methods."""
        implicit = self._job.implicit[worlds]
        if implicit.any() and not self._implicit:
            self._implicit = self._made(implicit=True)
        for shares, own in ((self._shares, worlds[~implicit]), (self._implicit, worlds[implicit])):
            for share, part in zip(shares, np.array_split(own, max(1, len(shares))), strict=False):
                share.take(part)
        self._sorted = True

    def _run(self, values: Sequence[float]) -> None:
        """All worlds of the shares that have some."""
        shares = [share for share in (*self._shares, *self._implicit) if share.cases]
        for share in shares:
            numbers, words = share.views
            for k, value in zip(self._at, values, strict=True):
                numbers[k] = value
            words[self._following] = 0
            if share.implicit:
                share.s["relative_cost"] = self._job.relative_cost
        if not self._users and (len(shares) == 1 or self._spent < WORTH):
            for share in shares:
                self._finish(share)
        else:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(2 * len(self._shares))
            jobs: list[Any] = [self._pool.submit(self._finish, share) for share in shares]
            try:
                for job in jobs:
                    job.result()
            except BaseException:
                self._stop.set()
                while not all(job.done() for job in jobs):
                    for share in shares:
                        share.s["budget"] = 0  # ends the turn that is under way
                self._stop.clear()
                raise

    def _finish(self, share: LaneShare) -> None:
        """All worlds of a share, in turns."""
        status = int(Status.BUDGET)
        while status != Status.DONE and not self._stop.is_set():
            share.s["budget"] = TURN
            status = share.entry(share.s.address)
            for code in self._job.codes.values():
                code.engine.callback_errors.reraise()


def _rows(memory: Array, implicit: NDArray[np.bool_]) -> Array:
    return np.column_stack([np.where(implicit, IMPLICIT, EXPLICIT), memory])
