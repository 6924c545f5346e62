"""The default method with contact: it changes where stops and contacts are stiff, from run to run, in simulators."""

import numpy as np

import freebody as fb


def stopped(stiffness: float = 1e4) -> fb.System:
    """Two links that fall onto stiff stops."""
    s = fb.System("stopped")
    limits = {"upper": 0.5, "lower": 0.3}
    upper = s.body(
        "upper",
        joint=fb.Revolute("y", limits=(-limits["upper"], limits["upper"])),
        mass=1.0,
        com=(0.3, 0, 0),
        inertia=(0.01, 0.01, 0.01),
    )
    joint = fb.Revolute("y", limits=(-limits["lower"], limits["lower"]))
    s.body("lower", on=upper, at=(0.6, 0, 0), joint=joint, mass=0.05, com=(0.1, 0, 0), inertia=(1e-4, 1e-4, 1e-4))
    for name in limits:
        s.joint_stop(name, stiffness=stiffness, dissipation=0.5)
    return s


def used(run: fb.Trajectory) -> list[str]:
    return [name for _, name in run.statistics.methods]


def test_runs_on_stops_continue_by_fixed_steps_and_back() -> None:
    e = stopped().derive()
    first = e.simulate(2.0, progress=False)
    second = e.simulate(2.5, start=first, method="contact", step=1e-3, progress=False)
    third = e.simulate(4.5, start=second, progress=False)
    assert set(used(first)) == set(used(third)) == {"dop853", "rodas5p"} and used(second) == ["contact"]
    whole = e.simulate(4.5, method="rodas5p", progress=False)
    assert abs(third["upper"][-1] - whole["upper"][-1]) < 1e-6 and "rodas5p" in third.summary()


def test_simulators_on_stops_continue_from_snapshots_to_the_bit() -> None:
    e = stopped().derive()
    one, many = e.simulator(), e.simulators(2)
    one.run_until(2.0)
    many.step(2.0)
    held = one.save()
    one.run_until(3.0)
    many.step(1.0)
    end = one.x.copy()
    assert np.array_equal(np.asarray(many.x), [end, end])
    one.restore(held)
    one.run_until(3.0)
    assert np.array_equal(one.x, end)


def test_contacts_of_points_with_friction_keep_it_explicit() -> None:
    """``rodas5p`` refuses them; a run that is stiff says so and goes on."""
    s = fb.System("grinder")
    b = s.body("b", joint=fb.Free(), mass=1.0, inertia=(0.01, 0.01, 0.01))
    s.body("c", on=b, joint=fb.Prismatic("x", stiffness=1e8, damping=2e4), mass=0.01, inertia=(1e-4, 1e-4, 1e-4))
    s.point_contact(b.point((0, 0, -0.1)), friction=0.5, name="tip")
    run = s.simulate(0.05, q={"b.z": 0.1}, u={"b.vx": 0.5, "b.wy": 0.1}, progress=False)
    assert run.success and used(run) == ["dop853"]
    assert "cannot change to 'rodas5p'" in run.statistics.limit and "friction of contact 'tip'" in run.statistics.limit
