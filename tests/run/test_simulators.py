"""Simulators side by side: each world is a simulator with its values, to the bit."""

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, SimulationError, SimulationWarning
from freebody.results import RunResult
from freebody.results.trajectory import UnknownNameError
from freebody.run.options import RunOptions
from freebody.run.simulator import Simulator
from freebody.run.simulator_model import SimulatorModel
from freebody.run.simulators import Simulators
from tests.hybrid.test_samples import START, controller
from tests.run.constrained_systems import slider_crank
from tests.run.systems import ball, double_pendulum, oscillator, spinning
from tests.run.test_simulator import arm

N = 11
METHODS: dict[str, dict[str, Any]] = {
    "dop853": {}, "dopri5": {"method": "dopri5", "first_step": 1e-3}, "rk4": {"method": "rk4", "step": 0.01},
    "rodas5p": {"method": "rodas5p"},
}  # fmt: skip


def pulse() -> fb.System:
    """An oscillator that is pushed for a millisecond."""
    s = oscillator()
    cart = s.bodies["cart"]
    s.joint_force(cart, "50*(t > 0.203)*(t < 0.204)", name="pulse")
    return s


def spread(a: float, b: float) -> Any:
    return np.linspace(a, b, N)


CASES: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "tree": (double_pendulum, {"q": {"upper": spread(0.2, 1.4)}}, {"m": spread(0.5, 2.0)}),
    "arm": (arm, {"q": {"link": spread(0.2, 1.4)}, "u": {"hand": np.outer(spread(-1, 1), [1.0, 0.4, 2.0])}},
            {"l": spread(0.3, 0.9)}),
    "quaternion": (spinning, {"u": {"body.wx": 0.1, "body.wy": spread(1, 2)}}, {}),
    "loop": (slider_crank, {"q": {"slider": 1.3}, "u": {"crank": spread(1.0, 2.0)}}, {}),
    "loops of several sizes": (slider_crank, {"u": {"crank": spread(1.0, 2.0)}}, {"r": spread(0.25, 0.35)}),
    "pulse": (pulse, {"q": {"cart": spread(-1, 1)}}, {"k": spread(1.0, 5.0)}),
}  # fmt: skip


def of_world(values: Any, k: int) -> Any:
    """The values of one world."""
    if isinstance(values, dict):
        return {name: of_world(value, k) for name, value in values.items()}
    return values[k] if np.ndim(values) and len(values) == N else values


def pair(name: str, method: str) -> tuple[Simulators, list[Any]]:
    make, start, parameters = CASES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationWarning)
        sims = make().simulators(N, **start, parameters=parameters, **METHODS[method])
        s = make()
        worlds = range(N) if parameters else (0, 4, N - 1)
        singles = [
            (k, s.simulator(**of_world(start, k), parameters=of_world(parameters, k), **METHODS[method]))
            for k in worlds
        ]
    return sims, singles


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CASES)
def test_worlds_are_simulators_to_the_bit(name: str, method: str) -> None:
    """With inputs that are set, a restore in the middle, worlds that begin again, and parameters that change."""
    sims, singles = pair(name, method)
    names = list(sims._model.inputs)

    def agree() -> None:
        for k, single in singles:
            assert np.array_equal(sims.x[k], single.x) and sims.t == single.t, k

    agree()
    for n, dt in enumerate([0.05, 0.1, 0.013, 0.05, 0.2]):
        if names:
            values = np.sin(np.arange(N * len(names)) + n).reshape(N, -1)
            sims.set(inputs=values)
            for k, single in singles:
                single.set(inputs=values[k])
        sims.step(dt)
        for _, single in singles:
            single.step(dt)
        agree()
    saved, end = pickle.loads(pickle.dumps(sims.save())), sims.x
    sims.step(0.1)
    after = sims.x
    sims.restore(saved)
    assert np.array_equal(sims.x, end)
    sims.step(0.1)
    assert np.array_equal(sims.x, after)
    sims.restore(saved)
    if names == ["motor"]:
        sims.set(parameters={"l": 1.03}, worlds=[k for k, _ in singles])
        for _, single in singles:
            single.set(parameters={"l": 1.03})
    for _, single in singles:
        single.run_until(0.5)
    sims.run_until(0.5)
    agree()
    sims.reset()
    for _, single in singles:
        single.reset()
        single.step(0.07)
    sims.step(0.07)
    agree()


@pytest.mark.parametrize("name", CASES)
def test_what_is_read_is_that_of_each_world(name: str) -> None:
    sims, singles = pair(name, "dop853")
    sims.step(0.15)
    for _, single in singles:
        single.step(0.15)
    known = {v.key: v for v in sims.compiled.about.variables}
    for key in known:
        if not (key.startswith("work") or key in ("energy.supplied", "energy.lost")):
            rows = sims[key]
            for k, single in singles:
                assert np.allclose(rows[k], single[key], rtol=1e-10, atol=1e-12), key
                assert rows.shape[1:] == np.shape(single[key])
    texts = ["t", sims.compiled.about.state[0], "momentum.linear"]
    rows = sims.reader(texts)()
    for k, single in singles:
        assert np.allclose(rows[k], single.reader(texts)(), rtol=1e-12, atol=1e-13)
    assert np.array_equal(np.hstack([sims.q, sims.u]), sims.x[:, : sims.q.shape[1] + sims.u.shape[1]])


def test_worlds_begin_again_by_themselves() -> None:
    """At the time that all have, with other values, by indices and by a mask."""
    sims = oscillator().simulators(N, q={"cart": spread(0, 1)}, inputs=np.full((N, 1), 0.1))
    sims.set(inputs={"push": spread(1, 2)})
    sims.step(0.5)
    before, t = sims.x, sims.t
    sims.reset([2, 5], u={"cart": np.array([3.0, 4.0])})
    assert sims["cart"][2] == 0.2 and sims["u.cart"][[2, 5]].tolist() == [3.0, 4.0] and sims.t == t
    assert sims["push"][[1, 2, 5]].tolist() == [1.1, 0.1, 0.1]
    mask = np.arange(N) > 8
    sims.reset(mask, q={"cart": -1.0})
    assert sims["cart"][mask].tolist() == [-1.0] * 2
    others = [k for k in range(N) if k not in (2, 5) and not mask[k]]
    assert np.array_equal(sims.x[others], before[others])
    sims.set(worlds=[0], q={"cart": 7.0}, inputs={"push": 5.0})
    assert sims["cart"][0] == 7.0 and sims["push"][0] == 5.0 and sims["cart"][1] == before[1, 0]
    sims.step(0.25)
    single = oscillator().simulator(q={"cart": 0.2}, u={"cart": 3.0}, inputs=[0.1])
    single.step(0.25)
    assert np.allclose(sims.x[2], single.x, rtol=0, atol=1e-14)


def test_the_number_of_threads_changes_nothing() -> None:
    ends = []
    for threads in (1, 2, 3):
        sims = double_pendulum().simulators(200, q={"upper": np.linspace(0, 2, 200)}, threads=threads)
        sims._lanes._spent = 1.0  # so that threads are worth it
        for _ in range(5):
            sims.step(0.1)
        ends.append(sims.x)
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])


def test_samples_are_those_of_single_simulators() -> None:
    compiled = controller()
    model = SimulatorModel(RunOptions().for_run(np.zeros(1), compiled.about), RunResult, ("push",), ("push",))
    starts = np.array(START) * np.arange(1, N + 1)[:, None]
    sims = Simulators(compiled, starts, np.tile(compiled.d, (N, 1)), compiled.p, model, 1)
    singles = [Simulator(compiled, x0, model) for x0 in starts]
    for dt in (0.03, 0.04, 0.05, 0.1, 0.38):
        sims.step(dt)
        for k, single in enumerate(singles):
            single.step(dt)
            assert np.array_equal(sims.x[k], single.x)
            assert np.array_equal(sims._d[k], single.compiled.d)


def test_samples_that_are_not_possible_side_by_side_say_why() -> None:
    s = oscillator()
    s.input("when")
    s.joint_force("cart", "50*(t > when)", name="late")
    s.controller("c", rate=100, law={"push": "-q.cart"})
    for options, why in (
        ({}, "there are samples, and a law in t jumps or bends at times that depend on inputs"),
        ({"method": "rk4", "step": 0.01}, "samples interrupt steps of one size: leave step out"),
    ):
        with pytest.raises(ArgumentError, match=f"not possible side by side: {why}.*single simulators"):
            s.simulators(3, **options)


def test_a_world_that_cannot_go_on_is_named_and_the_others_go_on() -> None:
    s = fb.System("fall", gravity=(0, 0, 0))
    s.input("pull")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.joint_force(cart, "-pull/q.cart**2")
    sims = s.simulators(4, q={"cart": [1.0, 1.0, 2.0, 1.0]}, inputs={"pull": np.array([0.0, 1.0, 0.0, 0.1])})
    with pytest.warns(SimulationWarning, match=r"fall: 1 of 4 worlds cannot go on; the first, world 1: at t = 1\.1"):
        sims.run_until(1.5)
    assert list(sims.messages) == [1] and np.isnan(sims.x[1]).all() and np.isfinite(sims.x[[0, 2, 3]]).all()
    sims.step(0.1)
    single = s.simulator(q={"cart": 1.0}, inputs={"pull": 0.1})
    single.run_until(1.5)
    single.step(0.1)
    assert np.array_equal(sims.x[3], single.x)
    sims.restore(sims.save())
    assert list(sims.messages) == [1]
    sims.reset([1], q={"cart": 5.0})
    sims.step(0.1)
    assert not sims.messages and np.isfinite(sims.x).all()


def test_functions_of_users_raise_and_leave_the_states_as_they_were() -> None:
    calls = {"raise": True}

    def law(t: float) -> float:
        if t > 0.5 and calls.pop("raise", False):
            raise ValueError("once")
        return 0.0

    sims = oscillator().simulators(5, q={"cart": 1.0}, inputs={"push": law}, threads=2)
    sims.run_until(0.4)
    x = sims.x
    with pytest.raises(fb.FreebodyError, match="once"):
        sims.run_until(1.0)
    assert sims.t == 0.4 and np.array_equal(sims.x, x)
    sims.run_until(1.0)
    assert np.allclose(sims["cart"], np.cos(1.0))


def test_wrong_arguments_are_refused_by_name() -> None:
    s = oscillator()
    for wrong, why in (
        ({"method": "radau"}, "method 'radau' is not possible side by side"),
        ({"max_steps": 5}, "have no max_steps"),
        ({"events": []}, "no argument 'events'"),
        ({"threads": -1}, "threads must be a positive integer"),
        ({"q": {"cart": [1.0, 2.0]}}, r"takes 1 number for all worlds, or an array of shape \(3,\)"),
        ({"parameters": {"k": [1.0, 2.0]}}, "parameter 'k': give one number, or one for each of 3 worlds"),
        ({"inputs": np.zeros((2, 1))}, r"an array of shape \(3, 1\), a row for each world"),
    ):
        with pytest.raises(ArgumentError, match=why):
            s.simulators(3, **wrong)
    with pytest.raises(ArgumentError, match="simulators need the number of worlds"):
        s.simulators(0)
    sims = s.simulators(3, inputs={"push": "sin(t)"})
    with pytest.raises(ArgumentError, match="input 'push' follows a law"):
        sims.set(inputs={"push": 1.0})
    sims = s.simulators(3)
    sims.step(0.5)
    for call, why in (
        (lambda: sims.run_until(0.2), "move forward only"),
        (lambda: sims.set(inputs={"pull": 1.0}), "no input 'pull'"),
        (lambda: sims.set(inputs=np.zeros((3, 2))), r"give an array of shape \(3, 1\)"),
        (lambda: sims.set(parameters={"kk": 1.0}), "no parameter 'kk'"),
        (lambda: sims.reset([7]), "give indices from 0 to 2"),
        (lambda: sims["energy.supplied"], "is integrated along a motion"),
        (lambda: sims.restore(s.simulator().save()), "not of 3 worlds side by side"),
        (lambda: sims.set(worlds=[1, 1], q={"cart": [1.0, 2.0]}), "give each world once"),
        (lambda: sims.reader(["cart", "energy.supplied"]), "is integrated along a motion"),
        (lambda: s.simulator().reader(["cart", "energy.supplied"]), "is integrated along the motion"),
        (lambda: s.simulator().restore(sims.save()), "the snapshot is of simulators side by side"),
    ):
        with pytest.raises(ArgumentError, match=why):
            call()
    with pytest.raises(UnknownNameError, match="nothing is called 'crat'"):
        sims["crat"]
    with pytest.raises(SimulationError, match="world 1 cannot begin"):
        slider_crank().simulators(2, q={"crank": 0.0, "rod": [0.0, 1.0], "slider": 1.3})


def test_no_worlds_may_be_chosen() -> None:
    sims = oscillator().simulators(3, q={"cart": 0.1})
    sims.step(0.1)
    before = sims.x
    sims.reset([], q={"cart": 1.0})
    sims.set(worlds=(), u={"cart": 1.0})
    assert np.array_equal(sims.x, before)


@pytest.mark.parametrize("law", [False, True])
def test_a_row_of_inputs_has_those_that_can_be_set(law: bool) -> None:
    """Neither those that a controller writes nor those that follow laws, wherever they stand."""
    s = fb.System("carts")
    for name in ("servo", "push", "wind", "pull"):
        s.joint_force(s.body(f"{name}_cart", joint=fb.Prismatic("x"), mass=1.0), s.input(name))
    s.controller("c", rate=100, law={"servo": "-7"})
    fixed = {"wind": "sin(t)"} if law else {"wind": 5.0}
    free = ["push", "pull"] if law else ["push", "wind", "pull"]
    sim, sims = s.simulator(inputs=fixed), s.simulators(3, inputs=fixed)
    assert list(sim.settable) == free == list(sims.settable)
    row = np.arange(1.0, len(free) + 1)
    sim.set(inputs=row)
    sims.set(inputs=np.outer([1.0, 2.0, 3.0], row))
    sims.set(worlds=[1], inputs=10 * row[None, :])
    for k, name in enumerate(free):
        assert sim[name] == row[k] and sims[name].tolist() == [row[k], 10 * row[k], 3 * row[k]]
    for one, shape in ((sim, (len(free),)), (sims, (3, len(free)))):
        assert np.all(one["servo"] == 0.0)  # nothing was written to it
        with pytest.raises(
            ArgumentError, match=f"has {len(free)} inputs that can be set \\(push.*not an array of"
        ) as e:
            one.set(inputs=np.zeros(4))
        assert str(shape) in str(e.value)
    sim.step(0.02)
    sims.step(0.02)
    assert sim["servo"] == -7.0 and np.all(sims["servo"] == -7.0)
    assert sims["push_cart"][0] == sim["push_cart"] == pytest.approx(0.5 * 0.02**2)


def test_rows_that_are_not_finite_are_refused_without_warnings() -> None:
    sim = oscillator().simulator()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for wrong in (np.inf, np.nan):
            with pytest.raises(ArgumentError, match="is not finite"):
                sim.set(inputs=np.array([wrong]))


def test_jumps_that_differ_between_worlds_are_refused() -> None:
    s = ball()
    s.parameters(start=1.0)
    s.joint_force(s.bodies["ball"], "20*(t > start)", name="kick")
    sims = s.simulators(3, parameters={"start": 0.5})
    sims.step(1.0)
    with pytest.raises(ArgumentError, match="jumps or bends at times that differ between the worlds"):
        s.simulators(3, parameters={"start": [0.5, 0.6, 0.7]})


@pytest.mark.parametrize("name", CASES)
def test_cases_of_a_sweep_are_single_runs_to_the_bit(name: str) -> None:
    """Also with steps of controlled size: the norm of the error is added up in one order for one state and in lanes."""
    make, start, parameters = CASES[name]
    rows = {f"{group}.{k}": v for group, values in start.items() for k, v in values.items() if np.shape(v) == (N,)}
    fixed = {group: {k: v for k, v in values.items() if np.ndim(v) == 0} for group, values in start.items()}
    s, times = make(), [0.0, 0.1, 0.33]
    inputs = dict.fromkeys(s.inputs, 0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationWarning)
        swept = s.sweep(times, {**rows, **parameters}, grid=False, inputs=inputs, **fixed)
        for k in range(N):
            values = {group: {**of_world(own, k)} for group, own in start.items()}
            if name == "arm":
                del values["u"]
            run = s.simulate(times, inputs=inputs, parameters=of_world(parameters, k), **values)
            assert np.array_equal(run.x, np.stack([swept[key].values[k] for key in run.about.state], 1)), k


def test_warnings_of_a_start_are_those_of_the_first_world() -> None:
    with pytest.warns(UserWarning, match="degrees"):
        double_pendulum().simulators(2, q={"upper": [90.0, 0.0]})
    with pytest.warns(SimulationWarning, match="slider by 0.3 m"):
        slider_crank().simulators(2, u={"crank": [1.0, 2.0]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sims = slider_crank().simulators(2, q={"slider": 1.3}, u={"crank": [1.0, 2.0]})
        spinning().simulators(2, u=np.array([[0, 0, 0, 1, 2, 3], [0, 0, 0, 3, 2, 1]]))
    assert np.allclose(sims["crank"], 0, atol=1e-6)
