"""Inertia of the links in their frames, and the rewrite that moves to the parent what a joint cannot tell."""

from collections.abc import Sequence
from fractions import Fraction

from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.scalars import PAIRS, Scalar, Six
from freebody.spatial.vector import components, nearest, vector
from freebody.tree.forest import Forest, Link, is_constant
from freebody.tree.passes import inwards


def own(link: Link) -> RigidInertia:
    """Of a link about its origin in its frame: what the user gave, and masses that move inside the body."""
    return solid(link) if link.inside is None else solid(link) + link.inside.rr


def solid(link: Link) -> RigidInertia:
    """What the user gave, which is constant."""
    g, recipe = link.graph, link.body.recipe
    c = components(vector(link.body.frame, [s.handle for s in recipe.com]) - link.shift, link.frame)
    J = carry(link.body.frame, link.frame, six([recipe.inertia[i][j].handle for i, j in PAIRS]))
    spread = [_spread(g, J[k], J[(k + 1) % 3], J[(k + 2) % 3]) for k in range(3)] + [g.neg(s) for s in J[3:]]
    m = recipe.mass.handle
    h = (g.mul(m, c[0]), g.mul(m, c[1]), g.mul(m, c[2]))
    second = [g.add(s, g.mul(h[i], c[j])) for s, (i, j) in zip(spread, PAIRS, strict=True)]
    return RigidInertia.of(link.frame, m, h, six(second))


def _spread(g: Graph, i: int, j: int, k: int) -> int:
    """Σᵢᵢ = ½(Jⱼⱼ + Jₖₖ − Jᵢᵢ), where equal moments cancel."""
    half = g.const(Fraction(1, 2))
    if i in (j, k):
        return g.mul(half, k if i == j else j)
    if j == k:
        return g.sub(j, g.mul(half, i))
    return g.mul(half, g.sub(g.add(j, k), i))


def six(values: Sequence[Scalar]) -> Six:
    a, b, c, d, e, f = values
    return a, b, c, d, e, f


def carry(start: Frame, end: Frame, matrix: Six) -> Six:
    """A symmetric matrix from one frame's axes to another's."""
    for turn in start.route(end):
        matrix = turn.symmetric(matrix)
    return matrix


def base(forest: Forest) -> list[RigidInertia]:
    """The `base` rewrite: from the tips inwards, what a joint cannot tell from its parent's moves to the parent. What
    is left is fictitious (a link may have h without m); it gives the same M and f in fewer operations."""
    kept: dict[int, RigidInertia] = {}

    def step(link: Link, inertia: RigidInertia) -> RigidInertia | None:
        kept[link.index], goes = divide(link, inertia)
        return None if link.parent is None or goes is None else goes.back(link.X)

    inwards(forest.links, [own(link) for link in forest.links], step)
    return [kept[link.index] for link in forest.links]


def divide(link: Link, inertia: RigidInertia) -> tuple[RigidInertia, RigidInertia | None]:
    """(what stays with the link, what goes to its parent)."""
    z, frame = link.graph.zero, link.frame
    placement, recipe = link.body.placement, link.body.recipe
    kind, axis = recipe.joint.kept(placement)
    fixed = _stays(link)
    m, h, second, trace = (inertia.m,), inertia.h, inertia.second, (inertia.trace,)
    one, three, seven = (z,), (z,) * 3, (z,) * 7
    if kind == "all" and fixed:
        return RigidInertia.zero(frame), inertia
    if kind == "all":
        return RigidInertia(frame, m + h + seven), RigidInertia(frame, one + three + second + trace)
    if kind == "point" and fixed:
        return RigidInertia(frame, one + h + second + trace), RigidInertia(frame, m + three + seven)
    place = link.frame.axis_of(next(iter(axis.parts))) if kind == "axis" and axis is not None else None
    if place is None or axis is None or len(axis.parts) != 1:
        return inertia, None
    return _split(inertia, place[0], fixed)


def _stays(link: Link) -> bool:
    """Whether the link's origin keeps its place on the parent: constant components along axes that lie still there."""
    g, parts = link.graph, link.position.parts
    parent = link.body.parent
    return all(g.mask[s] <= PARAMETERS_ONLY for s in parts.values()) and all(
        _rigid(nearest(unit, parent.frame)[0], parent.frame) for unit in parts
    )


def _rigid(one: Frame, other: Frame) -> bool:
    """Whether two frames do not turn relative to each other."""
    path = one.path(other)
    top = min(path, key=lambda f: f.depth)
    return all(f is top or is_constant(f) for f in path)


def _split(inertia: RigidInertia, k: int, fixed: bool) -> tuple[RigidInertia, RigidInertia]:
    """A turn about axis k: the axial second moment goes; with no slide, the mass and the axial first moment too."""
    frame, z, (x, y, w) = inertia.frame, inertia.frame.S.zero, inertia.h
    second, axial = list(inertia.second), [z] * 6
    axial[k], second[k] = second[k], z
    if not fixed:
        goes = RigidInertia.of(frame, z, (z, z, z), six(axial))
        return RigidInertia.of(frame, inertia.m, (x, y, w), six(second)), goes
    h, along = [x, y, w], [z] * 3
    along[k], h[k] = h[k], z
    goes = RigidInertia.of(frame, inertia.m, (along[0], along[1], along[2]), six(axial))
    return RigidInertia.of(frame, z, (h[0], h[1], h[2]), six(second)), goes
