"""Emitted solver of small least-squares problems with equality constraints and bounds.

The smallest ½ Σ w r(q)² + ½ Σ v (q − p)² with φ(q) = 0 and low ≤ q ≤ high, by damped Gauss–Newton steps δ along the
columns of J and G (Levenberg–Marquardt): each solves the quadratic problem

    A δ + Gᵀ y = −g,  G δ − ε y = −φ − ε y₀,  low ≤ q + δ ≤ high,   A = Jᵀ W J + V + λ,  g = Jᵀ W r + V (q − p),

for given multipliers y₀, which each step improves; a small ε admits dependent rows of G. The matrix is quasi-definite,
so that it has a factorisation L D Lᵀ in any order. Bounds are found by block principal pivoting (Kim and Park 2011):
columns that leave their bounds are put on them, those on bounds whose multiplier has the wrong sign are freed, all at
once while this reduces their number. λ = μ (|r|² + |φ|²), where μ follows the ratio of the actual and the predicted
decrease (Fan and Yuan 2005): steps are hardly damped near a solution.
"""

from math import inf

from freebody.backends.llvm.build import Build, Mutable, Value
from freebody.integrate.least_squares_record import BUDGET, NOT_FINITE, REACHED, STATIONARY, Problem

ARGUMENTS = range(2, 12)
"""Numbers of pointers that compiled programs take."""

REGULAR = 1e-9
"""The smallest λ, and ε, as fractions of the largest diagonal entries."""

GAIN, CALM, CALM_STEPS, REJECTIONS, BLOCKS = 1e-4, 1e-13, 40, 40, 3
"""The part of the predicted decrease that a step must reach; a predicted decrease that rounding hides, as a fraction;
how many steps it may remain hidden; steps rejected one after another; block exchanges without progress."""


def add_to(variable: Mutable, value: Value) -> None:
    variable.set(variable() + value)


def applications() -> list[Build]:
    """@apply.N(table): calls the function whose address is the table's first entry with its N other entries."""
    builds = list[Build]()
    for count in ARGUMENTS:
        b = Build(f"apply.{count}", "void", {"table": "ptr"}, export=True)
        function, *arguments = (b["table"].load(k, "ptr") for k in range(count + 1))
        b.call(function, "void", *arguments)
        builds.append(b)
    return builds


def measure(width: int) -> Build:
    """@measure(s): evaluates at trial; ½ Σ w r² with what pulls, the largest |r| of weight, Σ|φ|, the largest |φ| and
    Σ φ²."""
    b = Build("measure", "void", {"s": "ptr"}, width=width)
    p = Problem(b, width)
    s = p.s
    b.call(s["evaluate"], "void", s["evaluate_table"])
    s["evaluations"] = s["evaluations"] + 1
    cost, worst, gap, far, square = (b.variable(0.0) for _ in range(5))
    r, phi, weight, trial = p.output("r"), p.output("phi"), p.array("weight"), p.array("trial")
    with b.loop(0, p.r) as k:
        e, w = r.load(k), weight.load(k)
        add_to(cost, 0.5 * w * e * e)
        with b.when(w > 0.0):
            worst.set(b.most(b.intrinsic("fabs", e), worst()))
    with b.loop(0, p.n) as i:
        v, k = p.array("pull").load(i), p.array("index").load(i, "i64")
        with b.when(v > 0.0):
            e = trial.load(k) - p.array("centre").load(i)
            add_to(cost, 0.5 * v * e * e)
    with b.loop(0, p.m) as k:
        e = phi.load(k)
        size = b.intrinsic("fabs", e)
        add_to(gap, size)
        add_to(square, e * e)
        far.set(b.most(size, far()))
    for name, variable in (("cost", cost), ("worst", worst), ("gap", gap), ("far", far), ("square", square)):
        s[f"new_{name}"] = variable()
    return b


def form(width: int) -> Build:
    """@form(s): H = Jᵀ W J + V (its upper triangle), g, and G and φ of the values, which are those at q."""
    b = Build("form", "void", {"s": "ptr"}, width=width)
    p = Problem(b, width)
    s, H, g, J, r = p.s, p.array("H"), p.array("g"), p.output("J"), p.output("r")
    zero = b.value(0.0, "double")
    for array, size in ((H, p.n * p.ln), (g, p.ln)):
        with b.loop(0, size) as k:
            array.store(zero, k)
    with b.loop(0, p.r) as k:
        w, row = p.array("weight").load(k), J.at(k * p.ln)
        p.add(g, row, w * r.load(k), 0, p.ln)
        with b.loop(0, p.n) as i:
            f = w * row.load(i)
            with b.when(f.ne(0.0)):
                p.add(H.at(i * p.ln), row, f, p.block(i), p.ln)
    largest, steepest = b.variable(0.0), b.variable(0.0)
    with b.loop(0, p.n) as i:
        v, diagonal = p.array("pull").load(i), H.at(i * (p.ln + 1))
        with b.when(v > 0.0):
            diagonal.store(diagonal.load() + v)
            e = p.array("q").load(p.array("index").load(i, "i64")) - p.array("centre").load(i)
            g.store(g.load(i) + v * e, i)
        largest.set(b.most(diagonal.load(), largest()))
    b.copy(p.array("G"), p.output("G"), p.m * p.ln)
    b.copy(p.array("phi"), p.output("phi"), p.m)
    with b.loop(0, p.m * p.ln) as k:
        steepest.set(b.most(b.intrinsic("fabs", p.array("G").load(k)), steepest()))
    s["largest"] = b.select(largest() > 0.0, largest(), 1.0)
    s["steepest"] = steepest()
    return b


def assemble(width: int) -> Build:
    """@assemble(s, damping): the matrix K (its upper triangle, rows of ``lk`` numbers) and the right side x; columns
    that are not free have their values."""
    b = Build("assemble", "void", {"s": "ptr", "damping": "double"}, width=width)
    p = Problem(b, width)
    s, K, x, G, y = p.s, p.array("K"), p.array("x"), p.array("G"), p.array("y")
    lk, size, step, status = s["lk"], p.n + p.m, p.array("step"), p.array("status")
    epsilon = REGULAR * s["steepest"] * s["steepest"] / (s["largest"] + b["damping"])
    epsilon = b.select(epsilon > 0.0, epsilon, 1.0)
    with b.loop(0, p.n) as i:
        row, H = K.at(i * lk), p.array("H").at(i * p.ln)
        with b.loop(i, p.n) as j:
            row.store(H.load(j), j)
        row.store(row.load(i) + b["damping"], i)
        with b.loop(0, p.m) as k:
            row.store(G.load(k * p.ln + i), p.n + k)
        x.store(-1.0 * p.array("g").load(i), i)
    with b.loop(0, p.m) as k:
        i = p.n + k
        row = K.at(i * lk)
        with b.loop(i, size) as j:
            row.store(b.value(0.0, "double"), j)
        row.store(-1.0 * epsilon, i)
        x.store(-1.0 * (p.array("phi").load(k) + epsilon * y.load(k)), i)
    with b.loop(0, p.n) as i:
        mark = status.load(i, "i64")
        with b.when(mark.ne(0)):
            below, above = p.bounds(i)
            value = b.select(mark.eq(2), 0.0, b.select(mark < 0, below, above))
            step.store(value, i)
            with b.loop(0, i) as j:
                _eliminate(x, K.at(j * lk + i), j, value)
            with b.loop(i + 1, size) as j:
                _eliminate(x, K.at(i * lk + j), j, value)
            K.store(b.value(1.0, "double"), i * lk + i)
    with b.loop(0, p.n) as i, b.when(status.load(i, "i64").ne(0)):
        x.store(step.load(i), i)
    return b


def _eliminate(x: Value, entry: Value, row: Value, value: Value) -> None:
    """Move a term whose unknown has a value to the right side of a row."""
    x.store(x.load(row) - entry.load() * value, row)
    entry.store(x.b.value(0.0, "double"))


def factor(width: int) -> Build:
    """@factor(s): K = Uᵀ D U in place (its rows are those of D U), and the solution in x."""
    b = Build("factor", "void", {"s": "ptr"}, width=width)
    p = Problem(b, width)
    K, x, lk, size = p.array("K"), p.array("x"), p.s["lk"], p.n + p.m
    with b.loop(0, size) as k:
        row = K.at(k * lk)
        inverse = 1.0 / row.load(k)
        right = x.load(k) * inverse
        with b.loop(k + 1, size) as i:
            entry = row.load(i)
            with b.when(entry.ne(0.0)):
                p.add(K.at(i * lk), row, -1.0 * entry * inverse, p.block(i), lk)
                x.store(x.load(i) - entry * right, i)
    with b.loop(0, size) as back:
        k = size - 1 - back
        row, total = K.at(k * lk), b.variable(x.load(k))
        with b.loop(k + 1, size) as j:
            total.set(total() - row.load(j) * x.load(j))
        x.store(total() / row.load(k), k)
    return b


def direction(width: int) -> Build:
    """@direction(s, damping): the step δ and the multipliers y, with the status of columns."""
    b = Build("direction", "void", {"s": "ptr", "damping": "double"}, width=width)
    p = Problem(b, width)
    x, step, status, flip = (p.array(name) for name in ("x", "step", "status", "flip"))
    best, tries, left, done = b.variable(p.n + 1), b.variable(BLOCKS), b.variable(4 * p.n + 20), b.variable(0)
    with b.repeat(lambda: (left() > 0) & done().eq(0)):
        left.set(left() - 1)
        b.call("assemble", "void", b["s"], b["damping"])
        b.call("factor", "void", b["s"])
        count, last = b.variable(0), b.variable(-1)
        with b.loop(0, p.n) as i:
            mark, wrong = status.load(i, "i64"), b.variable(0)
            with b.when(mark.eq(0)):
                below, above = p.bounds(i)
                value = x.load(i)
                wrong.set(b.select(value < below, -1, b.select(value > above, b.value(1, "i64"), 0)))
            with b.when((mark * mark).eq(1)):
                pull = _gradient(p, b["damping"], i)
                wrong.set(b.whole(b.real(mark) * pull > 0.0))
            flip.store(wrong(), i)
            with b.when(wrong().ne(0)):
                count.set(count() + 1)
                last.set(i)
        with b.either(count().eq(0)) as otherwise:
            done.set(1)
            otherwise()
            fewer = count() < best()
            one = ~fewer & (tries() <= 0)
            tries.set(b.select(fewer, BLOCKS, tries() - 1))
            best.set(b.select(fewer, count(), best()))
            with b.loop(0, p.n) as i:
                wrong_one = flip.load(i, "i64")
                with b.when(wrong_one.ne(0) & (~one | i.eq(last()))):
                    mark = status.load(i, "i64")
                    status.store(b.select(mark.eq(0), wrong_one, 0), i)
    with b.loop(0, p.n) as i:
        below, above = p.bounds(i)
        step.store(b.most(b.least(x.load(i), above), below), i)
    b.copy(p.array("y"), x.at(p.n), p.m)
    return b


def _gradient(p: Problem, damping: Value, i: Value) -> Value:
    """The derivative of the quadratic problem by a column, at x."""
    b, H, x = p.b, p.array("H"), p.array("x")
    total = b.variable(p.array("g").load(i) + damping * x.load(i))
    with b.loop(0, i) as j:
        add_to(total, H.load(j * p.ln + i) * x.load(j))
    with b.loop(i, p.n) as j:
        add_to(total, H.load(i * p.ln + j) * x.load(j))
    with b.loop(0, p.m) as k:
        add_to(total, p.array("G").load(k * p.ln + i) * x.load(p.n + k))
    return total()


def solve(width: int) -> Build:
    """@solve(s): steps from q until there is a reason to return."""
    b = Build("solve", "i64", {"s": "ptr"}, width=width, export=True)
    p = Problem(b, width)
    s, q, trial, step = p.s, p.array("q"), p.array("trial"), p.array("step")
    nq, before = s["nq"], b.variable(inf)
    calm, rejected, polished = b.variable(0), b.variable(0), b.variable(0)
    s["damping"], s["budget"], s["iterations"], s["evaluations"] = s["first"], s["steps"], 0, 0
    with b.loop(0, p.n) as i:
        p.array("status").store(p.array("start").load(i, "i64"), i)
    with b.loop(0, p.m) as k:
        p.array("y").store(b.value(0.0, "double"), k)
    with b.loop(0, p.n) as i:  # the guess within its bounds
        k = p.array("index").load(i, "i64")
        with b.when((k >= 0) & p.array("status").load(i, "i64").ne(2)):
            x = q.load(k)
            q.store(b.most(b.least(x, p.array("high").load(i)), p.array("low").load(i)), k)
    b.copy(trial, q, nq)
    b.call("measure", "void", b["s"])
    _accept(p)
    with b.when(~_finite(p)):
        b.give(NOT_FINITE)
    with b.repeat(lambda: s["budget"] > 0):
        s["budget"] = s["budget"] - 1
        within = (s["worst"] <= s["tolerance"]) & (s["far"] <= s["closed"])
        with b.when(within & s["settle"].eq(0)):  # one more step: its residual is rounding
            with b.when(polished().ne(0) | s["polish"].eq(0)):
                b.give(REACHED)
            polished.set(1)
        error = 2.0 * s["cost"] + s["square"]
        damping = b.most(s["damping"] * error, REGULAR * s["largest"])
        b.call("direction", "void", b["s"], damping)
        s["iterations"] = s["iterations"] + 1
        length, turn = b.variable(0.0), b.variable(0.0)
        with b.loop(0, p.n) as i:
            size = b.intrinsic("fabs", step.load(i))
            length.set(b.most(size, length()))
            turn.set(b.most(size * p.array("angular").load(i), turn()))
        with b.when(length() <= s["shortest"]):
            b.give(b.select(within, b.value(REACHED, "i64"), STATIONARY))
        part = s["longest"] / b.most(turn(), s["longest"])
        _try(p, part)
        force = b.variable(0.0)
        with b.loop(0, p.m) as k:
            force.set(b.most(b.intrinsic("fabs", p.array("y").load(k)), force()))
        force.set(2.0 * force())
        predicted = _predicted(p, part) + force() * part * s["gap"]
        merit = s["cost"] + force() * s["gap"]
        actual = merit - (s["new_cost"] + force() * s["new_gap"])
        hidden = predicted <= CALM * merit
        with b.when(hidden):
            calm.set(calm() + 1)
            with b.when((length() >= before()) | (calm() > CALM_STEPS)):
                _return_to(p)
                b.give(b.select(within, b.value(REACHED, "i64"), STATIONARY))
            before.set(length())
        good = (actual >= GAIN * predicted) | (hidden & ((actual * 0.0).eq(0.0)))
        with b.either(good) as otherwise:
            ratio = actual / predicted
            change = b.select(ratio > 0.75, 0.25, b.select(ratio < 0.25, b.value(4.0, "double"), 1.0))
            s["damping"] = b.select(hidden, s["damping"], b.most(s["damping"] * change, 1e-8))
            b.copy(q, trial, nq)
            _accept(p)
            rejected.set(0)
            otherwise()
            s["damping"] = 8.0 * damping / error
            rejected.set(rejected() + 1)
            with b.when(within & polished().ne(0)):
                _return_to(p)
                b.give(REACHED)
            with b.when(rejected() > REJECTIONS):
                b.give(STATIONARY)
        with b.when(~_finite(p)):
            b.give(NOT_FINITE)
    within = (s["worst"] <= s["tolerance"]) & (s["far"] <= s["closed"])
    _return_to(p)
    b.give(b.select(within, b.value(REACHED, "i64"), BUDGET))
    return b


def _accept(p: Problem) -> None:
    """The values at trial as those at q."""
    for name in ("cost", "worst", "gap", "far", "square"):
        p.s[name] = p.s[f"new_{name}"]
    p.b.call("form", "void", p.b["s"])


def _return_to(p: Problem) -> None:
    """The values are those at q again, not those of a step that was tried."""
    p.b.copy(p.array("trial"), p.array("q"), p.s["nq"])
    p.b.call("measure", "void", p.b["s"])


def _finite(p: Problem) -> Value:
    total = p.s["cost"] + p.s["gap"] + p.s["largest"] + p.s["steepest"]
    return (total * 0.0).eq(0.0)


def _try(p: Problem, part: Value) -> None:
    """Evaluate at q ⊕ part · δ."""
    b, s, delta = p.b, p.s, p.array("delta")
    with b.loop(0, p.n) as i:
        delta.store(part * p.array("step").load(i), p.array("columns").load(i, "i64"))
    b.call(s["move"], "void", s["move_table"])
    b.call("measure", "void", b["s"])


def _predicted(p: Problem, part: Value) -> Value:
    """How much less ½ Σ w r² + … is expected to be after part · δ."""
    b, H, step = p.b, p.array("H"), p.array("step")
    slope, bend = b.variable(0.0), b.variable(0.0)
    with b.loop(0, p.n) as i:
        x = step.load(i)
        add_to(slope, p.array("g").load(i) * x)
        add_to(bend, 0.5 * H.load(i * (p.ln + 1)) * x * x)
        with b.loop(i + 1, p.n) as j:
            add_to(bend, H.load(i * p.ln + j) * x * step.load(j))
    return -1.0 * part * slope() - part * part * bend()


PARTS = (measure, form, assemble, factor, direction, solve)
