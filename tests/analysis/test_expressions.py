"""Entries of the equations of motion in laws: by name in texts, and as arrays of expressions."""

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from examples.robots import ur5
from freebody.errors import ArgumentError, FreebodyError, GraphError
from freebody.program.count import count
from freebody.program.stage import stage
from freebody.run.build import run_programs
from freebody.scalar.walk import float_function

POINT = (0.02, -0.05, 0.1)


def arm() -> fb.System:
    """A UR5 with a motor at each joint, with outputs at its hand."""
    s = ur5.system()
    for name in list(s.bodies):
        s.joint_force(name, s.input(f"motor.{name}", unit="N·m"), name=f"drive.{name}")
    hand = s.bodies["wrist_3"]
    s.output("tip", s.position(hand.point(POINT)))
    s.output("tip_velocity", s.velocity(hand.point(POINT)))
    s.output("turning", s.angular_velocity(hand))
    return s


def numbers(array: Any, values: Mapping[str, float]) -> np.ndarray:
    """The values of expressions where symbols have values by name."""
    exprs = np.asarray(array, object)
    g = next(x.graph for x in exprs.flat)
    known = {h: values[s.name] for s in g.symbols if (h := g.named(s.name)) is not None and s.name in values}
    return np.array(float_function(g, [x.handle for x in exprs.flat])(known)).reshape(exprs.shape)


def state(eq: fb.Equations, seed: int = 3) -> tuple[np.ndarray, np.ndarray, dict[str, float]]:
    random = np.random.default_rng(seed)
    q, u = random.uniform(-1.5, 1.5, len(eq.q)), random.normal(size=len(eq.u))
    named = {f"q.{n}": x for n, x in zip(eq.q, q, strict=True)} | {f"u.{n}": x for n, x in zip(eq.u, u, strict=True)}
    return q, u, {**named, **eq.values, "t": 0.0}


def law_by_texts(names: list[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """Computed torque."""
    return {f"motor.{n}": " + ".join(f"mass({n}, {k})*({wanted[k]})" for k in names) + f" - bias({n})" for n in names}


def test_arrays_are_the_compiled_quantities() -> None:
    s = arm()
    X, eq = s.expressions(), s.derive()
    f, (q, u, values) = eq.compile("numpy"), state(eq)
    assert X.speeds == eq.u and np.allclose(numbers(X.M, values), f.mass_matrix(q), rtol=1e-12)
    assert np.allclose(numbers(X.bias, values), f.bias(q, u), rtol=1e-12, atol=1e-12)
    assert np.allclose(numbers(X.gravity, values), f.bias(q, 0 * u), atol=1e-12)
    assert np.allclose(numbers(X.C, values), f.coriolis(q, u), atol=1e-12)
    assert np.array_equal(numbers(X.force_matrix, values), np.eye(6))
    J, J_dot = X.jacobian("wrist_3", POINT), X.jacobian_rate("wrist_3", POINT)
    assert np.allclose(numbers(J, values), f.jacobian(q, "wrist_3", POINT), atol=1e-13)
    assert np.allclose(numbers(J_dot, values), f.jacobian_rate(q, u, "wrist_3", POINT), atol=1e-13)
    (R, p), pose = X.pose("wrist_3", POINT), f.pose(q, "wrist_3", at=POINT)
    assert np.allclose(numbers(R, values), pose.R) and np.allclose(numbers(p, values), pose.p)
    assert np.allclose(numbers([X.rate(x) for x in p], values), numbers(J[3:] @ X.u, values), atol=1e-13)


def test_the_regressor_of_reference_speeds_has_christoffels_symbols() -> None:
    s = arm()
    X, eq = s.expressions(), s.derive()
    _, _, values = state(eq)
    random = np.random.default_rng(1)
    v, v_dot, pi = random.normal(size=6), random.normal(size=6), eq.inertial_parameters().values
    Y = numbers(X.regressor()(list(v), list(v_dot)), values)
    tau = numbers(X.M, values) @ v_dot + numbers(X.C, values) @ v - numbers(X.gravity, values)
    assert np.allclose(Y @ pi, tau, rtol=1e-12, atol=1e-11)
    same = numbers(X.regressor()(list(X.u), list(v_dot)), values)
    f = eq.compile("numpy")
    q, u, _ = state(eq)
    assert np.allclose(same, f.regressor(q, u, v_dot), atol=1e-12)
    free = fb.System("free")
    free.body("b", joint=fb.Free(), mass=1.0, inertia=(1, 1, 1))
    with pytest.raises(ArgumentError, match="speeds are the rates of their coordinates"):
        free.expressions().regressor()


def test_names_in_texts_are_the_compiled_quantities() -> None:
    """As outputs, at a state; of a free body with a quaternion, jacobian() of a position is that of its velocity."""
    s = arm()
    s.output("entry", "mass(forearm, upper_arm)")
    s.output("forces", "bias(upper_arm) + 1000*gravity(forearm)")
    s.output(
        "slope",
        "jacobian(tip.x, forearm) + 10*jacobian(tip_velocity.z, u.upper_arm) + 100*jacobian(turning.y, forearm)",
    )
    eq = s.derive()
    f, (q, u, _) = eq.compile(), state(eq)
    found, J, names = f.outputs(q, u), f.jacobian(q, "wrist_3", POINT), list(eq.u)
    up, fore = names.index("upper_arm"), names.index("forearm")
    assert found["entry"] == pytest.approx(f.mass_matrix(q)[fore, up], rel=1e-13)
    assert found["forces"] == pytest.approx(f.bias(q, u)[up] + 1000 * f.bias(q, 0 * u)[fore], rel=1e-12)
    assert found["slope"] == pytest.approx(J[3, fore] + 10 * J[5, up] + 100 * J[1, fore], rel=1e-12)
    free = fb.System("free")
    body = free.body("b", joint=fb.Free(), mass=1.0, inertia=(1, 2, 3))
    free.output("p", free.position(body.point((0.3, 0.2, 0.1))))
    free.output("slope", "jacobian(p.x, b.wy) + 10*jacobian(p.z, b.vx)")
    f = free.derive().compile()
    q = np.array([1, 2, 3, *(np.array([0.5, -0.4, 0.3, 0.7]) / np.linalg.norm([0.5, -0.4, 0.3, 0.7]))])
    J = f.jacobian(q, "b", (0.3, 0.2, 0.1))
    assert f.outputs(q, np.zeros(6))["slope"] == pytest.approx(J[3, 1] + 10 * J[5, 3], rel=1e-12)


def test_computed_torque_decays_as_designed_in_runs_sweeps_and_simulators() -> None:
    """Each joint's error is that of a double pole; texts and arrays give programs of equal length, which are short."""
    s = arm()
    names, goal = list(s.bodies), dict(zip(s.bodies, (0.5, -1.0, 1.2, -0.4, 0.3, 0.2), strict=True))
    law = law_by_texts(names, {n: f"-9*(q.{n} - {goal[n]}) - 6*u.{n}" for n in names})
    X, k = s.expressions(), np.array([goal[n] for n in names])
    arrays = X.M @ (-9 * (X.q - k) - 6 * X.u) - X.bias
    e = s.derive().derivation

    def cost(inputs: Mapping[str, Any]) -> int:
        return count(stage(run_programs(e, inputs).state_dot()).main).total

    own, in_array = cost(law), cost(dict(zip(s.inputs, arrays, strict=True)))
    free = cost(dict.fromkeys(s.inputs, 0.0))
    assert own == in_array and own - free < 150  # measured: 84 more than 607
    start = {"upper_arm": -0.3, "forearm": 0.4}
    exact = {n: (start.get(n, 0.0) - goal[n]) * np.exp(-3 * 2.0) * (1 + 3 * 2.0) for n in names}
    runs = [s.simulate(2.0, q=start, inputs=law), s.simulate(2.0, q=start, inputs=list(arrays))]
    for run in runs:
        assert all(run[f"q.{n}"][-1] - goal[n] == pytest.approx(exact[n], abs=1e-7) for n in names)
    cases = s.sweep(2.0, {"q.upper_arm": [-0.3, 0.1, 0.5]}, q={"forearm": 0.4}, inputs=law)
    assert np.allclose(cases["q.upper_arm"].sel({"q.upper_arm.initial": -0.3})[-1], run["q.upper_arm"][-1], atol=1e-8)
    sim = s.simulator(q=start, inputs=law)
    sim.run_to(2.0)
    assert sim["q.upper_arm"] == pytest.approx(runs[0]["q.upper_arm"][-1], abs=1e-8)


def test_gravity_compensation_holds_an_arm_where_it_is() -> None:
    s = arm()
    law = {f"motor.{n}": f"-gravity({n})" for n in s.bodies}
    run = s.simulate(3.0, q={"upper_arm": -0.7, "forearm": 0.9}, inputs=law)
    assert run["q.upper_arm"][-1] == pytest.approx(-0.7, abs=1e-9) and abs(run["u.forearm"][-1]) < 1e-9


def test_impedance_in_operational_space() -> None:
    """J.T @ F moves the tip as a mass on a spring: with Λ from J M⁻¹ Jᵀ would be exact; the rest is statics: a load at
    the tip displaces it by F/k."""
    s = arm()
    load = s.input("load", unit="N")
    hand = s.bodies["wrist_3"]
    s.force(s.ground.vector((0, 0, -load)), at=hand.point(POINT))
    X, start = s.expressions(), dict(zip(s.bodies, (0.1, -1.2, 1.5, 0.2, 0.3, 0.0), strict=True))
    p0 = s.derive().compile("numpy").pose([*start.values()], "wrist_3", at=POINT).p
    J, (_, p) = X.jacobian("wrist_3", POINT), X.pose("wrist_3", POINT)
    F = -2000 * (p - p0) - 400 * (J[3:] @ X.u)
    tau = J[3:].T @ F - X.gravity - 20 * X.u
    run = s.simulate(6.0, q=start, inputs={**dict(zip(s.inputs, tau, strict=False)), "load": 30.0})
    assert run["tip"][-1] == pytest.approx(p0 - [0, 0, 30 / 2000], abs=1e-5)
    texts = {
        f"motor.{n}": " + ".join(
            f"jacobian(tip.{c}, {n})*(-2000*(tip.{c} - {float(x)!r}) - 400*tip_velocity.{c})"
            for c, x in zip("xyz", p0, strict=True)
        )
        + f" - gravity({n}) - 20*u.{n}"
        for n in s.bodies
    }
    other = s.simulate(6.0, q=start, inputs={**texts, "load": 30.0})
    assert other["tip"][-1] == pytest.approx(run["tip"][-1], abs=1e-8)


def test_expressions_of_a_system_and_of_its_equations_combine() -> None:
    s = arm()
    k = s.parameter("k", 3.0)
    first, X = s.expressions(), s.expressions()
    for mixed in (k * X.M[0, 0], X.M[0, 0] * k, first.M[0, 0] * k):
        assert str(mixed.diff(k)) == str(X.M[0, 0])
    assert (X.M[1, 1] + "sin(t)").diff("t") == (X.M[1, 1] * 0 + "cos(t)")
    other = arm().expressions()
    with pytest.raises(GraphError, match="belong to different graphs"):
        other.M[0, 0] + k
    eq = s.derive()
    (_, _, values), h = state(eq), 1e-6
    slope = numbers([X.M[1, 1].diff("q.forearm")], values)[0]
    ends = [numbers([X.M[1, 1]], values | {"q.forearm": values["q.forearm"] + d})[0] for d in (h, -h)]
    assert slope == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-8)
    before = eq.to_text("mass_matrix")
    assert s.derive().to_text("mass_matrix") == before and pickle.loads(pickle.dumps(s)).digest() == s.digest()
    assert repr(X) == "<expressions of UR5: 6 speeds>" or "6 speeds" in repr(X)


def test_files_keep_names(tmp_path: Path) -> None:
    s = arm()
    s.output("entry", "mass(forearm, upper_arm)/gravity(forearm)")
    path = s.save(tmp_path / "arm.yaml")
    assert "mass(forearm, upper_arm)/gravity(forearm)" in path.read_text()
    assert fb.load(path).digest() == s.digest()


def test_names_of_entries_are_checked() -> None:
    s = arm()
    others = {f"motor.{n}": 0.0 for n in s.bodies}
    for text, message in (
        ("mass(forearm)", r"mass\(…\) takes two speeds, not forearm"),
        ("mass(forearm, elbow)", "'elbow' is not a speed; choose from shoulder"),
        ("jacobian(foo, forearm)", "there is no scalar output 'foo'; choose from tip.x"),
        ("jacobian(tip, forearm)", "there is no scalar output 'tip'; choose from tip.x"),
        ("gravity(3)", "takes names, '3' is none"),
        ("gravity(forearm", "takes names with commas between"),
        ("gravity()", "takes names"),
    ):
        with pytest.raises(FreebodyError, match=message):
            s.simulate(1.0, inputs={**others, "motor.forearm": text})
    with pytest.raises(FreebodyError, match="known only after the equations have been derived"):
        s.joint_force("forearm", "gravity(forearm)", name="again")
    s.output("slope", "jacobian(tip.x, forearm)")
    with pytest.raises(FreebodyError, match="depends on accelerations, or on entries of the equations"):
        s.simulate(1.0, inputs={**others, "motor.forearm": "jacobian(slope, forearm)"})
    with pytest.raises(FreebodyError, match="whose derivative is not known here"):
        s.scalar("2*mass(forearm, forearm)", "a text", accelerations=True).diff("q.forearm")
    with pytest.raises(FreebodyError, match="there is no symbol of this name"):
        s.scalar("q.forearm**2", "a text").diff("q.elbow")


def test_a_parameter_may_have_the_name_of_such_a_function() -> None:
    s = fb.System("slider")
    mass = s.parameter("mass", 2.0)
    s.joint_force(s.body("cart", joint=fb.Prismatic("z"), mass=mass), s.input("F"))
    run = s.simulate(1.0, u={"cart": 0.3}, inputs={"F": "mass(cart, cart)*9.81 + 0*mass"})
    assert abs(run["u.cart"][-1] - 0.3) < 1e-12
    with pytest.raises(FreebodyError, match=r"takes names, '2' is none; to multiply by 'mass', write \*"):
        s.simulate(1.0, inputs={"F": "mass(2)"})


def test_long_chains_whose_equations_are_loops_have_entries_too() -> None:
    """Gravity compensation of the joints of a chain of 40 bodies."""
    s, on = fb.System("chain"), None
    for k in range(40):
        on = s.body(f"b{k}", on=on, at=(0, 0, 0.1 * bool(k)), joint=fb.Revolute("y"), mass=1.0, com=(0, 0, 0.05))
        s.joint_force(on, s.input(f"m{k}"))
    run = s.simulate(0.2, q={"b0": 0.4, "b9": -0.7}, inputs={f"m{k}": f"-gravity(b{k})" for k in range(40)})
    assert run["q.b9"][-1] == pytest.approx(-0.7, abs=1e-9) and abs(run["u.b0"][-1]) < 1e-9
