"""Symmetries: the reported quantities are conserved in runs, and no others are reported."""

import numpy as np
import pytest

import freebody as fb
from tests.analysis.textbook_systems import arm, cart_pole

SHARP = {"rtol": 1e-11, "atol": 1e-13}


@pytest.mark.paper("002", "35")
def test_cart_conserves_momentum_without_force() -> None:
    s = cart_pole()
    found = {y.name: y for y in s.symmetries()}
    assert list(found) == ["q.cart", "linear momentum along x", "energy"]
    cart = found["q.cart"]
    assert cart.cyclic and cart.conserved and cart.needs == ("F",) and "conserved where F = 0" in str(cart)
    free = s.simulate(2.0, q={"pole": 0.4}, u={"cart": 0.3}, inputs={"F": 0.0}, **SHARP)
    pushed = s.simulate(2.0, q={"pole": 0.4}, u={"cart": 0.3}, inputs={"F": 0.5}, **SHARP)
    for kept in found.values():
        assert np.ptp(kept.along(free)) < 1e-8 and np.ptp(kept.along(pushed)) > 0.1
    assert np.allclose(cart.along(pushed)[-1] - cart.along(pushed)[0], 0.5 * 2.0)
    assert np.allclose(found["energy"].along(free), free["energy.total"])


def test_damped_cyclic_coordinate_conserves_no_momentum() -> None:
    s = fb.System("mast")
    mast = s.body("mast", joint=fb.Revolute("z", damping=0.3), inertia=(0.1, 0.1, 0.1))
    s.body("arm", on=mast, joint=fb.Revolute("y", armature=0.02), mass=1.0, com=(0, 0, -0.5))
    (only,) = s.symmetries()
    assert only.name == "q.mast" and only.cyclic and not only.conserved
    assert float(only.rate.subs({"u.mast": 2.0})) == pytest.approx(-0.6) and "changes at -0.3*u.mast" in str(only)


def test_vertical_axis_conserves_angular_momentum() -> None:
    s = fb.System("mast")
    mast = s.body("mast", joint=fb.Revolute("z"), inertia=(0.1, 0.1, 0.1))
    s.body("arm", on=mast, joint=fb.Revolute("y", armature=0.02), mass=1.0, com=(0, 0, -0.5))
    found = {y.name: y for y in s.symmetries()}
    assert list(found) == ["q.mast", "angular momentum about the ground's z", "energy"]
    run = s.simulate(2.0, q={"arm": 0.9}, u={"mast": 3.0, "arm": 1.0}, **SHARP)
    assert all(np.ptp(y.along(run)) < 1e-7 for y in found.values()) and np.ptp(run["u.mast"]) > 1
    assert np.allclose(found["q.mast"].along(run), run["momentum.angular"][:, 2])


@pytest.mark.paper("002", "35")
def test_free_pair_conserves_all_but_vertical_momentum() -> None:
    """Two thrown bodies conserve horizontal momentum, angular momentum about the vertical and about the mass centre,
    and energy."""
    s = fb.System("thrown")
    base = s.body("base", joint=fb.Free(), mass=1.0, com=(0.1, 0, 0), inertia=(0.1, 0.2, 0.25))
    s.body(
        "tail", on=base, at=(0.3, 0, 0), joint=fb.Revolute("y"), mass=0.4, com=(0, 0, -0.2), inertia=(0.01, 0.01, 0.01)
    )
    found = {y.name: y for y in s.symmetries()}
    whole = ["linear momentum along x", "linear momentum along y", "angular momentum about the ground's z"]
    inner = [f"angular momentum about the mass centre along {c}" for c in "xyz"]
    assert [n for n in found if not n.startswith("q.")] == [*whole, *inner, "energy"]
    run = s.simulate(1.0, u={"base": (1.0, 2.0, -0.5, 0.4, 0.3, 2.0), "tail": 1.5}, **SHARP)
    assert all(np.ptp(y.along(run)) < 1e-8 for y in found.values() if y.conserved)
    assert np.ptp(run["momentum.angular"][:, 0]) > 0.01 and np.ptp(run["momentum.linear"][:, 2]) > 1


def test_springs_and_prescribed_motions_break_symmetries() -> None:
    """On a cart with prescribed motion the arm's energy changes; a spring to the ground breaks the symmetry along
    it."""
    s = fb.System("led")
    cart = s.body("cart", joint=fb.Prismatic("x", motion="0.1*t**2"), mass=1.0)
    s.body("slide", on=cart, joint=fb.Prismatic("y"), mass=1.0)
    s.body("hook", on=cart, joint=fb.Prismatic("x", stiffness=2.0), mass=1.0)
    found = {y.name: y for y in s.symmetries()}
    assert list(found) == ["q.slide", "linear momentum along y"]
    run = s.simulate(1.0, u={"slide": 0.5})
    assert np.allclose(found["q.slide"].along(run), 0.5)


def test_planar_arm_conserves_only_energy() -> None:
    assert [y.name for y in arm().symmetries()] == ["energy"]


@pytest.mark.parametrize("push", ["where(q.b > 3, -100*(q.b - 3), 0)", "where(q.b < -3, 100, 0)", "where(t > 5, 1, 0)"])
def test_forces_that_act_only_far_away_or_later_break_symmetries(push: str) -> None:
    s = fb.System("stop")
    s.joint_force(s.body("b", joint=fb.Prismatic("x"), mass=1.0), push)
    assert "linear momentum along x" not in [kept.name for kept in s.symmetries() if kept.conserved]


def test_steps_in_a_potential_break_symmetries() -> None:
    s, road = fb.System("rail"), fb.table("road", [-10, -0.2, 0.1, 10], [0, 0, 0.5, 0.5])
    rail = fb.Custom(lambda x: (x, 0, fb.lookup(road, x)), coordinates=("x",), unit="m")
    s.body("b", joint=rail, mass=1.0)
    assert [kept.name for kept in s.symmetries() if kept.conserved] == ["energy"]


def test_systems_without_mass_have_no_mass_centre() -> None:
    """A flywheel with a moment of inertia alone."""
    s = fb.System("flywheel")
    s.body("wheel", joint=fb.Revolute("z"), inertia=(1, 1, 1))
    found = {y.name: y for y in s.symmetries()}
    assert list(found) == ["q.wheel", "angular momentum about the ground's z", "energy"]
    assert s.routh({"wheel": 2.0}).cyclic == ("wheel",)
