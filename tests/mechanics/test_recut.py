"""Loops cut at another joint: the mechanism is the same, so that accelerations are."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.api import Equations
from freebody.api.loop_cuts import loop_cuts
from freebody.errors import ModelError
from freebody.formulations import kane
from freebody.formulations.derivation import Derivation
from freebody.model.model import Model
from freebody.model.recut import loop_bodies, recut
from freebody.tree.tree import span
from tests.mechanics.test_constraints import four_bar


def slider_crank() -> tuple[fb.System, dict[str, float]]:
    """With a rocker arm welded between, turned joints, springs, dampers, loads on bodies and on a joint, parameters."""
    s = fb.System("slider-crank")
    r, l = s.parameters(r=0.3, l=1.1)
    inertia = (0.1, 0.2, 0.25)
    crank = s.body(
        "crank", joint=fb.Revolute("y", initial=0.1), orient=("y", 0.2), mass=1, com=(r / 2, 0, 0.1), inertia=inertia
    )
    eye = s.body("eye", on=crank, at=(r, 0, 0), orient=("y", -0.4), mass=0.2, com=(0, 0, 0.1), inertia=inertia)
    rod = s.body(
        "rod",
        on=eye,
        orient=("z", 0.0),
        joint=fb.Revolute("y", stiffness=2.0, rest=0.1),
        at=(0.05, 0, 0.02),
        mass=2,
        com=(l / 2, 0, 0),
        inertia=inertia,
    )
    slider = s.body("slider", joint=fb.Prismatic("x", limits=(0, 2)), at=(0, 0, 0.1), mass=3, inertia=inertia)
    joint = fb.Revolute("y", damping=0.3)
    s.body("hook", on=rod, at=(0.4, 0, 0), joint=joint, mass=0.5, com=(0, 0, -0.2), inertia=inertia)
    s.close(rod.point((l, 0, 0)), slider.point((0, 0, 0.1)), fb.Revolute("y"), ("y", 0.3), None, name="pin")
    s.spring(rod.point((0.2, 0, 0)), s.ground.point((0, 0, 1)), stiffness=5.0)
    s.force(eye.x * 2.0, at=eye.point((0, 0, 0.1)), reaction=slider)
    s.joint_force("rod", "0.7*sin(t)", name="drive")
    return s, {"crank": 0.5, "hook": 0.3}


def spatial() -> tuple[fb.System, dict[str, float]]:
    """Four hinges whose axes are parallel, in a plane that is turned, on a body that moves; and a free body besides."""
    s = fb.System("on a vehicle")
    inertia = (0.3, 0.4, 0.5)
    base = s.body("base", joint=fb.Free(), mass=5, com=(0.1, 0, 0.2), inertia=(1, 2, 2.5))
    turned = [("x", 0.4), ("z", 0.3)]
    a = s.body(
        "a", on=base, at=(0, 0.1, 0), orient=turned, joint=fb.Revolute("y"), mass=1, com=(0, 0.1, 0.5), inertia=inertia
    )
    b = s.body(
        "b", on=a, at=(0, 0, 1), orient=("y", 0.2), joint=fb.Revolute("-y"), mass=1, com=(0.5, 0, 0), inertia=inertia
    )
    c = s.body(
        "c",
        on=base,
        at=(0, 0.1, 0),
        orient=turned,
        joint=fb.Prismatic((1, 0, 1)),
        mass=1,
        com=(0, 0, 0.5),
        inertia=inertia,
    )
    s.close(c.point((0.7, 0, 0.2)), b.point((1, 0, 0)), fb.Revolute("y"), name="pin")
    return s, {"a": 0.3}


def four() -> tuple[fb.System, dict[str, float]]:
    return four_bar()[0], {"crank": 0.3}


def equations(model: Model) -> Equations:
    return Equations(Derivation(kane.derive(span(model)), ()), model.parameters, ())


@pytest.mark.parametrize("make", [four, slider_crank, spatial])
def test_accelerations_do_not_depend_on_the_cut(make: Any) -> None:
    """At one state of the mechanism the accelerations of all joints that both trees have are equal."""
    s, start = make()
    model = s.freeze()
    eq = equations(model)
    speeds = dict.fromkeys(start, 0.7)
    q, u = eq.assemble(start, speeds)
    u_dot = eq.compile("numpy").forward_dynamics(q, u, t=0.4)
    assert np.isfinite(u_dot).all()
    cuts = loop_bodies(model, "pin")
    examined = 0
    for body in cuts:
        if model.bodies[body].joint.kind == "weld":
            with pytest.raises(ModelError, match="only revolute and prismatic joints are exchanged"):
                recut(model, "pin", body)
            continue
        if body == "rod":
            with pytest.raises(ModelError, match="joint 'rod' has stiffness"):
                recut(model, "pin", body)
            continue
        other = equations(recut(model, "pin", body))
        known = {n.removesuffix(" joint"): n for n in other.q if n.removesuffix(" joint") in eq.q}
        assert {"pin", *known.values()} == {*other.q} and body not in known
        at = {known[n]: x for n, x in zip(eq.q, q, strict=True) if n in known}
        names = {n.removesuffix(" joint"): n for n in other.u if n.removesuffix(" joint") in eq.u}
        rates = {names[n]: x for n, x in zip(eq.u, u, strict=True) if n in names}
        p, v = other.assemble(at, rates)
        found = dict(zip(other.u, other.compile("numpy").forward_dynamics(p, v, t=0.4), strict=True))
        wanted = {names[n]: x for n, x in zip(eq.u, u_dot, strict=True) if n in names}
        assert len(wanted) == len(eq.u) - 1
        assert np.allclose([found[n] for n in wanted], [*wanted.values()], rtol=1e-9, atol=1e-9), body
        examined += 1
    assert examined >= 2


def test_what_cannot_be_cut_elsewhere_says_why() -> None:
    s = four_bar()[0]
    s.output("angle", "q.rocker")
    s.joint_force("rocker", "-0.1*u.rocker")
    with pytest.raises(ModelError, match="a joint force acts on joint 'rocker'"):
        recut(s.freeze(), "pin", "rocker")
    recut(s.freeze(), "pin", "coupler")
    s.force(s.ground.x * s.bodies["coupler"].q[0], at="crank")
    with pytest.raises(ModelError, match=r"an expression uses q\.coupler"):
        recut(s.freeze(), "pin", "coupler")
    stiff = fb.System("stiff")
    one = stiff.body("one", joint=fb.Revolute("y", damping=2.0), mass=1, inertia=(1, 1, 1))
    stiff.close(one.point((0, 0, 1)), stiff.ground, fb.Prismatic("x"), name="pin")
    with pytest.raises(ModelError, match="joint 'one' has damping"):
        recut(stiff.freeze(), "pin", "one")
    ball = fb.System("ball")
    one = ball.body("one", joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    two = ball.body("two", on=one, at=(0, 0, 1), joint=fb.Spherical(), mass=1, inertia=(1, 1, 1))
    ball.close(two.point((0, 0, 1)), ball.ground, fb.Revolute("y"), name="pin")
    with pytest.raises(ModelError, match="joint 'two' is spherical; only revolute and prismatic joints"):
        recut(ball.freeze(), "pin", "one")
    with pytest.raises(ModelError, match="the joint of 'three' is not in the loop of 'pin'"):
        recut(ball.freeze(), "pin", "three")


def test_operations_are_counted_for_every_cut() -> None:
    """The loop of a four-bar needs fewest operations if crank and rocker are on the ground with the coupler on the
    rocker."""
    cuts = loop_cuts(four_bar()[0].freeze())
    assert [(c.loop, c.joint) for c in cuts] == [("pin", n) for n in ("pin", "coupler", "crank", "rocker")]
    counts = {c.joint: c.operations for c in cuts}
    assert all(counts.values()) and counts["crank"] > counts["pin"]  # type: ignore[operator]
    assert loop_cuts(fb.System().freeze()) == []


def test_many_joints_are_not_examined() -> None:
    s = fb.System("long")
    last = None
    for k in range(14):
        last = s.body(f"b{k}", on=last, at=(0, 0, 1), joint=fb.Revolute("y"), mass=1, inertia=(1, 1, 1))
    s.close(last.origin, s.ground.point((1, 0, 0)), fb.Revolute("y"), name="pin")  # type: ignore[union-attr]
    cuts = loop_cuts(s.freeze())
    assert len(cuts) == 15 and all(c.operations is None and "too many to try" in c.reason for c in cuts)
