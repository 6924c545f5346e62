"""A reader for joints that belong to no system: texts are of the graph's symbols."""

from collections.abc import Mapping
from typing import Any

from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.parse import CONSTANTS, FUNCTIONS, parse
from freebody.scalar.symbol import Kind
from freebody.scalar.tokens import tokens
from freebody.spatial.vector import handle


class Bare:
    """Reads texts in a graph. With ``declare`` names that nobody knows are parameters."""

    def __init__(self, graph: Graph, declare: bool = False) -> None:
        self.graph, self.declare = graph, declare
        self.values: Mapping[str, float] = {}

    def constant(self, value: Any, who: str) -> Any:
        return self.scalar(value, who, {})

    def scalar(self, value: Any, who: str, names: Mapping[str, Expr]) -> Any:
        g = self.graph
        if not isinstance(value, str):
            made = handle(g, value, who)
        else:
            if self.declare:
                self._declare(value, names)
            known = {s.name: h for s in g.symbols if (h := g.named(s.name)) is not None}
            made = parse(g, value, {**known, **{name: x.handle for name, x in names.items()}}, who=who)
        number = g.number(made)
        return Expr(g, made) if number is None else number

    def _declare(self, text: str, names: Mapping[str, Expr]) -> None:
        words = [token.word for token in tokens(text) if token.kind == "name"]
        for word in words:
            if word not in {*names, *CONSTANTS, *FUNCTIONS} and self.graph.named(word) is None:
                self.graph.symbol(word, Kind.PARAMETER)
