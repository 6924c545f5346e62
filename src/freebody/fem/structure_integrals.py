"""Modal integrals of a structure from its mass matrix, and its geometric stiffening.

A point at x + u(x) of the body moves with v + ω × (x + u) + u̇. In the unknowns this velocity is
t v + (ρ_a + cross_a u) ω_a + u̇, with the translations t and the rotations ρ_a about the frame's origin; the kinetic
energy is half its square in the mass matrix. If the structure has points with masses, the integrals are sums over them,
in which inertias are turned with their points to second order.

Geometric stiffening: the stresses of unit accelerations, rotations and forces at interfaces stiffen or soften the
modes.

G(f) is the geometric stiffness, in the modes, of the static stresses by a load f with the frame held. It enters the
modal data as second-order displacements of the mass and of the nodes do:

    unit acceleration a of the frame, load −M t_a:                       C_a = G
    unit angular acceleration about a, load −M ρ_a:                      F1_a += G
    angular velocities ω_a, ω_b, load −M ω × (ω × x):                    J2_ab −= 2 G_ab
    unit force at an interface:                                          Γ = −G
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from freebody.fem.flexibility import Flexibility
from freebody.fem.interfaces import TiedStructure, shift
from freebody.fem.modal_data import ModalData, ModalNode
from freebody.fem.nodal_data import EPS, NodalData, integrals
from freebody.fem.structure import Structure

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
        return replace(data, M_ff=np.eye(n), nodes=nodes)
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


def stiffened(
    data: ModalData, structure: Structure, body: TiedStructure, flexible: Flexibility, u: Array, origin: Array
) -> ModalData:
    """The modal data with geometric stiffening; ``flexible`` is the flexibility with the frame held."""
    assert structure.geometric is not None
    pairs = [(a, b) for a in range(3) for b in range(a, 3)]
    inertia = body.T.T @ _inertia_loads(structure, origin, pairs)
    names = list(data.nodes)
    at_nodes = [body.rows[name][:3].T.toarray() for name in names]
    static = body.T @ flexible.solve(np.hstack([inertia, *at_nodes]))[0]
    G = np.array([u.T @ (structure.geometric(x) @ u) for x in static.T]).reshape(static.shape[1], data.n, data.n)
    G = (G + G.swapaxes(1, 2)) / 2
    C, F1, J2 = G[:3], data.F1 + G[3:6], data.J2.copy()
    for (a, b), one in zip(pairs, G[6:12], strict=True):
        J2[:, :, a, b] -= 2 * one
        if a != b:
            J2[:, :, b, a] -= 2 * one
    nodes = dict[str, ModalNode]()
    for k, name in enumerate(names):
        nodes[name] = replace(data.nodes[name], second=-G[12 + 3 * k : 15 + 3 * k])
    return replace(data, C=data.C + C, F1=F1, J2=J2, nodes=nodes)


def _inertia_loads(structure: Structure, origin: Array, pairs: list[tuple[int, int]]) -> Array:
    """The loads (N, 12) −M a of the accelerations a = e_a, e_a × x and the symmetric part of e_a × (e_b × x), of
    displacements alone: rotations of nodes are known to first order, so that torques do no work of second order."""
    e = np.eye(3)
    if structure.points is not None:
        p = structure.points
        x = p.positions - origin
        fields = [*(np.broadcast_to(axis, x.shape) for axis in e), *(np.cross(axis, x) for axis in e)]
        fields += [(np.cross(e[a], np.cross(e[b], x)) + np.cross(e[b], np.cross(e[a], x))) / 2 for a, b in pairs]
        return np.column_stack([-(p.moves.T @ (p.masses[:, None] * field).ravel()) for field in fields])
    R, turned = structure.rigid_motions @ shift(origin), structure.crosses
    # ω × (ω × x) = Σ ω_a ω_b cross_a ρ_b: the part of ρ_b that is a displacement is turned again
    moved = np.where((structure.component < 3)[:, None] | (structure.component == 6)[:, None], R[:, 3:], 0.0)
    spun = [(turned[a] @ moved[:, b] + turned[b] @ moved[:, a]) / 2 for a, b in pairs]
    return np.asarray(-(structure.mass @ np.column_stack([R, *spun])))
