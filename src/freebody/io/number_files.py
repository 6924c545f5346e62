"""Files of numbers: tables as text or .npy, and Matrix Market files, with sizes checked before memory is allocated.

SciPy's reader of Matrix Market files ends the process where a file ends within a number, so they are read here. A text
is read as numbers only if it has no other characters than those of numbers, and errors name a line and do not show it.
"""

import os
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody import files
from freebody.array_files import LARGEST, read_array
from freebody.errors import FileError
from freebody.io.other_formats import refuse

Array = NDArray[np.float64]
NUMERIC = b"0123456789+-.eE \t\r\n"
"""The characters of numbers and of the spaces between them."""
LARGEST_TEXT = 2 * 1024**3
"""Bytes of a text file of numbers."""
LARGEST_LINES = 512 * 1024**2
"""Bytes of another text file."""
LINE = 1024**2
"""Characters of a line of a text file."""
FREE_ROWS = 1_000_000
"""Rows of a matrix that a file may have beyond the number of its bytes."""
KINDS = ("real", "double", "integer", "unsigned-integer", "complex", "pattern")
"""Kinds of entries in Matrix Market files; the first four are read."""
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")
"""Symmetries in Matrix Market files; the first two are read."""
BANNER = "%%MatrixMarket matrix coordinate real symmetric"


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


def text_lines(path: "str | os.PathLike[str]") -> Iterator[str]:
    """The lines of a text file, one after another."""
    with files.open_regular(regular(path, LARGEST_LINES)) as file:
        number = 0
        while raw := file.readline(LINE):
            number += 1
            if b"\0" in raw:
                raise FileError("it is not a text file", str(path), number)
            if len(raw) == LINE:
                raise FileError(f"a line has more than {LINE} characters", str(path), number)
            yield raw.decode("latin-1").rstrip("\r\n")


def read_columns(path: "str | os.PathLike[str]", columns: int, what: str) -> Array:
    """A text file with this number of finite numbers in every line."""
    return _numbers(regular(path, LARGEST_TEXT).read_bytes(), columns, what, str(path))


def _numbers(text: bytes, columns: int, what: str, name: str, line: int = 1, separator: bytes | None = None) -> Array:
    """Lines with this number of finite numbers each (0: as many as the first); ``line`` is that of the first one in
    the file."""
    allowed = NUMERIC if separator is None else NUMERIC + separator
    if not text.strip(b" \t\r\n"):
        return np.zeros((0, columns))
    table = None
    if not text.translate(None, allowed):
        try:
            table = np.loadtxt(
                BytesIO(text),
                dtype=np.float64,
                ndmin=2,
                comments=None,
                delimiter=None if separator is None else separator.decode(),
            )
        except ValueError:
            table = None
    if table is None or table.shape[1] != (columns or table.shape[1]) or not np.isfinite(table).all():
        raise _wrong_line(text, columns, what, name, line, separator)
    return table


def _wrong_line(text: bytes, columns: int, what: str, name: str, line: int, separator: bytes | None) -> FileError:
    """The error for the first line that does not hold these numbers."""
    for k, row in enumerate(text.split(b"\n")):
        words = row.split(separator) if row.strip() else []
        columns = columns or len(words)
        place = f"{what}: this line has"
        if words and len(words) != columns:
            end = "; the file is truncated or damaged" if len(words) < columns else ""
            return FileError(f"{place} {len(words)} numbers, not {columns}{end}", name, line + k)
        if not all(_finite(word) for word in words):
            return FileError(f"{place} an entry that is not a finite number", name, line + k)
    return FileError(f"{what} cannot be read as lines of numbers; the file is damaged", name)


def _finite(word: bytes) -> bool:
    try:
        return not word.translate(None, NUMERIC) and bool(np.isfinite(float(word)))
    except ValueError:
        return False


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
        path = regular(source, LARGEST_TEXT)
        name = str(path)
        if path.suffix.lower() == ".npy":
            array = read_array(path, LARGEST_TEXT)
            if array.dtype.kind not in "biuf":
                raise FileError(f"{what}: an array of numbers is needed, not of {array.dtype}", name)
            table = np.array(array, dtype=np.float64)
        elif path.suffix.lower() in (".csv", ".txt"):
            table = _text_table(path, what)
        else:
            raise FileError(f"{what} are read from .csv, .txt or .npy, not from '{path.suffix}'", name)
    if table.ndim != 2:
        raise FileError(f"{what}: a table is needed, not an array of shape {table.shape}", name)
    if not np.isfinite(table).all():
        raise FileError(
            f"{what}: line {np.argwhere(~np.isfinite(table))[0][0] + 1} of the table has an entry that is"
            " not a finite number",
            name,
        )
    return table


def _text_table(path: Path, what: str) -> Array:
    """The table of a text file; its first line may be one of titles, and lines that begin with # are comments."""
    lines = [
        "" if line.lstrip().startswith("#") else line
        for line in text_lines(path)  # a line remains, for its number
    ]
    first = next((k for k, line in enumerate(lines) if line.strip()), len(lines))
    separator = next((c for c in (b";", b",") if first < len(lines) and c.decode() in lines[first]), None)
    if first < len(lines) and not _finite(lines[first].encode("latin-1").split(separator)[0].strip()):
        first += 1
    text = "\n".join(lines[first:]).encode("latin-1")
    return _numbers(text, 0, what, str(path), first + 1, separator)


# Matrix Market


def read_matrix_market(source: Any, what: str) -> Any:
    """A real square matrix of a Matrix Market file (.mtx) in sparse form; matrices are taken as they are."""
    from scipy.sparse import csr_matrix

    if not isinstance(source, str | os.PathLike):
        try:
            return csr_matrix(source, dtype=np.float64)
        except (TypeError, ValueError):
            raise FileError(
                f"the {what} matrix: a matrix or the name of a file (.mtx) is needed, not {str(source)[:60]}"
            ) from None
    path = regular(source, LARGEST_TEXT)
    if path.suffix.lower() != ".mtx":
        raise refuse(path, f"the {what} matrix is read from a Matrix Market file (.mtx)")
    return _MatrixMarket(path, f"the {what} matrix").matrix()


class _MatrixMarket:
    """A Matrix Market file: its banner, comments (%), a line of sizes, and lines of entries."""

    def __init__(self, path: Path, what: str) -> None:
        self.name, self.what, self.text = str(path), what, path.read_bytes()
        banner = self.text[:200].split(b"\n", 1)[0].decode("latin-1").lower().split()
        if len(banner) != 5 or banner[:2] != ["%%matrixmarket", "matrix"] or banner[2] not in ("array", "coordinate"):
            raise self.error(f"it is not a Matrix Market file; its first line must be such as '{BANNER}'", 1)
        layout, kind, self.symmetry = banner[2:]
        if kind not in KINDS or self.symmetry not in SYMMETRIES:
            raise self.error("its first line has another kind of entries or symmetry than Matrix Market files have", 1)
        if kind in KINDS[4:] or self.symmetry in SYMMETRIES[2:]:
            raise self.error(f"{what} is {kind} and {self.symmetry}; a real matrix is needed, general or symmetric", 1)
        self.dense = layout == "array"

    def error(self, message: str, line: int = 0) -> FileError:
        return FileError(message, self.name, line)

    def matrix(self) -> Any:
        sizes, start, line = self._sizes()
        rows, columns = sizes[:2]
        if rows != columns:
            raise self.error(f"{self.what} has {rows} × {columns} entries; it must be square", line)
        half = self.symmetry == "symmetric"
        stored = sizes[2] if not self.dense else rows * (rows + 1) // 2 if half else rows * rows
        size = len(self.text) - start
        if 2 * stored > size + 1:
            raise self.error(
                f"its header announces {stored} entries, more than the {size} bytes behind it can hold; it"
                " is truncated or damaged",
                line,
            )
        if rows > size + FREE_ROWS:
            raise self.error(f"its header announces {rows} rows, too many for the {size} bytes behind it", line)
        table = _numbers(self.text[start:], 1 if self.dense else 3, self.what, self.name, line + 1)
        if len(table) != stored:
            raise self.error(
                f"{self.what} has {len(table)} entries, and its header announces {stored}; the file is"
                " truncated or damaged",
                line,
            )
        return self._dense(table[:, 0], rows) if self.dense else self._sparse(table, rows, line)

    def _sizes(self) -> tuple[list[int], int, int]:
        """The numbers in the line of sizes, where the entries begin, and the number of the line."""
        at, line = 0, 0
        while at < len(self.text):
            end = self.text.find(b"\n", at) + 1 or len(self.text)
            row, at, line = self.text[at:end], end, line + 1
            if not row.strip() or row.lstrip().startswith(b"%"):
                continue
            words = row[:200].split()
            if len(words) != 3 - self.dense or not all(word.isdigit() and len(word) < 16 for word in words):
                raise self.error(
                    "the line of sizes has the numbers of rows and columns, and that of entries unless it"
                    " is an array; this one has not",
                    line,
                )
            return [int(word) for word in words], at, line
        raise self.error("it has no line of sizes; it is truncated", line)

    def _dense(self, values: Array, n: int) -> Any:
        """Column after column; of a symmetric matrix those entries that are on the diagonal or below it."""
        from scipy.sparse import csr_matrix

        if self.symmetry == "general":
            return csr_matrix(values.reshape(n, n).T)
        whole, (j, i) = np.zeros((n, n)), np.triu_indices(n)
        whole[i, j] = whole[j, i] = values
        return csr_matrix(whole)

    def _sparse(self, table: Array, n: int, line: int) -> Any:
        """Entries with their row and column from 1; of a symmetric matrix those on one side of the diagonal."""
        from scipy.sparse import coo_matrix

        at = table[:, :2]
        wrong = ((at < 1) | (at > n) | (at != np.floor(at))).any(axis=1)
        if wrong.any():
            k = int(np.argmax(wrong))
            raise self.error(
                f"{self.what}: rows and columns are whole numbers from 1 to {n}; entry {k + 1} has others", line
            )
        i, j = at.T.astype(np.int64) - 1
        whole = coo_matrix((table[:, 2], (i, j)), shape=(n, n)).tocsr()
        if self.symmetry == "general":
            return whole
        if (i < j).any() and (i > j).any():
            raise self.error(f"{self.what} is symmetric, but the file has entries on both sides of its diagonal", line)
        diagonal = whole.diagonal()
        whole = whole + whole.T
        whole.setdiag(whole.diagonal() - diagonal)
        return whole.tocsr()
