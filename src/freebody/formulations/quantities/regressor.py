"""The inertial-parameter regressor: τ = Y(q, u, u̇) π + τ₀.

π holds ten numbers for each body, in the order of bodies: m, the first moment h = m r (x, y, z) and the inertia matrix
(xx, xy, yy, xz, yz, zz), both about the body's origin along its axes; J_xy is the matrix's entry, minus the product of
inertia. Weight is part of Y π. τ₀ is what bodies without mass would need: armatures times u̇ less what loads, joint
springs, dampers, friction and efforts put on the speeds.
"""

from freebody.formulations.equations import Equations
from freebody.formulations.inwards import Push
from freebody.formulations.quantities.newton import geared, loaded
from freebody.formulations.quantities.places import Axes, Six, require_standard
from freebody.scalar.graph import Graph
from freebody.scalar.program import Program
from freebody.spatial.triples import Triple, add3, cross3, dot3, times3
from freebody.spatial.vector import components
from freebody.tree.forest import Link
from freebody.tree.motion import Motion, Turning, down, turning

LETTERS = ("m", "hx", "hy", "hz", "Jxx", "Jxy", "Jyy", "Jxz", "Jyz", "Jzz")
Q = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)]
"""The inertia matrix' entries in the order of π."""


def regressor(e: Equations) -> Program:
    """Y, nu × 10 for each body."""
    require_standard(e, "regressor", exact=True)
    motion, carried = Motion(e.forest, e.accelerations), partial(e)
    blocks = [_block(motion, link, carried[link.index]) for link in e.forest.links]
    none = [e.graph.zero] * len(LETTERS)
    a = e.assembly("regressor", "u_dot")
    n = len(e.layout.u)
    rows = [[x for block in blocks for x in block.get(k, none)] for k in range(n)]
    a.output("Y", rows, (n, len(none) * len(blocks)))
    return a.program()


def regressor_offset(e: Equations) -> Program:
    """τ₀."""
    require_standard(e, "regressor_offset", exact=True)
    a = e.assembly("regressor_offset", "u_dot")
    parts = zip(geared(e, e.accelerations), loaded(e), strict=True)
    a.output("tau", [e.graph.sub(gear, load) for gear, load in parts])
    return a.program()


def inertial_parameters(e: Equations) -> Program:
    """π."""
    a = e.assembly("inertial_parameters")
    a.output("pi", [x for link in e.forest.links for x in _given(link)])
    return a.program()


def names(e: Equations) -> tuple[str, ...]:
    """Of the entries of π: "forearm.hx"."""
    return tuple(f"{link.name}.{letter}" for link in e.forest.links for letter in LETTERS)


def _given(link: Link) -> Six:
    """m, m r and J + m (r·r 1 − r rᵀ) of a body."""
    g, recipe = link.graph, link.body.recipe
    m, r = recipe.mass.handle, [s.handle for s in recipe.com]
    h = [g.mul(m, x) for x in r]
    square = dot3(g, h, r)
    return [m, *h, *(_about(g, recipe.inertia[i][j].handle, square if i == j else g.zero, h[i], r[j]) for i, j in Q)]


def _about(g: Graph, J: int, square: int, h: int, r: int) -> int:
    return g.add(J, g.sub(square, g.mul(h, r)))


# Columns


def partial(e: Equations) -> list[dict[int, tuple[Triple, Triple]]]:
    """For each link ∂(ω, v)/∂u of its origin, in its frame, carried outwards from joint to joint."""
    g, found = e.graph, list[dict[int, tuple[Triple, Triple]]]()
    none = (g.zero, g.zero, g.zero)
    for link in e.forest.links:
        own: dict[int, tuple[Triple, Triple]] = {}
        if link.parent is not None:
            for place, (w, v) in found[link.parent.index].items():
                moved = add3(g, v, cross3(g, w, link.arm))
                own[place] = down(link.parent.frame, link.frame, w), down(link.parent.frame, link.frame, moved)
        for place, turn, slide in zip(link.u, link.turns, link.slides, strict=True):
            w, v = own.get(place, (none, none))
            own[place] = add3(g, w, components(turn, link.frame)), add3(g, v, components(slide, link.frame))
        found.append(own)
    return found


def _block(motion: Motion, link: Link, columns: dict[int, tuple[Triple, Triple]]) -> dict[int, Six]:
    """The rows of Y for one body: what its unit parameters need, met by each column at its origin along its axes."""
    g, axes = motion.graph, Axes(link.body.frame)
    spun, a = _felt(motion, link, axes)
    pushes = unit_pushes(g, spun, a)
    back = components(-link.shift, link.frame)
    found: dict[int, Six] = {}
    for place, (w, v) in columns.items():
        e, l = axes.of(link.frame, w), axes.of(link.frame, add3(g, v, cross3(g, w, back)))
        found[place] = [g.add(dot3(g, l, p.f), dot3(g, e, p.n)) for p in pushes]
    return found


def _felt(motion: Motion, link: Link, axes: Axes) -> tuple[Turning, Triple]:
    """The body's turning and its origin's felt acceleration, along its axes."""
    g, spun = motion.graph, motion.turning(link)
    back = components(-link.shift, link.frame)
    a = add3(g, motion.acceleration(link), times3(g, spun.U, back))
    if axes.frame is link.frame:
        return spun, a
    return turning(g, axes.of(link.frame, spun.w), axes.of(link.frame, spun.alpha)), axes.of(link.frame, a)


def unit_pushes(g: Graph, t: Turning, a: Triple) -> list[Push]:
    """What each parameter alone needs: m a, U h and h × a, J α + ω × J ω."""
    z, one = g.zero, g.one
    none = (z, z, z)
    units = [(one, z, z), (z, one, z), (z, z, one)]
    first = [Push((t.U[0][k], t.U[1][k], t.U[2][k]), cross3(g, unit, a)) for k, unit in enumerate(units)]
    return [Push(a, none), *first, *(Push(none, n) for n in _turned(g, t))]


def _turned(g: Graph, t: Turning) -> list[Triple]:
    """J α + ω × J ω for unit J: off-diagonal products of ω and entries of U = [α]× + ωωᵀ − |ω|² (ij: ω_iω_j ∓ α_k)."""
    U, (xx, yy, zz), (ax, ay, az) = t.U, t.squares, t.alpha
    x, y, z = t.w
    xy, xz, yz = g.mul(x, y), g.mul(x, z), g.mul(y, z)
    n = g.neg
    return [
        (ax, xz, n(xy)),
        (n(U[2][0]), U[2][1], g.sub(xx, yy)),
        (n(yz), ay, xy),
        (U[1][0], g.sub(zz, xx), n(U[1][2])),
        (g.sub(yy, zz), n(U[0][1]), U[0][2]),
        (yz, n(xz), az),
    ]
