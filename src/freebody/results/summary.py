"""A run in a few lines: what it is, how it ended, what it cost, how well it kept its energy."""

from collections import Counter
from html import escape

from freebody.results.about import GROUPS
from freebody.results.names import shorten
from freebody.results.trajectory import Trajectory
from freebody.results.work import UNKNOWN

LONGEST = 400


def text(run: Trajectory) -> str:
    """Lines of text, the facts in two columns."""
    found = facts(run, energy=True)
    width = max(len(name) for name, _ in found)
    title = f"run of {shorten(run.about.system, LONGEST)}"
    return "\n".join([title, *(f"  {name:{width}}  {value}" for name, value in found)])


def html(run: Trajectory) -> str:
    """A small table for notebooks. Nothing is computed for it that is not known yet."""
    rows = (
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in facts(run, energy="energy_balance" in vars(run))
    )
    title = escape(f"run of {shorten(run.about.system, LONGEST)}")
    return f'<table><caption style="text-align:left">{title}</caption>{"".join(rows)}</table>'


def facts(run: Trajectory, energy: bool) -> list[tuple[str, str]]:
    """Names and values worth knowing; what is nothing is left out."""
    s = run.statistics
    rejected = f" ({s.rejected:,} rejected)" if s.rejected else ""
    found = [
        ("times", _times(run)), ("ended", shorten(run.message, LONGEST)), ("states", _states(run)),
        ("events", _events(run)),
        ("method", shorten(s.method, LONGEST)), ("steps", f"{s.steps:,}{rejected}" if s.steps else ""),
        ("evaluations", _count(s.evaluations)), ("jacobians", _count(s.jacobians)),
        ("factorisations", _count(s.factorisations)), ("wall time", _seconds(s.seconds)),
        ("energy error", _energy(run) if energy else ""),
    ]  # fmt: skip
    return [(name, value) for name, value in found if value]


def _times(run: Trajectory) -> str:
    return f"{len(run):,}, from {run.t[0]:g} to {run.t[-1]:g} s" if len(run) else "none"


def _states(run: Trajectory) -> str:
    """How many of each kind make up x."""
    kinds = Counter(key.split(".", 1)[0] for key in run.about.state)
    words = ((n, GROUPS.get(kind, shorten(kind, 40))) for kind, n in kinds.items())
    return ", ".join(f"{n} {word.removesuffix('s') if n == 1 else word}" for n, word in words)


def _events(run: Trajectory) -> str:
    counted = Counter(name for _, name in run.events)
    return ", ".join(f"{n} × {shorten(name, 40)}" for name, n in counted.most_common(10))


def _count(n: int) -> str:
    return f"{n:,}" if n else ""


def _seconds(seconds: float) -> str:
    if not seconds:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def _energy(run: Trajectory) -> str:
    if not len(run) or "energy.total" not in run:
        return ""
    return UNKNOWN if run.energy_balance is None else run.energy_balance.text(float(run.t[-1]))
