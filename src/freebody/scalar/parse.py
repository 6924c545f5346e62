"""Text to nodes: ``parse(graph, "m1*l1**2/12")``.

The language is Python's arithmetic with declared names, the functions of ``FUNCTIONS``, comparisons (0 or 1, also
chained), ``and``, ``or`` and ``not`` between comparisons, and ``a if condition else b``, which is ``where``. Integers
and their quotients stay exact; decimals are floats. Names with dots are names (``body.x``), never attributes; so are
entries of the equations of motion, ``mass(arm, elbow)``. Nothing is evaluated by Python, and the size of a text is
limited.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, cached_property, partial, reduce
from keyword import kwlist
from typing import NamedTuple

from freebody.errors import ExpressionError, ParseError, nearest, renamed
from freebody.scalar import ops
from freebody.scalar.functions import Callback, Table
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.units import name_hint, unit_hint
from freebody.scalar.walk import require_finite

LENGTH = 20_000  # characters
NESTING = 100  # brackets, signs, powers and conditions inside each other; dots in a name
DIGITS = 40  # in one number, its exponent included
EXPONENT = 1024  # the largest integer power, up or down
CONSTANTS = {"pi": math.pi}
FUNCTIONS: dict[str, int] = {ops.OPS[code].name: code for code in (*ops.UNARY, ops.ATAN2, ops.WHERE)} | {
    "min": ops.MIN, "max": ops.MAX,
}  # fmt: skip

OF_NAMES = frozenset(("mass", "bias", "gravity", "jacobian"))
"""Functions of names, ``mass(arm, elbow)``: with its arguments each is one of the names that a text may use."""

CONDITION, OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, POWER = range(9)
_BINDS = {"if": CONDITION, "or": OR, "and": AND, "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "**": POWER}
_COMPARE = {  # the operation, and whether the operands change sides
    "<": (ops.LT, False), "<=": (ops.LE, False), ">": (ops.LT, True), ">=": (ops.LE, True),
    "==": (ops.EQ, False), "!=": (ops.NE, False),
}  # fmt: skip
_BINDS |= dict.fromkeys(_COMPARE, COMPARISON)  # how tightly operators bind, the loosest first, as in Python
_ARITHMETIC = {"+": ops.ADD, "-": ops.SUB, "*": ops.MUL, "/": ops.DIV, "**": ops.POW}

_SPACE = r"[ \t\r\n\f]"
_LETTER = r"[A-Za-z_\x80-\U0010ffff]"
_NAME = rf"{_LETTER}(?:{_LETTER}|[0-9])*"
_WORDS = frozenset(("and", "or", "not", "if", "else"))
_RESERVED = frozenset(kwlist)
_FORBIDDEN = _RESERVED - _WORDS
_HINTS = {
    "^": "write ** for a power", "=": "write == to compare", "!": "write 'not', or != to compare", "~": "write 'not'",
    "&": "write 'and'", "|": "write 'or'", "%": "write x - m*floor(x/m) for a remainder",
    "'": "write names without quotes", '"': "write names without quotes", "[": "use round brackets",
    "{": "use round brackets", ".": "a dot stands inside a number or between the parts of a name",
    "True": "write 1", "False": "write 0",
}  # fmt: skip
_MISPLACED = {")": "closes nothing: there is no '(' before it", ",": "stands only between the arguments of a function"}


def parse(
    graph: Graph,
    text: str,
    names: Mapping[str, Node] | None = None,
    functions: Mapping[str, Table | Callback] | None = None,
    context: str = "",
) -> Node:
    """The node of an expression given as text. It may use only these names (default: the graph's symbols). ``context``
    says in errors whose text it is: "mass of 'arm'"."""
    if not isinstance(text, str):
        raise ExpressionError(f"{text!r} ({type(text).__name__}) is not a text")
    try:
        parser = _TextParser(graph, text, graph.by_name if names is None else names, functions or {})
        try:
            root = parser.expression()
        except RecursionError:
            raise parser.error("the expression is too deep for Python's stack here: give it in parts", 0) from None
        if parser.next.kind != "end":
            raise parser.misplaced(parser.next)
        for operand in parser.unchecked:
            try:
                require_finite(graph, (operand.node,))
            except ExpressionError as error:
                raise parser.error(str(error), operand.column) from None
    except ParseError as error:
        error.context = context
        if hint := unit_hint(text):
            error.message = hint
        raise error.with_traceback(None) from None
    return root.node


class Token(NamedTuple):
    """A number, a (dotted) name or a sign; the words and, or, not, if, else are signs."""

    kind: str
    word: str
    column: int


@cache
def _token() -> re.Pattern[str]:
    """The pattern of a token, compiled on first use: that takes a tenth of the time of importing the library."""
    return re.compile(
        rf"(?P<space>{_SPACE}+)"
        r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
        rf"|(?P<name>{_NAME}(?:{_SPACE}*\.{_SPACE}*{_NAME})*)"
        r"|(?P<sign>\*\*|<=|>=|==|!=|[-+*/<>(),])"
    )


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text; raises a ParseError at a character that belongs to none."""

    def foreign(column: int) -> ParseError:
        c = text[column]
        shown = f"'{c}'" if c.isascii() and c.isprintable() else f"{c!r} ({unicodedata.name(c, 'unnamed')})"
        hint = _HINTS.get(c, "use names, numbers, + - * / ** and brackets")
        return ParseError(f"{shown} has no meaning in an expression: {hint}", text, column)

    if len(text) > LENGTH:
        raise ParseError(f"the text has {len(text)} characters, more than {LENGTH}: give it in parts", text, LENGTH)
    column, token = 0, _token()
    while column < len(text):
        match = token.match(text, column)
        if match is None:
            raise foreign(column)
        kind, word, end = match.lastgroup, match.group(), match.end()
        if kind == "number":
            if len(word) > DIGITS and sum(map(str.isdigit, word)) > DIGITS:
                raise ParseError(f"a number has more than {DIGITS} digits: round it", text, column)
            if word[0] == "0" and word.isdigit() and word.lstrip("0"):
                raise ParseError(f"{_short(word)} starts with zeros: leave them out", text, column)
            if text[end : end + 1].isidentifier():
                raise ParseError(f"{word} runs into {text[end]!r}: write * or a space between", text, end)
        elif kind == "name" and not (word.isascii() and word.isidentifier() and word not in _FORBIDDEN):
            if word.count(".") > NESTING:
                raise ParseError(f"a name has more than {NESTING} dots", text, column)
            for part in re.finditer(_NAME, word):
                start = column + part.start()
                if not part.group().isidentifier():
                    wrong = (k for k, c in enumerate(part.group()) if not f"a{c}".isidentifier())
                    raise foreign(start + next(wrong, 0))
                if _normal(part.group()) in _RESERVED:
                    hint = _HINTS.get(part.group(), "use another name")
                    raise ParseError(f"{part.group()!r} is a reserved word and cannot be a name: {hint}", text, start)
        if kind != "space":
            yield Token("sign" if word in _WORDS else str(kind), word, column)
        column = end


class _Operand(NamedTuple):
    """A part of the text that has been read: its node, where it starts, whether it is made of comparisons."""

    node: Node
    column: int
    logical: bool = False


def _known(node: Node) -> Node:
    return node


class _TextParser:
    """Nodes from tokens by operator precedence: operands before operators, from left to right."""

    def __init__(
        self, graph: Graph, text: str, names: Mapping[str, Node], functions: Mapping[str, Table | Callback]
    ) -> None:
        self.graph, self.text, self.names, self.functions = graph, text, names, functions
        self.tokens, self.end = iter([*tokens(text)]), Token("end", "", len(text))
        self.next = next(self.tokens, self.end)
        self.depth = 0
        self.unchecked: list[_Operand] = []  # must have finite values, unless they are in a branch of ``where``

    def take(self) -> Token:
        """The next token; the one after it is next then."""
        token, self.next = self.next, next(self.tokens, self.end)
        return token

    def build(self, column: int, make: Callable[..., Node], *operands: Node, logical: bool = False) -> _Operand:
        """The node that ``make`` builds of some operands, with its position in the text if that fails."""
        try:
            operand = _Operand(make(*operands), column, logical)
        except ExpressionError as error:
            raise self.error(str(error), column) from None
        if self.graph.broken:
            self.unchecked.append(operand)
        return operand

    def expression(self, binds: int = CONDITION) -> _Operand:
        """The longest expression from here on whose operators bind at least as tightly as this."""
        start = len(self.unchecked)
        left = self.operand(binds)
        while True:
            token = self.next
            if token.kind in ("name", "number") or token.word in ("(", "not"):
                raise self.error(f"an operator is missing before {_short(token.word)}", token.column)
            level = _BINDS.get(token.word, -1)
            if level < binds:
                return left
            if level == CONDITION:
                left = self.condition(left, start)
            elif level in (OR, AND):
                left = self.logical(left, level)
            elif level == COMPARISON:
                left = self.comparison(left)
            else:
                self.take()
                right = self.nested(SIGN) if level == POWER else self.expression(level + 1)
                power = self.graph.number(right.node) if level == POWER else None
                if power is not None and power % 1 == 0 and not -EXPONENT <= power <= EXPONENT:
                    message = f"the power is beyond ±{EXPONENT}: write exp(…*log(…)) if it is meant"
                    raise self.error(message, right.column)
                left = self.build(left.column, self.graph.build[_ARITHMETIC[token.word]], left.node, right.node)

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
        return self.build(left.column, self.graph.where, condition.node, left.node, right.node)

    def logical(self, left: _Operand, level: int) -> _Operand:
        """``a and b`` is a·b, ``a or b`` the larger of them; both must be made of comparisons."""
        word, parts = self.next.word, [left]
        while self.next.word == word:
            self.take()
            parts.append(self.expression(level + 1))
        nodes = [self.truth(word, part) for part in parts]
        make = self.graph.build[ops.MUL if level == AND else ops.MAX]
        return self.build(left.column, lambda: reduce(make, nodes), logical=True)

    def truth(self, word: str, part: _Operand) -> Node:
        """The node of an operand of and, or, not."""
        if not part.logical:
            raise self.error(f"'{word}' stands between comparisons only: write … != 0 here", part.column)
        return part.node

    def comparison(self, left: _Operand) -> _Operand:
        """a < b < c is (a < b)·(b < c)."""
        links, a = list[tuple[int, Node, Node]](), left.node
        while self.next.word in _COMPARE:
            op, swapped = _COMPARE[self.take().word]
            b = self.expression(SUM).node
            links.append((op, b, a) if swapped else (op, a, b))
            a = b
        make, mul = self.graph.build, self.graph.mul
        return self.build(left.column, lambda: reduce(mul, [make[op](x, y) for op, x, y in links]), logical=True)

    def operand(self, binds: int) -> _Operand:
        """A number, a name, a function of arguments, an expression in brackets, or one with a sign before it."""
        if self.next.word == "(":
            return self.bracketed()[0]
        token = self.take()
        if token.kind == "number":
            value = int(token.word) if token.word.isdigit() else float(token.word)
            return self.build(token.column, partial(self.graph.const, value))
        if token.kind == "name":
            name = "".join(token.word.split())
            return self.call(name, token.column) if self.next.word == "(" else self.name(name, token.column)
        if token.kind == "end":
            ends = "the text ends where something must follow" if self.text.strip() else "the text is empty"
            raise self.error(f"{ends}: give an expression such as m*l**2/12", token.column)
        if token.word == "not":
            if binds > NOT:
                raise self.error("'not' needs brackets here: write (not …)", token.column)
            node = self.truth("not", self.nested(NOT))
            return self.build(token.column, self.graph.sub, self.graph.one, node, logical=True)
        if token.word not in ("+", "-"):
            raise self.error(f"something is missing before '{token.word}'", token.column)
        inner = self.nested(SIGN).node
        return _Operand(inner, token.column) if token.word == "+" else self.build(token.column, self.graph.neg, inner)

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
        if function is None and name in OF_NAMES:
            return self.of_names(name, column)
        if function is None and code < 0:
            if name in self.names:
                raise self.error(f"{_short(name)} is not a function: write * before the bracket to multiply", column)
            suggestion = _suggest(name.rpartition(".")[2], [*self.functions, *FUNCTIONS])
            raise self.error(f"there is no function {_short(name)}. {suggestion}", column)
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
        return self.build(column, make, *nodes)

    def product_hint(self, name: str) -> str:
        """What to write if a declared name before a bracket is meant as a factor."""
        return f"; to multiply by '{name}', write *" if name in self.names else ""

    def of_names(self, function: str, column: int) -> _Operand:
        """A function of names, which is a name itself: "mass(arm, elbow)"."""
        self.take()
        names = list[str]()
        while self.next.word != ")" or not names:
            token = self.take()
            if token.kind != "name":
                hint = self.product_hint(function)
                raise self.error(f"{function}(…) takes names, {_short(token.word)} is none{hint}", token.column)
            names.append("".join(token.word.split()))
            if self.next.word == ",":
                self.take()
            elif self.next.word != ")":
                hint = self.product_hint(function)
                message = f"{function}(…) takes names with commas between, then ')'{hint}"
                raise self.error(message, self.next.column)
        self.take()
        whole = f"{function}({', '.join(names)})"
        try:
            node = self.names.get(whole)
        except ExpressionError as error:
            hint = self.product_hint(function)
            raise self.error(f"{error}{hint}", column) from None
        if node is None:
            raise self.error(
                f"{whole} is not known here: laws of inputs, controllers, outputs and events may use it", column
            )
        return self.build(column, _known, node)

    def name(self, name: str, column: int) -> _Operand:
        """The declared name as it is spelled, or else the one declared name with the same NFKC form (as Python reads
        names), or a constant."""
        if name in self.names:
            return self.build(column, _known, self.names[name])
        normal = _normal(name)
        alike = self.alike.get(normal, [])
        if len(alike) == 1:
            return self.build(column, _known, alike[0])
        if not alike and name in CONSTANTS:
            return self.build(column, partial(self.graph.const, CONSTANTS[name]))
        if name in FUNCTIONS or name in self.functions:
            raise self.error(f"{name} is a function: write {name}(…)", column)
        if alike:
            message = "fits several declared names that Python reads as the same: spell it as one of them"
            raise self.error(f"{_short(name)} {message}", column)
        read = "" if normal == name else f" (read as {_short(normal)})"
        message = f"{_short(name)}{read} is not declared.{name_hint(name)}"
        raise UndeclaredNameError(message, self.text, column, normal, self.names)

    @cached_property
    def alike(self) -> dict[str, list[Node]]:
        """The declared names by their normal form."""
        alike: dict[str, list[Node]] = {}
        for name, handle in self.names.items():
            alike.setdefault(_normal(name), []).append(handle)
        return alike

    def error(self, message: str, column: int) -> ParseError:
        return ParseError(message, self.text, column)

    def misplaced(self, token: Token) -> ParseError:
        message = _MISPLACED.get(token.word, "has no 'if' before it")
        return self.error(f"'{token.word}' {message}", token.column)


class UndeclaredNameError(ParseError):
    """A name that is not declared; the error suggests those of ``known`` that could be meant."""

    def __init__(self, message: str, text: str, column: int, name: str, known: Collection[str]) -> None:
        super().__init__(f"{message} {_suggest(name, known)}", text, column)
        self.problem, self.name, self.known = message, name, known

    def among(self, known: Collection[str], what: str) -> "UndeclaredNameError":
        """The same error where only the names ``known`` may be used, which are ``what``."""
        if close := _close(self.name, known):
            self.message = f"{self.problem} Did you mean {' or '.join(close)}?"
        else:
            shown = ", ".join([*known][:12]) + (", …" if len(known) > 12 else "")
            there = f": {shown}" if known else "; none is declared"
            self.message = f"{self.problem} Only {what} can be used here{there}."
        return self


def _close(name: str, known: Collection[str]) -> list[str]:
    """The known names that are alike: those of a body or coordinate of this name first ("q.arm" for "arm")."""
    parts = [other for other in known if "." in other and name in (other.split(".", 1)[1], other.rsplit(".", 1)[1])]
    return parts[:3] or nearest(name, known)


def _normal(name: str) -> str:
    return unicodedata.normalize("NFKC", name)


def _short(word: str) -> str:
    """A word in quotes for an error text, cut if it is long."""
    return repr(word if len(word) <= 40 else word[:39] + "…")


def _suggest(name: str, known: Collection[str]) -> str:
    """The declared names that could have been meant, for an error text."""
    if now := renamed(name, known):
        return now
    names = [*known]
    close = _close(name, names)
    if close:
        return f"Did you mean {' or '.join(close)}?"
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return f"Known: {shown}." if names else "No names can be used here."
