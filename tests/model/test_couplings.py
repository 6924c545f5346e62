"""Coupled joints: every quantity of a coupled system is the reduction TᵀXT of the system without couplings."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, FileError, ModelError
from freebody.formulations.derivation import Derivation
from freebody.formulations.kane import Kane
from freebody.formulations.rolled.equations import Rolled
from freebody.io import loads
from freebody.program.evaluate import evaluate
from freebody.tree.tree import quaternions, span
from tests.mechanisms.random_couplings import Array, Pair, pair, state

AGREE = 2e-11  # relative; measured: below 1e-12
SEEDS = range(6)


@cache
def case(seed: int) -> Pair:
    return pair(seed, bodies=6)


@pytest.mark.parametrize("seed", range(12))
def test_rolled_and_unrolled_programs_of_coupled_joints_agree(seed: int) -> None:
    """Couplings across branches, along them, to later joints, and between trees that share only the ground."""
    s = pair(seed, bodies=9, couplings=1 + seed % 4, base=bool(seed % 3)).coupled
    looped, kane = Rolled(span(s.freeze())), Derivation(Kane(span(s.freeze())))
    assert any(len(cluster) > 1 for cluster in looped.bodies.clusters)
    rng, layout = np.random.default_rng(seed), kane.layout
    sizes = {"q": len(layout.q), "u": len(layout.u), "tau": len(layout.u), "u_dot": len(layout.u), "t": 1}
    given = {name: rng.uniform(0.2, 1.0, n) for name, n in sizes.items()} | {"z": [], "inputs": []}
    given["parameters"] = np.array(list(s.values.values()))
    for k in quaternions(kane.tree):
        given["q"][k : k + 4] /= np.linalg.norm(given["q"][k : k + 4])
    for quantity in ("forward_dynamics", "inverse_dynamics", "bias"):
        a, b = (
            next(iter(evaluate(p, {g.name: given[g.name] for g in p.groups}).values.values()))
            for p in (e.programs[quantity] for e in (looped, kane))
        )
        near(np.asarray(a, float), np.asarray(b, float))


def near(found: Any, wanted: Any) -> None:
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape
    assert np.abs(found - wanted).max(initial=0) <= AGREE * max(1.0, np.abs(wanted).max(initial=0))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_formulation_equals_the_reduced_free_tree(seed: int) -> None:
    made = case(seed)
    (kane, free), T = made.kane, made.T
    q, u, rates, tau = state(made, seed)
    Q, U = made.q(q), T @ u
    M, f = T.T @ free.mass_matrix(Q) @ T, T.T @ free.bias(Q, U)
    recursive = (made.coupled.derive(formulation).compile("numpy") for formulation in ("crba", "aba", "poincare"))
    for g in (kane, *recursive):
        near(g.mass_matrix(q), M)
        near(g.bias(q, u), f)
        near(g.forward_dynamics(q, u, tau), np.linalg.solve(M, f + tau))
        near(g.inverse_dynamics(q, u, rates), M @ rates - f)


def test_cheapest_program_is_correct() -> None:
    made = pair(9, bodies=4, couplings=2, base=False)
    q, u, rates, tau = state(made, 5)
    kane, g = made.kane[0], made.coupled.derive("cheapest").compile("numpy")
    near(g.mass_matrix(q), kane.mass_matrix(q))
    near(g.forward_dynamics(q, u, tau), kane.forward_dynamics(q, u, tau))
    near(g.inverse_dynamics(q, u, rates), kane.inverse_dynamics(q, u, rates))


@pytest.mark.parametrize("condensing", [(), ("b0", "b2"), ("b1", "b3", "b4", "root"), None])
def test_any_links_may_be_condensed(condensing: tuple[str, ...] | None) -> None:
    """Columns of coupled joints are kept while others are eliminated."""
    from freebody.backends import compile
    from freebody.formulations.derivation import Derivation
    from freebody.formulations.recursive import Recursive
    from freebody.tree.tree import span

    made = case(2)
    q, u, _, tau = state(made, 3)
    program = Derivation(Recursive(span(made.coupled.freeze()), condensing)).programs["forward_dynamics"]
    f = compile(program, "numpy").bind(made.coupled.values)
    given: dict[str, Any] = {"t": [0.0], "q": q, "u": u, "tau": tau, "z": [], "inputs": []}
    near(f(*(given[g.name] for g in f.groups if g.name != "parameters")), made.kane[0].forward_dynamics(q, u, tau))


@pytest.mark.parametrize("seed", [0, 3])
def test_jacobians_and_motions_of_coupled_joints(seed: int) -> None:
    made = case(seed)
    (g, free), T = made.kane, made.T
    q, u, rates, _ = state(made, seed)
    Q, U = made.q(q), T @ u
    body = next(iter(made.laws))
    where: dict[str, Any] = {"body": body, "at": (0.1, 0.2, -0.3)}
    near(g.jacobian(q, **where), free.jacobian(Q, **where) @ T)
    near(g.jacobian_rate(q, u, **where), free.jacobian_rate(Q, U, **where) @ T)
    near(g.pose(q, body).p, free.pose(Q, body).p)
    near(g.spatial_velocity(q, u, **where), free.spatial_velocity(Q, U, **where))
    near(g.spatial_acceleration(q, u, rates, **where), free.spatial_acceleration(Q, U, T @ rates, **where))
    wrench = {body: ((1, 2, 3), (4, 5, 6))}
    near(g.generalised_force(q, wrench), T.T @ free.generalised_force(Q, wrench))
    near(g.centroidal(q).matrix, free.centroidal(Q).matrix @ T)
    near(g.centroidal_momentum(q, u), free.centroidal_momentum(Q, U))
    for name, value in free.momenta(Q, U).items():
        near(g.momenta(q, u)[name], value)
    for name, value in free.energies(Q, U).items():
        near(g.energies(q, u)[name], value)
    for name, value in free.outputs(Q, U).items():
        near(g.outputs(q, u)[name], value)
    reactions = free.reactions(Q, U, T @ rates)
    mine = g.reactions(q, u, rates)
    for name, value in reactions.items():
        near(mine[name], value)
    assert f"{body}.drive_force" in mine and f"{body}.drive_force" not in reactions


@pytest.mark.parametrize("seed", [1, 4])
def test_inertia_derivatives_and_regressor_of_coupled_joints(seed: int) -> None:
    made = case(seed)
    (g, free), T = made.kane, made.T
    q, u, rates, tau = state(made, seed)
    Q, U, body = made.q(q), T @ u, next(iter(made.laws))
    M = T.T @ free.mass_matrix(Q) @ T
    near(g.coriolis(q, u), T.T @ free.coriolis(Q, U) @ T)
    near(g.mass_inverse(q), np.linalg.inv(M))
    near(g.mass_solve(q, tau), np.linalg.solve(M, tau))
    J = free.jacobian(Q, body) @ T
    near(g.operational_inertia(q, [body]), J @ np.linalg.solve(M, J.T))
    full = free.inverse_derivatives(Q, U, T @ rates)
    own = g.inverse_derivatives(q, u, rates)
    for name in ("q", "u", "u_dot"):
        near(own[name], T.T @ full[name] @ T)
    near(g.regressor(q, u, rates), T.T @ free.regressor(Q, U, T @ rates))
    near(g.regressor_offset(q, u, rates), T.T @ free.regressor_offset(Q, U, T @ rates))
    u_dot = g.forward_dynamics(q, u, tau)
    by = g.forward_derivatives(q, u, tau)
    held = free.inverse_derivatives(Q, U, T @ u_dot)
    for name in ("q", "u"):
        near(by[name], -np.linalg.solve(M, T.T @ held[name] @ T))


def rocker(**options: Any) -> fb.System:
    """Two geared arms on the ground and a slider driven by the second, without losses."""
    s = fb.System("rocker")
    a = s.body("a", joint=fb.Revolute("y"), mass=1, com=(0, 0, -0.5), inertia=fb.rod(1, 1, "z"), **options)
    b = s.body("b", joint=fb.Revolute("y", stiffness=3, rest=0.2), mass=2, com=(0.3, 0, -0.2), inertia=(0.1, 0.1, 0.1))
    s.body("c", on=a, at=(0, 0, -1), joint=fb.Prismatic("x"), mass=0.5)
    s.couple(b, to=a, ratio=-2, offset=0.3)
    s.couple("c", "b", 0.1)
    return s


def test_energy_is_conserved_and_followers_are_recorded() -> None:
    s = rocker()
    run = s.simulate(3.0, q={"a": 1.0}, inputs={})
    energy = run["energy.total"]
    assert np.ptp(energy) < 1e-6 * max(1.0, np.ptp(run["energy.kinetic"])) and np.ptp(run["energy.kinetic"]) > 1
    assert s.derive().q == ("a",) and run.about.state == ("q.a", "u.a")
    near(run["q.b"], -2 * run["q.a"] + 0.3)
    near(run["q.c"], 0.1 * run["q.b"])
    near(run["u.c"], -0.2 * run["u.a"])
    near(run["u_dot.b"], -2 * run["u_dot.a"])
    slope = np.gradient(run["u.a"], run.t, edge_order=2)
    assert np.abs(slope - run["u_dot.a"])[2:-2].max() < 0.1 * np.abs(slope).max()


def test_laws_and_events_may_use_followers() -> None:
    s = rocker()
    s.joint_force(s.bodies["a"], s.input("motor"))
    stop = fb.Event("q.b - 0.5", direction=1, terminal=True)
    run = s.simulate(5.0, q={"a": 0.4}, inputs={"motor": "-0.1*u.b"}, events=[stop])
    assert abs(run["q.b"][-1] - 0.5) < 1e-6 and run.t[-1] < 5
    near(run["input.motor"], -0.1 * run["u.b"])
    event = fb.Event(s.bodies["b"].q[0] - 0.5, direction=1, terminal=True)
    again = s.simulate(5.0, q={"a": 0.4}, inputs={"motor": -0.1 * s.bodies["b"].u[0]}, events=[event])
    assert abs(again.t[-1] - run.t[-1]) < 1e-9
    message = (
        r"rocker: coordinate 'b' is coupled \(q = .*q\.a.*\); give an initial value to the coordinate that it follows"
    )
    with pytest.raises(ArgumentError, match=message):
        s.simulate(1.0, q={"b": 0.4}, inputs={"motor": 0.0})


def test_followers_of_prescribed_joints_are_prescribed() -> None:
    s = fb.System()
    for name, motion in (("a", "sin(2*t)"), ("b", None), ("c", None)):
        s.body(name, joint=fb.Prismatic("x", motion=motion), mass=1)
    s.body("d", on="b", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    s.couple("b", "a", 3, 1)
    s.couple("c", "b", 2)
    s.output("sum", "q.c + u.b")
    run = s.simulate([0.0, 0.5, 1.0])
    t = run.t
    near(run["q.c"], 2 * (3 * np.sin(2 * t) + 1))
    near(run["u_dot.b"], -12 * np.sin(2 * t))
    near(run["output.sum"], run["q.c"] + 6 * np.cos(2 * t))
    assert s.derive().u == ("d",)


def test_ratio_zero_fixes_the_joint() -> None:
    s = rocker()
    s.body("d", on="c", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    s.couple("d", "a", 0, 0.7)
    held = rocker()
    held.body("d", on="c", orient=("y", 0.7), mass=1, com=(0, 0, -1))
    x = [0.3], [0.4]
    near(s.derive().compile("numpy").mass_matrix(x[0]), held.derive().compile("numpy").mass_matrix(x[0]))
    near(s.derive().compile("numpy").bias(*x), held.derive().compile("numpy").bias(*x))


def test_round_trip_of_couplings() -> None:
    s = rocker()
    s.parameter("n", 0.5)
    s.body("d", on="c", joint=fb.Screw("y", pitch=0.1), mass=1)
    s.couple("d", "c", "3*n", "n + 1")
    text = s.to_yaml()
    assert "couple: {to: a, ratio: -2, offset: 0.3}" in text and loads(text, fb.System).digest() == s.digest()
    loose = loads(text.replace("couple: {to: a, ratio: -2, offset: 0.3}", ""), fb.System)
    assert loose.digest() != s.digest() and loose.derive().q == ("a", "b")
    short = loads(
        "bodies: {a: {joint: hinge, mass: 1, inertia: [1, 1, 1], couple: b},\n  b: {joint: hinge, mass: 1,"
        " inertia: [1, 1, 1]}}",
        fb.System,
    )
    near(short.derive().compile("numpy").mass_matrix([0.0]), [[2.0]])
    with pytest.raises(FileError, match=r"bodies\.a\.couple: coupling of 'a' to 'a': a joint cannot be coupled"):
        loads("bodies: {a: {joint: hinge, couple: a}}", fb.System)


def test_diagrams_and_reports_show_couplings(tmp_path: Path) -> None:
    s = rocker()
    assert "coupled: 0.3 - 2*q.a" in s.diagram().svg and "revolute · 0 dof" in s.diagram().svg
    assert "revolute, coupled to a" in s.report(tmp_path / "m.html").read_text()


WRONG: list[tuple[tuple[Any, ...], str]] = [
    (("a", "a"), "coupling of 'a' to 'a': a joint cannot be coupled to itself; name another body"),
    (("a", "c"), r"coupling of 'a' to 'c': 'c' is already coupled to 'a' \(c → b → a\); leave out one"),
    (("d", "x"), r"coupling of 'd': 'x' is not a body of this system \(its bodies: a, b, c, d, ball, cross, w\)"),
    (("d", "ball"), "coupling of 'd': the spherical joint of 'ball' has 4 coordinates; only joints with one"),
    (("ball", "d"), "coupling of 'ball': the spherical joint of 'ball' has 4 coordinates; only joints with one"),
    (("d", "cross"), "coupling of 'd': the universal joint of 'cross' has 2 coordinates"),
    (("d", "w"), "coupling of 'd': the weld joint of 'w' has no coordinates"),
    (("b", "d"), "coupling of 'b': it is already coupled to 'a'; couple it once"),
    (("d", "a", "t"), "bodies.d.couple.ratio: it may depend on numbers and parameters only, not on t"),
    (("d", "a", 1, "q.a"), "bodies.d.couple.offset: it may depend on numbers and parameters only, not on q.a"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_wrong_couplings_are_refused(arguments: tuple[Any, ...], message: str) -> None:
    s = rocker()
    s.body("d", joint="revolute", mass=1)
    s.body("ball", joint="ball", mass=1)
    s.body("cross", joint="universal", mass=1)
    s.body("w", mass=1)
    with pytest.raises(ModelError, match=message):
        s.couple(*arguments)


def test_coupled_joints_may_not_have_motions_or_initial_values() -> None:
    s = rocker()
    s.body("d", joint=fb.Revolute(motion="t"), mass=1)
    s.body("e", joint=fb.Revolute(initial=(1.0,)), mass=1)
    with pytest.raises(ModelError, match="coupling of 'd': its motion is prescribed; leave out the motion"):
        s.couple("d", "a")
    with pytest.raises(ModelError, match="coupling of 'e': it has an initial value; give the initial value to"):
        s.couple("e", "a")


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"formulation": "sayers"}, "Sayers' equations and tables: the joint of 'b' is coupled to that of 'a', which"
     " is not supported here; derive by 'kane', 'crba', 'aba' or 'cheapest'"),
    ({"small": ["b"]}, "'b' cannot be small on its own: it is coupled to 'a'; name that one"),
]  # fmt: skip


@pytest.mark.parametrize(("how", "message"), REFUSED)
def test_functions_without_support_refuse_couplings(how: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        rocker().derive(**how)


def test_operators_refuse_couplings() -> None:
    with pytest.raises(ModelError, match="spatial operators: the joint of 'b' is coupled to that of 'a'"):
        rocker().derive().operators([0.1])


def test_small_coordinates_of_leaders() -> None:
    """First order in q.a: a follower with an offset is not small."""
    s, q = rocker(), np.array([1e-6])
    exact, small = s.derive().compile("numpy"), s.derive(small=["a"]).compile("numpy")
    assert np.abs(exact.bias(q, [0.0]) - small.bias(q, [0.0])).max() < 1e-10
    slope = (exact.bias(q, [0.0]) - exact.bias(-q, [0.0])) / (small.bias(q, [0.0]) - small.bias(-q, [0.0]))
    assert abs(float(slope[0]) - 1) < 1e-6


def test_large_groups_of_coupled_bodies_are_unrolled() -> None:
    """A chain of 51 hinges, all geared to the first: one freedom, and aba is not rolled."""
    s = fb.System()
    for k in range(51):
        on: Any = s.bodies[f"h{k - 1}"] if k else None
        s.body(f"h{k}", on=on, at=(0, 0, -0.1), joint=fb.Revolute("y"), mass=1, com=(0, 0, -0.05))
        if k:
            s.couple(f"h{k}", "h0", 0.01)
    f: Array = s.derive("aba").compile("numpy").forward_dynamics([0.1], [0.2])
    near(f, s.derive("kane").compile("numpy").forward_dynamics([0.1], [0.2]))


def test_the_model_of_a_row_of_gears_grows_linearly() -> None:
    """The ratio of each gear to the first one follows from that of the gear before it."""

    def row(count: int) -> fb.System:
        s = fb.System("gears")
        s.parameters(c=0.1)
        for k in range(count):
            s.parameter(f"r{k}", -0.5)
            s.body(f"g{k}", at=(k, 0, 0), joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
            if k:
                s.gear(f"g{k}", f"g{k - 1}", f"r{k}", "c")
        return s

    few, more, most = (len(row(count).freeze().graph) for count in (20, 40, 60))
    assert most - more == more - few
    s = row(4)
    s.output("last", "q.g3")
    f = s.derive().compile("numpy")
    assert np.isclose(f.outputs([0.7], [0.0])["last"], -0.5 * (-0.5 * (-0.5 * 0.7 + 0.1) + 0.1) + 0.1)
