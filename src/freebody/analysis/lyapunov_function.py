"""Lyapunov functions of equilibria: values, rates, levels, samples and pictures; and displacements from an
equilibrium."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.equilibrium import Equilibrium
from freebody.analysis.state_equations import OperatingPoint, StateEquations
from freebody.errors import ArgumentError
from freebody.names import CAPTURED, ENGAGED, Q, U
from freebody.scalar.expr import Expr
from freebody.tree.tree import Tree
from freebody.viewer.lyapunov_plot import lyapunov_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class LyapunovFunction:
    """V around an equilibrium, with V = 0 there. ``verdict`` is what follows from it: "asymptotically stable",
    "stable", or "no conclusion", with the reason in ``why``. ``matrix`` is P with V = ½ yᵀ H y (energy, H = P) or
    yᵀ P y (quadratic) to second order, in the ``states`` y. ``level`` is an estimate: below it V decreases, and a state
    with V < ``level`` stays there (``region`` says how it was found)."""

    method: str
    equilibrium: Equilibrium
    states: tuple[str, ...]
    matrix: Array
    verdict: str
    why: str
    level: float
    region: str
    expression: Expr | None = None
    _values: Callable[[Array], Array] = field(compare=False, kw_only=True)
    _rates: Callable[[Array], Array] = field(compare=False, kw_only=True)
    _lift: Callable[[Array], Array] = field(compare=False, kw_only=True)

    def __getstate__(self) -> dict[str, Any]:
        """Copies have the numbers, without the equations."""
        return {**vars(self), "_values": None, "_rates": None, "_lift": None, "expression": None}

    def __str__(self) -> str:
        level = f"{self.level:.6g}" if np.isfinite(self.level) else "unlimited"
        return f"Lyapunov function ({self.method}): {self.verdict}: {self.why}. Level: {level} ({self.region})"

    def __repr__(self) -> str:
        return f"LyapunovFunction({self.method}: {self.verdict}, level {self.level:.6g})"

    def value(self, x: Any) -> Array:
        """V at a state x = [q, u, z], or at rows of states."""
        rows = self._rows(x)
        values = self._values(rows)
        return values if np.ndim(x) > 1 else values[0]

    def rate(self, x: Any) -> Array:
        """V̇ at a state x, or at rows of states."""
        rates = self._rates(self._rows(x))
        return rates if np.ndim(x) > 1 else rates[0]

    def _rows(self, x: Any) -> Array:
        rows, size = np.atleast_2d(np.asarray(x, float)), len(self.equilibrium.point.x)
        if rows.ndim != 2 or rows.shape[1] != size:
            raise ArgumentError(f"a state x = [q, u, z] has {size} numbers; the array has the shape {np.shape(x)}")
        return rows

    def along(self, run: Any) -> Array:
        """V along a run of the same system."""
        return self._values(np.asarray(run.x, float))

    def largest_increase(self, run: Any) -> float:
        """The largest increase of V from one saved time of a run to a later one; 0 if it never increases."""
        values = self.along(run)
        return float(np.max(values - np.minimum.accumulate(values), initial=0.0))

    def samples(self, count: int, level: float | None = None, seed: int = 0) -> list[dict[str, dict[str, float]]]:
        """Random initial states at which V is about ``level`` (exactly for a quadratic form; by default 0.9 of the
        estimate), with inputs and parameters, as simulate takes them: ``s.simulate(10, **state)``."""
        level = 0.9 * self.level if level is None else level
        if not np.isfinite(level):
            raise ArgumentError("the region is unbounded, so that samples needs a level: samples(count, level=…)")
        random, point = np.random.default_rng(seed), self.equilibrium.point
        scale = 0.5 if self.method == "energy" else 1.0
        values, vectors = np.linalg.eigh(scale * self.matrix)
        if not values.min(initial=1.0) > 0:
            raise ArgumentError(
                "V is not positive in all directions, so that its levels do not enclose the equilibrium"
            )
        y = random.normal(size=(count, len(values)))
        y = y / np.linalg.norm(y, axis=1, keepdims=True) * np.sqrt(level) / np.sqrt(values) @ vectors.T
        n, m, result = len(point.q), len(point.u), list[dict[str, dict[str, float]]]()
        held = (ENGAGED, CAPTURED)  # the flags and poses of constraints that can be switched
        inputs = {k: v for k, v in self.equilibrium.inputs.items() if not any(group.holds(k) for group in held)}
        others = {"inputs": inputs, "parameters": self.equilibrium.parameters}
        others = {name: values for name, values in others.items() if values}
        for row in self._lift(y):
            parts = np.split(row, [n, n + m])
            named = zip("quz", (self.equilibrium.q, self.equilibrium.u, self.equilibrium.z), parts, strict=True)
            states = {g: dict(zip(names, map(float, v), strict=True)) for g, names, v in named if len(v)}
            result.append(states | others)
        return result

    def plot(self, first: str = "", second: str = "", path: str | Path | None = None, runs: Any = ()) -> "Figure":
        """Levels of V in the plane of two states (by default the first two), the estimate of the region, where V̇ > 0,
        and ``runs``; ``path`` writes the figure too."""
        names = [
            first or self.states[0],
            second or next((n for n in self.states if n != (first or self.states[0])), ""),
        ]
        for name in names:
            if name not in self.states:
                raise ArgumentError(f"there is no state '{name}' to draw; choose from {', '.join(self.states)}")
        axes = [self.states.index(n) for n in names]
        scale = 0.5 if self.method == "energy" else 1.0
        inverse = np.linalg.pinv(scale * self.matrix)[np.ix_(axes, axes)]
        level = self.level if np.isfinite(self.level) else 1.0
        wide = 1.6 * np.sqrt(np.maximum(level * np.diag(inverse), 1e-12))
        grid = np.meshgrid(*(np.linspace(-w, w, 121) for w in wide))
        y = np.zeros((grid[0].size, len(self.states)))
        y[:, axes[0]], y[:, axes[1]] = grid[0].ravel(), grid[1].ravel()
        x = self._lift(y)
        keys = list(self.keys)
        start = [self.equilibrium.point.x[keys.index(n)] if n in keys else 0.0 for n in names]
        lines = [tuple(np.asarray(run[n]) for n in names) for run in runs]
        V, rates = (f(x).reshape(grid[0].shape) for f in (self._values, self._rates))
        return lyapunov_plot(grid[0] + start[0], grid[1] + start[1], V, rates, self.level, names, lines, path)

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of x."""
        e = self.equilibrium
        return (*Q.all(e.q), *U.all(e.u), *e.z)


class Displacements:
    """Displacements y of minimal states from an equilibrium, joint by joint, and states from them."""

    def __init__(self, state: StateEquations, point: OperatingPoint) -> None:
        self.state, self.point, self.tree = state, point, state.e.tree

    @cached_property
    def _joints(self) -> list[tuple[Any, list[int], list[int]]]:
        known = dict(zip(self.state.layout.parameters, map(float, self.point.parameters), strict=True))
        return joints_of(self.tree, known)

    def of(self, x: Array) -> Array:
        """y of rows of states."""
        n = len(self.point.q)
        q = np.zeros((len(x), len(self.point.u)))
        for joint, i, j in self._joints:
            if joint is None:
                q[:, j] = x[:, i] - self.point.q[i]
            else:
                q[:, j] = [joint.difference(self.point.q[i], row) for row in x[:, i]]
        return np.hstack([q, x[:, n:] - self.point.x[n:]])

    def states(self, y: Array) -> Array:
        """Rows of states at displacements."""
        n, m = len(self.point.q), len(self.point.u)
        q = np.tile(self.point.q, (len(y), 1))
        for joint, i, j in self._joints:
            if joint is None:
                q[:, i] = self.point.q[i] + y[:, j]
            else:
                q[:, i] = [joint.integrate(self.point.q[i], row) for row in y[:, j]]
        return np.hstack([q, self.point.x[n:] + y[:, m:]])


def joints_of(tree: Tree, parameters: Mapping[str, float]) -> list[tuple[Any, list[int], list[int]]]:
    """Joints with the indices of their coordinates and speeds; None for a joint whose speeds are the rates."""
    at_q, at_u = ({n: k for k, n in enumerate(names)} for names in (tree.layout.q, tree.layout.u))
    result = list[tuple[Any, list[int], list[int]]]()
    for spec in tree.model.bodies.values():
        q, u = ([n for n in names if n in known] for names, known in zip(spec.names, (at_q, at_u), strict=True))
        if u:
            joint = spec.freedoms.with_numbers(parameters)
            whole = None if joint.rates else joint
            result.append((whole, [at_q[n] for n in q], [at_u[n] for n in u]))
    return result
