"""Loads the system of a MODEL argument: a model file, a URDF file, or a Python file."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import Parameter, isfunction, signature
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING, Any

from freebody.api import System
from freebody.api import load as loaded
from freebody.cli.output import FILE, MODEL, Failure, usage, verdict, with_options
from freebody.errors import FileError, FreebodyError
from freebody.io.limits import raw
from freebody.io.other_formats import check_format
from freebody.io.readers import READERS

if TYPE_CHECKING:
    from freebody.io.readers import UrdfOptions
    from freebody.io.urdf_motors import Hold

NAMED = re.compile(r"(?P<path>.+\.(py|urdf)):(?P<name>[^/\\:]*)", re.DOTALL)
FLOATING = "floating"
"""The name behind the colon of a URDF file that lets its root move freely."""
MODULE = "freebody_model"
"""``__name__`` of a Python model: it is not run as a script."""


def load(model: str, physical: bool = True, motors: bool = False, hold: "Hold" = False, stops: bool = False) -> System:
    """The system of a MODEL: ``a.yaml``, ``a.urdf``, ``a.urdf:floating``, ``a.py`` or ``a.py:name``. Without
    ``physical``, a URDF file may have inertias that no body can have. ``motors`` and ``hold`` are for URDF files. With
    ``stops``, joints have stops at their limits."""
    system = _load(model, physical, motors, hold)
    if stops:
        system.stop_at_limits()
    return system


def _load(model: str, physical: bool, motors: bool, hold: "Hold") -> System:
    path, name = split(model)
    robot: UrdfOptions = {}
    if path.suffix == ".urdf":
        robot = {"floating": bool(name), "physical": physical, "motors": motors or hold is not False, "hold": hold}
    elif motors or hold is not False:
        raise usage(f"{model}: --motors and --hold are for .urdf files; add motors to the model itself")
    if not robot and not physical:
        raise usage(f"{model}: --no-physical is for inertias in .urdf files; leave it out")
    if path.suffix in READERS:
        _text(path)
        try:
            return loaded(path, **robot)
        except FreebodyError as error:
            raise Failure(MODEL, with_options(str(error)) if robot else str(error)) from error
    return _python(path, name)


def split(model: str) -> tuple[Path, str]:
    """The file, and the name behind a colon."""
    found = NAMED.fullmatch(model)
    path, name = (Path(found["path"]), found["name"]) if found else (Path(model), "")
    if model == "-":
        raise usage("a model is read from a file, not from standard input; name a .yaml, a .urdf or a .py file")
    if path.is_dir():
        raise Failure(FILE, f"{path}: it is a folder; name the model file in it")
    if path.suffix not in (*READERS, ".py"):
        check_format(path)
        raise usage(
            f"{model}: a model is a {', a '.join(READERS)} or a .py file (a.py:name picks one system of several)"
        )
    robot = path.suffix == ".urdf"
    if found and not name:
        raise usage(f"{path}: there is no name behind the colon; write {path}:{FLOATING if robot else 'name'}")
    if robot and name not in ("", FLOATING):
        raise usage(f"{model}: only :{FLOATING} may follow the name of a URDF file")
    return path, name


def _text(path: Path) -> bytes:
    """The content of a file that should hold text."""
    try:
        found = raw(path)
    except FileError as error:
        raise Failure(FILE, str(error)) from None
    if b"\0" in found:
        raise Failure(FILE, f"{path}: it is not a text file")
    return found


# Python files


def _python(path: Path, name: str) -> System:
    """The system that a variable or function of a Python file holds or returns."""
    source = _text(path)
    with _located(path):
        module = _run(path, source)
        item: Any = vars(module).get(name) if name else _only_system(path, module)
        result = item() if _callable_without_arguments(item) else item
    if isinstance(result, System):
        return result
    public = {n: v for n, v in vars(module).items() if not n.startswith("_")}
    systems = [n for n, v in public.items() if isinstance(v, System)]
    functions = [f"{n}()" for n, v in public.items() if isfunction(v) and v.__module__ == MODULE]
    parts = [f"{what} {', '.join(names)}" for what, names in (("systems", systems), ("functions", functions)) if names]
    contents = f"there are the {' and the '.join(parts)}" if parts else "it defines no systems and no functions"
    context = name or "system"
    if item is None:
        missing = f"it has no '{name}'" if name else "it holds no system: neither a variable nor a function system()"
        choice = next((n for n, v in public.items() if isfunction(v) and _returns_system(v)), "")
        next_step = f". Name the one to use: {path}:{choice}" if choice else ""
        why = f"{missing}; {contents}{next_step}"
    elif callable(item) and result is item:
        why = f"{context} cannot be called without arguments; give them defaults, or name another. Here {contents}"
    else:
        what = f"what {context}() returns is" if result is not item else f"{context} is"
        why = f"{what} of type {type(result).__name__}, not a freebody.System; {contents}"
    raise Failure(MODEL, f"{path}: {why}")


def _run(path: Path, source: bytes) -> ModuleType:
    """The module of a Python file; it imports from its own folder, as a script does."""
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    module = ModuleType(MODULE)
    module.__file__ = str(path)
    sys.modules[MODULE] = module
    exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
    return module


@contextmanager
def _located(path: Path) -> Iterator[None]:
    """Errors of a user's Python become failures with the line of the file that they come from."""
    try:
        yield
    except SyntaxError as error:
        raise Failure(MODEL, f"{error.filename}:{error.lineno}: {error.msg}") from error
    except SystemExit as error:
        raise Failure(MODEL, f"{path}: it ends Python itself; put that under if __name__ == '__main__'") from error
    except (Failure, MemoryError):
        raise
    except Exception as error:
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(path)]
        where = f"{path}:{lines[-1]}" if lines else str(path)
        code, what = MODEL, f"{type(error).__name__}: {error}"
        if isinstance(error, FreebodyError | OSError):
            code, what = verdict(error)
        raise Failure(code, f"{where}: {what}") from error


def _only_system(path: Path, module: ModuleType) -> Any:
    """The one system of a module, or its function ``system``."""
    systems = {n: v for n, v in vars(module).items() if isinstance(v, System)}
    distinct = {id(v): n for n, v in reversed(systems.items())}
    if len(distinct) > 1:
        names = [n for n in systems if n in distinct.values()]
        raise Failure(MODEL, f"{path}: it holds several systems, {', '.join(names)}; name one: {path}:{names[0]}")
    return next(iter(systems.values())) if systems else vars(module).get("system")


def _returns_system(function: Any) -> bool:
    """Whether a function that can be called without arguments is annotated as returning a system."""
    result = function.__annotations__.get("return")
    named = str(result).rpartition(".")[2] == System.__name__ if isinstance(result, str) else result is System
    return named and _callable_without_arguments(function)


def _callable_without_arguments(item: Any) -> bool:
    if not callable(item):
        return False
    try:
        parameters = signature(item).parameters.values()
    except (TypeError, ValueError):
        return False
    several = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return all(p.default is not p.empty or p.kind in several for p in parameters)
