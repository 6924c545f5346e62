"""Many runs in one dataset."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from freebody.results.about import About, Variable

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]
TIME, CASE = "time", "case"
COUNTS = {
    "status": "0 reached the end, 1 ended by an event, -1 failed, -2 not finished", "message": "how it ended",
    "steps": "steps", "evaluations": "evaluations",
}  # fmt: skip
"""What is told of each case."""


def names(about: About, keys: Sequence[str]) -> set[str]:
    """The names that a dataset with these variables needs for itself."""
    every = {*about.state, *keys}
    return {TIME, *COUNTS, *every, *(f"{key}.part" for key in every)}


def stack(
    about: About, times: Array, found: Mapping[str, Any], dims: Sequence[str], shape: Sequence[int],
    coords: Mapping[str, Any],
) -> "xarray.Dataset":  # fmt: skip
    """A dataset over the cases' dims and ``time``: every state and recorded variable by its key, status and steps."""
    import xarray

    known = {v.key: v for v in about.variables}
    states = {key: found["x"][:, :, k] for k, key in enumerate(about.state)}
    rest = {key: a for key, a in found.items() if key in known and key not in states}
    data = {key: _variable(known[key], a, dims, shape) for key, a in {**states, **rest}.items()}
    for name, what in COUNTS.items():
        data[name] = (tuple(dims), found[name].reshape(shape), {"long_name": what})
    labels = {f"{key}.part": list(v.parts) for key, v in known.items() if key in rest and v.parts}
    attributes = {"system": about.system, "digest": about.digest}
    return xarray.Dataset(data, {**coords, **labels, TIME: (TIME, times, {"units": "s"})}, attributes)


def _variable(v: Variable, a: Array, dims: Sequence[str], shape: Sequence[int]) -> tuple[Any, ...]:
    inner = (f"{v.key}.part",) if v.parts else ()
    facts = {"units": v.unit, "long_name": v.description or v.key}
    return (*dims, TIME, *inner), a.reshape(*shape, *a.shape[1:]), facts
