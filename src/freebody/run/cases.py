"""Many runs of one system: several in each vector register where possible, else one after the other."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FunctionError
from freebody.hybrid.triggers import Calendar
from freebody.hybrid.updates import ProgramUpdate
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.contact_method import CONTACT
from freebody.integrate.record import Status
from freebody.results.trajectory import RunResult
from freebody.run.case_checks import Texts, check_lanes, pack, texts_of
from freebody.run.diagnose import Stop, chatters, diagnose, ended
from freebody.run.indefinite_mass import indefinite_row, most_deformed
from freebody.run.loop import run_system
from freebody.run.options import RunOptions
from freebody.run.rate_jumps import RateJumps
from freebody.run.recorder import Recorder
from freebody.run.stepped_motion import backwards

Array = NDArray[np.float64]
Poll = Callable[[int], None]
CHUNK = 1024
"""Cases computed together: enough for vector code, little to lose."""

INTERRUPTED = -2
DIAGNOSED = 100
"""The number of failed cases in a chunk whose causes are diagnosed; it takes some 10 ms each."""

RIGHT = 3
"""Deformed cases in a row whose mass matrix is positive definite, after which less deformed ones are not examined."""

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

    def of_case(self, compiled: CompiledSystem, k: int) -> CompiledSystem:
        """The system with the values of one case."""
        return compiled.with_values(self.row("parameters", k), self.row("inputs", k))


def run_cases(
    compiled: CompiledSystem,
    cases: Cases,
    times: Array,
    options: RunOptions,
    record: Sequence[str] = (),
    poll: Poll | None = None,
    threads: int = 0,
) -> dict[str, Any]:
    """States (n, times, nx) under "x", "status" (0, 1, −1 or −2) and "message", "steps" and "evaluations" of each case,
    the recorded variables by key, and what cases are warned of under "remarks" (``case_checks.pack``). Rows that a run
    did not reach are NaN. Ctrl-C leaves the cases that are not finished at status −2."""
    begins = slice(None) if cases.refused is None else cases.refused == ""
    results, some, texts = {}, cases[begins], Texts()
    if len(some):
        singly = bool(compiled.system.crossings) or options.implicit or bool(why_samples_run_singly(compiled, options))
        singly = singly or any(jumps.times for jumps in _rate_jumps(compiled, some, times))
        arguments = compiled, some, times, options, texts, poll
        try:
            results = _run_singly(*arguments) if singly else _run_lanes(*arguments, threads)
        except FunctionError as error:
            when = f"in one of {len(some)} runs from t = {times[0]:g} to {times[-1]:g} s"
            raise error.during(when) from error.__cause__
    if results:
        _fail_indefinite(compiled, some, times, results)
        if not singly:
            texts |= _check_lanes(compiled, some, times, options, results, texts)
        indices = np.arange(len(cases))[begins].tolist()
        texts = {indices[k]: text for k, text in texts.items()}
    if len(some) < len(cases):
        finished, results = results, _blank(cases, times)
        results["status"][:], results["message"][:], results["x"][:, 0] = -1, cases.refused, cases.x0
        for name, values in finished.items():
            results[name][begins] = values
    return _finish(results) | _record(compiled, cases, times, results, record) | {"remarks": pack(texts)}


def _check_lanes(
    compiled: CompiledSystem,
    cases: Cases,
    times: Array,
    options: RunOptions,
    results: Mapping[str, Any],
    known: Texts,
) -> Texts:
    """What cases that ran side by side are warned of; not those that ran by themselves, whose warnings are known."""
    finished = (results["status"] >= 0) & np.array([k not in known for k in range(len(cases))])
    if "switches" in results or not finished.any():
        return {}
    sides = [jumps.times_of_rows(times) for jumps in _rate_jumps(compiled, cases, times)] or [times]
    t, rows = np.array(sides if len(sides) == len(cases) else sides * len(cases)), {"inputs": cases.inputs}
    rows["parameters"] = cases.parameters
    return check_lanes(compiled, partial(cases.of_case, compiled), t, results["x"], rows, options, finished)


def _rate_jumps(compiled: CompiledSystem, cases: Cases, times: Array) -> Iterator[RateJumps]:
    """The jumps of prescribed rates in each case; once where they are the same in all, not at all where no motion is
    prescribed."""
    if compiled.mechanics.programs.timed.value is None or not len(cases):
        return
    many = cases.parameters.ndim == 2 or cases.inputs.ndim == 2
    for k in range(len(cases) if many else 1):
        yield RateJumps(cases.of_case(compiled, k), float(times[0]), float(times[-1]))


def unfinished(compiled: CompiledSystem, cases: Cases, times: Array, record: Sequence[str]) -> dict[str, Any]:
    """What ``run_cases`` returns for cases that were not run."""
    results, shape = _blank(cases, times), (len(cases), len(times))
    one = _record(compiled, cases[:1], times[:1], {"x": results["x"][:1, :1]}, record)
    recorded = {key: np.full((*shape, *a.shape[2:]), np.nan) for key, a in one.items()}
    return _finish(results) | recorded | {"remarks": pack({})}


def _blank(cases: Cases, times: Array) -> dict[str, Any]:
    n = len(cases)
    counts = {name: np.zeros(n, np.int64) for name in ("steps", "evaluations")}
    x = np.full((n, len(times), cases.x0.shape[1]), np.nan)
    return {"x": x, "status": np.full(n, INTERRUPTED), "message": np.full(n, NOT_FINISHED, object), **counts}


def _finish(results: dict[str, Any]) -> dict[str, Any]:
    """Results whose messages are an array of text, as files store them."""
    return {**results, "message": results["message"].astype(str)}


def _run_lanes(
    compiled: CompiledSystem,
    cases: Cases,
    times: Array,
    options: RunOptions,
    texts: Texts,
    poll: Poll | None,
    threads: int,
) -> dict[str, Any]:
    """All cases at once in vector code. A case whose steps become too short for it is run again by itself; ``texts``
    receives its warnings."""
    from freebody.integrate.lanes import FAILED, integrate_lanes

    system, project = compiled.system, compiled.system.project.value
    samples = CaseSamples(compiled, cases, times)
    lanes = integrate_lanes(
        options.method,
        compiled.free(system.rates.value, "llvm"),
        cases.x0,
        times,
        parameters=cases.parameters,
        inputs=samples.inputs,
        rtol=options.rtol,
        atol=options.atol,
        step=options.step,
        max_step=options.max_step,
        max_steps=options.max_steps,
        quaternions=system.quaternions,
        threads=threads,
        poll=poll,
        manifold=compiled.free(project, "llvm") if project and system.projects else None,
        speeds=system.speeds,
        consistent=system.consistent,
        instants=samples.instants,
        update=samples.update if samples.instants else None,
        stages=compiled.lane_stages() if options.staged else None,
    )
    message = np.where(lanes.status == INTERRUPTED, NOT_FINISHED, REACHED).astype(object)
    results: dict[str, Any] = {"x": lanes.x, "status": lanes.status, "message": message}
    results |= {"steps": lanes.steps, "evaluations": lanes.evaluations}
    if samples.instants:
        results["held"] = samples.held
    for count, k in enumerate(np.flatnonzero(lanes.status == FAILED).tolist()):
        one, start, reason = cases.of_case(compiled, k), (float(times[0]), cases.x0[k]), Status(lanes.reason[k])
        stop = Stop(reason, start, lanes.t[k], lanes.state[k], lanes.size[k], float(times[-1]))
        if reason is Status.STALLED and not chatters(one, stop):
            texts[k] = _run_one(one, cases.x0[k], times, options, results, k)
        else:
            message[k] = diagnose(one, stop, options) if count < DIAGNOSED else ended(stop, options)
    return results


def _fail_indefinite(compiled: CompiledSystem, cases: Cases, times: Array, results: dict[str, Any]) -> None:
    """Let cases fail that pass a deformation at which the mass matrix is not positive definite. They are examined from
    the most deformed one on, until several in a row are right."""
    x, status = results["x"], results["status"]
    right = 0
    for k in most_deformed(compiled, x).tolist():
        if status[k] < 0:
            continue
        found = indefinite_row(cases.of_case(compiled, k), times, x[k])
        right = 0 if found else right + 1
        if found:
            status[k], results["message"][k], x[k, found.row :] = -1, found.message, np.nan
        if right == RIGHT:
            break


def why_samples_run_singly(compiled: CompiledSystem, options: RunOptions, side_by_side: bool = False) -> str:
    """Why timed rules cannot be applied to many cases at once, by programs that write held values alone; empty where
    they can, and where there are none. Steps of one size have a grid that samples would interrupt (those with contact
    begin anew there in simulators ``side_by_side``), and break points that move with held values differ from case to
    case."""
    n, timed = len(compiled.system.states), compiled.system.timed
    if timed and options.step is not None and not (side_by_side and options.method == CONTACT.name):
        return "samples interrupt steps of one size: leave step out, with 'dop853' or 'dopri5'"
    if timed and compiled.breaks_move:
        return "there are samples, and a law in t jumps or bends at times that depend on inputs: make them parameters"
    return "its samples change states" if any(rule.changes_states(n) for rule in timed) else ""


class CaseSamples:
    """Timed rules applied to many cases at once: the ``instants`` of a run over these times, rows of ``inputs`` for ẋ,
    and the ``held`` values (cases, times, values) of the rows that are saved."""

    def __init__(self, compiled: CompiledSystem, cases: Cases, times: Array) -> None:
        self.compiled, self.cases, self.times, self.instants = compiled, cases, times, list[float]()
        self.inputs, self._due = compiled.part(compiled.system.rates.value, cases.inputs), dict[float, list[int]]()
        calendar = Calendar([rule.trigger for rule in compiled.system.timed], float(times[0]))
        if compiled.system.timed and times[-1] < times[0]:
            raise backwards(compiled)
        while calendar.next <= times[-1]:
            self.instants.append(calendar.next)
            self._due[self.instants[-1]] = calendar.take()
        if self.instants:
            self._d = np.array(np.broadcast_to(cases.inputs, (len(cases), cases.inputs.shape[-1])))
            self.inputs = compiled.part(compiled.system.rates.value, self._d)
            self.held = np.tile(self._d[:, None, compiled.system.held_places], (1, len(times), 1))

    def update(self, t: float, x: Array) -> Array:
        """Apply the rules that are due, in order; returns the rows of inputs for ẋ."""
        rows = {"parameters": self.cases.parameters, "t": np.array([t]), "x": x}
        for index in self._due[t]:
            for update in self.compiled.system.timed[index].updates:
                assert isinstance(update, ProgramUpdate)
                f = self.compiled.free(update.program, "llvm")
                values = {**rows, "inputs": self.compiled.part(update.program, self._d)}
                update.write(np.asarray(f(*(values[g.name] for g in f.groups))), x, self._d)
        self.held[:, self.times >= t] = self._d[:, None, self.compiled.system.held_places]
        return self.inputs


def _run_singly(
    compiled: CompiledSystem, cases: Cases, times: Array, options: RunOptions, texts: Texts, poll: Poll | None
) -> dict[str, Any]:
    """One run after the other: for events and implicit methods. ``texts`` receives the warnings of each."""
    results = _blank(cases, times)
    if compiled.system.held.columns:
        results["held"] = np.full((len(cases), len(times), len(compiled.system.held.columns)), np.nan)
    try:
        for k in range(len(cases)):
            texts[k] = _run_one(cases.of_case(compiled, k), cases.x0[k], times, options, results, k)
            if results["status"][k] == INTERRUPTED:
                break
            if poll is not None:
                poll(k + 1)
    except KeyboardInterrupt:
        pass
    return results


def _run_one(
    compiled: CompiledSystem, x0: Array, times: Array, options: RunOptions, results: dict[str, Any], k: int
) -> list[str]:
    """One case as a run by itself, stored at index k of the results; returns its warnings. Status and message report a
    failure; it gives no warning."""
    runs = list[RunResult]()
    texts = texts_of(lambda: runs.append(run_system(compiled, x0, times, replace(options, progress=False), RunResult)))
    run = runs[0]
    rows = min(len(run.t), len(times))
    rows -= int(rows > 0 and run.t[rows - 1] != times[rows - 1])  # a point where the run ended early
    results["x"][k, :rows], results["x"][k, rows:] = run.x[:rows], np.nan
    if "held" in results and run.held_rows is not None:
        results["held"][k, :rows] = run.held_rows[:rows]
    results["status"][k], results["message"][k] = run.status, run.message
    results["steps"][k], results["evaluations"][k] = run.statistics.steps, run.statistics.evaluations
    return texts


def _record(
    compiled: CompiledSystem, cases: Cases, times: Array, results: Mapping[str, Any], record: Sequence[str]
) -> dict[str, Array]:
    """Variables along every run, by key."""
    x = results["x"]
    state = {key: k for k, key in enumerate(compiled.about.state)}
    variables: dict[str, Array] = {key: x[:, :, state[key]] for key in record if key in state}
    others = [key for key in record if key not in state]
    if others:
        n, m = x.shape[:2]
        each = [np.repeat(a, m, axis=0) if a.ndim == 2 else None for a in (cases.parameters, cases.inputs)]
        if "held" in results:
            d = cases.inputs[..., None, :] if cases.inputs.ndim == 2 else cases.inputs
            rows = np.array(np.broadcast_to(d, (n, m, d.shape[-1])))
            rows[..., compiled.system.held_places] = results["held"]
            each[1] = rows.reshape(n * m, -1)
        sides = [jumps.times_of_rows(times) for jumps in _rate_jumps(compiled, cases, times)] or [times]
        t = np.concatenate(sides) if len(sides) == n else np.tile(sides[0], n)
        recorded = Recorder(cases.of_case(compiled, 0))(t, x.reshape(n * m, -1), *each)
        variables |= {key: recorded[key].reshape(n, m, *recorded[key].shape[1:]) for key in others}
    return variables
