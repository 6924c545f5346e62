"""Accelerations and reactions in outputs: correct with every formulation and every joint; refused where u̇ is
unknown."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.model.joints import JOINTS
from tests.formulations.test_pinocchio import AGREE, drawn, layout, model
from tests.mechanisms import random_couplings
from tests.mechanisms.build_system import Builder
from tests.mechanisms.newton_euler_reference import motions
from tests.mechanisms.numeric_equations import error
from tests.mechanisms.random_trees import State, Tree, state, tree

EXACT = 1e-11  # relative to the largest number of the same kind; measured: below 1e-13
SLOPE, STEP = 1e-7, 1e-5  # error of central differences over STEP; measured: below 1e-9
FORMULATIONS: dict[str, dict[str, Any]] = {
    "kane": {}, "crba": {"formulation": "crba"}, "aba": {"formulation": "aba"}, "poincare": {"formulation": "poincare"},
    "sayers": {"formulation": "sayers"}, "mass-centre": {"speeds": "mass-centre"},
    "rolled": {"formulation": "aba", "rolled": True}, "cheapest": {"formulation": "cheapest", "search": 0},
}  # fmt: skip
SEEDS = range(len(JOINTS))  # covers every kind of joint
CASES = [
    pytest.param(n, k, marks=[pytest.mark.long] if n != "kane" and (k + i) % 6 else [])
    for i, n in enumerate(FORMULATIONS) for k in SEEDS if n == "kane" or (k + i) % 3 == 0
]  # fmt: skip
AT = (0.3, -0.2, 0.5)


@cache
def loaded(seed: int) -> tuple[Tree, State, fb.System]:
    """Three bodies on joints with all options (including prescribed motions) and all kinds of loads; outputs at the
    last body."""
    made = tree(seed, bodies=3)
    s = Builder(made, fb.System).system
    assert isinstance(s, fb.System)
    watch(s, s.bodies[f"b{len(made.twigs) - 1}"])
    return made, state(made), s


def watch(s: fb.System, body: Any) -> None:
    fixed = body.point(AT)
    moving = body.point(body.vector((0.1, s.t, 0)) + s.position(s.bodies["b0"]))
    for name, point in (("fixed", fixed), ("moving", moving)):
        s.output(f"v {name}", s.velocity(point))
        s.output(f"a {name}", s.acceleration(point))
        s.output(f"rate {name}", s.derivative(s.velocity(point)))
    s.output("w", s.angular_velocity(body))
    s.output("alpha", s.angular_acceleration(body))
    s.output("force", s.reaction_force(body.name))
    s.output("torque", s.reaction_torque(body))
    s.output("felt", (s.acceleration(fixed) - s.gravity).dot(body.z))


class At:
    """Compiled equations of one formulation at a state, with its own speeds."""

    def __init__(self, name: str, seed: int) -> None:
        self.tree, self.state, s = loaded(seed)
        self.eq, self.t = s.derive(**FORMULATIONS[name]), self.state.t
        self.f = self.eq.compile("numpy")
        x = self.eq.from_standard(np.concatenate([self.state.q, self.state.u, [self.state.z]]), self.t)
        self.q, self.u, self.rest = x[: len(self.eq.q)], x[len(self.eq.q) : -1], {"inputs": [self.state.motor]}
        self.tau = np.random.default_rng(seed).normal(size=len(self.u)) * (name != "mass-centre")
        self.u_dot = self.f.forward_dynamics(self.q, self.u, self.tau, self.t, [self.state.z], **self.rest)

    def outputs(self, after: float = 0.0) -> dict[str, Any]:
        """The outputs slightly later along the motion."""
        q = self.q + after * self.f.q_dot(self.q, self.u, self.t)
        z = [self.state.z + after * (self.state.motor - self.state.z)]
        return self.f.outputs(q, self.u + after * self.u_dot, self.t + after, z, tau=self.tau, **self.rest)


@cache
def located(name: str, seed: int) -> At:
    return At(name, seed)


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_accelerations_are_the_rates_of_velocities_along_the_motion(name: str, seed: int) -> None:
    at = located(name, seed)
    now, ahead, behind = (at.outputs(h) for h in (0.0, STEP, -STEP))
    for rate, value in (("a fixed", "v fixed"), ("a moving", "v moving"), ("alpha", "w")):
        assert error(now[rate], (ahead[value] - behind[value]) / (2 * STEP)) < SLOPE
    for point in ("fixed", "moving"):
        assert error(now[f"a {point}"], now[f"rate {point}"]) < EXACT
    if name not in ("kane", "mass-centre"):
        other = located("kane", seed).outputs()
        assert max(error(now[key], other[key]) for key in now) < EXACT


@pytest.mark.parametrize("seed", SEEDS)
def test_accelerations_and_reactions_match_the_solved_rates(seed: int) -> None:
    """Compared with the reference motion and with reactions(…) for u̇."""
    at = located("kane", seed)
    name, now = f"b{len(at.tree.twigs) - 1}", at.outputs()
    B = motions(at.tree, at.state, at.u, at.u_dot)[-1]
    arm = B.R @ AT
    assert error(now["alpha"], B.alpha) < EXACT
    assert error(now["a fixed"], B.a + np.cross(B.alpha, arm) + np.cross(B.w, np.cross(B.w, arm))) < EXACT
    passed = at.f.reactions(at.q, at.u, at.u_dot, at.t, [at.state.z], **at.rest)
    assert error(now["force"], B.R @ passed[f"{name}.force"]) < EXACT
    assert error(now["torque"], B.R @ passed[f"{name}.torque"]) < EXACT


@pytest.mark.parametrize("seed", (0, 8, 9, 37))
def test_accelerations_match_pinocchio(seed: int) -> None:
    pin = pytest.importorskip("pinocchio", reason="the referee Pinocchio is not installed (pip install pin)")
    made, m, there = drawn(seed), model(drawn(seed)), state(drawn(seed))
    s = Builder(made, fb.System).system
    assert isinstance(s, fb.System)
    for name, body in list(s.bodies.items()):
        s.output(f"a {name}", s.acceleration(body.point(AT)))
        s.output(f"alpha {name}", s.angular_acceleration(body))
    tau, (iq, iu), data = np.random.default_rng(seed).normal(size=len(there.u)), layout(made), m.createData()
    found = s.derive().compile("numpy").outputs(there.q, there.u, tau=tau)
    a = pin.aba(m, data, there.q[iq], there.u[iu], tau[iu])
    at = pin.SE3(np.eye(3), np.array(AT))
    frames = {n: m.addFrame(pin.Frame(n, m.getJointId(n), at, pin.OP_FRAME)) for n in s.bodies}
    data = m.createData()
    pin.forwardKinematics(m, data, there.q[iq], there.u[iu], a)
    for name, frame in frames.items():
        classical = pin.getFrameClassicalAcceleration(m, data, frame, pin.LOCAL_WORLD_ALIGNED)
        assert error(found[f"a {name}"], classical.linear) < 10 * AGREE
        assert error(found[f"alpha {name}"], classical.angular) < 10 * AGREE


@pytest.mark.parametrize("seed", range(4))
def test_accelerations_of_coupled_joints_match_the_uncoupled_tree(seed: int) -> None:
    """Accelerations of points, and u_dot of every speed by name, including followers."""
    pair = random_couplings.pair(seed)
    q, u, _, tau = random_couplings.state(pair, seed)
    for s in (pair.coupled, pair.free):
        s.output("a", s.acceleration(s.bodies["b6"].point(AT)))
        s.output("sum", " + ".join(f"{k + 1}*u_dot.b{k}" for k in range(7)))
    f, free = pair.kane
    u_dot = f.forward_dynamics(q, u, tau)
    found = f.outputs(q, u, tau=tau)
    forces = free.inverse_dynamics(pair.q(q), pair.T @ u, pair.T @ u_dot)
    other = free.outputs(pair.q(q), pair.T @ u, tau=forces)
    assert error(found["a"], other["a"]) < EXACT and error(found["sum"], other["sum"]) < EXACT


def test_outputs_may_use_prescribed_coordinates_and_their_rates() -> None:
    s = fb.System()
    s.parameter("w", 3.0)
    arm = s.body("arm", joint=fb.Revolute("y", motion="sin(w*t)"), mass=2, com=(0, 0, -1), inertia=(0.1, 0.1, 0.1))
    s.body("cart", on=arm, joint=fb.Planar("z", motion=(None, "t**2", None)), mass=1, inertia=(1, 1, 1))
    s.output("y", "q.arm + 10*u.arm + 100*u_dot.arm")
    s.output("slide", "u_dot.cart.y")
    s.output("drive", "reaction.arm.drive_force")
    s.output("push", "reaction.cart.drive_force.y")
    eq = s.derive()
    t, q, u = 0.4, np.array([0.2, 0.3]), np.array([0.5, -0.4])
    f = eq.compile("numpy")
    found = f.outputs(q, u, t)
    assert found["y"] == pytest.approx(np.sin(3 * t) + 30 * np.cos(3 * t) - 900 * np.sin(3 * t))
    assert found["slide"] == pytest.approx(2)
    passed = f.reactions(q, u, f.forward_dynamics(q, u, t=t), t)
    expected = [*passed["arm.drive_force"], *passed["cart.drive_force"]]
    assert np.allclose([found["drive"], found["push"]], expected, rtol=1e-13)


def test_accelerations_with_small_coordinates() -> None:
    """u̇ = −g q/l to first order; the acceleration of the point uses this u̇."""
    s = fb.System()
    arm = s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -2))
    s.output("along", s.acceleration(arm.point((0, 0, -2))).dot(arm.x))
    s.output("rate", "u_dot.arm")
    found = s.derive(small=["arm"]).compile("numpy").outputs([0.5], [0.0])
    assert found["rate"] == pytest.approx(-9.81 * 0.5 / 2) and found["along"] == pytest.approx(9.81 * 0.5)


def test_fully_prescribed_systems_have_accelerations_and_reactions() -> None:
    s = fb.System(gravity=(0, 0, 0))
    arm = s.body("arm", joint=fb.Prismatic("x", motion="t**3"), mass=2)
    s.output("a", s.acceleration(arm))
    s.output("push", "reaction.arm.force.x")
    found = s.derive().compile("numpy").outputs([], [], t=2.0)
    assert np.allclose(found["a"], [12, 0, 0]) and found["push"] == pytest.approx(24)


def test_outputs_use_batches_wrenches_and_generalised_forces() -> None:
    _, at, s = loaded(1)
    f, rng = s.derive().compile("numpy"), np.random.default_rng(3)
    us, taus = rng.normal(size=(2, 5, len(at.u)))
    many = f.outputs(np.tile(at.q, (5, 1)), us, tau=taus)
    one = f.outputs(at.q, us[3], tau=taus[3])
    assert all(error(many[key][3], one[key]) < EXACT for key in one)
    pushed = f.outputs(at.q, us[3], tau=taus[3], wrenches={"b2": ((1, 2, 3), (4, 5, 6))})
    felt = taus[3] + f.generalised_force(at.q, {"b2": ((1, 2, 3), (4, 5, 6))})
    assert error(pushed["a fixed"], f.outputs(at.q, us[3], tau=felt)["a fixed"]) < EXACT
    assert error(pushed["a fixed"], one["a fixed"]) > 1e-3


# Refused where u̇ is unknown


def pendulum() -> fb.System:
    s = fb.System("pendulum")
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1), inertia=(0.1, 0.1, 0.1))
    return s


REFUSED: dict[str, Any] = {
    "load 'push'": lambda s, b: s.force(s.acceleration(b.centre), b, name="push"),
    "load 'twist'": lambda s, b: s.torque(s.angular_acceleration(b), b, name="twist"),
    "load 'place'": lambda s, b: s.force(b.x, b.point(s.reaction_force(b)), name="place"),
    "loads.torque1.torque.value": lambda s, b: s.torque("u_dot.arm", b, about=b.y),
    "loads.joint_force1.joint_force.value": lambda s, b: s.joint_force(b, "-2*u_dot.arm"),
    "loads.rope.force_between.law": lambda s, b: s.force_between(
        b.origin, s.ground.point((1, 0, 0)), "length*u_dot.arm", name="rope"
    ),
    "spring1.spring.stiffness": lambda s, b: s.spring(b.origin, s.ground.point((1, 0, 0)), "reaction.arm.force.x"),
    "states.z.rate: it": lambda s, b: s.state("z", s.acceleration(b.centre).norm()),
    "bodies.next.joint.damping: it": lambda s, b: s.body("next", b, fb.Revolute("y", damping="u_dot.arm"), mass=1),
    "bodies.next.joint.motion: it": lambda s, b: s.body("next", b, fb.Revolute("y", motion="u_dot.arm"), mass=1),
    "bodies.next.mass: it": lambda s, b: s.body("next", b, mass="1 + u_dot.arm"),
    "gravity": lambda s, b: setattr(s, "gravity", (0, 0, "u_dot.arm")),
}


@pytest.mark.parametrize("context", REFUSED)
def test_forces_may_not_depend_on_accelerations(context: str) -> None:
    s = pendulum()
    before = s.digest()
    with pytest.raises(
        ModelError, match=f"{context}.* uses accelerations or reactions .*known only after.*outputs and"
    ):
        REFUSED[context](s, s.bodies["arm"])
    if context != "states.z.rate: it":
        assert s.digest() == before


def test_names_of_accelerations_and_reactions_are_checked() -> None:
    s = pendulum()
    arm = s.bodies["arm"]
    for text in ("u_dot.leg", "u_dot", "reaction.leg.force.x", "reaction.arm.force", "reaction.arm.force.w"):
        with pytest.raises(fb.errors.FreebodyError, match="is not declared"):
            s.output("y", text)
    for name in ("u_dot.arm", "reaction.arm.force.x"):
        with pytest.raises(ModelError, match="the name of an acceleration, reaction or multiplier"):
            s.parameter(name, 1.0)
        with pytest.raises(ModelError, match="texts use"):
            s.output(name, 1)
    with pytest.raises(ModelError, match="a reaction force acts at a body's joint, and the ground has none"):
        s.reaction_force(s.ground)
    with pytest.raises(ModelError, match="a reaction torque: <body arm> belongs to another system"):
        pendulum().reaction_torque(arm)
    s.output("drive", "reaction.arm.drive_force")
    with pytest.raises(ModelError, match=r"'reaction\.arm\.drive_force': only joints that are coupled or whose"):
        s.derive().program("outputs")


def test_listings_describe_the_inputs_of_outputs() -> None:
    s = pendulum()
    s.output("tip", s.acceleration(s.bodies["arm"].point((0, 0, -1))))
    s.output("still", "q.arm")
    eq = s.derive()
    assert [g.name for g in eq.program("outputs").groups][-1] == "tau" and "less u̇ terms" not in eq.to_text("outputs")
    plain = pendulum()
    plain.output("still", "q.arm")
    assert "tau" not in [g.name for g in plain.derive().program("outputs").groups]
