"""What a URDF file says, as plain data: links, joints, and what the system keeps of them under their own names."""

from dataclasses import dataclass, field
from math import inf
from typing import Literal

from freebody.io.urdf_pose import Pose, Rows, Trio
from freebody.model.shapes import Box, Cylinder, Mesh, Sphere

Kind = Literal["fixed", "revolute", "continuous", "prismatic", "planar", "floating"]
KINDS: tuple[Kind, ...] = ("fixed", "revolute", "continuous", "prismatic", "planar", "floating")


@dataclass(frozen=True)
class Mimic:
    """q of this joint = multiplier · q of another + offset."""

    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class Inertial:
    """Mass, mass centre and inertia about it, along the link's axes."""

    mass: float = 0
    com: Trio = (0, 0, 0)
    inertia: Rows = ((0, 0, 0), (0, 0, 0), (0, 0, 0))

    @property
    def nothing(self) -> bool:
        return self.mass == 0 and all(v == 0 for row in self.inertia for v in row)


@dataclass(frozen=True)
class RobotLink:
    """A link; ``body`` is what it is called in the system."""

    name: str
    body: str
    inertial: Inertial
    shapes: tuple[Box | Cylinder | Sphere | Mesh, ...]
    line: int


@dataclass(frozen=True)
class RobotJoint:
    """A joint as the file says it; ``body`` is the system's name for its child, which its coordinates have too.

    ``locked`` is the value at which it is held, None where it moves.
    """

    name: str
    kind: Kind
    parent: str
    child: str
    body: str
    origin: Pose
    axis: Trio
    lower: float = -inf
    upper: float = inf
    effort: float = inf
    velocity: float = inf
    damping: float = 0
    friction: float = 0
    mimic: Mimic | None = None
    locked: float | None = None
    line: int = 0

    @property
    def moves(self) -> bool:
        return self.kind != "fixed" and self.locked is None


@dataclass(frozen=True)
class Robot:
    """A robot's links and joints by their names in the file, parents first; ``root`` is the link that has no parent."""

    name: str
    root: str
    floating: bool
    links: dict[str, RobotLink] = field(default_factory=dict)
    joints: dict[str, RobotJoint] = field(default_factory=dict)
