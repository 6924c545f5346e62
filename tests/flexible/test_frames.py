"""Frames as flexible bodies: one member is a beam, bodies can be divided, rotating beams, choice of modes, files."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.io import dumps, loads
from freebody.model.flexible.modal_data import ModalData
from tests.flexible.rigid_nodes import Array

TUBE: dict[str, Any] = {"EA": 1e6, "EI": (3.0, 2.0), "GJ": 0.007, "density": 1.3, "polar_inertia": 2e-4}


def straight(length: float, section: dict[str, Any], elements: int, **others: Any) -> fb.Frame:
    return fb.Frame(
        nodes={"root": (0, 0, 0), "tip": (length, 0, 0)},
        sections={"s": section},
        members=[{"nodes": ["root", "tip"], "elements": elements}],
        **others,
    )


def frequencies(data: ModalData) -> Array:
    return np.array([mode.frequency for mode in data.modes])


def test_one_member_is_a_beam() -> None:
    """Bending in both planes and torsion, with rotary inertia: frequencies, integrals and second-order displacements
    converge to those of fb.Beam, stiffening with the second order of the elements' length."""
    thick = {**TUBE, "GJ": 0.7, "polar_inertia": 0.02, "rotary_inertia": (0.001, 0.002)}
    beam = fb.Beam(length=1.2, **thick, torsion=1).modal_data(4)
    errors = []
    for elements in (8, 16):
        data = straight(1.2, thick, elements).modal_data(5)
        tips = [np.vstack([d.nodes["tip"].translations, d.nodes["tip"].slopes]) for d in (data, beam)]
        data = data.in_basis(np.diag(np.sign((tips[0] * tips[1]).sum(0))))
        pairs = {key: (getattr(data, key), getattr(beam, key)) for key in ("E", "F0", "J1", "C", "F1", "J2")}
        pairs["second"] = data.nodes["tip"].second, beam.nodes["tip"].second
        assert np.allclose(data.J0, beam.J0, atol=1e-13) and np.allclose(data.c0, beam.c0, atol=1e-13)
        errors.append({key: np.abs(a - b).max() / np.abs(b).max() for key, (a, b) in pairs.items()})
        omega = np.sqrt(np.diag(data.K)) / frequencies(beam) - 1
        errors[-1] |= {"bending": np.abs(omega[[0, 1, 3, 4]]).max(), "torsion": abs(omega[2])}
    largest = {
        "E": 1e-7,
        "F0": 1e-7,
        "J1": 1e-6,
        "C": 3e-3,
        "F1": 2e-3,
        "J2": 3.5e-3,
        "second": 1e-4,
        "bending": 1e-5,
        "torsion": 5e-4,
    }
    for key, bound in largest.items():
        assert errors[1][key] < bound and errors[0][key] / errors[1][key] > 3.5, key


@pytest.mark.parametrize("speed, exact", [(3, 4.7973), (6, 7.3604), (12, 13.1702)])
def test_rotating_cantilever(speed: float, exact: float) -> None:
    """Flapping of a cantilever that rotates about z, in units of √(EI/ρL⁴) (Wright et al., 1982)."""
    frame = straight(1.0, {"EA": 1e6, "EI": 1.0, "GJ": 1.0, "density": 1.0, "polar_inertia": 1e-7}, 16)
    s = fb.System("rotor", gravity=(0, 0, 0))
    s.body("blade", joint=fb.Revolute("z", motion=f"{speed}*t"), flexible=frame, modes=12)
    values = s.linearize().eigenvalues
    found = np.sort(values.imag[values.imag > 0])
    assert np.abs(found - exact).min() < 4e-4 * exact
    assert np.abs(found - np.sqrt(exact**2 - speed**2)).min() < 2e-3 * exact  # in the plane of rotation


def test_spin_up() -> None:
    """The boom of Kane, Ryan and Banerjee (1987) lags by 0.574 m; the energy balances."""
    angle = "where(t < 15, 6/15*(t**2/2 + (15/(2*pi))**2*(cos(2*pi*t/15) - 1)), 6*t - 45)"
    section = {"EA": 2.8e7, "EI": (1.4e4, 2.8e4), "GJ": 1e4, "density": 1.2, "polar_inertia": 0.01}
    s = fb.System("spin-up", gravity=(0, 0, 0))
    arm = s.body("arm", joint=fb.Revolute("z", motion=angle), flexible=straight(10.0, section, 12), modes=6)
    s.output("tip", s.deflection(arm.node("tip")).dot(arm.y))
    run = s.simulate(20.0)
    assert -run["tip"].min() == pytest.approx(0.574, abs=5e-4)
    assert run.energy_error < 1e-9


def test_a_frame_is_the_same_as_two_frames() -> None:
    """An angle in its plane under gravity, as one body and as two that are joined at the knee: what acts there is a
    load on a node in one case, and stress in the other. With stiffening the positions of the tip differ in the third
    order of the deformation, without it in the second."""
    section = {"EA": 2e6, "EI": (2e4, 1.5e4), "GJ": 9e3, "density": 1.5, "polar_inertia": 0.02}
    nodes = {"root": (0, 0, 0), "knee": (3, 0, 0), "tip": (3.5, 0, 2)}

    def tip(bodies: list[list[str]], size: float) -> Array:
        """Its position at rest."""
        s = fb.System("angle", gravity=(6 * size, 0, -9.81 * size))
        on: Any = s.ground
        for k, ends in enumerate(bodies):
            frame = fb.Frame(
                nodes={name: nodes[name] for name in ends}, sections={"s": section}, members=[ends], static=ends[-1]
            )
            on = s.body(f"b{k}", on=on, flexible=frame, modes=4).node(ends[-1])
        s.output("tip", s.position(on))
        return np.asarray(s.equilibrium().outputs["tip"])

    whole, parts = [["root", "knee", "tip"]], [["root", "knee"], ["knee", "tip"]]
    small, large = (np.abs(tip(whole, size) - tip(parts, size)).max() for size in (1.0, 2.0))
    assert 7 < large / small < 9 and large < 1e-4 < 0.09 < np.abs(tip(whole, 2.0) - nodes["tip"]).max()


def test_choice_of_modes() -> None:
    frame = straight(1.0, TUBE, 8, static="tip", frame="root")
    omega = frequencies(straight(1.0, TUBE, 8).modal_data(12))
    below = frequencies(straight(1.0, TUBE, 8).modal_data({"frequency": 40.0}))
    assert np.allclose(below, omega[omega < 40], rtol=1e-8)
    data = straight(1.0, {**TUBE, "EA": 2e3}, 8).modal_data({"effective mass": 0.85})
    share = np.cumsum([mode.effective_mass[3:] for mode in data.modes], axis=0) / 1.3
    assert share[-1].min() >= 0.85 > share[-2].min()
    body = straight(1.0, {**TUBE, "EA": 2e3}, 8).reduce(data.n + 5)  # a reduced body chooses among its modes
    assert body.modal_data({"effective mass": 0.85}).n == data.n
    found = frequencies(body.modal_data({"frequency": 30.0}))
    assert len(found) == 5 and found[-1] < 30 < frequencies(body.modal_data(6))[-1]
    with pytest.raises(ModelError, match=r"modes: all \d+ modes together move 0.\d+ of the mass along one axis"):
        body.modal_data({"effective mass": 0.999})
    tip = frame.modal_data(2).nodes["tip"]  # with static displacements: the exact flexibility at the tip
    motion = np.vstack([tip.translations, tip.slopes if tip.slopes is not None else ()])
    flexibility = motion @ (motion / frequencies(frame.modal_data(2)) ** 2).T
    exact = np.diag([1e-6, 1 / 9, 1 / 6, 1 / 0.007, 1 / 2, 1 / 3])
    exact[1, 5] = exact[5, 1] = 1 / 6
    exact[2, 4] = exact[4, 2] = -1 / 4
    assert np.allclose(flexibility, exact, rtol=1e-6, atol=1e-7)


def test_frames_in_files_and_several_fixed_nodes() -> None:
    """A portal on four feet with a hinged girder: the file is read as the same system; feet are nodes too."""
    text = """
    freebody: 3
    name: portal
    bodies:
      portal:
        joint: {type: prismatic, axis: x, stiffness: 100}
        flexible:
          type: frame
          nodes: {a: [0, 0, 0], b: [0, 0, 2], c: [3, 0, 2], d: [3, 0, 0], hook: [1.5, 0, 2]}
          sections:
            post: {EA: 1e6, EI: [3e3, 2e3], GJ: 1e3, density: 4, polar_inertia: 0.01}
            girder: {EA: 1e6, EI: 4e3, GJ: 1e3, density: 3, polar_inertia: 0.01, GA: 1e6}
            stay: {EA: 1e5, density: 0.5}
          members:
          - {nodes: [a, b], section: post, elements: 4}
          - {nodes: [d, c], section: post, elements: 4, up: [0, 1, 0]}
          - {nodes: [b, hook, c], section: girder, hinges: end, elements: 3}
          - {nodes: [a, hook], section: stay}
          masses: {hook: 5.0}
          frame: [a, d]
          damping: 0.02
        modes: {frequency: 400}
      load: {on: portal.hook, joint: {type: revolute, axis: y}, mass: 10, com: [0, 0, -1]}
    outputs:
      sag: {deflection: portal.hook}
    """
    s = loads(text, fb.System)
    again = loads(dumps(s), fb.System)
    assert dumps(again) == dumps(s) and again.digest() == s.digest()
    assert len(s.bodies["portal"].modes) > 3
    assert np.all(s.bodies["portal"].modes.frequencies < 400)
    foot = s.bodies["portal"].spec.flexible.modal_data(2).nodes["d"]
    assert np.array_equal(foot.position, (3, 0, 0)) and not np.any(foot.translations)
    run = s.simulate(0.5, q={"load": 0.3})
    assert run.energy_error < 1e-8
