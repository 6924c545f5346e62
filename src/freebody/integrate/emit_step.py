"""Emitted code of one step, for one state or for lanes: stages, new state, error, interpolation, and the step size.

A row holds one state, padded to whole vectors; or the states of several lanes, one vector for each component. Either
way it is a sequence of vectors, and the same code serves both: step sizes and errors are scalars in the first case and
vectors over the lanes in the second.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import log2

from freebody.backends.llvm.build import Build, Value
from freebody.backends.llvm.ir import real
from freebody.integrate.record import RecordFields, RecordLayout
from freebody.integrate.tableaus import Row, Tableau

MEMORY, PREDICTIVE_MEMORY = 1e-4, 1e-2
"""The smallest error that the PI controller remembers, and that Gustafsson's predictive controller takes."""

FINE = 2.2e-15
"""The smallest step, as a fraction of the current time: ten units in the last place."""

PATIENCE, SLOW, HOPELESS = 1e5, 1e14, 1e17
"""The pace of a run is measured over windows of steps: the first has PATIENCE steps, each further one is twice as long.
The product of the steps of a window and of those still to come at its pace decides: above SLOW the run is examined, and
ends if it chatters; above HOPELESS it ends in any case (after a million steps, 1e11 are to come). The first window
and a pace that has doubled since the last window are exempt."""

CONTRADICTS, SHORTER = 1e8, 0.25
"""An interpolated state contradicts f where its ``defect``, a square, is larger; the step is then repeated with this
part of its size. Smooth systems and dry friction have at most 5e5 at tolerances up to 1e-6, and 4e7 at 1e-3; a force
that all stages of a step miss has 1e13 and more (docs/decisions/031)."""

CALLS, LAST = 6, 1e4
"""The most calls of a projection, and by how much the last one may change the state more than the others: near singular
states rounding, or slow convergence, leaves more than the usual limit."""

SURPRISE = 100.0
"""A step the square of whose error is larger is repeated stagewise before it becomes shorter (see ``attempt``), and so
is one that follows a rejected step: ordinary steps that are too long miss by less, and once."""

ACROSS = 100.0
"""Next to a singular position the square of the error across the constraints is this many times that along them."""


class Space:
    """How states lie in memory: vectors of ``width`` numbers, of one state or of as many lanes. ``real`` is the type of
    times, step sizes and errors, and of one component in a row; ``single`` is the width of vectors of one state."""

    def __init__(self, layout: RecordLayout, width: int, single: int) -> None:
        self.layout, self.width, self.single = layout, width, single
        self.vector, self.real = real(width), real(layout.lanes)

    def build(self, name: str, result: str = "void", /, **arguments: str) -> tuple[Build, RecordFields]:
        """A function of the record and of further arguments."""
        b = Build(name, result, {"s": "ptr", **arguments}, width=self.width)
        return b, RecordFields(b, self.layout, b["s"])


class StateRows:
    """The rows one function works on. Their addresses are computed on construction, outside of all loops."""

    def __init__(self, space: Space, b: Build, s: RecordFields, *names: str, **others: Value) -> None:
        self.space, self.b = space, b
        self.address = {name: s.row(name) for name in names} | others
        self.vectors = s["vectors"]

    @contextmanager
    def loop(self) -> Iterator[Value]:
        """Over the vectors of a row."""
        with self.b.loop(0, self.vectors) as i:
            yield i

    def load(self, name: str, i: Value) -> Value:
        return self.address[name].load(i, self.space.vector)

    def store(self, name: str, i: Value, value: Value) -> None:
        self.address[name].store(value, i)

    def copy(self, target: str, source: str) -> None:
        with self.loop() as i:
            self.store(target, i, self.load(source, i))

    def sum(self, i: Value, weights: Row, names: Sequence[str]) -> Value:
        """Σ w_k row_k in vector i."""
        first, *others = weights.items()
        total = self.load(names[first[0]], i) * first[1]
        for k, w in others:
            total = total + self.load(names[k], i) * w
        return total

    def advance(self, target: str, size: Value, weights: Row, names: Sequence[str]) -> None:
        """x + size Σ w_k row_k into a row."""
        h = self.b.value(size, self.space.vector)
        with self.loop() as i:
            self.store(target, i, self.load("x", i) + h * self.sum(i, weights, names))

    def reduce(self, vector: Value) -> Value:
        """The sum over a state's components, from a sum over a row's vectors: per lane, or for one state."""
        return vector if vector.type == self.space.real else self.b.total(vector)

    def zero_if_finite(self, *names: str) -> Value:
        """0 where all numbers in these rows are finite, NaN elsewhere."""
        total = self.b.variable(self.b.value(0.0, self.space.vector))
        with self.loop() as i:
            for name in names:
                total.set(total() + self.load(name, i) * 0.0)
        return self.reduce(total())


class SquareSum:
    """A sum of squares over the components of a state. Its terms are added in the same order for one state, whose
    vectors have several of them, and in lanes: both take equal steps, to the bit."""

    def __init__(self, rows: StateRows) -> None:
        self.rows, space = rows, rows.space
        parts = space.single if space.vector == space.real else 1
        self.parts = [rows.b.variable(rows.b.value(0.0, space.vector)) for _ in range(parts)]

    def add(self, i: Value, part: Value) -> None:
        """The square of vector i of a row. It is rounded before it is added, lest some of them be fused with sums."""
        square = part.b.let(part.type, f"fmul {part}, {part.name}")
        if len(self.parts) == 1:
            (total,) = self.parts
            total.set(total() + square)
            return
        for k, total in enumerate(self.parts):
            own = (i & (len(self.parts) - 1)).eq(k)
            total.set(self.rows.b.select(own, total() + square, total()))

    def value(self) -> Value:
        """As ``Build.total`` adds the numbers of a vector."""
        sums = [part() for part in self.parts]
        while len(sums) > 1:
            half = len(sums) // 2
            sums = [a + b for a, b in zip(sums[:half], sums[half:], strict=True)]
        return self.rows.reduce(sums[0])


def evaluate(b: Build, s: RecordFields, t: Value, x: Value, out: Value) -> None:
    """f(t, x) into a row, counted. Times are clamped strictly between the break points on both sides, so that a step
    sees one side of a jump only."""
    set_stage_time(b, s, t)
    b.call(s["field"], "void", s["context"], s.address("stage_time"), x, out)
    s["evaluations"] = s["evaluations"] + 1


def set_stage_time(b: Build, s: RecordFields, t: Value) -> None:
    s["stage_time"] = b.least(b.most(t, s["low"]), s["high"])


def normalise(space: Space) -> Build:
    """@normalise(s, row): normalises the quaternions in a row."""
    b, s = space.build("normalise", row="ptr")
    indices, row = s["quaternions"], b["row"]
    with b.loop(0, s["quaternion_count"]) as k:
        first = row.at(indices.load(k, "i64"), space.real)
        q = [first.load(c, space.real) for c in range(4)]
        length = b.intrinsic("sqrt", q[0] * q[0] + q[1] * q[1] + (q[2] * q[2] + q[3] * q[3]))
        for c in range(4):
            first.store(q[c] / length, c)
    return b


def project(space: Space) -> Build:
    """@project(s, t, row, where, far): moves the states in a row to the manifold of the constraints at time t, where
    ``where`` is not 0; returns 1 where that fails, else 0.

    ``manifold`` makes one Newton correction. It is called until the last change is small (``manifold.near``), at most
    CALLS times: usually twice, since the first call corrects the coordinates and the second the speeds at these. Each
    call starts from the given speeds: away from the manifold equations may forbid speeds that they allow on it. It
    fails where it does not converge, is not finite, or moves a component by more than ``far`` tolerances; the state
    then stays as it was. Lanes that have converged keep their state while others go on."""
    b, s = space.build("project", space.real, t=space.real, row="ptr", where=space.real, far=space.real)
    with b.when(s.address("manifold").load(0, "i64").eq(0)):  # no constraints
        b.give(b.value(0.0, space.real))
    rows = StateRows(space, b, s, "before", "corrected", "near", "near_rel", "atol", "rtol", row=b["row"])
    rows.copy("before", "row")
    set_stage_time(b, s, b["t"])
    none, some = b.value(0.0, space.real), b.value(1.0, space.real)
    active, failed, calls = b.variable(b["where"]), b.variable(none), b.variable(0)
    unlimited, far = b.value(float("inf"), space.vector), b.value(b["far"], space.vector)
    with b.repeat(lambda: b.any(active().ne(0.0)) & (calls() < CALLS)):
        with b.when(calls() > 0), rows.loop() as i:
            is_speed = rows.load("near", i).eq(unlimited)
            given = b.select(is_speed, rows.load("before", i), rows.load("row", i))
            rows.store("row", i, b.select(active().ne(0.0), given, rows.load("row", i)))
        calls.set(calls() + 1)
        s["projections"] = s["projections"] + active()
        b.call(s["manifold"], "void", s["manifold_context"], s.address("stage_time"), b["row"], s.row("corrected"))
        b.call("normalise", "void", b["s"], rows.address["corrected"])
        scale, now = b.select(calls().eq(CALLS), b.value(LAST, "double"), 1.0), active().ne(0.0)
        moving, lost = (b.variable(b.value(0.0, space.vector)) for _ in range(2))
        with rows.loop() as i:
            old, new, first = (rows.load(name, i) for name in ("row", "corrected", "before"))
            change, distance, size = (b.intrinsic("fabs", v) for v in (new - old, new - first, new))
            small = b.value(scale, space.vector) * (rows.load("near", i) + rows.load("near_rel", i) * size)
            reach = far * (rows.load("atol", i) + rows.load("rtol", i) * size)
            moving.set(moving() + b.select(change <= small, b.value(0.0, space.vector), 1.0))
            lost.set(lost() + b.select(distance <= reach, b.value(0.0, space.vector), 1.0))
            rows.store("row", i, b.select(now, new, old))
        beyond = now & rows.reduce(lost()).ne(0.0)
        failed.set(b.select(beyond, some, failed()))
        active.set(b.select(now & ~beyond & rows.reduce(moving()).ne(0.0), some, none))
    failed.set(b.most(failed(), active()))
    with b.when(b.any(failed().ne(0.0))), rows.loop() as i:
        rows.store("row", i, b.select(failed().ne(0.0), rows.load("before", i), rows.load("row", i)))
    b.give(failed())
    return b


def project_row(b: Build, s: RecordFields, t: Value, row: str, where: "Value | float" = 1.0) -> Value:
    """@project of a row by name, however far it must move."""
    type_ = s.layout.types["t"]
    anywhere = b.value(float("inf"), type_)
    return b.call("project", type_, b["s"], b.value(t, type_), s.row(row), b.value(where, type_), anywhere)


def attempt(space: Space, tableau: Tableau) -> Build:
    """@NAME.attempt(s): the step from t to t1 of this size, into y and end; returns its error squared (accepted: ≤ 1),
    NaN where something is not finite. The new state's quaternions are normalised and it is projected to the constraints
    before f is evaluated at the step's end; where the error allows the step but the projection fails, the error is NaN
    and ``off`` is 1.

    Where ``stagewise`` is 1 the states of all stages are projected too, and the error is that along the constraints.
    Steps past a singular position, such as that of a four-bar which is flat, need this: next to it constraints that are
    slightly off change u̇ by much, so that errors of stages, and even rounding, prevent any step; yet the motion on the
    constraints is smooth there."""
    b, s = space.build(f"{tableau.name}.attempt", space.real)
    names = tableau.rows
    rows = StateRows(space, b, s, "x", "y", "trial", "atol", "rtol", *names[: tableau.stages + 1])
    t, size = s["t"], s["size"]
    one, zero = (b.value(x, space.real) for x in (1.0, 0.0))
    going = s["active"] if "active" in space.layout.kinds else one  # lanes may be idle
    where = s["stagewise"] * going if tableau.control is not None else zero
    stagewise = where.ne(0.0)
    for k in range(1, tableau.stages):
        rows.advance("trial", size, tableau.a[k], names)
        if tableau.control is not None:
            with b.when(b.any(stagewise)):
                project_row(b, s, t + size * tableau.c[k], "trial", where)
        evaluate(b, s, t + size * tableau.c[k], rows.address["trial"], rows.address[names[k]])
    rows.advance("y", size, tableau.b, names)
    b.call("normalise", "void", b["s"], rows.address["y"])
    s["across"] = zero
    off, far = b.variable(zero), b.select(stagewise, b.value(s["far_stagewise"], space.real), s["far"])

    def project_end(where: Value) -> None:
        off.set(b.call("project", space.real, b["s"], s["t1"], rows.address["y"], where, far))
        evaluate(b, s, s["t1"], rows.address["y"], rows.address["end"])

    if tableau.error_needs_end:
        project_end(going)
        error = b.variable(_error(rows, s, size, tableau))
    else:
        error = b.variable(_error(rows, s, size, tableau) if tableau.errors else zero)
        wanted = (error() <= 1.0) | stagewise
        with b.when(b.any(wanted)):
            project_end(b.select(wanted, going, zero))
            error.set(error() + rows.zero_if_finite("y", "end"))
    if tableau.control is not None:
        with b.when(b.any(stagewise)):
            along = _error_along(rows, s, size, tableau, where) + rows.zero_if_finite("end")
            relaxed = b.select(along * ACROSS <= error(), along * s["relax"], along)
            s["across"] = b.select(stagewise, error(), zero)
            error.set(b.select(stagewise, relaxed, error()))
    if tableau.error_needs_end:
        off.set(b.select(error() <= 1.0, off(), zero))
    s["off"] = off()
    b.give(b.select(off().ne(0.0), b.value(float("nan"), space.real), error()))
    return b


def _error(rows: StateRows, s: RecordFields, size: Value, tableau: Tableau) -> Value:
    """h² ‖e‖² with e = Σ e_k k_k (see ``ErrorNorm``)."""
    norm = ErrorNorm(rows, len(tableau.errors))
    with rows.loop() as i:
        share = norm.share(i)
        for total, weights in zip(norm.totals, tableau.errors, strict=True):
            part = rows.sum(i, weights, tableau.rows) * share
            total.add(i, part)
    return size * size * norm.value(s)


def _error_along(rows: StateRows, s: RecordFields, size: Value, tableau: Tableau, where: Value) -> Value:
    """‖e‖² with e = y − the projection of y + h Σ e_k k_k: what of the error remains on the constraints."""
    b, norm = rows.b, ErrorNorm(rows, len(tableau.errors))
    h = b.value(size, rows.space.vector)
    for total, weights in zip(norm.totals, tableau.errors, strict=True):
        with rows.loop() as i:
            rows.store("trial", i, rows.load("y", i) + h * rows.sum(i, weights, tableau.rows))
        project_row(b, s, s["t1"], "trial", where)
        with rows.loop() as i:
            part = (rows.load("trial", i) - rows.load("y", i)) * norm.share(i)
            total.add(i, part)
    return norm.value(s)


class ErrorNorm:
    """‖e‖², the mean of (e_i / (atol_i + rtol_i max(|x_i|, |y_i|)))²; of two estimates, Hairer's combination
    ‖e‖ = ‖e_5‖² / √(‖e_5‖² + 0.01 ‖e_3‖²) (II.10). ``totals`` are the sums of squares of each estimate."""

    def __init__(self, rows: StateRows, count: int) -> None:
        self.rows = rows
        self.totals = [SquareSum(rows) for _ in range(count)]

    def share(self, i: Value) -> Value:
        """The inverse of the tolerances of vector i."""
        b = self.rows.b
        old, new = (b.intrinsic("fabs", self.rows.load(name, i)) for name in ("x", "y"))
        return 1.0 / (self.rows.load("atol", i) + self.rows.load("rtol", i) * b.most(old, new))

    def value(self, s: RecordFields) -> Value:
        means = [total.value() * s["inverse_n"] for total in self.totals]
        if len(means) == 1:
            return means[0]
        mixed = means[0] + 0.01 * means[1]
        return means[0] * (means[0] / self.rows.b.select(mixed.eq(0.0), 1.0, mixed))


def prepare(space: Space, tableau: Tableau) -> Build:
    """@NAME.prepare(s): the rows r of the interpolation between x and y (tableaus.py), from additional stages too. No
    error estimate covers these: their states are projected to the constraints, away from which u̇ may be far off where
    equations depend on others only for certain lengths."""
    b, s = space.build(f"{tableau.name}.prepare")
    names, terms = tableau.rows, [f"r{k}" for k in range(tableau.terms)]
    rows = StateRows(space, b, s, "x", "y", "trial", *names, *terms)
    t, size = s["t"], s["size"]
    due = s["flag"] if "flag" in space.layout.kinds else 1.0  # not all lanes have rows to save in this step
    for k, (c, weights) in enumerate(zip(tableau.extra_c, tableau.extra, strict=True)):
        rows.advance("trial", size, weights, names)
        project_row(b, s, t + size * c, "trial", due)
        evaluate(b, s, t + size * c, rows.address["trial"], rows.address[f"extra{k}"])
    h = b.value(size, space.vector)
    with rows.loop() as i:
        x, first, last = rows.load("x", i), h * rows.load("k0", i), h * rows.load("end", i)
        change = rows.load("y", i) - x
        bend = first - change
        for name, value in zip(terms, (x, change, bend, change - last - bend), strict=False):
            rows.store(name, i, value)
        for name, weights in zip(terms[4:], tableau.dense, strict=True):
            rows.store(name, i, h * rows.sum(i, weights, names))
    return b


def interpolate(space: Space) -> Build:
    """@interpolate(s, theta, row): the state at this fraction of the step, from the rows r by Horner's rule, with
    normalised quaternions; it is as close to the constraints as the step is accurate."""
    b, s = space.build("interpolate", theta=space.real, row="ptr")
    rows = StateRows(space, b, s, "r0", row=b["row"])
    terms, stride, first = s["terms"], s["stride"], rows.address["r0"]
    inner, outer = b["theta"], 1.0 - b["theta"]
    odd = (terms & 1).eq(1)
    start, following = b.select(odd, outer, inner), b.select(odd, inner, outer)
    with rows.loop() as i:
        total = b.variable(first.at(stride * (terms - 1)).load(i, space.vector))
        factor, other = b.variable(start), b.variable(following)
        k = b.variable(terms - 2)
        with b.repeat(lambda: k() >= 0):
            now = factor()
            total.set(first.at(stride * k()).load(i, space.vector) + total() * now)
            factor.set(other())
            other.set(now)
            k.set(k() - 1)
        rows.store("row", i, total())
    b.call("normalise", "void", b["s"], b["row"])
    return b


def is_judged(s: RecordFields) -> Value:
    """Whether saved states are compared with f: in steps of controlled size, if the projection to the constraints
    agrees with f (it does where constraints are ``consistent``, see ``Manifold``; else ``far`` is infinite)."""
    return s["step"].eq(0.0) & (s["far"] < float("inf"))


def defect(space: Space) -> Build:
    """@defect(s, t, theta, row): how far f at the interpolated state in a row is from the slope of the interpolation,
    as a square: h² times the mean of ((f_i − ẋ_i) / (atol_i + rtol_i |x_i|))². The slope is the derivative of Horner's
    rule in ``interpolate``."""
    b, s = space.build("defect", space.real, t=space.real, theta=space.real, row="ptr")
    rows = StateRows(space, b, s, "r0", "rate", "atol", "rtol", row=b["row"])
    evaluate(b, s, b["t"], rows.address["row"], rows.address["rate"])
    terms, stride, first = s["terms"], s["stride"], rows.address["r0"]
    inner, outer = b["theta"], 1.0 - b["theta"]
    odd, one = (terms & 1).eq(1), b.value(1.0, space.real)
    size, square = b.value(s["size"], space.vector), SquareSum(rows)
    with rows.loop() as i:
        total = b.variable(first.at(stride * (terms - 1)).load(i, space.vector))
        slope = b.variable(b.value(0.0, space.vector))
        factor, other = b.variable(b.select(odd, outer, inner)), b.variable(b.select(odd, inner, outer))
        sign = b.variable(b.select(odd, -1.0 * one, one))
        k = b.variable(terms - 2)
        with b.repeat(lambda: k() >= 0):
            slope.set(slope() * factor() + total() * sign())
            total.set(first.at(stride * k()).load(i, space.vector) + total() * factor())
            now = factor()
            factor.set(other())
            other.set(now)
            sign.set(-1.0 * sign())
            k.set(k() - 1)
        share = rows.load("atol", i) + rows.load("rtol", i) * b.intrinsic("fabs", rows.load("row", i))
        part = (size * rows.load("rate", i) - slope()) / share
        square.add(i, part)
    b.give(square.value() * s["inverse_n"])
    return b


def first_step(space: Space) -> Build:
    """@first_step(s, direction, most): the size of the first step from x and its derivative in k0, at most ``most``;
    one evaluation of f (Hairer II.4, "Starting step size"), which may be slightly off the constraints."""
    b, s = space.build("first_step", space.real, direction="double", most=space.real)
    rows = StateRows(space, b, s, "x", "k0", "k1", "trial", "atol", "rtol")

    def norm(name: str, less: str = "") -> Value:
        """Of a row, or of a difference of two, divided by the tolerances at x."""
        total = SquareSum(rows)
        with rows.loop() as i:
            value = rows.load(name, i) - rows.load(less, i) if less else rows.load(name, i)
            x = b.intrinsic("fabs", rows.load("x", i))
            part = value / (rows.load("atol", i) + rows.load("rtol", i) * x)
            total.add(i, part)
        return b.intrinsic("sqrt", total.value() * s["inverse_n"])

    d0, d1 = norm("x"), norm("k0")
    small = (d0 <= 1e-5) | (d1 <= 1e-5)
    guess = b.least(b.select(small, 1e-6, 0.01 * d0 / d1), b["most"])
    step = guess * b["direction"]
    rows.advance("trial", step, {0: 1.0}, ["k0"])
    b.call("normalise", "void", b["s"], rows.address["trial"])
    evaluate(b, s, s["t"] + step, rows.address["trial"], rows.address["k1"])
    d2 = norm("k1", "k0") / guess
    bend = b.most(d1, d2)
    flat = b.most(b.value(1e-6, space.real), guess * 1e-3)
    straight, ratio, exponent = bend <= 1e-15, 0.01 / bend, s["inverse_order"]
    curved = b.select(straight, flat, _power2(b, exponent * _log2(b, ratio)))
    trusted = b.select(b.intrinsic("fabs", d2) < 1e300, b.least(100.0 * guess, curved), 1e-3 * guess)
    b.give(b.least(trusted, b["most"]))
    return b


def stalled(b: Build, s: RecordFields, full: Value) -> Value:
    """Where the window is ``full``: whether the end is far away at its pace. The next window begins."""
    steps, passed = s["pace_steps"], b.intrinsic("fabs", s["t"] - s["pace_t"])
    ahead, pace = b.intrinsic("fabs", s["t_end"] - s["t"]), passed / steps
    far = steps * (steps * ahead) > SLOW * passed
    result = full & far & (pace <= 2.0 * s["pace"])
    values = {"pace_t": s["t"], "pace_steps": 2.0 * steps, "pace_left": 2.0 * steps, "pace": pace}
    for name, value in values.items():
        s[name] = b.select(full, value, s[name])
    return result


def min_step(b: Build, s: RecordFields) -> Value:
    """The resolution of time, and never less than ``min_step``, which is positive."""
    return b.most(s["min_step"], FINE * b.intrinsic("fabs", s["t"]))


def repeats(b: Build, s: RecordFields, error: Value) -> Value:
    """Where a step that failed is repeated stagewise: systems with constraints that are ``consistent`` (see
    ``Manifold``), steps of controlled size that miss by far, cannot return to the constraints, or follow a rejected
    one."""
    possible = s.address("manifold").load(0, "i64").ne(0) & is_judged(s)
    return s["stagewise"].eq(0.0) & (~(error <= SURPRISE) | s["again"].ne(0)) & possible


def stays_stagewise(b: Build, s: RecordFields) -> Value:
    """1 where the next step is stagewise too, since this one would have failed otherwise; else 0."""
    return b.select(s["across"] <= 1.0, 0.0, s["stagewise"])


def next_sizes(b: Build, s: RecordFields, square: Value, size: Value) -> tuple[Value, Value, Value]:
    """The next step size if this step is accepted, and if it is rejected, from the square of its error; the logarithm
    of the error, to be remembered. Hairer's DOPRI5 and DOP853: h clip(safety (old err)ᵝ / errᵉ). Where the control
    ``predicts``, it is not larger than Gustafsson's, which continues the trend of step sizes and errors:
    h safety (h / old h) (old err / err²)ᵉ (Hairer & Wanner, Solving Ordinary Differential Equations II, IV.8)."""
    level = 0.5 * _log2(b, square)
    raw, largest, smallest = -1.0 * s["exponent"] * level, s["largest"], s["smallest"]
    memory, before = b.most(s["memory"], log2(PREDICTIVE_MEMORY)), s["accepted"]
    trend = _log2(b, size / b.select(before > 0.0, before, 1.0)) + s["exponent"] * memory + 2.0 * raw
    predicted = b.select((before > 0.0) & (s["predicts"] > 0.0), trend, raw + s["beta"] * s["memory"])
    grown = _power2(b, b.least(raw + s["beta"] * s["memory"], predicted)) * s["safety"]
    shrunk = b.select(square.eq(square), _power2(b, raw) * s["safety"], s["smallest"])
    accepted = size * b.most(b.least(grown, largest), smallest)
    rejected = size * b.most(shrunk, smallest)
    return accepted, rejected, b.most(level, b.value(log2(MEMORY), level.type))


def _log2(b: Build, x: Value) -> Value:
    """log₂ x to 1e-3, which suffices for a step size, is fast, and is the same in every lane and on every machine. The
    bits of x = 2ᵉ (1 + u), read as an integer, are e + u; a cubic in u adds the remainder. −1023 for 0, 1024 for ∞."""
    bits, one = b.bits(x), 1023 << 52
    u = b.bits((bits & (2**52 - 1)) | one, "double") - 1.0
    return b.real(bits - one) * 2.0**-52 + u * (1.0 - u) * (0.42157659 - 0.15684817 * u)


def _power2(b: Build, x: Value) -> Value:
    """2ˣ to 1e-4: x rounded goes into the exponent's bits, the remainder through a cubic; |x| is limited to 1000."""
    shift = 1.5 * 2.0**52
    inside = b.most(b.least(x, 1000.0), b.value(-1000.0, x.type))
    rounded = inside + shift
    f = inside - (rounded - shift)
    mantissa = 0.99992892 + f * (0.69327626 + f * (0.24260435 + f * 0.05508873))
    return b.bits(b.bits(mantissa) + (b.bits(rounded) << 52), "double")
