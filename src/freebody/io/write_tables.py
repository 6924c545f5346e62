"""What names a file can hold, and tables in it."""

from collections.abc import Iterable, Mapping
from typing import Any

from freebody.errors import FileError, spelled
from freebody.io import limits
from freebody.scalar.table import Table, table


def named(name: str, *path: str | int) -> str:
    """A name that a file can hold."""
    if len(name) > limits.NAME or not name.isprintable() or not name.strip():
        raise FileError(f"the name {name[:60]!r} cannot stand in a file; use at most {limits.NAME} visible characters",
                        key=spelled(path))  # fmt: skip
    return name


def listed(tables: Mapping[str, Table]) -> dict[str, Any]:
    names = {key: {} if t.name == key else {"name": named(t.name, "tables", key)} for key, t in tables.items()}
    return {key: {**names[key], **_points(t)} for key, t in tables.items()}


def floats(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(map(float, values))


def _points(t: Table) -> dict[str, Any]:
    """A table by its points where these make it again, else by its pieces."""
    t = Table(t.name, floats(t.breaks), floats(t.origins), tuple(map(floats, t.coefficients)))
    x, y = list(t.breaks), [*(row[0] for row in t.coefficients[1:-1]), t.coefficients[-1][0]]
    for method in ("linear", "cubic"):
        for outside in ("extend", "hold"):
            if len(x) > 1 and repr(table(t.name, x, y, method, outside)) == repr(t):
                defaults = {"method": (method, "linear"), "outside": (outside, "extend")}
                return {"x": x, "y": y, **{k: v for k, (v, default) in defaults.items() if v != default}}
    return {"breaks": x, "origins": list(t.origins), "coefficients": [list(row) for row in t.coefficients]}
