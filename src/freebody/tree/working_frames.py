"""Working frames chosen so that entries of the geometry and of the inertia vanish.

A body on a hinge may be described in any frame that is fixed in it and shares the hinge's axis: turned about the axis
by any angle, its origin anywhere along it. The equations are the same; their cost is not. A ``FrameOffset`` chooses
both. Only hinges whose geometry is numbers have one; all other bodies stay as the user described them.

The rotation from the parent's working frame to a hinge's is a constant C and the turn by q. C is written as planar
turns about axes of the parent's frame (the fewest that bring its third axis along the hinge's), an exchange of axes,
which costs nothing, and a turn about the hinge's axis, which is added to q.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import atan2, cos, inf, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from freebody.model.body import Body, BodySpec, Reference, attach
from freebody.model.joints.base import Placement, scalar, zero_vector
from freebody.model.model import Model
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.walk import somewhere, values
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.vector import components, vector
from freebody.tree.inertia import base_inertias, link_inertia, six
from freebody.tree.tree import Tree, is_constant, span

Array = NDArray[np.float64]
Three = tuple[float, float, float]
EXACT = 1e-14
"""Entries of rotations this near to 0 or ±1 are set to it."""

SHORT = 1e-12
"""Lengths this near to 0 or ±1 are set to it."""

CLOSE = 1e-12
"""How exactly a hinge must turn by its coordinate alone."""

ROUNDING = 1e-14
"""Moments of inertia that are smaller, relative to the body's, are rounding errors."""


@dataclass(frozen=True)
class FrameOffset:
    """Of a hinge: the working frame's ``angle`` about the axis, and the ``shift`` of its origin along it. Of a free
    body: the ``origin`` in the body."""

    angle: float = 0.0
    shift: float = 0.0
    origin: Three = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class FrameOffsets:
    """The frame offsets of a system by body, and the length that counts as 1 (which makes the commonest offset cost
    nothing).

    With lengths in units of L a mass counts L² of itself, a first moment L, a force L, an acceleration 1/L; moments of
    inertia, torques and angles stay. Speeds of free bodies are then referred to the frame offset's origin and unit.
    """

    of: Mapping[str, FrameOffset] = field(default_factory=dict)
    unit: float = 1.0


def span_with_offsets(model: Model, frame_offsets: FrameOffsets) -> Tree:
    """The tree of a model, in a fork of its graph, with the working frames of the offsets. It serves for M, f, u̇ and
    tau; positions and velocities of points are in the unit of the offsets."""
    tree = span(model, _Placer(frame_offsets))
    if frame_offsets.unit != 1:
        x, y, z = (s / frame_offsets.unit for s in tree.gravity.resolve(tree.root))
        tree = replace(tree, model=replace(model, gravity=(x, y, z)))
    return tree


def is_scalable(tree: Tree) -> bool:
    """Whether lengths can be counted in another unit: no joint slides but that of a free body on the ground, nothing
    moves inside a body, no load acts at a point, and there are no constraints."""
    if tree.model.constraints:
        return False
    for body in tree.placed.bodies.values():
        still = not body.placement.position and not any(body.placement.slides)
        free = body.parent is tree.placed.ground and is_free(body)
        if not (still or free) or body.spec.internal is not None:
            return False
    return not any(load.acts_on_bodies for load in tree.model.loads.values())


def is_free(body: Body) -> bool:
    """Whether a joint has three turns and three slides along the body's axes, all of them free and without armature
    (which belongs to the user's speeds)."""
    if scalar(body.graph, body.spec.joint.armature) != body.graph.zero:
        return False
    axes, p = [body.axis(k) for k in range(3)], body.placement
    turning = p.turns[:3] == axes and not any(p.turns[3:])
    sliding = p.slides[3:] == axes and not any(p.slides[:3])
    return len(body.u) == 6 and turning and sliding and all(given is None for given in body.prescribed)


def rounded_inertias(tree: Tree) -> list[RigidInertia]:
    """The base inertias without rounding errors: moments that are negligible against the mass and the largest second
    moment of the link's composite body are zero."""
    g, sizes = tree.graph, list[tuple[float, float]]()
    for link in tree.links:
        inertia = link_inertia(link)
        sizes.append((_largest(g, [inertia.m]), _largest(g, inertia.second)))
    for link in reversed(tree.links):
        if link.parent is not None:
            (m, S), (M, T) = sizes[link.index], sizes[link.parent.index]
            sizes[link.parent.index] = m + M, max(S, T)

    def rounded(x: Node, size: float) -> Node:
        v = g.number(x)
        return g.zero if v is not None and abs(float(v)) < ROUNDING * size else x

    result = []
    for (mass, largest), inertia in zip(sizes, base_inertias(tree), strict=True):
        second = max(largest, _largest(g, inertia.second))
        first = max(sqrt(mass * second), _largest(g, inertia.h))
        x, y, z = (rounded(h, first) for h in inertia.h)
        moments = six([rounded(s, second) for s in inertia.second])
        result.append(RigidInertia.of(inertia.frame, inertia.m, (x, y, z), moments))
    return result


def _largest(g: Graph, handles: Iterable[Node]) -> float:
    """The largest of those that are numbers."""
    return max((abs(float(v)) for v in map(g.number, handles) if v is not None), default=0.0)


class _Placer:
    """Attaches bodies: hinges and free bodies by their frame_offsets, all others as they are described."""

    def __init__(self, frame_offsets: FrameOffsets) -> None:
        self.frame_offsets, self.unit = frame_offsets.of, frame_offsets.unit
        self.frames: dict[str, tuple[Frame, Array]] = {}  # by body: its working frame, and R from body to working axes

    def __call__(self, spec: BodySpec, parent: Reference, index: int) -> Body:
        g, L, frame_offset = parent.graph, self.unit, self.frame_offsets.get(spec.name, FrameOffset())
        if L != 1:
            x, y, z, cx, cy, cz = (Expr(g, s.handle) / L for s in (*spec.at, *spec.com))
            spec = replace(spec, at=(x, y, z), com=(cx, cy, cz), mass=Expr(g, spec.mass.handle) * L**2)
        plain = attach(spec, parent, index)
        hinge = _hinge(plain)
        if hinge is not None:
            return self._place_hinge(plain, *hinge, frame_offset)
        return self._place_free(plain, frame_offset) if is_free(plain) else plain

    def _place_free(self, plain: Body, frame_offset: FrameOffset) -> Body:
        """A free body whose speeds are (ω, (v + ω × s)/L): those of the frame offset's origin s, in its unit."""
        if self.unit == 1 and not any(frame_offset.origin):
            return plain
        s = plain.vector([x / self.unit for x in frame_offset.origin])
        w, v = (plain.vector(plain.u[k : k + 3]) for k in (0, 3))
        moved = (v / self.unit + w.cross(s)).resolve(plain.frame)
        placement = replace(
            plain.placement, position=plain.placement.position / self.unit, slide_remainder=w.cross(plain.vector(moved))
        )
        shift = s if any(frame_offset.origin) else None
        return replace(plain, placement=placement, column_speeds=(*plain.u[:3], *moved), shift=shift)

    def _place_hinge(self, plain: Body, axis: Array, orient: Array, frame_offset: FrameOffset) -> Body:
        """The planar turns and the exchange of axes from the parent's working frame, the turn by q to the body's
        working frame, and the constant rotation to the body's axes."""
        g, name, parent, none = plain.graph, plain.name, plain.parent, zero_vector(plain.graph)
        start, R = self.frames.get(parent.name, (parent.frame, np.eye(3)))
        own = _planar(2, -frame_offset.angle) @ _aligned(axis)
        turns, exchange, angle = decompose(R @ orient @ _aligned(axis).T)
        frame = start
        for k, a in turns:
            frame = frame.turned(f"{name}°", k, g.const(a))
        if not np.array_equal(exchange, np.eye(3)):
            frame = frame.oriented(f"{name}'", [[g.const(int(x)) for x in row] for row in exchange])
        offset = angle + frame_offset.angle
        turned = plain.q[0].handle if abs(offset) < EXACT else g.add(plain.q[0].handle, g.const(offset))
        work = frame.turned(name, 2, turned)
        self.frames[name] = work, own
        back = _snap(own)
        final = work
        if not np.array_equal(back, np.eye(3)):
            rows = [[g.const(int(x) if x == int(x) else float(x)) for x in row] for row in back]
            final = work.oriented(f"{name}*", rows)
        z, d = vector(work, (g.zero, g.zero, g.one)), frame_offset.shift / self.unit
        placement = Placement(final, none, [z], [none], none, none, [plain.u[0].handle])
        shift = vector(work, (g.zero, g.zero, g.const(d))) if d else None
        at, xyz = plain.offset, _numbers(g, components(plain.offset, parent.frame))
        if xyz is not None:  # along the parent's working axes, exactly 0 or ±1 where only rounding differs from it
            near = [(float(x), round(float(x))) for x in R @ xyz]
            at = vector(start, [g.const(n) if abs(x - n) < SHORT and abs(n) <= 1 else g.const(x) for x, n in near])
        return replace(plain, frame=final, offset=at, placement=placement, shift=shift, chain=_chain(plain, final))


def _hinge(body: Body) -> tuple[Array, Array] | None:
    """Of a body on a plain hinge whose geometry is numbers: the axis in the joint's frame, and that frame in the
    parent's. None of any other joint; the child must turn about the axis by just its coordinate."""
    placement, rows, g = body.placement, body.spec.orient, body.graph
    turns = len(placement.turns) == 1 and bool(placement.turns[0]) and not placement.slides[0]
    still = not placement.position and not placement.turn_remainder and not placement.slide_remainder
    if not (turns and still and placement.q_dot == [body.u[0].handle]) or body.prescribed[0] is not None:
        return None
    along = _numbers(g, components(placement.turns[0], body.parent.frame))
    orient = np.eye(3) if rows is None else _numbers(g, [s.handle for row in rows for s in row])
    if along is None or orient is None:
        return None
    orient = orient.reshape(3, 3)
    axis: Array = orient.T @ along
    angle, R = 0.7, np.eye(3)
    for frame in body.frame.line()[: body.frame.depth - body.parent.frame.depth]:
        R = _matrix(g, frame, {body.q[0].handle: angle}) @ R
    a, b, c = axis
    K = np.array([[0, -c, b], [c, 0, -a], [-b, a, 0]])
    turned = orient @ (np.eye(3) + sin(angle) * K + (1 - cos(angle)) * K @ K)
    return (axis, orient) if np.abs(R - turned).max() <= CLOSE else None


def _matrix(g: Graph, frame: Frame, known: Mapping[Node, float]) -> Array:
    """R of a frame's turn, in numbers."""
    turn = frame.up
    if turn is None:
        return np.eye(3)
    if turn.axis is not None:  # the angle alone: its sine and cosine are not needed in the graph yet
        return _planar(turn.axis, float(values(g, [turn.angle], known, somewhere(0))[0]))
    entries = values(g, [x for row in turn.rows for x in row], known, somewhere(0))
    return np.array([float(x) for x in entries]).reshape(3, 3)


def _chain(plain: Body, final: Frame) -> list[Frame]:
    """The frames of a body as the user described them: those behind the turn are fixed in the body, so they become
    children of its new frame; those before it are the parent's."""
    frames, g, line = [final], plain.graph, plain.frame.line()
    turn = next(k for k, f in enumerate(line) if f.up is not None and f.up.axis is not None and not is_constant(f))
    for frame in line[1 : turn + 1]:
        units = [vector(frame, [g.one if i == k else g.zero for i in range(3)]) for k in range(3)]
        axes = [components(unit, plain.frame) for unit in units]
        frames.append(final.oriented(frame.name, [[axes[c][r] for c in range(3)] for r in range(3)]))
    return frames + line[turn + 1 :]


def _numbers(g: Graph, handles: Sequence[Node]) -> Array | None:
    numbers = [g.number(h) for h in handles]
    return None if any(v is None for v in numbers) else np.array([float(v) for v in numbers if v is not None])


# Rotation matrices


def _snap(matrix: Array) -> Array:
    """Entries within rounding of 0 or ±1 are set to it."""
    result = matrix.copy()
    for value in (0.0, 1.0, -1.0):
        result[np.abs(result - value) < EXACT] = value
    return result


def _planar(k: int, angle: float) -> Array:
    """The turn about axis k."""
    R, a, b = np.eye(3), (k + 1) % 3, (k + 2) % 3
    R[a, a] = R[b, b] = cos(angle)
    R[a, b], R[b, a] = -sin(angle), sin(angle)
    return R


def _aligned(axis: Array) -> Array:
    """A rotation that maps the axis to z: an exchange of axes where that is enough."""
    k = int(np.argmax(np.abs(axis)))
    z = axis / np.linalg.norm(axis)
    if np.linalg.norm(np.delete(z, k)) < EXACT:
        z = np.round(z)
        x = np.eye(3)[(k + 1) % 3]
    else:
        x = _cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
        x /= np.linalg.norm(x)
    return np.array([x, _cross(z, x), z])


def decompose(C: Array) -> tuple[list[tuple[int, float]], Array, float]:
    """C = T · P · Rz(angle): planar turns T, outermost first, each the smallest that brings the third axis into a plane
    or along an axis; the exchange of axes P that leaves the smallest angle about z."""
    e, T, turns = _snap(C)[:, 2], np.eye(3), list[tuple[int, float]]()
    while np.count_nonzero(e) > 1:
        k = int(np.flatnonzero(e == 0)[0]) if np.count_nonzero(e) == 2 else 0
        whole = atan2(e[(k + 2) % 3], e[(k + 1) % 3])
        turns.append((k, whole - pi / 2 * round(whole / (pi / 2))))
        e = _snap(_planar(k, -turns[-1][1]) @ e)
    for k, angle in turns:
        T = T @ _planar(k, angle)
    z = np.round(e)
    k = int(np.argmax(np.abs(z)))
    angle, P = inf, np.eye(3)
    for other in ((k + 1) % 3, (k + 2) % 3):
        for sign in (1.0, -1.0):
            x = sign * np.eye(3)[other]
            exchange = np.array([x, _cross(z, x), z]).T
            remainder = exchange.T @ T.T @ C
            about_z = atan2(remainder[1, 0], remainder[0, 0])
            if abs(about_z) < abs(angle) - EXACT:
                angle, P = about_z, exchange
    return turns, P, 0.0 if abs(angle) < EXACT else angle


def _cross(a: Array, b: Array) -> Array:
    """a × b of two triples; NumPy's, for axes of any arrays, takes ten times as long."""
    (x, y, z), (u, v, w) = a.tolist(), b.tolist()
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])
