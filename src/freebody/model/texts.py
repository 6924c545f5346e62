"""The scope of a system: texts are of its own names."""

from collections import ChainMap
from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from freebody.errors import ExpressionError, FieldError
from freebody.model.body import Reference
from freebody.model.kinds import Scope, describe, suggest
from freebody.model.placed import FrameAddress
from freebody.scalar.expr import Expr
from freebody.scalar.functions import Table
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import LARGEST, exact
from freebody.scalar.parse import parse
from freebody.spatial.frame import Frame

if TYPE_CHECKING:
    from freebody.model.builder import ModelBuilder


class SystemScope(Scope):
    """Reads scalars for a system's elements; ``names`` are known besides those of the system, ``tables`` besides the
    functions that all texts know."""

    def __init__(self, system: "ModelBuilder", names: Mapping[str, int] | None = None) -> None:
        self.system, self.names = system, system.names if names is None else names
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

    def body(self, given: Any) -> Reference:
        return found_body(self.system, given)

    def frame(self, given: Any) -> Frame:
        return found_frame(self.system, given)

    def address(self, frame: Frame) -> FrameAddress:
        return self.system.placed.address(frame)

    def inner(self, names: Mapping[str, Expr]) -> "SystemScope":
        own = {name: x.handle for name, x in names.items()}
        made = SystemScope(self.system, ChainMap(own, self.names))  # type: ignore[arg-type]
        made.tables = self.tables
        return made


def found_body(system: "ModelBuilder", given: Any) -> Reference:
    """The body of this name, or the ground; a body itself, if it is one of the system's."""
    if isinstance(given, Reference):
        if given.graph is not system.graph:
            raise FieldError(f"{given!r} belongs to another system")
        return given
    if not isinstance(given, str):
        raise FieldError(f"a body or its name is needed, not {describe(given)}")
    if given == "ground":
        return system.ground
    if given not in system.bodies:
        raise FieldError(f"'{given}' is not a body. {suggest(given, ['ground', *system.bodies])}")
    return system.bodies[given]


def found_frame(system: "ModelBuilder", given: Any) -> Frame:
    """The frame of a body, or with ``@k`` behind its name the one k turns before; the frame of an address."""
    if isinstance(given, FrameAddress):
        return system.placed.frame(given)
    if not isinstance(given, str):
        return found_body(system, given).frame
    name, at, back = given.rpartition("@")
    if given in system.bodies or not (at and back.isascii() and back.isdigit()):
        return found_body(system, given).frame
    return system.placed.frame_before(found_body(system, name), int(back))
