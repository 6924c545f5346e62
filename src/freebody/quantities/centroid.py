"""The mass centre of the system, and the momentum about it: h_G = A_G u + o_G in the ground, angular part first."""

from freebody.formulations.derivation import Derivation
from freebody.program.program import Program
from freebody.quantities.kinematics import rates
from freebody.quantities.points import Axes, include, matrix, require_standard
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Vec, Wrench
from freebody.spatial.scalars import full
from freebody.tree.energy import whole_momentum
from freebody.tree.forest import Link
from freebody.tree.inertia import base, own
from freebody.tree.mass import composites
from freebody.tree.passes import outwards


def centre_of_mass(e: Derivation) -> Program:
    """c from the ground's origin."""
    a = e.assembly("centre_of_mass")
    a.output("centre", list(centre(total(e)).c))
    return a.program()


def centre_velocity(e: Derivation) -> Program:
    """ċ."""
    require_standard(e, "centre_velocity")
    a = e.assembly("centre_velocity")
    a.output("velocity", rates(e, list(centre(total(e)).c)))
    return a.program()


def centroidal(e: Derivation) -> Program:
    """A_G (6 × nu), the locked inertia (3 × 3, of all joints held) about the mass centre, the centre and the mass."""
    require_standard(e, "centroidal")
    whole = total(e)
    c = centre(whole)
    a = e.assembly("centroidal")
    a.output("matrix", matrix(e, columns(e, c)))
    a.output("inertia", locked(whole, c))
    a.output("centre", list(c.c))
    a.output("mass", whole.m)
    return a.program()


def centroidal_momentum(e: Derivation) -> Program:
    """h_G: the system's momentum, its angular part about the mass centre."""
    whole = whole_momentum(e.formulation.motion)
    L, P = whole.angular, whole.linear
    a = e.assembly("centroidal_momentum")
    a.output("momentum", e.in_own_speeds([*(L - centre(total(e)).cross(P)).c, *P.c]))
    return a.program()


def total(e: Derivation) -> RigidInertia:
    """m, h and Σ of the whole system about the ground's origin, along its axes."""
    links, whole = e.forest.links, RigidInertia.zero(e.forest.root)
    for link, composite in reversed(list(zip(links, composites(e.forest, list(map(own, links))), strict=True))):
        whole = whole + composite.back(link.X) if link.parent is None else whole
    return whole


def centre(whole: RigidInertia) -> Vec:
    """h / m"""
    return Vec(whole.frame, tuple(whole.frame.S.div(h, whole.m) for h in whole.h))


def locked(whole: RigidInertia, c: Vec) -> list[list[int]]:
    """J = tr(Σ) 1 − Σ with Σ about the mass centre: less m c cᵀ."""
    g, h, rows = whole.frame.graph, whole.h, full(whole.second)
    S = [[g.sub(rows[i][j], g.mul(h[i], c.c[j])) for j in range(3)] for i in range(3)]
    trace = g.add(g.add(S[0][0], S[1][1]), S[2][2])
    return [[g.sub(trace, S[i][i]) if i == j else g.neg(S[min(i, j)][max(i, j)]) for j in range(3)] for i in range(3)]


def columns(e: Derivation, c: Vec) -> dict[int, Wrench]:
    """Momentum about the mass centre per unit of each speed: that of the composite body it moves."""
    axes, result = Axes(e.forest.root), dict[int, Wrench]()

    def origin(link: Link, before: Vec) -> Vec:
        here = axes.of(Vec(link.X.base, link.X.arm))
        return here if link.parent is None else before + here

    origins = outwards(e.forest.links, origin, Vec.zero(e.forest.root))
    for link, body in zip(e.forest.links, composites(e.forest, base(e.forest)), strict=True):
        arm = origins[link.index] - c
        momenta = [(column.speed, body.apply(column.twist)) for column in link.columns]
        momenta += zip(link.u, link.inside.fr, strict=True) if link.inside is not None else ()
        for speed, momentum in momenta:
            P, L = axes.of(momentum.linear), axes.of(momentum.angular)
            include(result, speed, Wrench.of(L + arm.cross(P), P))
    return result
