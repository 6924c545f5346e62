"""Bodies sorted into kinds: one traced step serves all bodies of a kind, which differ by numbers alone.

The description of a body without its numbers is its ``Shape``; the numbers are its scalars, in a fixed order. Bodies of
one shape are a kind. A scalar that is equal for a whole kind is a number in the step; the others are read from a table,
or if they depend on parameters from an array that a block fills.

Links that share a speed (a body with own speeds and its nodes; coupled joints and the links between them) are one
``cluster``: one step serves them all, so that the speed is eliminated within it. With ``ports``, where the modes of a
flexible body may be eliminated with ports (``tree.ports``), the links on its nodes belong to its cluster too: a port
needs the joint on the node. All other links are clusters alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

from freebody.errors import ModelError
from freebody.formulations.rolled.cell import OUTER, Cell, Shape, symbolic_cell
from freebody.model.element import Pattern, split
from freebody.model.joints.base import scalar
from freebody.scalar.expr import equals_number
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.numbers import Number
from freebody.spatial.scalars import PAIRS
from freebody.tree.inertia import link_inertia
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import body_wrenches
from freebody.tree.ports import common_pivots, known_pivots, left_pivots, moved_pivots, ports_pay, resting_links
from freebody.tree.tree import Link, Tree

PATTERNS = 8
"""Orientations whose exact entries (0, ±1) differ are kinds of their own, up to so many for joints of one shape."""

FEW = 8
"""Roots and leaves are kinds of their own if they are more than one in so many of their shape."""

EXACT = (0, 1, -1)


@dataclass(eq=False)
class BodyKind:
    """The clusters of one shape, by their first links. ``counts``: how many scalars each link has; ``sources``: for
    each scalar a number, or ("numbers" | "given", column). ``pivots`` and ``resting`` are what is known of each link in
    all clusters: pivots of its inertia with that of other clusters outboard (see ``tree.ports``), and whether it has no
    acceleration at u̇₀. ``flexible``: modes are eliminated with ports where that is possible."""

    shapes: tuple[Shape, ...]
    counts: tuple[int, ...]
    links: list[Link] = field(default_factory=list)
    scalars: list[list[Node]] = field(default_factory=list)
    sources: list[Number | tuple[str, int]] = field(default_factory=list)
    pivots: list[Sequence[int]] = field(default_factory=list)
    resting: list[bool] = field(default_factory=list)
    flexible: bool = False


class BodyKinds:
    """``kinds`` of the bodies of a tree; ``of`` each link the index of its kind. ``wrenches``: the loads on bodies,
    and the springs, dampers and friction of constraints, about the bodies' origins along their axes, where there are
    any; ``joint_forces``: those of loads, by link and index among
    the joint's speeds; ``driven``: prescribed coordinates, then each prescribed speed
    and its rate. ``ports``: modes are
    eliminated with ports."""

    def __init__(self, tree: Tree, ports: bool = False) -> None:
        self.tree, self.links = tree, tree.links
        self.graph: Graph = tree.graph
        self.clusters = clusters(tree, ports)
        self.cluster = {link.index: cluster for cluster in self.clusters for link in cluster}
        self.first = [cluster[0] for cluster in self.clusters]
        self._cells: dict[tuple[Shape, ...], Cell] = {}
        self.children = [0] * len(self.links)  # of other clusters
        for link in self.links:
            if link.parent is not None and link.parent not in self.cluster[link.index]:
                self.children[link.parent.index] += 1
        self.wrenches: dict[int, list[Node]] = {}
        self.joint_forces: dict[int, dict[int, Node]] = {}
        self.driven: dict[int, list[Node]] = {}
        described = [describe(link) for link in self.links]
        self._find_loads()
        self.shapes = self._shapes(described)
        kinds: dict[tuple[Shape, ...], BodyKind] = {}
        self.of = [0] * len(self.links)
        for cluster in self.clusters:
            shapes = tuple(self.shapes[link.index] for link in cluster)
            own = [described[link.index][-1] for link in cluster]
            kind = kinds.setdefault(shapes, BodyKind(shapes, tuple(map(len, own))))
            kind.links.append(cluster[0])
            kind.scalars.append([*chain(*own)])
        self.kinds = list(kinds.values())
        for k, kind in enumerate(self.kinds):
            for first in kind.links:
                for link in self.cluster[first.index]:
                    self.of[link.index] = k
        if ports and any(link.is_flexible for link in self.links):
            self._find_ports()

    def _find_loads(self) -> None:
        g, model = self.graph, self.tree.model
        if model.constraints or any(load.acts_on_bodies for load in model.loads.values()):
            every = {k: list(F.c) for k, F in enumerate(body_wrenches(Motion(self.tree)))}
            self.wrenches = {k: six for k, six in every.items() if any(x != g.zero for x in six)}
        for link, k, force in self.tree.joint_force_loads():
            own = self.joint_forces.setdefault(link.index, {})
            own[k] = g.add(own.get(k, g.zero), force)
        for link in self.links:
            speeds = zip(link.body.u, link.body.prescribed, strict=True)
            given = [(u.handle, rate.handle) for u, rate in speeds if rate is not None]
            if given:
                states = zip(link.body.q, link.body.is_state, strict=True)
                self.driven[link.index] = [*(q.handle for q, free in states if not free), *chain.from_iterable(given)]

    def _shapes(self, described: Sequence["Description"]) -> list[Shape]:
        """The shape of each link. Few roots or leaves among many bodies that are otherwise alike are taken for such
        bodies: roots read a row of the ground then, leaves rows of zeros; one step more to trace costs more than it
        saves. Those of larger clusters stay as they are."""
        patterns: dict[Pattern, set[object]] = {}
        for joint, exact, _ in described:
            patterns.setdefault(joint, set()).add(exact)
        by_link, skewed = dict[int, Shape](), dict[int, bool]()
        for cluster in self.clusters:
            for link in cluster:
                joint, exact, _ = described[link.index]
                if exact is not None and len(patterns[joint]) > PATTERNS:
                    exact = (None,) * 9
                by_link[link.index] = self._shape(link, joint, exact, skewed)
            shapes = tuple(by_link[link.index] for link in cluster)
            cell = self._cell(shapes, [len(described[link.index][-1]) for link in cluster])
            skewed |= {link.index: cell.is_skewed(k) for k, link in enumerate(cluster)}
        result, alike = [by_link[k] for k in range(len(self.links))], dict[Shape, list[int]]()
        for k, shape in enumerate(result):
            if len(self.cluster[k]) == 1:
                alike.setdefault(replace(shape, root=False, leaf=False, alone=False), []).append(k)
        for members in alike.values():
            own = [result[k] for k in members]
            few_roots = 0 < sum(s.root for s in own) * FEW <= len(own)
            few_leaves = 0 < sum(s.leaf for s in own) * FEW <= len(own)
            alone = all(s.alone or s.root for s in own)
            for k, s in zip(members, own, strict=True):
                result[k] = replace(s, root=s.root and not few_roots, leaf=s.leaf and not few_leaves, alone=alone)
        return result

    def _shape(
        self, link: Link, joint: Pattern, exact: tuple[int | None, ...] | None, skewed: dict[int, bool]
    ) -> Shape:
        numbers = {one.index: k for k, one in enumerate(self.cluster[link.index])}
        parent = OUTER if link.parent is None else numbers.get(link.parent.index, OUTER)
        coupling, follows = link.body.coupling, OUTER
        if coupling is not None:
            follows = next(numbers[k.index] for k in self.links if k.name == coupling.to)
        return Shape(
            joint,
            exact,
            prescribed=tuple(given is not None for given in link.body.prescribed),
            skewed=parent == OUTER and link.parent is not None and skewed[link.parent.index],
            loaded=link.index in self.wrenches,
            joint_forces=tuple(k for k in link.free if k in self.joint_forces.get(link.index, {})),
            root=link.parent is None,
            leaf=not self.children[link.index],
            alone=link.parent is not None and self.children[link.parent.index] == 1,
            parent=parent,
            follows=follows,
        )

    def _find_ports(self) -> None:
        """What the elimination with ports needs to know of the kinds."""
        assert self.scalars  # which sets the sources
        resting, pivots = resting_links(self.links), self._pivots()
        for kind in self.kinds:
            clusters = [self.cluster[first.index] for first in kind.links]
            members = [[cluster[k] for cluster in clusters] for k in range(len(kind.shapes))]
            kind.resting = [all(link.index in resting for link in some) for some in members]
            own = [{tuple(pivots[link.index]) for link in some} for some in members]
            kind.pivots = [known.pop() if len(known) == 1 else () for known in own]
            kind.flexible = any(kind.resting) or any(link.is_flexible for link in clusters[0])

    def _pivots(self) -> list[Sequence[int]]:
        """For each link the known pivots of its inertia together with what arrives from other clusters; nothing need be
        known of what arrives at flexible bodies."""
        result, massless = list[Sequence[int]](), list[bool]()
        for link in self.links:
            result.append(() if link.is_flexible else known_pivots(link))
            massless.append(not link.is_flexible and link_inertia(link).is_zero)
        for kind in self.kinds:  # those of flexible bodies follow from what is equal for the kind
            if not any(link.is_flexible for link in self.cluster[kind.links[0].index]):
                continue
            for k, one in enumerate(symbolic_cell(kind.shapes, kind.counts, kind.sources).links):
                known = known_pivots(one) if one.is_flexible else ()
                for first in kind.links if one.is_flexible else ():
                    result[self.cluster[first.index][k].index] = known
        whole = list(result)
        for link in reversed(self.links):
            parent = link.parent
            if parent is None or parent.is_flexible:
                continue
            k, p = link.index, parent.index
            passed = moved_pivots(link, left_pivots(link, whole[k]))
            whole[p] = common_pivots(whole[p], passed, massless[p], massless[k])
            if parent not in self.cluster[k]:
                result[p] = common_pivots(result[p], passed, massless[p], massless[k])
            massless[p] &= massless[k]
        return result

    def _cell(self, shapes: tuple[Shape, ...], counts: Sequence[int]) -> Cell:
        if shapes not in self._cells:
            self._cells[shapes] = symbolic_cell(shapes, counts)
        return self._cells[shapes]

    def cell(self, kind: BodyKind) -> Cell:
        """A cluster of this kind, made of symbols."""
        return self._cell(kind.shapes, kind.counts)

    @cached_property
    def scalars(self) -> "ScalarTable":
        """The scalars of all kinds; bodies with equal ones share a row. Sets the ``sources`` of the kinds."""
        g, n, stores = self.graph, len(self.links), dict[str, list[Node]](numbers=[], given=[])
        starts = {where: [0] * n for where in stores}
        for kind in self.kinds:
            kind.sources, columns = column_sources(g, kind.scalars)
            for where, store in stores.items():
                known: dict[tuple[Node, ...], int] = {}
                for link, own in zip(kind.links, kind.scalars, strict=True):
                    row = tuple(own[k] for k in columns[where])
                    if row not in known:
                        known[row] = len(store)
                        store += row
                    starts[where][link.index] = known[row]
        return ScalarTable(stores["numbers"], stores["given"], starts)

    def is_skewed(self, link: Link) -> bool:
        """Whether a body's axes are not those of its link's frame."""
        return self.cell(self.kinds[self.of[link.index]]).is_skewed(self.cluster[link.index].index(link))

    def require_inertia(self) -> None:
        """Raise for a joint on which nothing has mass or inertia."""
        resists = [False] * len(self.links)
        for link in reversed(self.links):
            spec, body, parent = link.body.spec, link.described.name, link.described.parent
            moments = (spec.mass, *(x for row in spec.inertia for x in row))
            resists[link.index] |= any(s.handle != self.graph.zero for s in moments)
            resists[link.index] |= not equals_number(spec.joint.armature, 0)
            resists[link.index] |= link.is_flexible
            if link.u and not resists[link.index]:
                raise ModelError(
                    f"joint '{body}' ({body} on {parent}): its inertia is 0, because {body} and its outboard bodies"
                    " have"
                    f" neither mass nor inertia. Give {body} some, or use Weld."
                )
            if link.parent is not None:
                resists[link.parent.index] |= resists[link.index]


@dataclass(frozen=True)
class ScalarTable:
    """Nodes that are numbers, nodes that a block computes, and the start of each body's row in both."""

    numbers: list[Node]
    nodes: list[Node]
    starts: dict[str, list[int]]


def column_sources(
    g: Graph, scalars: Sequence[Sequence[Node]]
) -> tuple[list[Number | tuple[str, int]], dict[str, list[int]]]:
    """Where the scalars of a kind are read, those of each member in a row: a number that is equal for all members, or
    ("numbers" | "given", column); and for both the indices of the scalars in their columns."""
    sources, columns = list[Number | tuple[str, int]](), dict[str, list[int]](numbers=[], given=[])
    for k, column in enumerate(zip(*scalars, strict=True)):
        values = {g.number(h) for h in set(column)}
        value = next(iter(values)) if len(values) == 1 else None
        if value is not None:
            sources.append(int(value) if value in EXACT else value)
            continue
        where = "given" if None in values else "numbers"
        sources.append((where, len(columns[where])))
        columns[where].append(k)
    return sources, columns


Description = tuple[Pattern, tuple[int | None, ...] | None, list[Node]]


def describe(link: Link) -> Description:
    """A body's joint without its scalars, the exact entries of its orientation, and its scalars: position, mass, mass
    centre, inertia, orientation, the joint's, ratio and offset of a coupling."""
    g, spec = link.graph, link.body.spec
    inertia = [spec.inertia[i][j] for i, j in PAIRS]
    scalars = [s.handle for s in (*spec.at, spec.mass, *spec.com, *inertia)]
    turned = [s.handle for s in chain(*spec.orient)] if spec.orient is not None else []
    numbers = [g.number(h) for h in turned]
    exact = tuple(int(value) if value in EXACT else None for value in numbers) if turned else None
    if exact == (1, 0, 0, 0, 1, 0, 0, 0, 1):
        exact, turned = None, []
    of_joint: list[Any] = []
    pattern, coupling = split(spec.joint, of_joint), link.body.coupling
    scalars += [*turned, *(scalar(g, value) for value in of_joint)]
    scalars += [] if coupling is None else [coupling.ratio.handle, coupling.offset.handle]
    return pattern, exact, scalars


def clusters(tree: Tree, ports: bool = False) -> list[list[Link]]:
    """The links of a tree by clusters: those that share a speed, with the links between them and their nearest common
    ancestor; with ``ports`` those on the nodes of a flexible body too. A cluster has the position of its first link, so
    that its parent comes before it."""
    links = tree.links
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
    for link in links if tree.shares else ():
        if link.is_node and link.parent is not None:
            join([link.parent, link])  # also if the body has no modes
        for speed in link.u:
            ends.setdefault(speed, []).append(link)
    for first, *others in ends.values():
        for other in others:
            join(_between(first, other))
    for some in _on_nodes(tree) if ports else ():
        join(some)
    result: dict[int, list[Link]] = {}
    for link in links:
        result.setdefault(find(link.index), []).append(link)
    return list(result.values())


def _on_nodes(tree: Tree) -> Iterable[list[Link]]:
    """For each flexible body whose modes may be eliminated with ports: the body, and the links on its nodes, less those
    that are flexible bodies themselves (a row of these would be one cluster)."""
    bodies = dict[int, list[Link]]()
    for link in tree.links:
        node = link.parent
        if node is not None and node.is_port and node.parent is not None:
            bodies.setdefault(node.parent.index, []).append(link)
    for index, links in bodies.items():
        node, body = links[0].parent, tree.links[index]
        deformed = node is not None and node.body.placement.undeformed is None
        if ports_pay(len(body.u), len(links), deformed):
            yield [body, *(link for link in links if not link.is_flexible)]


def _between(one: Link | None, other: Link | None) -> list[Link]:
    """The links from one to another, both included, by way of their nearest common ancestor (or the ground)."""
    path: list[Link] = []
    while one is not other:
        if one is not None and (other is None or one.index > other.index):
            path.append(one)
            one = one.parent
        elif other is not None:
            path.append(other)
            other = other.parent
    return path if one is None else [*path, one]
