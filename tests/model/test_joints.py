"""The contract of each joint: its zero, q̇ = N u compared with the rate of the pose, and integration along the
speeds."""

import numpy as np
import pytest

from freebody.model.joints import (
    JOINTS,
    BuildingBlock,
    Compound,
    Custom,
    Cylindrical,
    Free,
    Joint,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Simple,
    Spherical,
    Universal,
    Weld,
)
from freebody.program import evaluate, program
from freebody.scalar import Expr, Graph, Kind
from freebody.scalar.expr import cos, sin
from freebody.spatial.frame import Frame
from freebody.spatial.vector import components, vector

SKEW = (0.3, -0.5, 0.8)
SCREW = (0.3, -0.5, 0.8, 0.2, 0.1, -0.4)
CASES: list[Joint] = [
    Weld(), Revolute("y"), Revolute("-z"), Revolute(SKEW), Prismatic(SKEW), Cylindrical("x"), Cylindrical(SKEW),
    Screw(SKEW, 0.2), Planar("z"), Planar("x"), Planar(SKEW), Spherical(), Spherical("123"), Spherical("313"),
    Spherical("231"), Free(), Free("321"), Free("121"), Universal("x", "y"), Universal(SKEW, "z"),
    BuildingBlock(("x", (1, 1, 0), "z"), (1, 2, 3)), BuildingBlock(("x",), (2,), "y", "x"),
    BuildingBlock((), (3,), SKEW, "x"), BuildingBlock(("y", SKEW)),
    Simple([0, 0, 2, 0, 0, 0]), Simple([1, 2, 3, -1, 2, 0.5]), Simple([0, 0, 0, 1, 2, 3]), Simple([*SKEW, *SKEW]),
    Simple(np.eye(6)[:, :3]), Simple(np.eye(6)), Simple(np.eye(6)[:, [3, 4, 5, 2, 1, 0]]),
    Simple([[1, 0.2, 0], [0, 1, 0.3], [0.1, 0, 2], [0, 0, 0], [0, 0, 0], [0, 0, 0]]),
    Simple([[0, 0, 0], [0, 0, 0], [1, 1, 1], [0, 1, 0], [0, 0, 2], [0, 0, 0]]),
    Simple([[0, 0], [0, 0], [1, 2], [0.5, 1], [0.3, 0.6], [0, 1]]),
    Simple([[0, 0], [1, 0], [0, 1], [0, 0], [0, 0], [0, 0]], holonomic=False),
    Simple([[0, 1], [0, 0], [1, 0], [0, 0.3], [0, 0], [0, 0]], holonomic=False),
    Simple(constraint=[[1, 2, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0], [0] * 5 + [1]], holonomic=False),
    Simple(constraint=np.eye(6)[3:]), Simple(constraint=[[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, -1, 0, 0, 5]]),
    Compound(SCREW, Spherical(), Prismatic(SKEW)), Compound(Custom(("s", "s**2", 0), [("x", "s")]), Free(), Weld()),
    Compound(Simple(np.eye(6)[:, :3]), SCREW, Planar("y")),
    Compound(Compound(SCREW, Revolute("x")), Simple([[0, 0], [1, 0], [0, 1], *[[0, 0]] * 3], holonomic=False)),
    Custom(("cos(s)", "2*sin(s)", "s"), [("z", "s + 0.3"), (SKEW, "s**2")]),
    Custom(lambda a, b: (a, b, a * b), coordinates=("a", "b")),
    Custom(turns=[("x", "a*b"), ("y", "b")], coordinates=("a", "b")),
    Custom(rotation=lambda s: [[cos(s), 0, sin(s)], [0, 1, 0], [-sin(s), 0, cos(s)]]),
]  # fmt: skip


class Placed:
    """A joint on symbols, evaluated with numbers: pose, twist and q̇."""

    def __init__(self, joint: Joint) -> None:
        g = Graph()
        root = Frame("root", g)
        q = [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(len(joint.coordinates))]
        u = [g.symbol(f"u{k}", Kind.SPEED) for k in range(len(joint.speeds))]
        p = joint.place(root, "child", q, u)
        one = [vector(p.frame, [g.one if i == k else g.zero for i in range(3)]) for k in range(3)]
        nothing = vector(root, [g.zero] * 3)
        turn = sum((t * Expr(g, s) for t, s in zip(p.turns, u, strict=True)), start=nothing)
        slide = sum((t * Expr(g, s) for t, s in zip(p.slides, u, strict=True)), start=nothing)
        outputs = {
            "R": [list(components(e, root)) for e in one],
            "p": list(components(p.position, root)),
            "w": list(components(turn, root)),
            "v": list(components(slide, root)),
            "q_dot": p.q_dot,
            "w_rest": list(components(p.turn_remainder, root)),
            "v_rest": list(components(p.slide_remainder, root)),
        }
        self.program = program("joint", g, {"q": q, "u": u}, outputs)

    def __call__(self, q: np.ndarray, u: np.ndarray) -> dict[str, np.ndarray]:
        found = evaluate(self.program, {"q": q, "u": u}).values
        return found | {"R": found["R"].T}


def random_q(joint: Joint, rng: np.random.Generator) -> np.ndarray:
    return joint.normalise(np.array(joint.zero) + rng.uniform(-0.6, 0.6, len(joint.coordinates)))


@pytest.mark.parametrize("joint", CASES, ids=lambda j: f"{j.kind} {j}"[:40])
def test_twist_is_the_rate_of_the_pose(joint: Joint) -> None:
    """Along q̇ the frame rotates with ω and the origin moves with v, both relative to the parent."""
    placed, rng, h = Placed(joint), np.random.default_rng(1), 1e-6
    q, u = random_q(joint, rng), rng.normal(size=len(joint.speeds))
    now = placed(q, u)
    ahead, behind = (placed(q + s * h * now["q_dot"], u) for s in (1, -1))
    R_dot = (ahead["R"] - behind["R"]) / (2 * h) @ now["R"].T
    assert np.allclose([R_dot[2, 1], R_dot[0, 2], R_dot[1, 0]], now["w"], atol=1e-7)
    assert np.allclose((ahead["p"] - behind["p"]) / (2 * h), now["v"], atol=1e-7)
    assert np.allclose(now["R"] @ now["R"].T, np.eye(3), atol=1e-12) and np.linalg.det(now["R"]) > 0


@pytest.mark.parametrize("joint", CASES, ids=lambda j: f"{j.kind} {j}"[:40])
def test_bias_accelerations_are_the_rates_of_the_twist_at_constant_speeds(joint: Joint) -> None:
    placed, rng, h = Placed(joint), np.random.default_rng(3), 1e-6
    q, u = random_q(joint, rng), rng.normal(size=len(joint.speeds))
    now = placed(q, u)
    ahead, behind = (placed(q + s * h * now["q_dot"], u) for s in (1, -1))
    for what in "wv":
        assert np.allclose((ahead[what] - behind[what]) / (2 * h), now[f"{what}_rest"], atol=1e-6)


@pytest.mark.parametrize("joint", CASES, ids=lambda j: f"{j.kind} {j}"[:40])
def test_frames_coincide_at_zero(joint: Joint) -> None:
    found = Placed(joint)(np.array(joint.zero), np.zeros(len(joint.speeds)))
    if isinstance(joint, Custom):
        return  # its zero is defined by its functions
    assert np.allclose(found["p"], 0)
    if not (isinstance(joint, BuildingBlock) and joint.axis is not None):
        assert np.allclose(found["R"], np.eye(3))


@pytest.mark.parametrize("joint", CASES, ids=lambda j: f"{j.kind} {j}"[:40])
def test_integrate_and_difference_are_inverse_and_follow_the_speeds(joint: Joint) -> None:
    placed, rng, h = Placed(joint), np.random.default_rng(2), 1e-6
    q, delta = random_q(joint, rng), rng.uniform(-0.4, 0.4, len(joint.speeds))
    moved = joint.integrate(q, delta)
    assert np.allclose(joint.difference(q, moved), delta, atol=1e-9)
    slope = (joint.integrate(q, h * delta) - joint.integrate(q, -h * delta)) / (2 * h)
    assert np.allclose(slope, placed(q, delta)["q_dot"], atol=1e-6)


def test_cases_contain_every_joint_of_the_table() -> None:
    assert {j.kind for j in CASES} | {"universal"} == set(JOINTS)
