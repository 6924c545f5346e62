"""The generalised forces that hold the bodies up against gravity."""

from collections.abc import Sequence

from freebody.scalar.node import Node
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Vec, Wrench
from freebody.tree.mass_matrix import composites
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import on_speeds
from freebody.tree.passes import outwards


def holding_forces(motion: Motion, inertias: Sequence[RigidInertia]) -> list[Node]:
    """Each composite body's mass and first moment times −g, which is turned from link to link."""
    tree, g = motion.tree, motion.graph
    total = [g.zero] * len(tree.layout.u)
    gravity = outwards(tree.links, lambda link, a: a.in_(link.frame), motion.ground.a)
    for link, c in zip(tree.links, composites(tree, inertias), strict=True):
        a = gravity[link.index]
        for speed, value in on_speeds(link, Wrench.of(Vec(link.frame, c.h).cross(a), a.times(c.m))):
            total[speed] = g.add(total[speed], value)
    return total
