"""Sampled linear systems ξ⁺ = A ξ + B w, y = C ξ + D w: a linear system with a zero-order hold before it (Franklin,
Powell & Workman 1998, ch. 4)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.analysis.linear import (
    Linear,
    Reach,
    control_library,
    control_names,
    eigensystem,
    eigenvalue_text,
    linear_text,
    reach,
)
from freebody.analysis.state_feedback import StateDisplacements, feedback_law, gain_matrix
from freebody.errors import ArgumentError
from freebody.run.arguments import number, numbers
from freebody.tables import TableRepr, TextTable

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, repr=False)
class DiscreteLinear(TableRepr):
    """A linear system near a point, sampled each ``period`` seconds. ``source`` is the continuous system."""

    A: Array
    B: Array
    C: Array
    D: Array
    period: float
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    at: dict[str, float]
    displacements: StateDisplacements | None = field(compare=False, default=None)
    source: Linear | None = field(compare=False, default=None)

    def __str__(self) -> str:
        return f"Discrete{linear_text(self.states, self.inputs, self.outputs)[:-1]}; period {self.period:g} s)"

    def _table(self) -> TextTable:
        """The eigenvalues, slowest first, with the decay and the frequency that they stand for."""
        rows = list[tuple[str, ...]]()
        for z in sorted(self.eigenvalues, key=lambda z: (-round(abs(z), 12), z.real)):
            if z.imag >= 0:
                rate = np.log(z) / self.period if z else complex(-np.inf)
                shown = (abs(z), rate.real, rate.imag / (2 * np.pi))
                rows.append((eigenvalue_text(complex(z)), *(f"{x:.5g}" for x in shown)))
        columns = ("eigenvalue", "size", "growth in 1/s", "Hz")
        return TextTable(f"ξ⁺ = A ξ + B w each {self.period:g} s: {self.stability}", columns, tuple(rows), str(self))

    @property
    def eigenvalues(self) -> Complex:
        return np.asarray(np.linalg.eigvals(self.A), complex)

    @property
    def stability(self) -> str:
        """ "stable" where all eigenvalues are inside the unit circle, "unstable" where one is outside, "undecided"
        where some are on it within their rounding errors and none is outside."""
        values, _, _, errors = eigensystem(self.A)
        if np.any(np.abs(values) > 1 + errors):
            return "unstable"
        return "stable" if np.all(np.abs(values) < 1 - errors) else "undecided"

    def controllability(self, tolerance: float = 1e-9) -> Reach:
        """How much of the state the inputs reach, and the modes they do not."""
        return reach(self.A, self.B, self.states, "reached by the inputs", tolerance, sampled=True)

    def observability(self, tolerance: float = 1e-9) -> Reach:
        """How much of the state the outputs show, and the modes they do not."""
        return reach(self.A.T, self.C.T, self.states, "seen in the outputs", tolerance, sampled=True)

    def frequency_response(self, frequencies: ArrayLike) -> Complex:
        """C (e^{jωT} − A)⁻¹ B + D at frequencies ω in rad/s: an array of frequencies × outputs × inputs."""
        omega = np.atleast_1d(numbers(frequencies, "frequencies"))
        if omega.ndim != 1:
            raise ArgumentError(f"frequencies must be a row of numbers in rad/s, not an array of shape {omega.shape}")
        shifted = np.exp(1j * omega * self.period)[:, None, None] * np.eye(len(self.A)) - self.A
        x = np.linalg.solve(shifted, np.broadcast_to(self.B.astype(complex), (len(omega), *self.B.shape)))
        return np.asarray(self.C @ x + self.D)

    def feedback(self, K: ArrayLike, reference: Mapping[str, Any] | None = None) -> dict[str, str]:
        """The laws of the inputs at the samples, as ``Linear.feedback``."""
        if self.displacements is None:
            raise ArgumentError("feedback(K) needs a linear system that linearize(…) returned")
        gains = gain_matrix(K, self.inputs, self.states)
        return feedback_law(gains, self.inputs, self.states, self.at, self.displacements, reference)

    def closed_loop(self, K: ArrayLike) -> "DiscreteLinear":
        """The sampled system under w = w₀ − K ξ + v, with v as its inputs."""
        gains = gain_matrix(K, self.inputs, self.states)
        return replace(self, A=self.A - self.B @ gains, C=self.C - self.D @ gains, source=None)

    def to_control(self) -> Any:
        """The same as ``control.StateSpace`` with this period."""
        control = control_library()
        labels = control_names(self.states, self.inputs, self.outputs)
        return control.ss(self.A, self.B, self.C, self.D, self.period, **labels)


def discretized(linear: Linear, period: float) -> DiscreteLinear:
    """exp([A B; 0 0] T) = [A_d B_d; 0 1]."""
    T = positive(period, "period")
    whole = held(linear.A, linear.B, T)
    n = len(linear.A)
    return DiscreteLinear(
        whole[:n, :n],
        whole[:n, n:],
        linear.C,
        linear.D,
        T,
        linear.states,
        linear.inputs,
        linear.outputs,
        linear.at,
        linear.displacements,
        linear,
    )


def positive(period: Any, name: str) -> float:
    T = number(period, name)
    if T <= 0:
        raise ArgumentError(f"{name} is a time in seconds above 0, not {T:g}")
    return T


def held(A: Array, B: Array, T: float) -> Array:
    """exp(F T) of F = [A B; 0 0]: the state and the constant inputs after a time T."""
    from scipy.linalg import expm

    n, m = B.shape
    F = np.block([[A, B], [np.zeros((m, n + m))]])
    return np.asarray(expm(F * T), float)


def accumulated(F: Array, W: Array, T: float) -> Array:
    """∫₀ᵀ exp(Fs)ᵀ W exp(Fs) ds by Van Loan's exponential (1978) over a part of T, which is then doubled: the sum over
    twice the time is W + Eᵀ W E with E = exp(F h)."""
    from scipy.linalg import expm

    n, size = len(F), float(np.linalg.norm(F, 1)) * T
    doublings = int(max(0, np.ceil(np.log2(size)))) if size > 1 else 0
    h = T / 2**doublings
    both = expm(np.block([[-F.T, W], [np.zeros((n, n)), F]]) * h)
    E = both[n:, n:]
    total = E.T @ both[:n, n:]
    for _ in range(doublings):
        total, E = total + E.T @ total @ E, E @ E
    return np.asarray((total + total.T) / 2, float)
