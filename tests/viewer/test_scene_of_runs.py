"""Pages of models, modes, runs and sweeps: what they hold is the motion of the system, and what cannot be shown is
refused with a reason."""

import re
from base64 import b64decode
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, FileError, FileWarning, SimulationWarning
from freebody.report.model_scene import model_scene
from freebody.results.case_runs import FACTS, CaseRuns
from freebody.viewer.scene_of_runs import GHOSTS, evenly, scene_of_runs, viridis
from tests.viewer.test_scene_file import decode_rows, read_scene


def scene_in(path: Path) -> tuple[dict[str, Any], Any]:
    """The scene of a page, as a browser reads it."""
    match = re.search(r'id="fb-scene-1"[^>]*>([^<]*)<', path.read_text())
    assert match is not None
    return read_scene(b64decode(match[1]))


def pendulum(length: float = 0.5) -> fb.System:
    s = fb.System("pendulum")
    m, l = s.parameters(m=1.0, l=length)
    upper = s.body(
        "upper", joint=fb.Revolute("y", limits=(-2, 2)), mass=m, com=(0, 0, -l / 2), inertia=fb.rod(m, l, "z")
    )
    s.body(
        "lower", on=upper, at=(0, 0, -l), joint=fb.Revolute("y"), mass=m, com=(0, 0, -l / 2), inertia=fb.rod(m, l, "z")
    )
    s.spring(upper.point((0, 0, -0.2)), s.ground.point((1, 0, 0)), 2.0, name="pull")
    return s


@pytest.fixture(scope="module")
def swept() -> Any:
    return pendulum().sweep(
        [0, 0.1, 0.2, 0.5], {"q.upper": [0.1, 0.9], "m": [1.0, 2.0, 3.0]}, record=["pose", "energy"]
    )


def test_a_model_has_sliders_and_no_clip(tmp_path: Path) -> None:
    s = pendulum()
    s.rod("lower", s.ground.point((0.3, 0, 0)), 1.0, name="latch", engaged=False)
    scene, read = scene_in(s.view(tmp_path / "model.html", q={"upper": 0.3}, parameters={"l": 0.7}))
    motion, first = scene["motion"], scene["motion"]["coordinates"][0]
    assert scene["clips"] == [] and [c["name"] for c in motion["coordinates"]] == ["upper", "lower"]
    assert first | {"low": -2, "high": 2, "initial": 0.3, "limited": True} == first
    assert 0.7 in np.abs(read(motion["numbers"])) and 0.5 not in np.abs(read(motion["numbers"]))
    drawn = [x for group in ("items", "lines", "links") for x in scene[group]]
    assert not any(x["engaged"] for x in drawn) and [x["kind"] for x in scene["links"]] == ["spring"]
    assert {b["name"] for b in scene["bodies"]} == {"upper", "lower"}
    with pytest.raises(FileError, match=r"model\.png.*\.html"):
        s.view(tmp_path / "model.png")


def test_a_model_whose_loops_cannot_close_is_shown_open_with_a_warning(tmp_path: Path) -> None:
    from examples.four_bar import system as four_bar

    given = {"crank": 1.0, "coupler": -0.5, "rocker": 2.0}
    with pytest.warns(SimulationWarning, match="loops are shown open: four-bar: constraint 'pin'"):
        scene, _ = scene_in(four_bar().view(tmp_path / "model.html", q=given))
    assert {c["name"]: c["initial"] for c in scene["motion"]["coordinates"]} == given
    assert any("shown open" in note for note in scene["notes"])


def test_a_model_without_a_table_stands_still() -> None:
    s = pendulum()
    slope = fb.callback("slope", lambda x: 2 * x, derivative=lambda x: 2.0)
    ramp = fb.callback("ramp", lambda x: x**2, derivative=slope)
    s.body("rider", joint=fb.Custom(lambda x: (x, fb.apply(ramp, x), 0), initial=0.5), mass=1, inertia=(1, 1, 1))
    eq = s.derive()
    scene = model_scene(eq.derivation, eq.values)
    assert scene.motion is None and "'ramp'" in scene.notes[0] and len(scene.clips) == 1
    assert np.allclose(scene.clips[0].positions[0, 2], [0.5, 0.25, 0])


def test_modes_are_clips_that_repeat(tmp_path: Path) -> None:
    s = pendulum()
    modes = s.linearize(trim=True).modes()
    scene, read = scene_in(modes.animate(tmp_path / "modes.html"))
    assert [c["name"].split(":")[0] for c in scene["clips"]] == ["mode 1", "mode 2"]
    assert all(c["loop"] and re.search(r": [\d.]+ Hz", c["name"]) for c in scene["clips"]) and not scene["together"]
    for c in scene["clips"]:
        positions = decode_rows(c["positions"], read)
        assert np.allclose(positions[0], positions[-1], atol=1e-4) and np.ptp(positions, axis=0).max() > 0.02
        text = re.fullmatch(r"mode: (\w+) ± ([\d.]+) rad", c["note"])
        assert text is not None, c["note"]
        column = [one["key"] for one in scene["series"]].index(f"q.{text[1]}")
        turned = decode_rows(c["series"], read)[:, column]
        assert np.isclose(np.ptp(turned) / 2, float(text[2]), rtol=0.05)  # about the equilibrium
    small, read = scene_in(modes.animate(tmp_path / "small.html", 1, amplitude=0.1))
    assert len(small["clips"]) == 1 and "1 of 2" in small["notes"][0]
    assert np.ptp(decode_rows(small["clips"][0]["positions"], read), axis=0).max() < 0.03
    for wrong, text in (((0,), "a positive integer"), ((2.5,), "a positive integer")):
        with pytest.raises(ArgumentError, match=text):
            modes.animate(tmp_path / "x.html", *wrong)
    with pytest.raises(ArgumentError, match="minimal=True"):
        type(modes)(copy(mode) for mode in modes).animate(tmp_path / "x.html")


def test_modes_of_a_body_are_clips(tmp_path: Path) -> None:
    s = fb.System("boom")
    boom = s.body("boom", flexible=fb.Beam(length=10, EA=2.8e7, EI=(1.4e4, None), density=1.2), modes=3)
    scene, read = scene_in(boom.modes.animate(tmp_path / "modes.html", 2))
    assert len(scene["clips"]) == 2 and "Hz" in scene["clips"][0]["name"]
    (item,) = scene["flexible"]
    for k, c in enumerate(scene["clips"]):
        series = decode_rows(c["series"], read)
        moved = np.einsum("pcn,rn->rpc", read(item["shapes"]), series)
        assert 0.5 < np.abs(moved).max() < 2.0 and not series[:, 1 - k].any()
        largest = np.linalg.norm(moved, axis=2).max()
        assert c["note"].startswith("mode × ") and c["note"].endswith(f"up to {largest:.2g} m")


def test_cases_are_the_runs_of_the_sweep(swept: Any, tmp_path: Path) -> None:
    cases = CaseRuns(swept)
    assert len(cases) == 6 and list(cases.labels) == ["q.upper.initial", "m"]
    assert cases.label(4) == "q.upper.initial = 0.9, m = 2" and "energy.total" in cases[4]
    run = pendulum().simulate(swept.time.values, q={"upper": 0.9}, parameters={"m": 2.0})
    for name in ("pose.upper", "pose.lower", "energy.total", "q.lower", "u.lower"):
        assert np.allclose(cases[4][name], run[name], atol=1e-7)
    assert cases.of_cases("energy.total")[4] == pytest.approx(run["energy.total"][-1])
    assert cases.of_cases("m").tolist() == [1, 2, 3] * 2 and cases.of_cases("q.upper").tolist()[::3] == [0.1, 0.9]
    swept.to_netcdf(tmp_path / "sweep.nc")
    import xarray

    with xarray.open_dataset(tmp_path / "sweep.nc") as again:
        assert np.array_equal(CaseRuns(again)[5]["pose.lower"], cases[5]["pose.lower"])
    assert len(CaseRuns(swept.isel(m=1))) == 2 and len(CaseRuns(swept.isel({"m": 1, "q.upper.initial": 0}))) == 1


def test_sweeps_and_runs_are_ghosts(swept: Any, tmp_path: Path) -> None:
    scene, read = scene_in(fb.animate(swept, tmp_path / "sweep.html", color="energy.total"))
    assert scene["together"] and len(scene["clips"]) == 6 and "energy.total from" in scene["notes"][0]
    assert any("Shapes are those for m = 1" in note for note in scene["notes"])
    colors = np.array([c["color"] for c in scene["clips"]])
    assert np.allclose(colors, viridis(CaseRuns(swept).of_cases("energy.total")))
    assert np.allclose(
        decode_rows(scene["clips"][4]["positions"], read)[:, 3:], CaseRuns(swept)[4]["pose.lower"][:, :3], atol=1e-4
    )
    scene, _ = scene_in(fb.animate(swept, tmp_path / "sweep.html", cases=2))
    assert [c["name"] for c in scene["clips"]] == ["q.upper.initial = 0.1, m = 1", "q.upper.initial = 0.9, m = 3"]
    assert "2 of 6 cases" in scene["notes"][1] and "q.upper.initial from 0.1" in scene["notes"][0]
    runs = [pendulum().simulate(0.2, q={"upper": x}) for x in (0.2, 0.4)]
    scene, _ = scene_in(fb.animate({"slow": runs[0], "fast": runs[1]}, tmp_path / "runs.html", color="q.upper"))
    assert [c["name"] for c in scene["clips"]] == ["slow", "fast"] and scene["arrows"]
    scene, _ = scene_in(fb.animate(runs[0], tmp_path / "run.html"))
    assert len(scene["clips"]) == 1 and not scene["together"]


def test_variants_of_a_system_are_shown_together(tmp_path: Path) -> None:
    """A variable that one of them does not have is missing there; a load that it does not have is no arrow."""
    variant = pendulum()
    variant.output("height", "-cos(q.upper)")
    variant.force(2 * variant.ground.x, at="lower", name="push")
    scene, read = scene_in(fb.animate([s.simulate(0.2) for s in (pendulum(), variant)], tmp_path / "runs.html"))
    (k,), (push,) = (
        [n for n, one in enumerate(scene[kind]) if one["name" if kind == "arrows" else "key"] == name]
        for kind, name in (("series", "output.height"), ("arrows", "push"))
    )
    for clip, known in zip(scene["clips"], (False, True), strict=True):
        assert np.isfinite(decode_rows(clip["series"], read)[:, k]).all() == known
        assert np.allclose(decode_rows(clip["vectors"], read)[:, 3 * push], 2.0 * known)


def test_cases_that_failed_end_where_they_stopped(swept: Any, tmp_path: Path) -> None:
    broken = swept.copy(deep=True)
    broken["pose.lower"][0, 0, 2:] = np.nan
    broken["pose.upper"][1, 1] = np.nan
    scene, _ = scene_in(fb.animate(broken, tmp_path / "sweep.html"))
    assert len(scene["clips"]) == 5 and scene["clips"][0]["t"]["shape"] == [2]
    assert any("left out" in note and "m = 2" in note for note in scene["notes"])
    broken["status"][0, 0] = -1
    scene, _ = scene_in(fb.animate(broken, tmp_path / "sweep.html"))
    assert any(note.startswith("1 of these cases failed and stand still from where") for note in scene["notes"])
    assert not any("failed" in note for note in scene_in(fb.animate(swept, tmp_path / "sweep.html"))[0]["notes"])
    without = swept.copy(deep=True)
    without["energy.total"][:] = np.nan
    assert all(len(run) == len(swept.time) for run in CaseRuns(without))  # what is not a number is left out of plots
    broken["pose.upper"][:] = np.nan
    with pytest.raises(ArgumentError, match="nothing to show"):
        fb.animate(broken, tmp_path / "sweep.html")


def test_sweeps_neither_hold_nor_choose_folders_of_meshes(tmp_path: Path) -> None:
    (tmp_path / "secret.stl").write_bytes(b"")
    s = fb.System("arm")
    s.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1), shape=fb.Mesh("secret.stl"))
    dataset = s.sweep([0, 0.1], {"q.arm": [0.1, 0.2]}, record=["pose"])
    assert "folders" not in dataset.attrs[FACTS]
    dataset.attrs[FACTS] = dataset.attrs[FACTS].replace('"secret.stl"', f'"secret.stl", "folders": ["{tmp_path}"]')
    with pytest.warns(FileWarning, match="secret.stl' was not found"):
        fb.animate(dataset, tmp_path / "sweep.html")


def test_what_cannot_be_shown_is_refused(swept: Any, tmp_path: Path) -> None:
    path, s = tmp_path / "x.html", pendulum()
    other = fb.System("other")
    other.body("a", joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    runs = [s.simulate(0.1), other.simulate(0.1)]
    damaged = swept.copy()
    damaged.attrs[FACTS] = damaged.attrs[FACTS].replace('"gravity"', '"levity"')
    for what, options, text in (
        (s.sweep([0, 0.1], {"m": [1.0, 2.0]}), {}, r"record=\['pose'\]"),
        (swept.drop_vars("pose.upper"), {}, "pose.upper is not in the dataset"),
        (swept[["pose.upper", "pose.lower"]], {}, "q.upper is not in the dataset"),
        (swept.isel({"pose.upper.part": [0]}), {}, "pose.upper is not in"),
        (swept.isel(m=[]), {}, "no cases"),
        (damaged, {}, "cannot be read"),
        (swept, {"cases": slice(0, 0)}, "row of their indices"),
        (swept, {"color": "colour"}, "'colour' is not in the dataset; its variables: q.upper.initial, m"),
        (swept, {"color": "pose.upper"}, "not one number"),
        (swept, {"color": "message"}, "not one number"),
        (swept, {"cases": [9]}, "indices 0 to 5"),
        (swept, {"cases": "all"}, "row of their indices"),
        (runs, {}, "different systems"),
        (runs[0], {"color": "m"}, "several runs"),
        (3, {}, "not 3"),
        ([], {}, "a list of runs"),
        (runs[:1] * 2, {"color": "pose.upper"}, "not one number"),
    ):
        with pytest.raises(ArgumentError, match=text):
            fb.animate(what, path, **options)
    with pytest.raises(ArgumentError, match="cannot be recorded"):
        s.sweep([0, 0.1], {"m": [1.0]}, record=["poses"])
    assert not path.exists()


def test_ghosts_are_chosen_evenly_and_coloured_by_value() -> None:
    chosen = evenly(1000)
    assert len(chosen) == GHOSTS and chosen[0] == 0 and chosen[-1] == 999 and max(np.diff(chosen)) <= 18
    assert evenly(3) == [0, 1, 2] and evenly(0) == [] and evenly(5, 1) == [0]
    low, none, high = viridis(np.array([1.0, np.nan, 3.0]))
    assert low[2] > low[1] and high[1] > high[2] and none == (0.6, 0.6, 0.6)
    assert viridis(np.array([2.0, 2.0])) == [viridis(np.array([2.0]))[0]] * 2


def test_runs_that_move_apart_are_not_followed() -> None:
    s = fb.System("train", gravity=(0, 0, 0))
    s.body("waggon", joint=fb.Prismatic("x"), mass=10.0, inertia=(1, 1, 1))
    runs = {str(v): s.simulate(10.0, u={"waggon": v}) for v in (10.0, 10.01, -10.0)}
    colors = viridis(np.arange(2.0))
    assert scene_of_runs({k: runs[k] for k in ("10.0", "10.01")}, colors).follow == 0
    assert scene_of_runs({k: runs[k] for k in ("10.0", "-10.0")}, colors).follow == -1
