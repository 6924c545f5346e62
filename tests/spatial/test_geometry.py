"""Vectors and dyadics without bases: native form, projection, and products that are exactly 0 or 1."""

import math

import numpy as np
import pytest

from freebody.errors import ExpressionError, GraphError
from freebody.program import evaluate, program
from freebody.scalar import Expr, Graph, Kind
from freebody.scalar.graph import Graph as _Graph
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Dyadic, Vector, components, dot, dyadic, vector


def make() -> tuple[_Graph, list[int], list[int]]:
    g = Graph()
    q = [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(1, 7)]
    u = [g.symbol(f"u{k}", Kind.SPEED) for k in range(1, 7)]
    return g, q, u


def axis(frame: Frame, k: int) -> Vector:
    g = frame.graph
    return vector(frame, [g.one if i == k else g.zero for i in range(3)])


def value(g: _Graph, nodes: list[int], q: np.ndarray) -> np.ndarray:
    symbols = [h for h in g.symbols if h.kind is Kind.COORDINATE]
    handles = [h for s in symbols if (h := g.named(s.name)) is not None]
    speeds = [h for s in g.symbols if s.kind is Kind.SPEED and (h := g.named(s.name)) is not None]
    given = {"q": np.resize(q, len(handles)), "u": np.arange(1.0, 1.0 + len(speeds))}
    return evaluate(program("v", g, {"q": handles, "u": speeds}, {"v": nodes}), given).values["v"]


def turn(k: int, a: float) -> np.ndarray:
    R = np.eye(3)
    i, j = (k + 1) % 3, (k + 2) % 3
    R[i, i] = R[j, j] = math.cos(a)
    R[i, j], R[j, i] = -math.sin(a), math.sin(a)
    return R


def test_equation_8_of_sayers() -> None:
    """ω = u1 n1 + u2 a2 in three bases, with a1 = n1 and b2 = a2."""
    g, q, u = make()
    N = Frame("n", g)
    A = N.turned("a", 0, q[0])
    B = A.turned("b", 1, q[1])
    w = axis(N, 0) * Expr(g, u[0]) + axis(A, 1) * Expr(g, u[1])
    assert repr(w) == "u1·n1 + u2·a2"
    assert repr(w.within(N)) == "u1·n1 + u2*cos(q1)·n2 + u2*sin(q1)·n3"
    assert w.within(A) == w
    assert repr(w.within(B)) == "u1*cos(q2)·b1 + u2·a2 + u1*sin(q2)·b3"


def test_shared_unit_vectors_give_exact_products() -> None:
    g, q, _ = make()
    B = Frame("b", g)
    C = B.turned("c", 2, q[0])
    D = C.turned("d", 0, q[1])
    assert B.basis[2][1] is C.basis[2][1] and C.basis[0][1] is D.basis[0][1]
    assert dot(axis(B, 2), axis(C, 2)) == g.one
    assert dot(axis(B, 2), axis(C, 0)) == g.zero
    assert dot(axis(B, 2), axis(D, 0)) == g.zero
    assert dot(axis(C, 0), axis(D, 0)) == g.one
    assert repr(axis(B, 2).cross(axis(C, 0))) == "c2"
    assert not axis(B, 2).cross(axis(C, 2))


def test_permuted_frames_share_all_their_axes() -> None:
    g, _, _ = make()
    N = Frame("n", g)
    P = N.oriented("p", [[g.zero, g.zero, g.one], [g.one, g.zero, g.zero], [g.zero, g.one, g.zero]])
    assert [unit.frame.name for _, unit in P.basis] == ["n"] * 3
    F = N.oriented("f", [[g.one, g.zero, g.zero], [g.zero, g.const(-1), g.zero], [g.zero, g.zero, g.const(-1)]])
    assert [sign for sign, _ in F.basis] == [1, -1, -1]
    assert dot(axis(F, 1), axis(N, 1)) == g.const(-1)


@pytest.mark.parametrize("seed", range(12))
def test_products_agree_with_matrices(seed: int) -> None:
    """Dot and cross products and components of vectors in random trees of frames match rotation matrices."""
    rng = np.random.default_rng(seed)
    g, q, _ = make()
    frames, R = [Frame("f0", g)], [np.eye(3)]
    angles = rng.uniform(-3, 3, 6)
    for k in range(1, 7):
        parent, a = int(rng.integers(len(frames))), int(rng.integers(3))
        frames.append(frames[parent].turned(f"f{k}", a, q[k - 1]))
        R.append(R[parent] @ turn(a, angles[k - 1]))

    def random_vector() -> tuple[Vector, np.ndarray]:
        total, numbers = Vector(g, {}), np.zeros(3)
        for _ in range(3):
            i, xyz = int(rng.integers(7)), rng.normal(size=3)
            total = total + vector(frames[i], [g.const(float(x)) for x in xyz])
            numbers = numbers + R[i] @ xyz
        return total, numbers

    (a, na), (b, nb), k = random_vector(), random_vector(), int(rng.integers(7))
    assert np.allclose(value(g, [dot(a, b)], angles), na @ nb, atol=1e-12)
    crossed = components(a.cross(b), frames[k])
    assert np.allclose(value(g, list(crossed), angles), R[k].T @ np.cross(na, nb), atol=1e-12)
    assert np.allclose(value(g, list(components(a, frames[k])), angles), R[k].T @ na, atol=1e-12)


def test_projection_by_a_basis_dyadic_changes_only_the_representation() -> None:
    g, q, u = make()
    N = Frame("n", g)
    B = N.turned("a", 0, q[0]).turned("b", 1, q[1])
    w = vector(N, u[:3])
    basis = dyadic(B, [[g.one if i == j else g.zero for j in range(3)] for i in range(3)])  # b1b1 + b2b2 + b3b3 (Eq 6)
    projected = basis.dot(w)
    assert set(projected.parts) == set(w.within(B).parts)
    found = [value(g, list(components(v, N)), np.array([0.3, 0.7])) for v in (projected, w)]
    assert np.allclose(found[0], found[1])


def test_dyadics_rotate_like_matrices() -> None:
    g, q, _ = make()
    rng = np.random.default_rng(1)
    N = Frame("n", g)
    B = N.turned("a", 0, q[0]).turned("b", 2, q[1])
    J = rng.normal(size=(3, 3))
    made = dyadic(B, [[g.const(float(x)) for x in row] for row in J])
    R = turn(0, 0.3) @ turn(2, 0.7)
    found = value(g, [x for row in made.resolve(N) for x in row], np.array([0.3, 0.7])).reshape(3, 3)
    assert np.allclose(found, R @ J @ R.T)
    w = vector(B, [g.const(1), g.const(2), g.const(3)])
    assert np.allclose(value(g, list(components(made.dot(w), B)), np.zeros(6)), J @ [1, 2, 3])
    assert made == Dyadic(g, made.parts) and made.within(B) == made


def test_wrong_operands_are_refused() -> None:
    g, _, _ = make()
    a, b = axis(Frame("a", g), 0), axis(Frame("b", Graph()), 0)
    with pytest.raises(GraphError, match="belong to different systems"):
        a + b
    with pytest.raises(ExpressionError, match="a vector is needed on both sides"):
        a.dot(3)  # type: ignore[arg-type]
    with pytest.raises(ExpressionError, match="a vector can be multiplied by a scalar only"):
        a * a  # type: ignore[operator]
    with pytest.raises(ExpressionError, match="no finite value"):
        a / 0
    with pytest.raises(ExpressionError, match="a dyadic is needed on both sides"):
        a.outer(a) + a  # type: ignore[operator]
    with pytest.raises(GraphError, match="belong to different systems"):
        a.outer(a) + b.outer(b)
    assert sum([a.outer(a), a.outer(a)]) == a.outer(a) * 2
    with pytest.raises(GraphError, match="have no common root"):
        dot(a, axis(Frame("c", g), 0))
