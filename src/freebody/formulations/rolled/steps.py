"""The steps at one cluster, each for a pass over all of them: the steps of an unrolled program, between reading what
earlier steps have left and writing what later ones need."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from freebody.errors import ModelError
from freebody.formulations.rolled.arrays import (
    PAIR,
    RIGID,
    EliminatedSpeeds,
    SharedRows,
    TracedStep,
    of_member,
)
from freebody.formulations.rolled.cell import OUTER, STUB, Cell
from freebody.formulations.rolled.kinds import BodyKind
from freebody.program.assemble import Rows
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import ArticulatedInertia, RigidInertia
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.tree.elimination import Elimination, EliminationStep, LinkTotals, Pending
from freebody.tree.inertia import divide, six, solid_inertia
from freebody.tree.joint_forces import joint_forces, less_joint_forces
from freebody.tree.mass_matrix import entry
from freebody.tree.motion import LinkMotion, Motion, accelerate, refer
from freebody.tree.newton_euler import link_wrench, load_wrenches, on_speeds
from freebody.tree.passes import LinkPose, pose, velocity
from freebody.tree.tree import Link


class ClusterSteps:
    """The steps of one ``kind`` of cluster while they are traced: ``step`` reads and writes rows, ``cell`` is the
    cluster, ``rows`` are those that steps share."""

    def __init__(self, step: TracedStep, kind: BodyKind, cell: Cell, rows: SharedRows) -> None:
        self.step, self.kind, self.cell, self.rows, self.graph = step, kind, cell, rows, step.graph
        self.links, self.shapes = cell.links, cell.shapes

    def by_speed(self, rows: Rows | None) -> list[Node]:
        """The numbers in rows for the cluster's speeds, in the cell's order; none without rows."""
        if rows is None:
            return []
        each = (self.step.read(rows, of_member("u", k), range(len(own))) for k, own in enumerate(self.cell.speeds))
        return [x for some in each for x in some]

    def leave_result(self, result: Rows, values: Sequence[Node]) -> None:
        for k, speeds in enumerate(self.cell.speeds):
            self.step.write(result, of_member("u", k), [values[j] for j in speeds])

    # Constants

    def lay_axes(self) -> None:
        """The bodies' axes in their working frames, for their children."""
        for k, shape in enumerate(self.shapes):
            if len(self.shapes) == 1 or not shape.leaf or self.rows.poses.rows.rows:
                self.step.write(self.rows.axes, of_member("own", k), self.cell.axes(k))

    def rewrite_inertia(self) -> None:
        """Inwards: the `base` rewrite."""
        total, remaining = [solid_inertia(link) for link in self.links], list[RigidInertia]()
        for link in reversed(self.links):
            k, shape = link.index, self.shapes[link.index]
            if not shape.leaf:
                total[k] = total[k] + _inertia(link.frame, self.step.read_row(self.rows.moved, of_member("own", k)))
            stays, moved = self.divide(link, total[k])
            remaining.append(stays)
            if moved is not None and shape.parent != OUTER:
                total[shape.parent] = total[shape.parent] + moved.back(link.X)
            elif moved is not None and link.parent is not None:
                self.step.write_row(self.rows.moved, of_member("parent", k), moved.back(link.X).c[:RIGID], add=True)
        self.step.store("inertia", [x for inertia in reversed(remaining) for x in inertia.c[:RIGID]])

    def divide(self, link: Link, inertia: RigidInertia) -> tuple[RigidInertia, RigidInertia | None]:
        """The part of an inertia that stays with its link, and the part that its parent has instead."""
        return divide(link, inertia)

    def leave_inertia(self) -> None:
        """The bodies' inertia as it is."""
        self.step.store("inertia", [x for link in self.links for x in solid_inertia(link).c[:RIGID]])

    def inertias(self) -> list[RigidInertia]:
        """Those that an earlier pass has left, and of masses that move inside the bodies."""
        numbers, inertias = self.step.load("inertia", RIGID * len(self.links)), list[RigidInertia]()
        for k, link in enumerate(self.links):
            inertia = _inertia(link.frame, numbers[RIGID * k : RIGID * k + RIGID])
            inertias.append(inertia if link.internal_dynamics is None else inertia + link.internal_dynamics.rr)
        return inertias

    # Newton and Euler

    def move(self, u_dot: Rows | None) -> None:
        """Outwards: ω, α, a, with u̇ or without, and the wrenches that the bodies require."""
        rates, motions = self.by_speed(u_dot), list[LinkMotion]()
        for link in self.links:
            motions.append(LinkMotion.labelled(link, *accelerate(link, self.parent_motion(link, motions), rates)))
        self._leave_motion(motions, rates)

    def refer(self, at_rest: bool = False) -> None:
        """``move`` at the reference u̇₀, or at u̇ = 0."""
        motions, reference = list[LinkMotion](), dict[int, Node]()
        for link in self.links:
            parent = self.parent_motion(link, motions)
            if at_rest:
                motions.append(LinkMotion.labelled(link, *accelerate(link, parent)))
            else:
                motion, rates = refer(link, parent)
                motions.append(motion)
                reference |= rates
        self._leave_motion(motions, ())
        speeds = range(sum(map(len, self.cell.speeds)))
        self.step.store("chosen", [reference.get(k, self.graph.zero) for k in speeds])

    def parent_motion(self, link: Link, motions: Sequence[LinkMotion]) -> LinkMotion:
        inner = self.shapes[link.index].parent
        if inner != OUTER:
            return motions[inner]
        if link.parent is None:
            return Motion(self.cell.tree).ground
        frame, c = link.base, self.step.read_row(self.rows.motion, of_member("parent", link.index))
        return LinkMotion(Vec(frame, c[:3]), Vec(frame, c[3:6]), Vec(frame, c[6:]))

    def _leave_motion(self, motions: Sequence[LinkMotion], rates: Sequence[Node]) -> None:
        step, loads = self.step, load_wrenches(Motion(self.cell.tree))
        step.store("pose", self.cell.pose)
        each = zip(self.links, motions, self.inertias(), strict=True)
        required = [link_wrench(link, m, inertia, rates) for link, m, inertia in each]
        step.store("force", [x for (F, _), load in zip(required, loads, strict=True) for x in (F - load).c])
        step.store("modal", [x for _, own_forces in required for x in own_forces.values()])
        for k, (shape, m) in enumerate(zip(self.shapes, motions, strict=True)):
            if not shape.leaf:
                step.write_row(self.rows.motion, of_member("own", k), m.w.c + m.alpha.c + m.a.c)
        self._leave_poses([(*m.alpha.c, *m.a.c) for m in motions])

    def place(self) -> None:
        """Outwards: the poses and velocities of the links alone."""
        self.step.store("pose", self.cell.pose)
        self._leave_poses([(self.graph.zero,) * PAIR for _ in self.links])

    def _leave_poses(self, accelerations: Sequence[Sequence[Node]]) -> None:
        """Poses of the links in the ground, and ω, v, α, a, if constraints need them."""
        if not self.rows.poses.rows.rows:
            return
        step, root, poses, twists = self.step, self.cell.tree.root, list[LinkPose](), list[Twist]()
        for k, (link, shape) in enumerate(zip(self.links, self.shapes, strict=True)):
            P, V = LinkPose.at(root), Twist.zero(root)
            if shape.parent != OUTER:
                P, V = poses[shape.parent], twists[shape.parent]
            elif link.parent is not None:
                c = step.read_row(self.rows.poses, of_member("parent", k))
                x, y, z = (Vec(link.base, c[i : i + 3]) for i in (0, 3, 6))
                P = LinkPose((x, y, z), Vec(root, c[9:]))
                V = Twist(link.base, step.read_row(self.rows.velocities, of_member("parent", k))[:PAIR])
            poses.append(pose(link, P))
            twists.append(velocity(link, V))
            axes = [x for axis in poses[k].axes for x in axis.c]
            step.write_row(self.rows.poses, of_member("own", k), [*axes, *poses[k].origin.c])
            step.write_row(self.rows.velocities, of_member("own", k), [*twists[k].c, *accelerations[k]])

    def forces(self) -> tuple[list[Wrench], dict[int, Node]]:
        """What ``move`` has left: the bodies' wrenches, and what their own speeds require."""
        numbers = self.step.load("force", PAIR * len(self.links))
        speeds = [j for link in self.links if link.is_flexible for j in link.u]
        own_forces = dict(zip(speeds, self.step.load("modal", len(speeds)), strict=True))
        rows = [tuple(numbers[PAIR * k : PAIR * k + PAIR]) for k in range(len(self.links))]
        return [Wrench(link.frame, row) for link, row in zip(self.links, rows, strict=True)], own_forces

    def pass_on(self, u_dot: Rows | None, result: Rows) -> None:
        """Inwards: the generalised forces that the motion requires; without u̇, f of M u̇ = f + tau."""
        g, step, rates = self.graph, self.step, self.by_speed(u_dot)
        step.reuse("pose", self.cell.pose)
        forces, own_forces = self.forces()
        required = [own_forces.get(k, g.zero) for k in range(sum(map(len, self.cell.speeds)))]
        passed: Wrench | None = None
        for link in reversed(self.links):
            k, inner = link.index, self.shapes[link.index].parent
            if not self.shapes[k].leaf:
                forces[k] = forces[k] + Wrench(link.frame, step.read_row(self.rows.sums, of_member("own", k)))
            for speed, value in on_speeds(link, forces[k]):
                required[speed] = g.add(required[speed], value)
            passed = None if link.parent is None else forces[k].back(link.X)
            if passed is not None and inner != OUTER:
                forces[inner] = forces[inner] + passed
        if rates:
            values = less_joint_forces(self.cell.tree, required, rates)
        else:
            values = [g.sub(e, f) for f, e in zip(required, joint_forces(self.cell.tree), strict=True)]
        self.leave_result(result, values)
        if passed is not None:
            step.write_row(self.rows.sums, "parent", passed.c, add=not self.shapes[0].alone)

    # Elimination

    def condense(self, tau: Rows | None, loaded: bool = True) -> None:
        """Inwards: the cluster's speeds are eliminated; articulated inertia and force are passed to its parent. Without
        ``loaded`` there are no forces."""
        self.step.reuse("pose", self.cell.pose)
        inertias, own_forces = self.inertias(), dict[int, Node]()
        forces = [Wrench.zero(link.frame) for link in self.links]
        if loaded:
            forces, own_forces = self.forces()
        elimination = Elimination(self.cell.tree, inertias, added=self.by_speed(self.rows.added))
        passed = self.eliminate(elimination, tau if loaded else None, loaded, forces, own_forces)
        self._leave_elimination(elimination)
        self.pass_inertia(passed)

    def eliminate(
        self,
        elimination: Elimination,
        tau: Rows | None,
        loaded: bool,
        forces: Sequence[Wrench],
        own_forces: Mapping[int, Node],
    ) -> LinkTotals | None:
        """The cluster's speeds are eliminated. Returns what it passes to its parent; None on the ground."""
        g, step, inertias, known = self.graph, self.step, elimination.inertias, self.kind.pivots
        arrived = [LinkTotals(*parts) for parts in zip(inertias, [None] * len(inertias), forces, strict=True)]
        for k, (link, shape) in enumerate(zip(self.links, self.shapes, strict=True)):
            if not shape.leaf:
                c = step.read_row(self.rows.sums, of_member("own", k))
                arrived[k].articulated = ArticulatedInertia(link.frame, c[PAIR:])
                arrived[k].force = arrived[k].force + Wrench(link.frame, c[:PAIR])
            arrived[k].pending, arrived[k].pivots = elimination.pending(link), known[k] if known else ()
        right = joint_forces(self.cell.tree) if loaded else [g.zero] * sum(map(len, self.cell.speeds))
        if tau is not None:
            right = [g.add(t, e) for t, e in zip(self.by_speed(tau), right, strict=True)]
        elimination.begin(right, own_forces)
        passed: LinkTotals | None = None
        for link in reversed(self.links):
            inner, passed = self.shapes[link.index].parent, elimination.step_inwards(link, arrived[link.index])
            if passed is not None and inner != OUTER:
                arrived[inner] = arrived[inner] + passed
        elimination.finish()
        self._require_resistance(elimination)
        return passed

    def pass_inertia(self, passed: LinkTotals | None) -> None:
        """Articulated inertia and force, added to those of the parent."""
        if passed is not None and passed.articulated is not None:
            values = passed.force.c + passed.articulated.c
            self.step.write_row(self.rows.sums, "parent", values, add=not self.shapes[0].alone)

    def _require_resistance(self, elimination: Elimination) -> None:
        body = self.kind.links[0].body
        for at in elimination.steps:
            if any(elimination.rows[c.speed, c.speed] == self.graph.zero for c in at.columns):
                raise ModelError(
                    f"joint '{body.name}' ({body.name} on {body.parent.name}): {body.name} and its outboard bodies do"
                    f" not resist its motion. Give {body.name} mass or inertia, or use Weld."
                )

    def _leave_elimination(self, elimination: Elimination) -> None:
        """Wrenches, rows, right sides and pivots of the eliminated speeds, link by link."""
        step, zero = self.step, self.graph.zero
        step.eliminated[:] = [
            EliminatedSpeeds(
                None if k.link is None else k.link.index, [c.speed for c in k.columns], [c.speed for c in k.waiting]
            )
            for k in elimination.steps
        ]
        wrenches = [c.wrench.c for at in elimination.steps if at.link is not None for c in at.columns]
        speeds = [j for some in step.eliminated for j in some.speeds]
        step.store("columns", [x for wrench in wrenches for x in wrench])
        step.store("inverse", [elimination.inverse[j] for j in speeds])
        step.store("right", [elimination.right[j] for j in speeds])
        pairs = [pair for some in step.eliminated for pair in some.pairs]
        step.store("rows", [elimination.rows.get(entry(*pair), zero) for pair in pairs])

    def find_elimination(self) -> Elimination:
        """What ``condense`` has left."""
        step, elimination = self.step, Elimination(self.cell.tree, [])
        pairs = [pair for some in step.eliminated for pair in some.pairs]
        speeds = [j for some in step.eliminated for j in some.speeds]
        count = sum(len(some.speeds) for some in step.eliminated if some.link is not None)
        columns = iter(step.load("columns", PAIR * count))
        rows = zip(pairs, step.load("rows", len(pairs)), strict=True)
        elimination.rows = {entry(*pair): value for pair, value in rows}
        elimination.inverse = dict(zip(speeds, step.load("inverse", len(speeds)), strict=True))
        elimination.right = dict(zip(speeds, step.load("right", len(speeds)), strict=True))
        for at, gone, waiting in step.eliminated:
            link = None if at is None else self.links[at]
            frame, size = (self.cell.tree.root, 0) if link is None else (link.frame, PAIR)
            wrenches = [Wrench(frame, tuple(next(columns) for _ in range(size))) for _ in gone]
            later = [Pending(j, Wrench(frame, ())) for j in waiting]
            axes = {} if link is None or self.rows.added is not None else link.axes
            elimination.steps.append(EliminationStep(link, list(map(Pending, gone, wrenches)), later, axes))
        return elimination

    def pass_forces(self, tau: Rows) -> None:
        """Inwards: the right sides of generalised forces tau alone, by what ``condense`` has left."""
        step, links, forces = self.step, self.links, dict(enumerate(self.by_speed(tau)))
        step.reuse("pose", self.cell.pose)
        elimination, received = self.find_elimination(), self.rows.forces
        loads = {
            link.index: Wrench(link.frame, step.read_row(received, of_member("own", k)))
            for k, (link, shape) in enumerate(zip(links, self.shapes, strict=True))
            if not shape.leaf
        }
        right, arrived = elimination.substitute(loads, forces)
        speeds = [j for some in step.eliminated for j in some.speeds]
        step.store("right", [right.get(j, self.graph.zero) for j in speeds])
        if links[0].parent is not None:
            passed = arrived.get(STUB, Wrench.zero(links[0].base))
            step.write_row(received, "parent", passed.c, add=not self.shapes[0].alone)

    def accelerate(
        self, result: Rows, tau: Rows | None, added: Rows | None = None, from_reference: bool = True
    ) -> None:
        """Outwards: u̇ of the cluster's speeds, or its difference from the reference. ``tau`` is that of the
        elimination; ``added``: what multipliers add to the right sides."""
        g, step = self.graph, self.step
        step.reuse("pose", self.cell.pose)
        reached, elimination = self.reached(), self.find_elimination()
        if added is not None:
            for k, j in enumerate([j for some in step.eliminated for j in some.speeds]):
                elimination.right[j] = g.add(elimination.right[j], step.kernel.read(added, "speed", k))
        count = sum(map(len, self.cell.speeds))
        reference = partial(step.load, "chosen", count) if from_reference else lambda: [g.zero] * count
        self.expand(elimination, reached, reference, result)

    def reached(self) -> dict[int, Twist]:
        """The acceleration that the parent has reached, if it is not the ground."""
        first = self.links[0]
        return (
            {} if first.parent is None else {STUB: Twist(first.base, self.step.read_row(self.rows.reached, "parent"))}
        )

    def expand(
        self, elimination: Elimination, reached: dict[int, Twist], reference: Callable[[], Sequence[Node]], result: Rows
    ) -> None:
        """u̇ of the cluster's speeds, u̇₀ included, and the accelerations of the links for those on them."""
        g, step, delta = self.graph, self.step, [self.graph.zero] * sum(map(len, self.cell.speeds))
        for at in reversed(elimination.steps):
            elimination.step_outwards(at, delta, reached)
        self.leave_result(result, [g.add(d, c) for d, c in zip(delta, reference(), strict=True)])
        for k, (link, shape) in enumerate(zip(self.links, self.shapes, strict=True)):
            if not shape.leaf:
                step.write_row(self.rows.reached, of_member("own", k), elimination.acceleration(link, reached, delta).c)


def _inertia(frame: Frame, numbers: Sequence[Node]) -> RigidInertia:
    m, x, y, z, *second = numbers
    return RigidInertia.of(frame, m, (x, y, z), six(second))
