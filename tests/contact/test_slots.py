"""Slots: pairs of shapes that have forces at a few of their points at a time."""

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FreebodyError
from freebody.run.step_derivatives import step_derivatives
from tests.contact.systems import cuboid
from tests.contact.test_contact_steps import G, thrown

SIZE = (0.2, 0.3, 0.1)


def crate(points, slots, ground="plane", stiffness=2e4, slope=0.0):
    s = fb.System("crate", gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
    box = s.body("box", joint=fb.Free(), mass=1.0, inertia=cuboid(SIZE, 1.0))
    rubber = fb.ContactMaterial(stiffness, dissipation=0.5, friction=0.7)
    heights = 0.05 * np.sin(np.arange(9))[:, None] * np.cos(np.arange(9))
    below = s.ground.plane() if ground == "plane" else s.ground.shape(fb.Heightfield(heights, spacing=0.5))
    s.contact(box.shape(fb.Box(*SIZE)), below, rubber, "floor", points=points, slots=slots)
    return s


def tumbling():
    q = {"box.z": 0.3, "box.qw": 0.8, "box.qx": 0.6}
    return {"q": q, "u": {"box.wx": 3, "box.vx": 1.0, "box.wy": 1.0}}


@pytest.mark.parametrize(("ground", "points"), [("plane", 2), ("heightfield", 2)])
def test_where_few_points_touch_slots_change_nothing(ground, points):
    every, some = (
        crate(points, slots, ground).simulate(1.0, **tumbling(), method="contact", step=2e-3) for slots in (None, 4)
    )
    names = ["q.box.x", "q.box.z", "q.box.qx", "u.box.wy", "contact.floor.normal", "contact.floor.stretch"]
    assert every["contact.floor.normal"].max() > 5
    for name in names:
        np.testing.assert_allclose(some[name], every[name], rtol=0, atol=1e-9 * max(1, np.abs(every[name]).max()))


def test_slots_of_the_adaptive_way_are_the_same_law():
    every, some = (crate(2, slots).simulate(0.4, **tumbling(), rtol=1e-8, atol=1e-10) for slots in (None, 4))
    assert abs(some["q.box.x"][-1] - every["q.box.x"][-1]) < 1e-7
    assert abs(some["q.box.qx"][-1] - every["q.box.qx"][-1]) < 1e-6


def test_thrown_boxes_with_many_points_come_to_rest_on_slots():
    rng, weights = np.random.default_rng(4), []
    for step, stiffness in ((2e-3, 2e4), (5e-3, 1e6), (1e-2, 1e6)):
        s = crate(4, 4, stiffness=stiffness)
        sim = s.simulator(method="contact", step=step)
        for _ in range(8):
            q, u = thrown(rng)
            sim.reset(q=q, u=u)
            sim.run_until(4.0)
            assert np.isfinite(sim.x).all()
            assert sim.unconverged == 0
            weights.append(sim["contact.floor.normal"])
            assert np.abs(sim.x[7:13]).max() < 1e-3
    np.testing.assert_allclose(weights, G, rtol=1e-3)


def test_a_box_on_slots_does_not_creep_on_a_slope():
    s = crate(4, 4, stiffness=1e6, slope=np.arctan(0.6))
    run = s.simulate([0, 1, 5], q={"box.z": SIZE[2] / 2}, method="contact", step=1e-2)
    assert abs(run["q.box.x"][2] - run["q.box.x"][1]) <= 1e-12


def test_no_more_points_than_slots_have_forces():
    s = crate(3, 4)
    run = s.simulate(0.5, q={"box.z": SIZE[2] / 2 - 1e-4}, method="contact", step=2e-3)
    labels = [
        n for n in run.variables if n.startswith("contact.floor.") and n.endswith(".normal") and n.count(".") == 3
    ]
    forces = np.array([run[n][-1] for n in labels])
    assert len(forces) == 26
    assert np.count_nonzero(forces) == 4
    assert forces.sum() == pytest.approx(G, rel=1e-6)
    assert {n.split(".")[2].split("_")[0] for n, f in zip(labels, forces, strict=True) if f} == {"corner"}


def test_slots_of_two_moving_boxes():
    def two(slots):
        s = fb.System("two")
        material = fb.ContactMaterial(2e4, dissipation=0.5, friction=0.7)
        low = s.body("low", joint=fb.Prismatic("z"), mass=5.0, shape=fb.Box(0.4, 0.4, 0.2))
        s.joint_force(low, "-1000*q.low - 20*u.low")
        box = s.body("box", joint=fb.Free(), mass=1.0, inertia=cuboid(SIZE, 1.0))
        s.contact(box.shape(fb.Box(*SIZE)), low, material, "pair", points=2, slots=slots)
        return s.simulate(0.5, q={"box.z": 0.4, "box.qw": 0.8, "box.qx": 0.6}, method="contact", step=2e-3)

    every, some = two(None), two(6)
    assert every["contact.pair.normal"].max() > 1
    for name in ("q.low", "q.box.y", "q.box.qx"):
        np.testing.assert_allclose(some[name], every[name], rtol=0, atol=1e-9)


def test_derivatives_of_a_step_with_slots():
    sim = crate(3, 4).simulator(**tumbling(), method="contact", step=2e-3)
    while sim["contact.floor.normal"] < 5:
        sim.step(2e-3)
    A, x, e = sim.derivatives().A, sim.x, 1e-6
    for k in (2, 7, 9, 12):
        ends = [step_derivatives(sim.compiled, 0.0, x + side * e * np.eye(len(x))[k], 2e-3).x for side in (1, -1)]
        np.testing.assert_allclose((ends[0] - ends[1]) / (2 * e), A[:, k], rtol=1e-6, atol=1e-6)


def test_lanes_with_slots_are_single_runs():
    s = crate(2, 3)
    single = s.simulator(**tumbling(), method="contact", step=2e-3)
    sims = s.simulators(3, **tumbling(), method="contact", step=2e-3)
    for one in (single, sims):
        one.run_until(0.4)
    np.testing.assert_allclose(sims.x, [single.x] * 3, rtol=0, atol=1e-10)


def test_slots_are_checked():
    with pytest.raises(FreebodyError, match=r"slots.*at least 1"):
        crate(2, 0)
    assert crate(2, 8).simulate(0.01, q={"box.z": 1.0}, method="contact", step=2e-3).statistics.steps == 5
