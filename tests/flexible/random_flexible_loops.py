"""Random mechanisms with flexible bodies whose constraints at nodes hold at a random state."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import freebody as fb

Array = NDArray[np.float64]
JOINTS = (fb.Weld(), fb.Revolute((0.6, 0, 0.8)), fb.Universal(), fb.Prismatic("y"), fb.Revolute("z", armature=0.2))
CONSTRAINTS = ("ball", "hinge", "same body", "rope", "modes", "cross", "speeds")


@dataclass
class RandomLoop:
    """A system, and coordinates and speeds that its constraints allow."""

    system: fb.System
    q: Array
    u: Array


def random_loop(seed: int, order: str = "full", kinds: Sequence[str] = (), **options: Any) -> RandomLoop:
    """A flexible body on a rigid one, with a rigid body welded to one node and another flexible body on the other;
    a flexible body on the ground; a spring and a force at nodes; and constraints of these ``kinds`` between them, by
    default three of the ``CONSTRAINTS``, all with the same ``options``. Of order "ruthless" the state is not bent,
    because loops are closed to first order only."""
    rng = np.random.default_rng(seed)
    s = fb.System("random loop", gravity=(0.3, 0.2, -9.81))

    def solid() -> dict[str, Any]:
        return {
            "mass": rng.uniform(1, 2),
            "com": tuple(rng.normal(size=3) / 5),
            "inertia": tuple(rng.uniform(1, 1.5, 3)),
        }

    def beam(name: str, length: float, **where: Any) -> Any:
        shape = fb.Beam(
            length=length, nodes={"mid": 0.4 * length}, damping=0.01, EI=(300.0, 200.0), density=1.5, polar_inertia=0.02
        )
        return s.body(name, order=order, modes=2, flexible=shape, **where)

    hub = s.body("hub", joint=JOINTS[rng.choice([1, 2, 4])], **solid())
    arm = beam("arm", 1.0, on=hub, at=(0.3, 0.1, 0), orient=("y", 0.4), joint=JOINTS[rng.choice([0, 1, 3])], **solid())
    panel = beam("panel", 0.8, on=arm.node("tip"), joint=JOINTS[rng.choice([0, 1, 2])], **solid())
    mast = beam("mast", 1.2, at=(1, 1, 0), orient=("x", 0.3))
    s.body("pod", on=arm.node("mid"), at=(0, 0.1, 0), **solid())
    nodes = {f"{body.name}.{node}": body.node(node) for body in (arm, panel, mast) for node in ("mid", "tip")}
    s.spring(nodes["panel.mid"].origin, s.ground.point((2, 1, 1)), stiffness=50.0, free_length=1.0)
    s.force(s.ground.vector((1.0, 2.0, -0.5)), at=nodes["mast.mid"].origin)
    f = s.derive("kane").compile("numpy")
    names = f.equations.q
    q = rng.normal(size=len(names)) * [(0 if order == "ruthless" else 0.006) if ".m" in n else 0.3 for n in names]
    poses = {name: f.pose(q, name) for name in nodes}

    def close(one: str, other: str, joint: Any, name: str) -> None:
        A, B = poses[one], poses[other]
        s.close(
            nodes[one],
            nodes[other].point(tuple(B.R.T @ (A.p - B.p))),
            joint,
            orient_to=(B.R.T @ A.R).tolist(),
            name=name,
            **options,
        )

    for kind in kinds or rng.permutation(CONSTRAINTS)[:3].tolist():
        if kind == "ball":
            close("mast.tip", "panel.tip", fb.Spherical(), kind)
        elif kind == "hinge":
            close("mast.mid", "panel.mid", fb.Revolute((0.6, 0, 0.8)), kind)
        elif kind == "cross":
            close("arm.mid", "mast.mid", fb.Universal(), kind)
        elif kind == "same body":
            tip, offset = poses["arm.tip"], (0, 0.1, 0.2)
            length = float(np.linalg.norm(tip.p + tip.R @ offset - poses["arm.mid"].p))
            s.rod(nodes["arm.mid"], nodes["arm.tip"].point(offset), length, name=kind, **options)
        elif kind == "rope":
            length = float(np.linalg.norm(poses["panel.tip"].p - (0.5, 3, 0)))
            s.rod(nodes["panel.tip"], s.ground.point((0.5, 3, 0)), length, name=kind, **options)
        elif kind == "modes":
            start = q[names.index("arm.m1")] - 0.5 * q[names.index("mast.m1")]
            s.constrain(f"q.arm.m1 - 0.5*q.mast.m1 - {float(start)!r}", name=kind, **options)
        else:
            both = (s.velocity(nodes[n].origin).dot(s.ground.x) for n in ("mast.tip", "panel.tip"))
            s.constrain(next(both) - 0.3 * next(both), name=kind, **options)
    u = rng.normal(size=len(f.equations.u))
    G = s.derive("kane").compile("numpy").constraint(q, u)["G"]
    return RandomLoop(s, q, u - np.linalg.pinv(G, rcond=1e-10) @ G @ u)
