"""Modal integrals of a structure from its mass matrix.

A point at x + u(x) of the body moves with v + ω × (x + u) + u̇. In the unknowns this velocity is
t v + (ρ_a + cross_a u) ω_a + u̇, with the translations t and the rotations ρ_a about the frame's origin; the kinetic
energy is half its square in the mass matrix. If the structure has points with masses, the integrals are sums over them,
in which inertias are turned with their points to second order.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from freebody.model.flexible.modal_data import ModalData, ModalNode
from freebody.model.flexible.nodal_data import EPS, NodalData, integrals
from freebody.model.structures.interfaces import shift
from freebody.model.structures.structure import Structure

Array = NDArray[np.float64]


def modal_data(
    structure: Structure, u: Array, squares: Array, origin: Array, nodes: Mapping[str, ModalNode]
) -> ModalData:
    """The modal data of orthonormal modes with the displacements u (N, n) and ω², without stiffening."""
    M, n = structure.mass, u.shape[1]
    if structure.points is not None:
        p = structure.points
        moves, turns = ((rows @ u).reshape(-1, 3, n) for rows in (p.moves, p.turns))
        bodies = NodalData((), p.positions - origin, p.masses, p.inertias, np.zeros_like(p.positions), moves, turns)
        data = integrals(bodies, np.diag(squares), np.zeros((n, n)), np.zeros(n))
        return replace(data, M_ff=np.eye(n), nodes=nodes, paper=None)  # as in files, which have no integrals of 004
    R = structure.rigid_motions @ shift(origin)
    MR, Mu = np.asarray(M @ R), np.asarray(M @ u)
    rigid = R.T @ MR
    turned = [np.asarray(cross @ u) for cross in structure.crosses]
    M_turned = [np.asarray(M @ x) for x in turned]
    coupling = rigid[:3, 3:]  # tᵀ M ρ, (e_a × c0)_i
    c0 = np.einsum("iak,ia->k", EPS, coupling) / 2
    J1, J2 = np.zeros((n, 3, 3)), np.zeros((n, n, 3, 3))
    for a in range(3):
        for b in range(3):
            J1[:, a, b] += MR[:, 3 + a] @ turned[b]
            J2[:, :, a, b] += turned[a].T @ M_turned[b]
    F1 = np.stack([Mu.T @ x for x in turned])
    return ModalData(
        m=structure.total_mass,
        c0=c0,
        E=R[:, :3].T @ Mu,
        C=np.zeros((3, n, n)),
        F0=R[:, 3:].T @ Mu,
        F1=F1,
        J0=(rigid[3:, 3:] + rigid[3:, 3:].T) / 2,
        J1=J1 + J1.swapaxes(1, 2),
        J2=J2 + J2.swapaxes(0, 1),
        M_ff=np.eye(n),
        K=np.diag(squares),
        D=np.zeros((n, n)),
        preload=np.zeros(n),
        nodes=nodes,
    )
