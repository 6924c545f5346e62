"""Shapes of contacts in pictures: coloured while they touch, and drawn where bodies are not drawn with them."""

from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from freebody.viewer.contact_shapes import TOUCHED
from freebody.viewer.scene import GROUND
from freebody.viewer.scene_of_run import scene_of_run
from tests.contact.systems import G

pytestmark = pytest.mark.filterwarnings("ignore")  # of shapes that overlap


def system() -> fb.System:
    """A ball with an invisible point above a tilted plate of the ground."""
    s, rubber = fb.System("drop"), fb.ContactMaterial(1e4, dissipation=0.5, friction=0.5)
    ball = s.body("ball", joint=fb.Free(), mass=1.0, inertia=(0.004,) * 3, shape=fb.Sphere(0.1))
    s.contact(ball, s.ground.shape(fb.Box(1, 1, 0.1, rpy=(0, 0.2, 0), color="tan")), rubber, "plate")
    s.contact(ball, s.ground.plane(), rubber, "floor")
    s.contact(ball.shape(fb.Sphere(0, at=(0, 0, 0.2))), s.ground.plane(), rubber, "point")
    s.contact(ball.shape(fb.Sphere(0.05, at=(0, 0, 0.1))), s.ground.plane(), rubber, "bump")
    return s


def test_shapes_are_coloured_while_they_touch(tmp_path: Path) -> None:
    run = system().simulate(np.linspace(0, 0.3, 31), q={"ball.z": 0.3})
    assert 0 < np.count_nonzero(run["contact.plate.normal"]) < 31
    run.save(tmp_path / "drop.nc")
    for one in (run, fb.Trajectory.load(tmp_path / "drop.nc")):
        scene = scene_of_run(one)
        coloured = [item for item in scene.items if item.color == TOUCHED]
        assert {item.engaged for item in coloured} == {f"contact.{c}.normal" for c in ("plate", "floor", "bump")}
        assert {item.engaged for item in coloured} <= {series.key for series in scene.series}
        ball = next(item for item in coloured if item.engaged == "contact.floor.normal")
        points = ball.geometry.vertices @ ball.transform[:, :3].T + ball.transform[:, 3]
        assert np.linalg.norm(points, axis=1).max() == pytest.approx(0.102, rel=1e-2)
        grounds = [item for item in scene.items if item.body == GROUND and item.layer == "bodies"]
        assert len(grounds) == 1  # the plate; the floor is where the grid is
        added = [item for item in scene.items if item.made and item.body != GROUND and not item.engaged]
        assert len([item for item in added if item.layer == "bodies"]) == 1  # the bump
        force = next(arrow for arrow in scene.arrows if arrow.name == "plate")
        assert (force.kind, force.layer) == ("force", "loads")


def test_pictures_of_models_have_no_touched_shapes(tmp_path: Path) -> None:
    page = system().view(tmp_path / "model.html", q={"ball.z": 0.05})
    assert page.read_text(encoding="utf-8").count("contact.plate.normal") <= 1  # the name of a series alone


def test_live_values_say_what_touches() -> None:
    sim = system().simulator(q={"ball.z": 0.14 - G / 1e4})
    assert sim["contact.plate.normal"] > 0
    assert sim["contact.floor.normal"] == 0
