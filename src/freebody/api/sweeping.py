"""Batches and sweeps as users ask for them: names and arrays to cases, results to one dataset."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.api.simulating import require_standard, times
from freebody.errors import ArgumentError, SimulationWarning
from freebody.files import path_of
from freebody.formulations.derivation import Derivation
from freebody.integrate.plant import Event, Plant
from freebody.integrate.steppers import IMPLICIT
from freebody.results.about import About
from freebody.results.files import CASE, reserved_names, stack
from freebody.results.work import SUPPLIED
from freebody.run.cases import CHUNK, INTERRUPTED, Cases
from freebody.run.conditioning import inspect
from freebody.run.initial import initial_state, whole
from freebody.run.integration import checked, within
from freebody.run.numbers import numbers, plain
from freebody.run.planning import default_state, named_inputs, parameters, plan
from freebody.run.run import Options
from freebody.run.sweep import Work, sweep
from freebody.run.trying import possible, tried
from freebody.run.words import describe

if TYPE_CHECKING:
    import xarray

    from freebody.api.equations import Equations

Array = NDArray[np.float64]
FAILED = -1


def swept(
    equations: "Equations", end: float | ArrayLike, over: Mapping[str, ArrayLike], grid: bool,
    said: Mapping[str, Any], events: Sequence[Event], record: Sequence[str] | str | None, options: Mapping[str, Any],
    chunk: int | None, cluster: Any, store: str | Path | None,
) -> "xarray.Dataset":  # fmt: skip
    """See ``Equations.sweep``."""
    e = equations.derivation
    require_standard(equations)
    how, axes = checked(options), _axes(over)
    if not isinstance(grid, bool | np.bool_):
        raise ArgumentError(f"grid is True (all combinations) or False (row by row), not {grid!r}")
    values = parameters(e, equations.values, said["parameters"])
    plant = plan(e, values, _inputs(e, said["inputs"], axes), events, how["method"] in IMPLICIT)
    rows, shape = _rows(axes, grid)
    base = initial_state(plant.about, default_state(e), **{k: said[k] for k in "quz"})
    cases = _cases(plant, base, rows, int(np.prod(shape)))
    possible(plant, cases.parameters, equations.values)
    keys, when = _recorded(plant.about, record), times(end, 0.0, how, False)
    tried(plant, float(when[0]), cases.x0[0])
    made, kept = Options(**within(how, when, plant.about)), None if store is None else path_of(store)
    cases = replace(cases, refused=inspect(e, plant, cases, when, made))
    work = Work(plant, cases, when, made, keys, _chunk(chunk), cluster, kept)
    named = _dimensions(plant.about, axes, keys, grid)
    dims = tuple(named) if grid else (CASE,)
    coords = {n: (n if grid else CASE, row) for n, row in named.items()}
    found = sweep(work)
    _warn(plant.about, rows, found["status"], found["message"])
    return stack(plant.about, when, found, dims, shape, coords)


def _warn(about: About, rows: Mapping[str, Array], status: NDArray[np.int64], message: NDArray[np.str_]) -> None:
    """Cases that failed, and those that an interrupted sweep has left."""
    failed, left = np.flatnonzero(status == FAILED), np.flatnonzero(status == INTERRUPTED)
    if len(failed):
        first = failed[0]
        which = ", ".join(f"{name} = {row[first]:g}" for name, row in rows.items())
        warnings.warn(
            f"{about.system}: {len(failed)} of {len(status)} cases failed (status -1, rows NaN from there on); the"
            f" first, {which}: {message[first]}", SimulationWarning, stacklevel=4,
        )  # fmt: skip
    if len(left):
        warnings.warn(
            f"{about.system}: interrupted; {len(status) - len(left)} of {len(status)} cases are finished, the others"
            " have status -2 and NaN where they did not get. store='folder' keeps finished chunks for the next time.",
            SimulationWarning, stacklevel=4,
        )  # fmt: skip


def _axes(over: Mapping[str, ArrayLike]) -> dict[str, Array]:
    """What varies, each a row of numbers."""
    if not isinstance(over, Mapping) or not over:
        raise ArgumentError("a sweep needs something to vary: over={'q.arm': [0.1, 0.2], 'm': [1.0, 2.0]}")
    axes = {name: numbers(row, f"sweep over '{name}'") for name, row in over.items()}
    for name, row in axes.items():
        if row.ndim != 1 or not len(row):
            raise ArgumentError(f"sweep over '{name}': give a row of finite numbers, not an array of shape {row.shape}")
    return axes


def _inputs(e: Derivation, given: Any, axes: Mapping[str, Array]) -> dict[str, Any]:
    """What drives the inputs; those that vary are numbers."""
    said, varied = named_inputs(e, given), [n for n in axes if n in e.layout.inputs]
    for name in varied:
        if name in said and not plain(said[name]):
            raise ArgumentError(
                f"sweep over '{name}': this input follows a law ({describe(said[name])}) and cannot be varied too; take"
                " it out of inputs, or vary a parameter of the law"
            )
    return {**said, **dict.fromkeys(varied, 0.0)}


def _chunk(given: Any) -> int:
    if given is None:
        return CHUNK
    if given is True or not isinstance(given, Integral) or int(given) < 1:
        raise ArgumentError(f"chunk is how many cases are done in one piece, a whole number from 1 on, not {given!r}")
    return int(given)


def _dimensions(about: About, axes: Mapping[str, Array], keys: Sequence[str], grid: bool) -> dict[str, Array]:
    """The rows by the names they have in the dataset: an initial value is ``q.arm.initial``, and a name that the
    dataset needs for itself gets ``.value`` behind it."""
    taken = reserved_names(about, keys) | (set() if grid else {CASE})
    found: dict[str, Array] = {}
    for name, row in axes.items():
        word = f"{name}.initial" if name in about.state else name
        while word in taken:
            word += ".value"
        found[word] = row
        taken.add(word)
    return found


def _rows(axes: Mapping[str, Array], grid: bool) -> tuple[dict[str, Array], tuple[int, ...]]:
    """For each name its value in every case, and the shape of the cases."""
    if grid:
        found = np.meshgrid(*axes.values(), indexing="ij")
        return {n: a.ravel() for n, a in zip(axes, found, strict=True)}, tuple(len(a) for a in axes.values())
    sizes = {len(a) for a in axes.values()}
    if len(sizes) > 1:
        told = ", ".join(f"{n} {len(a)}" for n, a in axes.items())
        raise ArgumentError(f"samples need as many values of each ({told}); for all combinations take grid=True")
    return dict(axes), (sizes.pop(),)


def _cases(plant: Plant, base: Array, rows: Mapping[str, Array], n: int) -> Cases:
    """Every case's initial state, parameters and inputs; those that do not vary stay one row."""
    about = plant.about
    x0 = np.tile(base, (n, 1))
    fixed = {"parameters": np.array(list(plant.parameters.values())), "inputs": plant.inputs}
    places = {"parameters": list(plant.parameters), "inputs": list(about.inputs)}
    for name, row in rows.items():
        if name in about.state:
            x0[:, about.state.index(name)] = row
            continue
        group = next((g for g, known in places.items() if name in known), None)
        if group is None:
            known = ", ".join([*about.state, *places["parameters"], *places["inputs"]])
            raise ArgumentError(f"sweep over '{name}': it is not a state, parameter or input; there are {known}")
        if fixed[group].ndim == 1:
            fixed[group] = np.tile(fixed[group], (n, 1))
        fixed[group][:, places[group].index(name)] = row
    return Cases(whole(about, x0, "in one of the cases "), fixed["parameters"], fixed["inputs"])


def _recorded(about: About, record: Sequence[str] | str | None) -> tuple[str, ...]:
    """Keys of what is recorded beside the states: the outputs, or what is named."""
    every = {v.key: v for v in about.variables}
    works = [key for key, v in every.items() if v.group == "work" or key == SUPPLIED]
    known = {key: v for key, v in every.items() if key not in works}
    if record is None:
        return tuple(key for key, v in known.items() if v.group == "output")
    record = [record] if isinstance(record, str) else record
    if not isinstance(record, list | tuple) or not all(isinstance(name, str) for name in record):
        raise ArgumentError(f"record is a name or a list of names, not {record!r}")
    short = {v.name: key for key, v in reversed(known.items())}
    found = [name if name in known else short.get(name, "") for name in record]
    along = [name for name in record if name in works]
    if along:
        raise ArgumentError(f"'{along[0]}' is integrated along a single run; in a sweep record its power.…")
    if "" in found:
        raise ArgumentError(f"'{record[found.index('')]}' cannot be recorded; there are {', '.join(known)}")
    return tuple(found)
