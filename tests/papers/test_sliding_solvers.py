"""Solvers in rotations of bodies take joints that slide (Mufti 1983, Remark 5): on random mechanisms with prismatic,
cylindrical, planar and free joints they agree with Kane's equations."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError

MEMBERS = ("barycentric", "relative", "tree")
ROOTS: dict[str, Any] = {
    "free": fb.Free(),
    "ball": fb.Spherical(),
    "rail": fb.Prismatic((1, 2, 2)),
    "cylinder": fb.Cylindrical("z"),
    "angles": fb.Free("123"),
    "driven": fb.Prismatic("x", motion="0.3*sin(t)"),
}
JOINTS: tuple[Any, ...] = (
    fb.Prismatic((1, 2, 2)),
    fb.Cylindrical((0, 1, 2)),
    fb.Spherical(),
    fb.Universal("x", "y"),
    fb.Planar((1, 1, 0)),
    fb.Revolute((2, 1, 2)),
    fb.BuildingBlock(translations=("x", "z"), rotations=(1, 2, 3)),
    fb.Prismatic("y", motion="0.3*sin(t)"),
    fb.Free(),
    fb.Revolute("z", motion="0.2*t"),
    fb.Prismatic("x", armature=0.3, damping=0.2, stiffness=2.0),
)


def solid(rng: Any) -> dict[str, Any]:
    points = rng.normal(size=(6, 3)) * 0.4
    inertia = sum(np.eye(3) * (x @ x) - np.outer(x, x) for x in points)
    return {"mass": float(rng.uniform(0.5, 3)), "com": rng.normal(size=3) / 2, "inertia": inertia}


def mechanism(seed: int, root: str, loop: bool = False) -> fb.System:
    rng, s = np.random.default_rng(seed), fb.System("mechanism")
    for k in range(6):
        joint = ROOTS[root] if k == 0 else JOINTS[(rng.integers(len(JOINTS)) if k > 1 else seed) % len(JOINTS)]
        on = s.ground if k == 0 else s.bodies[f"b{rng.integers(k)}"]
        s.body(f"b{k}", on=on, at=rng.normal(size=3), orient=((1, 2, 0), 0.3 * k), joint=joint, **solid(rng))
    s.force(s.ground.vector((1, 2, 3)), at=s.bodies["b4"].point((0.1, 0.2, 0.3)))
    if loop:
        far = s.body("far", joint=fb.Free(), **solid(rng))
        s.close(far.point((0.1, 0, 0)), s.bodies["b5"].point((0, 0.2, 0)), fb.Spherical(), name="ball")
        s.rod(far.point((0, 0.3, 0)), s.bodies["b3"].point((0, 0, 0.1)), 1.3)
    return s


def state(eq: Any, seed: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    q, u, tau = rng.uniform(-1, 1, len(eq.q)), rng.normal(size=len(eq.u)), rng.normal(size=len(eq.u))
    for k in (k for k, n in enumerate(eq.q) if n.endswith(".qw")):
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q, u, tau


@pytest.mark.paper("001", "23")
@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("seed", range(4))
def test_random_trees_with_joints_that_slide(seed: int, root: str) -> None:
    s = mechanism(seed, root)
    eq = s.derive("kane")
    q, u, tau = state(eq, seed)
    expected = eq.compile("numpy").forward_dynamics(q, u, tau, t=0.4)
    for name in MEMBERS:
        f = s.derive("gauss", solver=name).compile("numpy")
        assert np.abs(f.forward_dynamics(q, u, tau, t=0.4) - expected).max() < 1e-11 * np.abs(expected).max(), name


@pytest.mark.paper("001", "23")
@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("seed", range(2))
def test_constraints_between_trees_that_slide(seed: int, root: str) -> None:
    """u̇ and multipliers with a cut ball joint and a rod; the state need not satisfy them."""
    s = mechanism(seed + 10, root, loop=True)
    f = s.derive("kane").compile("numpy")
    q, u, tau = state(f.equations, seed)
    expected, forces = f.forward_dynamics(q, u, tau, t=0.4), f.multipliers(q, u, tau, t=0.4)
    for name in MEMBERS:
        g = s.derive("gauss", solver=name).compile("numpy")
        assert np.abs(g.forward_dynamics(q, u, tau, t=0.4) - expected).max() < 1e-8 * np.abs(expected).max(), name
        assert np.abs(g.multipliers(q, u, tau, t=0.4) - forces).max() < 1e-8 * np.abs(forces).max(), name


def test_a_plane_tree_slides_in_its_plane_and_out_of_it() -> None:
    s = fb.System("plane")
    one = s.body("one", joint=fb.Planar("z"), mass=2.0, inertia=(1, 1, 1.5), com=(0.1, 0.2, 0))
    two = s.body(
        "two", on=one, at=(0.3, 0, 0), joint=fb.Prismatic((1, 2, 0)), mass=1.0, com=(0, 0.2, 0), inertia=(1, 1, 1)
    )
    s.body("three", on=two, at=(0, 0.3, 0), joint=fb.Revolute("z"), mass=1.0, com=(0, 0.2, 0), inertia=(1, 1, 1))
    q, u, tau = state(s.derive("kane"), 1)
    expected = s.derive("kane").compile("numpy").forward_dynamics(q, u, tau)
    for name in MEMBERS:
        f = s.derive("gauss", solver=name).compile("numpy")
        assert np.abs(f.forward_dynamics(q, u, tau) - expected).max() < 1e-12 * np.abs(expected).max(), name
    s.body("out", on=two, joint=fb.Prismatic("z"), mass=1.0)
    q, u, tau = state(s.derive("kane"), 1)
    expected = s.derive("kane").compile("numpy").forward_dynamics(q, u, tau)
    for name in MEMBERS:
        f = s.derive("gauss", solver=name).compile("numpy")
        assert np.abs(f.forward_dynamics(q, u, tau) - expected).max() < 1e-12 * np.abs(expected).max(), name


def test_runs_with_sliding_joints_agree() -> None:
    s = mechanism(3, "rail")
    one = s.simulate(0.3)
    for name in ("barycentric", "relative"):
        other = s.derive("gauss", solver=name).simulate(0.3)
        assert np.abs(one.x[-1] - other.x[-1]).max() < 1e-6 and other.energy_error < 1e-6


@pytest.mark.parametrize("name", MEMBERS)
def test_what_turns_and_slides_at_once_is_refused_by_name(name: str) -> None:
    s = fb.System("s")
    root = s.body("root", joint=fb.Spherical(), mass=1, inertia=(1, 1, 1))
    s.body("nut", on=root, joint=fb.Screw("x", 0.1), mass=1, inertia=(1, 1, 1))
    with pytest.raises(ModelError, match=r"'nut' on 'root' \(screw\) has a speed that turns and slides at once"):
        s.derive("gauss", solver=name)
    s = fb.System("s")
    one = s.body("one", joint=fb.Revolute("x"), mass=1, inertia=(1, 1, 1))
    s.body("two", on=one, joint=fb.Prismatic("x"), mass=1, inertia=(1, 1, 1))
    s.couple("two", "one", ratio=0.1)
    with pytest.raises(ModelError, match=r"'two' on 'one' \(prismatic\) slides and is coupled"):
        s.derive("gauss", solver=name)
