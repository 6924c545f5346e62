"""Many runs of one plant: the wide code where it can, one after the other where it must."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.results.trajectory import Trajectory
from freebody.simulation.plant import Plant
from freebody.simulation.recorder import Recorder
from freebody.simulation.run import Options, simulate
from freebody.simulation.steppers import IMPLICIT

Array = NDArray[np.float64]
Poll = Callable[[int], None]
INTERRUPTED = -2


@dataclass(frozen=True)
class Cases:
    """Initial states (n, nx), and parameters and inputs, each one row for all cases or a row for each."""

    x0: Array
    parameters: Array
    inputs: Array

    def __len__(self) -> int:
        return len(self.x0)

    def __getitem__(self, part: slice) -> "Cases":
        rows = (a[part] if a.ndim == 2 else a for a in (self.parameters, self.inputs))
        return Cases(self.x0[part], *rows)


def run_cases(
    plant: Plant, cases: Cases, times: Array, options: Options, record: Sequence[str] = (), poll: Poll | None = None,
    threads: int = 0,
) -> dict[str, Array]:  # fmt: skip
    """States (n, times, nx) under "x", "status" (0, 1 or −1), "steps" and "evaluations" of each case, and the variables
    asked for by key. Rows that a run did not reach are NaN."""
    wide = plant.watch is None and options.method not in IMPLICIT
    how = plant, cases, times, options, poll
    found = _wide(*how, threads) if wide else _singly(*how)
    return found | _recorded(plant, cases, times, found["x"], record)


def _wide(
    plant: Plant, cases: Cases, times: Array, options: Options, poll: Poll | None, threads: int
) -> dict[str, Array]:
    from freebody.simulation.lanes import integrate_lanes

    x, status, steps, evaluations = integrate_lanes(
        options.method, plant.machine.free(plant.state_dot, "llvm"), cases.x0, times, parameters=cases.parameters,
        inputs=cases.inputs, rtol=options.rtol, atol=options.atol, step=options.step, max_step=options.max_step,
        quaternions=plant.about.quaternions, threads=threads, poll=poll,
    )  # fmt: skip
    counts = {"status": status, "steps": steps, "evaluations": evaluations}
    return {"x": x, **{name: np.asarray(row) for name, row in counts.items()}}


def _singly(plant: Plant, cases: Cases, times: Array, options: Options, poll: Poll | None) -> dict[str, Array]:
    """One run after the other: for events and implicit methods."""
    n, quiet = len(cases), replace(options, progress=False)
    made: dict[str, Any] = {name: np.zeros(n, np.int64) for name in ("status", "steps", "evaluations")}
    made["x"] = np.full((n, len(times), cases.x0.shape[1]), np.nan)
    for k in range(n):
        one = cases[k : k + 1]
        values = dict(zip(plant.parameters, np.atleast_2d(one.parameters)[0].tolist(), strict=True))
        own = replace(plant, parameters=values, inputs=np.atleast_2d(one.inputs)[0])
        run = simulate(own, one.x0[0], times, quiet, Trajectory)
        rows = min(len(run.t), len(times))
        rows -= int(rows > 0 and run.t[rows - 1] != times[rows - 1])  # a point where the run ended early
        made["x"][k, :rows] = run.x[:rows]
        if run.status == INTERRUPTED:
            raise KeyboardInterrupt
        made["status"][k] = run.status
        made["steps"][k], made["evaluations"][k] = run.statistics.steps, run.statistics.evaluations
        if poll is not None:
            poll(k + 1)
    return made


def _recorded(plant: Plant, cases: Cases, times: Array, x: Array, record: Sequence[str]) -> dict[str, Array]:
    """Variables along every run."""
    state = {key: k for k, key in enumerate(plant.about.state)}
    made: dict[str, Array] = {key: x[:, :, state[key]] for key in record if key in state}
    rest = [key for key in record if key not in state]
    if rest:
        n, m = x.shape[:2]
        each = [np.repeat(a, m, axis=0) if a.ndim == 2 else None for a in (cases.parameters, cases.inputs)]
        found = Recorder(replace(plant, parameters=_shared(plant, cases), inputs=_first(cases.inputs)))(
            np.tile(times, n), x.reshape(n * m, -1), *each
        )
        made |= {key: found[key].reshape(n, m, *found[key].shape[1:]) for key in rest}
    return made


def _shared(plant: Plant, cases: Cases) -> dict[str, float]:
    return dict(zip(plant.parameters, _first(cases.parameters).tolist(), strict=True))


def _first(rows: Array) -> Array:
    return rows[0] if rows.ndim == 2 else rows
