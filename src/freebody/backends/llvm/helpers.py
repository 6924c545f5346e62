"""Functions a module may call: the mathematical library lane by lane, tables, a user's functions, intrinsics."""

from freebody.backends.llvm import trig
from freebody.backends.llvm.ir import Writer, attributes, define, global_doubles, real, suffix
from freebody.scalar.callback import Callback
from freebody.scalar.table import Table

POINTERS = "freebody.callbacks"
PACKED = 64
"""Users' functions of more arguments than this get them in an array; ctypes knows none of more than 1024."""


class Helpers:
    """Collects what the functions of one module need, each once, in order of first use."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.widths: set[int] = set()
        self.callbacks: list[Callback] = []
        self._tables: dict[Table, str] = {}

    def text(self) -> list[str]:
        """All of it, as module text."""
        trigonometry = trig.declarations(self.widths) if self.widths else []
        known = [line for line in trigonometry if line not in self.texts.values()]
        pointers = [f"@{POINTERS} = global [{len(self.callbacks)} x ptr] zeroinitializer"] if self.callbacks else []
        return [*known, *pointers, *self.texts.values()]

    def intrinsic(self, name: str, width: int, arity: int = 1) -> str:
        """llvm.NAME for this width."""
        full = f"llvm.{name}.{suffix(width)}"
        self.texts[full] = f"declare {real(width)} @{full}({', '.join([real(width)] * arity)})"
        return full

    def library(self, name: str, arity: int, width: int) -> str:
        """A function of libm; for vectors one lane after the other."""
        self.texts[name] = f"declare double @{name}({', '.join(['double'] * arity)})"
        return self.lanes(name, arity, width)

    def lanes(self, name: str, arity: int, width: int) -> str:
        """The vector version of a scalar function: a loop over the lanes."""
        if width == 1:
            return name
        full = f"{name}.v{width}"
        if full not in self.texts:
            self.texts[full] = _lanes(name, full, arity, width)
        return full

    def sincos(self, width: int) -> str:
        """Sine and cosine of a vector as a function, for code that needs so many that inlining would swell it."""
        full = f"freebody.sincos.v{width}"
        if full not in self.texts:
            self.widths.add(width)
            self.texts[full] = _sincos(full, width)
        return full

    def table(self, table: Table, width: int) -> str:
        """The function that looks a table up."""
        if table not in self._tables:
            name = self._tables[table] = f"table{len(self._tables)}"
            self.texts[name] = _table(table, name)
        return self.lanes(self._tables[table], 1, width)

    def callback(self, function: Callback, width: int) -> str:
        """The function that calls a user's own, through a pointer filled in at load time."""
        if function not in self.callbacks:
            self.callbacks.append(function)
            k = len(self.callbacks) - 1
            self.texts[f"callback{k}"] = _callback(k, function.arity)
        return self.lanes(f"callback{self.callbacks.index(function)}", function.arity, width)


def _lanes(name: str, full: str, arity: int, width: int) -> str:
    w, T = Writer(), real(width)
    place = w.let(f"alloca {T}, align {8 * width}")
    with w.loop(0, width) as i:
        lanes = [w.let(f"extractelement {T} %x{k}, i64 {i}") for k in range(arity)]
        y = w.let(f"call double @{name}({', '.join('double ' + x for x in lanes)})")
        w.store(y, place, i)
    result = w.load(place, 0, T, 8 * width)
    arguments = ", ".join(f"{T} %x{k}" for k in range(arity))
    return define(f"internal {T} @{full}({arguments})", w, f"noinline {attributes(width)}", f"ret {T} {result}")


def _sincos(full: str, width: int) -> str:
    w, T = Writer(), real(width)
    found = trig.sincos(["%x"], ["sc"], "t", w.block, width)
    w.lines += found.lines
    half = w.let(f"insertvalue {{ {T}, {T} }} poison, {T} {found.sines[0]}, 0")
    both = w.let(f"insertvalue {{ {T}, {T} }} {half}, {T} {found.cosines[0]}, 1")
    signature = f"internal {{ {T}, {T} }} @{full}({T} %x)"
    return define(signature, w, f"noinline {attributes(width)}", f"ret {{ {T}, {T} }} {both}")


def _callback(k: int, arity: int) -> str:
    w = Writer()
    pointer = w.load(f"@{POINTERS}", k, "ptr")
    types, given = ", ".join(f"double %x{i}" for i in range(arity)), ""
    if arity > PACKED:
        row = w.let(f"alloca [{arity} x double]")
        for i in range(arity):
            w.store(f"%x{i}", row, i)
        given = f"ptr {row}"
    y = w.let(f"call double {pointer}({given or types})")
    return define(f"internal double @callback{k}({types})", w, "noinline nounwind", f"ret double {y}")


def _table(table: Table, name: str) -> str:
    """Binary search for the piece (the first break beyond x), then Horner's rule."""
    pieces, terms = len(table.origins), len(table.coefficients[0])
    data = [
        global_doubles(f"{name}.breaks", table.breaks),
        global_doubles(f"{name}.origins", table.origins),
        global_doubles(f"{name}.rows", [c for row in table.coefficients for c in row]),
    ]
    w = Writer()
    piece = _search(w, f"@{name}.breaks", pieces - 1)
    step = w.let(f"fsub double %x, {w.load(f'@{name}.origins', piece)}")
    row = w.let(f"mul i64 {piece}, {terms}")
    total = "0.0"
    for k in reversed(range(terms)):
        scaled = w.let(f"fmul contract double {total}, {step}")
        c = w.load(f"@{name}.rows", w.let(f"add i64 {row}, {k}"))
        total = w.let(f"fadd contract double {scaled}, {c}")
    function = define(f"internal double @{name}(double %x)", w, "noinline nounwind", f"ret double {total}")
    return "\n".join([*data, function])


def _search(w: Writer, breaks: str, count: int) -> str:
    """How many breaks are ≤ x (all of them for NaN), by halving; steps of fixed number, without branches."""
    low, size = "0", count
    while size > 0:
        half = (size + 1) // 2
        probe = w.let(f"add i64 {low}, {half - 1}")
        beyond = w.let(f"fcmp olt double %x, {w.load(breaks, probe)}")
        up = w.let(f"add i64 {low}, {half}")
        low = w.let(f"select i1 {beyond}, i64 {low}, i64 {up}")
        size = size - half if size - half >= half - 1 else half - 1
    return low
