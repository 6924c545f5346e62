"""Equilibria by name, one from a guess or all that random starts find, with their stability."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.field import Field, Point
from freebody.analysis.linear import stability
from freebody.analysis.rest import TOLERANCE, Rest
from freebody.analysis.zero import unit
from freebody.errors import ArgumentError
from freebody.run.numbers import seeded, shown
from freebody.tree.forest import Link

MOST = 1_000_000  # starts of a search
Array = NDArray[np.float64]
SAME = 1e-6
"""Two solutions nearer than this are one."""


@dataclass(frozen=True)
class Equilibrium:
    """A state that stays, and the inputs that keep it there, by name. ``residual`` is the largest generalised force or
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
    point: Point = field(repr=False, compare=False)

    def __str__(self) -> str:
        said = {f"q.{n}": v for n, v in self.q.items()} | {f"u.{n}": v for n, v in self.u.items() if v}
        said |= self.z | self.inputs | {f"tau.{n}": v for n, v in self.tau.items() if v}
        state = ", ".join(f"{n} = {v:.6g}" for n, v in said.items())
        return f"{self.stability}: {state}{'' if self.isolated else ' (one of a family)'}"


def equilibrium(rest: Rest, guess: Point) -> Equilibrium:
    """The equilibrium that the guess leads to."""
    require_resting(rest, guess)
    point, r, J = rest.solve(guess)
    left = rest.remaining(point, r, J)
    if left:
        told = "; ".join(f"{name} is {value:.4g}" for name, value in left[:3])
        raise ArgumentError(
            f"system '{rest.field.name}': no equilibrium was found from here: {told}. Give another guess q={{…}}, hold"
            " fewer coordinates, or name inputs that may be trimmed, free=[…]"
        )
    return _made(rest, point, r, J)


def require_resting(rest: Rest, guess: Point) -> None:
    """Refuse prescribed motions under which coordinates move at the given speeds of zero."""
    f = rest.field
    if np.any(guess.u):
        return
    rates = rest.rates(guess)["q_dot"]
    moving = [n for n, rate in zip(f.layout.q, rates, strict=True) if abs(rate) > TOLERANCE]
    if moving:
        raise ArgumentError(f"system '{f.name}': coordinate '{moving[0]}' moves at all speeds 0, so nothing is at rest")


def equilibria(rest: Rest, guess: Point, starts: int, seed: int) -> list[Equilibrium]:
    """Distinct equilibria found from the guess and random starts, those that may be stable first. Coordinates on which
    nothing depends stay at the guess."""
    require_resting(rest, guess)
    if isinstance(starts, bool) or not isinstance(starts, int) or not 1 <= starts <= MOST:
        raise ArgumentError(f"starts is how many guesses are tried, from 1 to {MOST}, not {shown(starts)}")
    random, found = seeded(seed), list[Equilibrium]()
    for k in range(starts):
        point, r, J = rest.solve(guess if k == 0 else _start(rest, guess, random))
        if not rest.remaining(point, r, J):
            point = _wound(rest, point)
            if not any(_near(rest, point, other.point) for other in found):
                found.append(_made(rest, point, r, J))
    order = ("stable", "undecided", "unstable")
    return sorted(found, key=lambda e: (order.index(e.stability), tuple(np.round(e.point.x, 6))))


def _made(rest: Rest, point: Point, r: Array, J: Array) -> Equilibrium:
    layout, linear = rest.field.layout, rest.near.at(point)
    trimmed = {g: {k for group, k, _ in rest.trimmed if group == g} for g in ("inputs", "tau", "parameters")}
    rows = (
        (layout.q, point.q), (layout.u, point.u), (layout.z, point.z), (layout.inputs, point.inputs),
        (layout.u, point.tau), (layout.parameters, point.parameters),
    )  # fmt: skip
    q, u, z, inputs, tau, parameters = ({n: float(v) for n, v in zip(*row, strict=True)} for row in rows)
    tau = tau if trimmed["tau"] or np.any(point.tau) else {}
    left = float(np.abs(r).max(initial=0.0))
    return Equilibrium(
        q, u, z, inputs, tau, parameters, left, _isolated(J), stability(linear.A), linear.eigenvalues, point
    )


def _isolated(J: Array) -> bool:
    return not J.size or int(np.linalg.matrix_rank(J, 1e-8 * (1 + np.abs(J).max(initial=0.0)))) == J.shape[1]


# Random starts, and what is the same


def _start(rest: Rest, guess: Point, random: np.random.Generator) -> Point:
    q, n = guess.q.copy(), len(rest.moving)
    drawn = dict(_drawn(rest.field, random))
    for felt, k in zip(rest.felt, rest.moving, strict=False):
        q[k] = drawn[k] if felt else q[k]
    others = rest.taken(replace(guess, q=q))
    others[n:] += random.normal(size=len(others) - n) * np.array(rest.felt[n:], float)
    return rest.put(guess, others)


def _drawn(field: Field, random: np.random.Generator) -> Iterator[tuple[int, float]]:
    """A random value for each coordinate: within its limits, any angle, a metre to both sides."""
    for link in field.e.forest.links:
        for name, is_angle in _coordinates(link):
            if name in field.layout.q:
                low, high = _limits(link) or ((-np.pi, np.pi) if is_angle else (-1.0, 1.0))
                yield field.layout.q.index(name), float(random.uniform(low, high))
    for k in field.spheres:
        yield from zip(range(k, k + 4), map(float, unit(random)), strict=True)


def _coordinates(link: Link) -> list[tuple[str, bool]]:
    """Names, and which are angles."""
    recipe = link.body.recipe
    return [(n, unit == "rad") for n, unit in zip(recipe.names[0], recipe.joint.units[0], strict=True)]


def _limits(link: Link) -> tuple[float, float] | None:
    recipe = link.body.recipe
    given = recipe.joint.limits
    return None if given is None or not np.isfinite([*map(float, given)]).all() else (float(given[0]), float(given[1]))


def _wound(rest: Rest, point: Point) -> Point:
    """Angles brought to (−π, π] where that is an equilibrium too."""
    angles = [n for link in rest.field.e.forest.links for n, is_angle in _coordinates(link) if is_angle]
    q = point.q.copy()
    for name in angles:
        if name in rest.field.layout.q and (k := rest.field.layout.q.index(name)) in rest.moving:
            q[k] = np.pi - (np.pi - q[k]) % (2 * np.pi)
    turned = replace(point, q=np.where(np.abs(q + np.pi) < SAME, q + 2 * np.pi, q))
    at = rest.at(turned)
    return point if rest.remaining(turned, at["r"], at["J"]) else turned


def _near(rest: Rest, a: Point, b: Point) -> bool:
    """Whether two solutions are one; a quaternion and its negative are the same orientation."""
    first, second = a.q.copy(), b.q
    for k in rest.field.spheres:
        if first[k : k + 4] @ second[k : k + 4] < 0:
            first[k : k + 4] *= -1
    gap = [first - second, a.z - b.z, a.inputs - b.inputs, a.tau - b.tau, a.parameters - b.parameters]
    return bool(np.abs(np.concatenate(gap)).max(initial=0.0) < SAME)
