"""The constraints, and the table of their names."""

from freebody.model.constraints.base import CONSTRAINTS, Constraint, ConstraintMotionView, ConstraintRow, RowForm
from freebody.model.constraints.closure import Closure
from freebody.model.constraints.expression import ExpressionConstraint

CONSTRAINTS.add(Closure, ExpressionConstraint)

__all__ = [
    "CONSTRAINTS", "Closure", "Constraint", "ConstraintMotionView", "ConstraintRow", "ExpressionConstraint", "RowForm",
]  # fmt: skip
