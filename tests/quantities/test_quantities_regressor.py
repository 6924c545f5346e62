"""Regressors, base parameters and identification: linear in π, published numbers of base parameters, and the
combinations of symbolic regrouping."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import freebody as fb
from examples.robots import panda, ur5
from freebody.quantities.regressor import LOST, random_regressors, random_states
from freebody.tree.inertia import base_inertias
from tests.mechanisms.numeric_equations import error
from tests.mechanisms.quantity_cases import EXACT, SEEDS, Array, case

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("seed", SEEDS)
def test_torque_is_linear_in_the_inertial_parameters(seed: int) -> None:
    """Y π + τ₀ is M u̇ − f of the reference, with loads, springs and armatures in τ₀."""
    made, s = case(seed), case(seed).state
    Y = made.f.regressor(s.q, s.u, made.u_dot, **made.time)
    rest = made.f.regressor_offset(s.q, s.u, made.u_dot, **made.rest)
    tau = made.referee.mass() @ made.u_dot - made.referee.force()
    assert error(Y @ made.equations.inertial_parameters().values + rest, tau) < EXACT


def test_order_of_inertial_parameters() -> None:
    """Mass, first moment, then the lower triangle of the inertia matrix row by row, about the body's origin."""
    s = fb.System("one")
    J = ((3, 0.1, 0.2), (0.1, 4, 0.3), (0.2, 0.3, 5))
    s.body("box", on=s.ground, joint=fb.Free(), mass=2, com=(1, 2, 3), inertia=J)
    pi = s.derive().inertial_parameters()
    assert pi.names == tuple(f"box.{k}" for k in ("m", "hx", "hy", "hz", "Jxx", "Jxy", "Jyy", "Jxz", "Jyz", "Jzz"))
    assert np.allclose(pi.values, [2, 2, 4, 6, 3 + 26, 0.1 - 4, 4 + 20, 0.2 - 6, 0.3 - 12, 5 + 10], rtol=1e-15)


# Base parameters


@pytest.mark.parametrize(("robot", "number"), [(ur5, 36), (panda, 43)], ids=["ur5", "panda"])
def test_arms_have_the_published_number_of_base_parameters(robot: ModuleType, number: int) -> None:
    """36 for a UR5 and 43 for a Panda, both with a vertical first axis (Gaz et al. 2019 for the latter)."""
    eq = robot.system().derive()
    found = eq.base_parameters()
    assert len(found) == number
    rng = np.random.default_rng(9)
    q, u, u_dot = rng.normal(size=(3, 5, len(eq.u)))
    f, pi = eq.compile("numpy"), eq.inertial_parameters().values
    kept = found.columns(f.regressor(q, u, u_dot)) @ found.of(pi)
    assert error(kept, f.inverse_dynamics(q, u, u_dot)) < EXACT


def test_base_parameters_of_a_pendulum_with_two_masses() -> None:
    """A hinge about y with a welded body: h_x, h_z and J_yy of both together."""
    s = fb.System("pendulum")
    rod = s.body("rod", on=s.ground, joint=fb.Revolute("y"), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01))
    s.body("bob", on=rod, at=(0, 0, -1), joint=fb.Weld(), mass=2, com=(0, 0, 0), inertia=(0.1, 0.2, 0.1))
    found = s.derive().base_parameters()
    assert found.texts == ("rod.hx + bob.hx", "rod.hz - bob.m + bob.hz", "rod.Jyy + bob.m - 2 bob.hz + bob.Jyy")
    assert str(found).count("\n") == 2
    pi = s.derive().inertial_parameters().values
    assert np.allclose(found.of(pi), [0, -0.5 - 2, 0.1 + 0.25 + 2 + 0.2], rtol=1e-12)


def test_free_bodies_have_ten_base_parameters() -> None:
    s = fb.System("satellite")
    bus = s.body("bus", on=s.ground, joint=fb.Free(), mass=9, com=(0.1, 0, 0), inertia=(3, 4, 5))
    s.body("panel", on=bus, at=(1, 0, 0), joint=fb.Revolute("x"), mass=1, com=(0.4, 0, 0.1), inertia=(0.1, 0.3, 0.3))
    found = s.derive().base_parameters()
    assert len(found) == 17 and found.independent[:10] == tuple(range(10))


def generic(robot: ModuleType) -> fb.System:
    """An arm with the robot's lengths whose bodies have no symmetry."""
    s, rng = fb.System("arm"), np.random.default_rng(4)
    on: Any = s.ground
    for k, link in enumerate(robot.LINKS):
        points = rng.normal(size=(6, 3))
        J = sum(np.eye(3) * (p @ p) - np.outer(p, p) for p in points).tolist()
        com, joint = tuple(rng.normal(size=3)), fb.Revolute("z")
        on = s.body(f"b{k}", on=on, at=link.at, orient=link.turn, joint=joint, mass=1 + k, com=com, inertia=J)
    return s


def regrouped(e: fb.Equations) -> tuple[Array, int]:
    """π of the fictitious bodies after the `base` rewrite, about the bodies' origins along their axes, and the number
    of nonzero m, h, Σ."""
    tree, g = e.derivation.tree, e.derivation.graph
    rows, number = list[float](), 0
    for link, c in zip(tree.links, base_inertias(tree), strict=True):
        assert link.frame.parent is link.body.frame and not link.shift
        values = [float(g.number(x)) for x in (c.m, *c.h, *c.second)]
        xx, yy, zz, xy, xz, yz = values[4:]
        rows += [*values[:4], yy + zz, -xy, xx + zz, -xz, -yz, xx + yy]
        number += np.count_nonzero(values)
    return np.array(rows), number


@pytest.mark.parametrize("robot", [ur5, panda], ids=["ur5", "panda"])
def test_symbolic_regrouping_keeps_the_base_parameters(robot: ModuleType) -> None:
    """It changes π but not the base parameters; the remaining parameters are the base parameters, except for the
    first link, which only turns about its vertical axis and has one of seven."""
    eq = generic(robot).derive()
    pi, (moved, number) = eq.inertial_parameters().values, regrouped(eq)
    found = eq.base_parameters()
    assert np.abs(pi - moved).max() > 1
    assert error(found.of(moved), found.of(pi)) < EXACT
    assert len(found) == number - 6


@pytest.mark.parametrize("seed", SEEDS)
def test_base_parameters_of_trees(seed: int) -> None:
    """At states that were not used to compute them; singular values show a gap between significant ones and
    rounding."""
    made = case(seed)
    e, found = made.equations, made.equations.base_parameters()
    pi = e.inertial_parameters().values
    t, q, u, u_dot = random_states(e.derivation, 6, np.random.default_rng(77))
    Y = made.f.regressor(q, u, u_dot, t=t)
    assert error(found.columns(Y) @ found.of(pi), Y @ pi) < 1e-10
    W = random_regressors(e.derivation, lambda t, q, u, a: made.f.regressor(q, u, a, t=t), np.random.default_rng(1))
    size = np.linalg.norm(W, axis=0)
    sizes = np.linalg.svd(W / np.where(size > 0, size, 1.0), compute_uv=False)
    assert np.sum(sizes > LOST * sizes[0]) == len(found)
    assert e.base_parameters(seed=5).independent == found.independent


@pytest.mark.slow
def test_identification_example_recovers_the_parameters(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "examples" / "identification.py"), "200"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (tmp_path / "out" / "identification.png").stat().st_size > 10_000
    assert "36 base parameters" in run.stdout and run.stdout.count("wrist_3") >= 3
    assert "all within" in run.stdout
