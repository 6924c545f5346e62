"""Plain facts about a system, kept with its results: the tree, the names, the units. Nothing here needs the model."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

import numpy as np

from freebody.errors import ArgumentError

GROUPS = {
    "q": "coordinates", "u": "speeds", "u_dot": "accelerations", "z": "states", "input": "inputs",
    "output": "outputs", "energy": "energies", "momentum": "momenta", "load": "loads", "pose": "poses",
    "power": "powers", "work": "works",
}  # fmt: skip
"""The kinds of what is recorded; a variable's name is its group, a dot, and the name the user knows."""


@dataclass(frozen=True)
class Variable:
    """Something recorded along a run: a number, or a few with names (``parts``), at each time."""

    group: str
    name: str
    unit: str = ""
    description: str = ""
    parts: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The full name, such as ``q.upper`` or ``energy.kinetic``."""
        return f"{self.group}.{self.name}"

    @property
    def columns(self) -> tuple[str, ...]:
        """A full name for each number."""
        return tuple(f"{self.key}.{p}" for p in self.parts) or (self.key,)


@dataclass(frozen=True)
class Element:
    """A body and the joint it hangs on; ``tied`` is what its coordinate is, where it follows another;
    ``stage`` the body whose joint it is a stage of, where it is no body of the user's."""

    name: str
    parent: str
    joint: str
    q: tuple[str, ...] = ()
    u: tuple[str, ...] = ()
    prescribed: tuple[str, ...] = ()
    mass: float = 0.0
    limits: tuple[float, float] | None = None
    shape: Mapping[str, Any] | None = None
    tied: str = ""
    stage: str = ""


@dataclass(frozen=True)
class About:
    """The system behind a run. ``state`` lists the keys of x = [q, u, z] in order, ``quaternions`` the places in x
    where a unit quaternion begins."""

    system: str
    digest: str
    elements: tuple[Element, ...]
    variables: tuple[Variable, ...]
    state: tuple[str, ...]
    quaternions: tuple[int, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)  # how each was driven, in words

    def to_plain(self) -> dict[str, Any]:
        """Dicts, lists, texts and numbers alone."""
        return {name: _plain(value) for name, value in asdict(self).items()}

    @classmethod
    def from_plain(cls, given: Mapping[str, Any]) -> "About":
        """What ``to_plain`` made, checked; sequences come back as tuples."""
        made = _read(cls, _ABOUT, given)
        outside = [k for k in made.quaternions if not 0 <= k <= len(made.state) - 4]
        if outside:
            raise ArgumentError(f"about a run: no quaternion begins at place {outside[0]} of {len(made.state)} states")
        return made


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


Reader = Callable[[Any], Any]
Made = TypeVar("Made")


def _read(cls: type[Made], readers: Mapping[str, Reader], given: Any) -> Made:
    """A value of a class from the fields a mapping has."""
    if not isinstance(given, Mapping):
        raise _wrong(f"a mapping with {', '.join(readers)}", given)
    found = {name: read(given[name]) for name, read in readers.items() if name in given}
    try:
        return cls(**found)
    except TypeError as error:
        raise ArgumentError(f"about a run: {error}") from None


def _wrong(wanted: str, given: Any) -> ArgumentError:
    return ArgumentError(f"about a run: {wanted} is needed, not {str(given)[:60]!r}")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _wrong("a text", value)
    return value


def _number(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _wrong("a number", value)
    return value


def _place(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong("a whole number", value)
    return value


def _several(read: Reader) -> Reader:
    def reader(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise _wrong("a list", value)
        return tuple(read(v) for v in value)

    return reader


def _named(read: Reader) -> Reader:
    def reader(value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise _wrong("a mapping", value)
        return {_text(k): read(v) for k, v in value.items()}

    return reader


def _limits(value: Any) -> tuple[float, float] | None:
    if value is None:
        return None
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise _wrong("a pair of limits", value)
    return _number(value[0]), _number(value[1])


def _tupled(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _tupled(v) for k, v in value.items()}
    return tuple(_tupled(v) for v in value) if isinstance(value, list | tuple) else value


def _shape(value: Any) -> Mapping[str, Any] | None:
    return None if value is None else _named(_tupled)(value)


_TEXTS = _several(_text)
_VARIABLE = {"group": _text, "name": _text, "unit": _text, "description": _text, "parts": _TEXTS}
_ELEMENT: dict[str, Reader] = {
    "name": _text, "parent": _text, "joint": _text, "q": _TEXTS, "u": _TEXTS, "prescribed": _TEXTS, "mass": _number,
    "limits": _limits, "shape": _shape, "tied": _text, "stage": _text,
}  # fmt: skip
_ABOUT: dict[str, Reader] = {
    "system": _text, "digest": _text, "elements": _several(lambda e: _read(Element, _ELEMENT, e)),
    "variables": _several(lambda v: _read(Variable, _VARIABLE, v)), "state": _TEXTS, "quaternions": _several(_place),
    "parameters": _named(_number), "inputs": _named(_text),
}  # fmt: skip
