"""Energies of the bodies as the user gave them, and the powers that change them: Ṫ + V̇ = Σ powers."""

from collections.abc import Iterable, Sequence
from typing import Any

from freebody.formulations.efforts import drive_efforts, elastic, joint_losses
from freebody.formulations.inwards import Inwards
from freebody.model.joints.base import scalar
from freebody.model.loads import Effort, Load
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.triples import Triple, dot3
from freebody.spatial.vector import Vector, components, vector
from freebody.tree.inertia import own
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
    """What gravity and springs store; 0 at the ground's origin. Gravity that is not constant stores nothing."""
    g = motion.graph
    return g.add(stored(motion).handle, weight(motion)) if constant_gravity(motion) else stored(motion).handle


def constant_gravity(motion: Motion) -> bool:
    """Whether gravity depends on numbers and parameters only."""
    return _constant(motion, components(motion.forest.system.gravity, motion.forest.root))


def _constant(motion: Motion, nodes: Iterable[int]) -> bool:
    return all(motion.graph.mask[h] <= PARAMETERS_ONLY for h in nodes)


def weight(motion: Motion) -> int:
    """−Σ m g·r of uniform gravity. The products g·r are summed from link to link, so that the cost grows with the
    number of bodies and no faster."""
    g, forest, total = motion.graph, motion.forest, motion.graph.zero
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
        total = g.sub(total, g.mul(link.body.recipe.mass.handle, fall))
    return total


def stored(motion: Motion) -> Expr:
    """½ k (q − rest)² of joint springs with a constant stiffness and rest, and what loads store."""
    g, system = motion.graph, motion.forest.system
    total = Expr(g, g.zero)
    for link in motion.forest.links:
        recipe = link.body.recipe
        if recipe.joint.stiffness != 0 and elastic(link):
            for q in link.body.q:
                stretch = q - system.scalar(recipe.joint.rest, "rest")
                total = total + system.scalar(recipe.joint.stiffness, "stiffness") * stretch * stretch / 2
    for load in system.loads.values():
        energy = load.potential(motion)
        total = total if energy is None else total + energy
    return total


def powers(motion: Motion, accelerations: Sequence[int]) -> dict[str, int]:
    """The power of everything that changes the energy, by name: ``load.…`` of each load beside what it stores,
    ``joints`` of the joints' dampers and friction, ``drive.…`` of each joint with a prescribed motion, ``gravity``
    where it is not constant. Those of drives need u̇, the nodes ``accelerations``. What is always zero is left out."""
    g, forest = motion.graph, motion.forest
    found = {f"load.{name}": _load_power(motion, load) for name, load in forest.system.loads.items()}
    found["joints"] = g.zero
    for link in forest.links:
        for k, u in enumerate(link.body.u):
            found["joints"] = g.add(found["joints"], g.mul(joint_losses(link, k), u.handle))
    if any(given is not None for link in forest.links for given in link.body.given):
        passed = Inwards(Motion(forest, accelerations), [own(link) for link in forest.links])
        for (index, k), effort in drive_efforts(passed, accelerations).items():
            body = forest.links[index].body
            if body.given[k] is not None:
                key = f"drive.{body.name}"
                found[key] = g.add(found.get(key, g.zero), g.mul(effort, body.u[k].handle))
    if not constant_gravity(motion):
        found["gravity"] = g.zero
        for link in forest.links:
            along = forest.system.gravity.dot(motion.velocity(link.body.centre))
            found["gravity"] = g.add(found["gravity"], (link.body.recipe.mass * along).handle)
    return {name: node for name, node in found.items() if node != g.zero}


def _load_power(motion: Motion, load: Load) -> int:
    """Σ F·v + T·ω of what the load does beside what it stores; v is that of the body where F acts."""
    if isinstance(load, Effort):
        return (load.amount * load.body.u[load.index]).handle
    total = Expr(motion.graph, motion.graph.zero)
    for wrench in load.unstored(motion):
        if wrench.force is not None and wrench.point is not None:
            total = total + wrench.force.dot(motion.carried_velocity(wrench.point))
        if wrench.torque is not None:
            total = total + wrench.torque.dot(motion.angular_velocity(wrench.body))
    return total.handle
