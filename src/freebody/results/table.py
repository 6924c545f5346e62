"""Runs as tables: pandas, Parquet, CSV."""

import base64
import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.results.about import About
from freebody.results.names import clean, distinct
from freebody.results.stored import LARGEST, Entry, Facts, entries, facts, read_facts, variables
from freebody.results.trajectory import Trajectory

if TYPE_CHECKING:
    import pandas

NEEDED = 'Parquet needs pyarrow: pip install "freebody[parquet]"'
KEY = b"freebody"


def table(run: Trajectory) -> "pandas.DataFrame":
    """A column for each number, named in full, over the time in s; ``attrs`` has the units by column."""
    return _frame(run, entries(run), {})


def _frame(run: Trajectory, held: dict[Entry, NDArray[Any]], more: dict[str, NDArray[Any]]) -> "pandas.DataFrame":
    """The table, and more columns after its own."""
    import pandas

    about = run.about
    columns = dict(zip(names(about), _numbers(held, [("series", key) for key in variables(about)]), strict=True))
    made = pandas.DataFrame(columns | more, index=pandas.Index(held["run", "t"], name="time"))
    made.attrs = {"system": clean(about.system), "message": clean(run.message), "units": units(about)}
    return made


def names(about: About) -> list[str]:
    """A name for each column: no two alike."""
    given = [clean(c) for key, v in variables(about).items() for c in (v.columns if v.group else (key,))]
    return distinct(given, ("time",))


def units(about: About) -> dict[str, str]:
    """The unit of each column."""
    given = [clean(v.unit) for v in variables(about).values() for _ in v.columns]
    return dict(zip(names(about), given, strict=True))


def _numbers(held: dict[Entry, NDArray[Any]], wanted: list[Entry]) -> list[NDArray[Any]]:
    """Arrays column by column."""
    return [c for entry in wanted for c in (held[entry].T if held[entry].ndim > 1 else [held[entry]])]


def write_csv(run: Trajectory, path: Path) -> None:
    """A line for each time, every number with as many digits as it takes to read it back exactly."""
    made, known = table(run), units(run.about)
    header = [f"{name} [{known[name]}]" if known[name] else name for name in made.columns]
    made.to_csv(path, header=header, index_label="time [s]", encoding="utf-8")


def write_parquet(run: Trajectory, path: Path) -> None:
    """The table, ẋ, and in the file's metadata all else."""
    pyarrow, parquet = _pyarrow()
    held = entries(run)
    rates = [("run", "x_dot")] if ("run", "x_dot") in held else []
    wide = pyarrow.Table.from_pandas(
        _frame(run, held, dict(zip(_rates(run.about), _numbers(held, rates), strict=False)))
    )
    rest = {f"{kind} {key}": _packed(v) for (kind, key), v in held.items() if kind in ("event", "side", "knot")}
    extra = {KEY: facts(run).encode(), KEY + b".arrays": json.dumps(rest).encode()}
    parquet.write_table(wide.replace_schema_metadata({**wide.schema.metadata, **extra}), path)


def read_parquet(path: Path) -> tuple[Facts, dict[Entry, NDArray[Any]]]:
    """What ``write_parquet`` wrote; errors of many kinds where it did not."""
    _, parquet = _pyarrow()
    with parquet.ParquetFile(path) as file:
        metadata, size = file.schema_arrow.metadata or {}, 8 * file.metadata.num_rows * file.metadata.num_columns
        if KEY not in metadata:
            raise ValueError("it is Parquet, but holds no run of freebody; open it with pandas")
        if size > LARGEST:
            raise ValueError(f"its columns take {size / 2**30:.1f} GiB; open it with pandas and choose a part")
        known = read_facts(metadata[KEY].decode())
        columns = file.read(use_pandas_metadata=False)
    found = _columns(known.about, {name: columns.column(k) for k, name in enumerate(columns.column_names)})
    rest = json.loads(metadata[KEY + b".arrays"])
    kinds = {name: (name.split(" ", 1)[0], name.split(" ", 1)[1]) for name in rest}
    return known, found | {kinds[name]: _unpacked(held) for name, held in rest.items()}


def _columns(about: About, columns: dict[str, Any]) -> dict[Entry, NDArray[Any]]:
    """Columns gathered into arrays over time."""
    found: dict[Entry, NDArray[Any]] = {("run", "t"): _floats(columns["time"])}
    given = iter(names(about))
    for key, v in variables(about).items():
        several = [_floats(columns[next(given)]) for _ in v.columns]
        found["series", key] = np.stack(several, axis=1) if v.parts else several[0]
    rates = [_floats(columns[name]) for name in _rates(about) if name in columns]
    return found | ({("run", "x_dot"): np.stack(rates, axis=1)} if rates else {})


def _rates(about: About) -> list[str]:
    """Names of the columns of ẋ."""
    return distinct([f"x_dot.{clean(key)}" for key in about.state], names(about))


def _floats(column: Any) -> NDArray[np.float64]:
    return np.asarray(column.to_numpy(), np.float64)


def _packed(values: NDArray[Any]) -> list[Any]:
    """An array as its shape and its bytes (64-bit floats, little end first), base64."""
    return [list(values.shape), base64.b64encode(np.asarray(values, "<f8").tobytes()).decode()]


def _unpacked(held: list[Any]) -> NDArray[np.float64]:
    shape, text = held
    return np.frombuffer(base64.b64decode(text, validate=True), "<f8").reshape(shape).astype(np.float64)


def _pyarrow() -> tuple[Any, Any]:
    if find_spec("pyarrow") is None:
        raise ArgumentError(NEEDED)
    import pyarrow
    from pyarrow import parquet

    return pyarrow, parquet
