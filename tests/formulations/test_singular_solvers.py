"""Solvers at singular positions and with rows that depend on others for certain lengths only: u̇ is that of the complete
linear system, and the multipliers give the same forces."""

import numpy as np
import pytest

import freebody as fb
from freebody.formulations.table import SOLVERS
from tests.run.constrained_systems import four_bar, parallel_bars

AGREE = 1e-9
FLAT = np.array([np.pi / 2, -np.pi / 2, np.pi / 2])
"""The coordinates at which the four-bar is flat and has two freedoms."""


def complete(s: fb.System, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """u̇ and Gᵀλ by least squares."""
    f = s.derive("kane").compile("numpy")
    M, at = f.mass_matrix(q), f.constraint(q, u)
    G, n = at["G"], len(u)
    whole = np.block([[M, -G.T], [G, np.zeros((len(G), len(G)))]])
    right = np.concatenate([f.bias(q, u), at["gamma"]])
    x = np.linalg.lstsq(whole, right, rcond=1e-10)[0]
    assert np.abs(whole @ x - right).max() < 1e-10 * np.abs(right).max(), "contradictory"
    assert np.linalg.matrix_rank(G, 1e-8) < len(G)
    return x[:n], G.T @ x[n:]


CASES = {
    "flat, along the parallelogram": (four_bar, FLAT, [1.0, -1.0, 1.0]),
    "flat, along the other branch": (four_bar, FLAT, [0.0, 1.0, 1.0]),
    "flat, at rest": (four_bar, FLAT, [0.0, 0.0, 0.0]),
    "a bar more than needed": (parallel_bars, [0.3, 0.3, 0.3, -0.3], [1.0, 1.0, 1.0, -1.0]),
    "three bars, flat": (parallel_bars, [np.pi / 2, np.pi / 2, np.pi / 2, -np.pi / 2], [1.0, 1.0, 1.0, -1.0]),
}


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.paper("001", "28")
def test_solvers_pass_singular_positions(name: str) -> None:
    for case, (make, *state) in CASES.items():
        s, (q, u) = make(), map(np.array, state)
        expected, forces = complete(s, q, u)
        f = s.derive(solver=name).compile("numpy")
        multipliers, G = f.multipliers(q, u), f.constraint(q, u)["G"]
        assert np.abs(f.forward_dynamics(q, u) - expected).max() < AGREE * np.abs(expected).max(), case
        assert np.abs(G.T @ multipliers - forces).max() < AGREE * np.abs(expected).max(), case


@pytest.mark.parametrize("name", ["null-space", "independent", "penalty"])
def test_runs_pass_the_flat_position(name: str) -> None:
    """Beyond it the crank's tip is where a run with articulated bodies brings it."""
    ends = [four_bar().derive(solver=solver).simulate(2.0, u={"crank": 4.0}).x[-1] for solver in ("tree", name)]
    assert ends[0][0] > 2 * np.pi and np.abs(ends[1] - ends[0]).max() < 1e-5


def test_independent_speeds_change_without_a_jump() -> None:
    """Around a full turn of a drag-link mechanism u̇ is that of the whole matrix, while the largest entry of a row
    changes from one speed to another."""
    s = fb.System("drag-link", gravity=(0, 0, 0))
    pin = fb.Revolute("y")
    crank = s.body("crank", joint=pin, mass=1, com=(0.3, 0, 0), inertia=(1, 1, 1))
    coupler = s.body("coupler", on=crank, at=(0.6, 0, 0), joint=pin, mass=1, com=(0.4, 0, 0), inertia=(1, 1, 1))
    rocker = s.body("rocker", at=(0.2, 0, 0), joint=pin, mass=1, com=(0.3, 0, 0), inertia=(1, 1, 1))
    s.close(coupler.point((0.8, 0, 0)), rocker.point((0.7, 0, 0)), pin, name="knee")
    run = s.simulate(np.linspace(0, 4, 301), q={"coupler": 2.0}, u={"crank": 3.0})
    q, u = run.x[:, :3], run.x[:, 3:6]
    whole, independent = (s.derive("kane", solver=x).compile("numpy") for x in ("sparse", "independent"))
    largest = np.abs(whole.constraint(q, u)["G"][:, 0]).argmax(axis=1)
    assert q[-1, 0] - q[0, 0] > 2 * np.pi and len(set(largest)) > 1
    expected = whole.forward_dynamics(q, u)
    assert np.abs(independent.forward_dynamics(q, u) - expected).max() < 1e-11 * np.abs(expected).max()
