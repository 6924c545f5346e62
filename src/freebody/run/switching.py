"""Switching of constraints at events: gaps, captured poses, impulses and the energy that is lost.

Engaging gives the speeds the smallest change, measured by the kinetic energy, that the constraint requires: the impulse
M Δu = GᵀΛ. It is the projection of speeds (``project``) with the flag of the constraint set.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.hybrid.system import Deferred
from freebody.hybrid.updates import Change, RefusedError
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.manifold import normalised
from freebody.integrate.mechanics import MechanicsFunctions, MechanicsPrograms
from freebody.model.cut_coordinates import settled_states
from freebody.names import CAPTURED, ENGAGED, POSE, SLIPPING
from freebody.program.program import Program
from freebody.results.trajectory import RunResult
from freebody.run.arguments import boolean, by_name, require_names
from freebody.run.held_names import held_columns
from freebody.run.initial import STIFF
from freebody.tree.assembled_samples import pose_numbers
from freebody.tree.assembly import DEPENDENT

Array = NDArray[np.float64]
CLOSED = 1e-8
"""The largest residual of a constraint that has been engaged, and of its speed relative to that before."""

SETTLED, GAP_STEPS = 1e-13, 10
"""The residual at which a gap counts as closed, and the most steps of Newton's method until then."""


def switchable(e: Derivation) -> list[str]:
    """The names of the constraints that can be switched."""
    return [name for name, constraint in e.tree.model.constraints.items() if constraint.engaged is not None]


def engaged_at_start(e: Derivation, engaged: Any) -> dict[str, float]:
    """The flags that a user gives for the start of a run, as inputs."""
    flags, context = by_name(engaged, "engaged", "{'latch': True}"), f"system '{e.tree.model.name}'"
    require_switchable(e, list(flags), context)
    return {ENGAGED(name): float(boolean(flag, f"engaged: '{name}'")) for name, flag in flags.items()}


def engaged_names(e: Derivation, held: Mapping[str, float]) -> list[str]:
    """The names of the constraints whose flags are set among held values."""
    return [name for name in switchable(e) if held[ENGAGED(name)]]


def require_switchable(e: Derivation, names: Collection[str], context: str) -> None:
    """Refuse names that are not those of constraints that can be switched."""
    every = e.tree.model.constraints
    require_names([*every], dict.fromkeys(names), "constraint", context)
    fixed = [name for name in names if every[name].engaged is None]
    if fixed:
        raise ArgumentError(
            f"{context}: constraint '{fixed[0]}' always holds and cannot be switched; describe it with engaged=True or"
            " engaged=False"
        )


def final_held(e: Derivation, run: RunResult) -> dict[str, float]:
    """What is held at the end of a run: flags, captured poses, what sampled elements hold and write; empty for a run of
    a system without."""
    columns = held_columns(e)
    if not len(run.t) or run.about.digest != e.tree.model.digest:
        return {}
    if run.held_steps is not None:
        values = dict(zip(run.held_steps.names, run.held_steps.values[-1].tolist(), strict=True))
        known = {column: name for name, column in columns.items()}
        return {known.get(column, column.partition(".")[2]): value for column, value in values.items()}
    if e.tree.model.sampled:
        raise ArgumentError(
            f"{run.about.system}: this run is from a file, which has not all that sampled elements hold, so that it"
            " cannot be continued; simulate again"
        )
    values = {ENGAGED(name): float(run.recorded[ENGAGED(name)][-1]) for name in switchable(e)}
    for name, contact in e.tree.model.point_contacts.items():
        grips, slip = contact.friction_names
        if contact.rubs:
            values |= {grips: float(run.recorded[grips][-1])}
            values |= zip(slip, run.recorded[SLIPPING(name)][-1].tolist(), strict=True)
    for name, constraint in e.tree.model.constraints.items():
        if constraint.captures:
            values |= zip(constraint.pose_names, run.recorded[CAPTURED(name)][-1].tolist(), strict=True)
    return values


class SwitchRow(NamedTuple):
    """An equation of a constraint that can be switched."""

    constraint: str
    label: str
    unit: str


@dataclass(frozen=True)
class SwitchProgram:
    """A program with what switching needs to know at a state: ``phi`` and ``velocities`` (G u + offset) of the ``rows``
    of constraints that can be switched, also of those that follow from others; ``cosines`` of closures, those of the
    constraints ``turned``, negative where one is half a turn away; the ``poses`` that the closures ``posed`` would
    capture; and the ``kinetic`` energy. ``states`` are the indices in x of extra states of these closures, with the
    values they have where a pose is captured; ``followers`` those of extra states that follow the coordinates, by
    constraint, whose ``corrections`` the program computes in the same order. ``stiffness`` is K_kk of modes by speed, 0
    for speeds of joints."""

    program: Program
    rows: tuple[SwitchRow, ...]
    turned: tuple[str, ...]
    posed: tuple[str, ...]
    states: tuple[dict[int, float], ...]
    followers: Mapping[str, tuple[int, ...]]
    stiffness: Array


def programs_of_impulses(own: Program, mechanics: MechanicsPrograms) -> tuple[Program, ...]:
    """The programs of an update that gives the speeds an impulse: its own, M, and the constraints."""
    mass = mechanics.mass.value
    programs = own, None if mass is None else mass.program, mechanics.constraint.value
    return tuple(program for program in programs if program is not None)


@dataclass(frozen=True, eq=False)
class Engage:
    """The update that releases and engages constraints, by a program of its own and M, G and φ of the ``mechanics``.
    Engaging captures poses, closes gaps of at most ``gap`` and gives the speeds an impulse; with ``restitution`` the
    bodies rebound, as long as they are faster than ``rest_speed``, and the flag stays as it is."""

    engage: tuple[str, ...]
    release: tuple[str, ...]
    program: Deferred[SwitchProgram]
    mechanics: MechanicsPrograms
    restitution: float = 0.0
    gap: float = 1e-3
    rest_speed: float = 1e-3

    @property
    def sets(self) -> tuple[str, ...]:
        return tuple(map(ENGAGED, self.engage))

    @property
    def clears(self) -> tuple[str, ...]:
        return tuple(map(ENGAGED, self.release))

    @property
    def rebounds(self) -> bool:
        return self.restitution > 0

    @property
    def programs(self) -> tuple[Program, ...]:
        return programs_of_impulses(self.program.value.program, self.mechanics)

    def __repr__(self) -> str:
        return f"Engage{self.engage, self.release, self.restitution, self.gap, self.rest_speed}"

    def changes_states(self, count: int) -> bool:
        return True

    def __call__(self, compiled: CompiledSystem, t: float, x: Array, d: Array) -> Change:
        """The change, with the impulse of each equation of the constraints and the kinetic energy that is lost."""
        scratch = compiled.scratch
        scratch.d[:] = d
        switcher = Switcher(scratch, self.program.value, self.mechanics)
        for name in self.clears:
            scratch.d[switcher.index[name]] = 0.0
        new = [name for name in self.engage if not scratch.d[switcher.index[ENGAGED(name)]]]
        if not new:
            return Change(x, scratch.d.copy())
        return switcher.engage(new, self, t, x)


class Switcher:
    """Engages constraints of a compiled system, whose row d it changes."""

    def __init__(self, compiled: CompiledSystem, program: SwitchProgram, mechanics: MechanicsPrograms) -> None:
        self.compiled, self.index, self._program = compiled, compiled.system.row.index, program
        self._mechanics = MechanicsFunctions(compiled, mechanics)

    def engage(self, new: list[str], action: Engage, t: float, x: Array) -> Change:
        """Engage constraints: capture poses, close gaps, and give the speeds an impulse."""
        compiled, inputs, before = self.compiled, self.compiled.d, self._at(t, x)
        mechanics, known = self._mechanics, inputs.copy()
        posed, start = [name for name in self._program.posed if name in new], x.copy()
        for name in posed:
            k = self._program.posed.index(name)
            inputs[[self.index[CAPTURED(f"{name}.{c}")] for c in POSE]] = pose_numbers(before["poses"][k])
            start[list(self._program.states[k])] = list(self._program.states[k].values())
        start = self._followed(new, t, start)
        self._require_closed(new, action.gap, self._at(t, start))
        inputs[[self.index[ENGAGED(name)] for name in new]] = 1.0
        after = compiled.project(t, self._without_gaps(t, start))
        speeds, approach = compiled.system.speeds, 0.0
        if after is not None:
            coming = np.array(after)
            coming[speeds] = x[speeds]
            approach = self._largest(new, "velocities", self._at(t, coming))
        left = {} if after is None else self._at(t, after)
        if (
            after is None
            or self._largest(new, "phi", left) > CLOSED
            or self._largest(new, "velocities", left) > CLOSED * (1 + approach)
        ):
            raise RefusedError(
                f"{_constraints(new)} cannot be engaged: no state near this one satisfies it together with the other"
                " constraints and prescribed motions. Release what it contradicts"
            )
        rebounds = action.restitution * approach > action.rest_speed
        if rebounds:
            after[speeds] -= action.restitution * (x[speeds] - after[speeds])
        change = mechanics.mass_matrix(t, after) @ (after[speeds] - x[speeds])
        constraint = mechanics.constraint(t, after)
        G = np.zeros((0, len(speeds))) if constraint is None else constraint["G"]
        impulses: Array = np.linalg.lstsq(G.T, change, rcond=DEPENDENT)[0].astype(float)
        lost = float(before["kinetic"] - self._at(t, after)["kinetic"])
        return Change(after, known if rebounds else inputs.copy(), {"impulses": impulses, "lost": lost})

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

    def _without_gaps(self, t: float, x: Array) -> Array:
        """The state with closed gaps if bodies are flexible: joints move, and bodies bend where these do not suffice.
        The projection alone would bend them instead, since modes have little inertia, and gain strain energy."""
        K, compiled, state = self._program.stiffness, self.compiled, x.copy()
        mechanics, speeds = self._mechanics, compiled.system.speeds
        for _ in range(GAP_STEPS if K.any() else 0):
            at, M = mechanics.constraint(t, state), mechanics.mass_matrix(t, state)
            if at is None or np.abs(at["phi"]).max(initial=0.0) <= SETTLED:
                break
            stiff, G = K > 0, at["G"]
            W = M + np.diag(STIFF**2 * K / np.min(K[stiff] / np.diag(M)[stiff]))
            columns = np.linalg.solve(W, G.T)
            moving, resting = state.copy(), state.copy()
            moving[speeds] = -columns @ np.linalg.pinv(G @ columns, rcond=DEPENDENT) @ at["phi"]
            resting[speeds] = 0.0
            step = (compiled.x_dot(t, moving) - compiled.x_dot(t, resting))[: speeds[0]]
            if not np.isfinite(step).all():
                return x
            state[: speeds[0]] += step
            state = normalised(state, compiled.system.quaternions)
        return state

    def _largest(self, names: list[str], what: str, values: Mapping[str, Array]) -> float:
        """The largest |φ| or |G u + offset| of some constraints."""
        own = [k for k, row in enumerate(self._program.rows) if row.constraint in names]
        return float(np.abs(values[what][own]).max(initial=0.0))

    def _at(self, t: float, x: Array) -> Mapping[str, Array]:
        values: Mapping[str, Array] = self.compiled.rows(self._program.program, {"t": np.array([t]), "x": x})
        return values

    def _require_closed(self, new: list[str], gap: float, values: Mapping[str, Array]) -> None:
        """Raise where a constraint is open."""
        rows = zip(self._program.rows, np.abs(values["phi"]).tolist(), strict=True)
        gaps = [(phi if np.isfinite(phi) else np.inf, row) for row, phi in rows if row.constraint in new]
        open_rows = [(phi, row) for phi, row in gaps if phi > gap]
        if open_rows:
            phi, row = max(open_rows, key=lambda pair: pair[0])
            off = f"{phi:.3g} {row.unit or 'rad'}" if np.isfinite(phi) else "a number that is not finite"
            equation = f" ({row.label})" if row.label else ""
            raise RefusedError(
                f"constraint '{row.constraint}'{equation} cannot be engaged: it is open by {off}, more than the gap"
                f" of {gap:.3g} that is closed. Engage it where it is closed, describe it with capture=True to hold"
                " the bodies as they are (closures), or allow a larger gap"
            )
        for name, cosine in zip(self._program.turned, values["cosines"].tolist(), strict=True):
            if name in new and not cosine > 0:
                raise RefusedError(
                    f"constraint '{name}' cannot be engaged: the axes of its joint in the two bodies are opposite, half"
                    " a turn from the closed position. Engage it where it is closed, or turn one side by orient_to"
                )


def _constraints(names: list[str]) -> str:
    return ("constraint " if len(names) == 1 else "constraints ") + ", ".join(f"'{name}'" for name in names)
