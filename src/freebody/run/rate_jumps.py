"""Instants at which prescribed motions change their rate at once: impulses of the drives.

The position of a driven joint is continuous there, and its rate jumps from u_p⁻ to u_p⁺. The generalised momenta of the
free speeds, p = ∂T/∂u, change by the impulses Λ of the constraints alone, p⁺(u⁺) − p⁻(u⁻) = GᵀΛ with G u⁺ + offset⁺ =
0; the momenta of the driven speeds change by the impulses of their drives too. A drive does the work J (u_p⁻ + u_p⁺)/2.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.integrate.breaks import may_break, segment
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.mechanics import solve_constrained
from freebody.program.program import Program
from freebody.tree.assembly import DEPENDENT

Array = NDArray[np.float64]
JUMP = 1e-9
"""A difference is a jump if it is a larger fraction of the values on both sides, or of 1."""


@dataclass(frozen=True)
class TimedProgram:
    """What depends on time alone or on time too: coordinates ``q`` of prescribed motions, with their names and units,
    their speeds ``u``, of which ``drives`` are the names, and residuals ``phi`` and rates ``v`` of ``equations`` of
    constraints that depend on time."""

    program: Program
    coordinates: tuple[tuple[str, str], ...]
    drives: tuple[str, ...]
    equations: tuple[str, ...]

    @cached_property
    def may_jump(self) -> bool:
        """Whether rates can jump at all: smooth functions of time never do."""
        return may_break(self.program)


@dataclass(frozen=True)
class MomentumProgram:
    """At a state: the momenta of ``free`` and ``driven`` speeds; and for impulses ``multipliers`` of constraints, those
    that they cause at ``drives``, and the ``powers`` of the constraints. ``motions`` are the names of the bodies whose
    joints are driven, a speed each, ``constraints`` those of the powers."""

    program: Program
    motions: tuple[str, ...]
    constraints: tuple[str, ...]


@dataclass(frozen=True)
class RateJump:
    """The state after a jump of rates, the impulse of each equation of the constraints, the work of each drive and of
    each constraint, and the times at which laws are evaluated before and after it."""

    x: Array
    impulses: Array
    works: Mapping[str, float]
    instants: tuple[float, float]


class RateJumps:
    """The jumps of rates of a system in a run between two times; ``times`` are in its order. A run that ``continues``
    another begins with a jump at its start, at which that one ended."""

    def __init__(self, compiled: CompiledSystem, begin: float, end: float, continues: bool = False) -> None:
        self.compiled = compiled
        self.timed: Any = compiled.mechanics.programs.timed.value
        self.times, self.points, self.beside = list[float](), list[float](), dict[float, float]()
        """``points`` are the break points of motions and constraints within the run; ``beside`` the times at which laws
        are evaluated for rows at them, on the run's side: at its ends where rates jump there, and where the formula of
        a smooth law has another rate at the point itself."""
        self.possible = self.timed is not None and self.timed.may_jump
        if not self.possible:
            return
        points = compiled.timed_breaks(begin, end)
        low, high = sorted((begin, end))
        self._points, self._direction = points, 1.0 if end >= begin else -1.0
        within = [t for t in points if low <= t <= high][:: int(self._direction)]
        if not within or begin == end:
            return
        self.points = within
        sides = [self.instants(t) for t in within]
        at = [self._changes(np.array(times)) for times in (within, *zip(*sides, strict=True))]
        jumps = np.array([_jumps(at[1], at[2]).any(axis=1), *(_jumps(at[0], at[k]).any(axis=1) for k in (1, 2))])
        for t, (early, late), (jump, before, after) in zip(within, sides, jumps.T.tolist(), strict=True):
            if (low < t < high or (continues and t == begin)) and (jump or self.timed.equations):
                self.times.append(t)
            side, other = (late, after) if t == begin else (early, before)
            if other or self.timed.equations or (jump and t in (begin, end)):
                self.beside[t] = side

    @property
    def drives(self) -> tuple[str, ...]:
        """The names of the impulses of drives."""
        return () if self.timed is None else tuple(f"motion.{name}" for name in self.timed.drives)

    def instants(self, t: float) -> tuple[float, float]:
        """The times at which laws are evaluated before and after a jump, in the order of the run."""
        late, _, _ = segment(self._points, t, 1.0)
        _, early, _ = segment(self._points, t, -1.0)
        return (early, late) if self._direction > 0 else (late, early)

    def times_of_rows(self, t: Array) -> Array:
        """The times at which laws are evaluated for rows saved at times: on the run's side at its ends, before jumps
        inside it."""
        inside = set(self.times)
        return np.array([self.instants(x)[0] if x in inside else self.beside.get(x, x) for x in t.tolist()], float)

    def _at(self, t: float, x: Array) -> Mapping[str, Array]:
        values: Mapping[str, Array] = self.compiled.rows(self.timed.program, {"t": np.array([t]), "x": x})
        return values

    @np.errstate(invalid="ignore")
    def _changes(self, t: Array) -> Array:
        """Coordinates and rates of the drives at times, a row for each."""
        x = np.zeros((len(t), len(self.compiled.about.state)))
        values = self.compiled.rows(self.timed.program, {"t": t.reshape(-1, 1), "x": x})
        return np.hstack([np.broadcast_to(values[name], (len(t), np.shape(values[name])[-1])) for name in ("q", "u")])

    def refuse(self, t: float, x: Array, drives: bool = True, equations: bool = True) -> str:
        """Why the motion cannot go on: the position of a drive, or what a constraint requires of positions, jumps;
        empty where nothing does."""
        before, after = (self._at(side, x) for side in self.instants(t))
        change, reasons = after["q"] - before["q"], list[str]()
        if drives:
            for k in np.flatnonzero(_jumps(before["q"], after["q"])).tolist():
                name, unit = self.timed.coordinates[k]
                reasons.append(f"the prescribed motion of '{name}' jumps by {change[k]:.6g} {unit}")
        if equations:
            for k in np.flatnonzero(_jumps(before["phi"], after["phi"])).tolist():
                reasons.append(f"the constraint equation '{self.timed.equations[k]}' asks for other positions at once")
        if not reasons:
            return ""
        return (
            f"at t = {t:.6g} s {reasons[0]}: no force moves a body in no time. Let it pass from one value to the other"
            " within some time, by a smooth function or a table"
        )

    def apply(self, t: float, x: Array) -> RateJump | None:
        """The jump of the speeds at a state; None where no rate jumps."""
        (early, late), compiled, speeds = self.instants(t), self.compiled, self.compiled.system.speeds
        before, after = self._at(early, x), self._at(late, x)
        if not any(_jumps(before[name], after[name]).any() for name in ("u", "v")):
            return None
        constraint, offset = compiled.mechanics.constraint(late, x), self._speed_residuals(late, x)
        G = np.zeros((0, len(speeds))) if constraint is None else constraint["G"]
        M = compiled.mechanics.mass_matrix(late, x)
        old, moved = self._momenta(early, x), self._momenta(late, x)
        force = old["free"] - moved["free"]
        change = solve_constrained(M, G, force[:, None], -offset[:, None])[:, 0] if len(speeds) else np.zeros(0)
        impulses = np.linalg.lstsq(G.T, M @ change - force, rcond=DEPENDENT)[0].astype(float)
        state = x.copy()
        state[speeds] += change
        new = self._momenta(late, state, impulses)
        of_drives = new["driven"] - old["driven"] + new["drives"]
        program: MomentumProgram = compiled.mechanics.programs.momenta.value
        works = dict[str, float]()
        for name, J, u in zip(program.motions, of_drives.tolist(), (before["u"] + after["u"]) / 2, strict=True):
            works[f"drive.{name}"] = works.get(f"drive.{name}", 0.0) + J * float(u)
        powers = (self._momenta(early, x, impulses)["powers"] + new["powers"]) / 2
        works |= {f"constraint.{name}": float(W) for name, W in zip(program.constraints, powers, strict=True)}
        return RateJump(state, np.concatenate([impulses, of_drives]), works, (early, late))

    def _speed_residuals(self, t: float, x: Array) -> Array:
        """G u + offset."""
        program = self.compiled.mechanics.programs.drift.value
        if program is None:
            return np.zeros(0)
        return np.asarray(self.compiled.rows(program, {"t": np.array([t]), "x": x})["speed"])

    def _momenta(self, t: float, x: Array, impulses: Array | None = None) -> Mapping[str, Array]:
        program: MomentumProgram = self.compiled.mechanics.programs.momenta.value
        rows = {"t": np.array([t]), "x": x} | ({} if impulses is None else {"multipliers": impulses})
        values: Mapping[str, Array] = self.compiled.rows(program.program, rows)
        return values


def _jumps(before: Array, after: Array) -> NDArray[np.bool_]:
    return np.asarray(np.abs(after - before) > JUMP * (1.0 + np.maximum(np.abs(before), np.abs(after))))


def check_motions(compiled: CompiledSystem, times: Array, x: Array) -> None:
    """Refuse prescribed motions whose position jumps within a run."""
    jumps = RateJumps(compiled, float(times[0]), float(times[-1]))
    for t in jumps.times:
        refusal = jumps.refuse(t, x, equations=False)
        if refusal:
            raise ArgumentError(f"{compiled.about.system}: {refusal}")
