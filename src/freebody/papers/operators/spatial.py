"""The spatial operators of a tree at one state, with the symbols of the papers.

Rodriguez, Jain, Kreutz: Spatial operator algebra framework for multibody system dynamics; A.1 … are in its appendix.
Jain, Rodriguez: Recursive dynamics for flexible multibody systems using spatial operators. Equations of this paper, in
which operators of flexible bodies have the same form, are marked F, as in Eq F 3.14.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from freebody.errors import ArgumentError
from freebody.papers.operators.bodies import Articulated, BodyNumbers, articulate, composites, rigid
from freebody.papers.operators.closures import Closures
from freebody.papers.operators.linear_maps import Array, Blocks, Diagonal, OmegaOperator, Operator, Shift, Transition
from freebody.tables import counted, listed

PointOfBody = tuple[str, Sequence[float]]


class Operators:
    """𝓔_φ, φ, H, M, P, D, G, K, 𝓔_ψ, ψ, Υ, Ω and the vectors V, a, b at one state, each computed when first asked for.

    Blocks are at the bodies' origins along the bodies' axes. Bodies come parents first, where the papers count from the
    tips: what is lower triangular there is upper triangular here. The block of a flexible body begins with its modes,
    V_m = (η̇, ω, v); φ, H, M, a and b are then Φ, 𝓗, M_m, a_m and b_m. Nodes are bodies without mass and joint.
    """

    def __init__(self, bodies: BodyNumbers) -> None:
        self.bodies, self.names, self.speeds = bodies, bodies.tree.names, bodies.tree.speeds

    def __repr__(self) -> str:
        return f"<spatial operators at one state of {counted(len(self.names), 'body', 'bodies')}: {listed(self.names)}>"

    # Section 2: equations of motion

    @cached_property
    def E_phi(self) -> Shift:
        """𝓔_φ (Eqs 2.3, 2.7, F 3.20): forces of bodies at their parents' origins. The block of a node is 𝓐(k), that of
        a body on a node is 𝓑(k+1, k) (Eq F 3.17)."""
        return self._shift("E_φ", self.bodies.phi)

    def _shift(self, name: str, blocks: Sequence[Array]) -> Shift:
        return Shift(name, self.bodies.tree.parents, self.bodies.tree.sizes, blocks)

    @cached_property
    def phi(self) -> Transition:
        """φ = (I − 𝓔_φ)⁻¹ (Eqs 2.4, 2.9, F 3.21); between two flexible bodies Φ(k+1, k) = 𝓐(k+1) 𝓑(k+1, k)."""
        return Transition("φ", self.E_phi)

    @cached_property
    def H(self) -> Diagonal:
        """The joint maps (Eqs 2.3, F 3.15): H*(k), 6 × freedoms, has the permitted relative velocities as columns. Rows
        of modes come after those of the joint, as their speeds do."""
        return Diagonal("H", self.bodies.joint_maps)

    @cached_property
    def M(self) -> Diagonal:
        """Spatial inertias about the origins (Eq 2.3), of flexible bodies modal mass matrices M_m (Eq F 3.25)."""
        return Diagonal("M", self.bodies.M)

    @cached_property
    def A(self) -> Diagonal:
        """The joints' armatures, which the paper has not: a diagonal that is added to 𝓜 and D."""
        return Diagonal("A", [np.diag(self.bodies.armature[rows]) for rows in self.bodies.rows])

    @cached_property
    def mass(self) -> Operator:
        """𝓜 = H φ M φ* H* (Eqs 2.5, 2.11, F 3.45), with armatures + A."""
        bare = self.H @ self.phi @ self.M @ self.phi.T @ self.H.T
        return bare + self.A if self.bodies.armature.any() else bare

    @cached_property
    def V(self) -> Array:
        """Spatial velocities φ* H* β (Eqs 2.11, F 3.22); prescribed speeds are added to H* β."""
        return self.phi.T @ (self.H.T @ self.bodies.u + self.bodies.stacked(self.bodies.offset))

    @cached_property
    def a(self) -> Array:
        """Coriolis accelerations a(k) (Eqs 2.1, F 3.27): (ω_p × ω_r + …, ω_p × (ω_p × l) + 2 ω_p × v_r + …), p the
        parent, r relative to it, l from its origin, and … the joint's own remainder and its prescribed accelerations.
        a_m of a body on a node (Eq F B.11) is a(k) + φ*(t, k) a(t)."""
        b = self.bodies
        before = np.vstack([b.w, np.zeros(3)])[list(b.tree.parents)]
        w, l = (np.einsum("nji,nj->ni", b.R, x) for x in (before, b.p))
        turn = np.cross(w, b.relative[:, :3])
        slide = np.cross(w, np.cross(w, l) + 2 * b.relative[:, 3:])
        return b.stacked(np.hstack([turn, slide]) + b.remainder)

    @cached_property
    def b(self) -> Array:
        """Gyroscopic forces b(k) (Eqs 2.1, F 3.39): (ω × J ω, m ω × (ω × c)), J about the origin, and those of the
        modes (Eq F B.50)."""
        six = np.array([M[-6:, -6:] for M in self.bodies.M])
        w, b = self.bodies.w, self.bodies
        turned = np.einsum("nij,nj->ni", six[:, :3, :3], w)
        pulled = np.cross(w, np.einsum("nij,nj->ni", six[:, 3:, :3], w))
        forces = b.stacked(np.hstack([np.cross(w, turned), pulled]))
        for k, place in enumerate(b.places):
            if k in b.modes.required:
                forces[place] += b.modes.required[k]
        return forces - self.elastic

    @cached_property
    def elastic(self) -> Array:
        """Elastic forces K_m ϑ of the modes (Eq F 3.40)."""
        forces, b = np.zeros(sum(self.bodies.tree.sizes)), self.bodies
        for k, place in enumerate(b.places):
            if k in b.modes.elastic:
                forces[place][:-6] = b.modes.elastic[k]
        return forces

    @cached_property
    def fall(self) -> Array:
        """Gravity as the acceleration −g of the ground, which is added to a at the roots."""
        b = self.bodies
        up = np.einsum("nji,j->ni", b.R, -b.gravity) * (np.array(b.tree.parents) < 0)[:, None]
        return b.stacked(np.hstack([np.zeros_like(up), up]))

    @cached_property
    def C(self) -> Array:
        """𝓒 of T = 𝓜 β̇ + 𝓒: H φ (M φ* a + b + K_m ϑ) (Eqs 2.11, F 3.45), with weight, less loads and joint
        forces."""
        loads = self.bodies.stacked(self.bodies.wrench)
        forces = self.M @ (self.phi.T @ (self.a + self.fall)) + self.b + self.elastic - loads
        return self.H @ (self.phi @ forces) - self.bodies.joint_force

    @cached_property
    def R(self) -> Diagonal:
        """Composite-body inertias (Eq F 5.2): φ M φ* = R + φ̃ R + R φ̃* with φ̃ = φ − I (Eq F 5.3)."""
        return Diagonal("R", composites(self.bodies))

    # Section 3: factors of the mass matrix, and its inverse

    @cached_property
    def _articulated(self) -> Articulated:
        return articulate(self.bodies)

    @cached_property
    def P(self) -> Diagonal:
        """Articulated-body inertias: M = P − 𝓔_φ [P − P H* D⁻¹ H P] 𝓔_φ* on the diagonal (Eqs 3.1, A.1, F 6.1)."""
        return Diagonal("P", self._articulated.P)

    @cached_property
    def D(self) -> Diagonal:
        """Hinge inertias H P H* (Eqs 3.2, F 6.2), with armatures + A."""
        return Diagonal("D", self._articulated.D)

    @cached_property
    def G(self) -> Diagonal:
        """Gains P H* D⁻¹ (Eqs 3.2, F 6.2)."""
        return Diagonal("G", self._articulated.G)

    @cached_property
    def K(self) -> Shift:
        """𝓔_φ G (Eqs 3.2, F 6.2): the gains shifted to the parents."""
        shifted = [phi @ g for phi, g in zip(self.bodies.phi, self._articulated.G, strict=True)]
        return self._shift("K", shifted)

    @cached_property
    def tau_bar(self) -> Diagonal:
        """τ̄ = I − G H (Eqs 3.2, F 6.2): the part of a force that passes a free joint."""
        return Diagonal("τ̄", [np.eye(len(g)) - g @ h for g, h in zip(self.G.blocks, self.H.blocks, strict=True)])

    @cached_property
    def E_psi(self) -> Shift:
        """𝓔_ψ = 𝓔_φ τ̄ (Eqs 3.2, F 6.2)."""
        passed = [phi @ t for phi, t in zip(self.bodies.phi, self.tau_bar.blocks, strict=True)]
        return self._shift("E_ψ", passed)

    @cached_property
    def psi(self) -> Transition:
        """ψ = (I − 𝓔_ψ)⁻¹ (Eqs 3.3, F 6.3): φ for free joints."""
        return Transition("ψ", self.E_psi)

    @cached_property
    def mass_factor(self) -> Operator:
        """I + H φ K, a square root of 𝓜 (Eqs 3.4, F 6.4)."""
        return 1 + self.H @ self.phi @ self.K

    @cached_property
    def mass_factor_inverse(self) -> Operator:
        """I − H ψ K (Eqs 3.5, F 6.5)."""
        return 1 - self.H @ self.psi @ self.K

    @cached_property
    def mass_inverse(self) -> Operator:
        """𝓜⁻¹ = [I − H ψ K]* D⁻¹ [I − H ψ K] (Eqs 3.6, F 6.6)."""
        half = self.mass_factor_inverse
        return half.T @ self.D.inverse @ half

    def forward_dynamics(self, tau: ArrayLike | None = None) -> Array:
        """β̇ under generalised forces tau; with closed loops by ``closures.steps``."""
        return self.closures.steps(tau).beta if self.closures.names else self.tree_dynamics(tau)

    @cached_property
    def closures(self) -> Closures:
        """A, J, Λ, … of closed loops (sections 2.3 and 3)."""
        return Closures(self, self.bodies.closures)

    def tree_dynamics(self, tau: ArrayLike | None = None) -> Array:
        """β̇ = 𝓜⁻¹ (T − 𝓒) of the tree without closures, by sweeps alone (Eq 3.7)."""
        force = np.zeros(len(self.speeds)) if tau is None else np.asarray(tau, dtype=float)
        return self.mass_inverse @ (force - self.C)

    # Admittance at points

    @cached_property
    def Upsilon(self) -> Diagonal:
        """Υ(k) = ψ*(p, k) Υ(p) ψ(p, k) + H*(k) D⁻¹(k) H(k), outwards from the roots: the diagonal of Ω (A.3, A.5)."""
        blocks = list(self._felt.blocks)
        for (p, k), psi in self.E_psi.cells.items():
            blocks[k] = blocks[k] + psi.T @ blocks[p] @ psi
        return Diagonal("Υ", blocks)

    @cached_property
    def Omega(self) -> OmegaOperator:
        """Ω = ψ* H* D⁻¹ H ψ (Eq 3.10)."""
        return OmegaOperator(self.psi, self._felt, self.Upsilon)

    @cached_property
    def _felt(self) -> Diagonal:
        """H* D⁻¹ H."""
        pairs = zip(self.H.blocks, self.D.blocks, strict=True)
        return Diagonal("H* D⁻¹ H", [h.T @ np.linalg.solve(d, h) for h, d in pairs])

    def B(self, points: Sequence[PointOfBody]) -> Blocks:
        """Forces at points of bodies, moved to the bodies' origins (Eq 2.13). A point is (body, position)."""
        cells = dict[tuple[int, int], Array]()
        for k, (name, at) in enumerate(points):
            if name not in self.names:
                raise ArgumentError(f"there is no body '{name}'; choose from {', '.join(self.names)}")
            i, phi = self.names.index(name), rigid(np.eye(3), np.array(at, float))
            cells[i, k] = np.vstack([np.zeros((self.bodies.tree.modes.own[i], 6)), phi])
        return Blocks("B", self.bodies.tree.sizes, [6] * len(points), cells)

    def jacobian(self, points: Sequence[PointOfBody]) -> Operator:
        """J = B* φ* H* (Eq 2.14): spatial velocities at points, along their bodies' axes, from the free speeds."""
        return self.B(points).T @ self.phi.T @ self.H.T

    def admittance(self, points: Sequence[PointOfBody]) -> Array:
        """The paper's Λ = J 𝓜⁻¹ J* = B* Ω B (Eq 3.10), from the blocks of Ω that the points need: the inverse of the
        operational-space inertia."""
        placed = [(i, cell) for (i, _), cell in self.B(points).cells.items()]
        return np.block([[b.T @ self.Omega.block(i, j) @ c for j, c in placed] for i, b in placed])
