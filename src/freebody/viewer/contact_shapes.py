"""The shapes of contacts: those that bodies are not drawn with, and all of them in another colour while they touch."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from freebody.drawing import GROUND, Drawing
from freebody.viewer.scene import Item
from freebody.viewer.user_shapes import ShapeError, shape_items

TOUCHED = (1.0, 0.5, 0.1)
"""The colour of shapes that touch something."""

ENLARGED = 1.02
"""The coloured shape covers the one of the body."""

OPACITY = 0.6


def contact_items(drawing: Drawing, index: Mapping[str, int]) -> Iterator[Item]:
    """The items of the shapes of contacts; ``index`` numbers the bodies. The ground's are not coloured."""
    added = list[tuple[str, Mapping[str, object]]]()
    for shape in (shape for load in drawing.loads for shape in load.shapes):
        try:
            items = shape_items(shape.facts, index[shape.body])
        except ShapeError:  # points, which have no size
            continue
        if not shape.is_own and (shape.body, shape.facts) not in added:
            added.append((shape.body, shape.facts))
            yield from (replace(item, made=shape.body != GROUND) for item in items)
        if shape.body != GROUND:
            yield from (_coloured(item, shape.variable) for item in items)


def _coloured(item: Item, variable: str) -> Item:
    """An item a little larger about its middle, shown while a variable is not 0."""
    points, turn = item.geometry.vertices, item.transform[:, :3]
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    place = item.transform[:, 3] + turn @ middle * (1 - ENLARGED)
    transform = np.column_stack([turn * ENLARGED, place])
    return replace(
        item, transform=transform, color=TOUCHED, opacity=OPACITY, layer="bodies", name="", made=False, engaged=variable
    )
