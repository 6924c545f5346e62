"""Emitted loop over samples: steps to the next sample, the updates that are due, and on, without Python."""

from freebody.backends.llvm.build import Build, Value
from freebody.integrate.emit_drive import ONE
from freebody.integrate.record import RecordFields, RecordLayout, Status

PLAN = RecordLayout(
    1,
    number=("end", "ticks_per_second"),
    integer=("rows", "tick", "row", "width", "room", "count"),
    pointer=("entry", "table", "d", "log", "before", "after"),
)
"""The record of samples. ``table`` has ``rows`` rows of ``WORDS`` words, one for each update, in the order in which
they are applied; ``tick`` is the time of the next sample in ticks, ``row`` the row that is next at an instant, or
``MOVING``. ``d`` is the row of inputs and held values, of which each instant appends a copy to the ``log``, behind the
time and the number of saved rows. ``before`` and ``after`` are the conditions of events on both sides of an instant."""

TICK, PERIOD, CODE, CONTEXT, OUT, COUNT, TARGETS, WAITS, WORDS = range(9)
"""The words of a row: its next time and its period in ticks; the code and context of its program; where that writes,
how many numbers, and their addresses in d; whether Python writes them instead."""

MOVING = -1
NEVER = 2**62
LOG_HEAD = 2
"""Numbers of a row of the log before those of d."""


def samples() -> Build:
    """@samples(s, plan): from sample to sample until the end. Returns the Status of the integrator where that stops
    before; LOG_FULL where one of both logs is full, CALLS where Python has to write the values of a row, CARRIED where
    a sample has carried the condition of an event to zero or across it."""
    b = Build("samples", "i64", {"s": "ptr", "plan": "ptr"}, export=True)
    s, p = RecordFields(b, ONE, b["s"]), RecordFields(b, PLAN, b["plan"])
    watched = s["event_count"] > 0
    with b.repeat(lambda: (s["t"] < p["end"]) | p["row"].ne(MOVING)):
        with b.when(p["row"].eq(MOVING)):
            with b.when(p["count"] >= p["room"]):
                b.give(Status.LOG_FULL)
            following = b.real(p["tick"]) / p["ticks_per_second"]
            s["t_end"] = b.least(following, p["end"])
            status = b.call(p["entry"], "i64", b["s"])
            with b.when(status.ne(Status.DONE)):
                b.give(status)
            with b.when(s["t"].eq(following)):
                p["row"] = 0
                with b.when(watched):
                    _conditions(b, s, p, "before")
        with b.when(p["row"].ne(MOVING)):
            _apply(b, s, p)
            entry = p["log"].at(p["count"] * (p["width"] + LOG_HEAD))
            entry.store(s["t"])
            entry.store(b.real(s["count"]), 1)
            b.copy(entry.at(LOG_HEAD), p["d"], p["width"])
            p["count"], p["row"], s["fresh"] = p["count"] + 1, MOVING, 1
            with b.when(watched):
                _conditions(b, s, p, "after")
                with b.when(_carried(b, s, p) > 0.0):
                    b.give(Status.CARRIED)
    b.give(Status.DONE)
    return b


def _apply(b: Build, s: RecordFields, p: RecordFields) -> None:
    """The rows that are due, and the time of the next sample."""
    with b.loop(p["row"], p["rows"]) as k:
        row = p["table"].at(k * WORDS)
        with b.when(row.load(TICK, "i64").eq(p["tick"])):
            out, targets = row.load(OUT, "ptr"), row.load(TARGETS, "ptr")
            b.call(row.load(CODE, "ptr"), "void", row.load(CONTEXT, "ptr"), s.address("t"), s.row("x"), out)
            row.store(row.load(TICK, "i64") + row.load(PERIOD, "i64"), TICK)
            with b.when(row.load(WAITS, "i64").ne(0)):
                p["row"] = k + 1
                b.give(Status.CALLS)
            with b.loop(0, row.load(COUNT, "i64")) as i:
                targets.load(i, "ptr").store(out.load(i))
    nearest = b.variable(NEVER)
    with b.loop(0, p["rows"]) as k:
        nearest.set(b.least(p["table"].at(k * WORDS).load(TICK, "i64"), nearest()))
    p["tick"] = nearest()


def _conditions(b: Build, s: RecordFields, p: RecordFields, name: str) -> None:
    """The conditions of all events now."""
    b.call(s["watch"], "void", s["watch_context"], s.address("t"), s.row("x"), p[name])


def _carried(b: Build, s: RecordFields, p: RecordFields) -> Value:
    """The number of conditions that went to zero or across it."""
    count = b.variable(0.0)
    with b.loop(0, s["event_count"]) as k:
        before, after = p["before"].load(k), p["after"].load(k)
        crossed = ((before < 0.0) & (after >= 0.0)) | ((before > 0.0) & (after <= 0.0))
        count.set(count() + b.select(crossed, 1.0, b.value(0.0, "double")))
    return count()
