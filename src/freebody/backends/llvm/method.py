"""Methods of compiled functions as Python builtins: f.forward_dynamics(q, u, tau, out=…) at the price of machine code.

One native function (`_method`) serves all methods; a table says what each takes, where its defaults lie, what its
results are and where the compiled code is. It takes exact float64 arrays (contiguous and aligned; one row, or a row for
each state of a batch), floats for groups of one number, None or nothing where there is a default, all of them by
position or by name, and ``out=``. It allocates the results and calls the code; for a batch the interpreter's lock is
released meanwhile. Anything else (lists, other types, other options, mistakes) goes, untouched, to the same method
written in Python. No user code runs between the checks and the call.

As in `trampoline.py`, fields of objects are read only where they lie as expected. Elsewhere there are no builtins, and
the methods written in Python are all there is (`available`).
"""

import ctypes
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache as once
from importlib import import_module
from itertools import takewhile
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from freebody.backends.llvm import trampoline
from freebody.backends.llvm.build import Build, Value, module
from freebody.backends.llvm.jit import Library, load
from freebody.program.program import Group, Output

AXES = 3
"""Results have at most so many axes, one state's; those of a batch have one more."""

SLOW, TABLE = range(2)
"""What a builtin's self holds: the method in Python, and the address of the table (0: all calls go to Python)."""

RUN, BATCH, TAKEN, REQUIRED, PASSED, RESULTS, SINGLE, HEAD = range(8)
"""The head of a table: the code for one state and for a batch (0: not compiled yet); how many arguments there are, and
how many of them must be given; how many groups and results; whether the result is the one array (else a dict of
arrays). Then come arguments, groups, results."""

NAME, GROUP, SIZE, NEEDED, ARGUMENT = range(5)
"""An argument: its name (interned), which group it is, that one's size, whether it must be given (else None or
nothing stands for its default)."""

DEFAULT, NUMBERS, PASSED_GROUP = range(3)
"""A group of the compiled code: where its default lies (0: there is none), and its size."""

TOTAL, RANK, KEY, SHAPE, RESULT = 0, 1, 2, 3, 3 + AXES
"""A result: its size, number of axes, name and shape."""

OBJECTS = ("None", "out", "ndarray", "float", "float64")
PYTHON = (
    "PyObject_Vectorcall", "Py_IncRef", "Py_DecRef", "PyEval_SaveThread", "PyEval_RestoreThread", "PyDict_New",
    "PyDict_SetItem",
)  # fmt: skip
FUNCTIONS = (*PYTHON, "PyArray_New")
API = (*OBJECTS, *FUNCTIONS)
"""Addresses of this process that the native function needs, in the order of its variable @api."""

DOUBLE = np.dtype(float).num
DTYPE, DTYPE_FIELDS = DOUBLE << 32 | ord("=") << 16, (-1 << 32) + (0xFF << 16)
"""Eight bytes of a dtype from 24 on: its number and byte order as they are for float64, and where they stand."""

READABLE, WRITEABLE = 0x101, 0x501
"""Flags of arrays: contiguous and aligned; and writeable."""

TUPLE_SIZE, TUPLE_ITEMS, DATA, NDIM, DIMENSIONS, DESCRIPTION, FLAGS = (x // 8 for x in (16, 24, 16, 24, 32, 56, 64))
"""Fields of tuples and arrays, in steps of eight bytes."""

PYARRAY_NEW, ABI_VERSIONS = 93, (0x01000009, 0x02000000)
"""The place of PyArray_New among NumPy's functions, in these versions of its binary interface."""


@dataclass(frozen=True)
class Code:
    """What a method runs. ``groups`` are those of the compiled code, in order; ``defaults`` the numbers for groups that
    are no arguments or may be left out. ``entries`` gives the addresses of `spread` and `spread_batch` code; 0 where
    there is none, or none yet. ``single`` says that the result is the one array, not a dict of arrays."""

    groups: Sequence[Group]
    outputs: Sequence[Output]
    defaults: Mapping[str, NDArray[np.float64]]
    entries: Callable[[], tuple[int, int]]
    single: bool


class Method(np.ndarray[Any, np.dtype[np.int64]]):
    """The self of a builtin: two addresses, and what must live as long as they are used."""

    keep: dict[str, object]
    connected = False

    def __reduce__(self) -> NoReturn:
        raise TypeError("a compiled method is machine code in this process and cannot be pickled: send its model")

    def connect(self, names: Sequence[str], code: Code) -> None:
        """From now on calls with arguments of these names, in this order, go to the code; those behind the first name
        that is no group of it are left to Python, as is everything where there is no code for one state."""
        self.connected = True
        places = {g.name: k for k, g in enumerate(code.groups)}
        taken = [sys.intern(name) for name in takewhile(places.__contains__, names)]
        run, batch = code.entries()
        if not run or any(len(o.shape) > AXES for o in code.outputs):
            return
        defaults = {name: np.ascontiguousarray(x, dtype=float) for name, x in code.defaults.items()}
        keys = [sys.intern(o.name) for o in code.outputs]
        if any(g.name not in defaults and g.name not in taken for g in code.groups):
            return
        required = sum(name not in defaults for name in taken)
        rows: list[int] = [run, batch, len(taken), required, len(places), len(keys), code.single]
        for name in taken:
            rows += [id(name), places[name], code.groups[places[name]].size, name not in defaults]
        for g in code.groups:
            rows += [trampoline.address(defaults[g.name]) if g.name in defaults else 0, g.size]
        for key, o in zip(keys, code.outputs, strict=True):
            rows += [o.size, len(o.shape), id(key), *o.shape, *[0] * (AXES - len(o.shape))]
        self.code, self.rows = code, np.array(rows, np.int64)
        self.keep["code"] = (defaults, taken, keys)
        self[TABLE] = trampoline.address(self.rows)

    def refresh(self) -> None:
        """Take the code for batches, if it was compiled meanwhile."""
        if self[TABLE] and not self.rows[BATCH]:
            self.rows[BATCH] = self.code.entries()[1]


def spread(name: str, target: str, groups: int, outputs: int) -> str:
    """IR of @name(values), which calls the target with a pointer for each group and output. Values hold an address and
    a row length for each group, then the addresses of the outputs."""
    b = Build(name, "void", {"values": "ptr"}, export=True)
    places = [*range(0, 2 * groups, 2), *range(2 * groups, 2 * groups + outputs)]
    b.call(target, "void", *[b["values"].load(k, "ptr") for k in places])
    return b.text()


def spread_batch(name: str, target: str, groups: int, outputs: int) -> str:
    """IR of @name(states, values): as `spread`, with the number of states and the row lengths."""
    b = Build(name, "void", {"states": "i64", "values": "ptr"}, export=True)
    types = [*["ptr", "i64"] * groups, *["ptr"] * outputs]
    b.call(target, "void", b["states"], *[b["values"].load(k, kind) for k, kind in enumerate(types)])
    return b.text()


def builtin(slow: Callable[..., Any], name: str, signature: inspect.Signature, doc: str) -> tuple[Any, Method]:
    """A builtin that does what ``slow`` does, and its self, by whose ``connect`` it becomes quick."""
    method = np.zeros(2, np.int64).view(Method)
    flags = trampoline.MethodDef.FASTCALL | trampoline.MethodDef.KEYWORDS
    text = f"{name}{signature}\n--\n\n{doc}"
    definition = trampoline.MethodDef(name.encode(), _library().address("method"), flags, text.encode())
    method.keep = {"slow": slow, "definition": definition, "library": _library()}
    method[SLOW] = id(slow)
    return trampoline.new_builtin(definition, method), method


# The native function


class _Native(Build):
    """@method(self, args, nargs, kwnames), as METH_FASTCALL | METH_KEYWORDS calls it."""

    def __init__(self) -> None:
        super().__init__(
            "method", "ptr", {"self": "ptr", "args": "ptr", "nargs": "i64", "names": "ptr"}, export=True
        )  # fmt: skip

    def api(self, name: str) -> Value:
        """An address, loaded where it is needed: an object's as a number, a function's as a pointer."""
        return Value(self, "ptr", "@api").load(API.index(name), "ptr" if name in FUNCTIONS else "i64")

    def pointer(self, x: Value) -> Value:
        return self.let("ptr", f"inttoptr {x} to ptr")

    def number(self, x: Value) -> Value:
        return self.let("i64", f"ptrtoint {x} to i64")

    def room(self, count: Value) -> Value:
        """Memory on the stack for so many addresses."""
        return self.let("ptr", f"alloca i64, {count}, align 16")

    def to_python(self, condition: Value) -> None:
        """Leave the call to Python where the condition holds."""
        name = self.w.name("plain")
        self.w(f"br {condition}, label %python, label %{name}")
        self.w.label(name)

    @contextmanager
    def python(self) -> Iterator[None]:
        """What is written inside is where `to_python` goes."""
        self.w("br label %python")
        self.w.label("python")
        yield

    def require_array(self, o: Value, flags: int) -> None:
        """Leave what is not an exact float64 array with these flags to Python."""
        description = self.pointer(o.load(DESCRIPTION, "i64"))
        same = (description.load(NDIM, "i64") & DTYPE_FIELDS).eq(DTYPE)
        self.to_python(~(same & (o.load(FLAGS, "i64") & flags).eq(flags)))


def _method() -> str:
    b = _Native()
    none = Value(b, "ptr", "null")
    mine = b.pointer(b["self"].load(DATA, "i64"))
    table = b.pointer(mine.load(TABLE, "i64"))
    b.to_python(b.number(table).eq(0))
    head = [table.load(k, "i64") for k in range(HEAD)]
    arguments = table.at(HEAD, "i64")
    groups = arguments.at(head[TAKEN] * ARGUMENT, "i64")
    results = groups.at(head[PASSED] * PASSED_GROUP, "i64")
    values = b.room(head[PASSED] * 2 + head[RESULTS])
    outputs = values.at(head[PASSED] * 2, "i64")
    b.to_python(b["nargs"] > head[TAKEN])
    with b.loop(0, head[PASSED]) as k:
        values.store(groups.load(k * PASSED_GROUP + DEFAULT, "i64"), k * 2)
        values.store(b.value(0, "i64"), k * 2 + 1)

    total, states, out, missing = b.variable(b["nargs"]), b.variable(-1), b.variable(0), b.variable(head[REQUIRED])
    with b.when(b.number(b["names"]).ne(0)):
        total.set(total() + b["names"].load(TUPLE_SIZE, "i64"))
    with b.loop(0, total()) as k:
        given = b["args"].load(k, "i64")
        which = b.variable(k)
        with b.when(k >= b["nargs"]):
            which.set(_named(b, b["names"].load(k - b["nargs"] + TUPLE_ITEMS, "i64"), arguments, head[TAKEN]))
            with b.when(which().eq(-1)):
                out.set(given)
        with b.when(which() >= 0):
            missing.set(missing() - _take(b, given, arguments.at(which() * ARGUMENT, "i64"), values, states))
    b.to_python(missing().ne(0))

    batch = states() >= 0
    code = b.select(batch, head[BATCH], head[RUN])
    b.to_python(code.eq(0) | states().eq(0))
    dimensions = b.let("ptr", f"alloca [{AXES + 1} x i64], align 16")
    dimensions.store(states())
    shape = dimensions.at(b.select(batch, 0, b.value(1, "i64")), "i64")
    made = b.room(head[RESULTS])
    with b.either(out().ne(0)) as otherwise:
        _take_output(b, out(), results, head, values, states(), shape)
        b.call(b.api("Py_IncRef"), "void", b.pointer(out()))
        made.store(out())
        outputs.store(b.pointer(out()).load(DATA, "i64"))
        otherwise()
        ndarray = b.pointer(b.api("ndarray"))
        with b.loop(0, head[RESULTS]) as k:
            result = results.at(k * RESULT, "i64")
            for axis in range(AXES):
                dimensions.store(result.load(SHAPE + axis, "i64"), axis + 1)
            rank = result.load(RANK, "i64") + b.whole(batch)
            few, kind = b.let("i32", f"trunc {rank} to i32"), Value(b, "i32", str(DOUBLE))
            zero = Value(b, "i32", "0")
            array = b.call(b.api("PyArray_New"), "ptr", ndarray, few, shape, kind, none, none, zero, zero, none)
            with b.when(b.number(array).eq(0)):
                with b.loop(0, k) as i:
                    b.call(b.api("Py_DecRef"), "void", made.load(i, "ptr"))
                b.give(none)
            made.store(array, k)
            outputs.store(array.load(DATA, "i64"), k)

    with b.either(batch) as otherwise:
        thread = b.call(b.api("PyEval_SaveThread"), "ptr")
        b.call(b.pointer(code), "void", states(), values)
        b.call(b.api("PyEval_RestoreThread"), "void", thread)
        otherwise()
        b.call(b.pointer(code), "void", values)
    with b.when(head[SINGLE].ne(0)):
        b.give(made.load(0, "ptr"))
    _give_dict(b, results, head[RESULTS], made)
    with b.python():
        slow = b.pointer(b.pointer(b["self"].load(DATA, "i64")).load(SLOW, "i64"))
        b.give(b.call(b.api("PyObject_Vectorcall"), "ptr", slow, b["args"], b["nargs"], b["names"]))
    return module([b])


def _named(b: _Native, name: Value, arguments: Value, taken: Value) -> Value:
    """Which argument has this name, −1 for ``out``. One that has no such name (or an equal one that is another object)
    or was given by position is left to Python."""
    found = b.variable(-1)
    with b.when(name.ne(b.api("out"))):
        found.set(-2)
        with b.loop(b["nargs"], taken) as j, b.when(arguments.load(j * ARGUMENT + NAME, "i64").eq(name)):
            found.set(j)
        b.to_python(found().eq(-2))
    return found()


def _take(b: _Native, given: Value, argument: Value, values: Value, states: Any) -> Value:
    """The address and row length of one argument into the values of its group; 1 if it is one that must be given."""
    default, needed = given.eq(b.api("None")), argument.load(NEEDED, "i64")
    b.to_python(default & needed.ne(0))
    with b.when(~default):
        o, size = b.pointer(given), argument.load(SIZE, "i64")
        kind, place = o.load(1, "i64"), argument.load(GROUP, "i64") * 2
        rows, address = b.variable(-1), b.variable(given + 16)
        with b.either(kind.eq(b.api("ndarray"))) as otherwise:
            b.require_array(o, READABLE)
            ndim = o.load(NDIM, "i64") & 0xFFFFFFFF
            b.to_python((ndim < 1) | (ndim > 2))
            shape = b.pointer(o.load(DIMENSIONS, "i64"))
            length = shape.load(ndim - 1, "i64")
            address.set(o.load(DATA, "i64"))
            with b.either(length.eq(size)) as other:
                with b.when(ndim.eq(2)):
                    rows.set(shape.load(0, "i64"))
                other()
                b.to_python(~(ndim.eq(1) & size.eq(1)))  # as many states as there are numbers
                rows.set(length)
            otherwise()
            b.to_python(~((kind.eq(b.api("float")) | kind.eq(b.api("float64"))) & size.eq(1)))
        with b.when(rows() >= 0):
            b.to_python((states() >= 0) & states().ne(rows()))
            states.set(rows())
            values.store(size, place + 1)
        values.store(address(), place)
    return needed


def _take_output(
    b: _Native, out: Value, results: Value, head: list[Value], values: Value, states: Value, shape: Value
) -> None:
    """Leave ``out`` to Python unless it is a writeable array of the right shape that shares no memory with inputs."""
    b.to_python(head[SINGLE].eq(0))
    o = b.pointer(out)
    b.to_python(o.load(1, "i64").ne(b.api("ndarray")))
    b.require_array(o, WRITEABLE)
    batch, rank = states >= 0, results.load(RANK, "i64")
    b.to_python((o.load(NDIM, "i64") & 0xFFFFFFFF).ne(rank + b.whole(batch)))
    dimensions = b.pointer(o.load(DIMENSIONS, "i64"))
    with b.when(batch):
        b.to_python(dimensions.load(0, "i64").ne(states))
    with b.loop(0, rank) as axis:
        length = dimensions.load(axis + b.whole(batch), "i64")
        b.to_python(length.ne(results.load(axis + SHAPE, "i64")))
    rows = b.select(batch, states, 1)
    start = o.load(DATA, "i64")
    end = start + results.load(TOTAL, "i64") * rows * 8
    groups = b.pointer(b.number(results) - head[PASSED] * (8 * PASSED_GROUP))
    with b.loop(0, head[PASSED]) as k:
        first, many = values.load(k * 2, "i64"), values.load(k * 2 + 1, "i64").ne(0)
        size = groups.load(k * PASSED_GROUP + NUMBERS, "i64") * b.select(many, rows, 1)
        b.to_python((first < end) & (start < first + size * 8))


def _give_dict(b: _Native, results: Value, count: Value, made: Value) -> None:
    """Return the results by name."""
    answer = b.call(b.api("PyDict_New"), "ptr")
    failed = b.variable(b.whole(b.number(answer).eq(0)))
    with b.loop(0, count) as k:
        array = made.load(k, "ptr")
        with b.when(failed().eq(0)):
            key = b.pointer(results.load(k * RESULT + KEY, "i64"))
            wrong = b.call(b.api("PyDict_SetItem"), "i32", answer, key, array)
            failed.set(b.whole(wrong.ne(0)))
        b.call(b.api("Py_DecRef"), "void", array)
    with b.when(failed().ne(0)):
        with b.when(b.number(answer).ne(0)):
            b.call(b.api("Py_DecRef"), "void", answer)
        b.give(Value(b, "ptr", "null"))
    b.give(answer)


@once
def _library() -> Library:
    """The native function, with the addresses of this process filled in."""
    text = f"@api = dso_local global [{len(API)} x ptr] zeroinitializer\n{_method()}"
    library = load(text, level=2, passes=True)
    objects = [id(x) for x in (None, sys.intern("out"), np.ndarray, float, np.float64)]
    functions = [ctypes.cast(ctypes.pythonapi[name], ctypes.c_void_p).value for name in PYTHON]
    trampoline.fill(library.address("api"), [*objects, *functions, _pyarray_new()])
    return library


def _array_api() -> int:
    """The address of NumPy's table of functions."""
    umath = import_module(f"numpy.{'_core' if np.__version__ >= '2' else 'core'}._multiarray_umath")
    prototype = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    return int(prototype(("PyCapsule_GetPointer", ctypes.pythonapi))(umath._ARRAY_API, None) or 0)


def _pyarray_new() -> int:
    return int(ctypes.c_size_t.from_address(_array_api() + 8 * PYARRAY_NEW).value)


@once
def available() -> bool:
    """Whether builtins can be made here: objects lie in memory as the native function reads them."""
    if sys.byteorder != "little" or not trampoline.layout_is_known():
        return False
    word, pair = ctypes.c_size_t.from_address, ("q", None)
    fields = [word(id(pair) + 16).value, word(id(pair) + 24).value, word(id(pair) + 32).value]
    version = ctypes.CFUNCTYPE(ctypes.c_uint)(word(_array_api()).value)()
    return fields == [2, id(pair[0]), id(None)] and version in ABI_VERSIONS
