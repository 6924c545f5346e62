"""Where a system comes from: a model file, a robot's description, or a Python file that holds one."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import Parameter, isfunction, signature
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

from freebody.api import System
from freebody.api import load as loaded
from freebody.cli.failure import FILE, MODEL, Failure, usage, verdict
from freebody.errors import FileError, FreebodyError
from freebody.io.limits import raw

DATA = (".yaml", ".yml", ".urdf")
NAMED = re.compile(r"(?P<path>.+\.(py|urdf)):(?P<name>[^/\\:]*)", re.DOTALL)
FLOATING = "floating"
"""What behind a robot's description and a colon lets its root move freely."""
MODULE = "freebody_model"
"""What a Python model finds in ``__name__``: it is not run as a script."""


def load(given: str) -> System:
    """The system of a MODEL: ``a.yaml``, ``a.urdf``, ``a.urdf:floating``, ``a.py`` or ``a.py:name``."""
    path, name = split(given)
    if path.suffix in DATA:
        _text(path)
        return loaded(path, floating=True) if name else loaded(path)
    return _python(path, name)


def split(given: str) -> tuple[Path, str]:
    """The file, and the name behind a colon."""
    found = NAMED.fullmatch(given)
    path, name = (Path(found["path"]), found["name"]) if found else (Path(given), "")
    if given == "-":
        raise usage("a model is read from a file, not from standard input; name a .yaml, a .urdf or a .py file")
    if path.is_dir():
        raise Failure(FILE, f"{path}: it is a folder; name the model file in it")
    if path.suffix not in (*DATA, ".py"):
        raise usage(f"{given}: a model is a {', a '.join(DATA)} or a .py file (a.py:name picks one system of several)")
    robot = path.suffix == ".urdf"
    if found and not name:
        raise usage(f"{path}: there is no name behind the colon; write {path}:{FLOATING if robot else 'name'}")
    if robot and name not in ("", FLOATING):
        raise usage(f"{given}: behind a robot's description stands :{FLOATING} or nothing")
    return path, name


def _text(path: Path) -> bytes:
    """What is in a file that should hold text."""
    try:
        found = raw(path)
    except FileError as error:
        raise Failure(FILE, str(error)) from None
    if b"\0" in found:
        raise Failure(FILE, f"{path}: it is not a text file")
    return found


# Python files


def _python(path: Path, name: str) -> System:
    source = _text(path)
    with _blamed(path):
        module = _run(path, source)
        chosen = vars(module).get(name) if name else _only(path, module)
        made = chosen() if callable(chosen) and _free(chosen) else chosen
    if not isinstance(made, System):
        raise Failure(MODEL, f"{path}: {_wrong(module, name, chosen, made)}")
    return made


def _run(path: Path, source: bytes) -> ModuleType:
    """The module of a Python file; its folder is where it imports from, as if it were a script."""
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    module = ModuleType(MODULE)
    module.__file__ = str(path)
    sys.modules[MODULE] = module
    exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
    return module


@contextmanager
def _blamed(path: Path) -> Iterator[None]:
    """Errors of a user's Python, with the line of the file where they come from."""
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
        place = f"{path}:{lines[-1]}" if lines else str(path)
        code, what = (verdict if isinstance(error, FreebodyError | OSError) else _strange)(error)
        raise Failure(code, f"{place}: {what}") from error


def _strange(error: BaseException) -> tuple[int, str]:
    return MODEL, f"{type(error).__name__}: {error}"


def _only(path: Path, module: ModuleType) -> Any:
    """The one system of a module, or its function ``system``."""
    systems = {n: v for n, v in vars(module).items() if isinstance(v, System)}
    distinct = {id(v): n for n, v in reversed(systems.items())}
    if len(distinct) > 1:
        names = [n for n in systems if n in distinct.values()]
        raise Failure(MODEL, f"{path}: it holds several systems, {', '.join(names)}; name one: {path}:{names[0]}")
    return next(iter(systems.values())) if systems else vars(module).get("system")


def _free(function: Any) -> bool:
    """Whether something can be called without arguments."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    several = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return all(p.default is not p.empty or p.kind in several for p in parameters)


def _wrong(module: ModuleType, name: str, chosen: Any, made: Any) -> str:
    """Why no system came of it, and what there is."""
    who = name or "system"
    if chosen is None and name:
        return f"it has no '{name}'; {_holds(module)}"
    if chosen is None:
        return f"it holds no system: neither a variable with one nor a function system(); {_holds(module)}"
    if callable(chosen) and made is chosen:
        return f"{who} cannot be called without arguments; give them defaults, or name another. Here {_holds(module)}"
    what = f"what {who}() returns is" if made is not chosen else f"{who} is"
    return f"{what} of type {type(made).__name__}, not a freebody.System; {_holds(module)}"


def _holds(module: ModuleType) -> str:
    """The systems and functions of a module."""
    own = {n: v for n, v in vars(module).items() if not n.startswith("_")}
    systems = [n for n, v in own.items() if isinstance(v, System)]
    functions = [f"{n}()" for n, v in own.items() if isfunction(v) and v.__module__ == MODULE]
    parts = [f"{what} {', '.join(found)}" for what, found in (("systems", systems), ("functions", functions)) if found]
    return f"there are the {' and the '.join(parts)}" if parts else "there are no systems and no functions of its own"
