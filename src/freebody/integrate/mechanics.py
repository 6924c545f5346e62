"""What a mechanical system has beside its motion (mass matrix, constraints, energies, limits), as programs and as
functions of a compiled system."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from freebody.backends import Bound
from freebody.hybrid.system import Deferred, known
from freebody.program.ldl import PIVOT_TOLERANCE
from freebody.program.program import Program
from freebody.results.limits import Limits

if TYPE_CHECKING:
    from freebody.integrate.compiled_system import CompiledSystem

Array = NDArray[np.float64]
SLOPE, LARGE = 0.2, 0.05
"""Slopes (rad), and deformations as a fraction of a body's size where slopes are not known, up to which mass matrices
are taken to stay positive; descriptions of bodies examine larger ones (``model/free_directions.py``)."""

STATES = 1000
"""States that are examined at once."""

REPEATED = 20
"""So many runs of a system pay for machine code that computes their energies."""


@dataclass(frozen=True, eq=False)
class Bending:
    """A flexible body: the indices of its modal coordinates in x, how they turn points along it, and amplitudes by
    which they deform it by its own size, infinite if its inertia does not depend on them."""

    body: str
    indices: NDArray[np.intp]
    turns: Array  # (points, 3, modes), in rad
    magnitudes: Array

    def slopes(self, x: Array) -> Array:
        """The largest angle by which one of the points turns, in each state."""
        points, _, modes = self.turns.shape
        turns, squares = self.turns.reshape(3 * points, modes).T, np.zeros(len(x))
        for start in range(0, len(x) if points else 0, STATES):
            part = slice(start, start + STATES)
            turned = (x[part, self.indices] @ turns).reshape(-1, points, 3)
            squares[part] = np.einsum("npk,npk->np", turned, turned).max(axis=1)
        return np.sqrt(squares)

    def sizes(self, x: Array) -> Array:
        """The deformation in each state as a fraction of the body's size; 0 where it is not known, has no effect, or is
        so small that mass matrices are known to stay positive (``model/free_directions.py``)."""
        sizes = np.linalg.norm(x[:, self.indices] / self.magnitudes, axis=1)
        large = self.slopes(x) > SLOPE if len(self.turns) else sizes > LARGE
        return np.where(np.isfinite(sizes) & large, sizes, 0.0)


@dataclass(frozen=True)
class MassProgram:
    """Entries of M with their rows and columns (lower triangle); or, without entries, the forces for u̇."""

    program: Program
    entries: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class ContactDepths:
    """Of each contact, by name, its gap, the smallest size of its shapes (0 if they have none), its stiffness, and
    where the first shape is beside the second body (3); then the weight of all bodies that can move."""

    names: tuple[str, ...]
    program: Program
    between_solids: bool
    on_heightfields: tuple[str, ...] = ()


def _none() -> Deferred[Any]:
    return known(None)


@dataclass(frozen=True, eq=False)
class MechanicsPrograms:
    """The programs of a mechanical system beside those of its motion. Those of constraints are None without any."""

    mass: Deferred[MassProgram | None] = field(default_factory=_none)
    bodies: Deferred[Program | None] = field(default_factory=_none)
    """Mass, mass centre and inertia of each body."""
    balance: Deferred[Program | None] = field(default_factory=_none)
    """Kinetic and potential energy, and the sum of all powers; None where it would call functions of users."""
    neglects: str = ""
    """Flexible bodies of orders that neglect terms, in words: their energy and work do not balance."""
    constraint: Deferred[Program | None] = field(default_factory=_none)
    """φ, G and γ."""
    drift: Deferred[Program | None] = field(default_factory=_none)
    """φ and G u + offset."""
    solution: Deferred[Program | None] = field(default_factory=_none)
    """u̇ and the multipliers, for implicit methods."""
    left_out: Deferred[tuple[tuple[str, ...], Program] | None] = field(default_factory=_none)
    """Names and residuals of equations that are left out."""
    position_rows: Deferred[list[int]] = field(default_factory=lambda: known([]))
    stabilised: bool = False
    timed: Deferred[Any] = field(default_factory=_none)
    """A ``TimedProgram``: what depends on time alone, or on time too."""
    moving_inputs: Deferred[tuple[list[int], Program] | None] = field(default_factory=_none)
    """The places of the inputs that move joints, and their values at a time."""
    momenta: Deferred[Any] = field(default_factory=_none)
    """A ``MomentumProgram``, where rates may jump."""
    followers: Deferred[Program | None] = field(default_factory=_none)
    """Coordinates with limits that are not states."""
    limits: Limits = field(default_factory=Limits)
    bendings: tuple[Bending, ...] = ()
    contacts: Deferred[ContactDepths | None] = field(default_factory=_none)


class MechanicsFunctions:
    """The functions of a compiled system's mechanics, or of these programs of it."""

    def __init__(self, compiled: "CompiledSystem", programs: MechanicsPrograms | None = None) -> None:
        self.compiled = compiled
        self.programs: MechanicsPrograms = programs or compiled.system.mechanics or MechanicsPrograms()

    def inputs_at(self, t: float, d: Array | None = None, parameters: Array | None = None) -> Array:
        """The row d, or rows of it, with the values at a time of the inputs that move joints."""
        row, moving = self.compiled.d if d is None else d, self.programs.moving_inputs.value
        if moving is None:
            return row
        places, program = moving
        rows = {"t": np.array([t]), "inputs": row} | ({} if parameters is None else {"parameters": parameters})
        values, result = np.asarray(self.compiled.rows(program, rows)), row
        if values.ndim > row.ndim:
            result = np.broadcast_to(row, (*values.shape[:-1], row.shape[-1]))
        result = np.array(result)
        result[..., places] = values
        return result

    def numbers_of(self, rows: Array, d: Array) -> Array:
        """Rows of ``inputs_at`` with the numbers of d in place of the values at a time."""
        moving = self.programs.moving_inputs.value
        if moving is None:
            return rows
        places, result = moving[0], np.array(rows)
        result[..., places] = d[..., places]
        return result

    def mass_matrix(self, t: float, x: Array) -> Array:
        """M at one state."""
        c, mass, (n, m) = self.compiled, self._mass, self._sizes
        if mass.entries or not m:
            return np.asarray(self.mass_matrices(t, x[None, :], c.p, c.d)[0])
        rows = {"t": np.array([t]), "q": x[:n], "z": x[n + m :], "inputs": self.inputs_at(t)}
        rows["u_dot"] = np.vstack([np.zeros(m), np.eye(m)])
        forces = c.rows(mass.program, rows)
        return np.asarray(forces[1:] - forces[0])

    def mass_matrices(self, t: float, x: Array, parameters: Array, inputs: Array) -> Array:
        """M at many states; parameters and inputs are one row for all, or a row for each. Not of rolled equations."""
        n, m = self._sizes
        inputs = self.compiled.part(self._mass.program, self.inputs_at(t, inputs, parameters))
        rows = {"parameters": parameters, "q": x[:, :n], "z": x[:, n + m :], "inputs": inputs, "t": np.array([t])}
        M, (places, entries) = np.zeros((len(x), m * m)), self._mass_places
        M[:, places] = self.compiled.gradual(self._mass.program)(rows, len(x))[:, entries]
        return M.reshape(len(x), m, m)

    @property
    def _mass(self) -> MassProgram:
        mass = self.programs.mass.value
        assert mass is not None, "called for mechanical systems only"
        return mass

    @cached_property
    def _mass_places(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The places of entries in M, row by row, and which entries they are."""
        i, j = np.array(self._mass.entries, np.intp).reshape(-1, 2).T
        m, entries = self._sizes[1], np.arange(len(i))
        return np.concatenate([i * m + j, j * m + i]), np.concatenate([entries, entries])

    @property
    def _sizes(self) -> tuple[int, int]:
        """The numbers of coordinates and speeds."""
        return self.compiled.system.coordinates, len(self.compiled.system.speeds)

    def constraint(self, t: float, x: Array) -> dict[str, Array] | None:
        """φ, G and γ at one state; None without constraints."""
        program, (n, m) = self.programs.constraint.value, self._sizes
        if program is None:
            return None
        rows = {"t": np.array([t]), "q": x[:n], "u": x[n : n + m], "z": x[n + m :], "inputs": self.inputs_at(t)}
        return cast(dict[str, Array], self.compiled.rows(program, rows))

    def drift(self, t: Array, x: Array, inputs: Array | None = None) -> tuple[float, float]:
        """The largest |φ| and |G u + offset| at rows of states (and inputs); 0 without constraints."""
        program = self.programs.drift.value
        if program is None or not len(t):
            return 0.0, 0.0
        rows = {"t": t.reshape(-1, 1), "x": x} | ({} if inputs is None else {"inputs": inputs})
        values = self.compiled.rows(program, rows)
        position, speed = (float(np.abs(values[name]).max(initial=0.0)) for name in ("position", "speed"))
        return position, speed

    def limited(self, t: Array, x: Array) -> Array:
        """The coordinates with limits along a run: (times, coordinates)."""
        limits, c = self.programs.limits, self.compiled
        q = x[:, limits.indices]
        program = self.programs.followers.value
        if program is None:
            return q
        rows = {"parameters": c.p, "t": t.reshape(-1, 1), "x": x, "inputs": c.part(program)}
        return np.hstack([q, c.gradual(program)(rows, len(t))])

    def contact_depths(self, t: Array, x: Array, held: Array | None) -> tuple[tuple[str, ...], Array] | None:
        """The names of contacts, and rows of what ``ContactDepths`` says along a run; None without contacts."""
        depths, c = self.programs.contacts.value, self.compiled
        if depths is None:
            return None
        rows = {
            "parameters": c.p,
            "t": t.reshape(-1, 1),
            "x": np.ascontiguousarray(x),
            "inputs": c.part(depths.program),
        }
        return depths.names, c.gradual(depths.program)(rows, len(t))

    @property
    def has_power(self) -> bool:
        """Whether any power is not always zero."""
        return any(key.startswith("power.") for key, _ in self.compiled.system.slots)

    def balance(self, t: Array, x: Array, inputs: Array) -> Array:
        """Kinetic energy, potential energy and power at rows of states; inputs are one row or a row for each. Machine
        code does this from the call number ``REPEATED`` on."""
        c, program = self.compiled, self.programs.balance.value
        assert program is not None, "called for systems that have one only"
        inputs = np.ascontiguousarray(c.part(program, inputs), float)
        values = {"t": t.reshape(-1, 1), "x": np.ascontiguousarray(x), "inputs": inputs}
        gradual = c.gradual(program)
        if gradual.batches < REPEATED - 1:
            return gradual({**values, "parameters": c.p}, len(t))
        f, rows = self._balance, np.empty((len(t), 3))
        values |= {**f.parameters, "hoisted": f.hoisted}
        f.main.run_batch(len(t), [values.get(g.name, np.zeros(g.size)) for g in f.staged.main.groups], [rows])
        return rows

    @cached_property
    def _balance(self) -> Bound:
        program = self.programs.balance.value
        assert program is not None
        return self.compiled.function(program)


def solve_constrained(M: Array, G: Array, force: Array, gamma: Array) -> Array:
    """u̇ of M u̇ = force + Gᵀλ, G u̇ = gamma, for several columns. Rows of G that depend on those before them are left
    out."""
    S = G @ np.linalg.solve(M, G.T)
    kept = independent_rows(S)
    m, rows = len(M), G[kept]
    scale = 1 / np.sqrt(np.maximum(np.diag(M), np.finfo(float).tiny))
    sizes = np.concatenate([scale, 1 / np.sqrt(S[kept, kept])])
    whole = np.block([[M, -rows.T], [rows, np.zeros((len(kept), len(kept)))]]) * sizes[:, None] * sizes
    solution = np.linalg.solve(whole, sizes[:, None] * np.vstack([force, gamma[kept]]))
    return np.asarray((sizes[:, None] * solution)[:m])


def independent_rows(S: Array) -> list[int]:
    """The rows of S = G M⁻¹ Gᵀ that do not depend on those before them, by the rule of eliminations
    (``PIVOT_TOLERANCE``); rows that are zero except for rounding are left out too."""
    kept = list[int]()
    for k in np.flatnonzero(np.diag(S) > PIVOT_TOLERANCE**2 * np.diag(S).max(initial=0.0)).tolist():
        pivot = S[k, k] - S[k, kept] @ np.linalg.solve(S[np.ix_(kept, kept)], S[kept, k])
        kept += [k] if pivot > PIVOT_TOLERANCE * S[k, k] else []
    return kept
