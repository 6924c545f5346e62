"""Straight-line code as LLVM instructions, for one or several lanes, and the functions that it calls."""

import math
from collections.abc import Mapping

from freebody.backends.llvm import trig
from freebody.backends.llvm.ir import IRWriter, attributes, constant, define, global_doubles, real, suffix
from freebody.program.code import Address, Code, Store
from freebody.scalar.functions import Callback, Table
from freebody.scalar.node import Node, all_nodes
from freebody.scalar.ops import ARITY, CALL, CONST, COS, OPS, POW, SIGN, SIN, SYMBOL, TABLE
from freebody.scalar.walk import operands

POINTERS = "freebody.callbacks"
PACKED = 64
"""Users' functions of more arguments than this get them in an array; ctypes knows none of more than 1024."""

# How each operation is written: an instruction on values {0}, {1}, {2} of type {T}; an intrinsic; a library function.
INSTRUCTIONS = {
    "add": "fadd contract {T} {0}, {1}",
    "sub": "fsub contract {T} {0}, {1}",
    "mul": "fmul contract {T} {0}, {1}",
    "div": "fdiv {T} {0}, {1}",
    "neg": "fneg {T} {0}",
}
COMPARE = {"lt": "olt", "le": "ole", "eq": "oeq", "ne": "une"}
INTRINSICS = {"sqrt": "sqrt", "abs": "fabs", "floor": "floor"}
EXTREMA = {"min": "minimum", "max": "maximum"}  # intrinsics that give NaN for NaN: 3 instructions, 1 with a number
LIBRARY = frozenset(("tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log"))
SPECIAL = frozenset(("const", "symbol", "pow", "sin", "cos", "sign", "where", "table", "call"))

INLINE = 48
"""Up to this many angles in one function are computed in place; more of them call a function (compile time)."""

AHEAD = 8
"""How many operations are done ahead of their turn so that an angle can join the others."""

_known = {*INSTRUCTIONS, *COMPARE, *INTRINSICS, *EXTREMA, *LIBRARY, *SPECIAL}
assert _known == {o.name for o in OPS}, "every operation has its LLVM form"


class Straight:
    """One code being written. ``pointers`` maps buffers to pointer values, ``rows`` a scan's indices to i64 values;
    ``uniform`` names the buffers that hold one number for all lanes."""

    def __init__(
        self,
        w: IRWriter,
        helpers: "Helpers",
        code: Code,
        width: int,
        vector: int,
        pointers: Mapping[str, str],
        rows: Mapping[int, str],
        uniform: frozenset[str],
    ) -> None:
        self.w, self.helpers, self.code, self.width, self.vector = w, helpers, code, width, vector
        self.pointers, self.rows, self.uniform = pointers, rows, uniform
        self.T = real(width)
        self.value: dict[Node, str] = {}
        self.truth: dict[Node, tuple[str, str]] = {}  # of comparisons: whether they hold, whether an operand is NaN
        self.stores: dict[Node, list[Store]] = {}
        for s in code.stores:
            self.stores.setdefault(s.value, []).append(s)
        self.angles = [i for i in all_nodes(code) if code.op[i] in (SIN, COS)]  # to be examined for the next group
        self.blocked: dict[
            Node, list[Node]
        ] = {}  # by a node still to be written: the sines and cosines that wait for it
        self.inline = len({code.a[i] for i in self.angles}) <= INLINE

    def write(self) -> None:
        """All of it: loads where they are first needed (before any store to the same buffer), stores at once."""
        written = {s.to.buffer for s in self.code.stores}
        for i, op in zip(all_nodes(self.code), self.code.op, strict=True):
            if op == SYMBOL and self.code.loads[self.code.a[i]].buffer in written:
                self.at(i)
        for i, op in zip(all_nodes(self.code), self.code.op, strict=True):
            if ARITY[op]:
                self.at(i)
            for s in self.stores.get(i, ()):
                value, to = self.at(i), self._address(s.to, self.T)
                if s.add:
                    value = self.w.let(f"fadd {self.T} {self.w.load(to, 0, self.T, 8 * self.width)}, {value}")
                self.w.store(value, to, 0, self.T, 8 * self.width)

    def at(self, i: Node) -> str:
        """The value of node i, written at its first use (those of its operands are written already)."""
        if i not in self.value:
            op = self.code.op[i]
            if op == CONST:
                self.value[i] = constant(float(self.code.numbers[self.code.a[i]]), self.width)
            elif op == SYMBOL:
                address = self.code.loads[self.code.a[i]]
                if address.buffer in self.uniform:
                    self.value[i] = self.w.splat(self.w.load(self._address(address, "double")), self.width)
                else:
                    self.value[i] = self.w.load(self._address(address, self.T), 0, self.T, 8 * self.width)
            elif op in (SIN, COS):
                self._trigonometry()
            else:
                self._known(i, self._operation(i, op))
        return self.value[i]

    def _known(self, i: Node, value: str) -> None:
        """Set the value of an operation; the sines and cosines that wait for it may be examined again."""
        self.value[i] = value
        self.angles += self.blocked.pop(i, ())

    def _address(self, a: Address, type_: str) -> str:
        pointer = self.pointers[a.buffer]
        if a.row >= 0:
            pointer = self.w.element(pointer, self.rows[a.row], type_)
        return self.w.element(pointer, a.offset, type_)

    # Operations

    def _operation(self, i: Node, op: int) -> str:
        name, code, helpers, width, T = OPS[op].name, self.code, self.helpers, self.width, self.T
        x = [self.at(k) for k in operands(code, i)]

        def call(function: str, flags: str = "") -> str:
            return self.w.let(f"call {flags}{T} @{function}({', '.join(f'{T} {v}' for v in x)})")

        def compare(how: str, a: str, b: str) -> str:
            return self.w.let(f"fcmp {how} {T} {a}, {b}")

        def select(condition: str, a: str, b: str) -> str:
            B = "i1" if width == 1 else f"<{width} x i1>"
            return self.w.let(f"select {B} {condition}, {T} {a}, {T} {b}")

        def unless(unordered: str, value: str) -> str:
            return select(unordered, constant(math.nan, width), value)

        if name in INSTRUCTIONS:
            return self.w.let(INSTRUCTIONS[name].format(*x, T=T))
        if name in COMPARE:  # 0, 1 or NaN; a ``where`` uses the two truth values themselves
            holds, unordered = self.truth[i] = compare(COMPARE[name], *x), compare("uno", *x)
            return unless(unordered, select(holds, constant(1.0, width), constant(0.0, width)))
        if name in INTRINSICS:
            return call(helpers.intrinsic(INTRINSICS[name], width))
        if name in EXTREMA:  # which of two zeros does not matter (nsz)
            return call(helpers.intrinsic(EXTREMA[name], width, 2), "nsz ")
        if name in LIBRARY:
            return call(helpers.library(name, len(x), width))
        if op == TABLE:
            return call(helpers.table(code.tables[code.b[i]], width))
        if op == CALL:
            return call(helpers.callback(code.calls[code.a[i]][0], width))
        if op == POW:  # libm has pow(NaN, 0) = pow(1, NaN) = 1
            unordered = compare("uno", *x)
            return unless(unordered, call(helpers.library("pow", 2, width)))
        zero = constant(0.0, width)
        if op == SIGN:  # 1, −1, or x itself where it is 0 or NaN
            not_positive = select(compare("olt", x[0], zero), constant(-1.0, width), x[0])
            return select(compare("ogt", x[0], zero), constant(1.0, width), not_positive)
        known = self.truth.get(code.a[i])  # of the condition of a ``where``
        holds, unordered = known or (compare("une", x[0], zero), compare("uno", x[0], x[0]))
        return unless(unordered, select(holds, x[1], x[2]))

    # Sines and cosines

    def _trigonometry(self) -> None:
        """Every sine and cosine whose argument is known or a few plain operations away, at once: scalars share vectors,
        all share one branch. Each of the others is examined again only when what it waited for has been written: else
        long chains would take quadratic time."""
        code, ready = self.code, list[Node]()
        examined, self.angles = self.angles, []
        for i in examined:
            blocker = self._blocker(code.a[i])
            if blocker is None:
                ready.append(i)
            else:
                self.blocked.setdefault(blocker, []).append(i)
        arguments = sorted({code.a[i] for i in ready})
        wanted = {(code.op[i], code.a[i]) for i in ready}
        x = [self.at(a) for a in arguments]
        if self.inline:
            wants = ["".join(f for f, op in (("s", SIN), ("c", COS)) if (op, a) in wanted) for a in arguments]
            group = trig.sincos(x, wants, self.w.name("trig"), self.w.block, self.width, min(self.vector, 4))
            self.w.lines += group.lines
            self.w.block = group.block
            self.helpers.widths.add(group.width)
            sines, cosines = group.sines, group.cosines
        else:
            sines, cosines = self._called(x)
        values = {SIN: dict(zip(arguments, sines, strict=True)), COS: dict(zip(arguments, cosines, strict=True))}
        for i in ready:
            self._known(i, values[code.op[i]][code.a[i]])

    def _called(self, x: list[str]) -> tuple[list[str], list[str]]:
        """The sines and the cosines by calls of a shared function, scalars four to a call."""
        w, lanes = self.w, self.width if self.width > 1 else 4
        V, group = real(lanes), 1 if self.width > 1 else lanes
        results: tuple[list[str], list[str]] = [], []
        function = self.helpers.sincos(lanes)
        for k in range(0, len(x), group):
            packed, part = x[k], x[k : k + group]
            if self.width == 1:
                packed = "zeroinitializer"
                for lane, value in enumerate(part):
                    packed = w.let(f"insertelement {V} {packed}, double {value}, i32 {lane}")
            both = w.let(f"call {{ {V}, {V} }} @{function}({V} {packed})")
            for member, values in enumerate(results):
                half = w.let(f"extractvalue {{ {V}, {V} }} {both}, {member}")
                if self.width > 1:
                    values.append(half)
                else:
                    values += [w.let(f"extractelement {V} {half}, i32 {lane}") for lane in range(len(part))]
        return results

    def _blocker(self, argument: Node) -> Node | None:
        """None if an argument needs at most ``AHEAD`` operations more, no sine or cosine among them; else a node that
        must be written first."""
        todo, seen = [argument], {argument}
        while todo:
            i = todo.pop()
            if i in self.value or not ARITY[self.code.op[i]]:
                continue
            if self.code.op[i] in (SIN, COS):
                return i
            if len(seen) > AHEAD:
                return min(k for k in seen if k not in self.value and ARITY[self.code.op[k]])
            fresh = [k for k in operands(self.code, i) if k not in seen]
            seen.update(fresh)
            todo += fresh
        return None


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
            w, T = IRWriter(), real(width)
            results = w.let(f"alloca {T}, align {8 * width}")
            with w.loop(0, width) as i:
                lanes = [w.let(f"extractelement {T} %x{k}, i64 {i}") for k in range(arity)]
                w.store(w.let(f"call double @{name}({', '.join('double ' + x for x in lanes)})"), results, i)
            y = w.load(results, 0, T, 8 * width)
            signature = f"internal {T} @{full}({', '.join(f'{T} %x{k}' for k in range(arity))})"
            self.texts[full] = define(signature, w, f"noinline {attributes(width)}", f"ret {T} {y}")
        return full

    def sincos(self, width: int) -> str:
        """Sine and cosine of a vector as a function, for code that needs so many that inlining would swell it."""
        full = f"freebody.sincos.v{width}"
        if full not in self.texts:
            self.widths.add(width)
            w, T = IRWriter(), real(width)
            pair = trig.sincos(["%x"], ["sc"], "t", w.block, width)
            w.lines += pair.lines
            half = w.let(f"insertvalue {{ {T}, {T} }} poison, {T} {pair.sines[0]}, 0")
            both = w.let(f"insertvalue {{ {T}, {T} }} {half}, {T} {pair.cosines[0]}, 1")
            signature = f"internal {{ {T}, {T} }} @{full}({T} %x)"
            self.texts[full] = define(signature, w, f"noinline {attributes(width)}", f"ret {{ {T}, {T} }} {both}")
        return full

    def table(self, table: Table, width: int) -> str:
        """The function of a table: binary search for the piece (the first break beyond x), then Horner's rule."""
        if table not in self._tables:
            name = self._tables[table] = f"table{len(self._tables)}"
            pieces, terms = len(table.origins), len(table.coefficients[0])
            coefficients = [c for row in table.coefficients for c in row]
            rows = {"breaks": table.breaks, "origins": table.origins, "rows": coefficients}
            data = [global_doubles(f"{name}.{key}", values) for key, values in rows.items()]
            w = IRWriter()
            piece = _search(w, f"@{name}.breaks", pieces - 1)
            step = w.let(f"fsub double %x, {w.load(f'@{name}.origins', piece)}")
            row = w.let(f"mul i64 {piece}, {terms}")
            total = "0.0"
            for k in reversed(range(terms)):
                scaled = w.let(f"fmul contract double {total}, {step}")
                c = w.load(f"@{name}.rows", w.let(f"add i64 {row}, {k}"))
                total = w.let(f"fadd contract double {scaled}, {c}")
            function = define(f"internal double @{name}(double %x)", w, "noinline nounwind", f"ret double {total}")
            self.texts[name] = "\n".join([*data, function])
        return self.lanes(self._tables[table], 1, width)

    def callback(self, function: Callback, width: int) -> str:
        """The function that calls a user's function, through a pointer set at load time."""
        arity = function.arity
        if function not in self.callbacks:
            k, w = len(self.callbacks), IRWriter()
            self.callbacks.append(function)
            pointer = w.load(f"@{POINTERS}", k, "ptr")
            passed = types = ", ".join(f"double %x{i}" for i in range(arity))
            if arity > PACKED:
                row = w.let(f"alloca [{arity} x double]")
                for i in range(arity):
                    w.store(f"%x{i}", row, i)
                passed = f"ptr {row}"
            y = w.let(f"call double {pointer}({passed})")
            signature = f"internal double @callback{k}({types})"
            self.texts[f"callback{k}"] = define(signature, w, "noinline nounwind", f"ret double {y}")
        return self.lanes(f"callback{self.callbacks.index(function)}", arity, width)


def _search(w: IRWriter, breaks: str, count: int) -> str:
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
