"""Model files: systems in YAML, robots in URDF, and structures and reduced bodies of finite elements.

Each function is imported when it is first used, so that reading one kind of file loads nothing of the others.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from freebody.io.format import json_schema
    from freebody.io.model_reader import loads, read
    from freebody.io.model_writer import dumps, write
    from freebody.io.urdf import loads_urdf, read_urdf

__all__ = ["dumps", "json_schema", "loads", "loads_urdf", "read", "read_urdf", "write"]

MODULES = {
    "dumps": "model_writer", "json_schema": "format", "loads": "model_reader", "loads_urdf": "urdf",
    "read": "model_reader", "read_urdf": "urdf", "write": "model_writer",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in MODULES:
        raise AttributeError(f"module 'freebody.io' has no attribute '{name}'")
    return getattr(import_module(f"freebody.io.{MODULES[name]}"), name)
