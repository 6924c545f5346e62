"""What expressions in a file may say: declared names, definitions, tables. Definitions are read when they are needed.

So a definition may use coordinates of bodies, and a body may use definitions, whatever stands first in the file; but a
definition may only use definitions above it, so that none needs itself.
"""

from collections.abc import Container, ItemsView, Iterator, Mapping
from functools import cached_property
from math import pi
from typing import Any

from freebody.errors import FieldError, FileError, FreebodyError
from freebody.io.lines import Places
from freebody.model.accelerations import NameTable
from freebody.model.builder import ModelBuilder, reserved_meaning
from freebody.model.texts import SystemScope
from freebody.scalar.expr import Expr
from freebody.scalar.functions import Table
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse, tokens
from freebody.tree.motion import Motion, whole_motion


class FileScope(SystemScope):
    """Reads elements of a file: texts may use its definitions and tables, and vectors the motion of all bodies."""

    def __init__(
        self, system: ModelBuilder, names: "FileNames", further: Container[str], root: "FileScope | None" = None
    ) -> None:
        super().__init__(system, names)
        self.file_names, self.tables, self.further, self.root = names, names.tables, further, root or self

    def inner(self, names: Mapping[str, Expr]) -> "FileScope":
        return FileScope(self.system, self.file_names.inner(names), self.further, self.root)

    @property
    def motion(self) -> Motion:
        return self.root._motion

    @cached_property
    def _motion(self) -> Motion:
        """The motion of all bodies; asked for when they are there."""
        return whole_motion(self.system)


class FileNames(Mapping[str, int]):
    """The names of one graph and the definitions of one file, as nodes; or these and the arguments of one law."""

    def __init__(
        self, names: NameTable, places: Places, tables: dict[str, Table], outer: "FileNames | None" = None
    ) -> None:
        self.names, self.places, self.tables, self.outer = names, places, tables, outer
        self.graph: Graph = names.graph
        self.known: dict[str, int] = {}
        self.waiting: dict[str, Any] = {}
        self.order: dict[str, int] = {}

    def inner(self, names: Mapping[str, Expr]) -> "FileNames":
        """The same with some more names."""
        made = FileNames(self.names, self.places, self.tables, self)
        made.known = {name: value.handle for name, value in names.items()}
        return made

    def define(self, name: str, given: Any) -> None:
        """A definition: a number, a text, or a symbol by its name; read when it is first used."""
        if not name.isidentifier():
            raise self._error(f"{name!r} cannot name a definition: use letters, digits and underscores", name)
        if reserved_meaning(name):
            raise self._error(f"'{name}' is {reserved_meaning(name)}; choose another for the definition", name)
        if self.graph.named(name) is not None or name in self.tables or name in self.known:
            raise self._error(f"'{name}' is the name of something else; choose another for the definition", name)
        self.order[name] = len(self.order)
        self.waiting[name] = given

    def _error(self, message: str, *path: str | int) -> FileError:
        return self.places.error(message, "definitions", *path)

    # Names as nodes

    def __getitem__(self, name: str) -> int:
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

    def items(self) -> ItemsView[str, int]:
        """What is known by now; a look around reads no definition."""
        unread = self._unread
        return {name: self[name] for name in self if name not in unread}.items()

    @property
    def _unread(self) -> set[str]:
        return {*self.waiting, *(self.outer._unread if self.outer is not None else ())}

    def _resolve(self, name: str) -> None:
        """Read a definition, those that it needs first; chains of them are too long for recursion. An error is one of
        the definition, wherever it is used."""
        todo = [name]
        while todo:
            one = todo[-1]
            if one not in self.waiting:
                todo.pop()
                continue
            try:
                needed = self._needed(one)
                if needed:
                    todo += needed
                    continue
                self.known[one] = self._defined(self.waiting[one])
            except (FreebodyError, ArithmeticError) as error:
                raise self.places.wrong(error, "definitions", one) from None
            del self.waiting[one]

    def _needed(self, name: str) -> list[str]:
        """The definitions that one uses and that are not read yet."""
        given = self.waiting[name]
        if not isinstance(given, str):
            return []
        words = dict.fromkeys("".join(t.word.split()) for t in tokens(given) if t.kind == "name")
        for word in words:
            if word in self.order and self.order[word] >= self.order[name]:
                why = "itself" if word == name else f"'{word}', which is defined further down"
                raise self._error(f"it uses {why}; a definition may use those above it", name)
        return [word for word in words if word in self.waiting]

    def _defined(self, given: Any) -> int:
        if isinstance(given, str):
            return parse(self.graph, given, self, self.tables)
        if isinstance(given, int | float):
            return self.graph.const(given)
        found = self.names.get(given.symbol)
        if found is None:
            raise FieldError(f"there is no symbol '{given.symbol}'", "symbol")
        return found

    def finish(self) -> None:
        """Read the definitions that nobody used."""
        for name in [*self.waiting]:
            if name in self.waiting:
                self._resolve(name)
