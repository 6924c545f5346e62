"""Compiled functions as Python builtins, without a C compiler: LLVM emits the glue as well.

Three parts share the work. A stub for each function (`emit`) is METH_FASTCALL: it has its arguments examined, calls the
target and returns None. The examination (`_EXAMINE`) is one object for all functions, with tables of what to expect; it
takes exact float64 arrays by reading their fields, 15 ns for four. Arguments of any other kind, and every mistake, go
to the same call written in Python (`Checked`), which takes buffers and lists and explains what is wrong. So no user
code runs between the native checks and the call.

Objects hold no address of this process and can be cached: the few they need stand in variables that `bind` fills. What
a function takes stands beside it as text, `<name>.takes`.

Fields are read only where their offsets are as expected, which is tested once on live arrays; elsewhere (another
Python, a free-threaded build, a future NumPy) `bind` returns the `Checked` call itself.
"""

import ctypes
import json
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from functools import cache as once
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends.llvm.checked import Arg, Checked, rivals
from freebody.backends.llvm.jit import Library, load


def emit(name: str, target: str, arguments: Sequence[Arg], *, release_gil: bool = False) -> str:
    """IR of the builtin `name`, which calls void @target(ptr or double, …) in the same module."""
    takes = json.dumps({"release_gil": release_gil, "arguments": [(a.name, a.size, a.kind) for a in arguments]})
    sizes = [a.size for a in arguments]
    wanted = [(a.size, _FLAGS[a.kind]) for a in arguments]
    pairs = [(i, j, 8 * sizes[i] - 1, 8 * (sizes[i] + sizes[j]) - 1) for i, j in rivals(arguments)]
    lines = [
        f'@"{name}.takes" = constant {_text(takes)}',
        f'@"{name}.target" = constant ptr @"{target}"',
        f'@"{name}.api" = dso_local global [{len(_API)} x ptr] zeroinitializer',
        f'@"{name}.wanted" = internal constant {_integers(wanted)}',
        f'@"{name}.rivals" = internal constant {_integers(pairs)}',
        *_stub(name, target, arguments, len(pairs), release_gil),
    ]
    return "\n".join([*lines, ""])


def bind(
    library: Library, name: str, doc: str = "", *, native: bool = True, keep: Sequence[object] = ()
) -> Callable[..., None]:
    """The emitted function `name` as a Python callable, which keeps the library (and `keep`) alive. Arguments are
    positional.

    Without `native`, or where Python's objects lie otherwise than expected, it is the slower call through ctypes.
    """
    checked = Checked(library, name, doc)
    checked.keep += tuple(keep)
    if not (native and layout_is_known()):
        return checked
    examine = _examination()
    functions = [ctypes.cast(ctypes.pythonapi[f], ctypes.c_void_p).value for f in _API[2:]]
    fill(library.address(f"{name}.api"), [examine.address("examine"), id(None), *functions])
    return _builtin(checked, library.address(f"{name}.call"), examine)


def address(array: NDArray[Any]) -> int:
    """The address of an array's numbers, read from its fields where their offsets are known: four times quicker."""
    if layout_is_known():
        return ctypes.c_size_t.from_address(id(array) + _ARRAY["data"]).value
    return int(array.ctypes.data)


_OBJECT = {"type": 8, "number": 16}
_ARRAY = {"data": 16, "ndim": 24, "shape": 32, "dtype": 56, "flags": 64}
_DTYPE = {"order": 26, "num": 28}
"""Offsets in bytes: PyObject and PyFloatObject, PyArrayObject_fields, PyArray_Descr."""

_CONTIGUOUS, _ALIGNED, _WRITEABLE = 0x1, 0x100, 0x400
_FLAGS = {"scalar": 0, "in": _CONTIGUOUS | _ALIGNED, "out": _CONTIGUOUS | _ALIGNED | _WRITEABLE}
_API = ("examine", "None", "Py_IncRef", "PyObject_Vectorcall", "PyEval_SaveThread", "PyEval_RestoreThread")


def _load(result: str, kind: str, base: str, index: int | str, step: str = "i8") -> str:
    """Two lines: result = what lies so many steps (bytes, if not said otherwise) behind the base."""
    return f"  {result}.at = getelementptr {step}, ptr {base}, i64 {index}\n  {result} = load {kind}, ptr {result}.at"


_EXAMINE = f"""
@types = dso_local global [3 x ptr] zeroinitializer
define i1 @examine(ptr %args, i64 %nargs, ptr %wanted, i64 %count, ptr %rivals, i64 %pairs, ptr %values) nounwind {{
start:
{_load("%ndarray", "ptr", "@types", 0)}
{_load("%python", "ptr", "@types", 8)}
{_load("%numpy", "ptr", "@types", 16)}
  %complete = icmp eq i64 %nargs, %count
  br i1 %complete, label %argument, label %no
argument:
  %k = phi i64 [ 0, %start ], [ %k.next, %taken ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %look, label %rival
look:
{_load("%object", "ptr", "%args", "%k", "ptr")}
{_load("%type", "ptr", "%object", _OBJECT["type"])}
{_load("%size", "i64", "%wanted", "%k", "[2 x i64]")}
{_load("%flags", "i64", "%size.at", 8)}
  %scalar = icmp eq i64 %flags, 0
  br i1 %scalar, label %number, label %array
number:
  %is.python = icmp eq ptr %type, %python
  %is.numpy = icmp eq ptr %type, %numpy
  %real = or i1 %is.python, %is.numpy
  br i1 %real, label %taken, label %no
array:
  %exact = icmp eq ptr %type, %ndarray
  br i1 %exact, label %fields, label %no
fields:
{_load("%dtype", "ptr", "%object", _ARRAY["dtype"])}
{_load("%order", "i8", "%dtype", _DTYPE["order"])}
{_load("%num", "i32", "%dtype", _DTYPE["num"])}
{_load("%set", "i32", "%object", _ARRAY["flags"])}
{_load("%ndim", "i32", "%object", _ARRAY["ndim"])}
{_load("%shape", "ptr", "%object", _ARRAY["shape"])}
  %native = icmp eq i8 %order, {ord("=")}
  %double = icmp eq i32 %num, {np.dtype(float).num}
  %axes = sext i32 %ndim to i64
  %set.wide = zext i32 %set to i64
  %common = and i64 %set.wide, %flags
  %usable = icmp eq i64 %common, %flags
  %native.double = and i1 %native, %double
  %all = and i1 %native.double, %usable
  br i1 %all, label %axis, label %no
axis:
  %a = phi i64 [ %axes, %fields ], [ %a.next, %multiply ]
  %total = phi i64 [ 1, %fields ], [ %total.next, %multiply ]
  %again = icmp ne i64 %a, 0
  br i1 %again, label %multiply, label %measured
multiply:
  %a.next = add i64 %a, -1
{_load("%length", "i64", "%shape", "%a.next", "i64")}
  %total.next = mul i64 %total, %length
  br label %axis
measured:
  %fits = icmp eq i64 %total, %size
  br i1 %fits, label %taken, label %no
taken:
{_load("%value", "i64", "%object", _ARRAY["data"])}
  %place = getelementptr i64, ptr %values, i64 %k
  store i64 %value, ptr %place
  %k.next = add i64 %k, 1
  br label %argument
rival:
  %r = phi i64 [ 0, %argument ], [ %r.next, %compare ]
  %left = icmp ult i64 %r, %pairs
  br i1 %left, label %compare, label %yes
compare:
{_load("%i", "i64", "%rivals", "%r", "[4 x i64]")}
{_load("%j", "i64", "%i.at", 8)}
{_load("%shift", "i64", "%i.at", 16)}
{_load("%bound", "i64", "%i.at", 24)}
{_load("%from.i", "i64", "%values", "%i", "i64")}
{_load("%from.j", "i64", "%values", "%j", "i64")}
  %distance = sub i64 %from.i, %from.j
  %shifted = add i64 %distance, %shift
  %apart = icmp uge i64 %shifted, %bound
  %r.next = add i64 %r, 1
  br i1 %apart, label %rival, label %no
yes:
  ret i1 1
no:
  ret i1 0
}}
"""
"""Whether all arguments are plain. Then `values` holds the address of each array and the bits of each number.

Both lie 16 bytes into their object. Arrays a and b overlap where −8 n_a < a − b < 8 n_b; with 8 n_a − 1 added to all
three that is one unsigned comparison.
"""


def _stub(name: str, target: str, arguments: Sequence[Arg], pairs: int, release_gil: bool) -> Iterator[str]:
    n, kinds = len(arguments), ["double" if a.kind == "scalar" else "ptr" for a in arguments]
    given = ", ".join(f"{kind} %x{k}" for k, kind in enumerate(kinds))
    api = {entry: _load(f"%{entry}", "ptr", f'@"{name}.api"', 8 * k) for k, entry in enumerate(_API)}
    yield f'define ptr @"{name}.call"(ptr %self, ptr %args, i64 %nargs) nounwind {{'
    yield f"  %values = alloca [{n} x i64]\n{api['examine']}"
    yield f'  %plain = call i1 %examine(ptr %args, i64 %nargs, ptr @"{name}.wanted", i64 {n},'
    yield f'                            ptr @"{name}.rivals", i64 {pairs}, ptr %values)'
    yield "  br i1 %plain, label %run, label %python\nrun:"
    yield from (_load(f"%x{k}", kind, "%values", 8 * k) for k, kind in enumerate(kinds))
    yield f"{api['PyEval_SaveThread']}\n  %thread = call ptr %PyEval_SaveThread()" if release_gil else ""
    yield f'  call void @"{target}"({given})'
    yield f"{api['PyEval_RestoreThread']}\n  call void %PyEval_RestoreThread(ptr %thread)" if release_gil else ""
    yield f"{api['None']}\n{api['Py_IncRef']}\n  call void %Py_IncRef(ptr %None)\n  ret ptr %None"
    yield f"python:\n{api['PyObject_Vectorcall']}"
    yield "  %result = tail call ptr %PyObject_Vectorcall(ptr %self, ptr %args, i64 %nargs, ptr null)"
    yield "  ret ptr %result\n}"


def _integers(rows: Sequence[tuple[int, ...]]) -> str:
    values = [f"i64 {value}" for row in rows for value in row]
    return f"[{len(values)} x i64] [{', '.join(values)}]"


def _text(value: str) -> str:
    data = [f"\\{byte:02X}" for byte in value.encode() + b"\0"]
    return f'[{len(data)} x i8] c"{"".join(data)}"'


@once
def _examination() -> Library:
    library = load(_EXAMINE, level=2)
    fill(library.address("types"), [id(np.ndarray), id(float), id(np.float64)])
    return library


def fill(address: int, values: Sequence[int | None]) -> None:
    table = (ctypes.c_void_p * len(values))(*values)
    ctypes.memmove(address, table, ctypes.sizeof(table))


class MethodDef(ctypes.Structure):
    """PyMethodDef of CPython's methodobject.h."""

    KEYWORDS, FASTCALL = 0x02, 0x80
    _fields_ = (("name", ctypes.c_char_p), ("meth", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


def _builtin(checked: Checked, entry: int, examine: Library) -> Callable[..., None]:
    """The native function at that address. Its `self` is the checked call, which keeps alive all that it needs."""
    doc = f"{_signature(checked)}{checked.__doc__ or ''}"
    definition = MethodDef(checked.__name__.encode(), entry, MethodDef.FASTCALL, doc.encode())
    checked.keep += (definition, examine)
    return new_builtin(definition, checked)


def new_builtin(definition: MethodDef, owner: object) -> Callable[..., Any]:
    """The native function as a Python builtin, whose self is the owner; that one must keep the definition alive."""
    prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    create = prototype(("PyCFunction_NewEx", ctypes.pythonapi))
    function: Callable[..., Any] = create(ctypes.addressof(definition), owner, None)
    return function


def new_descriptor(owner: type, definition: MethodDef) -> Any:
    """The native function as a method of a class; the definition must live as long as the class."""
    prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.c_void_p)
    create = prototype(("PyDescr_NewMethod", ctypes.pythonapi))
    return create(owner, ctypes.addressof(definition))


def _signature(checked: Checked) -> str:
    """What CPython takes off a builtin's documentation for `inspect.signature`."""
    names = [a.name for a in checked.arguments]
    return f"{checked.__name__}({', '.join([*names, '/'])})\n--\n\n" if all(map(str.isidentifier, names)) else ""


@once
def layout_is_known() -> bool:
    """Whether objects of this Python and this NumPy lie in memory as the native call reads them."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    if (ctypes.sizeof(ctypes.c_void_p), object.__basicsize__) != (8, 16) or np.ndarray.__basicsize__ < 72:
        return False
    double = ctypes.c_double.from_address
    numbers_fit = all(double(id(x) + _OBJECT["number"]).value == x for x in (0.1, np.float64(-0.1)))
    return numbers_fit and all(map(_lies_as_expected, _samples()))


def _samples() -> list[np.ndarray[Any, Any]]:
    """Arrays that differ in all that is read: shape, kind, order of bytes, contiguity, alignment, write access."""
    fixed = np.zeros((3, 4), np.float32)[:, :2]
    fixed.flags.writeable = False
    crooked = np.frombuffer(bytes(25), np.float64, 3, 1)
    return [np.zeros(5), np.zeros(()), np.zeros((2, 3), order="F"), np.zeros((2, 3, 4), ">f8"), fixed, crooked]


def _lies_as_expected(sample: np.ndarray[Any, Any]) -> bool:
    """Whether each field reads as NumPy tells it; pointers are followed only once all else is right."""

    def read(offset: int, kind: Any, base: int = id(sample)) -> Any:
        return kind.from_address(base + offset).value

    flags = sample.flags
    expected = flags.c_contiguous * _CONTIGUOUS | flags.aligned * _ALIGNED | flags.writeable * _WRITEABLE
    shape, dtype = read(_ARRAY["shape"], ctypes.c_size_t), read(_ARRAY["dtype"], ctypes.c_size_t)
    return (
        read(_OBJECT["type"], ctypes.c_size_t) == id(np.ndarray)
        and read(_ARRAY["data"], ctypes.c_size_t) == sample.ctypes.data
        and read(_ARRAY["ndim"], ctypes.c_int) == sample.ndim
        and read(_ARRAY["flags"], ctypes.c_int) & _FLAGS["out"] == expected
        and dtype == id(sample.dtype)
        and read(_DTYPE["order"], ctypes.c_char, dtype) == sample.dtype.byteorder.encode()
        and read(_DTYPE["num"], ctypes.c_int, dtype) == sample.dtype.num
        and all(shape and read(8 * k, ctypes.c_ssize_t, shape) == n for k, n in enumerate(sample.shape))
    )
