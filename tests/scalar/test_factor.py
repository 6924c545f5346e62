"""Factoring: never more operations, the same values up to rounding; what each divisor and opening is there for."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from examples import satellite
from examples.robots import panda, ur5
from freebody.errors import ExpressionError
from freebody.formulations.kane import derive
from freebody.formulations.recursive import Recursive
from freebody.formulations.solve import operations, solved
from freebody.kinematics.motion import move
from freebody.model.system import System
from freebody.scalar import digest, evaluate, ops, parse, program, walk
from freebody.scalar.expand import read
from freebody.scalar.factor import Search, cost, factored
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.topology.forest import span
from tests.mechanics import build as trees_built
from tests.mechanics.trees import tree
from tests.scalar.expressions import build, recipe

SLACK = 64  # bounds count roundings; numbers joined beforehand, and ratios that agree in 15 digits, make a few more
CLOSE = 1e-12  # relative to the largest output
DEEP = 5_000
NUMBERS = (0, 1, -1, 2, 2.0, -3, 0.1, -0.7, 12, 1e-3, 1e5, Fraction(1, 2), Fraction(-2, 7), 1e200, 1e-250)
PLAIN = [ops.ADD, ops.SUB, ops.MUL] * 6 + [ops.NEG, ops.DIV, ops.SIN, ops.COS, ops.SQRT]
CODES = PLAIN + [o.code for o in ops.OPS if o.code not in (ops.SYMBOL, ops.CALL)]
KINDS = {**dict.fromkeys("abcdfghlxyz", Kind.COORDINATE), "u": Kind.SPEED, **dict.fromkeys("pqr", Kind.PARAMETER)}


# Laws on random expressions


def finite(g: Graph, handle: int) -> bool:
    try:
        walk.require_finite(g, [handle])
    except ExpressionError:
        return False
    return True


def judged(g: Graph, before: list[int], after: list[int], rng: Random) -> int:
    """How many roots had values that could be compared; each is within the rounding errors of both."""
    symbols = walk.symbols_of(g, [*before, *after])
    found = evaluate(program("both", g, {"in": symbols}, {"before": before, "after": after}),
                     {"in": [rng.uniform(-2, 2) for _ in symbols]})  # fmt: skip
    (a, b), (da, db) = ((part["before"], part["after"]) for part in (found.values, found.bounds))
    sure = np.isfinite(a) & np.isfinite(da) & (da <= 1e-6 * (1 + np.abs(a)))
    assert np.all(np.abs(a[sure] - b[sure]) <= SLACK * (da + db)[sure])
    return int(sure.sum())


@pytest.mark.parametrize("codes", [PLAIN, CODES], ids=["sums and products", "everything"])
def test_random_expressions_keep_their_values_and_never_cost_more(codes: list[int]) -> None:
    compared = saved = 0
    for seed in range(150):
        rng, g = Random(seed), Graph()
        handles = [h for h in build(g, recipe(rng, 60, NUMBERS, codes)) if finite(g, h)]
        roots = handles[-1:] if seed % 3 == 0 else rng.choices(handles, k=1 + seed % 7)
        before = operations(g, roots)
        new = factored(g, roots, work=3000)
        assert operations(g, new) <= before
        saved += before - operations(g, new)
        compared += sum(judged(g, roots, new, rng) for _ in range(3))
    assert compared > 400 and saved > 20


def test_sums_of_products_of_few_symbols_become_shorter() -> None:
    """Many shared factors and terms: here opening, pulling out and undoing are busy."""
    saved = []
    for seed in range(8):
        rng, g = Random(seed), Graph()
        known = [g.symbol(n, KINDS[n]) for n in "abcdpq"] + [g.const(k) for k in (2, 0.3, 7)]
        for _ in range(60):
            x, y, z = rng.choices(known[-20:], k=3)
            known.append(rng.choice((g.add, g.sub))(g.mul(x, y), z))
        roots = known[-6:]
        new = factored(g, roots, work=20_000)
        saved.append(operations(g, roots) - operations(g, new))
        assert judged(g, roots, new, rng)
    assert min(saved) >= 0 and sum(s > 0 for s in saved) >= 5


def test_the_cost_is_that_of_the_formulations() -> None:
    g, roots = robot_by_kane(ur5.system())
    assert cost(g, roots) == operations(g, roots)


# What it finds


def graph_of(texts: str) -> tuple[Graph, list[int]]:
    g = Graph()
    names = {n: g.symbol(n, k) for n, k in KINDS.items()}
    return g, [parse(g, text, names) for text in texts.split(";")]


@pytest.mark.parametrize(("texts", "before", "after"), [
    ("x*a + x*b", 3, 2),
    ("x*a - b*x + c*x", 5, 3),
    ("x*a + x*b + y*a + y*b", 7, 3),
    ("a*x*y + b*y*x", 5, 3),
    ("x*x*a - x*b", 4, 3),
    ("a + b + c; a + c + d", 4, 3),
    ("a - b + c; y*(d + b - a)", 5, 4),
    ("x*a + x*b; sin(y*a + y*b)", 6, 3),
    ("a*x*b; sin(b*y*a)", 4, 3),
    ("(a + b) - a; sin(a + b)", 2, 1),
    ("a*x + y - x*a", 3, 0),
    ("p*x + r*x", 3, 1),
    ("p*(x + y) + r*(x - y)", 5, 3),
    ("2*a + 2*b", 3, 2),
    ("0.2*a + 0.6*b; sin(a + 3.0*b)", 5, 3),
    ("(a + 0.5) + 0.25*b - 0.5", 4, 2),
    ("sin(x)*sin(x)*a + cos(x)*a*cos(x)", 5, 0),
    ("c*x + g*y + l*(c*a + g*b); c*y - g*x + l*(c*b - g*a)", 16, 10),
    ("c*(c*x + g*y) - g*(c*y - g*x)", 9, 7),
    ("u*(c*a + g*b) + c*(d*a) + g*(d*b); sin(d*a) + sin(d*b) + (c*a + g*b)", 12, 9),
])  # fmt: skip
def test_what_is_found(texts: str, before: int, after: int) -> None:
    g, roots = graph_of(texts)
    new = factored(g, roots)
    assert operations(g, roots) == before and operations(g, new) <= after
    assert judged(g, roots, new, Random(1))


UNCHANGED = ["x*(a + p)", "p*x + r*y", "a*b + c*d", "p*q + r*x", "x*x + y*y", "where(x, a*b, a*c)"]


@pytest.mark.parametrize("texts", UNCHANGED)
def test_what_cannot_be_shortened_stays_as_it_is(texts: str) -> None:
    g, roots = graph_of(texts)
    size = cost(g, roots)
    assert factored(g, roots) == roots and cost(g, roots) == size


def test_parameters_stay_apart_from_what_changes() -> None:
    """p·r is free, (p + r)·x too but for one product: neither may be tied to x."""
    g, roots = graph_of("p*r*x + p*r*y + p*q*z; p*r*z")
    new = factored(g, roots)
    assert operations(g, new) <= operations(g, roots) - 1
    assert sum(g.mask[i] == Kind.PARAMETER and g.op[i] == ops.MUL for i in walk.live(g, new)) >= 2


# Edges


def test_roots_of_every_kind() -> None:
    g, (x, y, both) = graph_of("x; sin(y); x*a + x*b")
    two = g.const(-2)
    assert factored(g, []) == []
    assert factored(g, [x, two, g.zero, x]) == [x, two, g.zero, x]
    new = factored(g, [both, y, g.neg(both), both, x])
    assert new[0] == new[3] == g.neg(new[2]) and new[1:] == [y, g.neg(new[0]), new[0], x]


def chains() -> dict[str, Callable[[Graph, list[int], int, int], int]]:
    return {
        "sum": lambda g, s, x, k: g.add(x, s[k]),
        "product": lambda g, s, x, k: g.mul(x, s[k]),
        "nested": lambda g, s, x, k: g.add(g.mul(x, s[k]), s[k - 1]),
        "numbers": lambda g, s, x, k: g.add(g.mul(g.const(1e50), x), s[k]),
        "sines": lambda g, s, x, k: g.sin(g.sub(g.mul(x, s[0]), s[1])),
        "squares": lambda g, s, x, k: g.mul(x, x) if k < 40 else g.sin(x),
        "signs": lambda g, s, x, k: g.neg(g.sub(s[k % 5], g.mul(s[2], x))),
    }


@pytest.mark.parametrize("name", chains())
def test_deep_graphs(name: str) -> None:
    g = Graph()
    symbols = [g.symbol(f"s{k}", Kind.SPEED) for k in range(DEEP)]
    x = symbols[0]
    for k in range(1, DEEP):
        x = chains()[name](g, symbols, x, k)
    assert operations(g, factored(g, [x], work=2000)) <= operations(g, [x])


def test_a_factor_of_thousands_of_terms_is_one_multiplication() -> None:
    g = Graph()
    x, *s = [g.symbol(f"s{k}", Kind.SPEED) for k in range(1001)]
    total = g.zero
    for k in s:
        total = g.add(total, g.mul(x, k))
    assert operations(g, factored(g, [total], work=0)) == 1000


def test_what_is_not_finite_stays_in_its_branch() -> None:
    g, (good, x) = graph_of("x*a + x*b; x")
    bad = g.add(g.mul(x, g.div(g.one, g.zero)), g.mul(x, good))
    root = g.where(g.build[ops.LT](x, g.zero), bad, good)
    new = factored(g, [root])
    assert not finite(g, bad) and finite(g, new[0])
    assert operations(g, new) < operations(g, [root])
    assert any(i in g.broken for i in walk.live(g, new)), "a branch is not simplified away"


def test_huge_and_tiny_numbers_are_not_multiplied_with_each_other() -> None:
    g, (x, a, b) = graph_of("x; a; b")
    huge, tiny = g.const(1e200), g.const(1e-200)
    inner = [g.add(g.mul(k, g.mul(x, a)), g.mul(k, g.mul(x, b))) for k in (huge, tiny)]
    roots = [g.mul(huge, g.add(inner[0], a)), g.mul(tiny, g.add(inner[1], b)), g.mul(huge, g.add(inner[1], a))]
    new = factored(g, roots)
    assert operations(g, new) < operations(g, roots) and finite(g, new[0]) and not g.broken
    assert judged(g, roots[2:], new[2:], Random(0))


def test_names_go_to_what_has_become_of_a_node() -> None:
    g, (force, length) = graph_of("x*a + x*b; sqrt(x*a + x*b + y)")
    g.label(force, "F", "force")
    g.label(length, "L", "length")
    new = factored(g, [force, length])
    assert [g.labels[h][0].name for h in new] == ["F", "L"]
    assert new[0] != force


def test_unchanged_sums_keep_their_nodes() -> None:
    g, roots = graph_of("(a + b) + (c + d); x*a + x*b")
    inner = g.label(g.add(*(g.named(n) or 0 for n in "cd")), "inner")
    new = factored(g, roots)
    assert new[0] == roots[0] and new[1] != roots[1] and inner in walk.live(g, new)


def test_the_same_twice_gives_the_same_twice() -> None:
    programs = []
    for _ in range(2):
        g, roots = robot_by_kane(ur5.system())
        new = factored(g, roots, work=5000)
        programs.append(digest(program("fd", g, {"in": walk.symbols_of(g, new)}, {"out": new})))
    assert programs[0] == programs[1]


def test_work_is_bounded() -> None:
    """The terms written grow with the program and with the work allowed, not with anything else."""
    for seed, work in ((1, 0), (1, 3000), (2, 3000)):
        g, roots = forward(trees_built.system(tree(seed, bodies=4)))
        search = Search(g)
        read(search, roots)
        terms = search.written
        search.settle()
        settled = search.written
        search.improve(work)
        assert settled <= 3 * terms and search.written <= settled + 3 * work + 2 * terms


def test_undoing_leaves_no_trace() -> None:
    g, roots = forward(ur5.system())
    search = Search(g)
    read(search, roots)
    search.settle()
    search.log.clear()

    def state() -> Any:
        places = {key: dict(found) for key, found in search.divisors.places.items()}
        return search.cost, dict(search.term), {d: dict(t) for d, t in search.defs.items() if t}, places

    before = state()
    for d in list(search.defs):
        for t in list(search.refs.get(d, ())):
            if t in search.term and search.fits(d, t):
                search.open(d, t)
    search.settle()
    assert state() != before
    search.undo()
    assert state() == before


# Real programs


def forward(system: System) -> tuple[Graph, list[int]]:
    forest = span(system)
    g, n = forest.graph, len(forest.layout.u_handles)
    return g, Recursive(forest).forward([g.symbol(f"tau{k}", Kind.INPUT) for k in range(n)])


def robot_by_kane(system: System) -> tuple[Graph, list[int]]:
    kane = derive(move(span(system)))
    g = kane.graph
    right = [g.add(f, g.symbol(f"tau{k}", Kind.INPUT)) for k, f in enumerate(kane.force)]
    return g, solved(g, kane.mass, right)


SYSTEMS = {
    "ur5": ur5.system, "panda": panda.system, "satellite": satellite.system,
    **{f"tree {k}": lambda k=k: trees_built.system(tree(k, bodies=4)) for k in range(4)},
}  # fmt: skip
WAYS = {"recursive": forward, "kane": robot_by_kane}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_forward_dynamics_gets_shorter_and_stays_the_same(name: str, way: str) -> None:
    g, roots = WAYS[way](SYSTEMS[name]())
    new = factored(g, roots, work=8000)
    before, after = operations(g, roots), operations(g, new)
    print(f"{name} by {way}: {before} → {after} operations ({100 * (1 - after / before):.1f} % fewer)")
    assert after < before
    symbols = walk.symbols_of(g, roots)
    both = program("both", g, {"in": symbols}, {"before": roots, "after": new})
    for seed in range(3):
        rng = np.random.default_rng(seed)
        values = evaluate(both, {"in": rng.uniform(0.3, 1.3, len(symbols))}).values
        assert np.abs(values["after"] - values["before"]).max() <= CLOSE * np.abs(values["before"]).max()
