"""Modes of straight beams: closed forms for uniform Euler–Bernoulli beams, Ritz's method for all others.

A beam has an axis along x from 0 to its length. A mode of bending has the displacement v, the rotation ψ of the
section, its curvature ψ' and the shear strain v' − ψ (zero in Euler–Bernoulli beams); an axial mode the displacement u
and the strain u'; a mode of torsion the rotation θ and the twist θ'.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from freebody.errors import ModelError

Array = NDArray[np.float64]


class Panels:
    """Gauss points in each panel of a beam, and integrals of functions that are given there. A function has one column
    per mode, and rows for the points of the first panel, the second, …"""

    def __init__(self, edges: Sequence[float], points: int) -> None:
        self.edges, self.points = np.array(edges, dtype=float), points
        self.widths = np.diff(self.edges)
        xi, weights = legendre.leggauss(points)
        self.x = (self.edges[:-1, None] + self.widths[:, None] * (xi + 1) / 2).ravel()
        self.weights = np.outer(self.widths / 2, weights).ravel()
        degree = np.arange(points)
        self.to_legendre = (2 * degree[:, None] + 1) / 2 * legendre.legvander(xi, points - 1).T * weights
        self.running = _integrals(xi, points) @ self.to_legendre

    def panel(self, x: Array) -> tuple[NDArray[np.intp], Array]:
        """The panel of each position, and the positions in it between −1 and 1."""
        index = np.clip(np.searchsorted(self.edges, x, side="right") - 1, 0, len(self.widths) - 1)
        return index, 2 * (x - self.edges[index]) / self.widths[index] - 1

    def _by_panel(self, f: Array) -> Array:
        return np.asarray(f.reshape(len(self.widths), self.points, *f.shape[1:]))

    def _totals(self, f: Array) -> Array:
        """Integrals from 0 to the first point of each panel."""
        panels = np.einsum("sp,sp...->s...", self._by_panel(self.weights), self._by_panel(f))
        return np.asarray(np.cumsum(panels, axis=0) - panels)

    def integral(self, f: Array) -> Array:
        """The integral from 0 to each point."""
        inside = np.einsum("pq,sq...->sp...", self.running, self._by_panel(f))
        widths = self.widths.reshape(-1, *[1] * f.ndim) / 2
        return np.asarray((self._totals(f)[:, None] + widths * inside).reshape(f.shape))

    def integral_to(self, x: Array, f: Array) -> Array:
        """The integral from 0 to each of these positions."""
        index, xi = self.panel(x)
        series = np.einsum("ij,sj...->si...", self.to_legendre, self._by_panel(f))
        widths = (self.widths[index] / 2).reshape(-1, *[1] * (f.ndim - 1))
        inside = np.einsum("xi,xi...->x...", _integrals(xi, self.points), series[index])
        return np.asarray(self._totals(f)[index] + widths * inside)

    def at(self, x: Array, f: Array) -> Array:
        """The values at these positions; at an edge between panels those of the right one."""
        index, xi = self.panel(x)
        series = np.einsum("ij,sj...->si...", self.to_legendre, self._by_panel(f))
        return np.asarray(np.einsum("xi,xi...->x...", legendre.legvander(xi, self.points - 1), series[index]))

    def rate_at(self, x: Array, f: Array) -> Array:
        """The derivatives with respect to x at these positions."""
        index, xi = self.panel(x)
        series = legendre.legder(np.einsum("ij,sj...->si...", self.to_legendre, self._by_panel(f)), axis=1)
        widths = (2 / self.widths[index]).reshape(-1, *[1] * (f.ndim - 1))
        return np.asarray(widths * np.einsum("xi,xi...->x...", legendre.legvander(xi, self.points - 2), series[index]))


def _integrals(xi: Array, count: int) -> Array:
    """Integrals of the first Legendre polynomials from −1 to each ξ: (P_{i+1} − P_{i−1})/(2i + 1)."""
    P = legendre.legvander(xi, count)
    inner = (P[:, 2:] - P[:, :-2]) / (2 * np.arange(1, count) + 1)
    return np.column_stack([xi + 1, inner])


@dataclass(frozen=True, eq=False)
class KindOfModes:
    """Modes of one kind: functions at the Gauss points, then at the positions of the nodes, one column per mode."""

    kind: str
    squares: Array  # ω²
    displacement: Array  # v or u; zero for torsion
    rotation: Array  # ψ or θ; zero for axial modes
    strain: Array  # ψ', u' or θ'
    shear: Array  # v' − ψ

    def first(self, count: int) -> "KindOfModes":
        """The lowest modes."""
        arrays = (a[:, :count] for a in (self.displacement, self.rotation, self.strain, self.shear))
        return KindOfModes(self.kind, self.squares[:count], *arrays)


# Closed forms


def bending_roots(ends: str, n: int) -> Array:
    """k L of the first n modes of a uniform beam: cos kL cosh kL = −1 (cantilever), 1 (free), sin kL = 0 (pinned)."""
    number = np.arange(1, n + 1)
    if ends == "pinned":
        return np.asarray(number * np.pi)
    sign, z = (1, (number - 0.5) * np.pi) if ends == "cantilever" else (-1, (number + 0.5) * np.pi)
    for _ in range(8):  # Newton's method from the asymptotes
        z = z - (np.cos(z) + sign / np.cosh(z)) / (-np.sin(z) - sign * np.tanh(z) / np.cosh(z))
    return np.asarray(z)


def bending_shape(ends: str, z: float, xi: Array, derivative: int) -> Array:
    """A derivative with respect to ξ = x/L of the shape with the root z, which is at most about 2.

    cosh zξ ∓ cos zξ − σ (sinh zξ ∓ sin zξ) is written with decaying exponentials: differences of cosh and sinh would
    lose all digits from about the twelfth mode on.
    """
    t, d = z * xi, derivative
    trig = [np.sin(t), np.cos(t), -np.sin(t), -np.cos(t)]
    if ends == "pinned":
        return np.asarray(z**d * trig[d % 4])
    s = -1 if ends == "cantilever" else 1
    small = np.exp(-z)
    rest = 2 * (-small - s * np.sin(z) + s * np.cos(z)) / (1 - small**2 - 2 * s * small * np.sin(z))  # (1 − σ) eᶻ
    sigma = 1 - rest * small
    grow, decay = rest / 2 * np.exp(t - z), (1 + sigma) / 2 * (-1) ** d * np.exp(-t)
    return np.asarray(z**d * (grow + decay + s * trig[(d + 1) % 4] - s * sigma * trig[d % 4]))


def uniform_bending(kind: str, ends: str, length: float, EI: float, density: float, n: int, x: Array) -> KindOfModes:
    """Bending of a uniform Euler–Bernoulli beam, without rotary inertia."""
    roots = bending_roots(ends, n)
    size = np.sqrt((0.5 if ends == "pinned" else 1.0) * density * length)  # the integral of φ² is L, or L/2

    def shapes(derivative: int) -> Array:
        columns = [bending_shape(ends, z, x / length, derivative) for z in roots]
        return np.stack(columns, 1).reshape(len(x), n) / (size * length**derivative) if n else np.zeros((len(x), 0))

    v = shapes(0)
    return KindOfModes(kind, EI / density * (roots / length) ** 4, v, shapes(1), shapes(2), np.zeros_like(v))


def uniform_bar(kind: str, ends: str, length: float, stiffness: float, inertia: float, n: int, x: Array) -> KindOfModes:
    """Axial modes (EA, mass per length) or torsion (GJ, polar inertia per length) of a uniform beam."""
    k = (np.arange(1, n + 1) - (0 if ends == "free" else 0.5)) * np.pi / length
    size = np.sqrt(inertia * length / 2)
    wave = np.cos(np.outer(x, k)) / size if ends == "free" else np.sin(np.outer(x, k)) / size
    slope = -k * np.sin(np.outer(x, k)) / size if ends == "free" else k * np.cos(np.outer(x, k)) / size
    zero = np.zeros_like(wave)
    move, turn = (wave, zero) if kind == "axial" else (zero, wave)
    return KindOfModes(kind, np.asarray(stiffness / inertia * k**2), move, turn, slope, zero)


# Ritz's method


@dataclass(frozen=True, eq=False)
class RitzProblem:
    """One kind of motion of a beam whose stiffness and inertia are constant in each panel. ``points`` are inertias at
    positions: a mass and a moment of inertia for each.

    Strains are polynomials in each panel, Legendre polynomials scaled so that the stiffness matrix is 1; displacements
    are their integrals, so they are continuous, and there is no locking in shear. Free and pinned beams also have the
    motions of a rigid body, which a constraint or the orthogonality to them removes.
    """

    kind: str
    ends: str
    panels: Panels
    degree: int
    stiffness: Array  # EI, EA or GJ of each panel
    shear: Array | None  # GA of each panel, for Timoshenko's beams
    density: Array  # of each panel: mass per length
    rotary: Array  # of each panel: moment of inertia per length
    at: Array  # positions of the inertias at points
    masses: Array
    moments: Array
    nodes: Array  # positions at which modes are evaluated

    @property
    def bends(self) -> bool:
        return self.kind.startswith("bending")

    @cached_property
    def x(self) -> Array:
        return np.concatenate([self.panels.x, self.nodes, self.at])

    def strains(self, modulus: Array) -> Array:
        """The strains at the Gauss points, one column for each polynomial in each panel."""
        count, points, panels = self.degree + 1, self.panels.points, len(modulus)
        P = legendre.legvander(legendre.leggauss(points)[0], self.degree)
        size = np.sqrt((2 * np.arange(count) + 1) / np.outer(modulus * self.panels.widths, np.ones(count)))
        out = np.zeros((panels, points, panels, count))
        for s in range(panels):
            out[s, :, s] = P * size[s]
        return out.reshape(panels * points, panels * count)

    def _everywhere(self, f: Array) -> Array:
        """A strain at the Gauss points, the nodes and the inertias."""
        return np.concatenate([f, self.panels.at(self.x[len(self.panels.x) :], f)])

    def _integral(self, f: Array) -> Array:
        """Its integral from 0 there."""
        return np.concatenate([self.panels.integral(f), self.panels.integral_to(self.x[len(self.panels.x) :], f)])

    def solve(self, n: int) -> KindOfModes:
        """The first n modes."""
        gauss = len(self.panels.x)
        strain = self.strains(self.stiffness)
        first = self._integral(strain)
        shear = np.zeros((gauss, 0)) if self.shear is None else self.strains(self.shear)
        if self.bends:
            turn = np.hstack([first, np.zeros((len(self.x), shear.shape[1]))])
            move = self._integral(np.hstack([first[:gauss], shear]))
            rigid_move = np.column_stack([np.ones_like(self.x), self.x])
            rigid_turn = np.column_stack([np.zeros_like(self.x), np.ones_like(self.x)])
        elif self.kind == "axial":
            move, turn = first, np.zeros_like(first)
            rigid_move, rigid_turn = np.ones((len(self.x), 1)), np.zeros((len(self.x), 1))
        else:
            move, turn = np.zeros_like(first), first
            rigid_move, rigid_turn = np.zeros((len(self.x), 1)), np.ones((len(self.x), 1))
        if self.ends == "pinned" and self.bends:
            tip = self.panels.weights @ np.hstack([first[:gauss], shear]) / self.panels.edges[-1]
            move, turn = move - np.outer(self.x, tip), turn - tip
        M = self._inertia(move, turn, move, turn)
        if self.ends == "free":
            rr = self._inertia(rigid_move, rigid_turn, rigid_move, rigid_turn)
            shift = np.linalg.solve(rr, self._inertia(rigid_move, rigid_turn, move, turn))
            move, turn = move - rigid_move @ shift, turn - rigid_turn @ shift
            M = self._inertia(move, turn, move, turn)
        squares, vectors = self._lowest(M, n)
        vectors = vectors * np.sign((move + turn if self.kind == "torsion" else move)[0] @ vectors)
        split = strain.shape[1]
        keep = slice(0, gauss + len(self.nodes))
        shear_strain = self._everywhere(shear) @ vectors[split:]
        bent = self._everywhere(strain) @ vectors[:split]
        return KindOfModes(
            self.kind, squares, (move @ vectors)[keep], (turn @ vectors)[keep], bent[keep], shear_strain[keep]
        )

    def _inertia(self, move: Array, turn: Array, move2: Array, turn2: Array) -> Array:
        """The inertia between two sets of motions."""
        gauss, points = len(self.panels.x), len(self.panels.x) + len(self.nodes)
        weight = self.panels.weights.reshape(len(self.panels.widths), -1)
        rho, rotary = ((d[:, None] * weight).ravel()[:, None] for d in (self.density, self.rotary))
        return np.asarray(
            (rho * move[:gauss]).T @ move2[:gauss]
            + (rotary * turn[:gauss]).T @ turn2[:gauss]
            + (self.masses[:, None] * move[points:]).T @ move2[points:]
            + (self.moments[:, None] * turn[points:]).T @ turn2[points:]
        )

    def _lowest(self, M: Array, n: int) -> tuple[Array, Array]:
        """ω² and vectors of the n lowest modes of M a = a/ω², with aᵀ M a = 1."""
        from scipy.linalg import eigh

        size = len(M)
        inverse, vectors = eigh(M, subset_by_index=(max(size - n, 0), size - 1))
        inverse, vectors = inverse[::-1], vectors[:, ::-1]
        found = int(np.sum(inverse > 1e-13 * inverse[0]))
        if found < n:
            raise ModelError(f"modes: the beam has only {found} '{self.kind}' modes, not {n}; ask for fewer")
        return 1 / inverse, vectors / np.sqrt(inverse)
