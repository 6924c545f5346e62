"""Runs as xarray datasets, and these as NetCDF files: HDF5 with h5netcdf where it is installed, else NetCDF 3."""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from freebody.results.about import About, Variable
from freebody.results.names import clean, distinct, safe
from freebody.results.stored import EVENT, KNOT, LARGEST, Entry, Facts, entries, facts, read_facts, variables
from freebody.results.trajectory import Trajectory

if TYPE_CHECKING:
    import xarray

ENGINES = {b"\x89HDF\r\n\x1a\n": "h5netcdf", b"CDF\x01": "scipy", b"CDF\x02": "scipy"}
MANY = 300
"""Variables from which on NetCDF 3 is written: the time for HDF5 grows with their square (10 s for 1500)."""

PARTS = {("x", "y", "z"): "axis", ("x", "y", "z", "qw", "qx", "qy", "qz"): "place"}
"""Names of dimensions for what vectors usually have; others are numbered."""

ROWS = {"run": ("time",), "series": ("time",), "event": ("event",), "side": ("jump", "side"), "knot": ("knot",)}
PARTLY = {"event": EVENT, "knot": KNOT}


def dataset(run: Trajectory) -> "xarray.Dataset":
    """All of a run over ``time``: a variable for each that is recorded, under its full name (or, where NetCDF does not
    allow that, one like it; the attribute ``key`` says the full one), ẋ as ``x_dot``, events over ``event``, values at
    both sides of the jumps over ``jump`` and ``side``, and time, state and ẋ at the ends of steps over ``knot``. The
    attribute ``freebody`` holds the facts as JSON."""
    import xarray

    names, known, sizes = file_names(run.about), variables(run.about), _dimensions(run.about)
    made: dict[str, Any] = {}
    for entry, values in entries(run).items():
        variable = known.get(entry[1])
        columns = ("state",) * (values.ndim - 1) if variable is None else sizes[variable.parts]
        shaped = _halved(values) if entry[0] == "side" else values
        made[names[entry]] = ((*ROWS[entry[0]], *columns), shaped, {} if variable is None else _attributes(variable))
    made["time"] = ("time", made.pop("time")[1], {"units": "s", "long_name": "time"})
    return xarray.Dataset(made, _labels(run, sizes), _facts(run)).set_coords("time")


def file_names(about: About) -> dict[Entry, str]:
    """The name of each array in a dataset."""
    known = list(variables(about))
    given = dict(zip(known, distinct(map(safe, known), ("time",)), strict=True)) | {"x_dot": "x_dot"}
    sides = distinct([f"jump.{given[key]}" for key in given], given.values())
    names: dict[Entry, str] = {("run", "t"): "time", ("run", "x_dot"): "x_dot"}
    names |= {("series", key): given[key] for key in known}
    names |= {(kind, n): f"{kind}_{'time' if n == 't' else n}" for kind, ns in PARTLY.items() for n in ns}
    return names | {("side", key): name for key, name in zip(given, sides, strict=True)}


def _dimensions(about: About) -> dict[tuple[str, ...], tuple[str, ...]]:
    """A dimension for each list of parts, shared by all that have it; none for single numbers."""
    found = dict.fromkeys(v.parts for v in variables(about).values())
    return {parts: (PARTS.get(parts, f"part_{k + 1}"),) if parts else () for k, parts in enumerate(found)}


def _attributes(variable: Variable) -> dict[str, str]:
    held = {"key": variable.key, "units": variable.unit, "long_name": variable.description or variable.key}
    return {name: clean(text) for name, text in held.items() if text}


def _labels(run: Trajectory, sizes: dict[tuple[str, ...], tuple[str, ...]]) -> dict[str, Any]:
    """Coordinates in words: the parts of vectors, the states, the sides, the events by name."""
    made: dict[str, Any] = {name: (name, _words(parts)) for parts, names in sizes.items() for name in names}
    made["state"] = ("state", _words(run.about.state))
    if len(run.events):
        made["event_name"] = ("event", _words([run.events.names[k] for k in run.events.index]))
    if run.sides:
        made["side"] = ("side", _words(("before", "after")))
    return made


def _words(texts: Iterable[str]) -> NDArray[Any]:
    return np.array([clean(text) or " " for text in texts], "U")


def _facts(run: Trajectory) -> dict[str, Any]:
    return {
        "title": clean(run.about.system) or " ", "status": run.status, "message": clean(run.message) or " ",
        "freebody": facts(run),
    }  # fmt: skip


def write(run: Trajectory, path: Path) -> None:
    """A file that any NetCDF reader opens."""
    made = dataset(run)
    made = made.drop_vars([name for name, v in made.variables.items() if not v.size])
    plain: dict[Any, dict[str, Any]] = {name: {"_FillValue": None} for name in made.variables}
    made.to_netcdf(path, engine="h5netcdf" if _has_hdf5() and len(plain) < MANY else "scipy", encoding=plain)


def _has_hdf5() -> bool:
    return all(find_spec(name) is not None for name in ("h5netcdf", "h5py"))


def read(path: Path) -> tuple[Facts, dict[Entry, NDArray[Any]]]:
    """What ``write`` wrote; errors of many kinds where it did not."""
    import xarray

    engine = _engine(path)
    with xarray.open_dataset(path, engine=engine, decode_times=False, mask_and_scale=False) as opened:
        if "freebody" not in opened.attrs:
            raise ValueError("it is NetCDF, but holds no run of freebody; open it with xarray")
        known = read_facts(str(opened.attrs["freebody"]))
        names = file_names(known.about)
        size = sum(opened.variables[n].nbytes for n in names.values() if n in opened.variables)
        if size > LARGEST:
            raise ValueError(f"its arrays take {size / 2**30:.1f} GiB; open it with xarray and choose a part")
        found = {entry: opened.variables[n].values for entry, n in names.items() if n in opened.variables}
    return known, {e: _doubled(v) if e[0] == "side" else v for e, v in found.items()}


def _halved(values: NDArray[Any]) -> NDArray[Any]:
    """Rows before, after, before, … as pairs."""
    return values.reshape(len(values) // 2, 2, *values.shape[1:])


def _doubled(values: NDArray[Any]) -> NDArray[Any]:
    return values.reshape(2 * len(values), *values.shape[2:])


def _engine(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(8)
    for magic, engine in ENGINES.items():
        if start.startswith(magic):
            if engine == "h5netcdf" and not _has_hdf5():
                raise ValueError('it is NetCDF 4, which needs h5netcdf: pip install "freebody[netcdf]"')
            return engine
    raise ValueError("it is no NetCDF file")
