"""Generalised forces on the model's speeds: joint springs, dampers and friction, and loads on the speeds."""

from collections.abc import Sequence

from freebody.errors import ModelError
from freebody.model.joints.base import scalar
from freebody.scalar.ops import TANH
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Wrench
from freebody.spatial.vector import dot, vector
from freebody.tree.forest import Forest, Link
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import NewtonEuler

STEEP = 1000
"""Friction turns over within about 1/1000 rad/s or m/s."""


def joint_forces(forest: Forest) -> list[int]:
    """The generalised force on each free speed."""
    g = forest.graph
    total = [g.zero] * len(forest.layout.u)
    for link in forest.links:
        for place, k in zip(link.u, link.free, strict=True):
            total[place] = g.add(total[place], g.mul(link.gain, passive_force(link, k)))
    for link, k, force in forest.joint_force_loads():
        if k in link.free:
            place = link.u[link.free.index(k)]
            total[place] = g.add(total[place], g.mul(link.gain, force))
    return total


def passive_force(link: Link, k: int) -> int:
    """−stiffness (q − rest) − damping u − friction tanh(1000 u) on speed k of a joint."""
    g, losses = link.graph, joint_losses(link, k)
    return g.sub(losses, _pull(link, k)) if elastic(link) else losses


def joint_losses(link: Link, k: int) -> int:
    """The part of ``passive_force`` that stores no energy: damping and friction, and springs that change."""
    g, joint, u = link.graph, link.body.recipe.joint, link.body.u[k].handle
    total = g.neg(g.mul(scalar(g, joint.damping), u))
    if joint.friction != 0:
        total = g.sub(total, g.mul(scalar(g, joint.friction), g.build[TANH](g.mul(g.const(STEEP), u))))
    return total if elastic(link) else g.sub(total, _pull(link, k))


def elastic(link: Link) -> bool:
    """Whether its joint's springs store what they take: stiffness and rest depend on numbers and parameters only."""
    g, joint = link.graph, link.body.recipe.joint
    return all(g.mask[scalar(g, s)] <= PARAMETERS_ONLY for s in (joint.stiffness, joint.rest))


def _pull(link: Link, k: int) -> int:
    """stiffness (q − rest) of speed k of a joint."""
    g, joint = link.graph, link.body.recipe.joint
    if joint.stiffness == 0:
        return g.zero
    _require_rates(link)
    return g.mul(scalar(g, joint.stiffness), g.sub(link.body.q[k].handle, scalar(g, joint.rest)))


def drive_forces(forest: Forest, passed: Sequence[Wrench], accelerations: Sequence[int]) -> dict[tuple[int, int], int]:
    """What must be supplied at each speed that is prescribed or coupled, by the link's index and the speed's index in
    its joint: the part of the joint's force and torque along the speed's column, and armature times the speed's rate,
    less what the joint's spring, damper and friction and loads on the speed do. Were the joint free, this force on it
    (and −ratio times it on the joint that a coupled one follows) would give the same motion. ``passed`` is what joints
    pass on at these accelerations, with the bodies' own inertia."""
    g, found = forest.graph, dict[tuple[int, int], int]()
    put = list(forest.joint_force_loads())
    for link in forest.links:
        body, F, armature = link.body, passed[link.index], link.body.recipe.joint.armature
        force, torque = vector(link.frame, F.linear.c), vector(link.frame, F.angular.c)
        for k, given in enumerate(body.prescribed):
            if given is None and body.coupling is None:
                continue
            rate = g.mul(link.gain, accelerations[link.u[0]]) if given is None else given.handle
            drive = g.add(dot(body.placement.turns[k], torque), dot(body.placement.slides[k], force))
            drive = g.add(drive, g.mul(scalar(g, armature), rate))
            drive = g.sub(drive, passive_force(link, k))
            for other, index, supplied in put:
                if other is link and index == k:
                    drive = g.sub(drive, supplied)
            found[link.index, k] = drive
    return found


def _require_rates(link: Link) -> None:
    """A spring pulls along a coordinate; it needs the speed that is this coordinate's rate."""
    joint = link.body.recipe.joint
    if not joint.rates:
        raise ModelError(
            f"joint of '{link.described.name}': a {joint.kind} joint cannot have a stiffness, for its speeds are not"
            " the rates of its coordinates. Use a spring between points, a torque, or joints of one freedom each."
        )


def required(forest: Forest, inertias: Sequence[RigidInertia], accelerations: Sequence[int]) -> list[int]:
    """Inverse dynamics by Newton and Euler: the generalised forces, beside loads and joints' own, that make these u̇
    happen. No mass matrix is formed."""
    needed = NewtonEuler(Motion(forest, accelerations), inertias).generalised()
    return less_joint_forces(forest, needed, accelerations)


def less_joint_forces(forest: Forest, needed: Sequence[int], accelerations: Sequence[int]) -> list[int]:
    """What is needed beside what the joints do themselves and with their rotors."""
    g, rotors = forest.graph, armatures(forest)
    found = [g.sub(f, e) for f, e in zip(needed, joint_forces(forest), strict=True)]
    return [g.add(f, g.mul(rotors[k], accelerations[k])) if k in rotors else f for k, f in enumerate(found)]


def armatures(forest: Forest) -> dict[int, int]:
    """What joints add to the diagonal of M, by free speed."""
    g, found = forest.graph, dict[int, int]()
    for link in forest.links:
        value = g.mul(g.mul(link.gain, link.gain), scalar(g, link.body.recipe.joint.armature))
        for place in link.u if value != g.zero else ():
            found[place] = g.add(found[place], value) if place in found else value
    return found
