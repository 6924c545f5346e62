"""A small picture (PNG) of the tree of bodies: what a diagram shows without its texts."""

import zlib
from collections.abc import Sequence
from itertools import pairwise
from struct import pack

import numpy as np
from numpy.typing import NDArray

from freebody.results.about import BodyInfo, ConstraintInfo
from freebody.viewer.diagram_layout import tree, upright, with_constraints

SIZE = 256
"""Width and height in pixels."""
BOX = 60.0
MARGIN = 12
GROUND, LINES, LOOP = (29, 42, 51), (93, 110, 122), (176, 84, 20)
FILL, PALE, EDGE = (214, 228, 241), (246, 246, 246), (74, 107, 134)

Image = NDArray[np.uint8]


def icon(bodies: Sequence[BodyInfo], constraints: Sequence[ConstraintInfo]) -> bytes:
    """Boxes for the bodies below the ground, lines for joints and, in another colour, for constraints."""
    t, index = tree(bodies), {b.name: k for k, b in enumerate(bodies)}
    layout = upright(t, BOX, [(0.0, 1)] * len(bodies), 0.0)
    closing = [c for c in constraints if len(c.bodies) == 2 and any(n in index for n in c.bodies)]
    if closing:
        ends = [(index.get(c.bodies[0], -1), index.get(c.bodies[1], -1)) for c in closing]
        layout = with_constraints(t, layout, ends, [0.0] * len(closing), [])
    image = np.full((SIZE, SIZE, 3), 255, np.uint8)
    scale = (SIZE - 2 * MARGIN) / max(layout.width, layout.height)
    left, top = ((SIZE - scale * extent) / 2 for extent in (layout.width, layout.height))

    def fill(x0: float, y0: float, x1: float, y1: float, colour: tuple[int, int, int], thick: float = 0.0) -> None:
        (x0, x1), (y0, y1) = (
            sorted((left + scale * x0, left + scale * x1)),
            sorted((top + scale * y0, top + scale * y1)),
        )
        columns = slice(max(round(x0 - thick), 0), max(round(x1 + thick), round(x0 - thick) + 1))
        image[max(round(y0 - thick), 0) : max(round(y1 + thick), round(y0 - thick) + 1), columns] = colour

    def polyline(points: Sequence[tuple[float, float]], colour: tuple[int, int, int]) -> None:
        for (x0, y0), (x1, y1) in pairwise(points):
            fill(x0, y0, x1, y1, colour, 1.0)

    for edge in layout.edges:
        polyline(edge.line, LOOP)
    fill(*layout.bar, GROUND, 2.0)
    for node in layout.bodies:
        polyline(node.line, LINES)
    wide, high = layout.box
    for b, node in zip(bodies, layout.bodies, strict=True):
        fill(node.x, node.y, node.x + wide, node.y + high, EDGE, 1.5)
        fill(node.x, node.y, node.x + wide, node.y + high, PALE if b.mass == 0 else FILL)
    return png(image)


def png(image: Image) -> bytes:
    """A picture of rows of pixels with three colours as a PNG file."""
    height, width, _ = image.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = image.reshape(height, -1)

    def chunk(kind: bytes, content: bytes) -> bytes:
        return pack(">I", len(content)) + kind + content + pack(">I", zlib.crc32(kind + content))

    header = pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(rows.tobytes(), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
