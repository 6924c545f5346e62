"""The scope of a system: texts are of its own names."""

from collections import ChainMap
from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from freebody.errors import ExpressionError, FieldError
from freebody.model.accelerations import Names
from freebody.model.frames import frame_before
from freebody.model.kinds import Scope, described, suggest
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import LARGEST, exact
from freebody.scalar.parse import parse
from freebody.scalar.table import Table
from freebody.spatial.frame import Frame

if TYPE_CHECKING:
    from freebody.model.body import Reference
    from freebody.model.system import System


class Texts(Scope):
    """Reads scalars for a system's elements; ``names`` are known besides those of the system, ``tables`` besides the
    functions that all texts know."""

    def __init__(self, system: "System", names: Mapping[str, int] | None = None) -> None:
        self.system, self.names = system, Names(system) if names is None else names
        self.tables: Mapping[str, Table] = {}
        self.values: Mapping[str, float] = system.values
        self._read: dict[str, Any] = {}  # texts that were read

    @property
    def graph(self) -> Graph:
        return self.system.graph

    def scalar(self, given: Any) -> Any:
        if isinstance(given, str):
            made = self._read.get(given)
            if made is None:
                made = self._plain(parse(self.graph, given, self.names, self.tables))
                self._read[given] = made
            return made
        if (type(given) is float and isfinite(given)) or (type(given) is int and abs(given) <= LARGEST):
            return given
        if isinstance(given, Expr):
            if given.graph is not self.graph:
                raise FieldError(f"{given} belongs to another system")
            return self._plain(given.handle)
        try:
            return exact(given)
        except ExpressionError as error:
            raise FieldError(str(error)) from None

    def _plain(self, node: int) -> Any:
        number = self.graph.number(node)
        return Expr(self.graph, node) if number is None else number

    def body(self, name: Any) -> "Reference":
        return found_body(self.system, name)

    def frame(self, name: Any) -> Frame:
        return found_frame(self.system, name)

    def inner(self, names: Mapping[str, Expr]) -> "Texts":
        own = {name: x.handle for name, x in names.items()}
        made = Texts(self.system, ChainMap(own, self.names))  # type: ignore[arg-type]
        made.tables = self.tables
        return made


def found_body(system: "System", name: Any) -> "Reference":
    """The body of this name, or the ground."""
    if not isinstance(name, str):
        raise FieldError(f"a body or its name is needed, not {described(name)}")
    if name == "ground":
        return system.ground
    if name not in system.bodies:
        raise FieldError(f"'{name}' is no body. {suggest(name, ['ground', *system.bodies])}")
    return system.bodies[name]


def found_frame(system: "System", given: Any) -> Frame:
    """The frame of a body, or with ``@k`` behind its name the one k turns before."""
    if not isinstance(given, str):
        return found_body(system, given).frame
    name, at, back = given.rpartition("@")
    if given in system.bodies or not (at and back.isascii() and back.isdigit()):
        return found_body(system, given).frame
    return frame_before(found_body(system, name), int(back))
