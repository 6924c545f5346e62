"""Energies and momenta of the bodies as the user gave them, and the powers that change them: Ṫ + V̇ = Σ powers."""

from collections.abc import Sequence
from typing import NamedTuple

from freebody.model.joints.base import scalar
from freebody.model.loads import JointForce, Load
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.scalars import Scalar, times3
from freebody.spatial.vector import components
from freebody.tree.forest import Link
from freebody.tree.inertia import own
from freebody.tree.joint_forces import drive_forces, elastic, joint_losses
from freebody.tree.motion import Motion
from freebody.tree.newton import Newton
from freebody.tree.passes import handed, inwards, outwards

# Energies


def kinetic(motion: Motion) -> int:
    """Σ ½ m v·v + ½ ω·J·ω over the bodies as the user gave them, and ½ armature u² of the joints' rotors. Its Hessian
    in u is M; prescribed motions add terms that are linear in u and free of u."""
    g, total = motion.graph, motion.graph.zero
    for link in motion.forest.links:
        twice = _twice_kinetic(link, motion.twist(link))
        armature = scalar(g, link.body.recipe.joint.armature)
        for u in link.body.u:
            twice = g.add(twice, g.mul(armature, g.mul(u.handle, u.handle)))
        total = g.add(total, g.div(twice, g.const(2)))
    return total


def _twice_kinetic(link: Link, V: Twist) -> Scalar:
    """m v·v + ω·J ω about the mass centre; of speeds inside the body 2 η̇·fr V + η̇·ff η̇ + V·rr V."""
    S, recipe = link.frame.S, link.body.recipe
    v = V.linear + V.angular.cross(centre_of(link))
    w = V.angular.in_(link.body.frame)
    spin = Vec(w.frame, times3(S, [[x.handle for x in row] for row in recipe.inertia], w.c))
    twice = S.add(S.mul(recipe.mass.handle, v.dot(v)), w.dot(spin))
    if link.inside is not None:
        rates = link.inside.rates
        twice = S.add(twice, V.dot(link.inside.rr.apply(V)))
        for rate, F in zip(rates, link.inside.fr, strict=True):
            twice = S.add(twice, S.mul(S.mul(S.const(2), rate), V.dot(F)))
        for (i, j), value in link.inside.ff.items():
            part = S.mul(S.mul(value, rates[i]), rates[j])
            twice = S.add(twice, part if i == j else S.mul(S.const(2), part))
    return twice


def centre_of(link: Link) -> Vec:
    """The body's mass centre from the link's origin."""
    return Vec(link.frame, components(link.body.centre.offset - link.shift, link.frame))


def potential(motion: Motion) -> int:
    """What gravity and springs store; 0 at the ground's origin. Gravity that is not constant stores nothing."""
    g = motion.graph
    return g.add(stored(motion).handle, weight(motion)) if constant_gravity(motion) else stored(motion).handle


def constant_gravity(motion: Motion) -> bool:
    """Whether gravity depends on numbers and parameters only."""
    gravity = components(motion.forest.gravity, motion.forest.root)
    return all(motion.graph.mask[h] <= PARAMETERS_ONLY for h in gravity)


class Fallen(NamedTuple):
    """Gravity in a link's frame, and g · r of its origin."""

    g: Vec
    height: Scalar


def weight(motion: Motion) -> int:
    """−Σ m g·r of uniform gravity. The products g·r are summed from link to link, so that the cost grows with the
    number of bodies and no faster."""
    forest, g, total = motion.forest, motion.graph, motion.graph.zero
    gravity = Vec(forest.root, components(forest.gravity, forest.root))

    def step(link: Link, P: Fallen) -> Fallen:
        return Fallen(P.g.in_(link.frame), g.add(P.height, P.g.dot(Vec(link.X.base, link.X.arm))))

    fallen = outwards(forest.links, step, Fallen(gravity, g.zero))
    for link in forest.links:
        here = fallen[link.index]
        height = g.add(here.height, here.g.dot(centre_of(link)))
        total = g.sub(total, g.mul(link.body.recipe.mass.handle, height))
        if link.inside is not None:
            rr = link.inside.rr
            inside = g.add(g.mul(rr.m, here.height), here.g.dot(Vec(link.frame, rr.h)))
            total = g.sub(total, inside)
    return total


def stored(motion: Motion) -> Expr:
    """What springs of joints and loads store, and what bodies store in themselves."""
    total = stored_by_loads(motion)
    for link in motion.forest.links:
        if link.inside is not None:
            total = total + Expr(motion.graph, link.inside.stored())
    return total


def stored_by_loads(motion: Motion) -> Expr:
    """½ k (q − rest)² of joint springs with a constant stiffness and rest, and what loads store."""
    g = motion.graph
    total = Expr(g, g.zero)
    for link in motion.forest.links:
        joint = link.body.recipe.joint
        if joint.stiffness != 0 and elastic(link):
            for q in link.body.q:
                stretch = q - motion.scalar(joint.rest)
                total = total + motion.scalar(joint.stiffness) * stretch * stretch / 2
    for load in motion.forest.model.loads.values():
        energy = load.potential(motion)
        total = total if energy is None else total + energy
    return total


# Powers


def powers(motion: Motion, accelerations: Sequence[int]) -> dict[str, int]:
    """The power of everything that changes the energy, by name: ``load.…`` of each load beside what it stores,
    ``joints`` of the joints' dampers and friction, ``drive.…`` of each joint with a prescribed motion, ``gravity``
    where it is not constant. Those of drives need u̇, the nodes ``accelerations``. What is always zero is left out."""
    g, forest = motion.graph, motion.forest
    found = {f"load.{name}": _load_power(motion, load) for name, load in forest.model.loads.items()}
    found["joints"] = g.zero
    for link in forest.links:
        for k, u in enumerate(link.body.u):
            found["joints"] = g.add(found["joints"], g.mul(joint_losses(link, k), u.handle))
    if any(given is not None for link in forest.links for given in link.body.prescribed):
        passed = Newton(Motion(forest, accelerations), [own(link) for link in forest.links]).through_joints()
        for (index, k), force in drive_forces(forest, passed, accelerations).items():
            body = forest.links[index].body
            if body.prescribed[k] is not None:
                key = f"drive.{body.recipe.described.name}"
                found[key] = g.add(found.get(key, g.zero), g.mul(force, body.u[k].handle))
    if not constant_gravity(motion):
        found["gravity"] = g.zero
        for link in forest.links:
            along = forest.gravity.dot(motion.velocity(link.body.centre))
            found["gravity"] = g.add(found["gravity"], g.mul(link.body.recipe.mass.handle, along.handle))
    return {name: node for name, node in found.items() if node != g.zero}


def _load_power(motion: Motion, load: Load) -> int:
    """Σ F·v + T·ω of what the load does beside what it stores; v is that of the body where F acts."""
    if isinstance(load, JointForce):
        link, k = motion.forest.speeds[load.speed_name]
        return (motion.scalar(load.force) * link.body.u[k]).handle
    total = Expr(motion.graph, motion.graph.zero)
    for wrench in load.nonconservative(motion):
        if wrench.force is not None and wrench.point is not None:
            total = total + wrench.force.dot(motion.carried_velocity(wrench.point))
        if wrench.torque is not None:
            total = total + wrench.torque.dot(motion.angular_velocity(wrench.body))
    return total.handle


# Momenta


def momentum(link: Link, V: Twist, inertia: RigidInertia) -> Wrench:
    """Of one link about its origin: rr V + frᵀ η̇ (Kwatny & Blankenship Eq 44)."""
    total = inertia.apply(V)
    for F, rate in zip(link.inside.fr, link.inside.rates, strict=True) if link.inside is not None else ():
        total = total + F.times(rate)
    return total


def whole_momentum(motion: Motion, inertias: Sequence[RigidInertia] | None = None) -> Wrench:
    """Of the system: angular about the ground's origin, and linear."""
    links, total = motion.forest.links, Wrench.zero(motion.forest.root)
    given = [own(link) for link in links] if inertias is None else inertias
    each = [momentum(link, motion.twist(link), given[link.index]) for link in links]
    for link, F in zip(links, inwards(links, each, handed), strict=True):
        total = total + F.back(link.X) if link.parent is None else total
    return total
