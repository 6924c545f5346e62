"""Sweeps: equal to runs one by one, here and on a cluster, through lost workers, from where they were."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.analysis import sweep as sweeping
from freebody.errors import ArgumentError
from tests.simulation.systems import double_pendulum, oscillator, pendulum, spinning

TIMES = np.linspace(0, 1, 6)


def tipped() -> fb.System:
    s = double_pendulum()
    s.output("tip", s.position(s.bodies["lower"].point((0, 0, "-l"))))
    return s


@pytest.mark.parametrize("method", ["dop853", "dopri5", "rk4", "lsoda"])
def test_a_grid_holds_every_run(method: str) -> None:
    s, how = tipped(), {"method": method, "step": 1e-3 if method == "rk4" else None}
    over, record = {"q.upper": [0.1, 0.9], "m": [1.0, 2.0, 3.0]}, ["tip", "energy.total"]
    grid = s.sweep(TIMES, over, q={"lower": 0.2}, record=record, **how)
    assert grid["output.tip"].dims == ("q.upper.initial", "m", "time", "output.tip.part")
    for a in (0.1, 0.9):
        for m in (1.0, 3.0):
            one = s.simulate(TIMES, q={"upper": a, "lower": 0.2}, parameters={"m": m}, **how)
            case = grid.sel({"q.upper.initial": a, "m": m})
            for key in ("q.lower", "u.upper", "energy.total", "output.tip"):
                assert np.allclose(case[key], one[key], rtol=1e-9, atol=1e-9), (key, a, m)
    assert np.all(grid["status"] == 0) and np.all(grid["steps"] > 0)


def test_samples_stand_side_by_side() -> None:
    rng = np.random.default_rng(5)
    over = {"q.cart": rng.normal(size=13), "push": rng.normal(size=13), "k": rng.uniform(0.5, 2, 13)}
    many = oscillator().sweep(TIMES, over, grid=False)
    assert many["q.cart"].dims == ("case", "time")
    q0, f, k = (np.array(v)[:, None] for v in over.values())
    exact = f / k + (q0 - f / k) * np.cos(np.sqrt(k) * TIMES)
    assert np.allclose(many["q.cart"], exact, atol=1e-8)


def test_ten_thousand_pendulums_equal_one_by_one_runs() -> None:
    eq = pendulum().derive()
    angles = np.linspace(-3, 3, 10_000)
    many = eq.sweep([0.0, 0.5, 1.0], {"q.arm": angles}, rtol=1e-8, atol=1e-10)
    for k in range(0, 10_000, 97):
        one = eq.simulate([0.0, 0.5, 1.0], q={"arm": angles[k]}, rtol=1e-8, atol=1e-10)
        assert np.allclose(many["q.arm"][k], one["arm"], rtol=1e-10, atol=1e-10)
        assert int(many["steps"][k]) == one.statistics.steps


def test_quaternions_stay_unit_in_a_sweep() -> None:
    many = spinning().sweep(TIMES, {"u.body.wx": [0.1, 1.0, 5.0]}, u={"body.wy": 2.0})
    norm = sum(many[f"q.body.{k}"] ** 2 for k in ("qw", "qx", "qy", "qz"))
    assert np.max(np.abs(norm - 1)) < 1e-14


def test_a_case_that_fails_fails_alone() -> None:
    s = fb.System("blow-up", gravity=(0, 0, 0))
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.effort(cart, "u.cart**2")
    many = s.sweep(np.linspace(0, 2, 5), {"u.cart": [0.1, 1.0, -1.0]})
    assert many["status"].values.tolist() == [0, -1, 0]
    assert np.all(np.isfinite(many["q.cart"][0])) and np.isnan(many["q.cart"][1, -1])


def test_events_work_in_a_sweep() -> None:
    s = fb.System("ball")
    s.body("ball", joint=fb.Prismatic("z"), mass=1.0)
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-u.ball"})
    many = s.sweep(np.linspace(0, 1, 11), {"q.ball": [0.5, 1.0]}, events=[bounce])
    assert many["q.ball"].min() > -1e-9
    landed = s.sweep([0.0, 1.0, 2.0], {"q.ball": [0.5, 100.0]}, events=[fb.Event("q.ball", terminal=True)])
    assert landed["status"].values.tolist() == [1, 0] and np.isnan(landed["q.ball"][0, -1])


@pytest.mark.parametrize(
    ("over", "options", "message"),
    [
        ({}, {}, "a sweep needs something to vary"),
        ({"q.arm": []}, {}, "give a row of finite numbers"),
        ({"q.arm": [[1, 2]]}, {}, "give a row of finite numbers"),
        ({"q.arm": ["a"]}, {}, "are no numbers"),
        ({"q.leg": [1.0]}, {}, "'q.leg': it is no state, parameter or input; there are q.arm, u.arm, m, l"),
        ({"q.arm": [1.0], "m": [1.0, 2.0]}, {"grid": False}, r"as many values of each \(q.arm 1, m 2\)"),
        ({"q.arm": [1.0]}, {"record": ["height"]}, "'height' cannot be recorded"),
        ({"q.arm": [1.0]}, {"cluster": "tcp://127.0.0.1:1"}, "no Dask scheduler answers at 'tcp://127.0.0.1:1'"),
    ],
)
def test_a_sweep_said_wrong_is_told(over: dict, options: dict, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        pendulum().sweep(TIMES, over, **options)


# The store


def test_a_sweep_goes_on_from_what_it_has_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []
    real = sweeping.run_cases

    def counted(plant: Any, cases: Any, *rest: Any, **more: Any) -> Any:
        if len(runs) == 2:
            raise KeyboardInterrupt
        runs.append(len(cases))
        return real(plant, cases, *rest, **more)

    monkeypatch.setattr(sweeping, "run_cases", counted)
    how = {"over": {"q.arm": np.linspace(0, 1, 40)}, "chunk": 10, "store": tmp_path / "kept"}
    with pytest.raises(KeyboardInterrupt):
        pendulum().sweep(TIMES, **how)
    assert len(list((tmp_path / "kept").glob("*.npz"))) == 2
    monkeypatch.setattr(sweeping, "run_cases", lambda *a, **k: runs.append(-1) or real(*a, **k))
    again = pendulum().sweep(TIMES, **how)
    assert runs == [10, 10, -1, -1]
    fresh = pendulum().sweep(TIMES, how["over"], chunk=10)
    assert again.equals(fresh)


def test_a_store_never_gives_results_of_something_else(tmp_path: Path) -> None:
    how = {"store": tmp_path, "chunk": 4}
    first = pendulum().sweep(TIMES, {"q.arm": [0.1, 0.2]}, **how)
    other = pendulum().sweep(TIMES, {"q.arm": [0.1, 0.2]}, parameters={"l": 2.0}, **how)
    assert not np.allclose(first["q.arm"], other["q.arm"])
    looser = pendulum().sweep(TIMES, {"q.arm": [0.1, 0.2]}, rtol=1e-3, atol=1e-3, **how)
    assert int(looser["steps"][0]) < int(first["steps"][0])
    for kept in tmp_path.glob("*.npz"):
        kept.write_bytes(kept.read_bytes()[:100])
    assert pendulum().sweep(TIMES, {"q.arm": [0.1, 0.2]}, **how).equals(first)


# The cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A real one on this machine: a scheduler and two workers, each a process."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=None
    ) as made:
        yield made


def test_a_cluster_gives_the_same(cluster: Any) -> None:
    over = {"q.upper": np.linspace(0, 1, 5), "m": [1.0, 2.0]}
    here = tipped().sweep(TIMES, over, chunk=3)
    there = tipped().sweep(TIMES, over, chunk=3, cluster=cluster.scheduler_address)
    assert here.equals(there)


def slow(t: float) -> float:
    time.sleep(2e-4)
    return 0.0


def test_a_killed_worker_loses_nothing(cluster: Any) -> None:
    """A worker is killed in the middle of the work; what it had is done by another."""
    from distributed import Client

    s, over = oscillator(), {"q.cart": np.linspace(0, 1, 24)}
    how = {"inputs": {"push": slow}, "chunk": 2, "method": "rk4", "step": 1e-2}
    here = s.sweep([0.0, 0.2], over, **how)
    with Client(cluster.scheduler_address, set_as_default=False) as client:
        victim = next(iter(client.run(os.getpid).values()))
        timer = threading.Timer(0.3, lambda: os.kill(victim, signal.SIGKILL))
        timer.start()
        there = s.sweep([0.0, 0.2], over, cluster=client, **how)
        timer.join()
        assert victim not in client.run(os.getpid).values()
    assert here.equals(there)
