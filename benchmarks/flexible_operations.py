"""Operations of forward dynamics of chains of flexible bodies, with those of Jain & Rodriguez (1992) beside; and the
time of a call by articulated and by composite bodies.

    python benchmarks/flexible_operations.py            # counts
    python benchmarks/flexible_operations.py --time     # and times for nine bodies with ten modes

Chains have hinges in general position, bodies with dense constants or beams in two planes, no gravity; nothing is
factored. Modal data of any modes has orthonormal modes with the frame at the hinge, free–free modes too, so that its
count is the same.
"""

import sys
import time
from pathlib import Path

import numpy as np

import freebody as fb
from freebody.papers.flexible_costs import articulated_forward_dynamics, composite_forward_dynamics

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.flexible.random_modal_data import chain


def dense(bodies: int, modes: int, order: str) -> fb.System:
    return chain(bodies, modes, order, np.random.default_rng(7))


def beams(bodies: int, modes: int, order: str) -> fb.System:
    """Beams that bend in two planes, each hinge at right angles to the one before."""
    s = fb.System("beams", gravity=(0, 0, 0))
    on = s.ground
    for k in range(bodies):
        beam = fb.Beam(1.0, EI=(3.0, 3.0), density=2.0, polar_inertia=0.02)
        orient = ("x", np.pi / 2) if k else None
        body = s.body(f"beam{k}", on=on, joint=fb.Revolute("z"), orient=orient, flexible=beam, modes=modes, order=order)
        on = body.node("tip")
    return s


def operations(s: fb.System, formulation: str = "aba") -> int:
    options = {"rolled": False} if formulation == "aba" else {}
    return s.derive(formulation, **options).operations["forward_dynamics"].total


def counts() -> None:
    print("nine bodies, operations (over Table 1)             5 modes             10                  15")
    tables = {n: articulated_forward_dynamics(9, n).total for n in (5, 10, 15)}
    composite = {n: composite_forward_dynamics(9, n).total for n in (5, 10, 15)}
    rows = {"articulated bodies, Table 1": tables, "composite bodies, Eq 8.1": composite}
    for order in ("ruthless", "full"):
        rows[f"dense constants, {order}"] = {n: operations(dense(9, n, order)) for n in tables}
        rows[f"beams in two planes (4, 10, 14 modes), {order}"] = {
            n: operations(beams(9, n - n % 2, order)) for n in tables
        }
    for name, row in rows.items():
        print(f"{name:46s}" + "".join(f"{row[n]:12d} ({row[n] / tables[n]:.3f})" for n in tables))
    ratio = operations(dense(27, 10, "ruthless")) / rows["dense constants, ruthless"][10]
    print(f"ruthless, 27 bodies over 9: {ratio:.2f};", end=" ")
    print(f"40 modes over 10: {operations(dense(9, 40, 'ruthless')) / rows['dense constants, ruthless'][10]:.2f}")


def times() -> None:
    for order in ("ruthless", "full"):
        seconds = dict[str, float]()
        for formulation in ("aba", "crba"):
            s = dense(9, 10, order)
            eq = s.derive(formulation, **({"rolled": False} if formulation == "aba" else {}))
            call = eq.compile().forward_dynamics
            rng = np.random.default_rng(1)
            q, u, tau = 0.1 * rng.normal(size=len(eq.q)), rng.normal(size=len(eq.u)), np.zeros(len(eq.u))
            best = np.inf
            for _ in range(20):
                start = time.perf_counter()
                for _ in range(50):
                    call(q, u, tau)
                best = min(best, (time.perf_counter() - start) / 50)
            seconds[formulation] = best
        print(f"{order}: articulated {seconds['aba'] * 1e6:.1f} µs, composite {seconds['crba'] * 1e6:.1f} µs,"
              f" {seconds['crba'] / seconds['aba']:.1f} times")  # fmt: skip


if __name__ == "__main__":
    counts()
    if "--time" in sys.argv:
        times()
