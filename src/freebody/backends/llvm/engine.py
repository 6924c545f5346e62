"""The LLVM engine: a program compiled for one state at once, and for batches at the first batch."""

import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends.function import Engine
from freebody.backends.llvm import jit, method, trampoline
from freebody.backends.llvm.batch import driver
from freebody.backends.llvm.cache import Cache
from freebody.backends.llvm.checked import Arg
from freebody.backends.llvm.module import Target, emit
from freebody.backends.llvm.straight import PACKED, POINTERS, Helpers
from freebody.program.program import Program
from freebody.program.split import split

CHUNK, SMALL, LARGE = 1000, 400, 10_000
"""Operations in one function: the code generator's time grows faster than linearly. Wide code of up to ``LARGE`` is one
function, for what passes between functions weighs eight times as much there. Programs past ``LARGE`` operations are cut
smaller: 3 % slower to run, much faster to compile (docs/decisions/004)."""

Array = NDArray[np.float64]


class LLVM(Engine):
    """One program as machine code. ``raw`` takes the flat arrays of all groups, then of all outputs, and fills them."""

    def __init__(
        self, program: Program, *, width: int | None = None, level: int = 1, chunk: int | None = None,
        cache: Cache | None = jit.STANDARD, native: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(program)
        self.level, self.cache = level, cache
        whole = sum(map(len, program.blocks)) <= LARGE
        self.chunk = chunk or (CHUNK if whole else SMALL)
        self.wide_chunk = LARGE if whole and chunk is None else 2 * self.chunk
        self.vector = jit.features().width
        self.width = width or self.vector
        self._groups = [(g.size, g.fixed) for g in program.groups]
        self._keep: list[object] = []
        self._lock = threading.Lock()
        self._batches: dict[bool, Callable[..., None]] = {}
        self._entries: dict[bool, int] = {}
        self._wide: dict[frozenset[str], int] = {}
        text, helpers = emit(split(program, self.chunk), Target(1, self.vector))
        arguments = [Arg(g.name, g.size, "in") for g in program.groups]
        arguments += [Arg(o.name, o.size, "out") for o in program.outputs]
        name = "".join(c if c.isalnum() and c.isascii() else "_" for c in program.name) or "program"
        sizes = len(program.groups), len(program.outputs)
        self.text = text + trampoline.emit(name, "run", arguments) + method.spread("run.spread", "run", *sizes)
        self.library, pointers = self._load(self.text, helpers)
        raw = trampoline.bind(self.library, name, f"{program.name}, one state", native=native, keep=pointers)
        self._calls_users = bool(pointers)
        self.raw = self.callback_errors.reraising(raw) if pointers else raw

    def _load(self, text: str, helpers: Helpers) -> tuple[jit.Library, list[Any]]:
        """The code, and the C functions it calls for the user's: they must live as long."""
        library = jit.load(text, level=self.level, cache=self.cache)
        pointers = [self.callback_errors.pointer(f, f.arity > PACKED) for f in helpers.callbacks]
        if pointers:
            addresses = (ctypes.c_void_p * len(pointers)).from_address(library.address(POINTERS))
            for k, pointer in enumerate(pointers):
                addresses[k] = ctypes.cast(pointer, ctypes.c_void_p).value
        return library, pointers

    def run(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """One state."""
        self.raw(*inputs, *outputs)

    def run_batch(self, n: int, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """n states, ``width`` at a time; the interpreter's lock is released meanwhile."""
        uniform, arguments = True, [n]
        for a, (size, fixed) in zip(inputs, self._groups, strict=True):
            rows = a.ndim == 2
            arguments += (trampoline.address(a), size if rows else 0)
            uniform = uniform and not (rows and fixed)
        batch = self._batches.get(uniform) or self._batch(uniform)
        batch(*arguments, *map(trampoline.address, outputs))
        self.callback_errors.reraise()

    def _batch(self, uniform: bool) -> Callable[..., None]:
        """The compiled loop over a batch, compiled at its first use: parameters shared by all lanes, or not."""
        with self._lock:
            if uniform not in self._batches:
                fixed = frozenset(g.name for g in self.program.groups if g.fixed)
                target = Target(self.width, self.vector, fixed if uniform else frozenset())
                text, helpers = emit(split(self.program, self.wide_chunk), target, linkage="internal")
                text += driver(self.program, target)
                sizes = len(self._groups), len(self.program.outputs)
                text += method.spread_batch("batch.spread", "batch", *sizes)
                library, pointers = self._load(text, helpers)
                self._keep += [library, *pointers]
                self._entries[uniform] = library.address("batch.spread")
                rows = [ctypes.c_void_p, ctypes.c_int64] * sizes[0]
                prototype = ctypes.CFUNCTYPE(None, ctypes.c_int64, *rows, *[ctypes.c_void_p] * sizes[1])
                self._batches[uniform] = prototype(library.address("batch"))
        return self._batches[uniform]

    def address(self) -> int:
        return self.library.address("run")

    def wide(self, uniform: frozenset[str] = frozenset()) -> int:
        with self._lock:
            if uniform not in self._wide:
                target = Target(self.width, self.vector, uniform)
                text, helpers = emit(split(self.program, self.wide_chunk), target)
                library, pointers = self._load(text, helpers)
                self._keep += [library, *pointers]
                self._wide[uniform] = library.address("run")
        return self._wide[uniform]

    def entries(self) -> tuple[int, int]:
        """No addresses where users' functions are called, because these may raise."""
        if self._calls_users:
            return 0, 0
        return self.library.address("run.spread"), self._entries.get(True, 0)
