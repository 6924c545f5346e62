"""The C backend as an engine: what is emitted, compiled by the system's compiler and loaded."""

import ctypes
import os
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends.c.module import CHUNK, Source, compose
from freebody.backends.c.unit import Unit, define, prototype
from freebody.errors import BackendError
from freebody.scalar.callback import Callback
from freebody.scalar.program import Program

FLAGS = ("-O2", "-march=native", "-std=gnu99")
COMPILERS = ("cc", "gcc", "clang")

Array = NDArray[np.float64]


class C:
    """One program as machine code by way of C.

    ``source`` is the C; ``seconds`` is how long the compiler took; ``raw`` takes the addresses of all groups' numbers,
    then of all outputs'.
    """

    def __init__(
        self, program: Program, compiler: str | None = None, flags: Sequence[str] = FLAGS, chunk: int = CHUNK
    ) -> None:  # fmt: skip
        self.program = program
        self.source, unit = compose(program, chunk=chunk)
        command = [*find_compiler(program.name, compiler), *flags]
        start = time.perf_counter()
        library = _compile(command, self.source, loader(unit, program))
        self.seconds = time.perf_counter() - start
        self.errors: list[BaseException] = []
        self._kept = [_connect(library, k, f, self.errors) for k, f in enumerate(unit.callbacks)]
        pointers = [ctypes.c_void_p] * len(program.outputs)
        self.raw = getattr(library, unit.name)
        self.raw.argtypes, self.raw.restype = [*[ctypes.c_void_p] * len(program.groups), *pointers], None
        self.batch = library.freebody_batch
        inputs = [ctypes.c_void_p, ctypes.c_ssize_t] * len(program.groups)
        self.batch.argtypes, self.batch.restype = [ctypes.c_ssize_t, *inputs, *pointers], None

    def run(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """One state."""
        self.raw(*(a.ctypes.data for a in (*inputs, *outputs)))
        self._raise()

    def run_batch(self, n: int, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """n states, one after the other; the interpreter's lock is released meanwhile."""
        rows = [x for a in inputs for x in (a.ctypes.data, a.shape[1] if a.ndim == 2 else 0)]
        self.batch(n, *rows, *(o.ctypes.data for o in outputs))
        self._raise()

    def _raise(self) -> None:
        """An exception from a user's function is raised where the user called us."""
        if self.errors:
            error, self.errors[:] = self.errors[0], []
            raise error


def find_compiler(who: str, compiler: str | None = None) -> list[str]:
    """The compiler asked for, or $CC, cc, gcc, clang, whichever is there; as a command."""
    wishes = [compiler] if compiler else [os.environ.get("CC", ""), *COMPILERS]
    for wish in filter(None, wishes):
        command = shlex.split(wish)
        if shutil.which(command[0]):
            return command
    looked = compiler or "$CC, " + ", ".join(COMPILERS)
    raise BackendError(
        f"{who}: no C compiler was found (looked for {looked}). Install one, name it by the environment variable CC or"
        " by compiler=…, or use the backend 'llvm', which needs none."
    )


def loader(unit: Unit, program: Program) -> str:
    """What Python needs beside the program: a loop over states, and a place for the address of each user function."""
    texts = []
    for k, (function, name) in enumerate(unit.callbacks.items()):
        x = [f"x{j}" for j in range(function.arity)]
        arguments = [f"double {a}" for a in x]
        pointer = f"double (*freebody_callback_{k})({', '.join(arguments)});\n"
        texts += [pointer, define(prototype(name, arguments, "double"), [f"return freebody_callback_{k}({', '.join(x)});"])]
    inputs = [f"const double *g{k}, ptrdiff_t s{k}" for k in range(len(program.groups))]
    outputs = [f"double *o{k}" for k in range(len(program.outputs))]
    passed = [f"g{k} + i*s{k}" for k in range(len(program.groups))]
    passed += [f"o{k} + i*{o.size}" for k, o in enumerate(program.outputs)]
    loop = ["for (ptrdiff_t i = 0; i < n; ++i)", f"    {unit.name}({', '.join(passed)});"]
    batch = define(prototype("freebody_batch", ["ptrdiff_t n", *inputs, *outputs]), loop)
    return "\n".join(["\n#include <stddef.h>\n", *texts, batch])


def _compile(command: Sequence[str], source: Source, more: str) -> ctypes.CDLL:
    """The loaded library; its files are not needed any more."""
    with tempfile.TemporaryDirectory(prefix="freebody-", ignore_cleanup_errors=True) as folder:
        _, path = source.write(folder)
        with path.open("a", encoding="utf-8") as file:
            file.write(more)
        library = Path(folder, "library.so")
        done = subprocess.run(
            [*command, "-shared", "-fPIC", "-o", str(library), str(path), "-lm"], capture_output=True, text=True
        )  # fmt: skip
        if done.returncode:
            raise BackendError(f"{source.name}: {' '.join(command)} failed:\n{done.stderr[-2000:]}")
        return ctypes.CDLL(str(library))


def _connect(library: ctypes.CDLL, k: int, function: Callback, errors: list[BaseException]) -> Any:
    """Let the library call a user's function; what it raises is kept, and NaN stands in for its value."""

    def call(*x: float) -> float:
        try:
            return float(function.function(*x))
        except BaseException as error:
            errors.append(error)
            return float("nan")

    pointer = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * function.arity)(call)
    place = ctypes.c_void_p.in_dll(library, f"freebody_callback_{k}")
    place.value = ctypes.cast(pointer, ctypes.c_void_p).value
    return pointer
