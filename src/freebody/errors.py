"""The exception types; each error has the path of the element that it is about."""

import sys
import warnings
from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from types import MappingProxyType, TracebackType
from typing import Any

Path = tuple[str | int, ...]
NOTHING: Mapping[str, str] = MappingProxyType({})
LEVELS = 10  # keys of a path that are shown


class FreebodyError(Exception):
    """Any error that freebody raises on purpose. ``path`` leads to the part of a model that it is about, such as
    ("bodies", "arm", "joint", "axis"); it is empty where an error is about no part of a model. ``others`` are further
    errors of the same model file."""

    path: Path = ()
    others: "Sequence[FreebodyError]" = ()


def spelled(path: Path) -> str:
    """A path as people write it: bodies.upper.at[2], with quotes where a name needs them."""
    made = ""
    for part in path[:LEVELS]:
        if isinstance(part, int):
            made += f"[{part}]"
        else:
            shown = part if part.replace("_", "a").replace("-", "a").isalnum() else repr(part)
            made += f".{shown}" if made else shown
    return made if len(path) <= LEVELS else f"{made}…"


class within:
    """``with within("bodies", name): …`` puts these keys in front of the path of an error that is raised inside.

    Each level that reads a part of a model adds the key of that part, so no function takes a path, and a model without
    errors pays nothing for them.
    """

    __slots__ = ("parts",)

    def __init__(self, *parts: str | int) -> None:
        self.parts = parts

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, OverflowError):
            raise located(error, *self.parts) from None
        if isinstance(error, FreebodyError):
            located(error, *self.parts)


def located(error: "FreebodyError | OverflowError", *parts: str | int) -> "FreebodyError":
    """The error with these keys in front of its path and of those of its others; what ``within`` does, for loops:
    ``except LOCATED as error: raise located(error, key) from None``."""
    if isinstance(error, OverflowError):
        return FieldError("the numbers here are too large to be computed with", *parts)
    for one in (error, *error.others):
        one.path = parts + one.path
    return error


def together(errors: "Sequence[FreebodyError]") -> "FreebodyError":
    """Several errors as one: the first, with the others beside it."""
    flat = [one for error in errors for one in (error, *error.others)]
    for one in flat:
        one.others = ()
    flat[0].others = flat[1:]
    return flat[0]


class ExpressionError(FreebodyError, ValueError):
    """An expression that cannot be built."""


class ParseError(ExpressionError):
    """A text that is not an expression; `column` (from 0) is where reading stopped, `who` whose text it is."""

    def __init__(self, message: str, text: str, column: int, context: str = "") -> None:
        super().__init__(message, text, column, context)
        self.message = message
        self.context = context
        self.text = text
        self.column = column

    def __str__(self) -> str:
        owner = self.context or spelled(self.path)
        return f"{owner}: {self.pointed}" if owner else self.pointed

    @property
    def pointed(self) -> str:
        """What is wrong, and the text with a mark where."""
        return f"{self.message}\n{_point(self.text, self.column)}"


class GraphError(FreebodyError, TypeError):
    """Expressions of different graphs in one operation."""


class FrameError(FreebodyError, ValueError):
    """Quantities resolved in different frames in one operation."""


class ProgramError(FreebodyError, ValueError):
    """An illegal program."""


class ArgumentError(FreebodyError, ValueError):
    """Arrays that a compiled function cannot take."""


class NoEquilibriumError(ArgumentError):
    """A search from a guess found no equilibrium."""


class FunctionError(ArgumentError):
    """A Python function of the user that raises, or that returns no number. What it raised is the cause; ``timed``: the
    text has the time."""

    timed = False

    @classmethod
    def of(cls, context: str, where: str, error: Exception) -> "FunctionError":
        """The error of a function, by its purpose and the arguments of the call."""
        text = " ".join(str(error).split())[:300]
        return cls(f"{context}: its function raises {type(error).__name__} {where}" + (f": {text}" if text else ""))

    def during(self, when: str) -> "FunctionError":
        """The same error with the time of the run."""
        if self.timed:
            return self
        new = type(self)(f"{self} ({when})")
        new.timed, new.__cause__ = True, self.__cause__
        return new


class SampleError(FunctionError):
    """A Python controller whose function raises, or returns something else than its values. ``run`` is the motion
    until then, where a run was simulated."""

    timed = True
    run: Any = None

    def during(self, when: str) -> "FunctionError":
        return self


class SimulationError(FreebodyError, RuntimeError):
    """A simulator whose motion cannot go on."""


class BackendError(FreebodyError, RuntimeError):
    """A target that cannot do what is asked, or whose compiler is missing."""


class MissingPackageError(FreebodyError, RuntimeError):
    """A call of something in a package of freebody that this installation lacks."""


class ModelError(FreebodyError, ValueError):
    """An invalid model."""


class FieldError(ModelError):
    """A value that a field of a model's element cannot hold. Its text names the field by its path; ``of_key``: it is
    about the last key of the path itself, not about the value there."""

    def __init__(self, message: str, *path: str | int, of_key: bool = False) -> None:
        super().__init__(message)
        self.message, self.path, self.of_key = message, path, of_key

    def __str__(self) -> str:
        return f"{spelled(self.path)}: {self.message}" if self.path else self.message


class FileError(FreebodyError, ValueError):
    """A model file that cannot be read, or a system that cannot be written to one.

    ``file`` is its name, ``line`` and ``column`` (from 1; 0 where there is none) the place, ``key`` the path of keys
    that leads there ("bodies.upper.mass").
    """

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0, key: str = "") -> None:
        super().__init__(message, file, line, column, key)
        self.message, self.file, self.line, self.column, self.key = message, file, line, column, key

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return ": ".join(part for part in (place, self.key, self.message) if part)


class SlowWarning(UserWarning):
    """Work that will take long, announced before it begins."""


class FileWarning(UserWarning):
    """A file with contradictions, or with data that is not read."""


class SimulationWarning(UserWarning):
    """A result that is not what it seems: a run that ended early, a coordinate that left its limits, a flexible body
    that bends more than its modes describe."""


class AnalysisWarning(UserWarning):
    """A result that rests on an assumption that does not hold, such as a linearisation about a point that is not an
    equilibrium."""


class UnitsWarning(UserWarning):
    """A number that looks as if it had another unit than that of SI, such as an angle in degrees."""


INSIDE = (__name__.partition(".")[0], "functools", "contextlib")
"""The packages whose lines no warning names."""


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Emit a warning at the line of the caller outside of freebody."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in INSIDE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, level)


LOCATED = (FreebodyError, OverflowError)
"""What gains a path on its way up."""


FILE_WORDS = {
    "effort": ("joint_force", "drive_force"), "line": ("force_between",), "tie": ("couple",),
    "length": ("free_length",), "minimum": ("min",), "maximum": ("max",),
}  # fmt: skip
"""Words of model files of format 1, with those that stand for them now: `effort` was a load and a reaction."""

RENAMED = {
    **FILE_WORDS, "explicit": ("matrices",), "closed": ("closed_form",), "Explicit": ("MatrixEquations",),
    "extend": ("extrapolate",), "Frame": ("SpaceFrame",),
}  # fmt: skip
"""The same for all names of earlier releases."""


def renamed(name: str, known: Container[str]) -> str:
    """A sentence with the present form of a name that has been renamed, or nothing. ``known`` are the names that may be
    used where this one was found."""
    parts = name.split(".")
    for k, part in enumerate(parts):
        for word in RENAMED.get(part, ()):
            new = ".".join([*parts[:k], word, *parts[k + 1 :]])
            if new in known:
                return f"'{name}' is now '{new}'."
    return ""


def no_attribute(owner: object, name: str, usual: Mapping[str, str] = NOTHING) -> AttributeError:
    """The error for an attribute that does not exist; it shows the present name of one that has been renamed, what to
    write in place of one that is ``usual`` in other programs, or names that are alike. If it does exist, it is a
    property that failed, and its own error is raised."""
    known = dir(type(owner))
    if name in known:
        object.__getattribute__(owner, name)
    hint = "" if name.startswith("_") else renamed(name, known)
    if not hint and name in usual:
        hint = f"Write {usual[name]}"
    elif not hint and not name.startswith("_"):
        close = nearest(name, [one for one in known if not one.startswith("_")])
        hint = f"Did you mean {' or '.join(close)}?" if close else ""
    text = f"'{type(owner).__name__}' object has no attribute '{name}'" + (f". {hint}" if hint else "")
    return AttributeError(text, name=name, obj=owner)


def nearest(name: str, known: Iterable[str], n: int = 3) -> list[str]:
    """Known names that are spelled like this one, the most alike first, each once."""
    from difflib import get_close_matches  # only here, where something went wrong already

    return get_close_matches(name, list(islice(dict.fromkeys(known), 1000)), n, 0.65)


def describe(value: Any) -> str:
    """A value in an error text."""
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    names: dict[type, str] = {dict: "keys with values", list: "a list", str: "the text"}
    if type(value) not in names and not isinstance(value, int | float | Fraction):
        return repr(value)[:60]
    shown = f" {value!r}"[:60] if isinstance(value, str | int | float) else ""
    return names.get(type(value), "the number") + shown


def join_or(options: Sequence[str]) -> str:
    """a, b or c."""
    return " or ".join([", ".join(options[:-1]), options[-1]]) if len(options) > 1 else options[0]


def choices(known: Sequence[str]) -> str:
    """A clause with the names that are possible; there may be none."""
    return f"choose from {', '.join(known)}" if known else "there are none"


def suggest(name: str, known: Sequence[str]) -> str:
    """A sentence with the new name, similar names, or the known names."""
    if now := renamed(name, known):
        return now
    close = nearest(name, known)
    shown = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
    return f"Did you mean {' or '.join(close)}?" if close else f"Choose from {shown}."


def _point(text: str, column: int, width: int = 80) -> str:
    """The text around the column, at most `width` long, with a caret under the column."""
    column = min(max(column, 0), len(text))
    start = max(0, min(column - width // 2, len(text) - width))
    before = "…" if start > 0 else ""
    after = "…" if start + width < len(text) else ""
    shown = "".join(c if c.isprintable() else " " for c in text[start : start + width])
    return f"    {before}{shown}{after}\n    {' ' * (len(before) + column - start)}^"
