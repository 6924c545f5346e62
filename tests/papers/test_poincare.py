"""Poincaré's equations agree with all other formulations, and their matrices have the documented properties."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import freebody as fb
from examples.robots import puma560
from freebody.algebra import is_zero
from freebody.backends import compile
from freebody.errors import ArgumentError, ExpressionError, ModelError
from freebody.formulations.derivation import Derivation
from freebody.model.joints import JOINTS
from freebody.papers.brackets import along, structure
from freebody.papers.matrix_equations import MatrixNodes
from freebody.papers.poincare import Poincare
from freebody.program.program import Program
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.tree.tree import span
from tests.formulations.test_recursive import tree, users
from tests.mechanisms import build_system, random_trees
from tests.mechanisms.sampled import covering

CLOSE = 1e-10
SEEDS = range(len(JOINTS))


def near(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.abs(a - b).max() <= CLOSE * max(1.0, np.abs(b).max()))


@pytest.mark.parametrize("seed", covering(SEEDS, bodies=5))
@pytest.mark.paper("002", "14")
def test_poincare_agrees_with_kane_and_recursive_formulations(seed: int) -> None:
    """u̇ for tau and tau for u̇ on random trees of every joint with loads, dampers, rotors and prescribed motions."""
    s, x = tree(seed), random_trees.state(random_trees.tree(seed, bodies=5))
    arguments: dict[str, Any] = {"t": x.t, "z": [x.z], "inputs": [x.motor]}
    f, tau = s.derive("poincare").compile("numpy"), np.linspace(-1, 1, len(x.u))
    moved = f.forward_dynamics(x.q, x.u, tau, **arguments)
    others = ("kane", "aba", "crba") if seed < 4 else ("aba",)
    for other in (s.derive(name).compile("numpy") for name in others):
        assert near(moved, other.forward_dynamics(x.q, x.u, tau, **arguments))
    assert near(f.inverse_dynamics(x.q, x.u, moved, **arguments), tau)


def test_trees_contain_every_joint() -> None:
    assert {k for seed in SEEDS for k in random_trees.tree(seed, bodies=5).kinds()} >= set(JOINTS)


def undriven(seed: int) -> tuple[fb.System, random_trees.Tree]:
    """A random tree without prescribed motions."""
    made = random_trees.tree(seed, bodies=3)
    twigs = tuple(replace(twig, hinge=replace(twig.hinge, motions=())) for twig in made.twigs)
    pushes = tuple(replace(p, scale=random_trees.Scale()) for p in made.pushes)
    bare = replace(made, twigs=twigs, pushes=pushes, joint_forces=())
    return users(build_system.system(bare)), bare


@pytest.mark.parametrize("seed", covering(SEEDS, bodies=3))
@pytest.mark.paper("002", "14", "17")
def test_matrices_satisfy_the_equations_of_motion(seed: int) -> None:
    """M ṗ + C p + F = Q for u̇ by Kane, q̇ = V p, and with ``skew`` Ṁ = C + Cᵀ, on random random_trees."""
    s, bare = undriven(seed)
    skew = seed % 2 == 0
    x, eq = random_trees.state(bare), s.derive()
    tau, f = np.linspace(-1, 1, len(x.u)), eq.compile("numpy")
    u_dot = f.forward_dynamics(x.q, x.u, tau, t=x.t, z=[x.z], inputs=[x.motor])
    matrices = eq.matrices(skew=skew, simplify=False)
    terms = values(matrices.program(), s, x, tau)
    left = terms["M"] @ u_dot + terms["C"] @ x.u + terms["F"]
    assert near(left, terms["Q"])
    assert near(terms["V"] @ x.u, f.q_dot(x.q, x.u))
    if skew:
        assert near(mass_rate(s, x), terms["C"] + terms["C"].T)


def values(program: Program, s: fb.System, x: random_trees.State, tau: np.ndarray) -> dict[str, np.ndarray]:
    function = compile(program, "numpy").bind(s.values)
    held = {"t": [x.t], "q": x.q, "u": x.u, "z": [x.z], "inputs": [x.motor], "tau": tau}
    terms = function(*(np.asarray(held[g.name]) for g in function.groups if g.name != "parameters"))
    assert isinstance(terms, dict)
    return terms


def mass_rate(s: fb.System, x: random_trees.State) -> np.ndarray:
    """Ṁ along the motion by symbolic differentiation."""
    e = Derivation(Poincare(span(s.freeze())))
    a, rows = e.assembly("rate", "tau"), e.full_mass()
    a.output("M_dot", [along(e.graph, row, e.layout.q_handles, e.layout.q_dot) for row in rows])
    a.output("M", rows)
    return values(a.program(), s, x, np.zeros(len(x.u)))["M_dot"]


# Identities of symbols


def pendulum() -> fb.System:
    s = fb.System("double pendulum", gravity=(0, 0, "-g"))
    m, l, k = s.parameters(m=1.0, l=1.0, k=2.0)
    s.parameter("g", 9.81)
    a = s.body("a", joint=fb.Revolute("y"), mass=m, com=(0, 0, -l))
    s.body("b", on=a, at=(0, 0, -l), joint=fb.Revolute("y", stiffness=k, damping=0.1), mass=m, com=(0, 0, -l))
    return s


def top(sequence: str | None) -> fb.System:
    """A body on a cart that turns about a point beside its mass centre."""
    s = fb.System("top", gravity=(0, 0, "-g"))
    s.parameters(m=2.0, A=1.0, B=1.1, C=0.7, l=0.3, g=9.81)
    cart = s.body("cart", joint=fb.Prismatic("x"), mass="m")
    s.body("top", on=cart, joint=fb.Spherical(sequence), mass="m", com=("l", 0, "l"), inertia=("A", "B", "C"))
    return s


@pytest.mark.parametrize("system", [pendulum(), top("313"), top("132")])
def test_mass_rate_less_twice_c_is_skew_and_power_is_balanced(system: fb.System) -> None:
    """Ṁ − 2C skew, and d/dt(½ pᵀM p + 𝒱) = pᵀ Q with either C, for all values of all symbols."""
    for skew in (True, False):
        x = MatrixNodes(span(system.freeze()), skew)
        g, q, p = x.graph, x.layout.q_handles, x.layout.u_handles
        n = len(p)

        def dot(a: list[int], b: tuple[int, ...], g: Graph = g) -> int:
            total = g.zero
            for i, j in zip(a, b, strict=True):
                total = g.add(total, g.mul(i, j))
            return total

        rates = [dot(row, p) for row in x.V]
        M_dot = [along(g, row, q, rates) for row in x.M]
        rest = [[g.sub(M_dot[i][j], g.mul(g.const(2), x.C[i][j])) for j in range(n)] for i in range(n)]
        if skew:
            assert all(is_zero(g, g.add(rest[i][j], rest[j][i])) for i in range(n) for j in range(i + 1))
        assert is_zero(g, dot([dot(row, p) for row in rest], p))
        assert is_zero(g, g.sub(along(g, [x.potential], q, rates)[0], dot(x.F, p)))


def test_springs_are_in_the_potential_and_dampers_in_q() -> None:
    x = pendulum().derive("poincare").matrices()
    assert str(x.Q[0]) == "tau.a" and str(x.Q[1]) in ("tau.b - u.b/10", "tau.b - 0.1*u.b")
    assert "k*q.b" in str(x.F[1]) and "k*q.b**2/2" in str(x.potential)


def test_quaternions_have_more_coordinates_than_speeds() -> None:
    """C p of a body that turns about its mass centre is ω × J ω, for any coordinates."""
    s = fb.System("body")
    s.body("b", joint=fb.Spherical(), mass=1.0, inertia=(1, 2, 3 - 0.5))
    x = s.derive("poincare").matrices()
    assert x.V.shape == (4, 3) and x.C.shape == (3, 3)
    w = np.array([0.3, -0.5, 0.7])
    at: dict[Any, Any] = {f"u.b.{k}": float(v) for k, v in zip(("wx", "wy", "wz"), w, strict=True)}
    C = np.array([[float(entry.subs(at)) if str(entry) != "0" else 0.0 for entry in row] for row in x.C])
    assert near(C @ w, np.cross(w, np.array([1, 2, 2.5]) * w))


def test_listings_and_sympy_of_explicit_matrices() -> None:
    import sympy

    x = pendulum().derive("poincare").matrices()
    assert "M[1, 1] = m*l**2" in x.text("M") and "C[0, 1]" in str(x)
    assert x.latex("M").startswith("M = \\begin{bmatrix}") and x.latex("F").count("\\\\") >= 1
    found = x.to_sympy("M", "F")
    q = sympy.Symbol("q.b", real=True)
    m, l = sympy.symbols("m l", real=True)
    assert sympy.simplify(found["M"][0, 0] - m * l**2 * (3 + 2 * sympy.cos(q))) == 0
    assert found["F"].shape == (2, 1) and x.M.operations < 12 and repr(x.M) == x.M.text()


def test_simplified_entries_equal_the_derived_ones() -> None:
    """At a random state: simplified, not simplified, and simplified twice."""
    s = top("123")
    rng = np.random.default_rng(3)
    long, short = (s.derive("poincare").matrices(simplify=simplify) for simplify in (False, True))
    at = {str(v): float(rng.uniform(0.3, 1)) for v in (*short.q, *short.p)} | s.values
    for part in ("M", "C"):
        again = getattr(short, part).closed_form("products")
        rows = zip(getattr(long, part), getattr(short, part), again, strict=True)
        for same in (entries for row in rows for entries in zip(*row, strict=True)):
            numbers = [float(e.subs({k: v for k, v in at.items() if e.graph.named(k) is not None})) for e in same]
            assert np.allclose(numbers, numbers[0], rtol=1e-12, atol=1e-12)


def test_inertia_matrix_of_the_puma_in_closed_form() -> None:
    """Equal to that of composite bodies at a random state; at q = 0 its last entry is Izz6, as published by
    Armstrong."""
    s = puma560.system(armature=True)
    M = s.derive("poincare").matrices().M
    q = np.random.default_rng(5).uniform(-2, 2, 6)
    at = {f"q.link{k + 1}": float(x) for k, x in enumerate(q)} | s.values
    numbers = [[float(e.subs({k: v for k, v in at.items() if e.graph.named(k) is not None})) for e in row] for row in M]
    assert near(np.array(numbers), s.derive("crba").compile("numpy").mass_matrix(q))
    assert str(M[5, 5]) in ("Im6 + Izz6", "Izz6 + Im6") and M.operations < 800


# Brackets


def test_structure_constants_of_vector_fields() -> None:
    """Fields that close with parameters in their constants, fields that do not close, and constant fields."""
    g = Graph()
    x, y, z = (g.symbol(n, Kind.COORDINATE) for n in "xyz")
    a = g.symbol("a", Kind.PARAMETER)
    one, zero = g.one, g.zero
    heisenberg = [[one, zero, zero], [zero, one, zero], [zero, g.mul(a, x), one]]
    c = structure(g, heisenberg, [x, y, z])
    assert c is not None and set(c) == {(0, 1)} and is_zero(g, g.sub(c[0, 1][2], a))
    assert structure(g, [row[:2] for row in heisenberg], [x, y, z]) is None
    assert structure(g, [[a, zero, zero], [zero, one, zero], [one, zero, one]], [x, y, z]) == {}


def test_prescribed_motions_have_programs_but_no_matrices() -> None:
    s = fb.System("driven")
    arm = s.body("arm", joint=fb.Revolute("z", motion="t**2"), mass=1.0, com=(1, 0, 0))
    s.body("hand", on=arm, at=(1, 0, 0), joint=fb.Revolute("z"), mass=1.0, com=(1, 0, 0))
    with pytest.raises(ModelError, match=r"joint 'arm' moves as prescribed.*leave its motion free"):
        s.derive("poincare").matrices()
    assert s.derive("poincare").operations["forward_dynamics"].total > 0


def test_matrices_are_for_standard_speeds() -> None:
    with pytest.raises(ModelError, match="matrices is exact: derive again without small"):
        pendulum().derive(small=["a"]).matrices()


def test_too_large_matrices_are_available_unsimplified() -> None:
    with pytest.raises(ExpressionError, match=r"raise limit.*matrices\(simplify=False\)"):
        pendulum().derive("poincare").matrices(limit=1).M  # noqa: B018
    assert pendulum().derive("poincare").matrices(simplify=False).M.operations > 0


def test_parts_of_explicit_equations_are_named() -> None:
    x = pendulum().derive("poincare").matrices()
    for call in (x.text, x.latex, x.to_sympy, x.program):
        with pytest.raises(ArgumentError, match="have no part 'K'; choose from M, C, F, V, Q"):
            call("K")
