"""`make demo`: a double pendulum from its description to compiled code, shown on the way.

Describes the system, derives its equations, prints their listing and cost, compiles them, runs them against a published
trajectory, times them, and leaves the listing, C and LaTeX in out/demo/.
"""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import freebody as fb

START = np.array([np.pi / 2, 0.0, 0.0, 0.0])  # q of the lower link is relative to the upper one
PUBLISHED = np.array([-0.48297153425, -1.32404871230, 3.06528819207, 2.94927154757])  # absolute, at t = 2 s, ±1e-11
OUT = Path("out/demo")


def system() -> fb.System:
    """Two point masses on massless links."""
    s = fb.System("double pendulum")
    m, l = s.parameters(m=1.0, l=1.0)
    upper = s.body("upper", joint=fb.Revolute("y"), mass=m, com=(0, 0, -l))
    s.body("lower", on=upper, at=(0, 0, -l), joint=fb.Revolute("y"), mass=m, com=(0, 0, -l))
    return s


def simulate(f: fb.Compiled, x: np.ndarray, t_end: float, steps: int) -> np.ndarray:
    """Classical Runge–Kutta with a fixed step."""
    h = t_end / steps
    for k in range(steps):
        t = k * h
        a = f.state_dot(t, x)
        b = f.state_dot(t + h / 2, x + h / 2 * a)
        c = f.state_dot(t + h / 2, x + h / 2 * b)
        x = x + h / 6 * (a + 2 * b + 2 * c + f.state_dot(t + h, x + h * c))
    return x


def nanoseconds(action: Callable[[], object], times: int) -> float:
    """The best of five runs, per call."""
    best = np.inf
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(times):
            action()
        best = min(best, (time.perf_counter() - start) / times)
    return best * 1e9


def main() -> None:
    start = time.perf_counter()
    eq = system().derive()
    listing = str(eq)
    derived = time.perf_counter()
    f = eq.compile()
    function = f.function("forward_dynamics")
    compiled = time.perf_counter()
    print(listing)
    print(f"derived and written in {1e3 * (derived - start):.0f} ms, compiled in {1e3 * (compiled - derived):.0f} ms")
    for name in ("forward_dynamics", "inverse_dynamics", "mass_matrix", "bias"):
        print(f"{name:17} {eq.operations[name]}")

    final = simulate(f, START, 2.0, 2000)
    absolute = np.array([final[0], final[0] + final[1], final[2], final[2] + final[3]])
    energy = [sum(float(e) for e in f.energies(x[:2], x[2:]).values()) for x in (START, final)]
    print(f"2 s of motion: {np.max(np.abs(absolute - PUBLISHED)):.1e} from the published state,"
          f" energy off by {abs(energy[1] - energy[0]):.1e} J")  # fmt: skip

    q, u = np.random.default_rng(0).normal(size=(2, 100_000, 2))
    raw, given = function.main.raw, [a[0].copy() for a in (q, u)]
    arrays = {"q": given[0], "u": given[1], "tau": np.zeros(2), "t": np.zeros(1), "hoisted": function.hoisted}
    one = [function.parameters.get(g.name, arrays.get(g.name, np.zeros(0))) for g in function.staged.main.groups]
    out = np.empty(2)
    print(f"one state from Python {nanoseconds(lambda: raw(*one, out), 20_000):.0f} ns; in a batch of {len(q)} on all"
          f" cores {nanoseconds(lambda: f.forward_dynamics(q, u, threads=0), 3) / len(q):.1f} ns a state")  # fmt: skip

    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "forward_dynamics.txt").write_text(listing)
    (OUT / "forward_dynamics.tex").write_text(eq.to_latex())
    eq.to_c(OUT)
    print(f"written to {OUT}/: " + ", ".join(sorted(p.name for p in OUT.iterdir())))


if __name__ == "__main__":
    main()
