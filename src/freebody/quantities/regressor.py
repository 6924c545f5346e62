"""The inertial-parameter regressor: τ = Y(q, u, u̇) π + τ₀.

π holds ten numbers for each body, in the order of bodies: m, the first moment h = m r (x, y, z) and the inertia matrix
(xx, xy, yy, xz, yz, zz), both about the body's origin along its axes; J_xy is the matrix's entry, minus the product of
inertia. Weight is part of Y π. τ₀ is what bodies without mass would need: armatures times u̇ less what loads, joint
springs, dampers, friction and efforts put on the speeds.
"""

from freebody.formulations.equations import Equations
from freebody.program.program import Program
from freebody.quantities.newton import geared, loaded
from freebody.quantities.places import Axes, include, require_standard
from freebody.scalar.graph import Graph
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.triples import dot3
from freebody.spatial.vector import components
from freebody.tree.forest import Link, require_joints
from freebody.tree.motion import Motion, Moving
from freebody.tree.passes import outwards

LETTERS = ("m", "hx", "hy", "hz", "Jxx", "Jxy", "Jyy", "Jxz", "Jyz", "Jzz")
Q = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)]
"""The inertia matrix' entries in the order of π."""


def regressor(e: Equations) -> Program:
    """Y, nu × 10 for each body."""
    require_standard(e, "regressor", exact=True)
    require_joints(e.forest, "regressor", "use inverse_dynamics and its derivatives")
    motion, carried = Motion(e.forest, e.accelerations), partial(e)
    blocks = [_block(motion, link, carried[link.index]) for *_, link in e.forest.bodies]
    none = [e.graph.zero] * len(LETTERS)
    a = e.assembly("regressor", "u_dot")
    n = len(e.layout.u)
    rows = [[x for block in blocks for x in block.get(k, none)] for k in range(n)]
    a.output("Y", rows, (n, len(none) * len(blocks)))
    return a.program()


def regressor_offset(e: Equations) -> Program:
    """τ₀."""
    require_standard(e, "regressor_offset", exact=True)
    require_joints(e.forest, "regressor_offset", "use inverse_dynamics and its derivatives")
    a = e.assembly("regressor_offset", "u_dot")
    parts = zip(geared(e, e.accelerations), loaded(e), strict=True)
    a.output("tau", [e.graph.sub(gear, load) for gear, load in parts])
    return a.program()


def inertial_parameters(e: Equations) -> Program:
    """π."""
    a = e.assembly("inertial_parameters")
    a.output("pi", [x for *_, link in e.forest.bodies for x in _given(link)])
    return a.program()


def names(e: Equations) -> tuple[str, ...]:
    """Of the entries of π: "forearm.hx"."""
    return tuple(f"{link.name}.{letter}" for *_, link in e.forest.bodies for letter in LETTERS)


def _given(link: Link) -> list[int]:
    """m, m r and J + m (r·r 1 − r rᵀ) of a body."""
    g, recipe = link.graph, link.body.recipe
    m, r = recipe.mass.handle, [s.handle for s in recipe.com]
    h = [g.mul(m, x) for x in r]
    square = dot3(g, h, r)
    return [m, *h, *(_about(g, recipe.inertia[i][j].handle, square if i == j else g.zero, h[i], r[j]) for i, j in Q)]


def _about(g: Graph, J: int, square: int, h: int, r: int) -> int:
    return g.add(J, g.sub(square, g.mul(h, r)))


# Columns


def partial(e: Equations) -> dict[int, dict[int, Twist]]:
    """For each link ∂(ω, v)/∂u of its origin, carried outwards from joint to joint."""

    def step(link: Link, before: dict[int, Twist]) -> dict[int, Twist]:
        own = {speed: V.out(link.X) for speed, V in before.items()}
        for c in link.columns:
            include(own, c.speed, c.twist)
        return own

    return outwards(e.forest.links, step, {})


def _block(motion: Motion, link: Link, columns: dict[int, Twist]) -> dict[int, list[int]]:
    """The rows of Y for one body: what its unit parameters need, met by each column at its origin along its axes."""
    axes, back = Axes(link.body.frame), Vec(link.frame, components(-link.shift, link.frame))
    m = motion.of(link)
    wrenches = unit_wrenches(Moving(axes.of(m.w), axes.of(m.alpha), axes.of(m.at(back.xyz))))
    found: dict[int, list[int]] = {}
    for speed, V in columns.items():
        there = Twist.of(axes.of(V.angular), axes.of(V.linear + V.angular.cross(back)))
        found[speed] = [there.dot(F) for F in wrenches]
    return found


def unit_wrenches(m: Moving) -> list[Wrench]:
    """What each parameter alone needs: m a, U h and h × a, J α + ω × J ω."""
    S, U, none = m.frame.S, m.U, Vec.zero(m.frame)
    units = [Vec(m.frame, tuple(S.one if i == k else S.zero for i in range(3))) for k in range(3)]
    first = [Wrench.of(unit.cross(m.a), Vec(m.frame, (U[0][k], U[1][k], U[2][k]))) for k, unit in enumerate(units)]
    return [Wrench.of(none, m.a), *first, *(Wrench.of(n, none) for n in _turned(m))]


def _turned(m: Moving) -> list[Vec]:
    """J α + ω × J ω for unit J: off-diagonal products of ω and entries of U = [α]× + ωωᵀ − |ω|² (ij: ω_iω_j ∓ α_k)."""
    S, U, (xx, yy, zz), (ax, ay, az), (x, y, z) = m.frame.S, m.U, m.squares, m.alpha.c, m.w.c
    xy, xz, yz, n = S.mul(x, y), S.mul(x, z), S.mul(y, z), S.neg
    rows = [
        (ax, xz, n(xy)),
        (n(U[2][0]), U[2][1], S.sub(xx, yy)),
        (n(yz), ay, xy),
        (U[1][0], S.sub(zz, xx), n(U[1][2])),
        (S.sub(yy, zz), n(U[0][1]), U[0][2]),
        (yz, n(xz), az),
    ]
    return [Vec(m.frame, row) for row in rows]
