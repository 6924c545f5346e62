"""A point that stays on a surface of another body, which an equation f(x, y, z) = 0 describes."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar

from freebody.drawing import Anchor, DrawnConstraint
from freebody.errors import FieldError
from freebody.model.body import BodyValue
from freebody.model.constraints.base import (
    GEOMETRY,
    Constraint,
    ConstraintMotionView,
    ConstraintRow,
    RowForm,
    require_kinds,
)
from freebody.model.constraints.point_motion import force_row, relative_motion
from freebody.model.element import Given, field
from freebody.model.kinds import FieldKind, ScalarValue, Scope
from freebody.model.laws import Definitions, Law, law_scope
from freebody.model.picture import Picture
from freebody.model.vectors import BodyField, PointField, PointSpec, PointValue
from freebody.scalar.derivative import gradient, jvp
from freebody.scalar.expr import Expr, sqrt, where
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute
from freebody.spatial.vector import components, vector


@dataclass(frozen=True, eq=False)
class PointOnSurface(Constraint):
    """A point of one body stays on a surface of another. The surface is where ``law`` is zero: a function of the
    position x, y, z of the point along the axes of the other body, from its origin. It may depend on time as well. Two
    such surfaces make a curve.

    The multiplier is the force along the gradient of the law on the first body, in N. The gradient must not be zero on
    the surface: use x - y, not (x - y)**2."""

    point: Given[PointValue] = field(PointField(), "point that stays on the surface")
    law: Given[ScalarValue | Callable[..., Any]] = field(Law(), "function of x, y and z that is zero on the surface")
    on: Given[BodyValue] = field(BodyField(), "body that carries the surface", default="ground")
    definitions: Given[Mapping[str, ScalarValue] | None] = field(
        Definitions(), "named expressions that the law may use", default=None
    )
    _: KW_ONLY
    arguments: Any = field(FieldKind(), "symbols of x, y and z in the law", default=None, derived=True)
    kind: ClassVar[str] = "point_on_surface"

    def law_scope(self, scope: Scope) -> Scope:
        return law_scope(scope, dict(zip("xyz", self._symbols(scope), strict=True)), self.definitions)

    def _symbols(self, scope: Scope) -> tuple[Expr, ...]:
        g = scope.graph
        return tuple(Expr(g, g.symbol(f"{self.name}.{c}", Kind.INTERMEDIATE)) for c in "xyz")

    def argument_names(self) -> dict[Node, str]:
        return {symbol.handle: c for symbol, c in zip(self.arguments, "xyz", strict=True)}

    def finalise(self, scope: Scope) -> "PointOnSurface":
        if self.arguments is not None or not isinstance(self.point, PointSpec) or not self.point.is_read:
            return self
        if self.point.body == self.on:
            raise FieldError(f"the point and the surface belong to '{self.on}', which is rigid; name two bodies")
        symbols = self._symbols(scope)
        if not isinstance(self.law, Expr) or all(
            x == scope.graph.zero for x in gradient(scope.graph, self.law.handle, [s.handle for s in symbols])
        ):
            raise FieldError(f"the law must depend on x, y or z; {self.law} is zero nowhere or everywhere")
        require_kinds(self, GEOMETRY)
        return replace(self, definitions=None, arguments=symbols)

    def bodies(self) -> tuple[str, ...]:
        return self.point.body, self.on

    def drawn(self, picture: Picture) -> DrawnConstraint:
        """The point alone: the surface is an equation."""
        start = picture.anchor(self.point, f"constraint '{self.name}'")
        return replace(super().drawn(picture), symbol="bead", start=start, end=Anchor(self.on, (0, 0, 0)))

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        """With v and a of the point as seen from the body: ḟ = ∇f·v + ∂f/∂t and
        f̈ = ∇f·a + v·∇∇f·v + 2 v·∇ ∂f/∂t + ∂²f/∂t², both divided by |∇f|, which is exact where f = 0 and ḟ = 0."""
        g, point, body = motion.graph, motion.point(self.point), motion.body(self.on)
        f, frame = motion.scalar(self.law).handle, body.frame
        p, p_rate, p_second = (components(x, frame) for x in relative_motion(motion, body.origin, point))
        x = [motion.scalar(symbol).handle for symbol in self.arguments]
        v = [g.symbol(f"{self.name}.v{c}", Kind.INTERMEDIATE) for c in "xyz"]
        explicit = motion.rate(Expr(g, f)).handle
        rate = g.add(jvp(g, [f], dict(zip(x, v, strict=True)))[0], explicit)
        second = jvp(g, [rate], dict(zip([*x, *v], [*v, *p_second], strict=True)))[0]
        second = g.add(second, motion.rate(Expr(g, rate)).handle)
        here = dict(zip([*x, *v], [*p, *p_rate], strict=True))
        *slope, f, explicit, second = substitute(g, [*gradient(g, f, x), f, explicit, second], here)
        normal = vector(frame, slope)
        size, flag = sqrt(normal.dot(normal)), self.flag(g)
        size = size if flag is None else where(flag, size, 1)  # elsewhere the gradient may be zero
        scaled = [Expr(g, h) / size for h in (f, second, explicit)]
        return [force_row(motion, body.origin, point, normal / size, "", *scaled)]
