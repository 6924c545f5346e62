"""What users see of flexible bodies: modes, strain energy, damping power, deflections, strains and section forces."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FreebodyError, ModelError
from freebody.io import dumps, loads
from freebody.model.body import Body
from freebody.model.flexible import PointMass, Segment
from freebody.results.work import account

PLAIN = fb.Beam(length=2.0, EI=(300.0, 200.0), GJ=80.0, EA=1e5, density=1.5, polar_inertia=0.02)
BEAMS = {
    "cantilever": PLAIN,
    "pinned": replace(PLAIN, ends="pinned"),
    "free": replace(PLAIN, ends="free", frame="floating"),
    "timoshenko": replace(PLAIN, GA=(4e3, 5e3), rotary_inertia=0.01),
    "segments": fb.Beam(
        segments=[
            Segment(length=0.7, EI=(300.0, 200.0), EA=1e5, GJ=80.0, density=1.5, polar_inertia=0.02),
            Segment(length=1.3, EI=(120.0, 90.0), GA=3e3, EA=8e4, GJ=30.0, density=0.8, polar_inertia=0.01),
        ],
        nodes={"mid": 1.1}, masses={"mid": PointMass(0.4)},
    ),
    "loaded": replace(PLAIN, loads={"tip": (-20.0, 1.0, 0.0)}),
}  # fmt: skip
MODES = {"bending y": 4, "bending z": 3, "axial": 2, "torsion": 2}


@pytest.mark.parametrize("name", BEAMS)
def test_strain_energy_is_half_of_section_forces_times_strains(name: str) -> None:
    """½ ∫ N ε + V·γ + T θ' + M·κ dx = ½ ηᵀ K η, without the stiffness of constant loads."""
    data = BEAMS[name].modal_data(MODES)
    sections, n = data.sections, data.n
    assert sections is not None
    eta = np.random.default_rng(1).normal(size=n)
    x, weights = sections.panels.x, sections.panels.weights
    strains = sections.strains @ eta
    forces = np.array([sections.forces(float(at)) @ eta for at in x])
    energy = 0.5 * weights @ np.sum(forces * strains, axis=1)
    K = data.K
    if name == "loaded":
        tip = data.nodes["tip"].second
        K = K + np.tensordot(np.array([-20.0, 1.0, 0.0]), tip, 1)
    assert abs(energy / (0.5 * eta @ K @ eta) - 1) < 1e-10


@pytest.mark.parametrize("name", ["cantilever", "timoshenko", "segments"])
def test_section_forces_of_a_loaded_cantilever_are_those_of_statics(name: str) -> None:
    """A force F and a torque T at the tip: N = F_x, V = F, M(x) = T + (L − x) e_x × F; and the strain of that."""
    F, T, where, (y, z) = np.array([40.0, -0.3, 0.2]), np.array([0.5, 0.0, 0.0]), 0.9, (0.02, -0.03)
    forces, seen = np.zeros(6), 0.0
    for kind in MODES:
        data = BEAMS[name].modal_data({kind: 12})
        tip, sections = data.nodes["tip"], data.sections
        assert sections is not None and tip.slopes is not None
        eta = (F @ tip.translations + T @ tip.slopes) / np.diag(data.K)
        forces, seen = forces + sections.forces(where) @ eta, seen + sections.strain(where, y, z) @ eta
    expected = np.concatenate([F, T + np.cross([2.0 - where, 0, 0], F)])
    assert np.allclose(forces, expected, rtol=0.1, atol=0)  # series of modes converge slowly for shear
    assert np.allclose(forces[4:], expected[4:], rtol=0.02, atol=0)
    EA, EI_y, EI_z = (8e4, 120.0, 90.0) if name == "segments" else (1e5, 300.0, 200.0)
    strain = forces[0] / EA - y * forces[5] / EI_y + z * forces[4] / EI_z
    assert abs(seen / strain - 1) < 1e-12


def arm(order: str = "full") -> tuple[fb.System, Body]:
    """A damped beam on a hinge with a pendulum at its tip."""
    s = fb.System("arm", gravity=(0, 0, -1.0))
    hub = s.body("hub", joint=fb.Revolute("z", damping=0.1), mass=1.0, inertia=(1, 1, 1))
    boom = s.body(
        "boom",
        on=hub,
        at=(0.3, 0, 0),
        orient=("y", 0.4),
        flexible=replace(PLAIN, damping=0.02),
        modes={"bending y": 2, "bending z": 1, "torsion": 1},
        order=order,
    )
    s.body("pendulum", on=boom.node("tip"), joint=fb.Revolute("x"), mass=0.1, com=(0, 0, -0.1), inertia=(0.01,) * 3)
    return s, boom


@pytest.mark.parametrize("order", ["full", "ruthless"])
def test_sensors_are_outputs_in_python_and_in_files(order: str, tmp_path: Path) -> None:
    s, boom = arm(order)
    tip = boom.node("tip")
    forces = s.section_forces(boom, at=0.5)
    s.output("bent", forces.moment_z)
    s.output("sheared", forces.shear_y)
    s.output("twisted", s.section_forces("boom", at=0.5).torsion)
    s.output("frame_offset", s.strain(boom, at=0.5, offset=(0.02, 0.01)))
    s.output("deflection", s.deflection(tip))
    s.output("along y", s.deflection("boom.tip").dot(boom.y))
    run = s.simulate(0.3, q={"boom.m1": 0.02}, u={"hub": 0.3, "pendulum": 1.0}, rtol=1e-9)
    data, eta = boom.spec.modal.data, np.array([run[f"q.boom.m{k}"] for k in range(1, 5)])
    expected = data.sections.forces(0.5) @ eta
    for key, row in (("bent", 5), ("sheared", 1), ("twisted", 3)):
        assert np.allclose(run[key], expected[row], rtol=1e-12, atol=1e-12), key
    assert np.allclose(run["frame_offset"], data.sections.strain(0.5, 0.02, 0.01) @ eta, rtol=1e-12, atol=1e-12)
    # the node's recorded pose is the boom's frame, plus the undeformed position, plus the deflection
    R = rotations(run["pose.boom"][:, 3:])
    place = run["pose.boom"][:, :3] + R @ data.nodes["tip"].position + run["deflection"]
    assert np.allclose(run["pose.boom.tip"][:, :3], place, rtol=0, atol=1e-12)
    assert np.allclose(np.einsum("tk,tk->t", R[:, :, 1], run["deflection"]), run["along y"], rtol=0, atol=1e-12)
    text = dumps(s)
    again = loads(text, fb.System)
    assert dumps(again) == text and again.digest() == s.digest()
    terms = (
        text[: text.index("outputs:")]
        + """outputs:
  bent: {section force: boom, at: 0.5, component: moment_z}
  sheared: {section force: boom, at: 0.5, component: shear_y}
  twisted: {section force: boom, at: 1/2, component: torsion}
  frame_offset: {strain: boom, at: 0.5, offset: [0.02, 0.01]}
  deflection: {deflection: boom.tip}
  along y: 0
"""
    )
    written = loads(terms, fb.System).simulate(run.t, q={"boom.m1": 0.02}, u={"hub": 0.3, "pendulum": 1.0}, rtol=1e-9)
    for key in ("bent", "sheared", "twisted", "frame_offset", "deflection"):
        assert np.allclose(written[key], run[key], rtol=1e-9, atol=1e-12), key
    file = run.save(tmp_path / "run.nc")
    saved = fb.Trajectory.load(file)
    assert np.array_equal(saved["pose.boom.tip"], run["pose.boom.tip"])
    assert np.array_equal(saved["energy.strain"], run["energy.strain"])
    assert saved.variables["q.boom.m1"].unit == "m·√kg"
    assert saved.about == run.about


def rotations(quaternions: np.ndarray) -> np.ndarray:
    """Rotation matrices of unit quaternions (w, x, y, z), body to ground."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_quat(quaternions[:, [1, 2, 3, 0]]).as_matrix()


def test_nodes_that_nothing_is_attached_to_are_recorded_and_saved() -> None:
    s = fb.System("mast")
    mast = s.body("mast", flexible=PLAIN, modes=2)
    assert "pose.mast.tip" not in s.simulate(0.01)
    mast.node("tip")
    text = dumps(s)
    again = loads(text, fb.System)
    assert "nodes: [tip]" in text and dumps(again) == text and again.digest() == s.digest()
    assert "pose.mast.tip" in again.simulate(0.01)
    with pytest.raises(FreebodyError, match=r"bodies.mast.nodes: .*its nodes: root, tip"):
        loads(text.replace("[tip]", "[top]"), fb.System)


def test_strain_energy_and_modal_damping_are_recorded() -> None:
    s, boom = arm()
    other = s.body("mast", at=(0, 0, 1), flexible=PLAIN, modes=2)
    run = s.simulate(1.0, q={"boom.m1": 0.05, "mast.m2": 0.02}, u={"hub": 0.3}, rtol=1e-9)
    each = {}
    for body in (boom, other):
        K = body.spec.modal.data.K
        eta = np.array([run[f"q.{body.name}.m{k + 1}"] for k in range(len(K))])
        each[body.name] = 0.5 * np.einsum("rt,rs,st->t", eta, K, eta)
        assert np.allclose(run[f"energy.strain.{body.name}"], each[body.name], rtol=1e-12, atol=1e-15)
    assert np.allclose(run["energy.strain"], each["boom"] + each["mast"], rtol=1e-12)
    rates = np.array([run[f"u.boom.m{k}"] for k in range(1, 5)])
    loss = np.einsum("rt,rs,st->t", rates, boom.spec.modal.data.D, rates)
    assert np.allclose(run["power.damping.boom"], -loss, rtol=1e-12, atol=1e-15)
    assert np.all(run["power.joints"] <= 0) and "power.damping.mast" not in run  # undamped
    assert run.energy_error is not None and run.energy_error < 1e-8
    rows = dict(account(run))
    assert rows["work of modal damping of boom"] < 0
    assert abs(rows["of which strain energy"] - np.diff(run["energy.strain"][[0, -1]])[0]) < 1e-12
    s2, _ = arm()
    assert "energy.strain.boom" not in s2.simulate(0.1)  # a single flexible body: the total is its own


def test_modes_are_listed() -> None:
    _, boom = arm()
    modes = boom.modes
    assert [mode.kind for mode in modes] == ["bending z", "bending y", "torsion", "bending y"]
    root = 1.875104068711961
    assert abs(modes[0].frequency / ((root / 2) ** 2 * np.sqrt(200 / 1.5)) - 1) < 1e-12
    text, html = repr(modes), modes._repr_html_()
    assert text.splitlines()[0].split()[:4] == ["mode", "kind", "rad/s", "Hz"] and len(text.splitlines()) == 5
    assert "boom.m1  bending z  10.15  1.615           0.02" in text
    assert html.count("<tr>") == 5 and '<td style="text-align:left">boom.m3</td>' in html
    with pytest.raises(ModelError, match="'hub' has no modes; it is not a flexible body"):
        _ = fb.System("rigid").body("hub", mass=1.0).modes


def test_nodal_coordinates_are_displacements() -> None:
    s = fb.System("nodes")
    K = np.kron(np.array([[20.0, -10.0], [-10.0, 10.0]]), np.eye(3))
    nodes = fb.FlexibleNodes(positions=[[1, 0, 0], [2, 0, 0]], masses=[1.0, 2.0], stiffness=K, coordinates="nodal")
    body = s.body("rope", flexible=nodes)
    assert body.spec.modal.units == (("m",) * 6, ("m/s",) * 6)
    expected = np.sqrt(np.linalg.eigvals(np.diag([1.0, 0.5]) @ np.array([[20.0, -10.0], [-10.0, 10.0]])))
    assert np.allclose(body.modes.frequencies, np.repeat(np.sort(expected), 3))
    assert body.modes.names == ("1", "2", "3", "4", "5", "6")


def test_sensors_that_are_refused() -> None:
    s, boom = arm()
    other = fb.System("other").body("boom", flexible=PLAIN, modes=1)
    nodes = fb.FlexibleNodes(positions=[[1, 0, 0]], masses=[1.0], stiffness=np.eye(3))
    s.body("lumps", flexible=nodes, modes=1)
    cases = [
        (lambda: s.section_forces(boom, at=0).axial, "contain no strain of 'axial'.*Add axial modes"),
        (lambda: s.section_forces(boom, at=3), "section forces: at: 3 is not on the beam 'boom', which reaches from 0"),
        (lambda: s.section_forces(boom, at=s.t), "section forces: at: a number is needed"),
        (lambda: s.section_forces("hub", at=0), "'hub' is not a flexible body"),
        (lambda: s.section_forces("ground", at=0), "'ground' is not a flexible body"),
        (lambda: s.section_forces("lumps", at=0), r"'lumps' has no section data \(nodes\)"),
        (lambda: s.section_forces(other, at=0), "<body boom> belongs to another system"),
        (lambda: s.strain(boom, at=0.5), r"the modes of 'boom' have no strain at x = 0\.5 with the offset \(0, 0\)"),
        (lambda: s.strain(boom, at=0.5, offset=(1, 2, 3)), "a strain: offset: .*2"),
        (lambda: s.deflection(boom), r"'boom' is not a node of a flexible body; use body\.node\('tip'\)"),
        (lambda: s.deflection("boom.middle"), "'boom' has no node 'middle'"),
        (lambda: s.deflection(other.node("tip")), "belongs to another system"),
    ]
    for call, text in cases:
        with pytest.raises(ModelError, match=text):
            call()
    start = "freebody: 3\nbodies:\n  boom:\n    flexible: {type: beam, length: 1, EI: 1, density: 1}\n    modes: 2\n"
    for output, text in (
        ("{section force: boom, at: 0}", "the key 'component' is missing"),
        ("{section force: boom, at: 0, component: axial}", "outputs.x.*no strain of 'axial'"),
        ("{section force: boom, at: 2, component: moment_z}", "outputs.x.at: 2 is not on the beam"),
        ("{strain: boom, at: 0, offsets: [0, 1]}", "there is no key 'offsets' here"),
        ("{strain: boum, at: 0}", "'boum' is not a body"),
        ("{deflection: boom}", "'boom' is not a node"),
    ):
        with pytest.raises(FreebodyError, match=text):
            loads(f"{start}outputs:\n  x: {output}\n", fb.System)
