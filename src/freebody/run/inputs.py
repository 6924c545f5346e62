"""Parameters and inputs of a run: from numbers, texts, tables and functions to values and nodes of a graph."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cache, cached_property, partial
from numbers import Real
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from freebody.errors import ArgumentError, ExpressionError
from freebody.formulations.derivation import Derivation
from freebody.formulations.omission import ADVICE
from freebody.hybrid.variables import Variable
from freebody.model.accelerations import MULTIPLIER, REACTION, accelerations_in, refusal_of_accelerations
from freebody.model.constraints import Constraint
from freebody.model.kinds import is_curve
from freebody.model.sampled import Sampled
from freebody.model.structure_names import is_structure
from freebody.model.transmissions import FIT
from freebody.names import U_DOT, Q, U, companions
from freebody.run.arguments import is_number, number, require_names, shorten
from freebody.run.called import CalledFunction
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.scalar.functions import Callback, Table, table
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import CALL
from freebody.scalar.parse import CONSTANTS, FUNCTIONS, parse
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.scalar.walk import live, symbols_of, transfer, values
from freebody.tree.joint_forces import driven_coordinates, driven_speeds

XYZ = ("x", "y", "z")
InputValues = Mapping[str, Any] | Sequence[float] | None
NOTHING: Mapping[str, Any] = MappingProxyType({})


class InputRate(NamedTuple):
    """In place of the law of an input: the derivative of the law of another one."""

    name: str
    order: int


@dataclass(frozen=True, eq=False)
class RunCallback(Callback):
    """A Python function of t, or of t and the numbers of x, passed for one run; ``description`` names its purpose.
    ``crosses``: it is the condition of an event, whose zeros are located."""

    crosses: bool = False

    def partial(self, index: int) -> Callback:
        if not self.derivative:
            raise ExpressionError(f"{self.description} is a Python function without a derivative")
        return self.derivative[index]


class RunScope:
    """Names and nodes for one run: laws of inputs, conditions and resets of events. They are built in a graph of their
    own, so that runs leave nothing in the graph of the equations."""

    def __init__(self, equations: Derivation) -> None:
        self.e, self.graph = equations, Graph()
        self.callbacks: list[RunCallback] = []
        self.names = ScopeNames(self)
        self._copied: dict[Node, Node] = {}

    def copy(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes of the equations, copied to this graph."""
        self._copied = transfer(self.e.graph, nodes, self.graph, self._copied)
        return [self._copied[n] for n in nodes]

    def called_nodes(self, laws: Iterable[Node]) -> dict[Node, RunCallback]:
        """The calls of Python functions of the run in these laws, by node."""
        g = self.graph
        calls = ((i, g.calls[g.a[i]][0]) for i in live(g, list(laws)) if g.op[i] == CALL)
        return {i: function for i, function in calls if isinstance(function, RunCallback)}

    @cached_property
    def t(self) -> Node:
        return self.copy([self.e.tree.t])[0]

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The tables of the model as functions by their names; tables that share a name are left out."""
        tables = [t for t in self.e.graph.tables if t.name.isidentifier() and t.name not in FUNCTIONS]
        names = [t.name for t in tables]
        return {t.name: t for t in tables if names.count(t.name) == 1}

    def node(self, value: Any, context: str, crosses: bool = False, accelerations: bool = False) -> Node:
        """The node of a text, an expression of the system, a table or (times, values) over time, a Python function of t
        or of (t, x), or a number. One that uses accelerations is refused unless they are allowed."""
        try:
            node = self._node(value, context, crosses)
        except ExpressionError as error:
            omitted = [name for name in Q.all(self.e.tree.model.omitted) if isinstance(value, str) and name in value]
            note = f". '{omitted[0]}' is omitted here; {ADVICE}" if omitted else ""
            raise ArgumentError(f"{context}: {error}{note}") from None
        self._require_states([node], context)
        used = [] if accelerations else accelerations_in(self.graph, [node])
        if used:
            raise ArgumentError(refusal_of_accelerations(used, context))
        return node

    def _require_states(self, nodes: list[Node], context: str) -> None:
        """Raise for nodes that depend on omitted coordinates."""
        for name in Q.all(self.e.tree.model.omitted):
            if self.graph.named(name) in symbols_of(self.graph, nodes):
                raise ArgumentError(f"{context} depends on '{name}', which is omitted here; {ADVICE}")

    def _node(self, value: Any, context: str, crosses: bool) -> Node:
        if isinstance(value, str):
            return parse(self.graph, value, self.names, self.tables)
        if isinstance(value, Expr):
            return self._expression(value, context)
        if isinstance(value, Callback) and value.arity == 1:
            return self.graph.call(value, [self.t])
        if isinstance(value, tuple):
            rows = value[:2]
            if not 2 <= len(value) <= 3 or any(isinstance(row, str) or not isinstance(row, Sized) for row in rows):
                raise ArgumentError(
                    f"{context}: {shorten(value)} is not (times, values): give two rows of numbers of equal"
                    " length, and after them 'extrapolate' or 'error' if the last value is not to be"
                    " held"
                )
            times, values = rows
            value = table(context.replace("'", ""), times, values, outside=value[2] if len(value) > 2 else "hold")
        if isinstance(value, Table):
            return self.graph.table(value, self.t)
        if callable(value) or isinstance(value, Callback):
            function, x = value.function if isinstance(value, Callback) else value, list[Node]()
            if argument_count(function, context) == 2:
                groups = self.e.groups()
                x, function = self.copy([*groups["q"], *groups["u"], *groups["z"]]), FunctionOfState(function)
            name = "".join(c if c.isalnum() else "_" for c in context).strip("_") or "function"
            called = CalledFunction(function, context)
            derivative = value.derivative if isinstance(value, Callback) and not x else ()
            made = RunCallback(name, called, 1 + len(x), derivative, description=context, crosses=crosses)
            self.callbacks.append(made)
            return self.graph.call(self.callbacks[-1], [self.t, *x])
        if isinstance(value, Real):
            try:
                return self.graph.const(float(value))
            except OverflowError:
                raise ArgumentError(f"{context}: the number is too large for a float") from None
        raise ArgumentError(
            f"{context}: {value!r} is not a number, text, expression, table, (times, values) or function"
        )

    def _expression(self, value: Expr, context: str) -> Node:
        """An expression of the user's system, where prescribed and coupled coordinates are symbols."""
        source, driven, nodes = value.graph, {v.key for v, _ in driven_variables(self.e)}, dict[Node, Node]()
        for i in symbols_of(source, [value.handle]):
            symbol = source.symbols[source.a[i]]
            rate = symbol.kind is Kind.ACCELERATION or symbol.name in self.e.outputs  # also signals of blocks
            if symbol.name not in self.names if rate else self.e.graph.named(symbol.name) is None:
                raise ArgumentError(f"{context}: {value} uses '{symbol.name}', which this system does not have")
            if rate or symbol.name in driven:
                nodes[i] = self.names[symbol.name]
        return transfer(source, [value.handle], self.graph, nodes)[value.handle]


class ScopeNames(Mapping[str, Node]):
    """The names a text may use: t, parameters, inputs, q.…, u.…, u_dot.… (prescribed and coupled ones too), extra
    states, reactions, multipliers, entries of the equations, and outputs (vectors by .x, .y, .z along the ground's
    axes). A node is copied when it is used."""

    def __init__(self, scope: RunScope) -> None:
        self.scope = scope

    @cached_property
    def nodes(self) -> dict[str, Node]:
        """Nodes of the equations by name."""
        e = self.scope.e
        layout, nodes = e.layout, dict[str, Node]()
        for name, parts in e.outputs.items():
            names = [name] if len(parts) == 1 else [f"{name}.{c}" for c in XYZ]
            nodes |= dict(zip(names, parts, strict=True))
        nodes = {n: h for n, h in nodes.items() if n not in CONSTANTS} | {"t": e.tree.t}
        symbols = {n: e.graph.named(n) for n in (*layout.parameters, *layout.inputs, *layout.z)}
        nodes |= {n: h for n, h in symbols.items() if h is not None}
        nodes |= dict(zip(Q.all(layout.q), layout.q_handles, strict=True))
        nodes |= dict(zip(U.all(layout.u), layout.u_handles, strict=True))
        nodes |= dict(zip(U_DOT.all(layout.u), e.accelerations, strict=True))
        return nodes | {variable.key: node for variable, node in driven_variables(e)}

    def __getitem__(self, name: str) -> Node:
        e = self.scope.e
        if name not in self.nodes and (name.startswith((REACTION, MULTIPLIER)) or is_structure(name)):
            (self.nodes[name],) = e.in_own_speeds([e.tree.model.names(e.graph)[name]])
        return self.scope.copy([self.nodes[name]])[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)


def driven_variables(e: Derivation) -> Iterator[tuple[Variable, Node]]:
    """Coordinates, speeds and accelerations that are functions of time, then those that follow others, then coordinates
    and speeds of joints that close loops; with nodes."""
    for variable, nodes in driven_slots(e):
        yield variable, nodes()[0]


def driven_slots(e: Derivation) -> Iterator[tuple[Variable, Callable[[], list[Node]]]]:
    """``driven_variables`` with what returns their nodes: those of joints that close loops are long."""
    for coupled in (False, True):
        for link in e.tree.links:
            body = link.body
            if (body.coupling is not None) is not coupled:
                continue
            why = f"coupled to {body.coupling.to}" if body.coupling is not None else "prescribed"
            names, units = body.spec.names, body.spec.joint.units
            for k in driven_coordinates(link):
                yield Variable("q", names[0][k], units[0][k], why), partial(list, [body.q[k].handle])
            for k in driven_speeds(link):
                given = body.prescribed[k]
                rate = e.graph.mul(link.gain, e.accelerations[link.u[0]]) if given is None else given.handle
                yield Variable("u", names[1][k], units[1][k], why), partial(list, [body.u[k].handle])
                yield Variable("u_dot", names[1][k], f"{units[1][k]}²", why), partial(list, [rate])
    for closure in e.tree.model.constraints.values():
        if closure.joint is not None and any(closure.names):
            why, (q_units, u_units) = f"of the joint that closes {closure.name}", closure.joint.units
            cut = cache(partial(_cut_nodes, e, closure))
            groups = ("q", closure.names[0], q_units), ("u", closure.names[1], u_units)
            for n, (group, of_group, group_units) in enumerate(groups):
                for k, (name, unit) in enumerate(zip(of_group, group_units, strict=True)):
                    yield Variable(group, name, unit, why), partial(_cut_node, cut, n, k)


def _cut_nodes(e: Derivation, closure: Constraint) -> tuple[list[Node], list[Node]]:
    """The coordinates and speeds of a joint that closes a loop."""
    cut = closure.cut(e.formulation.motion)
    assert cut is not None
    return e.in_own_speeds(cut.coordinates), e.in_own_speeds(cut.speeds)


def _cut_node(cut: Callable[[], tuple[list[Node], list[Node]]], group: int, k: int) -> list[Node]:
    return [cut()[group][k]]


@dataclass(frozen=True)
class FunctionOfState:
    """A function of t and the state as an array, called with the numbers of the state one by one."""

    function: Callable[..., float]

    def __call__(self, time: float, *state: float) -> float:
        return self.function(time, np.array(state))


def argument_count(function: Callable[..., float], context: str) -> int:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return 1
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(needed) in (1, 2):
        return len(needed)
    raise ArgumentError(f"{context}: a function takes t, or t and the state x; this one takes {len(needed)} arguments")


def describe(value: Any) -> str:
    """How an input is driven, in words."""
    if isinstance(value, Real):
        return f"{float(value):g}"
    if isinstance(value, str | Expr):
        return f"law {value}"
    if isinstance(value, InputRate):
        return f"{('rate', 'acceleration')[value.order - 1]} of {value.name}"
    if isinstance(value, Table | tuple):
        return "a table over t"
    return "a Python function, called at every evaluation (slow: a text or a table is compiled in)"


def parameter_values(
    e: Derivation, defaults: Mapping[str, float], values: Mapping[str, float] | None
) -> dict[str, float]:
    """The values of the parameters: the defaults, replaced by ``values`` where there are some. Gears must fit them."""
    values = {} if values is None else values
    require_names(e.layout.parameters, values, "parameter", f"system '{e.tree.model.name}'")
    merged = {**defaults, **{n: number(v, f"parameter '{n}'") for n, v in values.items()}}
    check_wheels(e, list(e.layout.parameters), [[merged[n] for n in e.layout.parameters]])
    return {n: merged[n] for n in e.layout.parameters}


def named_inputs(e: Derivation, values: InputValues, held: bool = False) -> dict[str, Any]:
    """Values of inputs by name; a row is in the order of the inputs. ``held``: flags of constraints and captured
    poses may be among them."""
    names, context = e.layout.user_inputs, f"system '{e.tree.model.name}'"
    named: Any = {} if values is None else values
    if isinstance(named, list | tuple | np.ndarray):
        if np.ndim(named) == 0 or len(named) != len(names):
            raise ArgumentError(
                f"{context} has {len(names)} inputs ({', '.join(names) or 'none'}), and {shorten(named)} was given:"
                " give all of them in this order, or each by its name, inputs={name: value}"
            )
        named = dict(zip(names, named, strict=True))
    switched = [n for n in named if n in e.layout.held] if isinstance(named, Mapping) else []
    if switched and not held:
        raise ArgumentError(
            f"{context}: '{switched[0]}' changes at events only: engage or release the constraint by Event(…, engage=…,"
            " release=…), and give its state at the start by engaged={name: True}"
        )
    require_names([*names, *switched], named, "input", context)
    return dict(named)


def unwritten_names(e: Derivation) -> list[str]:
    """The inputs that no sampled element writes."""
    return [name for name in e.layout.user_inputs if name not in e.tree.model.controlled]


def unwritten(e: Derivation, named: Mapping[str, Any]) -> dict[str, Any]:
    """Values of inputs by name; those that a sampled element writes are refused."""
    for name, element in e.tree.model.controlled.items():
        if name in named:
            raise ArgumentError(
                f"system '{e.tree.model.name}': input '{name}' is written by {element.kind} '{element.name}', so it has"
                f" no other value; leave it out (before the first sample it is initial={{'{name}': …}} there)"
            )
    return dict(named)


def all_inputs(e: Derivation, values: InputValues, writers: Mapping[str, Sampled] = NOTHING) -> dict[str, Any]:
    """What drives each input of the user, in their order: a float, or a law that is not a number. None may be missing,
    except for those that sampled elements write, of the model or these ``writers``, which have initial values, and for
    those beside inputs with rates."""
    written = {name: one.inputs[name] for name, one in {**e.tree.model.controlled, **writers}.items()}
    names, named = e.layout.user_inputs, written | unwritten(e, named_inputs(e, values))
    named = dict.fromkeys((n for name in e.tree.model.driving for n in companions(name)), 0.0) | named
    missing = [n for n in names if n not in named]
    if missing:
        raise ArgumentError(
            f"system '{e.tree.model.name}': input '{missing[0]}' has no value. Give inputs={{'{missing[0]}': 0.0}},"
            f" or a text such as 'sin(t)', a table, or a function of t. Inputs: {', '.join(names)}"
        )
    driven = {n: number(named[n], f"input '{n}'") if is_number(named[n]) else named[n] for n in names}
    for name in e.tree.model.driving:
        driven |= _with_rates(name, driven)
    return driven


def _with_rates(name: str, driven: Mapping[str, Any]) -> dict[str, Any]:
    """What drives an input with rates and those beside it: numbers stay numbers; what follows from a law is an
    ``InputRate``."""
    beside, position = companions(name)[:2], driven[name]
    laws = [n for n in beside if not isinstance(driven[n], Real)]
    if isinstance(position, Real):
        if laws:
            raise ArgumentError(
                f"input '{laws[0]}' follows a law, and '{name}' is a number; give the law of '{name}', from which its"
                " rates follow"
            )
        return {}
    if isinstance(position, tuple) and is_curve(position[:2]):
        times, values, *outside = position
        position = table(f"input {name}", times, values, "spline", *outside)
    if len(laws) == 2:
        return {name: position}
    given = [n for n in beside if driven[n] != 0.0]
    if given:
        raise ArgumentError(
            f"input '{name}' follows a law, and '{given[0]}' is given too: leave it out, it is the derivative of the"
            " law; where the law is a Python function, give both, the rate and the acceleration, as functions"
        )
    return {name: position} | {n: InputRate(name, k + 1) for k, n in enumerate(beside)}


def unwritten_inputs(e: Derivation, values: InputValues) -> dict[str, Any]:
    """What drives each input that no sampled element writes."""
    return {name: value for name, value in all_inputs(e, values).items() if name not in e.tree.model.controlled}


def hold_motion(d: np.ndarray[Any, Any], row: Sequence[int], t: float) -> None:
    """Let the numbers of an input with rates, at these places of the row d or of rows of it, hold from a time on: the
    position and the rate that they have reached there."""
    columns = d.T
    p, v, a, start = (columns[k] for k in row)
    since = t - start
    columns[row[0]] = p + since * (v + since * a / 2)
    columns[row[1]] = v + since * a
    columns[row[3]] = t


def laws_of_rates(scope: RunScope, inputs: Mapping[str, Any], laws: Mapping[str, Node]) -> dict[str, Node]:
    """The laws of inputs with rates: derivatives of a law, and where numbers p, v, a are set from a time t₀ on,
    p + v(t − t₀) + a(t − t₀)²/2 with its derivatives."""
    g, e, result = scope.graph, scope.e, dict[str, Node]()
    for name in e.tree.model.driving:
        names = (name, *companions(name))
        if name in laws:
            depends = g.mask[laws[name]]
            rates = [n for n in names[1:3] if isinstance(inputs[n], InputRate)]
            if rates and depends & ~(PARAMETERS_ONLY | Kind.TIME | Kind.INPUT):
                raise ArgumentError(
                    f"input '{name}': its law uses coordinates, speeds or extra states, and it moves a joint, so that"
                    " its rates must be known: give a law of t, or let the joint follow a filter of the input,"
                    f" motion=s.filter('smooth', '{name}', frequency=5)"
                )
            node = laws[name]
            for rate in rates:
                try:
                    (node,) = jvp(g, [node], {scope.t: g.one})
                except ExpressionError:
                    raise ArgumentError(
                        f"input '{name}' moves a joint, and the rates of a Python function are not known: give inputs"
                        f" '{names[1]}' and '{names[2]}' as functions too, or a text or a table"
                    ) from None
                result[rate] = node
        else:
            p, v, a, start = scope.copy([e.graph.by_name[n] for n in names])
            since = g.sub(scope.t, start)
            now = g.add(v, g.mul(a, since))
            result[name] = g.add(p, g.mul(since, g.div(g.add(v, now), g.const(2))))
            result[names[1]] = now
    return result


def check_wheels(e: Derivation, names: Sequence[str], rows: Sequence[Sequence[float]]) -> None:
    """Raise for rows of values of parameters, by their ``names``, with which wheels are not in mesh: the distance of
    their axes is not the one that their radii need."""
    model = e.tree.model
    misfits = [(name, constraint.misfit) for name, constraint in model.constraints.items()]
    misfits += [(name, load.misfit) for name, load in model.loads.items()]
    for element, misfit in misfits:
        if misfit is None:
            continue
        g = misfit.graph
        used = {g.symbols[g.a[i]].name: i for i in symbols_of(g, [misfit.handle])}
        columns = [k for k, name in enumerate(names) if name in used]
        for row in np.unique(np.asarray(rows, float).reshape(len(rows), -1)[:, columns], axis=0) if columns else ():
            known = {used[names[k]]: float(x) for k, x in zip(columns, row, strict=True)}
            found = float(values(g, [misfit.handle], known)[0])
            if not abs(found) <= FIT:
                given = ", ".join(f"{names[k]} = {x:g}" for k, x in zip(columns, row, strict=True))
                raise ArgumentError(
                    f"system '{model.name}': with {given} the wheels of '{element}' do not fit: their axes are off by"
                    f" {100 * found:.3g} % of the distance that the radii need; let the positions of bodies depend on"
                    " the same parameters"
                )
