"""Poses of a system as functions of its coordinates, as a table of operations for viewers.

The table holds the poses of all bodies for the parameters and the time of a state, the position equations of the
constraints that are engaged there, and their derivatives. Numbers are folded, so that only what depends on coordinates
remains.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ExpressionError
from freebody.names import ENGAGED
from freebody.results.motion_table import OPERATIONS, MotionTable, MovableCoordinate
from freebody.run.display_state import DisplayState
from freebody.run.initial import modal_states
from freebody.run.programs import body_poses
from freebody.scalar.derivative import jacobian
from freebody.scalar.functions import Table
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node, all_nodes
from freebody.scalar.ops import ARITY, CALL, CONST, NEG, OPS, SYMBOL, TABLE
from freebody.scalar.walk import live, require_finite, substitute, transfer
from freebody.tables import listed
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.tree import quaternions

Array = NDArray[np.float64]
BENT = 0.15
"""The largest amplitude on the slider of a mode, as a fraction of that which deforms its body by its own size."""

STIFF = 0.01
"""The scale of modal coordinates relative to that of other ones: joints close loops as far as they can."""

PIECES = 200
"""The largest number of points of a table that is written out."""

INPUT = OPERATIONS.index("input")
NUMBER = OPERATIONS.index("number")
assert (NUMBER, INPUT, *(op.name for op in OPS[2:TABLE])) == (CONST, SYMBOL, *OPERATIONS[2:]), "codes are the graph's"


class MovableModel(NamedTuple):
    """The poses of a model as a function of its coordinates; or None, and in ``notes`` why there is no such table.
    Other notes say which constraints it does not keep, and which coordinates are beyond their limits."""

    table: MotionTable | None
    notes: tuple[str, ...]


class UnsupportedError(Exception):
    """What a table of operations cannot hold."""


class FoldedGraph:
    """Nodes of equations with the numbers of a state in place of parameters, time, speeds, inputs and extra states,
    except for the states ``free``. The coordinates remain."""

    def __init__(self, state: DisplayState, free: Sequence[str] = ()) -> None:
        self.source, self.graph = state.e.graph, Graph()
        kept = {*state.e.layout.q_handles, *(self.source.named(name) for name in free)}
        self._copied = {h: self.graph.const(value) for h, value in state.symbols.items() if h not in kept}

    def copy(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes of the equations in this graph."""
        self._copied = transfer(self.source, nodes, self.graph, self._copied)
        return self._expand([self._copied[n] for n in nodes])

    def _expand(self, nodes: list[Node]) -> list[Node]:
        """Nodes with the pieces of tables in place of these, and numbers in place of users' functions of numbers, such
        as motions prescribed over time."""
        g = self.graph
        while g.calls or g.tables:
            known = dict[Node, Node]()
            for i in live(g, nodes):
                if g.op[i] == CALL:
                    function, operands = g.calls[g.a[i]]
                    arguments = [float(x) for k in operands if (x := g.number(k)) is not None]
                    if len(arguments) == len(operands):
                        known[i] = g.const(function.number(arguments))
                elif g.op[i] == TABLE and len(g.tables[g.b[i]].breaks) <= PIECES:
                    known[i] = _piecewise(g, g.tables[g.b[i]], g.a[i])
            if not known:
                break
            nodes = substitute(g, nodes, known)
        return nodes

    def check(self, nodes: Sequence[Node]) -> None:
        """Raise an UnsupportedError for nodes that a table cannot hold."""
        g = self.graph
        for i in live(g, nodes):
            if g.op[i] in (TABLE, CALL):
                name = g.tables[g.b[i]].name if g.op[i] == TABLE else g.calls[g.a[i]][0].name
                what = f"a table of more than {PIECES} points" if g.op[i] == TABLE else "a Python function"
                raise UnsupportedError(f"'{name}', {what}")
        try:
            require_finite(g, nodes, "its position")
        except ExpressionError as error:
            raise UnsupportedError(str(error)) from None


def _piecewise(g: Graph, table: Table, x: Node) -> Node:
    """The curve at x as a choice between its polynomials."""
    value = g.zero
    for k in reversed(range(len(table.origins))):
        step, polynomial = g.sub(x, g.const(table.origins[k])), g.zero
        for c in reversed(table.coefficients[k]):
            polynomial = g.add(g.mul(polynomial, step), g.const(c))
        value = g.where(g.less(x, g.const(table.breaks[k])), polynomial, value) if k < len(table.breaks) else polynomial
    return value


def movable_model(state: DisplayState) -> MovableModel:
    """The table of a model in a state."""
    e, model = state.e, state.e.tree.model
    flags = dict(zip(e.layout.inputs, state.inputs.tolist(), strict=True))
    engaged = [name for name, c in model.constraints.items() if c.engaged is None or flags[ENGAGED(name)]]
    equations = ConstraintEquations(e.formulation.motion, only=engaged)
    corrections = {name: equations.corrections_by_constraint.get(name, {}) for name in engaged}
    followers = {e.graph.symbols[e.graph.a[h]].name: h for own in corrections.values() for h in own}
    folded, notes, residuals = FoldedGraph(state, list(followers)), list[str](), list[Node]()
    poses = folded.copy([h for row in body_poses(e.tree) for h in row])
    try:
        folded.check(poses)
    except UnsupportedError as reason:
        return MovableModel(None, (f"There are no sliders: poses depend on {reason}.",))
    for name, own in corrections.items():
        rows = [row.residual for key, row in equations.rows.items() if key.constraint == name]
        nodes = folded.copy([*(phi.handle for phi in rows if phi is not None), *own.values()])
        try:
            folded.check(nodes)
            residuals += nodes
        except UnsupportedError as reason:
            notes.append(f"Sliders do not keep the constraint '{name}': it depends on {reason}.")
    g, symbols = folded.graph, folded.copy([*e.layout.q_handles, *followers.values()])
    residuals += _unit_lengths(g, residuals, symbols, quaternions(e.tree))
    slopes = sorted(jacobian(g, residuals, symbols).items())
    moved = {i: k for k, i in enumerate(dict.fromkeys(i for (i, _), _ in slopes))}  # the others are numbers
    rows_of_table, at = _rows(g, [*poses, *(residuals[i] for i in moved), *(node for _, node in slopes)], symbols)
    table = MotionTable(
        *rows_of_table,
        movable_coordinates(state, list(followers)),
        np.array([at[h] for h in poses], np.uint32).reshape(-1, 12),
        np.array([at[residuals[i]] for i in moved], np.uint32),
        np.array([(moved[i], j, at[node]) for (i, j), node in slopes], np.uint32).reshape(-1, 3),
    )
    if beyond := coordinates_beyond_limits(state):
        notes.append(f"Beyond {'its' if len(beyond) == 1 else 'their'} limits: {listed(beyond, 5)}.")
    return MovableModel(table, tuple(notes))


def coordinates_beyond_limits(state: DisplayState) -> list[str]:
    """Coordinates with one freedom that the state puts beyond the limits of their joints."""
    values, beyond = dict(zip(state.e.layout.q, state.q.tolist(), strict=True)), list[str]()
    for body in (stages[-1].described for stages in state.e.tree.bodies):
        name, limits = body.names[0][0] if body.names[0] else "", body.joint.limits
        if len(body.joint.coordinates) == 1 and limits is not None and name in values:
            low, high = (float(x) for x in limits)
            beyond += [] if low - 1e-9 <= values[name] <= high + 1e-9 else [name]
    return beyond


def _unit_lengths(g: Graph, residuals: Sequence[Node], symbols: Sequence[Node], starts: Sequence[int]) -> list[Node]:
    """½(q·q − 1) of the quaternions in residuals: changes of their components must keep the length."""
    used, lengths = set(live(g, residuals)), list[Node]()
    for k in starts:
        if used.intersection(symbols[k : k + 4]):
            total = g.neg(g.one)
            for x in symbols[k : k + 4]:
                total = g.add(total, g.mul(x, x))
            lengths.append(g.mul(g.const(0.5), total))
    return lengths


def movable_coordinates(state: DisplayState, followers: Sequence[str] = ()) -> list[MovableCoordinate]:
    """The coordinates of the tree, and extra states that follow them."""
    e, coordinates = state.e, dict[str, MovableCoordinate]()
    index, modal, starts = {name: k for k, name in enumerate(e.layout.q)}, modal_states(e), quaternions(e.tree)
    for body in (stages[-1].described for stages in e.tree.bodies):
        freedoms, limits = body.freedoms, body.joint.limits if len(body.joint.coordinates) == 1 else None
        for name, unit, size in zip(body.names[0], freedoms.units[0], freedoms.magnitudes, strict=True):
            if name not in index:  # it is prescribed or coupled
                continue
            k, value, scale = index[name], float(state.q[index[name]]), 1.0
            if k in modal:
                reach = BENT * {"m": state.size, "rad": 1.0}.get(unit, size)
                low, high, scale = value - reach, value + reach, STIFF * reach
            elif any(start <= k < start + 4 for start in starts):
                low, high = -1.0, 1.0
            elif unit == "m":
                low, high, scale = value - state.size, value + state.size, state.size
            else:
                low, high = min(-np.pi, value), max(np.pi, value)
            limited = limits is not None and k not in modal and bool(np.isfinite(limits).all())
            if limits is not None and k not in modal:
                below, above = (float(x) for x in limits)
                low = min(below, value) if np.isfinite(below) else low
                high = max(above, value) if np.isfinite(above) else high
            coordinates[name] = MovableCoordinate(
                name, body.name, unit, low, high, value, k in starts, False, scale, limited
            )
    states = dict(zip(e.layout.z, state.z.tolist(), strict=True))
    for name in followers:
        unit, value = e.graph.symbol_named(name).unit, states[name]
        scale = state.size if unit == "m" else 1.0
        coordinates[name] = MovableCoordinate(
            name, "", unit, value - 4 * scale, value + 4 * scale, value, follows=True, scale=scale
        )
    return [coordinates[name] for name in (*e.layout.q, *followers)]


class TableRows(NamedTuple):
    """The operations of a table: their codes, operands, and numbers."""

    op: NDArray[np.uint8]
    a: NDArray[np.uint32]
    b: NDArray[np.uint32]
    c: NDArray[np.uint32]
    numbers: Array


def _rows(g: Graph, roots: Sequence[Node], symbols: Sequence[Node]) -> tuple[TableRows, dict[Node, int]]:
    """The operations that the roots need, and the row of each node."""
    negative = {i for i in all_nodes(g) if g.op[i] == NEG and g.op[g.a[i]] == CONST}
    inputs, numbers, at = {h: k for k, h in enumerate(symbols)}, list[float](), dict[Node, int]()
    rows = list[tuple[int, int, int, int]]()
    for row, i in enumerate(live(g, roots, negative)):
        at[i], number = row, g.number(i)
        if number is not None:
            rows.append((NUMBER, len(numbers), 0, 0))
            numbers.append(float(number))
        elif g.op[i] == SYMBOL:
            rows.append((INPUT, inputs[i], 0, 0))
        else:
            a, b, c = (at[k] if n < ARITY[g.op[i]] else 0 for n, k in enumerate((g.a[i], g.b[i], g.c[i])))
            rows.append((g.op[i], a, b, c))
    op, a, b, c = np.ascontiguousarray(np.array(rows, np.uint32).reshape(-1, 4).T)
    return TableRows(op.astype(np.uint8), a, b, c, np.array(numbers, float)), at
