"""Compiled programs: one engine for each target, imported on first use."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from inspect import signature
from typing import Any, Protocol, TypedDict, Unpack, runtime_checkable

from freebody.backends.function import Bound, Engine, Function
from freebody.errors import BackendError
from freebody.keywords import near_names
from freebody.program.program import Program
from freebody.program.stage import Staged, stage

ENGINES = {"llvm": "llvm.engine:LLVM", "c": "c:C", "numpy": "numpy:NumPy"}
"""The class of each engine, by the name of its backend."""

POINTERS = 1000  # a compiled call takes two for each group and one for each output; ctypes stops at 1024


@runtime_checkable
class ObjectCache(Protocol):
    """Compiled objects by key."""

    def get(self, key: bytes) -> bytes | None: ...

    def put(self, key: bytes, body: bytes) -> None: ...


class EngineOptions(TypedDict, total=False):
    """Options of the engines: of ``llvm`` width, level, chunk and cache; of ``c`` compiler, flags and chunk; of
    ``numpy`` states, chunk and patience."""

    width: int | None
    level: int
    chunk: int
    cache: ObjectCache | None
    compiler: str | None
    flags: Sequence[str]
    states: int
    patience: int


def _whole(value: Any, low: int = 1, high: float = float("inf")) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


VALUES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "width": (lambda v: _whole(v) and v in (2, 4, 8), "2, 4 or 8 lanes"),
    "level": (lambda v: _whole(v, 0, 3), "0, 1, 2 or 3"),
    "chunk": (_whole, "an integer from 1 on"),
    "states": (_whole, "an integer from 1 on"),
    "patience": (lambda v: _whole(v, 0), "an integer from 0 on"),
    "cache": (lambda v: v is None or isinstance(v, ObjectCache), "a cache of objects, or None"),
    "compiler": (lambda v: isinstance(v, str), "the command of a compiler as text"),
    "flags": (
        lambda v: isinstance(v, list | tuple) and all(isinstance(flag, str) and "\0" not in flag for flag in v),
        "a list of texts",
    ),
}
"""The valid values of engines' options, and their description; an option whose default is None may be None too."""

__all__ = ["ENGINES", "Bound", "Engine", "EngineOptions", "Function", "compile"]


def engine(backend: str, options: Mapping[str, Any]) -> Any:
    """The class of a backend's engine; unknown options and values that are not valid are errors."""
    if not isinstance(backend, str) or backend not in ENGINES:
        raise BackendError(f"there is no backend {backend!r}; choose from {', '.join(ENGINES)}")
    module, name = ENGINES[backend].split(":")
    cls = vars(import_module(f"freebody.backends.{module}"))[name]
    if not options:
        return cls
    known = dict([*signature(cls).parameters.items()][1:])
    for option, value in options.items():
        if option not in known:
            near = near_names(option, [*known, "parameters"])
            hint = f". Did you mean {' or '.join(near)}?" if near else ""
            raise BackendError(f"backend '{backend}' has no option '{option}'; its options: {', '.join(known)}{hint}")
        fits, meaning = VALUES[option]
        if not fits(value) and not (value is None and known[option].default is None):
            raise BackendError(f"backend '{backend}': {option} must be {meaning}, not {value!r}")
    return cls


def compile(program: Program, backend: str = "llvm", staged: bool = True, **options: Unpack[EngineOptions]) -> Function:
    """The program as a function: staged, so that what depends on parameters alone is computed once per binding. With
    ``staged=False`` it stays in one piece, which suits functions that are called once per set of parameters."""
    cls, groups, outputs = engine(backend, options), [g.name for g in program.groups], program.outputs
    for option in ("out", "threads"):
        if option in groups:
            reason = "for it is an option of the call: rename it"
            raise BackendError(f"{program.name}: '{option}' cannot name an input group, {reason}")
    if 2 * len(groups) + len(outputs) > POINTERS:
        raise BackendError(
            f"{program.name} has {len(groups)} input groups and {len(outputs)} outputs, more than a compiled call can"
            " take: gather the outputs into arrays"
        )
    parts = stage(program) if staged else Staged(None, program)
    setup = cls(parts.setup, **options) if parts.setup is not None else None
    return Function(program, parts, setup, cls(parts.main, **options))
