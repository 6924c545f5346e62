"""Configuration of all tests."""

import signal
from contextlib import suppress
from typing import Any

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background: the tests of Ctrl-C need it back
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line where the tests in a browser were skipped, with the reason."""
    skipped = [r for r in terminalreporter.stats.get("skipped", []) if r.nodeid.startswith("tests/browser")]
    if skipped:
        reason = str(skipped[0].longrepr[2]).removeprefix("Skipped: ")
        terminalreporter.write_line(f"{len(skipped)} tests in a browser were skipped: {reason}")
