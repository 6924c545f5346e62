"""References for flexible bodies: M and b of modal data in NumPy, and explicit rigid nodes moved as Taylor series."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freebody.model.flexible.modal_data import ModalData
from freebody.model.flexible.nodal_data import NodalData

Array = NDArray[np.float64]


def tilde(a: Array) -> Array:
    """a~ with a~ b = a × b."""
    return np.array([[0 * a[0], -a[2], a[1]], [a[2], 0 * a[0], -a[0]], [-a[1], a[0], 0 * a[0]]])


def mass(data: ModalData, eta: Array) -> Array:
    """M(η) in the order (η̇, ω, v)."""
    c = tilde(data.c0 + data.E @ eta + 0.5 * data.C @ eta @ eta)
    E, F = data.E + data.C @ eta, data.F0 + data.F1 @ eta
    J = data.J0 + np.einsum("rab,r->ab", data.J1, eta) + 0.5 * np.einsum("rsab,r,s->ab", data.J2, eta, eta)
    return np.block([[data.M_ff, F.T, E.T], [F, J, c], [E, -c, data.m * np.eye(3)]])


def bias(data: ModalData, eta: Array, eta_dot: Array, w: Array) -> Array:
    """b(η, η̇, ω) of Poincaré's equations for the same M, written out."""
    c, c_dot = data.c0 + data.E @ eta + 0.5 * data.C @ eta @ eta, (data.E + data.C @ eta) @ eta_dot
    dJ = data.J1 + np.einsum("rsab,s->rab", data.J2, eta)
    J = data.J0 + np.einsum("rab,r->ab", data.J1, eta) + 0.5 * np.einsum("rsab,r,s->ab", data.J2, eta, eta)
    F1w = np.einsum("ars,a->rs", data.F1, w)
    b_eta = (F1w - F1w.T) @ eta_dot - 0.5 * (dJ @ w) @ w
    momentum = (data.F0 + data.F1 @ eta) @ eta_dot + J @ w
    b_w = data.F1 @ eta_dot @ eta_dot + eta_dot @ (dJ @ w) + np.cross(w, momentum)
    b_v = np.cross(w, np.cross(w, c) + 2 * c_dot) + data.C @ eta_dot @ eta_dot
    return np.concatenate([b_eta, b_w, b_v])


def poincare(mass_of: Callable[[Array], Array], eta: Array, eta_dot: Array, w: Array) -> Array:
    """b of any M(η): Ṁ V − ½ ∂(V·M V)/∂η + (0, ω × p_ω, ω × p_v), V = (η̇, ω, 0), p = M V, by complex steps."""
    n, V = len(eta), np.concatenate([eta_dot, w, np.zeros(3)])
    slopes = np.array([mass_of(eta + 1e-30j * e).imag / 1e-30 for e in np.eye(n)])
    p = mass_of(eta) @ V
    b = np.tensordot(eta_dot, slopes, 1) @ V
    b[:n] -= 0.5 * slopes @ V @ V
    b[n : n + 3] += np.cross(w, p[n : n + 3])
    b[n + 3 :] += np.cross(w, p[n + 3 :])
    return b


def rotation(axis: int, angle: float) -> Array:
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3, dtype=np.result_type(angle, float))
    R[j, j] = R[k, k] = np.cos(angle)
    R[k, j] = np.sin(angle)
    R[j, k] = -R[k, j]
    return R


@dataclass(frozen=True)
class RigidNodes:
    """Explicit rigid bodies at the nodes. ``turning``: inertias and offsets rotate with the node by exact rotations;
    otherwise, as in paper 004, they keep their directions in the body's frame and only turn at the rate λ η̇."""

    nodes: NodalData
    turning: bool = True

    def pose(self, j: int, eta: Array) -> tuple[Array, Array, Array]:
        """Position and rotation of a node, and the columns of its velocity relative to the frame: ω over v."""
        N = self.nodes
        G = N.gamma2()[j] if self.turning else 0 * N.gamma2()[j]
        l, columns = N.positions[j] + N.translations[j] @ eta + 0.5 * G @ eta @ eta, N.translations[j] + G @ eta
        if not self.turning:
            return l, np.eye(3), np.vstack([N.slopes[j], columns])
        Rx, Ry, Rz = (rotation(i, a) for i, a in enumerate(N.slopes[j] @ eta))
        X = np.column_stack([np.eye(3)[0], Rx[:, 1], (Rx @ Ry)[:, 2]])
        return l, Rx @ Ry @ Rz, np.vstack([X @ N.slopes[j], columns])

    def mass(self, eta: Array) -> Array:
        """M(η) as the sum over the nodes."""
        total = 0.0
        for j, m in enumerate(self.nodes.masses):
            l, R, columns = self.pose(j, eta)
            whole = np.block([columns, np.block([[np.eye(3), np.zeros((3, 3))], [-tilde(l), np.eye(3)]])])
            p, Jc = tilde(R @ self.nodes.offsets[j]), R @ self.nodes.inertias[j] @ R.T
            total = total + whole.T @ np.block([[Jc - m * p @ p, m * p], [-m * p, m * np.eye(3)]]) @ whole
        return np.asarray(total)

    def bias(self, eta: Array, eta_dot: Array, w: Array) -> Array:
        """b by d'Alembert's principle: poses are Taylor series in time to t² with α = a = η̈ = 0."""

        def times(a: list[Array], b: list[Array]) -> list[Array]:
            return [a[0] @ b[0], a[0] @ b[1] + a[1] @ b[0], a[0] @ b[2] + a[1] @ b[1] + a[2] @ b[0]]

        def turn(start: Array, rate: Array) -> list[Array]:
            return [start, start @ tilde(rate), start @ tilde(rate) @ tilde(rate) / 2]

        frame, total, N = turn(np.eye(3), w), 0.0, self.nodes
        for j, m in enumerate(N.masses):
            l, _, columns = self.pose(j, eta)
            G = N.gamma2()[j] if self.turning else 0 * N.gamma2()[j]
            position = [x[:, None] for x in (l, columns[3:] @ eta_dot, 0.5 * G @ eta_dot @ eta_dot)]
            angles, rates = N.slopes[j] @ eta, N.slopes[j] @ eta_dot
            inside = turn(np.eye(3), rates)
            if self.turning:
                inside = [np.eye(3), np.zeros((3, 3)), np.zeros((3, 3))]
                for i in range(3):
                    inside = times(inside, turn(rotation(i, angles[i]), rates[i] * np.eye(3)[i]))
            R = times(frame, inside)
            x = [a[:, 0] + b @ N.offsets[j] for a, b in zip(times(frame, position), R, strict=True)]
            spin = R[1] @ R[0].T
            alpha = 2 * R[2] @ R[0].T - spin @ spin
            wj, aj = (np.array([s[2, 1], s[0, 2], s[1, 0]]) for s in (spin, alpha))
            J, force = R[0] @ N.inertias[j] @ R[0].T, 2 * m * x[2]
            torque = J @ aj + np.cross(wj, J @ wj) + np.cross(R[0] @ N.offsets[j], force)
            whole = np.block([columns, np.block([[np.eye(3), np.zeros((3, 3))], [-tilde(l), np.eye(3)]])])
            total = total + whole.T @ np.concatenate([torque, force])
        return np.asarray(total)


def random_nodes(rng: np.random.Generator, k: int = 5, n: int = 4, point_masses: bool = False) -> NodalData:
    """Nodes with masses, inertias, offsets, slopes and second-order displacements."""
    A, G = rng.normal(size=(k, 3, 3)), rng.normal(size=(k, 3, n, n))
    heavy = 0.0 if point_masses else 0.3
    inertias = heavy * (A @ A.swapaxes(1, 2) + np.eye(3))
    return NodalData(
        [f"n{j}" for j in range(k)],
        rng.normal(size=(k, 3)),
        rng.uniform(0.5, 2, k),
        inertias,
        heavy * rng.normal(size=(k, 3)),
        rng.normal(size=(k, 3, n)),
        rng.normal(size=(k, 3, n)),
        G + G.swapaxes(2, 3),
    )
