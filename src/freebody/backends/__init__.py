"""Targets a program can be compiled for. Each is loaded when it is first asked for."""

from importlib import import_module
from typing import Any

from freebody.backends.function import Bound, Engine, Function, require_callable
from freebody.errors import BackendError
from freebody.scalar.program import Program
from freebody.scalar.stage import stage

ENGINES = {"llvm": "llvm.engine:LLVM", "c": "c:C", "numpy": "numpy:NumPy"}
"""The compiled backends: where each engine lives."""

__all__ = ["ENGINES", "Bound", "Engine", "Function", "compile"]


def compile(program: Program, backend: str = "llvm", **options: Any) -> Function:
    """The program as a function: staged, so that what depends on parameters alone is computed once per binding."""
    if backend not in ENGINES:
        raise BackendError(f"there is no backend '{backend}'; there are {', '.join(ENGINES)}")
    require_callable(program)
    module, name = ENGINES[backend].split(":")
    engine = getattr(import_module(f"freebody.backends.{module}"), name)
    staged = stage(program)
    setup = engine(staged.setup, **options) if staged.setup is not None else None
    return Function(program, staged, setup, engine(staged.main, **options))
