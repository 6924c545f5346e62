"""The format of model files: a file is an element whose fields are its sections."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from freebody.errors import FILE_WORDS, LOCATED, FieldError, FreebodyError, located, together, within
from freebody.io import limits
from freebody.model.blocks import BLOCKS
from freebody.model.body import BodySpec
from freebody.model.builder import GRAVITY
from freebody.model.constraints import CONSTRAINTS
from freebody.model.contact.contact import Contact
from freebody.model.contact.joint_stop import JointStop
from freebody.model.contact.material import ContactMaterial
from freebody.model.declarations import Filter, Input, Parameter, State, TableSpec
from freebody.model.element import (
    Element,
    ElementOf,
    Family,
    MemberOf,
    field,
    field_table,
    fields_of,
    from_data,
    schema_of,
    to_data,
)
from freebody.model.flexible import FLEXIBLE
from freebody.model.joints import JOINTS
from freebody.model.kinds import SCALAR_SCHEMA, SHARED, UNPARSED, FieldKind, ListOf, Scalar, Scope, Text, describe
from freebody.model.loads import LOADS
from freebody.model.orientation import Orientation
from freebody.model.outputs import OutputEntry
from freebody.model.sampled import SENSORS, Controller, Sampled, SensorEntry
from freebody.model.shapes import SHAPES
from freebody.model.vectors import shared_schemas
from freebody.scalar.symbol import PARAMETERS_ONLY

CHANGED_MEANINGS = (
    f". Before format {limits.FORMAT} tables continued beyond their range (now outside: extrapolate; by default they"
    " hold their last value), and one number for EI, GA or rotary_inertia of a beam was that of bending along y (now"
    " [EI, null]; one number is for both planes). Change these where the file has them, and write freebody:"
    f" {limits.FORMAT}"
)
"""What files of earlier formats must change to keep their numbers."""


class FormatNumber(FieldKind):
    """The number of the format, which is always the same."""

    type_name = str(limits.FORMAT)

    def read(self, given: Any, scope: Scope) -> Any:
        if type(given) is not int or given != limits.FORMAT:
            text = f"the number of the format is {limits.FORMAT}, not {describe(given)}; this release reads no other"
            if given == 1 and type(given) is int:
                words = ", ".join(f"'{old}' is now {' or '.join(map(repr, new))}" for old, new in FILE_WORDS.items())
                text += f". Change the words that were renamed ({words}; 'length' in springs only) and write"
                text += f" {limits.FORMAT} here"
            if type(given) is int and given in (1, 2):
                text += CHANGED_MEANINGS
            raise FieldError(text)
        return given

    def is_default(self, value: Any, default: Any) -> bool:
        return False

    def schema(self) -> dict[str, Any]:
        return {"const": limits.FORMAT}


class Name(Text):
    """What something is called."""

    type_name = "name"

    def read(self, given: Any, scope: Scope) -> Any:
        name = super().read(given, scope)
        if len(name) > limits.NAME or not name.isprintable():
            raise FieldError(f"a name has at most {limits.NAME} visible characters")
        return name

    def write(self, value: Any, out: Any) -> Any:
        return named(value, *out.path)

    def is_default(self, value: Any, default: Any) -> bool:
        return False


def named(name: str, *path: str | int) -> str:
    """A name that a file can hold."""
    if len(name) > limits.NAME or not name.isprintable() or not name.strip():
        text = f"the name {name[:60]!r} cannot stand in a file; use at most {limits.NAME} visible characters"
        raise FieldError(text, *path)
    return name


@dataclass(frozen=True)
class Section(FieldKind):
    """Elements by name, or nothing. ``most``: how many there may be; ``bare``: a list of names stands for
    elements without further fields."""

    item: FieldKind
    most: int = 0
    bare: bool = False

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return f"{self.item.type_name} by name"

    def read(self, given: Any, scope: Scope) -> Any:
        if given is None:
            return {}
        if self.bare and isinstance(given, list):
            given = dict.fromkeys(ListOf(Text()).read(given, scope))
        if not isinstance(given, Mapping):
            raise FieldError(f"keys with values are needed here, not {describe(given)}")
        if self.most and len(given) > self.most:
            raise FieldError(f"{len(given)} bodies are too many; a model file has at most {self.most}")
        return collected(given.items(), lambda one: self.item.read(one, scope))

    def write(self, value: Any, out: Any) -> Any:
        written = {named(name, *out.path): self.item.write(one, out.at(name)) for name, one in value.items()}
        return list(written) if self.bare and not any(written.values()) else written

    def is_default(self, value: Any, default: Any) -> bool:
        return not value

    def schema(self) -> dict[str, Any]:
        most = {"maxProperties": self.most} if self.most else {}
        forms = [{"type": "object", "additionalProperties": self.item.schema(), **most}, {"type": "null"}]
        return {"anyOf": [*forms, {"type": "array", "items": {"type": "string"}}] if self.bare else forms}


Read = TypeVar("Read")


def collected(parts: "Iterable[tuple[Any, Any]]", read: Callable[[Any], Read]) -> "dict[Any, Read]":
    """What is read of each part, by its key; all that is wrong is raised at once."""
    found, errors = dict[Any, Read](), list[FreebodyError]()
    for key, given in parts:
        try:
            found[key] = read(given)
        except LOCATED as error:
            errors.append(located(error, key))
    if errors:
        raise together(errors)
    return found


class MemberSection(Section):
    """Elements of a family by name, or a list of them with an optional name inside. What is read is (name, element) by
    key or index."""

    item: "NamedMember"

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, list):
            return collected(enumerate(given), self.item.read_with_name)
        return super().read(given, scope)

    def schema(self) -> dict[str, Any]:
        """Any member; where the section is a list, its name stands inside."""
        one, name = self.item.family.schema(), {"type": "string", "description": "what it is called"}
        for inside in one["properties"].values():
            fields = inside["anyOf"][-1] if "anyOf" in inside else inside
            fields["properties"] = {**fields["properties"], "name": name}
        return {"anyOf": [*super().schema()["anyOf"], {"type": "array", "items": one}]}


class NamedMember(MemberOf):
    """An element of a family whose name stands before it."""

    def read(self, given: Any, scope: Scope) -> Any:
        if "name" in self._fields(given):
            text = "its name stands before it already; leave this one out"
            raise FieldError(text, next(iter(given)), "name")
        return "", super().read(given, scope)

    def read_with_name(self, given: Any) -> tuple[str, Any]:
        """The element and the name that stands inside."""
        fields, name = self._fields(given), ""
        if "name" in fields:
            (word,) = given
            with within(word, "name"):
                name = Name().read(fields["name"], UNPARSED)
            given = {word: {key: value for key, value in fields.items() if key != "name"}}
        return name, self.family.from_data(given)

    def _fields(self, given: Any) -> Mapping[str, Any]:
        """The fields by key, if the kind of the element is known and its fields are not in a short form."""
        word = next(iter(given)) if isinstance(given, Mapping) and len(given) == 1 else ""
        fields = given[word] if word in self.family else None
        return fields if isinstance(fields, Mapping) else {}


for _kind in (Contact, JointStop):
    _example = f"{_kind.section}: {{NAME: {{{', '.join(f'{key}: …' for key in field_table(_kind).required)}}}}}"
    _advice = f"files have it in a section of its own, {_example}"
    LOADS.elsewhere |= dict.fromkeys((_kind.kind, _kind.group, _kind.section), _advice)


@dataclass(frozen=True)
class SymbolName(Element):
    """A symbol by its name, where no expression can spell that."""

    symbol: Any = field(Text(), "its name")


class Definition(FieldKind):
    """A number, a text, or {symbol: name}."""

    type_name = "expression"

    def read(self, given: Any, scope: Scope) -> Any:
        return from_data(SymbolName, given) if isinstance(given, Mapping) else UNPARSED.scalar(given)

    def write(self, value: Any, out: Any) -> Any:
        return to_data(value, out) if isinstance(value, SymbolName) else value

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [SCALAR_SCHEMA, schema_of(SymbolName)]}


class Overrides(FieldKind):
    """Values of parameters by name."""

    type_name = "values by name"
    json_schema: ClassVar[dict[str, Any]] = {"type": "object", "additionalProperties": SCALAR_SCHEMA}

    def read(self, given: Any, scope: Scope) -> Any:
        if not isinstance(given, Mapping):
            raise FieldError(f"parameters by name are needed here, not {describe(given)}")
        return collected(given.items(), UNPARSED.scalar)


@dataclass(frozen=True)
class Include(Element):
    """A component from another model file. Its elements get its name as a prefix: ``left leg.knee``. A massless body
    ``mount``, welded to a body of this file, carries those bodies of the component that have no ``on``."""

    file: Any = field(Text(), "model file, in the folder of this file or below it")
    on: Any = field(Text(), "body that carries the component", default="ground")
    at: Any = field(ListOf(Scalar(PARAMETERS_ONLY), 3), "position of its mount there", default=(0, 0, 0), unit="m")
    orient: Any = field(Orientation(), "orientation of its mount there", default=None)
    parameters: Any = field(Overrides(), "values of its parameters: numbers, or expressions of this file", default=())
    kind: ClassVar[str] = "include"
    short: ClassVar[str] = "file"


@dataclass(frozen=True)
class ModelFile(Element):
    """A mechanical system."""

    freebody: Any = field(FormatNumber(), "number of the format", default=limits.FORMAT)
    name: Any = field(Name(), "name of the system", default="system")
    gravity: Any = field(GRAVITY, "acceleration of gravity along the ground's axes", default=(0, 0, -9.81), unit="m/s²")
    parameters: Any = field(Section(ElementOf(Parameter)), "constants with default values", default=())
    inputs: Any = field(Section(ElementOf(Input), bare=True), "quantities from outside", default=())
    states: Any = field(Section(ElementOf(State)), "extra states", default=())
    filters: Any = field(Section(ElementOf(Filter)), "low-pass filters, which become extra states", default=())
    tables: Any = field(Section(ElementOf(TableSpec)), "functions of one variable that expressions may use", default=())
    definitions: Any = field(Section(Definition()), "expressions that other expressions may use by name", default=())
    bodies: Any = field(
        Section(ElementOf(BodySpec), limits.BODIES), "bodies, parents before their children", default=()
    )
    include: Any = field(Section(ElementOf(Include)), "components from other files", default=())
    loads: Any = field(MemberSection(NamedMember(LOADS)), "forces and torques", default=())
    materials: Any = field(Section(ElementOf(ContactMaterial)), "materials that contacts share", default=())
    contacts: Any = field(Section(ElementOf(Contact)), "pairs of shapes that can touch", default=())
    stops: Any = field(Section(ElementOf(JointStop)), "stops of joints", default=())
    constraints: Any = field(
        MemberSection(NamedMember(CONSTRAINTS)), "closed loops and other restrictions of the motion", default=()
    )
    blocks: Any = field(
        MemberSection(NamedMember(BLOCKS)), "filters, controllers and other laws with states", default=()
    )
    outputs: Any = field(Section(OutputEntry()), "quantities computed along the motion", default=())
    sensors: Any = field(
        Section(SensorEntry(SENSORS)), "quantities that are measured at samples, with errors", default=()
    )
    controllers: Any = field(
        Section(ElementOf(Controller)),
        "laws that are evaluated at samples, whose values are held in between",
        default=(),
    )

    def __post_init__(self) -> None:
        for f in fields_of(type(self)):
            if isinstance(f.kind, Section):
                object.__setattr__(self, f.name, dict(self.__dict__[f.name]))

    @property
    def sampled(self) -> dict[str, Sampled]:
        """The sampled elements of all sections."""
        return {**self.sensors, **self.controllers}

    def defaults(self) -> dict[str, Any]:
        """A file says the number of its format, its name and gravity also where they are the usual ones."""
        return {**super().defaults(), "freebody": None, "name": None, "gravity": None}


def json_schema() -> str:
    """The format as JSON schema (docs/model.schema.json)."""
    families: tuple[Family, ...] = (JOINTS, FLEXIBLE, LOADS, CONSTRAINTS, SHAPES, BLOCKS)
    shared = {**shared_schemas(), **{family.name.replace(" ", "_"): family.schema() for family in families}}
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A model file of freebody"}
    return json.dumps(_linked({**whole, **schema_of(ModelFile), "$defs": shared}), indent=1) + "\n"


def _linked(schema: Any) -> Any:
    """A schema with references to those that fields share."""
    if isinstance(schema, dict):
        found = {k: _linked(v) for k, v in schema.items() if k != SHARED}
        return {"$ref": f"#/$defs/{schema[SHARED].replace(' ', '_')}", **found} if SHARED in schema else found
    return [_linked(one) for one in schema] if isinstance(schema, list) else schema
