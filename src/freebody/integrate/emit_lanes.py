"""Emitted loop over the steps of several states at once, each lane with its own time, step and error.

A lane that has finished takes the next case, so lanes do not wait for each other; where no case is left it idles, and
what it computes is discarded.
"""

from math import log2

from freebody.backends.llvm.build import Build, Value
from freebody.integrate.emit_drive import STRETCH
from freebody.integrate.emit_step import (
    CONTRADICTS,
    MEMORY,
    PATIENCE,
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

FEED = 3
"""Words of a feed: the address of the rows of all cases, of the lanes' vectors, the numbers in a row."""


def layout(width: int) -> RecordLayout:
    """The record of a thread's share of cases. For each lane: ``active``, ``fresh`` and ``again`` (1 or 0), the next
    time to save (``goal``, at first ``first_goal``), whether its step is to be repeated (``redo``), counts; its case
    (``lane_case``) and its saved rows (``lane_rows``). The cost of an attempt: ``cost`` evaluations, ``end_cost`` more
    if accepted, ``dense_cost`` if anything is saved. For each case: why it ended (``status``), its steps (those of
    earlier legs included), evaluations, calls of its projection, and where it ended: ``case_times``, ``case_sizes``
    (the last step's) and ``case_states``."""
    return RecordLayout(
        width,
        real=(
            "t",
            "t1",
            "size",
            "h",
            "memory",
            "stage_time",
            "active",
            "fresh",
            "again",
            "last",
            "goal",
            "mark",
            "flag",
            "steps",
            "counted",
            "pace_t",
            "pace_steps",
            "pace_left",
            "pace",
            "projections",
            "off",
            "stagewise",
            "across",
            "redo",
            "accepted",
            *STEP_REALS,
        ),
        number=(
            "t_start",
            "first_goal",
            "t_end",
            "direction",
            "step",
            "max_step",
            "min_step",
            "low",
            "high",
            "inverse_n",
            "inverse_order",
            "exponent",
            "beta",
            "safety",
            "largest",
            "smallest",
            "cost",
            "end_cost",
            "dense_cost",
            "max_steps",
            "far",
            "far_stagewise",
            "relax",
            "predicts",
        ),
        integer=(
            "n",
            "stride",
            "vectors",
            "terms",
            "quaternion_count",
            "budget",
            "evaluations",
            "time_count",
            "feed_count",
            "following",
            "cases",
            *STAGE_COUNTS,
            *STEP_COUNTS,
        ),
        pointer=(
            "work",
            "field",
            "context",
            "quaternions",
            "times",
            "saved",
            "feeds",
            "lane_case",
            "lane_rows",
            "status",
            "case_h",
            "case_steps",
            "case_evaluations",
            "case_times",
            "case_sizes",
            "case_states",
            "case_projections",
            "manifold",
            "manifold_context",
            *STAGE_POINTERS,
            *STEP_POINTERS,
        ),
    )


def load(space: Space) -> Build:
    """@load(s): idle lanes take the cases that wait."""
    b, s = space.build("load")
    active, following = s.address("active"), b.variable(s["following"])
    with b.loop(0, space.width) as lane, b.when(active.load(lane).eq(0.0) & (following() < s["cases"])):
        case = following()
        with b.loop(0, s["feed_count"]) as k:  # the case's rows into the lane's numbers of the vectors
            words = s["feeds"].at(k * FEED)
            source, target, size = words.load(0, "ptr"), words.load(1, "ptr").at(lane), words.load(2, "i64")
            row = source.at(case * size)
            with b.loop(0, size) as i:
                target.store(row.load(i), i * space.width)
        for name in ("active", "fresh"):
            s.address(name).store(b.value(1.0, "double"), lane)
        for name in ("counted", "again", "pace", "projections", "stagewise", "accepted"):
            s.address(name).store(b.value(0.0, "double"), lane)
        for name in ("pace_steps", "pace_left"):
            s.address(name).store(b.value(PATIENCE, "double"), lane)
        for name, start in (("t", "t_start"), ("goal", "first_goal"), ("pace_t", "t_start")):
            s.address(name).store(s[start], lane)
        for name in ("steps", "h"):
            s.address(name).store(s[f"case_{name}"].load(following()), lane)
        s["lane_case"].store(following(), lane)
        s["lane_rows"].store(b.value(0, "i64"), lane)
        following.set(following() + 1)
    s["following"] = following()
    return b


def begin(space: Space) -> Build:
    """@begin(s): where a lane is fresh, its state is projected to the constraints, and f and the first step's size are
    computed; where its case comes from another leg, that is the size planned there. A lane fails if its state cannot
    be projected, if f is not finite, or if its case has no steps left."""
    b, s = space.build("begin")
    rows = StateRows(space, b, s, "x", "k0", "end")
    off, fresh = project_row(b, s, s["t"], "x", s["fresh"]).ne(0.0), s["fresh"].ne(0.0)
    evaluate(b, s, s["t"], rows.address["x"], rows.address["end"])
    with rows.loop() as i:
        rows.store("k0", i, b.select(fresh, rows.load("end", i), rows.load("k0", i)))
    s["counted"] = s["counted"] + s["fresh"]
    h = b.variable(b.select(s["step"] > 0.0, b.value(s["step"], space.real), s["h"]))
    unknown = fresh & h().eq(0.0)
    with b.when(b.any(unknown)):
        most = b.least(s["max_step"], (s["t_end"] - s["t"]) * s["direction"])
        h.set(b.select(unknown, b.call("first_step", space.real, b["s"], s["direction"], most), h()))
        s["counted"] = s["counted"] + _flag(b, unknown)
    s["h"] = b.select(fresh, b.most(b.least(h(), s["max_step"]), min_step(b, s)), s["h"])
    s["memory"] = b.select(fresh, log2(MEMORY), s["memory"])
    s["flag"] = b.select(off, b.value(0.0, space.real), s["fresh"])
    with b.when(b.any(fresh & ~off & _due(s, s["t"]))):
        b.call("save", "void", b["s"], s["t"], rows.address["x"])
    failed = fresh & ~off & ~rows.zero_if_finite("x", "k0").eq(0.0)
    _settle(b, off, Status.OFF_MANIFOLD)
    _settle(b, failed, Status.NOT_FINITE)
    _settle(b, fresh & ~off & ~failed & (s["steps"] >= s["max_steps"]), Status.BUDGET)
    s["fresh"] = 0.0
    return b


def _flag(b: Build, mask: Value) -> Value:
    return b.select(mask, 1.0, b.value(0.0, "double"))


def _settle(b: Build, mask: Value, status: Status) -> None:
    b.call("settle", "void", b["s"], _flag(b, mask), b.value(status, "i64"))


def _due(s: RecordFields, t: Value) -> Value:
    """Where the next time to save is at or before t."""
    return (s["goal"] - t) * s["direction"] <= 0.0


def save(space: Space) -> Build:
    """@save(s, t1, row): the states at the times to save that lanes with a flag have reached by t1: the row itself at
    t1, else interpolated and projected to the constraints (as interpolated where that fails). Each goes after the rows
    that the lane's case has saved. A lane whose interpolation contradicts f at a time to save
    (``emit_step.CONTRADICTS``) saves no more and is marked to repeat the step, unless that cannot become smaller."""
    b, s = space.build("save", t1=space.real, row="ptr")
    rows = StateRows(space, b, s, "out", row=b["row"])
    judged = is_judged(s) & (b.intrinsic("fabs", s["size"]) * SHORTER > min_step(b, s))

    def flagged() -> Value:
        return s["flag"].ne(0.0) & s["redo"].eq(0.0)

    with b.repeat(lambda: b.any(flagged() & _due(s, b["t1"]))):
        due, there = b.variable(flagged() & _due(s, b["t1"])), s["goal"].eq(b["t1"])
        inside = due() & ~there
        with b.when(b.any(inside)):
            theta = (s["goal"] - s["t"]) / s["size"]
            b.call("interpolate", "void", b["s"], theta, rows.address["out"])
            project_row(b, s, s["goal"], "out", _flag(b, inside))
            with b.when(b.any(inside & judged)):
                defect = b.call("defect", space.real, b["s"], s["goal"], theta, rows.address["out"])
                s["counted"] = s["counted"] + _flag(b, inside & judged)
                wrong = inside & judged & (defect > CONTRADICTS)
                s["redo"] = b.select(wrong, 1.0, s["redo"])
                due.set(due() & ~wrong)
        with rows.loop() as i:
            rows.store("out", i, b.select(there, rows.load("row", i), rows.load("out", i)))
        s["mark"] = _flag(b, due())
        with b.loop(0, space.width) as lane, b.when(s.address("mark").load(lane).ne(0.0)):
            row, case, count = s["lane_rows"].load(lane, "i64"), s["lane_case"].load(lane, "i64"), s["time_count"]
            source, target = rows.address["out"].at(lane), s["saved"].at((case * count + row) * s["n"])
            with b.loop(0, s["n"]) as i:
                target.store(source.load(i * space.width), i)
            s["lane_rows"].store(row + 1, lane)
            goal = b.variable(s["direction"] * float("inf"))
            with b.when(row + 1 < count):
                goal.set(s["times"].load(row + 1))
            s.address("goal").store(goal(), lane)
    return b


def settle(space: Space) -> Build:
    """@settle(s, flag, status): lanes with a flag are done with their case."""
    b, s = space.build("settle", flag=space.real, status="i64")
    s["mark"] = b["flag"]
    with b.loop(0, space.width) as lane, b.when(s.address("mark").load(lane).ne(0.0)):
        case = s["lane_case"].load(lane, "i64")
        s["status"].store(b["status"], case)
        for result, name in (
            ("case_steps", "steps"),
            ("case_evaluations", "counted"),
            ("case_times", "t"),
            ("case_sizes", "size"),
            ("case_projections", "projections"),
            ("case_h", "h"),
        ):
            s[result].store(s.address(name).load(lane), case)
        state, n = s.row("x").at(lane), s["n"]
        with b.loop(0, n) as i:
            s["case_states"].at(case * n).store(state.load(i * space.width), i)
        s.address("active").store(b.value(0.0, "double"), lane)
    return b


def drive(space: Space) -> Build:
    """@drive(s, attempt, prepare): steps until all cases are done, or the allowed steps are used up."""
    b, s = space.build("drive", "i64", attempt="ptr", prepare="ptr")
    with b.repeat(lambda: (s["following"] < s["cases"]) | b.any(s["active"].ne(0.0))):
        with b.when(s["budget"] <= 0):
            b.give(Status.BUDGET)
        s["budget"] = s["budget"] - 1
        with b.when((s["following"] < s["cases"]) & b.any(s["active"].eq(0.0))):
            b.call("load", "void", b["s"])
            b.call("begin", "void", b["s"])
        ahead, h, direction = (s["t_end"] - s["t"]) * s["direction"], s["h"], s["direction"]
        last = h * STRETCH >= ahead
        size = b.select(last, ahead, h) * direction
        grid = s["t_start"] + (s["steps"] + 1.0) * (s["step"] * direction)
        s["size"], s["last"] = size, _flag(b, last)
        s["t1"] = b.select(last, s["t_end"], b.select(s["step"] > 0.0, grid, s["t"] + size))
        _judge(space, b, s, b.call(b["attempt"], space.real, b["s"]))
    b.give(Status.DONE)
    return b


def _judge(space: Space, b: Build, s: RecordFields, error: Value) -> None:
    """Lanes continue from the step's end where its error is small and no state to save contradicts f, else try again
    with a smaller step. A lane that does not advance has failed; where a case has no time to go, the first step is the
    last."""
    stuck = s["t1"].eq(s["t"]) & s["last"].eq(0.0)
    active, good = s["active"].ne(0.0), (error <= 1.0) & ~stuck
    passed, missed = active & good, active & ~good
    s["counted"] = s["counted"] + s["active"] * (
        s["cost"] + b.select(good | s["stagewise"].ne(0.0), s["end_cost"], 0.0)
    )
    s["flag"], s["redo"] = _flag(b, passed & _due(s, s["t1"])), 0.0
    with b.when(b.any(s["flag"].ne(0.0))):
        s["counted"] = s["counted"] + s["flag"] * s["dense_cost"]
        b.call(b["prepare"], "void", b["s"])
        b.call("save", "void", b["s"], s["t1"], s.row("y"))
    passed, missed = passed & s["redo"].eq(0.0), missed | s["redo"].ne(0.0)
    s["steps"] = s["steps"] + _flag(b, passed)
    _plan(b, s, error, passed, missed)
    rows = StateRows(space, b, s, "x", "y", "k0", "end")
    with rows.loop() as i:
        for old, new in (("x", "y"), ("k0", "end")):
            rows.store(old, i, b.select(passed, rows.load(new, i), rows.load(old, i)))
    s["t"] = b.select(passed, s["t1"], s["t"])
    done = passed & s["last"].ne(0.0)
    with b.when(b.any(done)):
        _settle(b, done, Status.DONE)
    goes_on = passed & ~done
    spent = goes_on & (s["steps"] >= s["max_steps"])
    with b.when(b.any(spent)):
        _settle(b, spent, Status.BUDGET)
    s["pace_left"] = s["pace_left"] - _flag(b, passed)
    full = goes_on & ~spent & (s["pace_left"] <= 0.0)
    with b.when(b.any(full)):
        _settle(b, stalled(b, s, full), Status.STALLED)


def _plan(b: Build, s: RecordFields, error: Value, passed: Value, missed: Value) -> None:
    """The next step's size; a lane whose step cannot become smaller has failed. Others may repeat it stagewise."""
    failed = b.variable(missed)
    with b.when(s["step"].eq(0.0)):
        size, least = b.intrinsic("fabs", s["size"]), min_step(b, s)
        accepted, smaller, memory = next_sizes(b, s, error, size)
        rejected = b.select(s["redo"].ne(0.0), size * SHORTER, smaller)
        wanted = b.select(s["again"].ne(0.0), b.least(accepted, size), accepted)
        wanted = b.select(s["last"].ne(0.0), b.most(wanted, s["h"]), wanted)  # cut short by the end of a leg
        following = b.most(b.least(wanted, s["max_step"]), least)
        repeated = missed & s["redo"].eq(0.0) & repeats(b, s, error)
        s["h"] = b.select(passed, following, b.select(missed & ~repeated, rejected, s["h"]))
        s["stagewise"] = b.select(passed, stays_stagewise(b, s), b.select(repeated, 1.0, s["stagewise"]))
        s["memory"] = b.select(passed, memory, s["memory"])
        s["accepted"] = b.select(passed, size, s["accepted"])
        s["again"] = _flag(b, missed)
        failed.set(missed & ~repeated & ((rejected < least) | s["t1"].eq(s["t"])))
    with b.when(b.any(failed())):
        off = failed() & s["off"].ne(0.0)
        lost = failed() & ~off & (error * 0.0).ne(0.0)
        _settle(b, off, Status.OFF_MANIFOLD)
        _settle(b, lost, Status.NOT_FINITE)
        _settle(b, failed() & ~off & ~lost, Status.UNDERFLOW)
