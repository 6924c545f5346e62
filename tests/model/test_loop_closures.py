"""Loops closed by joints of the library: the equations of ``System.close`` are derivatives of their residuals, their
wrenches have the power of their velocities, and the elimination gives the multipliers of the complete linear system."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.formulations.recursive import Recursive, ReferenceMotion
from freebody.model.joints import Joint
from freebody.scalar.derivative import jvp
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import values
from freebody.spatial.frame import Frame
from freebody.spatial.vector import components, vector
from freebody.tree.constraints import ClosureForms, ConstraintEquations
from freebody.tree.elimination import Elimination
from freebody.tree.inertia import base_inertias
from freebody.tree.joint_forces import joint_forces
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import NewtonEuler
from freebody.tree.tree import Tree, span

Array = np.ndarray
State = dict[Node, float]
CLOSE = 1e-11
OBLIQUE, OTHER = (1.0, 2.0, -2.0), (2.0, -2.0, 1.0)
JOINTS = {
    "weld": fb.Weld(),
    "revolute": fb.Revolute("z"),
    "revolute, oblique": fb.Revolute(OBLIQUE),
    "prismatic": fb.Prismatic("-y"),
    "prismatic, oblique": fb.Prismatic(OBLIQUE),
    "cylindrical": fb.Cylindrical("x"),
    "cylindrical, oblique": fb.Cylindrical(OBLIQUE),
    "universal": fb.Universal("x", "y"),
    "universal, oblique": fb.Universal(OBLIQUE, (0.3, -2.0, 1.0)),
    "spherical": fb.Spherical(),
    "planar": fb.Planar("y"),
    "planar, oblique": fb.Planar(OTHER),
    "screw": fb.Screw("z", 0.2),
    "screw, oblique": fb.Screw(OBLIQUE, -0.3),
    "building block": fb.BuildingBlock(translations=("x", (0, 1, 1)), rotations=(3,), axis="z"),
    "three rotations": fb.BuildingBlock(translations=("x",), rotations=(1, 2, 3)),
    "simple": fb.Simple([[0, 0, 0], [1, 0, 0], [0, 0, 0], [0.3, 1, 0], [0, 0, 0], [0.1, 0, 2]]),
    "compound": fb.Compound(fb.Revolute("y"), fb.Revolute("x")),
    "compound of a sphere": fb.Compound(fb.Prismatic("z"), fb.Spherical("123")),
    "compound of four": fb.Compound(fb.Revolute("z"), fb.Prismatic("x"), fb.Screw("y", 0.1), fb.Revolute("x")),
    "custom": fb.Custom(position=("0.2*s", "0.3*sin(s)", "0.1*s**2"), turns=[("z", "0.5*s"), ("x", "s**2/4")]),
    "custom with two": fb.Custom(position=("a", "0.3*sin(b)", "a*b"), turns=[("z", "b")], coordinates=("a", "b")),
}
PAIRS = {"two bodies": ("a2", "b2"), "with the ground": ("ground", "b2"), "an ancestor": ("a0", "a2")}
FORMS = {"first": (False, False), "second": (True, False), "aligned": (False, True), "second aligned": (True, True)}


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
            on = s.body(
                f"{branch}{k}",
                on=on,
                at=(0.3, 0.1 * k, -0.2),
                joint=joint,
                mass=1.0 + k,
                com=(0.1, 0.2, 0.3),
                inertia=inertia,
            )
    return s


def state_of(tree: Tree, seed: int) -> State:
    rng, layout = np.random.default_rng(seed), tree.layout
    state = dict(zip((*layout.q_handles, *layout.u_handles), rng.uniform(-0.9, 0.9, 99), strict=False))
    for name in ("base.q", "b2.q"):
        four = [layout.q_handles[layout.q.index(f"{name}{c}")] for c in "wxyz"]
        length = sum(state[h] ** 2 for h in four) ** 0.5
        state |= {h: state[h] / length for h in four}
    return state | {tree.t: 0.0}


def numbers(g: Graph, nodes: Any, state: State) -> Array:
    return np.array(values(g, list(nodes), state), float)


def pose(motion: Motion, name: str, state: State) -> tuple[Array, Array]:
    """R and p of a body in the ground, as numbers."""
    tree, body = motion.tree, motion.body(name)
    position = motion.position(tree.placed.ground.origin, body.origin)
    columns = [components(v, tree.root) for v in (body.axis(0), body.axis(1), body.axis(2), position)]
    return (R := numbers(tree.graph, [x for c in columns for x in c], state).reshape(4, 3))[:3].T, R[3]


def placed(joint: Joint, q: Array) -> tuple[Array, Array]:
    """Rotation and translation of the child by a tree joint at coordinates q."""
    g = Graph()
    parent = Frame("parent", g)
    at = joint.place(parent, "child", [g.const(float(x)) for x in q], [g.zero] * len(joint.speeds))
    axes = [vector(at.frame, [g.one if i == k else g.zero for i in range(3)]) for k in range(3)]
    columns = [components(v, parent) for v in (*axes, at.position)]
    return (R := numbers(g, [x for c in columns for x in c], {}).reshape(4, 3))[:3].T, R[3]


def closed_system(joint: Joint, pair: tuple[str, str], seed: int) -> tuple[Tree, State]:
    """The system with a loop that is closed at a random state, the cut joint at random coordinates."""
    rng, s = np.random.default_rng(7), system()
    tree = span(s.freeze())
    motion, state = Motion(tree), state_of(tree, seed)
    (R_a, p_a), (R_b, p_b) = (pose(motion, name, state) for name in pair)
    A_p, A_R = rng.uniform(-0.3, 0.3, 3), Rotation.random(random_state=3).as_matrix()
    coordinates = joint.sample(rng.uniform(-1, 1, len(joint.speeds)))
    turn, slide = placed(joint, coordinates)
    B_p, B_R = R_b.T @ (p_a + R_a @ (A_p + A_R @ slide) - p_b), R_b.T @ R_a @ A_R @ turn
    one, other = (s.ground if name == "ground" else s.bodies[name] for name in pair)
    s.close(one.point(A_p), other.point(B_p), joint, orient=A_R, orient_to=B_R, name="loop")
    tree = span(s.freeze())
    names = tree.model.constraints["loop"].names[0]
    states = {tree.graph.named(n): float(x) for n, x in zip(names, coordinates, strict=True) if n in tree.layout.z}
    return tree, state_of(tree, seed) | states


CASES = [
    pytest.param(joint, pair, form, id=f"{name}, {between}, {which}")
    for name, joint in JOINTS.items()
    for between, pair in PAIRS.items()
    for which, form in FORMS.items()
    if form == (False, False) or joint.resists(Frame("axes", Graph())) is not None
]


@pytest.mark.parametrize(("joint", "pair", "form"), CASES)
def test_equations_are_the_derivatives_of_their_residuals(joint: Any, pair: Any, form: tuple[bool, bool]) -> None:
    tree, state = closed_system(joint, pair, 1)
    g, layout = tree.graph, tree.layout
    rates = [g.symbol(f"rate.{n}", Kind.INPUT) for n in layout.u]
    exchanged, aligned = form
    equations = ConstraintEquations(Motion(tree, rates), (), ClosureForms(frozenset(["loop"][:exchanged]), aligned))
    residuals = [h for h in equations.residuals if h is not None]
    assert len(residuals) == len(equations.rows) == 6 - len(joint.speeds)
    assert np.max(np.abs(numbers(g, residuals, state)), initial=0) <= CLOSE
    seeds = dict(zip((*layout.q_handles, *layout.u_handles), (*layout.q_dot, *rates), strict=True))
    seeds |= {z.symbol.handle: z.rate.handle for z in tree.model.states.values()}
    assert np.max(np.abs(numbers(g, equations.state_corrections.values(), state)), initial=0) <= CLOSE
    first = jvp(g, residuals, seeds)
    second = jvp(g, first, seeds)
    G = numbers(g, [x for row in equations.jacobian for x in row], state).reshape(len(residuals), -1)
    assert np.linalg.matrix_rank(G) == len(residuals)
    u = np.array([state[h] for h in layout.u_handles])
    assert np.allclose(numbers(g, first, state), G @ u, atol=CLOSE)
    assert np.allclose(numbers(g, equations.velocities, state), G @ u, atol=CLOSE)
    u -= np.linalg.pinv(G) @ (G @ u)  # speeds that keep the loop closed
    rng = np.random.default_rng(2)
    state |= dict(zip(layout.u_handles, u, strict=True)) | dict(zip(rates, rng.normal(size=len(rates)), strict=True))
    expected = numbers(g, second, state)
    assert np.max(np.abs(expected)) > 0.1
    assert np.allclose(numbers(g, equations.accelerations, state), expected, atol=CLOSE)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=list(PAIRS))
@pytest.mark.parametrize("joint", JOINTS.values(), ids=list(JOINTS))
def test_closed_loops_match_the_complete_linear_system(joint: Any, pair: Any) -> None:
    """M u̇ − Gᵀλ = f, G u̇ = γ, by the elimination, which never forms M or G."""
    tree, state = closed_system(joint, pair, 4)
    g, n, e = tree.graph, len(tree.layout.u), Recursive(tree)
    entries, equations = list(e.mass), ConstraintEquations(Motion(tree))
    M = np.zeros((n, n))
    for (i, j), value in zip(entries, numbers(g, [e.mass[k] for k in entries], state), strict=True):
        M[i, j] = M[j, i] = value
    G = numbers(g, [x for row in equations.jacobian for x in row], state).reshape(-1, n)
    gamma = -numbers(g, equations.accelerations, state)
    whole = np.block([[M, -G.T], [G, np.zeros((len(G), len(G)))]])
    expected = np.linalg.solve(whole, [*numbers(g, e.force, state), *gamma])
    for condensing in (None, (), (0, 2, 5)):
        motion, inertias = ReferenceMotion(tree), base_inertias(tree)
        newton, equations = NewtonEuler(motion, inertias), ConstraintEquations(motion)
        right = [*joint_forces(tree), *equations.accelerations]
        elimination = Elimination(tree, inertias, condensing, equations.multipliers(tree))
        delta = elimination.solve(right, newton.wrenches, newton.own_forces)
        result = numbers(g, [g.add(d, motion.reference.get(k, g.zero)) for k, d in enumerate(delta)], state)
        assert np.max(np.abs(result - expected)) <= 1e-9 * np.max(np.abs(expected)), condensing
