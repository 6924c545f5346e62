"""ik: coordinates at which bodies reach targets, by options, and errors."""

from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from tests.cli.conftest import Run, RunJson
from tests.cli.test_models import refused

UR5 = Path(__file__).parents[2] / "examples" / "robots" / "ur5.urdf"
BENT = ("--set", "q.upper_arm_link=-1.2", "--set", "q.forearm_link=1.5", "--set", "q.wrist_2_link=-1.5")


def test_a_target_is_reached(run: Run, run_json: RunJson) -> None:
    given = ("ik", UR5, "--target", "tool0=0.4,0.2,0.3,0,1,0,0", *BENT)
    found = run_json(*given)
    robot = fb.load(UR5)
    R, p = robot.derive().compile().pose(np.array([found["q"][n] for n in robot.derive().q]), "tool0")
    assert np.abs(p - (0.4, 0.2, 0.3)).max() < 1e-9 and np.abs(R - np.diag([1, -1, -1])).max() < 1e-9
    assert found["reason"] == "reached" and found["residual"]["tool0"]["position"] < 1e-9
    shown = run(*given).stdout
    assert shown.startswith("ur5: reached") and {"q.forearm_link", "rad"} <= set(shown.split())
    way = run_json(
        "ik", UR5, "--target", "tool0=0.4,0.2,0.3", "--axis", "tool0.z=0,0,-1", *BENT, "--hold", "wrist_3_link"
    )
    assert way["q"]["wrist_3_link"] == 0 and way["reason"] == "reached"


def test_a_target_out_of_reach_ends_with_code_1(run: Run, run_json: RunJson) -> None:
    failed = run("ik", UR5, "--target", "tool0=1.5,0,0.3", *BENT)
    assert failed.exit_code == 1
    assert "unreachable from this guess: closest pose" in failed.stderr and "q.forearm_link" in failed.stdout
    alone = (
        "ik",
        UR5,
        "--target",
        "tool0=0.3,0.1,0.2,0,1,0,0",
        "--set",
        "q.forearm_link=-3",
        "--set",
        "q.wrist_1_link=3",
    )
    assert run_json(*alone, "--restarts", 30, "--seed", 1)["reason"] == "reached"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ((), "ik needs a target"),
        (("--target", "tool0=1,2"), "--target tool0: give a position, x,y,z, or a pose"),
        (("--axis", "tool0=0,0,1"), "--axis tool0=0,0,1: give an axis of a body and its direction"),
        (("--target", "tool0=0,0,1", "--set", "u.forearm_link=1"), "ik finds coordinates: --set takes coordinates"),
    ],
)
def test_wrong_options(run: Run, given: tuple[str, ...], text: str) -> None:
    refused(run("ik", UR5, *given), 2, text)


def test_unknown_bodies(run: Run) -> None:
    refused(run("ik", UR5, "--target", "tool=0,0,1"), 2, "there is no body 'tool' for a target")
