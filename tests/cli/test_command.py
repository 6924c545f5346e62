"""The whole command: help, version, exit codes, and calls in separate processes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import freebody as fb
from tests.cli.conftest import Run
from tests.cli.test_models import refused

COMMANDS = (
    "info", "derive", "simulate", "sweep", "view", "equilibrium", "ik", "linearize", "modes", "export", "tables",
    "bench", "completion",
)  # fmt: skip
HEAVY = ("scipy", "xarray", "pandas", "matplotlib", "sympy", "yaml", "llvmlite")
FREEBODY = [sys.executable, "-m", "freebody"]


def test_version_option(run: Run) -> None:
    assert run("--version").stdout == f"freebody {fb.__version__}\n"


def test_help_lists_every_command_and_option(run: Run) -> None:
    assert run().stdout == run("--help").stdout != ""
    assert all(name in run("--help").stdout for name in COMMANDS)
    for name in COMMANDS[:-1]:
        result = run(name, "--help")
        assert result.exit_code == 0 and "Exit codes: 0 done, 1 the run failed" in result.stdout
        assert all(option in result.stdout for option in ("MODEL", "--physical", "--json", "--quiet", "--debug"))
    options = "--until --samples --step --method --rtol --atol --set --parameter --input --zero-inputs --save --plot"
    shown = run("simulate", "-h").stdout
    assert all(o in shown for o in (*options.split(), "-t", "--show", "--report", "--event", "--direction"))


def test_wrong_command_lines_are_refused(run: Run, pendulum: Path) -> None:
    refused(run("simulat", pendulum), 2, "No such command 'simulat'. Did you mean 'simulate'?", "See 'freebody")
    refused(run("info", pendulum, "--jsn"), 2, "No such option", "--json", "info --help")
    refused(run("info"), 2, "Missing argument 'MODEL'")
    refused(run("export", pendulum), 2, "Missing option '--to'")
    refused(run("info", "[red].txt"), 2, "error: [red].txt: a model is")


def test_unexpected_errors_are_marked_as_such(run: Run, pendulum: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object) -> None:
        raise RuntimeError("a gear is loose")

    monkeypatch.setattr(fb.System, "derive", broken)
    refused(run("info", pendulum), 1, "RuntimeError: a gear is loose (unexpected; --debug shows the traceback)")


def test_errors_are_included_in_the_json(run: Run) -> None:
    result = run("info", "nowhere.py", "--json")
    found = json.loads(result.stdout)
    assert (found["ok"], found["exit_code"], result.exit_code) == (False, 4, 4)
    assert found["error"] == "nowhere.py: there is no such file" and result.stderr.startswith("error: ")


def test_heavy_libraries_are_not_imported(pendulum: Path) -> None:
    code = f"""
import sys
from freebody.cli import app
for given in (["--version"], ["info", {str(pendulum)!r}, "-q"], ["derive", {str(pendulum)!r}, "-q"]):
    try:
        app(given)
    except SystemExit as end:
        assert end.code == 0
print([name for name in {HEAVY} if name in sys.modules])
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"


def test_json_output_of_a_process(driven: Path, tmp_path: Path) -> None:
    """Standard output holds only one JSON object, whatever the model prints, and no colours."""
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    given = [*FREEBODY, "simulate", str(driven), "-t", "0.1", "--zero-inputs", "--json"]
    done = subprocess.run(given, cwd=tmp_path, capture_output=True, text=True, env=env)
    assert done.returncode == 0 and json.loads(done.stdout)["t_end"] == 0.1 and done.stdout.count("\n") == 1
    plain = subprocess.run([*FREEBODY, "info", str(driven)], capture_output=True, text=True, env=env)
    assert plain.returncode == 0 and "\x1b" not in plain.stdout + plain.stderr
    assert r"N\xb7m" in plain.stdout


def test_closed_pipes_are_not_an_error(pendulum: Path) -> None:
    with subprocess.Popen(
        [*FREEBODY, "derive", str(pendulum)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_unwritable_output_is_a_file_error(pendulum: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*FREEBODY, "info", str(pendulum)], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (4, "error: No space left on device\n")


def test_ctrl_c_ends_a_process_with_130(ball: Path) -> None:
    given = [*FREEBODY, "simulate", str(ball), "--until", "1e6", "--method", "rk4", "--step", "1e-5", "--json"]
    ball.write_text(ball.read_text() + "\nimport sys\nprint('read', file=sys.stderr, flush=True)\n")
    with subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None and process.stdout is not None
        assert process.stderr.readline() == "read\n"
        process.send_signal(signal.SIGINT)
        found = json.loads(process.stdout.read())
        assert process.wait() == 130 and "interrupted" in found["error"]
