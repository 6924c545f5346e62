"""Linear systems ẋ = A x + B w, y = C x + D w with names: modes, controllability, observability, zeros
(Wonham 1985, ch. 1, 4 and 5)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.analysis.manifold import Stiffness
from freebody.analysis.mode_shapes import ModeShape, SmallMotions
from freebody.analysis.state_feedback import StateDisplacements, feedback_law, gain_matrix
from freebody.errors import ArgumentError, BackendError
from freebody.extras import install_command
from freebody.rounding import rounded_together
from freebody.run.arguments import is_positive_integer, number, numbers
from freebody.tables import TableRepr, TextTable, counted, listed

if TYPE_CHECKING:
    from freebody.analysis.discrete_linear import DiscreteLinear
    from freebody.viewer.page_view import PageView

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
SHOWN = 30
"""Modes in a moving picture."""
INVOLVED = 0.3
ROUNDING, ROOT = 1e-12, 1e-7
"""Relative error of A, a few thousand roundings, and about its root."""
REPEATED = 1e-13
"""The rounding of A − 1, relative to A."""
LARGEST = 20
"""Rows and columns of matrices, and eigenvalues of linear systems, that notebooks show."""
EDGE = 1e-9
"""An eigenvalue decays where its real part is left of the imaginary axis by more than this part of its size."""


@dataclass(frozen=True, repr=False)
class Mode:
    """An eigenvalue, or a conjugate pair of them (``value`` is the one above the real axis). ``states`` are those with
    the largest participation factors |vᵢ wᵢ| of the right and left eigenvectors, which have no units. Parts of the
    eigenvalue within its rounding error are 0."""

    value: complex
    states: tuple[str, ...]
    shape: Complex = field(compare=False)
    motions: SmallMotions | None = field(compare=False, default=None)

    def __repr__(self) -> str:
        return (
            f"Mode({eigenvalue_text(self.value)}: {self.frequency:.4g} rad/s, damping {self.damping:.4g},"
            f" states {listed(self.states)})"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Copies do not have the equations of the system."""
        return {**vars(self), "motions": None, "_moving": None}

    @cached_property
    def _moving(self) -> ModeShape | None:
        return None if self.motions is None else self.motions.of(self.shape, self.value)

    def _require_shape(self) -> ModeShape:
        if self._moving is None:
            raise ArgumentError(
                "shapes and energies of modes need the minimal states, linearize(…, minimal=True), and the equations of"
                " the system, which copies and files of a linearisation do not have"
            )
        return self._moving

    @property
    def kinetic(self) -> dict[str, float]:
        """The share of each body in the kinetic energy."""
        return self._require_shape().kinetic

    @property
    def strain(self) -> dict[str, float]:
        """The strain energy of each flexible body, as a share of the energy of an oscillation. What is missing to 1 is
        that of springs, gravity and stiffening."""
        return self._require_shape().strain

    @property
    def displacements(self) -> dict[str, complex]:
        """Small displacements along all speeds, by their names, with unit modal mass δᴴ M δ = 1 and the largest one
        real."""
        return self._require_shape().displacements

    def motion(self, body: Any, at: Sequence[float] = (0, 0, 0)) -> Complex:
        """The small rotation and the displacement (6) of a point of a body, or of a node by its name, "boom.tip", along
        the ground's axes, with unit modal mass."""
        return self._require_shape().motion(body, at)

    @property
    def frequency(self) -> float:
        """|λ| in rad/s."""
        return abs(self.value)

    @property
    def damping(self) -> float:
        """−Re λ/|λ|: 1 without oscillation, negative where it grows; 1 for λ = 0."""
        return 0.0 - self.value.real / abs(self.value) if self.value else 1.0

    @property
    def time(self) -> float:
        """−1/Re λ in seconds: e-fold decay, negative where it grows."""
        return -1 / self.value.real if self.value.real else float("inf")


class Modes(TableRepr, tuple[Mode, ...]):
    """All modes, the slowest first."""

    linear: "Linear"

    @classmethod
    def of(cls, linear: "Linear", modes: Iterable[Mode]) -> "Modes":
        result = cls(modes)
        result.linear = linear
        return result

    @property
    def rigid(self) -> int:
        """The number of independent displacements that nothing resists, such as those of a body that moves freely: the
        dimension of the null space of the stiffness of the linear system."""
        return self.linear.rigid

    def animate(
        self,
        path: str | Path | None = None,
        modes: int = SHOWN,
        *,
        amplitude: float = 1.0,
        meshes: Sequence[str | Path] = (),
    ) -> "Path | PageView":
        """The first modes in 3D, one at a time, as one self-contained page (.html). Without a path it returns a view,
        which a notebook shows; outside of notebooks it also opens it in the browser.

        Oscillations repeat with the phases of their parts and without their decay; a page shows each in two seconds,
        and its name has the frequency and the damping. Motions that do not oscillate move out and decay, or grow; rigid
        motions swing. A mode has no size of its own: the largest displacements are such that they can be seen, which
        the page states; ``amplitude`` multiplies them.
        ``meshes`` are folders in which the files of meshes are searched.
        """
        from freebody.analysis.mode_motion import mode_motions
        from freebody.viewer.scene_of_runs import animate_modes

        if not is_positive_integer(modes):
            raise ArgumentError(f"modes (the number of modes that are shown) must be a positive integer, not {modes!r}")
        shapes = [(k + 1, mode._require_shape()) for k, mode in enumerate(self[:modes])]
        motions = mode_motions(shapes, number(amplitude, "amplitude"))
        if not motions:
            raise ArgumentError("none of these modes moves a body, so there is nothing to show")
        notes = [f"Modes up to {modes} of {len(self)} are shown."] if len(self) > modes else []
        captions = {m.name: m.caption for m in motions}
        return animate_modes({m.name: m.run for m in motions}, path, captions, notes, meshes)

    def _table(self) -> TextTable:
        """Eigenvalues 0 share a row. With flexible bodies, the largest shares in the energies of each mode follow."""
        still, others = [m for m in self if not m.value], [m for m in self if m.value]
        flexible = any(m.motions is not None and m.motions.energies.flexible for m in self)
        columns, rows = ["eigenvalue", "rad/s", "Hz", "damping", "time/s", "states"], list[tuple[str, ...]]()
        if flexible:
            columns += ["kinetic energy", "strain energy"]
        if still:
            rigid = f"{self.rigid} rigid motion{'s' if self.rigid > 1 else ''}"
            states = rigid if len(still) > 1 else ", ".join(still[0].states)
            times = f"0 ({len(still)} times)" if len(still) > 1 else "0"
            rows.append((times, "0", "0", "1", "inf", states, *[""] * (len(columns) - 6)))
        for m in others:
            numbers = (f"{x:.4g}" for x in (m.frequency, m.frequency / (2 * np.pi), m.damping, m.time))
            energies = (_percentages(m.kinetic), _percentages(m.strain)) if flexible else ()
            rows.append((eigenvalue_text(m.value), *numbers, ", ".join(m.states), *energies))
        return TextTable("", tuple(columns), tuple(rows), self.linear.caution)


def eigenvalue_text(value: complex) -> str:
    """An eigenvalue, or a conjugate pair of them."""
    return f"{value.real:.5g} ± {value.imag:.5g}j" if value.imag else f"{value.real:.5g}"


def _percentages(shares: Mapping[str, float]) -> str:
    """The largest shares, at least 5 %."""
    large = sorted((-round(share, 6), name) for name, share in shares.items() if share >= 0.05)
    return ", ".join(f"{name} {-100 * share:.0f} %" for share, name in large)


@dataclass(frozen=True)
class Hidden:
    """A mode that no input reaches (or no output shows): its eigenvector passes the test of Popov, Belevitch and
    Hautus, wᴴ(A − λ) = 0 and wᴴB = 0 (or C w = 0). ``states`` are its largest components."""

    value: complex
    states: tuple[str, ...]
    vector: Complex = field(repr=False, compare=False)


def decays(value: complex, sampled: bool) -> bool:
    """Whether a mode with this eigenvalue decays: of a sampled system if it is inside the unit circle."""
    return abs(value) < 1 - EDGE if sampled else value.real < -EDGE * max(1.0, abs(value))


@dataclass(frozen=True, repr=False)
class Reach(TableRepr):
    """The dimension that is reached (or seen) of all, and the modes that are not."""

    rank: int
    size: int
    hidden: tuple[Hidden, ...]
    what: str
    sampled: bool = False

    @property
    def complete(self) -> bool:
        return self.rank == self.size

    @property
    def harmless(self) -> bool:
        """Whether all hidden modes decay: the system is stabilisable (or detectable)."""
        return not self.lasting

    @property
    def lasting(self) -> tuple[Hidden, ...]:
        """The hidden modes that do not decay."""
        return tuple(h for h in self.hidden if not decays(h.value, self.sampled))

    def __str__(self) -> str:
        return "\n".join([self._head, *(f"  not {h.value:.5g}: {', '.join(h.states)}" for h in self.hidden)])

    @property
    def _head(self) -> str:
        return f"{self.rank} of {self.size} dimensions are {self.what}"

    def _table(self) -> TextTable:
        rows = tuple((f"{h.value:.5g}", ", ".join(h.states)) for h in self.hidden)
        return TextTable(self._head, ("hidden eigenvalue", "states") if rows else (), rows)


@dataclass(frozen=True)
class LargestRate:
    """The state that changes most at a point that is not an equilibrium, in units of its magnitude, and its rate."""

    state: str
    value: float
    unit: str

    def __str__(self) -> str:
        return f"{self.state} changes at {self.value:.4g} {self.unit}"


@dataclass(frozen=True, repr=False)
class Linear:
    """The system near a point. ``at`` holds the values there by name, ``rate`` is ẋ there in the same states: zero at
    an equilibrium. ``largest_rate`` is None at an equilibrium and in a steady motion. With constraints the states are
    independent ones; small changes of the ``dependent`` coordinates and speeds are ``dependence`` times those of the
    states."""

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    at: dict[str, float]
    rate: Array
    dependent: tuple[str, ...] = ()
    dependence: Array = field(default_factory=lambda: np.zeros((0, 0)))
    motions: SmallMotions | None = field(compare=False, default=None)
    stiffness: Callable[[], Stiffness] | None = field(compare=False, default=None)
    largest_rate: LargestRate | None = field(compare=False, default=None)
    displacements: StateDisplacements | None = field(compare=False, default=None)

    @property
    def caution(self) -> str:
        """What a reader must know of a point that is not an equilibrium; "" at an equilibrium or in a steady motion."""
        if self.largest_rate is None:
            return ""
        return (
            f"This point is not an equilibrium: {self.largest_rate}. Eigenvalues and modes describe how neighbouring"
            " motions leave or approach the motion through it at this instant only. Linearise about an equilibrium:"
            " linearize(trim=True)."
        )

    def __getstate__(self) -> dict[str, Any]:
        """Copies do not have the equations of the system, but the number of rigid motions."""
        return {**vars(self), "motions": None, "stiffness": None, **({"rigid": self.rigid} if self.stiffness else {})}

    def __repr__(self) -> str:
        text = linear_text(self.states, self.inputs, self.outputs)
        return text if self.largest_rate is None else f"{text[:-1]}; not an equilibrium: {self.largest_rate})"

    def _repr_html_(self) -> str:
        """A, B, C and D in one table, and the modes."""
        columns = ("", *self.states, *self.inputs)
        matrix = np.block([[self.A, self.B], [self.C, self.D]])
        named = zip((*(f"d/dt {name}" for name in self.states), *self.outputs), matrix, strict=True)
        rows = tuple((name, *(f"{x:.5g}" for x in rounded_together(row.tolist()))) for name, row in named)
        sizes = ("state", self.states), ("input", self.inputs), ("output", self.outputs)
        numbers = ", ".join(counted(len(names), what) for what, names in sizes)
        title = f"ẋ = A x + B w, y = C x + D w: {numbers}"
        if max(matrix.shape) > LARGEST or not np.isfinite(self.A).all():
            note = "The arrays A, B, C and D have the numbers, modes() the eigenvalues."
            note += f" {self.caution}" if self.caution else ""
            return TextTable(title, (), (), note)._repr_html_()
        modes = replace(self.modes()._table(), title=f"{self.stability}, with the modes (modes() returns them)")
        return TextTable(title, columns, rows)._repr_html_() + modes._repr_html_()

    @property
    def eigenvalues(self) -> Complex:
        return np.asarray(np.linalg.eigvals(self.A), complex)

    @property
    def stability(self) -> str:
        return stability(self.A)

    def modes(self) -> Modes:
        """Frequencies and dampings, with the states that take part."""
        values, left, right, errors = eigensystem(self.A)
        real = np.where(np.abs(values.real) <= errors, 0.0, values.real)
        values = np.where(np.abs(values) <= errors, 0.0, real + 1j * values.imag)
        share = np.abs(left * right)
        order = sorted(range(len(values)), key=lambda k: (abs(values[k]), values[k].real))
        upper = [k for k in order if values[k].imag >= 0]
        names = [involved(self.states, share[:, k]) for k in upper]
        modes = [Mode(complex(values[k]), n, right[:, k], self.motions) for k, n in zip(upper, names, strict=True)]
        return Modes.of(self, modes)

    @cached_property
    def rigid(self) -> int:
        """The number of independent displacements that nothing resists."""
        if self.stiffness is None:
            raise ArgumentError(
                "rigid motions are counted with the equations of the system, which copies and files of a"
                " linearisation do not have"
            )
        return self.stiffness().rigid

    def frequency_response(self, frequencies: ArrayLike) -> Complex:
        """C (jω − A)⁻¹ B + D at frequencies ω in rad/s: an array of frequencies × outputs × inputs."""
        omega = np.atleast_1d(numbers(frequencies, "frequencies"))
        if omega.ndim != 1:
            raise ArgumentError(f"frequencies must be a row of numbers in rad/s, not an array of shape {omega.shape}")
        if not len(self.A):
            return np.tile(self.D.astype(complex), (len(omega), 1, 1))
        shifted = 1j * omega[:, None, None] * np.eye(len(self.A)) - self.A
        try:
            x = np.linalg.solve(shifted, np.broadcast_to(self.B.astype(complex), (len(omega), *self.B.shape)))
        except np.linalg.LinAlgError:
            raise ArgumentError("the response is infinite at a frequency of an undamped mode; leave it out") from None
        return np.asarray(self.C @ x + self.D)

    def controllability(self, tolerance: float = 1e-9) -> Reach:
        """How much of the state the inputs reach, and the modes they do not."""
        return reach(self.A, self.B, self.states, "reached by the inputs", tolerance)

    def observability(self, tolerance: float = 1e-9) -> Reach:
        """How much of the state the outputs show, and the modes they do not."""
        return reach(self.A.T, self.C.T, self.states, "seen in the outputs", tolerance)

    def zeros(self, tolerance: float = 1e-9) -> Complex:
        """The transmission zeros, the frequencies that the outputs do not pass on: the eigenvalues of the motion within
        V*, the largest subspace in which the state can stay while y = 0."""
        if len(self.inputs) != len(self.outputs):
            raise ArgumentError(
                f"zeros need as many outputs as inputs; this system has {len(self.outputs)} outputs"
                f" ({', '.join(self.outputs)}) and {len(self.inputs)} inputs ({', '.join(self.inputs)}): choose with"
                " linearize(inputs=…, outputs=…)"
            )
        A, B, C, D = self.A, self.B, self.C, self.D
        V, edge = np.eye(len(A)), tolerance * max(map(_norm, (A, B, C, D)))
        while True:
            out = np.eye(len(A)) - V @ V.T
            left, right = np.vstack([out @ A @ V, C @ V]), np.vstack([out @ B, D])
            _, s, Vt = np.linalg.svd(np.hstack([left, right]))
            kernel = Vt[int(np.sum(s > edge)) :].T
            smaller = V @ _range(kernel[: V.shape[1]], tolerance)
            if smaller.shape[1] == V.shape[1]:
                break
            V = smaller
        if np.linalg.matrix_rank(right, edge) < B.shape[1]:
            raise ArgumentError("the outputs do not depend on all inputs independently, so that zeros are not defined")
        feedback = -np.linalg.lstsq(right, left, rcond=None)[0]
        return np.asarray(np.sort_complex(np.linalg.eigvals(V.T @ (A @ V + B @ feedback))), complex)

    # Feedback

    def feedback(self, K: ArrayLike, reference: Mapping[str, Any] | None = None) -> dict[str, str]:
        """The laws w = w₀ − K ξ of the inputs, as texts that ``simulate(inputs=…)`` takes; ξ are the states, written in
        coordinates and speeds: displacements by N⁺ (q − q₀), those of quaternions as rotation vectors. ``reference``
        replaces values of the point, by names of coordinates, speeds, extra states and inputs: numbers, or texts such
        as {"q.cart": "0.2*sin(t)"}."""
        return self._law(gain_matrix(K, self.inputs, self.states), reference)

    def _law(self, K: Array, reference: Mapping[str, Any] | None) -> dict[str, str]:
        if self.displacements is None:
            raise ArgumentError("feedback(K) needs a linear system that linearize(…) returned")
        return feedback_law(K, self.inputs, self.states, self.at, self.displacements, reference)

    def closed_loop(self, K: ArrayLike) -> "Linear":
        """The linear system under w = w₀ − K ξ + v, with v as its inputs: A − B K, B, C − D K, D."""
        gains = gain_matrix(K, self.inputs, self.states)
        A, C = self.A - self.B @ gains, self.C - self.D @ gains
        return replace(self, A=A, C=C, motions=None, stiffness=None)

    def discretize(self, period: float) -> "DiscreteLinear":
        """The system sampled each ``period`` seconds, with inputs that are constant in between (zero-order hold), by
        the matrix exponential: exact."""
        from freebody.analysis.discrete_linear import discretized

        return discretized(self, period)

    def save(self, path: str | Path) -> Path:
        """Write A, B, C, D with their names, the point and ẋ there to a file of NumPy (.npz) or MATLAB (.mat)."""
        from freebody.analysis.linear_files import write

        return write(self, path)

    def to_control(self) -> Any:
        """The same as ``control.StateSpace``, with its names; that library wants _ instead of dots in names."""
        control = control_library()
        labels = control_names(self.states, self.inputs, self.outputs)
        return control.ss(self.A, self.B, self.C, self.D, **labels)


def control_library() -> Any:
    """The module of python-control."""
    try:
        import control
    except ImportError:
        raise BackendError(f"to_control() needs python-control: {install_command('control')}") from None
    return control


def control_names(states: Sequence[str], inputs: Sequence[str], outputs: Sequence[str]) -> dict[str, list[str]]:
    """Names without dots, as python-control wants them."""
    named = (("states", states), ("inputs", inputs), ("outputs", outputs))
    return {what: [n.replace(".", "_") for n in names] for what, names in named}


def linear_text(states: Sequence[str], inputs: Sequence[str], outputs: Sequence[str], most: int = 8) -> str:
    """A linear system in one line."""
    named = ("state", states), ("input", inputs), ("output", outputs)
    return "Linear(" + "; ".join(f"{counted(len(n), what)}: {listed(n, most)}" for what, n in named if n) + ")"


def stability(A: Array) -> str:
    """ "stable" where all eigenvalues lie left of the imaginary axis, "unstable" where one lies right of it,
    "undecided" where some are on it within their rounding errors and none is right of it."""
    values, _, _, errors = eigensystem(A)
    if np.any(values.real > errors):
        return "unstable"
    return "stable" if np.all(values.real < -errors) else "undecided"


class Eigensystem(NamedTuple):
    """Eigenvalues, left and right eigenvectors in columns, and bounds on the rounding errors of the eigenvalues."""

    values: Complex
    left: Complex
    right: Complex
    errors: Array


def eigensystem(A: Array) -> Eigensystem:
    """The error of an eigenvalue is the rounding of A times its condition number ‖w‖ ‖v‖/|wᴴv|, in states scaled so
    that rows and columns of A are of equal size. It is at most the root of the rounding, as for the eigenvalues of a
    defective cluster; fast modes of stiff bodies do not blur slow ones."""
    from scipy.linalg import eig, matrix_balance

    if not len(A):
        none = np.zeros((0, 0), complex)
        return Eigensystem(np.zeros(0, complex), none, none, np.zeros(0))
    balanced, (scale, _) = matrix_balance(A, permute=False, separate=True)
    values, left, right = eig(balanced, left=True, right=True)
    with np.errstate(divide="ignore", over="ignore"):
        conditions = 1 / np.abs(np.sum(left.conj() * right, axis=0))
    defective = ROOT * max(1.0, float(np.abs(values).max()))
    errors = np.minimum(ROUNDING * np.linalg.norm(balanced, 2) * conditions, defective)
    right, left = right * scale[:, None], left / scale[:, None]
    right, left = (x / np.linalg.norm(x, axis=0) for x in (right, left))
    return Eigensystem(values, left, right, errors)


def reach(A: Array, B: Array, names: Sequence[str], what: str, tolerance: float = 1e-9, sampled: bool = False) -> Reach:
    """The smallest subspace that contains the columns of B and that A maps into itself, and the modes outside it. A
    sampled A is near 1 for short periods; A − 1 maps the same subspaces into themselves."""
    step_matrix = A - np.eye(len(A)) if sampled else A
    edge = max(tolerance * _norm(step_matrix), REPEATED * _norm(A))
    V, new = np.zeros((len(A), 0)), _range(B, tolerance * _norm(B))
    while new.shape[1] and V.shape[1] < len(A):
        V = np.hstack([V, new])
        step = step_matrix @ new
        for _ in range(2):  # the second time for rounding's sake
            step = step - V @ (V.T @ step)
        new = _range(step, edge)
    outside = (np.linalg.qr(V, mode="complete")[0] if V.shape[1] else np.eye(len(A)))[:, V.shape[1] :]
    values, vectors = np.linalg.eig((outside.T @ A @ outside).T) if outside.size else (np.zeros(0), np.zeros((0, 0)))
    order = sorted(range(len(values)), key=lambda k: (abs(values[k]), values[k].real, values[k].imag))
    whole = np.asarray(outside @ vectors, complex)
    hidden = [Hidden(complex(values[k]), involved(names, np.abs(whole[:, k])), whole[:, k]) for k in order]
    return Reach(V.shape[1], len(A), tuple(hidden), what, sampled)


def _range(matrix: Array, edge: float) -> Array:
    """An orthonormal basis of the range, singular values up to the edge left out."""
    if not matrix.size:
        return matrix[:, :0]
    U, s, _ = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray(U[:, s > edge])


def _norm(matrix: Array) -> float:
    return float(np.linalg.norm(matrix, 2)) if matrix.size else 0.0


def involved(names: Sequence[str], share: Array) -> tuple[str, ...]:
    """The names with the largest shares, largest first: those of at least ``INVOLVED`` times the largest."""
    largest = float(share.max(initial=0.0))
    order = sorted(range(len(share)), key=lambda k: (-round(float(share[k]) / (largest or 1), 6), k))
    return tuple(names[k] for k in order if share[k] >= INVOLVED * largest > 0)
