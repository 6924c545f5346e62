"""The work of loads, drives and joints along a run, and the balance of energy and work."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from freebody.tables import listed

if TYPE_CHECKING:
    from freebody.hybrid.variables import Variable
    from freebody.results.trajectory import RunResult

Array = NDArray[np.float64]
Powers = Callable[[Array, Array], Mapping[str, Array]]
SUPPLIED, LOST, STRAIN = "energy.supplied", "energy.lost", "energy.strain"
POINTS = 4
"""Gauss points in each step, or part of one between saved times: exact for polynomials of degree 7."""

MOST = 20
"""Works that are listed one by one in an account of the energy."""

ROUNDING = 1e-14
"""Differences of energies that are smaller, relative to the largest energy, are rounding errors."""

RESTING = 1e-12
"""Changes of coordinates and poses up to this fraction of their size, and of 1, are rounding errors."""

UNKNOWN = "not known: the run does not hold the work of its loads, drives and joints"


@dataclass(frozen=True)
class Works:
    """Works since the first saved time, by key: at the saved times, and before and after each jump."""

    saved: Mapping[str, Array]
    sides: Mapping[str, Array]


def work_keys(run: "RunResult") -> list[str]:
    """The variables that are integrals along a run, not functions of a state."""
    return [v.key for v in run.about.variables if is_integral(v)]


def is_integral(variable: "Variable") -> bool:
    """Whether a variable is a sum or an integral along a run, not a function of a state."""
    return variable.group == "work" or variable.key in (SUPPLIED, LOST)


def integrate_powers(run: "RunResult", powers: Powers, jumps: Array) -> Works:
    """∫ power dt from step to step, at the states that ``run.sol`` returns inside each, and the energy that was lost.
    ``jumps`` are the times of the jumps, each twice."""
    sign = -1.0 if len(run.t) and run.t[-1] < run.t[0] else 1.0
    times = np.concatenate([run.t, jumps, run.knots.t]) * sign
    low, high = (run.t[0] * sign, run.t[-1] * sign) if len(run.t) else (0.0, 0.0)
    grid = np.unique(times[(times >= low) & (times <= high)])
    names = [v.name for v in run.about.variables if v.group == "work"]
    totals = np.zeros((len(grid), len(names)))
    if len(grid) > 1 and names:
        nodes, weights = np.polynomial.legendre.leggauss(POINTS)
        size = np.diff(grid)
        inside = (grid[:-1, None] + size[:, None] * (1 + nodes) / 2).ravel() * sign
        values = powers(inside, run.sol(inside).T)
        rows = np.stack([values[f"power.{name}"] for name in names], axis=-1).reshape(len(size), POINTS, -1)
        totals[1:] = np.cumsum(np.einsum("npk,p->nk", rows, weights) * size[:, None] / 2 * sign, axis=0)

    def at(t: Array) -> dict[str, Array]:
        rows = totals[np.clip(np.searchsorted(grid, t * sign), 0, max(len(grid) - 1, 0))] if len(t) else totals[:0]
        return {f"work.{name}": rows[:, k] for k, name in enumerate(names)} | {SUPPLIED: rows.sum(axis=1)}

    saved, sides = at(run.t), at(jumps)
    if LOST in work_keys(run):
        _add_at_events(run, sign, LOST, run.events.lost, saved, sides)
    for name in dict.fromkeys(name for works in run.events.works for name in works):
        of_events = np.array([works.get(name, 0.0) for works in run.events.works])
        for key in (f"work.{name}", SUPPLIED):
            _add_at_events(run, sign, key, of_events, saved, sides)
    return Works(saved, sides)


def _add_at_events(
    run: "RunResult", sign: float, key: str, of_events: Array, saved: dict[str, Array], sides: dict[str, Array]
) -> None:
    """Add the sum of what happened at the events so far, to the saved rows and on both sides of the jumps."""
    total, jumps = np.concatenate([[0.0], np.cumsum(of_events)]), np.ravel(run.events.jumps[:, None] + [0, 1])
    for values, which in ((saved, _events_before(run, sign)), (sides, jumps)):
        values[key] = values[key] + total[which] if key in values else total[which]


def _events_before(run: "RunResult", sign: float) -> NDArray[np.intp]:
    """How many events happened before each saved row. A row at the time of an event is the state before or after it."""
    e, rows = run.events, np.searchsorted(run.events.t * sign, run.t * sign, side="left")
    after = np.searchsorted(e.t * sign, run.t * sign, side="right")
    for k in np.flatnonzero(after > rows):
        ends = e.before[rows[k]], e.after[after[k] - 1]
        far, near = (float(np.linalg.norm(run.x[k] - end)) for end in ends)
        rows[k] = after[k] if near <= far else rows[k]
    return rows


class Recorded(Mapping[str, Array]):
    """Recorded arrays by key; the works among them are computed when one is first asked for."""

    def __init__(self, known: Mapping[str, Array], keys: list[str], works: Callable[[], Mapping[str, Array]]) -> None:
        self._known, self._later, self._works = known, keys, works

    def __getitem__(self, key: str) -> Array:
        return self._works()[key] if key in self._later else self._known[key]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._known, *self._later]))

    def __len__(self) -> int:
        return len({*self._known, *self._later})

    def __repr__(self) -> str:
        return f"<recorded: {listed(self)}>"

    def __reduce__(self) -> tuple[type[dict[str, Array]], tuple[dict[str, Array]]]:
        """Copies and pickles hold the numbers."""
        return dict, (dict(self),)


@dataclass(frozen=True)
class Balance:
    """Energy and work along a run. ``error`` is the largest difference between the change of the total energy and the
    work since the start, divided by ``scale``, the largest kinetic energy, change of potential energy or work (in J).
    Changes by resets are not errors. After ``known_until`` the ends of steps are not stored, and the work is integrated
    between the saved times."""

    error: float
    scale: float
    known_until: float

    def text(self, end: float) -> str:
        """The error in words, for a run that ends at this time."""
        rough = "" if self.known_until == end else f"; work after t = {self.known_until:g} s from saved times only"
        return f"{self.error:.2g} of {self.scale:.3g} J, the largest energy or work{rough}"


def balance(run: "RunResult") -> Balance | None:
    """The balance of energy and work; None where the work is not recorded."""
    if SUPPLIED not in run or "energy.total" not in run or not len(run):
        return None
    t, total = run.series("energy.total")
    work, kinetic, potential = (run.series(f"energy.{name}")[1] for name in ("supplied", "kinetic", "potential"))
    each = [run[key] for key in work_keys(run)]
    with np.errstate(all="ignore"):  # a run that failed may hold infinities
        error = total - total[0] - work - np.concatenate([[0.0], np.cumsum(_by_resets(t, total - work))])
        scale = max(float(np.max(np.abs(x), initial=0.0)) for x in (kinetic, potential - potential[0], *each))
    sign = -1.0 if t[-1] < t[0] else 1.0
    last = run.knots.t[-1] if len(run.knots) else t[0]
    known = t[-1] if last * sign >= t[-1] * sign or not run.group("work") else last
    largest = float(np.max(np.abs(error)))
    at_rest = largest <= ROUNDING * float(np.max(np.abs(total)))  # where nothing else gives a scale
    if at_rest or (largest > RESTING * scale and _rests(run)):
        largest = 0.0
    return Balance(largest / (scale or 1.0), scale, float(known))


def _rests(run: "RunResult") -> bool:
    """Whether no body moves or deforms, except for rounding."""
    values = [run[v.key] for v in run.about.variables if v.group in ("pose", "q")]
    return all(np.all(np.ptp(x, axis=0) <= RESTING * (1 + np.abs(x).max(axis=0))) for x in values)


def _by_resets(t: Array, total: Array) -> Array:
    """The changes of energy while no time passes."""
    return np.where(np.diff(t) == 0, np.diff(total), 0.0)


def account(run: "RunResult") -> list[tuple[str, float]]:
    """Changes of energy between the start and the end of a run in J, the works that caused them (the largest ``MOST``),
    and the difference. Empty where the work is not recorded."""
    if SUPPLIED not in run or "energy.total" not in run or not len(run):
        return []
    lost = float(run.events.lost.sum())
    (t, total), (_, work) = run.series("energy.total"), run.series(SUPPLIED)
    resets = float(np.sum(_by_resets(t, total - work))) + lost
    works = {v.name: float(run[v.key][-1]) for v in run.about.variables if v.group == "work"}
    listed = sorted(works, key=lambda name: -abs(works[name]))[:MOST]
    changes = {name: float(np.diff(run[f"energy.{name}"][[0, -1]])[0]) for name in ("kinetic", "potential")}
    strain = [("of which strain energy", float(np.diff(run[STRAIN][[0, -1]])[0]))] if STRAIN in run else []
    sources = {name: _source(name) for name in works}
    causes = [(f"work of {sources[name].strip()}", works[name]) for name in works if name in listed]
    if len(works) > MOST:
        causes.append((f"work of {len(works) - MOST} others", sum(works[n] for n in works if n not in listed)))
    largest = max(map(abs, (lost, *changes.values(), *works.values())))
    at_events = "change by resets and gaps that were closed" if run.events.held else "change by resets"
    causes += [("loss by impacts and switching", -lost)] if lost else []
    causes += [(at_events, resets)] if abs(resets) > ROUNDING * largest else []
    difference = sum(changes.values()) - sum(x for _, x in causes)
    energies = [(f"change of {name} energy", x) for name, x in changes.items()]
    return [*energies, *strain, *causes, ("difference", difference)]


def _source(work: str) -> str:
    """What does a work, in words."""
    if work == "joints":
        return "joint dampers and friction"
    kind, _, name = work.partition(".")
    return f"modal damping of {name}" if kind == "damping" else f"{kind} {name}"
