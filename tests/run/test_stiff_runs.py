"""Runs by ``method="rodas5p"``: the linear system of its stages, orders, published solutions, events, constraints,
switching, lanes, and what it refuses."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.rosenbrock import RODAS5P
from freebody.run import energy_check, stage_system
from freebody.run.build import build
from tests.mechanisms.general_position import JOINTS, At, chain, closed, driven, passive, varying

Array = np.ndarray
CLOSING = [name for name in JOINTS if name not in ("free",)]


def compiled(at: At, inputs: dict[str, Any] | None = None) -> CompiledSystem:
    e = at.system.derive("kane", rolled=False).derivation
    return build(e, at.system.values, inputs, exact=True)


def increments(system: CompiledSystem, t: float, x: Array, G: float, weight: float, right: Array) -> Array:
    """U of (1 − G J) U = R + weight ∂f/∂t, by the programs of the stages."""
    stages = system.system.stages["rodas5p"].value
    assert stages is not None and stages.backward is None
    rate, n = system.x_dot(t, x), system.system.coordinates
    solution = rate[n : n + len(system.system.speeds)]
    values = {"t": t, "x": x, "inputs": system.part(stages.entries)}
    if stages.solution is not None:
        solution = np.asarray(system.function(stages.solution, "numpy")(**values))
    entries = np.asarray(system.function(stages.entries, "numpy")(**values, solution=solution))
    settings = np.array([G, weight])
    factor = system.free(stages.factor, "numpy", False)(entries, settings)
    return np.asarray(system.free(stages.solve, "numpy", False)(entries, settings, factor, right))


def check(at: At, inputs: dict[str, Any] | None = None) -> None:
    """The increments are those of the exact Jacobian of the other implicit methods (M⁻¹ times the derivatives of the
    balance), with quaternions that stay of unit length, and of differences of ẋ by time."""
    system, rng = compiled(at, inputs), np.random.default_rng(2)
    x, t = np.array([*at.q, *at.u, *at.z]), at.t
    J, step = system.jacobian(t, x), 1e-5
    for k in system.system.quaternions:
        J[:, k : k + 4] -= np.outer(J[:, k : k + 4] @ x[k : k + 4], x[k : k + 4])
    by_time = (system.x_dot(t + step, x) - system.x_dot(t - step, x)) / (2 * step)
    right = rng.normal(size=len(x))
    for G, weight in ((1e-4, 0.0), (0.02, 0.3), (0.4, -0.2)):
        U = increments(system, t, x, G, weight, right)
        expected = np.linalg.solve(np.eye(len(x)) - G * J, right + weight * by_time)
        assert np.abs(U - expected).max() < 2e-8 * (1 + np.abs(expected).max())


@pytest.mark.parametrize("name", JOINTS)
def test_the_linear_system_of_trees(name: str) -> None:
    """Every joint with springs, dampers and friction that depend on the state and on time, between oblique joints, with
    a rod."""
    check(chain(JOINTS[name], varying(JOINTS[name])))


@pytest.mark.parametrize("name", CLOSING)
def test_the_linear_system_of_loops(name: str) -> None:
    """Every joint that closes a loop, in free bodies with quaternions and angles."""
    check(closed(JOINTS[name], passive(JOINTS[name]), "a"))


@pytest.mark.parametrize("name", ["revolute", "cylindrical"])
def test_the_linear_system_of_switched_and_driven_loops(name: str) -> None:
    check(closed(JOINTS[name], passive(JOINTS[name]), "a", engaged=True))
    check(closed(JOINTS[name], driven(JOINTS[name]), "a"))


@pytest.mark.parametrize(
    "root", [fb.Spherical(), fb.Revolute("y"), fb.Revolute((1, 2, 2))], ids=["ball", "y", "oblique"]
)
def test_the_linear_system_of_flexible_bodies(root: Any) -> None:
    """Bodies with modes in space that carry one another, and a rigid one; on a hinge along y the modes take nearly all
    inertia of their body."""
    s, beam = fb.System("flexible"), fb.Beam(length=1.2, EI=(300.0, 400.0), density=3.0, damping=0.01)
    a = s.body("a", joint=root, mass=1.0, com=(0.1, 0.05, 0.02), inertia=(0.1, 0.2, 0.15), flexible=beam, modes=3)
    b = s.body("b", on=a.node("tip"), joint=fb.Revolute("y"), flexible=beam, modes=2)
    c = s.body(
        "c", on=b.node("tip"), at=(0.1, 0.2, -0.3), joint=fb.Revolute((2, -1, 2)), mass=1.0, com=(0.1, 0.2, 0.1),
        inertia=(0.1, 0.2, 0.2),
    )  # fmt: skip
    s.spring(c.origin, s.ground.point((1, 0, 0)), stiffness=20, damping=2, free_length=0.3)
    rng, e = np.random.default_rng(1), s.derive("kane", rolled=False)
    q, u = 0.3 * rng.normal(size=len(e.q)), rng.normal(size=len(e.u))
    if len(q) > len(u):
        q[:4] = (0.1, -0.5, 0.7, 0.5)
    check(At(s, q, u))


def test_the_linear_system_under_laws() -> None:
    """Laws of inputs in the state and in time, with derivatives of inertia forces by composite bodies."""
    s = fb.System("driven")
    s.input("motor")
    brake = s.input("brake")
    a = s.body("a", joint=fb.Revolute((1, 2, -2)), mass=2.0, com=(0.1, -0.3, 0.2), inertia=(0.3, 0.4, 0.5))
    b = s.body(
        "b", on=a, at=(0.2, 0.1, -0.3), joint=fb.Prismatic((0.3, -2, 1)), mass=1.1, com=(0.2, 0.1, 0.3),
        inertia=(0.2, 0.3, 0.1),
    )  # fmt: skip
    s.body("c", on=b, at=(0, 0.3, 0.1), joint=fb.Revolute("x"), mass=0.7, com=(0.1, 0.4, 0), inertia=(0.1, 0.1, 0.2))
    i = s.state("i", "5*(motor - 2*i - 0.3*u.a)")
    s.torque(3 * i, on=a, about=a.x)
    s.joint_force(b, -brake * b.u[0])
    at = At(s, np.array([0.3, -0.4, 0.9]), np.array([0.7, -0.5, 1.1]), np.array([0.4]))
    check(at, {"motor": "sin(3*t) - 4*q.a*u.b + i**2", "brake": "2 + tanh(u.c)*t"})


def prothero(rate: float) -> fb.System:
    s = fb.System("Prothero and Robinson")
    s.body("idle", joint=fb.Prismatic("x"), mass=1)
    s.state("y", f"-{rate}*(y - sin(t)) + cos(t)")
    return s


@pytest.mark.parametrize(("rate", "least"), [(1.0, 4.6), (1e6, 2.6)])
def test_orders(rate: float, least: float) -> None:
    """With steps of one size the error decreases with order 5, and with 3 in the stiff case of Prothero and Robinson: a
    derivative by time that is lost there changes the order."""
    s, errors = prothero(rate), list[float]()
    for n in (10, 20, 40):
        run = s.simulate([0.0, 1.0], method="rodas5p", first_step=1 / n, max_step=1 / n, rtol=1e3, atol=1e9)
        assert run.statistics.steps == n
        errors.append(abs(run["y"][-1] - np.sin(1.0)))
    assert np.log2(errors[0] / errors[1]) > least and np.log2(errors[1] / errors[2]) > least


def states(name: str, initial: list[float], *rates: str) -> fb.System:
    s = fb.System(name)
    s.body("idle", joint=fb.Prismatic("x"), mass=1)
    for k, x in enumerate(initial, 1):
        s.state(f"y{k}", initial=x)
    for k, rate in enumerate(rates, 1):
        s.rate(f"y{k}", rate)
    return s


def hires() -> fb.System:
    return states(
        "HIRES",
        [1, 0, 0, 0, 0, 0, 0, 0.0057],
        "-1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007",
        "1.71*y1 - 8.75*y2",
        "-10.03*y3 + 0.43*y4 + 0.035*y5",
        "8.32*y2 + 1.71*y3 - 1.12*y4",
        "-1.745*y5 + 0.43*y6 + 0.43*y7",
        "-280*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7",
        "280*y6*y8 - 1.81*y7",
        "-280*y6*y8 + 1.81*y7",
    )


PUBLISHED: dict[str, tuple[Callable[[], fb.System], float, list[float]]] = {
    "hires": (
        hires,
        321.8122,
        [
            0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
            0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2,
        ],
    ),
    "van der Pol": (
        lambda: states("van der Pol", [2.0, 0.0], "y2", "((1 - y1**2)*y2 - y1)*1e6"),
        2.0,
        [0.1706167732170483e1, -0.8928097010247975],
    ),
    "Robertson": (
        lambda: states(
            "Robertson",
            [1.0, 0.0, 0.0],
            "-0.04*y1 + 1e4*y2*y3",
            "0.04*y1 - 1e4*y2*y3 - 3e7*y2**2",
            "3e7*y2**2",
        ),
        40.0,
        [0.7158270688, 0.9185534765e-5, 0.2841637457],
    ),
}  # fmt: skip
"""Test problems of the IVP test set (Mazzia & Magherini) and of SUNDIALS, with their values at the end."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_solutions(name: str) -> None:
    make, end, expected = PUBLISHED[name]
    run = make().simulate([0.0, end], method="rodas5p", rtol=1e-9, atol=1e-13)
    assert run.success
    found = run.x[-1][-len(expected) :]
    assert np.abs(found / expected - 1).max() < 2e-7
    assert run.statistics.steps < 4000 and run.statistics.jacobians >= run.statistics.steps


def stiff_pendulum() -> fb.System:
    """A double pendulum whose elbow is a bushing."""
    s = fb.System("pendulum on a bushing")
    upper = s.body("upper", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5), inertia=fb.rod(1.0, 1.0, "z"))
    s.body(
        "lower", on=upper, at=(0, 0, -1), joint=fb.Revolute("y", stiffness=1e5, damping=50.0), mass=1.0,
        com=(0, 0, -0.5), inertia=fb.rod(1.0, 1.0, "z"),
    )  # fmt: skip
    return s


def slider_crank() -> fb.System:
    s = fb.System("slider-crank")
    motor = s.input("motor")
    crank = s.body("crank", joint=fb.Revolute("y", damping=0.1), mass=1, com=(0.15, 0, 0), inertia=(0, 0.0075, 0.0075))
    rod = s.body(
        "rod", on=crank, at=(0.3, 0, 0), joint=fb.Revolute("y"), mass=2, com=(0.5, 0, 0), inertia=(0, 1 / 6, 1 / 6)
    )
    slider = s.body("slider", joint=fb.Prismatic("x"), mass=3)
    s.close(rod.point((1, 0, 0)), slider, joint=fb.Revolute("y"), name="pin")
    s.torque(motor, on=crank, about=crank.y)
    s.spring(slider.origin, s.ground.point((3, 0, 0)), stiffness=1e4, damping=100, free_length=1.7)
    return s


def floating() -> fb.System:
    """A free body, with a quaternion, on three stiff springs."""
    s = fb.System("engine")
    engine = s.body("engine", joint=fb.Free(), mass=3, com=(0, 0, 0.1), inertia=(0.2, 0.3, 0.4))
    for x, y in ((1, 1), (1, -1), (-1, 0)):
        s.spring(engine.point((x, y, 0)), s.ground.point((x, y, -0.5)), stiffness=1e5, damping=300, free_length=0.5)
    return s


CASES: dict[str, tuple[Callable[[], fb.System], float, dict[str, Any]]] = {
    "bushing": (stiff_pendulum, 2.0, {"q": {"upper": 1.0}}),
    "loop": (
        slider_crank,
        1.5,
        {"q": {"crank": 0.5}, "inputs": {"motor": "5*sin(3*t) - 2*u.crank - 3*q.crank"}},
    ),
    "quaternion": (floating, 0.4, {"u": {"engine.wx": 1.0, "engine.wz": 2.0}}),
}


@pytest.mark.parametrize("full", [False, True], ids=["straight", "full"])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore::freebody.errors.SimulationWarning")
def test_runs_equal_those_of_an_explicit_method(name: str, full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with the full matrix, which systems with many coupled speeds have; saved rows are interpolated."""
    if full:
        monkeypatch.setattr(stage_system, "STRAIGHT", 0)
    make, end, given = CASES[name]
    s, times = make(), np.linspace(0, end, 101)
    exact = s.simulate(times, rtol=1e-12, atol=1e-14, **given)
    run = s.simulate(times, method="rodas5p", rtol=1e-8, atol=1e-10, **given)
    assert np.abs(run.x - exact.x).max() < 3e-7
    assert name == "loop" or run.statistics.steps < exact.statistics.steps
    assert np.abs(run.sol(times[:-1] + 0.003) - exact.sol(times[:-1] + 0.003)).max() < 3e-7
    if name == "loop":
        assert run.statistics.drift < 1e-12


@pytest.mark.parametrize("full", [False, True], ids=["straight", "full"])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore::freebody.errors.SimulationWarning")
def test_lanes_equal_single_runs(name: str, full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if full:
        monkeypatch.setattr(stage_system, "STRAIGHT", 0)
    make, end, given = CASES[name]
    s, times = make(), np.linspace(0, end, 11)
    state = {"bushing": "u.upper", "loop": "u.crank", "quaternion": "u.engine.wy"}[name]
    values = np.linspace(-0.5, 0.5, 13)
    rest = {key: value for key, value in given.items() if key != "u"}
    u = given.get("u", {})
    sweep = s.sweep(times, {state: values}, u=u or None, method="rodas5p", rtol=1e-7, **rest)
    for k in (0, 5, 12):
        run = s.simulate(times, u=u | {state[2:]: values[k]}, method="rodas5p", rtol=1e-7, **rest)
        for key in run.about.state:
            assert np.abs(np.asarray(sweep[key])[k] - run[key]).max() < 1e-9


def test_parameters_differ_by_lane() -> None:
    s = fb.System("oscillator")
    k, c = s.parameters(k=1e6, c=1e3)
    cart = s.body("cart", joint=fb.Prismatic("x", stiffness=k, damping=c), mass=1.0)
    s.joint_force(cart, "1e3*sin(t)")
    ks = np.geomspace(1e4, 1e8, 9)
    sweep = s.sweep([0.0, 1.0], {"k": ks}, method="rodas5p")
    for i, stiffness in enumerate(ks):
        run = s.simulate([0.0, 1.0], method="rodas5p", parameters={"k": stiffness})
        assert abs(np.asarray(sweep["q.cart"])[i, -1] / run["q.cart"][-1] - 1) < 1e-9


@pytest.mark.parametrize("formulation", ["kane", "aba", "crba"])
def test_the_order_with_quaternions(formulation: str) -> None:
    """The accelerations of formulations differ where quaternions are not of unit length, as in stages."""
    s = fb.System("tumbling", gravity=(0, 0, -9.81))
    arm = s.body("arm", joint=fb.Revolute((1, 2, 2)), mass=2.0, com=(0.3, 0.1, 0), inertia=(0.1, 0.2, 0.3))
    hand = s.body(
        "hand", on=arm, at=(0.5, 0.2, 0), joint=fb.Free(), mass=1.0, com=(0.1, 0.2, 0.3), inertia=(0.1, 0.2, 0.2)
    )
    s.body("tip", on=hand, at=(0, 0.3, 0), joint=fb.Revolute("x"), mass=0.5, com=(0, 0.1, 0.2), inertia=(0.1, 0.1, 0.1))
    equations, start = s.derive(formulation), {"u": {"hand.wx": 3.0, "hand.wy": -2.0, "tip": 4.0}}
    exact = equations.simulate([0.0, 0.5], **start, rtol=1e-13, atol=1e-14).x[-1]
    errors = list[float]()
    for n in (20, 40):
        given: dict[str, Any] = {"first_step": 0.5 / n, "max_step": 0.5 / n, "rtol": 1e3, "atol": 1e9}
        run = equations.simulate([0.0, 0.5], **start, method="rodas5p", **given)
        errors.append(np.abs(run.x[-1] - exact).max())
    assert np.log2(errors[0] / errors[1]) > 4.5


def test_events_are_located() -> None:
    s = stiff_pendulum()
    event = fb.Event("q.upper - 0.2", name="passes")
    exact = s.simulate(2.0, q={"upper": 1.0}, events=[event], rtol=1e-12, atol=1e-14)
    run = s.simulate(2.0, q={"upper": 1.0}, events=[event], method="rodas5p", rtol=1e-10, atol=1e-12)
    assert len(run.t_events[0]) == len(exact.t_events[0]) > 0
    assert np.abs(run.t_events[0] - exact.t_events[0]).max() < 1e-9


def test_resets_and_switching() -> None:
    """A ball on a stiff damper that bounces, and a load that a hook takes."""
    s = fb.System("ball")
    s.body("ball", joint=fb.Prismatic("z"), mass=1.0)
    s.state("p", "1e4*(u.ball - p)")
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"}, name="bounce")
    exact = s.simulate(2.0, q={"ball": 1.0}, events=[bounce], rtol=1e-11, atol=1e-13)
    run = s.simulate(2.0, q={"ball": 1.0}, events=[bounce], method="rodas5p", rtol=1e-9, atol=1e-11)
    assert np.abs(run.events.t - exact.events.t).max() < 1e-7 and np.abs(run["q.ball"] - exact["q.ball"]).max() < 1e-6

    hook = fb.System("hook")
    crane = hook.body("crane", joint=fb.Prismatic("x", stiffness=1e4, damping=1e3), mass=5.0)
    load = hook.body("load", joint=fb.Prismatic("x"), mass=2.0)
    hook.constrain(crane.q[0] - load.q[0], name="hold", engaged=False)
    take = fb.Event("q.load - q.crane", engage="hold", name="take")
    start = {"q": {"load": -0.5}, "u": {"load": 1.0}, "events": [take]}
    exact = hook.simulate(2.0, **start, rtol=1e-11, atol=1e-13)
    run = hook.simulate(2.0, **start, method="rodas5p", rtol=1e-9, atol=1e-11)
    assert len(run.events) == len(exact.events) == 1
    assert np.abs(run.x[-1] - exact.x[-1]).max() < 1e-7 and np.abs(run["q.load"] - exact["q.load"]).max() < 1e-7


def test_loops_pass_flat_positions() -> None:
    """A parallelogram crosses the positions in which all bars are in line, where constraints are singular."""
    s = fb.System("parallelogram", gravity=(0, 0, 0))
    a = s.body("a", joint=fb.Revolute("y"), mass=1, com=(0.25, 0, 0), inertia=(0.02, 0.02, 0.02))
    b = s.body("b", on=a, at=(0.5, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    c = s.body("c", at=(1, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0.3, 0, 0), inertia=(0.02, 0.02, 0.02))
    s.close(b.point((1, 0, 0)), c.point((0.6, 0, 0)), joint=fb.Revolute("y"), name="pin")
    q, u = s.assemble(q={"a": 1.0}, u={"a": 3.0})
    given = {"q": q, "u": u}
    exact = s.simulate(1.0, **given, rtol=1e-11, atol=1e-13)
    run = s.simulate(1.0, **given, method="rodas5p", rtol=1e-8, atol=1e-10)
    assert run.success and np.abs(run.x[-1] - exact.x[-1]).max() < 1e-4


def test_python_functions_and_rolled_equations_are_refused() -> None:
    s = fb.System("cart")
    s.input("push")
    s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    with pytest.raises(ArgumentError, match=r"Jacobian: input 'push' is a Python function without a deriv.*radau"):
        s.simulate(1.0, method="rodas5p", inputs={"push": lambda t: np.sin(t)})
    s.joint_force("cart", "push")
    push = fb.callback("push", np.sin, derivative=np.cos)
    run = s.simulate(1.0, method="rodas5p", inputs={"push": push}, rtol=1e-10, atol=1e-10)
    assert abs(run["q.cart"][-1] - (1 - np.sin(1.0))) < 1e-9
    row, on = fb.System("row"), None
    for k in range(150):
        on = row.body(f"b{k}", on=on or row.ground, at=(0.1, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0.05, 0, 0),
                      inertia=(0.1, 0.1, 0.1))  # fmt: skip
    with pytest.raises(ArgumentError, match=r"not available for rolled equations of many bodies \(150 speeds\)"):
        row.simulate(0.1, method="rodas5p")


def dissipating_row(links: int = 4) -> fb.System:
    """Links with stiff, damped joints, which dissipate most of the energy within a few steps."""
    s, on, at = fb.System("row"), None, (0.0, 0.0, 0.0)
    for k in range(links):
        on = s.body(f"b{k}", on=on or s.ground, at=at, joint=fb.Revolute("y", stiffness=2e4, damping=50), mass=0.2,
                    com=(0.05, 0, 0), inertia=fb.rod(0.2, 0.1, "x"))  # fmt: skip
        at = (0.1, 0, 0)
    return s


@pytest.mark.parametrize("name", ["row", "passes"])
def test_the_energy_check_integrates_the_motion_of_the_method(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between steps it takes the states of the method's own interpolation, also in steps that an event cuts short, so
    that its estimate is the error of the balance; a cubic through the steps' ends would be ten times off."""
    found = list[float]()
    estimate = energy_check._estimate
    monkeypatch.setattr(energy_check, "_estimate", lambda *given: found.append(estimate(*given)) or found[-1])
    s, given = dissipating_row(), {"u": {"b0": 5.0}}
    if name == "passes":
        given["events"] = [fb.Event("q.b0 - 1e-3", name=name, terminal=False), fb.Event("u.b0", reset={"u.b1": "u.b1"})]
    run = s.simulate(0.2, method="rodas5p", rtol=1e-4, atol=1e-6, **given)
    balance = run.energy_balance
    assert balance is not None and 0.2 * balance.error < found[0] < 1.5 * balance.error


@pytest.mark.parametrize("rtol", [1e-5, 5e-6], ids=["kept", "repeated"])
@pytest.mark.parametrize("method", ["auto", "dop853", "dopri5", "esdirk54"])
@pytest.mark.parametrize("kind", ["free", "resets", "latch"])
def test_long_steps_need_no_exact_balance(method: str, rtol: float, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where cubic interpolation makes the estimate doubtful, the method's own, kept from the start or in a second run
    that equals the first, gives the error of the balance, also with resets and where constraints are switched."""
    found, estimate = list[float](), energy_check._estimate
    monkeypatch.setattr(energy_check, "_estimate", lambda *given: found.append(estimate(*given)) or found[-1])
    monkeypatch.setattr(energy_check, "DOUBTFUL", 0.0)
    s, given = fb.System("swing"), dict[str, Any]()
    upper = s.body("upper", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    joint = fb.Revolute("y", damping=0.05)
    s.body("lower", on=upper, at=(0, 0, -1), joint=joint, mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    if kind == "resets":
        given["events"] = [fb.Event("q.upper", reset={"u.upper": "0.9*u.upper"})]
    if kind == "latch":
        if method == "esdirk54":
            pytest.skip("esdirk54 has no loops")
        s.constrain("q.lower - 0.5", name="latch", engaged=False)
        given["events"] = [fb.Event("q.lower - 0.5", direction=1, engage="latch"), fb.Event("t - 4", release="latch")]
    run = s.simulate(6.0, method=method, rtol=rtol, atol=rtol / 100, q={"upper": 2.0}, progress=False, **given)
    assert "energy_balance" not in vars(run)
    assert run.energy_balance is not None and len(found) == (1 if rtol == 1e-5 else 2)
    assert 0.1 * run.energy_balance.error - 1e-6 < found[-1] < 1.5 * run.energy_balance.error + 1e-6
    monkeypatch.setattr(energy_check, "LOOSE", np.inf)
    monkeypatch.setattr(energy_check, "DOUBTFUL", np.inf)
    plain = s.simulate(6.0, method=method, rtol=rtol, atol=rtol / 100, q={"upper": 2.0}, progress=False, **given)
    assert np.array_equal(plain.x, run.x) and np.array_equal(plain.knots.x, run.knots.x)


@pytest.mark.parametrize("full", [False, True], ids=["straight", "full"])
def test_steps_with_a_vanishing_pivot_are_rejected(full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Carts that a spring of negative stiffness drives apart: m − G² k is a trillionth of m in the first step. Whatever
    the tolerance, it is not taken."""
    if full:
        monkeypatch.setattr(stage_system, "STRAIGHT", 0)
    s, first = fb.System("unstable"), 0.1
    s.body("still", joint=fb.Prismatic("y"), mass=1.0)
    stiffness = (1 - 1e-12) / (RODAS5P.gamma * first) ** 2
    s.joint_force(s.body("cart", joint=fb.Prismatic("x"), mass=1.0), f"{stiffness!r}*q.cart")
    options: dict[str, Any] = {"method": "rodas5p", "rtol": 1e3, "atol": 1e20, "q": {"cart": 1e-3}}
    run = s.simulate([0.0, first], first_step=first, **options)
    assert run.success and run.statistics.rejected > 0
    assert s.simulate([0.0, first], first_step=first * 0.99, max_step=first * 0.99, **options).statistics.rejected == 0
