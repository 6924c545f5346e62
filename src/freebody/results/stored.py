"""A run as what any file can hold: one text (JSON) of plain facts, and arrays of numbers by kind and name.

Kinds: ``run`` (t, x_dot), ``series`` (each variable, states among them, over time), ``event`` (t, index, before,
after), ``side`` (what follows from the state before and after each jump, two rows for each) and ``knot`` (t, x, x_dot
at the ends of steps). Nothing read is evaluated.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.results.about import About, Variable
from freebody.results.timeline import Knots
from freebody.results.trajectory import Events, Statistics, Trajectory

Array = NDArray[np.float64]
Entry = tuple[str, str]
Run = TypeVar("Run", bound=Trajectory)

EVENT = ("t", "index", "before", "after")
KNOT = ("t", "x", "x_dot")
FORMAT = 1
LONGEST = 256 * 2**20
"""Characters of facts beyond which a text is not read."""

LARGEST = 2**33
"""Bytes of arrays beyond which a file is not read whole."""


@dataclass(frozen=True)
class Facts:
    """All of a run that is no array."""

    about: About
    statistics: Statistics
    status: int
    message: str
    events: tuple[str, ...]


def facts(run: Trajectory) -> str:
    """The plain facts as JSON, all ASCII."""
    held = {
        "format": FORMAT, "about": run.about.to_plain(), "statistics": asdict(run.statistics),
        "status": int(run.status), "message": run.message, "events": list(run.events.names),
    }  # fmt: skip
    return json.dumps(held, default=lambda value: value.tolist())


def read_facts(text: str) -> Facts:
    """The facts in a text that ``facts`` wrote; ValueError, TypeError or KeyError where they are not."""
    if len(text) > LONGEST:
        raise ValueError(f"it holds {len(text)} characters of facts, more than the {LONGEST} that are read")
    held = json.loads(text)
    if not isinstance(held, dict) or held.get("format") != FORMAT:
        raise ValueError("it was written by another version of freebody; load it with that one, or update this one")
    names = held["events"]
    if not isinstance(held["message"], str) or not all(isinstance(n, str) for n in names):
        raise ValueError("its message and the names of its events are no texts")
    kinds: dict[str, Any] = {name: type(value) for name, value in asdict(Statistics()).items()}
    statistics = Statistics(**{name: kind(held["statistics"][name]) for name, kind in kinds.items()})
    return Facts(About.from_plain(held["about"]), statistics, int(held["status"]), held["message"], tuple(names))


def variables(about: About) -> dict[str, Variable]:
    """What is stored over time, by key: the variables, and states that are not among them."""
    found = {v.key: v for v in about.variables}
    return found | {key: Variable("", key) for key in about.state if key not in found}


def entries(run: Trajectory) -> dict[Entry, NDArray[Any]]:
    """All arrays of a run."""
    found: dict[Entry, NDArray[Any]] = {("run", "t"): run.t}
    if "x_dot" in run.recorded:
        found["run", "x_dot"] = run.recorded["x_dot"]
    places = {key: k for k, key in enumerate(run.about.state)}
    for key in variables(run.about):
        found["series", key] = run.x[:, places[key]] if key in places else _recorded(run, key)
    if len(run.events):
        e = run.events
        found |= {("event", n): v for n, v in zip(EVENT, (e.t, e.index, e.before, e.after), strict=True)}
    wanted = ["x_dot", *(key for key in variables(run.about) if key not in places)]
    found |= {("side", key): run.sides[key] for key in wanted if key in run.sides}
    if len(run.knots):
        k = run.refined()
        found |= {("knot", n): v for n, v in zip(KNOT, (k.t, k.x, k.x_dot), strict=True)}
    return {k: np.asarray(v, np.int64 if k == ("event", "index") else np.float64) for k, v in found.items()}


def _recorded(run: Trajectory, key: str) -> Array:
    if key not in run.recorded:
        raise ArgumentError(f"run of {run.about.system}: '{key}' is announced, but nothing was recorded under it")
    return run.recorded[key]


def rebuild(cls: type[Run], known: Facts, found: Mapping[Entry, NDArray[Any]]) -> Run:
    """The run that facts and arrays describe. An array with nothing in it may be missing."""
    about, shelf = known.about, _Shelf(known.about, found)
    t = shelf.get(("run", "t"), shelf.rows(("run", "t")))
    series = {key: shelf.get(("series", key), len(t)) for key in variables(about)}
    x = np.stack([series[key] for key in about.state], axis=1) if about.state else np.empty((len(t), 0))
    recorded = {key: values for key, values in series.items() if key not in about.state}
    if ("run", "x_dot") in found or not x.size:
        recorded["x_dot"] = shelf.get(("run", "x_dot"), len(t))
    events = _events(known.events, shelf)
    sides = {k: shelf.get((kind, k), 2 * len(events.jumps)) for kind, k in found if kind == "side"}
    return cls(
        about, t, x, status=known.status, message=known.message, events=events, statistics=known.statistics,
        recorded=recorded, sides=sides, knots=_knots(shelf),
    )  # fmt: skip


def _knots(shelf: "_Shelf") -> Knots:
    return Knots(*(shelf.get(("knot", n), shelf.rows(("knot", "t"))) for n in KNOT))


def _events(names: tuple[str, ...], shelf: "_Shelf") -> Events:
    t, index, before, after = (shelf.get(("event", n), shelf.rows(("event", "t"))) for n in EVENT)
    if len(t) and not 0 <= index.min() <= index.max() < len(names):
        raise ValueError(f"events are numbered {index.min():g} to {index.max():g}, but {len(names)} have a name")
    return Events(names, t, index.astype(np.int64), before, after)


class _Shelf:
    """Arrays, handed out in the shape they should have."""

    def __init__(self, about: About, found: Mapping[Entry, NDArray[Any]]) -> None:
        self.found = found
        self.widths = {key: (len(v.parts),) * bool(v.parts) for key, v in variables(about).items()}
        self.widths |= {"t": (), "index": ()} | dict.fromkeys(("x", "x_dot", "before", "after"), (len(about.state),))

    def rows(self, entry: Entry) -> int:
        return len(self.found[entry]) if entry in self.found else 0

    def get(self, entry: Entry, rows: int) -> Array:
        """The array of an entry, with so many rows."""
        shape, values = (rows, *self.widths[entry[1]]), self.found.get(entry)
        if values is None and 0 in shape:
            return np.empty(shape)
        if values is None or values.shape != shape:
            has = "is missing" if values is None else f"has the shape {values.shape}"
            raise ValueError(f"'{entry[1]}' ({entry[0]}) {has}, where {shape} is needed")
        return np.array(values, np.float64)
