"""Shapes of bodies by name, ``FL_FOOT.tip``, as contacts need them: with the body that carries them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from freebody.errors import FieldError, within
from freebody.model.body import Body, Reference, name_of
from freebody.model.element import Element, field, from_data, normal_form, schema_of
from freebody.model.kinds import UNPARSED, FieldKind, Scope, Text, describe, suggest
from freebody.model.shapes import SHAPES, Plane, ShapeElement, ShapeField
from freebody.model.vectors import BodyField


@dataclass(frozen=True, eq=False)
class ShapeOnBody(Element):
    """A shape and the body that carries it: one of the shapes with which the body is drawn, by its ``label``, or a
    shape of its own. In files ``body.label``, or {body: …, shape: …}."""

    body: Any = field(BodyField(), "body that carries the shape")
    shape: Any = field(ShapeField(), "the shape, along the axes of the body")
    label: Any = field(Text(), "name of the shape on its body", default="", derived=True, silent=True)
    kind: ClassVar[str] = "shape on a body"

    @property
    def name(self) -> str:
        """How errors and tables call it."""
        return f"{self.body}.{self.label or self.shape.kind}"


def shapes_of(body: Reference) -> dict[str, ShapeElement]:
    """The shapes of a body by the names by which contacts know them: their own, or their kind. Shapes without a name of
    which there are several of a kind have none."""
    given = body.spec.shape if isinstance(body, Body) else None
    shapes: Sequence[Any] = given if isinstance(given, tuple) else () if given is None else (given,)
    labels = [shape.name or shape.kind for shape in shapes]
    return {label: shape for label, shape in zip(labels, shapes, strict=True) if labels.count(label) == 1}


def shape_of(body: Reference, label: str = "") -> ShapeOnBody:
    """A shape of a body by its label, or the only one that it has."""
    known = shapes_of(body)
    if body.name == "ground" and label in ("", "plane"):
        return ShapeOnBody("ground", Plane(), label="plane")
    if not label and len(known) == 1:
        label = next(iter(known))
    if label in known:
        return ShapeOnBody(body.name, known[label], label=label)
    if not known:
        raise FieldError(
            f"'{body.name}' has no shape that contacts could use: give the body shape=fb.Sphere(…), or name shapes of"
            " the same kind apart with fb.Sphere(…, name=…)"
        )
    if not label:
        raise FieldError(f"'{body.name}' has several shapes; name one of them: {', '.join(known)}")
    raise FieldError(f"'{body.name}' has no shape '{label}'. {suggest(label, [*known])}")


def names_of_pairs(pairs: Sequence[tuple[ShapeOnBody, ShapeOnBody]]) -> list[str]:
    """A name for the contact of each pair of shapes: that of the first body, if that is unique, else those of both
    shapes; with a number where these are not."""
    names = [a.body for a, _ in pairs]
    if len({*names}) < len(names):
        names = [f"{a.name}_{b.name}" for a, b in pairs]
    names = ["_".join(re.findall(r"\w+", name)) for name in names]
    return [f"{n}_{names[:k].count(n) + 1}" if names.count(n) > 1 else n for k, n in enumerate(names)]


class ShapeOnBodyField(FieldKind):
    """A shape of a body: ``body.shape("tip")``, ``s.ground.plane()``, the text ``body.tip``, or a body that has only
    one shape."""

    type_name = "shape of a body"

    def read(self, value: Any, scope: Scope) -> Any:
        if scope is UNPARSED:
            if not isinstance(value, str | Mapping):
                raise FieldError(f"a shape such as FL_FOOT.tip or ground.plane is needed, not {describe(value)}")
            return value if isinstance(value, str) else from_data(ShapeOnBody, value)
        if isinstance(value, Mapping):
            value = from_data(ShapeOnBody, value)
        if isinstance(value, ShapeElement):
            raise FieldError("a shape of a body is needed: body.shape(fb.Sphere(…)) is this shape on that body")
        if isinstance(value, Reference):
            value = shape_of(scope.body(value))
        elif isinstance(value, str):
            value = _by_name(value, scope)
        elif not isinstance(value, ShapeOnBody):
            raise FieldError(
                "a shape of a body is needed, such as foot.shape('tip') or s.ground.plane(), not " + describe(value)
            )
        with within("body"):
            body = scope.body(value.body)
        value = normal_form(replace(value, body=body.name), scope, late=False)
        value = normal_form(value, scope, late=True)
        if isinstance(value.shape, tuple):
            raise FieldError("one shape is needed here, not a list", "shape")
        return value

    def write(self, value: Any, out: Any) -> Any:
        if value.label:
            return f"{value.body}.{value.label}"
        return {"body": value.body, "shape": SHAPES.to_data(value.shape, out.at("shape"))}

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "string", "description": "body.shape, or ground.plane"}, schema_of(ShapeOnBody)]}


def _by_name(text: str, scope: Scope) -> ShapeOnBody:
    """The shape of a text: "body.label", or the name of a body with one shape."""
    try:
        body = scope.body(text)
    except FieldError as error:
        name, dot, label = text.rpartition(".")
        if not dot:
            raise error
        return shape_of(scope.body(name), label)
    return shape_of(body)


def on_body(body: Reference, shape: Any) -> ShapeOnBody:
    """What ``body.shape(…)`` returns: one of the body's shapes by its name, or any shape on it."""
    if isinstance(shape, ShapeElement):
        return ShapeOnBody(body.name, shape)
    if not isinstance(shape, str):
        raise FieldError(f"the name of a shape of '{name_of(body)}', or a shape, is needed, not {describe(shape)}")
    return shape_of(body, shape)
