"""How pages show surfaces and sizes, by their pixels: plates are lit evenly, edges of solids are sharp, factors are
stated, and the first picture frames the system."""

from pathlib import Path
from typing import Any

import numpy as np
from skfem import MeshHex, MeshTri

import freebody as fb
from freebody.viewer.scene_file import page as page_of
from freebody.viewer.scene_of_run import scene_of_run, with_deformation
from tests.browser.pages import OpenPage

STEEL = {"young": 2e11, "poisson": 0.3, "density": 7800.0}
ROOT = {"root": lambda x: x[:, 0] < 1e-9}
VIEW = (700, 480)


def blades() -> dict[str, fb.Structure]:
    """A plate whose triangles are wound alternately, as the mesh library makes them, and a bar of tetrahedra."""
    plate = MeshTri.init_tensor(np.linspace(0, 1.0, 13), np.linspace(0, 0.6, 9))
    bar = MeshHex.init_tensor(*(np.linspace(0, size, n) for size, n in ((1.0, 9), (0.3, 3), (0.2, 3)))).to_meshtet()
    return {
        "plate": fb.plate_structure(plate, thickness=4e-3, **STEEL, sets=ROOT),
        "bar": fb.solid_structure(bar, **STEEL, sets=ROOT),
    }


def bent(structure: fb.Structure) -> fb.System:
    """A part with a bent first mode at the start, which stands still."""
    s = fb.System("blade", gravity=(0, 0, 0))
    s.body("blade", flexible=structure.reduce(3, interfaces={"root": "root"}, frame="root"), joint=fb.Weld())
    return s


def body_pixels(page: OpenPage) -> np.ndarray:
    """The colours of the pixels of the blue body, without its border."""
    page("view.player.setLayer('grid', false), view.player.setLayer('joints', false)")
    page.drawn()
    pixels = page.pixels()
    blue = pixels[..., 2] - pixels[..., 0] > 30
    inside = blue.copy()
    for axis in (0, 1):
        for shift in (-4, 4):
            inside &= np.roll(blue, shift, axis)
    inside[:90, :] = inside[-90:, -120:] = False  # title and tools, and the axes in the corner
    return pixels[inside]


def test_a_plate_of_finite_elements_is_lit_evenly_from_both_sides(tmp_path: Path, browser: Any) -> None:
    run = bent(blades()["plate"]).simulate(0.01, q={"blade.m1": 0.15})
    with OpenPage(browser, run.animate(tmp_path / "plate.html"), VIEW) as page:
        for _ in range(2):
            seen = body_pixels(page).sum(axis=1)
            assert len(seen) > 3000
            assert np.percentile(seen, 99) / np.percentile(seen, 1) < 1.35 and seen.min() > 0.5 * seen.max()
            page("view.stage.camera.position.setZ(-view.stage.camera.position.z), view.stage.rig.controls.update()")
            page.drawn()
        assert page.errors == []


def test_a_bent_solid_of_finite_elements_has_flat_sides_and_sharp_edges(tmp_path: Path, browser: Any) -> None:
    run = bent(blades()["bar"]).simulate(1e-3, q={"blade.m1": 0.02})
    with OpenPage(browser, run.animate(tmp_path / "bar.html"), VIEW) as page:
        seen = body_pixels(page)
        counts = np.unique(seen // 6, axis=0, return_counts=True)[1]
        assert len(seen) > 3000
        assert np.sort(counts)[-6:].sum() > 0.85 * len(seen)  # three sides, each of at most two neighbouring shades
        assert page.errors == []


def test_the_page_states_the_factor_of_deformations_and_of_modes(tmp_path: Path, browser: Any) -> None:
    system = bent(blades()["plate"])
    run = system.simulate(0.01, q={"blade.m1": 1e-3})
    note = ".fb-scale-note"
    with OpenPage(browser, run.animate(tmp_path / "true.html"), VIEW) as page:
        assert page("view.player.options.magnify") == 1 and not page.page.locator(note).is_visible()
        page.page.keyboard.press("k")
        page.page.get_by_role("button", name="Enlarge small deformations").click()
        assert page("view.player.options.magnify") > 1 and "deformation × " in page.page.locator(note).inner_text()
        page.page.get_by_role("button", name="Show true deformations").click()
        assert page("view.player.options.magnify") == 1 and not page.page.locator(note).is_visible()
    with OpenPage(browser, run.animate(tmp_path / "large.html", deformation=50), VIEW) as page:
        assert page.page.locator(note).inner_text() == "deformation × 50"
        bare = tmp_path / "bare.html"
        bare.write_text(page_of(with_deformation(scene_of_run(run), 7), bare=True))
    with OpenPage(browser, bare, VIEW) as page:
        assert page.page.locator(note).is_visible() and page.page.locator(note).inner_text() == "deformation × 7"
    with OpenPage(browser, system.linearize(trim=True).modes().animate(tmp_path / "modes.html"), VIEW) as page:
        text = page.page.locator(note).inner_text()
        assert text.startswith("mode: blade.m1 ± ") and text.endswith("m·√kg")


def spread(page: OpenPage, body: int, corners: np.ndarray) -> np.ndarray:
    """The size of a body in the picture, relative to its width and height; infinite if it is not all in the picture."""
    places = np.array([page.project(body, corner) for corner in corners])
    size = np.array(page("[view.stage.holder.clientWidth, view.stage.holder.clientHeight]"))
    inside = (places > 0).all() and (places < size).all()
    return (np.ptp(places, axis=0) / size) if inside else np.full(2, np.inf)


def test_the_first_picture_frames_the_system_and_not_its_path_or_its_floor(tmp_path: Path, browser: Any) -> None:
    corners = np.array([(x, y, z) for x in (-2, 2) for y in (-0.9, 0.9) for z in (-0.7, 0.7)])
    box, floor = fb.Box(4, 1.8, 1.4), fb.Plate(400, 200, 0.1, at=(100, 0, -1), color="gray")

    def drive(speed: float, *, launcher: bool = False) -> Path:
        s = fb.System("car", gravity=(0, 0, 0))
        s.body("floor", shape=floor)
        s.body("car", joint=fb.Prismatic("x"), mass=1000, inertia=(500, 1000, 1000), shape=box)
        if launcher:
            tower = fb.Box(4, 4, 4, at=(0, 6, 1))
            s.body("tower", joint=fb.Revolute("z"), mass=1e5, inertia=(1e5, 1e5, 1e5), shape=tower)
        return s.simulate(10.0, u={"car": speed}).animate(tmp_path / f"{speed}{launcher}.html")

    with OpenPage(browser, drive(20.0), VIEW) as page:  # followed
        first = spread(page, 1, corners)
        assert 0.5 < first.max() < 0.95
        page.seek(9.0)
        assert np.abs(spread(page, 1, corners) - first).max() < 0.02
        page.page.keyboard.press("w")
        page.drawn()
        assert page("view.player.follow") == -1 and spread(page, 1, corners).max() < 0.2
        page.seek(0.0)
        assert spread(page, 1, corners).max() < 0.2
        page.page.keyboard.press("f")
        page.drawn()
        assert spread(page, 1, corners).max() > 0.5
        assert page.errors == []
    with OpenPage(browser, drive(0.5), VIEW) as page:  # it stays near: all of its path is in the picture
        for t in (0.0, 10.0):
            page.seek(t)
            assert 0.2 < spread(page, 1, corners).max() < 0.95
    with OpenPage(browser, drive(20.0, launcher=True), VIEW) as page:  # it leaves the picture, which the legend says
        assert page("view.player.follow") == -1 and 0.15 < spread(page, 1, corners).max() < 0.95
        assert "W shows its whole path" in (page.page.locator(".fb-legend").text_content() or "")


def test_runs_that_are_shown_together_share_fixed_bodies(tmp_path: Path, browser: Any) -> None:
    """The floor has its own colour, as if there were one run; balls that fly apart stay in the picture."""
    s = fb.System("balls")
    s.body("floor", shape=fb.Plate(100, 100, 0.1, at=(0, 0, -1), color=(0.9, 0.1, 0.1)))
    s.body("ball", joint=fb.Prismatic("x"), mass=1, inertia=(0.1, 0.1, 0.1), shape=fb.Sphere(0.5))
    runs = [s.simulate(1.0, u={"ball": speed}) for speed in (-10.0, 0.0, 10.0)]
    shades = list[np.ndarray]()
    for k, shown in enumerate((runs[1:2], runs)):
        with OpenPage(browser, fb.animate(shown, tmp_path / f"{k}.html"), VIEW) as page:
            page("view.player.setLayer('grid', false)")
            page.seek(1.0)
            pixels = page.pixels()
            red = pixels[(pixels[..., 0] > 90) & (pixels[..., 1:].max(axis=2) < 0.5 * pixels[..., 0])]
            assert len(red) > 0.3 * pixels.shape[0] * pixels.shape[1]
            shades.append(np.median(red, axis=0))
            if k:
                assert page("view.player.follow") == -1
                places = np.array([page.camera_projects((x, 0, 0)) for x in (-10, 0, 10)])
                assert (places > 0).all() and (places < pixels.shape[1::-1]).all()
    assert np.abs(shades[0] - shades[1]).max() < 4


def test_bodies_on_a_flexible_body_move_with_its_enlarged_deformation(tmp_path: Path, browser: Any) -> None:
    """The tip of the beam in the picture is where the node is, at any factor; numbers stay true."""
    s = fb.System("boom", gravity=(0, 0, 0))
    beam = fb.Beam(length=2.0, EA=1e6, EI=(None, 2e3), density=1.2)
    boom = s.body("boom", joint=fb.Revolute("y"), flexible=beam, modes=2)
    load = s.body("load", on=boom.node("tip"), mass=0.1, shape=fb.Box(0.2, 0.1, 0.1, at=(0.1, 0, 0)))
    s.body("bob", on=load, at=(0.2, 0, 0), joint=fb.Revolute("y"), mass=0.1, com=(0, 0, -0.3))
    run = s.simulate(0.01, q={"boom": 0.3, "bob": 0.5, "boom.m1": 2e-3, "boom.m2": -1e-3})
    shapes, eta = run.drawing.meshes["boom"].shapes, np.array([2e-3, -1e-3])
    mesh = run.drawing.meshes["boom"].points
    end = np.flatnonzero(np.isclose(mesh[:, 0], mesh[:, 0].max()))
    (pose,), (node,), (bob,) = (run[f"pose.{name}"][:1] for name in ("boom", "boom.tip", "bob"))

    def turn(q: np.ndarray) -> np.ndarray:
        w, v = q[0], q[1:]
        cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
        return np.eye(3) + 2 * w * cross + 2 * cross @ cross

    for factor in (1, 20):
        path = run.animate(tmp_path / f"{factor}.html", deformation=factor)
        tip = pose[:3] + turn(pose[3:]) @ (mesh[end] + factor * shapes[end] @ eta).mean(axis=0)
        slope = (factor - 1) * np.arctan2(*(turn(pose[3:]).T @ turn(node[3:]))[[0, 2], [2, 2]])
        about = np.array([[np.cos(slope), 0, np.sin(slope)], [0, 1, 0], [-np.sin(slope), 0, np.cos(slope)]])
        expected = tip + turn(pose[3:]) @ about @ turn(pose[3:]).T @ (bob[:3] - node[:3])
        with OpenPage(browser, path, VIEW) as page:
            for body, place in ((1, tip), (2, tip), (3, expected)):
                assert np.abs(page.project(body) - page.camera_projects(place)).max() < 1.0, (factor, body)
            page("view.player.select(2)")
            assert f"{node[0]:.3f}" in page.page.locator(".fb-info").inner_text().replace("−", "-")
            page("view.player.setOption('magnify', 1)")
            page.drawn()
            assert np.abs(page.project(2) - page.camera_projects(node[:3])).max() < 1.0
            assert page.errors == []


def test_a_small_window_shows_title_panel_and_factor_beside_each_other(tmp_path: Path, browser: Any) -> None:
    system = bent(blades()["plate"])
    with OpenPage(browser, system.view(tmp_path / "model.html", deformation=3), (620, 460)) as page:
        page("view.player.select(0)")
        page.drawn()
        boxes = {name: page.page.locator(name).bounding_box() for name in (".fb-stage", ".fb-dock", ".fb-heading h1")}
        stage, dock, title = (box for box in boxes.values() if box is not None)
        assert dock["x"] >= stage["x"] + stage["width"] - 1 and stage["height"] > 300 and title["width"] > 30
        note = page.page.locator(".fb-scale-note").bounding_box()
        assert note is not None
        for name in (".fb-info", ".fb-tools"):
            box = page.page.locator(name).bounding_box()
            assert box is not None
            below, above = box["y"] >= note["y"] + note["height"], note["y"] >= box["y"] + box["height"]
            assert below or above or box["x"] >= note["x"] + note["width"], name
        assert page.errors == []
