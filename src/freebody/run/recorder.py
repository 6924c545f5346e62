"""From states to everything that follows from them: accelerations, poses, energies, momenta, outputs, loads."""

import pickle
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from freebody.integrate.compiled_system import CompiledSystem
from freebody.names import U_DOT, U
from freebody.results.interpolation import Knots, unwound
from freebody.results.trajectory import StateRecorder
from freebody.run.called import CalledValues, call
from freebody.spatial.quaternions import quaternions

if TYPE_CHECKING:
    from freebody.integrate.steppers import Methods

Array = NDArray[np.float64]
CHUNK = 1024
"""States recorded at once: the vectorised program holds all its intermediate rows."""


class Recorder(StateRecorder):
    """The record of a system: its record program at rows of states. ``methods`` are those by which a run was
    integrated, with the times from which they were, ``called`` are the values with which Python functions acted in
    it; without them the functions are called."""

    def __init__(self, compiled: CompiledSystem, methods: "Methods" = (), called: CalledValues | None = None) -> None:
        self.compiled, self.methods, self.called = compiled, methods, called

    def retrace(self, knots: Knots, times: Array, held: Array | None = None) -> Array | None:
        from freebody.integrate.steppers import retrace

        if self.compiled.system.called:  # steps could only be repeated by calling the functions again
            return None
        return retrace(self.compiled, self.methods, knots, times, self.compiled.rows_with_held(held))

    def project(self, times: Array, x: Array, held: Array | None = None) -> Array:
        if self.compiled.system.project.value is None or not self.compiled.system.projects:
            return x
        rows, inputs, own = x.copy(), self.compiled.rows_with_held(held), self.compiled.copy()
        for k, t in enumerate(times.tolist()):
            if inputs is not None:
                own.d[:] = inputs[k]
            projected = own.project(t, x[k])
            rows[k] = x[k] if projected is None else projected
        return rows

    def drift(self, t: Array, x: Array, held: Array | None = None) -> tuple[float, float]:
        return self.compiled.mechanics.drift(t, x, self.compiled.rows_with_held(held))

    def step_limit(self, t: Array, x: Array, knots: Knots) -> str:
        from freebody.run.step_limit import ADVICE, FEW_STEPS, SLOW, contraction, limiting_mode

        sizes = np.abs(np.diff(knots.t))
        if len(sizes) < FEW_STEPS or not len(x) or len(self.methods) != 1:
            return ""
        step = float(np.median(sizes[sizes > 0]))
        method = self.methods[0][1]
        if contraction(self.compiled, method, float(t[-1]), x[-1], step) > SLOW:
            return (
                f"Newton's iteration keeps the steps at {step:.2g} s: forces beside those of each joint's own spring,"
                " damper and drive are stiff. Take method='rodas5p' (or 'cvode')."
            )
        mode = limiting_mode(self.compiled, method, float(t[-1]), x[-1], step)
        return "" if mode is None else f"stability for {mode} keeps the steps at {step:.2g} s. {ADVICE}"

    @property
    def picklable(self) -> bool:
        """Whether it can be sent to another process: only functions of users can prevent it."""
        try:
            pickle.dumps(self.compiled.system.user_functions)
        except Exception:  # pickling a function may raise anything
            return False
        return True

    def __call__(
        self,
        t: Array,
        x: Array,
        parameters: Array | None = None,
        inputs: Array | None = None,
        *,
        held: Array | None = None,
    ) -> dict[str, Array]:
        """The record at these times and states; parameters and inputs are the system's, or a row for each state."""
        inputs = self.compiled.rows_with_held(held) if inputs is None else inputs
        values = {n: rows for n, rows in (("parameters", parameters), ("inputs", inputs)) if rows is not None}
        parts = []
        for k in range(0, len(t), CHUNK) or [0]:
            chunk = slice(k, k + CHUNK)
            parts.append(self._chunk(t[chunk], x[chunk], {n: rows[chunk] for n, rows in values.items()}))
        record = {key: np.concatenate([p[key] for p in parts]) for key in parts[0]}
        for key in [f"pose.{element.name}" for element in self.compiled.about.elements]:
            if key in record:
                record[key][:, 3:] = unwound(record[key][:, 3:])
        return record

    def powers(self, t: Array, x: Array, held: Array | None = None) -> dict[str, Array]:
        """The powers alone."""
        inputs = self.compiled.rows_with_held(held)
        keys = [key for key, _ in self.compiled.system.slots if key.startswith("power.")]
        parts: dict[str, list[Array]] = {key: [] for key in keys}
        for k in range(0, len(t), CHUNK) if keys else ():
            rows = {"t": t[k : k + CHUNK].reshape(-1, 1), "x": x[k : k + CHUNK]}
            rows |= {} if inputs is None else {"inputs": inputs[k : k + CHUNK]}
            rows |= self._called_rows(t[k : k + CHUNK], x[k : k + CHUNK])
            slots = self._slots(self.compiled.rows(self.compiled.system.record.value, rows)["slots"])
            for key in keys:
                parts[key].append(slots[key])
        return {key: np.concatenate(values) for key, values in parts.items()}

    def _called_rows(self, t: Array, x: Array) -> dict[str, Array]:
        """The values of Python functions at these times and states."""
        functions = self.compiled.system.called
        if not functions:
            return {}
        if self.called is not None:
            return {"called": self.called.at(t, x)}
        values = [call(functions, *row) for row in zip(t.tolist(), x, strict=True)]
        return {"called": np.array(values).reshape(len(t), len(functions))}

    def _chunk(self, t: Array, x: Array, rows: dict[str, Array]) -> dict[str, Array]:
        about = self.compiled.about
        rows = {"t": t.reshape(-1, 1), "x": x, **rows, **self._called_rows(t, x)}
        values: dict[str, Array] = self.compiled.rows(self.compiled.system.record.value, rows)
        record = {"x_dot": values["x_dot"], **self._held(len(t), rows.get("inputs"))}
        for k, key in enumerate(about.state):
            record[key] = x[:, k]
            if U.holds(key):
                record[U_DOT(U.strip(key))] = values["x_dot"][:, k]
        record |= self._slots(values["slots"])
        kinetic, potential = values["energy"].T
        record |= {"energy.kinetic": kinetic, "energy.potential": potential, "energy.total": kinetic + potential}
        record |= {"momentum.linear": values["momentum"][:, :3], "momentum.angular": values["momentum"][:, 3:]}
        known = {"x_dot", *(variable.key for variable in about.variables)}  # without those of omitted coordinates
        for k, key in enumerate([f"pose.{element.name}" for element in about.elements]):
            if key in known:
                pose = values["poses"][:, k]
                turns = quaternions(pose[:, :9].reshape(-1, 3, 3))
                record[key] = np.concatenate([pose[:, 9:], turns], axis=1)
        return {key: values for key, values in record.items() if key in known}

    def _held(self, count: int, inputs: Array | None) -> dict[str, Array]:
        """The held values that no program computes, in so many rows."""
        row, known = self.compiled.system.row.index, {key for key, _ in self.compiled.system.slots}
        d, held = self.compiled.d if inputs is None else inputs, self.compiled.system.held.variables
        return {v.key: np.broadcast_to(d[..., row[v.key]], (count,)).copy() for v in held if v.key not in known}

    def _slots(self, values: Array) -> dict[str, Array]:
        slots, start = {}, 0
        for key, size in self.compiled.system.slots:
            slots[key] = values[:, start] if size == 1 else values[:, start : start + size]
            start += size
        return slots
