"""One step of a method: stages, new state, error; what the interpolation needs; the size of the first step."""

from freebody.backends.llvm.build import Build, Value
from freebody.integrate.emit_control import power
from freebody.integrate.emit_layout import Fields
from freebody.integrate.emit_rows import Rows, Space, evaluate
from freebody.integrate.tableaus import Row, Tableau


def stage_names(tableau: Tableau) -> list[str]:
    """The rows in the order of the tables' indices."""
    return [*(f"k{i}" for i in range(tableau.stages)), "end", *(f"extra{i}" for i in range(len(tableau.extra)))]


def attempt(space: Space, tableau: Tableau) -> Build:
    """@NAME.attempt(s): the step from t to t1 of the given size, into y and end; returns its error squared (accepted:
    ≤ 1), NaN where something is not finite. The new quaternions are made unit before f at the step's end is taken."""
    b, s = space.build(f"{tableau.name}.attempt", space.real)
    names = stage_names(tableau)
    rows = Rows(space, b, s, "x", "y", "trial", "atol", "rtol", *names[: tableau.stages + 1])
    t, size = s["t"], s["size"]
    for k in range(1, tableau.stages):
        _combine(rows, "trial", size, tableau.a[k], names)
        evaluate(b, s, t + size * tableau.c[k], rows.places["trial"], rows.places[names[k]])
    _combine(rows, "y", size, tableau.b, names)
    b.call("project", "void", b["s"], rows.places["y"])
    if tableau.error_needs_end:
        _end(b, s, rows)
        b.give(_error(rows, s, size, tableau, names))
        return b
    error = b.variable(_error(rows, s, size, tableau, names) if tableau.errors else b.value(0.0, space.real))
    with b.when(b.any(error() <= 1.0)):
        _end(b, s, rows)
        error.set(error() + _nothing(rows, "y", "end"))
    b.give(error())
    return b


def _end(b: Build, s: Fields, rows: Rows) -> None:
    evaluate(b, s, s["t1"], rows.places["y"], rows.places["end"])


def _combine(rows: Rows, name: str, size: Value, weights: Row, names: list[str]) -> None:
    """x + size Σ w k into a row."""
    h = rows.b.value(size, rows.space.vector)
    with rows.loop() as i:
        rows.put(name, i, rows.at("x", i) + h * rows.sum(i, weights, names))


def _nothing(rows: Rows, *names: str) -> Value:
    """0 where the rows are finite, NaN where they are not."""
    b = rows.b
    total = b.variable(b.value(0.0, rows.space.vector))
    with rows.loop() as i:
        for name in names:
            total.set(total() + rows.at(name, i) * 0.0)
    return rows.whole(total())


def finite(rows: Rows, *names: str) -> Value:
    """Whether all numbers in these rows are."""
    return _nothing(rows, *names).eq(0.0)


def _scale(rows: Rows, i: Value, size: Value) -> Value:
    """atol + rtol |x|."""
    return rows.at("atol", i) + rows.at("rtol", i) * size


def _error(rows: Rows, s: Fields, size: Value, tableau: Tableau, names: list[str]) -> Value:
    """h² ‖e‖² with ‖e‖² the mean of (e_i / (atol_i + rtol_i max(|x_i|, |y_i|)))²; of two estimates, Hairer's
    combination ‖e‖ = ‖e_5‖² / √(‖e_5‖² + 0.01 ‖e_3‖²) (II.10)."""
    b, zero = rows.b, rows.b.value(0.0, rows.space.vector)
    totals = [b.variable(zero) for _ in tableau.errors]
    with rows.loop() as i:
        old, new = (b.intrinsic("fabs", rows.at(name, i)) for name in ("x", "y"))
        share = 1.0 / _scale(rows, i, b.most(old, new))
        for total, weights in zip(totals, tableau.errors, strict=True):
            part = rows.sum(i, weights, names) * share
            total.set(total() + part * part)
    means = [rows.whole(total()) * s["inverse_n"] for total in totals]
    if len(means) == 1:
        return size * size * means[0]
    mixed = means[0] + 0.01 * means[1]
    return size * size * (means[0] * (means[0] / b.select(mixed.eq(0.0), 1.0, mixed)))


def prepare(space: Space, tableau: Tableau) -> Build:
    """@NAME.prepare(s): the rows r of the interpolation between x and y; further stages where the method needs them."""
    b, s = space.build(f"{tableau.name}.prepare")
    names = stage_names(tableau)
    made = [f"r{k}" for k in range(tableau.terms)]
    rows = Rows(space, b, s, "x", "y", "trial", *names, *made)
    t, size = s["t"], s["size"]
    for k, (c, weights) in enumerate(zip(tableau.extra_c, tableau.extra, strict=True)):
        _combine(rows, "trial", size, weights, names)
        evaluate(b, s, t + size * c, rows.places["trial"], rows.places[f"extra{k}"])
    h = b.value(size, space.vector)
    with rows.loop() as i:
        x, first, last = rows.at("x", i), h * rows.at("k0", i), h * rows.at("end", i)
        change = rows.at("y", i) - x
        bend = first - change
        for name, value in zip(made, (x, change, bend, change - last - bend), strict=False):
            rows.put(name, i, value)
        for name, weights in zip(made[4:], tableau.dense, strict=True):
            rows.put(name, i, h * rows.sum(i, weights, names))
    return b


def first_step(space: Space) -> Build:
    """@first_step(s, direction, most): the size of the first step from x and its derivative in k0, one evaluation of f
    (Hairer II.4, "Starting step size"), at most ``most``."""
    b, s = space.build("first_step", space.real, direction="double", most=space.real)
    rows = Rows(space, b, s, "x", "k0", "k1", "trial", "atol", "rtol")
    d0, d1 = _scaled(rows, s, "x"), _scaled(rows, s, "k0")
    small = (d0 <= 1e-5) | (d1 <= 1e-5)
    guess = b.least(b.select(small, 1e-6, 0.01 * d0 / d1), b["most"])
    step = guess * b["direction"]
    _combine(rows, "trial", step, {0: 1.0}, ["k0"])
    b.call("project", "void", b["s"], rows.places["trial"])
    evaluate(b, s, s["t"] + step, rows.places["trial"], rows.places["k1"])
    d2 = _scaled(rows, s, "k1", "k0") / guess
    bend = b.most(d1, d2)
    flat = b.most(b.value(1e-6, space.real), guess * 1e-3)
    curved = b.select(bend <= 1e-15, flat, power(b, 0.01 / bend, s["inverse_order"]))
    trusted = b.select(b.intrinsic("fabs", d2) < 1e300, b.least(100.0 * guess, curved), 1e-3 * guess)
    b.give(b.least(trusted, b["most"]))
    return b


def _scaled(rows: Rows, s: Fields, name: str, less: str = "") -> Value:
    """The norm of a row (less another) over the tolerances at x."""
    b = rows.b
    total = b.variable(b.value(0.0, rows.space.vector))
    with rows.loop() as i:
        value = rows.at(name, i) - rows.at(less, i) if less else rows.at(name, i)
        part = value / _scale(rows, i, b.intrinsic("fabs", rows.at("x", i)))
        total.set(total() + part * part)
    return b.intrinsic("sqrt", rows.whole(total()) * s["inverse_n"])
