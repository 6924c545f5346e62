"""What joints say in texts, read as the system reads it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from freebody.errors import ModelError
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind

if TYPE_CHECKING:
    from freebody.model.system import System


class Texts:
    """A joint's reader: texts are of the system's own names."""

    def __init__(self, system: "System") -> None:
        self.system = system
        self.graph: Graph = system.graph
        self.values: Mapping[str, float] = system.values

    def constant(self, value: Any, who: str) -> Any:
        """A number, or an expression of parameters."""
        made = self.system.tidy(value, who)
        if isinstance(made, Expr) and self.graph.mask[made.handle] > PARAMETERS_ONLY:
            raise ModelError(f"{who} may depend on numbers and parameters only, not on {made}")
        return made

    def scalar(self, value: Any, who: str, names: Mapping[str, Expr]) -> Any:
        """A number or an expression; texts may use these names besides all others."""
        if not isinstance(value, str):
            return self.system.tidy(value, who)
        g = self.graph
        known = {s.name: h for s in g.symbols
                 if s.kind is not Kind.INTERMEDIATE and (h := g.named(s.name)) is not None}  # fmt: skip
        made = parse(g, value, {**known, **{name: x.handle for name, x in names.items()}}, who=who)
        return self.system.tidy(Expr(g, made), who)
