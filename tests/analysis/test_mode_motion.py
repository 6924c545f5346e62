"""Modes as visible motions: for small amplitudes they are the linear ones with their phases; bodies move and bend as
far as allowed; loops stay closed."""

import numpy as np
import pytest

import freebody as fb
from freebody.analysis.linear import Modes
from freebody.analysis.mode_motion import BEND, TURN, ModeMotion, VisibleMode, mode_motions, mode_title
from tests.run.constrained_systems import four_bar

pytestmark = pytest.mark.filterwarnings("ignore::freebody.errors.AnalysisWarning")  # points of a motion


def motions(modes: Modes, size: float = 1.0) -> list[ModeMotion]:
    return mode_motions([(k + 1, mode._require_shape()) for k, mode in enumerate(modes)], size)


def damped() -> fb.System:
    """A spinning and a swinging body on a free one, so that modes are complex."""
    s = fb.System("damped")
    a = s.body("a", joint=fb.Revolute("y", damping=0.3), mass=1, com=(0.1, 0, -0.5), inertia=(0.1, 0.2, 0.1))
    b = s.body(
        "b",
        on=a,
        at=(0, 0.2, -1),
        joint=fb.Universal("x", "y", damping=0.1),
        mass=1,
        com=(0.2, 0.1, -0.4),
        inertia=(0.1, 0.1, 0.2),
    )
    s.body(
        "c",
        on=b,
        at=(0, 0, -1),
        joint=fb.Spherical(stiffness=0, damping=0.2),
        mass=0.5,
        com=(0, 0, -0.3),
        inertia=(0.1, 0.1, 0.1),
    )
    return s


def test_small_motions_are_those_of_the_linear_system() -> None:
    lin = damped().linearize(trim=True)
    modes = [m for m in lin.modes() if m.value.imag]
    assert any(abs(d.imag) > 0.05 * abs(d) > 0 for m in modes for d in m.displacements.values())
    for mode in modes:
        visible, small = VisibleMode(mode._require_shape()), 1e-5
        scale = visible.along[0] / np.array(list(mode.displacements.values()))[0]
        t = np.linspace(0, visible.duration, 9)
        run = visible.run(t, small)
        for body in ("a", "b", "c"):
            linear = np.outer(np.exp(2j * np.pi * t / visible.duration), mode.motion(body)[3:] * scale).real
            moved = run[f"pose.{body}"][:, :3] - initial_position(visible, body)
            assert np.allclose(moved / small, linear, atol=2e-4)


def initial_position(visible: VisibleMode, body: str) -> np.ndarray:
    return visible.run(np.zeros(1), 0.0)[f"pose.{body}"][0, :3]


def test_bodies_turn_and_bend_as_far_as_allowed() -> None:
    s = fb.System("boom")
    a = s.body("a", joint=fb.Revolute("y", stiffness=50), mass=1, inertia=(1, 1, 1))
    boom = s.body("boom", on=a, flexible=fb.Beam(length=10, EA=2.8e7, EI=(1.4e4, None), density=1.2), modes=2)
    s.body("tip", on=boom.node("tip"), joint=fb.Revolute("x"), mass=1, inertia=(1, 1, 1))
    shown = motions(s.linearize().modes())
    assert shown[0].name == "mode 1: rigid motion" and len(shown) == 4
    for motion in shown:
        run, t = motion.run, motion.run.t
        turns = np.stack([run[f"pose.{e.name}"][:, 3:] for e in run.about.elements], axis=1)
        angle = 2 * np.arccos(np.abs(np.sum(turns * turns[0], axis=-1)).clip(0, 1)).max()
        assert np.allclose(run.x[0], run.x[-1], atol=1e-12) and t[0] == 0
        assert angle < 2.1 * TURN
        mesh = run.drawing.meshes["boom"]  # type: ignore[union-attr]
        eta = np.stack([run[f"q.{name}"] for name in mesh.coordinates], axis=1)
        bend = np.linalg.norm(np.einsum("pcn,rn->rpc", mesh.shapes, eta), axis=-1).max()
        assert bend < 1.05 * BEND * 10 and (angle > 0.2 or bend > 0.5)


def test_loops_stay_closed() -> None:
    s = four_bar()
    q, u = s.assemble()
    lin = s.linearize({f"q.{n}": x for n, x in zip(s.derive().q, q, strict=True)})
    shown = motions(lin.modes())
    f, n = s.derive().compile("numpy"), len(q)
    assert shown
    for motion in shown:
        for x in motion.run.x:
            assert np.abs(f.constraint(x[:n], 0 * u)["phi"]).max() < 1e-8
        assert np.ptp(motion.run.x, axis=0).max() > 0.1


@pytest.mark.parametrize(
    ("value", "title"),
    [(0j, "rigid motion"), (-0.5 + 0j, "decays in 2 s"), (4 + 0j, "grows in 0.25 s"), (2j * np.pi, "1 Hz"),
     (-0.6 + 0.8j, "0.1592 Hz, damping 0.6"), (0.6 + 0.8j, "0.1592 Hz, grows (-0.6)")],
)  # fmt: skip
def test_titles(value: complex, title: str) -> None:
    assert mode_title(value) == title
