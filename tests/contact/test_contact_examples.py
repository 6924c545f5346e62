"""Examples of robots with contact at fixed steps."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.long
EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_robot_trots(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import trotting

    height, way = trotting.main(worlds=8, folder=str(tmp_path))
    assert 0.2 < height < 0.24
    assert way > 0.25
    assert (tmp_path / "trotting.png").stat().st_size > 10_000
    assert "iterations of a step: 2." in capsys.readouterr().out


def test_robots_learn_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gymnasium")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import herd

    assert herd.main(worlds=32) > 0.5


def test_a_humanoid_squats(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import squatting

    depth, slip = squatting.main(str(tmp_path))
    assert 0.2 < depth < 0.25
    assert slip < 1e-3
    assert (tmp_path / "squatting.png").stat().st_size > 10_000


def test_a_gripper_lifts_a_box_as_coulomb_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays on the floor, slides in the fingers while it is lifted fastest, or follows the hand."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import gripper

    (weak, _), (middle, slid), (strong, held) = gripper.main().values()
    assert abs(weak) < 1e-3
    assert 0.15 < middle < 0.199
    assert slid > 2e-3
    assert strong > 0.198
    assert held < 1e-3
