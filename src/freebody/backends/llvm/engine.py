"""The LLVM engine: code for one state is compiled immediately, code for batches on first use."""

import ctypes
import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from freebody.backends.function import Engine
from freebody.backends.llvm import jit
from freebody.backends.llvm.batch import driver
from freebody.backends.llvm.cpython import address, fill
from freebody.backends.llvm.method import spread
from freebody.backends.llvm.module import Target, emit
from freebody.backends.llvm.straight import PACKED, POINTERS
from freebody.disk_cache import Cache
from freebody.program.program import Program
from freebody.program.split import split

CHUNK, SMALL, LARGE = 1000, 400, 10_000
"""Operations in one function: the code generator's time grows faster than linearly. Wide code of up to ``LARGE`` is one
function, for what passes between functions weighs eight times as much there. Programs past ``LARGE`` operations are cut
smaller: 3 % slower to run, much faster to compile (docs/decisions/004)."""

Array = NDArray[np.float64]


class LLVM(Engine):
    """One program as machine code. ``raw`` takes the addresses of all groups, then of all outputs."""

    def __init__(
        self,
        program: Program,
        *,
        width: int | None = None,
        level: int = 1,
        chunk: int | None = None,
        cache: Cache | None = jit.STANDARD,
    ) -> None:
        super().__init__(program)
        self.level, self.cache, self.vector = level, cache, jit.features().width
        self.width = width or self.vector
        whole = sum(map(len, program.blocks)) <= LARGE
        self.chunk = chunk or (CHUNK if whole else SMALL)
        self.wide_chunk = chunk or (LARGE if whole else 2 * SMALL)  # operations are fused in the same places if chosen
        self._sizes, self._fixed = (len(program.groups), len(program.outputs)), [g.fixed for g in program.groups]
        self._alive: list[object] = []
        self._lock = threading.Lock()
        self._batches: dict[bool, tuple[Callable[..., None], int]] = {}
        self._wide: dict[frozenset[str], int] = {}
        self.library = self._load(self.chunk, Target(1, self.vector), spread("run.spread", "run", *self._sizes))
        self._calls_users = len(self._alive) > 1
        function = ctypes.PYFUNCTYPE(None, *[ctypes.c_void_p] * sum(self._sizes))(self.library.address("run"))
        function.alive = self._alive  # type: ignore[attr-defined]
        self.raw: Callable[..., None] = self.callback_errors.reraising(function) if self._calls_users else function

    def _load(self, chunk: int, target: Target, entry: str = "", linkage: str = "") -> jit.Library:
        """The code, alive as long as this engine, with the C functions it calls for the user's."""
        text, helpers = emit(split(self.program, chunk), target, linkage=linkage)
        library = jit.load(text + entry, level=self.level, cache=self.cache)
        pointers = [self.callback_errors.pointer(f, f.arity > PACKED) for f in helpers.callbacks]
        if pointers:
            fill(library.address(POINTERS), [ctypes.cast(p, ctypes.c_void_p).value for p in pointers])
        self._alive += [library, *pointers]
        return library

    def run(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        self.raw(*map(address, inputs), *map(address, outputs))

    def run_batch(self, n: int, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """n states, ``width`` at a time; the interpreter's lock is released meanwhile."""
        self.prepared(n, inputs, outputs)()

    def prepared(self, n: int, inputs: Sequence[Array], outputs: Sequence[Array]) -> Callable[[], None]:
        """The same as a function without arguments, for these arrays, which the caller keeps alive; rows of inputs may
        be parts of longer ones."""
        uniform, arguments = True, [n]
        for a, fixed in zip(inputs, self._fixed, strict=True):
            rows = a.ndim == 2
            arguments += (address(a), a.strides[0] // 8 if rows else 0)
            uniform = uniform and not (rows and fixed)
        batch, arguments = self._batch(uniform)[0], [*arguments, *map(address, outputs)]

        def run() -> None:
            batch(*arguments)
            self.callback_errors.reraise()

        return run

    def _batch(self, uniform: bool) -> tuple[Callable[..., None], int]:
        """The loop over a batch, compiled at its first use, and its address for builtins. With ``uniform``, parameters
        are shared by all lanes."""
        if uniform in self._batches:
            return self._batches[uniform]
        with self._lock:
            if uniform not in self._batches:
                fixed = frozenset(g.name for g in self.program.groups if g.fixed)
                target = Target(self.width, self.vector, fixed if uniform else frozenset())
                entry = driver(self.program, target) + spread("batch.spread", "batch", *self._sizes, batch=True)
                library = self._load(self.wide_chunk, target, entry, "internal")
                rows = [ctypes.c_void_p, ctypes.c_int64] * self._sizes[0]
                prototype = ctypes.CFUNCTYPE(None, ctypes.c_int64, *rows, *[ctypes.c_void_p] * self._sizes[1])
                self._batches[uniform] = prototype(library.address("batch")), library.address("batch.spread")
        return self._batches[uniform]

    def address(self) -> int:
        return self.library.address("run")

    def wide(self, uniform: frozenset[str] = frozenset()) -> int:
        with self._lock:
            if uniform not in self._wide:
                library = self._load(self.wide_chunk, Target(self.width, self.vector, uniform))
                self._wide[uniform] = library.address("run")
        return self._wide[uniform]

    def entries(self) -> tuple[int, int]:
        """No addresses where users' functions are called, because these may raise."""
        if self._calls_users:
            return 0, 0
        return self.library.address("run.spread"), self._batches[True][1] if True in self._batches else 0
