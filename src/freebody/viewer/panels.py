"""The panels of a plot: which curves share an axis, and their values prepared for drawing."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.hybrid.variables import QUATERNION
from freebody.names import Q, vector_name
from freebody.results import RunResult, Variable
from freebody.results.about import GROUPS
from freebody.results.run_rounding import RunRounding
from freebody.tables import listed
from freebody.viewer.shared_axes import share

Array = NDArray[np.float64]
USUAL = ("q", "u", "z", "energy", "output")
QUANTITIES = {
    "rad": "angle", "deg": "angle", "m": "position", "rad/s": "angular speed", "m/s": "speed", "m/s²": "acceleration",
    "rad/s²": "angular acceleration", "N": "force", "N·m": "torque", "J": "energy", "W": "power",
    "kg·m/s": "momentum", "kg·m²/s": "angular momentum", "m·√kg": "modal coordinate", "m·√kg/s": "modal speed",
}  # fmt: skip
SIGNS = {"**": "^", "^2": "²", "^3": "³", "*": "·"}
APART = 8
"""Variables without a unit have nothing in common and get a panel each, unless there are more of them than this."""

LISTED = 12
"""Variables of rounding errors that are named below a figure."""

CROWDED = 7
"""With more curves of one unit than this, each vector has a panel, unless there are more than ``APART`` vectors."""

MOST = 4000
"""The number of bins into which longer series are gathered; no picture is as many pixels wide."""

HUGE, FLAT = 1e306, 1e-9
"""Larger values are not drawn, for the margins and ticks of an axis must be numbers too; a change below the second,
relative to the values, is rounding and drawn as a constant."""

WHOLE = ("energy",)
"""Groups whose curves share an axis whatever their sizes: one is the sum of the others."""


@dataclass(frozen=True)
class Curve:
    """One number over time: the variable, the index of its part, and its unit."""

    variable: Variable
    part: int | None
    unit: str

    @property
    def name(self) -> str:
        return self.variable.name if self.part is None else f"{self.variable.name}.{self.variable.parts[self.part]}"

    @property
    def key(self) -> str:
        return f"{self.variable.group}.{self.name}"

    @property
    def of_quaternion(self) -> bool:
        return not self.unit and self.name.endswith(QUATERNION)

    @property
    def vector(self) -> str:
        """What it is a component of, a vector or a quaternion; itself where it is none."""
        return f"{self.variable.group}.{vector_name(self.name)}" if vector_name(self.name) else self.key

    def values(self, run: RunResult) -> tuple[Array, Array]:
        """Times and values, with both sides of the jumps, and both ends of steps."""
        t, y = run.staircase(self.variable.key) or run.series(self.variable.key)
        return t, y if self.part is None else y[:, self.part]


@dataclass(frozen=True)
class Panel:
    """Curves with one axis: what it measures and its unit; the group of the curves, if they have one in common; their
    names, with the group where there are several. Smaller values than ``smallest`` are rounding errors."""

    curves: list[Curve]
    quantity: str
    unit: str
    title: str
    labels: list[str]
    smallest: float


@dataclass(frozen=True)
class Chart:
    """Panels, those that are not drawn because they contain rounding errors alone, and a line that names these with
    their largest values."""

    panels: list[Panel]
    zeros: list[Panel]
    note: str


def chart(run: RunResult, names: Sequence[str], groups: Sequence[str]) -> Chart:
    """Panels for the named variables, by unit and size; without names for the usual ones, by group, unit and size.
    Variables of rounding errors share the panel of others, or are named below unless there is nothing else."""
    wrong = [name for name in (*names, *groups) if not isinstance(name, str)]
    if wrong:
        hint = "give several one by one, such as plot('a', 'b')"
        raise ArgumentError(f"run of {run.about.system}: a name must be text, not {wrong[0]!r}; {hint}")
    wanted = [c for name in names for c in _named(run, name)]
    for name in groups:
        keys = [g for g, word in GROUPS.items() if name in (g, word)]
        keys += [v.group for v in run.about.variables if v.group == name]
        if not keys:
            known = ", ".join(f"{g} ({word})" for g, word in GROUPS.items())
            raise ArgumentError(f"run of {run.about.system}: there is no group '{name}'; choose from {known}")
        wanted += _group(run, keys[0])
    if wanted or names or groups:
        return _gather(run, dict.fromkeys(wanted), by_group=False)
    changing = [c for c in _group(run, "input") if np.any(c.values(run)[1] != c.values(run)[1][:1])]
    return _gather(run, [*(c for g in USUAL for c in _group(run, g)), *changing], by_group=True)


def _named(run: RunResult, name: str) -> Iterable[Curve]:
    """The curves of a full name, the coordinates of a body, a variable, one of its parts, or a group."""
    known = run.variables
    coordinates = dict.fromkeys(Q(n) for e in run.about.elements if e.name == name for n in (*e.q, *e.prescribed))
    of_body = [c for key in coordinates if key in known for c in _curves(known[key])]
    if of_body and name not in known:
        return of_body
    if name not in run:
        parts = [c for v in run.about.variables for c in _curves(v) if name in (c.key, c.name)]
        groups = [g for g, word in GROUPS.items() if name in (g, word)]
        if parts or groups:
            return parts[:1] or _group(run, groups[0])
    return _curves(known[run.key(name)])


def _group(run: RunResult, group: str) -> list[Curve]:
    return [c for v in run.about.variables if v.group == group for c in _curves(v)]


def _curves(v: Variable) -> Iterator[Curve]:
    """A curve for each number."""
    for k in range(len(v.parts)) if v.parts else (None,):
        yield Curve(v, k, unit_text(v.unit_of(k)))


def _gather(run: RunResult, curves: Iterable[Curve], by_group: bool) -> Chart:
    """Panels of the curves that have a unit in common and flatten no other; variables without a unit are apart, unless
    they are many. The components of a vector stay together, and so do those of a quaternion."""
    curves, rounding = list(curves), RunRounding(run)
    unrelated = {c.vector for c in curves if not c.unit}
    together: dict[Hashable, list[Curve]] = {}
    for c in curves:
        single = c.vector if c.vector in unrelated and len(unrelated) <= APART else ""
        panel = (c.variable.group if by_group else "", c.unit, c.of_quaternion, single)
        together.setdefault(panel, []).append(c)
    drawn, zeros = list[list[Curve]](), list[list[Curve]]()
    for several in (axis for alike in together.values() for axis in _by_size(run, alike, rounding)):
        noise = [c for c in several if 0 < _largest(run, c) <= rounding.limit(c.variable, c.part)]
        rest = [c for c in several if c not in noise]
        if noise and all(_largest(run, c) == 0 for c in rest):
            zeros.append(noise)
            drawn += [rest] if rest else []
        else:
            drawn.append(several)
    drawn, zeros = (drawn, zeros) if drawn else (zeros, [])
    texts = [(c.key, _largest(run, c), c.unit) for several in zeros for c in several]
    shown, hidden = ([_panel(several, rounding) for several in part] for part in (drawn, zeros))
    return Chart(shown, hidden, zeros_text(texts))


def _by_size(run: RunResult, curves: list[Curve], rounding: RunRounding) -> list[list[Curve]]:
    """The curves of one unit in panels by their ranges."""
    vectors = dict[str, list[Curve]]()
    for curve in curves:
        vectors.setdefault(curve.vector, []).append(curve)
    bundles = list(vectors.values())
    if len(bundles) == 1 or all(c.of_quaternion or c.variable.group in WHOLE for c in curves):
        return [curves]
    several = [bundle for bundle in bundles if len(bundle) > 1]
    if len(curves) > CROWDED and 1 < len(several) <= APART:
        rest = [c for c in curves if len(vectors[c.vector]) == 1]
        axes = [*several, *(_by_size(run, rest, rounding) if rest else [])]
        return sorted(axes, key=lambda axis: curves.index(axis[0]))
    ranges, smallest = list[tuple[float, float]](), list[float]()
    for bundle in bundles:
        ranges.append(extremes(np.concatenate([drawable(c.values(run)[1]) for c in bundle])))
        limit = max(rounding.limit(c.variable, c.part) for c in bundle)
        smallest.append(max(FLAT * max(map(abs, ranges[-1])), 2 * limit))  # from −limit to limit
    axes = [[c for k in axis for c in bundles[k]] for axis in share(ranges, smallest)]
    return [sorted(axis, key=curves.index) for axis in axes]


def _largest(run: RunResult, curve: Curve) -> float:
    """The largest magnitude of a curve; infinity where some values are not finite."""
    values = curve.values(run)[1]
    return float(np.max(np.abs(values), initial=0.0)) if np.all(np.isfinite(values)) else np.inf


def zeros_text(zeros: Sequence[tuple[str, float, str]]) -> str:
    """A line that names rounding errors, each with its largest value and unit; empty where there are none."""
    texts = [f"{name} ({f'{largest:.1g} {unit}'.strip()})" for name, largest, unit in zeros]
    return f"zero to rounding: {listed(texts, LISTED)}" if texts else ""


def _panel(curves: list[Curve], rounding: RunRounding) -> Panel:
    first, unit, group = curves[0].variable, curves[0].unit, curves[0].variable.group
    one_group = len({c.variable.group for c in curves}) == 1
    if unit in QUANTITIES:
        quantity = QUANTITIES[unit]
    elif all(c.of_quaternion for c in curves):
        quantity = "quaternion"
    elif len({c.variable.key for c in curves}) == 1:
        quantity = first.name
    else:
        quantity = GROUPS.get(group, group) if one_group else "value"
    labels = [c.name if one_group else c.key for c in curves]
    smallest = max(rounding.limit(c.variable, c.part) for c in curves)
    return Panel(curves, quantity, unit, GROUPS.get(group, "") if one_group else "", labels, smallest)


# Numbers


def drawable(values: Array) -> Array:
    """The values, NaN where they are not finite or too large for axes."""
    return np.where(np.abs(values) < HUGE, values, np.nan)


def extremes(values: Array) -> tuple[float, float]:
    """The smallest and the largest finite value; 0 where there are none."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def missing(series: list[Array]) -> str:
    """Why there is nothing to draw; empty where there is something."""
    if any(np.isfinite(drawable(y)).any() for y in series):
        return ""
    if any(np.isfinite(y).any() for y in series):
        return f"all values are beyond {HUGE:g}, too large for an axis"
    return "no finite values" if any(len(y) for y in series) else "no times"


def thin(t: Array, y: Array, most: int = MOST) -> tuple[Array, Array]:
    """A long series by the smallest and the largest value of each bin, in order, so that no peak is lost."""
    if len(t) <= 2 * most:
        return t, y
    edges = np.linspace(0, len(t), most + 1).astype(int)
    width = int(np.diff(edges).max())
    rows = np.minimum(edges[:-1, None] + np.arange(width), edges[1:, None] - 1)
    bins = y[rows]
    picks = np.stack([rows[np.arange(most), bins.argmin(axis=1)], rows[np.arange(most), bins.argmax(axis=1)]])
    kept = np.unique(np.concatenate([[0, len(t) - 1], picks.ravel()]))
    return t[kept], y[kept]


def limits(series: list[Array], smallest: float) -> tuple[float, float] | None:
    """The limits of an axis for values that do not change; None where they do, and matplotlib chooses. Values below
    ``smallest`` are rounding errors."""
    low, high = extremes(np.concatenate([*series, np.empty(0)]))
    size = max(abs(low), abs(high))
    if size <= smallest:
        return -1.0, 1.0
    middle = (low + high) / 2
    return (middle - size / 2, middle + size / 2) if high - low < FLAT * size else None


def rounding_alone(series: list[Array], smallest: float) -> bool:
    """Whether values are not all 0, and the largest is a rounding error."""
    return 0.0 < max((max(map(abs, extremes(y))) for y in series), default=0.0) <= smallest


def unit_text(unit: str) -> str:
    """m/s^2 as m/s², N*m as N·m."""
    for ascii_sign, sign in SIGNS.items():
        unit = unit.replace(ascii_sign, sign)
    return unit
