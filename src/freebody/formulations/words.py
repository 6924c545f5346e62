"""What users say about a run, as nodes: laws for inputs, conditions and resets of events."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any

from freebody.errors import ArgumentError, ExpressionError
from freebody.formulations.equations import Equations
from freebody.geometry.vector import Vector, components
from freebody.scalar.callback import Callback
from freebody.scalar.expr import Expr
from freebody.scalar.ops import SYMBOL
from freebody.scalar.parse import parse
from freebody.scalar.table import Table, table
from freebody.scalar.walk import live, transfer

XYZ = ("x", "y", "z")


def known(e: Equations) -> dict[str, int]:
    """The names a text may use: t, parameters, inputs, q.…, u.…, extra states, and outputs (vectors by .x, .y, .z along
    the ground's axes)."""
    layout, g, system = e.layout, e.graph, e.forest.system
    names = [*layout.parameters, *layout.inputs, *layout.z]
    found = {"t": system.t.handle} | {n: h for n in names if (h := g.named(n)) is not None}
    found |= {f"q.{n}": h for n, h in zip(layout.q, layout.q_handles, strict=True)}
    found |= {f"u.{n}": h for n, h in zip(layout.u, layout.u_handles, strict=True)}
    for name, value in system.outputs.items():
        if isinstance(value, Vector):
            found |= {f"{name}.{c}": h for c, h in zip(XYZ, components(value, e.forest.root), strict=True)}
        else:
            found[name] = value.handle
    return found


def node(e: Equations, said: Any, who: str) -> int:
    """The node of what was said: text, an expression of the system, a table or (times, values) over time, a Python
    function of t or of (t, x), a number."""
    g, t = e.graph, e.forest.system.t.handle
    if isinstance(said, str):
        return _text(e, said, who)
    if isinstance(said, Expr):
        return _brought(e, said, who)
    if isinstance(said, Table):
        return g.table(said, t)
    if isinstance(said, Callback):
        return g.call(said, [t]) if said.arity == 1 else _called(e, said.function, said.name)
    if isinstance(said, tuple) and len(said) == 2:
        return g.table(table(who.replace("'", ""), *said, outside="hold"), t)
    if callable(said):
        return _called(e, said, who)
    if isinstance(said, Real):
        return g.const(float(said))
    raise ArgumentError(f"{who}: {said!r} is no number, text, expression, table, (times, values) or function")


def _text(e: Equations, said: str, who: str) -> int:
    try:
        return parse(e.graph, said, known(e))
    except ExpressionError as error:
        raise ArgumentError(f"{who}: {error}") from None


def _brought(e: Equations, said: Expr, who: str) -> int:
    """An expression written in the user's own system, brought into the graph of the equations."""
    g, source = e.graph, said.graph
    for i in live(source, [said.handle]):
        if source.op[i] == SYMBOL:
            name = source.symbols[source.a[i]].name
            if g.named(name) is None:
                raise ArgumentError(f"{who}: {said} uses '{name}', which this system does not have")
    return transfer(source, [said.handle], g)[said.handle]


def _called(e: Equations, function: Callable[..., float], who: str) -> int:
    """A Python function of t, or of t and the whole state as an array."""
    g, t = e.graph, e.forest.system.t.handle
    if _arguments(function, who) == 1:
        return g.call(Callback(_word(who), function, 1), [t])
    x = [*e.layout.q_handles, *e.layout.u_handles, *(s.symbol.handle for s in e.forest.system.states.values())]

    def packed(time: float, *state: float) -> float:
        import numpy as np

        return function(time, np.array(state))

    return g.call(Callback(_word(who), packed, 1 + len(x)), [t, *x])


def _arguments(function: Callable[..., float], who: str) -> int:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return 1
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(needed) in (1, 2):
        return len(needed)
    raise ArgumentError(f"{who}: a function takes t, or t and the state x; this one takes {len(needed)} arguments")


def _word(who: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in who).strip("_") or "function"


def describe(said: Any) -> str:
    """How an input is driven, in words."""
    if isinstance(said, Real):
        return f"{float(said):g}"
    if isinstance(said, str | Expr):
        return f"law {said}"
    if isinstance(said, Table | tuple):
        return "a table over t"
    return "a Python function, called at every evaluation (slow: a text or a table is compiled in)"


def speaks(names: Sequence[str], given: Mapping[str, Any], what: str, who: str) -> None:
    """Refuse names that are not among those there are."""
    unknown = [n for n in given if n not in names]
    if unknown:
        raise ArgumentError(f"{who} has no {what} '{unknown[0]}'; there are {', '.join(names) or 'none'}")
