"""Drift, error, steps and time of runs of closed loops whose constraints are kept by projection, by Baumgarte's terms,
by IDA's equations or not at all: `python benchmarks/drift.py` prints the table of docs/decisions/023-drift.md.

Errors are those of coordinates at the end of a run, relative to a run by "dop853" with projection at a tolerance of
1e-13 (of Andrews' squeezer: to the published values).
"""

import time
from typing import NamedTuple

import numpy as np
from constraints import END, squeezer

import freebody as fb

WAYS = {
    "dop853, projection": {"method": "dop853", "constraints": "projection"},
    "dop853, Baumgarte": {"method": "dop853", "constraints": "baumgarte"},
    "dop853, none": {"method": "dop853", "constraints": "none"},
    "radau, projection": {"method": "radau", "constraints": "projection"},
    "radau, Baumgarte": {"method": "radau", "constraints": "baumgarte"},
    "cvode, Baumgarte": {"method": "cvode", "constraints": "baumgarte"},
    "IDA, φ = 0 and G u + offset = 0": {"method": "ida", "constraints": "none"},
    "IDA, Baumgarte": {"method": "ida", "constraints": "baumgarte"},
}
RTOL, ATOL = 1e-8, 1e-10


def four_bar() -> fb.System:
    """Crank, coupler and rocker of 1, 2 and 1.8 m on a ground of 2.2 m: the crank turns, and no position is flat."""
    s = fb.System("four-bar")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=fb.rod(1, 1, "z"))
    coupler = s.body(
        "coupler", on=crank, at=(0, 0, 1), joint=fb.Revolute("y"), mass=2, com=(1, 0, 0), inertia=fb.rod(2, 2, "x")
    )
    rocker = s.body(
        "rocker", at=(2.2, 0, 0), joint=fb.Revolute("y"), mass=1.8, com=(0, 0, 0.9), inertia=fb.rod(1.8, 1.8, "z")
    )
    s.close(coupler.point((2, 0, 0)), rocker.point((0, 0, 1.8)), joint=fb.Revolute("y"), name="pin")
    return s


def spatial_slider_crank() -> fb.System:
    """A crank about x, a rod with a ball at either end, and a slider along x; the spin of the rod is free."""
    s = fb.System("spatial slider-crank")
    crank = s.body("crank", at=(0, 0.1, 0.12), joint=fb.Revolute("x"), mass=0.12, inertia=(1e-4, 1e-5, 1e-4))
    rod = s.body(
        "rod", on=crank, at=(0, 0, 0.08), joint=fb.Spherical(), mass=0.5, com=(0.15, 0, 0), inertia=(4e-4, 4e-3, 4e-3)
    )
    slider = s.body("slider", joint=fb.Prismatic("x", initial=0.2), mass=2.0)
    s.close(rod.point((0.3, 0, 0)), slider, joint=fb.Spherical(), name="ball")
    return s


class Case(NamedTuple):
    system: fb.System
    end: float
    options: dict
    exact: dict[str, float]


CASES = [
    Case(squeezer(), 0.03, {}, END),
    Case(four_bar(), 10.0, {"u": {"crank": 6.0}}, {}),
    Case(spatial_slider_crank(), 5.0, {"u": {"crank": 6.0, "rod.wx": 1.0}}, {}),
]


def measure(case: Case) -> list[tuple[str, float, tuple[float, float], int, float]]:
    """For each way its error, drift, steps and processor seconds, without those of deriving and compiling."""
    equations, rows = case.system.derive(), []
    times, names = np.linspace(0, case.end, 101), list(equations.q)
    exact = np.array([case.exact[n] for n in names]) if case.exact else None
    if exact is None:
        exact = equations.simulate(times, rtol=1e-13, atol=1e-14, **case.options).x[-1, : len(names)]
    for way, options in WAYS.items():
        settings = {"rtol": RTOL, "atol": ATOL, **options, **case.options}
        equations.simulate(times[:2], **settings)
        began = time.process_time()
        run = equations.simulate(times, **settings)
        spent = time.process_time() - began
        error = float(np.abs(run.x[-1, : len(names)] - exact).max()) if run.success else np.inf
        rows.append((way, error, run.drift, run.statistics.steps, spent))
    return rows


def main() -> None:
    for case in CASES:
        print(f"\n{case.system.name}, 0 to {case.end:g} s at rtol = {RTOL:g}\n")
        print("| | error | drift of positions | of speeds | steps | time, ms |\n|---|---|---|---|---|---|")
        for way, error, (position, speed), steps, seconds in measure(case):
            print(f"| {way} | {error:.1e} | {position:.1e} | {speed:.1e} | {steps} | {seconds * 1e3:.1f} |")


if __name__ == "__main__":
    main()
