"""Programs to SymPy: as replacements and outputs, and as Python source that makes them."""

import keyword
import re
from collections.abc import Mapping
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.printing.str import StrPrinter

from freebody.printing.addresses import AddressNames
from freebody.printing.sympy.expressions import number, write
from freebody.program.code import Address, Code
from freebody.program.program import Program, Scan, Solve
from freebody.scalar import ops
from freebody.scalar.notation import short
from freebody.scalar.printing import UniqueNames
from freebody.scalar.walk import uses

Replacements = list[tuple[Any, Any]]  # symbols and their values


def program_to_sympy(program: Program) -> tuple[Replacements, dict[str, Any]]:
    """All of a program as SymPy's cse() would give it: replacements in order, and outputs by name in terms of them.

    Scans are unrolled; a solve becomes the steps of its factorisation. Vectors and matrices are SymPy's. Fractions are
    exact; floats that are short fractions are written as these, as in listings.
    """
    run = _Unrolled(program)
    return run.replacements, run.outputs


class _Unrolled:
    """A program run on SymPy expressions, from ``inputs`` to ``outputs``; what is used again becomes a replacement."""

    def __init__(self, program: Program) -> None:
        self.names = UniqueNames(labels=(x[0].name for code in program.blocks for x in code.labels.values()))
        self.memory: dict[str, list[Any]] = {b: [sympy.S.Zero] * size for b, size in program.sizes.items()}
        for group, names in AddressNames(program).elements.items():
            self.memory[group] = [sympy.Symbol(self.names.leaf(name), real=True) for name in names]
        self.inputs = [symbol for group in program.groups for symbol in self.memory[group.name]]
        for work in program.tables:
            self.memory[work.name] = [number(short(v)) for v in work.values]
        self.replacements: Replacements = []
        for region in program.regions:
            if isinstance(region, Solve):
                self.solve(region)
            else:
                scan = region if isinstance(region, Scan) else None
                for step, kind in enumerate(scan.kinds if scan else (0,)):
                    self.code(region.codes[kind], scan, step)
        self.outputs = {o.name: _shaped(self.memory[o.name], o.shape) for o in program.outputs}

    def keep(self, value: Any, label: str = "") -> Any:
        """A symbol for the value; names, numbers and their negatives stay as they are."""
        if value.is_Atom or (-value).is_Atom:
            return value
        symbol = sympy.Symbol(self.names.take(label) if label else self.names.next(), real=True)
        self.replacements.append((symbol, value))
        return symbol

    def code(self, code: Code, scan: Scan | None, step: int) -> None:
        """One run of a code: every load before any store."""

        def index(address: Address) -> int:
            return address.offset + (scan.rows[address.row][step] if scan and address.row >= 0 else 0)

        used = uses(code, [s.value for s in code.stores])
        values: list[Any] = []
        for i, op in enumerate(code.op):
            if op == ops.SYMBOL:
                address = code.loads[code.a[i]]
                values.append(self.memory[address.buffer][index(address)])
            else:
                values.append(number(short(code.numbers[code.a[i]])) if op == ops.CONST else write(code, i, values))
                labels = code.labels.get(i, ())
                if labels or used.get(i, 0) > 1:
                    values[i] = self.keep(values[i], labels[0].name if labels else "")
        for store in code.stores:
            buffer, k = self.memory[store.to.buffer], index(store.to)
            buffer[k] = self.keep(buffer[k] + values[store.value] if store.add else values[store.value])

    def solve(self, solve: Solve) -> None:
        """A = L D Lᵀ in the planned order, then both sweeps for each right-hand side."""
        plan, m = solve.plan, solve.right_sides
        rank = {unknown: k for k, unknown in enumerate(plan.order)}
        a = dict.fromkeys(plan.position, sympy.S.Zero)
        for (i, j), value in zip(solve.entries, self.memory[solve.matrix], strict=False):
            a[max(rank[i], rank[j]), min(rank[i], rank[j])] = value
        right = self.memory[solve.right]
        x = [[right[unknown * m + r] for r in range(m)] for unknown in plan.order]
        columns = plan.columns
        for k, rows in enumerate(columns):
            below = {i: a[i, k] for i in rows}
            for i in rows:
                a[i, k] = self.keep(below[i] / a[k, k])
                for j in (j for j in rows if j <= i):
                    a[i, j] = self.keep(a[i, j] - a[i, k] * below[j])
                x[i] = [self.keep(p - a[i, k] * q) for p, q in zip(x[i], x[k], strict=True)]
        for k in reversed(range(len(columns))):
            for r, right_side in enumerate(x[k]):
                known = sympy.Add(*(a[i, k] * x[i][r] for i in columns[k]))
                x[k][r] = self.keep(right_side / a[k, k] - known)
        for k, unknown in enumerate(plan.order):
            self.memory[solve.result][unknown * m : (unknown + 1) * m] = x[k]


def _shaped(values: list[Any], shape: tuple[int, ...]) -> Any:
    if len(shape) in (1, 2):
        return sympy.ImmutableMatrix(shape[0], shape[1] if len(shape) == 2 else 1, values)
    return sympy.ImmutableDenseNDimArray(values, shape) if shape else values[0]


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
    run = _Unrolled(program)
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
