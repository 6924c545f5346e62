"""High modes: quasi-static treatment, implicit methods, and the mode that limits the steps of a run."""

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import freebody as fb
from freebody.errors import ModelError, SimulationWarning
from freebody.io import dumps, loads
from freebody.run.build import build
from freebody.run.step_limit import limiting_mode, state_jacobian

Array = NDArray[np.float64]
ARM: dict[str, Any] = {"length": 2.0, "EI": (500.0, None), "density": 3.0}  # 11.3, 71.1, 199.1, 390.2, …, 2875 rad/s


def arm(modes: int = 10, quasi_static: float | None = None, **beam: Any) -> fb.System:
    """A flexible arm on a hinge with a smooth torque, and a load on its tip."""
    s = fb.System("arm", gravity=(0, 0, 0))
    torque = s.input("torque")
    link = s.body(
        "arm",
        joint=fb.Revolute("z", damping=0.5, stiffness=20.0),
        inertia=(0.5,) * 3,
        modes=modes,
        flexible=fb.Beam(**ARM, **beam),
        quasi_static=quasi_static,
    )
    s.body("load", on=link.node("tip"), mass=0.5, inertia=(0.01,) * 3)
    s.torque(s.ground.vector((0, 0, torque)), link)
    s.output("tip", s.position(link.node("tip").origin).dot(s.ground.y))
    return s


# Quasi-static modes


def test_modes_below_the_limit_are_not_changed() -> None:
    full, same = (arm(quasi_static=limit).bodies["arm"].spec.modal.data for limit in (None, 3000.0))
    for name in ("E", "C", "F0", "F1", "J1", "J2", "M_ff", "K", "D", "preload"):
        assert np.array_equal(getattr(full, name), getattr(same, name)), name
    body = arm(quasi_static=300.0).bodies["arm"]
    some = body.spec.modal.data
    assert [mode.quasi_static for mode in some.modes] == [False] * 3 + [True] * 7
    assert np.array_equal(some.K[:3, :3], full.K[:3, :3]) and np.max(np.sqrt(np.diag(some.K))) < 300.0
    assert str(body.modes).count("bending y quasi-static") == 7


def test_static_deflections_are_exact() -> None:
    """Dead loads, a spring at a node, gravity on the body and on a load at its tip; deflections are small, so that the
    terms of second order agree too."""
    positions = []
    for limit in (None, 40.0):
        s = fb.System("cantilever")
        boom = s.body(
            "boom", flexible=fb.Beam(**{**ARM, "EI": (500.0, 400.0)}, nodes={"mid": 0.9}), modes=6, quasi_static=limit
        )
        s.body("load", on=boom.node("tip"), at=(0.1, 0, 0), mass=0.3, com=(0, 0.1, 0), inertia=(0.01,) * 3)
        s.force(s.ground.vector((0, 4.0, 0)), at=boom.node("mid").origin)
        s.spring(boom.node("tip").origin, s.ground.point((2, 0, 1)), stiffness=300.0, free_length=0.8)
        f = s.derive().compile("numpy")
        at = s.equilibrium()
        positions.append(f.pose(np.array([*at.q.values()]), "load").p)
    assert abs(positions[0][1]) > 1e-3 and abs(positions[0][2]) > 1e-3
    assert np.allclose(positions[1:], positions[0], rtol=0, atol=1e-10)


def response(s: fb.System, omega: Array) -> Array:
    """The frequency response from the torque to the tip."""
    at = s.linearize()
    return np.array([(at.C @ np.linalg.solve(1j * w * np.eye(len(at.A)) - at.A, at.B) + at.D).item() for w in omega])


def test_slow_motion_agrees_with_the_full_model() -> None:
    """Amplitudes to second order in ω/ω_c, all of it within the delay of the share of the quasi-static modes, and
    better than without these modes."""
    omega = np.array([10.0, 5.0, 2.5])
    full, quasi, left_out = (response(s, omega) for s in (arm(), arm(quasi_static=100.0), arm(2)))
    assert np.all(np.abs(quasi - full) < 0.02 * omega / 100 * np.abs(full))
    errors = np.abs(np.abs(quasi) - np.abs(full)) / np.abs(full)
    assert np.all(errors[:-1] / errors[1:] > 3.9)
    assert np.all(np.abs(quasi - full) < 0.2 * np.abs(left_out - full))


def test_steps_are_those_without_the_modes() -> None:
    law = {"torque": "2*sin(3*t)**2"}
    runs = {
        key: s.simulate(3.0, inputs=law, rtol=1e-6, method="dop853")
        for key, s in (("full", arm()), ("quasi-static", arm(quasi_static=100.0)), ("left out", arm(2)))
    }
    steps = {key: run.statistics.steps for key, run in runs.items()}
    assert steps["quasi-static"] < 1.2 * steps["left out"] < 0.2 * steps["full"]
    errors = {key: np.max(np.abs(run["tip"] - runs["full"]["tip"])) for key, run in runs.items()}
    assert errors["quasi-static"] < 0.2 * errors["left out"]


@pytest.mark.parametrize("order", ["full", "ruthless", "paper"])
def test_frequencies_stay_below_the_limit(order: str) -> None:
    """Also where the frame is free and the modes take nearly all of its inertia."""
    s = fb.System("free", gravity=(0, 0, 0))
    s.body(
        "boom",
        joint=fb.Free(),
        flexible=fb.Beam(**{**ARM, "EI": (500.0, 400.0)}, polar_inertia=0.01),
        modes=8,
        quasi_static=5.0,
        order=order,
    )
    values = np.linalg.eigvals(s.linearize().A)
    assert np.max(np.abs(values)) < 5.0 and np.max(values.real) < 1e-6


def test_power_and_momentum_balance() -> None:
    s = fb.System("spacecraft", gravity=(0, 0, 0))
    hub = s.body("hub", joint=fb.Free(), mass=5.0, inertia=(1.0, 1.2, 0.8))
    panel = s.body(
        "panel",
        on=hub,
        at=(0.5, 0, 0),
        joint=fb.Revolute("y", stiffness=3.0),
        modes=5,
        quasi_static=60.0,
        flexible=fb.Beam(length=2.0, EI=(300.0, 200.0), density=1.5, polar_inertia=0.02),
    )
    s.body("tip", on=panel.node("tip"), joint=fb.Spherical(), mass=0.5, com=(0, 0.1, 0.2), inertia=(0.05, 0.06, 0.03))
    run = s.simulate(3.0, rtol=1e-10, q={"panel.m1": 0.05, "panel": 0.3}, u={"hub.wx": 0.6, "hub.wz": 1.0})
    assert any(mode.quasi_static for mode in panel.spec.modal.data.modes)
    assert run.energy_error < 1e-8 and np.ptp(run["energy.total"]) > 1e-6  # the quasi-static modes dissipate
    for what in ("linear", "angular"):
        assert np.max(np.ptp(run[f"momentum.{what}"], axis=0)) <= 1e-8, what


def test_model_files_hold_the_limit() -> None:
    text = dumps(s := arm(quasi_static=120.0))
    assert "quasi_static: 120" in text
    again = loads(text, fb.System)
    assert again.digest() == s.digest() != arm().digest()


def test_refused_limits() -> None:
    s = fb.System("wrong")
    for limit in (0, -3.0):
        with pytest.raises(ModelError, match=r"quasi_static.*is not a frequency"):
            s.body("boom", flexible=fb.Beam(**ARM), modes=2, quasi_static=limit)
    for fields in ({"quasi_static": 3.0}, {"modes": 2}):
        with pytest.raises(ModelError, match="a rigid body has no modes"):
            s.body("rigid", mass=1.0, **fields)
    nodes = fb.FlexibleNodes(positions=[[0, 0, 0], [1, 0, 0]], masses=[1, 1], stiffness=np.eye(6), coordinates="nodal")
    with pytest.raises(ModelError, match=r"quasi_static.*displacements of nodes, which have no frequencies"):
        s.body("frame", flexible=nodes, quasi_static=3.0)


# Implicit methods


@pytest.fixture(scope="module")
def damped() -> fb.Equations:
    """Ten modes with damping proportional to the stiffness: the last dies out within 14 µs."""
    return arm(rayleigh=(0.0, 0.01)).derive()


def test_jacobian_is_exact() -> None:
    """∂ẋ/∂x of a flexible body on another, with a load on its tip, against central differences."""
    s = fb.System("two")
    boom = s.body(
        "boom",
        joint=fb.Spherical(),
        inertia=(0.5,) * 3,
        modes=3,
        quasi_static=100.0,
        flexible=fb.Beam(**{**ARM, "EI": (500.0, 400.0)}, polar_inertia=0.1, damping=0.05),
    )
    panel = s.body(
        "panel",
        on=boom.node("tip"),
        joint=fb.Revolute("y"),
        modes=2,
        order="ruthless",
        flexible=fb.Beam(length=1.0, EI=(50.0, 60.0), density=0.8, polar_inertia=0.01),
    )
    s.spring(panel.node("tip").origin, s.ground.point((2, 1, 1)), stiffness=5.0, free_length=1.0)
    e = s.derive()
    compiled = build(e.derivation, e.values, None, (), exact=True)
    x = 0.1 * np.random.default_rng(3).normal(size=len(e.q) + len(e.u))
    x[:4] = 0.5
    J, f, h = compiled.jacobian(0.3, x), compiled.x_dot, 1e-6
    central = np.stack([(f(0.3, x + d) - f(0.3, x - d)) / (2 * h) for d in h * np.eye(len(x))], axis=1)
    assert np.max(np.abs(J - central)) <= 1e-7 * np.max(np.abs(J))


@pytest.mark.parametrize("method", ["radau", "bdf", "lsoda", "cvode", "ida"])
def test_implicit_methods_take_few_steps(damped: fb.Equations, method: str) -> None:
    if method in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    law: dict[str, Any] = {"inputs": {"torque": "2*sin(3*t)**2"}, "rtol": 1e-7, "atol": 1e-9}
    explicit, implicit = damped.simulate(0.6, method="dop853", **law), damped.simulate(0.6, method=method, **law)
    error = np.max(np.abs(implicit["tip"] - explicit["tip"]))
    assert error <= 1e-5 * np.max(np.abs(explicit["tip"]))
    assert implicit.statistics.jacobians > 0 and implicit.statistics.limit == ""
    assert implicit.statistics.steps < explicit.statistics.steps / 15


# The mode that limits the steps

LIMIT = r"tability for mode 'arm\.m10' \(2875 rad/s with its frame fixed, 2\d+ rad/s here\) keeps the steps"


@pytest.mark.parametrize("method", ["dop853", "dopri5"])
def test_the_mode_that_limits_the_steps(method: str) -> None:
    """The summary names it where stability limits the steps, and nothing otherwise."""
    run = arm().simulate(1.0, inputs={"torque": "2*sin(3*t)**2"}, method=method)
    assert re.search(LIMIT, run.statistics.limit) and f"step limit    {run.statistics.limit}" in run.summary()
    for s in (arm(2), arm(quasi_static=100.0)):
        quiet = s.simulate(1.0, inputs={"torque": "2*sin(3*t)**2"}, method=method, rtol=1e-10)
        assert quiet.statistics.limit == "" and "step limit" not in quiet.summary()


def test_a_rigid_body_with_a_stiff_spring_is_no_mode() -> None:
    """The fastest motion is that of a small rigid body, not of the boom's mode."""
    s = fb.System("boom", gravity=(0, 0, 0))
    boom = s.body("boom", flexible=fb.Beam(**ARM), modes=2)
    s.body("bell", on=boom.node("tip"), joint=fb.Prismatic("y", stiffness=1e6, damping=10.0), mass=0.1)
    run = s.simulate(1.0, q={"boom.m1": 0.01})
    assert run.statistics.steps > 300 and run.statistics.limit == ""


@pytest.mark.parametrize("gain", [30.0, 1e5])
@pytest.mark.parametrize("law", ["-{gain}*u.link2", "-{gain}*(u.link2 + 0.3*u.link2.m1)", "-10*u.link2 - 5*filter"])
def test_a_pole_of_the_law_of_an_input_is_no_mode(law: str, gain: float) -> None:
    """It is faster than every mode; modes follow that motion, and have most of its kinetic energy."""
    s = fb.System("two links", gravity=(0, 0, 0))
    s.input("motor")
    beam = fb.Beam(length=1.0, EI=(5.0, None), density=0.5)
    link: dict[str, Any] = {"inertia": (0.001,) * 3, "flexible": beam, "modes": 2}
    first = s.body("link1", joint=fb.Revolute("z"), **link)
    second = s.body("link2", on=first.node("tip"), joint=fb.Revolute("z"), **link)
    s.torque("motor", on=second, reaction=first, about=second.z)
    s.state("filter", rate=f"{gain}*(u.link2 - 20*filter)")
    compiled = build(s.derive().derivation, s.values, {"motor": law.format(gain=gain)})
    x = np.zeros(len(compiled.about.state))
    assert np.max(np.abs(np.linalg.eigvals(state_jacobian(compiled, 0.0, x)))) > 1e4  # modes: up to 152 rad/s
    assert limiting_mode(compiled, "dopri5", 0.0, x, 1e3) is None


def test_failed_runs_name_the_mode() -> None:
    s = arm()
    torque = {"torque": "2*sin(3*t)**2"}
    with pytest.warns(SimulationWarning, match=f"max_steps = 200 .*S{LIMIT} short. Take fewer modes, quasi_static="):
        s.simulate(3.0, inputs=torque, max_steps=200, method="dop853")
    with pytest.warns(SimulationWarning, match=r"Steps of 0\.0012 s are too long for mode 'arm\.m10' .*most 0\.0011 s"):
        s.simulate(3.0, inputs=torque, method="rk4", step=1.2e-3)
    with pytest.warns(SimulationWarning) as caught:  # steps that accuracy limits; an oscillation does not chatter
        arm(2).simulate(3.0, inputs=torque, max_steps=30)
    assert "chatters" not in str(caught[0].message) and "mode" not in str(caught[0].message)
