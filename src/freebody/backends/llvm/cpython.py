"""CPython and NumPy objects in machine code: offsets of their fields, and native code as built-in functions.

Fields are read only where their offsets are as expected, which is tested once on live objects (`layout_is_known`);
elsewhere (another Python, a free-threaded build, a future NumPy) there are no builtins.
"""

import ctypes
import sys
import sysconfig
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.once import once

OBJECT = {"type": 8, "number": 16}
ARRAY = {"data": 16, "ndim": 24, "shape": 32, "dtype": 56, "flags": 64}
DTYPE = {"order": 26, "num": 28}
"""Offsets in bytes: PyObject and PyFloatObject, PyArrayObject_fields, PyArray_Descr."""

CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400


def address(array: NDArray[Any]) -> int:
    """The address of an array's numbers, read from its fields where their offsets are known: four times faster."""
    if layout_is_known():
        return ctypes.c_size_t.from_address(id(array) + ARRAY["data"]).value
    return int(array.ctypes.data)


def fill(address: int, values: Sequence[int | None]) -> None:
    """Write addresses to memory, one after the other."""
    table = (ctypes.c_void_p * len(values))(*values)
    ctypes.memmove(address, table, ctypes.sizeof(table))


class MethodDef(ctypes.Structure):
    """PyMethodDef of CPython's methodobject.h. What is created from it needs it as long as it lives."""

    KEYWORDS, FASTCALL = 0x02, 0x80
    _fields_ = (("name", ctypes.c_char_p), ("meth", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))

    def builtin(self, owner: object) -> Callable[..., Any]:
        """The native function as a Python builtin, whose self is the owner."""
        prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
        create = prototype(("PyCFunction_NewEx", ctypes.pythonapi))
        function: Callable[..., Any] = create(ctypes.addressof(self), owner, None)
        return function

    def descriptor(self, owner: type) -> Any:
        """The native function as a method of a class."""
        prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.c_void_p)
        return prototype(("PyDescr_NewMethod", ctypes.pythonapi))(owner, ctypes.addressof(self))


@once
def layout_is_known() -> bool:
    """Whether objects of this Python and this NumPy lie in memory as machine code reads them."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    if (ctypes.sizeof(ctypes.c_void_p), object.__basicsize__) != (8, 16) or np.ndarray.__basicsize__ < 72:
        return False
    double = ctypes.c_double.from_address
    if any(double(id(x) + OBJECT["number"]).value != x for x in (0.1, np.float64(-0.1))):
        return False
    fixed = np.zeros((3, 4), np.float32)[:, :2]
    fixed.flags.writeable = False
    misaligned = np.frombuffer(bytes(25), np.float64, 3, 1)
    samples = (np.zeros(5), np.zeros(()), np.zeros((2, 3), order="F"), np.zeros((2, 3, 4), ">f8"), fixed, misaligned)
    return all(map(_reads_as_expected, samples))


def _reads_as_expected(sample: np.ndarray[Any, Any]) -> bool:
    """Whether each field has the value that NumPy reports; pointers are followed only once all else is right."""

    def read(offset: int, kind: Any, base: int = id(sample)) -> Any:
        return kind.from_address(base + offset).value

    flags = sample.flags
    expected = flags.c_contiguous * CONTIGUOUS | flags.aligned * ALIGNED | flags.writeable * WRITEABLE
    shape, dtype = read(ARRAY["shape"], ctypes.c_size_t), read(ARRAY["dtype"], ctypes.c_size_t)
    return (
        read(OBJECT["type"], ctypes.c_size_t) == id(np.ndarray)
        and read(ARRAY["data"], ctypes.c_size_t) == sample.ctypes.data
        and read(ARRAY["ndim"], ctypes.c_int) == sample.ndim
        and read(ARRAY["flags"], ctypes.c_int) & (CONTIGUOUS | ALIGNED | WRITEABLE) == expected
        and dtype == id(sample.dtype)
        and read(DTYPE["order"], ctypes.c_char, dtype) == sample.dtype.byteorder.encode()
        and read(DTYPE["num"], ctypes.c_int, dtype) == sample.dtype.num
        and all(shape and read(8 * k, ctypes.c_ssize_t, shape) == n for k, n in enumerate(sample.shape))
    )
