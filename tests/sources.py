"""The sources of freebody as syntax trees, for tests of how they are written."""

import ast
import gc
from functools import cache
from pathlib import Path

import freebody

SOURCE = Path(freebody.__file__).parent


@cache
def nodes() -> dict[Path, list[ast.AST]]:
    """All nodes of each module; they are walked once. (The garbage collector would take two thirds of the time.)"""
    gc.disable()
    try:
        return {path: list(ast.walk(ast.parse(path.read_text()))) for path in sorted(SOURCE.rglob("*.py"))}
    finally:
        gc.enable()
