"""Signals: values by name that blocks and actuators compute, and extra states of theirs, ``NAME.state``.

In a system a signal is a symbol, which every text and expression may use, whatever is added first. In its model, from
which equations are derived, each symbol is replaced by its value, and the signal is an output of the same name.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from freebody.errors import ModelError
from freebody.model.declarations import State
from freebody.model.element import expressions, map_expressions, with_fields
from freebody.model.outputs import OutputSpec
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute, symbols_of, transfer

if TYPE_CHECKING:
    from freebody.model.model import Model
    from freebody.model.placed import PlacedBodies
    from freebody.model.sampled.base import Sampled
    from freebody.model.vectors import PointSpec


class OwnState(NamedTuple):
    """An extra state of an element: what follows its name, and its initial value."""

    suffix: str
    initial: float = 0.0
    unit: str = ""
    description: str = ""


class OwnSignal(NamedTuple):
    """A signal of an element: what follows its name, nothing for the signal that has the name of the element. One that
    is not ``shown`` serves the element's own wrenches and is no output."""

    suffix: str
    unit: str = ""
    description: str = ""
    shown: bool = True


class SignalView:
    """What the laws of signals see: scalars of fields as expressions of one graph, and distances of points."""

    def __init__(self, graph: Graph, bodies: Mapping[str, Any], parameters: Mapping[str, float]) -> None:
        self.graph, self._bodies, self.parameters = graph, bodies, parameters
        self._placed: PlacedBodies | None = None

    def scalar(self, value: Any) -> Expr:
        return value if isinstance(value, Expr) else Expr(self.graph, self.graph.const(value))

    @property
    def time(self) -> Expr:
        return Expr(self.graph, self.graph.symbol("t", Kind.TIME, "time", "s"))

    def symbol(self, name: str) -> Expr:
        """A symbol that has been declared."""
        node = self.graph.named(name)
        assert node is not None, name
        return Expr(self.graph, node)

    @property
    def placed(self) -> "PlacedBodies":
        """All bodies, placed when they are first needed."""
        from freebody.model.placed import PlacedBodies

        if self._placed is None:
            self._placed = PlacedBodies(self.graph)
            for spec in self._bodies.values():
                self._placed.add(with_fields(spec, {"coupling": None}))
        return self._placed

    def span(self, start: "PointSpec", end: "PointSpec") -> tuple[Expr, Expr]:
        """The distance of two points and its rate."""
        from freebody.model.constraints.cut_joint import position_and_twist  # constraints import loads, which have this

        position, twist = position_and_twist(self.placed.point(start), self.placed.point(end))
        length = position.norm()
        return length, (position / length).dot(twist.linear)


class SignalSource(ABC):
    """A block or an actuator. What it declares follows from its fields that are read before coordinates exist; ``laws``
    returns the rates of its states and the values of its signals, in order. With a ``group`` its symbols are
    ``GROUP.NAME.…``, and runs record its signals as variables of this group."""

    name: Any
    symbols: Any
    group: ClassVar[str] = ""

    def own_states(self) -> Sequence[OwnState]:
        return ()

    @abstractmethod
    def own_signals(self) -> Sequence[OwnSignal]: ...

    @abstractmethod
    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]: ...

    def known_units(self, view: SignalView) -> Mapping[str, str]:
        """Units of signals that follow from the system, by what follows the name."""
        return {}

    def held_elements(self, view: SignalView) -> "Mapping[str, Sampled]":
        """Sampled elements whose held values its laws use."""
        return {}

    def armatures(self) -> Mapping[str, Any]:
        """Inertias that it adds to the speeds of joints, by the name of the body."""
        return {}

    @property
    def symbol_names(self) -> list[str]:
        """The names of all its symbols, states first."""
        return [self.full_name(one.suffix) for one in self._own()]

    def full_name(self, suffix: str) -> str:
        """The name of one of its symbols."""
        return ".".join(part for part in (self.group, self.name, suffix) if part)

    def _own(self) -> list[OwnState | OwnSignal]:
        return [*self.own_states(), *self.own_signals()]

    def __getitem__(self, suffix: str) -> Expr:
        """A state or a signal, as an expression of the system to which it was added: ``motor["current"]``."""
        known = {one.suffix: k for k, one in enumerate(self._own())}
        if self.symbols is None:
            raise ModelError("it belongs to no system yet; add it with system.add(…), which returns what has signals")
        if suffix not in known:
            listed = ", ".join(repr(name) for name in known)
            raise ModelError(f"'{self.name}' has no signal {suffix!r}; it has {listed}")
        symbol: Expr = self.symbols[known[suffix]]
        return symbol

    def own(self, view: SignalView, suffix: str) -> Expr:
        """One of its symbols in the graph of its laws."""
        return view.symbol(self.full_name(suffix))


def declare_symbols(element: SignalSource, graph: Graph) -> tuple[Expr, ...]:
    """Declare the symbols of an element's states and signals."""
    symbols = list[Expr]()
    for own in (element.own_states(), element.own_signals()):
        for one in own:
            name = element.full_name(one.suffix)
            symbols.append(Expr(graph, graph.symbol(name, Kind.STATE, one.description, one.unit)))
    return tuple(symbols)


def lowered(model: "Model") -> "tuple[Model, frozenset[str]]":
    """The model with the states and the outputs of its blocks and actuators, in a graph that begins with that of the
    model, and the names of the signals, which are symbols no more."""
    elements = [one for one in (*model.blocks.values(), *model.loads.values()) if isinstance(one, SignalSource)]
    if not elements:
        return model, frozenset()
    graph = model.graph.fork()

    def moved(value: Any) -> Any:
        return map_expressions(value, lambda x: Expr(graph, x.handle))

    view, bodies = SignalView(graph, moved(model.bodies), model.parameters), dict(moved(model.bodies))
    states, values, units, hidden = dict[str, State](), dict[str, Expr](), dict[str, str](), set[str]()
    sampled: Mapping[str, Any] = moved(model.sampled)
    for element in map(moved, elements):
        sampled = {**sampled, **_declare_held(element.held_elements(view), graph)}
        rates, laws = element.laws(view)
        for own, rate in zip(element.own_states(), rates, strict=True):
            fields = {"initial": own.initial, "unit": own.unit, "description": own.description}
            symbol = element.own(view, own.suffix)
            states[element.full_name(own.suffix)] = State(symbol=symbol, rate=view.scalar(rate), **fields)
        known = element.known_units(view)
        for signal, law in zip(element.own_signals(), laws, strict=True):
            name = element.full_name(signal.suffix)
            values[name], units[name] = view.scalar(law), known.get(signal.suffix, signal.unit)
            hidden |= set() if signal.shown else {name}
        for body, inertia in element.armatures().items():
            joint = bodies[body].joint
            joint = with_fields(joint, {"armature": view.scalar(inertia) + joint.armature})
            bodies[body] = with_fields(bodies[body], {"joint": joint})
    nodes = _resolve(graph, values)
    outputs = {
        name: OutputSpec(Expr(graph, nodes[view.symbol(name).handle]), unit)
        for name, unit in units.items()
        if name not in hidden
    }
    whole = replace(
        model,
        graph=graph,
        gravity=moved(model.gravity),
        inputs=moved(model.inputs),
        states={**moved(model.states), **states},
        bodies=bodies,
        loads=moved(model.loads),
        constraints=moved(model.constraints),
        outputs={**moved(model.outputs), **outputs},
        sampled=sampled,
        blocks={},
    )
    return _substituted(whole, nodes), frozenset(values)


def _declare_held(elements: "Mapping[str, Sampled]", graph: Graph) -> "Mapping[str, Sampled]":
    """The elements, when what they hold has symbols."""
    for element in elements.values():
        for name in element.held:
            graph.symbol(name, Kind.INPUT)
    return elements


def _resolve(graph: Graph, values: Mapping[str, Expr]) -> dict[Node, Node]:
    """The nodes that stand for the symbols of signals: values without such symbols. Raises for a loop of signals each
    of which needs the next one at the same instant."""
    symbols = {graph.named(name): name for name in values}
    uses = {name: [symbols[i] for i in symbols_of(graph, [x.handle]) if i in symbols] for name, x in values.items()}
    done, nodes = set[str](), dict[Node, Node]()
    for first in values:
        stack = [first]
        while stack:
            name = stack[-1]
            if name in done:
                stack.pop()
                continue
            waiting = [other for other in uses[name] if other not in done]
            if not waiting:
                own = graph.named(name)
                assert own is not None
                (nodes[own],) = substitute(graph, [values[name].handle], nodes)
                done.add(name)
                stack.pop()
            elif waiting[0] in stack:
                cycle = [*stack[stack.index(waiting[0]) :], waiting[0]]
                raise ModelError(
                    f"the signals {' → '.join(cycle)} need each other at the same instant (an algebraic loop: each"
                    " reads the next one). Put a block with a state between them, such as fb.Lag, or let one of them"
                    " read a state"
                )
            else:
                stack.append(waiting[0])
    return nodes


def _substituted(model: "Model", nodes: Mapping[Node, Node]) -> "Model":
    """The model with values in place of the symbols of signals."""
    graph, names = model.graph, ("gravity", "inputs", "states", "bodies", "loads", "constraints", "outputs", "sampled")
    sections = tuple(model.__dict__[name] for name in names)
    roots = [x.handle for x in expressions(sections)]
    new = transfer(graph, [i for i in roots if i not in nodes], graph, nodes)
    changed = map_expressions(sections, lambda x: Expr(graph, new[x.handle]))
    return replace(model, **dict(zip(names, changed, strict=True)))
