"""C(q, u) of M u̇ + C u + c₀ = …: C = ∫ J_pᵀ J̇_p dm over all mass points, J_p a point's velocity per unit of each speed.

J̇_p is the rate along the motion. So Ṁ = ∫ J̇_pᵀ J_p + J_pᵀ J̇_p dm = C + Cᵀ, and Ṁ − 2C is skew. A point accelerates at
J_p u̇ + J̇_p u + ȯ_p, with o_p what prescribed motions alone make of its velocity; hence C u + c₀, c₀ = ∫ J_pᵀ ȯ_p dm, is
all that velocities add to the inertia forces. Where speeds are the rates of coordinates, C is that of Christoffel's
symbols of the first kind (Echeandia & Wensing 2021).
"""

from freebody.formulations.derivation import Derivation
from freebody.program.program import Program
from freebody.quantities.flows import Effect, Entries, Flows
from freebody.quantities.forces import without_loads
from freebody.quantities.kinematics import Weightless
from freebody.quantities.points import require_standard
from freebody.scalar.derivative import jvp
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.resolved import Terms, Vec, collected
from freebody.tree.forest import Column, Link, require_joints
from freebody.tree.inertia import base
from freebody.tree.motion import Motion


def coriolis(e: Derivation) -> Program:
    """C, nu × nu."""
    require_standard(e, "coriolis", exact=True)
    require_joints(e.forest, "coriolis", "use inverse_dynamics and its derivatives")
    g, n, entries = e.graph, len(e.layout.u), matrix(Flows(e.formulation.motion, base(e.forest)))
    a = e.assembly("coriolis")
    a.output("C", [[entries.get((i, j), g.zero) for j in range(n)] for i in range(n)], (n, n))
    return a.program()


def coriolis_offset(e: Derivation) -> Program:
    """c₀: the inertia forces at u̇ = 0 without gravity, less C u."""
    require_standard(e, "coriolis_offset", exact=True)
    require_joints(e.forest, "coriolis_offset", "use inverse_dynamics and its derivatives")
    g, a = e.graph, e.assembly("coriolis_offset")
    offset = [g.zero] * len(e.layout.u)
    if any(given is not None for link in e.forest.links for given in link.body.prescribed):
        inertias = base(e.forest)
        offset = without_loads(Weightless(e.forest), inertias).generalised()
        for (i, j), entry in matrix(Flows(e.formulation.motion, inertias)).items():
            offset[i] = g.sub(offset[i], g.mul(entry, e.layout.u_handles[j]))
    a.output("c", offset)
    return a.program()


def matrix(flows: Flows) -> Entries:
    """The entries of C."""

    def effect(link: Link, column: Column) -> Effect:
        """∫ [r×; 1] (l̇ + ė × r + e × ṙ) dm."""
        flow, e, l = flows.all[link.index], column.twist.angular, column.twist.linear
        e_dot, l_dot = rate(flows.motion, link, e, column.angular), rate(flows.motion, link, l, column.linear)
        wrench = flow.wrench(l_dot, e_dot) + flow.swept(e)
        return Effect(wrench, wrench, l_dot, e_dot, e)

    return flows.matrix(effect)


def rate(motion: Motion, link: Link, own: Vec, parts: Terms) -> Vec:
    """dv/dt in the ground of a vector of a link: ω × v of the body in which v is fixed, plus the rate of its components
    where it is fixed in neither. ``parts`` is the vector in its native form."""
    g, w = motion.graph, motion.of(link).w
    if fixed(own):
        return w.cross(own)
    if fixed(collected(link.base, parts)):
        return parent_turning(motion, link).cross(own)
    layout, t = motion.forest.layout, motion.forest.t
    seeds = dict(zip(layout.q_handles, layout.q_dot, strict=True)) | {t: g.one}
    return w.cross(own) + Vec(link.frame, tuple(jvp(g, list(own.c), seeds)))


def fixed(v: Vec) -> bool:
    """Whether the components are numbers and parameters alone."""
    return all(v.frame.graph.mask[x] <= PARAMETERS_ONLY for x in v.c)


def parent_turning(motion: Motion, link: Link) -> Vec:
    """ω of the parent, in the link's frame."""
    return Vec.zero(link.frame) if link.parent is None else motion.of(link.parent).w.in_(link.frame)
