"""Flexible bodies that were reduced from finite elements"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, ClassVar, Self

import numpy as np

from freebody import files
from freebody.errors import FieldError, ModelError
from freebody.fem.modal_data import ModalData
from freebody.fem.orthonormal import body_modes
from freebody.fem.reduced_data import ReducedData, response_figure, summary
from freebody.model.element import field, with_fields
from freebody.model.flexible.base import FlexibleDescription, Modes, only_limit
from freebody.model.flexible.mode_table import ModeTable
from freebody.model.kinds import UNPARSED, FieldKind, Schema, Scope, Text, describe

SUFFIXES = (".npz", ".sid", ".sid_fem")
"""Files of reduced bodies: NPZ, and SID as text."""


class ReducedFile(FieldKind):
    """A reduced body: in model files the name of a file in the folder of the model file, or below it."""

    type_name = "file name"
    json_schema: ClassVar[Schema] = {"type": "string"}

    def read(self, value: Any, scope: Scope) -> Any:
        if isinstance(value, ReducedData):
            return value
        if not isinstance(value, str):
            raise FieldError(
                f"a reduced body of structure.reduce(…) or fb.read_reduced(…) is needed, in a file the"
                f" name of a file; not {describe(value)}"
            )
        name = Text().read(value, scope)
        require_inside(name)
        if PurePosixPath(name).suffix.lower() not in SUFFIXES:
            raise FieldError(f"'{name[:80]}' is not a file of a reduced body, which ends in .npz or .SID")
        return value if scope is UNPARSED else scope.reduced_body(value)

    def write(self, value: Any, out: Any) -> Any:
        return out.attachment(value)

    def is_default(self, value: Any, default: Any) -> bool:
        return False


def require_inside(name: str) -> None:
    """Raise unless the name is a relative path that stays in its folder."""
    parts, windows = PurePosixPath(name), PureWindowsPath(name)
    if parts.is_absolute() or windows.drive or windows.root or "\\" in name or ".." in parts.parts or "\0" in name:
        raise FieldError(
            f"'{name[:80]}' must lie in the folder of the model file or below it; give its name relative"
            " to that folder, without '..', with '/' between folders"
        )


@dataclass(frozen=True, eq=False)
class ReducedBody(FlexibleDescription):
    """A body that was reduced from finite elements, by `structure.reduce(…)` or read from a file by
    `fb.read_reduced(…)`. In a model file it is the name of a file beside it: `{type: reduced, file: part.npz}`."""

    reduced: ReducedData = field(
        ReducedFile(),
        "file of the reduced body (.npz or .SID), in the folder of the model file or below it",
        key="file",
        idle=True,
        silent=True,
    )
    content: str = field(FieldKind(), "digest of its modal data", default="", derived=True)
    kind: ClassVar[str] = "reduced"

    def __repr__(self) -> str:
        return f"<reduced body: {self.reduced.data.n} modes, nodes {', '.join(self.node_names) or 'none'}>"

    def finalise(self, scope: Scope) -> Self:
        body = super().finalise(scope)
        return body if self.content == self.reduced.digest else with_fields(body, {"content": self.reduced.digest})

    @property
    def node_names(self) -> Sequence[str]:
        return list(self.reduced.data.nodes)

    @property
    def summary(self) -> str:
        """How the body was reduced, and the checks of the reduction, as text."""
        return summary(self.reduced)

    def plot(self, path: Any) -> Path:
        """Draw the frequency response of the whole structure and of the body, with the error, as a picture (.png, .svg
        or .pdf); ``reduce(…, check=…)`` computes it."""
        if self.reduced.response is None:
            raise ModelError(
                "there is no response to draw: reduce the structure with check=…, the highest frequency"
                " in rad/s up to which the response is compared"
            )
        figure = response_figure(self.reduced.response, self.reduced.record.source)
        target = files.target(path, "a picture", (".png", ".svg", ".pdf"))
        return files.write(target, lambda draft: figure.savefig(draft, format=target.suffix[1:], dpi=130))

    @property
    def modes(self) -> ModeTable:
        """All modes with the body's frame fixed."""
        data = self.modal_data()
        return ModeTable.of_body([f"m{k + 1}" for k in range(data.n)], data)

    def compute(self, modes: Modes, paper: bool) -> ModalData:
        data = replace(self.reduced.data, mesh=self.reduced.mesh)
        if isinstance(modes, Mapping):
            modes = _count(data, *only_limit(modes))
        if modes is not None and modes > data.n:
            raise ModelError(f"modes: there are {data.n} modes, not {modes}; ask for fewer, or reduce with more")
        return self.orthonormal(data, [mode.kind for mode in data.modes], modes)

    def save(self, path: "str | os.PathLike[str]") -> Path:
        """Write the body, with its damping and preload, as one file: .npz with all that is known of it, or .SID with
        its modal data as text."""
        from freebody.io.reduced_files import write_reduced

        body = self.normalised()
        if body.loads:
            raise ModelError(
                "constant loads are part of a model, not of the file of a body: leave 'loads' out here,"
                " and give them where the body is used"
            )
        data = body.reduced.data
        D = data.D + body.damping_law.matrix(np.sqrt(np.diag(data.K)))
        data = replace(data, D=D, preload=data.preload + body.modal_preload(data.n))
        data = replace(data, modes=body_modes(data, [mode.kind for mode in data.modes]))
        return write_reduced(replace(body.reduced, data=data), path)


def _count(data: ModalData, key: str, limit: float) -> int:
    """The number of modes that a limit of frequencies or effective masses chooses."""
    if key == "frequency":
        return int(np.sum(np.diag(data.K) <= limit**2))
    shares = np.cumsum(data.E**2, axis=1) / data.m
    enough = np.flatnonzero((shares >= limit).all(0))
    if not len(enough):
        largest = shares[:, -1].min() if data.n else 0.0
        raise ModelError(
            f"modes: all {data.n} modes together move {largest:.3g} of the mass along one axis, less than"
            f" {limit:g}; lower the effective mass, or reduce with more modes"
        )
    return int(enough[0]) + 1
