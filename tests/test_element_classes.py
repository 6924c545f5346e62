"""Code outside of model/ asks joints, loads, constraints and bodies for what it wants to know, not for their class: a
new element then needs no change there."""

import ast
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import freebody.model
from freebody.model.element import Element
from tests import sources

PACKAGE = Path(freebody.model.__file__).parents[1]
MOST = 15
"""Questions for the class of an element outside of model/."""


def classes(base: type) -> Iterator[str]:
    """The names of all classes derived from one."""
    for one in base.__subclasses__():
        yield one.__name__
        yield from classes(one)


def questions(file: Path, nodes: Sequence[ast.AST], names: set[str]) -> Iterator[str]:
    """The places of a file where the class of an element is asked for."""
    imported = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("freebody.model")
        for alias in node.names
    }
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 2):
            continue
        asked = {part.id for part in ast.walk(node.args[1]) if isinstance(part, ast.Name)} & names & imported
        if node.func.id in ("isinstance", "issubclass") and asked:
            yield f"{file.relative_to(PACKAGE)}:{node.lineno}: {', '.join(sorted(asked))}"


def test_few_places_ask_for_the_class_of_an_element() -> None:
    for module in walk_packages([str(PACKAGE / "model")], "freebody.model."):
        import_module(module.name)
    names = {"Element", *classes(Element)}
    assert {"Closure", "Flexible", "NodeAttachment", "JointForce", "Revolute"} <= names
    outside = {file: nodes for file, nodes in sources.nodes().items() if PACKAGE / "model" not in file.parents}
    places = [place for file, nodes in outside.items() for place in questions(file, nodes, names)]
    assert len(places) <= MOST, "\n".join(places)
