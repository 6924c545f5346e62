"""What a call costs from Python, through the method that users call: over the compiled code itself, and over
Pinocchio's aba in the same run."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import timing

import freebody as fb

ROBOTS = Path(__file__).parent.parent / "examples" / "robots"
TARGETS = {"ur5": 1 / 8, "panda": 1 / 8, "g1": 1 / 6}
FLOATING = ("g1",)
ALLOCATED, INTO = 0.15, 0.08
Row = tuple[str, float, float | None, dict]


def calling(name: str) -> list[Row]:
    """Forward dynamics of a robot by articulated bodies, float64 arrays in and out."""
    file, floating = ROBOTS / f"{name}.urdf", name in FLOATING
    s = fb.load(file, floating=floating, dynamics=False, mimic="free")
    f = s.derive("aba").compile()
    rng, bodies = np.random.default_rng(0), [b for b in s.bodies.values() if b.q]
    q = np.concatenate([b.spec.joint.normalise(rng.uniform(-1, 1, len(b.q))) for b in bodies])
    u, tau = (rng.uniform(-1, 1, sum(len(b.u) for b in bodies)) for _ in range(2))
    out = np.empty(len(u))
    function = f.function("forward_dynamics")
    held = {"q": q, "u": u, "tau": tau, **function.parameters, "hoisted": function.hoisted}
    arrays = [timing.aligned((g.size,), held.get(g.name)) for g in function.staged.main.groups]
    arrays.append(timing.aligned((len(u),)))

    def allocated(n: int) -> None:
        for _ in range(n):
            f.forward_dynamics(q, u, tau)

    def into(n: int) -> None:
        for _ in range(n):
            f.forward_dynamics(q, u, tau, out=out)

    def nothing(n: int) -> None:
        for _ in range(n):
            pass

    runs: dict[str, Callable[[int], None]] = {
        "method": allocated,
        "method, out=": into,
        "loop": nothing,
        "function": timing.loop(function.main.address(), arrays),
    }
    rival = pinocchio(s, file, floating, (q, u, tau), f.forward_dynamics(q, u, tau))
    if rival is not None:
        runs["pinocchio.aba"] = rival
    times = timing.nanoseconds(runs, rounds=31, clock=time.thread_time)
    least = {context: t["best"] for context, t in times.items()}
    base = least["function"] + least["loop"]
    words = f"{name}: forward_dynamics from Python"
    targets = (ALLOCATED, INTO) if name == "ur5" else (None, None)
    rows: list[Row] = [
        (f"{words}, over the code itself, µs", (least["method"] - base) / 1000, targets[0], {"nanoseconds": times}),
        (f"{words} with out=, over the code itself, µs", (least["method, out="] - base) / 1000, targets[1], {}),
    ]
    if rival is not None:
        rows.append((f"{words}, over pinocchio.aba", least["method"] / least["pinocchio.aba"], TARGETS[name], {}))
    return rows


def pinocchio(
    s: fb.System, file: Path, floating: bool, state: tuple[np.ndarray, ...], wanted: np.ndarray
) -> Callable[[int], None] | None:
    """Its aba of the same robot in the same state, whose result must be ours; none without its wheel."""
    try:
        import pinocchio as pin
    except ImportError:
        return None
    model = pin.buildModelFromUrdf(str(file), *([pin.JointModelFreeFlyer()] if floating else []))
    data, to, (q, u, tau) = model.createData(), fb.layout(s, "pinocchio", model=model), state
    theirs = to.q_to(q), to.v_to(q, u), to.v_to(q, tau)
    apart = np.abs(pin.aba(model, data, *theirs) - to.v_to(q, wanted)).max() / np.abs(wanted).max()
    if not floating and not apart < 1e-9:  # u̇ of a free body means another rate there
        raise ArithmeticError(f"{file.name}: Pinocchio is {apart:.1e} apart from us, so times say nothing")

    def run(n: int) -> None:
        for _ in range(n):
            pin.aba(model, data, *theirs)

    return run


JOBS = {f"calls, {name}": lambda name=name: calling(name) for name in TARGETS}


if __name__ == "__main__":
    for job in JOBS.values():
        for words, value, target, more in job():
            print(f"{words}: {value:.3f}" + ("" if target is None else f", target {target:.3f}"), file=sys.stdout)
            for context, t in more.get("nanoseconds", {}).items():
                print(f"    {context}: {t['best']:.0f} ns at best, median {t['median']:.0f}")
