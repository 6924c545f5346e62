"""Modal data of a flexible body: its inertia to second order in the modal coordinates η, its stiffness, and its nodes.

All vectors are along the axes of the body's frame, and positions are from its origin. A node is at l₀ + γ η + ½ ηᵀ Γ η
and turned by the angles λ η about x, y and z one after another (R = Rx Ry Rz). With V = (η̇, ω, v) of the frame, the
kinetic energy is ½ Vᵀ M(η) V with

    M = [[M_ff, Fᵀ, (E + C η)ᵀ], [F, J, c~], [E + C η, −c~, m]]
    c(η) = c0 + E η + ½ ηᵀ C η      F(η) = F0 + F1 η      J(η) = J0 + J1 η + ½ ηᵀ J2 η

M_ff does not depend on η. The strain energy is ½ ηᵀ K η.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from freebody.model.flexible.beam_sections import BeamSections
from freebody.model.flexible.content import content_digest
from freebody.model.flexible.deformable_mesh import DeformableMesh
from freebody.model.flexible.paper_integrals import PaperIntegrals
from freebody.tables import ShortRepr

Array = NDArray[np.float64]
ROUNDING = 1e-13
"""Entries that are smaller, relative to the largest of their array, are rounding errors."""


@dataclass(frozen=True, eq=False)
class ModalNode:
    """A node: its position and rotation to second order in η."""

    position: Array  # l₀ (3)
    translations: Array  # γ (3, n)
    slopes: Array | None  # λ (3, n); None for a node whose rotation is not known, as in solid elements
    second: Array  # Γ (3, n, n), symmetric in the modes

    def in_basis(self, T: Array) -> "ModalNode":
        """The same node for the coordinates ξ of η = T ξ."""
        slopes = None if self.slopes is None else self.slopes @ T
        return ModalNode(self.position, self.translations @ T, slopes, T.T @ self.second @ T)


def cleaned(a: Array, relative: float = ROUNDING) -> Array:
    """The array with zeros in place of rounding errors, which are entries below a fraction of its largest one."""
    return np.where(np.abs(a) < relative * np.abs(a).max(initial=0.0), 0.0, a)


@dataclass(frozen=True, eq=False)
class BodyMode:
    """A mode as it is listed."""

    kind: str  # "bending y", "bending z", "axial", "torsion", or "" if it is not known
    frequency: float  # rad/s, undamped, with the body's frame fixed
    damping: float  # ratio of the critical damping
    effective_mass: Array  # (6): inertia about x, y, z, and mass along them, that move with the mode if the frame moves
    quasi_static: bool = False  # whether inertia is added to it, which lowers its frequency (``quasi_static.py``)

    @property
    def label(self) -> str:
        """Its kind, and whether it is quasi-static."""
        return f"{self.kind} quasi-static".lstrip() if self.quasi_static else self.kind


@dataclass(frozen=True, eq=False, repr=False)
class ModalData(ShortRepr):
    """The arrays of a flexible body with n modes. Data are equal if their equations are: lists of modes, outlines,
    meshes and sections do not count."""

    m: float
    c0: Array  # (3)
    E: Array  # (3, n)
    C: Array  # (3, n, n), symmetric in the modes
    F0: Array  # (3, n)
    F1: Array  # (3, n, n): F1[:, r, s] is the coefficient of η_s in column r of F
    J0: Array  # (3, 3)
    J1: Array  # (n, 3, 3)
    J2: Array  # (n, n, 3, 3), symmetric in the modes
    M_ff: Array  # (n, n), the identity for orthonormal modes
    K: Array  # (n, n), diagonal for modes of vibration
    D: Array  # (n, n), damping
    preload: Array  # (n), generalised forces that act on the modes at all times
    nodes: Mapping[str, ModalNode] = field(default_factory=dict)
    modes: tuple[BodyMode, ...] = field(default=(), compare=False)
    paper: PaperIntegrals | None = None  # of paper 004, for nodes with masses and up to 64 modes
    outline: tuple[ModalNode, ...] = field(default=(), compare=False)  # nodes along the body in order, for drawing
    sections: BeamSections | None = field(default=None, compare=False)  # strains along a beam
    units: tuple[str, ...] = ()  # of the coordinates, if they are not amplitudes of modes with unit modal mass
    mesh: DeformableMesh | None = field(default=None, compare=False)  # of finite elements, for drawing

    @property
    def n(self) -> int:
        """The number of modes."""
        return len(self.preload)

    @cached_property
    def digest(self) -> bytes:
        """The digest of all that is compared."""
        return content_digest([getattr(self, f.name) for f in fields(self) if f.compare])

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, ModalData) and self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def drawing(self) -> DeformableMesh:
        """What is drawn: the mesh, a prism along the outline, or the nodes."""
        if self.mesh is not None:
            return self.mesh
        if len(self.outline) > 1:
            return DeformableMesh.along(self.outline, self.n)
        return DeformableMesh.of_nodes([*self.nodes.values()], self.n)

    @cached_property
    def turns(self) -> Array:
        """The rotations of nodes, and of points along the body, per unit of each mode: (points, 3, n); those of beams
        without the twist about their axis, which may be large."""
        rows = [node.slopes for node in (*self.nodes.values(), *self.outline) if node.slopes is not None]
        turns = np.array(rows, float).reshape(-1, 3, self.n)
        if self.sections is not None:
            turns[:, 0] = 0.0
        return np.asarray(turns[np.abs(turns).max(axis=(1, 2), initial=0.0) > 0])

    def node_at(self, position: Sequence[float]) -> str:
        """The name of a node at a point of the undeformed body that modes displace; "" if there is none."""
        shapes = {name: np.abs(node.translations).max(initial=0.0) for name, node in self.nodes.items()}
        near = 1e-9 * max((float(np.abs(node.position).max()) for node in self.nodes.values()), default=0.0)
        for name, node in self.nodes.items():
            if np.abs(node.position - position).max() <= near and shapes[name] > 1e-9 * max(shapes.values()):
                return name
        return ""

    def along(self, R: Array) -> "ModalData":
        """The data along other axes; R maps components along the body's axes to components along those. Slopes stay
        angles about the body's axes, so nodes are not changed."""
        if np.array_equal(R, np.eye(3)):
            return self

        def vectors(a: Array) -> Array:
            return cleaned(np.tensordot(R, a, 1))

        def matrices(a: Array) -> Array:
            return cleaned(R @ a @ R.T)

        return replace(
            self,
            c0=vectors(self.c0),
            E=vectors(self.E),
            C=vectors(self.C),
            F0=vectors(self.F0),
            F1=vectors(self.F1),
            J0=matrices(self.J0),
            J1=matrices(self.J1),
            J2=matrices(self.J2),
            nodes={},
            outline=(),
            sections=None,
            mesh=None,
            paper=None if self.paper is None else self.paper.along(R),
        )

    def in_basis(self, T: Array) -> "ModalData":
        """The same body for the coordinates ξ of η = T ξ, without the list of modes."""
        return replace(
            self,
            E=self.E @ T,
            C=T.T @ self.C @ T,
            F0=self.F0 @ T,
            F1=T.T @ self.F1 @ T,
            J1=np.einsum("rab,rp->pab", self.J1, T),
            J2=np.einsum("rsab,rp,sq->pqab", self.J2, T, T, optimize=True),
            M_ff=T.T @ self.M_ff @ T,
            K=T.T @ self.K @ T,
            D=T.T @ self.D @ T,
            preload=T.T @ self.preload,
            nodes={name: node.in_basis(T) for name, node in self.nodes.items()},
            modes=(),
            paper=None if self.paper is None else self.paper.in_basis(T),
            outline=tuple(node.in_basis(T) for node in self.outline),
            units=(),
            sections=None if self.sections is None else self.sections.in_basis(T),
            mesh=None if self.mesh is None else self.mesh.in_basis(T),
        )
