"""The page of a run or of a model: one HTML file that needs and loads nothing else."""

from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from freebody import files
from freebody.formulations.derivation import Derivation
from freebody.report import formulas, run_sections
from freebody.report.html import Html, PageSection, document, facts, join, note, tag
from freebody.report.roadmap import Values, as_html, roadmap, roadmap_of_file, tree_section, with_defaults
from freebody.results import BodyInfo, RunResult

FILE = "The run was loaded from a file, which keeps its numbers but not the equations behind them."


def page_of_run(run: RunResult, e: Derivation | None = None, defaults: Values | None = None) -> str:
    """The page of a run; without the equations, as for a run from a file, it has all but these and says so."""
    about = run.about
    tables = roadmap_of_file(about) if e is None else roadmap(e, about.parameters)
    tables = [with_defaults(t, about.parameters, defaults or {}) for t in tables]
    q, u, z = (sum(key.startswith(f"{group}.") for key in about.state) for group in "quz")
    happened = [PageSection("events", "Events", run_sections.events(run))] if len(run.events) else []
    happened += [PageSection("inputs", "Inputs", run_sections.inputs(run))] if about.inputs else []
    sections = [
        PageSection("summary", "Summary", run_sections.summary(run, _size(len(about.elements), q, u, z, e))),
        PageSection("system", "The system", tree_section(about.elements, tables)),
        PageSection("motion", "Motion", run_sections.motion(run)),
        *happened, *_mechanics(e),
        PageSection("roadmap", "Roadmap", as_html([t for t in tables if t.title != "Inputs"])),
        PageSection("record", "Record", join([run_sections.recorded(run), _identity(about.digest)])),
    ]  # fmt: skip
    return document(about.system, _lead(run), sections, _foot())


def page_of_model(e: Derivation, values: Values, elements: Sequence[BodyInfo]) -> str:
    """The page of a model without a run."""
    model, tables, layout = e.forest.model, roadmap(e, values), e.layout
    size = facts(_size(len(elements), len(layout.q), len(layout.u), len(layout.z), e))
    sections = [
        PageSection("summary", "Summary", join([size, _identity(model.digest)])),
        PageSection("system", "The system", tree_section(elements, tables)),
        *_mechanics(e),
        PageSection("roadmap", "Roadmap", as_html(tables)),
    ]
    return document(model.name, "A mechanical system and its equations of motion", sections, _foot())


def target(path: str | Path) -> Path:
    """The path of a page: a file in an existing folder, its name ending in .html."""
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


def _mechanics(e: Derivation | None) -> Iterator[PageSection]:
    if e is None:
        yield PageSection("equations", "Equations of motion", note(FILE))
        return
    yield PageSection("equations", "Equations of motion", formulas.equations(e))
    yield PageSection("cost", "Cost", formulas.costs(e))


def _size(bodies: int, q: int, u: int, z: int, e: Derivation | None) -> list[tuple[str, object]]:
    """Facts about the size of a system and, where its equations are known, their cost."""
    rows: list[tuple[str, object]] = [("bodies", bodies)]
    rows += [("degrees of freedom", f"{u} ({q} coordinates)" if q != u else f"{u}")]
    rows += [("extra states", z)] if z else []
    return rows if e is None else [*rows, ("cost of u̇", f"{e.operations['forward_dynamics'].total:,} operations")]
