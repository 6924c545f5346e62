"""Reading and writing of files that users name: checks of paths, and files that are written completely or not at all.

The rule: what is written must lie in a folder that exists, so that a misspelt path is an error and not a new tree.
Where a folder itself is asked for (C files, a sweep's store), it is created.
"""

import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from freebody.errors import FileError

if sys.platform == "win32":
    FLAGS = os.O_RDONLY | os.O_BINARY
else:
    FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
PARTIAL = ".partial"
DRAFT = re.compile(r"\.[0-9a-f]{32}\.partial")
"""The names of files that are not complete."""
PAGES = (".html", ".htm")
"""Suffixes of web pages."""
_KINDS = (
    (stat.S_ISDIR, "a directory"), (stat.S_ISFIFO, "a named pipe"), (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"),
)  # fmt: skip


def path_of(given: Any) -> Path:
    """A path from text or a path."""
    if not isinstance(given, str | os.PathLike) or not isinstance(os.fspath(given), str):
        raise FileError(f"a path is text or a pathlib.Path, not {given!r}")
    if "\0" in os.fspath(given):
        raise FileError(f"a path cannot hold the character U+0000, as {os.fspath(given)!r} does")
    return Path(given)


def target(given: Any, what: str, suffixes: Sequence[str]) -> Path:
    """A file that can be written: its name ends in one of the suffixes (any, if there are none) and its folder exists.
    ``what`` is the kind of file in an error: "a page"."""
    path = path_of(given)
    if suffixes and path.suffix.lower() not in suffixes:
        raise FileError(f"{what} is written as {', '.join(suffixes)}, not as '{path.suffix}'", str(path))
    if (found := _found(path)) is not None and stat.S_ISDIR(found.st_mode):
        raise FileError("it cannot be written: it is a folder; add a file name", str(path))
    _require_folder(path.parent, path)
    return path


def folder(given: Any) -> Path:
    """A folder to write into, created if it is missing; the folder that it lies in must exist."""
    path = path_of(given)
    if (found := _found(path)) is not None and not stat.S_ISDIR(found.st_mode):
        raise FileError("it cannot be written: it is not a folder; name another", str(path))
    _require_folder(path.parent, path)
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from error
    return path


def folders_of(given: Any) -> list[Path]:
    """Folders to search in, from one or several paths; each must exist."""
    several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    paths = [path_of(one) for one in several]
    for path in paths:
        if not path.is_dir():
            raise FileError("there is no such folder to search in; check the path", str(path))
    return paths


def find_inside(name: str, search: Sequence[Path], folders: Sequence[Path]) -> Path:
    """The file that another file names, searched for in some folders; it must be in one of the ``folders`` or below,
    also where it is a link. The message of an error completes "the included file"."""
    roots = [folder.resolve() for folder in folders]
    outside = False
    shown = f"'{name[:80]}'" if name.isprintable() else "with this name"
    for folder in dict.fromkeys(search):
        candidate = folder.resolve() / name
        if not any(Path(os.path.normpath(candidate)).is_relative_to(root) for root in roots):
            outside = True
            continue
        try:
            path = candidate.resolve(strict=True)
        except (OSError, RuntimeError, ValueError):  # links in a ring; names that no file can have
            continue
        if not any(path.is_relative_to(root) for root in roots):
            outside = True
        elif path.is_file():
            return path
    if outside:
        raise FileError(
            f"{shown} is outside of the folders that are read: that of the file, and those named in folders=[…]"
        )
    raise FileError(f"{shown} is missing")


def write(path: Path, fill: Callable[[Path], object]) -> Path:
    """Let ``fill`` write a file beside the path, and put it in its place when it is complete: a disk that is full
    leaves the old file as it was and nothing else behind. What a process that was killed left in the folder is
    removed at the first write there."""
    from uuid import uuid4

    _remove_abandoned(str(path.parent.absolute()))
    draft = path.with_name(f".{uuid4().hex}{PARTIAL}")
    try:
        with _locked(draft):
            fill(draft)
            draft.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        draft.unlink(missing_ok=True)
    return path


@contextmanager
def _locked(draft: Path) -> Iterator[None]:
    """Create a draft and hold a lock on it, which ends with the process at the latest. Windows has no such locks, and
    nothing is removed there."""
    if sys.platform == "win32":
        yield
        return
    with draft.open("xb") as file:
        _lock(file.fileno())
        yield


def _lock(handle: int) -> bool:
    """Lock an open file unless another process has; whether it is certain that none has."""
    if sys.platform == "win32":
        return False
    from fcntl import LOCK_EX, LOCK_NB, flock

    try:
        flock(handle, LOCK_EX | LOCK_NB)
    except OSError:  # locked, or a file system without locks
        return False
    return True


@cache
def _remove_abandoned(directory: str) -> None:
    """Remove the drafts in a folder whose processes were killed: those without a lock. A process does so once."""
    with suppress(OSError):
        names = [entry.path for entry in os.scandir(directory) if DRAFT.fullmatch(entry.name)]
        for name in names:
            with suppress(OSError), open_regular(name) as file:
                if _lock(file.fileno()):
                    os.unlink(name)


def write_bytes(path: Path, data: bytes) -> Path:
    return write(path, lambda draft: draft.write_bytes(data))


def write_text(path: Path, text: str) -> Path:
    """A text in UTF-8, its lines ending as they are on every system."""
    return write(path, lambda draft: draft.write_text(text, encoding="utf-8", newline="\n"))


def open_regular(path: "str | os.PathLike[str]") -> BinaryIO:
    """A regular file opened for reading; a named pipe or a device is an OSError instead of waiting for a writer."""
    handle = os.open(path, FLAGS)
    file = open(handle, "rb")  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        kind = kind_of(os.fstat(handle))
        file.close()
        raise OSError(f"it is {kind}, not a regular file")
    return file


def kind_of(status: os.stat_result) -> str:
    """What lies under a path, in words."""
    if stat.S_ISREG(status.st_mode):
        return "a regular file"
    return next((word for test, word in _KINDS if test(status.st_mode)), "something else")


def _found(path: Path) -> os.stat_result | None:
    """What lies under a path that is to be written, if there is something."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unwritable(path, error) from error


def _require_folder(path: Path, wanted: Path) -> None:
    if not path.is_dir():
        raise FileError(f"it cannot be written: there is no folder {path}; create it first", str(wanted))


def _unwritable(path: Path, error: OSError) -> FileError:
    return FileError(f"it cannot be written: {error.strerror or error}", str(path))
