"""Linearisations compared with finite differences of the compiled state_dot, textbooks and python-control."""

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import eig

import freebody as fb
from freebody.errors import ArgumentError, BackendError
from freebody.extras import install_command
from freebody.model.joints.manifold import displace, displacement_between
from tests.analysis.textbook_systems import G, arm, cart_pole, drone, elastic, turner, twins

pytestmark = pytest.mark.filterwarnings("ignore::freebody.errors.AnalysisWarning")  # points of a motion

Array = NDArray[np.float64]
STEP = 1e-6


def slope(f: Any, x: Array) -> Array:
    """∂f/∂x by central differences."""
    return np.array([(f(x + d) - f(x - d)) / (2 * STEP) for d in STEP * np.eye(len(x))]).T


def somewhere(seed: int) -> dict[str, Any]:
    """A state of the tumbling drone."""
    r = np.random.default_rng(seed)
    turn = r.normal(size=4)
    named = {"q.body": [*r.normal(size=3), *turn / np.linalg.norm(turn)], "q.arm": 0.4, "u.body": r.normal(size=6)}
    return {**named, "u.arm": -0.7, "lag": 0.3, "thrust": 5.0, "tx": 0.1, "ty": -0.2, "tz": 0.05}


def test_cart_pole_matches_the_textbook() -> None:
    """ẍ = −(m/M) g θ + F/M, θ̈ = (M + m)/(M l) g θ − F/(M l) about the upright position."""
    M, m, l = 1.0, 0.2, 0.5
    lin = cart_pole().linearize(trim=True)
    assert lin.states == ("q.cart", "q.pole", "u.cart", "u.pole") and lin.inputs == ("F",)
    assert np.allclose(lin.A[2:, 1], [-m * G / M, (M + m) * G / (M * l)], rtol=1e-14)
    assert np.allclose(lin.B[:, 0], [0, 0, 1 / M, -1 / (M * l)], rtol=1e-14)
    assert np.array_equal(lin.A[:2], np.eye(4)[2:]) and np.array_equal(lin.C, np.eye(4)) and not lin.D.any()
    assert lin.stability == "unstable" and lin.at["q.pole"] == pytest.approx(0)


def test_raw_coordinates_match_finite_differences_in_motion() -> None:
    eq, at = drone().derive(), somewhere(1)
    lin = eq.linearize(at, minimal=False, outputs={"height": "q.body.z*u.body.wx + lag", "push": "thrust*q.arm"})
    f, w = eq.compile("numpy"), np.array([5.0, 0.1, -0.2, 0.05])
    x = np.array([lin.at[n] for n in lin.states])
    assert np.allclose(lin.A, slope(lambda x: f.state_dot(0.0, x, w), x), atol=1e-7)
    assert np.allclose(lin.B, slope(lambda w: f.state_dot(0.0, x, w), w), atol=1e-7)
    assert np.allclose(lin.rate, f.state_dot(0.0, x, w))
    place = {n: k for k, n in enumerate(lin.states)}
    assert lin.C[0, place["q.body.z"]] == lin.at["u.body.wx"] and lin.C[0, place["lag"]] == 1
    assert lin.C[1, place["q.arm"]] == 5.0 and lin.D[1, 0] == 0.4 and not lin.D[0].any()


def test_minimal_states_match_neighbouring_motions() -> None:
    """ξ is the twist from one motion to a neighbouring one; both are integrated on the manifold by a small step
    forwards and backwards, and the twists between them are compared."""
    eq, at = drone().derive(), somewhere(2)
    lin, raw = eq.linearize(at), eq.linearize(at, minimal=False)
    f, w = eq.compile("numpy"), np.array([5.0, 0.1, -0.2, 0.05])
    x, small = np.array([raw.at[n] for n in raw.states]), 1e-4

    def put(x: Array, xi: Array) -> Array:
        return np.concatenate([displace(None, x[:7], xi[:6]), x[7:] + xi[6:]])

    def led(x: Array, h: float) -> Array:
        rate = f.state_dot(0.0, x, w)
        u, along = x[8:15], np.concatenate([x[8:14], rate[7:8], rate[8:]])
        assert u[6] == rate[7]
        return put(x, h * along)

    def apart(x: Array, y: Array) -> Array:
        return np.concatenate([displacement_between(None, x[:7], y[:7]), y[7:] - x[7:]])

    found = np.zeros((15, 15))
    for k, d in enumerate(small * np.eye(15)):
        change = [apart(led(x, h), led(put(x, s * d), h)) * s * np.sign(h) for h in (small, -small) for s in (1, -1)]
        found[:, k] = sum(change) / (4 * small**2)
    assert lin.A.shape == (15, 15) and lin.states[0] == "along.body.wx" and lin.states[6] == "q.arm"
    assert np.allclose(lin.A, found, atol=2e-6)


def sensed(make: Any) -> fb.System:
    """The system with an accelerometer, a rate of speed and a reaction as outputs."""
    s = make()
    body = list(s.bodies.values())[-1]
    s.output("imu", (s.acceleration(body.point((0.1, 0.2, 0.3))) - s.gravity).dot(body.x))
    s.output("rate", f"u_dot.{body.spec.names[1][0]}*q.{body.spec.names[0][0]}")
    s.output("held", s.reaction_force(body))
    return s  # type: ignore[no-any-return]


@pytest.mark.parametrize("minimal", [False, True])
def test_outputs_that_use_accelerations_match_finite_differences(minimal: bool) -> None:
    """C = ∂y/∂x + ∂y/∂u̇ ∂u̇/∂x, and D likewise."""
    eq, at, w = sensed(drone).derive(), somewhere(5), np.array([5.0, 0.1, -0.2, 0.05])
    f, lin, raw = eq.compile("numpy"), eq.linearize(at, minimal=minimal), eq.linearize(at, minimal=False)
    x = np.array([raw.at[n] for n in raw.states])

    def y(x: Array, w: Array) -> Array:
        return np.hstack([np.ravel(v) for v in f.outputs(x[:8], x[8:15], z=x[15:], inputs=w).values()])

    C = slope(lambda x: y(x, w), x)
    if minimal:
        N = slope(lambda u: f.q_dot(x[:8], u), x[8:15])
        C = C @ np.block([[N, np.zeros((8, 8))], [np.zeros((8, 7)), np.eye(8)]])
    size = np.abs(C).max()
    assert np.abs(lin.C - C).max() < 1e-6 * size and np.abs(lin.D - slope(lambda w: y(x, w), w)).max() < 1e-6 * size
    assert {"imu", "rate", "held.x"} <= set(lin.outputs) and np.abs(lin.D).max() > 0.1


@pytest.mark.parametrize("make", [cart_pole, arm, drone, lambda: sensed(cart_pole), lambda: sensed(arm)])
def test_expressions_evaluate_to_the_numeric_matrices(make: Any) -> None:
    eq = make().derive()
    at = somewhere(3) if make is drone else {f"u.{n}": 0.3 for n in eq.u} | {f"q.{n}": 0.7 for n in eq.q}
    if make is arm:
        at |= {"a": 0.4}
    lin, sym = eq.linearize(at), eq.linearize(at | eq.values | dict(_inputs(eq, at)), symbolic=True)
    for name in "ABCD":
        values = np.array([[float(e) for e in row] for row in getattr(sym, name)]).reshape(getattr(lin, name).shape)
        assert np.allclose(values, getattr(lin, name), atol=1e-12)
    assert (sym.states, sym.inputs, sym.outputs) == (lin.states, lin.inputs, lin.outputs)


def _inputs(eq: fb.Equations, at: dict[str, Any]) -> list[tuple[str, float]]:
    return [(n, at.get(n, 0.0)) for n in eq.derivation.layout.inputs] + [("t", 0.0)]


def test_expressions_at_a_partly_known_point_stay_expressions() -> None:
    sym = cart_pole().linearize({"q.pole": 0, "u.pole": 0, "F": 0}, symbolic=True)
    assert sym.A[0, 2] == 1 and sym.A[2, 0] == 0
    value = sym.A[3, 1].subs({"M": 2.0, "m": 0.5, "l": 0.4})
    assert float(value) == pytest.approx(2.5 * G / (2 * 0.4))


def test_tangent_and_coordinate_derivatives_agree() -> None:
    """Derivatives of the recursion along the tangent equal symbolic derivatives by q where q̇ = u, and those to first
    order in small angles."""
    at = {"q.upper": 0.3, "q.lower": 0.5, "u.upper": -1.0, "u.lower": 2.0, "a": 0.4}
    for inputs in (["a", "b"], "tau"):
        one, two = (arm().linearize(at, inputs=inputs, minimal=minimal) for minimal in (True, False))
        assert np.allclose(one.A, two.A, atol=1e-12) and np.allclose(one.B, two.B, atol=1e-12)
    small = cart_pole().derive(small=["pole"]).linearize()
    assert np.allclose(small.A, cart_pole().linearize().A, atol=1e-13)


@pytest.mark.parametrize("formulation", ["crba", "aba", "sayers"])
def test_every_formulation_has_the_same_linearisation(formulation: str) -> None:
    """Also with Euler angles and a universal joint, and with a loop over the bodies."""
    s = fb.System("mixed")
    base = s.body("base", joint=fb.Planar(), mass=1, com=(0.1, 0, 0), inertia=(0.1, 0.1, 0.1))
    fork = s.body("fork", on=base, joint=fb.Universal(), mass=1, com=(0, 0, -0.3), inertia=(0.1, 0.1, 0.1))
    s.body("end", on=fork, joint=fb.Spherical("123"), mass=1, com=(0, 0, -0.3), inertia=(0.1, 0.1, 0.1))
    s.joint_force(fork, s.input("w"), speed="a1")
    one = s.derive()
    at = {f"q.{n}": 0.3 for n in one.q} | {f"u.{n}": 0.2 for n in one.u} | {"w": 0.1}
    wanted, others = one.linearize(at), [s.derive(formulation)]
    others += [s.derive("aba", rolled=True)] if formulation == "aba" else []
    for other in others:
        found = other.linearize(at)
        assert np.allclose(found.A, wanted.A, atol=1e-11) and np.allclose(found.B, wanted.B, atol=1e-11)
    assert {"q.fork.a1", "along.end.wx"} <= set(wanted.states)


def test_systems_without_bodies_are_linearised() -> None:
    s = fb.System("filter")
    s.body("cart", joint=fb.Prismatic("x", motion="sin(t)"), mass=1)
    s.input("w")
    s.state("a", rate="-2*a + w")
    lin = s.linearize(symbolic=False)
    assert lin.A == [[-2.0]] and lin.B == [[1.0]] and lin.states == ("a",) and s.linearize(symbolic=True).A[0, 0] == -2
    assert s.equilibrium(inputs={"w": 3.0}).z == {"a": 1.5} and s.input_output({"y": "a"}).degrees == {"y": 1}
    assert s.accessibility().complete and s.symmetries() == []


def test_generalised_forces_are_inputs() -> None:
    lin = arm().linearize({"q.upper": 0.3, "q.lower": 0.5}, inputs="tau", outputs="tip")
    M = arm().derive().compile("numpy").mass_matrix([0.3, 0.5])
    assert np.allclose(lin.B[2:], np.linalg.inv(M)) and lin.inputs == ("tau.upper", "tau.lower")
    assert lin.outputs == ("tip.x", "tip.y", "tip.z")
    one = arm().linearize({"q.upper": 0.3, "q.lower": 0.5}, inputs=["a", "tau.lower"])
    assert np.allclose(one.B, lin.B)


def test_modes_of_a_damped_oscillator() -> None:
    s = fb.System("oscillator")
    s.body("mass", joint=fb.Prismatic("x", stiffness=50.0, damping=2.0), mass=2.0)
    modes = s.linearize().modes()
    assert len(modes) == 1 and modes[0].frequency == pytest.approx(5.0) and modes[0].damping == pytest.approx(0.1)
    assert modes[0].time == pytest.approx(2.0) and set(modes[0].states) == {"q.mass", "u.mass"}
    assert "-0.5 ± 4.9749j" in str(modes) and "q.mass" in str(modes)


def test_equal_pendulums_are_neither_controllable_nor_observable() -> None:
    lin = twins().linearize(outputs={"sum": "q.left + q.right"})
    for found in (lin.controllability(), lin.observability()):
        assert (found.rank, found.size, found.complete, found.harmless) == (2, 4, False, False)
        assert np.allclose(sorted(h.value.imag for h in found.hidden), [-np.sqrt(G), np.sqrt(G)])
    w = lin.controllability().hidden[0]
    assert np.abs(w.vector.conj() @ lin.B).max() < 1e-12
    assert np.allclose(w.vector @ lin.A, w.value * w.vector)
    assert {"u.left", "u.right"} & set(w.states) and "2 of 4 dimensions are reached" in str(lin.controllability())
    one = twins().linearize(outputs=["q.left"])
    assert one.observability().rank == 2 and not {"q.left", "u.left"} & set(one.observability().hidden[0].states)


def test_zeros_are_finite_generalised_eigenvalues() -> None:
    for s, outputs in ((cart_pole(0.1), ["q.cart"]), (cart_pole(0.1), {"tip": "q.cart + 0.8*sin(q.pole)"})):
        lin = s.linearize(trim=True, outputs=outputs)
        n = len(lin.A)
        P, E = np.block([[lin.A, lin.B], [lin.C, lin.D]]), np.zeros((n + 1, n + 1))
        E[:n, :n] = np.eye(n)
        values = eig(P, E, right=False)
        finite = np.sort_complex(values[np.isfinite(values) & (np.abs(values) < 1e4)])
        assert np.allclose(lin.zeros(), finite, atol=1e-8) and len(finite) == 2
    square = arm().linearize(trim=True, outputs=["q.upper", "q.lower"])
    assert len(square.zeros()) == 0


def test_python_control_agrees() -> None:
    control = pytest.importorskip("control")
    lin = cart_pole(0.1).linearize(trim=True, outputs=["q.cart"])
    ss = lin.to_control()
    assert isinstance(ss, control.StateSpace) and ss.state_labels == ["q_cart", "q_pole", "u_cart", "u_pole"]
    assert np.allclose(np.sort_complex(ss.poles()), np.sort_complex(lin.eigenvalues))
    assert np.allclose(np.sort(ss.zeros().real), np.sort(lin.zeros().real))
    reach = np.linalg.matrix_rank(control.ctrb(ss.A, ss.B))
    assert reach == lin.controllability().rank


def test_without_python_control_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "control", None)
    with pytest.raises(BackendError, match=re.escape(install_command("control"))):
        cart_pole().linearize().to_control()


def test_wrong_points_and_names_are_refused() -> None:
    s = cart_pole()
    with pytest.raises(
        ArgumentError, match=r"at contains 'pole' .*; its names must be some of q.cart, .*F, M, m, l, t"
    ):
        s.linearize({"pole": 0.1})
    with pytest.raises(ArgumentError, match=r"at must be an equilibrium or values by name.*not \[0, 0\]"):
        s.linearize([0, 0])
    with pytest.raises(ArgumentError, match=r"has no coordinate 'pol' \(did you mean 'pole'\?\)"):
        s.linearize({"q.pol": 0.1})
    with pytest.raises(ArgumentError, match=r"no input 'G'; choose from F, tau, tau.cart, tau.pole"):
        s.linearize(inputs=["G"])
    with pytest.raises(ArgumentError, match=r"output 'q.poll'"):
        s.linearize(outputs=["q.poll"])
    with pytest.raises(ArgumentError, match=r"this system has 4 outputs .* and 1 inputs"):
        s.linearize().zeros()
    with pytest.raises(ArgumentError, match="do not depend on all inputs independently"):
        twins().linearize(outputs={"gap": "q.left - q.right"}).zeros()


def test_large_systems_have_no_expressions() -> None:
    s, on = fb.System("chain"), None
    for k in range(33):
        on = s.body(f"b{k}", on=on, at=(0, 0, -0.1 if k else 0), joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.1))
    with pytest.raises(ArgumentError, match="33 speeds are too many: M⁻¹ as expressions"):
        s.linearize(symbolic=True)


# Ranks of the nonlinear system


def test_body_with_distinct_moments_is_accessible_by_two_torques() -> None:
    """The third axis is not controllable in the linearisation; Lie brackets reach it, unless two moments are equal."""
    s = turner((1.0, 2.0, 3.0))
    assert s.linearize().controllability().rank == 4
    found = s.accessibility()
    assert found.complete and found.growth[0] == 2 and found.depth <= 5 and "6 of 6" in str(found)
    even = turner((1.0, 1.0, 1.5)).accessibility(depth=4)
    assert even.rank == 5 and even.missing == (("u.body.wz",),) and not even.cut


def test_too_large_lie_algebras_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("freebody.analysis.lie.NODES", 200)
    found = turner((1.0, 2.0, 3.0)).accessibility()
    assert found.cut and found.rank < 6 and "cut: too large" in str(found)


def test_observability_of_a_squared_coordinate() -> None:
    """y = q² has no gradient at q = 0, but its rates have one while it moves."""
    s = fb.System("pendulum")
    s.joint_force(s.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1)), s.input("w"))
    outputs = {"y": "q.arm**2"}
    moving, resting = ({"u.arm": u} for u in (1.0, 0.0))
    assert s.linearize(moving, outputs=outputs).observability().rank == 0
    assert s.observability(moving, outputs=outputs).complete
    assert s.observability(resting, outputs=outputs, depth=3).members == ("L_g.w L_f y", "L_g.w L_f L_f y")
    still = s.observability(resting, outputs=outputs, inputs=[], depth=3)
    assert still.rank == 0 and still.missing == (("q.arm",), ("u.arm",)) and "not  q.arm" in str(still)


def test_accessibility_needs_inputs_that_enter_linearly() -> None:
    s = fb.System("squared")
    s.joint_force(s.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1)), s.input("w") ** 2)
    with pytest.raises(ArgumentError, match="ẋ is not linear in input 'w'; insert an extra state before it"):
        s.accessibility()
    with pytest.raises(ArgumentError, match=r"no inputs are chosen"):
        elastic().accessibility(inputs=[])


def unicycle() -> fb.System:
    """A steered wheel: it turns about z and rolls along its own x, not sideways."""
    s = fb.System("unicycle", gravity=(0, 0, 0))
    rolls = fb.Simple(
        [[0, 0], [0, 0], [1, 0], [0, 1], [0, 0], [0, 0]],
        holonomic=False,
        coordinates=("turn", "x", "y"),
        speeds=("w", "v"),
    )
    s.body("a", joint=rolls, mass=1.0, inertia=(1, 1, 1))
    return s


@pytest.mark.parametrize("symbolic", [False, True])
def test_unicycle_linearisation_couples_heading_and_position(symbolic: bool) -> None:
    """ẏ = v δθ: the speeds have no component along y, but the heading changes y over time."""
    lin = unicycle().linearize(at={"q.a": [0, 0, 0], "u.a": [0, 2.0]}, inputs="tau", symbolic=symbolic)
    assert lin.states == ("q.a.turn", "q.a.x", "q.a.y", "u.a.w", "u.a.v")
    wanted = np.zeros((5, 5))
    wanted[0, 3], wanted[1, 4], wanted[2, 0] = 1, 1, 2.0
    assert np.allclose(np.vectorize(lambda x: float(str(x)))(lin.A), wanted)


def test_unicycle_is_accessible() -> None:
    s, at = unicycle(), {"u.a": [0, 2.0]}
    lin = s.linearize(at=at, inputs="tau", outputs={"y": "q.a.y"})
    assert lin.controllability().complete and lin.observability().rank == 3
    assert s.accessibility(at, inputs="tau").size == 5 == s.accessibility(at, inputs="tau").rank
    seen = s.observability(at, outputs=["q.a.turn", "u.a.v"], inputs="tau")
    assert (seen.rank, seen.size) == (3, 5)
    assert s.input_output({"y": "q.a.y"}, inputs="tau.a.w").internal == 2


def test_systems_without_freedoms_are_linearised() -> None:
    s = fb.System("stone")
    s.body("b", joint=fb.Weld(), mass=1.0)
    assert s.linearize().A.shape == (0, 0) and s.equilibrium().isolated


def test_singular_mass_matrices_and_wrong_counts_are_refused() -> None:
    s = cart_pole()
    with pytest.raises(ArgumentError, match="the mass matrix is singular"):
        s.equilibrium(parameters={"l": 0.0})
    with pytest.raises(ArgumentError, match="from 1 to 1000000, not 0"):
        s.equilibria(starts=0)
    with pytest.raises(ArgumentError, match="0 or more, not -1"):
        s.accessibility(depth=-1)


def test_one_sided_limits_leave_random_starts_free() -> None:
    s = fb.System("pendulum")
    s.body("b", joint=fb.Revolute("y", limits=(None, 1)), mass=1.0, com=(0, 0, -1))
    assert len(s.equilibria()) == 2


def test_gains_of_the_size_of_rounding_are_zero() -> None:
    found = cart_pole().input_output({"a": "q.pole"}).at({"q.pole": np.pi / 2})
    assert found.singular and "derivative 2 of output 'a'" in found.why


def test_negative_masses_are_named() -> None:
    s = fb.System("arm")
    m = s.parameter("m", 1.0)
    s.body("a", joint=fb.Revolute("y"), mass=m, com=(0, 0, -1))
    for act in (s.linearize, s.equilibrium):
        with pytest.raises(ArgumentError, match=r"with these parameters the mass of 'a' is -1; it cannot be"):
            act(parameters={"m": -1})
