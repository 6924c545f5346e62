"""The result of an assembly: q and u, and what was changed."""

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from freebody.results.about import AssemblyInfo, SingularPosition
from freebody.tables import TableRepr, TextTable

Array = NDArray[np.float64]


class AssemblyResult(TableRepr, tuple[Array, Array]):
    """The pair (q, u) of an assembled state, ``q, u = s.assemble(…)``, with a report: by how much the coordinates
    ``moved`` that had no value, by name, in rad and m; the energy in J that springs ``stored``, by name; the
    ``singular`` positions that were passed on the way, with the other branches that begin there."""

    names: tuple[str, ...]
    info: AssemblyInfo

    def __new__(cls, q: Array, u: Array, names: Sequence[str], info: AssemblyInfo) -> Self:
        result = super().__new__(cls, (q, u))
        result.names, result.info = tuple(names), info
        return result

    def __getnewargs__(self) -> tuple[object, ...]:
        return (*self, self.names, self.info)

    @property
    def q(self) -> Array:
        return self[0]

    @property
    def u(self) -> Array:
        return self[1]

    @property
    def moved(self) -> Mapping[str, float]:
        return self.info.moved

    @property
    def stored(self) -> Mapping[str, float]:
        return self.info.stored

    @property
    def singular(self) -> tuple[SingularPosition, ...]:
        return self.info.singular

    def _table(self) -> TextTable:
        moved, values = self.moved, zip(self.names, self.q.tolist(), strict=True)
        rows = [(name, f"{x:.6g}", f"{moved[name]:.3g}" if name in moved else "") for name, x in values]
        rows += [(name, "", f"{x:.3g}") for name, x in moved.items() if name not in self.names]
        title = str(AssemblyInfo({}, self.stored, self.singular))
        title = f"assembled: {title}" if title else "assembled"
        return TextTable(title, ("coordinate", "value", "moved by"), tuple(rows))
