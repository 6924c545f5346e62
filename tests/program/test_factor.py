"""Factoring: never more operations, unchanged values up to rounding, and the effect of each rule."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from examples import satellite
from examples.robots import panda, solo12, ur5
from freebody.errors import ExpressionError
from freebody.formulations.derivation import Derivation
from freebody.formulations.kane import derive
from freebody.formulations.recursive import Recursive
from freebody.formulations.solve import solve_symmetric
from freebody.model.builder import ModelBuilder
from freebody.program import digest, evaluate, program
from freebody.program.count import count, operations
from freebody.program.factor import WORK, FactorSearch, factored, read, shortened
from freebody.program.program import Solve
from freebody.program.stage import stage
from freebody.scalar import ops, parse, walk
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.tree.tree import span
from tests.formulations.test_cart_sympy import cart
from tests.mechanisms import build_system as trees_built
from tests.mechanisms.random_trees import tree
from tests.mechanisms.sampled import sampled_pairs
from tests.scalar.random_expressions import build, spec

SLACK = 64  # bounds count roundings; numbers joined beforehand, and ratios that agree in 15 digits, make a few more
CLOSE = 1e-12  # relative to the largest output
DEEP = 2_000
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


@dataclass
class Pair:
    """Roots before and after, each with its graph."""

    g: Graph
    before: list[int]
    h: Graph
    after: list[int]

    @property
    def operations(self) -> tuple[int, int]:
        return operations(self.g, self.before), operations(self.h, self.after)

    @property
    def saved(self) -> int:
        return self.operations[0] - self.operations[1]

    def values(self, rng: Random, low: float = -2, high: float = 2) -> list[tuple[Any, Any]]:
        """Values and error bounds of the roots before and after, at the same random arguments."""
        names = {self.g.symbols[self.g.a[s]].name: rng.uniform(low, high) for s in walk.symbols_of(self.g, self.before)}
        found = []
        for g, roots in ((self.g, self.before), (self.h, self.after)):
            symbols = walk.symbols_of(g, roots)
            given = [names[g.symbols[g.a[s]].name] for s in symbols]
            one = evaluate(program("one", g, {"in": symbols}, {"out": roots}), {"in": given})
            found.append((one.values["out"], one.bounds["out"]))
        return found


def short(g: Graph, roots: list[int], work: int = WORK) -> Pair:
    """The roots before and after factoring."""
    found = factored(g, roots, work)
    return Pair(g, roots, g, roots) if found is None else Pair(g, roots, found.graph, found.roots)


def judged(pair: Pair, rng: Random) -> int:
    """The number of roots with comparable values, each within the rounding errors of both."""
    (a, da), (b, db) = pair.values(rng)
    sure = np.isfinite(a) & np.isfinite(da) & (da <= 1e-6 * (1 + np.abs(a)))
    assert np.all(np.abs(a[sure] - b[sure]) <= SLACK * (da + db)[sure])
    return int(sure.sum())


@pytest.mark.slow
@pytest.mark.parametrize("codes", [PLAIN, CODES], ids=["sums and products", "everything"])
def test_factoring_keeps_values_and_never_adds_operations(codes: list[int]) -> None:
    compared = saved = 0
    for seed in range(150):
        rng, g = Random(seed), Graph()
        handles = [h for h in build(g, spec(rng, 60, NUMBERS, codes)) if finite(g, h)]
        roots = handles[-1:] if seed % 3 == 0 else rng.choices(handles, k=1 + seed % 7)
        pair = short(g, roots, work=3000)
        assert pair.saved >= 0
        saved += pair.saved
        compared += sum(judged(pair, rng) for _ in range(3))
    assert compared > 400 and saved > 20


def test_sums_of_products_of_few_symbols_are_shortened() -> None:
    """Many shared factors and terms, which exercise expansion, factoring and undoing."""
    saved = []
    for seed in range(8):
        rng, g = Random(seed), Graph()
        known = [g.symbol(n, KINDS[n]) for n in "abcdpq"] + [g.const(k) for k in (2, 0.3, 7)]
        for _ in range(60):
            x, y, z = rng.choices(known[-20:], k=3)
            known.append(rng.choice((g.add, g.sub))(g.mul(x, y), z))
        roots = known[-6:]
        pair = short(g, roots, work=20_000)
        saved.append(pair.saved)
        assert judged(pair, rng)
    assert min(saved) >= 0 and sum(s > 0 for s in saved) >= 5


def test_node_cost_equals_program_cost() -> None:
    g, roots = robot_by_kane(ur5.system())
    made = program("fd", g, {"in": walk.symbols_of(g, roots)}, {"out": roots})
    assert operations(g, roots) == count(made).total


# Single rules


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
def test_known_factorisations(texts: str, before: int, after: int) -> None:
    pair = short(*graph_of(texts))
    assert pair.operations[0] == before and pair.operations[1] <= after
    assert judged(pair, Random(1))


UNCHANGED = ["x*(a + p)", "p*x + r*y", "a*b + c*d", "p*q + r*x", "x*x + y*y", "where(x, a*b, a*c)"]


@pytest.mark.parametrize("texts", UNCHANGED)
def test_irreducible_expressions_are_unchanged(texts: str) -> None:
    assert factored(*graph_of(texts)) is None


def test_factoring_keeps_parameter_only_work_separate() -> None:
    """p·r is free, and (p + r)·x needs one product; neither may be combined with x."""
    pair = short(*graph_of("p*r*x + p*r*y + p*q*z; p*r*z"))
    g = pair.h
    assert pair.saved >= 1
    assert sum(g.mask[i] == Kind.PARAMETER and g.op[i] == ops.MUL for i in walk.live(g, pair.after)) >= 2


# Edges


def test_roots_may_be_nodes_of_any_kind() -> None:
    g, (x, y, both) = graph_of("x; sin(y); x*a + x*b")
    assert factored(g, []) is None
    assert factored(g, [x, g.const(-2), g.zero, x]) is None
    pair = short(g, [both, y, g.neg(both), both, x])
    new = pair.after
    assert pair.saved == 1 and new[0] == new[3] == pair.h.neg(new[2])
    assert judged(pair, Random(0)) == 5


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
def test_deep_graphs_are_factored(name: str) -> None:
    g = Graph()
    symbols = [g.symbol(f"s{k}", Kind.SPEED) for k in range(DEEP)]
    x = symbols[0]
    for k in range(1, DEEP):
        x = chains()[name](g, symbols, x, k)
    assert short(g, [x], work=2000).saved >= 0


@pytest.mark.slow
def test_common_factor_of_thousands_of_terms() -> None:
    g = Graph()
    x, *s = [g.symbol(f"s{k}", Kind.SPEED) for k in range(1001)]
    total = g.zero
    for k in s:
        total = g.add(total, g.mul(x, k))
    assert short(g, [total], work=0).operations[1] == 1000


def test_infinite_values_stay_in_their_branch() -> None:
    g, (good, x) = graph_of("x*a + x*b; x")
    bad = g.add(g.mul(x, g.div(g.one, g.zero)), g.mul(x, good))
    root = g.where(g.build[ops.LT](x, g.zero), bad, good)
    pair = short(g, [root])
    assert not finite(g, bad) and finite(pair.h, pair.after[0]) and pair.saved > 0
    assert any(i in pair.h.broken for i in walk.live(pair.h, pair.after)), "a branch is not simplified away"


def test_huge_and_tiny_numbers_are_not_combined() -> None:
    g, (x, a, b) = graph_of("x; a; b")
    huge, tiny = g.const(1e200), g.const(1e-200)
    inner = [g.add(g.mul(k, g.mul(x, a)), g.mul(k, g.mul(x, b))) for k in (huge, tiny)]
    roots = [g.mul(huge, g.add(inner[0], a)), g.mul(tiny, g.add(inner[1], b)), g.mul(huge, g.add(inner[1], a))]
    pair = short(g, roots)
    assert pair.saved > 0 and finite(pair.h, pair.after[0]) and not pair.h.broken
    assert judged(Pair(g, roots[2:], pair.h, pair.after[2:]), Random(0))


def test_labels_follow_their_nodes() -> None:
    g, (force, length) = graph_of("x*a + x*b; sqrt(x*a + x*b + y)")
    g.label(force, "F", "force")
    g.label(length, "L", "length")
    pair = short(g, [force, length])
    assert [pair.h.labels[h][0].name for h in pair.after] == ["F", "L"]


def test_factoring_is_deterministic() -> None:
    programs = []
    for _ in range(2):
        found = factored(*robot_by_kane(ur5.system()), work=5000)
        assert found is not None
        symbols = walk.symbols_of(found.graph, found.roots)
        programs.append(digest(program("fd", found.graph, {"in": symbols}, {"out": found.roots})))
    assert programs[0] == programs[1]


def test_work_is_bounded() -> None:
    """The number of written terms grows only with the program and the allowed work."""
    for seed, work in ((1, 0), (1, 3000), (2, 3000)):
        g, roots = forward(trees_built.system(tree(seed, bodies=4)))
        search = FactorSearch(g)
        read(search, roots)
        terms = search.written
        search.settle()
        settled = search.written
        search.improve(work)
        assert settled <= 3 * terms and search.written <= settled + 3 * work + 2 * terms


@pytest.mark.slow
def test_undo_restores_the_state() -> None:
    g, roots = forward(ur5.system())
    search = FactorSearch(g)
    read(search, roots)
    search.settle()
    search.log.clear()

    def state() -> Any:
        places = {key: dict(found) for key, found in search.divisors.occurrences.items()}
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


def forward(system: ModelBuilder) -> tuple[Graph, list[int]]:
    spanned_tree = span(system.freeze())
    g, n = spanned_tree.graph, len(spanned_tree.layout.u_handles)
    return g, Recursive(spanned_tree).forward([g.symbol(f"tau{k}", Kind.INPUT) for k in range(n)]).u_dot


def robot_by_kane(system: ModelBuilder) -> tuple[Graph, list[int]]:
    kane = derive(span(system.freeze()))
    g = kane.graph
    right = [g.add(f, g.symbol(f"tau{k}", Kind.INPUT)) for k, f in enumerate(kane.force)]
    return g, solve_symmetric(g, kane.mass, right)


SYSTEMS = {
    "ur5": ur5.system, "panda": panda.system, "satellite": satellite.system,
    **{f"tree {k}": lambda k=k: trees_built.system(tree(k, bodies=4)) for k in range(4)},
}  # fmt: skip
WAYS = {"recursive": forward, "kane": robot_by_kane}


@pytest.mark.parametrize(("name", "way"), sampled_pairs(SYSTEMS, WAYS, 2))
def test_forward_dynamics_is_shortened_and_unchanged(name: str, way: str) -> None:
    pair = short(*WAYS[way](SYSTEMS[name]()), work=8000)
    before, after = pair.operations
    print(f"{name} by {way}: {before} → {after} operations ({100 * (1 - after / before):.1f} % fewer)")
    assert after < before
    for seed in range(3):
        (a, _), (b, _) = pair.values(Random(seed), 0.3, 1.3)
        assert np.abs(a - b).max() <= CLOSE * np.abs(a).max()


# Programs


def test_factored_programs_keep_stages_and_names() -> None:
    eq = Derivation(Recursive(span(satellite.system().freeze())))
    before = eq.programs["state_dot"]
    after = shortened(before, work=8000)
    assert count(stage(after).main).total < count(stage(before).main).total
    assert (after.groups, after.outputs) == (before.groups, before.outputs)
    rng = np.random.default_rng(0)
    given = {g.name: rng.uniform(0.3, 1.3, g.size) for g in before.groups}
    a, b = (evaluate(p, given).values["x_dot"] for p in (before, after))
    assert np.abs(a - b).max() <= CLOSE * np.abs(a).max()


def waiting(code: Any) -> int:
    """The largest number of live values."""
    last = {k: i for i in range(len(code)) for k in walk.operands(code, i) if ops.ARITY[code.op[k]]}
    ends = Counter(last.values())
    now = most = 0
    for i in range(len(code)):
        now += (i in last) - ends[i]
        most = max(most, now)
    return most


@pytest.mark.slow
def test_number_of_live_values_stays_small() -> None:
    """The order of the algorithm is kept where possible; in order of creation, many more values would be live."""
    eq = Derivation(Recursive(span(solo12.system().freeze())))
    before = eq.programs["forward_dynamics"]
    after = shortened(before, work=8000)
    assert waiting(after.regions[0].code) < 1.2 * waiting(before.regions[0].code)


@pytest.mark.slow
def test_only_blocks_are_factored() -> None:
    eq = Derivation(derive(span(cart(np.ones(41), np.ones(40)).freeze())))
    before = eq.programs["forward_dynamics"]
    after = shortened(before, work=2000)
    kinds = [type(r) for r in before.regions]
    assert Solve in kinds and [type(r) for r in after.regions] == kinds
    assert all(a == b for a, b in zip(after.regions, before.regions, strict=True) if isinstance(b, Solve))
