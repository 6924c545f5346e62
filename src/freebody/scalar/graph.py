"""The graph of expressions: nodes are integer handles into flat arrays, and equal operations are one node.

The library works with handles (``g.mul(a, b)``), users with the same nodes as ``Expr``. Handles increase in order of
construction, so every operand is smaller than the node that uses it: increasing order is a topological order, and no
algorithm needs recursion.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

from freebody.errors import ExpressionError, GraphError
from freebody.scalar import arithmetic, ops
from freebody.scalar.functions import Callback, Table
from freebody.scalar.node import NONE, ONE, ZERO, Node
from freebody.scalar.numbers import LARGEST, Number, exact
from freebody.scalar.symbol import Kind, Label, Symbol, usual_mask

Binary = Callable[[Node, Node], Node]
Unary = Callable[[Node], Node]
Side = TypeVar("Side")
_TABLES = (
    "op", "a", "b", "c", "mask", "numbers", "symbols", "tables", "calls", "labels", "broken", "finite", "_constants",
    "by_name", "rates", "_sides", "_memo", "_labelled", "_sums", "_differences", "_negatives", "_products",
    "_quotients",
)  # fmt: skip
"""Attributes that contain the nodes, and how they are found again."""


class Graph:
    """A growing set of nodes; equal expressions built in one graph are one node. A fork's ``origin`` is the graph that
    it was made from, and its first ``shared`` nodes are those of the origin. Graphs of one ``family`` have the symbols
    of one system: its own, that of its model, and those of its equations, each of a later ``generation``."""

    zero = ZERO
    one = ONE

    def __repr__(self) -> str:
        return f"<graph of {len(self.op):,} nodes>"

    def __init__(self) -> None:
        self.op: list[int] = []
        self.a: list[Node] = []
        self.b: list[Node] = []
        self.c: list[Node] = []
        self.mask: list[int] = []
        self.numbers: list[Number] = []
        self.symbols: list[Symbol] = []
        self.tables: list[Table] = []
        self.calls: list[tuple[Callback, tuple[Node, ...]]] = []
        self.labels: dict[Node, list[Label]] = {}
        self.broken: dict[Node, str] = {}  # nodes without a finite value, and the text of the operation
        self.finite: set[Node] = set()  # nodes that are known to need none of these (see ``walk.require_finite``)
        self._constants: dict[tuple[type, Number], Node] = {}
        self.by_name: dict[str, Node] = {}
        self.rates: dict[Node, Node] = {}  # d/dt of symbols: of extra states, and of inputs that have rates
        self._sides: dict[object, Node] = {}
        self._memo: dict[object, Node] = {}
        self._labelled: set[tuple[Node, str]] = set()
        self._sums: dict[int, Node] = {}  # these and the next by their operands (see ``arithmetic``)
        self._differences: dict[int, Node] = {}
        self._negatives: dict[Node, Node] = {}
        self._products: dict[int, Node] = {}
        self._quotients: dict[int, Node] = {}
        self.origin: Graph | None = None
        self.shared = 0
        self.start_family()
        self._arithmetic()
        self.const(0)
        self.const(1)

    def _arithmetic(self) -> None:
        self.add: Binary = arithmetic.adder(self)
        self.sub: Binary = arithmetic.subtracter(self)
        self.mul: Binary = arithmetic.multiplier(self)
        self.div: Binary = arithmetic.divider(self)
        self.neg: Unary = arithmetic.negater(self)
        known: dict[int, Callable[..., Node]] = {
            ops.ADD: self.add,
            ops.SUB: self.sub,
            ops.MUL: self.mul,
            ops.DIV: self.div,
            ops.NEG: self.neg,
            ops.POW: self.pow,
            ops.WHERE: self.where,
        }
        self.build: list[Callable[..., Node]] = [
            known[op.code] if op.code in known else arithmetic.function(self, op) for op in ops.OPS
        ]
        self.sqrt, self.sin, self.cos = self.build[ops.SQRT], self.build[ops.SIN], self.build[ops.COS]
        self.less = self.build[ops.LT]

    def __len__(self) -> int:
        return len(self.op)

    def fork(self) -> "Graph":
        """A graph that begins with all nodes of this one, under the same handles, and grows on its own."""
        new = Graph.__new__(Graph)
        for name in _TABLES:
            setattr(new, name, getattr(self, name).copy())
        new.labels = {handle: labels.copy() for handle, labels in self.labels.items()}
        new.origin, new.shared = self, len(self)
        new.descend_from(self)
        new._arithmetic()
        return new

    def start_family(self) -> None:
        """Be the first graph of a system."""
        self.family, self.generation = object(), 0

    def descend_from(self, older: "Graph") -> None:
        """Be of the family of an older graph: the same names are the same symbols."""
        self.family, self.generation = older.family, older.generation + 1

    def freeze(self) -> None:
        """Raise a GraphError for every new node from now on; existing numbers and symbols stay available."""
        for name in (
            "add",
            "sub",
            "mul",
            "div",
            "neg",
            "pow",
            "where",
            "table",
            "call",
            "sqrt",
            "sin",
            "cos",
            "less",
            "node",
            "label",
        ):
            setattr(self, name, _refuse)
        self.build = [_refuse] * len(self.build)

    def holds(self, graph: "Graph", handle: Node) -> bool:
        """Whether a node of another graph is here under the same handle: this is a fork of that graph."""
        one: Graph | None = self
        while one is not None and one is not graph:
            if handle >= one.shared:
                return False
            one = one.origin
        return one is not None

    def __getstate__(self) -> dict[str, Any]:
        """The nodes, and whether the graph is frozen. A fork becomes a graph of its own."""
        state: dict[str, Any] = {name: getattr(self, name) for name in _TABLES}
        return {**state, "frozen": self.add is _refuse}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        for name in _TABLES:
            setattr(self, name, state[name])
        self.origin, self.shared = None, 0
        self.start_family()
        self._arithmetic()
        if state["frozen"]:
            self.freeze()

    def __copy__(self) -> "Graph":
        raise GraphError("a graph is not copied: fork it, or rebuild what you need by walk.transfer")

    def __deepcopy__(self, memo: object) -> "Graph":
        return self.__copy__()

    def vanishes(self, handle: Node) -> bool:
        """Whether a node is the number 0."""
        return handle == 0

    def same(self, a: Node, b: Node) -> bool:
        """Whether two nodes are one: equal expressions are."""
        return a == b

    def const(self, value: object) -> Node:
        """The node of a number. Only non-negative ones are stored: −2 is the negative of 2."""
        number = value if type(value) is int and -LARGEST <= value <= LARGEST else exact(value)
        if number < 0:
            return self.neg(self.const(-number))
        key: tuple[type, Number] = (type(number), number)
        if number == 0 and isinstance(number, float) and math.copysign(1.0, number) < 0:
            key = (complex, number)  # −0.0 is another number than 0.0
        handle = self._constants.get(key)
        if handle is None:
            handle = self._constants[key] = self.node(ops.CONST, Node(len(self.numbers)))
            self.numbers.append(number)
        return handle

    def number(self, handle: Node) -> Number | None:
        """The value of a constant node, the sign outside included; None for anything else."""
        if self.op[handle] == ops.CONST:
            return self.numbers[self.a[handle]]
        inner = self.a[handle]
        if self.op[handle] == ops.NEG and self.op[inner] == ops.CONST:
            return -self.numbers[self.a[inner]]
        return None

    def symbol(self, name: str, kind: Kind, description: str = "", unit: str = "", mask: int = 0) -> Node:
        """The node of a symbol; the same node every time."""
        handle = self.by_name.get(name)
        if handle is None:
            symbol = Symbol(name, kind, description, unit, mask)
            handle = self.by_name[name] = self.node(ops.SYMBOL, Node(len(self.symbols)), mask=symbol.mask)
            self.symbols.append(symbol)
            return handle
        old, mask = self.symbols[self.a[handle]], mask or usual_mask(kind)
        if (old.kind, old.description, old.unit, old.mask) != (kind, description, unit, mask):
            pairs = {
                "kind": (str(old.kind.name).lower(), str(kind.name).lower()),
                "mask": (old.mask, mask),
                "unit": (repr(old.unit), repr(unit)),
                "description": (repr(old.description), repr(description)),
            }
            what, (before, now) = next((k, v) for k, v in pairs.items() if v[0] != v[1])
            raise ExpressionError(
                f"symbol '{name}' exists with {what} {before}; it cannot also have {what} {now}."
                " Use another name, or the symbol you have."
            )
        return handle

    def set_unit(self, name: str, unit: str) -> None:
        """Give a symbol its unit, where that is known only after it was declared."""
        k = self.a[self.by_name[name]]
        self.symbols[k] = replace(self.symbols[k], unit=unit)

    def named(self, name: str) -> Node | None:
        """The node of the symbol of this name, if there is one."""
        return self.by_name.get(name)

    def symbol_named(self, name: str) -> Symbol:
        """The symbol of this name; a KeyError if there is none."""
        return self.symbols[self.a[self.by_name[name]]]

    def node(self, op: int, a: Node = NONE, b: Node = NONE, c: Node = NONE, mask: int = 0) -> Node:
        """A new node; the constructors call it when there is none yet."""
        self.op.append(op)
        self.a.append(a)
        self.b.append(b)
        self.c.append(c)
        self.mask.append(mask)
        return Node(len(self.op) - 1)

    def pow(self, a: Node, b: Node) -> Node:
        """a to the b: small integer powers by repeated squaring, halves through the root."""
        base, exponent = self.number(a), self.number(b)
        if exponent is not None and base is None and exponent % 1 == 0 and -1024 <= exponent <= 1024:
            return arithmetic.integer_power(self, a, int(exponent))
        if exponent is not None and base is not None:
            return arithmetic.constant_power(self, a, b, base, exponent)
        if exponent is not None and exponent in (Fraction(1, 2), Fraction(-1, 2)):
            root = self.sqrt(a)
            return root if exponent > 0 else self.div(self.one, root)
        return self.intern(ops.POW, a, b)

    def where(self, condition: Node, a: Node, b: Node) -> Node:
        """a where the condition is not zero, else b."""
        known = self.number(condition)
        if known is not None and math.isfinite(known):
            return a if known != 0 else b
        return self.intern(ops.WHERE, condition, a, b)

    def table(self, table: Table, x: Node) -> Node:
        """The table looked up at x; a number if x is one."""
        known = self.number(x)
        if known is not None:
            value = table.value(float(known)) if math.isfinite(known) else math.nan
            text = f"{table.name}({arithmetic.describe(self, x)})"
            return self.const(value) if math.isfinite(value) else self.fail(text, value)
        return self.intern(ops.TABLE, x, self._index(self.tables, table), operands=(x,))

    def call(self, function: Callback, arguments: Sequence[Node]) -> Node:
        """A user's function of these arguments."""
        if len(arguments) != function.arity:
            raise ExpressionError(f"{function.name}() takes {function.arity} arguments, not {len(arguments)}")
        return self.intern(ops.CALL, self._index(self.calls, (function, tuple(arguments))), operands=tuple(arguments))

    def _index(self, rows: list[Side], row: Side) -> Node:
        """The row of a table, as it stands in place of an operand."""
        index = self._sides.get(row)
        if index is None:
            rows.append(row)
            index = self._sides[row] = Node(len(rows) - 1)
        return index

    def intern(
        self, op: int, a: Node, b: Node = NONE, c: Node = NONE, operands: tuple[Node, ...] | None = None
    ) -> Node:
        """The node (op, a, b, c), the same every time; its mask is the union of its operands'."""
        key = (op, a, b, c)
        handle = self._memo.get(key)
        if handle is None:
            mask = 0
            for k in operands if operands is not None else (a, b, c):
                mask |= self.mask[k] if k >= 0 else 0
            handle = self._memo[key] = self.node(op, a, b, c, mask)
        return handle

    def label(self, handle: Node, name: str, description: str = "") -> Node:
        """Give a node a name. The first name is the one printed; later ones are listed with it."""
        if (handle, name) not in self._labelled:
            self._labelled.add((handle, name))
            self.labels.setdefault(handle, []).append(Label(name, description))
        return handle

    def fail(self, text: str, value: float) -> Node:
        """The node of a value that is not finite; an error only where it is used (see ``walk.require_finite``)."""
        handle = self._memo.get(("broken", text))
        if handle is None:
            handle = self._memo["broken", text] = self.node(ops.CONST, Node(len(self.numbers)))
            self.numbers.append(value)
            self.broken[handle] = text
        return handle


def _refuse(*arguments: object, **options: object) -> NoReturn:
    raise GraphError("this graph is frozen, because a model uses it: build new nodes in a fork of it")
