"""Shapes for display: kept with the body, never used in its equations."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, get_origin


@dataclass(frozen=True)
class Box:
    x: Any
    y: Any
    z: Any
    at: tuple[Any, Any, Any] = (0, 0, 0)


@dataclass(frozen=True)
class Cylinder:
    radius: Any
    length: Any
    axis: str = "z"
    at: tuple[Any, Any, Any] = (0, 0, 0)


@dataclass(frozen=True)
class Sphere:
    radius: Any
    at: tuple[Any, Any, Any] = (0, 0, 0)


@dataclass(frozen=True)
class Mesh:
    file: str
    scale: float = 1.0
    at: tuple[Any, Any, Any] = (0, 0, 0)


SHAPES: dict[str, type] = {"box": Box, "cylinder": Cylinder, "sphere": Sphere, "mesh": Mesh}


def dressed(shape: Any, scalar: Callable[[Any], Any]) -> Any:
    """A shape (or several) whose sizes and places are numbers or expressions; a stranger's is left as it is."""
    if isinstance(shape, list | tuple):
        return tuple(dressed(part, scalar) for part in shape)
    if type(shape) not in SHAPES.values():
        return shape
    said = {f.name: getattr(shape, f.name) for f in fields(shape)}
    made = {f.name: scalar(said[f.name]) for f in fields(shape) if f.type is Any}
    made |= {f.name: tuple(map(scalar, said[f.name])) for f in fields(shape) if get_origin(f.type) is tuple}
    return replace(shape, **made)
