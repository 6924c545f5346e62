"""Derivatives of the dynamics of flexible systems, open and closed, against differences; outputs and sweeps."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.tree.tree import quaternions
from tests.flexible.flexible_trees import flexible_tree
from tests.flexible.test_bodies import JOINTS, branched

STEP = 1e-6


def closed(order: str, joint: fb.model.joints.Joint) -> fb.System:
    """Two flexible bodies on nodes of a third, joined at nodes; a parameter, an input and the time act at nodes."""
    s = flexible_tree(2, order, modes=(2, 2, 2))
    stiffness, wind = s.parameter("stiffness", 3.0), s.input("wind")
    s.spring(s.bodies["hand"].origin, s.ground.point((1, 1, 1)), stiffness=stiffness, free_length=0.3)
    s.force(s.ground.vector((wind, 0, "t")), at=s.bodies["third.side"].origin)
    s.close(s.bodies["second.side"], s.bodies["third.side"], joint, name="loop")
    return s


CASES = {
    "full, welded": lambda: closed("full", fb.Weld()),
    "ruthless, hinged": lambda: closed("ruthless", fb.Revolute("y")),
    "full, free": lambda: branched(JOINTS["free"]),
    "ruthless, spherical": lambda: branched(JOINTS["spherical"], "ruthless"),
}


@pytest.mark.parametrize("case", CASES)
def test_derivatives_match_differences(case: str) -> None:
    """u̇ and multipliers by coordinates along the tangent, speeds, forces, parameters, inputs and time."""
    eq = CASES[case]().derive()
    f, random = eq.compile("numpy"), np.random.default_rng(4)
    n, m, inputs = len(eq.q), len(eq.u), np.full(len(eq.derivation.layout.inputs), 0.3)
    q, (u, tau) = 0.1 * random.normal(size=n), random.normal(size=(2, m))
    for k in quaternions(eq.derivation.tree):
        q[k : k + 4] = np.array([8, 2, 1, 3]) / np.sqrt(78)

    def rates(values: fb.Compiled = f, **changes: Any) -> np.ndarray:
        at = {"q": q, "u": u, "tau": tau, "t": 0.3, "inputs": inputs} | changes
        u_dot = values.forward_dynamics(**at)
        return np.concatenate([u_dot, values.multipliers(**at)]) if eq.constraints else u_dot

    def slopes(name: str, value: Any, directions: np.ndarray) -> np.ndarray:
        ends = [[rates(**{name: value + sign * STEP * d}) for sign in (1, -1)] for d in directions]
        return np.array([(a - b) / (2 * STEP) for a, b in ends]).T

    by = ("q", "u", "tau", "t", "inputs", "parameters")
    exact = f.forward_derivatives(q, u, tau, t=0.3, inputs=inputs, by=by)
    expected = {
        "q": slopes("q", q, np.array([f.q_dot(q, d) for d in np.eye(m)])),
        "u": slopes("u", u, np.eye(m)),
        "tau": slopes("tau", tau, np.eye(m)),
        "t": slopes("t", 0.3, np.ones(1)),
        "inputs": slopes("inputs", inputs, np.eye(len(inputs))),
    }
    if eq.values:
        others = [eq.compile("numpy", parameters={"stiffness": 3.0 + sign * STEP}) for sign in (1, -1)]
        expected["parameters"] = ((rates(others[0]) - rates(others[1])) / (2 * STEP))[:, None]
    rounding = 1e-13 * np.max(np.abs(rates())) / STEP
    for name, slope in expected.items():
        if slope.size:
            found = exact[name] if not eq.constraints else np.vstack([exact[name], exact[f"multipliers_by_{name}"]])
            assert np.max(np.abs(found - slope)) <= 1e-6 * np.max(np.abs(slope)) + rounding, name


def test_outputs_at_nodes_are_differentiated() -> None:
    """C of a deflection is the shape of the modes at the node, and D of an acceleration there the square of it."""
    s = fb.System("boom", gravity=(0, 0, 0))
    push = s.input("push")
    boom = s.body("boom", flexible=fb.Beam(length=2.0, EI=(500.0, None), density=3.0), modes=4)
    s.force(s.ground.y * push, at=boom.node("tip").origin)
    tip = boom.node("tip")
    s.output("deflection", s.deflection(tip).dot(s.ground.y))
    s.output("acceleration", s.acceleration(tip.origin).dot(s.ground.y))
    lin, shape = s.linearize(), boom.spec.modal.data.nodes["tip"].translations[1]
    assert np.allclose(lin.C[0], [*shape, 0, 0, 0, 0]) and np.allclose(lin.D[:, 0], [0, shape @ shape])


def test_implicit_methods_of_stiff_loops() -> None:
    """A four-bar of damped stiff bars: exact Jacobians with constraints, few steps."""
    s = fb.System("four-bar")
    bar = {"EI": (2e3, None), "density": 1.0, "rayleigh": (0.0, 2e-3)}
    crank = s.body("crank", joint=fb.Revolute("z"), mass=1.0, inertia=(0.01, 0.01, 0.02))
    coupler = s.body(
        "coupler",
        on=crank,
        at=(0.2, 0, 0),
        joint=fb.Revolute("z"),
        modes=5,
        inertia=(1e-3,) * 3,
        flexible=fb.Beam(length=1.0, **bar),
    )
    rocker = s.body(
        "rocker",
        at=(1, 0, 0),
        joint=fb.Revolute("z", initial=1.2),
        modes=3,
        inertia=(1e-3,) * 3,
        flexible=fb.Beam(length=0.6, **bar),
    )
    s.close(coupler.node("tip"), rocker.node("tip"), fb.Revolute("z"), name="pin")
    q, u = s.assemble({"crank": 0.5}, {"crank": 3.0})
    explicit = s.simulate(0.3, q=q, u=u, rtol=1e-7, atol=1e-9, method="dop853")
    implicit = s.simulate(0.3, q=q, u=u, rtol=1e-6, atol=1e-8, method="bdf")
    assert implicit.statistics.jacobians > 0 and implicit.statistics.steps < explicit.statistics.steps / 8
    assert implicit.q["rocker"][-1] == pytest.approx(explicit.q["rocker"][-1], abs=1e-5)
    assert max(implicit.drift) < 1e-6


def test_what_needs_rigid_bodies_names_the_flexible_one() -> None:
    s = fb.System("boom")
    s.body("boom", flexible=fb.Beam(length=2.0, EI=(500.0, None), density=3.0), modes=2)
    eq = s.derive()
    for quantity in ("regressor", "inertial_parameters", "coriolis"):
        with pytest.raises(ModelError, match=rf"{quantity}: 'boom' has speeds of its own, as a flexible body"):
            eq.program(quantity)
    with pytest.raises(ModelError, match="'boom' has speeds of its own, as a flexible body"):
        eq.base_parameters()
