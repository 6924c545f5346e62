"""Shapes for display: kept with the body, never used in its equations."""

from dataclasses import dataclass
from typing import Any


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
