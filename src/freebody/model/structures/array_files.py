"""Files of named arrays (NPZ), read without pickles and with all sizes checked before memory is allocated"""

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from freebody import files
from freebody.errors import FileError

Named = dict[str, NDArray[Any]]
MEMBERS = 200
"""Arrays in one file."""
LARGEST = 4 * 1024**3
"""Bytes of all arrays of a file together."""
DTYPES = "biufU"
"""Kinds of arrays: truth values, integers, real numbers, texts."""


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> Path:
    """Write arrays by name. Equal arrays give equal bytes."""

    def fill(draft: Path) -> None:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED, allowZip64=True) as out:
            for name, value in arrays.items():
                member = zipfile.ZipInfo(f"{name}.npy")  # with a fixed date
                with out.open(member, "w", force_zip64=True) as file:
                    npy.write_array(file, np.asarray(value, order="C"), allow_pickle=False)

    return files.write(path, fill)


def read_arrays(path: "str | os.PathLike[str]", largest: int = LARGEST) -> Named:
    """The arrays of an NPZ file by name; ``largest`` is the number of bytes that they may have together."""
    name = str(path)
    try:
        with files.open_regular(path) as file, zipfile.ZipFile(file) as archive:
            return _members(archive, name, largest)
    except FileNotFoundError:
        raise FileError("there is no such file", name) from None
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        why = (isinstance(error, OSError) and error.strerror) or error
        raise FileError(f"it cannot be read as NPZ: {why}. It may be truncated, or not an NPZ file", name) from None


def _members(archive: zipfile.ZipFile, name: str, largest: int) -> Named:
    entries = archive.infolist()
    if len(entries) > MEMBERS:
        raise FileError(f"it has {len(entries)} arrays; at most {MEMBERS} are read", name)
    size = sum(entry.file_size for entry in entries)
    if size > largest:
        raise FileError(f"its arrays have {size} bytes; at most {largest} are read", name)
    arrays: Named = {}
    for entry in entries:
        key = entry.filename.removesuffix(".npy")
        if key == entry.filename or key in arrays:
            raise FileError(f"'{entry.filename}' is not an array (.npy), or there are two of it", name)
        with archive.open(entry) as file:
            arrays[key] = _array(file, entry.file_size, key, name)
    return arrays


def _array(file: Any, size: int, key: str, name: str) -> NDArray[Any]:
    """An array whose header agrees with the size of its member."""
    try:
        version = npy.read_magic(file)
        read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran, dtype = read_header(file)
    except ValueError as error:
        raise FileError(f"array '{key}': {error}", name) from None
    if dtype.kind not in DTYPES:
        raise FileError(f"array '{key}' holds {dtype}; only numbers and texts are read, never Python objects", name)
    start = file.tell()
    count = 1
    for extent in shape:
        count *= extent
    if min(shape, default=0) < 0 or count * dtype.itemsize != size - start:
        raise FileError(f"array '{key}' has the shape {shape} of {dtype} and {size - start} bytes, which disagree; the"
                        " file is truncated or damaged", name)  # fmt: skip
    data = file.read()
    if len(data) != size - start:
        raise FileError(f"array '{key}' is truncated", name)
    array = np.frombuffer(data, dtype=dtype).reshape(shape, order="F" if fortran else "C")
    return array.astype(dtype.newbyteorder("="), copy=not dtype.isnative)


class ArrayReader:
    """Arrays of a file, asked for by name, with their shapes and contents checked."""

    def __init__(self, path: "str | os.PathLike[str]", form: str, largest: int = LARGEST) -> None:
        self.name, self.arrays = str(path), read_arrays(path, largest)
        self.form = self.text("format") if "format" in self.arrays else ""
        if self.form != form:
            raise FileError(self._other_form(form), self.name)

    def _other_form(self, form: str) -> str:
        hints = {
            "freebody structure 1": "it holds a structure; read it with fb.read_structure",
            "freebody reduced body 1": "it holds a reduced body; read it with fb.read_reduced",
        }
        held = ", ".join([*self.arrays][:8]) or "nothing"
        missing = f"it has no array 'format' with the text '{form}'; it holds {held}"
        return hints.get(self.form, missing)

    def error(self, message: str) -> FileError:
        return FileError(message, self.name)

    def __contains__(self, key: str) -> bool:
        return key in self.arrays

    def raw(self, key: str) -> NDArray[Any]:
        if key not in self.arrays:
            raise self.error(f"the array '{key}' is missing")
        return self.arrays[key]

    def text(self, key: str) -> str:
        """A text."""
        array = self.raw(key)
        if array.dtype.kind != "U" or array.ndim:
            raise self.error(f"array '{key}' must be one text")
        return str(array)

    def texts(self, key: str, count: int | None = None) -> tuple[str, ...]:
        """A row of texts."""
        array = self.raw(key)
        if array.size and array.dtype.kind != "U":
            raise self.error(f"array '{key}' must hold texts")
        return tuple(str(x) for x in self._shaped(array, key, (count,)))

    def floats(self, key: str, *shape: int | None) -> NDArray[np.float64]:
        """Finite numbers; None in the shape stands for any length."""
        array = self._shaped(self.raw(key), key, shape)
        if array.dtype.kind not in "iuf":
            raise self.error(f"array '{key}' must hold real numbers, not {array.dtype}")
        numbers = np.array(array, dtype=np.float64)
        if not np.isfinite(numbers).all():
            raise self.error(f"array '{key}' has entries that are not finite numbers")
        return numbers

    def indices(self, key: str, *shape: int | None, below: int) -> NDArray[np.intp]:
        """Integers from 0 to ``below`` − 1."""
        array = self._shaped(self.raw(key), key, shape)
        if array.size and array.dtype.kind not in "iu":
            raise self.error(f"array '{key}' must hold integers, not {array.dtype}")
        if array.size and (array.min() < 0 or array.max() >= below):
            raise self.error(f"array '{key}' has the index {array.min() if array.min() < 0 else array.max()}; indices"
                             f" are from 0 to {below - 1}")  # fmt: skip
        return array.astype(np.intp)

    def _shaped(self, array: NDArray[Any], key: str, shape: tuple[int | None, ...]) -> NDArray[Any]:
        if array.ndim != len(shape) or any(n is not None and n != k for n, k in zip(shape, array.shape, strict=True)):
            shown = " × ".join("…" if n is None else str(n) for n in shape) or "one number"
            raise self.error(f"array '{key}' has the shape {array.shape}; {shown} is needed")
        return array
