"""The compiled integrators, one library for all models, and the compiled functions that they call."""

import ctypes
import hashlib
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.backends import Bound, Function
from freebody.backends.llvm import jit
from freebody.backends.llvm.build import Build, module
from freebody.backends.llvm.cpython import address
from freebody.errors import ArgumentError
from freebody.integrate import (
    emit_contact,
    emit_drive,
    emit_esdirk,
    emit_events,
    emit_lanes,
    emit_rosenbrock,
    emit_step,
    emit_stiffness,
)
from freebody.integrate.contact_method import COMPILED, CONTACT
from freebody.integrate.esdirk import ESDIRK54
from freebody.integrate.record import Record, aligned
from freebody.integrate.rosenbrock import RODAS5P
from freebody.integrate.tableaus import TABLEAUS
from freebody.once import once

Array = NDArray[np.float64]
CALL = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)
ORDERS = (
    ("parameters", "t", "x", "inputs"),
    ("parameters", "hoisted", "t", "x", "inputs"),
    ("hoisted", "parameters", "t", "x", "inputs"),
)
"""The orders in which compiled programs take their groups; hoisted values follow the parameters, if there are any."""

STAGE_ORDERS = tuple((*order, "solution") for order in ORDERS)
"""Those of programs that take u̇ and multipliers too."""

HELD = ("run", "parameters", "hoisted", "inputs")
"""What a context points to."""

SHARED = (
    emit_step.normalise, emit_step.project, emit_step.interpolate, emit_step.defect, emit_step.first_step,
    emit_stiffness.spectral_radius, emit_stiffness.watch_stiffness,
)  # fmt: skip
ONE = (
    emit_events.state_at, emit_events.signs, emit_events.remember, emit_events.notice, emit_events.passed,
    emit_events.probe, emit_events.locate, emit_events.leave, emit_events.meet, emit_events.log, emit_events.search,
    emit_drive.keep, emit_drive.begin, emit_drive.save_start, emit_drive.save, emit_drive.drive,
)  # fmt: skip
LANES = (emit_lanes.load, emit_lanes.begin, emit_lanes.save, emit_lanes.settle, emit_lanes.drive)


def text(vector: int, lanes: bool) -> str:
    """The IR for one state in vectors of this width, or for as many lanes."""
    space = emit_step.Space(emit_lanes.layout(vector) if lanes else emit_drive.ONE, vector, width())
    steps = [emit(space, t) for t in TABLEAUS.values() for emit in (emit_step.attempt, emit_step.prepare)]
    steps += [emit_rosenbrock.factor_full(space), emit_rosenbrock.solve_full(space)]
    steps += [emit(space, RODAS5P) for emit in (emit_rosenbrock.attempt, emit_rosenbrock.prepare)]
    if not lanes:
        newton = emit_esdirk.stage, emit_esdirk.attempt, emit_step.prepare
        steps += [emit(space, ESDIRK54) for emit in newton]
    steps += [emit_contact.solve(space), emit_contact.search(space)]
    steps += [emit(space, CONTACT) for emit in (emit_contact.attempt, emit_contact.prepare)]
    shared = [emit(space) for emit in (*SHARED, *(LANES if lanes else ONE))]
    methods = [method for method in COMPILED.values() if not lanes or method is not ESDIRK54]
    entries = [emit_drive.entry(space, method) for method in methods]
    return module([*map(_adapter, (*ORDERS, *STAGE_ORDERS)), *steps, *shared, *entries])


def _adapter(order: tuple[str, ...]) -> Build:
    """@field.ORDER(context, t, x, out): the program with all arguments held but time and state, and in
    ``STAGE_ORDERS`` (context, t, x, solution, out)."""
    varied = ("t", "x", *(name for name in order if name == "solution"))
    b = Build(_adapter_name(order), "void", dict.fromkeys(("context", *varied, "out"), "ptr"), export=True)
    held = {name: b["context"].load(k, "ptr") for k, name in enumerate(HELD)}
    known = held | {name: b[name] for name in varied}
    b.call(held["run"], "void", *(known[name] for name in order), b["out"])
    return b


def _adapter_name(order: tuple[str, ...]) -> str:
    return f"field.{'.'.join(order)}"


def width() -> int:
    """Numbers in a vector of one state: at most 4. Wider ones wait longer for what f has stored number by number."""
    return min(jit.features().width, 4)


@once
def library(lanes: int = 0) -> jit.Library:
    """The compiled integrators for one state, or for so many lanes; from the cache of object files if possible."""
    return jit.load(partial(text, lanes or width(), lanes > 0), level=2, passes=True, key=_key(lanes))


def _key(lanes: int) -> str:
    """What determines the text: the sources of the modules that write it. Writing it takes longer than all else that
    the first run of a process does. Empty where the sources cannot be read."""
    folders = Path(__file__).parent, Path(jit.__file__).parent
    try:
        sources = [path.read_bytes() for folder in folders for path in sorted(folder.glob("*.py"))]
    except OSError:
        return ""
    digest = hashlib.blake2b(b"\0".join(sources), digest_size=20).hexdigest() if sources else ""
    return digest and f"integrators {digest} {lanes or width()} {lanes > 0}"


def adapter_of(function: Function, lanes: int = 0) -> int:
    """The address of the machine code void (context, t, x, out) that calls a function of parameters, t, x, inputs."""
    order = tuple(g.name for g in function.staged.main.groups)
    if order not in (*ORDERS, *STAGE_ORDERS):
        groups = ", ".join(g.name for g in function.program.groups)
        raise ArgumentError(
            f"{function.program.name} takes the groups {groups}; what is integrated takes parameters, t, x, inputs"
        )
    return _adapter_address(order, lanes)


@once
def _adapter_address(order: tuple[str, ...], lanes: int) -> int:
    return library(lanes).address(_adapter_name(order))


class StateFunction:
    """f(t, x) of a bound program with the groups parameters, t, x, inputs and one output: a derivative ẋ, the functions
    g whose zeros are events, or the state corrected towards constraints. ``address`` is machine code void (context, t,
    x, out); ``context`` is valid as long as this object.

    ``inputs`` that are an array of float64 are not copied; they may be changed in place between two calls of an
    integrator, which must then restart.
    """

    def __init__(self, function: Bound, inputs: ArrayLike = ()) -> None:
        self.function, self.name, program = function, function.program.name, function.program
        if not isinstance(function, Bound):
            raise ArgumentError(f"{self.name}: bind its parameters first, f.bind(values)")
        run = function.main.address()
        self.address = adapter_of(function)
        sizes = {g.name: g.size for g in program.groups}
        if len(program.outputs) != 1:
            raise ArgumentError(f"{self.name} has {len(program.outputs)} outputs; one is required")
        self.size, self.results = sizes["x"], program.outputs[0].size
        self.inputs: Array = np.ascontiguousarray(inputs, dtype=np.float64).reshape(-1)
        if len(self.inputs) != sizes["inputs"]:
            raise ArgumentError(f"{self.name}: {sizes['inputs']} inputs are expected, not {len(self.inputs)}")
        self._held = {"hoisted": function.hoisted, "inputs": self.inputs, **function.parameters}
        addresses = {"run": run, **{name: address(array) for name, array in self._held.items()}}
        self._context = (ctypes.c_void_p * len(HELD))(*(addresses.get(name) for name in HELD))
        self.context = ctypes.addressof(self._context)

    @cached_property
    def _call(self) -> Callable[..., None]:
        return CALL(self.address)

    def __call__(self, t: float, x: ArrayLike) -> Array:
        """The value at (t, x), by the code that the integrator calls."""
        time, state, out = np.array([t], float), np.array(x, float).reshape(-1), np.empty(self.results)
        if len(state) != self.size:
            raise ArgumentError(f"{self.name}: x has {self.size} numbers, not {len(state)}")
        self._call(self.context, time.ctypes.data, state.ctypes.data, out.ctypes.data)
        self.reraise()
        return out

    @property
    def calls_users(self) -> bool:
        """Whether it calls functions of users."""
        return any(block.calls for block in self.function.program.blocks)

    def reraise(self) -> None:
        """Raise what a user's function raised when compiled code called it."""
        self.function.main.callback_errors.reraise()


class StageCode(NamedTuple):
    """The functions of the linear system of stages (``hybrid.system.StageSystem``) that depend on numbers of others
    alone, and the index of the first speed in x."""

    factor: Function
    solve: Function
    backward: Function | None
    first_speed: int

    def sizes(self, solution: int) -> dict[str, int]:
        """The numbers in the memory that the functions share, by its field in the record; ``solution`` is how many u̇
        and multipliers there are."""
        sizes = {g.name: g.size for g in self.solve.program.groups}
        values = {"entry_values": sizes["entries"], "settings": sizes["settings"], "factor_values": sizes["factor"]}
        full, stride = self.full, self.stride
        more = {
            "full_matrix": (full + 1) * stride,
            "full_row": stride,
            "full_values": self.solve.program.outputs[0].size + stride,
        }
        return values | {"solution_values": solution} | (more if full else {})

    @property
    def full(self) -> int:
        """The unknowns of the full matrix; 0 if there is none."""
        return 0 if self.backward is None else self.factor.program.outputs[1].shape[0] - 1

    @property
    def stride(self) -> int:
        """The length of its rows."""
        return 0 if self.backward is None else self.factor.program.outputs[1].shape[1]

    def set(self, record: Record, solution: int, lanes: int) -> dict[str, Array]:
        """Let a record point to the functions, for one state (0) or lanes, and to memory, which is returned."""
        for name, f in (("factor", self.factor), ("solve", self.solve), ("backward", self.backward)):
            if f is not None:
                record[name] = f.main.wide(frozenset()) if lanes else f.main.address()
        record["first_speed"], record["constrained"] = self.first_speed, solution > 0
        record["full"], record["full_stride"] = self.full, self.stride
        memory = {name: aligned(max(size, 1) * max(lanes, 1)) for name, size in self.sizes(solution).items()}
        for name, array in memory.items():
            record[name] = array
        return memory


class StageFunctions(NamedTuple):
    """The functions of the linear system of stages for one state: of t and x, and the others."""

    solution: StateFunction | None
    entries: StateFunction
    code: StageCode

    @property
    def functions(self) -> dict[str, StateFunction]:
        """Those of t and x, by their names in the record."""
        solution = {} if self.solution is None else {"solution": self.solution}
        return {**solution, "entries": self.entries}

    def set(self, record: Record) -> dict[str, Array]:
        """Let a record point to the others and to their memory, which is returned."""
        return self.code.set(record, 0 if self.solution is None else self.solution.results, 0)


class StepCode(NamedTuple):
    """The functions of implicit steps with contact (``hybrid.system.StepSystem``) that depend on numbers of others
    alone, and the numbers of rows and of bounds."""

    iterate: Function
    law: Function
    end: Function
    rows: int
    bounds: int

    def set(self, record: Record, lanes: int) -> dict[str, Array]:
        """As that of ``StageCode``."""
        for name, f in (("iterate", self.iterate), ("law", self.law), ("finish", self.end)):
            record[name] = f.main.wide(frozenset()) if lanes else f.main.address()
        groups = {g.name: g.size for g in self.end.program.groups}
        m, n, u = self.rows, self.bounds, groups["delta"]
        record["contact_rows"], record["contact_bounds"], record["contact_speeds"] = m, n, u
        sizes = {
            "settings": 1,
            "contact_values": m + n + groups["kept"],
            "contact_now": 3 * m + n + u,
            "contact_next": 3 * m + n + u,
            "contact_trial": m,
            "contact_before": m,
            "contact_law": m + n,
        }
        memory = {name: aligned(max(size, 1) * max(lanes, 1)) for name, size in sizes.items()}
        for name, array in memory.items():
            record[name] = array
        return memory


class StepFunctions(NamedTuple):
    """The functions of implicit steps with contact for one state: of t and x, and the others."""

    free: StateFunction
    code: StepCode

    @property
    def functions(self) -> dict[str, StateFunction]:
        """Those of t and x, by their names in the record."""
        return {"free": self.free}

    def set(self, record: Record) -> dict[str, Array]:
        """As that of ``StageFunctions``."""
        return self.code.set(record, 0)
