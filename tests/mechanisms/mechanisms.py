"""Random mechanisms for tests of constraints: trees of joints of several kinds with loops that are closed at the state
they are returned with."""

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import freebody as fb

Array = np.ndarray
G = np.array([0.4, -0.3, -9.0])
TREE = (
    fb.Revolute((1, 2, -2)), fb.Spherical(), fb.Cylindrical("y"), fb.Universal("x", "z"), fb.Planar("z"),
    fb.Revolute("y"), fb.Prismatic((2, 1, 2)), fb.Free("123"), fb.Free(),
)  # fmt: skip
CUT = (
    fb.Spherical(), fb.Revolute((1, 2, 2)), fb.Cylindrical("x"), fb.Universal("x", "y"), fb.Prismatic("z"),
    fb.Planar("y"), fb.Weld(),
)  # fmt: skip


@dataclass(eq=False)
class Mechanism:
    """A system with a state on its constraints. ``force`` acts on ``pushed`` at its mass centre; ``solids`` are mass,
    mass centre and inertia by body, ``closings`` the points of the second bodies by closure."""

    system: fb.System
    q: Array
    u: Array
    t: float
    pushed: str
    force: Array
    solids: dict[str, tuple[float, Array, Array]]
    closings: dict[str, Array]

    @property
    def state(self) -> tuple[Array, Array]:
        return self.q, self.u

    @cached_property
    def f(self) -> Any:
        return self.system.derive("kane").compile("numpy")

    def u_dot(self, seed: int = 0) -> tuple[Array, Array, Array]:
        """tau at random, and u̇ and the multipliers under it."""
        f = self.f
        tau = np.random.default_rng(seed).normal(size=len(self.u))
        return tau, f.forward_dynamics(*self.state, tau, t=self.t), f.multipliers(*self.state, tau, t=self.t)


def solid(rng: Any) -> tuple[float, Array, Array]:
    """Mass, mass centre, and inertia about it, of four mass points."""
    masses, points = rng.uniform(0.3, 1, 4), rng.uniform(-0.5, 0.5, (4, 3))
    com = masses @ points / masses.sum()
    J = sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, points - com, strict=True))
    return float(masses.sum()), com, np.asarray(J)


@cache
def mechanism(seed: int, loops: int = 1, driven: bool = False) -> Mechanism:
    """A tree whose joints are of all kinds in turn, closed by joints of all kinds in turn. ``driven``: the motion of a
    joint is prescribed, one is coupled to another, and an expression that depends on time is kept at zero."""
    bodies = 5 if driven else 4
    rng, s, solids = np.random.default_rng(seed), fb.System("mechanism", gravity=tuple(G)), {}
    base = s.body("base", joint=fb.Free(), mass=2.0, com=(0.1, 0, 0.2), inertia=(1.0, 1.1, 1.2))
    solids["base"] = 2.0, np.array([0.1, 0, 0.2]), np.diag([1.0, 1.1, 1.2])
    names = ["base"]
    for k in range(bodies):
        m, com, J = solids[f"b{k}"] = solid(rng)
        joint: Any = TREE[(seed + k) % len(TREE)]
        if driven and k == 2:
            joint = fb.Revolute("x", motion="0.4*sin(2*t)", damping=0.3)
        if driven and k > 2:
            joint = replace(fb.Revolute((1, 1, k)), armature=0.2, stiffness=2.0)
        on = base if k % 2 == 0 and k < 3 else s.bodies[names[-1 if k % 2 else -2]]
        s.body(f"b{k}", on=on, at=rng.uniform(-0.5, 0.5, 3), joint=joint, mass=m, com=com, inertia=J)
        names.append(f"b{k}")
    if driven:
        s.couple(f"b{bodies - 1}", f"b{bodies - 2}", ratio=-1.5)
    force = rng.normal(size=3)
    s.force(s.ground.vector(tuple(force)), at=s.bodies["b1"].point(tuple(solids["b1"][1])), name="push")
    f, t = s.derive("kane").compile("numpy"), 0.3
    q = rng.uniform(-0.8, 0.8, len(f.equations.q))
    for k in (k for k, name in enumerate(f.equations.q) if name.endswith(".qw")):
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    if driven:
        free = next(n for n in f.equations.u if n == f"b{bodies - 2}")
        value = float(np.sin(q[f.equations.q.index(free)]) + 0.2 * t)
        s.constrain(f"sin(q.{free}) + 0.2*t - {value!r}", name="timed")
    closings = dict[str, Array]()
    for k in range(loops):
        one, other = (("b1", f"b{bodies - 2}"), ("ground", f"b{bodies - 1}"))[k]
        joint = CUT[(seed + 3 * k) % len(CUT)]
        if k or driven:
            joint = fb.Spherical()
        (R_a, p_a), (R_b, p_b) = ((np.eye(3), np.zeros(3)) if n == "ground" else f.pose(q, n, t) for n in (one, other))
        A_p, A_R = rng.uniform(-0.3, 0.3, 3), Rotation.random(random_state=seed).as_matrix()
        start, end = s.ground if one == "ground" else s.bodies[one], s.bodies[other]
        B_p = closings[f"loop{k}"] = R_b.T @ (p_a + R_a @ A_p - p_b)
        s.close(
            start.point(tuple(A_p)),
            end.point(tuple(B_p)),
            joint,
            orient=A_R,
            orient_to=R_b.T @ R_a @ A_R,
            name=f"loop{k}",
        )
    for name in (*solids, *closings):
        s.output(f"force_on_{name}", s.reaction_force(name))
        s.output(f"torque_on_{name}", s.reaction_torque(name))
    f, n = s.derive("kane").compile("numpy"), len(q)
    u = f.project(t, [*q, *rng.uniform(-1, 1, len(f.equations.u))])[n:]
    return Mechanism(s, q, u, t, "b1", force, solids, closings)
