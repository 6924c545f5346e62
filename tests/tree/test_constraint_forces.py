"""Forces of constraints: reactions balance every body, multipliers are independent of the form of the equations, and
powers of constraints that depend on time balance the energy."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.api.equations import Equations
from freebody.errors import ArgumentError, ModelError
from freebody.formulations.derivation import Derivation
from freebody.formulations.recursive import Recursive
from freebody.quantities import mass_inverse
from freebody.tree.assembly import move
from freebody.tree.constraints import ClosureForms
from freebody.tree.tree import span
from tests.formulations.test_constraints import four_bar, geared, slider_crank
from tests.mechanisms.mechanisms import G, mechanism
from tests.tree.test_energy import rate

CASES = {
    **{f"seed {k}": (k, 1, False) for k in range(7)},
    "two loops": (2, 2, False),
    **{f"driven {k}": (k, 1, True) for k in range(2)},
}
SOME = ("seed 1", "seed 3", "two loops", "driven 0")
some_cases = pytest.mark.parametrize("case", [CASES[name] for name in SOME], ids=SOME)
every_case = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


@every_case
def test_reactions_balance_every_body(case: tuple[int, int, bool]) -> None:
    """Weight, load, the joint's reaction, those of the joints on it and of closures are m a and the rate of the angular
    momentum about the mass centre."""
    m = mechanism(*case)
    f, (_, u_dot, multipliers) = m.f, m.u_dot()
    found = f.reactions(*m.state, u_dot, t=m.t, multipliers=multipliers)
    poses = {name: f.pose(m.q, name, m.t) for name in m.solids}
    for name, (mass, com, J) in m.solids.items():
        R, p = poses[name]
        centre = p + R @ com
        total, moment = mass * G, np.zeros(3)
        if name == m.pushed:
            total = total + m.force
        ends = [(f"{name}", R, p, 1.0)]
        for child in (b for b in m.system.bodies.values() if b.parent.name == name):
            ends.append((child.name, *poses[child.name], -1.0))
        for loop, c in m.system.constraints.items():
            if isinstance(c, fb.Closure) and name in c.bodies():
                axes, origin = poses[c.end.body]
                ends.append((loop, axes, origin + axes @ m.closings[loop], 1.0 if c.end.body == name else -1.0))
        for joint, axes, at, sign in ends:
            F, T = (sign * axes @ found[f"{joint}.{kind}"] for kind in ("force", "torque"))
            total, moment = total + F, moment + T + np.cross(at - centre, F)
        twist = f.spatial_velocity(*m.state, name, t=m.t, at=tuple(com))
        acc = f.spatial_acceleration(*m.state, u_dot, name, t=m.t, at=tuple(com))
        inertia = R @ J @ R.T
        w, alpha = twist[:3], acc[:3]
        scale = 1 + np.abs(multipliers).max()
        assert np.allclose(total, mass * acc[3:], atol=1e-10 * scale), name
        assert np.allclose(moment, inertia @ alpha + np.cross(w, inertia @ w), atol=1e-10 * scale), name


@every_case
def test_multipliers_and_reactions_do_not_depend_on_the_form_of_closures(case: tuple[int, int, bool]) -> None:
    """Directions along the second body or working frames: converted multipliers, and reactions in outputs, are those of
    the equations that users see; outputs share what the motion does not determine."""
    m = mechanism(*case)
    names, (tau, u_dot, multipliers), f = frozenset(m.closings), m.u_dot(), m.f
    expected, axes = f.reactions(*m.state, u_dot, t=m.t, multipliers=multipliers), dict[str, np.ndarray]()
    for name in (*m.solids, *m.closings):
        axes[name] = f.pose(m.q, m.system.constraints[name].bodies()[1] if name in names else name, m.t).R
    model, scale = m.system.freeze(), 1 + np.abs(multipliers).max()
    shown = f.outputs(*m.state, tau=tau, t=m.t)
    if not any(c.undetermined for c in f.equations.constraints):
        for name, R in axes.items():
            for kind in ("force", "torque"):
                assert np.allclose(shown[f"{kind}_on_{name}"], R @ expected[f"{name}.{kind}"], atol=1e-9 * scale)
    for forms in (ClosureForms(names), ClosureForms(aligned=True), ClosureForms(names, True)):
        g = Equations(Derivation(Recursive(span(model), forms=forms)), model.parameters, ()).compile("numpy")
        assert np.allclose(g.multipliers(*m.state, tau, t=m.t), multipliers, atol=1e-9 * scale), forms
        found = g.outputs(*m.state, tau=tau, t=m.t)
        for name in axes:
            for kind in ("force", "torque"):
                near = np.allclose(found[f"{kind}_on_{name}"], shown[f"{kind}_on_{name}"], atol=1e-9 * scale)
                assert near, (forms, name, kind)


@pytest.mark.parametrize("make", [slider_crank, four_bar])
def test_cheapest_equations_give_the_same_multipliers(make) -> None:
    s, q = make()
    e, rng = s.derive("cheapest"), np.random.default_rng(4)
    u, tau = rng.normal(size=(2, len(e.u)))
    fastest = Equations(e.derivation.fastest, e.values, ())
    assert not fastest.derivation.constraints.canonical
    found = fastest.compile("numpy").multipliers(q, u, tau)
    assert np.allclose(found, s.derive("kane").compile("numpy").multipliers(q, u, tau), rtol=1e-10, atol=1e-10)


def test_pins_through_several_bodies_have_the_same_multipliers_in_every_pairing() -> None:
    """Three rods on one pin: the second closure is written relative to the end of the first one."""
    s = fb.System("pin")
    ends = []
    for k, x in enumerate((0.0, 1.0, -1.0)):
        solid = {"mass": 1 + k, "com": (0, 0, 0.5), "inertia": (0.1, 0.1, 0)}
        rod = s.body(f"rod{k}", at=(x, 0, 0), joint=fb.Revolute("y"), **solid)
        low = s.body(f"low{k}", on=rod, at=(0, 0, 1), joint=fb.Revolute("y"), **solid)
        ends.append(low.point((0, 0, 1)))
    s.close(ends[0], ends[1], fb.Revolute("y"), name="one")
    s.close(ends[0], ends[2], fb.Revolute("y"), name="two")
    model, expected, rng = s.freeze(), s.derive("kane").compile("numpy"), np.random.default_rng(2)
    q, u, tau = rng.normal(size=6), rng.normal(size=6), rng.normal(size=6)
    x = np.array([*q, *u])
    for _ in range(30):
        x = expected.project(0.0, x)
    q, u = x[:6], x[6:]
    assert np.abs(expected.constraint(q, u)["phi"]).max() < 1e-12
    for attached in (("two", "one"), ("one", "two")):
        for exchanged in ((), ("one",), ("one", "two")):
            forms = ClosureForms(frozenset(exchanged), True, frozenset({attached}))
            e = Equations(Derivation(Recursive(span(model), forms=forms)), model.parameters, ())
            assert np.allclose(e.compile("numpy").multipliers(q, u, tau), expected.multipliers(q, u, tau), atol=1e-9)


def test_reactions_of_a_joint_are_the_same_in_the_tree_and_at_the_cut() -> None:
    """A rod between a crank and a rocker in space: on the crank by a universal joint with a ball at the cut, or on the
    rocker by the ball with the universal joint at the cut."""
    solid = {"mass": 2.0, "com": (0.1, 0.2, 0.1), "inertia": (0.3, 0.4, 0.5)}
    rng = np.random.default_rng(1)

    def ends(s: fb.System) -> tuple[Any, Any]:
        crank = s.body("crank", joint=fb.Revolute("z"), **solid)
        return crank, s.body("rocker", at=(1.5, 0.2, 0.3), joint=fb.Revolute((0, 1, 1)), **solid)

    one = fb.System("universal in the tree")
    crank, rocker = ends(one)
    rod = one.body("rod", on=crank, at=(0.3, 0, 0.1), joint=fb.Universal("x", "y"), **solid)
    f = one.derive("kane").compile("numpy")
    q = np.array([0.4, 0.3, 0.2, -0.5])
    poses = {b: f.pose(q, b) for b in ("crank", "rocker", "rod")}
    tip = np.array([0.9, 0.1, 0.2])
    at_rocker = poses["rocker"].R.T @ (poses["rod"].p + poses["rod"].R @ tip - poses["rocker"].p)
    one.close(rocker.point(tuple(at_rocker)), rod.point(tuple(tip)), fb.Spherical(), name="cut")
    f, n = one.derive("kane").compile("numpy"), 4
    u = f.project(0.0, [*q, *rng.normal(size=4)])[n:]
    u_dot, multipliers = f.forward_dynamics(q, u), f.multipliers(q, u)
    first = f.reactions(q, u, u_dot, multipliers=multipliers)

    other = fb.System("ball in the tree")
    crank, rocker = ends(other)
    shifted = {**solid, "com": tuple(np.array(solid["com"]) - tip)}
    rod = other.body("rod", on=rocker, at=tuple(at_rocker), joint=fb.Spherical(), **shifted)
    other.close(crank.point((0.3, 0, 0.1)), rod.point(tuple(-tip)), fb.Universal("x", "y"), name="cut")
    g = other.derive("kane").compile("numpy")
    turn = Rotation.from_matrix(poses["rocker"].R.T @ poses["rod"].R).as_quat()
    q2 = np.array([q[0], q[1], turn[3], *turn[:3]])
    twists = {b: f.spatial_velocity(q, u, b)[:3] for b in ("rocker", "rod")}
    u2 = np.array([u[0], u[1], *(poses["rod"].R.T @ (twists["rod"] - twists["rocker"]))])
    assert np.abs(g.constraint(q2, u2)["phi"]).max() < 1e-12
    second = g.reactions(q2, u2, g.forward_dynamics(q2, u2), multipliers=g.multipliers(q2, u2))
    for kind in ("force", "torque"):
        assert np.allclose(second[f"cut.{kind}"], first[f"rod.{kind}"], atol=1e-10), kind
        if kind == "force":
            assert np.allclose(second["rod.force"], first["cut.force"], atol=1e-10)
    assert np.allclose(second["rod.torque"], 0, atol=1e-10) and np.allclose(first["cut.torque"], 0, atol=1e-10)


@pytest.mark.parametrize("case", [CASES[k] for k in ("seed 0", "driven 0", "driven 1")])
def test_powers_of_constraints_and_drives_balance_the_energy(case: tuple[int, int, bool]) -> None:
    m = mechanism(*case)
    eq = m.system.derive("kane")
    start = {"q": dict(zip(eq.q, m.q, strict=True)), "u": dict(zip(eq.u, m.u, strict=True))}
    run = eq.simulate([m.t, m.t + 1e-9], **start)
    f, x_dot, n = m.f, run.recorded["x_dot"][0], len(m.q)

    def total(h: float) -> float:
        return float(sum(f.energies(m.q + h * x_dot[:n], m.u + h * x_dot[n : n + len(m.u)], m.t + h).values()))

    powers = {key: run[key][0] for key in run if key.startswith("power.")}
    assert ("power.constraint.timed" in powers) is case[2] and ("power.drive.b2" in powers) is case[2]
    assert sum(powers.values()) == pytest.approx(rate(total, 1e-4), abs=1e-7 * max([1.0, *map(abs, powers.values())]))


@pytest.mark.parametrize("joint", [fb.Spherical(), fb.Revolute("y"), fb.Cylindrical("y"), fb.Prismatic("y")])
def test_loops_closed_at_points_that_move_on_their_bodies(joint: Any) -> None:
    """A load carried by a point that moves in the ground and one that moves on it: the equations hold along the motion
    in every form, and the constraint's power balances the energy."""
    s = fb.System("carried")
    arm = s.body("arm", joint=fb.Free("123"), mass=2.0, com=(0.1, 0.2, 0.3), inertia=(0.3, 0.4, 0.5))
    s.body("end", on=arm, at=(0, 0.2, 0), joint=fb.Revolute("x"), mass=1.0, com=(0, 0, 0.3), inertia=(0.1, 0.2, 0.2))
    ends = s.ground.point(("0.1*t", "0.2*sin(t)", "t**2")), arm.point(("0.3*t", 0, "0.4*sin(q.end)"))
    s.close(*ends, joint, name="carrier")
    model, t, rng = s.freeze(), 0.3, np.random.default_rng(1)
    every = [
        Derivation(Recursive(span(model), forms=ClosureForms(n, a)))
        for n in (frozenset(), frozenset({"carrier"}))
        for a in (False, True)
    ]
    fs = [Equations(e, model.parameters, ()).compile("numpy") for e in every]
    f, n = fs[0], 7
    x = 0.2 * rng.normal(size=14)
    for _ in range(20):
        x = f.project(t, x)
    q, u = x[:n], x[n:]
    assert np.abs(f.constraint(q, u, t)["phi"]).max() < 1e-13
    u_dot, multipliers = f.forward_dynamics(q, u, t=t), f.multipliers(q, u, t=t)
    q_dot = f.q_dot(q, u, t)

    def phi(h: float) -> np.ndarray:
        moved = q + h * q_dot + h * h / 2 * (f.q_dot(q + h * q_dot, u + h * u_dot, t) - q_dot) / h if h else q
        return np.asarray(f.constraint(moved, u + h * u_dot, t + h)["phi"])

    h = 1e-3
    assert np.abs(phi(h) - phi(-h)).max() < 10 * h**3 and np.abs(phi(h) + phi(-h)).max() < 10 * h**3
    for g in fs:
        assert np.allclose(g.forward_dynamics(q, u, t=t), u_dot, atol=1e-9)
        assert np.allclose(g.multipliers(q, u, t=t), multipliers, atol=1e-9)
    run = s.derive("kane").simulate(
        [t, t + 1e-9], q=dict(zip(f.equations.q, q, strict=True)), u=dict(zip(f.equations.u, u, strict=True))
    )

    def total(h: float) -> float:
        return float(sum(f.energies(q + h * q_dot, u + h * u_dot, t + h).values()))

    assert run["power.constraint.carrier"][0] == pytest.approx(rate(total, 1e-4), rel=1e-6)


def test_constraints_without_explicit_time_have_no_power() -> None:
    s, q = four_bar()
    run = s.simulate(0.01, q=dict(zip(("crank", "coupler", "rocker"), q, strict=True)))
    assert not [key for key in run if key.startswith("power.")]


def test_the_drive_force_of_a_loop_gives_the_same_motion_of_the_free_joint() -> None:
    """A prescribed crank of a four-bar linkage: its drive force as tau on the free crank."""
    linkages = []
    for motion in (None, "0.3 + sin(t)"):
        s = fb.System("four-bar")
        solid = {"mass": 1.0, "com": (0.1, 0, 0.5), "inertia": (0.1, 0.1, 0)}
        crank = s.body("crank", joint=fb.Revolute("y", motion=motion, damping=0.2), **solid)
        coupler = s.body("coupler", on=crank, at=(0, 0, 1), joint=fb.Revolute("y"), **solid)
        rocker = s.body("rocker", at=(1, 0, 0), joint=fb.Revolute("y"), **solid)
        s.close(coupler.point((1, 0, 0)), rocker.point((0, 0, 1)), joint=fb.Revolute("y"), name="pin")
        linkages.append(s.derive("kane").compile("numpy"))
    free, driven = linkages
    t, q = 0.2, [0.3 + np.sin(0.2), -0.3 - np.sin(0.2), 0.3 + np.sin(0.2)]
    speed = np.cos(t)
    u_dot, multipliers = (
        quantity(q[1:], [-speed, speed], t=t) for quantity in (driven.forward_dynamics, driven.multipliers)
    )
    drive = driven.reactions(q[1:], [-speed, speed], u_dot, t=t, multipliers=multipliers)["crank.drive_force"]
    found = free.forward_dynamics(q, [speed, -speed, speed], [*drive, 0, 0])
    assert np.allclose(found, [-np.sin(t), *u_dot], atol=1e-11)


def test_multipliers_and_reactions_in_outputs_and_events() -> None:
    s, q = geared()
    s.output("push", "multiplier.cam")
    f, rng = s.derive("cheapest").compile(), np.random.default_rng(0)
    u, tau = rng.normal(size=(2, 8))
    assert f.outputs(q, u, tau=tau)["push"] == pytest.approx(f.multipliers(q, u, tau)[0])
    s, q = slider_crank()
    s.output("pin_force", s.reaction_force("pin"))
    s.output("side", "multiplier.pin.force.y")
    s.output("same", "multiplier.pin.force.z - reaction.pin.force.z")
    start = dict(zip(("crank", "rod", "slider"), q, strict=True))
    run = s.simulate(1.0, q=start, events=[fb.Event("multiplier.pin.force.z + 8")])
    f = s.derive("kane").compile()
    expected = [f.multipliers(x[:3], x[3:]) for x in run.x]
    (R, _), last = (
        f.pose(run.x[-1][:3], "rod"),
        f.reactions(run.x[-1][:3], run.x[-1][3:], run.recorded["x_dot"][-1][3:], multipliers=expected[-1])["pin.force"],
    )
    assert np.allclose(run["output.pin_force"][-1], last, atol=1e-9)
    assert np.allclose(run["output.pin_force"][-1], R @ [expected[-1][0], 0, expected[-1][1]], atol=1e-9)
    assert not np.any(run["output.side"]) and len(run.events.t)
    at = run.sol(run.events.t[0])
    assert f.multipliers(at[:3], at[3:])[1] == pytest.approx(-8, abs=1e-6)


def test_wrong_names_of_constraint_forces() -> None:
    s, q = four_bar()
    s.constrain("q.crank - 0.3", name="stop")
    with pytest.raises(ModelError, match="constraint 'stop' has no reaction force; use its multipliers"):
        s.reaction_force("stop")
    s.output("x", "multiplier.pin.force.q")
    with pytest.raises(
        ModelError, match=r"there is no 'multiplier.pin.force.q'; its multipliers: multiplier.pin.force.x"
    ):
        s.derive("kane").compile().outputs(q, [0, 0, 0])
    with pytest.raises(ModelError, match=r"'multiplier.x' cannot be a name here"):
        s.parameter("multiplier.x", 1.0)
    with pytest.raises(ArgumentError, match=r"constraints \(pin, stop\), whose forces are needed"):
        s.derive("kane").compile().reactions(q, [0, 0, 0], [0, 0, 0])


def test_reactions_of_batches_are_those_of_single_states() -> None:
    m = mechanism(1)
    f, rng = m.system.derive("kane").compile(), np.random.default_rng(5)
    q, u, u_dot, multipliers = (np.array([x] * 11) for x in (*m.state, m.u_dot()[1], m.u_dot()[2]))
    u, u_dot, multipliers = (x + rng.normal(size=x.shape) for x in (u, u_dot, multipliers))
    whole = f.reactions(q, u, u_dot, m.t, multipliers=multipliers)
    for k in range(11):
        one = f.reactions(q[k], u[k], u_dot[k], m.t, multipliers=multipliers[k])
        assert all(np.allclose(whole[key][k], one[key], rtol=1e-12, atol=1e-12) for key in one)
    with pytest.raises(ArgumentError, match=r"multipliers=f.multipliers"):
        f.reactions(q[0], u[0], u_dot[0], m.t)


# Inverse dynamics with actuators


def test_one_actuator_of_a_linkage_produces_its_motion() -> None:
    """A crank moves a four-bar linkage: tau at the crank alone gives the accelerations; so does one at the rocker."""
    s, q = four_bar()
    f, rng = s.derive("kane").compile(), np.random.default_rng(1)
    u = f.project(0.0, [*q, *rng.normal(size=3)])[3:]
    u_dot = f.forward_dynamics(q, u, rng.normal(size=3))
    for name, k in (("crank", 0), ("rocker", 2)):
        tau = f.inverse_dynamics(q, u, u_dot, actuated=[name])
        assert tau[k] and not np.any(np.delete(tau, k))
        assert np.allclose(f.forward_dynamics(q, u, tau), u_dot, atol=1e-11)
    power = [f.inverse_dynamics(q, u, u_dot, actuated=name) @ u for name in ("crank", "rocker", ("crank", "rocker"))]
    assert np.allclose(power, power[0])


def test_one_actuator_holds_a_linkage_at_rest() -> None:
    """Accelerations and γ are zero but for rounding: the holding torque is the slope of the potential energy."""
    s, _ = four_bar()
    f = s.derive().compile()
    for angle in np.linspace(-0.5, 0.5, 11):
        q, _ = s.assemble({"crank": angle})
        (tau, *others), step = f.inverse_dynamics(q, np.zeros(3), np.zeros(3), actuated="crank"), 1e-5
        above, below = (
            f.energies(s.assemble({"crank": angle + h})[0], np.zeros(3))["potential"] for h in (step, -step)
        )
        assert not np.any(others) and np.isclose(tau, (above - below) / (2 * step), rtol=1e-6, atol=1e-7)


@some_cases
def test_more_actuators_than_freedoms_share_the_least_norm(case: tuple[int, int, bool]) -> None:
    m = mechanism(*case)
    f, (_, u_dot, _) = m.f, m.u_dot()
    tau = f.inverse_dynamics(*m.state, u_dot, t=m.t, actuated=f.equations.u)
    assert np.allclose(f.forward_dynamics(*m.state, tau, t=m.t), u_dot, atol=1e-9)
    G = f.constraint(*m.state, t=m.t)["G"]
    assert np.allclose(G @ tau, 0, atol=1e-9)  # no part that the constraints would take
    tree = f.inverse_dynamics(*m.state, u_dot, t=m.t)
    assert np.linalg.norm(tau) <= np.linalg.norm(tree) + 1e-12
    assert np.allclose(tree, f.mass_matrix(m.q, t=m.t) @ u_dot - f.bias(*m.state, t=m.t), atol=1e-10)


def test_actuators_of_batches_wrenches_and_trees() -> None:
    s, q = slider_crank()
    f, rng = s.derive("cheapest").compile(), np.random.default_rng(2)
    x = np.array([f.project(0.0, [*q, *rng.normal(size=3)]) for _ in range(5)])
    qs, us = x[:, :3].copy(), x[:, 3:].copy()
    load = {"slider": (np.zeros(3), np.array([4.0, 0, 0]))}
    u_dot = f.forward_dynamics(qs, us, rng.normal(size=(5, 3)), wrenches=load)
    taus, out = f.inverse_dynamics(qs, us, u_dot, wrenches=load, actuated="crank"), np.empty((5, 3))
    assert f.inverse_dynamics(qs, us, u_dot, wrenches=load, actuated="crank", out=out) is out
    assert np.array_equal(out, taus) and not np.any(taus[:, 1:])
    for k in range(5):
        one = f.inverse_dynamics(qs[k], us[k], u_dot[k], wrenches=load, actuated="crank")
        assert np.allclose(one, taus[k], atol=1e-11)
    assert np.allclose(f.forward_dynamics(qs, us, taus, wrenches=load), u_dot, atol=1e-10)
    tree = fb.System("tree")
    tree.body("cart", joint=fb.Prismatic("x"), mass=2.0)
    tree.body("pole", on="cart", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1))
    g = tree.derive().compile()
    state = [0.1, 0.3], [0.2, -0.5]
    assert np.allclose(g.inverse_dynamics(*state, g.forward_dynamics(*state, [3.0, 0]), actuated="cart"), [3.0, 0])
    assert np.allclose(g.inverse_dynamics(*state, g.forward_dynamics(*state), actuated=()), 0)
    with pytest.raises(ArgumentError, match=r"actuators \(pole\) cannot produce the accelerations: .* on 'cart'"):
        g.inverse_dynamics(*state, g.forward_dynamics(*state, [3.0, 0]), actuated="pole")


def test_actuators_and_accelerations_that_do_not_fit_are_refused_by_name() -> None:
    s, q = four_bar()
    f = s.derive("kane").compile()
    rest = np.zeros(3)
    u_dot = f.forward_dynamics(q, rest)
    with pytest.raises(ArgumentError, match="'cranks' is not a speed; choose from crank, coupler, rocker"):
        f.inverse_dynamics(q, rest, u_dot, actuated=["cranks"])
    with pytest.raises(ArgumentError, match="a speed is named twice in crank, crank"):
        f.inverse_dynamics(q, rest, u_dot, actuated=["crank", "crank"])
    with pytest.raises(ArgumentError, match=r"violate the constraint 'pin.force.[xz]': the two sides of G u̇ = γ"):
        f.inverse_dynamics(q, rest, u_dot + np.eye(3)[0], actuated=["crank"])
    with pytest.raises(ArgumentError, match=r"the accelerations of state 1 violate the constraint 'pin.force.[xz]'"):
        f.inverse_dynamics([q, q], [rest, rest], [u_dot, u_dot + np.eye(3)[0]], actuated=["crank"])
    with pytest.raises(ArgumentError, match=r"the actuators .none. cannot produce the accelerations"):
        f.inverse_dynamics(q, rest, f.forward_dynamics(q, rest, [1.0, 0, 0]), actuated=[])


# Derivatives and the mass matrix of constrained systems


@some_cases
def test_derivatives_of_forward_dynamics_are_those_of_differences(case: tuple[int, int, bool]) -> None:
    m = mechanism(*case)
    f, tau, h = m.f, m.u_dot()[0], 1e-5
    found = f.forward_derivatives(*m.state, tau, t=m.t, by=("q", "u", "tau", "t"))
    spanned_tree, n = f.equations.derivation.tree, len(m.u)

    def at(dq: Any, du: Any, dtau: Any, dt: float) -> np.ndarray:
        q = move(spanned_tree, m.q, np.asarray(dq, float))
        state = q, m.u + du, tau + dtau
        return np.concatenate([f.forward_dynamics(*state, t=m.t + dt), f.multipliers(*state, t=m.t + dt)])

    zero, steps = np.zeros(n), dict[str, list[Any]]()
    for k, x in enumerate(("q", "u", "tau")):
        steps[x] = [[*[zero] * k, h * e, *[zero] * (2 - k), 0.0] for e in np.eye(n)]
    steps["t"] = [[zero, zero, zero, h]]
    assert np.allclose(np.concatenate([found["u_dot"], found["multipliers"]]), at(zero, zero, zero, 0.0), atol=1e-10)
    for x, every in steps.items():
        J = np.array([(at(*d) - at(*(-np.asarray(y) for y in d))) / (2 * h) for d in every]).T
        exact = np.vstack([found[x], found[f"multipliers_by_{x}"]])
        assert np.allclose(exact, J, atol=1e-7 * (1 + np.abs(J).max())), x


@some_cases
def test_the_inverse_of_the_mass_matrix_respects_constraints(case: tuple[int, int, bool]) -> None:
    """u̇ per unit force, as a matrix, times a vector, and at points."""
    m = mechanism(*case)
    f, t = m.f, m.t
    G, M = f.constraint(*m.state, t=t)["G"], np.linalg.inv(f.mass_matrix(m.q, t=t))
    expected = M - M @ G.T @ np.linalg.solve(G @ M @ G.T, G @ M)
    b = np.random.default_rng(3).normal(size=len(m.u))
    J = np.vstack([f.jacobian(m.q, name, t=t) for name in ("b1", "base")])
    assert np.allclose(f.mass_inverse(m.q, t), expected, atol=1e-10)
    assert np.allclose(f.mass_solve(m.q, b, t), expected @ b, atol=1e-10)
    assert np.allclose(f.operational_inertia(m.q, ["b1", "base"], t=t), J @ expected @ J.T, atol=1e-10)


def test_derivatives_with_rows_that_depend_on_others() -> None:
    """Three equal cranks: two equations follow from the others for this length alone, so that the guard decides. The
    derivatives along the motion are those of differences."""
    s, q = four_bar()
    s.parameter("l", 1.0)
    third = s.body("third", at=(0.4, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0.1, 0, 0.5), inertia=(0.1, 0.1, 0))
    s.close(s.bodies["coupler"].point((0.4, 0, 0)), third.point((0, 0, "l")), joint=fb.Revolute("y"), name="more")
    f, along, h = s.derive("kane").compile("numpy"), np.array([1.0, -1.0, 1.0, 1.0]), 1e-5
    assert len(f.equations.derivation.named_multipliers) == 4
    q, u, tau = np.array([*q, 0.3]), 1.3 * along, np.array([0.3, 0.2, -0.1, 0.5])
    found = f.forward_derivatives(q, u, tau)
    assert np.all(np.isfinite(found["q"])) and np.abs(found["u_dot"] - found["u_dot"][0] * along).max() < 1e-12
    for x, step in {"q": (along, 0, 0), "u": (0, along, 0), "tau": (0, 0, np.array([1.0, 2, 3, 4]))}.items():
        ends = [
            f.forward_dynamics(*(v + sign * h * d for v, d in zip((q, u, tau), step, strict=True))) for sign in (1, -1)
        ]
        exact = found[x] @ next(d for d in step if np.ndim(d))
        assert np.allclose(exact, (ends[0] - ends[1]) / (2 * h), atol=1e-8), x
    C = f.mass_inverse(q)
    assert np.allclose(C, found["tau"], atol=1e-12) and np.linalg.matrix_rank(C, tol=1e-9) == 1


@pytest.mark.slow
def test_large_systems_take_the_same_values_by_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    m = mechanism(1)
    monkeypatch.setattr(mass_inverse, "LARGEST", 0)
    monkeypatch.setattr(mass_inverse, "UNROLLED", 0)
    monkeypatch.setattr(mass_inverse, "_exact", lambda e: False)
    f, g, tau = m.system.derive("kane").compile("numpy"), m.f, m.u_dot()[0]
    one, other = (h.forward_derivatives(*m.state, tau, t=m.t) for h in (f, g))
    assert all(np.allclose(one[x], other[x], atol=1e-9) for x in one)
    assert any("solve" in type(r).__name__.lower() for r in f.function("mass_inverse").program.regions)
    assert np.allclose(f.mass_inverse(m.q, t=m.t), g.mass_inverse(m.q, t=m.t), atol=1e-10)
    assert np.allclose(f.mass_solve(m.q, tau, t=m.t), g.mass_solve(m.q, tau, t=m.t), atol=1e-10)
