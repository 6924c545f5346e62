"""Emitted code of one step of an ESDIRK method (``esdirk``), for one state, in place of ``emit_step.attempt``.

The stages are solved by Newton's iteration with the linear system of ``run.recursive_stages``, whose entries are
computed at the start of a step, and its factor for each size. An iteration ends when its contraction, as measured so
far, promises an error below its tolerances, the rows ``near`` and ``near_rel``. The derivatives of the stages follow
from the states, k = (Y − base)/(hγ): rates of a stiff state would be far off where it is slightly off.
"""

from freebody.backends.llvm.build import Build, Value
from freebody.integrate.emit_step import ErrorNorm, Space, SquareSum, StateRows, evaluate, set_stage_time
from freebody.integrate.esdirk import Esdirk
from freebody.integrate.record import RecordFields

MOST = 10
"""Iterations fail after so many."""

SLOWEST, UNKNOWN = 0.8, 1.0
"""The largest contraction with which an iteration goes on, and what stands for one that is not known. That of the first
two changes does not count: those of coordinates may change forces much before these are in balance."""

NEGLIGIBLE = 0.01
"""A change of this many tolerances ends an iteration whatever its contraction, of which rounding leaves no trace."""

FAILED = 4e5
"""The square of an error for which the next step has a quarter of the size: where an iteration does not converge."""

BASE, RATE, RIGHT, CHANGE = "k8", "k9", "extra0", "extra1"
"""Rows of x + h Σ a_ij k_j without the diagonal, of ẋ, and of the linear system."""


def attempt(space: Space, method: Esdirk) -> Build:
    """@NAME.attempt(s): as that of ``emit_step``. The entries stay while a step is repeated with another size."""
    b, s = space.build(f"{method.name}.attempt", space.real)
    names = method.rows
    rows = StateRows(space, b, s, "x", "y", "trial", "atol", "rtol", BASE, RIGHT, CHANGE, *names[: method.stages + 1])
    t, size, h = s["t"], s["size"], b.value(s["size"], space.vector)
    gamma = b.value(size * method.gamma, space.vector)
    with b.when(s["again"].eq(0)):
        set_stage_time(b, s, t)
        b.call(
            s["entries"], "void", s["entries_context"], s.address("stage_time"), rows.address["x"], s["entry_values"]
        )
        s["jacobians"] = s["jacobians"] + 1
        root = b.intrinsic("sqrt", s["contraction"])  # what is long known counts less: c to the power 7/8
        fourth = b.intrinsic("sqrt", root)
        s["contraction"] = root * fourth * b.intrinsic("sqrt", fourth)
    s["settings"].store(size * method.gamma, 0)
    b.call(s["factor"], "void", s["entry_values"], s["settings"], s["factor_values"])
    s["factorisations"] = s["factorisations"] + 1
    failed = b.variable(b.value(0.0, space.real))
    for k in range(1, method.stages):
        known = {j: w for j, w in method.a[k].items() if j < k}
        with b.when(failed().eq(0.0)):
            with rows.loop() as i:
                base = rows.load("x", i) + h * rows.sum(i, known, names)
                rows.store(BASE, i, base)
                rows.store("trial", i, base + gamma * rows.sum(i, method.predictors[k], names))
            end = s["t1"] if k == method.stages - 1 else t + size * method.c[k]
            failed.set(b.call(f"{method.name}.stage", space.real, b["s"], end))
            with rows.loop() as i:
                rows.store(names[k], i, (rows.load("trial", i) - rows.load(BASE, i)) / gamma)
    rows.copy("y", "trial")
    rows.copy("end", names[method.stages - 1])
    b.call("normalise", "void", b["s"], rows.address["y"])
    with rows.loop() as i:
        rows.store(RIGHT, i, h * rows.sum(i, method.errors[0], names))
    _solve(b, s, rows)
    norm = ErrorNorm(rows, 1)
    with rows.loop() as i:
        part = rows.load(CHANGE, i) * norm.share(i)
        norm.totals[0].add(i, part)
    s["off"], s["across"] = 0.0, 0.0
    error = norm.value(s) + rows.zero_if_finite("y", "end")
    b.give(b.select(failed().eq(0.0), error, FAILED))
    return b


def stage(space: Space, method: Esdirk) -> Build:
    """@NAME.stage(s, t): the state of a stage in ``trial`` from a guess there, by Newton's iteration
    (1 − hγ J) ΔY = base + hγ f(Y) − Y. Returns 1 if it does not converge."""
    b, s = space.build(f"{method.name}.stage", space.real, t=space.real)
    rows = StateRows(space, b, s, "x", "trial", "near", "near_rel", BASE, RATE, RIGHT, CHANGE)
    gamma = b.value(s["settings"].load(0, space.real), space.vector)
    zero, one = (b.value(x, space.real) for x in (0.0, 1.0))
    count, before, result = b.variable(0), b.variable(zero), b.variable(one * 2.0)
    with b.repeat(lambda: result() > 1.0):
        evaluate(b, s, b["t"], rows.address["trial"], rows.address[RATE])
        with rows.loop() as i:
            rows.store(RIGHT, i, rows.load(BASE, i) + gamma * rows.load(RATE, i) - rows.load("trial", i))
        _solve(b, s, rows)
        total = SquareSum(rows)
        with rows.loop() as i:
            change, old = rows.load(CHANGE, i), rows.load("trial", i)
            size = b.most(b.intrinsic("fabs", rows.load("x", i)), b.intrinsic("fabs", old))
            total.add(i, change / (rows.load("near", i) + rows.load("near_rel", i) * size))
            rows.store("trial", i, old + change)
        length = b.intrinsic("sqrt", total.value() * s["inverse_n"])
        again = count() > 0
        ratio = length / b.select(before().eq(0.0), one, before())
        before_last = 0.3 * b.least(s["contraction"], one)
        s["contraction"] = b.select(again, b.most(ratio, before_last), s["contraction"])
        known = s["contraction"]
        left = length * known / b.most(one - known, b.value(1e-3, space.real))
        diverges = ((count() > 1) & (ratio > SLOWEST)) | (count() >= MOST - 1) | ~(length < 1e150)
        done = (left < 1.0) & (known <= SLOWEST) | (length < NEGLIGIBLE)
        result.set(b.select(done, zero, b.select(diverges, one, result())))
        before.set(length)
        count.set(count() + 1)
    s["contraction"] = b.select(result().eq(0.0), s["contraction"], UNKNOWN)
    b.give(result())
    return b


def _solve(b: Build, s: RecordFields, rows: StateRows) -> None:
    """(1 − hγ J)⁻¹ times the right side."""
    numbers: list[Value] = [s["entry_values"], s["settings"], s["factor_values"]]
    b.call(s["solve"], "void", *numbers, rows.address[RIGHT], rows.address[CHANGE])
