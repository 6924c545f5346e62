"""Text to nodes: ``parse(graph, "m1*l1**2/12")``.

The language is Python's arithmetic with declared names, the functions of ``FUNCTIONS``, comparisons (0 or 1, also
chained), ``and``, ``or`` and ``not`` between comparisons, and ``a if condition else b``, which is ``where``. Integers
and their quotients stay exact; decimals are floats. Names with dots are names (``body.x``), never attributes. Nothing
is evaluated by Python; the limits on size are in ``freebody.scalar.tokens``.
"""

import math
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial, reduce
from itertools import pairwise
from typing import NamedTuple

from freebody.errors import ExpressionError, ParseError, nearest
from freebody.scalar import ops
from freebody.scalar.callback import Callback
from freebody.scalar.graph import Graph
from freebody.scalar.table import Table
from freebody.scalar.tokens import NESTING, Token, short, tokens
from freebody.scalar.walk import require_finite

EXPONENT = 1024  # the largest integer power, up or down
CONSTANTS = {"pi": math.pi}
FUNCTIONS: dict[str, int] = {ops.OPS[code].name: code for code in (*ops.UNARY, ops.ATAN2, ops.WHERE)} | {
    "min": ops.MIN, "minimum": ops.MIN, "max": ops.MAX, "maximum": ops.MAX,
}  # fmt: skip

CONDITION, OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, POWER = range(9)
_BINDS = {"if": CONDITION, "or": OR, "and": AND, "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "**": POWER}
_COMPARE = {  # the operation, and whether the operands change sides
    "<": (ops.LT, False), "<=": (ops.LE, False), ">": (ops.LT, True), ">=": (ops.LE, True),
    "==": (ops.EQ, False), "!=": (ops.NE, False),
}  # fmt: skip
_BINDS |= dict.fromkeys(_COMPARE, COMPARISON)  # how tightly operators bind, the loosest first, as in Python
_ARITHMETIC = {"+": ops.ADD, "-": ops.SUB, "*": ops.MUL, "/": ops.DIV}


def parse(
    graph: Graph,
    text: str,
    names: Mapping[str, int] | None = None,
    functions: Mapping[str, Table | Callback] | None = None,
    who: str = "",
) -> int:
    """The node of an expression given as text. It may use only these names (default: the graph's symbols). ``who``
    says in errors whose text it is: "mass of 'arm'"."""
    if not isinstance(text, str):
        raise ExpressionError(f"{text!r} ({type(text).__name__}) is not a text")
    try:
        return _TextParser(graph, text, names, functions or {}).parse()
    except ParseError as error:
        raise ParseError(error.message, error.text, error.column, who) from None


class _Operand(NamedTuple):
    """A part of the text that has been read: its node, where it starts, whether it is made of comparisons."""

    node: int
    column: int
    logical: bool = False


class _TextParser:
    """Nodes from tokens by operator precedence: operands before operators, from left to right."""

    def __init__(
        self, graph: Graph, text: str, names: Mapping[str, int] | None, functions: Mapping[str, Table | Callback]
    ) -> None:
        self.graph, self.text, self.names, self.functions = graph, text, names, functions
        self.tokens, self.end = iter([*tokens(text)]), Token("end", "", len(text))
        self.next = next(self.tokens, self.end)
        self.depth = 0
        self.unchecked: list[_Operand] = []  # must have finite values, unless they turn out to be in a branch

    def parse(self) -> int:
        """The node of the whole text. What is inside a branch of ``where`` need not have a finite value."""
        try:
            root = self.expression()
        except RecursionError:
            raise self.error("the expression is too deep for Python's stack here: give it in parts", 0) from None
        if self.next.kind != "end":
            raise self.misplaced(self.next)
        for operand in self.unchecked:
            try:
                require_finite(self.graph, (operand.node,))
            except ExpressionError as error:
                raise self.error(str(error), operand.column) from None
        return root.node

    def take(self) -> Token:
        """The next token; the one after it is next then."""
        token, self.next = self.next, next(self.tokens, self.end)
        return token

    def made(self, column: int, make: Callable[..., int], *operands: int, logical: bool = False) -> _Operand:
        """The node that ``make`` builds of some operands, with its position in the text if that fails."""
        try:
            operand = _Operand(make(*operands), column, logical)
        except ExpressionError as error:
            raise self.error(str(error), column) from None
        if self.graph.broken:
            self.unchecked.append(operand)
        return operand

    # Operators

    def expression(self, binds: int = CONDITION) -> _Operand:
        """The longest expression from here on whose operators bind at least as tightly as this."""
        start = len(self.unchecked)
        left = self.operand(binds)
        while True:
            token = self.next
            if token.kind in ("name", "number") or token.word in ("(", "not"):
                raise self.error(f"an operator is missing before {short(token.word)}", token.column)
            level = _BINDS.get(token.word, -1)
            if level < binds:
                return left
            if level == CONDITION:
                left = self.condition(left, start)
            elif level in (OR, AND):
                left = self.logical(left, level)
            elif level == COMPARISON:
                left = self.comparison(left)
            elif level == POWER:
                left = self.power(left)
            else:
                self.take()
                right = self.expression(level + 1)
                left = self.made(left.column, self.graph.build[_ARITHMETIC[token.word]], left.node, right.node)

    def nested(self, binds: int = CONDITION) -> _Operand:
        """An expression inside another one; how deep these go is limited."""
        self.depth += 1
        if self.depth > NESTING:
            message = f"brackets, signs, powers and conditions go more than {NESTING} deep: give it in parts"
            raise self.error(message, self.next.column)
        inner = self.expression(binds)
        self.depth -= 1
        return inner

    def condition(self, left: _Operand, start: int) -> _Operand:
        """``left if condition else right``; what is unchecked from ``start`` on is in the left branch."""
        sign = self.take()
        del self.unchecked[start:]
        condition = self.nested(OR)
        if self.next.word != "else":
            raise self.error("'if' needs an 'else': write a if condition else b", sign.column)
        self.take()
        start = len(self.unchecked)
        right = self.nested()
        del self.unchecked[start:]
        return self.made(left.column, self.graph.where, condition.node, left.node, right.node)

    def logical(self, left: _Operand, level: int) -> _Operand:
        """``a and b`` is a·b, ``a or b`` the larger of them; both must be made of comparisons."""
        word, parts = self.next.word, [left]
        while self.next.word == word:
            self.take()
            parts.append(self.expression(level + 1))
        nodes = [self.comparisons(word, part) for part in parts]
        make = self.graph.build[ops.MUL if level == AND else ops.MAX]
        return self.made(left.column, lambda: reduce(make, nodes), logical=True)

    def comparisons(self, word: str, part: _Operand) -> int:
        """The node of an operand of and, or, not."""
        if not part.logical:
            raise self.error(f"'{word}' stands between comparisons only: write … != 0 here", part.column)
        return part.node

    def comparison(self, left: _Operand) -> _Operand:
        """a < b < c is (a < b)·(b < c)."""
        signs, nodes = list[tuple[int, bool]](), [left.node]
        while self.next.word in _COMPARE:
            signs.append(_COMPARE[self.take().word])
            nodes.append(self.expression(SUM).node)

        def chain() -> int:
            pairs = zip(signs, pairwise(nodes), strict=True)
            links = [self.graph.build[op](*((b, a) if swapped else (a, b))) for (op, swapped), (a, b) in pairs]
            return reduce(self.graph.mul, links)

        return self.made(left.column, chain, logical=True)

    def power(self, left: _Operand) -> _Operand:
        self.take()
        right = self.nested(SIGN)
        exponent = self.graph.number(right.node)
        if exponent is not None and exponent % 1 == 0 and not -EXPONENT <= exponent <= EXPONENT:
            raise self.error(f"the power is beyond ±{EXPONENT}: write exp(…*log(…)) if it is meant", right.column)
        return self.made(left.column, self.graph.pow, left.node, right.node)

    # Operands

    def operand(self, binds: int) -> _Operand:
        """A number, a name, a function of arguments, an expression in brackets, or one with a sign before it."""
        if self.next.word == "(":
            return self.bracketed()[0]
        token = self.take()
        if token.kind == "number":
            value = int(token.word) if token.word.isdigit() else float(token.word)
            return self.made(token.column, partial(self.graph.const, value))
        if token.kind == "name":
            name = "".join(token.word.split())
            return self.call(name, token.column) if self.next.word == "(" else self.name(name, token.column)
        if token.kind == "end":
            ends = "the text ends where something must follow" if self.text.strip() else "the text is empty"
            raise self.error(f"{ends}: give an expression such as m*l**2/12", token.column)
        if token.word == "not":
            if binds > NOT:
                raise self.error("'not' needs brackets here: write (not …)", token.column)
            node = self.comparisons("not", self.nested(NOT))
            return self.made(token.column, self.graph.sub, self.graph.one, node, logical=True)
        if token.word not in ("+", "-"):
            raise self.error(f"something is missing before '{token.word}'", token.column)
        inner = self.nested(SIGN).node
        return _Operand(inner, token.column) if token.word == "+" else self.made(token.column, self.graph.neg, inner)

    def bracketed(self, call: bool = False, branches: bool = False) -> list[_Operand]:
        """The expression in a pair of brackets, or the arguments of a call; ``branches``: those of ``where``."""
        opening, parts = self.take(), list[_Operand]()
        while True:
            start = len(self.unchecked)
            parts.append(self.nested()._replace(column=opening.column))
            if branches and len(parts) > 1:
                del self.unchecked[start:]
            token = self.take()
            if token.word == ")":
                return parts
            if token.kind == "end":
                raise self.error("'(' is never closed", opening.column)
            if token.word != "," or not call:
                raise self.misplaced(token)

    def call(self, name: str, column: int) -> _Operand:
        """A function of its arguments; tables and callbacks given with the text come first."""
        function, code = self.functions.get(name), FUNCTIONS.get(name, -1)
        if function is None and code < 0:
            raise self.error(self.no_function(name), column)
        nodes = [x.node for x in self.bracketed(True, function is None and code == ops.WHERE)]
        make, arity = self.graph.build[code], ops.ARITY[code]
        if isinstance(function, Table):
            make, arity = partial(self.graph.table, function), 1
        elif function is not None:
            make, arity = lambda *x: self.graph.call(function, x), function.arity
        elif code in (ops.MIN, ops.MAX):
            make, arity = lambda *x: reduce(self.graph.build[code], x), len(nodes)
        if len(nodes) != arity:
            arguments = "1 argument" if arity == 1 else f"{arity} arguments"
            raise self.error(f"{name}() takes {arguments}, not {len(nodes)}", column)
        return self.made(column, make, *nodes)

    def name(self, name: str, column: int) -> _Operand:
        """The declared name as it is spelled, or else the one declared name with the same NFKC form, or a constant."""
        node = self.graph.named(name) if self.names is None else self.names.get(name)
        if node is None:
            alike = self.alike.get(_normal(name), [])
            if len(alike) == 1:
                node = alike[0]
            elif not alike and name in CONSTANTS:
                node = self.graph.const(CONSTANTS[name])
            else:
                raise self.error(self.unknown(name), column)
        return self.made(column, int, node)

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

    # Errors

    def error(self, message: str, column: int) -> ParseError:
        return ParseError(message, self.text, column)

    def misplaced(self, token: Token) -> ParseError:
        messages = {
            ")": "')' closes nothing: there is no '(' before it",
            ",": "',' stands only between the arguments of a function",
        }
        return self.error(messages.get(token.word, f"'{token.word}' has no 'if' before it"), token.column)

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


def _normal(name: str) -> str:
    return unicodedata.normalize("NFKC", name)


def _suggest(name: str, known: Iterable[str]) -> str:
    """The declared names that could have been meant, for an error text."""
    names = [*known]
    close = nearest(name, names)
    if close:
        return f"Did you mean {' or '.join(close)}?"
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return f"Known: {shown}." if names else "No names are declared: add the symbol first."
