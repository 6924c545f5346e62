"""A writer of LLVM IR: names, constants, loops."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from struct import pack


def real(width: int) -> str:
    """The type of a number: double, or a vector of them."""
    return "double" if width == 1 else f"<{width} x double>"


def suffix(width: int) -> str:
    """How intrinsics spell the type."""
    return "f64" if width == 1 else f"v{width}f64"


def constant(value: float, width: int = 1) -> str:
    """A number as LLVM reads it exactly: its bits."""
    bits = "0x" + pack(">d", value).hex().upper()
    return bits if width == 1 else "<" + ", ".join([f"double {bits}"] * width) + ">"


def attributes(width: int) -> str:
    """Of functions that hold vectors: the registers to use, and a stack aligned for them (else up to 1.7× slower)."""
    if width == 1:
        return "nounwind"
    bits = 64 * width
    wide = f'"min-legal-vector-width"="{bits}" "prefer-vector-width"="{bits}"'
    return f'nounwind alignstack({8 * width}) "stackrealign" {wide}'


def global_doubles(name: str, values: Sequence[float]) -> str:
    bits = pack(f">{len(values)}d", *values).hex().upper()
    row = ", ".join(f"double 0x{bits[k : k + 16]}" for k in range(0, len(bits), 16))
    return f"@{name} = internal constant [{len(values)} x double] [{row}]"


def global_integers(name: str, values: Sequence[int], type_: str = "i64") -> str:
    row = ", ".join(f"{type_} {v}" for v in values)
    return f"@{name} = internal constant [{len(values)} x {type_}] [{row}]"


class IRWriter:
    """The lines of one function, in SSA form; ``block`` is the label of the block being written."""

    def __init__(self) -> None:
        self.lines: list[str] = ["entry:"]
        self.block = "entry"
        self._next = 0

    def __call__(self, line: str) -> None:
        self.lines.append("  " + line)

    def name(self, hint: str = "v") -> str:
        self._next += 1
        return f"{hint}{self._next}"

    def let(self, right: str) -> str:
        """A new value."""
        value = f"%{self.name()}"
        self(f"{value} = {right}")
        return value

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")
        self.block = name

    def element(self, pointer: str, index: str | int, type_: str = "double") -> str:
        """The address of an element of an array of this type."""
        return pointer if index == 0 else self.let(f"getelementptr {type_}, ptr {pointer}, i64 {index}")

    def load(self, pointer: str, index: str | int = 0, type_: str = "double", align: int = 8) -> str:
        return self.let(f"load {type_}, ptr {self.element(pointer, index, type_)}, align {align}")

    def store(self, value: str, pointer: str, index: str | int = 0, type_: str = "double", align: int = 8) -> None:
        self(f"store {type_} {value}, ptr {self.element(pointer, index, type_)}, align {align}")

    def splat(self, value: str, width: int) -> str:
        """A scalar in every lane."""
        if width == 1:
            return value
        one = self.let(f"insertelement {real(width)} poison, double {value}, i32 0")
        return self.let(f"shufflevector {real(width)} {one}, {real(width)} poison, <{width} x i32> zeroinitializer")

    @contextmanager
    def loop(self, start: str | int, end: str | int, step: int = 1) -> Iterator[str]:
        """for i in range(start, end, step), for a positive or negative step; i is the value handed out."""
        name, before = self.name("loop"), self.block
        i, following = f"%{name}.i", f"%{name}.next"
        self(f"br label %{name}.head")
        self.label(f"{name}.head")
        self(f"{i} = phi i64 [ {start}, %{before} ], [ {following}, %{name}.latch ]")
        more = self.let(f"icmp {'slt' if step > 0 else 'sgt'} i64 {i}, {end}")
        self(f"br i1 {more}, label %{name}.body, label %{name}.exit")
        self.label(f"{name}.body")
        yield i
        self(f"br label %{name}.latch")
        self.label(f"{name}.latch")
        self(f"{following} = add i64 {i}, {step}")
        self(f"br label %{name}.head")
        self.label(f"{name}.exit")

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        """What is written inside happens only if the condition (an i1) holds."""
        name = self.name("if")
        self(f"br i1 {condition}, label %{name}.then, label %{name}.end")
        self.label(f"{name}.then")
        yield
        self(f"br label %{name}.end")
        self.label(f"{name}.end")


def define(signature: str, writer: IRWriter, attribute: str = "nounwind", result: str = "ret void") -> str:
    """A function around what was written."""
    body = "\n".join(writer.lines)
    return f"define {signature} {attribute} {{\n{body}\n  {result}\n}}\n"
