"""Points of flexible bodies with lines and triangles between them, for drawing"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from freebody.tables import ShortRepr

if TYPE_CHECKING:
    from freebody.model.flexible.modal_data import ModalNode

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
SLENDER = 0.012
"""Half the width of a line that is drawn as a prism, relative to its length."""


@dataclass(frozen=True, eq=False, repr=False)
class DeformableMesh(ShortRepr):
    """Points of a flexible body with their displacements in each mode, for drawing."""

    points: Array  # (p, 3), from the origin of the body's frame
    shapes: Array  # (p, 3, n)
    lines: Indices  # (…, 2), pairs of points
    triangles: Indices  # (…, 3)

    @classmethod
    def of_nodes(cls, nodes: "Sequence[ModalNode]", n: int) -> "DeformableMesh":
        """Nodes as points."""
        points = np.array([node.position for node in nodes]).reshape(-1, 3)
        shapes = np.array([node.translations for node in nodes]).reshape(-1, 3, n)
        return cls(points, shapes, np.zeros((0, 2), dtype=np.intp), np.zeros((0, 3), dtype=np.intp))

    @classmethod
    def along(cls, outline: "Sequence[ModalNode]", n: int) -> "DeformableMesh":
        """A slender prism along nodes in their order, which shows how its sections turn."""
        k, corners = len(outline), ((1, 1), (1, -1), (-1, -1), (-1, 1))
        line = np.array([node.position for node in outline])
        width = SLENDER * float(np.linalg.norm(np.ptp(line, axis=0)))
        points, shapes = list[Array](), list[Array]()
        for node, tangent in zip(outline, np.gradient(line, axis=0), strict=True):
            side = np.cross(np.eye(3)[np.argmin(np.abs(tangent))], tangent)
            side /= np.linalg.norm(side)
            other = np.cross(tangent, side) / np.linalg.norm(tangent)
            slopes = np.zeros((3, n)) if node.slopes is None else node.slopes
            for a, b in corners:
                offset = width * (a * side + b * other)
                points.append(node.position + offset)
                shapes.append(node.translations + np.cross(slopes, offset, axis=0))
        at = 4 * np.arange(k - 1)[:, None]
        faces = [(at + c, at + (c + 1) % 4, at + 4 + c) for c in range(4)]
        faces += [(at + (c + 1) % 4, at + 4 + (c + 1) % 4, at + 4 + c) for c in range(4)]
        triangles = np.concatenate([np.hstack(face) for face in faces])
        ends = [(first + c, first + (c + 1) % 4) for first in (0, 4 * (k - 1)) for c in range(4)]
        edges = np.concatenate([np.hstack([at + c, at + 4 + c]) for c in range(4)])
        lines = np.concatenate([np.array(ends, dtype=np.intp), edges])
        return cls(np.array(points), np.array(shapes), lines.astype(np.intp), triangles.astype(np.intp))

    def in_basis(self, T: Array) -> "DeformableMesh":
        """The same points for the coordinates ξ of η = T ξ."""
        return replace(self, shapes=self.shapes @ T)
