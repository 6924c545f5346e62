"""Field kinds: what a field of an element can hold.

A kind defines how a value is read (from Python objects and from the data of a file alike), how it is written to a file,
its JSON schema, and how it is split into structure and numbers. No other code depends on what a field holds.

Reading returns the normal form of a value. A normal form consists of numbers, expressions, texts, None, tuples and
elements; reading it again returns it unchanged.
"""

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite
from numbers import Real
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from freebody.errors import LOCATED, ExpressionError, FieldError, located, renamed, within
from freebody.errors import describe as describe
from freebody.errors import join_or as join_or
from freebody.errors import suggest as suggest
from freebody.model.accelerations import accelerations_in, refusal_of_accelerations
from freebody.numeric import as_boolean, as_integer, as_python
from freebody.scalar.expr import Expr, equals_number
from freebody.scalar.functions import Table, table
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import exact
from freebody.scalar.parse import UndeclaredNameError
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.symbol import Kind as SymbolKind
from freebody.spatial.vector import Vector

AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "-x": (-1, 0, 0), "-y": (0, -1, 0), "-z": (0, 0, -1)}
ScalarValue = Expr | Real | float | str
"""What may be passed as a scalar: an expression, a parameter, a number or a text such as "m*g"."""
ScalarsValue = Sequence[ScalarValue] | NDArray[Any]
"""Several scalars, such as the components of a vector along the axes of a body."""
DirectionValue = str | ScalarsValue
"""A direction: "x", "-x", "y", … or three constants."""
Schema = dict[str, Any]
SCALAR_SCHEMA: Schema = {"type": ["number", "string"], "description": "a number, or an expression of declared names"}
OPTIONAL_SCHEMA: Schema = {"type": ["number", "string", "null"]}
NUMBERS_SCHEMA: Schema = {"type": "array", "items": {"type": "number"}}
SHARED = "shared"
"""A schema {SHARED: name} stands for the schema of this name, which several fields use: points, vectors, joints."""


class Scope(ABC):
    """What the names in texts mean, and how scalars are read."""

    values: Mapping[str, float] = MappingProxyType({})  # of the parameters
    file_bodies: Container[str] = ()  # names of all bodies in the file that is read
    arguments: Mapping[str, Expr] | None = None  # of the laws of an element, while they are read
    reads_file: bool = False  # whether a model file is read
    folder: Path | None = None  # of the model file that is read

    @property
    @abstractmethod
    def graph(self) -> Graph: ...

    @abstractmethod
    def scalar(self, value: Any) -> Any:
        """The normal form of a number, an expression or a text: a number if it is constant, else an expression."""

    def allows(self, name: str, depends: int) -> bool:
        """Whether what a name stands for depends only on these kinds of symbols (a mask)."""
        return name in self.values

    @abstractmethod
    def inner(self, names: Mapping[str, Expr]) -> "Scope":
        """A scope in which texts may also use these names."""

    def body(self, value: Any) -> Any:
        """The body of this name, or the ground. A body that is passed itself must belong to the same system."""
        raise FieldError(f"'{value}' is the name of a body, and no bodies are known here")

    def frame(self, value: Any) -> Any:
        """The frame of a body, of ``name@k`` (k rotations before the frame of the body) or of a frame address."""
        raise FieldError(f"'{value}' is the name of a frame, and no frames are known here")

    def address(self, frame: Any) -> Any:
        """The address of a frame: a body and a number of rotations."""
        raise FieldError(f"frame '{frame.name}' belongs to no body, because no bodies are known here")

    def reaction(self, value: Any, kind: str) -> Any:
        """The name of the joint or constraint whose reaction is meant, and the frame of its components. The joint is
        that of a body."""
        raise FieldError(f"'{value}' is the name of a joint, and no joints are known here")

    def contact_material(self, name: str) -> Any:
        """The contact material of this name."""
        raise FieldError(f"'{name}' is the name of a contact material, and no materials are known here")

    def share_material(self, material: Any) -> Any:
        """A named material, which others may use by its name from now on."""
        return material

    def reduced_body(self, name: str) -> Any:
        """The reduced body in a file beside the model file that is read."""
        raise FieldError(
            f"a model that is read from text has no folder in which '{name}' could lie; save the text as a"
            " file beside it and use fb.load('model.yaml'), or in Python fb.read_reduced(…)"
        )

    @property
    def motion(self) -> Any:
        """Positions, velocities and accelerations of points."""
        raise FieldError("use system.position(…) and system.velocity(…) for positions and velocities here")


class UnparsedScope(Scope):
    """The scope of the first pass over a file, which checks the form of values and parses no text. So all wrong forms
    of a file are listed before any of its expressions is read."""

    @cached_property
    def graph(self) -> Graph:
        return Graph()

    def scalar(self, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise FieldError(f"a number or an expression is needed, not {describe(value)}")
        return value

    def inner(self, names: Mapping[str, Expr]) -> "UnparsedScope":
        return self


UNPARSED = UnparsedScope()


class ArgumentScope(UnparsedScope):
    """The scope in which the arguments of an element are checked where it is created: texts are not parsed yet, and
    expressions may be of any system."""

    def scalar(self, value: Any) -> Any:
        if isinstance(value, Expr):
            number = value.graph.number(value.handle)
            return value if number is None else number
        if isinstance(value, str):
            return value
        try:
            return exact(value)
        except ExpressionError:
            raise FieldError(f"a finite number or an expression is needed, not {describe(value)}") from None


ARGUMENT = ArgumentScope()


class FieldKind:
    """The base of all kinds; itself a kind that holds anything.

    ``type_name``: its name in the documentation of fields. ``late``: a value may use coordinates, so it is read when
    they exist; other values are read before, because they may decide how many coordinates there are.
    ``takes_arguments``: a value is a function of arguments that the element defines. ``nested``: a value is an element,
    which may have late fields. ``symbolic``: the normal form has expressions in place of numbers.
    ``holds_definitions``: a value holds definitions that the functions of the element use. ``plain``: a value consists
    of texts, numbers and expressions, so that it can be checked without a system.
    """

    type_name: str = "anything"
    late: bool = False
    takes_arguments: bool = False
    nested: bool = False
    symbolic: bool = False
    holds_definitions: bool = False
    plain: bool = False
    json_schema: ClassVar[Schema] = {}

    def read(self, value: Any, scope: Scope) -> Any:
        """The normal form of a value from a user or a file."""
        return value

    def read_late(self, value: Any, scope: Scope) -> Any:
        """The value of a ``nested`` kind with its late fields read."""
        return value

    def write(self, value: Any, out: Any) -> Any:
        """Data that is read as this normal form; ``out`` (``io.model_writer.Out``) writes scalars and vectors."""
        return value

    def schema(self) -> Schema:
        """The JSON schema of the data in a file."""
        return self.json_schema

    def split(self, value: Any, scalars: list[Any]) -> Any:
        """The normal form with ``...`` in place of its scalars, which are appended to the list."""
        return value

    def is_default(self, value: Any, default: Any) -> bool:
        """Whether a normal form is the default, which files leave out; 0 and 0.0 are different numbers."""
        kind = type(value)
        if kind is not type(default) or kind is Expr:
            return False
        return value is default or (value == default if kind in (int, bool, str) else repr(value) == repr(default))


# Texts, true or false and names


class Text(FieldKind):
    plain = True
    type_name = "text"
    json_schema: ClassVar[Schema] = {"type": "string"}

    def read(self, value: Any, scope: Scope) -> Any:
        if not isinstance(value, str):
            raise FieldError(f"text is needed, not {describe(value)}; write it in quotes if it is meant as text")
        return value


class Boolean(FieldKind):
    plain = True
    type_name = "true or false"
    json_schema: ClassVar[Schema] = {"type": "boolean"}

    def read(self, value: Any, scope: Scope) -> Any:
        switch = as_boolean(value)
        if switch is None:
            raise FieldError(f"true or false is needed, not {describe(value)}")
        return switch


@dataclass(frozen=True)
class Choice(FieldKind):
    """One of several texts."""

    options: tuple[str, ...]
    plain = True

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return join_or(self.options)

    def read(self, value: Any, scope: Scope) -> Any:
        if not isinstance(value, str) or value not in self.options:
            hint = f". {now}" if isinstance(value, str) and (now := renamed(value, self.options)) else ""
            raise FieldError(f"one of {join_or([repr(option) for option in self.options])} is needed here{hint}")
        return value

    def schema(self) -> Schema:
        return {"enum": [*self.options]}


class AxisSequence(FieldKind):
    """The axes of three rotations in order, such as "123"; the number 123 is read as this text."""

    plain = True
    type_name = "sequence"
    json_schema: ClassVar[Schema] = {"type": ["string", "integer"]}

    def read(self, value: Any, scope: Scope) -> Any:
        value = as_python(value)
        axes = str(value) if type(value) is int else Text().read(value, scope)
        if len(axes) != 3 or {*axes} - {*"123"} or axes[0] == axes[1] or axes[1] == axes[2]:
            raise FieldError(f"'{axes}' is not a sequence of rotations; give three of 1, 2, 3 such as '123' or '313'")
        return axes


@dataclass(frozen=True)
class NameList(FieldKind):
    """A name, or a list of names. ``keep``: a single name is not converted to a tuple."""

    keep: bool = False
    plain = True
    type_name = "names"
    json_schema: ClassVar[Schema] = {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}

    def read(self, value: Any, scope: Scope) -> Any:
        if isinstance(value, str):
            return value if self.keep else (value,)
        with within():
            return ListOf(Text()).read(value, scope)

    def write(self, value: Any, out: Any) -> Any:
        return value if isinstance(value, str) else list(value)


# Numbers and scalars


@dataclass(frozen=True)
class Scalar(FieldKind):
    """A number, a text or an expression. ``depends``: a mask of the kinds of symbols that it may depend on. ``exact``:
    its numbers belong to the structure, so elements that differ in them have different patterns. ``whole``: it may use
    accelerations and reactions, as outputs do. ``magnitude``: it cannot be negative."""

    depends: int = ~0
    exact: bool = False
    whole: bool = False
    magnitude: bool = False
    plain = True
    json_schema = SCALAR_SCHEMA

    @property
    def late(self) -> bool:  # type: ignore[override]
        return self.depends & ~PARAMETERS_ONLY != 0

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return "scalar" if self.late else "constant"

    @property
    def names(self) -> str:
        """What texts may use, in errors."""
        if self.depends & SymbolKind.STATE:
            return "t, numbers, parameters, inputs with rates and filters"
        return "t, numbers and parameters" if self.depends & SymbolKind.TIME else "numbers and parameters"

    def may_use(self, name: str, scope: Scope) -> bool:
        """Whether texts may use what a name stands for."""
        return scope.allows(name, self.depends)

    def read(self, value: Any, scope: Scope) -> Any:
        if isinstance(value, Vector):
            raise FieldError("a scalar is needed, not a vector")
        if isinstance(value, complex):  # also NumPy's
            raise FieldError(f"a real number is needed, not {value:g}")
        try:
            x = scope.scalar(value)
        except UndeclaredNameError as error:
            if self.depends == ~0:
                raise
            raise error.among([n for n in error.known if self.may_use(n, scope)], self.names) from None
        if isinstance(x, Expr):
            mask = x.graph.mask[x.handle]
            if mask & SymbolKind.ACCELERATION and not self.whole:
                raise FieldError(refusal_of_accelerations(accelerations_in(x.graph, [x.handle]), "it"))
            if mask & ~self.depends:
                raise FieldError(f"it may depend on {self.names} only, not on {x}{_meaning(x)}")
        elif self.magnitude and not isinstance(x, str) and x < 0:
            raise FieldError(f"it is {float(x):g}; it cannot be negative")
        return x

    def write(self, value: Any, out: Any) -> Any:
        return out.scalar(value)

    def split(self, value: Any, scalars: list[Any]) -> Any:
        if not isinstance(value, Expr) and (self.exact or value is None or value == 0):
            return value
        scalars.append(value)
        return ...


KINDS = {
    SymbolKind.TIME: "the time", SymbolKind.COORDINATE: "a coordinate", SymbolKind.SPEED: "a speed",
    SymbolKind.STATE: "an extra state", SymbolKind.INPUT: "an input",
}  # fmt: skip


def _meaning(x: Expr) -> str:
    """What the symbol that an expression is stands for, in brackets; nothing for other expressions."""
    kind = KINDS.get(SymbolKind(x.graph.mask[x.handle])) if x.graph.by_name.get(str(x)) == x.handle else None
    return f" ({kind})" if kind else ""


Constant = Scalar(PARAMETERS_ONLY)


@dataclass(frozen=True)
class Symbolic(Scalar):
    """A scalar whose normal form is an expression, even if it is a number."""

    symbolic = True
    plain = False

    def read(self, value: Any, scope: Scope) -> Any:
        x = Scalar.read(self, value, scope)
        if isinstance(x, Expr) or scope is UNPARSED:
            return x
        return Expr(scope.graph, scope.graph.const(x))

    def is_default(self, value: Any, default: Any) -> bool:
        return super().is_default(value.graph.number(value.handle) if isinstance(value, Expr) else value, default)


class OptionalScalar(Scalar):
    """A scalar, or None."""

    def read(self, value: Any, scope: Scope) -> Any:
        return None if value is None else super().read(value, scope)


class Number(FieldKind):
    """A number, or an expression of numbers."""

    plain = True
    type_name = "number"
    json_schema = SCALAR_SCHEMA

    def read(self, value: Any, scope: Scope) -> Any:
        try:
            x = scope.scalar(value)
        except UndeclaredNameError as error:
            raise FieldError(f"a number is needed; {error.problem[:-1]}, and names cannot be used here") from None
        if isinstance(x, Expr):
            raise FieldError(f"a number is needed; {x} depends on symbols")
        return x if isinstance(x, str) else float(x)


class OptionalNumber(Number):
    """A number, or None."""

    json_schema = OPTIONAL_SCHEMA

    def read(self, value: Any, scope: Scope) -> Any:
        return None if value is None else super().read(value, scope)


class Integer(FieldKind):
    plain = True
    type_name = "integer"
    json_schema: ClassVar[Schema] = {"type": "integer"}

    def read(self, value: Any, scope: Scope) -> Any:
        number = as_integer(value)
        if number is None:
            raise FieldError(f"an integer is needed, not {describe(value)}")
        return number


class OptionalInteger(Integer):
    """An integer that is positive, or None."""

    json_schema: ClassVar[Schema] = {"type": ["integer", "null"]}

    def read(self, value: Any, scope: Scope) -> Any:
        number = None if value is None else super().read(value, scope)
        if number is not None and number < 1:
            raise FieldError(f"it is {number}; it must be at least 1")
        return number


class Range(Number):
    """Two numbers, the lower first; None means no limit on that side."""

    type_name = "range"
    json_schema: ClassVar[Schema] = {"type": "array", "items": OPTIONAL_SCHEMA, "minItems": 2, "maxItems": 2}

    def read(self, value: Any, scope: Scope) -> Any:
        is_row = isinstance(value, Sized) and dimensions(value) == 1
        if isinstance(value, str) or not is_row or len(value) != 2:
            raise FieldError(f"two numbers are needed, the lower first, not {describe(value)}")
        low, high = (
            end if v is None or equals_number(v, end) else super(Range, self).read(v, scope)
            for v, end in zip(value, (-inf, inf), strict=True)
        )
        if not (isinstance(low, str) or isinstance(high, str) or low <= high):
            raise FieldError(f"the lower limit {low:g} is above the upper limit {high:g}")
        return low, high

    def write(self, value: Any, out: Any) -> Any:
        return [end if isfinite(end) else None for end in value]


# Lists and directions


@dataclass(frozen=True)
class ListOf(FieldKind):
    """A list of values of one kind, of length ``count`` if that is fixed. ``alone``: a single value needs no list."""

    item: FieldKind
    count: int = 0
    alone: bool = False

    @property
    def type_name(self) -> str:  # type: ignore[override]
        plural = self.item.type_name.replace("list of", "lists of", 1)
        return f"{self.count or 'list of'} {plural if plural.endswith('s') else plural + 's'}"

    @property
    def late(self) -> bool:  # type: ignore[override]
        return self.item.late

    @property
    def plain(self) -> bool:  # type: ignore[override]
        return self.item.plain

    @property
    def takes_arguments(self) -> bool:  # type: ignore[override]
        return self.item.takes_arguments

    @property
    def symbolic(self) -> bool:  # type: ignore[override]
        return self.item.symbolic

    def read(self, value: Any, scope: Scope) -> Any:
        value = as_python(value)
        single = self.alone and (isinstance(value, str | bytes | Mapping) or not isinstance(value, Sized))
        entries = [value] if single else as_list(value, self.count)
        read, items = self.item.read, list[Any]()
        try:
            for entry in entries:
                items.append(read(entry, scope))
        except LOCATED as error:
            raise located(error, len(items)) from error.__cause__
        return tuple(items)

    def write(self, value: Any, out: Any) -> Any:
        write = self.item.write
        items = [v if type(v) is float or type(v) is int else write(v, out.at(k)) for k, v in enumerate(value)]
        return items[0] if self.alone and len(items) == 1 and not isinstance(items[0], list) else items

    def schema(self) -> Schema:
        count = {"minItems": self.count, "maxItems": self.count} if self.count else {}
        whole = {"type": "array", "items": self.item.schema(), **count}
        return {"anyOf": [self.item.schema(), whole]} if self.alone else whole

    def split(self, value: Any, scalars: list[Any]) -> Any:
        return None if value is None else tuple(self.item.split(item, scalars) for item in value)

    def is_default(self, value: Any, default: Any) -> bool:
        if not isinstance(value, tuple) or not isinstance(default, tuple):
            return super().is_default(value, default)
        return len(value) == len(default) and all(map(self.item.is_default, value, default))


THREE_CONSTANTS = ListOf(Constant, 3)


@dataclass(frozen=True)
class MappingOf(FieldKind):
    """Values of one kind by name. The normal form is a tuple of pairs."""

    item: FieldKind

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return f"{self.item.type_name} by name"

    @property
    def plain(self) -> bool:  # type: ignore[override]
        return self.item.plain

    def read(self, value: Any, scope: Scope) -> Any:
        if not isinstance(value, Mapping | tuple):
            raise FieldError(f"names with values are needed here, not {describe(value)}")
        pairs = list[tuple[str, Any]]()
        for name, item in value.items() if isinstance(value, Mapping) else value:
            with within(name):
                pairs.append((Text().read(name, scope), self.item.read(item, scope)))
        return tuple(pairs)

    def write(self, value: Any, out: Any) -> Any:
        return {name: self.item.write(item, out.at(name)) for name, item in value}

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": self.item.schema()}


@dataclass(frozen=True)
class NumberArray(FieldKind):
    """An array of numbers with ``ndim`` indices (0: any number of them), from nested lists or an array. The normal form
    is an array that cannot be changed."""

    ndim: int = 0
    plain = True

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return "list of numbers" if self.ndim == 1 else f"array with {self.ndim} indices" if self.ndim else "array"

    def read(self, value: Any, scope: Scope) -> Any:
        if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
            raise FieldError(f"an array of numbers is needed, not {describe(value)}")
        try:
            raw = np.asarray(value)
        except ValueError:
            raise FieldError("an array needs rows of equal lengths") from None
        if raw.dtype.kind not in "iuf":
            raise FieldError(f"an array of real numbers is needed, not of {raw.dtype.type.__name__.rstrip('_')}")
        constant = raw.dtype == np.float64 and raw is value and not raw.flags.writeable
        array = raw if constant else np.array(raw, dtype=np.float64, order="C")
        if self.ndim and array.ndim != self.ndim:
            raise FieldError(f"an array with {self.ndim} indices is needed, not of shape {array.shape}")
        if not np.isfinite(array).all():
            where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
            raise FieldError(f"its entry {list(where)} is {array[where]}; all entries must be finite numbers")
        array.flags.writeable = False
        return array

    def write(self, value: Any, out: Any) -> Any:
        return value.tolist()

    def schema(self) -> Schema:
        entry: Schema = {"type": "number"}
        for _ in range(self.ndim):
            entry = {"type": "array", "items": entry}
        return entry if self.ndim else {"type": "array"}

    def is_default(self, value: Any, default: Any) -> bool:
        return value is default or (default is not None and value is not None and np.array_equal(value, default))


class Direction(FieldKind):
    """One of x, -x, y, …, or three constants."""

    plain = True
    type_name = "direction"
    json_schema: ClassVar[Schema] = {"anyOf": [{"enum": [*AXES]}, THREE_CONSTANTS.schema()]}

    def read(self, value: Any, scope: Scope) -> Any:
        if isinstance(value, str):
            if value not in AXES:
                raise FieldError(f"'{value}' is not a direction: use one of {', '.join(AXES)} or three numbers")
            return value
        if not isinstance(value, Sized) or isinstance(value, Mapping):
            raise FieldError(f"a direction is one of {', '.join(AXES)} or three numbers, not {describe(value)}")
        xyz = THREE_CONSTANTS.read(value, scope)
        if all(not isinstance(v, Expr | str) and v == 0 for v in xyz):
            raise FieldError("a direction must not have length 0")
        return xyz

    def write(self, value: Any, out: Any) -> Any:
        return value if isinstance(value, str) else THREE_CONSTANTS.write(value, out)

    def split(self, value: Any, scalars: list[Any]) -> Any:
        """A direction along an axis belongs to the structure."""
        if value is None or isinstance(value, str):
            return value
        if not any(isinstance(v, Expr) for v in value) and sum(v != 0 for v in value) == 1:
            signs = tuple(int(v > 0) - int(v < 0) for v in value)
            return next(name for name, axis in AXES.items() if axis == signs)
        scalars.extend(value)
        return (...,) * 3


class MotionOfCoordinate(OptionalScalar):
    """An expression of t, (times, values), or None. The curve through (times, values) is smooth: monotone cubics that
    begin and end at rest."""

    type_name = "expression of t, or (times, values)"
    json_schema: ClassVar[Schema] = {"anyOf": [OPTIONAL_SCHEMA, NUMBERS_SCHEMA]}

    def may_use(self, name: str, scope: Scope) -> bool:
        g = scope.graph
        changes = bool(g.mask[h] & ~PARAMETERS_ONLY) if (h := g.named(name)) is not None else False
        return super().may_use(name, scope) and (not changes or name == "t" or h in g.rates)

    def read(self, value: Any, scope: Scope) -> Any:
        if callable(value) or isinstance(value, Table):
            raise FieldError(f"give a text or an expression of t ('sin(t)', lookup(table, s.t)), not {value!r}")
        if not is_curve(value):
            return super().read(value, scope)
        try:
            curve = _curve_at_rest(*value)
        except ExpressionError as error:
            raise FieldError(str(error)) from None
        if isinstance(scope, UnparsedScope):
            return value
        t = scope.graph.symbol("t", SymbolKind.TIME, "time", "s")
        return Expr(scope.graph, scope.graph.table(curve, t))


MOTION = MotionOfCoordinate(PARAMETERS_ONLY | SymbolKind.TIME | SymbolKind.STATE | SymbolKind.INPUT)


class PrescribedMotion(FieldKind):
    """The motion of a single coordinate, or one for each of several, None where a coordinate is free."""

    plain = True
    type_name = MotionOfCoordinate.type_name
    late = True
    json_schema: ClassVar[Schema] = {
        "anyOf": [SCALAR_SCHEMA, {"type": "array", "items": MotionOfCoordinate.json_schema}]
    }

    def read(self, value: Any, scope: Scope) -> Any:
        if not isinstance(value, tuple | list) or is_curve(value):
            return MOTION.read(value, scope)
        motions = ListOf(MOTION).read(value, scope)
        return None if all(m is None for m in motions) else motions[0] if len(motions) == 1 else motions

    def write(self, value: Any, out: Any) -> Any:
        if not isinstance(value, tuple):
            return out.scalar(value)
        return [None if m is None else out.at(k).scalar(m) for k, m in enumerate(value)]


def is_curve(value: Any) -> bool:
    """Whether a value is (times, values), two rows of numbers."""
    return isinstance(value, tuple | list) and len(value) == 2 and all(map(_is_row, value)) and _is_flat(value[0])


def _is_row(value: Any) -> bool:
    return isinstance(value, Sized) and not isinstance(value, str | bytes | Mapping | Expr)


def _is_flat(row: Any) -> bool:
    return not any(_is_row(x) for x in row)


def motions_of_rows(value: Any) -> list[Any] | None:
    """(times, values) of each coordinate from (times, rows), a row of all coordinates for each time; None of another
    value."""
    if not is_curve(value) or not len(value[1]) or _is_flat(value[1]):
        return None
    times, rows = list(value[0]), [list(row) if _is_row(row) else [row] for row in value[1]]
    if len(rows) != len(times) or any(len(row) != len(rows[0]) for row in rows):
        raise FieldError(f"{len(times)} times need as many rows of equal length, a value for each coordinate", "motion")
    return [(times, list(column)) for column in zip(*rows, strict=True)]


def with_steady_signs(motions: Sequence[Any], starts: Sequence[int]) -> tuple[Any, ...]:
    """Motions in which the quaternions of tables that begin at ``starts`` keep their sign from row to row: q and −q are
    one orientation, and a curve between them would pass through zero."""
    result = list(motions)
    for k in starts:
        four = result[k : k + 4]
        if len(four) < 4 or not all(is_curve(one) and len(one[0]) == len(one[1]) for one in four):
            continue
        if any(list(one[0]) != list(four[0][0]) for one in four):
            continue
        rows = np.array([one[1] for one in four], float)
        products = np.einsum("ij,ij->j", rows[:, 1:], rows[:, :-1])
        signs = np.cumprod([1.0, *np.where(products < 0, -1.0, 1.0)])
        result[k : k + 4] = [(list(four[0][0]), row.tolist()) for row in rows * signs]
    return tuple(result)


def _curve_at_rest(times: Any, values: Any) -> Table:
    """Monotone cubics through (times, values) that begin and end with slope 0, and hold their ends."""
    table("motion", times, values)  # checks the rows
    (first, *_, last), (y_first, *_, y_last) = times, values
    span = float(last - first)
    return table("motion", [first - span, *times, last + span], [y_first, *values, y_last], "cubic", "hold")


# Entries of lists and arrays


@runtime_checkable
class Array(Protocol):
    """An array of NumPy or of another library."""

    ndim: int


def dimensions(value: Any) -> int:
    """The number of indices of an entry of a list or an array."""
    return value.ndim if not isinstance(value, list | tuple) and isinstance(value, Array) else 1


def entries(values: Iterable[Any]) -> list[Any]:
    """The entries of a list or an array along its first index (a table of pandas would iterate over its columns);
    scalars of NumPy are numbers."""
    if isinstance(values, np.ndarray | list | tuple) or not isinstance(values, Array):
        return [as_python(value) for value in values]
    return [as_python(value) for value in np.asarray(values)]


def as_list(value: Any, count: int = 0) -> Sequence[Any]:
    """The entries of a list or an array; raises if it is neither, or if there are not ``count`` entries."""
    if (type(value) is list or type(value) is tuple) and np.ndarray not in map(type, value):
        items = value
    elif isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable) or dimensions(value) == 0:
        raise FieldError(f"a list{f' of {count}' if count else ''} is needed, not {describe(value)}")
    else:
        items = entries(value)
    if count and len(items) != count:
        broken = any(isinstance(v, str) and v.count("(") != v.count(")") for v in items)
        hint = "; an expression with commas needs quotes inside a list" if broken else ""
        raise FieldError(f"a list of {count} is needed, not of {len(items)}{hint}")
    return items


# Error texts
