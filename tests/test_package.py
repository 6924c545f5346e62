"""What the package and its source archive hold."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_source_archive_holds_what_its_tests_use() -> None:
    """Every file and folder of the repository that a test names."""
    archive = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    included = {name.strip("/") for name in archive} | {"pyproject.toml"}  # hatch adds it
    text = "".join(file.read_text() for file in (ROOT / "tests").rglob("*.py"))
    there = [file.name for file in ROOT.iterdir() if not file.name.startswith(".")]
    used = {name for name in there if re.search(rf"[\"'/]{re.escape(name)}[\"'/]", text)}
    assert {"docs", "examples", "README.md"} <= used <= included | {"out"}
    assert all((ROOT / name).exists() for name in included)


def test_the_package_shows_the_readme() -> None:
    assert (ROOT / PROJECT["project"]["readme"]).read_text().startswith("# freebody")
