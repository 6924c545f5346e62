"""`make demo`: a double pendulum from its Lagrangian to compiled code, shown on the way.

Derives the equations, prints their listing and cost, compiles them, checks the compiled code against the evaluator and
a published trajectory, times it, and leaves the listing, C and LaTeX in out/demo/.
"""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from double_pendulum import forward_dynamics

from freebody.backends import Bound, c, compile, latex, text
from freebody.scalar import count, evaluate, stage

PARAMETERS = {"m1": 1.0, "m2": 1.0, "l1": 1.0, "l2": 1.0, "g": 9.81}
START = np.array([np.pi / 2, np.pi / 2, 0.0, 0.0])
PUBLISHED = np.array([-0.48297153425, -1.32404871230, 3.06528819207, 2.94927154757])  # at t = 2 s, ±1e-11
OUT = Path("out/demo")


def simulate(f: Bound, x: np.ndarray, t_end: float, steps: int) -> np.ndarray:
    """Classical Runge–Kutta with a fixed step."""

    def rate(x: np.ndarray) -> np.ndarray:
        return np.concatenate([x[2:], f(x[:2], x[2:])["u_dot"]])

    h = t_end / steps
    for _ in range(steps):
        a = rate(x)
        b = rate(x + h / 2 * a)
        c = rate(x + h / 2 * b)
        x = x + h / 6 * (a + 2 * b + 2 * c + rate(x + h * c))
    return x


def microseconds(action: Callable[[], object], times: int) -> float:
    """The best of five runs, per call."""
    best = np.inf
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(times):
            action()
        best = min(best, (time.perf_counter() - start) / times)
    return best * 1e6


def main() -> None:
    start = time.perf_counter()
    program = forward_dynamics()
    derived = time.perf_counter()
    function = compile(program)
    compiled = time.perf_counter()
    listing, staged = text.emit(program), stage(program)
    print(listing)
    print(f"derived in {1e3 * (derived - start):.1f} ms, compiled in {1e3 * (compiled - derived):.1f} ms")
    print(f"each call:              {count(staged.main)}")
    print(f"once per parameter set: {count(staged.setup) if staged.setup else 'nothing'}")

    f = function.bind(PARAMETERS)
    values = list(PARAMETERS.values())
    x = np.random.default_rng(0).normal(size=(100_000, 4))
    q, u = np.ascontiguousarray(x[:, :2]), np.ascontiguousarray(x[:, 2:])
    exact = evaluate(program, {"parameters": values, "q": q[0], "u": u[0]})
    error = np.max(np.abs(f(q[0], u[0])["u_dot"] - exact.values["u_dot"]))
    print(f"compiled against the evaluator: {error:.1e} apart")

    final = simulate(f, START, 2.0, 2000)
    energies = [float(f(s[:2], s[2:])["energy"]) for s in (START, final)]
    print(f"2 s of motion: {np.max(np.abs(final - PUBLISHED)):.1e} from the published state, "
          f"energy off by {abs(energies[1] - energies[0]):.1e} J")  # fmt: skip

    raw, bound = function.main.raw, [*f.parameters.values(), f.hoisted]
    out = [np.empty(2), np.empty(1)]
    one = microseconds(lambda: raw(*bound, q[0], u[0], *out), 20_000)
    many = microseconds(lambda: f(q, u, threads=0), 3) / len(q)
    print(f"one state from Python {one:.2f} µs; in a batch of {len(q)} on all cores {1e3 * many:.1f} ns a state")

    OUT.mkdir(parents=True, exist_ok=True)
    source = c.emit(staged)
    (OUT / "double_pendulum.txt").write_text(listing)
    (OUT / "double_pendulum.h").write_text(source.header)
    (OUT / "double_pendulum.c").write_text(source.source)
    (OUT / "double_pendulum.tex").write_text(latex.emit(program))
    print(f"written to {OUT}/: " + ", ".join(sorted(p.name for p in OUT.iterdir())))


if __name__ == "__main__":
    main()
