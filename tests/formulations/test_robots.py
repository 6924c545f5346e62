"""Two arms from published parameters: operation counts, and agreement with Pinocchio."""

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from examples.robots import panda, ur5

CLOSE = 1e-11
"""Relative to the largest number of the same kind."""

ROBOTS = pytest.mark.parametrize("robot", [ur5, panda], ids=["ur5", "panda"])


def states(robot: ModuleType, rows: int = 8) -> np.ndarray:
    """Random q, u and tau (or u̇)."""
    rng = np.random.default_rng(1)
    return rng.uniform(-2, 2, (3, rows, len(robot.LINKS)))


def near(a: np.ndarray, b: np.ndarray, slack: float = 1.0) -> bool:
    return bool(np.abs(a - b).max() <= CLOSE * slack * np.abs(b).max())


@pytest.mark.parametrize(("robot", "limits"), [(ur5, (620, 175, 310)), (panda, (1185, 375, 575))], ids=["ur5", "panda"])
def test_operation_counts_stay_low(robot: ModuleType, limits: tuple[int, ...]) -> None:
    counts = robot.system().derive().operations
    for quantity, limit in zip(("forward_dynamics", "mass_matrix", "bias"), limits, strict=True):
        assert counts[quantity].total <= limit


@ROBOTS
def test_inverse_dynamics_inverts_forward_dynamics(robot: ModuleType) -> None:
    f = robot.system().derive().compile()
    q, u, tau = states(robot)
    assert near(f.inverse_dynamics(q, u, f.forward_dynamics(q, u, tau)), tau, slack=100)


@ROBOTS
def test_mass_matrix_is_symmetric_and_positive_definite(robot: ModuleType) -> None:
    M = robot.system().derive().compile().mass_matrix(states(robot)[0])
    assert np.array_equal(M, M.transpose(0, 2, 1))
    assert np.linalg.eigvalsh(M).min() > 0


@ROBOTS
def test_dynamics_do_not_depend_on_the_first_angle(robot: ModuleType) -> None:
    """The first axis is vertical, parallel to gravity."""
    f = robot.system().derive().compile()
    q, u, tau = states(robot)
    turned = q + np.eye(len(robot.LINKS))[0]
    assert near(f.forward_dynamics(turned, u, tau), f.forward_dynamics(q, u, tau))


def peer(robot: ModuleType) -> tuple[Any, Any]:
    """Pinocchio and its model with the same numbers."""
    pin = pytest.importorskip("pinocchio")
    model, joint = pin.Model(), 0
    for k, link in enumerate(robot.LINKS):
        place = pin.SE3(np.array(link.turn, dtype=float), np.array(link.at, dtype=float))
        joint = model.addJoint(joint, pin.JointModelRZ(), place, f"joint{k + 1}")
        moments = link.matrix if hasattr(link, "matrix") else np.diag(link.inertia)
        inertia = pin.Inertia(link.mass, np.array(link.com), np.array(moments))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    return pin, model


@ROBOTS
def test_dynamics_match_pinocchio(robot: ModuleType) -> None:
    pin, model = peer(robot)
    f, data = robot.system().derive().compile(), model.createData()
    for q, u, tau in states(robot).transpose(1, 0, 2):
        M = pin.crba(model, data, q)
        M = np.triu(M) + np.triu(M, 1).T
        assert near(f.mass_matrix(q), M)
        assert near(f.bias(q, u), -pin.nle(model, data, q, u))
        assert near(f.inverse_dynamics(q, u, tau), pin.rnea(model, data, q, u, tau))
        assert near(f.forward_dynamics(q, u, tau), pin.aba(model, data, q, u, tau), slack=float(np.linalg.cond(M)))
