"""Constraints given by an expression that is zero: of coordinates and time, or linear in speeds."""

from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.errors import FieldError
from freebody.model.constraints.base import Constraint, ConstraintMotionView, ConstraintRow, RowForm
from freebody.model.element import field
from freebody.model.kinds import ListOf, Scope, Symbolic, Text
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import symbols_of

REFUSED = Kind.STATE | Kind.INPUT | Kind.INTERMEDIATE | Kind.ACCELERATION
"""Kinds of symbols that expressions of constraints may not use: their rates are not known, or not linear in speeds."""


@dataclass(frozen=True, eq=False)
class ExpressionConstraint(Constraint):
    """Expressions that are kept at zero. One without speeds restricts coordinates: φ(q, t) = 0. One with speeds must be
    linear in them, and restricts speeds alone: g(q, t)·u + h(q, t) = 0."""

    value: Any = field(ListOf(Symbolic(), alone=True), "expression that is zero, or several")
    unit: Any = field(Text(), "unit of the expressions", default="")
    kind: ClassVar[str] = "expression"
    short: ClassVar[str] = "value"

    def finalise(self, scope: Scope) -> "ExpressionConstraint":
        if not isinstance(self.value, tuple) or not all(isinstance(v, Expr) for v in self.value):
            return self
        if not self.value:
            raise FieldError("it has no expression; give one or several that are to be zero", "value")
        g = scope.graph
        for v in self.value:
            names = [s.name for i in symbols_of(g, [v.handle]) if (s := g.symbols[g.a[i]]).kind & REFUSED]
            if names:
                raise FieldError(
                    f"a constraint may depend on coordinates, speeds, parameters and time, not on {', '.join(names)}:"
                    " its forces follow from rates of the expression that must be known. For a motion that an input"
                    " drives, use a load, or a law of time"
                )
        return self

    def bodies(self) -> tuple[str, ...]:
        return ()

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        labels = [""] if len(self.value) == 1 else [str(k + 1) for k in range(len(self.value))]
        return [self._row(motion, motion.scalar(v), label) for v, label in zip(self.value, labels, strict=True)]

    def _row(self, motion: ConstraintMotionView, value: Expr, label: str) -> ConstraintRow:
        g = motion.graph
        with_speeds = bool(g.mask[value.handle] & Kind.SPEED)
        velocity = value if with_speeds else motion.rate(value)
        forces = motion.speed_gradient(velocity)
        if any(g.mask[f.handle] & Kind.SPEED for f in forces.values()):
            raise FieldError(
                f"constraint '{self.name}': the expression is not linear in the speeds. Forces of constraints follow"
                " from equations that are linear in speeds; solve for a speed, or use a load that controls the motion"
            )
        return ConstraintRow(
            label, (), None if with_speeds else value, motion.rate(velocity), self.unit, forces,
            motion.at_rest(velocity),
        )  # fmt: skip
