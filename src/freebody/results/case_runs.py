"""Cases of a sweep as runs: a dataset whose cases have recorded poses holds what pictures need."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from freebody.drawing import Drawing
from freebody.errors import ArgumentError
from freebody.names import POSE, POSE_OF
from freebody.results.about import About, to_json, validate
from freebody.results.drawing_data import from_plain, to_plain
from freebody.results.interpolation import unwound
from freebody.results.trajectory import RunResult

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]
FACTS = "freebody_cases"
"""The attribute of a dataset that describes its system."""
FORMAT, LONGEST = 1, 50_000_000
TIME = "time"


@dataclass(frozen=True)
class CaseFacts:
    """The system of a sweep, and what pictures need to know of it; its parameters are those that do not vary."""

    about: About
    drawing: dict[str, Any]


def case_facts(about: About, drawing: Drawing) -> str:
    """The facts as ASCII JSON."""
    return to_json({"format": FORMAT, **asdict(CaseFacts(about.portable(), to_plain(drawing)))})


class CaseRuns(Sequence[RunResult]):
    """The cases of a dataset as runs, in the order of its dimensions. ``labels`` are the values of what varies, by name
    and case."""

    def __init__(self, dataset: "xarray.Dataset") -> None:
        text = dataset.attrs.get(FACTS)
        if not isinstance(text, str) or TIME not in dataset.dims:
            raise ArgumentError(
                "this dataset does not hold what a 3D picture needs: record the poses, s.sweep(…, record=['pose']), and"
                " keep the dimension 'time' and the attributes of the dataset"
            )
        self.about, self.drawing = _read(text)
        self.poses = [POSE_OF(element.name) for element in self.about.elements]
        missing = [key for key in (*self.poses, *self.about.state) if key not in dataset.data_vars]
        missing += [key for key in self.poses if dataset.sizes.get(f"{key}.part") != len(POSE)]
        if missing or not self.poses:
            raise ArgumentError(
                f"sweep of {self.about.system}: the states and the whole poses of all bodies are needed, and"
                f" {missing[0] if missing else 'a body'} is not in the dataset: s.sweep(…, record=['pose'])"
            )
        self.dataset, self.t = dataset, np.asarray(dataset[TIME].values, float)
        self.keys = [v.key for v in self.about.variables if v.key in dataset.data_vars]
        self.dims = tuple(d for d in dataset[self.poses[0]].dims if d not in (TIME, f"{self.poses[0]}.part"))
        self.shape = tuple(dataset.sizes[d] for d in self.dims)
        self.labels = dict(self._labels())
        if not len(self) or not len(self.t):
            raise ArgumentError(f"sweep of {self.about.system}: there are no cases or no times to show")

    def _labels(self) -> Iterator[tuple[str, Array]]:
        for name, values in self.dataset.coords.items():
            if name != TIME and values.dims and set(values.dims) <= set(self.dims) and values.dtype.kind in "fiub":
                yield str(name), self._by_case(values)

    def _by_case(self, values: "xarray.DataArray") -> Array:
        """Values over the dimensions of cases (and further ones) with the cases as first axis."""
        rest = [d for d in values.dims if d not in self.dims]
        sizes = {d: self.dataset.sizes[d] for d in self.dims if d not in values.dims}
        whole = values.expand_dims(sizes) if sizes else values
        array = whole.transpose(*self.dims, *rest).values
        return np.asarray(array, float).reshape(len(self), *array.shape[len(self.dims) :])

    def __len__(self) -> int:
        return int(np.prod(self.shape))

    def of_cases(self, name: str) -> Array:
        """A number for each case: what varies, a number of the dataset, or a recorded variable at its last time with a
        finite value."""
        label = next((n for n in (name, f"{name}.initial") if n in self.labels), None)
        if label is not None:
            return self.labels[label]
        if name not in self.dataset.data_vars:
            known = [*self.labels, *(str(n) for n in self.dataset.data_vars)]
            raise ArgumentError(
                f"sweep of {self.about.system}: '{name}' is not in the dataset; its variables: {', '.join(known)}"
            )
        array = self.dataset[name]
        if array.dtype.kind not in "fiub" or not set(array.dims) <= {*self.dims, TIME}:
            raise ArgumentError(f"sweep of {self.about.system}: '{name}' is not one number of a case at a time")
        values = self._by_case(array)
        if values.ndim == 1:
            return values
        last = values.shape[1] - 1 - np.argmax(np.isfinite(values)[:, ::-1], axis=1)
        return np.asarray(values[np.arange(len(values)), last])

    def label(self, case: int) -> str:
        """What varies, in words."""
        return ", ".join(f"{name} = {values[case]:.6g}" for name, values in self.labels.items()) or f"case {case}"

    def __getitem__(self, case: Any) -> Any:
        if isinstance(case, slice):
            return [self[k] for k in range(len(self))[case]]
        k, n = range(len(self))[case], len(self.t)
        indices = (int(i) for i in np.unravel_index(k, self.shape)) if self.dims else ()
        one = self.dataset.isel(dict(zip(self.dims, indices, strict=True)))
        values = {key: np.asarray(one[key].values, float) for key in self.keys}
        for key in self.poses:
            values[key] = np.hstack([values[key][:, :3], unwound(values[key][:, 3:])])
        finite = [np.isfinite(values[key].reshape(n, -1)).all(axis=1) for key in (*self.poses, *self.about.state)]
        rows = np.flatnonzero(np.all(finite, axis=0))
        x = np.reshape([values[key] for key in self.about.state], (-1, n)).T
        recorded = {key: v[rows] for key, v in values.items() if key not in self.about.state}
        about = replace(self.about, variables=tuple(v for v in self.about.variables if v.key in values))
        return RunResult(about, self.t[rows], x[rows], recorded=recorded, drawing=self.drawing)


def _read(text: str) -> tuple[About, Drawing]:
    """The facts in a text that ``case_facts`` wrote."""
    try:
        held = json.loads(text) if len(text) <= LONGEST else None
        if not isinstance(held, dict) or held.get("format") != FORMAT:
            raise ValueError("it was written by another version")
        facts = validate(CaseFacts, {"about": held["about"], "drawing": held["drawing"]}, "its facts")
        about = facts.about.portable()
        return about, from_plain(facts.drawing, about)
    except (ValueError, KeyError, TypeError, RecursionError, ArgumentError) as error:
        raise ArgumentError(f"the attribute '{FACTS}' of this dataset cannot be read: {error}") from None
