"""Where the bodies of a tree stand: parents centred over their children, no two in each other's way."""

from collections.abc import Sequence
from dataclasses import dataclass

from freebody.errors import ArgumentError
from freebody.results import BodyInfo


@dataclass(frozen=True)
class Tree:
    """Bodies by number: parents (−1 for the ground), children, depths, and an order from the ground outwards."""

    parents: list[int]
    children: list[list[int]]
    depths: list[int]
    order: list[int]
    ground: str

    @property
    def roots(self) -> list[int]:
        return [k for k, p in enumerate(self.parents) if p < 0]

    @property
    def leaves(self) -> int:
        return sum(not c for c in self.children)

    @property
    def levels(self) -> int:
        return 1 + max(self.depths, default=-1)


def tree(elements: Sequence[BodyInfo]) -> Tree:
    """Who hangs on whom. What no element is called is the ground."""
    places = {e.name: k for k, e in enumerate(elements)}
    if len(places) < len(elements):
        twice = next(e.name for k, e in enumerate(elements) if places[e.name] != k)
        raise ArgumentError(f"diagram: two bodies are called '{twice}'; give each its own name")
    parents = [places.get(e.parent, -1) for e in elements]
    children: list[list[int]] = [[] for _ in elements]
    for k, p in enumerate(parents):
        if p >= 0:
            children[p].append(k)
    order = [k for k, p in enumerate(parents) if p < 0]
    for k in order:
        order += children[k]
    if len(order) < len(elements):
        lost = elements[min(set(range(len(elements))) - set(order))].name
        raise ArgumentError(f"diagram: '{lost}' hangs on itself, by way of its parents; one of them must be the ground")
    depths = [0] * len(elements)
    for k in order:
        depths[k] = 0 if parents[k] < 0 else depths[parents[k]] + 1
    grounds = dict.fromkeys(e.parent for e in elements if e.parent not in places)
    return Tree(parents, children, depths, order, ", ".join(grounds) or "ground")


NEAR = 8.0
Outline = tuple[list[float], list[float]]
"""The two sides of a subtree level by level, the deepest first, seen from its root."""


def spread(t: Tree, before: Sequence[float], after: Sequence[float], apart: float, lean: float = 0.5) -> list[float]:
    """The places of the bodies across the levels, all from 0 on (after Reingold and Tilford, 1981).

    A body needs ``before`` and ``after`` on its two sides. Subtrees stand as close as their outlines allow, and a
    parent stands between its first child (``lean`` 0) and its last (1).
    """
    offsets, outlines = [0.0] * len(before), dict[int, Outline]()
    for k in reversed(t.order):
        centres, (low, high) = _packed([outlines.pop(c) for c in t.children[k]], apart)
        middle = _middle(centres, lean)
        for child, centre in zip(t.children[k], centres, strict=True):
            offsets[child] = centre - middle
        if middle:
            low, high = [x - middle for x in low], [x - middle for x in high]
        low.append(-before[k])
        high.append(after[k])
        outlines[k] = low, high
    centres, (low, _) = _packed([outlines[k] for k in t.roots], apart)
    found = dict(zip(t.roots, (c - min(low, default=0.0) for c in centres), strict=True))
    for k in t.order:
        if t.parents[k] >= 0:
            found[k] = found[t.parents[k]] + offsets[k]
    return [found[k] for k in range(len(before))]


def _middle(centres: Sequence[float], lean: float) -> float:
    """A place between the first and the last, or that of one that is all but there."""
    if not centres:
        return 0.0
    middle = centres[0] + lean * (centres[-1] - centres[0])
    return next((c for c in centres if abs(c - middle) < NEAR), middle)


def _packed(subtrees: Sequence[Outline], apart: float) -> tuple[list[float], Outline]:
    """Where the roots of neighbouring subtrees stand, and the outline of them all."""
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
