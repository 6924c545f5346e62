"""The report of a run or of a model: one HTML file without references to other files."""

import json
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from freebody import files
from freebody.formulations.derivation import Derivation
from freebody.names import Q, U, Z
from freebody.report import formulas
from freebody.report.html import PageSection, document, facts, fold, note, table
from freebody.report.roadmap import Values, as_html, roadmap, roadmap_of_file, tree_section, with_defaults
from freebody.results import BodyInfo, ConstraintInfo, RunResult
from freebody.results.about import GROUPS
from freebody.results.event_texts import event_effects
from freebody.results.limits import Limits
from freebody.results.run_rounding import RunRounding, account_texts
from freebody.results.summary import facts as facts_of_run
from freebody.rounding import rounded
from freebody.tables import Html, html, join, tag
from freebody.tree.independence import degrees_of_freedom
from freebody.viewer.panels import chart
from freebody.viewer.scene import Scene
from freebody.viewer.scene_file import code_elements, policy, view_element

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILE = "The run was loaded from a file, which keeps its numbers but not the equations behind them."
PLOTTED = {
    "q": "Coordinates", "u": "Speeds", "z": "States", "output": "Outputs", "energy": "Energies", "input": "Inputs",
    "load": "Loads", "work": "Works", "power": "Powers", "momentum": "Momenta",
}  # fmt: skip
FOLDED = ("load", "work", "power", "momentum")
CHANGING = ("input", "load")
"""Groups of which only what changes is drawn."""

HEAVIEST = 400_000
"""Bytes of a drawing beyond which a picture of dots is smaller."""

ENERGY = (
    "The energy error is the largest difference between the change of the total energy since the start and the work of"
    " loads, drives and joints, relative to the largest of these. It shows how well the run was integrated."
)

SCENE = "fb-scene-1"
"""The name of the scene in the page."""

FOLLOWING = "Plots follow the time of the 3D view: click one to go to a time, drag to zoom, double-click to see all."

MOST = 200
"""Rows of a table that are shown."""


def target(path: str | Path) -> Path:
    """The path of a page: a file in an existing folder, its name ending in .html."""
    return files.target(path, "a page", files.PAGES)


def page_of_run(
    run: RunResult, e: Derivation | None = None, defaults: Values | None = None, scene: Scene | None = None
) -> str:
    """The page of a run; without the equations, as for a run from a file, it has all but these and says so. With a
    scene it begins with the motion in 3D, and plots can be zoomed."""
    about = run.about
    tables = roadmap_of_file(about) if e is None else roadmap(e, about.parameters, about.constraints, about.elements)
    tables = [with_defaults(t, about.parameters, defaults or {}) for t in tables]
    q, u, z = (sum(map(group.holds, about.state)) for group in (Q, U, Z))
    optional = [PageSection("events", "Events", events(run))] if len(run.events) else []
    optional += [PageSection("inputs", "Inputs", inputs(run))] if about.inputs else []
    sections = [
        *_view(scene),
        PageSection("summary", "Summary", summary(run, _size(about.elements, q, u, z, about.constraints, e))),
        PageSection("system", "The system", tree_section(about.elements, about.constraints, tables)),
        PageSection("motion", "Motion", motion(run, scene)),
        *optional,
        *_mechanics(e),
        PageSection("roadmap", "Roadmap", as_html([t for t in tables if t.title != "Inputs"])),
        PageSection("record", "Record", join([recorded(run), _identity(about.digest)])),
    ]
    method = f" by {run.statistics.method}" if run.statistics.method else ""
    span = f"A run from {run.t[0]:g} to {run.t[-1]:g} s{method}" if len(run) else "A run without a single saved time"
    return _document(about.system, span, sections, scene)


def page_of_model(
    e: Derivation,
    values: Values,
    elements: Sequence[BodyInfo],
    constraints: Sequence[ConstraintInfo],
    scene: Scene | None = None,
) -> str:
    """The page of a model without a run; with a scene it begins with the model in 3D."""
    model, tables, layout = e.tree.model, roadmap(e, values, constraints, elements), e.layout
    size = facts(_size(elements, len(layout.q), len(layout.u), len(layout.z), constraints, e))
    sections = [
        *_view(scene),
        PageSection("summary", "Summary", join([size, _identity(model.digest)])),
        PageSection("system", "The system", tree_section(elements, constraints, tables)),
        *_mechanics(e),
        PageSection("roadmap", "Roadmap", as_html(tables)),
    ]
    return _document(model.name, "A mechanical system and its equations of motion", sections, scene)


def _document(title: str, lead: str, sections: Sequence[PageSection], scene: Scene | None) -> str:
    """The page; with a scene it has the viewer's script, and the foot says so."""
    try:
        name = f"freebody {version('freebody')}"
    except PackageNotFoundError:
        name = "freebody"
    if scene is None:
        foot = f"Written by {name}. This page is one file: it loads nothing and runs nothing."
        return document(title, lead, sections, foot)
    foot = (
        f"Written by {name}. This page is one file: it loads nothing. It runs one script, the 3D viewer, which is part"
        " of the file; without it, everything but the 3D view can be read."
    )
    return document(title, lead, sections, foot, policy=policy(), scripts=f"{code_elements()}\n")


def _view(scene: Scene | None) -> list[PageSection]:
    """The scene in 3D; nothing where there is none."""
    if scene is None:
        return []
    without = Html('<noscript><p class="note">The 3D view needs JavaScript.</p></noscript>')
    return [PageSection("view", "3D view", join([Html(view_element(scene, SCENE)), without]))]


def _identity(digest: str) -> Html:
    return tag("p", "The system's digest is ", tag("code", digest), ". Systems described alike have the same.")


def _mechanics(e: Derivation | None) -> list[PageSection]:
    if e is None:
        return [PageSection("equations", "Equations of motion", note(FILE))]
    equations = PageSection("equations", "Equations of motion", formulas.equations(e))
    return [equations, PageSection("cost", "Cost", formulas.costs(e))]


def _size(
    bodies: Sequence[BodyInfo], q: int, u: int, z: int, constraints: Sequence[ConstraintInfo], e: Derivation | None
) -> list[tuple[str, object]]:
    """Facts about the size of a system and, where its equations are known, their cost."""
    nodes = sum(body.is_node for body in bodies)
    rows: list[tuple[str, object]] = [("bodies", len(bodies) - nodes)]
    rows += [("nodes of flexible bodies", nodes)] if nodes else []
    equations = sum(len(c.multipliers) - len(c.redundant) for c in constraints)
    freedoms = u - equations if e is None else degrees_of_freedom(e.tree)
    more = [f"{u} speeds, {equations} independent equations of constraints"] if constraints else []
    more += [f"{q} coordinates"] if q != u else []
    rows += [("degrees of freedom", f"{freedoms} ({', '.join(more)})" if more else f"{freedoms}")]
    rows += [("extra states", z)] if z else []
    return rows if e is None else [*rows, ("cost of u̇", f"{e.operations['forward_dynamics'].total:,} operations")]


# Sections of a run


def warnings(run: RunResult) -> list[str]:
    """What limits the trust in the numbers: a run that failed, coordinates outside their limits, NaN and infinity."""
    texts = [] if run.success else [run.message]
    pairs = {n: body.limits for body in run.about.elements if body.limits for n in body.joint_q if Q(n) in run}
    if pairs:
        low, high = np.array([*pairs.values()]).T
        texts += Limits(tuple(pairs), low, high).texts(run.t, np.stack([run[Q(n)] for n in pairs], axis=1))
    lost = [key for k, key in enumerate(run.about.state) if not np.all(np.isfinite(run.x[:, k]))]
    return [*texts, *([f"{', '.join(lost[:10])}: not finite at some times"] if lost else [])]


def summary(run: RunResult, size: Sequence[tuple[str, object]]) -> Html:
    """The facts of the run, its status first, its warnings, and where its energy went."""
    rows = [(name, value) for name, value in facts_of_run(run, energy=True) if name not in ("ended", "states")]
    status = tag("span", run.message or "done", class_=f"status {'good' if run.success else 'bad'}")
    texts = [tag("p", w) for w in warnings(run)]
    box = [tag("div", *texts, class_="warnings")] if texts else []
    energies = account_texts(run)
    energy = [fold("Energy from start to end", table(("", "J"), energies, ("J",)))] if energies else []
    return join([*box, facts([("status", status), *size, *rows]), note(ENERGY), *energy])


def motion(run: RunResult, scene: Scene | None = None) -> Html:
    """A figure for each group that has something to show; the state at the start and the end, its smallest and its
    largest values. Figures whose curves are all in the scene can be zoomed and follow its time."""
    from freebody.viewer.plots import figure_of

    figures, known = list[Html](), set[str]() if scene is None else {series.key for series in scene.series}
    for group, title in PLOTTED.items() if len(run) else ():
        keys = [v.key for v in run.about.variables if v.group == group]
        keys = [k for k in keys if group not in CHANGING or np.any(run[k] != run[k][:1])]
        if keys:
            caption = f"{title} over time: {', '.join(keys[:30])}{' …' if len(keys) > 30 else ''}"
            content = chart(run, keys, ())
            image = Html(f'<img alt="{html(caption)}" src="{picture(figure_of(run, content, columns=1))}">')
            curves = [[curve.key for curve in panel.curves] for panel in content.panels]
            if known.issuperset(key for several in curves for key in several):
                image = live_plot(curves, image)
            parts = [image, *([tag("figcaption", content.note)] if content.note else [])]
            folded = group in FOLDED
            figures.append(fold(title, tag("figure", *parts)) if folded else tag("figure", tag("h3", title), *parts))
    plots = join(figures) if figures else note("Nothing was saved, so there is nothing to draw.")
    if known and figures:
        plots = join([tag("p", FOLLOWING, class_="note scripted"), plots])
    columns, rows, limits = ("state", "unit", "start", "end", "min", "max"), [], _state_limits(run)
    for k, key in enumerate(run.about.state[:MOST]):
        x = run.x[:, k]
        values = (x[0], x[-1], x.min(), x.max()) if len(x) else (np.nan,) * 4
        numbers = (_number(value, limits[k]) for value in values)
        rows.append((key, run.variables[key].unit if key in run.variables else "", *numbers))
    state = table(columns, rows, columns[2:])
    return join([plots, tag("h3", "The state"), state, *_more(len(run.about.state))])


def live_plot(curves: Sequence[Sequence[str]], image: Html) -> Html:
    """A plot of series of the scene that the viewer draws, by panel, instead of the image."""
    keys = escape(json.dumps(curves))
    return Html(f'<div class="fb-plot" data-scene="{SCENE}" data-keys="{keys}">{image}</div>')


def picture(figure: "Figure") -> str:
    """A figure without its title and the note below as a data address: SVG, or PNG where that is smaller."""
    from matplotlib import rc_context

    figure.suptitle("")
    figure.supxlabel("")
    drawing = BytesIO()
    with rc_context({"svg.hashsalt": "freebody", "svg.fonttype": "path"}):
        figure.savefig(drawing, format="svg", transparent=True, metadata={"Date": None})
    kind = "svg+xml"
    if drawing.tell() > HEAVIEST:
        kind, drawing = "png", BytesIO()
        figure.savefig(drawing, format="png", transparent=True, dpi=160)
    return f"data:image/{kind};base64,{b64encode(drawing.getvalue()).decode()}"


def _state_limits(run: RunResult) -> list[float]:
    """The sizes below which values of the states are rounding errors."""
    rounding, known = RunRounding(run), run.variables
    return [rounding.limit(known[key]) if key in known else 0.0 for key in run.about.state]


def _number(value: float, smallest: float) -> str:
    """A number with four digits; 0 for a rounding error."""
    return f"{rounded(value, smallest):.4g}".replace("-", "−")


def _more(rows: int) -> list[Html]:
    return [note(f"{rows - MOST:,} more are not shown.")] if rows > MOST else []


def events(run: RunResult) -> Html:
    """When each event happened, and what it changed."""
    rows, limits, effects = [], np.array(_state_limits(run)), event_effects(run)
    for k, (t, name) in enumerate(islice(run.events, MOST)):
        before, after = run.events.before[k], run.events.after[k]
        changed = np.flatnonzero((before != after) & ~(np.abs(after - before) < limits))
        texts = [
            f"{run.about.state[i]} from {_number(before[i], limits[i])} to {_number(after[i], limits[i])}"
            for i in changed[:6]
        ]
        effect = ", ".join([*effects[k], *texts, *["…"][: len(changed) > 6]]) or "nothing changes"
        rows.append((f"{t:.9g}", name, effect))
    return join([table(("time [s]", "event", "effect"), rows, ("time [s]",)), *_more(len(run.events))])


def inputs(run: RunResult) -> Html:
    """How each input was driven."""
    units = {v.name: (v.unit, v.description) for v in run.about.variables if v.group == "input"}
    rows = []
    for name, text in run.about.inputs.items():
        law = tag("code", text.removeprefix("law ")) if text.startswith("law ") else html(text)
        rows.append((name, *units.get(name, ("", "")), law))
    return table(("input", "unit", "meaning", "driven by"), rows)


def recorded(run: RunResult) -> Html:
    """What the run holds, by group."""
    rows = []
    for group, word in GROUPS.items():
        names = [v.name for v in run.about.variables if v.group == group]
        if names:
            rows.append((word, f"{len(names)}", f"{', '.join(names[:30])}{' …' if len(names) > 30 else ''}"))
    return table(("group", "how many", "names"), rows, ("how many",))
