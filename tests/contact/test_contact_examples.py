"""Examples of robots with contact at fixed steps."""

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_robot_trots(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import trotting

    height, way = trotting.main(worlds=8)
    assert 0.2 < height < 0.24
    assert way > 0.25
    assert "iterations of a step: 2." in capsys.readouterr().out


def test_robots_learn_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gymnasium")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import herd

    assert herd.main(worlds=32) > 0.5
