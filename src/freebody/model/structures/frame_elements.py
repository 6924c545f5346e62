"""Matrices of straight beams and bars in space, two nodes each.

Displacements u and rotations θ (rotation vectors) of the sections, along the element's axes with x from node to node,
are interpolated by the deflections of a Timoshenko beam under forces at its ends (cubic and quadratic; without shear
those of Hermite), and linearly along and about x. Strains are those of Reissner to second order:

    γ = u' − θ × e_x − θ × u' + ½ θ × (θ × e_x)      κ = θ' − ½ θ × θ'

The geometric stiffness is the second derivative of ∫ n · γ₂ + m · κ₂ dx, where γ₂ and κ₂ are the parts of second
order, and n = (N, Q_y, Q_z) and m = (T, M_y, M_z) the forces and moments of the linear solution. Because θ are rotation
vectors along axes that all elements of a node share, the moments of elements at a node are in equilibrium to this order
too: sideways buckling is found for members at any angle. A rigid rotation ω turns the forces with the structure:
K_g R ω = (ω × F, ½ ω × M) for the forces F and moments M at the nodes, of which K u consists.

A bar has no rotations of its own: its section turns with the line from node to node, and n = (N, 0, 0).

The end of an element that is hinged has rotations θ_e other than those of the node, θ_n, but it takes a torque T: to
second order e_x · θ_e = e_x · (θ_n + ½ θ_n × θ_e). The last term is in the geometric stiffness.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from freebody.model.structures.structure import MassPoints, Sparse

Array = NDArray[np.float64]
_GAUSS = np.polynomial.legendre.leggauss(4)
POINTS, WEIGHTS = (_GAUSS[0] + 1) / 2, _GAUSS[1] / 2
"""Gauss's points and weights on [0, 1]; exact for the product of two cubics."""
AXIS = np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class FrameElements:
    """m elements. Displacements of an element are, along its own axes, three displacements and three rotations at its
    start and at its end; ``gather`` computes them from the unknowns of the structure."""

    length: Array  # (m), m
    bar: NDArray[np.bool_]  # (m), whether it is a bar, without bending and torsion
    forces: Array  # (m, 3): EA, and the shear stiffness along y and z; infinite without shear
    moments: Array  # (m, 3): GJ, and the bending stiffness about y and z
    density: Array  # (m), mass per length
    inertia: Array  # (m, 3): inertia per length about x, y, z
    gather: Sparse  # (12 m, N)
    hinges: NDArray[np.intp]  # (h), rows of ``gather`` with the rotation about x of hinged ends
    beside: Sparse  # (2 h, N), rotations of the nodes there about y and z of the element

    @cached_property
    def shapes(self) -> tuple[Array, Array, Array, Array, Array]:
        """u, θ, u', θ' (m, 4, 3, 12) at Gauss's points and θ'' (m, 3, 12), which is constant."""
        m, L, x = len(self.length), self.length[:, None], POINTS
        u, theta, du, dtheta = (np.zeros((m, len(x), 3, 12)) for _ in range(4))
        ddtheta = np.zeros((m, 3, 12))
        for linear, slope, at in ((u, du, 0), (theta, dtheta, 3)):  # along and about x
            linear[:, :, 0, at], linear[:, :, 0, 6 + at] = 1 - x, x
            slope[:, :, 0, at], slope[:, :, 0, 6 + at] = -1 / L, 1 / L
        for axis, sign in ((1, 1.0), (2, -1.0)):  # deflection along y turns about z, along z about −y
            about = 3 - axis
            phi = (12 * self.moments[:, about] / (self.forces[:, axis] * self.length**2))[:, None]
            columns = (axis, 3 + about, 6 + axis, 9 + about)
            signs = np.array([1.0, sign, 1.0, sign])
            deflection = [
                1 - 3 * x**2 + 2 * x**3 + phi * (1 - x),
                L * (x - 2 * x**2 + x**3 + phi * (x - x**2) / 2),
                3 * x**2 - 2 * x**3 + phi * x,
                L * (x**3 - x**2 + phi * (x**2 - x) / 2),
            ]
            slopes = [
                (6 * (x**2 - x) - phi) / L,
                1 - 4 * x + 3 * x**2 + phi * (1 - 2 * x) / 2,
                (6 * (x - x**2) + phi) / L,
                3 * x**2 - 2 * x + phi * (2 * x - 1) / 2,
            ]
            turns = [
                6 * (x**2 - x) / L,
                1 - 4 * x + 3 * x**2 + phi * (1 - x),
                6 * (x - x**2) / L,
                3 * x**2 - 2 * x + phi * x,
            ]
            bends = [6 * (2 * x - 1) / L**2, (6 * x - 4 - phi) / L, 6 * (1 - 2 * x) / L**2, (6 * x - 2 + phi) / L]
            change = [12 / L**3, 6 / L**2, -12 / L**3, 6 / L**2]
            for k, column in enumerate(columns):
                factor = signs[k] / (1 + phi)
                u[:, :, axis, column], du[:, :, axis, column] = deflection[k] * factor, slopes[k] * factor
                theta[:, :, about, column] = sign * turns[k] * factor
                dtheta[:, :, about, column] = sign * bends[k] * factor
                ddtheta[:, about, column] = sign * (change[k] * factor)[:, 0]
        bar = self.bar
        for array in (u, theta, du, dtheta, ddtheta):
            array[bar, ..., 1:, :] = 0.0
        theta[bar], dtheta[bar] = 0.0, 0.0
        for axis, sign in ((1, 1.0), (2, -1.0)):
            u[bar, :, axis, axis], u[bar, :, axis, 6 + axis] = 1 - x, x
            for array, row, factor in ((du, axis, 1.0), (theta, 3 - axis, sign)):
                array[bar, :, row, axis], array[bar, :, row, 6 + axis] = -factor / L[bar], factor / L[bar]
        return u, theta, du, dtheta, ddtheta

    def points(self, start: Array, axes: Array) -> MassPoints:
        """Gauss's points of all elements with their masses, from the positions of their starts (m, 3) and their axes
        (m, 3, 3), whose rows are x, y, z."""
        from scipy.sparse import bsr_matrix

        m, (u, theta, *_) = len(self.length), self.shapes
        weights = self.length[:, None] * WEIGHTS
        positions = start[:, None] + (self.length[:, None] * POINTS)[:, :, None] * axes[:, None, 0]
        inertias = np.einsum("mg,mi,mia,mib->mgab", weights, self.inertia, axes, axes)

        def rows(shapes: Array) -> Sparse:
            blocks = np.einsum("mia,mgic->mgac", axes, shapes).reshape(m, 3 * len(POINTS), 12)
            return bsr_matrix((blocks, np.arange(m), np.arange(m + 1))).tocsr() @ self.gather

        masses = (self.density[:, None] * weights).ravel()
        return MassPoints(positions.reshape(-1, 3), masses, inertias.reshape(-1, 3, 3), rows(u), rows(theta))

    def stiffness(self) -> Sparse:
        """The stiffness matrix (N, N)."""
        _, theta, du, dtheta, _ = self.shapes
        weights = self.length[:, None] * WEIGHTS
        strain = du - np.cross(theta, AXIS, axisa=2, axisc=2)
        rigid = np.isinf(self.forces) | self.bar[:, None] & (np.arange(3) > 0)
        forces, moments = np.where(rigid, 0.0, self.forces), np.where(self.bar[:, None], 0.0, self.moments)
        return self._assemble(
            np.einsum("mg,mi,mgia,mgib->mab", weights, forces, strain, strain, optimize=True)
            + np.einsum("mg,mi,mgia,mgib->mab", weights, moments, dtheta, dtheta, optimize=True)
        )

    def geometric(self, displacements: Array) -> Sparse:
        """The geometric stiffness (N, N) of the forces in the elements with these displacements of the structure."""
        _, theta, du, dtheta, ddtheta = self.shapes
        local = (self.gather @ displacements).reshape(-1, 12)
        m = np.einsum("mi,mgia,ma->mgi", self.moments, dtheta, local, optimize=True)
        m[self.bar] = 0.0
        n = np.zeros_like(m)
        n[:, :, 0] = self.forces[:, None, 0] * np.einsum("mga,ma->mg", du[:, :, 0], local)
        change = self.moments * np.einsum("mia,ma->mi", ddtheta, local)  # m' + e_x × n = 0
        n[:, :, 1], n[:, :, 2] = -change[:, None, 2], change[:, None, 1]
        weights = (self.length[:, None] * WEIGHTS)[:, :, None, None]
        of_turns = (AXIS[:, None] * n[:, :, None, :] + AXIS * n[:, :, :, None]) / 2 - n[:, :, :1, None] * np.eye(3)
        mixed = _cross(n) @ du + _cross(m) @ dtheta / 2 + of_turns @ theta / 2
        half = np.einsum("mgia,mgib->mab", theta, weights * mixed, optimize=True)
        total = self._assemble(half + half.swapaxes(1, 2))
        return total + self._of_hinges(m[:, 0, 0]) if len(self.hinges) else total

    def _of_hinges(self, torques: Array) -> Sparse:
        """The geometric stiffness of the torques of elements that act at hinges."""
        from scipy.sparse import diags

        element, row = np.divmod(self.hinges, 12)
        half = diags(np.where(row < 6, -1, 1) * torques[element] / 2)
        y, z = self.beside[::2], self.beside[1::2]
        product = y.T @ half @ self.gather[self.hinges + 2] - z.T @ half @ self.gather[self.hinges + 1]
        return (product + product.T).tocsr()

    def _assemble(self, matrices: Array) -> Sparse:
        from scipy.sparse import bsr_matrix

        m = len(matrices)
        blocks = bsr_matrix((matrices, np.arange(m), np.arange(m + 1)), shape=(12 * m, 12 * m))
        total = (self.gather.T @ (blocks @ self.gather)).tocsr()
        return (total + total.T) / 2


def _cross(a: Array) -> Array:
    """The matrices of the cross products a × …, for the last index."""
    out = np.zeros((*a.shape, 3))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        out[..., j, i], out[..., k, i] = a[..., k], -a[..., j]
    return out
