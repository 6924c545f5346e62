"""The joints, one file each, and the table that names them."""

from freebody.model.joints.base import Joint, Placement
from freebody.model.joints.block import BuildingBlock
from freebody.model.joints.compound import Compound
from freebody.model.joints.custom import Custom
from freebody.model.joints.cylindrical import Cylindrical
from freebody.model.joints.dress import dressed
from freebody.model.joints.free import Free
from freebody.model.joints.planar import Planar
from freebody.model.joints.prismatic import Prismatic
from freebody.model.joints.revolute import Revolute
from freebody.model.joints.screw import Screw
from freebody.model.joints.simple import Simple
from freebody.model.joints.spherical import Spherical
from freebody.model.joints.universal import Universal
from freebody.model.joints.weld import Weld

JOINTS: dict[str, type[Joint]] = {
    "weld": Weld, "revolute": Revolute, "prismatic": Prismatic, "cylindrical": Cylindrical, "universal": Universal,
    "spherical": Spherical, "free": Free, "planar": Planar, "screw": Screw, "building block": BuildingBlock,
    "simple": Simple, "custom": Custom, "compound": Compound,
}  # fmt: skip
ALIASES = {
    "fixed": "weld", "pin": "revolute", "hinge": "revolute", "continuous": "revolute", "slider": "prismatic",
    "translational": "prismatic", "cardan": "universal", "hooke": "universal", "ball": "spherical",
    "floating": "free", "6dof": "free", "helical": "screw",
}  # fmt: skip

__all__ = [
    "ALIASES", "JOINTS", "BuildingBlock", "Compound", "Custom", "Cylindrical", "Free", "Joint", "Placement", "Planar",
    "Prismatic", "Revolute", "Screw", "Simple", "Spherical", "Universal", "Weld", "dressed",
]  # fmt: skip
