"""A structure: the mass and stiffness matrices of finite elements in the displacements of nodes.

An unknown is a displacement of a node along x, y or z (component 0, 1, 2) or a rotation about them (3, 4, 5). Unknowns
of other kinds, such as slopes at the middle of an edge, have the component 6; a structure with such unknowns also gives
the matrices ``cross`` and its rigid motions.

A displacement u that rotates with the body at ω has the velocity Σ ω_a cross_a u. For nodes this is the cross product
of e_a with their displacements and with their rotations: the angular velocity along the axes of a node that is turned
by θ is ω + ω × θ.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ModelError, describe, suggest
from freebody.keywords import hint_keywords

if TYPE_CHECKING:
    from freebody.model.flexible.reduced_body import ReducedBody

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
Sparse = Any
"""A sparse matrix of SciPy in CSR form."""
ASYMMETRY = 1e-8
"""Largest difference of a matrix and its transpose, relative to its largest entry."""
GROUNDED = 1e-6
"""Forces of a rigid motion, relative to those of its parts, above which a structure is connected to the ground."""


@dataclass(frozen=True, eq=False)
class MassPoints:
    """Points with masses and inertias whose motions have the kinetic energy of the mass matrix, such as Gauss's points.
    In elements with rotary inertia they are needed for modal integrals: a section that is turned twice is not among
    the displacements of its element."""

    positions: Array  # (p, 3)
    masses: Array  # (p)
    inertias: Array  # (p, 3, 3), each about its point
    moves: Sparse  # (3 p, N), displacements of the points
    turns: Sparse  # (3 p, N), their rotations

    def mass_matrix(self) -> Sparse:
        """The mass matrix (N, N)."""
        from scipy.sparse import bsr_matrix, diags

        p = len(self.masses)
        inertias = bsr_matrix((self.inertias, np.arange(p), np.arange(p + 1)), shape=(3 * p, 3 * p))
        weights = diags(np.repeat(self.masses, 3))
        return (self.moves.T @ weights @ self.moves + self.turns.T @ (inertias @ self.turns)).tocsr()


class StructureFields(TypedDict, total=False):
    """The fields of a structure that are not needed; see ``Structure``."""

    sets: Mapping[str, Any]
    geometric: Callable[[Array], Sparse] | None
    lines: Indices
    triangles: Indices
    cross: tuple[Sparse, Sparse, Sparse] | None
    rigid: Array | None
    points: "MassPoints | None"
    name: str


class FlexibleOptions(TypedDict, total=False):
    """Options of all flexible bodies; see ``FlexibleDescription``."""

    damping: float | Sequence[float] | None
    rayleigh: Sequence[float] | None
    loads: Mapping[str, Sequence[float]]
    preload: Sequence[float] | None


OPTIONS = tuple(FlexibleOptions.__annotations__)


@hint_keywords
@dataclass(frozen=True, eq=False)
class Structure:
    """Finite elements as matrices: k nodes and N unknowns."""

    positions: Array  # (k, 3), m
    mass: Sparse  # (N, N)
    stiffness: Sparse  # (N, N)
    node: Indices  # node of each unknown
    component: Indices  # component of each unknown
    sets: Mapping[str, Indices] = field(default_factory=dict)  # named sets of nodes
    geometric: Callable[[Array], Sparse] | None = None  # geometric stiffness (N, N) of the stresses of displacements
    lines: Indices = field(default_factory=lambda: np.zeros((0, 2), dtype=np.intp))  # pairs of nodes, for drawing
    triangles: Indices = field(default_factory=lambda: np.zeros((0, 3), dtype=np.intp))  # of nodes, for drawing
    cross: tuple[Sparse, Sparse, Sparse] | None = None  # (N, N) each; computed from the nodes if it is None
    rigid: Array | None = None  # (N, 6): translations along x, y, z and rotations about them through the origin
    points: MassPoints | None = None  # where the mass is, if ``cross`` is not exact for its rotations
    name: str = "structure"  # in errors and reports

    def __post_init__(self) -> None:
        from scipy.sparse import csr_matrix

        try:
            for key, kind in (("positions", np.float64), ("node", np.intp), ("component", np.intp)):
                object.__setattr__(self, key, np.atleast_1d(np.asarray(self.__dict__[key], dtype=kind)))
        except (TypeError, ValueError):
            raise ModelError(f"{self.name}: '{key}' is not an array of numbers") from None
        n, k = len(self.node), len(self.positions)
        if self.positions.shape != (k, 3) or not np.isfinite(self.positions).all():
            raise ModelError(
                f"{self.name}: positions of nodes must be an array (k × 3) of finite numbers, not of shape"
                f" {self.positions.shape}"
            )
        if len(self.component) != n or (n and (self.node.min() < 0 or self.node.max() >= k)):
            raise ModelError(f"{self.name}: every unknown needs a node, one of {k}, and a component")
        if n and (self.component.min() < 0 or self.component.max() > 6):
            raise ModelError(
                f"{self.name}: components must be 0 to 2 (displacements), 3 to 5 (rotations) or 6 (others)"
            )
        nodal = 6 * self.node + self.component
        pairs, counts = np.unique(nodal[self.component < 6], return_counts=True)
        if (counts > 1).any():
            node, component = divmod(int(pairs[counts > 1][0]), 6)
            raise ModelError(f"{self.name}: the component {component} of node {node} belongs to two unknowns")
        for key in ("mass", "stiffness"):
            what = f"{self.name}: the {key} matrix"
            try:
                A = csr_matrix(self.__dict__[key])
            except (TypeError, ValueError):
                raise ModelError(f"{what} is not a matrix of numbers") from None
            if A.dtype.kind not in "fiu":
                raise ModelError(f"{what} has entries of the type {A.dtype}; real numbers are needed")
            if A.shape != (n, n):
                raise ModelError(
                    f"{what} has {A.shape[0]} × {A.shape[1]} entries; {n} × {n} are needed, one row for each unknown"
                )
            if not np.isfinite(A.data).all():
                raise ModelError(f"{what} has entries that are not finite numbers")
            size, difference = abs(A).max() if A.nnz else 0.0, abs(A - A.T)
            if difference.nnz and difference.max() > ASYMMETRY * size:
                i, j = np.unravel_index(int(difference.argmax()), A.shape)
                raise ModelError(
                    f"{what} is not symmetric: its entries ({i + 1}, {j + 1}) and ({j + 1}, {i + 1}) are {A[i, j]:g}"
                    f" and {A[j, i]:g}. If the file contains one triangle only, it must state this"
                )
            object.__setattr__(self, key, A if not difference.nnz else ((A + A.T) / 2).tocsr())
        low = self.mass.diagonal().min(initial=0.0)
        if low < 0:
            raise ModelError(f"{self.name}: the mass matrix has the negative entry {low:g} on its diagonal")
        if n and self.stiffness.diagonal().min() < 0:
            raise ModelError(f"{self.name}: the stiffness matrix has a negative entry on its diagonal; check its sign")
        sets = {name: node_indices(nodes, k, f"{self.name}: the set '{name}'") for name, nodes in self.sets.items()}
        object.__setattr__(self, "sets", sets)

    def __repr__(self) -> str:
        sets = f", sets: {', '.join(self.sets)}" if self.sets else ""
        size = f"{len(self.positions)} nodes, {self.size} unknowns"
        return f"<Structure '{self.name}': {size}, {self.total_mass:.6g} kg{sets}>"

    @classmethod
    def from_nodes(cls, positions: Any, mass: Any, stiffness: Any, **others: Unpack[StructureFields]) -> Self:
        """A structure whose unknowns are 3 displacements of each node, or 3 displacements and 3 rotations, node after
        node."""
        n, k = (*np.shape(mass), 0)[0], len(positions)
        if k == 0 or n not in (3 * k, 6 * k):
            raise ModelError(
                f"matrices of {k} nodes have {3 * k} rows (displacements) or {6 * k} rows (displacements"
                f" and rotations), not {n}"
            )
        per_node = n // k
        node, component = np.repeat(np.arange(k), per_node), np.tile(np.arange(per_node), k)
        return cls(positions, mass, stiffness, node, component, **others)

    def save(self, path: "str | os.PathLike[str]") -> Path:
        """Write the structure as one file (.npz), which ``fb.read_structure`` reads."""
        from freebody.io.structure_files import save_structure

        return save_structure(self, path)

    def nodes_where(self, condition: Callable[[Array], NDArray[np.bool_]]) -> Indices:
        """The nodes whose positions (k × 3) satisfy a condition: ``nodes_where(lambda x: x[:, 0] < 1e-6)``."""
        return np.flatnonzero(condition(self.positions))

    def reduce(
        self,
        modes: int | None = None,
        *,
        interfaces: Mapping[str, Any] | None = None,
        frame: str = "",
        method: str = "",
        held: Mapping[str, Any] | None = None,
        static: Sequence[str] = (),
        frequency: float | None = None,
        effective_mass: float | None = None,
        stiffening: bool = True,
        check: float | None = None,
        progress: bool | None = None,
        **options: Unpack[FlexibleOptions],
    ) -> "ReducedBody":
        """A flexible body with few modes, for ``s.body(…, flexible=…)``.

        ``interfaces`` are the places where joints, loads and sensors are attached: names with a node, a set of nodes
        (by its name or by indices), which is tied rigidly, or ``fb.Tie(nodes, kind="average")``. They become the nodes
        of the body. ``frame`` is the interface at the body's frame; without it the frame floats, at the origin of the
        positions, so that modes move neither the mass centre nor the mean orientation.

        Modes of vibration are chosen by their number, by ``frequency`` (all below it, in rad/s) or by
        ``effective_mass`` (a fraction of the mass). ``method`` is "craig-bampton" (default with interfaces),
        "craig-chang" or "modal". For "modal", ``held`` gives the components of interfaces that are held in the modes,
        such as {"hinge": "x y z rx ry"} (all of the frame's by default), and ``static`` the interfaces whose static
        displacements by unit forces are added. ``stiffening=False`` leaves out geometric stiffening. ``check`` compares
        the frequency response with that of the whole structure up to this frequency (rad/s); ``body.summary`` and
        ``body.plot(…)`` show it. Other options are those of all flexible bodies: ``damping``, ``rayleigh``, ``loads``,
        ``preload``.
        """
        from freebody.fem.reduction import reduce
        from freebody.model.flexible.reduced_body import ReducedBody

        for key in options:
            if key not in OPTIONS:
                raise ModelError(f"there is no option '{key}'. {suggest(key, [*OPTIONS])}")
        reduced = reduce(
            self,
            modes,
            interfaces=interfaces,
            frame=frame,
            method=method,
            held=held,
            static=static,
            frequency=frequency,
            effective_mass=effective_mass,
            stiffening=stiffening,
            check=check,
            progress=progress,
        )
        return ReducedBody(reduced, **options)

    @property
    def size(self) -> int:
        """The number of unknowns."""
        return len(self.node)

    @cached_property
    def unknown(self) -> Indices:
        """The unknown of each node and component (k, 6), −1 where there is none."""
        table = np.full((len(self.positions), 6), -1, dtype=np.intp)
        at = self.component < 6
        table[self.node[at], self.component[at]] = np.flatnonzero(at)
        return table

    @cached_property
    def crosses(self) -> tuple[Sparse, Sparse, Sparse]:
        """The matrices cross_a."""
        return self.cross or (self._cross(0), self._cross(1), self._cross(2))

    def _cross(self, a: int) -> Sparse:
        from scipy.sparse import coo_matrix

        b, c = (a + 1) % 3, (a + 2) % 3  # e_a × (x_b e_b + x_c e_c) = x_b e_c − x_c e_b
        rows, columns, values = list[Indices](), list[Indices](), list[Array]()
        for first in (0, 3):
            ib, ic = self.unknown[:, first + b], self.unknown[:, first + c]
            both = (ib >= 0) & (ic >= 0)
            rows += [ic[both], ib[both]]
            columns += [ib[both], ic[both]]
            values += [np.ones(both.sum()), -np.ones(both.sum())]
        at = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
        return coo_matrix(at, shape=(self.size, self.size)).tocsr()

    @cached_property
    def rigid_motions(self) -> Array:
        """Displacements (N, 6) of translations along x, y, z and of rotations about them through the origin."""
        if self.rigid is not None:
            return self.rigid
        return rigid_rows(self.positions[self.node], self.component)

    @cached_property
    def rigid_mass(self) -> Array:
        """The mass matrix (6, 6) of the rigid motions."""
        R = self.rigid_motions
        return np.asarray(R.T @ (self.mass @ R))

    @property
    def total_mass(self) -> float:
        """The mass that moves in translations: a third of the sum over x, y and z."""
        return float(np.trace(self.rigid_mass[:3, :3]) / 3)

    @cached_property
    def residuals(self) -> Array:
        """The forces of each rigid motion, relative to the sum of the sizes of their terms (6). They are rounding
        errors, unless the structure is connected to the ground."""
        R, K = self.rigid_motions, self.stiffness
        terms = abs(K) @ np.abs(R)
        return np.asarray(np.abs(K @ R).max(0) / np.maximum(terms.max(0), np.finfo(float).tiny))

    @property
    def grounded(self) -> bool:
        """Whether supports of the structure are part of its stiffness matrix."""
        return bool(self.residuals.max() > GROUNDED)


def node_indices(given: Any, count: int, what: str) -> Indices:
    """Nodes from their indices, or from a truth value for each of ``count`` nodes; ``what`` names them in errors."""
    try:
        nodes = np.atleast_1d(np.asarray(given))
    except (TypeError, ValueError):
        nodes = np.zeros((1, 1))
    if nodes.dtype == bool and nodes.shape == (count,):
        nodes = np.flatnonzero(nodes)
    if nodes.size == 0:
        raise ModelError(f"{what}: it has no nodes")
    if nodes.ndim != 1 or not np.issubdtype(nodes.dtype, np.integer):
        raise ModelError(f"{what}: nodes must be indices or {count} truth values, not {describe(given)}")
    wrong = nodes[(nodes < 0) | (nodes >= count)]
    if len(wrong):
        raise ModelError(f"{what}: nodes have indices from 0 to {count - 1}, not {wrong[0]}")
    return np.unique(nodes).astype(np.intp)


def rigid_rows(points: Array, components: Indices) -> Array:
    """The rigid motions of unknowns with these points and components: a row of six numbers each."""
    out = np.zeros((len(points), 6))
    moves, turns = components < 3, (components >= 3) & (components < 6)
    out[moves, components[moves]] = 1.0
    out[turns, components[turns]] = 1.0
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3  # e_a × x = x_b e_c − x_c e_b
        at_c, at_b = components == c, components == b
        out[at_c, 3 + a] = points[at_c, b]
        out[at_b, 3 + a] = -points[at_b, c]
    return out
