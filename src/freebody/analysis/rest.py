"""States where nothing changes: f + tau = 0 and ż = 0 at given speeds, solved with exact derivatives.

The unknowns are coordinates that are not held, extra states, and whatever may be trimmed: inputs, generalised forces,
parameters. A quaternion's four numbers are unknowns too, with its length 1 as one more equation.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.field import Field, Point
from freebody.analysis.linearise import Near
from freebody.errors import ArgumentError
from freebody.run.numbers import names
from freebody.scalar.derivative import jacobian

Array = NDArray[np.float64]
TOLERANCE = 1e-10
STEPS, HALVINGS, REACH = 60, 8, 0.5
SHARP = {"xtol": 1e-12, "ftol": 1e-12, "gtol": 1e-12, "max_nfev": 300}


class Rest:
    """The equations of rest of a field, for chosen unknowns."""

    def __init__(self, field: Field, hold: Sequence[str] = (), free: Sequence[str] | str = ()) -> None:
        self.field = field
        self.held = self._held(names(hold, "hold"))
        self.trimmed = self._trimmed(names(free, "free"))

    def _held(self, names: Sequence[str]) -> set[int]:
        """Places in q of coordinates, or of all of a body that stay as given."""
        f, found = self.field, set[int]()
        coordinates = {link.name: link.described.names[0] for *_, link in f.e.forest.bodies}
        for name in names:
            whole = coordinates.get(name, ())
            own = [name] if name in f.layout.q else [n for n in whole if n in f.layout.q]
            if not own:
                there = ", ".join(f.layout.q) or "none"
                raise ArgumentError(f"system '{f.name}' has no coordinate '{name}' to hold; there are {there}")
            found |= {f.layout.q.index(n) for n in own}
        return found

    def _trimmed(self, names: Sequence[str]) -> list[tuple[str, int, int]]:
        """Group, place and symbol of what is solved for beside the state."""
        f, found = self.field, list[tuple[str, int, int]]()
        groups = {"inputs": list(f.layout.inputs), "tau": f.forces, "parameters": list(f.layout.parameters)}
        for name in names:
            own = f.forces if name == "tau" else [name]
            places = [(g, k) for n in own for g, there in groups.items() for k, m in enumerate(there) if m == n]
            if not places:
                known = ", ".join([*groups["inputs"], "tau", *groups["tau"], *groups["parameters"]])
                raise ArgumentError(f"system '{f.name}' has nothing called '{name}' to trim; there are {known}")
            found += [(g, k, f.groups[g][k]) for g, k in places]
        return found

    @cached_property
    def moving(self) -> list[int]:
        """Places in q of the unknowns."""
        return [k for k in range(len(self.field.layout.q)) if k not in self.held]

    @cached_property
    def unknowns(self) -> list[int]:
        f = self.field
        return [*(f.groups["q"][k] for k in self.moving), *f.groups["z"], *(h for *_, h in self.trimmed)]

    @cached_property
    def lengths(self) -> list[int]:
        """Quaternions of which some number is unknown."""
        return [k for k in self.field.spheres if not {k, k + 1, k + 2, k + 3} <= self.held]

    @cached_property
    def _equations(self) -> list[int]:
        f, g, found = self.field, self.field.graph, list[int]()
        for k in self.lengths:
            total = g.neg(g.one)
            for h in f.groups["q"][k : k + 4]:
                total = g.add(total, g.mul(h, h))
            found.append(total)
        return [*f.force, *f.z_dot, *found]

    @cached_property
    def felt(self) -> list[bool]:
        """For each unknown whether any equation depends on it."""
        columns = {j for _, j in self._entries}
        return [j in columns for j in range(len(self.unknowns))]

    @cached_property
    def _entries(self) -> dict[tuple[int, int], int]:
        return jacobian(self.field.graph, self._equations, self.unknowns)

    @cached_property
    def at(self) -> Callable[[Point], dict[str, Array]]:
        """The equations' values r and Jacobian J."""
        f, rows, columns = self.field, len(self._equations), len(self.unknowns)
        return f.function("rest", {"r": self._equations, "J": f.dense(self._entries, rows, columns)})

    @cached_property
    def rates(self) -> Callable[[Point], dict[str, Array]]:
        """q̇."""
        return self.field.function("rest_rates", {"q_dot": self.field.q_dot})

    @cached_property
    def near(self) -> Near:
        """The derivatives by the state, which tell stability."""
        return Near(self.field, [], [])

    # A point and its unknowns

    def taken(self, point: Point) -> Array:
        trimmed = [point.groups[group][k] for group, k, _ in self.trimmed]
        return np.array([*point.q[self.moving], *point.z, *trimmed], dtype=float)

    def put(self, point: Point, values: Array) -> Point:
        n, k = len(self.moving), len(point.z)
        q, made = point.q.copy(), {name: point.groups[name].copy() for name in ("inputs", "tau", "parameters")}
        q[self.moving] = values[:n]
        for (group, place, _), value in zip(self.trimmed, values[n + k :], strict=True):
            made[group][place] = value
        return replace(point, q=q, z=values[n : n + k].copy(), **made)

    # Solving

    def solve(self, guess: Point) -> tuple[Point, Array, Array]:
        """Where the equations hold, near the guess if they can, else where their squares are least; their values and
        Jacobian there."""
        values = self._newton(guess, self.taken(guess), STEPS)
        if len(values) and self.remaining(self.put(guess, values), **self._rest(guess, values)):
            values = self._newton(guess, self._least(guess), STEPS)
        point = self._normal(self.put(guess, values))
        at = self.at(point)
        return point, at["r"], at["J"]

    def _rest(self, guess: Point, values: Array) -> dict[str, Array]:
        return self.at(self.put(guess, values))

    def _least(self, guess: Point) -> Array:
        """Least squares by trust regions, which also come away from where the Jacobian is singular."""
        from scipy.optimize import least_squares

        found = least_squares(
            lambda v: self._rest(guess, v)["r"], self.taken(guess), lambda v: self._rest(guess, v)["J"], **SHARP
        )
        return np.asarray(found.x, float)

    def _newton(self, guess: Point, values: Array, steps: int) -> Array:
        """Newton steps, of least length where there are several, none moving a coordinate by more than ``REACH``;
        halved as long as they do not help."""
        for _ in range(steps if len(values) else 0):
            at = self._rest(guess, values)
            step = np.where(self.felt, np.linalg.lstsq(at["J"], -at["r"], rcond=1e-12)[0], 0.0)
            step *= min(1.0, REACH / max(REACH, float(np.abs(step[: len(self.moving)]).max(initial=0.0))))
            after = self._helping(guess, values, step, float(np.linalg.norm(at["r"])))
            if after is None:
                break
            values = after
        return values

    def _helping(self, guess: Point, values: Array, step: Array, before: float) -> Array | None:
        for _ in range(HALVINGS):
            if np.linalg.norm(self._rest(guess, values + step)["r"]) < before:
                return values + step
            step = step / 2
        return None

    def _normal(self, point: Point) -> Point:
        """The point with its quaternions at unit length."""
        q = point.q.copy()
        for k in self.field.spheres:
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        return replace(point, q=q)

    def remaining(self, point: Point, r: Array, J: Array) -> list[tuple[str, float]]:
        """What is left of the equations beyond rounding, by name, the largest first."""
        scale = 1 + np.abs(J) @ np.maximum(1.0, np.abs(self.taken(point)))
        left = [(self._meaning(i), float(v)) for i, v in enumerate(r) if not abs(v) <= TOLERANCE * scale[i]]
        return sorted(left, key=lambda pair: -abs(pair[1]))

    def _meaning(self, i: int) -> str:
        layout = self.field.layout
        if i < len(layout.u):
            link = next(link for link in self.field.e.forest.links if i in link.u)
            return f"the generalised force on '{layout.u[i]}' (joint of '{link.described.name}')"
        rest = i - len(layout.u)
        return f"the rate of state '{layout.z[rest]}'" if rest < len(layout.z) else "a quaternion's length"
