"""freebody: from a description of a mechanical system to the smallest and fastest equations of motion."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy.random  # noqa: F401 (a Ctrl-C that falls into its import is lost: it must not be left to the first run)

from freebody import wings
from freebody.api import Compiled, Equations, System, Trajectory, load
from freebody.errors import FreebodyError, nearest, renamed
from freebody.model.blocks import (
    PID,
    Backlash,
    Delay,
    Hysteresis,
    Lag,
    Lookup,
    Lookup2D,
    RateLimiter,
    Relay,
    StateSpace,
    TransferFunction,
)
from freebody.model.components import component
from freebody.model.constraints import (
    Belt,
    Closure,
    ExpressionConstraint,
    Gear,
    KnifeEdge,
    PointContact,
    PointOnCurve,
    PointOnLine,
    PointOnPlane,
    PointOnSurface,
    Rod,
    Roll,
)
from freebody.model.contact.joint_stop import JointStop
from freebody.model.contact.material import ContactMaterial
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
)
from freebody.model.loads import Bushing, HydraulicCylinder, Motor, Servo
from freebody.model.sampled import (
    IMU,
    Controller,
    DistanceSensor,
    Encoder,
    ForceTorqueSensor,
    PositionSensor,
    PythonController,
    QuantitySensor,
    StrainGauge,
    Tachometer,
)
from freebody.model.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Extrusion,
    Heightfield,
    Mesh,
    Plane,
    Plate,
    Sphere,
    Tube,
)
from freebody.run.event import Event
from freebody.scalar.expr import (
    apply,
    atan2,
    cos,
    equal,
    exp,
    floor,
    log,
    lookup,
    max,
    min,
    not_equal,
    sin,
    sqrt,
    tan,
    tanh,
    where,
)
from freebody.scalar.functions import callback, table
from freebody.version import VERSION

if TYPE_CHECKING:
    from freebody.analysis.linear_quadratic import bryson, lqe, lqr
    from freebody.api.high_gain import Observer, high_gain_observer
    from freebody.api.kalman import ExtendedKalmanFilter
    from freebody.api.pictures import animate
    from freebody.api.tracking import TrackingLaw, adaptive_control, computed_torque, sliding_mode
    from freebody.fem.interfaces import Tie
    from freebody.fem.structure import Structure
    from freebody.formulations.table import solvers
    from freebody.io.element_meshes import plate_structure, solid_structure
    from freebody.io.layouts import Layout, layout
    from freebody.io.reduced_files import read_reduced
    from freebody.io.structure_files import read_structure
    from freebody.model.flexible.beam import Beam
    from freebody.model.flexible.flexible_nodes import FlexibleNodes
    from freebody.model.flexible.modal_integrals import ModalIntegrals
    from freebody.model.flexible.reduced_body import ReducedBody
    from freebody.model.flexible.space_frame import SpaceFrame
    from freebody.papers.joint_matrices import joint_configuration, joint_map, kinematic_matrix
    from freebody.papers.matrices import Matrix
    from freebody.papers.matrix_equations import MatrixEquations
    from freebody.papers.serial_chain import (
        ChainBody,
        ChainMatrices,
        bracket_matrices,
        chain_inertia,
        coriolis_matrix,
        end_effector_pose,
        gravity_potential,
        poincare_function,
        structure_coefficients,
    )
    from freebody.run.snapshot import Snapshot
    from freebody.viewer.sweep_plots import plot

__version__ = VERSION

__all__ = [
    "IMU",
    "PID",
    "Backlash",
    "Beam",
    "Belt",
    "Box",
    "BuildingBlock",
    "Bushing",
    "Capsule",
    "Closure",
    "Compiled",
    "Compound",
    "Cone",
    "ContactMaterial",
    "Controller",
    "Custom",
    "Cylinder",
    "Cylindrical",
    "Delay",
    "DistanceSensor",
    "Encoder",
    "Equations",
    "Event",
    "ExpressionConstraint",
    "ExtendedKalmanFilter",
    "Extrusion",
    "FlexibleNodes",
    "ForceTorqueSensor",
    "Free",
    "FreebodyError",
    "Gear",
    "Heightfield",
    "HydraulicCylinder",
    "Hysteresis",
    "JointStop",
    "KnifeEdge",
    "Lag",
    "Layout",
    "Lookup",
    "Lookup2D",
    "Mesh",
    "ModalIntegrals",
    "Motor",
    "Observer",
    "Planar",
    "Plane",
    "Plate",
    "PointContact",
    "PointOnCurve",
    "PointOnLine",
    "PointOnPlane",
    "PointOnSurface",
    "PositionSensor",
    "Prismatic",
    "PythonController",
    "QuantitySensor",
    "RateLimiter",
    "ReducedBody",
    "Relay",
    "Revolute",
    "Rod",
    "Roll",
    "Screw",
    "Servo",
    "Simple",
    "Snapshot",
    "SpaceFrame",
    "Sphere",
    "Spherical",
    "StateSpace",
    "StrainGauge",
    "Structure",
    "System",
    "Tachometer",
    "Tie",
    "TrackingLaw",
    "Trajectory",
    "TransferFunction",
    "Tube",
    "Universal",
    "Weld",
    "adaptive_control",
    "animate",
    "apply",
    "atan2",
    "box",
    "bryson",
    "callback",
    "component",
    "computed_torque",
    "cone",
    "cos",
    "cylinder",
    "diagonal",
    "disk",
    "equal",
    "exp",
    "floor",
    "high_gain_observer",
    "layout",
    "load",
    "log",
    "lookup",
    "lqe",
    "lqr",
    "max",
    "min",
    "not_equal",
    "plate_structure",
    "plot",
    "read_reduced",
    "read_structure",
    "ring",
    "rod",
    "shell",
    "sin",
    "sliding_mode",
    "solid_structure",
    "solvers",
    "sphere",
    "sqrt",
    "table",
    "tan",
    "tanh",
    "where",
]  # fmt: skip

if not wings.absent():
    __all__ += [
        "ChainBody",
        "ChainMatrices",
        "Matrix",
        "MatrixEquations",
        "bracket_matrices",
        "chain_inertia",
        "coriolis_matrix",
        "end_effector_pose",
        "gravity_potential",
        "joint_configuration",
        "joint_map",
        "kinematic_matrix",
        "poincare_function",
        "structure_coefficients",
    ]

LATER = {
    "Observer": "freebody.api.high_gain", "high_gain_observer": "freebody.api.high_gain",
    "animate": "freebody.api.pictures", "ExtendedKalmanFilter": "freebody.api.kalman",
    **dict.fromkeys(("TrackingLaw", "adaptive_control", "computed_torque", "sliding_mode"), "freebody.api.tracking"),
    **dict.fromkeys(("bryson", "lqe", "lqr"), "freebody.analysis.linear_quadratic"),
    "solvers": "freebody.formulations.table",
    "Beam": "freebody.model.flexible.beam", "FlexibleNodes": "freebody.model.flexible.flexible_nodes",
    "SpaceFrame": "freebody.model.flexible.space_frame",
    "ModalIntegrals": "freebody.model.flexible.modal_integrals",
    "ReducedBody": "freebody.model.flexible.reduced_body", "Tie": "freebody.fem.interfaces",
    "Structure": "freebody.fem.structure",
    "plate_structure": "freebody.io.element_meshes", "solid_structure": "freebody.io.element_meshes",
    "Snapshot": "freebody.run.snapshot",
    "read_reduced": "freebody.io.reduced_files",
    "read_structure": "freebody.io.structure_files",
    "plot": "freebody.viewer.sweep_plots", "Layout": "freebody.io.layouts", "layout": "freebody.io.layouts",
}  # fmt: skip
"""Names whose modules are imported when they are first asked for, so that `import freebody` stays quick."""


SYSTEM = "s = fb.System('name'), then s.{0}"
FOREIGN = {
    **dict.fromkeys(("Body", "RigidBody", "Link", "Particle"), SYSTEM.format("body(name, joint=…, mass=…, inertia=…)")),
    **dict.fromkeys(("Hinge", "Pin", "PinJoint", "RevoluteJoint"), "fb.Revolute('z')"),
    **dict.fromkeys(("Slider", "PrismaticJoint", "Slide", "Translation"), "fb.Prismatic('x')"),
    **dict.fromkeys(("Ball", "BallJoint", "SphericalJoint"), "fb.Spherical()"),
    **dict.fromkeys(("FreeJoint", "Floating", "FloatingJoint", "SixDof"), "fb.Free()"),
    **dict.fromkeys(("Fixed", "FixedJoint", "WeldJoint"), "fb.Weld()"),
    **dict.fromkeys(("Parameter", "Symbol", "symbols", "Param"), SYSTEM.format("parameter('m', 1.0)")),
    **dict.fromkeys(("Input", "dynamicsymbols"), SYSTEM.format("input('F'); coordinates are those of joints, q.NAME")),
    **dict.fromkeys(("Force", "PointForce"), SYSTEM.format("force(vector, at=point)")),
    **dict.fromkeys(("Torque", "Motor", "Actuator"), SYSTEM.format("joint_force(body, value) or s.torque(…)")),
    **dict.fromkeys(("Spring", "Damper", "LinearSpring"), SYSTEM.format("spring(start, end, stiffness, …)")),
    **dict.fromkeys(("Model", "World", "MultibodyPlant", "Multibody"), "s = fb.System('name')"),
    **dict.fromkeys(("Simulator", "simulate", "Simulation", "run"), SYSTEM.format("simulate(end)")),
    **dict.fromkeys(("load_urdf", "from_urdf", "read_urdf", "loadURDF"), "fb.load('robot.urdf')"),
    **dict.fromkeys(("load_model", "read_model", "load_yaml", "from_yaml", "read"), "fb.load('model.yaml')"),
    **dict.fromkeys(("Point", "ReferenceFrame", "Vector"), "body.point((x, y, z)), body.x, body.vector((x, y, z))"),
    **dict.fromkeys(("pi", "radians", "deg2rad"), "math.pi and math.radians(90); in texts 'pi/2'"),
    **dict.fromkeys(("asin", "acos", "atan", "sinh", "cosh", "abs", "sign", "arctan2"),
                    "numpy's function, which takes expressions: np.arcsin(x), np.arctan2(y, x); in texts 'asin(x)'"),
}  # fmt: skip
"""Names in other libraries, with what to write."""


def __getattr__(name: str) -> Any:
    if name in LATER:
        return getattr(import_module(LATER[name]), name)
    if name.startswith("_") or name not in (places := wings.places("name")):
        hint = renamed(name, __all__)
        if not hint and name in FOREIGN:
            hint = f"Write {FOREIGN[name]}"
        elif not hint and not name.startswith("_") and (close := nearest(name, __all__)):
            hint = f"Did you mean {' or '.join(close)}?"
        more = " ".join(filter(None, (wings.note(), hint)))
        raise AttributeError(f"module 'freebody' has no attribute '{name}'" + (f". {more}" if more else ""))
    return places[name].load()


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
