"""The geometry of a diagram: boxes, lines, symbols and labels of a tree of bodies, upright or as an outline with a row
for each body; and lines of constraints in lanes behind the leaves of the tree."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from freebody.errors import ArgumentError
from freebody.results import BodyInfo

MARGIN, TITLE, GROUND = 18.0, 30.0, 26.0
HEIGHT, APART, BESIDE = 42.0, 22.0, 15.0
NARROWEST, STEM, LINE = 260.0, 16.0, 13.0
"""The smallest width of a diagram; from a box to where its line forks; between lines of text."""

ROW, ROW_GAP, INDENT, SPINE = 28.0, 8.0, 30.0, 15.0
"""Of outlines: the height of a row and the gap below it, the indentation of children, and where in a box its joint's
symbol is and the line to its children begins."""
NEAR = 8.0
"""A parent that would stand this close to the position of a child stands exactly there."""

LANE, CLEAR = 38.0, 5.0
"""From a lane of constraints to the next, without labels; the distance between lines of constraints."""
PORTS = {
    "leaf": (0.5, 0.3, 0.7, 0.4, 0.6, 0.2, 0.8), "upright": (0.38, 0.3, 0.22, 0.14), "outline": (0.07, 0.93, 0.25, 0.75)
}  # fmt: skip
"""Where lines of constraints may leave a box, in fractions of its side: upright, that of a body without children and of
others; they avoid the tree's lines and the labels."""

LabelSize = tuple[float, int]
"""The width of a joint's label and the number of its lines."""

Outline = tuple[list[float], list[float]]
"""The two sides of a subtree level by level, the deepest first, relative to its root."""


@dataclass(frozen=True)
class BodyTree:
    """Bodies by index: parents (−1 for the ground), children, depths, and an order from the ground outwards."""

    parents: list[int]
    children: list[list[int]]
    depths: list[int]
    order: list[int]
    ground: str

    @property
    def roots(self) -> list[int]:
        return [k for k, p in enumerate(self.parents) if p < 0]


def tree(bodies: Sequence[BodyInfo]) -> BodyTree:
    """The tree of bodies. A parent that is not among them is the ground."""
    index = {b.name: k for k, b in enumerate(bodies)}
    if len(index) < len(bodies):
        twice = next(b.name for k, b in enumerate(bodies) if index[b.name] != k)
        raise ArgumentError(f"diagram: two bodies are called '{twice}'; give each its own name")
    parents = [index.get(b.parent, -1) for b in bodies]
    children: list[list[int]] = [[] for _ in bodies]
    for k, p in enumerate(parents):
        if p >= 0:
            children[p].append(k)
    order, depths = [k for k, p in enumerate(parents) if p < 0], [0] * len(bodies)
    for k in order:
        order += children[k]
        depths[k] = 0 if parents[k] < 0 else depths[parents[k]] + 1
    if len(order) < len(bodies):
        lost = bodies[min(set(range(len(bodies))) - set(order))].name
        raise ArgumentError(
            f"diagram: '{lost}' is its own parent, directly or through other bodies; each chain of parents must end"
            " at the ground"
        )
    grounds = dict.fromkeys(b.parent for b in bodies if b.parent not in index)
    return BodyTree(parents, children, depths, order, ", ".join(grounds) or "ground")


def spread(t: BodyTree, before: Sequence[float], after: Sequence[float], apart: float) -> list[float]:
    """The positions of the bodies across the levels, all from 0 on (after Reingold and Tilford, 1981).

    A body needs ``before`` and ``after`` on its two sides. Subtrees stand as close as their outlines allow, and a
    parent stands in the middle between its first child and its last.
    """
    offsets, outlines = [0.0] * len(before), dict[int, Outline]()
    for k in reversed(t.order):
        centres, (low, high) = _pack([outlines.pop(c) for c in t.children[k]], apart)
        middle = (centres[0] + centres[-1]) / 2 if centres else 0.0
        middle = next((c for c in centres if abs(c - middle) < NEAR), middle)
        for child, centre in zip(t.children[k], centres, strict=True):
            offsets[child] = centre - middle
        if middle:
            low, high = [x - middle for x in low], [x - middle for x in high]
        low.append(-before[k])
        high.append(after[k])
        outlines[k] = low, high
    centres, (low, _) = _pack([outlines[k] for k in t.roots], apart)
    positions = dict(zip(t.roots, (c - min(low, default=0.0) for c in centres), strict=True))
    for k in t.order:
        if t.parents[k] >= 0:
            positions[k] = positions[t.parents[k]] + offsets[k]
    return [positions[k] for k in range(len(before))]


def _pack(subtrees: Sequence[Outline], apart: float) -> tuple[list[float], Outline]:
    """The positions of the roots of neighbouring subtrees, and the outline of all of them."""
    if len(subtrees) == 1:
        return [0.0], subtrees[0]
    centres, low, high = list[float](), list[float](), list[float]()
    for left, right in subtrees:
        both = range(1, min(len(high), len(left)) + 1)
        shift = max((high[-j] - left[-j] + apart for j in both), default=0.0)
        centres.append(shift)
        low = [x + shift for x in left[: max(0, len(left) - len(low))]] + low
        high = high[: max(0, len(high) - len(right))] + [x + shift for x in right]
    return centres, (low, high)


@dataclass(frozen=True)
class DiagramNode:
    """A body and its joint: the upper left corner of its box, the line from its parent (corners in order), the joint's
    symbol, and the left ends of the lines of the label."""

    x: float
    y: float
    line: tuple[tuple[float, float], ...]
    symbol: tuple[float, float]
    label: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class DiagramEdge:
    """A constraint between two bodies, or between a body and the ground: its line, its symbol, the left end of its
    label, and the surface of the ground (two points) if the line ends there."""

    line: tuple[tuple[float, float], ...]
    symbol: tuple[float, float]
    label: tuple[float, float]
    ground: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
class DiagramLayout:
    """The size of a diagram and of its boxes, and the positions of everything in it; ``bar`` is the surface of the
    ground, ``notes`` are the left ends of lines of text at the lower end."""

    width: float
    height: float
    box: tuple[float, float]
    is_outline: bool
    bar: tuple[float, float, float, float]
    bodies: list[DiagramNode]
    edges: tuple[DiagramEdge, ...] = ()
    notes: tuple[tuple[float, float], ...] = ()


def upright(t: BodyTree, box: float, labels: Sequence[LabelSize], top: float) -> DiagramLayout:
    """From the top down, children side by side; labels are beside the lines. ``box`` is the width of all boxes, ``top``
    the height of the title."""
    needs = [max(box / 2, BESIDE + width) for width, _ in labels]
    across = [MARGIN + round(x) for x in spread(t, [box / 2] * len(labels), needs, APART)]
    surface, drop = MARGIN + top + GROUND, max([40.0, *(LINE * lines + 18 for _, lines in labels)])
    tops = [surface + drop + d * (HEIGHT + STEM + drop) for d in t.depths]
    bodies = []
    for k, (x, y) in enumerate(zip(across, tops, strict=True)):
        p, middle, fork = t.parents[k], y - drop / 2, y - drop
        start = [(x, surface)] if p < 0 else [(across[p], tops[p] + HEIGHT), (across[p], fork), (x, fork)]
        lines = labels[k][1]
        first = middle + LINE * (0.8 - lines / 2)
        label = tuple((x + BESIDE, first + j * LINE) for j in range(lines))
        bodies.append(DiagramNode(x - box / 2, y, (*start, (x, y)), (x, middle), label))
    right = max((x + n for x, n in zip(across, needs, strict=True)), default=MARGIN + 100)
    ends = [across[k] for k in t.roots] or [MARGIN + 40]
    bar = (min(ends) - 40, surface, max(ends) + 40, surface)
    return _framed(right, max(tops, default=surface) + HEIGHT, (box, HEIGHT), False, bar, bodies)


def outline(t: BodyTree, box: float, labels: Sequence[float], top: float) -> DiagramLayout:
    """A row for each body, behind its parent. A single child is below its parent; several are indented. ``box`` is the
    width of all boxes, ``labels`` are the widths of the joints' labels, in one line beside the boxes, ``top`` is the
    height of the title."""
    surface = MARGIN + top + GROUND
    lefts, tops, bodies = [0.0] * len(labels), [0.0] * len(labels), dict[int, DiagramNode]()
    rows = list(reversed(t.roots))
    while rows:
        k = rows.pop()
        rows += reversed(t.children[k])
        p, y = t.parents[k], surface + ROW_GAP + len(bodies) * (ROW + ROW_GAP)
        left, low = (lefts[p], tops[p] + ROW) if p >= 0 else (MARGIN, surface)
        single = len(t.roots if p < 0 else t.children[p]) == 1
        lefts[k], tops[k], spine, middle = left if single else left + INDENT, y, left + SPINE, y + ROW / 2
        corners = [(spine, low), (spine, y)] if single else [(spine, low), (spine, middle), (lefts[k], middle)]
        label = (lefts[k] + box + BESIDE, middle + 4.0)
        bodies[k] = DiagramNode(lefts[k], y, tuple(corners), (lefts[k] + SPINE, middle), (label,))
    right = max((bodies[k].label[0][0] + width for k, width in enumerate(labels)), default=MARGIN + 100)
    low = max(tops, default=surface) + ROW
    bar = (MARGIN, surface, MARGIN + 80, surface)
    return _framed(right, low, (box, ROW), True, bar, [bodies[k] for k in range(len(labels))])


def _framed(
    width: float,
    height: float,
    box: tuple[float, float],
    is_outline: bool,
    bar: tuple[float, float, float, float],
    bodies: list[DiagramNode],
) -> DiagramLayout:
    """The layout with a margin around everything, the ends of the bar included."""
    return DiagramLayout(
        max(width, bar[2], NARROWEST) + MARGIN, max(height, bar[3]) + MARGIN, box, is_outline, bar, bodies
    )


def with_constraints(
    t: BodyTree,
    layout: DiagramLayout,
    ends: Sequence[tuple[int, int]],
    widths: Sequence[float],
    notes: Sequence[float],
) -> DiagramLayout:
    """The layout with a line for each pair of bodies (by index; −1 for the ground) in lanes behind the leaves of the
    tree, and with notes below all. ``widths`` and ``notes`` are the widths of labels and notes.

    A line leaves its boxes on the side of the leaves, beside the lines of the tree. Lines share a lane where they and
    their labels do not meet. Positions are computed as (along the lane, depth from the ground).
    """
    side, (wide, high) = layout.is_outline, layout.box
    used, lanes = list[float](), list[list[tuple[float, float]]]()

    def placed(along: float, depth: float) -> tuple[float, float]:
        return (depth, along) if side else (along, depth)

    def port(k: int) -> tuple[float, float]:
        """Where the next line of a body begins: away from other lines, if there is room."""
        node, fractions = layout.bodies[k], PORTS["outline" if side else "upright" if t.children[k] else "leaf"]
        start, size, depth = (node.y, high, node.x + wide) if side else (node.x, wide, node.y + high)
        places = [start + size * fraction for fraction in fractions]
        place = next((x for x in places if all(abs(x - other) >= CLEAR for other in used)), places[0])
        used.append(place)
        return place, depth

    first = (layout.width if side else layout.height) - MARGIN + APART
    step = LANE + (STEM + max(widths, default=0.0) if side else 0.0)
    edges, right, low = list[DiagramEdge](), layout.width - MARGIN, layout.height - MARGIN
    for pair, width in zip(ends, widths, strict=True):
        starts = sorted(port(k) for k in pair if k >= 0)
        middle = (starts[0][0] + starts[-1][0]) / 2
        reach = (starts[0][0] - 12, max(starts[-1][0] + 12, middle + (LINE if side else BESIDE + width)))
        free = (k for k, taken in enumerate(lanes) if all(b < reach[0] or reach[1] < a for a, b in taken))
        lane = next(free, len(lanes))
        lanes += [[]] if lane == len(lanes) else []
        lanes[lane].append(reach)
        depth = first + lane * step
        corners = [starts[0], (starts[0][0], depth)]
        grounded, surface = len(starts) == 1, None
        if grounded:
            corners.append((middle, depth + STEM))
            surface = (*placed(middle - 12, depth + STEM), *placed(middle + 12, depth + STEM))
        else:
            corners += [(starts[1][0], depth), starts[1]]
        x, y = placed(middle, depth)
        label = (x + BESIDE + (STEM if side and grounded else 0.0), y + (4.0 if side or grounded else 15.0))
        edges.append(DiagramEdge(tuple(placed(*corner) for corner in corners), (x, y), label, surface))
        right, low = max(right, label[0] + width), max(low, y + STEM + 9)
    texts = tuple((MARGIN, low + APART + LINE * k) for k in range(len(notes)))
    right, low = max([right, *(MARGIN + w for w in notes)]), texts[-1][1] + 4 if texts else low
    return replace(layout, width=right + MARGIN, height=low + MARGIN, edges=tuple(edges), notes=texts)
