"""Writes docs/map.md from the modules' docstrings and imports: python docs/make_map.py"""

import re
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "freebody"

TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:(?:    .*)?\n)+", re.MULTILINE)

IMPORT = re.compile(r"^ *from freebody\.(\w+)", re.MULTILINE)

DOCSTRING = re.compile(r'r?"""(.*?)"""', re.DOTALL)

HEAD = """# Map of the source

    System ──freeze──▶ Model ──span──▶ Tree ──derive──▶ Equations ──program──▶ Program ──compile──▶ function
                                                                                                        │
                                             picture ◀──view── Trajectory ◀──────────run────────────────┘

Along the arrows, a system is frozen to a model, spanned to a tree of links, derived to equations, and so on. Each
package may import only the packages and modules above it in the first table (the last one, `papers/`, is found by the
tables of `wings.py`). `make check` tests this
(`[tool.importlinter]` in `pyproject.toml`; `tests/test_import_contracts.py` checks that wrong imports are detected).
This page is written by `python docs/make_map.py` from the first paragraph of each module's docstring.
"""


@cache
def sentence(path: Path) -> str:
    """The first sentence of a module's docstring, on one line."""
    found = DOCSTRING.match(path.read_text())
    text = " ".join(found[1].split("\n\n")[0].split()) if found else ""
    return text.removesuffix(".").replace("|", "\\|")


@cache
def rooms() -> list[str]:
    """The rooms in the order in which they may import each other, lowest first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = contracts[0]["layers"]
    found = [name.strip(" ()") for layer in reversed(layers) for name in layer.replace("|", ":").split(":")]
    return [name for name in found if name != "__main__"]


def imports(room: str) -> list[str]:
    """The rooms that the modules of a room import; of those that come later, not for types alone."""
    path, names = PACKAGE / room, rooms()
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    text = "".join(file.read_text() for file in files)
    used, executed = (set(IMPORT.findall(t)) for t in (text, TYPES.sub("", text)))
    later = names[names.index(room) + 1 :]
    return [name for name in names if name in (executed if name in later else used) - {room}]


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
