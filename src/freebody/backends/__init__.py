"""Targets a program can be compiled for. Each is loaded when it is first asked for."""

from collections.abc import Mapping
from importlib import import_module
from inspect import signature
from typing import Any

from freebody.backends.function import Bound, Engine, Function, require_callable
from freebody.errors import BackendError
from freebody.scalar.program import Program
from freebody.scalar.stage import stage

ENGINES = {"llvm": "llvm.engine:LLVM", "c": "c:C", "numpy": "numpy:NumPy"}
"""The compiled backends: where each engine lives."""

__all__ = ["ENGINES", "Bound", "Engine", "Function", "compile"]


def engine(backend: str, options: Mapping[str, Any]) -> Any:
    """The class of a backend's engine, which must know all options by name."""
    if not isinstance(backend, str) or backend not in ENGINES:
        raise BackendError(f"there is no backend {backend!r}; there are {', '.join(ENGINES)}")
    module, name = ENGINES[backend].split(":")
    found = vars(import_module(f"freebody.backends.{module}"))[name]
    known = [*signature(found).parameters][1:]
    unknown = [option for option in options if option not in known]
    if unknown:
        raise BackendError(f"backend '{backend}' has no option '{unknown[0]}'; there are {', '.join(known)}")
    return found


def compile(program: Program, backend: str = "llvm", **options: Any) -> Function:
    """The program as a function: staged, so that what depends on parameters alone is computed once per binding."""
    made = engine(backend, options)
    require_callable(program)
    staged = stage(program)
    setup = made(staged.setup, **options) if staged.setup is not None else None
    return Function(program, staged, setup, made(staged.main, **options))
