"""What expressions in a file may say: declared names, definitions, tables. Definitions are read when they are needed.

So a definition may use coordinates of bodies, and a body may use definitions, whatever stands first in the file; but a
definition may only use definitions above it, so that none needs itself.
"""

from collections.abc import ItemsView, Iterator, Mapping
from contextlib import contextmanager
from math import pi
from typing import Any

from freebody.errors import FileError, FreebodyError, Path
from freebody.io.lines import Places
from freebody.model.accelerations import Names
from freebody.model.system import reserved
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse
from freebody.scalar.symbol import Kind
from freebody.scalar.table import Table
from freebody.scalar.tokens import tokens

LOCAL = int(Kind.INTERMEDIATE)  # the bit of what has a value inside one law only


@contextmanager
def located(places: Places, *path: str | int) -> Iterator[None]:
    """Errors of the library as errors of the file: at this path, and then at the error's own."""
    try:
        yield
    except FileError:
        raise
    except ArithmeticError:
        raise places.error("the numbers here are too large to be computed with", *path) from None
    except (FreebodyError, ValueError) as error:
        raise places.wrong(error, *path) from None


class Scope(Mapping[str, int]):
    """The names of one graph and the definitions of one file (or of one law within), as nodes."""

    def __init__(self, names: Names, places: Places, tables: dict[str, Table], outer: "Scope | None" = None) -> None:
        self.names, self.places, self.tables, self.outer = names, places, tables, outer
        self.graph: Graph = names.graph
        self.known: dict[str, int] = {}
        self.waiting: dict[str, tuple[Any, Path]] = {}
        self.order: dict[str, int] = {}
        self.read: dict[str, int] = {}  # texts that were read

    def inner(self, names: Mapping[str, Expr]) -> "Scope":
        """A scope with some more names."""
        made = Scope(self.names, self.places, self.tables, self)
        made.known = {name: value.handle for name, value in names.items()}
        return made

    def define(self, name: str, given: Any, *path: str | int) -> None:
        """A definition: a number, a text, or {symbol: name}; read when it is first used."""
        if not name.isidentifier():
            raise self.places.error(f"{name!r} cannot name a definition: use letters, digits and underscores", *path)
        if reserved(name):
            raise self.places.error(f"'{name}' is {reserved(name)}; choose another for the definition", *path)
        if self.graph.named(name) is not None or name in self.tables or name in self.known:
            raise self.places.error(f"'{name}' is the name of something else; choose another for the definition", *path)
        self.order[name] = len(self.order)
        self.waiting[name] = given, path

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
        """Read a definition, those that it needs first; chains of them are too long for recursion."""
        todo = [name]
        while todo:
            if todo[-1] not in self.waiting:
                todo.pop()
                continue
            given, path = self.waiting[todo[-1]]
            needed = self._needed(todo[-1], given, path)
            if needed:
                todo += needed
                continue
            self.known[todo[-1]] = self._defined(given, path)
            del self.waiting[todo[-1]]

    def _needed(self, name: str, given: Any, path: Path) -> list[str]:
        """The definitions that one uses and that are not read yet."""
        if not isinstance(given, str):
            return []
        with located(self.places, *path):
            words = dict.fromkeys("".join(t.word.split()) for t in tokens(given) if t.kind == "name")
        for word in words:
            if word in self.order and self.order[word] >= self.order[name]:
                why = "itself" if word == name else f"'{word}', which is defined further down"
                raise self.places.error(f"it uses {why}; a definition may use those above it", *path)
        return [word for word in words if word in self.waiting]

    def _defined(self, given: Any, path: Path) -> int:
        if isinstance(given, str | int | float):
            made = self.scalar(given, *path)
            return made.handle if isinstance(made, Expr) else self.graph.const(made)
        found = self.names.get(given.symbol)
        if found is None:
            raise self.places.error(f"there is no symbol '{given.symbol}'", *path, "symbol")
        return found

    def finish(self) -> None:
        """Read the definitions that nobody used."""
        for name in [*self.waiting]:
            if name in self.waiting:
                self._resolve(name)

    # Values

    def scalar(self, given: Any, *path: str | int) -> Any:
        """A number as it is, a text as an expression."""
        with located(self.places, *path):
            return self.parsed(given)

    def parsed(self, given: Any) -> Any:
        """The same, for somebody who knows where it stands."""
        if not isinstance(given, str):
            return given
        if given not in self.read:
            self.read[given] = parse(self.graph, given, self, self.tables)
        return Expr(self.graph, self.read[given])

    def number(self, given: Any, *path: str | int) -> float:
        """A number, or a text of numbers alone."""
        if not isinstance(given, str):
            return float(given)
        with located(self.places, *path):
            value = self.graph.number(parse(self.graph, given, {}))
        if value is None:
            raise self.places.error("a number is needed here", *path)
        return float(value)
