"""The memory that Python and a compiled integrator share: named fields, and rows padded to whole vectors."""

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends.llvm.build import Build, Value
from freebody.backends.llvm.cpython import address
from freebody.backends.llvm.ir import real

Array = NDArray[np.float64]
ALIGN = 64  # bytes: the widest vector

ROWS = {
    name: k
    for k, name in enumerate([
        "x", "y", "trial", "atol", "rtol", "out", "before", "corrected", "near", "near_rel",
        *(f"k{i}" for i in range(12)), "end", *(f"extra{i}" for i in range(3)), *(f"r{i}" for i in range(8)), "rate",
        "probe",
    ])
}  # fmt: skip
"""Rows of the work memory: the state, the new state, a stage's state, tolerances, an interpolated state; a state before
its projection to the constraints, its last correction, and how small that must be (``manifold.near``); stages, f at the
step's end, additional stages; the coefficients of the interpolation; f at a saved time; a
direction (``emit_stiffness``)."""


STAGE_COUNTS = ("first_speed", "constrained", "full", "full_stride", "jacobians", "factorisations")
STAGE_POINTERS = (
    "solution", "solution_context", "entries", "entries_context", "factor", "solve",
    "backward", "solution_values", "entry_values", "settings", "factor_values", "full_matrix", "full_row",
    "full_values",
)  # fmt: skip
"""Fields of the linear system of stages (``emit_rosenbrock``): the index of the first speed in x, whether there are
multipliers, the unknowns of the full matrix (0 if there is none) and the length of its rows, and how often entries and
factors were computed; the functions, and the memory of what they return."""

STEP_REALS = ("unconverged", "mismatch", "slope_left", "slope_right", "flag_of_search")
STEP_COUNTS = ("contact_rows", "contact_bounds", "contact_speeds")
STEP_POINTERS = (
    "free", "free_context", "iterate", "law", "finish", "contact_values", "contact_now", "contact_next",
    "contact_trial", "contact_before", "contact_law",
)  # fmt: skip
"""Fields of implicit steps with contact (``emit_contact``): how many steps have not converged, and the largest
difference of their impulses, as a fraction of the largest; the slopes of a line search, and where it is wanted; the
numbers of a system; the programs, and the memory of what they return."""


class Status(IntEnum):
    """Why a call returned: the end is reached; the allowed steps are used up; an event stopped it; the log of events is
    full; the step would be smaller than the resolution of time; f or the state is not finite; the steps are so short
    that the end is out of reach; the state cannot return to its constraints; the condition of an event is not a
    number; a user's function has to be called, or has raised an exception; a sample has carried the condition of an
    event to zero or across it; the method is to change (``emit_stiffness``)."""

    DONE = 0
    BUDGET = 1
    EVENT = 2
    LOG_FULL = 3
    UNDERFLOW = 4
    NOT_FINITE = 5
    STALLED = 6
    OFF_MANIFOLD = 7
    UNDEFINED = 8
    CALLS = 9
    RAISED = 10
    CARRIED = 11
    CHANGE = 12


def aligned(size: int) -> Array:
    """Zeros that begin on the boundary of a vector."""
    raw = np.zeros(size + ALIGN // 8)
    start = (-address(raw) % ALIGN) // 8
    return raw[start : start + size]


def view(array: "NDArray[np.generic]") -> Any:
    """The memory of an array, whose numbers Python reads and writes quicker there."""
    return memoryview(array)  # type: ignore[arg-type]


class RecordLayout:
    """The fields of a record by kind, RecordLayout(8, real=[…], integer=[…]). A ``real`` field holds a number for each
    lane; ``number``, ``integer`` and ``pointer`` fields one word of 8 bytes. Reals come first, for alignment;
    ``offsets`` are in words."""

    def __init__(self, lanes: int, **fields: Iterable[str]) -> None:
        types = {"real": real(lanes), "number": "double", "integer": "i64", "pointer": "ptr"}
        self.lanes = lanes
        self.kinds = {name: kind for kind in types for name in fields.get(kind, ())}
        self.types = {name: types[kind] for name, kind in self.kinds.items()}
        *starts, self.words = np.cumsum([0, *(lanes if k == "real" else 1 for k in self.kinds.values())]).tolist()
        self.offsets: dict[str, int] = dict(zip(self.kinds, starts, strict=True))


class Record:
    """A record in memory, as Python reads and writes it."""

    def __init__(self, layout: RecordLayout) -> None:
        self.layout = layout
        self.numbers = aligned(layout.words)
        self.words = self.numbers.view(np.int64)
        self.address = address(self.numbers)

    def lanes(self, name: str) -> Array:
        """A view of a field of reals."""
        start = self.layout.offsets[name]
        return self.numbers[start : start + self.layout.lanes]

    def integers(self, name: str) -> NDArray[np.int64]:
        """A view of an integer field, an array of one number."""
        k = self.layout.offsets[name]
        return self.words[k : k + 1]

    def __getitem__(self, name: str) -> float:
        k = self.layout.offsets[name]
        return float(self.numbers[k] if self.layout.types[name] == "double" else self.words[k])

    def whole(self, name: str) -> int:
        return int(self.words[self.layout.offsets[name]])

    def __setitem__(self, name: str, value: "float | NDArray[np.generic]") -> None:
        """Set a number, or for a pointer the array it points to; the caller keeps that array alive."""
        k, kind = self.layout.offsets[name], self.layout.kinds[name]
        if isinstance(value, np.ndarray):
            self.words[k] = address(value)
        elif kind == "real":
            self.lanes(name)[:] = value
        else:
            (self.numbers if kind == "number" else self.words)[k] = value


class RecordFields:
    """A record in memory, as emitted code reads and writes it."""

    def __init__(self, b: Build, layout: RecordLayout, pointer: Value) -> None:
        self.b, self.layout, self.pointer = b, layout, pointer

    def address(self, name: str) -> Value:
        return self.pointer.at(self.layout.offsets[name])

    def __getitem__(self, name: str) -> Value:
        return self.address(name).load(0, self.layout.types[name])

    def __setitem__(self, name: str, value: "Value | float | int") -> None:
        self.address(name).store(self.b.value(value, self.layout.types[name]))

    def row(self, name: str) -> Value:
        """The address of a row of the work memory."""
        return self["work"].at(self["stride"] * ROWS[name])
