"""Solver 'compliance': both ways through its steps solve the complete linear system, for every constraint, with shared
speeds and bodies with speeds of their own, and where rows depend on each other."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.formulations.derivation import Derivation
from freebody.formulations.formulation import Formulation
from freebody.formulations.recursive import Recursive
from freebody.model.joints.base import Joint
from freebody.papers.solvers.compliance import ComplianceEquations, FactorSteps, OmegaSteps
from freebody.tree.independence import omitted_rows
from freebody.tree.tree import Tree, span
from tests.formulations.test_random_loops import AGREE, SEEDS, drawn, solve
from tests.mechanisms.flexible_bodies import carrier, flexible
from tests.mechanisms.sampled import sampled
from tests.model.test_constraint_elements import ELEMENTS, branches
from tests.model.test_distance_constraint import numbers, state_of
from tests.run.constrained_systems import four_bar, parallel_bars

Array = np.ndarray


by_factor, by_omega = (partial(ComplianceEquations, ways=[steps]) for steps in (FactorSteps, OmegaSteps))
WAYS = {"b": by_factor, "Ω": by_omega}


def applicable(tree: Tree) -> list[partial[ComplianceEquations]]:
    return [by_factor] if tree.shares else [by_factor, by_omega]


@pytest.mark.parametrize("seed", [k for k in SEEDS if k % 3 != 2][::2])
@pytest.mark.paper("003", "16")
def test_both_ways_solve_the_complete_linear_system(seed: int) -> None:
    m = drawn(seed)
    tau = np.random.default_rng(seed).normal(size=len(m.held["u"]))
    expected = m.solution(tau)
    forces = m.tree["M"] @ expected - m.tree["f"] - tau
    kept = [k for k, key in enumerate(m.rows["keys"]) if key not in omitted_rows(m.system.freeze())]
    for way in WAYS.values():
        u_dot, multipliers = solve(m, Derivation(way(span(m.system.freeze()))), tau)
        assert np.abs(u_dot - expected).max() < AGREE * max(1.0, np.abs(expected).max()), way
        assert np.abs(m.rows["G"][kept].T @ multipliers - forces).max() < AGREE * max(1.0, np.abs(forces).max()), way


def both(tree: Tree, formulation: Formulation, state: dict[int, float]) -> Array:
    """u̇ and λ of a formulation at a state."""
    u_dot, multipliers, _ = formulation.forward()
    return numbers(tree, [*u_dot, *multipliers], state)


def assert_equal_solutions(s: fb.System) -> Sequence[partial[ComplianceEquations]]:
    """u̇ and λ of all ways are those of the elimination of speeds and multipliers together, at any state."""
    tree = span(s.freeze())
    state = state_of(tree)
    expected = both(tree, Recursive(tree), state)
    for way in applicable(tree):
        assert np.abs(both(tree, way(tree), state) - expected).max() < 1e-9 * np.abs(expected).max(), way
    return applicable(tree)


@pytest.mark.parametrize("element", sampled(ELEMENTS.values(), 4), ids=list(ELEMENTS))
def test_every_constraint(element: Callable[[fb.System], Any]) -> None:
    s = branches()
    element(s)
    assert_equal_solutions(s)


@pytest.mark.parametrize("turning", [False, True])
@pytest.mark.parametrize("base", [fb.Free(), fb.Revolute("y")], ids=["free", "revolute"])
def test_bodies_with_speeds_of_their_own(base: Joint, turning: bool) -> None:
    for make in (carrier, flexible):
        s = make(base, turning)
        s.rod(s.bodies["pendulum"].point((0.0, 0.1, -0.3)), s.bodies["arm"].point((0.1, 0.0, -0.2)), 1.0)
        s.rod(s.ground.point((1.0, 2.0, 3.0)), s.bodies["pendulum"], 1.0)
        ways = assert_equal_solutions(s)
        assert ways == ([by_factor] if make is flexible else [by_factor, by_omega])


def test_armatures_gears_and_loops_around_prescribed_joints() -> None:
    s = branches()
    a, b = (
        s.body(
            n,
            on="shaker",
            at=(0, 0, k),
            joint=fb.Revolute("x", armature="l"),
            mass=1,
            inertia=(1, 2, 2),
            com=(0, 0.1, 0.2),
        )
        for k, n in enumerate("cd")
    )
    s.body("sun", on=b, joint=fb.Cylindrical("x"), mass=1, inertia=(1, 1, 1), com=(0.1, 0, 0))
    s.gear("sun.angle", a, 2.5, 0.1)
    s.close(a.point((0, 0, 1)), "b2", fb.Universal())
    assert "gear.sun.angle" in s.constraints
    assert_equal_solutions(s)


@pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
@pytest.mark.parametrize("make", [four_bar, parallel_bars])
@pytest.mark.paper("003", "18")
def test_rows_that_depend_on_others_at_a_position_or_always(
    make: Callable[[], fb.System], way: partial[ComplianceEquations]
) -> None:
    """The multiplier of such a row is 0, and u̇ is that of least squares. The four-bar is flat, and at rest: then all
    equations can be satisfied."""
    s = make()
    tree = span(s.freeze())
    e, n = way(tree), len(tree.layout.u)
    q = [np.pi / 2, -np.pi / 2, np.pi / 2] if make is four_bar else [0.4, 0.4, 0.4, -0.4]
    known = {tree.graph.named(name): value for name, value in s.values.items()}
    state = {tree.t: 0.0, **known, **dict(zip(tree.layout.q_handles, q, strict=True))}
    state |= dict.fromkeys(tree.layout.u_handles, 0.0)
    at = partial(numbers, tree, state=state)
    G = at([x for row in e.constraints.jacobian for x in row]).reshape(-1, n)
    M = at([e.mass.get((max(i, j), min(i, j)), 0) for i in range(n) for j in range(n)]).reshape(n, n)
    gamma, f = -at(e.constraints.accelerations), at(e.force)
    assert np.linalg.matrix_rank(G, 1e-9) < len(G)
    whole = np.block([[M, -G.T], [G, np.zeros((len(G), len(G)))]])
    expected = np.linalg.lstsq(whole, [*f, *gamma], rcond=1e-10)[0][:n]
    found = both(tree, e, state)
    assert np.abs(found[:n] - expected).max() < 1e-10 and np.count_nonzero(found[n:]) == np.linalg.matrix_rank(G, 1e-9)


@pytest.mark.paper("003", "18")
def test_runs_pass_singular_positions() -> None:
    s = parallel_bars()
    runs = [s.derive(solver=name).simulate(2.0, u={"bar0": 5.0}) for name in ("compliance", "tree")]
    assert abs(runs[0].q["bar0"][-1] - runs[1].q["bar0"][-1]) < 1e-6 and runs[0].q["bar0"][-1] > 2 * np.pi


def test_loops_without_common_bodies_cost_as_much_as_eliminated_ones() -> None:
    """Multipliers that meet only at the ground are eliminated last there too; guards differ by a product or two."""
    s = four_bar()
    counts = [s.derive(solver=name).operations["forward_dynamics"].total for name in ("tree", "compliance")]
    assert counts == [120, 122]


def test_requests_that_the_solver_cannot_honour() -> None:
    s = four_bar()
    with pytest.raises(ModelError, match="cannot solve those of 'kane': derive\\('aba', solver='compliance'\\)"):
        s.derive("kane", solver="compliance")
    with pytest.raises(ModelError, match="cannot solve those of 'gauss'"):
        s.derive("gauss", solver="compliance")
    with pytest.raises(ModelError, match="small=… needs M and f, which solver 'compliance' does not compute"):
        s.derive(small=["u.crank"], solver="compliance")
