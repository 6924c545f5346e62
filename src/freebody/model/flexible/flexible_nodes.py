"""Flexible bodies given by nodes with masses: a stiffness matrix, mode shapes, or both (Jain & Rodriguez 1992, section
2). Modal coordinates are amplitudes of modes, or the displacements of the nodes themselves (Rodriguez, Jain & Kreutz
1992, Eqs 4.1–4.3), for which M_ff and K are matrices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import FieldError, ModelError
from freebody.fem.modal_data import Array, ModalData
from freebody.fem.nodal_data import EPS, NodalData, integrals, modal_mass, node_masses, shown
from freebody.fem.orthonormal import check_shapes, check_stiffness, positive_modes
from freebody.model.element import Given, field
from freebody.model.flexible.base import FlexibleDescription, Modes, nodal_loads
from freebody.model.kinds import Choice, ListOf, NumberArray, Scope, Text, suggest

RIGID = ("along x", "along y", "along z", "about x", "about y", "about z")
SOFT = 1e-6
"""A rigid motion is a rigid-body mode if its ω² is below this times the lowest ω² of the other modes."""


@dataclass(frozen=True, eq=False)
class FlexibleNodes(FlexibleDescription):
    """Nodes with masses, positions along the body's axes from its frame. Modes are given by `shapes` (and `slopes`)
    with `stiffness` or `modal_stiffness`, or they are computed from `stiffness` with the node `frame` fixed. Degrees of
    freedom of the stiffness matrix are, node after node, displacements along x, y, z and, if there are six, rotations
    about x, y, z."""

    positions: Given[ArrayLike] = field(NumberArray(2), "positions of the k nodes (k × 3)", unit="m")
    masses: Given[ArrayLike] = field(NumberArray(1), "masses of the nodes (k)", unit="kg")
    inertias: Given[ArrayLike | None] = field(
        NumberArray(),
        "inertias of the nodes, each about its own mass centre (k × 3 × 3, or k × 3 about the axes)",
        default=None,
        unit="kg·m²",
    )
    offsets: Given[ArrayLike | None] = field(
        NumberArray(2), "mass centres of the nodes, from the nodes (k × 3)", default=None, unit="m"
    )
    stiffness: Given[ArrayLike | None] = field(
        NumberArray(2), "stiffness matrix of the nodes (6 k × 6 k or 3 k × 3 k)", default=None
    )
    damping_matrix: Given[ArrayLike | None] = field(
        NumberArray(2), "damping matrix with the same degrees of freedom", default=None
    )
    shapes: Given[ArrayLike | None] = field(
        NumberArray(3), "translations of the nodes in each of n modes (k × 3 × n)", default=None
    )
    slopes: Given[ArrayLike | None] = field(
        NumberArray(3),
        "rotations of the nodes in each mode (k × 3 × n); without them the rotations are not known",
        default=None,
    )
    second: Given[ArrayLike | None] = field(
        NumberArray(4),
        "second derivatives of the positions of the nodes with respect to the modal coordinates"
        " (k × 3 × n × n): geometric stiffening",
        default=None,
    )
    modal_stiffness: Given[ArrayLike | None] = field(
        NumberArray(2), "stiffness matrix of the given modes (n × n)", default=None
    )
    names: Given[Sequence[str] | None] = field(
        ListOf(Text()), "names of the nodes; 1, 2, … if they are not given", default=None
    )
    frame: str = field(Text(), "node that is the body's frame; without it, the origin of the positions", default="")
    coordinates: str = field(
        Choice(("modal", "nodal")), "modal: amplitudes of modes; nodal: the displacements of the nodes", default="modal"
    )
    kind: ClassVar[str] = "nodes"

    def finalise(self, scope: Scope) -> Self:
        k = len(self.masses)
        if k == 0:
            raise FieldError("a body needs at least one node", "masses")
        n = self.shapes.shape[2] if self.shapes is not None else 0
        self._check("positions", (k, 3))
        self._check("inertias", (k, 3, 3), (k, 3))
        self._check("offsets", (k, 3))
        self._check("stiffness", (6 * k, 6 * k), (3 * k, 3 * k))
        self._check("shapes", (k, 3, n))
        for key, shape in (("slopes", (k, 3, n)), ("second", (k, 3, n, n)), ("modal_stiffness", (n, n))):
            if self.__dict__[key] is not None and self.shapes is None:
                raise FieldError(f"{key} belong to given mode shapes; give 'shapes' too", key)
            self._check(key, shape)
        if self.damping_matrix is not None:
            if self.stiffness is None:
                raise FieldError("a damping matrix of nodes needs their stiffness matrix", "damping_matrix")
            self._check("damping_matrix", self.stiffness.shape)
        if np.any(self.masses < 0):
            raise FieldError(f"the mass of node '{self.node_names[int(np.argmin(self.masses))]}' is negative", "masses")
        if (self.stiffness is None) == (self.modal_stiffness is None):
            raise FieldError("give the stiffness of the nodes, or with mode shapes the 'modal_stiffness'", "stiffness")
        if self.coordinates == "nodal" and self.shapes is not None:
            raise FieldError("nodal coordinates have no mode shapes; leave them out", "shapes")
        if self.names is not None and (len(self.names) != k or len({*self.names}) != k or "" in self.names):
            raise FieldError(f"{k} different names are needed, one for each node", "names")
        if self.frame and self.frame not in self.node_names:
            raise FieldError(f"there is no node '{self.frame}'. {suggest(self.frame, self.node_names)}", "frame")
        for key in ("inertias", "offsets"):
            array = self.__dict__[key]
            if array is not None and np.any(array) and not self._turn:
                raise FieldError(
                    "nodes with inertias or offsets rotate; give the 'slopes' of the modes, or a stiffness"
                    " matrix with six degrees of freedom per node",
                    key,
                )
        return super().finalise(scope)

    def _check(self, key: str, *shapes: tuple[int, ...]) -> None:
        array = self.__dict__[key]
        if array is not None and array.shape not in shapes:
            needed = " or ".join(" × ".join(map(str, shape)) for shape in shapes)
            raise FieldError(
                f"{needed} numbers are needed for {len(self.masses)} nodes, not {' × '.join(map(str, array.shape))}",
                key,
            )

    @property
    def node_names(self) -> list[str]:
        return [str(j + 1) for j in range(len(self.masses))] if self.names is None else list(self.names)

    @property
    def _turn(self) -> bool:
        """Whether rotations of the nodes are known."""
        if self.shapes is not None:
            return self.slopes is not None
        return self.stiffness is not None and len(self.stiffness) == 6 * len(self.masses)

    def _nodal_data(self, translations: Array, slopes: Array, turn: bool) -> NodalData:
        k = len(self.masses)
        inertias = np.zeros((k, 3, 3)) if self.inertias is None else self.inertias
        if inertias.ndim == 2:
            inertias = inertias[:, :, None] * np.eye(3)
        offsets = np.zeros((k, 3)) if self.offsets is None else self.offsets
        return NodalData(
            self.node_names, self.positions, self.masses, inertias, offsets, translations, slopes, self.second, turn
        )

    def compute(self, modes: Modes, paper: bool) -> ModalData:
        if isinstance(modes, Mapping):
            raise ModelError("modes: kinds of modes are known for beams only; give their number")
        if self.coordinates == "nodal":
            if modes is not None:
                raise ModelError("modes: with coordinates='nodal' every displacement is a coordinate; leave modes out")
            return self._nodal_coordinates(paper)
        if self.shapes is None:
            if modes is None:
                raise ModelError("modes: give the number of modes that are computed from the stiffness matrix")
            vectors, squares = self._computed_modes(modes)
            nodes, K = self._displacements(vectors), np.diag(squares)
        else:
            nodes, K, vectors = self._given_modes()
            if modes is not None and modes > nodes.n:
                raise ModelError(f"modes: there are {nodes.n} mode shapes, not {modes}; ask for fewer")
        D = None if self.damping_matrix is None else vectors.T @ self.damping_matrix @ vectors
        return self.of_nodes(nodes, K, [""] * nodes.n, self.frame, count=modes, damping=D, paper=paper)

    def _displacements(self, vectors: Array) -> NodalData:
        """Nodes whose modes are columns of displacements in the degrees of freedom of the stiffness matrix."""
        k, n = len(self.masses), vectors.shape[1]
        rows = vectors.reshape(k, len(vectors) // k, n)
        turn = rows.shape[1] == 6
        return self._nodal_data(rows[:, :3], rows[:, 3:] if turn else np.zeros((k, 3, n)), turn)

    def _given_modes(self) -> tuple[NodalData, Array, Array]:
        """Nodes with the given shapes, their stiffness, and the shapes as columns of displacements."""
        k, n = len(self.masses), self.shapes.shape[2]
        slopes = np.zeros((k, 3, n)) if self.slopes is None else self.slopes
        nodes = self._nodal_data(self.shapes, slopes, self._turn)
        rotates = self._turn and (self.stiffness is None or len(self.stiffness) == 6 * k)
        if self.stiffness is not None and len(self.stiffness) == 6 * k and not self._turn:
            raise FieldError("the stiffness matrix has rotations; give the slopes of the modes too", "slopes")
        stacked = np.concatenate([self.shapes, slopes], axis=1) if rotates else self.shapes
        vectors = stacked.reshape(-1, n)
        labels = [f"mode {r + 1}" for r in range(n)]
        check_shapes(np.concatenate([self.shapes, slopes], axis=1).reshape(-1, n), labels, "shapes")
        key = "stiffness" if self.modal_stiffness is None else "modal_stiffness"
        K = vectors.T @ self.stiffness @ vectors if self.modal_stiffness is None else self.modal_stiffness
        K = (K + K.T) / 2 if np.abs(K - K.T).max() < 1e-8 * np.abs(K).max() else K
        M = modal_mass(nodes)
        _check_rigid(nodes, M, K, labels, key)
        K = check_stiffness(K, key)
        massless = positive_modes(M)
        if massless is not None:
            raise FieldError(
                f"{labels[massless]} moves no mass, alone or combined with others; give masses to the"
                " nodes that it moves",
                "masses",
            )
        return nodes, K, vectors

    def _free(self) -> NDArray[np.intp]:
        """The degrees of freedom that are not fixed with the frame."""
        per_node = len(self.stiffness) // len(self.masses)
        free = np.ones(len(self.stiffness), dtype=bool)
        if self.frame:
            j = self.node_names.index(self.frame)
            free[j * per_node : (j + 1) * per_node] = False
        return np.flatnonzero(free)

    def _checked_stiffness(self) -> tuple[NDArray[np.intp], Array]:
        """The free degrees of freedom and their stiffness matrix."""
        free = self._free()
        K = self.stiffness[np.ix_(free, free)]
        rigid = rigid_motions(self.positions, len(self.stiffness) // len(self.masses) == 6)[free]
        forces = np.abs(K) @ np.abs(rigid)
        with np.errstate(invalid="ignore", divide="ignore"):
            relative = np.abs(K @ rigid).max(0) / forces.max(0)
        loose = [name for name, x in zip(RIGID, relative, strict=True) if x < 1e-12]
        if loose:
            raise FieldError(
                f"the whole body can move without deformation ({', '.join(loose)}), so modes of a rigid"
                " body are left. Fix the body's frame to a node with frame='…', or remove the degrees of"
                " freedom that are held",
                "stiffness",
            )
        return free, check_stiffness(K, "stiffness")

    def _computed_modes(self, count: int) -> tuple[Array, Array]:
        """Columns of displacements of the lowest modes with the frame fixed, and their ω². Degrees of freedom without
        mass follow statically."""
        from scipy.linalg import eigh

        free, K = self._checked_stiffness()
        if count == 0:
            return np.zeros((len(self.stiffness), 0)), np.zeros(0)
        M = self._mass_matrix()[np.ix_(free, free)]
        inverse, vectors = eigh(M, K, subset_by_index=(max(len(free) - count, 0), len(free) - 1))
        inverse, vectors = inverse[::-1], vectors[:, ::-1]
        found = int(np.sum(inverse > 1e-13 * max(inverse[0], np.finfo(float).tiny)))
        if found < count:
            raise ModelError(
                f"modes: only {found} modes of the nodes move a mass, not {count}; ask for fewer, or give"
                f" masses and inertias to more nodes (without: {self._massless(M, free)})"
            )
        out = np.zeros((len(self.stiffness), count))
        out[free] = vectors / np.sqrt(inverse)
        return out, 1 / inverse

    def _massless(self, M: Array, free: NDArray[np.intp]) -> str:
        """The degrees of freedom without inertia, in an error text."""
        per_node = len(self.stiffness) // len(self.masses)
        names = self.node_names
        bare = [f"{names[i // per_node]} {RIGID[i % per_node]}" for i in free[np.diag(M) == 0]]
        return shown(bare) or "none, but some combination of displacements"

    def _mass_matrix(self) -> Array:
        """The mass matrix in the degrees of freedom of the stiffness matrix."""
        k, per_node = len(self.masses), len(self.stiffness) // len(self.masses)
        unit = np.broadcast_to(np.eye(per_node), (k, per_node, per_node))
        nodes = self._nodal_data(unit[:, :3], unit[:, 3:] if per_node == 6 else np.zeros((k, 3, 3)), per_node == 6)
        M = np.zeros((k, per_node, k, per_node))
        M[range(k), :, range(k)] = node_masses(nodes)
        return M.reshape(len(self.stiffness), -1)

    def _nodal_coordinates(self, paper: bool) -> ModalData:
        """The displacements of the nodes relative to the frame as coordinates."""
        free, K = self._checked_stiffness()
        nodes = self._displacements(np.eye(len(self.stiffness))[:, free])
        if self.frame:
            nodes = nodes.seen_from(self.frame)
        D = np.zeros_like(K) if self.damping_matrix is None else self.damping_matrix[np.ix_(free, free)]
        data = integrals(nodes, K, D, self.modal_preload(len(free)), range(len(self.masses)), paper)
        if positive_modes(data.M_ff) is not None:
            raise FieldError(
                "nodal coordinates need a mass for every displacement and an inertia for every rotation;"
                f" without are: {self._massless(data.M_ff, free)}. Give them, or use coordinates='modal'",
                "masses",
            )
        a, b = self.damping_law.rayleigh
        preload, _ = nodal_loads(data.nodes, [*dict(self.loads).items()], data.n)
        D = data.D + a * data.M_ff + b * K + self._modal_damping(data)
        per_node = len(self.stiffness) // len(self.masses)
        units = tuple("m" if i % per_node < 3 else "rad" for i in free)
        return replace(data, D=D, preload=data.preload + preload, units=units)

    def _modal_damping(self, data: ModalData) -> Array:
        """The damping matrix of damping ratios: M Φ diag(2 ζ ω) Φᵀ M."""
        from scipy.linalg import eigh

        squares, vectors = eigh(data.K, data.M_ff)
        left = data.M_ff @ vectors
        return np.asarray((left * (2 * self.damping_law.ratios_of(data.n) * np.sqrt(squares))) @ left.T)


def rigid_motions(positions: Array, turn: bool) -> Array:
    """Displacements of all degrees of freedom in the six motions of a rigid body, as columns."""
    k = len(positions)
    rows = np.zeros((k, 6 if turn else 3, 6))
    rows[:, :3, :3] = np.eye(3)
    rows[:, :3, 3:] = -np.einsum("iab,ka->kib", EPS, positions - positions.mean(0))
    if turn:
        rows[:, 3:, 3:] = np.eye(3)
    return rows.reshape(-1, 6)


def _check_rigid(nodes: NodalData, M: Array, K: Array, labels: Sequence[str], key: str) -> None:
    """Raise if a combination of modes is a motion of a rigid body without stiffness."""
    size = np.sqrt(((nodes.positions - nodes.positions.mean(0)) ** 2).sum(1).max()) or 1.0
    weight = np.repeat([1.0, size], 3)[None, :, None]
    shapes = (np.concatenate([nodes.translations, nodes.slopes], axis=1) * weight).reshape(-1, nodes.n)
    rigid = (rigid_motions(nodes.positions, True).reshape(-1, 6, 6) * weight).reshape(-1, 6)
    if not nodes.turn:
        keep = np.tile(np.arange(6) < 3, len(nodes.masses))
        shapes, rigid = shapes[keep], rigid[keep]
    basis, R = np.linalg.qr(shapes)
    left, cosines, _ = np.linalg.svd(basis.T @ np.linalg.svd(rigid, full_matrices=False)[0])
    motions = np.linalg.solve(R, left[:, : len(cosines)][:, cosines > 1 - 1e-10])
    others = np.linalg.solve(R, left[:, int(np.sum(cosines > 1 - 1e-10)) :])
    if motions.shape[1] == 0 or others.shape[1] == 0:
        return

    def quotients(x: Array) -> Array:
        energy, mass = (np.einsum("rk,rs,sk->k", x, A, x) for A in (K, M))
        return np.asarray(energy / np.maximum(mass, np.finfo(float).tiny))

    if quotients(motions).min() < SOFT * quotients(others).min():
        x = motions[:, int(np.argmin(quotients(motions)))]
        involved = [label for label, c in zip(labels, np.abs(x) / np.abs(x).max(), strict=True) if c > 1e-3]
        raise FieldError(
            f"the whole body moves without deformation in {' and '.join(involved)}. Leave modes of a rigid"
            " body out: the joint of the body provides these motions",
            key,
        )
