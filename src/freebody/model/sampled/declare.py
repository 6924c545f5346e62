"""What sampled elements need of a system that is built: names for what they hold, inputs that they may write, and
outputs by name."""

from collections.abc import Callable, Mapping

from freebody.errors import FieldError
from freebody.model.kinds import suggest
from freebody.model.outputs import OutputSpec
from freebody.model.placed import PlacedBodies
from freebody.model.sampled.base import SEED, Sampled
from freebody.names import SINCE, companions
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.spatial.vector import components


def declare_held(element: Sampled, graph: Graph, require_free: Callable[[str, bool], None]) -> None:
    """Declare the symbols of what an element holds; texts use the names of what runs record."""
    known = {value.name: value for value in element.own_values}
    for name in element.held:
        require_free(name, name in known and known[name].shown)
    for name in element.held:
        value = known.get(name)
        graph.symbol(name, Kind.INPUT, value.description if value else "")
    if element.is_random:
        graph.symbol(SEED, Kind.INPUT, "of all random numbers")


def require_writable(element: Sampled, inputs: Mapping[str, Expr], others: Mapping[str, Sampled]) -> None:
    """Raise if an element writes what is not an input, or what another element writes."""
    for name in element.inputs:
        if name not in inputs:
            raise FieldError(
                f"'{name}' is not an input of the system. {suggest(name, [*inputs])} What only other controllers read"
                " is a state, states={…}",
                "law",
            )
        if moved := next((one for one in inputs if f"{one}.{SINCE}" in inputs and name in (one, *companions(one))), ""):
            raise FieldError(
                f"input '{moved}' has rates, which would not fit values that change at samples: write the signal of a"
                f" filter, motion=s.filter('smooth', 'command', frequency=5)",
                "law",
            )
        writer = next((other.name for other in others.values() if name in other.inputs), "")
        if writer:
            raise FieldError(f"input '{name}' is written by '{writer}' already; an input has one writer", "law")


def output_names(outputs: Mapping[str, OutputSpec], placed: PlacedBodies) -> dict[str, Expr]:
    """The scalars of outputs, by their names in texts: those of vectors along the ground's axes."""
    g, names = placed.graph, dict[str, Expr]()
    for name, output in outputs.items():
        if output.is_vector:
            parts = [Expr(g, node) for node in components(placed.vector(output.value), placed.ground.frame)]
        else:
            parts = [output.value if isinstance(output.value, Expr) else Expr(g, g.const(output.value))]
        names |= {name + part: x for part, x in zip(output.names, parts, strict=True)}
    return names
