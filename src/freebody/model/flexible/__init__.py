"""Flexible bodies: beams, nodes with given mode shapes, and given modal integrals, all as modal data"""

from freebody.model.flexible.base import FLEXIBLE, FlexibleDescription
from freebody.model.flexible.beam import Beam, PointMass, Segment
from freebody.model.flexible.beam_frame import BeamFrame, FrameMember, FrameSection
from freebody.model.flexible.flexible_nodes import FlexibleNodes
from freebody.model.flexible.modal_integrals import ModalIntegrals, NodeShapes

FLEXIBLE.add(Beam, BeamFrame, FlexibleNodes, ModalIntegrals)

__all__ = [
    "FLEXIBLE", "Beam", "BeamFrame", "FlexibleDescription", "FlexibleNodes", "FrameMember", "FrameSection",
    "ModalIntegrals", "NodeShapes", "PointMass", "Segment",
]  # fmt: skip
