"""Ctrl-C while compiled code runs: it is recorded, and the run ends at the next opportunity."""

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from freebody.backends.function import CallbackErrors


class Interrupt:
    """``with Interrupt(halt) as interrupt:`` delays Ctrl-C until it can be handled.

    Python raises KeyboardInterrupt wherever it happens to be, even where compiled code is about to call a function of
    the user, and there it is lost. Here it is noted, ``halt`` makes the compiled code return soon, and ``settle``,
    called between its turns, passes it to the previous handler (Python's, or one of the user). Inside a function of the
    user it is passed on at once, so that one that hangs is interrupted. Only the main thread receives signals; in other
    threads this does nothing.
    """

    def __init__(self, halt: Callable[[], None]) -> None:
        self.halt = halt
        self._previous: Any = None
        self._noted: tuple[int, FrameType | None] | None = None

    def __enter__(self) -> "Interrupt":
        previous = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is threading.main_thread() and callable(previous):
            self._previous = previous
            signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._noted = number, frame
        self.halt()
        if CallbackErrors.inside(frame):
            self.settle()

    def settle(self) -> None:
        """Pass on what was noted; it may raise."""
        noted, self._noted = self._noted, None
        if noted is not None:
            self._previous(*noted)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)
        if error is None:
            self.settle()
