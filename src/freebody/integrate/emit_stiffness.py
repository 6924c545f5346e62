"""Emitted code that tells whether stability or accuracy limits the steps of a run whose method may change
(``method="auto"``), for one state or for lanes. It only reads the states of accepted steps.

Now and then the spectral radius ρ of ∂ẋ/∂x is estimated by a few rounds of the power method on differences of f.
While the method is explicit, a step h is limited by stability where h ρ is near the limit of the method although the
motion itself is slow. While it is implicit, the pace of both methods is compared: that of the explicit one follows
from ρ, since the product of its steps and ρ is known from before.
"""

import numpy as np
from numpy.typing import NDArray

from freebody.backends.llvm.build import Build, Value
from freebody.integrate.emit_step import Space, SquareSum, StateRows, evaluate
from freebody.integrate.record import RecordFields

EXPLICIT, IMPLICIT = 1, 2
"""Values of ``watching``: which of both methods is in use; 0 where the method does not change."""

MEMORY = ("due", "spacing", "positives", "spent", "reach", "attempts", "mark_t", "verdict")
"""What is remembered from step to step: accepted steps until the next estimate, and between two of them; how many in a
row found the explicit method limited by stability (of the implicit one: how many comparisons there were); steps that
were limited (of the implicit one: whether the last comparison found it slower); the product of explicit steps and ρ;
attempts since ``mark_t``; whether the method is to change (1)."""

NUMBERS = ("nudge", "horizon", "enough", "relative_cost")
"""The size of differences in tolerances; when the run ends (NaN if that is not known); the limited steps from which
on a change pays; the cost of an implicit attempt over that of an explicit one."""

ROUNDS = 6
"""Rounds of the power method at each estimate."""

EVALUATIONS = ROUNDS + 1
"""Of f, at each estimate."""

FIRST, WIDEST, MOST = 8.0, 128.0, 4096.0
"""Accepted steps before the first estimate; the most between two of them; the most after changes that did not pay."""

LIMITED = 2.5
"""A step is limited by stability where h ρ is larger (dop853 is stable up to about 6, and its step size control settles
between 0.4 and 1 of that)."""

FAST, VISIBLE = 0.3, 1e2
"""The motion itself is fast where ẋ changes by more than this fraction of ρ times the change of x, and x by more than
so many tolerances."""

IN_A_ROW, ENOUGH, AGAIN = 4.0, 500.0, 16.0
"""The method changes after so many estimates in a row, if at least so many limited steps were taken or are ahead (more
for large systems: ``costs.enough_steps``); if not, the next estimate comes after so many steps."""

SETTLING, LONGEST = 8.0, 512.0
"""Implicit steps before the first comparison begins, by which the step size has grown; the most between two."""

BETTER, PAUSE = 1.25, 32.0
"""How much faster the explicit method must be, in two comparisons in a row, for the method to change back. If the first
two say so, the next estimate comes after more than so many steps, twice as many each time."""


def probe(n: int) -> NDArray[np.float64]:
    """The direction in which the power method begins, in tolerances: numbers without a pattern, of mean square 1."""
    v = np.cos(1.0 + np.arange(n) ** 2 * 0.7) + 0.1
    return np.asarray(v / np.sqrt(np.mean(v**2))) if n else v


def nudge(tight: float) -> float:
    """The size of differences, in tolerances of which the tightest is this: about 1e-8 of the state."""
    return float(np.clip(1e-8 / tight, 1e-8, 1e8))


def spectral_radius(space: Space) -> Build:
    """@spectral_radius(s): an estimate of the largest |λ| of ∂ẋ/∂x at the end of the step. Two rounds count, since
    those of an oscillation change with its phase; their mean does not."""
    b, s = space.build("spectral_radius", space.real)
    rows = StateRows(space, b, s, "y", "end", "trial", "extra0", "extra1", "probe", "atol", "rtol")

    def share(i: Value) -> Value:
        return rows.load("atol", i) + rows.load("rtol", i) * b.intrinsic("fabs", rows.load("y", i))

    size = b.value(s["nudge"], space.vector)
    with rows.loop() as i:
        rows.store("extra1", i, rows.load("probe", i) * share(i) * size)
    before, last = (b.variable(b.value(0.0, space.real)) for _ in range(2))
    with b.loop(0, ROUNDS):
        with rows.loop() as i:
            rows.store("trial", i, rows.load("y", i) + rows.load("extra1", i))
        evaluate(b, s, s["t1"], rows.address["trial"], rows.address["extra0"])
        square = SquareSum(rows)
        with rows.loop() as i:
            change = rows.load("extra0", i) - rows.load("end", i)
            rows.store("extra1", i, change)
            part = change / share(i)
            square.add(i, part)
        growth = b.intrinsic("sqrt", square.value() * s["inverse_n"]) / s["nudge"]
        before.set(last())
        last.set(growth)
        factor = b.value(b.select(growth > 0.0, 1.0 / growth, 0.0), space.vector)
        with rows.loop() as i:
            rows.store("extra1", i, rows.load("extra1", i) * factor)
    evaluate(b, s, s["t1"], rows.address["y"], rows.address["extra0"])  # what functions of users note is of this state
    b.give(b.intrinsic("sqrt", before() * last()))
    return b


def watch_stiffness(space: Space) -> Build:
    """@watch_stiffness(s, passed): after a step that was accepted where ``passed`` is 1, before its end becomes the
    state; sets ``verdict`` to 1 where the method is to change. Returns 1 where ρ was estimated."""
    b, s = space.build("watch_stiffness", space.real, passed=space.real)
    s["due"] = s["due"] - b["passed"]
    now = b["passed"].ne(0.0) & (s["due"] <= 0.0) & s["stagewise"].eq(0.0)
    with b.when(b.any(now)):
        radius = b.call("spectral_radius", space.real, b["s"])
        with b.either(s["watching"].eq(EXPLICIT)) as otherwise:
            _explicit(space, b, s, now, radius)
            otherwise()
            _implicit(b, s, now, radius)
    b.give(b.select(now, 1.0, b.value(0.0, space.real)))
    return b


def _explicit(space: Space, b: Build, s: RecordFields, now: Value, radius: Value) -> None:
    size, count = b.intrinsic("fabs", s["size"]), s["positives"]
    limited = now & (size * radius > LIMITED) & ~_moves_fast(space, b, s, radius)
    first = limited & count.eq(0.0)
    _mark(b, s, first)
    count = b.select(limited, count + 1.0, 0.0)
    certain = limited & (count >= IN_A_ROW)
    ahead = b.most(b.intrinsic("fabs", s["horizon"] - s["t1"]) / size, b.value(0.0, size.type))
    stiff = certain & (s["spent"] + ahead >= s["enough"])
    reach = b.intrinsic("fabs", s["t1"] - s["mark_t"]) / s["attempts"] * radius
    spacing = b.select(now & ~limited, b.most(s["spacing"], b.least(2.0 * s["spacing"], WIDEST)), s["spacing"])
    due = b.select(limited, b.select(certain, AGAIN, b.value(1.0, size.type)), spacing)
    s["due"] = b.select(now, b.select(stiff, SETTLING, due), s["due"])
    s["spacing"] = spacing
    s["spent"] = b.select(stiff, 0.0, b.select(certain, s["spent"] + AGAIN, s["spent"]))
    s["reach"] = b.select(stiff, reach, s["reach"])
    s["positives"] = b.select(now, b.select(stiff, 0.0, count), s["positives"])
    s["verdict"] = b.select(stiff, 1.0, s["verdict"])


def _moves_fast(space: Space, b: Build, s: RecordFields, radius: Value) -> Value:
    """Whether the motion of this step is about as fast as the fastest that is possible."""
    rows = StateRows(space, b, s, "x", "y", "k0", "end", "atol", "rtol")
    change, bend = SquareSum(rows), SquareSum(rows)
    with rows.loop() as i:
        size = b.most(*(b.intrinsic("fabs", rows.load(name, i)) for name in ("x", "y")))
        share = rows.load("atol", i) + rows.load("rtol", i) * size
        for total, new, old in ((change, "y", "x"), (bend, "end", "k0")):
            part = (rows.load(new, i) - rows.load(old, i)) / share
            total.add(i, part)
    D, B, fast = change.value(), bend.value(), FAST * radius
    return (fast * fast * D < B) & (D * s["inverse_n"] > VISIBLE**2)


def _implicit(b: Build, s: RecordFields, now: Value, radius: Value) -> None:
    count = s["positives"]
    begins, decides = now & count.eq(0.0), now & count.ne(0.0)
    mean = b.intrinsic("fabs", s["t1"] - s["mark_t"]) / s["attempts"]
    own = b.most(mean, b.intrinsic("fabs", s["size"])) / s["relative_cost"]  # steps may still grow
    slower = decides & (s["reach"] / radius > BETTER * own)
    back = slower & s["spent"].ne(0.0)
    failed = back & count.eq(2.0)
    wider = b.least(2.0 * b.most(s["spacing"], PAUSE), MOST)
    spacing = b.select(failed, wider, b.select(back, AGAIN, s["spacing"]))
    pause = b.select(begins | slower, SETTLING, b.least(AGAIN * count, LONGEST))
    s["due"] = b.select(now, b.select(back, spacing, pause), s["due"])
    s["spacing"] = spacing
    s["positives"] = b.select(now, b.select(back, 0.0, count + 1.0), count)
    s["spent"] = b.select(now, b.select(slower & ~back, 1.0, b.value(0.0, count.type)), s["spent"])
    s["verdict"] = b.select(back, 1.0, s["verdict"])
    _mark(b, s, now)


def _mark(b: Build, s: RecordFields, where: Value) -> None:
    """Measure the pace from here on."""
    s["mark_t"] = b.select(where, s["t1"], s["mark_t"])
    s["attempts"] = b.select(where, 0.0, s["attempts"])
