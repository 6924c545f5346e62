"""Coordinates of no interest (Sayers 1991, n ≠ ν): equations without them give the same motion, and what they were is
integrated afterwards."""

import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, ModelError

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import satellite

BUS = ("bus.x", "bus.y", "bus.z", "bus.a1", "bus.a2", "bus.a3")
TIGHT: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-13}
NEAR = 1e-9
"""Of runs at these tolerances, with different steps; measured: below 3e-11."""


def inputs(s: fb.System, **values: Any) -> dict[str, Any]:
    return dict.fromkeys(s.inputs, 0.0) | values


def tumbling() -> fb.System:
    """A free body with a quaternion, a pendulum on it, gravity, a closed loop, and a latch that events release."""
    s = fb.System("tumbling")
    push = s.input("push")
    base = s.body("base", joint=fb.Free(), mass=3, com=(0.1, 0, 0), inertia=(1, 2, 1.5))
    moments = (0.1, 0.1, 0.1)
    hinge = fb.Revolute("y", damping=0.1)
    crank = s.body("crank", base, hinge, at=(0.5, 0, 0), mass=1, com=(0, 0, -0.2), inertia=moments)
    rocker = s.body("rocker", base, fb.Revolute("y"), at=(1.5, 0, 0), mass=1, com=(0, 0, -0.3), inertia=(0.1, 0.2, 0.1))
    s.rod(crank.point((0, 0, -0.5)), rocker.point((0, 0, -0.6)), length=1.01**0.5)
    s.torque(push, on=crank, reaction=base, about=base.y)
    return s


@pytest.mark.paper("000", "36")
@pytest.mark.parametrize("formulation", ["kane", "crba", "aba", "cheapest", "sayers"])
def test_every_formulation_leaves_kinematic_equations_out(formulation: str) -> None:
    s, rng = satellite.system(), np.random.default_rng(1)
    full, eq = s.derive(formulation), s.derive(formulation, omit=["bus"])
    assert full.unused_coordinates == BUS
    assert eq.q == ("clock", "camera", "e", "boom") and eq.u == full.u
    q, u, tau = rng.normal(size=(3, 10))
    a, b = (e.compile().forward_dynamics(x, u, tau) for e, x in ((full, q), (eq, q[6:])))
    assert np.allclose(a, b, rtol=1e-12, atol=1e-12)
    assert eq.operations["q_dot"].total == 0 < full.operations["q_dot"].total
    x_dot = eq.compile().state_dot(0, np.concatenate([q[6:], u]), np.zeros(8))
    assert np.allclose(
        x_dot, full.compile().state_dot(0, np.concatenate([q, u]), np.zeros(8))[6:], rtol=1e-12, atol=1e-12
    )


@pytest.mark.paper("000", "36")
def test_the_papers_speeds_need_no_coordinates_of_the_bus() -> None:
    s = satellite.system(paper=True)
    eq = s.derive(speeds="mass-centre", omit=["bus"])
    assert len(eq.q) == 4 and len(eq.u) == 10
    with pytest.raises(ModelError, match=r"coordinate 'bus\.r4' cannot be omitted|coordinate 'bus\.\w+' cannot"):
        s.derive(omit=["bus"])  # its standard speeds are along axes that turn against each other


@pytest.mark.paper("000", "36")
def test_a_run_is_completed_to_that_of_all_coordinates() -> None:
    s = satellite.system()
    q, u = {"boom": 0.2}, {"clock": 0.2, "camera": -0.1, "bus.wy": 0.05, "bus.vx": 0.1}
    driven = inputs(s, T7="sin(t)", F1=lambda t, x: -x[-1], T2=lambda t: 0.1 * t)
    reduced = s.derive(omit=["bus"]).simulate(8.0, q=q, u=u, inputs=driven, **TIGHT)
    full = s.simulate(8.0, q=q | {"bus.x": 2.0, "bus.a2": 0.1}, u=u, inputs=driven, **TIGHT)
    assert reduced.x.shape[1] == 14
    run = reduced.integrate_omitted(q={"bus.x": 2.0, "q.bus.a2": 0.1})
    assert run.about.state == full.about.state
    assert np.abs(run.x - full.x).max() < NEAR
    times = np.linspace(0.013, 7.9, 23)
    assert np.abs(run.at(times).x - full.at(times).x).max() < NEAR
    assert np.abs(run["pose.camera"] - full["pose.camera"]).max() < NEAR
    assert np.abs(run["momentum.angular"] - full["momentum.angular"]).max() < 1e3 * NEAR
    assert run.energy_error < 1e-7


@pytest.mark.paper("000", "36")
@pytest.mark.parametrize("method", ["dop853", "dopri5", "rk4", "radau"])
def test_closed_loops_quaternions_and_events(method: str, tmp_path: Path) -> None:
    s = tumbling()
    names = list(s.derive().unused_coordinates)
    assert names == ["base.x", "base.y", "base.z"]  # gravity turns against the body
    s.gravity = (0, 0, 0)
    assert s.derive().unused_coordinates == tuple(s.derive().q[:7])
    stop = fb.Event("q.crank - 0.7", name="turn", reset={"u.base.wx": "-u.base.wx"})
    options: dict[str, Any] = {
        "u": {"base.wx": 0.3, "base.wz": 0.2, "base.vy": 0.1},
        "inputs": {"push": 1.0},
        "events": [stop],
        "method": method,
    }
    options |= {"step": 1e-3} if method == "rk4" else TIGHT
    reduced = s.derive(omit=["base"]).simulate(2.0, **options)
    full = s.simulate(2.0, **options)
    assert len(full.events) and len(full.events) == len(reduced.events)
    run = reduced.integrate_omitted()
    assert np.abs(run.x - full.x).max() < 1e-8
    assert np.allclose(np.linalg.norm(run.x[:, 3:7], axis=1), 1, atol=1e-14)
    assert np.abs(run.sol(np.linspace(0, 2, 31)) - full.sol(np.linspace(0, 2, 31))).max() < 1e-5
    if method == "dop853":
        assert np.abs(run.events.before - full.events.before).max() < 1e-8
        run.animate(tmp_path / "run.html")


@pytest.mark.paper("000", "36")
def test_backwards_runs_and_pickles() -> None:
    s = satellite.system()
    eq = s.derive(omit=["bus"])
    there = eq.simulate([1.0, 0.5, 0.0], u={"bus.wx": 0.4, "bus.wy": 0.3}, inputs=inputs(s), **TIGHT)
    full = s.simulate([1.0, 0.5, 0.0], u={"bus.wx": 0.4, "bus.wy": 0.3}, inputs=inputs(s), **TIGHT)
    assert np.abs(there.integrate_omitted().x - full.x).max() < NEAR
    assert pickle.loads(pickle.dumps(eq)).q == eq.q
    again = pickle.loads(pickle.dumps(there))
    assert again.about.omitted == BUS
    with pytest.raises(ArgumentError, match="integrate_omitted needs the equations"):
        again.integrate_omitted()


@pytest.mark.paper("000", "36")
def test_sweeps_in_lanes_honour_it() -> None:
    s = satellite.system()
    over = {"q.boom": np.linspace(0, 0.3, 6)}
    some, every = (s.derive(omit=omit).sweep(1.0, over, inputs=inputs(s, T7=1.0)) for omit in ((), ["bus"]))
    assert "q.bus.x" in some and "q.bus.x" not in every
    assert np.abs(some["q.camera"].to_numpy() - every["q.camera"].to_numpy()).max() < 1e-7


@pytest.mark.paper("000", "36")
def test_what_depends_on_a_coordinate_is_named() -> None:
    s = satellite.system()
    bus, ground = s.bodies["bus"], s.ground
    for omit, why in (
        (["clock"], "'clock' cannot be omitted: accelerations depend on it"),
        (["bus.a2"], "'bus.a2' cannot be omitted: the rate of 'bus.x' depends on it; omit 'bus.x' too"),
        (["bsu"], "omit: 'bsu' is not a coordinate that is a state; there are bus.x"),
        (["q.bus.w"], "omit: 'q.bus.w' is not a coordinate that is a state; did you mean 'bus."),
    ):
        with pytest.raises(ModelError, match=why):
            s.derive(omit=omit)
    with pytest.raises(ModelError, match="'poincare' needs all coordinates"):
        s.derive("poincare", omit=["bus"])
    with pytest.raises(ModelError, match="rolled=True computes the rates of all coordinates"):
        s.derive(omit=["bus"], rolled=True)
    with pytest.raises(ArgumentError, match="omit must be a name or a list of names"):
        s.derive(omit=[3])  # type: ignore[list-item]
    s.output("height", s.position(bus).dot(ground.z))
    with pytest.raises(ModelError, match=r"'bus\.z' cannot be omitted: output 'height' depends on it"):
        s.derive(omit=[bus])
    s.spring(bus, ground.point((0, 0, 9)), stiffness=1.0, name="tether")
    with pytest.raises(ModelError, match=r"'bus\.x' cannot be omitted: load 'tether' depends on it"):
        s.derive(omit=["bus.x", "bus.y"])
    limited = fb.System("limited", gravity=(0, 0, 0))
    limited.body("cart", joint=fb.Prismatic("x", limits=(-1, 1)), mass=1)
    with pytest.raises(ModelError, match="'cart' cannot be omitted: limits of its joint depend on it"):
        limited.derive(omit=["cart"])
    limited.body("other", joint=fb.Prismatic("x"), mass=1)
    limited.state("way", rate="q.other")
    with pytest.raises(ModelError, match="'other' cannot be omitted: the rate of state 'way' depends on it"):
        limited.derive(omit=["other"])
    assert tumbling().derive().unused_coordinates == ("base.x", "base.y", "base.z")


@pytest.mark.paper("000", "36")
def test_what_needs_an_omitted_coordinate_says_so(tmp_path: Path) -> None:
    s = satellite.system()
    eq = s.derive(omit=["bus"])
    f, run = eq.compile("numpy"), eq.simulate(0.1, inputs=inputs(s))
    q, u = np.zeros(4), np.zeros(10)
    named = r"depends on coordinates 'bus\.x', 'bus\.y', 'bus\.z'.*omitted here; derive again without omit"
    for call in (lambda: f.pose(q, "camera"), lambda: f.momenta(q, u), lambda: eq.to_c(tmp_path, "momenta")):
        with pytest.raises(ModelError, match=named):
            call()
    for call, text in (
        (lambda: eq.simulate(1.0, inputs=inputs(s, F1="q.bus.x")), r"'q\.bus\.x'(, which)? is omitted here"),
        (lambda: eq.simulate(1.0, inputs=inputs(s, F1=s.bodies["bus"].q[0])), r"input 'F1' depends on 'q\.bus\.x'"),
        (
            lambda: eq.simulate(1.0, inputs=inputs(s), events=[fb.Event("q.bus.x")]),
            r"'q\.bus\.x'(, which)? is omitted here",
        ),
        (lambda: eq.simulate(1.0, q={"bus.x": 1.0}, inputs=inputs(s)), r"'bus\.x' is omitted; give its initial value"),
        (lambda: eq.linearize(), "analyses use all coordinates"),
        (lambda: eq.equilibrium(), "analyses use all coordinates"),
        (lambda: run["pose.bus"], r"Coordinates bus\.x, .* are omitted, .* run\.integrate_omitted\(\)"),
        (lambda: run.animate(tmp_path / "run.html"), r"a picture needs all coordinates"),
        (lambda: run.report(tmp_path / "run.html"), r"a picture needs all coordinates"),
        (lambda: eq.sweep(1.0, {"q.bus.x": [0, 1]}, inputs=inputs(s)), r"'q\.bus\.x'"),
        (lambda: eq.sweep(1.0, {"q.boom": [0, 1]}, inputs=inputs(s), record=["pose"]), "'pose' cannot be recorded"),
        (lambda: run.integrate_omitted(q={"clock": 1.0}), r"'q\.clock' was not omitted: it is a state of the run"),
        (lambda: run.integrate_omitted(q=[1.0]), "q must be a dictionary of initial values of omitted coordinates"),
        (lambda: s.simulate(0.1, inputs=inputs(s)).integrate_omitted(), "no coordinates are omitted"),
        (
            lambda: s.simulate(1.0, start=run, inputs=inputs(s)),
            r"it has no q\.bus\.x, .*because these coordinates were omitted; pass start=run\.integrate_omitted",
        ),
    ):
        with pytest.raises(ArgumentError, match=text):
            call()
    for call in (lambda: eq.matrices(), lambda: eq.operators(q, u)):
        with pytest.raises(ModelError, match="need all coordinates"):
            call()
    run.save(tmp_path / "run.nc")
    loaded = fb.Trajectory.load(tmp_path / "run.nc")
    assert loaded.about.omitted == BUS and np.array_equal(loaded.x, run.x)
    with pytest.raises(ArgumentError, match=r"needs the equations, .* pass eq=eq, and inputs="):
        loaded.integrate_omitted()
    with pytest.raises(ArgumentError, match="needs the inputs of the run"):
        loaded.integrate_omitted(eq=eq)
    other = fb.System("other")
    other.body("bob", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    with pytest.raises(ArgumentError, match="equations of another system"):
        loaded.integrate_omitted(eq=other.derive())
    for equations in (eq, s.derive()):
        whole = loaded.integrate_omitted(eq=equations, inputs=inputs(s))
        assert np.abs(whole.x - run.integrate_omitted().x).max() < 1e-6
