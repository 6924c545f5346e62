"""A browser for tests of pages: Chromium or a relative of it, without a window, driven by Playwright.

The tests are skipped where there is none, unless FREEBODY_REQUIRE_BROWSER is set (``make test-browser``)."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from freebody.viewer.browser import OPTIONS, find_browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = find_browser()
    missing = "no browser was found" if path is None else "Playwright is not installed"
    if path is None or find_spec("playwright") is None:
        if os.environ.get("FREEBODY_REQUIRE_BROWSER"):
            pytest.fail(f"{missing}, and FREEBODY_REQUIRE_BROWSER is set")
        pytest.skip(missing)
    from playwright.sync_api import sync_playwright

    flags = [o for o in OPTIONS if not o.startswith("--headless")]
    flags += ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=flags)
        yield opened
        opened.close()
