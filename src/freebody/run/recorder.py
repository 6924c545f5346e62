"""From states to everything that follows from them: accelerations, poses, energies, momenta, outputs, loads."""

import numpy as np
from numpy.typing import NDArray

from freebody.integrate.plant import Plant
from freebody.names import U_DOT, U
from freebody.results.interpolation import Knots, unwound
from freebody.results.trajectory import StateRecorder

Array = NDArray[np.float64]
CHUNK = 1024
"""States recorded at once: the vectorised program holds all its intermediate rows."""


class Recorder(StateRecorder):
    """The record of a plant: its record program at rows of states. ``method`` is how a run was integrated."""

    def __init__(self, plant: Plant, method: str = "") -> None:
        self.plant, self.method = plant, method

    def retrace(self, knots: Knots, times: Array) -> Array | None:
        from freebody.integrate.steppers import retrace

        return retrace(self.plant, self.method, knots, times)

    def __call__(
        self, t: Array, x: Array, parameters: Array | None = None, inputs: Array | None = None
    ) -> dict[str, Array]:
        """The record at these times and states; parameters and inputs are the plant's, or a row for each state."""
        given = {"parameters": parameters, "inputs": inputs}
        starts = range(0, len(t), CHUNK) or [0]
        parts = [self._some(t[k : k + CHUNK], x[k : k + CHUNK], _cut(given, k)) for k in starts]
        made = {key: np.concatenate([p[key] for p in parts]) for key in parts[0]}
        for element in self.plant.about.elements:
            turned = made[f"pose.{element.name}"][:, 3:]
            turned[:] = unwound(turned)
        return made

    def powers(self, t: Array, x: Array) -> dict[str, Array]:
        """The powers alone."""
        made: dict[str, list[Array]] = {key: [] for key, _ in self.plant.slots if key.startswith("power.")}
        for k in range(0, len(t), CHUNK) if made else ():
            rows = slice(k, k + CHUNK)
            found = self._slots(self._record({"t": t[rows].reshape(-1, 1), "x": x[rows]})["slots"])
            for key, values in made.items():
                values.append(found[key])
        return {key: np.concatenate(values) for key, values in made.items()}

    def _some(self, t: Array, x: Array, rows: dict[str, Array]) -> dict[str, Array]:
        about = self.plant.about
        found = self._record({"t": t.reshape(-1, 1), "x": x, **rows})
        made = {"x_dot": found["x_dot"]} | {key: x[:, k] for k, key in enumerate(about.state)}
        speeds = [(k, U.strip(key)) for k, key in enumerate(about.state) if U.holds(key)]
        made |= {U_DOT(name): found["x_dot"][:, k] for k, name in speeds}
        made |= self._slots(found["slots"])
        kinetic, potential = found["energy"].T
        energies = {"kinetic": kinetic, "potential": potential, "total": kinetic + potential}
        made |= {f"energy.{name}": values for name, values in energies.items()}
        made |= {"momentum.linear": found["momentum"][:, :3], "momentum.angular": found["momentum"][:, 3:]}
        for k, element in enumerate(about.elements):
            row = found["poses"][:, k]
            made[f"pose.{element.name}"] = np.concatenate(
                [row[:, 9:], quaternions(row[:, :9].reshape(-1, 3, 3))], axis=1
            )
        return made

    def _record(self, rows: dict[str, Array]) -> dict[str, Array]:
        found: dict[str, Array] = self.plant.machine.rows(self.plant.record, rows)
        return found

    def _slots(self, values: Array) -> dict[str, Array]:
        made, at = {}, 0
        for key, size in self.plant.slots:
            made[key] = values[:, at] if size == 1 else values[:, at : at + size]
            at += size
        return made


def _cut(rows: dict[str, Array | None], start: int) -> dict[str, Array]:
    return {name: a[start : start + CHUNK] for name, a in rows.items() if a is not None}


def quaternions(R: Array) -> Array:
    """(w, x, y, z) of rotation matrices, each from the largest of its four."""
    xx, yy, zz = R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]
    squares = np.stack([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz], axis=1)
    products = np.empty((len(R), 4, 4))
    sums = {(0, 1): (2, 1, -1), (0, 2): (0, 2, -1), (0, 3): (1, 0, -1)}
    for (i, j), (r, c, sign) in sums.items():
        products[:, i, j] = products[:, j, i] = R[:, r, c] + sign * R[:, c, r]
    for i, j in ((1, 2), (1, 3), (2, 3)):
        products[:, i, j] = products[:, j, i] = R[:, i - 1, j - 1] + R[:, j - 1, i - 1]
    for k in range(4):
        products[:, k, k] = squares[:, k]
    largest = np.argmax(squares, axis=1)
    rows = products[np.arange(len(R)), largest]
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))
