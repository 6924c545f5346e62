"""The graph of a system: the matrices printed by Mufti (1983, Eqs 1, 25), and identities 18–27 and 62 on random trees,
with the corrections of misprints: −Cᵀ in Eq 18, E = T₁ᵀ (T₁ M T₁ᵀ)⁻¹ T₁."""

from collections.abc import Sequence

import numpy as np
import pytest

import freebody as fb
from freebody.papers.topology import Arc, Topology

SEEDS = range(6)


def report(arcs: Sequence[tuple[int, int]], cuts: Sequence[tuple[int, int]] = ()) -> Topology:
    """The graph of a system of the report: bodies b1 … b6 on ball-and-socket joints, joined by the arcs and closed by
    the cut hinges. Bodies are described in the order of the arcs; the body at the end of arc k names its joint."""
    s, solid = fb.System("report"), {"mass": 1, "inertia": (1, 1, 1)}
    s.body("b1", joint=fb.Free(), **solid)
    for i, j in arcs:
        s.body(f"b{j}", on=f"b{i}", at=(1, 0, 0), joint=fb.Spherical(), **solid)
    for k, (i, j) in enumerate(cuts):
        s.close(s.bodies[f"b{i}"].point((0, 1, 0)), s.bodies[f"b{j}"], fb.Spherical(), name=f"h{6 + k}")
    return s.topology()


def by_label(graph: Topology, matrix: np.ndarray) -> list[list[int]]:
    """The rows of b1 … b6."""
    return [matrix[graph.bodies.index(f"b{k}")].tolist() for k in range(1, 7)]


REGULAR = (1, 2), (1, 3), (2, 4), (2, 5), (2, 6)
ARBITRARY = (1, 5), (1, 4), (4, 6), (4, 2), (4, 3)


@pytest.mark.paper("001", "2")
def test_incidence_matrices_of_the_report() -> None:
    """Eq 1, of Figs 3a and 3b."""
    C_a = [[1, 1, 0, 0, 0], [-1, 0, 1, 1, 1], [0, -1, 0, 0, 0], [0, 0, -1, 0, 0], [0, 0, 0, -1, 0], [0, 0, 0, 0, -1]]
    C_b = [[1, 1, 0, 0, 0], [0, 0, 0, -1, 0], [0, 0, 0, 0, -1], [0, -1, 1, 1, 1], [-1, 0, 0, 0, 0], [0, 0, -1, 0, 0]]
    for arcs, expected in ((REGULAR, C_a), (ARBITRARY, C_b)):
        graph = report(arcs)
        assert by_label(graph, graph.incidence) == expected


@pytest.mark.paper("001", "4")
def test_signs_of_hinges_of_the_report() -> None:
    """Of Fig 3a 5+ = 2 and 5- = 6: an arc is positive at its initial vertex; h0 ends at the root."""
    graph = report(REGULAR)
    assert (graph.joints[5].start, graph.joints[5].end) == ("b2", "b6")
    assert graph.S[:, 5].tolist() == [0, 1, 0, 0, 0, -1] and graph.S[:, 0].tolist() == [-1, 0, 0, 0, 0, 0]


@pytest.mark.paper("001", "3")
def test_path_matrix_of_the_report() -> None:
    """Eq 25."""
    T = [
        [-1, -1, -1, -1, -1, -1],
        [0, -1, 0, -1, -1, -1],
        [0, 0, -1, 0, 0, 0],
        [0, 0, 0, -1, 0, 0],
        [0, 0, 0, 0, -1, 0],
        [0, 0, 0, 0, 0, -1],
    ]
    graph = report(REGULAR)
    assert graph.path.tolist() == T
    assert graph.T1.tolist() == T[:1]
    assert graph.T2.tolist() == T[1:]


@pytest.mark.paper("001", "1")
def test_regular_labels_of_the_report() -> None:
    """The arbitrary labels of Fig 3b: 2, 3, 5 and 6 are peripheral, then 4, then the root."""
    arbitrary, regular = report(ARBITRARY), report(REGULAR)
    assert arbitrary.labels["b1"] == 1 and arbitrary.labels["b4"] == 2
    assert sorted(arbitrary.labels[f"b{k}"] for k in (2, 3, 5, 6)) == [3, 4, 5, 6]
    assert np.array_equal(arbitrary.regular.S, regular.S)
    assert regular.labels == {f"b{k}": k for k in range(1, 7)} and regular.regular == regular


@pytest.mark.paper("001", "24")
def test_closed_chains_of_the_report() -> None:
    """Fig 6: hinges between bodies 1 and 5, and 4 and 6 are cut. C_c = (C, C*) is 6 × 7, of rank 5."""
    graph = report(REGULAR, ((1, 5), (4, 6)))
    C_c = np.hstack([graph.incidence, graph.cut_incidence])
    assert C_c.shape == (6, 7) and np.linalg.matrix_rank(C_c) == 5
    assert graph.cut_incidence.T.tolist() == [[1, 0, 0, 0, -1, 0], [0, 0, 0, 1, 0, -1]]
    hinges = [{graph.joints[k].end for k in np.flatnonzero(column)} for column in graph.loops.T]
    assert hinges == [{"b2", "b5"}, {"b4", "b6"}]


def drawn(seed: int, trees: int = 1) -> tuple[Topology, np.random.Generator]:
    """A random tree whose bodies and joints are in random order, with as many cuts as bodies."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(trees + 1, 12))
    parents = ["ground"] * trees + [f"b{rng.integers(k)}" for k in range(trees, n)]
    joints = [Arc(f"h{k}", parent, f"b{k}") for k, parent in enumerate(parents)]
    bodies = [str(b) for b in rng.permutation([f"b{k}" for k in range(n)])]
    pairs = [rng.choice(["ground", *bodies], 2, replace=False) for _ in range(n)]
    cuts = tuple(Arc(f"c{k}", str(a), str(b)) for k, (a, b) in enumerate(pairs))
    return Topology(tuple(bodies), tuple(joints[k] for k in rng.permutation(n)), cuts), rng


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("trees", [1, 3])
def test_path_matrix_is_the_inverse_of_the_incidence_matrix(trees: int, seed: int) -> None:
    """Eqs 22–24, and rank C = n − 1 for one tree."""
    graph, _ = drawn(seed, trees)
    C, n = graph.incidence, len(graph.bodies)
    assert np.array_equal(graph.path @ graph.S, np.eye(n)) and np.array_equal(graph.S @ graph.path, np.eye(n))
    assert not (graph.T1 @ C).any() and np.array_equal(graph.T2 @ C, np.eye(n - trees))
    assert np.linalg.matrix_rank(C) == n - trees
    assert np.array_equal(graph.T1.sum(axis=0), -np.ones(n))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("trees", [1, 3])
def test_regular_labels_make_matrices_triangular(trees: int, seed: int) -> None:
    graph, _ = drawn(seed, trees)
    regular = graph.regular
    assert set(regular.labels.values()) == set(range(1, len(graph.bodies) + 1))
    for matrix in (regular.S, regular.path):
        assert not np.tril(matrix, -1).any() and np.array_equal(np.diag(matrix), -np.ones(len(graph.bodies)))


@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_of_the_lagrangian_matrix_in_both_forms(seed: int) -> None:
    """Eqs 17–21, 26, 27: [M −C; −Cᵀ 0]⁻¹ by A and B, and by T₁ and T₂."""
    graph, rng = drawn(seed)
    C, T1, T2, n = graph.incidence, graph.T1, graph.T2, len(graph.bodies)
    M = np.diag(rng.uniform(0.1, 5, n))
    m, ones, none = M.trace(), np.ones((n, 1)), np.zeros((n - 1, n - 1))
    inverse = np.linalg.inv(np.block([[M, -C], [-C.T, none]]))
    A = np.linalg.inv(C.T @ np.linalg.inv(M) @ C)
    B, MI = A @ C.T @ np.linalg.inv(M), np.linalg.inv(M)
    E = T1.T @ np.linalg.inv(T1 @ M @ T1.T) @ T1
    first = np.block([[MI - MI @ C @ B, -MI @ C @ A], [-B, -A]])
    second = np.block([[E, E @ M @ T2.T - T2.T], [T2 @ M @ E - T2, T2 @ M @ E @ M @ T2.T - T2 @ M @ T2.T]])
    mu = np.eye(n) - M @ ones @ ones.T / m
    for one, other in (
        (first, inverse),
        (second, inverse),
        (T2 - T2 @ M @ E, B),
        (ones @ ones.T / m, E),
        (T2 @ mu, B),
        (T2 @ M @ mu.T @ T2.T, A),
        (mu @ M @ mu.T, M @ mu.T),
        (B @ M @ B.T, A),
    ):
        np.testing.assert_allclose(one, other, atol=1e-12 * max(1, np.abs(other).max()))


@pytest.mark.parametrize("seed", SEEDS)
def test_attached_trees_have_the_path_matrix_in_place_of_b(seed: int) -> None:
    """Remark 3: with S in place of C, B = T and A = T M Tᵀ."""
    graph, rng = drawn(seed, 2)
    S, T, n = graph.S, graph.path, len(graph.bodies)
    M = np.diag(rng.uniform(0.1, 5, n))
    A = np.linalg.inv(S.T @ np.linalg.inv(M) @ S)
    np.testing.assert_allclose(A, T @ M @ T.T, atol=1e-12 * np.abs(A).max())
    np.testing.assert_allclose(A @ S.T @ np.linalg.inv(M), T, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_cuts_do_not_raise_the_rank_and_close_loops(seed: int) -> None:
    """Eq 62; a column of T C* has the joints of one loop: with S it gives the cut again."""
    graph, _ = drawn(seed, 2)
    whole = np.hstack([graph.S, graph.cut_incidence])
    assert np.linalg.matrix_rank(whole) == len(graph.bodies)
    assert np.array_equal(graph.S @ graph.loops, graph.cut_incidence) and set(np.unique(graph.loops)) <= {-1, 0, 1}


def test_topology_of_a_system() -> None:
    s = fb.System("four-bar")
    crank = s.body("crank", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    coupler = s.body("coupler", on=crank, at=(1, 0, 0), joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    rocker = s.body("rocker", at=(2, 0, 0), joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    s.close(coupler.point((2, 0, 0)), rocker.point((0, 1, 0)), fb.Revolute("z"), name="pin")
    s.constrain("u.crank - 1", name="drive")
    graph = s.topology()
    assert graph.bodies == ("crank", "coupler", "rocker") and graph.joints[1] == Arc("coupler", "crank", "coupler")
    assert graph.cuts == (Arc("pin", "coupler", "rocker"),)
    assert graph.cut_incidence.tolist() == [[0], [1], [-1]] and graph.loops.tolist() == [[-1], [-1], [1]]
    assert graph.labels == {"crank": 1, "coupler": 2, "rocker": 3}
    assert graph.T1.tolist() == [[-1, -1, 0], [0, 0, -1]] and graph.T2.tolist() == [[0, -1, 0]]
