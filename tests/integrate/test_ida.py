"""IDA: the equations of motion as differential-algebraic equations of x, λ and μ."""

import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, BackendError
from freebody.extras import install_command
from freebody.formulations.derivation import STABILISATION
from freebody.formulations.rolled import MANY
from freebody.integrate.sundials import DaeSystem
from freebody.run.build import build
from tests.run.constrained_systems import (
    SQUEEZER_END,
    SQUEEZER_NAMES,
    four_bar,
    parallel_bars,
    particle_pendulum,
    slider_crank,
    squeezer,
)  # fmt: skip
from tests.run.test_stabilisation import disc, driven

pytest.importorskip("sksundae")


def free() -> fb.System:
    """No constraints, and a quaternion."""
    s = fb.System("free")
    arm = s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1), inertia=(1, 1, 1))
    s.body("top", on=arm, at=(0, 0, -1), joint=fb.Spherical(), mass=1, com=(0.2, 0, -1), inertia=(1, 2, 2.5))
    return s


def latched() -> fb.System:
    """A loop whose closure is released."""
    s = fb.System("latched")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=(0.1, 0.1, 0.1))
    rocker = s.body("rocker", at=(1, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=(0.1, 0.1, 0.1))
    s.rod(crank.point((0, 0, 1)), rocker.point((0, 0, 1)), 1.0, name="link")
    s.close(s.ground, crank, fb.Weld(), name="latch", engaged=False, capture=True)
    return s


SYSTEMS: dict[str, tuple[Callable[[], fb.System], dict[str, Any]]] = {
    "squeezer": (squeezer, {}),
    "slider-crank with a law": (slider_crank, {"u": {"crank": 3.0}, "inputs": {"motor": "3*sin(5*t) - 0.1*u.crank"}}),
    "rolling disc": (disc, {"q": {"wheel.z": 0.3}, "u": {"wheel.wy": 4.0, "wheel.wx": 0.1}}),
    "time and a curve": (driven, {"q": {"bead.s1": 0.5}}),
    "dependent equations": (parallel_bars, {"u": {"bar0": 1.0}}),
    "flat positions": (four_bar, {"q": {"crank": 0.3}, "u": {"crank": 3.0}}),
    "string": (particle_pendulum, {}),
    "no constraints": (free, {"q": {"arm": 0.4}, "u": {"top.wx": 0.3}}),
    "released": (latched, {"u": {"crank": 1.0}}),
}


def system(s: fb.System, stabilised: bool = False) -> DaeSystem:
    e = s.derive().derivation
    e = e.stabilised if stabilised else e
    inputs: dict[str, Any] = {n: "3*sin(5*t) - 0.1*u.crank" for n in e.layout.user_inputs if n not in STABILISATION}
    inputs |= dict(zip(STABILISATION, (3.0, 5.0), strict=True)) if stabilised else {}
    compiled = build(e, s.values, inputs, dae=True)
    return DaeSystem(compiled, compiled.x_dot, lambda t: t, lambda: None)


def start(s: fb.System, options: dict[str, Any]) -> np.ndarray:
    q, u = s.assemble(options.get("q"), options.get("u"))
    return np.concatenate([q, u, s.simulate([0.0], **options).x[0, len(q) + len(u) :]])


@pytest.mark.parametrize("stabilised", [False, True], ids=["index 2", "stabilised"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_initial_values_satisfy_the_equations(name: str, stabilised: bool) -> None:
    make, options = SYSTEMS[name]
    s = make()
    if stabilised and not s.constraints:
        pytest.skip("nothing to stabilise")
    dae = system(s, stabilised)
    y, rates = dae.start(0.0, start(s, options))
    F = dae.residual(0.0, y, rates)
    assert np.abs(F).max() < 1e-9 * max(1.0, np.abs(rates).max())


@pytest.mark.parametrize("stabilised", [False, True], ids=["index 2", "stabilised"])
@pytest.mark.parametrize("name", [name for name, (make, _) in SYSTEMS.items() if make not in (free, four_bar)])
def test_jacobians_are_exact(name: str, stabilised: bool) -> None:
    make, options = SYSTEMS[name]
    s = make()
    dae, rng, c, h = system(s, stabilised), np.random.default_rng(1), 7.0, 1e-6
    dae.start(0.0, start(s, options))
    y, rates = rng.uniform(-1, 1, dae.size), rng.uniform(-1, 1, dae.size)
    columns = []
    for k in range(dae.size):
        d = h * (np.arange(dae.size) == k)
        ahead, behind = dae.residual(0.3, y + d, rates + c * d), dae.residual(0.3, y - d, rates - c * d)
        columns.append((ahead - behind) / (2 * h))
    J = dae.jacobian(0.3, y, rates, c)
    assert np.allclose(J, np.array(columns).T, rtol=0, atol=1e-6 * np.abs(J).max())


@pytest.mark.parametrize("name", [name for name in SYSTEMS if name != "squeezer"])
def test_runs_equal_those_of_other_methods(name: str) -> None:
    make, options = SYSTEMS[name]
    s = make()
    exact = s.simulate([0, 1.0], rtol=1e-12, atol=1e-13, **options)
    run = s.simulate([0, 1.0], method="ida", **options)
    error = np.abs(run.x[-1] - exact.x[-1]).max() / max(1.0, np.abs(exact.x).max())
    assert run.success and error < 3e-6 and run.statistics.jacobians > 0
    assert max(run.drift) < 1e-10


def test_errors_fall_with_the_tolerance() -> None:
    e = squeezer().derive()
    end = [SQUEEZER_END[SQUEEZER_NAMES.index(n)] for n in e.q]
    runs = [e.simulate([0, 0.03], method="ida", rtol=rtol, atol=rtol / 100) for rtol in (1e-4, 1e-7)]
    errors = [np.abs(run.x[-1, :7] - end).max() for run in runs]
    assert errors[1] < 1e-4 and errors[1] < errors[0] / 30


@pytest.mark.parametrize("name", ["rolling disc", "time and a curve", "slider-crank with a law"])
def test_equations_hold_without_projection(name: str) -> None:
    """φ and G u + offset are equations of the solver; stabilised accelerations leave more."""
    make, options = SYSTEMS[name]
    s = make()
    alone = s.simulate([0, 1.0], method="ida", constraints="none", **options)
    stable = s.simulate([0, 1.0], method="ida", constraints="baumgarte", **options)
    assert alone.statistics.projections == stable.statistics.projections == 0
    assert max(alone.drift) < 1e-9 and max(alone.drift) < max(stable.drift) < 1e-6


def test_lengths_of_quaternions_are_equations() -> None:
    """The solver's own state keeps unit length, so that no restart is necessary."""
    run = free().simulate([0, 5.0], method="ida", u={"top.wx": 5.0})
    assert np.abs(np.linalg.norm(run.knots.x[:, 1:5], axis=1) - 1).max() < 1e-12
    assert run.statistics.steps < 5000


def test_events_breaks_backwards_runs_and_sweeps() -> None:
    s = slider_crank()
    stop = fb.Event("q.crank - 1", terminal=True, name="stop")
    kick = fb.Event("t - 0.1", reset={"u.crank": 4.0}, name="kick")
    law = {"motor": "where(t > 0.05, 2, 0)"}
    options: dict[str, Any] = {"u": {"crank": 3.0}, "inputs": law}
    with pytest.warns(match="which the constraints change"):
        expected = s.simulate(2.0, events=[stop, kick], **options)
    with pytest.warns(match="which the constraints change"):
        run = s.simulate(2.0, events=[stop, kick], method="ida", **options)
    assert run.message == expected.message and np.allclose(run.x[-1], expected.x[-1], rtol=0, atol=1e-5)
    assert np.allclose(run.events.t, expected.events.t, rtol=0, atol=1e-6)
    back = s.simulate([0.5, 0.0], method="ida", **options)
    assert np.allclose(back.x[-1], s.simulate([0.5, 0.0], **options).x[-1], rtol=0, atol=1e-5)
    grid = s.sweep([0, 0.4], {"r": [0.2, 0.3]}, method="ida", **options)
    assert np.allclose(grid["q.slider"], s.sweep([0, 0.4], {"r": [0.2, 0.3]}, **options)["q.slider"], rtol=0, atol=1e-6)


def test_events_engage_and_release_constraints() -> None:
    s, options = latched(), {"u": {"crank": 0.2}}
    events = [fb.Event("t - 0.3", engage="latch", name="catch"), fb.Event("t - 0.6", release="latch", name="free")]
    runs = [s.simulate([0, 1.0], events=events, method=method, **options) for method in ("dop853", "ida")]
    assert np.allclose(runs[0].x[-1], runs[1].x[-1], rtol=0, atol=1e-6) and len(runs[1].events) == 2


def test_functions_without_derivatives_are_possible() -> None:
    s = slider_crank()
    options = {"u": {"crank": 3.0}, "inputs": {"motor": lambda t, x: 3 * np.sin(5 * t) - x[3]}}
    run = s.simulate([0, 0.3], method="ida", **options)
    assert run.statistics.jacobians == 0
    assert np.allclose(run.x[-1], s.simulate([0, 0.3], **options).x[-1], rtol=0, atol=1e-6)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for method in ("ida", "cvode"):
        monkeypatch.setitem(sys.modules, f"sksundae.{method}", None)
        message = f"method '{method}' needs scikit-sundae: " + re.escape(install_command("sundials"))
        with pytest.raises(BackendError, match=message):
            slider_crank().simulate(0.1, method=method, inputs=[0.0])


def test_what_ida_cannot_do_is_an_error() -> None:
    with pytest.raises(ArgumentError, match="method 'ida' takes one rtol for all states"):
        slider_crank().simulate(0.1, method="ida", inputs=[0.0], rtol={"q.crank": 1e-6})
    chain = fb.System("chain")
    on: Any = chain.ground
    for k in range(MANY + 5):
        on = chain.body(f"b{k}", on=on, at=(0, 0, -1), joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    with pytest.raises(ArgumentError, match="needs equations without loops over bodies: take 'cvode' or 'bdf'"):
        chain.simulate(0.01, method="ida")
