"""Joints by maps and by functions as plain numbers, for random trees and the reference implementation. Exponentials
of twists by Rodrigues' formulas, functions as polynomials; both also for complex coordinates."""

from functools import partial
from typing import Any

import numpy as np

Array = np.ndarray
E = np.eye(6)


def skew(v: Array) -> Array:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def hat(h: Array) -> Array:
    made = np.zeros((4, 4), dtype=np.asarray(h).dtype)
    made[:3, :3], made[:3, 3] = skew(h[:3]), h[3:]
    return made


def exp(h: Array, x: Any) -> Array:
    """The motion along a twist: 1 + sin θ K + (1 − cos θ) K² and its integral."""
    made, size = np.eye(4, dtype=np.result_type(x, float)), np.linalg.norm(h[:3])
    if size == 0:
        made[:3, 3] = h[3:] * x
        return made
    K, angle = skew(h[:3] / size), size * x
    s, c = np.sin(angle), np.cos(angle)
    made[:3, :3] = np.eye(3) + s * K + (1 - c) * K @ K
    made[:3, 3] = (angle * np.eye(3) + (1 - c) * K + (angle - s) * K @ K) @ h[3:] / size
    return made


def pose(columns: Any, q: Array) -> Array:
    """The composed motions, with the first column nearest to the child."""
    X = np.eye(4, dtype=np.result_type(np.asarray(q), float))
    for h, x in zip(columns, q, strict=True):
        X = exp(np.array(h, float), x) @ X
    return X


def chained(parts: Any, q: Array) -> Array:
    X, start = np.eye(4, dtype=np.result_type(np.asarray(q), float)), 0
    for columns, *_ in parts:
        X = pose(columns, q[start : start + len(columns)]) @ X
        start += len(columns)
    return X


def series(columns: Any, speeds: int, q: Array, u: Array, u_dot: Array) -> Array:
    """The pose's series in time where the child's twist is H(u + u̇ s): Ẋ = X P."""
    H = np.array(columns, float)[:speeds].T
    X, P, rate = pose(columns, q), hat(H @ u), hat(H @ u_dot)
    return np.array([X, X @ P, X @ (P @ P + rate) / 2])


def times(A: Array, B: Array) -> Array:
    return np.array([A[0] @ B[0], A[0] @ B[1] + A[1] @ B[0], A[0] @ B[2] + A[1] @ B[1] + A[2] @ B[0]])


def chain_series(parts: Any, q: Array, u: Array, u_dot: Array) -> Array:
    """The series of successive parts."""
    made, i, j = np.array([np.eye(4), np.zeros((4, 4)), np.zeros((4, 4))]), 0, 0
    for columns, speeds, _ in parts:
        own = slice(j, j + speeds)
        made = times(series(columns, speeds, q[i : i + len(columns)], u[own], u_dot[own]), made)
        i, j = i + len(columns), j + speeds
    return made


def polynomial(coefficients: Any, x: Any) -> Any:
    """c₀ + Σ aₖxₖ + Σ bₖxₖ² + e x₀x₁ … of numbers, expressions or other values that can be multiplied."""
    c, a, b, e = coefficients
    total = c + sum(p * v for p, v in zip(a, x, strict=True)) + sum(p * v * v for p, v in zip(b, x, strict=True))
    return total + e * x[0] * x[-1]


def polynomial_series(coefficients: Any, x: Array) -> Array:
    """The same where x[:, k] is the series of coordinate k."""
    c, a, b, e = coefficients

    def product(p: Array, q: Array) -> Array:
        return np.array([p[0] * q[0], p[0] * q[1] + p[1] * q[0], p[0] * q[2] + p[1] * q[1] + p[2] * q[0]])

    n = x.shape[1]
    total = np.array([c, 0.0, 0.0]) + e * product(x[:, 0], x[:, n - 1])
    for k in range(n):
        total = total + a[k] * x[:, k] + b[k] * product(x[:, k], x[:, k])
    return np.asarray(total)


def simple(draw: Any) -> tuple[Any, int, bool]:
    """(columns including the closure, the number of speeds, whether speeds are rates)."""

    def near(*entries: float) -> tuple[float, ...]:
        return tuple(float(x) for x in entries)

    n = draw.number
    match int(draw.rng.integers(11)):
        case 0:
            return (near(*(n() for _ in range(5)), draw.number(0.5, 1)),), 1, True
        case 1:
            order = draw.rng.permutation(3)
            return tuple(near(*E[k]) for k in order), 3, False
        case 2:
            skewed = np.eye(3) + draw.rng.uniform(-0.3, 0.3, (3, 3))
            return tuple(near(*row, 0, 0, 0) for row in skewed), 3, False
        case 3:
            turn, first, second = (0, 0, 1, n(), n(), 0), (0, 0, 0, 1, n() / 2, 0), (0, 0, 0, n() / 2, 1, 0)
            made = [turn, first, second]
            return tuple(near(*made[k]) for k in draw.rng.permutation(3)), 3, False
        case 4:
            return (near(0, 1, 0, n(), n(), n()), near(0, 0, 0, 0, 1, 0)), 2, True
        case 5:
            turns, slides = [0, 1, 2], [3, 4, 5]
            return tuple(near(*E[k]) for k in (turns + slides if draw.chance(0.5) else slides + turns)), 6, False
        case 6:
            return (near(0, 1, 0, 0, 0, 0), near(0, 0, 1, 0, 0, 0), near(1, 0, 0, 0, 0, 0)), 2, False
        case 7:
            return (near(1, 0, 0, 0, 0, 0), near(1, 0, 0, 0, 1, n()), near(1, 0, 0, 0, n() / 3, 1)), 3, False
        case 9:
            centre = (1, *draw.rng.integers(-1, 2, 2))  # of a ball, in the child
            return tuple(near(*e, *np.cross(centre, e)) for e in np.eye(3)), 3, False
        case 10:
            return (near(0, 0, 0, n(), n(), 1),), 1, True
    return (near(0, 0, 1, 0, 0, n()),), 1, True


def compound(draw: Any) -> tuple[Any, ...]:
    """Two or three simple parts with at most four freedoms, none of which are close to parallel."""
    while True:
        parts: list[Any] = []
        while len(parts) < 2 or (len(parts) < 3 and draw.chance(0.4)):
            one = simple(draw)
            if len(one[0]) <= 3 and sum(len(p[0]) for p in parts) + len(one[0]) <= 4:
                parts.append(one)
        count = sum(len(p[0]) for p in parts)
        if all(apart(partial(chained, parts), count, x) for x in (0.0, 0.3, -0.5)):
            return tuple(parts)


def apart(place: Any, count: int, x: float) -> bool:
    """Whether the motions along the coordinates are clearly independent at a point."""
    q, columns = np.full(count, x), []
    for k in range(count):
        step = 1e-30j * np.eye(count)[k]
        moved = np.linalg.solve(place(q), place(q + step).imag / 1e-30)
        columns.append(np.array([moved[2, 1], moved[0, 2], moved[1, 0], *moved[:3, 3]]))
    B = np.array([c / max(np.linalg.norm(c), 1e-9) for c in columns])
    return bool(np.linalg.svd(B, compute_uv=False)[-1] > 0.25)


def custom(draw: Any) -> tuple[Any, Any]:
    """(three polynomials of the position, two of angles) in one or two coordinates."""
    n = 1 if draw.chance(0.5) else 2

    def one() -> Any:
        return draw.number(), tuple(draw.number() for _ in range(n)), tuple(draw.number() / 2 for _ in range(n)), 0.1

    while True:
        position, angles = tuple(one() for _ in range(3)), tuple(one() for _ in range(2))
        place = partial(_led, position, angles)
        if all(apart(place, n, x) and _moves(position, n, x) for x in (0.0, 0.3, -0.5)):
            return position, angles


def _led(position: Any, angles: Any, q: Array) -> Array:
    """A pose by polynomials, turning about x and y."""
    X = np.eye(4, dtype=np.result_type(q, float))
    X[:3, 3] = [polynomial(c, q) for c in position]
    return np.asarray(X @ exp(E[0], polynomial(angles[0], q)) @ exp(E[1], polynomial(angles[1], q)))


def _moves(position: Any, n: int, x: float) -> bool:
    """Whether each coordinate moves the origin noticeably."""
    steps = [np.full(n, x) + 1e-30j * e for e in np.eye(n)]
    return all(np.linalg.norm([polynomial(c, q).imag / 1e-30 for c in position]) > 0.4 for q in steps)
