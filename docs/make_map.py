"""Writes docs/map.md from the modules' docstrings and imports: python docs/make_map.py"""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "freebody"

HEAD = """# Map of the source

    System ──freeze──▶ Model ──span──▶ Tree ──derive──▶ Equations ──program──▶ Program ──compile──▶ function
                                                                                                        │
                                             picture ◀──view── Trajectory ◀──────────run────────────────┘

Along the arrows, a system is frozen to a model, spanned to a tree of links, derived to equations, and so on. Each
package may import only the packages and modules above it in the first table. `make check` tests this
(`[tool.importlinter]` in `pyproject.toml`; `tests/test_import_contracts.py` checks that wrong imports are detected).
This page is written by `python docs/make_map.py` from the first paragraph of each module's docstring.
"""


@cache
def sentence(path: Path) -> str:
    """The first sentence of a module's docstring, on one line."""
    text = " ".join((ast.get_docstring(ast.parse(path.read_text())) or "").split("\n\n")[0].split())
    return text.removesuffix(".").replace("|", "\\|")


def rooms() -> list[str]:
    """The rooms in the order in which they may import each other, lowest first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = contracts[0]["layers"]
    found = [name.strip(" ()") for layer in reversed(layers) for name in layer.replace("|", ":").split(":")]
    return [name for name in found if name != "__main__"]


def imports(room: str) -> list[str]:
    """The rooms that the modules of a room import."""
    path = PACKAGE / room
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    used = {name for file in files for name in re.findall(r"^ *from freebody\.(\w+)", file.read_text(), re.MULTILINE)}
    return [name for name in rooms() if name in used - {room}]


def page() -> str:
    names = rooms()
    lines = [HEAD, "| package or module | contents | imports |", "|---|---|---|"]
    for room in names:
        path = PACKAGE / room
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        label = f"[`{room}/`](#{room})" if path.is_dir() else f"`{room}.py`"
        lines.append(f"| {label} | {sentence(file)} | {', '.join(imports(room)) or '–'} |")
    for room in names:
        path = PACKAGE / room
        if not path.is_dir():
            continue
        lines += ["", f"## {room}", "", "| module | contents |", "|---|---|"]
        for file in sorted(path.rglob("*.py")):
            if file != path / "__init__.py":
                name = str(file.relative_to(path)).removesuffix("__init__.py")
                if sentence(file):
                    lines.append(f"| `{name}` | {sentence(file)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (ROOT / "docs" / "map.md").write_text(page())
