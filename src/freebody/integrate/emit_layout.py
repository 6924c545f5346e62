"""The memory an integrator works in: a record of named fields, and rows of numbers, each a whole number of vectors."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from freebody.backends.llvm.build import Build, Value
from freebody.backends.llvm.cpython import address
from freebody.backends.llvm.ir import real

Array = NDArray[np.float64]
ALIGN = 64
"""Bytes: the widest vector."""

ROWS = {
    name: k
    for k, name in enumerate([
        "x", "y", "trial", "atol", "rtol", "out", *(f"k{i}" for i in range(12)), "end",
        *(f"extra{i}" for i in range(3)), *(f"r{i}" for i in range(8)),
    ])
}  # fmt: skip
"""Rows of the work memory: the state, the new state, a stage's state, tolerances, an interpolated state; stages, f at
the step's end, further stages; the interpolation's rows."""


def aligned(size: int) -> Array:
    """Zeros on the boundary of a vector."""
    raw = np.zeros(size + ALIGN // 8)
    start = (-address(raw) % ALIGN) // 8
    return raw[start : start + size]


@dataclass(frozen=True)
class Layout:
    """A record's fields. ``real`` fields hold a number for each lane; ``number``, ``integer``, ``pointer`` one word."""

    lanes: int
    kinds: Mapping[str, str]

    @staticmethod
    def of(lanes: int, **fields: Iterable[str]) -> "Layout":
        """Fields by kind: of(8, real=[…], integer=[…]); the reals come first, so that they are aligned."""
        kinds = {name: kind for kind in ("real", "number", "integer", "pointer") for name in fields.get(kind, ())}
        return Layout(lanes, kinds)

    def size(self, name: str) -> int:
        return self.lanes if self.kinds[name] == "real" else 1

    @cached_property
    def offsets(self) -> Mapping[str, int]:
        """In words of 8 bytes."""
        ends = np.cumsum([0, *(self.size(name) for name in self.kinds)])
        return {name: int(end) for name, end in zip(self.kinds, ends, strict=False)}

    @cached_property
    def words(self) -> int:
        return sum(map(self.size, self.kinds))

    def type(self, name: str) -> str:
        kind = self.kinds[name]
        return {"real": real(self.lanes), "number": "double", "integer": "i64", "pointer": "ptr"}[kind]


class Record:
    """A record in memory, seen from Python."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.numbers = aligned(layout.words)
        self._words = self.numbers.view(np.int64)

    @property
    def address(self) -> int:
        return address(self.numbers)

    def lanes(self, name: str) -> Array:
        """A field of reals, to read and write."""
        start = self.layout.offsets[name]
        return self.numbers[start : start + self.layout.lanes]

    def __getitem__(self, name: str) -> float:
        place = self.layout.offsets[name]
        return float(self.numbers[place] if self.layout.type(name) == "double" else self._words[place])

    def whole(self, name: str) -> int:
        return int(self._words[self.layout.offsets[name]])

    def __setitem__(self, name: str, value: "float | NDArray[np.generic]") -> None:
        """A number, or for a pointer the array it points to (which must be kept alive)."""
        place, kind = self.layout.offsets[name], self.layout.kinds[name]
        if isinstance(value, np.ndarray):
            self._words[place] = address(value)
        elif kind == "real":
            self.lanes(name)[:] = value
        else:
            (self.numbers if kind == "number" else self._words)[place] = value


class Fields:
    """A record in memory, seen from the code that is being written."""

    def __init__(self, b: Build, layout: Layout, pointer: Value) -> None:
        self.b, self.layout, self.pointer = b, layout, pointer

    def place(self, name: str) -> Value:
        """Where the field lies."""
        return self.pointer.at(self.layout.offsets[name])

    def __getitem__(self, name: str) -> Value:
        return self.place(name).load(0, self.layout.type(name))

    def __setitem__(self, name: str, value: "Value | float | int") -> None:
        self.place(name).store(self.b.value(value, self.layout.type(name)))

    def row(self, name: str) -> Value:
        """A row of the work memory; any function may call for it."""
        return self["work"].at(self["stride"] * ROWS[name])
