"""What errors say about extras: the command that works where freebody was installed from, and README lists them all."""

import json
import re
import shlex
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from freebody.extras import install_command

ROOT = Path(__file__).parents[1]
INSIDE = {"dev", "referee", "exudyn", "docs", "bench", "peers"}
"""Extras for those who work on freebody."""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Metadata as pip writes them, found before those of the tests' own environment."""

    def write(origin: Any = None, installer: str = "pip") -> str:
        folder = tmp_path / "site" / "freebody-0.1.0.dist-info"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: freebody\nVersion: 0.1.0\n")
        (folder / "INSTALLER").write_text(installer + "\n")
        if origin is not None:
            (folder / "direct_url.json").write_text(origin if isinstance(origin, str) else json.dumps(origin))
        monkeypatch.syspath_prepend(tmp_path / "site")
        return install_command("live")

    return write


def clone(path: Path) -> Path:
    path.mkdir(parents=True)
    (path / "pyproject.toml").write_text("")
    return path


def test_from_an_index(installed: Any) -> None:
    assert installed() == 'pip install "freebody[live]"'


def test_from_a_clone(installed: Any, tmp_path: Path) -> None:
    folder = clone(tmp_path / "clone")
    assert installed({"url": folder.as_uri(), "dir_info": {}}) == f'pip install "{folder}[live]"'
    editable = {"url": folder.as_uri(), "dir_info": {"editable": True}}
    assert installed(editable) == f'pip install -e "{folder}[live]"'
    assert installed(editable, "uv") == f'uv pip install -e "{folder}[live]"'


@pytest.mark.parametrize("name", ["my clone", "50$ `ls`", 'a"b', "it's!", "ü [x]", "back\\slash", "100%41"])
def test_paths_are_quoted_for_the_shell(installed: Any, tmp_path: Path, name: str) -> None:
    folder = clone(tmp_path / name)
    command = installed({"url": folder.as_uri(), "dir_info": {"editable": True}})
    assert shlex.split(command) == ["pip", "install", "-e", f"{folder}[live]"]
    assert not set('$`!\\"') & set(name) or "'" in command  # nothing is expanded between double quotes


def test_from_an_archive_or_a_repository(installed: Any) -> None:
    wheel = {"url": "file:///downloads/freebody-0.1.0-py3-none-any.whl", "archive_info": {}}
    assert installed(wheel) == 'pip install "freebody[live] @ file:///downloads/freebody-0.1.0-py3-none-any.whl"'
    git: dict[str, Any] = {"url": "https://host/freebody.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}
    assert installed(git) == 'pip install "freebody[live] @ git+https://host/freebody.git@abc"'
    git["vcs_info"]["requested_revision"] = "main"
    git["subdirectory"] = "python"
    assert installed(git) == 'pip install "freebody[live] @ git+https://host/freebody.git@main#subdirectory=python"'


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "{",
        "[]",
        "3",
        "{}",
        '{"url": 3, "dir_info": {}}',
        '{"dir_info": {}}',
        '{"url": "file:///nowhere/at/all", "dir_info": {}}',
        '{"url": "https://host/x", "vcs_info": {}}',
    ],
)
def test_both_forms_where_nothing_is_known(installed: Any, origin: str) -> None:
    assert installed(origin) == (
        'pip install "freebody[live]" where freebody is installed from an index, or pip install ".[live]" in a clone of'
        " its repository"
    )


def test_both_forms_without_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("freebody.extras.distribution", missing)
    assert install_command("fem").count("[fem]") == 2


def test_errors_name_extras_that_exist() -> None:
    """All through the one function."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    used = set[str]()
    for path in (ROOT / "src").rglob("*.py"):
        text = path.read_text()
        assert "freebody[" not in text.replace("{NAME}[", ""), path
        used |= set(re.findall(r"install_command\(['\"](\w+)['\"]\)", text))
    assert {"live", "fem", "viewer", "netcdf", "parquet", "sundials", "cluster", "control"} <= used <= set(extras)


def test_the_readme_lists_the_extras_of_users() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    section = (ROOT / "README.md").read_text().partition("### Extras\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == set(extras) - INSIDE
    for page in (ROOT / "docs").rglob("*.md"):
        assert "freebody[" not in page.read_text(), f"{page}: link to the list in README"
