"""The steps of the two passes on rows of NumPy arrays: the same numbers as in a graph, for a batch of states."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from freebody.scalar.walk import values
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Resolved, Transform, Twist, Vec, Wrench
from freebody.spatial.turns import AxisTurn, MatrixTurn, Turn
from freebody.tree.inertia import base_inertias
from freebody.tree.mass_matrix import composites
from freebody.tree.motion import LinkMotion, Motion, accelerate
from freebody.tree.newton_euler import inertial_wrench, on_speeds
from freebody.tree.passes import LinkPose, inwards, outwards, pose, to_parent, velocity
from freebody.tree.tree import Column, Tree, span
from tests.mechanisms.build_system import system
from tests.mechanisms.numpy_scalars import NumpyScalars
from tests.mechanisms.random_trees import tree

CLOSE = 1e-13
STATES = 4

Array = np.ndarray


@dataclass(eq=False)
class Rows:
    """A link whose scalars are rows, with the interface that the steps use."""

    index: int
    parent: "Rows | None"
    frame: Frame
    X: Transform
    w_PB: Vec
    v_PB: tuple[Vec, ...]
    position_terms: tuple[Vec, ...]
    alpha_bias: tuple[Vec, ...]
    a_bias: tuple[Vec, ...]
    columns: tuple[Column, ...]
    own: None = None
    is_port: bool = False

    @property
    def p_PB(self) -> Vec:
        return Vec(self.X.base, self.X.arm)

    @property
    def bias_velocity(self) -> tuple[Vec, tuple[Vec, ...]]:
        return self.w_PB, self.v_PB


class Batch:
    """A spanned_tree at some states: every leaf (turns, arms, columns, inertias) as rows; constants stay numbers."""

    def __init__(self, spanned_tree: Tree) -> None:
        g, rng = spanned_tree.graph, np.random.default_rng(1)
        symbols = [h for h in (g.named(s.name) for s in g.symbols) if h is not None]
        drawn = rng.uniform(0.3, 1.2, (STATES, len(symbols)))
        self.S, self.graph = NumpyScalars(), g
        self.states: list[dict[int, float]] = [dict(zip(symbols, row.tolist(), strict=True)) for row in drawn]
        self._known: dict[int, Any] = {}
        self._frames: dict[Frame, Frame] = {}
        self.root, self.links = self.frame(spanned_tree.root), list[Any]()
        for k in spanned_tree.links:
            X = Transform(self.frame(k.X.base), self.frame(k.frame), self.of(Vec(k.X.base, k.X.arm)))
            columns = tuple(
                Column(c.speed, self.of(c.twist), self.each(c.angular), self.each(c.linear)) for c in k.columns
            )
            self.links.append(
                Rows(
                    k.index,
                    None if k.parent is None else self.links[k.parent.index],
                    self.frame(k.frame),
                    X,
                    self.of(k.w_PB),
                    self.each(k.v_PB),
                    self.each(k.position_terms),
                    self.each(k.alpha_bias),
                    self.each(k.a_bias),
                    tuple(Column(*c) for c in columns),
                )
            )

    def row(self, node: int) -> Any:
        if node not in self._known:
            number = self.graph.number(node)
            self._known[node] = float(number) if number is not None else self.numbers([node])[0]
        return self._known[node]

    def numbers(self, nodes: list[int]) -> Array:
        return np.array([values(self.graph, nodes, state) for state in self.states], float).T

    def frame(self, was: Frame) -> Frame:
        if was not in self._frames:
            parent = None if was.parent is None else self.frame(was.parent)
            self._frames[was] = Frame(was.name, self.S, parent, self._turn(was.up))
        return self._frames[was]

    def _turn(self, turn: Turn | None) -> Turn | None:
        if isinstance(turn, AxisTurn):
            return AxisTurn(self.S, turn.axis, self.row(turn.angle))
        x, y, z = (tuple(map(self.row, r)) for r in turn.rows) if turn is not None else ((),) * 3
        return None if turn is None else MatrixTurn(self.S, (x, y, z))  # type: ignore[arg-type]

    def of(self, x: Any) -> Any:
        return type(x)(self.frame(x.frame), tuple(map(self.row, x.c)))

    def each(self, parts: tuple[Vec, ...]) -> tuple[Vec, ...]:
        return tuple(map(self.of, parts))

    def near(self, found: Resolved, wanted: Resolved) -> bool:
        a, b = np.array([np.broadcast_to(x, STATES) for x in found.c]), self.numbers(list(wanted.c))
        return bool(np.max(np.abs(a - b)) <= CLOSE * max(1, np.max(np.abs(b))))


@pytest.mark.parametrize("seed", range(6))
def test_steps_on_rows_and_graphs_agree(seed: int) -> None:
    spanned_tree = span(system(tree(seed)).freeze())
    motion, inertias, batch = Motion(spanned_tree), base_inertias(spanned_tree), Batch(spanned_tree)
    V = outwards(batch.links, velocity, Twist.zero(batch.root))
    poses = outwards(batch.links, pose, LinkPose.at(batch.root))
    start = LinkMotion.of_ground(batch.of(motion.ground.a))
    moving = outwards(batch.links, lambda link, P: LinkMotion(*accelerate(link, P)), start)
    bodies: list[RigidInertia] = [batch.of(i) for i in inertias]
    forces = inwards(batch.links, [inertial_wrench(i, moving[k]) for k, i in enumerate(bodies)], to_parent)
    known = outwards(spanned_tree.links, pose, LinkPose.at(spanned_tree.root))
    wanted = inwards(
        spanned_tree.links,
        [inertial_wrench(i, motion.of(k)) for k, i in zip(spanned_tree.links, inertias, strict=True)],
        to_parent,
    )
    whole = inwards(batch.links, bodies, to_parent)
    for link, row, body in zip(spanned_tree.links, batch.links, composites(spanned_tree, inertias), strict=True):
        k, m = link.index, motion.of(link)
        assert batch.near(V[k], motion.twist(link)) and batch.near(poses[k].origin, known[k].origin)
        assert all(batch.near(a, b) for a, b in zip(poses[k].axes, known[k].axes, strict=True))
        assert batch.near(moving[k].w, m.w) and batch.near(moving[k].alpha, m.alpha) and batch.near(moving[k].a, m.a)
        assert batch.near(forces[k], wanted[k]) and batch.near(whole[k], body)
        power, expected = ([x for _, x in on_speeds(one, F)] for one, F in ((row, forces[k]), (link, wanted[k])))
        for x, node in zip(power, expected, strict=True):
            assert batch.near(Wrench(row.frame, (x,)), Wrench(link.frame, (node,)))
