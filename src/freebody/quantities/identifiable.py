"""Which inertial parameters motion can tell apart: the base parameters of a regressor, by numbers.

Columns of Y are taken in the order of π, bodies from the root outwards. One that is a combination of those kept so far,
at every state, adds nothing: its parameter joins theirs. So what a joint cannot tell from its parent's goes to the
parent (Gautier & Khalil 1990), as in the `base` rewrite, and parameters that no motion shows are left out.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.formulations.equations import Equations
from freebody.quantities.regressor import names

Array = NDArray[np.float64]
LOST = 1e-8
"""What is left of a column, relative to it, when all earlier ones are taken off: below this it is rounding (measured on
arms and random trees: below 1e-14 or above 5e-3)."""


@dataclass(frozen=True)
class BaseParameters:
    """``combination`` @ π are the base parameters; ``independent`` are the places of π that name them, so that
    Y π = Y[:, independent] @ (combination @ π) at every state."""

    names: tuple[str, ...]
    independent: tuple[int, ...]
    combination: Array

    def __len__(self) -> int:
        return len(self.independent)

    def of(self, pi: ArrayLike) -> Array:
        """The base parameters of a set of inertial parameters."""
        found: Array = self.combination @ np.asarray(pi, dtype=float)
        return found

    def columns(self, Y: ArrayLike) -> Array:
        """The regressor's independent columns."""
        return np.asarray(Y, dtype=float)[..., list(self.independent)]

    @property
    def texts(self) -> tuple[str, ...]:
        """Each as it is written: "forearm.hx + 0.392 wrist_1.m"."""
        return tuple(self._text(k) for k in range(len(self)))

    def _text(self, k: int) -> str:
        own, row = self.independent[k], self.combination[k]
        others = [j for j in np.flatnonzero(row) if j != own]
        return self.names[own] + "".join(_term(row[j], self.names[j]) for j in others)

    def __str__(self) -> str:
        return "\n".join(self.texts)


def _term(factor: float, name: str) -> str:
    sign, size = " - " if factor < 0 else " + ", abs(factor)
    return f"{sign}{name}" if abs(size - 1) < 1e-12 else f"{sign}{size:.6g} {name}"


def base_parameters(e: Equations, W: Array) -> BaseParameters:
    """From the regressors of many states, one above the other."""
    size = np.linalg.norm(W, axis=0)
    kept = _independent(W / np.where(size > 0, size, 1.0), size > LOST * size.max(initial=0.0))
    rest = [k for k in range(W.shape[1]) if k not in kept]
    combination = np.zeros((len(kept), W.shape[1]))
    combination[range(len(kept)), kept] = 1.0
    if kept and rest:
        part = np.linalg.lstsq(W[:, kept] / size[kept], W[:, rest], rcond=None)[0] / size[kept][:, None]
        combination[:, rest] = np.where(np.abs(part) > LOST * np.abs(part).max(axis=0, initial=0.0), part, 0.0)
        combination[:, size <= LOST * size.max(initial=0.0)] = 0.0
    return BaseParameters(names(e), tuple(kept), combination)


def _independent(W: Array, seen: NDArray[np.bool_]) -> list[int]:
    """The columns that earlier ones do not give, by Gram and Schmidt, twice for rounding's sake."""
    kept, basis = list[int](), np.zeros((W.shape[0], 0))
    for k in np.flatnonzero(seen):
        left = W[:, k]
        for _ in range(2):
            left = left - basis @ (basis.T @ left)
        length = np.linalg.norm(left)
        if length > LOST:
            kept.append(int(k))
            basis = np.column_stack([basis, left / length])
    return kept


def states(e: Equations, number: int, rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """Random t, q, u and u̇: coordinates where random displacements lead from zero."""
    n = len(e.layout.u)
    q = np.array([_placed(e, rng) for _ in range(number)])
    u, u_dot = rng.normal(size=(2, number, n))
    return rng.uniform(0, 10, number), q, 2 * u, 4 * u_dot


def _placed(e: Equations, rng: np.random.Generator) -> Array:
    found: list[Array] = []
    for link in e.forest.links:
        joint = link.body.recipe.joint
        q = joint.scatter(rng.uniform(-1.5, 1.5, len(joint.speeds)))
        found.append(np.array([x for x, own in zip(q, link.body.own, strict=True) if own]))
    return np.concatenate(found)


Regressor = Callable[[Array, Array, Array, Array], Array]


def stacked(e: Equations, Y: Regressor, random: np.random.Generator) -> Array:
    """Regressors Y(t, q, u, u̇) at random states, one above the other; enough of them for four rows to a column."""
    columns = len(names(e))
    number = -(-4 * columns // max(len(e.layout.u), 1))
    made = Y(*states(e, number, random))
    return made.reshape(-1, columns)
