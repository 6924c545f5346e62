"""Energies and momenta, of the bodies as the user gave them."""

from collections.abc import Sequence
from typing import Any

from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.spatial.vector import Vector, components, vector
from freebody.tree.motion import Motion


def spin(motion: Motion, body: Any) -> Vector:
    """J ω about the mass centre."""
    w = components(motion.angular_velocity(body), body.frame)
    rows = [[x.handle for x in row] for row in body.recipe.inertia]
    g = motion.graph
    return vector(body.frame, [_dot(g, row, w) for row in rows])


def _dot(g: Graph, a: Sequence[int], b: Sequence[int]) -> int:
    return g.add(g.add(g.mul(a[0], b[0]), g.mul(a[1], b[1])), g.mul(a[2], b[2]))


def kinetic(motion: Motion) -> int:
    """Σ ½ m v·v + ½ ω·J·ω over the bodies as the user gave them."""
    g, total = motion.graph, motion.graph.zero
    for link in motion.forest.links:
        recipe = link.body.recipe
        v, w = motion.velocity(link.body.centre), motion.angular_velocity(link.body)
        twice = recipe.mass * v.dot(v) + w.dot(spin(motion, link.body))
        total = g.add(total, (twice / 2).handle)
    return total


def potential(motion: Motion) -> int:
    """−Σ m g·r of uniform gravity, and what springs store; 0 at the ground's origin."""
    system, origin = motion.forest.system, motion.forest.system.ground.origin
    total = stored(motion)
    for link in motion.forest.links:
        recipe = link.body.recipe
        total = total - recipe.mass * system.gravity.dot(motion.position(origin, link.body.centre))
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
