"""Figures of the solver 'compliance' beside 'tree': operations of u̇, and processor time of ẋ for 256 states at once,
of loops and of arms that hold a body, which is a secondary system (docs/solvers.md).

    python benchmarks/compliance.py
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import timing
from constraints import four_bars, solo, squeezer

import freebody as fb
from freebody.formulations.derivation import Derivation
from freebody.formulations.solvers.compliance import ComplianceEquations, FactorSteps, OmegaSteps
from freebody.tree.tree import span

STATES = 256


def arms(count: int) -> fb.System:
    """Arms of six joints on the ground that hold a free body by welds."""
    s = fb.System("arms")
    box = s.body("box", joint=fb.Free(), mass=2, inertia=(0.1, 0.2, 0.3), com=(0.01, 0.02, 0.03))
    for arm in range(count):
        link = s.ground
        for k, axis in enumerate("zyyxyx"):
            at = (0.4, 0.05, 0.1) if k else (0, 0.1 * arm, 0.1)
            link = s.body(
                f"arm{arm}.{k}",
                on=link,
                at=at,
                joint=fb.Revolute(axis),
                mass=1 + k,
                com=(0.2, 0.01, 0.02),
                inertia=(0.1, 0.2, 0.15),
            )
        s.close(link.point((0.1, 0, 0)), box.point((0.1 * (2 * arm - 1), 0, 0.1 * arm)), fb.Weld(), name=f"grip{arm}")
    return s


def nanoseconds(every: dict[str, fb.Equations]) -> dict[str, float]:
    """Processor time of ẋ for one state of a batch."""
    rivals = dict[str, Callable[[int], Any]]()
    for name, equations in every.items():
        f, rng = equations.compile(), np.random.default_rng(0)
        x = rng.uniform(-0.5, 0.5, (STATES, len(equations.q) + len(equations.u)))
        rivals[name] = lambda n, f=f, x=x: [f.state_dot(0.0, x) for _ in range(n)]  # type: ignore[misc]
    times = timing.nanoseconds(rivals, clock=time.thread_time)
    return {name: t["best"] / STATES for name, t in times.items()}


def show(name: str, every: dict[str, fb.Equations]) -> None:
    times = nanoseconds(every)
    cells = [f"{way} {e.operations['forward_dynamics'].total} ({times[way]:.0f} ns)" for way, e in every.items()]
    print(f"{name}: {', '.join(cells)}", flush=True)


def main() -> None:
    loops = {
        "four-bar": four_bars(),
        "Andrews' squeezer": squeezer(),
        "Solo12 with four-bars": solo(True),
        "8 four-bars": four_bars(8),
    }
    for name, s in loops.items():
        ways = {"b": FactorSteps, "Ω": OmegaSteps}
        each = {way: Derivation(ComplianceEquations(span(s.freeze()), ways=[steps])) for way, steps in ways.items()}
        counts = {way: e.operations["forward_dynamics"].total for way, e in each.items()}
        print(f"{name}: compliance by b {counts['b']}, by Υ and Ω {counts['Ω']}")
        show(name, {"tree": s.derive("aba", solver="tree"), "compliance": s.derive(solver="compliance")})
    for count in (1, 2, 3, 4):
        s = arms(count)
        show(
            f"{count} arms",
            {
                "tree": s.derive("aba", solver="tree"),
                "compliance": s.derive(solver="compliance"),
                "secondary": s.derive(solver="compliance", secondary=["box"]),
            },
        )


if __name__ == "__main__":
    main()
