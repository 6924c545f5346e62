"""freebody: from a description of a mechanical system to the smallest and fastest equations of motion."""

from freebody.api import Compiled, Equations, Layout, System, Trajectory, layout, load
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
    "Box", "BuildingBlock", "Compiled", "Compound", "Custom", "Cylinder", "Cylindrical", "Equations", "Event", "Free",
    "Layout", "Mesh", "Planar", "Prismatic", "Revolute", "Screw", "Simple", "Sphere", "Spherical", "System",
    "Trajectory", "Universal", "Weld", "apply", "atan2", "box", "callback", "cone", "cos", "cylinder", "diagonal",
    "disk", "exp", "floor", "joint_configuration", "joint_map", "kinematic_matrix", "layout", "load", "log", "lookup",
    "maximum", "minimum", "ring", "rod", "shell", "sin", "sphere", "sqrt", "table", "tan", "tanh", "where",
]  # fmt: skip
