"""A point that stays on a curve of another body, which three functions of a parameter s describe.

The parameter is an extra state: ṡ = c′·v/|c′|², with c′ the derivative of the curve and v the velocity of the point as
seen from the curve's body. It follows the point, and projections correct it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from freebody.drawing import Anchor, DrawnConstraint, Triple
from freebody.errors import FieldError
from freebody.model.body import BodyValue, Reference
from freebody.model.constraints.base import (
    Constraint,
    ConstraintMotionView,
    ConstraintRow,
    RowForm,
    require_fixed,
)
from freebody.model.constraints.cut_joint import position_and_twist
from freebody.model.constraints.point_motion import force_row, relative_motion
from freebody.model.declarations import State
from freebody.model.element import Given, field
from freebody.model.joints.axes import unit
from freebody.model.joints.resisted import triad
from freebody.model.kinds import FieldKind, ListOf, Number, ScalarValue, Scope
from freebody.model.laws import Definitions, Law, call_law, law_scope
from freebody.model.picture import Picture
from freebody.model.placed import PlacedBodies
from freebody.model.vectors import BodyField, PointField, PointSpec, PointValue
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute, symbols_of
from freebody.spatial.vector import Vector, components, vector

CURVE = np.linspace(-np.pi, np.pi, 181)
"""How far from its start the parameter of a curve goes in a picture."""


@dataclass(frozen=True)
class CurveField(ListOf):
    """Three functions of s, or a Python function that returns them."""

    def read(self, value: Any, scope: Scope) -> Any:
        return super().read(call_law(value, scope), scope)


class CurvePoint(NamedTuple):
    """The point c of a curve at s, with c′, c″ and the explicit rates ∂c/∂t, ∂c′/∂t, ∂²c/∂t²."""

    at: Vector
    slope: Vector
    bend: Vector
    rate: Vector
    slope_rate: Vector
    second_rate: Vector


@dataclass(frozen=True, eq=False)
class PointOnCurve(Constraint):
    """A point of one body, fixed there, stays on a curve of another. The curve has the coordinates ``curve`` along the
    axes of the other body, from its origin: three functions of a parameter s, which may depend on time as well. The
    derivative of the curve must not be zero anywhere. The parameter is the extra state ``name.s``; ``start`` is where
    it begins to look for the curve's point that is nearest to the body's.

    The multipliers are the forces ``normal.1`` and ``normal.2`` on the first body in N, along two directions across the
    curve."""

    point: Given[PointValue] = field(PointField(), "point that stays on the curve")
    curve: Given[Sequence[ScalarValue] | Callable[..., Any]] = field(
        CurveField(Law(), 3), "coordinates of the curve, functions of s", unit="m"
    )
    on: Given[BodyValue] = field(BodyField(), "body that carries the curve", default="ground")
    start: Given[float] = field(Number(), "value of s near which the point is at first", default=0.0)
    definitions: Given[Mapping[str, ScalarValue] | None] = field(
        Definitions(), "named expressions that the curve may use", default=None
    )
    _: KW_ONLY
    argument: Any = field(FieldKind(), "symbol of s in the functions", default=None, derived=True)
    parameter: Any = field(FieldKind(), "symbol of the state s", default=None, derived=True)
    kind: ClassVar[str] = "point_on_curve"

    def law_scope(self, scope: Scope) -> Scope:
        return law_scope(scope, {"s": self._argument(scope)}, self.definitions)

    def _argument(self, scope: Scope) -> Expr:
        return Expr(scope.graph, scope.graph.symbol(f"{self.name}.curve.s", Kind.INTERMEDIATE))

    def argument_names(self) -> dict[Node, str]:
        return {self.argument.handle: "s"}

    @property
    def state_names(self) -> tuple[str, ...]:
        return (f"{self.name}.s",)

    def finalise(self, scope: Scope) -> "PointOnCurve":
        if self.parameter is not None or not isinstance(self.point, PointSpec) or not self.point.is_read:
            return self
        if self.point.body == self.on:
            raise FieldError(f"the point and the curve belong to '{self.on}', which is rigid; name two bodies")
        require_fixed(self.point, scope)
        argument, g = self._argument(scope), scope.graph
        nodes = [x.handle for x in self.curve if isinstance(x, Expr)]
        others = [g.symbols[g.a[i]] for i in symbols_of(g, nodes) if i != argument.handle]
        names = [s.name for s in others if s.kind not in (Kind.PARAMETER, Kind.TIME)]
        if names:
            raise FieldError(f"a curve may depend on s, parameters and time, not on {', '.join(names)}", "curve")
        if all(x == g.zero for x in jvp(g, nodes, {argument.handle: g.one})):
            raise FieldError(
                "it does not depend on s, so it is a single point; for that, close the loop by fb.Spherical()", "curve"
            )
        curve = tuple(x if isinstance(x, Expr) else Expr(g, g.const(x)) for x in self.curve)
        state = g.symbol(self.state_names[0], Kind.STATE, f"parameter of the curve of {self.name}")
        return replace(self, curve=curve, definitions=None, argument=argument, parameter=Expr(g, state))

    def bodies(self) -> tuple[str, ...]:
        return self.point.body, self.on

    def _curve(self, graph: Graph, body: Reference) -> CurvePoint:
        """The curve at s in a graph that holds its functions."""
        s, t = self.argument.handle, graph.symbol("t", Kind.TIME, "time", "s")

        def derivative(xyz: Sequence[Node], variable: Node) -> list[Node]:
            return jvp(graph, xyz, {variable: graph.one})

        at = [x.handle for x in self.curve]
        slope, rate = derivative(at, s), derivative(at, t)
        parts = at, slope, derivative(slope, s), rate, derivative(slope, t), derivative(rate, t)
        here = {s: self.parameter.handle}
        return CurvePoint(*(vector(body.frame, substitute(graph, list(xyz), here)) for xyz in parts))

    def states(self, placed: PlacedBodies) -> dict[str, State]:
        """The state s: ṡ = c′·(v − ∂c/∂t)/|c′|²."""
        body = placed.body(self.on)
        _, twist = position_and_twist(body.origin, placed.point(self.point))
        c = self._curve(placed.graph, body)
        rate = c.slope.dot(twist.linear - c.rate) / c.slope.dot(c.slope)
        (name,) = self.state_names
        description = placed.graph.symbol_named(name).description
        return {name: State(symbol=self.parameter, rate=rate, initial=self.start, description=description)}

    def state_corrections(self, motion: ConstraintMotionView) -> dict[Node, Node]:
        """Towards the nearest point of the curve, where c′·(p − c) = 0."""
        body = motion.body(self.on)
        c = self._curve(motion.graph, body)
        gap = motion.position(body.origin, motion.point(self.point)) - c.at
        return {self.parameter.handle: (c.slope.dot(gap) / c.slope.dot(c.slope)).handle}

    def symbol_rates(self, graph: Graph) -> dict[Node, Node | None]:
        return {self.parameter.handle: None}

    def drawn(self, picture: Picture) -> DrawnConstraint:
        points = list[Triple]()
        for s in (self.start + CURVE).tolist():
            x, y, z = picture.numbers(self.curve, {self.argument.handle: s})
            points.append((x, y, z))
        start = picture.anchor(self.point, f"constraint '{self.name}'")
        drawn = super().drawn(picture)
        return replace(drawn, symbol="curve", start=start, end=Anchor(self.on, (0, 0, 0)), curve=tuple(points))

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        """φ = n·(p − c) for two directions n across the curve. Where the point is on the curve, v − ∂c/∂t = c′ ṡ, so
        that φ̇ = n·(v − ∂c/∂t) and φ̈ = n·(a − ∂²c/∂t² − 2 ṡ ∂c′/∂t − ṡ² c″), because n·c′ stays zero."""
        point, body, g = motion.point(self.point), motion.body(self.on), motion.graph
        p, v, a = relative_motion(motion, body.origin, point)
        c = self._curve(g, body)
        s_rate = c.slope.dot(v - c.rate) / c.slope.dot(c.slope)
        across = a - c.second_rate - c.slope_rate * (s_rate * 2) - c.bend * (s_rate * s_rate)
        tangent = unit(g, components(c.slope, body.frame), f"constraint '{self.name}'")
        rows = list[ConstraintRow]()
        for k, xyz in enumerate(triad(g, tangent)[:2]):
            n = vector(body.frame, xyz)
            explicit = -n.dot(c.rate)
            label = f"normal.{k + 1}"
            rows.append(force_row(motion, body.origin, point, n, label, n.dot(p - c.at), n.dot(across), explicit))
        return rows
