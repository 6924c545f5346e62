"""Which joint of a loop is cut at least cost: operations of u̇ for each spanning tree of a loop."""

from dataclasses import dataclass

from freebody.api.derive import cheapest
from freebody.errors import FreebodyError
from freebody.model.model import Model
from freebody.model.recut import loop_bodies, recut

LARGEST, MOST = 12, 12
"""Bodies of a system, and joints of its loops, up to which other cuts are examined: each needs a search."""


@dataclass(frozen=True)
class LoopCut:
    """A joint at which a loop can be cut: a closure, or a body for its joint to its parent. ``operations`` of u̇ are
    those of the smallest program that was found; None if the cut was not examined, for a ``reason``."""

    loop: str
    joint: str
    operations: int | None = None
    reason: str = ""


def loop_cuts(model: Model) -> list[LoopCut]:
    """For each closure the present cut first, then the other joints of its loop."""
    loops = {n: loop_bodies(model, n) for n, c in model.constraints.items() if c.joint is not None}
    joints = sum(map(len, loops.values()))
    if not loops:
        return []
    if len(model.bodies) > LARGEST or joints > MOST:
        reason = f"{len(model.bodies)} bodies and {joints} joints in loops are too many to try each cut"
        return [LoopCut(loop, joint, reason=reason) for loop, bodies in loops.items() for joint in (loop, *bodies)]
    cuts = list[LoopCut]()
    now = _operations(model)
    for loop, bodies in loops.items():
        cuts.append(LoopCut(loop, loop, now))
        for body in bodies:
            try:
                cuts.append(LoopCut(loop, body, _operations(recut(model, loop, body))))
            except FreebodyError as error:
                cuts.append(LoopCut(loop, body, reason=str(error)))
    return cuts


def _operations(model: Model) -> int:
    return cheapest(model, (), 1).operations["forward_dynamics"].total
