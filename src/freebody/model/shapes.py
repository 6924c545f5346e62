"""Shapes for display: kept with the body, never used in its equations. A shape lies ``at`` a place in the body, turned
by ``rpy``: roll, pitch and yaw about the body's x, y and z (R = Rz Ry Rx)."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, get_origin


@dataclass(frozen=True)
class Box:
    x: Any
    y: Any
    z: Any
    at: tuple[Any, Any, Any] = (0, 0, 0)
    rpy: tuple[Any, Any, Any] = (0, 0, 0)


@dataclass(frozen=True)
class Cylinder:
    radius: Any
    length: Any
    axis: str = "z"
    at: tuple[Any, Any, Any] = (0, 0, 0)
    rpy: tuple[Any, Any, Any] = (0, 0, 0)


@dataclass(frozen=True)
class Sphere:
    radius: Any
    at: tuple[Any, Any, Any] = (0, 0, 0)
    rpy: tuple[Any, Any, Any] = (0, 0, 0)


@dataclass(frozen=True)
class Mesh:
    """A file, which is never opened here; ``scale`` is one number, or one for each axis."""

    file: str
    scale: Any = 1
    at: tuple[Any, Any, Any] = (0, 0, 0)
    rpy: tuple[Any, Any, Any] = (0, 0, 0)


SHAPES: dict[str, type] = {"box": Box, "cylinder": Cylinder, "sphere": Sphere, "mesh": Mesh}


def dressed(shape: Any, scalar: Callable[[Any], Any]) -> Any:
    """A shape (or several) whose sizes and places are numbers or expressions; a stranger's is left as it is."""
    if isinstance(shape, list | tuple):
        return tuple(dressed(part, scalar) for part in shape)
    if type(shape) not in SHAPES.values():
        return shape
    said = {f.name: getattr(shape, f.name) for f in fields(shape)}
    sizes = [f.name for f in fields(shape) if f.type is Any or get_origin(f.type) is tuple]
    return replace(shape, **{name: _dressed(said[name], scalar) for name in sizes})


def _dressed(size: Any, scalar: Callable[[Any], Any]) -> Any:
    """A size, or several."""
    return tuple(map(scalar, size)) if isinstance(size, list | tuple) else scalar(size)
