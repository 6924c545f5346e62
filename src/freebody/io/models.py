"""The format of model files, as pydantic checks it and as JSON schema says it.

Only the shape is checked here: keys, lists, what is a number, a text or a name. What expressions mean and whether a
body can be is for the reader. Joints, solids and shapes come from the tables of ``freebody.model``. Tags of unions
stand in angle brackets, so that no path of an error takes them for keys.
"""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, get_origin

from pydantic import BeforeValidator, Field, PlainValidator, Tag, WithJsonSchema, create_model, model_validator

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
    section,
)
from freebody.model import inertia
from freebody.model.joints import JOINTS
from freebody.model.shapes import SHAPES

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


# Points and vectors


class Along(Keys):
    """Components along the axes of a frame."""

    in_: Name = Field(alias="in")
    xyz: Trio


class Point(Keys):
    short: ClassVar[str] = "body"
    body: Name
    at: "Place" = Field(default_factory=lambda: [0, 0, 0])
    name: Name | None = None


class Position(Keys):
    position: Point
    of: Point | None = None


class Velocity(Keys):
    velocity: Point


class Acceleration(Keys):
    acceleration: Point


class AngularVelocity(Keys):
    angular_velocity: Name = Field(alias="angular velocity")


class AngularAcceleration(Keys):
    angular_acceleration: Name = Field(alias="angular acceleration")


class ReactionForce(Keys):
    reaction_force: Name = Field(alias="reaction force")


class ReactionTorque(Keys):
    reaction_torque: Name = Field(alias="reaction torque")


TERMS = (
    "position", "velocity", "acceleration", "angular velocity", "angular acceleration", "reaction force",
    "reaction torque",
)  # fmt: skip


def piece(value: Any) -> str:
    return next((key for key in TERMS if isinstance(value, dict) and key in value), "along")


def sum_of(value: Any) -> str:
    """Mappings in a list are terms of a sum; anything else in a list is a scalar."""
    if isinstance(value, list):
        return "sum" if all(isinstance(v, dict) for v in value) else "xyz"
    return "axis" if isinstance(value, str) else "piece"


def no_frame(value: Any) -> Any:
    raise ValueError("say along which axes: {in: ground, xyz: [0, 0, 1]}, or a list of such")


Piece = Annotated[
    Annotated[Along, Tag("<along>")] | Annotated[Position, Tag("<position>")] | Annotated[Velocity, Tag("<velocity>")]
    | Annotated[Acceleration, Tag("<acceleration>")] | Annotated[AngularVelocity, Tag("<angular velocity>")]
    | Annotated[AngularAcceleration, Tag("<angular acceleration>")]
    | Annotated[ReactionForce, Tag("<reaction force>")] | Annotated[ReactionTorque, Tag("<reaction torque>")],
    choice(piece),
]  # fmt: skip
Sum = Annotated[list[Piece], Tag("<sum>")]
NoFrame = Annotated[Any, PlainValidator(no_frame), WithJsonSchema({"not": {}}), Tag("<xyz>")]
Vector = Annotated[Sum | Annotated[Piece, Tag("<piece>")] | Annotated[Text, Tag("<axis>")] | NoFrame, choice(sum_of)]
Place = Annotated[
    Sum | Annotated[Piece, Tag("<piece>")] | Annotated[Text, Tag("<axis>")] | Annotated[Trio, Tag("<xyz>")],
    choice(sum_of),
]


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


Scale = Annotated[
    Annotated[Trio, Tag("<xyz>")] | Annotated[Scalar, Tag("<one>")],
    choice(lambda v: "xyz" if isinstance(v, list) else "one"),
]


def shape_models() -> Any:
    """One key, the name of a shape, with its sizes."""
    made: dict[str, Any] = {}
    for word, shape in SHAPES.items():
        sizes: dict[str, Any] = {}
        for f in fields(shape):
            what: Any = Trio if get_origin(f.type) is tuple else Text if f.type is str else Scalar
            what = Scale if f.name == "scale" else what
            sizes[f.name] = (what, ... if f.default is MISSING else f.default)
        made[word] = (create_model(f"{word}_shape", __base__=Keys, **sizes) | None, None)
    return create_model("Shape", __base__=OneOf, **made)


if TYPE_CHECKING:
    Solid: TypeAlias = Any
    OneShape: TypeAlias = Any
else:
    Solid, OneShape = solid_models(), shape_models()
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


Joint = Annotated[Any, PlainValidator(JOINTS.made), WithJsonSchema(JOINTS.schema())]


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


class Force(Keys):
    name: Name | None = None
    vector: Vector
    at: Point
    reaction: Name | None = None


class Torque(Keys):
    """A vector, or a value about a direction."""

    name: Name | None = None
    vector: Vector | None = None
    value: Scalar | None = None
    about: Vector | None = None
    on: Name
    reaction: Name | None = None

    @model_validator(mode="after")
    def _either(self) -> "Torque":
        if (self.vector is None) == (self.value is None) or (self.value is None) != (self.about is None):
            raise ValueError("a torque has a vector, or a value and the direction it is about")
        return self


class Line(Keys):
    name: Name | None = None
    from_: Point = Field(alias="from")
    to: Point
    law: Scalar
    definitions: Annotated[dict[str, Scalar], BeforeValidator(section)] = Field(default_factory=dict)


class Spring(Keys):
    name: Name | None = None
    from_: Point = Field(alias="from")
    to: Point
    stiffness: Scalar = 0
    length: Scalar = 0
    damping: Scalar = 0


class Effort(Keys):
    name: Name | None = None
    on: Name
    value: Scalar
    speed: Text = ""


class Load(OneOf):
    force: Force | None = None
    torque: Torque | None = None
    line: Line | None = None
    spring: Spring | None = None
    effort: Effort | None = None


Loads = Annotated[
    Annotated[list[Load], Tag("<list>")] | Annotated[dict[str, Load], Tag("<names>")],
    choice(lambda v: "list" if isinstance(v, list) else "names"),
]


class Norm(Keys):
    norm: Vector


def output(value: Any) -> str:
    if isinstance(value, dict) and "norm" in value:
        return "norm"
    return sum_of(value) if isinstance(value, dict | list) else "scalar"


Output = Annotated[
    Annotated[Scalar, Tag("<scalar>")] | Sum | Annotated[Piece, Tag("<piece>")] | Annotated[Norm, Tag("<norm>")]
    | NoFrame,
    choice(output),
]  # fmt: skip


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


Point.model_rebuild()
Model.model_rebuild()
