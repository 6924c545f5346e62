"""Events: zero crossings of g(t, x), found on the interpolation of a step.

An event's sign is known from before. Where the event has just happened, or g was exactly 0, it is unknown (0); it is
then read off the interpolation a little behind. So an event neither happens twice for one crossing, nor is a second
crossing lost. A step is looked at in ``PARTS`` equal parts, one after the other, so that what crosses zero and returns
is seen, unless it does both within one part: then a smaller ``max_step`` is needed.
"""

from freebody.backends.llvm.build import Build, Mutable, Value
from freebody.integrate.emit_layout import Fields
from freebody.integrate.emit_rows import Rows, Space

MARKS = {name: k for k, name in enumerate(("g0", "g1", "probe", "sign", "hit", "when", "direction", "stopping"))}
"""Rows of numbers kept for each event: g at the start of the part, at its end and a little behind the start; the sign
at the start; where in the step it happens (``NEVER``: nowhere); when it last did; which way it counts; whether it
stops."""

PARTS = 5
PROBE, NEVER = 1e-6, 2.0
SAME = 4.5e-16
"""Parts of a step that are one moment: rounding."""


class Marks:
    """The rows of one function."""

    def __init__(self, s: Fields) -> None:
        count, base = s["event_count"], s["marks"]
        self.count = count
        self.places = {name: base.at(count * k) for name, k in MARKS.items()}

    def __getitem__(self, name: str) -> Value:
        return self.places[name]


def sign(b: Build, x: Value) -> Value:
    """−1, 0 or 1; 0 for NaN."""
    return b.select(x > 0.0, 1.0, b.select(x < 0.0, b.value(-1.0, "double"), 0.0))


def _watch(b: Build, s: Fields, t: Value, x: Value, out: Value) -> None:
    """g(t, x) of all events."""
    s["stage_time"] = t
    b.call(s["watch"], "void", s["watch_context"], s.place("stage_time"), x, out)


def moment(b: Build, s: Fields, theta: Value) -> Value:
    """The time at that part of the step."""
    return b.select(theta >= 1.0, s["t1"], s["t"] + theta * s["size"])


def state_at(space: Space) -> Build:
    """@state_at(s, theta): the state at that part of the step, into ``out``; at the end it is y itself."""
    b, s = space.build("state_at", theta="double")
    rows = Rows(space, b, s, "y", "out")
    with b.either(b["theta"] >= 1.0) as otherwise:
        rows.move("out", "y")
        otherwise()
        b.call("interpolate", "void", b["s"], b["theta"], rows.places["out"])
    return b


def signs(space: Space) -> Build:
    """@signs(s): at a start, the sign of every event that has not just happened."""
    b, s = space.build("signs")
    marks, t = Marks(s), s["t"]
    _watch(b, s, t, s.row("x"), marks["g0"])
    with b.loop(0, marks.count) as i:
        just = marks["when"].load(i).eq(t)
        marks["sign"].store(b.select(just, 0.0, sign(b, marks["g0"].load(i))), i)
    return b


def search(space: Space) -> Build:
    """@search(s): the events of an accepted step, part after part; returns where in the step the first of them stops,
    ``NEVER`` where none does."""
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
    """@notice(s): g at the part's end; whether an event may have happened, or a sign is to be found."""
    b, s = space.build("notice", "i1")
    marks, right = Marks(s), s["right"]
    b.call("state_at", "void", b["s"], right)
    _watch(b, s, moment(b, s, right), s.row("out"), marks["g1"])
    found = b.variable(b.value(False, "i1"))
    with b.loop(0, marks.count) as i:
        found.set(found() | (marks["sign"].load(i) * sign(b, marks["g1"].load(i)) <= 0.0))
    b.give(found())
    return b


def passed(space: Space) -> Build:
    """@passed(s): the next part follows, so what was at the end is now at the start."""
    b, s = space.build("passed")
    marks = Marks(s)
    with b.loop(0, marks.count) as i:
        g = marks["g1"].load(i)
        marks["g0"].store(g, i)
        marks["sign"].store(sign(b, g), i)
    return b


def probe(space: Space) -> Build:
    """@probe(s): g a little behind the start takes the place of g at the start where the sign is unknown."""
    b, s = space.build("probe")
    marks, theta = Marks(s), s["left"] + PROBE
    unknown = b.variable(b.value(False, "i1"))
    with b.loop(0, marks.count) as i:
        unknown.set(unknown() | marks["sign"].load(i).eq(0.0))
    with b.when(unknown()):
        b.call("state_at", "void", b["s"], theta)
        _watch(b, s, moment(b, s, theta), s.row("out"), marks["probe"])
        with b.loop(0, marks.count) as i, b.when(marks["sign"].load(i).eq(0.0)):
            marks["g0"].store(marks["probe"].load(i), i)
    return b


def locate(space: Space) -> Build:
    """@locate(s, i, left): where between ``left`` and the part's end event i crosses zero, the first number behind it.

    False position with the weights of Anderson and Björck; where three of its steps do not halve the bracket, the next
    one does; no step is smaller than rounding, so that both ends close in.
    """
    b, s = space.build("locate", "double", i="i64", left="double")
    marks, i = Marks(s), b["i"]
    low, high = b.variable(b["left"]), b.variable(s["right"])
    g_low, g_high = b.variable(marks["g0"].load(i)), b.variable(marks["g1"].load(i))
    tries, width = b.variable(0), b.variable(2.0)
    with b.repeat(lambda: (high() - low() > SAME * high()) & g_high().ne(0.0) & (tries() < 200)):
        theta = _guess(b, low(), high(), g_low(), g_high(), tries(), width)
        tries.set(tries() + 1)
        b.call("state_at", "void", b["s"], theta)
        _watch(b, s, moment(b, s, theta), s.row("out"), marks["probe"])
        _narrow(b, theta, marks["probe"].load(i), low, high, g_low, g_high)
    b.give(high())
    return b


def _guess(b: Build, low: Value, high: Value, g_low: Value, g_high: Value, tries: Value, width: Mutable) -> Value:
    """Where the line through both ends is zero; every third time the middle, if the bracket has not become half."""
    least = 0.5 * SAME * high
    line = (low * g_high - high * g_low) / (g_high - g_low)
    third = (tries - tries / 3 * 3).eq(2)
    slow = high - low > 0.5 * width()
    width.set(b.select(third, high - low, width()))
    middle = 0.5 * (low + high)
    inside = b.most(b.least(line, high - least), low + least)
    return b.select((third & slow) | line.ne(line), middle, inside)


def _narrow(b: Build, theta: Value, g: Value, low: Mutable, high: Mutable, g_low: Mutable, g_high: Mutable) -> None:
    """The bracket with a new point in it. The end that stays loses weight, 1 − g/g_replaced or a half."""
    beyond = sign(b, g) * sign(b, g_high()) >= 0.0
    with b.either(beyond) as otherwise:
        weight = 1.0 - g / g_high()
        g_low.set(g_low() * b.select(weight > 0.0, weight, 0.5))
        high.set(theta)
        g_high.set(g)
        otherwise()
        weight = 1.0 - g / g_low()
        g_high.set(g_high() * b.select(weight > 0.0, weight, 0.5))
        low.set(theta)
        g_low.set(g)


def meet(space: Space) -> Build:
    """@meet(s): finds and logs what happens in this part, in order; returns where in the step the first event stops
    (``NEVER`` where none does), its number in ``fired``."""
    b, s = space.build("meet", "double")
    marks = Marks(s)
    b.call("probe", "void", b["s"])
    stop = b.variable(NEVER)
    with b.loop(0, marks.count) as i:
        marks["hit"].store(b.value(NEVER, "double"), i)
        with b.when(_crosses(b, marks, i)):
            left = b.select(marks["sign"].load(i).eq(0.0), s["left"] + PROBE, s["left"])
            theta = b.call("locate", "double", b["s"], i, left)
            marks["hit"].store(theta, i)
            with b.when(marks["stopping"].load(i).ne(0.0) & (theta < stop())):
                stop.set(theta)
                s["fired"] = i
    b.call("log", "void", b["s"], stop())
    b.give(stop())
    return b


def _crosses(b: Build, marks: Marks, i: Value) -> Value:
    """From a known sign to the other one, or to zero, the way that counts."""
    before, end = sign(b, marks["g0"].load(i)), marks["g1"].load(i)
    over = before.ne(0.0) & (before * sign(b, end) <= 0.0) & end.eq(end)
    return over & (before * marks["direction"].load(i) <= 0.0)


def log(space: Space) -> Build:
    """@log(s, stop): events that do not stop and happen before one that does, earliest first; and of all the time."""
    b, s = space.build("log", stop="double")
    marks, limit, which = Marks(s), b["stop"] + SAME, b.variable(0)
    with b.repeat(lambda: _earliest(b, marks, limit, which) >= 0):
        i = which()
        theta = b.least(marks["hit"].load(i), b["stop"])
        marks["hit"].store(b.value(NEVER, "double"), i)
        marks["when"].store(moment(b, s, theta), i)
        with b.when(marks["stopping"].load(i).eq(0.0)):
            _write(b, s, theta, i)
    return b


def _earliest(b: Build, marks: Marks, limit: Value, which: Mutable) -> Value:
    """The event not yet taken that happens first, −1 where there is none."""
    best = b.variable(NEVER)
    which.set(-1)
    with b.loop(0, marks.count) as i:
        hit = marks["hit"].load(i)
        with b.when((hit < best()) & (hit <= limit)):
            best.set(hit)
            which.set(i)
    return which()


def _write(b: Build, s: Fields, theta: Value, i: Value) -> None:
    """Time, number and state behind the others in the log."""
    b.call("state_at", "void", b["s"], theta)
    k, n = s["log_count"], s["n"]
    s["log_times"].store(moment(b, s, theta), k)
    s["log_index"].store(i, k)
    b.copy(s["log_rows"].at(k * n), s.row("out"), n)
    s["log_count"] = k + 1
