"""Many runs of one plant: the wide code where it can, one after the other where it must."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.integrate.plant import Plant
from freebody.integrate.record import Status
from freebody.integrate.steppers import IMPLICIT
from freebody.results.trajectory import RunResult
from freebody.run.diagnose import Stop, chatters, diagnose, ended
from freebody.run.recorder import Recorder
from freebody.run.run import Options, simulate

Array = NDArray[np.float64]
Poll = Callable[[int], None]
CHUNK = 1024
"""Cases in one piece of work: enough for wide code, little to lose."""

INTERRUPTED = -2
DIAGNOSED = 100
"""Of so many failed cases in one piece of work the causes are looked for; it takes some 10 ms each."""

REACHED, NOT_FINISHED = "reached the end", "not finished: the sweep was interrupted"


@dataclass(frozen=True)
class Cases:
    """Initial states (n, nx), and parameters and inputs, each one row for all cases or a row for each. ``refused``
    holds for each case why it cannot begin, "" where it can (None: all can)."""

    x0: Array
    parameters: Array
    inputs: Array
    refused: NDArray[np.object_] | None = None

    def __len__(self) -> int:
        return len(self.x0)

    def __getitem__(self, part: slice | NDArray[np.bool_]) -> "Cases":
        parameters, inputs = (a[part] if a.ndim == 2 else a for a in (self.parameters, self.inputs))
        return Cases(self.x0[part], parameters, inputs, None if self.refused is None else self.refused[part])

    def row(self, group: str, k: int) -> Array:
        """The parameters or inputs of one case."""
        rows = {"parameters": self.parameters, "inputs": self.inputs}[group]
        return rows[k] if rows.ndim == 2 else rows


def run_cases(
    plant: Plant, cases: Cases, times: Array, options: Options, record: Sequence[str] = (), poll: Poll | None = None,
    threads: int = 0,
) -> dict[str, Any]:  # fmt: skip
    """States (n, times, nx) under "x", "status" (0, 1, −1 or −2) and "message", "steps" and "evaluations" of each case,
    and the variables asked for by key. Rows that a run did not reach are NaN. Ctrl-C leaves the cases that are not
    finished at status −2."""
    refused = cases.refused
    free = np.ones(len(cases), bool) if refused is None else refused == ""
    found = _run(plant, cases[free], times, options, poll, threads) if free.any() else {}
    if refused is not None and not free.all():
        found = _with_refused(cases, refused, times, found)
    return _texts(found) | _recorded(plant, cases, times, found["x"], record)


def _run(
    plant: Plant, cases: Cases, times: Array, options: Options, poll: Poll | None, threads: int
) -> dict[str, Any]:
    how = plant, cases, times, options, poll
    return _wide(*how, threads) if plant.watch is None and options.method not in IMPLICIT else _singly(*how)


def _with_refused(
    cases: Cases, refused: NDArray[np.object_], times: Array, found: dict[str, Any]
) -> dict[str, Any]:
    """The results with the cases that cannot begin in their places: failed, with their first row alone."""
    made = _blank(cases, times)
    made["status"][:], made["message"][:], made["x"][:, 0] = -1, refused, cases.x0
    for name, values in found.items():
        made[name][refused == ""] = values
    return made


def _texts(made: dict[str, Any]) -> dict[str, Any]:
    """Results whose messages are an array of plain texts, as files hold them."""
    return {**made, "message": made["message"].astype(str)}


def unfinished(plant: Plant, cases: Cases, times: Array, record: Sequence[str]) -> dict[str, Any]:
    """What ``run_cases`` returns of cases that were not run."""
    n, m = len(cases), len(times)
    made = _blank(cases, times)
    one = _recorded(plant, cases[:1], times[:1], made["x"][:1, :1], record)
    return _texts(made) | {key: np.full((n, m, *a.shape[2:]), np.nan) for key, a in one.items()}


def _blank(cases: Cases, times: Array) -> dict[str, Any]:
    n = len(cases)
    counts = {name: np.zeros(n, np.int64) for name in ("steps", "evaluations")}
    x = np.full((n, len(times), cases.x0.shape[1]), np.nan)
    return {"x": x, "status": np.full(n, INTERRUPTED), "message": np.full(n, NOT_FINISHED, object), **counts}


def _own(plant: Plant, cases: Cases, k: int) -> Plant:
    """The plant with the values of one case."""
    return plant.with_values(cases.row("parameters", k), cases.row("inputs", k))


def _wide(
    plant: Plant, cases: Cases, times: Array, options: Options, poll: Poll | None, threads: int
) -> dict[str, Any]:
    from freebody.integrate.lanes import FAILED, integrate_lanes

    found = integrate_lanes(
        options.method, plant.machine.free(plant.state_dot, "llvm"), cases.x0, times, parameters=cases.parameters,
        inputs=cases.inputs, rtol=options.rtol, atol=options.atol, step=options.step, max_step=options.max_step,
        max_steps=options.max_steps, quaternions=plant.about.quaternions, threads=threads, poll=poll,
    )  # fmt: skip
    message = np.full(len(cases), REACHED, object)
    message[found.status == INTERRUPTED] = NOT_FINISHED
    made: dict[str, Any] = {"x": found.x, "status": found.status, "message": message}
    made |= {"steps": found.steps, "evaluations": found.evaluations}
    for count, k in enumerate(np.flatnonzero(found.status == FAILED).tolist()):
        own, start = _own(plant, cases, k), (float(times[0]), cases.x0[k])
        reason = Status(found.reason[k])
        stop = Stop(reason, start, found.t[k], found.state[k], found.size[k], float(times[-1]))
        if reason is Status.STALLED and not chatters(own, stop):
            _alone(own, cases.x0[k], times, options, made, k)
        else:
            message[k] = diagnose(own, stop, options) if count < DIAGNOSED else ended(stop, options)
    return made


def _singly(plant: Plant, cases: Cases, times: Array, options: Options, poll: Poll | None) -> dict[str, Any]:
    """One run after the other: for events and implicit methods."""
    made = _blank(cases, times)
    try:
        for k in range(len(cases)):
            _alone(_own(plant, cases, k), cases.x0[k], times, options, made, k)
            if made["status"][k] == INTERRUPTED:
                break
            if poll is not None:
                poll(k + 1)
    except KeyboardInterrupt:
        pass
    return made


def _alone(plant: Plant, x0: Array, times: Array, options: Options, made: dict[str, Any], k: int) -> None:
    """One case as a run by itself, into place k of the results. Its status and message say that it
    failed; there is no warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = simulate(plant, x0, times, replace(options, progress=False), RunResult)
    for w in caught:
        if not str(w.message).endswith(run.message):
            warnings.warn_explicit(w.message, w.category, w.filename, w.lineno)
    rows = min(len(run.t), len(times))
    rows -= int(rows > 0 and run.t[rows - 1] != times[rows - 1])  # a point where the run ended early
    made["x"][k, :rows], made["x"][k, rows:] = run.x[:rows], np.nan
    made["status"][k], made["message"][k] = run.status, run.message
    made["steps"][k], made["evaluations"][k] = run.statistics.steps, run.statistics.evaluations


def _recorded(plant: Plant, cases: Cases, times: Array, x: Array, record: Sequence[str]) -> dict[str, Array]:
    """Variables along every run."""
    state = {key: k for k, key in enumerate(plant.about.state)}
    made: dict[str, Array] = {key: x[:, :, state[key]] for key in record if key in state}
    rest = [key for key in record if key not in state]
    if rest:
        n, m = x.shape[:2]
        each = [np.repeat(a, m, axis=0) if a.ndim == 2 else None for a in (cases.parameters, cases.inputs)]
        found = Recorder(_own(plant, cases, 0))(np.tile(times, n), x.reshape(n * m, -1), *each)
        made |= {key: found[key].reshape(n, m, *found[key].shape[1:]) for key in rest}
    return made
