"""Nodes of a flexible body with masses, and the modal integrals as sums over them.

Each node is a rigid body: it is at l = l₀ + γ η + ½ ηᵀ Γ η, turned by R = Rx Ry Rz about the angles λ η; its mass m has
the offset p from the node and the inertia Jc about its own mass centre, both along the node's axes. With R2(r, s) the
second derivative of R, y0 = l₀ + p, y1(r) = γ_r + λ_r × p and y2(r, s) = Γ_rs + R2(r, s) p are the mass centre and its
derivatives.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FieldError
from freebody.fem.modal_data import ModalData, ModalNode
from freebody.fem.paper_integrals import MOST, PaperIntegrals

Array = NDArray[np.float64]

EPS = np.zeros((3, 3, 3))
"""(a × b)_i = EPS[i, j, k] a_j b_k"""
EPS[0, 1, 2] = EPS[1, 2, 0] = EPS[2, 0, 1] = 1
EPS[0, 2, 1] = EPS[2, 1, 0] = EPS[1, 0, 2] = -1

TURN2 = np.zeros((3, 3, 3, 3))
"""The second derivative of Rx Ry Rz with respect to its angles i and j is TURN2[:, :, i, j] = e_a~ e_b~, a the smaller
of i and j, b the larger."""
for _i in range(3):
    for _j in range(3):
        TURN2[:, :, _i, _j] = -EPS[:, :, min(_i, _j)] @ -EPS[:, :, max(_i, _j)]

SPIN = np.triu(np.ones((3, 3)), 1)[None] * EPS
"""The angular velocity of Rx Ry Rz has the components SPIN[:, i, j] θ_i θ̇_j to second order."""


@dataclass(frozen=True, eq=False)
class NodalData:
    """k nodes and n modes. ``second`` is None where Γ is zero. Slopes of nodes that do not ``turn`` are zero, because
    their rotation is not known."""

    names: Sequence[str]
    positions: Array  # l₀ (k, 3)
    masses: Array  # (k)
    inertias: Array  # Jc (k, 3, 3)
    offsets: Array  # p (k, 3)
    translations: Array  # γ (k, 3, n)
    slopes: Array  # λ (k, 3, n)
    second: Array | None = None  # Γ (k, 3, n, n)
    turn: bool = True

    @property
    def n(self) -> int:
        """The number of modes."""
        return int(self.translations.shape[2])

    def gamma2(self) -> Array:
        """Γ, also where it is zero."""
        return np.zeros((len(self.masses), 3, self.n, self.n)) if self.second is None else self.second

    def node(self, j: int) -> ModalNode:
        """One node, as modal data contains it."""
        second = np.broadcast_to(0.0, (3, self.n, self.n)) if self.second is None else self.second[j]
        return ModalNode(self.positions[j], self.translations[j], self.slopes[j] if self.turn else None, second)

    def seen_from(self, name: str) -> "NodalData":
        """The nodes relative to one of them, which becomes the body's frame: x' = R_dᵀ (x − x_d) to second order.

        γ' = γ − γ_d − λ_d × (l − l_d)      λ' = λ − λ_d
        Γ'_rs = Γ − Γ_d − λ_dr × (γ − γ_d)_s − λ_ds × (γ − γ_d)_r + R2_d(r, s)ᵀ (l − l_d)
        """
        if name not in self.names:
            raise FieldError(f"'{name}' is not a node; choose from {shown(self.names)}", "frame")
        d = list(self.names).index(name)
        l, gamma, slope = self.positions - self.positions[d], self.translations - self.translations[d], self.slopes[d]
        if not self.turn and np.any(self.translations[d]):
            raise FieldError(
                f"node '{name}' cannot be the frame, because it moves and its rotation is not known. Give"
                " slopes, or modes for which it is fixed",
                "frame",
            )
        if not (np.any(self.translations[d]) or np.any(slope) or (self.second is not None and np.any(self.second[d]))):
            return replace(self, positions=l)
        turned = np.einsum("iab,ar,kbs->kirs", EPS, slope, gamma)
        R2 = np.einsum("abij,ir,js->abrs", TURN2, slope, slope)
        G = self.gamma2()
        second = G - G[d] - turned - turned.swapaxes(2, 3) + np.einsum("bars,kb->kars", R2, l)
        return replace(
            self,
            positions=l,
            translations=gamma - np.einsum("iab,ar,kb->kir", EPS, slope, l),
            slopes=self.slopes - slope,
            second=second,
        )


def shown(names: Sequence[str]) -> str:
    """Names in an error text."""
    return ", ".join(list(names)[:12]) + (", …" if len(names) > 12 else "")


def mass_and_inertia(nodes: NodalData) -> tuple[float, Array, Array]:
    """m, c0 and J0 of the undeformed body."""
    m, y0 = nodes.masses, nodes.positions + nodes.offsets
    return float(m.sum()), m @ y0, about_origin((m[:, None] * y0).T @ y0) + nodes.inertias.sum(0)


def modal_mass(nodes: NodalData) -> Array:
    """M_ff = Σ m y1ᵀ y1 + λᵀ Jc λ."""
    rows = 3 * len(nodes.masses), nodes.n
    y1, lam, J_lam = (x.reshape(rows) for x in (_centre_columns(nodes), nodes.slopes, nodes.inertias @ nodes.slopes))
    return np.asarray((np.repeat(nodes.masses, 3)[:, None] * y1).T @ y1 + lam.T @ J_lam)


def node_masses(nodes: NodalData) -> Array:
    """The terms of M_ff for each node."""
    y1, lam = _centre_columns(nodes), nodes.slopes
    moving = nodes.masses[:, None, None] * (y1.swapaxes(1, 2) @ y1)
    return np.asarray(moving + lam.swapaxes(1, 2) @ nodes.inertias @ lam)


def _centre_columns(nodes: NodalData) -> Array:
    """y1(r) = γ_r + λ_r × p of each node."""
    return np.asarray(nodes.translations - np.einsum("iab,ka,kbr->kir", EPS, nodes.offsets, nodes.slopes))


def integrals(
    nodes: NodalData, K: Array, D: Array, preload: Array, listed: Sequence[int] = (), paper: bool = False
) -> ModalData:
    """The modal data of nodes, by sums over them; ``listed`` are the nodes that modal data contains. ``paper``: with
    the integrals of Jain & Rodriguez.

    F1(r, s) = Σ m (y1(s) × y1(r) + y0 × y2(r, s)) + D(s) λ_r + Jc Σ_{i<j} λ_is λ_jr e_i × e_j, D(r) = λ_r~ Jc − Jc λ_r~
    J2(r, s) = Σ R2 Jc + Jc R2ᵀ − λ_r~ Jc λ_s~ − λ_s~ Jc λ_r~ − m (y2~ y0~ + y0~ y2~ + y1_r~ y1_s~ + y1_s~ y1_r~)
    """
    m, lam, n = nodes.masses, nodes.slopes, nodes.n
    y0 = nodes.positions + nodes.offsets
    y1 = _centre_columns(nodes)
    mass, c0, J0 = mass_and_inertia(nodes)
    heavy = np.flatnonzero(np.any(nodes.inertias, axis=(1, 2)) | np.any(nodes.offsets, axis=1))
    lam, p, Jc, m_, y0_ = lam[heavy], nodes.offsets[heavy], nodes.inertias[heavy], m[heavy], y0[heavy]

    def slope_pairs(weights: Array) -> Array:
        """Σ over nodes of weight λ_ir λ_js, with indices (…, i, r, j, s)."""
        k, shape = len(heavy), weights.shape[1:]
        flat, turns = weights.reshape(k, np.prod(shape, dtype=int)), lam.reshape(k, 3 * n)
        pairs = np.stack([(w[:, None] * turns).T @ turns for w in flat.T])
        return pairs.reshape(*shape, 3, n, 3, n)

    pairs_J, pairs_p = slope_pairs(Jc), slope_pairs(m_[:, None] * p)
    pairs_yp = slope_pairs(np.einsum("k,ka,kb->kab", m_, y0_, p))
    C = np.einsum("abij,birjs->ars", TURN2, pairs_p, optimize=True)
    Y02 = np.einsum("bcij,acirjs->abrs", TURN2, pairs_yp, optimize=True)  # Σ m y0_a y2_b
    if nodes.second is not None:
        C = C + np.tensordot(m, nodes.second, 1)
        Y02 = Y02 + np.tensordot((m[:, None] * y0).T, nodes.second, 1)
    flat = y1.reshape(len(m), 3 * n)
    Y11 = ((m[:, None] * flat).T @ flat).reshape(3, n, 3, n)  # Σ m y1_a(r) y1_b(s)
    Y01 = np.einsum("k,ka,kbr->abr", m, y0, y1, optimize=True)
    J_lam = np.einsum("kab,kbr->ar", Jc, lam)
    F1 = (
        np.einsum("abc,bscr->ars", EPS, Y11)
        + np.einsum("abc,bcrs->ars", EPS, Y02)
        + np.einsum("aib,bjisjr->ars", EPS, pairs_J)
        - np.einsum("bij,abisjr->ars", EPS, pairs_J)
        + np.einsum("bij,abisjr->ars", SPIN, pairs_J)
    )
    D1 = np.einsum("aib,kir,kbc->rac", EPS, lam, Jc, optimize=True)
    turned = np.einsum("abij,bcirjs->rsac", TURN2, pairs_J, optimize=True)
    crossed = -np.einsum("aib,bcirjs,cjd->rsad", EPS, pairs_J, EPS, optimize=True)
    A1 = Y01 + Y01.swapaxes(0, 1)
    A2 = Y02 + Y02.swapaxes(0, 1)
    A2 = A2 + np.einsum("arbs->abrs", Y11) + np.einsum("bras->abrs", Y11)
    return ModalData(
        m=mass,
        c0=c0,
        E=np.tensordot(m, y1, 1),
        C=C,
        F0=np.einsum("iab,abr->ir", EPS, Y01) + J_lam,
        F1=F1,
        J0=J0,
        J1=D1 + D1.swapaxes(1, 2) + about_origin(np.moveaxis(A1, 2, 0)),
        J2=turned + turned.swapaxes(2, 3) + crossed + crossed.swapaxes(0, 1) + about_origin(A2.transpose(2, 3, 0, 1)),
        M_ff=modal_mass(nodes),
        K=K,
        D=D,
        preload=preload,
        nodes={nodes.names[j]: nodes.node(j) for j in listed},
        paper=paper_integrals(nodes) if paper else None,
    )


def about_origin(A: Array) -> Array:
    """tr(A) 1 − A: the inertia of the second moments A = Σ m y yᵀ, for the last two indices."""
    return np.asarray(np.trace(A, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - A)


def paper_integrals(nodes: NodalData) -> PaperIntegrals:
    """The integrals of Jain & Rodriguez (Eq B.4), where J is the inertia about the node; s_r = m p × λ_r."""
    m, l, p, g = nodes.masses, nodes.positions, nodes.offsets, nodes.translations
    mass, c0, J0 = mass_and_inertia(nodes)
    y0, n, over = l + p, nodes.n, 1 / (mass or 1.0)
    if n > MOST:
        raise FieldError(
            f"the integrals of Jain and Rodriguez (Eq B.4) are for at most {MOST} modes, not {n}, because some have"
            " three indices of modes; describe the body with fewer shapes"
        )
    heavy = np.flatnonzero(np.any(nodes.inertias, axis=(1, 2)) | np.any(p, axis=1))
    lam, l_, g_, m_, p_ = nodes.slopes[heavy], l[heavy], g[heavy], m[heavy], p[heavy]
    J = nodes.inertias[heavy] + about_origin(np.einsum("k,ka,kb->kab", m_, p_, p_))
    s = np.einsum("iab,k,ka,kbr->kir", EPS, m_, p_, lam, optimize=True)

    def total(subscripts: str, *arrays: Array) -> Array:
        """A sum of products over the nodes."""
        return np.asarray(np.einsum(subscripts, *arrays, optimize=True))

    flat = g.reshape(len(m), 3 * n)
    gg = ((m[:, None] * flat).T @ flat).reshape(3, n, 3, n)
    gs = total("kar,kbs->arbs", g_, s)  # γ_r s_s
    J_turn = total("kab,bic,kir->rac", J, EPS, lam)  # J λ_r~
    turn_J = total("aib,kir,kbc->rac", EPS, lam, J)  # λ_r~ J
    J_lam = total("kab,kbr->kar", J, lam)
    lam_s = total("iab,kar,kbs->kirs", EPS, lam, s)  # λ_r × s_s
    lam_J = total("iab,kar,kbs->irs", EPS, lam, J_lam)  # λ_r × J λ_s
    inner = total("iab,kar,kbs->kirs", EPS, g_, s)  # γ_r × s_s + J (λ_r × λ_s)
    inner = inner + total("kij,jab,kar,kbs->kirs", J, EPS, lam, lam)
    return PaperIntegrals(
        m=mass,
        p0=over * c0,
        p1=over * np.tensordot(m, g, 1),
        E=np.tensordot(m, g, 1) - s.sum(0),
        F0=total("iab,k,ka,kbr->ir", EPS, m, y0, g) - total("iab,ka,kbr->ir", EPS, l_, s) + J_lam.sum(0),
        F1=np.einsum("iab,asbr->irs", EPS, gg) - np.einsum("iab,asbr->irs", EPS, gs),
        G=modal_mass(nodes),
        J0=J0,
        J1=-_double_cross(total("k,kar,kb->rab", m, g, y0)),
        J2=-_double_cross(np.einsum("arbs->rsab", gg)),
        S1=_double_cross(total("kar,kb->rab", s, l_)) - J_turn,
        S2=_double_cross(np.einsum("bsar->rsab", gs)),
        K1=2 * _double_cross(total("ka,kbr->rab", l_, s)) - J_turn + turn_J,
        R1=J_lam.sum(0),
        R2=lam_J - total("iab,ka,kbrs->irs", EPS, l_, lam_s),
        R3=-total("iab,kaq,kbrs->iqrs", EPS, g_, lam_s),
        W1=total("iab,kar,bcd,kc,kds->irs", EPS, lam, EPS, m_[:, None] * p_, g_),
        W2=lam_J,
        L=-over * lam_s.sum(0),
        T1=inner.sum(0),
        T2=total("iab,ka,bcd,kcr,kds->irs", EPS, m_[:, None] * p_, EPS, g_, lam) - lam_J,
        T3=total("kiq,kirs->qrs", lam, inner),
    )


def _double_cross(P: Array) -> Array:
    """Σ a~ b~ = Σ b aᵀ − (a·b) 1 from P = Σ a bᵀ, for the last two indices."""
    return np.asarray(P.swapaxes(-2, -1) - np.trace(P, axis1=-2, axis2=-1)[..., None, None] * np.eye(3))
