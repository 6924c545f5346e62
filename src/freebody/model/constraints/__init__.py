"""The constraints, and the table of their names."""

from freebody.model.constraints.base import (
    CONSTRAINTS,
    Constraint,
    ConstraintMotionView,
    ConstraintRow,
    RowForm,
    SideForces,
)
from freebody.model.constraints.belt import Belt
from freebody.model.constraints.closure import Closure
from freebody.model.constraints.expression import ExpressionConstraint
from freebody.model.constraints.gear import Gear
from freebody.model.constraints.knife_edge import KnifeEdge
from freebody.model.constraints.point_contact import PointContact
from freebody.model.constraints.point_on_curve import PointOnCurve
from freebody.model.constraints.point_on_line import PointOnLine
from freebody.model.constraints.point_on_plane import PointOnPlane
from freebody.model.constraints.point_on_surface import PointOnSurface
from freebody.model.constraints.rod import Rod
from freebody.model.constraints.roll import Roll

CONSTRAINTS.add(Closure, ExpressionConstraint, Rod, PointOnPlane, PointOnLine, PointOnSurface, PointOnCurve)
CONSTRAINTS.add(KnifeEdge, Roll, Gear, Belt, PointContact)

__all__ = [
    "CONSTRAINTS", "Belt", "Closure", "Constraint", "ConstraintMotionView", "ConstraintRow", "ExpressionConstraint",
    "Gear", "KnifeEdge", "PointContact", "PointOnCurve", "PointOnLine", "PointOnPlane", "PointOnSurface", "Rod", "Roll",
    "RowForm", "SideForces",
]  # fmt: skip
