"""The scope of a system: texts are of its own names."""

from collections import ChainMap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from freebody.errors import FieldError
from freebody.model.accelerations import Names
from freebody.model.frames import frame_before
from freebody.model.kinds import Scope, described, suggest
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse
from freebody.spatial.frame import Frame

if TYPE_CHECKING:
    from freebody.model.body import Reference
    from freebody.model.system import System


class Texts(Scope):
    """Reads scalars for a system's elements; ``names`` are known besides those of the system."""

    def __init__(self, system: "System", names: Mapping[str, Expr] | None = None) -> None:
        self.system, self.names = system, names or {}
        self.values: Mapping[str, float] = system.values

    @property
    def graph(self) -> Graph:
        return self.system.graph

    def scalar(self, given: Any) -> Any:
        if isinstance(given, str):
            given = Expr(self.graph, parse(self.graph, given, self._known()))
        return self.system.tidy(given, "a scalar is needed here", accelerations=True)

    def _known(self) -> Mapping[str, int]:
        """What texts may use: the names given here, and those of the system."""
        own = {name: x.handle for name, x in self.names.items()}
        return ChainMap(own, Names(self.system))  # type: ignore[arg-type]

    def body(self, name: Any) -> "Reference":
        return found_body(self.system, name)

    def frame(self, name: Any) -> Frame:
        return found_frame(self.system, name)

    def inner(self, names: Mapping[str, Expr]) -> Scope:
        return Texts(self.system, {**self.names, **names})


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
