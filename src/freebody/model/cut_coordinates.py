"""Coordinates and speeds of joints that close loops, as functions of the tree's coordinates, or as extra states; and
the parameters of curves, which are extra states.

A system has symbols for them, which texts use (``q.pin``, ``u.pin``). In its model, from which equations are derived,
these are replaced by what they stand for.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from freebody.errors import ExpressionError
from freebody.model.body import BodySpec
from freebody.model.constraints import Closure, Constraint
from freebody.model.constraints.cut_joint import CutJoint, position_and_twist
from freebody.model.declarations import State
from freebody.model.joints.base import Array
from freebody.model.placed import PlacedBodies
from freebody.names import Q, U
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import values

ITERATIONS, LONGEST, CLOSED, HALVINGS = 50, 0.5, 1e-13, 6
"""Newton's method for the initial values of states."""


@dataclass(frozen=True)
class CutCoordinates:
    """``symbols``: the nodes that symbols of coordinates and speeds stand for. ``states``: the extra states."""

    symbols: dict[Node, Node]
    states: dict[str, State]


def cut_coordinates(
    graph: Graph,
    bodies: Mapping[str, BodySpec],
    constraints: Mapping[str, Constraint],
    parameters: Mapping[str, float],
    used: Container[int],
) -> CutCoordinates:
    """The coordinates of joints that close loops, in a graph that contains the bodies: those that are states, and those
    whose symbols are ``used``."""
    result = CutCoordinates({}, {})
    closures = {
        name: c
        for name, c in constraints.items()
        if isinstance(c, Closure) and (c.has_states or any(h in used for h in c.symbol_rates(graph)))
    }
    with_states = [c for c in constraints.values() if c.state_names]
    placed = PlacedBodies(graph)
    for spec in bodies.values() if closures or with_states else ():
        placed.add(spec)
    for c in with_states:
        result.states.update(c.states(placed))
    for name, closure in closures.items():
        names, joint, states = closure.names, closure.joint, list[Node]()
        if closure.has_states:
            units = zip(names[0], joint.units[0], strict=True)
            states = [graph.symbol(n, Kind.STATE, f"coordinate of the joint of {name}", unit) for n, unit in units]
        A, B = closure.frames(placed)
        position, twist = position_and_twist(A.origin, B.origin)
        cut = CutJoint(joint, A, B, position, twist, states)
        for group, some, nodes in zip((Q, U), names, (cut.coordinates, cut.speeds), strict=True):
            result.symbols.update(
                {h: node for n, node in zip(some, nodes, strict=True) if (h := graph.named(group(n))) is not None}
            )
        if states:
            initial = _initial(cut, placed, {**parameters, **closure.held()})
            for n, h, rate, value in zip(names[0], states, cut.placement.q_dot, initial, strict=True):
                symbol = graph.symbol_named(n)
                result.states[n] = State(
                    symbol=Expr(graph, h),
                    rate=Expr(graph, rate),
                    initial=value,
                    unit=symbol.unit,
                    description=symbol.description,
                )
    return result


def _initial(cut: CutJoint, placed: PlacedBodies, parameters: Mapping[str, float]) -> Sequence[float]:
    """The coordinates nearest to the pose of the bodies at the initial values of the tree's coordinates, of parameters
    and of held values; where Newton's method does not converge, the joint's own initial values."""
    g, joint = cut.graph, cut.joint
    known: dict[Node, float] = {h: x for n, x in parameters.items() if (h := g.named(n)) is not None}
    known[g.symbol("t", Kind.TIME, "time", "s")] = 0.0
    for body in placed.bodies.values():
        own = body.spec.freedoms
        start = own.zero if own.initial is None else own.initial
        symbols = (g.named(Q(n)) for n in body.spec.names[0])
        known |= {h: float(x) for h, x in zip(symbols, start, strict=True) if h is not None}
    guess = np.array(joint.zero if joint.initial is None else joint.initial, float)
    try:
        rough = joint.estimate(cut.A.axes, cut.B.axes, cut.position) if joint.initial is None else None
        start, nodes = guess if rough is None else np.array(values(g, rough, known), float), cut.correction

        def correction(z: Array) -> Array:
            return np.array(values(g, nodes, known | dict(zip(cut.states, map(float, z), strict=True))), float)

        return [float(x) for x in settled_states(correction, start)]
    except (ArithmeticError, ValueError, ExpressionError):
        return [float(x) for x in guess]


def settled_states(correction: Callable[[Array], Array], z: Array) -> Array:
    """Extra states where their corrections vanish, by Newton's method from z; as far as it converges. Steps are halved
    where they lead to states at which the corrections are not finite."""
    step = correction(z) if len(z) else z
    for _ in range(ITERATIONS if len(z) else 0):
        size = float(np.abs(step).max())
        if not np.isfinite(size):
            break
        change = step * min(1.0, LONGEST / max(size, LONGEST))
        if size <= CLOSED:
            return np.asarray(z + change)
        for _ in range(HALVINGS):
            following = _finite(correction, z + change)
            if following is not None:
                break
            change = change / 2
        else:
            break
        z, step = z + change, following
    return z


def _finite(correction: Callable[[Array], Array], z: Array) -> Array | None:
    """The correction at a state; None where it is not finite."""
    try:
        step = correction(z)
    except (ArithmeticError, ValueError, ExpressionError):
        return None
    return step if np.isfinite(step).all() else None
