"""Equations of constraints that follow from others or vanish: the same ones act whatever else is in the model, whatever
their scale, on both sides of the limit between exact and sparse counts; none is left out silently."""

import warnings

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, FieldError, ModelError, SimulationWarning
from freebody.formulations.table import SOLVERS
from freebody.tree import independence
from freebody.tree.constraint_groups import sampled_rows
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.freedoms import dense_freedoms, sparse_freedoms
from freebody.tree.independence import dependence
from freebody.tree.motion import Motion
from freebody.tree.tree import span
from tests.mechanisms.random_loops import closing_kinds, mechanism
from tests.mechanisms.redundant_mechanisms import (
    MECHANISMS,
    doors,
    flat_bars,
    table,
    upright_bars,
    variants,
)

FORMULATIONS = ("kane", "aba", "sayers", "poincare")
LANES = (*FORMULATIONS, "rolled", *SOLVERS)


def equations(s: fb.System, lane: str) -> fb.Equations:
    if lane == "rolled":
        return s.derive(rolled=True)
    return s.derive(lane) if lane in FORMULATIONS else s.derive(solver=lane)


def check_variants(seed: int, lanes: tuple[str, ...]) -> None:
    systems, rng = variants(seed), np.random.default_rng(seed)
    s = systems["numbers"]
    q, _ = s.assemble()
    n = len(s.derive().u)
    spread = 0.0 if MECHANISMS[seed % len(MECHANISMS)] is table else 0.2
    q, u = s.assemble(q + spread * rng.uniform(-1, 1, len(q)), rng.uniform(-1, 1, n))
    expected = s.derive("kane").compile("numpy").forward_dynamics(q, u)
    omitted = dependence(s.freeze()).omitted[False]
    beside = dependence(systems["beside another"].freeze()).omitted[False]
    assert {key: why for key, why in beside.items() if key.constraint != "stop"} == omitted
    for name, variant in systems.items():
        more = int(name == "beside another")
        assert variant.derive().degrees_of_freedom == s.derive().degrees_of_freedom
        for lane in lanes:
            f = equations(variant, lane).compile("numpy")
            u_dot = f.forward_dynamics(np.append(q, [0] * more), np.append(u, [0] * more))[:n]
            assert np.abs(u_dot - expected).max() < 1e-7 * (1e-3 + np.abs(expected).max()), (name, lane)


@pytest.mark.parametrize(("seed", "lanes"), [(0, ("kane", "aba", "penalty")), (5, ("compliance",)), (3, ("aba",))])
def test_another_mechanism_or_a_parameter_for_a_number_changes_nothing(seed: int, lanes: tuple[str, ...]) -> None:
    check_variants(seed, lanes)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_another_mechanism_or_a_parameter_changes_nothing_for_any_solver(seed: int) -> None:
    check_variants(seed, LANES)


def test_rows_at_the_end_of_a_long_chain_are_not_taken_for_rounding() -> None:
    """A closing joint with coordinates among the states is examined by its expressions, whose terms are many."""
    s, rng, on = fb.System("chain"), np.random.default_rng(1), None
    for k in range(14):
        axis = tuple(rng.normal(size=3))
        on = s.body(f"b{k}", on=on, at=tuple(rng.normal(size=3)), joint=fb.Revolute(axis), mass=1, inertia=(1, 1, 1))
    s.close(on, s.body("end", joint=fb.Free(), mass=1, inertia=(1, 1, 1)), fb.Screw("z", pitch=0.1), name="thread")
    rows = sampled_rows(span(s.freeze()))[False]["thread"]
    assert len(rows) == 5 and all(row.changed and row.size < 1e3 for row in rows)


# Counts


@pytest.mark.parametrize("seed", [2, 3])
def test_sparse_and_exact_counts_agree(seed: int) -> None:
    found = 0
    systems = [mechanism(seed, closing_kinds()).system, *variants(seed).values(), upright_bars(4)]
    for s in systems:
        for group in dependence(s.freeze()).groups:
            samples = group.nominal(group.engaged)
            if not samples or any(sample.rank != np.linalg.matrix_rank(sample.G[False], 1e-8) for sample in samples):
                continue
            arguments = group.sampler, group.engaged, samples
            exact, sparse = (count(*arguments) for count in (dense_freedoms, sparse_freedoms))
            assert exact == sparse
            found += 1
    assert found


def test_degrees_of_freedom_agree_across_the_limit_between_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of loops in a row, of many loops that are not connected, and of expressions on many bodies."""
    counts = [upright_bars(3).derive().degrees_of_freedom]
    monkeypatch.setattr(independence, "LARGE", 5)
    large = upright_bars(3).derive()
    assert [*counts, large.degrees_of_freedom] == [1, 1]
    assert large.undetermined_reactions.keys() == upright_bars(3).derive().undetermined_reactions.keys()
    monkeypatch.undo()
    s = fb.System("many")
    for k in range(51):
        a = s.body(f"a{k}", joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
        b = s.body(f"b{k}", on=a, at=(0, 0, 1), joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
        s.rod(b.point((0, 0, 1)), s.ground.point((1.2, 0, 0)), 2.0, name=f"rod{k}")
    assert s.derive("aba").degrees_of_freedom == 51
    s, on = fb.System("chain"), None
    for k in range(151):
        on = s.body(f"b{k}", on=on, joint=fb.Revolute("y"), mass=1.0, com=(0.5, 0, 0), inertia=(1, 1, 1))
    s.constrain("q.b0 - q.b1")
    assert s.derive("aba").degrees_of_freedom == 150


def test_joints_that_all_follow_from_others_are_left_out_of_rolled_programs() -> None:
    s = doors(4)
    rolled, exact = (s.derive(**options).compile("numpy") for options in ({"rolled": True}, {"formulation": "kane"}))
    q, u = s.assemble(None, np.ones(8))
    assert np.allclose(rolled.forward_dynamics(q, u), exact.forward_dynamics(q, u), atol=1e-9)
    assert s.simulate(0.1).status == 0  # hinges that are off by 5.6e-17 m


@pytest.mark.parametrize("count", [4, 10])
def test_bars_that_are_flat_at_zero_begin_upright(count: int) -> None:
    upright = {f"side{k}": np.pi / 2 for k in range(count + 1)} | {f"top{k}": -np.pi / 2 for k in range(count)}
    assert flat_bars(count).simulate([0, 0.01], q=upright).status == 0


@pytest.mark.parametrize("count", [3, 20, 25, 30])
def test_bars_that_are_flat_at_zero_have_one_degree_of_freedom(count: int) -> None:
    """Most positions near zero are on branches where some loops stay flat, which no regular position is near to."""
    assert flat_bars(count).derive().degrees_of_freedom == 1


# Expressions


def pendulum(*expressions: str) -> fb.System:
    s = fb.System("pendulum")
    upper = s.body("a", joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=fb.rod(1, 1, "x"))
    s.body("b", on=upper, at=(1, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=fb.rod(1, 1, "x"))
    for k, text in enumerate(expressions):
        s.constrain(text, name=f"c{k}")
    return s


@pytest.mark.parametrize("exponent", [-300, -155, -140, -139, -100, -20, -8, 8, 20, 100, 139, 140, 154, 300])
def test_equations_of_any_scale_are_kept_or_refused(exponent: int) -> None:
    s, expected = pendulum(f"1e{exponent}*(q.a - q.b)"), pendulum("q.a - q.b")
    if abs(exponent) >= 140:
        with pytest.raises(ModelError, match=r"'c0' are of the size 1e.*Divide the equation by such a number"):
            s.derive().degrees_of_freedom  # noqa: B018
        return
    q, u = s.assemble({"a": 0.3}, {"a": 1.0})
    u_dot = [system.derive().compile("numpy").forward_dynamics(q, u) for system in (s, expected)]
    assert s.derive().degrees_of_freedom == 1 and np.allclose(*u_dot, rtol=1e-9)


@pytest.mark.parametrize(
    "text",
    ["(q.a - q.b)**3", "sin(q.a - q.b)**5", "atan((q.a - q.b)**3)", "1e-9*(q.a - q.b - 0.1)**3", "floor(q.a)",
     "sign(q.a)", "(q.a - q.b)*abs(q.a - q.b)", "where(abs(q.a - q.b) < 1e-3, 0, q.a - q.b)"],
)  # fmt: skip
def test_equations_that_no_force_can_keep_are_refused(text: str) -> None:
    with pytest.raises(ModelError, match=r"constraint 'c0'.*(are zero where it holds|changes where).*no force can"):
        pendulum(text).derive().degrees_of_freedom  # noqa: B018


def test_equations_without_finite_derivatives_where_they_hold_are_refused_at_the_start() -> None:
    with pytest.raises(ArgumentError, match=r"derivatives of constraint 'c0' are not finite.*q\.a - q\.b, not sqrt"):
        pendulum("sqrt(abs(q.a - q.b))").simulate(0.1)


def test_equations_with_derivatives_near_where_they_hold_alone_are_kept() -> None:
    assert pendulum("tanh(1e9*(q.a - q.b))").derive().degrees_of_freedom == 1


def test_an_equation_that_no_longer_follows_from_others_is_measured_and_warned_of() -> None:
    s = pendulum("q.a - q.b", "where(q.a < 2, q.a - q.b, q.a - 2*q.b + 2)")
    with pytest.warns(SimulationWarning, match=r"equation 'c1' does not hold from .*it follows from c0"):
        run = s.simulate(1.0, u={"a": 1.0})
    assert run.drift[0] > 0.1
    with pytest.warns(SimulationWarning, match=r"equation 'c0' does not hold .*no speed changes it"):
        pendulum("t**2").simulate(0.1)


def test_of_rows_that_nearly_depend_on_each_other_the_best_are_kept() -> None:
    s = pendulum("q.a", "q.a + 1e-5*q.b", "q.a + q.b")
    assert [key.constraint for key in dependence(s.freeze()).omitted[False]] == ["c1"]


def test_lengths_are_real_numbers() -> None:
    s = pendulum()
    with pytest.raises(FieldError, match=r"Rod\.length: a real number is needed, not"):
        s.rod(s.ground, s.bodies["b"], 1j)


# Multipliers that the motion does not determine


@pytest.mark.parametrize("seed", [2, 3])
def test_undetermined_multipliers_are_recorded_as_least_squares_shares(seed: int) -> None:
    """Those of Gᵀλ = F with the smallest Σλ², for every solver, with G from the constraints alone."""
    s = variants(seed)["numbers"]
    s.output("first", f"multiplier.{next(iter(s.constraints))}")
    for lane in ("kane", "sparse", "penalty"):
        e = equations(s, lane)
        run, names = e.simulate([0, 0.1]), tuple(c.name for c in e.constraints)
        assert [c.undetermined for c in e.constraints] == [(name,) for name in names]
        assert all("least-squares" in v.description for v in run.about.variables if v.group == "multiplier")
        tree = span(s.freeze())
        rows = ConstraintEquations(Motion(tree)).jacobian
        q = dict(zip(tree.layout.q_handles, run.x[-1], strict=False))
        values = independence.float_function(tree.graph, [x for row in rows for x in row])(q)
        G = np.reshape(values, (len(rows), -1))
        known = e.compile("numpy").multipliers(run.x[-1, : len(e.q)], run.x[-1, len(e.q) :], np.zeros(len(e.u)))
        used = [k for k, c in enumerate(e.constraints) if c.multipliers]
        F = G[used].T @ known
        assert np.allclose([run.multipliers[name][-1] for name in names], np.linalg.pinv(G.T) @ F, atol=1e-9)
        assert np.allclose(run["first"], run.multipliers[names[0]])


def test_undetermined_multipliers_are_marked_in_tables() -> None:
    s = variants(3)["numbers"]
    text = "\n".join(str(table) for table in s.derive().roadmap())
    assert "rod0 (undetermined)" in text and "rod2 (undetermined)" in text


def test_undetermined_reactions_do_not_depend_on_parameters_elsewhere() -> None:
    for s in variants(3).values():
        undetermined = s.derive().undetermined_reactions
        assert [undetermined[f"rod{k}"] for k in range(3)] == [("multiplier",)] * 3


def test_a_run_that_ends_at_a_singular_coordinate_names_the_joint() -> None:
    s = fb.System("gimbal", gravity=(0, 0, 0))
    arm = s.body("arm", joint=fb.Simple(np.eye(6)[:, :3].tolist()), mass=1, com=(0.1, 0, 0.2), inertia=(1, 1.2, 0.8))
    s.close(arm.point((0, 0, 1)), s.body("bob", joint=fb.Free(), mass=1, inertia=(1, 1, 1)), fb.Spherical(), name="pin")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationWarning)
        run = s.simulate(1.0, q={"arm.a2": np.pi / 2}, u={"arm.w1": 0.3, "arm.w2": 0.5, "arm.w3": 0.2})
    assert run.status < 0 and "joint 'arm' (simple, arm on ground) are singular" in run.message
