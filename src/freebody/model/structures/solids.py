"""Structures of solid finite elements: tetrahedra, hexahedra and wedges of isotropic elastic material

Cells are isoparametric: positions and displacements are interpolated by the same shape functions N_n, and the unknowns
are the displacements of nodes. With Lamé's constants λ and μ,

    stiffness  K[na, mb] = ∫ λ ∂_a N_n ∂_b N_m + μ ∂_b N_n ∂_a N_m + μ δ_ab ∂_c N_n ∂_c N_m
    mass       M[na, mb] = δ_ab ∫ ρ N_n N_m
    geometric  G[na, mb] = δ_ab ∫ σ_cd(u) ∂_c N_n ∂_d N_m,  σ_cd = λ δ_cd ∂_e u_e + μ (∂_c u_d + ∂_d u_c)
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ModelError
from freebody.keywords import keyword_hints
from freebody.model.structures.cells import QUADRATIC, SHORTENED, CellType, cell_type
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
from freebody.model.structures.structure import Structure

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

FLAT = 1e-9
"""Smallest determinant of the Jacobian of a cell, relative to the cube of its longest edge."""
MIDDLE = 0.35
"""Largest distance of a node on an edge from the middle of its ends, relative to their distance."""
SHARP = np.cos(np.radians(30))
"""Cosine of the angle between faces above which their common edge is drawn."""
CHUNK = 2000
"""Cells whose matrices are computed at once."""


@keyword_hints
def solid_structure(
    mesh: Any,
    *,
    young: Constant,
    poisson: Constant,
    density: Constant,
    sets: NodeSets | None = None,
    scale: float = 1.0,
    quadratic: bool = True,
    name: str = "",
    folders: Any = (),
) -> Structure:
    """A structure of solid elements.

    ``mesh`` is a file that meshio can read (Gmsh, VTK, Abaqus, …), a ``meshio.Mesh`` or a mesh of scikit-fem, of
    tetrahedra, hexahedra and wedges; ``scale`` converts its lengths to metres. Cells without nodes on their edges get
    them (``quadratic=False`` leaves them linear, which is far too stiff in bending).

    Constants of the material (Pa, –, kg/m³) are numbers, or mappings from names of cell sets to numbers.

    ``sets`` adds named sets of nodes to those of the mesh: indices of its nodes, or functions of positions (k × 3, in
    metres) that return k truth values. The middle of an edge belongs to a set if both its ends do. Files that the file
    names (``*INCLUDE``, data of XDMF) are read in its folder and below it, and in the ``folders``.
    """
    require_fem("solid_structure")
    source = load_mesh(mesh, scale, name, folders)
    solid = _solid_mesh(source, quadratic)
    groups = []
    for number, (cell, nodes) in enumerate(solid.cells):
        E, nu, rho = (
            per_cell(key, value, source, solid.groups[number], len(nodes))
            for key, value in (("young", young), ("poisson", poisson), ("density", density))
        )
        groups.append(_elements(cell, nodes, solid.positions, E, nu, rho, source.name))
    elements = SolidElements(len(solid.positions), groups)
    lines, triangles = _surface(solid)
    return Structure.from_nodes(
        solid.positions,
        elements.mass(),
        elements.stiffness(),
        sets=solid.nodes.named_sets(source, sets),
        geometric=elements.geometric,
        lines=lines,
        triangles=triangles,
        name=source.name,
    )


# ── meshes ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class SolidMesh:
    """Solid cells and their nodes."""

    nodes: MeshNodes
    cells: list[tuple[CellType, Indices]]
    groups: list[int]  # of the source, for each entry of cells

    @property
    def positions(self) -> Array:
        return self.nodes.positions


def _solid_mesh(source: ElementMesh, quadratic: bool) -> SolidMesh:
    chosen = list[tuple[int, str, Indices]]()
    others = set[str]()
    for number, (kind, part) in enumerate(source.cells):
        name = SHORTENED.get(kind, kind)
        cell = cell_type(name)
        if cell is not None and len(part):
            chosen.append((number, name, part[:, : len(cell.exponents)]))
        elif kind.startswith(("pyramid", "tetra", "hexahedron", "wedge")):
            others.add(kind)
    if others:
        raise ModelError(
            f"{source.name}: cells of type {', '.join(sorted(others))} are not supported. Mesh the part"
            " with tetrahedra, hexahedra or wedges, linear or quadratic"
        )
    if not chosen:
        types = ", ".join(sorted({kind for kind, _ in source.cells})) or "none"
        raise ModelError(
            f"{source.name}: the mesh has no solid cells (tetrahedra, hexahedra or wedges); its cells are:"
            f" {types}. Mesh the volume, or use plate_structure for surfaces"
        )
    if len({name in QUADRATIC for _, name, _ in chosen}) > 1:
        raise ModelError(f"{source.name}: the mesh has linear and quadratic cells; mesh it with one order")
    names = [name for _, name, _ in chosen]
    cells, nodes = used_nodes(source, [part for *_, part in chosen])
    kinds = [_cell_type(name) for name in names]
    if quadratic and names[0] in QUADRATIC:
        middles, nodes = nodes.with_middles([part[:, kind.edges] for kind, part in zip(kinds, cells, strict=True)])
        cells = [np.hstack(pair) for pair in zip(cells, middles, strict=True)]
        kinds = [_cell_type(QUADRATIC[name]) for name in names]
    check_connected(cells, len(nodes.positions), source.name)
    return SolidMesh(nodes, list(zip(kinds, cells, strict=True)), [number for number, *_ in chosen])


def _cell_type(name: str) -> CellType:
    cell = cell_type(name)
    assert cell is not None
    return cell


# ── elements ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Elements:
    """Cells of one type: gradients of shape functions at points of a quadrature, and the masses of pairs of nodes."""

    nodes: Indices  # (e, n)
    gradients: Array  # (e, q, n, 3)
    volumes: Array  # (e, q), of the points
    lame: tuple[Array, Array]  # λ and μ (e)
    masses: Array  # (e, n, n)


def _elements(cell: CellType, nodes: Indices, positions: Array, E: Array, nu: Array, rho: Array, name: str) -> Elements:
    x = positions[nodes]
    _check_middles(cell, x, name)
    points, weights = cell.quadrature(cell.stiffness_order)
    reference = cell.gradients(points)
    e, n = nodes.shape
    gradients, volumes = np.empty((e, len(points), n, 3)), np.empty((e, len(points)))
    for part in _chunks(e):
        jacobian = np.einsum("qna,enb->eqab", reference, x[part], optimize=True)  # ∂x_b / ∂ξ_a
        cofactors = _cofactors(jacobian)
        determinant = _determinant(jacobian, cofactors, x[part], cell, part.start, name)
        np.matmul(reference, cofactors / determinant[..., None, None], out=gradients[part])
        volumes[part] = np.abs(determinant) * weights
    points, weights = cell.quadrature(cell.mass_order)
    values, reference = cell.values(points), cell.gradients(points)
    pairs = (values[:, :, None] * values[:, None, :]).reshape(len(points), n * n)
    masses = np.empty((e, n * n))
    for part in _chunks(e):
        jacobian = np.einsum("qna,enb->eqab", reference, x[part], optimize=True)
        determinant = _determinant(jacobian, _cofactors(jacobian), x[part], cell, part.start, name)
        masses[part] = (np.abs(determinant) * weights * rho[part, None]) @ pairs
    lame = E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))
    return Elements(nodes, gradients, volumes, lame, masses.reshape(e, n, n))


def _chunks(count: int) -> list[slice]:
    return [slice(i, min(i + CHUNK, count)) for i in range(0, count, CHUNK)]


def _cofactors(J: Array) -> Array:
    """det(J) J⁻ᵀ of matrices (…, 3, 3)."""
    out = np.empty_like(J)
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        for d in range(3):
            e, f = (d + 1) % 3, (d + 2) % 3
            out[..., a, d] = J[..., b, e] * J[..., c, f] - J[..., b, f] * J[..., c, e]
    return out


def _determinant(jacobian: Array, cofactors: Array, x: Array, cell: CellType, first: int, name: str) -> Array:
    """Determinants (e, q), which have the same sign everywhere in a cell."""
    determinant = np.asarray(np.einsum("eqa,eqa->eq", jacobian[:, :, 0], cofactors[:, :, 0]))
    sides = x[:, cell.edges[:, 0]] - x[:, cell.edges[:, 1]]
    smallest = FLAT * np.linalg.norm(sides, axis=2).max(1) ** 3
    signed = determinant * np.sign(determinant[:, :1])
    bad = np.flatnonzero(signed.min(1) <= smallest)
    if len(bad):
        i = bad[0]
        at = ", ".join(f"{v:g}" for v in x[i].mean(0))
        why = "is turned inside out somewhere" if signed[i].min() < 0 else "has no volume"
        raise ModelError(
            f"{name}: cell {first + i} (of those with {x.shape[1]} nodes) near ({at}) {why},"
            f" and {len(bad) - 1} more. Mesh the part again, or check the order of nodes"
        )
    return determinant


def _check_middles(cell: CellType, x: Array, name: str) -> None:
    if not cell.quadratic:
        return
    a, b = x[:, cell.edges[:, 0]], x[:, cell.edges[:, 1]]
    away = np.linalg.norm(x[:, len(cell.corners) :] - (a + b) / 2, axis=2) / np.linalg.norm(a - b, axis=2).clip(1e-300)
    if away.max() > MIDDLE:
        i, j = np.unravel_index(int(away.argmax()), away.shape)
        raise ModelError(
            f"{name}: node {len(cell.corners) + j} of cell {i} (of those with {x.shape[1]} nodes) is"
            f" {away.max():.2g} lengths away from the middle of its edge. The nodes of cells are"
            " numbered as in VTK; check the file's order"
        )


class SolidElements:
    """The matrices of solid elements with k nodes; unknowns are ordered node after node.

    All matrices have the same pattern of pairs of nodes, in CSR form; ``place`` is the position of each
    entry of a cell.
    """

    def __init__(self, k: int, groups: list[Elements]) -> None:
        self.k, self.groups = k, groups
        keys = [(g.nodes[:, :, None] * k + g.nodes[:, None, :]).ravel() for g in groups]
        pairs, place = np.unique(np.concatenate(keys), return_inverse=True)
        self.place = place.reshape(-1)
        self.columns, counts = pairs % k, np.bincount(pairs // k, minlength=k)
        self.starts = np.r_[0, np.cumsum(counts)]
        self.mirror = np.lexsort((pairs // k, pairs % k))  # position of the pair (m, n) for each pair (n, m)

    def mass(self) -> Any:
        return self._three_times(np.concatenate([g.masses.ravel() for g in self.groups]))

    def stiffness(self) -> Any:
        from scipy.sparse import bsr_matrix

        entries = [_stiffnesses(g) for g in self.groups]
        blocks = np.empty((len(self.columns), 3, 3))
        for a, b in entries[0]:
            total = self._sum(np.concatenate([e[a, b].ravel() for e in entries]))
            blocks[:, a, b] = total if a < b else (total + total[self.mirror]) / 2  # symmetric without rounding errors
            blocks[:, b, a] = blocks[self.mirror, a, b]
        return bsr_matrix((blocks, self.columns, self.starts), shape=(3 * self.k, 3 * self.k)).tocsr()

    def geometric(self, u: Array) -> Any:
        """The geometric stiffness of the stresses that displacements u (3 k) cause."""
        displacements = np.asarray(u, dtype=float).reshape(self.k, 3)
        return self._three_times(np.concatenate([_geometric(g, displacements).ravel() for g in self.groups]))

    def _sum(self, entries: Array) -> Array:
        """Entries of cells added up, one number for each pair of nodes."""
        return np.bincount(self.place, weights=entries, minlength=len(self.columns)).astype(float, copy=False)

    def _three_times(self, entries: Array) -> Any:
        """The matrix with the same entries for x, y and z."""
        from scipy.sparse import csr_matrix

        total = self._sum(entries)
        total = (total + total[self.mirror]) / 2
        indices, places, starts = self._triple
        return csr_matrix((total[places], indices, starts), shape=(3 * self.k, 3 * self.k))

    @cached_property
    def _triple(self) -> tuple[Indices, Indices, Indices]:
        """Indices, positions of entries and starts of rows of the matrix with three rows for each node."""
        counts = np.repeat(np.diff(self.starts), 3)
        starts = np.r_[0, np.cumsum(counts)]
        places = np.arange(starts[-1]) + np.repeat(np.repeat(self.starts[:-1], 3) - starts[:-1], counts)
        indices = 3 * self.columns[places] + np.repeat(np.tile(np.arange(3), self.k), counts)
        return indices.astype(np.int32), places, starts.astype(np.int32)


def _stiffnesses(group: Elements) -> dict[tuple[int, int], Array]:
    """The entries K[na, mb] (e, n, m) for a ≤ b."""
    e, q, n, _ = group.gradients.shape
    out = {(a, b): np.empty((e, n, n)) for a in range(3) for b in range(a, 3)}
    for part in _chunks(e):
        B = group.gradients[part].reshape(-1, q, 3 * n)  # products are ∫ ∂_a N_n ∂_b N_m
        products = (np.swapaxes(B * group.volumes[part, :, None], 1, 2) @ B).reshape(-1, n, 3, n, 3)
        lam, mu = (values[part, None, None] for values in group.lame)
        laplace = mu * np.trace(products, axis1=2, axis2=4)
        for (a, b), entries in out.items():
            entries[part] = lam * products[:, :, a, :, b] + mu * products[:, :, b, :, a]
            if a == b:
                entries[part] += laplace
    return out


def _geometric(group: Elements, displacements: Array) -> Array:
    """The entries ∫ σ_cd ∂_c N_n ∂_d N_m (e, n, m)."""
    e, q, n, _ = group.gradients.shape
    out = np.empty((e, n, n))
    for part in _chunks(e):
        B = group.gradients[part]
        slopes = np.swapaxes(B, 2, 3) @ displacements[group.nodes[part]][:, None]  # ∂_c u_d
        lam, mu = (values[part, None, None, None] for values in group.lame)
        stress = mu * (slopes + np.swapaxes(slopes, 2, 3))
        stress += lam * np.trace(slopes, axis1=2, axis2=3)[..., None, None] * np.eye(3)
        loaded = (B @ (stress * group.volumes[part][..., None, None])).transpose(0, 2, 1, 3).reshape(-1, n, 3 * q)
        out[part] = loaded @ B.transpose(0, 1, 3, 2).reshape(-1, 3 * q, n)
    return out


# ── drawing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _surface(mesh: SolidMesh) -> tuple[Indices, Indices]:
    """Lines along sharp edges, and triangles of the surface, both through the nodes on edges."""
    triangles, edges, normals = list[Indices](), list[Indices](), list[Array]()
    for count in (3, 4):
        faces = [_faces(cell, nodes, count) for cell, nodes in mesh.cells]
        loops = np.concatenate(faces) if faces else np.zeros((0, count), dtype=np.intp)
        if not len(loops):
            continue
        _, first, number = np.unique(np.sort(loops[:, :count], axis=1), axis=0, return_index=True, return_counts=True)
        outer = loops[first[number == 1]]
        triangles.append(_split(outer, count))
        corners = mesh.positions[outer[:, :count]]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, count - 1] - corners[:, 0])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True).clip(1e-300)
        for i in range(count):
            middle = outer[:, count + i] if outer.shape[1] > count else outer[:, i]
            edges.append(np.column_stack([outer[:, i], outer[:, (i + 1) % count], middle]))
            normals.append(normal)
    every, normal = np.concatenate(edges), np.concatenate(normals)
    keys = np.sort(every[:, :2], axis=1)
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    keys, every, normal = keys[order], every[order], normal[order]
    starts = np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]).any(1)])
    ends = np.r_[starts[1:], len(keys)] - 1
    cosine = np.abs(np.einsum("ia,ia->i", normal[starts], normal[ends]))
    sharp = every[starts[(cosine < SHARP) | (starts == ends)]]
    halves = np.vstack([sharp[:, [0, 2]], sharp[:, [2, 1]]])
    return halves[halves[:, 0] != halves[:, 1]], np.concatenate(triangles)


def _faces(cell: CellType, nodes: Indices, count: int) -> Indices:
    """The faces with this number of corners: corners in a loop, then the nodes on their edges where there are any."""
    where = {frozenset(map(int, pair)): len(cell.corners) + i for i, pair in enumerate(cell.edges)}
    out = list[Indices]()
    for face in cell.faces:
        if len(face) == count:
            loop = list(face)
            if cell.quadratic:
                loop += [where[frozenset((face[i], face[(i + 1) % count]))] for i in range(count)]
            out.append(nodes[:, loop])
    width = 2 * count if cell.quadratic else count
    return np.concatenate(out) if out else np.zeros((0, width), dtype=np.intp)


def _split(loops: Indices, count: int) -> Indices:
    """Faces as triangles."""
    if loops.shape[1] == count:
        fans = [(0, i, i + 1) for i in range(1, count - 1)]
    else:
        fans = [(i, count + i, count + (i - 1) % count) for i in range(count)]
        fans += [(count, count + i, count + i + 1) for i in range(1, count - 1)]
    return np.concatenate([loops[:, list(fan)] for fan in fans])
