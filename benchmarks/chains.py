"""Figures of large systems: chains of hinges that have nothing in common but the kind of their joint, by loops."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import timing

import freebody as fb
from freebody.backends import Function

Row = tuple[str, float, float | None, dict]
FEW, MANY = 100, 1000


def chain(n: int) -> fb.System:
    """Hinges with places, directions, masses and inertias of their own."""
    rng, s = np.random.default_rng(n), fb.System(f"chain of {n}")
    on = s.ground
    for k in range(n):
        points = rng.normal(size=(4, 3)) * 0.3
        inertia = sum(np.eye(3) * (p @ p) - np.outer(p, p) for p in points)
        turns = [(axis, float(rng.uniform(-3, 3))) for axis in "zx"]
        at, com = (tuple(map(float, rng.uniform(-0.3, 0.3, 3))) for _ in range(2))
        on = s.body(
            f"b{k}",
            on=on,
            joint=fb.Revolute("z"),
            at=at,
            orient=turns,
            mass=float(rng.uniform(0.5, 2)),
            com=com,
            inertia=inertia.tolist(),
        )
    return s


@contextmanager
def empty_cache() -> Iterator[None]:
    """Nothing compiled before is found."""
    before = os.environ.get("FREEBODY_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FREEBODY_CACHE"] = folder
        try:
            yield
        finally:
            os.environ.pop("FREEBODY_CACHE")
            os.environ.update({} if before is None else {"FREEBODY_CACHE": before})


def made(s: fb.System) -> Function:
    return s.derive("aba", rolled=True).compile().function("forward_dynamics")


def deriving() -> list[Row]:
    """Processor time from the description to machine code."""
    s, taken = chain(MANY), []
    for _ in range(5):
        with empty_cache():
            start = time.process_time()
            made(s)
            taken.append(time.process_time() - start)
    times = {"freebody": timing.summary(taken)}
    value = times["freebody"]["median"]
    return [(f"chain of {MANY}: derive and compile, processor seconds", value, 2.0, {"seconds": times})]


def running() -> list[Row]:
    """Time in proportion to the bodies."""
    rivals = {f"{n} bodies": _loop(made(chain(n))) for n in (FEW, MANY)}
    times = timing.nanoseconds(rivals)
    few, many = (t["median"] for t in times.values())
    return [(f"chain: a call at {MANY} bodies over one at {FEW}", many / few, 12.0, {"nanoseconds": times})]


def _loop(f: Function) -> Callable[[int], None]:
    rng, known = np.random.default_rng(0), {**f.parameters, "hoisted": f.hoisted}
    given = [timing.aligned((g.size,), known.get(g.name, rng.normal(size=g.size))) for g in f.staged.main.groups]
    given += [timing.aligned((o.size,)) for o in f.program.outputs]
    run = timing.loop(f.main.library.address("run"), given)
    run.kept = given, f  # type: ignore[attr-defined]
    return run


JOBS: dict[str, Callable[[], list[Row]]] = {"long chains, made": deriving, "long chains, called": running}


if __name__ == "__main__":
    from mechanics import show

    for job in JOBS.values():
        for row in job():
            show(*row)
