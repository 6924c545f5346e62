"""Assembly: coordinates at which φ(q) = 0, near a guess, by damped Gauss–Newton steps along q̇ = N δ."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.model.joints.base import Joint
from freebody.tree.tree import Tree

Array = NDArray[np.float64]
ITERATIONS, HALVINGS = 100, 10
LONGEST = 0.5
"""The largest change of an angle in one step, in rad."""

DEPENDENT = 1e-10
"""Singular values of G, scaled or not, below this fraction of the largest are taken as zero."""

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


def least_squares_step(at: ResidualsAt) -> Array:
    """The step towards φ = 0 along the directions that change φ most, as few as leave ENOUGH of it. Equations that
    depend on others on the manifold are independent away from it, by as much as φ is large; a step that solved these
    too would move along the manifold, and far."""
    U, s, V = np.linalg.svd(at.G @ at.free, full_matrices=False)
    s = s[s > DEPENDENT * s.max(initial=0.0)]
    parts = at.phi @ U[:, : len(s)]
    left = np.append(np.cumsum(parts[::-1] ** 2)[::-1], 0.0)  # of φ, without the first directions
    n = int(np.argmax(left <= ENOUGH**2 * left[0]))
    return np.asarray(-at.free @ (V[:n].T @ (parts[:n] / s[:n])))


def assemble_coordinates(
    evaluate: Callable[[Array], ResidualsAt],
    move: Callable[[Array, Array], Array],
    q: Array,
    angles: NDArray[np.bool_],
    step: Callable[[ResidualsAt], Array] = least_squares_step,
) -> tuple[Array, ResidualsAt]:
    """The coordinates that are reached from q by least-squares steps, as far as these decrease |φ|, and the residuals
    there. ``move`` is q ⊕ δ; ``angles`` tells which speeds are rates of angles. Steps are shortened where they turn a
    joint far or where |φ| does not decrease as the derivatives predict, so that the branch of the guess is followed."""
    at = evaluate(q)
    square = at.square
    for _ in range(ITERATIONS):
        if square == 0 or not np.isfinite(square):
            break
        change = step(at)
        if np.abs(change).max(initial=0.0) <= CONVERGED * (1 + np.abs(q).max(initial=0.0)):
            break
        length = min(1.0, LONGEST / max(float(np.abs(change[angles]).max(initial=0.0)), LONGEST))
        slope = at.G @ change
        for _ in range(HALVINGS):
            trial, predicted = move(q, length * change), at.phi + length * slope
            there = evaluate(trial)
            reached = there.square
            if reached < square and square - reached >= (square - float(predicted @ predicted)) / 4:
                break
            length /= 2
        else:
            break
        q, at, square = trial, there, reached
    return q, at


def initial_coordinates(tree: Tree) -> Array:
    """q of the joints' initial values, or of their zeros."""
    q = dict.fromkeys(tree.layout.q, 0.0)
    for spec in tree.model.bodies.values():
        joint = spec.freedoms
        q |= dict(zip(spec.names[0], joint.zero if joint.initial is None else joint.initial, strict=True))
    return np.array([q[n] for n in tree.layout.q], float)


class Mover:
    """q ⊕ δ: the coordinates that constant speeds δ reach from q in unit time, joint by joint. ``speeds`` are the
    indices in u of the components of δ, by default all; other speeds are zero."""

    def __init__(self, tree: Tree, speeds: Sequence[int] | None = None) -> None:
        names = tree.layout.u if speeds is None else [tree.layout.u[k] for k in speeds]
        at_q, at_u = {n: k for k, n in enumerate(tree.layout.q)}, {n: k for k, n in enumerate(names)}
        free = set(tree.layout.u)
        self._rates = list[tuple[int, int]]()
        self._joints = list[tuple[Joint, list[int], list[int], list[int], list[int]]]()
        for spec in tree.model.bodies.values():
            q, u = spec.names
            moving = [k for k, n in enumerate(u) if n in at_u]
            if not moving:
                continue
            if not free.issuperset(u):  # some are prescribed: then each speed is the rate of a coordinate
                pairs = zip((n for n in q if n in at_q), (n for n in u if n in free), strict=True)
                self._rates += [(at_q[a], at_u[b]) for a, b in pairs if b in at_u]
            else:
                joint = spec.freedoms.with_numbers(tree.model.parameters)
                states = [k for k, n in enumerate(q) if n in at_q]  # no other of the joint depends on omitted ones
                columns = [at_q[q[k]] for k in states]
                self._joints.append((joint, states, columns, moving, [at_u[u[k]] for k in moving]))

    def __call__(self, q: Array, delta: Array) -> Array:
        result = q.copy()
        for a, b in self._rates:
            result[a] += delta[b]
        for joint, states, i, moving, j in self._joints:
            own, start = np.zeros(len(joint.units[1])), np.array(joint.zero, float)
            own[moving], start[states] = delta[j], q[i]
            result[i] = joint.integrate(start, own)[states]
        return result


def move(tree: Tree, q: Array, delta: Array) -> Array:
    """The coordinates that constant speeds δ reach from q in unit time, joint by joint."""
    return Mover(tree)(q, delta)


def angular_speeds(tree: Tree) -> NDArray[np.bool_]:
    """Which speeds are rates of angles."""
    units = {n: u for r in tree.model.bodies.values() for n, u in zip(r.names[1], r.freedoms.units[1], strict=True)}
    return np.array([units[n].startswith("rad") for n in tree.layout.u], bool)


def angular_coordinates(tree: Tree) -> NDArray[np.bool_]:
    """Which coordinates are angles whose rates are speeds."""
    units = dict[str, str]()
    for spec in tree.model.bodies.values():
        joint = spec.freedoms
        units |= {n: u if joint.rates else "" for n, u in zip(spec.names[0], joint.units[0], strict=True)}
    return np.array([units[n] == "rad" for n in tree.layout.q], bool)


def lengths(tree: Tree) -> NDArray[np.bool_]:
    """Which coordinates are lengths."""
    units = {n: u for r in tree.model.bodies.values() for n, u in zip(r.names[0], r.freedoms.units[0], strict=True)}
    return np.array([units[n] not in ("rad", "") for n in tree.layout.q], bool)
