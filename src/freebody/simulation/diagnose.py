"""Why a run could not go on: when, where, and which joint."""

import numpy as np
from numpy.typing import NDArray

from freebody.simulation.plant import Plant
from freebody.simulation.recorder import Recorder
from freebody.simulation.steppers import IMPLICIT

Array = NDArray[np.float64]
SINGULAR = 1e-12
"""M is called singular where its smallest eigenvalue is below this, the diagonal scaled to 1 (or to what it was at the
start, where that was more)."""


LARGE = 1e150
AHEAD = (0.0, 1e-12, 1e-9, 1e-6, 1e-3)
"""How far ahead it is looked for what is not finite: parts of the time, or of a second."""


def diagnose(
    plant: Plant, start: tuple[float, Array], t: float, x: Array, reason: str, method: str, direction: float
) -> str:
    """One or two sentences for the user; the start tells what was usual."""
    where = f"at t = {t:.6g} s the run could not go on: {reason}."
    with np.errstate(all="ignore"):
        return f"{where} {_cause(plant, start, t, x, direction) or _fastest(plant, t, x, method)}".rstrip()


def _cause(plant: Plant, start: tuple[float, Array], t: float, x: Array, direction: float) -> str:
    """What is singular or not finite, if anything is."""
    M = plant.machine.mass_matrix(t, x)
    if not np.all(np.isfinite(M)):
        bad = int(np.argmax(~np.all(np.isfinite(M), axis=1)))
        return f"The mass matrix is not finite in the row of {_speed(plant, bad)}: look at what its inertia depends on."
    weak = _singular(M, plant.machine.mass_matrix(*start))
    if weak is not None:
        return (
            f"The mass matrix is singular there: {_speed(plant, weak)} has nothing to resist it in this configuration."
            " Give the joint an armature, its body some inertia, or keep the motion away from this place."
        )
    return _lost(plant, t, x, direction)


def _singular(M: Array, usual: Array) -> int | None:
    """The speed that an (almost) singular mass matrix leaves free, if it is one."""
    if not len(M):
        return None
    if np.min(np.diag(M)) <= 0:
        return int(np.argmin(np.diag(M)))
    scale = np.sqrt(np.maximum(np.diag(M), np.diag(usual)))
    values, vectors = np.linalg.eigh(M / np.outer(scale, scale))
    return int(np.argmax(np.abs(vectors[:, 0]))) if values[0] <= SINGULAR else None


def _lost(plant: Plant, t: float, x: Array, direction: float) -> str:
    """The first rate that is not finite, here or a little ahead, and the input or load that is none either."""
    here = plant.machine.x_dot(t, x)
    known = np.where(np.isfinite(here), here, 0.0)
    for part in AHEAD:
        h = direction * part * max(1.0, abs(t))
        rates = plant.machine.x_dot(t + h, x + h * known)
        if not np.all(np.isfinite(rates)):
            k = int(np.argmax(~np.isfinite(rates)))
            where = "is not finite" if part == 0 else "is finite here but not a moment later"
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
    if plant.about.state[k].startswith("q."):
        return "angles stand where their rates have no value (gimbal lock): take another sequence or a quaternion"
    return "look at the loads and laws it feels"


def _fastest(plant: Plant, t: float, x: Array, method: str) -> str:
    rates = np.abs(plant.machine.x_dot(t, x))
    k = int(np.argmax(rates / (1 + np.abs(x)))) if len(rates) else 0
    if not len(rates) or rates[k] == 0:
        return ""
    stiff = "" if method in IMPLICIT else "; a stiff system needs method='radau' or 'bdf'"
    return (
        f"The fastest change is {_entry(plant, k)}: {x[k]:.4g}, with rate {rates[k]:.3g}. A law that jumps or grows"
        f" without bound, or angles at a place where their rates do (gimbal lock: use a quaternion), does this{stiff}."
    )


def _speed(plant: Plant, index: int) -> str:
    """A speed and the joint it belongs to."""
    speeds = [key[2:] for key in plant.about.state if key.startswith("u.")]
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
