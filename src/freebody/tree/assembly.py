"""Assembly: coordinates at which φ(q) = 0, near a guess, by damped Gauss–Newton steps along q̇ = N δ."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.tree.forest import Forest

Array = NDArray[np.float64]
ITERATIONS, HALVINGS = 100, 10
LONGEST = 0.5
"""The largest change of an angle in one step, in rad."""

DEPENDENT = 1e-10
"""Singular values of the scaled G below this fraction of the largest are taken as zero."""

ENOUGH = 0.1
"""The fraction of φ that a step may leave for the next one."""

CONVERGED = 4e-16
"""A step is the last one where it is shorter than this (in rad, or relative to the coordinates)."""


class ResidualsAt(NamedTuple):
    """Residuals φ of the equations at some coordinates; G, their derivatives along speeds; ``free``, the directions in
    which the speeds δ may change the coordinates, as columns."""

    phi: Array
    G: Array
    free: Array

    @property
    def square(self) -> float:
        """|φ|²; infinite where φ or G is not finite."""
        square = float(self.phi @ self.phi)
        return square if np.isfinite(square) and np.isfinite(self.G).all() else np.inf


@dataclass(eq=False)
class LinearEquations:
    """Residuals φ and their derivatives G along the speeds, and N of q̇ = N δ, at some coordinates. ``scale`` are
    1/√M_kk, by which changes δ = scale y have about the same inertia. ``stiff`` computes R with R Rᵀ = W⁻¹, where
    yᵀ W y measures changes: what springs resist is long."""

    phi: Array
    G: Array
    N: Array
    scale: Array
    stiff: Callable[[], Array]

    @cached_property
    def metric(self) -> Array:
        """R."""
        return self.stiff()

    @cached_property
    def root(self) -> Array:
        """R in changes δ."""
        return self.scale[:, None] * self.metric

    @property
    def scaled_G(self) -> Array:
        return self.G * self.scale

    @property
    def scaled_N(self) -> Array:
        return self.N * self.scale


def free_directions(held: Array, root: Array) -> Array:
    """The directions, as columns, that keep held coordinates (rows of N), orthonormal in the measure W."""
    if not len(held):
        return root
    _, s, V = np.linalg.svd(held @ root)
    return np.asarray(root @ V[np.count_nonzero(s > DEPENDENT * s.max(initial=0.0)) :].T)


def assemble_coordinates(
    evaluate: Callable[[Array], ResidualsAt], move: Callable[[Array, Array], Array], q: Array, angles: NDArray[np.bool_]
) -> tuple[Array, ResidualsAt]:
    """The coordinates that are reached from q by least-squares steps, as far as these decrease |φ|, and the residuals
    there. ``move`` is q ⊕ δ; ``angles`` tells which speeds are rates of angles. Steps are shortened where they turn a
    joint far or where |φ| does not decrease as the derivatives predict, so that the branch of the guess is followed."""
    at = evaluate(q)
    square = at.square
    for _ in range(ITERATIONS):
        if square == 0 or not np.isfinite(square):
            break
        step = _step(at)
        if np.abs(step).max(initial=0.0) <= CONVERGED * (1 + np.abs(q).max(initial=0.0)):
            break
        length = min(1.0, LONGEST / max(float(np.abs(step[angles]).max(initial=0.0)), LONGEST))
        change = at.G @ step
        for _ in range(HALVINGS):
            trial, predicted = move(q, length * step), at.phi + length * change
            there = evaluate(trial)
            reached = there.square
            if reached < square and square - reached >= (square - float(predicted @ predicted)) / 4:
                break
            length /= 2
        else:
            break
        q, at, square = trial, there, reached
    return q, at


def _step(at: ResidualsAt) -> Array:
    """The step towards φ = 0 along the directions that change φ most, as few as leave ENOUGH of it. Equations that
    depend on others on the manifold are independent away from it, by as much as φ is large; a step that solved these
    too would move along the manifold, and far."""
    U, s, V = np.linalg.svd(at.G @ at.free, full_matrices=False)
    s = s[s > DEPENDENT * s.max(initial=0.0)]
    parts = at.phi @ U[:, : len(s)]
    left = np.append(np.cumsum(parts[::-1] ** 2)[::-1], 0.0)  # of φ, without the first directions
    n = int(np.argmax(left <= ENOUGH**2 * left[0]))
    return np.asarray(-at.free @ (V[:n].T @ (parts[:n] / s[:n])))


def initial_coordinates(forest: Forest) -> Array:
    """q of the joints' initial values, or of their zeros."""
    q = dict.fromkeys(forest.layout.q, 0.0)
    for recipe in forest.model.bodies.values():
        joint = recipe.freedoms
        q |= dict(zip(recipe.names[0], joint.zero if joint.initial is None else joint.initial, strict=True))
    return np.array([q[n] for n in forest.layout.q], float)


def move(forest: Forest, q: Array, delta: Array) -> Array:
    """The coordinates that constant speeds δ reach from q in unit time, joint by joint."""
    result, at_q = q.copy(), {n: k for k, n in enumerate(forest.layout.q)}
    at_u = {n: k for k, n in enumerate(forest.layout.u)}
    for recipe in forest.model.bodies.values():
        names, speeds = recipe.names
        free_q, free_u = [n for n in names if n in at_q], [n for n in speeds if n in at_u]
        if not free_u:
            continue
        if len(free_u) < len(speeds):  # some are prescribed: then each speed is the rate of a coordinate
            for a, b in zip(free_q, free_u, strict=True):
                result[at_q[a]] += delta[at_u[b]]
        else:
            i, j = [at_q[n] for n in names], [at_u[n] for n in speeds]
            result[i] = recipe.freedoms.with_numbers(forest.model.parameters).integrate(q[i], delta[j])
    return result


def angular_speeds(forest: Forest) -> NDArray[np.bool_]:
    """Which speeds are rates of angles."""
    units = {n: u for r in forest.model.bodies.values() for n, u in zip(r.names[1], r.freedoms.units[1], strict=True)}
    return np.array([units[n].startswith("rad") for n in forest.layout.u], bool)


def angular_coordinates(forest: Forest) -> NDArray[np.bool_]:
    """Which coordinates are angles whose rates are speeds."""
    units = dict[str, str]()
    for recipe in forest.model.bodies.values():
        joint = recipe.freedoms
        units |= {n: u if joint.rates else "" for n, u in zip(recipe.names[0], joint.units[0], strict=True)}
    return np.array([units[n] == "rad" for n in forest.layout.q], bool)


def lengths(forest: Forest) -> NDArray[np.bool_]:
    """Which coordinates are lengths."""
    units = {n: u for r in forest.model.bodies.values() for n, u in zip(r.names[0], r.freedoms.units[0], strict=True)}
    return np.array([units[n] not in ("rad", "") for n in forest.layout.q], bool)
