"""Files of numbers: tables as text or .npy, and Matrix Market files, with sizes checked before memory is allocated"""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody import files
from freebody.errors import FileError
from freebody.model.structures.array_files import LARGEST

Array = NDArray[np.float64]
NUMBER = re.compile(r"\s*([-+.\d]|nan|inf)", re.IGNORECASE)


def regular(path: "str | os.PathLike[str]", largest: int = LARGEST) -> Path:
    """The path of a regular file of bounded size."""
    name = files.path_of(path)
    try:
        with files.open_regular(name) as file:
            size = os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        raise FileError("there is no such file", str(name)) from None
    except OSError as error:
        raise FileError(f"it cannot be read: {error.strerror or error}", str(name)) from None
    if size > largest:
        raise FileError(f"it has {size} bytes; at most {largest} are read", str(name))
    return name


def text_lines(path: "str | os.PathLike[str]", largest: int = LARGEST) -> list[str]:
    """The lines of a text file."""
    raw = regular(path, largest).read_bytes()
    if b"\0" in raw:
        raise FileError("it is not a text file", str(path))
    return raw.decode("latin-1").splitlines()


def read_columns(path: "str | os.PathLike[str]", columns: int, what: str) -> Array:
    """A text file with this number of numbers in every line."""
    try:
        with regular(path).open("rb") as file:
            table = np.loadtxt(file, dtype=np.float64, ndmin=2, comments=None)
    except (ValueError, UnicodeDecodeError) as error:
        raise FileError(f"{what}: {error}; it is truncated or damaged", str(path)) from None
    if table.size and table.shape[1] != columns:
        raise FileError(f"{what} has {columns} numbers in a line, not {table.shape[1]}", str(path))
    return table.reshape(-1, columns)


def read_table(source: Any, what: str) -> Array:
    """A table of numbers from an array, a .npy file, or a text file (.csv, .txt) that may begin with a line of titles;
    columns are separated by commas, semicolons or spaces."""
    if not isinstance(source, str | os.PathLike):
        try:
            table = np.array(source, dtype=np.float64)
        except (TypeError, ValueError):
            raise FileError(f"{what}: numbers or the name of a file are needed, not {str(source)[:60]}") from None
        name = what
    else:
        path = regular(source)
        name = str(path)
        try:
            if path.suffix.lower() == ".npy":
                table = np.array(np.load(path, mmap_mode="r", allow_pickle=False), dtype=np.float64)
            elif path.suffix.lower() in (".csv", ".txt"):
                table = _text_table(path)
            else:
                raise FileError(f"{what} are read from .csv, .txt or .npy, not from '{path.suffix}'", name)
        except FileError:
            raise
        except (ValueError, TypeError, OSError, EOFError) as error:
            raise FileError(f"{what} cannot be read: {error}", name) from None
    if table.ndim != 2:
        raise FileError(f"{what}: a table is needed, not an array of shape {table.shape}", name)
    if not np.isfinite(table).all():
        raise FileError(f"{what}: line {np.argwhere(~np.isfinite(table))[0][0] + 1} of the table has an entry that is"
                        " not a finite number", name)  # fmt: skip
    return table


def _text_table(path: Path) -> Array:
    lines = [line for line in text_lines(path) if line.strip() and not line.lstrip().startswith("#")]
    separator = next((c for c in ";," if lines and c in lines[0]), None)
    titles = bool(lines) and not NUMBER.match(lines[0])
    rows = lines[titles:]
    return np.loadtxt(rows, dtype=np.float64, delimiter=separator, ndmin=2, comments=None) if rows else np.zeros((0, 0))


def read_matrix_market(source: Any, what: str) -> Any:
    """A real square matrix of a Matrix Market file (.mtx) in sparse form; matrices are taken as they are."""
    if not isinstance(source, str | os.PathLike):
        from scipy.sparse import csr_matrix

        try:
            return csr_matrix(source, dtype=np.float64)
        except (TypeError, ValueError):
            raise FileError(f"the {what} matrix: a matrix or the name of a file (.mtx) is needed, not"
                            f" {str(source)[:60]}") from None  # fmt: skip
    path = regular(source)
    name = str(path)
    if path.suffix.lower() != ".mtx":
        from freebody.model.structures.refused_files import refuse

        raise refuse(path, f"the {what} matrix is read from a Matrix Market file (.mtx)")
    from scipy.io import mminfo, mmread
    from scipy.sparse import csr_matrix

    try:
        rows, columns, entries, layout, field, symmetry = mminfo(path)
    except (ValueError, OverflowError) as error:
        raise FileError(f"its header cannot be read: {error}", name) from None
    if field not in ("real", "double", "integer", "unsigned-integer") or symmetry not in ("general", "symmetric"):
        raise FileError(f"the {what} matrix is {field} and {symmetry}; a real matrix is needed, general or symmetric",
                        name)  # fmt: skip
    if rows != columns:
        raise FileError(f"the {what} matrix has {rows} × {columns} entries; it must be square", name)
    stored, size = (rows * columns if layout == "array" else entries), path.stat().st_size
    if stored > size:
        raise FileError(f"its header announces {stored} entries, more than its {size} bytes can hold; it is truncated"
                        " or damaged", name)  # fmt: skip
    try:
        return csr_matrix(mmread(path), dtype=np.float64)
    except (ValueError, OverflowError, MemoryError) as error:
        raise FileError(f"the {what} matrix cannot be read: {error}. The file may be truncated", name) from None
