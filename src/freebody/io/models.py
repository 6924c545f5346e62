"""The format of model files, as pydantic checks it and as JSON schema says it.

Only the shape is checked here: keys, lists, what is a number, a text or a name. What expressions mean and whether a
body can be is for the reader. Joints, solids and shapes come from the tables of ``freebody.model``. Tags of unions
stand in angle brackets, so that no path of an error takes them for keys.
"""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BeforeValidator, Field, PlainValidator, Tag, WithJsonSchema, create_model, model_validator

from freebody.errors import within
from freebody.io.forms import (
    Keys,
    Name,
    OneOf,
    Rows,
    Scalar,
    Text,
    Trio,
    Turn,
    bounded,
    choice,
    format_number,
    listed,
    name,
    section,
)
from freebody.model import inertia
from freebody.model.joints import JOINTS
from freebody.model.kinds import SHARED, UNREAD
from freebody.model.loads import LOADS
from freebody.model.shapes import SHAPES
from freebody.model.vectors import OutputField

SOLIDS: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (inertia.rod, inertia.disk, inertia.ring, inertia.cylinder, inertia.sphere, inertia.shell, inertia.box,
              inertia.cone)
}  # fmt: skip


# Scalars of the model


class Parameter(Keys):
    short: ClassVar[str] = "value"
    value: Scalar
    unit: Text = ""
    description: Text = ""


class Input(Keys):
    hollow: ClassVar[bool] = True
    unit: Text = ""
    description: Text = ""


class State(Keys):
    short: ClassVar[str] = "rate"
    rate: Scalar
    initial: Scalar = 0
    unit: Text = ""
    description: Text = ""


class Symbol(Keys):
    """A symbol by its name, where the name is none that an expression can spell."""

    symbol: Text


Definition = Annotated[
    Annotated[Symbol, Tag("<symbol>")] | Annotated[Scalar, Tag("<scalar>")],
    choice(lambda v: "symbol" if isinstance(v, dict) else "scalar"),
]


class Table(Keys):
    """Points and how they are joined, or the pieces themselves."""

    name: Text | None = None
    x: list[Scalar] | None = None
    y: list[Scalar] | None = None
    method: Literal["linear", "cubic"] = "linear"
    outside: Literal["extend", "hold"] = "extend"
    breaks: list[Scalar] | None = None
    origins: list[Scalar] | None = None
    coefficients: list[list[Scalar]] | None = None

    @model_validator(mode="after")
    def _whole(self) -> "Table":
        points, pieces = (self.x, self.y), (self.breaks, self.origins, self.coefficients)
        if None in points and None in pieces:
            raise ValueError("a table needs x and y (or breaks, origins and coefficients)")
        if any(p is not None for p in points) and any(p is not None for p in pieces):
            raise ValueError("a table has x and y, or breaks, origins and coefficients, not both")
        return self


# Bodies


def solid_models() -> Any:
    """One key, the name of a solid, with what its function takes; the mass is the body's unless it is given."""
    made: dict[str, Any] = {}
    for word, function in SOLIDS.items():
        takes: dict[str, Any] = {"mass": (Scalar | None, None)}
        for given in [*inspect.signature(function).parameters.values()][1:]:
            takes[given.name] = (Literal["x", "y", "z"], "z") if given.name == "axis" else (Scalar, ...)
        made[word] = (create_model(f"{word}_inertia", __base__=Keys, **takes) | None, None)
    return create_model("Solid", __base__=OneOf, **made)


if TYPE_CHECKING:
    Solid: TypeAlias = Any
else:
    Solid = solid_models()
OneShape = Annotated[Any, PlainValidator(SHAPES.made), WithJsonSchema({SHARED: SHAPES.name})]
Shape = Annotated[
    Annotated[list[OneShape], Tag("<several>")] | Annotated[OneShape, Tag("<one>")],
    choice(lambda v: "several" if isinstance(v, list) else "one"),
]


def orientation(value: Any) -> str:
    if isinstance(value, dict):
        return "turn"
    return "turns" if isinstance(value, list) and any(isinstance(v, dict) for v in value) else "rows"


def moments(value: Any) -> str:
    if isinstance(value, dict):
        return "solid"
    return "rows" if isinstance(value, list) and any(isinstance(v, list) for v in value) else "moments"


Orient = Annotated[
    Annotated[Turn, Tag("<turn>")] | Annotated[list[Turn], Tag("<turns>")] | Annotated[Rows, Tag("<rows>")],
    choice(orientation),
]
Inertia = Annotated[
    Annotated[Trio, Tag("<moments>")] | Annotated[Rows, Tag("<rows>")] | Annotated[Solid, Tag("<solid>")],
    choice(moments),
]


Joint = Annotated[Any, PlainValidator(JOINTS.made), WithJsonSchema({SHARED: JOINTS.name})]


class Tie(Keys):
    """q = ratio · q of another body + offset."""

    short: ClassVar[str] = "to"
    to: Name
    ratio: Scalar = 1
    offset: Scalar = 0


class Body(Keys):
    hollow: ClassVar[bool] = True
    on: Name = "ground"
    joint: Joint = JOINTS["weld"]()
    at: Trio = Field(default_factory=lambda: [0, 0, 0])
    orient: Orient | None = None
    mass: Scalar = 0
    com: Trio = Field(default_factory=lambda: [0, 0, 0])
    inertia: Inertia | None = None
    about: Trio | None = None
    shape: Shape | None = None
    physical: bool = True
    tie: Tie | None = None


# Loads and outputs


def named_load(data: Any) -> Any:
    """A load and the name that stands inside, where loads are a list."""
    word = next(iter(data), "") if isinstance(data, dict) and len(data) == 1 else ""
    inside = data[word] if word in LOADS else None
    if not isinstance(inside, dict) or "name" not in inside:
        return "", LOADS.made(data)
    with within(word, "name"):
        called = name(inside["name"])
    return called, LOADS.made({word: {k: v for k, v in inside.items() if k != "name"}})


def load_schema() -> Any:
    """Any load; where loads are a list, its name stands inside."""
    whole = LOADS.schema()
    for one in whole["properties"].values():
        one["properties"]["name"] = {"type": "string", "description": "its name, where loads are a list"}
    return whole


Load = Annotated[Any, PlainValidator(named_load), WithJsonSchema({SHARED: LOADS.name})]
Loads = Annotated[
    Annotated[list[Load], Tag("<list>")] | Annotated[dict[str, Load], Tag("<names>")],
    choice(lambda v: "list" if isinstance(v, list) else "names"),
]
Output = Annotated[Any, PlainValidator(lambda v: OutputField().read(v, UNREAD)), WithJsonSchema(OutputField().schema())]


class Model(Keys):
    """A mechanical system."""

    freebody: Annotated[Literal[1], BeforeValidator(format_number)] = 1
    name: Name = "system"
    gravity: Trio = Field(default_factory=lambda: [0, 0, -9.81])
    parameters: Annotated[dict[str, Parameter], BeforeValidator(section)] = Field(default_factory=dict)
    inputs: Annotated[dict[str, Input], BeforeValidator(listed)] = Field(default_factory=dict)
    states: Annotated[dict[str, State], BeforeValidator(section)] = Field(default_factory=dict)
    tables: Annotated[dict[str, Table], BeforeValidator(section)] = Field(default_factory=dict)
    definitions: Annotated[dict[str, Definition], BeforeValidator(section)] = Field(default_factory=dict)
    bodies: Annotated[dict[str, Body], BeforeValidator(bounded)] = Field(default_factory=dict)
    loads: Annotated[Loads, BeforeValidator(section)] = Field(default_factory=dict)
    outputs: Annotated[dict[str, Output], BeforeValidator(section)] = Field(default_factory=dict)


Model.model_rebuild()
