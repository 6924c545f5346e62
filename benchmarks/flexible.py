"""Chains of flexible bodies: accelerations by articulated bodies (aba) against the composite-body solve (crba: the mass
matrix of composite bodies, then its factorisation), over numbers of bodies and of modes a body.

    python benchmarks/flexible.py           # the figures of `make bench`
    python benchmarks/flexible.py grid      # the whole grid, and its plot docs/images/flexible_chains.png

Each body is a beam that bends in two planes, on the tip of the one before, with hinges about z and y in turn; a rigid
body is on the last tip. Operations of the composite-body solve are those of one program with L D Lᵀ in it. Such a
program is too large to be fast; the time is that of the compiled M and f and of LAPACK's Cholesky factorisation, which
is less. Programs of more than SPEEDS speeds are not derived by composite bodies: their operations grow with the cube.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import timing
from scipy.linalg.lapack import dposv

import freebody as fb
from freebody.backends import Bound

Row = tuple[str, float, float | None, dict]
BODIES, MODES, SPEEDS = (3, 6, 9, 18, 27), (2, 5, 10, 20), 130
ORDERS = ("ruthless", "full")
TIMED = 60_000
"""The grid has no times of programs with more operations, which take minutes to compile."""


def chain(bodies: int, modes: int, order: str) -> fb.System:
    s = fb.System("chain", gravity=(0, 0, -9.81))
    beam = fb.Beam(length=1.0, EI=(300.0, 200.0), density=1.0, polar_inertia=0.02)
    on: fb.Body | None = None
    for k in range(bodies):
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
    s.body("tool", on=on, mass=0.3, inertia=(0.01, 0.01, 0.01))
    return s


def state(e: fb.Equations) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    deformed = np.array([1e-4 if ".m" in name else 0.5 for name in e.q])
    return deformed * rng.normal(size=len(e.q)), rng.normal(size=len(e.u))


def compiled_loop(f: Bound, e: fb.Equations) -> tuple[Callable[[int], None], np.ndarray]:
    """A function that calls compiled code n times, and the array of its result."""
    q, u = state(e)
    known = {**f.parameters, "hoisted": f.hoisted, "q": q, "u": u}
    given = [timing.aligned((g.size,), known.get(g.name, np.zeros(g.size))) for g in f.staged.main.groups]
    given += [timing.aligned((o.size,)) for o in f.program.outputs]
    run = timing.loop(f.main.library.address("run"), given)
    run.kept = given, f  # type: ignore[attr-defined]
    return run, given[-1]


def solvers(bodies: int, modes: int, order: str) -> dict[str, Callable[[int], None]]:
    """Functions that compute the accelerations n times."""
    articulated, composite = (chain(bodies, modes, order).derive(name) for name in ("aba", "crba"))
    aba, u_dot = compiled_loop(articulated.compile().function("forward_dynamics"), articulated)
    f = composite.compile()
    mass, M = compiled_loop(f.function("mass_matrix"), composite)
    bias, force = compiled_loop(f.function("bias"), composite)
    n = len(composite.u)

    def solve(repeat: int) -> np.ndarray:
        for _ in range(repeat):
            mass(1), bias(1)
            result = dposv(M.reshape(n, n), force)[1]
        return np.ravel(result)

    aba(1)
    expected = solve(1)
    if not np.abs(u_dot - expected).max() < 1e-6 * np.abs(expected).max():
        raise ArithmeticError("accelerations by articulated and by composite bodies differ")
    return {"aba": aba, "composite bodies": solve}


def operations(bodies: int, modes: int, order: str, formulation: str) -> int:
    return chain(bodies, modes, order).derive(formulation).operations["forward_dynamics"].total


def beams(bodies: int = 9, modes: int = 10) -> list[Row]:
    rows: list[Row] = []
    for order in ORDERS:
        times = timing.nanoseconds(solvers(bodies, modes, order), rounds=9, clock=time.thread_time)
        counts = {name: operations(bodies, modes, order, name) for name in ("aba", "crba")}
        label = f"{bodies} beams with {modes} modes, {order} order, aba over the composite-body solve"
        ratio = times["aba"]["best"] / times["composite bodies"]["best"]
        rows.append((f"{label}: time", ratio, 1 / 5, {"nanoseconds": times}))
        rows.append((f"{label}: operations", counts["aba"] / counts["crba"], 1 / 5, counts))
    return rows


JOBS = {"flexible chains": beams}


def grid(path: Path) -> None:
    """Operations and times at full order, printed and drawn."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    for k, modes in enumerate(MODES):
        counts: dict[str, list[tuple[int, float]]] = {"aba": [], "crba": []}
        times: dict[str, list[tuple[int, float]]] = {"aba": [], "composite bodies": []}
        for bodies in BODIES:
            small = bodies * (modes + 1) <= SPEEDS
            for name in counts if small else ("aba",):
                counts[name].append((bodies, operations(bodies, modes, "full", name)))
            if small and counts["aba"][-1][1] <= TIMED:
                taken = timing.nanoseconds(solvers(bodies, modes, "full"), rounds=5, clock=time.thread_time)
                for name, t in taken.items():
                    times[name].append((bodies, t["best"] / 1000))
            last = {
                f"{unit} of {name}": points[-1][1]
                for unit, values in (("operations", counts), ("µs", times))
                for name, points in values.items()
                if points and points[-1][0] == bodies
            }
            print(f"{bodies} bodies, {modes} modes:", *(f"{x:.5g} {what}" for what, x in last.items()), flush=True)
        for axis, values in zip(axes, (counts, times), strict=True):
            for (name, points), style in zip(values.items(), ("-", "--"), strict=True):
                label = f"{modes} modes a body" if name == "aba" else None
                axis.plot(*np.transpose(points), style, marker="o", ms=4, color=f"C{k}", label=label)
    for axis, unit, title in zip(axes, ("operations", "µs"), ("operations of u̇", "time of u̇"), strict=True):
        axis.set(xscale="log", yscale="log", xlabel="bodies", ylabel=unit, title=title)
        axis.set_xticks(BODIES, [str(n) for n in BODIES])
        axis.minorticks_off()
        axis.grid(alpha=0.3)
    axes[0].legend(title="— aba   - - composite bodies", fontsize=8, title_fontsize=8)
    figure.savefig(path, dpi=90)


if __name__ == "__main__":
    if sys.argv[1:] == ["grid"]:
        grid(Path(__file__).parents[1] / "docs" / "images" / "flexible_chains.png")
    else:
        from mechanics import show

        for row in beams():
            show(*row)
