"""Flexible bodies that were reduced from finite elements"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, ClassVar, Self

import numpy as np

from freebody import files
from freebody.errors import FieldError, FileError, ModelError
from freebody.files import path_of
from freebody.keywords import keyword_hints
from freebody.model.element import field, with_fields
from freebody.model.flexible.base import FlexibleDescription, Modes, only_limit
from freebody.model.flexible.modal_data import ModalData
from freebody.model.flexible.mode_table import ModeTable
from freebody.model.flexible.orthonormal import body_modes
from freebody.model.kinds import UNPARSED, FieldKind, Schema, Scope, Text, describe
from freebody.model.structures.reduced_data import ReducedData

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
        _check_name(Text().read(value, scope))
        return value if scope is UNPARSED else _read_beside(value, scope.folder)

    def write(self, value: Any, out: Any) -> Any:
        return out.attachment(value)

    def is_default(self, value: Any, default: Any) -> bool:
        return False


def _check_name(name: str) -> None:
    """Raise unless the name is a relative path that stays in its folder."""
    parts, windows = PurePosixPath(name), PureWindowsPath(name)
    if parts.is_absolute() or windows.drive or windows.root or "\\" in name or ".." in parts.parts or "\0" in name:
        raise FieldError(
            f"'{name[:80]}' must lie in the folder of the model file or below it; give its name relative"
            " to that folder, without '..', with '/' between folders"
        )
    if parts.suffix.lower() not in SUFFIXES:
        raise FieldError(f"'{name[:80]}' is not a file of a reduced body, which ends in .npz or .SID")


def _read_beside(name: str, folder: Path | None) -> ReducedData:
    if folder is None:
        raise FieldError(
            f"a model that is read from text has no folder in which '{name}' could lie; save the text as a"
            " file beside it and use fb.load('model.yaml'), or in Python fb.read_reduced(…)"
        )
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise FieldError(f"'{name}' is a link to a file outside the folder of the model file; copy the file there")
    try:
        return replace(_read(path), file=name)
    except FileError as error:
        raise FieldError(str(error)) from None


def _read(path: "str | os.PathLike[str]") -> ReducedData:
    """The reduced body of a file, NPZ or SID."""
    suffix = path_of(path).suffix.lower()
    if suffix == ".npz":
        from freebody.model.structures.reduced_file import read_reduced_npz

        return read_reduced_npz(path)
    if suffix in SUFFIXES:
        from freebody.model.structures.sid_file import read_sid

        return read_sid(path)
    from freebody.model.structures.refused_files import refuse

    raise refuse(path, "a reduced body is read from .npz (as body.save writes it) or from .SID (text)")


@keyword_hints
def read_reduced(path: "str | os.PathLike[str]") -> "ReducedBody":
    """The reduced body in a file: .npz as ``body.save`` writes it, or .SID, the text format of Wallrapp (1994)."""
    return ReducedBody(_read(path))


def holds(path: Path, body: ReducedData) -> bool:
    """Whether a file has the modal data of a body."""
    try:
        return path.is_file() and _read(path).digest == body.digest
    except FileError:
        return False


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
        from freebody.model.structures.reduction_report import summary

        return summary(self.reduced)

    def plot(self, path: Any) -> Path:
        """Draw the frequency response of the whole structure and of the body, with the error, as a picture (.png, .svg
        or .pdf); ``reduce(…, check=…)`` computes it."""
        from freebody.model.structures.reduction_report import response_figure

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

    def compute(self, modes: Modes) -> ModalData:
        data = replace(self.reduced.data, mesh=self.reduced.mesh)
        if isinstance(modes, Mapping):
            modes = _count(data, *only_limit(modes))
        if modes is not None and modes > data.n:
            raise ModelError(f"modes: there are {data.n} modes, not {modes}; ask for fewer, or reduce with more")
        return self.orthonormal(data, [mode.kind for mode in data.modes], modes)

    def save(self, path: "str | os.PathLike[str]") -> Path:
        """Write the body, with its damping and preload, as one file: .npz with all that is known of it, or .SID with
        its modal data as text."""
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
        reduced = replace(body.reduced, data=data)
        if path_of(path).suffix.lower() in SUFFIXES[1:]:
            from freebody.model.structures.sid_file import write_sid

            return write_sid(reduced, path)
        from freebody.model.structures.reduced_file import write_reduced

        return write_reduced(reduced, path)


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
