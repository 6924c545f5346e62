"""Which values of a run are rounding errors."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from freebody.hybrid.variables import QUATERNION, Variable
from freebody.names import vector_name
from freebody.results.work import account, is_integral
from freebody.rounding import ROUNDING, rounded

if TYPE_CHECKING:
    from freebody.results.trajectory import RunResult

ACCUMULATED = 4 * ROUNDING
"""Numbers of a run that are smaller, relative to the scale of their kind, are rounding errors: those of single results
(``ROUNDING``) accumulate over the steps."""

FAR = 1000.0
"""Numbers of other variables count as a scale up to this multiple of the size that the system itself has: the position
in an orbit does not hide a deflection."""

DIRECT = ("input", "load")
"""Groups that are compared among themselves alone: their laws are evaluated, and contain no solution of equations."""

OWN = (*DIRECT, "output", "pose")
"""Groups that are no scale for others: outputs have any size, and of positions in space the distances between bodies
count."""


class RunRounding:
    """The limits below which values of a run are rounding errors.

    The scale of a variable is the largest number of its vector or of the variables with its unit, or the size that
    follows from the system: lengths are compared with the distances between bodies, angles with 1 rad, their rates with
    these in 1 s (in runs longer than 1 s, in the time of the run) and with angular rates times the distances, forces
    with the accelerations times the masses, torques and angular momenta with forces and momenta at these distances.
    Integrals along the run are compared with the others. Components of quaternions and directions are compared with 1;
    another variable without a unit is a kind of its own.
    """

    def __init__(self, run: "RunResult") -> None:
        self.run, self._limits = run, dict[tuple[str, str, str], float]()
        span = float(np.ptp(run.t)) if len(run) and np.all(np.isfinite(run.t)) else 0.0
        self._seconds = max(1.0, span)

    def limit(self, variable: Variable, part: int | None = None) -> float:
        """The limit of a variable, or of one of its parts."""
        unit, name = variable.unit_of(part), variable.name if part is None else variable.parts[part]
        if not unit and name.endswith(QUATERNION):
            return ACCUMULATED
        kind = variable.group, vector_name(variable.name) or variable.name, unit
        if kind not in self._limits:
            self._limits[kind] = ACCUMULATED * self._scale(variable, unit)
        return self._limits[kind]

    def _scale(self, variable: Variable, unit: str) -> float:
        own = max(self._largest(v, unit) for v in self._vector_of(variable))
        if not unit:
            return max(own, 1.0) if variable.group == "residual" else 0.0 if is_integral(variable) else own
        natural = 0.0 if variable.group in DIRECT else self._natural(unit)
        others = self._largest_of_unit(unit, variable.group)
        others = min(others, FAR * natural) if natural else others
        return max(others, natural, 0.0 if is_integral(variable) else own)

    def _vector_of(self, variable: Variable) -> list[Variable]:
        """The variables that are components of the same vector."""
        vector = vector_name(variable.name)
        alike = [v for v in self.run.about.variables if v.group == variable.group and vector_name(v.name) == vector]
        return alike if vector and alike else [variable]

    def _largest_of_unit(self, unit: str, group: str = "") -> float:
        """The largest number with this unit in the groups with which one is compared."""
        alike = [
            x
            for (g, u), x in self._largest_numbers.items()
            if u == unit and (g == group or (g not in OWN and group not in DIRECT))
        ]
        return max(alike, default=0.0)

    @cached_property
    def _largest_numbers(self) -> dict[tuple[str, str], float]:
        """The largest number of each group and unit."""
        largest = dict[tuple[str, str], float]()
        for v in self.run.about.variables:
            for unit in {v.unit_of(k) for k in range(len(v.columns))} if not is_integral(v) else ():
                largest[v.group, unit] = max(largest.get((v.group, unit), 0.0), self._largest(v, unit))
        return largest

    def _natural(self, unit: str) -> float:
        """The size of numbers with this unit that follows from the sizes of others."""
        size, seconds, of = self._size, self._seconds, self._largest_of_unit
        if unit == "rad":
            return 1.0
        if unit == "m":
            return size
        if unit in ("rad/s", "rad/s²"):
            return float(seconds ** -(1 + unit.count("²")))
        if unit == "1/s":
            return max(1 / seconds, of("rad/s"))
        if unit == "m/s":
            return size * max(1 / seconds, of("rad/s"))
        if unit == "m/s²":
            return size * max(seconds**-2, of("rad/s²"))
        if unit == "N":
            return self._mass * (of("m/s²") + size * of("rad/s²"))
        if unit == "N·m":
            return size * max(of("N"), self._natural("N"))
        if unit == "kg·m/s":
            return self._mass * (of("m/s") + size * of("rad/s"))
        return size * self._natural("kg·m/s") if unit == "kg·m²/s" else 0.0

    @cached_property
    def _mass(self) -> float:
        return sum(element.mass for element in self.run.about.elements)

    @cached_property
    def _size(self) -> float:
        """The largest distance along an axis between the origins of bodies at one time, where poses are recorded."""
        places = [self.run[v.key][:, :3] for v in self.run.about.variables if v.group == "pose"]
        if not places or not len(self.run):
            return 0.0
        extents = np.ptp(np.stack(places), axis=0)
        return float(np.max(extents, where=np.isfinite(extents), initial=0.0))

    def _largest(self, variable: Variable, unit: str) -> float:
        """The largest finite magnitude of a variable's numbers with this unit."""
        columns = [k for k in range(len(variable.columns)) if variable.unit_of(k) == unit]
        values: NDArray[np.float64] = np.abs(self.run[variable.key]).reshape(len(self.run), len(variable.columns))
        values = values[:, columns]
        return float(np.max(values, where=np.isfinite(values), initial=0.0))


def account_texts(run: "RunResult") -> list[tuple[str, str]]:
    """The account in words and numbers, with rounding errors as 0."""
    rows = account(run)
    smallest = RunRounding(run).limit(run.variables["energy.total"]) if rows else 0.0
    return [(name, f"{rounded(x, smallest):.6g}") for name, x in rows]
