"""The scope of a system: texts are of its own names."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from freebody.model.kinds import Scope
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse
from freebody.scalar.symbol import Kind

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
        return self.system.tidy(given, "a scalar is needed here")

    def _known(self) -> Mapping[str, int] | None:
        """What texts may use besides the symbols of the graph, and these then too."""
        if not self.names:
            return None
        g = self.graph
        found = {s.name: h for s in g.symbols if s.kind is not Kind.INTERMEDIATE and (h := g.named(s.name)) is not None}
        return {**found, **{name: x.handle for name, x in self.names.items()}}

    def inner(self, names: Mapping[str, Expr]) -> Scope:
        return Texts(self.system, {**self.names, **names})
