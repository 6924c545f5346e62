"""The model: a mechanical system that does not change any more, from which equations are derived; and its digest."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from numbers import Real
from types import MappingProxyType
from typing import Any

import numpy as np

from freebody.model.accelerations import NameTable
from freebody.model.blocks import SignalBlock
from freebody.model.body import BodySpec, Point
from freebody.model.constraints import Constraint, PointContact
from freebody.model.contact.contact import Contact
from freebody.model.contact.joint_stop import JointStop
from freebody.model.couplings import resolve_couplings, substitute_dependent
from freebody.model.cut_coordinates import cut_coordinates
from freebody.model.declarations import State
from freebody.model.element import Element, expressions, field_table, map_expressions
from freebody.model.loads import Load
from freebody.model.outputs import OutputSpec
from freebody.model.placed import PlacedBodies
from freebody.model.sampled.base import Sampled, held_values, in_order
from freebody.model.signals import SignalSource, lowered
from freebody.model.vectors import Components
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node, all_nodes
from freebody.scalar.numbers import exact
from freebody.scalar.ops import ADD, CALL, CONST, DIV, MUL, NEG, OPS, SUB, SYMBOL, TABLE
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import operands, symbols_of, transfer
from freebody.tables import CELL, counted, shorten


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """Elements by name, whose scalars are numbers or nodes of one graph. The model that ``System.freeze`` returns has a
    frozen graph: a derivation works in a fork of it, in which all handles keep their meaning, so nothing is copied.

    In that model couplings and prescribed motions are resolved: a coupled joint is coupled to a free one, and no
    expression contains a coordinate, speed or acceleration that is coupled or prescribed. Coordinates of joints that
    close loops are expressions, or extra states (``cut_coordinates``). Outputs are scalars or
    vectors (tuples of ``Components``)."""

    name: str
    graph: Graph
    gravity: tuple[Any, Any, Any]  # along the ground's axes
    parameters: Mapping[str, float]  # their values
    inputs: Mapping[str, Expr]
    states: Mapping[str, State]
    bodies: Mapping[str, BodySpec]  # parents first
    loads: Mapping[str, Load]
    constraints: Mapping[str, Constraint]
    outputs: Mapping[str, OutputSpec]
    sampled: Mapping[str, Sampled] = field(default_factory=lambda: MappingProxyType({}))
    blocks: Mapping[str, SignalBlock] = field(default_factory=dict)  # none where they are states and outputs already

    def __reduce__(self) -> tuple[Any, ...]:
        parts = [self.__dict__[f.name] for f in fields(self)]
        return _restored, tuple(dict(part) if isinstance(part, Mapping) else part for part in parts)

    def __copy__(self) -> "Model":
        return self

    def __deepcopy__(self, memo: object) -> "Model":
        return self

    def frozen(self, cut: bool = True) -> "Model":
        """The model in a frozen graph that has all symbols and only those other nodes that are used, with couplings and
        prescribed motions resolved. Without ``cut``, coordinates of joints that close loops and signals of blocks stay
        symbols."""
        if cut and (self.blocks or [load for load in self.loads.values() if isinstance(load, SignalSource)]):
            model, signals = lowered(self)
            return model._frozen(cut, signals)
        return self._frozen(cut)

    def _frozen(self, cut: bool, without: Collection[str] = ()) -> "Model":
        """The same, without symbols of some names."""
        source, graph = self.graph, Graph()
        graph.descend_from(source)
        graph.symbol("t", Kind.TIME, "time", "s")
        for name in self.switched:
            graph.symbol(name, Kind.INPUT)
        for name in held_values(self.sampled):
            symbol = source.symbol_named(name)
            graph.symbol(name, Kind.INPUT, symbol.description, symbol.unit)
        symbols = [h for s in source.symbols if s.name not in without and (h := source.named(s.name)) is not None]
        sections = self.inputs, self.states, self.bodies, self.loads, self.constraints, self.outputs, self.sampled
        everything = self.gravity, *sections, self.blocks
        nodes: Mapping[Node, Node] = transfer(source, [*symbols, *(x.handle for x in expressions(everything))], graph)

        def transferred(value: Any) -> Any:
            return map_expressions(value, lambda x: Expr(graph, nodes[x.handle]))

        def rates(known: Mapping[Node, Node]) -> dict[Node, Node]:
            return {known[x]: known[rate] for x, rate in source.rates.items() if x in known and rate in known}

        graph.rates = rates(nodes)
        if any(r.coupling is not None or r.joint.motion is not None for r in self.bodies.values()):
            nodes = substitute_dependent(graph, transferred(self.bodies), nodes)
        cut_states = dict[str, State]()
        if cut and self.constraints:
            used = set(symbols_of(graph, [nodes[x.handle] for x in expressions(everything)]))
            bodies, constraints = resolve_couplings(transferred(self.bodies)), transferred(self.constraints)
            coordinates = cut_coordinates(graph, bodies, constraints, self.parameters, used)
            cut_states = coordinates.states
            if used & coordinates.symbols.keys():
                substituted = transfer(graph, list(nodes.values()), graph, coordinates.symbols)
                nodes = {old: substituted[new] for old, new in nodes.items()}
        gravity, inputs, states, bodies, *others = map(transferred, everything)
        states = {**states, **cut_states}
        graph.rates = rates(nodes) | {z.symbol.handle: z.rate.handle for z in states.values() if z.symbol is not None}
        own = dict(self.parameters), inputs, states, resolve_couplings(bodies), *others
        graph.freeze()
        return Model(self.name, graph, gravity, *map(MappingProxyType, own))

    def reaction_point(self, name: str, placed: PlacedBodies) -> Point | None:
        """The point at which the reaction of the joint of a body, or of a constraint, is reported: on the body of the
        joint, or the second one of the constraint."""
        constraint = self.constraints.get(name)
        return placed.body(name).origin if constraint is None else constraint.reaction_point(placed)

    @property
    def omitted(self) -> tuple[str, ...]:
        """The coordinates that are not states."""
        return tuple(name for spec in self.bodies.values() for name in spec.omitted)

    def omitting(self, names: Collection[str]) -> "Model":
        """The same system without these coordinates among its states: their symbols stay, and speeds are as before."""
        bodies = {
            body: replace(spec, omitted=tuple(name for name in spec.names[0] if name in names))
            for body, spec in self.bodies.items()
        }
        return replace(self, bodies=MappingProxyType(bodies))

    @property
    def point_contacts(self) -> dict[str, PointContact]:
        """The contacts of points with exact impacts, by name."""
        return {name: c for name, c in self.constraints.items() if isinstance(c, PointContact)}

    @property
    def contacts(self) -> dict[str, Contact]:
        """The contacts among the loads, by name, in the order in which they were declared."""
        return {name: load for name, load in self.loads.items() if isinstance(load, Contact)}

    @property
    def joint_stops(self) -> dict[str, JointStop]:
        """The stops of joints among the loads, by name."""
        return {name: load for name, load in self.loads.items() if isinstance(load, JointStop)}

    @cached_property
    def driving(self) -> tuple[str, ...]:
        """The inputs that have rates."""
        rates = self.graph.rates
        return tuple(n for n, x in self.inputs.items() if rates.get(x.handle) in rates)

    @cached_property
    def held(self) -> dict[str, float]:
        """The values that change at instants only, with their initial values: flags and captured poses of constraints,
        then what sampled elements hold. In the group of inputs they are behind those of the user."""
        return self.switched | held_values(self.sampled)

    @cached_property
    def switched(self) -> dict[str, float]:
        """Flags and captured poses of constraints, with their initial values."""
        return {name: value for c in self.constraints.values() for name, value in c.held().items()}

    @cached_property
    def internal(self) -> frozenset[str]:
        """The held values that readers are not shown: what is on its way through delays, the seed of random numbers."""
        elements = self.sampled.values()
        shown = {value.name for element in elements for value in element.own_values if value.shown}
        return frozenset(held_values(self.sampled)) - shown

    @cached_property
    def controlled(self) -> dict[str, Sampled]:
        """The sampled element that writes an input, by the name of the input."""
        return {name: element for element in self.sampled.values() for name in element.inputs}

    def __repr__(self) -> str:
        return f"<Model {shorten(self.name, CELL)}: {counted(len(self.bodies), 'body', 'bodies')}>"

    @property
    def t(self) -> Node:
        """The node of time."""
        return self.graph.symbol("t", Kind.TIME, "time", "s")

    def names(self, graph: Graph) -> NameTable:
        """The names that texts may use, as nodes of a fork of the graph."""
        return NameTable(graph, self.bodies.values, self.constraints)

    @cached_property
    def digest(self) -> str:
        """40 hexadecimal digits, equal for models with equal descriptions, in every process and whatever the order in
        which expressions were built. The order of the elements counts."""
        symbols = tuple(Expr(self.graph, h) for name in self.parameters if (h := self.graph.named(name)) is not None)
        outputs = {n: (o.value, o.unit) if o.unit else o.value for n, o in self.outputs.items()}
        sections = self.parameters, self.inputs, self.states, self.bodies, self.loads, outputs
        constraints = (self.constraints,) if self.constraints else ()
        omitted = (("omitted", self.omitted),) if self.omitted else ()
        sampled = (("sampled", {one.name: one for one in in_order(self.sampled)}),) if self.sampled else ()
        parts = self.gravity, symbols, *sections, *constraints, *omitted, *sampled
        return _hash(self.name, _Digester(self.graph).plain(parts))


def _restored(name: str, graph: Graph, gravity: tuple[Any, Any, Any], *sections: dict[str, Any]) -> Model:
    """A model that was pickled."""
    return Model(name, graph, gravity, *map(MappingProxyType, sections))


SignedHash = tuple[int, str]


def _hash(*parts: object) -> str:
    from hashlib import blake2b  # imports OpenSSL

    return blake2b(repr(parts).encode("utf-8", "backslashreplace"), digest_size=20).hexdigest()


class _Digester:
    """Hashes of the nodes of a graph that do not depend on the order in which nodes were built.

    A graph stores the operands of a + b and a·b in the order in which they were built, and of a − b and b − a the one
    that came first. So the operands of commuting operations are sorted by their hashes, and a sign is stored beside the
    hash: a − b and −(b − a) have equal hashes.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph, self.nodes = graph, list[SignedHash]()

    def plain(self, value: Any) -> Any:
        """A value as plain tuples with hashes for scalars. The order of the terms of a vector does not count."""
        if isinstance(value, Expr):
            for i in all_nodes(self.graph)[len(self.nodes) : value.handle + 1]:
                self.nodes.append(self._node(i))
            return self.nodes[value.handle]
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, tuple):
            parts = [self.plain(v) for v in value]
            return tuple(sorted(parts) if value and isinstance(value[0], Components) else parts)
        if isinstance(value, Element):
            fields = [f.name for f in field_table(type(value)).fields if not f.silent]
            name = type(value).__name__
            return (name, *((field, self.plain(value.__dict__[field])) for field in fields))
        if isinstance(value, Real):  # equal inside and outside of expressions
            number: Any = value
            number = exact(number) if abs(number) < float("inf") else number
            return (-1, _hash(-number)) if number < 0 else (1, _hash(number))
        if isinstance(value, Mapping):
            return tuple((key, self.plain(v)) for key, v in value.items())
        if isinstance(value, np.ndarray):
            return value.shape, value.dtype.str, _hash(value.tobytes())
        return value

    def _node(self, i: Node) -> SignedHash:
        """The hash of a node whose operands are known."""
        g, op = self.graph, self.graph.op[i]
        parts = [self.nodes[k] for k in operands(g, i)]
        if op == CONST:
            return 1, _hash(g.broken.get(i, g.numbers[g.a[i]]))
        if op == SYMBOL:
            symbol = g.symbols[g.a[i]]
            return 1, _hash((symbol.name, symbol.kind.name, symbol.description, symbol.unit))
        if op == NEG:
            return -parts[0][0], parts[0][1]
        if op in (ADD, SUB):  # the sign of the first term is factored out
            first, (sign, second) = parts
            (s, p), (t, q) = sorted((first, (sign if op == ADD else -sign, second)), key=lambda term: term[1])
            return s, _hash(ADD, p, s * t, q)
        if op in (MUL, DIV):
            hashes = [h for _, h in parts]
            return parts[0][0] * parts[1][0], _hash(op, *(sorted(hashes) if op == MUL else hashes))
        if OPS[op].odd or OPS[op].even:
            return parts[0][0] if OPS[op].odd else 1, _hash(op, parts[0][1])
        data: object = None
        if op == TABLE:
            table = g.tables[g.b[i]]
            rows = table.breaks, table.origins, *table.coefficients
            data = table.name, *([float(x) for x in row] for row in rows)
        elif op == CALL:  # functions of users count by name
            data = g.calls[g.a[i]][0].name
        return 1, _hash(op, data, *(sorted(parts) if OPS[op].commutes else parts))
