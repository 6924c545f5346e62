"""The graph as an object: what it refuses, and what travels with its nodes."""

import copy
import pickle

import pytest

from freebody.errors import GraphError
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute, transfer


def test_a_graph_is_not_copied_or_pickled() -> None:
    for action in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(GraphError, match="a graph cannot be copied or pickled"):
            action(Graph())


def test_a_label_does_not_stick_to_a_number() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    stretch = g.label(g.sub(x, g.const(3)), "stretch", "of the spring")
    assert substitute(g, [stretch], {x: g.const(3)}) == [g.zero]
    assert list(g.labels) == [stretch]


def test_labels_travel_to_another_graph() -> None:
    g, h = Graph(), Graph()
    y = g.label(g.sin(g.symbol("x", Kind.COORDINATE)), "height", "of the tip")
    moved = transfer(g, [y], h)
    assert [(label.name, label.description) for label in h.labels[moved[y]]] == [("height", "of the tip")]


def test_a_node_keeps_its_first_name_and_lists_the_others() -> None:
    g = Graph()
    x = g.symbol("x", Kind.COORDINATE)
    for name in ("first", "second", "first"):
        g.label(g.sin(x), name)
    assert [label.name for label in g.labels[g.sin(x)]] == ["first", "second"]
