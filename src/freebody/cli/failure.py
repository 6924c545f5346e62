"""How a command ends: exit codes, and which error has which."""

from collections.abc import Callable

from freebody.errors import BackendError, FreebodyError

OK = 0
RUN = 1
"""The run stopped before its end, or something happened that nobody foresaw."""
USAGE = 2
"""The command line asks for what there is not."""
MODEL = 3
"""The model is wrong."""
FILE = 4
"""A file is missing, or cannot be read or written."""
INTERRUPTED = 130
"""Ctrl-C."""
PIPE = 141
"""Whoever read the output has gone; as of any program that SIGPIPE ends."""


class Failure(Exception):
    """The end of a command, with its exit code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def usage(message: str) -> Failure:
    return Failure(USAGE, message)


def verdict(error: BaseException, model: str = "") -> tuple[int, str]:
    """The exit code of an error and the message it deserves; ``model`` is the file it is about, if it is."""
    if isinstance(error, Failure):
        return error.code, str(error)
    for kind, judge in JUDGES.items():
        if isinstance(error, kind):
            code, message = judge(error)
            return code, _placed(message, model) if code == MODEL else message
    return RUN, f"{type(error).__name__}: {error} (not foreseen; --debug shows where)"


def _placed(message: str, model: str) -> str:
    """A message about a model, with the file's name before it."""
    return message if not model or message.startswith(model) else f"{model}: {message}"


def _file(error: BaseException) -> tuple[int, str]:
    assert isinstance(error, OSError)
    reason = error.strerror or str(error)
    return FILE, f"{error.filename}: {reason}" if error.filename else reason


JUDGES: dict[type[BaseException], Callable[[BaseException], tuple[int, str]]] = {
    KeyboardInterrupt: lambda e: (INTERRUPTED, "interrupted"),
    BrokenPipeError: lambda e: (PIPE, ""),
    BackendError: lambda e: (RUN, str(e)),
    FreebodyError: lambda e: (MODEL, str(e)),
    OSError: _file,
    MemoryError: lambda e: (RUN, "there is not enough memory"),
}
"""Kinds of errors, the special before the general."""
