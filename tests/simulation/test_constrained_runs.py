"""Runs of constrained systems: published motions, no drift, energy, events and restarts on the manifold."""

import numpy as np
import pytest

import freebody as fb
from tests.simulation.constrained_cases import AT
from tests.simulation.constrained_systems import (
    FOUR_BAR_END,
    SQUEEZER_END,
    SQUEEZER_NAMES,
    four_bar,
    particle_pendulum,
    residuals,
    squeezer,
)

SMALL = 1e-12


@pytest.mark.parametrize("formulation", ["kane", "aba"])
def test_a_four_bar_passes_its_flat_positions(formulation: str) -> None:
    """It is flat four times within 10 s, where it has two freedoms."""
    s = four_bar()
    run = s.derive(formulation).simulate(10.0, u=[1.0, -1.0, 1.0], rtol=1e-11, atol=1e-12)
    assert run.success and np.count_nonzero(np.diff(np.sign(np.cos(run["crank"])))) >= 4
    tip = np.sin(run["crank"][-1]), np.cos(run["crank"][-1])
    assert np.abs(np.subtract(tip, FOUR_BAR_END)).max() < 1e-8
    positions, speeds = residuals(s, run)
    assert positions < SMALL and speeds < 10 * SMALL and run.energy_error < 1e-9


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


def test_unconstrained_plants_have_no_projection() -> None:
    s = fb.System("arm")
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    run = s.simulate(0.1)
    assert run.statistics.projections == 0
