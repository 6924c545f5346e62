"""Figures of many loops: four-bars in a row (IFToMM A02) by loops over bodies; ladders, nets and rings, whose loops all
close on one long tree, by one sparse system that loops over bodies fill."""

import time
from collections.abc import Callable

import chains
import mechanisms
import numpy as np
import timing
from constraints import four_bars

import freebody as fb
from freebody.backends import Bound

Row = tuple[str, float, float | None, dict]
FEW, MANY = 100, 1000
END = 3.0
FAMILIES: dict[str, tuple[Callable[[int], mechanisms.Mechanism], tuple[int, ...]]] = {
    "ladder of {} rungs": (mechanisms.ladder, (75, 150, 300)),
    "net of 3 chains of {} bodies": (lambda n: mechanisms.curtain(3, n), (75, 150, 300)),
    "spatial ring of {} bodies": (mechanisms.ring, (250, 500, 1000)),
}
"""Mechanisms with more and more loops, or bodies in a loop, each twice as many as before."""


def upright(e: fb.Equations, angle: float) -> np.ndarray:
    """Coordinates, or speeds, of bars at an angle from the vertical."""
    return np.array([-angle if name.startswith("coupler") else angle for name in e.q])


def exact(count: int, angle: float) -> float:
    """θ̈ = c g sin θ."""
    return ((count + 1) / 2 + count) / ((count + 1) / 3 + count) * 9.81 * float(np.sin(angle))


def deriving() -> list[Row]:
    """Processor time from the description to machine code of u̇, nothing cached."""
    s, taken = four_bars(MANY), []
    for _ in range(3):
        with chains.empty_cache():
            start = time.process_time()
            f = s.derive("aba", rolled=True).compile()
            f.function("forward_dynamics")
            taken.append(time.process_time() - start)
    u_dot = f.forward_dynamics(upright(f.equations, 0.3), upright(f.equations, 1.0))
    if not np.abs(np.abs(u_dot) / exact(MANY, 0.3) - 1).max() < 1e-10:
        raise ArithmeticError("the accelerations of four-bars in a row are not the exact ones")
    times = {"freebody": timing.summary(taken)}
    value = times["freebody"]["best"]
    return [(f"{MANY} four-bars in a row, derive and compile, processor seconds", value, 5.0, {"seconds": times})]


def calling() -> list[Row]:
    """Time in proportion to the loops."""
    equations = {n: four_bars(n).derive("aba", rolled=True) for n in (FEW, MANY)}
    functions = {n: e.compile().function("forward_dynamics") for n, e in equations.items()}
    runs = {
        f"{n} four-bars": _loop(f, upright(equations[n], 0.3), upright(equations[n], 1.0)) for n, f in functions.items()
    }
    times = timing.nanoseconds(runs, clock=time.thread_time)
    few, many = (t["best"] for t in times.values())
    counts = {n: e.operations["forward_dynamics"].total for n, e in equations.items()}
    return [
        (f"four-bars in a row: a call at {MANY} over one at {FEW}", many / few, 12.0, {"nanoseconds": times}),
        (f"{MANY} four-bars in a row, operations a loop", counts[MANY] / MANY, None, {}),
    ]


def _loop(f: Bound, q: np.ndarray, u: np.ndarray) -> Callable[[int], None]:
    known = {**f.parameters, "hoisted": f.hoisted, "q": q, "u": u}
    given = [timing.aligned((g.size,), known.get(g.name, np.zeros(g.size))) for g in f.staged.main.groups]
    given += [timing.aligned((o.size,)) for o in f.program.outputs]
    run = timing.loop(f.main.library.address("run"), given)
    run.kept = given, f  # type: ignore[attr-defined]
    return run


def running() -> list[Row]:
    """The public call, from the description to the end of a run through flat positions, nothing cached."""
    with chains.empty_cache():
        s, start = four_bars(MANY), time.process_time()
        run = s.simulate([0.0, END], u={"crank": 1.0})
        taken = time.process_time() - start
    steps, each = run.statistics.steps, run.statistics.seconds
    more = {"steps": steps, "seconds of the steps": each, "drift": run.statistics.drift}
    what = f"{MANY} four-bars in a row, simulate({END:g}) from the description, processor seconds"
    return [(what, taken, None, more)]


def one_long_tree() -> list[Row]:
    """Solver 'sparse': processor time from the description to machine code of u̇, nothing cached, and that of a call."""
    rows: list[Row] = []
    for what, (family, counts) in FAMILIES.items():
        runs, made = dict[str, Callable[[int], None]](), 0.0
        for count in counts:
            m = family(count)
            with chains.empty_cache():
                start = time.process_time()
                f = m.system().derive(solver="sparse").compile().function("forward_dynamics")
                made = time.process_time() - start
            runs[what.format(count)] = _loop(f, m.q, np.full(m.count, 0.1))
        times = timing.nanoseconds(runs, clock=time.thread_time)
        *_, (_, half), (largest, most) = times.items()
        more = {"nanoseconds": times}
        rows += [
            (f"{largest}, derive and compile, processor seconds", made, None, {}),
            (f"{largest}, a call, microseconds", most["best"] / 1000, None, more),
            (f"{largest}, a call over one at half as many", most["best"] / half["best"], None, more),
        ]
    return rows


JOBS: dict[str, Callable[[], list[Row]]] = {
    "many loops, made": deriving, "many loops, called": calling, "many loops, run": running,
    "many loops, one long tree": one_long_tree,
}  # fmt: skip


if __name__ == "__main__":
    from mechanics import show

    for job in JOBS.values():
        for row in job():
            show(*row)
