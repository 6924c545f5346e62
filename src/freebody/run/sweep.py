"""Sweeps: many cases in chunks, in this process or on a Dask cluster, with finished chunks stored on disk.

The result of a chunk depends on the compiled system, its cases, the times and the options alone. It is stored under the
digest of all of these, so that an interrupted sweep continues where it ended, and a changed model never meets old
results.
"""

import asyncio
import hashlib
import json
import pickle
import threading
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError, BackendError, FileError, RunEndedWarning, SimulationWarning, warn
from freebody.extras import install_command
from freebody.files import folder, open_regular, path_of, write
from freebody.formulations.derivation import Derivation
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.contact_method import CONTACT
from freebody.integrate.rosenbrock import RODAS5P
from freebody.model.angles import WHOLE
from freebody.names import ENGAGED, INPUT, Q
from freebody.numeric import as_boolean
from freebody.progress import Progress
from freebody.results.about import About
from freebody.results.case_runs import FACTS, case_facts
from freebody.results.files import CASE, reserved_names, stack
from freebody.results.work import is_integral
from freebody.run.arguments import is_number, is_positive_integer, numbers
from freebody.run.assembly import assemble_cases, base_state
from freebody.run.assembly_report import warn_of_cases
from freebody.run.build import build
from freebody.run.callback_checks import check_callbacks
from freebody.run.case_checks import warn_of_remarks
from freebody.run.cases import CHUNK, INTERRUPTED, Cases, run_cases, unfinished
from freebody.run.checks import check_bodies, check_mass_matrices
from freebody.run.drawing import drawing
from freebody.run.event import Event
from freebody.run.held_names import SEED_COLUMN
from freebody.run.initial import default_state, full_names, given_states, initial_state, normalise, warn_of_degrees
from freebody.run.inputs import check_wheels, describe, named_inputs, parameter_values, unwritten_inputs
from freebody.run.options import BAUMGARTE, RunOptions, saved_times
from freebody.run.sampled_rules import seeded, whole_seed
from freebody.run.simulate import require_standard_speeds
from freebody.run.stabilise import stabilise_cases, stabilised
from freebody.run.switching import engaged_at_start

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]
FAILED = -1
RETRIES = 5
ANSWER = 4.0
"""Seconds in which a scheduler answers."""

SEAL = "freebody.seal"
"""The array of a stored chunk that verifies the others."""


def sweep(
    e: Derivation,
    end: float | ArrayLike,
    over: Mapping[str, ArrayLike],
    grid: bool,
    defaults: Mapping[str, float],
    values: Mapping[str, Any],
    events: Sequence[Event],
    record: Sequence[str] | str | None,
    options: RunOptions,
    chunk: int | None,
    cluster: Any,
    store: str | Path | None,
) -> "xarray.Dataset":
    """Many runs of equations (see ``Equations.sweep``). ``values`` are those of q, u, z, parameters and inputs that do
    not vary, ``defaults`` the values of parameters that are not passed."""
    require_standard_speeds(e)
    axes, rows, shape = _axes(over, grid)
    inputs, varied = named_inputs(e, values["inputs"]), [n for n in axes if n in e.layout.user_inputs]
    parameters = parameter_values(e, defaults, values["parameters"])
    inputs = unwritten_inputs(e, {**dict.fromkeys(varied, 0.0), **inputs})
    for name in varied:
        if not is_number(inputs.get(name, 0.0)):
            raise ArgumentError(
                f"sweep over '{name}': this input follows a law ({describe(inputs[name])}) and cannot be varied too;"
                " take it out of inputs, or vary a parameter of the law"
            )
    held = {**e.layout.held, **engaged_at_start(e, values["engaged"]), **seeded(e, options.seed)}
    e, driven = stabilised(e, {**inputs, **dict.fromkeys(varied, 0.0)}, options)
    compiled = build(e, parameters, driven, events, options.exact, held, options.projects, options.dae)
    x0 = initial_state(compiled.about, default_state(e), **{k: values[k] for k in "quz"})
    cases = _cases(compiled, x0, rows, int(np.prod(shape)))
    warn_of_degrees(e, compiled.about, values["q"])
    for name, row in axes.items():
        if Q.holds(name) and np.all(row % WHOLE == 0):
            warn_of_degrees(e, compiled.about, {Q.strip(name): float(row[np.argmax(np.abs(row))])})
    check_bodies(compiled, cases.parameters, defaults)
    check_wheels(e, list(e.layout.parameters), np.atleast_2d(cases.parameters).tolist())
    keys, times = _record_keys(compiled.about, record), saved_times(end, 0.0, options, False)
    check_callbacks(compiled, float(times[0]), cases.x0[0], float(times[-1]))
    how = options.for_run(times, compiled.about)
    given = given_states(compiled.about, **{k: values[k] for k in "quz"})
    given |= {compiled.about.state.index(name) for name in axes if name in compiled.about.state}
    base = base_state(compiled.about, default_state(e), **{k: values[k] for k in "quz"})
    now = compiled.mechanics.inputs_at(float(times[0]), cases.inputs, cases.parameters)
    assembled = assemble_cases(e, cases.x0, given, cases.parameters, now, float(times[0]), base)
    refused = assembled.refused
    warn_of_cases(e, compiled.about, given, cases.x0, assembled.x, (refused == "") & ~assembled.certain)
    own = compiled.mechanics.numbers_of(assembled.inputs, cases.inputs)
    cases = replace(cases, x0=assembled.x, inputs=own)
    singular = check_mass_matrices(e, compiled, cases, times, how)
    cases = replace(cases, refused=np.where(refused == "", singular, refused))
    if how.constraints == BAUMGARTE:
        cases = stabilise_cases(compiled, cases, times, how)
    if chunk is not None and not is_positive_integer(chunk):
        raise ArgumentError(f"chunk (the number of cases computed together) must be a positive integer, not {chunk!r}")
    size, path = CHUNK if chunk is None else int(chunk), None if store is None else path_of(store)
    results = run_chunks(SweepTask(compiled, cases, times, how, keys, size, cluster, path))
    _warn(compiled.about, rows, results["status"], results["message"])
    warn_of_remarks(compiled.about.system, results["remarks"].tolist(), range(0, len(cases), size), rows)
    used, coords = reserved_names(compiled.about, keys) | (set() if grid else {CASE}), dict[str, tuple[str, Array]]()
    for name, row in axes.items():
        unique = f"{name}.initial" if name in compiled.about.state else name
        while unique in used:  # by the dataset itself
            unique += ".value"
        used.add(unique)
        coords[unique] = (unique if grid else CASE), row
    dataset = stack(compiled.about, times, results, tuple(coords) if grid else (CASE,), shape, coords)
    poses = {v.key for v in compiled.about.variables if v.group == "pose"}
    if poses and poses <= set(keys):
        dataset.attrs[FACTS] = case_facts(_shown(compiled.about, keys), drawing(e, parameters))
    return dataset


def _shown(about: About, keys: Sequence[str]) -> About:
    """What is known of the system, with the variables that a sweep records."""
    kept = {*about.state, *keys}
    return replace(about, variables=tuple(v for v in about.variables if v.key in kept))


def _axes(over: Mapping[str, ArrayLike], grid: bool) -> tuple[dict[str, Array], dict[str, Array], tuple[int, ...]]:
    """The values of what varies; the value of each in every case; and the shape of the cases."""
    if not isinstance(over, Mapping) or not over:
        raise ArgumentError("a sweep needs something to vary: over={'q.arm': [0.1, 0.2], 'm': [1.0, 2.0]}")
    if as_boolean(grid) is None:
        raise ArgumentError(f"grid is True (all combinations) or False (row by row), not {grid!r}")
    axes = {name: numbers(row, f"sweep over '{name}'") for name, row in over.items()}
    for name, row in axes.items():
        if row.ndim != 1 or not len(row):
            raise ArgumentError(f"sweep over '{name}': give a row of finite numbers, not an array of shape {row.shape}")
    shape = tuple(len(a) for a in axes.values())
    if grid:
        arrays = np.meshgrid(*axes.values(), indexing="ij")
        return axes, {n: a.ravel() for n, a in zip(axes, arrays, strict=True)}, shape
    if len(set(shape)) > 1:
        lengths = ", ".join(f"{n} {len(a)}" for n, a in axes.items())
        raise ArgumentError(
            f"each name needs the same number of values ({lengths}); for all combinations take grid=True"
        )
    return axes, axes, shape[:1]


def _cases(compiled: CompiledSystem, x0: Array, rows: Mapping[str, Array], n: int) -> Cases:
    """The initial state, parameters and inputs of every case; those that do not vary stay one row."""
    about, states = compiled.about, np.tile(x0, (n, 1))
    values = {"parameters": compiled.p, "inputs": compiled.d}
    in_row = ["seed" if column == SEED_COLUMN else INPUT.strip(column) for column in compiled.system.row.columns]
    names = {"parameters": list(compiled.parameters), "inputs": in_row}
    for name, row in rows.items():
        if name in about.state:
            states[:, about.state.index(name)] = row
            continue
        group = next((g for g, known in names.items() if name in known), None)
        if group is None:
            known = [*about.state, *names["parameters"], *names["inputs"]]
            raise ArgumentError(
                f"sweep over '{name}': it is not a state, parameter or input{full_names(name, known)}; choose from"
                f" {', '.join(known)}"
            )
        if name == "seed":
            for one in row.tolist():
                whole_seed(one)
        elif name in compiled.system.held.columns and (not ENGAGED.holds(name) or not np.isin(row, (0, 1)).all()):
            raise ArgumentError(f"sweep over '{name}': vary flags of constraints, such as engaged.latch, 0 or 1")
        if values[group].ndim == 1:
            values[group] = np.tile(values[group], (n, 1))
        values[group][:, names[group].index(name)] = row
    return Cases(normalise(about, states, "in one of the cases "), values["parameters"], values["inputs"])


def _record_keys(about: About, record: Sequence[str] | str | None) -> tuple[str, ...]:
    """Keys of what is recorded beside the states: the outputs, or what is named; the name of a group stands for all its
    variables."""
    variables = {v.key: v for v in about.variables}
    works = [key for key, v in variables.items() if is_integral(v)]
    known = {key: v for key, v in variables.items() if key not in works}
    if record is None:
        return tuple(key for key, v in known.items() if v.group == "output")
    record = [record] if isinstance(record, str) else record
    if not isinstance(record, list | tuple) or not all(isinstance(name, str) for name in record):
        raise ArgumentError(f"record must be a name or a list of names, not {record!r}")
    short, chosen = {v.name: key for key, v in reversed(known.items())}, list[str]()
    for name in record:
        of_group = [key for key, v in known.items() if v.group == name]
        if of_group and name not in known and name not in short:
            chosen += of_group
            continue
        if name in works:
            raise ArgumentError(f"'{name}' is computed for single runs only; in a sweep record power.… instead")
        if name not in known and name not in short:
            raise ArgumentError(f"'{name}' cannot be recorded; choose from {', '.join(known)}")
        chosen.append(name if name in known else short[name])
    return tuple(dict.fromkeys(chosen))


def _warn(about: About, rows: Mapping[str, Array], status: NDArray[np.int64], message: NDArray[np.str_]) -> None:
    """Warn of cases that failed, and of those that an interrupted sweep did not finish."""
    failed, left = np.flatnonzero(status == FAILED), np.flatnonzero(status == INTERRUPTED)
    if len(failed):
        first = failed[0]
        which = ", ".join(f"{name} = {row[first]:g}" for name, row in rows.items())
        warn(
            f"{about.system}: {len(failed)} of {len(status)} cases failed (status -1, rows NaN from there on); the"
            f" first, {which}: {message[first]}",
            RunEndedWarning,
        )
    if len(left):
        warn(
            f"{about.system}: interrupted; {len(status) - len(left)} of {len(status)} cases are finished, the others"
            " have status -2, and NaN at the times that were not computed. store='folder' keeps finished chunks for"
            " the next time.",
            RunEndedWarning,
        )


# Chunks


@dataclass(frozen=True)
class SweepTask:
    """The cases of a sweep in chunks. ``cluster`` is the address of a Dask scheduler, or a client; ``store`` a
    folder."""

    compiled: CompiledSystem
    cases: Cases
    times: Array
    options: RunOptions
    record: tuple[str, ...] = ()
    chunk: int = CHUNK
    cluster: Any = None
    store: Path | None = None

    @cached_property
    def chunks(self) -> list[Cases]:
        return [self.cases[slice(k, k + self.chunk)] for k in range(0, len(self.cases), self.chunk)]

    @cached_property
    def facts(self) -> bytes:
        """All that determines the results and their names, except for the cases: the digest of the system, facts about
        it, options, what is recorded, and the version of the library. The same in every process."""
        system, about, o = self.compiled.system, self.compiled.about, self.options
        try:
            release = version("freebody")
        except PackageNotFoundError:
            release = ""
        facts = {
            "freebody": release,
            "system": system.digest,
            "about": about.to_plain(),
            "record": self.record,
            "method": o.method,
            "constraints": o.constraints,
            "remarks": True,
            "steps": [None if v is None else float(v) for v in (o.step, o.max_step, o.max_steps)],
        }
        return json.dumps(facts, sort_keys=True).encode()

    def key(self, chunk: Cases) -> str:
        """The digest of all that determines the result of a chunk."""
        hashed, o = hashlib.blake2b(self.facts, digest_size=20), self.options
        for array in (chunk.x0, chunk.parameters, chunk.inputs, self.times, np.asarray(o.rtol), np.asarray(o.atol)):
            hashed.update(repr(array.shape).encode() + np.ascontiguousarray(array, "<f8").tobytes())
        return hashed.hexdigest()


def run_chunks(task: SweepTask) -> dict[str, Any]:
    """The results of every case, stacked in the order of the cases. Ctrl-C ends it: what is finished is returned, and
    the other cases have status −2."""
    chunks, store, keys, results = task.chunks, task.store, list[str](), dict[int, dict[str, Any]]()
    if store is not None:
        functions = task.compiled.system.user_functions
        if functions:
            context = ", ".join(dict.fromkeys(f.description or f"{f.name}()" for f in functions))
            raise ArgumentError(
                f"sweep of {task.compiled.about.system}: {context}: a Python function is called, and it cannot be known"
                " whether it is the same next time, so nothing can be stored for it. Write it as a text or a table, or"
                " leave store out"
            )
        folder(store)
        keys = [task.key(chunk) for chunk in chunks]
        results = {k: stored for k, key in enumerate(keys) if (stored := _load(store, key)) is not None}
    missing = [k for k in range(len(chunks)) if k not in results]
    try:
        with Progress(f"sweep of {task.compiled.about.system}", len(task.cases), task.options.progress) as bar:

            def advance(n: int) -> None:
                bar(n + sum(len(chunks[k]) for k in results))

            advance(0)
            rest = task.times, task.options, task.record, advance
            here = ((k, run_cases(task.compiled, chunks[k], *rest)) for k in missing)
            for k, result in here if task.cluster is None else _run_on_cluster(task, missing):
                results[k] = result
                if np.any(result["status"] == INTERRUPTED):
                    break
                if store is not None:
                    _save(store, keys[k], result)
                advance(0)
    except KeyboardInterrupt:
        pass
    for k, chunk in enumerate(chunks):
        if k not in results:
            results[k] = unfinished(task.compiled, chunk, task.times, task.record)
    return {name: np.concatenate([results[k][name] for k in range(len(chunks))]) for name in results[0]}


def _run_on_cluster(task: SweepTask, missing: Sequence[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Chunks on a cluster, in the order they are finished. A chunk whose worker is lost is given to another. The system
    is sent with every chunk: data stored on one worker is lost with it."""
    try:
        import cloudpickle
        from distributed import Client, as_completed
    except ImportError:
        raise BackendError(f"a sweep on a cluster needs dask: {install_command('cluster')}") from None
    own = not isinstance(task.cluster, Client)
    try:
        if isinstance(task.cluster, str):
            _require_scheduler(task.cluster)
        client: Any = Client(task.cluster, timeout=ANSWER, set_as_default=False) if own else task.cluster  # type: ignore[no-untyped-call]
    except Exception as error:  # of any kind: what answers may be another program
        raise ArgumentError(
            f"no Dask scheduler answers at {task.cluster!r} ({error}); start one with 'dask scheduler', or leave"
            " cluster out"
        ) from error
    system, method = task.compiled.system, task.options.staged or RODAS5P.name
    if task.options.staged or (
        task.options.adaptive and not system.too_costly.value
    ):  # workers receive what is derived
        (system.contact_steps if method == CONTACT.name else system.stages_of(method)).derive()
    compiled, rest = bytes(cloudpickle.dumps(task.compiled)), (task.times, task.options, task.record)
    futures = {
        client.submit(_run_chunk, compiled, task.chunks[k], *rest, retries=RETRIES, pure=False): k for k in missing
    }
    try:
        for future in as_completed(list(futures), loop=client.loop):  # type: ignore[no-untyped-call]
            yield futures[future], future.result()
    finally:
        client.cancel(list(futures))
        if own:
            client.close()


def _require_scheduler(address: str) -> None:
    """Raise an error if no scheduler answers. A client of Dask that finds none would delay the end of the process by
    8 s."""
    from distributed.comm.core import connect
    from distributed.security import Security

    failures = list[Exception]()

    async def ask() -> None:
        arguments = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
        comm = await connect(address, timeout=ANSWER, **arguments)  # type: ignore[no-untyped-call]
        comm.abort()

    def run() -> None:
        try:
            asyncio.run(asyncio.wait_for(ask(), 2 * ANSWER))
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)  # the caller's thread may have an event loop, as in notebooks
    thread.start()
    thread.join(3 * ANSWER)  # the search for a name may take longer, and cannot be ended
    if thread.is_alive():
        raise TimeoutError(f"no answer within {3 * ANSWER:g} s")
    if failures:
        raise failures[0]


_unpickling = threading.Lock()
"""Threads of one worker take the same system."""


@lru_cache(8)
def _unpickle(compiled: bytes) -> CompiledSystem:
    """The system on a worker, compiled there once."""
    unpickled: CompiledSystem = pickle.loads(compiled)
    return unpickled


def _run_chunk(
    compiled: bytes, chunk: Cases, times: Array, options: RunOptions, record: Sequence[str]
) -> dict[str, Any]:
    with _unpickling:
        shared = _unpickle(compiled)
    return run_cases(shared, chunk, times, options, record, threads=1)


def _seal(key: str, arrays: Mapping[str, Any]) -> NDArray[np.uint8]:
    """The digest of a chunk as it was computed: its key, and the name, type, shape and bytes of every array."""
    hashed = hashlib.blake2b(key.encode(), digest_size=32)
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        hashed.update(repr((name, array.dtype.str, array.shape)).encode() + array.tobytes())
    return np.frombuffer(hashed.digest(), np.uint8)


def _load(store: Path, key: str) -> dict[str, Any] | None:
    """The results of a chunk if they are stored exactly as they were computed; anything else is a miss."""
    try:
        with open_regular(store / f"{key}.npz") as file, np.load(file, allow_pickle=False) as stored:
            results = {name: stored[name] for name in stored.files}
    except (OSError, ValueError, KeyError, EOFError, MemoryError, zipfile.BadZipFile, zlib.error):
        return None
    seal = results.pop(SEAL, None)
    return results if seal is not None and np.array_equal(seal, _seal(key, results)) else None


def _save(store: Path, key: str, results: dict[str, Any]) -> None:
    """Store the results of a chunk. A full disk does not end the sweep: the results are returned all the same."""

    def fill(draft: Path) -> None:
        with draft.open("wb") as file:
            np.savez(file, allow_pickle=False, **results, **{SEAL: _seal(key, results)})

    try:
        write(store / f"{key}.npz", fill)
    except FileError as error:
        warn(f"the sweep goes on, but a part of it is not stored: {error}", SimulationWarning)
