"""Many states of one system that move on together, again and again: the memory of their lanes stays."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends import Function
from freebody.integrate.integrator import NEGLIGIBLE, Tolerance, quaternion_indices, tolerance
from freebody.integrate.lanes import LaneJob, LaneShare, LaneStages, LaneSteps, Leg, results_of
from freebody.integrate.manifold import FAR, near
from freebody.integrate.record import Status, view

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
    ) -> None:
        self.x, self.inputs, n = x, inputs, x.shape[1]
        self.h = np.full(len(x), first_step or 0.0)
        self._job = job = LaneJob(method, function, manifold, stages, x, np.zeros(1), step, max_step, None)
        job.tolerances = {"rtol": tolerance("rtol", rtol, n), "atol": tolerance("atol", atol, n)}
        job.tolerances["near"], job.tolerances["near_rel"] = near(n, speeds, rtol, atol, consistent)
        job.far, job.quaternions = FAR if consistent else np.inf, quaternion_indices(quaternions, n)
        self._errors = [code.engine.callback_errors for code in job.codes.values()]
        blocks = (block for code in job.codes.values() for block in code.function.program.blocks)
        self._users = any(block.calls for block in blocks)
        shares = max(1, min(threads or os.cpu_count() or 1, -(-len(x) // job.width)))
        bounds = [len(x) * k // shares for k in range(shares + 1)]
        self._parts = [slice(a, b) for a, b in pairwise(bounds) if b > a]
        self._pool: ThreadPoolExecutor | None = None
        self._spent, self._stop = 0.0, Event()
        self.before = x, self.h
        self.set_parameters(parameters)

    def set_parameters(self, parameters: Array) -> None:
        """Other values of parameters: what depends on them alone is computed anew."""
        job = self._job
        job.set_groups(parameters, self.inputs)
        self._results = results_of(self.x, 0, UNFINISHED)
        self._results |= {"case_h": self.h, "case_states": self.x}
        leg = Leg(np.zeros(2), None, -np.inf, np.inf, self._results)
        self._shares = [LaneShare(job, leg, self.x, part) for part in self._parts]
        for share in self._shares:
            share.s["first_goal"], share.s["direction"] = np.inf, 1.0
        at = self._shares[0].s.layout.offsets
        self._views = [(view(share.s.numbers), view(share.s.words)) for share in self._shares]
        self._at = [at[name] for name in ("t_start", "t_end", "min_step", "low", "high")]
        self._following = at["following"]

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
        self.before = self.x.copy(), self.h.copy()
        status.fill(UNFINISHED)
        self._results["case_steps"].fill(0.0)
        values = t, t_end, max(NEGLIGIBLE * max(abs(t), abs(t_end)), TINY), low, high
        for numbers, words in self._views:
            for k, value in zip(self._at, values, strict=True):
                numbers[k] = value
            words[self._following] = 0
        start = perf_counter()
        try:
            self._run()
        except BaseException:
            self.x[:], self.h[:] = self.before
            for share in self._shares:
                share.s["active"] = 0.0
            raise
        self._spent = perf_counter() - start
        return status

    def _run(self) -> None:
        shares = self._shares
        if not self._users and (len(shares) == 1 or self._spent < WORTH):
            for share in shares:
                self._finish(share)
        else:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(len(shares))
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
            for errors in self._errors:
                errors.reraise()
