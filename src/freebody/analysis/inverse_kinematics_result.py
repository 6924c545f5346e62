"""The result of inverse kinematics: coordinates, what remains, and why the search ended."""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.target_equations import POSITION, ROWS
from freebody.integrate.least_squares import ValueParts
from freebody.rounding import rounded_together
from freebody.tables import TableRepr, TextTable, counted, listed

Array = NDArray[np.float64]

REACHED, UNREACHABLE, SINGULAR, STEPS = "reached", "unreachable", "singular", "steps"
"""Why a search ended: targets are reached; the closest pose near the guess is found, and does not reach them; it is
held at a singular position, from which the residual decreases to second order only; the allowed steps are used up."""

DEPENDENT = 1e-4
"""Singular values of the derivatives of targets below this fraction of the largest are taken as lost."""

AT_LIMIT = 1e-9


class Residual(NamedTuple):
    """What remains of a target: the distance in m, and the angle in rad of its rotation or axes; None of parts that
    it does not have."""

    position: float | None
    rotation: float | None

    def __str__(self) -> str:
        parts = [f"{x:.3g} {unit}" for x, unit in zip(self, ("m", "rad"), strict=True) if x is not None]
        return " and ".join(parts)


class LostDirection(NamedTuple):
    """A direction in which a target cannot move at a position: of a translation or a rotation."""

    target: str
    kind: str
    direction: tuple[float, float, float]

    def __str__(self) -> str:
        verb = "move along" if self.kind == POSITION else "turn about"
        x, y, z = self.direction
        return f"'{self.target}' cannot {verb} ({x:.3g}, {y:.3g}, {z:.3g})"


class SolverFacts(NamedTuple):
    """What results share: the system's name, names of coordinates; of each part of targets its target's name and kind;
    of columns with limits the coordinate and the limits; the rank of the derivatives of targets in general;
    where these are among the values of a result."""

    system: str
    names: tuple[str, ...]
    parts: tuple[tuple[str, str], ...]
    limited: tuple[tuple[int, float, float], ...]
    rank: int
    values: ValueParts


class InverseKinematicsResult(TableRepr):
    """Coordinates ``q`` at which targets are reached, or as near as the search came to them. ``converged``: whether
    they are reached and the constraints hold. ``reason`` is "reached", "unreachable" (the closest pose near the guess
    is found: its residual is a local minimum), "singular" (the search is held where the residual decreases to second
    order only) or "steps" (the allowed steps are used up); ``message`` says it for people. ``iterations`` are
    those of all starts, ``starts`` their number."""

    def __init__(
        self,
        facts: SolverFacts,
        q: Array,
        values: Array,
        weights: Array,
        free: NDArray[np.bool_],
        reason: str,
        iterations: int,
        starts: int,
        turned: str = "",
    ) -> None:
        self.q, self.reason, self.iterations, self.starts = q, UNREACHABLE if turned else reason, iterations, starts
        self._turned = turned  # a closure that is closed half a turn away
        self._facts, self._values, self._weights, self._free = facts, values, weights, free

    @property
    def converged(self) -> bool:
        return self.reason == REACHED

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coordinates, in the order of q."""
        return self._facts.names

    @property
    def by_name(self) -> dict[str, float]:
        """q by name, as ``simulate(q=…)`` takes it."""
        return dict(zip(self._facts.names, self.q.tolist(), strict=True))

    def __getitem__(self, name: str) -> float:
        """A coordinate by its name."""
        values = self.by_name
        if name not in values:
            raise KeyError(f"there is no coordinate '{name}'; choose from {', '.join(values)}")
        return values[name]

    @cached_property
    def _parts(self) -> tuple[Array, Array, Array, Array]:
        """J, G, r and φ at q."""
        return self._facts.values.of(self._values)

    @property
    def gap(self) -> float:
        """The largest residual of a constraint."""
        return float(np.abs(self._parts[3]).max(initial=0.0))

    @cached_property
    def residual(self) -> Mapping[str, Residual]:
        """What remains of each target, by its name."""
        squares = dict[str, list[float | None]]()
        for k, (name, kind) in enumerate(self._facts.parts):
            rows = slice(k * ROWS, k * ROWS + ROWS)
            asked = self._parts[2][rows] * (self._weights[rows] > 0)
            place = 0 if kind == POSITION else 1
            pair = squares.setdefault(name, [None, None])
            pair[place] = (pair[place] or 0.0) + float(asked @ asked)
        roots = {name: [None if x is None else x**0.5 for x in pair] for name, pair in squares.items()}
        return {name: Residual(*pair) for name, pair in roots.items()}

    @cached_property
    def limits(self) -> tuple[str, ...]:
        """Names of the coordinates that are at a limit."""
        near = AT_LIMIT * (1 + np.abs(self.q))
        limited = self._facts.limited
        return tuple(
            self._facts.names[k]
            for k, low, high in limited
            if self.q[k] - low <= near[k] or high - self.q[k] <= near[k]
        )

    @cached_property
    def singular(self) -> tuple[LostDirection, ...]:
        """Directions in which targets cannot move at q although they can elsewhere; empty where q is not singular."""
        J, G = (x[:, self._free] for x in self._parts[:2])
        return lost_directions(self._facts, J, G, self._weights > 0)

    @cached_property
    def message(self) -> str:
        left = "; ".join(f"'{name}' is off by {residual}" for name, residual in self.residual.items())
        at = f"; at limits: {listed(self.limits)}" if self.limits else ""
        lost = "; ".join(map(str, self.singular))
        match self.reason:
            case "reached":
                return f"reached, at a singular position: {lost}" if lost else "reached"
            case "unreachable" if self._turned:
                return (
                    f"unreachable from this guess: constraint '{self._turned}' is half a turn away from where it is"
                    " closed; give a guess nearer to the target"
                )
            case "unreachable" if self.gap > 1e-9:
                return f"unreachable from this guess: the constraints stay open by {self.gap:.3g}{at}"
            case "unreachable":
                return f"unreachable from this guess: closest pose, {left}{at}"
            case "singular":
                held = lost or "the residual is stationary"
                return f"singular at this position, where the search is held: {held}; {left}{at}"
            case _:
                steps = counted(self.iterations, "step")
                return f"not reached in {steps}: {left}{at}; allow more by steps=…, or try restarts=…"

    def _table(self) -> TextTable:
        values = zip(self.names, rounded_together(self.q.tolist()), strict=True)
        rows = [(name, f"{x:.6g}", "at its limit" if name in self.limits else "") for name, x in values]
        title = f"inverse kinematics of {self._facts.system}: {self.message}"
        return TextTable(title, ("coordinate", "value", ""), tuple(rows))


def tangent(G: Array) -> Array:
    """Directions, as orthonormal columns, that keep the constraints with these derivatives."""
    if not len(G):
        return np.eye(G.shape[1])
    _, s, V = np.linalg.svd(G)
    return np.asarray(V[np.count_nonzero(s > 1e-10 * s.max(initial=0.0)) :].T)


def lost_directions(facts: SolverFacts, J: Array, G: Array, asked: NDArray[np.bool_]) -> tuple[LostDirection, ...]:
    """Directions of targets that are lost, although they are not in general, where ``J`` and ``G`` are their
    derivatives and those of constraints; ``asked``: rows that count."""
    rows, lost = np.flatnonzero(asked), list[LostDirection]()
    U, s, _ = np.linalg.svd(J[asked] @ tangent(G), full_matrices=False)
    rank = int(np.count_nonzero(s > DEPENDENT * max(1e-300, s.max(initial=0.0))))
    for direction in U[:, rank : facts.rank].T:
        full = np.zeros(len(asked))
        full[rows] = direction
        parts = full.reshape(-1, ROWS)
        k = int(np.argmax(np.linalg.norm(parts, axis=1)))
        unit = parts[k] / np.linalg.norm(parts[k])
        unit = np.where(np.abs(unit) < 1e-9, 0.0, unit) * (1 if unit[np.argmax(np.abs(unit))] > 0 else -1)
        name, kind = facts.parts[k]
        x, y, z = (unit + 0.0).tolist()
        lost.append(LostDirection(name, kind, (x, y, z)))
    return tuple(lost)
