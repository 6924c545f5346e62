"""Solves with multipliers: the accelerations of constrained systems, dependent rows included, in every backend and in
symbolic form; plans, counts, digests and checks."""

import warnings
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

from freebody.backends import compile
from freebody.errors import ProgramError
from freebody.formulations.solve import solve_symmetric
from freebody.program.assemble import Assembly, program
from freebody.program.check import check
from freebody.program.count import count
from freebody.program.evaluate import evaluate
from freebody.program.ldl import LdlPlan, eliminate, plan
from freebody.program.program import Program, Solve, digest
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from tests.program_cases import branches, constrained

CLOSE = 1e-9
STATES = 17
Array = np.ndarray
Entry = tuple[int, int]


@dataclass(frozen=True)
class Systems:
    """One pattern, and the matrices and right sides of some states, in half of which some rows of G are dependent."""

    n: int
    entries: list[Entry]
    multipliers: tuple[int, ...]
    A: Array
    b: Array
    rank: Array

    @property
    def values(self) -> Array:
        return np.array([[A[i, j] for i, j in self.entries] for A in self.A])

    def expected(self) -> Array:
        """The least norm solutions: their u̇ is the only one."""
        return np.array([np.linalg.lstsq(A, b, rcond=1e-11)[0] for A, b in zip(self.A, self.b, strict=True)])


@cache
def systems(seed: int, n: int, loops: int, dense: bool = False) -> Systems:
    """M of a random tree and loops of two rows over some of its speeds; then a copy of a row, a sum of rows in every
    second state, and a row that is zero in every third."""
    rng = np.random.default_rng(seed)
    parents = [int(rng.integers(-1, k)) if k else -1 for k in range(n)]
    path = [{0}] * n
    for k, parent in enumerate(parents):
        path[k] = {k} | (path[parent] if parent >= 0 else set())
    touched = list[set[int]]()
    for _ in range(loops):
        one, other = rng.choice(n, 2, replace=False)
        speeds = set(range(n)) if dense else (path[one] ^ path[other]) or {int(one)}
        touched += [speeds, speeds]
    touched += [touched[0], touched[0] | touched[-1], set(range(min(3, n)))]
    m = len(touched)
    entries = [(i, j) for i in range(n) for j in range(i + 1) if dense or j in path[i]]
    entries += [(n + k, i) for k, speeds in enumerate(touched) for i in sorted(speeds)]
    A, b, rank = np.zeros((STATES, n + m, n + m)), np.zeros((STATES, n + m)), np.zeros(STATES, int)
    for state in range(STATES):
        G = None
        while G is None or not (well_conditioned(G) and well_conditioned(G[:-3])):
            for i, j in entries:
                A[state, i, j] = A[state, j, i] = rng.uniform(-1, 1)
            G = -A[state, n:, :n]
            G[-3] = 3 * G[0]
            G[-2] = G[0] - 2 * G[-4] if state % 2 else G[-2]
            G[-1] = 0 if state % 3 == 0 else G[-1]
        A[state, :n, :n] += np.diag(np.abs(A[state, :n, :n]).sum(1) + 1)
        A[state, n:, :n], A[state, :n, n:] = -G, -G.T
        b[state] = np.concatenate([rng.uniform(-1, 1, n), -G @ rng.uniform(-1, 1, n)])
        rank[state] = np.linalg.matrix_rank(G)
    return Systems(n, entries, tuple(range(n, n + m)), A, b, rank)


def well_conditioned(G: Array) -> bool:
    """Whether no singular value is small without being zero."""
    values = np.linalg.svd(G, compute_uv=False)
    return bool(np.all((values < 1e-13) | (values > 0.05)))


def symbols(s: Systems) -> tuple[Graph, dict[Entry, int], list[int]]:
    g = Graph()
    return (
        g,
        {e: g.symbol(f"a{e}", Kind.COORDINATE) for e in s.entries},
        [g.symbol(f"b{k}", Kind.INPUT) for k in range(len(s.b[0]))],
    )


def solving(s: Systems) -> Program:
    """A program whose inputs are the entries and the right side."""
    g, entries, b = symbols(s)
    a = Assembly("multipliers", g, {"q": [*entries.values()], "inputs": b})
    a.output("x", a.solve("x", entries, b, s.multipliers))
    return a.program()


def region(p: Program) -> Solve:
    return next(r for r in p.regions if isinstance(r, Solve))


def right(s: Systems, x: Array) -> None:
    """The accelerations are those of the system, every equation holds, as many multipliers are used as G has rank."""
    assert np.max(np.abs(x[:, : s.n] - s.expected()[:, : s.n])) < CLOSE
    assert np.max(np.abs(np.einsum("sij,sj->si", s.A, x) - s.b)) < CLOSE
    assert np.all(np.count_nonzero(x[:, s.n :], axis=1) == s.rank)


SYSTEMS = [
    systems(0, 9, 2),
    systems(1, 14, 3),
    systems(2, 6, 1, dense=True),
    systems(3, 9, 1, dense=True),
    systems(4, 25, 3),
    systems(5, 3, 1),
    systems(6, 100, 3),
]


@pytest.mark.parametrize("s", SYSTEMS, ids=range(len(SYSTEMS)))
def test_every_backend_solves_constrained_systems(s: Systems) -> None:
    p = solving(s)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        references = [evaluate(p, {"q": q, "inputs": b}) for q, b in zip(s.values, s.b, strict=True)]
        reference = np.array([e.values["x"] for e in references])
        right(s, reference)
        bounds = np.array([e.bounds["x"] for e in references])
        assert np.max(bounds) < 1e-6
        for backend in ("numpy", "c", "llvm"):
            f = compile(p, backend)
            single = np.array([f(q, b) for q, b in zip(s.values, s.b, strict=True)])
            right(s, single)
            assert np.all(np.abs(single - reference) <= 4 * bounds)
            assert np.all(np.abs(f(s.values, s.b) - reference) <= 4 * bounds)
        for width in (2, 4, 8):
            assert np.all(np.abs(compile(p, width=width)(s.values, s.b) - reference) <= 4 * bounds)


@pytest.mark.parametrize("band", [1, 20])
def test_multipliers_alone_are_solved_by_every_backend(band: int) -> None:
    """−G M⁻¹ Gᵀ λ = b, whose rows depend on each other: a sparse matrix and a full one."""
    n, rng = 12, np.random.default_rng(band)
    G = rng.uniform(-1, 1, (n, 3 * n))
    for k in range(n):
        G[k, : 3 * k] = G[k, 3 * (k + band) + 1 :] = 0
    G[7], G[4] = 2 * G[6], 0
    A = -G @ G.T
    entries = [(i, j) for i in range(n) for j in range(i + 1) if A[i, j] or i == j]
    g = Graph()
    nodes = [g.symbol(f"a{e}", Kind.COORDINATE) for e in entries]
    right = [g.symbol(f"b{k}", Kind.INPUT) for k in range(n)]
    a = Assembly("alone", g, {"q": nodes, "inputs": right})
    a.output("x", a.solve("x", dict(zip(entries, nodes, strict=True)), right, range(n)))
    p, values, b = a.program(), np.array([A[e] for e in entries]), A @ rng.uniform(-1, 1, n)
    assert region(p).plan.dense == (band == 20)
    reference = evaluate(p, {"q": values, "inputs": b}).values["x"]
    assert np.max(np.abs(A @ reference - b)) < CLOSE and np.count_nonzero(reference) == n - 2
    for backend in ("numpy", "c", "llvm"):
        f = compile(p, backend)
        assert np.max(np.abs(f(values, b) - reference)) < CLOSE
        assert np.max(np.abs(f(np.tile(values, (5, 1)), np.tile(b, (5, 1))) - reference)) < CLOSE


@pytest.mark.parametrize("s", SYSTEMS[:3], ids=range(3))
def test_symbolic_solutions_agree(s: Systems) -> None:
    g, entries, b = symbols(s)
    x = solve_symmetric(g, entries, b, s.multipliers)
    p = program("symbolic", g, {"q": [*entries.values()], "inputs": b}, {"x": x})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        right(s, np.array([evaluate(p, {"q": q, "inputs": b}).values["x"] for q, b in zip(s.values, s.b, strict=True)]))
        for backend in ("numpy", "llvm"):
            right(s, compile(p, backend)(s.values, s.b))


@pytest.mark.parametrize("backend", ["evaluator", "numpy", "c", "llvm"])
def test_nan_is_not_taken_for_a_dependent_row(backend: str) -> None:
    s = SYSTEMS[2]
    p = solving(s)
    f = compile(p, backend) if backend != "evaluator" else lambda q, b: evaluate(p, {"q": q, "inputs": b}).values["x"]
    for k in range(len(s.entries)):
        q = s.values[1].copy()
        q[k] = np.nan
        assert np.all(np.isnan(f(q, s.b[1])[: s.n])), s.entries[k]


def test_both_ways_are_covered() -> None:
    plans = [region(solving(s)).plan for s in SYSTEMS]
    assert {p.dense for p in plans} == {True, False}
    assert any(speeds_follow(p) for p in plans) and any(shared(p) for p in plans if not p.dense)


def speeds_follow(p: LdlPlan) -> bool:
    """Whether some speed is eliminated after a multiplier."""
    first = min(k for k, unknown in enumerate(p.order) if unknown in p.multipliers)
    return any(unknown not in p.multipliers for unknown in p.order[first:])


def shared(p: LdlPlan) -> bool:
    """Whether some multiplier's pivot depends on another multiplier."""
    known = {k for k, unknown in enumerate(p.order) if unknown in p.multipliers}
    return any(known & set(p.columns[k]) for k in known)


# Plans, counts, digests


@pytest.mark.parametrize("s", SYSTEMS, ids=range(len(SYSTEMS)))
def test_multipliers_follow_their_speeds(s: Systems) -> None:
    p = region(solving(s)).plan
    rank = {unknown: k for k, unknown in enumerate(p.order)}
    assert sorted(p.order) == list(range(len(s.b[0])))
    assert all(rank[i] > rank[j] for i, j in s.entries if i in s.multipliers)


def test_multipliers_of_a_loop_stand_between_the_speeds() -> None:
    """A loop at the end of each of three branches: its multiplier follows its speeds, and little is filled in."""
    n = 30
    pattern, rows = branches(n), [(n + k, n - 1 - k - 3 * j) for k in range(3) for j in range(2)]
    p = plan(n + 3, pattern + rows, range(n, n + 3))
    assert p.entries <= len(pattern) + len(rows) + 3 + 2
    assert all((n + k, p.order[p.order.index(n + k) - 1]) in rows for k in range(3))
    last = eliminate((*range(n - 1, -1, -1), *range(n, n + 3)), pattern + rows, p.multipliers)
    assert p.entries < last.entries and sum(p.operations(1).values()) < sum(last.operations(1).values())


def test_counts_include_the_guards() -> None:
    for s in SYSTEMS:
        p = solving(s)
        solve = region(p).plan
        bare = replace(solve, multipliers=frozenset()).operations(1)
        m, c = len(s.multipliers), count(p)
        assert {"mul": c.mul, "add": c.add, "div": c.div} == solve.operations(1)
        assert (c.mul - bare["mul"], c.add - bare["add"], c.div) == (m, 0 if solve.dense else m, bare["div"])


def test_digests_depend_on_multipliers() -> None:
    p = constrained("digest", 3, [(1, 0), (2, 1)], [[0, 2]]).program
    without = replace(p, regions=tuple(replace(r, multipliers=()) if isinstance(r, Solve) else r for r in p.regions))
    fewer = replace(p, regions=tuple(replace(r, multipliers=(3,)) if isinstance(r, Solve) else r for r in p.regions))
    assert len({digest(p), digest(without), digest(fewer)}) == 3


# Checks


@pytest.mark.parametrize(
    ("more", "multipliers", "message"),
    [
        ([(2, 2)], (2,), "solve 'x': the row of multiplier 2 has a diagonal entry: remove it, or the multiplier"),
        ([(3, 0), (3, 2)], (2, 3), "solve 'x': multipliers 3 and 2 share an entry; their rows hold speeds only"),
        ([], (2, 3), "solve 'x': the row of multiplier 3 is empty, nothing determines it: remove it"),
        ([], (2, 4), r"solve 'x' needs distinct multipliers below 4, not \(2, 4\)"),
        ([(3, 0)], (2, 3, 3), r"solve 'x' needs distinct multipliers below 4, not \(2, 3, 3\)"),
        ([(3, 0)], (2,), "solve 'x' has a zero on its diagonal, row 3"),
    ],
)
def test_rows_of_multipliers_are_checked(more: list[Entry], multipliers: tuple[int, ...], message: str) -> None:
    g = Graph()
    b = [g.symbol(f"b{k}", Kind.INPUT) for k in range(4 if more != [(2, 2)] else 3)]
    a = Assembly("wrong", g, {"inputs": b})
    a.output("x", a.solve("x", dict.fromkeys([(0, 0), (1, 1), (2, 0), (2, 1), *more], g.one), b, multipliers))
    with pytest.raises(ProgramError, match=message):
        check(a.program())
