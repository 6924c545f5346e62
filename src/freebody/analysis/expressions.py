"""The equations of motion as matrices of expressions, for laws: M u̇ = f + F w, Coriolis matrix, Jacobians of points,
the regressor. Their entries are those of the passes over the tree; nothing is inverted."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.formulations.structure import bias, gravity
from freebody.quantities import location
from freebody.quantities.coriolis import Flows, coriolis_entries
from freebody.quantities.forces import applied_forces
from freebody.quantities.kinematics import matrix, placement, rates, require_standard
from freebody.quantities.regressor import regressor_rows
from freebody.scalar.derivative import jacobian, jvp
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute, transfer
from freebody.tables import counted
from freebody.tree.inertia import base_inertias
from freebody.tree.joint_forces import armatures
from freebody.tree.tree import require_joints

Exprs = NDArray[np.object_]


class Expressions:
    """The equations of motion of a system as arrays of expressions, in the order of ``speeds``. They are in a graph of
    their own and combine with expressions of the system."""

    def __init__(self, e: Derivation) -> None:
        require_standard(e, "expressions", exact=True)
        self._e, self.graph = e, Graph()
        self.graph.descend_from(e.graph)
        self._copied: dict[Node, Node] = {}
        self._array([h for group in e.groups().values() for h in group])  # texts beside expressions may use them
        self.speeds: tuple[str, ...] = e.layout.u
        self.inputs: tuple[str, ...] = e.layout.user_inputs

    def __repr__(self) -> str:
        return f"<expressions of {self._e.tree.model.name}: {counted(len(self.speeds), 'speed')}>"

    def _array(self, nodes: Sequence[Node], *shape: int) -> Exprs:
        """Nodes of the equations as an array of expressions."""
        self._copied = transfer(self._e.graph, nodes, self.graph, self._copied)
        array = np.empty(len(nodes), object)
        array[:] = [Expr(self.graph, self._copied[h]) for h in nodes]
        return array.reshape(shape) if shape else array

    @cached_property
    def q(self) -> Exprs:
        """The coordinates."""
        return self._array(self._e.layout.q_handles)

    @cached_property
    def u(self) -> Exprs:
        """The speeds."""
        return self._array(self._e.layout.u_handles)

    @cached_property
    def q_dot(self) -> Exprs:
        """The rates of the coordinates."""
        return self._array(self._e.q_dot)

    @cached_property
    def M(self) -> Exprs:
        """The mass matrix."""
        n = len(self.speeds)
        return self._array([h for row in self._e.full_mass() for h in row], n, n)

    @cached_property
    def bias(self) -> Exprs:
        """f of M u̇ = f + F w: all generalised forces where the inputs are 0, with those that velocities cause."""
        return self._array(bias(self._e))

    @cached_property
    def gravity(self) -> Exprs:
        """The generalised forces of the weight, a part of ``bias``."""
        return self._array(gravity(self._e))

    @cached_property
    def applied(self) -> Exprs:
        """The generalised forces of loads, springs, dampers and friction where the inputs are 0, a part of ``bias``."""
        g = self._e.graph
        symbols = [g.named(name) for name in self.inputs]
        none = {h: g.zero for h in symbols if h is not None}
        return self._array(substitute(g, applied_forces(self._e), none))

    @cached_property
    def armature(self) -> Exprs:
        """The part of ``M`` that rotors make, a diagonal matrix."""
        g, n, rotors = self._e.graph, len(self.speeds), armatures(self._e.tree)
        return self._array([rotors.get(i, g.zero) if i == j else g.zero for i in range(n) for j in range(n)], n, n)

    @cached_property
    def force_matrix(self) -> Exprs:
        """F of M u̇ = f + F w for the inputs w, in their order."""
        e, g = self._e, self._e.graph
        w = [h for name in self.inputs if (h := g.named(name)) is not None]
        entries = jacobian(g, e.force, w)
        if any(g.mask[h] & Kind.INPUT for h in substitute(g, list(entries.values()), self._held())):
            raise ArgumentError(f"system '{e.tree.model.name}': its forces are not linear in the inputs")
        n, m = len(self.speeds), len(w)
        return self._array([entries.get((i, j), g.zero) for i in range(n) for j in range(m)], n, m)

    def _held(self) -> dict[Node, Node]:
        """Zero for what is constant between instants."""
        g = self._e.graph
        return {h: g.zero for name in self._e.layout.held if (h := g.named(name)) is not None}

    @cached_property
    def C(self) -> Exprs:
        """The Coriolis matrix: Ṁ − 2C is skew, and where speeds are rates of coordinates C is that of Christoffel's
        symbols. ``bias`` is −C u, the weight, and the forces of loads."""
        e, n = self._e, len(self.speeds)
        require_joints(e.tree, "the Coriolis matrix", "use bias")
        entries = coriolis_entries(Flows(e.formulation.motion, base_inertias(e.tree)))
        return self._array([entries.get((i, j), e.graph.zero) for i in range(n) for j in range(n)], n, n)

    def jacobian(self, body: Any, at: Sequence[Any] = (0, 0, 0), frame: Any = "ground") -> Exprs:
        """J of (ω, v) = J u + o of a body and its point ``at``, 6 × speeds, along the axes of the ground, of the "body"
        or of another one."""
        where = location(body, at, frame)
        rows = matrix(self._e, where.columns(self._e))
        return self._array([h for row in rows for h in row], 6, len(self.speeds))

    def jacobian_rate(self, body: Any, at: Sequence[Any] = (0, 0, 0), frame: Any = "ground") -> Exprs:
        """J̇, entry by entry."""
        where = location(body, at, frame)
        nodes = [h for row in matrix(self._e, where.columns(self._e)) for h in row]
        return self._array(rates(self._e, nodes), 6, len(self.speeds))

    def pose(self, body: Any, at: Sequence[Any] = (0, 0, 0)) -> tuple[Exprs, Exprs]:
        """R, which maps the body's components to the ground's, and the position of a point in the ground."""
        rows, position = placement(self._e, location(body, at))
        return self._array([h for row in rows for h in row], 3, 3), self._array(position)

    def regressor(self) -> Callable[[Sequence[Any], Sequence[Any]], Exprs]:
        """Y(v, v̇) with Y π = M v̇ + C v + g for reference speeds v and their rates (expressions, texts or numbers), with
        the ten inertial parameters π of each body (``eq.inertial_parameters()``) and C of Christoffel's symbols: where
        v = u, it is the regressor of inverse dynamics. Speeds must be the rates of coordinates."""
        e, n = self._e, len(self.speeds)
        if e.q_dot != list(e.layout.u_handles):
            raise ArgumentError(
                f"system '{e.tree.model.name}': the regressor of reference speeds needs joints whose speeds are the"
                " rates of their coordinates; of free and spherical joints they are not"
            )
        rows = regressor_rows(e)
        width = len(rows[0]) if rows else 0
        Y = [x.handle for x in self._array([h for row in rows for h in row])]
        g, u = self.graph, [x.handle for x in self.u]
        rate = [x.handle for x in self._array(e.accelerations)]

        def at(v: Sequence[Any], v_dot: Sequence[Any]) -> Exprs:
            """Quadratic terms b(u, u) become b(u, v), half their change along v; terms with u̇ those with v̇."""
            speeds, speed_rates = ([self._own(x) for x in some] for some in (v, v_dot))
            half = g.div(g.one, g.const(2))
            still = substitute(g, Y, dict.fromkeys(u, g.zero) | dict(zip(rate, speed_rates, strict=True)))
            moving = substitute(g, Y, dict.fromkeys(rate, g.zero))
            mixed = jvp(g, moving, dict(zip(u, [g.mul(half, h) for h in speeds], strict=True)))
            array = np.empty(len(Y), object)
            array[:] = [Expr(g, g.add(a, b)) for a, b in zip(still, mixed, strict=True)]
            return array.reshape(n, width)

        return at

    def rate(self, value: Any) -> Expr:
        """d/dt of an expression of coordinates, time and parameters along the motion."""
        g, node = self.graph, self._own(value)
        if g.mask[node] & ~(Kind.COORDINATE | Kind.TIME | Kind.PARAMETER):
            raise ArgumentError(f"rate: {Expr(g, node)!r} depends on more than coordinates, time and parameters")
        t = self._array([self._e.tree.t])[0]
        seeds = {q.handle: rate.handle for q, rate in zip(self.q, self.q_dot, strict=True)} | {t.handle: g.one}
        return Expr(g, jvp(g, [node], seeds)[0])

    def _own(self, value: Any) -> Node:
        """The node of an expression of the system, a text or a number in this graph."""
        total = Expr(self.graph, self.graph.zero) + value
        if not isinstance(total, Expr) or total.graph is not self.graph:
            raise ArgumentError(f"{value!r} is no text, number or expression of these equations")
        return total.handle
