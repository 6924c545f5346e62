"""Small least-squares problems with equality constraints and bounds, solved by machine code."""

import ctypes
import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.backends import Bound
from freebody.backends.llvm import jit
from freebody.backends.llvm.build import module
from freebody.backends.llvm.cpython import address
from freebody.errors import ArgumentError
from freebody.integrate import emit_least_squares as emitted
from freebody.integrate import least_squares_record
from freebody.integrate.least_squares_record import LAYOUT
from freebody.integrate.record import Record, aligned
from freebody.once import once

Array = NDArray[np.float64]
VECTOR = 4
"""Numbers in a vector, to whose multiples rows are padded."""

POLISHED = 1e-9
"""With a smaller tolerance one more step follows where residuals are within it, which leaves rounding."""

FREE, HELD = 0, 2
"""Marks of columns in ``start_status``: those that may change, and those that stay."""


@once
def library() -> jit.Library:
    """The compiled solver, one for all problems; from the cache of object files if possible."""
    return jit.load(_text, level=2, passes=True, key=_key())


def _text() -> str:
    return module([*emitted.applications(), *(part(VECTOR) for part in emitted.PARTS)])


def _key() -> str:
    """What determines the text; empty where sources cannot be read."""
    files = [emitted.__file__, least_squares_record.__file__, *map(str, sorted(Path(jit.__file__).parent.glob("*.py")))]
    try:
        sources = [Path(file).read_bytes() for file in files]
    except OSError:
        return ""
    return "least squares " + hashlib.blake2b(b"\0".join(sources), digest_size=20).hexdigest()


@once
def _solve() -> Callable[[int], int]:
    """The solver as a function of the address of a record."""
    return ctypes.CFUNCTYPE(ctypes.c_longlong, ctypes.c_void_p)(library().address("solve"))


def row_length(n: int) -> int:
    """Numbers in a row of J and G for n columns."""
    return -(-n // VECTOR) * VECTOR


class CompiledCall:
    """A bound program whose groups and single output are arrays that stay where they are. ``table`` has the addresses
    of its code and of these arrays, ``apply`` is machine code that calls it with them."""

    def __init__(self, function: Bound, arrays: Mapping[str, Array]) -> None:
        self.function, self.program = function, function.program
        if len(self.program.outputs) != 1:
            raise ArgumentError(f"{self.program.name} has {len(self.program.outputs)} outputs; one is required")
        known = {**arrays, **function.parameters, "hoisted": function.hoisted}
        groups = function.staged.main.groups
        names = [*(g.name for g in groups), self.program.outputs[0].key]
        sizes = [*(g.size for g in groups), self.program.outputs[0].size]
        self.arrays = [known[name] for name in names]
        for name, size, array in zip(names, sizes, self.arrays, strict=True):
            if array.size < size or not array.flags.c_contiguous:
                raise ArgumentError(f"{self.program.name}: '{name}' needs {size} numbers in C order, not {array.size}")
        addresses = [function.main.address(), *map(address, self.arrays)]
        self.table = np.array(addresses, np.int64)
        self.apply = library().address(f"apply.{len(self.arrays)}")
        self._call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.apply)

    def __call__(self) -> None:
        """Compute the output from what is in the arrays."""
        self._call(address(self.table))
        self.reraise()

    def reraise(self) -> None:
        """Raise what a user's function raised when compiled code called it."""
        self.function.main.callback_errors.reraise()


class ValueParts(NamedTuple):
    """Where J, G, r and φ are among the values of a problem with so many residuals, constraints and columns."""

    residuals: int
    constraints: int
    columns: int

    def of(self, values: Array) -> tuple[Array, Array, Array, Array]:
        """Views of the parts."""
        r, m, n = self
        ln = row_length(n)
        J, G, e = r * ln, (r + m) * ln, (r + m) * ln + r
        return values[:J].reshape(r, ln)[:, :n], values[J:G].reshape(m, ln)[:, :n], values[G:e], values[e:]


class LeastSquares:
    """The smallest ½ Σ w r(q)² + ½ Σ v (q − p)² with φ(q) = 0 and low ≤ q ≤ high, near a guess.

    ``sizes``: numbers of coordinates q, speeds u, residuals r and constraints φ. ``columns`` are the indices in u of
    those speeds δ along which q may change; ``index`` is for each of them the coordinate whose rate it is, or −1;
    ``angular`` is 1 where it is that of an angle. A program ``evaluate`` writes J, G (rows of ``row_length`` numbers),
    r and φ at the array ``trial`` to the array ``values``; ``move`` writes q ⊕ δ to trial for the arrays ``q`` and
    ``delta``: both are set by ``connect``. The arrays ``weight`` (w), ``low``, ``high``, ``start_status`` (FREE or
    HELD), ``pull`` (v), ``centre`` (p) and ``q`` (the guess, then the result) may be changed between calls.
    """

    def __init__(
        self,
        sizes: tuple[int, int, int, int],
        columns: Sequence[int],
        index: Sequence[int],
        angular: Sequence[float],
    ) -> None:
        nq, nu, r, m = sizes
        n = self.n = len(columns)
        self.r, self.m, self.ln, lk = r, m, row_length(n), row_length(n + m)
        record = self.record = Record(LAYOUT)
        for name, value in (("n", n), ("ln", self.ln), ("r", r), ("m", m), ("nq", nq), ("nu", nu), ("lk", lk)):
            record[name] = value
        lengths = {
            "q": nq, "trial": nq, "delta": nu, "values": (r + m) * self.ln + r + m, "H": n * self.ln, "g": self.ln,
            "G": m * self.ln, "phi": m, "K": (n + m) * lk, "x": lk, "step": n, "y": m, "low": n, "high": n,
            "weight": r, "pull": n, "centre": n, "angular": n,
        }  # fmt: skip
        self.arrays: dict[str, Array] = {name: aligned(max(size, 1))[:size] for name, size in lengths.items()}
        self._whole = {
            "status": np.zeros(max(n, 1), np.int64),
            "flip": np.zeros(max(n, 1), np.int64),
            "start": np.zeros(max(n, 1), np.int64),
            "columns": np.array([*columns, 0], np.int64),
            "index": np.array([*index, 0], np.int64),
        }
        for name, array in (*self.arrays.items(), *self._whole.items()):
            record[name] = array
        a = self.arrays
        a["angular"][:] = angular
        a["weight"][:] = 1.0
        a["low"][:], a["high"][:] = -np.inf, np.inf
        self.q, self.trial, self.delta, self.values = a["q"], a["trial"], a["delta"], a["values"]
        self.weight, self.low, self.high = a["weight"], a["low"], a["high"]
        self.pull, self.centre = a["pull"], a["centre"]
        self.status = self._whole["status"]
        self.start_status = self._whole["start"]
        self.index = self._whole["index"][:n]
        self.parts = ValueParts(r, m, n)
        self.J, self.G, self.residual, self.phi = self.parts.of(self.values)
        self._functions: list[CompiledCall] = []
        self._reraise: list[Callable[[], None]] = []
        self._solve_options: tuple[float, ...] = ()
        self._address = record.address
        self._solve = _solve()

    def connect(self, evaluate: Bound, move: Bound, constants: Mapping[str, ArrayLike]) -> None:
        """Take these programs; ``constants`` are the arrays of their other groups, which are read where they are."""
        fixed = {name: np.asarray(array, float) for name, array in constants.items()}
        calls = [
            CompiledCall(evaluate, {**fixed, "q": self.trial, "values": self.values}),
            CompiledCall(move, {**fixed, "q": self.q, "delta": self.delta, "moved": self.trial}),
        ]
        for name, call in zip(("evaluate", "move"), calls, strict=True):
            self.record[f"{name}_table"] = call.table
            self.record.words[LAYOUT.offsets[name]] = call.apply
        self._functions, self._reraise = calls, [call.reraise for call in calls]

    def evaluate(self, q: ArrayLike) -> None:
        """J, G, r and φ at q."""
        self.trial[:] = q
        self._functions[0]()

    def move(self, q: Array, delta: Array) -> Array:
        """q ⊕ δ for a change δ of each column."""
        self.q[:] = q
        self.delta[self._whole["columns"][: self.n]] = delta
        self._functions[1]()
        return self.trial.copy()

    def solve(
        self,
        tolerance: float,
        closed: float,
        steps: int,
        *,
        shortest: float = 1e-14,
        longest: float = 1.0,
        damping: float = 1e-2,
        settle: bool = False,
    ) -> int:
        """Steps from the guess in ``q``, whose result replaces it; why they ended (``emit_least_squares``). ``longest``
        is the largest change of an angle in a step, ``damping`` the first μ."""
        options = (tolerance, closed, steps, shortest, longest, damping, settle)
        if options != self._solve_options:
            values = {
                "tolerance": tolerance,
                "closed": closed,
                "shortest": shortest,
                "longest": longest,
                "first": damping,
            }
            values |= {"steps": steps, "settle": settle, "polish": tolerance < POLISHED}
            for name, value in values.items():
                self.record[name] = value
            self._solve_options = options
        reason = self._solve(self._address)
        for reraise in self._reraise:
            reraise()
        return reason

    @property
    def iterations(self) -> int:
        return self.record.whole("iterations")

    @property
    def worst(self) -> float:
        """The largest residual of weight at q."""
        return self.record["worst"]

    @property
    def far(self) -> float:
        """The largest residual of a constraint at q."""
        return self.record["far"]
