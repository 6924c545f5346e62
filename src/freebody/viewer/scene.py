"""The scene that the 3D viewer shows: bodies with shapes, links, arrows, curves, and clips of their motion.

Bodies are numbered; −1 is the ground. Everything that moves with a body has its index. Colours are (red, green, blue)
from 0 to 1; None takes the colour of the body, or the usual one of the layer.

Layers are what can be shown and hidden: bodies, joints, axes, links, constraints, loads and reactions; and frames,
centres, inertia, trails and labels, which the viewer itself draws from the bodies.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freebody.results.motion_table import MotionTable

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Colour = tuple[float, float, float]
GROUND = -1


@dataclass(frozen=True, eq=False)
class Geometry:
    """Triangles. Without normals they are drawn flat. Items share a geometry if they hold the same object."""

    vertices: Array  # (n, 3)
    triangles: Indices  # (m, 3)
    normals: Array | None = None  # (n, 3)


@dataclass(frozen=True, eq=False)
class Item:
    """A geometry on a body. ``transform`` (3, 4) maps its points, also by scaling, to the body's frame. ``made``: the
    shape was not given by the user; ``name``: that of a given shape. ``engaged``: it is shown while the variable with
    this full name is not 0."""

    geometry: Geometry
    body: int
    transform: Array
    color: Colour | None = None
    opacity: float = 1.0
    layer: str = "bodies"
    name: str = ""
    made: bool = False
    engaged: str = ""


@dataclass(frozen=True, eq=False)
class Polyline:
    """A line through points of a body."""

    points: Array  # (n, 3)
    body: int
    color: Colour | None = None
    layer: str = "axes"
    dashed: bool = False
    engaged: str = ""


@dataclass(frozen=True, eq=False)
class SceneLink:
    """A "spring", "damper", "rod" or "line" between points of two bodies; ``radius`` is half its width."""

    kind: str
    bodies: tuple[int, int]
    points: tuple[Sequence[float], Sequence[float]]
    radius: float
    color: Colour | None = None
    layer: str = "links"
    engaged: str = ""


@dataclass(frozen=True, eq=False)
class Arrow:
    """A "force" or a "torque" at a point of a body; each clip has its vectors along the ground's axes."""

    kind: str
    body: int
    at: Sequence[float]
    layer: str = "loads"
    name: str = ""
    unit: str = "N"


@dataclass(frozen=True, eq=False)
class SceneBody:
    """A body. ``ellipsoid`` is that of its inertia: the half axes (3) and their quaternion (4) in the body, centred at
    ``com``; empty for a body without inertia. ``trail`` is the point whose path is drawn. ``q`` and ``u`` are the names
    of its joint's coordinates and speeds; their series have the full names q.NAME and u.NAME. ``rest`` is the place of
    a node in its flexible body without deformation: position and quaternion."""

    name: str
    parent: int
    joint: str
    mass: float
    com: Sequence[float]
    trail: Sequence[float]
    color: Colour
    ellipsoid: Sequence[float] = ()
    q: Sequence[str] = ()
    u: Sequence[str] = ()
    node: bool = False
    rest: Sequence[float] = ()


@dataclass(frozen=True, eq=False)
class FlexibleItem:
    """A mesh on a body whose points move by shapes times the series of coordinates, which are indices of series. The
    viewer colours it by displacement or strain on request; ``magnify`` is the factor that its menu proposes for small
    deformations."""

    body: int
    points: Array  # (p, 3)
    shapes: Array  # (p, 3, n)
    lines: Indices
    triangles: Indices
    coordinates: Sequence[int]
    color: Colour | None = None
    magnify: float = 1.0


@dataclass(frozen=True, eq=False)
class Series:
    """A number over time: its full name, its label, its group and unit, the size below which its values are rounding
    errors (pages store them as 0), and the largest of its values if all are."""

    key: str
    label: str
    group: str
    unit: str = ""
    smallest: float = 0.0
    noise: float = 0.0


@dataclass(frozen=True, eq=False)
class Clip:
    """One motion: times in increasing order (a time may occur twice, at both sides of a jump), positions and unit
    quaternions (w, x, y, z) of all bodies in the ground, values of all series, vectors of all arrows. ``note`` is on
    the picture while the clip is shown: how large what has no size of its own, such as a mode, is drawn."""

    name: str
    t: Array  # (n,)
    positions: Array  # (n, bodies, 3)
    turns: Array  # (n, bodies, 4)
    series: Array  # (n, series)
    vectors: Array  # (n, arrows, 3)
    events: Sequence[tuple[float, str]] = ()
    color: Colour | None = None
    loop: bool = False
    note: str = ""


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything the viewer shows. Of several clips one is chosen from a list, or, with ``together``, all are shown at
    once as ghosts. ``motion`` computes poses from coordinates that the reader sets; it needs no clip. ``size`` is a
    typical length, for arrows and frames. ``notes`` are for the legend. ``follow`` is the body that the camera follows
    at first, or −1. ``deformation`` is the factor with which flexible bodies deform at first; the page states it where
    it is not 1."""

    title: str
    subtitle: str
    size: float
    bodies: Sequence[SceneBody]
    items: Sequence[Item] = ()
    lines: Sequence[Polyline] = ()
    links: Sequence[SceneLink] = ()
    arrows: Sequence[Arrow] = ()
    flexible: Sequence[FlexibleItem] = ()
    series: Sequence[Series] = ()
    clips: Sequence[Clip] = ()
    together: bool = False
    motion: MotionTable | None = None
    gravity: Sequence[float] = (0.0, 0.0, 0.0)
    notes: Sequence[str] = ()
    shown: Sequence[str] = ("bodies", "joints", "links", "constraints")
    follow: int = GROUND
    deformation: float = 1.0
