"""Meshes of boxes for tests: regular or with displaced nodes inside, of each type of cell."""

from collections.abc import Sequence
from typing import Any

import meshio
import numpy as np
from skfem import MeshHex
from skfem.io.meshio import to_meshio

from freebody.fem.cells import QUADRATIC, cell_type

KINDS = ("tetra", "hexahedron", "wedge")


def box(kind: str, sizes: Any, counts: Sequence[int], distortion: float = 0.0, seed: int = 0) -> Any:
    """A box with a corner at the origin; nodes inside are displaced by a fraction of the spacing."""
    mesh = MeshHex.init_tensor(*(np.linspace(0.0, l, n + 1) for l, n in zip(sizes, counts, strict=True)))
    if kind == "tetra":
        mesh = mesh.to_meshtet()
    out = to_meshio(mesh)
    sizes = np.array(sizes)
    inside = ((out.points > 1e-9 * sizes) & (out.points < (1 - 1e-9) * sizes)).all(1)
    moves = np.random.default_rng(seed).uniform(-1, 1, out.points.shape) * sizes / counts
    out.points[inside] += distortion * moves[inside]
    cells = out.cells[0].data
    if kind == "wedge":
        cells = np.vstack([cells[:, [0, 1, 3, 4, 5, 7]], cells[:, [1, 2, 3, 5, 6, 7]]])
    return meshio.Mesh(out.points, [(kind, cells)])


def with_edge_nodes(mesh: Any) -> Any:
    """The same mesh with nodes in the middle of edges in the file itself."""
    kind, nodes = mesh.cells[0].type, mesh.cells[0].data
    cell = cell_type(kind)
    assert cell is not None, kind
    pairs = np.sort(nodes[:, cell.edges], axis=2)
    unique, inverse = np.unique(pairs.reshape(-1, 2), axis=0, return_inverse=True)
    middles = len(mesh.points) + inverse.reshape(pairs.shape[:2])
    points = np.vstack([mesh.points, mesh.points[unique].mean(1)])
    return meshio.Mesh(points, [(QUADRATIC[kind], np.hstack([nodes, middles]))])
