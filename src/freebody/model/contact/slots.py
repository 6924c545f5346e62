"""Slots: a pair of shapes with many candidates computes forces at a few of them, which it chooses anew at every state.

Candidates that overlap come before those that do not. Among those that do, each slot takes the one that is deepest in a
direction of its own that is tilted a little from the normal, so that a face on the ground is held near its corners, and
an edge at both ends; the directions turn with the first body. Among the others it takes the nearest one. No candidate
is in two slots. What belongs to a candidate, such as the bristles of friction, is read when a slot takes it and given
back to it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from freebody.model.contact.candidate import Candidate, Meeting, RelativePose
from freebody.model.contact.features import Ball, Touch
from freebody.model.contact.heightfield import numbers
from freebody.model.contact.triples import dot, minus, times
from freebody.scalar.expr import Expr, equal, lookup, where
from freebody.scalar.expr import max as largest

SPREAD = 0.3
"""The tilt of the directions, in radians: a point in the middle is taken where it overlaps more than those at the
border by this part of its distance from them. With 0.02, boxes at steps of 50 ms are thrown up again by points that no
slot held; with 1, points in the middle may sink in."""

FIRST = 1e4
"""Metres by which candidates that overlap come before others."""

LAST = -1e8
"""Metres, of candidates that are in another slot."""

DIRECTIONS = (
    (1.0, 0.9, 0.8), (-1.0, -0.9, 0.8), (1.0, -0.9, -0.8), (-1.0, 0.9, -0.8),
    (-1.0, -0.9, -0.8), (1.0, 0.9, -0.8), (-1.0, 0.9, 0.8), (1.0, -0.9, 0.8),
)  # fmt: skip
"""Of the slots in turn: the corners of a tetrahedron, which reach into all quarters of every plane, then of another."""


class Slot(NamedTuple):
    """What a slot holds: where its candidate is, what belongs to it, and by candidate 1 if it is this one, else 0."""

    meeting: Meeting
    own: tuple[Expr, ...]
    holds: list[Expr]


def fill(
    count: int,
    candidates: Sequence[Candidate],
    body: RelativePose,
    meetings: Sequence[Meeting],
    overlaps: Sequence[Expr],
    own: Sequence[Sequence[Expr]],
) -> list[Slot]:
    """Choose candidates by their ``overlaps`` (now, or at the end of a step), given the pose of the first ``body``;
    ``own`` are numbers of each."""
    near = [x > 0 for x in overlaps]
    ranks = [x + FIRST * closed for x, closed in zip(overlaps, near, strict=True)]
    points = _points(candidates)
    places: Sequence[Sequence[Any]] = points or [body.local(minus(m.point, body.origin)) for m in meetings]
    slots = list[Slot]()
    for k in range(count):
        tilt = times(SPREAD, DIRECTIONS[k % len(DIRECTIONS)])
        each = zip(ranks, near, places, strict=True)
        which = _highest([rank + closed * dot(tilt, place) for rank, closed, place in each])
        holds = [equal(which, i) for i in range(len(meetings))]
        ranks = [rank + LAST * held for held, rank in zip(holds, ranks, strict=True)]
        if points:
            meeting = _at(candidates, points, which).meet(body)
        else:
            v = [_held(holds, column) for column in zip(*map(_numbers, meetings), strict=True)]
            tangents = (v[4], v[5], v[6]), (v[7], v[8], v[9])
            meeting = Meeting(v[0], (v[1], v[2], v[3]), tangents, (v[10], v[11], v[12]))
        values = tuple(_held(holds, column) for column in zip(*own, strict=True))
        slots.append(Slot(meeting, values, holds))
    return slots


def _points(candidates: Sequence[Candidate]) -> list[tuple[float, float, float]] | None:
    """The places of points of the first body on one surface, if all candidates are such points at known places."""
    found, one = list[tuple[float, float, float]](), candidates[0]
    for c in candidates:
        if not (isinstance(c, Touch) and isinstance(c.feature, Ball) and isinstance(one, Touch) and c.of_first):
            return None
        ball, first = c.feature, one.feature
        assert isinstance(first, Ball)
        same = c.surface is one.surface and c.pose == one.pose and ball.radius == first.radius
        if not same or any(isinstance(x, Expr) for x in ball.at):
            return None
        x, y, z = (float(v) for v in ball.at)
        found.append((x, y, z))
    return found


def _at(candidates: Sequence[Candidate], points: Sequence[tuple[float, float, float]], which: Expr) -> Candidate:
    """The point of this number, as a candidate."""
    one = candidates[0]
    assert isinstance(one, Touch) and isinstance(one.feature, Ball)
    x, y, z = (lookup(numbers(f"points_{'xyz'[k]}", [p[k] for p in points]), which) for k in range(3))
    return replace(one, feature=replace(one.feature, at=(x, y, z)))


def give_back(slots: Sequence[Slot], values: Sequence[Expr], others: Sequence[Expr]) -> list[Expr]:
    """By candidate: the value of the slot that holds it; of those that no slot holds, ``others``."""
    result = list[Expr]()
    for i, other in enumerate(others):
        held = [slot.holds[i] for slot in slots]
        free = other * (1 - _sum(held))
        result.append(_sum([free, *(one * value for one, value in zip(held, values, strict=True))]))
    return result


def _highest(scores: Sequence[Expr]) -> Expr:
    """The number of the highest score, the first of equal ones: pairs of them, then pairs of pairs."""
    left = [(score, score * 0 + i) for i, score in enumerate(scores)]
    while len(left) > 1:
        pairs = [left[i : i + 2] for i in range(0, len(left), 2)]
        left = [
            (largest(pair[0][0], pair[1][0]), where(pair[1][0] > pair[0][0], pair[1][1], pair[0][1]))
            if len(pair) == 2
            else pair[0]
            for pair in pairs
        ]
    return left[0][1]


def _held(holds: Sequence[Expr], values: Sequence[Expr]) -> Expr:
    """The value of the candidate that is held; what is the same of all costs nothing."""
    if all(x == values[0] for x in values):
        return values[0]
    return _sum([one * x for one, x in zip(holds, values, strict=True)])


def _sum(terms: Sequence[Expr]) -> Expr:
    """The sum, of pairs and then pairs of pairs: the shortest way for a processor."""
    left = list(terms)
    while len(left) > 1:
        left = [left[i] + left[i + 1] if i + 1 < len(left) else left[i] for i in range(0, len(left), 2)]
    return left[0]


def _numbers(m: Meeting) -> list[Expr]:
    return [m.penetration, *m.normal, *m.tangents[0], *m.tangents[1], *m.point]
