"""Text to nodes: ``parse(graph, "m1*l1**2/12")``.

The language is Python's arithmetic with declared names, the functions of ``FUNCTIONS``, comparisons (0 or 1, also
chained), ``and``, ``or`` and ``not`` between comparisons, and ``a if condition else b``, which is ``where``. Integers
and their quotients stay exact; decimals are floats. Names with dots are names (``body.x``), never attributes. Nothing
is ever evaluated by Python; the sizes that are accepted are in ``freebody.scalar.tokens``.
"""

import ast
import math
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial, reduce
from itertools import pairwise

from freebody.errors import ExpressionError, ParseError, nearest
from freebody.scalar import ops
from freebody.scalar.callback import Callback
from freebody.scalar.graph import Graph
from freebody.scalar.table import Table
from freebody.scalar.tokens import short, tree
from freebody.scalar.walk import require_finite

EXPONENT = 1024  # the largest integer power, up or down
CONSTANTS = {"pi": math.pi}
FUNCTIONS: dict[str, int] = {ops.OPS[code].name: code for code in (*ops.UNARY, ops.ATAN2, ops.WHERE)} | {
    "min": ops.MIN, "minimum": ops.MIN, "max": ops.MAX, "maximum": ops.MAX,
}  # fmt: skip

_BINARY: dict[type, int] = {ast.Add: ops.ADD, ast.Sub: ops.SUB, ast.Mult: ops.MUL, ast.Div: ops.DIV}
_COMPARE: dict[type, tuple[int, bool]] = {  # the operation, and whether the operands change places
    ast.Lt: (ops.LT, False), ast.LtE: (ops.LE, False), ast.Gt: (ops.LT, True), ast.GtE: (ops.LE, True),
    ast.Eq: (ops.EQ, False), ast.NotEq: (ops.NE, False),
}  # fmt: skip
_LOGICAL = (ast.Compare, ast.BoolOp)

Maker = Callable[..., int]
Plan = tuple[Sequence[ast.expr], Maker]  # the operands, and what makes a node of them


def parse(
    graph: Graph,
    text: str,
    names: Mapping[str, int] | None = None,
    functions: Mapping[str, Table | Callback] | None = None,
    who: str = "",
) -> int:
    """The node of an expression given as text; it may use only these names (default: the graph's symbols). ``who`` says
    in errors whose text it is: "mass of 'arm'"."""
    if not isinstance(text, str):
        raise ExpressionError(f"{text!r} ({type(text).__name__}) is not a text")
    try:
        root = tree(text)
        return _Reader(graph, text, names, functions or {}).read(root)
    except ParseError as error:
        raise ParseError(error.message, error.text, error.column, who) from None


class _Reader:
    """A syntax tree turned into nodes, operands first."""

    def __init__(
        self, graph: Graph, text: str, names: Mapping[str, int] | None, functions: Mapping[str, Table | Callback]
    ) -> None:
        self.graph = graph
        self.text = text
        self.bytes = text.encode()
        self.names = names
        self.functions = functions

    def read(self, root: ast.expr) -> int:
        """The node of the whole tree. What is inside a branch of ``where`` need not have a finite value."""
        todo: list[tuple[ast.expr, bool, Plan | None]] = [(root, False, None)]
        values: list[int] = []
        while todo:
            node, branch, plan = todo.pop()
            if plan is None:
                plan = self.plan(node)
                todo.append((node, branch, plan))
                inside = branch or plan[1] == self.graph.where
                todo += [(part, inside if k else branch, None) for k, part in reversed([*enumerate(plan[0])])]
            else:
                start = len(values) - len(plan[0])
                values[start:] = [self.make(node, plan[1], values[start:], branch)]
        return values[0]

    def make(self, node: ast.expr, make: Maker, operands: list[int], branch: bool) -> int:
        """One node from its operands, with the place in the text if that fails."""
        try:
            handle = make(*operands)
            if not branch:
                require_finite(self.graph, (handle,))
        except ParseError:
            raise
        except ExpressionError as error:
            raise self.error(str(error), node) from None
        return handle

    def plan(self, node: ast.expr) -> Plan:
        """The operands of a piece of syntax, and what makes a node of them. Only what is listed here is read."""
        build = self.graph.build
        match node:
            case ast.Constant(value=value):
                return (), partial(self.number, node, value)
            case ast.Name() | ast.Attribute():
                return (), partial(self.name, node)
            case ast.BinOp(left=a, op=ast.Pow(), right=b):
                return (a, b), partial(self.power, b)
            case ast.BinOp(left=a, op=op, right=b) if type(op) in _BINARY:
                return (a, b), build[_BINARY[type(op)]]
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=a):
                return (a,), self.graph.neg if isinstance(op, ast.USub) else int
            case ast.UnaryOp(op=ast.Not(), operand=a):
                return self.logical("not", [a]), partial(self.graph.sub, self.graph.one)
            case ast.BoolOp(op=op, values=parts):
                word, code = ("and", ops.MUL) if isinstance(op, ast.And) else ("or", ops.MAX)
                return self.logical(word, parts), _chain(build[code])
            case ast.Compare(left=a, ops=signs, comparators=rest):
                return (a, *rest), partial(self.compare, [_COMPARE[type(sign)] for sign in signs])
            case ast.IfExp(test=condition, body=a, orelse=b):
                return (condition, a, b), self.graph.where
            case ast.Call(func=ast.Name() | ast.Attribute() as function, args=arguments, keywords=[]):
                return arguments, self.function(function, len(arguments))
        raise self.error(f"{type(node).__name__} has no meaning in an expression", node)

    # Leaves

    def number(self, node: ast.expr, value: object) -> int:
        if type(value) not in (int, float):
            raise self.error(f"{value!r} is not a real number", node)
        return self.graph.const(value)

    def name(self, node: ast.expr) -> int:
        """The declared name as it is spelled, or else the one declared name with the same NFKC form, or a constant."""
        spelled = self.spelled(node)
        handle = self.graph.named(spelled) if self.names is None else self.names.get(spelled)
        if handle is not None:
            return handle
        alike = self.alike.get(_normal(spelled), [])
        if len(alike) == 1:
            return alike[0]
        if not alike and spelled in CONSTANTS:
            return self.graph.const(CONSTANTS[spelled])
        raise self.error(self.unknown(spelled), node)

    @cached_property
    def declared(self) -> Mapping[str, int]:
        if self.names is not None:
            return self.names
        named = ((s.name, self.graph.named(s.name)) for s in self.graph.symbols)
        return {name: handle for name, handle in named if handle is not None}

    @cached_property
    def alike(self) -> dict[str, list[int]]:
        """The declared names by their normal form (NFKC, as Python reads names)."""
        alike: dict[str, list[int]] = {}
        for name, handle in self.declared.items():
            alike.setdefault(_normal(name), []).append(handle)
        return alike

    def spelled(self, node: ast.expr) -> str:
        """A name as the text has it, without the spaces around its dots."""
        raw = self.bytes[node.col_offset - 1 : (node.end_col_offset or 0) - 1]
        return "".join(raw.decode().split())

    # Operations that need a look at their operands

    def power(self, right: ast.expr, a: int, b: int) -> int:
        exponent = self.graph.number(b)
        if exponent is not None and exponent % 1 == 0 and not -EXPONENT <= exponent <= EXPONENT:
            raise self.error(f"the power is beyond ±{EXPONENT}: write exp(…*log(…)) if it is meant", right)
        return self.graph.pow(a, b)

    def compare(self, signs: Sequence[tuple[int, bool]], *operands: int) -> int:
        """a < b < c is (a < b)·(b < c)."""
        build = self.graph.build
        pairs = zip(signs, pairwise(operands), strict=True)
        links = [build[code](b, a) if swapped else build[code](a, b) for (code, swapped), (a, b) in pairs]
        return reduce(self.graph.mul, links)

    def logical(self, word: str, parts: Sequence[ast.expr]) -> Sequence[ast.expr]:
        """The parts, if each is a comparison or made of comparisons."""
        for part in parts:
            negated = isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not)
            if not isinstance(part, _LOGICAL) and not negated:
                raise self.error(f"'{word}' stands between comparisons only: write … != 0 here", part)
        return parts

    def function(self, node: ast.expr, count: int) -> Maker:
        """What makes the node of a function; tables and callbacks given with the text come first."""
        name = self.spelled(node)
        given = self.functions.get(name)
        if isinstance(given, Table):
            return self.counted(node, partial(self.graph.table, given), count, 1)
        if given is not None:
            return self.counted(node, lambda *handles: self.graph.call(given, handles), count, given.arity)
        code = FUNCTIONS.get(name)
        if code is None:
            raise self.error(self.no_function(name), node)
        if code in (ops.MIN, ops.MAX):
            return _chain(self.graph.build[code])
        return self.counted(node, self.graph.build[code], count, ops.ARITY[code])

    def counted(self, node: ast.expr, make: Maker, given: int, wanted: int) -> Maker:
        if given != wanted:
            arguments = "1 argument" if wanted == 1 else f"{wanted} arguments"
            raise self.error(f"{self.spelled(node)}() takes {arguments}, not {given}", node)
        return make

    # Errors

    def unknown(self, name: str) -> str:
        if name in FUNCTIONS or name in self.functions:
            return f"{name} is a function: write {name}(…)"
        if _normal(name) in self.alike:
            return f"{short(name)} fits several declared names that Python reads as the same: spell it as one of them"
        read = "" if _normal(name) == name else f" (read as {short(_normal(name))})"
        return f"{short(name)}{read} is not declared. {_suggest(_normal(name), self.declared)}"

    def no_function(self, name: str) -> str:
        if name in self.declared:
            return f"{short(name)} is not a function: write * before the bracket to multiply"
        last = name.rpartition(".")[2]
        return f"there is no function {short(name)}. {_suggest(last, [*self.functions, *FUNCTIONS])}"

    def error(self, message: str, node: ast.expr) -> ParseError:
        """The error at the node; Python counts its columns in bytes of UTF-8, and from the bracket put around."""
        return ParseError(message, self.text, len(self.bytes[: node.col_offset - 1].decode()))


def _chain(make: Callable[[int, int], int]) -> Maker:
    """A function of two as a function of any number."""
    return lambda *handles: reduce(make, handles)


def _normal(name: str) -> str:
    return unicodedata.normalize("NFKC", name)


def _suggest(name: str, known: Iterable[str]) -> str:
    """What could have been meant, for an error."""
    names = [*known]
    close = nearest(name, names)
    if close:
        return f"Did you mean {' or '.join(close)}?"
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return f"Known: {shown}." if names else "No names are declared: add the symbol first."
