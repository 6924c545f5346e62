"""Makes the plots of the README, of pages and of the examples, and the pictures of the 3D viewer again:
python docs/pictures.py"""

import os
import re
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

import freebody as fb
from freebody.viewer.browser import take_picture

DOCS = Path(__file__).resolve().parent
EXAMPLES = (
    "double_pendulum", "demo", "knee", "four_bar", "four_bars", "bricard", "slider_crank", "governor", "stewart",
    "grasp", "spacecraft_panels", "flexible_manipulator", "flexible_four_bar", "crane_jib", "bracket",
    "feedback_linearisation", "bicycle", "identification",
)  # fmt: skip


def main() -> None:
    others = ("tutorial.md", "flexible.md", "finite_elements.md", "bifurcations.md")
    pages = (DOCS / "simulation.md", DOCS.parent / "README.md", *(DOCS / name for name in others))
    blocks = [block for page in pages for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(DOCS.parent / "examples", Path(folder) / "examples")
        os.chdir(folder)
        space: dict[str, object] = {}
        for block in blocks:
            exec(block, space)
        for name in EXAMPLES:
            subprocess.run([sys.executable, f"examples/{name}.py"], check=True)
        shown = re.findall(r"images/(\w+\.png)", (DOCS / "examples.md").read_text())
        made = [path for path in Path(folder).glob("out/**/*.png") if path.name in shown]
        (Path(folder) / "arm.png").unlink()  # of the page about simulations, which does not show it
        for path in [*Path(folder).glob("*.png"), *made]:
            picture = Image.open(path).convert("RGB")
            picture.thumbnail((1000, 1400))
            picture.quantize(96).save(DOCS / "images" / path.name.replace("run", "readme"), optimize=True)
        for path in write_views(Path(folder)):
            picture = Image.open(path).convert("RGB").quantize(255, method=Image.Quantize.MAXCOVERAGE)
            picture.save(DOCS / "images" / path.name, optimize=True)


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
