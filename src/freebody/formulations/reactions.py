"""Reactions: the forces and torques of joints and of closures on bodies, and drive forces."""

from collections.abc import Collection, Mapping, Sequence

from freebody.errors import ModelError
from freebody.model.accelerations import MULTIPLIER, REACTION, reaction_components
from freebody.scalar.node import Node
from freebody.spatial.resolved import Wrench
from freebody.spatial.vector import components, vector
from freebody.tree.constraints import ConstraintEquations, wrench_about
from freebody.tree.inertia import link_inertia
from freebody.tree.joint_forces import along_speed, drive_forces, driven_speeds
from freebody.tree.motion import Motion
from freebody.tree.passes import inwards, to_parent
from freebody.tree.tree import Link, Tree


def joint_reactions(
    tree: Tree, equations: ConstraintEquations, accelerations: Sequence[Node], multipliers: Sequence[Node]
) -> dict[str, list[Node]]:
    """By name at u̇ and λ: the force and torque of each joint on its body, along the body's axes at its origin; the
    drive forces of prescribed and coupled joints; and the force and torque of each closing joint on its second body,
    along that body's axes at the joint's origin there, its springs and dampers included."""
    nodes: dict[str, list[Node]] = {}
    motion, inertias = Motion(tree, accelerations), [link_inertia(link) for link in tree.links]
    wrenches, sides = equations.transmitted(motion, inertias, multipliers), equations.side_strengths(multipliers)
    drives = drive_forces(tree, wrenches, accelerations)
    for *_, link in tree.bodies:
        nodes |= _joint_wrench(link, wrenches[link.index])
    for stages in tree.bodies:
        own = [drives[link.index, k] for link in stages for k in driven_speeds(link)]
        nodes |= {f"{stages[-1].name}.drive_force": own} if own else {}
    for name, constraint in tree.model.constraints.items():
        at, reaction = constraint.reaction_point(tree.placed), equations.reaction(name, multipliers, sides)
        if at is not None and reaction is not None:
            passive = wrench_about(constraint.loads(motion), at)
            for kind, v, w in zip(("force", "torque"), reaction, passive, strict=True):
                nodes[f"{name}.{kind}"] = list(components(v + w, at.body.frame))
    return nodes


def static_reactions(
    tree: Tree, equations: ConstraintEquations, multipliers: Sequence[Node], sides: Mapping[int, Node]
) -> dict[str, list[Node]]:
    """The reactions that multipliers, and side forces of the strengths ``sides`` by the index of the row, alone cause
    where nothing moves, by the names of ``joint_reactions``; of constraints without a force at a point the multipliers,
    ``name.multipliers``."""
    nodes, held = dict[str, list[Node]](), equations.held(multipliers)
    wrenches = [-F for F in inwards(tree.links, equations.loads(held, sides), to_parent)]
    for stages in tree.bodies:
        nodes |= _joint_wrench(stages[-1], wrenches[stages[-1].index])
        drives = [along_speed(link, i, wrenches[link.index]) for link in stages for i in driven_speeds(link)]
        nodes |= {f"{stages[-1].name}.drive_force": drives} if drives else {}
    for name, constraint in tree.model.constraints.items():
        at, reaction = constraint.reaction_point(tree.placed), equations.reaction(name, held, sides)
        if at is not None and reaction is not None:
            for kind, v in zip(("force", "torque"), reaction, strict=True):
                nodes[f"{name}.{kind}"] = list(components(v, at.body.frame))
        else:
            own = [x for key, x in zip(equations.rows, held, strict=True) if key.constraint == name]
            nodes[f"{name}.multipliers"] = own
    return nodes


def _joint_wrench(link: Link, F: Wrench) -> dict[str, list[Node]]:
    """The force and the torque of a joint on its body, along the body's axes at its origin, by name."""
    force = vector(link.frame, F.linear.c)
    torque = vector(link.frame, F.angular.c) + link.shift.cross(force)
    both = {f"{link.name}.force": force, f"{link.name}.torque": torque}
    return {name: list(components(v, link.body.frame)) for name, v in both.items()}


def reaction_nodes(tree: Tree, reactions: Mapping[str, Sequence[Node]]) -> dict[str, Node]:
    """The components of reactions by the names that texts use."""
    nodes: dict[str, Node] = {}
    for stages in tree.bodies:
        spec = stages[-1].body.spec.described
        labels, speeds = reaction_components(spec), spec.names[1]
        driven = [link.body.spec.names[1][k] for link in stages for k in driven_speeds(link)]
        labels["drive_force"] = [labels["drive_force"][speeds.index(name)] for name in driven]
        for kind, parts in labels.items():
            of_kind = reactions[f"{spec.name}.{kind}"] if parts else ()
            nodes |= zip((f"{REACTION}{spec.name}.{part}" for part in parts), of_kind, strict=True)
    for name in tree.model.constraints:
        for kind in ("force", "torque"):
            xyz = reactions.get(f"{name}.{kind}", ())
            nodes |= {f"{REACTION}{name}.{kind}.{'xyz'[k]}": node for k, node in enumerate(xyz)}
    return nodes


def require_reactions(system: str, names: Sequence[str], known: Collection[str]) -> None:
    """Raise for names of reactions and multipliers that a system does not have."""
    for name in names:
        if name.startswith(MULTIPLIER) and name not in known:
            there = ", ".join(n for n in known if n.startswith(MULTIPLIER)) or "none"
            raise ModelError(f"system '{system}': there is no '{name}'; there are {there}")
        if name.startswith(REACTION) and name not in known:
            what = "only joints that are coupled or whose motion is prescribed have a drive force. Take a component of"
            what += " the reaction force or torque"
            if "drive_force" not in name:
                what = "it is the name of a constraint without a reaction force; use its multipliers"
            raise ModelError(f"system '{system}': there is no '{name}': {what}")
