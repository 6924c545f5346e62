"""What users say about a run, as nodes: laws for inputs, conditions and resets of events."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any

from freebody.errors import ArgumentError, ExpressionError
from freebody.formulations.derivation import Derivation, driven_speeds
from freebody.model.accelerations import REACTION, accelerations_in, refusal_of_accelerations
from freebody.names import U_DOT, Q, U
from freebody.scalar.expr import Expr
from freebody.scalar.functions import Callback, Table, table
from freebody.scalar.graph import Graph
from freebody.scalar.parse import CONSTANTS, FUNCTIONS, parse
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import symbols_of, transfer

XYZ = ("x", "y", "z")


@dataclass(frozen=True, eq=False)
class Told(Callback):
    """A Python function of t, or of t and the numbers of x, that a user gave for one run; ``description`` says what
    for. One that ``crosses`` is a condition, whose sign counts."""

    crosses: bool = False


class Words:
    """What is said of one run, in a graph of its own, so that runs leave nothing in the equations' graph."""

    def __init__(self, equations: Derivation) -> None:
        self.e, self.graph = equations, Graph()
        self.told: list[Told] = []
        self._brought: dict[int, int] = {}

    def bring(self, nodes: Sequence[int]) -> list[int]:
        """Nodes of the equations, in this graph."""
        self._brought = transfer(self.e.graph, nodes, self.graph, self._brought)
        return [self._brought[n] for n in nodes]

    @cached_property
    def t(self) -> int:
        return self.bring([self.e.forest.t])[0]

    @cached_property
    def known(self) -> "Known":
        return Known(self)

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The tables that the model uses, as functions by their names; of two that share a name neither."""
        every = [made for made in self.e.graph.tables if made.name.isidentifier() and made.name not in FUNCTIONS]
        names = [made.name for made in every]
        return {made.name: made for made in every if names.count(made.name) == 1}

    def node(self, said: Any, who: str, crosses: bool = False, accelerations: bool = False) -> int:
        """The node of what was said: text, an expression of the system, a table or (times, values) over time, a Python
        function of t or of (t, x), a number. One that uses accelerations is refused unless they are allowed."""
        made = self._node(said, who, crosses)
        later = [] if accelerations else accelerations_in(self.graph, [made])
        if later:
            raise ArgumentError(refusal_of_accelerations(later, who))
        return made

    def _node(self, said: Any, who: str, crosses: bool) -> int:
        if isinstance(said, str):
            return self._text(said, who)
        if isinstance(said, Expr):
            return self._expression(said, who)
        if isinstance(said, Callback) and said.arity == 1:
            return self.graph.call(said, [self.t])
        if isinstance(said, Table | tuple):
            return self.graph.table(said if isinstance(said, Table) else _curve(said, who), self.t)
        if callable(said) or isinstance(said, Callback):
            return self._called(said.function if isinstance(said, Callback) else said, who, crosses)
        if isinstance(said, Real):
            try:
                return self.graph.const(float(said))
            except OverflowError:
                raise ArgumentError(f"{who}: the number is too large for a float") from None
        raise ArgumentError(f"{who}: {said!r} is not a number, text, expression, table, (times, values) or function")

    def _text(self, said: str, who: str) -> int:
        try:
            return parse(self.graph, said, self.known, self.tables)
        except ExpressionError as error:
            raise ArgumentError(f"{who}: {error}") from None

    def _expression(self, said: Expr, who: str) -> int:
        """An expression written in the user's own system, where prescribed and coupled coordinates are symbols."""
        source, told, swap = said.graph, dict(_prescribed(self.e)), dict[int, int]()
        for i in symbols_of(source, [said.handle]):
            symbol = source.symbols[source.a[i]]
            later = symbol.kind is Kind.ACCELERATION
            if symbol.name not in self.known if later else self.e.graph.named(symbol.name) is None:
                raise ArgumentError(f"{who}: {said} uses '{symbol.name}', which this system does not have")
            swap |= {i: self.known[symbol.name]} if later or symbol.name in told else {}
        return transfer(source, [said.handle], self.graph, swap)[said.handle]

    def _called(self, function: Callable[..., float], who: str, crosses: bool) -> int:
        """A Python function of t, or of t and the whole state as an array."""
        x: list[int] = []
        if _arguments(function, who) == 2:
            groups = self.e.groups()
            x, function = self.bring([*groups["q"], *groups["u"], *groups["z"]]), Packed(function)
        self.told.append(Told(_word(who), function, 1 + len(x), description=who, crosses=crosses))
        return self.graph.call(self.told[-1], [self.t, *x])


class Known(Mapping[str, int]):
    """The names a text may use: t, parameters, inputs, q.…, u.…, u_dot.… (prescribed and coupled ones too), extra
    states, reactions, and outputs (vectors by .x, .y, .z along the ground's axes). What is not used is not brought."""

    def __init__(self, words: Words) -> None:
        self.words, e = words, words.e
        layout, g = e.layout, e.graph
        names = [*layout.parameters, *layout.inputs, *layout.z]
        self.places = {n: h for n, h in _outputs(e) if n not in CONSTANTS}
        self.places |= {"t": e.forest.t} | {n: h for n in names if (h := g.named(n)) is not None}
        self.places |= {Q(n): h for n, h in zip(layout.q, layout.q_handles, strict=True)}
        self.places |= {U(n): h for n, h in zip(layout.u, layout.u_handles, strict=True)}
        self.places |= {U_DOT(n): h for n, h in zip(layout.u, e.accelerations, strict=True)} | dict(_prescribed(e))

    def __getitem__(self, name: str) -> int:
        e = self.words.e
        if name not in self.places and name.startswith(REACTION):
            (self.places[name],) = e.in_own_speeds([e.forest.model.names(e.graph)[name]])
        return self.words.bring([self.places[name]])[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


def _outputs(e: Derivation) -> Iterator[tuple[str, int]]:
    for name, nodes in e.outputs.items():
        if len(nodes) == 1:
            yield name, nodes[0]
        else:
            yield from ((f"{name}.{c}", h) for c, h in zip(XYZ, nodes, strict=True))


def _prescribed(e: Derivation) -> Iterator[tuple[str, int]]:
    """Coordinates, speeds and accelerations that are functions of time, or follow others."""
    for link in e.forest.links:
        body = link.body
        for k in driven_speeds(link):
            given = body.prescribed[k]
            rate = e.graph.mul(link.gain, e.accelerations[link.u[0]]) if given is None else given.handle
            yield Q(body.recipe.names[0][k]), body.q[k].handle
            yield U(body.recipe.names[1][k]), body.u[k].handle
            yield U_DOT(body.recipe.names[1][k]), rate


@dataclass(frozen=True)
class Packed:
    """A function of t and the state as an array, called with the state's numbers one by one."""

    function: Callable[..., float]

    def __call__(self, time: float, *state: float) -> float:
        import numpy as np

        return self.function(time, np.array(state))


def _curve(said: tuple[Any, ...], who: str) -> Table:
    """The table of (times, values)."""
    if len(said) != 2 or any(isinstance(row, str) or not isinstance(row, Sized) for row in said):
        raise ArgumentError(f"{who}: {said!r} is not (times, values): give two rows of numbers of one length")
    try:
        return table(who.replace("'", ""), *said, outside="hold")
    except ExpressionError as error:
        raise ArgumentError(f"{who}: {error}") from None


def _arguments(function: Callable[..., float], who: str) -> int:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return 1
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(needed) in (1, 2):
        return len(needed)
    raise ArgumentError(f"{who}: a function takes t, or t and the state x; this one takes {len(needed)} arguments")


def _word(who: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in who).strip("_") or "function"


def describe(said: Any) -> str:
    """How an input is driven, in words."""
    if isinstance(said, Real):
        return f"{float(said):g}"
    if isinstance(said, str | Expr):
        return f"law {said}"
    if isinstance(said, Table | tuple):
        return "a table over t"
    return "a Python function, called at every evaluation (slow: a text or a table is compiled in)"


def speaks(names: Sequence[str], given: Mapping[str, Any], what: str, who: str) -> None:
    """Refuse names that are not among those there are."""
    if not isinstance(given, Mapping):
        raise ArgumentError(f"{who}: give each {what} by its name, {{name: value}}, not {given!r}")
    unknown = [n for n in given if n not in names]
    if unknown:
        raise ArgumentError(f"{who} has no {what} '{unknown[0]}'; there are {', '.join(names) or 'none'}")
