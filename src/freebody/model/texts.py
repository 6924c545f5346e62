"""The scope of a system: texts are of its own names."""

from collections import ChainMap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from freebody.model.accelerations import Names
from freebody.model.kinds import Scope
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse

if TYPE_CHECKING:
    from freebody.model.system import System


class Texts:
    """Reads scalars for a system's elements; ``names`` are known besides those of the system."""

    def __init__(self, system: "System", names: Mapping[str, Expr] | None = None) -> None:
        self.system, self.names = system, names or {}
        self.graph: Graph = system.graph
        self.values: Mapping[str, float] = system.values

    def scalar(self, given: Any) -> Any:
        if isinstance(given, str):
            given = Expr(self.graph, parse(self.graph, given, self._known()))
        return self.system.tidy(given, "a scalar is needed here", accelerations=True)

    def _known(self) -> Mapping[str, int]:
        """What texts may use: the names given here, and those of the system."""
        own = {name: x.handle for name, x in self.names.items()}
        return ChainMap(own, Names(self.system))  # type: ignore[arg-type]

    def inner(self, names: Mapping[str, Expr]) -> Scope:
        return Texts(self.system, {**self.names, **names})
