"""Sayers' formulation agrees with Kane's on trees of every joint, for both choices of speeds."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.formulations.kane import Kane
from freebody.model.builder import ModelBuilder
from freebody.model.joints import (
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
from freebody.papers.composite import Category, composite
from freebody.papers.sayers import Sayers
from freebody.program import Program, evaluate, program
from freebody.scalar import jacobian, jvp
from freebody.tree.tree import Tree, span

CLOSE = 1e-12
"""Relative to the largest number of the same kind; the routes round differently over some hundred operations."""

OFF = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, -0.4, -0.2], [0.4, 0, -0.3], [0.2, 0.3, 0]]
"""A ball whose turns pass through the point (0.3, -0.2, 0.4) of the child: columns (e, c × e)."""

JOINTS: dict[str, Joint] = {
    "weld": Weld(), "revolute": Revolute("y", damping=0.3, stiffness=2.0, rest=0.2), "skew": Revolute((1, 2, -1)),
    "prismatic": Prismatic("x", damping=0.5), "slanted": Prismatic((1, 0, 2)), "cylindrical": Cylindrical("-z"),
    "universal": Universal("x", "y", armature=0.2), "ball": Spherical(), "spherical 123": Spherical("123"),
    "spherical 313": Spherical("313", damping=0.2, armature=0.3), "free": Free(), "free 321": Free("321", damping=0.1),
    "planar": Planar("y"), "tilted plane": Planar((0, 1, 1)), "screw": Screw("x", pitch=0.3, friction=0.1),
    "block": BuildingBlock(("x", "y", "z"), (1, 2, 3), damping=0.4, armature=0.1),
    "skew block": BuildingBlock(("x", (1, 1, 0), (0, 1, 2)), (2,), axis="y", reference="z"),
    "two slides": BuildingBlock(("x", (1, 2, 0)), (3,)), "slide and ball": BuildingBlock(("y",), (3, 1, 2)),
    "driven": Revolute("z", motion="sin(2*t)"), "driven slide": Prismatic("y", motion="t*t/2"),
    "half driven": Planar("z", motion=(None, "cos(t)", None)), "driven angle": Planar("x", motion=(None, None, "t*t")),
    "driven block": BuildingBlock(("x", "y", "z"), (2,), motion=(None, None, None, "sin(t)")),
    "column": Simple([1, 2, 3, -1, 0.5, 1]), "ball by map": Simple(np.eye(6)[:, :3]), "six": Simple(np.eye(6)),
    "body plane": Simple([[0] * 3, [0] * 3, [1, 0, 0], [0, 1, 0], [0, 0, 1], [0] * 3], damping=0.2),
    "parallel": Simple([[0] * 3, [0] * 3, [1] * 3, [0, 1, 0], [0, 0, 2], [0] * 3]),
    "held": Simple([[0, 0], [1, 0], [0, 1], *[[0, 0]] * 3], holonomic=False),
    "compound": Compound([1, 2, 3, -1, 0.5, 1], Prismatic((1, 1, 0)), Revolute("x"), armature=0.2),
    "ball off its origin": Simple(OFF, damping=0.2, armature=0.3),
    "slide on a ball": Compound(Prismatic("x"), Spherical()),
    "ball between slides": Compound(Prismatic("x"), Spherical("123"), Prismatic("z"), damping=0.1),
    "ball on a slide": Compound(Spherical(), Prismatic("x")),
    "driven fourth slide": Compound(*map(Prismatic, ("x", "y", "z", (1, 1, 0))), motion=(None, None, None, "sin(t)")),
    "hinges": Compound([0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]),
    "rail": Custom(("s", "s**2", "sin(s)"), [("z", "2*s"), ((1, 0, 1), "s**2")], stiffness=3, damping=0.2),
    "surface": Custom(("a", "b", "a*b"), [("x", "b"), ("y", "-a")], coordinates=("a", "b")),
    "driven rail": Custom(("s", "s**2", 0), [("z", "2*s")], motion="sin(t)"),
}  # fmt: skip
SPEEDS: tuple[str, ...] = ("standard", "mass-centre")


def tree(names: Sequence[str], seed: int, symmetric: bool = False, gravity: bool = True) -> ModelBuilder:
    """Bodies with these joints, each on a random earlier body, with random mass properties and some loads."""
    rng = np.random.default_rng(seed)
    s = ModelBuilder("tree", gravity=(0.3, -0.2, -9.81) if gravity else (0, 0, 0))
    push = s.input("push")
    bodies = [s.ground]
    for k, name in enumerate(names):
        at = tuple(rng.uniform(-1, 1, 3)) if rng.random() < 0.7 else (0, 0, 0)
        orient = ((1, 2, 3), float(rng.uniform(-1, 1))) if rng.random() < 0.3 else None
        parent = bodies[rng.integers(len(bodies))] if rng.random() < 0.5 else bodies[-1]
        mass, com, inertia = _properties(rng, symmetric)
        body = s.body(f"b{k}", on=parent, joint=JOINTS[name], at=at, orient=orient, mass=mass, com=com, inertia=inertia)
        bodies.append(body)
    last = bodies[-1]
    s.force(s.ground.vector((1, push, 2)) + last.x * 0.5, at=last.point((0.1, 0.2, 0.3)), reaction=bodies[1])
    s.torque(bodies[-2].y * push if len(names) > 1 else last.y, on=last)
    s.spring(last.point((0, 0.4, 0)), s.ground.point((2, 2, 2)), stiffness=3.0, free_length=0.5, damping=0.7)
    return s


def _properties(rng: np.random.Generator, symmetric: bool) -> tuple[float, tuple[float, ...], list[list[float]]]:
    """A general body, or a symmetric one whose mass centre may be on its z axis, or a massless one."""
    if symmetric:
        moments = np.diag(rng.choice([0.5, 0.7], 3)) * (rng.random() < 0.8)
        return float(rng.integers(3)), (0.0, 0.0, float(rng.choice([0.0, 0.3]))), moments.tolist()
    A = rng.uniform(-1, 1, (3, 3))
    spread = A @ A.T + np.eye(3)
    return float(rng.uniform(1, 2)), tuple(rng.uniform(-1, 1, 3)), (np.trace(spread) * np.eye(3) - spread).tolist()


def values(spanned_tree: Tree, seed: int) -> dict[str, np.ndarray]:
    """A random state, with unit quaternions."""
    rng = np.random.default_rng(seed)
    q, layout = rng.uniform(-1, 1, len(spanned_tree.layout.q)), spanned_tree.layout
    for k, name in enumerate(layout.q):
        if name.endswith(".qw"):
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return {
        "parameters": np.array([spanned_tree.model.parameters[n] for n in layout.parameters]),
        "t": np.array([0.7]),
        "q": q,
        "u": rng.uniform(-1, 1, len(layout.u)),
        "inputs": rng.uniform(-1, 1, len(layout.inputs)),
        "z": rng.uniform(-1, 1, len(layout.z)),
    }


def make(spanned_tree: Tree, outputs: dict[str, object]) -> Program:
    g, layout = spanned_tree.graph, spanned_tree.layout
    named = {name: [g.named(n) for n in getattr(layout, name)] for name in ("parameters", "inputs", "z")}
    state = {"t": [spanned_tree.t], "q": list(layout.q_handles), "u": list(layout.u_handles)}
    return program("test", g, {**named, **state}, outputs)  # type: ignore[dict-item]


def full(route: Kane | Sayers) -> list[list[int]]:
    n = len(route.tree.layout.u)
    return [[route.mass.get((max(i, j), min(i, j)), 0) for j in range(n)] for i in range(n)]


def by_kane(system: ModelBuilder, seed: int, u: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """M, f and q̇ in the model's speeds."""
    spanned_tree = span(system.freeze())
    route = Kane(spanned_tree)
    made = make(spanned_tree, {"M": full(route), "f": route.force, "q_dot": list(spanned_tree.layout.q_dot)})
    x = values(spanned_tree, seed)
    return evaluate(made, x if u is None else {**x, "u": u}).values


def by_sayers(system: ModelBuilder, seed: int, speeds: str) -> dict[str, np.ndarray]:
    """M, f and q̇ in Sayers' speeds; the conversions to the model's speeds and back, their partials A, and Ȧu."""
    spanned_tree = span(system.freeze())
    g, layout, route = spanned_tree.graph, spanned_tree.layout, Sayers(spanned_tree, speeds)
    q, u = list(layout.q_handles), list(layout.u_handles)
    there = list(route.standard)
    back = route.from_standard(q, there)
    A, n = jacobian(g, there, u), len(u)
    drift = jvp(g, there, {**dict(zip(q, route.q_dot, strict=True)), spanned_tree.t: g.one})
    outputs = {
        "M": full(route),
        "f": route.force,
        "q_dot": route.q_dot,
        "drift": drift,
        "here": u,
        "there": there,
        "back": back,
        "A": [[A.get((i, j), 0) for j in range(n)] for i in range(n)],
    }
    return evaluate(make(spanned_tree, outputs), values(spanned_tree, seed)).values


def near(a: np.ndarray, b: np.ndarray, scale: float = 0.0) -> bool:
    size = max(float(np.abs(b).max(initial=0)), scale, 1e-300)
    return bool(np.abs(a - b).max(initial=0) <= CLOSE * size)


def agree(system: ModelBuilder, seed: int, speeds: str) -> None:
    """M = Aᵀ M₀ A and f = Aᵀ (f₀ − M₀ Ȧu) with Kane's M₀ and f₀; the same q̇; the conversions are inverse to each
    other."""
    mine = by_sayers(system, seed, speeds)
    kane, A = by_kane(system, seed, mine["there"]), mine["A"]
    force = kane["f"] - kane["M"] @ mine["drift"]
    assert near(mine["back"], mine["here"])
    assert near(mine["q_dot"], kane["q_dot"])
    assert near(mine["M"], A.T @ kane["M"] @ A)
    assert near(mine["f"], A.T @ force, float(np.abs(kane["M"] @ mine["drift"]).max(initial=0)))


@pytest.mark.paper("000", "1", "2", "28", "33")
@pytest.mark.parametrize("speeds", SPEEDS)
@pytest.mark.parametrize("name", JOINTS)
def test_each_joint_between_two_hinges_agrees_with_kane(name: str, speeds: str) -> None:
    agree(tree(["revolute", name, "skew"], seed=len(name)), 1, speeds)


@pytest.mark.paper("000", "2", "28")
@pytest.mark.parametrize("speeds", SPEEDS)
@pytest.mark.parametrize("seed", range(16))
def test_random_trees_agree_with_kane(seed: int, speeds: str) -> None:
    rng = np.random.default_rng(seed)
    names = [*rng.choice([n for n in JOINTS if n != "weld"], 4), "weld", "revolute"]
    agree(tree(names, seed), seed, speeds)


@pytest.mark.paper("000", "18", "19")
@pytest.mark.parametrize("speeds", SPEEDS)
@pytest.mark.parametrize("seed", range(12))
def test_trees_of_rotors_and_fixed_bodies_agree_with_kane(seed: int, speeds: str) -> None:
    """Bodies with mass centres on axes, symmetric or massless bodies, with a general body at the tip."""
    rng = np.random.default_rng(100 + seed)
    names = ["revolute", "weld", "skew", "cylindrical", "free 321", "planar", "screw"]
    s = tree(list(rng.choice(names, 4)), seed, True)
    tip = list(s.bodies.values())[-1]
    s.body("tip", on=tip, joint=Spherical("123"), mass=1.0, com=(0.1, 0.2, 0.3), inertia=(0.3, 0.4, 0.5))
    wheel = s.body("wheel", on=tip, at=(0.1, 0, 0), joint=Revolute("z"), mass=2.0, com=(0, 0, 0.2), inertia=(1, 1, 2))
    s.body("pin", on=wheel, joint=Weld(), at=(0.1, 0, 0), mass=0.5, inertia=(0.1, 0.1, 0.1))
    agree(s, seed, speeds)


@pytest.mark.paper("000", "19")
def test_planar_motion_is_detected_through_parallel_hinges() -> None:
    """The second criterion of Table 5: two translations and no motion along their normal."""
    s = ModelBuilder("plane")
    arm = s.body("arm", joint=Revolute("z"), mass=1, com=(1, 0, 0))
    table = s.body("table", on=arm, joint=Planar("z"), at=(1, 0, 0), mass=1, com=(1, 2, 0))
    s.body("leaf", on=table, joint=Revolute("x"), mass=1, com=(0, 1, 0))
    s.body("off", on="leaf", joint=Planar("z"), mass=1, com=(0, 1, 0))
    found = [c.translation for c in composite(span(s.freeze(), staged=False))]
    assert found == [Category.RECURSIVE, Category.NONRECURSIVE, Category.RECURSIVE, Category.RECURSIVE]


@pytest.mark.paper("000", "18")
def test_lumped_bodies_accumulate_through_welds_and_axes() -> None:
    """Eqs 15–17 over two levels: mass and mass centre are those of the whole, and the three dyadics sum to its
    inertia."""
    s = ModelBuilder("lumps")
    m, l = s.parameters(m=2.0, l=0.5)
    a = s.body("a", joint=Free(), mass=m)
    b = s.body("b", on=a, at=(l, 0, 0), joint=Revolute("z"), mass=m, com=(0, 0, l))
    s.body("c", on=b, at=(0, 0, 2 * l), mass=m)
    spanned_tree = span(s.freeze())
    whole, middle, tip = composite(spanned_tree)
    assert [c.translation for c in (middle, tip)] == [Category.FIXED] * 2
    assert [c.rotation for c in (middle, tip)] == [Category.ROTOR] * 2
    rows = {
        "m": whole.mass,
        "x": [e.handle for e in whole.centre.resolve(whole.link.frame)],
        "J": [[list(r) for r in c.inertia.matrix(whole.link.frame)] for c in (whole, middle, tip)],
    }
    found = evaluate(make(spanned_tree, rows), values(spanned_tree, 0)).values
    points = np.array([[0, 0, 0], [0.5, 0, 0.5], [0.5, 0, 1.0]])
    d = points - points.mean(axis=0)
    assert found["m"] == 6 and np.allclose(found["x"], points.mean(axis=0), atol=1e-15)
    assert np.allclose(found["J"].sum(axis=0), 2 * (np.sum(d * d) * np.eye(3) - d.T @ d), atol=1e-14)


def test_unknown_speeds_are_refused() -> None:
    with pytest.raises(ModelError, match="speeds 'centre' are unknown; use 'standard' or 'mass-centre'"):
        fb.System("arm").derive(speeds="centre")  # type: ignore[arg-type]


@pytest.mark.parametrize("joint", [Spherical(), Free("123"), BuildingBlock(("x",), (1, 2, 3))])
def test_stiffness_without_rates_is_refused(joint: Joint) -> None:
    s = ModelBuilder("stiff")
    s.body("a", joint=replace(joint, stiffness=1.0), mass=1, inertia=(1, 1, 1))
    route = Sayers(span(s.freeze()))
    with pytest.raises(ModelError, match=f"joint of 'a': a {joint.kind} joint cannot have a stiffness"):
        route.force  # noqa: B018
