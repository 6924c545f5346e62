"""Files that a command writes: whether they can be, before the work begins, and what is said if they cannot."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from freebody.cli.failure import FILE, Failure, usage
from freebody.errors import FreebodyError

Made = TypeVar("Made")


def check(option: str, path: Path, suffixes: Sequence[str] = ()) -> None:
    """Refuse what cannot be written, so that no run is lost for it."""
    if suffixes and path.suffix.lower() not in suffixes:
        raise usage(f"{option} {path}: the name must end in {', '.join(suffixes)}")
    if path.is_dir():
        raise Failure(FILE, f"{option} {path}: it is a folder; name a file")
    if not path.parent.is_dir():
        raise Failure(FILE, f"{option} {path}: there is no folder {path.parent}; make it first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise Failure(FILE, f"{option} {path}: no permission to write there")


def written(option: str, path: Path, write: Callable[[], Made]) -> Made:
    """Write, and tell what went wrong as a file problem."""
    try:
        return write()
    except OSError as error:
        raise Failure(FILE, f"{option} {path}: it cannot be written: {error.strerror or error}") from error
    except FreebodyError as error:
        raise Failure(FILE, f"{option} {error}") from error


def text(option: str, path: Path, content: str) -> None:
    """Write a text file in UTF-8."""
    check(option, path)
    written(option, path, lambda: path.write_text(content, encoding="utf-8", errors="backslashreplace"))
