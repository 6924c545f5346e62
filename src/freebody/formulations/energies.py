"""Energies and momenta, of the bodies as the user gave them."""

from typing import Any

from freebody.model.joints.base import scalar
from freebody.scalar.expr import Expr
from freebody.spatial.triples import Triple, dot3
from freebody.spatial.vector import Vector, components, vector
from freebody.tree.motion import Motion, down


def spin(motion: Motion, body: Any) -> Vector:
    """J ω about the mass centre."""
    return vector(body.frame, _spun(motion, body)[1])


def _spun(motion: Motion, body: Any) -> tuple[Triple, Triple]:
    """ω and J ω about the mass centre, along the body's axes."""
    g, w = motion.graph, components(motion.angular_velocity(body), body.frame)
    x, y, z = (dot3(g, (a.handle, b.handle, c.handle), w) for a, b, c in body.recipe.inertia)
    return w, (x, y, z)


def kinetic(motion: Motion) -> int:
    """Σ ½ m v·v + ½ ω·J·ω over the bodies as the user gave them, and ½ armature u² of the joints' rotors. Its Hessian
    in u is M; prescribed motions add terms that are linear in u and free of u."""
    g, total = motion.graph, motion.graph.zero
    for link in motion.forest.links:
        recipe, v = link.body.recipe, components(motion.velocity(link.body.centre), link.frame)
        twice = g.add(g.mul(recipe.mass.handle, dot3(g, v, v)), dot3(g, *_spun(motion, link.body)))
        armature = scalar(g, recipe.joint.armature)
        for u in link.body.u:
            twice = g.add(twice, g.mul(armature, g.mul(u.handle, u.handle)))
        total = g.add(total, g.div(twice, g.const(2)))
    return total


def potential(motion: Motion) -> int:
    """−Σ m g·r of uniform gravity, and what springs store; 0 at the ground's origin. The products g·r are summed from
    link to link, so that the cost grows with the number of bodies and no faster."""
    g, forest, total = motion.graph, motion.forest, stored(motion)
    fields, falls = dict[int, Triple](), dict[int, int]()  # gravity in each link's frame, g · r of its origin
    for link in forest.links:
        parent = link.parent
        if parent is None:
            above, fallen, frame = components(forest.system.gravity, forest.root), g.zero, forest.root
        else:
            above, fallen, frame = fields[parent.index], falls[parent.index], parent.frame
        fields[link.index] = down(frame, link.frame, above)
        falls[link.index] = g.add(fallen, dot3(g, above, link.arm))
        centre = components(link.body.centre.offset - link.shift, link.frame)
        fall = g.add(falls[link.index], dot3(g, fields[link.index], centre))
        total = total - link.body.recipe.mass * Expr(g, fall)
    return total.handle


def stored(motion: Motion) -> Expr:
    """½ k (q − rest)² of joint springs, and what loads store."""
    g, system = motion.graph, motion.forest.system
    total = Expr(g, g.zero)
    for link in motion.forest.links:
        recipe = link.body.recipe
        if recipe.joint.stiffness != 0:
            for q in link.body.q:
                stretch = q - system.scalar(recipe.joint.rest, "rest")
                total = total + system.scalar(recipe.joint.stiffness, "stiffness") * stretch * stretch / 2
    for load in system.loads.values():
        energy = load.potential(motion)
        total = total if energy is None else total + energy
    return total
