"""Batches and sweeps as users ask for them: names and arrays to cases, results to one dataset."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.analysis.sweep import CHUNK, Work, sweep
from freebody.api.planning import default_state, parameters, plan
from freebody.api.simulating import require_standard, times, tolerance
from freebody.errors import ArgumentError
from freebody.results.about import About
from freebody.results.stack import stack
from freebody.simulation.cases import Cases
from freebody.simulation.initial import initial_state
from freebody.simulation.plant import Event, Plant
from freebody.simulation.run import Options
from freebody.simulation.steppers import IMPLICIT

if TYPE_CHECKING:
    import xarray

    from freebody.api.equations import Equations

Array = NDArray[np.float64]


def swept(
    equations: "Equations", end: float | ArrayLike, over: Mapping[str, ArrayLike], grid: bool,
    said: Mapping[str, Any], events: Sequence[Event], record: Sequence[str] | None, options: Mapping[str, Any],
    chunk: int | None, cluster: Any, store: str | Path | None,
) -> "xarray.Dataset":  # fmt: skip
    """See ``Equations.sweep``."""
    e = equations.catalogue
    require_standard(equations)
    values = parameters(e, equations.values, said["parameters"])
    given = said["inputs"]
    varied = [n for n in over if n in e.layout.inputs]
    inputs = {**dict(given or {}), **dict.fromkeys(varied, 0.0)} if given or varied else given
    plant = plan(e, values, inputs, events, options["method"] in IMPLICIT)
    axes = {name: _axis(name, row) for name, row in over.items()}
    rows, shape = _rows(axes, grid)
    base = initial_state(plant.about, default_state(e), **{k: said[k] for k in "quz"})
    cases = _cases(plant, base, rows, int(np.prod(shape)))
    keys = _recorded(plant.about, record)
    made = Options(**{**options, **{k: tolerance(plant.about, options[k], k) for k in ("rtol", "atol")}})
    when = times(end, 0.0, options, False)
    work = Work(plant, cases, when, made, keys, chunk or CHUNK, cluster, None if store is None else Path(store))
    named = {f"{n}.initial" if n in plant.about.state else n: row for n, row in axes.items()}
    dims = tuple(named) if grid else ("case",)
    coords = {n: (n if grid else "case", row) for n, row in named.items()}
    return stack(plant.about, when, sweep(work), dims, shape, coords)


def _axis(name: str, values: ArrayLike) -> Array:
    try:
        row = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise ArgumentError(f"sweep over '{name}': {values!r} are no numbers") from None
    if row.ndim != 1 or not len(row) or not np.all(np.isfinite(row)):
        raise ArgumentError(f"sweep over '{name}': give a row of finite numbers, not an array of shape {row.shape}")
    return row


def _rows(axes: Mapping[str, Array], grid: bool) -> tuple[dict[str, Array], tuple[int, ...]]:
    """For each name its value in every case, and the shape of the cases."""
    if not axes:
        raise ArgumentError("a sweep needs something to vary: over={'q.arm': [0.1, 0.2], 'm': [1.0, 2.0]}")
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
    names = {"parameters": list(plant.parameters), "inputs": list(about.inputs)}
    for name, row in rows.items():
        if name in about.state:
            x0[:, about.state.index(name)] = row
            continue
        group = next((g for g, known in names.items() if name in known), None)
        if group is None:
            known = ", ".join([*about.state, *names["parameters"], *names["inputs"]])
            raise ArgumentError(f"sweep over '{name}': it is no state, parameter or input; there are {known}")
        if fixed[group].ndim == 1:
            fixed[group] = np.tile(fixed[group], (n, 1))
        fixed[group][:, names[group].index(name)] = row
    for k in about.quaternions:
        x0[:, k : k + 4] /= np.linalg.norm(x0[:, k : k + 4], axis=1, keepdims=True)
    return Cases(x0, fixed["parameters"], fixed["inputs"])


def _recorded(about: About, record: Sequence[str] | None) -> tuple[str, ...]:
    """Keys of what is recorded beside the states: the outputs, or what is named."""
    known = {v.key: v for v in about.variables}
    if record is None:
        return tuple(key for key, v in known.items() if v.group == "output")
    short = {v.name: key for key, v in reversed(known.items())}
    found = [name if name in known else short.get(name, "") for name in record]
    if "" in found:
        raise ArgumentError(f"'{record[found.index('')]}' cannot be recorded; there are {', '.join(known)}")
    return tuple(found)
