"""The joints, one file each, and the table that names them."""

from freebody.model.joints.base import JOINTS, Joint, Placement
from freebody.model.joints.block import BuildingBlock
from freebody.model.joints.compound import Compound
from freebody.model.joints.custom import Custom
from freebody.model.joints.cylindrical import Cylindrical
from freebody.model.joints.free import Free
from freebody.model.joints.planar import Planar
from freebody.model.joints.prismatic import Prismatic
from freebody.model.joints.revolute import Revolute
from freebody.model.joints.screw import Screw
from freebody.model.joints.simple import Simple
from freebody.model.joints.spherical import Spherical
from freebody.model.joints.universal import Universal
from freebody.model.joints.weld import Weld

JOINTS.update({joint.kind: joint for joint in (
    Weld, Revolute, Prismatic, Cylindrical, Universal, Spherical, Free, Planar, Screw, BuildingBlock, Simple, Custom,
    Compound,
)})  # fmt: skip

__all__ = [
    "JOINTS", "BuildingBlock", "Compound", "Custom", "Cylindrical", "Free", "Joint", "Placement", "Planar",
    "Prismatic", "Revolute", "Screw", "Simple", "Spherical", "Universal", "Weld",
]  # fmt: skip
