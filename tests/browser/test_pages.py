"""Pages in a real browser: they open without errors and requests, show bodies where they are, and can be used."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from tests.browser.pages import OpenPage

SPHERES = {"red": (1.0, 0.0, 0.0), "green": (0.0, 1.0, 0.0), "blue": (0.0, 0.0, 1.0)}

WIDE = (900, 600)
NO_WEBGL = """
const usual = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return kind.startsWith("webgl") ? null : usual.call(this, kind, ...rest);
};
"""


def pendulum() -> fb.Trajectory:
    """Three links whose tips are spheres of plain colours."""
    s, last, at = fb.System("pendulum"), None, (0, 0, 0)
    for name, color in SPHERES.items():
        shapes = [fb.Sphere(0.08, at=(0, 0, -1), color=color), fb.Cylinder(0.01, 1.0, at=(0, 0, -0.5), color="white")]
        last = s.body(
            name, on=last, at=at, joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1), inertia=(1, 1, 1), shape=shapes
        )
        at = (0, 0, -1)
    return s.simulate(3.0, q={"red": 1.5, "green": 0.4})


def satellite() -> fb.Trajectory:
    from examples.satellite import system

    inputs = dict.fromkeys(("F1", "F2", "F3", "T2"), 0.0) | {"T1": 2.0, "T3": 1.0, "T7": 0.3, "T8": -0.2}
    return system().simulate(np.linspace(0, 80, 401), inputs=inputs)


def robot(folder: Path) -> fb.Trajectory:
    """A robot of two links with meshes in files."""
    corners = [(x, y, z) for x in (0, 0.1) for y in (0, 0.1) for z in (0, 0.6)]
    faces = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
    lines = [*(f"v {x} {y} {z}" for x, y, z in corners), *(f"f {' '.join(map(str, f))}" for f in faces)]
    (folder / "arm.obj").write_text("\n".join(lines))
    visual = '<visual><geometry><mesh filename="package://arms/arm.obj"/></geometry></visual>'
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    joints = (
        f'<joint name="j{k}" type="continuous"><parent link="l{k}"/><child link="l{k + 1}"/><origin xyz="0 0 0.6"/>'
        '<axis xyz="0 1 0"/></joint>'
        for k in (0, 1)
    )
    links = (f'<link name="l{k}">{inertial}{visual}</link>' for k in range(3))
    (folder / "arms").mkdir()
    (folder / "arm.obj").rename(folder / "arms" / "arm.obj")
    (folder / "robot.urdf").write_text(f'<robot name="arms">{"".join(links)}{"".join(joints)}</robot>')
    return fb.load(folder / "robot.urdf").simulate(1.0, q={"l1": 1.0})


def four_bar() -> fb.Trajectory:
    from examples.four_bar import system

    return system().simulate(2.0, inputs={"motor": 0.5})


def beam() -> fb.Trajectory:
    s = fb.System("boom")
    strip = fb.Beam(length=5, EA=1e6, EI=(2e3, None), density=1.2)
    boom = s.body("boom", joint=fb.Revolute("y"), flexible=strip, modes=4)
    s.body("tip mass", on=boom.node("tip"), mass=2.0)
    return s.simulate(1.0)


@dataclass
class Case:
    run: fb.Trajectory
    path: Path


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[Callable[[str], Case]]:
    """Runs and their pages by name, each made once."""
    folder, made = tmp_path_factory.mktemp("pages"), dict[str, Case]()
    makers: dict[str, Callable[[], fb.Trajectory]] = {
        "pendulum": pendulum,
        "satellite": satellite,
        "robot": lambda: robot(folder),
        "four-bar": four_bar,
        "beam": beam,
    }

    def case(name: str) -> Case:
        if name not in made:
            run = makers[name]()
            made[name] = Case(run, run.animate(folder / f"{name}.html", meshes=[folder]))
        return made[name]

    yield case


@pytest.mark.parametrize("name", ["pendulum", "satellite", "robot", "four-bar", "beam"])
def test_bodies_are_where_they_are(cases: Callable[[str], Case], browser: Any, name: str) -> None:
    """The page opens without errors or requests; at and between the times of the page the bodies are within two pixels
    of where a camera sees them; the picture changes with the time."""
    case = cases(name)
    start, end = case.run.t[0], case.run.t[-1]
    with OpenPage(browser, case.path) as page:
        first = page.pixels()
        assert len(np.unique(first.reshape(-1, 3), axis=0)) > 30
        names = page("view.scene.bodies.map(b => b.name)")
        assert names == [e.name for e in case.run.about.elements]
        for t in (start, start + 0.3717 * (end - start), start + 0.8193 * (end - start)):
            page.seek(t)
            poses = case.run.at([t]).poses
            for k, body in enumerate(names):
                seen, expected = page.project(k), page.camera_projects(poses[body][0][:3])
                assert np.abs(seen - expected).max() < 2.0, (body, t)
        assert np.abs(page.pixels() - first).max(axis=2).mean() > 0.05
        assert page.errors == [] and page.foreign == []


def test_bodies_that_go_far_are_in_the_picture(tmp_path: Path, browser: Any) -> None:
    """A car that drives 9 km, and a small pendulum beside a large plate, when it is selected and fitted."""
    s = fb.System("car", gravity=(0, 0, 0))
    s.body("car", joint=fb.Prismatic("x"), mass=1000, inertia=(500, 1000, 1000), shape=fb.Box(4, 1.8, 1.4, color="red"))
    pages = [s.simulate(300.0, u={"car": 30.0}).animate(tmp_path / "car.html")]
    s = fb.System("pendulum")
    s.body("floor", shape=fb.Plate(1000, 1000, 0.1, at=(0, 0, -2), color="white"))
    ball = fb.Sphere(0.2, at=(0, 0, -0.5), color="red")
    s.body("bob", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5), shape=ball)
    pages.append(s.simulate(1.0, q={"bob": 0.5}).animate(tmp_path / "bob.html"))
    for k, path in enumerate(pages):
        with OpenPage(browser, path) as page:
            if k == 1:
                page("view.player.select(1)")
                page.page.keyboard.press("f")
                page("view.player.select(-1)")
            for t in (0.0, 0.7):
                page.seek(t * (300 if k == 0 else 1))
                pixels = page.pixels()
                assert ((pixels[..., 0] > 90) & (pixels[..., 1:].max(axis=2) < 60)).sum() > 500, (path.name, t)
            legend = page.page.locator(".fb-legend").text_content()
            assert legend is not None and ("follows car" in legend) == (k == 0)


def test_pixels_show_the_spheres_where_the_camera_sees_them(cases: Callable[[str], Case], browser: Any) -> None:
    case = cases("pendulum")
    with OpenPage(browser, case.path, WIDE) as page:
        page("view.player.setLayer('joints', false)")
        for t in (0.0, 1.2345):
            page.seek(t)
            pixels, run = page.pixels(), case.run.at([t])
            for k, (name, color) in enumerate(SPHERES.items()):
                x, y, z, *q = run.poses[name][0]
                w, a, b, c = q
                down = -np.array([2 * (a * c + w * b), 2 * (b * c - w * a), 1 - 2 * (a * a + b * b)])
                expected = page.camera_projects(np.array([x, y, z]) + down)
                strong, weak = np.array(color) > 0.5, np.array(color) < 0.5
                found = (pixels[..., strong].min(axis=2) > 90) & (pixels[..., weak].max(axis=2) < 60)
                rows, columns = np.nonzero(found)
                near = np.hypot(columns - expected[0], rows - expected[1]) < 60  # not the axes in the corner
                rows, columns = rows[near], columns[near]
                assert len(rows) > 20, name
                assert np.hypot(columns.mean() + 0.5 - expected[0], rows.mean() + 0.5 - expected[1]) < 2.0, (name, k, t)


def test_controls(cases: Callable[[str], Case], browser: Any) -> None:
    """Play, pause, speed, the slider, keys, and picking of a body."""
    with OpenPage(browser, cases("pendulum").path, WIDE) as page:
        keyboard, mouse = page.page.keyboard, page.page.mouse
        keyboard.press("Space")
        assert page("view.player.playing")
        page.page.wait_for_function("() => window.freebodyViews[0].player.t > 0")
        keyboard.press("Space")
        assert not page("view.player.playing")
        page.page.get_by_label("Speed").select_option("0.1")
        assert page("view.player.speed") == 0.1
        box = page.page.get_by_label("Time", exact=True).bounding_box()
        assert box is not None
        mouse.move(box["x"] + 3, box["y"] + box["height"] / 2)
        mouse.down()
        mouse.move(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2, steps=4)
        mouse.up()
        assert abs(page("view.player.t") - 2.25) < 0.1
        page.drawn()
        x, y = page.project(1, (0, 0, -1))
        canvas = page.page.locator(".fb-stage canvas").first.bounding_box()
        assert canvas is not None
        mouse.click(canvas["x"] + x, canvas["y"] + y)
        assert page("view.player.selected") == 1
        text = page.page.locator(".fb-info").inner_text()
        assert "green" in text and "revolute" in text and "1 kg" in text
        before = page.project(0)
        mouse.move(canvas["x"] + 0.8 * canvas["width"], canvas["y"] + 0.8 * canvas["height"])
        mouse.down()
        mouse.move(canvas["x"] + 0.6 * canvas["width"], canvas["y"] + 0.75 * canvas["height"], steps=4)
        mouse.up()
        page.drawn()
        assert np.abs(page.project(0) - before).max() > 5
        keyboard.press("Escape")
        assert page("view.player.selected") == -1
        assert page.errors == [] and page.foreign == []


def test_without_webgl_there_is_a_message_and_the_plots(cases: Callable[[str], Case], browser: Any) -> None:
    with OpenPage(browser, cases("pendulum").path, script=NO_WEBGL) as page:
        assert "WebGL" in page.page.locator(".fb-message").inner_text()
        assert page.page.locator(".fb-dock").is_visible() and page.errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_everything_within_its_width(cases: Callable[[str], Case], browser: Any, scheme: Any) -> None:
    with OpenPage(browser, cases("satellite").path, (390, 844), color_scheme=scheme, has_touch=True) as page:
        width = page.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390
        for label in ("Play (space)", "Help (?)"):
            box = page.page.get_by_label(label, exact=True).bounding_box()
            assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["height"] >= 36
        dark = page.pixels()[:40].mean() < 100
        assert dark == (scheme == "dark") and page.errors == []


def test_hostile_names_are_shown_as_text(tmp_path: Path, browser: Any) -> None:
    names = ["</script><script>window.hit = 1</script>", '"><img src=x onerror="window.hit=1">', "x" * 10_000]
    s = fb.System("<b>&amp;'\"")
    last = None
    for name in names:
        last = s.body(name, on=last, at=(0, 0, -1), joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    s.output("<i>out</i>", "sin(t)")
    with OpenPage(browser, s.simulate(0.5).animate(tmp_path / "page.html")) as page:
        for k in range(len(names)):
            page(f"view.player.select({k})")
            page.drawn()
        for key in "nkp":
            page.page.keyboard.press(key)
        assert page.page.evaluate("window.hit === undefined")
        assert page.page.evaluate("document.documentElement.scrollWidth") <= 600
        assert page.errors == [] and page.foreign == []


def test_a_picture_is_taken(cases: Callable[[str], Case], tmp_path: Path) -> None:
    from PIL import Image

    path = cases("pendulum").run.animate(tmp_path / "run.png", t=1.0, size=(400, 300))
    picture = np.asarray(Image.open(path).convert("RGB")).astype(int)
    assert picture.shape == (300, 400, 3)
    assert ((picture[..., 0] > 90) & (picture[..., 1:].max(axis=2) < 60)).sum() > 5  # the red sphere
