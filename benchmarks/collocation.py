"""Optimal control by CasADi and IPOPT with exact derivatives of our equations: seconds, and the distance from the goal
at which the motion ends when its inputs are simulated. The problems are those of ``examples/optimal_control.py``."""

import sys
from pathlib import Path

import simulation

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

Row = simulation.Row
TARGETS: dict[str, tuple[float | None, float]] = {
    "cart-pole": (0.1, 1e-3),
    "arm": (None, 1e-3),
    "five-bar": (None, 1e-3),
}
"""Seconds, and the error at the end as a fraction of the travel."""


def problems() -> list[Row]:
    import optimal_control as example

    table = list[Row]()
    for name, (eq, motion) in example.problems().items():
        error = example.travel_error(motion, example.simulate(eq, motion), len(eq.q))
        seconds, largest = TARGETS[name]
        details = {"iterations": motion.iterations}
        table.append((f"{name} by IPOPT, {motion.iterations} iterations, s", motion.seconds, seconds, details))
        table.append((f"{name} simulated, error over travel", error, largest, details))
    return table


JOBS = {"optimal control": problems}

if __name__ == "__main__":
    for name, value, target, _ in problems():
        print(f"{name:60} {value:10.3g}   target {target}")
