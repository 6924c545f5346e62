"""Methods of compiled functions as Python built-in methods: f.forward_dynamics(q, u, tau, out=…) with little overhead.

The same native code serves all methods; a table for each has its arguments, the addresses of its defaults, its results
and the address of the compiled code. It takes exact float64 arrays (contiguous and aligned; one row, or a row for each
state of a batch), floats for groups of one number, None or nothing where there is a default, all of them by position or
by name, and ``out=``. It allocates the results and calls the code; for a batch the interpreter's lock is released
meanwhile. Anything else (lists, other types, other options, mistakes) goes, untouched, to the same method written in
Python. No user code runs between the checks and the call.

A call goes through at most three functions, each leaving to the next what it does not serve: ``one`` (one state, one
array), ``many`` (batches, dicts of arrays), ``python``. They are entered from methods of a class (`Installed`) or from
builtins on their own (`builtin`).

Fields of objects are read only where their offsets are as expected (`cpython.layout_is_known`). Elsewhere there are no
builtins, only the methods written in Python (`available`).
"""

import ctypes
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import takewhile
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from freebody.backends.llvm.build import Build, Value, module
from freebody.backends.llvm.cpython import (
    ALIGNED,
    ARRAY,
    CONTIGUOUS,
    WRITEABLE,
    MethodDef,
    address,
    fill,
    layout_is_known,
)  # fmt: skip
from freebody.backends.llvm.jit import Library, load
from freebody.once import once
from freebody.program.program import Group, Output

AXES = 3
"""Results of one state have at most this many axes; those of a batch have one more."""

SLOW, TABLE = range(2)
"""Two addresses for each method: the function in Python, and the table (0: all calls go to Python)."""

RUN, BATCH, TAKEN, REQUIRED, PASSED, RESULTS, SINGLE, GROUPS, ARGUMENTS, HEAD = range(10)
"""The head of a table: the code for one state and for a batch (0: not compiled yet); how many arguments there are, and
how many of them are required; how many groups and results; whether the result is the one array (else a dict of
arrays); where the groups and the arguments begin. Then come results, groups, arguments."""

NAME, GROUP, SIZE, NEEDED, ARGUMENT = range(5)
"""An argument: its name (interned), which group it is, that one's size, whether it is required (else None or
nothing stands for its default). A group: where its default lies (0: there is none)."""

TOTAL, RANK, KEY, SHAPE, RESULT = 0, 1, 2, 3, 3 + AXES
"""A result: its size, number of axes, name and shape."""

OBJECTS = ("None", "out", "ndarray", "float", "float64", "dtype")
PYTHON = (
    "PyObject_Vectorcall", "PyMethod_New", "Py_DecRef", "PyEval_SaveThread", "PyEval_RestoreThread", "PyDict_New",
    "PyDict_SetItem",
)  # fmt: skip
FUNCTIONS = (*PYTHON, "PyArray_New")
API = (*OBJECTS, *FUNCTIONS)
"""Addresses of this process that the native code needs, in the order of its variable @api."""

DOUBLE = np.dtype(float).num
DTYPE, DTYPE_FIELDS = DOUBLE << 32 | ord("=") << 16, (-1 << 32) + (0xFF << 16)
"""Eight bytes of a dtype from 24 on: its number and byte order as they are for float64, and where they stand."""

READABLE = CONTIGUOUS | ALIGNED
"""Flags of arrays that can be read."""

TUPLE_SIZE, TUPLE_ITEMS, DATA, NDIM, DIMENSIONS, DESCRIPTION, FLAGS = (x // 8 for x in (16, 24, *ARRAY.values()))
"""Fields of tuples and arrays, in steps of eight bytes."""

PYARRAY_NEW, ABI_VERSIONS = 93, (0x01000009, 0x02000000)
"""The index of PyArray_New among NumPy's functions, in these versions of its binary interface."""


@dataclass(frozen=True)
class MethodCode:
    """What a method runs. ``groups`` are those of the compiled code, in order; ``defaults`` the numbers for groups that
    are no arguments or may be left out. ``entries`` gives the addresses of `spread` and `spread_batch` code; 0 where
    there is none, or none yet. ``single`` says that the result is the one array, not a dict of arrays."""

    groups: Sequence[Group]
    outputs: Sequence[Output]
    defaults: Mapping[str, NDArray[np.float64]]
    entries: Callable[[], tuple[int, int]]
    single: bool


class MethodTable:
    """What the native code knows of a method that takes arguments of these names, in this order. Those behind the first
    name that is not a group of the code are left to Python, as is every call where ``address`` is 0."""

    def __init__(self, names: Sequence[str], code: MethodCode) -> None:
        self.code, self.address = code, 0
        position = {g.name: k for k, g in enumerate(code.groups)}
        taken = [sys.intern(name) for name in takewhile(position.__contains__, names)]
        defaults = {name: np.array(x, dtype=float) for name, x in code.defaults.items()}
        keys = [sys.intern(o.key) for o in code.outputs]
        run, batch = code.entries()
        lost = any(g.name not in defaults and g.name not in taken for g in code.groups)
        if not run or lost or any(len(o.shape) > AXES for o in code.outputs):
            return
        required, groups = sum(name not in defaults for name in taken), HEAD + RESULT * len(keys)
        rows: list[int] = [run, batch, len(taken), required, len(position), len(keys), code.single]
        rows += [groups, groups + len(position)]
        for key, o in zip(keys, code.outputs, strict=True):
            rows += [o.size, len(o.shape), id(key), *o.shape, *[0] * (AXES - len(o.shape))]
        rows += [address(defaults[g.name]) if g.name in defaults else 0 for g in code.groups]
        for name in taken:
            rows += [id(name), position[name], code.groups[position[name]].size, name not in defaults]
        self.rows, self.keep = np.array(rows, np.int64), (defaults, taken, keys)
        self.address = address(self.rows)

    def refresh(self) -> None:
        """Take the code for batches, if it was compiled meanwhile."""
        if self.address and not self.rows[BATCH]:
            self.rows[BATCH] = self.code.entries()[1]


class Methods(np.ndarray[Any, np.dtype[np.int64]]):
    """A pair of addresses (SLOW, TABLE) for each of some methods, and what must live as long as they are used."""

    keep: list[object]
    tables: dict[int, MethodTable]

    @classmethod
    def of(cls, functions: Sequence[Callable[..., Any]], *keep: object) -> "Methods":
        methods = np.zeros(2 * len(functions), np.int64).view(cls)
        methods[SLOW::2] = [id(f) for f in functions]
        methods.keep, methods.tables = [*functions, *keep], {}
        return methods

    def __reduce__(self) -> NoReturn:
        raise TypeError("a compiled method is machine code in this process and cannot be pickled: send its model")

    def connect(self, k: int, names: Sequence[str], code: Callable[[], MethodCode | None]) -> None:
        """From now on calls of method k go to its code, if there is some by now."""
        if k in self.tables:
            self.tables[k].refresh()
        elif (compiled := code()) is not None:
            table = self.tables[k] = MethodTable(names, compiled)
            self.keep.append(table)  # never freed: another thread may be running it
            self[2 * k + TABLE] = table.address


@dataclass(frozen=True)
class Described:
    """A method written in Python, and what ``help`` shows; in the signature of a class's method, self is $self."""

    function: Callable[..., Any]
    name: str
    signature: str
    doc: str

    def definition(self, address: int) -> MethodDef:
        flags = MethodDef.FASTCALL | MethodDef.KEYWORDS
        text = f"{self.name}{self.signature}\n--\n\n{self.doc}"
        return MethodDef(self.name.encode(), address, flags, text.encode())


def spread(name: str, target: str, groups: int, outputs: int, batch: bool = False) -> str:
    """IR of @name(values), which calls the target with a pointer for each group and output. Values hold an address and
    a row length for each group, then the addresses of the outputs. With ``batch`` it is @name(states, values), and the
    target takes the number of states and the row lengths too."""
    b = Build(name, "void", {"states": "i64", "values": "ptr"} if batch else {"values": "ptr"}, export=True)
    types = [*["ptr", "i64"] * groups, *["ptr"] * outputs]
    taken = [(k, kind) for k, kind in enumerate(types) if batch or kind == "ptr"]
    states = [b["states"]] if batch else []
    b.call(target, "void", *states, *[b["values"].load(k, kind) for k, kind in taken])
    return b.text()


def builtin(method: Described) -> tuple[Callable[..., Any], Methods]:
    """A builtin that does what the method does, and its self, by whose ``connect(0, …)`` it becomes quick."""
    library = _library()
    definition = method.definition(library.address("method"))
    methods = Methods.of([method.function], definition, library)
    return definition.builtin(methods), methods


class Installed:
    """Builtins in the place of methods of a class: method descriptors, as those of ``list`` are, so that CPython finds
    and calls them by its quickest instructions.

    Instances have a slot of this name. ``connectable()`` is what goes into it; while it is empty, all calls go to
    Python.
    """

    def __init__(self, owner: type, slot: str, methods: Sequence[Described]) -> None:
        self.functions = [m.function for m in methods]
        self._unconnected, mark = self.connectable(), object()
        probe: object = object.__new__(owner)
        setattr(probe, slot, mark)
        fields = (ctypes.c_size_t * (owner.__basicsize__ // 8)).from_address(id(probe))
        offset = list(fields).index(id(mark))  # of the slot in an instance, in steps of eight bytes
        self._stubs = load(_stubs(len(methods), offset), level=2, passes=True)
        fill(self._stubs.address("class"), [_library().address("one"), address(self._unconnected)])
        self._definitions = [m.definition(self._stubs.address(f"method{k}")) for k, m in enumerate(methods)]
        for m, definition in zip(methods, self._definitions, strict=True):
            setattr(owner, m.name, definition.descriptor(owner))

    def connectable(self) -> Methods:
        return Methods.of(self.functions)


def _stubs(count: int, offset: int) -> str:
    """IR of @method0, …: functions of method descriptors, whose self is the instance."""
    stubs = []
    for k in range(count):
        b = _Native(f"method{k}", BUILTIN, export=True)
        held, fixed = b["self"].load(offset, "i64"), Value(b, "ptr", "@class")
        pairs = b.variable(fixed.load(1, "i64"))
        with b.when(held.ne(0)):
            pairs.set(b.pointer(held).load(DATA, "i64"))
        b.pass_to(fixed.load(0, "ptr"), b.pointer(pairs() + 16 * k), b["self"], b["args"], b["nargs"], b["names"])
        stubs.append(b)
    return f"@class = dso_local global [2 x ptr] zeroinitializer\n{module(stubs)}"


# The native code

BUILTIN = {"self": "ptr", "args": "ptr", "nargs": "i64", "names": "ptr"}
"""What METH_FASTCALL | METH_KEYWORDS passes."""

CALL = {"pair": "ptr", "owner": "ptr", "args": "ptr", "nargs": "i64", "names": "ptr"}
"""Arguments of the native functions: SLOW and TABLE of the method; the instance whose method it is, or null where SLOW
is bound already; and the arguments of the builtin."""


class _Native(Build):
    """A function of the native code. Calls that it does not serve are left to another one of the same arguments."""

    def __init__(self, name: str, arguments: Mapping[str, str], otherwise: str = "", export: bool = False) -> None:
        super().__init__(name, "ptr", arguments, export=export)
        self.otherwise, self.null = otherwise, Value(self, "ptr", "null")

    def api(self, name: str) -> Value:
        """An address, loaded where it is needed: an object's as a number, a function's as a pointer."""
        return Value(self, "ptr", "@api").load(API.index(name), "ptr" if name in FUNCTIONS else "i64")

    def pointer(self, x: Value) -> Value:
        return self.let("ptr", f"inttoptr {x} to ptr")

    def number(self, x: Value) -> Value:
        return self.let("i64", f"ptrtoint {x} to i64")

    def pass_to(self, function: str | Value, *arguments: Value) -> None:
        """Return what another native function returns."""
        target = function.name if isinstance(function, Value) else f"@{function}"
        self.give(self.let("ptr", f"tail call ptr {target}({', '.join(map(str, arguments))})"))

    def leave(self, condition: Value) -> None:
        """Leave the call to the other function where the condition holds."""
        name = self.w.name("stay")
        self.w(f"br {condition}, label %leave, label %{name}")
        self.w.label(name)

    def text(self) -> str:
        if self.otherwise:
            self.w("br label %leave")
            self.w.label("leave")
            self.pass_to(self.otherwise, *[self[name] for name in self.arguments])
        return super().text()


def _python() -> _Native:
    """Call the method in Python."""
    b = _Native("python", CALL)
    slow, call = b["pair"].load(SLOW, "ptr"), b.api("PyObject_Vectorcall")
    with b.when(b.number(b["owner"]).eq(0)):
        b.give(b.call(call, "ptr", slow, b["args"], b["nargs"], b["names"]))
    bound = b.call(b.api("PyMethod_New"), "ptr", slow, b["owner"])
    with b.when(b.number(bound).eq(0)):
        b.give(b.null)
    result = b.call(call, "ptr", bound, b["args"], b["nargs"], b["names"])
    b.call(b.api("Py_DecRef"), "void", bound)
    b.give(result)
    return b


class _Call(_Native):
    """Check the arguments, allocate the results, run the code.

    Written twice, for one function that does all of this keeps hardly anything in registers: ``one`` takes one state
    and returns one array, ``many`` takes batches and returns dicts as well.
    """

    def __init__(self, name: str, otherwise: str, many: bool) -> None:
        super().__init__(name, CALL, otherwise, export=not many)
        self.many = many
        self.table = self["pair"].load(TABLE, "ptr")
        self.leave(self.number(self.table).eq(0))
        self.fields = [self.table.load(k, "i64") for k in range(HEAD)]
        taken, passed, results = (self.fields[k] for k in (TAKEN, PASSED, RESULTS))
        self.leave(self["nargs"] > taken)
        if not many:
            self.leave(self.fields[SINGLE].eq(0))
        self.results = self.table.at(HEAD, "i64")
        groups = self.table.at(self.fields[GROUPS], "i64")
        arguments = self.table.at(self.fields[ARGUMENTS], "i64")
        self.values = self.let("ptr", f"alloca i64, {passed * 2 + results}, align 16")
        self.outputs = self.values.at(passed * 2, "i64")
        self.states = self.variable(-1)
        self.out, self.rows = self.variable(0), self.variable(-1)
        self.start, self.end = self.variable(0), self.variable(0)
        with self.loop(0, passed) as k:  # addresses and row lengths of all groups into the values
            self.values.store(groups.load(k, "i64"), k * 2)
            if many:
                self.values.store(self.value(0, "i64"), k * 2 + 1)
        named, missing = self.variable(0), self.variable(self.fields[REQUIRED])
        with self.when(self.number(self["names"]).ne(0)):
            named.set(self["names"].load(TUPLE_SIZE, "i64"))
            self._take_output(named())
        with self.loop(0, self["nargs"]) as k:
            missing.set(missing() - self._take(self["args"].load(k, "i64"), arguments.at(k * ARGUMENT, "i64")))
        with self.loop(0, named()) as k:
            name_of = self["names"].load(k + TUPLE_ITEMS, "i64")
            with self.when(name_of.ne(self.api("out"))):
                # A name that none has (or an equal one that is another object), or that of an argument that was given
                # by position, is left.
                index = self.variable(-1)
                with self.loop(self["nargs"], taken) as j:
                    same = arguments.load(j * ARGUMENT + NAME, "i64").eq(name_of)
                    index.set(self.select(same, j, index()))
                self.leave(index() < 0)
                argument, value = arguments.at(index() * ARGUMENT, "i64"), self["args"].load(k + self["nargs"], "i64")
                missing.set(missing() - self._take(value, argument))
        self.leave(missing().ne(0))
        if many:
            self.leave(self.states().eq(0) | (self.out().ne(0) & self.rows().ne(self.states())))
            self._run_many()
        else:
            self._run_one()

    def _take_output(self, named: Value) -> None:
        """Where the array given as ``out`` begins and ends, if there is one; its shape must be that of the result."""
        with self.loop(0, named) as k, self.when(self["names"].load(k + TUPLE_ITEMS, "i64").eq(self.api("out"))):
            self.out.set(self["args"].load(k + self["nargs"], "i64"))
        with self.when(self.out().ne(0)):
            if self.many:
                self.leave(self.fields[SINGLE].eq(0))
            o = self.pointer(self.out())
            self.leave(o.load(1, "i64").ne(self.api("ndarray")))
            self._require_array(o, READABLE | WRITEABLE)
            ndim, rank = o.load(NDIM, "i64") & 0xFFFFFFFF, self.results.load(RANK, "i64")
            lengths, rows = self.pointer(o.load(DIMENSIONS, "i64")), self.value(1, "i64")
            if self.many:
                batch = ndim.eq(rank + 1)
                with self.when(batch):
                    self.rows.set(lengths.load(0, "i64"))
                rows = self.select(batch, self.rows(), 1)
                lengths, ndim = lengths.at(self.whole(batch), "i64"), ndim - self.whole(batch)
            self.leave(ndim.ne(rank))
            with self.loop(0, rank) as axis:
                self.leave(lengths.load(axis, "i64").ne(self.results.load(axis + SHAPE, "i64")))
            self.start.set(o.load(DATA, "i64"))
            self.end.set(self.start() + self.results.load(TOTAL, "i64") * rows * 8)

    def _require_array(self, o: Value, flags: int) -> None:
        """Leave unless it is a float64 array with these flags; ``one`` takes those with NumPy's own dtype only."""
        self.leave((o.load(FLAGS, "i64") & flags).ne(flags))
        description = o.load(DESCRIPTION, "i64")
        if self.many:
            self.leave((self.pointer(description).load(NDIM, "i64") & DTYPE_FIELDS).ne(DTYPE))
        else:
            self.leave(description.ne(self.api("dtype")))

    def _take(self, value: Value, argument: Value) -> Value:
        """The address and row length of one argument into the values of its group; 1 if it is required."""
        needed, size = argument.load(NEEDED, "i64"), argument.load(SIZE, "i64")
        slot, o = argument.load(GROUP, "i64") * 2, self.pointer(value)
        kind = o.load(1, "i64")
        with self.either(kind.eq(self.api("ndarray"))) as otherwise:
            self._require_array(o, READABLE)
            address, ndim = o.load(DATA, "i64"), o.load(NDIM, "i64") & 0xFFFFFFFF
            shape = self.pointer(o.load(DIMENSIONS, "i64"))
            if self.many:
                rows = self._rows(ndim, shape, size)
                with self.when(rows >= 0):
                    self.values.store(size, slot + 1)
                numbers = size * self.select(rows >= 0, rows, 1)
            else:
                self.leave(ndim.ne(1))
                self.leave(shape.load(0, "i64").ne(size))
                numbers = size
            self.leave((address < self.end()) & (self.start() < address + numbers * 8))
            self.values.store(address, slot)
            otherwise()
            with self.either(value.eq(self.api("None"))) as other:
                self.leave(needed.ne(0))
                other()
                self.leave(~((kind.eq(self.api("float")) | kind.eq(self.api("float64"))) & size.eq(1)))
                self.values.store(value + 16, slot)
        return needed

    def _rows(self, ndim: Value, shape: Value, size: Value) -> Value:
        """How many rows an argument has, −1 for a single one; all that have rows must have as many."""
        rows = self.variable(-1)
        self.leave((ndim < 1) | (ndim > 2))
        length = shape.load(ndim - 1, "i64")
        with self.either(length.eq(size)) as otherwise:
            with self.when(ndim.eq(2)):
                rows.set(shape.load(0, "i64"))
            otherwise()
            self.leave(~(ndim.eq(1) & size.eq(1)))  # as many states as there are numbers
            rows.set(length)
        with self.when(rows() >= 0):
            self.leave((self.states() >= 0) & self.states().ne(rows()))
            self.states.set(rows())
        return rows()

    def _run_one(self) -> None:
        array = self.variable(self.out())
        with self.either(self.out().ne(0)) as otherwise:
            o = self.pointer(self.out())
            o.store(o.load(0, "i64") + 1)  # one reference more
            otherwise()
            array.set(self.number(self._allocate(self.results.load(RANK, "i64"), self.results.at(SHAPE, "i64"))))
            with self.when(array().eq(0)):
                self.give(self.null)
        self.outputs.store(self.pointer(array()).load(DATA, "i64"))
        self.call(self.pointer(self.fields[RUN]), "void", self.values)
        self.give(self.pointer(array()))

    def _run_many(self) -> None:
        batch = self.states() >= 0
        code = self.select(batch, self.fields[BATCH], self.fields[RUN])
        self.leave(code.eq(0))
        dimensions = self.let("ptr", f"alloca [{AXES + 1} x i64], align 16")
        dimensions.store(self.states())
        arrays = self.let("ptr", f"alloca i64, {self.fields[RESULTS]}, align 16")
        with self.either(self.out().ne(0)) as otherwise:
            o = self.pointer(self.out())
            o.store(o.load(0, "i64") + 1)  # one reference more
            arrays.store(o)
            self.outputs.store(o.load(DATA, "i64"))
            otherwise()
            with self.loop(0, self.fields[RESULTS]) as k:
                result = self.results.at(k * RESULT, "i64")
                for axis in range(AXES):
                    dimensions.store(result.load(SHAPE + axis, "i64"), axis + 1)
                shape = dimensions.at(self.select(batch, 0, self.value(1, "i64")), "i64")
                array = self._allocate(result.load(RANK, "i64") + self.whole(batch), shape)
                with self.when(self.number(array).eq(0)):
                    with self.loop(0, k) as i:
                        self.call(self.api("Py_DecRef"), "void", arrays.load(i, "ptr"))
                    self.give(self.null)
                arrays.store(array, k)
                self.outputs.store(array.load(DATA, "i64"), k)
        with self.either(batch) as otherwise:
            thread = self.call(self.api("PyEval_SaveThread"), "ptr")
            self.call(self.pointer(code), "void", self.states(), self.values)
            self.call(self.api("PyEval_RestoreThread"), "void", thread)
            otherwise()
            self.call(self.pointer(code), "void", self.values)
        with self.when(self.fields[SINGLE].ne(0)):
            self.give(arrays.load(0, "ptr"))
        self._give_dict(arrays)

    def _allocate(self, rank: Value, shape: Value) -> Value:
        """A new float64 array; null where there is no memory, and Python's error is set."""
        few, kind = self.let("i32", f"trunc {rank} to i32"), Value(self, "i32", str(DOUBLE))
        ndarray, zero = self.pointer(self.api("ndarray")), Value(self, "i32", "0")
        passed = (ndarray, few, shape, kind, self.null, self.null, zero, zero, self.null)
        return self.call(self.api("PyArray_New"), "ptr", *passed)

    def _give_dict(self, arrays: Value) -> None:
        """Return the results by name."""
        answer = self.call(self.api("PyDict_New"), "ptr")
        failed = self.variable(self.whole(self.number(answer).eq(0)))
        with self.loop(0, self.fields[RESULTS]) as k:
            array = arrays.load(k, "ptr")
            with self.when(failed().eq(0)):
                key = self.pointer(self.results.load(k * RESULT + KEY, "i64"))
                wrong = self.call(self.api("PyDict_SetItem"), "i32", answer, key, array)
                failed.set(self.whole(wrong.ne(0)))
            self.call(self.api("Py_DecRef"), "void", array)
        with self.when(failed().ne(0)):
            with self.when(self.number(answer).ne(0)):
                self.call(self.api("Py_DecRef"), "void", answer)
            self.give(self.null)
        self.give(answer)


@once
def _library() -> Library:
    """The native code, with the addresses of this process filled in."""
    entry = _Native("method", BUILTIN, export=True)  # of a builtin, whose self is a `Methods`
    others = [entry["args"], entry["nargs"], entry["names"]]
    entry.pass_to("one", entry.pointer(entry["self"].load(DATA, "i64")), entry.null, *others)
    functions = [entry, _Call("one", "many", False), _Call("many", "python", True), _python()]
    text = f"@api = dso_local global [{len(API)} x ptr] zeroinitializer\n{module(functions)}"
    library = load(text, level=2, passes=True)
    objects = [id(x) for x in (None, sys.intern("out"), np.ndarray, float, np.float64, np.dtype(float))]
    addresses = [ctypes.cast(ctypes.pythonapi[name], ctypes.c_void_p).value for name in PYTHON]
    fill(library.address("api"), [*objects, *addresses, _array_api(PYARRAY_NEW)])
    return library


def _array_api(k: int) -> int:
    """The address of the k-th function of NumPy's C interface."""
    umath = import_module(f"numpy.{'_core' if np.__version__ >= '2' else 'core'}._multiarray_umath")
    prototype = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    table = int(prototype(("PyCapsule_GetPointer", ctypes.pythonapi))(umath._ARRAY_API, None) or 0)
    return int(ctypes.c_size_t.from_address(table + 8 * k).value)


@once
def available() -> bool:
    """Whether builtins can be created here: the memory layout of objects is the one that the native code reads."""
    if sys.byteorder != "little" or not layout_is_known():
        return False
    word, pair = ctypes.c_size_t.from_address, ("q", None)
    fields = [word(id(pair) + 16).value, word(id(pair) + 24).value, word(id(pair) + 32).value]
    version = ctypes.CFUNCTYPE(ctypes.c_uint)(_array_api(0))()
    return fields == [2, id(pair[0]), id(None)] and version in ABI_VERSIONS
