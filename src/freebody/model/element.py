"""An element is a frozen dataclass whose fields carry a kind (``kinds.py``): bodies, joints, loads, shapes, parameters.

Everything that is done with elements is a function here that goes through the list of fields: the normal form with its
checks, model files, the JSON schema, patterns for rolled programs, and the reference page. A subclass only defines its
fields and its law.
"""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, replace
from inspect import cleandoc
from math import inf
from operator import is_
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, dataclass_transform

import numpy as np

from freebody.errors import LOCATED, FieldError, FreebodyError, ModelError, located, together, within
from freebody.keywords import misfit, unknown_argument
from freebody.model.kinds import ARGUMENT, SHARED, UNPARSED, FieldKind, Scope, describe, suggest
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node

AnElement = TypeVar("AnElement", bound="Element")
Value = TypeVar("Value")


class Given(Generic[Value]):
    """The type of a field that is given as a ``Value`` and holds its normal form once it is read; see ``field``."""

    if TYPE_CHECKING:

        def __get__(self, element: object, owner: type[Any] | None = None) -> Any: ...
        def __set__(self, element: object, value: Value) -> None: ...


@dataclass(frozen=True)
class Field:
    """A field of an element: its kind, meaning and unit. ``key`` is its name in files. A ``derived`` field follows from
    the others and is not in files. An ``idle`` field does not change the equations of motion. A ``silent`` field is not
    in the digest, because another field or a symbol contains it."""

    name: str
    kind: FieldKind
    text: str
    default: Any
    unit: str
    key: str
    derived: bool
    idle: bool
    silent: bool


def field(
    kind: FieldKind,
    text: str = "",
    *,
    default: Any = MISSING,
    unit: str = "",
    key: str = "",
    derived: bool = False,
    idle: bool = False,
    silent: bool = False,
) -> Any:
    """Declare a field in the body of an element's class; see ``Field``. Its annotation is what a user may pass."""
    options = {"kind": kind, "text": text, "unit": unit, "key": key, "derived": derived, "idle": idle, "silent": silent}
    return dataclasses.field(default=default, metadata={"element": options}, repr=not derived)


@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
class Element:
    """The base of all elements. A subclass is a frozen dataclass with a name for files (``kind``), fields and a law."""

    kind: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    short: ClassVar[str] = ""  # the key for which a single value stands in a file

    def __new__(cls, *values: Any, **named: Any) -> Self:
        """An element whose fields are not set yet; it raises if it has not the fields that it is called with."""
        for name in named:
            if name not in cls.__dataclass_fields__:  # type: ignore[attr-defined]
                raise unknown_argument(cls.__name__, name, constructor_names(cls))
        needed, most = _TABLES[cls].positional if cls in _TABLES else field_table(cls).positional
        if len(values) > most or not all(name in named for name in needed[len(values) :]):
            wrong = misfit(cls.__name__, cls.__init__, (None, *values), named)
            if wrong is not None:
                raise wrong
        return object.__new__(cls)

    def __init_subclass__(cls) -> None:
        """Dataclasses would define a repr with all fields."""
        cls.__repr__ = vars(cls).get("__repr__", Element.__repr__)  # type: ignore[method-assign]

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """Raise if the arguments of its constructor are wrong, as far as they can be judged without a system; nothing
        is checked here for elements that a system reads at once."""

    def __repr__(self) -> str:
        """The fields that have other values than their defaults."""
        defaults, texts = self.defaults(), list[str]()
        for f in dataclasses.fields(self):  # type: ignore[arg-type]
            value, default = self.__dict__[f.name], defaults.get(f.name, MISSING)
            comparable = type(value) is type(default) and not isinstance(value, np.ndarray)
            comparable = comparable and next(expressions(value), None) is None
            if f.repr and value is not default and not (comparable and value == default):
                texts.append(f"{f.name}={value!r}")
        return f"{type(self).__name__}({', '.join(texts)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _without_fields, (type(self),), self.__getstate__()

    def __getstate__(self) -> dict[str, Any]:
        """Its fields; what is cached beside them is computed again."""
        return {f.name: self.__dict__[f.name] for f in dataclasses.fields(self)}  # type: ignore[arg-type]

    def finalise(self, scope: Scope) -> Self:
        """The element after its fields have been read: a subclass checks fields together and computes derived ones."""
        return self

    def defaults(self) -> dict[str, Any]:
        """The default of each field; files leave out values that equal it."""
        return {f.name: f.default for f in fields_of(type(self))}

    def law_scope(self, scope: Scope) -> Scope:
        """The scope in which fields that are functions of the element's arguments are read."""
        return scope

    def argument_names(self) -> Mapping[Node, str]:
        """The nodes of the arguments of its functions, with their names in files."""
        return {}

    def vector_basis(self) -> Any:
        """The body along whose axes files preferably give its vectors, or None."""
        return None


def _without_fields(element: type[AnElement]) -> AnElement:
    """An element whose fields are set next, where it is copied or unpickled."""
    return object.__new__(element)


@dataclass(frozen=True)
class FieldTable:
    """The fields of a class of elements, as they are looked up."""

    fields: tuple[Field, ...]
    keys: Mapping[str, Field]  # by the keys of files
    required: tuple[str, ...]  # keys without a default
    early: tuple[Field, ...]  # read before coordinates exist
    late: tuple[Field, ...]  # read when coordinates exist
    has_definitions: bool  # whether a field holds definitions
    plain: bool  # whether a changed element is a copy, with nothing to initialise
    positional: tuple[tuple[str, ...], float]  # names without a default, and how many values a constructor takes


_TABLES: dict[type[Any], FieldTable] = {}


def check_fields(element: Element) -> None:
    """Raise if a field cannot hold its value. What needs a system (points, bodies, functions) is not checked."""
    for f in field_table(type(element)).fields:
        value = element.__dict__[f.name]
        if value is f.default or f.derived or not f.kind.plain:
            continue
        try:
            f.kind.read(value, ARGUMENT)
        except LOCATED as error:
            raise located(error, type(element).__name__, f.name) from None


def constructor_names(element: type[Any]) -> list[str]:
    """The names of the arguments of an element's constructor."""
    return [f.name for f in fields_of(element) if not f.derived]


def field_table(element: type[Any]) -> FieldTable:
    """The table of a class of elements."""
    table = _TABLES.get(element)
    if table is not None:
        return table
    fields = list[Field]()
    for f in dataclasses.fields(element):
        options = f.metadata.get("element")
        if options is None:
            raise TypeError(f"{element.__name__}.{f.name}: declare fields of elements with element.field(kind, …)")
        fields.append(Field(f.name, default=f.default, **{**options, "key": options["key"] or f.name}))
    read = [f for f in fields if not f.derived]
    init = [f for f in dataclasses.fields(element) if f.init and not f.kw_only]
    positional = (tuple(f.name for f in init if f.default is MISSING), len(init))
    table = _TABLES[element] = FieldTable(
        tuple(fields),
        {f.key: f for f in read},
        tuple(f.key for f in read if f.default is MISSING),
        tuple(f for f in read if not f.kind.late),
        tuple(f for f in read if f.kind.late or f.kind.nested),
        any(f.kind.holds_definitions for f in read),
        element.__dataclass_params__.init
        and not any("__post_init__" in vars(c) for c in element.__mro__ if c is not Element),
        positional if element.__dataclass_params__.init else ((), inf),
    )
    return table


def fields_of(element: type[Element]) -> tuple[Field, ...]:
    """The fields of a class of elements, in the order of its dataclass."""
    return field_table(element).fields


def values_of(element: Element) -> list[tuple[Field, Any]]:
    """The fields of an element with their values."""
    return [(f, element.__dict__[f.name]) for f in fields_of(type(element))]


def with_fields(element: AnElement, changed: Mapping[str, Any]) -> AnElement:
    """The element with some fields changed."""
    table = field_table(type(element))
    if not table.plain:
        return replace(element, **changed)  # type: ignore[type-var]
    new = object.__new__(type(element))
    new.__dict__.update({f.name: element.__dict__[f.name] for f in table.fields}, **changed)
    return new


def normal_form(element: AnElement, scope: Scope, late: bool) -> AnElement:
    """The element with its fields in normal form.

    A first call (``late=False``) reads the fields that may depend on parameters only, because they may decide how many
    coordinates there are; a second call reads those that may depend on coordinates. Another call changes nothing.
    """
    table, values, changed = field_table(type(element)), element.__dict__, dict[str, Any]()
    law_scope: Scope | None = None
    for f in table.late if late else table.early:
        value, kind = values[f.name], f.kind
        if value is f.default and (value is None or not kind.symbolic):
            continue
        if kind.takes_arguments and law_scope is None:
            law_scope = element.law_scope(scope)
        try:
            if kind.late is not late:
                new = kind.read_late(value, scope)
            else:
                new = kind.read(value, law_scope if kind.takes_arguments and law_scope is not None else scope)
        except LOCATED as error:
            raise located(error, f.key) from error.__cause__
        if new is not value:
            changed[f.name] = new
    try:
        return (with_fields(element, changed) if changed else element).finalise(scope)
    except FieldError:
        raise
    except ModelError as error:
        raise FieldError(str(error)) from None


# Expressions

PLAIN = frozenset((str, int, float, bool, type(None)))
"""Types of values without expressions."""


def expressions(value: Any) -> Iterator[Expr]:
    """All expressions in an element, or in tuples and mappings of elements."""
    todo = [value]
    while todo:
        one = todo.pop()
        if type(one) in PLAIN:
            continue
        if isinstance(one, Expr):
            yield one
        elif isinstance(one, tuple):
            todo.extend(one)
        elif isinstance(one, Element):
            todo.extend([one.__dict__[f.name] for f in field_table(type(one)).fields])
        elif isinstance(one, Mapping):
            todo.extend(one.values())


def map_expressions(value: Any, change: Callable[[Expr], Expr]) -> Any:
    """The value with every expression changed; a part without expressions stays the same object."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, Expr):
        return change(value)
    if isinstance(value, tuple):
        parts = [map_expressions(one, change) for one in value]
        if all(map(is_, parts, value)):
            return value
        return tuple(parts) if type(value) is tuple else type(value)(*parts)
    if isinstance(value, Element):
        changed = {}
        for f in field_table(type(value)).fields:
            old = value.__dict__[f.name]
            new = map_expressions(old, change)
            if new is not old:
                changed[f.name] = new
        return with_fields(value, changed) if changed else value
    return {key: map_expressions(one, change) for key, one in value.items()} if isinstance(value, Mapping) else value


# Patterns for rolled programs


@dataclass(frozen=True)
class Pattern:
    """An element, or a part of one, with ``...`` in place of its scalars. Elements with equal patterns differ only in
    numbers, so one step of a rolled program serves them all."""

    element: type[Any]
    values: tuple[tuple[str, Any], ...]

    def fill(self, scalars: Iterator[Expr]) -> Any:
        """The element with these scalars."""
        return self.element(**{name: _fill(value, scalars) for name, value in self.values})


def _fill(value: Any, scalars: Iterator[Expr]) -> Any:
    if value is ...:
        return next(scalars)
    if isinstance(value, tuple):
        return tuple(_fill(one, scalars) for one in value)
    return value.fill(scalars) if isinstance(value, Pattern) else value


def split(element: Element, scalars: list[Any]) -> Pattern:
    """The pattern of an element; its scalars are appended to the list."""
    parts = [(f.name, f.kind.split(v, scalars)) for f, v in values_of(element) if not f.idle]
    return Pattern(type(element), tuple(parts))


# Model files


def from_data(element: type[AnElement], data: Any) -> AnElement:
    """An element from the data of a file. Keys and forms of values are checked, texts are not parsed yet; all errors
    are raised together."""
    table = field_table(element)
    if not isinstance(data, Mapping):
        if element.short:
            data = {element.short: data}
        elif data is None and not table.required:
            data = {}
        else:
            raise FieldError(f"keys with values are needed here ({', '.join(table.keys)}), not {describe(data)}")
    values, errors = dict[str, Any](), list[FreebodyError]()
    for key, value in data.items():
        f = table.keys.get(key)
        if f is None:
            hint = suggest(str(key), [*table.keys])
            errors.append(FieldError(f"there is no key '{key}' here. {hint}", str(key), of_key=True))
            continue
        try:
            values[f.name] = None if value is None and f.default is None else f.kind.read(value, UNPARSED)
        except LOCATED as error:
            errors.append(located(error, key))
    errors += [FieldError(f"the key '{key}' is missing") for key in table.required if key not in data]
    if errors:
        raise together(errors)
    if not table.plain:
        return element(**values)
    new = object.__new__(element)  # its values have been checked, and errors of others show their place in the file
    new.__dict__.update({f.name: values.get(f.name, f.default) for f in table.fields})
    return new


def to_data(element: Element, out: Any) -> dict[str, Any]:
    """An element as the data of a file, without values that equal their defaults; ``out`` writes scalars, points and
    vectors (``io.model_writer.Out``)."""
    table, defaults, values = field_table(type(element)), element.defaults(), element.__dict__
    laws, out, data = out.laws(), out.of(element), dict[str, Any]()
    for key, f in table.keys.items():
        value = values[f.name]
        if not f.kind.is_default(value, defaults[f.name]):
            data[key] = f.kind.write(value, out.at(key))
    if table.has_definitions and (shared := out.definitions(laws)) is not None:
        data["definitions"] = shared
    return data


def to_short_data(element: Element, out: Any) -> Any:
    """The data of an element: a single value, if only the ``short`` key is needed; else keys with values."""
    data, short = to_data(element, out), element.short
    return data[short] if short and [*data] == [short] else data


def schema_of(element: type[Element], tag: str = "", names: tuple[str, ...] = ()) -> dict[str, Any]:
    """The JSON schema of an element's data; the key ``tag`` holds one of its names."""
    keys: dict[str, Any] = {tag: {"enum": [*names]}} if tag else {}
    table = field_table(element)
    for f in table.keys.values():
        text = f"{f.text} ({f.unit})" if f.unit and f.text else f.text or f.unit
        value = f.kind.schema()
        value = {"anyOf": [value, {"type": "null"}]} if f.default is None else value
        keys[f.key] = {**value, "description": text} if text else value
    required = [tag] * bool(tag) + [*table.required]
    whole = {"type": "object", "properties": keys, "required": required, "additionalProperties": False}
    return {"anyOf": [keys[element.short], whole]} if element.short else whole


def help_text(element: type[Element], title: str = "", base: type[Element] | None = None, level: int = 3) -> str:
    """The section of an element in the reference, in Markdown; fields of ``base`` are left out."""
    known = set() if base is None else {f.name for f in fields_of(base)}
    also = f" (also {', '.join(element.aliases)})" if element.aliases else ""
    text = [f"{'#' * level} {title or element.kind}{also}", cleandoc(element.__doc__ or "")]
    rows = list[str]()
    for f in fields_of(element):
        if f.derived or f.name in known:
            continue
        default = "required" if f.default is MISSING else "" if f.default in (None, "", ()) else str(f.default)
        default = f.default.kind if isinstance(f.default, Element) else default
        rows.append(f"| `{f.key}` | {f.kind.type_name} | {f.unit} | {default} | {f.text} |")
    table = "\n".join(["| field | type | unit | default | meaning |", "|---|---|---|---|---|", *rows]) if rows else ""
    return "\n\n".join(part for part in (*text, table) if part)


class Family(dict[str, type[Element]]):
    """A table of elements by name, such as all joints. ``tag``: the key in a file's data that holds the name; without
    it the name is the only key. ``list_form``: the name and the key for which a list stands in a file."""

    def __init__(
        self, name: str, *members: type[Element], tag: str = "", list_form: tuple[str, str] | None = None
    ) -> None:
        super().__init__()
        self.name, self.tag, self.list_form = name, tag, list_form
        self.elsewhere: dict[str, str] = {}  # names of elements that files have in another section, with what to write
        self.add(*members)

    def add(self, *members: type[Element]) -> None:
        """Add classes of elements by their names."""
        self.update({cls.kind: cls for cls in members})

    @property
    def aliases(self) -> dict[str, str]:
        """Other names of its members."""
        return {alias: name for name, cls in self.items() for alias in cls.aliases}

    def find(self, name: Any) -> type[Element]:
        """The member with this name or alias."""
        if isinstance(name, type) and issubclass(name, Element):
            raise FieldError(f"{name.__name__} is the class of a {self.name}; write {name.__name__}() for one of them")
        if not isinstance(name, str):
            example = f"{type(self).__name__}"
            members = ", ".join(f"fb.{one.__name__}(…)" for one in list(self.values())[:2]) or example
            raise FieldError(f"a {self.name} is needed, such as {members} or its name as text, not {describe(name)}")
        aliases = self.aliases
        member = self.get(aliases.get(name, name))
        if member is None and name in self.elsewhere:
            raise FieldError(f"'{name}' is not written here: {self.elsewhere[name]}")
        if member is None:
            raise FieldError(f"there is no {self.name} '{name}'. {suggest(name, [*self, *aliases])}")
        return member

    def from_data(self, data: Any) -> Any:
        """The member in the data of a file: forms are checked, texts are not parsed yet."""
        if isinstance(data, list) and self.list_form:
            name, key = self.list_form
            return from_data(self[name], {key: data})
        if self.tag:
            if not isinstance(data, Mapping):
                return from_data(self.find(data), {})
            if self.tag not in data:
                raise FieldError(f"the key '{self.tag}' is missing; it names the {self.name}: {', '.join(self)}")
            return from_data(self.find(data[self.tag]), {k: v for k, v in data.items() if k != self.tag})
        if not isinstance(data, Mapping) or len(data) != 1:
            raise FieldError(f"exactly one key is needed here, one of {', '.join(self)}")
        ((name, inside),) = data.items()
        try:
            member = self.find(name)
        except FieldError as error:
            raise FieldError(error.message, str(name), of_key=True) from None
        if inside is None:
            keys = ", ".join(field_table(member).keys)
            raise FieldError(f"keys with values are needed here ({keys}), not nothing", name, of_key=True)
        with within(name):
            return from_data(member, inside)

    def to_data(self, element: Any, out: Any) -> Any:
        """A member as the data of a file."""
        if not isinstance(element, Element) or type(element) is not self.get(element.kind):
            wrong = f"a {type(element).__name__}" if isinstance(element, Element) else repr(element)[:60]
            raise FieldError(f"{wrong} is not a {self.name} that a file can name; use {', '.join(self)}", *out.path)
        if not self.tag:
            return {element.kind: to_short_data(element, out.at(element.kind))}
        inside = to_data(element, out)
        return {self.tag: element.kind, **inside} if inside else element.kind

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the data of any member."""
        if self.tag:
            whole = [schema_of(cls, self.tag, (name, *cls.aliases)) for name, cls in self.items()]
            name, key = self.list_form or ("", "")
            bare = [field_table(self[name]).keys[key].kind.schema()] if self.list_form else []
            return {"anyOf": [{"enum": [*self, *self.aliases]}, *bare, *whole]}
        return {
            "type": "object",
            "properties": {name: schema_of(cls) for name, cls in self.items()},
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": False,
        }


# Kinds of fields that hold elements


@dataclass(frozen=True)
class MemberOf(FieldKind):
    """An element of a family."""

    family: Family
    nested = True

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return self.family.name

    def read(self, value: Any, scope: Scope) -> Any:
        element = value if isinstance(value, Element) else self.family.from_data(value)
        return element if scope is UNPARSED else normal_form(element, scope, late=False)

    def read_late(self, value: Any, scope: Scope) -> Any:
        return normal_form(value, scope, late=True)

    def write(self, value: Any, out: Any) -> Any:
        return self.family.to_data(value, out)

    def schema(self) -> dict[str, Any]:
        return {SHARED: self.family.name}

    def split(self, value: Any, scalars: list[Any]) -> Any:
        return split(value, scalars)


@dataclass(frozen=True)
class ElementOf(FieldKind):
    """An element of one class."""

    element: type[Element]

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return self.element.kind

    def read(self, value: Any, scope: Scope) -> Any:
        element = value if isinstance(value, self.element) else from_data(self.element, value)
        return element if scope is UNPARSED else normal_form(element, scope, late=False)

    def write(self, value: Any, out: Any) -> Any:
        return to_short_data(value, out)

    def schema(self) -> dict[str, Any]:
        whole = schema_of(self.element)
        return whole if field_table(self.element).required else {"anyOf": [whole, {"type": "null"}]}
