"""Ctrl-C while compiled code runs: kept until the run can stop in good order."""

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from freebody.backends.function import CallbackErrors


class Interrupt:
    """``with Interrupt(halt) as interrupt:`` lets no Ctrl-C through but where it can be caught.

    Python raises KeyboardInterrupt wherever it happens to be: also where compiled code is about to call a function of
    the user's, and there it is lost. Here it is noted, ``halt`` makes the compiled code return soon, and ``settle``,
    called between its turns, hands it to whoever would have had it (Python itself, or a handler of the user's). Inside
    a function of the user's it is handed over at once, so that one that hangs is left. Only the main thread gets
    signals; in others this does nothing.
    """

    def __init__(self, halt: Callable[[], None]) -> None:
        self.halt = halt
        self._usual: Any = None
        self._noted: tuple[int, FrameType | None] | None = None

    def __enter__(self) -> "Interrupt":
        usual = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is threading.main_thread() and callable(usual):
            self._usual = usual
            signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._noted = number, frame
        self.halt()
        if CallbackErrors.inside(frame):
            self.settle()

    def settle(self) -> None:
        """Hand over what was noted; it may raise."""
        noted, self._noted = self._noted, None
        if noted is not None:
            self._usual(*noted)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._usual is not None:
            signal.signal(signal.SIGINT, self._usual)
        if error is None:
            self.settle()
