"""Configuration of all tests, and the short run of them, ``--quick``: the first case of each test, without the slow
ones."""

import re
import signal
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from freebody import wings
from freebody.errors import MissingPackageError

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background: the tests of Ctrl-C need it back
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line where the tests in a browser were skipped, with the reason."""
    skipped = [r for r in terminalreporter.stats.get("skipped", []) if r.nodeid.startswith("tests/browser")]
    if skipped:
        reason = str(skipped[0].longrepr[2]).removeprefix("Skipped: ")
        terminalreporter.write_line(f"{len(skipped)} tests in a browser were skipped: {reason}")


# The short run

SLOW = (
    "analysis",
    "backends",
    "browser",
    "cli",
    "export",
    "extending",
    "fem",
    "flexible",
    "fuzz",
    "integrate",
    "papers",
    "report",
    "robots",
    "run",
    "test_examples.py",
    "viewer",
)
"""Folders and files that the short run leaves out."""
WITHOUT_WINGS = re.compile(r"^(from|import) freebody\.papers", re.M)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="the first case of each test, without the slow ones")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Slow folders in the short run; tests of wings that are not there."""
    if config.getoption("--quick") and collection_path.name in SLOW and collection_path.parent == Path(__file__).parent:
        return True
    absent = wings.absent() and collection_path.suffix == ".py"
    return True if absent and WITHOUT_WINGS.search(collection_path.read_text(encoding="utf-8")) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In the short run, the first case of each test. Tests that need all wings are skipped where one is missing."""
    for item in items if wings.absent() else ():
        if item.get_closest_marker("wings") is not None:
            item.add_marker(pytest.mark.skip(reason=wings.note()))
    if not config.getoption("--quick"):
        return
    kept, seen = list[pytest.Item](), set[str]()
    for item in items:
        test = item.nodeid.split("[")[0]
        if test not in seen and item.get_closest_marker("long") is None and item.get_closest_marker("slow") is None:
            kept.append(item)
            seen.add(test)
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, Any, Any]:
    """Tests of what a wing brings are skipped where it is not there."""
    try:
        return (yield)
    except Exception as error:
        if wings.absent() and (isinstance(error, MissingPackageError) or wings.note() in str(error)):
            pytest.skip(str(error))
        raise
