"""Limits of model files, checked before parsing: a regular file of bounded size, text without control characters.

docs/model-files.md lists these limits; every one is checked before the work it bounds is done.
"""

import os
import re
import stat

from freebody import files
from freebody.errors import FileError

FORMAT = 3  # the number that a file begins with
SIZE = 4 * 1024 * 1024  # bytes
LINES = 200_000
DEPTH = 32  # lists and mappings one inside another
NODES = 300_000  # keys, values, lists and mappings
WIDTH = 50_000  # entries of one list or mapping
TEXT = 20_000  # characters of one text, and of one expression
NAME = 200  # characters of one name or key
DIGITS = 40  # of one number
BODIES = 10_000

READ = (".yaml", ".yml", ".urdf")
"""The ends of names of files with systems."""

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")


def contents(path: "str | os.PathLike[str]") -> str:
    """The text of a regular file."""
    return decoded(raw(path), str(path))


def raw(path: "str | os.PathLike[str]") -> bytes:
    """The bytes of a regular file, whose size is checked before it is read."""
    name = str(files.path_of(path))
    try:
        _regular(name, os.stat(name))
        with files.open_regular(name) as file:
            _regular(name, os.fstat(file.fileno()))
            return file.read(SIZE + 1)
    except FileNotFoundError:
        raise FileError("there is no such file", name) from None
    except (OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        why = (isinstance(error, OSError) and error.strerror) or error
        raise FileError(f"it cannot be read: {why}", _shown(name)) from None


def _shown(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in name)


def _regular(name: str, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise FileError(f"it is {files.kind_of(found)}; a model file is a regular file", name)
    _small(found.st_size, name)


def _small(size: int, name: str) -> None:
    if size > SIZE:
        raise FileError(f"it has {size} bytes; a model file has at most {SIZE}", name)


def decoded(data: bytes, name: str) -> str:
    """Bytes as text: UTF-8 without a byte-order mark."""
    _small(len(data), name)
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise FileError("it begins with a byte-order mark; save it as UTF-8 without one", name, 1, 1)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        known = name.lower().endswith(READ)
        other = "" if known else f"; if it is no model: systems are read from files {', '.join(READ)}"
        raise FileError(f"a byte here is not UTF-8; save it as UTF-8{other}", name, line, column) from None


def check(text: str, name: str) -> None:
    """Refuse a text that is too large or holds control characters."""
    _small(len(text), name)
    _small(len(text.encode("utf-8", "surrogatepass")), name)
    lines = text.count("\n") + 1
    if lines > LINES:
        raise FileError(f"it has {lines} lines; a model file has at most {LINES}", name)
    found = CONTROL.search(text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        raise FileError(f"the control character U+{ord(found.group()):04X} has no place here", name, line, column)
