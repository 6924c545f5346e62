"""Which pairs of shapes can touch, and at which candidates: a table by the classes of the two shapes."""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from freebody.errors import FieldError
from freebody.model.contact.candidate import Candidate
from freebody.model.contact.shape_on_body import ShapeOnBody
from freebody.model.contact.sphere_on_plane import sphere_on_plane
from freebody.model.shapes import Plane, ShapeElement, Sphere

Build = Callable[[Any, Any, int | None], tuple[Candidate, ...]]

PAIRS: dict[tuple[type[ShapeElement], type[ShapeElement]], Build] = {(Sphere, Plane): sphere_on_plane}
"""The candidates of two shapes in normal form. The second shape is the one along whose axes they are resolved."""


class ShapePair(NamedTuple):
    """The candidates of two shapes; ``swapped``: their first shape is the second one that was passed."""

    candidates: tuple[Candidate, ...]
    swapped: bool


def names_of_pairs(pairs: Sequence[tuple[ShapeOnBody, ShapeOnBody]]) -> list[str]:
    """A name for each pair of shapes: that of the first body, if that is unique, else those of both shapes; a number
    where these are not."""
    names = [a.body for a, _ in pairs]
    if len({*names}) < len(names):
        names = [f"{a.name}_{b.name}" for a, b in pairs]
    names = ["_".join(re.findall(r"\w+", name)) for name in names]
    return [f"{n}_{names[:k].count(n) + 1}" if names.count(n) > 1 else n for k, n in enumerate(names)]


def candidates_of(first: ShapeElement, second: ShapeElement, points: int | None = None) -> ShapePair:
    """The candidates of two shapes, in the order in which the table has them. ``points``: how fine edges and faces are
    divided."""
    build, swapped = PAIRS.get((type(first), type(second))), False
    if build is None:
        build, swapped = PAIRS.get((type(second), type(first))), True
    if build is None:
        offered = ", ".join(f"{a.kind} on {b.kind}" for a, b in PAIRS)
        raise FieldError(f"contact of a {first.kind} with a {second.kind} is not offered; there are {offered}")
    return ShapePair(build(second, first, points) if swapped else build(first, second, points), swapped)
