"""Frames laid in a parent by constant rotations, as few and as cheap as can be."""

from collections.abc import Sequence

from freebody.scalar.graph import Graph
from freebody.scalar.ops import ATAN2
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Matrix, times3, transpose
from freebody.spatial.turns import AxisTurn, MatrixTurn


class Laid(Frame):
    """A frame laid in its parent by a constant matrix. One that is laid in it hangs on its parent too, for two matrices
    cost twice as much as one. One that turns about an axis of it does not need the matrix R either: about axis k it is
    R = R_k(α) R_i(β) R_k(γ), two turns, which are cheaper where tensors are carried, and γ joins the angle."""

    def oriented(self, name: str, matrix: Sequence[Sequence[int]]) -> Frame:
        g = self.graph
        if not isinstance(self.up, MatrixTurn) or any(g.mask[x] > PARAMETERS_ONLY for row in matrix for x in row):
            return super().oriented(name, matrix)
        columns = [times3(g, self.up.rows, column) for column in transpose(matrix)]
        return Laid(name, g, self.parent, MatrixTurn(g, transpose(columns)))

    def turned(self, name: str, axis: int, angle: int) -> Frame:
        up, parent, whole = self.up, self.parent, "basis" not in vars(self)
        if whole and isinstance(up, MatrixTurn) and parent is not None and _full(self.graph, up.rows):
            self._split(parent, up.rows, axis)
        if isinstance(self.up, AxisTurn) and self.up.axis == axis and self.parent is not None:
            return self.parent.turned(name, axis, self.graph.add(angle, self.up.angle))
        return super().turned(name, axis, angle)

    def _split(self, parent: Frame, rows: Matrix, k: int) -> None:
        """The matrix as turns about k, about the axis after it, and about k again."""
        a, b, c = angles(self.graph, rows, k)
        first = parent.turned(f"{self.name}1", k, a)
        self.parent, self.up = first.turned(f"{self.name}2", (k + 1) % 3, b), AxisTurn(self.S, k, c)
        self.depth = self.parent.depth + 1


def laid(frame: Frame, name: str, matrix: Sequence[Sequence[int]]) -> Frame:
    """A frame laid in another."""
    if isinstance(frame, Laid):
        return frame.oriented(name, matrix)
    return Laid(name, frame.graph, frame, MatrixTurn(frame.S, transpose(transpose(matrix))))


def _full(g: Graph, matrix: Matrix) -> bool:
    """None of its entries is 0 or ±1: what such entries spare would be lost in turns."""
    return all(g.number(x) not in (0, 1, -1) for row in matrix for x in row)


def angles(g: Graph, R: Matrix, k: int) -> tuple[int, int, int]:
    """α, β, γ of R = R_k(α) R_i(β) R_k(γ), i the axis after k. Where β is 0 or π any α will do; γ follows from it."""
    i, j = (k + 1) % 3, (k + 2) % 3
    arc, mul, add, neg = g.build[ATAN2], g.mul, g.add, g.neg
    across = g.sqrt(add(mul(R[i][k], R[i][k]), mul(R[j][k], R[j][k])))
    a, b = arc(R[i][k], neg(R[j][k])), arc(across, R[k][k])
    s, c = g.sin(a), g.cos(a)
    along, aside = (add(mul(c, R[i][m]), mul(s, R[j][m])) for m in (i, j))
    return a, b, arc(neg(aside), along)
