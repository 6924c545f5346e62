"""Operations of forward dynamics of chains of flexible bodies, with those of Jain & Rodriguez (1992) beside; and the
time of a call by articulated and by composite bodies.

    python benchmarks/flexible_operations.py            # counts
    python benchmarks/flexible_operations.py --time     # and times for nine bodies with ten modes

Chains have hinges in general position, bodies with dense constants, free bodies of nodes with inertias and offsets
whose modes move the node of the hinge, or beams in two planes; no gravity. Nothing is factored.
"""

import sys
import time
from pathlib import Path

import numpy as np

import freebody as fb
from freebody.papers.flexible_costs import articulated_forward_dynamics, composite_forward_dynamics

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.flexible.random_modal_data import chain, random_rotation


def dense(bodies: int, modes: int, order: str) -> fb.System:
    return chain(bodies, modes, order, np.random.default_rng(7))


def free_bodies(bodies: int, modes: int, order: str) -> fb.System:
    """Bodies of nodes with modes that are orthogonal to all motions of a rigid body; the frame is at a node that moves
    with them."""
    s, on, R, rng = fb.System("free bodies", gravity=(0, 0, 0)), None, np.eye(3), np.random.default_rng(7)
    for k in range(bodies):
        count = modes // 6 + 4
        positions, masses, offsets = rng.normal(size=(count, 3)), rng.uniform(1, 2, count), np.zeros((count, 3))
        inertias = np.einsum("kij,klj->kil", A := rng.normal(size=(count, 3, 3)), A) + np.eye(3)
        M = np.zeros((6 * count, 6 * count))
        for j in range(count):
            M[6 * j : 6 * j + 3, 6 * j : 6 * j + 3] = masses[j] * np.eye(3)
            M[6 * j + 3 : 6 * j + 6, 6 * j + 3 : 6 * j + 6] = inertias[j]
        rigid = np.zeros((6 * count, 6))
        for j, (x, y, z) in enumerate(positions):
            rigid[6 * j : 6 * j + 6, :3] = np.eye(6)[:, :3]
            rigid[6 * j : 6 * j + 6, 3:] = [[0, z, -y], [-z, 0, x], [y, -x, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        shapes = rng.normal(size=(6 * count, modes))
        shapes -= rigid @ np.linalg.solve(rigid.T @ M @ rigid, rigid.T @ M @ shapes)
        moved = shapes.reshape(count, 6, modes)
        body = fb.FlexibleNodes(
            positions,
            masses,
            inertias,
            offsets,
            shapes=moved[:, :3],
            slopes=moved[:, 3:],
            modal_stiffness=np.diag(rng.uniform(1, 9, modes)),
            frame="1",
        )
        one = s.body(f"body{k}", on=on, joint=fb.Revolute("z"), orient=R.tolist(), flexible=body, order=order)
        on, R = one.node("2"), random_rotation(rng)
    return s


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
    rows["free bodies, ruthless"] = {n: operations(free_bodies(9, n, "ruthless")) for n in tables}
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
        print(
            f"{order}: articulated {seconds['aba'] * 1e6:.1f} µs, composite {seconds['crba'] * 1e6:.1f} µs,"
            f" {seconds['crba'] / seconds['aba']:.1f} times"
        )


if __name__ == "__main__":
    counts()
    if "--time" in sys.argv:
        times()
