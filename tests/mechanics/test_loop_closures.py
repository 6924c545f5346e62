"""Loops closed by every joint on the steps of the tree: the constraint rows of a cut joint are derivatives of its
residuals, and the elimination gives the multipliers of the complete linear system."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.formulations.recursive import Recursive, ReferenceMotion
from freebody.scalar.derivative import jvp
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import values
from freebody.spatial.vector import components
from freebody.tree.elimination import Elimination
from freebody.tree.forest import Forest, span
from freebody.tree.inertia import base_inertias
from freebody.tree.joint_forces import joint_forces
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import NewtonEuler
from tests.mechanics.loop_closures import CLOSURES, FREEDOMS, End, Row

Array = np.ndarray
State = dict[int, float]
CLOSE = 1e-11
PAIRS = {"two bodies": ("a2", "b2"), "with the ground": ("ground", "b2"), "an ancestor": ("a0", "a2")}


def system() -> fb.System:
    """Two branches on a moving base, with enough freedoms for any joint between them."""
    s = fb.System("branches")
    inertia = ((0.3, 0.02, 0.01), (0.02, 0.4, 0.03), (0.01, 0.03, 0.5))
    base = s.body("base", joint=fb.Free(), mass=2.0, com=(0.1, 0, 0), inertia=inertia)
    for branch, joints in {
        "a": (fb.Universal("x", "z"), fb.Free("123"), fb.Cylindrical("y")),
        "b": (fb.Revolute("y"), fb.Planar("z"), fb.Spherical()),
    }.items():
        on: Any = base
        for k, joint in enumerate(joints):
            on = s.body(f"{branch}{k}", on=on, at=(0.3, 0.1 * k, -0.2), joint=joint, mass=1.0 + k, com=(0.1, 0.2, 0.3),
                        inertia=inertia)  # fmt: skip
    return s


def state_of(forest: Forest, seed: int) -> State:
    rng, layout = np.random.default_rng(seed), forest.layout
    state = dict(zip((*layout.q_handles, *layout.u_handles), rng.uniform(-0.9, 0.9, 99), strict=False))
    for name in ("base.q", "b2.q"):
        four = [layout.q_handles[layout.q.index(f"{name}{c}")] for c in "wxyz"]
        length = sum(state[h] ** 2 for h in four) ** 0.5
        state |= {h: state[h] / length for h in four}
    return state | {forest.t: 0.0}


def numbers(forest: Forest, nodes: Any, state: State) -> Array:
    return np.array(values(forest.graph, list(nodes), state), float)


def pose(motion: Motion, name: str, state: State) -> tuple[Array, Array]:
    """R and p of a body in the ground, as numbers."""
    forest, body = motion.forest, motion.body(name)
    position = motion.position(forest.placed.ground.origin, body.origin)
    columns = [components(v, forest.root) for v in (body.axis(0), body.axis(1), body.axis(2), position)]
    return (R := numbers(forest, [x for c in columns for x in c], state).reshape(4, 3))[:3].T, R[3]


def moved(joint: str, rng: np.random.Generator) -> tuple[Array, Array]:
    """Rotation and translation of B in A by a random motion that the joint allows."""
    angle, slide = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)
    turn = {"spherical": "xyz", "revolute": "z", "universal": "xy", "cylindrical": "z", "planar": "z"}.get(joint, "")
    slides = {"prismatic": (0, 0, 1), "cylindrical": (0, 0, 1), "planar": (1, 1, 0)}.get(joint, (0, 0, 0))
    R = Rotation.from_euler(turn.upper(), angle[: len(turn)]).as_matrix() if turn else np.eye(3)
    return R.reshape(3, 3), slide * slides


def closed(motion: Motion, joint: str, pair: tuple[str, str], state: State) -> list[Row]:
    """The rows of a joint whose frames are placed so that the loop is closed at this state."""
    rng = np.random.default_rng(7)
    (R_a, p_a), (R_b, p_b) = (pose(motion, name, state) for name in pair)
    A = End(pair[0], rng.uniform(-0.3, 0.3, 3), Rotation.random(random_state=3).as_matrix())
    turn, slide = moved(joint, rng)
    origin = p_a + R_a @ (A.p + A.R @ slide)
    B = End(pair[1], R_b.T @ (origin - p_b), R_b.T @ R_a @ A.R @ turn)
    return CLOSURES[joint](motion, A, B)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=list(PAIRS))
@pytest.mark.parametrize("joint", CLOSURES)
def test_rows_are_the_derivatives_of_their_residuals(joint: str, pair: tuple[str, str]) -> None:
    forest = span(system().freeze())
    g, layout = forest.graph, forest.layout
    rates = [g.symbol(f"rate.{n}", Kind.INPUT) for n in layout.u]
    motion, state, rng = Motion(forest, rates), state_of(forest, 1), np.random.default_rng(2)
    rows = closed(motion, joint, pair, state)
    assert len(rows) == 6 - FREEDOMS[joint]
    residuals = [row.residual.handle for row in rows]
    assert np.max(np.abs(numbers(forest, residuals, state))) <= CLOSE
    seeds = dict(zip((*layout.q_handles, *layout.u_handles), (*layout.q_dot, *rates), strict=True))
    first = jvp(g, residuals, seeds)
    second = jvp(g, first, seeds)
    G = np.array([numbers(forest, row.jacobian(motion), state) for row in rows])
    assert np.linalg.matrix_rank(G) == len(rows)
    u = np.array([state[h] for h in layout.u_handles])
    assert np.allclose(numbers(forest, first, state), G @ u, atol=CLOSE)
    u -= np.linalg.pinv(G) @ (G @ u)  # speeds that keep the loop closed
    state |= dict(zip(layout.u_handles, u, strict=True)) | dict(zip(rates, rng.normal(size=len(rates)), strict=True))
    expected = numbers(forest, second, state)
    assert np.max(np.abs(expected)) > 0.1
    assert np.allclose(numbers(forest, [row.acceleration.handle for row in rows], state), expected, atol=CLOSE)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=list(PAIRS))
@pytest.mark.parametrize("joint", CLOSURES)
def test_closed_loops_match_the_complete_linear_system(joint: str, pair: tuple[str, str]) -> None:
    """M u̇ − Gᵀλ = f, G u̇ = γ, by the elimination, which never forms M or G."""
    forest = span(system().freeze())
    g, n, state = forest.graph, len(forest.layout.u), state_of(forest, 4)
    still, e = Motion(forest), Recursive(forest)
    rows = closed(still, joint, pair, state)
    entries = list(e.mass)
    M = np.zeros((n, n))
    for (i, j), value in zip(entries, numbers(forest, [e.mass[k] for k in entries], state), strict=True):
        M[i, j] = M[j, i] = value
    G = np.array([numbers(forest, row.jacobian(still), state) for row in rows])
    gamma = -numbers(forest, [row.acceleration.handle for row in rows], state)
    whole = np.block([[M, -G.T], [G, np.zeros((len(rows), len(rows)))]])
    expected = np.linalg.solve(whole, [*numbers(forest, e.force, state), *gamma])
    for condensing in (None, (), (0, 2, 5)):
        motion, inertias = ReferenceMotion(forest), base_inertias(forest)
        newton = NewtonEuler(motion, inertias)
        rows = closed(motion, joint, pair, state)
        multipliers = [row.multiplier(motion, n + k) for k, row in enumerate(rows)]
        right = [*joint_forces(forest), *(row.acceleration.handle for row in rows)]
        delta = Elimination(forest, inertias, condensing, multipliers).solve(right, newton.wrenches, newton.own_forces)
        found = numbers(forest, [g.add(d, motion.reference.get(k, g.zero)) for k, d in enumerate(delta)], state)
        assert np.max(np.abs(found - expected)) <= 1e-9 * np.max(np.abs(expected)), condensing
