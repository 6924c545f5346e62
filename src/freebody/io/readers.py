"""The table of readers: which files describe systems, by the ends of their names, and what reads them."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from freebody.errors import ModelError
from freebody.io.other_formats import check_format
from freebody.keywords import near_names
from freebody.model.builder import stop_or_watch

if TYPE_CHECKING:
    from freebody.io.urdf import Locked, Loops, Mimicry
    from freebody.io.urdf_motors import Hold


class UrdfOptions(TypedDict, total=False):
    """The options of ``fb.load`` for URDF files, explained by ``loads_urdf``."""

    floating: bool
    lock: "Locked"
    mimic: "Mimicry"
    dynamics: bool
    parameters: bool
    physical: bool
    snap: float
    close: "Loops | None"
    meshes: Sequence[Any]
    ignore: Sequence[str]
    motors: bool
    hold: "Hold"
    contacts: str | bool | Sequence[str] | None
    material: Any


class LoadOptions(UrdfOptions, total=False):
    """The options of ``fb.load``: those for URDF files, and those for all."""

    limits: Literal["watch", "stop"]


class Reader(NamedTuple):
    """A reader of files: ``what`` they are, the module of this package with ``read(path, make, **options)``, where
    ``make`` is the class of systems, and the names of its options."""

    what: str
    module: str
    options: tuple[str, ...] = ()

    def read(self, path: Path, make: Callable[[str], Any], options: Mapping[str, Any]) -> Any:
        """The system of a file."""
        unknown = next((option for option in options if option not in self.options), None)
        if unknown is not None and not self.options:
            owner = next((suffix for suffix, reader in READERS.items() if unknown in reader.options), None)
            of = f"is an option of {owner} files" if owner else "is not an option"
            raise ModelError(f"{path}: '{unknown}' {of}; {self.what} has no options")
        if unknown is not None:
            near = near_names(unknown, self.options)
            hint = f". Did you mean {' or '.join(near)}?" if near else ""
            raise ModelError(f"{path}: there is no option '{unknown}'; its options: {', '.join(self.options)}{hint}")
        return import_module(f"freebody.io.{self.module}").read(path, make, **options)


MODEL_FILE = Reader("a model file", "model_reader")
READERS: dict[str, Reader] = {
    ".yaml": MODEL_FILE,
    ".yml": MODEL_FILE,
    ".urdf": Reader("a URDF file", "urdf", tuple(UrdfOptions.__annotations__)),
}
"""Readers by suffix. A file with another suffix is read as a model file, unless it is recognised as that of another
program."""


def read_system(path: Path, make: Callable[[str], Any], options: Mapping[str, Any]) -> Any:
    """The system that a file describes, by the reader of its suffix; with ``limits="stop"`` with stops at the limits of
    its joints."""
    check_format(path)
    own = {key: value for key, value in options.items() if key != "limits"}
    stops = stop_or_watch(options.get("limits", "watch")) == "stop"
    system = READERS.get(path.suffix.lower(), MODEL_FILE).read(path, make, own)
    if stops:
        system.limits = "stop"
        system.stop_at_limits()
    return system
