"""Model files to systems: ``read("arm.yaml", System)``, ``loads(text, System)``.

Expressions in a file may use declared names, definitions and tables. A definition is read when it is first used. So a
definition may use coordinates of bodies, and a body may use definitions, whatever stands first in the file; but a
definition may only use definitions above it, so that none needs itself.
"""

import os
from collections.abc import Callable, Container, ItemsView, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import cached_property
from math import pi
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from freebody.errors import FieldError, FileError, FreebodyError, within
from freebody.io import limits
from freebody.io.format import Include, ModelFile
from freebody.io.other_formats import describe_file
from freebody.io.yaml_lines import LocatedData, compose
from freebody.model.angles import warn_of_joint, warn_of_rotation
from freebody.model.blocks import SignalBlock
from freebody.model.body import BodySpec
from freebody.model.builder import ModelBuilder, reserved_meaning
from freebody.model.components import RelativeNames
from freebody.model.declarations import Parameter
from freebody.model.element import from_data, normal_form
from freebody.model.flexible.reduced_body import require_inside
from freebody.model.kinds import Constant, describe, suggest
from freebody.model.loads import Load
from freebody.model.outputs import OutputSpec
from freebody.model.placed import SystemScope
from freebody.model.signals import SignalSource
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
    source = _source(text, name, folder)
    system = make(source.file.name)
    scope = system.scope
    try:
        _build(system, source, Inclusion((name,), folder))
    except (FreebodyError, ArithmeticError, ValueError) as error:
        raise source.located.wrong(error) from None
    finally:
        system.scope = scope
    return system


class ModelSource(NamedTuple):
    """A model file whose keys and forms of values are checked: with the places of its values, and its folder."""

    file: ModelFile
    located: LocatedData
    folder: Path | None


class Inclusion(NamedTuple):
    """Which files include each other, from the one that is read, and the folder in which all of them must lie."""

    chain: tuple[str, ...]
    folder: Path | None
    mount: str = ""  # the body that carries what has no other parent
    values: Mapping[str, Any] = MappingProxyType({})  # numbers and expressions in place of parameters


def _source(text: str, name: str, folder: Path | None) -> ModelSource:
    located = LocatedData(compose(text, name), name, text)
    return ModelSource(_check(located), located, folder)


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


def _build(system: ModelBuilder, source: ModelSource, inclusion: Inclusion) -> None:
    """Add the elements of a file to a system, by the functions that Python calls. What needs no coordinates is read
    first, so that expressions may use what stands further down."""
    file, located, folder = source
    names, full = FileNames(system.names, located, {}), system.prefixes.absolute
    system.scope = FileScope(system, names, file.bodies, folder)
    for name, value in inclusion.values.items():
        if isinstance(value, Expr):
            names.known[name] = value.handle
    for section in (file.parameters, file.inputs, file.states):
        for name, declared in section.items():
            if name in names.known:
                continue
            if isinstance(declared, Parameter) and name in inclusion.values:
                declared = replace(declared, value=inclusion.values[name])
            system.declare(full(name), declared)
    for name, given in file.filters.items():
        with within("filters", name):
            system.begin_filter(full(name), given)
    for key, table in file.tables.items():
        with within("tables", key):
            meaning = reserved_meaning(key)
            if meaning or not key.isidentifier():
                why = f"it is {meaning}; choose another" if meaning else "use a word that is not a function"
                raise FieldError(f"'{key}' cannot name a table: {why}")
            names.tables[key] = normal_form(table, system.scope, late=False).table(key)
    for name, definition in file.definitions.items():
        names.define(name, definition)
    for section in ("blocks", "loads"):
        _begin_sources(system, section, file.__dict__[section], names)
    stops = {name: (name, stop) for name, stop in file.stops.items()}
    _begin_sources(system, "stops", stops, names)
    for name, spec in file.bodies.items():
        stated = located.find(("bodies", name, "on"))[1][-1] == "on"
        system.begin_body(full(name), spec if stated or not inclusion.mount else replace(spec, parent=inclusion.mount))
    for key, (own, element) in file.constraints.items():
        if element.joint is not None and (name := key if isinstance(key, str) else own):
            with _at("constraints", key):
                system.begin_closure(full(name), element)
    for name, element in file.sampled.items():
        system.begin_sampled(full(name), element)
    finish = dict.fromkeys(file.states, system.finish_state) | dict.fromkeys(file.filters, system.finish_filter)
    late = [name for name, read in finish.items() if not _is_read(read, full(name))]
    for name in file.bodies:
        system.finish_body(full(name))
        spec = file.bodies[name]
        warn_of_rotation(f"body '{name}'", spec.orient)
        warn_of_joint(f"body '{name}'", spec.joint)
    for name, include in file.include.items():
        with within("include", name):
            _include(system, name, include, source, inclusion)
    for name, spec in file.bodies.items():
        if spec.coupling is not None:
            system.finish_coupling(full(name), full(name), spec.coupling)
    for name, material in file.materials.items():
        with within("materials", name):
            read = normal_form(material, system.scope, late=False)
            system.share_material(replace(read, name=name))
    for name, contact in file.contacts.items():
        with _at("contacts", name):
            system.add(contact, name)
    _add(system, "constraints", file.constraints)
    for name in late:
        with within("filters", name) if name in file.filters else nullcontext():
            finish[name](full(name))
    if not inclusion.mount:
        system.gravity = file.gravity
    _add(system, "blocks", file.blocks)
    _add(system, "loads", file.loads)
    _add(system, "stops", stops)
    for name, output in file.outputs.items():
        if isinstance(output, OutputSpec):
            with _at("outputs", name, "value"):
                system.output(name, output.value, output.unit)
        else:
            system.output(name, output)
    for name in file.sampled:
        system.finish_sampled(full(name))
    for name in [*names.waiting]:
        names.get(name)  # reads the definitions that nothing uses


def _include(system: ModelBuilder, name: str, include: Include, source: ModelSource, inclusion: Inclusion) -> None:
    """Add the elements of another file as a component."""
    inner = _included(include, source, inclusion)
    if "gravity" in inner.located.root:
        raise inner.located.error("a component has no gravity of its own; leave it out here", "gravity")
    values = dict[str, Any]()
    for parameter, value in dict(include.parameters).items():
        with within("parameters", parameter):
            if parameter not in inner.file.parameters:
                hint = suggest(parameter, [*inner.file.parameters])
                raise FieldError(f"'{parameter}' is not a parameter of {include.file}. {hint}")
            values[parameter] = Constant.read(value, system.scope)
    mount = BodySpec(parent=include.on, at=include.at, orient=include.orient)
    outer, scope = system.prefixes.absolute(f"{name}.mount"), system.scope
    system.begin_body(outer, mount)
    system.finish_body(outer)
    if len(system.bodies) + len(inner.file.bodies) > limits.BODIES:
        raise FieldError(f"with it the system has more than {limits.BODIES} bodies", "file")
    chain = (*inclusion.chain, inner.located.file)
    try:
        with system.component(name):
            _build(system, inner, Inclusion(chain, inclusion.folder, "mount", values))
    except FileError:
        raise
    except (FreebodyError, ArithmeticError, ValueError) as error:
        raise inner.located.wrong(error) from None
    finally:
        system.scope = scope


def _included(include: Include, source: ModelSource, inclusion: Inclusion) -> ModelSource:
    """The file that is included, which lies in the folder of the file that is read, or below it."""
    with within("file"):
        if source.folder is None or inclusion.folder is None:
            raise FieldError(
                f"a model that is read from text has no folder in which '{include.file}' could lie; save the text as a"
                " file beside it"
            )
        require_inside(include.file)
        path, root = source.folder / include.file, inclusion.folder.resolve()
        if not path.resolve().is_relative_to(root):
            raise FieldError(
                f"'{include.file}' is a link to a file outside the folder of the model file; copy it there"
            )
        name = os.fspath(path)
        if any(Path(one).resolve() == path.resolve() for one in inclusion.chain):
            cycle = " → ".join(Path(one).name for one in (*inclusion.chain, name))
            raise FieldError(f"these files include each other: {cycle}; leave one of these out")
        if len(inclusion.chain) >= limits.DEPTH:
            raise FieldError(f"more than {limits.DEPTH} files include one another")
        try:
            text = limits.contents(path)
        except FileError as error:
            raise FieldError(f"{include.file}: {error.message}") from None
    return _source(text, name, path.parent)


def _begin_sources(
    system: ModelBuilder, section: str, elements: Mapping[Any, tuple[str, Any]], names: "FileNames"
) -> None:
    """Declare the signals of blocks and actuators that have names, so that everything may read them."""
    for key, (own, element) in elements.items():
        name = key if isinstance(key, str) else own
        if name and isinstance(element, SignalBlock | Load) and isinstance(element, SignalSource):
            with _at(section, key):
                system.begin_source(element, name)
                names.require_no_definition(name, section)


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
        self, names: RelativeNames, located: LocatedData, tables: dict[str, Table], outer: "FileNames | None" = None
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

    def require_no_definition(self, name: str, section: str) -> None:
        """Raise if a definition has the name of a block or an actuator."""
        if name in self.order:
            raise FieldError("a definition has the same name; choose another", section, name)

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
