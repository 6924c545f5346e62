"""Gains from quadratic costs, sampled linear systems, and laws from gains: eigenvalues of the nonlinear system under a
law are those of A − B K, also with quaternions and loops."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.linalg import expm, solve_continuous_are, solve_discrete_are

import freebody as fb
from freebody.errors import ArgumentError

control = pytest.importorskip("control")
TILT = -np.arcsin(0.3 * np.sin(1.4))
"""The slope of the slider-crank's rod where the crank is at 1.4 rad."""


def cart_pole(force: str | None = None) -> fb.System:
    s = fb.System("cart-pole")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.body("pole", on=cart, joint=fb.Revolute("y", damping=0.01), mass=0.2, com=(0, 0, 0.5))
    s.joint_force(cart, s.input("F", unit="N") if force is None else force)
    return s


def hovering(laws: dict[str, str] | None = None) -> fb.System:
    """A body with a thrust along its axis and three torques, as a quadrotor."""
    s = fb.System("quadrotor")
    names = ("thrust", "tx", "ty", "tz")
    w = laws or {name: s.input(name) for name in names}
    body = s.body("b", joint=fb.Free(), mass=1.2, inertia=(0.01, 0.012, 0.02))
    s.force(body.vector((0, 0, w["thrust"])), at=body.point((0, 0, 0)))
    s.torque(body.vector((w["tx"], w["ty"], w["tz"])), on=body)
    return s


def slider_crank(motor: str | None = None) -> fb.System:
    s = fb.System("slider-crank")
    arm = s.body("crank", joint=fb.Revolute("y"), mass=1, com=(0.15, 0, 0), inertia=(0, 0.0075, 0.0075))
    joint = fb.Revolute("y")
    rod = s.body("rod", on=arm, at=(0.3, 0, 0), joint=joint, mass=2, com=(0.5, 0, 0), inertia=(0, 1 / 6, 1 / 6))
    slider = s.body("slider", joint=fb.Prismatic("x"), mass=3)
    s.close(rod.point((1, 0, 0)), slider, joint=fb.Revolute("y"), name="pin")
    s.joint_force(arm, s.input("motor") if motor is None else motor)
    return s


def sorted_values(values: np.ndarray) -> np.ndarray:
    return np.array(sorted(values, key=lambda x: (round(x.real, 6), round(x.imag, 6))))


def test_gains_are_those_of_python_control_and_solve_riccati() -> None:
    s = cart_pole()
    lin = s.linearize(at=s.equilibrium(q={"pole": 0.1}))
    Q, R, T = np.diag([100.0, 25.0, 1.0, 4.0]), np.array([[0.04]]), 0.02
    K = fb.lqr(lin, fb.bryson({"q.cart": 0.1, "q.pole": 0.2, "u.cart": 1, "u.pole": 0.5}), fb.bryson({"F": 5}))
    assert np.allclose(K, control.lqr(lin.A, lin.B, Q, R)[0], rtol=1e-12)
    assert np.allclose(K, np.linalg.solve(R, lin.B.T @ solve_continuous_are(lin.A, lin.B, Q, R)), rtol=1e-12)
    assert np.allclose(fb.lqr(lin, [100, 25, 1, 4], 0.04), K, rtol=1e-14)
    sampled = lin.discretize(T)
    assert np.allclose(fb.lqr(sampled, Q, R), control.dlqr(sampled.A, sampled.B, Q, R)[0], rtol=1e-10)

    C, process, noise = np.eye(4)[:2], np.diag([0, 0, 0.1, 0.2]), np.diag([1e-4, 2e-4])
    measured = s.linearize(at=s.equilibrium(q={"pole": 0.1}), outputs=["q.cart", "q.pole"])
    assert np.array_equal(measured.C, C)
    L = fb.lqe(measured, {"u.cart": 0.1, "u.pole": 0.2}, [1e-4, 2e-4])
    assert np.allclose(L, control.lqe(lin.A, np.eye(4), C, process, noise)[0], rtol=1e-10)
    through = fb.lqe(measured, {"F": 0.3}, noise)
    assert np.allclose(through, control.lqe(lin.A, lin.B, C, [[0.3]], noise)[0], rtol=1e-10)
    P = solve_discrete_are(sampled.A.T, C.T, process, noise)
    exact = sampled.A @ P @ C.T @ np.linalg.inv(noise + C @ P @ C.T)
    assert np.allclose(fb.lqe(measured.discretize(T), process, noise), exact, rtol=1e-10)


def test_gains_for_a_period_minimise_the_continuous_cost() -> None:
    """Against the cost integrated in small steps, and against the continuous gains for a short period."""
    s = cart_pole()
    lin = s.linearize(at=s.equilibrium(q={"pole": 0.1}), outputs=["q.cart", "q.pole"])
    Q, R, T, parts = np.diag([10.0, 30.0, 1.0, 2.0]), np.array([[0.1]]), 0.1, 20000
    n, F = 4, np.vstack([np.hstack([lin.A, lin.B]), np.zeros((1, 5))])
    h, total, E = T / parts, np.zeros((5, 5)), np.eye(5)
    step, whole = expm(F * h), np.block([[Q, np.zeros((4, 1))], [np.zeros((1, 4)), R]])
    half = expm(F * h / 2)
    for _ in range(parts):  # Simpson's rule
        middle, end = E @ half, E @ step
        total += h / 6 * (E.T @ whole @ E + 4 * middle.T @ whole @ middle + end.T @ whole @ end)
        E = end
    A, B = E[:n, :n], E[:n, n:]
    q, r, cross = total[:n, :n], total[n:, n:], total[:n, n:]
    S = solve_discrete_are(A, B, q, r, s=cross)
    exact = np.linalg.solve(r + B.T @ S @ B, B.T @ S @ A + cross.T)
    assert np.allclose(fb.lqr(lin, Q, R, period=T), exact, rtol=1e-8)
    assert np.allclose(fb.lqr(lin, Q, R, period=1e-5), fb.lqr(lin, Q, R), rtol=1e-3)
    short = fb.lqe(lin, {"F": 1.0}, 1e-4, period=1e-5) / 1e-5
    assert np.allclose(short, fb.lqe(lin, {"F": 1.0}, 1e-4), rtol=1e-3)


def test_sampled_systems_are_exact() -> None:
    """Of a double integrator and of a stiff system; python-control's; eigenvalues are exp(λT)."""
    s = fb.System("mass")
    s.joint_force(s.body("cart", joint=fb.Prismatic("x"), mass=2.0), s.input("F"))
    d = s.linearize().discretize(0.1)
    assert np.allclose(d.A, [[1, 0.1], [0, 1]], atol=1e-16) and np.allclose(d.B, [[0.0025], [0.05]], atol=1e-16)
    assert d.stability == "undecided" and d.controllability().complete and "0.1 s" in repr(d)
    lin = cart_pole().linearize(at={"q.pole": np.pi}, outputs=["q.cart", "q.pole"])
    d = lin.discretize(0.03)
    theirs = control.c2d(lin.to_control(), 0.03, "zoh")
    assert np.allclose(d.A, theirs.A, atol=1e-14) and np.allclose(d.B, theirs.B, atol=1e-14)
    assert np.allclose(sorted_values(d.eigenvalues), sorted_values(np.exp(lin.eigenvalues * 0.03)), atol=1e-7)
    assert d.to_control().dt == 0.03
    w = np.array([0.3, 5.0, 40.0])
    assert np.allclose(d.frequency_response(w)[:, 0, 0], control.frequency_response(d.to_control(), w).frdata[0, 0])


@pytest.mark.parametrize(
    ("make", "start", "bent"),
    [
        (cart_pole, {"q": {"pole": 0.1}}, {"cart": 0.4, "pole": 0.25}),
        (hovering, {"inputs": {"thrust": 1.2 * 9.81}}, {"b.x": 1.0, "b.qw": np.cos(0.6), "b.qy": np.sin(0.6)}),
        (
            slider_crank,
            {"q": {"crank": 0.9}, "free": ["motor"], "hold": "crank"},
            {"crank": 1.4, "rod": TILT - 1.4, "slider": 0.3 * np.cos(1.4) + np.cos(TILT)},
        ),
    ],
)
def test_the_system_under_a_law_has_the_eigenvalues_of_the_design(
    make: Callable[..., fb.System], start: dict, bent: dict
) -> None:
    """The law stands in the model in place of the inputs, so that its linearisation is that of the closed loop; a run
    from far away converges to the point."""
    s = make()
    point = s.equilibrium(**start)
    lin = s.linearize(at=point)
    K = fb.lqr(lin, 1.0, 0.1)
    law, wanted = lin.feedback(K), lin.closed_loop(K)
    if make is hovering:
        closed = hovering(law)
    else:
        closed = make(next(iter(law.values())))
    own = closed.linearize(at={f"q.{n}": v for n, v in point.q.items()})
    assert own.states == lin.states
    assert np.allclose(own.A, wanted.A, atol=1e-9 * np.abs(wanted.A).max())
    assert wanted.stability == "stable" and np.allclose(
        sorted_values(own.eigenvalues), sorted_values(wanted.eigenvalues), atol=1e-6
    )
    run = s.simulate(12.0, q=bent, inputs=law)
    for name in [n for n in lin.states if n.startswith("q.")] or ["q.b.x", "q.b.y", "q.b.qx", "q.b.qy"]:
        assert run[name][-1] == pytest.approx(lin.at[name], abs=2e-3), name


def test_a_law_at_a_turned_point_uses_rotation_vectors() -> None:
    """Of a body turned by a large angle: the torque is −k θ for the rotation vector θ from the point, for a
    quaternion and its negative."""
    from scipy.spatial.transform import Rotation

    s = fb.System("ball")
    torque = [s.input(f"t{c}") for c in "xyz"]
    body = s.body("b", joint=fb.Spherical(), mass=1.0, inertia=(0.1, 0.2, 0.3))
    s.torque(body.vector(tuple(torque)), on=body)
    start = Rotation.from_rotvec([0.4, -1.2, 0.7])
    w, x, y, z = start.as_quat()[[3, 0, 1, 2]]
    at = {"q.b.qw": w, "q.b.qx": x, "q.b.qy": y, "q.b.qz": z}
    lin = s.linearize(at=at)
    G = np.array([[2.0, 0.3, 0], [0, 3.0, 0], [0.1, 0, 4.0]])
    K = np.hstack([G, np.diag([0.5, 0.5, 0.5])])
    eq, law = s.derive(), lin.feedback(K)
    for vector in ([1e-9, 0, 0], [0.3, -0.2, 0.9], [2.0, 1.5, 0.5]):
        q = (start * Rotation.from_rotvec(vector)).as_quat()[[3, 0, 1, 2]]
        for sign in (1, -1):
            run = eq.simulate([0.0, 1e-9], q=dict(zip(eq.q, sign * q, strict=True)), inputs=law)
            found = np.array([run[f"input.t{c}"][0] for c in "xyz"])
            assert np.allclose(found, -G @ vector, rtol=1e-7, atol=1e-15)


def test_references_move_the_point() -> None:
    """A cart follows a slow path; an orientation is held that is not that of the linearisation."""
    s = cart_pole()
    lin = s.linearize(at=s.equilibrium(q={"pole": 0.1}))
    K = fb.lqr(lin, [100, 10, 1, 1], 0.1)
    law = lin.feedback(K, reference={"q.cart": "0.5*sin(0.2*t)", "u.cart": "0.1*cos(0.2*t)"})
    run = s.simulate(40.0, inputs=law)
    assert np.abs(run["q.cart"] - 0.5 * np.sin(0.2 * run.t))[run.t > 10].max() < 0.02
    h = hovering()
    hover = h.linearize(at=h.equilibrium(inputs={"thrust": 1.2 * 9.81}))
    yaw = {"q.b.qw": np.cos(0.25), "q.b.qx": 0, "q.b.qy": 0, "q.b.qz": np.sin(0.25), "q.b.z": 2.0}
    run = h.simulate(12.0, inputs=hover.feedback(fb.lqr(hover, 1.0, 0.1), reference=yaw))
    assert run["q.b.qz"][-1] == pytest.approx(np.sin(0.25), abs=1e-4) and run["q.b.z"][-1] == pytest.approx(2, abs=1e-3)
    with pytest.raises(ArgumentError, match=r"'q.b.qw' is part of a quaternion; give all of q.b.qw, q.b.qx"):
        hover.feedback(np.zeros((4, 12)), reference={"q.b.qw": 1})
    with pytest.raises(ArgumentError, match=r"'along.b.wx' is neither .* name these"):
        hover.feedback(np.zeros((4, 12)), reference={"along.b.wx": 1})


def test_hidden_modes_are_named() -> None:
    s = fb.System("two carts")
    s.joint_force(s.body("near", joint=fb.Prismatic("x"), mass=1.0), s.input("F"))
    s.body("far", joint=fb.Prismatic("x"), mass=1.0)
    lin = s.linearize(outputs=["q.near"])
    with pytest.raises(ArgumentError, match=r"lqr: this system cannot be stabilised, .*far.* inputs \(F\)"):
        fb.lqr(lin, 1.0, 1.0)
    with pytest.raises(ArgumentError, match=r"lqe: this system cannot be estimated, .*far.* outputs \(q.near\)"):
        fb.lqe(lin, 1.0, 1.0)
    with pytest.raises(ArgumentError, match="lqr: this system cannot be stabilised"):
        fb.lqr(lin.discretize(0.1), 1.0, 1.0)
    pole = cart_pole().linearize(at={"q.pole": 0.0})
    with pytest.raises(ArgumentError, match=r"Q gives no weights to the mode.*q.cart"):
        fb.lqr(pole, {"q.pole": 1}, 1.0)
    h = hovering()
    raw = h.linearize(at=h.equilibrium(inputs={"thrust": 1.2 * 9.81}), minimal=False)
    with pytest.raises(ArgumentError, match=r"linearize\(minimal=True\)"):
        fb.lqr(raw, 1.0, 1.0)


def test_wrong_gains_and_weights_are_refused() -> None:
    s = cart_pole()
    lin = s.linearize(at={"q.pole": 0.0})
    for make, text in (
        (lambda: lin.feedback([[1, 2]]), r"K has shape \(1, 2\), and this linear system needs \(1, 4\)"),
        (lambda: fb.lqr(lin, {"q.cat": 1}, 1), "lqr: Q has no state 'q.cat'"),
        (lambda: fb.lqr(lin, [1, 2, 3], 1), r"lqr: Q has shape \(3,\): give 4 numbers"),
        (lambda: fb.lqr(lin, -1.0, 1), "all must be positive or zero"),
        (lambda: fb.lqr(lin, 1.0, 0.0), "all must be positive"),
        (lambda: fb.lqr(lin, np.triu(np.ones((4, 4))), 1), "not symmetric"),
        (lambda: fb.lqr(lin, 1.0, 1.0, period=-1), "time in seconds above 0"),
        (lambda: fb.lqr(lin.discretize(0.1), 1.0, 1.0, period=0.1), "is sampled already"),
        (lambda: fb.bryson({"q.cart": 0}), "must be positive"),
    ):
        with pytest.raises(ArgumentError, match=text):
            make()
    forces = fb.System("arm")
    forces.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, 1.0))
    tau = forces.linearize(at={"q.arm": 0.0})
    with pytest.raises(ArgumentError, match=r"s.joint_force\('arm', s.input\('motor'\)\)"):
        tau.feedback(fb.lqr(tau, 1.0, 1.0))
    s = fb.System("swing")
    s.joint_force(s.body("a", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1.0)), s.input("motor"))
    period = 2 * np.pi / np.sqrt(9.81)
    with pytest.raises(ArgumentError, match=r"It is sampled each 2.00607 s.*look alike"):
        fb.lqr(s.linearize(), 1.0, 1.0, period=period)
