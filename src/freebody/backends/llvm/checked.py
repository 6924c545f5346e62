"""The call of a compiled function written in Python: it takes buffers and lists, and explains what is wrong."""

import ctypes
import json
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NoReturn, SupportsFloat, SupportsIndex

import numpy as np

from freebody.backends.llvm.jit import Library
from freebody.errors import ArgumentError


@dataclass(frozen=True)
class Arg:
    """An argument: an array of `size` doubles to read ("in") or to write ("out"), or one number ("scalar")."""

    name: str
    size: int
    kind: Literal["in", "out", "scalar"]


def rivals(arguments: Sequence[Arg]) -> list[tuple[int, int]]:
    """Pairs of arrays that must not overlap: an output and any other."""
    arrays = [k for k, a in enumerate(arguments) if a.kind != "scalar" and a.size > 0]
    return [(i, j) for i, j in combinations(arrays, 2) if "out" in (arguments[i].kind, arguments[j].kind)]


_DOUBLES = ("d", "@d", "=d", "<d" if sys.byteorder == "little" else ">d")
"""Formats of float64 in the order of this machine, as PEP 3118 writes them."""


class Checked:
    """The function `name` that the library describes in `<name>.takes`. `keep` is for what must live as long."""

    def __init__(self, library: Library, name: str, doc: str) -> None:
        takes = json.loads(ctypes.string_at(library.address(f"{name}.takes")))
        self.__name__, self.__doc__ = name, doc
        self.keep: tuple[object, ...] = (library,)
        self.arguments = [Arg(*a) for a in takes["arguments"]]
        self._rivals = rivals(self.arguments)
        kinds = [ctypes.c_double if a.kind == "scalar" else ctypes.c_void_p for a in self.arguments]
        prototype = (ctypes.CFUNCTYPE if takes["release_gil"] else ctypes.PYFUNCTYPE)(None, *kinds)
        self._function = prototype(ctypes.c_size_t.from_address(library.address(f"{name}.target")).value)

    def __call__(self, *given: object) -> None:
        """Run the function. Views are released at once, because a stored traceback would lock the caller's arrays."""
        if len(given) != len(self.arguments):
            names = ", ".join(a.name for a in self.arguments)
            raise TypeError(f"{self.__name__}() takes {len(self.arguments)} arguments ({names}), {len(given)} given")
        held: list[memoryview] = []
        try:
            values = [self._value(k, value, held) for k, value in enumerate(given)]
            self._require_apart(values)
            self._function(*values)
        finally:
            for view in held:
                view.release()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self.__name__}() is machine code in this process and cannot be pickled: send its model")

    def _value(self, k: int, value: Any, held: list[memoryview]) -> Any:
        """What the compiled function gets for argument k: a number, or the address of a view that is kept in `held`."""
        if self.arguments[k].kind == "scalar":
            return self._numbers(k, [value])[0]
        view = self._view(k, value)
        held.append(view)
        self._require_doubles(k, value, view)
        address = _address(view)
        if address % 8 and view.nbytes:
            self._refuse(k, "is not aligned to 8 bytes", "pass a copy of it")
        return address

    def _view(self, k: int, value: Any) -> memoryview:
        argument = self.arguments[k]
        if isinstance(value, (list, tuple)) and argument.kind == "in":
            self._require_size(k, len(value))
            return memoryview(self._numbers(k, value))
        try:
            return memoryview(value)
        except (TypeError, ValueError, BufferError) as error:
            wanted = "a writable float64 array" if argument.kind == "out" else "a float64 array, list or tuple"
            self._refuse(k, f"is {_kind(value)}", f"{wanted} of {argument.size} is expected", TypeError, error)

    def _numbers(self, k: int, values: Sequence[Any]) -> "array[float]":
        """The values as doubles. What their own __float__ raises passes through."""
        try:
            return array("d", values)
        except TypeError as error:
            n = next((n for n, x in enumerate(values) if not _is_number(x)), None)
            if n is None:
                raise
            where = "is" if self.arguments[k].kind == "scalar" else f"has at position {n} a value"
            self._refuse(k, f"{where} {_kind(values[n])}", "a number is expected", TypeError, error)

    def _require_doubles(self, k: int, value: Any, view: memoryview) -> None:
        if view.format not in _DOUBLES:
            held = value.dtype if isinstance(value, np.ndarray | np.generic) else f"items of format '{view.format}'"
            self._refuse(k, f"holds {held}", "native float64 is expected", TypeError)
        self._require_size(k, view.nbytes // 8)
        if not view.c_contiguous:
            self._refuse(k, "is not contiguous", "pass numpy.ascontiguousarray of it")
        if view.readonly and self.arguments[k].kind == "out":
            self._refuse(k, "is read-only", "an output must be writable")

    def _require_size(self, k: int, size: int) -> None:
        if size != self.arguments[k].size:
            self._refuse(k, f"has {size} values", f"{self.arguments[k].size} are expected")

    def _require_apart(self, values: Sequence[Any]) -> None:
        for i, j in self._rivals:
            first, second = self.arguments[i], self.arguments[j]
            if -8 * first.size < values[i] - values[j] < 8 * second.size:
                self._refuse(j, f"shares memory with argument {i + 1} '{first.name}'", "an output needs its own")

    def _refuse(
        self, k: int, what: str, expected: str, error: type[Exception] = ArgumentError, cause: Exception | None = None
    ) -> NoReturn:
        raise error(f"{self.__name__}(): argument {k + 1} '{self.arguments[k].name}' {what}, {expected}") from cause


def _address(view: memoryview) -> int:
    """The address of a contiguous view. NumPy has it for any view, ctypes for most in a third of the time."""
    if view.readonly or not view.nbytes:
        return np.frombuffer(view).ctypes.data
    return ctypes.addressof(ctypes.c_char.from_buffer(view))


def _is_number(value: object) -> bool:
    return isinstance(value, SupportsFloat | SupportsIndex)


def _kind(value: object) -> str:
    """A value's type in a sentence."""
    return "None" if value is None else f"of type {type(value).__name__}"
