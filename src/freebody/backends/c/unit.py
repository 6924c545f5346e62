"""One C file being written: what everything in it is called, and the functions that its regions may call."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence

from freebody.backends.c.names import RESERVED, comment, identifier
from freebody.backends.c.notation import HELPERS, number
from freebody.program.code import Code
from freebody.program.program import Group, Output, Program
from freebody.scalar.ops import TABLE
from freebody.scalar.printing import Names
from freebody.scalar.table import Table

WIDTH = 110  # of a line
LONGEST = 60  # of the file's own name, which begins all the others


def outer(program: Program) -> list[Group | Output]:
    """What the function of a program gets as arguments."""
    return [*program.groups, *program.outputs]


class Unit:
    """Names are given once in a whole file, so that no variable ever hides a function or another buffer.

    ``programs`` maps the suffix of each entry function's name to what it computes.
    """

    def __init__(self, name: str, programs: Mapping[str, Program]) -> None:
        self.names = Names(identifier)
        self.names.taken |= RESERVED
        self.name = self.names.take(name[:LONGEST])
        self.entries = {suffix: self.names.take(self.name + suffix) if suffix else self.name for suffix in programs}
        self.outer = {b.name: b for p in programs.values() for b in outer(p)}
        self.buffers = {b: self.names.take(b) for b in self.outer}
        self.sizes = {b: self.names.take(f"{self.name}_{text}_SIZE".upper()) for b, text in self.buffers.items()}
        self.guard = self.names.take(f"{self.name}_H".upper())
        inner = dict.fromkeys(w.name for p in programs.values() for w in p.work)
        self.buffers |= {b: self.names.take(b) for b in inner}
        self.numbers = {w.name: (self._own(w.name), w.values) for p in programs.values() for w in p.tables}
        codes = [code for p in programs.values() for code in p.blocks]
        self.ops = {op for code in codes for op in code.op}
        self.tables = {t: self._own(t.name) for t in dict.fromkeys(t for c in codes for t in c.tables)}
        self.callbacks = {f: self._own(f.name) for f in dict.fromkeys(f for c in codes for f, _ in c.calls)}

    def _own(self, name: str) -> str:
        return self.names.take(f"{self.name}_{name}")

    def function(self, code: Code, i: int) -> str:
        """What the table or the user's function that a node calls is called."""
        return self.tables[code.tables[code.b[i]]] if code.op[i] == TABLE else self.callbacks[code.calls[code.a[i]][0]]

    def local(self) -> Names:
        """Names for the variables of one function."""
        names = Names(identifier)
        names.taken |= self.names.taken
        return names

    def helpers(self) -> list[str]:
        """The functions that C lacks and this file needs, and its tables of numbers."""
        small = [text for op, text in HELPERS.items() if op in self.ops]
        small += [f"{doubles(name, values)}\n" for name, values in self.numbers.values()]
        return [*small, *(_lookup(name, table) for table, name in self.tables.items())]


# Pieces of C


def prototype(name: str, arguments: Sequence[str], result: str = "void") -> str:
    """result name(arguments), over several lines if it is long."""
    line = f"{result} {name}({', '.join(arguments)})"
    return line if len(line) <= WIDTH else f"{result} {name}(\n    " + ",\n    ".join(arguments) + ")"


def pointer(name: str, written: bool = False) -> str:
    """An array that is an argument."""
    return f"double *restrict {name}" if written else f"const double *restrict {name}"


def define(head: str, body: Iterable[str], about: str = "") -> str:
    """A function, with a comment before it."""
    lines = [f"    {line}" if line else "" for line in body]
    return "\n".join([*([f"/* {comment(about)} */"] if about else []), head, "{", *lines, "}", ""])


def indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def integers(name: str, values: Sequence[int]) -> str:
    """A table of integers; C has no empty ones."""
    return _table("int", name, [str(v) for v in values] or ["0"])


def doubles(name: str, values: Sequence[float]) -> str:
    """A table of numbers."""
    return _table("double", name, [number(v) for v in values] or ["0.0"])


def _table(kind: str, name: str, texts: Sequence[str]) -> str:
    """A constant array, over several lines if it is long."""
    head, whole = f"static const {kind} {name}[{len(texts)}] = {{", ", ".join(texts)
    if len(head) + len(whole) <= WIDTH:
        return f"{head}{whole}}};"
    lines = textwrap.wrap(whole, WIDTH - 8, break_on_hyphens=False)
    return "\n".join([head, *(f"        {line}" for line in lines), "    };"])


def _lookup(name: str, table: Table) -> str:
    """Binary search for the piece (the first break beyond x), then Horner's rule."""
    terms = table.degree + 1
    body = [
        doubles("breaks", table.breaks),
        doubles("origins", table.origins),
        doubles("coefficients", [c for row in table.coefficients for c in row]),
        f"int low = 0, high = {len(table.breaks)};",
        "while (low < high) {",
        "    const int middle = (low + high)/2;",
        "    if (x < breaks[middle])",
        "        high = middle;",
        "    else",
        "        low = middle + 1;",
        "}",
        "const double away = x - origins[low];",
        "double value = 0.0;",
        f"for (int k = {terms - 1}; k >= 0; --k)",
        f"    value = value*away + coefficients[{terms}*low + k];",
        "return value;",
    ]
    return define(f"static double {name}(double x)", body, f"The curve {table.name}.")
