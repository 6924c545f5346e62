"""The steps at one body, each for a pass over all of them: what an unrolled program does at a link, between reading
what the steps before have left and writing what the steps after will need."""

from collections.abc import Sequence
from dataclasses import dataclass

from freebody.errors import ModelError
from freebody.formulations.rolled.cell import STUB, Cell
from freebody.formulations.rolled.memory import Field, Step
from freebody.program.assemble import Rows
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import ArticulatedInertia, RigidInertia
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.tree.efforts import efforts, with_efforts
from freebody.tree.elimination import Elimination, Group, Level, Pending
from freebody.tree.inertia import divide, own, six
from freebody.tree.motion import Motion, Moving, accelerated, moved, referred
from freebody.tree.newton import felt, load_wrenches, needed

MOVING, TEN, SIX, ARTICULATED = 9, 10, 6, 21
"""Columns of ω, α, a; of m, h, Σ; of a torque and a force or of α and a; of J, H, M."""


def sizes(pose: int, speeds: int, forward: bool) -> dict[str, int]:
    """The lists that passes leave in a body's notes, and how long they are."""
    shared = {"pose": pose, "force": SIX}
    if not forward:
        return shared
    singles = dict.fromkeys(("chosen", "inverse", "right"), speeds)
    return {**shared, **singles, "columns": SIX * speeds, "rows": speeds * (speeds - 1) // 2}


@dataclass(frozen=True)
class Fields:
    """The rows that steps share."""

    axes: Rows
    moved: Field
    motion: Field
    sums: Field
    reached: Field


def lay(step: Step, cell: Cell, fields: Fields) -> None:
    """The body's axes in its working frame, for its children."""
    step.write(fields.axes, "own", range(9), cell.axes)


def rewrite(step: Step, cell: Cell, fields: Fields) -> None:
    """Inwards, constants alone: the `base` rewrite at one body."""
    link = cell.link
    inertia = own(link)
    if not cell.shape.leaf:
        inertia = inertia + _inertia(link.frame, step.get(fields.moved, "own"))
    kept, goes = divide(link, inertia)
    step.leave("inertia", kept.c[:TEN])
    if link.parent is not None and goes is not None:
        step.put(fields.moved, "parent", goes.back(link.X).c[:TEN], add=True)


def _inertia(frame: Frame, ten: Sequence[int]) -> RigidInertia:
    m, x, y, z, *second = ten
    return RigidInertia.of(frame, m, (x, y, z), six(second))


def _kept(step: Step, cell: Cell) -> RigidInertia:
    """What ``rewrite`` has left."""
    return _inertia(cell.link.frame, step.find("inertia", TEN))


def move(step: Step, cell: Cell, fields: Fields, rates: Sequence[int]) -> None:
    """Outwards: ω, α, a, with u̇ or without, and the force that the body itself needs."""
    link = cell.link
    _leave_motion(step, cell, fields, moved(link, *accelerated(link, _parent(step, cell, fields), rates)))


def refer(step: Step, cell: Cell, fields: Fields) -> None:
    """``move`` with u̇₀ in place of u̇."""
    m, chosen = referred(cell.link, _parent(step, cell, fields))
    _leave_motion(step, cell, fields, m)
    step.leave("chosen", [chosen.get(k, step.graph.zero) for k in cell.link.u])


def _parent(step: Step, cell: Cell, fields: Fields) -> Moving:
    if cell.link.parent is None:
        return Motion(cell.forest).ground
    frame, found = cell.link.base, tuple(step.get(fields.motion, "parent"))
    return Moving(Vec(frame, found[:3]), Vec(frame, found[3:6]), Vec(frame, found[6:]))


def _leave_motion(step: Step, cell: Cell, fields: Fields, m: Moving) -> None:
    (load,) = load_wrenches(Motion(cell.forest))
    step.leave("pose", cell.pose)
    step.leave("force", (needed(_kept(step, cell), m) - load).c)
    if not cell.shape.leaf:
        step.put(fields.motion, "own", m.w.c + m.alpha.c + m.a.c)


def condense(step: Step, cell: Cell, fields: Fields, tau: Rows | None) -> None:
    """Inwards: the body's speeds are eliminated; its parent gets what is left."""
    g, link = step.graph, cell.link
    step.recall("pose", cell.pose)
    level = Level(_kept(step, cell), None, _force(step, cell))
    if not cell.shape.leaf:
        found = tuple(step.get(fields.sums, "own"))
        level.soft = ArticulatedInertia(link.frame, found[SIX:])
        level.force = level.force + Wrench(link.frame, found[:SIX])
    right = efforts(cell.forest)
    if tau is not None:
        right = [g.add(t, e) for t, e in zip(step.read(tau, "u", link.u), right, strict=True)]
    elimination = Elimination(cell.forest, [level.rigid])
    elimination.begin(right, {})
    handed = elimination.meet(link, level)
    _require_pivots(step, elimination)
    _leave(step, elimination)
    if handed is not None and handed.soft is not None:
        step.put(fields.sums, "parent", handed.force.c + handed.soft.c, add=not cell.shape.alone)


def _force(step: Step, cell: Cell) -> Wrench:
    """What ``move`` has left."""
    return Wrench(cell.link.frame, tuple(step.find("force", SIX)))


def _require_pivots(step: Step, elimination: Elimination) -> None:
    """Refuse a speed that nothing resists."""
    body = step.kind.links[0].body
    for column in elimination.groups[0].columns:
        if elimination.rows[column.speed, column.speed] == step.graph.zero:
            raise ModelError(
                f"joint '{body.name}' ({body.name} on {body.parent.name}): {body.name} and its outboard bodies do not"
                f" resist its motion. Give {body.name} mass or inertia, or use Weld."
            )


def _leave(step: Step, elimination: Elimination) -> None:
    columns = elimination.groups[0].columns
    speeds = [column.speed for column in columns]
    step.leave("columns", [x for column in columns for x in column.wrench.c])
    step.leave("inverse", [elimination.inverse[j] for j in speeds])
    step.leave("right", [elimination.right[j] for j in speeds])
    step.leave("rows", [elimination.rows[pair] for pair in _pairs(speeds)])


def _pairs(speeds: Sequence[int]) -> list[tuple[int, int]]:
    return [(j, k) for n, j in enumerate(speeds) for k in speeds[n + 1 :]]


def _found(step: Step, cell: Cell) -> tuple[Elimination, Group]:
    """What ``condense`` has left."""
    link, n = cell.link, len(cell.link.u)
    speeds = link.u[::-1]
    columns, pairs = step.find("columns", SIX * n), _pairs(speeds)
    made = Elimination(cell.forest, [])
    made.rows = dict(zip(pairs, step.find("rows", len(pairs)), strict=True))
    made.inverse = dict(zip(speeds, step.find("inverse", n), strict=True))
    made.right = dict(zip(speeds, step.find("right", n), strict=True))
    wrenches = [Wrench(link.frame, tuple(columns[SIX * k : SIX * k + SIX])) for k in range(n)]
    return made, Group(link, list(map(Pending, speeds, wrenches)), [], link.axes)


def accelerate(step: Step, cell: Cell, fields: Fields, result: Rows) -> None:
    """Outwards: u̇ of the body's speeds."""
    g, link = step.graph, cell.link
    step.recall("pose", cell.pose)
    reached, delta = dict[int, Twist](), [g.zero] * len(link.u)
    if link.parent is not None:
        reached[STUB] = Twist(link.base, tuple(step.get(fields.reached, "parent")))
    elimination, group = _found(step, cell)
    elimination.back(group, delta, reached)
    chosen = step.find("chosen", len(link.u))
    step.write(result, "u", link.u, [g.add(d, c) for d, c in zip(delta, chosen, strict=True)])
    if not cell.shape.leaf:
        step.put(fields.reached, "own", elimination.moved(link, reached, delta).c)


def pass_on(step: Step, cell: Cell, fields: Fields, rates: Sequence[int], result: Rows) -> None:
    """Inwards: the generalised forces that the body and all that hangs on it need, for u̇ or (without) for none."""
    g, link = step.graph, cell.link
    step.recall("pose", cell.pose)
    F = _force(step, cell)
    if not cell.shape.leaf:
        F = F + Wrench(link.frame, tuple(step.get(fields.sums, "own")))
    required = [value for _, value in felt(link, F)]
    if rates:
        found = with_efforts(cell.forest, required, rates)
    else:
        found = [g.sub(e, f) for f, e in zip(required, efforts(cell.forest), strict=True)]
    step.write(result, "u", link.u, found)
    if link.parent is not None:
        step.put(fields.sums, "parent", F.back(link.X).c, add=not cell.shape.alone)
