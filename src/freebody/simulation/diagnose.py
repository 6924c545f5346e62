"""Why a run could not go on: when, where, and which joint."""

import numpy as np
from numpy.typing import NDArray

from freebody.simulation.plant import Plant

Array = NDArray[np.float64]
SINGULAR = 1e-12
"""M is called singular where its smallest eigenvalue is below this, the diagonal scaled to 1 (or to what it was at the
start, where that was more)."""


def diagnose(plant: Plant, start: tuple[float, Array], t: float, x: Array, reason: str) -> str:
    """One or two sentences for the user; the start tells what was usual."""
    where = f"at t = {t:.6g} s the run could not go on: {reason}."
    return f"{where} {_cause(plant, start, t, x)}"


def _cause(plant: Plant, start: tuple[float, Array], t: float, x: Array) -> str:
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
    return _fastest(plant, t, x)


def _singular(M: Array, usual: Array) -> int | None:
    """The speed that an (almost) singular mass matrix leaves free, if it is one."""
    if not len(M):
        return None
    if np.min(np.diag(M)) <= 0:
        return int(np.argmin(np.diag(M)))
    scale = np.sqrt(np.maximum(np.diag(M), np.diag(usual)))
    values, vectors = np.linalg.eigh(M / np.outer(scale, scale))
    return int(np.argmax(np.abs(vectors[:, 0]))) if values[0] <= SINGULAR else None


def _fastest(plant: Plant, t: float, x: Array) -> str:
    rates = np.abs(plant.machine.x_dot(t, x))
    lost = ~np.isfinite(rates)
    if np.any(lost):
        k = int(np.argmax(lost))
        hint = "look at the loads and laws it feels"
        if plant.about.state[k].startswith("q."):
            hint = "angles stand where their rates have no value (gimbal lock): take another sequence or a quaternion"
        return f"The rate of {_entry(plant, k)} is not finite: {hint}."
    if not len(rates):
        return ""
    k = int(np.argmax(rates / (1 + np.abs(x))))
    return (
        f"The fastest change is {_entry(plant, k)}: {x[k]:.4g}, with rate {rates[k]:.3g}. A law that jumps or grows"
        " without bound, or angles at a place where their rates do (gimbal lock: use a quaternion), does this; a stiff"
        " system needs method='radau' or 'bdf'."
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
