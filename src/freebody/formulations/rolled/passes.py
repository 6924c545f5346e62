"""The steps at one cluster, each for a pass over all of them: what an unrolled program does at its links, between
reading what the steps before have left and writing what the steps after will need."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from freebody.errors import ModelError
from freebody.formulations.rolled.cell import STUB, Cell
from freebody.formulations.rolled.kinds import OUTER
from freebody.formulations.rolled.memory import BodyRows, Eliminated, TracedStep, of_member
from freebody.program.assemble import Rows
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import ArticulatedInertia, RigidInertia
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.tree import motion
from freebody.tree.elimination import Arrived, Elimination, EliminationStep, Pending
from freebody.tree.forest import Link
from freebody.tree.inertia import divide, six, solid_inertia
from freebody.tree.joint_forces import joint_forces, less_joint_forces
from freebody.tree.mass_matrix import entry
from freebody.tree.motion import LinkMotion, Motion
from freebody.tree.newton_euler import link_wrench, load_wrenches, on_speeds

MOVING, TEN, SIX, ARTICULATED = 9, 10, 6, 21
"""Columns of ω, α, a; of m, h, Σ; of a torque and a force or of α and a; of J, H, M."""


def sizes(cell: Cell, forward: bool) -> dict[str, int]:
    """The lists that passes leave in a cluster's notes, and how long they are."""
    inside = sum(len(link.u) for link in cell.links if link.inside is not None)
    shared = {"pose": len(cell.pose), "force": SIX * len(cell.links), "modal": inside}
    if not forward:
        return shared
    groups, speeds = planned(cell), sum(map(len, cell.speeds))
    columns = sum(len(group.speeds) for group in groups if group.link is not None)
    singles = dict.fromkeys(("chosen", "inverse", "right"), speeds)
    return {**shared, **singles, "columns": SIX * columns, "rows": sum(len(group.pairs) for group in groups)}


def planned(cell: Cell) -> list[Eliminated]:
    """What ``condense`` will eliminate where; the order within a group may be another."""
    ends, found = Elimination(cell.forest, []).ends, list[Eliminated]()
    arrived: list[Counter[int]] = [Counter() for _ in cell.links]
    ground: Counter[int] = Counter()
    for link in reversed(cell.links):
        here = arrived[link.index] + Counter(c.speed for c in link.columns)
        here.update(link.u if link.inside is not None else ())
        waiting = {speed: count for speed, count in here.items() if count < ends[speed]}
        found.append(Eliminated(link.index, [speed for speed in here if speed not in waiting], [*waiting]))
        (ground if link.parent is None else arrived[cell.shapes[link.index].parent]).update(waiting)
    return [*found, Eliminated(None, [*ground], [])] if ground else found


@dataclass(frozen=True)
class SharedRows:
    """The rows that steps share."""

    axes: Rows
    moved: BodyRows
    motion: BodyRows
    sums: BodyRows
    reached: BodyRows


def by_speed(step: TracedStep, cell: Cell, rows: Rows) -> list[int]:
    """What rows hold for the speeds of a cluster, in the cell's order."""
    each = (step.read(rows, of_member("u", k), range(len(speeds))) for k, speeds in enumerate(cell.speeds))
    return [x for some in each for x in some]


def leave_result(step: TracedStep, cell: Cell, result: Rows, values: Sequence[int]) -> None:
    """The way back of ``by_speed``."""
    for k, speeds in enumerate(cell.speeds):
        step.write(result, of_member("u", k), range(len(speeds)), [values[j] for j in speeds])


def lay(step: TracedStep, cell: Cell, fields: SharedRows) -> None:
    """The bodies' axes in their working frames, for their children."""
    for k, shape in enumerate(cell.shapes):
        if len(cell.shapes) == 1 or not shape.leaf:
            step.write(fields.axes, of_member("own", k), range(9), cell.axes(k))


def rewrite(step: TracedStep, cell: Cell, fields: SharedRows) -> None:
    """Inwards, constants alone: the `base` rewrite at one cluster."""
    total, kept = [solid_inertia(link) for link in cell.links], list[RigidInertia]()
    for link in reversed(cell.links):
        k, shape = link.index, cell.shapes[link.index]
        if not shape.leaf:
            total[k] = total[k] + _inertia(link.frame, step.get(fields.moved, of_member("own", k)))
        stays, goes = divide(link, total[k])
        kept.append(stays)
        if goes is not None and shape.parent != OUTER:
            total[shape.parent] = total[shape.parent] + goes.back(link.X)
        elif goes is not None and link.parent is not None:
            step.put(fields.moved, of_member("parent", k), goes.back(link.X).c[:TEN], add=True)
    step.leave("inertia", [x for inertia in reversed(kept) for x in inertia.c[:TEN]])


def _inertia(frame: Frame, ten: Sequence[int]) -> RigidInertia:
    m, x, y, z, *second = ten
    return RigidInertia.of(frame, m, (x, y, z), six(second))


def _kept(step: TracedStep, cell: Cell) -> list[RigidInertia]:
    """What ``rewrite`` has left, and what moves inside the bodies."""
    found, each = step.find("inertia", TEN * len(cell.links)), list[RigidInertia]()
    for k, link in enumerate(cell.links):
        inertia = _inertia(link.frame, found[TEN * k : TEN * k + TEN])
        each.append(inertia if link.inside is None else inertia + link.inside.rr)
    return each


def move(step: TracedStep, cell: Cell, fields: SharedRows, rates: Sequence[int]) -> None:
    """Outwards: ω, α, a, with u̇ or without, and the forces that the bodies themselves need."""
    moving = list[LinkMotion]()
    for link in cell.links:
        parent = _parent(step, cell, fields, link, moving)
        moving.append(LinkMotion.labelled(link, *motion.accelerate(link, parent, rates)))
    _leave_motion(step, cell, fields, moving, rates)


def refer(step: TracedStep, cell: Cell, fields: SharedRows) -> None:
    """``move`` with u̇₀ in place of u̇."""
    moving, chosen = list[LinkMotion](), dict[int, int]()
    for link in cell.links:
        m, some = motion.refer(link, _parent(step, cell, fields, link, moving))
        moving.append(m)
        chosen |= some
    _leave_motion(step, cell, fields, moving, ())
    step.leave("chosen", [chosen.get(k, step.graph.zero) for k in range(sum(map(len, cell.speeds)))])


def _parent(step: TracedStep, cell: Cell, fields: SharedRows, link: Link, moving: Sequence[LinkMotion]) -> LinkMotion:
    """The motion of what a link hangs on."""
    inner = cell.shapes[link.index].parent
    if inner != OUTER:
        return moving[inner]
    if link.parent is None:
        return Motion(cell.forest).ground
    frame, found = link.base, tuple(step.get(fields.motion, of_member("parent", link.index)))
    return LinkMotion(Vec(frame, found[:3]), Vec(frame, found[3:6]), Vec(frame, found[6:]))


def _leave_motion(
    step: TracedStep, cell: Cell, fields: SharedRows, moving: Sequence[LinkMotion], rates: Sequence[int]
) -> None:
    loads = load_wrenches(Motion(cell.forest))
    step.leave("pose", cell.pose)
    each = zip(cell.links, moving, _kept(step, cell), strict=True)
    needs = [link_wrench(link, m, inertia, rates) for link, m, inertia in each]
    step.leave("force", [x for (F, _), load in zip(needs, loads, strict=True) for x in (F - load).c])
    step.leave("modal", [x for _, modal in needs for x in modal.values()])
    for k, (shape, m) in enumerate(zip(cell.shapes, moving, strict=True)):
        if not shape.leaf:
            step.put(fields.motion, of_member("own", k), m.w.c + m.alpha.c + m.a.c)


def _forces(step: TracedStep, cell: Cell) -> tuple[list[Wrench], dict[int, int]]:
    """What ``move`` has left: the bodies' wrenches, and what their own speeds need."""
    found = step.find("force", SIX * len(cell.links))
    speeds = [j for link in cell.links if link.inside is not None for j in link.u]
    modal = dict(zip(speeds, step.find("modal", len(speeds)), strict=True))
    return [Wrench(link.frame, tuple(found[SIX * k : SIX * k + SIX])) for k, link in enumerate(cell.links)], modal


def condense(step: TracedStep, cell: Cell, fields: SharedRows, tau: Rows | None) -> None:
    """Inwards: the cluster's speeds are eliminated; its parent gets what is left."""
    g = step.graph
    step.recall("pose", cell.pose)
    inertias, (forces, modal) = _kept(step, cell), _forces(step, cell)
    elimination = Elimination(cell.forest, inertias)
    levels = [Arrived(*parts) for parts in zip(inertias, [None] * len(inertias), forces, strict=True)]
    for k, (link, shape) in enumerate(zip(cell.links, cell.shapes, strict=True)):
        if not shape.leaf:
            found = tuple(step.get(fields.sums, of_member("own", k)))
            levels[k].articulated = ArticulatedInertia(link.frame, found[SIX:])
            levels[k].force = levels[k].force + Wrench(link.frame, found[:SIX])
        levels[k].pending = elimination.pending(link)
    right = joint_forces(cell.forest)
    if tau is not None:
        right = [g.add(t, e) for t, e in zip(by_speed(step, cell, tau), right, strict=True)]
    elimination.begin(right, modal)
    left: Arrived | None = None
    for link in reversed(cell.links):
        inner, left = cell.shapes[link.index].parent, elimination.step_inwards(link, levels[link.index])
        if left is not None and inner != OUTER:
            levels[inner] = levels[inner] + left
    elimination.finish()
    _require_pivots(step, elimination)
    _leave(step, elimination)
    if left is not None and left.articulated is not None:
        step.put(fields.sums, "parent", left.force.c + left.articulated.c, add=not cell.shapes[0].alone)


def _require_pivots(step: TracedStep, elimination: Elimination) -> None:
    """Refuse a speed that nothing resists."""
    body = step.kind.links[0].body
    for group in elimination.steps:
        if any(elimination.rows[c.speed, c.speed] == step.graph.zero for c in group.columns):
            raise ModelError(
                f"joint '{body.name}' ({body.name} on {body.parent.name}): {body.name} and its outboard bodies do not"
                f" resist its motion. Give {body.name} mass or inertia, or use Weld."
            )


def _leave(step: TracedStep, elimination: Elimination) -> None:
    """Wrenches, rows, right sides and pivots of what was eliminated, group by group."""
    zero = step.graph.zero
    step.groups[:] = [
        Eliminated(None if link is None else link.index, *([c.speed for c in some] for some in (columns, waiting)))
        for link, columns, waiting, _ in elimination.steps
    ]
    wrenches = [c.wrench.c for group in elimination.steps if group.link is not None for c in group.columns]
    speeds = [j for group in step.groups for j in group.speeds]
    step.leave("columns", [x for wrench in wrenches for x in wrench])
    step.leave("inverse", [elimination.inverse[j] for j in speeds])
    step.leave("right", [elimination.right[j] for j in speeds])
    step.leave("rows", [elimination.rows.get(entry(*pair), zero) for group in step.groups for pair in group.pairs])


def _found(step: TracedStep, cell: Cell) -> tuple[Elimination, list[EliminationStep]]:
    """What ``condense`` has left."""
    pairs = [pair for group in step.groups for pair in group.pairs]
    speeds = [j for group in step.groups for j in group.speeds]
    count = sum(len(group.speeds) for group in step.groups if group.link is not None)
    columns = iter(step.find("columns", SIX * count))
    elimination = Elimination(cell.forest, [])
    rows = zip(pairs, step.find("rows", len(pairs)), strict=True)
    elimination.rows = {entry(*pair): value for pair, value in rows}
    elimination.inverse = dict(zip(speeds, step.find("inverse", len(speeds)), strict=True))
    elimination.right = dict(zip(speeds, step.find("right", len(speeds)), strict=True))
    groups = list[EliminationStep]()
    for at, gone, waiting in step.groups:
        link = None if at is None else cell.links[at]
        frame = cell.forest.root if link is None else link.frame
        size = 0 if link is None else SIX
        wrenches = [Wrench(frame, tuple(next(columns) for _ in range(size))) for _ in gone]
        later = [Pending(j, Wrench(frame, ())) for j in waiting]
        axes = {} if link is None else link.axes
        groups.append(EliminationStep(link, list(map(Pending, gone, wrenches)), later, axes))
    return elimination, groups


def accelerate(step: TracedStep, cell: Cell, fields: SharedRows, result: Rows) -> None:
    """Outwards: u̇ of the cluster's speeds."""
    g, first = step.graph, cell.links[0]
    step.recall("pose", cell.pose)
    reached, delta = dict[int, Twist](), [g.zero] * sum(map(len, cell.speeds))
    if first.parent is not None:
        reached[STUB] = Twist(first.base, tuple(step.get(fields.reached, "parent")))
    elimination, groups = _found(step, cell)
    for group in reversed(groups):
        elimination.step_outwards(group, delta, reached)
    chosen = step.find("chosen", len(delta))
    leave_result(step, cell, result, [g.add(d, c) for d, c in zip(delta, chosen, strict=True)])
    for k, (link, shape) in enumerate(zip(cell.links, cell.shapes, strict=True)):
        if not shape.leaf:
            step.put(fields.reached, of_member("own", k), elimination.acceleration(link, reached, delta).c)


def pass_on(step: TracedStep, cell: Cell, fields: SharedRows, rates: Sequence[int], result: Rows) -> None:
    """Inwards: the generalised forces that the bodies and all that hangs on them need, for u̇ or (without) for none."""
    g = step.graph
    step.recall("pose", cell.pose)
    forces, modal = _forces(step, cell)
    required = [modal.get(k, g.zero) for k in range(sum(map(len, cell.speeds)))]
    handed: Wrench | None = None
    for link in reversed(cell.links):
        k, inner = link.index, cell.shapes[link.index].parent
        if not cell.shapes[k].leaf:
            forces[k] = forces[k] + Wrench(link.frame, tuple(step.get(fields.sums, of_member("own", k))))
        for speed, value in on_speeds(link, forces[k]):
            required[speed] = g.add(required[speed], value)
        handed = None if link.parent is None else forces[k].back(link.X)
        if handed is not None and inner != OUTER:
            forces[inner] = forces[inner] + handed
    if rates:
        found = less_joint_forces(cell.forest, required, rates)
    else:
        found = [g.sub(e, f) for f, e in zip(required, joint_forces(cell.forest), strict=True)]
    leave_result(step, cell, result, found)
    if handed is not None:
        step.put(fields.sums, "parent", handed.c, add=not cell.shapes[0].alone)
