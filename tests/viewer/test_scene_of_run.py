"""Scenes of runs: poses, arrows, and what can be seen between the saved times."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, BackendError, FileError
from freebody.viewer.browser import take_picture
from freebody.viewer.extent import room
from freebody.viewer.picture_times import FINE, with_picture_times
from freebody.viewer.scene import GROUND, Clip
from freebody.viewer.scene_of_run import rotate, scene_of_run
from freebody.viewer.system_scene import ellipsoid
from tests.viewer.test_scene_of_runs import scene_in


def pendulum() -> fb.System:
    s = fb.System("pendulum")
    arm = s.body("arm", joint=fb.Revolute("y"), mass=2.0, com=(0, 0, -1), inertia=(0.3, 0.3, 0.01))
    s.body("bob", on=arm, at=(0, 0, -2), joint=fb.Revolute("x"), mass=1.0, com=(0, 0.2, -0.5), inertia=(0.1, 0.1, 0.1))
    s.spring(arm.point((0, 0, -2)), s.ground.point((1, 0, 0)), stiffness=5, free_length=1, name="coil")
    return s


def between(clip: Clip, t: float) -> np.ndarray:
    """The positions that the viewer shows: cubic, with slopes by differences of neighbours."""
    k = int(np.clip(np.searchsorted(clip.t, t) - 1, 0, len(clip.t) - 2))
    slopes = np.gradient(clip.positions, clip.t, axis=0)
    h = clip.t[k + 1] - clip.t[k]
    w = (t - clip.t[k]) / h
    a, b = clip.positions[k], clip.positions[k + 1]
    into, out = slopes[k] * h, slopes[k + 1] * h
    w2, w3 = w * w, w * w * w
    return a * (2 * w3 - 3 * w2 + 1) + into * (w3 - 2 * w2 + w) + b * (3 * w2 - 2 * w3) + out * (w3 - w2)


@pytest.mark.parametrize("saved", [7, 400])
def test_the_motion_between_the_times_of_a_picture_is_that_of_the_run(saved: int) -> None:
    """Also where the run was saved at a few times only."""
    run = pendulum().simulate(np.linspace(0, 4, saved), q={"arm": 2.0}, u={"bob": 20.0})
    clip = scene_of_run(with_picture_times(run)[0]).clips[0]
    for t in np.random.default_rng(1).uniform(0, 4, 40):
        exact = np.stack([pose[0] for pose in run.at([t]).poses.values()])
        assert np.abs(between(clip, t) - exact[:, :3]).max() < 5 * FINE * 5.0
    assert set(run.t) <= set(clip.t)
    turned = np.abs(np.sum(clip.turns[1:] * clip.turns[:-1], axis=2))
    assert turned.min() > np.cos(0.2) and np.allclose(np.linalg.norm(clip.turns, axis=2), 1)


def test_a_picture_with_few_times_has_those_of_the_fastest_motion() -> None:
    """A pendulum that is hit and whirls for a short while, at 40 times instead of those that it needs."""
    s = fb.System("pendulum")
    s.body("arm", joint=fb.Revolute("y", damping=2.0), mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    run = s.simulate(np.linspace(0, 4, 21), u={"arm": 60.0})
    shown, notes = with_picture_times(run, 40)
    whole, none = with_picture_times(run)
    assert len(shown) == 40 < len(whole) and none == []
    assert notes == ["Some motions are too fast for the 40 times of this picture."]
    assert set(run.t) <= set(shown.t) and np.count_nonzero(shown.t < 0.6) > 15
    few, _ = with_picture_times(run, 10)
    assert len(few) == 10 and set(few.t) <= set(run.t)


def test_arrows_show_loads_and_reactions() -> None:
    """The reaction at the pivot and the spring carry the weight of all bodies and what accelerates them."""
    s = pendulum()
    run, _ = with_picture_times(s.simulate(1.0, q={"arm": 0.7}, u={"bob": 1.0}))
    scene = scene_of_run(run, run.reactions)
    clip = scene.clips[0]
    bodies = [*(b.name for b in scene.bodies), "ground"]
    named = {(a.name, a.kind, bodies[a.body]): k for k, a in enumerate(scene.arrows)}
    pull = clip.vectors[:, named["coil", "force", "arm"]]
    assert np.allclose(pull, -clip.vectors[:, named["coil", "force", "ground"]])
    assert np.allclose(np.linalg.norm(pull, axis=1), np.abs(run["load.coil"]))
    pivot = clip.vectors[:, named["arm", "force", "arm"]]
    rate = np.gradient(run["momentum.linear"], run.t, axis=0, edge_order=2)
    total = pivot + pull + 3.0 * np.array([0, 0, -9.81])
    assert np.allclose(total[2:-2], rate[2:-2], atol=2e-2 * np.abs(rate).max())


def test_torques_that_are_rounding_errors_are_not_shown() -> None:
    """A pendulum in a plane has no reaction torque, one whose mass centre is beside the plane has."""
    for beside, seen in ((0.0, False), (1e-6, True)):
        s = fb.System("pendulum")
        s.body("arm", joint=fb.Revolute((0.3, 1, 0)), mass=1.0, com=(0.3 * beside, beside, -0.5), inertia=(0.1,) * 3)
        run = s.simulate(1.0, q={"arm": 0.7})
        scene = scene_of_run(run, run.reactions)
        (torque,) = (k for k, arrow in enumerate(scene.arrows) if arrow.kind == "torque")
        largest = float(np.abs(scene.clips[0].vectors[:, torque]).max())
        assert largest > 1e-7 if seen else largest == 0.0
        assert np.abs(run.reactions["arm.torque"]).max() > 0


def test_the_reaction_of_a_joint_that_closes_a_loop_at_the_ground() -> None:
    """A body hangs on the ground by a closing joint alone."""
    s = fb.System("hung")
    body = s.body("body", joint=fb.Free(), mass=2.0, inertia=(0.1, 0.2, 0.3))
    s.close(body.point((0, 0, 0.5)), s.ground.point((0, 0, 0.5)), fb.Spherical(), name="hook")
    run = s.simulate(np.linspace(0, 1, 201), u={"body.wx": 1.0})
    scene = scene_of_run(run, run.reactions)
    (hook,) = [k for k, a in enumerate(scene.arrows) if a.name == "hook" and a.kind == "force" and a.body == GROUND]
    rate = np.gradient(run["momentum.linear"], run.t, axis=0, edge_order=2)
    assert np.allclose(-scene.clips[0].vectors[:, hook] + [0, 0, -2 * 9.81], rate, atol=1e-2)


def test_a_run_from_a_file_has_the_same_picture(tmp_path: Path) -> None:
    run = pendulum().simulate(1.0, q={"arm": 0.7})
    loaded = fb.Trajectory.load(run.save(tmp_path / "run.nc"))
    one, other = (scene_of_run(r) for r in (run, loaded))
    assert np.allclose(one.clips[0].positions, other.clips[0].positions, atol=1e-12)
    assert np.allclose(one.clips[0].vectors, other.clips[0].vectors, atol=1e-9)
    assert len(one.items) == len(other.items) and [b.name for b in other.bodies] == ["arm", "bob"]
    assert loaded.animate(tmp_path / "run.html").stat().st_size > 1000
    with pytest.raises(ArgumentError, match="simulate again"):
        _ = loaded.reactions
    for options, text in (({"t": []}, "not a number"), ({"reactions": "no"}, "True or False")):
        with pytest.raises(ArgumentError, match=text):
            run.animate(tmp_path / "run.html", **options)
    for show in (run.animate, partial(fb.animate, [run, run])):
        with pytest.raises(FileError, match="no such folder"):
            show(tmp_path / "run.html", meshes="nowhere")


def test_a_run_without_a_finite_pose_is_refused(tmp_path: Path) -> None:
    s = fb.System("lost")
    s.body("lost", joint=fb.Prismatic("x", motion="sqrt(t - 10)"), mass=1.0)
    run = s.simulate(1.0)
    with pytest.raises(ArgumentError, match="no pose is finite"):
        run.animate(tmp_path / "run.html")
    assert "lost" in run._repr_html_()


def test_jumps_are_shown_with_both_sides() -> None:
    s = fb.System("ball")
    s.body("ball", joint=fb.Prismatic("z"), mass=1.0)
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"}, name="bounce")
    run = s.simulate(np.linspace(0, 1, 11), q={"ball": 1.0}, events=[bounce])
    clip = scene_of_run(with_picture_times(run)[0]).clips[0]
    (hit,) = (t for t, name in clip.events if name == "bounce" and t < 0.6)
    assert np.sum(np.isclose(clip.t, hit, atol=1e-12)) == 2
    speed = [k for k, one in enumerate(scene_of_run(run).series) if one.key == "u.ball"]
    before, after = clip.series[np.isclose(clip.t, hit, atol=1e-12)][:, speed].ravel()
    assert before < 0 < after and np.isclose(after, -0.8 * before)


def test_a_run_that_goes_far_is_followed() -> None:
    s = fb.System("train")
    s.body("waggon", joint=fb.Prismatic("x"), mass=10.0, inertia=(1, 1, 1))
    near, far = (scene_of_run(s.simulate(1.0, u={"waggon": v})) for v in (0.1, 1000.0))
    assert near.follow == GROUND and far.follow == 0


def test_an_empty_run_cannot_be_shown(tmp_path: Path) -> None:
    run = pendulum().simulate(1.0)
    empty = type(run)(run.about, run.t[:0], run.x[:0], drawing=run.drawing)
    with pytest.raises(ArgumentError, match="no saved times"):
        empty.animate(tmp_path / "run.html")
    bare = type(run)(run.about, run.t, run.x, recorded=run.recorded)
    with pytest.raises(ArgumentError, match=r"run\.plot"):
        bare.animate(tmp_path / "run.html")


def test_a_picture_without_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREEBODY_BROWSER", "/nonexistent")
    with pytest.raises(BackendError, match="FREEBODY_BROWSER names '/nonexistent', which is not a program"):
        take_picture("", tmp_path / "run.png", (100, 100))
    monkeypatch.delenv("FREEBODY_BROWSER")
    monkeypatch.setattr("freebody.viewer.browser.BROWSERS", ())
    with pytest.raises(BackendError, match=r"none was found\. Install chromium"):
        take_picture("", tmp_path / "run.png", (100, 100))


def test_the_ellipsoid_of_inertia_has_that_inertia() -> None:
    rng = np.random.default_rng(3)
    mass, half = 2.5, np.array([0.3, 0.5, 0.9])
    moments = mass / 5 * (np.sum(half**2) - half**2)
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    J = Q @ np.diag(moments) @ Q.T
    radii, q = np.split(np.array(ellipsoid(mass, (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]))), [3])
    axes = np.stack([rotate(q[None], e[None])[0] for e in np.eye(3)], axis=1)
    again = axes @ np.diag(mass / 5 * (np.sum(radii**2) - radii**2)) @ axes.T
    assert np.allclose(again, J) and np.allclose(np.sort(radii), half)


def flexible_arm() -> fb.System:
    s = fb.System("boom")
    s.body("boom", joint=fb.Weld(), flexible=fb.Beam(length=5, EA=1e6, EI=(None, 2e6), density=1.2), modes=2)
    return s


def test_deformations_are_true_unless_a_factor_is_asked_for(tmp_path: Path) -> None:
    run = flexible_arm().simulate(0.2)
    scene, _ = scene_in(run.animate(tmp_path / "true.html"))
    assert scene["deformation"] == 1.0 and scene["flexible"][0]["magnify"] > 10  # proposed in the menu
    scene, _ = scene_in(run.animate(tmp_path / "large.html", deformation=50))
    assert scene["deformation"] == 50.0
    scene, _ = scene_in(fb.animate([run, run], tmp_path / "two.html", deformation=20))
    assert scene["deformation"] == 20.0
    scene, _ = scene_in(flexible_arm().view(tmp_path / "model.html", q={"boom.m1": 0.01}, deformation=5))
    assert scene["deformation"] == 5.0


@pytest.mark.parametrize("factor", [0, -2, float("nan"), float("inf"), True, "50", None])
def test_factors_of_deformations_that_mean_nothing_are_refused(factor: Any, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"deformation is the factor .*, a positive number such as 50 \(default: 1"):
        flexible_arm().simulate(0.1).animate(tmp_path / "run.html", deformation=factor)


def test_a_factor_without_flexible_bodies_or_live_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"deformation=50: .* has no flexible body whose deformation could be"):
        pendulum().simulate(0.1).animate(tmp_path / "run.html", deformation=50)
    with pytest.raises(ArgumentError, match=r"view\(live=True\) shows deformations as they are"):
        flexible_arm().view(live=True, deformation=2)


def test_what_follows_a_run_is_measured_by_the_system_at_its_start() -> None:
    """The waggon is 2 m long; a mast on the ground that is much larger changes nothing, parts that move do."""

    def train(speed: float, load: float = 0.0) -> int:
        s = fb.System("train", gravity=(0, 0, 0))
        s.body("mast", joint=fb.Weld(), mass=1e6, inertia=(1, 1, 1), shape=fb.Box(1, 1, 100))
        waggon = s.body("waggon", joint=fb.Prismatic("x"), mass=10.0, inertia=(1, 1, 1), shape=fb.Box(2, 1, 1))
        if load:
            s.body("load", on=waggon, mass=1.0, shape=fb.Box(load, 1, 1, at=(load / 2, 0, 0)))
        return scene_of_run(s.simulate(1.0, u={"waggon": speed})).follow

    assert train(3.0) == GROUND and train(6.0) == 1
    assert train(6.0, load=10.0) == GROUND and train(30.0, load=10.0) == 1


def test_the_room_of_a_system_is_that_of_what_moves_and_of_fixed_bodies_beside_it() -> None:
    """A base counts whole, a floor only beside the arm, a beam with its mesh, nothing at all as a typical length."""
    at_rest = np.zeros((3, 3)), np.tile([1.0, 0, 0, 0], (3, 1))

    def room_of(base: float, floor: float) -> np.ndarray:
        s = fb.System("arm")
        s.body("floor", shape=fb.Plate(floor, floor, 0.1, at=(0, 0, -base)))
        s.body("base", shape=fb.Box(base, base, base))
        s.body("arm", joint=fb.Revolute("y"), mass=1.0, inertia=(1, 1, 1), shape=fb.Box(2, 0.1, 0.1, at=(1, 0, 0)))
        scene = scene_of_run(s.simulate(0.01))
        return np.array(room(scene, *at_rest))

    low, high = room_of(1.0, 3.0)
    assert np.allclose(low, (-1.5, -1.5, -1.05), atol=0.01) and high[0] == pytest.approx(2.0)
    low, high = room_of(1.0, 1000.0)
    assert (high - low).max() < 3.5 and low[2] < -0.3
    low, high = room(scene_of_run(flexible_arm().simulate(0.01)), *at_rest)
    assert high[0] - low[0] == pytest.approx(5.0, rel=0.1)
    s = fb.System("point")
    s.body("point", mass=1.0)
    scene = replace(scene_of_run(s.simulate(0.01)), items=[])
    for place in (0.0, np.nan):
        low, high = room(scene, np.full((1, 3), place), at_rest[1][:1])
        assert np.allclose(high - low, 2 * scene.size)
