"""Values of recorded variables and of texts at a state, by compiled programs of these alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends.llvm.cpython import address
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.record import view
from freebody.program.program import Program

Array = NDArray[np.float64]
Read = Callable[[], Any]


def reader(compiled: CompiledSystem, program: Program, t: Array, x: Array, shape: tuple[int, ...]) -> Read:
    """A function without arguments that returns the program's row at the time and the state that are in these arrays
    then, and at the present d: a number for the shape (), else a new array. One thread at a time may call it."""
    f = compiled.function(program)
    out = np.empty(program.outputs[0].size)
    known = {"parameters": compiled.p, **f.parameters, "hoisted": f.hoisted, "t": t, "x": x, "inputs": compiled.d}
    arrays = [known[g.name] for g in f.staged.main.groups]
    raw, pointers = f.main.raw, (*map(address, arrays), address(out))  # type: ignore[attr-defined]
    first = view(out)

    def number() -> float:
        raw(*pointers)
        return float(first[0])

    def row() -> Array:
        raw(*pointers)
        return out.copy()

    read: Read = number if shape == () else row
    read.alive = f, arrays  # type: ignore[attr-defined]
    return read


def rows_reader(compiled: CompiledSystem, program: Program, t: Array, x: Array, d: Array, p: Array) -> Read:
    """The same for rows of states x and of d, and for parameters p, one row for all or a row for each: a function that
    returns a new array, a row for each state."""
    f, count = compiled.free(program, "llvm"), len(x)
    known = {"parameters": p, "t": t, "x": x, "inputs": compiled.part(program, d)}
    known["hoisted"] = f.setup_values(known, count)
    arrays, out = [known[g.name] for g in f.staged.main.groups], np.empty((count, program.outputs[0].size))
    run = f.main.prepared(count, arrays, [out])  # type: ignore[attr-defined]

    def rows() -> Array:
        run()
        return out.copy()

    read: Read = rows
    read.alive = f, arrays  # type: ignore[attr-defined]
    return read
