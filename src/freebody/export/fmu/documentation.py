"""The page of documentation in an FMU."""

from collections.abc import Iterable
from html import escape

from freebody.export.description import Simulation
from freebody.export.fmu.variables import FmuVariable, FmuVariables
from freebody.version import VERSION

STYLE = """body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#1d2a33}
table{border-collapse:collapse}td,th{padding:.15em .8em;text-align:left;border-bottom:1px solid #d5dce1}
svg{max-width:100%;height:auto}code{font-size:.95em}"""


def documentation(s: Simulation, variables: FmuVariables, version: str, diagram: str) -> str:
    """What the system is, its variables, and how it is simulated, as a page without links to elsewhere."""
    title, every = escape(s.title), variables.all
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style></head><body>',
        f"<h1>{title}</h1>",
        f"<p>FMI {version}, model exchange and co-simulation; written by freebody {escape(VERSION)}.</p>",
        diagram[diagram.index("<svg") :],
        "<h2>Simulation</h2>",
        f"<p>Co-simulation integrates by {s.method}"
        + (
            f" with steps of {s.settings['step']:g} s (<code>run.step</code>)."
            if s.method == "rk4"
            else " with adaptive steps to the tolerances <code>run.rtol</code> and <code>run.atol</code>; a tolerance"
            " that the importer gives replaces both in proportion."
        )
        + " Inputs are constant in each communication step.</p>",
        *_about(s),
    ]
    tables = (
        ("Inputs", [v for v in every if v.causality == "input"]),
        ("Outputs", [v for v in every if v.causality == "output"]),
        ("Parameters", [v for v in every if v.causality == "parameter"]),
    )
    for name, rows in tables:
        if rows:
            parts += [f"<h2>{name}</h2>", _table(rows)]
    rest = sum(v.causality == "local" for v in every)
    parts += [f"<p>{rest} further variables are local: {_groups(every)}.</p>", "</body></html>", ""]
    return "\n".join(parts)


def _about(s: Simulation) -> Iterable[str]:
    """Constraints, events and samples in words."""
    if s.projects:
        yield (
            "<p>States are projected to the constraints after each step. In model exchange the FMU asks for an event"
            " where the importer's steps have left them by more than ten tolerances.</p>"
        )
    if s.rules:
        rows = (
            f"<li><code>{escape(rule.name)}</code>{'' if rule.stops else ' (not located)'}</li>" for rule in s.rules
        )
        yield f"<h2>Events</h2><ul>{''.join(rows)}</ul>"
    if s.samples:
        rate = s.calendar.ticks_per_second
        rows = (
            f"<li><code>{escape(one.name)}</code>: every {one.period / rate:g} s from {one.first / rate:g} s</li>"
            for one in s.samples
        )
        yield f"<h2>Samples</h2><ul>{''.join(rows)}</ul>"


def _table(rows: Iterable[FmuVariable]) -> str:
    cells = (
        f"<tr><td><code>{escape(v.name)}</code></td><td>{'' if v.start is None else f'{v.start:.9g}'}</td>"
        f"<td>{escape(v.unit)}</td><td>{escape(v.description)}</td></tr>"
        for v in rows
    )
    return f"<table><tr><th>name</th><th>start</th><th>unit</th><th></th></tr>{''.join(cells)}</table>"


def _groups(every: Iterable[FmuVariable]) -> str:
    groups = dict.fromkeys(v.name.partition(".")[0].partition("(")[0] for v in every if v.causality == "local")
    return ", ".join(f"<code>{escape(name)}</code>" for name in groups)
