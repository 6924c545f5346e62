"""Robots of example-robot-data with 6 to 50 freedoms compared with Pinocchio and MuJoCo. The package has 420 MB; its
folder of robots may be given by FREEBODY_ROBOTS."""

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import freebody as fb
from tests.robots.compare_dynamics import agrees, state
from tests.robots.compare_quantities import CHECKS, Pair
from tests.robots.reference_libraries import MuJoCo, Pinocchio, bare, error, floated, loaded

pytestmark = pytest.mark.long
PLACE = "cmeel.prefix/share/example-robot-data/robots"
AGREE = 1e-10  # relative; measured: below 5e-12, that in derivatives of forward dynamics
ROBOTS: list[tuple[str, bool, int, dict[str, Any]]] = [
    ("ur_description/urdf/ur5_robot.urdf", False, 6, {}),
    ("kinova_description/robots/kinova.urdf", False, 6, {}),
    ("panda_description/urdf/panda.urdf", False, 9, {}),
    ("tiago_description/robots/tiago_no_hand.urdf", False, 12, {"physical": False}),
    ("solo_description/robots/solo12.urdf", True, 18, {}),
    ("anymal_b_simple_description/robots/anymal.urdf", True, 18, {"physical": False}),
    ("hyq_description/robots/hyq_no_sensors.urdf", True, 18, {"physical": False}),
    ("allegro_hand_description/urdf/allegro_left_hand.urdf", True, 22, {"physical": False}),
    ("b1_description/urdf/b1-z1.urdf", True, 25, {"physical": False}),
    ("alex_description/urdf/alex_nub_hands.urdf", True, 25, {}),
    ("simple_humanoid_description/urdf/simple_humanoid.urdf", True, 35, {}),
    ("g1_description/urdf/g1_29dof_rev_1_0.urdf", True, 35, {}),
    ("pr2_description/urdf/pr2.urdf", True, 36, {"physical": False}),
    ("talos_data/robots/talos_reduced.urdf", True, 38, {}),
    ("human_description/robots/human.urdf", True, 42, {}),
    ("centauro_description/urdf/centauro.urdf", True, 45, {}),
    ("talos_data/robots/talos_full_v2.urdf", True, 50, {}),
]
NAMES = [Path(file).stem for file, *_ in ROBOTS]
EACH = pytest.mark.parametrize(("file", "floating", "freedoms", "options"), ROBOTS, ids=NAMES)


def text_of(file: str) -> str:
    """The text of a robot's file; skips if the package is not installed."""
    named = os.environ.get("FREEBODY_ROBOTS")
    folders = [Path(named)] if named else [Path(place) / PLACE for place in sys.path]
    found = [folder / file for folder in folders if folder.is_dir()]
    if not found:
        pytest.skip("example-robot-data is not installed (pip install example-robot-data)")
    return bare(found[0].read_text())


@EACH
def test_dynamics_match_pinocchio(file: str, floating: bool, freedoms: int, options: dict[str, Any]) -> None:
    """Rotations are as in the files: rounded quarter turns differ from exact ones by up to 1e-11."""
    text = text_of(file)
    system = loaded(text, floating=floating, dynamics=False, snap=0, **options)
    assert len(system.derive().u) == freedoms
    referee = Pinocchio(text, floating)
    assert fb.layout(system, "pinocchio").joints == fb.layout(system, "pinocchio", model=referee.model).joints
    agrees(system, referee, AGREE)


@EACH
def test_quantities_match_pinocchio(file: str, floating: bool, freedoms: int, options: dict[str, Any]) -> None:
    """Jacobians, centroidal momentum, derivatives of inverse and forward dynamics."""
    text = text_of(file)
    pair = Pair(loaded(text, floating=floating, dynamics=False, snap=0, **options), Pinocchio(text, floating), AGREE)
    for check in CHECKS.values():
        check(pair)


@EACH
def test_dynamics_match_mujoco(file: str, floating: bool, freedoms: int, options: dict[str, Any]) -> None:
    """With damping, without dry friction. MuJoCo refuses impossible inertias and moving links without mass."""
    text = re.sub(r'friction="[^"]*"', "", text_of(file))
    root = loaded(text, floating=floating, **options).robot.root  # type: ignore[union-attr]
    text = floated(text, root) if floating else text
    system = loaded(text, snap=0, **options)
    try:
        referee = MuJoCo(text)
    except ValueError as error:
        pytest.skip(f"MuJoCo: {error}")
    agrees(system, referee, AGREE)


@EACH
def test_exact_quarter_turns_change_little(file: str, floating: bool, freedoms: int, options: dict[str, Any]) -> None:
    text = text_of(file)
    plain, exact = (loaded(text, floating=floating, dynamics=False, **options, **s) for s in ({"snap": 0}, {}))
    M, exact_M = (s.derive().compile("numpy").mass_matrix(state(plain)[0]) for s in (plain, exact))
    assert error(exact_M, M) < 1e-10
    assert exact.derive().operations["mass_matrix"].total <= plain.derive().operations["mass_matrix"].total
