"""Laws of the family of solvers: each gives u̇ and multipliers of the complete linear system on random trees with loops,
by its own equations and from M, f, G and γ of other formulations."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.formulations.entries import LIMIT
from freebody.formulations.table import SOLVERS
from freebody.tree.independence import omitted_rows
from freebody.wings import places
from tests.formulations.test_random_loops import AGREE, SEEDS, drawn, solve
from tests.mechanisms.random_loops import Mechanism
from tests.mechanisms.sampled import sampled


def ways(name: str, m: Mechanism) -> dict[str, fb.Equations]:
    """The derivations with a solver: by its home formulation, and from the matrices of another. A mechanism that a
    solver cannot honour is refused by name."""
    solver, every = SOLVERS[name], dict[str, fb.Equations]()
    formulations = [solver.home, *["kane", "crba"][: 2 * (solver.matrices is not None)]]
    formulations += ["gauss"] if name in places("gauss") else []
    for formulation in dict.fromkeys(formulations):
        try:
            every[formulation] = m.system.derive(formulation, solver=name)
        except ModelError as error:
            assert (name in places("gauss") or solver.member is not None) and name in str(error), error
    return every


@pytest.mark.parametrize("seed", sampled(SEEDS))
@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.paper("001", "16", "17", "32")
@pytest.mark.paper("003", "16")
def test_every_solver_solves_the_complete_linear_system(name: str, seed: int) -> None:
    m = drawn(seed)
    tau = np.random.default_rng(seed).normal(size=len(m.held["u"]))
    M, f, G, expected = m.tree["M"], m.tree["f"], m.rows["G"], m.solution(tau)
    forces = M @ expected - f - tau
    kept = [k for k, key in enumerate(m.rows["keys"]) if key not in omitted_rows(m.system.freeze())]
    for formulation, equations in ways(name, m).items():
        u_dot, multipliers = solve(m, equations.derivation, tau)
        assert np.abs(u_dot - expected).max() < AGREE * max(1.0, np.abs(expected).max()), formulation
        assert np.abs(G[kept].T @ multipliers - forces).max() < AGREE * max(1.0, np.abs(forces).max()), formulation


def switched(names: Sequence[str], engaged: bool | None) -> fb.System:
    """A linkage of hinges in space with some of three constraints, which can be switched or always hold."""
    s = fb.System("linkage")
    on: Any = s.ground
    for k, axis in enumerate(["y", (1, 2, 2), "x", "z", "y"]):
        on = s.body(
            f"b{k}",
            on=on if k != 3 else "ground",
            at=(0.4, 0.1 * k, 0.2),
            joint=fb.Revolute(axis),
            mass=1 + k,
            com=(0.2, 0, 0.1),
            inertia=(0.1, 0.2, 0.15),
        )
    if "ball" in names:
        ends = s.bodies["b2"].point((0.3, 0.2, 0.1)), s.bodies["b4"].point((0.1, 0.3, 0.2))
        s.close(*ends, fb.Spherical(), name="ball", engaged=engaged)
    if "rod" in names:
        s.rod(s.ground.point((0, 0, 1)), "b1", 1.0, name="rod", engaged=engaged)
    if "gear" in names:
        s.constrain("u.b0 - 2*u.b3", name="gear", engaged=engaged)
    return s


EVERY = ("ball", "rod", "gear")
FLAGS = list(product((0.0, 1.0), repeat=3))


@cache
def rates_of_fresh_derivations() -> tuple[np.ndarray, list[np.ndarray]]:
    """q, u and tau of a state, and u̇ there for all subsets of constraints."""
    state, result = np.random.default_rng(1).uniform(-0.7, 0.7, (3, 5)), list[np.ndarray]()
    for flags in FLAGS:
        s = switched([constraint for constraint, flag in zip(EVERY, flags, strict=True) if flag], None)
        result.append(s.derive("kane").compile("numpy").forward_dynamics(*state))
    return state, result


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_follows_the_flags_of_constraints(name: str) -> None:
    """One program for all subsets of constraints that hold, each equal to the system with these constraints alone."""
    f, (state, rates) = switched(EVERY, True).derive(solver=name).compile("numpy"), rates_of_fresh_derivations()
    for flags, expected in zip(FLAGS, rates, strict=True):
        u_dot = f.forward_dynamics(*state, inputs=flags)
        assert np.abs(u_dot - expected).max() < AGREE * np.abs(expected).max(), flags


def chain(bodies: int) -> fb.System:
    s = fb.System("chain")
    for k in range(bodies):
        s.body(
            f"link{k}",
            on=f"link{k - 1}" if k else "ground",
            at=(0, 0, -1 if k else 0),
            joint=fb.Revolute("y"),
            mass=1,
            inertia=(1, 1, 1),
        )
    return s


def test_solvers_without_loops_over_bodies_refuse_many_bodies() -> None:
    s = chain(LIMIT + 1)
    for name, solver in SOLVERS.items():
        if not solver.loops:
            with pytest.raises(ModelError, match=f"solver .{name}. is derived for up to {LIMIT} bodies"):
                s.derive(solver=name)


def test_solvers_are_listed_and_checked() -> None:
    assert fb.solvers == ("auto", *SOLVERS)
    s = chain(2)
    with pytest.raises(ModelError, match="there is no solver 'none'; choose from auto, "):
        s.derive(solver="none")
    with pytest.raises(ModelError, match="there is no solver 3"):
        s.derive(solver=3)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="'cheapest' searches among programs of solver 'tree'"):
        s.derive("cheapest", solver="sparse")
    with pytest.raises(ModelError, match="small=… needs M and f"):
        s.derive("gauss", ["link0"])
    with pytest.raises(ModelError, match="has the standard speeds only"):
        s.derive("gauss", speeds="mass-centre")
