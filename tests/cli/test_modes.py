"""modes: tables, JSON, files and pictures of machines and of flexible bodies"""

import csv
from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from tests.cli.conftest import Run, RunJson
from tests.cli.test_models import refused
from tests.flexible.reduced_bodies import random_reduced
from tests.viewer.test_scene_of_runs import scene_in


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


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A beam on a hinge with a spring, which sags."""
    s = fb.System("crane", gravity=(0, 0, -1))
    hub = s.body("hub", joint=fb.Revolute("y", stiffness=50), mass=1, inertia=(1, 1, 1))
    s.body("boom", on=hub, flexible=fb.Beam(length=2, EA=1e7, EI=(1e3, None), density=1.2), modes=2)
    return s.save(tmp_path / "crane.yaml")


def test_modes_of_a_machine_near_an_equilibrium(run: Run, run_json: RunJson, machine: Path) -> None:
    """Those of the linear system, also about a point that was trimmed, and as a table."""
    linear = fb.load(machine).linearize(at={"q.hub": 0.2}, trim=True)
    options = ("modes", machine, "--set", "q.hub=0.2", "--trim")
    found = run_json(*options, "--save", "modes.csv")
    assert found["largest_rate"] is None and found["warnings"] == [] and found["rigid"] == linear.modes().rigid
    for mode, one in zip(found["modes"], linear.modes(), strict=True):
        assert complex(*mode["eigenvalue"]) == pytest.approx(one.value, rel=1e-6, abs=1e-9)
        assert mode["states"] == list(one.states) and mode["frequency"] == pytest.approx(one.frequency, rel=1e-6)
    assert {name for mode in found["modes"] for name in mode["kinetic"]} == {"hub", "boom"}
    head, *rows = csv.reader(Path("modes.csv").read_text(encoding="utf-8").splitlines())
    assert head[2] == "frequency [rad/s]" and len(rows) == len(found["modes"])
    assert [float(row[2]) for row in rows] == [mode["frequency"] for mode in found["modes"]]
    shown = run(*options)
    assert shown.stdout.startswith(f"crane: {len(rows)} modes near an equilibrium") and shown.stderr == ""
    assert all(cell in shown.stdout for cell in linear.modes()._table().rows[-1])


def test_modes_of_a_pendulum_and_of_a_point_that_is_no_equilibrium(run: Run, run_json: RunJson, pendulum: Path) -> None:
    (mode,) = run_json("modes", pendulum, "--parameter", "l=0.4")["modes"]
    assert mode["frequency"] == pytest.approx(np.sqrt(9.81 / 0.4)) and mode["states"] == ["q.arm", "u.arm"]
    assert mode["displacements"].keys() == {"arm"}
    away = run("modes", pendulum, "--set", "q.arm=0.3")
    assert away.exit_code == 0 and "near a point that is not an equilibrium" in away.stdout
    assert "warning: pendulum: This point is not an equilibrium: u.arm changes at" in away.stderr
    assert away.stderr.endswith("Linearise about an equilibrium: --trim.\n")
    found = run_json("modes", pendulum, "--set", "q.arm=0.3")
    assert found["largest_rate"]["state"] == "u.arm" and len(found["warnings"]) == 1
    assert run("modes", pendulum, "--set", "q.arm=0.3", "--trim").stderr == ""


def test_modes_of_a_machine_are_shown_in_motion(run: Run, run_json: RunJson, machine: Path, tmp_path: Path) -> None:
    assert run_json("modes", machine, "-o", "modes.html", "--modes", 2)["files"] == ["modes.html"]
    scene, _ = scene_in(tmp_path / "modes.html")
    assert [name for name in ("mode 1: ", "mode 2: ", "mode 3: ") if name in str(scene)] == ["mode 1: ", "mode 2: "]


def test_tables_of_models_and_of_reduced_bodies(run: Run, run_json: RunJson, model: Path) -> None:
    both = ("--body", "boom", "--body", "part")
    out = run("modes", model, *both).stdout
    boom = fb.load(model).bodies["boom"].modes
    assert all(cell in out for row in boom.rows() for cell in row) and "boom.m3" in out and "part.m4" in out
    found = run_json("modes", model, *both)["bodies"]
    assert [body["name"] for body in found] == ["boom", "part"]
    assert [mode["frequency"] for mode in found[0]["modes"]] == boom.frequencies.tolist()
    assert {mode["kind"] for mode in found[0]["modes"]} == {"bending y", "torsion"}
    (one,) = run_json("modes", model, "--body", "part")["bodies"]
    for name in ("part.npz", "part.SID"):
        (body,) = run_json("modes", model.parent / name)["bodies"]
        assert body["name"] == "part" and [m["name"] for m in body["modes"]] == ["m1", "m2", "m3", "m4"]
        assert [m["frequency"] for m in body["modes"]] == [m["frequency"] for m in one["modes"]]
        assert np.array_equal(body["modes"][0]["effective_mass"], one["modes"][0]["effective_mass"])
    assert run("modes", model, *both, "--save", "modes.csv").exit_code == 0
    rows = list(csv.DictReader(Path("modes.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["body"] for row in rows] == ["boom"] * 3 + ["part"] * 4
    assert float(rows[0]["mass y [kg]"]) == found[0]["modes"][0]["effective_mass"][4]


def test_shapes_are_drawn(run: Run, run_json: RunJson, model: Path, tmp_path: Path) -> None:
    result = run_json("modes", model, "--body", "boom", "-o", "shapes.png", "--modes", 2)
    assert result["files"] == ["shapes.png"] and (tmp_path / "shapes.png").read_bytes().startswith(b"\x89PNG")
    assert run("modes", tmp_path / "part.SID", "--out", "shapes.svg").exit_code == 0
    drawn = (tmp_path / "shapes.svg").read_text()
    assert drawn.count('<g id="axes_') == 4


def test_wrong_arguments(run: Run, model: Path, pendulum: Path, tmp_path: Path) -> None:
    refused(run("modes", pendulum, "--body", "arm"), 2, "pendulum has no flexible bodies; without --body")
    refused(run("modes", pendulum, "-o", "shapes.png"), 2, "in a page (.html, .htm)", "add --body NAME")
    refused(run("modes", model, "--body", "boom", "-o", "shapes.html"), 2, "the name must end in .png, .svg, .pdf")
    refused(run("modes", model, "--body", "boom", "--trim"), 2, "the own modes of a body do not depend on --trim")
    refused(run("modes", tmp_path / "part.npz", "--set", "q.boom=1"), 2, "do not depend on --set")
    refused(run("modes", tmp_path / "part.npz", "--no-physical"), 2, "do not depend on --no-physical")
    refused(run("modes", model, "--modes", 3), 2, "--modes is about what --out shows; give --out PATH too")
    refused(
        run("modes", pendulum, "--hold", "arm"), 2, "--hold is used only with the search for an equilibrium: add --trim"
    )
    refused(run("modes", model, "--save", "no/modes.csv"), 4, "there is no folder no; make it first")
    refused(run("modes", model, "--save", "modes.txt"), 2, "the name must end in .csv")
    refused(run("modes", model, "--body", "bom"), 2, "--body: there is no 'bom' (did you mean 'boom'?)")
    refused(run("modes", model, "-o", "shapes.txt"), 2, "the name must end in .html, .htm")
    refused(run("modes", tmp_path / "none.npz"), 4, "there is no such file")
    refused(run("modes", tmp_path / "part.mnf"), 4, "an MNF file is a binary format of Adams")
    rigid = tmp_path / "rigid.yaml"
    beam = "{type: beam, length: 1, EI: [1, null], density: 1, polar_inertia: 1}"
    rigid.write_text(f"bodies: {{boom: {{flexible: {beam}, modes: 0}}}}")
    assert "boom: no modes" in run("modes", rigid, "--body", "boom").stdout
    refused(run("modes", rigid, "--body", "boom", "-o", "shapes.png"), 2, "there are no modes to draw")
