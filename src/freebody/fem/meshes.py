"""Meshes of finite elements with named sets of nodes and cells: their nodes, numbered without unused ones, and the
constants of the material in their cells."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FunctionError, ModelError
from freebody.numeric import as_number

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
NodeSets = Mapping[str, "Callable[[Array], Any] | Any"]
"""Sets of nodes by name: indices of nodes of the mesh, or functions of positions (k × 3) that return k truth values."""
Constant = float | Mapping[str, float]
"""A constant of the material, or its value for each of several sets of cells."""


@dataclass(frozen=True, eq=False)
class ElementMesh:
    """Points and groups of cells of one type each, numbered as VTK and meshio number them."""

    positions: Array  # (k, 3)
    cells: tuple[tuple[str, Indices], ...]  # meshio's name of the type, nodes of each cell
    node_sets: dict[str, Indices] = field(default_factory=dict)
    cell_sets: dict[str, list[Indices]] = field(default_factory=dict)  # indices of cells in each group
    name: str = "mesh"

    def nodes_of(self, name: str) -> Indices:
        """The nodes of a set of nodes or of cells."""
        parts = [self.node_sets[name]] if name in self.node_sets else []
        for (_, nodes), chosen in zip(self.cells, self.cell_sets.get(name, []), strict=False):
            parts.append(np.unique(nodes[chosen]))
        return np.unique(np.concatenate(parts)).astype(np.intp)

    @property
    def set_names(self) -> list[str]:
        return list(dict.fromkeys([*self.node_sets, *self.cell_sets]))


def mesh_indices(value: Any, count: int, what: str) -> Indices:
    """Indices from 0 to count − 1, sorted."""
    out = np.zeros(0, dtype=np.intp) if value is None or len(value) == 0 else np.asarray(value)
    if out.dtype.kind not in "iu" or out.ndim != 1:
        raise ModelError(f"{what} needs indices, or a function of positions; it is {value!r:.80}")
    if len(out) and (out.min() < 0 or out.max() >= count):
        raise ModelError(f"{what} needs indices from 0 to {count - 1}; it has {out.min()} to {out.max()}")
    return np.unique(out).astype(np.intp)


@dataclass(frozen=True, eq=False)
class MeshNodes:
    """The nodes of the cells of a structure: those of the source that cells have, then nodes added on edges."""

    positions: Array  # (k, 3)
    new: Indices  # index of each node of the source, −1 if no cell has it
    middles: Indices  # (m, 3): ends of edges, and the nodes added on them

    def numbering(self, nodes: Indices) -> Indices:
        """Nodes of the source in this numbering, with the nodes on edges between them."""
        inside = np.zeros(len(self.positions), dtype=bool)
        kept = self.new[nodes]
        inside[kept[kept >= 0]] = True
        inside[self.middles[:, 2]] = inside[self.middles[:, 0]] & inside[self.middles[:, 1]]
        return np.flatnonzero(inside)

    def with_middles(self, edges: list[Indices]) -> "tuple[list[Indices], MeshNodes]":
        """New nodes (e, m) in the middle of the edges (e, m, 2) of cells."""
        k = len(self.positions)
        pairs = [np.sort(ends, axis=2) for ends in edges]
        keys = [ends[..., 0] * k + ends[..., 1] for ends in pairs]
        unique = np.unique(np.concatenate([key.ravel() for key in keys]))
        middles = np.column_stack([unique // k, unique % k, k + np.arange(len(unique))])
        positions = np.vstack([self.positions, self.positions[middles[:, :2]].mean(1)])
        return [k + np.searchsorted(unique, key) for key in keys], MeshNodes(positions, self.new, middles)

    def named_sets(self, source: ElementMesh, sets: NodeSets | None) -> dict[str, Indices]:
        """The sets of the source and those that a caller gives: indices of nodes of the source, or functions of
        positions."""
        out = {key: self.numbering(source.nodes_of(key)) for key in source.set_names}
        out = {key: nodes for key, nodes in out.items() if len(nodes)}
        if not isinstance(sets or {}, Mapping):
            raise ModelError(
                f"sets must be a dictionary of names and indices of nodes or functions of positions, not {sets!r:.80}"
            )
        for key, value in (sets or {}).items():
            what = f"{source.name}: the set '{key}'"
            if callable(value):
                try:
                    inside = np.asarray(value(self.positions))
                except Exception as error:
                    raise FunctionError.of(what, f"for positions of shape {self.positions.shape}", error) from error
                if inside.shape != (len(self.positions),) or inside.dtype != bool:
                    raise ModelError(
                        f"{what}: its function of positions (k × 3) must return k truth values, such as lambda x:"
                        f" x[:, 0] < 1e-6, not {inside.dtype} of shape {inside.shape}"
                    )
                out[key] = np.flatnonzero(inside)
            else:
                out[key] = self.numbering(mesh_indices(value, len(source.positions), what))
            if not len(out[key]):
                low, high = self.positions.min(0), self.positions.max(0)
                box = " × ".join(f"[{a:g}, {b:g}]" for a, b in zip(low, high, strict=True))
                raise ModelError(f"{what} has no nodes; the nodes of cells are in {box} m")
        return out


def used_nodes(source: ElementMesh, cells: list[Indices]) -> tuple[list[Indices], MeshNodes]:
    """Cells and their nodes, numbered anew without the nodes that no cell has."""
    used = np.unique(np.concatenate([nodes.ravel() for nodes in cells]))
    new = np.full(len(source.positions), -1, dtype=np.intp)
    new[used] = np.arange(len(used))
    return [new[nodes] for nodes in cells], MeshNodes(source.positions[used], new, np.zeros((0, 3), dtype=np.intp))


def check_connected(cells: list[Indices], k: int, name: str) -> None:
    """An error if a mesh falls into several parts."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    first = np.concatenate([np.repeat(nodes[:, 0], nodes.shape[1] - 1) for nodes in cells])
    rest = np.concatenate([nodes[:, 1:].ravel() for nodes in cells])
    graph = coo_matrix((np.ones(len(first)), (first, rest)), shape=(k, k))
    count, labels = connected_components(graph, directed=False)
    if count > 1:
        sizes = ", ".join(str(n) for n in np.sort(np.bincount(labels))[::-1][:5])
        raise ModelError(
            f"{name}: the mesh has {count} parts without common nodes (of {sizes} nodes). Merge coincident"
            " nodes when meshing, or build a structure of each part"
        )


def per_cell(
    constants: Mapping[str, Constant], source: ElementMesh, groups: Sequence[tuple[int, int]]
) -> dict[str, Array]:
    """The constants of the material in each cell, for groups of cells of a mesh and the numbers of their cells."""
    return {
        key: np.concatenate([_in_group(key, value, source, group, count) for group, count in groups])
        for key, value in constants.items()
    }


def _in_group(key: str, value: Constant, source: ElementMesh, group: int, count: int) -> Array:
    """A constant of the material in each cell of a group."""
    if not isinstance(value, Mapping):
        return np.full(count, check_constant(key, value))
    out = np.full(count, np.nan)
    for name, number in value.items():
        if name not in source.cell_sets:
            known = ", ".join(sorted(source.cell_sets)) or "none"
            raise ModelError(f"{key}: {source.name} has no set of cells '{name}'; its sets of cells are: {known}")
        cells = source.cell_sets[name][group]
        if not np.isnan(out[cells]).all():
            raise ModelError(f"{key}: some cells of '{name}' belong to another of the sets {', '.join(value)}")
        out[cells] = check_constant(f"{key} of '{name}'", number)
    if np.isnan(out).any():
        raise ModelError(
            f"{key}: {int(np.isnan(out).sum())} cells of {source.name} belong to none of the sets {', '.join(value)}"
        )
    return out


def check_constant(key: str, value: Any) -> float:
    """A constant of a material as a number: positive, Poisson's ratio between −1 and 0.5."""
    number = as_number(value)
    if number is None or not np.isfinite(number):
        raise ModelError(f"{key} must be a number, not {value!r:.80}")
    if key.startswith("poisson"):
        if not -1 < number < 0.5:
            raise ModelError(f"{key} must be between -1 and 0.5, not {number:g}; for rubber, use 0.49")
    elif number <= 0:
        raise ModelError(f"{key} must be positive, not {number:g}")
    return number
