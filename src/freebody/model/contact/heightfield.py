"""The surface of a heightfield: heights on a grid, bilinear between them.

In the cell from (i, j), with the fractions u, v of the way to the next row and column and e = h₀₀ + h₁₁ − h₁₀ − h₀₁,

    z = h₀₀ + u (h₁₀ − h₀₀) + v (h₀₁ − h₀₀) + u v e .

The four heights are looked up in a table by the whole number i·columns + j, so that their derivatives vanish.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from freebody.model.contact.surfaces import Surface
from freebody.model.contact.triples import ShapePose, Three, minus, tangents_about, times
from freebody.model.shapes import Heightfield
from freebody.scalar.expr import Expr, abs_, floor, lookup, max, min, sqrt, where
from freebody.scalar.functions import Table


@dataclass(frozen=True, eq=False)
class HeightSurface(Surface):
    """Ground below heights on a grid. Beyond its border the heights there continue level.

    The distance is that from the tangent plane at the point below; for a ball, from the tangent plane below the point
    where it then touches: exact on slopes, and nearly where the curvature is small beside that of the ball."""

    field: Heightfield

    @cached_property
    def table(self) -> Table:
        """The heights by the whole number of their point."""
        return numbers("heights", np.asarray(self.field.heights, dtype=float).ravel().tolist())

    def below(self, x: Expr, y: Expr) -> tuple[Expr, Expr, Expr]:
        """The height at (x, y), and its slopes along x and y."""
        rows, columns = np.asarray(self.field.heights).shape
        spacing = self.field.spacing
        dx, dy = spacing if isinstance(spacing, tuple | list) else (spacing, spacing)
        i, u, in_x = _cell(x / dx + (rows - 1) / 2, rows)
        j, v, in_y = _cell(y / dy + (columns - 1) / 2, columns)
        place = i * columns + j
        h00, h01 = lookup(self.table, place), lookup(self.table, place + 1)
        h10, h11 = lookup(self.table, place + columns), lookup(self.table, place + (columns + 1))
        along_x, along_y = h10 - h00, h01 - h00
        twist = h11 - h01 - along_x
        z = h00 + u * (along_x + v * twist) + v * along_y
        return z, where(in_x, (along_x + v * twist) / dx, 0), where(in_y, (along_y + u * twist) / dy, 0)

    def nearest(self, p: Three, radius: Any = 0) -> tuple[Expr, Three]:
        z, a, b = self.below(p[0], p[1])
        over = 1 / sqrt(1 + a * a + b * b)
        n = (-a * over, -b * over, over)
        if isinstance(radius, Expr) or radius:
            foot = minus(p, times(radius, n))
            z, a, b = self.below(foot[0], foot[1])
            over = 1 / sqrt(1 + a * a + b * b)
            n = (-a * over, -b * over, over)
            z = z + a * (p[0] - foot[0]) + b * (p[1] - foot[1])
        return (p[2] - z) * over, n

    def tangents(self, normal: Three, pose: ShapePose) -> tuple[Three, Three]:
        t1, t2 = tangents_about(normal, (0, 0, -1))  # the normal never points down
        return pose.out(t1), pose.out(t2)


def numbers(name: str, values: Sequence[float]) -> Table:
    """A table of values by the whole number of each."""
    places = tuple(float(k) for k in range(len(values)))
    first, *others = ((float(x),) for x in values)
    return Table(name, places, (0.0, *places), (first, first, *others))


def _cell(x: Expr, count: int) -> tuple[Expr, Expr, Expr]:
    """The cell in which a coordinate in units of cells is, the fraction of the way through it, and whether it is in
    the grid."""
    within = max(min(x, count - 1), 0)
    cell = min(floor(within), count - 2)
    return cell, within - cell, abs_(2 * x - (count - 1)) <= count - 1
