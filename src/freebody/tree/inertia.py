"""Inertia of the links in their working frames, and the rewrite that moves to the parent what a joint cannot tell.

Inertia is kept about the link's origin as mass m, first moment h = m r and second moment Σ = ∫ r rᵀ dm; the inertia
matrix is J = tr(Σ) 1 − Σ. Σ needs no minus signs when it moves: by p it becomes Σ + p hᵀ + h pᵀ + m p pᵀ.
"""

from dataclasses import dataclass
from fractions import Fraction

from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.frame import Frame
from freebody.spatial.triples import PAIRS, Six, Triple
from freebody.spatial.vector import components, nearest, vector
from freebody.tree.forest import Forest, Link, is_constant

PLACE = {pair: k for k, pair in enumerate(PAIRS)} | {(j, i): k for k, (i, j) in enumerate(PAIRS)}


@dataclass(frozen=True)
class Inertia:
    """Mass, first moment, second moment (xx, yy, zz, xy, xz, yz) about an origin, in a frame; and the last one's trace,
    carried along because turns do not change it (in a plane it is all that is needed)."""

    m: int
    h: Triple
    S: Six
    trace: int


def own(link: Link) -> Inertia:
    """What the user gave, about the link's origin in its working frame."""
    g, recipe = link.graph, link.body.recipe
    c = components(vector(link.body.frame, [s.handle for s in recipe.com]) - link.shift, link.frame)
    J = carry(link.body.frame, link.frame, [[s.handle for s in row] for row in recipe.inertia])
    spread = [_spread(g, J[k], J[(k + 1) % 3], J[(k + 2) % 3]) for k in range(3)] + [g.neg(s) for s in J[3:]]
    m = recipe.mass.handle
    h = (g.mul(m, c[0]), g.mul(m, c[1]), g.mul(m, c[2]))
    S = [g.add(s, g.mul(h[i], c[j])) for s, (i, j) in zip(spread, PAIRS, strict=True)]
    return inertia_of(g, m, h, six(S))


def _spread(g: Graph, i: int, j: int, k: int) -> int:
    """Σᵢᵢ = ½(Jⱼⱼ + Jₖₖ − Jᵢᵢ), where equal moments cancel."""
    half = g.const(Fraction(1, 2))
    if i in (j, k):
        return g.mul(half, k if i == j else j)
    if j == k:
        return g.sub(j, g.mul(half, i))
    return g.mul(half, g.sub(g.add(j, k), i))


def inertia_of(g: Graph, m: int, h: Triple, S: Six) -> Inertia:
    return Inertia(m, h, S, g.add(g.add(S[0], S[1]), S[2]))


def six(values: list[int]) -> Six:
    a, b, c, d, e, f = values
    return a, b, c, d, e, f


def carry(start: Frame, end: Frame, matrix: list[list[int]] | Six) -> Six:
    """A symmetric matrix from one frame to another, step by step."""
    S = six([matrix[i][j] for i, j in PAIRS]) if isinstance(matrix, list) else matrix
    for turn in start.route(end):
        S = turn.symmetric(S)
    return S


def growth(g: Graph, h: Triple, m: int, p: Triple) -> Six:
    """What Σ gains about a point from which the origin lies at p: p wᵀ + w pᵀ with w = h + ½ m p."""
    half = g.const(Fraction(1, 2))
    w = [g.add(a, g.mul(half, g.mul(m, b))) for a, b in zip(h, p, strict=True)]
    diagonal = [g.mul(g.mul(g.const(2), p[i]), w[i]) for i in range(3)]
    return six(diagonal + [g.add(g.mul(p[i], w[j]), g.mul(p[j], w[i])) for i, j in PAIRS[3:]])


def plus(g: Graph, a: Inertia, b: Inertia) -> Inertia:
    x, y, z = (g.add(p, q) for p, q in zip(a.h, b.h, strict=True))
    S = six([g.add(p, q) for p, q in zip(a.S, b.S, strict=True)])
    return Inertia(g.add(a.m, b.m), (x, y, z), S, g.add(a.trace, b.trace))


def to_parent(link: Link, inertia: Inertia, parent: Frame) -> Inertia:
    """A link's inertia about its parent's origin, in the parent's working frame."""
    g, p = link.graph, link.arm
    h = components(vector(link.frame, inertia.h), parent)
    more = growth(g, h, inertia.m, p)
    S = six([g.add(a, b) for a, b in zip(carry(link.frame, parent, inertia.S), more, strict=True)])
    x, y, z = (g.add(a, g.mul(inertia.m, b)) for a, b in zip(h, p, strict=True))
    trace = g.add(inertia.trace, g.add(g.add(more[0], more[1]), more[2]))
    return Inertia(inertia.m, (x, y, z), S, trace)


def base(forest: Forest) -> list[Inertia]:
    """The `base` rewrite: from the tips inwards, what a joint cannot tell from its parent's moves to the parent. What
    is left is fictitious (a link may have h without m); it gives the same M and f in fewer operations."""
    g = forest.graph
    inertias = [own(link) for link in forest.links]
    for link in reversed(forest.links):
        kept, goes = divide(link, inertias[link.index])
        inertias[link.index] = kept
        if link.parent is not None and goes is not None:
            parent = link.parent
            inertias[parent.index] = plus(g, inertias[parent.index], to_parent(link, goes, parent.frame))
    return inertias


def divide(link: Link, inertia: Inertia) -> tuple[Inertia, Inertia | None]:
    """(what stays with the link, what goes to its parent)."""
    g, z = link.graph, link.graph.zero
    placement, recipe = link.body.placement, link.body.recipe
    kind, axis = recipe.joint.kept(placement)
    fixed = _stays(link)
    nothing, empty = (z, z, z), (z,) * 6
    if kind == "all" and fixed:
        return Inertia(z, nothing, empty, z), inertia
    if kind == "all":
        return Inertia(inertia.m, inertia.h, empty, z), Inertia(z, nothing, inertia.S, inertia.trace)
    if kind == "point" and fixed:
        return Inertia(z, inertia.h, inertia.S, inertia.trace), Inertia(inertia.m, nothing, empty, z)
    place = link.frame.place(next(iter(axis.parts))) if kind == "axis" and axis is not None else None
    if place is None or axis is None or len(axis.parts) != 1:
        return inertia, None
    return _split(g, inertia, place[0], fixed)


def _stays(link: Link) -> bool:
    """Whether the link's origin keeps its place on the parent: constant components along axes that lie still there."""
    g, parts = link.graph, link.position.parts
    parent = link.body.parent
    assert parent is not None
    return all(g.mask[s] <= PARAMETERS_ONLY for s in parts.values()) and all(
        _rigid(nearest(unit, parent.frame)[0], parent.frame) for unit in parts
    )


def _rigid(one: Frame, other: Frame) -> bool:
    """Whether two frames do not turn relative to each other."""
    path = one.path(other)
    top = min(path, key=lambda f: f.depth)
    return all(f is top or is_constant(f) for f in path)


def _split(g: Graph, inertia: Inertia, k: int, fixed: bool) -> tuple[Inertia, Inertia]:
    """A turn about axis k: the axial second moment goes; with no slide, the mass and the axial first moment too."""
    z = g.zero
    S, T = list(inertia.S), [z] * 6
    T[k], S[k] = S[k], z
    if not fixed:
        return inertia_of(g, inertia.m, inertia.h, six(S)), inertia_of(g, z, (z, z, z), six(T))
    h, d = list(inertia.h), [z] * 3
    d[k], h[k] = h[k], z
    goes = inertia_of(g, inertia.m, (d[0], d[1], d[2]), six(T))
    return inertia_of(g, z, (h[0], h[1], h[2]), six(S)), goes
