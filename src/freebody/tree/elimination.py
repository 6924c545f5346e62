"""Elimination from the tips inwards: at each link speeds are eliminated, or their columns passed on.

M δ = right side without M: at each link the columns of the pending speeds (the wrench at the link's origin that δ = 1
alone requires) give its rows of M. A link that *condenses* eliminates what is pending there, which changes the inertia
and the force at its parent (the articulated-body algorithm: Featherstone 1983; Rodriguez, Jain & Kreutz 1991,
Eqs 3.6–3.12); one that does not passes the columns on with the composite inertia.

Speeds that several links share (of coupled joints, and a body's own) wait until all their ends have met, at a common
ancestor or at last at the ground, and are one column from there. A constraint's multiplier is such a column too: it
begins as minus its wrench at each of its ends, with a zero on the diagonal, and goes after the speeds between its ends:
where one of these is shared and waits, so does the multiplier.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from freebody.errors import ModelError
from freebody.spatial.inertia import ArticulatedInertia, RigidInertia
from freebody.spatial.resolved import Twist, Wrench
from freebody.spatial.scalars import Scalar, Scalars
from freebody.tree.joint_forces import armatures
from freebody.tree.mass_matrix import Entries, add_entry, eliminate_row, entry
from freebody.tree.passes import inwards, outwards, path_to
from freebody.tree.ports import (
    ModalRows,
    Port,
    PortElimination,
    PortMethod,
    common_pivots,
    known_pivots,
    left_pivots,
    moved_pivots,
    port_method,
)
from freebody.tree.tree import Link, Tree

Components = tuple[Scalar, ...]
GROUND = -1
"""The index of the ground among the ends of a multiplier."""


class Pending(NamedTuple):
    """A speed or multiplier not eliminated yet: the wrench of δ = 1 at the link that it has reached, and how many
    of its ends have met."""

    speed: int
    wrench: Wrench
    ends: int = 1


class Multiplier(NamedTuple):
    """One row of a constraint: its index among the unknowns, behind the speeds; the wrench that λ = 1 puts on each of
    its ends (the index of a link, or ``GROUND``); the forces that it puts on speeds; the rows that are ``related``
    (see ``eliminate_row``); and the flag that is 0 while its constraint is released."""

    speed: int
    ends: Sequence[tuple[int, Wrench]]
    forces: Mapping[int, Scalar] = MappingProxyType({})
    related: Collection[int] = ()
    flag: Scalar | None = None


@dataclass(eq=False, slots=True)
class LinkTotals:
    """What has arrived at a link: rigid inertia, articulated inertia (None: no speed was eliminated yet), force,
    pending columns; the ``pivots`` of the inertia (see ``Port``), and what has arrived at nodes that are ports."""

    rigid: RigidInertia
    articulated: ArticulatedInertia | None
    force: Wrench
    pending: tuple[Pending, ...] = ()
    pivots: Sequence[int] = ()
    ports: "tuple[PortContents, ...]" = ()

    def __add__(self, more: "LinkTotals") -> "LinkTotals":
        a, b = self.articulated, more.articulated
        both = a if b is None else b if a is None else a + b
        pivots = common_pivots(self.pivots, more.pivots, self.is_massless, more.is_massless)
        return LinkTotals(
            self.rigid + more.rigid,
            both,
            self.force + more.force,
            merge(self.pending, more.pending),
            pivots,
            self.ports + more.ports,
        )

    @property
    def is_massless(self) -> bool:
        """Whether there is no inertia."""
        return self.rigid.is_zero and (self.articulated is None or self.articulated.is_zero)

    @property
    def inertia(self) -> RigidInertia | ArticulatedInertia:
        """The rigid and the articulated inertia together."""
        return self.rigid if self.articulated is None else self.articulated + self.rigid.articulated()


def merge(some: Sequence[Pending], more: Sequence[Pending]) -> tuple[Pending, ...]:
    """Columns at one link; those of one speed are added."""
    columns = {c.speed: c for c in some}
    for c in more:
        known = columns.get(c.speed)
        columns[c.speed] = c if known is None else Pending(c.speed, known.wrench + c.wrench, known.ends + c.ends)
    return tuple(columns.values())


class PortContents(NamedTuple):
    """What has arrived past the joint of a body on a node, or at the node itself, and waits for the flexible body."""

    link: Link
    arrived: LinkTotals


class RightSides(NamedTuple):
    """By speed the ``right`` sides of wrenches and forces, those that are not zero, and by link the wrench that has
    ``arrived`` there past the free joints outboard of it: ψ of the wrenches."""

    right: dict[int, Scalar]
    arrived: dict[int, Wrench]


class EliminationStep(NamedTuple):
    """Columns eliminated at a link (None: at the ground), in this order; those that wait; the joint's ``Link.axes``; or
    a body's modes eliminated with ports."""

    link: Link | None
    columns: Sequence[Pending]
    waiting: Sequence[Pending]
    axes: Mapping[int, tuple[int, int]]
    ports: PortElimination | None = None

    @property
    def at(self) -> Link:
        """The link, where there is one: in a tree without shared speeds."""
        if self.link is None:
            raise ModelError("speeds that several joints share are eliminated at the ground, not at one link")
        return self.link


class Elimination:
    """δ of M δ = right side. ``condensing`` are the indices of the links that eliminate what is pending (by default
    all: articulated bodies; none: composite bodies). ``jumps`` are by link the parts of its acceleration that depend on
    no δ. With ``ports``, a body's modes are eliminated before the bodies on its nodes are attached (``tree.ports``),
    where that is known to be possible and shorter; then ``expand`` is the only use. ``added`` numbers are on the
    diagonal of M beside the rotors' inertia. After ``condense``: ``rows`` of M
    as they were when eliminated, ``right`` sides, ``inverse`` pivots by speed, and the ``steps`` in the order of
    elimination."""

    def __init__(
        self,
        tree: Tree,
        inertias: Sequence[RigidInertia],
        condensing: Collection[int] | None = None,
        multipliers: Sequence[Multiplier] = (),
        jumps: Mapping[int, Twist] = MappingProxyType({}),
        ports: bool = False,
        added: Sequence[Scalar] = (),
    ) -> None:
        self.jumps, self.with_ports, self.added = jumps, ports, added
        self.tree, self.links, self.inertias = tree, tree.links, inertias
        self.S: Scalars = tree.graph
        self.condensing = range(len(self.links)) if condensing is None else condensing
        self.multipliers = {row.speed: row for row in multipliers}
        self.starts = [self._starts(row) for row in multipliers]
        self.related = {row.speed: row.related or (row.speed,) for row in multipliers}
        self.flags = {row.speed: row.flag for row in multipliers if row.flag is not None}
        self.forced = {speed for row in multipliers for speed in row.forces}.union(range(len(added)))
        self.own_speeds = [speed for link in self.links if link.internal_dynamics is not None for speed in link.u]
        self.ends = Counter(c.speed for link in self.links for c in link.columns)
        self.ends.update(self.own_speeds)
        for row, starts in zip(multipliers, self.starts, strict=True):
            self.ends[row.speed] = len(starts) + any(k == GROUND for k, _ in row.ends)
        self.touched = {row.speed: self._shared_speeds(row) for row in multipliers}
        self.rows: Entries = {}
        self.right: dict[int, Scalar] = {}
        self.inverse: dict[int, Scalar] = {}
        self.scale: dict[int, Scalar] = {}
        self.steps: list[EliminationStep] = []
        self.tau: Sequence[Scalar] = ()
        self._at_ground: dict[int, Pending] = {}
        self._from_ports: dict[int, Twist] = {}  # by link on a port φᵀ δV_P

    def solve(
        self,
        tau: Sequence[Scalar],
        forces: Sequence[Wrench] | None = None,
        own_forces: Mapping[int, Scalar] | None = None,
    ) -> list[Scalar]:
        """δ for generalised forces tau (of a multiplier its residual), less the ``forces`` that each link and the
        ``own_forces`` that bodies' own speeds require."""
        self.condense(tau, forces, own_forces)
        return self.expand()[0]

    # Inwards

    def condense(
        self,
        tau: Sequence[Scalar],
        forces: Sequence[Wrench] | None = None,
        own_forces: Mapping[int, Scalar] | None = None,
    ) -> list[EliminationStep]:
        """The pass inwards."""
        self.begin(tau, own_forces or {})
        forces = [Wrench.zero(link.frame) for link in self.links] if forces is None else forces
        each = zip(self.links, self.inertias, forces, strict=True)
        inwards(self.links, [self.own_totals(*one) for one in each], self.step_inwards)
        return self.finish()

    def own_totals(self, link: Link, inertia: RigidInertia, force: Wrench) -> LinkTotals:
        """What a link has itself, before those outside of it are added."""
        return LinkTotals(inertia, None, force, self.pending(link), known_pivots(link) if self.with_ports else ())

    def begin(self, tau: Sequence[Scalar], own_forces: Mapping[int, Scalar]) -> None:
        """Rotors are on the diagonal of M from the start, where they meet constants; multipliers have nothing there,
        and minus their forces on speeds; bodies with own speeds add the block ff."""
        self.tau = tau
        self.rows = {(k, k): value for k, value in armatures(self.tree).items()}
        for k, value in enumerate(self.added):
            add_entry(self.S, self.rows, k, k, value)
        self.scale = dict.fromkeys(self.multipliers, self.S.zero)
        self.rows |= {(k, j): self.S.neg(f) for k, row in self.multipliers.items() for j, f in row.forces.items()}
        for link in self.links:
            for (i, j), value in link.internal_dynamics.ff.items() if link.internal_dynamics is not None else ():
                add_entry(self.S, self.rows, link.u[i], link.u[j], value)
        for k in (*self.own_speeds, *self.multipliers):
            self.right[k] = self.S.sub(tau[k], own_forces[k]) if k in own_forces else tau[k]

    def pending(self, link: Link) -> tuple[Pending, ...]:
        """The columns that begin at a link: of own speeds, and of multipliers with an end on it."""
        own = () if link.internal_dynamics is None else map(Pending, link.u, link.internal_dynamics.fr)
        each = zip(self.multipliers, self.starts, strict=True)
        return (*own, *(Pending(k, starts[link.index]) for k, starts in each if link.index in starts))

    def _starts(self, row: Multiplier) -> dict[int, Wrench]:
        """The column of a multiplier where it begins, by link: minus its wrench, or zero at the links of speeds on
        which it puts forces."""
        starts = dict[int, Wrench]()
        for k, W in row.ends:
            if k != GROUND:
                starts[k] = starts[k] - W if k in starts else -W
        for link in self.links if row.forces else ():
            if any(c.speed in row.forces for c in link.columns) or any(k in row.forces for k in link.u):
                starts.setdefault(link.index, Wrench.zero(link.frame))
        return starts

    def _shared_speeds(self, row: Multiplier) -> set[int]:
        """The shared speeds that change a multiplier's equation: on which it puts forces, and those of the links
        between its ends."""
        paths = [self.links[k].path_to_root() if k != GROUND else [] for k, _ in row.ends]
        speeds = {c.speed for path in paths for link in path if not all(link in p for p in paths) for c in link.columns}
        return {speed for speed in speeds.union(row.forces) if self.ends[speed] > 1}

    def axes(self, link: Link) -> dict[int, tuple[int, int]]:
        """``Link.axes``, without speeds on which multipliers put forces, or to which inertia is added: columns do not
        vanish along the axis when the speed is eliminated."""
        return {speed: axis for speed, axis in link.axes.items() if speed not in self.forced}

    def step_inwards(self, link: Link, here: LinkTotals) -> LinkTotals | None:
        """The columns of the joint, F = I h, join those that have arrived: rows h·F of M and right sides tau − h·force.
        Then columns are eliminated, and the others are passed on."""
        if here.ports and link.internal_dynamics is not None:
            here = self._with_ports(link, here)
        elif here.ports or (self.with_ports and link.is_port and not here.is_massless):  # a node waits for its body
            own = PortContents(link, replace(here, ports=()))
            return LinkTotals(RigidInertia.zero(link.base), None, Wrench.zero(link.base), ports=(*here.ports, own))
        here = self._past_joint_inwards(link, here)
        if link.parent is None:
            return None
        if self.with_ports and link.parent.is_port and not here.is_massless:
            held = (PortContents(link, here),)
            return LinkTotals(RigidInertia.zero(link.base), None, Wrench.zero(link.base), ports=held)
        return self._at_parent(link, here)

    def _past_joint_inwards(self, link: Link, here: LinkTotals) -> LinkTotals:
        """What a link passes on past its joint, still in its frame."""
        S, rows, inertia = self.S, self.rows, here.inertia
        articulated = None if here.articulated is None else here.articulated + here.rigid.articulated()
        here = self._after_jump(link, here)
        joint = [Pending(c.speed, inertia.apply(c.twist)) for c in link.columns]
        for speed, H, *_ in link.columns:
            self.right[speed] = S.sub(self.right.get(speed, self.tau[speed]), H.dot(here.force))
            for c in here.pending:
                value = H.dot(c.wrench)
                add_entry(S, rows, c.speed, speed, S.mul(S.const(2), value) if speed == c.speed else value)
            for c in joint:
                if speed <= c.speed:
                    add_entry(S, rows, c.speed, speed, H.dot(c.wrench))
        pending, force = merge(here.pending, joint[::-1]), here.force
        if link.parent is None or link.index in self.condensing:
            articulated, force, pending = self._condense_at(link, inertia, force, pending)
        if link.parent is None:
            self._at_ground |= {c.speed: c for c in pending}  # their rows count there, their wrenches no more
        rigid = here.rigid if articulated is None else RigidInertia.zero(link.frame)
        return LinkTotals(rigid, articulated, force, pending, left_pivots(link, here.pivots))

    def _at_parent(self, link: Link, here: LinkTotals) -> LinkTotals:
        """The same about the parent's origin, in its frame."""
        X, inertia = link.X, here.articulated
        pending = tuple([Pending(c.speed, c.wrench.back(X), c.ends) for c in here.pending])
        return LinkTotals(
            here.rigid.back(X),
            None if inertia is None else inertia.back(X),
            here.force.back(X),
            pending,
            moved_pivots(link, here.pivots),
        )

    def _after_jump(self, link: Link, here: LinkTotals) -> LinkTotals:
        """With the forces that the jump of a link's acceleration requires."""
        jump = self.jumps.get(link.index)
        if jump is None or jump.is_zero:
            return here
        for c in here.pending:
            right = self.right.get(c.speed, self.tau[c.speed])
            self.right[c.speed] = self.S.sub(right, jump.dot(c.wrench))
        return replace(here, force=here.force + here.inertia.apply(jump))

    # Ports

    def _with_ports(self, link: Link, here: LinkTotals) -> LinkTotals:
        """The modes of a body eliminated, and the bodies on its nodes attached; where that is not possible, or longer,
        the modes are pending columns as other shared speeds are."""
        held, here = here.ports, replace(here, ports=())
        nodes = {port.link.index: port.arrived for port in held if port.link.is_port}
        bodies = [port for port in held if not port.link.is_port]
        fixed = [port for port in held if port.link.is_port and not port.arrived.is_massless]
        method = self._port_method(link, here, [*bodies, *fixed])
        if method is not None:  # nothing is left at these nodes
            nodes = {k: own for k, own in nodes.items() if own.is_massless}
        else:
            for body, arrived in bodies:
                assert body.parent is not None
                nodes[body.parent.index] += self._at_parent(body, arrived)
        for k, arrived in nodes.items():
            here = here + self._at_parent(self.links[k], self._past_joint_inwards(self.links[k], arrived))
        if method is None:
            return here
        columns = {c.speed: c.wrench for c in here.pending}
        modes = ModalRows([columns[k] for k in link.u], [self.right[k] for k in link.u])
        step = method(modes, here.inertia.articulated(), here.force)
        self.steps.append(EliminationStep(link, (), (), {}, step))
        return LinkTotals(RigidInertia.zero(link.frame), step.inertia, step.force, (), here.pivots)

    def _port_method(self, link: Link, here: LinkTotals, bodies: "Sequence[PortContents]") -> PortMethod | None:
        """How the modes of a body are eliminated with ports; None if columns of other speeds cross it, or its modes
        are not orthonormal."""
        S, own = self.S, set(link.u)
        if any(arrived.pending for _, arrived in bodies) or {c.speed for c in here.pending} != own:
            return None
        entries = {key: x for key, x in self.rows.items() if own.intersection(key) and not S.vanishes(x)}
        if entries != {(k, k): S.one for k in own}:
            return None
        ports = list[Port]()
        for body, arrived in bodies:
            node = body if body.is_port else body.parent
            assert node is not None
            jump = self.jumps.get(node.index, Twist.zero(node.frame))
            ports.append(Port(body, arrived.inertia.articulated(), arrived.force, jump, arrived.pivots))
        return port_method(S, [c.wrench for c in here.pending], ports)

    def finish(self) -> list[EliminationStep]:
        """At the ground the columns that have met only there are eliminated."""
        columns = self._speeds_first(self._at_ground.values())
        for n in range(len(columns)):
            columns[n:] = self._fewest_first(columns[n:])
            self._eliminate(columns[n], columns[n + 1 :], [], last=True)
        self.steps += [EliminationStep(None, columns, [], {})] if columns else []
        return self.steps

    def _speeds_first(self, columns: Collection[Pending]) -> list[Pending]:
        """A multiplier has no pivot before its speeds are eliminated."""
        return sorted(columns, key=lambda c: c.speed in self.multipliers)

    def _fewest_first(self, columns: list[Pending]) -> list[Pending]:
        """Columns left to eliminate; if only multipliers are left, the one with the fewest entries with others first:
        it adds the fewest entries to their rows."""
        if columns[0].speed not in self.multipliers:
            return columns
        S, rows, speeds = self.S, self.rows, [c.speed for c in columns]

        def entries(c: Pending) -> int:
            keys = (entry(c.speed, k) for k in speeds if k != c.speed)
            return sum(key in rows and not S.vanishes(rows[key]) for key in keys)

        first = min(columns, key=entries)
        return [first, *(c for c in columns if c is not first)]

    def _condense_at(
        self, link: Link, inertia: RigidInertia | ArticulatedInertia, force: Wrench, pending: Sequence[Pending]
    ) -> tuple[ArticulatedInertia | None, Wrench, tuple[Pending, ...]]:
        """I − Σ F Fᵀ/d and force + Σ F right/d of the columns whose ends have met, and the columns that wait. Along the
        joint's axes (``Link.axes``) inertia and waiting columns vanish, and the force is tau."""
        S, last, axes = self.S, link.parent is None, self.axes(link)
        apart = {c.speed for c in pending if c.ends < self.ends[c.speed]}
        apart |= {c.speed for c in pending if apart.intersection(self.touched.get(c.speed, ()))}
        ready = self._speeds_first([c for c in pending if c.speed not in apart])
        waiting = [c for c in pending if c.speed in apart]
        along, columns, f = {axis for axis, _ in axes.values()}, list[tuple[Components, Components]](), list(force.c)
        for n in range(len(ready)):
            ready[n:] = self._fewest_first(ready[n:])
            c = ready[n]
            ready[n + 1 :], waiting = self._eliminate(c, ready[n + 1 :], waiting, last)
            if not last:
                d, right = self.inverse[c.speed], self.right[c.speed]
                ratio = tuple([S.zero if i in along else S.mul(x, d) for i, x in enumerate(c.wrench.c)])
                columns.append((c.wrench.c, ratio))
                f = [x if i in along else S.add(x, S.mul(ratio[i], right)) for i, x in enumerate(f)]
        if not last:
            for speed, (axis, sign) in axes.items():
                f[axis] = self.tau[speed] if sign > 0 else S.neg(self.tau[speed])
            waiting = [c._replace(wrench=c.wrench.without(along)) for c in waiting]
        self.steps.append(EliminationStep(link, ready, waiting, axes))
        articulated = None if last else inertia.articulated().less(columns, along)
        return articulated, Wrench(link.frame, tuple(f)), tuple(waiting)

    def _eliminate(
        self, c: Pending, ready: list[Pending], waiting: list[Pending], last: bool
    ) -> tuple[list[Pending], list[Pending]]:
        """Row c eliminated from the rows and right sides of the later columns, and F − l F_c of their wrenches."""
        j, later = c.speed, [k.speed for k in (*ready, *waiting)]
        options = self.scale, self.related, self.flags
        self.inverse[j], ratio = eliminate_row(self.S, self.rows, j, later, self.right, *options)
        if last:
            return ready, waiting

        def less(k: Pending) -> Pending:
            return k._replace(wrench=k.wrench - c.wrench.times(ratio[k.speed])) if k.speed in ratio else k

        return [less(k) for k in ready], [less(k) for k in waiting]

    def substitute(self, loads: Mapping[int, Wrench], forces: Mapping[int, Scalar]) -> "RightSides":
        """The right sides of another case after the pass inwards, that of wrenches on some links and forces on some
        speeds: [1 − H ψ K] of their generalised forces, which is H ψ of the wrenches (Rodriguez, Jain & Kreutz 1991,
        Eqs 3.5, 3.9, and the first pass of A.6)."""
        S, right, arrived = self.S, dict(forces), dict(loads)
        for step in self.steps:
            link = step.link
            W = None if link is None else arrived.get(link.index)
            if link is not None and W is not None:
                for speed, H, *_ in link.columns:
                    value = H.dot(W)
                    right[speed] = S.add(right[speed], value) if speed in right else value
            if W is None and not any(c.speed in right for c in step.columns):
                continue
            for n, c in enumerate(step.columns):
                for k in (later.speed for later in (*step.columns[n + 1 :], *step.waiting)):
                    if c.speed in right and entry(c.speed, k) in self.rows:
                        ratio = S.mul(self.rows[entry(c.speed, k)], self.inverse[c.speed])
                        right[k] = S.sub(right.get(k, S.zero), S.mul(ratio, right[c.speed]))
            if link is not None and link.parent is not None:
                F = self._past_joint(step, W or Wrench.zero(link.frame), right, forces).back(link.X)
                p = link.parent.index
                arrived[p] = arrived[p] + F if p in arrived else F
        return RightSides(right, arrived)

    def _past_joint(
        self, step: EliminationStep, W: Wrench, right: Mapping[int, Scalar], forces: Mapping[int, Scalar]
    ) -> Wrench:
        """τ̄ W − G of the joint's own force: what passes a free joint; along its axes this is minus its force."""
        S, along, passed = self.S, {axis for axis, _ in step.axes.values()}, list(W.c)
        for c in step.columns:
            if c.speed in right:
                ratio = [S.mul(x, self.inverse[c.speed]) for x in c.wrench.c]
                passed = [x if i in along else S.sub(x, S.mul(ratio[i], right[c.speed])) for i, x in enumerate(passed)]
        for speed, (axis, sign) in step.axes.items():
            force = forces.get(speed, S.zero)
            passed[axis] = S.neg(force) if sign > 0 else force
        return Wrench(W.frame, tuple(passed))

    # Outwards

    def expand(self) -> tuple[list[Scalar], dict[int, Twist]]:
        """δ of the right sides, and the accelerations δV of some links by their indices (for ``acceleration``)."""
        delta, accelerations = [self.S.zero] * len(self.tau), dict[int, Twist]()
        for step in reversed(self.steps):
            self.step_outwards(step, delta, accelerations)
        return delta, accelerations

    def step_outwards(self, step: EliminationStep, delta: list[Scalar], accelerations: dict[int, Twist]) -> None:
        """δ_j = (right_j − Σ M_jk δ_k − F_j · V)/d_j of a step's speeds, V the acceleration that comes from the parent.
        A column's part along a joint's axis is its row of M there, so that δ of this axis and V appear as their sum."""
        S, link, rows = self.S, step.link, self.rows
        if step.ports is not None and link is not None:
            rates, moved_ports = step.ports.expand(self.acceleration(link, accelerations, delta))
            for speed, rate in zip(link.u, rates, strict=True):
                delta[speed] = rate
            self._from_ports |= {p.link.index: p.to_link(x) for p, x in zip(step.ports.ports, moved_ports, strict=True)}
            return
        sub, mul, total = S.sub, S.mul, dict[int, Scalar]()
        V: Components = ()
        if link is not None and link.parent is not None:
            V = self._carried(link, accelerations, delta).c
        along = {axis for axis, _ in step.axes.values()}
        for n in range(len(step.columns) - 1, -1, -1):
            c = step.columns[n]
            j, value = c.speed, self.right[c.speed]
            for later in (*step.columns[n + 1 :], *step.waiting):
                k = later.speed
                if entry(j, k) in rows:
                    value = sub(value, mul(rows[entry(j, k)], total.get(k, delta[k])))
            for i, (x, v) in enumerate(zip(c.wrench.c, V, strict=False)):
                value = value if i in along else sub(value, mul(x, v))
            delta[j] = mul(value, self.inverse[j])
            if V and j in step.axes:
                axis, sign = step.axes[j]
                total[j], delta[j] = delta[j], sub(delta[j], V[axis] if sign > 0 else S.neg(V[axis]))
        if link is not None and V and len(step.axes) == len(link.columns):
            moved = list(V)
            for speed, (axis, sign) in step.axes.items():
                moved[axis] = total[speed] if sign > 0 else S.neg(total[speed])
            jump = self.jumps.get(link.index, Twist.zero(link.frame))
            accelerations[link.index] = Twist(link.frame, tuple(moved)) + jump

    def _carried(self, link: Link, known: dict[int, Twist], delta: Sequence[Scalar]) -> Twist:
        """φᵀ δV_P of a link that has a parent."""
        if link.index in self._from_ports:
            return self._from_ports[link.index]
        assert link.parent is not None
        return self.acceleration(link.parent, known, delta).out(link.X)

    def acceleration(self, link: Link, known: dict[int, Twist], delta: Sequence[Scalar]) -> Twist:
        """δV = φᵀ δV_P + H δ of a link; ``known`` gains those on the way to it."""

        def step(one: Link, V: Twist) -> Twist:
            if one.index in self._from_ports and one.is_port:
                return self._from_ports[one.index]  # with that of the modes
            V = V.out(one.X) if one.index not in self._from_ports else self._from_ports[one.index]
            for c in one.columns:
                V = V + c.twist.times(delta[c.speed])
            return V + self.jumps[one.index] if one.index in self.jumps else V

        return outwards(path_to(link, known), step, Twist.zero(self.tree.root), known)[link.index]
