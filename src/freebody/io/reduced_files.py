"""Files of reduced bodies by their suffixes: NPZ, and SID as text."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from freebody.errors import FieldError, FileError
from freebody.fem.reduced_data import ReducedData
from freebody.files import path_of
from freebody.io.other_formats import refuse
from freebody.keywords import keyword_hints
from freebody.model.flexible.reduced_body import ReducedBody

PathLike = str | os.PathLike[str]


def _npz() -> "Format":
    from freebody.io.reduced_npz import read_npz, write_npz

    return read_npz, write_npz


def _sid() -> "Format":
    from freebody.io.sid_file import read_sid
    from freebody.io.sid_writer import write_sid

    return read_sid, write_sid


Format = tuple[Callable[[PathLike], ReducedData], Callable[[ReducedData, PathLike], Path]]
"""The reader and the writer of a format."""
FORMATS: dict[str, Callable[[], Format]] = {".npz": _npz, ".sid": _sid, ".sid_fem": _sid}
"""The formats by suffix, imported when they are first used."""


@keyword_hints
def read_reduced(path: PathLike) -> ReducedBody:
    """The reduced body in a file: .npz as ``body.save`` writes it, or .SID, the text format of Wallrapp (1994)."""
    return ReducedBody(read_data(path))


def read_data(path: PathLike) -> ReducedData:
    """The data of the reduced body in a file."""
    suffix = path_of(path).suffix.lower()
    if suffix not in FORMATS:
        raise refuse(path, "a reduced body is read from .npz (as body.save writes it) or from .SID (text)")
    return FORMATS[suffix]()[0](path)


def write_reduced(body: ReducedData, path: PathLike) -> Path:
    """Write a reduced body as a file of the format of its suffix, .npz if it has another one."""
    suffix = path_of(path).suffix.lower()
    return FORMATS.get(suffix, _npz)()[1](body, path)


def read_beside(name: str, folder: Path) -> ReducedData:
    """The reduced body in a file beside a model file, in its folder or below it."""
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise FieldError(f"'{name}' is a link to a file outside the folder of the model file; copy the file there")
    try:
        return replace(read_data(path), file=name)
    except FileError as error:
        raise FieldError(str(error)) from None


def holds(path: Path, body: ReducedData) -> bool:
    """Whether a file has the modal data of a body."""
    try:
        return path.is_file() and read_data(path).digest == body.digest
    except FileError:
        return False
