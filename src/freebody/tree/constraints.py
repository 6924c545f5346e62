"""The equations of a model's constraints on the tree: residuals φ, rows of G and their remainders γ of G u̇ = γ, and the
columns of their multipliers for the elimination.

M u̇ = f + tau + Gᵀλ. A row of G is what the passes make of the wrenches of λ = 1: Gᵀλ inwards, G u outwards.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from freebody.errors import FieldError, ModelError
from freebody.model.body import Point
from freebody.model.constraints import ConstraintRow, RowForm
from freebody.model.loads.base import LoadWrench
from freebody.scalar.expr import Expr, where
from freebody.scalar.expr import max as largest
from freebody.scalar.node import Node
from freebody.scalar.walk import substitute
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Vec, Wrench
from freebody.spatial.vector import Vector, components
from freebody.tree.elimination import GROUND, Multiplier
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import NewtonEuler, generalised, load_wrenches, on_speeds
from freebody.tree.passes import inwards, to_parent
from freebody.tree.tree import Tree


class RowKey(NamedTuple):
    """A row by the name of its constraint and its index there."""

    constraint: str
    row: int


class RowInfo(NamedTuple):
    """What a row restricts: its unit, whether it restricts coordinates, and whether it acts on bodies."""

    unit: str
    holonomic: bool
    on_bodies: bool

    @classmethod
    def of(cls, row: ConstraintRow) -> "RowInfo":
        return cls(row.unit, row.residual is not None, bool(row.wrenches))


@dataclass(frozen=True)
class ClosureForms:
    """The forms that the equations of closures take (``RowForm``): names of those that are ``exchanged``; whether all
    are ``aligned``; and ``attached``, pairs of names: the first closure starts at the second end of the other one."""

    exchanged: frozenset[str] = frozenset()
    aligned: bool = False
    attached: frozenset[tuple[str, str]] = frozenset()


CANONICAL = ClosureForms()
NONE: Mapping[int, Node] = MappingProxyType({})


class ConstraintEquations:
    """The rows of a model's constraints for one motion. ``omitted`` are the keys of rows that are left out, as they
    follow from the others; ``forms`` are those of closures; ``stabilisation`` are the nodes of α and β, if any;
    ``only`` names constraints, by default all. ``guarded`` are rows that vanish for some values of parameters: they are
    exactly zero where their entries of G are smaller than these numbers, so that rounding does not act."""

    def __init__(
        self,
        motion: Motion,
        omitted: Collection[RowKey] = (),
        forms: ClosureForms = CANONICAL,
        stabilisation: tuple[Node, Node] | None = None,
        only: Collection[str] | None = None,
        guarded: Mapping[RowKey, float] = MappingProxyType({}),
    ) -> None:
        self.motion, self.tree = motion, motion.tree
        self.canonical, self.attached = forms == CANONICAL, dict(forms.attached)
        self.rows = dict[RowKey, ConstraintRow]()
        constraints = self.tree.model.constraints
        absent = dict[str, set[int]]()
        for key in omitted:
            absent.setdefault(key.constraint, set()).add(key.row)
        for name, constraint in constraints.items():
            if only is not None and name not in only:
                continue
            left_out = frozenset(absent.get(name, ()))
            other = constraints.get(self.attached.get(name, ""))
            start = None if other is None or other.ends is None else other.ends[1]
            form = RowForm(name in forms.exchanged, forms.aligned, left_out if forms.aligned else frozenset(), start)
            if (name, form) not in motion.rows_of_constraints:
                try:
                    motion.rows_of_constraints[name, form] = constraint.rows(motion, form)
                except FieldError as error:
                    raise ModelError(str(error)) from None
            rows = motion.rows_of_constraints[name, form]
            keys = [RowKey(name, k) for k in range(len(rows))]
            self.rows |= {key: row for key, row in zip(keys, rows, strict=True) if key.row not in left_out}
        if self._neglected:
            self.rows = {key: self._to_first_order(row) for key, row in self.rows.items()}
        self.rows = {k: self._guard(row, guarded[k]) if k in guarded else row for k, row in self.rows.items()}
        if stabilisation is not None:
            alpha, beta = (Expr(motion.graph, h) for h in stabilisation)
            self.rows = {key: self._stabilise(row, alpha, beta) for key, row in self.rows.items()}

    @cached_property
    def _neglected(self) -> dict[int, Node]:
        """By speed, the modal coordinates of bodies whose nodes do not move in the equations (order "ruthless")."""
        layout = self.tree.layout
        coordinates = dict(zip(layout.q_dot, layout.q_handles, strict=True))
        nodes = [link for link in self.tree.links if link.body.placement.undeformed is not None]
        return {c.speed: coordinates[layout.u_handles[c.speed]] for link in nodes for c in link.columns}

    def _to_first_order(self, row: ConstraintRow) -> ConstraintRow:
        """A row on bodies with φ(q, 0) + G(q, 0) η in place of φ(q, η), for the coordinates η that the equations
        neglect: nodes do not turn in the frames of these equations, so that G is not the derivative of φ(q, η)."""
        if row.residual is None or not row.wrenches:
            return row
        g, known = self.motion.graph, dict.fromkeys(self._neglected.values(), self.motion.graph.zero)
        columns = {k: x for k, x in self.forces_of(row).items() if k in self._neglected}
        phi, *factors = substitute(g, [row.residual.handle, *columns.values()], known)
        for speed, factor in zip(columns, factors, strict=True):
            phi = g.add(phi, g.mul(factor, self._neglected[speed]))
        return replace(row, residual=Expr(g, phi))

    def _guard(self, row: ConstraintRow, smallest: float) -> ConstraintRow:
        """A row that is zero where the sum of the magnitudes of its entries of G is not above a limit."""
        g = self.motion.graph
        size = sum((abs(Expr(g, x)) for x in self.forces_of(row).values()), Expr(g, g.zero))
        acts = where(size > smallest, 1, 0)
        wrenches = list[LoadWrench]()
        for w in row.wrenches:
            force, torque = (None if v is None else v * acts for v in (w.force, w.torque))
            wrenches.append(replace(w, force=force, torque=torque))
        forces = {k: force * acts for k, force in row.forces.items()}
        offset = None if row.offset is None else row.offset * acts
        return replace(row, wrenches=wrenches, forces=forces, offset=offset, acceleration=row.acceleration * acts)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the multipliers."""
        return tuple(self.names_by_row.values())

    @property
    def names_by_row(self) -> dict[RowKey, str]:
        """The names of the multipliers: that of the constraint, and the label of the row."""
        return {k: f"{k.constraint}.{row.label}" if row.label else k.constraint for k, row in self.rows.items()}

    @cached_property
    def residuals(self) -> list[Node | None]:
        """φ of each row; None where only speeds are restricted."""
        return [None if row.residual is None else row.residual.handle for row in self.rows.values()]

    @cached_property
    def velocities(self) -> list[Node]:
        """G u + offset of each row."""
        speeds = [Expr(self.motion.graph, h) for h in self.tree.layout.u_handles]
        return [row.velocity(self.motion, speeds).handle for row in self.rows.values()]

    @cached_property
    def accelerations(self) -> list[Node]:
        """The rate of G u + offset at the motion's u̇; of a motion without u̇ this is −γ. Stabilised equations add to it
        (``_stabilise``)."""
        return [row.acceleration.handle for row in self.rows.values()]

    def _stabilise(self, row: ConstraintRow, alpha: Expr, beta: Expr) -> ConstraintRow:
        """A row to whose acceleration 2α (G u + offset) + β² φ is added: it is zero where G u + offset and φ decay
        (Baumgarte 1972; Mufti 1983, Remark 4). An equation of speeds alone has no φ."""
        speeds = [Expr(self.motion.graph, h) for h in self.tree.layout.u_handles]
        rate = row.acceleration + 2 * alpha * row.velocity(self.motion, speeds)
        return replace(row, acceleration=rate if row.residual is None else rate + beta**2 * row.residual)

    @cached_property
    def state_corrections(self) -> dict[Node, Node]:
        """For each extra state of a constraint the change towards the value that q requires."""
        return {h: node for own in self.corrections_by_constraint.values() for h, node in own.items()}

    @cached_property
    def corrections_by_constraint(self) -> dict[str, dict[Node, Node]]:
        """The same, by the name of the constraint."""
        constraints = self.tree.model.constraints.items()
        return {name: own for name, c in constraints if (own := c.state_corrections(self.motion))}

    @property
    def held_state_corrections(self) -> dict[Node, Node]:
        """The same, zero while their constraint is released: there may be no such value then."""
        g, held = self.motion.graph, dict[Node, Node]()
        for name, own in self.corrections_by_constraint.items():
            flag = self.tree.model.constraints[name].flag(g)
            held |= own if flag is None else {h: g.mul(node, flag.handle) for h, node in own.items()}
        return held

    @cached_property
    def jacobian(self) -> list[list[Node]]:
        """G, row by row."""
        g, n = self.motion.graph, len(self.tree.layout.u)
        forces = [self.forces_of(row) for row in self.rows.values()]
        return [[one.get(k, g.zero) for k in range(n)] for one in forces]

    def forces_of(self, row: ConstraintRow) -> dict[int, Node]:
        """The forces of λ = 1 on speeds, by index: wrenches passed inwards along their paths, and those on speeds."""
        g, links = self.motion.graph, self.tree.links
        forces = {k: force.handle for k, force in row.forces.items()}
        totals = dict[int, Wrench]()
        for k, W in self._wrenches(row.wrenches):
            if k != GROUND:
                totals[k] = totals[k] + W if k in totals else W
        while totals:
            k = max(totals)  # outboard links have larger indices
            link, W = links[k], totals.pop(k)
            for speed, value in on_speeds(link, W):
                forces[speed] = g.add(forces[speed], value) if speed in forces else value
            passed = to_parent(link, W)
            if link.parent is not None and passed is not None:
                other = link.parent.index
                totals[other] = totals[other] + passed if other in totals else passed
        return forces

    @cached_property
    def related(self) -> list[tuple[int, ...]]:
        """For each row the indices of the rows of the same constraint in the same unit, itself among them; expressions
        are not compared with each other."""
        keys = [(key.constraint, row.unit, -1 if row.wrenches else k) for k, (key, row) in enumerate(self.rows.items())]
        groups = dict[tuple[str, str, int], list[int]]()
        for k, key in enumerate(keys):
            groups.setdefault(key, []).append(k)
        return [tuple(groups[key]) for key in keys]

    @cached_property
    def flags(self) -> dict[int, Node]:
        """The flags of the rows of constraints that can be switched, by the index of the row."""
        g, constraints = self.motion.graph, self.tree.model.constraints
        of_rows = ((k, constraints[key.constraint].row_flag(g, key.row)) for k, key in enumerate(self.rows))
        return {k: flag.handle for k, flag in of_rows if flag is not None}

    def held(self, values: Sequence[Node]) -> list[Node]:
        """Values of the rows, zero for those of constraints that are released."""
        g = self.motion.graph
        return [g.mul(x, self.flags[k]) if k in self.flags else x for k, x in enumerate(values)]

    def held_rows(self, rows: Sequence[Sequence[Node]]) -> list[list[Node]]:
        """Rows of a matrix, zero for those of constraints that are released."""
        g, flags = self.motion.graph, self.flags
        return [[g.mul(x, flags[k]) for x in row] if k in flags else list(row) for k, row in enumerate(rows)]

    def multipliers(self, tree: Tree) -> list[Multiplier]:
        """The columns of the elimination, with indices behind the speeds."""
        n, columns = len(tree.layout.u), list[Multiplier]()
        for k, row in enumerate(self.rows.values()):
            forces = {speed: force.handle for speed, force in row.forces.items()}
            related, wrenches = [n + i for i in self.related[k]], self._wrenches(row.wrenches)
            columns.append(Multiplier(n + k, wrenches, forces, related, self.flags.get(k)))
        return columns

    # Forces of multipliers

    def loads(self, multipliers: Sequence[Node], sides: Mapping[int, Node] = NONE) -> list[Wrench]:
        """The wrench that multipliers put on each link, about its origin in its frame; with side forces of the
        strengths ``sides``, by the index of the row."""
        total = [Wrench.zero(link.frame) for link in self.tree.links]
        for index, (row, multiplier) in enumerate(zip(self.rows.values(), multipliers, strict=True)):
            parts = [(row.wrenches, multiplier)]
            if row.side is not None and index in sides:
                parts.append((row.side.wrenches, sides[index]))
            for wrenches, strength in parts:
                for k, W in self._wrenches(wrenches):
                    if k != GROUND:
                        total[k] = total[k] + W.times(strength)
        return total

    def side_strengths(self, multipliers: Sequence[Node]) -> dict[int, Node]:
        """The strengths of side forces, by the index of the row: max(|λ|, least), zero while the constraint is
        released."""
        g, strengths = self.motion.graph, dict[int, Node]()
        for index, (row, multiplier) in enumerate(zip(self.rows.values(), multipliers, strict=True)):
            if row.side is not None:
                size = abs(Expr(g, multiplier))
                size = size if row.side.least is None else largest(size, row.side.least)
                strengths[index] = size.handle
        return {k: g.mul(x, self.flags[k]) if k in self.flags else x for k, x in strengths.items()}

    def transmitted(
        self, motion: Motion, inertias: Sequence[RigidInertia], multipliers: Sequence[Node]
    ) -> list[Wrench]:
        """The wrench that each joint transmits to its link in a motion with u̇, under loads and multipliers."""
        loads = load_wrenches(motion)
        if multipliers:
            own = self.loads(multipliers, self.side_strengths(multipliers))
            loads = [a + b for a, b in zip(loads, own, strict=True)]
        return NewtonEuler(motion, inertias, loads).through_joints()

    def forces(self, multipliers: Sequence[Node]) -> list[Node]:
        """Gᵀλ: the generalised force of multipliers on each speed."""
        g, links = self.motion.graph, self.tree.links
        forces = generalised(self.tree, inwards(links, self.loads(multipliers), to_parent))
        for row, multiplier in zip(self.rows.values(), multipliers, strict=True):
            for k, force in row.forces.items():
                forces[k] = g.add(forces[k], g.mul(force.handle, multiplier))
        return forces

    def reaction(
        self, name: str, multipliers: Sequence[Node], sides: Mapping[int, Node] = NONE
    ) -> tuple[Vector, Vector] | None:
        """The force and the torque of a constraint on its second body, about its reaction point there, with side forces
        of the strengths ``sides``; None if it has no such point. Those of closures that are attached to this one also
        act there."""
        at, g = self.tree.model.constraints[name].reaction_point(self.tree.placed), self.motion.graph
        if at is None:
            return None
        force = torque = Vector(g, {})
        for index, ((key, row), multiplier) in enumerate(zip(self.rows.items(), multipliers, strict=True)):
            if name in (key.constraint, self.attached.get(key.constraint)):
                f, n = wrench_about(row.wrenches, at)
                force, torque = force + f * Expr(g, multiplier), torque + n * Expr(g, multiplier)
                if row.side is not None and index in sides:
                    f, n = wrench_about(row.side.wrenches, at)
                    strength = Expr(g, sides[index])
                    force, torque = force + f * strength, torque + n * strength
        return force, torque

    def powers(self, multipliers: Sequence[Node]) -> dict[str, Node]:
        """The power of each constraint, λ·(G u) = −λ·offset, by name; those without explicit time have none."""
        g, powers = self.motion.graph, dict[str, Node]()
        for (key, row), multiplier in zip(self.rows.items(), multipliers, strict=True):
            if row.offset is not None:
                power = g.neg(g.mul(multiplier, row.offset.handle))
                powers[key.constraint] = g.add(powers.get(key.constraint, g.zero), power)
        return powers

    def _wrenches(self, wrenches: Sequence[LoadWrench]) -> list[tuple[int, Wrench]]:
        """Wrenches about the links' origins in their frames, by the index of the link or ``GROUND``."""
        root, zero, ends = self.tree.root, Vector(self.motion.graph, {}), list[tuple[int, Wrench]]()
        for w in wrenches:
            link = self.tree.by_name.get(w.body.name)
            frame = root if link is None else link.frame
            f, n = (Vec(frame, components(v or zero, frame)) for v in (w.force, w.torque))
            if w.point is not None:
                arm = w.point.offset if link is None else w.point.offset - link.shift
                n = n + Vec(frame, components(arm, frame)).cross(f)
            ends.append((GROUND if link is None else link.index, Wrench.of(n, f)))
        return ends


def wrench_about(wrenches: Iterable[LoadWrench], at: Point) -> tuple[Vector, Vector]:
    """The force and the torque about a point of those wrenches that act on the body of this point."""
    force = torque = Vector(at.body.graph, {})
    for w in wrenches:
        if w.body.name == at.body.name:
            torque = torque if w.torque is None else torque + w.torque
            if w.force is not None and w.point is not None:
                force, torque = force + w.force, torque + (w.point.offset - at.offset).cross(w.force)
    return force, torque
