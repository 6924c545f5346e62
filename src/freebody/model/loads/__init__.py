"""The loads, one file each, and the table that names them."""

from freebody.model.loads.base import LOADS, Load, LoadWrench, MotionView
from freebody.model.loads.bushing import Bushing
from freebody.model.loads.force import Force
from freebody.model.loads.force_between import ForceBetween, Spring
from freebody.model.loads.joint_force import JointForce
from freebody.model.loads.torque import Torque

LOADS.update({load.kind: load for load in (Force, Torque, ForceBetween, Spring, JointForce, Bushing)})

__all__ = [
    "LOADS", "Bushing", "Force", "ForceBetween", "JointForce", "Load", "LoadWrench", "MotionView", "Spring", "Torque",
]  # fmt: skip
