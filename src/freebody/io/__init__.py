"""Model files: systems read from YAML and written to it."""

from freebody.io.read import loads, read
from freebody.io.schema import json_schema
from freebody.io.write import dumps, write

__all__ = ["dumps", "json_schema", "loads", "read", "write"]
