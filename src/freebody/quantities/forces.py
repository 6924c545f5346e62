"""Generalised forces in parts: of the bodies' inertia and weight, of loads and joints."""

from collections.abc import Sequence

from freebody.formulations.derivation import Derivation
from freebody.scalar.node import Node
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Wrench
from freebody.tree.inertia import base_inertias
from freebody.tree.joint_forces import joint_forces
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import NewtonEuler, load_forces
from freebody.tree.weight import holding_forces


def without_loads(motion: Motion, inertias: Sequence[RigidInertia]) -> NewtonEuler:
    """Newton and Euler's forces of inertia and weight alone."""
    return NewtonEuler(motion, inertias, [Wrench.zero(link.frame) for link in motion.tree.links])


def applied_forces(e: Derivation) -> list[Node]:
    """What loads, joint springs, dampers, friction and users' joint forces put on each free speed."""
    both = zip(joint_forces(e.tree), load_forces(e.formulation.motion), strict=True)
    return [e.graph.add(q, f) for q, f in both]


def weight(e: Derivation) -> list[Node]:
    """The generalised forces that hold the bodies up."""
    return holding_forces(e.formulation.motion, base_inertias(e.tree))
