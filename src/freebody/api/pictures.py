"""Moving pictures of several runs, or of the cases of a sweep, in one scene."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from freebody import files
from freebody.api.trajectory import Trajectory
from freebody.errors import ArgumentError
from freebody.keywords import keyword_hints
from freebody.results import RunResult
from freebody.results.case_runs import CaseRuns
from freebody.run.arguments import is_positive_integer, shorten
from freebody.run.sweep import FAILED

if TYPE_CHECKING:
    from freebody.viewer.page_view import PageView

Array = NDArray[np.float64]
NAMED = 5
"""Cases that a note names at most."""


@overload
def animate(
    what: Any,
    path: str | Path,
    *,
    color: str | None = None,
    cases: int | Sequence[int] | slice | None = None,
    meshes: Sequence[str | Path] = (),
    deformation: float = 1.0,
) -> Path: ...


@overload
def animate(
    what: Any,
    path: None = None,
    *,
    color: str | None = None,
    cases: int | Sequence[int] | slice | None = None,
    meshes: Sequence[str | Path] = (),
    deformation: float = 1.0,
) -> "PageView": ...


@keyword_hints
def animate(
    what: Any,
    path: str | Path | None = None,
    *,
    color: str | None = None,
    cases: int | Sequence[int] | slice | None = None,
    meshes: Sequence[str | Path] = (),
    deformation: float = 1.0,
) -> "Path | PageView":
    """Several motions of one system in a single 3D page (.html), as ghosts at the same time. Without a path it returns
    a view, which a notebook shows; outside of notebooks it also opens it in the browser.

    ``what`` is the dataset of a sweep with recorded poses (``s.sweep(…, record=["pose"])``), a list of runs, or runs by
    name; a single run is shown as by ``run.animate``. ``color`` names what determines the colours: something that
    varies in the sweep, or a recorded variable, whose last value counts; by default the first that varies, or the order
    of the runs. ``cases`` is the number of cases that are shown, evenly chosen (default: up to 60), or their indices.
    ``meshes`` are folders in which the files of meshes are searched. Flexible bodies are drawn with ``deformation``
    times their deformation; the page states a factor other than 1.
    """
    from freebody.viewer.page_view import write_or_show
    from freebody.viewer.scene_of_run import with_deformation
    from freebody.viewer.scene_of_runs import scene_of_runs, viridis

    if isinstance(what, Trajectory):
        if color is not None or cases is not None:
            raise ArgumentError("color and cases are for several runs; a single one is shown by run.animate(path)")
        return what.animate(path, meshes=meshes, deformation=deformation)
    target = None if path is None else files.target(path, "a moving picture", files.PAGES)
    folders = files.folders_of(meshes)
    shown = _cases(what, color, cases) if hasattr(what, "data_vars") else _runs(what, color, cases)
    colors = viridis(shown.values)
    scene = scene_of_runs(shown.runs, colors, shown.notes, folders)
    return write_or_show(with_deformation(scene, deformation), target)


class ShownRuns:
    """Runs by name, a number for each that determines its colour, and notes."""

    def __init__(self, runs: Mapping[str, RunResult], values: Array, notes: Sequence[str]) -> None:
        self.runs, self.values, self.notes = runs, values, notes


def _cases(dataset: Any, color: str | None, cases: Any) -> ShownRuns:
    """Cases of a sweep."""
    every = CaseRuns(dataset)
    chosen = _chosen(len(every), cases)
    name = color if color is not None else next(iter(every.labels), None)
    values = np.asarray(chosen, float) if name is None else every.of_cases(name)[chosen]
    notes = [_colours(name or "case", values)]
    if len(chosen) < len(every):
        notes.append(f"{len(chosen)} of {len(every)} cases are shown.")
    if "status" in dataset:
        status = every.of_cases("status")
        if failed := [every.label(k) for k in chosen if status[k] == FAILED]:
            names = "; ".join(failed[:NAMED]) + ("; …" if len(failed) > NAMED else "")
            notes.append(f"{len(failed)} of these cases failed and stand still from where they stopped: {names}.")
    fixed = [f"{n} = {every.about.parameters[n]:g}" for n in every.labels if n in every.about.parameters]
    if fixed:
        notes.append(f"Shapes are those for {', '.join(fixed)}.")
    return ShownRuns(_named([every.label(k) for k in chosen], [every[k] for k in chosen]), values, notes)


def _runs(what: Any, color: str | None, cases: Any) -> ShownRuns:
    """Runs in a list, or by name."""
    named = dict(what) if isinstance(what, Mapping) else None
    listed = list(named.values()) if named is not None else list(what) if isinstance(what, list | tuple) else []
    if not listed or not all(isinstance(run, RunResult) for run in listed):
        raise ArgumentError(
            "animate takes a run, a list of runs, runs by name, or the dataset of a sweep with recorded poses,"
            f" not {shorten(what)}"
        )
    names = [str(name) for name in named] if named is not None else [f"run {k + 1}" for k in range(len(listed))]
    chosen = _chosen(len(listed), cases)
    runs = [listed[k] for k in chosen]
    values = np.array(chosen, float) if color is None else np.array([_last(run, color) for run in runs])
    notes = [] if color is None else [_colours(color, values)]
    if len(chosen) < len(listed):
        notes.append(f"{len(chosen)} of {len(listed)} runs are shown.")
    return ShownRuns(_named([names[k] for k in chosen], runs), values, notes)


def _named(names: Sequence[str], runs: Sequence[RunResult]) -> dict[str, RunResult]:
    """The runs by their names, with a number where a name occurs again."""
    from freebody.results.files import distinct

    return dict(zip(distinct(names), runs, strict=True))


def _last(run: RunResult, name: str) -> float:
    """The last finite value of a variable, or a parameter."""
    if name in run.about.parameters and name not in run:
        return run.about.parameters[name]
    values = run[name]
    if values.ndim != 1:
        raise ArgumentError(f"color: '{name}' is not one number at a time; take one of its parts or another variable")
    finite = values[np.isfinite(values)]
    return float(finite[-1]) if len(finite) else float("nan")


def _chosen(count: int, cases: Any) -> list[int]:
    """The indices of the cases that are shown."""
    from freebody.viewer.scene_of_runs import evenly

    if cases is None:
        return evenly(count)
    if isinstance(cases, slice) and range(count)[cases]:
        return list(range(count)[cases])
    if is_positive_integer(cases):
        return evenly(count, int(cases))
    indices = np.asarray(cases) if isinstance(cases, list | tuple | range | np.ndarray) else np.zeros(0)
    if indices.ndim != 1 or not len(indices) or indices.dtype.kind not in "iu":
        raise ArgumentError(f"cases is a number of cases, or a row of their indices, not {shorten(cases)}")
    if indices.min() < -count or indices.max() >= count:
        raise ArgumentError(f"cases: there are {count} cases, with the indices 0 to {count - 1}")
    return [int(k) % count for k in indices]


def _colours(name: str, values: Array) -> str:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return f"Colours: {name} has no finite value."
    return f"Colours: {name} from {finite.min():.4g} (violet) to {finite.max():.4g} (yellow)."
