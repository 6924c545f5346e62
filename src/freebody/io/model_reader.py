"""Model files to systems: ``read("arm.yaml", System)``, ``loads(text, System)``.

Expressions in a file may use declared names, definitions and tables. A definition is read when it is first used. So a
definition may use coordinates of bodies, and a body may use definitions, whatever stands first in the file; but a
definition may only use definitions above it, so that none needs itself.
"""

import os
from collections.abc import Callable, Container, ItemsView, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cached_property
from math import pi
from pathlib import Path
from typing import Any, TypeVar

from freebody.errors import FieldError, FileError, FreebodyError, within
from freebody.io import limits
from freebody.io.format import ModelFile
from freebody.io.other_formats import describe_file
from freebody.io.yaml_lines import LocatedData, compose
from freebody.model.accelerations import NameTable
from freebody.model.angles import warn_of_joint, warn_of_rotation
from freebody.model.builder import ModelBuilder, reserved_meaning
from freebody.model.element import from_data, normal_form
from freebody.model.kinds import describe
from freebody.model.outputs import OutputSpec
from freebody.model.placed import SystemScope
from freebody.scalar.expr import Expr
from freebody.scalar.functions import Table
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.parse import parse, tokens
from freebody.tree.motion import Motion, whole_motion

Built = TypeVar("Built", bound=ModelBuilder)
SHOWN = 5
"""How many further errors are shown with the first."""


def read(path: "str | os.PathLike[str]", make: Callable[[str], Built]) -> Built:
    """The system of a model file; ``make`` is the class of systems."""
    return loads(limits.contents(path), make, os.fspath(path), Path(path).parent)


def loads(text: str, make: Callable[[str], Built], name: str = "<text>", folder: Path | None = None) -> Built:
    """The system of a model file's text; errors call the text ``name``. Files that it names lie in the folder."""
    limits.check(text, name)
    if text.lstrip("\ufeff \t\r\n").startswith("<") and (other := describe_file(name, text.encode())):
        raise FileError(other, name)
    located = LocatedData(compose(text, name), name, text)
    file = _check(located)
    system = make(file.name)
    scope = system.scope
    try:
        _build(system, file, located, folder)
    except (FreebodyError, ArithmeticError, ValueError) as error:
        raise located.wrong(error) from None
    finally:
        system.scope = scope
    return system


def _check(located: LocatedData) -> ModelFile:
    """The data of a file, with its keys and the form of its values checked; expressions are not read yet. All errors
    are raised as one."""
    data = located.root.plain()
    if not isinstance(data, Mapping):
        raise located.error(f"a model file is made of keys with values, not of {describe(data)}")
    try:
        return from_data(ModelFile, data)
    except FreebodyError as error:
        errors = [located.wrong(one) for one in (error, *error.others)]
    first, *others = sorted(errors, key=lambda e: (e.line, e.column))
    more = [f"line {e.line}: {e.key}: {e.message}" for e in others[:SHOWN]]
    more += [f"and {len(others) - SHOWN} more"] if len(others) > SHOWN else []
    message = "\n".join([first.message, *(f"    also {line}" for line in more)])
    raise FileError(message, first.file, first.line, first.column, first.key)


def _build(system: ModelBuilder, file: ModelFile, located: LocatedData, folder: Path | None) -> None:
    """Add the elements of a file to a system, by the functions that Python calls. What needs no coordinates is read
    first, so that expressions may use what stands further down."""
    names = FileNames(system.names, located, {})
    system.scope = FileScope(system, names, file.bodies, folder)
    for section in (file.parameters, file.inputs, file.states):
        for name, declared in section.items():
            system.declare(name, declared)
    for name, given in file.filters.items():
        with within("filters", name):
            system.begin_filter(name, given)
    for key, table in file.tables.items():
        with within("tables", key):
            meaning = reserved_meaning(key)
            if meaning or not key.isidentifier():
                why = f"it is {meaning}; choose another" if meaning else "use a word that is not a function"
                raise FieldError(f"'{key}' cannot name a table: {why}")
            names.tables[key] = normal_form(table, system.scope, late=False).table(key)
    for name, definition in file.definitions.items():
        names.define(name, definition)
    for name, spec in file.bodies.items():
        system.begin_body(name, spec)
    for key, (own, element) in file.constraints.items():
        if element.joint is not None and (name := key if isinstance(key, str) else own):
            with _at("constraints", key):
                system.begin_closure(name, element)
    for name, element in file.sampled.items():
        system.begin_sampled(name, element)
    finish = dict.fromkeys(file.states, system.finish_state) | dict.fromkeys(file.filters, system.finish_filter)
    late = [name for name, read in finish.items() if not _is_read(read, name)]
    for name in file.bodies:
        system.finish_body(name)
        spec = file.bodies[name]
        warn_of_rotation(f"body '{name}'", spec.orient)
        warn_of_joint(f"body '{name}'", spec.joint)
    for name, spec in file.bodies.items():
        if spec.coupling is not None:
            system.finish_coupling(name, name, spec.coupling)
    _add(system, "constraints", file.constraints)
    for name in late:
        with within("filters", name) if name in file.filters else nullcontext():
            finish[name](name)
    system.gravity = file.gravity
    _add(system, "loads", file.loads)
    for name, output in file.outputs.items():
        if isinstance(output, OutputSpec):
            with _at("outputs", name, "value"):
                system.output(name, output.value, output.unit)
        else:
            system.output(name, output)
    for name in file.sampled:
        system.finish_sampled(name)
    for name in [*names.waiting]:
        names.get(name)  # reads the definitions that nothing uses


def _is_read(read: Callable[[str], object], name: str) -> bool:
    """Whether the rate of a state can be read now, so that joints may move with it. Others use what is declared later,
    such as the variables of constraints."""
    try:
        read(name)
    except FreebodyError:
        return False
    return True


def _add(system: ModelBuilder, section: str, elements: Mapping[Any, tuple[str, Any]]) -> None:
    """Add loads, or constraints, whose coordinates what is read later may use."""
    for key, (name, element) in elements.items():
        with _at(section, key):
            system.add(element, key if isinstance(key, str) else name)


@contextmanager
def _at(section: str, *keys: str | int) -> Iterator[None]:
    """Errors of an element have its keys in the file; the first is an index in a list."""
    try:
        yield
    except FreebodyError as error:
        error.path = (section, *keys, *error.path[2:])
        raise


class FileScope(SystemScope):
    """Reads elements of a file: texts may use its definitions and tables, and vectors the motion of all bodies."""

    reads_file = True

    def __init__(
        self,
        system: ModelBuilder,
        names: "FileNames",
        file_bodies: Container[str],
        folder: Path | None,
        root: "FileScope | None" = None,
    ) -> None:
        super().__init__(system, names)
        self.folder = folder
        self.file_names, self.tables, self.file_bodies, self.root = names, names.tables, file_bodies, root or self

    def inner(self, names: Mapping[str, Expr]) -> "FileScope":
        return FileScope(self.system, self.file_names.inner(names), self.file_bodies, self.folder, self.root)

    def reduced_body(self, name: str) -> Any:
        from freebody.io.reduced_files import read_beside

        return super().reduced_body(name) if self.folder is None else read_beside(name, self.folder)

    @property
    def motion(self) -> Motion:
        return self.root._motion

    @cached_property
    def _motion(self) -> Motion:
        """The motion of all bodies, computed at its first use, when all bodies are there."""
        return whole_motion(self.system)


class FileNames(Mapping[str, Node]):
    """The names of one graph and the definitions of one file, as nodes; or these and the arguments of one law."""

    def __init__(
        self, names: NameTable, located: LocatedData, tables: dict[str, Table], outer: "FileNames | None" = None
    ) -> None:
        self.names, self.located, self.tables, self.outer = names, located, tables, outer
        self.graph: Graph = names.graph
        self.known: dict[str, Node] = {}
        self.waiting: dict[str, Any] = {}
        self.order: dict[str, int] = {}

    def inner(self, names: Mapping[str, Expr]) -> "FileNames":
        """The same with some more names."""
        inner = FileNames(self.names, self.located, self.tables, self)
        inner.known = {name: value.handle for name, value in names.items()}
        return inner

    def define(self, name: str, definition: Any) -> None:
        """A definition: a number, a text, or a symbol by its name; read when it is first used."""
        if not name.isidentifier():
            raise self._error(f"{name!r} cannot name a definition: use letters, digits and underscores", name)
        if reserved_meaning(name):
            raise self._error(f"'{name}' is {reserved_meaning(name)}; choose another for the definition", name)
        if self.graph.named(name) is not None or name in self.tables or name in self.known:
            raise self._error(f"'{name}' is the name of something else; choose another for the definition", name)
        self.order[name] = len(self.order)
        self.waiting[name] = definition

    def _error(self, message: str, *path: str | int) -> FileError:
        return self.located.error(message, "definitions", *path)

    # Names as nodes

    def __getitem__(self, name: str) -> Node:
        if name in self.waiting:
            self._resolve(name)
        if name in self.known:
            return self.known[name]
        if self.outer is not None:
            return self.outer[name]
        return self.graph.const(pi) if name == "pi" else self.names[name]

    def __iter__(self) -> Iterator[str]:
        yield from {**self.known, **self.waiting}
        if self.outer is not None:
            yield from self.outer
        else:
            yield from self.names

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def items(self) -> ItemsView[str, Node]:
        """The names that are known already; no definition is read for it."""
        scope, waiting = self, {*self.waiting}
        while scope.outer is not None:
            scope = scope.outer
            waiting |= scope.waiting.keys()
        return {name: self[name] for name in self if name not in waiting}.items()

    def _resolve(self, name: str) -> None:
        """Read a definition, after those that it uses (in a loop, for chains of them are too long for recursion). An
        error is one of the definition, wherever it is used."""
        todo = [name]
        while todo:
            one = todo[-1]
            if one not in self.waiting:
                todo.pop()
                continue
            try:
                unread = self._unread_in(one)
                if unread:
                    todo += unread
                    continue
                definition = self.waiting[one]
                if isinstance(definition, str):
                    self.known[one] = parse(self.graph, definition, self, self.tables)
                elif isinstance(definition, int | float):
                    self.known[one] = self.graph.const(definition)
                elif (handle := self.names.get(definition.symbol)) is not None:
                    self.known[one] = handle
                else:
                    raise FieldError(f"there is no symbol '{definition.symbol}'", "symbol")
            except (FreebodyError, ArithmeticError) as error:
                raise self.located.wrong(error, "definitions", one) from None
            del self.waiting[one]

    def _unread_in(self, name: str) -> list[str]:
        """The definitions that one uses and that are not read yet."""
        text = self.waiting[name]
        if not isinstance(text, str):
            return []
        words = dict.fromkeys("".join(t.word.split()) for t in tokens(text) if t.kind == "name")
        for word in words:
            if word in self.order and self.order[word] >= self.order[name]:
                why = "itself" if word == name else f"'{word}', which is defined further down"
                raise self._error(f"it uses {why}; a definition may use those above it", name)
        return [word for word in words if word in self.waiting]
