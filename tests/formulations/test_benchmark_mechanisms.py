"""The mechanisms of the benchmark of solvers: their states are on the constraints, their structure is what they say,
and formulations agree on them. Poses, the rank of G and consistent speeds come from NumPy, not from the library."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import mechanisms

CASES = [
    mechanisms.row(2), mechanisms.ladder(2), mechanisms.separate(2, 4), mechanisms.ring(6),
    mechanisms.ring(5, spatial=False), mechanisms.curtain(2, 4), mechanisms.curtain(2, 2, rods=2),
    mechanisms.platform(2), mechanisms.parallel_bars(4), mechanisms.row(2, closed_by="spherical"),
]  # fmt: skip


@pytest.mark.parametrize("m", CASES, ids=lambda m: m.name)
def test_states_are_on_the_constraints_and_formulations_agree(m: mechanisms.Mechanism) -> None:
    s = m.system()
    e = s.derive("aba")
    f, kane = e.compile("numpy"), s.derive("kane").compile("numpy")
    rows = f.constraint(m.q, m.u)
    assert np.abs(rows["phi"]).max() < 1e-13 and np.abs(rows["G"] @ m.u).max() < 1e-13
    assert np.abs(m.u).max() > 0.05 and np.abs(m.jacobian @ m.u).max() < 1e-13
    assert e.degrees_of_freedom == m.count - m.rank
    assert np.linalg.matrix_rank(np.vstack([m.jacobian, rows["G"]]), tol=1e-9) == m.rank  # the same constraints
    u_dot = f.forward_dynamics(m.q, m.u, m.tau)
    assert np.abs(u_dot - kane.forward_dynamics(m.q, m.u, m.tau)).max() < 1e-11 * np.abs(u_dot).max()


def test_the_share_of_redundant_equations_is_as_described() -> None:
    shares = {m.name: m.redundant for m in CASES}
    assert shares["2 four-bars in a row, spherical pins"] == pytest.approx(1 / 3)
    assert shares["ladder of 2 rungs"] == pytest.approx(3 / 5) and shares["spatial ring of 6"] == 0
    assert shares["curtain of 2 × 2, 2 rods"] == pytest.approx(1 / 2)
    assert shares["beam on 4 parallel bars"] == pytest.approx(1 - 4 / 15)


@pytest.mark.slow
def test_sizes_cover_three_to_a_thousand_bodies() -> None:
    small, large = mechanisms.small(), mechanisms.large()
    assert min(len(m.bodies) for m in small) == 3 and max(len(m.bodies) for m in small) <= 30
    assert max(len(m.bodies) for m in large) == 1000 and max(len(m.loops) for m in large) == 300
    assert min(len(m.bodies) for m in large) > 30 and max(m.longest for m in large) == 1000


@pytest.mark.parametrize("m", [*CASES, mechanisms.separate(2, 9), mechanisms.curtain(2, 9)], ids=lambda m: m.name)
def test_loops_over_bodies_give_the_same_motion(m: mechanisms.Mechanism) -> None:
    """Also for chains of nine bodies, whose roots share the code of the bodies in the middle: their wrenches go to the
    ground and not to another loop."""
    s = m.system()
    rolled, unrolled = (s.derive("aba", rolled=r).compile("numpy") for r in (True, False))
    expected = unrolled.forward_dynamics(m.q, m.u, m.tau)
    assert np.abs(rolled.forward_dynamics(m.q, m.u, m.tau) - expected).max() < 1e-9 * np.abs(expected).max()
    forces = unrolled.multipliers(m.q, m.u, m.tau)
    assert np.abs(rolled.multipliers(m.q, m.u, m.tau) - forces).max() < 1e-8 * np.abs(forces).max()
