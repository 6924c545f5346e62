"""Constraints that cannot work: each is an error that says which constraint, why, and what to do; what is redundant or
acts on no freedom is handled and named."""

import re
from collections.abc import Callable

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, FieldError, ModelError
from freebody.tree.independence import dependence
from tests.run.constrained_systems import four_bar


def arm() -> fb.System:
    """Two links in a vertical plane."""
    s = fb.System("arm")
    a = s.body("a", joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=(1, 1, 1))
    s.body("b", on=a, at=(1, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=(1, 1, 1))
    return s


def contradictory(s: fb.System) -> None:
    s.constrain("q.a - 1", name="one")
    s.constrain("q.a - 2", name="two")


def contradictory_rates(s: fb.System) -> None:
    s.constrain("q.a - t", name="up")
    s.constrain("q.a + t", name="down")


def out_of_reach(s: fb.System) -> None:
    s.close(s.bodies["b"].point((1, 0, 0)), s.ground.point((5, 0, 0)), fb.Spherical(), name="far")


def not_a_coordinate(s: fb.System) -> None:
    s.constrain("t - 1", name="clock")


def welded_apart(s: fb.System) -> None:
    s.close(s.body("plate", joint=fb.Weld(), at=(1, 0, 0), mass=1), s.ground, name="glued")


def too_fast(s: fb.System) -> None:
    s.body("c", joint=fb.Revolute("y", motion="t"), mass=1, inertia=(1, 1, 1))
    s.constrain("q.c - 2*t", name="faster")


AT_THE_START: dict[Callable[[fb.System], None], str] = {
    contradictory: "arm: constraints 'one' and 'two' contradict each other: .*; constraint 'one' is off by 0.5 at",
    contradictory_rates: "arm: constraint 'down' does not allow these speeds: it changes at 1 1/s. Constraints 'up'",
    out_of_reach: r"arm: constraint 'far' \(force.x\) cannot be satisfied: it is off by 3 m .* or change lengths",
    not_a_coordinate: "arm: constraint 'clock' cannot be satisfied: it is off by 1, and no coordinate changes it."
    " Write an expression of coordinates that can be zero, or leave the constraint out",
    welded_apart: r"arm: constraint 'glued' \(force.x\) contradicts the joints: it is off by 1 m, and no coordinate"
    " changes it. Move one of its points",
    too_fast: "arm: constraint 'faster' does not allow these speeds: it changes at 1 1/s. Constraints or prescribed",
}


@pytest.mark.parametrize("add", AT_THE_START, ids=lambda add: add.__name__)
def test_constraints_that_cannot_hold_at_the_start(add: Callable[[fb.System], None]) -> None:
    s = arm()
    add(s)
    with pytest.raises(ArgumentError, match=AT_THE_START[add]):
        s.simulate(0.1)


def test_values_that_contradict_a_loop_are_named() -> None:
    s = four_bar()
    held = "with q.crank, q.coupler, q.rocker held as given. Free one of these"
    with pytest.raises(ArgumentError, match=rf"constraint 'pin' \(force.x\) cannot be satisfied: .* {held}"):
        s.simulate(0.1, q={"crank": 0.3, "coupler": 0.5, "rocker": 2.0})
    held = "with u.crank, u.coupler, u.rocker held as given. Free one of these"
    with pytest.raises(ArgumentError, match=rf"constraint 'pin' \(force.z\) does not allow these speeds: .* {held}"):
        s.simulate(0.1, q={"crank": 0.3, "coupler": -0.3, "rocker": 0.3}, u={"crank": 1, "coupler": 1, "rocker": 0})


def test_redundant_constraints_change_nothing_and_are_named() -> None:
    s, once = four_bar(), four_bar()
    s.close(s.bodies["coupler"].point((1, 0, 0)), s.bodies["rocker"].point((0, 0, 1)), fb.Revolute("y"), name="again")
    s.constrain("q.crank - q.rocker", name="parallel")
    omitted = {key.constraint: reason for key, reason in dependence(s.freeze()).omitted.items()}
    assert set(omitted) == {"pin", "again"} and "pin" in omitted["again"], omitted
    assert s.derive().derivation.constraints.names == ("pin.force.x", "pin.force.z", "parallel")
    assert s.derive().constraints[2].redundant == {"parallel": "it follows from pin.force.x"}
    runs = [x.simulate(0.5, u={"crank": 1.0}) for x in (s, once)]
    assert np.abs(runs[0].x - runs[1].x).max() < 1e-9


def test_constraints_on_no_freedom_are_left_out_and_named() -> None:
    s = arm()
    s.close(s.body("plate", joint=fb.Weld(), at=(1, 0, 0), mass=1), s.ground.point((1, 0, 0)), name="glued")
    assert set(dependence(s.freeze()).omitted.values()) == {"no speed changes it"}
    assert np.abs(s.simulate(0.5).x - arm().simulate(0.5).x).max() == 0


def test_a_link_that_nothing_resists_is_offered_as_a_rod() -> None:
    s = fb.System("slider-crank")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0.1, 0, 0), inertia=(1, 1, 1))
    link = s.body("link", on=crank, at=(0.3, 0, 0), joint=fb.Revolute("y"))
    slider = s.body("slider", joint=fb.Prismatic("x"), mass=3)
    s.close(link.point((1, 0, 0)), slider, fb.Revolute("y"), name="pin")
    for formulation in ("kane", "aba", "cheapest"):
        with pytest.raises(ModelError, match=r"joint 'link' .* inertia is 0.* Constraint 'pin' .* add s.rod\(a, b\)"):
            s.derive(formulation).compile().forward_dynamics([0, 0, 1.3], [0, 0, 0])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("u.a**2 - u.b", "the expression is not linear in the speeds. .*; solve for a speed, or use a load"),
        ("sin(u.a)", "the expression is not linear in the speeds"),
        (
            "u_dot.a - 1",
            "may depend on coordinates, speeds, parameters and time, not on u_dot.a, because .* use a load",
        ),
        ("q.a - F", "may depend on coordinates, speeds, parameters and time, not on F, because .* use a load"),
    ],
)
def test_expressions_whose_forces_are_not_known(value: str, text: str) -> None:
    s = arm()
    s.input("F")
    with pytest.raises(FieldError, match=rf"^constraints\.law\.expression: .*{text}"):
        s.constrain(value, name="law")
        s.derive()


@pytest.mark.parametrize("body", ["a", "ground"])
def test_a_body_is_not_connected_to_itself(body: str) -> None:
    s = arm()
    one = s.ground if body == "ground" else s.bodies[body]
    text = re.escape(f"constraints.self.close: it connects '{body}' to itself, which is rigid; a loop is closed")
    with pytest.raises(FieldError, match=text):
        s.close(one, one.point((0, 0, 1)), name="self")


@pytest.mark.parametrize("expression", ["(q.a - q.b)**2", "1 - cos(q.a)", "q.a**2 + q.b**2"])
def test_equations_without_derivatives_where_they_hold_are_refused(expression: str) -> None:
    s = arm()
    s.constrain(expression, name="square")
    with pytest.raises(ModelError, match=r"derivatives of constraint 'square' are zero where it holds.*q\.a - q\.b"):
        s.simulate(0.1)


def stretched(s: fb.System) -> None:
    """The arm's tip just reaches the point."""
    s.close(s.bodies["b"].point((1, 0, 0)), s.ground.point((2, 0, 0)), fb.Revolute("y"), name="reach")


def stretched_aside(s: fb.System) -> None:
    """Along a line where no single equation of the closure vanishes."""
    s.close(s.ground.point((1.2, 0, 1.6)), s.bodies["b"].point((1, 0, 0)), fb.Spherical(), name="reach")


def touching(s: fb.System) -> None:
    """A string whose end touches the floor where it hangs straight down."""
    ball = s.body("ball", joint=fb.BuildingBlock(translations=("x", "y", "z")), mass=1)
    s.point_on_plane(ball, on=s.ground, normal="z", name="floor")
    s.rod(s.ground.point((0, 0, 1)), ball, 1.0, name="string")


LIMITS = {
    stretched: r"arm: constraint 'reach' \(force.x\) holds only at a limit .* at first order it has no effect",
    stretched_aside: r"arm: constraint 'reach' \(force.\w\) holds only at a limit of what the other constraints",
    touching: "arm: constraint 'string' holds only at a limit .* follows from floor, but motions .* Change a length",
}


@pytest.mark.parametrize("add", LIMITS, ids=lambda add: add.__name__)
def test_parts_that_shake_and_cannot_move_are_refused(add: Callable[[fb.System], None]) -> None:
    """At the only position where all constraints hold, one depends on the others to first order; it is not left out."""
    s = arm()
    add(s)
    with pytest.raises(ModelError, match=LIMITS[add].replace("arm:", "'arm':")):
        s.simulate(0.1)


def test_equations_without_derivatives_that_follow_from_others_are_left_out() -> None:
    """q.a q.b has no derivatives where q.a = q.b = 0; but there it holds already."""
    s = arm()
    s.constrain("q.a", name="first")
    s.constrain("q.b", name="second")
    s.constrain("q.a*q.b", name="product")
    assert s.derive().degrees_of_freedom == 0 and "product" in s.derive().constraints[2].omitted


def test_the_class_of_a_joint_is_not_a_joint() -> None:
    s = fb.System("class")
    with pytest.raises(FieldError, match=r"Revolute is the class of a joint; write Revolute\(\) for one of them"):
        s.body("a", joint=fb.Revolute, mass=1)  # type: ignore[arg-type]


def test_constraints_at_impossible_distances_are_named() -> None:
    s = fb.System("arm")
    upper = s.body("upper", joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=(0, 0.1, 0.1))
    lower = s.body("lower", on=upper, at=(1e300, 0, 0), joint=fb.Revolute("y"), mass=1, inertia=(0, 0.1, 0.1))
    s.rod(s.ground, lower.point((1, 0, 0)), 1.5, name="rope", engaged=False)
    with pytest.raises(ModelError, match=r"the equations of its constraints \(rope\) have no finite values"):
        _ = s.derive().degrees_of_freedom
