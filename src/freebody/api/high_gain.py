"""High-gain observers: speeds from coordinates (Khalil 2002, ch. 14.5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from freebody.analysis.expressions import Expressions
from freebody.api.named_expressions import (
    expression_of,
    in_graph,
    plain_expressions,
    row_by_name,
    symbol_of,
    with_symbols_replaced,
)
from freebody.api.system import System
from freebody.api.tracking import Gains
from freebody.errors import ArgumentError
from freebody.keywords import hint_keywords, keyword_hints
from freebody.model.accelerations import accelerations_in
from freebody.names import Q, U
from freebody.quantities.mass_inverse import factored
from freebody.run.arguments import by_name, number, require_names
from freebody.run.initial import default_state
from freebody.scalar.expr import Expr
from freebody.tables import TableRepr, TextTable, counted


@hint_keywords
@dataclass(frozen=True, repr=False)
class Observer(TableRepr):
    """Estimates of coordinates and speeds: the names of extra states by those of the coordinates and speeds."""

    q: dict[str, str]
    u: dict[str, str]
    system: System
    measured: Mapping[str, Expr]

    def in_law(self, law: Mapping[str, Any]) -> dict[str, Expr]:
        """Laws of inputs with the estimates in place of speeds, and what is measured in place of coordinates."""
        g, replaced = self.system.graph, dict[str, Expr](self.measured)
        replaced |= {U(name): Expr(g, g.by_name[state]) for name, state in self.u.items()}
        laws = {name: expression_of(self.system, value, f"law of '{name}'") for name, value in law.items()}
        for name, value in laws.items():
            used = accelerations_in(value.graph, [value.handle])
            if used:
                raise ArgumentError(
                    f"in_law: the law of '{name}' uses {used[0]}, in which speeds cannot be replaced; write it with the"
                    " arrays of s.expressions()"
                )
        return {name: with_symbols_replaced(value, replaced) for name, value in laws.items()}

    def _table(self) -> TextTable:
        pairs = [*((Q(n), s) for n, s in self.q.items()), *((U(n), s) for n, s in self.u.items())]
        return TextTable(f"Observer: {counted(len(pairs), 'extra state')}", ("of", "extra state"), tuple(pairs))


@keyword_hints
def high_gain_observer(
    system: System,
    bandwidth: Gains,
    measured: Mapping[str, Any] | None = None,
    *,
    name: str = "observer",
    model: System | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Observer:
    """Speeds from coordinates: q̂' = û + 2ω (y − q̂), û' = M⁻¹ (f + F w) + ω² (y − q̂) with M, f and F at the estimates.
    The error has the double pole −ω of the ``bandwidth`` (1/s); what the ``model`` misses of the accelerations, Δ,
    leaves errors of Δ 2/ω in speeds. ``measured`` are values by coordinate, texts or expressions; by default the
    coordinates. The estimates are added to the system as extra states "observer.q.arm" and "observer.u.arm";
    ``observer.in_law(law)`` puts them into laws."""
    X = plain_expressions((model or system).derive())
    names, values = list(X.speeds), by_name(measured, "measured", "{'arm': 'q.arm'}")
    omega = row_by_name(bandwidth, names, "bandwidth", None)
    require_names(names, values, "coordinate", f"system '{system.name}'")
    require_names(list((model or system).values), parameters or {}, "parameter", f"system '{system.name}'")
    known = {key: Expr(X.graph, X.graph.const(number(x, key))) for key, x in (parameters or {}).items()}
    y = {key: expression_of(system, values.get(key, Q(key)), f"measured '{key}'") for key in names}
    q, u = ({key: f"{name}.{group(key)}" for key in names} for group in (Q, U))
    start = _initial(system, names)
    for group, of_group in ((Q, q), (U, u)):
        for key, state in of_group.items():
            about, unit = f"estimate of {group(key)}", system.graph.symbol_named(group(key)).unit
            system.state(state, initial=start.get(key, 0.0) if group is Q else 0.0, unit=unit, description=about)
            known[group(key)] = symbol_of(X, system, state)
    for k, (key, rate) in enumerate(zip(names, _accelerations(X, known), strict=True)):
        q_hat, u_hat = (Expr(system.graph, system.graph.by_name[some[key]]) for some in (q, u))
        gap = in_graph(y[key], system.graph) - q_hat
        system.rate(q[key], u_hat + 2 * omega[k] * gap)
        system.rate(u[key], in_graph(rate, system.graph) + omega[k] ** 2 * gap)
    return Observer(q, u, system, {Q(key): y[key] for key in values})


def _accelerations(X: Expressions, known: Mapping[str, Expr]) -> list[Expr]:
    """M⁻¹ (f + F w) with others in place of symbols, by their names."""
    g, n = X.graph, len(X.speeds)
    w = np.array([Expr(g, g.by_name[name]) for name in X.inputs], object)
    force = X.bias + X.force_matrix @ w if len(w) else X.bias
    lower = {(i, j): with_symbols_replaced(X.M[i, j], known).handle for i in range(n) for j in range(i + 1)}
    mass = {key: h for key, h in lower.items() if h != g.zero}
    solved = factored(g, mass, n).solve([with_symbols_replaced(f, known).handle for f in force])
    return [Expr(g, h) for h in solved]


def _initial(system: System, names: list[str]) -> dict[str, float]:
    """The initial coordinates of the joints."""
    e = system.derive().derivation
    x = default_state(e)
    return {n: float(x[e.layout.q.index(n)]) for n in names if n in e.layout.q}
