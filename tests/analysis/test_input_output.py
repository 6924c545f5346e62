"""Relative degrees, linearising feedback and zero dynamics compared with textbooks, SymPy and simulations."""

from typing import Any

import numpy as np
import pytest
import sympy

import freebody as fb
from freebody.errors import ArgumentError
from tests.analysis.textbook_systems import G, arm, bead, cart_pole, elastic, twins


def value(expression: Any, **symbols: float) -> float:
    return float(expression.subs(symbols))


def named(at: dict[str, float], expression: Any) -> float:
    return float(expression.subs(at))


@pytest.mark.paper("002", "36")
def test_zero_dynamics_of_the_cart_pole_are_unstable() -> None:
    """With the cart fixed, the pole falls as a pendulum: θ̈ = (g/l) sin θ."""
    s = cart_pole()
    io = s.input_output(["q.cart"])
    assert (
        io.degrees == {"q.cart": 2} and io.internal == 2 and str(io) == "relative degrees q.cart: 2; 2 internal states"
    )
    rest = io.reduced()
    assert list(rest.rates) == ["q.pole", "u.pole"]
    at: dict[str, float] = {"m": 0.2, "l": 0.5, "q.pole": 0.3, "u.pole": 0.7, "M": 1.0}
    assert named(at, rest.rates["u.pole"]) == pytest.approx(G / 0.5 * np.sin(0.3))
    assert named(at, rest.rates["q.pole"]) == 0.7
    force = 0.2 * np.sin(0.3) * (G * np.cos(0.3) - 0.5 * 0.7**2)
    assert named(at, rest.inputs["F"]) == pytest.approx(force)


@pytest.mark.parametrize("damping", [0.0, 0.05])
@pytest.mark.parametrize("start", [0.1, 3.0])
@pytest.mark.parametrize("outputs", [["q.cart"], {"tip": "q.cart + 0.8*sin(q.pole)"}, ["q.pole"]])
def test_eigenvalues_of_zero_dynamics_are_transmission_zeros(damping: float, start: float, outputs: Any) -> None:
    s = cart_pole(damping)
    rest = s.equilibrium(q={"pole": start})
    inside = s.input_output(outputs).zero_dynamics(rest)
    linear = s.linearize(at=rest, outputs=outputs)
    assert np.allclose(inside.eigenvalues, linear.zeros(), atol=1e-7) and len(inside.A) == 2
    assert np.abs(inside.rate(rest.point.x)).max() < 1e-9


def test_minimum_phase_is_reported() -> None:
    down, up = ({"pole": np.pi}, {"pole": 0.0})
    phases = [
        (s := cart_pole(c)).input_output(["q.cart"]).zero_dynamics(s.equilibrium(q=q)).phase
        for c, q in ((0.05, down), (0.0, down), (0.05, up))
    ]
    assert phases == ["minimum phase", "undecided", "not minimum phase"]


def test_outputs_stay_zero_from_a_projected_state() -> None:
    """The output stays zero for 1 s under the law, and the rates of the zero dynamics equal those of the system."""
    s = cart_pole(0.05)
    io, rest = s.input_output({"tip": "q.cart + 0.3*sin(q.pole)"}), s.equilibrium(q={"pole": np.pi})
    inside = io.zero_dynamics(rest)
    x = inside.project(np.array([0.1, 3.0, 0.2, 0.3]))
    run = s.simulate(1.0, q=x[:2], u=x[2:], inputs=io.law())
    tip = run["q.cart"] + 0.3 * np.sin(run["q.pole"])
    assert np.abs(tip).max() < 1e-7 and np.ptp(run["q.pole"]) > 0.05
    wanted = s.derive().compile("numpy").state_dot(0.0, x, [run["input.F"][0]])
    assert np.allclose(inside.rate(x), wanted)


def test_projection_from_a_distant_state_is_refused() -> None:
    s = cart_pole(0.05)
    inside = s.input_output({"y": "tanh(q.cart)"}).zero_dynamics(s.equilibrium(q={"pole": np.pi}))
    assert abs(inside.project(np.array([0.5, 3.0, 0.1, 0.0]))[0]) < 1e-12
    with pytest.raises(ArgumentError, match=r"one of them or of their rates is off by 1\. Start nearer"):
        inside.project(np.array([30.0, 3.0, 0.0, 0.0]))


def test_elastic_joint_has_relative_degree_four() -> None:
    """Spong: y⁗ = … + k/(I J) w; SymPy differentiates the textbook's equations."""
    s = elastic()
    io = s.input_output({"y": "q.link"})
    assert io.degrees == {"y": 4} and io.internal == 0
    I, J, k, m, l = 0.25, 0.1, 30.0, 1.0, 0.5
    at = {"q.link": 0.4, "q.rotor": -0.3, "u.link": 1.1, "u.rotor": 0.6, "k": k}
    assert named(at, io.decoupling[0, 0]) == pytest.approx(k / (I * J))
    a, b, c, d = x = sympy.symbols("a b c d")
    stretch = k * (a - b)
    f = [c, d, (-m * G * l * sympy.sin(a) - stretch) / I, stretch / J]
    y, numbers = a, dict(zip(x, list(at.values())[:4], strict=True))
    for rate in [*io.rates["y"][1:], io.drift[0]]:
        y = sum(sympy.diff(y, v) * g for v, g in zip(x, f, strict=True))
        assert named(at, rate) == pytest.approx(float(y.subs(numbers)), rel=1e-12)


def test_outputs_may_depend_on_time() -> None:
    io = cart_pole().input_output({"gap": "q.cart - 0.1*t**3"})
    assert named({"u.cart": 1.0, "t": 2.0}, io.rates["gap"][1]) == pytest.approx(1.0 - 0.3 * 4)
    assert named({"M": 1.0, "m": 0.2, "l": 0.5, "q.pole": 0, "u.pole": 0, "t": 2.0}, io.drift[0]) == pytest.approx(-1.2)


def test_motor_lag_adds_a_relative_degree() -> None:
    s = fb.System("lagging")
    s.input("w")
    torque = s.state("torque", rate="(w - torque)/0.05")
    s.joint_force(s.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1)), torque)
    io = s.input_output({"angle": "q.arm"})
    assert io.degrees == {"angle": 3} and value(io.decoupling[0, 0]) == pytest.approx(20.0)
    assert s.input_output({"torque": "torque + 2*w"}).degrees == {"torque": 0}


@pytest.mark.paper("002", "31")
def test_tip_of_an_arm_tracks_a_circle() -> None:
    """The error decays exactly with the poles −4 and −5."""
    s = arm()
    io = s.input_output({"x": "tip.x", "z": "tip.z"})
    assert io.degrees == {"x": 2, "z": 2} and io.internal == 0
    law = io.track({"x": "0.3 + 0.1*cos(2*t)", "z": "-0.45 + 0.1*sin(2*t)"}, poles=[-4, -5])
    run = s.simulate(2.0, q={"upper": -0.3, "lower": 1.2}, inputs=law)
    for part, wished, speed in ((0, 0.3 + 0.1 * np.cos(2 * run.t), 0.0), (2, -0.45 + 0.1 * np.sin(2 * run.t), -0.2)):
        error = run["tip"][:, part] - wished
        slow = (speed + 5 * error[0]) / 1.0
        decay = slow * np.exp(-4 * run.t) + (error[0] - slow) * np.exp(-5 * run.t)
        assert np.allclose(error, decay, atol=1e-7)


@pytest.mark.paper("002", "31")
def test_feedback_of_joint_angles_is_computed_torque() -> None:
    s, v = arm(), {"q.upper": 0.7, "q.lower": -1.1}
    law = s.input_output(["q.upper", "q.lower"]).law(v)
    at = {"q.upper": 0.2, "q.lower": 0.9, "u.upper": -0.4, "u.lower": 1.3}
    wanted = s.derive().compile("numpy").inverse_dynamics([0.2, 0.9], [-0.4, 1.3], list(v.values()))
    assert np.allclose([named(at, law["a"]), named(at, law["b"])], wanted)
    assert "/" not in str(law["a"])


def test_decoupling_matrix_and_computed_torque_agree() -> None:
    """A⁻¹ (v − b) with the decoupling matrix equals computed torque."""
    io = arm().input_output({"x": "tip.x", "z": "tip.z"})
    law = io.law({"x": 1.0, "z": "u.upper"})
    point = {"q.upper": 0.2, "q.lower": 0.9, "u.upper": -0.4, "u.lower": 1.3}
    where = io.at(point)
    w = np.linalg.solve(where.A, np.array([1.0, -0.4]) - where.b)
    assert np.allclose([named(point, law["a"]), named(point, law["b"])], w) and not where.singular


def test_singular_points_name_their_cause() -> None:
    io = arm().input_output({"x": "tip.x", "z": "tip.z"})
    assert "outputs x, z react to the same combination" in io.at({"q.upper": 0.5}).why
    assert io.at({}).why == "derivative 2 of output 'z' does not depend on the inputs here"
    with pytest.raises(ArgumentError, match="zero dynamics are not defined at this point: derivative 2 of output 'z'"):
        io.zero_dynamics({})


def test_ball_on_beam_loses_its_relative_degree_at_rest() -> None:
    """Hauser, Sastry and Kokotović: degree 3 with the gain 2 r θ̇, which vanishes at rest."""
    s = bead()
    io = s.input_output({"ball": "q.ball"})
    assert io.degrees == {"ball": 3} and io.internal == 1
    assert io.at({}).singular
    where, J = {"q.ball": 0.4, "u.beam": 0.5}, 0.02 + 0.05 * 0.4**2
    assert io.at(where).A[0, 0] == pytest.approx(2 * 0.4 * 0.5 / J)


def test_zero_dynamics_require_an_equilibrium() -> None:
    s = cart_pole()
    with pytest.raises(ArgumentError, match=r"defined at an equilibrium, and the rate of 'u.pole' is .*; give at="):
        s.input_output(["q.cart"]).zero_dynamics({"q.pole": 0.3})


def test_outputs_without_relative_degree_or_inverse_are_refused() -> None:
    s = twins()
    with pytest.raises(ArgumentError, match="output 'other' has no relative degree: none of its 4 first derivatives"):
        s.input_output({"other": "3*t"})
    pair = s.input_output(["q.left", "q.right"])
    with pytest.raises(
        ArgumentError, match=r"as many inputs as outputs; this one has 1 \(w\) and 2 \(q.left, q.right\)"
    ):
        pair.law()
    both = arm().input_output({"x": "q.upper", "same": "2*q.upper"})
    with pytest.raises(ArgumentError, match="singular everywhere: outputs x, same react to the same combination"):
        both.law()
    with pytest.raises(ArgumentError, match="outputs need names of their own"):
        s.input_output(["q.left", "q.left"])
    with pytest.raises(ArgumentError, match="no inputs are chosen"):
        s.input_output(["q.left"], inputs=[])
    with pytest.raises(ArgumentError, match="output 'tip': reduced equations need outputs that are coordinates"):
        cart_pole().input_output({"tip": "sin(q.pole)"}).reduced()


def test_wrong_laws_are_refused() -> None:
    io = cart_pole().input_output(["q.cart"])
    with pytest.raises(ArgumentError, match=r"there is no output 'cart' here; choose from q.cart"):
        io.law({"cart": 0})
    with pytest.raises(ArgumentError, match=r"output 'q.cart' has no reference"):
        io.track({}, -1)
    with pytest.raises(ArgumentError, match="relative degree 2: give one pole, or 2, not 3"):
        io.track({"q.cart": 0}, [-1, -2, -3])
    with pytest.raises(ArgumentError, match="complex poles come in conjugate pairs"):
        io.track({"q.cart": 0}, [-1 + 1j, -2])
    with pytest.raises(ArgumentError, match="must be a function of t and parameters alone"):
        io.track({"q.cart": "q.pole"}, -1)
    squared = fb.System("squared")
    squared.joint_force(squared.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1)), squared.input("w") ** 2)
    with pytest.raises(ArgumentError, match="derivative 2 of output 'y' is not linear in input 'w'"):
        squared.input_output({"y": "q.arm"})


def test_accelerations_have_relative_degree_zero() -> None:
    """y = ẍ = b + A F depends directly on the input, and the law makes it v."""
    s = cart_pole()
    found = s.input_output({"a": "u_dot.cart"})
    assert found.degrees == {"a": 0} and found.internal == 4
    at = {"q.pole": 0.4, "u.pole": 0.7}
    law, decoupled = found.law({"a": 2.5})["F"], found.at(at)
    run = s.simulate(0.2, q={"pole": 0.4}, u={"pole": 0.7}, inputs={"F": law})
    assert np.allclose(run["u_dot.cart"], 2.5) and decoupled.A[0, 0] > 0
    seen = s.observability(at, outputs={"a": "u_dot.cart"}, depth=4)
    assert seen.rank == 2


def test_large_systems_have_no_expressions() -> None:
    from freebody.analysis.input_output import cramer, determinant
    from freebody.scalar import Graph

    g = Graph()
    rows = np.random.default_rng(0).integers(-4, 5, (5, 5))
    nodes = [[g.const(int(v)) for v in row] for row in rows]
    assert float(g.number(determinant(g, nodes)) or 0) == pytest.approx(np.linalg.det(rows))
    found = cramer(g, nodes, [g.const(k) for k in range(5)])
    assert np.allclose([float(g.number(h) or 0) for h in found], np.linalg.solve(rows, range(5)))
    with pytest.raises(ArgumentError, match="9 linear equations are too many"):
        cramer(g, [[g.one] * 9] * 9, [g.one] * 9)
    with pytest.raises(ArgumentError, match="determinant is 0 everywhere"):
        cramer(g, [[g.zero]], [g.one])
