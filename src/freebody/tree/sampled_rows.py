"""Rows of constraints at random states, in NumPy: expressions of one joint or constraint at a time are evaluated, and
not those along a chain, so that the time grows with the number of bodies and the lengths of loops alone. A row whose
entries are nothing but rounding of its own terms there is one that no speed changes."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.model.constraints import ConstraintRow
from freebody.model.constraints.local import NAME, LocalConstraint, local
from freebody.model.model import Model
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.scalar.walk import float_function, rounding_sizes, somewhere, symbols_of
from freebody.spatial.resolved import Vec
from freebody.spatial.vector import components
from freebody.tree.assembly import initial_coordinates, move
from freebody.tree.constraint_cell import MOVED, POSE, ConstraintCell, EndData
from freebody.tree.constraints import CANONICAL, ClosureForms, ConstraintEquations
from freebody.tree.elimination import GROUND
from freebody.tree.motion import Motion
from freebody.tree.tree import Link, Tree

Array = NDArray[np.float64]
Pose = tuple[Array, Array]
"""The rotation to the ground's axes, and the position of the origin there."""

SAMPLES = 2
ZERO = 1e-11
"""The size of an entry of G that is rounding, relative to the terms that it is a sum of."""


STATES, FIXED = 6, 1e-8
"""The number of states at which a residual is compared, and its largest change, relative to its terms, that counts as
none."""


class SampledRow(NamedTuple):
    """A row's label, whether some speed changes it, and the size of the terms that its entries are sums of: at least 1
    where it acts on bodies."""

    label: str
    changed: bool
    size: float


class SampledMotion:
    """Poses of the links of some loops in the ground, and the twists of their columns at the ground's origin along its
    axes, at a few states. Parameters differ from their values by up to the fraction ``spread``, those that are zero by
    so much."""

    def __init__(self, tree: Tree, constraints: Iterable[str], spread: float) -> None:
        self.tree, g, layout = tree, tree.graph, tree.layout
        bodies = {body for name in constraints for body in tree.model.constraints[name].bodies()}
        needed = {k.index for body in bodies if body in tree.by_name for k in tree.by_name[body].path_to_root()}
        links = [tree.links[k] for k in sorted(needed)]
        self.speeds = np.array([c.speed for link in links for c in link.columns], int)
        starts = np.cumsum([0, *(len(link.columns) for link in links)]).tolist()
        self._columns = {link.index: range(*pair) for link, pair in zip(links, pairwise(starts), strict=True)}
        self._patterns = dict[Hashable, ConstraintPattern]()
        nodes = [joint_nodes(link) for link in links]
        every = [h for own in nodes for h in own]
        evaluate, used = float_function(g, every), symbols_of(g, every)
        self.states, self.poses, self.twists = list[dict[Node, float]](), list[dict[int, Pose]](), list[Array]()
        for seed in range(SAMPLES):
            random, draw = Random(seed), somewhere(seed)
            q = move(tree, initial_coordinates(tree), np.array([random.uniform(-1, 1) for _ in layout.u]))
            state = {h: float(draw(g.symbols[g.a[h]].name)) for h in used}
            state |= dict(zip(layout.q_handles, map(float, q), strict=True))
            for name, value in tree.model.parameters.items():
                change, handle = spread * random.uniform(0.5, 1), g.named(name)
                state |= {} if handle is None else {handle: float(value) * (1 + change) or change}
            numbers, ends = np.array(evaluate(state)), np.cumsum([len(own) for own in nodes], dtype=int).tolist()
            parts = [numbers[end - len(own) : end] for own, end in zip(nodes, ends, strict=True)]
            poses, twists = dict[int, Pose](), list[Array]()
            for link, part in zip(links, parts, strict=True):
                R, p = (np.eye(3), np.zeros(3)) if link.parent is None else poses[link.parent.index]
                R, p = R @ part[:9].reshape(3, 3), p + R @ part[9:12]
                poses[link.index] = R, p
                for column in part[12:].reshape(-1, 6):
                    w, v = R @ column[:3], R @ column[3:]
                    twists.append(np.concatenate([w, v + cross(p, w)]))
            self.states.append(state)
            self.poses.append(poses)
            self.twists.append(np.reshape(twists, (-1, 6)))

    def path(self, link: Link) -> list[int]:
        """The numbers of the columns that move a link."""
        return [k for one in link.path_to_root() for k in self._columns[one.index]]

    def changed_rows(self, name: str, exchanged: bool) -> list[SampledRow]:
        """The rows of a constraint in one of the forms of closures. Constraints that are not local are examined on the
        whole tree. Rows without finite values at all states count as changed."""
        tree = self.tree
        found = local(tree.model.constraints[name], tree.placed)
        if found is None:
            forms = ClosureForms(frozenset([name])) if exchanged else CANONICAL
            equations = ConstraintEquations(Motion(tree), (), forms, only=[name])
            return [self._changed(equations, row) for row in equations.rows.values()]
        ends = [tree.by_name[body] for body in found.bodies]
        key = found.pattern, found.exact, tuple(found.scalars), tuple(map(is_skewed, ends)), exchanged
        if key not in self._patterns:
            self._patterns[key] = ConstraintPattern(tree.graph, found, ends, exchanged)
        pattern = self._patterns[key]
        changed, paths = np.zeros(len(pattern.labels), bool), [self.path(end) for end in ends]
        sizes, finite = np.ones(len(pattern.labels)), False
        for state, poses, twists in zip(self.states, self.poses, self.twists, strict=True):
            G, scale = np.zeros((len(tree.layout.u), len(changed))), np.ones(len(changed))
            wrenches = pattern.wrenches(state, [poses[end.index] for end in ends], ends)
            for path, on_end in zip(paths, wrenches, strict=True):
                np.add.at(G, self.speeds[path], twists[path] @ on_end)
                scale = np.maximum(scale, (np.abs(twists[path]) @ np.abs(on_end)).max(axis=0, initial=0.0))
            if np.isfinite(scale).all():
                finite = True
                changed |= np.abs(G).max(axis=0, initial=0.0) > ZERO * scale
                sizes = np.maximum(sizes, scale)
        return list(map(SampledRow, pattern.labels, (changed | (not finite)).tolist(), sizes.tolist()))

    def _changed(self, equations: ConstraintEquations, row: ConstraintRow) -> SampledRow:
        """A row by its expressions. Entries without terms at a state, as in the other branch of ``where``, may have
        some elsewhere, and count; so do those of an expression that is nearly constant at these states and not
        everywhere, as tanh(1e9 x)."""
        g, least = self.tree.graph, float(bool(row.wrenches))
        entries = [x for x in equations.forces_of(row).values() if not g.vanishes(x)]
        changed, size = False, least
        for seed, state in enumerate(self.states if entries else ()):
            draw = somewhere(seed)
            drawn = {h: float(draw(g.symbols[g.a[h]].name)) for h in symbols_of(g, entries)}
            terms = rounding_sizes(g, entries, drawn | state)
            if not np.isfinite(terms).all():
                changed = True
                continue
            changed |= any(not own or abs(x) > ZERO * max(least, own) for x, own in terms)
            size = max(size, *(own for _, own in terms))
        if entries and not row.wrenches and row.residual is not None:
            changed |= changes(g, row.residual.handle, self.tree.model)
        return SampledRow(row.label, changed, size)


def joint_nodes(link: Link) -> list[Node]:
    """The rotation from the parent, row by row, the position there, and the joint's columns."""
    S, base = link.frame.S, link.X.base
    units = [Vec(link.frame, tuple(S.one if i == k else S.zero for i in range(3))).in_(base).c for k in range(3)]
    return [*(c[i] for i in range(3) for c in units), *link.X.arm, *(x for c in link.columns for x in c.twist.c)]


def is_skewed(link: Link) -> bool:
    """Whether a body's axes are not those of its link's frame."""
    return link.body.frame is not link.frame.parent


def body_axes(link: Link) -> list[Node]:
    """A body's axes in its link's frame: a rotation matrix, row by row."""
    columns = [components(link.body.axis(k), link.frame) for k in range(3)]
    return [column[row] for row in range(3) for column in columns]


def cross(a: Array, b: Array) -> Array:
    """a × b, ten times faster than NumPy's for one pair."""
    (x, y, z), (p, q, r) = a.tolist(), b.tolist()
    return np.array([y * r - z * q, z * p - x * r, x * q - y * p])


class ConstraintPattern:
    """The wrenches of constraints of one pattern with the same scalars, in one of the forms of closures."""

    def __init__(self, g: Graph, constraint: LocalConstraint, ends: Sequence[Link], exchanged: bool) -> None:
        cell = Graph()

        def symbols(what: str, count: int, mask: int = PARAMETERS_ONLY) -> list[Node]:
            return [cell.symbol(f"{what}{k}", Kind.INTERMEDIATE, mask=mask) for k in range(count)]

        drawn, numbers = symbols("scalar", len(constraint.scalars)), map(g.number, constraint.scalars)
        scalars = [h if x is None else cell.const(x) for h, x in zip(drawn, numbers, strict=True)]
        data = [
            EndData(
                symbols(f"pose{k}.", POSE, Kind.COORDINATE),
                symbols(f"moved{k}.", MOVED, Kind.SPEED),
                symbols(f"axes{k}.", 9 * is_skewed(end)),
            )
            for k, end in enumerate(ends)
        ]
        forms = ClosureForms(frozenset([NAME])) if exchanged else CANONICAL
        one = ConstraintCell(cell, constraint.pattern, scalars, data, symbols("gravity", 3), forms=forms)
        self.labels = [row.label for row in one.equations.rows.values()]
        wrenches = [(r, k, W) for r, row in enumerate(one.equations.multipliers(one.tree)) for k, W in row.ends]
        self._on = [(r, k) for r, k, _ in wrenches]
        self._inputs = [*drawn, *(h for end in data for h in (*end.pose, *end.axes))]
        self._evaluate = float_function(cell, [x for *_, W in wrenches for x in W.c])
        self._scalars = float_function(g, constraint.scalars)

    def wrenches(self, state: Mapping[Node, float], poses: Sequence[Pose], ends: Sequence[Link]) -> Array:
        """For each end the wrenches of λ = 1 at the ground's origin along its axes, as columns."""
        numbers = self._scalars(state)
        for (R, p), end in zip(poses, ends, strict=True):
            numbers += [*R.ravel().tolist(), *p.tolist()]
            numbers += float_function(end.graph, body_axes(end))(state) if is_skewed(end) else []
        values = self._evaluate(dict(zip(self._inputs, numbers, strict=True)))
        result = np.zeros((len(ends), 6, len(self.labels)))
        for (r, k), wrench in zip(self._on, np.reshape(values, (-1, 6)), strict=True):
            if k != GROUND:
                R, p = poses[k]
                n, f = R @ wrench[:3], R @ wrench[3:]
                result[k, :, r] += np.concatenate([n + cross(p, f), f])
        return result


def changes(g: Graph, node: Node, model: Model) -> bool:
    """Whether the value of a node is not the same at some random states, with the parameters' own values."""
    values, sizes = list[float](), list[float]()
    for seed in range(STATES):
        draw = somewhere(seed)
        known = {h: float(draw(g.symbols[g.a[h]].name)) for h in symbols_of(g, [node])}
        known |= {h: float(x) for name, x in model.parameters.items() if (h := g.named(name)) is not None}
        [(value, size)] = rounding_sizes(g, [node], known)
        values, sizes = [*values, value], [*sizes, size]
    return bool(np.ptp(values) > FIXED * max(sizes))
