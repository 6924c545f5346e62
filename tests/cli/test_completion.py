"""completion: the scripts in each shell that is installed, and what they ask for."""

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from freebody.cli import app
from freebody.cli.completion import SHELLS, VARIABLE, files_with
from tests.cli.conftest import Run
from tests.cli.test_models import refused


def installed(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with models, and a command ``freebody`` on the path."""
    folder = tmp_path / "work"
    (folder / "sub" / "deep").mkdir(parents=True)
    for name in ("arm.yaml", "bot.urdf", "notes.txt", "sub/deep/leg.py", "part.npz"):
        (folder / name).touch()
    command = tmp_path / "bin" / "freebody"
    command.parent.mkdir()
    command.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m freebody \"$@\"\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    source = str(Path(__file__).parents[2] / "src")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([source, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
    monkeypatch.chdir(folder)
    return folder


def run_shell(*command: str) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout.split()


@installed("bash")
def test_completion_in_bash(folder: Path) -> None:
    script = """
source <(freebody completion bash)
complete -p freebody > /dev/null
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _freebody_completion freebody; echo "${COMPREPLY[*]}" "|"; }
try freebody info ''
try freebody simulate arm.yaml --max
"""
    results = " ".join(run_shell("bash", "--norc", "-c", script)).split("|")
    assert [text.split() for text in results] == [["arm.yaml", "bot.urdf", "sub/"], ["--max-steps"], []]


@installed("fish")
def test_completion_in_fish(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    words = run_shell("fish", "--no-config", "-c", "freebody completion fish | source; complete -C 'freebody modes p'")
    assert words == ["part.npz"]


@installed("zsh")
def test_completion_in_zsh(folder: Path) -> None:
    """In a terminal, since only there zsh completes."""
    process, terminal = pty.fork()
    if not process:
        os.environ |= {"TERM": "dumb", "ZDOTDIR": str(folder)}
        os.execvp("zsh", ["zsh", "-f", "-i"])

    def read_until(text: str) -> str:
        seen, end = "", time.monotonic() + 30
        while text not in seen:
            assert time.monotonic() < end, seen
            if select.select([terminal], [], [], 0.1)[0]:
                seen += os.read(terminal, 4096).decode(errors="replace")
        return seen

    try:
        os.write(terminal, b"autoload -Uz compinit; compinit -u; source <(freebody completion zsh); echo rea''dy\n")
        read_until("ready")
        os.write(terminal, b"echo freebody e; freebody equil\t")
        read_until("freebody equilibrium ")
        os.write(terminal, b"sub/\t")
        read_until("sub/deep/leg.py")
    finally:
        os.close(terminal)
        os.waitpid(process, 0)


def test_commands_options_and_names_are_completed(folder: Path) -> None:
    """What the scripts are answered; an empty answer leaves the names of files to the shell."""

    def complete(*words: str) -> list[str]:
        asked = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1), VARIABLE: "complete_bash"}
        with pytest.MonkeyPatch.context() as patch:
            for name, value in asked.items():
                patch.setenv(name, value)
            return CliRunner().invoke(app, [], prog_name="freebody").stdout.split()

    assert complete("freebody", "eq") == ["equilibrium"]
    assert complete("freebody", "simulate", "arm.yaml", "--method", "ra") == ["radau"]
    assert complete("freebody", "derive", "arm.yaml", "--quantity", "mass_") == ["mass_matrix"]
    assert complete("freebody", "export", "arm.yaml", "--to", "") == [
        "c",
        "fortran",
        "program",
        "fmu",
        "text",
        "latex",
        "sympy",
        "yaml",
    ]
    assert complete("freebody", "modes", "arm.yaml", "--fr") == ["--free", "--free-motion"]
    assert complete("freebody", "simulate", "arm.yaml", "--save", "") == []


def test_files_of_models_are_completed(folder: Path) -> None:
    """Folders and files with the suffixes; what needs quotes is left to the shell."""
    models = files_with(".yaml", ".py")
    assert models("") == ["arm.yaml", "sub/"] and models("a") == ["arm.yaml"] and models("z") == []
    assert models("su") == ["sub/deep/leg.py"] and models(f"{folder}/ar") == [f"{folder}/arm.yaml"]
    assert models("nowhere/") == []
    (folder / ".hidden.yaml").touch()
    assert models("") == ["arm.yaml", "sub/"] and models(".h") == [".hidden.yaml"]
    (folder / "a$(touch bad).yaml").touch()
    assert models("a") == [] and models("s") == ["sub/deep/leg.py"]


def test_wrong_shells_are_refused(run: Run) -> None:
    for shell in SHELLS:
        assert "_FREEBODY_COMPLETE=complete_" + shell in run("completion", shell).stdout
    refused(run("completion", "tcsh"), 2, "there is no completion for 'tcsh'; the shells are bash, zsh, fish")
    refused(run("completion"), 2, "Missing argument 'bash|zsh|fish'")
