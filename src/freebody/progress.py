"""A progress bar on the terminal for work that takes longer than two seconds."""

import sys
import time
from types import TracebackType
from typing import Any

PATIENCE = 2.0


class Progress:
    """``with Progress("simulating", total) as bar: bar(done)``; nothing is shown before two seconds have passed, or
    where stderr is not a terminal."""

    def __init__(self, what: str, total: float, shown: bool | None = None) -> None:
        self.what, self.total = what, total
        self.shown = sys.stderr.isatty() if shown is None else shown
        self.start = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> "Progress":
        return self

    def __call__(self, done: float) -> None:
        if self._bar is None and self.shown and time.monotonic() - self.start > PATIENCE:
            from rich import progress
            from rich.console import Console

            what, bar = progress.TextColumn("{task.description}", markup=False), progress.BarColumn()
            columns = what, bar, progress.TaskProgressColumn(), progress.TimeRemainingColumn()
            self._bar = progress.Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(self.what, total=self.total)
            self._bar.start()
        if self._bar is not None:
            self._bar.update(self._task, completed=done)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
