"""The geometry of a diagram: where boxes, lines, symbols and their labels go, from the top down or sideways."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from freebody.viewer.layout import Tree, spread

MARGIN, TITLE, GROUND = 18.0, 30.0, 26.0
HEIGHT, APART, BESIDE = 42.0, 22.0, 15.0
NARROWEST, STEM, LINE = 260.0, 16.0, 13.0
"""Of the whole; from a box to where its line forks; between lines of text."""


@dataclass(frozen=True)
class Size:
    """What a body needs: the width of the boxes, the width of its joint's label and the number of its lines."""

    box: float
    label: float
    lines: int


@dataclass(frozen=True)
class Spot:
    """One body and its joint: the upper left corner of its box, the line from its parent (corners in order), its
    joint's symbol, and the left ends of the lines of the label."""

    x: float
    y: float
    line: tuple[tuple[float, float], ...]
    symbol: tuple[float, float]
    label: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Plan:
    """Everything in its place; ``bar`` is the surface of the ground."""

    width: float
    height: float
    sideways: bool
    bar: tuple[float, float, float, float]
    spots: list[Spot]


def plan(t: Tree, sizes: Sequence[Size], widest: float = 1000.0) -> Plan:
    """From the top down; sideways where that is narrower and the other too wide for a page."""
    upright = _down(t, sizes)
    if upright.width <= widest:
        return upright
    lying = _sideways(t, sizes)
    return lying if lying.width < upright.width else upright


def _down(t: Tree, sizes: Sequence[Size]) -> Plan:
    box = max((s.box for s in sizes), default=0.0)
    needs = [max(box / 2, BESIDE + s.label) for s in sizes]
    across = [MARGIN + round(x) for x in spread(t, [box / 2] * len(sizes), needs, APART)]
    surface, drop = MARGIN + TITLE + GROUND, max([40.0, *(LINE * s.lines + 18 for s in sizes)])
    tops = [surface + drop + d * (HEIGHT + STEM + drop) for d in t.depths]
    spots = []
    for k, (x, y) in enumerate(zip(across, tops, strict=True)):
        p, middle, fork = t.parents[k], y - drop / 2, y - drop
        start = [(x, surface)] if p < 0 else [(across[p], tops[p] + HEIGHT), (across[p], fork), (x, fork)]
        first = middle + LINE * (0.8 - sizes[k].lines / 2)
        label = tuple((x + BESIDE, first + j * LINE) for j in range(sizes[k].lines))
        spots.append(Spot(x - box / 2, y, (*start, (x, y)), (x, middle), label))
    right = max((x + n for x, n in zip(across, needs, strict=True)), default=MARGIN + 100)
    ends = [across[k] for k in t.roots] or [MARGIN + 40]
    bar = (min(ends) - 40, surface, max(ends) + 40, surface)
    return _framed(Plan(right, max(tops, default=surface) + HEIGHT, False, bar, spots))


def _sideways(t: Tree, sizes: Sequence[Size]) -> Plan:
    box = max((s.box for s in sizes), default=0.0)
    below = [max(HEIGHT / 2, LINE * (s.lines - 1) + 6) for s in sizes]
    top = MARGIN + TITLE + LINE
    across = [top + round(y) for y in spread(t, [HEIGHT / 2] * len(sizes), below, APART / 2, lean=0)]
    surface = MARGIN + GROUND
    lefts, gaps = _levels(t, sizes, surface, box)
    spots = []
    for k, y in enumerate(across):
        p, left = t.parents[k], lefts[t.depths[k]]
        fork = left - gaps[t.depths[k]] + STEM
        start = [(surface, y)] if p < 0 else [(lefts[t.depths[p]] + box, across[p]), (fork, across[p]), (fork, y)]
        x = fork + BESIDE
        heights = [y - 5.0, *(y + LINE * j for j in range(1, sizes[k].lines))]
        label = tuple((x + BESIDE, h) for h in heights[: sizes[k].lines])
        spots.append(Spot(left, y - HEIGHT / 2, (*start, (left, y)), (x, y), label))
    low = max((y + b for y, b in zip(across, below, strict=True)), default=top)
    roots = [across[k] for k in t.roots]
    bar = (surface, min(roots) - 24, surface, max(roots) + 24)
    return _framed(Plan(lefts[-1] + box, max(low, bar[3]), True, bar, spots))


def _levels(t: Tree, sizes: Sequence[Size], start: float, box: float) -> tuple[list[float], list[float]]:
    """Left edges of the boxes of each level, and the gaps before them, wide enough for the labels."""
    labels = [0.0] * t.levels
    for size, d in zip(sizes, t.depths, strict=True):
        labels[d] = max(labels[d], size.label)
    gaps = [STEM + 2 * BESIDE + 10 + ceil(label) for label in labels]
    return [start + sum(gaps[: d + 1]) + d * box for d in range(t.levels)], gaps


def _framed(made: Plan) -> Plan:
    """With a margin around everything, the bar's ends among it."""
    wide, high = max(made.width, made.bar[2], NARROWEST) + MARGIN, max(made.height, made.bar[3]) + MARGIN
    return replace(made, width=wide, height=high)
