"""Loops that move, loops that cannot, and loops that are over-determined, by every way to report and to solve them."""

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, ModelError
from freebody.formulations.table import SOLVERS
from tests.run.constrained_systems import four_bar
from tests.tree.test_redundant_reactions import bennett, hung_plate, rod_ends


def truss(s: fb.System) -> None:
    """A triangle of two bars and the ground."""
    pin = fb.Revolute("y")
    a = s.body("a", joint=pin, mass=1, com=(0.5, 0, 0), inertia=(1, 1, 1))
    b = s.body("b", on=a, at=(1, 0, 0), joint=fb.Revolute("y", initial=2.0), mass=1, com=(0.5, 0, 0), inertia=(1, 1, 1))
    s.close(b.point((1, 0, 0)), s.ground.point((1, 0, 0)), pin, name="apex")


def test_loops_that_cannot_move_are_told_from_those_that_can() -> None:
    s = four_bar()
    truss(s)
    equations = s.derive()
    assert equations.degrees_of_freedom == 1 and equations.determined_speeds == ("a", "b")
    q, u = s.assemble({"crank": 0.3}, {"crank": 1.0})
    moving = dict(zip(equations.u, s.derive().compile("numpy").forward_dynamics(q, u), strict=True))
    assert abs(moving["a"]) < 1e-9 and abs(moving["b"]) < 1e-9 and abs(moving["crank"]) > 0.1
    assert four_bar().derive().determined_speeds == ()


def test_an_overconstrained_loop_in_space_keeps_its_freedom() -> None:
    """Four hinges have five equations of closure for three speeds, and one freedom. On its way the first two of them
    depend on each other, where the loop as a whole is regular."""
    s = bennett()
    equations = s.derive()
    assert equations.degrees_of_freedom == 1 and equations.determined_speeds == ()
    assert equations.constraints[0].omitted == {"pin.torque.x": "it follows from pin.force.x"}
    assert set(equations.constraints[0].redundant) == {"pin.force.z", "pin.torque.y"}
    q, _ = s.assemble()
    assert len(equations.independent_speeds(q)) == 1
    run = s.simulate(1.0, u={"one": 1.0})
    first_two = np.linalg.svd(equations.compile("numpy").constraint(run.x[:, :3], run.x[:, 3:6])["G"][:, :2])[1]
    assert first_two[:, 1].min() < 1e-3 and run.t[-1] == 1 and run.energy_error < 1e-6


def test_independent_speeds_follow_the_state() -> None:
    """Where the four-bar is flat it has two of them; u of the others follows from G u = 0."""
    equations = four_bar().derive()
    assert equations.independent_speeds([0.3, -0.3, 0.3]) == ("crank",)
    assert len(equations.independent_speeds([np.pi / 2, -np.pi / 2, np.pi / 2])) == 2
    pendulum = fb.System("pendulum")
    pendulum.body("b", joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    assert pendulum.derive().independent_speeds([0.3]) == ("b",)


def test_a_structure_with_more_equations_than_speeds_stays_at_rest() -> None:
    s = hung_plate()
    assert s.derive().degrees_of_freedom == 0 and set(s.derive().determined_speeds) == set(s.derive().u)
    f = s.derive().compile("numpy")
    q, u = s.assemble()
    assert np.abs(f.forward_dynamics(q, u)).max() < 1e-9


def test_equations_that_contradict_each_other_are_named() -> None:
    """A rod of the plate that is too long by 0.1 m."""
    s = hung_plate()
    start, end = rod_ends(7)
    s.rod(s.ground.point(start), s.bodies["plate"].point(end), 1.4, name="wrong")
    text = r" and 'wrong' contradict each other: without 'wrong' the others can be .* off by"
    with pytest.raises(ArgumentError, match=text):
        s.simulate(0.1)


@pytest.mark.parametrize("name", SOLVERS)
def test_loops_without_mass_and_released_constraints(name: str) -> None:
    """Every solver refuses a link that nothing resists, and leaves a rod that is released without force."""
    s = four_bar()
    loose = s.body("loose", on=s.bodies["coupler"], joint=fb.Revolute("y"))
    s.close(loose.point((1.25**0.5, 0, 0)), s.bodies["rocker"].point((0, 0, 0.5)), fb.Revolute("y"), name="pin2")
    with pytest.raises(ModelError, match="inertia"):
        s.derive(solver=name).compile("numpy").forward_dynamics([0.1, -0.1, 0.1, 0.2], [0, 0, 0, 0])
    s = four_bar()
    q, u = [0.3, -0.3, 0.3], [1, -1, 1]
    free = s.derive(solver=name).compile("numpy").forward_dynamics(q, u)
    s.rod(s.ground.point((0, 0, 1)), s.bodies["rocker"].point((0, 0, 0.5)), 1.2, name="prop", engaged=False)
    f = s.derive(solver=name).compile("numpy")
    assert np.allclose(f.forward_dynamics(q, u), free, atol=1e-9)
    assert not np.allclose(f.forward_dynamics(q, u, inputs={"engaged.prop": 1}), free, atol=0.1)


@pytest.mark.parametrize("loops", [2, 4])
def test_singular_positions_of_parts_that_can_move_are_no_fault(loops: int) -> None:
    """Four-bars in a row whose bars are drawn upright: some of the states that are assembled from there are flat."""
    s = fb.System("row")
    solid = {"joint": fb.Revolute("y"), "mass": 1, "com": (0, 0, 0.5), "inertia": (0.1, 0.1, 0.1)}
    cranks = [s.body(f"crank{k}", at=(k, 0, 0), **solid) for k in range(loops + 1)]
    for k in range(loops):
        bar = s.body(f"bar{k}", on=cranks[k], at=(0, 0, 1), **solid)
        s.close(bar.point((0, 0, 1)), cranks[k + 1].point((0, 0, 1)), fb.Revolute("y"), name=f"pin{k}")
    assert s.derive().degrees_of_freedom == 1
