"""Files and tables of runs: NetCDF and Parquet contain a whole run, CSV its numbers; xarray datasets, pandas tables.

A file holds the facts of a run as JSON, and arrays of numbers by kind and name: ``run`` (t, x_dot), ``series`` (each
variable and state over time), ``event`` (the arrays of ``Events``), ``side`` (variables before and after each jump, two
rows for each) and ``knot`` (t, x, x_dot at the ends of steps). Nothing that is read is evaluated.
"""

import base64
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from freebody import files
from freebody.errors import ArgumentError, FileError
from freebody.extras import install_command
from freebody.guarded_read import read_guarded
from freebody.hybrid.variables import Variable
from freebody.names import POSE
from freebody.results.about import About, to_json, validate
from freebody.results.drawing_data import from_plain, to_plain
from freebody.results.interpolation import Knots
from freebody.results.seal import is_sealed, sealed
from freebody.results.stored_arrays import FACTS, form
from freebody.results.stored_arrays import read as read_stored
from freebody.results.trajectory import Events, HeldSteps, RunResult, Statistics
from freebody.tables import shorten

if TYPE_CHECKING:
    import pandas
    import xarray

Array = NDArray[np.float64]
Entry = tuple[str, str]
Arrays = dict[Entry, NDArray[Any]]
Run = TypeVar("Run", bound=RunResult)

FORMAT = 2
"""The number of the form of the facts. In form 1, `coupled` of a body was called `tied`."""

SWITCHED = ("switches_before", "switches_after", "impulses", "lost")
"""The arrays of events that only runs with held values have; in files these are called switches."""

XYZ = ("x", "y", "z")
SCALARS = (
    "q",
    "u",
    "u_dot",
    "z",
    "energy",
    "power",
    "work",
    "engaged",
    "gripping",
    "multiplier",
    "residual",
    "residual_rate",
    "drive_force",
)
FORMS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(SCALARS, ()), "pose": POSE, "captured": POSE, "momentum": XYZ,
}  # fmt: skip
"""The parts of variables of a group; those of other groups may have any."""

EVENT = ("t", "index", "before", "after", *SWITCHED)
KNOT = ("t", "x", "x_dot")
HELD = ("t", "values")
"""The times of the steps of held values, and the values from there on."""

LONGEST = 256 * 2**20
"""The largest number of characters of facts that is read."""


LARGEST = 2**33
"""The largest size of the arrays, in bytes, of a file that is read whole."""
FAILURE = "no run can be loaded from it"


def save(run: RunResult, path: Any) -> Path:
    """Write a run in the format of the file's suffix; the file appears whole or not at all."""
    target = files.target(path, "a run", tuple(WRITERS))
    return files.write_bytes(target, WRITERS[target.suffix.lower()](run))


def load(path: Any, cls: type[Run]) -> Run:
    """A run as it was saved."""
    source = files.path_of(path)
    read = READERS.get(source.suffix.lower())
    if read is None:
        why = "CSV keeps the numbers alone; " if source.suffix.lower() == ".csv" else ""
        raise FileError(f"{why}a run is loaded from {' or '.join(READERS)}, as save() wrote it", str(source))
    if not source.is_file():
        raise FileError("there is no such file; save() writes one", str(source))
    try:
        return rebuild(cls, *read(_stored(source)))
    except FileError:
        raise
    except Exception as error:
        why = shorten(str(error) or type(error).__name__, 300)
        raise FileError(f"{FAILURE}: {why}", str(source)) from error


def _stored(source: Path) -> dict[str, NDArray[Any]]:
    """The arrays in a file; a file without a seal is read in a child process."""
    arguments, kind = (str(source), str(LARGEST)), form(str(source))
    if kind == "parquet":
        _pyarrow()
    if kind == "netcdf 4" and not _has_hdf5():
        raise ArgumentError(f"it is NetCDF 4, which needs h5netcdf: {install_command('netcdf')}")
    if is_sealed(source):
        return read_stored(*arguments)
    script = Path(__file__).with_name("stored_arrays.py")
    return read_guarded(script, source, arguments, LARGEST + LONGEST, FAILURE)


# Facts and arrays


@dataclass(frozen=True)
class RunFacts:
    """Everything of a run except its arrays."""

    about: About
    statistics: Statistics
    status: int
    message: str
    events: tuple[str, ...]
    rows: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    drawing: dict[str, Any] | None = None


def facts(run: RunResult) -> str:
    """The facts as ASCII JSON."""
    names = run.events.names, run.events.rows, run.events.held
    drawing = None if run.drawing is None else to_plain(run.drawing)
    held = RunFacts(run.about.portable(), run.statistics, int(run.status), run.message, *names, drawing)
    return to_json({"format": FORMAT, **asdict(held)})


def read_facts(text: str) -> RunFacts:
    """The facts in a text that ``facts`` wrote; raises ValueError for any other text."""
    if len(text) > LONGEST:
        raise ValueError(f"it holds {len(text)} characters of metadata, more than the {LONGEST} that are read")
    held = json.loads(text)
    if not isinstance(held, dict) or held.get("format") not in (1, FORMAT):
        raise ValueError("it was written by another version of freebody; load it with that one, or update this one")
    if held["format"] == 1:
        held["about"]["elements"] = [{**e, "coupled": e.get("tied", "")} for e in held["about"]["elements"]]
    known = validate(RunFacts, held, "its facts")
    for v in known.about.variables:
        if v.parts != FORMS.get(v.group, v.parts):
            raise ValueError(f"its facts: the variable '{v.key}' cannot have {len(v.parts)} parts")
    return replace(known, about=known.about.portable())


def variables(about: About) -> dict[str, Variable]:
    """What is stored over time, by key: the variables, and states that are not among them."""
    known = {v.key: v for v in about.variables}
    return known | {key: Variable("", key) for key in about.state if key not in known}


def arrays(run: RunResult) -> Arrays:
    """All arrays of a run."""
    column = {key: k for k, key in enumerate(run.about.state)}
    others = [key for key in variables(run.about) if key not in column]
    missing = next((key for key in others if key not in run.recorded), None)
    if missing is not None:
        raise ArgumentError(f"run of {run.about.system}: '{missing}' is listed as a variable, but was not recorded")
    held: Arrays = {("run", "t"): run.t}
    if "x_dot" in run.recorded:
        held["run", "x_dot"] = run.recorded["x_dot"]
    for key in variables(run.about):
        held["series", key] = run.x[:, column[key]] if key in column else run.recorded[key]
    if len(run.events):
        e = run.events
        arrays = zip(
            EVENT, (e.t, e.index, e.before, e.after, e.held_before, e.held_after, e.impulses, e.lost), strict=True
        )
        kept = {*EVENT} if e.held else {*EVENT}.difference(SWITCHED) | ({"impulses"} if e.rows else set())
        held |= {("event", name): values for name, values in arrays if name in kept}
    held |= {("side", key): run.sides[key] for key in ("x_dot", *others) if key in run.sides}
    if len(run.knots):
        k = run.refined()
        held |= {("knot", n): v for n, v in zip(KNOT, (k.t, k.x, k.x_dot), strict=True)}
    if run.held_steps is not None and run.events.held:
        held |= {("held", n): v for n, v in zip(HELD, (run.held_steps.t, run.held_steps.values), strict=True)}
    return {e: np.asarray(v, np.int64 if e == ("event", "index") else np.float64) for e, v in held.items()}


def rebuild(cls: type[Run], known: RunFacts, held: Mapping[Entry, NDArray[Any]]) -> Run:
    """The run that facts and arrays describe. An array without entries may be missing."""
    about = known.about
    widths: dict[str, tuple[int, ...]] = {
        key: (len(v.parts),) if v.parts else () for key, v in variables(about).items()
    }
    widths |= {"t": (), "index": (), "lost": (), "impulses": (len(known.rows),)}
    widths |= dict.fromkeys(("x", "x_dot", "before", "after"), (len(about.state),))
    widths |= dict.fromkeys(("switches_before", "switches_after", "values"), (len(known.switches),))

    def get(entry: Entry, rows: int) -> Array:
        shape, values = (rows, *widths[entry[1]]), held.get(entry)
        if values is None and 0 in shape:
            return np.empty(shape)
        if values is None or values.shape != shape:
            has = "is missing" if values is None else f"has the shape {values.shape}"
            raise ValueError(f"'{entry[1]}' ({entry[0]}) {has}, where {shape} is needed")
        return np.array(values, np.float64)

    def group(kind: str, names: Sequence[str]) -> list[Array]:
        return [get((kind, name), len(held.get((kind, "t"), ()))) for name in names]

    (t,) = group("run", ("t",))
    series = {key: get(("series", key), len(t)) for key in variables(about)}
    x = np.stack([series[key] for key in about.state], axis=1) if about.state else np.empty((len(t), 0))
    recorded = {key: values for key, values in series.items() if key not in about.state}
    if ("run", "x_dot") in held or not x.size:
        recorded["x_dot"] = get(("run", "x_dot"), len(t))
    if ("event", "lost") not in held:
        held = {**held, ("event", "lost"): np.zeros(len(held.get(("event", "t"), ())))}
    when, index, *rest = group("event", EVENT)
    before, after, switches_before, switches_after, impulses, lost = rest
    if len(when) and not 0 <= index.min() <= index.max() < len(known.events):
        raise ValueError(f"events are numbered {index.min():g} to {index.max():g}, but {len(known.events)} have a name")
    events = Events(
        known.events,
        when,
        index.astype(np.int64),
        before,
        after,
        switches_before,
        switches_after,
        impulses,
        lost,
        known.rows,
        known.switches,
    )
    steps, values = group("held", HELD)
    if np.any(np.diff(steps) * (t[-1] - t[0] if len(t) else 0.0) < 0):
        raise ValueError("'t' (held) is not in the order of the run")
    sides = {key: get((kind, key), 2 * len(events.jumps)) for kind, key in held if kind == "side"}
    return cls(
        about,
        t,
        x,
        status=known.status,
        message=known.message,
        events=events,
        statistics=known.statistics,
        recorded=recorded,
        sides=sides,
        knots=Knots(*group("knot", KNOT)),
        held_steps=HeldSteps(known.switches, steps, values) if len(steps) else None,
        drawing=None if known.drawing is None else from_plain(known.drawing, about),
    )


# Names


def clean(text: str) -> str:
    """The text without what no file can hold: lone surrogates and NUL become a replacement character."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def safe(key: str) -> str:
    """A name that NetCDF allows: ASCII letters, digits and ._+-, beginning with a letter, a digit or _. Greek letters
    become their names."""

    def spelled(c: str) -> str:
        greek = re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER ([A-Z]+)", unicodedata.name(c, ""))
        return "_" if greek is None else greek[2].lower() if greek[1] == "SMALL" else greek[2].capitalize()

    ascii_key = "".join(c if c.isascii() else spelled(c) for c in key)
    name = re.sub(r"[^A-Za-z0-9_.+-]", "_", ascii_key)[:120]
    return name if name[:1].isalnum() or name[:1] == "_" else f"_{name}"


def distinct(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """The names, with a number added to those that occurred before."""
    used, result = set(taken), list[str]()
    for name in names:
        unique, count = name, 1
        while unique in used:
            count += 1
            unique = f"{name}_{count}"
        used.add(unique)
        result.append(unique)
    return result


# xarray and NetCDF

MANY = 300
"""The number of variables from which NetCDF 3 is written: the time for HDF5 grows with its square (10 s for 1500)."""

PARTS = {XYZ: "axis", POSE: "place"}
"""Names of dimensions for the usual parts of vectors; others are numbered."""

ROWS = {
    "run": ("time",),
    "series": ("time",),
    "event": ("event",),
    "side": ("jump", "side"),
    "knot": ("knot",),
    "held": ("held",),
}
COLUMNS = {"impulses": "equation", **dict.fromkeys(("switches_before", "switches_after", "values"), "switch")}
"""Names of dimensions for the columns of arrays that are not those of states."""

TIME, CASE = "time", "case"


def dataset(run: RunResult) -> "xarray.Dataset":
    """All of a run over ``time``: a variable for each that is recorded, under its full name (or, where NetCDF does not
    allow that, a similar one; the attribute ``key`` holds the full name), ẋ as ``x_dot``, events over ``event``, values
    at both sides of the jumps over ``jump`` and ``side``, time, state and ẋ at the ends of steps over ``knot``, and the
    steps of held values over ``held``. The attribute ``freebody`` holds the facts as JSON."""
    import xarray

    names, known, data = dataset_names(run.about), variables(run.about), dict[str, Any]()
    parts = dict.fromkeys(v.parts for v in known.values())
    dims = {p: (PARTS.get(p, f"part_{k + 1}"),) if p else () for k, p in enumerate(parts)}
    for entry, values in arrays(run).items():
        variable, attributes = known.get(entry[1]), dict[str, str]()
        column = COLUMNS.get(entry[1], "state")
        columns = (column,) * (values.ndim - 1) if variable is None else dims[variable.parts]
        if variable is not None:
            texts = {"key": variable.key, "units": variable.unit, "long_name": variable.description or variable.key}
            attributes = {name: clean(text) for name, text in texts.items() if text}
        if entry[0] == "side":
            values = values.reshape(len(values) // 2, 2, *values.shape[1:])
        data[names[entry]] = ((*ROWS[entry[0]], *columns), values, attributes)
    data[TIME] = (TIME, data.pop(TIME)[1], {"units": "s", "long_name": "time"})

    def labels(texts: Iterable[str]) -> NDArray[Any]:
        return np.array([clean(text) or " " for text in texts], "U")

    coords: dict[str, Any] = {dim: (dim, labels(p)) for p, of_parts in dims.items() for dim in of_parts}
    coords["state"] = ("state", labels(run.about.state))
    if len(run.events):
        coords["event_name"] = ("event", labels([run.events.names[k] for k in run.events.index]))
        if run.events.rows:
            coords["equation"] = labels(run.events.rows)
    if run.events.held:
        coords["switch"] = labels(run.events.held)
    if run.sides:
        coords["side"] = ("side", labels(("before", "after")))
    of_run = {
        "title": clean(run.about.system) or " ",
        "status": run.status,
        "message": clean(run.message) or " ",
        "freebody": facts(run),
    }
    return xarray.Dataset(data, coords, of_run).set_coords(TIME)


def dataset_names(about: About) -> dict[Entry, str]:
    """The name of each array in a dataset."""
    known = list(variables(about))
    series = dict(zip(known, distinct(map(safe, known), (TIME,)), strict=True)) | {"x_dot": "x_dot"}
    sides = distinct([f"jump.{series[key]}" for key in series], series.values())
    names: dict[Entry, str] = {("run", "t"): TIME, ("run", "x_dot"): "x_dot"}
    names |= {("series", key): series[key] for key in known}
    for kind, of_kind in (("event", EVENT), ("knot", KNOT), ("held", HELD)):
        names |= {(kind, n): f"{kind}_{'time' if n == 't' else n}" for n in of_kind}
    return names | {("side", key): name for key, name in zip(series, sides, strict=True)}


def write_netcdf(run: RunResult) -> bytes:
    """A NetCDF file: HDF5 where h5netcdf is installed, else NetCDF 3; any NetCDF reader opens it. It is made in memory,
    since HDF5 crashes where a disk is full."""
    whole = dataset(run)
    return sealed(netcdf_bytes(whole.drop_vars([name for name, v in whole.variables.items() if not v.size])))


def netcdf_bytes(whole: "xarray.Dataset") -> bytes:
    """A dataset as the content of a NetCDF file."""
    import xarray

    plain: dict[Any, dict[str, Any]] = {name: {"_FillValue": None} for name in whole.variables}
    if not _has_hdf5() or len(plain) >= MANY:
        return bytes(whole.to_netcdf(None, engine="scipy", encoding=plain))
    from h5netcdf import File

    buffer = BytesIO()
    with File(buffer, "w") as file:
        whole.dump_to_store(xarray.backends.H5NetCDFStore(file), encoding=plain)
    return buffer.getvalue()


def _has_hdf5() -> bool:
    return all(find_spec(name) is not None for name in ("h5netcdf", "h5py"))


def read_netcdf(stored: Mapping[str, NDArray[Any]]) -> tuple[RunFacts, Arrays]:
    """What ``write_netcdf`` wrote; raises errors of many kinds for other files."""
    known = read_facts(bytes(stored[FACTS]).decode())
    held = {entry: stored[n] for entry, n in dataset_names(known.about).items() if n in stored and n != FACTS}
    return known, {e: v.reshape(2 * len(v), *v.shape[2:]) if e[0] == "side" else v for e, v in held.items()}


COUNTS = {
    "status": "0 reached the end, 1 ended by an event, -1 failed, -2 not finished", "message": "how it ended",
    "steps": "steps", "evaluations": "evaluations",
}  # fmt: skip
"""What a dataset of many runs holds of each case beside its variables."""


def reserved_names(about: About, keys: Sequence[str]) -> set[str]:
    """The names that a dataset of many runs with these variables uses itself."""
    every = {*about.state, *keys}
    return {TIME, *COUNTS, *every, *(f"{key}.part" for key in every)}


def stack(
    about: About,
    times: Array,
    held: Mapping[str, Any],
    dims: Sequence[str],
    shape: Sequence[int],
    coords: Mapping[str, Any],
) -> "xarray.Dataset":
    """Many runs in one dataset over the cases' dims and ``time``: every state and recorded variable by its key, status
    and steps."""
    import xarray

    known = {v.key: v for v in about.variables}
    states = {key: held["x"][:, :, k] for k, key in enumerate(about.state)}
    others = {key: a for key, a in held.items() if key in known and key not in states}
    data: dict[str, Any] = {}
    for key, a in {**states, **others}.items():
        v = known[key]
        attributes = {"units": v.unit, "long_name": v.description or v.key}
        inner = (f"{key}.part",) if v.parts else ()
        data[key] = ((*dims, TIME, *inner), a.reshape(*shape, *a.shape[1:]), attributes)
    for name, what in COUNTS.items():
        data[name] = (tuple(dims), held[name].reshape(shape), {"long_name": what})
    labels = {f"{key}.part": list(known[key].parts) for key in others if known[key].parts}
    facts_of_all = {"system": about.system, "digest": about.digest}
    return xarray.Dataset(data, {**coords, **labels, TIME: (TIME, times, {"units": "s"})}, facts_of_all)


# pandas, CSV and Parquet

ARRAYS = f"{FACTS}.arrays"


def table(run: RunResult) -> "pandas.DataFrame":
    """A column for each number, under its full name, over the time in s; ``attrs`` holds the units by column."""
    return _frame(run, arrays(run), {})


def _frame(run: RunResult, held: Arrays, more: Mapping[str, NDArray[Any]]) -> "pandas.DataFrame":
    """The table, and further columns after its own."""
    import pandas

    about = run.about
    series = [held["series", key] for key in variables(about)]
    numbers = [column for values in series for column in (values.T if values.ndim > 1 else [values])]
    columns = dict(zip(column_names(about), numbers, strict=True))
    frame = pandas.DataFrame(columns | dict(more), index=pandas.Index(held["run", "t"], name=TIME))
    units = [clean(v.unit) for v in variables(about).values() for _ in v.columns]
    frame.attrs = {
        "system": clean(about.system),
        "message": clean(run.message),
        "units": dict(zip(column_names(about), units, strict=True)),
    }
    return frame


def column_names(about: About) -> list[str]:
    """A name for each column of the table, all different."""
    names = [clean(c) for key, v in variables(about).items() for c in (v.columns if v.group else (key,))]
    return distinct(names, (TIME,))


def _rate_names(about: About) -> list[str]:
    """The names of the columns of ẋ."""
    return distinct([f"x_dot.{clean(key)}" for key in about.state], column_names(about))


def write_csv(run: RunResult) -> bytes:
    """A line for each time, every number with as many digits as it takes to read it back exactly."""
    frame = table(run)
    units = frame.attrs["units"]
    header = [f"{name} [{units[name]}]" if units[name] else name for name in frame.columns]
    return str(frame.to_csv(None, header=header, index_label="time [s]")).encode()


def write_parquet(run: RunResult) -> bytes:
    """The table and ẋ as columns, and everything else as metadata of the file."""
    pyarrow, parquet = _pyarrow()
    held = arrays(run)
    rates = held.get(("run", "x_dot"), np.empty((len(run.t), 0))).T
    wide = pyarrow.Table.from_pandas(_frame(run, held, dict(zip(_rate_names(run.about), rates, strict=False))))
    packed = {
        f"{kind} {key}": [list(v.shape), base64.b64encode(np.asarray(v, "<f8").tobytes()).decode()]
        for (kind, key), v in held.items()
        if kind in ("event", "side", "knot", "held")
    }
    extra = {FACTS.encode(): facts(run).encode(), ARRAYS.encode(): json.dumps(packed).encode()}
    buffer = pyarrow.BufferOutputStream()
    parquet.write_table(wide.replace_schema_metadata({**wide.schema.metadata, **extra}), buffer)
    return sealed(buffer.getvalue().to_pybytes())


def read_parquet(stored: Mapping[str, NDArray[Any]]) -> tuple[RunFacts, Arrays]:
    """What ``write_parquet`` wrote; raises errors of many kinds for other files."""
    known = read_facts(bytes(stored[FACTS]).decode())
    held: Arrays = {("run", "t"): stored[TIME]}
    names = iter(column_names(known.about))
    for key, v in variables(known.about).items():
        several = [stored[next(names)] for _ in v.columns]
        held["series", key] = np.stack(several, axis=1) if v.parts else several[0]
    rates = [stored[name] for name in _rate_names(known.about) if name in stored]
    if rates:
        held["run", "x_dot"] = np.stack(rates, axis=1)
    for name, (shape, text) in json.loads(bytes(stored[ARRAYS])).items():
        kind, key = name.split(" ", 1)
        numbers = np.frombuffer(base64.b64decode(text, validate=True), "<f8")
        held[kind, key] = numbers.reshape(shape).astype(np.float64)
    return known, held


def _pyarrow() -> tuple[Any, Any]:
    if find_spec("pyarrow") is None:
        raise ArgumentError(f"Parquet needs pyarrow: {install_command('parquet')}")
    import pyarrow
    from pyarrow import parquet

    return pyarrow, parquet


WRITERS: dict[str, Callable[[RunResult], bytes]] = {".nc": write_netcdf, ".parquet": write_parquet, ".csv": write_csv}
READERS: dict[str, Callable[[Mapping[str, NDArray[Any]]], tuple[RunFacts, Arrays]]] = {
    ".nc": read_netcdf, ".parquet": read_parquet,
}  # fmt: skip
