"""Expressions of systems and of models by the names of their symbols, and gains by the names of coordinates."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.expressions import Expressions
from freebody.api.equations import Equations
from freebody.api.system import System
from freebody.errors import ArgumentError
from freebody.run.arguments import numbers, require_names
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.walk import substitute, symbols_of, transfer
from freebody.tree.tree import require_unconstrained

Array = NDArray[np.float64]


def plain_expressions(equations: Equations) -> Expressions:
    """The expressions of equations without constraints, whose speeds are the rates of the coordinates."""
    tree = equations.derivation.tree
    require_unconstrained(tree, "this controller or observer", "design it by the linearisation, fb.lqr(…)")
    X = equations.expressions()
    if [x.handle for x in X.q_dot] != [x.handle for x in X.u]:
        raise ArgumentError(
            f"system '{tree.model.name}': these laws need joints whose speeds are the rates of their coordinates; those"
            " of free and spherical joints are not"
        )
    return X


def row_by_name(value: Any, names: Sequence[str], what: str, default: float | None) -> Array:
    """One number for all, a row, or values by name."""
    if isinstance(value, Mapping):
        require_names(list(names), value, "entry", what)
        missing = [n for n in names if n not in value]
        if missing and default is None:
            raise ArgumentError(f"{what}: '{missing[0]}' has no value; give one for each of {', '.join(names)}")
        value = [value.get(n, default) for n in names]
    array = numbers(value, what)
    if array.shape not in ((), (len(names),)):
        raise ArgumentError(f"{what}: {len(names)} numbers are needed, for {', '.join(names[:8])}, not {array.shape}")
    return np.broadcast_to(array, len(names)).astype(float)


def symbol_of(X: Expressions, system: System, name: str) -> Expr:
    """A symbol of the system in the graph of expressions."""
    s = system.graph.symbol_named(name)
    return Expr(X.graph, X.graph.symbol(s.name, s.kind, s.description, s.unit, s.mask))


def in_graph(value: Expr, graph: Graph) -> Expr:
    """An expression in the graph of a system, whose symbols are found by name."""
    source = value.graph
    for h in symbols_of(source, [value.handle]):
        name = source.symbols[source.a[h]].name
        if graph.named(name) is None:
            raise ArgumentError(
                f"the model has '{name}', and the system has no such name; give the value of a parameter by"
                f" parameters={{'{name}': …}}"
            )
    return Expr(graph, transfer(source, [value.handle], graph)[value.handle])


def expression_of(system: System, value: Any, context: str) -> Expr:
    """A text, a number or an expression, in the graph of the system or of its equations."""
    if isinstance(value, Expr):
        return value
    return system.scalar(value, context, accelerations=True)


def with_symbols_replaced(value: Expr, by: Mapping[str, Expr]) -> Expr:
    """An expression with others in place of symbols, by their names."""
    g = value.graph
    symbols = {g.symbols[g.a[h]].name: h for h in symbols_of(g, [value.handle])}
    known = {name: by[name] for name in symbols if name in by}
    nodes = {symbols[name]: transfer(x.graph, [x.handle], g)[x.handle] for name, x in known.items()}
    return Expr(g, substitute(g, [value.handle], nodes)[0])
