"""The project's own robots: their files match the tables, and their operation counts stay low."""

import re
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from examples.robots import describe, g1, panda, solo12, ur5
from tests.robots.compare_dynamics import state
from tests.robots.reference_libraries import loaded as from_text

FOLDER = Path(describe.__file__).parent


def loaded(name: str, **options: Any) -> fb.System:
    return fb.load(FOLDER / f"{name}.urdf", **options)


def test_files_match_the_tables() -> None:
    """``python -m examples.robots.describe`` writes the files."""
    for name, text in describe.files().items():
        assert (FOLDER / name).read_text() == text, name


@pytest.mark.parametrize(("name", "options", "freedoms", "bodies", "mass"), [
    ("ur5", {}, 6, 8, 16.9939), ("panda", {"lock": ["panda_finger_joint1"]}, 7, 12, 16.822132),
    ("panda", {"mimic": "lock"}, 8, 12, 16.822132), ("solo12", {"floating": True}, 18, 17, 2.50130389),
    ("g1", {"floating": True}, 35, 33, 33.33914202),
])  # fmt: skip
def test_sizes_and_masses(name: str, options: Any, freedoms: int, bodies: int, mass: float) -> None:
    system = loaded(name, **options)
    assert system.robot is not None
    assert (len(system.derive().u), len(system.bodies)) == (freedoms, bodies)
    assert abs(sum(link.inertial.mass for link in system.robot.links.values()) - mass) < 1e-6


def test_arms_match_their_python_systems() -> None:
    """The UR5's file moves as its system in Python, and so does the Panda's without the hand."""
    without = describe.text("panda", "", panda.parts()[: len(panda.LINKS) + 1], panda.RADIUS)
    for robot, table in ((loaded("ur5"), ur5.system()), (from_text(without), panda.system())):
        f, g = (s.derive().compile("numpy") for s in (robot, table))
        q, u, tau = state(robot)
        assert np.allclose(f.forward_dynamics(q, u, tau), g.forward_dynamics(q, u, tau), rtol=1e-12)


def test_left_and_right_limbs_are_mirrored() -> None:
    """Legs with feet and arms with hands have equal masses and mirrored mass centres."""
    for module, root in ((solo12, "base_link"), (g1, "pelvis")):
        parts = {part.link: part for part in module.parts()}
        other = {n: n.replace("left", "right") if "left" in n else n.replace("L_", "R_") for n in parts}
        pairs = [(a, b) for a, b in other.items() if a != b and b in parts]
        assert len(pairs) == (8 if module is solo12 else 14)
        for a, b in pairs:
            assert parts[a].mass == parts[b].mass and parts[a].com[1] == -parts[b].com[1]
        assert parts[root].joint == ""


def test_humanoid_stands_on_two_feet_of_equal_height() -> None:
    system = g1.system()
    for side in ("left", "right"):
        system.output(side, system.position(system.bodies[f"{side}_ankle_roll_link"]))
    f = system.derive().compile("numpy")
    q = np.zeros(len(f.equations.q))
    q[3] = 1
    left, right = (f.outputs(q, np.zeros(35))[side] for side in ("left", "right"))
    assert np.allclose(left * [1, -1, 1], right, rtol=0, atol=1e-15) and left[2] < -0.7 and left[1] > 0.1


@pytest.mark.parametrize(("name", "options", "limits"), [
    ("ur5", {}, (610, 175)), ("panda", {"lock": ["panda_finger_joint1"]}, (1180, 375)),
    ("solo12", {"floating": True}, (3290, 685)), ("g1", {"floating": True}, (13250, 4515)),
])  # fmt: skip
def test_operation_counts_stay_low(name: str, options: Any, limits: tuple[int, int]) -> None:
    """With Kane's method, so that fixed links and quarter turns cost nothing."""
    counts = loaded(name, **options).derive().operations
    for quantity, limit in zip(("forward_dynamics", "mass_matrix"), limits, strict=True):
        assert counts[quantity].total <= limit


def test_documentation_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER.parents[1])
    page, space = Path("docs/robots.md").read_text(), dict[str, Any]()
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, space)
    assert space["panda"].robot.joints["panda_finger_joint2"].locked == 0.02
    assert np.allclose(space["u_again"], space["u"]) and len(space["tau"]) == 6


def test_shapes_are_rods_from_joint_to_joint() -> None:
    """The axis of the cylinder, rotated by its rpy, points from the link's origin to that of its child."""
    system = loaded("panda", mimic="lock")
    assert system.robot is not None
    shape = system.robot.links["panda_link2"].shapes[0]
    assert isinstance(shape, fb.Cylinder)
    roll, pitch, yaw = shape.rpy
    along = np.array([np.sin(pitch) * np.cos(yaw), np.sin(pitch) * np.sin(yaw), np.cos(pitch)])
    assert roll == 0 and abs(pitch - pi / 2) < 1e-6
    end = np.array(shape.at) + along * shape.length / 2
    assert np.allclose(end, system.robot.joints["panda_joint3"].origin.p, atol=1e-6)
