"""A distance constraint defined only in this file on the steps of the tree: G computed outwards equals Gᵀ computed
inwards and the derivative of φ, and its multiplier in the elimination is that of the complete linear system."""

from collections.abc import Callable, Sequence
from functools import cached_property, partial

import numpy as np
import pytest

import freebody as fb
from freebody.formulations.recursive import Recursive, ReferenceMotion
from freebody.model.joints.base import Joint
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import values
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.scalars import Scalar
from freebody.tree.elimination import GROUND, Elimination, Multiplier
from freebody.tree.inertia import base_inertias
from freebody.tree.joint_forces import joint_forces
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import NewtonEuler, generalised
from freebody.tree.passes import LinkPose, inwards, outwards, pose, to_parent
from freebody.tree.tree import Tree, quaternions, span
from tests.mechanisms.flexible_bodies import carrier, flexible

CLOSE, DIFFERENCED, STEP = 1e-12, 1e-8, 1e-6

Array = np.ndarray
State = dict[int, float]
End = tuple[str, tuple[float, float, float]]

TIP, ARM = ("pendulum", (0.0, 0.1, -0.3)), ("arm", (0.1, 0.0, -0.2))
HUB, FIXED, PIECE = ("hub", (0.2, 0.1, 0.0)), ("", (1.0, 2.0, 3.0)), ("one", (0.2, -0.1, 0.3))
NODES = {"node": "one"}
"""What stands for a piece that is inside another body."""

PAIRS = {
    "tip to arm": (TIP, ARM),
    "hub to tip": (HUB, TIP),
    "ground to tip": (FIXED, TIP),
    "arm to ground": (ARM, FIXED),
    "piece to arm": (PIECE, ARM),
    "ground to piece": (FIXED, PIECE),
}


class Distance:
    """φ = ½ (|d|² − L²) with d from a point P to a point Q of two links (or of the ground, whose name is empty). λ = 1
    pulls P with −d and Q with d; φ̇ is the power of these wrenches."""

    def __init__(self, tree: Tree, ends: Sequence[End]) -> None:
        self.tree, self.motion, g = tree, Motion(tree), tree.graph
        links = {NODES.get(link.name, link.name): link for link in tree.links}
        self.links = [links.get(name) for name, _ in ends]
        frames = [tree.root if link is None else link.frame for link in self.links]
        self.points = [Vec(f, tuple(map(g.const, r))) for f, (_, r) in zip(frames, ends, strict=True)]
        start = LinkPose.at(tree.root)
        poses = outwards(tree.links, pose, start)
        p, q = (
            (here := start if link is None else poses[link.index]).origin + here.to_root(r)
            for link, r in zip(self.links, self.points, strict=True)
        )
        self.d = q - p

    @property
    def twice(self) -> Scalar:
        """|d|²"""
        return self.d.dot(self.d)

    @cached_property
    def wrenches(self) -> list[tuple[int, Wrench]]:
        """Wrenches of λ = 1 at each end, about the link's origin."""
        pulls = [d.in_(r.frame) for d, r in zip((-self.d, self.d), self.points, strict=True)]
        places = [GROUND if link is None else link.index for link in self.links]
        return [(k, Wrench.of(r.cross(f), f)) for k, r, f in zip(places, self.points, pulls, strict=True)]

    def inwards(self) -> list[Scalar]:
        """Gᵀ: the wrenches passed inwards."""
        own = [Wrench.zero(link.frame) for link in self.tree.links]
        for k, W in self.wrenches:
            own[k] = own[k] + W if k != GROUND else own[k]
        return generalised(self.tree, inwards(self.tree.links, own, to_parent))

    def _twists(self) -> list[Twist]:
        return [Twist.zero(self.tree.root) if k is None else self.motion.twist(k) for k in self.links]

    def outwards(self) -> Scalar:
        """G u: the power of the wrenches with the velocities computed outwards."""
        a, b = (V.dot(W) for V, (_, W) in zip(self._twists(), self.wrenches, strict=True))
        return self.tree.graph.add(a, b)

    def residual(self, motion: Motion) -> Scalar:
        """φ̈ = d·(a_Q − a_P) + |v_Q − v_P|² in a motion; gravity is in both accelerations."""
        root, twists = self.tree.root, self._twists()
        v = [(V.linear + V.angular.cross(r)).in_(root) for V, r in zip(twists, self.points, strict=True)]
        moving = [motion.ground if link is None else motion.of(link) for link in self.links]
        a = [m.at(r.xyz).in_(root) for m, r in zip(moving, self.points, strict=True)]
        rate: Vec = v[1] - v[0]
        return self.tree.graph.add(self.d.dot(a[1] - a[0]), rate.dot(rate))


def state_of(tree: Tree) -> State:
    g, rng, layout = tree.graph, np.random.default_rng(0), tree.layout
    symbols = [h for h in (g.named(s.name) for s in g.symbols) if h is not None]
    made = dict(zip(symbols, rng.uniform(0.3, 1.2, len(symbols)).tolist(), strict=True))
    for k in quaternions(tree):
        four = layout.q_handles[k : k + 4]
        length = sum(made[h] ** 2 for h in four) ** 0.5
        made |= {h: made[h] / length for h in four}
    return made


def given(tree: Tree) -> list[int]:
    return [tree.graph.symbol(f"given.{n}", Kind.INPUT) for n in tree.layout.u]


def _spanned(make: Callable[[Joint, bool], fb.System], turning: bool) -> Tree:
    return span(make(fb.Free(), turning).freeze())


def numbers(tree: Tree, nodes: Sequence[Scalar], state: State) -> Array:
    return np.array(values(tree.graph, list(nodes), state), float)


FORESTS = {
    f"{kind}{', turning' * turning}": partial(_spanned, make, turning)
    for kind, make in (("children", carrier), ("own speeds", flexible)) for turning in (False, True)
}  # fmt: skip


@pytest.mark.parametrize("ends", PAIRS.values(), ids=list(PAIRS))
@pytest.mark.parametrize("make", FORESTS.values(), ids=list(FORESTS))
def test_outward_and_inward_jacobians_equal_the_derivative(make: object, ends: tuple[End, End]) -> None:
    tree = make()  # type: ignore[operator]
    g, layout, row = tree.graph, tree.layout, Distance(tree, ends)
    state, speeds, power = state_of(tree), layout.u_handles, row.outwards()
    units = [state | {h: float(i == k) for i, h in enumerate(speeds)} for k in range(len(speeds))]
    G = np.array([numbers(tree, [power], unit)[0] for unit in units])
    assert np.max(np.abs(numbers(tree, row.inwards(), state) - G)) <= CLOSE
    for k, unit in enumerate(units):
        along = dict(zip(layout.q_handles, numbers(tree, layout.q_dot, unit), strict=True))
        low, high = ({**state} | {h: state[h] + e * along[h] for h in along} for e in (-STEP, STEP))
        difference = (values(g, [row.twice], high)[0] - values(g, [row.twice], low)[0]) / (4 * STEP)
        assert abs(difference - G[k]) <= DIFFERENCED


ROWS = {**{name: (ends,) for name, ends in PAIRS.items()}, "two at once": (PAIRS["tip to arm"], PAIRS["ground to tip"])}


@pytest.mark.parametrize("pairs", ROWS.values(), ids=list(ROWS))
@pytest.mark.parametrize("make", FORESTS.values(), ids=list(FORESTS))
def test_eliminated_multipliers_match_the_whole_linear_system(make: object, pairs: Sequence[tuple[End, End]]) -> None:
    tree = make()  # type: ignore[operator]
    g, n, tau = tree.graph, len(tree.layout.u), given(tree)
    rows, state = [Distance(tree, ends) for ends in pairs], state_of(tree)
    e, still = Recursive(tree), Motion(tree)
    M = np.array(
        [[numbers(tree, [e.mass.get((max(i, j), min(i, j)), 0)], state)[0] for j in range(n)] for i in range(n)]
    )
    G = np.array([numbers(tree, row.inwards(), state) for row in rows])
    gamma = numbers(tree, [row.residual(still) for row in rows], state)
    right = numbers(tree, list(map(g.add, e.force, tau)), state)
    whole = np.block([[M, -G.T], [G, np.zeros((len(rows), len(rows)))]])
    expected = np.linalg.solve(whole, [*right, *-gamma])
    multipliers = [Multiplier(n + k, row.wrenches) for k, row in enumerate(rows)]
    for condensing in (None, (), (1,), (0, 2)):
        reference, inertias = ReferenceMotion(tree), base_inertias(tree)
        newton = NewtonEuler(reference, inertias)
        residuals = [row.residual(reference) for row in rows]
        elimination = Elimination(tree, inertias, condensing, multipliers)
        sides = [*map(g.add, tau, joint_forces(tree)), *residuals]
        delta = elimination.solve(sides, newton.wrenches, newton.own_forces)
        found = numbers(tree, [g.add(d, reference.reference.get(k, g.zero)) for k, d in enumerate(delta)], state)
        assert np.max(np.abs(found - expected)) <= CLOSE * np.max(np.abs(expected)), condensing
