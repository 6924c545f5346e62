"""Wings: packages of freebody that the rest never imports, such as `papers`. They list what they bring in tables, and
the tables of the rest look there for names that they lack.

A wing has ``TABLES``: for each kind of thing ("formulation", "solver", …) its names, each with the place where it is,
"module:attribute", and a few words about it. Nothing is registered by importing a module, so that no order of imports
matters. A wing may be absent; then errors for names that are not found say so.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Generic, NamedTuple, TypeVar, cast

from freebody.errors import MissingPackageError, ModelError

WINGS = ("freebody.papers",)
"""The packages; each may be absent."""

Thing = TypeVar("Thing")


class Place(NamedTuple):
    """Where a thing is, as "module:attribute", and a few words about it."""

    where: str
    about: str = ""

    def load(self) -> Any:
        """The thing; its module is imported."""
        module, attribute = self.where.split(":")
        return getattr(import_module(module), attribute)


@cache
def absent() -> tuple[str, ...]:
    """The wings that are not installed."""
    return tuple(wing for wing in WINGS if find_spec(wing) is None)


@cache
def places(kind: str) -> dict[str, Place]:
    """What the wings bring of a kind, by name."""
    result = dict[str, Place]()
    for wing in WINGS:
        if wing not in absent():
            result |= import_module(wing).TABLES.get(kind, {})
    return result


def note() -> str:
    """A sentence for errors about names that were not found; empty if all wings are installed."""
    return "" if not absent() else f"More are in {' and '.join(absent())}, which this installation lacks."


def load(kind: str, name: str, call: str) -> Any:
    """What a wing brings under a name that the rest offers as ``call``, such as "eq.operators"."""
    if name not in places(kind):
        raise MissingPackageError(
            f"{call} is in {' and '.join(absent())}, which this installation lacks: install all of freebody"
        )
    return places(kind)[name].load()


class PlaceTable(Mapping[str, Thing], Generic[Thing]):
    """The things of a kind by name, those of the wings last. Each is imported when it is looked up."""

    def __init__(self, kind: str, core: Mapping[str, Place]) -> None:
        self.kind, self.core = kind, core

    @property
    def _places(self) -> Mapping[str, Place]:
        return {**self.core, **places(self.kind)}

    def about(self, name: str) -> str:
        """A few words about one of the things, which is not imported."""
        return self._places[name].about

    def find(self, name: object) -> Thing:
        """The thing of this name; the error for another name lists all of them."""
        if not isinstance(name, str) or name not in self:
            raise self.unknown(name, list(self))
        return self[name]

    def unknown(self, name: object, known: Sequence[str]) -> ModelError:
        """The error for a name that is not among those that are known."""
        text = f"there is no {self.kind} {name!r}; choose from {', '.join(known)}"
        return ModelError(f"{text}. {note()}" if note() else text)

    def __getitem__(self, name: str) -> Thing:
        return cast(Thing, self._places[name].load())

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
