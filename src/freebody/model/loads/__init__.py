"""The loads, and the table of their names."""

from freebody.model.loads.base import LOADS, Load, LoadWrench, MotionView
from freebody.model.loads.bushing import Bushing
from freebody.model.loads.elastic_transmission import ElasticBelt, ElasticGear
from freebody.model.loads.force_between import ForceBetween, Spring
from freebody.model.loads.forces import Force, JointForce, Torque
from freebody.model.loads.hydraulic_cylinder import HydraulicCylinder
from freebody.model.loads.motor import Motor, Servo

LOADS.add(Force, Torque, ForceBetween, Spring, JointForce, Bushing, ElasticGear, ElasticBelt)
LOADS.add(Motor, Servo, HydraulicCylinder)

__all__ = [
    "LOADS",
    "Bushing",
    "ElasticBelt",
    "ElasticGear",
    "Force",
    "ForceBetween",
    "HydraulicCylinder",
    "JointForce",
    "Load",
    "LoadWrench",
    "MotionView",
    "Motor",
    "Servo",
    "Spring",
    "Torque",
]  # fmt: skip
