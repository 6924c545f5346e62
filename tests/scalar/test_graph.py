"""The graph as an object: copies, labels, forks and frozen graphs."""

import copy
import math
import pickle
from random import Random
from typing import Any

import pytest

from freebody.errors import ExpressionError, GraphError
from freebody.scalar import ops
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import float_function, substitute, transfer, values
from tests.scalar.random_expressions import ExpressionSpec, build, spec

NUMBERS = (0, 1, -1, 2, 3, 0.5, -0.0, 1e300)
CODES = [op.code for op in ops.OPS if op.code != ops.SYMBOL]


def test_graphs_are_pickled_and_not_copied() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    y = g.add(g.sin(x), g.const(2))
    for frozen in (False, True):
        new = pickle.loads(pickle.dumps(g))
        assert new.add(new.sin(x), new.const(2)) == y if not frozen else new.op == g.op
        g.freeze()
    with pytest.raises(GraphError, match="frozen"):
        new.add(x, y)
    for action in (copy.copy, copy.deepcopy):
        with pytest.raises(GraphError, match="a graph is not copied: fork it"):
            action(Graph())


def test_numbers_have_no_labels() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    stretch = g.label(g.sub(x, g.const(3)), "stretch", "of the spring")
    assert substitute(g, [stretch], {x: g.const(3)}) == [g.zero]
    assert list(g.labels) == [stretch]


def test_labels_are_transferred_to_other_graphs() -> None:
    g, h = Graph(), Graph()
    y = g.label(g.sin(g.symbol("x", Kind.COORDINATE)), "height", "of the tip")
    moved = transfer(g, [y], h)
    assert [(label.name, label.description) for label in h.labels[moved[y]]] == [("height", "of the tip")]


def test_nodes_keep_their_first_name_and_list_the_others() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    for name in ("first", "second", "first"):
        g.label(g.sin(x), name)
    assert [label.name for label in g.labels[g.sin(x)]] == ["first", "second"]


def contents(g: Graph) -> dict[str, Any]:
    """Everything that a graph holds except functions."""
    held = {name: value.copy() for name, value in vars(g).items() if isinstance(value, list | dict | set)}
    del held["build"]
    labels = {handle: [*given] for handle, given in g.labels.items()}
    return {**held, "labels": labels, "numbers": [repr(number) for number in g.numbers]}


@pytest.mark.parametrize("seed", range(10))
def test_forks_behave_as_the_graph_and_are_independent(seed: int) -> None:
    """Random expressions: the first half is built in a graph and the second half in a fork of it, and all in one
    graph."""
    r = spec(Random(seed), 60, NUMBERS, CODES)
    first, g, whole = ExpressionSpec(r.steps[: len(r.steps) // 2]), Graph(), Graph()
    handles = build(g, first)
    g.label(handles[-1], "half")
    before = contents(g)
    fork = g.fork()
    assert build(fork, first) == handles and contents(fork) == before
    made = build(fork, r)
    fork.label(made[-1], "end")
    fork.label(handles[-1], "half way")
    assert contents(g) == before

    whole.label(build(whole, first)[-1], "half")
    assert build(whole, r) == made
    whole.label(made[-1], "end")
    whole.label(handles[-1], "half way")
    assert contents(whole) == contents(fork)

    after = contents(fork)
    build(g, spec(Random(seed + 100), 60, NUMBERS, CODES))
    assert contents(fork) == after


def test_forks_share_the_nodes_of_their_origins() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    fork = g.fork()
    second = fork.fork()
    later, own = g.sin(x), fork.cos(x)
    assert fork.holds(g, x) and second.holds(g, x) and fork.holds(fork, own)
    assert not fork.holds(g, later) and not second.holds(fork, own) and not g.holds(fork, x)
    assert not fork.holds(Graph(), 0)


def test_frozen_graphs_return_existing_nodes_and_refuse_new_ones() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    y = g.sin(x)
    g.freeze()
    before = contents(g)
    assert g.symbol("x", Kind.COORDINATE) == x and g.const(1) == g.one and g.number(g.one) == 1
    for build_node in (
        lambda: g.add(x, y),
        lambda: g.mul(x, y),
        lambda: g.const(7),
        lambda: g.symbol("z", Kind.COORDINATE),
        lambda: g.label(y, "s"),
        lambda: g.build[ops.TAN](x),
        lambda: g.pow(x, y),
        lambda: g.neg(x),
        lambda: g.fail("1/0", float("inf")),
    ):
        with pytest.raises(GraphError, match=r"this graph is frozen, .* build new nodes in a fork"):
            build_node()
    assert contents(g) == before
    fork = g.fork()
    assert fork.sin(x) == y and fork.add(x, y) == len(g)


@pytest.mark.parametrize("seed", range(20))
def test_functions_of_floats_have_the_values_of_the_graph(seed: int) -> None:
    g, r = Graph(), spec(Random(seed), 60, (1, 2, 3, 0.5, 7), CODES)
    roots = build(g, r)
    known = {i: 0.2 + 0.1 * i for i in range(len(g)) if g.op[i] == ops.SYMBOL}
    for root in roots:  # one at a time, as some have no value
        try:
            expected = float(values(g, [root], known)[0])
        except (ArithmeticError, ValueError):
            continue
        got = float_function(g, [root])(known)[0]
        assert math.isclose(got, expected, rel_tol=1e-12) or math.isnan(expected)


def test_functions_of_floats_need_all_symbols() -> None:
    g = Graph()
    f = float_function(g, [g.add(g.symbol("x", Kind.COORDINATE), g.one)])
    with pytest.raises(ExpressionError, match="'x' has no value here"):
        f({})
