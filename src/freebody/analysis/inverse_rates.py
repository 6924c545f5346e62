"""Speeds and accelerations at which points and bodies have given ones: J u + o = v and J u̇ + J̇ u + ȯ = a by least
squares, with the equations of constraints exact, G u + offset = 0 and G u̇ = γ; of several solutions the shortest."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.inverse_kinematics import InverseKinematics
from freebody.analysis.inverse_kinematics_result import (
    DEPENDENT,
    REACHED,
    SINGULAR,
    UNREACHABLE,
    LostDirection,
    lost_directions,
    tangent,
)
from freebody.analysis.inverse_kinematics_solvers import solver_of
from freebody.analysis.target_equations import POSITION, ROTATION, ROWS
from freebody.analysis.targets import NO_AXIS, Parts, PoseTarget, place, read_weights
from freebody.errors import ArgumentError, choices
from freebody.formulations.derivation import Derivation
from freebody.run import arguments
from freebody.run.initial import InitialValues, default_state, initial_state
from freebody.tables import TableRepr, TextTable

Array = NDArray[np.float64]
CLOSE = 1e-9
"""Targets are reached within this, times 1 and the largest number of the targets."""

OPEN = 1e-6
LOST = 1e-9
"""Singular values below this fraction of the largest are taken as zero."""

PARTS = {
    "velocity": (("velocity", POSITION), ("angular_velocity", ROTATION)),
    "acceleration": (("acceleration", POSITION), ("angular_acceleration", ROTATION)),
}


class InverseRatesResult(TableRepr):
    """Speeds ``u`` (or their rates, also as ``u``) at which targets have their velocities (accelerations), or come
    nearest to them. ``reason`` is "reached", "singular" (the position is singular: ``singular`` has the directions that
    are lost) or "unreachable" (there are too few freedoms); ``residual`` has by target what is missing, (linear,
    angular)."""

    def __init__(
        self,
        what: str,
        system: str,
        names: tuple[str, ...],
        u: Array,
        reason: str,
        residual: Mapping[str, tuple[Array, Array]],
        singular: tuple[LostDirection, ...],
    ) -> None:
        self.u, self.names, self.reason, self.residual, self.singular = u, names, reason, dict(residual), singular
        self._what, self._system = what, system

    @property
    def converged(self) -> bool:
        return self.reason == REACHED

    @property
    def by_name(self) -> dict[str, float]:
        return dict(zip(self.names, self.u.tolist(), strict=True))

    @cached_property
    def message(self) -> str:
        lost = "; ".join(map(str, self.singular))
        if self.reason == REACHED:
            return f"reached, at a singular position: {lost}" if lost else "reached"
        sizes = {n: [float(np.linalg.norm(x)) for x in pair] for n, pair in self.residual.items()}
        shown = {n: [f"{x:.3g}" if x > CLOSE else "0" for x in pair] for n, pair in sizes.items()}
        left = [f"'{n}' is off by {v} and {w}" for n, (v, w) in shown.items()]
        why = f"singular at this position: {lost}" if self.reason == SINGULAR else "unreachable: too few freedoms"
        return f"{why}; {'; '.join(left)} (linear and angular)"

    def _table(self) -> TextTable:
        rows = [(name, f"{x:.6g}") for name, x in self.by_name.items()]
        return TextTable(f"inverse {self._what} of {self._system}: {self.message}", ("speed", "value"), tuple(rows))


def read_rates(e: Derivation, what: str, targets: Any) -> list[PoseTarget]:
    """Targets whose values are velocities or accelerations: three numbers of a point, (angular, linear) six of a body,
    or parts by name."""
    linear, angular = (name for name, _ in PARTS[what])
    form = f"3 numbers of a point, 6 (angular, linear) of a body, or {{'{linear}': …, '{angular}': …}}"
    if not isinstance(targets, Mapping) or not targets:
        raise ArgumentError(
            f"{e.tree.model.name}: targets are a mapping of bodies, points or names of bodies to {form}, not"
            f" {arguments.shorten(targets)}"
        )
    kinds, result = dict(PARTS[what]), list[PoseTarget]()
    for key, value in targets.items():
        name, where = place(e, key)
        context, parts = f"{e.tree.model.name}: target '{name}'", Parts()
        if isinstance(value, Mapping):
            for part, numbers in value.items():
                if part not in kinds:
                    raise ArgumentError(f"{context}: a target has no '{part}'; {choices(list(kinds))}")
                parts[kinds[part], NO_AXIS] = arguments.numbers(numbers, context)
        else:
            array = arguments.numbers(value, context)
            if array.shape == (3,):
                parts[POSITION, NO_AXIS] = array
            elif array.shape == (6,):
                parts[POSITION, NO_AXIS], parts[ROTATION, NO_AXIS] = array[3:], array[:3]
            else:
                raise ArgumentError(f"{context} has shape {array.shape}; give {form}")
        for values in parts.values():
            if values.shape != (3,):
                raise ArgumentError(f"{context}: three numbers are needed, not the shape {values.shape}")
        if not parts:
            raise ArgumentError(f"{context} is empty; give {form}")
        result.append(PoseTarget(name, where, parts))
    return result


def inverse_rates(
    e: Derivation,
    defaults: Mapping[str, float],
    what: str,
    targets: Any,
    q: InitialValues,
    u: InitialValues,
    weights: Any,
    hold: Any,
    t: float,
    parameters: Mapping[str, float] | None,
    engaged: Any,
    damping: float,
) -> InverseRatesResult:
    """The speeds for velocities of targets, or their rates for accelerations, at q (and u)."""
    read, name = read_rates(e, what, targets), e.tree.model.name
    solver = solver_of(e, defaults, read)
    solver.set_values(t, parameters, engaged)
    own = read_weights(read, list(targets), weights, name)
    solver.set_options(False, hold, own, None)
    damping = arguments.number(damping, f"{name}: damping")
    if damping < 0:
        raise ArgumentError(f"{name}: damping is from 0 on, not {damping:g}")
    x = initial_state(solver.about, default_state(e), q=q, u=u)
    n, m = len(e.layout.q), len(e.layout.u)
    if q is None:
        x[:n] = solver.guess(None, t, parameters, engaged)
    values = _values(solver, x[:n], x[n : n + m])
    p = solver.problem
    p.evaluate(x[:n])
    if p.m and np.abs(p.phi).max() > OPEN:
        raise ArgumentError(
            f"{name}: the constraints do not hold at q (they are off by {np.abs(p.phi).max():.3g}); take q of"
            " s.assemble(…) or of s.inverse_kinematics(…)"
        )
    free = p.start_status[: p.n] == 0
    J, G = values["J"][:, free], values["G"][:, free]
    wanted = np.concatenate([v for target in read for v in target.parts.values()])
    drift, right = (
        (values["velocity"], -values["offset"]) if what == "velocity" else (values["acceleration"], values["gamma"])
    )
    if what == "acceleration" and p.m:
        _require_speeds(name, values, x[n : n + m][solver.equations.columns])
    root = np.sqrt(np.repeat(own, ROWS))
    fixed = np.linalg.lstsq(G, right, rcond=LOST)[0] if len(G) else np.zeros(free.sum())
    if len(G) and np.abs(G @ fixed - right).max() > CLOSE * (1 + np.abs(right).max()):
        raise ArgumentError(
            f"{name}: the constraints allow no such {what} with what is held; free some of hold={hold!r}"
        )
    Z = tangent(G)
    U_, s, V = np.linalg.svd(root[:, None] * (J @ Z), full_matrices=False)
    largest = max(1e-300, s.max(initial=0.0))
    inverse = s / (s * s + damping**2) if damping else np.where(s > LOST * largest, 1 / np.where(s > 0, s, 1), 0)
    step = fixed + Z @ (V.T @ (inverse * (U_.T @ (root * (wanted - drift - J @ fixed)))))
    missing = J @ step + drift - wanted
    full = np.zeros(m)
    full[np.array(solver.equations.columns)[free]] = step
    close = bool(np.abs(missing * (root > 0)).max() <= CLOSE * (1 + np.abs(wanted).max()))
    facts = solver.new_facts(x[:n])
    lost = lost_directions(facts, J, G, root > 0) if (s > DEPENDENT * largest).sum() < facts.rank else ()
    reason = REACHED if close else SINGULAR if lost else UNREACHABLE
    residual, k = dict[str, tuple[Array, Array]](), 0
    for target in read:
        pair = residual.setdefault(target.name, (np.zeros(3), np.zeros(3)))
        for kind, _ in target.parts:
            pair[0 if kind == POSITION else 1][:] = missing[k : k + ROWS]
            k += ROWS
    return InverseRatesResult(what, name, e.layout.u, full, reason, residual, lost)


def _values(solver: InverseKinematics, q: Array, u: Array) -> dict[str, Array]:
    f = solver.equations.rates
    rows = {"parameters": np.array([*solver.parameters.values()]), "t": solver.time, "q": q, "u": u}
    rows["inputs"] = solver.inputs
    return cast(dict[str, Array], f(*(rows[g.name] for g in f.groups)))


def _require_speeds(name: str, values: Mapping[str, Array], u: Array) -> None:
    """Accelerations need speeds that the constraints allow."""
    off = np.abs(values["G"] @ u + values["offset"])
    if off.max() > OPEN * (1 + np.abs(u).max(initial=0.0)):
        raise ArgumentError(
            f"{name}: the constraints do not allow the speeds u (they are off by {off.max():.3g}); take u of"
            " s.inverse_velocity(…) or of s.assemble(…)"
        )
