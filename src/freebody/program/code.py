"""Straight-line code: the nodes of a graph that load from buffers, compute, and store to buffers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from freebody.errors import UnknownSymbolsError
from freebody.scalar.functions import Callback, Table
from freebody.scalar.graph import Graph
from freebody.scalar.node import NONE, Node, all_nodes
from freebody.scalar.numbers import Number
from freebody.scalar.ops import ARITY, CALL, CONST, NEG, SYMBOL, TABLE
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind, Label
from freebody.scalar.walk import live, operands, require_finite, transfer


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """One number in a buffer: ``offset`` from its start, or from where the scan's index ``row`` points at this step."""

    buffer: str
    offset: int
    row: int = -1


@dataclass(frozen=True, slots=True)
class Store:
    """The value of a node put (or added) to an address."""

    value: Node
    to: Address
    add: bool = False


@dataclass(frozen=True)
class Code:
    """Nodes 0 … n−1, operands before users. A SYMBOL's ``a`` is an index into ``loads``.

    A number computes as the float nearest to it, and no two of ``numbers`` have the same one. Exact numbers of the
    expressions are here as such, for printing. Every load happens before any store. The field names are the graph's, so
    walks work on both.
    """

    op: tuple[int, ...]
    a: tuple[Node, ...]
    b: tuple[Node, ...]
    c: tuple[Node, ...]
    numbers: tuple[Number, ...]
    loads: tuple[Address, ...]
    tables: tuple[Table, ...]
    calls: tuple[tuple[Callback, tuple[Node, ...]], ...]
    stores: tuple[Store, ...]
    labels: Mapping[Node, tuple[Label, ...]]

    def __len__(self) -> int:
        return len(self.op)

    @property
    def rows(self) -> list[int]:
        """The indices of a scan that addresses of this code use, in order."""
        return sorted({a.row for a in (*self.loads, *(s.to for s in self.stores)) if a.row >= 0})


def lower(g: Graph, stores: Sequence[Store], loads: Mapping[Node, Address], what: str = "program") -> Code:
    """The code that computes these stores, from a graph: numbers become floats and are interned again.

    ``loads`` has the address of each symbol, and of any other node that is already computed.
    """
    roots = [s.value for s in stores]
    target, needed = Graph(), set(live(g, roots, loads))
    known = {
        h: target.symbol(f"load {k}", Kind.INTERMEDIATE, mask=g.mask[h] or PARAMETERS_ONLY)
        for k, h in enumerate(loads)
        if h in needed
    }
    used = transfer(g, roots, target, known, lambda v: target.const(v if v in (0, 1) else float(v)))  # type: ignore[arg-type]
    require_finite(target, [used[r] for r in roots], what)
    unknown = [s.name for s in target.symbols[len(known) :]]
    if unknown:
        raise UnknownSymbolsError(what, unknown)
    where = {known[h]: address for h, address in loads.items() if h in known}
    exact = exact_numbers(g.numbers[g.a[h]] for h in needed if g.op[h] == CONST and h not in g.broken)
    return compact(target, [Store(used[s.value], s.to, s.add) for s in stores], where, exact=exact)


def exact_numbers(numbers: Iterable[Number]) -> dict[float, Number]:
    """Integers and fractions without their signs, by the nearest float; the simplest where several have the same."""
    exact = {-v if v < 0 else v for v in numbers if not isinstance(v, float)}
    return {float(v): v for v in sorted(exact, key=lambda v: (v.denominator, v), reverse=True)}


def compact(
    g: Graph,
    stores: Sequence[Store],
    loads: Mapping[Node, Address],
    order: Callable[[list[Node]], list[Node]] = list,
    exact: Mapping[float, Number] | None = None,
) -> Code:
    """The live part of a graph as code, renumbered from 0; the negative of a number becomes a number. ``order`` may put
    its nodes in another order, operands first; ``exact`` has the numbers that some floats stand for."""
    builder = CodeBuilder(exact)
    numbers = {
        i for i, op in zip(all_nodes(g), g.op, strict=True) if op == CONST or (op == NEG and g.op[g.a[i]] == CONST)
    }
    for i in order(live(g, [s.value for s in stores], numbers)):
        builder.take(g, i, loads)
    return builder.code(stores)


class CodeBuilder:
    """Collects nodes of a graph (or of other code) into new code; ``at`` maps old handles to new."""

    def __init__(self, exact: Mapping[float, Number] | None = None) -> None:
        self.exact = exact or {}
        self.rows: list[tuple[int, Node, Node, Node]] = []
        self.at: dict[Node, Node] = {}
        self.numbers: list[Number] = []
        self.loads: list[Address] = []
        self.tables: list[Table] = []
        self.calls: list[tuple[Callback, tuple[Node, ...]]] = []
        self.labels: dict[Node, tuple[Label, ...]] = {}
        self._known: dict[object, Node] = {}

    def take(self, g: Graph | Code, i: Node, loads: Mapping[Node, Address]) -> None:
        """Copy node i, whose operands are here already; a node in ``loads`` becomes a load."""
        op = g.op[i]
        if i in loads:
            new = self.load(loads[i])
        elif op == CONST:
            new = self.number(g.numbers[g.a[i]])
        elif op == NEG and g.op[g.a[i]] == CONST:
            new = self.number(g.numbers[g.a[g.a[i]]], negative=True)
        elif op == SYMBOL:
            new = self.load(g.loads[g.a[i]] if isinstance(g, Code) else loads[i])
        elif op == TABLE:
            new = self._row(TABLE, self.at[g.a[i]], self._side(self.tables, g.tables[g.b[i]]))
        elif op == CALL:
            function, arguments = g.calls[g.a[i]]
            new = self._row(CALL, self._side(self.calls, (function, tuple(self.at[k] for k in arguments))))
        elif ARITY[op] == 2:
            new = self._row(op, self.at[g.a[i]], self.at[g.b[i]])
        else:
            new = self._row(op, *[self.at[k] for k in operands(g, i)])
        self.at[i] = new
        if i in g.labels:
            self.labels[new] = tuple(g.labels[i])

    def load(self, address: Address) -> Node:
        """The node that loads an address, once."""
        if address not in self._known:
            self.loads.append(address)
            self._known[address] = self._row(SYMBOL, Node(len(self.loads) - 1))
        return self._known[address]

    def number(self, value: Number, negative: bool = False) -> Node:
        """The node of a number (or of its negative), once."""
        value = self.exact.get(float(value), value) if value else value  # −0.0 is a number of its own
        value = -value if negative else value
        key = ("number", float(value).hex())
        if key not in self._known:
            self.numbers.append(value)
            self._known[key] = self._row(CONST, Node(len(self.numbers) - 1))
        return self._known[key]

    def _row(self, op: int, a: Node = NONE, b: Node = NONE, c: Node = NONE) -> Node:
        self.rows.append((op, a, b, c))
        return Node(len(self.rows) - 1)

    def _side(self, rows: list, row: object) -> Node:  # type: ignore[type-arg]
        if row not in self._known:
            rows.append(row)
            self._known[row] = Node(len(rows) - 1)
        return self._known[row]

    def code(self, stores: Iterable[Store]) -> Code:
        """The nodes collected, with these stores of the old code."""
        op, a, b, c = zip(*self.rows, strict=True) if self.rows else ((), (), (), ())
        lists = tuple(self.numbers), tuple(self.loads), tuple(self.tables), tuple(self.calls)
        return Code(op, a, b, c, *lists, tuple(Store(self.at[s.value], s.to, s.add) for s in stores), self.labels)


def clean(code: Code, stores: Sequence[Store] | None = None, loads: Mapping[Node, Address] | None = None) -> Code:
    """The code without what its stores do not need; nodes in ``loads`` are loaded instead of computed."""
    builder, loads = CodeBuilder(), loads or {}
    stores = code.stores if stores is None else stores
    for i in live(code, [s.value for s in stores], loads):
        builder.take(code, i, loads)
    return builder.code(stores)


def computes(code: Code) -> list[Node]:
    """The nodes that are operations, in order: neither numbers nor loads."""
    return [i for i in all_nodes(code) if ARITY[code.op[i]]]
