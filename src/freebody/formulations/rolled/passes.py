"""The steps at one body, each for a pass over all of them: what an unrolled program does at a link, between reading
what the steps before have left and writing what the steps after will need."""

from collections.abc import Sequence
from dataclasses import dataclass

from freebody.errors import ModelError
from freebody.formulations.articulated import Articulated
from freebody.formulations.efforts import efforts, with_efforts
from freebody.formulations.elimination import Column, Elimination, Gone, Level, own_axes, push_of, spatial
from freebody.formulations.inwards import Inwards, Push
from freebody.formulations.recursive import Reference
from freebody.formulations.rolled.cell import STUB, Cell
from freebody.formulations.rolled.memory import Field, Step
from freebody.scalar.assemble import Rows
from freebody.spatial.triples import Triple, add3
from freebody.tree.inertia import Inertia, divide, inertia_of, own, plus, six, to_parent
from freebody.tree.motion import Motion

MOVING, TEN, SIX, ARTICULATED = 9, 10, 6, 21
"""Columns of ω, α, a; of m, h, Σ; of a torque and a force or of α and a; of J, H, M."""


def sizes(pose: int, speeds: int, forward: bool) -> dict[str, int]:
    """The lists that passes leave in a body's notes, and how long they are."""
    shared = {"pose": pose, "force": SIX}
    if not forward:
        return shared
    singles = dict.fromkeys(("chosen", "inverse", "right"), speeds)
    return {**shared, **singles, "columns": SIX * speeds, "rows": speeds * (speeds - 1) // 2}


def three(values: Sequence[int]) -> Triple:
    x, y, z = values
    return x, y, z


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
    g, link = step.graph, cell.link
    inertia = own(link)
    if not cell.shape.leaf:
        inertia = plus(g, inertia, _inertia(step, step.get(fields.moved, "own")))
    kept, goes = divide(link, inertia)
    step.leave("inertia", [kept.m, *kept.h, *kept.S])
    if link.parent is not None and goes is not None:
        there = to_parent(link, goes, link.parent.frame)
        step.put(fields.moved, "parent", [there.m, *there.h, *there.S], add=True)


def _inertia(step: Step, ten: Sequence[int]) -> Inertia:
    m, x, y, z, *S = ten
    return inertia_of(step.graph, m, (x, y, z), six(S))


def _kept(step: Step) -> Inertia:
    """What ``rewrite`` has left."""
    return _inertia(step, step.find("inertia", TEN))


def move(step: Step, cell: Cell, fields: Fields, motion: Motion) -> None:
    """Outwards: ω, α, a, and the force that the body itself needs."""
    link = cell.link
    if link.parent is not None:
        found = step.get(fields.motion, "parent")
        motion.know(link.parent, three(found[:3]), three(found[3:6]), three(found[6:]))
    push = Inwards(motion, [_kept(step)]).own(link)
    step.leave("pose", cell.pose)
    step.leave("force", spatial(push))
    if not cell.shape.leaf:
        turning = motion.turning(link)
        step.put(fields.motion, "own", [*turning.w, *turning.alpha, *motion.acceleration(link)])


def refer(step: Step, cell: Cell, fields: Fields) -> None:
    """``move`` with u̇₀ in place of u̇."""
    motion = Reference(cell.forest)
    move(step, cell, fields, motion)
    step.leave("chosen", [motion.chosen.get(k, step.graph.zero) for k in cell.link.u])


def condense(step: Step, cell: Cell, fields: Fields, tau: Rows | None) -> None:
    """Inwards: the body's speeds are eliminated; its parent gets what is left."""
    g, link = step.graph, cell.link
    step.recall("pose", cell.pose)
    level = Level(_kept(step), None, push_of(step.find("force", SIX)))
    if not cell.shape.leaf:
        level.soft, level.force = _arrived(step, fields.sums, level.force)
    elimination = _elimination(cell, level.body)
    right = efforts(cell.forest)
    if tau is not None:
        right = [g.add(t, e) for t, e in zip(step.read(tau, "u", link.u), right, strict=True)]
    gone = elimination.meet(link, level, right, {}, {})
    assert gone is not None
    _require_pivots(step, gone)
    _leave(step, gone)
    if link.parent is not None:
        parent = Level(level.body, None, push_of([g.zero] * SIX))
        elimination.hand_on(link, level, parent)
        assert parent.soft is not None
        soft, H = parent.soft, [x for row in parent.soft.H for x in row]
        step.put(fields.sums, "parent", [*spatial(parent.force), *soft.J, *H, *soft.M], add=not cell.shape.alone)


def _arrived(step: Step, sums: Field, force: Push) -> tuple[Articulated, Push]:
    """The articulated inertia that has reached a body, and the force with its own."""
    found = step.get(sums, "own")
    J, H, M = found[6:12], [found[k : k + 3] for k in (12, 15, 18)], found[21:]
    return Articulated(six(J), H, six(M)), _together(step, force, push_of(found[:6]))


def _together(step: Step, a: Push, b: Push) -> Push:
    return Push(add3(step.graph, a.f, b.f), add3(step.graph, a.n, b.n))


def _elimination(cell: Cell, inertia: Inertia) -> Elimination:
    return Elimination(Inwards(Motion(cell.forest), [inertia]), [inertia], {cell.link.index})


def _require_pivots(step: Step, gone: Gone) -> None:
    """Refuse a speed that nothing resists."""
    body = step.kind.links[0].body
    for column in gone.columns:
        if gone.rows[column.place, column.place] == step.graph.zero and body.parent is not None:
            raise ModelError(
                f"joint '{body.name}' ({body.name} on {body.parent.name}): {body.name} and its outboard bodies do not"
                f" resist its motion. Give {body.name} mass or inertia, or use Weld."
            )


def _leave(step: Step, gone: Gone) -> None:
    places = [column.place for column in gone.columns]
    step.leave("columns", [x for column in gone.columns for x in spatial(column.push)])
    step.leave("inverse", [gone.inverse[j] for j in places])
    step.leave("right", [gone.right[j] for j in places])
    step.leave("rows", [gone.rows[pair] for pair in _pairs(places)])


def _pairs(places: Sequence[int]) -> list[tuple[int, int]]:
    return [(j, k) for n, j in enumerate(places) for k in places[n + 1 :]]


def _found(step: Step, cell: Cell) -> Gone:
    """What ``condense`` has left."""
    link, n = cell.link, len(cell.link.u)
    places = link.u[::-1]
    columns, pairs = step.find("columns", SIX * n), _pairs(places)
    return Gone(
        link,
        [Column(j, push_of(columns[SIX * k : SIX * k + SIX])) for k, j in enumerate(places)],
        [],
        dict(zip(pairs, step.find("rows", len(pairs)), strict=True)),
        dict(zip(places, step.find("inverse", n), strict=True)),
        dict(zip(places, step.find("right", n), strict=True)),
        own_axes(link),
    )


def accelerate(step: Step, cell: Cell, fields: Fields, result: Rows) -> None:
    """Outwards: u̇ of the body's speeds."""
    g, link = step.graph, cell.link
    step.recall("pose", cell.pose)
    reached = dict[int, tuple[Triple, Triple]]()
    if link.parent is not None:
        found = step.get(fields.reached, "parent")
        reached[STUB] = three(found[:3]), three(found[3:])
    elimination, delta = _elimination(cell, _kept(step)), [g.zero] * len(link.u)
    elimination.back(_found(step, cell), delta, reached)
    chosen = step.find("chosen", len(link.u))
    step.write(result, "u", link.u, [g.add(d, c) for d, c in zip(delta, chosen, strict=True)])
    if not cell.shape.leaf:
        alpha, a = elimination.moved(link, reached, delta)
        step.put(fields.reached, "own", [*alpha, *a])


def pass_on(step: Step, cell: Cell, fields: Fields, rates: Sequence[int], result: Rows) -> None:
    """Inwards: the generalised forces that the body and all that hangs on it need, for u̇ or (without) for none."""
    g, link = step.graph, cell.link
    step.recall("pose", cell.pose)
    inwards, push = Inwards(Motion(cell.forest), []), push_of(step.find("force", SIX))
    if not cell.shape.leaf:
        push = _together(step, push, push_of(step.get(fields.sums, "own")))
    needed = inwards.along(link, push)
    if rates:
        found = with_efforts(cell.forest, needed, rates)
    else:
        found = [g.sub(e, f) for f, e in zip(needed, efforts(cell.forest), strict=True)]
    step.write(result, "u", link.u, found)
    if link.parent is not None:
        step.put(fields.sums, "parent", spatial(inwards.handed(link, push)), add=not cell.shape.alone)
