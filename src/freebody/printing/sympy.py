"""Conversion to SymPy, node by node; and programs as Python source that uses SymPy.

Symbols are real and keep their names; ``where`` is a Piecewise; tables and user functions are undefined functions of
the same name.
"""

import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.printing.str import StrPrinter

from freebody.printing.addresses import AddressNames
from freebody.program.code import Code
from freebody.program.ldl import PIVOT_TOLERANCE
from freebody.program.program import Program
from freebody.program.unrolled import Unrolled
from freebody.scalar import ops
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.notation import short
from freebody.scalar.numbers import Number
from freebody.scalar.printing import UniqueNames
from freebody.scalar.walk import Nodes, live, operands

Values = Mapping[Node, Any] | Sequence[Any]  # the SymPy expressions of nodes
Replacements = list[tuple[Any, Any]]  # symbols and their values


# Expressions to SymPy


def _choice(condition: Any, a: Any, b: Any) -> Any:
    return sympy.Piecewise((a, condition), (b, True), evaluate=False)


def _truth(kind: Any, a: Any, b: Any) -> Any:
    """A comparison as a number, 1 or 0."""
    return _choice(kind(a, b, evaluate=False), sympy.S.One, sympy.S.Zero)


RELATIONS = {ops.LT: sympy.Lt, ops.LE: sympy.Le, ops.EQ: sympy.Eq, ops.NE: sympy.Ne}
FUNCTIONS = {
    ops.SIN: sympy.sin, ops.COS: sympy.cos, ops.TAN: sympy.tan, ops.ASIN: sympy.asin, ops.ACOS: sympy.acos,
    ops.ATAN: sympy.atan, ops.ATAN2: sympy.atan2, ops.SINH: sympy.sinh, ops.COSH: sympy.cosh, ops.TANH: sympy.tanh,
    ops.EXP: sympy.exp, ops.LOG: sympy.log, ops.ABS: sympy.Abs, ops.SIGN: sympy.sign, ops.FLOOR: sympy.floor,
}  # fmt: skip
WRITERS: dict[int, Callable[..., Any]] = {
    ops.ADD: lambda a, b: a + b,
    ops.SUB: lambda a, b: a - b,
    ops.MUL: lambda a, b: a * b,
    ops.DIV: lambda a, b: a / b,
    ops.NEG: lambda a: -a,
    ops.POW: sympy.Pow,
    ops.SQRT: sympy.sqrt,
    ops.MIN: lambda a, b: sympy.Min(a, b, evaluate=False),
    ops.MAX: lambda a, b: sympy.Max(a, b, evaluate=False),
    ops.WHERE: _choice,
    **FUNCTIONS,
    **{op: partial(_truth, kind) for op, kind in RELATIONS.items()},
}
OTHERS = frozenset((ops.CONST, ops.SYMBOL, ops.TABLE, ops.CALL))

assert all((o.code in WRITERS) != (o.code in OTHERS) for o in ops.OPS), "every operation is written in one way"


def to_sympy(graph: Graph, handles: Sequence[Node]) -> list[Any]:
    """The expressions as SymPy has them."""
    symbol = [sympy.Symbol(s.name, real=True) for s in graph.symbols]
    values: dict[Node, Any] = {}
    for i in live(graph, handles):
        values[i] = symbol[graph.a[i]] if graph.op[i] == ops.SYMBOL else _write(graph, i, values)
    return [values[h] for h in handles]


def _write(nodes: Nodes, i: Node, values: Values) -> Any:
    """One node from its operands; anything but a symbol."""
    op, a = nodes.op[i], nodes.a[i]
    if op == ops.CONST:
        return _number(nodes.numbers[a])
    arguments = [values[k] for k in operands(nodes, i)]
    if op in (ops.TABLE, ops.CALL):
        name = nodes.tables[nodes.b[i]].name if op == ops.TABLE else nodes.calls[a][0].name
        return sympy.Function(name, real=True)(*arguments)
    if op == ops.WHERE and nodes.op[a] in RELATIONS:
        arguments[0] = RELATIONS[nodes.op[a]](*(values[k] for k in operands(nodes, a)), evaluate=False)
    elif op == ops.WHERE:
        arguments[0] = sympy.Ne(values[a], 0, evaluate=False)
    return WRITERS[op](*arguments)


def _number(value: Number) -> Any:
    """A number as SymPy has it: fractions exactly."""
    return sympy.Float(value) if isinstance(value, float) else sympy.Rational(value.numerator, value.denominator)


# Programs


def program_to_sympy(program: Program) -> tuple[Replacements, dict[str, Any]]:
    """All of a program as SymPy's cse() would give it: replacements in order, and outputs by name in terms of them.

    Scans are unrolled; a solve becomes the steps of its factorisation. Vectors and matrices are SymPy's. Fractions are
    exact; floats that are short fractions are written as these, as in listings.
    """
    run = _UnrolledInSympy(program)
    return run.replacements, run.outputs


class _UnrolledInSympy(Unrolled):
    """A program run on SymPy expressions, from ``inputs`` to ``outputs``; what is used again becomes a replacement."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.names = UniqueNames(labels=(x[0].name for code in program.blocks for x in code.labels.values()))
        for group, names in AddressNames(program).elements.items():
            self.memory[group] = [sympy.Symbol(self.names.leaf(name), real=True) for name in names]
        self.inputs = [symbol for group in program.groups for symbol in self.memory[group.name]]
        self.replacements: Replacements = []
        self.run()
        self.outputs: dict[str, Any] = {}
        for o in program.outputs:
            values = self.memory[o.name]
            if len(o.shape) in (1, 2):
                self.outputs[o.key] = sympy.ImmutableMatrix(o.shape[0], o.shape[1] if o.shape[1:] else 1, values)
            else:
                self.outputs[o.key] = sympy.ImmutableDenseNDimArray(values, o.shape) if o.shape else values[0]

    def number(self, value: Number) -> Any:
        return _number(short(value))

    def write(self, code: Code, i: Node, values: list[Any]) -> Any:
        return _write(code, i, values)

    def guarded_inverse(self, pivot: Any, scale: Any) -> Any:
        if pivot == 0:
            return sympy.S.Zero
        smallest = _number(short(PIVOT_TOLERANCE)) * scale
        return _choice(sympy.Lt(pivot, smallest, evaluate=False), 1 / pivot, sympy.S.Zero)

    def keep(self, value: Any, label: str = "") -> Any:
        """A symbol for the value; names, numbers and their negatives stay as they are."""
        if value.is_Atom or (-value).is_Atom:
            return value
        symbol = sympy.Symbol(self.names.take(label) if label else self.names.next(), real=True)
        self.replacements.append((symbol, value))
        return symbol


# Python source

OPENING = '''\
"""Generated by freebody: {what}.

symbols        the inputs by name
replacements   (symbol, expression) in an order in which they can be computed, as sympy.cse() gives them
outputs        what is computed, by name, in terms of these symbols
"""
'''
CLOSING = '''

def expanded():
    """The outputs in terms of the inputs alone; for large systems these expressions are huge."""
    known = {}
    for symbol, expression in replacements:
        known[symbol] = expression.xreplace(known)
    return {name: expression.xreplace(known) for name, expression in outputs.items()}
'''
TAKEN = {"symbols", "replacements", "outputs", "expanded", "sympy", "known"}


def source(program: Program) -> str:
    """Python source with ``symbols``, ``replacements``, ``outputs`` and ``expanded()``, one line for each replacement.

    The source is meant to be run: names of the user's appear in it only inside ASCII string literals; variables are
    identifiers made from them.
    """
    run = _UnrolledInSympy(program)
    every = [*(e for _, e in run.replacements), *run.outputs.values()]
    used = set().union(*(e.free_symbols for e in every))
    inputs = [s for s in run.inputs if s in used]
    functions = sorted({f.func.__name__ for e in every for f in e.atoms(AppliedUndef)})
    names = UniqueNames()
    names.taken |= {name for name in dir(sympy) if not name.startswith("_")} | TAKEN
    symbols = {s: names.take(_identifier(s.name)) for s in (*inputs, *(s for s, _ in run.replacements))}
    calls = {name: names.take(_identifier(name)) for name in functions}
    write = _SourcePrinter(symbols, calls).doprint
    title = re.sub(r"\W+", " ", program.name, flags=re.ASCII).strip()
    lines = [OPENING.format(what=title), "from sympy import *", ""]
    lines += [f"{word} = Symbol({symbol.name!a}, real=True)" for symbol, word in symbols.items()]
    lines += [*(f"{word} = Function({name!a}, real=True)" for name, word in calls.items()), ""]
    lines += ["symbols = {", *(f"    {s.name!a}: {symbols[s]}," for s in inputs), "}"]
    lines += ["replacements = [", *(f"    ({symbols[s]}, {write(e)})," for s, e in run.replacements), "]"]
    lines += ["outputs = {", *(f"    {n!a}: {write(e)}," for n, e in run.outputs.items()), "}"]
    return "\n".join(lines) + "\n" + CLOSING


def _identifier(name: str) -> str:
    """An identifier like the name."""
    word = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "x"
    return f"x{word}" if word[0].isdigit() or keyword.iskeyword(word) else word


class _SourcePrinter(StrPrinter):  # type: ignore[misc]
    """SymPy's printer of text that Python reads back: fractions and floats exactly, symbols and functions by words."""

    def __init__(self, symbols: Mapping[Any, str], calls: Mapping[str, str]) -> None:
        super().__init__()
        self.symbols, self.calls = symbols, calls

    def _print_Symbol(self, symbol: Any) -> str:
        return self.symbols[symbol]

    def _print_Rational(self, number: Any) -> str:
        return str(number.p) if number.q == 1 else f"Rational({number.p}, {number.q})"

    def _print_Float(self, number: Any) -> str:
        return repr(float(number))

    def _print_Function(self, applied: Any) -> str:
        name = applied.func.__name__
        return f"{self.calls.get(name, name)}({self.stringify(applied.args, ', ')})"

    def _print_ImmutableDenseMatrix(self, matrix: Any) -> str:
        rows = (", ".join(map(self._print, row)) for row in matrix.tolist())
        return f"ImmutableMatrix([{', '.join(f'[{row}]' for row in rows)}])"
