"""Snapshots: the present of a simulator, in memory and in files."""

import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from freebody.errors import FileError
from freebody.files import open_regular, path_of, target, write
from freebody.keywords import hint_keywords

SUFFIX = ".npz"
FORMAT = "freebody snapshot 1"


@hint_keywords
@dataclass(frozen=True)
class Snapshot:
    """All on which the future of a simulator depends: time, state, inputs and held values, parameters, the planned
    step, the events that have just happened, and the conditions of events before something was set since the last step
    (``before``, None where nothing was). Of simulators side by side, state, inputs and steps are those of all worlds.
    It can be pickled, and written to a file, ``snapshot.save("x.npz")``."""

    digest: str
    events: tuple[str, ...]
    laws: Mapping[str, str]
    t: float
    x: bytes
    d: bytes
    parameters: Mapping[str, float]
    size: bytes
    waiting: tuple[int, ...] = ()
    before: bytes | None = None
    worlds: bytes | None = None
    """Of simulators side by side: the values of parameters of each world."""
    stiffness: bytes | None = None
    """The method in use and what decides when it changes (``method="auto"``)."""

    def save(self, path: "str | Path") -> Path:
        """Write it to a file (.npz), from which ``Snapshot.load`` reads it, equal to the bit."""
        facts: dict[str, Any] = {
            "format": FORMAT,
            "digest": self.digest,
            "events": self.events,
            "laws": dict(self.laws),
        }
        facts |= {"parameters": list(self.parameters), "waiting": self.waiting}
        rows = {
            "x": self.x,
            "d": self.d,
            "size": self.size,
            "before": self.before,
            "worlds": self.worlds,
            "stiffness": self.stiffness,
        }
        arrays = {name: np.frombuffer(row) for name, row in rows.items() if row is not None}
        arrays |= {"t": np.array([self.t]), "parameters": np.array(list(self.parameters.values()), float)}

        def fill(draft: Path) -> None:
            with draft.open("wb") as file:
                np.savez(file, allow_pickle=False, facts=np.array(json.dumps(facts)), **arrays)

        return write(target(path, "a snapshot", [SUFFIX]), fill)

    @staticmethod
    def load(path: "str | Path") -> "Snapshot":
        """A snapshot from its file. Nothing in the file is executed."""
        try:
            with open_regular(path_of(path)) as file, np.load(file, allow_pickle=False) as stored:
                facts = json.loads(str(stored["facts"]))
                rows = {name: stored[name] for name in stored.files if name != "facts"}
                if facts["format"] != FORMAT or any(row.dtype != np.float64 for row in rows.values()):
                    raise ValueError("it has another format")
                parts = {n: rows[n].tobytes() if n in rows else None for n in ("before", "worlds", "stiffness")}
                return Snapshot(
                    str(facts["digest"]),
                    tuple(map(str, facts["events"])),
                    {str(name): str(law) for name, law in facts["laws"].items()},
                    float(rows["t"][0]),
                    rows["x"].tobytes(),
                    rows["d"].tobytes(),
                    dict(zip(map(str, facts["parameters"]), rows["parameters"].tolist(), strict=True)),
                    rows["size"].tobytes(),
                    tuple(map(int, facts["waiting"])),
                    **parts,
                )
        except OSError as error:
            raise FileError(f"it cannot be read: {error.strerror or error}", str(path)) from None
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, EOFError, zipfile.BadZipFile, zlib.error):
            raise FileError("it is not a snapshot that snapshot.save() has written", str(path)) from None
