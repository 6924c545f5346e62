"""Which pairs of shapes can touch, and at which candidates: tables by the classes of the two shapes.

Every shape has features (balls, points, rims, bars) that touch the surfaces of others. Against ground, a plane or a
heightfield, features are all that is needed; two solids touch with features of each on the surface of the other.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from freebody.errors import FieldError
from freebody.model.contact.bars import Bar
from freebody.model.contact.boxes import FacePoint, edge_pairs, lattice
from freebody.model.contact.candidate import Candidate
from freebody.model.contact.features import Ball, Feature, Rim, Touch, ring
from freebody.model.contact.heightfield import HeightSurface
from freebody.model.contact.hull import hull_of
from freebody.model.contact.surfaces import (
    BallSurface,
    BoxSurface,
    CapsuleSurface,
    CylinderSurface,
    PlaneSurface,
    Surface,
)
from freebody.model.contact.triples import Three, pose_of
from freebody.model.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Extrusion,
    Heightfield,
    Mesh,
    Plane,
    Plate,
    ShapeElement,
    Sphere,
    Tube,
)
from freebody.scalar.expr import Expr

MOST = 20
"""Points along an edge of a box, or around a cylinder."""

HULL, LARGEST_HULL = 20, 200
"""Points of the convex hull of a mesh: if not given, and at most."""

INSET = 0.9
"""Where the points on the faces of a cylinder are, as a part of its radius: a wheel that rolls does not touch there."""

Kind = type[ShapeElement]
Build = Callable[[Any, int | None], Sequence[Feature]]
"""The features of a shape, given the number of points, if the user chose one."""


class ShapePair(NamedTuple):
    """The candidates of two shapes; ``swapped``: their first shape is the second one that was passed."""

    candidates: tuple[Candidate, ...]
    swapped: bool


def candidates_of(first: ShapeElement, second: ShapeElement, points: int | None = None) -> ShapePair:
    """The candidates of two shapes in normal form. Ground, a plane or a heightfield, is always their second shape.

    ``points``: along each edge of a box, 2 (its corners) or more, which makes a grid on its faces; along a capsule on a
    heightfield, 2 (its ends) or more; and around each face of a cylinder, 3 or more, besides the lowest point of its
    rim; and of the convex hull of a mesh. If not given: for boxes 2 on planes and 3 elsewhere, for capsules 3, for
    cylinders none, for meshes 20."""
    least, most = (4, LARGEST_HULL) if Mesh in (type(first), type(second)) else (2, MOST)
    if points is not None and not least <= points <= most:
        raise FieldError(f"points must be from {least} to {most}, not {points}")
    if points is not None:
        _require_divided(first, second, points)
    swapped = type(first) in GROUND
    if swapped:
        first, second = second, first
    kinds = type(first), type(second)
    if kinds in ON_GROUND:
        return ShapePair(tuple(_touches(first, second, ON_GROUND[kinds], points, True)), swapped)
    on_second, on_first, edges = _solids(*kinds)
    if not on_second and not on_first:
        others = ", ".join(kind.kind for kind in ALL if _is_offered(type(first), kind))
        raise FieldError(
            f"contact of {first.kind} and {second.kind} is not offered; {first.kind} can touch"
            f" {others or 'nothing: give the body a simpler shape for contacts'}"
        )
    candidates = _touches(first, second, on_second, points, True) + _touches(second, first, on_first, points, False)
    if edges:
        candidates += edge_pairs((_half(first), _half(second)), (pose_of(first), pose_of(second)))
    return ShapePair(tuple(candidates), swapped)


def least_points(first: ShapeElement, second: ShapeElement) -> int:
    """The smallest number of points into which something of these two shapes is divided; 0 if nothing is."""
    if type(first) in GROUND:
        first, second = second, first
    kinds = type(first), type(second)
    builds = ON_GROUND[kinds] if kinds in ON_GROUND else [build for some in _solids(*kinds)[:2] for build in some]
    return min((DIVIDED[build] for build in builds if build in DIVIDED), default=0)


def _require_divided(first: ShapeElement, second: ShapeElement, points: int) -> None:
    """Refuse a number of points that would change nothing."""
    least = least_points(first, second)
    if least == 0:
        raise FieldError(
            f"points={points} divides nothing where {first.kind} and {second.kind} touch: it divides the edges of boxes"
            " and plates, capsules on heightfields, the faces of cylinders and tubes, and hulls of meshes; leave it out"
        )
    if points < least:
        raise FieldError(
            f"points={points} divides nothing where {first.kind} and {second.kind} touch: it needs at least {least};"
            " leave it out for none on the faces"
        )


def _touches(
    shape: ShapeElement, other: ShapeElement, builds: Sequence[Build], points: int | None, of_first: bool
) -> list[Candidate]:
    """The features of a shape on the surface of the other."""
    surface, pose = SURFACES[type(other)](other), pose_of(other)
    features = [feature for build in builds for feature in build(shape, points)]
    return [
        Touch(f, surface, pose, of_first, f.label if of_first else f"second_{f.label}".rstrip("_")) for f in features
    ]


def _solids(first: Kind, second: Kind) -> tuple[Sequence[Build], Sequence[Build], bool]:
    """Which features of the first touch the second, which of the second the first, and whether edges touch."""
    first, second = (Box if kind is Plate else kind for kind in (first, second))
    edges = first is second is Box
    if (first, second) in SOLIDS:
        return *SOLIDS[first, second], edges
    on_first, on_second = SOLIDS.get((second, first), ((), ()))
    return on_second, on_first, edges


def _is_offered(one: Kind, other: Kind) -> bool:
    """Whether these two can touch."""
    return bool({(one, other), (other, one)} & ON_GROUND.keys()) or any(_solids(one, other)[:2])


# The features of shapes


def _ball(shape: Sphere, points: int | None) -> list[Feature]:
    return [Ball(pose_of(shape).at, shape.radius)]


def _ends(shape: Capsule, points: int | None) -> list[Feature]:
    """The two half spheres."""
    pose, half = pose_of(shape), shape.length / 2
    return [Ball(pose.point((0, 0, side * half)), shape.radius, f"end_{k}") for k, side in enumerate((-1, 1))]


def _along(shape: Capsule, points: int | None) -> list[Feature]:
    """Spheres along its axis, the ends first."""
    pose, half, count = pose_of(shape), shape.length / 2, points or 3
    inner = [2 * k / (count - 1) - 1 for k in range(1, count - 1)]
    between = [Ball(pose.point((0, 0, c * half)), shape.radius, f"inner_{k}") for k, c in enumerate(inner)]
    return [*_ends(shape, points), *between]


def _axis(shape: Capsule, points: int | None) -> list[Feature]:
    """The nearest point of its axis."""
    pose = pose_of(shape)
    return [Bar(pose.at, pose.out((0, 0, 1)), shape.length / 2, shape.radius)]


def _middle(shape: Capsule, points: int | None) -> list[Feature]:
    """The nearest point of its axis between the ends, which are candidates of their own."""
    pose = pose_of(shape)
    return [Bar(pose.at, pose.out((0, 0, 1)), shape.length / 2, shape.radius, "middle", ends=True)]


def _side(shape: Cylinder, points: int | None) -> list[Feature]:
    """The nearest point of its side."""
    pose = pose_of(shape)
    return [Bar(pose.at, pose.out((0, 0, 1)), shape.length / 2, shape.radius, "side", flat=True)]


def _rims(shape: Cylinder | Tube, points: int | None) -> list[Feature]:
    """The lowest point of each rim, and points on the faces where they are asked for."""
    pose, half, axis = pose_of(shape), shape.length / 2, pose_of(shape).out((0, 0, 1))
    sides = ((0, -half), (1, half))
    rims = [Rim(pose.point((0, 0, z)), axis, shape.radius, f"rim_{k}") for k, z in sides]
    if points is None or points < 3:
        return [*rims]
    return [*rims, *(b for k, z in sides for b in ring(pose, INSET * shape.radius, z, points, f"face_{k}"))]


def _cone_rims(shape: Cone, points: int | None) -> list[Feature]:
    """The lowest points of its base and of its top."""
    pose, half, axis = pose_of(shape), shape.length / 2, pose_of(shape).out((0, 0, 1))
    top = pose.point((0, 0, half))
    pointed = not isinstance(shape.top_radius, Expr) and shape.top_radius == 0
    return [
        Rim(pose.point((0, 0, -half)), axis, shape.radius, "base"),
        Ball(top, 0, "top") if pointed else Rim(top, axis, shape.top_radius, "top"),
    ]


def _half(shape: Any) -> Three:
    """Half of the edges of a box or a plate."""
    return shape.x / 2, shape.y / 2, (shape.thickness if isinstance(shape, Plate) else shape.z) / 2


def _corners(shape: Box | Plate, points: int | None) -> list[Feature]:
    pose = pose_of(shape)
    return [Ball(pose.point(p), 0, label) for label, p in lattice(_half(shape), points or 2)]


def _grid(shape: Box | Plate, points: int | None) -> list[Feature]:
    return _corners(shape, points or 3)


def _face_points(shape: Box | Plate, points: int | None) -> list[Feature]:
    pose, half = pose_of(shape), _half(shape)
    return [FacePoint(pose.point(p), half, pose, label) for label, p in lattice(half, points or 3)]


def _outline(shape: Extrusion, points: int | None) -> list[Feature]:
    """Its corners."""
    pose, half = pose_of(shape), shape.length / 2
    return [
        Ball(pose.point((x, y, z)), 0, f"corner_{2 * k + side}")
        for k, (x, y) in enumerate(shape.points)
        for side, z in enumerate((-half, half))
    ]


def _hull(shape: Mesh, points: int | None) -> list[Feature]:
    """Corners of its convex hull."""
    pose = pose_of(shape)
    return [Ball(pose.point(p), 0, f"point_{k}") for k, p in enumerate(hull_of(shape, points or HULL))]


# The tables

GROUND: tuple[Kind, ...] = (Plane, Heightfield)

ON_PLANE: dict[Kind, Build] = {
    Sphere: _ball,
    Capsule: _ends,
    Box: _corners,
    Plate: _corners,
    Cylinder: _rims,
    Tube: _rims,
    Cone: _cone_rims,
    Extrusion: _outline,
    Mesh: _hull,
}
ON_HEIGHTFIELD: dict[Kind, Build] = {**ON_PLANE, Capsule: _along, Box: _grid, Plate: _grid}
ON_GROUND: dict[tuple[Kind, Kind], tuple[Build, ...]] = {
    (kind, ground): (build,)
    for ground, table in ((Plane, ON_PLANE), (Heightfield, ON_HEIGHTFIELD))
    for kind, build in table.items()
}
SURFACES: dict[Kind, Callable[[Any], Surface]] = {
    Plane: lambda shape: PlaneSurface(),
    Heightfield: HeightSurface,
    Sphere: lambda shape: BallSurface(shape.radius),
    Capsule: lambda shape: CapsuleSurface(shape.radius, shape.length / 2),
    Box: lambda shape: BoxSurface(_half(shape)),
    Plate: lambda shape: BoxSurface(_half(shape)),
    Cylinder: lambda shape: CylinderSurface(shape.radius, shape.length / 2),
}
SOLIDS: dict[tuple[Kind, Kind], tuple[tuple[Build, ...], tuple[Build, ...]]] = {
    (Sphere, Sphere): ((_ball,), ()),
    (Sphere, Capsule): ((_ball,), ()),
    (Sphere, Box): ((_ball,), ()),
    (Sphere, Cylinder): ((_ball,), ()),
    (Capsule, Capsule): ((_axis,), ()),
    (Capsule, Box): ((_ends, _middle), ()),
    (Capsule, Cylinder): ((_ends, _middle), (_rims,)),
    (Box, Box): ((_face_points,), (_face_points,)),
    (Box, Cylinder): ((_grid,), (_rims, _side)),
    (Cylinder, Cylinder): ((_rims, _side), (_rims,)),
}
"""The features of the first on the second, and those of the second on the first. A plate is a box."""
DIVIDED: dict[Build, int] = {_along: 2, _corners: 2, _grid: 2, _face_points: 2, _rims: 3, _hull: 4}
"""The features whose number the user may choose, with the smallest number."""
ALL: tuple[Kind, ...] = (*ON_PLANE, *GROUND)
