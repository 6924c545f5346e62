"""Linear systems in files: .npz of NumPy, and .mat of MATLAB."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody import files

if TYPE_CHECKING:
    from freebody.analysis.linear import Linear

SUFFIXES = (".npz", ".mat")


def write(linear: "Linear", path: str | Path) -> Path:
    """The path of the file, which has A, B, C, D, the names ``states``, ``inputs`` and ``outputs``, the values ``at``
    the point with ``at_names``, and ``rate``, ẋ there."""
    target = files.target(path, "a linear system", SUFFIXES)
    names = {"states": linear.states, "inputs": linear.inputs, "outputs": linear.outputs, "at_names": (*linear.at,)}
    numbers = {"A": linear.A, "B": linear.B, "C": linear.C, "D": linear.D, "rate": linear.rate}
    numbers["at"] = np.array([*linear.at.values()], dtype=float)
    buffer = BytesIO()
    if target.suffix.lower() == ".npz":
        texts: dict[str, Any] = {name: np.array(row, dtype=str) for name, row in names.items()}
        np.savez(buffer, allow_pickle=False, **numbers, **texts)
    else:
        from scipy.io import savemat

        savemat(buffer, numbers | {name: _cells(row) for name, row in names.items()}, oned_as="column")
    return files.write(target, lambda draft: draft.write_bytes(buffer.getvalue()))


def _cells(texts: Sequence[str]) -> Any:
    """A cell array of texts."""
    cells = np.empty(len(texts), dtype=object)
    cells[:] = texts
    return cells
