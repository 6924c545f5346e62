"""Which values of a run are rounding errors."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from freebody.hybrid.variables import QUATERNION, Variable
from freebody.results.work import account, is_integral
from freebody.rounding import RATES, ROUNDING, limit, rounded

if TYPE_CHECKING:
    from freebody.results.trajectory import RunResult


class RunRounding:
    """The limits below which values of a run are rounding errors. The numbers of a group with the same unit are of one
    kind; integrals along the run are compared with the others. Lengths and their rates are also compared with
    the size of the space in which the bodies are. Components of quaternions are compared with 1; a variable without a
    unit is a kind of its own."""

    def __init__(self, run: "RunResult") -> None:
        self.run, self._limits = run, dict[tuple[str, str], float]()
        self._seconds = float(np.ptp(run.t)) if len(run) and np.all(np.isfinite(run.t)) else 0.0

    def limit(self, variable: Variable, part: int | None = None) -> float:
        """The limit of a variable, or of one of its parts."""
        unit, name = variable.unit_of(part), variable.name if part is None else variable.parts[part]
        if not unit and name.endswith(QUATERNION):
            return ROUNDING
        kind = variable.group, unit or variable.key
        if kind not in self._limits:
            alike = [v for v in self.run.about.variables if v.group == variable.group and not is_integral(v)]
            alike = alike if alike and unit else [variable]
            length = self._length if unit in RATES and RATES[unit][0] == "m" else 0.0
            self._limits[kind] = limit([self._largest(v, unit) for v in alike], unit, self._seconds, length)
        return self._limits[kind]

    @cached_property
    def _length(self) -> float:
        """The size of the space in which the origins of bodies are during the run, where poses are recorded."""
        places = [self.run[v.key][:, :3] for v in self.run.about.variables if v.group == "pose"]
        known = np.concatenate(places) if places else np.empty((0, 3))
        known = known[np.isfinite(known).all(axis=1)]
        return float(np.ptp(known, axis=0).max()) if len(known) else 0.0

    def _largest(self, variable: Variable, unit: str) -> float:
        """The largest finite magnitude of a variable's numbers with this unit."""
        columns = [k for k in range(len(variable.columns)) if variable.unit_of(k) == unit]
        values = np.abs(self.run[variable.key]).reshape(len(self.run), len(variable.columns))[:, columns]
        return float(np.max(values, where=np.isfinite(values), initial=0.0))


def account_texts(run: "RunResult") -> list[tuple[str, str]]:
    """The account in words and numbers, with rounding errors as 0."""
    rows = account(run)
    smallest = RunRounding(run).limit(run.variables["energy.total"]) if rows else 0.0
    return [(name, f"{rounded(x, smallest):.6g}") for name, x in rows]
