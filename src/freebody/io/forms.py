"""What stands for a value in a model file: scalars, names, lists, mappings of known keys. The bricks of ``models``."""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    PlainValidator,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError

from freebody.io.limits import BODIES, CONTROL, FORMAT, NAME
from freebody.model.kinds import AXES, EXPRESSIONS, SCALAR_SCHEMA, described, suggest


def scalar(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"a number or an expression is needed, not {described(value)}")
    return value


def text(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError(f"text is needed, not {described(value)}; write it in quotes if it is meant as text")
    if CONTROL.search(value):
        raise ValueError("a control character has no place in a text")
    return value


def name(value: Any) -> Any:
    if len(text(value)) > NAME or not value.isprintable():
        raise ValueError(f"a name has at most {NAME} visible characters")
    return value


def several(count: int) -> Callable[[Any], Any]:
    """A list of so many values."""

    def check(value: Any) -> Any:
        if not isinstance(value, list):
            raise ValueError(f"a list of {count} is needed, not {described(value)}")
        if len(value) != count:
            broken = any(isinstance(v, str) and v.count("(") != v.count(")") for v in value)
            raise ValueError(f"a list of {count} is needed, not of {len(value)}" + broken * f"; {EXPRESSIONS}")
        return value

    return check


def axis_name(value: Any) -> Any:
    if value not in AXES:
        raise ValueError(f"'{value}' is no direction: use one of {', '.join(AXES)} or three numbers")
    return value


def section(value: Any) -> Any:
    """A section that is there but empty has nothing in it."""
    return {} if value is None else value


def listed(value: Any) -> Any:
    """A list of names stands for names with nothing said of them."""
    return {text(v): None for v in value} if isinstance(value, list) else section(value)


def format_number(value: Any) -> Any:
    if type(value) is not int or value != FORMAT:
        raise ValueError(f"the number of the format is {FORMAT}, not {described(value)}; this release reads no other")
    return value


def bounded(value: Any) -> Any:
    if isinstance(value, dict) and len(value) > BODIES:
        raise ValueError(f"there are {len(value)} bodies; a model file has at most {BODIES}")
    return section(value)


Scalar = Annotated[Any, PlainValidator(scalar), WithJsonSchema(SCALAR_SCHEMA)]
Text = Annotated[str, BeforeValidator(text)]
Name = Annotated[str, BeforeValidator(name)]
Trio = Annotated[list[Scalar], BeforeValidator(several(3)), Field(min_length=3, max_length=3)]
Rows = Annotated[list[Trio], BeforeValidator(several(3)), Field(min_length=3, max_length=3)]


def choice(test: Callable[[Any], str]) -> Discriminator:
    """Which form of several a value has."""
    return Discriminator(lambda value: f"<{test(value)}>")


AxisName = Annotated[str, PlainValidator(axis_name), WithJsonSchema({"enum": [*AXES]})]
Direction = Annotated[
    Annotated[AxisName, Tag("<name>")] | Annotated[Trio, Tag("<xyz>")],
    choice(lambda v: "name" if isinstance(v, str) else "xyz"),
]


class Keys(BaseModel):
    """A mapping of known keys; where ``short`` names one of them, a bare value stands for it."""

    model_config = ConfigDict(extra="forbid", strict=True)
    short: ClassVar[str] = ""
    hollow: ClassVar[bool] = False  # whether nothing at all is enough

    @classmethod
    def known(cls) -> list[str]:
        return [field.alias or name for name, field in cls.model_fields.items()]

    @model_validator(mode="before")
    @classmethod
    def _spelled(cls, data: Any) -> Any:
        if cls.short and not isinstance(data, dict):
            return {cls.short: data}
        if cls.hollow and data is None:
            return {}
        if not isinstance(data, dict):
            raise ValueError(f"keys with values are needed here ({', '.join(cls.known())}), not {described(data)}")
        for key in data:
            if key not in cls.known():
                raise PydanticCustomError("wrong_key", "there is no key '{key}' here. {hint}",
                                          {"key": key, "hint": suggest(key, cls.known())})  # fmt: skip
        return data

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        made = handler(core)
        if not cls.short and not cls.hollow:
            return made
        whole = handler.resolve_ref_schema(made)
        return {"anyOf": [whole["properties"][cls.short] if cls.short else {"type": "null"}, whole]}


class OneOf(Keys):
    """A mapping of exactly one key, which says what it is."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    @model_validator(mode="after")
    def _one(self) -> "OneOf":
        if len(self.model_fields_set) != 1:
            raise ValueError(f"exactly one key is needed here, one of {', '.join(self.known())}")
        key, value = self.chosen
        if value is None:
            form = next(f for f in get_args(type(self).model_fields[key].annotation) if f is not type(None))
            raise PydanticCustomError("wrong_key", "keys with values are needed here ({known}), not nothing",
                                      {"key": key, "known": ", ".join(form.known())})  # fmt: skip
        return self

    @property
    def chosen(self) -> tuple[str, Any]:
        """The key and its value."""
        (key,) = self.model_fields_set
        return key, dict(self)[key]


class Turn(Keys):
    axis: Direction
    angle: Scalar
