"""``freebody view``: pages with sliders, and live simulations."""

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_models import refused


def test_a_page_is_written(run: Run, pendulum: Path, tmp_path: Path) -> None:
    page = tmp_path / "pendulum.html"
    result = run("view", pendulum, page, "--set", "q.arm=0.4", "--json")
    assert result.exit_code == 0 and json.loads(result.stdout)["files"] == [str(page)]
    assert "fb-scene" in page.read_text()
    other = tmp_path / "other.html"
    assert run("view", pendulum, "--out", other).exit_code == 0 and other.is_file()


def test_wrong_options_are_refused(run: Run, pendulum: Path, tmp_path: Path) -> None:
    refused(run("view", pendulum, tmp_path / "a.html", "--out", tmp_path / "b.html"), 2, "two files are given")
    refused(run("view", pendulum, tmp_path / "a.png"), 2, "must end in .html")
    refused(run("view", pendulum, tmp_path / "a.html", "--set", "u.arm=1"), 2, "coordinates only")
    for option in (("--port", "3"), ("--paused",), ("--no-browser",), ("--speed", "2"), ("--host", "0.0.0.0")):
        refused(run("view", pendulum, tmp_path / "a.html", *option), 2, f"remove {option[0]}, or the file")
    refused(run("view", pendulum, "--no-browser", "--host", "nosuch.host."), 2, "Give an address of this computer")
    refused(run("view", pendulum, "--no-browser", "--speed", "0"), 2, "speed must be a positive number")
    refused(run("view", pendulum, "--no-browser", "--method", "euler"), 2, "there is no method 'euler'")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        refused(run("view", pendulum, "--no-browser", "--port", port), 1, f"cannot use port {port} of 127.0.0.1")


def test_a_live_simulation_says_where_it_is_and_ends_by_ctrl_c(pendulum: Path) -> None:
    """In a process of its own: bound to this computer only, no traceback, exit code 0."""
    pytest.importorskip("viser")
    command = [sys.executable, "-m", "freebody", "view", str(pendulum), "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        try:
            url = line.split()[0]
            assert url.startswith("http://127.0.0.1:") and "this computer only" in line
            with urllib.request.urlopen(url) as page:
                assert b"<html" in page.read()
            time.sleep(1.0)  # the page is served a moment before the simulation begins
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0 and process.stderr.read() == ""
