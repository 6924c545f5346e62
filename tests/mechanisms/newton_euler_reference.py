"""An independent reference: Newton–Euler equations of each body in plain NumPy with its own rotation formulas. Along
a motion the pose of a body is a truncated Taylor series in time, R(s) = R0 + R1 s + R2 s², exact for the given q, u
and u̇. Series of a tree are products of the joints' series, so velocities and accelerations need neither finite
differences nor any formulas (ω × r, Coriolis, 2ω × v) that the library uses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.mechanisms import joint_maps
from tests.mechanisms.random_trees import GROUND, Hinge, State, Tree, given, rodrigues, skew, turned, unit

Array = np.ndarray


def unskew(W: Array) -> Array:
    """The vector of the skew part of a matrix."""
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2


def by_quaternion(q: Array) -> Array:
    """(w² − v·v) 1 + 2 v vᵀ + 2 w [v]× of a unit quaternion."""
    w, v = q[0], q[1:]
    return (w * w - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * skew(v)


def by_angles(axes: Sequence[int], q: Array) -> Array:
    R = np.eye(3, dtype=np.result_type(q, float))
    for k, angle in zip(axes, q, strict=True):
        R = R @ rodrigues(np.eye(3)[k - 1], angle)
    return R


# Series in time: three coefficients


def times(A: Array, B: Array) -> Array:
    """The product of two series of matrices, or of a matrix and a vector."""
    return np.array([A[0] @ B[0], A[0] @ B[1] + A[1] @ B[0], A[0] @ B[2] + A[1] @ B[1] + A[2] @ B[0]])


def spinning(axis: Array, x: Array) -> Array:
    """The series of a rotation about a fixed axis by the angle with series x."""
    R, K = rodrigues(axis, x[0]), skew(axis)
    return np.array([R, x[1] * K @ R, (x[2] * K + x[1] ** 2 / 2 * K @ K) @ R])


def rolling(R: Array, w: Array, w_dot: Array) -> Array:
    """The series of a rotation with angular velocity w + w_dot s along its own axes: Ṙ = R [w]×."""
    W = skew(w)
    return np.array([R, R @ W, R @ (W @ W + skew(w_dot)) / 2])


@dataclass(frozen=True)
class Place:
    """Series of orientation and origin."""

    R: Array
    p: Array

    def then(self, other: "Place") -> "Place":
        return Place(times(self.R, other.R), self.p + times(self.R, other.p))


def still(R: Array, p: Array) -> Place:
    zero = np.zeros(3)
    return Place(np.array([R, np.zeros((3, 3)), np.zeros((3, 3))]), np.array([p, zero, zero]))


def hinge_place(h: Hinge, q: Array, u: Array, u_dot: Array) -> Place:
    """The series of the child's pose in the joint's frame of the parent."""
    fixed = still(np.eye(3), np.zeros(3))
    x = np.array([q, u, u_dot / 2] if h.plain else [])  # x[:, k] is the series of coordinate k
    match h.kind:
        case "weld":
            return fixed
        case "revolute":
            return Place(spinning(unit(h.axes[0]), x[:, 0]), fixed.p)
        case "prismatic":
            return Place(fixed.R, np.outer(x[:, 0], unit(h.axes[0])))
        case "screw":
            a = unit(h.axes[0])
            return Place(spinning(a, x[:, 0]), np.outer(h.number * x[:, 0], a))
        case "cylindrical":
            a = unit(h.axes[0])
            return Place(spinning(a, x[:, 0]), np.outer(x[:, 1], a))
        case "universal":
            a, b = map(unit, h.axes)
            return Place(times(spinning(a, x[:, 0]), spinning(b, x[:, 1])), fixed.p)
        case "planar":
            first, second = plane(h.axes[0])
            p = np.outer(x[:, 0], first) + np.outer(x[:, 1], second)
            return Place(spinning(unit(h.axes[0]), x[:, 2]), p)
        case "spherical":
            return Place(rolling(orientation(h, q), u, u_dot), fixed.p)
        case "free":
            R = rolling(orientation(h, q[3:]), u[:3], u_dot[:3])
            v, v_dot = u[3:], u_dot[3:]
            return Place(R, np.array([q[:3], R[0] @ v, (R[1] @ v + R[0] @ v_dot) / 2]))
        case "building block":
            return block_place(h, q, u, u_dot)
        case "simple" | "compound":
            X = joint_maps.chain_series(h.word, q, u, u_dot)
            return Place(X[:, :3, :3], X[:, :3, 3])
        case "custom":
            position, angles = ([joint_maps.polynomial_series(c, x) for c in group] for group in h.word)
            first, second = (spinning(unit(a), angle) for a, angle in zip(h.axes, angles, strict=True))
            return Place(times(first, second), np.array(position).T)
    raise AssertionError(h.kind)


def orientation(h: Hinge, q: Array) -> Array:
    return by_quaternion(q) if h.word is None else by_angles([int(c) for c in h.word], q)


def plane(normal: Any) -> tuple[Array, Array]:
    """The directions of a planar joint: the axes that follow the normal, or for a skew one e × n and n × (e × n) with
    e the axis along which n is least."""
    n = unit(normal)
    if np.count_nonzero(n) == 1:
        k = int(np.argmax(np.abs(n)))
        return np.eye(3)[(k + 1) % 3], np.eye(3)[(k + 2) % 3]
    first = np.cross(np.eye(3)[np.argmin(np.abs(n))], n)
    first /= np.linalg.norm(first)
    return first, np.cross(n, first)


def block_place(h: Hinge, q: Array, u: Array, u_dot: Array) -> Place:
    n = len(h.axes)
    x = np.array([q[:n], u[:n], u_dot[:n] / 2])
    p = sum((np.outer(x[:, k], unit(a)) for k, a in enumerate(h.axes)), np.zeros((3, 3)))
    base = nominal(h)
    if len(h.word) == 3:
        own = rolling(by_angles(h.word, q[n:]), u[n:], u_dot[n:])
    elif h.word:
        own = spinning(np.eye(3)[h.word[0] - 1], np.array([q[n], u[n], u_dot[n] / 2]))
    else:
        own = still(np.eye(3), np.zeros(3)).R
    return Place(np.array([base @ R for R in own]), p)


def nominal(h: Hinge) -> Array:
    """The child's axes at zero as columns: the first rotation axis, and the next one in the plane of the reference."""
    if h.reference is None:
        return np.eye(3)
    a, r = map(unit, h.reference)
    second = r - (r @ a) * a
    second /= np.linalg.norm(second)
    first = h.word[0] - 1
    columns = {first: a, (first + 1) % 3: second, (first + 2) % 3: np.cross(a, second)}
    return np.column_stack([columns[k] for k in range(3)])


# The tree


@dataclass(frozen=True)
class Moving:
    """A body's motion in the ground: pose, ω, v of its origin, α and a of its origin."""

    R: Array
    p: Array
    w: Array
    v: Array
    alpha: Array
    a: Array

    def point(self, r: Any) -> Array:
        return self.p + self.R @ np.asarray(r)


def moving(place: Place) -> Moving:
    R, R1, R2 = place.R
    W = R1 @ R.T
    alpha = unskew(2 * R2 @ R.T - W @ W)
    return Moving(R, place.p[0], unskew(W), place.p[1], alpha, 2 * place.p[2])


def split(tree: Tree, state: State, u: Array, u_dot: Array, drives: bool = True) -> list[tuple[Array, Array, Array]]:
    """(q, u, u̇) of each joint including prescribed ones (or, without drives, at rest in their positions)."""
    found, iq, iu = [], 0, 0
    for twig in tree.twigs:
        nq, nu = twig.hinge.sizes
        q, v, a = np.zeros(nq), np.zeros(nu), np.zeros(nu)
        waves = [given(twig, k) for k in range(nu)] if twig.hinge.plain else [None] * nu
        if not twig.hinge.plain:
            q, iq = state.q[iq : iq + nq], iq + nq
        for k, wave in enumerate(waves):
            if wave is not None:
                q[k], rate, second = wave.jet(state.t)
                v[k], a[k] = (rate, second) if drives else (0.0, 0.0)
                continue
            if twig.hinge.plain:
                q[k], iq = state.q[iq], iq + 1
            v[k], a[k], iu = u[iu], u_dot[iu], iu + 1
        found.append((q, v, a))
    return found


def motions(tree: Tree, state: State, u: Array, u_dot: Array, drives: bool = True) -> list[Moving]:
    places: list[Place] = []
    for twig, (q, v, a) in zip(tree.twigs, split(tree, state, u, u_dot, drives), strict=True):
        placed = still(turned(twig.turns), np.array(twig.at)).then(hinge_place(twig.hinge, q, v, a))
        places.append(placed if twig.parent == GROUND else places[twig.parent].then(placed))
    return [moving(place) for place in places]


REST = Moving(np.eye(3), *[np.zeros(3)] * 5)


@dataclass(frozen=True)
class Answer:
    """M u̇ = f, and the bodies' motions at u̇ = 0."""

    M: Array
    f: Array
    bodies: list[Moving]


class Referee:
    """Equations of motion of a tree at one state."""

    def __init__(self, tree: Tree, state: State) -> None:
        self.tree, self.state = tree, state
        n = len(state.u)
        self.bodies = motions(tree, state, state.u, np.zeros(n))
        self.columns = [motions(tree, state, e, np.zeros(n), drives=False) for e in np.eye(n)]
        self.joints = split(tree, state, state.u, np.zeros(n))

    def body(self, i: int) -> Moving:
        return REST if i == GROUND else self.bodies[i]

    def partials(self, i: int, r: Array) -> tuple[Array, Array]:
        """∂ω/∂u and ∂v/∂u (3 × n) of twig i and of its point at r in the ground."""
        if i == GROUND:
            return np.zeros((3, len(self.columns))), np.zeros((3, len(self.columns)))
        w = np.array([c[i].w for c in self.columns]).reshape(-1, 3).T
        v = np.array([c[i].v + np.cross(c[i].w, r - c[i].p) for c in self.columns]).reshape(-1, 3).T
        return w, v

    # Inertia

    def mass(self) -> Array:
        n = len(self.state.u)
        M = np.zeros((n, n))
        for i, twig in enumerate(self.tree.twigs):
            B = self.bodies[i]
            Jw, Jv = self.partials(i, B.point(twig.com))
            M += twig.mass * Jv.T @ Jv + Jw.T @ (B.R @ twig.inertia @ B.R.T) @ Jw
        return M + np.diag([self.tree.twigs[i].hinge.armature for i, _ in self.tree.free()])

    def force(self, gravity: bool = True) -> Array:
        f = self.applied()
        for i, twig in enumerate(self.tree.twigs):
            F, N = self.inertial(i, self.bodies)
            Jw, Jv = self.partials(i, self.bodies[i].point(twig.com))
            weight = twig.mass * np.array(self.tree.gravity) if gravity else np.zeros(3)
            f += Jv.T @ (weight - F) - Jw.T @ N
        return f

    def inertial(self, i: int, bodies: list[Moving]) -> tuple[Array, Array]:
        """m a of the mass centre, and the rate of the angular momentum about it."""
        twig, B = self.tree.twigs[i], bodies[i]
        c, J = B.R @ np.array(twig.com), B.R @ twig.inertia @ B.R.T
        a = B.a + np.cross(B.alpha, c) + np.cross(B.w, np.cross(B.w, c))
        return twig.mass * a, J @ B.alpha + np.cross(B.w, J @ B.w)

    def kinetic(self) -> float:
        total = 0.0
        for i, twig in enumerate(self.tree.twigs):
            B = self.bodies[i]
            v = B.v + np.cross(B.w, B.R @ np.array(twig.com))
            total += twig.mass * v @ v / 2 + B.w @ B.R @ twig.inertia @ B.R.T @ B.w / 2
        joints = zip(self.tree.twigs, self.joints, strict=True)
        return float(total + sum(t.hinge.armature * v @ v / 2 for t, (_, v, _) in joints))

    def potential(self) -> float:
        """The potential energy of gravity, springs and joint springs."""
        total = 0.0
        for twig, B, (q, _, _) in zip(self.tree.twigs, self.bodies, self.joints, strict=True):
            total -= twig.mass * np.array(self.tree.gravity) @ B.point(twig.com)
            if twig.hinge.stiffness:
                total += twig.hinge.stiffness * float(np.sum((q - twig.hinge.rest) ** 2)) / 2
        for coil in self.tree.coils:
            total += coil.stiffness * (self.span(coil)[1] - coil.length) ** 2 / 2
        return float(total)

    # Loads

    def applied(self, springs: bool = True) -> Array:
        """Generalised forces of loads and joints without gravity."""
        f = np.zeros(len(self.state.u))
        for i, r, F, T in self.wrenches(springs):
            Jw, Jv = self.partials(i, r)
            f += Jv.T @ F + Jw.T @ T
        for place, (i, k) in enumerate(self.tree.free()):
            h, (q, v, _) = self.tree.twigs[i].hinge, self.joints[i]
            f[place] -= h.damping * v[k] + h.friction * np.tanh(1000 * v[k])
            if h.stiffness and springs:
                f[place] -= h.stiffness * (q[k] - h.rest)
        for force in self.tree.joint_forces:
            f[self.tree.free().index((force.on, force.index))] += force.value
        return f

    def wrenches(self, springs: bool = True) -> list[tuple[int, Array, Array, Array]]:
        """(twig, point in the ground, force, torque); optionally springs without their elastic part."""
        zero, found = np.zeros(3), []
        for push in self.tree.pushes:
            F = self.body(push.along).R @ np.array(push.vector) * self.scale(push.scale)
            r = self.body(push.on).point(push.at)
            force, torque = (zero, F) if push.torque else (F, zero)
            found.append((push.on, r, force, torque))
            if push.reaction is not None:
                found.append((push.reaction, r, -force, -torque))
        for coil in self.tree.coils:
            (start, end), length, rate, along = self.span(coil)
            pull = along * ((coil.stiffness * (length - coil.length) if springs else 0.0) + coil.damping * rate)
            found += [(coil.ends[0], start, pull, zero), (coil.ends[1], end, -pull, zero)]
        return found

    def span(self, coil: Any) -> tuple[tuple[Array, Array], float, float, Array]:
        """Both ends, the length, its rate and the direction from start to end."""
        ends = [self.body(i).point(p) for i, p in zip(coil.ends, coil.points, strict=True)]
        bodies = zip(map(self.body, coil.ends), ends, strict=True)
        speeds = [B.v + np.cross(B.w, r - B.p) for B, r in bodies]
        d = ends[1] - ends[0]
        length = float(np.linalg.norm(d))
        return (ends[0], ends[1]), length, float(d @ (speeds[1] - speeds[0])) / length, d / length

    def scale(self, s: Any) -> float:
        total = 1 + s.a * self.state.t + s.d * self.state.motor + s.e * self.state.z
        if s.of is not None:
            q, u, _ = self.joints[s.of[0]]
            total += s.b * q[s.of[1]] + s.c * u[s.of[1]]
        return float(total)

    # Momentum

    def momentum_rates(self, u_dot: Array) -> tuple[Array, Array]:
        """Rates of the linear momentum, and of the angular momentum about the ground's origin."""
        bodies = motions(self.tree, self.state, self.state.u, u_dot)
        P, L = np.zeros(3), np.zeros(3)
        for i, twig in enumerate(self.tree.twigs):
            F, N = self.inertial(i, bodies)
            P, L = P + F, L + N + np.cross(bodies[i].point(twig.com), F)
        return P, L
