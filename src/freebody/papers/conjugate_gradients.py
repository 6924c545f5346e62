"""Forward dynamics by conjugate gradients on 𝓜, which Jain & Rodriguez (1992, section 10) announce: 𝓜 is never formed.

A product 𝓜 x = 𝓗 Φ M_m Φ* 𝓗* x is one sweep outwards and one inwards, O(N). The preconditioner is the part 𝓗 R 𝓗* of
the composite-body form 𝓜 = 𝓗 R 𝓗* + 𝓗 Φ̃ R 𝓗* + 𝓗 R Φ̃* 𝓗* (Eq 5.4): one block for each body, the mass matrix of its own
speeds while all bodies outboard are rigid and fixed to it.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from freebody.errors import ArgumentError, SimulationError
from freebody.papers.flexible_algorithms import (
    Array,
    FlexibleTree,
    Forces,
    from_parent,
    inverse_dynamics,
    inwards,
)

Preconditioner = Literal["composite"] | None


@dataclass(frozen=True, eq=False)
class ConjugateGradients:
    """χ̇, and the lengths of the residual T − 𝓒 − 𝓜 χ̇ relative to the first one, 1, before and after each iteration.
    Lengths are those of the preconditioner's inverse, √(r* B⁻¹ r), as the method measures them."""

    chi_dot: Array
    residuals: list[float]

    @property
    def iterations(self) -> int:
        """The number of products with 𝓜."""
        return len(self.residuals) - 1


def mass_product(tree: FlexibleTree, x: ArrayLike) -> Array:
    """𝓜 x by two sweeps: V = Φ* 𝓗* x outwards, 𝓗 Φ M_m V inwards; with the inertia of rotors."""
    speeds, V = np.asarray(x, dtype=float), list[Array]()
    for k in tree.bodies:
        eta, beta = speeds[[*k.modes]], speeds[[*k.hinge]]
        V.append(np.concatenate([eta, from_parent(k, V) + k.H.T @ beta - k.Pi_d @ eta]))
    forces, product = [k.M @ v for k, v in zip(tree.bodies, V, strict=True)], np.zeros(tree.size)
    for i, k in inwards(tree):
        product[k.speeds] = k.joint_map @ forces[i] + k.armature * speeds[k.speeds]
        if k.parent >= 0:
            forces[k.parent] = forces[k.parent] + k.Phi @ forces[i]
    return product


def composite_blocks(tree: FlexibleTree) -> list[Array]:
    """The blocks of 𝓗 R 𝓗* (Eqs 5.2, 5.4) for the speeds (η̇, β) of each body, with the inertia of rotors."""
    R = [k.M.copy() for k in tree.bodies]
    for i, k in inwards(tree):
        if k.parent >= 0:
            R[k.parent] += k.Phi @ R[i] @ k.Phi.T
    return [k.joint_map @ r @ k.joint_map.T + np.diag(k.armature) for k, r in zip(tree.bodies, R, strict=True)]


def composite_preconditioner(tree: FlexibleTree) -> Array:
    """𝓗 R 𝓗* as a matrix in the order of the speeds."""
    B = np.zeros((tree.size, tree.size))
    for k, block in zip(tree.bodies, composite_blocks(tree), strict=True):
        B[np.ix_(k.speeds, k.speeds)] = block
    return B


def conjugate_gradient_forward_dynamics(
    tree: FlexibleTree,
    T: ArrayLike | None = None,
    tip_forces: Forces = None,
    preconditioner: Preconditioner = "composite",
    tolerance: float = 1e-12,
    most: int | None = None,
) -> ConjugateGradients:
    """χ̇ of 𝓜 χ̇ = T − 𝓒 by conjugate gradients, until the relative residual is at most ``tolerance``; after ``most``
    iterations without that (by default ten times the number of speeds) an error is raised. Without a preconditioner
    (None), B = 1. After k iterations the error in the norm of 𝓜 is at most 2 [(√κ − 1)/(√κ + 1)]ᵏ of its first value,
    where κ is the condition number of B⁻¹ 𝓜."""
    if preconditioner not in ("composite", None):
        raise ArgumentError(f"preconditioner must be 'composite' or None, not {preconditioner!r}")
    if not 0 < tolerance < 1:
        raise ArgumentError(f"tolerance must be between 0 and 1, not {tolerance:g}")
    limit, factors = 10 * tree.size if most is None else most, []
    if preconditioner is not None:
        try:
            factors = [cho_factor(block) for block in composite_blocks(tree)]
        except LinAlgError:
            raise ArgumentError(
                "the composite bodies have speeds without inertia, so that the preconditioner is singular; use"
                " preconditioner=None, or give the bodies inertia"
            ) from None

    def preconditioned(residual: Array) -> Array:
        if preconditioner is None:
            return residual
        z = np.empty_like(residual)
        for k, factor in zip(tree.bodies, factors, strict=True):
            z[k.speeds] = cho_solve(factor, residual[k.speeds])
        return z

    r = np.zeros(tree.size) if T is None else np.array(T, dtype=float)
    r = r - inverse_dynamics(tree, np.zeros(tree.size), tip_forces)
    x, z = np.zeros(tree.size), preconditioned(r)
    direction, square = z, float(r @ z)
    first, residuals = square, [1.0]
    while first > 0 and residuals[-1] > tolerance:
        if len(residuals) > limit:
            raise SimulationError(
                f"conjugate gradients have not reached tolerance={tolerance:g} after {limit} iterations; the residual"
                f" is {residuals[-1]:.2g}. Give a larger tolerance or more iterations (most=…), or use"
                " articulated_forward_dynamics"
            )
        product = mass_product(tree, direction)
        step = square / float(direction @ product)
        x, r = x + step * direction, r - step * product
        z = preconditioned(r)
        before, square = square, float(r @ z)
        direction = z + square / before * direction
        residuals.append(float(np.sqrt(square / first)))
    return ConjugateGradients(x, residuals)
