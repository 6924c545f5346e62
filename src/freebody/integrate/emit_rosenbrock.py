"""Emitted code of one step of a Rosenbrock method (``rosenbrock``), for one state or for lanes, in place of
``emit_step.attempt`` and ``emit_step.prepare``.

The linear system of the stages is that of ``hybrid.system.StageSystem``: its entries are computed at the start of a
step, its factor for each size, and each stage is one solution.
"""

from freebody.backends.llvm.build import Build, Value
from freebody.integrate.emit_step import (
    ACROSS,
    ErrorNorm,
    Space,
    StateRows,
    evaluate,
    project_row,
    set_stage_time,
)
from freebody.integrate.record import RecordFields
from freebody.integrate.rosenbrock import Rosenbrock

SETTINGS = 2
"""G, and the weight of the derivatives by time."""


def attempt(space: Space, method: Rosenbrock) -> Build:
    """@NAME.attempt(s): as that of ``emit_step``. The entries stay while a step is repeated with another size."""
    b, s = space.build(f"{method.name}.attempt", space.real)
    U = method.increments
    rows = StateRows(space, b, s, "x", "y", "trial", "atol", "rtol", "k0", "end", *U, "extra0", "extra1")
    t, size = s["t"], s["size"]
    one, zero = (b.value(x, space.real) for x in (1.0, 0.0))
    in_lanes = "active" in space.layout.kinds  # which may be idle, and of which others may be new
    going = s["active"] if in_lanes else one
    stagewise = (s["stagewise"] * going).ne(0.0)
    where = s["stagewise"] * going
    with b.when(b.value(True, "i1") if in_lanes else s["again"].eq(0)):
        set_stage_time(b, s, t)
        _entries(b, s, rows)
    settings, G = s["settings"], size * method.gamma
    settings.store(G, 0)
    _factor(b, s)
    s["factorisations"] = s["factorisations"] + 1
    weight, g = settings.at(space.layout.lanes), b.value(G, space.vector)
    for k in range(method.stages):
        rate = "k0"
        if k:
            rate = "extra0"
            with rows.loop() as i:
                rows.store("trial", i, rows.load("x", i) + rows.sum(i, method.a[k], U))
            b.call("normalise", "void", b["s"], rows.address["trial"])  # as the derivatives assume
            with b.when(b.any(stagewise)):
                project_row(b, s, t + size * method.c[k], "trial", where)
            evaluate(b, s, t + size * method.c[k], rows.address["trial"], rows.address["extra0"])
        weights = {j: method.gamma * w for j, w in method.C[k].items()}
        with rows.loop() as i:
            right = g * rows.load(rate, i)
            rows.store("extra1", i, right + rows.sum(i, weights, U) if weights else right)
        weight.store(G * size * method.d[k], 0)
        _solve(b, s, rows.address["extra1"], rows.address[U[k]])
    with rows.loop() as i:
        rows.store("y", i, rows.load("x", i) + rows.sum(i, method.m, U))
    b.call("normalise", "void", b["s"], rows.address["y"])
    s["across"] = zero
    off, far = b.variable(zero), b.select(stagewise, b.value(s["far_stagewise"], space.real), s["far"])
    norm = ErrorNorm(rows, 1)
    with rows.loop() as i:
        part = rows.load(U[-1], i) * norm.share(i)
        norm.totals[0].add(i, part)
    error = b.variable(norm.value(s))
    wanted = (error() <= 1.0) | stagewise
    with b.when(b.any(wanted)):
        where_wanted = b.select(wanted, going, zero)
        off.set(b.call("project", space.real, b["s"], s["t1"], rows.address["y"], where_wanted, far))
        evaluate(b, s, s["t1"], rows.address["y"], rows.address["end"])
        error.set(error() + rows.zero_if_finite("y", "end"))
    with b.when(b.any(stagewise)):
        along = _error_along(rows, s, U[-1], where) + rows.zero_if_finite("end")
        relaxed = b.select(along * ACROSS <= error(), along * s["relax"], along)
        s["across"] = b.select(stagewise, error(), zero)
        error.set(b.select(stagewise, relaxed, error()))
    s["off"] = off()
    b.give(b.select(off().ne(0.0), b.value(float("nan"), space.real), error()))
    return b


def _entries(b: Build, s: RecordFields, rows: StateRows) -> None:
    """The numbers of the linear system at the start of the step."""
    solution = b.variable(rows.address["k0"].at(s["first_speed"] * rows.space.layout.lanes))  # u̇ as part of ẋ
    with b.when(s["constrained"].ne(0)):
        b.call(
            s["solution"],
            "void",
            s["solution_context"],
            s.address("stage_time"),
            rows.address["x"],
            s["solution_values"],
        )
        solution.set(s["solution_values"])
    arguments = s["entries_context"], s.address("stage_time"), rows.address["x"], solution(), s["entry_values"]
    b.call(s["entries"], "void", *arguments)
    s["jacobians"] = s["jacobians"] + 1


def _factor(b: Build, s: RecordFields) -> None:
    numbers = s["entry_values"], s["settings"], s["factor_values"]
    with b.either(s["full"].ne(0)) as otherwise:
        b.call(s["factor"], "void", *numbers, s["full_matrix"])
        b.call("factor_full", "void", b["s"])
        otherwise()
        b.call(s["factor"], "void", *numbers)


def _solve(b: Build, s: RecordFields, right: Value, increments: Value) -> None:
    numbers = s["entry_values"], s["settings"], s["factor_values"]
    with b.either(s["full"].ne(0)) as otherwise:
        b.call(s["solve"], "void", *numbers, right, s["full_values"])
        b.call("solve_full", "void", b["s"])
        b.call(s["backward"], "void", *numbers, s["full_values"], increments)
        otherwise()
        b.call(s["solve"], "void", *numbers, right, increments)


class FullMatrix:
    """The full matrix in memory: rows of ``vectors`` vectors, each of ``group`` numbers of a row; and below it a row of
    the pivots that count as zero if they are smaller."""

    def __init__(self, space: Space, s: RecordFields) -> None:
        self.space, self.matrix, self.size = space, s["full_matrix"], s["full"]
        self.group = space.width // space.layout.lanes
        self.stride = s["full_stride"]
        self.vectors = self.stride / self.group

    def number(self, i: Value, j: Value) -> Value:
        """The address of entry (i, j)."""
        return self.matrix.at(i * self.stride + j, self.space.real)

    def row(self, i: Value) -> Value:
        return self.number(i, i - i)


def factor_full(space: Space) -> Build:
    """@factor_full(s): L U in place, without exchange of rows; the inverse of pivots on the diagonal. A pivot that
    vanishes makes the solution infinite, so that the step is rejected."""
    b, s = space.build("factor_full")
    A, pivots = FullMatrix(space, s), s["full_row"]
    with b.loop(0, A.size) as k:
        pivot = A.number(k, k).load(0, space.real)
        vanishes = b.intrinsic("fabs", pivot) < A.number(A.size, k).load(0, space.real)
        inverse = 1.0 / b.select(vanishes, b.value(0.0, space.real), pivot)
        A.number(k, k).store(inverse)
        b.copy(pivots, A.row(k), A.stride * space.layout.lanes)
        with b.loop(0, k + 1) as j:
            pivots.at(j, space.real).store(b.value(0.0, space.real))
        with b.loop(k + 1, A.size) as i:
            ratio = A.number(i, k).load(0, space.real) * inverse
            A.number(i, k).store(ratio)
            factor, row = b.value(ratio, space.vector), A.row(i)
            with b.loop(k / A.group, A.vectors) as v:
                row.store(row.load(v, space.vector) - factor * pivots.load(v, space.vector), v)
    return b


def solve_full(space: Space) -> Build:
    """@solve_full(s): U⁻¹ L⁻¹ times the first numbers of ``full_values``, in place."""
    b, s = space.build("solve_full")
    A, values = FullMatrix(space, s), s["full_values"]

    def minus_products(i: Value, middle: Value, last: Value, start: Value, end: Value) -> Value:
        """The value i less the products of row i: in vectors from ``middle`` to ``last``, in numbers from ``start`` to
        ``end``."""
        row, total = A.row(i), b.variable(b.value(0.0, space.vector))
        with b.loop(middle, last) as v:
            total.set(total() + row.load(v, space.vector) * values.load(v, space.vector))
        single = b.variable(values.load(i, space.real))
        with b.loop(start, end) as j:
            single.set(single() - row.load(j, space.real) * values.load(j, space.real))
        return single() - (total() if space.vector == space.real else b.total(total()))

    with b.loop(1, A.size) as i:
        whole = i / A.group
        values.store(minus_products(i, whole - whole, whole, whole * A.group, i), i)
    with b.loop(0, A.size) as k:
        i = A.size - 1 - k
        following = (i + A.group) / A.group
        rest = minus_products(i, following, A.vectors, i + 1, following * A.group)
        values.store(rest * A.number(i, i).load(0, space.real), i)
    return b


def _error_along(rows: StateRows, s: RecordFields, error: str, where: Value) -> Value:
    """‖e‖² with e = y − the projection of y + the error: what of the error remains on the constraints."""
    b, norm = rows.b, ErrorNorm(rows, 1)
    with rows.loop() as i:
        rows.store("trial", i, rows.load("y", i) + rows.load(error, i))
    project_row(b, s, s["t1"], "trial", where)
    with rows.loop() as i:
        part = (rows.load("trial", i) - rows.load("y", i)) * norm.share(i)
        norm.totals[0].add(i, part)
    return norm.value(s)


def prepare(space: Space, method: Rosenbrock) -> Build:
    """@NAME.prepare(s): the rows r of the interpolation between x and y, from the increments alone."""
    b, s = space.build(f"{method.name}.prepare")
    terms = [f"r{k}" for k in range(method.terms)]
    rows = StateRows(space, b, s, "x", "y", *method.increments, *terms)
    with rows.loop() as i:
        x = rows.load("x", i)
        rows.store("r0", i, x)
        rows.store("r1", i, rows.load("y", i) - x)
        for name, weights in zip(terms[2:], method.dense, strict=True):
            rows.store(name, i, rows.sum(i, weights, method.increments))
    return b
