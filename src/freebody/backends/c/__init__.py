"""C: readable C99 for a program (``emit``), and the engine that has the system's compiler compile it and loads it."""

import ctypes
import os
import shlex
import shutil
import subprocess
import tempfile
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends.c.language import define, prototype
from freebody.backends.c.module import CHUNK, Source, SourceNames, compose, emit
from freebody.backends.function import Engine
from freebody.errors import BackendError
from freebody.program.program import Program
from freebody.scalar.functions import Callback

FLAGS = ("-O2", "-march=native", "-std=gnu99")
COMPILERS = ("cc", "gcc", "clang")

Array = NDArray[np.float64]

__all__ = ["C", "Source", "emit", "find_compiler"]


class C(Engine):
    """One program as machine code by way of C.

    ``source`` is the C, ``seconds`` the compiler's time; ``raw`` takes the addresses of all groups, then all outputs.
    """

    def __init__(
        self, program: Program, compiler: str | None = None, flags: Sequence[str] = FLAGS, chunk: int = CHUNK
    ) -> None:
        super().__init__(program)
        command = [*find_compiler(program.name, compiler), *flags]
        self.source, names = compose(program, chunk=chunk)
        more, batch, pointers = glue(names, program)
        start = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="freebody-", ignore_cleanup_errors=True) as folder:
            _, path = self.source.write(folder)
            with path.open("a", encoding="utf-8") as file:
                file.write(more)
            output = ["-shared", "-fPIC", "-o", str(Path(folder, "library.so")), str(path), "-lm"]
            done = subprocess.run([*command, *output], capture_output=True, text=True)
            if done.returncode:
                raise BackendError(f"{self.source.name}: {' '.join(command)} failed:\n{done.stderr[-2000:]}")
            library = SharedLibrary(str(Path(folder, "library.so")))  # its files are not needed any more
        self.seconds = time.perf_counter() - start
        for function, name in pointers.items():
            library.connect(name, self.callback_errors.pointer(function))
        inputs, outputs = len(program.groups), [ctypes.c_void_p] * len(program.outputs)
        rows = [ctypes.c_void_p, ctypes.c_ssize_t] * inputs
        self.raw = library.function(names.name, [*[ctypes.c_void_p] * inputs, *outputs])
        self.batch = library.function(batch, [ctypes.c_ssize_t, *rows, *outputs])
        if pointers:
            self.raw, self.batch = self.callback_errors.reraising(self.raw), self.callback_errors.reraising(self.batch)

    def run(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        self.raw(*(a.ctypes.data for a in (*inputs, *outputs)))

    def run_batch(self, n: int, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """n states, one after the other; the interpreter's lock is released meanwhile."""
        rows = [x for a in inputs for x in (a.ctypes.data, a.shape[1] if a.ndim == 2 else 0)]
        self.batch(n, *rows, *(o.ctypes.data for o in outputs))


def find_compiler(context: str, compiler: str | None = None) -> list[str]:
    """The command of the named compiler, or of the first that exists of $CC, cc, gcc, clang."""
    candidates = [compiler] if compiler else [os.environ.get("CC", ""), *COMPILERS]
    for command in map(shlex.split, filter(None, candidates)):
        if shutil.which(command[0]):
            return command
    tried = compiler or "$CC, " + ", ".join(COMPILERS)
    raise BackendError(
        f"{context}: no C compiler was found (looked for {tried}). Install one, name it by the environment variable CC"
        " or by compiler=…, or use the backend 'llvm', which needs none."
    )


def glue(names: SourceNames, program: Program) -> tuple[str, str, dict[Callback, str]]:
    """What Python needs beside the program: C with a loop over states and a function for each of the user's, the name
    of the loop, and those of the variables that take the addresses of the user's functions.

    In the loop, a row length of 0 means one row for all states.
    """
    batch = names.names.take(f"{names.name}_batch")
    pointers = {f: names.names.take(f"{name}_pointer") for f, name in names.callbacks.items()}
    texts = ["\n#include <stddef.h>\n"]
    for function, pointer in pointers.items():
        x = [f"x{k}" for k in range(function.arity)]
        doubles = [f"double {a}" for a in x]
        head = prototype(names.callbacks[function], doubles, "double")
        texts += [f"double (*{pointer})({', '.join(doubles)});\n", define(head, [f"return {pointer}({', '.join(x)});"])]
    local = names.local()
    n, i = local.take("n"), local.take("i")
    inputs = [(local.take("row"), local.take("length")) for _ in program.groups]
    outputs = [(local.take("result"), o.size) for o in program.outputs]
    arguments = [f"const double *{row}, ptrdiff_t {length}" for row, length in inputs]
    arguments += [f"double *{row}" for row, _ in outputs]
    passed = ", ".join(f"{row} + {i}*{length}" for row, length in (*inputs, *outputs))
    loop = [f"for (ptrdiff_t {i} = 0; {i} < {n}; ++{i})", f"    {names.name}({passed});"]
    texts.append(define(prototype(batch, [f"ptrdiff_t {n}", *arguments]), loop))
    return "\n".join(texts), batch, pointers


class SharedLibrary(ctypes.CDLL):
    """A loaded library. Its functions keep it loaded; without them it is closed, where the system has ``dlclose``."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._connected: list[Any] = []
        with suppress(ImportError):
            from _ctypes import dlclose

            weakref.finalize(self, dlclose, self._handle).atexit = False

    def function(self, name: str, arguments: list[Any]) -> Any:
        """A function of the library, which returns nothing."""
        function = self[name]
        function.argtypes, function.restype = arguments, None
        return function

    def connect(self, name: str, pointer: Any) -> None:
        """Put the address of a C function where the library looks for it, and keep the function."""
        ctypes.c_void_p.in_dll(self, name).value = ctypes.cast(pointer, ctypes.c_void_p).value
        self._connected.append(pointer)
