"""A flexible arm with a payload, turned by a motor, simulated by freebody and by Exudyn's floating-frame body.

    python benchmarks/flexible_exudyn.py        # needs: pip install exudyn

The arm is a row of point masses with modes of bending in two planes, on a hinge; the payload is on its tip by a
spherical joint, with its mass centre off the plane of the motion. Both programs have the same masses, mode shapes,
frequencies and damping. Exudyn's ``ObjectFFRFreducedOrder`` (its own terms, in C++) has no geometric stiffening, so the
arm is given to freebody without second-order displacements: the models are then equal, and runs differ by the errors of
the integrators alone. There is no gravity, whose moment Exudyn computes from the undeformed mass centre.

Exudyn integrates by generalised alpha as in ``exudyn_models.py``. The error is that of the tip at the end, compared
with a run of tolerance 1e-11; Exudyn's number of steps is the one at which its error equals that of ``simulate``.
"""

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from exudyn_models import _exudyn, here, integrate, reduced_order
from numpy.typing import NDArray

import freebody as fb

Array = NDArray[np.float64]
Row = tuple[str, float, float | None, dict]
LENGTH, NODES, DURATION, TORQUE, DAMPING = 1.5, 30, 1.0, 4.0, 5e-4
BEAM: dict[str, Any] = {"length": LENGTH, "EI": (200.0, 300.0), "density": 0.6}
MODES = {"bending y": 2, "bending z": 2}
PAYLOAD, CENTRE, INERTIA = 0.4, (0.05, 0.03, -0.1), (0.02, 0.03, 0.025)  # kg, m from the joint, kg·m² about the centre


def arm() -> tuple[Array, Array, Array, Array]:
    """Positions and masses of the nodes, translations in each mode, modal stiffness. The last node is the tip."""
    x = LENGTH * (np.arange(NODES) + 0.5) / NODES
    names = {f"x{j}": float(value) for j, value in enumerate(x)}
    data = fb.Beam(**BEAM, nodes=names).modal_data(MODES)
    nodes = [data.nodes[name] for name in (*names, "tip")]
    masses = np.array([BEAM["density"] * LENGTH / NODES] * NODES + [0.0])
    positions, shapes = (np.array([getattr(node, key) for node in nodes]) for key in ("position", "translations"))
    return positions, masses, shapes, data.K


def system(order: str = "full") -> fb.System:
    positions, masses, shapes, stiffness = arm()
    s = fb.System("flexible arm", gravity=(0, 0, 0))
    body = fb.FlexibleNodes(
        positions=positions,
        masses=masses,
        shapes=shapes,
        slopes=0 * shapes,
        modal_stiffness=stiffness,
        rayleigh=(0, DAMPING),
        names=[*(f"x{j}" for j in range(NODES)), "tip"],
    )
    link = s.body("arm", joint=fb.Revolute("y"), flexible=body, order=order)
    s.body("payload", on=link.node("tip"), joint=fb.Spherical(), mass=PAYLOAD, com=CENTRE, inertia=INERTIA)
    s.joint_force(link, TORQUE, name="motor")
    s.output("tip", s.position(link.node("tip").origin))
    return s


def exudyn_arm(duration: float, steps: int) -> tuple[float, Array]:
    """Time of a run of Exudyn, and the tip at its end."""
    exu = _exudyn()
    import exudyn.itemInterface as item
    from exudyn.rigidBodyUtilities import RigidBodyInertia

    positions, masses, shapes, stiffness = arm()
    modes = reduced_order(positions, masses, shapes, stiffness)
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(item.ObjectGround())
    flexible = modes.AddObjectFFRFreducedOrder(mbs, stiffnessProportionalDamping=DAMPING)
    ends = [
        mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=ground)),
        mbs.AddMarker(item.MarkerNodeRigid(nodeNumber=flexible["nRigidBody"])),
    ]
    mbs.AddObject(item.GenericJoint(markerNumbers=ends, constrainedAxes=[1, 1, 1, 1, 0, 1]))
    mbs.AddLoad(item.LoadTorqueVector(markerNumber=ends[1], loadVector=[0, TORQUE, 0]))
    centre = np.array([LENGTH, 0, 0]) + CENTRE
    payload = mbs.CreateRigidBody(
        referencePosition=centre, inertia=RigidBodyInertia(PAYLOAD, np.diag(INERTIA), np.zeros(3))
    )
    tip = mbs.AddMarker(
        item.MarkerSuperElementPosition(
            bodyNumber=flexible["oFFRFreducedOrder"], meshNodeNumbers=[NODES], weightingFactors=[1]
        )
    )
    joint = mbs.AddMarker(item.MarkerBodyPosition(bodyNumber=payload, localPosition=list(-np.array(CENTRE))))
    mbs.AddObject(item.SphericalJoint(markerNumbers=[tip, joint]))
    mbs.Assemble()
    took = integrate(exu, mbs, duration, steps)
    return took, np.array(mbs.GetMarkerOutput(tip, exu.OutputVariableType.Position))


def our_arm(rtol: float) -> Callable[[], tuple[float, float, Any]]:
    """A function that calls ``simulate`` and returns its time, its error, and the run."""
    equations = system().derive()
    exact = equations.simulate([0, DURATION], rtol=1e-11, atol=1e-13)["tip"][-1]

    def run() -> tuple[float, float, Any]:
        began = time.thread_time()
        result = equations.simulate([0, DURATION], rtol=rtol, atol=rtol / 10)
        return time.thread_time() - began, float(np.abs(result["tip"][-1] - exact).max()), result

    return run


def racing(tolerances: tuple[float, ...] = (1e-3, 1e-4), rounds: int = 7) -> list[Row]:
    """Our time over Exudyn's at equal error."""
    rows: list[Row] = []
    exact = system().simulate([0, DURATION], rtol=1e-11, atol=1e-13)["tip"][-1]
    for rtol in tolerances if here else ():
        ours = our_arm(rtol)
        ours()
        best, error, run = min((ours() for _ in range(rounds)), key=lambda r: r[0])
        rough = float(np.abs(exudyn_arm(DURATION, 1000)[1] - exact).max())
        steps = math.ceil(1000 * math.sqrt(rough / error))  # of second order
        theirs, tip = min((exudyn_arm(DURATION, steps) for _ in range(3)), key=lambda r: r[0])
        more = {
            "our error": error,
            "our steps": run.statistics.steps,
            "our seconds": best,
            "Exudyn's error": float(np.abs(tip - exact).max()),
            "Exudyn's steps": steps,
            "Exudyn's seconds": theirs,
        }
        rows.append((f"flexible arm, 1 s, error {error:.0e}: simulate over Exudyn", best / theirs, 1 / 10, more))
    return rows


JOBS = {"flexible arm beside Exudyn": racing}


if __name__ == "__main__":
    from mechanics import show

    for row in racing():
        show(*row)
