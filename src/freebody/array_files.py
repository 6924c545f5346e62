"""Files of named arrays (NPZ), read without pickles and with all sizes checked before memory is allocated"""

import os
import re
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

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
PACKED = 50
"""Bytes of arrays that one byte of a file may stand for; numbers of structures are packed to a third at best."""
SMALL = 64 * 1024**2
"""Bytes of arrays that any file may unpack to."""
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1
"""The bit in the flags of a member that is encrypted."""
HEADER = re.compile(
    r"\{'descr': '([^']{1,40})', 'fortran_order': (True|False),"
    r" 'shape': \((|\d{1,18},|\d{1,18}(?:, \d{1,18}){1,31})\),? *\} *\n"
)
"""The header of an array as NumPy writes it. It is compared with this pattern and never evaluated."""
DTYPE = re.compile(r"[<>|=]?(b1|[iu][1248]|f[248]|U[1-9]\d{0,6})")
"""Truth values, integers, real numbers, texts."""
LONGEST_HEADER = 2000
LARGEST_CHARACTER = 0x10FFFF


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> Path:
    """Write arrays by name. Equal arrays give equal bytes."""

    def fill(draft: Path) -> None:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED, allowZip64=True) as out:
            for name, value in arrays.items():
                member = zipfile.ZipInfo(f"{name}.npy")  # with a fixed date
                with out.open(member, "w", force_zip64=True) as file:
                    npy.write_array(file, np.asarray(value, order="C"), allow_pickle=False)

    return files.write(path, fill)


def read_arrays(path: "str | os.PathLike[str]", largest: int = LARGEST, members: int = MEMBERS) -> Named:
    """The arrays of an NPZ file by name; ``largest`` is the number of bytes that they may have together, ``members`` is
    their largest number."""
    name = str(path)
    try:
        with files.open_regular(path) as file:
            return _members(file, name, largest, members)
    except FileNotFoundError:
        raise FileError("there is no such file", name) from None
    except (OSError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        why = (isinstance(error, OSError) and error.strerror) or "its parts are damaged"
        raise FileError(f"it cannot be read as NPZ: {why}. It may be truncated, or not an NPZ file", name) from None


def read_array(path: "str | os.PathLike[str]", largest: int = LARGEST) -> NDArray[Any]:
    """The array of an NPY file."""
    with files.open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > largest:
            raise FileError(f"it has {size} bytes; at most {largest} are read", str(path))
        return _array(file, size, "", str(path))


def _members(file: BinaryIO, name: str, largest: int, members: int) -> Named:
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        if len(entries) > members:
            raise FileError(f"it has {len(entries)} arrays; at most {members} are read", name)
        size = sum(entry.file_size for entry in entries)
        if size > largest:
            raise FileError(f"its arrays have {size} bytes; at most {largest} are read", name)
        packed = os.fstat(file.fileno()).st_size
        if size > max(SMALL, PACKED * packed):
            raise FileError(
                f"its {packed} bytes unpack to {size}, more than {PACKED} times as many; write it without"
                " compression (np.savez)",
                name,
            )
        arrays: Named = {}
        for entry in entries:
            key = entry.filename.removesuffix(".npy")
            if key == entry.filename or key in arrays:
                raise FileError(f"{entry.filename[:60]!r} is not an array (.npy), or occurs twice", name)
            if entry.compress_type not in COMPRESSIONS or entry.flag_bits & ENCRYPTED:
                raise FileError(f"array {key[:60]!r} is encrypted, or compressed in a way that is not read", name)
            with archive.open(entry) as member:
                arrays[key] = _array(member, entry.file_size, key, name)
    return arrays


def _array(file: Any, size: int, key: str, name: str) -> NDArray[Any]:
    """An array whose header agrees with the ``size`` of its member, or of its file."""
    what = f"array '{key[:60]}'" if key else "the array"
    shape, fortran, dtype = _header(file, what, name)
    start, count = file.tell(), 1
    for extent in shape:
        count *= extent
    if count * dtype.itemsize != size - start:
        raise FileError(
            f"{what} has the shape {shape} of {dtype} and {size - start} bytes, which disagree; the"
            " file is truncated or damaged",
            name,
        )
    data = file.read(size - start)
    if len(data) != size - start:
        raise FileError(f"{what} is truncated", name)
    array = np.frombuffer(data, dtype=dtype).reshape(shape, order="F" if fortran else "C")
    array = array.astype(dtype.newbyteorder("="), copy=not dtype.isnative)
    if dtype.kind == "U":
        codes = np.frombuffer(data, dtype.byteorder + "u4")
        if ((codes > LARGEST_CHARACTER) | (codes >= 0xD800) & (codes < 0xE000)).any():
            raise FileError(f"{what} holds numbers that are not characters; the file is damaged", name)
    return array


def _header(file: Any, what: str, name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """The shape, the order and the type of an array, without evaluating its header."""
    start = file.read(len(npy.MAGIC_PREFIX) + 2)
    version = tuple(start[-2:])
    if start[:-2] != npy.MAGIC_PREFIX or version not in ((1, 0), (2, 0), (3, 0)):
        raise FileError(f"{what} is not in the format NPY", name)
    length = int.from_bytes(file.read(2 if version == (1, 0) else 4), "little")
    if length > LONGEST_HEADER:
        raise FileError(f"{what}: its header has {length} bytes; at most {LONGEST_HEADER} are read", name)
    found = HEADER.fullmatch(file.read(length).decode("latin-1"))
    if found is None:
        raise FileError(
            f"{what}: its header cannot be read; only arrays of numbers, truth values and texts are read,"
            " never Python objects. The file may be damaged",
            name,
        )
    if DTYPE.fullmatch(found[1]) is None:
        raise FileError(
            f"{what} is of another type ({found[1]}); only numbers, truth values and texts are read, never"
            " Python objects",
            name,
        )
    shape = tuple(int(extent) for extent in found[3].split(",") if extent.strip())
    return shape, found[2] == "True", np.dtype(found[1])


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
        numbers = np.array(array, dtype=np.float64)  # half and single precision become double
        if not np.isfinite(numbers).all():
            raise self.error(f"array '{key}' has entries that are not finite numbers")
        return numbers

    def indices(self, key: str, *shape: int | None, below: int) -> NDArray[np.intp]:
        """Integers from 0 to ``below`` − 1."""
        array = self._shaped(self.raw(key), key, shape)
        if array.size and array.dtype.kind not in "iu":
            raise self.error(f"array '{key}' must hold integers, not {array.dtype}")
        if array.size and (array.min() < 0 or array.max() >= below):
            raise self.error(
                f"array '{key}' has the index {array.min() if array.min() < 0 else array.max()}; indices"
                f" are from 0 to {below - 1}"
            )
        return array.astype(np.intp)

    def _shaped(self, array: NDArray[Any], key: str, shape: tuple[int | None, ...]) -> NDArray[Any]:
        if array.ndim != len(shape) or any(n is not None and n != k for n, k in zip(shape, array.shape, strict=True)):
            shown = " × ".join("…" if n is None else str(n) for n in shape) or "one number"
            raise self.error(f"array '{key}' has the shape {array.shape}; {shown} is needed")
        return array
