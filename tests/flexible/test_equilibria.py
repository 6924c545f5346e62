"""Static deflections and steady motions of flexible systems against closed forms, open and closed."""

import math
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.analysis.equilibrium import Equilibrium
from freebody.errors import ArgumentError

G = 9.81
LENGTH, EI, DENSITY = 2.0, 500.0, 3.0


def cantilever(order: str = "full", modes: Any = 8, **beam: Any) -> fb.System:
    """A cantilever along x with forces along x and z at its tip."""
    s = fb.System("cantilever")
    axial, lateral = s.input("axial"), s.input("lateral")
    description = fb.Beam(**({"length": LENGTH, "EI": (EI, EI), "density": DENSITY} | beam))
    boom = s.body("boom", flexible=description, modes=modes, order=order)
    s.force(s.ground.vector((axial, 0, lateral)), at=boom.node("tip").origin)
    s.output("tip", s.deflection(boom.node("tip")))
    s.output("clamp", "reaction.boom.torque.y")
    return s


def tip(s: fb.System, **inputs: float) -> np.ndarray:
    return s.equilibrium(inputs=inputs).outputs["tip"]


@pytest.mark.parametrize("order", ["full", "ruthless", "paper"])
def test_cantilever_under_its_weight_and_a_load(order: str) -> None:
    """F L³/3EI + ρ g L⁴/8EI; errors of the modes fall with the fourth power of their number."""
    expected = -20 * LENGTH**3 / (3 * EI) - DENSITY * G * LENGTH**4 / (8 * EI)
    for modes, error in (({"bending z": 3}, 1e-3), ({"bending z": 10}, 3e-5)):
        values = cantilever(order, modes).equilibrium(inputs={"lateral": -20.0}).outputs
        assert values["tip"][2] == pytest.approx(expected, rel=error)
        if order == "ruthless":  # the moment of the loads at the undeformed body
            assert values["clamp"] == pytest.approx(-20 * LENGTH - DENSITY * G * LENGTH**2 / 2, rel=1e-9)


def test_axial_loads_stiffen_and_soften_as_in_beam_theory() -> None:
    """The tip of a beam-column under F: F (tan kL/kL − 1) L/P with k² = P/EI in compression, tanh in tension. At the
    buckling load the equilibrium becomes unstable."""
    s = cantilever(modes={"bending z": 8})
    s.gravity = (0, 0, 0)
    critical = math.pi**2 * EI / (4 * LENGTH**2)
    for ratio in (-1.0, 0.5, 0.9):
        k = math.sqrt(abs(ratio) * critical / EI) * LENGTH
        factor = math.tan(k) / k - 1 if ratio > 0 else 1 - math.tanh(k) / k
        expected = 0.05 * factor * LENGTH / (abs(ratio) * critical)
        assert tip(s, axial=-ratio * critical, lateral=0.05)[2] == pytest.approx(expected, rel=2e-3)
    loads = ({"axial": -ratio * critical, "lateral": 0.05} for ratio in (0.99, 1.01))
    assert [s.equilibrium(inputs=load).stability for load in loads] == ["undecided", "unstable"]


def test_large_structures_are_as_easy_as_small_ones() -> None:
    """Modal coordinates have the unit m·√kg: 8800 for a bridge, 1e-8 for a micromechanical beam. Newton's method needs
    a few steps for both."""
    for beam in ({"length": 100.0, "EI": 2e11, "density": 2e4}, {"length": 2e-4, "EI": 1e-12, "density": 1e-8}):
        s = fb.System("bar")
        bar = s.body("bar", flexible=fb.Beam(**(beam | {"EI": (beam["EI"], None)})), modes=6, orient=("x", math.pi / 2))
        s.output("tip", s.deflection(bar.node("tip")).dot(bar.y))
        eq = s.derive()
        at = eq.equilibrium()
        expected = beam["density"] * G * beam["length"] ** 4 / (8 * beam["EI"])
        assert abs(at.outputs["tip"]) == pytest.approx(expected, rel=1e-4) and at.isolated


def hanging() -> fb.System:
    s = fb.System("hanging")
    beam = fb.Beam(
        length=6.0,
        EI=(3e4, 3e4),
        density=10.0,
        polar_inertia=0.1,
        ends="free",
        frame="floating",
        nodes={"a": 1.0, "b": 3.0, "c": 5.0},
    )
    boom = s.body("boom", joint=fb.Free(), flexible=beam, modes=8)
    for node, x in (("a", 1.0), ("c", 5.0)):
        spring = s.ground.point((x, 0, 200.0))  # far above: the springs stay upright
        s.spring(boom.node(node).origin, spring, stiffness=2000.0, free_length=200.0)
    for node in "abc":
        s.output(node, s.position(boom.node(node).origin).dot(s.ground.z))
    return s


def test_a_boom_on_springs() -> None:
    """Two springs carry the weight; the sag between them is that of a beam on two supports with overhangs a:
    5wl⁴/384EI − w a² l²/16EI."""
    s = hanging()
    at = s.equilibrium()
    values = at.outputs
    w, span, a = 10 * G, 4.0, 1.0
    sag = 5 * w * span**4 / (384 * 3e4) - w * a**2 * span**2 / (16 * 3e4)
    assert values["a"] == pytest.approx(-6 * w / 4000, rel=1e-3) and values["c"] == pytest.approx(values["a"])
    assert values["a"] - values["b"] == pytest.approx(sag, rel=1e-2)
    assert not at.isolated  # it may turn about its own axis


def four_bar(order: str, EI: float) -> fb.System:
    s = fb.System("four-bar")

    def bar(length: float) -> dict[str, Any]:
        beam = fb.Beam(length=length, EI=(EI, EI), density=1.0, polar_inertia=0.01, damping=0.01)
        return {"flexible": beam, "modes": {"bending z": 3}, "order": order}

    crank = s.body("crank", joint=fb.Revolute("y", initial=-1.2), **bar(0.4))
    coupler = s.body("coupler", on=crank.node("tip"), joint=fb.Revolute("y", initial=1.1), **bar(1.2))
    rocker = s.body("rocker", at=(1.1, 0, 0), joint=fb.Revolute("y", initial=-1.3), **bar(0.8))
    s.close(coupler.node("tip"), rocker.node("tip"), joint=fb.Revolute("y"), name="pin")
    return s


@pytest.mark.parametrize(("order", "EI"), [("full", 2.0), ("full", 2e9), ("ruthless", 2e9)])
def test_a_four_bar_held_at_its_crank(order: str, EI: float) -> None:
    """Reactions in the ground carry the weight, the pin transmits forces through nodes, and the torque at the crank is
    the slope of the energy. The equilibrium is isolated however stiff the bars are."""
    s = four_bar(order, EI)
    s.output("pushed", s.reaction_force("rocker"))
    s.output("pressed", "multiplier.pin.force.z")
    eq = s.derive()
    f = eq.compile("numpy")

    def at(angle: float) -> Equilibrium:
        return eq.equilibrium(q={"crank": angle}, hold=["crank"], free="tau.crank")

    rest = at(-1.2)
    assert rest.isolated and rest.q["crank"] == -1.2
    q, none = np.array([*rest.q.values()]), np.zeros(len(rest.u))
    forces = f.reactions(q, none, none, multipliers=[*rest.multipliers.values()])
    up = sum(f.pose(q, body).R @ forces[f"{body}.force"] for body in ("crank", "rocker"))
    assert np.allclose(up, [0, 0, 2.4 * G], atol=1e-6)
    assert np.allclose(rest.outputs["pushed"], f.pose(q, "rocker").R @ forces["rocker.force"], atol=1e-7)
    assert rest.outputs["pressed"] == pytest.approx(rest.multipliers["pin.force.z"])
    energies = [f.energies([*at(-1.2 + h).q.values()], none)["potential"] for h in (1e-4, -1e-4)]
    if order == "full":
        assert rest.tau["crank"] == pytest.approx((energies[0] - energies[1]) / 2e-4, rel=1e-6)


def test_steady_rotation_of_a_rod() -> None:
    """The extension tan(kL)/k − L with k = ω √(ρ/EA), at a speed that the equilibrium holds."""
    spinning = fb.System("spinning", gravity=(0, 0, 0))
    hub = spinning.body("hub", joint=fb.Revolute("z"), inertia=(1.0, 1.0, 1.0))
    rod = spinning.body(
        "rod", on=hub, modes=0, flexible=fb.Beam(length=LENGTH, EI=(EI, None), EA=1e5, axial=8, density=DENSITY)
    )
    spinning.output("tip", spinning.deflection(rod.node("tip")).dot(rod.x))
    at = spinning.equilibrium(u={"hub": 40.0})
    k = 40.0 * math.sqrt(DENSITY / 1e5)
    assert at.outputs["tip"] == pytest.approx(math.tan(k * LENGTH) / k - LENGTH, rel=1e-3)


def test_slow_modes_beside_fast_ones_are_judged() -> None:
    """A pendulum with little damping, or none, or less than none, on a beam whose axial mode has 7e5 rad/s."""
    for damping, stability in ((1e-3, "stable"), (0.0, "undecided"), (-1e-3, "unstable")):
        s = fb.System("mast")
        beam = fb.Beam(length=1.0, EI=(1e5, None), EA=4e11, axial=1, density=2.0, damping=0.02)
        mast = s.body("mast", flexible=beam, modes=1)
        s.body("pendulum", on=mast.node("tip"), joint=fb.Revolute("y", damping=damping), mass=1.0, com=(0, 0, -1.0))
        at = s.equilibrium()
        assert at.stability == stability and np.abs(at.eigenvalues).max() > 1e5


def test_deflection_of_a_bare_beam_on_a_sprung_hinge() -> None:
    """Six modes leave 0.02 % of its inertia about the hinge. It has its static deflection, and eigenvalues."""
    s = fb.System("arm", gravity=(0, 0, 0))
    arm = s.body(
        "arm",
        joint=fb.Revolute("z", stiffness=1000.0),
        modes=6,
        flexible=fb.Beam(length=LENGTH, EI=(EI, None), density=DENSITY),
    )
    s.force(arm.node("tip").vector((0, 30.0, 0)), at=arm.node("tip").origin)
    at = s.equilibrium()
    assert at.stability == "undecided" and len(at.eigenvalues) == 14 and len(s.equilibria(starts=3)) == 1
    assert at.q["arm"] == pytest.approx(30 * LENGTH / 1000, rel=0.01)


def test_supports_that_do_not_fit_bend_the_beam() -> None:
    """A support 1 cm off: 3 EI/L³ times that, at a hinge that slides; the linearisation is about this equilibrium."""
    s = fb.System("beam", gravity=(0, 0, 0))
    bar = s.body("bar", flexible=fb.Beam(length=1.0, EI=(100.0, None), density=1.0), modes=8)
    s.point_on_line(bar.node("tip").origin, s.ground.point((0, 0.01, 0)), "x", name="support")
    rest = s.equilibrium()
    assert max(map(abs, rest.multipliers.values())) == pytest.approx(3.0, rel=1e-3)
    with pytest.raises(ArgumentError, match=r"cannot be satisfied.*linearise about the equilibrium: .*trim=True"):
        s.linearize()
    pinned = (3.92660231**2) * math.sqrt(100.0)
    assert s.linearize(trim=True).modes()[0].frequency == pytest.approx(pinned, rel=2e-3)
