"""The seal of a file that freebody writes: a checksum inside of it. Libraries in compiled code read the file in this
process only if the seal fits, since some damaged files hold them up or crash them.

The seal of a NetCDF file lies behind its end, and that of a Parquet file before its footer, where other programs do not
look.
"""

import hashlib
import os
import struct
from pathlib import Path

from freebody import files
from freebody.errors import FileError

MARK = b"\nfreebody seal 1\n"
SIZE = 32
"""Bytes of the digest."""
FOOTER = struct.Struct("<I4s")
PARQUET = b"PAR1"
LARGEST = 2**34
"""Bytes of a file of a run."""


def sealed(data: bytes) -> bytes:
    """The contents of a file with its seal."""
    at = _footer(data)
    return data[:at] + MARK + _digest(data[:at], data[at:]) + data[at:]


def is_sealed(path: Path) -> bool:
    """Whether a file has a seal that fits; a seal that does not fit is an error: the file was damaged."""
    with files.open_regular(path) as file:
        if os.fstat(file.fileno()).st_size > LARGEST:
            raise FileError(f"it has more than {LARGEST} bytes; open it with xarray or pandas", str(path))
        data = file.read()
    at = _footer(data)
    start = at - len(MARK) - SIZE
    if start < 0 or data[start : start + len(MARK)] != MARK:
        return False
    if data[at - SIZE : at] != _digest(data[:start], data[at:]):
        raise FileError(
            "no run can be loaded from it: its checksum does not fit; it was damaged after it was written", str(path)
        )
    return True


def _footer(data: bytes) -> int:
    """Where the footer of a Parquet file begins; the end of other files."""
    if data[:4] != PARQUET or len(data) < FOOTER.size + 4:
        return len(data)
    length, mark = FOOTER.unpack_from(data, len(data) - FOOTER.size)
    return max(len(data) - FOOTER.size - int(length), 4) if mark == PARQUET else len(data)


def _digest(*parts: bytes) -> bytes:
    digest = hashlib.blake2b(digest_size=SIZE)
    for part in parts:
        digest.update(part)
    return digest.digest()
