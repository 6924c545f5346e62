"""Emitted loop over the steps of one state: start, attempt, accept or reject, saved times, reasons to return."""

from math import log2

from freebody.backends.llvm.build import Build, Value
from freebody.integrate import emit_stiffness
from freebody.integrate.contact_method import Method
from freebody.integrate.emit_events import NEVER, PARTS, time_at
from freebody.integrate.emit_step import (
    CONTRADICTS,
    MEMORY,
    SHORTER,
    Space,
    StateRows,
    evaluate,
    is_judged,
    min_step,
    next_sizes,
    project_row,
    repeats,
    stalled,
    stays_stagewise,
)
from freebody.integrate.record import (
    STAGE_COUNTS,
    STAGE_POINTERS,
    STEP_COUNTS,
    STEP_POINTERS,
    STEP_REALS,
    RecordFields,
    RecordLayout,
    Status,
)

ONE = RecordLayout(
    1,
    real=(
        "t", "t1", "size", "h", "next", "memory", "stage_time", "pace_t", "pace_steps", "pace_left", "pace",
        "projections", "off", "stagewise", "across", "accepted", "contraction", *emit_stiffness.MEMORY, *STEP_REALS,
    ),
    number=(
        "t_end", "direction", "begun", "base", "step", "first", "max_step", "min_step", "low", "high", "left", "right",
        "inverse_n", "inverse_order", "exponent", "beta", "safety", "largest", "smallest", "far",
        "far_stagewise", "relax", "predicts", *emit_stiffness.NUMBERS,
    ),
    integer=(
        "n", "stride", "vectors", "terms", "quaternion_count", "fresh", "last", "again", "ticks", "budget", "steps",
        "rejected", "evaluations", "time_count", "count", "event_count", "log_capacity", "log_count", "fired",
        "undefined", "knot_room", "knot_count", "has_inner", "watching", *STAGE_COUNTS, *STEP_COUNTS,
    ),
    pointer=(
        "work", "field", "context", "quaternions", "times", "saved", "watch", "watch_context", "marks", "log_times",
        "log_index", "log_rows", "knots", "inner", "manifold", "manifold_context", *STAGE_POINTERS,
        *STEP_POINTERS,
    ),
)  # fmt: skip
"""The record of one integration. ``size`` is signed, ``h`` and ``next`` are not; ``begun`` is the time of the last
start, ``base`` and ``ticks`` make the grid of fixed steps; ``fresh`` means that k0 and the events' signs are not yet
computed, ``again`` that the last attempt was rejected; ``step`` is 0 where the size is controlled. f is evaluated
between ``low`` and ``high`` only; ``left`` and ``right`` are the part of the step that is searched for events.
``budget`` is how many attempts are still allowed; it is decremented here, and Python sets it to 0 to interrupt. Knots
are rows of t, x and ẋ at every start and at the end of every step, as long as there is room; with ``has_inner`` the
states at the Gauss points of the step that ends at a knot are in ``inner``. ``manifold`` corrects a
state towards the constraints (0 where there are none), with ``projections`` calls so far; ``off`` is 1 where the last
attempt did not return to them. ``stagewise`` is 1 while states of stages are projected too; ``far`` and
``far_stagewise`` are the largest distances to the constraints at a step's end, in tolerances. ``undefined`` is the
event whose condition is not a number where the step stops, −1 if there is none. ``accepted`` is the size of the last
step, 0 after a start; ``contraction`` that of the last iterations of implicit stages, 1 while it is not known.
``watching`` is not 0 where the method may change."""

NODES = (0.5 - 0.15**0.5, 0.5, 0.5 + 0.15**0.5)
"""The Gauss points of a step, as fractions of it."""

STRETCH = 1 + 1e-6
"""A step that would end this close to the goal is stretched to reach it."""


def entry(space: Space, tableau: Method) -> Build:
    """@NAME(s): the loop of a method, called from Python."""
    b = Build(tableau.name, "i64", {"s": "ptr"}, width=space.width, export=True)
    methods = [Value(b, "ptr", f'@"{tableau.name}.{part}"') for part in ("attempt", "prepare")]
    b.give(b.call("drive", "i64", b["s"], *methods))
    return b


def drive(space: Space) -> Build:
    """@drive(s, attempt, prepare): steps until there is a reason to return, which is a Status. A state that is new is
    projected to the constraints first."""
    b, s = space.build("drive", "i64", attempt="ptr", prepare="ptr")
    with b.when(s["fresh"].ne(0)), b.when(project_row(b, s, s["t"], "x").ne(0.0)):
        b.give(Status.OFF_MANIFOLD)
    b.call("save_start", "void", b["s"])
    with b.repeat(lambda: _ahead(s) > 0.0):
        with b.when(s["verdict"].ne(0.0)):
            b.give(Status.CHANGE)
        with b.when(s["fresh"].ne(0)), b.when(~b.call("begin", "i1", b["s"])):
            b.give(Status.NOT_FINITE)
        with b.when(s["log_capacity"] - s["log_count"] < s["event_count"] * PARTS):
            b.give(Status.LOG_FULL)
        with b.when(s["budget"] <= 0):
            b.give(Status.BUDGET)
        s["budget"] = s["budget"] - 1
        _aim(b, s)
        with b.when(s["t1"].eq(s["t"])):
            b.give(Status.UNDERFLOW)
        error = b.call(b["attempt"], "double", b["s"])
        s["attempts"] = s["attempts"] + 1.0
        with b.either(error <= 1.0) as otherwise:
            _accept(space, b, s, error)
            otherwise()
            _reject(b, s, error)
    b.give(Status.DONE)
    return b


def _ahead(s: RecordFields) -> Value:
    """The time still to go."""
    return (s["t_end"] - s["t"]) * s["direction"]


def begin(space: Space) -> Build:
    """@begin(s): f and the events' signs at a new state, the size of the first step; false if f is not finite."""
    b, s = space.build("begin", "i1")
    rows = StateRows(space, b, s, "x", "k0")
    evaluate(b, s, s["t"], rows.address["x"], rows.address["k0"])
    with b.when(~rows.zero_if_finite("x", "k0").eq(0.0)):
        b.give(False)
    s["memory"], s["accepted"], s["contraction"] = log2(MEMORY), 0.0, 1.0
    s["begun"], s["base"], s["ticks"], s["again"] = s["t"], s["t"], 0, 0
    fixed = s["step"] > 0.0
    h = b.variable(b.select(fixed, s["step"], b.select(s["h"] > 0.0, s["h"], s["first"])))
    with b.when(h().eq(0.0)):
        most = b.least(s["max_step"], _ahead(s))
        h.set(b.call("first_step", "double", b["s"], s["direction"], most))
    s["h"] = b.most(b.least(h(), s["max_step"]), min_step(b, s))
    with b.when(s["event_count"] > 0):
        b.call("signs", "void", b["s"])
    b.call("keep", "void", b["s"], s["t"], rows.address["x"], rows.address["k0"])
    s["fresh"] = 0
    b.give(True)
    return b


def _aim(b: Build, s: RecordFields) -> None:
    """The size of the attempt and its end. Fixed steps end on a grid, so that rounding does not accumulate."""
    ahead, h = _ahead(s), s["h"]
    last = h * STRETCH >= ahead
    size = b.select(last, ahead, h) * s["direction"]
    grid = s["base"] + b.real(s["ticks"] + 1) * s["step"] * s["direction"]
    s["size"], s["last"] = size, b.whole(last)
    s["t1"] = b.select(last, s["t_end"], b.select(s["step"] > 0.0, grid, s["t"] + size))


def _accept(space: Space, b: Build, s: RecordFields, error: Value) -> None:
    """The next size, events and saved times; then the step's end, or the first event that stops, is the new state. A
    step whose interpolation contradicts f at a time to save is repeated with a smaller size
    (``emit_step.CONTRADICTS``): it went past something that all its stages missed."""
    watched, stop, agrees = s["event_count"] > 0, b.variable(NEVER), b.variable(b.value(True, "i1"))
    with b.when(_pending(b, s, s["t1"]) | watched | _keeps_inner(s)):
        b.call(b["prepare"], "void", b["s"])
        logged = s["log_count"]
        with b.when(watched):
            b.call("remember", "void", b["s"], b.value(False, "i1"))
            stop.set(b.call("search", "double", b["s"]))
        agrees.set(b.call("save", "i1", b["s"], b.least(stop(), 1.0)))
        with b.when(~agrees() & watched):
            b.call("remember", "void", b["s"], b.value(True, "i1"))
            s["log_count"] = logged
    with b.either(agrees()) as otherwise:
        _advance(space, b, s, error, stop())
        otherwise()
        s["rejected"], s["again"] = s["rejected"] + 1, 1
        s["h"] = b.most(b.intrinsic("fabs", s["size"]) * SHORTER, min_step(b, s))


def _keeps_inner(s: RecordFields) -> Value:
    return s["has_inner"].ne(0) & (s["knot_count"] < s["knot_room"])


def _advance(space: Space, b: Build, s: RecordFields, error: Value, stop: Value) -> None:
    """The end of a step, or the event at the fraction ``stop`` of it, as the new state."""
    with b.when(_keeps_inner(s)):
        row = s["inner"].at(s["knot_count"] * s["n"] * len(NODES))
        for k, node in enumerate(NODES):
            b.call("interpolate", "void", b["s"], b.least(stop, 1.0) * node, s.row("out"))
            b.copy(row.at(s["n"] * k), s.row("out"), s["n"])
    s["steps"] = s["steps"] + 1
    s["next"] = s["step"]
    with b.when(s["step"].eq(0.0)):  # a step cut short by the end does not reduce the size planned before
        size = b.intrinsic("fabs", s["size"])
        accepted, _, s["memory"] = next_sizes(b, s, error, size)
        s["accepted"] = size
        wanted = b.select(s["again"].ne(0), b.least(accepted, size), accepted)
        wanted = b.select(s["last"].ne(0), b.most(wanted, s["h"]), wanted)
        s["next"] = b.most(b.least(wanted, s["max_step"]), min_step(b, s))
        s["again"], s["stagewise"] = 0, stays_stagewise(b, s)
    with b.when(stop <= 1.0):
        b.call("state_at", "void", b["s"], stop)
        StateRows(space, b, s, "x", "out").copy("x", "out")
        s["t"], s["fresh"] = time_at(b, s, stop), 1
        # at most twice the time since the last start, so that ever faster events are separated
        s["h"] = b.least(s["next"], 2.0 * b.intrinsic("fabs", s["t"] - s["begun"]))
        b.give(b.select(s["undefined"] >= 0, b.value(Status.UNDEFINED, "i64"), Status.EVENT))
    with b.when(s["watching"].ne(0)):
        b.call("watch_stiffness", "double", b["s"], b.value(1.0, "double"))
    rows = StateRows(space, b, s, "x", "y", "k0", "end")
    rows.copy("x", "y")
    rows.copy("k0", "end")
    b.call("keep", "void", b["s"], s["t1"], rows.address["y"], rows.address["end"])
    last = s["last"].ne(0)
    s["base"] = b.select(last, s["t1"], s["base"])
    s["ticks"] = b.select(last, 0, s["ticks"] + 1)
    s["t"], s["h"] = s["t1"], s["next"]
    s["pace_left"] = s["pace_left"] - 1.0
    with b.when(s["pace_left"] <= 0.0), b.when(stalled(b, s, s["pace_left"] <= 0.0)):
        b.give(Status.STALLED)


def _reject(b: Build, s: RecordFields, error: Value) -> None:
    """The same step stagewise, or a smaller one from the same state; where that is impossible, the state stays as it
    is."""
    lost, off, repeated = (error * 0.0).ne(0.0), s["off"].ne(0.0), repeats(b, s, error)
    s["rejected"], s["again"] = s["rejected"] + 1, 1
    _, smaller, _ = next_sizes(b, s, error, b.intrinsic("fabs", s["size"]))
    with b.when(((smaller < min_step(b, s)) | (s["step"] > 0.0)) & ~repeated):
        unsolved = b.select(lost, b.value(Status.NOT_FINITE, "i64"), Status.UNDERFLOW)
        b.give(b.select(off, b.value(Status.OFF_MANIFOLD, "i64"), unsolved))
    s["stagewise"] = b.select(repeated, 1.0, s["stagewise"])
    s["h"] = b.select(repeated, s["h"], smaller)


def keep(space: Space) -> Build:
    """@keep(s, t, x, rate): appends a knot, if there is room."""
    b, s = space.build("keep", t="double", x="ptr", rate="ptr")
    k, n = s["knot_count"], s["n"]
    with b.when(k < s["knot_room"]):
        row = s["knots"].at(k * (2 * n + 1))
        row.store(b["t"])
        b.copy(row.at(1), b["x"], n)
        b.copy(row.at(n + 1), b["rate"], n)
        s["knot_count"] = k + 1
    return b


def _pending(b: Build, s: RecordFields, t: Value) -> Value:
    """Whether the next time to save lies at or before t."""
    result = b.variable(b.value(False, "i1"))
    k = s["count"]
    with b.when(k < s["time_count"]):
        result.set((s["times"].load(k) - t) * s["direction"] <= 0.0)
    return result()


def save_start(space: Space) -> Build:
    """@save_start(s): saves the state itself for the times to save that are now."""
    b, s = space.build("save_start")
    with b.repeat(lambda: _pending(b, s, s["t"])):
        _append(b, s, "x")
    return b


def save(space: Space) -> Build:
    """@save(s, stop): saves the interpolated states at the times to save up to this fraction of the step. Returns
    false, with the rows before it saved, at the first state that contradicts f, unless the step has a fixed size or
    cannot become smaller."""
    b, s = space.build("save", "i1", stop="double")
    stop = b["stop"]
    end = time_at(b, s, stop)
    judged = is_judged(s) & (b.intrinsic("fabs", s["size"]) * SHORTER > min_step(b, s))
    with b.repeat(lambda: _pending(b, s, end)):
        t = s["times"].load(s["count"])
        theta = b.select(t.eq(end), stop, (t - s["t"]) / s["size"])
        b.call("state_at", "void", b["s"], theta)
        with b.when(judged & (theta < 1.0)):
            defect = b.call("defect", "double", b["s"], t, theta, s.row("out"))
            with b.when(defect > CONTRADICTS):
                b.give(False)
        _append(b, s, "out")
    b.give(True)
    return b


def _append(b: Build, s: RecordFields, name: str) -> None:
    """A row after the saved ones."""
    k, n = s["count"], s["n"]
    b.copy(s["saved"].at(k * n), s.row(name), n)
    s["count"] = k + 1
