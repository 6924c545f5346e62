"""The mass centre of the system, and the momentum about it: h_G = A_G u + o_G in the ground, angular part first."""

from freebody.formulations.derivation import Derivation
from freebody.program.program import Program
from freebody.quantities.kinematics import Axes, include, matrix, program, rates, require_standard
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Vec, Wrench
from freebody.spatial.scalars import full
from freebody.tree.energy import whole_momentum
from freebody.tree.inertia import base_inertias, link_inertia
from freebody.tree.mass_matrix import composites
from freebody.tree.passes import outwards
from freebody.tree.tree import Link


def centre_of_mass(e: Derivation) -> Program:
    """c from the ground's origin."""
    return program(e, "centre_of_mass", {"centre": list(centre(total(e)).c)})


def centre_velocity(e: Derivation) -> Program:
    """ċ."""
    require_standard(e, "centre_velocity")
    return program(e, "centre_velocity", {"velocity": rates(e, list(centre(total(e)).c))})


def centroidal(e: Derivation) -> Program:
    """A_G (6 × nu), the locked inertia (3 × 3, of all joints held) about the mass centre, the centre and the mass."""
    require_standard(e, "centroidal")
    whole = total(e)
    c, g, moments = centre(whole), e.graph, full(whole.second)
    momenta = matrix(e, columns(e, c))
    S = [[g.sub(moments[i][j], g.mul(whole.h[i], c.c[j])) for j in range(3)] for i in range(3)]  # Σ about the centre
    trace = g.add(g.add(S[0][0], S[1][1]), S[2][2])
    locked = [[g.sub(trace, S[i][i]) if i == j else g.neg(S[min(i, j)][max(i, j)]) for j in range(3)] for i in range(3)]
    return program(e, "centroidal", {"matrix": momenta, "inertia": locked, "centre": list(c.c), "mass": whole.m})


def centroidal_momentum(e: Derivation) -> Program:
    """h_G: the system's momentum, its angular part about the mass centre."""
    whole = whole_momentum(e.formulation.motion)
    L, P = whole.angular, whole.linear
    return program(e, "centroidal_momentum", {"momentum": e.in_own_speeds([*(L - centre(total(e)).cross(P)).c, *P.c])})


def total(e: Derivation) -> RigidInertia:
    """m, h and Σ of the whole system about the ground's origin, along its axes."""
    links, whole = e.tree.links, RigidInertia.zero(e.tree.root)
    bodies = composites(e.tree, [link_inertia(link) for link in links])
    for link, composite in reversed(list(zip(links, bodies, strict=True))):
        whole = whole + composite.back(link.X) if link.parent is None else whole
    return whole


def centre(whole: RigidInertia) -> Vec:
    """h / m"""
    return Vec(whole.frame, tuple(whole.frame.S.div(h, whole.m) for h in whole.h))


def columns(e: Derivation, c: Vec) -> dict[int, Wrench]:
    """Momentum about the mass centre per unit of each speed: that of the composite body it moves."""
    axes, result = Axes(e.tree.root), dict[int, Wrench]()

    def origin(link: Link, before: Vec) -> Vec:
        here = axes.of(Vec(link.X.base, link.X.arm))
        return here if link.parent is None else before + here

    origins = outwards(e.tree.links, origin, Vec.zero(e.tree.root))
    for link, body in zip(e.tree.links, composites(e.tree, base_inertias(e.tree)), strict=True):
        arm = origins[link.index] - c
        momenta = [(column.speed, body.apply(column.twist)) for column in link.columns]
        momenta += zip(link.u, link.internal_dynamics.fr, strict=True) if link.internal_dynamics is not None else ()
        for speed, momentum in momenta:
            P, L = axes.of(momentum.linear), axes.of(momentum.angular)
            include(result, speed, Wrench.of(L + arm.cross(P), P))
    return result
