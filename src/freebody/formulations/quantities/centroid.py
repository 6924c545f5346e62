"""The system's mass centre, and momentum about it: h_G = A_G u + o_G, along the ground's axes, angular part first."""

from freebody.formulations.columns import Columns
from freebody.formulations.energies import spin
from freebody.formulations.equations import Equations
from freebody.formulations.inwards import Inwards
from freebody.formulations.quantities.flows import needed
from freebody.formulations.quantities.kinematics import rates
from freebody.formulations.quantities.places import Axes, Six, include, matrix, parent_frame, require_standard
from freebody.scalar.program import Program
from freebody.spatial.triples import Triple, add3, cross3, sub3
from freebody.spatial.vector import Vector, components
from freebody.tree.inertia import PLACE, Inertia, base, own, plus, to_parent


def centre_of_mass(e: Equations) -> Program:
    """c from the ground's origin."""
    a = e.assembly("centre_of_mass")
    a.output("centre", list(centre(e, total(e))))
    return a.program()


def centre_velocity(e: Equations) -> Program:
    """ċ."""
    require_standard(e, "centre_velocity")
    a = e.assembly("centre_velocity")
    a.output("velocity", rates(e, list(centre(e, total(e)))))
    return a.program()


def centroidal(e: Equations) -> Program:
    """A_G (6 × nu), the locked inertia (3 × 3, of all joints held) about the mass centre, the centre and the mass."""
    require_standard(e, "centroidal")
    whole = total(e)
    c = centre(e, whole)
    a = e.assembly("centroidal")
    a.output("matrix", matrix(e, columns(e, c)))
    a.output("inertia", locked(e, whole, c))
    a.output("centre", list(c))
    a.output("mass", whole.m)
    return a.program()


def centroidal_momentum(e: Equations) -> Program:
    """h_G: Σ (r − c) × m v + J ω and Σ m v over the bodies as the user gave them."""
    motion, origin, root = e.formulation.motion, e.forest.system.ground.origin, e.forest.root
    linear, angular = Vector(e.graph, {}), Vector(e.graph, {})
    for link in e.forest.links:
        p = motion.velocity(link.body.centre) * link.body.recipe.mass
        linear = linear + p
        angular = angular + motion.position(origin, link.body.centre).cross(p) + spin(motion, link.body)
    L, P = components(angular, root), components(linear, root)
    a = e.assembly("centroidal_momentum")
    a.output("momentum", e.spoken([*sub3(e.graph, L, cross3(e.graph, centre(e, total(e)), P)), *P]))
    return a.program()


def total(e: Equations) -> Inertia:
    """m, h and Σ of the whole system about the ground's origin, along its axes."""
    g, made = e.graph, [own(link) for link in e.forest.links]
    z = g.zero
    whole = Inertia(z, (z, z, z), (z,) * 6, z)
    for link in reversed(e.forest.links):
        if link.parent is None:
            whole = plus(g, whole, to_parent(link, made[link.index], e.forest.root))
        else:
            moved = to_parent(link, made[link.index], link.parent.frame)
            made[link.parent.index] = plus(g, made[link.parent.index], moved)
    return whole


def centre(e: Equations, whole: Inertia) -> Triple:
    x, y, z = (e.graph.div(h, whole.m) for h in whole.h)
    return x, y, z


def locked(e: Equations, whole: Inertia, c: Triple) -> list[list[int]]:
    """J = tr(Σ) 1 − Σ with Σ about the mass centre: less m c cᵀ."""
    g, h = e.graph, whole.h
    S = [[g.sub(whole.S[PLACE[i, j]], g.mul(h[i], c[j])) for j in range(3)] for i in range(3)]
    trace = g.add(g.add(S[0][0], S[1][1]), S[2][2])
    return [[g.sub(trace, S[i][i]) if i == j else g.neg(S[min(i, j)][max(i, j)]) for j in range(3)] for i in range(3)]


def columns(e: Equations, c: Triple) -> dict[int, Six]:
    """Momentum about the mass centre per unit of each speed: that of the composite body it moves."""
    g, inertias, axes = e.graph, base(e.forest), Axes(e.forest.root)
    bodies = Columns(Inwards(e.formulation.motion, inertias), inertias).composites
    found: dict[int, Six] = {}
    for link, place in zip(e.forest.links, origins(e, axes), strict=True):
        arm = sub3(g, place, c)
        for k, turn, slide in zip(link.u, link.turns, link.slides, strict=True):
            push = needed(g, bodies[link.index], components(slide, link.frame), components(turn, link.frame))
            P, L = axes.of(link.frame, push.f), axes.of(link.frame, push.n)
            include(g, found, k, [*add3(g, L, cross3(g, arm, P)), *P])
    return found


def origins(e: Equations, axes: Axes) -> list[Triple]:
    """The places of the links' origins."""
    found: list[Triple] = []
    for link in e.forest.links:
        here = axes.of(parent_frame(link), link.arm)
        found.append(here if link.parent is None else add3(e.graph, found[link.parent.index], here))
    return found
