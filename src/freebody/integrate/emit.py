"""The integrators as machine code: one module for all models, whose size is told at run time."""

from functools import cache

from freebody.backends.llvm import jit
from freebody.backends.llvm.build import Build, module
from freebody.integrate import emit_drive, emit_events, emit_lanes, emit_rows, emit_steps
from freebody.integrate.emit_rows import Space
from freebody.integrate.tableaus import TABLEAUS

ORDERS = (
    ("parameters", "t", "x", "inputs"),
    ("parameters", "hoisted", "t", "x", "inputs"),
    ("hoisted", "parameters", "t", "x", "inputs"),
)
"""In which order compiled programs take their groups; what is hoisted comes behind the parameters there are."""

HELD = ("run", "parameters", "hoisted", "inputs")
"""What a context points to."""


def adapter(order: tuple[str, ...]) -> Build:
    """@field.ORDER(context, t, x, out): the program with all held but time and state."""
    given = dict.fromkeys(("context", "t", "x", "out"), "ptr")
    b = Build(adapter_name(order), "void", given, export=True)
    held = {name: b["context"].load(k, "ptr") for k, name in enumerate(HELD)}
    known = {**held, "t": b["t"], "x": b["x"]}
    b.call(held["run"], "void", *(known[name] for name in order), b["out"])
    return b


def adapter_name(order: tuple[str, ...]) -> str:
    return f"field.{'.'.join(order)}"


SHARED = (emit_rows.project, emit_rows.interpolate, emit_steps.first_step)
ONE = (
    emit_events.state_at, emit_events.signs, emit_events.notice, emit_events.passed, emit_events.probe,
    emit_events.locate, emit_events.meet, emit_events.log, emit_events.search, emit_drive.keep, emit_drive.begin,
    emit_drive.save_start, emit_drive.save, emit_drive.drive,
)  # fmt: skip
LANES = (emit_lanes.load, emit_lanes.begin, emit_lanes.save, emit_lanes.settle, emit_lanes.drive)


def text(width: int, lanes: bool) -> str:
    """The module for one state in vectors of this width, or for as many lanes."""
    space = Space(emit_lanes.layout(width) if lanes else emit_drive.ONE, width)
    steps = [make(space, t) for t in TABLEAUS.values() for make in (emit_steps.attempt, emit_steps.prepare)]
    shared = [make(space) for make in (*SHARED, *(LANES if lanes else ONE))]
    entries = [emit_drive.entry(space, t) for t in TABLEAUS.values()]
    return module([*map(adapter, ORDERS), *steps, *shared, *entries])


def width() -> int:
    """Numbers in a vector of one state: at most 4. Wider ones wait longer for what f has stored number by number."""
    return min(jit.features().width, 4)


@cache
def library(lanes: int = 0) -> jit.Library:
    """The compiled module for one state, or for so many lanes; from the cache of objects where it was made before."""
    return jit.load(text(lanes or width(), lanes > 0), level=2, passes=True)
