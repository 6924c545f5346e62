"""Joints whose motion follows inputs with rates, filters of inputs, and smooth tables, equal joints with the same
motion written as a function of t: in every formulation, by every solver, in loops over bodies, in runs, sweeps and
simulators, in the tree and where they close loops."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import freebody as fb
from freebody.errors import ArgumentError, FieldError, FreebodyError, ModelError
from freebody.formulations.table import FORMULATIONS, SOLVERS
from tests.model.test_prescribed_joints import CASES, CLOSING, SOLID, T, machine, state

LAW = "0.3*sin(2*t) + 0.1*t**2"
EXACT = {"rtol": 1e-12, "atol": 1e-13, "method": "dop853"}


def derivatives(law: str) -> list[float]:
    """The value, rate and acceleration of a law at T."""
    t = sympy.Symbol("t")
    value = sympy.sympify(law, {"t": t})
    return [float(sympy.diff(value, t, k).subs(t, T)) for k in range(3)]


def moved_by(joint: Any, motion: list[str]) -> Any:
    """A joint of the same kind with another motion."""
    fields = {f: v for f, v in vars(joint).items() if f not in ("motion", "parts", "coordinates", "speeds")}
    return type(joint)(*vars(joint).get("parts", ()), **fields, motion=motion)


def driven(case: str, loop: bool = False) -> tuple[fb.System, dict[str, str]]:
    """The machine of a case with inputs in place of the laws of the joint, and these laws by input."""
    joint, s = CASES[case][0], fb.System("machine")
    laws = {f"c{k}": law for k, law in enumerate(joint.motion)}
    for name in laws:
        s.input(name, rates=True)
    return build(s, moved_by(joint, list(laws)), loop), laws


def build(s: fb.System, joint: Any, loop: bool = False) -> fb.System:
    """The bodies of ``machine`` in a system that has inputs."""
    bus = s.body("bus", joint=fb.Revolute((1, 2, 2)), **SOLID)
    platform = s.body("platform", on=bus, at=(0.2, -0.1, 0.3), orient=((1, 1, 0), 0.4), joint=joint, **SOLID)
    arm = s.body("arm", on=platform, at=(0.1, 0.2, 0.3), joint=fb.Spherical(), **SOLID)
    tip = s.body("tip", on=arm, at=(0, 0.3, 0.4), joint=fb.Revolute((0, 1, 2)), **SOLID)
    if loop:
        s.close(s.body("far", joint=fb.Free(), **SOLID).point((0.1, 0, 0)), tip.point((0.2, 0.1, 0)), fb.Spherical())
    s.output("force", s.reaction_force(platform))
    s.output("torque", s.reaction_torque(platform))
    return s


def values_at(laws: dict[str, str]) -> dict[str, float]:
    """The inputs at T: positions, rates and accelerations."""
    values = {}
    for name, law in laws.items():
        values |= dict(zip((name, f"{name}.rate", f"{name}.acceleration"), derivatives(law), strict=True))
    return values


@pytest.mark.paper("001", "18")
@pytest.mark.parametrize(
    ("case", "loop"), [*((case, False) for case in CASES), ("free quaternion", True), ("spherical angles", True)]
)
def test_every_formulation_and_solver_agrees_with_the_law_of_time(case: str, loop: bool) -> None:
    """u̇, the pose of the platform and the reaction on it, from positions, rates and accelerations as inputs."""
    (one, laws), other = driven(case, loop), machine(CASES[case][0], loop)
    reference, values = other.derive("kane"), values_at(laws)
    q, u = state(reference)
    theirs = reference.compile("numpy")
    expected = theirs.forward_dynamics(q, u, t=T)
    mine = one.derive("kane").compile("numpy")
    for name in ("pose", "jacobian_offset"):
        each = getattr(mine, name)(q, "tip", inputs=values), getattr(theirs, name)(q, "tip", t=T)
        assert all(np.allclose(*pair, rtol=1e-12, atol=1e-12) for pair in zip(*each, strict=True))
    each = (
        f.jacobian_offset_rate(q, u, "tip", (0.1, 0.2, 0.3), **more)
        for f, more in ((mine, {"inputs": values}), (theirs, {"t": T}))
    )
    assert np.allclose(*each, rtol=1e-12, atol=1e-12)
    force = {"multipliers": theirs.multipliers(q, u, t=T)} if loop else {}
    reactions = theirs.reactions(q, u, expected, t=T, **force), mine.reactions(q, u, expected, inputs=values, **force)
    for part in ("platform.force", "platform.torque", "arm.force"):
        assert np.allclose(*(each[part] for each in reactions), rtol=1e-11, atol=1e-11)
    tried = 0
    for way in [{"solver": name} for name in SOLVERS] + [{"formulation": name} for name in FORMULATIONS]:
        try:
            known = other.derive(**way).compile("numpy").forward_dynamics(q, u, t=T)
        except FreebodyError:
            continue
        u_dot = one.derive(**way).compile("numpy").forward_dynamics(q, u, inputs=values)
        assert np.allclose(u_dot, expected, rtol=1e-9, atol=1e-9), way
        assert np.allclose(u_dot, known, rtol=1e-10, atol=1e-10), way
        tried += 1
    assert tried >= 5


def settled(case: str, order: int) -> tuple[fb.System, dict[str, float]]:
    """The machine of a case moved by filters of signals that they follow exactly as the case's laws, and the states of
    the filters at the start."""
    (joint, _), t, s, z = CASES[case], sympy.Symbol("t"), fb.System("machine"), dict[str, float]()
    w, damping = sympy.Rational(26, 10) * sympy.pi, sympy.Rational(6, 10)
    for k, law in enumerate(joint.motion):
        y = [sympy.diff(sympy.sympify(law, {"t": t}), t, i) for i in range(4)]
        signal = y[0] + 2 * damping / w * y[1] + y[2] / w**2
        if order == 3:
            signal = y[0] + (1 + 2 * damping) * (y[1] / w + y[2] / w**2) + y[3] / w**3
        s.filter(f"c{k}", str(signal), 1.3, 0.6, order)
        z |= {f"c{k}{x}": float(y[i].subs(t, 0)) for i, x in enumerate(("", ".rate", ".acceleration")[:order])}
    return build(s, moved_by(joint, [f"c{k}" for k in range(len(joint.motion))])), z


@pytest.mark.paper("001", "18")
@pytest.mark.parametrize("case", CASES)
def test_runs_with_inputs_are_those_with_the_laws_and_keep_the_balance_of_energy(case: str) -> None:
    s, laws = driven(case)
    one = s.simulate(0.8, u={"tip": 0.3}, inputs=laws, **EXACT)
    other = machine(CASES[case][0]).simulate(0.8, u={"tip": 0.3}, **EXACT)
    for key in ("bus", "tip", "arm.qx", "u_dot.tip", "power.drive.platform", "work.drive.platform", "force"):
        assert np.abs(one[key] - other[key]).max() < 1e-11 * (1 + np.abs(other[key]).max()), key
    assert one.energy_error < 1e-9


@pytest.mark.paper("001", "18")
@pytest.mark.parametrize(("case", "order"), [("free quaternion", 2), ("planar", 3), ("spherical angles", 3)])
def test_a_filter_supplies_position_rate_and_acceleration(case: str, order: int) -> None:
    """A signal that a filter follows as the law of a motion moves the joint as the law does."""
    s, z = settled(case, order)
    one = s.simulate(0.8, u={"tip": 0.3}, z=z, **EXACT)
    other = machine(CASES[case][0]).simulate(0.8, u={"tip": 0.3}, **EXACT)
    for key in ("bus", "tip", "arm.qx", "u_dot.tip", "power.drive.platform"):
        assert np.abs(one[key] - other[key]).max() < 1e-9 * (1 + np.abs(other[key]).max()), key
    assert one.energy_error < 1e-9
    eq = s.derive()
    q, u = state(eq)
    start = [z[name] for name in eq.derivation.layout.z]
    ways: list[dict[str, Any]] = [{"formulation": "aba"}, {"formulation": "aba", "rolled": True}, {"solver": "sparse"}]
    u_dot = [s.derive(**way).compile("numpy").forward_dynamics(q, u, z=start) for way in ways]
    assert np.ptp(u_dot, axis=0).max() < 1e-9 * np.abs(u_dot).max()


def test_a_filtered_step_keeps_the_balance_of_energy(tmp_path: Path) -> None:
    """The joint follows 1 − (1 + ωt) e^(−ωt) after a step of the command; files hold the filter."""
    s = fb.System("filtered")
    command, f = s.input("command", "m"), s.parameter("f", 1.5)
    s.body("lift", joint=fb.Prismatic("z", motion=s.filter("smooth", command, f, unit="m")), mass=1)
    s.body("arm", on="lift", joint=fb.Revolute("y"), mass=2, com=(0.3, 0, 0.1), inertia=(0.1, 0.2, 0.1))
    run = s.simulate(2.0, inputs={"command": 1.0}, **EXACT)
    w = 2 * np.pi * 1.5
    assert np.abs(run["q.lift"] - (1 - (1 + w * run.t) * np.exp(-w * run.t))).max() < 1e-11
    assert np.abs(run["u_dot.lift"] - w**2 * (1 - w * run.t) * np.exp(-w * run.t)).max() < 1e-9
    assert run.energy_error < 1e-9
    jump = s.simulate(2.0, inputs={"command": "where(t > 0.7, 1, 0.2)"}, z={"smooth": 0.2})
    assert jump.energy_error < 1e-6
    s.save(tmp_path / "m.yaml")
    assert fb.load(tmp_path / "m.yaml").digest() == s.digest()
    (tmp_path / "own.yaml").write_text(
        (tmp_path / "m.yaml").read_text().split("states:")[0]
        + "filters: {smooth: {signal: command, frequency: f, unit: m}}\nbodies:"
        + (tmp_path / "m.yaml").read_text().split("bodies:")[1]
    )
    assert fb.load(tmp_path / "own.yaml").digest() == s.digest()
    linear = s.linearize(at={"smooth": 0.3, "command": 0.3, "q.arm": np.arctan(-3.0)})
    assert np.sort(np.abs(linear.eigenvalues + w))[:2] == pytest.approx([0, 0], abs=1e-6)


def test_files_and_copies_hold_inputs_with_rates(tmp_path: Path) -> None:
    s, laws = driven("planar")
    s.save(tmp_path / "m.yaml")
    again = fb.load(tmp_path / "m.yaml")
    assert again.digest() == s.digest() and "c0: {rates: true}" in (tmp_path / "m.yaml").read_text()
    run = s.simulate(0.3, inputs=laws)
    for copy in (again, pickle.loads(pickle.dumps(s))):
        assert np.array_equal(copy.simulate(0.3, inputs=laws)["tip"], run["tip"])


def lift() -> fb.System:
    """A pendulum on a carriage that an input moves."""
    s = fb.System("lift")
    s.body("carriage", joint=fb.Prismatic("x", motion=s.input("x", "m", rates=True)), mass=1)
    s.body("arm", on="carriage", joint=fb.Revolute("y"), mass=2, com=(0, 0, -0.3), inertia=(0.1, 0.2, 0.1))
    return s


def as_law(law: Any) -> fb.System:
    s = fb.System("lift")
    s.body("carriage", joint=fb.Prismatic("x", motion=law), mass=1)
    s.body("arm", on="carriage", joint=fb.Revolute("y"), mass=2, com=(0, 0, -0.3), inertia=(0.1, 0.2, 0.1))
    return s


NUMBERS = {"x": 0.1, "x.rate": 0.5, "x.acceleration": -0.3}


def test_numbers_are_the_motion_at_a_time() -> None:
    """p + v(t − t₀) + a(t − t₀)²/2, in runs, in lanes and in simulators."""
    expected = as_law("0.1 + 0.5*(t - 0.2) - 0.15*(t - 0.2)**2").simulate(1.0, **EXACT)
    run = lift().simulate(1.0, inputs={**NUMBERS, "x.since": 0.2}, **EXACT)
    for key in ("q.carriage", "u.carriage", "u_dot.carriage", "arm", "drive_force.carriage"):
        assert np.abs(run[key] - expected[key]).max() < 1e-11, key
    assert np.abs(run["x"] - expected["q.carriage"]).max() < 1e-14
    rates = [0.1, 0.5, -0.2]
    sweep = lift().sweep(1.0, over={"x.rate": rates}, inputs={"x": 0.1}, record=["arm", "q.carriage"])
    for k, rate in enumerate(rates):
        single = lift().simulate(1.0, inputs={"x": 0.1, "x.rate": rate})
        assert np.abs(sweep["q.arm"].values[k] - single["arm"]).max() < 1e-12
        assert np.abs(sweep["q.carriage"].values[k] - 0.1 - rate * single.t).max() < 1e-13


def test_simulators_move_on_with_the_rates_that_are_set() -> None:
    """What is set holds from now on; position and rate go on where they are not set."""
    sim = lift().simulator(inputs=NUMBERS, **EXACT)
    sim.step(0.5)
    sim.set(inputs={"x.acceleration": 0.8})
    assert sim["x"] == pytest.approx(0.1 + 0.25 - 0.15 * 0.25) and sim["u.carriage"] == pytest.approx(0.35)
    middle = sim.save()
    sim.step(0.5)
    law = "where(t < 0.5, 0.1 + 0.5*t - 0.15*t**2, 0.3125 + 0.35*(t - 0.5) + 0.4*(t - 0.5)**2)"
    expected = as_law(law).simulate([0.0, 1.0], **EXACT)
    assert sim["q.arm"] == pytest.approx(float(expected["arm"][-1]), abs=1e-11)
    assert sim["q.carriage"] == pytest.approx(float(expected["q.carriage"][-1]), abs=1e-14)
    end = sim.x
    sim.restore(middle)
    sim.step(0.5)
    assert np.array_equal(sim.x, end)
    follows = lift().simulator(inputs={"x": LAW})
    with pytest.raises(ArgumentError, match=r"input 'x\.rate' follows a law"):
        follows.set(inputs={"x.rate": 1.0})


def test_simulators_side_by_side_are_single_ones_to_the_bit() -> None:
    """Each world moves on with its own rates, from the time at which they are set or it begins anew."""
    rates = np.array([0.5, 0.2, -0.1])
    sims = lift().simulators(3, inputs={**NUMBERS, "x.rate": rates})
    ones = [lift().simulator(inputs={**NUMBERS, "x.rate": rate}) for rate in rates]
    assert sims.settable == ones[0].settable == ("x", "x.rate", "x.acceleration")

    def moved(worlds: list[int], inputs: Any) -> None:
        sims.set(worlds=worlds, inputs=inputs)
        for k in worlds:
            ones[k].set(inputs=inputs)
        for one in (sims, *ones):
            one.step(0.2)
        for name in ("x", "x.rate", "q.carriage", "q.arm", "u.arm", "drive_force.carriage"):
            assert sims[name].tolist() == [one[name] for one in ones], name

    moved([0, 1, 2], {"x.acceleration": 0.7})
    moved([0, 2], {"x.rate": 0.3})
    saved, after = sims.save(), sims.x
    moved([1], [0.2, 0.1, -0.4])
    end = sims.x
    sims.restore(saved)
    assert np.array_equal(sims.x, after)
    sims.set(worlds=[1], inputs=[[0.2, 0.1, -0.4]])
    sims.step(0.2)
    assert np.array_equal(sims.x, end)
    sims.reset(worlds=[1])
    assert sims["x"][1] == 0.1 and sims["x.rate"][1] == 0.2
    sims.step(0.5)
    assert sims["x"][1] == pytest.approx(0.1 + 0.2 * 0.5 - 0.15 * 0.5**2, abs=1e-15)
    for one in (sims, *ones[:1]):
        with pytest.raises(ArgumentError, match=r"'x\.since' is the time at which"):
            one.set(inputs={"x.since": 0.0})
    with pytest.raises(ArgumentError, match=r"'x\.rate' follows a law"):
        lift().simulators(2, inputs={"x": "sin(t)", "x.rate": np.array([0.0, 0.1])})


@pytest.mark.parametrize("motion", [0.1, "0.3*sin(t)"])
def test_simulators_of_smooth_motions_step_in_machine_code(motion: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has to be looked for where no rate can jump; the state is that of a run."""
    sim = lift().simulator(inputs={"x": motion}, **EXACT)
    sim.step(0.1)
    monkeypatch.setattr(type(sim), "run_until", lambda *_: pytest.fail("a step was taken in Python"))
    for _ in range(9):
        sim.step(0.1)
    run = lift().simulate([0.0, 1.0], inputs={"x": motion}, **EXACT)
    assert np.abs(sim.x - run.x[-1]).max() < 1e-11


@pytest.mark.parametrize("inputs", [{"x": LAW}, {"x": ([0.0, 0.4, 1.0, 1.5], [0.0, 0.3, 0.1, 0.5])}, NUMBERS])
def test_stiff_methods_know_how_inputs_change_with_time(inputs: dict[str, Any]) -> None:
    """A derivative by time that is wrong takes rodas5p its order: it would need more than 1000 steps."""
    expected = lift().simulate([0.0, 1.3], inputs=inputs, **EXACT)
    for method, most in (("rodas5p", 200), ("radau", 1000)):
        run = lift().simulate([0.0, 1.3], inputs=inputs, method=method, rtol=1e-9, atol=1e-11)
        assert np.abs(run.x[-1] - expected.x[-1]).max() < 3e-9 and run.statistics.steps < most


def test_filters_follow_commands_of_controllers() -> None:
    """Inputs with rates are not written at samples; the signal of a filter is."""
    s = lift()
    text = "has rates.*the signal of a filter"
    with pytest.raises(FieldError, match=text):
        s.controller("c", period=0.1, law={"x.rate": "1"})
    with pytest.raises(ArgumentError, match=text):
        s.simulate(1.0, controllers={"c": fb.PythonController(lambda t, y: 0.0, period=0.1, writes=["x"])})
    with pytest.raises(ArgumentError, match="input 'x' has no value"):
        s.simulate(1.0, controllers={"c": fb.PythonController(lambda t, y: 0.0, period=0.1)})
    s = fb.System("lift")
    s.input("command", "m")
    s.body("carriage", joint=fb.Prismatic("x", motion=s.filter("smooth", "command", 2.0)), mass=1)
    s.body("arm", on="carriage", joint=fb.Revolute("y"), mass=2, com=(0, 0, -0.3), inertia=(0.1, 0.2, 0.1))
    s.controller("pid", period=0.05, law={"command": "0.3 - 0.1*q.arm"})
    run = s.simulate([0.0, 1.0], **EXACT)
    assert run.energy_error < 1e-9
    stiff = s.simulate([0.0, 1.0], method="rodas5p", rtol=1e-9, atol=1e-11)
    assert np.abs(stiff.x[-1] - run.x[-1]).max() < 1e-8


@pytest.mark.parametrize("filtered", [False, True])
def test_inverse_kinematics_names_the_inputs_that_it_does_not_know(filtered: bool) -> None:
    s = fb.System("cart")
    s.input("x", "m", rates=True)
    motion = s.filter("smooth", "0.3*t", 2.0) if filtered else "x"
    arm = s.body("arm", on=s.body("cart", joint=fb.Prismatic("x", motion=motion)), joint=fb.Revolute("y"), mass=1)
    with pytest.raises(ArgumentError, match=f"positions depend on '{'smooth' if filtered else 'x'}'"):
        s.inverse_kinematics({arm.point((0, 0, 0.4)): (0.3, 0, 0.4)})


@pytest.mark.parametrize("case", CLOSING)
def test_closing_joints_follow_inputs(case: str) -> None:
    """Loops are assembled and projected with the values that the inputs have at each time."""
    joint, runs = CASES[case][0], []
    laws = {f"c{k}": law for k, law in enumerate(joint.motion)}
    for names in (None, list(laws)):
        s = fb.System("loop")
        for name in names or ():
            s.input(name, rates=True)
        bus = s.body("bus", joint=fb.Revolute((1, 2, 2)), **SOLID)
        platform = s.body("platform", joint=fb.Free(), **SOLID)
        s.body("tip", on=platform, at=(0, 0.3, 0.4), joint=fb.Revolute((0, 1, 2)), **SOLID)
        s.close(bus.point((0.2, -0.1, 0.3)), platform, moved_by(joint, names or list(joint.motion)), name="drive")
        tree = fb.System("tree")
        tree.body("bus", joint=fb.Revolute((1, 2, 2)), **SOLID)
        tree.body("platform", on="bus", at=(0.2, -0.1, 0.3), joint=joint, **SOLID)
        pose = tree.simulate([0, 0.01])["pose.platform"][0].tolist()
        q = dict(zip([f"platform.{c}" for c in ("x", "y", "z", "qw", "qx", "qy", "qz")], pose, strict=True))
        more = {"inputs": laws} if names else {}
        runs.append(s.simulate(0.2, q={"bus": 0.0, "tip": 0.0, **q}, u={"bus": 0.0, "tip": 0.0}, **more, **EXACT))
    one, other = runs
    for key in ("bus", "tip", "multiplier.drive.motion." + joint.speeds[0]):
        assert np.abs(one[key] - other[key]).max() < 1e-11 * (1 + np.abs(other[key]).max()), key
    assert other.constraint_error < 1e-8 if hasattr(other, "constraint_error") else True


def test_driven_joints_in_loops_of_the_tree() -> None:
    """A crank that an input turns, in a four-bar: the run is projected with the input's values; one in a sweep too."""
    runs = []
    for motion in ("0.5 + t", "angle"):
        s = fb.System("four-bar")
        s.input("angle", "rad", rates=True)
        s.body("crank", joint=fb.Revolute("y", motion=motion), mass=1, com=(0.1, 0, 0), inertia=(0.01, 0.01, 0.01))
        s.body(
            "coupler", on="crank", at=(0.2, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0.3, 0, 0), inertia=(0.1,) * 3
        )
        s.body("rocker", at=(0.6, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0.2, 0, 0), inertia=(0.1,) * 3)
        s.close(s.bodies["coupler"].point((0.6, 0, 0)), s.bodies["rocker"].point((0.4, 0, 0)), fb.Revolute("y"))
        at = s.assemble(guess={"coupler": -1.5, "rocker": -1.0}, inputs={"angle": 0.5})
        inputs = {"angle": "0.5 + t" if motion == "angle" else 0.0}
        runs.append(s.simulate(2.0, q=at.q, inputs=inputs, **EXACT))
    one, other = runs
    assert np.abs(one["rocker"] - other["rocker"]).max() < 1e-10
    assert other.energy_error < 1e-8
    numbers = {"angle.rate": 1.0}
    sweep = s.sweep([0.0, 1.0], over={"angle": [0.5, 0.6]}, q=at.q, inputs=numbers, record=["rocker"], **EXACT)
    expected = one["rocker"][np.argmin(np.abs(one.t - 1.0))]
    assert sweep["q.rocker"].values[0, -1] == pytest.approx(float(expected), abs=1e-9)


def test_tables_are_smooth_splines(tmp_path: Path) -> None:
    """(times, values) of an input with rates is the cubic spline that begins and ends at rest, with a continuous
    acceleration; so is a table of this kind in a motion. A table with corners gives impulses."""
    times, values = [0.0, 0.4, 1.0, 1.5], [0.0, 0.3, 0.1, 0.5]
    run = lift().simulate(2.0, inputs={"x": (times, values)}, **EXACT)
    from scipy.interpolate import CubicSpline

    spline = CubicSpline(times, values, bc_type="clamped")
    inside = run.t <= 1.5
    for key, order in (("q.carriage", 0), ("u.carriage", 1)):
        assert np.abs(run[key][inside] - spline(run.t[inside], order)).max() < 1e-12
    assert np.abs(run["u_dot.carriage"][inside][1:-1] - spline(run.t[inside][1:-1], 2)).max() < 1e-10
    assert not len(run.events) and run.energy_error < 1e-9
    assert np.abs(run["u.carriage"][~inside]).max() < 1e-14
    s = fb.System("lift")
    curve = fb.table("curve", times, values, "spline")
    s.body("carriage", joint=fb.Prismatic("x", motion=fb.lookup(curve, s.t)), mass=1)
    s.body("arm", on="carriage", joint=fb.Revolute("y"), mass=2, com=(0, 0, -0.3), inertia=(0.1, 0.2, 0.1))
    assert np.abs(s.simulate(2.0, **EXACT)["arm"] - run["arm"]).max() < 1e-12
    s.save(tmp_path / "m.yaml")
    assert "method: spline" in (tmp_path / "m.yaml").read_text() and fb.load(tmp_path / "m.yaml").digest() == s.digest()
    corners = lift().simulate(1.2, inputs={"x": fb.table("corners", times, values)})
    assert [event[1] for event in corners.events] == ["jump of a prescribed rate"] * 2
    with pytest.raises(ArgumentError, match=r"jumps by 0\.5 m"):
        lift().simulate(1.2, inputs={"x": "where(t > 0.5, 0.5, 0)"})


def test_python_functions_need_their_rates() -> None:
    values = {"x": lambda t: 0.3 * np.sin(t), "x.rate": lambda t: 0.3 * np.cos(t)}
    with pytest.raises(ArgumentError, match=r"'x\.acceleration' as functions too"):
        lift().simulate(1.0, inputs={"x": values["x"]})
    run = lift().simulate(1.0, inputs={**values, "x.acceleration": lambda t: -0.3 * np.sin(t)})
    assert np.abs(run["arm"] - as_law("0.3*sin(t)").simulate(1.0)["arm"]).max() < 1e-8


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ({"x": "0.1*q.arm"}, "its law uses coordinates.*s.filter"),
        ({"x": LAW, "x.rate": 1.0}, "'x.rate' is given too: leave it out"),
        ({"x": 0.1, "x.rate": "t"}, "'x.rate' follows a law, and 'x' is a number"),
        ({}, "input 'x' has no value"),
    ],
)
def test_inputs_that_contradict_each_other(inputs: dict[str, Any], text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        lift().simulate(1.0, inputs=inputs)


def test_motions_without_rates() -> None:
    s = fb.System("one")
    s.input("command")
    s.state("late")
    with pytest.raises(ModelError, match=r"whose rate is not known.*s\.filter"):
        s.body("a", joint=fb.Prismatic("x", motion="command"), mass=1)
    with pytest.raises(ModelError, match="'late', whose rate is not known yet"):
        s.body("b", joint=fb.Prismatic("x", motion="late"), mass=1)
    s.body("free", joint=fb.Prismatic("x"), mass=1)
    with pytest.raises(ModelError, match="rates depend on coordinates or speeds"):
        s.body("c", joint=fb.Prismatic("x", motion=s.filter("follows", "q.free", 2)), mass=1)
    with pytest.raises(FieldError, match="it may depend on t, numbers, parameters, inputs with rates and filters"):
        s.body("d", joint=fb.Prismatic("x", motion="q.free"), mass=1)
    with pytest.raises(FieldError, match="2 or 3, not 1"):
        s.filter("y", "command", 2, order=1)
    with pytest.raises(FreebodyError, match="'nothing'"):
        s.filter("y", "nothing", 2)
    assert "y" not in s.extra_states
    with pytest.raises(ModelError, match=r"'command.rate'|'e.rate' is the name of"):
        s.input("e.rate")
        s.input("e", rates=True)


def test_equations_of_driven_loops_that_depend_on_others_are_left_out() -> None:
    """A four-bar about an oblique axis: one of its equations follows from others, whatever turns the crank."""
    found, axis = [], (1, 2, 2)
    for motion in ("t", "angle"):
        s = fb.System("four-bar")
        s.input("angle", "rad", rates=True)
        base = s.body("base", joint=fb.Weld(), orient=((1, 1, 0), 0.4))
        parts: dict[str, Any] = {"mass": 1, "com": (0.1, 0, 0), "inertia": (0.1, 0.1, 0.1)}
        crank = s.body("crank", on=base, joint=fb.Revolute(axis, motion=motion), **parts)
        hinge = fb.Revolute(axis, initial=-1.0)
        coupler = s.body("coupler", on=crank, at=(0.2, -0.1, 0), joint=hinge, **parts)
        rocker = s.body("rocker", on=base, at=(0.6, -0.3, 0), joint=hinge, **parts)
        s.close(coupler.point((0.6, -0.3, 0)), rocker.point((0.4, -0.2, 0)), fb.Revolute(axis))
        found.append(s.derive().constraints[0].omitted)
    assert found[0] == found[1] and any("follows from" in why for why in found[1].values())


def test_constraints_that_capture_poses_of_driven_bodies() -> None:
    """A body is gripped by one that an input moves: the impulse, and the motion afterwards."""
    runs = []
    for motion in (LAW, "x"):
        s = fb.System("grip", gravity=(0, 0, 0))
        s.input("x", "m", rates=True)
        carriage = s.body("carriage", joint=fb.Prismatic("x", motion=motion), mass=1)
        s.body("arm", on=carriage, joint=fb.Revolute("y"), mass=2, com=(0, 0, -0.3), inertia=(0.1, 0.2, 0.1))
        mate = s.body("mate", joint=fb.Prismatic("x"), mass=3)
        s.close(mate, carriage, fb.Weld(), name="grip", engaged=False, capture=True)
        grip = fb.Event("t - 0.5", 1, engage="grip")
        inputs = {"x": LAW if motion == "x" else 0.0}
        runs.append(s.simulate(1.0, inputs=inputs, events=[grip], **EXACT))
    one, other = runs
    assert abs(one["mate"][-1]) > 0.01 and np.abs(one["mate"] - other["mate"]).max() < 1e-11
    assert other.energy_error < 1e-9


def test_the_command_line_asks_for_positions_alone(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from freebody.cli import app

    lift().save(tmp_path / "lift.yaml")
    file = str(tmp_path / "lift.yaml")
    for arguments in (
        ["simulate", file, "-t", "0.1", "--input", "x=0.3*sin(t)"],
        ["simulate", file, "-t", "0.1", "--input", "x=0.1", "--input", "x.rate=0.5"],
        ["sweep", file, "-t", "0.1", "--over", "x.rate=0:1:3", "--input", "x=0.1"],
    ):
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output


def test_live_simulations_and_trajectories_of_simulators_move_on() -> None:
    """A rate that is set turns no position back; the trajectory of a simulator has the motion of each part."""
    from freebody.api.live import live_simulation

    live = live_simulation(lift().freeze(), inputs={"x": 0.1})
    assert [one.name for one in live.inputs] == ["x", "x.rate", "x.acceleration"]
    live.advance(0.5)
    live.set_input("x.rate", 0.4)
    live.advance(0.5)
    run = live.compiled.mechanics.inputs_at(live.t)
    assert run[:2] == pytest.approx([0.1 + 0.4 * 0.5, 0.4])
    sim = lift().simulator(inputs={"x": 0.1}, **EXACT)
    sim.step(0.5)
    sim.set(inputs={"x.rate": 0.4})
    sim.step(0.5)
    path = sim.trajectory()
    expected = 0.1 + 0.4 * np.maximum(0, path.t - 0.5)
    assert np.abs(path["q.carriage"] - expected).max() < 1e-14 and np.abs(path["x"] - expected).max() < 1e-14
