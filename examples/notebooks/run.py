"""Run a notebook without Jupyter: its code cells in order, what they print and draw kept beside them.

python examples/notebooks/run.py examples/notebooks/spatial_operators.ipynb
"""

import base64
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

Cell = dict[str, Any]


def run(path: Path) -> list[Cell]:
    """The cells of a notebook, code cells with fresh outputs."""
    import matplotlib

    matplotlib.use("Agg")
    cells: list[Cell] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    space: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for cell in cells:
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"], cell["outputs"] = count, outputs("".join(cell["source"]), space)
    return cells


def outputs(source: str, space: dict[str, Any]) -> list[Cell]:
    """What a cell prints and draws."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(source, "<cell>", "exec"), space)
    lines = said.getvalue().splitlines(keepends=True)
    printed = [{"output_type": "stream", "name": "stdout", "text": lines}] if lines else []
    return [*printed, *drawn()]


def drawn() -> list[Cell]:
    """The figures that are open, as PNG; they are closed."""
    from matplotlib import pyplot

    found = []
    for number in pyplot.get_fignums():
        file = io.BytesIO()
        pyplot.figure(number).savefig(file, format="png", dpi=70, bbox_inches="tight", metadata={"Software": None})
        image = base64.b64encode(file.getvalue()).decode()
        found.append({"output_type": "display_data", "metadata": {}, "data": {"image/png": image}})
    pyplot.close("all")
    return found


def main(path: Path) -> None:
    """Run it and write it back with what it gave."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["cells"] = run(path)
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
