"""freebody: from a description of a mechanical system to the smallest and fastest equations of motion."""

from freebody.api import (
    ChainBody,
    ChainMatrices,
    Compiled,
    Equations,
    Explicit,
    Layout,
    Matrix,
    System,
    Trajectory,
    chain_inertia,
    coriolis_matrix,
    end_effector_pose,
    gravity_potential,
    layout,
    load,
    poincare_function,
)
from freebody.model.inertia import box, cone, cylinder, diagonal, disk, ring, rod, shell, sphere
from freebody.model.joints import (
    BuildingBlock,
    Compound,
    Custom,
    Cylindrical,
    Free,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Simple,
    Spherical,
    Universal,
    Weld,
    joint_configuration,
    joint_map,
    kinematic_matrix,
)
from freebody.model.shapes import Box, Cylinder, Mesh, Sphere
from freebody.scalar.callback import callback
from freebody.scalar.expr import (
    apply,
    atan2,
    cos,
    exp,
    floor,
    log,
    lookup,
    maximum,
    minimum,
    sin,
    sqrt,
    tan,
    tanh,
    where,
)
from freebody.scalar.table import table
from freebody.simulation.plant import Event

__version__ = "0.1.0"

__all__ = [
    "Box", "BuildingBlock", "ChainBody", "ChainMatrices", "Compiled", "Compound", "Custom", "Cylinder", "Cylindrical",
    "Equations", "Event", "Explicit", "Free", "Layout", "Matrix", "Mesh", "Planar", "Prismatic", "Revolute", "Screw",
    "Simple", "Sphere", "Spherical", "System", "Trajectory", "Universal", "Weld", "apply", "atan2", "box", "callback",
    "chain_inertia", "cone", "coriolis_matrix", "cos", "cylinder", "diagonal", "disk", "end_effector_pose", "exp",
    "floor", "gravity_potential", "joint_configuration", "joint_map", "kinematic_matrix", "layout", "load", "log",
    "lookup", "maximum", "minimum", "poincare_function", "ring", "rod", "shell", "sin", "sphere", "sqrt", "table",
    "tan", "tanh", "where",
]  # fmt: skip
