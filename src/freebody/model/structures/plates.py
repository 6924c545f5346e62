"""Structures of thin flat plates in a plane z = const, of triangles: stretching and bending (Kirchhoff)

Displacements in the plane are quadratic in each triangle (6 nodes). The deflection w is a polynomial of degree four;
its 15 unknowns are w and the slopes at corners, and w and the slope across the edge at the middles of edges (scikit-fem
has this element as ``ElementTri15ParamPlate``). w is continuous; slopes across an edge are equal at its ends and its
middle.

Unknowns of a corner are the displacements u, v, w and the rotations θ_x = w,y and θ_y = −w,x, those of a middle u, v, w
and the slope w,n. The rotation about z is none of them.

The mass includes the rotation of the thickness. ``cross`` maps the field (u, v, w) of the middle plane to
e_a × (u, v, w): deflections are sampled at nodes, and slopes of in-plane displacements are averaged between triangles.
The geometric stiffness is that of the forces N_ab in the plane, ∫ N_ab ∂_a u_k ∂_b u_k; moments have none.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ModelError
from freebody.keywords import keyword_hints
from freebody.model.structures.materials import Constant, per_cell
from freebody.model.structures.meshes import (
    ElementMesh,
    MeshNodes,
    NodeSets,
    check_connected,
    load_mesh,
    require_fem,
    used_nodes,
)
from freebody.model.structures.structure import Structure, rigid_rows

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

FLAT = 1e-9
"""Largest differences of z, and smallest areas of triangles, relative to the size of the plate and its edges."""
ORDER = 8
"""Of the quadrature: exact for the mass of deflections of degree four."""
EDGES = np.array([(0, 1), (1, 2), (2, 0)])
POWERS = [np.array([(i, d - i) for d in range(n + 1) for i in range(d, -1, -1)]) for n in range(5)]
"""Exponents of the monomials up to each degree."""


@keyword_hints
def plate_structure(
    mesh: Any,
    *,
    thickness: Constant,
    young: Constant,
    poisson: Constant,
    density: Constant,
    sets: NodeSets | None = None,
    scale: float = 1.0,
    name: str = "",
    folders: Any = (),
) -> Structure:
    """A structure of a thin flat plate in a plane z = const.

    ``mesh`` is a file that meshio can read, a ``meshio.Mesh`` or a mesh of scikit-fem, of triangles or quadrilaterals,
    which are divided into triangles; edges are straight. ``scale`` converts its lengths to metres.

    Thickness (m) and constants of the material (Pa, –, kg/m³) are numbers, or mappings from names of cell sets to
    numbers. ``sets`` adds named sets of nodes, and ``folders`` are searched for files that the file names, as in
    ``solid_structure``.
    """
    require_fem("plate_structure")
    source = load_mesh(mesh, scale, name, folders)
    plate = _plate_mesh(source)
    constants = {"thickness": thickness, "young": young, "poisson": poisson, "density": density}
    values = {
        key: np.concatenate([per_cell(key, value, source, number, count) for number, count in plate.origin])
        for key, value in constants.items()
    }
    elements = PlateElements(plate, **values)
    lines, triangles = _drawing(plate)
    return Structure(
        plate.positions,
        elements.mass(),
        elements.stiffness(),
        *elements.table,
        sets=plate.nodes.named_sets(source, sets),
        geometric=elements.geometric,
        lines=lines,
        triangles=triangles,
        cross=elements.cross(),
        rigid=elements.rigid(),
        name=source.name,
    )


@dataclass(frozen=True, eq=False)
class PlateMesh:
    """Triangles with nodes on their edges."""

    nodes: MeshNodes
    triangles: Indices  # (t, 6): corners, then the middles of EDGES
    origin: list[tuple[int, int]]  # groups of cells of the source, and the numbers of triangles from them

    @property
    def positions(self) -> Array:
        return self.nodes.positions


def _plate_mesh(source: ElementMesh) -> PlateMesh:
    parts, origin = list[Indices](), list[tuple[int, int]]()
    for number, (kind, cells) in enumerate(source.cells):
        group = (number, len(cells))
        if kind.rstrip("0123456789") == "triangle":
            parts.append(cells[:, :3])
            origin.append(group)
        elif kind.rstrip("0123456789") == "quad":
            parts += [cells[:, [0, 1, 2]], cells[:, [0, 2, 3]]]
            origin += [group, group]
        elif kind.startswith(("tetra", "hexahedron", "wedge", "pyramid")) and len(cells):
            raise ModelError(
                f"{source.name}: the mesh has solid cells ({kind}); use solid_structure, or mesh the surface alone"
            )
    corners = np.concatenate(parts) if parts else np.zeros((0, 3), dtype=np.intp)
    if not len(corners):
        types = ", ".join(sorted({kind for kind, _ in source.cells})) or "none"
        raise ModelError(f"{source.name}: the mesh has no triangles or quadrilaterals; its cells are: {types}")
    (triangles,), nodes = used_nodes(source, [corners])
    x = nodes.positions
    size = np.ptp(x, axis=0).max()
    if np.ptp(x[:, 2]) > FLAT * size:
        raise ModelError(
            f"{source.name}: the plate is not flat: z is from {x[:, 2].min():g} to {x[:, 2].max():g}."
            " Plates lie in a plane z = const; use solid_structure for other parts"
        )
    sides = x[triangles[:, [1, 2, 0]]] - x[triangles]
    area = (sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]) / 2
    bad = np.flatnonzero(np.abs(area) <= FLAT * (sides**2).sum(2).max(1))
    if len(bad):
        at = ", ".join(f"{v:g}" for v in x[triangles[bad[0]]].mean(0))
        raise ModelError(
            f"{source.name}: the triangle near ({at}) has no area, and {len(bad) - 1} more. Mesh the plate again"
        )
    (middles,), nodes = nodes.with_middles([triangles[:, EDGES]])
    out = np.hstack([triangles, middles])
    check_connected([out], len(nodes.positions), source.name)
    return PlateMesh(nodes, out, origin)


class PlateElements:
    """The matrices of a plate. An element has 27 unknowns: 12 displacements in the plane, then 15 of the deflection."""

    def __init__(self, plate: PlateMesh, thickness: Array, young: Array, poisson: Array, density: Array) -> None:
        self.nodes = plate.triangles
        x = plate.positions[:, :2]
        self.k, self.corners = len(x), len(x) - len(plate.nodes.middles)
        self.tangents = x[plate.nodes.middles[:, 1]] - x[plate.nodes.middles[:, 0]]
        self.tangents /= np.linalg.norm(self.tangents, axis=1, keepdims=True)
        self.normals = np.column_stack([self.tangents[:, 1], -self.tangents[:, 0]])  # of middles, for slopes
        self.thickness, self.young, self.poisson, self.density = thickness, young, poisson, density
        self.positions = plate.positions
        self._shape_functions(x[plate.triangles[:, :3]])
        first = np.concatenate([5 * np.arange(self.corners), 5 * self.corners + 4 * np.arange(self.k - self.corners)])
        at = first[self.nodes]  # unknowns of nodes follow each other
        self.first = first
        parts = [(at, (0, 1)), (at[:, :3], (2, 3, 4)), (at[:, 3:], (2, 3))]
        self.unknowns = np.concatenate(
            [np.stack([which + c for c in components], 2).reshape(len(at), -1) for which, components in parts], axis=1
        )

    @property
    def table(self) -> tuple[Indices, Indices]:
        """The node and the component of each unknown."""
        m = self.k - self.corners
        node = np.concatenate([np.repeat(np.arange(self.corners), 5), self.corners + np.repeat(np.arange(m), 4)])
        return node, np.concatenate([np.tile(np.arange(5), self.corners), np.tile([0, 1, 2, 6], m)])

    def _shape_functions(self, x: Array) -> None:
        """Shape functions at points of the quadrature, from monomials of coordinates (x − centre) / size."""
        from skfem.quadrature import get_quadrature
        from skfem.refdom import RefTri

        points, weights = get_quadrature(RefTri, ORDER)
        sides = x[:, 1:] - x[:, :1]
        area = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])
        self.areas = area[:, None] * weights  # of points
        self.size = np.sqrt(area)
        centre = x.mean(1, keepdims=True)
        at = (x[:, :1] + np.einsum("aq,eab->eqb", points, sides) - centre) / self.size[:, None, None]
        corners = (x - centre) / self.size[:, None, None]
        self.local = np.concatenate([corners, corners[:, EDGES].mean(2)], axis=1)
        size = self.size[:, None, None]
        plane = np.linalg.inv(_monomials(self.local, 2))
        self.plane_coefficients = plane
        self.plane = _monomials(at, 2) @ plane
        self.plane_slopes = np.stack([_monomials(at, 2, d) @ plane / size for d in ((1, 0), (0, 1))], 2)  # (e, q, a, 6)
        bending = self._bending_coefficients()
        self.deflection = _monomials(at, 4) @ bending
        self.slopes = np.stack([_monomials(at, 4, d) @ bending / size for d in ((1, 0), (0, 1))], 2)  # (e, q, a, 15)
        self.curvatures = np.stack([_monomials(at, 4, d) @ bending / size**2 for d in ((2, 0), (0, 2), (1, 1))], 2)

    def _bending_coefficients(self) -> Array:
        """Coefficients (e, 15, 15) of the monomials for each unknown of the deflection."""
        n = self.normals[self.nodes[:, 3:] - self.corners]
        value, along_x, along_y = (_monomials(self.local, 4, d) for d in ((0, 0), (1, 0), (0, 1)))
        corners = np.stack([value[:, :3], along_y[:, :3], -along_x[:, :3]], 2).reshape(len(n), 9, 15)
        across = n[:, :, :1] * along_x[:, 3:] + n[:, :, 1:] * along_y[:, 3:]
        middles = np.stack([value[:, 3:], across], 2).reshape(len(n), 6, 15)
        out = np.linalg.inv(np.concatenate([corners, middles], axis=1))
        turning = [1, 2, 4, 5, 7, 8, 10, 12, 14]  # slopes, here along coordinates divided by the size
        out[:, :, turning] *= self.size[:, None, None]
        return np.asarray(out, dtype=float)

    def _assemble(self, entries: Array) -> Any:
        from scipy.sparse import coo_matrix

        n = self.unknowns.shape[1]
        rows, columns = np.repeat(self.unknowns, n, axis=1).ravel(), np.tile(self.unknowns, (1, n)).ravel()
        size = 5 * self.corners + 4 * (self.k - self.corners)
        symmetric = (entries + np.swapaxes(entries, 1, 2)) / 2
        return coo_matrix((symmetric.ravel(), (rows, columns)), shape=(size, size)).tocsr()

    def stiffness(self) -> Any:
        """Stretching with h E / (1 − ν²) and bending with h³ E / (12 (1 − ν²)) times the matrix of plane stress."""
        strains = self._strains()
        entries = np.zeros((len(self.nodes), 27, 27))
        forces = self._plane_stress(strains) * self.thickness[:, None, None, None]
        entries[:, :12, :12] = _products(strains, forces, self.areas)
        bend = self.curvatures * np.array([1.0, 1.0, 2.0])[:, None]
        moments = self._plane_stress(bend) * (self.thickness**3 / 12)[:, None, None, None]
        entries[:, 12:, 12:] = _products(bend, moments, self.areas)
        return self._assemble(entries)

    def mass(self) -> Any:
        """ρ h of displacements, and ρ h³ / 12 of slopes."""
        entries = np.zeros((len(self.nodes), 27, 27))
        per_area = self.areas * (self.density * self.thickness)[:, None]
        plane = _products(self.plane[:, :, None], self.plane[:, :, None], per_area)
        entries[:, 0:12:2, 0:12:2] = entries[:, 1:12:2, 1:12:2] = plane
        w = self.deflection[:, :, None]
        rotary = (self.thickness**2 / 12)[:, None, None, None] * self.slopes
        entries[:, 12:, 12:] = _products(w, w, per_area) + _products(self.slopes, rotary, per_area)
        return self._assemble(entries)

    def geometric(self, displacements: Array) -> Any:
        """The geometric stiffness of the forces in the plane that displacements cause."""
        u = np.asarray(displacements, dtype=float)[self.unknowns[:, :12]]
        strain = np.einsum("eqsi,ei->eqs", self._strains(), u)
        xx, yy, xy = np.moveaxis(self._plane_stress(strain[..., None])[..., 0] * self.thickness[:, None, None], 2, 0)
        N = np.stack([np.stack([xx, xy], 2), np.stack([xy, yy], 2)], 3)  # (e, q, 2, 2)
        entries = np.zeros((len(self.nodes), 27, 27))
        plane = _products(self.plane_slopes, N @ self.plane_slopes, self.areas)
        entries[:, 0:12:2, 0:12:2] = entries[:, 1:12:2, 1:12:2] = plane
        entries[:, 12:, 12:] = _products(self.slopes, N @ self.slopes, self.areas)
        return self._assemble(entries)

    def _strains(self) -> Array:
        """ε_xx, ε_yy and 2 ε_xy (e, q, 3, 12) of displacements in the plane."""
        out = np.zeros((*self.plane.shape[:2], 3, 12))
        dx, dy = self.plane_slopes[:, :, 0], self.plane_slopes[:, :, 1]
        out[:, :, 0, 0::2], out[:, :, 1, 1::2] = dx, dy
        out[:, :, 2, 0::2], out[:, :, 2, 1::2] = dy, dx
        return out

    def _plane_stress(self, strains: Array) -> Array:
        """The stresses xx, yy and xy of strains (e, q, 3, …)."""
        nu = self.poisson[:, None, None]
        factor = (self.young / (1 - self.poisson**2))[:, None, None]
        xx, yy, xy = strains[:, :, 0], strains[:, :, 1], strains[:, :, 2]
        return np.stack([factor * (xx + nu * yy), factor * (yy + nu * xx), factor * (1 - nu) / 2 * xy], 2)

    def rigid(self) -> Array:
        """The rigid motions of the unknowns; a slope w,n is that of w = y (about x) and w = −x (about y)."""
        node, component = self.table
        out = rigid_rows(self.positions[node], component)
        slopes = np.flatnonzero(component == 6)
        out[slopes, 3], out[slopes, 4] = self.normals[:, 1], -self.normals[:, 0]
        return out

    def cross(self) -> tuple[Any, Any, Any]:
        """The matrices that map the unknowns of (u, v, w) to those of e_a × (u, v, w)."""
        from scipy.sparse import csr_matrix

        size = 5 * self.corners + 4 * (self.k - self.corners)
        ones, nodes = np.ones(self.k), np.arange(self.k)
        U, V, W = (csr_matrix((ones, (nodes, self.first + c)), shape=(self.k, size)) for c in range(3))
        L = self._as_deflection(size)
        return ((L @ V - V.T @ W).tocsr(), (U.T @ W - L @ U).tocsr(), (V.T @ U - U.T @ V).tocsr())

    def _as_deflection(self, size: int) -> Any:
        """The unknowns (N, k) of a deflection with given values at nodes; its slopes are those of the quadratic
        functions in the triangles around a node, averaged."""
        from scipy.sparse import coo_matrix

        share = 1 / np.bincount(self.nodes.ravel(), minlength=self.k)[self.nodes]
        dx, dy = (
            _monomials(self.local, 2, d) @ self.plane_coefficients * (share / self.size[:, None])[:, :, None]
            for d in ((1, 0), (0, 1))
        )
        normal = self.normals[self.nodes[:, 3:] - self.corners]
        across = normal[:, :, :1] * dx[:, 3:] + normal[:, :, 1:] * dy[:, 3:]
        corners, middles = self.nodes[:, :3], self.nodes[:, 3:]
        entries = [(corners, 3, dy[:, :3]), (corners, 4, -dx[:, :3]), (middles, 3, across)]
        rows, columns, values = [self.first + 2], [np.arange(self.k)], [np.ones(self.k)]
        for nodes, c, slopes in entries:
            rows.append(np.repeat(self.first[nodes] + c, 6))
            columns.append(np.tile(self.nodes[:, None], (1, 3, 1)).ravel())
            values.append(slopes.ravel())
        at = np.concatenate(rows), np.concatenate(columns)
        return coo_matrix((np.concatenate(values), at), shape=(size, self.k)).tocsr()


def _monomials(points: Array, degree: int, derivative: tuple[int, int] = (0, 0)) -> Array:
    """Monomials (…, m) of points (…, 2), or their derivatives."""
    out = np.ones((*points.shape[:-1], len(POWERS[degree])))
    for a, times in enumerate(derivative):
        power = POWERS[degree][:, a].copy()
        for _ in range(times):
            out = out * power
            power = np.maximum(power - 1, 0)
        out = out * points[..., a : a + 1] ** power
    return out


def _products(first: Array, second: Array, weights: Array) -> Array:
    """Σ_q weights first[c, i] second[c, j], for arrays (e, q, c, n)."""
    e, q, c, n = first.shape
    left = (first * weights[:, :, None, None]).reshape(e, q * c, n)
    return np.asarray(np.swapaxes(left, 1, 2) @ second.reshape(e, q * c, -1))


def _drawing(plate: PlateMesh) -> tuple[Indices, Indices]:
    """Lines along the boundary, and triangles, both through the middles of edges."""
    a, b, c, ab, bc, ca = plate.triangles.T
    small = [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
    counts = np.bincount(plate.triangles[:, 3:].ravel(), minlength=len(plate.positions))
    outer = plate.nodes.middles[counts[plate.nodes.middles[:, 2]] == 1]
    return np.vstack([outer[:, [0, 2]], outer[:, [2, 1]]]), np.concatenate([np.column_stack(t) for t in small])
