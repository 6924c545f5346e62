"""Routh's reduction (Routh 1877; Goldstein 1980, section 8-3): a system with cyclic coordinates at given momenta, as a
system in the other coordinates alone.

With b the cyclic coordinates and a the others, the momenta p = M_ba u_a + M_bb u_b are constant. Then u_b = M_bb⁻¹ (p −
M_ba u_a), and the Routhian R = L − p·u_b is

    R = ½ u_a·M̂ u_a + p·M_bb⁻¹ M_ba u_a − 𝒱_p,   M̂ = M_aa − M_ab M_bb⁻¹ M_ba,   𝒱_p = 𝒱 + ½ p·M_bb⁻¹ p.

Its Lagrange equations are M̂ u̇_a = f_a − M_ab M_bb⁻¹ f_b at these u_b. Minima of 𝒱_p, the amended potential, are stable
steady motions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from freebody.algebra import ClosedForm, closed_forms
from freebody.analysis.state_equations import OperatingPoint, StateEquations
from freebody.analysis.symmetry import symmetries
from freebody.errors import ArgumentError, ExpressionError
from freebody.formulations.solve import dot
from freebody.names import Q, U
from freebody.quantities.mass_inverse import factored
from freebody.run.arguments import by_name, number
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute
from freebody.tables import TableRepr, TextTable, listed
from freebody.tree.energy import potential
from freebody.viewer.plots import COLOURS, INK, SUFFIXES, WIDTH, save_figure, sheet, verbatim

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
Exprs = NDArray[np.object_]
FINE = {"rtol": 1e-9, "atol": 1e-11}


@dataclass(frozen=True, repr=False)
class Routhian(TableRepr):
    """A system reduced by its cyclic coordinates at the ``momenta``. ``mass`` is M̂ and ``force`` the right side of
    M̂ u̇ = force; ``potential`` is the amended potential 𝒱_p, ``function`` the Routhian R; ``speeds`` are those of the
    cyclic coordinates. All are expressions of the other ``coordinates``, their speeds ``u``, and momenta p.‹name›."""

    coordinates: tuple[str, ...]
    u: tuple[str, ...]
    cyclic: tuple[str, ...]
    momenta: dict[str, float]
    mass: Exprs
    force: tuple[Expr, ...]
    potential: Expr
    function: Expr
    speeds: dict[str, Expr]
    _rates: Any = field(compare=False, kw_only=True)
    _start: Array = field(compare=False, kw_only=True)

    def _table(self) -> TextTable:
        n = range(len(self.u))
        entries = {f"M[{i}, {j}]": self.mass[i, j] for i in n for j in n if j >= i}
        rows = [*entries.items(), ("amended potential", self.potential), ("Routhian", self.function)]
        rows += [(U(name), speed) for name, speed in self.speeds.items()]
        given = ", ".join(f"p.{name} = {value:g}" for name, value in self.momenta.items())
        title = f"Routh's reduction: {listed(self.coordinates)} without {listed(self.cyclic)} ({given})"
        return TextTable(title, (), tuple((name, str(x)) for name, x in rows))

    def rates(self, x: Any) -> Array:
        """ẋ of x = [q, u] of the reduced system, followed by the rates of the cyclic coordinates."""
        return np.asarray(self._rates(np.asarray(x, float)), float)

    def simulate(
        self, end: float, q: Any = None, u: Any = None, cyclic: Any = None, times: int = 201, **options: Any
    ) -> "xarray.Dataset":
        """A run of the reduced system from values by name (else the joints' initial ones), with the cyclic coordinates
        recovered from their speeds, over ``time``. ``options`` are those of ``scipy.integrate.solve_ivp``."""
        import xarray
        from scipy.integrate import solve_ivp

        keys = [*map(Q, self.coordinates), *map(U, self.u), *map(Q, self.cyclic)]
        start = self._start.copy()
        for given, prefix, known in ((q, Q, self.coordinates), (u, U, self.u), (cyclic, Q, self.cyclic)):
            for name, value in by_name(given, "initial values", "{'arm': 0.3}").items():
                plain = prefix.strip(str(name))
                if plain not in known:
                    raise ArgumentError(f"the reduced system has no '{name}'; choose from {', '.join(known)}")
                start[keys.index(prefix(plain))] = number(value, f"the initial value of '{name}'")
        wide = len(keys) - len(self.cyclic)
        grid = np.linspace(0.0, number(end, "end"), times)
        chosen = {"method": "DOP853", **FINE, **options}
        result = solve_ivp(lambda _, x: self.rates(x[:wide]), (0.0, grid[-1]), start, t_eval=grid, **chosen)
        if not result.success:
            raise ArgumentError(
                f"the reduced system could not be integrated further than t = {result.t[-1]:g}: {result.message}"
            )
        columns = {key: ("time", row) for key, row in zip(keys, result.y, strict=True)}
        speeds = np.array([self.rates(x[:wide])[wide:] for x in result.y.T])
        columns |= {U(name): ("time", speeds[:, k]) for k, name in enumerate(self.cyclic)}
        return xarray.Dataset(columns, {"time": result.t})

    def potential_at(self, values: Mapping[str, Any]) -> Array:
        """The amended potential at coordinates by name, numbers or arrays of one length; others are initial."""
        given = {Q.strip(str(k)): np.asarray(v, float) for k, v in by_name(values, "values", "{'arm': 0.3}").items()}
        unknown = [n for n in given if n not in self.coordinates]
        if unknown:
            raise ArgumentError(f"the reduced system has no '{unknown[0]}'; choose from {', '.join(self.coordinates)}")
        shape = np.broadcast_shapes(*(v.shape for v in given.values()))
        x = np.tile(self._start, (*shape, 1))
        for name, value in given.items():
            x[..., self.coordinates.index(name)] = value
        flat = x.reshape(-1, x.shape[-1])[:, : len(self.coordinates)]
        return np.array([self._rates(row, potential=True) for row in flat]).reshape(shape)

    def plot(
        self, name: str = "", low: float = -np.pi, high: float = np.pi, path: str | Path | None = None
    ) -> "Figure":
        """The amended potential over a coordinate, the others at their initial values; ``path`` writes it too."""
        from freebody import files

        target = None if path is None else files.target(path, "a picture", SUFFIXES)
        name = Q.strip(name) if name else self.coordinates[0]
        x = np.linspace(low, high, 301)
        figure, (ax,) = sheet(1, Q(name), (WIDTH * 0.7, 3.6))
        ax.plot(x, self.potential_at({name: x}), color=COLOURS[0], linewidth=1.4)
        verbatim(ax.set_ylabel("amended potential [J]", fontsize=9, color=INK))
        if target is not None:
            save_figure(figure, target)
        return figure


def routh(s: StateEquations, point: OperatingPoint, momenta: Mapping[str, float]) -> Routhian:
    """The reduction by the coordinates that are named with their momenta."""
    layout, g = s.layout, s.graph
    if any(given is not None for link in s.e.tree.links for given in link.body.prescribed):
        raise ArgumentError(
            f"system '{s.name}': it has prescribed motions, so that its momenta contain functions of time; leave"
            " these motions free"
        )
    if layout.z:
        raise ArgumentError(
            f"system '{s.name}' has extra states ({listed(layout.z)}), which a Routhian does not contain; remove them"
            " from the system"
        )
    values = {Q.strip(str(name)): number(value, f"the momentum of '{name}'") for name, value in momenta.items()}
    _require_cyclic(s, point, values)
    by_coordinate = {layout.q[i]: j for j, i in s.coordinates.items()}
    b = [by_coordinate[name] for name in values]
    a = [j for j in range(len(layout.u)) if j not in b]
    kept = [i for i, name in enumerate(layout.q) if name not in values]
    p = [g.symbol(f"p.{name}", Kind.INPUT, f"momentum of {name}") for name in values]
    M, u, f = s.mass_rows, s.groups["u"], s.force
    lower = {(i, j): M[b[i]][b[j]] for i in range(len(b)) for j in range(i + 1) if M[b[i]][b[j]] != g.zero}
    inner = factored(g, lower, len(b))
    M_ba = [[M[i][j] for j in a] for i in b]
    through = [inner.solve([row[k] for row in M_ba]) for k in range(len(a))]  # columns of M_bb⁻¹ M_ba
    inverse_p = inner.solve(p)
    u_a = [u[j] for j in a]
    u_b = [g.sub(x, dot(g, [column[k] for column in through], u_a)) for k, x in enumerate(inverse_p)]
    zero = dict.fromkeys(s.groups["tau"], g.zero)
    at = (
        {u[j]: x for j, x in zip(b, u_b, strict=True)}
        | {s.groups["q"][layout.q.index(n)]: g.zero for n in values}
        | zero
    )
    mass = [[g.sub(M[i][j], dot(g, [M[i][k] for k in b], through[n])) for n, j in enumerate(a)] for i in a]
    f_b = inner.solve([f[k] for k in b])
    force = substitute(g, [g.sub(f[i], dot(g, [M[i][k] for k in b], f_b)) for i in a], at)
    (V,) = s.scope.copy([potential(s.e.formulation.motion)])
    half = g.div(g.one, g.const(2))
    amended = g.add(V, g.mul(half, dot(g, p, inverse_p)))
    momentum = [dot(g, p, column) for column in through]
    R = g.sub(g.add(g.mul(half, dot(g, u_a, [dot(g, row, u_a) for row in mass])), dot(g, momentum, u_a)), amended)
    flat = substitute(g, [*(x for row in mass for x in row), amended, R, *u_b], at)
    q_dot = substitute(g, [s.q_dot[i] for i in kept], at)
    shown = _shown(g, [*flat, *force])
    n = len(a)
    matrix = np.empty((n, n), object)
    for k, x in enumerate(shown[: n * n]):
        matrix[divmod(k, n)] = x
    function = s.function(
        "routh",
        {
            key: substitute(g, nodes, dict(zip(p, map(g.const, values.values()), strict=True)))
            for key, nodes in {
                "q_dot": q_dot,
                "M": flat[: n * n],
                "f": force,
                "V": [flat[n * n]],
                "u_b": flat[n * n + 2 :],
            }.items()
        },
    )
    wide = len(kept)

    def rates(x: Array, potential: bool = False) -> Any:
        q, speeds = point.q.copy(), point.u.copy()
        q[kept] = x[:wide]
        if not potential:
            speeds[a] = x[wide : wide + n]
        result = function(replace(point, q=q, u=speeds))
        if potential:
            return float(result["V"][0])
        u_dot = np.linalg.solve(result["M"].reshape(n, n), result["f"]) if n else np.zeros(0)
        return np.concatenate([result["q_dot"], u_dot, result["u_b"]])

    start = np.concatenate([point.q[kept], point.u[a], [point.q[layout.q.index(name)] for name in values]])
    return Routhian(
        tuple(layout.q[i] for i in kept),
        tuple(layout.u[j] for j in a),
        tuple(values),
        values,
        matrix,
        tuple(shown[n * n + 2 + len(b) :]),
        shown[n * n],
        shown[n * n + 1],
        dict(zip(values, shown[n * n + 2 : n * n + 2 + len(b)], strict=True)),
        _rates=rates,
        _start=start,
    )


def _require_cyclic(s: StateEquations, point: OperatingPoint, values: Mapping[str, float]) -> None:
    """Raise unless all are cyclic coordinates whose momenta are conserved."""
    known = {Q.strip(one.name): one for one in symmetries(s, point) if one.cyclic}
    conserved = [Q(n) for n, one in known.items() if one.conserved]
    there = listed(conserved) or "none"
    if not values:
        choice = f"choose from {there}" if conserved else "this system has none"
        raise ArgumentError(f"routh needs momenta of cyclic coordinates, such as {{'q.mast': 0.3}}; {choice}")
    for name in values:
        if name not in known:
            raise ArgumentError(
                f"system '{s.name}': '{Q(name)}' is not a cyclic coordinate; those with conserved momenta are: {there}"
            )
        one = known[name]
        acting = [n for n in one.needs if point.inputs[s.layout.inputs.index(n)]]
        if not one.conserved or acting:
            why = f"input '{acting[0]}' acts on it" if acting else f"it changes at {one.rate}"
            raise ArgumentError(f"system '{s.name}': the momentum of '{Q(name)}' is not conserved: {why}")


def _shown(g: Graph, nodes: Sequence[Node]) -> list[Expr]:
    """Expressions in closed form, those that are too long as they are."""
    try:
        return [ClosedForm(g, h) for h in closed_forms(g, list(nodes))]
    except ExpressionError:
        return [Expr(g, h) for h in nodes]
