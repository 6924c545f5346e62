"""Where a command speaks: results to standard output, everything else to standard error; names as they are."""

import contextlib
import io
import json
import math
import os
import re
import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TextIO

import numpy as np
import typer

import freebody
from freebody.cli.failure import OK, PIPE, verdict

PIPED = 200
"""Columns of a table that nobody looks at: a line stays one line for whatever reads it."""


def visible(text: str, keep: str = "") -> str:
    """The text with every character that is not printable written as its escape, so that no name moves the cursor,
    turns the direction of writing or breaks a line; those in ``keep`` stay."""
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text)


def plain(value: Any) -> Any:
    """A value as strict JSON has it: numbers that are not finite become null, tuples and arrays lists."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value


class Output:
    """A command at work: ``with Output("info", json, quiet, debug) as out: …``.

    While it lasts, what models and libraries print goes to standard error. At its end the facts told are printed as one
    JSON object, if that was asked for; an error becomes a message and the exit code of its kind.
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
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._aside.close()
        message = self._blame(error) if error is not None else ""
        try:
            self._finish(message)
        except OSError as gone:
            self._blame(gone)
            _abandon(self._stdout)
        if self.code:
            raise typer.Exit(self.code) from error

    def _blame(self, error: BaseException) -> str:
        """The exit code of an error, and what to say about it."""
        self.code, message = verdict(error, self.model)
        if self.debug and message:
            traceback.print_exception(error)
        if message:
            complain(message)
        return message

    def _finish(self, message: str) -> None:
        if self.json and self.code != PIPE:
            head = {"freebody": freebody.__version__, "command": self.command, "model": self.model}
            told = {**head, "ok": self.code == OK, "exit_code": self.code, "error": message or None, **self.facts}
            self._stdout.write(json.dumps(plain(told), allow_nan=False) + "\n")
        self._stdout.flush()

    # What people read

    @property
    def talks(self) -> bool:
        """Whether a person wants to be told anything."""
        return not (self.json or self.quiet)

    def tell(self, **facts: Any) -> None:
        """Add to the JSON object."""
        self.facts |= facts

    def line(self, text: str = "") -> None:
        """A line for people."""
        if self.talks:
            self._stdout.write(f"{visible(text)}\n")

    def text(self, text: str) -> None:
        """Whole text that was asked for, its lines as they are; where there is JSON, that holds it."""
        if not self.json:
            self._stdout.write(visible(text, "\n"))

    def note(self, text: str) -> None:
        """Something said beside the result."""
        if self.talks:
            print(visible(text), file=sys.stderr)

    def warning(self, text: str) -> None:
        if not self.quiet:
            complain(text, "warning", "yellow")

    def table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], right: str = "") -> None:
        """A table for people. The digits in ``right`` are the columns (from 0) that hold numbers; a column that says
        nothing is left out."""
        if not self.talks:
            return
        from rich import box
        from rich.table import Table
        from rich.text import Text

        made, lines = Table(title_justify="left", box=box.SIMPLE_HEAD, show_edge=False), list(rows)
        made.title, made.show_header = Text(visible(title), "bold not italic"), any(columns)
        kept = [k for k in range(len(columns)) if any(row[k] for row in lines)]
        for k in kept:
            made.add_column(Text(columns[k]), justify="right" if str(k) in right else "left", overflow="fold")
        for row in lines:
            made.add_row(*(Text(visible(row[k])) for k in kept))
        self._stdout.write(_rendered(made, self._stdout))


def _rendered(table: Any, stream: TextIO) -> str:
    """A table as text for a stream, an empty line behind it, without blanks at the ends of lines."""
    console = _console(stream)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().split("\n")) + "\n"


def _abandon(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere, so that Python does not try once more at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _console(stream: TextIO) -> Any:
    from rich.console import Console

    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPED
    return console


def complain(text: str, what: str = "error", colour: str = "red") -> None:
    """A message on standard error. Its lines may go on where they are indented; no name can begin one."""
    from rich.text import Text

    shown = visible(re.sub(r"\n(?!    )", r"\\n", text), "\n")
    _console(sys.stderr).print(Text.assemble((f"{what}: ", f"bold {colour}"), shown), soft_wrap=True)
