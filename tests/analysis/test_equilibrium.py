"""Equilibria: the compiled state_dot is zero there, and they match textbook solutions."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from tests.analysis.textbook_systems import G, arm, cart_pole, drone


def pendulum(**joint: Any) -> fb.System:
    s = fb.System("pendulum")
    s.body("arm", joint=fb.Revolute("y", **joint), mass=1.0, com=(0, 0, -1))
    return s


def test_nearest_equilibrium_and_its_stability() -> None:
    found = [pendulum(damping=c).equilibrium(q={"arm": 0.4}) for c in (0.0, 0.2)]
    assert [e.stability for e in found] == ["undecided", "stable"]
    assert all(abs(e.q["arm"]) < 1e-12 and e.isolated for e in found)
    assert np.allclose(np.sort_complex(found[0].eigenvalues), [-1j * np.sqrt(G), 1j * np.sqrt(G)])


def test_newton_steps_are_limited_where_the_slope_is_flat() -> None:
    """At 1.5 rad a full Newton step would be 14 rad long, close to −4π."""
    assert abs(pendulum().equilibrium(q={"arm": 1.5}).q["arm"]) < 1e-12


def test_quaternions_of_both_signs_are_one_orientation() -> None:
    s = fb.System("hung", gravity=(0, 0, 0))
    body = s.body("body", joint=fb.Spherical(), mass=1.0, inertia=(1, 1, 1))
    for place in ((1, 0, 0), (0, 1, 0)):
        s.spring(body.point(place), s.ground.point(tuple(2 * c for c in place)), stiffness=5.0, free_length=0.1)
    found = s.equilibria(starts=20)
    turns = np.array([list(e.q.values()) for e in found])
    alike = np.abs(turns @ turns.T) - np.eye(len(found))
    assert len(found) >= 4 and alike.max() < 1 - 1e-9 and np.allclose(np.linalg.norm(turns, axis=1), 1)
    assert [e.stability for e in found].count("undecided") == 1 and found[0].isolated


def test_several_starts_give_all_equilibria_of_a_double_pendulum() -> None:
    s = fb.System("double pendulum")
    upper = s.body("upper", joint=fb.Revolute("y", damping=0.1), mass=1.0, com=(0, 0, -1))
    s.body("lower", on=upper, at=(0, 0, -1), joint=fb.Revolute("y", damping=0.1), mass=1.0, com=(0, 0, -1))
    found = s.equilibria(q={"upper": 0.1})
    places = sorted(tuple(np.round(list(e.q.values()), 6) + 0.0) for e in found)
    assert places == [(0, 0), (0, 3.141593), (3.141593, 0), (3.141593, 3.141593)]
    assert [e.stability for e in found] == ["stable", "unstable", "unstable", "unstable"]
    assert str(found[0]).startswith("stable: q.upper = ")


def test_cyclic_coordinates_keep_their_initial_value() -> None:
    found = cart_pole().equilibria(q={"cart": 0.7, "pole": 0.1})
    assert {e.q["cart"] for e in found} == {0.7} and len(found) == 2
    assert not found[0].isolated and "one of a family" in str(found[0])


def test_turns_are_distinguished_by_a_spring() -> None:
    """With a soft spring, each turn of a pendulum is another equilibrium: k q = −m g l sin q."""
    found = pendulum(stiffness=0.5).equilibria(q={"arm": 6.0}, starts=40, seed=3)
    roots = [e.q["arm"] for e in found]
    assert len(roots) >= 4 and any(abs(r) > np.pi for r in roots)
    assert np.allclose([0.5 * r + G * np.sin(r) for r in roots], 0, atol=1e-9)


def test_trim_gives_the_torques_of_inverse_dynamics() -> None:
    s, q = arm(), {"upper": 0.5, "lower": -0.9}
    trimmed = s.equilibrium(q=q, hold=["upper", "lower"], free=["a", "b"])
    wanted = s.derive().compile("numpy").inverse_dynamics([0.5, -0.9], [0, 0], [0, 0])
    assert np.allclose(list(trimmed.inputs.values()), wanted, atol=1e-12) and trimmed.q == q
    forces = s.equilibrium(q=q, hold=["upper", "lower"], free="tau")
    assert np.allclose(list(forces.tau.values()), wanted, atol=1e-12)
    held = s.simulate(1.0, q=trimmed.q, inputs=trimmed.inputs)
    assert abs(held.final["q.upper"] - 0.5) < 1e-9


def test_parameters_may_be_trimmed() -> None:
    """A counterweight of 2.5 kg at 0.2 m balances 1 kg at 0.5 m, and the linearisation uses it."""
    s = fb.System("beam")
    weight = s.parameter("weight", 1.0)
    beam = s.body("beam", joint=fb.Revolute("y"), mass=1.0, com=(0.5, 0, 0))
    s.body("counter", on=beam, at=(-0.2, 0, 0), mass=weight)
    found = s.equilibrium(hold="beam", free="weight")
    assert found.parameters["weight"] == pytest.approx(2.5)
    assert np.abs(s.linearize(at=found).rate).max() < 1e-12


def test_steady_motion_of_a_conical_pendulum() -> None:
    """cos θ = g/(l ω²), a steady motion with one prescribed speed."""
    s = fb.System("conical")
    mast = s.body("mast", joint=fb.Revolute("z"), inertia=(0.1, 0.1, 0.1))
    s.body("arm", on=mast, joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    found = s.equilibrium(q={"arm": 0.8}, u={"mast": 6.0})
    assert np.cos(found.q["arm"]) == pytest.approx(G / (0.5 * 36))
    assert found.u == {"mast": 6.0, "arm": 0.0} and "u.mast = 6" in str(found)


def test_drone_hovers_with_a_unit_quaternion() -> None:
    tilted = (0.1, 0.2, 0.3, np.cos(0.2), 0, np.sin(0.2), 0)
    s = drone()
    free = ["thrust", "tx", "ty", "tz"]
    found = s.equilibrium(q={"body": tilted, "arm": 0.3}, z={"lag": 1.0}, inputs={"thrust": 9.0}, free=free)
    assert found.inputs["thrust"] == pytest.approx(1.3 * G) and found.z["lag"] == pytest.approx(1.3 * G / 3)
    quaternion = [found.q[f"body.{n}"] for n in ("qw", "qx", "qy", "qz")]
    assert np.linalg.norm(quaternion) == pytest.approx(1) and not found.isolated
    rate = s.derive().compile("numpy").state_dot(0.0, found.point.x, list(found.inputs.values()))
    assert np.abs(rate).max() < 1e-9
    assert found.q["body.x"] == 0.1


def test_missing_equilibrium_names_the_joint() -> None:
    s = fb.System("stone")
    s.body("stone", joint=fb.Prismatic("z"), mass=2.0)
    with pytest.raises(
        ArgumentError, match=r"no equilibrium was found.*force on 'stone' \(joint of 'stone'\) is -19.62"
    ):
        s.equilibrium()
    s.state("clock", rate=1)
    with pytest.raises(ArgumentError, match=r"the rate of state 'clock' is 1.*free="):
        s.equilibrium(free="tau")
    assert s.equilibria(starts=3) == []


def test_fixing_a_body_fixes_all_its_coordinates() -> None:
    s = fb.System("universal")
    s.body("arm", joint=fb.Universal(), mass=1.0, com=(0, 0, -1), inertia=(0.1, 0.1, 0.1))
    found = s.equilibrium(q={"arm": (0.2, 0.3)}, hold="arm", free="tau")
    assert found.q == {"arm.a1": 0.2, "arm.a2": 0.3} and all(abs(v) > 0.1 for v in found.tau.values())


def test_unknown_names_are_refused() -> None:
    s = cart_pole()
    with pytest.raises(ArgumentError, match="no coordinate 'pol' to hold; its coordinates: cart, pole"):
        s.equilibrium(hold=["pol"])
    with pytest.raises(ArgumentError, match=r"no 'G' to solve for; choose from F, tau, tau\.cart, .*, M, m, l"):
        s.equilibrium(free=["G"])
    with pytest.raises(ArgumentError, match="has no input 'G'"):
        s.equilibrium(inputs={"G": 1.0})


def test_prescribed_motion_has_no_equilibrium() -> None:
    """A joint whose coordinates change at zero speeds; freebody has none, so its rates are replaced."""
    from freebody.analysis.equilibrium import RestEquations
    from freebody.analysis.operating_point import point_of_state
    from freebody.analysis.state_equations import StateEquations

    eq = pendulum().derive()
    guess = point_of_state(StateEquations(eq.derivation), eq.values, {}, {}, None, 0.0)
    field = StateEquations(eq.derivation)
    field.q_dot = [field.graph.one]
    with pytest.raises(ArgumentError, match="coordinate 'arm' moves although all speeds are 0"):
        RestEquations(field).require_rest(guess)


def test_coordinates_are_held_by_short_and_by_full_names() -> None:
    """A body may be called q: its coordinates keep their names."""
    s = fb.System("springs", gravity=(0, 0, 0))
    for name in ("a", "q"):
        s.body(
            name,
            joint=fb.Planar("z", stiffness=1.0) if name == "q" else fb.Prismatic("x", stiffness=1.0),
            mass=1.0,
            inertia=(1, 1, 1),
        )
    guess = {"a": 0.3, "q.x": 0.2}
    for hold in (["a", "q.x"], ["q.a", "q.q.x"]):
        rest = s.equilibrium(q=guess, hold=hold, free="tau")
        assert rest.q["a"] == 0.3 and rest.q["q.x"] == 0.2, hold


def test_equations_with_custom_speeds_are_refused() -> None:
    s = fb.System("stone")
    s.body("stone", joint=fb.Free(), mass=1.0, com=(0.1, 0, 0), inertia=(1, 1, 1))
    eq = s.derive("sayers", speeds="mass-centre")
    with pytest.raises(ArgumentError, match="analyses use the standard speeds"):
        eq.equilibrium()


def test_long_chains_hang_down() -> None:
    """A chain with springs in its hinges falls from a horizontal guess, where Newton's steps do not converge."""
    s = fb.System("chain")
    body, bars = s.ground, 20
    for k in range(bars):
        body = s.body(
            f"bar{k}",
            on=body,
            at=(0.5 if k else 0, 0, 0),
            joint=fb.Revolute("y", stiffness=20, damping=0.1),
            mass=0.5,
            com=(0.25, 0, 0),
            inertia=(0.01, 0.02, 0.02),
        )
    rest = s.equilibrium()
    assert rest.isolated and rest.stability == "stable"
    assert sum(rest.q.values()) == pytest.approx(np.pi / 2, abs=1e-2) and all(q >= 0 for q in rest.q.values())
