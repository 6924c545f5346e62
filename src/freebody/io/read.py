"""Model files to systems: ``read("arm.yaml", System)``, ``loads(text, System)``."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from freebody.errors import FieldError, FileError, FreebodyError, within
from freebody.io import limits
from freebody.io.lines import Places, compose
from freebody.model.builder import ModelBuilder, reserved_meaning
from freebody.model.declarations import TableSpec
from freebody.model.element import from_data, normal_form
from freebody.model.kinds import Scope, describe
from freebody.model.loads import Load
from freebody.scalar.functions import Table

if TYPE_CHECKING:
    from freebody.io.format import ModelFile

Made = TypeVar("Made", bound=ModelBuilder)
SHOWN = 5
"""How many further errors are shown with the first."""


def read(path: "str | os.PathLike[str]", make: Callable[[str], Made]) -> Made:
    """The system of a model file; ``make`` is the class of systems."""
    return loads(limits.contents(path), make, os.fspath(path))


def loads(text: str, make: Callable[[str], Made], name: str = "<text>") -> Made:
    """The system of a model file's text; errors call the text ``name``."""
    limits.check(text, name)
    places = Places(compose(text, name), name, text)
    file = checked(places)
    system = make(file.name)
    scope = system.scope
    try:
        build(system, file, places)
    except (FreebodyError, ArithmeticError, ValueError) as error:
        raise places.wrong(error) from None
    finally:
        system.scope = scope
    return system


def checked(places: Places) -> "ModelFile":
    """The data of a file, its keys and the form of its values checked; no text is read yet. All that is wrong is
    raised as one error."""
    from freebody.io.format import ModelFile

    data = places.root.plain()
    if not isinstance(data, Mapping):
        raise places.error(f"a model file is made of keys with values, not of {describe(data)}")
    try:
        return from_data(ModelFile, data)
    except FreebodyError as error:
        found = [places.wrong(one) for one in (error, *error.others)]
    first, *others = sorted(found, key=lambda e: (e.line, e.column))
    more = [f"line {e.line}: {e.key}: {e.message}" for e in others[:SHOWN]]
    more += [f"and {len(others) - SHOWN} more"] if len(others) > SHOWN else []
    message = "\n".join([first.message, *(f"    also {line}" for line in more)])
    raise FileError(message, first.file, first.line, first.column, first.key)


def build(system: ModelBuilder, file: "ModelFile", places: Places) -> None:
    """Give the elements of a file to a system, by the functions that Python calls. What needs no coordinates is read
    first, so that texts may use what stands further down."""
    from freebody.io.scope import FileNames, FileScope

    names = FileNames(system.names, places, {})
    system.scope = FileScope(system, names, file.bodies)
    for section in (file.parameters, file.inputs, file.states):
        for name, declared in section.items():
            system.declare(name, declared)
    for key, table in file.tables.items():
        with within("tables", key):
            names.tables[key] = _table(key, table, system.scope)
    for name, definition in file.definitions.items():
        names.define(name, definition)
    for name, recipe in file.bodies.items():
        system.begin_body(name, recipe)
    for name in file.bodies:
        system.finish_body(name)
    for name, recipe in file.bodies.items():
        if recipe.coupling is not None:
            system.finish_coupling(name, name, recipe.coupling)
    for name in file.states:
        system.finish_state(name)
    system.gravity = file.gravity
    for key, (name, load) in file.loads.items():
        _add(system, key, name, load)
    for name, output in file.outputs.items():
        system.output(name, output)
    names.finish()


def _table(key: str, given: TableSpec, scope: Scope) -> Table:
    """A table through points, or of pieces as they are."""
    taken = reserved_meaning(key)
    if taken or not key.isidentifier():
        why = f"it is {taken}; choose another" if taken else "use a word that is not a function"
        raise FieldError(f"'{key}' cannot name a table: {why}")
    return normal_form(given, scope, late=False).table(key)


def _add(system: ModelBuilder, key: str | int, name: str, load: Load) -> None:
    """A load by its name, or by its index in the file."""
    try:
        system.add(load, key if isinstance(key, str) else name)
    except FreebodyError as error:
        error.path = ("loads", key, *error.path[2:])
        raise
