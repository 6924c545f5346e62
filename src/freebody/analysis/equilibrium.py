"""Equilibria, where f + tau = 0 and ż = 0 at given speeds: from a guess or from random starts, with their stability.

The unknowns are coordinates that are not held, extra states, and whatever may be trimmed: inputs, generalised forces,
parameters. A quaternion's four numbers are unknowns too, with its length 1 as one more equation.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.linear import stability
from freebody.analysis.linearise import Linearisation
from freebody.analysis.state_equations import OperatingPoint, StateEquations
from freebody.analysis.zero_test import random_quaternion
from freebody.errors import ArgumentError
from freebody.names import TAU, Q, U
from freebody.run.numbers import names, seeded, shown
from freebody.scalar.derivative import jacobian

Array = NDArray[np.float64]
TOLERANCE = 1e-10
STEPS, HALVINGS, REACH = 60, 8, 0.5
SHARP = {"xtol": 1e-12, "ftol": 1e-12, "gtol": 1e-12, "max_nfev": 300}
MOST = 1_000_000  # starts of a search
SAME = 1e-6
"""Two solutions closer than this are one."""


@dataclass(frozen=True)
class Equilibrium:
    """A state that stays, and the inputs that hold it there, by name. ``residual`` is the largest generalised force or
    rate that remains; ``isolated`` is false where neighbours are equilibria too."""

    q: dict[str, float]
    u: dict[str, float]
    z: dict[str, float]
    inputs: dict[str, float]
    tau: dict[str, float]
    parameters: dict[str, float]
    residual: float
    isolated: bool
    stability: str
    eigenvalues: NDArray[np.complex128] = field(repr=False)
    point: OperatingPoint = field(repr=False, compare=False)

    def __str__(self) -> str:
        values = {Q(n): v for n, v in self.q.items()} | {U(n): v for n, v in self.u.items() if v}
        values |= self.z | self.inputs | {TAU(n): v for n, v in self.tau.items() if v}
        state = ", ".join(f"{n} = {v:.6g}" for n, v in values.items())
        return f"{self.stability}: {state}{'' if self.isolated else ' (one of a family)'}"


class RestEquations:
    """The equations of rest, for chosen unknowns. ``hold`` names coordinates, or bodies with all of theirs, that stay
    as given; ``free`` what is trimmed."""

    def __init__(self, state: StateEquations, hold: Sequence[str] = (), free: Sequence[str] | str = ()) -> None:
        self.state = state
        self.held = {k for name in names(hold, "hold") for k in self._coordinates(name)}
        self.trimmed = [unknown for name in names(free, "free") for unknown in self._trimmed(name)]
        self.moving = [k for k in range(len(state.layout.q)) if k not in self.held]

    def _coordinates(self, name: str) -> list[int]:
        """The indices in q of a coordinate or of all coordinates of a body."""
        s = self.state
        of_body = [n for *_, link in s.e.forest.bodies if link.name == name for n in link.described.names[0]]
        coordinates = [name] if name in s.layout.q else [n for n in of_body if n in s.layout.q]
        if not coordinates:
            there = ", ".join(s.layout.q) or "none"
            raise ArgumentError(f"system '{s.name}' has no coordinate '{name}' to hold; there are {there}")
        return [s.layout.q.index(n) for n in coordinates]

    def _trimmed(self, name: str) -> list[tuple[str, int, int]]:
        """Group, index and symbol of what a name lets vary beside the state."""
        s = self.state
        groups = {"inputs": list(s.layout.inputs), "tau": s.forces, "parameters": list(s.layout.parameters)}
        wanted = s.forces if name == "tau" else [name]
        unknowns = [(g, k) for n in wanted for g, there in groups.items() for k, m in enumerate(there) if m == n]
        if not unknowns:
            known = ", ".join([*groups["inputs"], "tau", *groups["tau"], *groups["parameters"]])
            raise ArgumentError(f"system '{s.name}' has nothing called '{name}' to trim; there are {known}")
        return [(g, k, s.groups[g][k]) for g, k in unknowns]

    @cached_property
    def unknowns(self) -> list[int]:
        s = self.state
        return [*(s.groups["q"][k] for k in self.moving), *s.groups["z"], *(h for *_, h in self.trimmed)]

    @cached_property
    def _equations(self) -> list[int]:
        s, g, lengths = self.state, self.state.graph, list[int]()
        for k in s.quaternions:
            if not {k, k + 1, k + 2, k + 3} <= self.held:
                total = g.neg(g.one)
                for h in s.groups["q"][k : k + 4]:
                    total = g.add(total, g.mul(h, h))
                lengths.append(total)
        return [*s.force, *s.z_dot, *lengths]

    @cached_property
    def _entries(self) -> dict[tuple[int, int], int]:
        return jacobian(self.state.graph, self._equations, self.unknowns)

    @cached_property
    def depends(self) -> list[bool]:
        """For each unknown whether any equation depends on it."""
        columns = {j for _, j in self._entries}
        return [j in columns for j in range(len(self.unknowns))]

    @cached_property
    def at(self) -> Callable[[OperatingPoint], dict[str, Array]]:
        """The equations' values r and Jacobian J."""
        s, rows, columns = self.state, len(self._equations), len(self.unknowns)
        return s.function("rest", {"r": self._equations, "J": s.dense(self._entries, rows, columns)})

    @cached_property
    def rates(self) -> Callable[[OperatingPoint], dict[str, Array]]:
        """q̇."""
        return self.state.function("rest_rates", {"q_dot": self.state.q_dot})

    @cached_property
    def linearisation(self) -> Linearisation:
        """The derivatives by the state, which decide stability."""
        return Linearisation(self.state, [], [])

    def get(self, point: OperatingPoint) -> Array:
        """The values of the unknowns at a point."""
        trimmed = [point.groups[group][k] for group, k, _ in self.trimmed]
        return np.array([*point.q[self.moving], *point.z, *trimmed], dtype=float)

    def put(self, point: OperatingPoint, values: Array) -> OperatingPoint:
        """The point with other values of the unknowns."""
        n, k, q = len(self.moving), len(point.z), point.q.copy()
        groups = {name: point.groups[name].copy() for name in ("inputs", "tau", "parameters")}
        q[self.moving] = values[:n]
        for (group, index, _), value in zip(self.trimmed, values[n + k :], strict=True):
            groups[group][index] = value
        return replace(point, q=q, z=values[n : n + k].copy(), **groups)

    def solve(self, guess: OperatingPoint) -> tuple[OperatingPoint, Array, Array]:
        """Where the equations hold, near the guess if they can, else where their squares are least; their values and
        Jacobian there."""
        point = self.put(guess, self._newton(guess, self.get(guess)))
        if self.unknowns and self.remaining(point, **self.at(point)):
            point = self.put(guess, self._newton(guess, self._least_squares(guess)))
        for k in self.state.quaternions:
            point.q[k : k + 4] /= np.linalg.norm(point.q[k : k + 4])
        at = self.at(point)
        return point, at["r"], at["J"]

    def _least_squares(self, guess: OperatingPoint) -> Array:
        """By trust regions, which also leave points where the Jacobian is singular."""
        from scipy.optimize import least_squares

        def at(values: Array) -> dict[str, Array]:
            return self.at(self.put(guess, values))

        result = least_squares(lambda v: at(v)["r"], self.get(guess), lambda v: at(v)["J"], **SHARP)
        return np.asarray(result.x, float)

    def _newton(self, guess: OperatingPoint, values: Array) -> Array:
        """Newton steps, of least length where there are several, none moving a coordinate by more than ``REACH``;
        halved as long as they do not help."""
        for _ in range(STEPS if len(values) else 0):
            at = self.at(self.put(guess, values))
            step = np.where(self.depends, np.linalg.lstsq(at["J"], -at["r"], rcond=1e-12)[0], 0.0)
            step *= min(1.0, REACH / max(REACH, float(np.abs(step[: len(self.moving)]).max(initial=0.0))))
            for _ in range(HALVINGS):
                if np.linalg.norm(self.at(self.put(guess, values + step))["r"]) < np.linalg.norm(at["r"]):
                    break
                step = step / 2
            else:
                return values
            values = values + step
        return values

    def remaining(self, point: OperatingPoint, r: Array, J: Array) -> list[tuple[str, float]]:
        """The values of the equations beyond rounding, by name, the largest first."""
        scale = 1 + np.abs(J) @ np.maximum(1.0, np.abs(self.get(point)))
        left = [(self._meaning(i), float(v)) for i, v in enumerate(r) if not abs(v) <= TOLERANCE * scale[i]]
        return sorted(left, key=lambda pair: -abs(pair[1]))

    def _meaning(self, i: int) -> str:
        """What the value of an equation is."""
        layout = self.state.layout
        if i < len(layout.u):
            link = next(link for link in self.state.e.forest.links if i in link.u)
            return f"the generalised force on '{layout.u[i]}' (joint of '{link.described.name}')"
        k = i - len(layout.u)
        return f"the rate of state '{layout.z[k]}'" if k < len(layout.z) else "a quaternion's length"


def equilibrium(rest: RestEquations, guess: OperatingPoint) -> Equilibrium:
    """The equilibrium that the guess leads to."""
    _require_rest(rest, guess)
    point, r, J = rest.solve(guess)
    remaining = rest.remaining(point, r, J)
    if remaining:
        worst = "; ".join(f"{name} is {value:.4g}" for name, value in remaining[:3])
        raise ArgumentError(
            f"system '{rest.state.name}': no equilibrium was found from here: {worst}. Give another guess q={{…}}, hold"
            " fewer coordinates, or name inputs that may be trimmed, free=[…]"
        )
    return _equilibrium(rest, point, r, J)


def _require_rest(rest: RestEquations, guess: OperatingPoint) -> None:
    """Raises for prescribed motions under which coordinates move at the given speeds of zero."""
    s = rest.state
    if np.any(guess.u):
        return
    rates = rest.rates(guess)["q_dot"]
    moving = [n for n, rate in zip(s.layout.q, rates, strict=True) if abs(rate) > TOLERANCE]
    if moving:
        raise ArgumentError(f"system '{s.name}': coordinate '{moving[0]}' moves at all speeds 0, so nothing is at rest")


def _equilibrium(rest: RestEquations, point: OperatingPoint, r: Array, J: Array) -> Equilibrium:
    layout, linear = rest.state.layout, rest.linearisation.at(point)
    rows = (
        (layout.q, point.q), (layout.u, point.u), (layout.z, point.z), (layout.inputs, point.inputs),
        (layout.u, point.tau), (layout.parameters, point.parameters),
    )  # fmt: skip
    q, u, z, inputs, tau, parameters = ({n: float(v) for n, v in zip(*row, strict=True)} for row in rows)
    tau = tau if any(group == "tau" for group, *_ in rest.trimmed) or np.any(point.tau) else {}
    edge = 1e-8 * (1 + np.abs(J).max(initial=0.0))
    isolated = not J.size or int(np.linalg.matrix_rank(J, edge)) == J.shape[1]
    residual = float(np.abs(r).max(initial=0.0))
    return Equilibrium(
        q, u, z, inputs, tau, parameters, residual, isolated, stability(linear.A), linear.eigenvalues, point
    )


def equilibria(rest: RestEquations, guess: OperatingPoint, starts: int, seed: int) -> list[Equilibrium]:
    """Distinct equilibria found from the guess and random starts, those that may be stable first. Coordinates on which
    nothing depends stay at the guess."""
    _require_rest(rest, guess)
    if isinstance(starts, bool) or not isinstance(starts, int) or not 1 <= starts <= MOST:
        raise ArgumentError(f"starts is how many guesses are tried, from 1 to {MOST}, not {shown(starts)}")
    random, found = seeded(seed), list[Equilibrium]()
    for k in range(starts):
        point, r, J = rest.solve(guess if k == 0 else _random_start(rest, guess, random))
        if not rest.remaining(point, r, J):
            point = _wrap_angles(rest, point)
            if not any(_same(rest, point, other.point) for other in found):
                found.append(_equilibrium(rest, point, r, J))
    order = ("stable", "undecided", "unstable")
    return sorted(found, key=lambda e: (order.index(e.stability), tuple(np.round(e.point.x, 6))))


def _random_start(rest: RestEquations, guess: OperatingPoint, random: np.random.Generator) -> OperatingPoint:
    """Random values of the unknowns on which an equation depends: coordinates within their limits, any angle, a metre
    to both sides."""
    s, drawn, n = rest.state, dict[int, float](), len(rest.moving)
    for k, is_angle, limits in _coordinates(s):
        low, high = (-np.pi, np.pi) if is_angle else (-1.0, 1.0)
        if limits is not None and np.isfinite([*map(float, limits)]).all():
            low, high = map(float, limits)
        drawn[k] = float(random.uniform(low, high))
    for k in s.quaternions:
        drawn |= zip(range(k, k + 4), map(float, random_quaternion(random)), strict=True)
    q = guess.q.copy()
    for depends, k in zip(rest.depends, rest.moving, strict=False):
        q[k] = drawn[k] if depends else q[k]
    values = rest.get(replace(guess, q=q))
    values[n:] += random.normal(size=len(values) - n) * np.array(rest.depends[n:], float)
    return rest.put(guess, values)


def _coordinates(s: StateEquations) -> Iterator[tuple[int, bool, tuple[float, float] | None]]:
    """For each coordinate of a joint its index in q, whether it is an angle, and the joint's limits."""
    for link in s.e.forest.links:
        recipe = link.body.recipe
        for name, unit in zip(recipe.names[0], recipe.joint.units[0], strict=True):
            if name in s.layout.q:
                yield s.layout.q.index(name), unit == "rad", recipe.joint.limits


def _wrap_angles(rest: RestEquations, point: OperatingPoint) -> OperatingPoint:
    """The point with angles in (−π, π] where that is an equilibrium too."""
    q = point.q.copy()
    for k, is_angle, _ in _coordinates(rest.state):
        if is_angle and k in rest.moving:
            q[k] = np.pi - (np.pi - q[k]) % (2 * np.pi)
    wrapped = replace(point, q=np.where(np.abs(q + np.pi) < SAME, q + 2 * np.pi, q))
    return point if rest.remaining(wrapped, **rest.at(wrapped)) else wrapped


def _same(rest: RestEquations, a: OperatingPoint, b: OperatingPoint) -> bool:
    """Whether two solutions are one; a quaternion and its negative are the same orientation."""
    q = a.q.copy()
    for k in rest.state.quaternions:
        if q[k : k + 4] @ b.q[k : k + 4] < 0:
            q[k : k + 4] *= -1
    gap = [q - b.q, a.z - b.z, a.inputs - b.inputs, a.tau - b.tau, a.parameters - b.parameters]
    return bool(np.abs(np.concatenate(gap)).max(initial=0.0) < SAME)
