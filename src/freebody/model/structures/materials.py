"""Constants of materials: numbers, or a number for each of several sets of cells"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ModelError
from freebody.model.structures.meshes import ElementMesh
from freebody.numeric import as_number

Array = NDArray[np.float64]
Constant = float | Mapping[str, float]
"""A constant of the material, or its value for each of several sets of cells."""


def per_cell(key: str, value: Constant, source: ElementMesh, group: int, count: int) -> Array:
    """A constant of the material in each cell of a group."""
    if not isinstance(value, Mapping):
        return np.full(count, check_constant(key, value))
    out = np.full(count, np.nan)
    for name, number in value.items():
        if name not in source.cell_sets:
            known = ", ".join(sorted(source.cell_sets)) or "none"
            raise ModelError(f"{key}: {source.name} has no set of cells '{name}'; its sets of cells are: {known}")
        cells = source.cell_sets[name][group]
        if not np.isnan(out[cells]).all():
            raise ModelError(f"{key}: some cells of '{name}' belong to another of the sets {', '.join(value)}")
        out[cells] = check_constant(f"{key} of '{name}'", number)
    if np.isnan(out).any():
        raise ModelError(
            f"{key}: {int(np.isnan(out).sum())} cells of {source.name} belong to none of the sets {', '.join(value)}"
        )
    return out


def check_constant(key: str, value: Any) -> float:
    """A constant of a material as a number: positive, Poisson's ratio between −1 and 0.5."""
    number = as_number(value)
    if number is None or not np.isfinite(number):
        raise ModelError(f"{key} is a number, not {value!r:.80}")
    if key.startswith("poisson"):
        if not -1 < number < 0.5:
            raise ModelError(f"{key} is between -1 and 0.5, not {number:g}; for rubber, take 0.49")
    elif number <= 0:
        raise ModelError(f"{key} is positive, not {number:g}")
    return number
