"""Closed loops compared with Exudyn, which uses absolute coordinates and integrates the constraints with the equations
of motion: accelerations, and positions after a run. Its runs are of second order; two of them are extrapolated to
steps of zero."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("exudyn", reason="the referee Exudyn is not installed (pip install exudyn)")
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import constraints
import exudyn_models
import mechanisms
import stiff_exudyn
from mechanisms import Body, Loop, Mechanism

import freebody as fb

CASES = [
    mechanisms.row(2), mechanisms.separate(1, 4), mechanisms.ladder(2), mechanisms.ring(6), mechanisms.platform(2),
    mechanisms.curtain(2, 4),
]  # fmt: skip
DURATION, Z = 0.2, (0, 0, 1)


def recorded(m: Mechanism, s: fb.System, times: list[float]) -> fb.Trajectory:
    """A run with positions and accelerations of all mass centres."""
    for name, b in m.bodies.items():
        centre = s.bodies[name].point(b.com)
        s.output(f"p {name}", s.position(centre))
        s.output(f"a {name}", s.acceleration(centre))
    e = s.derive()
    return e.simulate(times, u=dict(zip(e.u, m.u, strict=True)), rtol=1e-10, atol=1e-11)


def extrapolated(m: Mechanism, duration: float, steps: int) -> dict[str, np.ndarray]:
    rough, fine = (exudyn_models.Model(m).run(duration, n) for n in (steps, 2 * steps))
    return {name: (4 * fine[name] - rough[name]) / 3 for name in m.bodies}


@pytest.mark.parametrize("m", CASES, ids=lambda m: m.name)
def test_loops_match_exudyn(m: Mechanism) -> None:
    run = recorded(m, m.system(), [0, DURATION])
    accelerations, positions = exudyn_models.Model(m).accelerations(), extrapolated(m, DURATION, 100)
    for name in m.bodies:
        a = run[f"a {name}"][0]
        assert np.abs(accelerations[name] - a).max() < 1e-6 * max(1, np.abs(a).max()), name
        moved = np.abs(run[f"p {name}"][-1] - run[f"p {name}"][0]).max()
        assert np.abs(positions[name] - run[f"p {name}"][-1]).max() < 2e-8, (name, moved)
    assert max(np.abs(run[f"p {n}"][-1] - run[f"p {n}"][0]).max() for n in m.bodies) > 0.01


def squeezer() -> Mechanism:
    """Bodies and loops of Andrews' squeezing mechanism, without its spring and its drive."""
    m = Mechanism("squeezer", gravity=(0, 0, 0))
    for name, body in constraints.squeezer().freeze().bodies.items():
        at, com = (tuple(float(x) for x in triple) for triple in (body.at, body.com))
        moments = tuple(float(body.inertia[k][k]) for k in range(3))
        parent = None if body.parent == "ground" else body.parent
        m.bodies[name] = Body(parent, at, "revolute", Z, (constraints.START[name],), float(body.mass), com, moments)
    for name, at in {"k3": (0, -0.035, 0), "k4": (0, -0.02, 0), "k6": (0.02, 0, 0)}.items():
        m.loops.append(Loop("k2", (-0.028, 0, 0), name, at, "revolute", Z))
    m.u = np.zeros(7)  # at rest
    return m


def test_andrews_squeezer_matches_exudyn() -> None:
    """Its crank turns by more than half a revolution."""
    m, duration, ends = squeezer(), 0.012, []
    run = recorded(m, constraints.squeezer(), [0, duration])
    for steps in (1500, 3000):
        model = exudyn_models.Model(m)
        ends_of_spring = [model.bodies["k3"], model.bodies[None]]
        on_k3 = np.array([0.02, -0.018, 0]) - m.bodies["k3"].com
        model.mbs.CreateSpringDamper(
            itemNumbers=ends_of_spring,
            localPosition0=on_k3,
            stiffness=4530,
            localPosition1=[0.014, 0.072, 0],
            referenceLength=0.07785,
        )
        model.mbs.CreateTorque(itemNumber=model.bodies["k1"], loadVector=[0, 0, 0.033])
        ends.append(model.run(duration, steps))
    assert run["k1"][-1] - run["k1"][0] > np.pi
    for name in m.bodies:
        position = (4 * ends[1][name] - ends[0][name]) / 3
        assert np.abs(position - run[f"p {name}"][-1]).max() < 1e-7, name


def test_the_closed_form_is_that_of_the_four_bars() -> None:
    assert np.allclose(exudyn_models.exact_tip(1, 10.0), (0.4783850577609715, 0.8781501787912088), atol=1e-13)
    run = exudyn_models.our_four_bars(3, rtol=1e-9, atol=1e-10)
    assert run()[1] < 1e-8
    _, error, steps = exudyn_models.exudyn_run(3, 200)
    _, half, finer = exudyn_models.exudyn_run(3, 400)
    assert error / half == pytest.approx((finer / steps) ** 2, rel=0.1) and math.isfinite(error)


def test_a_stiff_chain_matches_exudyn() -> None:
    """Links with stiff, damped joints, by generalised alpha: two of its runs are extrapolated to steps of zero."""
    ours = stiff_exudyn.Ours()
    (_, rough), (_, fine) = (stiff_exudyn.theirs(ours.links, steps, 0.9) for steps in (4000, 8000))
    assert 3 < ours.error(rough) / ours.error(fine) < 5
    assert ours.error((4 * fine - rough) / 3) < 1e-5
    assert ours.error(ours.tip(ours.run(1e-5)[1])) < 2e-5
