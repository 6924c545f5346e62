"""Implicit steps of floating bases: rates of velocities along axes that turn, and the gyroscopic torque."""

from collections.abc import Sequence

from freebody.model.contact.candidate import Three
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.scalar.walk import substitute
from freebody.spatial.inertia import RigidInertia
from freebody.tree.mass_matrix import composites
from freebody.tree.motion import Motion
from freebody.tree.tree import Link, Tree


def floating_rates(
    link: Link, motion: Motion, inertias: Sequence[RigidInertia], rates: Sequence[Expr], h: Expr
) -> list[Expr]:
    """The rates of all speeds with those of a link with six free speeds, the base of a tree, for a step of the size h.

    Its velocities along axes that turn have rates of vectors that are fixed in the ground, v̇ + ω × v: with v̇ alone fast
    turns explode. Its angular acceleration α becomes that of (J + h G) α' = J α, with J of all bodies on it as if they
    were locked at zero coordinates, about their mass centre, and G = [ω]× J − [J ω]× the derivative of their gyroscopic
    torque; that mass centre moves as before. This changes α by terms of the first order in h, as steps do anyway, so
    that J need not follow the coordinates, which would be the longest part of it."""
    g, tree, rates = motion.graph, motion.tree, list(rates)

    def exprs(v: Sequence[Node]) -> Three:
        x, y, z = (Expr(g, c) for c in v)
        return x, y, z

    V = motion.twist(link)
    w, v = exprs(V.angular.c), exprs(V.linear.c)
    alpha = [Expr(g, g.zero)] * 3
    for c in link.columns:
        alpha = [a + rates[c.speed] * Expr(g, x) for a, x in zip(alpha, c.twist.angular.c, strict=True)]
    whole = composites(tree, inertias)[link.index]
    values = substitute(g, whole.c, _zero_coordinates(tree))
    whole = RigidInertia(whole.frame, tuple(values))
    m, first = Expr(g, whole.m), exprs(whole.h)
    centre = (first[0] / m, first[1] / m, first[2] / m)
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    xx, yy, zz, xy, xz, yz = (Expr(g, s) - first[i] * centre[j] for s, (i, j) in zip(whole.second, pairs, strict=True))
    J = ((yy + zz, -xy, -xz), (-xy, xx + zz, -yz), (-xz, -yz, xx + yy))
    right, L = ((_dot(J[0], e), _dot(J[1], e), _dot(J[2], e)) for e in (alpha, w))
    zero, one = Expr(g, g.zero), Expr(g, g.one)
    units = ((one, zero, zero), (zero, one, zero), (zero, zero, one))
    A = list[Three]()  # the columns of J + h G
    for column, unit in zip(J, units, strict=True):  # J is symmetric
        x, y, z = (c + h * (p - q) for c, p, q in zip(column, _cross(w, column), _cross(L, unit), strict=True))
        A.append((x, y, z))
    across = _cross(A[1], A[2])
    inverse = 1 / _dot(A[0], across)
    new = (
        _dot(right, across) * inverse,
        _dot(A[0], _cross(right, A[2])) * inverse,
        _dot(A[0], _cross(A[1], right)) * inverse,
    )
    change = (new[0] - alpha[0], new[1] - alpha[1], new[2] - alpha[2])
    linear = [a + b for a, b in zip(_cross(w, v), _cross(centre, change), strict=True)]
    for c in link.columns:
        for part, axis in ((change, c.twist.angular.c), (linear, c.twist.linear.c)):
            rates[c.speed] = rates[c.speed] + _dot(part, exprs(axis))
    return rates


def _zero_coordinates(tree: Tree) -> dict[Node, Node]:
    """Numbers for the coordinates of all joints."""
    g, zeros, handles = tree.graph, dict[str, float](), tree.layout.q_handles
    for link in tree.links:
        zeros |= dict(zip(link.body.spec.names[0], link.body.spec.joint.zero, strict=True))
    return {h: g.const(zeros[name]) for name, h in zip(tree.layout.q, handles, strict=True)}


def _dot(a: Sequence[Expr], b: Sequence[Expr]) -> Expr:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Sequence[Expr], b: Sequence[Expr]) -> Three:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
