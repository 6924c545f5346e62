"""Runs of constrained systems: published motions, no drift, energy, events and restarts on the manifold."""

import warnings

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, ModelError, SimulationWarning
from freebody.run.build import build
from tests.mechanisms.mechanisms import mechanism
from tests.run.constrained_cases import AT
from tests.run.constrained_systems import (
    FOUR_BAR_END,
    SQUEEZER_END,
    SQUEEZER_NAMES,
    four_bar,
    parallel_bars,
    particle_pendulum,
    residuals,
    slider_crank,
    squeezer,
)

SMALL = 1e-12


@pytest.mark.parametrize("formulation", ["kane", "aba", "cheapest"])
def test_a_four_bar_passes_its_flat_positions(formulation: str) -> None:
    """It is flat four times within 10 s, where it has two freedoms."""
    s = four_bar()
    run = s.derive(formulation).simulate(10.0, u={"crank": 1.0}, rtol=1e-9, atol=1e-11)
    assert run.success and np.count_nonzero(np.diff(np.sign(np.cos(run["crank"])))) >= 4
    tip = np.sin(run["crank"][-1]), np.cos(run["crank"][-1])
    assert np.abs(np.subtract(tip, FOUR_BAR_END)).max() < 1e-6
    assert run.drift[0] < SMALL and run.drift[1] < 100 * SMALL and run.energy_error < 1e-7


@pytest.mark.parametrize("formulation", ["kane", "aba"])
def test_flat_positions_are_passed_wherever_steps_end(formulation: str) -> None:
    """A step may end or have a stage next to a flat position: there the guard of pivots leaves the equation out."""
    e = four_bar().derive(formulation)
    for speed in np.linspace(0.7, 1.3, 13):
        run = e.simulate([0.0, 20.0], u={"crank": speed})
        assert run.success and run.energy_error < 1e-5


@pytest.mark.parametrize("formulation", ["kane", "aba", "cheapest"])
def test_equations_that_vanish_in_a_position_are_left_out_there(formulation: str) -> None:
    """The direction along the flat bars: rounding errors of speeds must not be divided by its derivatives."""
    f = four_bar().derive(formulation).compile()
    for distance in (0.0, 1e-9, 1e-7, 1e-6):
        angle = np.pi / 2 - distance
        q, u = np.array([angle, -angle, angle]), np.array([2.0, -2.0, 2.0]) + 1e-8 * np.array([1.0, -2.0, 1.5])
        expected = 1.2 * 9.81 * np.sin(angle) * np.array([1.0, -1.0, 1.0])
        assert np.abs(f.forward_dynamics(q, u, np.zeros(3)) - expected).max() < 1e-4


@pytest.mark.parametrize("rtol", [1e-4, 1e-6])
def test_equations_that_depend_on_others_for_these_lengths_leave_saved_speeds_alone(rtol: float) -> None:
    """Between steps states are slightly off the constraints, where the dependent equation forbids all motion. The bars
    move as one pendulum: (1 + 1) u̇ = 2.5 g sin q, with 3 · 1/3 + 1 of the inertia and 3 · 1/2 + 1 of the weight."""
    s, start = parallel_bars(), {"bar0": 0.3, "bar1": 0.3, "bar2": 0.3, "beam": -0.3}
    given = {"q": start, "u": {"bar0": 1.0}, "rtol": rtol, "atol": 1e-2 * rtol}
    run, swept = s.simulate(5.0, **given), s.sweep(5.0, {"u.bar0": [1.0, 0.5]}, q=start, rtol=rtol, atol=1e-2 * rtol)
    for u, q in ((run["u.bar0"], run["q.bar0"]), (swept["u.bar0"].values[0], swept["q.bar0"].values[0])):
        energy = u**2 + 2.5 * 9.81 * np.cos(q)
        assert np.abs(energy - energy[0]).max() < 200 * rtol * energy[0]
    assert np.abs(run["u.bar0"] - run["u.bar2"]).max() < 1e-5


def test_the_squeezer_ends_where_other_codes_do() -> None:
    s = squeezer()
    run = s.derive("aba").simulate(0.03, rtol=1e-11, atol=1e-13)
    end = [run[name][-1] for name in SQUEEZER_NAMES]
    assert np.abs(np.subtract(end, SQUEEZER_END)).max() < 3e-9
    assert residuals(s, run)[0] < 1e-15 and run.energy_error < 1e-9


def test_a_constrained_particle_moves_as_a_pendulum() -> None:
    s = particle_pendulum()
    run = s.simulate([0.0, *AT], rtol=1e-11, atol=1e-12)
    for t, (x, z) in AT.items():
        at = np.flatnonzero(run.t == t)[0]
        assert abs(run["x"][at] - x) < 1e-8 and abs(run["z"][at] - z) < 1e-8


def test_a_constrained_particle_does_not_drift_in_1000_s() -> None:
    s = particle_pendulum()
    run = s.simulate(1000.0, rtol=1e-9, atol=1e-9)
    assert run.success and max(residuals(s, run)) < SMALL


def test_unconstrained_systems_have_no_projection() -> None:
    s = fb.System("arm")
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    run = s.simulate(0.1)
    assert run.statistics.projections == 0


# Initial states


def test_initial_values_that_are_left_out_follow_the_constraints() -> None:
    s, r = slider_crank(), 0.3
    run = s.simulate(0.5, q={"crank": 0.5}, u={"crank": 2.0}, inputs={"motor": "0.1*cos(t)"})
    lean = np.arcsin(r * np.sin(run["crank"]))
    assert abs(run["crank"][0] - 0.5) < SMALL and abs(run["u.crank"][0] - 2.0) < SMALL
    assert np.abs(run["slider"] - r * np.cos(run["crank"]) - np.cos(lean)).max() < SMALL
    with pytest.raises(ArgumentError, match=r"'pin' \(force.x\) cannot be satisfied.*q.crank, q.rod, q.slider held"):
        s.simulate(0.5, q=[0.5, -0.6, 1.2], inputs={"motor": 0})
    with pytest.raises(ArgumentError, match=r"does not allow these speeds.*with u.crank, u.slider held"):
        s.simulate(0.5, u={"crank": 2.0, "slider": 3.0}, inputs={"motor": 0})


def test_runs_continue_on_the_constraints() -> None:
    """Also with another speed, or with other lengths, to which the coordinates adjust."""
    s, inputs = slider_crank(), {"motor": 0.1}
    first = s.simulate(0.3, q={"crank": 0.5}, u={"crank": 2.0}, inputs=inputs)
    whole = s.simulate([0.0, 0.6], q={"crank": 0.5}, u={"crank": 2.0}, inputs=inputs)
    again = s.simulate(0.6, start=first, inputs=inputs)
    assert np.abs(again.x[-1] - whole.x[-1]).max() < 1e-7 and np.abs(again.x[0] - first.x[-1]).max() < 1e-14
    other = s.simulate(0.6, start=first, inputs=inputs, u={"crank": -1.0}, parameters={"l": 1.2})
    assert other["u.crank"][0] == -1.0 and abs(other["slider"][0] - first["slider"][-1]) > 0.01
    lean = np.arcsin(0.3 * np.sin(other["crank"]) / 1.2)
    assert np.abs(other["slider"] - 0.3 * np.cos(other["crank"]) - 1.2 * np.cos(lean)).max() < SMALL


def test_events_are_on_the_constraints() -> None:
    s = slider_crank()
    event = fb.Event("u.slider", name="turns", reset={"u.crank": "-0.5*u.crank"})
    with pytest.warns(SimulationWarning, match=r"'turns' at .* sets u\.crank to .*, which the constraints change to"):
        run = s.simulate(3.0, q={"crank": 0.5}, u={"crank": 4.0}, inputs={"motor": 0}, events=[event], rtol=1e-10)
    assert len(run.events) >= 1
    for x in (*run.events.before, *run.events.after, *run.sol(np.linspace(0, 3, 50)).T):
        q, u = x[:3], x[3:]
        f = s.derive().compile("numpy")
        at = f.constraint(q, u)
        assert np.abs(at["phi"]).max() < SMALL and np.abs(at["G"] @ u).max() < 10 * SMALL


def test_resets_that_satisfy_the_constraints_are_kept_without_a_warning() -> None:
    s = slider_crank()
    back = {f"u.{name}": f"-u.{name}" for name in ("crank", "rod", "slider")}
    event = fb.Event("q.crank - 1", reset=back, name="back")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        q, u = s.assemble({"crank": 0.5}, {"crank": 4.0})
        run = s.simulate(0.5, q=q, u=u, inputs={"motor": 0}, events=[event])
    assert len(run.events) >= 1 and np.allclose(run.events.after[:, 3:], -run.events.before[:, 3:], rtol=1e-9)


# Sweeps


def test_sweeps_over_lengths_assemble_each_case() -> None:
    """Each case equals a run by itself, at its start to the last bit; those that cannot be assembled say so."""
    s, inputs = slider_crank(), {"motor": 0.2}
    lengths, speeds = [0.8, 1.0, 1.3, 0.1], [1.0, 3.0]
    with pytest.warns(SimulationWarning, match="2 of 8 cases failed.*l = 0.1, u.crank = 1: .*constraint 'pin'"):
        data = s.sweep(0.5, {"l": lengths, "u.crank": speeds}, q={"crank": 0.5}, inputs=inputs, rtol=1e-9, atol=1e-11)
    assert data.status.values.tolist() == [[0, 0], [0, 0], [0, 0], [-1, -1]]
    assert "cannot be satisfied: it is off by" in str(data.message.values[3, 0])
    for i, l in enumerate(lengths[:3]):
        for k, speed in enumerate(speeds):
            run = s.simulate(
                0.5, q={"crank": 0.5}, u={"crank": speed}, parameters={"l": l}, inputs=inputs, rtol=1e-9, atol=1e-11
            )
            for key in ("q.rod", "q.slider", "u.rod", "u.slider"):
                row = data[key].values[i, k]
                assert row[0] == run[key][0] and np.abs(row - run[key]).max() < 1e-9
            lean = np.arcsin(0.3 * np.sin(data["q.crank"].values[i, k]) / l)
            expected = 0.3 * np.cos(data["q.crank"].values[i, k]) + l * np.cos(lean)
            assert np.abs(data["q.slider"].values[i, k] - expected).max() < SMALL


def test_many_cases_are_assembled_by_compiled_code() -> None:
    s = slider_crank()
    lengths = np.linspace(0.6, 1.5, 120)
    data = s.sweep([0.0, 0.01], {"l": lengths}, q={"crank": 0.5}, inputs={"motor": 0.0})
    for k in (0, 60, 119):
        q, _ = s.assemble({"crank": 0.5}, parameters={"l": lengths[k]})
        assert np.abs(data["q.slider"].values[k, 0] - q[2]) < 1e-15


# What runs record


def test_multipliers_are_those_of_the_equations() -> None:
    """Of every formulation by the same names; those of a pin are the force on its second body."""
    s, records = slider_crank(), []
    for formulation in ("kane", "aba", "cheapest"):
        e = s.derive(formulation)
        run = e.simulate([0.0, 0.1, 0.2], q={"crank": 0.5}, u={"crank": 2.0}, inputs={"motor": 0.3}, rtol=1e-11)
        assert list(run.multipliers) == ["pin.force.x", "pin.force.z"]
        assert {run.variables[f"multiplier.{n}"].unit for n in run.multipliers} == {"N"}
        records.append(np.array(list(run.multipliers.values())))
        at = s.derive("kane").compile("numpy")
        expected = at.multipliers(run.x[:, :3], run.x[:, 3:], np.zeros((3, 3)), run.t, inputs=[0.3])
        assert np.abs(records[-1].T - expected).max() < 1e-10
        assert np.abs(run["multiplier.pin.force.x"] - records[-1][0]).max() == 0
    assert np.abs(np.diff(records, axis=0)).max() < 1e-7


def test_forces_of_a_pin_move_the_slider() -> None:
    """m ẍ is the force along the rail: of the pin, whose directions are fixed in the rod."""
    s = slider_crank()
    run = s.simulate(0.3, q={"crank": 0.5}, u={"crank": 2.0}, inputs={"motor": 0.3})
    angle = run["crank"] + run["rod"]
    fx, fz = run["multiplier.pin.force.x"], run["multiplier.pin.force.z"]
    assert np.abs(3 * run["u_dot.slider"] - fx * np.cos(angle) - fz * np.sin(angle)).max() < 1e-10


def test_drift_is_in_statistics_and_summary_and_by_equation(tmp_path) -> None:
    s = slider_crank()
    run = s.simulate(0.3, q={"crank": 0.5}, u={"crank": 2.0}, inputs={"motor": 0.3})
    position, speed = run.drift
    assert (position, speed) == (run.statistics.drift, run.statistics.speed_drift)
    assert position == max(np.abs(v).max() for v in run.residuals.values()) < SMALL
    assert speed == max(np.abs(v).max() for v in run.residual_rates.values()) < SMALL
    assert f"{position:.1e}, of speeds {speed:.1e}" in run.summary()
    loaded = fb.Trajectory.load(run.save(tmp_path / "run.nc"))
    assert loaded.drift == run.drift and list(loaded.multipliers) == list(run.multipliers)
    assert np.array_equal(loaded["multiplier.pin.force.z"], run["multiplier.pin.force.z"])


def test_sweeps_record_multipliers() -> None:
    s = slider_crank()
    data = s.sweep([0.0, 0.1], {"l": [0.9, 1.1]}, q={"crank": 0.5}, inputs={"motor": 0.3}, record=["pin.force.x"])
    run = s.simulate([0.0, 0.1], q={"crank": 0.5}, inputs={"motor": 0.3}, parameters={"l": 1.1})
    assert np.abs(data["multiplier.pin.force.x"].values[1] - run["multiplier.pin.force.x"]).max() < 1e-9


def test_moving_constraints_work() -> None:
    """The energy balance holds with the power of constraints that depend on time."""
    s = slider_crank()
    s.constrain("q.crank - 0.5 - 3*t - 0.2*sin(2*t)", name="drive", unit="rad")
    run = s.simulate(2.0, inputs={"motor": 0.1}, rtol=1e-10, atol=1e-12)
    assert np.abs(run["crank"] - 0.5 - 3 * run.t - 0.2 * np.sin(2 * run.t)).max() < SMALL
    assert run.variables["multiplier.drive"].unit == "N·m"
    assert np.abs(run["power.constraint.drive"] - run["multiplier.drive"] * run["u.crank"]).max() < 1e-9
    assert run.energy_error < 1e-9 and np.ptp(run["energy.total"]) > 1


# Random mechanisms

RANDOM = [(3, 1, False), (2, 2, True)]
LONG = [(k, 1, False) for k in range(7) if k != 3] + [(k, 2, k % 2 == 0) for k in (1, 4, 5, 6)]


@pytest.mark.parametrize(
    ("seed", "loops", "driven"), [*RANDOM, *(pytest.param(*case, marks=pytest.mark.long) for case in LONG)]
)
def test_random_mechanisms_are_assembled_and_move_without_drift(seed: int, loops: int, driven: bool) -> None:
    """Joints and closures of all kinds; also with a prescribed joint, a coupled one and an equation of time. From a
    rough state; the energy balance holds."""
    m = mechanism(seed, loops, driven)
    e, rng = m.system.derive("aba"), np.random.default_rng(seed)
    rough = m.q + 0.05 * rng.normal(size=len(m.q))
    for k in (k for k, name in enumerate(e.q) if name.endswith(".qw")):
        rough[k : k + 4] /= np.linalg.norm(rough[k : k + 4])
    q, u = e.assemble(rough, m.u, t=m.t)
    assert 0.01 < np.abs(q - m.q).max() < 0.3  # the branch of the guess
    run = e.simulate([m.t, m.t + 0.1, m.t + 0.2], q=q, u=u, rtol=1e-10, atol=1e-12)
    assert run.success and max(run.drift) < SMALL and run.energy_error < 1e-8


# Implicit methods


@pytest.mark.parametrize("make", [slider_crank, four_bar, squeezer])
def test_jacobians_of_constrained_systems_are_exact(make) -> None:
    s = make()
    e, inputs = s.derive("kane"), {"motor": "0.3*cos(q.crank)"} if make is slider_crank else None
    q, u = e.assemble(u={"k1": 10.0}) if make is squeezer else e.assemble({"crank": 0.5}, {"crank": 2.0})
    compiled = build(e.derivation, e.values, inputs, (), exact=True)
    x = np.concatenate([q, u])
    J, scale, rounding = compiled.jacobian(0.0, x), 1e-5, 1e-9 * np.abs(compiled.x_dot(0.0, x)).max()
    for k in range(len(x)):
        step = np.zeros(len(x))
        step[k] = scale
        column = (compiled.x_dot(0.0, x + step) - compiled.x_dot(0.0, x - step)) / (2 * scale)
        assert np.abs(J[:, k] - column).max() < rounding + 1e-7 * np.abs(column).max()


def test_jacobians_in_flat_positions_leave_out_the_dependent_equation() -> None:
    s = four_bar()
    e = s.derive("kane")
    compiled = build(e.derivation, e.values, None, (), exact=True)
    x = np.array([np.pi / 2, -np.pi / 2, np.pi / 2, 2.0, -2.0, 2.0])
    assert np.abs(compiled.jacobian(0.0, x)).max() < 100


@pytest.mark.parametrize("method", ["radau", "bdf"])
def test_implicit_methods_stay_on_the_constraints(method: str) -> None:
    s = slider_crank()
    options = {"q": {"crank": 0.5}, "u": {"crank": 4.0}, "inputs": {"motor": "-0.1*u.crank"}}
    run = s.simulate(0.5, method=method, rtol=1e-8, atol=1e-10, **options)
    other = s.simulate(0.5, rtol=1e-11, atol=1e-12, **options)
    assert max(run.drift) < SMALL and run.statistics.jacobians > 0
    assert np.abs(run.x[-1] - other.x[-1]).max() < 1e-5


# Failures


def test_links_without_mass_are_offered_to_be_rods() -> None:
    s = fb.System("loop")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=(1, 1, 1))
    link = s.body("link", on=crank, at=(0, 0, 1), joint=fb.Revolute("y"))
    s.close(link.point((1, 0, 0)), s.ground.point((1, 0, 1)), joint=fb.Revolute("y"), name="pin")
    with pytest.raises(ModelError, match=r"joint 'link'.*Constraint 'pin' does not replace it.*add s.rod\(a, b\)"):
        s.simulate(1.0)


def test_masses_that_become_zero_in_a_loop() -> None:
    s = fb.System("loop")
    m = s.parameter("m", 1.0)
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.5), inertia=(1, 1, 1))
    link = s.body("link", on=crank, at=(0, 0, 1), joint=fb.Revolute("y"), mass=m, com=(0.5, 0, 0))
    s.close(link.point((1, 0, 0)), s.ground.point((1, 0, 1)), joint=fb.Revolute("y"), name="pin")
    with pytest.warns(SimulationWarning, match=r"speed 'link'.*has nothing to resist it.*s.rod\(a, b\)"):
        run = s.simulate(1.0, parameters={"m": 0.0})
    assert run.status == -1


def test_runs_into_a_dead_position_name_the_equation() -> None:
    """A crank that is driven beyond what the rod can reach."""
    s = slider_crank()
    s.constrain("q.slider - 1.2 - 0.2*t", name="pull")
    q, _ = s.assemble([0.6, -0.8, 1.2])
    with pytest.warns(SimulationWarning, match=r"could not go on.*\(first in equation (pin.force.[xz]|pull)\)"):
        run = s.derive("kane").simulate(1.0, q=q, inputs={"motor": 0.0})
    assert run.status == -1 and 0.45 < run.t[-1] <= 0.5
