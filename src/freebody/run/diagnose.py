"""Why a run could not go on: when, where, which joint, and what to do."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.integrate.plant import Plant
from freebody.integrate.record import Status
from freebody.integrate.steppers import IMPLICIT
from freebody.names import Q, U
from freebody.run.recorder import Recorder

Array = NDArray[np.float64]
SINGULAR = 1e-12
"""M is called singular where its smallest eigenvalue is below this, the diagonal scaled to 1 (or to what it was at the
start, where that was more)."""

LARGE = 1e150
AHEAD = (0.0, 1e-12, 1e-9, 1e-6, 1e-3)
"""How far ahead rates that are not finite are looked for: parts of the time, or of a second."""

TRIED = (0.1, 1.0, 10.0, 100.0, 1000.0)
"""How long the steps are with which a chattering rate is looked for, in last steps of the run."""

CHATTER = 32
"""Steps of each length."""

STIFF = 0.5
"""A system is called stiff where a step is longer than this part of its fastest time constant."""

MANY = 100
"""Of more states no eigenvalues are computed."""


@dataclass(frozen=True)
class Stop:
    """Where a run from ``start`` (time and state) ended before its last time ``end``, and why: a status, the last
    step's size."""

    status: Status
    start: tuple[float, Array]
    t: float
    x: Array
    size: float
    end: float

    @property
    def direction(self) -> float:
        return 1.0 if self.end >= self.start[0] else -1.0


def diagnose(plant: Plant, stop: Stop, options: Any) -> str:
    """The end of a run in a few sentences: when, why, what is behind it, what to do next."""
    with np.errstate(all="ignore"):
        singular = _singular_mass(plant, stop)
        lost = "" if singular else _lost(plant, stop, options)
        jump = "" if singular or lost else _jump(plant, stop)
        stiff = "" if singular or lost or jump else _stiff(plant, stop, options.method)
        hint = "" if options.method in IMPLICIT else "A stiff system needs method='radau' or 'bdf'."
        usual = hint if stop.status is Status.BUDGET else _fastest(plant, stop, options.method)
    return f"{ended(stop, options, bool(singular or lost))} {singular or lost or jump or stiff or usual}".rstrip()


def ended(stop: Stop, options: Any, lost: bool = False) -> str:
    """When and why, without what is behind it; ``lost`` where rates are known not to be finite."""
    if stop.status is Status.BUDGET:
        what = f"the run has taken max_steps = {options.max_steps} steps. Allow more, or loosen rtol and atol."
    else:
        what = f"the run could not go on: {_reason(stop, lost, options)}."
    return f"at t = {stop.t:.6g} s {what}"


def _reason(stop: Stop, lost: bool, options: Any) -> str:
    if lost or stop.status is Status.NOT_FINITE:
        return "the derivative of the state is not finite"
    if stop.status is Status.STALLED:
        size = abs(stop.size) or options.step or 0.0
        return f"its steps of {size:.1e} s are too short to reach t = {stop.end:g} s"
    return "the step size fell below what the time can tell apart"


def _singular_mass(plant: Plant, stop: Stop) -> str:
    """Where nothing resists a speed."""
    M = plant.machine.mass_matrix(stop.t, stop.x)
    if not np.all(np.isfinite(M)):
        bad = int(np.argmax(~np.all(np.isfinite(M), axis=1)))
        return f"The mass matrix is not finite in the row of {named_speed(plant, bad)}: look at what it depends on."
    weak = _singular(M, plant.machine.mass_matrix(*stop.start))
    return "" if weak is None else singular_at(plant, weak)


def singular_at(plant: Plant, speed: int) -> str:
    return (
        f"The mass matrix is singular there: {named_speed(plant, speed)} has nothing to resist it in this"
        " configuration. Give the joint an armature, its body some inertia, or keep the motion away from this place;"
        " where lengths or masses differ by many orders, derive('aba') keeps what is lost here."
    )


def _singular(M: Array, usual: Array) -> int | None:
    """The speed that an (almost) singular mass matrix leaves free, if it is one."""
    if not len(M):
        return None
    if np.min(np.diag(M)) <= 0:
        return int(np.argmin(np.diag(M)))
    scale = np.sqrt(np.maximum(np.diag(M), np.diag(usual)))
    values, vectors = np.linalg.eigh(M / np.outer(scale, scale))
    return int(np.argmax(np.abs(vectors[:, 0]))) if values[0] <= SINGULAR else None


def _lost(plant: Plant, stop: Stop, options: Any) -> str:
    """The first rate that is not finite, here or a little ahead, and the input or load that is none either."""
    t, x = stop.t, stop.x
    here = plant.machine.x_dot(t, x)
    known = np.where(np.isfinite(here), here, 0.0)
    ahead = [part * max(1.0, abs(t)) for part in AHEAD] + [options.step or abs(stop.size)]
    for length in ahead:
        h = stop.direction * length
        rates = plant.machine.x_dot(t + h, x + h * known)
        if not np.all(np.isfinite(rates)):
            k = int(np.argmax(~np.isfinite(rates)))
            where = "is not finite" if h == 0 else "is finite here but not a moment later"
            return f"The rate of {_entry(plant, k)} {where}: {_why(plant, k, t + h, x + h * known)}."
    return ""


def _why(plant: Plant, k: int, t: float, x: Array) -> str:
    record = Recorder(plant)(np.array([t]), x[None, :])
    for key, _ in plant.slots:
        if key.startswith(("input.", "load.")) and not np.all(np.isfinite(record[key])):
            group, name = key.split(".", 1)
            return f"{group} '{name}' has no finite value there"
    fast = int(np.argmax(np.abs(x)))
    if abs(x[fast]) > LARGE:
        return f"{_entry(plant, fast)} is {x[fast]:.3g}, whose square no number holds"
    if Q.holds(plant.about.state[k]):
        return "angles stand where their rates have no value (gimbal lock): take another sequence or a quaternion"
    return "look at the loads and laws it feels"


# Chatter and stiffness


def chatters(plant: Plant, stop: Stop) -> bool:
    """Whether the state stays at a jump of its own rate."""
    with np.errstate(all="ignore"):
        return bool(_jump(plant, stop))


def _jump(plant: Plant, stop: Stop) -> str:
    """A rate that jumps back and forth from step to step: the state stays at a jump of a law, where no step is short
    enough. Euler's steps find two states between which the rate turns round, bisection whether it jumps there."""
    size = abs(stop.size) or 1e-10 * max(1.0, abs(stop.t))
    for part in TRIED:
        pair = _turned(plant, stop, part * size * stop.direction)
        if pair is not None:
            k, a, b = pair
            return f"{_what_jumps(plant, k, a, b)} It chatters: the state stays at the jump, and no step is short" + (
                " enough to follow. Smooth the jump (c*tanh(u/u0) instead of c*sign(u), u0 a small speed) and take"
                " method='radau' or 'bdf', or end the motion there by an event."
            )
    return ""


Point = tuple[float, Array]


def _turned(plant: Plant, stop: Stop, h: float) -> tuple[int, Point, Point] | None:
    """A speed or state whose rate jumps to the other sign, and the two sides of the jump."""
    f, point = plant.machine.x_dot, (stop.t, stop.x)
    rates = f(*point)
    for _ in range(CHATTER):
        following = point[0] + h, point[1] + h * rates
        after = f(*following)
        if not np.all(np.isfinite(after)):
            return None
        turned = np.flatnonzero((rates * after < 0) & (np.abs(after - rates) > 0.1 * np.max(np.abs(rates))))
        for k in turned.tolist():
            sides = _sides(plant, k, point, following)
            if sides is not None:
                return (k, *sides)
        point, rates = following, after
    return None


def _sides(plant: Plant, k: int, a: Point, b: Point) -> tuple[Point, Point] | None:
    """The two sides of a jump of rate k between two points, None where it goes through zero or grows without bound."""
    f = plant.machine.x_dot
    before, jump = f(*a)[k], abs(f(*b)[k] - f(*a)[k])
    for _ in range(60):
        middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        if f(*middle)[k] * before > 0:
            a = middle
        else:
            b = middle
    return (a, b) if 0.5 * jump < abs(f(*b)[k] - f(*a)[k]) < 2 * jump else None


def _what_jumps(plant: Plant, k: int, a: Point, b: Point) -> str:
    """The input or load behind a jump of rate k, else the rate itself."""
    record = Recorder(plant)(np.array([a[0], b[0]]), np.array([a[1], b[1]]))
    for key, size in plant.slots:
        row = record[key]
        if key.startswith(("input.", "load.")) and size == 1 and abs(row[1] - row[0]) > 0.5 * np.max(np.abs(row)):
            group, name = key.split(".", 1)
            return f"{group.capitalize()} '{name}' jumps between {row[0]:.4g} and {row[1]:.4g}."
    rates = [plant.machine.x_dot(*point)[k] for point in (a, b)]
    return f"The rate of {_entry(plant, k)} jumps between {rates[0]:.4g} and {rates[1]:.4g}."


def _stiff(plant: Plant, stop: Stop, method: str) -> str:
    """Where stability, not accuracy, keeps the steps of an explicit method short: |λ| h is about 1 or more."""
    n = len(stop.x)
    if method in IMPLICIT or not 0 < n <= MANY or stop.size == 0:
        return ""
    f = plant.machine.x_dot
    rates, scale = f(stop.t, stop.x), 1e-11 * np.maximum(1.0, np.abs(stop.x))
    J = np.stack([(f(stop.t, stop.x + d) - rates) / h for d, h in zip(np.diag(scale), scale, strict=True)], axis=1)
    if not np.all(np.isfinite(J)):
        return ""
    values, vectors = np.linalg.eig(J)
    k = int(np.argmin(values.real))
    if -values[k].real * abs(stop.size) < STIFF:
        return ""
    moved = int(np.argmax(np.abs(vectors[:, k])))
    return (
        f"It is stiff: a motion in {_entry(plant, moved)} that dies out within {-1 / values[k].real:.1e} s keeps the"
        " steps short. Take method='radau' or 'bdf'."
    )


def _fastest(plant: Plant, stop: Stop, method: str) -> str:
    x, rates = stop.x, np.abs(plant.machine.x_dot(stop.t, stop.x))
    k = int(np.argmax(rates / (1 + np.abs(x)))) if len(rates) else 0
    if not len(rates) or rates[k] == 0:
        return ""
    stiff = "" if method in IMPLICIT else "; a stiff system needs method='radau' or 'bdf'"
    return (
        f"The fastest change is {_entry(plant, k)}: {x[k]:.4g}, with rate {rates[k]:.3g}. A law that jumps or grows"
        f" without bound, or angles at a place where their rates do (gimbal lock: use a quaternion), does this{stiff}."
    )


def named_speed(plant: Plant, index: int) -> str:
    """A speed and the joint it belongs to."""
    speeds = [U.strip(key) for key in plant.about.state if U.holds(key)]
    return _named(plant, speeds[index], "u", "speed")


def _entry(plant: Plant, place: int) -> str:
    key = plant.about.state[place]
    words = {"q": "coordinate", "u": "speed", "z": "state"}
    return _named(plant, key[2:], key[0], words[key[0]])


def _named(plant: Plant, name: str, group: str, word: str) -> str:
    for e in plant.about.elements:
        if name in (e.q if group == "q" else e.u) and group in "qu":
            return f"{word} '{name}' (joint '{e.name}', {e.joint}, {e.name} on {e.parent})"
    return f"{word} '{name}'"
