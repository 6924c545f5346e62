"""Kinds of fields. A kind knows how a value is read (from Python's objects and from the data of a file alike), written,
described to editors, and split into structure and numbers; nothing else in the library asks what a field holds.

A value in its normal form is made of numbers, expressions, texts, None, tuples and elements. What is read again in its
normal form stays as it is.
"""

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite
from types import MappingProxyType
from typing import Any, Protocol, SupportsIndex, runtime_checkable

import numpy as np

from freebody.errors import LOCATED, FieldError, located, nearest, renamed, within
from freebody.model.accelerations import accelerations_in, refusal_of_accelerations
from freebody.scalar.expr import Expr
from freebody.scalar.functions import Table
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import Number as Exact
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.symbol import Kind as Symbols
from freebody.spatial.vector import Vector

AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "-x": (-1, 0, 0), "-y": (0, -1, 0), "-z": (0, 0, -1)}
ANYTHING, LATER = ~0, int(Symbols.ACCELERATION)
SCALAR_SCHEMA = {"type": ["number", "string"], "description": "a number, or an expression of declared names"}
SHARED = "shared"
"""The key of a schema that stands for one of those that several fields share, by name: points, vectors, joints."""
PLAIN = frozenset((int, bool, str))  # what is the same if it is equal
EXPRESSIONS = "an expression with commas needs quotes inside a list"


class Scope(ABC):
    """What texts and names may mean, and how scalars are read."""

    values: Mapping[str, float] = MappingProxyType({})  # of the parameters
    further: Container[str] = ()  # the bodies of a file, those that are not read yet included

    @property
    @abstractmethod
    def graph(self) -> Graph: ...

    @abstractmethod
    def scalar(self, given: Any) -> Any:
        """A number, an expression or a text in its normal form: a number where it is one, else an expression."""

    @abstractmethod
    def inner(self, names: Mapping[str, Expr]) -> "Scope":
        """A scope in which texts may use these names besides all others."""

    def body(self, given: Any) -> Any:
        """The body of this name, or the ground; a body must belong to this system."""
        raise FieldError(f"'{given}' is a name, and there are no bodies here")

    def frame(self, given: Any) -> Any:
        """The frame of a body, or with ``@k`` behind its name the one k turns before; the frame of an address."""
        raise FieldError(f"'{given}' is a name, and there are no frames here")

    def address(self, frame: Any) -> Any:
        """The address of a frame: a body and a number of turns."""
        raise FieldError(f"frame '{frame.name}' leads to no body, for there are no bodies here")

    @property
    def motion(self) -> Any:
        """Positions, velocities and accelerations of points."""
        raise FieldError("positions and velocities are given by system.position(…), system.velocity(…) here")


class UnparsedScope(Scope):
    """The scope of a first look at a file's data: is a value of the right form? No text is parsed, so a file's wrong
    forms can all be listed before any of its expressions is read."""

    @cached_property
    def graph(self) -> Graph:
        return Graph()

    def scalar(self, given: Any) -> Any:
        if isinstance(given, bool) or not isinstance(given, int | float | str):
            raise FieldError(f"a number or an expression is needed, not {describe(given)}")
        return given

    def inner(self, names: Mapping[str, Expr]) -> "UnparsedScope":
        return self


UNPARSED = UnparsedScope()


class FieldKind:
    """``late``: a value may use coordinates, so it is read when these exist; all others are read before, for they may
    decide how many coordinates there are. ``own``: a value is a function of the element's own arguments. ``nested``: a
    value is an element, which may have late fields itself. ``symbolic``: a normal form holds expressions in place of
    numbers. ``holds_definitions``: it holds the definitions of the element's laws."""

    type_name: str = "anything"
    late: bool = False
    takes_arguments: bool = False
    nested: bool = False
    symbolic: bool = False
    holds_definitions: bool = False

    def read(self, given: Any, scope: Scope) -> Any:
        """The normal form of what a user or a file gives."""
        return given

    def write(self, value: Any, out: Any) -> Any:
        """Plain data that reads back as the value; ``out`` writes scalars."""
        return value

    def schema(self) -> dict[str, Any]:
        """The data that is read, as JSON schema."""
        return {}

    def split(self, value: Any, scalars: list[Any]) -> Any:
        """The value with ``...`` in place of its scalars, which are added to the list."""
        return value

    def finish(self, value: Any, scope: Scope) -> Any:
        """The value of a ``nested`` kind with its late fields read."""
        return value

    def is_default(self, value: Any, default: Any) -> bool:
        """Whether a normal form is the default, which files leave out: 0 and 0.0 are different numbers."""
        kind = type(value)
        if kind is not type(default) or kind is Expr:
            return False
        return value is default or (value == default if kind in PLAIN else repr(value) == repr(default))


class Text(FieldKind):
    type_name = "text"

    def read(self, given: Any, scope: Scope) -> Any:
        if not isinstance(given, str):
            raise FieldError(f"text is needed, not {describe(given)}; write it in quotes if it is meant as text")
        return given

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


class Switch(FieldKind):
    type_name = "true or false"

    def read(self, given: Any, scope: Scope) -> Any:
        if scope is UNPARSED and not isinstance(given, bool):
            raise FieldError(f"true or false is needed, not {describe(given)}")
        return bool(given)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Choice(FieldKind):
    """One of several words."""

    words: tuple[str, ...]

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return join_or(self.words)

    def read(self, given: Any, scope: Scope) -> Any:
        if not isinstance(given, str) or given not in self.words:
            raise FieldError(f"one of {join_or([repr(word) for word in self.words])} is needed here")
        return given

    def schema(self) -> dict[str, Any]:
        return {"enum": [*self.words]}


class AxisSequence(FieldKind):
    """Axes of rotations in turn: 123 is the text "123"."""

    type_name = "sequence"

    def read(self, given: Any, scope: Scope) -> Any:
        made = str(given) if type(given) is int else Text().read(given, scope)
        if len(made) != 3 or {*made} - {*"123"} or made[0] == made[1] or made[1] == made[2]:
            raise FieldError(f"'{made}' is not a sequence of rotations; give three of 1, 2, 3 such as '123' or '313'")
        return made

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "integer"]}


class Integers(FieldKind):
    type_name = "list of integers"

    def read(self, given: Any, scope: Scope) -> Any:
        entries = as_list(given)
        for k, one in enumerate(entries):
            if isinstance(one, bool) or not isinstance(one, SupportsIndex):
                raise FieldError(f"an integer is needed, not {describe(one)}", k)
        return tuple(entries)

    def write(self, value: Any, out: Any) -> Any:
        return list(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "integer"}}


@dataclass(frozen=True)
class Scalar(FieldKind):
    """A number, a text or an expression. ``depends``: the kinds of symbols that it may depend on; ``exact``: its
    numbers belong to the structure of what it is part of, so elements that differ in them are of different kinds;
    ``whole``: it may use accelerations and reactions, as outputs do."""

    depends: int = ANYTHING
    exact: bool = False
    whole: bool = False

    @property
    def late(self) -> bool:  # type: ignore[override]
        return self.depends & ~PARAMETERS_ONLY != 0

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return "scalar" if self.late else "constant"

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, Vector):
            raise FieldError("a vector was given where a scalar belongs")
        made = scope.scalar(given)
        if isinstance(made, Expr):
            mask = made.graph.mask[made.handle]
            if mask & LATER and not self.whole:
                raise FieldError(refusal_of_accelerations(accelerations_in(made.graph, [made.handle]), "it"))
            if mask & ~self.depends:
                raise FieldError(f"it may depend on numbers and parameters only, not on {made}")
        return made

    def write(self, value: Any, out: Any) -> Any:
        return out.scalar(value)

    def schema(self) -> dict[str, Any]:
        return SCALAR_SCHEMA

    def split(self, value: Any, scalars: list[Any]) -> Any:
        if not isinstance(value, Expr) and (self.exact or value is None or value == 0):
            return value
        scalars.append(value)
        return ...


Constant = Scalar(PARAMETERS_ONLY)


@dataclass(frozen=True)
class Symbolic(Scalar):
    """A scalar whose normal form is an expression, also where it is a number."""

    symbolic = True

    def read(self, given: Any, scope: Scope) -> Any:
        made = Scalar.read(self, given, scope)
        if isinstance(made, Expr) or scope is UNPARSED:
            return made
        graph = scope.graph
        return Expr(graph, graph.const(made))

    def is_default(self, value: Any, default: Any) -> bool:
        return super().is_default(value.graph.number(value.handle) if isinstance(value, Expr) else value, default)


class Number(FieldKind):
    """A number, or arithmetic that gives one."""

    type_name = "number"

    def read(self, given: Any, scope: Scope) -> Any:
        made = scope.scalar(given)
        if isinstance(made, Expr):
            raise FieldError(f"a number is needed; {made} has a value only when its symbols have")
        return made if isinstance(made, str) else float(made)

    def schema(self) -> dict[str, Any]:
        return SCALAR_SCHEMA


class Range(Number):
    """Two numbers, the lower first; None leaves a side open."""

    type_name = "range"

    def read(self, given: Any, scope: Scope) -> Any:
        row = isinstance(given, Sized) and dimensions(given) == 1
        if isinstance(given, str) or not row or len(given) != 2:
            raise FieldError(f"two numbers are needed, the lower first, not {describe(given)}")
        low, high = (
            end if v is None or v == end else super(Range, self).read(v, scope)
            for v, end in zip(given, (-inf, inf), strict=True)
        )
        if isinstance(low, str) or isinstance(high, str):
            return low, high
        if not low <= high:
            raise FieldError(f"the lower one, {low:g}, is above the upper one, {high:g}")
        return low, high

    def write(self, value: Any, out: Any) -> Any:
        return [end if isfinite(end) else None for end in value]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": ["number", "string", "null"]}, "minItems": 2, "maxItems": 2}


@dataclass(frozen=True)
class ListOf(FieldKind):
    """Several of a kind, ``count`` where that is fixed. ``alone``: one of them needs no list."""

    item: FieldKind
    count: int = 0
    alone: bool = False

    @property
    def type_name(self) -> str:  # type: ignore[override]
        several = self.item.type_name.replace("list of", "lists of", 1)
        return f"{self.count or 'list of'} {several if several.endswith('s') else several + 's'}"

    @property
    def late(self) -> bool:  # type: ignore[override]
        return self.item.late

    @property
    def takes_arguments(self) -> bool:  # type: ignore[override]
        return self.item.takes_arguments

    @property
    def symbolic(self) -> bool:  # type: ignore[override]
        return self.item.symbolic

    def read(self, given: Any, scope: Scope) -> Any:
        single = self.alone and (isinstance(given, str) or not isinstance(given, Sized))
        values = [given] if single else as_list(given, self.count)
        read, made = self.item.read, list[Any]()
        try:
            for one in values:
                made.append(read(one, scope))
        except LOCATED as error:
            raise located(error, len(made)) from None
        return tuple(made)

    def write(self, value: Any, out: Any) -> Any:
        write = self.item.write
        made = [one if type(one) is float or type(one) is int else write(one, out.at(k)) for k, one in enumerate(value)]
        return made[0] if self.alone and len(made) == 1 else made

    def schema(self) -> dict[str, Any]:
        count = {"minItems": self.count, "maxItems": self.count} if self.count else {}
        whole = {"type": "array", "items": self.item.schema(), **count}
        return {"anyOf": [self.item.schema(), whole]} if self.alone else whole

    def split(self, value: Any, scalars: list[Any]) -> Any:
        return None if value is None else tuple(self.item.split(one, scalars) for one in value)

    def is_default(self, value: Any, default: Any) -> bool:
        if not isinstance(value, tuple) or not isinstance(default, tuple):
            return super().is_default(value, default)
        return len(value) == len(default) and all(map(self.item.is_default, value, default))


THREE_CONSTANTS = ListOf(Constant, 3)


class OptionalScalar(Scalar):
    """A scalar, or None."""

    def read(self, given: Any, scope: Scope) -> Any:
        return None if given is None else super().read(given, scope)


class PrescribedMotion(FieldKind):
    """An expression of t, or one (or None, where it is free) for each of several coordinates."""

    type_name = "expression of t"
    late = True

    def read(self, given: Any, scope: Scope) -> Any:
        several = given if isinstance(given, tuple | list) else (given,)
        if any(callable(one) or isinstance(one, Table) for one in several):
            raise FieldError(f"give a text or an expression of t ('sin(t)', lookup(table, s.t)), not {given!r}")
        if not isinstance(given, tuple | list):
            return Scalar().read(given, scope)
        made = ListOf(OptionalScalar()).read(given, scope)
        return None if all(one is None for one in made) else made[0] if len(made) == 1 else made

    def write(self, value: Any, out: Any) -> Any:
        if not isinstance(value, tuple):
            return out.scalar(value)
        return [None if one is None else out.at(k).scalar(one) for k, one in enumerate(value)]

    def schema(self) -> dict[str, Any]:
        free = {"type": ["number", "string", "null"]}
        return {"anyOf": [SCALAR_SCHEMA, {"type": "array", "items": free}]}


class Direction(FieldKind):
    """x, -y, … or three constants."""

    type_name = "direction"

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, str):
            if given not in AXES:
                raise FieldError(f"'{given}' is not a direction: use one of {', '.join(AXES)} or three numbers")
            return given
        if not isinstance(given, Sized) or isinstance(given, Mapping):
            raise FieldError(f"a direction is one of {', '.join(AXES)} or three numbers, not {describe(given)}")
        made = THREE_CONSTANTS.read(given, scope)
        if all(not isinstance(v, Expr | str) and v == 0 for v in made):
            raise FieldError("a direction of length 0 points nowhere")
        return made

    def write(self, value: Any, out: Any) -> Any:
        return value if isinstance(value, str) else THREE_CONSTANTS.write(value, out)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"enum": [*AXES]}, THREE_CONSTANTS.schema()]}

    def split(self, value: Any, scalars: list[Any]) -> Any:
        """A direction along an axis is so for the whole kind."""
        if value is None or isinstance(value, str):
            return value
        if not any(isinstance(v, Expr) for v in value) and sum(v != 0 for v in value) == 1:
            signs = tuple(int(v > 0) - int(v < 0) for v in value)
            return next(name for name, axis in AXES.items() if axis == signs)
        scalars.extend(value)
        return (...,) * 3


@dataclass(frozen=True)
class NameList(FieldKind):
    """One word, or several in a list. ``keep``: a single text stays a text."""

    keep: bool = False
    type_name = "words"

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, str):
            return given if self.keep else (given,)
        with within():
            return ListOf(Text()).read(given, scope)

    def write(self, value: Any, out: Any) -> Any:
        return value if isinstance(value, str) else list(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}


@runtime_checkable
class Array(Protocol):
    """An array of NumPy or of another library."""

    ndim: int


def dimensions(given: Any) -> int:
    """How many indices an entry of a list or of an array has."""
    return given.ndim if not isinstance(given, list | tuple) and isinstance(given, Array) else 1


def entries(given: Iterable[Any]) -> list[Any]:
    """The entries of a list or an array along its first index; a table of pandas would iterate over its columns."""
    if isinstance(given, np.ndarray | list | tuple) or not isinstance(given, Array):
        return list(given)
    return list(np.asarray(given))


def as_list(given: Any, count: int = 0) -> Sequence[Any]:
    """The entries of a list, so many of them."""
    if type(given) is list or type(given) is tuple:
        found = given
    elif isinstance(given, str | Mapping) or not isinstance(given, Iterable) or dimensions(given) == 0:
        raise FieldError(f"a list{f' of {count}' if count else ''} is needed, not {describe(given)}")
    else:
        found = entries(given)
    if count and len(found) != count:
        broken = any(isinstance(v, str) and v.count("(") != v.count(")") for v in found)
        raise FieldError(f"a list of {count} is needed, not of {len(found)}" + broken * f"; {EXPRESSIONS}")
    return found


def describe(value: Any) -> str:
    """What a value is, in words for an error."""
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    words: dict[type, str] = {dict: "keys with values", list: "a list", str: "the text"}
    if type(value) not in words and not isinstance(value, Exact):
        return repr(value)[:60]
    shown = f" {value!r}"[:60] if isinstance(value, str | int | float) else ""
    return words.get(type(value), "the number") + shown


def join_or(words: Sequence[str]) -> str:
    """a, b or c."""
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def suggest(word: str, known: "list[str]") -> str:
    """What could have been meant."""
    if now := renamed(word, known):
        return now
    close = nearest(word, known)
    shown = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
    return f"Did you mean {' or '.join(close)}?" if close else f"There are {shown}."
