"""The equations of all bodies in absolute coordinates (Mufti 1983, Eqs 10, 49, 63), from which some members of the
family of solvers start.

Unknowns are the accelerations δ of each body, angular and of its mass centre, relative to a reference, and the
multipliers λ of the rows H of every joint of the tree and every constraint:

    [J −Hᵀ; −H D] [δ; λ] = [F; −γ]

J is the inertia of the bodies; F are loads and joint forces less what the reference requires; H δ = γ are the
accelerations that joints and constraints allow. D is zero but for rotors, which have a row each. A component of a
body's acceleration in which no speed of the tree moves it is known: a body of a planar mechanism has three unknowns.
Flexible bodies have the accelerations of their modes as further unknowns.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ExpressionError, ModelError
from freebody.formulations.constrained import convert_multipliers
from freebody.formulations.entries import LIMIT, body_count
from freebody.formulations.formulation import AccelerationSystem, Formulation, Solution
from freebody.formulations.solve import Factor
from freebody.formulations.solvers.bodies import (
    ANGULAR,
    LINEAR,
    Bodies,
    Coefficients,
    MovingBody,
    add_multiple,
    written,
)
from freebody.model.body import Point, Reference
from freebody.model.constraints.complement import complement, far_coordinates, pivot_rows
from freebody.program.count import operations
from freebody.program.ldl import Entry, eliminate, minimum_degree, plan
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import somewhere, values
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Twist, Vec
from freebody.spatial.vector import Vector, components, meeting, vector
from freebody.tree.assembly import initial_coordinates, move
from freebody.tree.constraints import CANONICAL, ClosureForms, ConstraintEquations
from freebody.tree.independence import guarded_rows, omitted_rows
from freebody.tree.joint_forces import armatures, joint_forces
from freebody.tree.motion import LinkMotion, Motion, accelerate
from freebody.tree.newton_euler import inertial_wrench, link_wrench, load_sums
from freebody.tree.tree import Link, Tree

Array = NDArray[np.float64]
SAMPLES = 3
"""States at which ranks and pivots are computed."""

ALIGNED = ClosureForms(aligned=True)
SMALL_PIVOT = 1e-10
"""A pivot counts as zero if it is smaller than this times the sum of the terms in it."""


# The reference


class AbsoluteMotion(Motion):
    """The motion at reference accelerations. These are zero (minus gravity) in the components that are unknown, so that
    no equation needs an expression along a chain; in the others they are the accelerations, which are known."""

    def __init__(self, bodies: Bodies) -> None:
        super().__init__(bodies.tree)
        self.bodies, self.tree_motion = bodies, Motion(bodies.tree)
        self._at_points: dict[int, LinkMotion] = {}
        self._across: dict[int, tuple[Vector, Vector]] = {}

    def at_point(self, body: MovingBody) -> LinkMotion:
        """The motion of the point whose acceleration is unknown, along the body's axes."""
        link, axes = body.head, body.axes
        if link.index not in self._at_points:
            w, reference = self.bodies.resolve(self.spin(link), axes), [self.graph.zero] * 6
            if len(body.unknowns) < 6:
                there, point = self.tree_motion.of(link), components(self.bodies.points[link.index], link.frame)
                both = (vector(link.frame, v.c) for v in (there.alpha, there.at(point)))
                for k, x in enumerate(x for v in both for x in self.bodies.resolve(v, axes)):
                    reference[k] = self.graph.zero if k in body.unknowns else x
            alpha, a = Vec(axes, tuple(reference[:3])), Vec(axes, tuple(reference[3:]))
            self._at_points[link.index] = LinkMotion(Vec(axes, w), alpha, a)
        return self._at_points[link.index]

    def of(self, link: Link) -> LinkMotion:
        if link.index not in self._motions:
            body = self.bodies.body_of[link.index]
            if body is not None and body.head is link:
                w, alpha, a = (
                    Vec(link.frame, components(v, link.frame))
                    for v in (
                        self.spin(link),
                        self.angular_acceleration_of(link),
                        self.acceleration_at(link, Vector(self.graph, {})),
                    )
                )
                self._motions[link.index] = LinkMotion(w, alpha, a)
            else:
                parent = self.ground if link.parent is None else self.of(link.parent)
                self._motions[link.index] = LinkMotion(*accelerate(link, parent))
        return self._motions[link.index]

    def spin(self, link: Link) -> Vector:
        """ω of a link as its acceleration holds it: of order "ruthless" without the rates of deformation."""
        if not self._neglects:
            return self.angular_velocity(link.body)
        return vector(link.frame, self.tree_motion.of(link).w.c)

    @cached_property
    def _neglects(self) -> bool:
        return any(link.body.placement.undeformed is not None for link in self.tree.links)

    def _welded(self, link: Link) -> MovingBody | None:
        """The moving body to whose head a link is welded."""
        body = self.bodies.body_of[link.index]
        return body if body is not None and self.bodies.base_of[link.index] is body.head else None

    def acceleration_at(self, link: Link | None, arm: Vector) -> Vector:
        """The acceleration minus gravity of a point of a link (None: of the ground), at ``arm`` from its origin."""
        if link is None:
            return self.minus_g
        body = self._welded(link)
        if body is None:
            return vector(link.frame, self.of(link).at(components(arm, link.frame)).c)
        arm = arm - self.bodies.points[link.index]
        return vector(body.axes, self.at_point(body).at(self.bodies.resolve(arm, body.axes)).c)

    def angular_acceleration_of(self, link: Link | None) -> Vector:
        """α of a link (None: of the ground)."""
        if link is None:
            return Vector(self.graph, {})
        body = self._welded(link)
        at = self.of(link) if body is None else self.at_point(body)
        return vector(at.frame, at.alpha.c)

    def carried_acceleration(self, point: Point) -> Vector:
        return self.acceleration_at(self._links.get(point.body.name), self._arm(point))

    def carried_angular_acceleration(self, body: Reference) -> Vector:
        return self.angular_acceleration_of(self._links.get(body.name))

    def working_frame(self, body: Reference) -> Frame:
        link = self._links.get(body.name)
        moving = None if link is None else self.bodies.body_of[link.index]
        return self.bodies.root if moving is None else moving.axes

    def across(self, link: Link) -> tuple[Vector, Vector]:
        """The acceleration of a link, angular and of its origin, less the one that it would have at u̇ = 0 with the
        acceleration of its parent."""
        if link.index not in self._across:
            g, parent, nothing = self.graph, link.parent, Vector(self.graph, {})
            alpha = self.angular_acceleration_of(link) - self.angular_acceleration_of(parent)
            a = self.acceleration_at(link, nothing) - self.acceleration_at(parent, link.position)
            w = nothing if parent is None else self.spin(parent)
            alpha = alpha - w.cross(link.joint_angular_velocity) - written(g, link.alpha_bias)
            a = a - w.cross(link.joint_velocity) * 2 - written(g, link.a_bias)
            self._across[link.index] = alpha, a
        return self._across[link.index]

    @property
    def speed_rates(self) -> Sequence[Node]:
        return self._speed_rates

    @cached_property
    def _speed_rates(self) -> list[Node]:
        """u̇ of the reference, as the duals of the joints' columns measure it; zero for modes."""
        rates = [self.graph.zero] * len(self.tree.layout.u)
        for link in self.tree.links:
            if link.u and link.body.coupling is None and link.internal_dynamics is None:
                alpha, a = self.across(link)
                for speed, wrench in zip(link.u, duals(link), strict=True):
                    rates[speed] = (wrench.torque.dot(alpha) + wrench.force.dot(a)).handle
        return rates


# Joints

Sample = Callable[[Sequence[Node]], tuple[Iterable[Array], Iterable[Array]]]
"""The values of nodes at a few states, and at others that are far from these."""


class JointWrench(NamedTuple):
    """A wrench of a joint on its link, at the link's origin; the reaction acts on the parent."""

    torque: Vector
    force: Vector


def free_columns(link: Link) -> list[tuple[Vector, Vector]]:
    """∂ω_PB/∂w and ∂v_PB/∂w of a joint's free speeds w; of a coupled one w is its own speed."""
    placement = link.body.placement
    return [(placement.turns[k], placement.slides[k]) for k in link.free]


def duals(link: Link) -> list[JointWrench]:
    """H (HᵀH)⁻¹: the wrenches of unit forces on a joint's free speeds. Their power measures the speeds."""
    g, columns, wrenches = link.graph, free_columns(link), list[JointWrench]()
    products = {
        (i, j): (columns[i][0].dot(columns[j][0]) + columns[i][1].dot(columns[j][1])).handle
        for i in range(len(columns))
        for j in range(i + 1)
    }
    products = {key: x for key, x in products.items() if not g.vanishes(x)}
    for row in Factor(g, products, plan(len(columns), list(products))).inverse_matrix():
        torque = force = Vector(g, {})
        for factor, (turn, slide) in zip(row, columns, strict=True):
            torque, force = torque + turn * Expr(g, factor), force + slide * Expr(g, factor)
        wrenches.append(JointWrench(torque, force))
    return wrenches


def resisted(
    link: Link, axes: Frame, unknowns: Collection[int], sample: Sample, context: str, name: str
) -> Iterator[list[JointWrench]]:
    """Wrenches without power on a joint's free speeds, which span all of these (Remark 5). Those that act on the body
    are as many as the components of its acceleration along ``axes`` that are ``unknowns``, less the speeds.

    The first result is in the frame in which the columns are simplest. If more of its wrenches act, because there the
    known components are not separate from the others but for rounding, the second one is to be taken: it is along
    ``axes``, among the unknown components. ``sample`` has the values of nodes at a few states; ``name`` is that of the
    body in errors."""
    frame = meeting(unit for pair in free_columns(link) for v in pair for unit in v.parts) or axes
    yield _complement(link, frame, axes, range(6), sample, context, name)
    yield _complement(link, axes, axes, unknowns, sample, context, name)


def _complement(
    link: Link, frame: Frame, axes: Frame, rows: Collection[int], sample: Sample, context: str, name: str
) -> list[JointWrench]:
    """The wrenches in a frame; of a joint that does not slide the forces are along ``axes``, of one that does not turn
    the torques are."""
    g, columns, q = link.graph, free_columns(link), [q.handle for q in link.body.q]
    matrix = [[*components(turn, frame), *components(slide, frame)] for turn, slide in columns]
    near, far = (map(_as_columns, some) for some in sample([x for row in matrix for x in row]))
    pivots = pivot_rows(list(near), far, rows)
    if pivots is None:
        raise ModelError(
            f"{context}: the {len(columns)} speeds of the joint of '{name}' do not move it in as many ways at all"
            " coordinates, so that the number of forces that it resists changes; use solver='tree'"
        )
    half_axes = (
        axes if not any(turn for turn, _ in columns) else frame,
        axes if not any(slide for _, slide in columns) else frame,
    )
    start = dict(zip(q, map(float, next(iter(sample(q)[0]))), strict=True))
    every = complement(g, matrix, pivots, start, rows).values()
    return [JointWrench(vector(half_axes[0], row[:3]), vector(half_axes[1], row[3:])) for row in every]


def _as_columns(numbers: Array) -> Array:
    return numbers.reshape(-1, 6).T


class SampleStates:
    """A few states near the initial coordinates, with the default values of the parameters."""

    def __init__(self, tree: Tree) -> None:
        g, layout = tree.graph, tree.layout
        self.tree, self.graph, self.states = tree, g, list[dict[Node, float]]()
        known = {h: float(x) for n, x in tree.model.parameters.items() if (h := g.named(n)) is not None}
        known |= {state.symbol.handle: float(state.initial) for state in tree.model.states.values()}
        for seed in range(SAMPLES):
            rng = np.random.default_rng(seed)
            q = move(tree, initial_coordinates(tree), (0.2 + 0.3 * seed) * rng.uniform(0.5, 1, len(layout.u)))
            u = rng.normal(size=len(layout.u))
            state = zip((*layout.q_handles, *layout.u_handles), map(float, (*q, *u)), strict=True)
            self.states.append(known | dict(state) | {tree.t: 0.3 * seed})

    @cached_property
    def far(self) -> list[dict[Node, float]]:
        """States with coordinates that are far from the initial ones."""
        layout, result = self.tree.layout, list[dict[Node, float]]()
        for k, q in enumerate(far_coordinates(initial_coordinates(self.tree))):
            at = dict(zip(layout.q, q, strict=True))
            for spec in self.tree.model.bodies.values():
                names = [name for name in spec.names[0] if name in at]
                if len(names) == len(spec.names[0]):
                    at |= zip(names, spec.freedoms.normalise(np.array([at[name] for name in names])), strict=True)
            values = map(float, at.values())
            result.append(self.states[0] | dict(zip(layout.q_handles, values, strict=True)) | {self.tree.t: 0.3 * k})
        return result

    def values(self, nodes: Iterable[Node]) -> list[Array]:
        """The values of nodes at each of the states; states at which one is not finite are left out."""
        return list(finite_values(self.graph, nodes, self.states))

    def near_and_far(self, nodes: Sequence[Node]) -> tuple[Iterable[Array], Iterable[Array]]:
        """The same, and those at states that are far from these, if they depend on states."""
        constant = all(self.graph.mask[h] <= PARAMETERS_ONLY for h in nodes)
        return self.values(nodes), () if constant else finite_values(self.graph, nodes, self.far)


def finite_values(
    g: Graph, nodes: Iterable[Node], states: Iterable[Mapping[Node, float]], seed: int = 0
) -> Iterator[Array]:
    """The values of nodes at states where all of them are finite; symbols without a value are drawn."""
    every = list(nodes)
    for state in states:
        with suppress(ArithmeticError, ValueError, ExpressionError):
            numbers = np.array(values(g, every, state, somewhere(seed)), float)
            if np.isfinite(numbers).all():
                yield numbers


# The system


@dataclass(eq=False)
class AbsoluteRow:
    """A row of H, with γ. ``anchors``: unknowns of the body that a joint moves, in which the rows of this joint are
    independent (none: they are not, or it is not a row of a joint). ``path``: the unknowns that are eliminated before
    the multiplier, if those of joints are eliminated as soon as their anchors are. ``related`` are the rows whose scale
    is one (see ``eliminate_row``); ``diagonal`` is the entry of D."""

    of: str
    coefficients: Coefficients
    gamma: Node
    related: Sequence[int]
    path: frozenset[int]
    anchors: frozenset[int] = frozenset()
    diagonal: Node | None = None


class AbsoluteEquations:
    """The system of a formulation's tree. ``in_ground``: accelerations are along the axes of the ground, else along
    those of each body. ``forms`` are those of closures; if ``anchored``, rows of joints have anchors, which most orders
    of elimination need. ``joint_rows``, ``constraint_rows``: the indices of rows."""

    def __init__(
        self,
        formulation: Formulation,
        in_ground: bool,
        context: str,
        forms: ClosureForms = ALIGNED,
        anchored: bool = True,
    ) -> None:
        self.tree, self.graph, self.context = formulation.tree, formulation.graph, context
        self.bodies = Bodies(self.tree, in_ground)
        self.motion, self.samples = AbsoluteMotion(self.bodies), SampleStates(self.tree)
        omitted, guarded = omitted_rows(self.tree.model), guarded_rows(self.tree.model)
        self.constraints = ConstraintEquations(self.motion, omitted, forms, formulation.stabilisation, guarded=guarded)
        self.rows: list[AbsoluteRow] = []
        for body in self.bodies.moving:
            if body.head.internal_dynamics is None:
                self._add_joint(body, anchored)
        self.joint_rows = range(len(self.rows))
        self._add_couplings()
        self._add_rotors()
        first = len(self.rows)
        self._add_constraints()
        self.constraint_rows = range(first, len(self.rows))

    @property
    def size(self) -> int:
        """The number of accelerations."""
        return self.bodies.size

    # J and F

    @cached_property
    def inertia(self) -> dict[Entry, Node]:
        """The lower triangle of J."""
        g, entries = self.graph, dict[Entry, Node]()
        for body in self.bodies.moving:
            inertia = self.bodies.inertia(body)
            for k, column in body.unknowns.items():
                unit = Twist(body.axes, tuple(g.one if i == k else g.zero for i in range(6)))
                wrench = inertia.apply(unit, by_trace=True).c
                entries |= {(row, column): wrench[i] for i, row in body.unknowns.items() if row >= column}
            add_multiple(g, entries, self.bodies.modal_inertia(body), g.one)
        return {key: x for key, x in entries.items() if not g.vanishes(x)}

    @cached_property
    def force(self) -> Coefficients:
        """F without tau."""
        g, bodies, total = self.graph, self.bodies, Coefficients()
        minus = g.neg(g.one)
        nothing = Vector(g, {})
        arms = [nothing if bodies.nodes[k] else point for k, point in enumerate(bodies.points)]
        loads = load_sums(self.tree, self.motion, lambda _, v: v, lambda k: k.shift + arms[k.index])
        for link, (torque, force) in zip(self.tree.links, loads, strict=True):
            add_multiple(g, total, bodies.coefficients(link, force, torque, arms[link.index]), g.one)
            if link.internal_dynamics is not None:
                required, of_modes = link_wrench(link, self.motion.of(link), link.internal_dynamics.rr)
                torque, force = (vector(link.frame, half) for half in required.halves)
                add_multiple(g, total, bodies.coefficients(link, force, torque, nothing), minus)
                add_multiple(g, total, {bodies.modes[speed]: x for speed, x in of_modes.items()}, minus)
        for body in bodies.moving:
            head, *others = body.parts
            inertia = bodies.part_inertia(head, bodies.arm(head), body.axes)
            wrench = inertial_wrench(inertia, self.motion.at_point(body)).c
            add_multiple(g, total, {index: wrench[k] for k, index in body.unknowns.items()}, minus)
            for part in others:
                there, frame, centre = self.motion.of(part.base), part.base.frame, vector(part.base.frame, part.centre)
                inertia = bodies.part_inertia(part, Vector(g, {}), frame)
                motion = LinkMotion(there.w, there.alpha, there.at(part.centre))
                torque, force = (vector(frame, half) for half in inertial_wrench(inertia, motion).halves)
                add_multiple(g, total, bodies.coefficients(part.base, force, torque, centre), minus)
        for coefficients, own in zip(self.speeds, joint_forces(self.tree), strict=True):
            add_multiple(g, total, coefficients, own)
        return total

    # H

    @cached_property
    def speeds(self) -> list[Coefficients]:
        """Each u̇, less that of the reference (``AbsoluteMotion.speed_rates``), as coefficients of δ. A force on a
        speed acts on the bodies by the same coefficients."""
        result = [Coefficients() for _ in self.tree.layout.u]
        for speed, index in self.bodies.modes.items():
            result[speed] = {index: self.graph.one}
        for link in self.tree.links:
            if link.u and link.body.coupling is None and link.internal_dynamics is None:
                for speed, wrench in zip(link.u, duals(link), strict=True):
                    result[speed] = self._on_both(link, wrench)
        return result

    def _on_both(self, link: Link, wrench: JointWrench) -> Coefficients:
        """The coefficients of a joint's wrench on a link and of its reaction on the parent."""
        g, (torque, force) = self.graph, wrench
        total = self.bodies.coefficients(link, force, torque, Vector(g, {}))
        add_multiple(g, total, self.bodies.coefficients(link.parent, force, torque, link.position), g.neg(g.one))
        return total

    def _reference(self, link: Link, wrench: JointWrench) -> Node:
        """What a joint's wrench measures of the reference."""
        alpha, a = self.motion.across(link)
        return (wrench.torque.dot(alpha) + wrench.force.dot(a)).handle

    def _add_joint(self, body: MovingBody, anchored: bool) -> None:
        """The rows of the joint of a body's head, those of forces first."""
        g, link, every = self.graph, body.head, frozenset(body.unknowns.values())
        count, sample = len(body.unknowns) - len(link.free), self.samples.near_and_far
        for wrenches in resisted(link, body.axes, body.unknowns, sample, self.context, link.name):
            forces, torques = list[AbsoluteRow](), list[AbsoluteRow]()
            for wrench in wrenches:
                coefficients = self._on_both(link, wrench)
                if coefficients:
                    gamma = g.neg(self._reference(link, wrench))
                    rows, half = (forces, LINEAR) if wrench.force else (torques, ANGULAR)
                    anchors = frozenset(body.indices(half))
                    rows.append(AbsoluteRow(link.name, coefficients, gamma, (), every, anchors))
            if len(forces) + len(torques) <= count:
                break
        together = [*forces, *torques]
        if not anchored or not self._independent([forces, torques]):
            for row in together:
                row.anchors = every
            if not anchored or not self._independent([together]):
                for row in together:
                    row.anchors = frozenset()
        for rows in (forces, torques):
            first = len(self.rows)
            for row in rows:
                row.related = range(first, first + len(rows))
            self.rows += rows

    def _independent(self, groups: Iterable[Sequence[AbsoluteRow]]) -> bool:
        """Whether the rows of each group are independent in their anchors alone."""
        for rows in groups:
            nodes = [row.coefficients.get(k, self.graph.zero) for row in rows for k in sorted(row.anchors)]
            for numbers in self.samples.values(nodes) if rows else ():
                if np.linalg.matrix_rank(numbers.reshape(len(rows), -1)) < len(rows):
                    return False
        return True

    def _add_couplings(self) -> None:
        """w − ratio w of the leader = 0, for the speeds w of coupled joints."""
        g, rates = self.graph, self.motion.speed_rates
        leaders = {speed: link for link in self.tree.links if link.body.coupling is None for speed in link.u}
        for link in self.tree.links:
            if link.body.coupling is not None:
                wrench, speed, factor = duals(link)[0], link.u[0], g.neg(link.gain)
                coefficients = self._on_both(link, wrench)
                add_multiple(g, coefficients, self.speeds[speed], factor)
                gamma = g.neg(g.add(self._reference(link, wrench), g.mul(factor, rates[speed])))
                leader = leaders[speed]
                path = self._path([link, link.parent, leader, leader.parent])
                self.rows.append(AbsoluteRow(link.name, coefficients, gamma, (len(self.rows),), path))

    def _add_rotors(self) -> None:
        """The multiplier of a rotor is −u̇ of its speed, a u̇ + a λ = 0 with a the armature: its force is a λ."""
        g, rates = self.graph, self.motion.speed_rates
        for speed, armature in armatures(self.tree).items():
            coefficients = Coefficients()
            add_multiple(g, coefficients, self.speeds[speed], armature)
            gamma, name = g.neg(g.mul(armature, rates[speed])), self.tree.layout.u[speed]
            row = AbsoluteRow(name, coefficients, gamma, (len(self.rows),), frozenset(), diagonal=g.neg(armature))
            self.rows.append(row)

    def _add_constraints(self) -> None:
        g, links, first = self.graph, {link.name: link for link in self.tree.links}, len(self.rows)
        nothing, joints = Vector(g, {}), {k: link for link in self.tree.links for k in link.u}
        for k, (key, row) in enumerate(self.constraints.rows.items()):
            coefficients, ends = Coefficients(), list[Link | None]()
            for w in row.wrenches:
                link = links.get(w.body.name)
                ends.append(link)
                if link is not None:
                    arm = nothing if w.point is None else w.point.offset - link.shift
                    one = self.bodies.coefficients(link, w.force or nothing, w.torque or nothing, arm)
                    add_multiple(g, coefficients, one, g.one)
            for speed, force in row.forces.items():
                add_multiple(g, coefficients, self.speeds[speed], force.handle)
                ends += [joints[speed], joints[speed].parent]
            related = [first + i for i in self.constraints.related[k]]
            gamma = g.neg(row.acceleration.handle)
            self.rows.append(AbsoluteRow(key.constraint, coefficients, gamma, related, self._path(ends)))

    def _path(self, ends: Sequence[Link | None]) -> frozenset[int]:
        """The unknowns of the bodies between some links and their nearest common ancestor, and the modes of this one if
        it is flexible: they move its nodes relative to each other."""
        paths = [[] if link is None else link.path_to_root() for link in ends]
        between = {link.index for path in paths for link in path if not all(link in other for other in paths)}
        common = next((link for link in paths[0] if all(link in other for other in paths)), None) if paths else None
        flexible = [link for link in self.tree.links if link.internal_dynamics is not None]
        modes = {speed for link in flexible if link.index in between or link is common for speed in link.u}
        rigid = (k for body in self.bodies.moving if body.head.index in between for k in body.unknowns.values())
        return frozenset([*rigid, *(self.bodies.modes[speed] for speed in modes)])

    # Elimination

    @cached_property
    def matrix(self) -> dict[Entry, Node]:
        """The lower triangle of [J −Hᵀ; −H D]."""
        g, n, entries = self.graph, self.size, dict(self.inertia)
        for k, row in enumerate(self.rows):
            entries |= {(n + k, j): g.neg(x) for j, x in row.coefficients.items()}
            if row.diagonal is not None:
                entries[n + k, n + k] = row.diagonal
        return entries

    def multipliers(self, rows: Iterable[int]) -> list[int]:
        """The indices of unknowns of the multipliers of rows."""
        return [self.size + k for k in rows]

    def in_stages(self, *stages: Collection[int]) -> tuple[int, ...]:
        """The order of unknowns stage by stage, in each of them by the fewest neighbours."""
        after, before = dict[int, Collection[int]](), list[int]()
        for stage in stages:
            after |= dict.fromkeys(stage, tuple(before))
            before += stage
        return minimum_degree(self.size + len(self.rows), list(self.matrix), after)

    def bodies_first(self) -> tuple[int, ...]:
        """All accelerations before all multipliers."""
        return self.in_stages(range(self.size), self.multipliers(range(len(self.rows))))

    def in_two_halves(self) -> tuple[int, ...]:
        """First r̈, then the forces f of the tree's joints: what is left are ω̇ and the torques of joints, with the
        matrix I + L̃ (CᵀM⁻¹C)⁻¹ L̃ᵀ (Eqs 16, 51); and last the multipliers of the loops (Eq 73)."""
        rows, moving = self.rows, self.bodies.moving
        linear, angular = ([k for body in moving for k in body.indices(half)] for half in (LINEAR, ANGULAR))
        angular += self.bodies.modes.values()
        forces = [k for k in self.joint_rows if rows[k].anchors and rows[k].anchors.issubset(linear)]
        torques = [k for k in self.joint_rows if k not in forces]
        loops = [k for k in range(len(rows)) if k not in self.joint_rows]
        after_r, after_w, last = map(self.multipliers, (forces, torques, loops))
        return self.in_stages(linear, after_r, angular, after_w, last)

    def rows_after_their_bodies(self) -> tuple[int, ...]:
        """By the fewest neighbours, each multiplier after the accelerations in its row."""
        after = {self.size + k: row.coefficients for k, row in enumerate(self.rows) if row.diagonal is None}
        return minimum_degree(self.size + len(self.rows), list(self.matrix), after)

    def inwards(self) -> tuple[int, ...] | None:
        """By the fewest neighbours, the multipliers of a joint after the accelerations of its outer body only: what is
        left then is the inertia of an articulated body, which is positive definite. The multiplier of a constraint
        comes after the bodies between its ends. None if the rows of a joint have no anchors."""
        if not all(self.rows[k].anchors for k in self.joint_rows):
            return None
        after = dict[int, Collection[int]]()
        for k, row in enumerate(self.rows):
            joints = [self.size + i for i in self.joint_rows if self.rows[i].anchors & row.path]
            after[self.size + k] = row.anchors if k in self.joint_rows else (*row.path, *joints)
        return minimum_degree(self.size + len(self.rows), list(self.matrix), after)

    def factor(self, order: tuple[int, ...]) -> Factor:
        """L D Lᵀ in an order. The pivots of multipliers are guarded if rows may depend on each other."""
        n, dependent = self.size, any(not row.anchors and row.diagonal is None for row in self.rows)
        related = {n + k: self.multipliers(row.related) for k, row in enumerate(self.rows)}
        rows = frozenset(self.multipliers(range(len(self.rows))) if dependent else ())
        flags = {n + self.constraint_rows[k]: flag for k, flag in self.constraints.flags.items()}
        return Factor(self.graph, self.matrix, eliminate(order, list(self.matrix), rows), related, flags)

    @cached_property
    def _sampled_matrix(self) -> list[Array]:
        return self.samples.values(self.matrix.values())

    def singular_body(self, order: Sequence[int]) -> str | None:
        """The name of a body that has no inertia against one of its accelerations when this is eliminated."""
        if not self._sampled_matrix:
            return None
        shape = eliminate(tuple(order), list(self.matrix))
        ranked = zip(shape.lower(list(self.matrix)), np.transpose(self._sampled_matrix), strict=True)
        A, nothing = dict[Entry, Array](ranked), np.zeros(len(self._sampled_matrix))
        scale = [np.abs(A.get((k, k), nothing)) for k in range(shape.size)]
        for k, (unknown, rows) in enumerate(zip(order, shape.columns, strict=True)):
            d = A.get((k, k), nothing)
            zero = np.abs(d) <= SMALL_PIVOT * scale[k]
            if unknown < self.size and zero.any():
                return next(b.head.described.name for b in self.bodies.moving if unknown in b.every)
            inverse = np.where(zero, 0.0, 1 / np.where(zero, 1.0, d))
            for n, i in enumerate(rows):
                for j in rows[: n + 1]:
                    change = A.get((i, k), nothing) * A.get((j, k), nothing) * inverse
                    A[i, j] = A.get((i, j), nothing) - change
                scale[i] = scale[i] + np.abs(change)  # the last one is that of the diagonal
        return None

    def right(self, tau: Sequence[Node]) -> list[Node]:
        """[F; −γ] under generalised forces tau."""
        g, total = self.graph, dict(self.force)
        for coefficients, force in zip(self.speeds, tau, strict=False):
            add_multiple(g, total, coefficients, force)
        return [*(total.get(k, g.zero) for k in range(self.size)), *(g.neg(row.gamma) for row in self.rows)]

    def speed_rates(self, delta: Sequence[Node]) -> list[Node]:
        """The part of δ in u̇."""
        g, rates = self.graph, list[Node]()
        for coefficients in self.speeds:
            total = g.zero
            for index, x in coefficients.items():
                total = g.add(total, g.mul(x, delta[index]))
            rates.append(total)
        return rates


# Members of the family


def singular_inertia(context: str, name: str) -> ModelError:
    """The error for a body whose accelerations cannot be eliminated."""
    return ModelError(
        f"{context}: the inertia of '{name}' alone is singular, and its accelerations are eliminated before those of"
        f" the bodies that it moves with. Give '{name}' mass and inertia, or use solver='tree'"
    )


class Absolute(Formulation, ABC):
    """A member of the family that eliminates the unknowns of ``AbsoluteEquations`` in some order: the cheapest of
    ``orders``, with accelerations along the axes of the ground or of the bodies."""

    recursive = True
    name: ClassVar[str]

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self.is_large = body_count(tree.model) > LIMIT
        self._choose()

    def _choose(self) -> None:
        if self.is_large:
            self.equations = self._with_fewest_entries()
        else:
            self.equations, self.factor = self._cheapest()

    def stabilised(self, alpha: Node, beta: Node) -> Self:
        twin = super().stabilised(alpha, beta)
        twin._choose()
        return twin

    @property
    def context(self) -> str:
        return f"solver '{self.name}'"

    @staticmethod
    @abstractmethod
    def orders(equations: AbsoluteEquations) -> list[tuple[int, ...]]:
        """The orders that are compared."""

    def _cheapest(self) -> tuple[AbsoluteEquations, Factor]:
        """The equations and the factors with the fewest operations of u̇."""
        candidates, singular = list[tuple[int, AbsoluteEquations, Factor]](), ""
        for in_ground in (True, False):
            equations = AbsoluteEquations(self, in_ground, self.context)
            right = equations.right(())
            for order in dict.fromkeys(self.orders(equations)):
                name = equations.singular_body(order)
                if name is None:
                    factor = equations.factor(order)
                    cost = operations(self.graph, self._rates(equations, factor.solve(right)))
                    candidates.append((cost, equations, factor))
                else:
                    singular = name
        if not candidates:
            raise singular_inertia(self.context, singular)
        _, equations, factor = min(candidates, key=lambda c: c[0])
        return equations, factor

    def _with_fewest_entries(self) -> AbsoluteEquations:
        """The equations of many bodies, with closures in the form of the multipliers' names: along the axes of the
        bodies, or in a plane along those of the ground if fewer entries of the matrix are not constant."""
        best = AbsoluteEquations(self, False, self.context, CANONICAL, anchored=False)
        if all(len(body.unknowns) <= 3 for body in best.bodies.moving):
            every = best, AbsoluteEquations(self, True, self.context, CANONICAL, anchored=False)
            best = min(every, key=lambda e: sum(self.graph.mask[x] > PARAMETERS_ONLY for x in e.matrix.values()))
        size = best.size + len(best.rows)
        name = best.singular_body(plan(size, list(best.matrix), range(best.size, size)).order)
        if name is not None:
            raise singular_inertia(self.context, name)
        return best

    def linear_system(self, tau: Sequence[Node] = ()) -> AccelerationSystem | None:
        if not self.is_large:
            return None
        e, rates = self.equations, self.equations.motion.speed_rates
        rows = e.multipliers(k for k, row in enumerate(e.rows) if row.diagonal is None)
        matrix, right = dict(e.matrix), e.right(tau)
        for k, flag in e.constraints.flags.items():  # rows of released constraints are zero
            row = e.size + e.constraint_rows[k]
            right[row] = self.graph.where(flag, right[row], self.graph.zero)
            for j in e.rows[e.constraint_rows[k]].coefficients:
                matrix[row, j] = self.graph.where(flag, matrix[row, j], self.graph.zero)
        return AccelerationSystem(
            matrix, right, rows, list(zip(rates, e.speeds, strict=True)), e.multipliers(e.constraint_rows)
        )

    def _rates(self, equations: AbsoluteEquations, solution: Sequence[Node]) -> list[Node]:
        return [
            self.graph.add(a, b)
            for a, b in zip(equations.motion.speed_rates, equations.speed_rates(solution), strict=True)
        ]

    def forward(self, tau: Sequence[Node] = ()) -> Solution:
        equations, factor = self.equations, self.factor
        x = factor.solve(equations.right(tau))
        multipliers = [x[k] for k in equations.multipliers(equations.constraint_rows)]
        multipliers = convert_multipliers(equations.constraints, multipliers, self.constraints)
        return Solution(self._rates(equations, x), multipliers)
