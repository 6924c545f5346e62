"""Which curves of one unit can share an axis: none of them is flattened by the others."""

from collections.abc import Sequence
from itertools import pairwise

Range = tuple[float, float]
SPREAD, ALIKE = 100.0, 10.0
"""A curve that changes by less than 1/SPREAD of its axis is flattened. Curves whose changes differ by less than ALIKE
from the largest stay with it."""


def share(ranges: Sequence[Range], smallest: Sequence[float]) -> list[list[int]]:
    """Indices of curves by axis, from the lowest and the highest value of each.

    If the largest change of a curve (highest minus lowest value) is more than SPREAD times the smallest, the curves are
    divided where, in descending order of change, the quotient of neighbours is largest, and the rest likewise. Then
    curves are divided by their positions, where the distance between them flattens one. Curves that change by no more
    than ``smallest`` are constant: they are put where they extend an axis least, unless they would flatten it.
    """
    changes = [high - low for low, high in ranges]
    moving = [k for k in range(len(ranges)) if changes[k] > smallest[k]]
    axes = [axis for several in _by_change(moving, changes) for axis in _by_position(several, ranges)]
    finest, constant = [min(changes[k] for k in axis) for axis in axes], list[int]()
    for k in sorted({*range(len(ranges))} - {*moving}):
        extents = [_extent([*axis, k], ranges) for axis in axes]
        growth = {
            n: extents[n] - _extent(axis, ranges) for n, axis in enumerate(axes) if extents[n] <= SPREAD * finest[n]
        }
        (axes[min(growth, key=growth.__getitem__)] if growth else constant).append(k)
    return sorted(sorted(axis) for axis in [*axes, constant] if axis)


def _extent(axis: Sequence[int], ranges: Sequence[Range]) -> float:
    return max(ranges[k][1] for k in axis) - min(ranges[k][0] for k in axis)


def _by_change(curves: Sequence[int], changes: Sequence[float]) -> list[list[int]]:
    """Classes of curves with similar changes, the largest first."""
    order = sorted(curves, key=lambda k: -changes[k])
    if not order or changes[order[0]] <= SPREAD * changes[order[-1]]:
        return [order] if order else []
    largest = changes[order[0]]
    cuts = {
        n: changes[a] / changes[b]
        for n, (a, b) in enumerate(pairwise(order), start=1)
        if SPREAD * changes[a] >= largest >= ALIKE * changes[b]
    }
    cut = max(cuts, key=cuts.__getitem__)
    return [order[:cut], *_by_change(order[cut:], changes)]


def _by_position(curves: Sequence[int], ranges: Sequence[Range]) -> list[list[int]]:
    """The curves divided at the widest gap between them, if that is wider than all of them and flattens one."""
    order = sorted(curves, key=lambda k: ranges[k])
    changes = [high - low for low, high in (ranges[k] for k in order)]
    gaps = {n: ranges[order[n]][0] - max(ranges[k][1] for k in order[:n]) for n in range(1, len(order))}
    cut = max(gaps, key=gaps.__getitem__, default=0)
    if not cut or gaps[cut] <= max(changes) or _extent(order, ranges) <= SPREAD * min(changes):
        return [list(curves)]
    return [*_by_position(order[:cut], ranges), *_by_position(order[cut:], ranges)]
