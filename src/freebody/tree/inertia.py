"""The links' inertia in their frames, and the `base` rewrite, which moves to the parent what a joint cannot tell."""

from collections.abc import Sequence
from fractions import Fraction

from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.scalars import PAIRS, Scalar, Six, Triple
from freebody.spatial.vector import components, nearest, vector
from freebody.tree.passes import inwards
from freebody.tree.tree import Link, Tree, is_constant


def link_inertia(link: Link) -> RigidInertia:
    """About the link's origin in its frame: of the rigid body, and of masses that move inside it."""
    return solid_inertia(link) if link.internal_dynamics is None else solid_inertia(link) + link.internal_dynamics.rr


def solid_inertia(link: Link) -> RigidInertia:
    """The constant part: m, h = m c, Σ = Σ_c + m c cᵀ."""
    g, (m, c, central) = link.graph, central_inertia(link)
    h = (g.mul(m, c[0]), g.mul(m, c[1]), g.mul(m, c[2]))
    second = [g.add(s, g.mul(h[i], c[j])) for s, (i, j) in zip(central, PAIRS, strict=True)]
    return RigidInertia.of(link.frame, m, h, six(second))


def central_inertia(link: Link) -> tuple[Node, Triple, Six]:
    """Of the rigid body, in the link's frame: its mass, the mass centre from the link's origin, and the second moment
    about the mass centre."""
    g, spec = link.graph, link.body.spec
    c = components(vector(link.body.frame, [s.handle for s in spec.com]) - link.shift, link.frame)
    J = turn_symmetric(link.body.frame, link.frame, six([spec.inertia[i][j].handle for i, j in PAIRS]))
    spread = [_spread(g, J[k], J[(k + 1) % 3], J[(k + 2) % 3]) for k in range(3)] + [g.neg(s) for s in J[3:]]
    return spec.mass.handle, c, six(spread)


def _spread(g: Graph, i: Node, j: Node, k: Node) -> Node:
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


def turn_symmetric(start: Frame, end: Frame, matrix: Six) -> Six:
    """A symmetric matrix along the axes of another frame."""
    for turn in start.route(end):
        matrix = turn.symmetric(matrix)
    return matrix


def base_inertias(tree: Tree) -> list[RigidInertia]:
    """The `base` rewrite, from the tips inwards. What is left of a link's inertia is fictitious (there may be h without
    m); it gives the same M and f in fewer operations. Nothing moves to a port, which has no inertia."""
    remaining: dict[int, RigidInertia] = {}

    def step(link: Link, inertia: RigidInertia) -> RigidInertia | None:
        on_port = link.parent is not None and link.parent.is_port
        remaining[link.index], moved = (inertia, None) if on_port else divide(link, inertia)
        return None if link.parent is None or moved is None else moved.back(link.X)

    inwards(tree.links, [link_inertia(link) for link in tree.links], step)
    return [remaining[link.index] for link in tree.links]


def divide(link: Link, inertia: RigidInertia) -> tuple[RigidInertia, RigidInertia | None]:
    """The part of an inertia that stays with its link, and the part that its parent can have instead: all of it
    behind a weld, the mass of a point that is fixed in the parent, behind a hinge the axial second moment and, where
    the origin is fixed in the parent, the mass and the axial first moment."""
    z, frame = link.graph.zero, link.frame
    kind, axis = link.body.spec.joint.parent_inertia(link.body.placement)
    fixed = has_fixed_origin(link)
    m, h, second, trace = (inertia.m,), inertia.h, inertia.second, (inertia.trace,)
    one, three, seven = (z,), (z,) * 3, (z,) * 7
    if kind == "all" and fixed:
        return RigidInertia.zero(frame), inertia
    if kind == "all":
        return RigidInertia(frame, m + h + seven), RigidInertia(frame, one + three + second + trace)
    if kind == "point" and fixed:
        return RigidInertia(frame, one + h + second + trace), RigidInertia(frame, m + three + seven)
    along = frame.axis_of(next(iter(axis.parts))) if kind == "axis" and axis is not None else None
    if along is None or axis is None or len(axis.parts) != 1:
        return inertia, None
    k = along[0]
    radial, axial = list(second), [z] * 6
    axial[k], radial[k] = second[k], z
    if not fixed:
        moved = RigidInertia.of(frame, z, (z, z, z), six(axial))
        return RigidInertia.of(frame, inertia.m, h, six(radial)), moved
    across, first = list(h), [z] * 3
    first[k], across[k] = h[k], z
    moved = RigidInertia.of(frame, inertia.m, (first[0], first[1], first[2]), six(axial))
    return RigidInertia.of(frame, z, (across[0], across[1], across[2]), six(radial)), moved


def has_fixed_origin(link: Link) -> bool:
    """Whether the link's origin is fixed in the parent: constant components along axes that do not turn there."""
    g, parts, frame = link.graph, link.position.parts, link.body.parent.frame
    if any(g.mask[s] > PARAMETERS_ONLY for s in parts.values()):
        return False
    for unit in parts:
        path = nearest(unit, frame)[0].path(frame)
        top = min(path, key=lambda f: f.depth)
        if not all(f is top or is_constant(f) for f in path):
            return False
    return True
