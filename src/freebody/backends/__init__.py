"""Targets a program can be compiled for. Each is loaded when it is first asked for."""

from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from typing import Any, Protocol, runtime_checkable

from freebody.backends.function import Bound, Engine, Function, require_callable
from freebody.errors import BackendError
from freebody.program.program import Program
from freebody.program.stage import Staged, stage

ENGINES = {"llvm": "llvm.engine:LLVM", "c": "c:C", "numpy": "numpy:NumPy"}
"""The compiled backends: where each engine lives."""


@runtime_checkable
class ObjectCache(Protocol):
    """Compiled objects by key."""

    def get(self, key: bytes) -> bytes | None: ...

    def put(self, key: bytes, body: bytes) -> None: ...


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


VALUES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "width": (lambda v: _count(v) and v in (2, 4, 8), "2, 4 or 8 lanes"),
    "level": (lambda v: isinstance(v, int) and not isinstance(v, bool) and 0 <= v <= 3, "0, 1, 2 or 3"),
    "chunk": (_count, "an integer from 1 on"),
    "states": (_count, "an integer from 1 on"),
    "cache": (lambda v: v is None or isinstance(v, ObjectCache), "a cache of objects, or None"),
    "native": (lambda v: isinstance(v, bool), "True or False"),
    "compiler": (lambda v: isinstance(v, str), "the command of a compiler as text"),
    "flags": (
        lambda v: isinstance(v, list | tuple) and all(isinstance(flag, str) and "\0" not in flag for flag in v),
        "a list of texts",
    ),
}
"""What the options of the engines may be; an option whose default is None may be None too."""

__all__ = ["ENGINES", "Bound", "Engine", "Function", "compile"]


def engine(backend: str, options: Mapping[str, Any]) -> Any:
    """The class of a backend's engine, which must know all options by name."""
    if not isinstance(backend, str) or backend not in ENGINES:
        raise BackendError(f"there is no backend {backend!r}; there are {', '.join(ENGINES)}")
    module, name = ENGINES[backend].split(":")
    found = vars(import_module(f"freebody.backends.{module}"))[name]
    if not options:
        return found
    known = [*signature(found).parameters][1:]
    unknown = [option for option in options if option not in known]
    if unknown:
        raise BackendError(f"backend '{backend}' has no option '{unknown[0]}'; there are {', '.join(known)}")
    for option, value in options.items():
        fits, meaning = VALUES[option]
        if not fits(value) and not (value is None and signature(found).parameters[option].default is None):
            raise BackendError(f"backend '{backend}': {option} must be {meaning}, not {value!r}")
    return found


def compile(program: Program, backend: str = "llvm", staged: bool = True, **options: Any) -> Function:
    """The program as a function: staged, so that what depends on parameters alone is computed once per binding. With
    ``staged=False`` it stays in one piece, which suits functions that are called once per set of parameters."""
    made = engine(backend, options)
    require_callable(program)
    parts = stage(program) if staged else Staged(None, program)
    setup = made(parts.setup, **options) if parts.setup is not None else None
    return Function(program, parts, setup, made(parts.main, **options))
