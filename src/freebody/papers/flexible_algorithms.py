"""The recursive algorithms of Jain & Rodriguez (*Recursive dynamics for flexible multibody systems using spatial
operators*, 1992) as numbers at one state, step by step with the paper's symbols and equation numbers.

They are for readers of the paper; compiled equations are faster. A tree is made from spatial operators,
``FlexibleTree.of(eq.operators(q, u))``, or from bodies with the paper's own data, which may have modes that move the
hinge's node (free–free modes). Corrections to the paper:

- Eqs 3.11, 3.12, 3.15, 4.2, 7.8–7.12: Π^d is φ*(d, k) Π^d, here ``Pi_d``.
- Eq 7.10: Γ has no inverse, because P⁺ H* = 0; [Γ⁻¹ + Ω]⁻¹ is Γ (1 + Ω Γ)⁻¹.
- Eqs 7.11, 7.12 contain a_mR twice: it stays in z(k), and is added to α_m(k) after η̈(k).
- Eq B.11: see ``hinge_acceleration``.

Trees (section 9): sums over children go inwards. Gravity is part of a_mR of the roots; loads are subtracted from b_m,
and the forces of springs, dampers and rotors of joints are added to T.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError
from freebody.papers.operators.spatial import Operators
from freebody.tables import ShortRepr

Array = NDArray[np.float64]
Inversion = Literal["explicit", "indirect"]

CROSSOVER = 7
"""With at most so many modes the explicit inversion of D_f is cheaper (section 8.2)."""


@dataclass(frozen=True, repr=False)
class FlexibleBody(ShortRepr):
    """One body: n modes, n_r speeds of its hinge, N̄ = n + 6 modal velocities V_m = (η̇, ω, v).

    ``modes`` and ``hinge`` are the indices of its speeds in those of the system. ``A`` is 𝓐 of the parent at the node t
    that carries the hinge, ``phi`` is φ(t, k). Vectors are along the axes of the body.
    """

    name: str
    parent: int  # the index of the parent, −1 for the ground
    modes: Sequence[int]
    hinge: Sequence[int]
    M: Array  # M_m (N̄ × N̄)
    b: Array  # b_m less loads (N̄)
    elastic: Array  # K_m ϑ (N̄)
    a: Array  # a_mR (6)
    H: Array  # H_F (n_r × 6)
    A: Array  # 𝓐 (N̄ of the parent × 6)
    phi: Array  # φ(t, k) (6 × 6)
    Pi_d: Array  # φ*(d, k) Π^d (6 × n), zero for cantilever modes
    drift: Array  # velocities of prescribed speeds (6)
    force: Array  # forces of springs and dampers on modes and hinge (n + n_r)
    armature: Array  # inertia of rotors (n + n_r)

    @property
    def n(self) -> int:
        """The number of modes."""
        return len(self.modes)

    @property
    def speeds(self) -> list[int]:
        """The indices of (η̇, β)."""
        return [*self.modes, *self.hinge]

    @property
    def H_f(self) -> Array:
        """𝓗_f = [I, −Π^d*] (Eq 3.19)."""
        return np.hstack([np.eye(self.n), -self.Pi_d.T])

    @property
    def joint_map(self) -> Array:
        """𝓗 = [𝓗_f; 0, H_F] (Eqs 3.15, 3.18)."""
        return np.vstack([self.H_f, np.hstack([np.zeros((len(self.hinge), self.n)), self.H])])

    @property
    def Phi(self) -> Array:
        """Φ(k+1, k) = 𝓐(k+1) [0, φ(t, k)] (Eqs 3.14, 3.16, 3.17)."""
        return self.A @ np.hstack([np.zeros((6, self.n)), self.phi])


class NodeMap(NamedTuple):
    """The body of a node, and 𝓐 there (Eq 3.17)."""

    body: int
    A: Array


@dataclass(frozen=True, repr=False)
class FlexibleTree(ShortRepr):
    """Bodies, parents first; nodes by name, among which each body counts with its own frame."""

    bodies: Sequence[FlexibleBody]
    nodes: Mapping[str, NodeMap]

    @classmethod
    def of(cls, o: Operators) -> "FlexibleTree":
        """From spatial operators at one state. What is fixed to a node belongs to the body that carries the node."""
        numbers, tree, E = o.bodies, o.bodies.tree, o.E_phi
        a, loads = o.a + o.fall, numbers.stacked(numbers.wrench)
        bodies, nodes, index = list[FlexibleBody](), dict[str, NodeMap](), dict[int, int]()
        for k, (name, p, n) in enumerate(zip(tree.names, tree.parents, tree.modes.own, strict=True)):
            place, rows = numbers.places[k], range(*numbers.rows[k].indices(len(o.speeds)))
            b = o.b[place] - loads[place]
            if tree.modes.nodes[k]:
                A, M, carrier = E.block(p, k), o.M.blocks[k], bodies[index[p]]
                nodes[name], index[k] = NodeMap(index[p], A), index[p]
                more = A @ (b + M @ a[place])
                bodies[index[p]] = replace(carrier, M=carrier.M + A @ M @ A.T, b=carrier.b + more)
                continue
            at, phi, remainder, index[k] = p, numbers.phi[k][-6:, n:], a[place][-6:], len(bodies)
            A = np.zeros((0, 6)) if p < 0 else frame_map(tree.modes.own[p])
            if p >= 0 and tree.modes.nodes[p]:
                at = tree.parents[p]
                A, remainder = E.block(at, p), remainder + phi.T @ a[numbers.places[p]]
            own, hinge = rows[len(rows) - n :], rows[: len(rows) - n]
            order = [*own, *hinge]
            nodes[name] = NodeMap(len(bodies), frame_map(n))
            bodies.append(
                FlexibleBody(
                    name,
                    index[at] if at >= 0 else -1,
                    own,
                    hinge,
                    o.M.blocks[k],
                    b,
                    o.elastic[place],
                    remainder,
                    numbers.H[hinge.start : hinge.stop],
                    A,
                    phi,
                    np.zeros((6, n)),
                    numbers.offset[k],
                    numbers.joint_force[order],
                    numbers.armature[order],
                )
            )
        return cls(bodies, nodes)

    @cached_property
    def size(self) -> int:
        """The number of speeds."""
        return sum(len(body.speeds) for body in self.bodies)

    def tip_forces(self, forces: "Forces") -> list[Array]:
        """Σ 𝓐 f of the forces that bodies exert at nodes, for each body."""
        totals = [np.zeros(body.n + 6) for body in self.bodies]
        for name, force in ({} if forces is None else forces).items():
            if name not in self.nodes:
                raise ArgumentError(f"there is no node or body '{name}'; choose from {', '.join(self.nodes)}")
            node = self.nodes[name]
            totals[node.body] += node.A @ np.asarray(force, dtype=float)
        return totals


Forces = Mapping[str, ArrayLike] | None
"""By node or body: spatial forces that the body exerts there on its surroundings, f_m(0) of section 4."""


def frame_map(n: int) -> Array:
    """𝓐 at the origin of a body's frame: [0; I]."""
    return np.vstack([np.zeros((n, 6)), np.eye(6)])


def inwards(tree: FlexibleTree) -> list[tuple[int, FlexibleBody]]:
    """The bodies from the tips to the base."""
    return list(enumerate(tree.bodies))[::-1]


def from_parent(k: FlexibleBody, values: Sequence[Array]) -> Array:
    """φ*(t, k) 𝓐* V_m of the parent: its velocity or acceleration at the frame of k, before the hinge; 0 on the
    ground."""
    return np.zeros(6) if k.parent < 0 else k.phi.T @ (k.A.T @ values[k.parent])


# Section 4: inverse dynamics


def velocities(tree: FlexibleTree, chi: ArrayLike) -> list[Array]:
    """V_m(k) (Eq 4.2, first loop)."""
    speeds, V = np.asarray(chi, dtype=float), list[Array]()
    for k in tree.bodies:
        eta, beta = speeds[[*k.modes]], speeds[[*k.hinge]]
        before = from_parent(k, V)
        V.append(np.concatenate([eta, before + k.H.T @ beta - k.Pi_d @ eta + k.drift]))
    return V


def accelerations(tree: FlexibleTree, chi_dot: ArrayLike) -> list[Array]:
    """α_m(k) (Eq 4.2, first loop)."""
    rates, alpha = np.asarray(chi_dot, dtype=float), list[Array]()
    for k in tree.bodies:
        eta, beta = rates[[*k.modes]], rates[[*k.hinge]]
        before = from_parent(k, alpha)
        alpha.append(np.concatenate([eta, before + k.H.T @ beta - k.Pi_d @ eta + k.a]))
    return alpha


def inverse_dynamics(tree: FlexibleTree, chi_dot: ArrayLike, tip_forces: Forces = None) -> Array:
    """T (Eq 4.2). Only hinges have actuators, so that accelerations are consistent if T of all modes is zero."""
    rates, T = np.asarray(chi_dot, dtype=float), np.zeros(tree.size)
    alpha, f = accelerations(tree, rates), tree.tip_forces(tip_forces)
    for i, k in inwards(tree):
        f[i] += k.M @ alpha[i] + k.b + k.elastic
        f_f, f_r = f[i][: k.n], f[i][k.n :]
        T[[*k.modes]], T[[*k.hinge]] = f_f - k.Pi_d.T @ f_r, k.H @ f_r
        T[k.speeds] += k.armature * rates[k.speeds] - k.force
        if k.parent >= 0:
            f[k.parent] += k.A @ (k.phi @ f_r)
    return T


def consistent_accelerations(tree: FlexibleTree, beta_dot: ArrayLike, tip_forces: Forces = None) -> Array:
    """χ̇ with these accelerations of the hinges (those of modes are ignored) for which T of all modes is zero, so that
    ``inverse_dynamics`` is meaningful (end of section 4). The recursions are those of Eqs 7.10–7.12 for hinges that
    move as prescribed: P_R⁺ = P_R, z_R⁺ = z_R + P_R H* β̇."""
    rates = np.array(beta_dot, dtype=float)
    P, z = [k.M.copy() for k in tree.bodies], tree.tip_forces(tip_forces)
    kept = dict[int, tuple[Array, Array]]()
    for i, k in inwards(tree):
        D_f = k.H_f @ P[i] @ k.H_f.T + np.diag(k.armature[: k.n])
        mu = P[i][k.n :] @ k.H_f.T
        g = _right(mu, D_f)
        z[i] += P[i][:, k.n :] @ k.a + k.b + k.elastic
        epsilon = k.force[: k.n] - k.H_f @ z[i]
        P_R = P[i][k.n :, k.n :] - g @ mu.T
        kept[i] = g, _left(D_f, epsilon)
        if k.parent >= 0:
            onto = k.A @ k.phi
            P[k.parent] += onto @ P_R @ onto.T
            z[k.parent] += onto @ (z[i][k.n :] + g @ epsilon + P_R @ (k.H.T @ rates[[*k.hinge]]))
    alpha = list[Array]()
    for i, k in enumerate(tree.bodies):
        g, nu = kept[i]
        before = from_parent(k, alpha)
        alpha_R = before + k.H.T @ rates[[*k.hinge]]
        eta = nu - g.T @ alpha_R
        rates[[*k.modes]] = eta
        alpha.append(np.concatenate([eta, alpha_R - k.Pi_d @ eta + k.a]))
    return rates


# Section 5: composite bodies


def mass_matrix(tree: FlexibleTree) -> Array:
    """𝓜 (Eq 5.5), with the inertia of rotors on the diagonal."""
    R, mass = [k.M.copy() for k in tree.bodies], np.zeros((tree.size, tree.size))
    for i, k in inwards(tree):
        X = R[i] @ k.joint_map.T
        mass[np.ix_(k.speeds, k.speeds)] = k.joint_map @ X + np.diag(k.armature)
        j = k
        while j.parent >= 0:
            X, j = j.A @ (j.phi @ X[j.n :]), tree.bodies[j.parent]
            mass[np.ix_(j.speeds, k.speeds)] = j.joint_map @ X
            mass[np.ix_(k.speeds, j.speeds)] = mass[np.ix_(j.speeds, k.speeds)].T
        if k.parent >= 0:
            onto = k.A @ k.phi
            R[k.parent] += onto @ R[i][k.n :, k.n :] @ onto.T
    return mass


def composite_forward_dynamics(tree: FlexibleTree, T: ArrayLike | None = None, tip_forces: Forces = None) -> Array:
    """χ̇ of 𝓜 χ̇ = T − 𝓒 (Eq 5.1); 𝓒 is the inverse dynamics at χ̇ = 0."""
    C = inverse_dynamics(tree, np.zeros(tree.size), tip_forces)
    return _left(mass_matrix(tree), _applied(tree, T) - C)


# Sections 6 and 7: articulated bodies


@dataclass(frozen=True)
class ArticulatedBody:
    """The articulated-body quantities of one body (Eq 7.10)."""

    P: Array
    D_f_inverse: Array
    g: Array
    P_R: Array
    D_R: Array
    G_R: Array
    P_R_plus: Array


def articulated_bodies(tree: FlexibleTree, inversion: Inversion | None = None) -> list[ArticulatedBody]:
    """Eq 7.10 with the constants of Eq 7.8. D_f is inverted explicitly, or indirectly from 6 × 6 matrices; without a
    choice explicitly for up to seven modes."""
    result: list[ArticulatedBody | None] = [None] * len(tree.bodies)
    incoming: list[list[tuple[Array, Array]]] = [[] for _ in tree.bodies]  # 𝓐 and Γ at the nodes of children
    for i, k in inwards(tree):
        P = k.M + sum((A @ Gamma @ A.T for A, Gamma in incoming[i]), np.zeros_like(k.M))
        explicit = k.n <= CROSSOVER if inversion is None else inversion == "explicit"
        if explicit:
            D_f_inverse = _left(k.H_f @ P @ k.H_f.T + np.diag(k.armature[: k.n]), np.eye(k.n))
        else:
            D_f_inverse = indirect_inverse(k, incoming[i])
        mu = P[k.n :] @ k.H_f.T
        g = mu @ D_f_inverse
        P_R = P[k.n :, k.n :] - g @ mu.T
        D_R = k.H @ P_R @ k.H.T + np.diag(k.armature[k.n :])
        G_R = _right(P_R @ k.H.T, D_R)
        P_R_plus = P_R - G_R @ (k.H @ P_R)
        result[i] = ArticulatedBody(P, D_f_inverse, g, P_R, D_R, G_R, P_R_plus)
        if k.parent >= 0:
            incoming[k.parent].append((k.A, k.phi @ P_R_plus @ k.phi.T))
    return [x for x in result if x is not None]


def indirect_inverse(k: FlexibleBody, incoming: Sequence[tuple[Array, Array]]) -> Array:
    """D_f⁻¹ = Λ − Υ Γ (1 + Ω Γ)⁻¹ Υ*, with Λ = [𝓗_f M_m 𝓗_f*]⁻¹, ζ = 𝓗_f 𝓐, Υ = Λ ζ, Ω = ζ* Υ (Eqs 7.8, 7.10), which
    are constants of a ruthless body. Several nodes are stacked."""
    Lambda = _left(k.H_f @ k.M @ k.H_f.T + np.diag(k.armature[: k.n]), np.eye(k.n))
    if not incoming:
        return Lambda
    zeta = k.H_f @ np.hstack([A for A, _ in incoming])
    Gamma = np.zeros((zeta.shape[1], zeta.shape[1]))
    for j, (_, block) in enumerate(incoming):
        Gamma[6 * j : 6 * j + 6, 6 * j : 6 * j + 6] = block
    Upsilon = Lambda @ zeta
    Omega = zeta.T @ Upsilon
    return Lambda - Upsilon @ _right(Gamma, np.eye(len(Gamma)) + Omega @ Gamma) @ Upsilon.T


def articulated_forward_dynamics(
    tree: FlexibleTree, T: ArrayLike | None = None, tip_forces: Forces = None, inversion: Inversion | None = None
) -> Array:
    """χ̇ by Eqs 7.10–7.12: modes and hinge of each body one after the other."""
    articulated, applied = articulated_bodies(tree, inversion), _applied(tree, T)
    z, nu = tree.tip_forces(tip_forces), dict[int, tuple[Array, Array]]()
    for i, k in inwards(tree):
        x = articulated[i]
        z[i] += x.P[:, k.n :] @ k.a + k.b + k.elastic
        z_f, z_r = z[i][: k.n], z[i][k.n :]
        epsilon_f = applied[[*k.modes]] + k.force[: k.n] - z_f + k.Pi_d.T @ z_r
        z_R = z_r + x.g @ epsilon_f
        epsilon_R = applied[[*k.hinge]] + k.force[k.n :] - k.H @ z_R
        nu[i] = x.D_f_inverse @ epsilon_f, _left(x.D_R, epsilon_R)
        if k.parent >= 0:
            z[k.parent] += k.A @ (k.phi @ (z_R + x.G_R @ epsilon_R))
    chi_dot, alpha = np.zeros(tree.size), list[Array]()
    for i, k in enumerate(tree.bodies):
        x, (nu_f, nu_R) = articulated[i], nu[i]
        alpha_plus = from_parent(k, alpha)
        beta = nu_R - x.G_R.T @ alpha_plus
        alpha_R = alpha_plus + k.H.T @ beta
        eta = nu_f - x.g.T @ alpha_R
        chi_dot[[*k.hinge]], chi_dot[[*k.modes]] = beta, eta
        alpha.append(np.concatenate([eta, alpha_R - k.Pi_d @ eta + k.a]))
    return chi_dot


def innovations_forward_dynamics(tree: FlexibleTree, T: ArrayLike | None = None, tip_forces: Forces = None) -> Array:
    """χ̇ by Eqs 6.1, 7.2 and 7.3: all speeds of a body at once, as for rigid bodies."""
    applied, P, z = _applied(tree, T), [k.M.copy() for k in tree.bodies], tree.tip_forces(tip_forces)
    kept = dict[int, tuple[Array, Array]]()
    for i, k in inwards(tree):
        H, a_m = k.joint_map, np.concatenate([np.zeros(k.n), k.a])
        D = H @ P[i] @ H.T + np.diag(k.armature)
        G = _right(P[i] @ H.T, D)
        z[i] += P[i] @ a_m + k.b + k.elastic
        epsilon = applied[k.speeds] + k.force - H @ z[i]
        kept[i] = G, _left(D, epsilon)
        if k.parent >= 0:
            P[k.parent] += k.Phi @ (P[i] - G @ (H @ P[i])) @ k.Phi.T
            z[k.parent] += k.Phi @ (z[i] + G @ epsilon)
    chi_dot, alpha = np.zeros(tree.size), list[Array]()
    for i, k in enumerate(tree.bodies):
        G, nu = kept[i]
        alpha_plus = np.zeros(k.n + 6) if k.parent < 0 else k.Phi.T @ alpha[k.parent]
        chi_dot[k.speeds] = nu - G.T @ alpha_plus
        a_m = np.concatenate([np.zeros(k.n), k.a])
        alpha.append(alpha_plus + k.joint_map.T @ chi_dot[k.speeds] + a_m)
    return chi_dot


def _right(x: Array, D: Array) -> Array:
    """x D⁻¹."""
    return _left(D.T, x.T).T


def _left(D: Array, x: Array) -> Array:
    """D⁻¹ x."""
    return np.asarray(np.linalg.solve(D, x), dtype=float)


def _applied(tree: FlexibleTree, T: ArrayLike | None) -> Array:
    return np.zeros(tree.size) if T is None else np.asarray(T, dtype=float)


# Appendix B.3: Coriolis accelerations across a hinge


@dataclass(frozen=True)
class HingeMotion:
    """What happens between the frames of two bodies, all along the same axes (Figure 1, Eqs B.2, B.9): ω of the inboard
    body k+1; at its node t the position l(k+1, t), deformation rates δ_ω and δ_v, displacement δ_l; Δ_ω and Δ_v of the
    hinge and the vector from t to O_k; at the node d of body k, where O_k is, the same with l(k, d). Positions are
    those before deformation."""

    w: Array
    l_t: Array
    displacement_t: Array
    turning_t: Array
    sliding_t: Array
    hinge_turning: Array
    hinge_sliding: Array
    hinge_arm: Array
    l_d: Array
    displacement_d: Array
    turning_d: Array
    sliding_d: Array


def hinge_acceleration(m: HingeMotion) -> list[Array]:
    """a_mR (Eq B.11 corrected): (α, a) of order 0, 1, 2 and 3 in the deformation, for ω(k+1), ω(k), Δ_ω and Δ_v of
    order 0. Printed are ω(k) × Δ_ω − ω(O_k) × δ_ω(d) in α, without δ_ω(d) × Δ_ω, and other terms of a node d that
    moves; and δ_l(t) in the orders 2 and 3, where it is −δ_l(d)."""
    x, w, dt, dd, D_w, D_v = np.cross, m.w, m.turning_t, m.turning_d, m.hinge_turning, m.hinge_sliding
    L, T, ld, none = -m.l_d, m.hinge_arm - m.l_d, m.displacement_d, np.zeros(3)  # L = l₀(d, k), T = l₀(t, k)
    wk = w + dt + D_w - dd
    return [
        np.concatenate([x(wk, D_w), x(w, x(w, m.l_t + T)) + x(w + wk, D_v + x(D_w, L))]),
        np.concatenate(
            [
                x(w, dt) - x(wk, dd) + x(dd, D_w),
                x(w, x(w, m.displacement_t - ld) + 2 * m.sliding_t)
                + 2 * x(w, x(dt, T))
                + x(dt + dd, D_v)
                + x(dt, x(D_w, L))
                - x(w + wk, x(dd, L) + x(D_w, ld))
                + x(x(dd, D_w), L)
                - 2 * x(wk, m.sliding_d),
            ]
        ),
        np.concatenate(
            [
                none,
                x(dt, x(dt, T))
                - 2 * x(w, x(dt, ld))
                - x(dt, x(dd, L) + x(D_w, ld))
                + x(w + wk, x(dd, ld))
                - x(x(dd, D_w), ld),
            ]
        ),
        np.concatenate([none, x(dt, x(dd - dt, ld))]),
    ]
