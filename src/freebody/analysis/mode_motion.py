"""Modes as motions that can be seen: each is a run through the coordinates of its shape, with an amplitude that moves
and bends the bodies visibly."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.mode_shapes import ModeShape, SmallMotions
from freebody.drawing import FlexibleMesh
from freebody.errors import ArgumentError
from freebody.results.trajectory import RunResult
from freebody.run.assembly import Assembler
from freebody.run.display_state import DisplayState, poses_at, run_through
from freebody.tree.assembly import move

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
SHIFT, TURN, BEND = 0.15, 0.4, 0.12
"""The largest displacement of a body relative to the size of the system, its largest rotation in rad, and the largest
deflection of a flexible body relative to its size."""

PERIOD, FRAMES = 2.0, 48
"""Seconds in which an oscillation is shown, and its frames."""

LARGE = 0.2
"""The amplitude of the first trial: the largest change of a coordinate relative to its magnitude."""

RISE, DECAY = 0.25, 5.0
"""Motions without oscillation move out during this part of the clip and then decay by so many e-folds; those that grow
run backwards."""

ROUNDING = 1e-9
"""Displacements below this part of the largest one are zero."""

INDEPENDENT = 1e-3
"""The part of a rigid motion that is not in those before it, for it to be shown."""


@dataclass(frozen=True, eq=False)
class ModeMotion:
    """A mode as a run that repeats, and its name: number, frequency and damping. The caption says how large it is
    drawn."""

    name: str
    run: RunResult
    caption: str


def mode_motions(shapes: Sequence[tuple[int, ModeShape]], size: float = 1.0) -> list[ModeMotion]:
    """The motions of modes, which are numbered. Those that move nothing are left out, and of rigid motions those that
    the ones before contain. ``size`` multiplies the amplitudes."""
    motions, rigid = list[ModeMotion](), list[Complex]()
    at = shown_point(shapes[0][1].motions) if shapes else None
    for number, shape in shapes:
        if not np.abs(shape.along).max(initial=0.0) > 0:
            continue
        if not shape.value:
            own = shape.along / np.linalg.norm(shape.along)
            for other in rigid:
                own = own - other * np.vdot(other, own)
            if np.linalg.norm(own) < INDEPENDENT:
                continue
            rigid.append(own / np.linalg.norm(own))
        visible = VisibleMode(shape, at)
        t = np.linspace(0.0, visible.duration, FRAMES + 1)
        amplitude = visible.amplitude * size
        run = visible.run(t, amplitude)
        motions.append(ModeMotion(f"mode {number}: {mode_title(shape.value)}", run, visible.caption(amplitude)))
    return motions


def mode_title(value: complex) -> str:
    """The frequency and the damping of an eigenvalue, in words."""
    if value.imag:
        damping = -value.real / abs(value)
        grows = f", grows ({damping:.2g})" if damping < 0 else f", damping {damping:.2g}" if damping else ""
        return f"{abs(value) / (2 * np.pi):.4g} Hz{grows}"
    if not value.real:
        return "rigid motion"
    return f"{'grows' if value.real > 0 else 'decays'} in {1 / abs(value.real):.3g} s"


def shown_point(motions: SmallMotions) -> DisplayState:
    """The point about which the motions are, at rest."""
    e, point = motions.energies.state.e, motions.point
    parameters = dict(zip(e.layout.parameters, point.parameters.tolist(), strict=True))
    x = np.concatenate([point.q, np.zeros_like(point.u), point.z])
    return DisplayState(e, parameters, x, point.inputs, float(np.max(point.t)))


class VisibleMode:
    """A mode with an amplitude at which it can be seen."""

    def __init__(self, shape: ModeShape, at: DisplayState | None = None) -> None:
        self.at = shown_point(shape.motions) if at is None else at
        self.e, self.value = self.at.e, shape.value
        self.speed_sizes = shape.motions.energies.state.speed_sizes
        sizes = np.abs(shape.along) / self.speed_sizes
        self.along = np.where(sizes > ROUNDING * sizes.max(), shape.along, 0.0) / sizes.max()
        self._assembler = Assembler(self.e) if self.e.tree.model.constraints else None

    @property
    def duration(self) -> float:
        return PERIOD if self.value.imag else 2 * PERIOD

    def factors(self, t: Array) -> Complex:
        """The factor of the shape over time."""
        phase = t / self.duration
        if self.value.imag or not self.value.real:
            return np.asarray(np.exp(2j * np.pi * phase) * (1.0 if self.value.imag else -1j))
        phase = 1 - phase if self.value.real > 0 else phase
        after = np.clip((phase - RISE) / (1 - RISE), 0.0, 1.0)
        decay = (np.exp(-DECAY * after) - np.exp(-DECAY)) / (1 - np.exp(-DECAY))
        return np.where(phase < RISE, 0.5 - 0.5 * np.cos(np.pi * phase / RISE), decay).astype(complex)

    def coordinates(self, factors: Complex) -> Array:
        """The coordinates along the shape, moved to the constraints."""
        rows = [move(self.e.tree, self.at.q, (self.along * factor).real) for factor in factors]
        return np.array([self._closed(q) for q in rows]).reshape(len(rows), -1)

    def _closed(self, q: Array) -> Array:
        if self._assembler is None:
            return q
        x, parameters = np.concatenate([q, self.at.x[len(q) :]]), np.array(list(self.at.parameters.values()))
        try:
            return self._assembler.state(x, (), parameters, self.at.t, self.at.inputs, bend=True).x[: len(q)]
        except ArgumentError:
            return q

    @property
    def amplitude(self) -> float:
        """The factor of the shape at which a body moves or bends as far as it may."""
        amplitude, count = LARGE, 8 if self.value.imag else 2
        phases = np.exp(2j * np.pi * np.arange(count) / count)
        for _ in range(2):
            amplitude /= max(self.extent(self.coordinates(amplitude * phases)), 1e-6)
        return amplitude

    def extent(self, q: Array) -> float:
        """How far bodies move and bend at rows of coordinates, relative to what is allowed."""
        rows = np.vstack([self.at.q, q])
        positions, turns = poses_at(self.at, rows)
        shift = float(np.linalg.norm(positions[1:] - positions[0], axis=-1).max(initial=0.0)) / self.at.size
        cosines = np.abs(np.sum(turns[1:] * turns[0], axis=-1)).clip(0.0, 1.0)
        turn = float(2 * np.arccos(cosines.min(initial=1.0)))
        return max([shift / SHIFT, turn / TURN, *self._bends(rows)])

    def _bends(self, rows: Array) -> list[float]:
        meshes = self.at.drawing.meshes.values()
        return [_deflection(mesh, self.e.layout.q, rows) / BEND for mesh in meshes if len(mesh.points)]

    def run(self, t: Array, amplitude: float) -> RunResult:
        return run_through(self.at, t, self.coordinates(amplitude * self.factors(t)))

    def caption(self, amplitude: float) -> str:
        """How far the mode is drawn in the direction of the speed that has the largest part in it."""
        units = {
            n: unit
            for spec in self.e.tree.model.bodies.values()
            for n, unit in zip(spec.names[1], spec.freedoms.units[1], strict=True)
        }
        k = int(np.argmax(np.abs(self.along) / self.speed_sizes))
        name = self.e.layout.u[k]
        return f"mode: {name} ± {amplitude * abs(self.along[k]):.2g} {units[name].removesuffix('/s')}"


def _deflection(mesh: FlexibleMesh, names: Sequence[str], rows: Array) -> float:
    """The largest displacement of a point of a flexible body in its frame, relative to the body's size."""
    columns = [names.index(name) for name in mesh.coordinates]
    changes = rows[1:, columns] - rows[:1, columns]
    moved = np.linalg.norm(np.einsum("pcn,rn->rpc", mesh.shapes, changes), axis=-1)
    return float(moved.max(initial=0.0)) / (float(np.linalg.norm(np.ptp(mesh.points, axis=0))) or 1.0)
