"""Many flexible bodies: chains of 100 beams with 10 modes each, in loops over bodies, against chains of 10.

    python benchmarks/flexible_rolled.py

Each body is described on its own, with equal numbers, and hinges are about z and y in turn. All is measured through
what users call: ``s.derive()``, ``compile()`` and ``forward_dynamics(q, u)``.
"""

import time
from collections.abc import Callable

import numpy as np
import timing
from chains import empty_cache

import freebody as fb
from freebody.formulations.rolled.equations import Rolled

Row = tuple[str, float, float | None, dict]
FEW, MANY, MODES = 10, 100, 10
ORDERS = ("ruthless", "full")


def chain(bodies: int, order: str, modes: int = MODES) -> fb.System:
    s = fb.System(f"chain of {bodies} beams", gravity=(0, 0, -9.81))
    on: fb.Body | None = None
    for k in range(bodies):
        beam = fb.Beam(length=1.0, EI=(300.0, 200.0), density=1.0, polar_inertia=0.02)
        link = s.body(
            f"link{k}",
            on=on,
            joint=fb.Revolute("zy"[k % 2]),
            mass=0.5,
            com=(0.1, 0, 0),
            flexible=beam,
            inertia=(0.02, 0.02, 0.02),
            modes=modes,
            order=order,
        )
        on = link.node("tip")
    return s


def call(s: fb.System) -> Callable[[int], None]:
    """A function that computes accelerations n times at a deformed state; the first call compiles."""
    e = s.derive()
    f, rng = e.compile().forward_dynamics, np.random.default_rng(0)
    q = np.array([1e-4 if ".m" in name else 0.5 for name in e.q]) * rng.normal(size=len(e.q))
    u = rng.normal(size=len(e.u))

    def repeat(n: int) -> None:
        for _ in range(n):
            f(q, u)

    repeat(1)
    return repeat


def making() -> list[Row]:
    """Processor time to derive and compile the accelerations; that of the description is reported beside it."""
    rows = list[Row]()
    for order in ORDERS:
        described, taken = list[float](), list[float]()
        for _ in range(3):
            start = time.process_time()
            s = chain(MANY, order)
            described.append(time.process_time() - start)
            if not isinstance(s.derive().derivation, Rolled):
                raise AssertionError("the chain is not derived as loops over bodies")
            with empty_cache():
                start = time.process_time()
                call(s)
                taken.append(time.process_time() - start)
        times = {"derive and compile": timing.summary(taken), "describe": timing.summary(described)}
        name = f"{MANY} beams with {MODES} modes, {order} order: derive and compile, processor seconds"
        rows.append((name, times["derive and compile"]["median"], 5.0, {"seconds": times}))
    return rows


def calling() -> list[Row]:
    """A call of many bodies over one of few."""
    rows = list[Row]()
    for order in ORDERS:
        rivals = {f"{n} beams": call(chain(n, order)) for n in (FEW, MANY)}
        times = timing.nanoseconds(rivals, clock=time.thread_time)
        few, many = (t["median"] for t in times.values())
        name = f"beams with {MODES} modes, {order} order: a call at {MANY} beams over one at {FEW}"
        rows.append((name, many / few, 12.0, {"nanoseconds": times}))
    return rows


JOBS: dict[str, Callable[[], list[Row]]] = {"many flexible bodies": making, "many flexible bodies, called": calling}


if __name__ == "__main__":
    from mechanics import show

    for job in JOBS.values():
        for row in job():
            show(*row)
