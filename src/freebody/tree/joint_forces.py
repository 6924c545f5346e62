"""Forces on the speeds of joints: springs, dampers and friction of joints, loads on speeds, drives, and rotors."""

from collections.abc import Sequence

from freebody.model.joints.base import scalar
from freebody.scalar.expr import equals_number
from freebody.scalar.node import Node
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Wrench
from freebody.spatial.vector import dot, vector
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import NewtonEuler
from freebody.tree.tree import Link, Tree


def joint_forces(tree: Tree) -> list[Node]:
    """The generalised force of joints, and of loads on their speeds, on each free speed."""
    g = tree.graph
    total = [g.zero] * len(tree.layout.u)
    for link in tree.links:
        for speed, k in zip(link.u, link.free, strict=True):
            total[speed] = g.add(total[speed], g.mul(link.gain, passive_force(link, k)))
    for link, k, force in tree.joint_force_loads():
        if k in link.free:
            speed = link.u[link.free.index(k)]
            total[speed] = g.add(total[speed], g.mul(link.gain, force))
    return total


def passive_force(link: Link, k: int) -> Node:
    """−stiffness (q − rest) − damping u − friction tanh(1000 u) on speed k of a joint."""
    g, losses = link.graph, joint_losses(link, k)
    return g.sub(losses, _spring_force(link, k)) if elastic(link) else losses


def joint_losses(link: Link, k: int) -> Node:
    """The part of ``passive_force`` without a potential: damping and friction, and springs that are not constant."""
    g, speeds = link.graph, [u.handle for u in link.body.u]
    losses = link.body.spec.joint.losses(g, speeds, k)
    return losses if elastic(link) else g.sub(losses, _spring_force(link, k))


def elastic(link: Link) -> bool:
    """Whether the joint's springs have a potential."""
    return link.body.spec.joint.elastic(link.graph)


def _spring_force(link: Link, k: int) -> Node:
    """stiffness (q − rest) on speed k of a joint, which must be the rate of q."""
    g, joint = link.graph, link.body.spec.joint
    if equals_number(joint.stiffness, 0):
        return g.zero
    context = f"joint of '{link.described.name}'"
    return g.mul(scalar(g, joint.stiffness), joint.stretch(g, link.body.q[k].handle, context))


def driven_speeds(link: Link) -> list[int]:
    """Which of a joint's speeds are prescribed or coupled to others."""
    return [k for k, given in enumerate(link.body.prescribed) if given is not None or link.body.coupling is not None]


def driven_coordinates(link: Link) -> list[int]:
    """Which of a joint's coordinates are prescribed or coupled to others."""
    return [k for k, driven in enumerate(link.body.is_driven) if driven]


def along_speed(link: Link, k: int, F: Wrench) -> Node:
    """h · F: the part of a wrench on a link along speed k of its joint."""
    placement, force, torque = link.body.placement, vector(link.frame, F.linear.c), vector(link.frame, F.angular.c)
    return link.graph.add(dot(placement.turns[k], torque), dot(placement.slides[k], force))


def drive_forces(tree: Tree, wrenches: Sequence[Wrench], accelerations: Sequence[Node]) -> dict[tuple[int, int], Node]:
    """h · F + armature u̇ − passive force − loads on the speed, for each prescribed or coupled speed, by the link's
    index and the speed's index in its joint: the force that must be supplied. With this force on the joint left free
    (and −ratio times it on the leader of a coupled one) the motion is the same. ``wrenches`` are those through the
    joints at these accelerations, of the bodies' original inertia."""
    g, drives, loads = tree.graph, dict[tuple[int, int], Node](), list(tree.joint_force_loads())
    for link in tree.links:
        body, armature = link.body, link.body.spec.joint.armature
        for k, given in enumerate(body.prescribed):
            if given is None and body.coupling is None:
                continue
            rate = g.mul(link.gain, accelerations[link.u[0]]) if given is None else given.handle
            drive = g.add(along_speed(link, k, wrenches[link.index]), g.mul(scalar(g, armature), rate))
            drive = g.sub(drive, passive_force(link, k))
            for other, index, load in loads:
                if other is link and index == k:
                    drive = g.sub(drive, load)
            drives[link.index, k] = drive
    return drives


def inverse_dynamics(tree: Tree, inertias: Sequence[RigidInertia], accelerations: Sequence[Node]) -> list[Node]:
    """tau at these u̇ by Newton and Euler; no mass matrix is formed."""
    required = NewtonEuler(Motion(tree, accelerations), inertias).generalised()
    return less_joint_forces(tree, required, accelerations)


def less_joint_forces(tree: Tree, required: Sequence[Node], accelerations: Sequence[Node]) -> list[Node]:
    """The required forces less the joint forces, plus those of the rotors."""
    g, rotors = tree.graph, armatures(tree)
    forces = [g.sub(f, e) for f, e in zip(required, joint_forces(tree), strict=True)]
    return [g.add(f, g.mul(rotors[k], accelerations[k])) if k in rotors else f for k, f in enumerate(forces)]


def armatures(tree: Tree) -> dict[int, Node]:
    """The inertia of rotors, ratio² armature, on the diagonal of M, by free speed."""
    g, inertias = tree.graph, dict[int, Node]()
    for link in tree.links:
        value = g.mul(g.mul(link.gain, link.gain), scalar(g, link.body.spec.joint.armature))
        for speed in link.u if value != g.zero else ():
            inertias[speed] = g.add(inertias[speed], value) if speed in inertias else value
    return inertias
