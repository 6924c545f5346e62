"""Makes the plots of the README, of pages and of the examples again: python docs/pictures.py"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

DOCS = Path(__file__).resolve().parent
EXAMPLES = (
    "double_pendulum", "demo", "knee", "four_bar", "four_bars", "bricard", "slider_crank", "governor", "stewart",
    "grasp", "spacecraft_panels", "flexible_manipulator", "flexible_four_bar", "crane_jib", "bracket",
    "feedback_linearisation", "bicycle", "identification",
)  # fmt: skip


def main() -> None:
    others = ("tutorial.md", "flexible.md", "finite_elements.md")
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


if __name__ == "__main__":
    main()
