"""The scope of joints that belong to no system: texts are of the graph's symbols."""

from collections.abc import Mapping
from typing import Any

from freebody.model.kinds import Scope
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.parse import CONSTANTS, FUNCTIONS, parse, tokens
from freebody.scalar.symbol import Kind
from freebody.spatial.vector import handle


class Bare(Scope):
    """Reads texts in a graph. With ``declare`` names that nobody knows are parameters."""

    def __init__(self, graph: Graph, declare: bool = False, names: Mapping[str, Expr] | None = None) -> None:
        self._graph, self.declare, self.names = graph, declare, names or {}

    @property
    def graph(self) -> Graph:
        return self._graph

    def scalar(self, given: Any) -> Any:
        g = self.graph
        if not isinstance(given, str):
            made = handle(g, given, "a scalar is needed here")
        else:
            if self.declare:
                self._declare(given)
            known = {s.name: h for s in g.symbols if (h := g.named(s.name)) is not None}
            made = parse(g, given, {**known, **{name: x.handle for name, x in self.names.items()}})
        number = g.number(made)
        return Expr(g, made) if number is None else number

    def inner(self, names: Mapping[str, Expr]) -> Scope:
        return Bare(self.graph, self.declare, {**self.names, **names})

    def _declare(self, text: str) -> None:
        words = [token.word for token in tokens(text) if token.kind == "name"]
        for word in words:
            if word not in {*self.names, *CONSTANTS, *FUNCTIONS} and self.graph.named(word) is None:
                self.graph.symbol(word, Kind.PARAMETER)
