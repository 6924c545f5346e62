"""Figures of the 3D viewer: sizes of pages, how long they take to be written, opened and drawn.

Panda has the meshes of example-robot-data where FREEBODY_ROBOTS names the folder of its robots, else spheres of as many
triangles. Pages are opened by a browser of the Chromium family without a window, which draws with software.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from defusedxml import ElementTree

import freebody as fb
from freebody.viewer.browser import OPTIONS, find_browser
from freebody.viewer.scene_file import packed_code

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
Row = tuple[str, float, float | None, dict]
MANY, TRIANGLES = 1000, 15_000
READY = """(async () => {
  while (!window.freebodyViews?.length) await new Promise(f => setTimeout(f, 5));
  await window.freebodyViews[0].ready;
})()"""
FRAMES = """(async () => {
  const view = window.freebodyViews[0], start = view.frames, from = performance.now();
  view.player.play();
  await new Promise(f => setTimeout(f, 4000));
  view.player.pause();
  return 1000 * (view.frames - start) / (performance.now() - from);
})()"""


def sizes() -> list[Row]:
    """The page of the satellite of the demo: 80 s at 1001 times."""
    from examples.satellite import system

    inputs = dict.fromkeys(("F1", "F2", "F3", "T2"), 0.0) | {"T1": 2.0, "T3": 1.0, "T7": 0.3, "T8": -0.2}
    run = system().simulate(np.linspace(0, 80, 1001), inputs=inputs)
    with tempfile.TemporaryDirectory() as folder:
        size = run.animate(Path(folder, "satellite.html")).stat().st_size
    return [
        ("page of the satellite, 80 s at 1001 times, kB", size / 1000, 1200, {}),
        ("the viewer in it, kB", len(packed_code()) / 1000, 700, {}),
    ]


def writing() -> list[Row]:
    """Panda with meshes, 10 s: the second picture of a run, when the meshes are cached."""
    with tempfile.TemporaryDirectory() as folder:
        path, meshes = panda(Path(folder))
        run = fb.load(path).simulate(10.0)
        first, second = (_time(lambda: run.animate(Path(folder, "panda.html"), meshes=[meshes])) for _ in range(2))
        size = Path(folder, "panda.html").stat().st_size
    more = {"first": first, "kB": size / 1000}
    return [("Panda with meshes, 10 s: from run.animate to the file, s", second, 1.0, more)]


def panda(folder: Path) -> tuple[Path, Path]:
    """The robot's file and the folder of its meshes."""
    robots = os.environ.get("FREEBODY_ROBOTS")
    if robots is not None:
        return Path(robots, "panda_description/urdf/panda.urdf"), Path(robots).parent.parent
    tree = ElementTree.parse(ROOT / "examples/robots/panda.urdf")
    for k, link in enumerate(tree.iter("link")):
        write_sphere(folder / f"link{k}.stl", TRIANGLES)
        link.append(ElementTree.fromstring(f'<visual><geometry><mesh filename="link{k}.stl"/></geometry></visual>'))
    tree.write(folder / "panda.urdf")
    return folder / "panda.urdf", folder


def write_sphere(path: Path, triangles: int) -> None:
    """A sphere as binary STL."""
    n = int(np.sqrt(triangles / 4))
    polar, round_ = np.meshgrid(np.linspace(0, np.pi, n + 1), np.linspace(0, 2 * np.pi, 2 * n + 1))
    p = 0.08 * np.stack([np.sin(polar) * np.cos(round_), np.sin(polar) * np.sin(round_), np.cos(polar)], axis=-1)
    a, b, c, d = p[:-1, :-1], p[1:, :-1], p[1:, 1:], p[:-1, 1:]
    corners = np.concatenate([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)]).reshape(-1, 3, 3)
    rows = np.zeros(len(corners), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("colour", "<u2")]))
    rows["corners"] = corners
    path.write_bytes(bytes(80) + np.uint32(len(rows)).tobytes() + rows.tobytes())


def opening() -> list[Row]:
    """A page of a chain of 1000 bodies over 10 s, from the request to the first picture."""
    browser = find_browser()
    if browser is None:
        print("no browser was found; pages are not opened")
        return []
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = chain(MANY).simulate(np.linspace(0, 10, 501), rtol=1e-5, atol=1e-6).animate(Path(folder, "chain.html"))
        flags = [o for o in OPTIONS if not o.startswith("--headless")] + ["--no-sandbox"]
        opened = playwright.chromium.launch(executable_path=browser, args=flags)
        times = []
        for _ in range(3):
            page = opened.new_page(viewport={"width": 1200, "height": 800})
            start = time.perf_counter()
            page.goto(path.as_uri())
            page.evaluate(READY)
            times.append(time.perf_counter() - start)
            frames = page.evaluate(FRAMES)
            page.close()
        opened.close()
        size = path.stat().st_size
    more = {"seconds": times, "frames a second, by software": frames, "kB": size / 1000}
    return [(f"page of a chain of {MANY} bodies, 10 s: opened after, s", min(times), 2.0, more)]


def chain(n: int) -> fb.System:
    """Links of 10 cm on a curve in space, which fall and swing, with some damping."""
    s, last, at = fb.System(f"chain of {n}"), None, (0.0, 0.0, 0.0)
    for k in range(n):
        joint = fb.Revolute("y" if k % 2 else "x", initial=6.0 / n * np.sin(2 * np.pi * k / n), damping=0.01)
        last = s.body(f"b{k}", on=last, at=at, joint=joint, mass=0.1, com=(0, 0, -0.05), inertia=(1e-4, 1e-4, 1e-5))
        at = (0.0, 0.0, -0.1)
    return s


def _time(f: Callable[[], object]) -> float:
    start = time.perf_counter()
    f()
    return time.perf_counter() - start


JOBS: dict[str, Callable[[], list[Row]]] = {"pages": sizes, "pages written": writing, "pages opened": opening}


if __name__ == "__main__":
    from mechanics import show

    for job in JOBS.values():
        for row in job():
            show(*row)
