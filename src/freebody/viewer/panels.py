"""Which lines stand in which panel of a plot."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.results import RunResult, Variable
from freebody.results.about import GROUPS
from freebody.viewer.scale import unit_text

Array = NDArray[np.float64]
USUAL = ("q", "u", "z", "energy", "output", "input")
QUATERNION = ("qw", "qx", "qy", "qz")
QUANTITIES = {
    "rad": "angle", "deg": "angle", "m": "position", "rad/s": "angular speed", "m/s": "speed", "m/s²": "acceleration",
    "rad/s²": "angular acceleration", "N": "force", "N·m": "torque", "J": "energy", "W": "power",
    "kg·m/s": "momentum", "kg·m²/s": "angular momentum",
}  # fmt: skip
APART = 8
"""Variables without a unit have nothing in common and get a panel each, unless there are more of them than this."""


@dataclass(frozen=True)
class Line:
    """One number over time: the variable, which of its parts, and its unit."""

    variable: Variable
    part: int | None
    unit: str

    @property
    def name(self) -> str:
        part = "" if self.part is None else f".{self.variable.parts[self.part]}"
        return f"{self.variable.name}{part}"

    @property
    def key(self) -> str:
        return f"{self.variable.group}.{self.name}"

    def values(self, run: RunResult) -> tuple[Array, Array]:
        """Times and values, both sides of the jumps among them."""
        t, y = run.series(self.variable.key)
        return t, y if self.part is None else y[:, self.part]


@dataclass
class Panel:
    """Lines with an axis in common."""

    lines: list[Line] = field(default_factory=list)

    @property
    def unit(self) -> str:
        return self.lines[0].unit

    @property
    def groups(self) -> set[str]:
        return {line.variable.group for line in self.lines}

    @property
    def quantity(self) -> str:
        """What the axis measures."""
        first = self.lines[0].variable
        if self.unit in QUANTITIES:
            return QUANTITIES[self.unit]
        if all(turns(line) for line in self.lines):
            return "quaternion"
        if len({line.variable.key for line in self.lines}) == 1:
            return first.name
        return GROUPS.get(first.group, first.group) if len(self.groups) == 1 else "value"

    @property
    def title(self) -> str:
        """What the lines have in common."""
        group = self.lines[0].variable.group
        return GROUPS.get(group, "") if len(self.groups) == 1 else ""

    @property
    def labels(self) -> list[str]:
        """Names of the lines: with their group where there are several groups."""
        return [line.name if len(self.groups) == 1 else line.key for line in self.lines]


def turns(line: Line) -> bool:
    """Whether it is part of a quaternion."""
    return not line.unit and line.name.endswith(QUATERNION)


def panels(run: RunResult, names: Sequence[str], groups: Sequence[str]) -> list[Panel]:
    """Panels for the named, by unit; without names for what one usually wants to see, by group and unit."""
    wrong = [name for name in (*names, *groups) if not isinstance(name, str)]
    if wrong:
        hint = "give several one by one, such as plot('a', 'b')"
        raise ArgumentError(f"run of {run.about.system}: a name is text, not {wrong[0]!r}; {hint}")
    wanted = [line for name in names for line in _named(run, name)]
    wanted += [line for name in groups for line in _group(run, _group_key(run, name))]
    if wanted or names or groups:
        return _gathered(dict.fromkeys(wanted), by_group=False)
    usual = [line for g in USUAL for line in _group(run, g) if g != "input" or _changes(run, line)]
    return _gathered(usual, by_group=True)


def _named(run: RunResult, name: str) -> Iterable[Line]:
    """Lines for a full name, the coordinates of a body, a variable, one of its parts, or a group."""
    known = run.variables
    moved = dict.fromkeys(f"q.{n}" for e in run.about.elements if e.name == name for n in (*e.q, *e.prescribed))
    of_body = [line for key in moved if key in known for line in _lines(known[key])]
    if of_body and name not in known:
        return of_body
    if name in run:
        return _lines(known[run.key(name)])
    parts = [line for v in run.about.variables for line in _lines(v) if name in (line.key, line.name)]
    groups = [g for g, word in GROUPS.items() if name in (g, word)]
    if parts or groups:
        return parts[:1] or _group(run, groups[0])
    return _lines(known[run.key(name)])


def _group_key(run: RunResult, name: str) -> str:
    found = [g for g, word in GROUPS.items() if name in (g, word)]
    found += [v.group for v in run.about.variables if v.group == name]
    if not found:
        known = ", ".join(f"{g} ({word})" for g, word in GROUPS.items())
        raise ArgumentError(f"run of {run.about.system}: there is no group '{name}'; there are {known}")
    return found[0]


def _group(run: RunResult, group: str) -> list[Line]:
    return [line for v in run.about.variables if v.group == group for line in _lines(v)]


def _lines(v: Variable) -> Iterator[Line]:
    """A line for each number; of a pose the places are in m."""
    unit, posed = unit_text(v.unit), v.parts[-4:] == QUATERNION
    for k in range(len(v.parts)):
        yield Line(v, k, unit if not posed else "m" if k < len(v.parts) - 4 else "")
    if not v.parts:
        yield Line(v, None, unit)


def _changes(run: RunResult, line: Line) -> bool:
    _, y = line.values(run)
    return bool(len(y)) and not np.all(y == y[0])


def _gathered(lines: Iterable[Line], by_group: bool) -> list[Panel]:
    lines = list(lines)
    alone = {line.variable.key for line in lines if not line.unit and not turns(line)}
    found: dict[Hashable, Panel] = {}
    for line in lines:
        own = line.variable.key if line.variable.key in alone and len(alone) <= APART else ""
        place = (line.variable.group if by_group else "", line.unit, turns(line), own)
        found.setdefault(place, Panel()).lines.append(line)
    return list(found.values())
