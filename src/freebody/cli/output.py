"""Output of a command: results, messages, files, exit codes."""

import contextlib
import io
import json
import math
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO, TypeVar

import numpy as np
import typer

import freebody
from freebody.errors import (
    AnalysisWarning,
    ArgumentError,
    BackendError,
    ExpressionError,
    FileWarning,
    FreebodyError,
    NoEquilibriumError,
    RunEndedWarning,
    SimulationWarning,
    SlowWarning,
    UnitsWarning,
)

Written = TypeVar("Written")
WARNINGS: tuple[type[Warning], ...] = (AnalysisWarning, FileWarning, SimulationWarning, SlowWarning, UnitsWarning)
PICTURES = (".png", ".svg", ".pdf")
"""Suffixes of figures."""

# Exit codes

OK = 0
RUN = 1
"""The run stopped before its end, or an unexpected error occurred."""
USAGE = 2
"""An argument of the command line is wrong."""
MODEL = 3
"""The model is wrong."""
FILE = 4
"""A file is missing, or cannot be read or written."""
INTERRUPTED = 130
"""Ctrl-C."""
PIPE = 141
"""The reader of the output has closed it, as of any program that SIGPIPE ends."""


class Failure(Exception):
    """The end of a command, with its exit code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def usage(message: str) -> Failure:
    return Failure(USAGE, message)


ARGUMENTS = (
    (r"\blinearize\((\w+)=…\)", r"--\1"),
    (r"linearize\(trim=True\)|trim=True", "--trim"),
    (r"\b([qu])=\{…\}", r"--set \1.…=…"),
    (r"\b(free|free_motion|hold)=\['([^']*)'\]", r"--\1 \2"),
    (r"\b(free|hold)=\[…\]", r"--\1 …"),
    (r"\brates=\{'([^']*)': ([^}]*)\}", r"--rate \1=\2"),
    (r"\brates=\{…\}", "--rate …"),
    (r"\bphysical=False", "--no-physical"),
    (r"\bstore='folder'", "--store FOLDER"),
    (r"\bgrid=True", "no --zip"),
    (r"--free_motion\b", "--free-motion"),
    (r"--rates\b", "--rate"),
)
"""Arguments of functions in messages of the library, and the options that stand for them."""


def with_options(message: str) -> str:
    """A message of the library with the names of options in place of those of arguments."""
    for argument, option in ARGUMENTS:
        message = re.sub(argument, option, message)
    return message


@contextlib.contextmanager
def library_call() -> Iterator[list[str]]:
    """The texts of the library's warnings in the block, complete at its end, without those of runs that ended early,
    whose messages are shown. Errors in arguments become errors of usage, and a search that finds no equilibrium a
    failure."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield texts
        except NoEquilibriumError as error:
            raise Failure(RUN, with_options(str(error))) from error
        except (ArgumentError, ExpressionError) as error:
            raise usage(with_options(str(error))) from error
        finally:
            ours = (w for w in caught if issubclass(w.category, WARNINGS))
            shown = (str(w.message) for w in ours if not issubclass(w.category, RunEndedWarning))
            texts += dict.fromkeys(map(with_options, shown))


def verdict(error: BaseException, model: str = "") -> tuple[int, str]:
    """The exit code and the message of an error; messages about the model begin with ``model``, its file."""
    match error:
        case Failure():
            return error.code, str(error)
        case KeyboardInterrupt():
            return INTERRUPTED, "interrupted"
        case BrokenPipeError():
            return PIPE, ""
        case BackendError():
            return RUN, str(error)
        case FreebodyError():
            message = str(error)
            return MODEL, message if not model or message.startswith(model) else f"{model}: {message}"
        case OSError():
            reason = error.strerror or str(error)
            return FILE, f"{error.filename}: {reason}" if error.filename else reason
        case MemoryError():
            return RUN, "there is not enough memory"
    return RUN, f"{type(error).__name__}: {error} (unexpected; --debug shows the traceback)"


# Text

PIPED = 200
"""Width of a table that does not go to a terminal, so that a row stays one line."""


def visible(text: str, keep: str = "") -> str:
    """The text with every character that is not printable written as its escape, so that no name moves the cursor,
    turns the direction of writing or breaks a line; those in ``keep`` stay."""
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text)


def plain(value: Any) -> Any:
    """A value as strict JSON has it: numbers that are not finite become null, complex numbers pairs of real and
    imaginary part, tuples and arrays lists."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, complex):
        return plain([value.real, value.imag])
    return None if isinstance(value, float) and not math.isfinite(value) else value


class CommandOutput:
    """The output of a command: ``with CommandOutput("info", json, quiet, debug) as out: …``.

    Inside the block, what models and libraries print goes to standard error, and so do warnings of the library. At its
    end the added facts are printed as one JSON object if ``json`` is set; an error becomes a message and the exit code
    of its kind.
    """

    def __init__(self, command: str, json: bool = False, quiet: bool = False, debug: bool = False) -> None:
        self.command, self.json, self.quiet, self.debug = command, json, quiet, debug
        self.code, self.model = OK, ""
        self.facts: dict[str, Any] = {}
        self._aside = contextlib.ExitStack()
        self._stdout: TextIO = sys.stdout

    def __enter__(self) -> Self:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        self._stdout = sys.stdout if sys.stdout is not None else io.StringIO()
        self._aside.enter_context(contextlib.redirect_stdout(sys.stderr))
        self._aside.enter_context(warnings.catch_warnings())
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **line: Any) -> None:
            if issubclass(category, WARNINGS):
                self.warning(str(message))
            else:
                usual(message, category, *place, **line)

        warnings.showwarning = show
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._aside.close()
        message = self._report(error) if error is not None else ""
        try:
            if self.json and self.code != PIPE:
                head = {"freebody": freebody.__version__, "command": self.command, "model": self.model}
                end = {"ok": self.code == OK, "exit_code": self.code, "error": message or None}
                self._stdout.write(json.dumps(plain({**head, **end, **self.facts}), allow_nan=False) + "\n")
            self._stdout.flush()
        except OSError as closed:
            self._report(closed)
            with contextlib.suppress(OSError, ValueError):  # or Python would write the rest when it ends
                os.dup2(os.open(os.devnull, os.O_WRONLY), self._stdout.fileno())
        if self.code:
            raise typer.Exit(self.code) from error

    def _report(self, error: BaseException) -> str:
        """Print the message of an error and set its exit code."""
        self.code, message = verdict(error, self.model)
        if self.debug and message:
            traceback.print_exception(error)
        if message:
            complain(message)
        return message

    @property
    def prints_text(self) -> bool:
        """Whether text is printed for people."""
        return not (self.json or self.quiet)

    def add(self, **facts: Any) -> None:
        """Add to the JSON object."""
        self.facts |= facts

    def line(self, text: str = "") -> None:
        """A line for people."""
        if self.prints_text:
            self._stdout.write(f"{visible(text)}\n")

    def text(self, text: str) -> None:
        """Text with its lines as they are; not printed with ``json``, whose object holds it."""
        if not self.json:
            self._stdout.write(visible(text, "\n"))

    def note(self, text: str) -> None:
        """A remark on standard error."""
        if self.prints_text:
            print(visible(text), file=sys.stderr)

    def warning(self, text: str) -> None:
        if not self.quiet:
            complain(text, "warning", "yellow")

    def warnings(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.warning(text)

    def write_files(self, files: Iterable[tuple[str, Path, Callable[[], object]]]) -> None:
        """Write one file after the other: option, path, and what writes it."""
        written: list[str] = []
        self.add(files=[])
        for option, path, action in files:
            write_file(option, path, action)
            written.append(str(path))
            self.add(files=list(written))
        if written:
            self.note(f"written: {', '.join(written)}")

    def table(
        self, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[str | int] = ""
    ) -> None:
        """A table for people. ``right`` has the indices of columns that hold numbers, such as "12"; empty columns are
        left out."""
        lines = list(rows)
        if not (self.prints_text and lines):
            return
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
        table.title, table.show_header = Text(visible(title), "bold not italic"), any(columns)
        numbers = {int(k) for k in right}
        filled = [k for k in range(len(columns)) if any(row[k] for row in lines)]
        for k in filled:
            table.add_column(Text(columns[k]), justify="right" if k in numbers else "left", overflow="fold")
        for row in lines:
            table.add_row(*(Text(visible(row[k])) for k in filled))
        console = _console(self._stdout)
        with console.capture() as captured:
            console.print(table)
        self._stdout.write("\n".join(line.rstrip() for line in captured.get().split("\n")) + "\n")


def _console(stream: TextIO) -> Any:
    from rich.console import Console

    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPED
    return console


def complain(text: str, what: str = "error", colour: str = "red") -> None:
    """Print a message to standard error. A line break stays only before an indented line, so that no name in it can
    begin a line."""
    from rich.text import Text

    shown = visible(re.sub(r"\n(?!    )", r"\\n", text), "\n")
    _console(sys.stderr).print(Text.assemble((f"{what}: ", f"bold {colour}"), shown), soft_wrap=True)


# Files


def require_writable(option: str, path: Path, suffixes: Sequence[str] = ()) -> None:
    """Raise an error before the work begins if the file cannot be written."""
    if suffixes and path.suffix.lower() not in suffixes:
        raise usage(f"{option} {path}: the name must end in {', '.join(suffixes)}")
    if path.is_dir():
        raise Failure(FILE, f"{option} {path}: it is a folder; name a file")
    if not path.parent.is_dir():
        raise Failure(FILE, f"{option} {path}: there is no folder {path.parent}; make it first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise Failure(FILE, f"{option} {path}: no permission to write there")


def write_file(option: str, path: Path, write: Callable[[], Written]) -> Written:
    """Call ``write``; its errors become a failure with the exit code of files."""
    try:
        return write()
    except OSError as error:
        raise Failure(FILE, f"{option} {path}: it cannot be written: {error.strerror or error}") from error
    except FreebodyError as error:
        raise Failure(FILE, f"{option} {error}") from error
