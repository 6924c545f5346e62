"""Runs by ``method="esdirk54"``: the linear system of its stages by articulated bodies, orders, long chains, random
trees, events, and what it refuses."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.integrate.compiled_system import CompiledSystem
from freebody.model.joints import Joint
from freebody.program.assemble import program
from freebody.program.count import count
from freebody.program.evaluate import evaluate
from freebody.program.program import Program
from freebody.run.build import build
from freebody.tree.joint_forces import joint_forces
from tests.mechanisms import random_couplings
from tests.mechanisms.general_position import JOINTS, OBLIQUE, OTHER, passive, varying

Array = np.ndarray


def increments(system: CompiledSystem, t: float, x: Array, G: float, right: Array) -> Array:
    """U of (1 − G J) U = R by the programs of the stages."""
    stages = system.system.stages["esdirk54"].value
    assert stages is not None and stages.solution is None and stages.backward is None
    inputs = system.part(stages.entries)
    entries = np.asarray(system.function(stages.entries, "numpy")(t=t, x=x, inputs=inputs))
    settings = np.array([G, 0.0])
    factor = np.asarray(system.free(stages.factor, "numpy", False)(entries, settings))
    return np.asarray(system.free(stages.solve, "numpy", False)(entries, settings, factor, right))


def values(p: Program, numbers: dict[str, Any]) -> list[Array]:
    found = evaluate(p, {g.name: np.asarray(numbers[g.name]) for g in p.groups}).values
    return [np.asarray(x) for x in found.values()]


def of_joints(e: Derivation, t: float, x: Array, parameters: Array) -> Array:
    """The Jacobian of ẋ that is meant: ∂q̇/∂u, and M⁻¹ times the derivative of each joint's force by its own coordinate
    and speed, by differences, where it resists."""
    nq, nu = len(e.layout.q), len(e.layout.u)
    groups = e.groups()
    forces = program("forces", e.graph, groups, {"tau": joint_forces(e.tree), "q_dot": list(e.q_dot)})

    def numbers(state: Array) -> dict[str, Any]:
        q, u, z = state[:nq], state[nq : nq + nu], state[nq + nu :]
        rest = {"parameters": parameters, "t": [t], "inputs": np.zeros(len(groups["inputs"])), "tau": np.zeros(nu)}
        return {**rest, "q": q, "u": u, "z": z}

    slopes, rates, J = np.zeros((nu, len(x))), np.zeros((nq, len(x))), np.zeros((len(x), len(x)))
    for k, step in enumerate(1e-6 * np.eye(len(x))):
        more, less = (values(forces, numbers(state)) for state in (x + step, x - step))
        slopes[:, k], rates[:, k] = ((a - b) / 2e-6 for a, b in zip(more, less, strict=True))
    N = J[:nq, nq : nq + nu] = rates[:, nq : nq + nu]
    for j in range(nu):
        for i in np.flatnonzero(np.abs(N[:, j] - 1) < 1e-9):
            if np.abs(N[i]).sum() < 1 + 1e-9 and np.abs(N[:, j]).sum() < 1 + 1e-9:  # the speed is its rate
                J[nq + j, i] = min(slopes[j, i], 0.0)
        J[nq + j, nq + j] = min(slopes[j, nq + j], 0.0)
    M = values(e.programs["mass_matrix"], numbers(x))[0].reshape(nu, nu)
    J[nq : nq + nu] = np.linalg.solve(M, J[nq : nq + nu])
    return J


def tree_of(joint: Joint, options: dict[str, Any]) -> fb.System:
    """Body b is on body a by a joint with options; one more body is on each of them."""
    s = fb.System("tree")
    s.parameters(c=0.7, k=300.0, r=0.2)
    inertia = (0.3, 0.4, 0.5)
    stiff = {"stiffness": 1e3, "damping": 3.0}
    a = s.body("a", joint=fb.Compound(fb.Revolute(OBLIQUE), fb.Prismatic(OTHER)), mass=2.0, com=(0.1, -0.3, 0.2),
               inertia=inertia)  # fmt: skip
    b = s.body("b", on=a, at=(0.2, -0.1, 0.3), joint=replace(joint, **options), mass=1.1, com=(-0.2, 0.1, 0.3),
               inertia=inertia)  # fmt: skip
    s.body("tip", on=b, at=(0.3, 0.1, -0.2), joint=fb.Revolute(OTHER, **stiff), mass=0.7, com=(0.1, 0.2, -0.1),
           inertia=inertia)  # fmt: skip
    s.body("side", on=a, at=(0, 0.1, 0), joint=fb.Universal(OBLIQUE, OTHER, damping=0.3), mass=0.4, com=(0.1, 0, -0.1),
           inertia=inertia)  # fmt: skip
    return s


@pytest.mark.parametrize("rolled", [False, True], ids=["unrolled", "rolled"])
@pytest.mark.parametrize("given", [passive, varying])
@pytest.mark.parametrize("name", JOINTS)
def test_the_linear_system_of_trees(name: str, given: Any, rolled: bool) -> None:
    """Every joint with springs, dampers and friction, also by functions of the state and of time, between oblique
    joints."""
    s = tree_of(JOINTS[name], given(JOINTS[name]))
    e = s.derive("aba", rolled=rolled).derivation
    system = build(e, s.values)
    rng = np.random.default_rng(3)
    x = np.asarray(s.simulate([0.0]).x[0]) + 0.2 * rng.uniform(-1, 1, len(system.system.states))
    for k in system.system.quaternions:
        x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
    J = of_joints(s.derive("kane", rolled=False).derivation, 0.3, x, system.p)
    right = rng.normal(size=len(x))
    for G in (1e-3, 0.05, 0.6):
        U = increments(system, 0.3, x, G, right)
        expected = np.linalg.solve(np.eye(len(x)) - G * J, right)
        assert np.abs(U - expected).max() < 1e-6 * np.abs(expected).max()


def exact_prothero(rate: float) -> fb.System:
    """The problem of Prothero and Robinson as an extra state y, and as the speed of a cart in oil that moves."""
    s = fb.System("Prothero and Robinson")
    cart = s.body("cart", joint=fb.Prismatic("x", damping=rate), mass=1.0)
    s.joint_force(cart, f"{rate}*sin(t) + cos(t)")
    s.state("y", f"-{rate}*(y - sin(t)) + cos(t)")
    return s


@pytest.mark.parametrize(("rate", "least"), [(1.0, 4.7), (1e6, 1.9)])
def test_orders(rate: float, least: float) -> None:
    """With steps of one size the error decreases with order 5, and as h²/rate in the stiff case of Prothero and
    Robinson, as that of stages of order 2 does."""
    s, errors = exact_prothero(rate), list[Array]()
    for n in (10, 20, 40):
        run = s.simulate([0.0, 1.0], method="esdirk54", first_step=1 / n, max_step=1 / n, rtol=1e3, atol=1e9)
        assert run.statistics.steps == n
        errors.append(np.abs([run["y"][-1] - np.sin(1.0), run["u.cart"][-1] - np.sin(1.0)]))
        assert rate == 1.0 or (errors[-1] < 0.2 / (n**2 * rate)).all()
    assert (np.log2(errors[0] / errors[1]) > least).all() and (np.log2(errors[1] / errors[2]) > least).all()


def stiff_chain(count: int, **joint: Any) -> fb.System:
    s = fb.System("chain")
    on, at = s.ground, (0.0, 0.0, 0.0)
    options = {"stiffness": 2e4, "damping": 50.0, **joint}
    for k in range(count):
        on = s.body(f"b{k}", on=on, at=at, joint=fb.Revolute("y", **options), mass=0.2, com=(0.05, 0, 0),
                    inertia=fb.rod(0.2, 0.1, "x"))  # fmt: skip
        at = (0.1, 0.0, 0.0)
    return s


def slope(s: fb.System, end: float, first: float, **given: Any) -> float:
    """How the error at the end falls with the steps, from one tolerance to a thousandth of it."""
    exact, points = s.simulate([0.0, end], rtol=1e-13, atol=1e-14, **given).x[-1], list[tuple[float, int]]()
    for rtol in (first, 1e-3 * first):
        run = s.simulate([0.0, end], method="esdirk54", rtol=rtol, atol=1e-2 * rtol, **given)
        points.append((float(np.abs(run.x[-1] - exact).max()), run.statistics.steps))
    (e0, n0), (e1, n1) = points
    return float(np.log(e0 / e1) / np.log(n1 / n0))


def test_the_order_with_newtons_iteration_and_quaternions() -> None:
    """Smooth motions, of which the approximate Jacobian misses much: the inertia terms of a body that tumbles."""
    s = fb.System("tumbling", gravity=(0, 0, -9.81))
    arm = s.body("arm", joint=fb.Revolute((1, 2, 2), damping=0.5), mass=2.0, com=(0.3, 0.1, 0), inertia=(0.1, 0.2, 0.3))
    hand = s.body(
        "hand", on=arm, at=(0.5, 0.2, 0), joint=fb.Free(), mass=1.0, com=(0.1, 0.2, 0.3), inertia=(0.1, 0.2, 0.2)
    )
    s.body("tip", on=hand, at=(0, 0.3, 0), joint=fb.Revolute("x", stiffness=3.0), mass=0.5, com=(0, 0.1, 0.2),
           inertia=(0.1, 0.1, 0.1))  # fmt: skip
    assert slope(s, 0.5, 1e-6, u={"hand.wx": 3.0, "hand.wy": -2.0, "tip": 4.0}) > 4.5


@pytest.mark.parametrize("rolled", [False, True], ids=["unrolled", "rolled"])
def test_chains_equal_those_of_an_explicit_method(rolled: bool) -> None:
    """Saved rows are interpolated, and so is what is asked for later."""
    e, times = stiff_chain(6).derive("aba", rolled=rolled), np.linspace(0, 0.5, 101)
    exact = e.simulate(times, method="dop853", rtol=1e-12, atol=1e-14)
    run = e.simulate(times, method="esdirk54", rtol=1e-8, atol=1e-10)
    assert np.abs(run.x - exact.x).max() < 1e-8
    assert run.statistics.steps < 0.1 * exact.statistics.steps
    assert run.statistics.jacobians == run.statistics.steps  # also where a step is repeated
    assert run.statistics.factorisations == run.statistics.steps + run.statistics.rejected
    between = times[:-1] + 0.002
    assert np.abs(run.sol(between) - exact.sol(between)).max() < 1e-7


def test_a_long_chain_in_loops_equals_rodas5p_unrolled() -> None:
    s, times = stiff_chain(20), np.linspace(0, 0.3, 4)
    rolled, unrolled = (s.derive("aba", rolled=way) for way in (True, False))
    run = rolled.simulate(times, method="esdirk54", rtol=1e-8, atol=1e-10)
    other = unrolled.simulate(times, method="rodas5p", rtol=1e-9, atol=1e-11)
    assert run.success and np.abs(run.x - other.x).max() < 3e-7 * np.abs(other.x).max()
    assert run.statistics.steps + run.statistics.rejected < 1000
    assert run.statistics.evaluations < 12 * (run.statistics.steps + run.statistics.rejected)


def test_a_system_that_is_better_rolled_equals_an_explicit_method() -> None:
    e, times = stiff_chain(60).derive(), np.linspace(0, 0.05, 6)
    assert e.derivation.is_cheaper
    exact = e.simulate(times, rtol=1e-11, atol=1e-13)
    run = e.simulate(times, method="esdirk54", rtol=1e-7, atol=1e-9)
    assert np.abs(run.x - exact.x).max() < 1e-8
    assert run.statistics.steps < 0.02 * exact.statistics.steps


def test_the_work_grows_with_the_number_of_bodies() -> None:
    totals = list[int]()
    for n in (60, 90, 120):
        e = stiff_chain(n).derive()
        stages = build(e.derivation, e.values).system.stages["esdirk54"].value
        assert stages is not None
        totals.append(sum(count(p).total for p in stages.programs.values()))
    assert totals[2] - totals[1] == totals[1] - totals[0]


def test_energy_is_what_dampers_leave() -> None:
    """Total energy plus what dampers take stays, and without dampers total energy does."""
    for damping in (0.0, 20.0):
        s = stiff_chain(8, damping=damping, stiffness=500.0)
        run = s.simulate(1.0, method="esdirk54", rtol=1e-9, atol=1e-11)
        lost = run["energy.total"] - run["energy.total"][0] - run["energy.supplied"]
        assert np.abs(lost).max() < 1e-6 * np.ptp(run["energy.kinetic"])


def random_tree(seed: int, count: int = 7) -> fb.System:
    """Bodies on each other by joints of several kinds with stiff springs, dampers and friction, in general position;
    one is driven, one is on a joint with a quaternion."""
    rng, s, bodies = np.random.default_rng(seed), fb.System(f"tree {seed}"), list[Any]()
    for k in range(count):
        axis, other = rng.normal(size=(2, 3)).tolist()
        stiff = {"stiffness": float(10 ** rng.uniform(2, 5)), "damping": float(10 ** rng.uniform(0, 2.5))}
        kinds: list[Joint] = [
            fb.Revolute(axis, **stiff),
            fb.Prismatic(axis, **stiff, friction=0.5),
            fb.Cylindrical(axis, **stiff),
            fb.Universal(axis, np.cross(axis, other).tolist(), **stiff),
            fb.Screw(axis, 0.3, **stiff),
            fb.Planar(axis, **stiff),
            fb.Revolute(axis, armature=0.2, **stiff),
        ]
        joint = fb.Spherical(damping=30.0) if k == 2 else kinds[int(rng.integers(len(kinds)))]
        if k == 4:
            joint = fb.Revolute(axis, motion="0.2*sin(5*t)")
        on = bodies[int(rng.integers(k))] if k else s.ground
        points = rng.normal(size=(4, 3)) * 0.3
        inertia = sum(np.eye(3) * (p @ p) - np.outer(p, p) for p in points)
        at, com = rng.uniform(-0.3, 0.3, (2, 3)).tolist()
        body = s.body(f"b{k}", on=on, at=at, joint=joint, mass=float(rng.uniform(0.5, 2)), com=com,
                      inertia=np.asarray(inertia).tolist())  # fmt: skip
        bodies.append(body)
    s.state("filtered", "200*(sin(t) - filtered)")
    return s


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.filterwarnings("ignore::freebody.errors.SimulationWarning")
def test_random_trees_equal_an_explicit_method(seed: int) -> None:
    s, times = random_tree(seed), np.linspace(0, 0.2, 21)
    exact = s.simulate(times, method="dop853", rtol=1e-11, atol=1e-12)
    run = s.simulate(times, method="esdirk54", rtol=1e-8, atol=1e-10)
    assert run.success and np.abs(run.x - exact.x).max() < 1e-7
    assert run.statistics.steps < 1000


def pendulum() -> fb.System:
    """A double pendulum whose elbow is stiff, as a body of two rods."""
    s = fb.System("pendulum on a bushing")
    upper = s.body("upper", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5), inertia=fb.rod(1.0, 1.0, "z"))
    elbow = fb.Revolute("y", stiffness=1e5, damping=50.0)
    s.body("lower", on=upper, at=(0, 0, -1), joint=elbow, mass=1.0, com=(0, 0, -0.5), inertia=fb.rod(1.0, 1.0, "z"))
    return s


@pytest.mark.parametrize("rolled", [False, True], ids=["unrolled", "rolled"])
def test_events_are_located_and_stop(rolled: bool) -> None:
    e = pendulum().derive("aba", rolled=rolled)
    for stop in (False, True):
        event = fb.Event("q.upper - 0.2", name="passes", terminal=stop)
        given: dict[str, Any] = {"q": {"upper": 1.0}, "events": [event]}
        exact = e.simulate(2.0, **given, method="dop853", rtol=1e-12, atol=1e-14)
        run = e.simulate(2.0, **given, method="esdirk54", rtol=1e-10, atol=1e-12)
        assert len(run.t_events[0]) == len(exact.t_events[0]) > 0
        assert np.abs(run.t_events[0] - exact.t_events[0]).max() < 1e-9
        assert abs(run.t[-1] - exact.t[-1]) < 1e-9


def test_resets() -> None:
    """A ball that bounces, on a stiff drive."""
    s = pendulum()
    hit = fb.Event("q.upper", direction=-1, reset={"u.upper": "-0.8*u.upper"}, name="hit")
    given: dict[str, Any] = {"q": {"upper": 1.0}, "events": [hit]}
    exact = s.simulate(2.0, **given, method="dop853", rtol=1e-12, atol=1e-14)
    run = s.simulate(2.0, **given, method="esdirk54", rtol=1e-10, atol=1e-12)
    assert len(exact.events) > 1
    assert np.abs(run.events.t - exact.events.t).max() < 1e-8 and np.abs(run.x - exact.x).max() < 1e-6


def test_steps_end_where_laws_jump() -> None:
    """Of a drive that switches at a time: few steps are rejected, and the accuracy is that of smooth laws."""
    s = pendulum()
    s.joint_force("upper", "where(t < 0.73, 20, -30)*cos(t)")
    exact = s.simulate(1.5, method="dop853", rtol=1e-12, atol=1e-14)
    run = s.simulate(1.5, method="esdirk54", rtol=1e-8, atol=1e-10)
    assert np.abs(run.x - exact.x).max() < 1e-6
    assert run.statistics.rejected < 0.2 * run.statistics.steps


def test_what_the_jacobian_lacks_is_left_to_the_iteration() -> None:
    """A spring between bodies, and negative stiffness of a joint that tips over."""
    s = pendulum()
    s.spring(s.bodies["lower"].point((0, 0, -1)), s.ground.point((0.3, 0, -2.2)), stiffness=1e3, damping=30.0)
    tips = fb.System("tips")
    tips.body("a", joint=fb.Revolute("y", stiffness=-30.0, damping=0.5), mass=1.0, com=(0, 0, 0.5), inertia=(1, 1, 1))
    for one, start in ((s, {"upper": 0.5}), (tips, {"a": 0.01})):
        exact = one.simulate(1.0, q=start, method="dop853", rtol=1e-12, atol=1e-14)
        run = one.simulate(1.0, q=start, method="esdirk54", rtol=1e-8, atol=1e-10)
        assert np.abs(run.x - exact.x).max() < 1e-6


@pytest.mark.parametrize(("stiffness", "says"), [(1.0, False), (1e9, True)])
def test_runs_say_where_the_iteration_limits_the_steps(stiffness: float, says: bool) -> None:
    """Two carts on springs: those of the joints are in the Jacobian, the one between the carts is not."""
    s, joint = fb.System("carts"), {"stiffness": 1e6, "damping": 1e4}
    a, b = (s.body(n, joint=fb.Prismatic("x", rest=k, **joint), mass=1.0) for k, n in enumerate("ab"))
    s.spring(a.origin, b.origin, stiffness=stiffness, damping=1e4 * says, free_length=0.9)
    s.joint_force(a, "1e6*sin(20*t)")
    given: dict[str, Any] = {"q": {"b": 1.0}, "method": "esdirk54", "rtol": 1e-6, "atol": 1e-9}
    run = s.simulate(2.0, **given)
    assert run.statistics.steps > 100
    assert run.statistics.limit.startswith("Newton's iteration keeps the steps at") == says
    assert says or run.statistics.limit == ""


def test_coordinates_may_change_forces_before_these_are_in_balance() -> None:
    """A small link on a bushing, whose force on each body depends on both: the second change of the iteration is larger
    than the first, and the third is small."""
    s = fb.System("link")
    body, link = (s.body(n, joint=fb.Prismatic("z"), mass=m) for n, m in (("body", 400.0), ("link", 0.5)))
    force = 1e7 * (link.q[0] - body.q[0]) + 2e3 * (link.u[0] - body.u[0])
    s.joint_force(body, force - 2e4 * body.q[0] + 4000 * fb.sin(5 * s.t))
    s.joint_force(link, -force - 1500 * link.u[0])
    run, other = (s.simulate(2.0, method=method, rtol=1e-6, atol=1e-8) for method in ("esdirk54", "rodas5p"))
    assert np.abs(run.x - other.x).max() < 5e-5
    assert run.statistics.steps < 2000


def test_drives_by_laws_are_in_the_jacobian() -> None:
    """Strong feedback by inputs, and stages of a filter: no more steps than with the exact Jacobian."""
    s = fb.System("drives")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    arm = s.body("arm", on=cart, joint=fb.Revolute("y"), mass=0.5, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    for body, name in ((cart, "push"), (arm, "turn")):
        s.input(name)
        s.joint_force(body, name)
    s.state("filtered", "1e5*(q.arm - filtered)")
    laws = {"push": "-1e6*(q.cart - 0.1*sin(5*t)) - 3e3*u.cart", "turn": "-1e4*(q.arm - sin(7*t)) - 300*u.arm"}
    given: dict[str, Any] = {"inputs": laws, "rtol": 1e-7, "atol": 1e-9}
    run, other = (s.simulate(1.0, method=method, **given) for method in ("esdirk54", "rodas5p"))
    assert np.abs(run.x - other.x).max() < 1e-5
    assert run.statistics.steps < 1.2 * other.statistics.steps


def test_python_functions_are_left_to_the_iteration() -> None:
    """In laws of inputs; a force of the model needs its derivative."""
    s = pendulum()
    motor = s.input("motor")
    s.joint_force("upper", motor)
    given: dict[str, Any] = {"method": "esdirk54", "rtol": 1e-8, "atol": 1e-10, "u": {"upper": 1.0}}
    run = s.simulate(0.5, inputs={"motor": lambda t, x: -30 * x[0] - 2 * x[2] + t}, **given)
    text = s.simulate(0.5, inputs={"motor": "-30*q.upper - 2*u.upper + t"}, **given)
    assert np.abs(run.x - text.x).max() < 1e-7
    spring = fb.callback("spring", lambda x: -1e4 * x)
    s.joint_force("upper", fb.apply(spring, s.bodies["upper"].q[0]))
    with pytest.raises(ArgumentError, match=r"needs the derivatives of each joint's force .*spring.*derivative="):
        s.simulate(0.5, inputs={"motor": 0.0}, **given)


def test_sweeps_run_one_by_one() -> None:
    s, values = pendulum(), np.array([0.0, 0.3, 0.6])
    sweep = s.sweep([0.0, 0.5], {"q.upper": values}, method="esdirk54")
    for k, value in enumerate(values):
        run = s.simulate([0.0, 0.5], q={"upper": float(value)}, method="esdirk54")
        assert np.array_equal(np.asarray(sweep["q.lower"])[k], run["q.lower"])
    with pytest.raises(ArgumentError, match=r"method 'esdirk54' is not possible side by side: take .*'rodas5p'"):
        s.simulators(2, method="esdirk54")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rolled", [False, True], ids=["unrolled", "rolled"])
def test_the_linear_system_of_coupled_joints(seed: int, rolled: bool) -> None:
    """Joints that follow others across branches and along them, on a free body or the ground."""
    made = random_couplings.pair(seed)
    s, (q, u, _, _) = made.coupled, random_couplings.state(made, seed)
    e = s.derive("aba", rolled=rolled).derivation
    system, x = build(e, s.values), np.array([*q, *u])
    J = of_joints(s.derive("kane", rolled=False).derivation, 0.0, x, system.p)
    right = np.random.default_rng(seed).normal(size=len(x))
    for G in (0.05, 0.6):
        expected = np.linalg.solve(np.eye(len(x)) - G * J, right)
        assert np.abs(increments(system, 0.0, x, G, right) - expected).max() < 1e-6 * np.abs(expected).max()


def test_a_simulator_moves_as_a_run() -> None:
    s = pendulum()
    motor = s.input("motor")
    s.joint_force("upper", motor)
    sim = s.simulator(q={"upper": 0.5}, method="esdirk54", inputs={"motor": 3.0})
    for t in (0.1, 0.25, 0.6):
        sim.run_until(t)
    run = s.simulate([0.0, 0.6], q={"upper": 0.5}, inputs={"motor": 3.0})
    assert np.abs(sim.x - run.x[-1]).max() < 1e-6


def test_loops_modes_and_other_speeds_are_refused() -> None:
    s = pendulum()
    s.rod(s.bodies["lower"].point((0, 0, -1)), s.ground.point((0, 0, -1)), 1.0)
    with pytest.raises(ArgumentError, match=r"method='esdirk54' is for trees, without constr.*; use method='rodas5p'"):
        s.simulate(0.1, method="esdirk54")
    beam = fb.System("beam")
    beam.body("arm", joint=fb.Revolute("z"), flexible=fb.Beam(length=2, EI=500, density=3), modes=2)
    with pytest.raises(ArgumentError, match=r"is for rigid bodies: .* stiff too \('arm' is flexible\); use .*rodas5p"):
        beam.simulate(0.1, method="esdirk54")


def test_rodas5p_names_it_for_many_bodies() -> None:
    with pytest.raises(ArgumentError, match=r"rolled equations of many bodies \(60 speeds\); use method='esdirk54'"):
        stiff_chain(60).simulate(0.1, method="rodas5p")
