"""Flexible bodies in tables, in the diagram, in reports and in the command ``freebody info``."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import freebody as fb
from freebody.cli import app
from freebody.errors import SimulationWarning
from freebody.report.page import warnings


@pytest.fixture(scope="module")
def spacecraft() -> fb.System:
    s = fb.System("spacecraft", gravity=(0, 0, 0))
    hub = s.body("hub", joint=fb.Revolute("z"), mass=10.0, inertia=(10, 10, 10))
    joint = fb.Revolute("y", stiffness=10, limits=(-0.02, 0.02))
    panel = s.body(
        "panel", on=hub, joint=joint, flexible=fb.Beam(length=6, EI=(900, 800), density=1.5, damping=0.01), modes=3
    )
    s.body("ball", on=panel.node("tip"), joint=fb.Revolute("z"), mass=1.0, inertia=(1, 1, 1))
    return s


def test_tables_list_flexible_bodies_and_their_modes(spacecraft: fb.System) -> None:
    tables = {table.title: table for table in spacecraft.derive().roadmap()}
    joints = [row[:3] for row in tables["Bodies and joints"].rows]
    assert joints == [
        ("hub", "ground", "revolute"),
        ("panel", "hub", "revolute, flexible"),
        ("panel.tip", "panel", "node of panel"),
        ("ball", "panel.tip", "revolute"),
    ]
    assert tables["Flexible bodies"].rows == (("panel", "beam", "full", "3", "2.256 … 14.14", "root, tip"),)
    modes = tables["Modes"]
    assert [row[:3] for row in modes.rows] == [
        ("panel", "panel.m1", "bending z"),
        ("panel", "panel.m2", "bending y"),
        ("panel", "panel.m3", "bending z"),
    ]
    assert modes.rows[1][3:] == ("2.392", "0.3808", "0.01", "0", "5.518", "0", "0", "0", "104.8")
    rigid = fb.System("rigid")
    rigid.body("arm", joint=fb.Revolute("z"), mass=1.0, inertia=(1, 1, 1))
    assert not {"Modes", "Flexible bodies"} & {table.title for table in rigid.derive().roadmap()}


def test_info_counts_nodes_apart_from_bodies(spacecraft: fb.System, tmp_path: Path) -> None:
    file, command = spacecraft.save(tmp_path / "spacecraft.yaml"), CliRunner()
    text = command.invoke(app, ["info", str(file)]).output
    assert "spacecraft: 3 bodies, 1 node, 6 degrees of freedom" in text
    assert "node of panel" in text and "Flexible bodies" in text and "panel.m3" in text
    bodies = json.loads(command.invoke(app, ["info", "--json", str(file)]).output)["bodies"]
    assert "flexible" not in bodies[0] and bodies[2]["joint"] == "node"
    flexible = bodies[1]["flexible"]
    assert flexible["description"] == "beam" and flexible["coordinates"] == ["panel.m1", "panel.m2", "panel.m3"]
    expected = spacecraft.bodies["panel"].modes
    assert [mode["frequency"] for mode in flexible["modes"]] == expected.frequencies.tolist()


def test_diagram_shows_flexible_bodies_bent_and_nodes_as_dots(spacecraft: fb.System) -> None:
    svg = spacecraft.diagram().svg
    assert svg.count('class="flexible"') == 1 and svg.count('class="node"') == 1 and svg.count('class="body"') == 3
    assert "9 kg · 3 modes" in svg and "node tip of panel" in svg and "flexible (beam, full)" in svg
    assert ">revolute · 1 dof<" in svg and "m1" not in svg.split("<title>revolute of panel")[1].split("</title>")[1]


def test_reports_contain_modes_and_strain_energy(spacecraft: fb.System, tmp_path: Path) -> None:
    with pytest.warns(SimulationWarning, match="coordinate 'panel' leaves its limits"):
        run = spacecraft.simulate(1.0, q={"panel.m1": 0.3, "panel": 0.01}, u={"hub": 0.1})
    loaded = fb.Trajectory.load(run.save(tmp_path / "run.nc"))
    assert loaded.about == run.about and loaded.about.bodies["panel"].flexible is not None
    pages = [
        spacecraft.report(tmp_path / "model.html"),
        run.report(tmp_path / "run.html"),
        loaded.report(tmp_path / "loaded.html"),
    ]
    for page in pages:
        text = page.read_text()
        assert "<h3>Modes</h3>" in text and "<h3>Flexible bodies</h3>" in text and "node of panel" in text, page
        assert "nodes of flexible bodies" in text, page
    assert "energy.strain" in pages[1].read_text() and "of which strain energy" in pages[1].read_text()
    # limits are those of the joint: the amplitudes of modes may be larger
    assert np.max(np.abs(run["q.panel.m1"])) > 0.02 and np.max(np.abs(run["q.panel"])) > 0.02
    assert [text.split()[1] for text in warnings(run)] == ["'panel'"]
