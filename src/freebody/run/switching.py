"""Switching of constraints at events: gaps, captured poses, impulses and the energy that is lost.

Engaging gives the speeds the smallest change, measured by the kinetic energy, that the constraint requires: the impulse
M Δu = GᵀΛ. It is the projection of speeds (``project``) with the flag of the constraint set.
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.integrate.plant import Plant, SwitchAction, SwitchProgram
from freebody.model.constraints import Closure
from freebody.model.cut_coordinates import settled_states
from freebody.names import CAPTURED, ENGAGED, POSE
from freebody.results.trajectory import RunResult
from freebody.run.arguments import boolean, by_name, require_names
from freebody.tree.independence import pose_numbers

Array = NDArray[np.float64]
DEPENDENT = 1e-10
"""Singular values of G below this fraction of the largest are taken as zero."""


def switchable(e: Derivation) -> list[str]:
    """The names of the constraints that can be switched."""
    return [name for name, constraint in e.forest.model.constraints.items() if constraint.engaged is not None]


def engaged_at_start(e: Derivation, engaged: Any) -> dict[str, float]:
    """The flags that a user gives for the start of a run, as inputs."""
    flags, who = by_name(engaged, "engaged", "{'latch': True}"), f"system '{e.forest.model.name}'"
    require_switchable(e, list(flags), who)
    return {ENGAGED(name): float(boolean(flag, f"engaged: '{name}'")) for name, flag in flags.items()}


def require_switchable(e: Derivation, names: Collection[str], who: str) -> None:
    """Refuse names that are not those of constraints that can be switched."""
    every = e.forest.model.constraints
    require_names([*every], dict.fromkeys(names), "constraint", who)
    fixed = [name for name in names if every[name].engaged is None]
    if fixed:
        raise ArgumentError(
            f"{who}: constraint '{fixed[0]}' always holds and cannot be switched; describe it with engaged=True or"
            " engaged=False"
        )


def final_switches(e: Derivation, run: RunResult) -> dict[str, float]:
    """The flags and captured poses in which a run ended; empty for a run of a system without."""
    if not len(run.t) or not e.layout.switches or run.about.digest != e.forest.model.digest:
        return {}
    if run.switches is not None:
        return dict(zip(e.layout.switches, run.switches[-1].tolist(), strict=True))
    values = {ENGAGED(name): float(run.recorded[ENGAGED(name)][-1]) for name in switchable(e)}
    for name, constraint in e.forest.model.constraints.items():
        if isinstance(constraint, Closure) and constraint.capture:
            values |= zip(constraint.pose_names, run.recorded[CAPTURED(name)][-1].tolist(), strict=True)
    return values


class SwitchRefusedError(ArgumentError):
    """A constraint that cannot be engaged at a state."""


class Switched(NamedTuple):
    """The state after switching, the impulse of each equation of the constraints, the kinetic energy that was lost, and
    the constraints that were engaged and released."""

    x: Array
    impulses: Array
    lost: float
    engaged: tuple[str, ...]
    released: tuple[str, ...]


class Switcher:
    """Switches the constraints of a plant: it changes the plant's inputs in place."""

    def __init__(self, plant: Plant) -> None:
        self.plant, first = plant, len(plant.inputs) - len(plant.switches)
        self.index = {name: first + k for k, name in enumerate(plant.switches)}
        self.rows = [name for info in plant.about.constraints for name in info.multipliers]
        self._owner = [info.name for info in plant.about.constraints for _ in info.multipliers]

    @property
    def values(self) -> Array:
        """The flags and captured poses at present."""
        return self.plant.inputs[len(self.plant.inputs) - len(self.plant.switches) :].copy()

    def apply(self, action: SwitchAction, t: float, x: Array) -> Switched:
        """Release and engage constraints at a state; raises ``SwitchRefusedError``, with the inputs as they were, if
        one cannot be engaged."""
        inputs, known = self.plant.inputs, self.plant.inputs.copy()
        released = tuple(name for name in action.release if inputs[self.index[ENGAGED(name)]])
        inputs[[self.index[ENGAGED(name)] for name in released]] = 0.0
        new = [name for name in action.engage if not inputs[self.index[ENGAGED(name)]]]
        if not new:
            return Switched(x, np.zeros(len(self.rows)), 0.0, (), released)
        try:
            return self._engage(new, released, action, t, x)
        except SwitchRefusedError:
            inputs[:] = known
            raise

    def _engage(self, new: list[str], released: tuple[str, ...], action: SwitchAction, t: float, x: Array) -> Switched:
        inputs, machine, before = self.plant.inputs, self.plant.machine, self._at(t, x)
        known = inputs.copy()
        posed, start = [name for name in self._program.posed if name in new], x.copy()
        for name in posed:
            k = self._program.posed.index(name)
            inputs[[self.index[CAPTURED(f"{name}.{c}")] for c in POSE]] = pose_numbers(before["poses"][k])
            start[list(self._program.states[k])] = list(self._program.states[k].values())
        start = self._followed(new, t, start)
        self._require_closed(new, action.gap, self._at(t, start))
        inputs[[self.index[ENGAGED(name)] for name in new]] = 1.0
        after = machine.project(t, start)
        if after is None:
            raise SwitchRefusedError(
                f"{_constraints(new)} cannot be engaged: no state near this one satisfies it together with the other"
                " constraints. Release what it contradicts, or capture the pose"
            )
        speeds, rest = self.plant.speeds, np.array(after)
        rest[speeds] = x[speeds]
        approach = self._approach(new, t, rest)
        rebounds = action.restitution * approach > action.rest_speed
        if rebounds:
            after[speeds] -= action.restitution * (x[speeds] - after[speeds])
        change = machine.mass_matrix(t, after) @ (after[speeds] - x[speeds])
        constraint = machine.constraint(t, after)
        G = np.zeros((0, len(speeds))) if constraint is None else constraint["G"]
        impulses: Array = np.linalg.lstsq(G.T, change, rcond=DEPENDENT)[0].astype(float)
        lost = float(before["kinetic"] - self._at(t, after)["kinetic"])
        if rebounds:
            inputs[:] = known
        return Switched(after, impulses, lost, () if rebounds else tuple(new), released)

    def _followed(self, names: list[str], t: float, x: Array) -> Array:
        """The state, whose extra states of constraints are where the coordinates require them."""
        state, every = x.copy(), [k for indices in self._program.followers.values() for k in indices]
        own = [k for name in names for k in self._program.followers.get(name, ())]
        places = [every.index(k) for k in own]

        def correction(z: Array) -> Array:
            state[own] = z
            return self._at(t, state)["corrections"][places]

        state[own] = settled_states(correction, x[own])
        return state

    def _approach(self, names: list[str], t: float, x: Array) -> float:
        """The largest rate of the equations of constraints at a state."""
        speeds = self.plant.machine.rows(self.plant.programs["drift"], {"t": np.array([t]), "x": x})["speed"]
        return max((abs(float(v)) for v, owner in zip(speeds, self._owner, strict=True) if owner in names), default=0.0)

    @property
    def _program(self) -> SwitchProgram:
        program: SwitchProgram = self.plant.programs["switching"]
        return program

    def _at(self, t: float, x: Array) -> Mapping[str, Array]:
        values: Mapping[str, Array] = self.plant.machine.rows(self._program.program, {"t": np.array([t]), "x": x})
        return values

    def _require_closed(self, new: list[str], gap: float, values: Mapping[str, Array]) -> None:
        """Raise where a constraint is open."""
        for row, phi in zip(self._program.rows, values["phi"].tolist(), strict=True):
            if row.constraint in new and not abs(phi) <= gap:
                off = f"{abs(phi):.3g} {row.unit or 'rad'}" if np.isfinite(phi) else "not finite"
                equation = f" ({row.label})" if row.label else ""
                raise SwitchRefusedError(
                    f"constraint '{row.constraint}'{equation} cannot be engaged: it is open by {off}, more than the gap"
                    f" of {gap:.3g} that is closed. Engage it where it is closed, describe it with capture=True to hold"
                    " the bodies as they are (closures), or allow a larger gap"
                )
        for name, cosine in zip(self._program.turned, values["cosines"].tolist(), strict=True):
            if name in new and not cosine > 0:
                raise SwitchRefusedError(
                    f"constraint '{name}' cannot be engaged: the axes of its joint in the two bodies are opposite, half"
                    " a turn from the closed position. Engage it where it is closed, or turn one side by orient_to"
                )


def _constraints(names: list[str]) -> str:
    return ("constraint " if len(names) == 1 else "constraints ") + ", ".join(f"'{name}'" for name in names)
