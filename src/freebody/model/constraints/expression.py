"""Constraints given by an expression that is zero: of coordinates and time, or linear in speeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.errors import FieldError
from freebody.model.constraints.base import (
    GEOMETRY,
    Constraint,
    ConstraintMotionView,
    ConstraintRow,
    RowForm,
    require_kinds,
)
from freebody.model.element import Given, expressions, field
from freebody.model.kinds import ListOf, ScalarValue, Scope, Text
from freebody.model.vectors import OutputField, VectorValue
from freebody.scalar.derivative import gradient
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import symbols_of


@dataclass(frozen=True, eq=False)
class ExpressionConstraint(Constraint):
    """Expressions that are kept at zero: scalars, or vectors, which are three equations along the axes of the ground.
    One without speeds restricts coordinates: φ(q, t) = 0. One with speeds must be linear in them, and restricts speeds
    alone: g(q, t)·u + h(q, t) = 0.

    A multiplier λ is the force Gᵀλ on the speeds, with G the derivative of the expression, or of its rate, with respect
    to them."""

    value: Given[ScalarValue | VectorValue | Sequence[ScalarValue | VectorValue]] = field(
        ListOf(OutputField(), alone=True), "expression that is zero, or several"
    )
    unit: str = field(Text(), "unit of the expressions", default="")
    kind: ClassVar[str] = "expression"
    short: ClassVar[str] = "value"

    def finalise(self, scope: Scope) -> "ExpressionConstraint":
        if isinstance(self.value, tuple) and not self.value:
            raise FieldError("it has no expression; give one or several that are to be zero", "value")
        require_kinds(self, GEOMETRY | Kind.SPEED)
        for x in self.value if isinstance(self.value, tuple) else ():
            if isinstance(x, Expr) and (number := x.graph.number(x.handle)) not in (None, 0):
                raise FieldError(f"the expression is always {number}, not zero; it needs coordinates or speeds")
            if isinstance(x, Expr | tuple):
                _require_linear(x)
        return self

    def bodies(self) -> tuple[str, ...]:
        return ()

    @property
    def expressions(self) -> tuple[Any, ...]:
        return tuple(self.value)

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        scalars = dict[str, Expr]()
        for k, value in enumerate(self.value):
            prefix = str(k + 1) if len(self.value) > 1 else ""
            if isinstance(value, tuple):
                xyz = motion.vector(value).resolve(motion.body("ground").frame)
                scalars |= {f"{prefix}.{c}".lstrip("."): x for c, x in zip("xyz", xyz, strict=True)}
            else:
                scalars[prefix] = motion.scalar(value)
        return [self._row(motion, value, label) for label, value in scalars.items()]

    def _row(self, motion: ConstraintMotionView, value: Expr, label: str) -> ConstraintRow:
        g = motion.graph
        with_speeds = bool(g.mask[value.handle] & Kind.SPEED)
        velocity = value if with_speeds else motion.rate(value)
        forces = motion.speed_gradient(velocity)
        return ConstraintRow(
            label,
            (),
            None if with_speeds else value,
            motion.rate(velocity),
            self.unit,
            forces,
            motion.at_rest(velocity),
        )


def _require_linear(value: Any) -> None:
    """Raise if an expression, or a component of a vector, is not linear in speeds."""
    for x in expressions(value):
        g = x.graph
        speeds = [i for i in symbols_of(g, [x.handle]) if g.symbols[g.a[i]].kind is Kind.SPEED]
        if any(g.mask[slope] & Kind.SPEED for slope in gradient(g, x.handle, speeds)):
            raise FieldError(
                "the expression is not linear in the speeds. Forces of constraints follow from equations that are"
                " linear in speeds; solve for a speed, or use a load that controls the motion"
            )
