"""Flexible bodies: beams, nodes with given mode shapes, and given modal integrals, all as modal data"""

from freebody.model.flexible.base import FLEXIBLE, FlexibleDescription
from freebody.model.flexible.beam import Beam, PointMass, Segment
from freebody.model.flexible.flexible_nodes import FlexibleNodes

FLEXIBLE.add(Beam, FlexibleNodes)

__all__ = ["FLEXIBLE", "Beam", "FlexibleDescription", "FlexibleNodes", "PointMass", "Segment"]
