"""Two boxes: points of one against the faces of the other, and edges against edges.

The overlap of two boxes along a direction is the sum of their half widths along it less the distance of their centres.
Points touch the face with the least overlap, the same for all points; two edges touch where the overlap along their
common normal is less than that of all faces (Gottschalk, Lin & Manocha 1996: the axes that can separate two boxes).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from freebody.model.contact.candidate import Candidate, Meeting, RelativePose
from freebody.model.contact.features import Feature, meeting
from freebody.model.contact.surfaces import BoxSurface, Surface
from freebody.model.contact.triples import ShapePose, Three, direction, dot, plus, tangents_about, times
from freebody.scalar.expr import Expr, abs_, max, min, sqrt, where

BORDER = 1e-2
"""How far beyond the border of a face, as a part of half an edge, points touch it: equal boxes can be stacked."""

BLEND = 10.0
"""An edge touches fully where its overlap is less than that of the faces by 1/BLEND of itself."""

CORNER = 1e-6
"""The slope below which a point that is extreme along a direction moves from a corner to the middle of an edge."""


@dataclass(frozen=True)
class FacePoint(Feature):
    """A point of a box (half edges ``half``, ``pose`` in its body) against the faces of another."""

    at: Three
    half: Three
    pose: ShapePose
    label: str = ""

    def touch(self, body: RelativePose, surface: Surface) -> tuple[Expr, Three, Three]:
        assert isinstance(surface, BoxSurface)
        axes = [body.direction([row[k] for row in self.pose.R]) for k in range(3)]
        centre, p = body.point(self.pose.at), body.point(self.at)
        overlaps = _face_overlaps(surface.half, self.half, axes, centre)
        least, least_of_all = min(*overlaps), min(*overlaps, *_own_overlaps(surface.half, self.half, axes, centre))
        sides = [where(c < 0, -1, 1) for c in centre]
        on_x, on_y = overlaps[0] <= least, overlaps[1] <= least
        n = where(on_x, sides[0], 0), where(on_x, 0, where(on_y, sides[1], 0)), where(max(on_x, on_y), 0, sides[2])
        depth = [h - s * x for h, s, x in zip(surface.half, sides, p, strict=True)]
        beside = [(1 + BORDER) * h - abs_(x) for h, x in zip(surface.half, p, strict=True)]
        x = min(
            where(on_x, depth[0], beside[0]),
            where(on_x, beside[1], where(on_y, depth[1], beside[1])),
            where(max(on_x, on_y), beside[2], depth[2]),
            least_of_all,
        )
        return x, n, plus(p, times(x / 2, n))


def _face_overlaps(half: Three, other: Three, axes: Sequence[Three], centre: Three) -> list[Expr]:
    """The overlaps along the coordinate axes, of a box there with another one, given its axes and its centre."""
    return [half[k] + sum(other[i] * abs_(axes[i][k]) for i in range(3)) - abs_(centre[k]) for k in range(3)]


def _own_overlaps(half: Three, other: Three, axes: Sequence[Three], centre: Three) -> list[Expr]:
    """The same along the axes of the other box."""
    widths = [other[i] + dot(half, [abs_(c) for c in axes[i]]) for i in range(3)]
    return [width - abs_(dot(axis, centre)) for width, axis in zip(widths, axes, strict=True)]


@dataclass(frozen=True)
class EdgePair(Candidate):
    """The edges along axis i of the first box and axis j of the second: of the four of each, those that are nearest to
    the other box."""

    halves: tuple[Three, Three]
    poses: tuple[ShapePose, ShapePose]
    i: int
    j: int

    @property
    def label(self) -> str:  # type: ignore[override]
        return f"edges_{'xyz'[self.i]}{'xyz'[self.j]}"

    def meet(self, first: RelativePose) -> Meeting:
        (H, h), (pose, other), (i, j) = self.halves, self.poses, (self.i, self.j)
        axes = [other.into(first.direction([row[k] for row in pose.R])) for k in range(3)]
        centre = other.local(first.point(pose.at))
        a = axes[i]
        across = [(0, a[2], -a[1]), (-a[2], 0, a[0]), (a[1], -a[0], 0)][j]  # a × e_j
        length, n = direction(across, (j + 1) % 3)
        over = 1 / length
        # n·A_k = ±A_m·e_j / length, where k, i, m are different
        k, m = (i + 2) % 3, (i + 1) % 3
        slopes = {k: axes[m][j] * over, m: -axes[k][j] * over}
        away = dot(n, centre)
        side = where(away < 0, -1, 1)
        x = sum(H[q] * abs_(slope) for q, slope in slopes.items()) - abs_(away)
        x = x + sum(h[q] * abs_(n[q]) for q in range(3) if q != j)
        on_first = centre
        for q, slope in slopes.items():
            on_first = plus(on_first, times(-side * H[q] * _corner(slope), axes[q]))
        r, s = (j + 1) % 3, (j + 2) % 3
        on_second = [0, 0, 0]
        on_second[r], on_second[s] = side * h[r] * _corner(n[r]), side * h[s] * _corner(n[s])
        gap = (on_first[0] - on_second[0], on_first[1] - on_second[1], on_first[2] - on_second[2])
        b, along, over = a[j], dot(a, gap), 1 / (length * length + CORNER**2)
        u, v = (b * gap[j] - along) * over, (gap[j] - b * along) * over
        faces = min(*_face_overlaps(h, H, axes, centre), *_own_overlaps(h, H, axes, centre))
        x = min(x, H[i] - abs_(u), h[j] - abs_(v), BLEND * (faces - x))
        on_second[j] = v
        point = times(0.5, plus(plus(on_first, times(u, a)), on_second))
        n = times(side, n)
        t1, t2 = tangents_about(n)
        return meeting(x, other.out(n), (other.out(t1), other.out(t2)), other.point(point))


def _corner(slope: Expr) -> Expr:
    """The sign of a slope, continuous at 0."""
    return slope / sqrt(slope * slope + CORNER**2)


def lattice(half: Three, points: int) -> list[tuple[str, Three]]:
    """The points of a grid of points × points on each face of a box, with their labels: corners, edges, faces."""
    steps = [2 * k / (points - 1) - 1 for k in range(points)]
    count = {1: 0, 2: 0, 3: 0}
    result = list[tuple[str, Three]]()
    for place in product(steps, repeat=3):
        kind = sum(abs(c) == 1 for c in place)
        if not kind:
            continue
        label = {1: "face", 2: "edge", 3: "corner"}[kind] + f"_{count[kind]}"
        count[kind] += 1
        result.append((label, (place[0] * half[0], place[1] * half[1], place[2] * half[2])))
    return sorted(result, key=lambda item: ("corner", "edge", "face").index(item[0].split("_")[0]))


def edge_pairs(halves: tuple[Three, Three], poses: tuple[ShapePose, ShapePose]) -> list[Candidate]:
    """The nine pairs of directions of edges."""
    return [EdgePair(halves, poses, i, j) for i, j in product(range(3), repeat=2)]
