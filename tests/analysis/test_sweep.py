"""Sweeps: equal to single runs, locally and on a cluster; lost workers, stored results and continuation."""

import errno
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, FileError, SimulationWarning
from freebody.run import sweep as sweeping
from tests.run.systems import double_pendulum, oscillator, pendulum, spinning

TIMES = np.linspace(0, 1, 6)


def tipped() -> fb.System:
    s = double_pendulum()
    s.output("tip", s.position(s.bodies["lower"].point((0, 0, "-l"))))
    return s


@pytest.mark.parametrize("method", ["dop853", "dopri5", "rk4", "lsoda"])
def test_grids_contain_every_run(method: str) -> None:
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


def test_zipped_samples_have_one_dimension() -> None:
    rng = np.random.default_rng(5)
    over = {"q.cart": rng.normal(size=13), "push": rng.normal(size=13), "k": rng.uniform(0.5, 2, 13)}
    many = oscillator().sweep(TIMES, over, grid=False)
    assert many["q.cart"].dims == ("case", "time")
    q0, f, k = (np.array(v)[:, None] for v in over.values())
    exact = f / k + (q0 - f / k) * np.cos(np.sqrt(k) * TIMES)
    assert np.allclose(many["q.cart"], exact, atol=1e-8)


def test_ten_thousand_pendulums_equal_single_runs() -> None:
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


def test_failing_cases_do_not_affect_others() -> None:
    s = fb.System("blow-up", gravity=(0, 0, 0))
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.joint_force(cart, "u.cart**2")
    with pytest.warns(SimulationWarning, match="blow-up: 1 of 3 cases failed .* the first, u.cart = 1: at t = 1 s the"):
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
        ({"q.arm": ["a"]}, {}, "are not numbers"),
        ({"q.leg": [1.0]}, {}, "'q.leg': it is not a state, parameter or input; choose from q.arm, u.arm, m, l"),
        ({"q.arm": [1.0], "m": [1.0, 2.0]}, {"grid": False}, r"the same number of values \(q.arm 1, m 2\)"),
        ({"q.arm": [1.0]}, {"record": ["height"]}, "'height' cannot be recorded"),
        ({"q.arm": [1.0]}, {"chunk": 0}, "chunk .* must be a positive integer, not 0"),
        ({"q.arm": [1.0]}, {"chunk": -1}, "must be a positive integer, not -1"),
        ({"q.arm": [1.0]}, {"chunk": 2.5}, r"must be a positive integer, not 2\.5"),
        (
            {"q.arm": [1.0]},
            {"method": "zz"},
            "there is no method 'zz'; choose from dop853, dopri5, rk4, contact, rodas5p, radau",
        ),
        ({"q.arm": [1.0]}, {"method": "lsoda", "step": 0.1}, "lsoda chooses its steps by their error"),
        ({"q.arm": [1.0]}, {"max_step": 0.0}, "max_step = 0 is not a step size"),
        ({"q.arm": [1.0]}, {"atol": 0.0}, "atol must be a number > 0"),
        ([1.0], {}, "a sweep needs something to vary"),
    ],
)
def test_wrong_sweeps_are_refused(over: dict, options: dict, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        pendulum().sweep(TIMES, over, **options)


def test_quaternions_vary_only_as_a_whole() -> None:
    with pytest.raises(ArgumentError, match=r"in one of the cases the quaternion \(body.qw, .*\) has length 1\.1"):
        spinning().sweep(TIMES, {"q.body.qx": [0.0, 0.5]})
    angle = np.array([0.0, 0.3, 0.6])
    over = {"q.body.qw": np.cos(angle / 2), "q.body.qz": np.sin(angle / 2)}
    many = spinning().sweep(TIMES, over, grid=False, u={"body.wz": 1.0})
    assert np.allclose(2 * np.arctan2(many["q.body.qz"], many["q.body.qw"]), angle[:, None] + TIMES)


def test_inputs_may_follow_laws_or_vary() -> None:
    for law in ("sin(t)", np.sin, ([0, 1], [0, 1])):
        with pytest.raises(ArgumentError, match=r"sweep over 'push': this input follows a law \(.*\) and cannot"):
            oscillator().sweep(TIMES, {"push": [1.0]}, inputs={"push": law})
    varied = oscillator().sweep(TIMES, {"push": [1.0]}, inputs={"push": 5.0})
    assert np.allclose(varied["q.cart"][0], 1 - np.cos(TIMES), atol=1e-8)
    assert oscillator().sweep(TIMES, {"q.cart": [1.0]}, inputs=[0.0])["status"][0] == 0


@pytest.mark.parametrize("name", ["time", "status", "steps", "evaluations", "case"])
@pytest.mark.parametrize("grid", [True, False])
def test_parameters_may_have_names_used_in_the_dataset(name: str, grid: bool) -> None:
    """x'' = p from rest has the solution x = p t²/2."""
    s = fb.System("named", gravity=(0, 0, 0))
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.joint_force(cart, s.parameter(name, 1.0))
    many = s.sweep(TIMES, {name: [1.0, 2.0]}, grid=grid)
    word = name if grid and name == "case" else f"{name}.value"
    assert many["q.cart"].dims == ((word if grid else "case"), "time") and np.array_equal(many[word], [1.0, 2.0])
    assert np.allclose(many["q.cart"], np.outer([0.5, 1.0], TIMES**2))


def test_record_accepts_a_single_name() -> None:
    one = tipped().sweep(TIMES, {"q.upper": [0.1]}, record="energy.total")
    assert "energy.total" in one and "output.tip" not in one


# The store


def test_sweeps_continue_from_their_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []
    real = sweeping.run_cases

    def counted(compiled: Any, cases: Any, *rest: Any, **more: Any) -> Any:
        if len(runs) == 2:
            raise KeyboardInterrupt
        runs.append(len(cases))
        return real(compiled, cases, *rest, **more)

    monkeypatch.setattr(sweeping, "run_cases", counted)
    how = {"over": {"q.arm": np.linspace(0, 1, 40)}, "chunk": 10, "store": tmp_path / "kept"}
    with pytest.warns(SimulationWarning, match="interrupted; 20 of 40 cases are finished"):
        cut = pendulum().sweep(TIMES, **how)
    assert cut.status.values.tolist() == [0] * 20 + [-2] * 20
    assert len(list((tmp_path / "kept").glob("*.npz"))) == 2
    monkeypatch.setattr(sweeping, "run_cases", lambda *a, **k: runs.append(-1) or real(*a, **k))
    again = pendulum().sweep(TIMES, **how)
    assert runs == [10, 10, -1, -1]
    fresh = pendulum().sweep(TIMES, how["over"], chunk=10)
    assert again.equals(fresh)
    assert cut.isel({"q.arm.initial": slice(20)}).equals(fresh.isel({"q.arm.initial": slice(20)}))
    assert np.isnan(cut["q.arm"][20:]).all()


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_ctrl_c_keeps_finished_cases(method: str) -> None:
    """Also those of the current chunk: the fast ones, while one case would take a day."""
    eq = oscillator().derive()
    how = {"inputs": {"push": "where(k > 1, sin(1e9*t), 0)"}, "record": ["energy.total"], "method": method}
    eq.sweep(TIMES, {"k": [1.0, 1.0]}, **how)
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.warns(SimulationWarning, match="interrupted; 5 of 7 cases are finished"):
        cut = eq.sweep(TIMES, {"k": [1.0, 0.9, 0.8, 0.7, 0.6, 2.0, 3.0]}, q={"cart": 1.0}, chunk=6, **how)
    timer.join()
    assert cut.status.values.tolist() == [0] * 5 + [-2] * 2
    at_hand, later = cut.message.values.tolist()[5:]
    assert "interrupted" in at_hand and later == "not finished: the sweep was interrupted"
    assert np.isfinite(cut["energy.total"][:5]).all() and np.isnan(cut["q.cart"][6]).all()
    whole = eq.sweep(TIMES, {"k": [1.0, 0.9, 0.8, 0.7, 0.6]}, q={"cart": 1.0}, **how)
    assert np.array_equal(whole["q.cart"], cut["q.cart"][:5])


def stored(folder: Path) -> Path:
    (found,) = folder.glob("*.npz")
    return found


def changed(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """The same chunk with other arrays."""
    with np.load(path) as file:
        arrays = dict(file)
    change(arrays)
    np.savez(path, **arrays)


def fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


FAULTS: dict[str, Callable[[Path], Any]] = {
    "truncated": lambda p: p.write_bytes(p.read_bytes()[:-100]), "empty": lambda p: p.write_bytes(b""),
    "no zip": lambda p: p.write_bytes(b"x" * 500), "one array": lambda p: np.savez(p, x=np.zeros(3)),
    "a byte": lambda p: p.write_bytes(p.read_bytes().replace(b"\0\0\0\0\0\0\xf0\x3f", b"\1\0\0\0\0\0\xf0\x3f")),
    "no x": lambda p: changed(p, lambda a: a.pop("x")), "no status": lambda p: changed(p, lambda a: a.pop("status")),
    "more": lambda p: changed(p, lambda a: a.update(more=np.zeros(3))),
    "fewer rows": lambda p: changed(p, lambda a: a.update(x=a["x"][:2])),
    "flat": lambda p: changed(p, lambda a: a.update(x=a["x"].ravel())),
    "single": lambda p: changed(p, lambda a: a.update(x=a["x"].astype(np.float32))),
    "texts": lambda p: changed(p, lambda a: a.update(x=a["x"].astype("U"))),
    "objects": lambda p: changed(p, lambda a: a.update(x=a["x"].astype(object))),
    "other numbers": lambda p: changed(p, lambda a: a.update(x=a["x"] + 1)),
    "no seal": lambda p: changed(p, lambda a: a.pop(sweeping.SEAL)), "named pipe": fifo,
    "link to itself": lambda p: (p.unlink(), p.symlink_to(p)), "not readable": lambda p: p.chmod(0),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_damaged_chunks_are_computed_again(tmp_path: Path, fault: str) -> None:
    """The damaged chunk is replaced in the store."""
    how = {"over": {"q.arm": [0.1, 0.2, 1.0]}, "record": ["energy.total"], "store": tmp_path}
    first = pendulum().sweep(TIMES, **how)
    before = stored(tmp_path).read_bytes()
    FAULTS[fault](stored(tmp_path))
    assert pendulum().sweep(TIMES, **how).equals(first)
    stored(tmp_path).chmod(0o600)
    assert stored(tmp_path).is_file() and len(stored(tmp_path).read_bytes()) == len(before)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("when", [0, 1])
def test_full_disk_affects_only_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: int) -> None:
    """The sweep returns its results, reports what is not stored, and leaves no partial file."""
    real, calls = np.savez, list[int]()

    def full(file: Any, **arrays: Any) -> None:
        calls.append(1)
        if len(calls) > when:
            file.write(b"the first bytes")
            raise OSError(errno.ENOSPC, "No space left on device")
        real(file, **arrays)

    how = {"over": {"q.arm": np.linspace(0, 1, 6)}, "chunk": 2}
    wanted = pendulum().sweep(TIMES, **how)
    monkeypatch.setattr(np, "savez", full)
    with pytest.warns(SimulationWarning, match=r"not stored: .*npz: it cannot be written: No space left on device"):
        assert pendulum().sweep(TIMES, **how, store=tmp_path).equals(wanted)
    assert [p.suffix for p in tmp_path.iterdir()] == [".npz"] * when
    monkeypatch.setattr(np, "savez", real)
    assert pendulum().sweep(TIMES, **how, store=tmp_path).equals(wanted) and len(list(tmp_path.iterdir())) == 3


def test_store_is_created_only_in_an_existing_folder(tmp_path: Path) -> None:
    how: dict[str, Any] = {"over": {"q.arm": [0.1]}}
    pendulum().sweep(TIMES, **how, store=tmp_path / "store")
    assert stored(tmp_path / "store")
    with pytest.raises(FileError, match=r"it cannot be written: there is no folder .*nowhere; create it first"):
        pendulum().sweep(TIMES, **how, store=tmp_path / "nowhere" / "store")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="it cannot be written: it is not a folder; name another"):
        pendulum().sweep(TIMES, **how, store=tmp_path / "file")
    with pytest.raises(FileError, match=r"a path is text or a pathlib\.Path, not 5"):
        pendulum().sweep(TIMES, **how, store=5)


def test_store_distinguishes_different_sweeps(tmp_path: Path) -> None:
    how = {"store": tmp_path, "chunk": 4}
    first = pendulum().sweep(TIMES, {"q.arm": [0.1, 0.2]}, **how)
    other = pendulum().sweep(TIMES, {"q.arm": [0.1, 0.2]}, parameters={"l": 2.0}, **how)
    assert not np.allclose(first["q.arm"], other["q.arm"])
    looser = pendulum().sweep(TIMES, {"q.arm": [0.1, 0.2]}, rtol=1e-3, atol=1e-3, **how)
    assert int(looser["steps"][0]) < int(first["steps"][0])
    for kept in tmp_path.glob("*.npz"):
        kept.write_bytes(kept.read_bytes()[:100])
    assert pendulum().sweep(TIMES, {"q.arm": [0.1, 0.2]}, **how).equals(first)


def test_sweeps_with_python_functions_are_not_stored(tmp_path: Path) -> None:
    s, over = oscillator(), {"q.cart": [0.0, 1.0]}
    hit = fb.Event("q.cart - 2", reset={"u.cart": lambda t: 0.0}, name="hit")
    drag = double_pendulum()
    drag.joint_force(drag.bodies["lower"], fb.apply(fb.callback("drag", lambda u: -u), drag.bodies["lower"].u[0]))
    for context, sweep in {
        "input 'push'": lambda **k: s.sweep(TIMES, over, inputs={"push": slow}, **k),
        "event 'fall'": lambda **k: s.sweep(TIMES, over, inputs={"push": 0}, events=[fb.Event(late, name="fall")], **k),
        "event 'hit', reset of u.cart": lambda **k: s.sweep(TIMES, over, inputs={"push": 0}, events=[hit], **k),
        r"drag\(\)": lambda **k: drag.sweep(TIMES, {"q.upper": [1.0]}, **k),
    }.items():
        with pytest.raises(ArgumentError, match=f"{context}: a Python function is called.* or a table, or leave store"):
            sweep(store=tmp_path)
        assert not list(tmp_path.iterdir())
        assert sweep()["status"][0] == 0


def late(t: float, x: Any) -> float:
    return t - 100


def test_store_distinguishes_which_event_resets(tmp_path: Path) -> None:
    def events(first: Any, second: Any) -> list[fb.Event]:
        return [fb.Event("t - 0.25", reset=first, name="a"), fb.Event("t - 0.5", reset=second, name="b")]

    s, reset, how = oscillator(), {"u.cart": 1.0}, {"inputs": {"push": 0.0}, "store": tmp_path}
    one = s.sweep(TIMES, {"q.cart": [0.0]}, events=events(reset, None), **how)
    two = s.sweep(TIMES, {"q.cart": [0.0]}, events=events(None, reset), **how)
    assert not np.allclose(one["q.cart"], two["q.cart"])
    assert np.allclose(two["q.cart"][0, -1], np.sin(0.5), atol=1e-7)


def test_store_distinguishes_names_of_recorded_quantities(tmp_path: Path) -> None:
    """The same numbers in the same order with exchanged names."""

    def system(first: str, second: str) -> fb.System:
        s = pendulum()
        s.output(first, "2*q.arm")
        s.output(second, "3*q.arm")
        return s

    how = {"over": {"q.arm": [0.1]}, "store": tmp_path, "record": ["a"]}
    one = system("a", "b").sweep(TIMES, **how)
    two = system("b", "a").sweep(TIMES, **how)
    assert np.allclose(one["output.a"], 2 * one["q.arm"]) and np.allclose(two["output.a"], 3 * two["q.arm"])


def test_store_depends_on_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version, files in (("1.0", 1), ("1.1", 2), ("1.1", 2)):
        monkeypatch.setattr(sweeping, "version", lambda name, version=version: version)
        pendulum().sweep(TIMES, {"q.arm": [0.1]}, store=tmp_path)
        assert len(list(tmp_path.glob("*.npz"))) == files


def test_keys_do_not_depend_on_the_type_of_numbers(tmp_path: Path) -> None:
    for step, m in ((0.01, 2.0), (np.float64(0.01), np.float64(2.0)), (np.array(0.01), np.array(2))):
        pendulum().sweep(TIMES, {"q.arm": [0.1]}, method="rk4", step=step, parameters={"m": m}, store=tmp_path)
    assert len(list(tmp_path.glob("*.npz"))) == 1


# The cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster on this machine: a scheduler and two worker processes."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=None
    ) as made:
        yield made


def test_clusters_give_the_same_results(cluster: Any) -> None:
    over = {"q.upper": np.linspace(0, 1, 5), "m": [1.0, 2.0]}
    here = tipped().sweep(TIMES, over, chunk=3)
    there = tipped().sweep(TIMES, over, chunk=3, cluster=cluster.scheduler_address)
    assert here.equals(there)


def slow(t: float) -> float:
    time.sleep(2e-4)
    return 0.0


def test_no_client_begins_where_no_scheduler_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that cannot connect delays the end of the process by 8 s."""
    distributed = pytest.importorskip("distributed")

    class Client:
        def __init__(self, *arguments: Any, **options: Any) -> None:
            raise AssertionError("a client began")

    monkeypatch.setattr(distributed, "Client", Client)
    monkeypatch.setattr("freebody.run.sweep.ANSWER", 0.2)
    with socket.socket() as other:  # accepts connections, and is no scheduler
        other.bind(("127.0.0.1", 0))
        other.listen()
        for address in ("tcp://127.0.0.1:1", f"tcp://127.0.0.1:{other.getsockname()[1]}", "nonsense"):
            with pytest.raises(ArgumentError, match=f"no Dask scheduler answers at '{address}'"):
                pendulum().sweep(TIMES, {"q.arm": [1.0]}, cluster=address)


def test_killed_workers_lose_no_results(cluster: Any) -> None:
    """A worker is killed during the sweep; another one computes its cases."""
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
