"""Environments: what Gymnasium asks of them, and that they are simulators."""

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from tests.run.systems import ball, oscillator

gymnasium = pytest.importorskip("gymnasium")
from freebody.gym import Env, VectorEnv  # noqa: E402

ROOT = Path(__file__).parents[2]
GAINS = np.array([1.0, 25.0, 2.0, 5.0])
TASK: dict[str, Any] = {
    "observation": ["q.cart", "q.pole", "u.cart", "u.pole"],
    "reward": "1 - 0.01*push**2",
    "terminated": "abs(q.pole) > 0.3",
    "actions": {"push": (-10, 10)},
    "start": {"q.pole": (-0.05, 0.05), "u.cart": 0.1, "m": (0.05, 0.2)},
    "dt": 0.02,
    "max_time": 1.0,
}


def cart_pole() -> fb.System:
    s = fb.System("cart-pole")
    m = s.parameter("m", 0.1)
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.body("pole", on=cart, joint=fb.Revolute("y"), mass=m, com=(0, 0, 0.5), inertia=(0.008, 0.008, 1e-4))
    s.joint_force(cart, s.input("push"))
    s.output("top", s.position(s.bodies["pole"].point((0, 0, 1))))
    return s


def by_functions(sim: Any) -> Any:
    return np.concatenate([sim.q, sim.u], axis=-1)


FUNCTIONS: dict[str, Any] = {
    **TASK,
    "observation": by_functions,
    "reward": lambda seen, action: 1 - 0.01 * action[..., 0] ** 2,
    "terminated": lambda seen: abs(seen[..., 1]) > 0.3,
    "start": lambda random: {"q": {"pole": random.uniform(-0.05, 0.05)}, "u": {"cart": 0.1}},
}


@pytest.mark.parametrize("task", [TASK, FUNCTIONS, {**TASK, "observation": ["top", "cos(q.pole)"], "reward": 1.0}])
def test_the_checker_of_gymnasium_accepts_it(task: dict[str, Any]) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*(symmetric and normalized|infinity).*")  # as for any unscaled space
        check_env(Env(cart_pole(), **task), skip_render_check=True)


def test_an_episode_is_a_simulation() -> None:
    """Drawn values, held actions that are limited, rewards, the end."""
    env = Env(cart_pole(), **TASK)
    seen, _ = env.reset(seed=3)
    random = np.random.default_rng(3)
    drawn = {"pole": random.uniform(-0.05, 0.05)}, random.uniform(0.1, 0.1), random.uniform(0.05, 0.2)
    sim = cart_pole().simulator(q=drawn[0], u={"cart": 0.1}, parameters={"m": drawn[2]})
    assert np.array_equal(seen, sim.x)
    for k in range(50):
        action = np.array([15.0 if k < 5 else GAINS @ seen])
        sim.set(inputs=np.clip(action, -10, 10))
        sim.step(0.02)
        seen, reward, over, late, info = env.step(action)
        assert np.array_equal(seen, sim.x) and reward == pytest.approx(1 - 0.01 * min(10, action[0]) ** 2)
        assert over == (abs(seen[1]) > 0.3) and late == (k == 49) and info == {}
    run = env.trajectory()
    assert run.t[-1] == pytest.approx(1.0) and run["input.push"][0] == 10.0


def test_seeds_repeat_episodes_and_options_set_values() -> None:
    env, other = Env(cart_pole(), **TASK), Env(cart_pole(), **FUNCTIONS)
    first = [env.reset(seed=5)[0], env.reset()[0], env.reset()[0]]
    again = [env.reset(seed=5)[0], env.reset()[0], env.reset()[0]]
    assert np.array_equal(first, again) and not np.array_equal(first[0], first[1])
    seen, _ = env.reset(options={"q": {"pole": 0.2}, "parameters": {"m": 0.15}})
    assert seen[1] == 0.2 and env.simulator.compiled.parameters["m"] == 0.15
    assert other.reset(seed=5)[0][1] == np.random.default_rng(5).uniform(-0.05, 0.05)


@pytest.mark.parametrize("task", [TASK, FUNCTIONS])
def test_worlds_of_a_vector_are_single_environments(task: dict[str, Any]) -> None:
    """Also over the ends of episodes: a world begins anew in the step after, with the reward 0."""
    n = 6
    envs, one = VectorEnv(cart_pole(), n, **task), Env(cart_pole(), **{**task, "start": None})
    seen, _ = envs.reset(seed=1)
    single, _ = one.reset(options=values_of(envs, 4))
    over = late = False
    ends = 0
    for k in range(120):
        actions = np.where(np.arange(n) % 2, 1.0, -1.0)[:, None] * (3.0 if k < 60 else 0.0)
        seen, reward, ended, cut, _ = envs.step(actions)
        if over or late:
            single, _ = one.reset(options=values_of(envs, 4))
            value, over, late = 0.0, False, False
        else:
            single, value, over, late, _ = one.step(actions[4])
        assert np.allclose(seen[4], single, rtol=0, atol=1e-12) and reward[4] == pytest.approx(value, abs=1e-15)
        assert ends or np.array_equal(seen[4], single)  # later, times are rounded differently
        assert ended[4] == over and cut[4] == late
        ends += over or late
    assert ends >= 2 and envs.observation_space.contains(seen) and seen.dtype == envs.observation_space.dtype


def values_of(envs: VectorEnv, k: int) -> dict[str, Any]:
    """The present values of a world."""
    sims = envs.simulators
    m = sims.reader(["m"])()[k, 0]
    return {
        "q": dict(zip(("cart", "pole"), sims.q[k], strict=True)),
        "u": dict(zip(("cart", "pole"), sims.u[k], strict=True)),
        "parameters": {"m": m},
    }


def test_vectors_repeat_their_episodes() -> None:
    envs = VectorEnv(cart_pole(), 8, **TASK)
    ends = []
    for _ in range(2):
        seen, _ = envs.reset(seed=2)
        for _ in range(80):
            seen, *_ = envs.step(np.full((8, 1), 2.0))
        ends.append(seen)
    assert np.array_equal(*ends) and len(np.unique(ends[0][:, 1])) == 8


def test_terminal_events_and_failures_end_episodes() -> None:
    s = ball()
    s.joint_force(s.bodies["ball"], s.input("lift"))
    floor = fb.Event("q.ball", terminal=True, name="floor")
    task: dict[str, Any] = {"observation": ["q.ball"], "reward": 1.0, "actions": {"lift": (-1, 1)}, "dt": 0.1}
    env = Env(s, **task, start={"q.ball": 1.0}, events=[floor])
    for _ in range(2):
        env.reset()
        ends = [env.step(np.zeros(1))[2] for _ in range(5)]
        assert ends == [False] * 4 + [True]
    s = oscillator()
    cart = s.bodies["cart"]
    s.joint_force(cart, "-1/q.cart**2", name="pit")
    task = {"observation": ["q.cart"], "reward": 1.0, "actions": {"push": (-1, 1)}, "dt": 0.5}
    env = Env(s, **task, start={"q.cart": 0.5})
    env.reset()
    seen, reward, over, _, info = env.step(np.zeros(1))
    assert over and reward == 0.0 and seen[0] == 0.5 and "at t = 0." in info["failed"]
    envs = VectorEnv(s, 3, **task, start={"q.cart": (0.5, 20.0)})
    start, _ = envs.reset(seed=0, options={"q": {"cart": np.array([0.5, 10.0, 20.0])}})
    seen, rewards, ended, _, infos = envs.step(np.zeros((3, 1)))
    assert ended.tolist() == [True, False, False] == infos["failed"].tolist() and rewards.tolist() == [0.0, 1.0, 1.0]
    assert seen[0] == start[0] and np.isfinite(seen).all()
    seen, rewards, ended, *_ = envs.step(np.zeros((3, 1)))
    assert not ended.any() and rewards.tolist() == [0.0, 1.0, 1.0] and seen[0] != start[0]


def test_wrong_descriptions_are_refused_by_name() -> None:
    for change, why in (
        ({"observation": "q.cart"}, "observation is a list of names and texts"),
        ({"observation": ["q.cat"]}, "'q.cat'"),
        ({"reward": None}, "reward is a text, a number, or a function"),
        ({"terminated": 3}, "terminated is a text"),
        ({"actions": {"pull": (-1, 1)}}, "there is no input 'pull' that can be set; choose from push"),
        ({"actions": {"push": (1, -1)}}, "the lower one first"),
        ({"actions": ["push"]}, "actions are inputs with their limits"),
        ({"dt": 0}, "dt = 0 is not a time"),
        ({"start": {"q.cat": 1.0}}, "'q.cat' is not a state or a parameter"),
        ({"start": {"q.cart": (1.0, 0.0)}}, "a number or \\(lowest, highest\\)"),
        ({"start": 3}, "start is values by name"),
        ({"max_time": -1.0}, "max_time = -1.0 is not a time"),
        ({"dt": None}, "dt is the time in seconds"),
        ({"reward": np.nan}, "reward: nan is not finite"),
        ({"seed": 3}, "pass the seed to env.reset"),
    ):
        for make in (lambda t: Env(cart_pole(), **t), lambda t: VectorEnv(cart_pole(), 2, **t)):
            with pytest.raises(ArgumentError, match=why):
                make({**TASK, **change})
    with pytest.raises(ArgumentError, match="initial values are given as"):
        Env(cart_pole(), **TASK).reset(options={"cart": 1.0})
    with pytest.raises(ArgumentError, match="initial values: q must be values by name"):
        Env(cart_pole(), **TASK).reset(options={"q": [0.1, 0.2]})


@pytest.mark.parametrize("make", [Env, lambda s, **task: VectorEnv(s, 2, **task)])
def test_functions_and_actions_of_a_wrong_shape_are_refused(make: Any) -> None:
    for change, why in (
        ({"reward": lambda seen, action: None}, "reward: the function must return a number"),
        ({"reward": lambda seen, action: np.ones(7)}, "reward: the function must return a number"),
        ({"terminated": lambda seen: None}, "terminated: the function must return a number"),
    ):
        env = make(cart_pole(), **{**TASK, **change})
        env.reset(seed=1)
        with pytest.raises(ArgumentError, match=why):
            env.step(np.zeros(env.action_space.shape))
    env = make(cart_pole(), **TASK)
    env.reset(seed=1)
    with pytest.raises(ArgumentError, match="an action is an array of shape"):
        env.step(np.zeros((*env.action_space.shape, 2)))


@pytest.mark.parametrize("make", [Env, lambda s, **task: VectorEnv(s, 2, **task)])
def test_actions_set_their_inputs_beside_laws_and_controllers(make: Any) -> None:
    s = fb.System("two carts")
    for name in ("servo", "wind", "push"):
        s.joint_force(s.body(f"{name}_cart", joint=fb.Prismatic("x"), mass=1.0), s.input(name))
    s.controller("c", rate=100, law={"servo": "-7"})
    env = make(
        s,
        observation=["servo", "wind", "push"],
        reward=0.0,
        actions={"push": (-5, 5)},
        dt=0.02,
        inputs={"wind": "3 + t"},
    )
    env.reset(seed=1)
    seen = np.reshape(env.step(np.full(env.action_space.shape, 2.0))[0], (-1, 3))
    assert np.abs(seen - [-7.0, 3.02, 2.0]).max() < 1e-12


@pytest.mark.parametrize("name", ["cart_pole", "reacher"])
def test_random_search_trains_the_policies_of_the_examples(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    __import__(name).main()
    printed = capsys.readouterr().out
    if name == "cart_pole":
        assert "500 points in 10.00 s" in printed
    else:
        found = re.search(r"distance at the end ([\d.]+) mm", printed)
        assert found is not None and float(found[1]) < 8
