"""Energies and momenta of the bodies as the user described them, and the powers that change them: Ṫ + V̇ = Σ powers."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from freebody.model.body import Body
from freebody.model.joints.base import scalar
from freebody.model.loads import Load, LoadWrench
from freebody.scalar.expr import Expr, equals_number
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.scalars import Scalar, times3
from freebody.spatial.vector import components
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.inertia import link_inertia
from freebody.tree.joint_forces import drive_forces, elastic, joint_losses
from freebody.tree.motion import Motion
from freebody.tree.passes import inwards, outwards, to_parent
from freebody.tree.tree import Link

# Energies


def kinetic(motion: Motion) -> Node:
    """Σ ½ m v·v + ½ ω·J·ω about the mass centres, ½ V·rr V + η̇·fr V + ½ η̇·ff η̇ of speeds inside bodies, and
    ½ armature u² of the joints' rotors. Its Hessian in u is M; prescribed motions add terms that are linear in u and
    free of u."""
    return reduce(motion.graph.add, (_kinetic(motion, link) for link in motion.tree.links), motion.graph.zero)


def kinetic_by_body(motion: Motion) -> dict[str, Node]:
    """The same, by the name of each body."""
    g, energies = motion.graph, dict[str, Node]()
    for link in motion.tree.links:
        name = link.described.name
        energies[name] = g.add(energies.get(name, g.zero), _kinetic(motion, link))
    return energies


def _kinetic(motion: Motion, link: Link) -> Node:
    """The kinetic energy of one link."""
    g, V, spec = motion.graph, motion.twist(link), link.body.spec
    v = V.linear + V.angular.cross(centre_of(link))
    w = V.angular.in_(link.body.frame)
    spin = Vec(w.frame, times3(g, [[x.handle for x in row] for row in spec.inertia], w.c))
    twice = g.add(g.mul(spec.mass.handle, v.dot(v)), w.dot(spin))
    if link.internal_dynamics is not None:
        rates = link.internal_dynamics.rates
        twice = g.add(twice, V.dot(link.internal_dynamics.rr.apply(V)))
        for rate, F in zip(rates, link.internal_dynamics.fr, strict=True):
            twice = g.add(twice, g.mul(g.mul(g.const(2), rate), V.dot(F)))
        for (i, j), value in link.internal_dynamics.ff.items():
            part = g.mul(g.mul(value, rates[i]), rates[j])
            twice = g.add(twice, part if i == j else g.mul(g.const(2), part))
    armature = scalar(g, spec.joint.armature)
    for u in link.body.u:
        twice = g.add(twice, g.mul(armature, g.mul(u.handle, u.handle)))
    return g.div(twice, g.const(2))


def centre_of(link: Link) -> Vec:
    """The body's mass centre from the link's origin."""
    return Vec(link.frame, components(link.body.centre.offset - link.shift, link.frame))


def potential(motion: Motion) -> Node:
    """The energy of gravity and springs; 0 at the ground's origin. Gravity that is not constant has none."""
    g = motion.graph
    return g.add(stored(motion).handle, weight(motion)) if constant_gravity(motion) else stored(motion).handle


def constant_gravity(motion: Motion) -> bool:
    """Whether gravity depends on numbers and parameters only."""
    gravity = components(motion.tree.gravity, motion.tree.root)
    return all(motion.graph.mask[h] <= PARAMETERS_ONLY for h in gravity)


def weight(motion: Motion) -> Node:
    """−Σ m g·r of uniform gravity. Outwards g·p_GB = g·p_GP + g·p_PB, so that the cost is linear in the bodies."""
    tree, g, total = motion.tree, motion.graph, motion.graph.zero

    def step(link: Link, P: tuple[Vec, Scalar]) -> tuple[Vec, Scalar]:
        gravity, height = P
        return gravity.in_(link.frame), g.add(height, gravity.dot(link.p_PB))

    start = Vec(tree.root, components(tree.gravity, tree.root)), g.zero
    heights = outwards(tree.links, step, start)
    for link in tree.links:
        gravity, origin = heights[link.index]
        height = g.add(origin, gravity.dot(centre_of(link)))
        total = g.sub(total, g.mul(link.body.spec.mass.handle, height))
        if link.internal_dynamics is not None:
            rr = link.internal_dynamics.rr
            total = g.sub(total, g.add(g.mul(rr.m, origin), gravity.dot(Vec(link.frame, rr.h))))
    return total


def stored(motion: Motion) -> Expr:
    """The energy of the springs of joints and loads, and of flexible bodies."""
    total = stored_by_loads(motion)
    for energy in strain(motion).values():
        total = total + Expr(motion.graph, energy)
    return total


def strain(motion: Motion) -> dict[str, Node]:
    """The energy that each flexible body stores, by name: its strain energy, less the work of its constant loads."""
    links = motion.tree.links
    return {
        link.described.name: link.internal_dynamics.stored_energy()
        for link in links
        if link.internal_dynamics is not None
    }


def stored_by_loads(motion: Motion) -> Expr:
    """The energy of the springs of joints, loads and constraints."""
    total = Expr(motion.graph, motion.graph.zero)
    for _, energy in springs(motion):
        total = total + energy
    return total


def springs(motion: Motion) -> Iterator[tuple[str, Expr]]:
    """What stores energy, by name: ½ k (q − rest)² of joint springs with a constant stiffness and rest, for each
    coordinate, and the potentials of loads and of constraints."""
    for link in motion.tree.links:
        joint = link.body.spec.joint
        if not equals_number(joint.stiffness, 0) and elastic(link):
            for q in link.body.q:
                stretch = q - motion.scalar(joint.rest)
                yield f"joint '{link.described.name}'", motion.scalar(joint.stiffness) * stretch * stretch / 2
    model = motion.tree.model
    loads = [(f"load '{name}'", load.potential(motion)) for name, load in model.loads.items()]
    constraints = [(f"constraint '{name}'", c.potential(motion)) for name, c in model.constraints.items()]
    yield from ((name, energy) for name, energy in (*loads, *constraints) if energy is not None)


# Powers


def powers(
    motion: Motion, accelerations: Sequence[Node], equations: ConstraintEquations, multipliers: Sequence[Node]
) -> dict[str, Node]:
    """The power of everything that changes the energy, by name: ``load.…`` of each load without its potential,
    ``joints`` of the dampers and friction of joints, also of those that close loops, ``damping.…`` of the modes of each
    flexible body, ``drive.…`` of each joint with a prescribed motion, ``gravity`` where it is not constant,
    ``constraint.…`` of each constraint that depends on time. Those of drives and constraints need u̇ and λ, the nodes
    ``accelerations`` and ``multipliers``. Powers that are always zero are left out."""
    g, tree = motion.graph, motion.tree
    result = {f"load.{name}": _load_power(motion, load) for name, load in tree.model.loads.items()}
    result["joints"] = g.zero
    for link in tree.links:
        source = "joints" if link.internal_dynamics is None else f"damping.{link.described.name}"
        for k, u in enumerate(link.body.u):
            result[source] = g.add(result.get(source, g.zero), g.mul(joint_losses(link, k), u.handle))
    for constraint in tree.model.constraints.values():
        result["joints"] = g.add(result["joints"], _power(motion, constraint.losses(motion)))
    for body, k, force in forces_of_drives(motion, accelerations, equations, multipliers):
        key = f"drive.{body.spec.described.name}"
        result[key] = g.add(result.get(key, g.zero), g.mul(force, body.u[k].handle))
    if not constant_gravity(motion):
        result["gravity"] = g.zero
        for link in tree.links:
            gravity = Vec(link.frame, components(tree.gravity, link.frame))
            moving = momentum(link, motion.twist(link), link_inertia(link)).linear
            result["gravity"] = g.add(result["gravity"], gravity.dot(moving))
    result |= {f"constraint.{name}": power for name, power in equations.powers(multipliers).items()}
    return {name: node for name, node in result.items() if node != g.zero}


def forces_of_drives(
    motion: Motion, accelerations: Sequence[Node], equations: ConstraintEquations, multipliers: Sequence[Node]
) -> Iterator[tuple[Body, int, Node]]:
    """The body, the index among the speeds of its joint, and the force of the drive for each prescribed speed."""
    tree = motion.tree
    if all(given is None for link in tree.links for given in link.body.prescribed):
        return
    inertias = [link_inertia(link) for link in tree.links]
    transmitted = equations.transmitted(Motion(tree, accelerations), inertias, multipliers)
    for (index, k), force in drive_forces(tree, transmitted, accelerations).items():
        body = tree.links[index].body
        if body.prescribed[k] is not None:
            yield body, k, force


def _load_power(motion: Motion, load: Load) -> Node:
    """Σ F·v + T·ω of the load without its potential; v is of the body-fixed point where F acts."""
    force = load.joint_losses(motion)
    if force is not None:
        link, k = motion.tree.speeds[force.speed]
        return (force.value * link.body.u[k]).handle
    return _power(motion, load.nonconservative(motion))


def _power(motion: Motion, wrenches: Iterable[LoadWrench]) -> Node:
    """Σ F·v + T·ω"""
    total = Expr(motion.graph, motion.graph.zero)
    for wrench in wrenches:
        if wrench.force is not None and wrench.point is not None:
            total = total + wrench.force.dot(motion.carried_velocity(wrench.point))
        if wrench.torque is not None:
            total = total + wrench.torque.dot(motion.angular_velocity(wrench.body))
    return total.handle


# Momenta


def momentum(link: Link, V: Twist, inertia: RigidInertia) -> Wrench:
    """rr V + frᵀ η̇ of one link about its origin (Kwatny & Blankenship Eq 44)"""
    total = inertia.apply(V)
    for F, rate in (
        zip(link.internal_dynamics.fr, link.internal_dynamics.rates, strict=True)
        if link.internal_dynamics is not None
        else ()
    ):
        total = total + F.times(rate)
    return total


def whole_momentum(motion: Motion) -> Wrench:
    """The momentum of the system about the ground's origin."""
    links, total = motion.tree.links, Wrench.zero(motion.tree.root)
    each = [momentum(link, motion.twist(link), link_inertia(link)) for link in links]
    for link, F in zip(links, inwards(links, each, to_parent), strict=True):
        total = total + F.back(link.X) if link.parent is None else total
    return total
