"""Runs that continue with another system: bodies join and leave, states are mapped by name, momenta are compared."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError

ROOT = Path(__file__).parent.parent.parent
SOLID = {"mass": 1.3, "com": (0.1, 0.2, 0.3), "inertia": (0.4, 0.5, 0.3)}


def robot(hand: bool = False, flying: bool = False, mass: float = 1.3, joint: Any = None) -> fb.System:
    s = fb.System("robot", gravity=(0, 0, 0))
    bus = s.body("bus", joint=fb.Free(), mass=mass, com=(0.1, 0.2, 0.3), inertia=(0.4, 0.5, 0.3))
    arm = s.body("arm", on=bus, at=(0.5, 0, 0), joint=joint or fb.Revolute((1, 2, 2)), **SOLID)
    if hand or flying:
        on, kind = (arm, fb.Weld()) if hand else (s.ground, fb.Free())
        s.body("part", on=on, at=(0, 0, 0.7) if hand else (0, 0, 0), joint=kind, **SOLID)
    return s


START: dict[str, Any] = {"u": {"bus.wx": 0.4, "bus.wy": 0.3, "bus.vz": 0.2, "arm": 1.1}, "rtol": 1e-10, "atol": 1e-12}
POSE = ("x", "y", "z", "qw", "qx", "qy", "qz")


@pytest.mark.paper("003", "23")
def test_a_part_that_leaves_flies_as_one_that_a_grip_releases() -> None:
    """The same motion as of one system with a switched weld, and as of a run that never stopped for the robot alone."""
    holding = robot(hand=True).simulate(0.8, **START)
    f = holding.equations.compile("numpy")
    q, u = holding.x[-1][: len(f.equations.q)], holding.x[-1][len(f.equations.q) :]
    velocity = f.spatial_velocity(q, u, "part")
    R = f.pose(q, "part").R
    given = {
        "q": {"part": holding["pose.part"][-1]},
        "u": {"part": np.concatenate([R.T @ velocity[:3], R.T @ velocity[3:]])},
    }
    after = robot(flying=True).simulate(1.5, start=holding, rtol=1e-10, atol=1e-12, **given)
    assert after.t[0] == holding.t[-1] == 0.8
    joined = after.joined
    assert joined is not None and joined.system == "robot" and len(joined.taken) == 15 and len(joined.given) == 13
    assert not joined.left and not joined.parameters
    for change in (joined.change.linear, joined.change.angular, joined.change.kinetic):
        assert np.abs(change).max() < 1e-12
    assert "15 states of 'robot', 13 given; momentum changes by" in after.summary()
    one = robot(flying=True)
    one.close(one.bodies["arm"].point((0, 0, 0.7)), one.bodies["part"], name="grip", engaged=True)
    start = holding["pose.part"][0]
    first = f.spatial_velocity(holding.x[0][: len(f.equations.q)], holding.x[0][len(f.equations.q) :], "part")
    R = f.pose(holding.x[0][: len(f.equations.q)], "part").R
    speeds = {**START["u"], "part": np.concatenate([R.T @ first[:3], R.T @ first[3:]])}
    event = fb.Event("t - 0.8", release="grip")
    whole = one.simulate(1.5, q={"part": start}, u=speeds, events=[event], rtol=1e-10, atol=1e-12)
    assert np.abs(whole["pose.part"][-1] - after["pose.part"][-1]).max() < 1e-7
    assert np.abs(whole["arm"][-1] - after["arm"][-1]) < 1e-7


@pytest.mark.paper("003", "23")
def test_what_joins_brings_its_momentum_and_what_leaves_takes_it() -> None:
    alone = robot().simulate(0.5, **START)
    both = robot(flying=True).simulate(
        1.0, start=alone, q={"part": [3, 0, 0, 1, 0, 0, 0]}, u={"part": [0, 0, 0, 1, 2, 0]}
    )
    assert both.joined is not None
    assert both.joined.change.linear == pytest.approx([1.3, 2.6, 0], abs=1e-12)
    assert both.joined.change.kinetic == pytest.approx(0.5 * 1.3 * 5)
    again = robot().simulate(1.5, start=both)
    assert again.joined is not None
    assert again.joined.left == tuple(key for key in both.about.state if ".part." in key)
    assert again.joined.change.linear == pytest.approx([-1.3, -2.6, 0], abs=1e-9)
    one = robot().simulate([0, 1.5], **START)
    assert np.abs(again.x[-1] - one.x[-1]).max() < 1e-6


def test_runs_that_continue_another_are_saved(tmp_path: Path) -> None:
    alone = robot().simulate(0.5, **START)
    run = robot(mass=2.0).simulate(0.7, start=alone)
    assert run.joined is not None and "of 'robot'" in str(run.joined)
    run.save(tmp_path / "run.nc")
    again = fb.Trajectory.load(tmp_path / "run.nc")
    assert again.joined is not None and str(again.joined) == str(run.joined)


def test_parameters_are_those_of_the_system_that_goes_on() -> None:
    def cart(k: float, extra: bool) -> fb.System:
        s = fb.System("cart")
        stiffness = s.parameter("k", k)
        s.body("cart", joint=fb.Prismatic("x", stiffness=stiffness), mass=1.0)
        if extra:
            s.body("other", joint=fb.Prismatic("x"), mass=1.0)
        return s

    first = cart(3.0, False).simulate(0.5, q={"cart": 0.1}, parameters={"k": 4.0})
    second = cart(5.0, True).simulate(1.0, start=first, q={"other": 0.0}, u={"other": 0.0})
    assert (
        second.joined is not None and second.joined.parameters == {"k": (4.0, 5.0)} and "k 4 → 5" in str(second.joined)
    )
    assert second.about.parameters["k"] == 5.0


def test_states_that_are_missing_or_clash_are_refused_by_name() -> None:
    run = robot().simulate(0.2, **START)
    with pytest.raises(ArgumentError, match=r"has no q\.part\.x, q\.part\.y.* give them, such as q=\{'part\.x': …\}"):
        robot(flying=True).simulate(0.5, start=run)
    with pytest.raises(ArgumentError, match=r"has no u\.part\.wx"):
        robot(flying=True).simulate(0.5, start=run, q={"part": [0, 0, 0, 1, 0, 0, 0]})
    with pytest.raises(ArgumentError, match="on 'bus' by a prismatic joint in this system and on 'bus' by a revolute"):
        robot(joint=fb.Prismatic("x")).simulate(0.5, start=run)
    given = robot(joint=fb.Prismatic("x")).simulate(0.5, start=run, q={"arm": 0.1}, u={"arm": 0.0})
    assert given["arm"][0] == 0.1


@pytest.mark.paper("003", "23")
def test_a_robot_picks_up_carries_and_leaves_three_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts at rest bring no momentum, so that catching them keeps it; leaving changes nothing at all."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import pick_and_place

    runs = pick_and_place.simulate()
    assert len(runs) == 7
    for k in range(3):
        held, after = runs[2 * k + 1], runs[2 * k + 2]
        assert held.joined is not None and after.joined is not None
        if k == 0:
            assert np.abs(held.joined.change.linear).max() < 1e-12
            assert held.joined.change.kinetic < 0
        change = after.joined.change
        assert np.abs(change.linear).max() < 1e-12 and np.abs(change.angular).max() < 1e-12
        assert abs(change.kinetic) < 1e-12
        assert np.hypot(*(held["hand"][-1][:2] - pick_and_place.PLACES[k])) < 0.03
        assert np.hypot(*(held["hand"][0][:2] - pick_and_place.PARTS[k])) < 0.03
        assert np.abs(np.diff(held["momentum.linear"], axis=0)).max() < 1e-7
