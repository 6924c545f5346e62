"""The spatial algebra compared with 6 × 6 matrices of NumPy, for a batch of states and in a graph."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from freebody.errors import FrameError
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import values
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import ArticulatedInertia, Mobility, RigidInertia
from freebody.spatial.resolved import Transform, Twist, Vec, Wrench
from freebody.spatial.scalars import Scalars
from tests.mechanisms.numpy_scalars import NumpyScalars

CLOSE = 1e-14
N = 5
"""States of a batch."""

Array = np.ndarray
RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(size=(60, N))
ORIENTATION = (lambda Q: Q * np.linalg.det(Q))(np.linalg.qr(RNG.normal(size=(3, 3)))[0])


def skew(v: Array) -> Array:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


class Case:
    """A frame in another by a turn about an axis, a general orientation and a second turn, with values drawn from
    ``NUMBERS`` through ``made``."""

    def __init__(self, S: Scalars, made: Callable[[int], Any]) -> None:
        self.S, self._next = S, iter(range(60))
        self.made = made
        self.base = Frame("base", S)
        first = self.base.turned("first", 0, self.draw())
        oriented = first.oriented("oriented", [[S.const(float(x)) for x in row] for row in ORIENTATION])
        self.tip = Frame("tip", S, oriented.turned("second", 2, self.draw()))
        self.X = Transform(self.base, self.tip, Vec(self.base, self.drawn(3)))
        self.V, self.F = Twist(self.base, self.drawn(6)), Wrench(self.tip, self.drawn(6))
        self.A, self.W = Twist(self.tip, self.drawn(6)), Wrench(self.base, self.drawn(6))
        h, second = self.drawn(3), self.drawn(6)
        self.I = RigidInertia.of(self.tip, self.draw(), (h[0], h[1], h[2]), second)  # type: ignore[arg-type]
        self.P = ArticulatedInertia(self.tip, self.drawn(21))
        self.Y = Mobility(self.base, self.P.c)

    def draw(self) -> Any:
        return self.made(next(self._next))

    def drawn(self, count: int) -> tuple[Any, ...]:
        return tuple(self.draw() for _ in range(count))

    def results(self) -> dict[str, tuple[Any, ...]]:
        out, back = self.V.out(self.X), self.F.back(self.X)
        return {
            "duality": (out.dot(self.F), self.V.dot(back)),
            "out": out.c,
            "back": back.c,
            "rigid": self.I.apply(self.A).c,
            "by trace": self.I.apply(self.A, by_trace=True).c,
            "moved": self.I.back(self.X).apply(self.V).c,
            "soft": self.P.back(self.X).apply(self.V).c,
            "as rigid": self.I.articulated().back(self.X).apply(self.V).c,
            "articulated": self.P.apply(self.A).c,
            "mobility": tuple(self.Y.out(self.X).entry(i, j) for i in range(6) for j in range(6)),
            "bracket": self.V.cross(Twist(self.base, self.W.c)).c,
            "dual": self.V.cross_dual(self.W).c,
        }


def graph() -> tuple[Case, list[dict[int, float]]]:
    g = Graph()
    symbols = [g.symbol(f"x{k}", Kind.COORDINATE) for k in range(60)]
    return Case(g, lambda k: symbols[k]), [dict(zip(symbols, NUMBERS[:, n].tolist(), strict=True)) for n in range(N)]


@pytest.fixture(scope="module")
def rows() -> dict[str, Array]:
    case = Case(NumpyScalars(), lambda k: NUMBERS[k])
    return {name: np.array([np.broadcast_to(x, N) for x in found]) for name, found in case.results().items()}


@pytest.fixture(scope="module")
def expected() -> list[dict[str, Array]]:
    """The results of NumPy at each state."""
    return [_expected(NUMBERS[:, n]) for n in range(N)]


def _expected(x: Array) -> dict[str, Array]:
    a, b, p = x[0], x[1], x[2:5]
    V, F, A, W, h, second, m, soft = np.split(x[5:60], np.cumsum([6, 6, 6, 6, 3, 6, 1]))[:8]
    R1 = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    R2 = np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]])
    R = R1 @ ORIENTATION @ R2
    phi = np.block([[R, skew(p) @ R], [np.zeros((3, 3)), R]])
    S = np.array([second[[0, 3, 4]], second[[3, 1, 5]], second[[4, 5, 2]]])
    J = np.trace(S) * np.eye(3) - S
    I = np.block([[J, skew(h)], [skew(h).T, m * np.eye(3)]])
    full = [np.array([s[[0, 3, 4]], s[[3, 1, 5]], s[[4, 5, 2]]]) for s in (soft[:6], soft[15:21])]
    H = soft[6:15].reshape(3, 3)
    P = np.block([[full[0], H], [H.T, full[1]]])
    Y = np.block([[full[1], H.T], [H, full[0]]])
    bracket = np.block([[skew(V[:3]), np.zeros((3, 3))], [skew(V[3:]), skew(V[:3])]])
    return {
        "duality": np.full(2, V @ phi @ F),
        "out": phi.T @ V,
        "back": phi @ F,
        "rigid": I @ A,
        "by trace": I @ A,
        "moved": phi @ I @ phi.T @ V,
        "as rigid": phi @ I @ phi.T @ V,
        "soft": phi @ P @ phi.T @ V,
        "articulated": P @ A,
        "mobility": (phi.T @ Y @ phi).ravel(),
        "bracket": bracket @ W,
        "dual": -bracket.T @ W,
    }


def near(a: Array, b: Array) -> bool:
    return bool(np.max(np.abs(a - b)) <= CLOSE * 10 * max(1.0, np.max(np.abs(b))))


def test_rows_agree_with_matrices(rows: dict[str, Array], expected: list[dict[str, Array]]) -> None:
    wrong = [(n, name) for n, one in enumerate(expected) for name, x in one.items() if not near(rows[name][:, n], x)]
    assert not wrong


def test_graphs_agree_with_rows(rows: dict[str, Array]) -> None:
    case, states = graph()
    for name, nodes in case.results().items():
        found = np.array([values(case.S, list(nodes), state) for state in states], float).T  # type: ignore[arg-type]
        assert near(found, rows[name]), name


def test_frames_are_not_mixed() -> None:
    case, _ = graph()
    other = Frame("other", case.S, case.tip)  # parallel axes at another origin
    elsewhere = Transform(case.base, other, Vec.zero(case.base))
    for wrong in (
        lambda: case.V + case.A,
        lambda: case.V.dot(case.F),
        lambda: case.F.back(elsewhere),
        lambda: case.I.apply(case.V),
        lambda: case.V.angular.cross(case.F.angular),
        lambda: case.P.back(case.X) + case.P,
        lambda: Twist.of(case.V.angular, case.F.linear),
    ):
        with pytest.raises(FrameError, match=r"is in frame '.*', but one in '.*' is needed"):
            wrong()


def test_parallel_axes_cost_nothing() -> None:
    """A frame with another origin and its parent's axes needs no operation and shares the unit vectors."""
    case, _ = graph()
    other = Frame("other", case.S, case.tip)
    assert Vec(case.tip, case.F.c[:3]).in_(other).c == case.F.c[:3]
    assert other.basis == case.tip.basis
    assert not other.route(case.tip)


def test_rows_keep_known_zeros() -> None:
    """A value that is 0 in all states by construction stays known; a row that happens to contain zeros is not."""
    S, row = NumpyScalars(), np.zeros(N)
    assert S.vanishes(S.mul(0.0, row)) and S.vanishes(S.sub(0.0, 0.0)) and S.vanishes(S.sin(0.0))
    assert not S.vanishes(row) and S.same(row, row) and not S.same(row, np.zeros(N))
    assert S.mul(1.0, row) is row and S.add(row, 0.0) is row
