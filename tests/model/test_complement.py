"""The wrenches that joints resist: at right angles to the columns and far from dependent, wherever the joint is."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.model.constraints.complement import complement, far_coordinates, pivot_rows
from freebody.model.joints import Joint
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import values
from freebody.spatial.frame import Frame
from freebody.spatial.vector import components
from tests.mechanisms.general_position import JOINTS
from tests.model.test_cut_joints import CLOSE, chain, state_of_loop
from tests.model.test_loop_closures import JOINTS as CLOSING

Array = np.ndarray
WORST = 100.0
"""The condition number of wrenches together with columns of length 1, where the columns alone are well conditioned."""

EVERY: dict[str, Joint] = {
    **JOINTS,
    **CLOSING,
    "half a turn": fb.Custom(("cos(s)", "sin(s)", 0), turns=[("z", "s")]),
    "hinges in a row": fb.Compound(fb.Revolute("z"), fb.Revolute("x"), fb.Screw("y", 0.3)),
    "corkscrew": fb.Custom(("cos(a)", "sin(a)*cos(b)", "sin(a)*sin(b)"), coordinates=("a", "b"), initial=(1.5, 0.2)),
}


def columns(joint: Joint, q: Array) -> tuple[Graph, list[int], list[list[int]], list[Array]]:
    """H as nodes of symbols, and its values at rows of coordinates."""
    g = Graph()
    axes, symbols = Frame("axes", g), [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(len(joint.coordinates))]
    at = joint.place(axes, "child", symbols, [g.zero] * len(joint.speeds))
    H = [[*components(turn, axes), *components(slide, axes)] for turn, slide in zip(at.turns, at.slides, strict=True)]
    nodes = [x for column in H for x in column]
    states = [dict(zip(symbols, row, strict=True)) for row in q.tolist()]
    return g, symbols, H, [np.array(values(g, nodes, state), float).reshape(-1, 6).T for state in states]


@pytest.mark.parametrize("name", [name for name, joint in EVERY.items() if 0 < len(joint.speeds) < 6])
def test_wrenches_are_independent_wherever_the_joint_is(name: str) -> None:
    joint = EVERY[name]
    start = np.array(joint.zero if joint.initial is None else joint.initial, float).reshape(-1)
    far = np.concatenate([start + np.array([[0.0], [np.pi / 2], [-np.pi / 2]]), far_coordinates(start)])
    g, symbols, H, samples = columns(joint, far)
    far, samples = far[[np.isfinite(one).all() for one in samples]], [one for one in samples if np.isfinite(one).all()]
    near = columns(joint, start + np.array([[0.0], [0.37], [-0.23]]))[-1]
    pivots = pivot_rows(near, samples)
    assert pivots is not None
    wrenches = complement(g, H, pivots, dict(zip(symbols, start.tolist(), strict=True)))
    assert len(wrenches) == 6 - len(H)
    for q, at in zip(far.tolist(), samples, strict=True):
        state = dict(zip(symbols, q, strict=True))
        F = np.array(values(g, [x for row in wrenches.values() for x in row], state), float).reshape(-1, 6)
        unit = at / np.linalg.norm(at, axis=0)
        assert np.abs(F @ unit).max() < 1e-12 * np.abs(F).max()
        if np.linalg.cond(unit) < 10:
            assert np.linalg.cond(np.hstack([unit, F.T])) < WORST, q


def test_columns_within_some_rows_have_a_complement_there() -> None:
    rng = np.random.default_rng(2)
    for rows in ((2, 3, 4), (0, 1, 2, 5), range(6)):
        H = np.zeros((6, 2))
        H[list(rows)] = rng.normal(size=(len(rows), 2))
        g, pivots = Graph(), pivot_rows([H], (), rows)
        assert pivots is not None
        wrenches = complement(g, [[g.const(float(x)) for x in h] for h in H.T], pivots, {}, rows)
        F = np.array([[float(g.number(x) or 0) for x in row] for row in wrenches.values()])
        assert F.shape == (len(rows) - 2, 6) and np.abs(F @ H).max() < 1e-12
        assert not np.delete(F, list(rows), axis=1).any()


def test_pivots_that_vanish_nowhere_are_kept() -> None:
    """Where one choice is sound everywhere there are no reflections, which take more operations."""
    for joint in (fb.Custom(("x", "x**2", 0), coordinates=("x",), initial=1.26), fb.Screw((1, 2, -2), 0.3)):
        near, far = (columns(joint, q)[-1] for q in (np.array([[1.26], [1.66]]), far_coordinates(np.array([1.26]))))
        assert pivot_rows(near, far)
    _, _, _, around = columns(fb.Custom(("cos(s)", "sin(s)", 0)), np.linspace(0, 6, 30)[:, None])
    assert pivot_rows(around[:1], around) == ()
    assert all(pivot_rows([one], [other]) for one, other in pairwise(around))


@pytest.mark.parametrize("angle", [np.pi / 2, np.pi / 2 - 1e-6, -np.pi / 2, np.pi])
def test_a_rail_that_bends_by_a_right_angle_is_the_rail_of_the_tree(angle: float) -> None:
    joint: Any = fb.Custom(("cos(s)", "sin(s)", 0), stiffness=2.0, damping=0.3)
    tree, loop = chain(joint, False), chain(joint, True)
    f = tree.derive("kane").compile("numpy")
    rng, n = np.random.default_rng(1), len(tree.derive("kane").q)
    q, u = rng.uniform(-0.9, 0.9, n), rng.uniform(-1, 1, n)
    q[-1] = angle
    expected = f.outputs(q, u)
    q2, u2 = state_of_loop(q, u, expected)
    for formulation in ("kane", "aba"):
        result = loop.derive(formulation).compile("numpy").outputs(q2, u2, z=[angle])
        for name, value in expected.items():
            assert np.allclose(result[name], value, rtol=CLOSE, atol=CLOSE), (formulation, name)
