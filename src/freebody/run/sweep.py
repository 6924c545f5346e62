"""Sweeps: many cases in chunks, here or on a Dask cluster, with what is done kept on disk.

A chunk's result depends on the plant, its cases, the times and the options alone. It is stored under the digest of all
of these, so that a sweep that was cut off goes on where it was, and a changed model never meets old results.
"""

import hashlib
import json
import pickle
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, BackendError, FileError, SimulationWarning
from freebody.files import folder, open_regular, write
from freebody.integrate.plant import Plant
from freebody.program.program import digest
from freebody.run.calls import functions, programs
from freebody.run.cases import CHUNK, INTERRUPTED, Cases, run_cases, unfinished
from freebody.run.progress import Progress
from freebody.run.run import Options

Array = NDArray[np.float64]
RETRIES = 5
SEAL = "freebody.seal"
"""The array of a stored chunk that proves the others."""


@dataclass(frozen=True)
class Work:
    """A sweep to be done. ``cluster`` is the address of a Dask scheduler, or a client; ``store`` a folder."""

    plant: Plant
    cases: Cases
    times: Array
    options: Options
    record: tuple[str, ...] = ()
    chunk: int = CHUNK
    cluster: Any = None
    store: Path | None = None

    @cached_property
    def parts(self) -> list[Cases]:
        """The cases, chunk by chunk."""
        return [self.cases[slice(k, k + self.chunk)] for k in range(0, len(self.cases), self.chunk)]

    @cached_property
    def facts(self) -> bytes:
        """All that decides the results and their names, but for the cases: digests of programs, facts about the
        system, what is asked for, and the library's version. The same in every process."""
        plant, watch, o = self.plant, self.plant.watch, self.options
        told = {
            "freebody": _version(), "programs": {n: digest(p) for n, p in programs(plant).items()},
            "events": watch and [watch.names, watch.directions, watch.terminal], "slots": plant.slots,
            "about": plant.about.to_plain(), "parameters": list(plant.parameters), "record": self.record,
            "method": o.method, "steps": [None if v is None else float(v) for v in (o.step, o.max_step, o.max_steps)],
        }  # fmt: skip
        return json.dumps(told, sort_keys=True).encode()


def sweep(work: Work) -> dict[str, Any]:
    """Every case's results, stacked in the order of the cases. Ctrl-C ends it: what is finished is returned, and the
    other cases have status −2."""
    _storable(work)
    if work.store is not None:
        folder(work.store)
    parts = work.parts
    keys = [_key(work, part) for part in parts] if work.store is not None else [""] * len(parts)
    found = {k: kept for k, key in enumerate(keys) if (kept := _kept(work.store, key)) is not None}
    missing = [k for k in range(len(parts)) if k not in found]
    run = _here if work.cluster is None else _there
    try:
        with Progress(f"sweep of {work.plant.about.system}", len(work.cases), work.options.progress) as bar:
            bar(sum(len(parts[k]) for k in found))
            for k, made in run(work, missing, lambda n: bar(n + sum(len(parts[k]) for k in found))):
                found[k] = made
                if np.any(made["status"] == INTERRUPTED):
                    break
                _keep(work.store, keys[k], made)
                bar(sum(len(parts[k]) for k in found))
    except KeyboardInterrupt:
        pass
    rest = {k: unfinished(work.plant, part, work.times, work.record) for k, part in enumerate(parts) if k not in found}
    found |= rest
    return {name: np.concatenate([found[k][name] for k in range(len(parts))]) for name in found[0]}


def _here(work: Work, missing: Sequence[int], poll: Callable[[int], None]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Chunk after chunk in this process, on all its cores."""
    parts = work.parts
    for k in missing:
        yield k, run_cases(work.plant, parts[k], work.times, work.options, work.record, poll)


def _there(work: Work, missing: Sequence[int], poll: Callable[[int], None]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Chunks on a cluster, in the order they are finished. A chunk whose worker is lost is given to another."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise BackendError("a sweep on a cluster needs dask: pip install 'freebody[cluster]'") from None
    client = work.cluster if isinstance(work.cluster, Client) else _connected(Client, work.cluster)
    parts, plant = work.parts, _packed(work.plant)
    same, how = (work.times, work.options, work.record), {"retries": RETRIES, "pure": False}
    futures = {client.submit(_chunk, plant, parts[k], *same, **how): k for k in missing}
    try:
        for future in as_completed(list(futures), loop=client.loop):  # type: ignore[no-untyped-call]
            yield futures[future], future.result()
    finally:
        client.cancel(list(futures))
        if client is not work.cluster:
            client.close()


def _packed(plant: Plant) -> bytes:
    """The plant as bytes, which every piece of work carries: what is only kept on a worker is lost with it."""
    import cloudpickle

    return bytes(cloudpickle.dumps(plant))


@lru_cache(8)
def _unpacked(packed: bytes) -> Plant:
    """The plant on a worker, compiled there once."""
    plant: Plant = pickle.loads(packed)
    return plant


def _chunk(packed: bytes, part: Cases, times: Array, options: Options, record: Sequence[str]) -> dict[str, Any]:
    return run_cases(_unpacked(packed), part, times, options, record, threads=1)


def _connected(client: Any, address: Any) -> Any:
    try:
        return client(address, timeout="4s", set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ArgumentError(
            f"no Dask scheduler answers at {address!r} ({error}); start one with 'dask scheduler', or leave cluster out"
        ) from error


# What is done


def _storable(work: Work) -> None:
    """A Python function may be another one tomorrow under the same name: nothing it made is kept."""
    called = functions(work.plant) if work.store is not None else []
    if called:
        who = ", ".join(dict.fromkeys(f.description or f"{f.name}()" for f in called))
        raise ArgumentError(
            f"sweep of {work.plant.about.system}: {who}: a Python function is called, and it cannot be known whether it"
            " is the same next time, so nothing can be kept for it. Say it as a text or a table, or leave store out"
        )


def _version() -> str:
    try:
        return version("freebody")
    except PackageNotFoundError:
        return ""


def _key(work: Work, part: Cases) -> str:
    """The digest of all that decides a chunk's result."""
    made, o = hashlib.blake2b(work.facts, digest_size=20), work.options
    for array in (part.x0, part.parameters, part.inputs, work.times, np.asarray(o.rtol), np.asarray(o.atol)):
        made.update(repr(array.shape).encode() + np.ascontiguousarray(array, "<f8").tobytes())
    return made.hexdigest()


def _seal(key: str, arrays: Mapping[str, Any]) -> NDArray[np.uint8]:
    """The digest of a chunk as it was computed: its key, and the name, type, shape and bytes of every array."""
    made = hashlib.blake2b(key.encode(), digest_size=32)
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        made.update(repr((name, array.dtype.str, array.shape)).encode() + array.tobytes())
    return np.frombuffer(made.digest(), np.uint8)


def _kept(store: Path | None, key: str) -> dict[str, Any] | None:
    """A chunk's results if they are stored exactly as they were computed; whatever else lies there is a miss."""
    if store is None:
        return None
    try:
        with open_regular(store / f"{key}.npz") as file, np.load(file, allow_pickle=False) as stored:
            found = {name: stored[name] for name in stored.files}
    except (OSError, ValueError, KeyError, EOFError, MemoryError, zipfile.BadZipFile, zlib.error):
        return None
    seal = found.pop(SEAL, None)
    return found if seal is not None and np.array_equal(seal, _seal(key, found)) else None


def _keep(store: Path | None, key: str, made: dict[str, Any]) -> None:
    """Store a chunk's results. A full disk does not end the sweep: what was computed is returned all the same."""
    if store is None:
        return

    def fill(draft: Path) -> None:
        with draft.open("xb") as file:
            np.savez(file, allow_pickle=False, **made, **{SEAL: _seal(key, made)})

    try:
        write(store / f"{key}.npz", fill)
    except FileError as error:
        warnings.warn(f"the sweep goes on, but a part of it is not stored: {error}", SimulationWarning, stacklevel=2)
