"""A flexible arm with a payload compared with Exudyn's floating-frame body (``benchmarks/flexible_exudyn.py``)."""

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("exudyn", reason="the referee Exudyn is not installed (pip install exudyn)")
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import flexible_exudyn


def test_flexible_arm_matches_exudyn() -> None:
    """Exudyn's errors fall with the square of its steps; extrapolated to steps of zero, the tip is the same. It is
    elsewhere without the terms that depend on the deformation."""
    end = flexible_exudyn.DURATION
    s = flexible_exudyn.system()
    exact = s.simulate([0, end], rtol=1e-10, atol=1e-12)["tip"][-1]
    rough, fine = (flexible_exudyn.exudyn_arm(end, steps)[1] for steps in (2000, 4000))
    assert 3.5 < np.max(np.abs(rough - exact)) / np.max(np.abs(fine - exact)) < 4.5
    assert np.allclose((4 * fine - rough) / 3, exact, rtol=0, atol=1e-8)
    ruthless = flexible_exudyn.system("ruthless").simulate([0, end], rtol=1e-10, atol=1e-12)["tip"][-1]
    assert np.max(np.abs(ruthless - exact)) > 1e-4
