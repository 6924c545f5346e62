"""Compiled programs as Python functions: arrays in, arrays out, one state or a batch, for every backend."""

import ctypes
import operator
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FrameType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError, BackendError
from freebody.keywords import unknown_argument
from freebody.program.program import Group, Program
from freebody.program.stage import HOISTED, Staged
from freebody.scalar.functions import Callback

Array = NDArray[np.float64]
Result = Array | dict[str, Array]
FLOAT64 = np.dtype(float)
GRAIN = 64  # a thread's share of a batch is a multiple of this many states
PARAMETERS = "parameters"
ON_STACK = 2**16
"""Work memory of up to this many bytes lives on the stack, which may be small in a thread; more comes from the heap."""


class CallbackErrors(threading.local):
    """Exceptions of a user's functions that compiled code called, stored until they can be raised; each thread has its
    own."""

    guard: ClassVar[CodeType | None] = None
    """The code around every such call, in which exceptions are stored."""

    def __init__(self) -> None:
        self.errors: list[BaseException] = []

    def pointer(self, function: Callback, packed: bool = False) -> Any:
        """A C function that calls the user's. An exception is stored, and the value is NaN then and in all further
        calls until it has been raised. It takes its arguments one by one, or ``packed`` in an array."""

        def call(*x: float) -> float:
            try:
                return float("nan") if self.errors else function.number(x)
            except BaseException as error:
                self.errors.append(error)
                return float("nan")

        CallbackErrors.guard = call.__code__
        if packed:
            row = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double))
            return row(lambda x: call(*x[: function.arity]))
        return ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * function.arity)(call)

    @classmethod
    def inside(cls, frame: FrameType | None) -> bool:
        """Whether a frame belongs to a user's function that compiled code has called: exceptions there are stored."""
        below = None if frame is None else frame.f_back
        while below is not None and below.f_code is not cls.guard:
            below = below.f_back
        return below is not None

    def reraise(self) -> None:
        """Raise the first of them."""
        if self.errors:
            error, self.errors[:] = self.errors[0], []
            raise error

    def reraising(self, function: Callable[..., None]) -> Callable[..., None]:
        """The compiled function as one that raises what the user's functions raised in it."""

        def call(*arguments: Any) -> None:
            function(*arguments)
            self.reraise()

        return call


class Engine(ABC):
    """One program, ready to run. Arrays are float64, C-contiguous, of the right size, and never overlap.

    Integrators and builtins call machine code; a backend that has none inherits what is written here.
    """

    width = 1
    """States that `wide` code runs at once."""

    def __init__(self, program: Program) -> None:
        self.program, self.callback_errors = program, CallbackErrors()

    @abstractmethod
    def run(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """One state: flat inputs in the order of the groups, flat outputs to fill."""

    @abstractmethod
    def run_batch(self, n: int, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """n states: inputs of shape (n, size), or (size,) where all states share one row; outputs (n, size)."""

    def address(self) -> int:
        """The address of the code for one state: void (a pointer for each group and output)."""
        raise BackendError(
            f"{self.program.name} was compiled by {type(self).__name__}, whose code an integrator cannot call: this"
            " method needs the LLVM backend, compile(program)"
        )

    def wide(self, uniform: frozenset[str] = frozenset()) -> int:
        """The address of the code for ``width`` states at once: void (a pointer for each group and output). Groups in
        ``uniform`` hold a number for all lanes, the others and the outputs an aligned vector for each number."""
        return self.address()

    def entries(self) -> tuple[int, int]:
        """Addresses of the code for one state and for batches as builtins call it (see `llvm.method`); 0: none yet."""
        return 0, 0

    def dispatch(self, n: int | None, inputs: list[Array], outputs: list[Array], workers: int = 1) -> None:
        """Run one state, or n states in as many threads as there are workers."""
        if n is None:
            return self.run(inputs, outputs)
        share = -(-n // (workers * GRAIN)) * GRAIN
        if workers == 1 or share >= n:
            return self.run_batch(n, inputs, outputs)
        from concurrent.futures import ThreadPoolExecutor

        def run(start: int) -> None:
            part = slice(start, min(start + share, n))
            rows = [a[part] if a.ndim == 2 else a for a in inputs]
            self.run_batch(part.stop - start, rows, [o[part] for o in outputs])

        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(run, range(0, n, share)))
        return None


class Function:
    """A program ready to run. Call it with arrays for its input groups, by position or by name.

    Each group is one row of numbers, or as many rows as there are states; outputs then have that leading axis too.
    Parameters may be bound once (``bind``): what depends on them alone is then computed once.
    """

    def __init__(self, program: Program, staged: Staged, setup: Engine | None, main: Engine) -> None:
        self.program, self.staged, self.setup, self.main = program, staged, setup, main
        self.groups: tuple[Group, ...] = program.groups
        """The inputs, in the order of positional arguments."""
        self.parameters: dict[str, Array] = {}
        self.hoisted: Array | None = None

    def __repr__(self) -> str:
        inputs = ", ".join(f"{g.name}[{g.size}]" for g in self.groups)
        outputs = ", ".join(f"{o.key}{list(o.shape)}" for o in self.program.outputs)
        return f"<{type(self).__name__} {self.program.name}({inputs}) → {outputs}>"

    def bind(self, parameters: ArrayLike | Mapping[str, float] = ()) -> "Bound":
        """The function for one set of parameters, in their order or by name."""
        context, values = self.program.name, parameters
        # The group of parameters that is empty can be recognised by its name only.
        fixed = [g for g in self.groups if g.fixed] or [g for g in self.groups if g.name == PARAMETERS and not g.size]
        if len(fixed) > 1:
            raise ArgumentError(f"{context}: bind() takes one group of parameters, not {len(fixed)}")
        if not fixed:
            if len(values) if isinstance(values, Mapping) else np.size(values):
                raise ArgumentError(f"{context} has no parameters, so bind() takes none")
            return Bound(self, {})
        if isinstance(values, Mapping):
            names = fixed[0].elements
            wrong = [n for n in values if n not in names] or [n for n in names if n not in values]
            if wrong:
                needed = ", ".join(names) or "none"
                raise ArgumentError(f"{context}: parameter '{wrong[0]}' is unknown or missing; needed: {needed}")
            values = [values[n] for n in names]
        array = _array(context, fixed[0], values)
        if array.ndim != 1:
            raise ArgumentError(f"{context}: bind() takes one set of parameters; give a batch of them at the call")
        return Bound(self, {fixed[0].name: array.copy()})

    def __call__(self, /, *positional: ArrayLike, out: Any = None, threads: int = 1, **named: ArrayLike) -> Result:
        """The outputs: an array, or a dict of arrays where there are several. ``out`` (an array, or a dict of arrays)
        is filled instead of new ones; ``threads`` (0: all cores) share a batch."""
        context, names = self.program.name, [g.name for g in self.groups]
        if len(positional) > len(names):
            raise ArgumentError(
                f"{context}() takes {len(names)} groups ({', '.join(names)}), {len(positional)} were given"
            )
        values = dict(zip(names, positional, strict=False))
        for name in named:
            if name not in names:
                raise unknown_argument(context, name, [*names, "out", "threads"])
            if name in values:
                raise ArgumentError(f"{context}(): '{name}' is given by position and by name")
        try:
            workers = operator.index(threads)
        except TypeError:
            workers = -1
        if workers < 0:
            raise ArgumentError(f"{context}(): threads must be a whole number, 0 for all cores, not {threads!r}")
        values |= named
        arrays = {g.name: _array(context, g, values.get(g.name)) for g in self.groups} | self.parameters
        batches = {name: len(a) for name, a in arrays.items() if a.ndim == 2}
        if len(set(batches.values())) > 1:
            rows = ", ".join(f"{name} {n}" for name, n in batches.items())
            raise ArgumentError(f"{context}(): the batches have different lengths ({rows})")
        n = next(iter(batches.values()), None)
        arrays[HOISTED] = self.setup_values(arrays, n) if self.hoisted is None else self.hoisted
        inputs = [arrays[g.name] for g in self.staged.main.groups]
        results = self._results(n, out, inputs)
        flat = [results[o.key].reshape((-1,) if n is None else (n, o.size)) for o in self.program.outputs]
        self.main.dispatch(n, inputs, flat, workers or os.cpu_count() or 1)
        return results if len(results) != 1 else next(iter(results.values()))

    def setup_values(self, arrays: Mapping[str, Array], n: int | None) -> Array:
        """What depends on parameters alone; a row for each of n states where the parameters are such rows."""
        if self.setup is None:
            return np.empty(0)
        inputs, size = [arrays[g.name] for g in self.setup.program.groups], self.setup.program.outputs[0].size
        rows = n if any(a.ndim == 2 for a in inputs) else None
        hoisted = np.empty(size if rows is None else (rows, size))
        self.setup.dispatch(rows, inputs, [hoisted])
        return hoisted

    def _results(self, n: int | None, out: Any, inputs: Sequence[Array]) -> dict[str, Array]:
        """The arrays to fill: new ones, or those of ``out``, which must share no memory."""
        shapes = {o.key: o.shape if n is None else (n, *o.shape) for o in self.program.outputs}
        if out is None:
            return {name: np.empty(shape) for name, shape in shapes.items()}
        named = out if isinstance(out, Mapping) else dict(zip(shapes, [out], strict=False))
        others = {f"input '{g.name}'": x for g, x in zip(self.staged.main.groups, inputs, strict=True)}
        for name, shape in shapes.items():
            context, array = f"{self.program.name}(): out '{name}'", named.get(name)
            if not isinstance(array, np.ndarray) or array.dtype != np.float64 or array.shape != shape:
                actual = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
                raise ArgumentError(f"{context} must be a float64 array of shape {shape}, not {actual}")
            if not array.flags.c_contiguous or not array.flags.writeable or not array.flags.aligned:
                raise ArgumentError(f"{context} must be writable, contiguous (C order) and aligned")
            shared = [other for other, x in others.items() if np.may_share_memory(array, x)]
            if shared:
                raise ArgumentError(f"{context} overlaps {shared[0]}; give an array of its own")
            others[f"out '{name}'"] = array
        return {name: named[name] for name in shapes}


class Bound(Function):
    """A function whose parameters are fixed: its call takes the other groups."""

    hoisted: Array

    def __init__(self, function: Function, values: dict[str, Array]) -> None:
        super().__init__(function.program, function.staged, function.setup, function.main)
        self.function, self.parameters = function, values
        self.groups = tuple(g for g in self.groups if g.name not in values)
        self.hoisted = function.setup_values(values, None)

    def bind(self, parameters: ArrayLike | Mapping[str, float] = ()) -> "Bound":
        """The function for another set of parameters; those of this one are not used."""
        return self.function.bind(parameters)


def _array(context: str, group: Group, value: ArrayLike | None) -> Array:
    """A group's numbers as aligned float64 in C order: one row, or a row per state; a copy where they are not."""
    size = group.size
    if type(value) is np.ndarray and value.dtype is FLOAT64 and value.shape == (size,) and value.flags.carray:
        return value
    if value is None:
        if size == 0:
            return np.empty(0)
        raise ArgumentError(f"{context}(): input group '{group.name}' ({size} numbers) is missing")
    if np.ma.is_masked(value):
        raise ArgumentError(
            f"{context}(): '{group.name}' has masked values; fill them, such as {group.name}.filled(0.0)"
        )
    try:
        raw = np.asarray(value)
        if raw.dtype.kind not in "fiub":
            raise TypeError(f"{raw.dtype}")
        array = np.require(raw, np.float64, ("C", "A"))
    except (TypeError, ValueError) as error:
        if isinstance(value, Mapping):
            text = f"'{group.name}' is an array of {size} numbers in the order of eq.{group.name}, not values by name"
            raise ArgumentError(f"{context}(): {text}") from None
        raise ArgumentError(f"{context}(): '{group.name}' must be real numbers, not {error}") from None
    if raw.ndim == 0 and size == 1:
        return array.reshape(1)
    if (raw.ndim == 1 and len(array) == size) or (raw.ndim == 2 and array.shape[1] == size):
        return array
    if raw.ndim == 1 and size == 1:
        return array.reshape(-1, 1)
    raise ArgumentError(
        f"{context}(): '{group.name}' has shape {raw.shape}; {size} numbers are expected,"
        f" or an array of shape (states, {size})"
    )
