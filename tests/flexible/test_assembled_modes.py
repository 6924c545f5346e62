"""Modes and responses of assembled flexible systems: closed forms, energies and shapes, over trees and loops."""

import math
import pickle
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from tests.flexible.flexible_trees import flexible_tree
from tests.flexible.test_bodies import JOINTS, branched


def spacecraft(joint: Any = None, **panel: Any) -> fb.System:
    s = fb.System("spacecraft", gravity=(0, 0, 0))
    hub = s.body("hub", joint=joint or fb.Free(), mass=200.0, inertia=(150.0, 150.0, 150.0))
    for name, side in (("left", math.pi), ("right", 0.0)):
        s.body(
            name,
            on=hub,
            at=(0.8 * math.cos(side), 0, 0),
            orient=("z", side),
            modes=10,
            flexible=fb.Beam(length=6, EI=(900, 900), density=1.5, polar_inertia=0.01),
            **panel,
        )
    return s


@pytest.mark.parametrize("order", ["full", "ruthless"])
def test_free_bodies_have_exact_zeros(order: str) -> None:
    """Six rigid motions of a free spacecraft; all energy of its oscillations is strain of the panels."""
    modes = spacecraft(order=order).linearize().modes()
    assert modes.rigid == 6 and sum(mode.value == 0 for mode in modes) == 12
    assert " ".join(str(modes).splitlines()[1].split()) == "0 (12 times) 0 0 1 inf 6 rigid motions"
    for mode in modes:
        assert sum(mode.kinetic.values()) == pytest.approx(1)
        if mode.value:
            assert mode.value.real == 0 == mode.damping and sum(mode.strain.values()) == pytest.approx(1, abs=1e-8)
    first = modes[12]
    assert first.frequency == pytest.approx(2.45526769, rel=1e-4)
    assert np.allclose([first.strain["left"], first.strain["right"]], 0.5)


def test_a_hinge_spring_takes_the_rest_of_the_energy() -> None:
    s = fb.System("panel", gravity=(0, 0, 0))
    panel = s.body(
        "panel",
        joint=fb.Revolute("y", stiffness=50.0),
        modes=4,
        flexible=fb.Beam(length=3, EI=(200, 200), density=0.4, polar_inertia=0.1),
    )
    s.body("dish", on=panel.node("tip"), joint=fb.Revolute("z", stiffness=2.0), mass=0.5, inertia=(0.01, 0.02, 0.03))
    for mode in s.linearize().modes():
        d, mean = mode.displacements, mode.frequency**2 / 2
        springs = (50 * abs(d["panel"]) ** 2 + 2 * abs(d["dish"]) ** 2) / 2 / mean
        assert springs + mode.strain["panel"] == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("joint", ["oblique", "free"])
def test_shapes_are_small_motions_of_bodies(joint: str) -> None:
    """Displacements have unit modal mass, and move bodies and nodes as their poses change; at a state of rest that is
    deformed and no equilibrium."""
    s = branched(JOINTS[joint])
    eq = s.derive()
    f, lin = eq.compile("numpy"), eq.linearize({"q.panel.m1": 0.03, "q.arm.m2": -0.02, "q.panel": 0.4})
    q = np.array([lin.at[f"q.{name}"] for name in eq.q])
    M = f.mass_matrix(q)
    for mode in lin.modes()[::4]:
        d = np.array([mode.displacements[name] for name in eq.u])
        assert (d.conj() @ M @ d).real == pytest.approx(1)
        for body in ("arm.tip", "ball", "pendulum"):
            motion = mode.motion(body)
            for part, of in ((d.real, motion.real), (d.imag, motion.imag)):
                step = 1e-6 / (1 + np.abs(part).max()) * f.q_dot(q, part)
                ends = [f.pose(q + sign * step, body).p for sign in (1, -1)]
                rate = (ends[0] - ends[1]) * (1 + np.abs(part).max()) / 2e-6
                assert np.allclose(rate, of[3:], atol=1e-6 * (1 + np.abs(part).max())), body


def test_energies_of_bodies_add_up() -> None:
    """Kinetic energies of all bodies are ½ uᵀ M u, whichever terms the equations have."""
    for order in ("full", "ruthless", "paper"):
        s = flexible_tree(3, order, modes=(2, 2, 2), lossless=True)
        f = s.derive().compile("numpy")
        lin = s.linearize()
        for mode in lin.modes():
            d, q = np.array([*mode.displacements.values()]), [lin.at[f"q.{name}"] for name in f.equations.q]
            assert (d.conj() @ f.mass_matrix(q) @ d).real == pytest.approx(1)
            assert sum(mode.kinetic.values()) == pytest.approx(1) and min(mode.kinetic.values()) >= 0


def beam(closure: str, order: str, modes: int) -> fb.System:
    """A beam of unit length, density and EI, whose tip a closure holds."""
    s = fb.System("beam", gravity=(0, 0, 0))
    joint = {"pinned": fb.Revolute("z"), "clamped": fb.Weld()}[closure]
    description = fb.Beam(length=1, EI=(1, None), density=1, EA=1e4, axial=1, nodes={"mid": 0.5})
    bar = s.body("bar", joint=joint, flexible=description, modes=modes, order=order)
    s.close(bar.node("tip"), s.ground.point((1, 0, 0)), joint, name="support")
    return s


@pytest.mark.parametrize("order", ["full", "ruthless"])
def test_beams_whose_second_end_is_closed(order: str) -> None:
    """Cantilever modes with their tip on a hinge give a pinned beam (error ~ n⁻³), with their tip welded a clamped one
    (error ~ 1/n, as no cantilever mode has a moment at its tip)."""
    for closure, roots, tolerance, rate in (
        ("pinned", (math.pi, 2 * math.pi), 1e-4, 5),
        ("clamped", (4.73004074, 7.85320462), 0.08, 1.7),
    ):
        errors = []
        for n in (6, 12):
            found = [mode.frequency for mode in beam(closure, order, n).linearize().modes()][:2]
            errors.append(np.array(found) / np.square(roots) - 1)
        assert np.all(errors[1] > 0) and np.all(errors[1] < tolerance * np.array([1, 4]))
        assert np.all(errors[0] / errors[1] > rate)


def test_modes_of_a_loop_have_energies_and_shapes() -> None:
    """A free-flying closed frame of three flexible bars: six rigid motions, and its nodes stay together."""
    s = fb.System("frame", gravity=(0, 0, 0))
    bar = fb.Beam(length=1, EI=(30, 40), GJ=20, torsion=2, density=1, polar_inertia=0.01, EA=1e4, axial=2)
    hub = s.body("hub", joint=fb.Free(), mass=1.0, inertia=(0.1, 0.1, 0.1))
    one = s.body("one", on=hub, flexible=bar, modes=4)
    two = s.body("two", on=one.node("tip"), orient=("z", 2 * math.pi / 3), flexible=bar, modes=4)
    three = s.body("three", on=hub, orient=("z", math.pi / 3), flexible=bar, modes=4)
    s.close(two.node("tip"), three.node("tip"), fb.Spherical(), name="corner")
    modes = s.linearize().modes()
    assert modes.rigid == 6 and sum(mode.value == 0 for mode in modes) == 12
    for mode in modes[12:20]:
        assert sum(mode.strain.values()) == pytest.approx(1, abs=1e-7)
        ends = [mode.motion(f"{name}.tip")[3:] for name in ("two", "three")]
        assert np.allclose(*ends, atol=1e-9)


def test_frequency_response_at_a_node() -> None:
    """The receptance of a cantilever's tip, L³/EI (sin z cosh z − cos z sinh z)/(z³ (1 + cos z cosh z)), and the
    acceleration there."""
    s = fb.System("cantilever", gravity=(0, 0, 0))
    push = s.input("push")
    boom = s.body("boom", flexible=fb.Beam(length=2.0, EI=(500.0, None), density=3.0), modes=12)
    tip = boom.node("tip")
    s.force(s.ground.y * push, at=tip.origin)
    s.output("deflection", s.deflection(tip).dot(s.ground.y))
    s.output("acceleration", s.acceleration(tip.origin).dot(s.ground.y))
    omega = np.array([0.0, 5.0, 30.0, 100.0, 250.0])
    lin = s.linearize()
    response = lin.frequency_response(omega)
    assert response.shape == (5, 2, 1)
    z = (3.0 * omega[1:] ** 2 * 2.0**4 / 500.0) ** 0.25
    expected = 8 / 500 * (np.sin(z) * np.cosh(z) - np.cos(z) * np.sinh(z)) / (z**3 * (1 + np.cos(z) * np.cosh(z)))
    assert np.allclose(response[1:, 0, 0], expected, rtol=5e-3)
    assert np.allclose(response[:, 1, 0], -(omega**2) * response[:, 0, 0], rtol=1e-6, atol=1e-9)
    assert response[0, 0, 0] == pytest.approx(8 / 1500, rel=1e-4)
    with pytest.raises(ArgumentError, match=r"frequencies: \[nan\] is not finite"):
        lin.frequency_response([np.nan])
    with pytest.raises(ArgumentError, match="shapes and energies of modes need the minimal states"):
        _ = s.linearize(minimal=False).modes()[0].kinetic
    copy, at = pickle.loads(pickle.dumps((lin, s.equilibrium(inputs={"push": 3.0}))))
    assert np.array_equal(copy.A, lin.A) and at.outputs["deflection"] == pytest.approx(3 * 8 / 1500, rel=1e-4)
    with pytest.raises(ArgumentError, match="which copies and files of a linearisation do not have"):
        copy.modes()[0].motion("boom.tip")
    with pytest.raises(ArgumentError, match=r"boom\.top"):
        lin.modes()[0].motion("boom.top")


def test_sizes_do_not_matter() -> None:
    """Frequencies of a loop in units of √(EI/ρL⁴), from a tenth of a millimetre to a bridge of 100 m. Modal coordinates
    have other units than angles, which must not decide about ranks and independent states."""
    found, independent = [], set()
    for L, rho, EI in ((1.0, 1.0, 1.0), (100.0, 2e4, 2e11), (2e-4, 1e-8, 1e-12)):
        s = fb.System("four-bar", gravity=(0, 0, 0))
        on, at = s.ground, (0.0, 0.0, 0.0)
        tips = []
        for name, length, angle in (("crank", 0.4, -1.2), ("coupler", 1.2, 0.85), ("rocker", 0.8, -1.35)):
            beam = fb.Beam(length=length * L, EI=(EI, EI), density=rho, polar_inertia=0.01 * rho * L**2)
            spring = {"stiffness": 0.3 * EI / L, "rest": -1.2} if name == "crank" else {}
            bar = s.body(name, on=on, at=at, joint=fb.Revolute("y", initial=angle, **spring), flexible=beam, modes=2)
            tips.append(bar.node("tip"))
            on, at = (tips[0], (0.0, 0.0, 0.0)) if name == "crank" else (s.ground, (1.1 * L, 0.0, 0.0))
        s.close(tips[1], tips[2], fb.Revolute("y"), name="pin")
        rest = s.equilibrium(q={"crank": -1.2}, hold="crank")
        assert rest.isolated and len(rest.multipliers) == 5
        independent.add(s.derive().independent_speeds([*rest.q.values()]))
        modes = s.linearize(at=rest).modes()
        found.append([mode.frequency / math.sqrt(EI / rho) * L**2 for mode in modes])
    assert len(independent) == 1
    assert np.allclose(found[1], found[0], rtol=1e-9) and np.allclose(found[2], found[0], rtol=1e-5)
