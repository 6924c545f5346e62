"""The page of a run or of a model: one file that needs nothing else and loads nothing."""

from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from freebody import files
from freebody.formulations.equations import Equations
from freebody.report import formulas, moved
from freebody.report.html import Html, facts, join, note, tag
from freebody.report.roadmap import Table, roadmap
from freebody.report.style import Section, document
from freebody.report.tables import Values, changed, known, laid, tree
from freebody.results import About, BodyInfo, RunResult

FILE = "The run was loaded from a file, which keeps its numbers but not the equations behind them."


def page_of_run(run: RunResult, e: Equations | None = None, defaults: Values | None = None) -> str:
    """The page of a run; without the equations, as for a run from a file, it has all but these and says so."""
    about = run.about
    tables = [changed(t, about.parameters, defaults or {}) for t in _roadmap(about, e)]
    sections = [
        Section("summary", "Summary", moved.summary(run, _size(about, e))),
        Section("system", "The system", tree(about.elements, tables)),
        Section("motion", "Motion", join([moved.plots(run), tag("h3", "The state"), moved.states(run)])),
        *_happened(run), *_mechanics(e),
        Section("roadmap", "Roadmap", laid([t for t in tables if t.title != "Inputs"])),
        Section("record", "Record", join([moved.recorded(run), _identity(about.digest)])),
    ]  # fmt: skip
    return document(about.system, _lead(run), sections, _foot())


def page_of_model(e: Equations, values: Values, elements: Sequence[BodyInfo]) -> str:
    """The page of a model that has not moved yet."""
    model, tables = e.forest.model, roadmap(e, values)
    layout = e.layout
    size = facts([*_counts(len(elements), len(layout.q), len(layout.u), len(layout.z)), *_cost(e)])
    sections = [
        Section("summary", "Summary", join([size, _identity(model.digest)])),
        Section("system", "The system", tree(elements, tables)),
        *_mechanics(e),
        Section("roadmap", "Roadmap", laid(tables)),
    ]
    return document(model.name, "A mechanical system and its equations of motion", sections, _foot())


def target(path: str | Path) -> Path:
    """Where a page can be written: a file in a folder that is there, its name ending in .html."""
    return files.target(path, "a page", (".html", ".htm"))


def write(text: str, path: Path) -> Path:
    """Write a page."""
    return files.write_text(path, text)


def _lead(run: RunResult) -> str:
    if not len(run):
        return "A run without a single saved time"
    method = f" by {run.statistics.method}" if run.statistics.method else ""
    return f"A run from {run.t[0]:g} to {run.t[-1]:g} s{method}"


def _foot() -> str:
    try:
        by = f"freebody {version('freebody')}"
    except PackageNotFoundError:
        by = "freebody"
    return f"Written by {by}. This page is one file: it loads nothing and runs nothing."


def _identity(digest: str) -> Html:
    return tag("p", "The system's digest is ", tag("code", digest), ". Systems described alike have the same.")


def _roadmap(about: About, e: Equations | None) -> list[Table]:
    return known(about) if e is None else roadmap(e, about.parameters)


def _happened(run: RunResult) -> Iterator[Section]:
    if len(run.events):
        yield Section("events", "Events", moved.events(run))
    if run.about.inputs:
        yield Section("inputs", "Inputs", moved.inputs(run))


def _mechanics(e: Equations | None) -> Iterator[Section]:
    if e is None:
        yield Section("equations", "Equations of motion", note(FILE))
        return
    yield Section("equations", "Equations of motion", formulas.equations(e))
    yield Section("cost", "Cost", formulas.costs(e))


def _size(about: About, e: Equations | None) -> list[tuple[str, object]]:
    number = {g: sum(k.startswith(f"{g}.") for k in about.state) for g in "quz"}
    return [*_counts(len(about.elements), number["q"], number["u"], number["z"]), *_cost(e)]


def _counts(elements: int, q: int, u: int, z: int) -> list[tuple[str, object]]:
    words = [f"{u}", *([f"({q} coordinates)"] if q != u else [])]
    more: list[tuple[str, object]] = [("extra states", z)] if z else []
    return [("bodies", elements), ("degrees of freedom", " ".join(words)), *more]


def _cost(e: Equations | None) -> list[tuple[str, object]]:
    return [] if e is None else [("cost of u̇", f"{e.operations['forward_dynamics'].total:,} operations")]
