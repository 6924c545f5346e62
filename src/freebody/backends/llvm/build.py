"""A builder for structured IR: typed values with operators, variables, branches and loops.

    b = Build("norm", "double", {"x": "ptr", "n": "i64"})
    total = b.variable(0.0)
    with b.loop(0, b["n"]) as i:
        x = b["x"].load(i)
        total.set(total() + x * x)
    b.give(b.intrinsic("sqrt", total()))
    text = module([b])

Variables live in memory until LLVM's passes take them into registers, so load such text with ``passes``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Self, TypeAlias

from freebody.backends.llvm.ir import IRWriter, attributes, constant, define, real, suffix

REAL = {"add": "fadd contract", "sub": "fsub contract", "mul": "fmul contract", "div": "fdiv"}
WHOLE = {word: word for word in ("add", "sub", "mul", "and", "or", "xor", "shl")} | {"div": "sdiv", "shr": "ashr"}

Operand: TypeAlias = "Value | float | int | bool"
"""A value, or a number of Python that becomes one."""


@cache
def lanes(type_: str) -> int:
    """How many numbers a value of this type holds."""
    vector = re.match(r"<(\d+) x", type_)
    return int(vector[1]) if vector else 1


@cache
def element(type_: str) -> str:
    """The type of one lane."""
    return type_.rsplit(" ", 1)[-1].rstrip(">")


def like(type_: str, of: str) -> str:
    """A type of as many lanes, each being ``of``."""
    return of if lanes(type_) == 1 else f"<{lanes(type_)} x {of}>"


def _operator(op: str, reflected: bool = False) -> Callable[["Value", "Operand"], "Value"]:
    return lambda x, y: x.b.binary(op, y, x) if reflected else x.b.binary(op, x, y)


def _comparison(op: str) -> Callable[["Value", "Operand"], "Value"]:
    return lambda x, y: x.b.compare(op, x, y)


class Value:
    """A value in registers: of type double, i64, i1, ptr, or a vector of them. A shift to the right keeps the sign; NaN
    is different (``ne``) from everything."""

    __slots__ = ("b", "name", "type")

    def __init__(self, b: "Build", type_: str, name: str) -> None:
        self.b, self.type, self.name = b, type_, name

    def __str__(self) -> str:
        return f"{self.type} {self.name}"

    __add__, __sub__, __mul__, __truediv__ = map(_operator, ("add", "sub", "mul", "div"))
    __radd__, __rsub__, __rmul__, __rtruediv__ = (_operator(op, True) for op in ("add", "sub", "mul", "div"))
    __and__, __or__, __lshift__, __rshift__ = map(_operator, ("and", "or", "shl", "shr"))
    __lt__, __le__, __gt__, __ge__, eq, ne = map(_comparison, ("lt", "le", "gt", "ge", "eq", "ne"))

    def __invert__(self) -> "Value":
        return self.b.binary("xor", self, True)

    # Pointers

    def at(self, index: "Value | int", type_: str = "double") -> "Value":
        """The address of an element of an array of this type."""
        k = index.name if isinstance(index, Value) else index
        return Value(self.b, "ptr", self.b.w.element(self.name, k, type_))

    def load(self, index: "Value | int" = 0, type_: str = "double") -> "Value":
        address = self.at(index, type_)
        return self.b.let(type_, f"load {type_}, ptr {address.name}, align {8 * lanes(type_)}")

    def store(self, value: "Value", index: "Value | int" = 0) -> None:
        address = self.at(index, value.type)
        self.b.w(f"store {value}, ptr {address.name}, align {8 * lanes(value.type)}")


class Mutable:
    """A local variable, in memory until LLVM's passes take it into a register."""

    def __init__(self, b: "Build", type_: str) -> None:
        self.b, self.type = b, type_
        self.address = Value(b, "ptr", f"%{b.w.name('variable')}")
        b.head.append(f"  {self.address.name} = alloca {type_}, align {8 * lanes(type_)}")

    def __call__(self) -> Value:
        return self.address.load(0, self.type)

    def set(self, value: "Operand") -> Self:
        self.address.store(self.b.value(value, self.type))
        return self


class Build:
    """The builder of one function, with arguments by name and type; ``b["x"]`` is the argument x. A function that is
    not exported can be called from its own module only."""

    def __init__(
        self, name: str, result: str, arguments: Mapping[str, str], *, width: int = 1, export: bool = False
    ) -> None:
        self.name, self.result, self.width, self.export = name, result, width, export
        self.w = IRWriter()
        self.head: list[str] = []
        self.declared: set[str] = set()
        self.arguments = arguments

    def __getitem__(self, argument: str) -> Value:
        return Value(self, self.arguments[argument], f"%{argument}")

    def text(self) -> str:
        """The function."""
        self.w.lines[1:1] = self.head
        self.head = []
        signature = ", ".join(f"{type_} %{name}" for name, type_ in self.arguments.items())
        linkage = "" if self.export else "internal "
        end = "ret void" if self.result == "void" else "unreachable"
        return define(f'{linkage}{self.result} @"{self.name}"({signature})', self.w, attributes(self.width), end)

    # Values

    def let(self, type_: str, right: str) -> Value:
        return Value(self, type_, self.w.let(right))

    def value(self, x: "Operand", type_: str) -> Value:
        """A number, or a value, as a value of this type; a scalar goes into every lane."""
        if isinstance(x, Value):
            return x if x.type == type_ else self._spread(x, type_)
        if element(type_) == "double":
            return Value(self, type_, constant(float(x), lanes(type_)))
        whole = str(x).lower() if isinstance(x, bool) else str(x)
        row = ", ".join([f"{element(type_)} {whole}"] * lanes(type_))
        return Value(self, type_, whole if lanes(type_) == 1 else f"<{row}>")

    def _spread(self, x: Value, type_: str) -> Value:
        assert x.type == element(type_), f"{x.type} where {type_} is needed"
        one = self.let(type_, f"insertelement {type_} poison, {x}, i32 0")
        lane = f"<{lanes(type_)} x i32> zeroinitializer"
        return self.let(type_, f"shufflevector {one}, {type_} poison, {lane}")

    def _pair(self, x: "Operand", y: "Operand") -> tuple[Value, Value]:
        """Both with the type of the wider one."""
        types = [v.type for v in (x, y) if isinstance(v, Value)]
        type_ = max(types, key=lanes)
        return self.value(x, type_), self.value(y, type_)

    def binary(self, op: str, x: "Operand", y: "Operand") -> Value:
        a, b = self._pair(x, y)
        word = REAL[op] if element(a.type) == "double" else WHOLE[op]
        return self.let(a.type, f"{word} {a}, {b.name}")

    def compare(self, op: str, x: "Operand", y: "Operand") -> Value:
        a, b = self._pair(x, y)
        if element(a.type) == "double":
            word = f"fcmp {'une' if op == 'ne' else 'o' + op}"
        else:
            word = f"icmp {op if op in ('eq', 'ne') else 's' + op}"
        return self.let(like(a.type, "i1"), f"{word} {a}, {b.name}")

    def select(self, condition: Value, x: "Operand", y: "Operand") -> Value:
        a, b = self._pair(x, y)
        if lanes(condition.type) > lanes(a.type):
            a, b = (self._spread(v, like(condition.type, v.type)) for v in (a, b))
        return self.let(a.type, f"select {condition}, {a}, {b}")

    def least(self, x: "Operand", y: "Operand") -> Value:
        """The smaller; y if either is NaN."""
        a, b = self._pair(x, y)
        return self.select(a < b, a, b)

    def most(self, x: "Operand", y: "Operand") -> Value:
        """The larger; y if either is NaN."""
        a, b = self._pair(x, y)
        return self.select(a > b, a, b)

    def whole(self, x: Value) -> Value:
        """A truth value as the whole number 0 or 1."""
        return self.let(like(x.type, "i64"), f"zext {x} to {like(x.type, 'i64')}")

    def real(self, x: Value) -> Value:
        """A whole number as a real one."""
        return self.let(like(x.type, "double"), f"sitofp {x} to {like(x.type, 'double')}")

    def bits(self, x: Value, of: str = "i64") -> Value:
        """The same bits as numbers of another type: reals as whole numbers, or the reverse."""
        return self.let(like(x.type, of), f"bitcast {x} to {like(x.type, of)}")

    def lane(self, x: Value, index: "Value | int") -> Value:
        """One lane of a vector."""
        k = index.name if isinstance(index, Value) else index
        return self.let(element(x.type), f"extractelement {x}, i64 {k}")

    # Functions

    def call(self, function: "Value | str", result: str, *arguments: Value) -> Value:
        """A function of this module by name, or one by its address."""
        target = function.name if isinstance(function, Value) else f'@"{function}"'
        text = f"call {result} {target}({', '.join(map(str, arguments))})"
        if result == "void":
            self.w(text)
            return Value(self, "void", "")
        return self.let(result, text)

    def outside(self, name: str, result: str, *arguments: Value) -> Value:
        """A function of another library: declared here, resolved by the linker."""
        self.declared.add(f"declare {result} @{name}({', '.join(v.type for v in arguments)})")
        return self.call(name, result, *arguments)

    def intrinsic(self, name: str, *arguments: Value) -> Value:
        """llvm.NAME of reals, or of vectors of them."""
        type_ = arguments[0].type
        return self.outside(f"llvm.{name}.{suffix(lanes(type_))}", type_, *arguments)

    def total(self, x: Value) -> Value:
        """The sum of all lanes, pair by pair."""

        def part(start: int) -> Value:
            chosen = ", ".join(f"i32 {start + k}" for k in range(half))
            return self.let(real(half), f"shufflevector {x}, {x.type} poison, <{half} x i32> <{chosen}>")

        while lanes(x.type) > 2:
            half = lanes(x.type) // 2
            x = part(0) + part(half)
        return x if lanes(x.type) == 1 else self.lane(x, 0) + self.lane(x, 1)

    def any(self, x: Value) -> Value:
        """Whether any lane is true."""
        if lanes(x.type) == 1:
            return x
        return self.outside(f"llvm.vector.reduce.or.v{lanes(x.type)}i1", "i1", x)

    def copy(self, to: Value, source: Value, numbers: "Value | int") -> None:
        """Copy this many doubles from one address to another."""
        size = self.value(numbers, "i64") * 8
        flag = Value(self, "i1", "false")
        self.outside("llvm.memcpy.p0.p0.i64", "void", to, source, size, flag)

    # Control flow

    def variable(self, start: "Operand", type_: str = "") -> Mutable:
        """A variable with its first value; Python's numbers are double or i64."""
        default = start.type if isinstance(start, Value) else "double" if isinstance(start, float) else "i64"
        return Mutable(self, type_ or default).set(start)

    def give(self, value: "Operand | None" = None) -> None:
        """Return from the function; what is written after it is never reached."""
        self.w("ret void" if value is None else f"ret {self.value(value, self.result)}")
        self.w.label(self.w.name("after"))

    def when(self, condition: Value) -> AbstractContextManager[None]:
        """What is written inside happens only if the condition holds."""
        return self.w.when(condition.name)

    @contextmanager
    def either(self, condition: Value) -> Iterator[Callable[[], None]]:
        """What is written before ``otherwise()`` happens if the condition holds, what is written after it if not."""
        name = self.w.name("either")
        self.w(f"br {condition}, label %{name}.then, label %{name}.else")
        self.w.label(f"{name}.then")

        def otherwise() -> None:
            self.w(f"br label %{name}.end")
            self.w.label(f"{name}.else")

        yield otherwise
        self.w(f"br label %{name}.end")
        self.w.label(f"{name}.end")

    @contextmanager
    def loop(self, start: "Value | int", end: "Value | int", step: int = 1) -> Iterator[Value]:
        """for i in range(start, end, step)."""
        first, last = (v.name if isinstance(v, Value) else v for v in (start, end))
        with self.w.loop(first, last, step) as i:
            yield Value(self, "i64", i)

    @contextmanager
    def repeat(self, condition: Callable[[], Value]) -> Iterator[None]:
        """While the condition, evaluated before each round, holds."""
        name = self.w.name("repeat")
        self.w(f"br label %{name}.head")
        self.w.label(f"{name}.head")
        self.w(f"br {condition()}, label %{name}.body, label %{name}.end")
        self.w.label(f"{name}.body")
        yield
        self.w(f"br label %{name}.head")
        self.w.label(f"{name}.end")


def module(functions: Sequence[Build]) -> str:
    """The functions with what they declare, each once."""
    declared = sorted(set().union(*(f.declared for f in functions)))
    return "\n".join([*declared, *(f.text() for f in functions)])
