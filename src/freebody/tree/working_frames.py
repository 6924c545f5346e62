"""Working frames laid where they make zeros.

A body on a hinge may be described in any frame that is fixed in it and shares the hinge's axis: turned about the axis
by any angle, its origin anywhere along it. The equations are the same; what they cost is not. A ``Gauge`` chooses both.
Only hinges whose geometry is numbers have one; everything else stays as the user laid it.

The rotation from the parent's working frame to a hinge's is a constant C and the turn by q. C is written as planar
turns about axes of the parent's frame (as few as lay its third axis along the hinge's), an exchange of axes, which
costs nothing, and a turn about the hinge's axis, which joins q.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import atan2, cos, inf, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from freebody.model.body import Body, Recipe, Reference, attach
from freebody.model.joints.base import Placement, nothing, scalar
from freebody.model.joints.flexible import Flexible
from freebody.model.loads import JointForce
from freebody.model.model import Model
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.walk import somewhere, values
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.vector import Vector, components, vector
from freebody.tree.forest import Forest, is_constant, span
from freebody.tree.inertia import base, own, six

Array = NDArray[np.float64]
EXACT = 1e-14
"""Numbers of rotations this near to 0 or ±1 are meant to be; lengths below 1e-12 m are none."""

CLOSE = 1e-12
"""How well a joint must turn by its coordinate alone."""

ROUNDING = 1e-14
"""Moments of inertia that are smaller, compared with the body's, are only rounding."""


Three = tuple[float, float, float]


@dataclass(frozen=True)
class Gauge:
    """Of a hinge: the working frame's angle about the axis, and its origin's place along it. Of a free body: the place
    of the origin in the body."""

    angle: float = 0.0
    shift: float = 0.0
    place: Three = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Laying:
    """The gauges of a system by body, and the length that counts as 1 (which makes the commonest offset cost nothing).

    With lengths in units of L a mass counts L² of itself, a first moment L, a force L, an acceleration 1/L; moments of
    inertia, torques and angles stay. Speeds of free bodies are then referred to the gauge's origin and unit.
    """

    gauges: Mapping[str, Gauge] = field(default_factory=dict)
    unit: float = 1.0


def gauged(model: Model, laying: Laying) -> Forest:
    """The forest of a model, in a fork of its graph, with working frames laid as told. It serves for M, f, u̇ and tau;
    positions and velocities of points are in the laying's unit."""
    forest = span(model, _Layer(laying))
    if laying.unit != 1:
        x, y, z = (s / laying.unit for s in forest.gravity.resolve(forest.root))
        forest = replace(forest, model=replace(model, gravity=(x, y, z)))
    return forest


def scalable(forest: Forest) -> bool:
    """Whether lengths can be counted in another unit: no joint slides but that of a free body on the ground, nothing
    moves inside a body, and no load has a place or a speed."""
    ground, bodies = forest.placed.ground, forest.placed.bodies.values()
    turning = all(_is_still(b) or (b.parent is ground and is_free(b)) for b in bodies)
    solid = not any(isinstance(b.recipe.joint, Flexible) for b in bodies)
    return turning and solid and all(isinstance(load, JointForce) for load in forest.model.loads.values())


def _is_still(body: Body) -> bool:
    """Whether a joint leaves the body's origin where it is on the parent."""
    return not body.placement.position and not any(body.placement.slides)


def is_free(body: Body) -> bool:
    """Three turns and three slides, each along an axis of the body, all of them free; an armature belongs to the user's
    own speeds."""
    if scalar(body.graph, body.recipe.joint.armature) != body.graph.zero:
        return False
    axes, p = [body.axis(k) for k in range(3)], body.placement
    turning = p.turns[:3] == axes and not any(p.turns[3:])
    sliding = p.slides[3:] == axes and not any(p.slides[:3])
    return len(body.u) == 6 and turning and sliding and all(given is None for given in body.prescribed)


def inertias(forest: Forest) -> list[RigidInertia]:
    """The base inertias, with what is only rounding taken for zero."""
    sizes = _sizes(forest)
    return [tidied(forest.graph, i, *sizes[k]) for k, i in enumerate(base(forest))]


def _sizes(forest: Forest) -> list[tuple[float, float]]:
    """Of each link with all that hangs on it: the mass, and the largest second moment about a body's own origin."""
    g, made = forest.graph, list[tuple[float, float]]()
    for link in forest.links:
        inertia = own(link)
        made.append((_largest(g, [inertia.m]), _largest(g, inertia.second)))
    for link in reversed(forest.links):
        if link.parent is not None:
            (m, S), (M, T) = made[link.index], made[link.parent.index]
            made[link.parent.index] = m + M, max(S, T)
    return made


def _largest(g: Graph, handles: Iterable[int]) -> float:
    """Of those that are numbers."""
    return max((abs(float(v)) for v in map(g.number, handles) if v is not None), default=0.0)


def tidied(g: Graph, inertia: RigidInertia, m: float, S: float) -> RigidInertia:
    """First and second moments that are nothing beside a mass and a second moment are zero."""
    second = max(S, _largest(g, inertia.second))
    first = max(sqrt(m * second), _largest(g, inertia.h))

    def kept(x: int, size: float) -> int:
        v = g.number(x)
        return g.zero if v is not None and abs(float(v)) < ROUNDING * size else x

    h = [kept(x, first) for x in inertia.h]
    return RigidInertia.of(inertia.frame, inertia.m, (h[0], h[1], h[2]), six([kept(x, second) for x in inertia.second]))


class _Layer:
    """Places bodies: hinges by their gauge, all others as they are."""

    def __init__(self, laying: Laying) -> None:
        self.gauges, self.unit = laying.gauges, laying.unit
        self.laid: dict[str, tuple[Frame, Array]] = {}  # by body: its working frame, and R from body to working axes

    def __call__(self, recipe: Recipe, parent: Reference, index: int) -> Body:
        plain = attach(self._scaled(recipe, parent.graph), parent, index)
        gauge = self.gauges.get(recipe.name, Gauge())
        found = self._hinge(plain)
        if found is not None:
            return self._placed(plain, parent, *found, gauge)
        return self._freed(plain, parent, gauge) if is_free(plain) else plain

    def _scaled(self, recipe: Recipe, g: Graph) -> Recipe:
        L = self.unit
        if L == 1:
            return recipe
        x, y, z, cx, cy, cz = (Expr(g, s.handle) / L for s in (*recipe.at, *recipe.com))
        return replace(recipe, at=(x, y, z), com=(cx, cy, cz), mass=Expr(g, recipe.mass.handle) * L**2)

    def _freed(self, plain: Body, parent: Reference, gauge: Gauge) -> Body:
        """A free body whose speeds are (ω, (v + ω × s)/L): those of the gauge's origin s, in its unit."""
        place = any(gauge.place)
        if self.unit == 1 and not place:
            return plain
        s = plain.vector([x / self.unit for x in gauge.place])
        w, v = (plain.vector(plain.u[k : k + 3]) for k in (0, 3))
        moved = (v / self.unit + w.cross(s)).resolve(plain.frame)
        moving = (*plain.u[:3], *moved)
        rest = w.cross(plain.vector(moved))
        placement = replace(plain.placement, position=plain.placement.position / self.unit, slide_rest=rest)
        return replace(plain, placement=placement, column_speeds=moving, shift=s if place else None)

    def _hinge(self, body: Body) -> tuple[Array, Array] | None:
        """The axis in the joint's frame, and that frame in the parent's, where a body hangs on a plain hinge whose
        geometry is numbers."""
        placement, recipe = body.placement, body.recipe
        turns = len(placement.turns) == 1 and bool(placement.turns[0]) and not placement.slides[0]
        still = not placement.position and not placement.turn_rest and not placement.slide_rest
        if not (turns and still and placement.q_dot == [body.u[0].handle]) or body.prescribed[0] is not None:
            return None
        axis = _numbers(body.graph, components(placement.turns[0], body.parent.frame))
        rows = recipe.orient
        orient = np.eye(3) if rows is None else _numbers(body.graph, [s.handle for row in rows for s in row])
        if axis is None or orient is None:
            return None
        orient = orient.reshape(3, 3)
        return (orient.T @ axis, orient) if _turns_by_q(body, orient.T @ axis, orient) else None

    def _placed(self, plain: Body, parent: Reference, axis: Array, orient: Array, gauge: Gauge) -> Body:
        g, name = plain.graph, plain.name
        start, there = self._start(parent)
        own = _about_z(-gauge.angle) @ aligned(axis)
        turns, exchange, angle = decomposed(there @ orient @ aligned(axis).T)
        frame = start
        for k, a in turns:
            frame = frame.turned(f"{name}°", k, g.const(a))
        if not np.array_equal(exchange, np.eye(3)):
            frame = frame.oriented(f"{name}'", [[g.const(int(x)) for x in row] for row in exchange])
        offset = angle + gauge.angle
        turned = plain.q[0].handle if abs(offset) < EXACT else g.add(plain.q[0].handle, g.const(offset))
        work = frame.turned(name, 2, turned)
        self.laid[name] = work, own
        back = snapped(own)
        final = work if np.array_equal(back, np.eye(3)) else work.oriented(f"{name}*", _consts(g, back))
        z = vector(work, (g.zero, g.zero, g.one))
        none = nothing(g)
        placement = Placement(final, none, [z], [none], none, none, [plain.u[0].handle])
        d = gauge.shift / self.unit
        shift = vector(work, (g.zero, g.zero, g.const(d))) if d else None
        return replace(
            plain, frame=final, offset=self._offset(plain, parent), placement=placement, shift=shift,
            chain=_chain(plain, final),
        )  # fmt: skip

    def _start(self, parent: Reference) -> tuple[Frame, Array]:
        """The parent's working frame, and R from its body's axes to it."""
        return self.laid.get(parent.name, (parent.frame, np.eye(3)))

    def _offset(self, plain: Body, parent: Reference) -> Vector:
        """The joint's place in the parent, along its working axes where they are numbers."""
        g, (frame, there) = plain.graph, self._start(parent)
        xyz = _numbers(g, components(plain.offset, parent.frame))
        if xyz is None:
            return plain.offset
        return vector(frame, [_length(g, float(x)) for x in there @ xyz])


def _turns_by_q(body: Body, axis: Array, orient: Array) -> bool:
    """Whether the joint turns the child from the joint's own frame about the axis by just its coordinate."""
    angle, g = 0.7, body.graph
    found = np.eye(3)
    for frame in body.frame.line()[: body.frame.depth - body.parent.frame.depth]:
        found = _matrix(g, frame, {body.q[0].handle: angle}) @ found
    a, b, c = axis
    K = np.array([[0, -c, b], [c, 0, -a], [-b, a, 0]])
    turned = orient @ (np.eye(3) + sin(angle) * K + (1 - cos(angle)) * K @ K)
    return bool(np.abs(found - turned).max() <= CLOSE)


def _matrix(g: Graph, frame: Frame, known: Mapping[int, float]) -> Array:
    """R of a frame's turn, in numbers."""
    turn = frame.up
    if turn is None:
        return np.eye(3)
    if turn.axis is not None:  # the angle alone: sines of it are not wanted in the graph yet
        return _planar(turn.axis, float(values(g, [turn.angle], known, somewhere(0))[0]))
    entries = values(g, [x for row in turn.rows for x in row], known, somewhere(0))
    return np.array([float(x) for x in entries]).reshape(3, 3)


def _chain(plain: Body, final: Frame) -> list[Frame]:
    """The frames of a body as the user laid them: those behind the turn are fixed in the body, so they hang on its new
    frame; those before it are the parent's."""
    made, g, line = [final], plain.graph, plain.frame.line()
    turn = next(k for k, f in enumerate(line) if f.up is not None and f.up.axis is not None and not is_constant(f))
    for frame in line[1 : turn + 1]:
        units = [vector(frame, [g.one if i == k else g.zero for i in range(3)]) for k in range(3)]
        axes = [components(unit, plain.frame) for unit in units]
        made.append(final.oriented(frame.name, [[axes[c][r] for c in range(3)] for r in range(3)]))
    return made + line[turn + 1 :]


def _numbers(g: Graph, handles: "list[int] | tuple[int, ...]") -> Array | None:
    found = [g.number(h) for h in handles]
    return None if any(v is None for v in found) else np.array([float(v) for v in found if v is not None])


def _length(g: Graph, x: float) -> int:
    """A length, exactly 0 or ±1 where only rounding keeps it from that."""
    near = round(x)
    return g.const(near) if abs(x - near) < 1e-12 and abs(near) <= 1 else g.const(x)


def _consts(g: Graph, matrix: Array) -> list[list[int]]:
    return [[g.const(int(x) if x == int(x) else float(x)) for x in row] for row in matrix]


def _about_z(angle: float) -> Array:
    c, s = cos(angle), sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def snapped(matrix: Array) -> Array:
    """Entries that are meant to be 0 or ±1 are."""
    made = matrix.copy()
    for value in (0.0, 1.0, -1.0):
        made[np.abs(made - value) < EXACT] = value
    return made


def aligned(axis: Array) -> Array:
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


def decomposed(C: Array) -> tuple[list[tuple[int, float]], Array, float]:
    """C = T · P · Rz(angle): planar turns, outermost first, an exchange of axes, a turn about z."""
    e, turns = snapped(C)[:, 2], list[tuple[int, float]]()
    while np.count_nonzero(e) > 1:
        k = int(np.flatnonzero(e == 0)[0]) if np.count_nonzero(e) == 2 else 0
        a, b = (k + 1) % 3, (k + 2) % 3
        angle = _least_turn(e[a], e[b])
        turns.append((k, angle))
        e = snapped(_planar(k, -angle) @ e)
    T = np.eye(3)
    for k, angle in turns:
        T = T @ _planar(k, angle)
    z = np.round(e)
    k = int(np.argmax(np.abs(z)))
    angle, P = inf, np.eye(3)
    for other in ((k + 1) % 3, (k + 2) % 3):
        for sign in (1.0, -1.0):
            x = sign * np.eye(3)[other]
            exchange = np.array([x, _cross(z, x), z]).T
            rest = exchange.T @ T.T @ C
            left = atan2(rest[1, 0], rest[0, 0])
            if abs(left) < abs(angle) - EXACT:
                angle, P = left, exchange
    return turns, P, 0.0 if abs(angle) < EXACT else angle


def _cross(a: Array, b: Array) -> Array:
    """a × b of two triples; NumPy's, for axes of any arrays, takes ten times as long."""
    (x, y, z), (u, v, w) = a.tolist(), b.tolist()
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def _least_turn(x: float, y: float) -> float:
    """The smallest turn about the third axis after which a vector (x, y) lies along one of the two."""
    angle = atan2(y, x)
    return angle - pi / 2 * round(angle / (pi / 2))


def _planar(k: int, angle: float) -> Array:
    R, a, b = np.eye(3), (k + 1) % 3, (k + 2) % 3
    R[a, a] = R[b, b] = cos(angle)
    R[a, b], R[b, a] = -sin(angle), sin(angle)
    return R
