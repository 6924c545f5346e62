"""sweep: cases, files and plots, failures, and interrupts."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray

import freebody as fb
from tests.cli.conftest import PENDULUM, Run, RunJson
from tests.cli.test_models import refused

TIMES = np.linspace(0, 1, 11)
SHORT = ("--until", 1, "--samples", 11)


def pendulum_system() -> fb.System:
    space: dict[str, Any] = {}
    exec(PENDULUM, space)
    system = space["s"]
    assert isinstance(system, fb.System)
    return system


def test_all_combinations_of_states_and_parameters(run: Run, run_json: RunJson, pendulum: Path) -> None:
    over = ("--over", "q.arm=0:pi/2:3", "--over", "l=0.5,0.8")
    found = run_json("sweep", pendulum, *over, *SHORT, "--save", "sweep.nc")
    expected = pendulum_system().sweep(TIMES, {"q.arm": [0, np.pi / 4, np.pi / 2], "l": [0.5, 0.8]})
    assert found["over"] == {"q.arm": pytest.approx([0, np.pi / 4, np.pi / 2]), "l": [0.5, 0.8]}
    assert (found["cases"], found["grid"], found["status"], found["files"]) == (6, True, [0] * 6, ["sweep.nc"])
    assert found["counts"]["reached the end"] == 6 and found["t_end"] == [1.0] * 6
    assert found["final"]["q.arm"] == expected["q.arm"].values[:, :, -1].ravel().tolist()
    assert found["final"]["output.tip.z"] == expected["output.tip"].values[:, :, -1, 2].ravel().tolist()
    with xarray.open_dataset("sweep.nc") as stored:
        assert np.array_equal(stored["q.arm"], expected["q.arm"]) and stored.attrs == expected.attrs
        assert np.array_equal(stored["q.arm.initial"], expected["q.arm.initial"])
        assert (stored["message"] == "reached the end").all()
        fb.plot(stored, "arm")
    shown = run("sweep", pendulum, *over, *SHORT)
    assert shown.stdout.startswith("pendulum: 3 × 2 = 6 cases to t = 1 s; 6 reached the end\n") and shown.stderr == ""


def test_values_side_by_side_and_laws(run_json: RunJson, driven: Path) -> None:
    """θ̈ = motor − brake from rest: θ̇ = (motor − brake) t; a short name of a state is enough."""
    found = run_json(
        "sweep", driven, "--over", "brake=0,1,2", "--over", "charge=0,1,2", "--zip", "--input", "motor=3", *SHORT
    )
    assert found["cases"] == 3 and list(found["over"]) == ["brake", "z.charge"] and not found["grid"]
    assert found["final"]["u.arm"] == pytest.approx([3, 2, 1])
    assert found["final"]["z.charge"] == pytest.approx([3 + (c - 3) * np.exp(-1) for c in (0, 1, 2)])


def test_many_cases_are_cut_in_the_table_and_drawn(run: Run, run_json: RunJson, pendulum: Path, tmp_path: Path) -> None:
    options = ("--over", "q.arm=-1:1:30", "--over", "m=1,2", *SHORT, "--record", "energy")
    shown = run("sweep", pendulum, *options)
    assert "60 cases" in shown.stdout and "Not shown: 40 more cases" in shown.stdout
    drawn = ("--plot", "map.png", "--against", "q.arm", "--against", "m", "--at", "max", "--show", "energy.total")
    assert run_json("sweep", pendulum, *options, *drawn)["files"] == ["map.png"]
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    lines = ("--plot", "lines.svg", "--color", "status", "--show", "arm")
    assert run("sweep", pendulum, *options, *lines).exit_code == 0
    refused(run("sweep", pendulum, *options, *drawn[:4], "--at", "9", "-q"), 2, "at=9.0 is not a time of the sweep")
    refused(run("sweep", pendulum, *options, "--plot", "a.png", "--show", "leg", "-q"), 2, "nothing is called 'leg'")


def test_failed_cases_are_named_and_kept(run: Run, run_json: RunJson, blown: Path) -> None:
    """u̇ = u² from u₀ is u₀/(1 − u₀ t), which diverges at 1/u₀."""
    found = run_json("sweep", blown, "--over", "u.arm=0.5,2", *SHORT, "--save", "sweep.nc")
    assert (found["ok"], found["exit_code"], found["status"]) == (False, 1, [0, -1]) and found["files"] == ["sweep.nc"]
    assert found["final"]["u.arm"][0] == pytest.approx(1.0) and found["t_end"] == [1.0, pytest.approx(0.45, abs=0.06)]
    assert "1 of 2 cases failed (u.arm.initial = 2)" in found["error"] and found["warnings"] == []
    result = run("sweep", blown, "--over", "u.arm=0.5,2", *SHORT)
    assert result.exit_code == 1 and "1 reached the end, 1 failed" in result.stdout
    assert result.stderr.count("cases failed") == 1


def test_events_end_cases(run_json: RunJson, ball: Path) -> None:
    found = run_json("sweep", ball, "--over", "q.ball=1:3:2", "--event", "q.ball", "--until", 1, "--samples", 101)
    assert found["status"] == [1, 0] if np.sqrt(2 * 3 / 9.81) > 1 else [1, 1]
    assert found["t_end"][0] == pytest.approx(np.sqrt(2 / 9.81), abs=0.01)


def test_ctrl_c_keeps_what_is_finished(
    run: Run, run_json: RunJson, pendulum: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three chunks the second is interrupted; with a store, the next sweep does not compute the first again."""
    import freebody.run.sweep as library

    original, chunks = library.run_cases, list[int]()

    def interrupted(compiled: Any, cases: Any, *rest: Any) -> Any:
        chunks.append(len(cases))
        if len(chunks) == 2:
            raise KeyboardInterrupt
        return original(compiled, cases, *rest)

    monkeypatch.setattr(library, "run_cases", interrupted)
    options = ("sweep", pendulum, "--over", "q.arm=0:1:6", *SHORT, "--chunk", 2, "--store", "chunks", "--save", "s.nc")
    found = run_json(*options)
    assert (found["exit_code"], found["status"]) == (130, [0, 0, -2, -2, -2, -2]) and found["files"] == ["s.nc"]
    assert "4 of 6 cases not finished" in found["error"] and "--store FOLDER keeps finished chunks" in found["error"]
    assert run_json(*options)["status"] == [0] * 6 and chunks == [2, 2, 2, 2]


@pytest.mark.parametrize(
    ("options", "code", "part"),
    [
        ([], 2, "--over: name at least one value that varies"),
        (["--over", "q.amr=1,2"], 2, "--over: there is no 'q.amr' (did you mean 'q.arm'?)"),
        (["--over", "k=1,2"], 2, "choose from q.arm, u.arm, m, l"),
        (["--over", "arm=1,2"], 2, "'arm' may be q.arm or u.arm; write one of them"),
        (["--over", "q.arm"], 2, "write --over name=value"),
        (["--over", "q.arm="], 2, "write --over name=value"),
        (["--over", "q.arm=1:2"], 2, "'1:2' is neither start:stop:count, such as 0:1:11, nor a list"),
        (["--over", "q.arm=1:2:3,4"], 2, "is neither start:stop:count"),
        (["--over", "q.arm=0:1:0"], 2, "the count of start:stop:count is an integer from 2 to 1000000, not 0"),
        (["--over", "q.arm=0:1:2.5"], 2, "is an integer from 2 to 1000000, not 2.5"),
        (["--over", "q.arm=0:1:1e9"], 2, "is an integer from 2 to 1000000, not 1e9"),
        (["--over", "q.arm=0:1:1e6", "--over", "m=1,2"], 2, "these are 2000000 cases; a sweep has at most 1000000"),
        (["--over", "q.arm=0:nan:3"], 2, "nan is not finite"),
        (["--over", "q.arm=1,,2"], 2, "'' is not a number"),
        (["--over", "q.arm=a,b"], 2, "--over q.arm: 'a' is not a number"),
        (["--over", "m=1", "--over", "m=2"], 2, "'m' is given twice"),
        (
            ["--over", "m=1,2", "--over", "l=1,2,3", "--zip"],
            2,
            "each name needs the same number of values (m 2, l 3)",
        ),
        (["--over", "m=-1,2"], 2, "the mass of 'arm' is -1"),
        (["--over", "m=1,2", "--record", "leg"], 2, "'leg' cannot be recorded"),
        (["--over", "m=1,2", "--against", "m"], 2, "--against is about what --plot draws; give --plot PATH too"),
        (["--over", "m=1,2", "--method", "rk4"], 2, "give --step SECONDS"),
        (["--over", "m=1,2", "--save", "s.csv"], 2, "the name must end in .nc"),
        (["--over", "m=1,2", "--save", "no/s.nc"], 4, "there is no folder no; make it first"),
        (["--over", "m=1,2", "--store", "no/chunks"], 4, "--store no/chunks: it cannot be written: there is no folder"),
        (["--over", "m=1,2", "--chunk", "0"], 2, "--chunk"),
    ],
)
def test_wrong_options_are_refused(run: Run, pendulum: Path, options: list[str], code: int, part: str) -> None:
    refused(run("sweep", pendulum, *options), code, part)


def test_inputs_need_values_unless_they_vary(run: Run, driven: Path) -> None:
    result = run("sweep", driven, "--over", "motor=1,2")
    assert result.exit_code == 2 and "error: inputs without a value: brake." in result.stderr
    result = run("sweep", driven, "--over", "motor=1,2", "--input", "motor=t", "--zero-inputs")
    assert result.exit_code == 2 and "--input motor: it varies; remove --input motor, or --over motor" in result.stderr
