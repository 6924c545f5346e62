"""The dataset of a sweep as plain arrays for plots: cases, swept values, variables over time, values of each case."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, nearest
from freebody.names import POSE_OF, Q, U
from freebody.results import About, RunResult, Variable
from freebody.results.about import GROUPS
from freebody.results.files import COUNTS, TIME
from freebody.results.run_rounding import RunRounding
from freebody.tables import listed
from freebody.viewer.panels import drawable, unit_text

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]
FAILED, UNFINISHED = -1, -2
STATUS = {0: "reached the end", 1: "ended by an event", FAILED: "failed", UNFINISHED: "not finished"}
WAYS = ("end", "max", "min", "mean")
MOST = 10
"""Panels that are drawn where no names are given."""

NAMED = 3
"""Failed cases that are named."""


@dataclass(frozen=True)
class CaseValues:
    """A number of each case; ``how`` says which one of a variable, such as "at the end". Values that are smaller than
    ``smallest`` are rounding errors."""

    label: str
    unit: str
    values: Array
    how: str = ""
    smallest: float = 0.0


@dataclass(frozen=True)
class CaseCurves:
    """A variable, or a part of one, over time: a row for each case. Values that are smaller than ``smallest`` are
    rounding errors."""

    label: str
    unit: str
    values: Array
    smallest: float = 0.0

    @property
    def noise(self) -> float:
        """The largest value if all are rounding errors; else 0."""
        known = np.abs(self.values[np.isfinite(self.values)])
        return float(known.max()) if len(known) and known.max() <= self.smallest else 0.0

    @property
    def title(self) -> str:
        """The name for readers: outputs without the name of their group."""
        return self.label.removeprefix("output.")


class SweepValues:
    """The dataset of a sweep. ``dims`` are the dimensions of its cases, all of which are in one row here; ``swept`` are
    the values that differ, by name."""

    def __init__(self, dataset: "xarray.Dataset") -> None:
        self.data, self.system = dataset, str(dataset.attrs.get("system", ""))
        if not {"system", "digest"} <= dataset.attrs.keys() or TIME not in dataset.dims:
            raise ArgumentError(
                "this dataset is not that of a sweep: it needs the dimension 'time' and the attributes 'system' and"
                " 'digest' of what s.sweep(…) returns. xarray drops attributes in arithmetic: keep them with"
                " xarray.set_options(keep_attrs=True)"
            )
        self.t = np.asarray(dataset[TIME].values, float)
        self.dims = tuple(str(d) for d in dataset.dims if d != TIME and not str(d).endswith(".part"))
        self.shape = tuple(dataset.sizes[d] for d in self.dims)
        self.count = int(np.prod(self.shape))
        self.status = self._row("status", 0)
        self.swept = {
            str(name): self._rows(c).astype(float)
            for name, c in dataset.coords.items()
            if c.dims and set(c.dims) <= set(self.dims) and c.dtype.kind in "iufb"
        }
        if not self.count or not len(self.t):
            raise ArgumentError(f"sweep of {self.system}: there are no cases or no times to draw")

    def _rows(self, array: "xarray.DataArray") -> NDArray[Any]:
        """The array with all cases along the first axis, and time along the second if it has one."""
        own = [d for d in self.dims if d in array.dims]
        times = [TIME] if TIME in array.dims else []
        values = array.transpose(*own, *times).values
        values = values[tuple(slice(None) if d in own else None for d in self.dims)]
        tail = (len(self.t),) if times else ()
        return np.broadcast_to(values, (*self.shape, *tail)).reshape(self.count, *tail)

    def _row(self, name: str, default: Any) -> NDArray[Any]:
        known = name in self.data and TIME not in self.data[name].dims
        return self._rows(self.data[name]) if known else np.full(self.count, default)

    # Variables

    def curves(self, names: Sequence[str]) -> list[CaseCurves]:
        """The named variables; by default coordinates and all that was recorded but poses, which are for 3D pictures;
        or speeds and states where there is nothing else."""
        wrong = next((name for name in names if not isinstance(name, str)), None)
        if wrong is not None:
            raise ArgumentError(f"sweep of {self.system}: a name must be text, not {wrong!r}")
        if names:
            return [curve for name in names for curve in self._curves(name)]
        known = self._variables()
        outputs = [key for key in known if not any(group.holds(key) for group in (Q, U, POSE_OF))]
        usual = [key for key in known if Q.holds(key)] + outputs or known
        return [curve for key in usual for curve in self._of_variable(key)][:MOST]

    def _variables(self) -> list[str]:
        return [str(key) for key, v in self.data.data_vars.items() if TIME in v.dims and v.dtype.kind in "iufb"]

    def _curves(self, name: str) -> list[CaseCurves]:
        """Of a variable by its full or short name, a part of one, or a group."""
        key = self._find(name)
        if key is not None:
            return self._of_variable(key)
        parts = {c.label: c for key in self._variables() for c in self._of_variable(key) if key != c.label}
        part = next((parts[n] for n in self._candidates(name) if n in parts), None)
        if part is not None:
            return [part]
        prefixes = [g for g, word in GROUPS.items() if name in (g, word)]
        group = [key for key in self._variables() if prefixes and key.startswith(f"{prefixes[0]}.")]
        if not group:
            self._refuse(name, [*self._variables(), *parts])
        return [curve for key in group for curve in self._of_variable(key)]

    def _find(self, name: str) -> str | None:
        known = self._variables()
        return next((key for key in self._candidates(name) if key in known), None)

    def _candidates(self, name: str) -> list[str]:
        return [name, *(f"{group}.{name}" for group in GROUPS)]

    def _of_variable(self, key: str) -> list[CaseCurves]:
        array, dim = self.data[key], f"{key}.part"
        unit = unit_text(str(array.attrs.get("units", "")))
        variable, limit = self._rounding.run.variables[key], self._rounding.limit
        if dim not in array.dims:
            return [CaseCurves(key, unit, self._finite(array), limit(variable))]
        return [
            CaseCurves(f"{key}.{p}", unit, self._finite(array.isel({dim: k})), limit(variable, k))
            for k, p in enumerate(variable.parts)
        ]

    @cached_property
    def _rounding(self) -> RunRounding:
        """The limits of rounding errors, as of a run with a row for each case: the largest magnitudes, and poses at the
        start."""
        variables, recorded = list[Variable](), dict[str, Array]()
        for key in self._variables():
            array, dim = self.data[key], f"{key}.part"
            parts: tuple[str, ...] = ()
            if dim in array.dims:
                size = array.sizes[dim]
                parts = tuple(str(x) for x in (array[dim].values if dim in array.coords else range(size)))
            group, _, name = key.partition(".")
            variables.append(Variable(group, name, str(array.attrs.get("units", "")), "", parts))
            columns = [array.isel({dim: k}) for k in range(len(parts))] if parts else [array]
            each = [self._finite(column) for column in columns]
            rows = [y[:, 0] if group == "pose" else _largest(y) for y in each]
            recorded[key] = np.stack(rows, axis=-1) if parts else rows[0]
        about = About(self.system, "", (), tuple(variables), ())
        times = np.linspace(self.t[0], self.t[-1], self.count)
        return RunRounding(RunResult(about, times, np.empty((self.count, 0)), recorded=recorded))

    def _finite(self, array: "xarray.DataArray") -> Array:
        return np.where(self._reached, drawable(self._rows(array).astype(float)), np.nan)

    @cached_property
    def _reached(self) -> Any:
        """Cases × times: whether the case got there. Its states are not numbers after it failed; constants are."""
        state = next((key for key in self._variables() if Q.holds(key) or U.holds(key)), None)
        return np.True_ if state is None else np.isfinite(self._rows(self.data[state]))

    @property
    def last_times(self) -> Array:
        """The last saved time that each case reached; NaN where it could not begin."""
        reached = np.broadcast_to(self._reached, (self.count, len(self.t)))
        return np.where(reached.any(axis=1), np.where(reached, self.t, -np.inf).max(axis=1), np.nan)

    def _refuse(self, name: str, known: Sequence[str]) -> NoReturn:
        near = nearest(name, [*known, *(key.partition(".")[2] for key in known)])
        hint = f"did you mean {' or '.join(near)}?" if near else f"its variables: {listed(known, 20) or 'none'}"
        raise ArgumentError(f"sweep of {self.system}: nothing is called '{name}'; {hint}")

    # Values of cases

    def of_cases(self, name: str, at: Any) -> CaseValues:
        """A number of each case: a swept value, how the case ended or what it cost, or a variable at its end, … ."""
        if not isinstance(name, str):
            raise ArgumentError(f"sweep of {self.system}: a name must be text, not {name!r}")
        key = next((n for n in (name, f"{name}.initial", f"{name}.value") if n in self.swept), None)
        if key is not None:
            variable = key.removesuffix(".initial")
            unit = str(self.data[variable].attrs.get("units", "")) if variable in self.data else ""
            return CaseValues(key, unit_text(unit), self.swept[key])
        if name in COUNTS and name != "message":
            return CaseValues(name, "", self._row(name, np.nan).astype(float))
        try:
            curves = self._curves(name)
        except ArgumentError:
            self._refuse(name, [*self.swept, *COUNTS, *self._variables()])
        if len(curves) != 1:
            parts = " or ".join(curve.label for curve in curves[:3])
            raise ArgumentError(f"sweep of {self.system}: '{name}' has several numbers; name one of them, {parts}")
        return self.reduce(curves[0], at)

    def reduce(self, curve: CaseCurves, at: Any) -> CaseValues:
        """A variable at the end of each case, at a time, or its largest, smallest or mean value."""
        y = curve.values
        known = np.isfinite(y)
        if isinstance(at, str) and at in WAYS:
            some = known.any(axis=1)
            if at == "end":
                last = y.shape[1] - 1 - known[:, ::-1].argmax(axis=1)
                values = y[np.arange(len(y)), last]
            elif at == "mean":
                values = np.where(known, y, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
            elif at == "max":
                values = np.where(known, y, -np.inf).max(axis=1)
            else:
                values = np.where(known, y, np.inf).min(axis=1)
            how = {"end": "at the end", "mean": "mean", "max": "largest", "min": "smallest"}[at]
            return CaseValues(curve.title, curve.unit, np.where(some, values, np.nan), how, curve.smallest)
        if isinstance(at, bool) or not isinstance(at, int | float | np.number):
            raise ArgumentError(f"at must be {', '.join(map(repr, WAYS))} or a time in s, not {at!r}")
        low, high = sorted((float(self.t[0]), float(self.t[-1])))
        if not low <= at <= high:
            raise ArgumentError(f"at={at!r} is not a time of the sweep, which is from {low:g} to {high:g} s")
        k = int(np.abs(self.t - float(at)).argmin())
        return CaseValues(curve.title, curve.unit, y[:, k], f"at {self.t[k]:g} s", curve.smallest)

    # Cases

    def case_label(self, k: int) -> str:
        return ", ".join(f"{name} = {row[k]:g}" for name, row in self.swept.items()) or f"case {k}"

    def failure(self) -> str:
        """Which cases failed or were not finished, and why the first failed; empty where all ended."""
        texts = []
        for status, how in ((FAILED, "failed"), (UNFINISHED, "not finished")):
            cases = np.flatnonzero(self.status == status)
            if len(cases):
                named = "; ".join(self.case_label(k) for k in cases[:NAMED]) + ("; …" if len(cases) > NAMED else "")
                texts.append(f"{len(cases)} of {self.count} cases {how} ({named})")
        message = self._row("message", "")
        failed = np.flatnonzero(self.status == FAILED)
        return ", ".join(texts) + (f": {message[failed[0]]}" if len(failed) and message[failed[0]] else "")


def _largest(values: Array) -> Array:
    """The largest finite magnitude of each row."""
    return np.asarray(np.max(np.abs(values), axis=1, where=np.isfinite(values), initial=0.0))
