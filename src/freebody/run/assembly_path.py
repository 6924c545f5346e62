"""The assembly of coordinates along a path: held coordinates move from the guess to their values."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, ModelError
from freebody.names import Q
from freebody.tree.assembly import LinearEquations, ResidualsAt, assemble_coordinates, free_directions, move
from freebody.tree.continuation import (
    CONTRACTION,
    CORRECTIONS,
    SMALL,
    ConfigurationPath,
    GradientFactors,
    HeldPath,
    PathDirection,
    follow,
    singular_positions,
)
from freebody.tree.tree import quaternions

if TYPE_CHECKING:
    from freebody.run.assembly_problem import AssemblyProblem

Array = NDArray[np.float64]

DEPENDENT, ALIKE = 1e-9, 1e-6
"""Singular values of G at an assembled position, and what is left of a held coordinate that others determine, below
these fractions count as zero."""

CLOSED, CORRECTED = 1e-9, 1e-10
"""The largest residual of a point of a path, and the last step of its correction."""

AWAY, FARTHEST, DISTINCT = 0.05, 4.0, 0.05
AMPLITUDES = (0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, 20.0, -20.0, 50.0, -50.0)
"""Branches are looked for so far (in rad, or lengths of the mechanism) behind a singular position, along the directions
in which G vanishes, in multiples of that distance; the farthest that count (in rad, or lengths), and the smallest
difference of two, in multiples of that distance."""

TOO_FAR, SEARCHED = 100.0, 3
"""Values that are farther from the guess (in rad, or lengths of the mechanism) are not reached along a path; the number
of singular positions on a path at which branches are looked for."""

CLOSE = 0.2
"""A guess is nearly assembled if it is so far (in rad, or lengths of the mechanism) from an assembled state."""

NEAR = 1e-3
"""What is left of a path (in rad, or lengths of the mechanism) that a last step may cover."""


class BranchPoint(NamedTuple):
    """A singular position that was passed on the way, and the coordinates to which other branches lead from there."""

    q: Array
    others: tuple[Array, ...]


@dataclass
class FollowedPath:
    """``q`` where the path leads, None if it does not lead to the values of the held coordinates; then it is
    ``blocked`` at ``end`` if it began at an assembled guess and the held coordinates were free to move. It is
    ``certain`` where the held coordinates leave no freedom, no singular position is on the way, and the guess was
    nearly assembled: then the others are what was asked for, however far they moved."""

    q: Array | None
    end: Array
    blocked: bool = False
    certain: bool = False
    singular: list[BranchPoint] = field(default_factory=list)


def follow_held(problem: "AssemblyProblem") -> FollowedPath | None:
    """The path from the assembled base of a problem to the values of its held coordinates; None if there is nothing to
    follow."""
    base, wanted = problem.base, problem.guess
    if base is None or np.array_equal(base[problem.held_q], wanted[problem.held_q]) or problem.missed(base) > TOO_FAR:
        return None
    closed = problem.closed_base()
    if closed is None:
        return None
    start, exact = closed
    near = exact or np.abs((start - base) * problem.scales).max(initial=0.0) < CLOSE
    moving = independent(problem, start)
    if len(moving) < len(problem.held_q) and exact:  # at the end of their range, perhaps
        path = _path(problem, problem.held_q, start)
        path.blocked, path.certain = path.q is None, False
        if path.q is not None or not np.array_equal(path.end, start):
            return path
    path = _path(problem, moving, start)
    path.certain = path.certain and bool(near)
    path.blocked = path.q is None and exact and len(moving) == len(problem.held_q)
    return path


def _path(problem: "AssemblyProblem", moving: list[int], start: Array) -> FollowedPath:
    """The path from assembled coordinates while those with the indices ``moving`` go to their values."""
    follower = DenseFollower(problem, moving, start)
    way = HeldPath.between(moving, start, problem.guess, quaternions(problem.of.tree))
    path, singular, smooth = _along(follower, way, start)
    q = None
    if path.points and (1 - path.end.s) * follower.size(way) < NEAR:
        last = path.end.q + (1 - path.end.s) * path.end.direction.q_dot
        q = _closed(problem, last)
    certain = q is not None and smooth and follower.determined
    return FollowedPath(q, path.end.q if path.points else start, certain=certain, singular=singular)


def _closed(problem: "AssemblyProblem", q: Array) -> Array | None:
    """The nearest coordinates that satisfy the equations with the values of all held coordinates."""
    start = q.copy()
    start[problem.held_q] = problem.guess[problem.held_q]
    closed = problem.closed_from(start)
    far = np.abs((closed - start) * problem.scales).max(initial=0.0)
    return closed if problem.is_closed(problem.at(closed)) and far < 0.1 + problem.missed(q) else None


def _along(follower: "DenseFollower", way: HeldPath, start: Array) -> tuple[ConfigurationPath, list[BranchPoint], bool]:
    """The path, which leaves a singular start on the branch with the least change, its singular positions where
    branches are looked for, and whether it has none."""
    path, singular, smooth = follow(follower, way, start, follower.scales), list[BranchPoint](), True
    if len(path.points) == 1 and follower.spare.shape[1]:
        found = follower.branches(way, 0.0, start, follower.spare, None)
        if found:
            s, smooth = follower.beside(way, 0.0), False
            others = [follower.continued(way, s, q) for q in found[1:]]
            singular.append(BranchPoint(start, tuple(q for q in others if q is not None)))
            follower.begin(found[0])
            path = follow(follower, way, found[0], follower.scales, s)
    places = singular_positions(path, follower.frame, lambda q: follower.problem.linear(q).scale)
    for at in places[:SEARCHED] if follower.problem.of.branches else ():
        s = follower.beside(way, at.s)
        if s > path.end.s:
            continue
        taken = path.interpolate(s)
        found = follower.branches(way, at.s, at.q, at.directions, taken)
        others = [follower.continued(way, s, q) for q in found]
        singular.append(BranchPoint(at.q, tuple(q for q in others if q is not None)))
    return path, singular, smooth and not places


def independent(problem: "AssemblyProblem", q: Array) -> list[int]:
    """The held coordinates without those that others determine; quaternions are held as a whole."""
    at, blocks = problem.linear(q), dict.fromkeys(quaternions(problem.of.tree), 4)
    _, sizes, V = np.linalg.svd(at.scaled_G)
    basis = V[: np.count_nonzero(sizes > DEPENDENT * sizes.max(initial=0.0))]
    result, held = list[int](), set(problem.held_q)
    for k in (k for k in problem.held_q if k in blocks or not any(b < k < b + 4 and b in held for b in blocks)):
        indices = list(range(k, k + blocks.get(k, 1)))
        rows = at.scaled_N[indices]
        rest = rows - (rows @ basis.T) @ basis
        _, sizes, V = np.linalg.svd(rest, full_matrices=False)
        new = sizes > ALIKE * np.linalg.norm(rows, axis=1).max(initial=0.0)
        if np.count_nonzero(new) == (3 if k in blocks else 1):
            result += indices
            basis = np.vstack([basis, V[new]])
    return result


class DenseFollower:
    """The least change along a path, from the equations of an assembly."""

    def __init__(self, problem: "AssemblyProblem", held: list[int], start: Array) -> None:
        self.problem, self.held, self.scales = problem, held, problem.scales
        self.sizes = self._row_sizes(start)
        self.begin(start)

    def begin(self, q: Array) -> None:
        """Take the rank of G at an assembled position."""
        P, A = self._free(q)
        _, S, V = np.linalg.svd(A)
        self.rank = int(np.count_nonzero(DEPENDENT * S.max(initial=0.0) < S))
        self.determined = self.rank == P.shape[1]
        self.spare = self.problem.linear(q).scale[:, None] * (P @ V[self.rank :].T)

    def size(self, way: HeldPath) -> float:
        return float(np.abs((way.end - way.start) * self.scales[self.held]).max(initial=0.0)) or 1.0

    def beside(self, way: HeldPath, s: float) -> float:
        """A place on the path behind a singular position."""
        return min(1.0, s + AWAY / self.size(way))

    def _row_sizes(self, q: Array) -> Array:
        equations = self.problem.equations
        sizes = equations.scales(self.problem.linear(q).scaled_G[: len(equations.rows)])
        return np.append(sizes, np.ones(len(equations.turned)))

    def _free(self, q: Array) -> tuple[Array, Array]:
        """P, the free directions in scaled changes, and G along them, its rows divided by their largest sizes on the
        path."""
        at = self.problem.linear(q)
        P = free_directions(at.scaled_N[self.held], np.eye(len(at.scale)))
        return P, at.scaled_G @ P / self.sizes[:, None]

    def frame(self, q: Array) -> GradientFactors:
        """The decomposition of G at q."""
        P, A = self._free(q)
        U, S, V = np.linalg.svd(A, full_matrices=False)
        r = self.rank
        return GradientFactors(U[:, :r], S[:r], P @ V[:r].T)

    def _least(self, at: LinearEquations, first: Array, frame: GradientFactors, right: Array) -> Array | None:
        """The least change δ that moves held coordinates as ``first`` does, in scaled changes, and satisfies
        G δ = ``right`` up to the rank."""
        if len(frame.S) < self.rank or (self.rank and frame.S[-1] == 0) or not np.isfinite(right).all():
            return None
        along = (frame.U.T @ right) / frame.S
        y = first + frame.V @ along
        if not self.determined:
            held = at.scaled_N[self.held]
            _, S, V = np.linalg.svd(held, full_matrices=False)
            C = np.vstack([V[: np.count_nonzero(DEPENDENT * S.max(initial=0.0) < S)], frame.V.T])
            y = at.metric @ (np.linalg.pinv(C @ at.metric, rcond=1e-13) @ (C @ y))
        return np.asarray(at.scale * y)

    def direction(self, q: Array, held_rate: Array) -> PathDirection | None:
        at = self.problem.linear(q)
        if not (np.isfinite(at.G).all() and np.isfinite(at.N).all()):
            return None
        frame = self.frame(q)
        first = np.linalg.pinv(at.scaled_N[self.held], rcond=DEPENDENT) @ held_rate
        delta = self._least(at, first, frame, -(at.scaled_G @ first) / self.sizes)
        return None if delta is None else PathDirection(at.N @ delta, frame)

    def correct(self, q: Array) -> Array | None:
        values, last = q[self.held], np.inf
        for _ in range(CORRECTIONS):
            at = self.problem.linear(q)
            if not (np.isfinite(at.phi).all() and np.isfinite(at.G).all()):
                return None
            frame = self.frame(q)
            delta = self._least(at, np.zeros(len(at.scale)), frame, -at.phi / self.sizes)
            if delta is None:
                return None
            size = float(np.abs(at.N @ delta * self.scales).max(initial=0.0))
            if size > max(CONTRACTION * last, SMALL):
                return None
            try:
                q, last = move(self.problem.of.tree, q, delta), size
            except ModelError:  # a singular position of a joint's coordinates
                return None
            q[self.held] = values
            if size <= CORRECTED:
                return q if np.abs(self.problem.linear(q).phi).max(initial=0.0) < CLOSED else None
        return None

    def landed(self, q: Array) -> bool:
        self.sizes = np.maximum(self.sizes, self._row_sizes(q))
        _, A = self._free(q)
        S = np.linalg.svd(A, compute_uv=False)
        return bool(np.count_nonzero(DEPENDENT * S.max(initial=0.0) < S) == self.rank)

    # Branches

    def branches(self, way: HeldPath, s: float, q: Array, directions: Array, taken: Array | None) -> list[Array]:
        """Assembled coordinates of several branches a little behind a singular position q, those with the least change
        first; without those on the branch ``taken``."""
        there, at = self.beside(way, s), self.problem.linear(q)
        near = float(np.abs((way.at(there) - way.at(s)) * self.scales[self.held]).max(initial=0.0))
        found, known = list[Array](), [] if taken is None else [taken]
        direction = self.direction(q, way.rate(s))
        start = taken if taken is not None else q + (there - s) * (0 if direction is None else direction.q_dot)
        for along in (at.N @ directions).T:
            along = along * near / max(float(np.abs(along * self.scales).max()), 1e-300)
            for amplitude in AMPLITUDES:
                closed = self._closed_at(way.place(start + amplitude * along, there))
                if closed is None or np.abs((closed - q) * self.scales).max() > FARTHEST:
                    continue
                if all(np.abs((closed - other) * self.scales).max() > DISTINCT * near for other in known):
                    found.append(closed)
                    known.append(closed)
        back = np.linalg.pinv(at.N @ at.root)
        return sorted(found, key=lambda other: float(np.linalg.norm(back @ (other - q))))

    def _closed_at(self, start: Array) -> Array | None:
        """The nearest closed coordinates with the same held ones."""
        for k in quaternions(self.problem.of.tree):
            start[k : k + 4] /= np.linalg.norm(start[k : k + 4])
        values, problem = start[self.held], self.problem

        def position(q: Array) -> ResidualsAt:
            at = problem.linear(q)
            return ResidualsAt(at.phi, at.G, free_directions(at.N[self.held], at.root))

        def moved(q: Array, delta: Array) -> Array:
            there = move(problem.of.tree, q, delta)
            there[self.held] = values
            return there

        try:
            q = assemble_coordinates(position, moved, start, problem.equations.angles)[0]
        except ModelError:
            return None
        return q if problem.is_closed(problem.at(q)) else None

    def continued(self, way: HeldPath, s: float, q: Array) -> Array | None:
        """Where the branch through q leads; None if it does not lead to the end."""
        other = DenseFollower(self.problem, self.held, q)
        path = follow(other, way, q, self.scales, s)
        return path.end.q if path.arrived else None


def unreachable(problem: "AssemblyProblem", path: FollowedPath, q: Array) -> ArgumentError:
    """The error where held coordinates cannot move from the guess to their values, but other coordinates q are
    assembled with them."""
    names = problem.of.e.layout.q
    moving = [k for k in problem.held_q if problem.base is None or problem.base[k] != problem.guess[k]]
    ends = ", ".join(f"{Q(names[k])} = {path.end[k]:.4g}" for k in moving[:4])
    values = ", ".join(f"{x:.5g}" for x in q)
    wanted = ", ".join(f"'{names[k]}': {problem.guess[k]:.6g}" for k in moving[:8])
    return ArgumentError(
        f"{problem.of.tree.model.name}: no continuous motion from the guess reaches these values of"
        f" {', '.join(Q(names[k]) for k in moving[:4])}: it ends at {ends}, where the constraints allow no further"
        f" motion. They are possible on another branch; if you mean that one, give a guess on it:"
        f" q, u = s.assemble({{{wanted}}}, guess=[{values}])"
    )
