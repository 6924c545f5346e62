"""Runs in files: NetCDF and Parquet keep all of a run, CSV its numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import NDArray

from freebody import files
from freebody.errors import FileError
from freebody.results import netcdf
from freebody.results import table as tables
from freebody.results.names import shorten
from freebody.results.netcdf import dataset
from freebody.results.stored import Entry, Facts, rebuild
from freebody.results.table import table
from freebody.results.trajectory import Trajectory

__all__ = ["dataset", "load", "save", "table"]

Run = TypeVar("Run", bound=Trajectory)
WRITERS: dict[str, Callable[[Trajectory, Path], None]] = {
    ".nc": netcdf.write, ".parquet": tables.write_parquet, ".csv": tables.write_csv,
}  # fmt: skip
READERS: dict[str, Callable[[Path], tuple[Facts, dict[Entry, NDArray[Any]]]]] = {
    ".nc": netcdf.read, ".parquet": tables.read_parquet,
}  # fmt: skip


def save(run: Trajectory, path: Any) -> Path:
    """Write a run by the suffix of the file's name; the file appears whole or not at all."""
    target = files.target(path, "a run", tuple(WRITERS))
    return files.write(target, lambda draft: WRITERS[target.suffix.lower()](run, draft))


def load(given: Any, cls: type[Run]) -> Run:
    """A run as it was saved."""
    path = files.path_of(given)
    read = READERS.get(path.suffix.lower())
    if read is None:
        why = "CSV keeps the numbers alone; " if path.suffix.lower() == ".csv" else ""
        raise FileError(f"{why}a run is loaded from {' or '.join(READERS)}, as save() wrote it", str(path))
    if not path.is_file():
        raise FileError("there is no such file; save() writes one", str(path))
    try:
        return rebuild(cls, *read(path))
    except Exception as error:
        why = shorten(str(error) or type(error).__name__, 300)
        raise FileError(f"no run can be loaded from it: {why}", str(path)) from error
