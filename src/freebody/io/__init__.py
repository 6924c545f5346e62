"""Model files: systems read from YAML and written to it, and robots read from URDF."""

from freebody.io.format import json_schema
from freebody.io.read import loads, read
from freebody.io.urdf import loads_urdf, read_urdf
from freebody.io.write import dumps, write

__all__ = ["dumps", "json_schema", "loads", "loads_urdf", "read", "read_urdf", "write"]
