"""Browsers: whether one can show a page, and pictures of pages by one without a window."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from freebody.errors import ArgumentError, BackendError

BROWSERS = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)  # fmt: skip
VARIABLE = "FREEBODY_BROWSER"
OPTIONS = (
    "--headless=new", "--hide-scrollbars", "--mute-audio", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist", "--force-device-scale-factor=1",
)  # fmt: skip
"""Options of Chromium: no window, WebGL by software, no requests."""
PATIENCE = 60.0
"""How long a picture may take, in s."""
SMALLEST, LARGEST = 16, 8192
"""The limits of the width and height of a picture, in pixels."""
SETTLED = 4000
"""How long a page may work before the picture is taken, in ms of its own time."""


def find_browser() -> str | None:
    """The program of a browser that takes pictures: that of the environment variable FREEBODY_BROWSER, or one of the
    relatives of Chromium that are installed; None if there is none."""
    named = os.environ.get(VARIABLE)
    return next((path for name in ([named] if named else BROWSERS) if (path := shutil.which(name))), None)


def has_screen() -> bool:
    """Whether a browser can show something; without a screen, Python would start one for terminals."""
    return sys.platform != "linux" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))


def check_size(size: Any) -> tuple[int, int]:
    """The width and the height of a picture in pixels; raises for what is not such a pair."""
    try:
        width, height = map(int, size)
    except (TypeError, ValueError, OverflowError):
        width = height = 0
    if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
        raise ArgumentError(
            f"the size of a picture is its width and height in pixels, {SMALLEST} to {LARGEST} each, such as"
            f" (1200, 800), not {size!r}"
        )
    return width, height


def take_picture(page: str, target: Path, size: Sequence[int]) -> None:
    """Open a page in a browser without a window, and write what it shows to a file (.png)."""
    browser = find_browser()
    if browser is None:
        if named := os.environ.get(VARIABLE):
            raise BackendError(
                f"the environment variable {VARIABLE} names {named!r}, which is not a program that can be run; correct"
                " or remove it"
            )
        raise BackendError(
            "a picture of a 3D scene needs a browser of the Chromium family, and none was found. Install chromium or"
            f" Google Chrome, or name the program in the environment variable {VARIABLE}; or write a page (.html)"
            " and open it"
        )
    width, height = size
    with TemporaryDirectory(prefix="freebody-") as folder:
        file, picture = Path(folder, "page.html"), Path(folder, "picture.png")
        file.write_text(page, encoding="utf-8", newline="\n")
        options = [
            *OPTIONS,
            f"--user-data-dir={Path(folder, 'profile')}",
            f"--window-size={width},{height}",
            f"--screenshot={picture}",
            f"--virtual-time-budget={SETTLED}",
        ]
        options += ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        try:
            done = subprocess.run([browser, *options, file.as_uri()], capture_output=True, timeout=PATIENCE)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BackendError(f"{browser} did not take the picture: {error}") from error
        if not picture.is_file():
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["it wrote no message"]
            raise BackendError(f"{browser} took no picture: {last[0][:300]}")
        shutil.copyfile(picture, target)
