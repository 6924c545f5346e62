"""Flexible bodies, all as modal data: beams, nodes with given mode shapes, given modal integrals, and reduced finite
elements"""

from freebody.model.flexible.base import FLEXIBLE, FlexibleDescription
from freebody.model.flexible.beam import Beam, Segment
from freebody.model.flexible.flexible_nodes import FlexibleNodes
from freebody.model.flexible.modal_integrals import ModalIntegrals, NodeShapes
from freebody.model.flexible.reduced_body import ReducedBody
from freebody.model.flexible.sections import PointMass
from freebody.model.flexible.space_frame import FrameMember, FrameSection, SpaceFrame

FLEXIBLE.add(Beam, SpaceFrame, FlexibleNodes, ModalIntegrals, ReducedBody)

__all__ = [
    "FLEXIBLE",
    "Beam",
    "FlexibleDescription",
    "FlexibleNodes",
    "FrameMember",
    "FrameSection",
    "ModalIntegrals",
    "NodeShapes",
    "PointMass",
    "ReducedBody",
    "Segment",
    "SpaceFrame",
]  # fmt: skip
