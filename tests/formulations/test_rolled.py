"""Rolled programs compared with unrolled ones, and laws of loops."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from freebody.backends import compile
from freebody.errors import ModelError
from freebody.formulations.derivation import Derivation
from freebody.formulations.kane import Kane
from freebody.formulations.recursive import Recursive
from freebody.formulations.rolled import MANY
from freebody.formulations.rolled.cell import angles, lay
from freebody.formulations.rolled.equations import Rolled
from freebody.formulations.rolled.kinds import FEW, PATTERNS, BodyKinds
from freebody.model.builder import ModelBuilder
from freebody.model.joints import JOINTS, Free, Joint, Prismatic, Revolute, Spherical, Universal, Weld
from freebody.program.assemble import Assembly
from freebody.program.count import count
from freebody.program.evaluate import evaluate
from freebody.program.program import Program, Scan
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.spatial.frame import Frame
from freebody.tree.tree import span
from tests.mechanisms.build_system import system
from tests.mechanisms.numeric_equations import error
from tests.mechanisms.random_trees import Tree, rodrigues, state, tree

ROUNDING = 1e-10  # relative to the largest entry; measured: below 1e-12
SEEDS = range(14)
QUANTITIES = ("forward_dynamics", "inverse_dynamics", "bias")


def inputs(e: Derivation, seed: int = 0, made: Tree | None = None, values: Any = ()) -> dict[str, np.ndarray]:
    """A random state with all other inputs of programs."""
    rng, layout = np.random.default_rng(seed), e.layout
    sizes = {"t": 1, "q": len(layout.q), "z": len(layout.z), "inputs": len(layout.inputs)}
    found = {name: rng.uniform(-1, 1, n) for name, n in sizes.items()}
    found |= {name: rng.uniform(-1, 1, len(layout.u)) for name in ("u", "tau", "u_dot")}
    if made is not None:
        found["q"] = state(made, seed).q
    return found | {"parameters": np.array(list(values), dtype=float)}


def value(p: Program, given: dict[str, np.ndarray]) -> np.ndarray:
    found = evaluate(p, {g.name: given[g.name] for g in p.groups}).values
    return next(iter(found.values()))


def chain(n: int, joint: Any = None, seed: int = 0) -> ModelBuilder:
    """Bodies that have only their joints in common."""
    rng, s = np.random.default_rng(seed), ModelBuilder(f"chain{n}")
    on = s.ground
    for k in range(n):
        turn = rodrigues(*_axis(rng))
        points = rng.normal(size=(4, 3)) * 0.3
        J = sum(np.eye(3) * (p @ p) - np.outer(p, p) for p in points)
        at, com = (tuple(map(float, rng.uniform(-0.3, 0.3, 3))) for _ in range(2))
        on = s.body(
            f"b{k}",
            on=on,
            joint=Revolute("z") if joint is None else joint(k),
            at=at,
            orient=turn.tolist(),
            mass=float(rng.uniform(0.5, 2)),
            com=com,
            inertia=np.asarray(J).tolist(),
        )
    return s


def _axis(rng: np.random.Generator) -> tuple[np.ndarray, float]:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v), float(rng.uniform(-3, 3))


def pendulums(n: int, parameters: bool = False) -> ModelBuilder:
    """A chain of equal rods in a plane."""
    s = ModelBuilder("rods")
    m, l = s.parameters(m=1.3, l=0.7) if parameters else (1.3, 0.7)
    on = s.ground
    for k in range(n):
        J = m * l**2 / 12
        on = s.body(
            f"b{k}",
            on=on,
            joint=Revolute("y"),
            at=(0, 0, -l),
            mass=m,
            com=(0, 0, -l / 2),
            inertia=((J, 0, 0), (0, J, 0), (0, 0, 0)),
        )
    return s


# Comparison with Kane


@cache
def both(seed: int, bodies: int = 5) -> tuple[Tree, ModelBuilder, Rolled, Derivation]:
    made = tree(seed, bodies)
    s = system(made)
    return made, s, Rolled(span(s.freeze())), Derivation(Kane(span(s.freeze())))


@pytest.mark.parametrize("seed", SEEDS)
def test_rolled_trees_of_every_joint_and_load_satisfy_kane(seed: int) -> None:
    made, s, rolled, kane = both(seed)
    given = inputs(rolled, seed, made, s.values.values())
    M, f = (value(kane.programs[name], given) for name in ("mass_matrix", "bias"))
    u_dot, tau, bias = (value(rolled.programs[name], given) for name in QUANTITIES)
    assert error(M @ u_dot, f + given["tau"]) < ROUNDING
    assert error(tau, M @ given["u_dot"] - f) < ROUNDING
    assert error(bias, f) < ROUNDING


@pytest.mark.parametrize("seed", SEEDS)
def test_added_inertia_is_on_the_diagonal_of_the_mass_matrix(seed: int) -> None:
    """(M + a)⁻¹ tau, by loops and by straight-line code."""
    made, s, rolled, kane = both(seed)
    given = inputs(rolled, seed, made, s.values.values())
    given["added"] = np.abs(given["u_dot"]) * 10.0 ** np.arange(-3, 3).repeat(20)[: len(given["u_dot"])]
    M = value(kane.programs["mass_matrix"], given) + np.diag(given["added"])
    for e in (rolled, Derivation(Recursive(span(s.freeze())))):
        tau, added = ([e.graph.symbol(f"{n}.{k}", Kind.INPUT) for k in range(len(M))] for n in ("given", "added"))
        a = Assembly("accelerations", e.graph, {**e.groups(), "tau": tau, "added": added})
        a.output("w", e.with_added_inertia(a, tau, added))
        assert error(M @ value(a.program(), given), given["tau"]) < ROUNDING


def test_trees_contain_every_joint_and_load() -> None:
    made = [both(seed)[0] for seed in SEEDS]
    assert set.union(*(t.kinds() for t in made)) == set(JOINTS)
    hinges = [twig.hinge for t in made for twig in t.twigs]
    assert all(any(getattr(h, what) for h in hinges) for what in ("stiffness", "friction", "damping", "armature"))
    assert any(any(h.motions) for h in hinges) and all(t.pushes and t.coils for t in made)


FAMILIES: dict[str, Any] = {
    "hinges": None,
    "skew hinges": lambda k: Revolute((1.0, 2.0, 0.5 + k % 5)),
    "sliders": lambda k: Prismatic((1.0, 2.0, 3.0)) if k % 2 else Prismatic("x"),
    "several": lambda k: (Revolute("x"), Spherical(), Universal(), Weld())[k % 4],
    "all options": lambda k: Revolute("z", damping=0.1 * k, stiffness=1.0, friction=0.2, armature=0.1 * (k % 2)),
    "floating": lambda k: Revolute("-y") if k else Free(),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_rolled_and_unrolled_chains_agree(name: str) -> None:
    s = chain(3 * FEW, FAMILIES[name])
    rolled, kane = Rolled(span(s.freeze())), Kane(span(s.freeze()))
    e = Derivation(kane)
    given = inputs(rolled, 3)
    found = value(rolled.programs["forward_dynamics"], given)
    assert error(value(e.programs["inverse_dynamics"], given | {"u_dot": found}), given["tau"]) < ROUNDING
    for quantity in QUANTITIES[1:]:
        assert error(value(rolled.programs[quantity], given), value(e.programs[quantity], given)) < ROUNDING


def branched(n: int) -> ModelBuilder:
    """A tree of equal joints with many leaves, each body on one of the last few."""
    rng, made = np.random.default_rng(n), chain(n)
    s = ModelBuilder("branched")
    for k, body in enumerate(made.bodies.values()):
        r = body.spec
        assert r is not None
        on = s.ground if k == 0 else s.bodies[f"b{rng.integers(max(0, k - 4), k)}"]
        plain = [[float(x) for x in map(str, row)] for row in (r.at, r.com, *r.inertia)]
        s.body(f"b{k}", on=on, joint=Revolute("x"), at=plain[0], mass=1.0 + 0.1 * k, com=plain[1], inertia=plain[2:])
    return s


def test_rolled_and_unrolled_branched_trees_agree() -> None:
    s = branched(40)
    rolled, e = Rolled(span(s.freeze())), Derivation(Kane(span(s.freeze())))
    given = inputs(rolled)
    assert {k.shapes[0].alone for k in rolled.bodies.kinds} == {False}
    assert {k.shapes[0].leaf for k in rolled.bodies.kinds} == {False, True}
    u_dot = value(rolled.programs["forward_dynamics"], given)
    assert error(value(e.programs["inverse_dynamics"], given | {"u_dot": u_dot}), given["tau"]) < ROUNDING
    assert error(value(rolled.programs["bias"], given), value(e.programs["bias"], given)) < ROUNDING


@pytest.mark.slow
def test_three_hundred_bodies_satisfy_newton_euler() -> None:
    s = chain(300)
    rolled, e = Rolled(span(s.freeze())), Derivation(Kane(span(s.freeze())))
    given = inputs(rolled)
    f, g, h = (compile(rolled.programs[name], "llvm").bind() for name in QUANTITIES)
    u_dot = f(**{x.name: given[x.name] for x in f.groups})
    scale = np.max(np.abs(h(**{x.name: given[x.name] for x in h.groups})))  # of the forces that tau is left of
    again = {**given, "u_dot": u_dot}
    needed = compile(e.programs["inverse_dynamics"], "numpy").bind()
    for found in (needed, g):
        tau = found(**{x.name: again[x.name] for x in found.groups})
        assert np.max(np.abs(tau - given["tau"])) < ROUNDING * scale


# Backends


@pytest.mark.parametrize(("quantity", "backend"), [
    *((quantity, backend) for quantity in QUANTITIES for backend in ("llvm", "numpy")), ("inverse_dynamics", "c"),
])  # fmt: skip
def test_backends_match_the_evaluator(quantity: str, backend: str) -> None:
    made, s, rolled, _ = both(1)
    p, given = rolled.programs[quantity], inputs(rolled, 1, made, s.values.values())
    f = compile(p, backend).bind(given["parameters"])
    wanted = value(p, given)
    rest = {g.name: given[g.name] for g in f.groups}
    assert error(f(**rest), wanted) < ROUNDING
    rows = {name: np.tile(x, (11, 1)) for name, x in rest.items() if x.size}
    assert error(f(**{**rest, **rows}), np.tile(wanted, (11, 1))) < ROUNDING


def test_state_dot_of_rolled_programs() -> None:
    made, s, rolled, kane = both(2)
    given = inputs(rolled, 2, made, s.values.values())
    given["x"] = np.concatenate([given["q"], given["u"], given["z"]])
    assert error(value(rolled.programs["state_dot"], given), value(kane.programs["state_dot"], given)) < ROUNDING


# Sharing


def codes(p: Program) -> int:
    """Nodes of all steps."""
    return sum(len(code) for region in p.regions if isinstance(region, Scan) for code in region.codes)


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_steps_do_not_grow_with_the_number_of_bodies(quantity: str) -> None:
    some, many = (Rolled(span(chain(n).freeze())) for n in (FEW + 2, 10 * FEW))
    assert codes(some.programs[quantity]) == codes(many.programs[quantity]) > 0
    assert len(some.bodies.kinds) == len(many.bodies.kinds) == 1


def test_equal_bodies_have_no_tables() -> None:
    assert not Rolled(span(pendulums(20).freeze())).programs["forward_dynamics"].tables
    one, other = (BodyKinds(span(pendulums(n, parameters=True).freeze())) for n in (20, 40))
    assert len(one.scalars.nodes) == len(other.scalars.nodes) > 0


def test_different_bodies_have_a_row_each() -> None:
    sizes = [Rolled(span(chain(n).freeze())).programs["bias"].tables[0].size for n in (10, 20)]
    assert sizes == [10 * 22, 20 * 22]  # 3 + 9 of the place, 1 + 3 + 6 of the mass


@pytest.mark.parametrize("parameters", [False, True])
def test_zeros_common_to_all_bodies_cost_nothing(parameters: bool) -> None:
    """In a plane two thirds of the numbers vanish: 65 operations per body unrolled, about 500 in space."""
    rolled = Rolled(span(pendulums(30, parameters).freeze()))
    assert rolled.operations["forward_dynamics"].total < 100 * 30
    assert rolled.operations["inverse_dynamics"].total < 35 * 30


def test_rolled_hinges_cost_no_more_than_unrolled_ones() -> None:
    from freebody.formulations.recursive import Recursive

    s = chain(12)
    rolled, unrolled = Rolled(span(s.freeze())), Derivation(Recursive(span(s.freeze())))
    assert rolled.operations["forward_dynamics"].total < unrolled.operations["forward_dynamics"].total


def test_parameters_are_read_and_may_change() -> None:
    s = pendulums(12, parameters=True)
    rolled, kane = Rolled(span(s.freeze())), Derivation(Kane(span(s.freeze())))
    f = compile(rolled.programs["forward_dynamics"], "llvm")
    for values in ([1.3, 0.7], [0.4, 1.1]):
        given = inputs(rolled, 5, values=values)
        g = f.bind(values)
        u_dot = g(**{x.name: given[x.name] for x in g.groups})
        assert error(value(kane.programs["inverse_dynamics"], given | {"u_dot": u_dot}), given["tau"]) < ROUNDING


@pytest.mark.parametrize("n", [3, 3 * FEW], ids=["roots of their own", "roots as the others"])
def test_gravity_may_be_any_expression(n: int) -> None:
    s = pendulums(n)
    g0 = s.parameter("g0", 9.0)
    s.gravity = (s.t, 0, -g0)
    rolled, e = Rolled(span(s.freeze())), Derivation(Kane(span(s.freeze())))
    given = inputs(rolled, values=[9.0])
    assert [k.shapes[0].root for k in rolled.bodies.kinds] == ([True, False, False] if n == 3 else [False])
    assert error(value(rolled.programs["bias"], given), value(e.programs["bias"], given)) < ROUNDING


# Kinds


def test_few_axis_permutations_are_separate_kinds() -> None:
    def bodies(angles: int) -> BodyKinds:
        s = ModelBuilder("exchanged")
        on = s.ground
        for k in range(40):
            turns = [("x", np.pi / 2 * (k % angles % 4)), ("z", np.pi / 2 * (k % angles // 4))]
            R = np.round(rodrigues(np.array([1.0, 0, 0]), turns[0][1]) @ rodrigues(np.array([0, 0, 1.0]), turns[1][1]))
            on = s.body(f"b{k}", on=on, joint=Revolute("z"), orient=R.tolist(), mass=1.0 + k, com=(1, 2, k))
        return BodyKinds(span(s.freeze()))

    few, many = bodies(2), bodies(PATTERNS + 4)
    assert [k.shapes[0].orient for k in few.kinds] == [None, (1, 0, 0, 0, 0, -1, 0, 1, 0)]
    assert {k.shapes[0].orient for k in many.kinds} == {None, (None,) * 9}


def test_kinds_of_joints_along_a_coordinate_axis() -> None:
    s = ModelBuilder("named")
    for k, axis in enumerate(["z", (0, 0, 2), (0.0, 0.0, 1.0), (0, 0, -1), (0, 1, 1)]):
        s.body(f"b{k}", joint=Revolute(axis), mass=1, inertia=(1, 1, 1))
    kinds = BodyKinds(span(s.freeze())).kinds
    assert [len(k.links) for k in kinds] == [3, 1, 1]
    assert [dict(k.shapes[0].joint.values)["axis"] for k in kinds] == ["z", "-z", (..., ..., ...)]


def test_many_bodies_of_few_kinds_are_rolled() -> None:
    def mixed(k: int) -> Joint:
        return Revolute("xyz"[k % 3], damping=k % 2, armature=k % 5 // 4, stiffness=k % 7 // 6, friction=k % 11 // 10)

    assert (
        Rolled(span(pendulums(MANY + 1).freeze())).is_cheaper and not Rolled(span(pendulums(MANY).freeze())).is_cheaper
    )
    assert not Rolled(span(chain(MANY + 1, mixed).freeze())).is_cheaper


# Frames


def test_rotations_are_three_turns() -> None:
    rng, exact = np.random.default_rng(0), [np.eye(3), np.diag([1.0, -1, -1]), np.diag([-1.0, -1, 1])]
    for R in [*(rodrigues(*_axis(rng)) for _ in range(20)), *exact, rodrigues(np.array([0, 0, 1.0]), 1e-9)]:
        for k in range(3):
            g = Graph()
            nodes = [[g.const(float(x)) for x in row] for row in R]
            a, b, c = (float(g.number(h)) for h in angles(g, nodes, k))  # type: ignore[arg-type]
            e, f = np.eye(3)[k], np.eye(3)[(k + 1) % 3]
            assert error(rodrigues(e, a) @ rodrigues(f, b) @ rodrigues(e, c), R) < 1e-14


def test_nested_constant_frames_are_one_matrix() -> None:
    g = Graph()
    R, S = ([[g.symbol(f"{n}{i}{j}", Kind.PARAMETER) for j in range(3)] for i in range(3)] for n in "RS")
    root, q = Frame("root", g), g.symbol("q", Kind.COORDINATE)
    second = lay(lay(root, "first", R), "second", S)
    assert second.parent is root
    turned = second.turned("turned", 1, q)
    assert [f.up is not None and f.up.axis is not None for f in turned.line()] == [True, True, True, False]
    assert turned.basis[1] is second.basis[1]


# Refused or unrolled


def test_joints_without_inertia_are_named() -> None:
    s = chain(10)
    s.body("hand", on=s.bodies["b9"], joint=Revolute("x"))
    s.body("finger", on=s.bodies["hand"], joint=Revolute("y"))
    with pytest.raises(ModelError, match=r"joint 'finger' \(finger on hand\): its inertia is 0, .* or use Weld"):
        Rolled(span(s.freeze())).programs["forward_dynamics"]


def test_joints_whose_inertia_vanishes_are_named() -> None:
    s = chain(3)
    s.body("bead", on=s.bodies["b2"], joint=Revolute("x"), mass=1)
    with pytest.raises(ModelError, match=r"joint 'bead' \(bead on b2\): bead and its outboard bodies do not resist"):
        Rolled(span(s.freeze())).programs["forward_dynamics"]


def test_systems_without_speeds_are_not_rolled() -> None:
    s = ModelBuilder("fixed")
    s.body("block", mass=1, inertia=(1, 1, 1))
    rolled = Rolled(span(s.freeze()))
    assert [rolled.programs[name].outputs[0].shape for name in QUANTITIES] == [(0,)] * 3


def test_other_quantities_are_unrolled() -> None:
    made, s, rolled, kane = both(0)
    given = inputs(rolled, 0, made, s.values.values())
    assert error(value(rolled.programs["mass_matrix"], given), value(kane.programs["mass_matrix"], given)) < ROUNDING
    assert count(rolled.programs["q_dot"]) == count(kane.programs["q_dot"])


@pytest.mark.parametrize("backend", ["llvm", "numpy", "c"])
def test_bodies_side_by_side_on_the_ground(backend: str) -> None:
    """Loops without work are omitted: all bodies are equal, and none moves another."""
    s = ModelBuilder("row")
    for k in range(MANY + 10):
        s.body(f"b{k}", joint=Revolute("y"), mass=1.0, com=(0, 0, -0.5), inertia=(1, 1, 0))
    rolled, plain = Rolled(span(s.freeze())), Derivation(Kane(span(s.freeze())))
    given = inputs(plain)
    for quantity in ("forward_dynamics", "inverse_dynamics"):
        p = rolled.programs[quantity]
        found = compile(p, backend)(*(given[g.name] for g in p.groups))
        assert error(np.asarray(found), value(plain.programs[quantity], given)) < ROUNDING
