"""Branches of equilibria over a parameter with their folds, branch points and Hopf points: the result of
``continuation``."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.equilibrium import Equilibrium
from freebody.errors import ArgumentError
from freebody.names import TAU, Q, U
from freebody.rounding import rounded_by_unit
from freebody.tables import TableRepr, TextTable, counted, listed
from freebody.viewer.analysis_plots import DrawnBranch, DrawnPoint, bifurcation_diagram

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
SHOWN = 8
"""Values of a bifurcation that tables show."""


def values_of(equilibrium: Equilibrium) -> dict[str, float]:
    """The values of an equilibrium by full name: q.…, u.…, states, inputs, tau.…, parameters."""
    named = {Q(n): v for n, v in equilibrium.q.items()} | {U(n): v for n, v in equilibrium.u.items()}
    forces = {TAU(n): float(v) for n, v in zip(equilibrium.u, equilibrium.point.tau, strict=True)}
    return named | equilibrium.z | equilibrium.inputs | forces | equilibrium.parameters


@dataclass(frozen=True, repr=False)
class Bifurcation:
    """A point at which the number or the stability of equilibria changes, on a branch of a continuation.

    ``kind``: "fold", where the branch turns back; "pitchfork" and "transcritical", where another branch crosses it, in
    the first case one that turns back there; "branch point", where several do; "hopf", where a pair of eigenvalues
    ± iω crosses the imaginary axis and oscillations of the ``frequency`` ω (rad/s) begin; "hamiltonian hopf", where two
    pairs on the axis meet and leave it, without damping: flutter. ``value`` is that of the parameter, ``branch`` the
    number of the branch, ``branches`` those of the branches that begin here."""

    kind: str
    parameter: str
    value: float
    equilibrium: Equilibrium
    branch: int
    branches: tuple[int, ...] = ()
    frequency: float = 0.0

    def __str__(self) -> str:
        at = f"{self.kind} at {self.parameter} = {self.value:.6g} on branch {self.branch}"
        swing = f", frequency {self.frequency:.6g} rad/s" if self.frequency else ""
        new = f", where branches {listed(map(str, self.branches))} begin" if self.branches else ""
        return at + swing + new

    def __repr__(self) -> str:
        return f"Bifurcation({self})"


@dataclass(frozen=True, repr=False)
class Branch:
    """Equilibria along a branch, in order. ``end`` says why it ends. ``branch["q.arm"]`` are values along it."""

    number: int
    parameter: str
    points: tuple[Equilibrium, ...]
    end: str

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Equilibrium]:
        return iter(self.points)

    def __getitem__(self, name: str) -> Array:
        known = values_of(self.points[0]) | {n: v for n, v in self.points[0].outputs.items() if np.ndim(v) == 0}
        if name not in known:
            raise ArgumentError(f"a branch has no values of '{name}'; choose from {', '.join(known)}")
        of_output = name in self.points[0].outputs
        return np.array([float((p.outputs if of_output else values_of(p))[name]) for p in self.points])

    @property
    def values(self) -> Array:
        """The values of the parameter."""
        return self[self.parameter]

    @property
    def stability(self) -> tuple[str, ...]:
        """ "stable", "unstable" or "undecided" at each point."""
        return tuple(p.stability for p in self.points)

    def __repr__(self) -> str:
        v = self.values
        kinds = " → ".join(dict.fromkeys(self.stability))
        return (
            f"Branch({self.number}: {counted(len(self), 'point')}, {self.parameter} from {v[0]:.6g} to {v[-1]:.6g},"
            f" {kinds}; {self.end})"
        )


@dataclass(frozen=True, repr=False)
class Continuation(TableRepr):
    """Branches of equilibria over ``parameter``, and the ``bifurcations`` on them."""

    parameter: str
    branches: tuple[Branch, ...]
    bifurcations: tuple[Bifurcation, ...]
    units: dict[str, str] = field(default_factory=dict)

    def of_kind(self, kind: str) -> list[Bifurcation]:
        """The bifurcations of one kind: "fold", "pitchfork", "transcritical", "branch point", "hopf"."""
        return [b for b in self.bifurcations if b.kind == kind]

    def _table(self) -> TextTable:
        names = [n for n in values_of(self.branches[0].points[0]) if Q.holds(n)][:SHOWN]
        rows = list[tuple[str, ...]]()
        for branch in self.branches:
            for point, note in ((branch.points[0], "begins"), (branch.points[-1], branch.end)):
                rows.append(self._row(branch.number, point, note, names))
            found = [b for b in self.bifurcations if b.branch == branch.number]
            rows[-1:-1] = [self._row(b.branch, b.equilibrium, self._note(b), names) for b in found]
        title = (
            f"Equilibria over {self.parameter}: {counted(len(self.branches), 'branch', 'branches')},"
            f" {counted(len(self.bifurcations), 'bifurcation')}"
        )
        return TextTable(title, ("branch", self.parameter, *names, "stability", "what"), tuple(rows))

    def _row(self, number: int, point: Equilibrium, note: str, names: list[str]) -> tuple[str, ...]:
        values = rounded_by_unit(values_of(point), self.units)
        return (str(number), *(f"{values[n]:.6g}" for n in (self.parameter, *names)), point.stability, note)

    def _note(self, b: Bifurcation) -> str:
        swing = f", {b.frequency:.5g} rad/s" if b.frequency else ""
        return b.kind + swing + (f", branches {listed(map(str, b.branches))} begin" if b.branches else "")

    def plot(self, y: str = "", path: str | Path | None = None) -> "Figure":
        """A bifurcation diagram: a coordinate, another value or an output ``y`` (by default the coordinate that changes
        most) over the parameter. Lines are solid where the equilibria are stable, dashed where they are unstable,
        dotted where it is undecided. ``path`` (.png, .svg, .pdf) writes it too."""
        y = y or self._most_changed()
        drawn = [DrawnBranch(b.values, b[y], b.stability) for b in self.branches]
        points = list[DrawnPoint]()
        for b in self.bifurcations:
            alone = Branch(b.branch, self.parameter, (b.equilibrium,), "")
            points.append(DrawnPoint(b.value, float(alone[y][0]), b.kind))
        units = [self.units.get(n, "") for n in (self.parameter, y)]
        texts = [f"{n} [{unit}]" if unit else n for n, unit in zip((self.parameter, y), units, strict=True)]
        return bifurcation_diagram(drawn, points, texts[0], texts[1], path)

    def _most_changed(self) -> str:
        names = [n for n in values_of(self.branches[0].points[0]) if Q.holds(n)]
        spans = {n: float(np.ptp(np.concatenate([b[n] for b in self.branches]))) for n in names}
        return max(spans, key=lambda n: spans[n], default=self.parameter)

    def to_xarray(self) -> "xarray.Dataset":
        """A dataset over ``point``, with all values by name, ``branch``, ``stability``, and the number of eigenvalues
        to the right of the imaginary axis, ``unstable``; the bifurcations over ``bifurcation``."""
        import xarray

        points = [(b.number, p) for b in self.branches for p in b.points]
        columns = {n: ("point", np.array([values_of(p)[n] for _, p in points])) for n in values_of(points[0][1])}
        columns["stability"] = ("point", np.array([p.stability for _, p in points]))
        columns["unstable"] = ("point", np.array([int(np.sum(p.eigenvalues.real > 1e-9)) for _, p in points]))
        facts = [(b.kind, b.value, b.branch, b.frequency) for b in self.bifurcations]
        for name, *values in zip(("kind", "at", "on", "frequency"), *facts, strict=True):
            columns[f"bifurcation.{name}"] = ("bifurcation", np.array(values))
        result = xarray.Dataset(columns, {"branch": ("point", [number for number, _ in points])})
        for name, unit in self.units.items():
            if unit and name in result:
                result[name].attrs["units"] = unit
        return result

    def to_pandas(self) -> "pandas.DataFrame":
        """The values along the branches, a row for each point."""
        data = self.to_xarray()
        return data.drop_dims("bifurcation").to_dataframe()
