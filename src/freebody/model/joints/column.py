"""One column of a joint map: the motion λ(ε) along a constant twist (Kwatny & Blankenship 1995, Prop. 1).

A twist (a, b), in the child's frame at the child's origin, is a turn about a line: the axis a/|a| through the point
c = a×b/|a|² of the child, with a slide along it. So λ(ε) turns by |a|ε about that line and slides by (a·b/|a|)ε; the
integral of the paper is c − R c without any trigonometry of its own. A twist without a turn is a slide along b.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from freebody.model.joints.algebra import CLOSE, SEEDS, vanishes
from freebody.model.joints.base import Placement, nothing, turn_about
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import Number
from freebody.scalar.walk import somewhere, values
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Triple, cross3, dot3
from freebody.spatial.vector import Vector, vector


@dataclass(frozen=True)
class Line:
    """A twist as a turn about a line: its direction in the child's axes (None for a mere slide), the angle and the
    slide for each unit of the coordinate, the point c of the line nearest to the origin (None: the origin), and the
    slide across the axis (all of it, where nothing turns)."""

    axis: Triple | None
    angle: int
    pitch: int
    centre: Triple | None
    across: Triple


def turning(g: Graph, axis: Triple, pitch: int) -> Line:
    """The line of a turn about a direction through the origin, with a slide along it for each radian."""
    return Line(axis, g.one, pitch, None, (g.zero, g.zero, g.zero))


def sliding(g: Graph, along_what: Triple) -> Line:
    return Line(None, g.zero, g.zero, None, along_what)


def line(g: Graph, a: Triple, b: Triple) -> Line:
    """The line of a twist."""
    z = g.zero
    if a == (z, z, z):
        return sliding(g, b)
    axis, angle = _direction(g, a)
    pitch = dot3(g, axis, b)
    if b == (z, z, z) or _parallel(g, axis, b):
        return Line(axis, angle, pitch, None, (z, z, z))
    x, y, w = (g.div(s, angle) for s in cross3(g, axis, b))
    across = (b[0], b[1], b[2]) if pitch == z else _less(g, b, axis, pitch)
    return Line(axis, angle, pitch, (x, y, w), across)


def _direction(g: Graph, a: Triple) -> tuple[Triple, int]:
    """(a/|a|, |a|); along an axis of the frame the one is exact and the other keeps its sign."""
    found = [k for k, s in enumerate(a) if s != g.zero]
    if len(found) == 1:
        number = g.number(a[found[0]])
        sign = -1 if number is not None and number < 0 else 1
        x, y, z = (g.const(sign) if k == found[0] else g.zero for k in range(3))
        return (x, y, z), a[found[0]] if sign > 0 else g.neg(a[found[0]])
    length = g.sqrt(dot3(g, a, a))
    number = g.number(length)
    if number is not None and abs(float(number) - 1) < CLOSE**1.5:
        return a, g.one
    x, y, z = (g.div(s, length) for s in a)
    return (x, y, z), length


def _less(g: Graph, b: Triple, axis: Triple, pitch: int) -> Triple:
    x, y, z = (g.sub(s, g.mul(pitch, e)) for s, e in zip(b, axis, strict=True))
    return x, y, z


def _parallel(g: Graph, a: Triple, b: Triple) -> bool:
    """Whether a × b vanishes, whatever the parameters are."""
    return all(_zero_at(g, a, b, seed) for seed in range(SEEDS))


def _zero_at(g: Graph, a: Triple, b: Triple, seed: int) -> bool:
    x = values(g, [*a, *b], {}, somewhere(seed))
    found: list[Number] = [x[i] * x[3 + j] - x[j] * x[3 + i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return vanishes(found, max(abs(float(v)) for v in x[3:]))


def along(axis: Vector, distance: int) -> Vector:
    """distance · axis"""
    g = axis.graph
    return Vector(g, {e: g.mul(distance, s) for e, s in axis.parts.items()})


def moved(parent: Frame, name: str, way: Line, q: int, u: int) -> Placement:
    """The child after the motion along one column; q̇ = u."""
    g, none = parent.graph, nothing(parent.graph)
    if way.axis is None:
        d = vector(parent, way.across)
        return Placement(parent, along(d, q), [none], [d], none, none, [u])
    frame, axis = turn_about(parent, name, way.axis, g.mul(way.angle, q))
    position, slide, rest = along(axis, g.mul(way.pitch, q)), along(axis, way.pitch), none
    if way.centre is not None:
        centre = vector(frame, way.centre)
        position = position + vector(parent, way.centre) - centre
        slide = slide + vector(frame, way.across)
        speed = g.mul(way.angle, u)
        rest = along(centre, g.mul(speed, speed))
    return Placement(frame, position, [along(axis, way.angle)], [slide], none, rest, [u])


def composed(outer: Placement, inner: Placement, speeds: Sequence[int]) -> Placement:
    """A joint's child on the child of another (Prop. 3): the outer one's columns, then the inner one's. ``speeds`` are
    the outer one's, then the inner one's."""
    n, p = len(outer.turns), inner.position
    w = total(outer.turns, speeds[:n], p.graph)
    inner_w, inner_v = total(inner.turns, speeds[n:], p.graph), total(inner.slides, speeds[n:], p.graph)
    around = outer.turn_rest.cross(p) + w.cross(w.cross(p) + inner_v * 2)
    return Placement(
        inner.frame, outer.position + p, [*outer.turns, *inner.turns],
        [*(s + t.cross(p) for s, t in zip(outer.slides, outer.turns, strict=True)), *inner.slides],
        outer.turn_rest + inner.turn_rest + w.cross(inner_w), outer.slide_rest + inner.slide_rest + around,
        [*outer.q_dot, *inner.q_dot],
    )  # fmt: skip


def total(columns: Sequence[Vector], speeds: Sequence[int], g: Graph) -> Vector:
    """Σ uᵢ columnᵢ"""
    made = nothing(g)
    for column, u in zip(columns, speeds, strict=True):
        made = made + column * Expr(g, u)
    return made


def ordered(placement: Placement, speeds: Sequence[int], coordinates: Sequence[int]) -> Placement:
    """The same placement with its columns and its rates in another order."""
    p = placement
    turns, slides = [p.turns[k] for k in speeds], [p.slides[k] for k in speeds]
    return Placement(p.frame, p.position, turns, slides, p.turn_rest, p.slide_rest, [p.q_dot[k] for k in coordinates])
