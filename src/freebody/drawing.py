"""What pictures of a system need beside its motion: where joints, loads, constraints and sensors are, inertias, and the
meshes of flexible bodies. Everything is plain numbers and names, so that files can hold it.

A body is called by its name; "ground" is the ground. Positions and directions are along the axes of the body that is
named with them. Quaternions are (w, x, y, z) and map the joint's frame to the body's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from freebody.tables import ShortRepr

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Triple = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
GROUND = "ground"
NO_TURN: Quaternion = (1.0, 0.0, 0.0, 0.0)
ConstraintSymbol = Literal["", "joint", "rod", "line", "plane", "curve", "bead", "blade", "wheel"]
"""Pictures of constraints: the joint that closes a loop; a rod between two points; a point on a line, a plane or a
curve; a point alone (bead); a disc that does not slip along its axis (blade); a circle that rolls (wheel)."""


@dataclass(frozen=True)
class Anchor:
    """A point that is fixed in a body."""

    body: str
    at: Triple


@dataclass(frozen=True)
class DrawnAxis:
    """A motion of a joint: a "turn" about, a "slide" along, or a "screw" about and along a direction, ``along``, which
    is fixed in a body and goes through a point."""

    kind: str
    anchor: Anchor
    along: Triple


@dataclass(frozen=True)
class DrawnJoint:
    """A joint: its kind, its frame in the parent (``anchor`` and ``turn``) and in the child (``child`` and
    ``child_turn``), which coincide where all coordinates are zero, and its axes."""

    kind: str
    anchor: Anchor
    turn: Quaternion
    child: Anchor
    axes: tuple[DrawnAxis, ...] = ()
    child_turn: Quaternion = NO_TURN


@dataclass(frozen=True)
class DrawnBody:
    """The mass centre of a body, its inertia about it along the body's axes (xx, yy, zz, xy, xz, yz), and its joint."""

    name: str
    com: Triple
    inertia: tuple[float, float, float, float, float, float]
    joint: DrawnJoint


@dataclass(frozen=True)
class DrawnArrow:
    """A force or torque that acts on a body at a point. ``variable`` is the full name of the recorded vector along the
    ground's axes, or of a number which is multiplied with ``along``, a direction in the body ``frame``; ``sign`` is −1
    for a reaction."""

    kind: str  # "force" or "torque"
    anchor: Anchor
    variable: str
    sign: float = 1.0
    along: Triple | None = None
    frame: str = ""


@dataclass(frozen=True)
class DrawnWheel:
    """The pitch circle of a gear or a pulley: its centre, its axis in the body of the centre, and its radius, negative
    of a ring gear."""

    centre: Anchor
    along: Triple
    radius: float


@dataclass(frozen=True)
class DrawnLine:
    """A line through points of a body: the pitch line of a rack, or a belt."""

    body: str
    points: tuple[Triple, ...]


@dataclass(frozen=True)
class DrawnShape:
    """A shape that takes part in a load: its ``facts`` as in ``BodyInfo.shape``, on a body. It is coloured while the
    number ``variable`` is not 0. ``is_own``: it is one of the shapes with which the body is drawn anyway."""

    body: str
    facts: Mapping[str, Any]
    variable: str
    is_own: bool = False


@dataclass(frozen=True)
class DrawnLoad:
    """A load: its arrows, and the two ends of a force between points. ``style`` of these is "spring", "damper",
    "bushing" or "line"; ``variable`` is the full name of the recorded pull. ``wheels`` and ``lines`` are those of gears
    and belts, ``shapes`` those that a contact is between."""

    name: str
    kind: str
    arrows: tuple[DrawnArrow, ...] = ()
    ends: tuple[Anchor, Anchor] | None = None
    style: str = "line"
    variable: str = ""
    wheels: tuple[DrawnWheel, ...] = ()
    lines: tuple[DrawnLine, ...] = ()
    shapes: tuple[DrawnShape, ...] = ()


@dataclass(frozen=True)
class DrawnConstraint:
    """A constraint: the two points that it connects, if they are fixed in bodies; the joint of a closure; a direction,
    in the second body (of a line, normal to a plane) or in the first (axis of a wheel, in which a knife edge does not
    slip); a radius; points of a curve in the second body; wheels and lines of gears and belts. ``switched``:
    ``engaged.NAME`` is recorded. ``symbol`` says how it is drawn; equations of coordinates alone have no picture."""

    name: str
    kind: str
    start: Anchor | None = None
    end: Anchor | None = None
    joint: DrawnJoint | None = None
    direction: Triple | None = None
    radius: float = 0.0
    curve: tuple[Triple, ...] = ()
    switched: bool = False
    wheels: tuple[DrawnWheel, ...] = ()
    lines: tuple[DrawnLine, ...] = ()
    symbol: ConstraintSymbol = ""


@dataclass(frozen=True)
class DrawnSensor:
    """A sensor at a point, or between two; ``axes`` are its own along those of the body, where it has some."""

    name: str
    kind: str
    place: Anchor
    end: Anchor | None = None
    axes: tuple[Triple, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class FlexibleMesh(ShortRepr):
    """Points of a flexible body, fixed in its frame, with their displacements per unit of each of its internal
    coordinates, and lines and triangles between them."""

    coordinates: tuple[str, ...]
    points: Array  # (p, 3)
    shapes: Array  # (p, 3, n)
    lines: Indices  # (…, 2)
    triangles: Indices  # (…, 3)


@dataclass(frozen=True, eq=False, repr=False)
class DrawnMode(ShortRepr):
    """A mode of a body: displacements of points that lines and triangles connect."""

    title: str
    points: Array  # (p, 3)
    displacements: Array  # (p, 3)
    lines: Indices  # (…, 2)
    triangles: Indices  # (…, 3)


@dataclass(frozen=True, eq=False, repr=False)
class Drawing(ShortRepr):
    """What a picture of a system needs. ``left_out`` says what cannot be drawn, and why."""

    gravity: Triple
    bodies: tuple[DrawnBody, ...]
    loads: tuple[DrawnLoad, ...] = ()
    constraints: tuple[DrawnConstraint, ...] = ()
    meshes: Mapping[str, FlexibleMesh] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    sensors: tuple[DrawnSensor, ...] = ()

    @property
    def wheels(self) -> tuple[DrawnWheel, ...]:
        """The pitch circles of all gears and pulleys."""
        ideal, elastic = ([w for one in some for w in one.wheels] for some in (self.constraints, self.loads))
        return (*ideal, *elastic)

    @property
    def lines(self) -> tuple[DrawnLine, ...]:
        """The lines of all racks and belts."""
        ideal, elastic = ([line for one in some for line in one.lines] for some in (self.constraints, self.loads))
        return (*ideal, *elastic)
