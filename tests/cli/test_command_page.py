"""docs/command.md: its examples print what it shows, and it has every command and option."""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

from freebody.cli import app

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "command.md"
CONSOLE = re.compile(r"```console\n(\$ (freebody [^\n]*)\n.*?)```", re.DOTALL)
GROUP: Any = typer.main.get_command(app)
COMMANDS: dict[str, Any] = GROUP.commands
RESIDUAL = re.compile(r"(remains: )\S+")
"""A number that is a rounding error."""


def printed(command: str) -> str:
    """What a command prints, without double blank lines."""
    result = CliRunner().invoke(app, shlex.split(command)[1:])
    assert result.exit_code == 0, result.output
    return re.sub(r"\n{3,}", "\n\n", result.stdout.strip("\n")) + "\n"


def test_examples_print_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """``FREEBODY_UPDATE=1`` writes the output into the page."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "120")
    page = PAGE.read_text(encoding="utf-8")
    current = CONSOLE.sub(lambda block: f"```console\n$ {block[2]}\n{printed(block[2])}```", page)
    current, page = (RESIDUAL.sub(r"\g<1>4e-14", text) for text in (current, page))
    if os.environ.get("FREEBODY_UPDATE"):
        PAGE.write_text(current, encoding="utf-8")
    assert len(CONSOLE.findall(page)) >= 4 and current == page


def options() -> Iterator[tuple[str, list[str]]]:
    """Each option of each command, with its names."""
    for name, command in {**COMMANDS, "": GROUP}.items():
        for parameter in command.params:
            names = [n for n in (*parameter.opts, *parameter.secondary_opts) if n.startswith("--")]
            if names and "--help" not in names:
                yield name, names


def test_every_command_and_option_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    table = page[: page.index("\n## ")]
    assert [name for name in COMMANDS if f"`freebody {name}" not in table] == []
    words = set(re.findall(r"`(--[a-z][\w-]*)", page))
    assert [option for option in options() if not words & {*option[1]}] == []
