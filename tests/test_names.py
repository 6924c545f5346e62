"""Names: variables carry the prefix of their group, which only freebody.names spells; a class name occurs once."""

import ast
import re
from collections.abc import Iterator, Sequence

import pytest

from freebody.names import TAU, U_DOT, Q, U, VariableGroup, Z, vector_name
from tests import sources
from tests.sources import SOURCE


@pytest.mark.parametrize("group", [Q, U, Z, TAU, U_DOT], ids=lambda g: g.letter)
def test_groups_add_and_strip_their_prefix(group: VariableGroup) -> None:
    assert group("arm") == f"{group.letter}.arm"
    assert group.holds(group("arm")) and not group.holds("arm") and not group.holds(group.letter)
    assert group.strip(group("a.b")) == "a.b" and group.strip("x.arm") == "x.arm"
    assert group.all(["a", "b"]) == (group("a"), group("b"))


def test_groups_do_not_overlap() -> None:
    groups = [Q, U, Z, TAU, U_DOT]
    for one in groups:
        assert [g for g in groups if g.holds(one("arm"))] == [one]


def prefixed(nodes: Sequence[ast.AST]) -> Iterator[int]:
    """Lines with a string that starts with a group's prefix, docstrings excluded."""
    docs = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}
    for node in nodes:
        value = node.value if isinstance(node, ast.Constant) and id(node) not in docs else None
        if isinstance(value, str) and re.match(r"(q|u|z|tau|u_dot)\.(\w|$)", value):
            yield node.lineno


def test_prefixes_occur_only_in_the_names_module() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path, nodes in sources.nodes().items()
        for line in prefixed(nodes)
        if path.name != "names.py"
    ]
    assert not found


def test_a_class_name_occurs_once() -> None:
    """A reader who searches for a class finds one."""
    classes: dict[str, list[str]] = {}
    for path, nodes in sources.nodes().items():
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    assert not {name: places for name, places in classes.items() if len(places) > 1}


def test_components_know_their_vector() -> None:
    names = {
        "bus.x": "bus",
        "bus.wx": "bus.w",
        "bus.vz": "bus.v",
        "bus.qw": "bus.q",
        "bus.qz": "bus.q",
        "pin.force.y": "pin.force",
        "x": "",
        "bus.w": "",
        "bus.vw": "",
        "bus.ww": "",
        "bus.ax": "",
        "bus.q": "",
        "arm": "",
        ".x": "",
        "a\nb.y": "a\nb",
    }
    assert {name: vector_name(name) for name in names} == names
