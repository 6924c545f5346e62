"""The arrays and the facts in a NetCDF or Parquet file of a run, as other libraries read them. This file also runs
alone in a child process, for files that may be damaged, and imports nothing of freebody.
"""

from typing import Any

import numpy as np

PARQUET = b"PAR1"
HDF5, CLASSIC = b"\x89HDF\r\n\x1a\n", (b"CDF\x01", b"CDF\x02")
FACTS = "freebody"
"""The attribute with the facts, and the name under which they are returned, as bytes."""


class UnreadableRun(Exception):
    """A file that is not read; the text says why."""


def read(path: str, largest: str) -> dict[str, Any]:
    """The arrays of a file by name, at most ``largest`` bytes, and its facts as bytes."""
    return READERS[form(path)](path, int(largest))


def form(path: str) -> str:
    """The format of a file by its suffix and its first bytes: "parquet", "netcdf 4" or "netcdf 3"."""
    with open(path, "rb") as file:
        start = file.read(8)
    if path.lower().endswith(".parquet"):
        if not start.startswith(PARQUET):
            raise UnreadableRun("it is not a Parquet file")
        return "parquet"
    if start != HDF5 and not start.startswith(CLASSIC):
        raise UnreadableRun("it is not a NetCDF file")
    return "netcdf 4" if start == HDF5 else "netcdf 3"


def netcdf_4(path: str, largest: int) -> dict[str, Any]:
    """Numbers in the arrays of an HDF5 file; links to other files are not followed."""
    import h5py

    with h5py.File(path, "r") as file:
        facts = file.attrs.get(FACTS)
        if not isinstance(facts, str | bytes):
            raise UnreadableRun("it is NetCDF, but holds no run of freebody; open it with xarray")
        arrays = {
            name: file[name]
            for name in file
            if isinstance(file.get(name, getlink=True), h5py.HardLink) and isinstance(file[name], h5py.Dataset)
        }
        arrays = {name: a for name, a in arrays.items() if a.dtype.kind in "fiu" and a.shape is not None}
        if any(a.external or a.is_virtual for a in arrays.values()):
            raise UnreadableRun("it has arrays that lie in other files, which are not read")
        check_size(sum(a.size * a.dtype.itemsize for a in arrays.values()), largest)
        return {name: a[()] for name, a in arrays.items()} | as_bytes(facts)


def netcdf_3(path: str, largest: int) -> dict[str, Any]:
    """Numbers in the arrays of a classic NetCDF file."""
    from scipy.io import netcdf_file

    with netcdf_file(path, "r", mmap=False) as file:
        facts = file._attributes.get(FACTS)
        if not isinstance(facts, bytes):
            raise UnreadableRun("it is NetCDF, but holds no run of freebody; open it with xarray")
        arrays = {name: np.asarray(variable.data) for name, variable in file.variables.items()}
        check_size(sum(a.nbytes for a in arrays.values()), largest)
        numbers = {name: a for name, a in arrays.items() if a.dtype.kind in "fiu"}
        return {name: a.astype(a.dtype.newbyteorder("=")) for name, a in numbers.items()} | as_bytes(facts)


def parquet(path: str, largest: int) -> dict[str, Any]:
    """The columns of a Parquet file, and its metadata with names that begin with "freebody"."""
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        metadata = file.schema_arrow.metadata or {}
        if FACTS.encode() not in metadata:
            raise UnreadableRun("it is Parquet, but holds no run of freebody; open it with pandas")
        check_size(8 * file.metadata.num_rows * file.metadata.num_columns, largest)
        table = file.read(use_pandas_metadata=False)
    columns = {name: np.asarray(table.column(k).to_numpy(), np.float64) for k, name in enumerate(table.column_names)}
    own = {key: text for key, text in metadata.items() if key.startswith(FACTS.encode())}
    return columns | {key.decode(): np.frombuffer(text, np.uint8) for key, text in own.items()}


def check_size(size: int, largest: int) -> None:
    if size > largest:
        raise UnreadableRun(f"its arrays take {size / 2**30:.1f} GiB; open it with xarray or pandas and choose a part")


def as_bytes(facts: str | bytes) -> dict[str, Any]:
    return {FACTS: np.frombuffer(facts.encode() if isinstance(facts, str) else facts, np.uint8)}


READERS = {"netcdf 4": netcdf_4, "netcdf 3": netcdf_3, "parquet": parquet}
