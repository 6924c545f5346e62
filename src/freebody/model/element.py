"""An element describes itself once: a frozen dataclass whose fields carry a kind. Whatever is done with elements
(normal form and checks, files, schema, rolled kinds, help) is a function here that walks the list of fields, so an
element's own names are free for its fields and its law."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, replace
from operator import is_
from typing import Any, ClassVar, Self, TypeVar

from freebody.errors import LOCATED, FieldError, FreebodyError, ModelError, located, together, within
from freebody.model.kinds import SHARED, UNPARSED, FieldKind, Scope, describe, suggest
from freebody.scalar.expr import Expr

Made = TypeVar("Made", bound="Element")


@dataclass(frozen=True)
class Field:
    """What a field holds, in which unit, and what it means. ``key`` is its name in files. A ``derived`` field follows
    from the others and is in no file; an ``idle`` one changes nothing of the motion; a ``silent`` one is in no digest,
    for another field or a symbol holds what it says."""

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
    kind: FieldKind, text: str = "", *, default: Any = MISSING, unit: str = "", key: str = "", derived: bool = False,
    idle: bool = False, silent: bool = False,
) -> Any:  # fmt: skip
    """A field of an element."""
    about = {"kind": kind, "text": text, "unit": unit, "key": key, "derived": derived, "idle": idle, "silent": silent}
    return dataclasses.field(default=default, metadata={"element": about}, repr=not derived)


@dataclass(frozen=True)
class FieldTable:
    """What is looked up of an element's fields again and again."""

    fields: tuple[Field, ...]
    keys: Mapping[str, Field]  # of files
    needed: tuple[str, ...]  # the keys without a default
    early: tuple[Field, ...]
    late: tuple[Field, ...]
    laws: bool  # whether it holds definitions of its laws
    copied: bool  # whether a change of fields is no more than a copy


class Element:
    """A subclass is a frozen dataclass: a word (``kind``), fields, a law."""

    kind: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    digest_name: ClassVar[str] = ""  # the name in digests, where the class was renamed
    short: ClassVar[str] = ""  # the key that a bare value stands for in a file
    _form: ClassVar[FieldTable]

    def finalise(self, scope: Scope) -> Self:
        """What several fields say together: checks across them, and derived fields."""
        return self

    def defaults(self) -> dict[str, Any]:
        """The default of each field, which files leave out."""
        return {f.name: f.default for f in fields_of(type(self))}

    def law_scope(self, scope: Scope) -> Scope:
        """The scope of its laws: those of their own arguments."""
        return scope

    def argument_names(self) -> Mapping[int, str]:
        """The nodes that stand for the arguments of its laws, and how files call them, where these are known."""
        return {}

    def vector_basis(self) -> Any:
        """The body along whose axes its vectors are best written, if there is one."""
        return None


def field_table(element: type[Element]) -> FieldTable:
    """The form of an element, made when it is first asked for."""
    known = element.__dict__.get("_form")
    if known is None:
        known = element._form = _form(element)
    return known


def _form(element: type[Any]) -> FieldTable:
    fields = tuple(_field(element, f) for f in dataclasses.fields(element))
    read = [f for f in fields if not f.derived]
    plain = element.__dataclass_params__.init and not any("__post_init__" in vars(c) for c in element.__mro__)
    return FieldTable(
        fields, {f.key: f for f in read}, tuple(f.key for f in read if f.default is MISSING),
        tuple(f for f in read if not f.kind.late), tuple(f for f in read if f.kind.late or f.kind.nested),
        any(f.kind.holds_definitions for f in read), plain,
    )  # fmt: skip


def _field(element: type[Any], f: "dataclasses.Field[Any]") -> Field:
    about = f.metadata.get("element")
    if about is None:
        raise TypeError(f"{element.__name__}.{f.name}: a field of an element is made by element.field(kind, …)")
    return Field(f.name, default=f.default, **{**about, "key": about["key"] or f.name})


def fields_of(element: type[Element]) -> tuple[Field, ...]:
    """The fields of an element, in the order of its dataclass."""
    return field_table(element).fields


def values_of(element: Element) -> list[tuple[Field, Any]]:
    """The fields of an element with their values."""
    return [(f, element.__dict__[f.name]) for f in fields_of(type(element))]


# Normal form


def normal_form(element: Made, scope: Scope, late: bool) -> Made:
    """The element with its fields in their normal form: those that may depend on parameters at most, or (``late``)
    those that may depend on coordinates too. Done again, nothing changes."""
    form, values, changed = field_table(type(element)), element.__dict__, dict[str, Any]()
    own: Scope | None = None
    for f in form.late if late else form.early:
        given, kind = values[f.name], f.kind
        if given is f.default and (given is None or not kind.symbolic):
            continue
        if kind.takes_arguments and own is None:
            own = element.law_scope(scope)
        try:
            if kind.late is late:
                made = kind.read(given, own if kind.takes_arguments and own is not None else scope)
            else:
                made = kind.finish(given, scope)
        except LOCATED as error:
            raise located(error, f.key) from None
        if made is not given:
            changed[f.name] = made
    try:
        return (with_fields(element, changed) if changed else element).finalise(scope)
    except FieldError:
        raise
    except ModelError as error:
        raise FieldError(str(error)) from None


def with_fields(element: Made, changed: Mapping[str, Any]) -> Made:
    """The element with some of its fields changed."""
    form = field_table(type(element))
    if not form.copied:
        return replace(element, **changed)  # type: ignore[type-var]
    new = object.__new__(type(element))
    new.__dict__.update({f.name: element.__dict__[f.name] for f in form.fields}, **changed)
    return new


# Expressions

PLAIN = frozenset((str, int, float, bool, type(None)))
"""Types of values that hold no expressions."""


def expressions(value: Any) -> Iterator[Expr]:
    """The expressions in an element, or in anything made of elements, at any depth."""
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
    """The same with every expression changed; what holds none stays the same object."""
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


# Rolled kinds


@dataclass(frozen=True)
class Pattern:
    """An element, or a part of one, without its scalars: elements of one pattern differ by numbers alone."""

    element: type[Any]
    values: tuple[tuple[str, Any], ...]

    def filled(self, scalars: Iterator[Expr]) -> Any:
        """The element with these scalars."""
        return self.element(**{name: fill(value, scalars) for name, value in self.values})


def split(element: Element, scalars: list[Any]) -> Pattern:
    """The pattern of an element; its scalars are added to the list."""
    parts = [(f.name, f.kind.split(v, scalars)) for f, v in values_of(element) if not f.idle]
    return Pattern(type(element), tuple(parts))


def fill(value: Any, scalars: Iterator[Expr]) -> Any:
    """A value with scalars in their places again."""
    if value is ...:
        return next(scalars)
    if isinstance(value, tuple):
        return tuple(fill(one, scalars) for one in value)
    return value.filled(scalars) if isinstance(value, Pattern) else value


# Files


def from_data(element: type[Made], data: Any) -> Made:
    """An element from a file's data: keys and the form of values are checked, texts are not read yet. All that is wrong
    is raised at once."""
    form = field_table(element)
    if not isinstance(data, Mapping):
        if element.short:
            data = {element.short: data}
        elif data is None and not form.needed:
            data = {}
        else:
            raise FieldError(f"keys with values are needed here ({', '.join(form.keys)}), not {describe(data)}")
    values, errors = dict[str, Any](), list[FreebodyError]()
    for key, value in data.items():
        f = form.keys.get(key)
        if f is None:
            hint = suggest(str(key), [*form.keys])
            errors.append(FieldError(f"there is no key '{key}' here. {hint}", str(key), of_key=True))
            continue
        try:
            values[f.name] = None if value is None and f.default is None else f.kind.read(value, UNPARSED)
        except LOCATED as error:
            errors.append(located(error, key))
    errors += [FieldError(f"the key '{key}' is missing") for key in form.needed if key not in data]
    if errors:
        raise together(errors)
    return element(**values)


def to_data(element: Element, out: Any) -> dict[str, Any]:
    """An element as the data of a file, less what need not be said; ``out`` writes scalars."""
    form, usual, values = field_table(type(element)), element.defaults(), element.__dict__
    laws, out, written = out.laws(), out.of(element), dict[str, Any]()
    for key, f in form.keys.items():
        value = values[f.name]
        if not f.kind.is_default(value, usual[f.name]):
            written[key] = f.kind.write(value, out.at(key))
    if form.laws and (shared := out.definitions(laws)) is not None:
        written["definitions"] = shared
    return written


def schema_of(element: type[Element], tag: str = "", words: tuple[str, ...] = ()) -> dict[str, Any]:
    """The data of an element as JSON schema; ``tag`` is the key that holds one of its words."""
    keys: dict[str, Any] = {tag: {"enum": [*words]}} if tag else {}
    form = field_table(element)
    for f in form.keys.values():
        about = f"{f.text} ({f.unit})" if f.unit and f.text else f.text or f.unit
        value = f.kind.schema()
        value = {"anyOf": [value, {"type": "null"}]} if f.default is None else value
        keys[f.key] = {**value, "description": about} if about else value
    needed = [tag] * bool(tag) + [*form.needed]
    whole = {"type": "object", "properties": keys, "required": needed, "additionalProperties": False}
    if element.short:
        return {"anyOf": [keys[element.short], whole]}
    return whole


def help_text(element: type[Element], title: str = "", base: type[Element] | None = None, level: int = 3) -> str:
    """A table of an element's fields, in Markdown; those of ``base`` are left out."""
    known = set() if base is None else {f.name for f in fields_of(base)}
    fields = [f for f in fields_of(element) if not f.derived and f.name not in known]
    also = f" (also {', '.join(element.aliases)})" if element.aliases else ""
    text = [f"{'#' * level} {title or element.kind}{also}", " ".join((element.__doc__ or "").split())]
    rows = [
        f"| `{f.key}` | {f.kind.type_name} | {f.unit} | {_shown(f.default)} | {f.text} |"
        for f in fields
    ]
    table = "\n".join(["| field | what | unit | default | |", "|---|---|---|---|---|", *rows]) if rows else ""
    return "\n\n".join(part for part in (*text, table) if part)


def _shown(default: Any) -> str:
    """A default in words."""
    if default is MISSING:
        return "needed"
    return default.kind if isinstance(default, Element) else "" if default in ("", ()) else str(default)


class Family(dict[str, type[Element]]):
    """A table of elements by their words. ``tag``: the key of a file's data that holds the word (none: the word is
    itself the only key); ``listed``: the word, and the key, that a bare list stands for."""

    def __init__(
        self, name: str, *members: type[Element], tag: str = "", listed: tuple[str, str] | None = None
    ) -> None:
        super().__init__({cls.kind: cls for cls in members})
        self.name, self.tag, self.listed = name, tag, listed

    def add(self, member: type[Element]) -> None:
        self[member.kind] = member

    @property
    def aliases(self) -> dict[str, str]:
        """Other words for its members."""
        return {alias: word for word, cls in self.items() for alias in cls.aliases}

    def find(self, word: Any) -> type[Element]:
        """The member of this word, or of this alias."""
        known = {**self, **{alias: self[meant] for alias, meant in self.aliases.items()}}
        if not isinstance(word, str):
            raise FieldError(f"text is needed, not {describe(word)}; write it in quotes if it is meant as text")
        if word not in known:
            raise FieldError(f"there is no {self.name} '{word}'. {suggest(word, [*known])}")
        return known[word]

    def from_data(self, data: Any) -> Any:
        """The element that a file's data means, its form checked, its texts not read yet."""
        if isinstance(data, list) and self.listed:
            word, key = self.listed
            return from_data(self[word], {key: data})
        if self.tag:
            if not isinstance(data, Mapping):
                return from_data(self.find(data), {})
            if self.tag not in data:
                raise FieldError(f"say which {self.name} it is: {self.tag} is one of {', '.join(self)}")
            return from_data(self.find(data[self.tag]), {k: v for k, v in data.items() if k != self.tag})
        if not isinstance(data, Mapping) or len(data) != 1:
            raise FieldError(f"exactly one key is needed here, one of {', '.join(self)}")
        ((word, inside),) = data.items()
        try:
            member = self.find(word)
        except FieldError as error:
            raise FieldError(error.message, str(word), of_key=True) from None
        if inside is not None:
            with within(word):
                return from_data(member, inside)
        keys = ", ".join(f.key for f in fields_of(member) if not f.derived)
        raise FieldError(f"keys with values are needed here ({keys}), not nothing", word, of_key=True)

    def to_data(self, element: Any, out: Any) -> Any:
        """A member as the data of a file."""
        if not isinstance(element, Element) or type(element) is not self.get(element.kind):
            wrong = f"a {type(element).__name__}" if isinstance(element, Element) else repr(element)[:60]
            raise FieldError(f"{wrong} is not a {self.name} that a file can name; use {', '.join(self)}", *out.path)
        inside = to_data(element, out if self.tag else out.at(element.kind))
        if not self.tag:
            return {element.kind: inside}
        return {self.tag: element.kind, **inside} if inside else element.kind

    def schema(self) -> dict[str, Any]:
        """The data of any member as JSON schema."""
        if self.tag:
            whole = [schema_of(cls, self.tag, (word, *cls.aliases)) for word, cls in self.items()]
            bare = [field_table(self[self.listed[0]]).keys[self.listed[1]].kind.schema()] if self.listed else []
            return {"anyOf": [{"enum": [*self, *self.aliases]}, *bare, *whole]}
        return {"type": "object", "properties": {word: schema_of(cls) for word, cls in self.items()},
                "minProperties": 1, "maxProperties": 1, "additionalProperties": False}  # fmt: skip


@dataclass(frozen=True)
class MemberOf(FieldKind):
    """An element of a family."""

    family: Family
    nested = True

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return self.family.name

    def read(self, given: Any, scope: Scope) -> Any:
        element = given if isinstance(given, Element) else self.family.from_data(given)
        return element if scope is UNPARSED else normal_form(element, scope, late=False)

    def write(self, value: Any, out: Any) -> Any:
        return self.family.to_data(value, out)

    def schema(self) -> dict[str, Any]:
        return {SHARED: self.family.name}

    def split(self, value: Any, scalars: list[Any]) -> Any:
        return split(value, scalars)

    def finish(self, value: Any, scope: Scope) -> Any:
        return normal_form(value, scope, late=True)


@dataclass(frozen=True)
class ElementOf(FieldKind):
    """An element of one class."""

    element: type[Element]

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return self.element.kind

    def read(self, given: Any, scope: Scope) -> Any:
        element = given if isinstance(given, self.element) else from_data(self.element, given)
        return element if scope is UNPARSED else normal_form(element, scope, late=False)

    def write(self, value: Any, out: Any) -> Any:
        """A bare value, where that is all that is said."""
        written, short = to_data(value, out), self.element.short
        return written[short] if short and [*written] == [short] else written

    def schema(self) -> dict[str, Any]:
        """With nothing at all, where no key is needed."""
        whole = schema_of(self.element)
        return whole if field_table(self.element).needed else {"anyOf": [whole, {"type": "null"}]}
