"""Results that modes do not describe well say so: large slopes, and nodes without a bending moment that are held."""

import warnings
from typing import Any

import numpy as np
import pytest
from scipy.integrate import simpson, solve_bvp

import freebody as fb
from freebody.errors import SimulationWarning


def elastica(load: float) -> float:
    """The deflection of the tip of a cantilever, EI θ″ = −P cos θ, with EI = L = 1."""
    s = np.linspace(0, 1, 100)
    found = solve_bvp(
        lambda _, y: np.array([y[1], -load * np.cos(y[0])]),
        lambda a, b: np.array([a[0], b[1]]),
        s,
        np.vstack([load * s * (1 - s / 2), load * (1 - s)]),
        tol=1e-8,
    )
    fine = np.linspace(0, 1, 2001)
    return float(simpson(np.sin(found.sol(fine)[0]), x=fine))


def bar(length: float, static: bool) -> Any:
    if not static:
        return fb.Beam(length=length, EI=(1.0, None), density=1.0, damping=0.1)
    section = {"EA": 1e5, "EI": 1.0, "GJ": 1.0, "density": 1.0, "polar_inertia": 1e-3}
    return fb.Frame(
        nodes={"root": (0, 0, 0), "tip": (length, 0, 0)},
        sections={"bar": section},
        frame="root",
        static=["tip"],
        members=[{"nodes": ["root", "tip"], "section": "bar"}],
    )


def cantilever(parts: int, static: bool = False) -> fb.System:
    s, on = fb.System("cantilever", gravity=(0, 0, 0)), None
    for k in range(parts):
        on = s.body(f"part{k}", on=on, flexible=bar(1 / parts, static), modes=2 if static else 4).node("tip")
    assert on is not None
    s.force(s.ground.y * s.input("load"), at=on.origin)
    s.output("tip", s.position(on.origin).dot(s.ground.y))
    return s


def warned(action: Any) -> tuple[Any, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = action()
    return result, [str(w.message) for w in caught if w.category is SimulationWarning]


@pytest.mark.parametrize(("load", "excess"), [(0.5, 0.027), (1.0, 0.104), (2.0, 0.350), (3.0, 0.657)])
def test_large_slopes_warn_in_equilibria_linearisations_and_runs(load: float, excess: float) -> None:
    s = cantilever(1)
    at, texts = warned(lambda: s.equilibrium(inputs={"load": load}))
    assert at.outputs["tip"] / elastica(load) - 1 == pytest.approx(excess, abs=2e-3)
    assert len(texts) == (load > 0.6)
    for action in (lambda: s.linearize(at), lambda: s.simulate([0, 0.01], q=at.q, inputs={"load": load})):
        assert len(warned(action)[1]) == (load > 0.6)
    if load == 2.0:
        assert texts[0].startswith("cantilever: 'part0' bends by slopes of 0.99 rad, which its modes do not describe")
        text = warned(lambda: s.simulate([0, 0.01], q=at.q, inputs={"load": load}))[1][0]
        assert "at t = " in text and "static=['tip']" in text


def test_the_bodies_that_the_warning_recommends_are_near_the_elastica() -> None:
    found, _ = warned(lambda: cantilever(2, static=True).equilibrium(inputs={"load": 1.0}))
    assert found.outputs["tip"] == pytest.approx(elastica(1.0), rel=0.015)


def test_twist_of_beams_and_slopes_up_to_the_limit_do_not_warn() -> None:
    s = fb.System("shaft", gravity=(0, 0, 0))
    beam = fb.Beam(length=1.0, GJ=1.0, polar_inertia=0.1, density=1.0, torsion=3, damping=0.1)
    tip = s.body("shaft", flexible=beam, modes=0).node("tip")
    s.torque(1.0, on=tip, about=s.ground.x)
    found, texts = warned(s.equilibrium)
    assert max(map(abs, found.q.values())) > 0 and not texts


def test_a_tip_that_may_not_rotate_names_the_modes_to_take() -> None:
    """With cantilever modes a clamped beam is 28 % too stiff in frequency."""

    def clamped(static: bool) -> fb.System:
        s = fb.System("clamped", gravity=(0, 0, 0))
        body = s.body("bar", flexible=bar(1.0, static), modes=4)
        s.close(body.node("tip"), s.ground.point((1, 0, 0)), fb.Prismatic("x"), name="end")
        return s

    for static, excess in ((False, 0.2776), (True, 1.2e-4)):
        s, texts = warned(lambda static=static: clamped(static))
        lowest = min(abs(mode.value) for mode in s.linearize().modes() if abs(mode.value) > 1e-3)
        assert lowest / 4.73004074**2 - 1 == pytest.approx(excess, rel=0.02)
        assert [static is False and "fb.Frame(…, static=['tip'])" in text for text in texts] == [True] * (not static)
    s = fb.System("hinged")
    body = s.body("bar", flexible=bar(1.0, False), modes=4)
    texts = warned(lambda: s.close(body.node("tip"), s.ground.point((1, 0, 0)), fb.Revolute("z")))[1]
    assert len(texts) == 1 and "it has no axial modes" in texts[0]  # nothing about static modes
