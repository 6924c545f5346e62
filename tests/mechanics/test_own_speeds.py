"""A body with speeds of its own against the same mechanism with prismatic children: proof that such bodies can be built
on the tree's steps, in every formulation."""

from itertools import chain, combinations

import numpy as np
import pytest

import freebody as fb
from freebody.api.equations import Equations as Held
from freebody.errors import ModelError
from freebody.formulations.choose import FACTORING, Short
from freebody.formulations.equations import Equations
from freebody.formulations.kane import Kane
from freebody.formulations.poincare import Poincare
from freebody.formulations.recursive import Recursive
from freebody.formulations.rolled import Rolled
from freebody.formulations.sayers import Sayers
from freebody.model.joints.base import Joint
from freebody.program.evaluate import evaluate
from freebody.program.program import Program
from freebody.quantities import program
from freebody.tree.forest import quaternions
from freebody.tree.motion import move
from tests.mechanics.inside import carrier, inside

CLOSE = 1e-12
BASES = {"revolute": fb.Revolute("y"), "free": fb.Free()}
DYNAMICS = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "bias", "state_dot")
WHOLE = ("energies", "momenta", "reactions", "centroidal_momentum", "centre_of_mass")
SOLVED = ("mass_solve", "mass_inverse", "centroidal", "forward_derivatives", "inverse_derivatives")
REFUSED = ("coriolis", "coriolis_offset", "regressor", "regressor_offset")
LINKS = ("hub", "pendulum", "arm")

Array = np.ndarray
Outputs = dict[str, Array]


def made(e: Equations, p: Program) -> Outputs:
    """The outputs of a program at a fixed random state."""
    rng, given = np.random.default_rng(1), dict[str, Array]()
    for group in p.groups:
        x = rng.uniform(0.3, 1.2, group.size)
        at = {"q": 0, "x": 0}.get(group.name)
        for k in quaternions(e.forest) if at is not None else ():
            x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
        given[group.name] = x
    found = evaluate(p, given).values
    return {name: np.asarray(value, float) for name, value in found.items()}


def near(a: Outputs, b: Outputs) -> bool:
    """Whether all outputs that both have agree, and they have some."""
    both = [name for name in a if name in b]
    return bool(both) and all(np.max(np.abs(a[n] - b[n])) <= CLOSE * max(1, np.max(np.abs(b[n]))) for n in both)


@pytest.fixture(scope="module", params=BASES)
def base(request: pytest.FixtureRequest) -> Joint:
    return BASES[request.param]


@pytest.fixture(scope="module")
def referee(base: Joint) -> Equations:
    """Kane's equations of the mechanism with prismatic children."""
    equations: Equations = carrier(base).derive().catalogue
    return equations


def formulations(base: Joint) -> dict[str, Equations]:
    s = carrier(base)
    subsets = chain.from_iterable(combinations(LINKS, n) for n in range(len(LINKS) + 1))
    partly = {f"condensing {', '.join(names) or 'nothing'}": names for names in subsets}
    return {
        "kane": Equations(Kane(move(inside(s)))), "poincare": Equations(Poincare(inside(s))),
        **{name: Equations(Recursive(inside(s), links)) for name, links in partly.items()},
        "factored": Short(Recursive(inside(s), ("pendulum",)), FACTORING[1]),
    }  # fmt: skip


def test_every_formulation_moves_alike(base: Joint, referee: Equations) -> None:
    wanted = {quantity: made(referee, referee.programs[quantity]) for quantity in DYNAMICS}
    for name, e in formulations(base).items():
        for quantity in DYNAMICS:
            assert near(made(e, e.programs[quantity]), wanted[quantity]), f"{name}, {quantity}"


def test_energies_momenta_and_reactions_are_the_same(base: Joint, referee: Equations) -> None:
    e = Equations(Kane(move(inside(carrier(base)))))
    for quantity in WHOLE[:3]:
        assert near(made(e, e.programs[quantity]), made(referee, referee.programs[quantity])), quantity
    for quantity in WHOLE[3:]:
        assert near(made(e, program(e, quantity)), made(referee, program(referee, quantity))), quantity


def test_what_is_solved_and_differentiated_is_the_same(base: Joint, referee: Equations) -> None:
    e = Equations(Kane(move(inside(carrier(base)))))
    for quantity in SOLVED:
        assert near(made(e, program(e, quantity)), made(referee, program(referee, quantity))), quantity


def test_a_recorded_run_is_the_same(base: Joint) -> None:
    s = carrier(base)
    held = Held(Equations(Kane(move(inside(s)))), s.values, [])
    options = {"q": {"one": 0.1, "pendulum": 0.4}, "u": {"arm": 2.0, "two": -0.3}, "method": "rk4", "step": 0.01}
    run, other = held.simulate(0.3, **options), carrier(base).simulate(0.3, **options)
    for key in ("q.one", "q.two", "q.pendulum", "u.two", "u.arm", "u_dot.one", "energy.kinetic", "energy.potential",
                "momentum.linear", "momentum.angular", "pose.hub", "pose.pendulum", "pose.arm"):  # fmt: skip
        a, b = np.asarray(run[key]), np.asarray(other[key])
        assert np.max(np.abs(a - b)) <= CLOSE * max(1, np.max(np.abs(b))), key


def test_places_move_alike(base: Joint, referee: Equations) -> None:
    e = Equations(Kane(move(inside(carrier(base)))))
    where = {"body": "pendulum", "at": (0.1, -0.2, 0.3)}
    for quantity in ("pose", "jacobian", "jacobian_rate", "spatial_velocity", "spatial_acceleration",
                     "generalised_force"):  # fmt: skip
        assert near(made(e, program(e, quantity, **where)), made(referee, program(referee, quantity, **where))), (
            quantity
        )
    places = {"places": ["pendulum", "arm"]}
    a, b = (made(x, program(x, "operational_inertia", **places)) for x in (e, referee))
    assert near(a, b)


def test_what_counts_joints_alone_refuses_it_by_name(base: Joint) -> None:
    e = Equations(Kane(move(inside(carrier(base)))))
    for quantity in REFUSED:
        with pytest.raises(ModelError, match="'hub' has speeds of its own"):
            program(e, quantity)


def test_loops_and_tables_refuse_it_by_name(base: Joint) -> None:
    with pytest.raises(ModelError, match="'hub' has speeds of its own"):
        Rolled(inside(carrier(base))).program("forward_dynamics")
    with pytest.raises(ModelError, match="'hub' has speeds of its own"):
        Sayers(move(inside(carrier(base))))
