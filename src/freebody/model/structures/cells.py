"""Cells of solid finite elements: their nodes on the reference cell, shape functions, edges and faces.

A cell is numbered as in VTK: corners first, then the middles of edges. Its shape functions are combinations of
monomials that are 1 at one node and 0 at the others; those of 20 and 15 nodes are the serendipity functions.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class CellType:
    """A type of cell. Orders of quadrature are exact for straight cells (stiffness) and for curved ones (mass)."""

    corners: Array  # (c, 3) on the reference cell
    edges: Indices  # (m, 2), pairs of corners
    faces: tuple[tuple[int, ...], ...]  # corners of each face in a loop
    exponents: Array  # (n, 3), of the monomials
    stiffness_order: int
    mass_order: int

    @property
    def quadratic(self) -> bool:
        return len(self.exponents) > len(self.corners)

    @property
    def nodes(self) -> Array:
        """The nodes (n, 3) on the reference cell."""
        middles = self.corners[self.edges].mean(1)
        return np.vstack([self.corners, middles]) if self.quadratic else self.corners

    def values(self, points: Array) -> Array:
        """The shape functions (q, n) at points (q, 3) of the reference cell."""
        return np.asarray(_monomials(points, self.exponents) @ self._coefficients())

    def gradients(self, points: Array) -> Array:
        """The derivatives (q, n, 3) of the shape functions."""
        out = np.empty((len(points), len(self.exponents), 3))
        for a in range(3):
            lower = self.exponents.copy()
            lower[:, a] = np.maximum(lower[:, a] - 1, 0)
            out[:, :, a] = (_monomials(points, lower) * self.exponents[:, a]) @ self._coefficients()
        return out

    def _coefficients(self) -> Array:
        return np.asarray(np.linalg.inv(_monomials(self.nodes, self.exponents)), dtype=float)

    def quadrature(self, order: int) -> tuple[Array, Array]:
        """Points (q, 3) and weights (q) that are exact for polynomials of an order."""
        from skfem.quadrature import get_quadrature
        from skfem.refdom import RefHex, RefLine, RefTet, RefTri

        if len(self.corners) != 6:
            points, weights = get_quadrature(RefTet if len(self.corners) == 4 else RefHex, order)
            return points.T, weights
        (xy, first), (z, second) = get_quadrature(RefTri, order), get_quadrature(RefLine, order)
        pairs = [(*p, s) for p in xy.T for s in z[0]]
        return np.array(pairs), np.outer(first, second).ravel()


def _monomials(points: Array, exponents: Array) -> Array:
    return np.asarray(np.prod(points[:, None, :] ** exponents[None], axis=2))


@cache
def cell_type(name: str) -> CellType | None:
    """The cell with this name of meshio: tetrahedra, hexahedra and wedges, linear or with nodes on their edges."""
    square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    triangle = [(0, 0), (1, 0), (0, 1)]
    plane = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]  # monomials of order two
    tetra = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
    hexa = np.array([(*p, z) for z in (0, 1) for p in square], dtype=float)
    wedge = np.array([(*p, z) for z in (0, 1) for p in triangle], dtype=float)
    tetra_edges = np.array([(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)])
    hexa_edges = np.array(
        [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
    )
    wedge_edges = np.array([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)])
    tetra_faces = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
    hexa_faces = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
    wedge_faces = ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5))
    cubes = list(product(range(3), repeat=3))
    match name:
        case "tetra":
            return CellType(tetra, tetra_edges, tetra_faces, np.array([e for e in cubes if sum(e) <= 1]), 1, 2)
        case "tetra10":
            return CellType(tetra, tetra_edges, tetra_faces, np.array([e for e in cubes if sum(e) <= 2]), 4, 7)
        case "hexahedron":
            return CellType(hexa, hexa_edges, hexa_faces, np.array([e for e in cubes if max(e) <= 1]), 3, 4)
        case "hexahedron20":
            return CellType(hexa, hexa_edges, hexa_faces, np.array([e for e in cubes if e.count(2) <= 1]), 5, 9)
        case "wedge":
            exponents = [(*p, z) for p in plane[:3] for z in (0, 1)]
            return CellType(wedge, wedge_edges, wedge_faces, np.array(exponents), 3, 4)
        case "wedge15":
            exponents = [(*p, z) for p in plane for z in (0, 1)] + [(*p, 2) for p in plane[:3]]
            return CellType(wedge, wedge_edges, wedge_faces, np.array(exponents), 5, 9)
        case _:
            return None


QUADRATIC = {"tetra": "tetra10", "hexahedron": "hexahedron20", "wedge": "wedge15"}
"""The cells with nodes on their edges."""
SHORTENED = {"hexahedron24": "hexahedron20", "hexahedron27": "hexahedron20", "wedge18": "wedge15", "tetra14": "tetra10"}
"""Cells whose nodes on faces and inside are left out."""
