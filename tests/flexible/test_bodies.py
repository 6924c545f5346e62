"""Flexible bodies as users describe them: names, nodes, equal equations by every formulation, and published cases."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import freebody as fb
from freebody.errors import ModelError
from freebody.io import dumps, loads
from freebody.model.joints import Joint

Array = NDArray[np.float64]
BOOM: dict[str, Any] = {"length": 10, "EA": 2.8e7, "EI": (1.4e4, None), "density": 1.2}
SPACE: dict[str, Any] = {
    "length": 2.0, "EI": (300.0, 200.0), "GJ": 80.0, "EA": 1e5, "density": 1.5, "polar_inertia": 0.02, "axial": 1,
    "torsion": 1, "nodes": {"mid": 0.8},
}  # fmt: skip
JOINTS = {
    "weld": fb.Weld(), "revolute": fb.Revolute("y"), "oblique": fb.Revolute((1, 2, 3)), "prismatic": fb.Prismatic("z"),
    "universal": fb.Universal(), "spherical": fb.Spherical(), "free": fb.Free(), "planar": fb.Planar(),
}  # fmt: skip


def branched(joint: Joint, order: str = "full") -> fb.System:
    """A flexible body on a rigid one, with rigid bodies and another flexible body on its nodes, and loads there."""
    s = fb.System("branched")
    hub = s.body("hub", joint=fb.Spherical(), mass=3.0, com=(0.1, 0, 0), inertia=(0.4, 0.5, 0.6))
    arm = s.body(
        "arm",
        on=hub,
        at=(0.3, 0.1, 0),
        orient=("x", 0.7),
        joint=joint,
        mass=0.5,
        com=(0.1, 0, 0.05),
        inertia=(0.02, 0.03, 0.04),
        flexible=fb.Beam(**SPACE),
        modes=3,
        order=order,
    )
    s.body("pendulum", on=arm.node("mid"), joint=fb.Revolute("x"), mass=0.4, com=(0, 0, -0.3), inertia=(0.01,) * 3)
    panel = s.body(
        "panel",
        on=arm.node("tip"),
        joint=fb.Revolute((0, 1, 1)),
        order=order,
        flexible=fb.Beam(length=1.0, EI=(50.0, 60.0), density=0.8, polar_inertia=0.01),
        modes=4,
    )
    s.body("ball", on=panel.node("tip"), at=(0.1, 0.05, 0), mass=0.2, com=(0, 0.02, 0), inertia=(0.001,) * 3)
    s.spring(panel.node("tip").origin, s.ground.point((2, 1, 1)), stiffness=5.0, free_length=1.0)
    s.force(s.ground.vector((1.0, "2*t", -0.5)), at=arm.node("mid").point((0, 0.1, 0)))
    return s


def state(eq: fb.Equations, seed: int = 1) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    q, u = 0.2 * rng.normal(size=len(eq.q)), rng.normal(size=len(eq.u))
    for k, name in enumerate(eq.q):
        if name.endswith(".qw"):
            q[k : k + 4] = rng.normal(size=4)
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q, u


def test_names_of_modes_stand_behind_those_of_the_joint() -> None:
    s = fb.System("boom")
    boom = s.body("boom", joint=fb.Free(), flexible=fb.Beam(**BOOM), modes=2)
    s.body("tip mass", on=boom.node("tip"), joint=fb.Revolute("z"), mass=1.0, inertia=(1, 1, 1))
    eq = s.derive()
    assert eq.q == (
        "boom.x",
        "boom.y",
        "boom.z",
        "boom.qw",
        "boom.qx",
        "boom.qy",
        "boom.qz",
        "boom.m1",
        "boom.m2",
        "tip mass",
    )
    assert eq.u[6:] == ("boom.m1", "boom.m2", "tip mass")
    run = s.simulate(0.1, q={"boom.m1": 0.1, "tip mass": 0.2}, u={"boom.m2": 0.3})
    assert run["q.boom.m1"][0] == 0.1 and run["q.tip mass"][0] == 0.2 and run["u.boom.m2"][0] == 0.3


@pytest.mark.parametrize("joint", JOINTS)
def test_formulations_agree(joint: str) -> None:
    s = branched(JOINTS[joint])
    expected: Array | None = None
    for formulation in ("kane", "crba", "aba", "poincare"):
        f = s.derive(formulation).compile("numpy")
        q, u = state(f.equations)
        u_dot = f.forward_dynamics(q, u, t=0.3)
        expected = u_dot if expected is None else expected
        scale = np.max(np.abs(expected))
        assert np.max(np.abs(u_dot - expected)) <= 1e-11 * scale, formulation
        assert np.max(np.abs(f.inverse_dynamics(q, u, u_dot, t=0.3))) <= 1e-9 * scale, formulation


@pytest.mark.parametrize("joint", ["weld", "revolute", "free"])
def test_ruthless_formulations_agree(joint: str) -> None:
    s = branched(JOINTS[joint], "ruthless")
    results = [
        (f := s.derive(name).compile("numpy")).forward_dynamics(*state(f.equations), t=0.3)
        for name in ("kane", "crba", "aba")
    ]
    for result in results[1:]:
        assert np.max(np.abs(result - results[0])) <= 1e-11 * np.max(np.abs(results[0]))
    with pytest.raises(ModelError, match="of order 'ruthless', whose equations do not follow from an energy"):
        s.derive("poincare")


def test_ruthless_is_full_at_an_undeformed_state_of_rest() -> None:
    values = []
    for order in ("full", "ruthless"):
        s = branched(fb.Revolute("y"), order)
        f = s.derive().compile("numpy")
        q, u = state(f.equations)
        modal = [k for k, name in enumerate(f.equations.q) if ".m" in name]
        q[modal] = 0.0
        values.append(f.mass_matrix(q))
        values.append(f.forward_dynamics(q, 0 * u, t=0.3))
    assert np.allclose(values[0], values[2], rtol=0, atol=1e-12)
    assert np.allclose(values[1], values[3], rtol=0, atol=1e-9)


def test_nodes_move_as_their_velocities_say() -> None:
    """The velocity of a body on a node is the rate of its position."""
    s = branched(fb.Spherical())
    f = s.derive().compile("numpy")
    q, u = state(f.equations)
    step = 1e-6
    for where in ("pendulum", "ball"):
        poses = [f.pose(q + h * f.q_dot(q, u), where) for h in (step, -step)]
        velocity = f.spatial_velocity(q, u, where)[3:]
        assert np.allclose((poses[0].p - poses[1].p) / (2 * step), velocity, atol=1e-7), where
        assert np.allclose(f.jacobian(q, where) @ u, f.spatial_velocity(q, u, where), atol=1e-12), where


# Published and closed forms


def spin_up(order: str = "full", **more: Any) -> fb.System:
    """Kane, Ryan and Banerjee (1987): a cantilever on a hub whose angle is prescribed."""
    s = fb.System("spin-up", gravity=(0, 0, 0))
    angle = "where(t < 15, 6/15*(t**2/2 + (15/(2*pi))**2*(cos(2*pi*t/15) - 1)), 6*t - 45)"
    boom = s.body("boom", joint=fb.Revolute("z", motion=angle), flexible=fb.Beam(**BOOM), modes=3, order=order, **more)
    s.output("tip", s.position(boom.node("tip").origin, boom.origin).dot(boom.y))
    return s


def test_spin_up_with_stiffening() -> None:
    run = spin_up().simulate(20.0, rtol=1e-8)
    assert abs(np.min(run["tip"]) + 0.5744) < 1e-3  # about −0.57 m, and back to about zero
    assert np.max(np.abs(run["tip"][run.t > 16])) < 0.01


def test_two_panels_on_a_hub() -> None:
    """The characteristic equations of two panels clamped to a hub that moves in their plane."""
    s = fb.System("spacecraft", gravity=(0, 0, 0))
    hub = s.body("hub", joint=fb.Planar(), mass=200.0, inertia=(150.0,) * 3)
    for name, side in (("left", np.pi), ("right", 0.0)):
        s.body(
            name,
            on=hub,
            at=(0.8 * np.cos(side), 0, 0),
            orient=("z", side),
            flexible=fb.Beam(length=6, EI=(900, None), density=1.5),
            modes=12,
        )
    frequencies = np.sort([abs(x) for x in np.linalg.eigvals(s.linearize().A) if x.imag > 0.1])
    expected = [2.45526769, 3.94144113, 15.11691607, 15.69417873, 42.10044759, 42.37539295]
    assert np.allclose(frequencies[:6], expected, rtol=1e-5)


@pytest.mark.parametrize(("spin", "flap"), [(0, 3.5160), (3, 4.7973), (6, 7.3604), (12, 13.170)])
def test_rotating_cantilever(spin: float, flap: float) -> None:
    """Flap and lag frequencies of a beam that rotates about z (Wright et al. 1982); lag² = flap² − Ω²."""
    s = fb.System("rotor", gravity=(0, 0, 0))
    s.body(
        "blade",
        joint=fb.Revolute("z", motion=f"{spin}*t"),
        flexible=fb.Beam(length=1, EI=(1, 1), density=1),
        modes={"bending y": 10, "bending z": 10},
    )
    f = np.sort([x.imag for x in np.linalg.eigvals(s.linearize().A) if x.imag > 1e-3])[:2]
    assert np.allclose(f, [np.sqrt(flap**2 - spin**2), flap], rtol=4e-4)


def test_static_deflection_of_a_loaded_cantilever() -> None:
    s = fb.System("cantilever", gravity=(0, 0, 0))
    beam = s.body("beam", flexible=fb.Beam(length=2.0, EI=(500.0, None), density=3.0), modes=10)
    s.force(s.ground.vector((0, -0.3, 0)), at=beam.node("tip").origin)
    s.output("tip", s.position(s.ground.origin, beam.node("tip").origin).dot(s.ground.y))
    at = s.equilibrium()
    tip = sum(x * y for x, y in zip(at.q.values(), beam.spec.modal.data.nodes["tip"].translations[1], strict=True))
    assert abs(tip / (-0.3 * 8 / (3 * 500)) - 1) < 2e-4


# Conservation


def test_energy_and_momentum_of_a_free_flexible_body() -> None:
    s = fb.System("spacecraft", gravity=(0, 0, 0))
    hub = s.body("hub", joint=fb.Free(), mass=5.0, inertia=(1.0, 1.2, 0.8))
    panel = s.body(
        "panel", on=hub, at=(0.5, 0, 0), joint=fb.Revolute("y", stiffness=3.0), flexible=fb.Beam(**SPACE), modes=4
    )
    s.body("tip", on=panel.node("tip"), joint=fb.Spherical(), mass=0.5, com=(0, 0.1, 0.2), inertia=(0.05, 0.06, 0.03))
    run = s.simulate(
        3.0, rtol=1e-10, q={"panel.m1": 0.05, "panel": 0.3}, u={"hub.wx": 0.6, "hub.wz": 1.0, "panel.m2": 0.4}
    )
    energy = run["energy.kinetic"] + run["energy.potential"]
    assert np.ptp(energy) <= 1e-8 * np.max(energy)
    for what in ("linear", "angular"):
        assert np.max(np.ptp(run[f"momentum.{what}"], axis=0)) <= 1e-8, what


def test_a_loop_closed_between_nodes_keeps_its_energy() -> None:
    """A four-bar whose coupler and rocker bend; formulations agree with constraints too."""
    s = fb.System("flexible four-bar")
    crank = s.body("crank", joint=fb.Revolute("z"), mass=1, com=(0.1, 0, 0), inertia=(0.01, 0.01, 0.02))
    joint = {"mass": 0.05, "inertia": (1e-3,) * 3}
    coupler = s.body(
        "coupler",
        on=crank,
        at=(0.2, 0, 0),
        joint=fb.Revolute("z", initial=0.3),
        modes=3,
        **joint,
        flexible=fb.Beam(length=1.0, EI=(20.0, None), density=0.5),
    )
    rocker = s.body(
        "rocker",
        at=(1.0, 0, 0),
        joint=fb.Revolute("z", initial=1.2),
        modes=2,
        **joint,
        flexible=fb.Beam(length=0.6, EI=(20.0, None), density=0.5),
    )
    s.close(coupler.node("tip"), rocker.node("tip"), fb.Revolute("z"), name="pin")
    q, u = s.assemble({"crank": 0.5}, {"crank": 3.0})
    found = [s.derive(name).compile("numpy").forward_dynamics(q, u) for name in ("kane", "aba", "crba")]
    for u_dot in found[1:]:
        assert np.max(np.abs(u_dot - found[0])) <= 1e-11 * np.max(np.abs(found[0]))
    run = s.simulate(0.5, q=q, u=u, rtol=1e-9)
    energy = run["energy.kinetic"] + run["energy.potential"]
    assert np.ptp(energy) <= 1e-7 * np.max(np.abs(energy)) and max(run.drift) < 1e-10


# Refused


def test_refused_descriptions() -> None:
    s = fb.System("wrong")
    boom = s.body("boom", flexible=fb.Beam(**BOOM), modes=2)
    rigid = s.body("rigid", mass=1.0)
    with pytest.raises(ModelError, match=r"has no node of this name; its nodes: root, tip"):
        boom.node("middle")
    with pytest.raises(ModelError, match="'rigid' has no nodes"):
        rigid.node("tip")
    with pytest.raises(ModelError, match=r"'boom\.tip' is the name of a parameter in system"):
        s.parameter("boom.tip", 1.0)
        boom.node("tip")
    with pytest.raises(ModelError, match="one of 'full', 'ruthless' or 'paper' is needed"):
        s.body("other", flexible=fb.Beam(**BOOM), modes=2, order="half")


def test_points_that_do_not_bend_are_not_taken_for_nodes() -> None:
    """Bodies, loads and constraints cannot be at the undeformed place of a node that modes move."""
    s, end = fb.System("wrong"), (BOOM["length"], 0, 0)
    boom = s.body("boom", flexible=fb.Beam(**BOOM), modes=2)
    text = r"\(10, 0, 0\) of 'boom' is where its node 'tip' is, but does not move .*; use the node: 'boom\.tip'"
    with pytest.raises(ModelError, match=f"bodies.load.at: {text}"):
        s.body("load", on=boom, at=end, mass=1.0)
    with pytest.raises(ModelError, match=f"loads.push.force.at: {text}"):
        s.force(s.ground.z, at=boom.point(end), name="push")
    with pytest.raises(ModelError, match=f"constraints.pin.close.to: {text}"):
        s.close(s.ground, boom.point(end), fb.Revolute("z"), name="pin")
    s.body("load", on=boom, at=(BOOM["length"] / 2, 0, 0), mass=1.0)
    s.close(s.ground, boom, fb.Revolute("z"), name="pin")  # the root does not move
    s.output("chord", s.position(boom.node("tip").origin) - s.position(boom.point(end)))
    with pytest.raises(ModelError, match=r"'boom\.tip' is the name of a node in system 'wrong'"):
        s.parameter("boom.tip", 1.0)


# Model files


@pytest.mark.parametrize("joint", ["weld", "spherical"])
def test_round_trip_of_model_files(joint: str) -> None:
    s = branched(JOINTS[joint], "ruthless")
    s.output("seen", s.position(s.bodies["arm"].node("mid").point((0, 0, 1))))
    text = dumps(s)
    assert "on: arm.tip" in text and "type: beam" in text
    again = loads(text, fb.System)
    assert dumps(again) == text and again.digest() == s.digest()
    f, g = s.derive().compile("numpy"), again.derive().compile("numpy")
    q, u = state(f.equations)
    assert np.array_equal(f.forward_dynamics(q, u), g.forward_dynamics(q, u))


def hinged(**beam: Any) -> fb.System:
    s, armature = fb.System("pendulum"), beam.pop("armature", 0.0)
    s.body(
        "beam",
        joint=fb.Revolute("z", armature=armature),
        orient=("x", np.pi / 2),
        modes=8,
        flexible=fb.Beam(length=1.0, EI=(5.0, None), density=1.0, damping=0.01, **beam),
    )
    s.output("tip", s.position(s.bodies["beam"].node("tip").origin))
    return s


def test_a_hinged_beam_needs_no_further_inertia() -> None:
    """Modes of a clamped or pinned beam in the frame of its root leave less than 0.1 % of its inertia about the hinge.
    Runs with them agree with those of other frames, and with an armature, and keep their energy."""
    start: dict[str, Any] = {"q": {"beam": 3.0}}
    others = {"ends": "pinned"}, {"ends": "free"}, {"armature": 0.002}, {"ends": "pinned", "frame": "floating"}
    runs = [hinged(**more).simulate([0, 0.4], **start) for more in ({}, *others)]
    assert all(run.success and run.energy_error < 1e-9 for run in runs)
    assert np.abs(np.diff([run["tip"][-1] for run in runs], axis=0)).max() < 6e-3
