"""Flexible bodies given by their modal integrals, as other programs export them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from freebody.errors import FieldError, ModelError
from freebody.fem.modal_data import Array, ModalData, ModalNode
from freebody.fem.orthonormal import check_stiffness
from freebody.fem.paper_integrals import cross_matrix
from freebody.model.element import Element, ElementOf, Given, field
from freebody.model.flexible.base import FlexibleDescription, Modes
from freebody.model.kinds import ListOf, MappingOf, Number, NumberArray, Scope, Text

SYMMETRIC = {"J0": (0, 1), "J1": (1, 2), "C": (1, 2), "J2": (0, 1), "M_ff": (0, 1), "D": (0, 1)}
"""Arrays and two of their indices that may be exchanged."""


@dataclass(frozen=True, eq=False)
class NodeShapes(Element):
    """A node of a body that is given by modal integrals."""

    position: Given[ArrayLike] = field(NumberArray(1), "position of the undeformed node (3)", unit="m")
    translations: Given[ArrayLike] = field(NumberArray(2), "translation in each of n modes (3 × n)")
    slopes: Given[ArrayLike | None] = field(
        NumberArray(2), "rotation in each mode (3 × n); None if it is not known", default=None
    )
    second: Given[ArrayLike | None] = field(
        NumberArray(3), "second derivatives of the position (3 × n × n)", default=None
    )
    kind: ClassVar[str] = "node shapes"


@dataclass(frozen=True, eq=False)
class ModalIntegrals(FlexibleDescription):
    """A body given by its modal integrals along the axes of its frame, with the kinetic energy ½ Vᵀ M(η) V of
    V = (η̇, ω, v): M = [[M_ff, Fᵀ, (E + C η)ᵀ], [F, J, c~], [E + C η, −c~, m]], c = c0 + E η + ½ ηᵀ C η, F = F0 + F1 η,
    J = J0 + J1 η + ½ ηᵀ J2 η. Integrals that are not given are zero. The modes need not be orthonormal."""

    m: Given[float] = field(Number(), "mass", unit="kg")
    c0: Given[ArrayLike] = field(
        NumberArray(1), "first moment of mass, the mass times the mass centre (3)", unit="kg·m"
    )
    J0: Given[ArrayLike] = field(NumberArray(2), "inertia about the frame's origin (3 × 3)", unit="kg·m²")
    E: Given[ArrayLike] = field(NumberArray(2), "momentum of each mode (3 × n)")
    F0: Given[ArrayLike] = field(NumberArray(2), "angular momentum of each mode about the frame's origin (3 × n)")
    K: Given[ArrayLike] = field(NumberArray(), "stiffness (n × n, or n on the diagonal)")
    M_ff: Given[ArrayLike | None] = field(
        NumberArray(2), "mass matrix of the modes (n × n); 1 if it is not given", default=None
    )
    C: Given[ArrayLike | None] = field(
        NumberArray(3), "second derivatives of the first moment (3 × n × n)", default=None
    )
    F1: Given[ArrayLike | None] = field(
        NumberArray(3), "F1[:, r, s] is the coefficient of η_s in column r of F (3 × n × n)", default=None
    )
    J1: Given[ArrayLike | None] = field(NumberArray(3), "derivatives of the inertia (n × 3 × 3)", default=None)
    J2: Given[ArrayLike | None] = field(
        NumberArray(4), "second derivatives of the inertia (n × n × 3 × 3)", default=None
    )
    D: Given[ArrayLike | None] = field(NumberArray(2), "damping matrix (n × n)", default=None)
    nodes: Given[Mapping[str, NodeShapes | Mapping[str, Any]]] = field(
        MappingOf(ElementOf(NodeShapes)), "nodes by name", default=()
    )
    kinds: Given[Sequence[str] | None] = field(ListOf(Text()), "kind of each mode, for lists", default=None)
    kind: ClassVar[str] = "integrals"

    @property
    def node_names(self) -> list[str]:
        return [name for name, _ in self.nodes]

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each array."""
        n = self.E.shape[1]
        return {
            "c0": (3,),
            "J0": (3, 3),
            "E": (3, n),
            "F0": (3, n),
            "M_ff": (n, n),
            "C": (3, n, n),
            "F1": (3, n, n),
            "J1": (n, 3, 3),
            "J2": (n, n, 3, 3),
            "D": (n, n),
        }

    def finalise(self, scope: Scope) -> Self:
        n = self.E.shape[1]
        for key, shape in self.shapes.items():
            _check(self.__dict__[key], shape, key)
        if self.K.shape not in ((n,), (n, n)):
            raise FieldError(f"{n} × {n} numbers are needed, or {n} on the diagonal", "K")
        for name, node in self.nodes:
            _check(node.position, (3,), "nodes", name, "position")
            _check(node.translations, (3, n), "nodes", name, "translations")
            _check(node.slopes, (3, n), "nodes", name, "slopes")
            _check(node.second, (3, n, n), "nodes", name, "second")
        if self.kinds is not None and len(self.kinds) != n:
            raise FieldError(f"there are {n} modes and {len(self.kinds)} kinds", "kinds")
        for key, axes in SYMMETRIC.items():
            x = self.__dict__[key]
            if x is not None and np.abs(x - x.swapaxes(*axes)).max(initial=0.0) > 1e-9 * np.abs(x).max(initial=0.0):
                raise FieldError(f"it must be symmetric in its indices {axes[0] + 1} and {axes[1] + 1}", key)
        M = self._undeformed_mass()
        least = np.repeat([np.diag(M)[:n].max(initial=0.0), np.trace(self.J0), self.m], [n, 3, 3]) * 1e-12
        size = np.sqrt(np.abs(np.maximum(np.diag(M), least))) + np.finfo(float).tiny
        scaled = M / np.outer(size, size)
        if self.m <= 0 or not np.isfinite(scaled).all() or np.linalg.eigvalsh(scaled)[0] < -1e-9:
            raise FieldError(
                "the mass matrix of the undeformed body is not positive: m, c0, J0, E, F0 and M_ff"
                " contradict each other. They belong to the frame's origin and axes",
                "m",
            )
        return super().finalise(scope)

    def _undeformed_mass(self) -> Array:
        E, F, c = self.E, self.F0, cross_matrix(self.c0)
        M_ff = np.eye(E.shape[1]) if self.M_ff is None else self.M_ff
        return np.block([[M_ff, F.T, E.T], [F, self.J0, c], [E, -c, self.m * np.eye(3)]])

    def compute(self, modes: Modes, paper: bool) -> ModalData:
        n = self.E.shape[1]
        if isinstance(modes, Mapping):
            raise ModelError("modes: kinds of modes are known for beams only; give their number")
        if modes is not None and modes > n:
            raise ModelError(f"modes: there are integrals of {n} modes, not of {modes}; ask for fewer")
        given = {key: self.__dict__[key] for key in self.shapes}
        arrays: dict[str, Any] = {key: np.zeros(shape) for key, shape in self.shapes.items()}
        arrays["M_ff"] = np.eye(n)
        arrays.update({key: array for key, array in given.items() if array is not None})
        K = check_stiffness(np.diag(self.K) if self.K.ndim == 1 else self.K, "K")
        nodes = {
            name: ModalNode(
                node.position,
                node.translations,
                node.slopes,
                np.zeros((3, n, n)) if node.second is None else node.second,
            )
            for name, node in self.nodes
        }
        data = ModalData(m=self.m, K=K, preload=np.zeros(n), nodes=nodes, **arrays)
        return self.orthonormal(data, [""] * n if self.kinds is None else self.kinds, modes)


def _check(array: Any, shape: tuple[int, ...], *path: str) -> None:
    if array is not None and array.shape != shape:
        shown, given = (" × ".join(map(str, x)) for x in (shape, array.shape))
        raise FieldError(f"{shown} numbers are needed, not {given}", *path)
