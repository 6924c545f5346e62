"""Seeds of random numbers in sampled elements, by an element that only this test has."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import freebody as fb
from freebody.model.sampled import HeldValue, Sampled, Samples, SampleView
from freebody.model.sampled.base import SEED


@dataclass(frozen=True, eq=False)
class Noise(Sampled):
    """A random number at each sample."""

    kind: ClassVar[str] = "noise"
    section: ClassVar[str] = "sensors"
    group: ClassVar[str] = "sensor"

    @property
    def own_values(self) -> tuple[HeldValue, ...]:
        return (HeldValue(self.name, unit="m"),)

    @property
    def delayed(self) -> tuple[str, ...]:
        return (self.name,)

    @property
    def is_random(self) -> bool:
        return True

    def samples(self, view: SampleView) -> Samples:
        return Samples({self.name: view.normal("value")})


def shaken(*more: str) -> fb.System:
    s = fb.System("shaken")
    s.input("push")
    s.body("cart", joint=fb.Prismatic("x", stiffness=10), mass=1)
    s.joint_force("cart", "push")
    for name in ("seen", *more):
        s.add(Noise(rate=100, delay=0.01), name)
    s.controller("follow", rate=50, law={"push": "seen"})
    return s


T = np.linspace(0, 1, 51)


def test_equal_seeds_give_equal_numbers_in_runs_sweeps_and_simulators() -> None:
    s = shaken()
    one, same, other = (s.simulate(T, seed=seed) for seed in (3, 3, 4))
    assert np.array_equal(one.x, same.x) and np.abs(one.x - other.x).max() > 0.01
    assert np.array_equal(s.simulate(T).x, s.simulate(T, seed=0).x) and one["seen"][0] == 0.0  # it comes later
    swept = s.sweep(T, {"seed": [3, 4, 2**47]}, record=["sensor.seen"])
    assert np.array_equal(swept["q.cart"].values[:2], [one["cart"], other["cart"]])
    assert np.array_equal(swept["sensor.seen"].values[0], one["seen"])
    sim = s.simulator(seed=3)
    sim.run_until(0.5)
    saved = sim.save()
    sim.run_until(1.0)
    assert abs(sim["cart"] - one["cart"][-1]) < 1e-8 and sim["seen"] == one["seen"][-1]
    sim.restore(saved)
    sim.run_until(1.0)
    assert sim["seen"] == one["seen"][-1]
    rest = s.simulate(T[25:], start=s.simulate(T[:26], seed=3))
    assert np.array_equal(rest["seen"], one["seen"][25:])


def test_elements_have_numbers_of_their_own_that_others_do_not_change() -> None:
    alone, both = shaken().simulate(T, seed=5), shaken("second").simulate(T, seed=5)
    assert np.array_equal(alone["seen"], both["seen"])
    assert abs(np.corrcoef(both["seen"], both["second"])[0, 1]) < 0.6
    assert abs(np.std(shaken().simulate(np.arange(1000) / 100, seed=1)["seen"]) - 1) < 0.08


def test_wrong_seeds_are_refused_and_systems_without_noise_take_none() -> None:
    for seed in (-1, 2**48, 1.5, "x"):
        with pytest.raises(fb.FreebodyError, match="seed is a whole number from 0 to"):
            shaken().simulate(1.0, seed=seed)  # type: ignore[arg-type]
    with pytest.raises(fb.FreebodyError, match="seed is a whole number from 0 to"):
        shaken().sweep(1.0, {"seed": [0.5]})
    s = fb.System("still")
    s.body("cart", joint=fb.Prismatic("x"), mass=1)
    assert SEED not in s.freeze().held
    for refuses in (s.simulate, s.sweep, s.simulator, lambda *_, seed: s.simulator().reset(seed=seed)):
        given = () if refuses == s.simulator else (1.0, {"u.cart": [0.0]}) if refuses == s.sweep else (1.0,)
        with pytest.raises(fb.FreebodyError, match="still uses no random numbers: leave seed out"):
            refuses(*given, seed=3)  # type: ignore[operator]
    with pytest.raises(fb.FreebodyError, match="sweep over 'seed': it is not a state, parameter or input"):
        s.sweep(1.0, {"seed": [1]})


def test_worlds_have_a_seed_each_and_resets_another() -> None:
    """What a world does is what a simulator with its seed does, to the bit."""
    s = shaken()
    sims, singles = s.simulators(4, seed=3), [s.simulator(seed=3) for _ in range(4)]

    def agree() -> None:
        for t in (0.011, 0.25, 0.4):
            sims.run_until(sims.t + t)
            for k, single in enumerate(singles):
                single.run_until(single.t + t)
                assert np.array_equal(sims.x[k], single.x) and sims["seen"][k] == single["seen"]
                assert sims.reader(["seen", "cart"])()[k].tolist() == [single["seen"], single["cart"]]

    agree()
    sims.reset(seed=[10, 11, 12, 13])
    for k, single in enumerate(singles):
        single.reset(seed=10 + k)
    agree()
    assert len(np.unique(sims["cart"])) == 4
    saved = sims.save()
    end = sims.x
    sims.step(0.1)
    sims.restore(saved)
    assert np.array_equal(sims.x, end)


def test_environments_draw_the_seeds_of_sensors() -> None:
    gym = pytest.importorskip("freebody.gym")
    s = shaken()
    s.input("kick")
    s.joint_force("cart", "kick", name="blow")
    task = {"observation": ["seen", "cart"], "reward": 1.0, "actions": {"kick": (-1, 1)}, "dt": 0.05}
    env, envs = gym.Env(s, **task), gym.VectorEnv(s, 3, **task)
    ends = []
    for _ in range(2):
        env.reset(seed=1)
        ends.append([env.step(np.zeros(1))[0] for _ in range(5)])
    env.reset()
    assert np.array_equal(*ends) and not np.array_equal(ends[0], [env.step(np.zeros(1))[0] for _ in range(5)])
    envs.reset(seed=1)
    for _ in range(5):
        seen, *_ = envs.step(np.zeros((3, 1)))
    assert len(np.unique(seen[:, 0])) == 3
