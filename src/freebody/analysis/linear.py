"""A linear system ẋ = A x + B w, y = C x + D w with its names: modes, what inputs reach, what outputs see, zeros."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.reach import Reach, involved, reach, zeros
from freebody.errors import ArgumentError, BackendError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mode:
    """An eigenvalue, or a conjugate pair of them (the one above the real axis is told). ``states`` are those that take
    most part in it, by participation factors |vᵢ wᵢ| of its right and left eigenvectors, which have no units."""

    value: complex
    states: tuple[str, ...]
    shape: NDArray[np.complex128] = field(repr=False, compare=False)

    @property
    def frequency(self) -> float:
        """|λ| in rad/s."""
        return abs(self.value)

    @property
    def damping(self) -> float:
        """−Re λ/|λ|: 1 without oscillation, negative where it grows; 1 for λ = 0."""
        return -self.value.real / abs(self.value) if self.value else 1.0

    @property
    def time(self) -> float:
        """−1/Re λ in seconds: e-fold decay, negative where it grows."""
        return -1 / self.value.real if self.value.real else float("inf")


@dataclass(frozen=True)
class Modes:
    """All modes, the slowest first."""

    every: tuple[Mode, ...]

    def __iter__(self) -> Any:
        return iter(self.every)

    def __len__(self) -> int:
        return len(self.every)

    def __getitem__(self, place: int) -> Mode:
        return self.every[place]

    def __str__(self) -> str:
        head = f"{'eigenvalue':>24} {'rad/s':>10} {'Hz':>10} {'damping':>9} {'time/s':>10}  states"
        return "\n".join([head, *map(_line, self.every)])


@dataclass(frozen=True)
class Linear:
    """The system near a point. ``at`` holds the values there by name, ``rate`` is ẋ there in the same states: zero at
    an equilibrium."""

    A: Array = field(repr=False)
    B: Array = field(repr=False)
    C: Array = field(repr=False)
    D: Array = field(repr=False)
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    at: dict[str, float] = field(repr=False)
    rate: Array = field(repr=False)

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        return np.asarray(np.linalg.eigvals(self.A), complex)

    @property
    def stability(self) -> str:
        return stability(self.A)

    def modes(self) -> Modes:
        """Frequencies and dampings, with the states that take part."""
        from scipy.linalg import eig

        values, left, right = eig(self.A, left=True, right=True)
        share = np.abs(left * right)
        order = sorted(range(len(values)), key=lambda k: (abs(values[k]), values[k].real))
        upper = [k for k in order if values[k].imag >= 0]
        made = (Mode(complex(values[k]), involved(self.states, share[:, k]), right[:, k]) for k in upper)
        return Modes(tuple(made))

    def controllability(self, tolerance: float = 1e-9) -> Reach:
        """How much of the state the inputs reach, and the modes they do not."""
        return reach(self.A, self.B, self.states, "reached by the inputs", tolerance)

    def observability(self, tolerance: float = 1e-9) -> Reach:
        """How much of the state the outputs see, and the modes they do not."""
        return reach(self.A.T, self.C.T, self.states, "seen in the outputs", tolerance)

    def zeros(self, tolerance: float = 1e-9) -> NDArray[np.complex128]:
        """The transmission zeros: the frequencies that the outputs do not pass on."""
        if len(self.inputs) != len(self.outputs):
            raise ArgumentError(
                f"zeros are told for as many outputs as inputs; there are {len(self.outputs)} outputs"
                f" ({', '.join(self.outputs)}) and {len(self.inputs)} inputs ({', '.join(self.inputs)}): choose with"
                " linearize(inputs=…, outputs=…)"
            )
        return zeros(self.A, self.B, self.C, self.D, tolerance)

    def to_control(self) -> Any:
        """The same as ``control.StateSpace``, with its names; that library wants _ where ours have dots."""
        try:
            import control
        except ImportError:
            raise BackendError("to_control() needs python-control: pip install 'freebody[control]'") from None
        named = (("states", self.states), ("inputs", self.inputs), ("outputs", self.outputs))
        labels = {what: [n.replace(".", "_") for n in names] for what, names in named}
        return control.ss(self.A, self.B, self.C, self.D, **labels)


def stability(A: Array) -> str:
    """ "stable" where all eigenvalues lie left of the imaginary axis, "unstable" where one lies right of it,
    "undecided" where some are on it and none is right of it. An eigenvalue of a defective cluster is known to the root
    of the rounding, and no better is asked."""
    values = np.linalg.eigvals(A) if len(A) else np.zeros(0)
    edge = 1e-7 * max(1.0, float(np.abs(values).max(initial=0.0)))
    if np.any(values.real > edge):
        return "unstable"
    return "stable" if np.all(values.real < -edge) else "undecided"


def _line(mode: Mode) -> str:
    v = mode.value
    shown = f"{v.real:.5g} ± {v.imag:.5g}j" if v.imag else f"{v.real:.5g}"
    hertz = f"{mode.frequency / (2 * np.pi):.4g}"
    return (
        f"{shown:>24} {mode.frequency:>10.4g} {hertz:>10} {mode.damping:>9.4g} {mode.time:>10.4g}"
        f"  {', '.join(mode.states)}"
    )
