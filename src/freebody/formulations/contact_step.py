"""One implicit step of fixed size with contact, as nodes of a tree's graph: the step without contact, one Newton
iteration for all contacts, and the state at the step's end.

With v* the speeds without contact, the new ones are v* + δ, where M̂ δ = Jᵀ γ(v) for the impulses γ of contacts at their
velocities v = v*_c + J δ. M̂ = M + D has the implicit part of the forces along joints. Newton's iteration from v,
(M̂ + JᵀSJ) δ = Jᵀ(γ + S(v − v*_c)) with S = −∂γ/∂v, is one elimination by articulated bodies; beside δ and the new v it
computes y = γ − S(v⁺ − v), which is γ where the iteration has converged. M, J, and the places of contacts are those of
the start of the step, all impulses those of its end.

An iteration has these parts: ``velocity`` and ``bound`` are its symbols, one per row of the contacts and one for each
candidate: the largest friction.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from typing import NamedTuple

from freebody.formulations.contact_rows import CandidateRows, ContactEnd, LawfulPair, PlacedPair
from freebody.formulations.floating_base import floating_rates
from freebody.formulations.recursive import Recursive, ReferenceMotion
from freebody.formulations.spring_law import ImpulseLaw, LinearImpulse, StopLaw
from freebody.model.contact.slots import Slot, give_back
from freebody.scalar.expr import Expr, sqrt, where
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute
from freebody.spatial.inertia import ArticulatedInertia, shifted
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.vector import components, vector
from freebody.tree.elimination import Multiplier
from freebody.tree.joint_forces import joint_forces
from freebody.tree.newton_euler import NewtonEuler
from freebody.tree.passes import LinkPose, outwards, pose
from freebody.tree.stiff_elimination import StiffElimination
from freebody.tree.tree import Link, Tree

THETA = 0.5
"""Springs along joints act at this fraction of the step: stable for every size from 1/2 on, and most accurate there."""

SAME_PLACE = 1e-12
"""A pivot of the stiffness between two links below this fraction of its diagonal is rounding."""

CROWD = 2
"""More candidates than these between two links have six columns together, of the sum of their stiffness."""


class StopEnd(NamedTuple):
    """A stop of a joint along one speed, by its name: the penetration, which grows by ``-side`` times the speed."""

    speed: int
    side: int
    penetration: Expr
    law: StopLaw


class Iteration(NamedTuple):
    """What one iteration computes: δ, the new velocities of contacts, and y."""

    delta: list[Node]
    velocity: list[Node]
    impulses: list[Node]


class ImplicitForce(NamedTuple):
    """The derivatives of the force along a speed that are treated implicitly, both not negative: −∂f/∂u and −∂f/∂q."""

    damping: Node
    stiffness: Node


class ContactStep:
    """The nodes of a step. ``implicit`` are by speed what of the forces along joints is implicit; ``size`` is the
    symbol of the step's size."""

    def __init__(
        self,
        tree: Tree,
        pairs: Sequence[LawfulPair],
        stops: Sequence[StopEnd],
        implicit: Mapping[int, ImplicitForce],
    ):
        self.tree, self.graph, self.layout = tree, tree.graph, tree.layout
        self.pairs, self.stops, self.implicit = pairs, stops, implicit
        g = self.graph
        self.size = g.symbol("step.size", Kind.INPUT)
        self.h = Expr(g, self.size)
        self.formulation = Recursive(tree)
        self.inertias = self.formulation.inertias
        self._poses = outwards(tree.links, pose, LinkPose.at(tree.root))
        self._motion = ReferenceMotion(tree)
        self._slots, self._bristles = list[list[Slot] | None](), list[tuple[Expr, Expr]]()
        twists = self._without_contact()
        self.rows = [rows for pair in pairs for rows in self._rows_of(pair, lambda link: twists[link.index])]
        self.velocity = [g.symbol(f"contact.velocity.{k}", Kind.INTERMEDIATE) for k in range(self.count)]
        self.before = [g.symbol(f"contact.before.{k}", Kind.INTERMEDIATE) for k in range(self.count)]
        self.bound = [g.symbol(f"contact.bound.{k}", Kind.INTERMEDIATE) for k in range(len(self.rows))]
        self._begin()

    @property
    def count(self) -> int:
        """The rows of all contacts: three of each candidate or slot, one of each stop."""
        return 3 * len(self.rows) + len(self.stops)

    def _rows_of(self, pair: LawfulPair, twist: Callable[[Link], Twist]) -> list[CandidateRows]:
        """The rows of all candidates of a pair, or of its slots, which are chosen by the motion without contact."""
        placed = PlacedPair(self.tree, self._poses, pair)
        if pair.slots is None:
            self._slots.append(None)
            self._bristles += pair.bristles
            return [placed.rows(candidate.meet(placed.place)) for candidate in pair.candidates]
        slots = placed.slots(self.h, twist)
        self._slots.append(slots)
        self._bristles += [(slot.own[0], slot.own[1]) for slot in slots]
        return [placed.rows(slot.meeting) for slot in slots]

    # The step without contact

    def _without_contact(self) -> dict[int, Twist]:
        """The speeds v*, and the twists of links at them."""
        g, tree, h = self.graph, self.tree, self.h
        motion = self._motion
        newton, own = NewtonEuler(motion, self.inertias), joint_forces(tree)
        wrenches = newton.wrenches
        u = [Expr(g, s) for s in self.layout.u_handles]
        self.diagonal = dict[int, Node]()
        for k, (damping, stiffness) in self.implicit.items():
            later = THETA * h * Expr(g, stiffness)
            self.diagonal[k] = (h * (Expr(g, damping) + later)).handle
            own[k] = (Expr(g, own[k]) - later * u[k]).handle
            if k in motion.reference:
                own[k] = g.sub(own[k], g.mul(self.diagonal[k], motion.reference[k]))
        equations = self.formulation.equations_of(motion)
        self.closures = equations.multipliers(tree)
        elimination = StiffElimination(tree, self.inertias, self.diagonal, {}, self.closures)
        delta = elimination.solve([*own, *equations.accelerations], wrenches, newton.own_forces)[: len(u)]
        rates = [Expr(g, g.add(d, motion.reference.get(k, g.zero))) for k, d in enumerate(delta)]
        for link in self.floating:
            rates = floating_rates(link, motion, self.inertias, rates, h)
        self.speeds = [(v + h * a).handle for v, a in zip(u, rates, strict=True)]
        """v*, whose velocities of free joints are along the axes that these have at the start of the step."""
        self._gains = [(h * a).handle for a in rates]
        gained = self._twists(self._gains)
        return {link.index: motion.twist(link) + gained[link.index] for link in tree.links}

    def _begin(self) -> None:
        """The velocities of contacts at the start of the step and without contact at its end."""
        g, h, motion = self.graph, self.h, self._motion
        u = [Expr(g, s) for s in self.layout.u_handles]
        twists, each = {r.link.index: motion.twist(r.link) for r in self._ends}, range(len(self.rows))
        now = [v for k in each for v in self._relative(k, twists)]
        now += [(stop.side * u[stop.speed]).handle for stop in self.stops]
        added = self._changes(self._gains)
        self.first_bounds = list[Node]()
        """The largest friction by the normal force at the start of the step."""
        for k, (rows, bristles) in enumerate(zip(self.rows, self._bristles, strict=True)):
            v = [Expr(g, x) for x in now[3 * k : 3 * k + 3]]
            normal = StopLaw.impulse(rows.law, h, rows.penetration + h * v[0], v, h)[0]
            bound = rows.law.bound(normal, v)
            self.first_bounds.append(bound.handle)
            a, b = (bound * w for w in bristles)
            self.rows[k] = replace(rows, law=replace(rows.law, spring=(a, b)))
        self.start = now
        """The velocities of contacts at the start of the step."""
        self.star = [g.add(a, b) for a, b in zip(now, added, strict=True)]
        """v*_c: those without contact at its end."""

    @property
    def _ends(self) -> list[ContactEnd]:
        return [end for rows in self.rows for end in (rows.first, rows.second) if end is not None]

    @cached_property
    def floating(self) -> list[Link]:
        """The links with six free speeds, a turn and a velocity each along their own axes."""
        return [k for k in self.tree.links if len(k.u) == 6 and k.parent is None and not k.shared]

    # Velocities of contacts

    def _relative(self, k: int, twists: Mapping[int, Twist]) -> list[Node]:
        """The velocities along the rows of a candidate."""
        g, rows, result = self.graph, self.rows[k], list[Node]()
        for end in (rows.first, rows.second):
            if end is not None:
                V = twists[end.link.index]
                v = V.linear + V.angular.cross(end.arm)
                parts = [v.dot(axis) for axis in end.axes]
                if end is rows.second:
                    parts = [g.sub(a, b) for a, b in zip(result or [g.zero] * 3, parts, strict=True)]
                result = parts
        return result

    def _twists(self, delta: Sequence[Node]) -> dict[int, Twist]:
        """The changes of the twists of links with those of speeds."""

        def step(link: Link, V: Twist) -> Twist:
            V = V.out(link.X)
            for c in link.columns:
                V = V + c.twist.times(delta[c.speed])
            return V

        return dict(outwards(self.tree.links, step, Twist.zero(self.tree.root)))

    def _changes(self, delta: Sequence[Node]) -> list[Node]:
        """J δ"""
        g, twists = self.graph, self._twists(delta)
        rows = [v for k in range(len(self.rows)) for v in self._relative(k, twists)]
        return [*rows, *(delta[s.speed] if s.side > 0 else g.neg(delta[s.speed]) for s in self.stops)]

    # Impulses

    @cached_property
    def _laws(self) -> list[ImpulseLaw]:
        return [*(rows.law for rows in self.rows), *(stop.law for stop in self.stops)]

    def _at(self, v: Sequence[Expr]) -> list[list[Expr]]:
        """The velocities of each candidate, and of each stop."""
        n = 3 * len(self.rows)
        return [*([*v[k : k + 3]] for k in range(0, n, 3)), *([x] for x in v[n:])]

    @cached_property
    def _penetrations(self) -> list[Expr]:
        return [*(rows.penetration for rows in self.rows), *(stop.penetration for stop in self.stops)]

    def impulses(self, velocity: Sequence[Node]) -> tuple[list[Node], list[Node]]:
        """γ at these velocities of contacts, and the largest friction that its normal part allows."""
        g = self.graph
        each, bounds, impulses = self._at([Expr(g, x) for x in velocity]), list[Node](), list[Node]()
        limits = [Expr(g, b) for b in self.bound]
        for k, (law, x, v) in enumerate(zip(self._laws, self._penetrations, each, strict=True)):
            limit = limits[k] if k < len(limits) else Expr(g, g.zero)
            gamma = law.impulse(self.h, x, v, limit)
            impulses += [c.handle for c in gamma]
            if k < len(limits):
                bounds.append(law.bound(gamma[0], v).handle)
        return impulses, bounds

    def iterate(self) -> Iteration:
        """One iteration from ``velocity`` with ``bound``. Contacts that are open there but closed at the velocities
        ``before`` count as closing, and those whose slip has turned round as sticking."""
        g, n = self.graph, len(self.layout.u)
        loads, stiffness = dict[int, Wrench](), dict[int, ArticulatedInertia]()
        pairs, columns = dict[tuple[int, int], ArticulatedInertia](), list[Multiplier]()
        right, diagonal = [g.zero] * n, dict(self.diagonal)
        each = self._at([Expr(g, x) for x in self.velocity])
        stars = self._at([Expr(g, x) for x in self.star])
        limits = [*(Expr(g, b) for b in self.bound), *[Expr(g, g.zero)] * len(self.stops)]
        linear = []
        before = self._at([Expr(g, x) for x in self.before])
        for law, x, v, limit, past in zip(self._laws, self._penetrations, each, limits, before, strict=True):
            linear.append(law.linear(self.h, x, v, limit, past))
        first_column = n + len(self.closures)
        crowd = Counter(self._pair(rows) for rows in self.rows)
        for k, rows in enumerate(self.rows):
            line, pair = linear[k], self._pair(rows)
            beta = line.impulse(stars[k])
            for end, sign in ((rows.first, 1), (rows.second, -1)):
                if end is None:
                    continue
                f = reduce(lambda a, b: a + b, [a.times(x.handle) for a, x in zip(end.axes, beta, strict=True)])
                W = Wrench.of(end.arm.cross(f), f)
                W = W if sign > 0 else -W
                i = end.link.index
                loads[i] = loads[i] + W if i in loads else W
            if pair is not None and crowd[pair] <= CROWD:
                for column in line.columns():
                    ends = list[tuple[int, Wrench]]()
                    for end, sign in ((rows.first, 1), (rows.second, -1)):
                        assert end is not None
                        parts = [a.times(x.handle) for a, x in zip(end.axes, column, strict=True)]
                        f = reduce(lambda a, b: a + b, parts)
                        W = Wrench.of(end.arm.cross(f), f)
                        ends.append((end.link.index, W if sign > 0 else -W))
                    columns.append(Multiplier(first_column + len(columns), ends))
                continue
            end = next(
                e for e in (rows.first, rows.second) if e is not None and (pair is None or e.link.index == pair[0])
            )
            six = self._stiffness(end, line)
            if pair is None:
                i = end.link.index
                stiffness[i] = stiffness[i] + six if i in stiffness else six
            else:
                pairs[pair] = pairs[pair] + six if pair in pairs else six
        for (a, b), six in pairs.items():
            for c in self._columns(six):
                W = Wrench(self.tree.links[a].frame, tuple(c))
                columns.append(Multiplier(first_column + len(columns), [(a, W), (b, -self._carried(W, a, b))]))
        for stop, line, star in zip(self.stops, linear[len(self.rows) :], stars[len(self.rows) :], strict=True):
            k = stop.speed
            diagonal[k] = g.add(diagonal[k], line.normal.handle) if k in diagonal else line.normal.handle
            right[k] = g.add(right[k], (stop.side * line.impulse(star)[0]).handle)
        e = StiffElimination(self.tree, self.inertias, diagonal, stiffness, self.closures, columns)
        forces = [-loads[k.index] if k.index in loads else Wrench.zero(k.frame) for k in self.tree.links]
        unknown = [*right, *[g.zero] * (len(self.closures) + len(columns))]
        e.condense(unknown, forces)
        solution, known = e.expand()
        delta = solution[:n]
        twists = {end.link.index: e.acceleration(end.link, known, solution) for end in self._ends}
        change = [v for k in range(len(self.rows)) for v in self._relative(k, twists)]
        change += [delta[s.speed] if s.side > 0 else g.neg(delta[s.speed]) for s in self.stops]
        new = [g.add(a, b) for a, b in zip(self.star, change, strict=True)]
        y = [
            c.handle
            for line, v in zip(linear, self._at([Expr(g, x) for x in new]), strict=True)
            for c in line.impulse(v)
        ]
        return Iteration(delta, new, y)

    @staticmethod
    def _pair(rows: CandidateRows) -> tuple[int, int] | None:
        """The links of a candidate between two moving ones, in order."""
        if rows.first is None or rows.second is None:
            return None
        a, b = sorted((rows.first.link.index, rows.second.link.index))
        return a, b

    def _stiffness(self, end: ContactEnd, line: LinearImpulse) -> ArticulatedInertia:
        """JᵀSJ of a candidate at one of its ends: c 1 + (s − c) n nᵀ − d w wᵀ at the place of contact."""
        g = self.graph
        n, s, t = ([Expr(g, x) for x in axis.c] for axis in end.axes)
        across = [line.direction[0] * a + line.direction[1] * b for a, b in zip(s, t, strict=True)]
        scaled = [(line.normal - line.along) * x for x in n]
        less = [line.removed * x for x in across]

        def entry(i: int, j: int) -> Node:
            value = scaled[i] * n[j] - less[i] * across[j]
            return (value + line.along if i == j else value).handle

        xx, yy, zz, xy, xz, yz = (entry(i, j) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
        o = g.zero
        nothing = (o, o, o)
        parts = shifted(g, (o,) * 6, (nothing,) * 3, (xx, yy, zz, xy, xz, yz), end.arm.xyz)
        return ArticulatedInertia(end.link.frame, parts)

    def _columns(self, six: ArticulatedInertia) -> list[list[Node]]:
        """The columns of L, L Lᵀ a 6 × 6 matrix that may be singular: where a pivot is rounding, its column is zero."""
        g = self.graph
        zero, one = Expr(g, g.zero), Expr(g, g.one)
        L = [[zero] * 6 for _ in range(6)]
        for j in range(6):
            whole = Expr(g, six.entry(j, j))
            pivot = whole - sum((L[j][k] * L[j][k] for k in range(j)), zero)
            valid = pivot > SAME_PLACE * whole
            root = sqrt(where(valid, pivot, one))
            L[j][j], inverse = where(valid, root, zero), where(valid, 1 / root, zero)
            for i in range(j + 1, 6):
                rest = Expr(g, six.entry(i, j)) - sum((L[i][k] * L[j][k] for k in range(j)), zero)
                L[i][j] = rest * inverse
        return [[L[i][j].handle for i in range(6)] for j in range(6)]

    def _carried(self, W: Wrench, a: int, b: int) -> Wrench:
        """A wrench on one link, as one on another at the same place."""
        g, P, Q, link = self.graph, self._poses[a], self._poses[b], self.tree.links[b]
        n, f = P.to_root(W.angular), P.to_root(W.linear)
        n = n + (P.origin - Q.origin).cross(f)

        def here(v: Vec) -> Vec:
            total = [g.zero] * 3
            for k in range(3):
                total = [g.add(t, g.mul(v.c[k], x)) for t, x in zip(total, Q.axes[k].c, strict=True)]
            return Vec(link.frame, tuple(total))

        return Wrench.of(here(n), here(f))

    # The step's end

    def end(self, delta: Sequence[Node]) -> tuple[list[Node], list[Node], list[Node]]:
        """q and u at the step's end, and the deflections of bristles, candidate after candidate, with the contact at
        ``velocity`` and ``bound``. Those of candidates that no slot holds are 0, as where contacts are open."""
        g, layout = self.graph, self.layout
        new = [g.add(v, d) for v, d in zip(self.speeds, delta, strict=True)]
        at = dict(zip(layout.u_handles, new, strict=True))
        rates = substitute(g, list(layout.q_dot), at)
        q = [g.add(x, g.mul(self.size, rate)) for x, rate in zip(layout.q_handles, rates, strict=True)]
        index = {name: k for k, name in enumerate(layout.q)}
        for link in self.floating:
            names = link.body.spec.names[0]
            if len(names) == 7:
                k = index[names[3]]
                parts = [Expr(g, x) for x in q[k : k + 4]]
                length = 1 / sqrt(sum((x * x for x in parts), Expr(g, g.zero)))
                q[k : k + 4] = [(x * length).handle for x in parts]
        after = dict(zip(layout.q_handles, q, strict=True))
        u = list(new)
        for link in self.floating:
            u = self._turned(link, u, after)
        each = list[tuple[Expr, Expr]]()
        limits = [Expr(g, b) for b in self.bound]
        for rows, v, limit in zip(self.rows, self._at([Expr(g, x) for x in self.velocity]), limits, strict=False):
            each.append(rows.law.bristles(self.h, rows.penetration, v, limit))
        return q, u, self._of_candidates(each)

    def _of_candidates(self, bristles: Sequence[tuple[Expr, Expr]]) -> list[Node]:
        """The deflections of all candidates, from those of candidates and slots."""
        zero, waiting, result = self.h * 0, iter(bristles), list[Node]()
        for pair, slots in zip(self.pairs, self._slots, strict=True):
            if slots is None:
                result += [x.handle for _ in pair.candidates for x in next(waiting)]
                continue
            held = [next(waiting) for _ in slots]
            parts = (give_back(slots, [w[k] for w in held], [zero] * len(pair.candidates)) for k in range(2))
            result += [x.handle for both in zip(*parts, strict=True) for x in both]
        return result

    def _turned(self, link: Link, u: list[Node], after: Mapping[Node, Node]) -> list[Node]:
        """The velocity of a floating base along the axes that it has at the step's end."""
        g, root, body = self.graph, self.tree.root, link.body
        slides = [c for c in link.columns if any(x != g.zero for x in c.twist.linear.c)]
        v = Vec.zero(link.frame)
        for c in slides:
            v = v + c.twist.linear.times(u[c.speed])
        fixed = components(vector(link.frame, v.c), root)
        symbols = [g.symbol(f"step.{body.name}.v{k}", Kind.INTERMEDIATE) for k in range(3)]
        turned = components(vector(root, tuple(symbols)), link.frame)
        both = {**after, **dict(zip(symbols, fixed, strict=True))}
        new, result = substitute(g, list(turned), both), list(u)
        for c in slides:
            total = g.zero
            for x, axis in zip(new, c.twist.linear.c, strict=True):
                total = g.add(total, g.mul(x, axis))
            result[c.speed] = total
        return result
