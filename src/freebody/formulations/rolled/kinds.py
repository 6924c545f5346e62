"""Bodies sorted into kinds: those that one traced step serves, told apart by numbers alone.

What a body's description holds besides numbers is its ``Shape``; the numbers are its scalars, in a fixed order. Bodies
of one shape are a kind. A scalar that all of a kind share stands in the step as a number; the others are read from a
table, or where parameters decide them from an array that a block fills.

Links that share a speed (a body with speeds of its own and its nodes; coupled joints and the links between them) are
one ``cluster``: one step serves them all, so that the speed is eliminated within it. All other links are
clusters alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from freebody.model.element import Pattern, split
from freebody.model.joints.base import Joint, scalar
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import Number
from freebody.spatial.scalars import PAIRS
from freebody.tree.forest import Forest, Link

PATTERNS = 8
"""Orientations whose exact entries (0, ±1) differ are kinds of their own, up to so many for joints of one shape."""

FEW = 8
"""Roots and leaves are kinds of their own where they are more than one in so many of their shape."""

EXACT = (0, 1, -1)
OUTER = -1


@dataclass(frozen=True)
class Shape:
    """What bodies of a kind have in common. ``orient``: the exact entries of the joint's orientation in the parent,
    None where it has none; ``given``: which speeds are prescribed; ``skewed``: the parent's axes are not its working
    frame's; ``pushed``: loads act on it; ``joint_forces``: the speeds with joint forces; ``root``: it hangs on the
    ground; ``leaf``: nothing hangs on it; ``alone``: nothing else hangs on its parent. In a cluster of several links
    ``leaf`` and ``alone`` count bodies of other clusters, ``parent`` is the parent's number in the cluster
    (``OUTER``: it is of another one, or the ground) and ``follows`` that of the link to whose joint its own is
    coupled."""

    joint: type[Joint]
    options: tuple[tuple[str, Any], ...]
    orient: tuple[int | None, ...] | None
    given: tuple[bool, ...]
    skewed: bool
    pushed: bool
    joint_forces: tuple[int, ...]
    root: bool = False
    leaf: bool = False
    alone: bool = False
    parent: int = OUTER
    follows: int = OUTER

    def dressed(self, scalars: Iterator[Expr]) -> Joint:
        """The joint with these scalars in its options."""
        return Pattern(self.joint, self.options).fill(scalars)  # type: ignore[no-any-return]


@dataclass(eq=False)
class BodyKind:
    """The clusters of one shape, by their first links, and where their scalars are found: a number, or ("numbers" |
    "given", column). ``counts`` are those of each link's scalars."""

    shapes: tuple[Shape, ...]
    counts: tuple[int, ...]
    links: list[Link] = field(default_factory=list)
    scalars: list[list[int]] = field(default_factory=list)
    places: list[Number | tuple[str, int]] = field(default_factory=list)

    @property
    def shape(self) -> Shape:
        """That of the first link."""
        return self.shapes[0]


@dataclass(frozen=True)
class ScalarTable:
    """What the kinds read: nodes that are numbers, nodes that a block computes, and where each body's begin."""

    numbers: list[int]
    nodes: list[int]
    starts: Mapping[str, list[int]]


def described(link: Link) -> tuple[type[Joint], tuple[tuple[str, Any], ...], tuple[int | None, ...] | None, list[int]]:
    """A body's joint, its options without their scalars, the exact entries of its orientation, and its scalars: place,
    mass, mass centre, inertia, orientation, the joint's, ratio and offset of a coupling."""
    g, recipe = link.graph, link.body.recipe
    inertia = [recipe.inertia[i][j] for i, j in PAIRS]
    found = [s.handle for s in (*recipe.at, recipe.mass, *recipe.com, *inertia)]
    turned = [s.handle for s in chain(*recipe.orient)] if recipe.orient is not None else []
    exact = tuple(_exact(g, h) for h in turned) if turned else None
    if exact == (1, 0, 0, 0, 1, 0, 0, 0, 1):
        exact, turned = None, []
    scalars: list[Any] = []
    pattern = split(recipe.joint, scalars)
    found += [*turned, *(scalar(g, value) for value in scalars)]
    found += [] if link.body.coupling is None else [link.body.coupling.ratio.handle, link.body.coupling.offset.handle]
    return recipe.joint.__class__, pattern.values, exact, found


def _exact(g: Graph, handle: int) -> int | None:
    value = g.number(handle)
    return int(value) if value in EXACT else None


def settled(shapes: Sequence[Shape], single: Sequence[bool]) -> list[Shape]:
    """The shapes with few roots or leaves among many bodies that are alike taken for what these are: roots hang on a
    row of the ground's then, leaves find rows of zeros; a step more to trace costs more than it saves. Those of larger
    clusters stay as they are."""
    groups: dict[Shape, list[int]] = {}
    for k, shape in enumerate(shapes):
        if single[k]:
            groups.setdefault(replace(shape, root=False, leaf=False, alone=False), []).append(k)
    made = list(shapes)
    for members in groups.values():
        own = [shapes[k] for k in members]
        few_roots = 0 < sum(s.root for s in own) * FEW <= len(own)
        few_leaves = 0 < sum(s.leaf for s in own) * FEW <= len(own)
        alone = all(s.alone or s.root for s in own)
        for k in members:
            s = shapes[k]
            made[k] = replace(s, root=s.root and not few_roots, leaf=s.leaf and not few_leaves, alone=alone)
    return made


def gather(clusters: Sequence[Sequence[Link]], shapes: Sequence[Shape], scalars: Sequence[list[int]]) -> list[BodyKind]:
    """The kinds of clusters, in the order in which they first appear."""
    kinds: dict[tuple[Shape, ...], BodyKind] = {}
    for cluster in clusters:
        alike = tuple(shapes[link.index] for link in cluster)
        own = [scalars[link.index] for link in cluster]
        kind = kinds.setdefault(alike, BodyKind(alike, tuple(map(len, own))))
        kind.links.append(cluster[0])
        kind.scalars.append([*chain(*own)])
    return list(kinds.values())


def clustered(forest: Forest) -> list[list[Link]]:
    """The links of a forest by clusters: those that share a speed, with the links between them and the one at which
    they meet. A cluster stands where its first link does, so that what it hangs on comes before it."""
    links = forest.links
    leader = list(range(len(links)))

    def find(k: int) -> int:
        while leader[k] != k:
            k = leader[k]
        return k

    def join(some: Iterable[Link]) -> None:
        every = [find(link.index) for link in some]
        for k in every:
            leader[k] = min(every)

    ends: dict[int, list[Link]] = {}
    for link in links if forest.shares else ():
        for speed in {c.speed for c in link.columns} | ({*link.u} if link.inside is not None else set()):
            ends.setdefault(speed, []).append(link)
    for first, *others in ends.values():
        for other in others:
            join(_between(first, other))
    clusters: dict[int, list[Link]] = {}
    for link in links:
        clusters.setdefault(find(link.index), []).append(link)
    return list(clusters.values())


def _between(one: Link | None, other: Link | None) -> list[Link]:
    """The links from one to another, both included, by way of the nearest one that both hang on (or the ground)."""
    found: list[Link] = []
    while one is not other:
        if one is not None and (other is None or one.index > other.index):
            found.append(one)
            one = one.parent
        elif other is not None:
            found.append(other)
            other = other.parent
    return found if one is None else [*found, one]


def laid_out(g: Graph, kinds: Sequence[BodyKind], bodies: int) -> ScalarTable:
    """Places for the scalars of all kinds; bodies with equal ones share a row."""
    made = ScalarTable([], [], {"numbers": [0] * bodies, "given": [0] * bodies})
    for kind in kinds:
        columns: dict[str, list[int]] = {"numbers": [], "given": []}
        for k, column in enumerate(zip(*kind.scalars, strict=True)):
            values = {g.number(h) for h in set(column)}
            value = next(iter(values)) if len(values) == 1 else None
            if value is not None:
                kind.places.append(int(value) if value in EXACT else value)
                continue
            where = "given" if None in values else "numbers"
            kind.places.append((where, len(columns[where])))
            columns[where].append(k)
        for where, store in (("numbers", made.numbers), ("given", made.nodes)):
            _fill(kind, columns[where], store, made.starts[where])
    return made


def _fill(kind: BodyKind, columns: Sequence[int], store: list[int], starts: list[int]) -> None:
    known: dict[tuple[int, ...], int] = {}
    for link, own in zip(kind.links, kind.scalars, strict=True):
        row = tuple(own[k] for k in columns)
        if row not in known:
            known[row] = len(store)
            store += row
        starts[link.index] = known[row]
