"""Makes the plots of the README, of pages and of the examples, and the pictures of the 3D viewer again:
python docs/pictures.py"""

import os
import re
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import freebody as fb
from freebody.viewer.browser import take_picture

DOCS = Path(__file__).resolve().parent
EXAMPLES = (
    "double_pendulum", "demo", "knee", "four_bar", "four_bars", "bricard", "slider_crank", "governor", "stewart",
    "grasp", "spacecraft_panels", "flexible_manipulator", "flexible_four_bar", "crane_jib", "bracket",
    "feedback_linearisation", "bicycle", "identification", "sampled_cart_pole", "quadruped", "hydraulic_crane",
    "balancing_robot", "optimal_control", "door_stop", "rimless_wheel", "cam_follower", "trotting", "squatting",
    "standing_robot", "carried_box", "ball_on_heightfield",
)  # fmt: skip


PAGES = (
    "sweeps.md",
    "tutorial.md",
    "flexible.md",
    "flexible-systems.md",
    "finite_elements.md",
    "bifurcations.md",
    "inverse_kinematics.md",
    "sensors.md",
)


def main() -> None:
    blocks = [block for name in PAGES for block in python_blocks(DOCS / name)]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(DOCS.parent / "examples", Path(folder) / "examples")
        os.chdir(folder)
        space: dict[str, Any] = {}
        exec(python_blocks(DOCS.parent / "README.md")[0], space)
        write_motion(space["run"], DOCS / "images" / "motion.gif")
        for block in blocks:
            exec(block, space)
        for name in EXAMPLES:
            subprocess.run([sys.executable, f"examples/{name}.py"], check=True)
        shown = re.findall(r"images/(\w+\.png)", (DOCS / "examples.md").read_text())
        made = [path for path in Path(folder).glob("out/**/*.png") if path.name in shown]
        for path in [*Path(folder).glob("*.png"), *made]:
            picture = Image.open(path).convert("RGB")
            picture.thumbnail((1000, 1400))
            picture.quantize(96).save(DOCS / "images" / path.name.replace("run", "readme"), optimize=True)
        for path in write_views(Path(folder)):
            picture = Image.open(path).convert("RGB").quantize(255, method=Image.Quantize.MAXCOVERAGE)
            picture.save(DOCS / "images" / path.name, optimize=True)


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


def write_motion(run: fb.Trajectory, target: Path, seconds: float = 4.0, rate: int = 12) -> None:
    """The first seconds of a run as an animated picture, from one picture of the 3D viewer for each frame."""
    frames = []
    with tempfile.TemporaryDirectory() as folder:
        for k in range(int(seconds * rate)):
            path = Path(folder, f"{k}.png")
            run.animate(path, t=k / rate, size=(640, 420))
            frames.append(Image.open(path).convert("RGB").crop((80, 60, 560, 420)))
    palette = frames[0].quantize(64, method=Image.Quantize.MAXCOVERAGE)
    frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    frames[0].save(target, save_all=True, append_images=frames[1:], duration=1000 // rate, loop=0, optimize=True)


def write_views(folder: Path) -> list[Path]:
    """Pictures of pages of the 3D viewer, by a browser."""
    views = folder / "views"
    views.mkdir()
    s = fb.load("examples/models/double_pendulum.yaml")
    run = s.simulate(10.0, q={"upper": 2.0}, inputs={"motor": 0.0})
    run.animate(views / "viewer.html", t=1.5)
    cases = {"q.upper": [0.5, 1.0, 1.5, 2.0]}
    sweep = s.sweep(5.0, cases, inputs={"motor": 0.0}, record=["pose", "energy"])
    fb.animate(sweep, views / "ghosts.html", color="energy.total")
    four_bar = runpy.run_path("examples/four_bar.py")["system"]()
    four_bar.view(views / "sliders.html", q={"crank": 1.0})
    bracket = runpy.run_path("examples/bracket.py")
    part = bracket["angle"]().reduce(8, interfaces={"bolts": "bolts", "seat": "seat"}, frame="bolts", damping=0.01)
    run = bracket["machine"](part).simulate(4.0)
    most = float(run.t[np.abs(run["bracket.m1"]).argmax()])
    run.animate(views / "deformation.html", t=most, deformation=200)
    for page in views.glob("*.html"):
        take_picture(page.read_text(), page.with_suffix(".png"), (900, 580))
    return list(views.glob("*.png"))


if __name__ == "__main__":
    main()
