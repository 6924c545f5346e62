"""Orders of elimination: minimum degree against its definition, large sparse systems, and orders with much fill."""

import random

import pytest

from freebody.program.ldl import Entry, LdlPlan, _minimum_degree, eliminate, plan


def by_definition(n: int, pattern: list[Entry], multipliers: range) -> tuple[int, ...]:
    """Minimum degree: all unknowns are compared for each pivot."""
    near: list[set[int]] = [{j for e in pattern for j in e if i in e and j != i} for i in range(n)]
    speeds = {k: near[k] - set(multipliers) for k in multipliers}
    left, order = set(range(n)), list[int]()
    while left:
        k = min((k for k in left if left.isdisjoint(speeds.get(k, ()))), key=lambda i: (len(near[i]), i))
        order.append(k)
        left.remove(k)
        for i in near[k]:
            near[i] = (near[i] | near[k]) - {i, k}
    return tuple(order)


@pytest.mark.parametrize("seed", range(20))
def test_minimum_degree_follows_its_definition(seed: int) -> None:
    choice = random.Random(seed)
    n, m = choice.randint(2, 30), choice.randint(0, 10)
    entries = [(choice.randrange(n), choice.randrange(n)) for _ in range(choice.randint(0, 2 * n))]
    rows = [(k, choice.randrange(n)) for k in range(n, n + m) for _ in range(choice.randint(1, 4))]
    pattern = sorted({(max(e), min(e)) for e in entries} | {(i, i) for i in range(n)} | set(rows))
    near: list[set[int]] = [{j for e in pattern for j in e if i in e and j != i} for i in range(n + m)]
    speeds = {k: {i for i in near[k] if i < n} for k in range(n, n + m)}
    assert _minimum_degree(near, speeds) == by_definition(n + m, pattern, range(n, n + m))


def loops_in_a_row(count: int) -> tuple[int, list[Entry], range]:
    """Planar four-bars beside each other with three unknowns for each of their bodies, and two rows for each pin."""
    bodies, pins = 2 * count + 1, [(-1, 0)]
    for k in range(count):
        pins += [(2 * k, 2 * k + 1), (-1, 2 * k + 2), (2 * k + 1, 2 * k + 2)]
    n = 3 * bodies
    pattern = [(3 * b + i, 3 * b + j) for b in range(bodies) for i in range(3) for j in range(i + 1)]
    for k, ends in enumerate(pins):
        pattern += [(n + 2 * k + r, 3 * b + i) for r in range(2) for b in ends if b >= 0 for i in range(3)]
    size = n + 2 * len(pins)
    return size, pattern, range(n, size)


def cost(p: LdlPlan) -> int:
    return sum(p.operations(1).values())


def test_loops_in_a_row_cost_the_same_each() -> None:
    plans = [plan(*loops_in_a_row(count)) for count in (50, 100, 150, 800)]
    short, double, triple, many = map(cost, plans)
    assert triple - double == double - short
    assert many == short + 15 * (double - short)
    assert [len(p.updates) for p in plans[1:3]] == [
        sum(len(c) * (len(c) + 1) // 2 for c in p.columns) for p in plans[1:3]
    ]


def test_given_orders_with_much_fill_are_not_taken() -> None:
    """Unknowns in a row, numbered at random: as given, most of the matrix is filled in."""
    n = 3000
    at = list(range(n))
    random.Random(0).shuffle(at)
    pattern = [(k, k) for k in range(n)] + [(max(at[k : k + 2]), min(at[k : k + 2])) for k in range(n - 1)]
    assert plan(n, pattern).entries == 2 * n - 1
    small = [(k, k) for k in range(200)] + [e for e in pattern if e[0] < 200 and e[0] != e[1]]
    assert cost(plan(200, small)) <= cost(eliminate(tuple(range(200)), small))
