"""The robots of the bench, the states they are asked at, and our functions as something to be timed.

The files are those of example-robot-data where that package is installed (pip install example-robot-data, or its folder
of robots named by FREEBODY_ROBOTS), else the project's own, for which the targets are only a guide.
"""

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import timing

import freebody as fb
from freebody.backends import Function

OWN = Path(__file__).parent.parent / "examples" / "robots"
FILES = {  # in the package and here, whether it floats, what is locked
    "UR5": ("ur_description/urdf/ur5_robot.urdf", "ur5.urdf", False, ()),
    "Panda": ("panda_description/urdf/panda.urdf", "panda.urdf", False,
              ("panda_finger_joint1", "panda_finger_joint2")),
    "Solo12": ("solo_description/robots/solo12.urdf", "solo12.urdf", True, ()),
    "Talos": ("talos_data/robots/talos_reduced.urdf", "g1.urdf", True, ()),
}  # fmt: skip
BATCH = 4096


def folder() -> Path | None:
    """Where example-robot-data keeps its robots."""
    named = os.environ.get("FREEBODY_ROBOTS")
    if named:
        return Path(named)
    spec = find_spec("example_robot_data")
    if spec is None or spec.origin is None:
        return None
    for up in Path(spec.origin).parents:
        found = up / "share" / "example-robot-data" / "robots"
        if found.is_dir():
            return found
    return None


@dataclass(frozen=True, eq=False)
class Robot:
    """A robot's file, how it is loaded, and the state it is asked at."""

    name: str
    file: Path
    floating: bool
    lock: tuple[str, ...]
    system: fb.System
    q: np.ndarray
    u: np.ndarray
    tau: np.ndarray


@cache
def robot(name: str) -> Robot:
    there, own, floating, lock = FILES[name]
    robots = folder()
    file = robots / there if robots is not None else OWN / own
    system = fb.load(file, floating=floating, dynamics=False, lock=dict.fromkeys(lock, 0.0))
    rng, bodies = np.random.default_rng(0), [b for b in system.bodies.values() if b.q]
    q = np.concatenate([b.spec.joint.normalise(rng.uniform(-1, 1, len(b.q))) for b in bodies])
    u, tau = rng.uniform(-1, 1, (2, sum(len(b.u) for b in bodies)))
    return Robot(name, file, floating, lock, system, q, u, tau)


@cache
def derived(name: str, search: int) -> tuple[fb.Equations, float]:
    """The cheapest equations, and the processor's seconds they took; nothing is remembered from earlier runs."""
    kept = os.environ.get("FREEBODY_CACHE")
    with tempfile.TemporaryDirectory() as empty:
        os.environ["FREEBODY_CACHE"] = empty
        start = time.process_time()
        eq = robot(name).system.derive("cheapest", search=search)
        eq.program("forward_dynamics")
        seconds = time.process_time() - start
    del os.environ["FREEBODY_CACHE"]
    if kept is not None:
        os.environ["FREEBODY_CACHE"] = kept
    return eq, seconds


def alone(f: Function, r: Robot) -> Callable[[int], None]:
    """One state in a compiled loop."""
    held = {"q": r.q, "u": r.u, "tau": r.tau, **f.parameters, "hoisted": f.hoisted}
    given = [timing.aligned((g.size,), held.get(g.name)) for g in f.staged.main.groups]
    given += [timing.aligned((o.size,)) for o in f.program.outputs]
    run = timing.loop(f.main.library.address("run"), given)
    run.kept = given  # type: ignore[attr-defined]
    return run


def batch(f: Function, r: Robot, rows: int = BATCH) -> Callable[[int], None]:
    """So many states that differ."""
    rng = np.random.default_rng(1)
    held = {"q": np.tile(r.q, (rows, 1)), "tau": np.tile(r.tau, (rows, 1))}
    held["u"] = rng.uniform(-1, 1, (rows, len(r.u)))
    hinges = slice(7 if r.floating else 0, None)
    held["q"][:, hinges] = rng.uniform(-1, 1, held["q"][:, hinges].shape)
    held |= {**f.parameters, "hoisted": f.hoisted}
    groups = f.staged.main.groups
    given = [timing.aligned((g.size,) if g.fixed else (rows, g.size), held.get(g.name)) for g in groups]
    out = [timing.aligned((rows, o.size)) for o in f.program.outputs]

    def run(n: int) -> None:
        for _ in range(n):
            f.main.run_batch(rows, given, out)

    return run


def wide(f: Function, r: Robot) -> Callable[[int], None]:
    """As many states as a vector has lanes, each number a vector: the code inside a batch, in a compiled loop."""
    lanes, held = f.main.width, {"q": r.q, "u": r.u, "tau": r.tau, **f.parameters, "hoisted": f.hoisted}
    groups = f.staged.main.groups
    given = [timing.aligned((g.size,) if g.fixed else (g.size, lanes)) for g in groups]
    for g, a in zip(groups, given, strict=True):
        value = np.asarray(held.get(g.name, 0.0))
        a[...] = value if g.fixed or not value.ndim else value[:, None]
    given += [timing.aligned((o.size, lanes)) for o in f.program.outputs]
    run = timing.loop(f.main.wide(frozenset(g.name for g in groups if g.fixed)), given)
    run.kept = given  # type: ignore[attr-defined]
    return run
