"""modes: tables, JSON and pictures of flexible bodies"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from tests.cli.conftest import Run
from tests.cli.test_models import refused
from tests.flexible.reduced_bodies import random_reduced

RunJson = Callable[..., dict[str, Any]]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model with two flexible bodies, and a reduced body beside it."""
    s = fb.System("two")
    beam = fb.Beam(length=2, EI=(100, 80), GJ=50, EA=1e5, density=1.0, polar_inertia=0.01)
    boom = s.body("boom", joint=fb.Revolute("z"), flexible=beam, modes={"bending y": 2, "torsion": 1})
    s.body("part", on=boom.node("tip"), joint=fb.Revolute("y"), flexible=random_reduced(1))
    random_reduced(1).save(tmp_path / "part.npz")
    random_reduced(1).save(tmp_path / "part.SID")
    return s.save(tmp_path / "two.yaml")


def test_tables_of_models_and_of_reduced_bodies(run: Run, run_json: RunJson, model: Path) -> None:
    out = run("modes", model).stdout
    boom = fb.load(model).bodies["boom"].modes
    assert all(cell in out for row in boom.rows() for cell in row) and "boom.m3" in out and "part.m4" in out
    found = run_json("modes", model)["bodies"]
    assert [body["name"] for body in found] == ["boom", "part"]
    assert [mode["frequency"] for mode in found[0]["modes"]] == boom.frequencies.tolist()
    assert {mode["kind"] for mode in found[0]["modes"]} == {"bending y", "torsion"}
    (one,) = run_json("modes", model, "--body", "part")["bodies"]
    for name in ("part.npz", "part.SID"):
        (body,) = run_json("modes", model.parent / name)["bodies"]
        assert body["name"] == "part" and [m["name"] for m in body["modes"]] == ["m1", "m2", "m3", "m4"]
        assert [m["frequency"] for m in body["modes"]] == [m["frequency"] for m in one["modes"]]
        assert np.array_equal(body["modes"][0]["effective_mass"], one["modes"][0]["effective_mass"])


def test_shapes_are_drawn(run: Run, run_json: RunJson, model: Path, tmp_path: Path) -> None:
    result = run_json("modes", model, "-o", "shapes.png", "--modes", 2)
    assert result["files"] == ["shapes.png"] and (tmp_path / "shapes.png").read_bytes().startswith(b"\x89PNG")
    assert run("modes", tmp_path / "part.SID", "--out", "shapes.svg").exit_code == 0
    drawn = (tmp_path / "shapes.svg").read_text()
    assert drawn.count("<g id=\"axes_") == 4


def test_wrong_arguments(run: Run, model: Path, pendulum: Path, tmp_path: Path) -> None:
    refused(run("modes", pendulum), 2, "pendulum has no flexible bodies")
    refused(run("modes", model, "--body", "bom"), 2, "--body: there is no 'bom' (did you mean 'boom'?)")
    refused(run("modes", model, "-o", "shapes.txt"), 2, "the name must end in .png, .svg, .pdf")
    refused(run("modes", tmp_path / "none.npz"), 4, "there is no such file")
    refused(run("modes", tmp_path / "part.mnf"), 4, "an MNF file is a binary format of Adams")
    rigid = tmp_path / "rigid.yaml"
    beam = "{type: beam, length: 1, EI: [1, null], density: 1, polar_inertia: 1}"
    rigid.write_text(f"bodies: {{boom: {{flexible: {beam}, modes: 0}}}}")
    assert "boom: no modes" in run("modes", rigid).stdout
    refused(run("modes", rigid, "-o", "shapes.png"), 2, "there are no modes to draw")
