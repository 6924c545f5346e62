"""Operators of flexible bodies on the level of their nodes: the factored mass matrix of Rodriguez, Jain & Kreutz (Eqs
4.1–4.3 as corrected), and of Jain & Rodriguez (Eqs 3.2, 3.23–3.25, 3.34), marked F.

    V^f = [Π, B*] V_m        B C = 𝓔_φ        B [I + C φ B] = φ B
    𝓜 = [Π* + H B] [I + C φ B] m [I + C φ B]* [Π* + H B]*

Rows of Π* are those of modes, rows of H those of hinges. With displacements of nodes as coordinates
(``fb.FlexibleNodes(…, coordinates="nodal")``), Π is h*. This 𝓜 is that of bodies of order "paper", and without
deformation that of every order.
"""

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from freebody.errors import ArgumentError
from freebody.model.flexible.flexible_nodes import FlexibleNodes
from freebody.model.flexible.paper_integrals import cross_matrix
from freebody.model.model import Model
from freebody.papers.flexible_algorithms import FlexibleBody, FlexibleTree
from freebody.papers.operators.bodies import rigid
from freebody.papers.operators.linear_maps import Array, Blocks, Diagonal, Operator, Shift, Transition
from freebody.papers.operators.spatial import Operators


class BodyStructure:
    """The nodes of one body: φ(k, j), Π^j and M_s(j) of each. The first one, at the body's origin, is its rigid
    part."""

    def __init__(self, solid: Array, n: int) -> None:
        self.index: dict[str, int] = {}
        self.shifts, self.Pi, self.masses = [np.eye(6)], [np.zeros((6, n))], [solid]

    def add(self, name: str, l: Array, Pi: Array, M: Array) -> None:
        self.index[name] = len(self.masses)
        self.shifts.append(rigid(np.eye(3), l))
        self.Pi.append(Pi)
        self.masses.append(M)


class StructuralOperators:
    """B, C, Π, m and the factored mass matrix of a tree whose flexible bodies are given by nodes. ``eta`` are the
    coordinates of flexible bodies by name, zero by default."""

    def __init__(self, model: Model, o: Operators, eta: Mapping[str, ArrayLike] | None = None) -> None:
        self.operators, self.tree = o, FlexibleTree.of(o)
        self.bodies = [self._structure(model, k, {} if eta is None else eta) for k in self.tree.bodies]

    def _structure(self, model: Model, k: FlexibleBody, eta: Mapping[str, ArrayLike]) -> BodyStructure:
        o, spec = self.operators, model.bodies[k.name]
        structure = BodyStructure(o.bodies.solids[o.names.index(k.name)], k.n)
        if spec.modal is None:
            return structure
        if not isinstance(spec.flexible, FlexibleNodes):
            raise ArgumentError(f"body '{k.name}' is not given by nodes with masses; describe it by fb.FlexibleNodes")
        if any(mode.quasi_static for mode in spec.modal.data.modes):
            raise ArgumentError(
                f"body '{k.name}' has quasi-static modes, whose added inertia belongs to no node; leave"
                " out quasi_static"
            )
        nodes, coordinates = spec.flexible, np.asarray(eta.get(k.name, np.zeros(k.n)), dtype=float)
        inertias = np.zeros((len(nodes.masses), 3)) if nodes.inertias is None else nodes.inertias
        offsets = np.zeros((len(nodes.masses), 3)) if nodes.offsets is None else nodes.offsets
        for j, name in enumerate(nodes.node_names):
            at, m, p = spec.modal.data.nodes[name], float(nodes.masses[j]), cross_matrix(offsets[j])
            J = inertias[j] if inertias.ndim == 3 else np.diag(inertias[j])
            M = np.block([[J - m * p @ p, m * p], [-m * p, m * np.eye(3)]])
            slopes = np.zeros((3, k.n)) if at.slopes is None else at.slopes
            structure.add(name, at.position + at.translations @ coordinates, np.vstack([slopes, at.translations]), M)
        return structure

    @cached_property
    def B(self) -> Diagonal:
        """B(k) = [φ(k, 1), …] (Eqs 4.3, F 3.24): forces at nodes as forces of their bodies."""
        return Diagonal("B", [np.hstack(body.shifts) for body in self.bodies])

    @cached_property
    def C(self) -> Blocks:
        """C(k, k−1): the force of an outboard body at the node that carries its hinge, φ(t, k−1) (Eqs 4.2, F 3.34)."""
        cells, o = dict[tuple[int, int], Array](), self.operators
        sizes = [6 * len(body.masses) for body in self.bodies]
        for i, k in enumerate(self.tree.bodies):
            if k.parent >= 0:
                parent, on = self.bodies[k.parent], o.bodies.tree.on[o.names.index(k.name)]
                t = parent.index.get(on.removeprefix(f"{self.tree.bodies[k.parent].name}."), 0)
                cell = np.zeros((sizes[k.parent], 6))
                cell[6 * t : 6 * t + 6] = np.linalg.solve(parent.shifts[t], k.A[-6:] @ k.phi)
                cells[k.parent, i] = cell
        return Blocks("C", sizes, [6] * len(sizes), cells)

    @cached_property
    def Pi(self) -> Diagonal:
        """Π (Eqs 4.3, F 3.3), h* of nodal coordinates: velocities of nodes from the speeds of the body's modes."""
        blocks = list[Array]()
        for body, k in zip(self.bodies, self.tree.bodies, strict=True):
            block = np.zeros((6 * len(body.masses), len(k.speeds)))
            block[:, len(k.hinge) :] = np.vstack(body.Pi)
            blocks.append(block)
        return Diagonal("Π", blocks)

    @cached_property
    def H(self) -> Diagonal:
        """The maps of the hinges; rows of modes are zero."""
        return Diagonal("H", [np.vstack([k.H, np.zeros((k.n, 6))]) for k in self.tree.bodies])

    @cached_property
    def phi(self) -> Transition:
        """φ = (I − 𝓔_φ)⁻¹ between the bodies' frames, with 𝓔_φ = B C."""
        bodies = self.tree.bodies
        blocks = [k.phi if k.parent < 0 else k.A[-6:] @ k.phi for k in bodies]
        return Transition("φ", Shift("E_φ", [k.parent for k in bodies], [6] * len(bodies), blocks))

    @cached_property
    def m(self) -> Diagonal:
        """M_s (Eqs 4.3, F 3.2): the spatial inertias of all nodes."""
        blocks = list[Array]()
        for body in self.bodies:
            block = np.zeros((6 * len(body.masses), 6 * len(body.masses)))
            for j, M in enumerate(body.masses):
                block[6 * j : 6 * j + 6, 6 * j : 6 * j + 6] = M
            blocks.append(block)
        return Diagonal("m", blocks)

    @cached_property
    def velocity_map(self) -> Operator:
        """[Π* + H B] [I + C φ B], whose transpose gives the velocities of all nodes from the speeds (Eq 4.3)."""
        return (self.Pi.T + self.H @ self.B) @ (1 + self.C @ self.phi @ self.B)

    @cached_property
    def mass(self) -> Operator:
        """𝓜^f, factored, with the inertia of rotors."""
        bare = self.velocity_map @ self.m @ self.velocity_map.T
        return bare + self.operators.A if self.operators.bodies.armature.any() else bare
