"""Emitted search for events: zero crossings of g(t, x) on the interpolation of a step.

The sign of g is known from before. Where the event has just happened, or g was exactly 0, it is unknown (0), and is
taken from the interpolation a little later. So no event happens twice for one crossing, and no second crossing is
lost. A step is examined in ``PARTS`` equal parts, one after the other, so that a crossing with a return is seen, unless
both fall within one part: then a smaller ``max_step`` is needed.
"""

from freebody.backends.llvm.build import Build, Value
from freebody.integrate.emit_step import Space, StateRows, project_row
from freebody.integrate.record import RecordFields

MARKS = {name: k for k, name in enumerate(("g0", "g1", "probe", "sign", "hit", "when", "direction", "stopping"))}
"""Rows of numbers for the events: g at the start of the part, at its end and a little after the start; the sign at the
start; at which fraction of the step it happens (``NEVER`` if it does not); when it last did; which direction counts;
whether it stops."""

PARTS = 5
PROBE, NEVER = 1e-6, 2.0
SAME = 4.5e-16
"""Fractions of a step that are the same moment, by rounding."""


class Marks(dict[str, Value]):
    """The addresses of the rows of ``MARKS``, for one function, and the number of events."""

    def __init__(self, s: RecordFields) -> None:
        self.count, base = s["event_count"], s["marks"]
        super().__init__({name: base.at(self.count * k) for name, k in MARKS.items()})


def _sign(b: Build, x: Value) -> Value:
    """−1, 0 or 1; 0 for NaN."""
    return b.select(x > 0.0, 1.0, b.select(x < 0.0, b.value(-1.0, "double"), 0.0))


def _watch(b: Build, s: RecordFields, t: Value, x: Value, out: Value) -> None:
    """g(t, x) of all events."""
    s["stage_time"] = t
    b.call(s["watch"], "void", s["watch_context"], s.address("stage_time"), x, out)


def _watch_at(b: Build, s: RecordFields, theta: Value, out: Value) -> None:
    """g of all events at a fraction of the step."""
    b.call("state_at", "void", b["s"], theta)
    _watch(b, s, time_at(b, s, theta), s.row("out"), out)


def time_at(b: Build, s: RecordFields, theta: Value) -> Value:
    """The time at a fraction of the step."""
    return b.select(theta >= 1.0, s["t1"], s["t"] + theta * s["size"])


def state_at(space: Space) -> Build:
    """@state_at(s, theta): the state at a fraction of the step, into ``out``; at the end it is y itself. Before, it is
    projected to the constraints; where that fails it stays as interpolated."""
    b, s = space.build("state_at", theta="double")
    rows = StateRows(space, b, s, "y", "out")
    with b.either(b["theta"] >= 1.0) as otherwise:
        rows.copy("out", "y")
        otherwise()
        b.call("interpolate", "void", b["s"], b["theta"], rows.address["out"])
        project_row(b, s, time_at(b, s, b["theta"]), "out")
    return b


def signs(space: Space) -> Build:
    """@signs(s): at a start, the sign of every event that has not just happened."""
    b, s = space.build("signs")
    marks, t = Marks(s), s["t"]
    _watch(b, s, t, s.row("x"), marks["g0"])
    with b.loop(0, marks.count) as i:
        just = marks["when"].load(i).eq(t)
        marks["sign"].store(b.select(just, 0.0, _sign(b, marks["g0"].load(i))), i)
    return b


def search(space: Space) -> Build:
    """@search(s): the events of an accepted step, part after part; returns the fraction of the step at which the first
    of them stops, ``NEVER`` if none does."""
    b, s = space.build("search", "double")
    stop, k = b.variable(NEVER), b.variable(0)
    s["left"] = 0.0
    with b.repeat(lambda: (k() < PARTS) & (stop() > 1.0)):
        k.set(k() + 1)
        s["right"] = b.real(k()) / float(PARTS)
        with b.when(b.call("notice", "i1", b["s"])):
            stop.set(b.call("meet", "double", b["s"]))
        b.call("passed", "void", b["s"])
        s["left"] = s["right"]
    b.give(stop())
    return b


def notice(space: Space) -> Build:
    """@notice(s): g at the part's end; returns whether an event may have happened, or a sign is unknown."""
    b, s = space.build("notice", "i1")
    marks, right = Marks(s), s["right"]
    _watch_at(b, s, right, marks["g1"])
    result = b.variable(b.value(False, "i1"))
    with b.loop(0, marks.count) as i:
        result.set(result() | (marks["sign"].load(i) * _sign(b, marks["g1"].load(i)) <= 0.0))
    b.give(result())
    return b


def passed(space: Space) -> Build:
    """@passed(s): the next part follows: its start is the end of this one."""
    b, s = space.build("passed")
    marks = Marks(s)
    with b.loop(0, marks.count) as i:
        g = marks["g1"].load(i)
        marks["g0"].store(g, i)
        marks["sign"].store(_sign(b, g), i)
    return b


def probe(space: Space) -> Build:
    """@probe(s): where the sign is unknown, g a little after the start replaces g at the start."""
    b, s = space.build("probe")
    marks, theta = Marks(s), s["left"] + PROBE
    unknown = b.variable(b.value(False, "i1"))
    with b.loop(0, marks.count) as i:
        unknown.set(unknown() | marks["sign"].load(i).eq(0.0))
    with b.when(unknown()):
        _watch_at(b, s, theta, marks["probe"])
        with b.loop(0, marks.count) as i, b.when(marks["sign"].load(i).eq(0.0)):
            marks["g0"].store(marks["probe"].load(i), i)
    return b


def locate(space: Space) -> Build:
    """@locate(s, i, left): where between ``left`` and the part's end event i crosses zero: the first number after it.

    False position with the weights of Anderson and Björck: the end that stays loses weight, 1 − g/g_replaced or a half.
    Where three of its steps do not halve the bracket, the next one does; no step is smaller than rounding, so that both
    ends close in.
    """
    b, s = space.build("locate", "double", i="i64", left="double")
    marks, i = Marks(s), b["i"]
    low, high = b.variable(b["left"]), b.variable(s["right"])
    g_low, g_high = b.variable(marks["g0"].load(i)), b.variable(marks["g1"].load(i))
    tries, width = b.variable(0), b.variable(2.0)

    def guess(low: Value, high: Value, g_low: Value, g_high: Value, tries: Value) -> Value:
        """Where the line through both ends is zero; every third time the middle, if the bracket is not halved."""
        least = 0.5 * SAME * high
        line = (low * g_high - high * g_low) / (g_high - g_low)
        third = (tries - tries / 3 * 3).eq(2)
        slow = high - low > 0.5 * width()
        width.set(b.select(third, high - low, width()))
        middle = 0.5 * (low + high)
        inside = b.most(b.least(line, high - least), low + least)
        return b.select((third & slow) | line.ne(line), middle, inside)

    with b.repeat(lambda: (high() - low() > SAME * high()) & g_high().ne(0.0) & (tries() < 200)):
        theta = guess(low(), high(), g_low(), g_high(), tries())
        tries.set(tries() + 1)
        _watch_at(b, s, theta, marks["probe"])
        g = marks["probe"].load(i)
        with b.either(_sign(b, g) * _sign(b, g_high()) >= 0.0) as otherwise:
            weight = 1.0 - g / g_high()
            g_low.set(g_low() * b.select(weight > 0.0, weight, 0.5))
            high.set(theta)
            g_high.set(g)
            otherwise()
            weight = 1.0 - g / g_low()
            g_high.set(g_high() * b.select(weight > 0.0, weight, 0.5))
            low.set(theta)
            g_low.set(g)
    b.give(high())
    return b


def meet(space: Space) -> Build:
    """@meet(s): finds and logs what happens in this part, in order; returns the fraction of the step at which the first
    event stops (``NEVER`` if none does), its index in ``fired``."""
    b, s = space.build("meet", "double")
    marks = Marks(s)
    b.call("probe", "void", b["s"])
    stop = b.variable(NEVER)
    with b.loop(0, marks.count) as i:
        marks["hit"].store(b.value(NEVER, "double"), i)
        before, end = _sign(b, marks["g0"].load(i)), marks["g1"].load(i)
        crosses = before.ne(0.0) & (before * _sign(b, end) <= 0.0) & end.eq(end)  # to the other sign, or to zero
        with b.when(crosses & (before * marks["direction"].load(i) <= 0.0)):
            left = b.select(marks["sign"].load(i).eq(0.0), s["left"] + PROBE, s["left"])
            theta = b.call("locate", "double", b["s"], i, left)
            marks["hit"].store(theta, i)
            with b.when(marks["stopping"].load(i).ne(0.0) & (theta < stop())):
                stop.set(theta)
                s["fired"] = i
    b.call("log", "void", b["s"], stop())
    b.give(stop())
    return b


def log(space: Space) -> Build:
    """@log(s, stop): the times of all events up to ``stop``, earliest first; of those that do not stop, time, index and
    state go into the log."""
    b, s = space.build("log", stop="double")
    marks, limit, which = Marks(s), b["stop"] + SAME, b.variable(0)

    def earliest() -> Value:
        """The first event that is not yet processed, −1 if there is none."""
        best = b.variable(NEVER)
        which.set(-1)
        with b.loop(0, marks.count) as i:
            hit = marks["hit"].load(i)
            with b.when((hit < best()) & (hit <= limit)):
                best.set(hit)
                which.set(i)
        return which()

    with b.repeat(lambda: earliest() >= 0):
        i = which()
        theta = b.least(marks["hit"].load(i), b["stop"])
        marks["hit"].store(b.value(NEVER, "double"), i)
        marks["when"].store(time_at(b, s, theta), i)
        with b.when(marks["stopping"].load(i).eq(0.0)):
            b.call("state_at", "void", b["s"], theta)
            k, n = s["log_count"], s["n"]
            s["log_times"].store(time_at(b, s, theta), k)
            s["log_index"].store(i, k)
            b.copy(s["log_rows"].at(k * n), s.row("out"), n)
            s["log_count"] = k + 1
    return b
