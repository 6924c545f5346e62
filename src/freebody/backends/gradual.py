"""Programs that are called now and then: by NumPy at first, by machine code once they have been called often."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from freebody.backends import compile
from freebody.program.program import Program

Array = NDArray[np.float64]
OFTEN = 400
"""So many calls by NumPy take about as long as compiling the program."""


class GradualFunction:
    """A program of one output as a function of rows, without the checks of a call. Calls for one state are by machine
    code from the call number ``OFTEN`` on; others are by NumPy, which is fast enough for batches, and counted as
    ``batches``."""

    def __init__(self, program: Program) -> None:
        self.program, self.batches, self._calls = program, 0, 0
        self._batches = self._single = compile(program, "numpy", staged=False).main

    def __call__(self, rows: Mapping[str, Array], n: int) -> Array:
        """The output at n states, (n, size). Groups are one row for all states or n rows, and zero where they are left
        out."""
        out = np.empty((n, self.program.outputs[0].size))
        groups = [rows[g.name] if g.name in rows else np.zeros(g.size) for g in self.program.groups]
        if n != 1:
            self.batches += 1
            self._batches.run_batch(n, groups, [out])
            return out
        self._calls += 1
        if self._calls >= OFTEN and self._single is self._batches:
            self._single = compile(self.program, "llvm", staged=False).main
        self._single.run([np.ascontiguousarray(a[0] if a.ndim == 2 else a) for a in groups], [out[0]])
        return out
