"""Emitted code of one implicit step with contact (``hybrid.system.StepSystem``), for one state or for lanes, in place
of ``emit_step.attempt`` and ``emit_step.prepare``.

Newton's method for the velocities v of contacts: each iteration returns the next v⁺, the impulses y that lead to it,
and γ, those of the law there; they are equal at the solution. y is linear along a step, so that the slope
φ'(α) = (v⁺ − v)·(y + α (y⁺ − y) − γ(v + α (v⁺ − v))) of the function that is minimised is known without that function,
and its root is an exact line search. Where v is nearly found, the largest friction is computed anew from the normal
impulses there, once, and the iteration goes on. Lanes that have finished wait for the others.
"""

from freebody.backends.llvm.build import Build, Mutable, Value
from freebody.integrate.contact_method import ContactMethod
from freebody.integrate.emit_step import Space, StateRows, set_stage_time
from freebody.integrate.record import RecordFields

TOLERANCE = 1e-6
"""A step has converged where y and γ differ by this fraction of the largest impulse."""

NEAR = 1e-3
"""The largest friction is computed anew where y and γ differ by at most this fraction."""

STEADY = 1e-3
"""The largest friction is not computed anew where it would change by less than this fraction."""

MOST, SEARCHES = 60, 60
"""The most iterations of a step, and the most points of a line search."""

OVERSHOOT, CLOSE = 0.1, 1e-3
"""A full step is taken where the slope at its end is at most this part of that at its start; a search ends where the
slope is that small."""

SHORT = 0.1
"""After a search that ends before this part of an iteration, contacts that it has opened count as closing, and those
whose slip it has turned round as sticking: else iterations may go to and fro between them for ever."""

ROUNDING = 1e-13
"""A step has converged as well where its last iteration changes velocities by this fraction: impulses that are
themselves rounding errors, as at a stop that is just reached, do not agree any better."""

TINY = 1e-300


class ContactMemory:
    """The numbers of all contacts in memory, as one function reads and writes them. A block of the memory holds the
    numbers that an iteration returns: velocities, y, γ, bounds, and the changes of speeds. ``now`` and ``new`` are the
    blocks of the present and of the next iteration."""

    def __init__(self, space: Space, b: Build, s: RecordFields) -> None:
        self.b, self.s, self.real, self.lanes = b, s, space.real, space.layout.lanes
        self.rows, self.bounds, self.speeds = s["contact_rows"], s["contact_bounds"], s["contact_speeds"]
        self.first = s["contact_values"]
        self.bound = self.first.at(self.rows * self.lanes)
        self.kept = self.bound.at(self.bounds * self.lanes)
        self.trial, self.before, self.law = s["contact_trial"], s["contact_before"], s["contact_law"]

    def parts(self, block: Value) -> dict[str, Value]:
        """The addresses of the parts of a block."""
        m, n = self.rows * self.lanes, self.bounds * self.lanes
        starts = {"velocity": m * 0, "y": m, "gamma": m * 2, "bound": m * 3, "delta": m * 3 + n}
        return {name: block.at(start) for name, start in starts.items()}

    def read(self, address: Value, i: Value) -> Value:
        return address.load(i, self.real)

    def impulses(self, velocity: Value) -> None:
        """γ at velocities, into ``law``."""
        self.b.call(self.s["law"], "void", velocity, self.bound, self.kept, self.law)

    def blend(self, old: Value, new: Value, count: Value, part: Value) -> None:
        """old + part (new − old) in place of the old numbers; where the part is 1, the new ones."""
        b, whole = self.b, part.eq(1.0)
        with b.loop(0, count) as i:
            a, c = self.read(old, i), self.read(new, i)
            old.store(b.select(whole, c, a + part * (c - a)), i)

    def largest(self, total: Mutable, value: Value) -> None:
        total.set(self.b.most(total(), self.b.intrinsic("fabs", value)))


def attempt(space: Space, method: ContactMethod) -> Build:
    """@contact.attempt(s): the step from t to t1, into y; its mean rate into ``end``. Returns 0, NaN where something is
    not finite. Steps that have not converged are counted, with the largest difference of their impulses."""
    b, s = space.build(f"{method.name}.attempt", space.real)
    c = ContactMemory(space, b, s)
    rows = StateRows(space, b, s, "x", "y", "end")
    one, zero = (b.value(x, space.real) for x in (1.0, 0.0))
    in_lanes = "active" in space.layout.kinds
    going = s["active"] if in_lanes else one
    size = b.select(s["size"].eq(0.0), one, s["size"])
    s["settings"].store(size)
    set_stage_time(b, s, s["t"])
    b.call(s["free"], "void", s["free_context"], s.address("stage_time"), rows.address["x"], s["settings"], c.first)
    s["evaluations"] = s["evaluations"] + 1
    found = c.parts(b.call("solve_contact", "ptr", b["s"]))
    b.call(s["finish"], "void", found["velocity"], c.bound, c.kept, found["delta"], rows.address["y"])
    b.call("normalise", "void", b["s"], rows.address["y"])
    far = b.value(float("inf"), space.real)
    off = b.call("project", space.real, b["s"], s["t1"], rows.address["y"], going, far)
    inverse = b.value(1.0 / size, space.vector)
    with rows.loop() as i:
        rows.store("end", i, (rows.load("y", i) - rows.load("x", i)) * inverse)
    s["across"], s["off"] = zero, off
    error = rows.zero_if_finite("end")
    b.give(b.select(off.ne(0.0), b.value(float("nan"), space.real), error))
    return b


def solve(space: Space) -> Build:
    """@solve_contact(s): Newton's method from the velocities of contacts at the start of the step; returns the block
    with the solution."""
    b, s = space.build("solve_contact", "ptr")
    c = ContactMemory(space, b, s)
    one, zero = (b.value(x, space.real) for x in (1.0, 0.0))
    block, other = b.variable(s["contact_now"]), b.variable(s["contact_next"])
    with b.when(c.rows.eq(0)):
        delta = c.parts(block())["delta"]
        with b.loop(0, c.speeds) as i:
            delta.store(zero, i)
        b.give(block())
    b.copy(block(), c.first, c.rows * c.lanes)
    going = s["active"] if "active" in space.layout.kinds else one
    done, updated = b.variable(b.select(going.ne(0.0), zero, one)), b.variable(zero)
    count, worst, before = b.variable(0), b.variable(zero), b.variable(block())
    with b.repeat(lambda: b.any(done().eq(0.0)) & (count() < MOST)):
        now, new = c.parts(block()), c.parts(other())
        b.call(s["iterate"], "void", now["velocity"], c.bound, before(), c.kept, new["velocity"])
        before.set(new["velocity"])
        left, right, difference, largest = (b.variable(zero) for _ in range(4))
        with b.loop(0, c.rows) as i:
            change = c.read(new["velocity"], i) - c.read(now["velocity"], i)
            y, gamma = c.read(new["y"], i), c.read(new["gamma"], i)
            left.set(left() + change * (c.read(now["y"], i) - c.read(now["gamma"], i)))
            right.set(right() + change * (y - gamma))
            c.largest(difference, gamma - y)
            c.largest(largest, b.most(b.intrinsic("fabs", gamma), b.intrinsic("fabs", y)))
        waits = done().ne(0.0)
        over = ~waits & (left() < 0.0) & (right() > left() * -OVERSHOOT)
        part = b.variable(b.select(waits, zero, one))
        with b.either((count() > 0) & b.any(over)) as otherwise:
            s["flag_of_search"] = b.select(over, one, zero)
            s["slope_left"], s["slope_right"] = left(), right()
            part.set(b.select(over, b.call("search_contact", space.real, b["s"], block(), other()), part()))
            short = over & (part() < SHORT)
            with b.loop(0, c.rows) as i:
                c.before.store(c.read(now["velocity"], i), i)
            _take(c, now, new, part())
            with b.loop(0, c.rows) as i:
                c.before.store(b.select(short, c.read(c.before, i), c.read(now["velocity"], i)), i)
            before.set(c.before)
            c.impulses(now["velocity"])
            with b.loop(0, c.rows) as i:
                between = b.select(part().eq(0.0), c.read(now["gamma"], i), c.read(c.law, i))
                now["gamma"].store(b.select(part().eq(1.0), c.read(new["gamma"], i), between), i)
            otherwise()
            with b.either(b.any(waits)) as all_go_on:
                _take(c, now, new, part())
                c.blend(now["gamma"], new["gamma"], c.rows, part())
                before.set(now["velocity"])
                all_go_on()
                block.set(new["velocity"])
                other.set(now["velocity"])
        count.set(count() + 1)
        now = c.parts(block())
        relative = difference() / b.most(largest(), b.value(TINY, space.real))
        worst.set(b.select(waits, worst(), relative))
        there = ~waits & part().eq(1.0)
        first, finished = there & updated().eq(0.0) & (relative <= NEAR), b.variable(zero)
        converged = there & (relative <= TOLERANCE)
        finished.set(b.select(converged & updated().ne(0.0), one, zero))
        with b.when(b.any(first)):
            moved, top = b.variable(zero), b.variable(zero)
            with b.loop(0, c.bounds) as i:
                earlier, later = c.read(c.bound, i), c.read(now["bound"], i)
                c.largest(moved, later - earlier)
                c.largest(top, b.most(later, earlier))
                c.bound.store(b.select(first, later, earlier), i)
            finished.set(b.select(converged & (moved() <= top() * STEADY), one, finished()))
            rest = first & finished().eq(0.0)
            with b.when(b.any(rest)):
                c.impulses(now["velocity"])
                difference.set(zero)
                with b.loop(0, c.rows) as i:
                    gamma = b.select(rest, c.read(c.law, i), c.read(now["gamma"], i))
                    now["gamma"].store(gamma, i)
                    c.largest(difference, gamma - c.read(now["y"], i))
                finished.set(b.select(rest & (difference() <= largest() * TOLERANCE), one, finished()))
            updated.set(b.select(first, one, updated()))
        done.set(b.most(done(), finished()))
    s["factorisations"] = s["factorisations"] + count()
    with b.when(b.any(done().eq(0.0))):
        now, new = c.parts(block()), c.parts(other())
        last_change, speed = b.variable(zero), b.variable(zero)
        with b.loop(0, c.rows) as i:
            v = c.read(now["velocity"], i)
            c.largest(last_change, v - c.read(new["velocity"], i))
            c.largest(speed, v)
        done.set(b.select(last_change() <= speed() * ROUNDING, one, done()))
    failed = done().eq(0.0)
    s["unconverged"] = s["unconverged"] + b.select(failed, one, zero)
    s["mismatch"] = b.most(s["mismatch"], b.select(failed, worst(), zero))
    b.give(block())
    return b


def _take(c: ContactMemory, now: dict[str, Value], new: dict[str, Value], part: Value) -> None:
    """This part of the iteration, but for γ."""
    for name, count in (("velocity", c.rows), ("y", c.rows), ("bound", c.bounds), ("delta", c.speeds)):
        c.blend(now[name], new[name], count, part)


def search(space: Space) -> Build:
    """@search_contact(s, now, new): where the slope vanishes between the last velocities and the next ones, in lanes
    with ``flag_of_search``: by secants and bisection."""
    b, s = space.build("search_contact", space.real, now="ptr", new="ptr")
    c = ContactMemory(space, b, s)
    now, new = c.parts(b["now"]), c.parts(b["new"])
    one, zero = (b.value(x, space.real) for x in (1.0, 0.0))
    low, high, at = b.variable(zero), b.variable(one), b.variable(one)
    left, right, small = b.variable(s["slope_left"]), b.variable(s["slope_right"]), s["slope_left"] * -CLOSE
    going, k = b.variable(s["flag_of_search"]), b.variable(0)
    with b.repeat(lambda: b.any(going().ne(0.0)) & (k() < SEARCHES)):
        secant = low() - left() * (high() - low()) / (right() - left())
        inside, third = (secant > low()) & (secant < high()), (k() * 43691 >> 17) * 3 + 2
        middle = (low() + high()) * 0.5
        wanted = b.select(inside, secant, middle)
        wanted = b.select(k().eq(third), middle, wanted)
        at.set(b.select(going().ne(0.0), wanted, at()))
        with b.loop(0, c.rows) as i:
            v = c.read(now["velocity"], i)
            c.trial.store(v + at() * (c.read(new["velocity"], i) - v), i)
        c.impulses(c.trial)
        slope = b.variable(zero)
        with b.loop(0, c.rows) as i:
            y = c.read(now["y"], i)
            there = y + at() * (c.read(new["y"], i) - y) - c.read(c.law, i)
            slope.set(slope() + (c.read(new["velocity"], i) - c.read(now["velocity"], i)) * there)
        up, on = slope() > 0.0, going().ne(0.0)
        high.set(b.select(on & up, at(), high()))
        right.set(b.select(on & up, slope(), right()))
        low.set(b.select(on & ~up, at(), low()))
        left.set(b.select(on & ~up, slope(), left()))
        ended = (b.intrinsic("fabs", slope()) <= small) | (high() - low() < 1e-14)
        going.set(b.select(on & ~ended, one, zero))
        k.set(k() + 1)
    b.give(at())
    return b


def prepare(space: Space, method: ContactMethod) -> Build:
    """@contact.prepare(s): the rows r of the interpolation between x and y: a line."""
    b, s = space.build(f"{method.name}.prepare")
    rows = StateRows(space, b, s, "x", "y", "r0", "r1")
    with rows.loop() as i:
        x = rows.load("x", i)
        rows.store("r0", i, x)
        rows.store("r1", i, rows.load("y", i) - x)
    return b
