"""Compiled programs as Python functions: arrays in, arrays out, one state or a batch, whatever the backend."""

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
from freebody.program.program import Group, Program
from freebody.program.stage import HOISTED, Staged
from freebody.scalar.callback import Callback

Array = NDArray[np.float64]
Result = Array | dict[str, Array]
GRAIN = 64  # a thread's share of a batch is a multiple of this many states
POINTERS = 1000  # a compiled call takes two for each group and one for each output; ctypes stops at 1024
PARAMETERS = "parameters"  # the name that tells what an empty group is
OPTIONS = ("out", "threads")  # what a call takes beside the groups


class Complaints(threading.local):
    """What a user's own functions raised while compiled code called them, kept until it can be raised; each thread
    has its own."""

    guard: ClassVar[CodeType | None] = None
    """The code around every such call, in which nothing that is raised gets lost."""

    def __init__(self) -> None:
        self.errors: list[BaseException] = []

    def pointer(self, function: Callback, packed: bool = False) -> Any:
        """A C function that calls the user's; what it raises is kept, and NaN stands in for its value, and for those of
        all further calls until it has been raised. It takes its arguments one by one, or ``packed`` in an array."""

        def call(*x: float) -> float:
            try:
                return float("nan") if self.errors else float(function.function(*x))
            except BaseException as error:
                self.errors.append(error)
                return float("nan")

        Complaints.guard = call.__code__
        if packed:
            row = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double))
            return row(lambda x: call(*x[: function.arity]))
        return ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * function.arity)(call)

    @classmethod
    def inside(cls, frame: FrameType | None) -> bool:
        """Whether a frame belongs to a user's function that compiled code has called: what is raised there is kept."""
        below = None if frame is None else frame.f_back
        while below is not None and below.f_code is not cls.guard:
            below = below.f_back
        return below is not None

    def settle(self) -> None:
        """Raise the first of them where the user called us."""
        if self.errors:
            error, self.errors[:] = self.errors[0], []
            raise error

    def settling(self, function: Callable[..., None]) -> Callable[..., None]:
        """The compiled function as one that raises what the user's functions raised in it."""

        def call(*arguments: Any) -> None:
            function(*arguments)
            self.settle()

        return call


class Engine(ABC):
    """What a backend makes of one program. Arrays are float64, C-contiguous, of the right size, and never overlap.

    Code for integrators and builtins is machine code; a backend without any keeps what is written here.
    """

    width = 1
    """States that `wide` code runs at once."""

    def __init__(self, program: Program) -> None:
        self.program, self.complaints = program, Complaints()

    @abstractmethod
    def run(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """One state: flat inputs in the order of the groups, flat outputs to fill."""

    @abstractmethod
    def run_batch(self, n: int, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """n states: inputs of shape (n, size), or (size,) where all states share one row; outputs (n, size)."""

    def address(self) -> int:
        """Where the code for one state lies: void (a pointer for each group and output)."""
        raise BackendError(
            f"{self.program.name} was compiled by {type(self).__name__}, whose code an integrator cannot call: this"
            " method needs the LLVM backend, compile(program)"
        )

    def wide(self, uniform: frozenset[str] = frozenset()) -> int:
        """Where the code lies that runs ``width`` states at once: void (a pointer for each group and output). Groups in
        ``uniform`` hold a number for all lanes, the others and the outputs an aligned vector for each number."""
        return self.address()

    def entries(self) -> tuple[int, int]:
        """Addresses of the code for one state and for batches as builtins call it (see `llvm.method`); 0: none yet."""
        return 0, 0


def require_callable(program: Program) -> None:
    """Refuse a program whose inputs and outputs cannot be the arguments of a call."""
    reserved = [g.name for g in program.groups if g.name in OPTIONS]
    if reserved:
        raise BackendError(
            f"{program.name}: '{reserved[0]}' cannot name an input group, for it is an option of the call: rename it"
        )
    if 2 * len(program.groups) + len(program.outputs) > POINTERS:
        raise BackendError(
            f"{program.name} has {len(program.groups)} input groups and {len(program.outputs)} outputs, more than a"
            " compiled call can take: gather the outputs into arrays"
        )


class Function:
    """A program ready to run. Call it with arrays for its input groups, by position or by name.

    Each group is one row of numbers, or as many rows as there are states; outputs then have that leading axis too.
    Parameters may be bound once (``bind``): what depends on them alone is then computed once.
    """

    def __init__(self, program: Program, staged: Staged, setup: Engine | None, main: Engine) -> None:
        self.program, self.staged = program, staged
        self.setup, self.main = setup, main
        self.parameters: dict[str, Array] = {}

    @property
    def groups(self) -> tuple[Group, ...]:
        """The inputs, in the order of positional arguments."""
        return self.program.groups

    def __repr__(self) -> str:
        given = ", ".join(f"{g.name}[{g.size}]" for g in self.groups)
        made = ", ".join(f"{o.name}{list(o.shape)}" for o in self.program.outputs)
        return f"<{type(self).__name__} {self.program.name}({given}) → {made}>"

    def bind(self, parameters: ArrayLike | Mapping[str, float] = ()) -> "Bound":
        """The function for one set of parameters, in their order or by name."""
        who, fixed = self.program.name, _fixed(self.groups)
        if len(fixed) > 1:
            raise ArgumentError(f"{who}: bind() takes one group of parameters, not {len(fixed)}")
        if not fixed and (len(parameters) if isinstance(parameters, Mapping) else np.size(parameters)):
            raise ArgumentError(f"{who} has no parameters, so bind() takes none")
        return Bound(self, {g.name: _parameters(who, g, parameters) for g in fixed})

    def __call__(self, /, *given: ArrayLike, out: Any = None, threads: int = 1, **named: ArrayLike) -> Result:
        """The outputs: an array, or a dict of arrays where there are several. ``out`` (an array, or a dict of arrays)
        is filled instead of new ones; ``threads`` (0: all cores) share a batch."""
        values = _named(self.program.name, self.groups, given, named)
        return self._evaluate(values, out, _workers(self.program.name, threads))

    def _evaluate(self, values: dict[str, ArrayLike], out: Any, workers: int) -> Result:
        arrays = {g.name: _array(self.program.name, g, values.get(g.name)) for g in self.groups} | self.parameters
        n = _batch(self.program.name, arrays)
        arrays[HOISTED] = self._hoisted(arrays, n)
        inputs = [arrays[g.name] for g in self.staged.main.groups]
        results = self._results(n, out, inputs)
        flat = [results[o.name].reshape((-1,) if n is None else (n, o.size)) for o in self.program.outputs]
        _dispatch(self.main, n, inputs, flat, workers)
        return results if len(results) != 1 else next(iter(results.values()))

    def _hoisted(self, arrays: Mapping[str, Array], n: int | None) -> Array:
        return self.setup_values(arrays, n)

    def setup_values(self, arrays: Mapping[str, Array], n: int | None) -> Array:
        """What depends on parameters alone; a row for each of n states where the parameters are such rows."""
        if self.setup is None or self.staged.setup is None:
            return np.empty(0)
        inputs = [arrays[g.name] for g in self.staged.setup.groups]
        size = self.staged.setup.outputs[0].size
        rows = n if any(a.ndim == 2 for a in inputs) else None
        hoisted = np.empty(size if rows is None else (rows, size))
        _dispatch(self.setup, rows, inputs, [hoisted], 1)
        return hoisted

    def _results(self, n: int | None, out: Any, inputs: Sequence[Array]) -> dict[str, Array]:
        shapes = {o.name: o.shape if n is None else (n, *o.shape) for o in self.program.outputs}
        if out is None:
            return {name: np.empty(shape) for name, shape in shapes.items()}
        named = out if isinstance(out, Mapping) else dict(zip(shapes, [out], strict=False))
        others = {f"input '{g.name}'": x for g, x in zip(self.staged.main.groups, inputs, strict=True)}
        for name, shape in shapes.items():
            _writable(self.program.name, name, shape, named.get(name), others)
            others[f"out '{name}'"] = named[name]
        return {name: named[name] for name in shapes}


class Bound(Function):
    """A function whose parameters are fixed: its call takes the other groups."""

    def __init__(self, function: Function, values: dict[str, Array]) -> None:
        super().__init__(function.program, function.staged, function.setup, function.main)
        self.function, self.parameters = function, values
        self.hoisted = function.setup_values(values, None)

    @property
    def groups(self) -> tuple[Group, ...]:
        return tuple(g for g in self.program.groups if g.name not in self.parameters)

    def bind(self, parameters: ArrayLike | Mapping[str, float] = ()) -> "Bound":
        """The function for another set of parameters; nothing is left of this one."""
        return self.function.bind(parameters)

    def _hoisted(self, arrays: Mapping[str, Array], n: int | None) -> Array:
        return self.hoisted


# Arguments


def _named(
    who: str, groups: Sequence[Group], given: Sequence[ArrayLike], named: Mapping[str, ArrayLike]
) -> dict[str, ArrayLike]:
    """Positional and named arguments together."""
    names = [g.name for g in groups]
    if len(given) > len(names):
        raise ArgumentError(f"{who}() takes {len(names)} groups ({', '.join(names)}), {len(given)} were given")
    unknown = [n for n in named if n not in names]
    if unknown:
        raise ArgumentError(f"{who}() has no input group '{unknown[0]}', only {', '.join(names)}")
    values = dict(zip(names, given, strict=False))
    twice = [n for n in named if n in values]
    if twice:
        raise ArgumentError(f"{who}(): '{twice[0]}' is given by position and by name")
    return {**values, **named}


def _array(who: str, group: Group, value: ArrayLike | None) -> Array:
    """A group's numbers as aligned float64 in C order: one row, or a row per state; a copy where they are not."""
    if value is None:
        if group.size == 0:
            return np.empty(0)
        raise ArgumentError(f"{who}(): input group '{group.name}' ({group.size} numbers) is missing")
    if np.ma.is_masked(value):
        raise ArgumentError(f"{who}(): '{group.name}' has masked values; fill them, such as {group.name}.filled(0.0)")
    try:
        raw = np.asarray(value)
        if raw.dtype.kind not in "fiub":
            raise TypeError(f"{raw.dtype}")
        array = np.require(raw, np.float64, ("C", "A"))
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"{who}(): '{group.name}' must be real numbers, not {error}") from None
    return _shaped(who, group, raw.ndim, array)


def _shaped(who: str, group: Group, ndim: int, array: Array) -> Array:
    if ndim == 0 and group.size == 1:
        return array.reshape(1)
    if ndim == 1 and len(array) == group.size:
        return array
    if ndim == 1 and group.size == 1:
        return array.reshape(-1, 1)
    if ndim == 2 and array.shape[1] == group.size:
        return array
    raise ArgumentError(
        f"{who}(): '{group.name}' has shape {array.shape if ndim else ()}; {group.size} numbers are expected,"
        f" or an array of shape (states, {group.size})"
    )


def _batch(who: str, arrays: Mapping[str, Array]) -> int | None:
    """The number of states, or None for a single one."""
    sizes = {len(a) for a in arrays.values() if a.ndim == 2}
    if len(sizes) > 1:
        rows = ", ".join(f"{name} {len(a)}" for name, a in arrays.items() if a.ndim == 2)
        raise ArgumentError(f"{who}(): the batches have different lengths ({rows})")
    return sizes.pop() if sizes else None


def _fixed(groups: Sequence[Group]) -> list[Group]:
    """The groups that bind() takes; an empty one can be told by its name only."""
    return [g for g in groups if g.fixed] or [g for g in groups if g.name == PARAMETERS and g.size == 0]


def _parameters(who: str, group: Group, given: ArrayLike | Mapping[str, float]) -> Array:
    if isinstance(given, Mapping):
        wrong = [n for n in given if n not in group.elements] or [n for n in group.elements if n not in given]
        if wrong:
            needed = ", ".join(group.elements) or "none"
            raise ArgumentError(f"{who}: parameter '{wrong[0]}' is unknown or missing; needed: {needed}")
        given = [given[n] for n in group.elements]
    array = _array(who, group, given)
    if array.ndim != 1:
        raise ArgumentError(f"{who}: bind() takes one set of parameters; give a batch of them at the call")
    return array.copy()


def _writable(who: str, name: str, shape: tuple[int, ...], array: Any, others: Mapping[str, Array]) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != np.float64 or array.shape != shape:
        found = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ArgumentError(f"{who}(): out '{name}' must be a float64 array of shape {shape}, not {found}")
    if not array.flags.c_contiguous or not array.flags.writeable or not array.flags.aligned:
        raise ArgumentError(f"{who}(): out '{name}' must be writable, contiguous (C order) and aligned")
    shared = [other for other, x in others.items() if np.may_share_memory(array, x)]
    if shared:
        raise ArgumentError(f"{who}(): out '{name}' overlaps {shared[0]}; give an array of its own")


# Running


def _workers(who: str, threads: Any) -> int:
    """How many threads are meant."""
    try:
        number = operator.index(threads)
    except TypeError:
        number = -1
    if number < 0:
        raise ArgumentError(f"{who}(): threads must be a whole number, 0 for all cores, not {threads!r}")
    return number or os.cpu_count() or 1


def _dispatch(engine: Engine, n: int | None, inputs: list[Array], outputs: list[Array], workers: int) -> None:
    if n is None:
        engine.run(inputs, outputs)
        return
    share = -(-n // (workers * GRAIN)) * GRAIN
    if workers == 1 or share >= n:
        engine.run_batch(n, inputs, outputs)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        parts = [slice(k, min(k + share, n)) for k in range(0, n, share)]
        jobs = [pool.submit(_part, engine, part, inputs, outputs) for part in parts]
    for job in jobs:
        job.result()


def _part(engine: Engine, part: slice, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    rows = [a[part] if a.ndim == 2 else a for a in inputs]
    engine.run_batch(part.stop - part.start, rows, [o[part] for o in outputs])
