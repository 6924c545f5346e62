"""The model: a mechanical system that no longer changes, and that everything else works on."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from freebody.model.accelerations import NameTable
from freebody.model.body import Recipe
from freebody.model.couplings import resolve_couplings, substitute_dependent
from freebody.model.declarations import State
from freebody.model.element import expressions, map_expressions
from freebody.model.fingerprint import Fingerprints, fingerprint
from freebody.model.loads import Load
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import transfer


@dataclass(frozen=True, eq=False)
class Model:
    """Elements by their names, whose scalars are numbers or nodes of one graph. ``System.freeze`` gives one whose graph
    is frozen: a derivation works in a fork of it, in which every handle means the same, so that nothing is copied.

    Couplings and prescribed motions are resolved there: a coupled joint follows one that is free, its ``coupling`` says
    how; no expression holds a coordinate, speed or acceleration that is coupled or prescribed. Outputs are scalars or
    vectors (tuples of ``Along``)."""

    name: str
    graph: Graph
    gravity: tuple[Any, Any, Any]  # along the ground's axes
    parameters: Mapping[str, float]  # their values
    inputs: Mapping[str, Expr]
    states: Mapping[str, State]
    bodies: Mapping[str, Recipe]  # parents first
    loads: Mapping[str, Load]
    outputs: Mapping[str, Any]

    def frozen(self) -> "Model":
        """The same in a frozen graph that holds all symbols, and of the other nodes those that are used, with couplings
        and prescribed motions resolved."""
        source, graph = self.graph, Graph()
        graph.symbol("t", Kind.TIME, "time", "s")
        symbols = [h for s in source.symbols if (h := source.named(s.name)) is not None]
        everything = self.gravity, self.inputs, self.states, self.bodies, self.loads, self.outputs
        nodes: Mapping[int, int] = transfer(source, [*symbols, *(x.handle for x in expressions(everything))], graph)

        def moved(value: Any) -> Any:
            return map_expressions(value, lambda x: Expr(graph, nodes[x.handle]))

        if any(r.coupling is not None or r.joint.motion is not None for r in self.bodies.values()):
            nodes = substitute_dependent(graph, moved(self.bodies), nodes)
        gravity, inputs, states, bodies, loads, outputs = map(moved, everything)
        sections = dict(self.parameters), inputs, states, resolve_couplings(bodies), loads, outputs
        graph.freeze()
        return Model(self.name, graph, gravity, *map(MappingProxyType, sections))

    @property
    def t(self) -> int:
        """The node of time."""
        return self.graph.symbol("t", Kind.TIME, "time", "s")

    def names(self, graph: Graph) -> NameTable:
        """The names that texts may use, as nodes of a fork of the graph."""
        return NameTable(graph, self.bodies.values)

    @cached_property
    def digest(self) -> str:
        """A fingerprint: equal for models described alike, in every process, whatever the order in which expressions
        were made. The order of parameters, inputs, states and bodies is that of the vectors they fill, and counts."""
        symbols = tuple(Expr(self.graph, h) for name in self.parameters if (h := self.graph.named(name)) is not None)
        sections = self.parameters, self.inputs, self.states, self.bodies, self.loads, self.outputs
        return fingerprint(self.name, Fingerprints(self.graph)((self.gravity, symbols, *sections)))
