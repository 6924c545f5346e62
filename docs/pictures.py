"""Makes the plots of the README and the tutorial again: python docs/pictures.py"""

import os
import re
import tempfile
from pathlib import Path

from PIL import Image

DOCS = Path(__file__).resolve().parent


def main() -> None:
    pages = (DOCS.parent / "README.md", DOCS / "tutorial.md")
    blocks = [block for page in pages for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(DOCS.parent / "examples", Path(folder) / "examples")
        os.chdir(folder)
        space: dict[str, object] = {}
        for block in blocks:
            exec(block, space)
        for path in Path(folder).glob("*.png"):
            picture = Image.open(path).convert("RGB")
            picture.thumbnail((1000, 1400))
            picture.quantize(96).save(DOCS / "images" / path.name.replace("run", "readme"), optimize=True)


if __name__ == "__main__":
    main()
